"""What new turns name and state, by rules: from a conversation's text to the palace's entities and facts.

Turns are read in blocks of a conversation, by their position, and what a block gives depends on its own text and on
the names that the palace knows, never on how the conversation came in: whole, in pieces, or again. A name that becomes
known is looked for in what was mined before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from ricordo import memories, palace
from ricordo.database import Transaction
from ricordo.facts import graph, identity, walking
from ricordo.facts.known import Known
from ricordo.facts.local import extract
from ricordo.facts.reading_store import Unread
from ricordo.facts.said import Said
from ricordo.models import SELF, Extraction, Fact, Mention
from ricordo.text import detect

#: Turns of a block. A turn that is added has its block read again.
BLOCK = 24
#: Drawers in which one new name is looked for, and how often a block is read again for names that it brought itself.
_DRAWERS, _ROUNDS = 50, 3

#: A conversation and the number of its block.
_Block = tuple[int, int]


@dataclass(frozen=True)
class Graphing:
    """The reading of turns within one transaction that has locked the user's account."""

    tx: Transaction
    user_id: UUID
    own_names: Sequence[str]
    languages: Sequence[str]
    #: The conversation and the position from which on its turns are new: nobody has read them yet.
    new_from: tuple[int, int] | None = None
    #: What each block gave when it was last read here.
    _found: dict[_Block, Extraction] = field(default_factory=dict)
    #: The turns of blocks that were read here.
    _said: dict[_Block, list[memories.StoredTurn]] = field(default_factory=dict)

    async def read(self, conversation: int, positions: Iterable[int]) -> None:
        """Read the blocks that hold these turns, and then those in which a new name may stand."""
        await self._read({(conversation, position // BLOCK) for position in positions})

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
            found = self._block(turns, Known(await walking.dictionary(self.tx, said)))
            at = [index.get((turn.room, turn.drawer)) for turn in turns]
            mentions += [x.model_copy(update={"turn": at[x.turn]}) for x in found.mentions if at[x.turn] is not None]
            facts += [x.model_copy(update={"turn": at[x.turn]}) for x in found.facts if at[x.turn] is not None]
        return Extraction(mentions=tuple(mentions), facts=tuple(facts))

    async def _read(self, blocks: set[_Block]) -> None:
        for _ in range(_ROUNDS):
            turns = {each: await self._turns(each) for each in sorted(blocks)}
            said = [text for several in turns.values() for turn in several for text in (turn.speaker, turn.content)]
            known = Known(await walking.dictionary(self.tx, said))
            new = await self._record({each: self._block(several, known) for each, several in turns.items() if several})
            if not new:
                return
            blocks |= await graph.blocks_naming(self.tx, new, self.languages, BLOCK, _DRAWERS)

    async def _turns(self, block: _Block) -> list[memories.StoredTurn]:
        conversation, number = block
        if block not in self._said:
            self._said[block] = await memories.turns(self.tx, conversation, number * BLOCK, (number + 1) * BLOCK)
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
        if self.new_from is None or block in self._found:
            return False
        return block[0] == self.new_from[0] and block[1] * BLOCK >= self.new_from[1]

    def _block(self, turns: Sequence[memories.StoredTurn], known: Known) -> Extraction:
        """What a block gives."""
        said = [Said(turn.speaker, turn.role, turn.content, turn.said_at) for turn in turns]
        # A conversation that began with a word or two was in no language that could be told.
        language = turns[0].language or detect([turn.content for turn in turns])
        return _with_speakers(_of_people(extract(said, language, known), said, known), said)


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
