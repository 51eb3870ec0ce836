"""Whether a fact can be meant: whether its value is what its predicate expects, and whether its turn plays or jests.

Doubts about a fact are counted; with two, it is not taken. A value that nobody has in earnest ("lives in Narnia") counts
two, one that few have ("owns a yacht") one. Where somebody is called what no one is ("I'm the Pope"), a fact of that
sentence gets two, one of another sentence of the turn one. Laughter or overstatement gives one. English and German.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ricordo.facts.any_case import AnyCase
from ricordo.facts.sentences import Sentence
from ricordo.models import Fact
from ricordo.text import lazy, words
from ricordo.text.english import KIN, PETS, word_set
from ricordo.text.given_names import GIVEN

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
_NOT_PEOPLE = "|".join(sorted(word_set(_BEINGS) | word_set(_COURT), key=len, reverse=True))
_NOT_ME = "|".join(sorted(word_set(_ANIMALS) | word_set(_THINGS), key=len, reverse=True))
_KINFOLK = "|".join(sorted((set(KIN) - PETS) | {"boss", "landlord", "teacher"}, key=len, reverse=True))
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
    r"|(?:\b(?:i am|he is|she is|you are)|'(?:m|s|re)) (?:an?|the|my|our) (?:wicked|evil|cursed|magic|magical|enchanted|haunted|"
    r"undead|talking|invisible|long-lost) \w"
)
#: A part is given or taken; and somebody steps out of it.
_PLAYS = AnyCase(
    r"\b(?:session zero|in character|role[- ]?play\w*|let's (?:pretend|play)|pretend (?:to be|that|i|you)|act as|larp|d&d|dnd|"
    r"murder mystery|you are now|krimidinner|rollenspiel)\b"
)
_STEPS_OUT = AnyCase(
    r"\b(?:out of character|real (?:world|life)|irl|seriously|for real|joking|jokes aside|actual(?:ly)?|anyway|btw|"
    r"by the way|thanks|thank you|back to|im ernst|wirklich|übrigens|danke)\b"
)
_LAUGHTER = AnyCase(r"\b(?:lol|lmao|rofl|ha(?:ha)+|hehe)\b|[😂🤣😅🙃😜😝😉😆😄]|/s\b")
_OVERSTATED = AnyCase(
    r"\b(?:basically|practically|literally|officially|obviously|clearly|of course|apparently|totally|technically|virtually|"
    r"essentially|at this (?:point|rate)|might as well|(?:a|ten|forty|fifty|hundred|thousand) (?:thousand|million|billion)s?|"
    r"half of|so (?!happy|glad|excited|proud|pleased)\w+ (?:that )?(?:i|we|it|he|she|they)|quasi|praktisch|gefühlt|"
    r"i swear|true story|no lie|natürlich|selbstverständlich|versteht sich|wirklich wahr|ungelogen|bloß|eher|eigentlich)\b"
)

#: Values that nobody has in earnest, and values that few have; by predicate.
_NOWHERE = word_set(
    """
    moon mars venus jupiter saturn pluto narnia mordor hogwarts gotham atlantis westeros wonderland neverland hell heaven
    limbo purgatory prison jail middle-earth ironforge arrakis valhalla olympus eden space mond himmel hölle gefängnis schlaraffenland
    """
)
_FAR = word_set(
    """
    antarctica siberia timbuktu hollywood palace castle lighthouse dungeon tower cave pole monaco malibu fortress schloss
    leuchtturm sibirien
    """
)
_NO_EMPLOYER = word_set(
    "santa hogwarts batman satan devil god illuminati guild brotherhood empire legion rebellion kingdom crown underworld teufel"
)
_RARE_EMPLOYER = word_set(
    "vatican cia mi5 mi6 kgb mossad fbi nasa fsb pentagon kremlin order council resistance circus zirkus"
)
_NOT_OWNED = word_set(
    """
    dragon unicorn throne kingdom crown wand spaceship tardis planet moon empire galaxy phoenix griffin cursed magic magical
    enchanted imaginary invisible soul heart mind day night time world universe future room stage half third quarter percent
    lot mistake mistakes truth drache einhorn thron
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
#: What people are allergic to.
_ALLERGENS = frozenset(
    words(
        """
    nut nuts peanut peanuts almond almonds walnut walnuts hazelnut hazelnuts cashew cashews pecan pecans pistachio pistachios
    sesame seed seeds soy soya lupin mustard celery gluten wheat rye barley oats grain grains corn maize rice yeast milk
    dairy lactose cheese butter whey casein egg eggs fish cod salmon tuna shellfish prawn prawns shrimp shrimps crab crabs
    lobster mussels oysters clams squid seafood crustaceans meat beef pork chicken kiwi kiwis banana bananas apple apples
    pear pears peach peaches cherry cherries plum plums mango mangoes pineapple strawberry strawberries raspberries berries
    citrus orange oranges lemon lemons grapes melon avocado avocados tomato tomatoes carrot carrots garlic onion onions
    pepper peppers potato potatoes aubergine spinach mushroom mushrooms beans lentils chickpeas peas cinnamon honey
    chocolate cocoa coffee caffeine alcohol wine beer sulphites sulfites histamine msg additives colouring coloring sugar
    pollen birch hazel alder oak ash ragweed grass grasses hay hayfever tree trees mugwort flowers lilies daisies mould
    mold mildew dust mite mites feathers feather down wool fur hair dander cat cats dog dogs horse horses rabbit rabbits
    hamster hamsters bird birds animal animals bee bees wasp wasps hornet hornets insect insects sting stings bite bites
    mosquito mosquitoes ant ants latex rubber nickel metal metals gold silver chrome cobalt fragrance fragrances perfume
    perfumes parfum detergent detergents soap bleach cosmetics plaster plasters adhesive lanolin formaldehyde chlorine sun
    sunlight cold penicillin antibiotic antibiotics amoxicillin aspirin ibuprofen paracetamol codeine morphine iodine
    anaesthetic anaesthetics sulfa sulpha nsaids contrast vaccine vaccines medication medicine drug drugs eucalyptus sunflower
    erdnuss erdnüsse nuss nüsse haselnuss haselnüsse walnuss walnüsse mandeln soja sellerie senf weizen roggen milch
    laktose ei eier fisch krabben muscheln garnelen meeresfrüchte schalentiere äpfel apfel kirschen erdbeeren nüssen
    erdnüssen haselnüssen pollen birke birken birkenpollen gräser gräserpollen hausstaub hausstaubmilben milben staub schimmel
    katze katzen hund hunde katzenhaare hundehaare tierhaare pferde bienen bienenstiche wespen wespenstiche wespengift bienengift
    latex nickel duftstoffe penicillin pflaster
    """
    )
)
_ALLERGEN = AnyCase(
    r"(?:cillin|mycin|floxacin|cycline|azole|profen|xetine|caine|amide|oxin|ine|nuss|nüsse|pollen|haare|gift|milben)s?$"
)
#: What people play.
_PLAYED = frozenset(
    words(
        """
    violin viola cello bass piano guitar drums drum flute clarinet oboe trumpet trombone saxophone sax harp ukulele accordion
    tuba organ recorder bagpipes pipes banjo mandolin harmonica euphonium cornet bassoon horn fiddle keyboard keyboards synth
    lute lyre sitar tabla cajon bongos congas timpani marimba xylophone glockenspiel vibraphone harpsichord theremin
    didgeridoo kazoo whistle bodhran concertina melodica oud koto erhu balalaika bouzouki zither dulcimer triangle tambourine
    cymbals percussion music jazz blues rock folk metal punk lottery pools
    tennis badminton squash hockey rugby cricket golf chess rounders lacrosse croquet bowls bowling darts pool snooker
    billiards padel pickleball polo ultimate frisbee curling shinty hurling camogie korfball petanque boules soccer futsal
    five-a-side seven-a-side ping pong footie footy goalie goal goalkeeper defence defense midfield wing winger striker
    attack centre center forward back keeper point guard pitcher catcher base shortstop prop hooker fly-half scrum lock
    bridge poker rummy canasta cribbage whist euchre hearts patience solitaire blackjack backgammon draughts checkers go
    shogi mahjong mah-jong dominoes scrabble monopoly cluedo sudoku roulette bingo cards board video computer games games
    game d&d dungeons warhammer minecraft fortnite fifa
    geige bratsche kontrabass klavier gitarre schlagzeug trommel flöte querflöte blockflöte klarinette oboe trompete posaune
    saxophon harfe ukulele akkordeon orgel fagott waldhorn horn mundharmonika kontrabass cajon xylophon zither dudelsack
    fußball schach tennis tischtennis badminton golf minigolf hockey eishockey rugby karten skat doppelkopf poker bridge
    rommé kniffel billard darts dart lotto theater torwart tor sturm abwehr mittelfeld bass computerspiele musik wasserball
    """
    )
)
_IS_PLAYED = AnyCase(r"(?:ball|flöte|flote|gitarre|horn|trompete|klarinette|trommel|harfe|orgel|spiele?)$")
_GERMAN_PLAY = AnyCase(r"\bspiel")
_FAITHS = frozenset(
    words(
        """
    christian catholic protestant anglican orthodox baptist methodist lutheran presbyterian quaker evangelical mormon adventist
    church islam muslim sunni shia sufi jewish judaism hindu hinduism buddhist buddhism sikh sikhism jain jainism taoist taoism
    shinto bahai pagan wiccan atheist agnostic humanist none zoroastrian christianity catholicism rastafari druid
    christlich katholisch evangelisch muslimisch jüdisch buddhistisch hinduistisch orthodox konfessionslos atheistisch
    """
    )
)
#: What the values of attributes look like.
_SHAPES = {
    "blood_type": lazy(r"^(?:(?:A|B|AB|O|0)\b|positive|negative)", re.IGNORECASE),
    "blood_group": lazy(r"^(?:(?:A|B|AB|O|0)\b|positive|negative)", re.IGNORECASE),
    "age": lazy(
        r"\d|(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|twenty|thirty|forty|fifty|sixty|seventy|"
        r"eighty|ninety|month|week)"
    ),
}
#: Words of a sentence about somebody, which no value has; and of a state, which is no name.
_PRONOUN = lazy(r"\b(?:me|myself|you|yourself|us|him|himself|them|themselves|everyone|everybody|nobody|anyone)\b")
_NO_NAME = lazy(r"(?:ed|ing|ly|ness|less|ful|ous)$")
_VALUES = {
    "lives_in": (_NOWHERE, _FAR),
    "comes_from": (_NOWHERE, _FAR),
    "works_at": (_NO_EMPLOYER, _RARE_EMPLOYER),
    "owns": (_NOT_OWNED, _RARELY_OWNED),
    "pet": (_NOT_OWNED, _RARELY_OWNED),
    "car": (_NOT_OWNED, _RARELY_OWNED),
    "role": (_NO_ROLE, _RARE_ROLE),
    "occupation": (_NO_ROLE, _RARE_ROLE),
}
_OF_PEOPLE = frozenset(KIN.values()) | {"boss", "manager", "landlord", "name"}


