"""Chat files into the palace: what `memory.import_chats` does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ricordo import accounts, palace
from ricordo.models import Conversation, ImportReport, Problem
from ricordo.opened import Opened

if TYPE_CHECKING:
    from ricordo.mining import Kept, Miner

#: Turns that cannot be stored are told singly up to so many.
_MOST_REJECTED = 1000


async def import_chats(
    opened: Opened,
    miner: Miner,
    paths: Sequence[Path],
    progress: Callable[[int, int], None] | None,
    dry_run: bool,
    before: int = 0,
) -> ImportReport:
    """Mine the chats in files and folders, or with `dry_run` only read them. See AsyncMemory.import_chats. `before` is
    how many turns an earlier try of the same import stored."""
    from ricordo import formats  # with its formats it takes 30 ms, which a recall should not pay

    problems: list[Problem] = []
    if dry_run:
        found = (await asyncio.to_thread(formats.survey, paths, problems.append)).total
        if progress:
            progress(found.turns, found.turns)
        return ImportReport(
            conversations=found.conversations, stored=found.turns, problems=tuple(problems), dry_run=True
        )
    imported = await keep(miner, formats.read(paths, problems.append), problems, progress, before)
    if imported.conversations:
        counts = {name: getattr(imported, name) for name in ("conversations", "stored", "duplicates")}
        async with opened.effect() as tx:
            told = counts | {"problems": len(problems)}
            await accounts.tell(tx, opened.user_id, "chats_imported", told, "user_action")
    return imported


async def keep(
    miner: Miner,
    reading: Iterator[Conversation],
    problems: list[Problem],
    progress: Callable[[int, int], None] | None = None,
    before: int = 0,
) -> ImportReport:
    """Mine the conversations one by one as they are read, which reports to `problems`. Of the turns that are there, an
    earlier try stored `before`."""
    count = seen = 0
    stored = before
    rejected = Rejected(problems)
    async with aclosing(_ahead(reading)) as conversations:
        async for conversation in conversations:
            count += 1
            kept = await _keep(miner, conversation, rejected)
            stored += kept.stored
            seen += kept.stored + kept.duplicates
            if progress:
                progress(seen, 0)
    rejected.close()
    return ImportReport(
        conversations=count,
        stored=stored,
        duplicates=max(0, seen - stored),
        problems=tuple(problems),
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


async def _keep(miner: Miner, conversation: Conversation, rejected: Rejected) -> Kept:
    """Mine a conversation that was read from a file, without what nobody said; turns that cannot be stored become
    problems."""
    origin = palace.Origin(conversation.id, conversation.title, conversation.project, conversation.source)
    spoken = {index: each for index, each in enumerate(conversation.messages) if each.is_speech}
    rejected.silent[conversation.source] += len(conversation.messages) - len(spoken)
    kept = await miner.keep(origin, spoken.values())
    places = list(spoken)
    for each in kept.accepted.rejections:
        rejected.note(Problem(path=conversation.id, line=places[each.index] + 1, what=each.reason))
    return kept


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
                what = f"skipped, not messages: output of tools and systems ({count:,})"
                self.problems.append(Problem(path=source, what=what, lost=False))
