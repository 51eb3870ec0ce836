"""A real HTTP server for tests: uvicorn on a free port of the loopback, in a thread of this process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import requests
import uvicorn

from ricordo.blocking import Memory
from ricordo.http import Options, application
from ricordo.http.identity import Sessions
from ricordo.http.protocol import Patient
from ricordo.settings import Settings


@dataclass(frozen=True)
class Server:
    """A server that runs, and the one who may ask it."""

    url: str
    settings: Settings
    token: str = ""
    sessions: Sessions | None = None

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> requests.Response:
        """An answer. `body` is sent as JSON; `options` are those of requests, `token` another key than this one's."""
        token = options.pop("token", self.token)
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **options.pop("headers", {})}
        if body is not None:
            options["json"] = body
        return requests.request(method, self.url + path, headers=headers, timeout=300, allow_redirects=False, **options)

    def get(self, path: str, **options: Any) -> Any:
        """The JSON of an answer that must be good."""
        return self.good("GET", path, None, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        """The JSON of an answer that must be good."""
        return self.good("POST", path, {} if body is None else body, **options)

    def good(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """The JSON of an answer that must be good."""
        answer = self.ask(method, path, body, **options)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def key(self, user: str = "ada", **rights: Any) -> str:
        """The token of a new key of a user."""
        with Memory(settings=replace(self.settings, user=user), background=False) as memory:
            return memory.keys.create("test", **rights).token

    def of(self, user: str, **rights: Any) -> Server:
        """The same server, asked with a new key."""
        return replace(self, token=self.key(user, **rights))


@contextmanager
def running(settings: Settings, **options: Any) -> Iterator[Server]:
    """A server of these settings, asked with a key of the user `ada`."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    sessions = Sessions(settings.user)
    app = application(settings, Options(port=port, **{"rate": "100000/minute", **options}), sessions)
    server = uvicorn.Server(
        uvicorn.Config(app, http=Patient, log_config=None, access_log=False, timeout_graceful_shutdown=10)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        made = Server(f"http://127.0.0.1:{port}", settings, sessions=sessions)
        while thread.is_alive() and not server.started:
            thread.join(0.02)
        assert server.started, "the server did not start"
        yield made.of("ada")
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
        assert not thread.is_alive()