#: Behind these stands what an animal or a thing is called.
_OF_AN_ANIMAL = AnyCase(
    rf"\b(?:{'|'.join(word_set(_ANIMALS) | word_set(_BEINGS))}),? (?:called |named |by the name of )$"
)
#: What somebody is called, or taken for.
_LABELLED = AnyCase(
    r"\b(?:calls?|calling) (?:me|us|him|her)\b|\bcalled me (?:a|an|the)\b|"
    r"\b(?:thinks?|thought|swears?|insists?|claims?|believes?|says) (?:that )?(?:i|i'm|i am)\b"
)
_MOVED = AnyCase(
    r"\b(?:now|since|new|mov\w+|relocat\w+|no longer|used to|back|from|not|jetzt|seit|neu\w*|\w*gezogen|ab|nicht)\b"
)
_HIS = AnyCase(r"\b(?:his|her|their|sein|seine|ihr|ihre) (?:\w+ )?$")
#: What an animal does not do.
_OF_A_PERSON = frozenset({"role", "occupation", "works_at", "studies_at", "owns", "runs"})
#: Lists are of English and German words.
_IS_SAID = AnyCase(r"\b(?:play|spiel)")
_IN_ENGLISH_OR_GERMAN = AnyCase(r"\ballerg(?:ic|y|ies|isch|ie gegen)\b")


