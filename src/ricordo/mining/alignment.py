"""Which turns of a conversation are new: mining again adds only what was not there.

Each stored turn has a key. With an id of its source, the key is that id. Without one it is what was said, by
whom and when, and the how-manieth time in this conversation. A caller may send the whole conversation again,
the whole with more at its end, or only a window of its last turns: the turns that came are laid along the
stored ones so that they agree, and what reaches over the end is new. Where nothing agrees (a turn was edited)
each repeated turn counts as known as often as it is stored.

Turns that were added by counting stand at the end, out of their order. The list that they came with, mined
again, must not be laid along them, as its later turns would be stored twice; so their keys tell that they are
displaced.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ricordo.mining.turns import Turn


@dataclass(frozen=True)
class _Place:
    position: int
    displaced: bool


def new_turns(turns: Sequence[Turn], stored: Mapping[int, int]) -> list[tuple[Turn, int]]:
    """The turns that are not stored yet, each with its key.

    `stored` maps the keys of the conversation's turns to their positions (0, 1, …).
    """
    said = [_said(turn) for turn in turns]
    places = {each: _places(each, stored) for each in said}
    uncounted = _uncounted(said, places)
    overhang = _overhang(said, places, len(stored))
    fresh = uncounted if overhang is None else overhang
    times = Counter({each: len(found) for each, found in places.items()})
    keyed = []
    for index in fresh:
        turn, each = turns[index], said[index]
        if turn.id is not None and times[each]:
            continue  # an id stands for one turn, also when it comes twice in one call
        # A list that ends with a turn of its own can be told by it, so that windows go on from there.
        ends = index == len(turns) - 1 and said.count(each) == 1
        keyed.append((turn, _key(each, times[each], displaced=overhang is None and not ends)))
        times[each] += 1
    return keyed


def _uncounted(said: Sequence[bytes], places: Mapping[bytes, Sequence[_Place]]) -> list[int]:
    """The indices of the turns that come more often than they are stored."""
    count: Counter[bytes] = Counter()
    found = []
    for index, each in enumerate(said):
        count[each] += 1
        if count[each] > len(places[each]):
            found.append(index)
    return found


def _overhang(said: Sequence[bytes], places: Mapping[bytes, Sequence[_Place]], length: int) -> range | None:
    """The indices that reach over the stored end when the first turns lie along it; None where they cannot."""
    at = {place.position: (each, place.displaced) for each, found in places.items() for place in found}
    if not at:
        return range(len(said))
    for start in (place.position for place in places[said[0]]):
        reach = min(len(said), length - start)
        if all(at.get(start + offset, (None,))[0] == said[offset] for offset in range(reach)):
            over = range(reach, len(said))
            # Laid along displaced turns, only what was never said before is sure to be new.
            if over and at[length - 1][1] and any(places[each] for each in said[reach:]):
                continue
            return over
    return None


def _places(said: bytes, stored: Mapping[int, int]) -> list[_Place]:
    """Where a turn stands, the first time, the second time, …"""
    found: list[_Place] = []
    while True:
        for displaced in (False, True):
            position = stored.get(_key(said, len(found), displaced))
            if position is not None:
                found.append(_Place(position, displaced))
                break
        else:
            return found


def _said(turn: Turn) -> bytes:
    parts = [turn.id] if turn.id is not None else [turn.role, turn.speaker, turn.content, str(turn.at or "")]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()


def _key(said: bytes, time: int, displaced: bool) -> int:
    person = b"displaced" if displaced else b""
    digest = hashlib.blake2b(said + time.to_bytes(4, "big"), digest_size=8, person=person).digest()
    return int.from_bytes(digest, "big", signed=True)
