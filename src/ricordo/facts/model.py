"""Turns → what they name and state, by an LLM. It is believed where the turns bear it out: names, subjects and values
that are not said in them are dropped, and a reply most of whose names are not is of no use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Self, get_args

from pydantic import (
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    model_validator,
)

from ricordo.errors import ReplyUnusable
from ricordo.facts import instructions
from ricordo.facts.said import Said
from ricordo.llm import Budget, Form, quoted
from ricordo.models import SELF, CostEstimate, EntityKind, Extraction, Fact, Mention
from ricordo.text import lazy

if TYPE_CHECKING:
    from ricordo.llm import LLM

_KINDS: tuple[EntityKind, ...] = get_args(EntityKind)
#: Characters of a turn that are sent, and characters of a name or a value at most.
_CHARACTERS, _LONGEST = 4000, 120
#: Names that the palace has already and the turns hold, so that they keep their kind.
_KNOWN = 40
_TOKENS, _TRIES = 2000, 3
_ENTITIES, _FACTS = 100, 60
#: Years from now for which people make plans.
_AHEAD = 50
_PREDICATE = lazy(r"[a-z][a-z0-9]*(?:_[a-z0-9]+){0,4}")
#: What models call predicates that rules know by another name.
_SAME = {
    "lives_at": "lives_in", "resides_in": "lives_in", "residence": "lives_in", "located_in": "lives_in",
    "moved_to": "lives_in", "home": "lives_in", "from": "comes_from", "hometown": "comes_from", "birthplace": "born_in",
    "works_for": "works_at", "employed_at": "works_at", "employed_by": "works_at", "employer": "works_at",
    "workplace": "works_at", "job": "role", "occupation": "role", "profession": "role", "works_as": "role",
    "job_title": "role", "has_role": "role", "is_a": "role", "has": "owns", "bought": "owns", "possesses": "owns",
    "has_pet": "owns", "enjoys": "likes", "loves": "likes", "hates": "dislikes", "studies": "studies_at",
    "date_of_birth": "birthday", "born_on": "birthday", "has_birthday": "birthday", "named": "name", "called": "name",
    "is_called": "name", "has_name": "name", "has_status": "status", "state": "status", "allergy": "allergic_to",
    "is_allergic_to": "allergic_to", "spouse": "partner", "married_to": "partner", "dating": "partner",
    "engaged_to": "fiance", "has_sister": "sister", "has_brother": "brother", "has_mother": "mother",
    "has_father": "father", "has_friend": "friend", "has_wife": "wife", "has_husband": "husband", "has_son": "son",
    "has_daughter": "daughter",
}  # fmt: skip
#: What models call kinds.
_CALLED: dict[str, EntityKind] = {
    "city": "place", "country": "place", "town": "place", "village": "place", "location": "place", "region": "place",
    "address": "place", "company": "organization", "employer": "organization", "institution": "organization",
    "school": "organization", "university": "organization", "team": "organization", "org": "organization",
    "human": "person", "man": "person", "woman": "person", "user": "person", "product": "item", "object": "item",
    "pet": "item", "animal": "item", "vehicle": "item", "device": "item", "software": "project", "tool": "item",
}  # fmt: skip
_PREDICATES = "lives_in works_at role owns name birthday status likes dislikes prefers comes_from allergic_to sister …"
_FIRST_PERSON = frozenset(["i", "me", "myself", "user", "the user", "speaker", "the speaker"])
_NO_NAMES = frozenset(
    ["assistant", "user", "i", "you", "he", "she", "they", "we", "it", "me", "none", "null", "unknown"]
)
#: What models write where they should write null.
_UNTOLD = frozenset(["", "null", "none", "unknown", "n/a"])
#: Words that begin no name, though a capital may begin them.
_NEVER_FIRST = frozenset(["my", "our", "your", "his", "her", "its", "their", "the", "a", "an", "this", "that", "these"])
_TASK = (
    "You note whom and what a talk names, and which lasting facts its people state. {data} Each line there is a turn. "
    'Reply with one JSON object: {{"entities": [{{"name": …, "kind": …}}], "facts": [{{"turn": …, "subject": …, '
    '"predicate": …, "object": …, "object_kind": …, "since": …, "ended": …}}]}}. `kind` is one of {kinds}. Write names '
    "and objects exactly as they stand in the turns; leave out what is not said there. Facts come from turns of the "
    "role `user` alone, not from questions, plans, jokes, quotations or examples. `turn` is the turn's number; "
    "`subject` a name, or `I` for who speaks; `predicate` in lower case with underscores, such as {predicates}; "
    "`object_kind` the kind of a named object, or null for a plain value; `since` an ISO date where the turn tells "
    "since when, or null; `ended` true where it says that it holds no more.{known}"
)


def _text(value: Any) -> Any:
    """A plain value as the text that it stands for: models write `44` for "44"."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _text_or_none(value: Any) -> Any:
    """The same of a field that is not needed: what is of no use there must not cost the rest."""
    return text if isinstance(text := _text(value), str) else None


