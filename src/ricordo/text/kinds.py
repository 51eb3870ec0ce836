"""Kinds of things by their names, in English and German: animals, beings of tales, what is played, what people are
allergic to. No rule is here."""

from __future__ import annotations

from ricordo.text.english import word_set

#: What nobody is: of tales.
BEINGS = word_set(
    """
    vampire werewolf zombie ghost witch wizard sorcerer sorceress elf orc half-orc half-elf goblin troll ogre dragon
    unicorn mermaid fairy demon devil satan alien robot cyborg superhero supervillain villain pirate ninja samurai
    gladiator viking knight barbarian paladin necromancer cleric warlock druid mage vampir werwolf geist hexe
    zauberer elfe kobold drache einhorn meerjungfrau fee dämon teufel roboter superheld pirat ritter außerirdischer
    """
)
#: What hardly anybody is: of a court, of riches.
COURT = word_set(
    """
    king queen prince princess emperor empress pope duke duchess tsar sultan pharaoh maharaja heir messiah
    millionaire billionaire trillionaire könig königin prinz prinzessin kaiser kaiserin papst herzog herzogin graf
    gräfin millionär millionärin milliardär milliardärin
    """
)
#: Animals.
ANIMALS = word_set(
    """
    dog cat puppy kitten horse pony hamster parrot rabbit bunny turtle tortoise bird goldfish fish donkey goat snake
    gecko lizard fox wolf bear badger mouse rat mole squirrel hedgehog otter beaver deer moose bat owl heron swan
    goose duck hen chicken rooster pigeon crow raven seagull robin penguin ostrich turkey cow bull sheep lamb pig
    hog llama alpaca camel mule lion tiger leopard elephant giraffe zebra hippo rhino monkey gorilla chimp sloth
    koala kangaroo wombat panda raccoon skunk armadillo whale dolphin seal walrus shark octopus squid crab lobster
    shrimp jellyfish frog toad newt crocodile alligator snail slug worm spider beetle bee wasp ant fly moth
    butterfly caterpillar amoeba hund katze kater pferd vogel fuchs bär igel maus ratte esel ziege schaf schwein kuh
    huhn gans ente eule wal hai schnecke wurm spinne frosch faultier affe elefant
    """
)
#: What a person is only in a figure of speech.
LIFELESS = word_set(
    """
    potato cabbage turnip carrot onion cucumber pumpkin bean cactus tree plant mushroom sponge doormat brick rock
    stapler lamp sofa toaster teapot moon planet cloud kartoffel kaktus schwamm
    """
)
#: What people are allergic to.
ALLERGENS = word_set(
    """
    cockroach cockroaches reptile reptiles rodent rodents mammal mammals nut nuts peanut peanuts almond almonds
    walnut walnuts hazelnut hazelnuts cashew cashews pecan pecans pistachio pistachios sesame seed seeds soy soya
    lupin mustard celery gluten wheat rye barley oats grain grains corn maize rice yeast milk dairy lactose cheese
    butter whey casein egg eggs fish cod salmon tuna shellfish prawn prawns shrimp shrimps crab crabs lobster
    mussels oysters clams squid seafood crustaceans meat beef pork chicken kiwi kiwis banana bananas apple apples
    pear pears peach peaches cherry cherries plum plums mango mangoes pineapple strawberry strawberries raspberries
    berries citrus orange oranges lemon lemons grapes melon avocado avocados tomato tomatoes carrot carrots garlic
    onion onions pepper peppers potato potatoes aubergine spinach mushroom mushrooms beans lentils chickpeas peas
    cinnamon honey chocolate cocoa coffee caffeine alcohol wine beer sulphites sulfites histamine msg additives
    colouring coloring sugar pollen birch hazel alder oak ash ragweed grass grasses hay hayfever tree trees mugwort
    flowers lilies daisies mould mold mildew dust mite mites feathers feather down wool fur hair dander cat cats dog
    dogs horse horses rabbit rabbits hamster hamsters bird birds animal animals bee bees wasp wasps hornet hornets
    insect insects sting stings bite bites mosquito mosquitoes ant ants latex rubber nickel metal metals gold silver
    chrome cobalt fragrance fragrances perfume perfumes parfum detergent detergents soap bleach cosmetics plaster
    plasters adhesive lanolin formaldehyde chlorine sun sunlight cold penicillin antibiotic antibiotics amoxicillin
    aspirin ibuprofen paracetamol codeine morphine iodine anaesthetic anaesthetics sulfa sulpha nsaids contrast
    vaccine vaccines medication medicine drug drugs eucalyptus sunflower erdnuss erdnüsse nuss nüsse haselnuss
    haselnüsse walnuss walnüsse mandeln soja sellerie senf weizen roggen milch laktose ei eier fisch krabben
    muscheln garnelen meeresfrüchte schalentiere äpfel apfel kirschen erdbeeren nüssen erdnüssen haselnüssen birke
    birken birkenpollen gräser gräserpollen hausstaub hausstaubmilben milben staub schimmel katze katzen hund hunde
    katzenhaare hundehaare tierhaare pferde bienen bienenstiche wespen wespenstiche wespengift bienengift duftstoffe
    pflaster
    """
)
#: What people play: instruments, sports, positions, games.
PLAYED = word_set(
    """
    violin viola cello bass piano guitar drums drum flute clarinet oboe trumpet trombone saxophone sax harp ukulele
    accordion tuba organ recorder bagpipes pipes banjo mandolin harmonica euphonium cornet bassoon horn fiddle
    keyboard keyboards synth lute lyre sitar tabla cajon bongos congas timpani marimba xylophone glockenspiel
    vibraphone harpsichord theremin didgeridoo kazoo whistle bodhran concertina melodica oud koto erhu balalaika
    bouzouki zither dulcimer triangle tambourine cymbals percussion music jazz blues rock folk metal punk lottery
    pools tennis badminton squash hockey rugby cricket golf chess rounders lacrosse croquet bowls bowling darts pool
    snooker billiards padel pickleball polo ultimate frisbee curling shinty hurling camogie korfball petanque boules
    soccer futsal five-a-side seven-a-side ping pong footie footy goalie goal goalkeeper defence defense midfield
    wing winger striker attack centre center forward back keeper point guard pitcher catcher base shortstop prop
    hooker fly-half scrum lock bridge poker rummy canasta cribbage whist euchre hearts patience solitaire blackjack
    backgammon draughts checkers go shogi mahjong mah-jong dominoes scrabble monopoly cluedo sudoku roulette bingo
    cards board video computer games game d&d dungeons warhammer minecraft fortnite fifa geige bratsche kontrabass
    klavier gitarre schlagzeug trommel flöte querflöte blockflöte klarinette trompete posaune saxophon harfe
    akkordeon orgel fagott waldhorn mundharmonika xylophon dudelsack fußball schach tischtennis minigolf eishockey
    karten skat doppelkopf rommé kniffel billard dart lotto theater torwart tor sturm abwehr mittelfeld
    computerspiele musik wasserball
    """
)
#: Religions, and who has one or none.
FAITHS = word_set(
    """
    christian catholic protestant anglican orthodox baptist methodist lutheran presbyterian quaker evangelical
    mormon adventist church islam muslim sunni shia sufi jewish judaism hindu hinduism buddhist buddhism sikh
    sikhism jain jainism taoist taoism shinto bahai pagan wiccan atheist agnostic humanist none zoroastrian
    christianity catholicism rastafari druid christlich katholisch evangelisch muslimisch jüdisch buddhistisch
    hinduistisch konfessionslos atheistisch
    """
)
#: Where nobody lives in earnest.
NO_PLACES = word_set(
    """
    outlook excel slack zoom jira teams powerpoint gmail spotify netflix denial inbox
    moon mars venus jupiter saturn pluto narnia mordor hogwarts gotham atlantis westeros wonderland neverland hell
    heaven limbo purgatory prison jail middle-earth ironforge arrakis valhalla olympus eden space mond himmel hölle
    gefängnis schlaraffenland
    """
)
#: Where few live.
FAR_PLACES = word_set(
    """
    antarctica siberia timbuktu hollywood palace castle lighthouse dungeon tower cave pole monaco malibu fortress
    schloss leuchtturm sibirien
    """
)
#: Whom nobody works for in earnest.
NO_EMPLOYERS = word_set(
    """
    santa hogwarts batman satan devil god illuminati guild brotherhood empire legion rebellion kingdom crown
    underworld teufel
    """
)
#: Whom few work for.
RARE_EMPLOYERS = word_set(
    """
    vatican cia mi5 mi6 kgb mossad fbi nasa fsb pentagon kremlin order council resistance circus zirkus
    """
)
#: What nobody owns in earnest.
NO_BELONGINGS = word_set(
    """
    dragon unicorn throne kingdom crown wand spaceship tardis planet moon empire galaxy phoenix griffin cursed magic
    magical enchanted imaginary invisible every complete other
    soul heart mind day night time world universe future room stage half third
    quarter percent lot mistake mistakes truth drache einhorn thron
    """
)
#: What few own.
RARE_BELONGINGS = word_set(
    """
    yacht jet helicopter helipad mansion castle island palace limousine ferrari lamborghini bugatti bentley
    rolls-royce sword axe butler jacht hubschrauber villa schloss insel schlösser
    """
)
#: What is nobody's work, beside what nobody is.
NO_ROLES = word_set(
    """
    assassin hero heroine slave overlord
    """
)
#: What is the work of few.
RARE_ROLES = word_set(
    """
    spy astronaut butler spion bundeskanzler kanzler
    """
)
#: What nobody eats, owns, takes or runs on in earnest: feelings and states of mind.
FEELINGS = word_set(
    """
    stress pressure deadlines prayer prayers acronyms discipline brain
    guilt hope spite despair sarcasm regret regrets shame ambition ambitions denial dread doom misery rage chaos vibes
    sanity patience optimism pessimism willpower enthusiasm disappointment disappointments resentment nostalgia hubris
    envy jealousy gratitude mischief attitude dignity courage boredom confusion panic fury gossip drama procrastination
    overthinking adrenaline stubbornness apathy malice bitterness awkwardness silence laziness judgement judgment
    mistakes excuses grudges opinions complaints apologies accusations compliments promises lies secrets wishes dreams
    tears feelings thoughts memories fears doubts worries nonsense magic luck
    verzweiflung hoffnung schuldgefühle sarkasmus trotz panik ausreden
    """
)
#: Where nobody lives or sleeps for good, but works, waits, shops or cooks.
WHEREABOUTS = word_set(
    """
    office offices desk drawer fridge freezer kitchen queue airport inbox hallway corridor gym pub supermarket ikea
    traffic spreadsheet spreadsheets meeting meetings cupboard wardrobe bathroom shower toilet lobby lift elevator
    library station lounge cubicle basket bin laundry stau büro kühlschrank schublade badewanne finanzamt
    """
)
#: Languages that people speak, in English, German, French and Spanish, where their endings do not show them.
LANGUAGES = word_set(
    """
    german french greek dutch welsh czech thai hindi urdu arabic hebrew latin russian italian hungarian romanian
    bulgarian ukrainian norwegian korean catalan basque albanian lithuanian latvian estonian georgian armenian persian
    farsi pashto tamil bengali punjabi gujarati marathi telugu swahili somali yoruba igbo hausa zulu xhosa amharic
    tagalog malay indonesian mandarin cantonese tibetan mongolian esperanto afrikaans frisian gaelic breton maltese
    sign bsl asl creole patois dialect platt plattdeutsch latein griechisch niederländisch deutsch englisch
    luxembourgish macedonian serbian croatian bosnian slovenian slovak belarusian uzbek kazakh azerbaijani khmer lao
    allemand français anglais espagnol italien russe arabe chinois japonais portugais néerlandais polonais turc
    alemán francés inglés español italiano ruso árabe chino japonés portugués neerlandés polaco turco catalán gallego
    euskera vasco languages sprachen langues idiomas hebräisch arabisch
    """
)
#: Signs of the zodiac.
ZODIAC = word_set(
    """
    aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces widder stier zwillinge
    krebs löwe jungfrau waage skorpion schütze steinbock wassermann fische
    """
)
