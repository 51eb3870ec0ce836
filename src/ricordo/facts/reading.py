"""A stored conversation read by an LLM, window by window: what it finds is merged with what rules found in those turns.

Each window is recorded in a transaction of its own, behind the call: killed anywhere, what is recorded stays, and no
window that is recorded is paid for again. While the LLM is waited for no transaction is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from ricordo import accounts
from ricordo.database import Database
from ricordo.facts import graph, walking
from ricordo.facts import reading_store as store
from ricordo.facts.graphing import Graphing
from ricordo.facts.known import Known
from ricordo.facts.merging import merged
from ricordo.facts.model import estimate_windows, extract_window
from ricordo.facts.reading_store import Unread
from ricordo.facts.said import as_said, in_order
from ricordo.models import CostEstimate, Extraction

if TYPE_CHECKING:
    from ricordo.llm import LLM

#: Turns of a window at most (seed 003: 8 to 10), and characters, as far as a window has more than one turn.
_TURNS, _CHARACTERS = 10, 16_000


@dataclass(frozen=True)
class ReadWindows:
    """What came of reading a conversation: windows recorded, and windows of which the LLM made nothing of use."""

    read: int = 0
    given_up: int = 0


async def extract_conversation(database: Database, user_id: UUID, conversation: str, llm: LLM) -> ReadWindows:
    """Let an LLM read the turns of a conversation that none has read yet. Called again, it goes on where it ended.

    Raises CapReached and ModelUnavailable; the windows that are left are then read by the next call, and until then
    what rules found in them serves.
    """
    async with database.tenant(user_id) as tx:
        turns = await store.unread(tx, conversation)
        zone = await accounts.zone(tx)
    read = given_up = 0
    for window in windows(turns):
        async with database.tenant(user_id) as tx:
            known = Known(await walking.dictionary(tx, [each.content for each in window]))
        found = await extract_window(llm, [as_said(each, zone) for each in window], known, conversation)
        if found is None:
            async with database.tenant(user_id) as tx:
                await store.give_up(tx, user_id, [(each.room, each.drawer) for each in window])
            given_up += 1
        elif await _record(database, user_id, window, in_order(found, window, zone)):
            read += 1
    return ReadWindows(read, given_up)


async def estimate_extraction(
    database: Database, user_id: UUID, llm: LLM, conversation: str | None = None, *, in_vain: bool = False
) -> CostEstimate:
    """What reading a conversation, or all of them, would take at most; with the turns that an LLM was asked about
    `in_vain` if wanted. Nothing is sent."""
    async with database.tenant(user_id) as tx:
        turns = await store.unread(tx, conversation, in_vain=in_vain)
        zone = await accounts.zone(tx)
    talks: dict[str, list[Unread]] = {}
    for each in turns:
        talks.setdefault(each.conversation, []).append(each)
    return await estimate_windows(
        llm, ([as_said(each, zone) for each in window] for talk in talks.values() for window in windows(talk))
    )


def windows(turns: Sequence[Unread]) -> list[list[Unread]]:
    """The turns in windows of about the same length, each of at most ten turns and not too long to be read at once."""
    found: list[list[Unread]] = []
    count = -(-len(turns) // _TURNS)
    for number in range(count):
        size = 0
        found.append([])
        for each in turns[len(turns) * number // count : len(turns) * (number + 1) // count]:
            if found[-1] and size + len(each.content) > _CHARACTERS:
                found.append([])
                size = 0
            found[-1].append(each)
            size += len(each.content)
    return found


async def _record(database: Database, user_id: UUID, window: Sequence[Unread], found: Extraction) -> bool:
    """Record what was found in those of the turns that are still as they were sent; False where none is, since another
    worker came first or they were redacted meanwhile."""
    async with database.tenant(user_id) as tx:
        name = await accounts.name_of(tx, user_id)
        if name is None:
            return False
        account = await accounts.lock(tx, user_id, name)
        now = await store.unread(tx, window[0].conversation, [(each.room, each.drawer) for each in window])
        kept = [index for index, each in enumerate(window) if each in now]
        if not kept:
            return False
        still = _of(found, kept)
        sources = [graph.Source(window[each].room, window[each].drawer, window[each].said_at) for each in kept]
        own_names = [name, *account.names]
        graphing = Graphing(tx, user_id, own_names, account.languages, await accounts.zone(tx))
        still, stays = merged(still, await graphing.by_rules([window[each] for each in kept]))
        new = await graph.record(tx, user_id, [(sources, still)], "model", own_names, beside=stays)
        await graphing.look_for(new)
        counts = {"turns": len(kept), "mentions": len(still.mentions), "facts": len(still.facts)}
        await accounts.tell(tx, user_id, "memory_extracted", counts, conversation=window[0].conversation)
        return True


def _of(found: Extraction, kept: Sequence[int]) -> Extraction:
    """What was found in some of the turns, counted by their index among these."""
    place = {turn: index for index, turn in enumerate(kept)}
    return Extraction(
        mentions=tuple(x.model_copy(update={"turn": place[x.turn]}) for x in found.mentions if x.turn in place),
        facts=tuple(x.model_copy(update={"turn": place[x.turn]}) for x in found.facts if x.turn in place),
    )
