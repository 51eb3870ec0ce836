"""Whether a fact can be meant: whether its value is what its predicate expects, and whether its turn is in jest.

Doubts about a fact are counted; with two, it is not taken. A value that nobody has in earnest ("lives in Narnia")
counts two, one that few have ("owns a yacht") one. Where somebody is called what no one is ("I'm the Pope"), a fact
of that sentence gets two, one of another sentence of the turn one. Overstatement gives one. English and German.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ricordo.facts.any_case import AnyCase
from ricordo.facts.sentences import Sentence
from ricordo.facts.topics import relative
from ricordo.models import Fact
from ricordo.text import kinds, lazy
from ricordo.text.english import KIN, PETS
from ricordo.text.given_names import GIVEN

_HELD = 2


def _any_of(some: frozenset[str]) -> str:
    return "|".join(sorted(some, key=len, reverse=True))


_NOT_PEOPLE = _any_of(kinds.BEINGS | kinds.COURT)
_NOT_ME = _any_of(kinds.ANIMALS | kinds.LIFELESS)
_KINFOLK = _any_of((frozenset(KIN) - PETS) | {"teacher"})
_ARTICLE = r"(?:a|an|the|our|my|her|his|ein|eine|der|die|das)"
_BEHIND = (
    r"(?=$|[^\w\s'-]| (?:of|and|who|called|named|with|now|today|in|from|on|at|again|but|when|because|or|by|tonight|"
    r"und|von|aus|mit|auf|heute)\b)"
)
#: Somebody is called what no one is.
_IMPOSSIBLE = AnyCase(
    rf"(?:\b(?:is|are|am|bin|ist|sind)|'(?:m|s|re)) (?:\w+ ){{0,2}}?{_ARTICLE} (?!night owl|early bird)"
    rf"(?:[\w-]+ ){{0,3}}?(?:{_NOT_PEOPLE})s?{_BEHIND}"
    rf"|(?:\b(?:i am|ich bin|(?:{_KINFOLK}) (?:is|ist))|\bi'm) (?:\w+ )??{_ARTICLE} (?!night owl|early bird)"
    rf"(?:[\w-]+ ){{0,2}}?(?:{_NOT_ME}){_BEHIND}"
    r"|\b(?:i'm|i am|he's|she's|he is|she is) (?:captain|sir|lord|lady|king|queen|prince|princess|count|emperor|"
    r"pope|saint) "
    r"(?!of |now|this |for |again|at |on |in |and |since |tonight|here)[a-z]"
    r"|(?:\b(?:i am|he is|she is|you are)|'(?:m|s|re)) (?:an?|the|my|our) (?:wicked|evil|cursed|magic|magical|"
    r"enchanted|haunted|undead|talking|invisible|long-lost) \w"
)
_OVERSTATED = AnyCase(
    r", well,|\b(?:basically|practically|literally|officially|obviously|clearly|of course|apparently|totally|"
    r"technically|virtually|essentially|unofficially|at this (?:point|rate)|might as well|half of|"
    r"(?:a|ten|forty|fifty|hundred|thousand) (?:thousand|million|billion)s?|"
    r"so (?!happy|glad|excited|proud|pleased)\w+ (?:that )?(?:i|we|it|he|she|they)|i swear|true story|no lie|"
    r"spiritually|emotionally|in spirit|also known as|in the same way (?:that|as)|"
    r"of (?:this|our) (?:household|house|kitchen)|since (?:breakfast|lunch|dinner)|"
    r"quasi|praktisch|gefühlt|natürlich|selbstverständlich|versteht sich|wirklich wahr|ungelogen|bloß|eher|"
    r"eigentlich)\b"
)

_ALLERGEN = AnyCase(
    r"(?:cillin|mycin|floxacin|cycline|azole|profen|xetine|caine|amide|oxin|ine|nuss|nüsse|pollen|haare|gift|milben)s?$"
)
_PLAYED = AnyCase(r"(?:ball|phone|flöte|flote|gitarre|horn|trompete|klarinette|trommel|harfe|orgel|spiele?)$")
_GERMAN_PLAY = AnyCase(r"\bspiel")
_BLOOD = lazy(r"(?:A|B|AB|O|0)\b|positive|negative", re.IGNORECASE)
#: Pronouns, which a value never contains, and endings that a name does not have.
_PRONOUN = lazy(
    r"(?<!^with )\b(?:me|myself|you|yourself|us|him|himself|them|themselves|everyone|everybody|nobody|anyone)\b"
)
_NO_NAME = lazy(r"(?:ed|ing|ly|ness|less|ful|ous)$")
_NO_ROLES = kinds.NO_ROLES | kinds.BEINGS | kinds.COURT
#: Values that nobody has in earnest, and values that few have; by predicate.
_VALUES = {
    "lives_in": (kinds.NO_PLACES, kinds.FAR_PLACES),
    "comes_from": (kinds.NO_PLACES, kinds.FAR_PLACES),
    "works_at": (kinds.NO_EMPLOYERS, kinds.RARE_EMPLOYERS),
    "owns": (kinds.NO_BELONGINGS, kinds.RARE_BELONGINGS),
    "pet": (kinds.NO_BELONGINGS, kinds.RARE_BELONGINGS),
    "car": (kinds.NO_BELONGINGS, kinds.RARE_BELONGINGS),
    "role": (_NO_ROLES, kinds.RARE_ROLES),
    "occupation": (_NO_ROLES, kinds.RARE_ROLES),
}
#: Verbs whose object can be touched, and endings of words for what cannot.
_CONCRETE = frozenset(
    ["eats", "drinks", "owns", "collects", "keeps", "wears", "drives", "breeds", "grows", "feeds", "sells"]
)
_ABSTRACT = lazy(r"\w{3}(?:ness|ism|tude|cracy|ence|ation|ity)$")
#: What is no value alone.
_SAYS_NOTHING = frozenset(
    ["the", "around", "online", "more", "less", "most", "head", "same", "one", "about", "again", "back"]
)
#: What points elsewhere: "we're registered there".
_ELSEWHERE = lazy(r"(?:^| )(?:there|here|elsewhere|it|them|dort|da|hier|dorthin)$")
_OF_WORDS = frozenset(["instruction", "name", "topic", "title"])
#: What a value never contains.
_NEVER = frozenset(["never", "none", "nobody", "nothing", "whatever", "whoever", "anything"])
#: Of what nobody has thousands.
_COUNTED = frozenset(["owns", "has", "pet", "collects", "keeps"])
_HUGE = frozenset(["thousand", "thousands", "million", "millions", "billion", "billions", "infinite", "endless"])
#: Predicates whose values may be feelings.
_OF_MIND = frozenset(
    ["health", "instruction", "name", "goal", "topic", "likes", "dislikes", "prefers", "studies", "title"]
)
#: What is told of animals: nothing that only a person does.
_OF_ANIMALS = lazy(
    r"(?:is|is_\w+|hibernates\w*|lays?|pulls\w*|barks\w*|chews\w*|scratches\w*|bites|hunts\w*|swims\w*|fears|sheds\w*|snores|stands\w*|measures\w*|stays_\w+|sleeps\w*|weighs?|weight|age|eats|drinks|needs|has|health|takes|hates|likes|allergic_to|does_not_eat|"
    r"intolerant_to|lost|got|had|born_in|goes_to|gets\w*|lives_(?:with|on|above)|color|colour|diet|haben|fressen|schlafen|come|bebe|duerme|mange|boit|dort\w*)$"
)
#: What no small child is, has or does.
_OF_A_CHILD = lazy(
    r"(?:toddler|baby|newborn|kids?|infant)_(?:role|occupation|works\w*|runs|owns|job|manages|leads|speaks|teaches|charges|pays|drives)$"
)
#: What one does not know of those whom one pays or works for.
_OF_AN_ACQUAINTANCE = lazy(r"(?:dentist|doctor|therapist|boss|manager|landlord|landlady|coach|mentor|neighbor)_owns$")
_ANIMAL_SUBJECT = lazy(rf"(?:{_any_of(PETS)}|pet|cats|dogs)_(?P<rest>.+)")
_OF_PEOPLE = frozenset(KIN.values()) | {"boss", "manager", "landlord", "name"}


#: Behind these stands what an animal or a thing is called.
_OF_AN_ANIMAL = AnyCase(rf"\b(?:{_any_of(kinds.ANIMALS | kinds.BEINGS)}),? (?:called |named |by the name of )$")
#: What somebody is called, or taken for.
_LABELED = AnyCase(
    r"\b(?:calls?|calling) (?:me|us|him|her)\b|\bcalled me (?:a|an|the)\b|"
    r"\b(?:thinks?|thought|swears?|insists?|claims?|believes?|says) (?:that )?(?:i|i'm|i am)\b"
)
_MOVED = AnyCase(
    r"\b(?:now|since|new|mov\w+|relocat\w+|no longer|used to|back|from|not|jetzt|seit|neu\w*|\w*gezogen|ab|nicht)\b"
)
_HIS = AnyCase(r"\b(?:his|her|its|their|sein|seine|ihr|ihre) (?:\w+ )?$")
#: What an animal does not do.
_OF_A_PERSON = frozenset({"role", "occupation", "works_at", "studies_at", "owns", "runs"})
_PLAY = AnyCase(r"\b(?:play|spiel)")
#: What is watched, read or played has people of its own.
_FICTION = AnyCase(
    r"\b(?:(?:re)?watch(?:ing|ed)|binge\w*|episodes?|season (?:\d|one|two|three|finale)|sequel|prequel|films?|"
    r"tv series|movies?|novels?|sitcom|soap|tv show|comics?|manga|anime|musical|opera|playthrough|main character|"
    r"(?:re)?reading (?:the|a|this|my))\b"
)
_OF_ALLERGY = AnyCase(r"\ballerg(?:ic|y|ies|isch|ie gegen)\b")


@dataclass
class Plausibility:
    """Weighs the facts of a block of turns, one turn after the other."""

    #: The animals of the block; and what people are of whom somebody says "my": (speaker, "therapist").
    _pets: set[str] = field(default_factory=set)
    _own: set[tuple[str, str]] = field(default_factory=set)
    _homes: dict[str, str] = field(default_factory=dict)
    #: Who speaks, and who was spoken of.
    people: set[str] = field(default_factory=set)

    def kept(self, text: str, sentences: Sequence[Sentence], facts: Sequence[Fact]) -> list[Fact]:
        """The facts of a person's turn that can be meant."""
        if not facts:
            return []
        if _FICTION.is_in(text):
            named = {each.object for each in facts if each.predicate in _OF_PEOPLE}
            facts = [each for each in facts if each.subject in self.people | named or each.subject_kind != "person"]
        text = text[:2000].replace("’", "'")
        turn = _Turn(text, sentences)
        kept = [each for each in facts if each.ended or turn.doubts(each) + self._beside(text, each) < _HELD]
        self._pets |= {each.object for each in kept if each.predicate == "pet"}
        self._homes |= {each.subject: each.object for each in kept if each.predicate == "lives_in"}
        self.people |= {each.subject for each in kept} | {each.object for each in kept if each.predicate in _OF_PEOPLE}
        self._own |= {(each.subject, each.predicate) for each in kept}
        return kept

    def _beside(self, text: str, fact: Fact) -> int:
        """What speaks against a fact in the conversation so far."""
        if fact.subject in self._pets and fact.predicate in _OF_A_PERSON:
            return _HELD
        animals = _ANIMAL_SUBJECT.match(fact.predicate)
        if _OF_AN_ACQUAINTANCE.match(fact.predicate) is not None or _OF_A_CHILD.match(fact.predicate) is not None:
            return _HELD
        if animals is not None and _OF_ANIMALS.match(animals["rest"]) is None:
            return _HELD
        # "My therapist is Ann." "Now I'm the therapist."
        swapped = fact.predicate == "role" and (fact.subject, fact.object) in self._own and f"the {fact.object}" in text
        if swapped:
            return _HELD
        home = self._homes.get(fact.subject, fact.object)
        return int(fact.predicate == "lives_in" and home != fact.object and not _MOVED.is_in(text))


