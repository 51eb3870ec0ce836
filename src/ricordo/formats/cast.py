"""Who speaks in a text, found from all of it; None where the text is no chat.

A label such as `Note:` or `port:` looks like a speaker's. It is one only where the text as a whole says so; the rules
stand in `ricordo.formats.dialogue`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ricordo.formats.cues import Cue, Style, cue, stamp_shape
from ricordo.formats.fences import Marked
from ricordo.formats.labels import plausible
from ricordo.formats.roles import role_of_label

#: More lines than these before the first turn, and it is no chat: with known roles or times, and with names only.
_PREAMBLE_LINES = 15
_PREAMBLE_LINES_OF_NAMES = 5
#: In a chat with times at least this share of the lines that begin with one names a speaker; in a log few do.
_STAMPED_SHARE = 0.5
#: Where at least this share of the speakers' labels has times, those without are words that are said.
_TIMED_SHARE = 1 / 3
#: With names only, at least this share of the lines begins a turn; and where names are in lower case, this.
_LABELLED_SHARE = 0.2
_LABELLED_SHARE_OF_NICKS = 0.9
#: With names only, at least this share of the labels follows another one; fields of records come in runs.
_CHANGES_SHARE = 0.4
#: How a line of conversation ends, and a field of a record does not.
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？")
#: Distinct labels that are kept count of; a text with more is no chat of people.
_LABELS = 10_000


@dataclass(frozen=True)
class Cast:
    """The speakers of a chat, and the form that their labels have."""

    style: Style
    speakers: frozenset[str]
    #: Anyone whose label has a time of day speaks.
    timed: bool
    #: Nobody speaks without a time of day.
    only_timed: bool
    #: The `#` counts that speakers' headings have.
    levels: frozenset[tuple[str, int]] = frozenset()

    def begins_turn(self, candidate: Cue | None) -> bool:
        """Whether a cue begins a turn."""
        if candidate is None or candidate.style != self.style:
            return False
        if self.timed and candidate.timed and plausible(candidate):
            return True
        if self.only_timed:
            return False
        if self.style == "heading" and (candidate.key, candidate.level) not in self.levels:
            return False
        return candidate.key in self.speakers


@dataclass
class _Tally:
    """What is counted of the labels of one style."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, Cue] = field(default_factory=dict)
    #: How many lines with text stand before the first of each.
    before: dict[str, int] = field(default_factory=dict)
    #: For labels that were seen once, the labels around them.
    between: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    #: Labels that stand directly before an assistant's.
    asking: set[str] = field(default_factory=set)
    timed: Counter[str] = field(default_factory=Counter)
    dated: int = 0
    #: How often a label follows another one than itself.
    changes: int = 0
    last: str | None = None

    def add(self, found: Cue, lines_before: int) -> None:
        key = found.key
        if key not in self.counts and len(self.counts) >= _LABELS:
            return
        if self.last in self.between:
            self.between[self.last] = (self.between[self.last][0], key)
        if self.last and role_of_label(found.name) == "assistant":
            self.asking.add(self.last)
        self.changes += key != self.last
        self.counts[key] += 1
        if self.counts[key] == 1:
            self.first[key], self.before[key] = found, lines_before
            self.between[key] = (self.last, None)
        else:
            self.between.pop(key, None)
        if found.timed:
            self.timed[key] += 1
            self.dated += found.stamp is not None and found.stamp.day is not None
        self.last = key

    def role(self, key: str) -> str | None:
        return role_of_label(self.first[key].name)

    def turns(self, keys: Iterable[str]) -> int:
        return sum(self.counts[key] for key in keys)


