"""Turns that say that something changed, and which of the turns found with them each replaces.

It serves where no rule named a slot: "the spare key is under the blue pot" and, later, "I moved the spare key to the
shed". The later one must say that something changed, both must speak of what the question asks for or the later one
must give up what the older one names, and nothing may show that two different people or things are meant. Or the later
one tells what became of what the older one names, and what is so instead: "Colette is on leave. Andre cuts my hair"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, pairwise

from ricordo.models import Hit
from ricordo.recall.clauses import (
    CHANGE,
    COUNTED,
    DAYS,
    END,
    KEPT,
    MONATE,
    MONTHS,
    changes,
    clauses,
    cue,
    divided,
    ending,
    ends,
    holds,
    is_hedged,
    is_of_now,
    parts,
    plain,
    stems,
    sure,
    tells_what_became,
    tells_what_began,
)
from ricordo.text import ENGLISH, NAMELESS, Caseless, fold, stem, words
from ricordo.text.english import KIN, word_set

#: A turn longer than this says more than what could be replaced. In characters.
SHORT = 200
#: A turn may be replaced that is among the first so many hits, by one among the first so many. Further down, turns that
#: share words with the question mostly speak of other things.
_OLDER, _NEWER = 3, 10
#: The same where a question is for what was before: its words are often those of the newer turn. Whatever the question,
#: another turn may be meant that is among the first hits of the one number, and rare words are counted over the other.
_OLDER_BEFORE, _NEWER_BEFORE = 10, 20
#: Names that are followed to the turns that give them up, for one question.
_FOLLOWED = 4
#: One of the first few is taken for an answer without a word of the question.
_FIRST = 5
#: One of the two is among so few, if they share but a name and not what is asked for.
_BEST = 2
#: The same in German, where every noun has a capital.
_FIRST_IN_GERMAN = 2
#: A word is rare that at most so many of the hits have.
_RARE = 2
#: What says that one person speaks of themselves.
_ALONE = Caseless(r"\b(?:i|i'm|i've|i'll|me|my|mine|myself|ich|mir|mich|meine?[nmrs]?)\b")
#: Capitalised words, within a sentence and at its beginning.
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w&'-]*\w")
_FIRST_NAME = re.compile(r"(?:^|(?<=[.!?] ))[A-Z][\w&'-]*\w")
#: What a turn names as what somebody has, uses or is with.
_OWNED = re.compile(
    r"\b(?:have|got|use|using|drive|ride|riding|own|with|on|in|from|at|by|to|is|'s) "
    r"(?:an? |the |my |our )?(?:[a-z]+ )?([A-Z][\w&'-]*\w)(?! ?')"
)
_BEFORE = re.compile(r"\bbefore\b", re.IGNORECASE)
_WHICH = re.compile(r"\b(?:which|what) ", re.IGNORECASE)
#: Questions for a thing, and those for what was done or for several things.
_ASKS = Caseless(r"\b(?:where|who|whom|whose|which|what|when|how)\b")
_ASKS_IN_GERMAN = Caseless(
    r"\b(?:wo|was|wer|wen|wem|welche[nmrs]?|wann|wie|womit|woher|wohin|wieviel)\b(?!.*\b(?:heißen|sind)\b)"
)
_DONE = Caseless(
    r"\b(?:has|have|'ve)\b (?:\w+ ){0,2}(?:\w{2,}(?:ed|en)|read|done|been|made|had|met|said|bought|got|told|found|won)"
    r"\b|\bwho \w+ed\b"
)
_SEVERAL = Caseless(
    r"\b(?:which|what) (?:\w+ )?(?!bus|class|address|process|business)[a-z]{2,}[^s\W]s\b"
    r"(?= (?:do|are|were|did|can)\b)|\bor\b"
)
#: Words of many questions that name nothing.
_LIGHT = word_set(
    """
    work live use go get take run make come need want like eat drink read see put give keep do have be new now old
    before currently present still day time previously previous former formerly originally original first earlier used
    latest current name called kind type sort many much often long month week year big all change changed switch move
    moved swap swapped after moment look pay buy own belong did does today up
    """
)
_NOTHING = frozenset(stem(word, "en") for word in (*ENGLISH, *_LIGHT))
#: Words that count, and adjectives that tell no two things apart.
_FIGURE = re.compile(
    rf"\d|^(?:{COUNTED}|\w+teen|\w+ty|hundred|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)$"
)
#: Questions for a time or a figure, and what their answers have.
_ASKS_TIME = Caseless(
    r"\b(?:when|what time|(?:which|what) (?:day|date|weekday|month|night|evening|morning|afternoon))\b"
)
_ASKS_TIME_IN_GERMAN = Caseless(
    r"\b(?:wann|um wie ?viel uhr|wie ?viel uhr|welche[nmrs]? (?:\w*tage?n?|abende?n?|datum|monat|morgen|nacht))\b"
)
_ASKS_FIGURE = Caseless(r"\bhow (?:many|much)\b|\bversion\b")
_DIGIT = Caseless(rf"\d|\b(?:{COUNTED}|\w+teen|\w+ty|hundred|thousand|once|twice|dozen|half)\b")
_TIME = Caseless(
    rf"\d|\b(?:\w+days?|{MONTHS}|{COUNTED}|morning|noon|evening|night|midnight|weekends?|weekly|daily|monthly|spring|"
    r"summer|autumn|fall|winter|o'clock|half past)\b"
)
_GERMAN_KIN = word_set(
    """
    mutter vater mama papa schwester bruder sohn tochter oma opa mann frau freund freundin onkel tante kollege kollegin
    """
)
#: Words of German questions that name nothing, folded.
_ASKED_IN_GERMAN = word_set(
    """
    welchem welchen woher wohin womit wann wieviel fruher vorher zuvor davor aktuell derzeit jetzt momentan zurzeit
    heisst heissen heute bisher ursprunglich anfangs machen macht machte gemacht hatten gehen geht ging
    aus ab an auf ein mit vor zu um bei nehme nehmen nimmt
    """
)
#: Titles before names, as stems.
_TITLES = word_set("mr mrs ms dr doctor prof professor sir herr herrn frau doktor")
#: The shortest part of a German word that counts, and the longest ending that makes no other word of it, in letters.
_PART, _INFLECTED = 4, 3
#: What has a capital and is a time.
_FEASTS = "easter|christmas|ramadan|hanukkah|diwali|ostern|weihnachten|pfingsten"
_NO_NAMES = frozenset(stem(word, "en") for word in f"{DAYS}|{MONTHS}|{MONATE}|{_FEASTS}".split("|"))
_OF_TIME = word_set("new old current latest previous former first last next own main same usual big biggest")


@dataclass(frozen=True)
class Newer:
    """A turn that no signal brought, and that may say that a hit no longer holds."""

    #: Its room and drawer.
    place: tuple[int, int]
    speaker: str
    at: datetime
    text: str

    @property
    def pointer(self) -> str:
        """What tells it from others; it is brought as a hit only if it replaces one."""
        return f"{self.place[0]}/{self.place[1]}"


@dataclass(frozen=True)
class Asked:
    """A question: its text, the words that name what it asks for, the names of speakers, and all of its words with
    these names."""

    text: str
    anchors: frozenset[str]
    people: frozenset[str]
    known: frozenset[str]
    german: bool = False

    def among(self, text: str) -> frozenset[str]:
        """Which of the words that name what is asked for a text has; in German also as parts of its words."""
        if not self.german:
            return self.anchors & stems(text)
        return _akin_in(self.anchors, text)

    @property
    def needed(self) -> int:
        """How many of the words that name what is asked for a turn must have."""
        return max(1, len(self.anchors) // 2)


def asks_for_one(question: str, *, history: bool = False) -> bool:
    """Whether a question is for one thing that holds, or held; not for what somebody did, or for several things."""
    asked = plain(question)
    if asks_for_several(question):
        return False
    if _ASKS.search(asked) is None:
        return _ASKS_IN_GERMAN.search(asked) is not None
    return history or _DONE.search(asked) is None


def asks_for_a_time(question: str) -> bool:
    """Whether a question is for a day or a time of day."""
    asked = plain(question)
    return _ASKS_TIME.search(asked) is not None or _ASKS_TIME_IN_GERMAN.search(asked) is not None


def asks_for_several(question: str) -> bool:
    """Whether a question is for several things."""
    return _SEVERAL.search(plain(question)) is not None


def read(question: str, hits: Sequence[Hit]) -> Asked | None:
    """A question, as far as changes go; None where it names nothing that could have changed."""
    people = frozenset(stem(word, "en") for speaker in {hit.speaker for hit in hits} for word in words(speaker))
    text = plain(question)
    if _ASKS.search(text) is None:
        anchors = (
            frozenset(stem(fold(word), "de") for word in words(text) if fold(word) not in NAMELESS | _ASKED_IN_GERMAN)
            - people
        )
        return Asked(text, anchors, people, stems(text) | people, german=True) if anchors else None
    # "Where did we live before Leeds?": what comes behind "before" tells when.
    anchors = stems(_BEFORE.split(text)[0]) - _NOTHING - people
    return Asked(text, anchors, people, stems(text) | people) if anchors else None


def names_to_follow(asked: Asked, hits: Sequence[Hit]) -> list[str]:
    """What the first hits name: a turn that says that it is given up may lack every word of the question."""
    named: list[str] = []
    for _, old in _may_be_over(asked, hits[: _FIRST_IN_GERMAN if asked.german else _FIRST]):
        anchored = len(asked.among(old.text)) >= asked.needed
        stated = _named(old.text) if anchored else _OWNED.findall(old.text)
        named += [word for word in words(" ".join(stated)) if stem(word, "en") not in asked.known]
    return [word for word in dict.fromkeys(named) if stem(word, "en") not in _NOTHING][:_FOLLOWED]


def replaced(
    asked: Asked, hits: Sequence[Hit], others: Sequence[Newer], moment: datetime, *, history: bool = False
) -> Iterator[tuple[int, Hit | Newer]]:
    """For hits that another, or one of the `others`, says is over or changed: their number and that other one, the
    newest. What was said after `moment` counts for nothing."""
    older, reach = (_OLDER_BEFORE, _NEWER_BEFORE) if history else (_OLDER, _NEWER)
    found: list[Hit | Newer] = [*hits[:reach], *others]
    newer = [hit for hit in found if hit.at <= moment and is_short(hit)]
    counted: list[Hit | Newer] = [*hits[:_NEWER_BEFORE], *others]
    texts = {hit.pointer: hit.text for hit in counted}
    said = Counter(chain.from_iterable(map(stems, texts.values())))
    rare = frozenset(word for word, times in said.items() if times <= _RARE)
    best = {hit.pointer for hit in hits[:_BEST]}
    # What each newer turn could tell of an older one is looked for once, and not for each pair.
    telling = [
        (
            hit,
            bool(changes(hit.text) or ends(hit.text)),
            (_own_names(hit.text) | (stems(hit.text) & rare)) - asked.known - _NOTHING,
        )
        for hit in newer
    ]
    for number, old in _may_be_over(asked, hits[:older]):
        first, of_old = number < _FIRST, stems(old.text)
        by = [
            new
            for new, tells_change, named in telling
            if new.at > old.at
            and (
                (
                    tells_change
                    and _replaces(new, old, asked, first=first)
                    and not _means_another(new, old, hits[:_OLDER_BEFORE], asked)
                )
                or (
                    (first or new.pointer in best)
                    and (not named.isdisjoint(of_old) or ends(new.text))
                    and _succeeds(new, old, asked, rare, first=not best.isdisjoint((old.pointer, new.pointer)))
                )
            )
        ]
        if by:
            yield number, max(by, key=lambda hit: hit.at)


def _may_be_over(asked: Asked, hits: Sequence[Hit]) -> Iterator[tuple[int, Hit]]:
    typed = None if asked.german else _asks_for(asked.text)
    for number, old in enumerate(hits):
        answers = typed is None or typed.search(old.text) is not None
        if answers and old.superseded_by is None and is_short(old) and holds(old.text):
            yield number, old


def _asks_for(question: str) -> Caseless | None:
    """What an answer must have, where the question says: a figure, or a time."""
    return _TIME if _ASKS_TIME.search(question) else _DIGIT if _ASKS_FIGURE.search(question) else None


def _replaces(new: Hit | Newer, old: Hit, asked: Asked, *, first: bool) -> bool:
    of_old, of_new, needed = asked.among(sure(old.text)), asked.among(new.text), asked.needed
    named = _names(old.text) if len(of_old) >= needed else _owned(old.text) if first else frozenset()
    given_up = frozenset() if asked.german else named - asked.known
    if (
        not (of_old & of_new or given_up & stems(new.text))
        or not _of_one_person(new, old)
        or not _of_one_relative(new, old, asked)
    ):
        return False
    shared = {word for clause in changes(new.text) for word in (of_old & asked.among(clause)) - cue(clause)}
    if len(of_old & of_new) >= needed and shared and alike(new.text, old.text, shared, asked):
        return True
    return any(given_up & stems(clause) for clause in ends(new.text))


def _means_another(new: Hit | Newer, old: Hit, hits: Sequence[Hit], asked: Asked) -> bool:
    """Whether a turn names what another older turn states, and nothing that this one does: "MongoDB gave us grief, so
    the booking service runs on Postgres" says nothing of who looks after the service."""
    named = _own_names(new.text) - asked.known
    if named & stems(old.text):
        return False
    return any(
        each.at < new.at and each.pointer != old.pointer and len(asked.among(each.text)) >= asked.needed
        and named & stems(each.text)
        for each in hits
    )  # fmt: skip


