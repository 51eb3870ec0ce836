"""Turns → the facts that plain clauses state, beside those that the rules of whole sentences found.

Each turn is read in its own language: people mix them. What a turn says in jest, dreams or makes up states nothing, and
whoever was made up in one turn is so in the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from ricordo.facts import answers, english_things, plain_english, plain_german, plain_romance
from ricordo.facts.any_case import AnyCase
from ricordo.facts.known import Known
from ricordo.facts.said import Said
from ricordo.facts.scenes import Claim, Scene, scene
from ricordo.facts.sentences import Sentence
from ricordo.models import Fact
from ricordo.text import EXCEPTION, any_of, lazy, of_words, words
from ricordo.text.english import PETS

#: What asks for a text: the names in it are made up.
_INVENTS = AnyCase(
    r"\b(?:write|draft|tell) (?:me )?(?:a|an|the|another) \w* ?(?:scene|story|poem|dialogue|screenplay|chapter|novel)"
    r"|\b(?:my|the|our) (?:novel|heroine|hero|protagonist|character|screenplay|short story)\b|\bin chapter\b"
)
_EXTRACTORS = {
    "en": plain_english.claims,
    "de": plain_german.claims,
    "fr": plain_romance.french,
    "es": plain_romance.spanish,
}
_MADE = any_of(plain_english.UNSERIOUS, plain_german.UNSERIOUS, plain_romance.UNSERIOUS)
#: One thing under two predicates of the same sentence: the first says more.
_SAME = (
    {"works_at", "studies_at"},
    {"owns", "car", "phone", "uses"},
    {"role", "occupation", "job"},
    {"diet", "health"},
    {"friend", "girlfriend"},
    {"friend", "boyfriend"},
)
#: A sentence by which the one before is so only this time: "Just this once."
_ONLY_NOW = lazy(rf"(?:{EXCEPTION}|\W)+", re.IGNORECASE)
#: What takes back the sentence before: "I've ordered the Lamborghini. No, my nan's giving me her Micra."
_TAKEN_BACK = lazy(r"(?:no|nah|nope|nein|nee), (?!(?:no|thanks|danke|nein)\b)", re.IGNORECASE)
_LONGEST = 200
#: Turns of which is kept what their text alone tells: they are read again for each name that their block brings.
_REMEMBERED = 1024


@dataclass
class TurnParser:
    """Reads the turns of a block one after the other."""

    scene: Scene
    language: str
    #: The last turn that was looked at for jest, and what came of it.
    _judged: tuple[Said | None, bool] = (None, False)
    #: Who spoke last, and what they asked at the end.
    _asked: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, known: Known, speakers: Iterable[str], people: Sequence[str], language: str) -> TurnParser:
        return cls(scene(known, speakers, people), language)

    def is_unserious(self, said: Said) -> bool:
        """Whether a turn jests, dreams or invents; whom it invents is remembered."""
        if self._judged[0] is not said:
            self._judged = (said, said.role == "user" and self._jests(said.text[:2000].replace("’", "'")))
        return self._judged[1]

    def _jests(self, text: str) -> bool:
        if _invents(text):
            self.scene.invent(text)
            return True
        return _is_in_jest(text) or self.scene.is_made_up(text)

    def read(
        self, turn: int, said: Said, sentences: Sequence[Sentence], states: bool, found: Iterable[Fact]
    ) -> list[Fact]:
        """The facts of a turn: those that other rules `found`, and those of its clauses that they did not."""
        facts = list(found)
        (asker, asked), self._asked = self._asked, (said.speaker, answers.question(said.text))
        if said.role != "user" or self.is_unserious(said) or not states:
            return facts
        language = self._language(said.text)
        claims = _EXTRACTORS.get(language)
        if claims is None:
            return facts
        told = ""
        if asked and asker != said.speaker:
            begun = (answers.clause(asked, _with_tail(said.text, each), language) for each in sentences[:2])
            told = next(filter(None, begun), "")
        text = said.text[:4000].replace("’", "'")
        self.scene.turn(said.speaker, text, said.at, told or text)
        if asked and asker != said.speaker and language == "en":
            plain_english.asked(asked, self.scene, by_other=True)
        for claim in claims(told, self.scene) if told else ():
            _add(facts, turn, claim)
        for sentence, behind in zip_longest(sentences, sentences[1:]):
            text = _asserted(said.text, sentence)
            only_now = behind is not None and (
                _ONLY_NOW.fullmatch(behind.text) is not None or _TAKEN_BACK.match(said.text, behind.start) is not None
            )
            if not text and language == "en":
                plain_english.asked(sentence.text, self.scene)
            if text and not sentence.shouted and not only_now:
                for claim in claims(text, self.scene):
                    _add(facts, turn, claim)
        if language == "en":
            for claim in english_things.of_turn(said.text[:600], self.scene):
                _add(facts, turn, claim)
        # "My phone is a Pixel" says more than that there is a phone.
        named = {(each.subject, each.predicate.rpartition("_")[2]) for each in facts}
        animal = any(each.predicate == "pet" for each in facts)
        return [
            each
            for at, each in enumerate(facts)
            if (each.predicate != "owns" or (each.subject, each.object.lower()) not in named)
            and not (animal and (each.predicate == "adopted" or (each.predicate == "has" and each.object in PETS)))
            and not any(_says_again(each, other) for other in facts[:at])
        ]

    def _language(self, text: str) -> str:
        """The language of a turn: that of its words where they tell, else that of the conversation."""
        if self.language not in ("", *_EXTRACTORS):
            return ""
        return _own_language(text[:500]) or self.language or "en"


def _says_again(fact: Fact, before: Fact) -> bool:
    """Whether a fact says of a thing what another of its turn says: "big day: 30 August" and "the big day is on it"."""
    if fact.object.casefold() != before.object.casefold() or fact.ended != before.ended:
        return False
    if fact.subject_kind == before.subject_kind == "person":
        of_whom = f"{fact.subject}_{fact.predicate}", f"{before.subject}_{before.predicate}"
        return before.predicate == of_whom[0].lower() or fact.predicate == of_whom[1].lower()  # "martin_car"
    if fact.predicate == before.predicate and "person" in (fact.subject_kind, before.subject_kind):
        return True
    mine, theirs = _about(fact), _about(before)
    one_value = fact.predicate == before.predicate or "person" in (fact.subject_kind, before.subject_kind)
    return bool(mine and theirs) and one_value and (mine <= theirs or theirs <= mine)


def _about(fact: Fact) -> set[str]:
    """The words for the thing that a fact tells of: the subject's, or, where that is a person, the predicate's."""
    return set(words(fact.predicate.replace("_", " ") if fact.subject_kind == "person" else fact.subject))


@lru_cache(_REMEMBERED)
def _invents(text: str) -> bool:
    return _INVENTS.is_in(text)


@lru_cache(_REMEMBERED)
def _is_in_jest(text: str) -> bool:
    return _MADE.search(text.lower()) is not None


@lru_cache(_REMEMBERED)
def _own_language(beginning: str) -> str:
    return of_words([beginning])


#: A question at the end of a sentence that states something before it.
_ASKS = lazy(
    r"(?:,| -| –|;) (?=(?:any|is|are|can|could|do|does|did|what|how|who|should|would|right|ok|okay|where|when|which|have|"
    r"has|isn|aren|don|doesn|will|anyone|by the way|does|that ok|that okay|that fine|kann|könn|wer|wie|was|wo|oder|ist|hat|habt|¿)\b)",
    re.IGNORECASE,
)
_ASKING = lazy(
    r"^(?:is|are|can|could|do|does|did|what|how|who|should|would|where|when|which|have|has|will|am|was|were|why|whose|"
    r"kann|könn\w*|wer|wie|was|wo|ist|hat|habt|hast|bist|wohnst|est-ce|où|qui|que|dónde|quién|cómo|cuándo)\b",
    re.IGNORECASE,
)


#: Words of somebody's within a sentence of another's: 'He goes "I work for the CIA" and everyone laughed'.
_QUOTED = lazy(r"[\"“„]\s?(?:I|I'm|I’m|We|My|You|Ich|Wir|Mein|Je|J'|Yo|Mi)\b[^\"”“]*[\"”“]")


_TAG = lazy(r", (?:oder|ne|nicht wahr|right|isn't it|isn’t it|no|non|verdad|n'est-ce pas)\??$", re.IGNORECASE)


#: What asks to keep what it states.
_NOTED = lazy(
    r"^(?:please )?(?:can|could|would|will) you (?:please |just |also )*(?:note|remember|save|write down|keep in mind|bear in mind|jot down|make a note|store|record|log) that ",
    re.IGNORECASE,
)
_IF_OK = lazy(r",? if (?:that|it)(?:['’]s| is) (?:ok|okay|alright|all right|fine)\b\W*$", re.IGNORECASE)


def _asserted(text: str, sentence: Sentence) -> str:
    """What a sentence states; of one that ends by asking only what stands before the question."""
    whole = _QUOTED.sub('"…"', _with_tail(text, sentence))
    if not sentence.idle:
        return whole
    polite = _IF_OK.search(whole)
    if polite is not None and not _ASKING.match(whole):
        return whole[: polite.start()]  # "I've got my own pans if that's ok?"
    around = text[max(0, sentence.start - 4) : sentence.start] + text[sentence.end : sentence.end + 2]
    noted = _NOTED.match(whole)
    if noted is not None:
        return whole[noted.end() :]  # "Can you note that I'm off dairy?"
    if "?" not in text[sentence.end : sentence.end + 3] or any(mark in around for mark in "\">“”„«»¿'‘"):
        return ""
    if _TAG.search(whole):
        return ""  # "The rent is 520, right?" asks whether it is
    cut = _ASKS.search(whole)
    return "" if cut is None or _ASKING.match(whole) else whole[: cut.start()]


def _with_tail(text: str, sentence: Sentence) -> str:
    """A sentence with the mark behind it, which tells where its last phrase ends."""
    start = sentence.start
    while start > 0 and text[start - 1] in "$€£":
        start -= 1
    return text[start : sentence.end + 1].replace("\n", " ").strip()


def _add(facts: list[Fact], turn: int, claim: Claim) -> None:
    """Add what a clause claims, unless the turn's facts say so already."""
    what = claim.object.strip(" .,;:!?\"'")
    if not what or len(what) > _LONGEST or claim.subject.casefold() == what.casefold():
        return
    mine = set(words(what))
    if not mine:
        return
    for at, each in enumerate(facts):
        theirs = set(words(each.object))
        alike = each.predicate == claim.predicate or any({each.predicate, claim.predicate} <= some for some in _SAME)
        if each.subject == claim.subject and alike and (mine <= theirs or theirs <= mine):
            if claim.since and not each.since and each.ended == claim.ended:
                facts[at] = each.model_copy(update={"since": claim.since})
            if claim.until and not each.until and each.ended == claim.ended:
                facts[at] = each.model_copy(update={"until": claim.until})
            whole = all(word[:1].isupper() for word in what.split()) and theirs < mine
            if whole and each.ended == claim.ended and each.predicate == claim.predicate:
                facts[at] = facts[at].model_copy(update={"object": what})
            if each.ended == claim.ended or each.predicate == claim.predicate:
                return
    facts.append(
        Fact(
            turn=turn,
            subject=claim.subject,
            subject_kind=claim.subject_kind,
            predicate=claim.predicate,
            object=what,
            object_kind=claim.object_kind,
            ended=claim.ended,
            since=claim.since,
            until=claim.until,
        )
    )
