"""Whether a fact can be meant: what its value is beside what its predicate expects, and what its turn shows of play.

Each doubt about a fact counts; at two it is not taken. A value that nobody has in earnest ("lives in Narnia") counts two,
one that few have ("owns a yacht") one. A turn that calls somebody what no one is ("I'm the Pope", "my husband is a
lobster") counts two in that sentence and one beside it. Laughter or overstatement counts one. While a part is played,
no fact is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ricordo.facts.any_case import AnyCase
from ricordo.facts.said import Said
from ricordo.facts.sentences import Sentence
from ricordo.models import Fact
from ricordo.text import words
from ricordo.text.english import KIN, PETS, word_set

_HELD = 2
#: Turns of anybody for which a part that was begun is played on, unless somebody steps out of it.
_PLAYED_ON = 2

#: What nobody is: of tales, of a court, of riches.
_BEINGS = """
    vampire werewolf zombie ghost witch wizard sorcerer sorceress elf orc half-orc half-elf goblin troll ogre dragon unicorn
    mermaid fairy demon devil satan alien robot cyborg superhero supervillain villain pirate ninja samurai gladiator viking
    knight barbarian paladin necromancer cleric warlock druid mage vampir werwolf geist hexe zauberer elfe kobold drache
    einhorn meerjungfrau fee dämon teufel roboter superheld pirat ritter außerirdischer
"""
_COURT = """
    king queen prince princess emperor empress pope duke duchess tsar sultan pharaoh maharaja heir messiah
    millionaire billionaire trillionaire könig königin prinz prinzessin kaiser kaiserin papst herzog herzogin graf gräfin
    millionär millionärin milliardär milliardärin
"""
#: What no person is, though an animal may be one.
_CREATURES = """
    potato cabbage turnip carrot onion cucumber pumpkin turkey lobster shark goose hamster sloth slug snail fox wolf bear
    whale dolphin penguin owl toad frog worm spider hedgehog squirrel otter goldfish amoeba donkey mule goat cactus tree
    plant sponge doormat brick rock stapler lamp sofa toaster teapot moon planet cloud kartoffel faultier schnecke
    hamster esel wal hai wurm kaktus schwamm toaster
