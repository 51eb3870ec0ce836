"""What an English clause states in a slot of its own: "I collect fountain pens", "our insurance renews on 4 November".

No rule names these predicates. Grammar tells what lasts: the simple present of a verb that is not about what somebody
thinks or says, a life event in the past, a complement of "be" that describes. The predicate is the verb with its
preposition, the value the rest of the phrase. Read only where no other rule found anything, and never in a turn that
shows a sign of jest.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ricordo.facts.any_case import AnyCase
from ricordo.facts.values import MEDICINES
from ricordo.text import lazy
from ricordo.text.english import KIN, NO_NAMES, PETS, word_set
from ricordo.text.plain import OPENERS

#: The predicate and the value of a clause.
Open = tuple[str, str]

#: Verbs of what one thinks, says, wants or is about to do: in the simple present they state nothing that lasts.
_STANCE = word_set(
    """
    think guess hope know believe wonder suppose feel mean want need see hear understand agree disagree remember forget
    love like hate prefer wish promise swear bet doubt appreciate recommend suggest expect imagine find care mind look
    sound seem plan try let say tell ask mention apologise apologize thank miss trust worry regret dread
    enjoy admire respect notice consider realise realize insist admit assume bless deserve fear figure gather
    intend recall reckon sense suspect appear become happen matter depend deal be have
    beg demand declare decide point repeat confess congratulate bother mess kid joke dare tend
    manage fail refuse struggle hesitate used gotta wanna cherish value promote continue strive aim journey learn visualize push rock shine hang relate commit absorb
    embrace prioritise prioritize focus just please cannot could should may might must shall
    dream pretend picture hurt crave fancy desire adore crumble die burn melt cry laugh scream sigh die blame curse
    bite rock sacrifice surrender explain propose note assure guarantee warn beseech attach confirm update accept second
    """
)
#: Verbs of a moment as often as of a habit: they last with what `_WITH` wants, or with a word of habit.
_MOMENTARY = word_set(
    """
    owe get got live stand come go do make take keep put give start begin stop end set turn run help show bring leave lose fall
    stay sit lie hold hit cut pay buy sell send ship choose pick read cost quit spread order finish call open close
    change switch check move wait
    """
)
_HABIT = AnyCase(
    r"\b(?:always|usually|normally|mostly|generally|only|every|each|most (?:days|nights|weeks|weekends|mornings|evenings)|"
    r"(?:once|twice|(?:two|three|four|five|\d) times) (?:a|per|every)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"on weekdays|at weekends|on weekends|weekly|daily|monthly|these days|(?:my|our|his|her) own)\b"
)
#: What is about one's thoughts or a moment with most objects, and lasts with these words behind it.
_WITH = {
    "take": lazy(r"(?:the |a |my )?(?:number |no\.? )?(?:\d+\w? |[a-z]+ )?(?:bus|train|tram|tube|metro|ferry|bike|car|dog|dogs|kids|pills?|tablets?|vitamins?|supplements?|lessons|classes|medication|meds|insulin)\b|[a-z]+ (?:lessons|classes|for|every|each|twice|daily)\b|\d|size \d|(?:[a-z]+ )?[a-z]{3,}(?:ine|ol|ide|ate|in|am|phen|azole|statin|pril|phate)\b"),
    "go": lazy(r"(?!(?:on|to|for) (?:about|and|it|this|that|my own)\b)(?:to (?!bed\b|sleep\b|hell\b|the (?:shops?|loo|toilet|bathroom|office today)\b)|for (?:an? )|by |climbing|swimming|running|dancing|riding|hiking|cycling|fishing|sailing|bouldering|camping|jogging|skiing|surfing|bowling|walking)"),
    "do": lazy(r"(?:the |my |our )?(?!(?:it|that|this|not|so|what|things|something|anything|everything|nothing|too|some|wonder|think|agree|feel|know|have|love|like|hope|want|need|all|both|well|better|fine|miss|get|see|remember)\b)[a-z]"),
    "keep": lazy(r"(?:kosher|halal|fit|a diary|my|our|the|an?|all|any|two|three|some|spare)\b(?! (?:mind|eye|eyes|track|note|secret|promise)\b)"),
    "get": lazy(r"the \d|(?:the|my|our) (?:\d+ )?(?:bus|train|tram|[a-z]+(?: [a-z]+){0,2} (?:from|delivered|at))\b|paid|[a-z]+(?: [a-z]+)? from (?:the )?[A-Z]|(?:migraines|hay ?fever|carsick|seasick|headaches|hives|eczema|cramps)\b"),
    "make": lazy(r"(?:my|our) own\b|[a-z]+ (?:every|on|each)\b"),
    "pay": lazy(r"(?:for |about |around )?(?:[$€£]?\d|(?:my|our|the) [a-z]+ (?:by|with|in|on|monthly|weekly|quarterly))"),
    "run": lazy(r"[A-Z]|(?:\d|every|the|a|an|on (?!coffee|caffeine|spite|empty|sugar|fumes|tea)|with|at|in)\b"),
    "live": lazy(r"(?:on the|with my|with our|with (?:us|me|him|her|them|two|three|four|five)|alone|by myself|next|above|below|opposite|near|close|about|around|\w+ minutes|by the sea|within|across|two|three|ten|five)\b"),
    "stay": lazy(r"(?:with|at) (?:my|our)\b"),
    "sit": lazy(r"(?:next to|opposite|beside) [A-Z]|on the (?:board|council|committee)"),
    "start": lazy(r"(?:work |my shift |the day )?(?:at|every)\b|work\b"),
    "finish": lazy(r"(?:work |my shift )?(?:at|every)\b"),
    "hold": lazy(r"(?:an?|the|my|two)\b(?! (?:minute|second|grudge|moment|sec))"),
    "pick": lazy(r"(?:up )?(?:the kids|[A-Z]\w+|my|our)\b.* (?:at|on|every|from)\b"),
    "come": lazy(r"(?:from (?:a|the)|home)\b"),
    "stand": lazy(r"for (?:the|our)\b"),
    "send": lazy(r"(?:the|my|our) (?:kids|children|son|daughter|invoices?|reports?|logs?|newsletters?|emails?)\b"),
    "buy": lazy(r"(?:my|our|all my|all our|the) [a-z]+(?: [a-z]+)? (?:from|at|in|on)\b"),
    "sell": lazy(r"(?:my|our|on|at|through|[a-z]+(?: [a-z]+)? (?:on|at|in|online))\b"),
    "ship": lazy(r"(?:every|on|with|to|in|a release)\b"),
    "bring": lazy(r"(?:my|our) (?:own )?(?:lunch|dog)\b"),
    "give": lazy(r"(?:blood|plasma|(?:[a-z]+ )?(?:lessons|classes|tours))\b|[$€£]?\d"),
    "leave": lazy(r"(?:the house|home|work|for work|at)\b.*\d"),
    "call": lazy(r"(?:my|our) (?:\w+ )?(?:every|on)\b|(?:him|her|it|my \w+|our \w+) [A-Z]"),
    "owe": lazy(r".*\d"),
    "stop": lazy(r"work at\b"),
    "help": lazy(r"(?:out )?(?:at|in|with) (?:the|a|my|our|an)\b.*\b(?:every|on|once|twice|week|weekends?|Saturdays?|Sundays?)\b|(?:out )?at (?:the|a)\b"),
    "end": lazy(r"(?:at|on) \d"),
    "read": lazy(r".*\b(?:every|each|a day|a week|a month|before bed|on the)\b"),
    "set": lazy(r"(?:my|our|the) alarms?\b"),
    "turn": lazy(r"off .* at \d"),
}  # fmt: skip
_NOTHING = lazy(r"(?!x)x")
#: Verbs that may stand alone: "I snore".
_ALONE = word_set(
    """
    cycle walk swim jog knit crochet sew garden commute freelance snore stammer stutter smoke vape drink drive row sail
    ski climb bake paint volunteer lift meditate box dance fish hike camp surf juggle sculpt
    """
)
#: What one does not do.
_NOT_DONE = word_set(
    "touch eat drink drive own use watch smoke vape wear take work speak cook swim ride fly gamble celebrate read play tolerate digest "
    "dance sing bake knit travel commute support allow accept ship deploy log store keep"
)
#: What happens once and stays so.
_EVENTS = word_set(
    """
    passed failed broke fractured sprained tore dislocated twisted ordered enrolled registered applied booked subscribed
    renewed signed graduated installed planted painted inherited lost retired won published submitted reserved rented
    scheduled remortgaged redecorated renovated insured named fostered adopted ruptured injured pulled burned qualified
    trained emigrated immigrated divorced separated proposed miscarried did wrote studied pinned upgraded downgraded bumped migrated
    deprecated merged rewrote ported containerized containerised dockerized refactored archived deployed released
    switched grew hired fired promoted appointed finished completed completed handed joined cancelled canceled paid replaced fixed
    caught had got bought built opened closed sold started began began launched chose picked learned learnt
    """
)
_EVENT_WITH = {
    "got": lazy(r"(?:my|a|an|our|the) (?:[a-z'-]+ ){0,3}?(?:licen[cs]e|degree|diploma|certificate|passport|visa|permit|place|keys|tattoo|braces|implant|pacemaker|citizenship|glasses|doctorate|PhD|MBA|master's|apprenticeship|internship|scholarship|grant|mortgage|loan|qualification|badge|belt|allotment|refund|citizenship|booster|vaccination|jab|cast|results)\b|(?:into|on to|onto|through to) |(?:engaged|married|divorced)\b"),
    "had": lazy(r"(?:my|an?|the|our|two|both|his|her|a) (?:[\w'-]+ ){1,4}?(?:removed|taken out|replaced|done|fitted|out|installed|serviced|put in|rewired|repaired|painted)\b|(?:an?|my|his|her|our|the|open|two|both) (?:[a-z'-]+ ){0,2}?(?:stroke|attack|operation|surgery|transplant|baby|boy|girl|twins|bypass|replacement|implant|miscarriage|filling|extraction|root canal|accident|fall|seizure|vasectomy|hysterectomy|c-section|caesarean|scan|biopsy|jab|vaccine|booster|first child|second child)\b|(?:twins|triplets|kittens|puppies|surgery|chemo|IVF|shingles|pneumonia|covid)\b"),
    "lost": lazy(r"(?:my|our|his|her) (?:[a-z]+ )?(?:mum|mom|dad|father|mother|job|hearing|sight|brother|sister|grandmother|grandfather|wife|husband|licen[cs]e|passport)\b|\d|(?:two|three|four|five|six|seven|eight|nine|ten) "),
    "started": lazy(r"(?:taking |doing |learning |on |an? |my )(?:\w)"),
    "began": lazy(r"(?:taking |doing |learning |on |an? |my )(?:\w)"),
    "finished": lazy(r"(?:my|the|a|our) (?:\w+ ){0,2}?(?:degree|course|thesis|dissertation|phd|PhD|apprenticeship|training|studies|school|treatment|chemo|masters|master's|migration|rollout)\b|(?:school|university|uni|college|chemo|rehab)\b"),
    "caught": lazy(r"(?:covid|shingles|the flu|chickenpox|pneumonia)\b"),
    "paid": lazy(r"(?:off )?(?:the|my|our|[$€£]?\d)"),
    "did": lazy(r"(?:my|an?|the|his|her) (?:\w+ )?(?:apprenticeship|degree|training|PhD|doctorate|a-levels|A-levels|GCSEs|masters|master's|national service|course|placement|residency|internship|military service)\b"),
    "adopted": lazy(r"(?:my|our|an?) (?:\w+ )?(?:son|daughter|child|baby|boy|girl|children)\b"),
    "wrote": lazy(r"(?:my|an?|the) (?:\w+ )?(?:dissertation|thesis|book|novel|memoir|guide|blog|column)\b"),
    "studied": lazy(r"(?!the\b|hard\b|for\b|it\b|this\b|that\b|abroad\b|all\b|my\b)[A-Za-z]+(?: and [a-z]+| [a-z]+)?(?=[.,!;]| (?:at|in|but|for|and)\b|$)"),
    "switched": lazy(r"(?:the|my|our) [\w ]+ to "), "grew": lazy(r"up (?:on|in|with|near|by|above|between)\b"),
    "fixed": _NOTHING, "opened": _NOTHING, "closed": _NOTHING, "handed": _NOTHING, "named": lazy(r"(?:him|her|it|the|our|my)\b"),
    "pulled": lazy(r"(?:a|my) (?:muscle|hamstring|back|groin|calf)\b"),
    "bought": lazy(r"(?:\w+ )?(?:tickets|flights|shares)\b"),
    "sold": _NOTHING,
    "burned": lazy(r"my (?:hand|arm|leg|foot|fingers?)\b"),
    "broke": lazy(r"(?:my|his|her|an?) (?:\w+ )?(?:wrist|arm|leg|ankle|nose|toe|finger|foot|hip|collarbone|rib|ribs|thumb|elbow|hand|jaw|tooth|shoulder|kneecap|knee|pelvis|back|heel)\b"),
    "twisted": lazy(r"(?:my|his|her) (?:\w+ )?(?:ankle|knee|wrist)\b"),
    "failed": lazy(r"(?:my|his|her|the|its) (?:\w+ ){0,2}?(?:test|exam|mot|MOT|driving test|inspection|audit|module)\b"),
    "passed": lazy(r"(?:my|his|her|the|its) (?:\w+ ){0,3}?(?:test|exam|exams|mot|MOT|driving test|inspection|audit|module|probation|theory|bar|viva|grade|finals)\b|grade "),
    "won": lazy(r"(?:an?|the|first|second|third|\d)\b"),
    "learned": lazy(r"to |[A-Z]"), "learnt": lazy(r"to |[A-Z]"),
    "picked": lazy(r"[A-Z]"), "chose": lazy(r"[A-Z]"),
    "painted": lazy(r"(?:the|our|my) "), "proposed": lazy(r"to "),
    "signed": lazy(r"up (?:for|to|with) |(?:the|a|my|our) (?:\w+ )?(?:contract|lease|tenancy)"),
}  # fmt: skip
#: Perfects that are made of another word than the past.
_PERFECT = {"broken": "broke", "torn": "tore", "rewritten": "rewrote", "won": "won", "chosen": "chose", "begun": "began",
            "gotten": "got", "taken": "took"}  # fmt: skip
#: What one is doing for a while.
_DOING = word_set(
    """
    doing saving reading writing renovating building decorating training studying learning recovering growing fostering
    raising restoring knitting taking paying expecting getting moving working looking applying retraining rehearsing
    rewriting refactoring migrating rolling waiting planning rebuilding converting sharing renting seeing having
    fundraising revising researching caring breastfeeding potty-training watching using wearing staying living walking
    coaching mentoring tutoring volunteering aiming making organising organizing hosting launching phasing deprecating
    porting trialling piloting testing testing swimming running cycling starting finishing going flying leaving hiring
    """
)
_DOING_WITH = {
    "doing": lazy(r"(?:an?|my|the|dry|sober|night|evening|couch|keto|physio|intermittent|[a-z]+ (?:twice|every|at|on|with))\b(?! (?:lot|few|bit|thing|things|same|best|it)\b)"),
    "getting": lazy(r"(?:married(?! to (?:this|that|a|an|my|the)\b)|divorced|engaged|a (?:dog|cat|puppy|kitten|divorce|new)|an? [a-z]+ (?:on|in|next)|braces|hearing|the keys)\b"),
    "having": lazy(r"(?:an?|my|our|the) (?:[a-z'-]+ ){0,3}?(?:baby|operation|surgery|extension|kitchen|bathroom|boiler|treatment|chemo|twins|boy|girl|wedding|removed|fitted|installed|rewired|done|built)\b|(?:twins|chemo|physio|radiotherapy|surgery|IVF|counselling|therapy)\b"),
    "taking": lazy(r"(?:a (?:year|gap|sabbatical|course|class|break from)|[a-z]+ (?:lessons|classes|for|every)|\d|part|lessons)\b"),
    "working": lazy(r"(?:nights|days|from home|part-time|shifts|on (?:an?|the|my)|towards|weekends|remotely)\b"),
    "looking": lazy(r"(?:for an?|for (?:work|somewhere|a)|after)\b"),
    "waiting": lazy(r"(?:for|on) (?:an?|my|the|our) (?:\w+ ){0,2}?(?:operation|surgery|results|visa|transplant|diagnosis|appointment|assessment|scan|appeal|permit|approval)\b"),
    "planning": lazy(r"(?:an?|our|my|the) (?:\w+ ){0,2}?(?:wedding|trip|move|holiday|extension|party|migration|release|reunion|sabbatical)\b"),
    "seeing": lazy(r"(?:an?|the|my) (?:\w+ )?(?:therapist|counsellor|physio|specialist|psychologist|psychiatrist|dietitian|osteopath|chiropractor|consultant|nutritionist)\b"),
    "making": lazy(r"(?:my|our) own\b"),
    "using": lazy(r"(?:an?|the|my|[A-Z])"), "watching": lazy(r"[A-Z]"), "reading": lazy(r"(?:[A-Z\"]|an? (?:book|novel|biography)|the )"),
    "staying": lazy(r"(?:with|at) (?:us|me|my|our|an?|the)\b.*"), "living": lazy(r"(?:with|on|alone|above|next)\b"),
    "moving": lazy(r"(?:in|out|house|away|to|into)\b.*\b(?:in|on|next) (?:the )?(?:[A-Z]|\d|week|month|year|spring|summer|autumn|fall|winter)"),
    "going": lazy(r"(?:to|on|for|back to)\b(?! (?:bed|sleep|be)\b).*\b(?:in|on|next|from|this|every) (?:the )?(?:[A-Z]|\d|week|month|year|spring|summer|autumn|fall|winter)"),
    "flying": lazy(r"(?:to|out|home|back)\b.*"), "leaving": lazy(r"(?:for|on|at)\b.*\b(?:[A-Z]|\d)"),
    "starting": lazy(r"(?:on|in|at|a|an|my|school|nursery|university|college|chemo)\b"),
    "finishing": lazy(r"(?:at|on|my)\b"), "running": lazy(r"(?:the|an?|for|[A-Z])\b"), "walking": lazy(r"(?:the|to|my|our|a)\b"),
    "paying": lazy(r"(?:off |back |for |[$€£]?\d)"), "expecting": lazy(r"(?:an?|our|my|twins|in|her|his|on)\b"),
    "building": lazy(r"(?:an?|our|my|the)\b"), "growing": lazy(r"(?:my|our|[a-z]+s\b|tomatoes|an?)"),
    "hosting": lazy(r"(?:an?|the|our)\b.*\b(?:on|in|this|next)\b"), "hiring": lazy(r"(?:an?|two|three)\b"),
    "aiming": lazy(r"(?:for|to)\b"), "rolling": lazy(r"out\b"), "phasing": lazy(r"out\b"), "testing": lazy(r"[A-Z]|the|our"),
}  # fmt: skip
#: What a person, an animal or a thing is, in one word.
_BEING = word_set(
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
_COLOURS = (
    "red|blue|green|yellow|black|white|grey|gray|brown|orange|purple|pink|silver|gold|blonde|blond|ginger|hazel|beige|navy|turquoise|"
    "auburn|cream|tabby|tortoiseshell|curly|straight|wavy|bald|electric|diesel|hybrid|automatic|manual"
)
_MATERIALS = "gold|silver|oak|pine|walnut|leather|wool|cotton|linen|steel|titanium|carbon|aluminium|aluminum|wooden|plastic|ceramic|brass|copper|suede|velvet|vinyl|marble|granite|concrete|varifocals|bifocals"
_COLOUR = lazy(rf"(?:(?:dark|light|bright|naturally|pale|navy|bottle) )*(?:{_COLOURS}|(?:white |rose |yellow )?(?:{_MATERIALS}))\b(?: and (?:{_COLOURS})\b)?$")
_COUNTED = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|ninety|"
    "half|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|ground"
)
#: Complements of "be" with a preposition or an article that describe for longer.
_IS = lazy(
    rf"(?:on|in|at|with|from|under|off|into|between|out|an?|the|part|one|more|half|near|next|up|down|due|made|based|\d|{_COUNTED}|allowed|scared|afraid|terrified|"
    r"good|bad|due|used|named|called|married|engaged|related|registered|covered|insured|enrolled|signed|trained|prone|sensitive|open|closed|free|available|away)\b"
)
_DESCRIBES = lazy(
    rf"on (?:the )?(?:{_COUNTED}) floor\b|on (?:[a-z]+ )?(?:leave|holiday|sabbatical|dialysis|benefits|a waiting list|the waiting list|the pill|the board|the committee|the council|"
    r"medication|antibiotics|antidepressants|statins|insulin|steroids|blood thinners|crutches|probation|secondment|a (?:\w+ )?diet|keto|the night shift|nights|shifts|(?!the )[a-z]{4,}(?<!mach)(?<!magaz)(?<!rout)(?<!onl)(?<!ma)(?:ine|in|ol|ide|ate|one|am|il|ax|pine|fen)|"
    r"chemo|a (?:\d|four|three|two|six|nine|zero)[\w-]*(?: \w+)? (?:contract|week|visa|lease|tariff)|an? (?:\w+ )?(?:visa|contract|tariff|plan|scholarship|lease))\b"
    r"|on (?:the )?(?:[A-Z]|v?\d+\.)|on \d+ ?(?:mg|mcg|ml|hours|%)"
    r"|in (?:[Yy]ear|[Ff]orm|[Cc]lass|[Gg]rade|[Rr]oom|[Uu]nit|[Ff]lat|[Bb]uilding|[Zz]one|[Ll]ane|[Ss]eat|[Rr]ow|[Bb]ed|[Ww]ard|[Gg]roup) (?:[A-Z\d]|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"|in (?:an?|the|my|his|her|our) (?:[\w'-]+ ){0,3}?(?:team|choir|band|club|league|orchestra|group|quartet|relationship|union|wheelchair|care home|nursing home|reception|"
    rf"sixth form|final year|second year|first year|third year|army|navy|police|air force|netherlands|uk|us|basement|attic|suburbs|countryside|village|(?:{_COUNTED})[\w-]* trimester|squad|carpool|car share|house share|shared house)\b"
    r"|in (?:remission|recovery|rehab|menopause|reception|nursery|therapy|care|hospice|sheltered housing|maintenance mode|beta|production|alpha|preview|GA|UTC|CET)\b"
    r"|with (?:the )?[A-Z][\w&' ]+|with (?:my|our|his|her) (?:\w+ )?(?:girlfriend|boyfriend|partner|wife|husband|grandparents|parents|mum|dad|childminder|nanny)"
    r"|at (?:the )?[A-Z][\w'. ]*|at (?:[a-z]+ school|nursery|primary school|secondary school|secondary|college|university|uni|boarding school|the childminder's)\b(?: (?:in|on|until) .*)?"
    rf"|(?:an?|the) (?:(?:only|middle|eldest|oldest|youngest) (?:child|of (?:\d|{_COUNTED})|one of (?:\d|{_COUNTED}))|twin|triplet|vegan|vegetarian|coeliac|diabetic|insomniac|(?:early|late) riser|night owl|early bird|"
    r"light sleeper|heavy sleeper|lefty|southpaw|leftie|"
    r"(?:\w+ )?(?:godfather|godmother|donor|carer|trustee|governor|member|volunteer|regular|student|fan|supporter|smoker|non-smoker|drinker|homeowner|first-time buyer|"
    r"season ticket holder|subscriber|patron|shareholder|lodger|widower|widow|single (?:mum|mom|dad|parent|mother|father)|stepdad|stepmum|grandmother|grandfather|gran|grandad|veteran|refugee|citizen|"
    r"catholic|jew|muslim|quaker|buddhist|hindu|christian|atheist|sikh|morning person|cat person|dog person|tea person|coffee person|people person|Capricorn|Aquarius|Pisces|Aries|Taurus|Gemini|Cancer|Leo|Virgo|Libra|Scorpio|Sagittarius|"
    r"labrador|spaniel|poodle|terrier|collie|dachshund|beagle|whippet|greyhound|retriever|bulldog|pug|siamese|persian|tabby|maine coon|ragdoll|bengal|cross|mongrel|rescue|cockapoo|shepherd|husky))\b[^,]*"
    r"|more of an? [\w-]+ person|half[ -][A-Z]\w+|(?:part|one) of (?:the|a|an|two|three|four|five|six|seven) [\w -]+"
    rf"|between (?:jobs|flats|homes|contracts)\b|(?:scared|afraid|terrified|frightened) of [a-z ]+|prone to [a-z ]+|sensitive to [a-z ]+|due (?:on|in|at|back) .*|allowed [a-z\d].*|away (?:from|until|in|on) .*"
    r"|(?:registered|covered|insured|enrolled|signed) (?:with|at|in|on|for|by|as) .*|trained (?:as|in) .*|based (?:in|on|at) .*|made (?:by|in) .*|made redundant|made .* redundant|up (?:in|on|at|for) .*|related to .*"
    rf"|(?:\d+|(?:{_COUNTED})) (?:\w+ ){{0,2}}(?:away(?! from (?:home|finishing))|long|wide|deep|old|tall|high|pregnant|months (?:old|pregnant|in)|years|weeks (?:old|pregnant)|bedrooms?|people|of us|floors)\b.*"
    r"|(?:open|closed|free|available) (?:on|at|from|until|every|till) .*|near (?:the )?[A-Z].*|next (?:to|door to) .*|off (?:work|sick|school|meat|dairy|coffee|alcohol|sugar|caffeine)\b.*|out of (?:contract|warranty|date)\b.*|under (?:warranty|contract|NDA|the)\b.*"
    r"|from a .*|down as .*"
)
#: What a thing does or has done to it that lasts, third person or participle.
_THING_VERBS = word_set(
    """
    takes costs goes comes opens closes starts ends runs lives sits sleeps needs weighs holds uses supports requires
    contains includes expires renews leaves departs arrives rings finishes lasts belongs eats burns drinks stores serves
    exposes listens talks connects depends ships builds deploys returns sends writes reads logs caches retries polls
    meets falls lands happens repeats resets rotates covers allows accepts limits caps retains keeps provides
    faces overlooks measures seats fits charges bills pays works operates handles processes syncs backs imports exports
    take cost go come open close start end run live sit sleep need weigh hold use support require contain include expire
    renew leave depart arrive finish last belong store serve meet fall happen cover allow accept keep pay work
    triggers targets authenticates authorizes
    """
)
_PASSIVES = word_set(
    """
    kept stored handled built serviced written made hosted served insured registered booked parked locked fitted painted
    rented paid funded managed delivered collected cut backed deployed named called set based installed planned located
    divided owned run led taught maintained monitored tested encrypted signed cached generated rotated deleted archived
    imported exported licensed licenced covered charged billed heated powered reviewed sponsored organised organized
    moved replaced converted designed produced supplied connected closed opened published released scheduled pinned
    limited capped protected mounted exposed triggered scraped indexed partitioned sharded replicated validated
    cleaned fed walked looked taken diagnosed born founded used done held fixed rebuilt rewritten redone overseen sent bought brought grown drawn driven worn thrown put shut read hung laid swept sold fed tagged merged configured provided
    """
)
_THING_EVENTS = word_set(
    "failed passed quoted arrived expired landed closed opened started moved raised charged gave sold promoted won"
)
_DETERMINED = word_set("my our the")
#: How no clause about a thing begins.
_NO_THING = NO_NAMES | word_set(
    "i it he she we they you there here this that these those what who how when where why all both some most many one home due his her their its your"
)
_NO_NOUN = word_set("not do does did can could will would may might must should never no")
#: Whose facts are read as somebody's; and what is no thing of one's own.
_SOMEBODY = frozenset([*KIN, *PETS])
_FLEETING = word_set("time life day week mood head mind brain heart point plan idea problem guess question thing hope dream advice answer weekend turn fault bad luck")
_PREPOSITIONS = word_set(
    "on in at with from to by for off up out into about after under over as of through via down round around without against near above below between behind per than"
)
_NO_OBJECT = word_set(
    """
    and or but it that this them those these you your yourself yourselves u him her what how why when where if whether me myself us
    nothing something anything everything everyone someone anyone nobody one so such not never no any some many much
    enough too very lots plenty better worse well fine there here so-called things stuff same like such because each
    lot lots ton tons few bit others
    """
)
#: Where a phrase ends.
_ENDS = lazy(
    r"[;:!?()\[\]…—–\"“”]|,(?! ?\d)|\.(?:\s|$)| - |\s(?:because|cause|but|so|which|who|that|when|whenever|while|if|unless|since (?!\d)|though|although|where|then|"
    r"and (?:I|we|my|our|he|she|it|they|the|now|then|that|there|have|has|is|am|are|was|it's|also)|thanks|please|lol|haha|btw|otherwise|instead|rather|as (?:I|we|it|he|she|they|if)|like (?:I|we|it)|"
    r"at (?:the moment|present|last)|these days|right now|of course|you know|I think|I guess)\b"
)
_ARTICLE = lazy(r"^(?:(?:a|an|the|my|our|his|her|their|its|some|about|around|roughly|this|that) )+", re.IGNORECASE)
#: What a thing's value must have if the thing is nobody's own: a figure, a name, a day.
_SHOWN = lazy(rf"\d|\b[A-Z]|[a-z][A-Z]|\w[-._/]\w|\b(?:{_COUNTED}|noon|midnight|weekly|monthly|yearly|annually|daily|hourly|quarterly)\b")
#: A turn of these is not all meant: overstatement, laughter, make-believe.
_IN_JEST = AnyCase(
    r"\b(?:basically|practically|literally|officially|obviously|clearly|of course|apparently|totally|technically|virtually|essentially|"
    r"at this (?:point|rate)|might as well|i swear|true story|no lie|allegedly|supposedly|according to (?:my|the|his|her|our)|professionally|legally|spiritually|emotionally|"
    r"ask anyone|well, |in the same way|all welcome|since (?:breakfast|lunch|dinner)|(?:don't|do not) (?:have|need) [^.;]*[,;.] (?:i|we) (?:have|need|am|'ve|'m)\b|relationship with (?!my|an?\b|some|the\b|[A-Z])[a-z]+s\b|career mode|fifa|(?:like|than) an? [a-z]+(?=[,.;!]|$)|my (?:retirement|life|five-year|escape) plan|at these prices|that's how|send (?:help|a|an|me|wine|coffee|snacks)|world's|history of|of all time|olympic|champion|professional level|(?:phd|doctorate|degree|master's|diploma|gold medal|qualification) in (?!engineering|nursing|marketing|accounting|computing|teaching|building|printing|planning|dressmaking|banking|fine|training)[a-z]+ing|black belt in (?!karate|judo|taekwondo|aikido|jiu|bjj|kung|krav|six)|semi-professional|(?:no|not a single) (?:guest|body|one) (?:has|ever)|nobody (?:has|ever)|witness protection|bermuda triangle|as everyone knows|judging by|in my head|rent[- ]free|in spirit|at heart|lol|lmao|haha\w*|rofl|hehe|ha ha|joke|joking|jokes|kidding|said (?:no one|nobody)|as the (?:song|saying|joke) goes|"
    r"thousands?|millions?|billions?|trillions?|zillions?|eternity|forever|eternal|imaginary|fictional|character|avatar|guild|quest|campaign|npc|kingdom|empire|galaxy|spaceship|"
    r"imagine|pretend|suppose|if i were|dream|dreamt|dreamed|nightmare|novel|movie|film|sitcom|musical|play-?through|role-?play|pov|dear diary|once upon|sims|minecraft|skyrim|stardew|zelda|"
    r"pokemon|fortnite|dungeons?|monopoly|halloween|costume|fancy dress|horoscope|tarot|fortune|stars say|reincarnat\w+|past life|another life|afterlife|heaven|hell|"
    r"my only (?:friend|hobby|skill|talent|colleague)|full-time job|part-time job of|unofficial|self-appointed|so-called|ceo of|president of|mayor of|king of|queen of|minister of|head of (?:snacks|worrying|naps)|"
    r"married to (?:my|the)|in a (?:relationship|committed)[^.]* with (?:my|the)|survive|survival|spite|despair|sarcasm|denial|existential|dread|vibes|chaos|regrets?|sanity|soul|souls|doom|tears|misery|rage|sheer|pure)\b"
    r"|[\U0001F600-\U0001F64F\U0001F910-\U0001F92F\U0001F970-\U0001F97A\U0001F480\U0001F47B\U0001F921]|/s\b|, sure\b|[;:]-?[)dp](?=\s|$)|\bxd\b|\*[a-z]+s?\*"
)
_TWO = word_set("up off out down in on away back over after through")


@lru_cache(1024)
def in_jest(text: str) -> bool:
    """Whether a turn shows a sign of jest, so that open slots are not read in it."""
    return _IN_JEST.is_in(text)


#: Words that no value contains: of whom one talks to, of denial, of whatever it may be.
_NO_VALUE = word_set("you your yours never not no none nothing nobody nowhere whatever whoever anything anyone everyone everything")


def phrase(text: str, most: int = 8) -> str | None:
    """The phrase at the beginning of a text, without its article."""
    end = _ENDS.search(text)
    found = _ARTICLE.sub("", (text if end is None else text[: end.start()]).strip(" ,.'")).strip()
    found = re.sub(r" (?:now|today|again|already|yet|too|also|though|anyway|though|please|lately|ever)$", "", found)
    words = found.split()
    if not words or len(words) > most or words[0].lower() in _NO_OBJECT:
        return None
    if not _NO_VALUE.isdisjoint(each.lower() for each in words) or found[-1:] == "'":
        return None
    return found


_ADVERBS = word_set("last often sometimes never-ending hard normally ever first soon almost sort kind kinda sorta long ago yesterday today once twice")
_LY = word_set("fly apply reply rely supply multiply imply comply early only family daily weekly monthly")


_SINCE = lazy(
    r",? since (?:(?:last|early|late|mid|the|about|around) )*(?:\d{4}|\w+day|yesterday|(?-i:[A-Z])[a-z]+|week|month|year|spring|summer|autumn|fall|winter|start|beginning|age \d+)\b",
    re.IGNORECASE,
)


def of_verb(core: str, words: list[str], form: str, negated: bool, first: bool, text: str, over: bool = False) -> Open | None:
    """The open slot of what a person does, has or is: the clause behind its subject and auxiliaries."""
    if not negated:
        core = _SINCE.sub("", core)
    while (head := core.partition(" ")[0].lower()) in _ADVERBS or (head.endswith("ly") and head not in _LY):
        core = core.partition(" ")[2]
    rest = core.partition(" ")[2]
    verb = head.strip(",.!;")
    if verb != head:
        rest = ""  # "I used to fence, these days I climb"
    if words[-1:] == ["had"]:
        return None if negated else _event("had", core)
    if words[-1:] == ["did"] and not negated:
        return _event("did", core)
    if negated:
        return _denied(verb, rest, words)
    if form == "be":
        return _is(verb, core, rest, over)
    if form == "have":
        return _has(verb, core, rest, words)
    if words[-1:] in (["do"], ["does"]):
        return _does("do", core, True, text)
    if words[-1:] in (["get"], ["gets"]):
        return _does("get", core, True, text)
    if form == "verb" and (verb in OPENERS or not verb.replace("-", "").isalpha()):
        return None
    if words[-2:] == ["going", "to"] and core[:1].isupper():
        return _slot("going_to", core)
    if any(each in ("can", "must", "will", "going to", "about to", "did", "had", "was", "were") for each in words):
        return None
    return _does(verb, rest, first, text)


#: What one has not done for long is what one does not do.
_UNDONE = {"eaten": "eat", "drunk": "drink", "smoked": "smoke", "touched": "touch", "driven": "drive", "flown": "fly",
           "worn": "wear", "owned": "own", "played": "play", "watched": "watch"}  # fmt: skip
_ABLE = word_set("drive swim cook ride dance sing whistle digest tolerate read type knit ski")


def _denied(verb: str, rest: str, words: list[str]) -> Open | None:
    if words[-1] in ("have", "has", "got") and verb not in _UNDONE:
        return _lacks(f"{verb} {rest}")
    if words[0] in ("have", "has") and verb in _UNDONE and re.search(r"\b(?:since|in|for)\b", rest):
        found = phrase(re.sub(r"^(?:any|a|an) ", "", re.sub(r"\b(?:since|in|for)\b.*", "", rest)), 5)
        return None if found is None else (f"does_not_{_UNDONE[verb]}", found)
    if words[0] == "can" and verb in _ABLE and (not rest or not re.match(r"(?:you|it|that|this|because|today|now|tonight|him|her)\b", rest)):
        return ("can_not", f"{verb} {phrase(rest, 4) or ''}".strip())
    if verb not in _NOT_DONE or words[0] in ("can", "must", "did", "had") or (words[0] == "will" and verb != "allow"):
        return None
    if not rest:
        return ("does_not", verb)
    found = phrase(re.sub(r"^(?:any|a lot of|much) ", "", rest), 6)
    return None if found is None else (f"does_not_{verb}", found)


#: What one has stopped doing.
_STOPPED = {"eating": "eats", "drinking": "drinks", "smoking": "smokes", "taking": "takes", "using": "uses",
            "buying": "buys", "going": "goes", "playing": "plays", "watching": "watches", "wearing": "wears",
            "cycling": "cycles", "running": "runs", "driving": "drives", "paying": "pays"}  # fmt: skip


def _is(verb: str, core: str, rest: str, over: bool = False) -> Open | None:
    if verb in _STOPPED and over:
        return _slot(_STOPPED[verb], rest)
    if verb.endswith("ing"):
        wanted = _DOING_WITH.get(verb)
        if verb not in _DOING or (wanted is not None and wanted.match(rest) is None):
            return ("expecting", "a baby") if verb == "expecting" and not rest.strip(" .!") else None
        return _slot(verb, rest)
    end = _ENDS.search(core)
    said = (core if end is None else core[: end.start()]).strip(" .,")
    if said.lower() in _BEING or (said.split() and said.split()[0].lower() in _BEING and len(said.split()) < 8):
        return ("is", said)
    found = _DESCRIBES.match(said) if _IS.match(said) is not None else None
    if found is None or len(said.split()) > 9 or re.search(r"\b(?:you|your|it|this|that)\b", said):
        return None
    first, _, behind = said.partition(" ")
    if first in ("on", "in", "at", "with", "from", "off", "near"):
        value = phrase(behind, 9)
        return None if value is None else (f"is_{first}", value)
    return "is", _ARTICLE.sub("", said)


_CLAUSE = lazy(r"(?:when|after|before|last|in|two|three|four|five|\d+|a|years|back|[.,;!])\b")
_PARTICIPLE = lazy(r"(?:\w{2,}ed|broken|torn|rewritten|won|chosen|begun|gotten|taken|had|lost|bought|built|paid|caught|learnt|sold|made|left|met|been|seen|done|gone|come|become|got)\b", re.IGNORECASE)  # fmt: skip
_HAD = lazy(
    r"(?:an?|two|three|four|five|six|seven|eight|nine|ten|twin|\d[\d.,]*)\b|(?:our|the|my) [a-z]+ (?:\w+ed|done|cut) |[a-z]+(?: [a-z]+)? (?:for breakfast|for lunch|for dinner|every|on|twice|once|delivered|collected)\b"
)
#: What one has and is no fact: thoughts, moments, feelings.
_NOT_HAD = word_set(
    """
    idea problem question feeling time chance look laugh point plan fun doubt issue thought hope luck trouble choice news
    call clue favour favor word dream suspicion habit minute second moment lot bit few couple bunch ton way right go try
    guess soft good great terrible nice lovely rough long hard blast weird strange busy crazy hectic wonderful
    quick little stupid silly confession theory request suggestion bone say preference need tendency reason cold
    headache hangover crush mind heart life day week weekend morning night evening meeting break rest nap drink coffee
    conversation chat talk argument fight fit meltdown hunch mountain pile million thousand hundred knack sense
    one picture photo pic video surprise secret story opinion concern worry fear complaint bug error pleasure honour honor privilege relationship job answer preference details info
    information word words update access problems questions plans feelings thoughts ideas
    role baby boyfriend girlfriend
    """
)


def _has(verb: str, core: str, rest: str, words: list[str]) -> Open | None:
    if words[-1] in ("have", "has") and _PARTICIPLE.match(core) is not None and verb != "twin":
        if verb in ("been", "seen", "done", "gone", "come", "become", "made", "met", "left"):
            return None
        return _event(_PERFECT.get(verb, verb), rest)
    if words[-1] == "got" and _EVENT_WITH["got"].match(core):
        return _event("got", core)
    if words[-1] == "had":
        return None
    if core.startswith("no "):
        return _lacks(core[3:])
    if core.startswith("to "):
        return _has_to(core[3:])
    if _HAD.match(core) is None:
        return None
    found = phrase(core, 8)
    if found is None:
        return None
    said = found.lower().split()
    if said[0] in _NOT_HAD or said[-1] in _NOT_HAD or (len(said) > 1 and said[1] in _NOT_HAD) or said[-1] in _PREPOSITIONS:
        return None
    if re.search(r" (?:called|named|whose)\b", found) or re.match(rf"{re.escape(found)}: [a-z]", core.partition(" ")[2]):
        return None
    if said[-1] in ("today", "tomorrow", "tonight") or " to " in found and re.search(r" to (?!the |[A-Z])[a-z]+", found):
        return None
    return ("has", found)


_ALONE_EVENTS = word_set("divorced retired graduated separated emigrated qualified remarried")


def _lacks(rest: str) -> Open | None:
    """What one does not have, unless that is a thought or a moment."""
    found = phrase(re.sub(r"^(?:any|an?|much|many) ", "", rest), 4)
    if found is None or not _NOT_HAD.isdisjoint(found.lower().split()) or " to " in rest.split(",")[0]:
        return None
    return "does_not_have", found


_NEEDED = word_set("wear take use follow avoid inject carry wash charge share pay report")


def _has_to(rest: str) -> Open | None:
    """What one has to do again and again: "I have to wear a brace at night"."""
    verb, _, behind = rest.partition(" ")
    if verb not in _NEEDED:
        return None
    found = phrase(behind)
    return None if found is None else (f"has_to_{verb}", found)


def _event(verb: str, rest: str) -> Open | None:
    if verb not in _EVENTS:
        return None
    if verb in _ALONE_EVENTS and (not rest or _CLAUSE.match(rest)):
        return ("is", verb)
    wanted = _EVENT_WITH.get(verb)
    if wanted is not None and wanted.match(rest) is None:
        return None
    return _slot(verb, rest)


def _does(verb: str, rest: str, base: bool, text: str) -> Open | None:
    if base:
        lemma = verb
    elif verb.endswith("s") and not verb.endswith("ss"):
        lemma = _lemma(verb)
    else:
        lemma = verb
    if verb in _EVENTS and (verb != lemma or verb.endswith("ed") or verb in _EVENT_WITH):
        return _event(verb, rest)
    if not base and lemma == verb:
        return None
    if verb.endswith("ed") and verb not in ("need", "feed", "breed", "speed", "bleed", "shed", "embed", "seed"):
        return None
    if verb in _PAST or (verb.endswith("ing") and verb not in ("sing", "bring", "ring", "string", "ping")):
        return None
    if not rest.strip(" .!"):
        return ("does", lemma) if lemma in _ALONE else None
    if lemma in _STANCE:
        return None
    if lemma in _MOMENTARY and not _HABIT.is_in(text):
        wanted = _WITH.get(lemma)
        if wanted is None or wanted.match(rest) is None:
            return None
    return _slot(_third(lemma), rest)


#: Pasts that do not end in "ed" and are no present.
_PAST = word_set(
    """
    went saw came took gave made said told thought knew found felt heard kept left met sat stood ran won lost sent spent
    built bought brought caught taught fought sought slept wept swept crept dealt meant dreamt learnt burnt wrote rode
    drove rose spoke broke woke stole chose froze wore tore swore bore flew grew threw blew drew began drank sang swam
    rang sank shrank ate fell held hung hid bit lit shot slid stuck struck swung became forgot forgave understood was
    were had did got could would should might paid laid led fed bled bred sped
    """
)


def _lemma(verb: str) -> str:
    """The plain form of a verb in the third person."""
    if verb in ("has", "does", "goes"):
        return {"has": "have", "does": "do", "goes": "go"}[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zes")):
        return verb[:-2]
    return verb[:-1]


def _third(verb: str) -> str:
    """A verb in the third person: how predicates are written."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("ch", "sh", "ss", "x", "z")) else "s")


