"""What new turns name and state, by rules: from a conversation's text to the palace's entities and facts.

Turns are read in blocks of a conversation, by their position, and what a block gives depends on its own text and on
the names that the palace knows, never on how the conversation came in: whole, in pieces, or again. A name that becomes
known is looked for in what was mined before.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from uuid import UUID

from anyio import to_thread

from ricordo import memories, palace
from ricordo.database import Transaction
from ricordo.facts import entity_store, graph, identity, walking
from ricordo.facts.known import Known
from ricordo.facts.local import extract
from ricordo.facts.reading_store import Unread
from ricordo.facts.said import Said, as_said, in_order
from ricordo.models import SELF, Extraction, Fact, Mention
from ricordo.text import detect, words

#: Turns of a block. A turn that is added has its block read again.
BLOCK = 24
#: Drawers in which one new name is looked for, and how often a block is read again for names that it brought itself.
_DRAWERS, _ROUNDS = 50, 3

#: A conversation and the number of its block.
_Block = tuple[int, int]


@dataclass(frozen=True)
class NewTurn:
    """A turn that is about to be stored: its conversation, its position there, and what it says."""

    conversation: int
    position: int
    turn: memories.StoredTurn


@dataclass(frozen=True)
class Graphing:
    """The reading of turns within one transaction that has locked the user's account."""

    tx: Transaction
    user_id: UUID
    own_names: Sequence[str]
    languages: Sequence[str]
    #: The time zone whose days the turns name.
    zone: tzinfo
    #: What each block gave when it was last read here.
    _found: dict[_Block, Extraction] = field(default_factory=dict)
    #: The turns of blocks that were read here.
    _said: dict[_Block, list[memories.StoredTurn]] = field(default_factory=dict)
    #: Their words.
    _words: dict[_Block, frozenset[str]] = field(default_factory=dict)
    #: Blocks that nobody has read yet.
    _new: set[_Block] = field(default_factory=set)

    async def read(self, conversation: int, positions: Iterable[int]) -> None:
        """Read the blocks that hold these turns, and then those in which a new name may stand."""
        await self._read({(conversation, position // BLOCK) for position in positions})

    async def read_new(self, turns: Iterable[NewTurn], stored: Callable[[], Awaitable[None]]) -> None:
        """The same of the blocks of turns that come behind the stored ones of their conversations. `stored` stores
        them, and is awaited while they are read."""
        blocks: defaultdict[_Block, list[memories.StoredTurn]] = defaultdict(list)
        firsts: dict[_Block, int] = {}
        for each in turns:
            block = each.conversation, each.position // BLOCK
            firsts.setdefault(block, each.position)
            blocks[block].append(each.turn)
        for block, several in blocks.items():
            if firsts[block] % BLOCK == 0:
                self._said[block] = several
                self._new.add(block)
        await self._read({*blocks}, stored, len({conversation for conversation, _ in blocks}))

    async def look_for(self, new: Iterable[str]) -> None:
        """Read the blocks in which names (slugs) that have just become known may stand."""
        await self._read(await graph.blocks_naming(self.tx, new, self.languages, BLOCK, _DRAWERS))

    async def by_rules(self, places: Sequence[Unread]) -> Extraction:
        """What rules find in these turns, counted by their index among these. Nothing is recorded."""
        index = {(each.room, each.drawer): number for number, each in enumerate(places)}
        mentions: list[Mention] = []
        facts: list[Fact] = []
        for block in sorted({(each.number, each.position // BLOCK) for each in places}):
            turns = await self._turns(block)
            said = [text for turn in turns for text in (turn.speaker, turn.content)]
            known = Known(await walking.dictionary(self.tx, said))
            found = _of_block(turns, known, self.zone)
            at = [index.get((turn.room, turn.drawer)) for turn in turns]
            mentions += [x.model_copy(update={"turn": at[x.turn]}) for x in found.mentions if at[x.turn] is not None]
            facts += [x.model_copy(update={"turn": at[x.turn]}) for x in found.facts if at[x.turn] is not None]
        return Extraction(mentions=tuple(mentions), facts=tuple(facts))

    async def _read(
        self, blocks: set[_Block], stored: Callable[[], Awaitable[None]] | None = None, conversations: int = 1
    ) -> None:
        """Read blocks, those of several `conversations` as they would be read one conversation after the other."""
        due = blocks
        for _ in range(_ROUNDS * conversations):
            found = await self._extracted(due, stored)
            stored = None
            new = await self._record(found)
            if not new:
                return
            first_words = {slug.partition("-")[0] for slug in new}
            due = {each for each in blocks if not self._words[each].isdisjoint(first_words)}
            due |= await graph.blocks_naming(self.tx, new, self.languages, BLOCK, _DRAWERS)
            blocks |= due

    async def _extracted(
        self, blocks: set[_Block], stored: Callable[[], Awaitable[None]] | None
    ) -> dict[_Block, Extraction]:
        """What blocks give; `stored` is awaited meanwhile."""
        in_order = sorted(blocks)
        if stored is not None and not blocks <= self._said.keys():
            await stored()  # the turns are read back, beside those before them
            stored = None
        turns = {each: await self._turns(each) for each in in_order}
        said = frozenset().union(*(self._words[each] for each in in_order))
        known = Known(await entity_store.dictionary(self.tx, said))
        reading = asyncio.ensure_future(to_thread.run_sync(_of_blocks, turns, known, self.zone))
        try:
            if stored is not None:
                await stored()
        finally:
            await asyncio.wait([reading])
        return reading.result()

    async def _turns(self, block: _Block) -> list[memories.StoredTurn]:
        conversation, number = block
        if block not in self._said:
            self._said[block] = await memories.turns(self.tx, conversation, number * BLOCK, (number + 1) * BLOCK)
        if block not in self._words:
            said = {text for turn in self._said[block] for text in (turn.speaker, turn.content)}
            self._words[block] = frozenset(word for text in said for word in words(text))
        return self._said[block]

    async def _record(self, found: Mapping[_Block, Extraction]) -> set[str]:
        """Keep what blocks gave where they gave something else before; returns the names that nobody knew."""
        new: set[str] = set()
        changed = {each: extraction for each, extraction in found.items() if extraction != self._found.get(each)}
        for first_time in (True, False):
            readings = [
                ([graph.Source(turn.room, turn.drawer, turn.said_at) for turn in self._said[each]], extraction)
                for each, extraction in changed.items()
                if self._is_new(each) == first_time
            ]
            if readings:
                new |= await graph.record(
                    self.tx, self.user_id, readings, "rules", self.own_names, first_time=first_time
                )
        self._found.update(changed)
        named = [mention for extraction in changed.values() for mention in extraction.mentions]
        await palace.know_people(self.tx, {each.name for each in named if each.kind == "person"})
        return new

    def _is_new(self, block: _Block) -> bool:
        """Whether nobody has read any turn of a block yet."""
        return block in self._new and block not in self._found


def _of_blocks(
    turns: Mapping[_Block, Sequence[memories.StoredTurn]], known: Known, zone: tzinfo
) -> dict[_Block, Extraction]:
    """What blocks give, those without turns left out."""
    return {each: _of_block(several, known, zone) for each, several in turns.items() if several}


def _of_block(turns: Sequence[memories.StoredTurn], known: Known, zone: tzinfo) -> Extraction:
    """What a block gives."""
    said = [as_said(turn, zone) for turn in turns]
    # A conversation that began with a word or two was in no language that could be told.
    language = turns[0].language or detect([turn.content for turn in turns])
    found = in_order(extract(said, language, known), turns, zone)
    return _with_speakers(_of_people(found, said, known), said)


def _of_people(found: Extraction, said: Sequence[Said], known: Known) -> Extraction:
    """What was found, without the names that only assistants and tools drop: their lists are not what is talked about.
    Once a person has named something, theirs count too."""
    named = {identity.slug_of(each.name) for each in found.mentions if said[each.turn].role == "user"}
    kept = (
        each
        for each in found.mentions
        if said[each.turn].role == "user" or identity.slug_of(each.name) in named or each.name in known
    )
    return found.model_copy(update={"mentions": tuple(kept)})


def _with_speakers(found: Extraction, said: Sequence[Said]) -> Extraction:
    """What was found, and who speaks where people talk among themselves: somebody to know, though perhaps nobody says
    their name. The first turn of each stands for the others."""
    if any(turn.role != "user" for turn in said):
        return found
    first = {turn.speaker: index for index, turn in reversed(list(enumerate(said)))}
    people = [
        Mention(turn=index, name=speaker, kind="person", start=0, end=0)
        for speaker, index in sorted(first.items())
        if speaker != SELF and speaker[:1].isalpha()
    ]
    return found.model_copy(update={"mentions": (*found.mentions, *people)})