class _Turn:
    """What a turn itself gives to doubt of."""

    def __init__(self, text: str, sentences: Sequence[Sentence]) -> None:
        self._text = text
        plain = [(each.text, each.text.replace("’", "'")) for each in sentences]
        self._impossible = [each for each, text in plain if _IMPOSSIBLE.is_in(text)]
        self._labeled = [each for each, text in plain if _LABELED.is_in(text)]
        self._overstated = _OVERSTATED.is_in(text)

    def doubts(self, fact: Fact) -> int:
        """How many there are of a fact."""
        doubts = _of_value(fact, self._text) + self._overstated
        before = self._text[: max(0, self._text.rfind(fact.object))][-40:]
        if fact.predicate != "pet" and _OF_AN_ANIMAL.is_in(before):
            return _HELD
        if fact.predicate == "role":
            doubts += _HIS.is_in(before) + 2 * any(fact.object in each for each in self._labeled)
        if self._impossible:
            beside = all(fact.object not in each for each in self._impossible)
            doubts += 1 if beside or fact.predicate in _OF_PEOPLE else 2
        return doubts


def _of_value(fact: Fact, text: str) -> int:
    """Doubts about the value itself."""
    said = frozenset(fact.object.casefold().split())
    of_relative = relative(fact.predicate)
    predicate = fact.predicate if of_relative is None else of_relative[1]
    expected = _EXPECTED.get(predicate)
    if expected is not None:
        return 0 if expected(fact.object, said, text) else _HELD
    if _PRONOUN.search(fact.object) or fact.object in _SAYS_NOTHING:
        return _HELD
    if _ELSEWHERE.search(fact.object) and fact.predicate not in _OF_WORDS:
        return _HELD
    if fact.predicate.startswith(("lives_", "sleeps_", "living_", "sleeping_")) and said & kinds.WHEREABOUTS:
        return _HELD
    if fact.predicate.partition("_")[0] in _CONCRETE and any(map(_ABSTRACT.search, said)):
        return _HELD
    if not _NEVER.isdisjoint(said) and fact.predicate not in _OF_MIND:
        return _HELD
    if fact.predicate in _COUNTED and said & _HUGE:
        return _HELD
    if said & kinds.FEELINGS and fact.predicate not in _OF_MIND:
        return _HELD
    if fact.predicate == "lives_in" and fact.object.endswith(" Land"):
        return _HELD
    never, rarely = _VALUES.get(predicate, (frozenset(), frozenset()))
    return _HELD if said & never else int(bool(said & rarely))


