"""Turns → what they name and state, by rules alone: the same input gives the same answer, and no model takes part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

from ricordo.facts import bygone, contexts, english, foreign, instructions, phrases, talk
from ricordo.facts.any_case import AnyCase
from ricordo.facts.clauses import holds
from ricordo.facts.known import Known
from ricordo.facts.naming import Names, written
from ricordo.facts.plausible import Plausibility
from ricordo.facts.said import Said
from ricordo.facts.sentences import Sentence, quotations, sentences
from ricordo.facts.since import since
from ricordo.facts.statements import Clause, Rule, Stated
from ricordo.models import SELF, EntityKind, Extraction, Fact, Mention
from ricordo.text import lazy, of_words
from ricordo.text.attributes import ATTRIBUTES
from ricordo.text.english import KIN, NO_NAMES, PETS, word_set
from ricordo.text.given_names import GIVEN

#: A turn that asks for a part to play, a made-up text or a translation states nothing of its own; nor does a joke.
_PLAYED = AnyCase(
    r"\b(?:act as|pretend|role[- ]?play|translate|proofread|rewrite|paraphrase|write (?:me|the)|imagine|just kidding|"
    r"i'm joking|story|dialogue|screenplay|poem|lyrics|in the voice of)\b|\bwrite an?\b(?=[^.!?]*:)|^write an?\b"
)
#: Turns whose sentences are kept, since a block is read again for each name that it brings; and how long they may be.
_REMEMBERED, _SHORT = 512, 1000
#: From how many characters on a turn may be pasted, and how many words in a hundred are about oneself in own talk: of
#: 39 long turns of LongMemEval and RealMem in which facts were found, at least 4.5, and in pasted ones at most 2.7.
_PASTED, _OWN_WORDS = 800, 3
#: By how many characters that is judged.
_SAMPLE = 12_000
#: "Our company" and "our customers" are as often a pasted text's.
_OF_ONE = lazy(
    r"\b(?:I|i|[Mm]e|[Mm]y|[Ww]e|us|"
    r"[Oo]urs?(?! (?:company|firm|business|mission|customers|clients|products|services)\b)|"
    r"[Ii]ch|[Mm]ein\w*|[Mm]ich|[Mm]ir|[Ww]ir|[Uu]ns|[Uu]nse?re?[mnrs]?(?! (?:Unternehmen|Firma|Kund\w+|Produkt\w*)\b)|"
    r"[Jj]e|[Mm]on|[Mm]a|[Mm]es|[Mm]oi|[Nn]ous|[Nn]otre|[Nn]os|[Yy]o|[Mm]i|[Mm]is|[Nn]osotr[oa]s|[Nn]uestr[oa]s?)\b|\b[Jj]['’]"
)
#: What lasts, so that it matters since when.
_LASTING = frozenset({"lives_in", "works_at", "owns", "role", "studies_at", "relationship_status", "health"})
#: "Anna: I live in Rome": someone's words are repeated.
_SPEECH = lazy(r"(?:^|\n)(?P<who>[A-Z][\w.-]{1,30}|assistant|user|system)(?: [A-Z][\w.-]{1,30})?: ")
_ROLES = frozenset(["assistant", "user", "system"])
#: Words that stand before a colon and speak nothing.
_LABELS = ATTRIBUTES | NO_NAMES | word_set(
    """
    reminder note notes update updates info status news ps fyi todo edit answer hint warning summary decision decisions
    agenda backend frontend stack erinnerung hinweis achtung neu neues wichtig nachtrag stand frage antwort rappel note
    recordatorio nota weihnachten ostern silvester geburtstag urlaub christmas easter
    """
)  # fmt: skip


@dataclass(slots=True)
class _Turn:
    said: Said
    index: int
    sentences: list[Sentence]
    #: Whether it may state facts.
    states: bool
    #: Where it repeats words of others, from and to before.
    quoted: list[tuple[int, int]]
    bonds: list[contexts.Bond] = field(default_factory=list)
    clauses: list[tuple[Sentence, Rule, re.Match[str], int, int]] = field(default_factory=list)
    mentions: dict[int, list[Mention]] = field(default_factory=dict)


def extract(turns: Sequence[Said], language: str, known: Known) -> Extraction:
    """What the turns name and state; mentions in the order of the text, facts in that of the turns.

    `language` is an ISO 639-1 code, or '' where it isn't known. Relations are read in English, German, Spanish and
    French; in other languages only names that the palace knows, speakers and well-known places are found. Facts are
    taken from people's turns alone. Give the turns of one conversation at once: what one of them shows of a name
    holds for the others. Never raises on any text; reads the first 20,000 characters of a turn.
    """
    language = language or of_words([turn.text for turn in turns]) or ("en" if _is_latin(turns) else "")
    names = Names(known, language, {turn.speaker for turn in turns if turn.role == "user" and turn.speaker != SELF})
    read = [_read(turn, index) for index, turn in enumerate(turns)]
    for each in read:
        names.read(each.sentences)
    for each in read:
        if each.said.role == "user":
            _look(each, names, language)
    names.settle()
    for each in read:
        _name(each, names)
    people = [m.name for each in read for several in each.mentions.values() for m in several if m.kind == "person"]
    parser = talk.TurnParser.of(known, {turn.speaker for turn in turns if turn.role == "user"}, people, language)
    mentions: list[Mention] = []
    facts: list[Fact] = []
    plausibility = Plausibility(people={turn.speaker for turn in turns})
    to_assistant = partial(instructions.addresses_assistant, roles=[turn.role for turn in turns])
    for each in read:
        stated = list(_state(each, names, language)) if each.states and not parser.is_unserious(each.said) else []
        claimed = parser.read(each.index, each.said, each.sentences, each.states, _facts(each, stated))
        if each.said.role == "user":
            facts += plausibility.kept(each.said.text, each.sentences, claimed)
        if each.said.role == "user" and to_assistant(each.said.speaker) and not parser.is_unserious(each.said):
            facts += _instructions(each)
        mentions += _all_mentions(each, stated)
    facts = list(_named(facts, mentions, turns))
    return Extraction(mentions=tuple(sorted(mentions, key=lambda each: each.turn)), facts=tuple(facts))


def _instructions(turn: _Turn) -> Iterator[Fact]:
    """The standing instructions of a person's turn, except where it repeats somebody's words."""
    text = turn.said.text
    if not _repeats(text[:2000]):
        played = _PLAYED.is_in(text[:2000])
        yield from instructions.found(turn.index, turn.said.speaker, text, turn.sentences, played)


def _named(facts: Sequence[Fact], mentions: list[Mention], turns: Sequence[Said]) -> Iterator[Fact]:
    """The facts, of which each object that is an entity is mentioned where its turn says it; an object that stands
    nowhere in the turn in these words is a plain value."""
    known = {(each.turn, each.name) for each in mentions}
    for fact in facts:
        if fact.object_kind is not None and (fact.turn, fact.object) not in known:
            start = turns[fact.turn].text.find(fact.object)
            if start < 0:
                yield fact.model_copy(update={"object_kind": None})
                continue
            known.add((fact.turn, fact.object))
            end = start + len(fact.object)
            mentions.append(Mention(turn=fact.turn, name=fact.object, kind=fact.object_kind, start=start, end=end))
        yield fact


def _is_latin(turns: Sequence[Said]) -> bool:
    """Whether what people say is written in letters of English: too short to tell more."""
    text = "".join(turn.text[:500] for turn in turns if turn.role == "user")
    return bool(text) and sum(map(str.isascii, text)) >= 0.97 * len(text)


def _read(turn: Said, index: int) -> _Turn:
    parse = _parsed_before if len(turn.text) <= _SHORT else _parsed
    return _Turn(turn, index, *parse(turn.text, turn.role == "user"))


def _parsed(text: str, is_persons: bool) -> tuple[list[Sentence], bool, list[tuple[int, int]]]:
    """The sentences of a turn, whether it may state facts, and where it repeats words of others."""
    found = sentences(text)
    states = is_persons and not _PLAYED.is_in(text[:2000]) and not _repeats(text[:2000])
    quoted = quotations(text) if states else []
    pasted = is_persons and len(text) > _PASTED and _is_pasted(text)
    for sentence in found:
        of_others = pasted and _OF_ONE.search(sentence.text) is None
        if of_others or any(start <= sentence.start < end or start < sentence.end <= end for start, end in quoted):
            sentence.idle = True
    return found, states, quoted


def _is_pasted(text: str) -> bool:
    """Whether a long text is a document, a listing or a task that was pasted: hardly a word in it is about who sends
    it. Then only the sentences that are state anything."""
    beginning = text[:_SAMPLE]
    return 100 * sum(1 for _ in _OF_ONE.finditer(beginning)) < _OWN_WORDS * beginning.count(" ")


_parsed_before = lru_cache(_REMEMBERED)(_parsed)


def _repeats(text: str) -> bool:
    """Whether a text repeats somebody's words behind their name."""
    for match in _SPEECH.finditer(text):
        words = match.group().strip(" :\n").casefold().split()
        # "Drum roll: we got it": who is quoted begins with a capital, unless it is somebody by name.
        spoken = words[0] in GIVEN or words[0] in _ROLES or not text[match.end() : match.end() + 1].islower()
        if spoken and _LABELS.isdisjoint(words):
            return True
    return False


