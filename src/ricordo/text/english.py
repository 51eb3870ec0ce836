"""English words that the rules go by: kin, trades, things, events, capitals that name nothing. No rule is here."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text that is a list of them."""
    return frozenset(text.split())


#: How one person stands to another: the word as said → the predicate.
KIN = {
    **{
        word: word
        for word in word_set(
    """
    sister brother mother father wife husband partner girlfriend boyfriend son daughter cousin uncle aunt niece
    nephew grandmother grandfather granddaughter grandson friend colleague boss manager neighbor roommate flatmate
    landlord landlady stepmother stepfather stepson stepdaughter twin mentor therapist coach doctor dentist
    """
)
    },
    "mom": "mother", "mum": "mother", "mama": "mother", "dad": "father", "papa": "father", "fiance": "fiance",
    "fiancé": "fiance", "fiancée": "fiance", "fiancee": "fiance", "grandma": "grandmother", "grandpa": "grandfather",
    "granny": "grandmother", "gran": "grandmother", "grandad": "grandfather", "granddad": "grandfather",
    "coworker": "colleague", "co-worker": "colleague", "neighbour": "neighbor",
    "bestie": "friend", "mate": "friend", "buddy": "friend", "pal": "friend",
    "sis": "sister", "bro": "brother", "spouse": "partner",
    "housemate": "roommate", "stepsister": "stepsister", "stepbrother": "stepbrother",
    "mother-in-law": "mother_in_law", "father-in-law": "father_in_law", "sister-in-law": "sister_in_law",
    "brother-in-law": "brother_in_law", "half-sister": "sister", "half-brother": "brother",
}  # fmt: skip
PETS = word_set(
    "dog cat puppy kitten horse pony hamster parrot rabbit bunny turtle tortoise pup kitty guinea-pig bird goldfish "
    "gerbil ferret budgie canary donkey goat snake gecko lizard chinchilla lurcher spaniel labrador terrier collie "
    "whippet greyhound poodle beagle pug bulldog dachshund retriever corgi tomcat"
)
#: What may stand between "my" and the word of kin or a pet.
QUALITIES = word_set(
    """
    best good old dear close new older younger elder little big eldest oldest youngest first late former twin
    childhood beloved own sweet lovely wonderful amazing great other
    """
)
#: What someone does for a living; a role is a phrase that ends in one.
TRADES = word_set(
    """
    accountant actor actress administrator advisor adviser analyst animator architect archivist artist assistant
    astronaut astronomer attorney auditor author baker banker barber barista bartender biologist bookkeeper botanist
    bricklayer broker builder butcher captain caregiver caretaker carpenter cartographer cashier ceo cfo chef
    chemist choreographer clerk coder comedian composer conductor consultant contractor controller cook counselor
    counsellor courier cto curator dancer dentist dermatologist designer developer dietitian director dj doctor
    drummer economist editor electrician engineer entrepreneur epidemiologist farmer filmmaker firefighter fisherman
    florist founder freelancer gardener geneticist geologist geographer goldsmith guitarist hairdresser historian
    illustrator inspector instructor interpreter intern janitor jeweler joiner journalist judge lawyer lecturer
    librarian lifeguard linguist locksmith machinist maid manager mathematician mechanic meteorologist midwife miner
    model musician nanny neurologist novelist nurse nutritionist officer optician optometrist orthodontist owner
    painter paralegal paramedic pastor pediatrician pharmacist philosopher photographer physician physicist
    physiotherapist pianist pilot planner plumber poet policeman policewoman politician porter postman potter
    principal priest producer professor programmer psychiatrist psychologist radiographer radiologist ranger realtor
    receptionist recruiter referee reporter researcher sailor salesman salesperson saleswoman scientist sculptor
    seamstress secretary singer sociologist soldier solicitor statistician student surgeon surveyor tailor teacher
    technician tester therapist trainer translator trucker tutor veterinarian vet videographer violinist volunteer
    waiter waitress welder writer zoologist lead beekeeper ecologist paediatrician undertaker
    """
)
#: Things that people own; an item is a phrase that ends in one, or a product behind "bought a".
THINGS = word_set(
    """
    accordion amplifier banjo battery bicycle bike board boat bookcase cabin camera camper canoe car cello chainsaw
    clarinet computer condo console cottage desktop dinghy drill drone drum drums easel efoil e-foil e-bike
    ebook-reader espresso-machine fiddle flute guitar hammock headphones helmet house juicer kayak keyboard
    keyboards kiln kindle laptop lathe lawnmower lens loom microphone microscope microwave monitor moped motor
    motorbike motorcycle mower oboe oscilloscope paddle paddleboard pc phone piano pickup pickup-truck printer
    projector racket rifle robot router rowboat saddle sailboat saxophone scanner scooter sewing-machine skateboard
    skis sled smartphone smartwatch snowboard sofa soundbar speaker speakers suv surfboard synth synthesizer tablet
    telescope television tent tractor trailer trombone truck trumpet turntable tv typewriter ukulele vacuum van
    viola violin wetsuit wheelchair yacht airfryer chromebook macbook
    """
)
#: What is bought and not owned for long, or is no thing at all: "bought a coffee".
CONSUMED = word_set(
    """
    rest
    coffee tea beer wine drink drinks ticket tickets gift gifts present presents pair bunch lot few couple bottle
    copy round meal lunch dinner breakfast sandwich pizza cake snack salad ice-cream loaf bag box pack set kind bit
    piece subscription membership meal-kit voucher card thing things one ones something lottery share shares stock
    coke burger cookie donut pastry bouquet flowers flower pass package course batch of business company life time
    it them this that round-trip flight trip
    """
)
#: Products and makes that one's own thing is called by: "my Prius".
PRODUCTS = word_set(
    """
    prius tesla honda toyota subaru ford bmw audi volvo mazda nissan chevrolet chevy jeep vespa kawasaki ducati
    harley suzuki porsche volkswagen vw fiat renault peugeot iphone ipad macbook thinkpad chromebook kindle
    playstation ps4 ps5 xbox switch gameboy galaxy pixel surface gopro nikon canon leica fujifilm fitbit garmin
    roomba fender gibson yamaha stratocaster telecaster les-paul steinway casio korg roland taylor peloton trek
    brompton instant-pot kitchenaid raspberry steam-deck oculus quest dyson vitamix nespresso airpods
    """
)
#: What happens at a time: an event's name ends in one.
HAPPENINGS = word_set(
    """
    marathon wedding graduation conference festival summit trip retreat reunion funeral concert tournament hackathon
    parade expo ceremony anniversary birthday congress gala championship half-marathon triathlon baptism
    """
)
#: Those of them that are one of their kind behind "the" alone.
ALONE = word_set("marathon half-marathon triathlon hackathon")
TRIPS = word_set("trip vacation holiday")
#: Behind a given name these make something else of it: "Maria Valley".
NO_SURNAMES = word_set(
    """
    county museum winery valley band street road avenue trees tree park university college school beach river lake
    island hotel rides travel bridge hospital center centre theater theatre gallery cafe restaurant bar house day
    church cathedral square hall festival award prize castle garden gardens tower city mountain station airport team
    foundation inc ltd
    """
)
#: Happenings that are someone's: "Priya's wedding".
PERSONAL = word_set("wedding birthday graduation funeral anniversary retirement baptism")
#: A word in capitals or at a sentence's beginning that names nothing, in lower case.
NO_NAMES = word_set(
    """
    downtown uptown midtown apartment suite building room unit marketing sales engineering finance legal operations
    accounting design business head office floor kitchen garden i'm i've i'd i'll a about above absolutely according
    act actually add after afternoon again ago ah aha all almost alone along already alright also although always am
    amazing amen among an and another any anybody anyone anything anyway apparently apply are around as ask asap at
    aw awesome aww away awww b back bad be beautiful because become been before begin being believe below best
    better between big both boy bravo break bring bro brother build but buy by bye call can cannot care change
    chapter check cheers chin choose christmas class click close come congrats congratulations consider continue
    cool could course crazy create cute d dad daddy damn day days dear deep definitely describe did different do
    does dog doing done dont don down dr dude during each easter easy eat eight either else em end english enjoy
    enough er etc eve even evening ever every everybody everyone everything exactly excellent except excuse explain
    fantastic far father feel few figure finally find fine first five follow for forget four free french friend
    friends from fun funny further fyi general german get girl give glad go god gonna good goodbye goodnight got
    gosh gotta gotcha grandma grandpa granny great greetings guess guide guys gm gn ha had haha half halloween hang
    happy hard has hate have having he hear hell hello help hence her here hers hey hi him his hm hmm hold holy home
    honestly hooray hope hopefully hot how however hug hugs huge hurray i idea idk if ignore imagine imo in include
    including incredible indeed info inside instead interesting internet into is it its jesus job join just keep
    kids kind kinda know knowing lady last lately later latin lead learn least leave left less let lets life light
    like likewise list listen little live lmao lol long look looking looks lord lost lots love lovely luckily lucky
    madam make making mam mama mama's man many mark master maybe me mean meanwhile meet men merry message might mine
    minus miss mister mom mommy month more morning most mostly mother move mr mrs ms much mum mummy must my myself
    name namely natural near neither never new next nice night nine no nobody none nope nor normally not note
    nothing notice now number oh ok okay old omg on once one ones only ooh oops open option or other others ouch our
    ours out over overall own page papa part pay people perfect perhaps pick place plan plans play please plus pm
    point pray press pretty prepare prev probably product proud provide ps put question questions quick quickly
    quite rather read ready real really regarding regards remember replace reply research rest right road run sad
    safe same save say school second see seems select send seriously set seven several shall share she should show
    shows similarly simply since sir sis sister sit six sleep slowly so some somebody someone something sometimes
    somewhere soon sorry sound sounds south spanish speak special spend start state stay step still stop stuff such
    suddenly summer super support sure surprise sweet swedish take taking talk talking tbh team teach tell ten test
    text than thank thankfully thanks that the their them then there therefore these they thing things think this
    those though thought three through throughout thus tip tips title to today together tomorrow tonight too total
    totally tough trust truly try trying turn turns two type ugh uh um uncle under understand unfortunately unless
    until up upon us use using usually very visit vs wait wake walk want was watch way we wear week weekend weekends
    welcome well were west what whatever when whenever where wherever whether which while whoa who whole whose why
    will wish with within without woah wonderful wondering word words work world would wow write wtf x xoxo xx y yay
    yeah year years yep yes yesterday yet you your yours yourself yup zero ai api app bbq ceo cfo cto cv covid dj
    diy dna faq gps hr html http id iq javascript java json lgbt lgbtq lgbtq+ ngo pdf phd pr python rip sql tv ui
    url ux usb vip vr wifi xml css linux windows bible quran january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday mondays tuesday
    tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays mon tue tues
    wed thu thur thurs fri sat sun north east northern southern western eastern spring autumn fall winter american
    british italian russian chinese japanese korean indian dutch danish norwegian finnish polish turkish greek
    portuguese brazilian mexican canadian australian irish scottish welsh european asian african arabic hebrew hindi
    swiss austrian belgian czech hungarian thai vietnamese filipino indonesian persian iranian egyptian catholic
    christian christians jewish muslim hindu buddhist protestant christianity islam atheist romanian ukrainian
    latino latina hispanic bavarian viking victorian renaissance president minister king queen prince princess
    professor prof captain doctor detective director manager officer senator judge everyone's folks peeps babe honey
    darling mate buddy bud pal guy gals girls boys ladies gentlemen champ sweetie dearest assistant chatgpt claude
    alexa siri batman santa chat gpt
    """
)
#: Words behind which what is said need not hold: wishes, plans, hearsay, fancy.
UNREAL = word_set(
    """
    if imagine imagining suppose supposing pretend pretending wish wished wishing dream dreamed dreamt dreams would
    could might maybe perhaps probably possibly hope hoping hopes want wants wanted wanting plan planning plans
    thinking consider considering says said saying told tells claims claimed thinks believes believed heard hear
    rumor rumour apparently supposedly story novel book movie film series unless once until till almost nearly
    whether should shall may novels script poem character fictional example dreaming when whenever better assuming
    think guess unlikely hypothetically say feels game games episode show lyrics song ask asked asks asking wonder
    wondering will gonna 'll assume assumes assumed reckon reckons swear swears swore insist insists insisted suspect
    suspects convinced considered technically theoretically
    """
)
#: Words that say that it does not hold.
NOT = word_set(
    """
    not no never n't nobody none neither nor don't doesn't didn't isn't wasn't aren't haven't hasn't won't wouldn't
    can't cannot couldn't dont doesnt didnt isnt cant wont
    """
)
#: Where a phrase of common words ends.
PHRASE_ENDS = word_set(
    """
    a an the and or but because since when while if that which who whom whose where so although though as than with
    without for from at in on by to into about over after before until during through i you he she it we they my
    your his her our their this these those is are was were be been am has have had do does did will would can could
    should may might just too also either anymore now lately again today yesterday tomorrow tonight really every
    each all most even very like yet then up last next ago recently still not called named there here more near of
    only way sometimes out away back off needs need died broke arrived leaks works went stopped got wants keeps
    makes made looks sounds feels instead right especially mostly usually both
    """
)
#: Pasts that do not end in "ed" and are no present.
PAST = word_set(
    """
    went saw came took gave made said told thought knew found felt heard kept left met sat stood ran won lost sent
    spent built bought brought caught taught fought sought slept wept swept crept dealt meant dreamt learnt burnt
    wrote rode drove rose spoke broke woke stole chose froze wore tore swore bore flew grew threw blew drew began
    drank sang swam rang sank shrank ate fell held hung hid bit lit shot slid stuck struck swung became forgot
    forgave understood was were had did got could would should might paid laid led fed bled bred sped sold shook
    beat bound wound spun stung strode strove undid redid lent bent dug fled knelt leapt spat sprang sprung trod
    clung shone spelt spoilt awoke forbade repaid rebuilt reran retook resold misread mislaid dove snuck rewrote
    remade retold withheld upheld unwound rewound overtook overran slung wrung slit outgrew mistook undertook
    withdrew overcame foresaw overheard overslept split
    """
)