@dataclass
class Plausibility:
    """Weighs the facts of a block of turns, one turn after the other."""

    #: Who plays a part since their last turn.
    _playing: set[str] = field(default_factory=set)
    #: The animals of the block; and what people are of whom somebody says "my": (speaker, "therapist").
    _pets: set[str] = field(default_factory=set)
    _own: set[tuple[str, str]] = field(default_factory=set)
    _homes: dict[str, str] = field(default_factory=dict)

    def kept(self, speaker: str, text: str, sentences: Sequence[Sentence], facts: Sequence[Fact]) -> list[Fact]:
        """The facts of a person's turn that can be meant."""
        text = text[:2000].replace("’", "'")
        if self._plays(speaker, text) or not facts:
            return []
        turn = _Turn(text, sentences)
        kept = [each for each in facts if each.ended or turn.doubts(each) + self._beside(text, each) < _HELD]
        self._pets |= {each.object for each in kept if each.predicate == "pet"}
        self._homes |= {each.subject: each.object for each in kept if each.predicate == "lives_in"}
        self._own |= {(each.subject, each.predicate) for each in kept}
        return kept

    def _plays(self, speaker: str, text: str) -> bool:
        """Whether a turn takes or gives a part, or goes on with that of its speaker's last turn."""
        begins = _PLAYS.is_in(text)
        going_on = speaker in self._playing and not _STEPS_OUT.is_in(text)
        if begins or (going_on and _IMPOSSIBLE.is_in(text)):
            self._playing.add(speaker)
        else:
            self._playing.discard(speaker)
        return begins or going_on

    def _beside(self, text: str, fact: Fact) -> int:
        """What speaks against a fact in the conversation so far."""
        if fact.subject in self._pets and fact.predicate in _OF_A_PERSON:
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
        self._labelled = [each for each, text in plain if _LABELLED.is_in(text)]
        self._aloud = _LAUGHTER.is_in(text) or _OVERSTATED.is_in(text)

    def doubts(self, fact: Fact) -> int:
        """How many there are of a fact."""
        doubts = _of_value(fact, self._text) + self._aloud
        before = self._text[: max(0, self._text.rfind(fact.object))][-40:]
        if fact.predicate != "pet" and _OF_AN_ANIMAL.is_in(before):
            return _HELD
        if fact.predicate == "role":
            doubts += _HIS.is_in(before) + 2 * any(fact.object in each for each in self._labelled)
        if self._impossible:
            beside = all(fact.object not in each for each in self._impossible)
            doubts += 1 if beside or fact.predicate in _OF_PEOPLE else 2
        return doubts


