"""A shared folder that a `ricordo serve` holds, over HTTP.

The server is trusted with nothing: it may show what any shared folder may, and each answer is bounded. It cannot read
the segments. Reading a log costs one request for each new segment; that nothing is new costs one for all logs.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from ricordo.errors import InvalidInput, ModelUnavailable, UnreadableSource
from ricordo.models import HeldFolder, HeldLog, Page
from ricordo.server_client import TRIES, TooLong, body_of, pause_before_repeat, server_client
from ricordo.sync.keys import Key, sha256
from ricordo.sync.logs import LONGEST, Refused, SegmentFile, SharedFolder, name_of, require_own
from ricordo.sync.segments import Damaged, Header, header_of

if TYPE_CHECKING:
    import httpx2

#: Seconds to reach the server, and to wait for the next piece of an answer.
_REACH, _WAIT = 10.0, 20.0
#: Seconds for which a request and its answer may be slow; from then on their average must be so many bytes a second.
_PATIENCE, _SLOWEST = 30.0, 4_096
#: Bytes of an answer that is no segment and of one that tells of a problem, and the segments that are believed.
_MOST_BYTES, _MOST_TOLD, _MOST_SEGMENTS = 16_000_000, 100_000, 1_000_000
_LATER = "nothing is lost: try again later"


@dataclass(slots=True)
class _Segment:
    """A segment on the server, fetched when it is needed and not before."""

    folder: HttpFolder
    memory: UUID
    device: UUID
    number: int
    _raw: bytes | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return name_of(self.number)

    def header(self) -> Header:
        try:
            header = header_of(self.raw())
        except Damaged as error:
            raise Refused(f"{self.name} {error}") from None
        require_own(self.name, header, self.memory, self.device, self.number)
        return header

    def raw(self) -> bytes:
        if self._raw is None:
            found = self.folder.read(self.device, self.number)
            if found is None:
                raise Refused(f"{self.name} is gone from the server")
            self._raw = found
        return self._raw

    def digest(self) -> str:
        return self.folder.digest(self.device, self.number) or ""


@dataclass
class _Progress:
    """How far a request and its answer got."""

    bytes: int
    is_late: bool = False
    _begin: float = field(default_factory=time.monotonic)

    def add(self, size: int) -> None:
        self.bytes += size

    def seconds_left(self) -> float:
        return self._begin + _PATIENCE + self.bytes / _SLOWEST - time.monotonic()


class HttpFolder(SharedFolder):
    """The folder that the server at a URL holds for the user of an API key."""

    def __init__(self, address: str, server_key: str) -> None:
        try:
            self._client, self._failures = server_client(address, server_key, answer=_WAIT, connect=_REACH)
        except ImportError:
            raise ModelUnavailable("sync needs more packages: pip install 'ricordo[sync]'") from None
        self.address = address
        #: What the server said last, until it is changed.
        self._held: HeldFolder | None = None
        #: The connection in use.
        self._socket: socket.socket | None = None

    def close(self) -> None:
        self._client.close()

    def create(self, key: Key) -> None:
        if self._show().logs:
            raise InvalidInput("folder", f"{self.address} holds a synced memory already: use `ricordo sync join`")
        self.describe(key)

    def describe(self, key: Key, replaces: Key | None = None) -> None:
        condition = {"If-Match": f'"{replaces.id}"'} if replaces else {}
        self._ask("PUT", "", json={"memory": str(key.memory), "key": key.id}, headers=condition)

    def require_writable(self, key: Key) -> None:
        self.describe(key, replaces=key)  # changes nothing, and is refused to whoever may not change anything

    def about(self) -> tuple[UUID, str]:
        held = self._show()
        if held.memory is None or held.key is None:
            raise UnreadableSource(
                f"{self.address} holds no synced memory for the user of this API key: check the URL and the key"
            )
        return held.memory, held.key

    def devices(self) -> list[UUID]:
        return sorted(each.device for each in self._known().logs)

    def numbers(self, device: UUID) -> set[int]:
        log = self._log(device)
        return {number for first, last in log.segments for number in range(first, last + 1)} if log else set()

    def digest(self, device: UUID, number: int) -> str | None:
        log = self._log(device)
        if log is not None and log.segments and log.segments[-1][1] == number:
            return log.last_sha256
        raw = self.read(device, number)
        return None if raw is None else sha256(raw)

    def read(self, device: UUID, number: int) -> bytes | None:
        return self._ask("GET", f"/devices/{device}/segments/{number}", most=LONGEST, none_at_404=True)

    def write(self, device: UUID, number: int, raw: bytes) -> None:
        self._ask("PUT", f"/devices/{device}/segments/{number}", content=raw, headers=_OCTETS)

    def remove_before(self, device: UUID, number: int) -> None:
        if min(self.numbers(device), default=number) < number:
            self._ask("DELETE", f"/devices/{device}", params={"before": number})

    def remove(self, device: UUID) -> None:
        self._ask("DELETE", f"/devices/{device}")

    def size(self) -> int:
        return self._known().bytes

    def files(self, memory: UUID, device: UUID) -> Mapping[int, Sequence[SegmentFile]]:
        return {number: [_Segment(self, memory, device, number)] for number in self.numbers(device)}

    def last_base(self, device: UUID, files: Mapping[int, Sequence[SegmentFile]], after: int) -> int | None:
        answer = self._ask("GET", f"/devices/{device}/bases") or b""
        try:
            bases = _BASES.validate_json(answer).items
        except ValidationError:
            raise self._unusable(
                "did not answer as a server of this version: check the URL, or upgrade Ricordo"
            ) from None
        return max((each for each in bases if each > after and each in files), default=None)

    def _log(self, device: UUID) -> HeldLog | None:
        return next((each for each in self._known().logs if each.device == device), None)

    def _known(self) -> HeldFolder:
        return self._held or self._show()

    def _show(self) -> HeldFolder:
        answer = self._ask("GET", "") or b""
        try:
            held = HeldFolder.model_validate_json(answer)
        except ValidationError:
            raise self._unusable(
                "did not answer as a server of this version: check the URL, or upgrade Ricordo"
            ) from None
        if sum(max(0, last - first + 1) for log in held.logs for first, last in log.segments) > _MOST_SEGMENTS:
            raise self._unusable("lists too many segments: check the URL")
        self._held = held
        return held

    def _ask(
        self, method: str, path: str, *, most: int = _MOST_BYTES, none_at_404: bool = False, **sent: Any
    ) -> bytes | None:
        """The body of a good answer. Every request may be sent again, but for one that depends on what was there
        before. Raises UnreadableSource."""
        is_repeatable = "If-Match" not in sent.get("headers", {})
        if method != "GET":
            self._held = None
        for attempt in range(TRIES):
            try:
                with (
                    self._timed(len(sent.get("content", b""))) as progress,
                    self._client.stream(
                        method, f"{self.address}/v1/synced-folder{path}", extensions={"trace": self._note}, **sent
                    ) as answer,
                ):
                    body = self._read(answer, most if answer.is_success else _MOST_TOLD, progress)
            except self._failures as error:
                pause = pause_before_repeat(attempt, error, is_repeatable=is_repeatable)
                if pause is not None:
                    time.sleep(pause)
                    continue
                told = " ".join(str(error).split()) or type(error).__name__
                raise UnreadableSource(f"{self.address} cannot be reached ({told}); {_LATER}") from None
            pause = pause_before_repeat(attempt, answer, is_repeatable=is_repeatable)
            if pause is not None:
                time.sleep(pause)
            elif none_at_404 and answer.status_code == 404:
                return None
            elif answer.is_success:
                return body
            else:
                break
        raise UnreadableSource(self._told(answer, body))

    def _read(self, answer: httpx2.Response, most: int, progress: _Progress) -> bytes:
        """The body, up to a maximum size."""
        try:
            return body_of(answer, most, progress.add)
        except TooLong:
            raise self._unusable(f"sent more than {most:,} bytes: check the URL") from None

    @contextmanager
    def _timed(self, sent: int) -> Iterator[_Progress]:
        """Bound the time of a request and its answer as a whole: httpx bounds only the wait for each piece, of which
        the headers alone may have many. Raises UnreadableSource."""
        progress, ended = _Progress(sent), threading.Event()

        def watch() -> None:
            while not ended.wait(max(0.1, progress.seconds_left())):
                if progress.seconds_left() <= 0 and self._socket is not None:
                    progress.is_late = True
                    with suppress(OSError):  # it is closed already
                        socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield progress
        except self._failures:
            if not progress.is_late:
                raise
        finally:
            ended.set()
            watching.join()
        if progress.is_late:  # though the answer may have come to an end
            raise self._unusable(f"took too long to answer; {_LATER}")

    def _note(self, event: str, told: Mapping[str, Any]) -> None:
        """Remember the connection, as httpcore reports it."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = told["return_value"].get_extra_info("socket")

    def _told(self, answer: httpx2.Response, body: bytes) -> str:
        """Why a request was not done, as the server says it."""
        try:
            told = from_json(body)
            detail = "".join(each for each in str(told["detail"])[:300].replace("\n", " ") if each.isprintable())
        except (ValueError, TypeError, KeyError, RecursionError):
            if answer.is_redirect:
                return f"{self.address} redirects to another URL: join with that one"
            return f"{self.address} answered with status {answer.status_code}: is it the URL of a `ricordo serve`?"
        if answer.status_code == 401:
            detail = "the API key is unknown, expired or revoked: join again with a key of `ricordo key create`"
        elif detail.startswith("path not found"):
            detail = "it has no /v1/synced-folder: check the URL, or upgrade that server"
        return f"{self.address} refused the request (status {answer.status_code}): {detail}"

    def _unusable(self, problem: str) -> UnreadableSource:
        return UnreadableSource(f"{self.address} {problem}")


_BASES = TypeAdapter(Page[int])
_OCTETS = {"Content-Type": "application/octet-stream"}
