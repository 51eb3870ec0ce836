"""Signals → one order. Every signal has a fixed scale of its own, never one that depends on the other hits.

What each signal adds to a turn's score (the weights were found on conversations of LoCoMo and LongMemEval that
`docs/performance.md` names):

keyword       BM25 of the turn, its speaker and its day, as a share of what the question's words can weigh
neighbors    the same over the turn and the ones before and after it
semantic      cosine similarity of the question to the turn, read with its speaker and the end of the turn before
translation   likeness of the question to a turn in another language, by the multilingual model
topic         cosine similarity of the question to all that people said in the room
speaker       the question names who said it
reply         the turn before asked something that is about the question, and another answers
preference    a person's liking, habit or choice in the matter, where the question asks for such or for advice
substance     longer turns tell more, up to 30 words or so
temporal      nearness to the time that the question names, or tells by an event
recent        newer turns, where the question asks how things are at present
conversation  how well the room's three best turns do by all of these

A turn of an assistant counts half, unless the question asks for what the assistant said.

A message to an agent (ricordo.recall.message) is ranked otherwise, since it goes on with what was talked about lately:
an assistant's turns count as much as where they are asked for, `recent` gives newer turns up to half of what the other
signals give, `substance` grows with the length of a turn, since plans and decisions are long, and `conversation` grows
with what the two best other turns of the room got. Which turns are worth a line is decided before that, as for any
question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, tzinfo

import numpy as np

from ricordo.accounts import Corpus
from ricordo.recall.lexical import Lexical, lexical
from ricordo.recall.preference import preferences
from ricordo.recall.question import Question
from ricordo.recall.store import Details, Postings
from ricordo.times import within

WEIGHTS = {
    "keyword": 1.0,
    "neighbors": 1.0,
    "semantic": 1.0,
    "translation": 1.7,
    "topic": 0.5,
    "speaker": 0.4,
    "reply": 0.15,
    "preference": 0.4,
    "substance": 0.3,
    "temporal": 0.6,
    "recent": 0.15,
    "conversation": 0.5,
}
#: What a turn counts as said by a person who is named, where none of these speaks.
_NOT_THERE = 0.5
#: The turns of a room that say how good it is. One alone may be chance; all of them would favour short rooms.
_BEST_OF_ROOM = 3
#: The cosine that counts as 1: two tellings of one thing by this kind of embedding model.
_COSINE_SCALE = 0.7
_CHARACTERS = 200
_ASSISTANT, _ASSISTANT_ASKED = 0.5, 0.9
#: Days in which a turn loses half of what it counts for being recent.
_HALF_LIFE = 365
#: Of messages: the days in which a turn loses half of what it gets for being recent, which part of the other signals
#: that is at most, and what each e-fold of a turn's length adds, up to the longest. Found on three people of RealMem.
_LATELY, _RECENT, _LONG, _LONGEST = 20, 0.5, 0.2, 3_000
#: What a message's turn gets of the best other turn of its room, and how much of that again of the next one.
_BESIDE_IT, _THEN = 0.3, 0.6
#: How much of an event's words must stand in and beside a turn (of 2) that is taken to tell of it.
_TELLS_OF = 0.8
#: How many times more nearness to a time counts where the question tells nothing else, and what a day counts then that
#: is near the named ones and none of them.
_TIME_ALONE, _BESIDE = 4.0, 0.7
#: Seconds.
_QUARTER = 900
#: What nearness to a time counts that was found by an event, which may have been another of that name.
_SURENESS = 0.6
#: A turn with a vector is worth a line where it scores so much, or is so like the question in meaning alone. Of
#: questions to small stores that know nothing of the matter three in four then bring back nothing; of 487 questions
#: that have an answer none loses a line of it.
_LEAST, _LEAST_ALIKE = 1.2, 0.28
#: The likeness across languages that counts for nothing, and how much more counts as 1. Nine in ten turns about other
#: matters are less like a question than the first; half of the answers in another language are as like it as both.
_STRANGE, _TRANSLATED = 0.12, 0.2
#: Below this similarity, and without a common word nearby, a turn has nothing to do with the question.
_UNRELATED = 0.2


def signals(question: Question, details: Details, words: Lexical | None) -> dict[str, np.ndarray]:
    """What each signal adds to the score of each candidate. The candidates' places are in rising order."""
    nothing = np.zeros(len(details.places), np.float32)
    if question.of_time and question.anchor and question.span:  # the event has told the time, and is not asked for
        words = None
    keyword, neighbors = words.of(details.places) if words else (nothing, nothing)
    semantic, rooms = _similarity(details.cosine), details.places >> 32
    near = _temporal(question, details.said_at)
    if question.of_time and question.zone is not UTC:
        dated = ~_misdated(question, details.said_at)
        keyword, neighbors = keyword * dated, neighbors * dated
    translation = nothing
    if details.translated is not None:
        translation = np.clip((details.translated - _STRANGE) / _TRANSLATED, 0, 1.5)
    raw = {
        "keyword": keyword,
        "neighbors": neighbors,
        "semantic": semantic,
        "translation": translation,
        "topic": _similarity(details.room_cosine),
        "speaker": _named(question, details.speakers, rooms),
        "reply": _reply(details, keyword + semantic),
        "preference": nothing if details.texts is None else semantic * preferences(details.texts.tolist(), rooms),
        "substance": np.minimum(details.characters, _CHARACTERS) / _CHARACTERS,
        "temporal": near * _time_counts(question),
        "recent": _recent(question.today, details.said_at) if question.of_present else nothing,
    }
    assistant = _ASSISTANT_ASKED if question.of_assistant else _ASSISTANT
    factor = np.where(details.by_assistant == 1, assistant, 1.0)
    related = (keyword > 0) | (neighbors > 0) | (details.cosine >= _UNRELATED) | (translation > 0)
    if question.of_time:
        related = (near > 0) | (related & (question.anchor is not None))
    given = {name: (WEIGHTS[name] * value * factor * related).astype(np.float32) for name, value in raw.items()}
    own = np.sum(list(given.values()), axis=0)
    return given | {"conversation": conversation_signal(rooms, own) * related}


