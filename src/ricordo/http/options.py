"""How the server is run: what `ricordo serve` was told."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ricordo.errors import InvalidInput
from ricordo.settings import is_loopback

DEFAULT_PORT = 7667


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where it listens, to whom it answers, and what it takes."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    #: Names by which it is reached from elsewhere, as they stand in the Host header, without a port.
    hosts: tuple[str, ...] = ()
    #: Origins whose pages may call it (CORS), such as https://app.example; none by default.
    origins: tuple[str, ...] = ()
    #: Requests of one key, in the notation of the package limits.
    rate: str = "1200/minute"
    #: Bytes that a request's body may have.
    largest_body: int = 16 * 1024 * 1024
    #: Bytes that the files of an upload may have together.
    largest_upload: int = 2 << 30
    #: Bytes that the synced folder of a user may have.
    largest_folder: int = 10 << 30
    #: Whether a browser may sign in by the link that the server prints.
    sign_in: bool = True
    #: The path under which a proxy shows it, such as `/memory`; empty for a host of its own.
    prefix: str = ""

    def __post_init__(self) -> None:
        if self.prefix and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+", self.prefix):
            raise InvalidInput("path-prefix", f"invalid path {self.prefix[:50]!r}: expected a path such as /memory")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}{self.prefix}"