def _succeeds(new: Hit | Newer, old: Hit, asked: Asked, rare: frozenset[str], *, first: bool) -> bool:
    """Whether a turn tells in one clause what became of what an older one names, and in another what is so instead:
    "Colette is on leave, a man called Andre does my hair"."""
    if not _of_one_person(new, old):
        return False
    of_old, of_new = stems(old.text), stems(new.text)
    names = (_own_names(old.text) & _own_names(new.text)) - asked.known
    others = (of_old & of_new & rare) - asked.known - _NOTHING - names
    if asked.german:  # where what could be meant has a capital, or a figure in it
        others = frozenset(word for word in others if _FIGURE.search(word))
    if not names and not others and not ends(new.text):
        return False
    anchored = bool(asked.among(old.text))
    on_topic = anchored and len(asked.among(new.text)) >= asked.needed
    for clause, joined in divided(new.text):
        cue = ending(clause)
        for part in joined:
            here = stems(part)
            named, linked = names & here, (others & here) - (stems(cue) if cue else frozenset())
            told = bool(named) and (on_topic or (first and not named.isdisjoint(rare)))
            # "They gave my locker away": what is asked for is itself over.
            itself = asked.among(part) if on_topic and first and END.search(part) else frozenset()
            if not (told or itself or (linked and (on_topic or (first and anchored and cue)))) or is_hedged(clause):
                continue
            became, over = bool(cue) or tells_what_became(clause), named | linked | itself
            for whole, several in divided(new.text):
                for other in several:
                    if other != part and _is_instead(other, whole, of_old, asked, over, became=became):
                        return True
    return False


