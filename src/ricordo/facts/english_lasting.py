"""Words by which an English clause tells what lasts: verbs, what must stand behind them, complements of "be".

No rule is here; `english_open` reads by them.
"""

from __future__ import annotations

import re

from ricordo.facts.any_case import AnyCase
from ricordo.text import lazy
from ricordo.text.english import PETS, word_set

#: Verbs of what one thinks, says, wants or is about to do: in the simple present they state nothing that lasts.
STANCE = word_set(
    """
    think guess hope know believe wonder suppose feel mean want see hear understand agree disagree remember forget
    love like hate prefer wish promise swear bet doubt appreciate recommend suggest expect imagine find care mind look
    sound seem plan try let say tell ask mention apologise apologize thank miss trust worry regret dread
    enjoy admire respect notice consider realise realize insist admit assume bless deserve fear figure gather
    intend recall reckon sense suspect appear become happen matter depend deal be have
    beg demand declare decide point repeat confess congratulate bother mess kid joke dare tend
    fail refuse struggle hesitate used gotta wanna cherish value promote continue strive aim journey learn visualize push rock shine hang relate commit absorb
    embrace prioritise prioritize focus just please cannot could should may might must shall
    dream pretend picture hurt crave fancy desire adore crumble die burn melt cry laugh scream sigh die blame curse
    respond reply return answer describe re-evaluate bite rock sacrifice surrender explain propose note assure guarantee warn beseech attach confirm update accept second
    """
)
#: What is no passive, but how somebody feels or is.
OF_MIND = word_set(
    """
    interested excited worried scared tired bored confused concerned pleased disappointed surprised amazed impressed obsessed
    inspired annoyed fascinated intrigued shocked satisfied used supposed involved stuck lost gone done finished married engaged
    divorced convinced determined prepared retired committed dedicated related frustrated stressed blessed haunted cursed
    doomed destined defeated betrayed wounded offended possessed loved hated feared adored abandoned
    """
)
#: When something is, again and again: "every winter", "at ten past every hour", "on the first of the month".
TIMED = lazy(
    r"(?:every|each|twice|once|daily|weekly|monthly|yearly)\b|(?:(?:on|at|each|until|from|by|in|out|off|up) ){1,3}(?:(?:the|every|each|first|second|third|last|alternate) )*"
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|weekdays|weekends|(?:the )?\d{1,2}(?:st|nd|rd|th)?\b|(?:half )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:in the|every|each|on)|$|[.,;!])|(?:first|last|\w+) (?:past|to) (?:every|each|the)|"
    r"(?:first|last|\d+(?:st|nd|rd|th)) of (?:the|each|every)|January|February|March|April|May|June|July|August|September|October|November|December|(?:19|20)\d\d|noon|midnight)\b"
)
#: A day that is named, for what is planned.
DATED = lazy(
    r"\b(?:on|in|from|at|until|for) (?:the )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d{1,2}(?:st|nd|rd|th)|\d{1,2} [A-Z]|January|February|March|April|May|June|July|August|September|October|November|December|Easter|Christmas)\b"
)
#: "every other Thursday", "twice a week"
OFTEN = lazy(
    r"\b(?:every (?:other |second |third )?(?:day|week|month|year|summer|winter|spring|autumn|morning|evening|night|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|(?:once|twice|\w+ times) (?:a|per|every)|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days)\b"
)
#: Verbs of a moment as often as of a habit: they last with what `WITH` wants, or with a word of habit.
MOMENTARY = word_set(
    """
    need owe belong fly get got live stand come go do make take keep put give start begin stop end set turn run help show bring leave lose fall
    stay sit lie hold hit cut pay buy sell send ship choose pick read cost quit spread order finish call open close
    change switch check move wait
    """
)
HABIT = AnyCase(
    r"\b(?:always|usually|normally|mostly|generally|only|every|each|most (?:days|nights|weeks|weekends|mornings|evenings)|"
    r"(?:once|twice|(?:two|three|four|five|\d) times) (?:a|per|every)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"\d[\d.,]*k?(?: [a-z]+)? (?:a|per) (?:day|week|month|year|hour)|on weekdays|at weekends|on weekends|weekly|daily|monthly|these days|(?:my|our|his|her) own)\b"
)
#: What is about one's thoughts or a moment with most objects, and lasts with these words behind it.
WITH = {
    "take": lazy(r"(?:my|our|the) [a-z]+(?: [a-z]+)? (?:at|on|in|every) |(?:the |a |my )?(?:number |no\.? )?(?:\d+\w? |[a-z]+ )?(?:bus|train|tram|tube|metro|ferry|bike|car|dog|dogs|kids|pills?|tablets?|vitamins?|supplements?|lessons|classes|medication|meds|insulin)\b|[a-z]+ (?:lessons|classes|for|every|each|twice|daily)\b|\d|size \d|(?:[a-z]+ )?[a-z]{3,}(?:ine|ol|ide|ate|in|am|phen|azole|statin|pril|phate)\b"),
    "go": lazy(r"(?!(?:on|to|for) (?:about|and|it|this|that|my own)\b)(?:to (?!bed\b|sleep\b|hell\b|the (?:shops?|loo|toilet|bathroom|office today)\b)|for (?:an? )|by |climbing|swimming|running|dancing|riding|hiking|cycling|fishing|sailing|bouldering|camping|jogging|skiing|surfing|bowling|walking)"),
    "do": lazy(r"(?:the |my |our )?(?!(?:it|that|this|not|so|what|things|something|anything|everything|nothing|too|some|wonder|think|agree|feel|know|have|love|like|hope|want|need|all|both|well|better|fine|miss|get|see|remember)\b)[a-z]"),
    "keep": lazy(r"(?:kosher|halal|fit|a diary|my|our|the|an?|all|any|two|three|some|spare)\b(?! (?:mind|eye|eyes|track|note|secret|promise)\b)"),
    "get": lazy(r"every .* off\b|an? [a-z]+ (?:of )?\d|the \d|(?:the|my|our) (?:\d+ )?(?:bus|train|tram|[a-z]+(?: [a-z]+){0,2} (?:from|delivered|at))\b|paid|[a-z]+(?: [a-z]+)? from (?:the )?[A-Z]|(?:migraines|hay ?fever|carsick|seasick|headaches|hives|eczema|cramps)\b"),
    "pay": lazy(r"(?:for |about |around )?(?:[$€£]?\d|(?:my|our|the) [a-z]+ (?:by|with|in|on|monthly|weekly|quarterly))"),
    "run": lazy(r"[A-Z]|(?:\d|every|the|a|an|on (?!coffee|caffeine|spite|empty|sugar|fumes|tea)|with|at|in)\b"),
    "live": lazy(r"(?:on (?:the|a) (?:[a-z]+ ){0,2}?(?:floor|coast|river|canal|hill|farm|boat|houseboat|narrowboat|barge|island|outskirts|corner|border|street|road|lane|estate|campus|ranch|base|site)\b|on [A-Z]|with my|with our|with (?:us|me|him|her|them|two|three|four|five)|alone|by myself|next|above|below|opposite|near|close|about|around|\w+ minutes|by the sea|within|across|two|three|ten|five)\b"),
    "start": lazy(r"(?:work |my shift |the day )?(?:at (?!my|the|home)|every\b)|(?:work|school|nursery|university|college|uni|reception)\b"),
    "finish": lazy(r"(?:work |school |my shift )?(?:at|every)\b"),
    "buy": lazy(r"(?:my|our|all my|all our|the) [a-z]+(?: [a-z]+)? (?:from|at|in|on)\b"),
    "sell": lazy(r"(?:my|our|on|at|through|[a-z]+(?: [a-z]+)? (?:on|at|in|online))\b"),
    "give": lazy(r"(?:blood|plasma|(?:[a-z]+ )?(?:lessons|classes|tours))\b|[$€£]?\d"),
    "leave": lazy(r"(?:the house|home|work|for work|at)\b.*\d"),
    "call": lazy(r"(?:my|our) (?:\w+ )?(?:every|on)\b|(?:him|her|it|my \w+|our \w+) [A-Z]"),
    "need": lazy(r"(?:an?|my|new|two) (?:\w+ )?(?:wheelchair|stick|inhaler|insulin|epipen|EpiPen|walker|stairlift)\b|(?:\w+ )?(?:glasses|dialysis|insulin|hearing aids?|subtitles)\b"),
    "belong": lazy(r"to (?:the|an?|my|our|[A-Z])"),
    "owe": lazy(r".*\d"), "sit": lazy(r"(?:next to|opposite|beside|behind|near|with) (?:an?|the|my|our|[A-Z])"), "put": lazy(r"[$€£]?\d.* (?:into|in|on|towards|aside)\b"), "hold": lazy(r"(?:an?|my|two|three|(?:[A-Z][a-z]+ (?:and )?)+)(?: [A-Za-z]+)*? ?(?:passports?|visa|licen[cs]es?|degree|record|citizenship|shares|certificate|permit)\b"),
    "fly": lazy(r"(?:to|from|out|home|back)\b.*\b(?:on|in|next|every) "),
    "read": lazy(r"the [A-Z]|.*\b(?:every|each|a day|a week|a month|before bed|on the)\b"),
}  # fmt: skip
#: Verbs of what people do again and again. Others need a word of habit, or what `WITH` wants.
HABITS = word_set(
    """
    collect play teach grow breed knit sew crochet bake brew cook paint draw sketch sing dance act write compose edit translate
    speak study practise practice coach mentor tutor train foster volunteer serve chair lead manage supervise run host organise
    organize own rent let lease share drive ride cycle commute walk jog swim row sail surf ski skate climb hike camp fish hunt
    shoot box fence lift stretch meditate pray worship attend visit watch follow support subscribe read listen stream record
    film photograph blog podcast code program build restore repair refurbish renovate carve turn weld sculpt weave spin dye
    garden farm keep raise herd milk harvest forage compost recycle donate give tithe sponsor save invest budget earn make
    charge pay owe cost take use wear carry eat drink avoid skip smoke vape sleep wake rise nap snore sneeze itch suffer
    have need fly work freelance consult contract bill invoice sell trade import export deliver ship distribute design test debug
    deploy host maintain monitor review document present sit rotate cover handle oversee report specialise specialize hold
    live stay lodge board split care babysit mind groom feed clean iron cater shop buy order get store stock freeze bottle
    ferment pickle roast grind measure weigh track log journal plan dread allergic tolerate digest react bruise burn tan
    go come do start finish leave pick drop call text phone write stammer lisp stutter limp juggle whistle drum busk gig
    belong date court fast juice heat cool light power insulate mow water prune weed dig paper prepare pack tutor
    moderate administer edit proofread typeset animate model render
    """
)
#: Verbs that may stand alone: "I snore".
ALONE = word_set(
    """
    cycle walk swim jog knit crochet sew garden commute freelance snore stammer stutter smoke vape drink drive row sail
    ski climb bake paint volunteer lift meditate box dance fish hike camp surf juggle sculpt
    """
)
#: What one does no more, without an object.
GIVEN_UP = ALONE | word_set("run sing ride train teach study play draw hunt gamble blog skate write act coach")
#: What one does not do.
NOT_DONE = word_set(
    "touch eat drink drive own use watch smoke vape wear take work speak cook swim ride fly gamble celebrate read play tolerate digest "
    "dance sing bake knit travel commute support allow accept ship deploy log store keep"
)
#: What happens once and stays so.
EVENTS = word_set(
    """
    passed failed broke fractured sprained tore dislocated twisted ordered enrolled registered applied booked subscribed
    renewed signed graduated installed planted painted inherited lost retired won published submitted reserved rented
    scheduled remortgaged redecorated renovated insured named fostered adopted ruptured injured pulled burned qualified
    trained emigrated immigrated divorced separated proposed miscarried spent took sworn did wrote studied pinned upgraded downgraded bumped migrated
    deprecated merged rewrote ported containerized containerised dockerized refactored archived deployed released
    switched grew hired fired promoted appointed finished completed joined cancelled canceled paid replaced
    taken caught had got bought built started began launched chose picked learned learnt
    """
)
#: "up pottery": what one begins to do, not what one lifts, uses or accepts.
_TAKEN_UP = r"up (?!(?:an?|my|our|his|her|the|too|so|most|much|all|some|half|two|three|where|space|time|room|arms|residence|and)\b)[a-z]"
EVENT_WITH = {
    "got": lazy(r"(?:my|a|an|our|the) (?:[a-z'-]+ ){0,3}?(?:licen[cs]e|degree|diploma|certificate|passport|visa|permit|place|keys|tattoo|braces|implant|pacemaker|citizenship|glasses|doctorate|PhD|MBA|master's|apprenticeship|internship|scholarship|grant|mortgage|loan|qualification|badge|belt|allotment|refund|citizenship|booster|vaccination|jab|cast|results)\b|(?:into|on to|onto|through to) |(?:engaged|married|divorced)\b"),
    "applied": lazy(r"(?:to|for) (?:an?|the|my|our|[A-Z]\w*|[a-z]+ (?:agencies|schools|jobs|universities|colleges|programs))\b"),
    "had": lazy(r"(?:my|an?|the|our|two|both|his|her|a) (?:[\w'-]+ ){1,4}?(?:removed|(?:taken|pulled|tonsils|appendix|teeth|tooth|stitches) out|replaced|done|fitted|installed|serviced|put in|rewired|repaired|painted)\b|(?:an?|my|his|her|our|the|open|two|both) (?:[a-z'-]+ ){0,2}?(?:stroke|attack|operation|surgery|transplant|baby|boy|girl|twins|bypass|replacement|implant|miscarriage|filling|extraction|root canal|accident|fall|seizure|vasectomy|hysterectomy|c-section|caesarean|scan|biopsy|jab|vaccine|booster|first child|second child)\b|(?:twins|triplets|kittens|puppies|surgery|chemo|IVF|shingles|pneumonia|covid)\b"),
    "lost": lazy(r"(?:my|our|his|her) (?:[a-z]+ )?(?:mum|mom|dad|father|mother|job|hearing|sight|brother|sister|grandmother|grandfather|wife|husband|dog|cat|horse|licen[cs]e|passport)\b|\d|(?:two|three|four|five|six|seven|eight|nine|ten) "),
    "started": lazy(r"(?:taking |doing |learning |on |an? |my )(?:\w)"),
    "began": lazy(r"(?:taking |doing |learning |on |an? |my )(?:\w)"),
    "finished": lazy(r"(?:my|the|a|our) (?:\w+ ){0,2}?(?:degree|course|thesis|dissertation|phd|PhD|apprenticeship|training|studies|school|treatment|chemo|masters|master's|migration|rollout)\b|(?:school|university|uni|college|chemo|rehab)\b"),
    "caught": lazy(r"(?:covid|shingles|the flu|chickenpox|pneumonia)\b"),
    "paid": lazy(r"off (?:the|my|our)\b|(?:the|my|our) (?:deposit|mortgage|loan|fees?)\b|[$€£]?\d[\d.,]* for (?:the|my|our|an?)\b"),
    "spent": lazy(r"(?:\w+ ){1,3}?(?:years?|months?|decades?|summers?|winters?) (?:in|at|on|as|with)\b"),
    "taken": lazy(_TAKEN_UP), "took": lazy(rf"{_TAKEN_UP}|out (?:a|an|the|my|our) |early retirement|a (?:year|gap year|sabbatical)\b"),
    "sworn": lazy(r"off "),
    "did": lazy(r"(?:my|an?|the|his|her) (?:\w+ )?(?:apprenticeship|degree|training|PhD|doctorate|a-levels|A-levels|GCSEs|masters|master's|national service|course|placement|residency|internship|military service)\b|(?:an?|two|three|four|five|six|\d+) years? (?:in|at|as|of) "),
    "adopted": lazy(rf"(?:my|our|an?|two|three|four) (?:[a-z-]+ )??(?:son|daughter|child|baby|boy|girl|children|{'|'.join(PETS)})s?\b"),
    "wrote": lazy(r"(?:my|an?|the) (?:\w+ )?(?:dissertation|thesis|book|novel|memoir|guide|blog|column)\b|the [a-z]+(?: [a-z]+)? in [A-Z]|the (?:[a-z]+ )?(?:module|service|parser|worker|script|library|docs|tests|migration|importer|plugin|app|frontend|backend|client)\b"),
    "studied": lazy(r"(?!the\b|hard\b|for\b|it\b|this\b|that\b|abroad\b|all\b|my\b)[A-Za-z]+(?: and [a-z]+| [a-z]+)?(?=[.,!;]| (?:at|in|but|for|and)\b|$)"),
    "switched": lazy(r"(?:the|my|our) [\w ]+ to "), "grew": lazy(r"up (?:on|in|with|near|by|above|between)\b"),
    "named": lazy(r"(?:him|her|it|the|our|my)\b"),
    "pulled": lazy(r"(?:a|my) (?:muscle|hamstring|back|groin|calf)\b"),
    "bought": lazy(r"(?:\w+ )?(?:tickets|flights|shares)\b"),
    "burned": lazy(r"my (?:hand|arm|leg|foot|fingers?)\b"),
    "broke": lazy(r"(?:my|his|her|an?) (?:\w+ )?(?:wrist|arm|leg|ankle|nose|toe|finger|foot|hip|collarbone|rib|ribs|thumb|elbow|hand|jaw|tooth|shoulder|kneecap|knee|pelvis|back|heel)\b"),
    "twisted": lazy(r"(?:my|his|her) (?:\w+ )?(?:ankle|knee|wrist)\b"),
    "failed": lazy(r"(?:my|his|her|the|its) (?:\w+ ){0,2}?(?:test|exam|mot|MOT|driving test|inspection|audit|module)\b"),
    "passed": lazy(r"(?:my|his|her|the|its) (?:\w+ ){0,3}?(?:test|exam|exams|mot|MOT|driving test|inspection|audit|module|probation|theory|bar|viva|grade|finals)\b|grade "),
    "won": lazy(r"(?:an?|the|first|second|third|\d)\b"),
    "learned": lazy(r"to |[A-Z]|the (?:violin|piano|guitar|cello|flute|trumpet|drums|harp|recorder|clarinet|organ)\b"), "learnt": lazy(r"to |[A-Z]"),
    "picked": lazy(r"[A-Z](?!.* to (?:win|go|be)\b)"), "chose": lazy(r"[A-Z]"),
    "painted": lazy(r"(?:the|our|my) "), "proposed": lazy(r"to "),
    "signed": lazy(r"up (?:for|to|with) |(?:the|a|my|our) (?:\w+ )?(?:contract|lease|tenancy)"),
}  # fmt: skip
#: What one is doing for a while.
DOING = word_set(
    """
    spending opening doing saving reading writing renovating building decorating training studying learning recovering growing fostering
    raising restoring knitting taking paying expecting getting moving working looking applying retraining rehearsing
    rewriting refactoring migrating rolling waiting planning rebuilding converting sharing renting seeing having
    fundraising revising researching caring breastfeeding potty-training watching using wearing staying living walking
    coaching mentoring tutoring volunteering aiming making organising organizing hosting retiring launching phasing deprecating
    porting trialling piloting testing swimming running cycling starting finishing going flying leaving hiring
    """
)
DOING_WITH = {
    "spending": lazy(r"(?:[A-Z][a-z]+|the (?:summer|winter|weekend|week|month|holidays)|a (?:week|month|year)) (?:in|at|with) "),
    "opening": lazy(r"(?:an?|my|our) (?:[a-z-]+ ){0,2}?(?:shop|bookshop|cafe|café|bar|restaurant|studio|practice|bakery|business|salon|gallery|branch|office|school|clinic|gym|hotel)\b(?=$|[.,;!]| (?:in|on|at|for|with|near|next|this|soon|together|called|of|from|by|over|down|and)\b)"),
    "doing": lazy(r"(?!(?:okay|ok|great|well|good|fine|better|badly|alright|research|things|this|that|some|a lot|stuff)\b)(?:an?|my|his|her|the|dry|sober|night|evening|couch|keto|physio|intermittent|[a-z]+ (?:twice|every|at|on|with|since|for))\b(?! (?:lot|few|bit|thing|things|same|best|it)\b)"),
    "getting": lazy(r"(?:married(?! to (?:this|that|a|an|my|the)\b)|divorced|engaged|a (?:dog|cat|puppy|kitten|divorce|new)|an? [a-z]+ (?:on|in|next)|braces|hearing|the keys)\b"),
    "having": lazy(r"(?:an?|my|our|the) (?:[a-z'-]+ ){0,3}?(?:baby|operation|surgery|extension|kitchen|bathroom|boiler|treatment|chemo|twins|boy|girl|wedding|removed|fitted|installed|rewired|done|built)\b|(?:twins|chemo|physio|radiotherapy|surgery|IVF|counselling|therapy)\b"),
    "taking": lazy(r"(?:a (?:year|gap|sabbatical|course|class|break from)|[a-z]+ (?:lessons|classes|for|every)|\d|part|lessons)\b"),
    "working": lazy(r"(?:nights|days|from home|part-time|shifts|on (?:an?|the|my|our) (?=\w+ \w|[A-Z])|towards|weekends|remotely)\b"),
    "looking": lazy(r"after (?:an?|my|our|the)\b|for (?:an? |my )?(?:new |bigger |smaller |first |part-time |full-time )*(?:work|job|flat|house|room|apartment|place to (?:live|rent|buy)|somewhere to (?:live|rent|buy)|studio|flatmate|housemate|roommate|nanny|childminder|tenant)\b"),
    "waiting": lazy(r"(?:for|on) (?:an?|my|the|our) (?:\w+ ){0,2}?(?:operation|surgery|results|visa|transplant|diagnosis|appointment|assessment|scan|appeal|permit|approval)\b"),
    "planning": lazy(r"(?:an?|our|my|the) (?:\w+ ){0,2}?(?:wedding(?! (?:gift|present|dress|speech))|extension|migration|release|reunion|sabbatical|(?:trip|move|holiday|party)\b[^,.;!?]*\b(?!I\b)[A-Z\d])"),
    "seeing": lazy(r"(?:an?|the|my) (?:\w+ )?(?:[a-z]{3,}ist|therapist|counsellor|physio|dietitian|osteopath|chiropractor|consultant|midwife|surgeon|doctor|vet|GP)\b"),
    "making": lazy(r"(?:my|our) own\b"),
    "using": lazy(r"(?:(?:an?|the|my|our) )?(?:[a-z]+ )?[A-Z]"), "watching": lazy(r"[A-Z]"), "reading": lazy(r"(?:[A-Z\"]|an? (?:book|novel|biography)|the )"),
    "staying": lazy(r"(?:with|at) (?:us|me|my|our|an?|the)\b.*"), "living": lazy(r"(?:with|on|alone|above|next)\b"),
    "moving": lazy(r"(?:in|out|house|away|to|into)\b.*\b(?:in|on|next) (?:the )?(?:[A-Z]|\d|week|month|year|spring|summer|autumn|fall|winter)"),
    "going": lazy(r"to (?:the )?[A-Z][\w' ]+ (?:for (?:my|our|the|a|\w+ (?:days|weeks|months))|with (?:my|our))\b|(?:to|on|for|back to)\b(?! (?:bed|sleep|be)\b).*\b(?:in|on|next|from|this|every) (?:the )?(?:[A-Z]|\d|week|month|year|spring|summer|autumn|fall|winter)"),
    "flying": lazy(r"(?:to|out|home|back)\b.*"), "leaving": lazy(r"(?:for|on|at)\b.*\b(?:[A-Z]|\d)"),
    "starting": lazy(r"(?:on|in|at|a|an|my|school|nursery|university|college|chemo)\b"),
    "finishing": lazy(r"(?:at|on|my)\b"), "running": lazy(r"(?:the|an?|for|[A-Z])\b"), "walking": lazy(r"(?:the|to|my|our|a)\b"),
    "paying": lazy(r"(?:off |back |for |[$€£]?\d)"), "expecting": lazy(r"(?:an?|our|my|twins|in|her|his|on)\b"),
    "building": lazy(r"(?:an?|our|my|the)\b"), "growing": lazy(r"(?:my|our|[a-z]+s\b|tomatoes|an?)"),
    "hosting": lazy(r"(?:an?|the|our|two|three)\b"), "hiring": lazy(r"(?:an?|two|three)\b"),
    "raising": lazy(r"(?:money for|(?:an?|two|three|four|my|our) (?:\w+ ){0,2}?(?:kids|child(?:ren)?|sons?|daughters?|boys?|girls?|twins|family|pupp(?:y|ies)|chickens|hens|sheep|goats|lambs|pigs|calves))\b"),
    "retiring": lazy(r"(?:at|in|on|next)\b"),
    "aiming": lazy(r"(?:for|to)\b"), "rolling": lazy(r"out\b"), "phasing": lazy(r"out\b"), "testing": lazy(r"[A-Z]|the|our"),
}  # fmt: skip
#: What a person, an animal or a thing is, in one word.
BEING = word_set(
    """
    blind deaf diabetic epileptic asthmatic anaemic anemic autistic dyslexic dyspraxic coeliac celiac bilingual
    trilingual claustrophobic arthritic hypermobile long-sighted short-sighted nearsighted far-sighted farsighted
    colour-blind color-blind left-handed right-handed ambidextrous neutered spayed microchipped vaccinated housetrained
    adopted expecting widowed orphaned bald blonde blond brunette ginger redheaded tall freelance self-employed unemployed
    retired redundant homeschooled home-schooled insured uninsured registered muslim jewish catholic hindu buddhist
    christian atheist agnostic teetotal kosher halal gay lesbian bi bisexual trans non-binary asexual queer ace
    introverted extroverted open-source monolingual dockerized containerized multi-tenant monorepo serverless
    electric diesel hybrid automatic manual second-hand furnished unfurnished leasehold freehold terraced
    semi-detached detached south-facing north-facing west-facing east-facing listed rented mortgaged self-hosted
    stateless append-only read-only nocturnal sedentary squeamish dairy-free sugar-free nut-free
    """
)
COUNTED = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|ninety|"
    "half|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|ground"
)
#: Complements of "be" with a preposition or an article that describe for longer.
IS = lazy(
    rf"(?:on|in|at|with|from|under|off|into|between|out|an?|the|part|one|more|half|near|next|up|down|due|made|based|\d|{COUNTED}|allowed|scared|afraid|terrified|"
    r"good|bad|rubbish|terrible|hopeless|useless|brilliant|great|awful|decent|upstairs|downstairs|abroad|overseas|due|used|named|called|married|engaged|related|registered|covered|insured|enrolled|signed|trained|prone|sensitive|open|closed|free|available|away)\b"
)
DESCRIBES = lazy(
    r"(?:good|bad|rubbish|terrible|hopeless|useless|brilliant|great|awful|decent) (?:at|with) [a-z].*|(?:upstairs|downstairs|abroad|overseas)\b"
    rf"|on (?:the )?(?:{COUNTED}) floor\b|on (?:[a-z]+ )?(?:leave|holiday|sabbatical|dialysis|benefits|a waiting list|the waiting list|the pill|the (?:[a-z]+ ){{0,2}}?(?:board|committee|council|jury|team|rota|panel|ward|desk)|"
    r"medication|antibiotics|antidepressants|statins|insulin|steroids|blood thinners|crutches|probation|secondment|an? (?:[\w-]+ )?diet|keto|the night shift|nights|shifts|(?!the )[a-z]{4,}(?<!mach)(?<!magaz)(?<!rout)(?<!onl)(?<!ma)(?:ine|in|ol|ide|ate|one|am|il|ax|pine|fen)|"
    r"chemo|a (?:\d|four|three|two|six|nine|zero)[\w-]*(?: \w+)? (?:contract|week|visa|lease|tariff)|an? (?:\w+ )?(?:visa|contract|tariff|plan|scholarship|lease))\b"
    r"|on (?:the )?(?:[A-Z]|v?\d+\.)|on \d+ ?(?:mg|mcg|ml|hours|%)"
    r"|in (?:[Yy]ear|[Ff]orm|[Cc]lass|[Gg]rade|[Rr]oom|[Uu]nit|[Ff]lat|[Bb]uilding|[Zz]one|[Ll]ane|[Ss]eat|[Rr]ow|[Bb]ed|[Ww]ard|[Gg]roup) (?:[A-Z\d]|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"|in (?:an?|the|my|his|her|our) (?:[\w'-]+ ){0,3}?(?:team|choir|band|club|league|orchestra|group|quartet|relationship|union|wheelchair|care home|nursing home|reception|"
    rf"sixth form|final year|second year|first year|third year|army|navy|police|air force|netherlands|uk|us|basement|attic|suburbs|countryside|village|(?:{COUNTED})[\w-]* trimester|squad|carpool|car share|house share|shared house)\b"
    r"|in (?:remission|recovery|rehab|menopause|reception|nursery|therapy|care|hospice|sheltered housing|maintenance mode|beta|production|alpha|preview|GA|UTC|CET)\b"
    r"|with (?:the )?[A-Z][\w&' ]+|with (?:my|our|his|her) (?:\w+ )?(?:girlfriend|boyfriend|partner|wife|husband|grandparents|parents|mum|dad|childminder|nanny)"
    r"|at (?:the )?[A-Z][\w'. ]*|at (?:[a-z]+ school|nursery|primary school|secondary school|secondary|college|university|uni|boarding school|the childminder's)\b(?: (?:in|on|until) .*)?"
    rf"|(?:an?|the) (?:(?:only|middle|eldest|oldest|youngest) (?:child|of (?:\d|{COUNTED})|one of (?:\d|{COUNTED}))|twin|triplet|vegan|vegetarian|coeliac|diabetic|insomniac|(?:early|late) riser|night owl|early bird|"
    r"light sleeper|heavy sleeper|lefty|southpaw|leftie|"
    r"(?:\w+ )?(?:godfather|godmother|donor|carer|trustee|governor|member|volunteer|regular|student|fan|supporter|smoker|non-smoker|drinker|homeowner|first-time buyer|"
    r"season ticket holder|subscriber|patron|shareholder|lodger|widower|widow|single (?:mum|mom|dad|parent|mother|father)|stepdad|stepmum|grandmother|grandfather|gran|grandad|veteran|refugee|citizen|"
    r"catholic|jew|muslim|quaker|buddhist|hindu|christian|atheist|sikh|morning person|cat person|dog person|tea person|coffee person|people person|Capricorn|Aquarius|Pisces|Aries|Taurus|Gemini|Cancer|Leo|Virgo|Libra|Scorpio|Sagittarius|"
    r"labrador|spaniel|poodle|terrier|collie|dachshund|beagle|whippet|greyhound|retriever|bulldog|pug|siamese|persian|tabby|maine coon|ragdoll|bengal|cross|mongrel|rescue|cockapoo|shepherd|husky))\b[^,]*"
    r"|more of an? [\w-]+ person|half[ -][A-Z]\w+|(?:part|one) of (?:the|a|an|two|three|four|five|six|seven) [\w -]+"
    rf"|between (?:jobs|flats|homes|contracts)\b|(?:scared|afraid|terrified|frightened) of [a-z ]+|prone to [a-z ]+|sensitive to [a-z ]+|due (?:on|in|at|back) .*|allowed [a-z\d].*|away (?:from|until|in|on) .*"
    r"|(?:registered|covered|insured|enrolled|signed) (?:with|at|in|on|for|by|as) .*|trained (?:as|in) .*|based (?:in|on|at) .*|made (?:by|in) .*|made redundant|made .* redundant|up (?:in|on|at|for) .*|related to (?:the )?[A-Z].*"
    rf"|(?:\d+|(?:{COUNTED})) (?:\w+ ){{0,2}}(?:away(?! from (?:home|\w+ing)\b)|long|wide|deep|old|tall|high|pregnant|months (?:old|pregnant|in)|years|weeks (?:old|pregnant)|bedrooms?|people|of us|floors)\b.*"
    r"|(?:open|closed|free|available) (?:on|at|from|until|every|till) .*|near (?:the )?[A-Z].*|next (?:to|door to) .*|off (?:(?:till|until|from) [a-z]* ?[A-Z\d]|work|sick|school|meat|dairy|coffee|alcohol|sugar|caffeine)\b.*|out of (?:contract|warranty|date)\b.*|under (?:warranty|contract|NDA|the)\b.*"
    r"|from a .*|down as .*"
)
#: What one has stopped doing.
STOPPED = {"eating": "eats", "drinking": "drinks", "smoking": "smokes", "taking": "takes", "using": "uses",
            "going": "goes", "playing": "plays", "watching": "watches", "wearing": "wears", "driving": "drives"}  # fmt: skip
ABLE = word_set(
    "fly run walk lift kneel smell taste hear climb drive swim cook ride dance sing whistle digest tolerate read type knit ski"
)
PARTICIPLE = lazy(r"(?:\w{2,}ed|frozen|given|eaten|fallen|grown|known|shown|thrown|flown|drawn|driven|written|ridden|hidden|spoken|stolen|worn|drunk|shaken|forgotten|woken|risen|sworn|struck|swept|shot|stuck|sung|swum|kept|slept|felt|held|told|found|sent|spent|lent|heard|put|set|cut|let|quit|fought|thought|taught|brought|broken|torn|rewritten|won|chosen|begun|gotten|taken|had|lost|bought|built|paid|caught|learnt|sold|made|left|met|been|seen|done|gone|come|become|got)\b", re.IGNORECASE)  # fmt: skip
HAD = lazy(
    r"(?:an?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|twin|\d[\d.,]*)\b|(?:my|our) own [a-z]|(?:our|the|my) [a-z]+ (?:\w+ed|done|cut) |(?:my|our) [a-z]+ (?:course|class|lessons?|practice|training|rehearsals?)\b|[a-z]+(?: [a-z]+)? (?:for breakfast|for lunch|for dinner|every|on|twice|once|delivered|collected)\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days? (?:off|free)\b"
)
#: Objects of "have" that state no fact: thoughts, moments, feelings.
NOT_HAD = word_set(
    """
    idea problem question feeling time chance look laugh point plan fun doubt issue thought hope luck trouble choice news
    call clue favour favor word dream suspicion habit minute second moment lot bit few couple bunch ton way right go try
    guess soft good great terrible nice lovely rough long hard blast weird strange busy crazy hectic wonderful
    quick little stupid silly confession theory request suggestion bone say preference need tendency reason cold
    headache hangover crush mind heart life day week weekend morning night evening meeting break rest nap drink coffee
    conversation chat talk argument fight fit meltdown hunch mountain pile million thousand hundred knack sense
    one picture photo pic video surprise secret story opinion concern worry fear complaint bug error pleasure honour honor privilege relationship job answer preference details info
    friend friends feature features days hours system narrative fever coupon ingredients setup
    information word words update access problems questions plans feelings thoughts ideas
    to role baby boyfriend girlfriend warning report message mail reply email letter notification
    """
)
ALONE_EVENTS = word_set("divorced retired graduated separated emigrated qualified remarried")
#: What one has done for long one still does: "I've worked nights for eleven years".
STILL = {
    "worked": "works", "lived": "lives", "played": "plays", "taught": "teaches", "used": "uses", "driven": "drives",
    "owned": "owns", "kept": "keeps", "sung": "sings", "ridden": "rides", "worn": "wears", "smoked": "smokes",
    "studied": "studies", "collected": "collects", "rented": "rents", "volunteered": "volunteers", "run": "runs",
    "coached": "coaches", "taken": "takes", "followed": "follows", "supported": "supports", "practised": "practises",
}  # fmt: skip
LONG = lazy(r"\b(?:for (?:\w+ ){0,2}(?:years|months|decades|ages)|since)\b")