def _is_allergen(_: str, said: frozenset[str], text: str) -> bool:
    singular = {each.removesuffix("s") for each in said}
    listed = said & kinds.ALLERGENS or singular & kinds.ANIMALS or any(map(_ALLERGEN.is_in, said))
    return bool(listed) or not _OF_ALLERGY.is_in(text)  # what is said in French or Spanish is on no list


def _is_played(value: str, said: frozenset[str], text: str) -> bool:
    if "#" in value or "+" in value:
        return False  # a move: "Qd1#"
    if value[:1].isupper() and not _GERMAN_PLAY.is_in(text):
        return True  # a game by its name: "plays Catan"
    return not kinds.PLAYED.isdisjoint(said) or any(map(_PLAYED.is_in, said)) or not _PLAY.is_in(text)


def _is_faith(value: str, said: frozenset[str], _: str) -> bool:
    return value[:1].isupper() or not kinds.FAITHS.isdisjoint(said)


def _is_name(value: str, _: frozenset[str], __: str) -> bool:
    return value.split()[0].casefold() in GIVEN or _NO_NAME.search(value) is None


def _is_language(_: str, said: frozenset[str], __: str) -> bool:
    return not kinds.LANGUAGES.isdisjoint(said) or any(each.endswith(("ish", "ese", "isch")) for each in said)


def _is_sign(_: str, said: frozenset[str], __: str) -> bool:
    return not kinds.ZODIAC.isdisjoint(said)


def _is_blood_type(value: str, _: frozenset[str], __: str) -> bool:
    return _BLOOD.match(value) is not None


#: Of what a value must be one, by predicate; the rules are given the value, its words and its turn.
_EXPECTED: dict[str, Callable[[str, frozenset[str], str], bool]] = {
    "allergic_to": _is_allergen,
    "plays": _is_played,
    "religion": _is_faith,
    "name": _is_name,
    "speaks": _is_language,
    "speaks_in": _is_language,
    "sign": _is_sign,
    "star_sign": _is_sign,
    "zodiac_sign": _is_sign,
    "blood_type": _is_blood_type,
    "blood_group": _is_blood_type,
}
