"""Whether a fact can be meant: what its value is beside what its predicate expects, and what its turn shows of play.

Each doubt about a fact counts; at two it is not taken. A value that nobody has in earnest ("lives in Narnia") counts two,
one that few have ("owns a yacht") one. A turn that calls somebody what no one is ("I'm the Pope", "my husband is a
lobster") counts two in that sentence and one beside it. Laughter or overstatement counts one. While a part is played,
no fact is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

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
_ANIMALS = """
    dog cat puppy kitten horse pony hamster parrot rabbit bunny turtle tortoise bird goldfish fish donkey goat snake gecko
    lizard fox wolf bear badger mouse rat mole squirrel hedgehog otter beaver deer moose bat owl heron swan goose duck hen
    chicken rooster pigeon crow raven seagull robin penguin ostrich turkey cow bull sheep lamb pig hog llama alpaca camel mule
    lion tiger leopard elephant giraffe zebra hippo rhino monkey gorilla chimp sloth koala kangaroo wombat panda raccoon
    skunk armadillo whale dolphin seal walrus shark octopus squid crab lobster shrimp jellyfish frog toad newt crocodile
    alligator snail slug worm spider beetle bee wasp ant fly moth butterfly caterpillar amoeba hund katze kater pferd vogel
    fuchs wolf bär igel maus ratte esel ziege schaf schwein kuh huhn gans ente eule wal hai schnecke wurm spinne frosch
    faultier affe elefant giraffe
"""
#: What nobody is either, save in a figure of speech.
_THINGS = """
    potato cabbage turnip carrot onion cucumber pumpkin bean cactus tree plant mushroom sponge doormat brick rock stapler
    lamp sofa toaster teapot moon planet cloud kartoffel kaktus schwamm
"""
_NOT_PEOPLE = "|".join(sorted((word_set(_BEINGS) | word_set(_COURT)), key=len, reverse=True))
_NOT_ME = "|".join(sorted(word_set(_ANIMALS) | word_set(_THINGS), key=len, reverse=True))
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
    r"d&d|dnd|murder mystery|your (?:part|character)|you're the|you are now|krimidinner|"
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
    r"i swear|true story|no lie|natürlich|selbstverständlich|versteht sich|wirklich wahr|ungelogen|bloß|eher)\b"
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
    antarctica timbuktu hollywood palace castle lighthouse dungeon tower cave pole monaco malibu fortress schloss leuchtturm
    """
)
_NO_EMPLOYER = word_set(
    "santa hogwarts batman satan devil god illuminati guild brotherhood empire legion rebellion kingdom crown underworld teufel"
)
_RARE_EMPLOYER = word_set("cia mi5 mi6 kgb mossad fbi nasa fsb pentagon kremlin order council resistance circus zirkus")
_NOT_OWNED = word_set(
    """
    dragon unicorn throne kingdom crown wand spaceship tardis planet moon empire galaxy phoenix griffin cursed magic magical
    enchanted imaginary invisible drache einhorn thron
    """
)
_RARELY_OWNED = word_set(
    """
    yacht jet helicopter helipad mansion castle island palace limousine ferrari lamborghini bugatti bentley rolls-royce
    sword axe butler jacht hubschrauber villa schloss insel schlösser
    """
)
_NO_ROLE = word_set(_BEINGS) | word_set(_COURT) | word_set("assassin hero heroine slave overlord")
_RARE_ROLE = word_set("spy astronaut butler spion bundeskanzler kanzler")
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


