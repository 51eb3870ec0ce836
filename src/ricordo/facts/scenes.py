"""What reading a stretch of conversation knows so far: who speaks, who "she" is, what the conversation makes up. For
every language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ricordo.facts.known import Known
from ricordo.models import SELF, EntityKind
from ricordo.text import lazy
from ricordo.text.english import NO_NAMES
from ricordo.text.given_names import DOUBTFUL, GIVEN

_CAPITAL = r"[^\W\d_a-zäöüßáéíóúñàâçèêëîïôûœ]"
#: A name as it stands in a text: up to four words with capitals, and the small words that names have inside.
NAME = (
    rf"(?:{_CAPITAL}[\w'’&.+/-]*\w|{_CAPITAL})"
    rf"(?: (?:(?:of|upon|am|an der|auf der|de la|de|del|du|la|le|den|von|and|&) )?"
    rf"(?:{_CAPITAL}|\d)[\w'’&.+/-]*\w?){{0,3}}"
)
_NAMED = lazy(rf"{_CAPITAL}[\w'’-]+")


#: A turn that goes on about whom its speaker named before.
_GOES_ON = lazy(
    r"(?:[^.!?,]{0,25}[.!?,] ){0,3}(?:(?i:he|she|his|her|er|sie|sein|seine|ihr|ihre)"
    r"|(?:Nur|Auch|Nein|Ja) (?:[A-ZÄÖÜ]?[a-zäöüß]+ ){1,2}(?:er|sie)|[A-ZÄÖÜ][a-zäöüß]+ [a-zäöüß]+t (?:er|sie))\b"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a clause states, before its turn is known."""

    subject: str
    subject_kind: EntityKind
    predicate: str
    object: str
    object_kind: EntityKind | None = None
    ended: bool = False
    since: datetime | None = None
    until: datetime | None = None


@dataclass
class Scene:
    """A block of turns as it is read from its beginning."""

    known: Known
    speakers: frozenset[str]
    #: The speakers by their whole and their first names, folded.
    speakers_by_name: dict[str, str] = field(default_factory=dict)
    speaker: str = SELF
    at: datetime = datetime.min
    text: str = ""
    #: People whom the conversation named so far, folded → as written; who stands to whom as what.
    people: dict[str, str] = field(default_factory=dict)
    kin: dict[tuple[str, str], str] = field(default_factory=dict)
    #: People whom nobody named yet, as "user's sister": whose, and as what.
    relatives: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Names that only stand in what the conversation makes up.
    made_up: set[str] = field(default_factory=set)
    #: Of whom the speaker talked last, in this turn or their one before; and of whom the others did.
    last: str | None = None
    spoken_of: dict[str, str] = field(default_factory=dict)
    #: Of whom a turn speaks without a name so far: whose, and as what.
    unnamed: tuple[str, str] | None = None
    #: What the conversation is about where it says "it": a project or product.
    topic: str = ""
    #: The thing that was spoken of last in this turn: what "it" is.
    thing: str = ""
    #: The sentence that is read, as it was written and in plain words.
    written: str = ""
    sentence: str = ""
    #: Whether it states something in its midst (`english_things`); None before that was looked for.
    inside: bool | None = None
    #: The clause of a person that was read last, and what it was parsed to (`english_verbs`).
    parsed: tuple[str, Any] = ("", None)
    #: Where each person works.
    employers: dict[str, str] = field(default_factory=dict)

    def turn(self, speaker: str, text: str, at: datetime, begins: str = "") -> None:
        """Begin to read a turn; `begins` is how it begins in plain words, if otherwise."""
        if self.speaker == speaker:
            self.spoken_of[speaker] = self.last or ""
        elif self.last:
            self.spoken_of[self.speaker] = self.last
        self.speaker, self.text, self.at, self.unnamed, self.thing = speaker, text, at, None, ""
        before = self.spoken_of.pop(speaker, "")
        self.last = before if before and _GOES_ON.match(begins or text) else None

    def invent(self, text: str) -> None:
        """Take the names of a text for made up."""
        self.made_up |= {name.casefold() for name in _NAMED.findall(text) if name.casefold() not in NO_NAMES}
        self.made_up -= {each.casefold() for each in self.speakers}

    def is_made_up(self, text: str) -> bool:
        """Whether a text speaks of someone made up."""
        return bool(self.made_up) and any(
            name.casefold().removesuffix("'s").removesuffix("’s") in self.made_up for name in _NAMED.findall(text)
        )

    def meet(self, name: str) -> None:
        """Note that a name is a person's."""
        self.people.setdefault(name.casefold(), name)

    def relative(self, owner: str, kin: str) -> str:
        """How somebody is called whom nobody named."""
        name = f"{owner}'s {kin}"
        self.relatives[name] = owner, kin
        return name

    def of_relative(self, claim: Claim) -> Claim:
        """A claim about somebody whom nobody named, as one about whose relative they are: "sister_lives_in"."""
        whose = self.relatives.get(claim.subject)
        if whose is None:
            return claim
        owner, kin = whose
        return replace(
            claim,
            subject=owner,
            subject_kind="person",
            predicate=f"{kin.replace('-', '_').replace(' ', '_')}_{claim.predicate}",
        )

    def person(self, name: str) -> str | None:
        """The person of this name, where it is one's."""
        if name in self.relatives:
            return name
        folded = name.casefold()
        if folded in self.people:
            return self.people[folded]
        if folded in self.speakers_by_name:
            return self.speakers_by_name[folded]
        found = self.known.at([folded], 0) if " " not in folded else None
        if found is not None and found[2] == "person":
            return found[1]
        return name if folded.split()[0] in GIVEN else None

    def is_doubtful(self, name: str) -> bool:
        """Whether a word with a capital is rather a common one."""
        return name.casefold() in NO_NAMES or name.casefold() in DOUBTFUL


def scene(known: Known, speakers: Iterable[str], people: Sequence[str]) -> Scene:
    """The scene of a block in which these speak, and which names these people."""
    others = frozenset(each for each in speakers if each != SELF)
    by_name = {name.casefold(): each for each in sorted(others, reverse=True) for name in (each.split()[0], each)}
    found = Scene(known, others, by_name)
    for name in people:
        found.meet(name)
    return found