def _of_value(fact: Fact, text: str) -> int:
    """Doubts about the value itself."""
    if fact.predicate in _SHAPES:
        return 0 if _SHAPES[fact.predicate].search(fact.object) else _HELD
    if _PRONOUN.search(fact.object):
        return _HELD
    said = frozenset(words(fact.object.casefold()))
    if fact.predicate == "allergic_to":
        listed = said & _ALLERGENS or any(map(_ALLERGEN.is_in, said)) or not _IN_ENGLISH_OR_GERMAN.is_in(text)
        return 0 if listed else _HELD
    if fact.predicate == "plays":
        listed = said & _PLAYED or any(map(_IS_PLAYED.is_in, said))
        titled = fact.object[:1].isupper() and not _GERMAN_PLAY.is_in(text)  # a game by its name: "plays Catan"
        return 0 if listed or titled or not _IS_SAID.is_in(text) else _HELD
    if fact.predicate == "religion":
        return 0 if said & _FAITHS or fact.object[:1].isupper() else _HELD
    if fact.predicate == "name" and _NO_NAME.search(fact.object) and fact.object.split()[0].casefold() not in GIVEN:
        return _HELD
    if fact.predicate == "lives_in" and fact.object.endswith(" Land"):
        return _HELD
    if fact.predicate in _OF_PEOPLE:
        return _HELD if said & _NOBODY else 0
    never, rarely = _VALUES.get(fact.predicate, (frozenset(), frozenset()))
    return _HELD if said & never else int(bool(said & rarely))