#: Behind these stands what an animal or a thing is called.
_OF_AN_ANIMAL = AnyCase(rf"\b(?:{'|'.join(word_set(_ANIMALS) | word_set(_BEINGS))}),? (?:called |named |by the name of )$")
#: What somebody is called, or taken for.
_LABELLED = AnyCase(
    r"\b(?:calls?|calling) (?:me|us|him|her)\b|\bcalled me (?:a|an|the)\b|"
    r"\b(?:thinks?|thought|swears?|insists?|claims?|believes?|says) (?:that )?(?:i|i'm|i am)\b"
)
_CHANGED = AnyCase(
    r"\b(?:now|since|new|became|become|promoted|start\w*|moved|moving|no longer|used to|switched|changed|as of|from|also|"
    r"jetzt|seit|neu\w*|geworden|umgezogen|gezogen|ab|auch)\b"
)
_HIS = AnyCase(r"\b(?:his|her|their|sein|seine|ihr|ihre) (?:\w+ )?$")
#: What an animal does not do.
_OF_A_PERSON = frozenset({"role", "occupation", "works_at", "studies_at", "owns"})
#: What a person has one of, in one conversation.
_ONE_OF = frozenset({"role", "lives_in", "works_at", "name"})


@dataclass
class Plausibility:
    """Weighs the facts of a block of turns, one turn after the other."""

    speakers: frozenset[str]
    #: What was taken so far.
    _taken: list[Fact] = field(default_factory=list)
    #: For how many turns a part that was begun is still played.
    _played: int = 0

    def kept(self, said: Said, sentences: Sequence[Sentence], facts: Sequence[Fact]) -> list[Fact]:
        """The facts of a person's turn that can be meant."""
        text = said.text[:2000].replace("’", "'")
        if self._plays(text) or not facts:
            return []
        turn = _Turn(text, sentences)
        kept = [each for each in facts if each.ended or turn.doubts(each) + self._beside(said, text, each) < _HELD]
        self._taken += kept
        return kept

    def _plays(self, text: str) -> bool:
        """Whether a turn takes, gives or goes on with a part."""
        begins = _PART.is_in(text) and _TAKEN.is_in(text)
        if self._played and _STEPS_OUT.is_in(text):
            self._played = 0
        going_on = self._played > 0
        self._played = _PLAYED_ON if begins or (going_on and _IMPOSSIBLE.is_in(text)) else max(0, self._played - 1)
        return begins or going_on

    def _beside(self, said: Said, text: str, fact: Fact) -> int:
        """What speaks against a fact in the conversation so far."""
        doubts = int(fact.subject != said.speaker and fact.subject in self.speakers)  # said of another who is present
        for each in self._taken:
            if fact.predicate in _OF_A_PERSON and each.predicate == "pet" and each.object == fact.subject:
                return _HELD
            if fact.predicate == "role" and each.predicate == fact.object and f"the {fact.object}" in text:
                return _HELD  # "My therapist is Ann." "I'm the therapist today."
        before = [each for each in self._taken if (each.subject, each.predicate) == (fact.subject, fact.predicate)]
        if before and fact.predicate in _ONE_OF and before[-1].object != fact.object and not _CHANGED.is_in(text):
            doubts += 1
        return doubts


class _Turn:
    """What a turn itself gives to doubt of."""

    def __init__(self, text: str, sentences: Sequence[Sentence]) -> None:
        self._text = text
        self._impossible = [each.text for each in sentences if _IMPOSSIBLE.is_in(each.text.replace("’", "'"))]
        self._labelled = [each.text for each in sentences if _LABELLED.is_in(each.text.replace("’", "'"))]
        self._aloud = _LAUGHTER.is_in(text) or _OVERSTATED.is_in(text)

    def doubts(self, fact: Fact) -> int:
        """How many there are of a fact."""
        doubts = _of_value(fact) + self._aloud
        before = self._text[: max(0, self._text.rfind(fact.object))][-40:]
        if fact.predicate != "pet" and _OF_AN_ANIMAL.is_in(before):
            return _HELD
        if fact.predicate == "role":
            doubts += _HIS.is_in(before) + 2 * any(fact.object in each for each in self._labelled)
        if self._impossible:
            beside = all(fact.object not in each for each in self._impossible)
            doubts += 1 if beside or fact.predicate in _OF_PEOPLE else 2
        return doubts


def _of_value(fact: Fact) -> int:
    never, rarely = _VALUES.get(fact.predicate, (_NOBODY if fact.predicate in _OF_PEOPLE else frozenset(), frozenset()))
    said = frozenset(words(fact.object.casefold()))
    return 2 if said & never else int(bool(said & rarely))
