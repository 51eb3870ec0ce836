"""Which turns of a batch are new, which are stored already, and which are stored with another text.

How a batch lies along the stored turns depends on what the caller says that it is:

* `window`: the whole conversation so far, or its latest turns. The batch overlaps the stored turns only where the last
  stored turns are its first ones. A question that was asked before and comes again is a new turn. Only a batch of two
  exchanges or more that repeats the beginning of the conversation is the whole as it once was, sent late.
* `whole`: a file, which is the whole conversation as it is now. Each turn is stored as often as it stands in the file.
* `append`: what was said since the last call. Every turn is new. With an idempotency key the same call again is known.

Ids and times decide wherever both sides have them: an id stands for one turn, whatever its place, and two turns of
different times are two turns. A stored turn whose id comes with another text was edited. So was one of a file whose
speaker said something else at the same time.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict, deque
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ricordo import rules
from ricordo.errors import InvalidInput, quoted
from ricordo.memories import REDACTED
from ricordo.mining.turns import Turn

_LONGEST_KEY = 200
#: Turns of a batch that can be told from an exchange that was had before.
_LATE = 4
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
#: What a turn says: its role, its speaker and the hash of its text.
Said = tuple[str, str, int | None]


@dataclass(frozen=True)
class Known:
    """A stored turn, as far as alignment needs it. `text_hash` is None where the text was redacted."""

    key: int
    role: str
    speaker: str
    text_hash: int | None
    #: When it was said; None where its source did not tell.
    at: datetime | None
    has_id: bool
    is_redacted: bool = False

    @property
    def said(self) -> Said:
        return self.role, self.speaker, self.text_hash


@dataclass(frozen=True)
class Batch:
    """What the caller says of its turns."""

    mode: Literal["window", "whole", "append"] = "window"
    #: Idempotency key of an `append`.
    key: str | None = None
    #: Of a `whole` that comes in several parts: what its earlier parts said without an id or a time (`fingerprint`).
    earlier: Sequence[int] = ()
    #: Of a `whole`: whether its conversation's id may change, so that the conversation is known by its first turns too.
    by_content: bool = False
    #: Of a `whole`: whether what was forgotten is stored anew.
    again: bool = False


def batch(append: bool, key: str | None) -> Batch:
    """The batch that a caller of `mine` means. Raises InvalidInput for a key that is not usable."""
    if key is None:
        return Batch("append" if append else "window")
    if not append:
        raise InvalidInput("key", "is an idempotency key for append=True; without it, ids and times tell what is new")
    if not isinstance(key, str) or not key.strip() or len(key) > _LONGEST_KEY:
        raise InvalidInput("key", f"must be text of 1 to {_LONGEST_KEY} characters, not {quoted(key)}")
    return Batch("append", rules.text("key", key))


@dataclass(frozen=True)
class Plan:
    """What is to be stored: new turns with their keys, and texts for stored turns (or new ones) by their keys."""

    new: list[tuple[Turn, int]] = field(default_factory=list)
    edited: list[tuple[Turn, int]] = field(default_factory=list)
    #: How many turns were forgotten, and stay so.
    forgotten: int = 0


def plan(turns: Sequence[Turn], stored: Sequence[Known], batch: Batch, elsewhere: Container[int] = frozenset()) -> Plan:
    """What of these turns is new, given the conversation's turns in their order. `elsewhere` are the keys of turns that
    another conversation has, as a session has those of the one that it was forked from.

    Raises InvalidInput where the key of an append came with other messages before.
    """
    aligned = _Aligned(turns, stored)
    if batch.mode == "append":
        aligned.appended(batch.key)
    elif batch.mode == "whole":
        aligned.whole(Counter(batch.earlier))
    else:
        aligned.window()
    return aligned.plan(batch, elsewhere)


def is_copy(turns: Sequence[Turn], stored: Sequence[Known]) -> bool:
    """Whether the turns are the stored ones, as many of them as both have."""
    aligned = _Aligned(turns, stored)
    return all(aligned.agree(place) for place in range(min(len(turns), len(stored))))


def shared_keys(turns: Sequence[Turn]) -> list[int]:
    """The keys of turns whose ids stand for one turn in whatever conversation: UUIDs."""
    return [_number(b"id", turn.id) for turn in turns if turn.id is not None and _UUID.fullmatch(turn.id)]


def fingerprint(turn: Turn) -> int:
    """A number for what a turn says."""
    return _fingerprint(_said(turn))


def text_hash(text: str) -> int:
    """A number for a text, by which it is recognized when the text itself is redacted."""
    return _number(b"text", text)


class _Aligned:
    """A batch beside the stored turns. `match` has the index of the stored turn of each turn that is known."""

    def __init__(self, turns: Sequence[Turn], stored: Sequence[Known]) -> None:
        self.turns = turns
        self.stored = stored
        self.said = [_said(turn) for turn in turns]
        self.ids = [None if turn.id is None else _number(b"id", turn.id) for turn in turns]
        self.match: dict[int, int] = {}
        self.used: set[int] = set()
        #: Where the turn with this key stands among the stored ones.
        self.places = {each.key: place for place, each in enumerate(stored)}
        self._by_ids()

    def window(self) -> None:
        """The batch is the whole so far, or its latest turns."""
        overlap = self._overlap()
        first = len(self.stored) - overlap
        if not overlap and self._comes_late():
            overlap, first = len(self.turns), 0
        for index in range(overlap):
            self._join(index, first + index)
        self._by_times()
        self._around_anchors()

    def whole(self, earlier: Counter[int]) -> None:
        """The batch is the conversation as its file has it."""
        self._by_times()
        left: defaultdict[Said, deque[int]] = defaultdict(deque)
        for place, known in enumerate(self.stored):
            if place in self.used:
                continue
            number = _fingerprint(known.said) if earlier else 0
            if earlier[number]:
                earlier[number] -= 1
            else:
                left[known.said].append(place)
        for index, each in enumerate(self.said):
            if index in self.match:
                continue
            same = next((place for place in left[each] if self._same(index, place)), None)
            if same is not None:
                left[each].remove(same)
                self._join(index, same)
        self._edited_by_time()

    def appended(self, key: str | None) -> None:
        """Everything is new, but for ids and calls that are known."""
        if key is None:
            return
        for index, turn in enumerate(self.turns):
            place = self.places.get(_appended_key(key, turn)) if turn.id is None else None
            if place is None:
                continue
            known = self.stored[place]
            if known.text_hash is not None and known.said != self.said[index]:
                raise InvalidInput("key", f"{key[:50]!r} was used with other messages: use a new key for new turns")
            self._join(index, place)

    def agree(self, place: int) -> bool:
        """Whether a turn may be the stored one at its own place."""
        return self._same(place, place)

    def plan(self, batch: Batch, elsewhere: Container[int]) -> Plan:
        """What is new and what was edited."""
        forgotten = sum(self.stored[place].is_redacted for place in self.match.values())
        result = Plan(forgotten=forgotten)
        taken = {each.key for each in self.stored}
        counts = Counter(each.said for each in self.stored)
        latest = {id: index for index, id in enumerate(self.ids) if id is not None}
        texts: dict[int, int | None] = {}
        for index, turn in enumerate(self.turns):
            id = self.ids[index]
            text = self.said[index][2]
            if index in self.match:
                known = self.stored[self.match[index]]
                # Of several turns with one stored id the last one counts: those before it are its earlier versions.
                if (id is None or latest[id] == index) and known.text_hash not in (None, text):
                    result.edited.append((turn, known.key))
                continue
            if id is not None and id in elsewhere:
                continue
            if id is not None and id in texts:
                if texts[id] != text:
                    result.edited.append((turn, id))
                    texts[id] = text
                continue
            key = id
            if key is None and batch.mode == "append" and batch.key is not None:
                key = _appended_key(batch.key, turn)
            if key is None:
                key = self._free_key(index, counts, taken)
            if id is not None:
                texts[id] = text
            taken.add(key)
            result.new.append((turn, key))
        return result

    def _free_key(self, index: int, counts: Counter[Said], taken: set[int]) -> int:
        """The key of a turn without an id: what it says, and the how-manieth time."""
        each = self.said[index]
        while True:
            key = _number(b"said", each[0], each[1], str(each[2]), str(counts[each]))
            counts[each] += 1
            if key not in taken:
                return key

    def _join(self, index: int, place: int) -> None:
        if index not in self.match and place not in self.used:
            self.match[index] = place
            self.used.add(place)

    def _by_ids(self) -> None:
        """An id stands for one turn, also when it comes twice."""
        for index, id in enumerate(self.ids):
            place = None if id is None else self.places.get(id)
            if place is not None and self.stored[place].has_id:
                self.match[index] = place
                self.used.add(place)

    def _by_times(self) -> None:
        """Turns that say the same at the same time are the same, each as often as it is stored."""
        left: defaultdict[tuple[Said, datetime], deque[int]] = defaultdict(deque)
        for place, known in enumerate(self.stored):
            if known.at is not None and place not in self.used:
                left[known.said, known.at].append(place)
        for index, turn in enumerate(self.turns):
            if index in self.match or turn.at is None:
                continue
            places = left[self.said[index], turn.at]
            same = next((place for place in places if self._same(index, place)), None)
            if same is not None:
                places.remove(same)
                self._join(index, same)

    def _edited_by_time(self) -> None:
        """What a speaker said at a time, and the file does not have any more, was edited to what it has instead."""
        left: defaultdict[tuple[str, str, datetime], deque[int]] = defaultdict(deque)
        for place, known in enumerate(self.stored):
            if place not in self.used and known.at is not None and not known.has_id and known.text_hash is not None:
                left[known.role, known.speaker, known.at].append(place)
        for index, turn in enumerate(self.turns):
            if index in self.match or turn.at is None:
                continue
            places = left[turn.role, turn.speaker, turn.at]
            if places:
                self._join(index, places.popleft())

    def _around_anchors(self) -> None:
        """Turns beside a known one are known where they say the same as the stored ones beside it."""
        for index, place in list(self.match.items()):
            for step in (-1, 1):
                here, there = index + step, place + step
                while self._is_free(here, there) and self._same(here, there):
                    self._join(here, there)
                    here, there = here + step, there + step

    def _is_free(self, index: int, place: int) -> bool:
        return (
            0 <= index < len(self.turns)
            and 0 <= place < len(self.stored)
            and index not in self.match
            and place not in self.used
        )

    def _overlap(self) -> int:
        """How many of the first turns are the last stored ones: as many as can be."""
        if not self.turns or not self.stored:
            return 0
        end = len(self.stored)
        for length in range(min(end, len(self.turns)), 0, -1):
            # The ends first: where nothing agrees, that takes one look for each length.
            if (
                self._same(0, end - length)
                and self._same(length - 1, end - 1)
                and all(self._same(index, end - length + index) for index in range(1, length - 1))
            ):
                return length
        return 0

    def _comes_late(self) -> bool:
        """Whether the turns are the first stored ones, as those of a whole that came after a longer one."""
        return _LATE <= len(self.turns) <= len(self.stored) and all(map(self.agree, range(len(self.turns))))

    def _same(self, index: int, place: int) -> bool:
        """Whether a turn may be a stored one: ids and times decide where both have them."""
        known, turn, id = self.stored[place], self.turns[index], self.ids[index]
        if id is not None and known.has_id:
            return id == known.key
        role, speaker, text = self.said[index]
        # A forgotten turn has lost its speaker, and a redacted one the hash of its text.
        if known.role != role or known.speaker not in (speaker, REDACTED):
            return False
        if known.text_hash is None:
            return True
        return known.text_hash == text and (known.at is None or turn.at is None or known.at == turn.at)


def _said(turn: Turn) -> Said:
    return turn.role, turn.speaker, text_hash(turn.content)


def _fingerprint(said: Said) -> int:
    return _number(b"turn", said[0], said[1], str(said[2]))


def _appended_key(key: str, turn: Turn) -> int:
    return _number(b"append", key, str(turn.index))


def _number(kind: bytes, *parts: str) -> int:
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8, person=kind).digest()
    return int.from_bytes(digest, "big", signed=True)
