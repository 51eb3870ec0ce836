"""A memory on another machine that runs `ricordo serve`, reached by its URL and an API key."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import UUID, uuid4

from pydantic import TypeAdapter, ValidationError

from ricordo import errors
from ricordo.models import (
    Conversation,
    Hit,
    ImportReport,
    Job,
    Message,
    Page,
    Problem,
    RecallResult,
    Receipt,
    SessionStart,
)
from ricordo.server_client import TRIES, TooLong, body_of, pause_before_repeat, server_client
from ricordo.settings import Settings

T = TypeVar("T")

#: Seconds that an answer may take; connecting has those of RICORDO_CONNECT_TIMEOUT.
_ANSWER = 120.0
#: Characters of the messages of one request: far below the body that a server takes by default.
_PIECE = 4_000_000
#: Maximum bytes of an answer.
_LONGEST = 64_000_000
#: Seconds between two checks of the server's jobs; and seconds after which waiting ends if no job runs and their number
#: stays the same. A running job may take long: one job makes all missing vectors.
_LOOK, _PATIENCE = 1.0, 60.0
#: Maximum number of jobs listed by one check.
_JOBS = 1_000
_EXTRA = "a memory on another machine needs a package that is not installed: pip install 'ricordo[remote]'"
#: What the server calls each kind of error.
_KINDS: Mapping[str, type[errors.RicordoError]] = {
    "not-found": errors.NotFound,
    "changed": errors.Changed,
    "cap-reached": errors.CapReached,
    "model-unavailable": errors.ModelUnavailable,
}


class Remote:
    """The part of a memory that commands for assistants use. Close it, or use it in a `with` block.

    Methods raise StoreUnavailable if the server cannot be reached or refuses the API key, and the errors that it
    reports.
    """

    def __init__(self, settings: Settings) -> None:
        assert settings.remote_url is not None
        self.process_settings = settings
        self._address = settings.remote_url.rstrip("/")
        try:
            self._client, self._failures = server_client(
                self._address, settings.remote_key, answer=_ANSWER, connect=settings.connect_timeout
            )
        except ImportError:
            raise errors.ModelUnavailable(_EXTRA) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def recall(self, question: str, **asked: Any) -> RecallResult:
        """As AsyncMemory.recall."""
        return self._post("/v1/recall", {"question": question, **asked}, RecallResult)

    def session_start(self, asked: Mapping[str, Any]) -> SessionStart:
        """What a session begins with."""
        return self._post("/v1/hooks/session-start", asked, SessionStart)

    def prompt(self, asked: Mapping[str, Any]) -> list[Hit]:
        """What matters to a prompt."""
        return self._post("/v1/hooks/prompt", asked, list[Hit])

    def mcp(self, line: bytes, who: Mapping[str, str], version: str | None) -> bytes:
        """The server's answer to a message of an MCP client; empty for none. `who` names its agent and project."""
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        headers |= {"MCP-Protocol-Version": version} if version else {}
        return self._answer("POST", "/mcp", content=line, params=dict(who), headers=headers)

    def import_chats(
        self,
        paths: Sequence[Path],
        progress: Callable[[int, int], None] | None,
        *,
        automatic: bool,
        append: bool,
        key: str | None = None,
        project: str | None = None,
    ) -> ImportReport:
        """Read chat files here and store their conversations on the server. See AsyncMemory.import_chats."""
        from ricordo import formats, mining

        mining.batch(append, key)  # rejects a key without append
        problems: list[Problem] = []
        count: Counter[str] = Counter()
        sent: Counter[str] = Counter()
        for conversation in formats.read(paths, problems.append, project):
            count["conversations"] += 1
            spoken = [each for each in conversation.messages if each.is_speech]
            for piece in _pieces(spoken):
                sent[conversation.id] += 1
                own_key = None if key is None else f"{key}#{sent[conversation.id]}"
                receipt = self._mine(conversation, piece, automatic=automatic, append=append, key=own_key)
                count["turns"] += len(piece)
                for name in ("stored", "edited", "duplicates"):
                    count[name] += getattr(receipt, name)
                problems += [Problem(path=conversation.id, what=each.reason) for each in receipt.rejected]
                if progress:
                    progress(count["turns"], 0)
        counts = {name: count[name] for name in ("conversations", "stored", "edited", "duplicates")}
        return ImportReport.model_validate({**counts, "problems": problems})

    def finish_jobs(self, progress: Callable[[int, int], None] | None) -> int:
        """Wait until the server has finished its background jobs that are due. Returns how many are left: jobs
        that failed, jobs that are due later, and jobs that make no progress."""
        left = self._unfinished()
        most, changed = len(left), time.monotonic()
        while left and time.monotonic() - changed < _PATIENCE:
            time.sleep(_LOOK)
            before, left = left, self._unfinished()
            most = max(most, len(left))
            if len(left) != len(before) or any(each.state == "running" for each in left):
                changed = time.monotonic()
            if progress:
                progress(most - len(left), most)
        return len(self._jobs())

    def _unfinished(self) -> list[Job]:
        """The jobs that are running or due. A job that failed before is retried some time later."""
        now = datetime.now(UTC)
        jobs = [each for each in self._jobs() if each.state != "dead"]
        return [each for each in jobs if each.state == "running" or not each.due_at or each.due_at <= now]

    def _jobs(self) -> Sequence[Job]:
        answer = self._answer("GET", "/v1/jobs", is_repeatable=True, params={"limit": _JOBS})
        return self._read(answer, Page[Job]).items

    def _mine(
        self, talk: Conversation, turns: Sequence[Message], *, automatic: bool, append: bool, key: str | None
    ) -> Receipt:
        messages = [each.model_dump(mode="json", exclude_none=True) for each in turns]
        told = talk.model_dump(include={"title", "project", "source"})
        told |= {"conversation": talk.id, "messages": messages, "automatic": automatic, "append": append, "key": key}
        return self._post("/v1/conversations", told, Receipt, {"Idempotency-Key": str(uuid4())})

    def _post(self, path: str, body: Mapping[str, Any], kind: type[T], headers: Mapping[str, str] | None = None) -> T:
        """The answer to a request that only reads, or that has its effect once."""
        given = {name: value for name, value in body.items() if value is not None}
        text = json.dumps(given, default=_plain)
        told = {"Content-Type": "application/json", **(headers or {})}
        answer = self._answer("POST", path, is_repeatable=True, content=text, headers=told)
        return self._read(answer, kind)

    def _read(self, answer: bytes, kind: type[T]) -> T:
        try:
            return TypeAdapter(kind).validate_json(answer)
        except ValidationError:
            raise _not_ours(str(self.process_settings.remote_url), 200) from None

    def _answer(self, method: str, path: str, *, is_repeatable: bool = False, **request: Any) -> bytes:
        """The body of a successful answer. The request is sent again as `pause_before_repeat` says."""
        url = str(self.process_settings.remote_url)
        for attempt in range(TRIES):
            try:
                with self._client.stream(method, f"{self._address}{path}", **request) as answer:
                    body = body_of(answer, _LONGEST)
            except TooLong:
                raise errors.StoreUnavailable(
                    f"{url} sent more than {_LONGEST:,} bytes: check RICORDO_REMOTE_URL"
                ) from None
            except self._failures as error:
                pause = pause_before_repeat(attempt, error, is_repeatable=is_repeatable)
                if pause is not None:
                    time.sleep(pause)
                    continue
                raise errors.StoreUnavailable(
                    f"cannot reach {url} ({error}): check RICORDO_REMOTE_URL and the server"
                ) from None
            if answer.is_success:
                return body
            pause = pause_before_repeat(attempt, answer, is_repeatable=is_repeatable)
            if pause is None:
                break
            time.sleep(pause)
        raise _error(answer.status_code, body, url)


def _pieces(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """Messages as lists that each fit into a request."""
    piece: list[Message] = []
    size = 0
    for each in messages:
        if piece and size + len(each.content) > _PIECE:
            yield piece
            piece, size = [], 0
        piece.append(each)
        size += len(each.content)
    if piece:
        yield piece


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _error(status: int, body: bytes, url: str) -> errors.RicordoError:
    """What the server reports."""
    try:
        told = json.loads(body)
        kind, detail = str(told["type"]).rpartition(":")[2], str(told["detail"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return _not_ours(url, status)
    if status in (400, 422):
        field, _, problem = detail.partition(": ")
        return errors.InvalidInput(field.removeprefix("body."), problem or "refused")
    if status in (401, 403):
        return errors.StoreUnavailable(f"{url} refuses the API key in RICORDO_REMOTE_KEY: {detail}")
    return _KINDS.get(kind, errors.StoreUnavailable)(f"{url}: {detail}")


def _not_ours(url: str, status: int) -> errors.StoreUnavailable:
    return errors.StoreUnavailable(
        f"{url} answered {status}, but not as `ricordo serve` does: check RICORDO_REMOTE_URL"
    )
