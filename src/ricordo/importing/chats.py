"""Chat files into the palace: what `memory.import_chats` does."""

from __future__ import annotations

import asyncio
from array import array
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from ricordo import accounts, ids, palace
from ricordo.errors import counted
from ricordo.models import Conversation, ImportReport, Problem
from ricordo.opened import Opened

if TYPE_CHECKING:
    from ricordo.mining import Batch, Kept, Miner

#: Turns that cannot be stored are told singly up to so many.
_MOST_REJECTED = 1000


async def import_chats(
    opened: Opened,
    miner: Miner,
    paths: Sequence[Path],
    progress: Callable[[int, int], None] | None,
    dry_run: bool,
    in_all: Callable[[], Awaitable[int]] | None = None,
    *,
    import_id: UUID | None = None,
    append: bool = False,
    key: str | None = None,
    again: bool = False,
    project: str | None = None,
) -> ImportReport:
    """Mine the chats in files and folders, or with `dry_run` only read them. See AsyncMemory.import_chats. `in_all`
    tells how many turns all tries of the same import stored."""
    from ricordo import formats, mining  # with its formats it takes 30 ms, which a recall should not pay

    mining.batch(append, key)
    problems: list[Problem] = []
    if dry_run:
        found = (await asyncio.to_thread(formats.survey, paths, problems.append)).total
        if progress:
            progress(found.turns, found.turns)
        return ImportReport(
            conversations=found.conversations, stored=found.turns, problems=tuple(problems), dry_run=True
        )
    id = import_id or ids.new_id()
    reading = formats.read(paths, problems.append, project)
    imported = await keep(miner, reading, problems, progress, in_all, import_id=id, append=append, key=key, again=again)
    if imported.conversations:
        counts = {
            name: getattr(imported, name) for name in ("conversations", "stored", "edited", "duplicates", "forgotten")
        }
        async with opened.effect() as tx:
            told = counts | {"problems": sum(each.lost for each in problems), "import": str(id)}
            await accounts.tell(tx, opened.user_id, "chats_imported", told, "user_action")
    return imported


async def keep(
    miner: Miner,
    reading: Iterator[Conversation],
    problems: list[Problem],
    progress: Callable[[int, int], None] | None = None,
    in_all: Callable[[], Awaitable[int]] | None = None,
    *,
    import_id: UUID | None = None,
    append: bool = False,
    key: str | None = None,
    again: bool = False,
) -> ImportReport:
    """Mine the conversations as they are read, which reports to `problems`. Where it may have been tried
    before, `in_all` tells how many turns all tries stored. With `append` their turns are all new, except what the same
    `key` stored before; with `again` what was forgotten is stored anew."""
    count = seen = stored = edited = forgotten = 0
    rejected = Rejected(problems)
    parts = _Parts(append, key, again)
    async with aclosing(_ahead(reading)) as conversations, aclosing(_together(conversations)) as groups:
        async for group in groups:
            count += len(group)
            for kept in await _keep(miner, group, rejected, parts, import_id):
                stored += kept.stored
                edited += kept.edited
                forgotten += kept.forgotten
                seen += len(kept.accepted.turns)
            if progress:
                progress(seen, 0)
    rejected.close()
    if in_all:  # asked at the end: what a killed try had sent may be stored after this one began
        stored = await in_all()
    return ImportReport(
        conversations=count,
        stored=stored,
        edited=edited,
        duplicates=max(0, seen - stored - edited - forgotten),
        forgotten=forgotten,
        problems=tuple(problems),
        id=import_id,
    )


async def _ahead(reading: Iterator[Conversation]) -> AsyncGenerator[Conversation]:
    """What is read, the next conversation while the last is being kept."""
    coming = asyncio.ensure_future(asyncio.to_thread(next, reading, None))
    try:
        while (conversation := await coming) is not None:
            coming = asyncio.ensure_future(asyncio.to_thread(next, reading, None))
            yield conversation
    finally:
        await asyncio.gather(coming, return_exceptions=True)


