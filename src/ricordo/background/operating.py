"""Doing operations: the task behind `memory.operations`, and what each kind of them is."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ricordo import accounts, operations, palace
from ricordo.database import Repeatable, Transaction
from ricordo.errors import NotFound, RicordoError, StoreError, UnreadableSource
from ricordo.importing import import_chats
from ricordo.jobs import Work
from ricordo.llm import LLMs
from ricordo.models import ApiModel, FormatFound, Message, OperationKind, OperationState, Problem, UploadSurvey
from ricordo.opened import Opened
from ricordo.vectors import Encoding, Reembedding

if TYPE_CHECKING:
    from ricordo.mining import Miner

#: Seconds between two notes of how far it is, each of which also looks whether it is to end.
_PULSE = 0.5
#: Seconds after which an examination is ended.
_LONGEST_EXAMINATION = 600.0
#: Problems that a result holds.
_MOST_PROBLEMS = 1_000
#: The file that holds a conversation to be mined.
TALK = "talk.json"
#: The file that an export makes.
ARCHIVE = "archive.zip"
#: What keeps its files: a survey is followed by an import, and what is exported is fetched.
_KEEPING: tuple[OperationKind, ...] = ("survey", "export")

log = logging.getLogger("ricordo")


class _TookTooLong(RicordoError):
    """An operation was ended at its bound."""


class MineRequest(ApiModel):
    """A conversation that waits to be mined."""

    conversation: str
    title: str | None
    project: str | None
    source: str
    messages: tuple[Message, ...]
    append: bool = False
    key: str | None = None


@dataclass
class _Going:
    """An operation under way."""

    row: Mapping[str, Any]
    opened: Opened
    #: Where its files are.
    folder: Path
    done: int = 0
    total: int | None = None

    @property
    def id(self) -> UUID:
        return UUID(str(self.row["id"]))

    @property
    def request(self) -> Mapping[str, Any]:
        request: Mapping[str, Any] = self.row["request"]
        return request

    @property
    def upload(self) -> UUID | None:
        upload: UUID | None = self.row["upload"]
        return upload

    async def in_all(self) -> int:
        """What this try and earlier ones, which a crash ended, stored."""
        async with self.opened.transaction() as tx:
            return await operations.stored(tx, self.id)

    @property
    def miner(self) -> Miner:
        """Stores turns, and tells so in the transactions that store them."""
        from ricordo import mining

        noted = partial(operations.note_stored, self.id)
        return mining.Miner(self.opened.database, self.opened.user, self.opened.user_id, noted)

    def progress(self, done: int, total: int) -> None:
        """Where total is 0 it is not known."""
        self.done, self.total = done, total or self.total

    async def end(
        self, tx: Transaction, result: ApiModel | None, state: OperationState = "done", problem: str | None = None
    ) -> None:
        """Tell how far it came and what became of it, unless that is told already, and let its files go."""
        await operations.go_on(tx, self.id, self.done, self.total)
        await operations.end(tx, self.id, state, result, problem)
        keeps = self.row["kind"] in _KEEPING or self.request.get("dry_run")
        if self.upload is not None and not keeps:
            await operations.drop_upload(tx, self.upload)


async def operate(work: Work) -> None:
    """Do an operation. Run again after a crash, it goes on where it was."""
    async with work.transaction() as tx:
        row = await operations.begin(tx, UUID(work.args["operation"]))
        user = await accounts.name_of(tx, work.user_id)
    if row is None or user is None:
        return
    opened = _opened(work, user)
    try:
        with operations.folder(opened.database.settings.scratch) as folder:
            # Ids of conversations that have none of their own are made of the folder's name.
            below = folder / "upload"
            below.mkdir()
            going = _Going(row, opened, below, row["done"], row["total"])
            state, result, problem = await _watched(work, going)
    finally:
        await opened.llms.close()
    async with work.transaction() as tx:
        await going.end(tx, result, state, problem)


def _opened(work: Work, user: str) -> Opened:
    settings = work.database.settings
    encoding = Encoding(settings, work.database, work.user_id, {})
    llms = LLMs(settings, work.database, work.user_id)
    return Opened(work.database, user, work.user_id, encoding, llms, lambda: None)


async def _watched(work: Work, going: _Going) -> tuple[OperationState, ApiModel | None, str | None]:
    """Do it, and tell how far it is; end it where that is asked for."""
    kind: OperationKind = going.row["kind"]
    doing = asyncio.ensure_future(_KINDS[kind](going))
    try:
        while not (await asyncio.wait([doing], timeout=_PULSE))[0]:
            async with work.transaction() as tx:
                goes_on = await operations.go_on(tx, going.id, going.done, going.total)
            if not goes_on:
                return "cancelled", None, None
        return "done", doing.result(), None
    except (StoreError, Repeatable):
        raise  # tried again by the queue
    except RicordoError as error:
        return "failed", None, str(error).replace(str(going.folder), "the upload")  # where it lies concerns nobody
    except Exception:  # the edge of a worker: tried again it would fail again
        log.exception("an operation failed with an internal error")
        return "failed", None, "internal error; see the worker's log"
    finally:
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)


async def _mine(going: _Going) -> ApiModel:
    from ricordo.mining import batch  # 10 ms, which others should not pay

    await _fetch(going)
    read = json.loads(await asyncio.to_thread((going.folder / TALK).read_bytes))
    talk = MineRequest.model_validate(read)
    going.total = len(talk.messages)
    origin = palace.Origin(talk.conversation, talk.title, talk.project, talk.source)
    # Done again after a crash, it must know what it appended: without a key of the caller's, its own id is one.
    key = (talk.key or str(going.id)) if talk.append else None
    receipt = await going.miner.mine(origin, talk.messages, batch(talk.append, key))
    going.done = len(talk.messages)
    stored = await going.in_all()
    earlier = stored - receipt.stored
    if not earlier:
        return receipt
    duplicates = max(0, receipt.duplicates - earlier)
    told = {"status": "stored", "reason": None, "stored": stored, "duplicates": duplicates}
    return receipt.model_copy(update=told)


async def _import(going: _Going) -> ApiModel:
    await _fetch(going)
    again = bool(going.request.get("again"))
    imported = await import_chats(
        going.opened, going.miner, [going.folder], going.progress, False, going.in_all, again=again, import_id=going.id
    )
    going.done = going.total = imported.stored + imported.edited + imported.duplicates + imported.forgotten
    problems = [_below(each, going.folder) for each in imported.problems[:_MOST_PROBLEMS]]
    return imported.model_copy(update={"problems": tuple(problems)})


async def _survey(going: _Going) -> ApiModel:
    await _fetch(going)
    return await asyncio.to_thread(_surveyed, going.folder)


def _surveyed(folder: Path) -> UploadSurvey:
    from ricordo import formats

    problems: list[Problem] = []
    found = formats.survey([folder], problems.append)
    total = found.total
    return UploadSurvey(
        formats=tuple(
            FormatFound(format=name, files=each.files, conversations=each.conversations, turns=each.turns)
            for name, each in found.formats.items()
        ),
        conversations=total.conversations,
        turns=total.turns,
        characters=total.characters,
        first=total.first,
        last=total.last,
        seconds=total.seconds,
        problems=tuple(_below(each, folder) for each in problems[:_MOST_PROBLEMS]),
        problem_count=len(problems),
    )


async def _reembed(going: _Going) -> ApiModel:
    opened = going.opened
    change = Reembedding(opened.database, opened.user, opened.user_id, opened.encoding, opened.wake)
    return await change.run(going.request["model"], going.progress)


async def _export(going: _Going) -> ApiModel:
    from ricordo import archive

    assert going.upload is not None
    opened, target = going.opened, going.folder / ARCHIVE
    made = await archive.save(opened.database, opened.user_id, opened.user, target, going.progress)
    try:
        await operations.add_file(opened.transaction, opened.user_id, going.upload, ARCHIVE, _read(target), made.size)
    except NotFound:  # what is forgotten takes exports along, those that are being made too
        raise NotFound("a memory was forgotten or redacted during the export: start the export again") from None
    return made.model_copy(update={"path": None})


async def _load(going: _Going) -> ApiModel:
    from ricordo import archive

    await _fetch(going)
    [source] = (each for each in going.folder.rglob("*") if each.is_file())
    opened, asked = going.opened, going.request
    return await archive.load(
        opened.database,
        opened.user_id,
        opened.user,
        source,
        asked["dry_run"],
        asked.get("trusted", False),
        going.end,  # as it cannot be done twice
        going.progress,
    )


async def _examine(going: _Going) -> ApiModel:
    from ricordo import archive

    try:
        async with asyncio.timeout(_LONGEST_EXAMINATION), going.opened.transaction() as tx:
            return await archive.examine(tx, progress=going.progress)
    except TimeoutError:
        least = f"{_LONGEST_EXAMINATION / 60:.0f} minutes"
        raise _TookTooLong(
            f"the check took longer than {least}: run `ricordo verify --store` on the server, which has no time limit"
        ) from None


async def _read(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := await asyncio.to_thread(file.read, 1 << 20):
            yield piece


_KINDS: dict[OperationKind, Callable[[_Going], Awaitable[ApiModel]]] = {
    "mine": _mine,
    "survey": _survey,
    "import": _import,
    "reembed": _reembed,
    "export": _export,
    "load": _load,
    "examine": _examine,
}


async def _fetch(going: _Going) -> None:
    """Write the files that it works on into its folder. Raises UnreadableSource where that cannot be."""
    assert going.upload is not None
    try:
        await operations.write_into(going.opened.transaction, going.upload, going.folder)
    except OSError as error:
        raise UnreadableSource(f"cannot prepare the uploaded files: {error.strerror}") from None


def _below(problem: Problem, folder: Path) -> Problem:
    """A problem whose path is the one that the file came with."""
    return problem.model_copy(update={"path": problem.path.removeprefix(str(folder)).lstrip("/") or "."})
