"""What still holds first: hits put in the order that facts give them, each with what replaced it.

Asked about the present, a turn whose fact was replaced comes after the turn that replaced it; asked about the past,
before. The current value of a slot that a question names ("where do I live") is fetched if no hit states it. Where no
rule named the slot, two turns of one person that give another figure for what is asked are put newest first."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache

from ricordo.database import Transaction
from ricordo.facts import Slots, Standing, slug_of, standing
from ricordo.models import SELF, Hit
from ricordo.palace import Pointer
from ricordo.recall import store
from ricordo.recall.changing import (
    SHORT,
    Asked,
    Newer,
    alike,
    asks_for_a_time,
    asks_for_one,
    asks_for_several,
    is_short,
    names_to_follow,
    read,
    replaced,
)
from ricordo.recall.clauses import is_change, says_change_or_end, stems, sure
from ricordo.text import ENGLISH, fold, lazy, stem, term_hash, variants, words
from ricordo.text.english import KIN

Place = tuple[int, int]
#: Hits whose facts are looked at.
_LOOKED_AT = 50
#: The first hits: what replaced one of these is brought even where no signal brought it.
_FIRST = 5
#: What asks how things were. "Before" alone may tell a time: "what did I say before lunch".
_HISTORY = lazy(
    r"\b(?:used to|did (?:\w+ ){1,4}use to|(?:was|were|did) (?:\w+ ){0,3}(?:my|our|the|his|her|their) old|previous(?:ly)?|former(?:ly)?|originally|at first|in the past|back then|before\W*$|old (?:job|home|address|flat|"
    r"car|phone|gym|boss|school)|last (?:job|home|address|employer)|before (?!i (?:go|leave|buy|book))|earlier|no longer|"
    r"(?:my|our|his|her|their) (?:very )?first (?!names?\b|language|aid|choice|days?\b|time|child|class|half|thing|of\b)[a-z]+|"
    r"(?:mein|unser)e?[nmrs]? erste[nmrs]? (?!mal|tag|kind|name)[a-z]+|(?:mon premier|ma premiere|mi primer\w*) [a-z]+|"
    r"vorher|fruher|vor (?!ort\b|allem\b)[a-z]{3,}|davor|ehemalig\w*|zuvor|avant|auparavant|ancien\w*|antes|anterior\w*)"
)
#: What asks for a moment of the past: how things stand at present is no matter.
_WHEN = lazy(
    r"^\W*(?:(?:when|on what (?:day|date)|what (?:day|date)) (?:did|was|were|have|had)|since when|for how long|how long (?:have|has|"
    r"did)|wann (?:bin|habe|hat|sind|haben|wurde|wurden|war|waren|ist)|seit wann|wie lange|quand (?:ai|as|a|est|sont|etait)|"
    r"depuis quand|cuando (?:me|se|fue|empece|deje)|desde cuando)\b"
)
#: "When was the standup before it moved?" asks how things were.
_WAS = lazy(
    r"\W*when (?:was|were|did) .*\b(?:before it|before they|used? to|originally|at first|previously)\b|"
    r"\W*wann (?:war|waren|hat|haben|habe|bin|ist|sind|wurde|wurden) .*\b(?:fruher|vorher|ursprunglich)\b"
)
_I = lazy(r"\b(?:i|we|ich|wir|je|j|nous|yo|nosotros|vivo|trabajo|vivimos|trabajamos)\b")
_MY = lazy(r"\b(?:my|our|mein\w*|unser\w*|mon|ma|mes|notre|mi|mis|nuestr\w)\b")
#: Predicates that a question asks for by a verb, whose subject must be the asker.
_OF_VERBS = frozenset(["lives_in", "works_at", "studies", "studies_at", "uses", "runs_on", "owns"])
#: The slots that questions name, by the words that name them.
_NAMED = [
    (
        ("lives_in",),
        r"live|lives|living|home|reside|based|wohn\w*|gewohnt|leb(?:e|en|t|st)|gelebt|habit\w*|viv\w+|zuhause",
    ),
    (
        ("works_at",),
        r"work|works|working|employer|employed|arbeite\w*|gearbeitet|arbeitgeber|travaill\w*|trabaj\w*|company",
    ),
    (
        ("role", "occupation"),
        r"job|role|position|title|profession|occupation|for a living|for work|beruf|metier|profesion",
    ),
    (("diet",), r"diet|vegan|vegetarian|eat"),
    (
        ("relationship_status", "married_to", "partner", "fiance"),
        r"married|single|relationship|dating|partner|verheiratet",
    ),
    (("studies", "studies_at"), r"stud\w+|etudi\w+|estudi\w+|degree|major|subject"),
    (("boss", "manager"), r"boss|manager|chef|chefin|jefe|jefa|patron|report"),
    (("salary",), r"earn|salary|pay|verdien\w*|gehalt"),
    (("age",), r"old|age|alt|alter"),
    (("school",), r"school|schule|ecole|escuela|colegio"),
    (("car",), r"car|drive|auto|fahr\w*|wagen|voiture|coche"),
    (("gym",), r"gym|fitness\w*"),
    (("gp", "doctor"), r"gp|doctor|hausarzt|arzt|medecin|medico"),
    (("dentist",), r"dentist\w*|zahnarzt"),
    (("runs_on",), r"host\w*|run|runs|laufen|lauft"),
    (("uses",), r"use|uses|using|nutz\w*|verwend\w*|utilis\w*|usa|usamos"),
    (("deadline",), r"due|deadline|frist"),
    (("owns",), r"own|owns|have|possess|responsible"),
]
_FIGURE = lazy(
    r"(?<![\w.])(?:[$€£]\s?)?\d[\d,.:/]*\d?%?(?![\w])|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"fifteen|twenty|thirty|once|twice)\b",
    re.IGNORECASE,
)
#: What asks for a figure or a date.
_ASKS_FIGURE = lazy(
    r"\b(?:how (?:many|much|long|often|far|fast|old|big|tall)|what (?:is|was|s|are) (?:my|our|the)|what time|when is|"
    r"when are|by (?:what|when)|what (?:date|deadline|percentage|number|day|target|score)|which (?:date|day|version)|"
    r"wie (?:viele?|lange|oft|hoch|gross)|combien|cuant\w+)\b"
)
#: A figure with what it counts, a day of the week, a time of day, a level of a language.
_MEASURE = lazy(
    r"(?P<day>\b(?<!Easter )(?<!Good )(?<!Whit )(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?|"
    r"(?:[Mm]on|[Dd]iens|[Dd]onners|[Ff]rei|[Ss]ams|[Ss]onn)tags?|[Mm]ittwochs?)\b)|(?P<clock>(?<![\d:])\d{1,2}:\d\d(?!\d))"
    r"|\b(?P<level>[ABC][12])\b|(?<![\w.])(?P<figure>[$€£]?\d[\d.,]*\d|\d) ?(?P<unit>%|[^\W\d_]+)?"
)
#: What figures of time are taken to count.
_DAY, _CLOCK = _OF_TIME = ("day of the week", "clock")
#: Words behind a figure that say nothing of what it counts.
_NO_UNIT = frozenset(
    ["now", "and", "in", "of", "on", "at", "for", "to", "the", "a", "or", "today", "then", "so", "am", "pm"]
)
_PAST = lazy(
    r"\b(?:did|(?<!^)was|were|had|ago|yesterday|last (?:week|month|year|time)|hatte|war|waren|etait|fue)\b|"
    r"\b(?:hast du|habe ich|haben wir) .*\w(?:t|en)\W*$"
)
#: Of the turns that hold a name, the newest that are looked at; of all such names together no more are brought.
_NEWEST = 8
#: Hits whose figures are compared.
_FIGURES = 10
#: Characters of a hit whose words are compared.
_READ = 2000
#: How many of the words that the best hit shares with a question another must share to speak of the same.
_AS_MUCH = 0.75


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words of a question that every answer lacks.
_ASKING = _words(
    """
    how many much long what when which time currently now do did does have has is are was were my i me the a an of in
    for to on at by total number day days week weeks date
    """
)


@dataclass(frozen=True)
class Who:
    """What the user is called, and the slugs of names that a question may mention."""

    own_names: Sequence[str]
    named: Sequence[str]


@dataclass(frozen=True)
class _Asked:
    """A question as far as standing goes."""

    history: bool
    when: bool
    slots: Slots
    words: frozenset[str]
    figure: bool
    present: bool


def _read(question: str, who: Who) -> _Asked:
    folded = fold(question)
    said = frozenset(words(question))
    asked = stems(question)
    predicates = [name for names, pattern in _patterns() if pattern.search(folded) for name in names]
    own = [SELF, *map(slug_of, who.own_names)]
    whose, relatives = own, []
    if not _I.search(folded):  # "my boss" is a slot of the asker, "where my boss lives" is not
        kin = _my_kin().search(folded)
        relatives = [KIN[kin[1]]] if kin and predicates and KIN[kin[1]] not in predicates else []
        mine = _MY.search(folded) is not None and not any(name in _OF_VERBS for name in predicates)
        whose = own if mine and not relatives else []

    def asks_for(predicate: str) -> bool:
        parts = [stem(fold(part), "en") for part in predicate.split("_") if part not in ("favourite", "favorite", "is")]
        return bool(parts) and parts[-1] in asked

    history = _HISTORY.search(folded) is not None
    when = _WHEN.search(folded) is not None and not (history and _WAS.match(folded) is not None)
    content = frozenset(stem(word, "en") for word in said - ENGLISH - _ASKING)
    figure = _ASKS_FIGURE.search(folded) is not None and not history
    named = [slug for slug in who.named if not ENGLISH.issuperset(slug.split("-")) and slug.count("-") < 2]
    slots = Slots([*whose, *named] if predicates else [], predicates, asks_for, asked, relatives, own)
    present = not (history or when or _PAST.search(folded))
    return _Asked(history, when, slots, content, figure, present)


@cache
def _my_kin() -> re.Pattern[str]:
    """A relative of the asker who is asked of: "where does my sister live"."""
    return re.compile(rf"\b(?:my|our) (?:(?:big|little|older|younger|twin) )?({'|'.join(map(re.escape, KIN))})\b")


@cache
def _patterns() -> list[tuple[tuple[str, ...], re.Pattern[str]]]:
    return [(names, re.compile(rf"\b(?:{pattern})\b")) for names, pattern in _NAMED]


#: How likely a turn answers the question that states the current value of what it asks for, by a fact.
_STATED = 0.9
#: Brings more turns as hits, by their places.
Fetch = Callable[[Sequence[Place]], Awaitable[Mapping[Place, Hit]]]


async def by_standing(
    tx: Transaction, question: str, who: Who, hits: Sequence[Hit], moment: datetime, fetch: Fetch,
    keep: int, *, state: bool, whole: bool, by_time: bool = False,
) -> list[Hit]:  # fmt: skip
    """The hits in the order that facts give them, each with how it stands.

    What was said after `moment` counts for nothing. `state` tells whether any of the hits states a fact.
    At most `keep` come back. With `whole`, nothing is filtered: the current value of what is asked for is fetched where
    no hit states it. Where the question asks for an order `by_time`, they are marked and not moved."""
    asked = _read(question, who)
    places = [place_of(hit) for hit in hits[:_LOOKED_AT]]
    wants_current = whole and not (asked.history or asked.when or by_time)
    found: Mapping[Place, Standing] = {}
    holding: Sequence[Place] = ()
    if state or (wants_current and (asked.slots.subjects or asked.slots.relatives)):
        found, holding = await standing(tx, places, asked.slots, moment)
    current = holding[:1] if wants_current else []
    by_place = dict(zip(places, hits, strict=False))
    missing = {each.replaced_by for each in found.values() if each.replaced_by is not None} | set(current)
    others = await fetch(sorted(missing - by_place.keys())) if missing - by_place.keys() else {}
    pointers = {place: hit.pointer for place, hit in [*by_place.items(), *others.items()]}
    marked = [_marked(hit, found.get(place), pointers) for place, hit in by_place.items()]
    if asked.when or by_time:
        return [*marked, *hits[_LOOKED_AT:]]
    marked = _in_order(marked, [found.get(place) for place in by_place], asked.history)
    if whole and not asked.history:
        marked = _with_replacing(marked, {hit.pointer: hit for hit in others.values()})
    if asked.figure:
        marked = _newest_figure_first(asked, marked, moment)
    if asked.present or asked.history:
        named = read(question, marked)
        if not asks_for_several(question):
            timed = asked.figure or asked.history or asks_for_a_time(question)
            marked = _by_figures(asked, marked, named, moment, timed=timed)
        if named is not None and asks_for_one(question, history=asked.history):
            marked = await _by_changes(tx, named, marked, moment, fetch if whole else None, asked.history)
    return _with_current([*marked, *hits[_LOOKED_AT:]], current, by_place, others)[:keep]


def _in_order(hits: list[Hit], standings: Sequence[Standing | None], history: bool) -> list[Hit]:
    """The hits of each slot in the places that they have: what holds first, the newest before the older; asked about
    the past, what is over first."""
    slots: dict[object, list[int]] = {}
    for number, each in enumerate(standings):
        if each is not None and each.slot is not None:
            slots.setdefault(each.slot, []).append(number)
    order = list(range(len(hits)))
    for numbers in slots.values():
        known = [(number, each) for number in numbers if (each := standings[number]) is not None]
        if len({each.since for _, each in known}) < 2 or all(each.holds for _, each in known):
            continue
        wanted = sorted(known, key=lambda pair: (pair[1].holds == history, -pair[1].since.timestamp(), pair[0]))
        for place, (number, _) in zip(numbers, wanted, strict=True):
            order[place] = number
    return falling(_behind([hits[number] for number in order], history))


def _with_replacing(hits: list[Hit], others: Mapping[str, Hit]) -> list[Hit]:
    """The first hits with what replaced them before each, where no hit had it."""
    found: list[Hit] = []
    for number, hit in enumerate(hits):
        new = others.get(hit.superseded_by or "") if number < _FIRST else None
        if new is not None and all(each.pointer != new.pointer for each in (*hits, *found)):
            found.append(raised(new.model_copy(update={"confidence": hit.confidence}), hit.score))
        found.append(hit)
    return found


def _with_current(
    hits: list[Hit], current: Sequence[Place], by_place: Mapping[Place, Hit], others: Mapping[Place, Hit]
) -> list[Hit]:
    """The hits with the turn first that states the current value of what is asked for."""
    for place in current:
        hit = by_place.get(place) or others.get(place)
        if hit is None:
            continue
        score = hits[0].score if hits else hit.score
        rest = [each for each in hits if each.pointer != hit.pointer]
        known = next((each for each in hits if each.pointer == hit.pointer), hit)
        if known.superseded_by is not None:
            continue  # a later turn says that it is over
        sure = max(known.confidence or 0.0, _STATED)
        hits = [raised(known.model_copy(update={"current": True, "confidence": sure}), score), *rest]
    return hits


def _marked(hit: Hit, stands: Standing | None, pointers: Mapping[Place, str]) -> Hit:
    if stands is None or (len(hit.text) > SHORT and not stands.asked):
        return hit
    if stands.holds:
        return hit.model_copy(update={"current": True})
    if stands.replaced_by is None:
        return hit
    pointer = pointers.get(stands.replaced_by)
    if pointer is None:
        return hit
    return hit.model_copy(update={"superseded_by": pointer, "superseded_at": stands.replaced_at})


def _behind(hits: list[Hit], history: bool) -> list[Hit]:
    """The hits with each that was replaced behind the one that replaced it or, asked about the past, before it."""
    for _ in range(len(hits)):
        at = {hit.pointer: number for number, hit in enumerate(hits)}
        swap = next(
            (
                sorted((number, at[hit.superseded_by]))
                for number, hit in enumerate(hits)
                if hit.superseded_by in at and (at[hit.superseded_by] > number) != history
            ),
            None,
        )
        if swap is None:
            break
        hits.insert(swap[0], hits.pop(swap[1]))
    return hits


def raised(hit: Hit, score: float, by: str = "standing") -> Hit:
    """A hit that is moved up, with the signal that accounts for it."""
    more = round(max(0.0, score - hit.score), 4)
    signals = {**hit.signals, by: round(hit.signals.get(by, 0.0) + more, 4)}
    return hit.model_copy(update={"signals": signals, "score": round(hit.score + more, 4)})


def _by_figures(asked: _Asked, hits: list[Hit], named: Asked | None, moment: datetime, *, timed: bool) -> list[Hit]:
    """Turns of one person that give another figure of one kind for what is asked: the newest first, and the others
    marked by it where they say little else. Days and times of day count where the question may be for one (`timed`)."""

    def speaks_of(hit: Hit) -> frozenset[str]:
        # In German, "ich" and "wo" are words that turns share by chance.
        if named is not None and named.german:
            return named.among(hit.text[:_READ])
        return asked.words & _stems(hit)

    measured = [
        (
            number,
            hit,
            {unit: figures for unit, figures in _measures(sure(hit.text)).items() if timed or unit not in _OF_TIME},
            speaks_of(hit),
        )
        for number, hit in enumerate(hits[:_FIGURES])
        if is_short(hit)
    ]
    for number, hit, measures, shared in measured:
        if hit.superseded_by is not None or not shared:
            continue
        newer = [
            other
            for place, other, values, spoken in measured
            if hit.at < other.at <= moment and other.speaker == hit.speaker
            and (shared & spoken or (asked.figure and number < 2 and place < 3 and is_change(other.text)))
            and (named is None or alike(other.text, hit.text, shared & spoken, named))
            and any(values.get(unit, figures) != figures for unit, figures in measures.items())
        ]  # fmt: skip
        if newer:
            last = max(newer, key=lambda other: other.at)
            hits[number] = hit.model_copy(
                update={"current": False, "superseded_by": last.pointer, "superseded_at": last.at}
            )
    return falling(_behind(hits, asked.history))


async def _by_changes(
    tx: Transaction, asked: Asked, hits: list[Hit], moment: datetime, fetch: Fetch | None, history: bool
) -> list[Hit]:
    """The hits with those marked that a later turn says are over or changed, and that turn beside each."""
    others = await _following(tx, asked, hits) if fetch is not None else []
    found = list(replaced(asked, hits, others, moment, history=history))
    wanted = sorted({new.place for _, new in found if isinstance(new, Newer)})
    brought = await fetch(wanted) if fetch is not None and wanted else {}
    for number, newer in found:
        new = brought.get(newer.place) if isinstance(newer, Newer) else newer
        if new is None:  # it has gone meanwhile
            continue
        old = hits[number]
        hits[number] = old.model_copy(update={"current": False, "superseded_by": new.pointer, "superseded_at": new.at})
        if all(each.pointer != new.pointer for each in hits):
            hits.append(new.model_copy(update={"confidence": old.confidence}))
    return falling(_behind(hits, history))


async def _following(tx: Transaction, asked: Asked, hits: Sequence[Hit]) -> list[Newer]:
    """The newest turns that name what the first hits name, say that something changed, and are none of the hits."""
    named = [term_hash(form) for name in names_to_follow(asked, hits) for form in variants(name, ["en"])]
    if not named:
        return []
    known = {place_of(hit) for hit in hits}
    newest = await store.newest_with(tx, named, _NEWEST, SHORT)
    saying = [each for each in newest if each.place not in known and says_change_or_end(each.text)]
    return sorted(saying, key=lambda each: each.place)[-_NEWEST:]


@lru_cache(maxsize=1024)
def _measures(text: str) -> dict[str, frozenset[str]]:
    """The figures of a text by what they count: users, mg, percent, a day of the week, a time of day."""
    found: dict[str, set[str]] = {}
    for match in _MEASURE.finditer(text):
        if match["day"]:
            unit, figure = _DAY, match["day"].lower().removesuffix("s")
        elif match["clock"]:
            unit, figure = _CLOCK, match["clock"]
        elif match["level"]:
            unit, figure = "level", match["level"]
        else:
            unit, figure = stem(fold(match["unit"]), "en") if match["unit"] else "", match["figure"]
            if match["unit"] == "%":
                unit = "percent"
        if unit and unit not in _NO_UNIT:
            found.setdefault(unit, set()).add(figure)
    return {unit: frozenset(figures) for unit, figures in found.items()}


def _stems(hit: Hit) -> frozenset[str]:
    return stems(hit.text[:_READ])


def _newest_figure_first(asked: _Asked, hits: list[Hit], moment: datetime) -> list[Hit]:
    """Turns of one person that give a figure for what is asked, newest first in the places that they have."""
    shares = [float(len(asked.words & _stems(hit))) for hit in hits[:_FIGURES]]
    best = max(shares, default=0.0)
    if best < 2:
        return hits
    same = [
        number
        for number, (hit, share) in enumerate(zip(hits, shares, strict=False))
        if share >= _AS_MUCH * best and hit.at <= moment and hit.speaker == hits[0].speaker and _FIGURE.search(hit.text)
    ]
    if len(same) < 2 or same[0] != 0:
        return hits
    newest = sorted(same, key=lambda number: hits[number].at, reverse=True)
    found = list(hits)
    for place, number in zip(same, newest, strict=True):
        found[place] = hits[number]
    return falling(found)


def falling(hits: list[Hit], by: str = "standing") -> list[Hit]:
    """Hits whose scores fall with their order: one that was moved up has at least the score of the next."""
    for number in range(len(hits) - 2, -1, -1):
        if hits[number].score < hits[number + 1].score:
            hits[number] = raised(hits[number], hits[number + 1].score, by)
    return hits


def place_of(hit: Hit) -> Place:
    """The room and drawer of a hit."""
    pointer = Pointer.parse(hit.pointer)
    assert pointer.room is not None and pointer.drawer is not None
    return pointer.room, pointer.drawer