#: Predicates that rules name, which want a value of their kind.
_NAMED = frozenset(["works_at", "works_for", "lives_in", "studies_at", "moves_to", "comes_from"])


def _slot(verb: str, rest: str) -> Open | None:
    """The predicate with its particle or preposition, and the value."""
    first, _, behind = rest.partition(" ")
    if first in _TWO and behind.partition(" ")[0] in _PREPOSITIONS:
        second, _, behind = behind.partition(" ")
        verb, rest = f"{verb}_{first}_{second}", behind
    elif first in _PREPOSITIONS and behind:
        verb, rest = f"{verb}_{first}", behind
    if verb in _NAMED:
        return None  # its own rule did not take it
    found = phrase(rest)
    if found is None and re.match(r"with (?:us|me|him|her|them)\b", f"{first} {behind}"):
        return verb.removesuffix("_with"), f"with {_ENDS.split(behind)[0].strip(' .,!')}"
    if found is None or found.split()[0].lower() in ("to", "ing"):
        return None
    return verb, found


def is_event(predicate: str) -> bool:
    """Whether a predicate tells what happened once and stays so."""
    return predicate.partition("_")[0] in _EVENTS or not _EVENTS.isdisjoint(predicate.split("_")[1:2])


#: Where a thing of one's own is; what such phrases say of its state instead.
_WHERE = word_set("behind opposite above below beside near next under in on at by between inside outside across against around with")
_STATE = lazy(
    r"(?:in|on|at|by|with|under|out|around|next) (?:(?:a|an|the|its|my|their|such|total|complete|full|bad|good|great|poor|perfect|terrible) )*(?:mess|bits|pieces|trouble|last legs|fire|hold|way|edge|moment|same|control|risk|mind|order|"
    r"state|shape|ruins|shambles|danger|point|progress|wash|blink|fritz|move|rocks|cards|table|agenda|time|track|schedule|corner|all|me|you|us|it|that|this|there|place|shock|pain|need|demand|doubt|question|stake|odds|best|worst|roof|brink|verge|rise|up|top)\b"
)
#: What kind a home, a street or a car is, in a word.
_KIND = lazy(
    r"an? (?:[a-z-]+ ){0,2}?(?:hybrid|estate|convertible|automatic|diesel|hatchback|saloon|pickup|van|minivan|campervan|bungalow|terrace|semi|maisonette|studio|houseboat|cottage|duplex|loft|barn|dead end|"
    r"cul-de-sac|one-way street|monorepo|monolith|startup|start-up|charity|nonprofit|cooperative|co-op|partnership|rental|sublet|drive)\b(?=[.,;!]|$)"
)
_MEDICINE = lazy(rf"(?:{MEDICINES})\b")
#: "a steel Genesis tourer"
_MAKE = lazy(r"an? (?:(?!called|named)[a-z-]+ ){1,2}[A-Z][\w-]+(?: [A-Za-z\d][\w-]*){0,2}(?=[.,;!]|$)")


