"""English contexts that show what a capitalised word names: "my brother Tom", "Tom said", "the Falcon project"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ricordo.facts.naming import TOWARDS, Names, begins
from ricordo.facts.sentences import Sentence
from ricordo.text.english import (
    ALONE,
    HAPPENINGS,
    KIN,
    NO_NAMES,
    PERSONAL,
    PETS,
    QUALITIES,
    THINGS,
    TRADES,
    TRIPS,
    word_set,
)
from ricordo.text.given_names import DOUBTFUL, GIVEN
from ricordo.text.organizations import HEADS, SUFFIXES

_SAID = word_set("called texted laughed smiled cried hugged nodded giggled")
_TOLD = word_set("told asked met invited thank thanked married")
_TITLES = word_set("dr mr mrs ms prof professor aunt uncle auntie")
_HAILS = word_set("hey hi hello thanks dear bye congrats congratulations sorry yo wow cheers")
_CALLERS = word_set("me us him her back yesterday today to about again and this")
_TRADING = word_set(
    "ordered order invoice quote refund delivery delivered shipped shipment contract cells parts bought"
)
_OWNERS = word_set("my our her his")
_CALLED = word_set("called named")


_BONDED = frozenset([*KIN, *PETS, *(f"ex-{each}" for each in KIN)])


@dataclass(frozen=True, slots=True)
class Bond:
    """A person (or pet) named by how they stand to someone: words `first` to before `last` of a sentence."""

    sentence: Sentence
    predicate: str
    #: "my", "our", "her", "his"; "'s" where the word at `owner` is the one; "have" behind "a", as in "have a sister".
    whose: str
    #: Index of the word that tells whose.
    owner: int
    first: int
    last: int
    ended: bool = False


def bonds(sentence: Sentence, names: Names) -> Iterator[Bond]:
    """Kin, friends and pets that a sentence names; each is voted for as a person."""
    if _BONDED.isdisjoint(sentence.keys):
        return
    words = sentence.words
    for at, word in enumerate(words):
        bare = word.key.removeprefix("ex-")
        predicate = KIN.get(bare) or ("pet" if bare in PETS else None)
        if predicate is None:
            continue
        found = _bond(sentence, names, at, predicate)
        if found is not None:
            names.vote(sentence, found.first, found.last, "person")
            yield found


def _bond(sentence: Sentence, names: Names, at: int, predicate: str) -> Bond | None:
    words = sentence.words
    owner = at - 1
    while owner >= 0 and words[owner].key in QUALITIES and at - owner < 4:
        owner -= 1
    whose = words[owner].key if owner >= 0 else ""
    between = {word.key for word in words[owner + 1 : at]}
    former = words[at].key.startswith("ex-") or not between.isdisjoint(("ex", "former", "late"))
    if owner >= 0 and words[owner].text.endswith(("'s", "’s")) and words[owner].capital:
        whose = "'s"
    elif whose not in _OWNERS and whose not in ("a", "an"):
        return None
    first = _named_behind(sentence, at)
    if first is not None and whose in ("a", "an") and words[first - 1].key not in _CALLED and predicate != "pet":
        first = first if _comma(sentence, at, first) else None
        if first is None or "have" not in sentence.keys:
            return None
        whose = "have"
    elif whose in ("a", "an"):
        whose = "have"
    if first is not None:
        last = names.run(sentence, first, strict=False)
        last = min(last, first + 2)
        title = words[at].capital and (at > 0 or predicate != "pet")
        if last > first and _nameable(words[first].key, title) and not (title and predicate == "pet"):
            return Bond(sentence, predicate, whose, owner, first, last, former)
        return None
    return _named_before(sentence, names, at, owner, predicate, whose, former)


def _named_behind(sentence: Sentence, at: int) -> int | None:
    """The word at which the name begins: "brother Tom", "brother is called Tom", "brother's name is Tom"."""
    words = sentence.words
    keys = [word.key for word in words[at + 1 : at + 5]]
    if not keys:
        return None
    if words[at + 1].capital:
        between = sentence.text[words[at].end - sentence.start : words[at + 1].start - sentence.start]
        if words[at].text.endswith(("'s", "’s")):
            return None
        closed = words[at + 1].key in GIVEN and (at + 2 == len(words) or _comma(sentence, at + 1, at + 2))
        return at + 1 if between == " " or (between == ", " and closed) else None
    if keys[0] == "name" and len(keys) > 2 and keys[1] in ("is", "was"):
        return at + 3
    if keys[0] in _CALLED and len(keys) > 1:
        return at + 2
    if keys[0] in ("is", "was") and len(keys) > 1:
        if keys[1] in _CALLED and len(keys) > 2:
            return at + 3
        possessive = words[at + 2].text.endswith(("'s", "’s"))  # "my daughter is Emma's friend"
        if words[at + 2].capital and not possessive and (words[at + 2].key in GIVEN or at + 3 == len(words)):
            return at + 2
    return None


def _named_before(
    sentence: Sentence, names: Names, at: int, owner: int, predicate: str, whose: str, former: bool
) -> Bond | None:
    """ "Eva is my sister", "Eva, my sister," """
    words = sentence.words
    if whose not in ("my", "our") or owner < 1:
        return None
    last = owner - 1 if words[owner - 1].key in ("is", "was") else owner
    if last == owner and not (_comma(sentence, owner - 1, owner) and _comma(sentence, at, at + 1)):
        return None
    first = last
    while first > 0 and words[first - 1].capital and last - first < 2:
        first -= 1
    if first == last or (first == 0 and words[0].key not in GIVEN and words[0].key not in DOUBTFUL):
        return None
    listed = words[first].key in GIVEN or names.kind(sentence, first, last) in (None, "person")
    if not listed or (first > 0 and words[first - 1].key in TOWARDS):  # "Tom, who lives in Oslo, is my friend"
        return None
    end = names.run(sentence, first, strict=False)
    return Bond(sentence, predicate, whose, owner, first, last, former) if end == last else None


def _comma(sentence: Sentence, before: int, after: int) -> bool:
    if after >= len(sentence.words):
        return False
    words = sentence.words
    return "," in sentence.text[words[before].end - sentence.start : words[after].start - sentence.start]


def _nameable(word: str, title: bool) -> bool:
    return word not in NO_NAMES and not word.isdigit() and word not in THINGS and not (title and word in KIN)


def contexts(sentence: Sentence, names: Names) -> None:
    """Vote for what a sentence's words show besides kin."""
    words = sentence.words
    shows = not _SHOWING.isdisjoint(sentence.keys) or "Con" in sentence.text or "Fest" in sentence.text
    for at, word in enumerate(words) if shows else ():
        look = _LOOKS.get(word.key)
        if look is not None:
            look(sentence, names, at)
        elif word.key in THINGS and at and _is_code(words[at - 1].text):
            names.suspect(sentence, at - 1, at + 1, "item")
        elif word.capital and word.text.endswith(("Con", "Fest")) and word.text[:-3] != "" and at:
            names.vote(sentence, at, at + 1, "event")
    if words[0].key in _HAILS and len(words) > 1:
        _vocative(sentence, names)