def _is_instead(
    clause: str, whole: str, of_old: frozenset[str], asked: Asked, over: frozenset[str], *, became: bool
) -> bool:
    """Whether a clause states something of the present that is new, of what is asked for or by name. Where nothing
    shows that the older thing is over, it must say that something changed, or name what is asked for. Its subject may
    stand in the `whole` that it is joined to by "and"."""
    here = stems(clause)
    if over <= here or not (is_of_now(clause) or (became and tells_what_began(clause))):
        return False
    new = here - of_old - _NOTHING - asked.people - asked.anchors
    named = bool((_names(clause) & new) - _TITLES) or _DIGIT.search(clause) is not None
    asked_for = bool(asked.among(whole))
    if not became:
        return bool(new) and (CHANGE.search(clause) is not None or (named and asked_for))
    return bool(new) and (named or asked_for)


def _of_one_person(new: Hit | Newer, old: Hit) -> bool:
    """Whether one person speaks, or both of what is not their own."""
    if new.speaker == old.speaker:
        return True
    return not (_ALONE.search(plain(new.text)) or _ALONE.search(plain(old.text)))


def _of_one_relative(new: Hit | Newer, old: Hit, asked: Asked) -> bool:
    """Whether both speak of the same relatives where they speak of what is asked for, or both of those asked for."""
    of_new, of_old, wanted = _kin(new.text), _kin(old.text), _kin(asked.text)
    if of_new == of_old or (wanted and wanted <= of_new & of_old):
        return True
    here = [_kin(". ".join(each for each in parts(hit.text) if asked.among(each))) for hit in (new, old)]
    return here[0] == here[1]