async def _together(conversations: AsyncGenerator[Conversation]) -> AsyncGenerator[list[Conversation]]:
    """Conversations that are mined together: of different ids, and of as many turns as one transaction stores."""
    from ricordo.mining import PIECE

    group: dict[str, Conversation] = {}
    size = 0
    async for each in conversations:
        if group and (each.id in group or size + len(each.messages) > PIECE):
            yield list(group.values())
            group, size = {}, 0
        group[each.id] = each
        size += len(each.messages)
    if group:
        yield list(group.values())


class _Parts:
    """How the turns of each conversation lie along the stored ones. A file may have a conversation in several parts,
    which belong together: what one part says again, another one said before."""

    def __init__(self, append: bool, key: str | None, again: bool) -> None:
        self._again = again
        self._append = append
        self._key = key
        self._count: Counter[str] = Counter()
        #: Of each conversation what its parts so far said without an id or a time, in 8 bytes a turn.
        self._said: dict[str, array[int]] = {}

    def batch(self, conversation: str, from_path: bool) -> Batch:
        """The batch that the next part of a conversation is."""
        from ricordo.mining import Batch

        self._count[conversation] += 1
        if self._append:
            return Batch("append", None if self._key is None else f"{self._key}#{self._count[conversation]}")
        again = self._again and self._count[conversation] == 1
        return Batch("whole", earlier=self._said.get(conversation, ()), by_content=from_path, again=again)

    def note(self, conversation: str, kept: Kept) -> None:
        """Takes note of what a part said."""
        from ricordo.mining import fingerprint

        bare = [fingerprint(turn) for turn in kept.accepted.turns if turn.id is None and turn.at is None]
        if bare and not self._append:
            self._said.setdefault(conversation, array("q")).extend(bare)


async def _keep(
    miner: Miner, conversations: Sequence[Conversation], rejected: Rejected, parts: _Parts, import_id: UUID | None
) -> list[Kept]:
    """Mine conversations that were read from files, without what nobody said; turns that cannot be stored become
    problems."""
    from ricordo.mining import Part

    spoken = [{index: each for index, each in enumerate(talk.messages) if each.is_speech} for talk in conversations]
    all_kept = await miner.keep(
        [
            Part(
                palace.Origin(each.id, each.title, each.project, each.source, import_id),
                list(said.values()),
                parts.batch(each.id, each.from_path),
            )
            for each, said in zip(conversations, spoken, strict=True)
        ]
    )
    for conversation, said, kept in zip(conversations, spoken, all_kept, strict=True):
        rejected.silent[conversation.source] += len(conversation.messages) - len(said)
        parts.note(conversation.id, kept)
        if kept.forgotten:
            what = f"{counted(kept.forgotten, 'turn')} stayed forgotten (`--again` stores them)"
            rejected.problems.append(Problem(path=conversation.id, what=what, lost=False))
        places = list(said)
        for each in kept.accepted.rejections:
            rejected.note(Problem(path=conversation.id, line=places[each.index] + 1, what=each.reason))
    return all_kept


@dataclass
class Rejected:
    """Tells what was read and is not kept: turns that cannot be stored, bounded in number, and what is no speech."""

    problems: list[Problem]
    told: int = 0
    untold: int = 0
    #: Messages of tools and systems, by the format of their file.
    silent: Counter[str] = field(default_factory=Counter)

    def note(self, problem: Problem) -> None:
        """Tells of a turn."""
        if self.told < _MOST_REJECTED:
            self.told += 1
            self.problems.append(problem)
        else:
            self.untold += 1

    def close(self) -> None:
        """Tells what was only counted."""
        if self.untold:
            what = f"{self.untold:,} more turns could not be stored"
            self.problems.append(Problem(path="in all", what=what))
        for source, count in self.silent.items():
            if count:
                what = f"skipped what is not a message: output of tools and systems ({count:,})"
                self.problems.append(Problem(path=source, what=what, lost=False))
