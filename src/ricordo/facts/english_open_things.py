"""What an English clause states of a thing in a slot of its own: "the lease ends in May", "my desk faces the window"."""

from __future__ import annotations

import re

from ricordo.facts import english_lasting as lasting
from ricordo.facts.english_open import ARTICLE, PREPOSITIONS, Open, complement, phrase, possession, slot, third
from ricordo.facts.values import MEDICINES
from ricordo.text import lazy
from ricordo.text.english import KIN, NO_NAMES, PETS, word_set

_COLORS = (
    "red|blue|green|yellow|black|white|grey|gray|brown|orange|purple|pink|silver|gold|blonde|blond|ginger|hazel|beige|navy|turquoise|"
    "auburn|cream|tabby|tortoiseshell|curly|straight|wavy|bald|electric|diesel|hybrid|automatic|manual"
)
_MATERIALS = "gold|silver|oak|pine|walnut|leather|wool|cotton|linen|steel|titanium|carbon|aluminium|aluminum|wooden|plastic|ceramic|brass|copper|suede|velvet|vinyl|marble|granite|concrete|varifocals|bifocals"
_COLOR = lazy(
    rf"(?:(?:dark|light|bright|naturally|pale|navy|bottle) )*(?:{_COLORS}|(?:white |rose |yellow )?(?:{_MATERIALS}))\b(?: and (?:{_COLORS})\b)?$"
)
#: What a thing does or has done to it that lasts, third person or participle.
THING_VERBS = word_set(
    """
    takes costs goes comes opens closes starts ends runs lives sits sleeps needs weighs holds uses supports requires
    contains includes expires renews leaves departs arrives rings finishes lasts belongs eats burns drinks stores serves
    exposes listens talks connects depends ships builds deploys returns sends writes reads logs caches retries polls
    meets falls lands happens repeats resets rotates covers allows accepts limits caps retains keeps provides
    faces overlooks measures seats fits charges bills pays works operates handles processes syncs backs imports exports
    take cost go come open close start end run live sit sleep need weigh hold use support require contain include expire
    renew leave depart arrive finish last belong store serve meet fall happen cover allow accept keep pay work
    stays stay triggers targets authenticates authorizes
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
    "cost failed passed quoted arrived expired landed closed opened started moved raised charged gave sold promoted won"
)
#: What is told in figures: "council tax costs us 180".
_IN_FIGURES = frozenset(["runs", "cost", "costs", "takes", "charges", "pays", "saves", "earns", "gives"])
#: What happens by mishap, and words that only end like verbs.
_NOT_LASTING = word_set("us this its his hers as fails breaks crashes dies hangs stops")
_DETERMINED = word_set("my our the")
#: How no clause about a thing begins.
_NO_THING = NO_NAMES | word_set(
    "i it he she we they you there here this that these those what who how when where why all both some most many one home due his her their its your"
)
_NO_NOUN = word_set("not do does did can could will would may might must should never no")
#: People and pets, whose facts other rules read; and things that state no fact about their owner.
_SOMEBODY = frozenset([*KIN, *PETS])
_FLEETING = word_set(
    "plot story scene chapter screenplay time life day week mood head mind brain heart point plan idea problem guess question thing hope dream advice answer weekend turn fault bad luck"
)
#: What one does not have, or not any more: "my dream kitchen has two ovens".
_NOT_REAL = word_set("dream ideal perfect fantasy imaginary virtual fictional future former previous ex")
_FOR_SO_LONG = lazy(rf"for (?:\d+|{lasting.COUNTED}) (?:hours?|years?|months?|weeks?|days?|people|nights?)")
#: What a thing's value must have if the thing is nobody's own: a figure, a name, a day.
_SHOWN = lazy(
    rf"\d|\b[A-Z]|[a-z][A-Z]|\w[-._/]\w|\b(?:{lasting.COUNTED}|noon|midnight|weekly|monthly|yearly|annually|daily|hourly|quarterly)\b"
)
#: Of which there is one for whoever speaks: "the nearest station is Hassocks".
_ONLY_ONE = word_set("nearest closest local usual main current next")
#: What a thing is only in jest.
_OF_PEOPLE = lazy(
    r"on (?:[a-z]+ )?(?:diet|leave|holiday|sabbatical|medication|antibiotics|benefits|probation|dialysis|strike|crutches)\b|in (?:therapy|love|recovery|rehab|mourning|denial|menopause)\b|"
    r"(?:retired|pregnant|married|divorced|single|vegan|vegetarian|teetotal|autistic|introverted|claustrophobic|afraid|scared|terrified)\b"
)
#: Where a thing of one's own is; what such phrases say of its state instead.
_WHERE = word_set(
    "behind opposite above below beside near next under in on at by between inside outside across against around with"
)
#: Where one keeps things: "the spare key is under the blue flowerpot".
_AT_HOME = lazy(
    r"(?:the|my|our) (?:[a-z-]+ ){0,2}?(?:cupboard|drawer|shelf|garage|shed|cellar|attic|loft|hall|hallway|kitchen|bathroom|bedroom|flowerpot|pot|mat|doormat|box|fridge|freezer|garden|wardrobe|desk|stairs|boot|glovebox|safe|brick|bin|porch|utility room|"
    r"basement|pantry|larder|study|toolbox|bag|mantelpiece|windowsill|tap|rack|hook)\b"
)
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
_MAKE = lazy(
    r"(?:an?|the) (?:(?!called|named)[a-z-]+ ){1,2}[A-Z][\w-]+(?: [A-Za-z\d][\w-]*){0,2}(?=[.,;!]|$| (?:with|in the)\b)"
)


#: "My glasses are minus four", "my hours are nine to five"
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|half|minus|point|\d[\d.,]*)"
_FIGURE = lazy(
    rf"(?:(?:minus|about|around) )?{_NUMBER}(?:[- ](?:to |and )?{_NUMBER})*(?= (?:in|on|for|a|per|each) |[.,;!]|$)"
)
#: What is told of a thing whose owner everybody there knows: when it is, or what by its name it is with.
_KNOWN = lazy(
    r"(?:(?:every|each|the|on|at|in|early|late|mid-|last|first|second|third|fourth|alternate|other) )*(?:(?:first|last|\d+(?:st|nd|rd|th)) (?:day )?of (?:the|each|every) (?:month|week|quarter)|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:19|20)\d\d)\b|\d{1,2}(?:[:.]\d\d|(?:st|nd|rd|th)\b| ?[ap]m\b)|"
    r"(?:every|each) \w|(?:on |off |up )?at (?:half )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|(?:at )?(?:\d{1,2}|[a-z]+) (?:past|to) (?:every|each)\b|[a-z]*[A-Z][\w.&'-]+(?: [A-Z\d][\w.&'-]*){0,3}(?=$| (?:at|in|on|by|until|for) ))"
)


#: What counts, by the verb's own word: "the cluster has six nodes", "the van seats seven".
_COUNTING = lazy(r"(?:has|have|seats|holds|pays|fits|charges|costs?|takes|weighs|lasts)$")
_COUNT = lazy(rf"(?:\d[\d.,]*|{lasting.COUNTED})\b")


#: "up for renewal on 2 July"
_UNTIL = lazy(
    r" (?:on|by|until|in|from) (?:the )?(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|^every [a-z]|^\d{1,2}(?:st|nd|rd|th) of "
)


#: "in Victoria studying marine biology": what somebody does where they are.
_DOING_THERE = lazy(r"(?<=\w) [a-z]{2,}ing [a-z].*$")
_ORDINAL = lazy(r"(?:first|second|last|\d{1,2}(?:st|nd|rd|th))\b")
_CLOCK = lazy(
    r"(?:half |quarter )?(?:past )?(?:\d{1,2}\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
)


def is_known(predicate: str, value: str) -> bool:
    """Whether a value tells enough of a thing without an owner, such as "the bins"."""
    if (
        predicate in ("is_for", "called", "named")
        or (predicate.endswith(("_at", "_until", "_from")) and _CLOCK.match(value))
        or (predicate.endswith(("s_at", "_after", "_up_to")) and _COUNT.match(value))
        or (predicate.endswith("_on") and _ORDINAL.match(value))
        or (predicate.endswith("_by") and not value.islower())
        or (predicate.startswith("is_") and _AT_HOME.match(f"the {value}"))
        or _UNTIL.search(value)
    ):
        return True
    counts = _COUNTING.match(predicate) is not None and _COUNT.match(value) is not None
    return counts or _KNOWN.match(value) is not None


_PARENTS = frozenset(f"{each}'s" for each in ("Mum", "Mom", "Dad", "Gran", "Grandma", "Grandpa", "Grandad", "Nan"))
#: "my brother's wife": whose it is, of whom the thing is told.
_WHOSE = lazy(r"\b[a-z-]+'s (?=[a-z])")
_BE = frozenset(["is", "are", "was", "were", "has", "have"])
_BE_OR_GET = _BE | {"get", "gets"}
_IS_BEHIND = lazy(r"[^,.;:!?]* (?:is|are|was|were) (?!.*\b(?:that|which|who|when|where|because)\b)")


def halves(clause: str) -> list[str]:
    """A clause with two verbs of one thing as two: "It reads from Kafka and writes Parquet"."""
    for match in _AND_VERB.finditer(clause):
        first = next((n for n, word in enumerate(clause.split()) if word in THING_VERBS), 0)
        if match["verb"] in THING_VERBS and first:
            thing = " ".join(clause.split()[:first])
            return [clause[: match.start()], f"{thing} {clause[match.start('verb') :]}"]
    return [clause]


_AND_VERB = lazy(r" and (?P<verb>[a-z]+s)(?= )")


def of_thing(clause: str) -> tuple[str, str, str, str] | None:
    """Whose ("my", "our", "the", ""), which thing, the predicate and the value of a clause about a thing."""
    words = clause.split(" ", 9)
    if words[0] in _PARENTS:
        words = ["My", *words]  # "Mum's hip was replaced"
    whose = words[0].lower()
    if (
        whose not in _DETERMINED
        and words[0].islower()
        and words[0].endswith("s")
        and words[1:2]
        and words[1] in THING_VERBS
    ):
        words = ["the", *words] if _is_timed(words[2:]) else words  # "House rules: bins go out on Thursdays"
        whose = words[0]
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
        if words[n] == "to" and n >= at and words[n + 1] in _DETERMINED and last == at + 4:
            last = n + 4  # "the tram to the hospital"
            continue
        verb = words[n]
        if words[n - 1] in PREPOSITIONS or words[n - 1] in _DETERMINED:
            continue
        if verb not in _BE and words[n + 1] in _BE_OR_GET:
            continue  # "Linode boxes are switched off": a noun
        if verb in ("gets", "get"):
            if not (words[n + 1].endswith("ed") or words[n + 1] in _PASSIVES):
                return None  # "my train gets in at seven"
            verb = "is"
        if (
            verb in ("is", "are", "was", "were", "has", "have")
            or (verb in THING_VERBS and (verb.endswith("s") or words[n - 1].endswith("s")))
            or verb in _THING_EVENTS
            or (verb.endswith("s") and verb not in _NOT_LASTING and n > at - 1 and _is_timed(words[n + 1 :]))
            or (
                words[n - 1].endswith("s")
                and words[n - 1] not in _BE
                and n > at
                and verb.isalpha()
                and verb.islower()
                and lasting.TIMED.match(" ".join(words[n + 1 :]))
            )
        ):
            if verb not in _BE and _IS_BEHIND.match(" ".join(words[n + 1 :])):
                continue  # "Cronometer targets for May are updated": a noun
            thing = " ".join(words[(0 if whose == "" else 1) : n])
            return _of_thing(whose, thing, verb, " ".join(words[n + 1 :]))
        if words[n][-1:] in ",;:" or words[n] in _NO_NOUN:
            return None
        if words[n] in ("I", "we", "you", "it", "they", "and", "or", "that", "which", "who", "to"):
            return None
    return None


def _is_timed(words: list[str]) -> bool:
    """Whether these tell when, at once or behind an object: "every winter", "four pints on Saturdays"."""
    object_of = next((n for n, word in enumerate(words) if not (word.islower() or word.isdigit())), len(words))
    return any(lasting.TIMED.match(" ".join(words[n:])) is not None for n in range(min(4, object_of + 1, len(words))))


def _of_thing(whose: str, thing: str, verb: str, rest: str) -> tuple[str, str, str, str] | None:
    first, _, behind = rest.partition(" ")
    if first in ("not", "never", "no", "being"):
        return None
    own = whose in ("my", "our")
    if "," in thing or thing.partition(" ")[0].lower() in _NOT_REAL:
        return None
    head = thing.rpartition(" ")[2].lower()
    if (
        not _SOMEBODY.isdisjoint(re.split("[ -]", _WHOSE.sub("", thing.lower())))
        or thing.endswith(("'s", "'"))
        or head in _FLEETING
    ):
        return None
    found: Open | None = None
    if verb in ("is", "are", "was", "were", "has", "have"):
        if verb in ("has", "have"):
            counted = whose == "" and _COUNT.match(rest)
            if first != "been" and (own or whose == "the" or counted) and lasting.HAD.match(rest):
                found = possession("", rest, "", ["have"])
            elif first == "been" and behind:
                first, _, behind = behind.partition(" ")
                found = slot(first, behind) if first in _PASSIVES and behind else None
            elif own and lasting.PARTICIPLE.match(first) and behind[:1].isdigit():
                found = slot(first, behind)
        elif behind and (
            first in _PASSIVES
            or (
                (first.endswith("ed") or lasting.PARTICIPLE.fullmatch(first))
                and first not in lasting.OF_MIND
                and (_SHOWN.search(behind) or lasting.HABIT.is_in(behind))
            )
        ):
            found = slot(first, behind)
        elif verb in ("is", "are"):
            color = _COLOR.match(rest.strip(" .!,")) if own else None
            if color is not None:
                return whose, thing, "" if head in ("color", "colour") else "color", color.group()
            kind = (_KIND.match(rest) or _MAKE.match(rest) or _MEDICINE.match(rest)) if own else None
            if kind is not None:
                return whose, thing, "", ARTICLE.sub("", kind.group()).strip()
            figure = _FIGURE.match(rest) if own else None
            if figure is not None:
                return whose, thing, "", figure.group()
            if _FOR_SO_LONG.match(rest):
                return whose, thing, "is_for", phrase(behind, 4) or behind
            if thing.partition(" ")[0] in _ONLY_ONE and first[:1].isupper():
                value = phrase(rest, 4)
                return None if value is None else ("our", thing, "", value)
            if _OF_PEOPLE.match(rest):
                return None  # "my wallet is on a diet"
            found = complement(first.lower(), rest, behind)
            if found is not None and found[0].endswith("ing"):
                found = None
            if found is not None and found[0] in ("is_in", "is_at"):
                found = found[0], _DOING_THERE.sub("", found[1])
            if first in ("coming", "arriving") and lasting.TIMED.match(behind):
                found = slot(first, behind)
            if found is None and whose in ("the", "") and first == "in" and behind[:1].upper() == behind[:1]:
                found = slot("is", _DOING_THERE.sub("", rest))
            at_home = whose == "the" and _AT_HOME.match(behind) is not None
            if (at_home or (found is None and own)) and first in _WHERE and _STATE.match(rest) is None:
                value = phrase(behind, 6)
                found = None if value is None else (f"is_{first}", value)
    elif verb in _THING_EVENTS:
        found = slot(verb, behind if first in ("me", "us") else rest)
        if found is not None and whose == "":
            found = None
    else:
        rest = behind if first in ("me", "us") and verb in _IN_FIGURES else rest
        found = slot(verb if verb.endswith("s") else third(verb), rest, thing=own)
    tool = found is not None and re.search(r"_(?:with|by|via)$", found[0]) and len(found[1].split()) == 1
    at_home = whose == "the" and first in _WHERE and _AT_HOME.match(behind) is not None
    called = found is not None and found[0] in ("called", "named") and len(found[1].split()) < 3
    if found is None or not (
        own or tool or called or at_home or _SHOWN.search(found[1]) or lasting.HABIT.is_in(found[1])
    ):
        return None
    return whose, thing, found[0], found[1]