def cast(lines: Iterable[Marked]) -> Cast | None:
    """The cast of a text, or None where it is no chat. Lines are read once, and none is kept."""
    tallies: dict[Style, _Tally] = {"heading": _Tally(), "bold": _Tally(), "line": _Tally()}
    filled = strays = 0
    for line in lines:
        if line.part == "front" or not line.text.strip():
            continue
        found = cue(line.text) if line.part == "text" else None
        if found is not None and plausible(found):
            tallies[found.style].add(found, filled)
        elif line.part == "text" and stamp_shape(line.text):
            strays += 1
        filled += 1
    found_casts = []
    for style, tally in tallies.items():
        timed = _is_timed(tally, strays)
        speakers = _roles(tally, style) or _with_assistant(tally, style) or _names(tally, style, filled)
        speakers = speakers or _exchange(tally, style, filled)
        if speakers or timed:
            by_time = set(tally.timed) if timed else set()
            begins = min(tally.before[key] for key in speakers | by_time)
            only_timed = timed and tally.timed.total() >= _TIMED_SHARE * tally.turns(speakers)
            levels = _levels(tally, speakers)
            found_casts.append((begins, Cast(style, frozenset(speakers), timed, only_timed, levels)))
    return min(found_casts, key=lambda each: each[0])[1] if found_casts else None


def _is_timed(tally: _Tally, strays: int) -> bool:
    """Whether times beside the names show a chat: dates with times do, times alone where names come back."""
    timed = tally.timed.total()
    if not timed or timed < _STAMPED_SHARE * (timed + strays):
        return False
    if min(tally.before[key] for key in tally.timed) > _PREAMBLE_LINES:
        return False
    recurring = sum(count for key, count in tally.timed.items() if count > 1 or tally.role(key))
    return tally.dated > 0 or recurring * 2 >= timed


def _roles(tally: _Tally, style: Style) -> set[str]:
    """The speakers where somebody and an assistant both go by known words. Other labels are then what they say."""
    roles = {key: role for key in tally.counts if (role := tally.role(key))}
    if not {"user", "assistant"} <= set(roles.values()):
        return set()
    return set(roles) if min(tally.before[key] for key in roles) <= _PREAMBLE_LINES else set()


def _with_assistant(tally: _Tally, style: Style) -> set[str]:
    """The speakers where an assistant goes by a known word and people by their names: those whom it answers."""
    assistants = {key for key in tally.counts if tally.role(key) == "assistant"}
    if not assistants:
        return set()
    asking = {key for key in tally.asking - assistants if style != "heading" or tally.counts[key] > 1}
    speakers = assistants | asking
    comes_back = tally.turns(speakers) > len(speakers)
    if not asking or not (comes_back or len(speakers) == len(tally.counts)):
        return set()
    return speakers if min(tally.before[key] for key in speakers) <= _PREAMBLE_LINES_OF_NAMES else set()


def _names(tally: _Tally, style: Style, filled: int) -> set[str]:
    """The speakers where all go by their names: those who come back, and who speaks once between two turns of one."""
    if style == "heading":
        return set()

    def found(nicks: bool) -> set[str]:
        keys = {key for key in tally.counts if nicks or not tally.first[key].name.islower()}
        known = {key for key in keys if tally.counts[key] > 1 or tally.role(key)}
        return known | {
            key for key in keys - known if (around := tally.between[key])[0] == around[1] and around[0] in known
        }

    for nicks, share in ((True, _LABELLED_SHARE_OF_NICKS), (False, _LABELLED_SHARE)):
        speakers = found(nicks)
        turns = tally.turns(speakers)
        if (
            len(speakers) > 1
            and turns > 2
            and tally.changes >= _CHANGES_SHARE * tally.counts.total()
            and turns >= share * filled
            and min(tally.before[key] for key in speakers) <= _PREAMBLE_LINES_OF_NAMES
        ):
            return speakers
    return set()


def _exchange(tally: _Tally, style: Style, filled: int) -> set[str]:
    """The two people whose one line each is the whole text, where at least one of the lines is a sentence."""
    cues = list(tally.first.values())
    if style == "heading" or not filled == len(cues) == tally.counts.total() == 2:
        return set()
    named = all(not each.name.islower() and len(each.name.split()) <= 2 for each in cues)
    said = any(each.text.rstrip().endswith(_SENTENCE_ENDS) for each in cues)
    return {each.key for each in cues} if named and said else set()


def _levels(tally: _Tally, speakers: set[str]) -> frozenset[tuple[str, int]]:
    """Each speaker with the level of the first heading of its role, so that a heading in an answer is none."""
    by_role: dict[str | None, int] = {}
    for key in sorted(speakers, key=lambda each: tally.before[each]):
        by_role.setdefault(tally.role(key), tally.first[key].level)
    return frozenset((key, by_role[tally.role(key)]) for key in speakers)