def _whether(value: Any) -> Any:
    """Whether something ended, where a reply says when, or says that it does not know. What is not understood stays as
    it is: a fact that may have ended is not stored as one that holds."""
    if not isinstance(value, str):
        return value
    word = value.strip().lower()
    return True if re.match(r"(?:19|20)\d\d\b", word) else None if word in _UNTOLD else value


class _Entity(Form):
    name: str
    kind: Annotated[str, BeforeValidator(lambda kind: _text_or_none(kind) or "")] = Field(
        default="", json_schema_extra={"enum": list(_KINDS)}
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class _Stated(Form):
    turn: int
    subject: str
    predicate: str
    object: Annotated[str, BeforeValidator(_text)]
    object_kind: Annotated[str | None, BeforeValidator(_text_or_none)] = None
    since: Annotated[str | None, BeforeValidator(_text_or_none)] = None
    ended: Annotated[bool | None, BeforeValidator(_whether)] = False


class _Found(Form):
    entities: list[_Entity] = Field(default_factory=list)
    facts: list[_Stated] = Field(default_factory=list)

    @model_validator(mode="wrap")
    @classmethod
    def _says_something(cls, value: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        """Fails where a reply has neither list, and where nothing in them is of use."""
        found = validate(value)
        given = [value.get(name) for name in ("entities", "facts")] if isinstance(value, dict) else []
        if not any(isinstance(each, list) for each in given):
            raise ValueError("neither entities nor facts")
        if any(given) and not (found.entities or found.facts):
            raise ValueError("no entity and no fact in the form that was asked for")
        return found


async def extract_window(
    llm: LLM,
    turns: Sequence[Said],
    known: Iterable[tuple[str, EntityKind]] = (),
    conversation: str | None = None,
) -> Extraction | None:
    """What an LLM finds in a window of some ten turns; None where its reply is of no use, also when it was asked once
    more. `known` are names that the palace has already.

    Raises CapReached where the user's caps do not allow the call, and ModelUnavailable where the LLM does not serve.
    """
    budget = Budget(llm.seconds, _TOKENS, _TRIES, once_more=True)
    try:
        reply = await llm.complete("memory_extract", _messages(turns, known), _Found, budget, conversation)
    except ReplyUnusable:
        return None
    return _checked(reply.said, turns)


async def estimate_windows(llm: LLM, windows: Iterable[Sequence[Said]]) -> CostEstimate:
    """What reading these windows would take at most, each reply being of use at once. Nothing is sent."""
    return await llm.estimate([_messages(turns, ()) for turns in windows], Budget(llm.seconds, _TOKENS), _Found)


def _messages(turns: Sequence[Said], known: Iterable[tuple[str, EntityKind]]) -> list[dict[str, str]]:
    lines, is_data = quoted(
        {"turn": index, "role": turn.role, "speaker": turn.speaker, "at": f"{turn.at:%Y-%m-%d}", "text": _read(turn)}
        for index, turn in enumerate(turns)
    )
    spoken = "\n".join(map(_read, turns)).casefold()
    names = [f"{name} ({kind})" for name, kind in known if name.casefold() in spoken and name != SELF][:_KNOWN]
    task = _TASK.format(
        data=is_data,
        kinds=", ".join(_KINDS),
        predicates=_PREDICATES,
        known=f" Known already: {', '.join(names)}." if names else "",
    )
    return [{"role": "system", "content": task}, {"role": "user", "content": lines}]


def _read(turn: Said) -> str:
    return turn.text[:_CHARACTERS]


def _checked(found: _Found, turns: Sequence[Said]) -> Extraction | None:
    """What the turns bear out of a reply; None where that is less than half of its names, or none of its facts and no
    name."""
    kinds: dict[str, EntityKind] = {}
    mentions: list[Mention] = []
    named = [each for each in found.entities[:_ENTITIES] if _name(each.name).casefold() not in _NO_NAMES]
    for each in named:
        name, kind = _name(each.name), _kind(each.kind)
        places = [] if name.casefold() in kinds else list(_places(name, turns))
        if places:
            kinds[name.casefold()] = kind
            mentions += [
                Mention(turn=turn, name=turns[turn].text[start:end], kind=kind, start=start, end=end)
                for turn, start, end in places
            ]
    if 2 * len(kinds) < len({_name(each.name).casefold() for each in named}):
        return None
    facts: list[Fact] = []
    for stated in found.facts[:_FACTS]:
        unlisted = _unlisted(stated.subject, turns, kinds)
        with_subject: dict[str, EntityKind] = {**kinds, **{each.name.casefold(): each.kind for each in unlisted}}
        fact = _fact(stated, turns, with_subject)
        if fact is not None:
            facts.append(fact)
            kinds = with_subject
            mentions += unlisted
    if found.facts and not facts and not mentions:
        return None
    ordered = sorted(mentions, key=lambda each: (each.turn, each.start, each.end))
    return Extraction(mentions=tuple(ordered), facts=tuple(dict.fromkeys(facts)))


def _unlisted(subject: str, turns: Sequence[Said], kinds: dict[str, EntityKind]) -> list[Mention]:
    """Mentions of a fact's subject that a reply does not list among its entities, if the turns write it as a name. Its
    kind is then for others to say."""
    name = _name(subject)
    key = name.casefold()
    if key in kinds or key in _NO_NAMES | _FIRST_PERSON or key in {turn.speaker.casefold() for turn in turns}:
        return []
    return [
        Mention(turn=turn, name=text, kind="topic", start=start, end=end)
        for turn, start, end in _places(name, turns)
        if _is_name(text := turns[turn].text[start:end])
    ]


def _is_name(text: str) -> bool:
    """Whether a text is written as a name: each word begins with a capital, or with a letter that has none, and the
    first is no word such as "My"."""
    words = text.split()
    return words[0].casefold() not in _NEVER_FIRST and all(each[0] == each[0].upper() for each in words)


def _fact(stated: _Stated, turns: Sequence[Said], kinds: dict[str, EntityKind]) -> Fact | None:
    """A fact as far as its turn bears it out."""
    if not 0 <= stated.turn < len(turns) or turns[stated.turn].role != "user":
        return None
    turn, predicate, value = turns[stated.turn], _predicate(stated.predicate), _name(stated.object)
    subject = _name(stated.subject)
    if subject.casefold() in {*_FIRST_PERSON, turn.speaker.casefold()}:
        subject, subject_kind = turn.speaker, _kind("person")
    elif subject.casefold() in kinds:
        subject_kind = kinds[subject.casefold()]
    else:
        return None
    said = next(_spans(value, turn.text[:_CHARACTERS]), None)
    if predicate is None or said is None or subject.casefold() == value.casefold():
        return None
    return Fact(
        turn=stated.turn,
        subject=subject,
        subject_kind=subject_kind,
        predicate=predicate,
        object=turn.text[slice(*said)],
        object_kind=kinds.get(value.casefold()) if stated.object_kind else None,
        since=_since(stated.since, turn.at),
        ended=stated.ended is True,
    )


def _kind(text: str) -> EntityKind:
    kind = text.strip().lower()
    return next((each for each in _KINDS if each == kind), _CALLED.get(kind, "topic"))


def _name(text: str) -> str:
    return " ".join(text.split())[: _LONGEST + 1].strip("\"'.,;:!?")


def _predicate(text: str) -> str | None:
    """A predicate in its form, by the name that rules have for it; None where it is none. Standing instructions are
    found by rules alone: an LLM could be talked into one that the user did not give."""
    predicate = "_".join(re.findall(r"[a-z0-9]+", text.lower()))
    if len(predicate) > 60 or not _PREDICATE.fullmatch(predicate) or predicate == instructions.PREDICATE:
        return None
    return _SAME.get(predicate, predicate)


def _since(text: str | None, said_at: datetime) -> datetime | None:
    """A moment that a reply tells, which for a plan comes after it was said: also a year or a month alone, from its
    first day. None for other texts."""
    told = (text or "").strip()
    try:
        moment = datetime.fromisoformat(told + {4: "-01-01", 7: "-01"}.get(len(told), ""))
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment if 1900 <= moment.year <= said_at.year + _AHEAD else None


def _places(name: str, turns: Sequence[Said]) -> Iterator[tuple[int, int, int]]:
    for index, turn in enumerate(turns):
        for start, end in _spans(name, turn.text[:_CHARACTERS]):
            yield index, start, end


def _spans(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a name stands in a text as whole words, case and white space ignored."""
    if not name or len(name) > _LONGEST or not any(each.isalnum() for each in name):
        return iter(())
    return (match.span() for match in _pattern(name).finditer(text))


@lru_cache(1024)
def _pattern(name: str) -> re.Pattern[str]:
    body = r"\s+".join(map(re.escape, name.split()))
    # Writing without spaces has no edges of words to look for.
    before, after = (r"(?<!\w)" if _spaced(name[0]) else "", r"(?!\w)" if _spaced(name[-1]) else "")
    return re.compile(before + body + after, re.IGNORECASE)


def _spaced(letter: str) -> bool:
    return letter.isalnum() and not ("\u0e00" <= letter <= "\u109f" or "\u2e80" <= letter <= "\ud7ff")