def alike(new: str, old: str, shared: Iterable[str], asked: Asked) -> bool:
    """Whether no word before what both speak of tells two things apart: "the driving test", "the eye test"."""
    if asked.german:
        return True
    before_new, before_old = _before(new), _before(old)
    for word in shared:
        one = before_new.get(word, frozenset()) - asked.people
        other = before_old.get(word, frozenset()) - asked.people
        if one and other and not one & other and not _asks_which(asked.text, word):
            return False
    return True


def _asks_which(question: str, word: str) -> bool:
    """Whether a question is for one of several things that a word names: "which key"."""
    return any(question[each.end() :].lower().startswith(word) for each in _WHICH.finditer(question))


@lru_cache(KEPT)
def _before(text: str) -> dict[str, frozenset[str]]:
    """For each word, which others stand right before it that tell what sort of thing it is."""
    found: dict[str, set[str]] = {}
    spoken = list(words(text))
    for before, word in pairwise(spoken):
        if before not in _OF_TIME and not _FIGURE.search(before) and not before.endswith(("ed", "ly")):
            found.setdefault(stem(word, "en"), set()).add(stem(before, "en"))
    return {word: frozenset(before - _NOTHING) for word, before in found.items()}


def is_short(hit: Hit | Newer) -> bool:
    """Whether a person states something in it, and little else. Of a message to an assistant, what it asks for does
    not count; people who talk with one another ask about what they spoke of."""
    if hit.speaker == "assistant":
        return False
    if hit.speaker == "user":
        return 0 < sum(map(len, clauses(hit.text))) <= SHORT
    return len(hit.text) <= SHORT and not hit.text.rstrip().endswith("?")


