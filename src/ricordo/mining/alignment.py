"""Which turns of a conversation are new: mining again adds only what was not there.

Each stored turn has a key. With an id of its source, the key is that id. Without one it is what was said, by
whom and when, and the how-manieth time in this conversation. A caller may send the whole conversation again,
the whole with more at its end, or only a window of its last turns: the turns that came are laid along the
stored ones so that they agree, and what reaches over the end is new. Where nothing agrees (a turn was edited)
each repeated turn counts as known as often as it is stored.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from ricordo.mining.turns import Turn


def new_turns(turns: Sequence[Turn], stored: Mapping[int, int]) -> list[tuple[Turn, int]]:
    """The turns that are not stored yet, each with its key.

    `stored` maps the keys of the conversation's turns to their positions (0, 1, …).
    """
    said = [_said(turn) for turn in turns]
    positions = {each: _positions(each, stored) for each in set(said)}
    known = _overlap(said, positions, len(stored))
    if known is None:
        count: Counter[bytes] = Counter()
        fresh = []
        for turn, each in zip(turns, said, strict=True):
            count[each] += 1
            if count[each] > len(positions[each]):
                fresh.append((turn, each))
    else:
        fresh = list(zip(turns[known:], said[known:], strict=True))
    times = Counter({each: len(found) for each, found in positions.items()})
    keyed = []
    for turn, each in fresh:
        if turn.id is not None and times[each]:
            continue  # an id stands for one turn, also when it comes twice in one call
        keyed.append((turn, _key(each, times[each])))
        times[each] += 1
    return keyed


def _overlap(said: Sequence[bytes], positions: Mapping[bytes, list[int]], length: int) -> int | None:
    """How many of the first turns lie along stored ones; None where they cannot be laid so."""
    if not said or not length:
        return 0
    at = {position: each for each, found in positions.items() for position in found}
    for start in positions[said[0]]:
        reach = min(len(said), length - start)
        if all(at.get(start + offset) == said[offset] for offset in range(reach)):
            return reach
    return None if any(positions.values()) else 0


def _positions(said: bytes, stored: Mapping[int, int]) -> list[int]:
    found: list[int] = []
    while (position := stored.get(_key(said, len(found)))) is not None:
        found.append(position)
    return found


def _said(turn: Turn) -> bytes:
    parts = [turn.id] if turn.id is not None else [turn.role, turn.speaker, turn.content, str(turn.at or "")]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()


def _key(said: bytes, time: int) -> int:
    digest = hashlib.blake2b(said + time.to_bytes(4, "big"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