def _is_code(word: str) -> bool:
    """Whether a word is a model's number, such as 12V20Ah."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and not word[:-2].isdigit()


def _said(sentence: Sentence, names: Names, at: int) -> None:
    words = sentence.words
    if words[at].key == "called" and not (at + 1 < len(words) and words[at + 1].key in _CALLERS):
        return
    if at and words[at - 1].capital and not words[at - 1].text.isupper():
        first = at - 1
        if first and sentence.words[first - 1].capital and sentence.words[first - 1].key not in NO_NAMES:
            first -= 1
        if names.run(sentence, first) == at and (first or sentence.words[first].key in GIVEN):
            _person(sentence, names, first, at)


def _told(sentence: Sentence, names: Names, at: int) -> None:
    last = names.run(sentence, at + 1)
    if at + 1 < last < at + 4 and names.place(sentence, at + 1) is None:
        _person(sentence, names, at + 1, last)
    elif at + 1 < len(sentence.words) and sentence.words[at + 1].key in DOUBTFUL and sentence.words[at + 1].capital:
        names.vote(sentence, at + 1, at + 2, "person")


def _person(sentence: Sentence, names: Names, first: int, last: int) -> None:
    if names.kind(sentence, first, last) in (None, "person"):
        names.vote(sentence, first, last, "person")


def _titled(sentence: Sentence, names: Names, at: int) -> None:
    last = names.run(sentence, at + 1, strict=False)
    if sentence.words[at].capital and at + 1 < last < at + 4:
        names.vote(sentence, at + 1, last, "person")


def _vocative(sentence: Sentence, names: Names) -> None:
    """ "Hey Mel!" and "Thanks, Joanna." """
    last = names.run(sentence, 1)
    if last != 2 or (last < len(sentence.words) and not _comma(sentence, 1, 2)):
        return
    if sentence.words[1].text.isupper() or names.kind(sentence, 1, 2) not in (None, "person"):
        return
    names.vote(sentence, 1, 2, "person")


def _project(sentence: Sentence, names: Names, at: int) -> None:
    words = sentence.words
    if words[at].capital and at + 1 < len(words):
        last = names.run(sentence, at + 1)
        if last > at + 1 and words[at + 1].key not in TRADES:
            names.vote(sentence, at + 1, last, "project")
        return
    first = begins(sentence, at, 3)
    if 0 < first < at and words[first - 1].key in ("the", "our", "my", "this") and names.run(sentence, first) == at:
        names.vote(sentence, first, at, "project")


def _named(sentence: Sentence, names: Names, at: int) -> None:
    """ "Her name's Coco", "I named him Rex"."""
    words = sentence.words
    first = at + 1
    if words[at].key == "named":
        first += at + 1 < len(words) and words[at + 1].key in ("him", "her")
        if first == at + 1:
            return
    elif not at or words[at - 1].key not in ("his", "her", "my"):
        return
    elif not words[at].text.endswith(("'s", "’s")):
        first += 1
        if at + 1 >= len(words) or words[at + 1].key not in ("is", "was"):
            return
    last = names.run(sentence, first, strict=False)
    if first < last < first + 3:
        names.vote(sentence, first, last, "person")


def _happening(sentence: Sentence, names: Names, at: int) -> None:
    words = sentence.words
    first = begins(sentence, at, 4)
    capital = words[at].capital
    if first < at and (capital or words[at - 1].text.endswith(("'s", "’s")) or _trip(sentence, names, first, at)):
        possessive = words[at - 1].text.endswith(("'s", "’s"))
        if possessive and (at - first > 2 or names.kind(sentence, first, at) not in ("person", None)):
            return
        if possessive and words[at].key not in PERSONAL and names.kind(sentence, first, at) is None:
            return
        if words[at].text.isupper() and words[at - 1].text.isupper():
            return
        if capital and not possessive and words[at].key in ("birthday", "anniversary"):
            return
        names.vote(sentence, first, at + 1, "event")
    elif words[at].key in TRIPS and at + 2 < len(words) and words[at + 1].key == "to" and words[at + 2].capital:
        place = names.place(sentence, at + 2)
        if place is not None:
            names.vote(sentence, at, at + 2 + place[0], "event")
    elif words[at].key in ALONE and at and words[at - 1].key in ("the", "my"):
        names.vote(sentence, at, at + 1, "event")


def _trip(sentence: Sentence, names: Names, first: int, at: int) -> bool:
    """ "the Lisbon trip": a place or a name and what happens there."""
    return first > 0 and sentence.words[first - 1].key in ("the", "our", "my", "this")


def _institution(sentence: Sentence, names: Names, at: int) -> None:
    words = sentence.words
    if not words[at].capital:
        return
    first = begins(sentence, at, 4)
    goes_on = at + 1 < len(words) and words[at + 1].key == "of"
    if first < at and not sentence.shouted and not goes_on:
        names.vote(sentence, first, at + 1, "organization")


def _head(sentence: Sentence, names: Names, at: int) -> None:
    words = sentence.words
    if words[at].capital and at + 2 < len(words) and words[at + 1].key == "of" and words[at + 2].capital:
        last = names.run(sentence, at + 2)
        if last > at + 2:
            names.vote(sentence, at, last, "organization")


def _supplier(sentence: Sentence, names: Names, at: int) -> None:
    """ "The cells from Nordcell came": who delivers, if it is said again."""
    if not sentence.keys & _TRADING:
        return
    last = names.run(sentence, at + 1)
    if last > at + 1 and names.kind(sentence, at + 1, last) is None:
        names.suspect(sentence, at + 1, last, "organization")


def _institute(sentence: Sentence, names: Names, at: int) -> None:
    _institution(sentence, names, at)
    _head(sentence, names, at)


#: What to look for at a word.
_LOOKS: dict[str, Callable[[Sentence, Names, int], None]] = {
    **dict.fromkeys(_SAID, _said),
    **dict.fromkeys(_TOLD, _told),
    **dict.fromkeys(_TITLES, _titled),
    **dict.fromkeys(HAPPENINGS | TRIPS, _happening),
    **dict.fromkeys(SUFFIXES | HEADS, _institute),
    "project": _project,
    "name": _named,
    "named": _named,
    "from": _supplier,
}
#: Words of which a sentence must have one, to show anything by them.
_SHOWING = frozenset([*_LOOKS, *THINGS])