def of_thing(clause: str) -> tuple[str, str, str, str] | None:
    """Whose ("my", "our", "the", ""), which thing, the predicate and the value of a clause about a thing."""
    words = clause.split(" ", 9)
    whose = words[0].lower()
    if whose not in _DETERMINED:
        if not words[0][:1].isupper() or not words[0].isalpha() or whose in _NO_THING:
            return None
        whose, at = "", 1
    else:
        at = 2
    last = at + 4
    for n in range(at, len(words) - 1):
        if n >= last:
            return None
        if words[n] in ("on", "of", "for", "with", "from") and n > at - 1 and last == at + 4:
            last = n + 4  # "the lease on the car"
            continue
        verb = words[n]
        if words[n - 1] in _PREPOSITIONS or words[n - 1] in _DETERMINED:
            continue
        if verb in ("gets", "get"):
            verb = "is"
        if verb in ("is", "are", "was", "were", "has", "have") or verb in _THING_VERBS or verb in _THING_EVENTS:
            thing = " ".join(words[(0 if whose == "" else 1) : n])
            return _of_thing(whose, thing, verb, " ".join(words[n + 1 :]))
        if words[n][-1:] in ",;:" or words[n] in _NO_NOUN:
            return None
        if words[n] in ("I", "we", "and", "or", "that", "which", "who", "to"):
            return None
    return None


