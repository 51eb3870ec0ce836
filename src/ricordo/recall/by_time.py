"""The choice of turns and hits by their time, for questions that ask for that (ricordo.recall.chronology)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from math import ceil

from ricordo.models import Hit
from ricordo.recall.chronology import By, Chronology, by_time_alone
from ricordo.recall.context import lines_in, render, room_for
from ricordo.recall.standing import falling
from ricordo.recall.when import moments
from ricordo.text import term_hash, variants, words
from ricordo.text.small_talk import is_small_talk
from ricordo.times import within

#: A turn of so many characters tells as much as longer ones; an assistant's counts a quarter.
_SUBSTANCE, _ASSISTANT = 200, 0.25
#: Turns of each talk where no particular one is asked for.
_OF_EACH = 2
#: A hit is about what the best one is about if it has this share of its words of the topic, or of its score.
_AS_MUCH, _AS_GOOD = 0.75, 0.5
#: Where an order is asked for: what the next hit of a conversation counts (any value up to 0.85 does about the same),
#: and how many of the likeliest hits come first, in order of time, before the others.
_AGAIN, _LIKELIEST = 0.8, 10
#: Characters of a hit that are read.
_READ = 2_000
#: A conversation that is under way may have paused this long: a longer silence begins another room.
_PAUSE = timedelta(hours=8)


@dataclass(frozen=True)
class Turn:
    """A turn that may be chosen, and the beginning of what it says."""

    place: int
    role: str
    at: datetime
    conversation: str
    text: str

    @property
    def room(self) -> int:
        return self.place >> 32


@dataclass(frozen=True)
class Asking:
    """A question for turns by time as it is asked: when, where, for how many turns, and for how many tokens."""

    asked: Chronology
    now: datetime
    zone: tzinfo
    #: The conversation in which it is asked, if the caller says.
    conversation: str | None
    most: int
    max_tokens: int

    def period(self) -> tuple[datetime, datetime]:
        """From when to when the turns are that may be meant; some later ones, by which a talk is known to go on."""
        if self.asked.span is not None:
            return moments(*self.asked.span.exact, self.zone)
        later = _PAUSE if self.asked.by in (By.LATEST, By.RECENT) else timedelta(seconds=1)
        last = datetime.max.replace(tzinfo=UTC) - timedelta(days=2)
        return datetime.min.replace(tzinfo=UTC) + timedelta(days=2), min(self.now, last) + later

    def is_under_way(self, last: Turn | Hit) -> bool:
        """Whether a talk with this last turn is the one in which it is asked."""
        return last.conversation == self.conversation and self.now - last.at < _PAUSE


def chosen(turns: Sequence[Turn], asking: Asking) -> list[int]:
    """The places of the turns, of those given in order of time, that a question without a topic asks for."""
    asked, most = asking.asked, asking.most
    telling = _telling(turns, asked)
    if asked.by in (By.FIRST, By.LAST):
        past = [each.place for each in telling if each.at <= asking.now]
        return past[:most] if asked.by is By.FIRST else past[::-1][:most]
    talks = _talks(telling)
    if asked.by is not By.DAYS:
        talks = _before(talks, turns, asking)[: 1 if asked.by is By.LATEST else ceil(most / _OF_EACH)]
    elif len(talks) > most:  # spread over all of them
        talks = [talks[number * len(talks) // most] for number in range(most)]
    quotas = _quotas([len(talk) for talk in talks], most)
    sample = [each for talk, quota in zip(talks, quotas, strict=True) for each in _sample(talk, quota)]
    sample.sort(key=lambda each: (each.at, each.place), reverse=not asked.oldest_first)
    return [each.place for each in sample]


def _telling(turns: Sequence[Turn], asked: Chronology) -> list[Turn]:
    """The turns with content, each text once."""
    texts: dict[object, Turn] = {}
    for each in turns:
        if not (is_small_talk(each.text) or _asks_the_same(each.text)):
            texts.setdefault((frozenset(words(each.text)), each.room), each)
    own = [each for each in texts.values() if each.role != "assistant"] if asked.own else []
    return own or list(texts.values())


def _asks_the_same(text: str) -> bool:
    """Whether a turn is a question for a time, too."""
    return text.rstrip().endswith("?") and by_time_alone(text)


def _talks(turns: Sequence[Turn]) -> list[list[Turn]]:
    """The turns of each room, the room first whose last turn is the newest."""
    rooms: dict[int, list[Turn]] = {}
    for each in turns:
        rooms.setdefault(each.room, []).append(each)
    return sorted(rooms.values(), key=lambda talk: (talk[-1].at, talk[-1].place), reverse=True)


def _before(talks: Sequence[list[Turn]], turns: Sequence[Turn], asking: Asking) -> list[list[Turn]]:
    """The talks as they stood when it was asked, without the one that is under way where there is another."""
    ends = {each.room: each.at for each in turns}
    past = [until for talk in talks if (until := [each for each in talk if each.at <= asking.now])]
    over = [talk for talk in past if ends[talk[0].room] <= asking.now and not asking.is_under_way(talk[-1])]
    return over or past


def _quotas(sizes: Sequence[int], most: int) -> list[int]:
    """How many turns of each talk are chosen, as evenly as their sizes allow; the first ones get what is left over."""
    quotas = [0] * len(sizes)
    while (left := most - sum(quotas)) > 0 and quotas != list(sizes):
        more = [number for number, size in enumerate(sizes) if quotas[number] < size]
        for number in more[:left]:
            quotas[number] += 1
    return quotas


def _sample(talk: Sequence[Turn], quota: int) -> list[Turn]:
    """The turn that tells most of each of so many stretches of a talk."""
    ends = [number * len(talk) // quota for number in range(quota + 1)] if quota else []
    return [max(talk[first:end], key=_worth) for first, end in pairwise(ends)]


def _worth(turn: Turn) -> float:
    return min(len(turn.text), _SUBSTANCE) * (_ASSISTANT if turn.role == "assistant" else 1)


def arranged(hits: Sequence[Hit], asking: Asking, shares: Sequence[float]) -> list[Hit]:
    """The best hits for a question with a topic: first those about it that are asked for, by time, then the others.

    `shares` says for each hit what part of the topic's words it has.
    """
    asked, best = asking.asked, max(shares, default=0.0)
    about = [hit for hit, share in zip(hits, shares, strict=True) if best and share >= _AS_MUCH * best]
    if asked.by is By.ORDER or not about:
        about = [hit for hit in hits if hit.score >= _AS_GOOD * hits[0].score]
    wanted = _in_time(about, asking)
    if asked.own:
        wanted = [hit for hit in wanted if hit.speaker != "assistant"] or wanted
    if asked.by is By.ORDER:  # those that the block has room for, so that it does not lose the best of them
        wanted = _spread(wanted)[: asking.most]
        block, _ = render(wanted, asking.max_tokens, asking.zone)
        wanted = wanted[: max(lines_in(block), room_for(asking.max_tokens))]
        likeliest = {hit.id for hit in wanted[:_LIKELIEST]}
        wanted.sort(key=lambda hit: (hit.id not in likeliest, hit.at, hit.position))
    elif asked.by is not By.DAYS or asked.oldest_first:
        wanted.sort(key=lambda hit: (hit.at, hit.position), reverse=not asked.oldest_first)
    ids = {hit.id for hit in wanted[: asking.most]}
    return falling([*wanted, *(hit for hit in hits if hit.id not in ids)][: asking.most], "temporal")


def _spread(hits: Sequence[Hit]) -> list[Hit]:
    """The hits with those of other conversations before more of the same one: what was brought up over many
    conversations was mostly brought up once in each."""
    counted, before = [], Counter[str]()
    for hit in sorted(hits, key=lambda each: -each.score):
        counted.append((hit.score * _AGAIN ** before[hit.conversation], hit))
        before[hit.conversation] += 1
    return [hit for _, hit in sorted(counted, key=lambda each: -each[0])]


def _in_time(hits: Sequence[Hit], asking: Asking) -> list[Hit]:
    """The hits of the days that are asked for or, where the last ones are, of before."""
    span = asking.asked.span
    if span is not None:
        return [hit for hit in hits if span.names(within(hit.at, asking.zone).date())]
    past = [hit for hit in hits if hit.at <= asking.now]
    if asking.asked.by in (By.LATEST, By.RECENT):
        return [hit for hit in past if not asking.is_under_way(hit)] or past
    return past


def share(topic: Sequence[frozenset[int]], text: str, languages: tuple[str, ...]) -> float:
    """What part of a topic's words, given by the forms of each, a text has."""
    said = {term_hash(form) for word in set(words(text[:_READ])) for form in variants(word, (*languages, "en"))}
    return sum(not forms.isdisjoint(said) for forms in topic) / max(1, len(topic))
