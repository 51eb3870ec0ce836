"""A question → the right lines: candidates by word and by meaning, ranked by all signals."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from anyio import to_thread

from ricordo import accounts, audit, palace, rules, vectors
from ricordo.accounts import Corpus
from ricordo.audit import Actor
from ricordo.database import Database, Transaction, planned_by_values
from ricordo.embedding import EmbeddingModel, Vocabulary
from ricordo.errors import InvalidInput
from ricordo.models import Crossing, Filters, Hit, RecallResult, UserSettings
from ricordo.palace import Pointer
from ricordo.recall import about, lexical, ranking, refining, store
from ricordo.recall.by_time import Asking, arranged, chosen, share
from ricordo.recall.chronology import By, Chronology
from ricordo.recall.confidence import CERTAIN, LEAST, NONE, READ, Confidence, confidence
from ricordo.recall.context import quoted, render, render_evenly
from ricordo.recall.decisions import decisions, standing_decisions, with_decisions
from ricordo.recall.excerpts import excerpt
from ricordo.recall.instructions import Instructions, instructions
from ricordo.recall.meaning import Meaning, beside, meaning_beside
from ricordo.recall.other_names import possible_names, with_other_names
from ricordo.recall.question import Question, parse
from ricordo.recall.rerank import CANDIDATES, Reranker
from ricordo.recall.respelling import respelt
from ricordo.recall.standing import Place, Who, by_standing
from ricordo.recall.store import Narrowing, Postings
from ricordo.text import closest, words
from ricordo.text.small_talk import is_small_talk
from ricordo.times import within

#: Candidates that each of the two ways of finding contributes, unless more lines are wanted. More find no more.
_CANDIDATES = 150
MOST_HITS = 1000
#: Tokens of a context block where nobody says how many.
_TOKENS = 2000
#: Where lines are to fill a budget: the most of them; the least tokens that one may take; how many come first, and
#: which part of the budget one of these may take, and each other one. So the first tell what they say at length, and
#: no long turn keeps the rest of the evidence out. Chosen on four chats of BEAM (docs/lab/recall.md).
_MOST_LINES, _LINE, _FIRST, _SHARE_OF_FIRST, _SHARE = 150, 60, 3, 10, 60
#: Lines that are fetched at once beyond those asked for, since some may be told twice.
_SPARE = 3
_USER = Actor()
_UNLIKELY = "The turns found are unlikely to answer the question; set min_confidence to 0 to get them anyway."
_SMALL_TALK = "Small talk: nothing was searched."
_OFF = "Memory is turned off in the settings; no results."

log = logging.getLogger("ricordo.recall")


@dataclass(frozen=True)
class _Scored:
    """Candidates: their places, what each signal gave them, and their scores."""

    places: np.ndarray
    given: dict[str, np.ndarray]
    totals: np.ndarray
    #: Which have no vector yet.
    vectorless: np.ndarray
    #: What share of `wording` counts for the question; None where it is compared by words only.
    counted: float | None = None
    #: Whether a time is all that is asked for: what was said then answers.
    of_time: bool = False
    #: The speaker of each, and the beginnings of the best texts, by place.
    speakers: np.ndarray = field(default_factory=lambda: np.empty(0, object))
    texts: Mapping[int, str] = field(default_factory=dict)

    def given_otherwise(self, given: dict[str, np.ndarray]) -> _Scored:
        """The same candidates by other signals; none becomes worth a line."""
        return replace(self, given=given, totals=np.where(self.totals > 0, np.sum(list(given.values()), axis=0), 0))

    def order(self) -> np.ndarray:
        """Which candidates are worth a line, the best first; of equal ones the newer place, so that the order is the
        same each time."""
        order = np.lexsort((-self.places, -self.totals))
        worth: np.ndarray = order[self.totals[order] > 0]
        return worth

    def confidence(self, question: Question, languages: tuple[str, ...]) -> Confidence:
        """How likely they answer the question."""
        order = self.order()
        if self.of_time:
            return CERTAIN if len(order) else NONE
        by_words = self.counted is None or bool(self.vectorless[order[:1]].any())
        given = {name: self.given[name][order] for name in READ}
        if by_words:
            return confidence(self.totals[order], given, None)
        return confidence(self.totals[order], given, self.counted, self._lead(order, question, languages))

    def _lead(self, order: np.ndarray, question: Question, languages: tuple[str, ...]) -> float | None:
        """The lead of lines about the person that the question names, or None if it names nobody."""
        asked = about.asked_about(question, self.speakers.tolist())
        if asked is None:
            return None
        scores, places = self.totals - self.given["speaker"] - self.given["recent"], self.places.tolist()
        best = [(places[each], float(scores[each])) for each in order[: about.LINES]]
        lines = [(place, self.texts[place], score) for place, score in best if place in self.texts]
        speakers = dict(zip(places, self.speakers.tolist(), strict=True))
        return about.lead(question, asked, speakers, lines, languages) if lines else None


@dataclass(frozen=True)
class _Found:
    """The best lines: as many as are wanted or, where an LLM is to put them in order, some more."""

    settings: UserSettings
    keep: int
    pending: int
    hits: Sequence[Hit] = ()
    reranker: Reranker | None = None
    #: The time zone whose days are the user's.
    zone: tzinfo = UTC
    #: The part of a turn that goes into the block, by its rank and text; all of it where it is None.
    passage: Callable[[int, str], str] | None = None
    #: Whether only all of the lines together answer the question.
    together: bool = False
    #: How likely the hits answer the question.
    confidence: float = 0.0
    #: The standing instructions that govern the request.
    instructions: Instructions = field(default_factory=Instructions)
    #: Whether something was found that is too unlikely to answer it.
    is_unlikely: bool = False
    #: Whether anything was looked at; not where memory is turned off, or where there is none.
    looked: bool = False

    @property
    def is_sent(self) -> bool:
        """Whether an LLM gets the lines."""
        return self.reranker is not None and len(self.hits) > 1 and self.reranker.asks(self.settings.rerank_model)


@dataclass(frozen=True)
class Request:
    """What a caller asks to recall. Where only `max_tokens` are given, as many turns as fit the block are wanted, of
    long ones the part that is asked for; where `top_k` is not given either, as many as the user's settings say. Raises
    InvalidInput for arguments that cannot be."""

    question: str
    top_k: int | None
    now: datetime | None
    filters: Filters
    max_tokens: int | None
    #: The conversation in which it is asked, if the caller says.
    conversation: str | None = None
    #: What was said right before it, if the caller says.
    context: str | None = None
    #: The confidence below which nothing comes back; None for the usual one.
    min_confidence: float | None = None

    def __post_init__(self) -> None:
        _check(self.question, self.top_k, self.max_tokens, self.filters)
        if self.min_confidence is not None:
            rules.confidence(self.min_confidence, "min_confidence")

    def is_unlikely(self, confidence: float, question: Question, by_words: bool) -> bool:
        """Whether hits are too unlikely to answer the question to come back. Advice has no one answer, most words of a
        message are not what it asks for, and words alone tell too little: there only the caller's own limit counts."""
        if self.min_confidence is None:
            return confidence < LEAST and not (by_words or question.of_preference or question.is_message)
        return confidence < self.min_confidence

    @property
    def tokens(self) -> int:
        """How many tokens the block may have."""
        return self.max_tokens or _TOKENS

    @property
    def fills(self) -> bool:
        """Whether as many turns are wanted as the block holds."""
        return self.top_k is None and self.max_tokens is not None

    def most(self, usual: int) -> int:
        """How many turns are wanted at most, where `usual` is what the settings say."""
        return max(1, min(2 * self.tokens // _LINE, _MOST_LINES)) if self.fills else self.top_k or usual

    @property
    def moment(self) -> datetime:
        """When it is asked."""
        return self.now or self.filters.as_of or datetime.now(UTC)

    def answered_by_nothing(self) -> RecallResult | None:
        """The empty result for a message without content; None for any other."""
        if not is_small_talk(self.question):
            return None
        return RecallResult(context="", tokens=0, results=(), notes=(_SMALL_TALK,))


@dataclass(frozen=True)
class _Asked:
    """A question as it was read, and what it is asked of."""

    request: Request
    question: Question
    corpus: Corpus
    other_names: Mapping[str, list[str]]
    narrowing: Narrowing
    who: Who
    keep: int

    async def standing(self, tx: Transaction, hits: Sequence[Hit], state: bool) -> list[Hit]:
        """The hits in the order that facts give them, unless their order is asked for. `state` tells whether any of
        them states a fact."""
        return await by_standing(
            tx, self.request.question, self.who, hits, self.request.moment, partial(_brought, tx), self.keep,
            state=state, whole=not self.narrowing.conditions, by_time=self.question.chronology is not None,
        )  # fmt: skip


@dataclass(frozen=True)
class Recaller:
    """One user's way back to what was said. `embedding_model` is None where there is none, and `absence` the note about
    that; `reranker` is None where no LLM may take part; `actor` is on record as the one who read."""

    database: Database
    user_id: UUID
    embedding_model: EmbeddingModel | None
    absence: str = ""
    reranker: Reranker | None = None
    actor: Actor = _USER

    async def recall(self, request: Request) -> RecallResult:
        """The turns that answer a question best, and the block for a prompt.

        Raises NotFound (a wing or room that is not there) and StoreError.
        """
        embedding_model = self.embedding_model if await self._may_mean() else None
        async with meaning_beside(
            self.database, self.user_id, embedding_model, request.question, request.context
        ) as meant:
            find = partial(self._find, request, meant)
            found = await self.database.read(self.user_id, find, self._record)
            note = (await meant).note
        if not found.looked:
            return RecallResult(context="", tokens=0, results=(), notes=() if found.settings.enabled else (_OFF,))
        hits, unordered = found.hits, ""
        if found.reranker:
            hits, unordered = await found.reranker.order(
                request.question, hits, found.keep, found.settings.rerank_model
            )
            hits = with_decisions(hits, [hit for hit in found.hits if hit.decision], found.keep)
            hits = found.instructions.placed(hits, found.keep)
            if found.is_sent and self.actor.run_id is not None:
                async with self.database.tenant(self.user_id) as tx:
                    await self._log(tx, hits, {"recall": True, "ordered": not unordered})
        context, tokens = _block(found, hits, request)
        if request.fills:
            hits = quoted(hits, context)
        unlikely = _UNLIKELY if found.is_unlikely else ""
        notes = tuple(each for each in (self.absence, note, unordered, unlikely) if each)
        return RecallResult(
            context=context,
            tokens=tokens,
            results=tuple(hits),
            confidence=found.confidence,
            pending=found.pending,
            notes=notes,
        )

    async def _may_mean(self) -> bool:
        """Whether an embedding model should see the question: what runs elsewhere, not where nothing is looked at
        anyway."""
        if self.embedding_model is None or not self.embedding_model.hosted:
            return True
        corpus = await self.database.read(self.user_id, partial(accounts.corpus, user_id=self.user_id))
        return corpus.settings.enabled and corpus.memories > 0

    async def _find(self, request: Request, meant: Awaitable[Meaning], tx: Transaction) -> _Found:
        """The best lines, and by which of the user's settings they were looked for."""
        slugs = possible_names(request.question)
        corpus, others, instructed = await store.begin(tx, self.user_id, slugs)
        found = _Found(corpus.settings, request.most(corpus.settings.top_k), corpus.pending)
        if not corpus.settings.enabled or not corpus.memories:
            return found
        narrowing, project = await _narrowing(tx, request.filters, corpus.settings.across_projects)
        if narrowing.conditions or project is not None:
            await planned_by_values(tx)
        zone = self._zone(corpus.settings, request.now or request.filters.as_of)
        question = parse(request.question, corpus.languages, within(request.moment, zone).date(), zone)
        asked = _Asked(request, question, corpus, others, narrowing, Who(corpus.own_names, slugs), found.keep)
        found = replace(found, looked=True, zone=zone)
        if question.chronology is not None:
            hits = await self._by_time(tx, asked, question.chronology, meant)
            sure = max((hit.confidence or 0.0 for hit in hits), default=0.0)
            found = replace(found, hits=hits, confidence=sure, together=question.chronology.of_several)
            return _fitting(found, asked) if request.fills else found
        reranker = self._reranker(corpus.settings)
        asked = replace(asked, keep=max(found.keep, CANDIDATES) if reranker else found.keep)
        best, state, likely = await self._best(tx, asked, meant, asked.keep)
        hits = await asked.standing(tx, best, state)
        sure = max([likely.all, *(hit.confidence or 0.0 for hit in hits)])
        unlikely = bool(hits) and request.is_unlikely(sure, question, likely.by_words)
        found = replace(found, confidence=sure, is_unlikely=unlikely)
        hits = [] if found.is_unlikely else hits
        near = store.near_to(await meant, 0)
        if project is not None:
            decided = await decisions(tx, question.text, near, project, hits, partial(_brought, tx))
            hits = with_decisions(hits, decided, asked.keep)
        if instructed:
            governing = await instructions(
                tx, question, corpus, near, narrowing, hits, partial(_brought, tx), request.moment
            )
            hits, found = governing.placed(hits, asked.keep), replace(found, instructions=governing)
        found = replace(found, hits=hits, reranker=reranker)
        return _fitting(found, asked) if request.fills else found

    async def _best(
        self, tx: Transaction, asked: _Asked, meant: Awaitable[Meaning], keep: int
    ) -> tuple[list[Hit], bool, Confidence]:
        """The hits that have most to do with a question, whether any of them states a fact, and how likely they answer
        it."""
        question = await with_other_names(tx, asked.question, asked.corpus.languages, asked.other_names)
        most = max(asked.keep, _CANDIDATES)
        with beside(self._across(question, asked.corpus)) as across:
            scored = await self._score(tx, question, meant, across, asked.corpus, asked.narrowing, most)
        sure = scored.confidence(question, asked.corpus.languages)
        return *await _hits(tx, scored, sure, keep), sure

    async def _by_time(
        self, tx: Transaction, asked: _Asked, chronology: Chronology, meant: Awaitable[Meaning]
    ) -> list[Hit]:
        """The hits that a question asks for by their time, those about its topic first where it has one."""
        request, zone = asked.request, asked.question.zone
        asking = Asking(chronology, request.moment, zone, request.conversation, asked.keep, request.tokens)
        if chronology.alone:
            begin, end = asking.period()
            oldest = chronology.by is By.FIRST
            turns = await store.spoken(tx, begin, end, asked.narrowing, oldest=oldest)
            hits, state = await _in_places(tx, chosen(turns, asking))
        else:
            best, state, _ = await self._best(tx, asked, meant, max(asked.keep, refining.CANDIDATES))
            topic, languages = asked.question.topic(), asked.corpus.languages
            hits = arranged(best, asking, [share(topic, hit.text, languages) for hit in best])
        return await asked.standing(tx, hits, state)

    async def _record(self, tx: Transaction, found: _Found) -> None:
        """Note that these lines were read: what an LLM is to put in order too, whether it comes back or not. Of what
        a run gets back then, `recall` notes that."""
        if found.looked:
            hits, told = (found.hits, {"candidates": True}) if found.is_sent else (found.hits[: found.keep], {})
            await self._log(tx, hits, {"recall": True, **told}, is_sent=found.is_sent)

    async def _log(
        self, tx: Transaction, hits: Sequence[Hit], context: dict[str, Any], *, is_sent: bool = False
    ) -> None:
        if self.actor.run_id is not None:  # so that it can be told later why the run saw them
            context["chosen"] = {str(each.id): each.signals for each in hits}
        await audit.log(tx, self.user_id, self.actor, "read", [each.id for each in hits], context, is_sent=is_sent)

    def _zone(self, chosen: UserSettings, now: datetime | None) -> tzinfo:
        """The zone whose days are meant: the user's, else that of the moment given where it is another than UTC, in
        which machines tell the time, else that of this process."""
        if chosen.time_zone is not None:
            return ZoneInfo(chosen.time_zone)
        if now is not None and now.tzinfo is not None and now.tzname() != "UTC":
            return now.tzinfo
        name = self.database.settings.time_zone
        return UTC if name is None else ZoneInfo(name)

    def _reranker(self, chosen: UserSettings) -> Reranker | None:
        """Who puts the candidates in order, if the caller or else the user wants that."""
        if self.reranker is None:
            return None
        wanted = chosen.rerank if self.reranker.wanted is None else self.reranker.wanted
        return self.reranker if wanted else None

    async def _score(
        self,
        tx: Transaction,
        question: Question,
        meant: Awaitable[Meaning],
        across: Awaitable[store.Across | None],
        corpus: Corpus,
        narrowing: Narrowing,
        candidates: int,
    ) -> _Scored:
        """The candidates, so many by either way, with what each signal gives them."""
        question, found = await self._known(tx, question, corpus, narrowing)
        worded, matched = lexical.best(question, found, corpus, candidates)
        # Signs alone, as of emoji, are all one to an embedding model: it would bring back whatever it cannot read
        # either.
        near = store.near_to(await meant, candidates) if question.words else None
        within = partial(store.within, tx, meant=near, limit=candidates, narrowing=narrowing)
        if question.span is not None:
            then = await within(question.span, question.zone)
            worded = lexical.union(worded, then)
            question = replace(question, of_time=question.of_time and len(then) > 0)
        if near and corpus.memories >= vectors.LARGE and not narrowing.conditions:
            near = await store.open_index(tx, self.user_id, near)
        look = partial(
            store.details, tx, self.user_id, meant=near, narrowing=narrowing, across=await across, most=candidates,
            texts=question.of_preference,
        )  # fmt: skip
        details = await look(worded)
        dated = ranking.dated(question, details, found, corpus)
        if dated.span is not None and dated.span != question.span:
            then = await within(dated.span, question.zone)
            details = await look(lexical.union(details.places, then))
            dated = replace(dated, of_time=dated.of_time and len(then) > 0)
        matched = matched or lexical.lexical(question, found, corpus, details.places)
        given = ranking.signals(dated, details, matched)
        scored = _Scored(
            details.places,
            given,
            ranking.totals(dated, details, given),
            np.isnan(details.cosine),
            counted=refining.focus(dated) if near else None,
            of_time=dated.of_time,
            speakers=details.speakers,
        )
        if dated.is_message:
            scored = scored.given_otherwise(ranking.of_message(dated, details, given))
        return await _refined(tx, dated, await meant, corpus.languages, scored)

    async def _across(self, question: Question, corpus: Corpus) -> store.Across | None:
        """What to look for among turns in other languages than the question's; None where there are none."""
        if corpus.turn_languages and question.words and not question.of_time:
            language = closest(question.text)
            others = [each for each in corpus.turn_languages if each != language]
            if language and others:
                asked = await to_thread.run_sync(vectors.multilingual_question, self.embedding_model, question.text)
                return None if asked is None else store.Across(asked, others)
        return None

    async def _known(
        self, tx: Transaction, question: Question, corpus: Corpus, narrowing: Narrowing
    ) -> tuple[Question, dict[int, Postings]]:
        """Where the words stand, in another spelling where nobody ever wrote them so; and the question by it."""
        terms = [term for forms in question.words.values() for term in forms]
        found = await store.postings(tx, terms, narrowing)
        vocabulary = self.embedding_model if isinstance(self.embedding_model, Vocabulary) else None
        meant = await respelt(tx, question, found, corpus.languages, vocabulary)
        if meant is not question:
            terms = [term for forms in meant.words.values() for term in forms if term not in found]
            found |= await store.postings(tx, terms, narrowing)
        return meant, found


def _fitting(found: _Found, asked: _Asked) -> _Found:
    """The lines that fit the budget of tokens, of a long turn the part that is asked for."""
    budget, wanted = asked.request.tokens, asked.question.words

    @cache  # the block is made twice: to see what fits, and of that
    def passage(rank: int, text: str) -> str:
        share = budget // (_SHARE_OF_FIRST if rank < _FIRST else _SHARE)
        return excerpt(text, wanted, max(_LINE, share))

    found = replace(found, passage=passage)
    if found.is_sent:  # an LLM may bring any of them to the front
        return found
    return replace(found, hits=quoted(found.hits, _block(found, found.hits, asked.request)[0]))


def _block(found: _Found, hits: Sequence[Hit], request: Request) -> tuple[str, int]:
    """The block of these lines, and its tokens."""
    if found.together:
        return render_evenly(hits, request.tokens, found.zone)
    return render(hits, request.tokens, found.zone, found.passage)


async def _refined(
    tx: Transaction, question: Question, meant: Meaning, languages: tuple[str, ...], scored: _Scored
) -> _Scored:
    """The candidates, the best of them read once more."""
    best = scored.order()[: refining.CANDIDATES]
    # Where a time is all that is told, its words stand in turns that meant another time by them.
    tokens = None if question.of_time else meant.tokens
    read = await store.read_again(
        tx, scored.places[best], refining.READ, meant.embedding_model if tokens is not None else None
    )
    weight = np.ones(len(scored.places), np.float32)
    weight[best] = refining.asked_before(question, read.texts, languages)
    further = {
        "wording": refining.wording(tokens, read.tokens, scored.places[best]),
        "telling": refining.telling(read.texts, read.lengths),
    }
    given = {name: value * weight for name, value in scored.given.items()}
    focus = refining.focus(question)
    for name, value in further.items():
        given[name] = np.zeros(len(scored.places), np.float32)
        given[name][best] = value * weight[best] * focus
    given["translation"] += refining.lift(given)
    if question.is_message:
        worth = np.where(scored.totals > 0, np.sum(list(given.values()), axis=0), 0)
        given["conversation"] = given["conversation"] + ranking.companions(scored.places >> 32, worth)
    texts = dict(zip(scored.places[best].tolist(), read.texts, strict=True))
    return replace(scored.given_otherwise(given), texts=texts)


async def _hits(tx: Transaction, scored: _Scored, sure: Confidence, top_k: int) -> tuple[list[Hit], bool]:
    """The best lines, and whether any of them states a fact; of several with the same words only the best."""
    order = scored.order()
    told: dict[frozenset[str] | UUID, tuple[store.Found, dict[str, float]]] = {}
    while len(told) < top_k and len(order):
        next_best, order = np.split(order, [top_k - len(told) + _SPARE])
        for row, given in await _rows(tx, scored, next_best):
            told.setdefault(frozenset(words(row.content)) or row.id, (row, given))
    best = list(told.values())[:top_k]
    return [_hit(row, given, sure.of(given)) for row, given in best], any(row.states for row, _ in best)


async def decided_in(tx: Transaction, project: str) -> list[Hit]:
    """The newest decisions of a project that none of them gives up, the newest first."""
    scope = await palace.scope_of(tx, project, "nothing")
    await planned_by_values(tx)
    own = Narrowing.of(Filters(), None, None, (scope.wing, False))
    return await standing_decisions(tx, own, partial(_brought, tx))


async def _in_places(tx: Transaction, places: Sequence[int]) -> tuple[list[Hit], bool]:
    """The turns at these places as hits, in this order, by which their scores fall; and whether any states a fact."""
    found = await store.fetch(tx, places)
    rows = [row for place in places if (row := found.get(place)) is not None]
    hits = [_hit(row, {"temporal": round(1 - number / len(rows), 4)}, 1.0) for number, row in enumerate(rows)]
    return hits, any(row.states for row in rows)


async def _brought(tx: Transaction, places: Sequence[Place]) -> Mapping[Place, Hit]:
    """Turns that no signal brought, as hits."""
    found = await store.fetch(tx, [room << 32 | drawer for room, drawer in places])
    return {(row.room, row.drawer): _hit(row, {}) for row in found.values()}


async def _rows(tx: Transaction, scored: _Scored, chosen: np.ndarray) -> list[tuple[store.Found, dict[str, float]]]:
    """The memories of these candidates with what each signal gave them, but for those that have gone meanwhile."""
    places = scored.places[chosen].tolist()
    found = await store.fetch(tx, places)
    given = np.array([value[chosen] for value in scored.given.values()], np.float64).round(4).T.tolist()
    rows = [
        (found.get(place), dict(zip(scored.given, values, strict=True)))
        for place, values in zip(places, given, strict=True)
    ]
    return [(row, values) for row, values in rows if row is not None]


def _hit(row: store.Found, given: dict[str, float], confidence: float | None = None) -> Hit:
    return Hit(
        id=row.id,
        pointer=str(Pointer(row.wing, row.room, row.drawer)),
        text=row.content,
        speaker=row.speaker,
        at=row.said_at,
        conversation=row.conversation,
        title=row.title,
        position=row.position,
        tags=tuple(row.tags),
        confidence=confidence,
        score=round(sum(given.values()), 4),
        signals=given,
    )


async def _narrowing(tx: Transaction, filters: Filters, across: Crossing) -> tuple[Narrowing, Narrowing | None]:
    """The filters with wings and rooms looked up, and with a project also those that leave only its own turns. Raises
    NotFound for wings and rooms that are not there, and InvalidInput for a wing that is closed to the project."""
    room = None
    if filters.room is not None:
        pointer = await palace.located(tx, filters.room, "room")
        if pointer.room is None:
            raise InvalidInput("room", f"{filters.room!r} is a wing: expected a room, such as W-042/R-11")
        room = (await palace.find_room(tx, pointer)).room
    row = None if filters.wing is None else await palace.find_wing_or_repository(tx, filters.wing)
    wing = None if row is None else row.wing
    if filters.project is None:
        return Narrowing.of(filters, wing, room), None
    scope = await palace.scope_of(tx, filters.project, across)
    if row is not None:
        scope.require(row)
    seen = None if scope.is_everything else (scope.wing, scope.is_personal)
    return Narrowing.of(filters, wing, room, seen), Narrowing.of(filters, wing, room, (scope.wing, False))


def _check(question: str, top_k: int | None, max_tokens: int | None, filters: Filters) -> None:
    if not isinstance(question, str):
        raise InvalidInput("question", f"must be text, not {type(question).__name__}")
    if not question.strip():
        raise InvalidInput("question", "must not be empty")
    wanted = 1 if top_k is None else top_k
    most = 1 if max_tokens is None else max_tokens
    for name, number in (("top_k", wanted), ("max_tokens", most)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise InvalidInput(name, f"must be a whole number, not {str(number)[:50]!r}")
    if not 1 <= wanted <= MOST_HITS:
        raise InvalidInput("top_k", f"must be between 1 and {MOST_HITS:,}, not {wanted:,}")
    if most < 1:
        raise InvalidInput("max_tokens", f"must be at least 1, not {most}")
    rules.period(filters.since, filters.until)