def _look(turn: _Turn, names: Names, language: str) -> None:
    """Vote for what the contexts of a turn show, and keep what may be facts."""
    for sentence in turn.sentences:
        if language == "en":
            contexts.contexts(sentence, names)
            turn.bonds += contexts.bonds(sentence, names)
            for rule, match, verb, target in english.matches(sentence):
                turn.clauses.append((sentence, rule, match, verb, target))
                if rule.shows is not None and target < len(sentence.words):
                    _show(sentence, names, rule.shows, target)
        else:
            foreign.look(sentence, names, language)


def _show(sentence: Sentence, names: Names, kind: EntityKind, at: int) -> None:
    if kind == "item":
        item = phrases.thing(sentence, at, names)
        if item is not None and not sentence.idle:
            names.vote(sentence, item.first, item.last, kind)
        return
    last = names.run(sentence, at)
    if last > at and names.kind(sentence, at, last) in (None, kind):
        names.vote(sentence, at, last, kind)


def _name(turn: _Turn, names: Names) -> None:
    for sentence in turn.sentences:
        found = list(names.mentions(turn.index, sentence))
        if found:
            turn.mentions[sentence.start] = found


def _state(turn: _Turn, names: Names, language: str) -> Iterator[tuple[Sentence, Stated]]:
    speaker = turn.said.speaker
    if language != "en":
        for sentence in turn.sentences:
            for stated in foreign.facts(sentence, names, language, speaker, turn.mentions.get(sentence.start, [])):
                yield sentence, stated
        return
    for bond in turn.bonds:
        for stated in _bond_fact(bond, speaker, turn.mentions.get(bond.sentence.start, [])):
            yield bond.sentence, stated
    for sentence, rule, match, verb, target in turn.clauses:
        at = sentence.start + match.start()
        if any(start <= at < end for start, end in turn.quoted):
            continue
        clause = Clause(sentence, verb, target, speaker, turn.mentions.get(sentence.start, []), names, match)
        for stated in rule.handler(clause):
            if stated.ended or not bygone.is_bygone(sentence.text, match.start(), bygone.NAMED):
                yield sentence, stated