@lru_cache(KEPT)
def _names(text: str) -> frozenset[str]:
    """The stems of what a text names."""
    return frozenset(stem(word, "en") for name in _named(text) for word in words(name)) - _NOTHING


def _named(text: str) -> list[str]:
    """The capitalised words of a text, without common ones that begin a sentence."""
    named = [*_NAME.findall(text), *(each for each in _FIRST_NAME.findall(text) if fold(each) not in ENGLISH)]
    return [name for name in named if not name.endswith("'s")]  # "Ben's desk" is not Ben


@lru_cache(KEPT)
def _own_names(text: str) -> frozenset[str]:
    """The stems of what a text names, shops such as Hartley's with the others; no days, months, feasts or titles."""
    named = [*_NAME.findall(text), *(each for each in _FIRST_NAME.findall(text) if fold(each) not in ENGLISH)]
    return frozenset(stem(word, "en") for name in named for word in words(name)) - _NOTHING - _TITLES - _NO_NAMES


@lru_cache(KEPT)
def _owned(text: str) -> frozenset[str]:
    """The stems of what a text names as what somebody has, uses or is with."""
    return frozenset(stem(word, "en") for name in _OWNED.findall(text) for word in words(name)) - _NOTHING


@lru_cache(KEPT)
def _kin(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if word in KIN or word in _GERMAN_KIN)


def _akin(anchor: str, word: str) -> bool:
    """Whether a German word is a form of one that a question asks for, or names it less exactly: a "schulchor" may be
    called "chor", but a "zahnarzt" is not the "arzt" that is asked for."""
    if anchor == word or len(word) < _PART:
        return anchor == word
    inflected = (anchor, word) if len(anchor) < len(word) else (word, anchor)
    if inflected[1].startswith(inflected[0]) and len(inflected[1]) - len(inflected[0]) <= _INFLECTED:
        return True
    return anchor.endswith(word) or word == f"ge{anchor}"


@lru_cache(KEPT)
def _akin_in(anchors: frozenset[str], text: str) -> frozenset[str]:
    """Which of these German words a text has."""
    return frozenset(anchor for anchor in anchors if any(_akin(anchor, word) for word in _german(text)))


@lru_cache(KEPT)
def _german(text: str) -> frozenset[str]:
    """The German stems of a text's words."""
    return frozenset(stem(fold(word), "de") for word in words(text))