def of_message(question: Question, details: Details, given: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What each signal adds where the question is a message, by what it adds to a question."""
    counts = 1.0 if question.of_assistant else np.where(details.by_assistant == 1, _ASSISTANT_ASKED / _ASSISTANT, 1.0)
    own = {name: value * counts for name, value in given.items() if name != "conversation"}
    related = own["substance"] > 0
    long = _LONG * np.log(np.clip(details.characters, _CHARACTERS, _LONGEST) / _CHARACTERS)
    total = np.sum(list(own.values()), axis=0)
    own["recent"] = own["recent"] + _RECENT * total * _recent(question.today, details.said_at, _LATELY)
    own["substance"] = own["substance"] + long * related
    total = np.sum(list(own.values()), axis=0).astype(np.float32)
    return own | {"conversation": conversation_signal(details.places >> 32, total) * related}


def conversation_signal(rooms: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """What each candidate gets for its room, by what the other signals gave to the candidates."""
    signal: np.ndarray = (WEIGHTS["conversation"] * _rooms_best(rooms, scores)).astype(np.float32)
    return signal


def companions(rooms: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """What each candidate gets in a message for the two best others in its room: what a message goes on with was
    talked about in several turns, of which chance makes one alike."""
    if not len(rooms):
        return scores
    order, starts, sizes, rank = _by_room(rooms, scores)
    padded = np.r_[scores[order], np.zeros(_BEST_OF_ROOM, scores.dtype)]
    first, second, third = (np.repeat(np.where(sizes > at, padded[starts + at], 0), sizes) for at in range(3))
    nearest, next_best = np.where(rank == 0, second, first), np.where(rank < 2, third, second)
    best = np.empty(len(rooms), np.float32)
    best[order] = _BESIDE_IT * nearest + _BESIDE_IT * _THEN * next_best
    return best


def _named(question: Question, speakers: np.ndarray, rooms: np.ndarray) -> np.ndarray:
    """1 where the question names the speaker, 0 where it names somebody else in the room.

    A room where nobody who is named speaks tells nothing either way: half. Nor does a name beside the asker's own.
    """
    if question.with_asker:
        return np.zeros(len(speakers), np.float32)
    people = speakers.tolist()
    by_name = {each: question.names(each) for each in set(people)}
    named = np.array([by_name[each] for each in people], bool)
    if not named.any():
        return np.zeros(len(people), np.float32)
    return np.where(np.isin(rooms, rooms[named]), named, _NOT_THERE).astype(np.float32)


def _reply(details: Details, about: np.ndarray) -> np.ndarray:
    """How much the turn before is about the question, where it asks and somebody else said it."""
    reply = np.zeros(len(about), np.float32)
    after = np.flatnonzero(details.places[1:] == details.places[:-1] + 1) + 1
    other = details.speakers[after] != details.speakers[after - 1]
    reply[after] = about[after - 1] * details.asks[after - 1] * other
    return reply


def _by_room(rooms: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The candidates room by room, the best of each first; where each room begins among them, how many it has, and the
    rank of each candidate in its room, from 0."""
    order = np.lexsort((-scores, rooms))
    starts = np.flatnonzero(np.r_[True, rooms[order][1:] != rooms[order][:-1]])
    sizes = np.diff(np.r_[starts, len(rooms)])
    return order, starts, sizes, np.arange(len(rooms)) - np.repeat(starts, sizes)


def _rooms_best(rooms: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """For each candidate the mean of the best scores in its room; where there are fewer, they count as 0."""
    if not len(rooms):
        return scores
    order, starts, sizes, rank = _by_room(rooms, scores)
    sums = np.add.reduceat(np.where(rank < _BEST_OF_ROOM, scores[order], 0), starts)
    best = np.empty(len(rooms), np.float32)
    best[order] = np.repeat(sums / _BEST_OF_ROOM, sizes)
    return best


def totals(question: Question, details: Details, given: Mapping[str, np.ndarray]) -> np.ndarray:
    """The scores: the sums of what the signals gave, and 0 for what is not worth a line."""
    total = np.sum(list(given.values()), axis=0)
    # Without a vector a common word is all there can be, and where a time is all that is told, the time.
    worth = (total >= _LEAST) | (details.cosine >= _LEAST_ALIKE) | np.isnan(details.cosine)
    worth |= given["translation"] >= _LEAST / 2
    if question.of_time:
        worth |= given["temporal"] > 0
    scores: np.ndarray = np.where(worth, total, 0)
    return scores


def dated(question: Question, details: Details, found: Mapping[int, Postings], corpus: Corpus) -> Question:
    """The question with the span that its anchor means, where a candidate tells of the event."""
    if question.anchor is None or not len(details.places):
        return question
    words = lexical(replace(question, words=question.event), found, corpus, details.places)
    if words is None:
        return question
    keyword, neighbors = words.of(details.places)
    best = int(np.argmax(keyword + neighbors))
    if keyword[best] + neighbors[best] < _TELLS_OF:
        return question
    day = _day(int(details.said_at[best]), question.zone)
    try:
        return replace(question, span=question.anchor.span(day, question.today))
    except OverflowError:
        return question


def _time_counts(question: Question) -> float:
    """How much nearness to the time counts: most where nothing else is told, less where an event tells the time."""
    if question.of_time:
        return _TIME_ALONE
    return _SURENESS if question.anchor else 1.0


def _temporal(question: Question, said_at: np.ndarray) -> np.ndarray:
    """How near each turn is to the time that is asked for, by the days of the question's zone."""
    span = question.span
    if span is None:
        return np.zeros(len(said_at), np.float32)
    # Where the time is all that is told, the days that are named come before those on which people tell of them.
    least = _BESIDE if question.of_time else 1.0
    return _by_day(said_at, question.zone, lambda day: span.nearness(day) * (1.0 if span.names(day) else least)).astype(
        np.float32
    )


def _misdated(question: Question, said_at: np.ndarray) -> np.ndarray:
    """Which turns have the words of a named day for their own, which are those of UTC's day, and were said on another
    day of the question's zone."""
    span = question.span
    if span is None:
        return np.zeros(len(said_at), bool)

    stored, asked = (_by_day(said_at, zone, span.names) for zone in (UTC, question.zone))
    misdated: np.ndarray = stored & ~asked
    return misdated


def _by_day(said_at: np.ndarray, zone: tzinfo, value: Callable[[date], object]) -> np.ndarray:
    """What `value` says of the day of each turn in a zone."""
    # No zone is off by less than a quarter of an hour.
    quarters, row = np.unique(said_at // _QUARTER, return_inverse=True)
    values = [value(_day(int(each) * _QUARTER, zone)) for each in quarters]
    found: np.ndarray = np.array(values)[row] if values else np.zeros(0, bool)
    return found


def _day(said_at: int, zone: tzinfo) -> date:
    """The day in a zone, of seconds since 1970."""
    return within(datetime.fromtimestamp(said_at, UTC), zone).date()


def _recent(today: date, said_at: np.ndarray, half_life: int = _HALF_LIFE) -> np.ndarray:
    age = datetime(today.year, today.month, today.day, tzinfo=UTC).timestamp() / 86_400 - said_at / 86_400
    recent: np.ndarray = 0.5 ** (np.maximum(age, 0) / half_life)
    return recent


def _similarity(cosine: np.ndarray) -> np.ndarray:
    # Of a number and NaN, which stands where there is no vector, fmax takes the number.
    similarity: np.ndarray = np.minimum(np.fmax(cosine, 0), 1) / _COSINE_SCALE
    return similarity