def _bond_fact(bond: contexts.Bond, speaker: str, mentions: list[Mention]) -> Iterator[Stated]:
    sentence, words = bond.sentence, bond.sentence.words
    name = written(words[bond.first : bond.last])
    if bygone.is_bygone(sentence.text, words[bond.first].start - sentence.start, bygone.NAMED):
        return
    # "my brother Tom" is taken for granted even where the rest is a wish or hearsay.
    granted = bond.whose in ("my", "our") and (words[bond.first - 1].key in KIN or words[bond.first - 1].key in PETS)
    if sentence.idle or not (granted or holds(sentence, min(bond.owner, bond.first))):
        return
    if any(word.key in ("not", "isn't", "wasn't") for word in words[bond.owner : bond.first]):
        return
    owner: str | None = None
    if bond.whose in ("my", "our"):
        owner = speaker
    elif bond.whose == "have":
        before = {word.key for word in words[max(0, bond.owner - 8) : bond.owner]}
        owner = speaker if before & {"i", "i've", "we", "we've"} and "had" not in before else None
    elif bond.whose == "'s":
        end = words[bond.owner].end - 2
        owner = next((each.name for each in mentions if each.kind == "person" and each.end == end), None)
    else:
        people = [each.name for each in mentions if each.kind == "person" and each.end <= words[bond.owner].start]
        owner = people[0] if len(people) == 1 and words[bond.owner - 1].key in ("and", "with") else None
    if owner is not None and owner != name:
        yield Stated(owner, "person", bond.predicate, name, "person", bond.ended, bond.first, bond.last, bond.owner)


def _facts(turn: _Turn, stated: list[tuple[Sentence, Stated]]) -> Iterator[Fact]:
    seen: set[tuple[str, str, str, bool]] = set()
    gone = {(each.subject, each.predicate, each.object.lower()) for _, each in stated if each.ended}
    for sentence, each in stated:
        mark = (each.subject, each.predicate, each.object.lower(), each.ended)
        if mark in seen or (not each.ended and mark[:3] in gone):
            continue
        seen.add(mark)
        moment = None
        if each.predicate in _LASTING and each.verb >= 0:
            moment = since(sentence.text[sentence.words[each.verb].start - sentence.start :], turn.said.at)
        yield Fact(
            turn=turn.index, subject=each.subject, subject_kind=each.subject_kind, predicate=each.predicate,
            object=each.object, object_kind=each.object_kind, ended=each.ended,
            since=None if each.ended else moment, until=moment if each.ended else None,
        )  # fmt: skip


def _all_mentions(turn: _Turn, stated: list[tuple[Sentence, Stated]]) -> list[Mention]:
    """The turn's mentions, and the objects of its facts that are entities and were not among them."""
    found = [each for several in turn.mentions.values() for each in several]
    for sentence, each in stated:
        if each.object_kind is None or each.last <= each.first:
            continue
        start, end = sentence.words[each.first].start, sentence.words[each.last - 1].end
        if turn.said.text[start:end].endswith(("'s", "’s")):
            end -= 2
        kind: EntityKind = each.object_kind
        inside = [m for m in found if m.start < end and start < m.end]
        # A name that stands there already is kept, unless what is said of it shows another kind.
        if all(start <= m.start and m.end <= end and (m.start, m.end, m.kind) != (start, end, kind) for m in inside):
            found = [m for m in found if m not in inside]
            found.append(Mention(turn=turn.index, name=each.object, kind=kind, start=start, end=end))
    return sorted(found, key=lambda m: m.start)