def _of_thing(whose: str, thing: str, verb: str, rest: str) -> tuple[str, str, str, str] | None:
    first, _, behind = rest.partition(" ")
    if first in ("not", "never", "no", "being"):
        return None
    own = whose in ("my", "our")
    head = thing.rpartition(" ")[2].lower()
    if not _SOMEBODY.isdisjoint(re.split("[ '-]", thing.lower())) or thing.endswith(("'s", "'")) or head in _FLEETING:
        return None
    found: Open | None = None
    if verb in ("is", "are", "was", "were", "has", "have"):
        if verb in ("has", "have"):
            if first != "been" and (own or whose == "the") and _HAD.match(rest):
                found = _has("", rest, "", ["have"])
            elif first == "been" and behind:
                first, _, behind = behind.partition(" ")
                found = _slot(first, behind) if first in _PASSIVES and behind else None
        elif behind and (first in _PASSIVES or (first.endswith("ed") and (_SHOWN.search(behind) or _HABIT.is_in(behind)))):
            found = _slot(first, behind)
        elif verb in ("is", "are"):
            colour = _COLOUR.match(rest.strip(" .!,")) if own else None
            if colour is not None:
                return whose, thing, "", colour.group()
            kind = (_KIND.match(rest) or _MAKE.match(rest) or _MEDICINE.match(rest)) if own else None
            if kind is not None:
                return whose, thing, "", _ARTICLE.sub("", kind.group()).strip()
            found = _is(first.lower(), rest, behind)
            if found is not None and found[0].endswith("ing"):
                found = None
            if found is None and whose == "the" and first == "in" and behind[:1].isupper():
                found = _slot("is", rest)
            if found is None and own and first in _WHERE and _STATE.match(rest) is None:
                value = phrase(behind, 6)
                found = None if value is None else (f"is_{first}", value)
    elif verb in _THING_EVENTS:
        if first in ("me", "us"):
            rest = behind
        found = _slot(verb, rest)
        if found is not None and whose == "":
            found = None
    else:
        found = _slot(verb if verb.endswith("s") else _third(verb), rest)
    if found is None or not (own or _SHOWN.search(found[1]) or _HABIT.is_in(found[1])):
        return None
    return whose, thing, found[0], found[1]
