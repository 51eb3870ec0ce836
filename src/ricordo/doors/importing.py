"""Chat files into the palace: what `memory.import_chats` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ricordo import accounts, palace
from ricordo.doors.opened import Opened
from ricordo.nouns import Conversation, Imported, Problem, Receipt

if TYPE_CHECKING:
    from ricordo.mining import Miner


async def import_chats(
    opened: Opened, miner: Miner, paths: Sequence[Path], progress: Callable[[int, int], None] | None, dry_run: bool
) -> Imported:
    """Mine the chats in files and folders, or with `dry_run` only read them. See AsyncMemory.import_chats."""
    from ricordo import transfer  # with its formats it takes 30 ms, which a recall should not pay

    problems: list[Problem] = []
    if dry_run:
        found = (await asyncio.to_thread(transfer.survey, paths, problems.append)).total
        if progress:
            progress(found.turns, found.turns)
        return Imported(conversations=found.conversations, stored=found.turns, problems=tuple(problems), dry_run=True)
    imported = await keep(miner, transfer.read(paths, problems.append), problems, progress)
    if imported.conversations:
        counts = {name: getattr(imported, name) for name in ("conversations", "stored", "duplicates")}
        async with opened.writing() as tx:
            told = counts | {"problems": len(problems)}
            await accounts.tell(tx, opened.user_id, "chats_imported", told, "user_action")
    return imported


async def keep(
    miner: Miner,
    reading: Iterator[Conversation],
    problems: list[Problem],
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """Mine the conversations one by one as they are read, which reports to `problems`."""
    count = stored = duplicates = 0
    while (conversation := await asyncio.to_thread(next, reading, None)) is not None:
        count += 1
        receipt = await _mine(miner, conversation, problems)
        stored += receipt.stored
        duplicates += receipt.duplicates
        if progress:
            progress(stored + duplicates, 0)
    return Imported(
        conversations=count,
        stored=stored,
        duplicates=duplicates,
        problems=tuple(problems),
    )


async def _mine(miner: Miner, conversation: Conversation, problems: list[Problem]) -> Receipt:
    """Mine a conversation that was read from a file; turns that cannot be stored become problems."""
    origin = palace.Origin(conversation.id, conversation.title, conversation.project, conversation.source)
    receipt = await miner.mine(origin, conversation.messages)
    problems += [Problem(path=conversation.id, line=each.index + 1, what=each.reason) for each in receipt.rejected]
    return receipt
