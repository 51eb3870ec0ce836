"""kill -9 of a server in the middle of an operation: the next one goes on with it, and nothing is lost or doubled."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import requests

from commands import command, environment
from consistency import inconsistencies
from miners import talk
from models import OTHER, model_folder
from ricordo import Memory
from ricordo.settings import Settings
from stores import connect

#: Talks that are imported, and the turns of them all.
TALKS = {f"talk-{number}": talk(number) for number in (*range(30), 39, 59)}
TURNS = sum(map(len, TALKS.values()))


@dataclass
class Served:
    """A server that is killed and started again, at one address."""

    settings: Settings
    port: int
    token: str
    folder: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # A worker that gives no sign of life for three times that is given up for dead.
        variables = {"RICORDO_WORKER_HEARTBEAT": "0.3", "TMPDIR": str(self.folder)}
        self.process = subprocess.Popen(
            command("serve", "--port", str(self.port), "--rate", "100000/minute"),
            env=environment(self.settings) | variables,
            stderr=subprocess.DEVNULL,
        )
        self.until(self.answers)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def answers(self) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/readyz", timeout=30).ok
        except requests.ConnectionError:
            return False

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        answer = requests.request(method, f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=60, **options)
        assert answer.ok, answer.text
        return answer

    def operation(self, begun: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", f"/v1/operations/{begun['id']}").json()
        return found

    @staticmethod
    def until(holds: Callable[[], bool], seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.02)

    def killed_within(self, begun: dict[str, Any], midway: Callable[[], bool]) -> dict[str, Any]:
        """What comes of an operation whose server is killed twice: once `midway`, and once when it is taken up."""
        self.until(midway)
        self.kill()
        self.start()
        self.until(lambda: self.operation(begun)["state"] != "waiting")
        self.kill()
        self.start()
        self.until(lambda: self.operation(begun)["state"] not in ("waiting", "running"))
        ended = self.operation(begun)
        assert (ended["state"], ended["problem"]) == ("done", None)
        return ended


@pytest.fixture
def served(settings: Settings, tmp_path: Path) -> Iterator[Served]:
    with _serving(settings, tmp_path) as made:
        yield made


@contextmanager
def _serving(settings: Settings, tmp_path: Path) -> Iterator[Served]:
    ada = replace(settings, user="ada")
    with Memory(settings=ada, background=False) as memory:
        token = memory.keys.create("test").token
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    folder = tmp_path / "temporary"
    folder.mkdir()
    made = Served(ada, port, token, folder)
    try:
        made.start()
        yield made
    finally:
        made.kill()


def _count(settings: Settings, query: str) -> int:
    with connect(settings) as owner:
        row = owner.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _require_sound(served: Served) -> None:
    with connect(served.settings) as owner, owner.transaction():
        owner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")  # the server has more to do
        assert inconsistencies(owner) == []
    with Memory(settings=served.settings, background=False) as memory:
        rooms = [each for wing in memory.palace.tree() for each in wing.rooms]
        kept = sorted(drawer.text for room in rooms for drawer in memory.palace.show(room.pointer))
    assert kept == sorted(each["content"] for turns in TALKS.values() for each in turns)


def _as_lines() -> bytes:
    lines = [{"conversation": name, **turn} for name, turns in TALKS.items() for turn in turns]
    return "".join(f"{json.dumps(each)}\n" for each in lines).encode()


def _import(served: Served) -> dict[str, Any]:
    upload = served.ask("POST", "/v1/uploads").json()["id"]
    served.ask(
        "PUT",
        f"/v1/uploads/{upload}/files?name=talks.jsonl",
        data=_as_lines(),
        headers={"Content-Type": "application/octet-stream"},
    )
    begun: dict[str, Any] = served.ask("POST", f"/v1/uploads/{upload}/import").json()
    return begun


def test_an_import_whose_server_is_killed_goes_on_in_the_next(served: Served) -> None:
    begun = _import(served)
    ended = served.killed_within(begun, lambda: _count(served.settings, "SELECT count(*) FROM memories") > 40)
    assert ended["result"]["stored"] + ended["result"]["duplicates"] == TURNS
    _require_sound(served)
    assert _count(served.settings, "SELECT count(*) FROM upload_chunks") == 0


def test_an_export_whose_server_is_killed_is_made_by_the_next(served: Served) -> None:
    with Memory(settings=served.settings, background=False) as memory:
        for name, turns in TALKS.items():
            memory.mine(turns, conversation=name)
    begun = served.ask("POST", "/v1/export").json()
    ended = served.killed_within(begun, lambda: served.operation(begun)["state"] == "running")
    got = served.ask("GET", f"/v1/operations/{begun['id']}/file")
    assert len(got.content) == ended["result"]["size"] == int(got.headers["Content-Length"])
    with io.BytesIO(got.content) as archive, Memory(settings=served.settings, background=False) as memory:
        assert memory.archive.check(archive)


def test_a_reembedding_whose_server_is_killed_goes_on_in_the_next(settings: Settings, tmp_path: Path) -> None:
    encoded = replace(settings, model_dir=model_folder(), encoder=OTHER)
    with _serving(encoded, tmp_path) as served:
        with Memory(settings=served.settings, background=False) as memory:
            for name, turns in TALKS.items():
                memory.mine(turns, conversation=name)
            memory.embed_pending()
        begun = served.ask("POST", "/v1/vectors/reembed", json={"model": "all-MiniLM-L6-v2"}).json()
        new = "SELECT count(*) FROM embeddings JOIN models USING (model) WHERE name = 'all-MiniLM-L6-v2'"
        served.killed_within(begun, lambda: _count(served.settings, new) > 0)
        vectors = served.ask("GET", "/v1/vectors").json()
        assert (vectors["model"], vectors["pending"]) == ("all-MiniLM-L6-v2", 0)
        _require_sound(served)


def test_what_a_killed_server_laid_out_to_work_on_is_removed(served: Served) -> None:
    begun = _import(served)
    served.until(lambda: any(served.folder.glob("ricordo-operation-*/upload/talks.jsonl")))
    served.kill()
    assert list(served.folder.iterdir())  # nobody could remove it
    served.start()
    served.until(lambda: served.operation(begun)["state"] == "done")
    served.until(lambda: not any(served.folder.glob("ricordo-operation-*")))
    assert not list(served.folder.iterdir())