"""
_NOT_PEOPLE = "|".join(sorted((word_set(_BEINGS) | word_set(_COURT)), key=len, reverse=True))
_NOT_ME = "|".join(sorted(word_set(_CREATURES), key=len, reverse=True))
_KINFOLK = "|".join(sorted(map(re.escape, (set(KIN) - PETS) | {"boss", "landlord", "teacher"}), key=len, reverse=True))
_ARTICLE = r"(?:a|an|the|our|my|her|his|ein|eine|der|die|das)"
_BEHIND = (
    r"(?=$|[^\w\s'-]| (?:of|and|who|called|named|with|now|today|in|from|on|at|again|but|when|because|or|by|tonight|"
    r"und|von|aus|mit|auf|heute)\b)"
)
#: Somebody is called what no one is.
_IMPOSSIBLE = AnyCase(
    rf"(?:\b(?:is|are|am|bin|ist|sind)|'(?:m|s|re)) (?:\w+ ){{0,2}}?{_ARTICLE} (?:[\w-]+ ){{0,3}}?(?:{_NOT_PEOPLE})s?{_BEHIND}"
    rf"|(?:\b(?:i am|ich bin|(?:{_KINFOLK}) (?:is|ist))|\bi'm) (?:\w+ ){{0,1}}?{_ARTICLE} (?:[\w-]+ ){{0,2}}?(?:{_NOT_ME}){_BEHIND}"
    r"|\b(?:i'm|i am|he's|she's|he is|she is) (?:captain|sir|lord|lady|king|queen|prince|princess|count|emperor|pope|saint) "
    r"(?!of |now|this |for |again|at |on |in |and |since |tonight|here)[a-z]"
)
#: A part is given or taken.
_PART = AnyCase(
    r"\b(?:session zero|in character|role[- ]?play\w*|let's pretend|let's play|pretend (?:to be|that|i|you)|act as|improv\b|larp|"
    r"d&d|dnd|murder mystery|panto|your (?:line|part|character)|you're the|you are now|krimidinner|"
    r"rollenspiel|theaterprobe)"
)
_TAKEN = AnyCase(r"\b(?:i'm|i am|you're|you are|your|ich bin|du bist|my name is)\b")
#: Somebody steps out of a part.
_STEPS_OUT = AnyCase(
    r"\b(?:out of character|real (?:world|life)|irl|seriously|for real|joking|jokes aside|actual(?:ly)?|anyway|btw|"
    r"by the way|thanks|thank you|back to|mal im ernst|im ernst|wirklich|übrigens|danke)\b"
)
_LAUGHTER = AnyCase(r"\b(?:lol|lmao|rofl|ha(?:ha)+|hehe)\b|[😂🤣😅🙃😜😝😉😆😄]|/s\b")
_OVERSTATED = AnyCase(
    r"\b(?:basically|practically|literally|officially|obviously|clearly|of course|apparently|totally|technically|virtually|"
    r"essentially|at this (?:point|rate)|might as well|(?:a|ten|forty|fifty|hundred|thousand) (?:thousand|million|billion)s?|"
    r"half of|so (?!happy|glad|excited|proud|pleased)\w+ (?:that )?(?:i|we|it|he|she|they)|quasi|praktisch|gefühlt|"
    r"natürlich|selbstverständlich|versteht sich)\b"
)

#: Values that nobody has in earnest, and values that few have; by predicate.
_NOWHERE = word_set(
    """
    moon mars venus jupiter saturn pluto narnia mordor hogwarts gotham atlantis westeros wonderland neverland hell heaven
    limbo purgatory middle-earth ironforge arrakis valhalla olympus eden space mond himmel hölle schlaraffenland
    """
)
_FAR = word_set(
    """
    siberia antarctica timbuktu hollywood palace castle prison lighthouse dungeon tower cave pole monaco malibu fortress
    sibirien timbuktu schloss gefängnis leuchtturm
    """
)
_NO_EMPLOYER = word_set(
    "santa hogwarts batman satan devil god illuminati guild brotherhood empire legion rebellion kingdom crown underworld teufel"
)
_RARE_EMPLOYER = word_set("vatican cia mi5 mi6 kgb mossad fbi nasa fsb pentagon kremlin order council resistance circus zirkus")
_NOT_OWNED = word_set(
    """
    dragon unicorn throne kingdom crown wand spaceship tardis planet moon empire galaxy phoenix griffin cursed magic magical
    enchanted imaginary invisible drache einhorn thron
    """
)
_RARELY_OWNED = word_set(
    """
    yacht jet helicopter helipad mansion castle island palace limousine ferrari lamborghini bugatti bentley rolls-royce
    camel sword axe butler jacht hubschrauber villa schloss insel schlösser
    """
)
_NO_ROLE = word_set(_BEINGS) | word_set(_COURT) | word_set("assassin hero heroine slave overlord")
_RARE_ROLE = word_set("spy astronaut president chauffeur agent ceo butler detective spion astronaut bundeskanzler kanzler")
_NOBODY = word_set(
    """
    satan batman superman gandalf dracula napoleon cleopatra elvis santa karma clooney pitt dicaprio beyoncé swift
    """
)
_NO_ALLERGEN = word_set(
    """
    monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays sunday sundays morning mornings
    work exercise cardio hills people children kids meetings deadlines homework housework drama nonsense stupidity bullshit
    commitment maths school love spreadsheets emails tidying small montag montage dienstage arbeit sport morgen leute
    """
)
_VALUES = {
    "lives_in": (_NOWHERE, _FAR),
    "comes_from": (_NOWHERE, _FAR),
    "works_at": (_NO_EMPLOYER, _RARE_EMPLOYER),
    "owns": (_NOT_OWNED, _RARELY_OWNED),
    "pet": (_NOT_OWNED, _RARELY_OWNED),
    "car": (_NOT_OWNED, _RARELY_OWNED),
    "role": (_NO_ROLE, _RARE_ROLE),
    "occupation": (_NO_ROLE, _RARE_ROLE),
    "allergic_to": (_NO_ALLERGEN, frozenset()),
}
_OF_PEOPLE = frozenset(KIN.values()) | {"boss", "manager", "landlord", "name"}


@dataclass
class Plausibility:
    """Weighs the facts of a block of turns, one turn after the other."""

    speakers: frozenset[str]
    #: For how many turns a part that was begun is still played.
    _played: int = 0

    def kept(self, said: Said, sentences: Sequence[Sentence], facts: Sequence[Fact]) -> Iterator[Fact]:
        """The facts of a person's turn that can be meant."""
        text = said.text[:2000].replace("’", "'")
        if self._plays(text):
            return
        if facts:
            doubts = _Doubts(text, sentences)
            for fact in facts:
                if fact.ended or doubts.of(fact, teases=self._teases(said, fact)) < _HELD:
                    yield fact

    def _plays(self, text: str) -> bool:
        """Whether a turn takes, gives or goes on with a part."""
        begins = _PART.is_in(text) and _TAKEN.is_in(text)
        if self._played and _STEPS_OUT.is_in(text):
            self._played = 0
        going_on = self._played > 0
        self._played = _PLAYED_ON if begins or (going_on and _IMPOSSIBLE.is_in(text)) else max(0, self._played - 1)
        return going_on

    def _teases(self, said: Said, fact: Fact) -> bool:
        """Whether somebody says it of another who is present."""
        return fact.subject != said.speaker and fact.subject in self.speakers


class _Doubts:
    """What a turn gives to doubt of."""

    def __init__(self, text: str, sentences: Sequence[Sentence]) -> None:
        self._impossible = [each.text for each in sentences if _IMPOSSIBLE.is_in(each.text.replace("’", "'"))]
        self._aloud = _LAUGHTER.is_in(text) or _OVERSTATED.is_in(text)

    def of(self, fact: Fact, *, teases: bool) -> int:
        doubts = _of_value(fact) + self._aloud + teases
        if self._impossible:
            beside = all(fact.object not in each for each in self._impossible)
            doubts += 1 if beside or fact.predicate in _OF_PEOPLE else 2
        return doubts


def _of_value(fact: Fact) -> int:
    never, rarely = _VALUES.get(fact.predicate, (frozenset(), frozenset()))
    said: Iterable[str] = words(fact.object.casefold())
    if fact.predicate in _OF_PEOPLE:
        never = _NOBODY
    said = frozenset(said)
    return 2 if said & never else 1 if said & rarely else 0
