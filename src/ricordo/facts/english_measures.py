"""What things of an English clause measure, when they happen, who or what fills a place: "Max upload is 50 MB", "The
wedding is on 20 September", "Storage is S3"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.facts import values
from ricordo.facts.english_things import MOODS, attribute_predicate
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.text import any_of, lazy
from ricordo.text.attributes import ATTRIBUTES
from ricordo.text.english import KIN, NO_NAMES, PETS, word_set
from ricordo.text.plain import plain_english

_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?:19|20)\d\d)?"
_DATE = (
    rf"(?:(?:the )?{_NUMBER}(?: (?:to|until|-|–) {_NUMBER})? (?:of )?{_MONTH}{_YEAR}|{_MONTH} {_NUMBER}\b{_YEAR}"
    r"|(?:19|20)\d\d-\d\d-\d\d|the \d{1,2}(?:st|nd|rd|th)\b|(?:the )?end of (?:January|February|March|April|May|June|July|August|September|October|November|December))"
)
_TIME = r"(?:\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m|noon|midnight|(?:half|quarter|ten|twenty|five) (?:past|to) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|half (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
_COUNTED = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety"
_UNIT = (
    r"(?:%|percent|per cent|ms|s|secs?|seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|[kKMGT]i?B|gigs?|"
    r"bytes?|bits?|km|miles?|meters?|metres?|m|cm|mm|kg|kilos?|g|lbs?|euros?|dollars?|pounds?|kroner|kronor|francs?|grand|quid|"
    r"requests?|calls?|users?|customers?|books?|items?|rows?|records?|files?|seats?|people|members?|tokens?|points?|"
    r"watts?|volts?|mph|km/h|kph|kWh|kW|mAh|Ah|psi|[mM]bps|Gbps|dB|k?Hz|[MG]Hz|kcal|cores?|nodes?|instances?|replicas?|pages?|characters?|lines?|commits?|tests?|rps|qps|fps|bpm|milligrams?|micrograms?|mg|ml|l)"
)
#: A figure with what it counts, or alone at the end of what is said.
_MEASURE = lazy(
    rf"(?P<value>(?:\d{{2,3}} over \d{{2,3}}|\+\d[\d ()/-]{{6,}}\d|[$€£] ?\d[\d.,]*[kKmM]?|v?\d+(?:[.,:]\d+)*[kKmM]?(?: ?{_UNIT}\b| ?%)?|(?:{_COUNTED}) {_UNIT}\b)"
    rf"(?: (?:a|an|per|each) (?:\w+(?: per \w+)?)|/\w+)?)(?=$|[.!;,)](?!\d)| (?:and|but|for|on|in|at|with|per|up|down|from|since|so|which|because|if|max|as of|until|of uptime|uptime|each|total)\b)"
)
_WORD = r"[\w/+#'-]+(?:\.[\w]+)*"
_THING = rf"(?:(?:[Tt]he|[Oo]ur|[Mm]y) )?(?P<thing>{_WORD}(?: {_WORD}){{0,4}}?)"
_IS_AT = (
    rf"^{_THING} (?:stands at|sits at|is set to|is capped at|is limited to|are limited to|is|are) "
    r"(?:at |down to |up to |around |about |roughly )?"
)
_IS = lazy(rf"{_IS_AT}(?P<rest>.+)")
_HAPPENS = lazy(
    rf"^{_THING} (?P<verb>is|are|leaves?|departs?|starts?|begins?|ends?|finishes|ships?|opens?|closes?|expires?|runs out|kicks off|comes|come|arrives?|resumes?|lands?|launches|takes place|"
    rf"happens|goes live|is due|are due|is scheduled for|is planned for|is set for|moves|is moving|is)(?: (?:on|by|from|for|to|in))?(?: [A-Z][a-z]+day,?)? (?P<value>{_DATE})"
    rf"(?:,? (?:at )?(?P<time>{_TIME}))?(?=$|[.,;!)]| (?:at|in|and|but|so|with|for|now|no|until|to|next|away|home|against|versus)\b)"
)
_AT_TIME = lazy(
    rf"^{_THING} (?:moves|is moving|moved|starts|begins|runs|run|is|are|happens)(?: every \w+)?(?: (?:to|at))+ (?P<value>{_TIME})(?=$|[.,;! ])"
)
_PLANNED = lazy(
    rf"^(?:I am|[Ww]e are) (?:planning|having|throwing|hosting|holding|organising|organizing) (?:an?|the|our|my) (?P<thing>[a-z]+(?: [a-z]+)?)(?: [^.;!?]*?)? on (?P<value>{_DATE})"
)
_BARE = lazy(r"^(?P<thing>[A-Z]?[\w-]+(?: [a-z]+){0,3}) (?P<rest>[$€£]?\d.*)$")
#: What is named small and has a day of its own.
_KINDS = "(?:[a-z]+ )?(?:[a-z]{2,}(?:tist|pist|rist|gist|cian|tian)|physio|gp|exam|appointment|appt|interview|meeting|party|wedding|viewing|delivery|flight|concert|gig|demo|launch|deadline|scan|surgery|checkup|check-up|haircut|funeral|rehearsal|match|race|final|finals|trip|inspection|audit|review|webinar|workshop)"
_ON_DAY = lazy(
    rf"^(?P<thing>[A-Z][a-z]{{2,}}(?: [a-z]+)?|{_KINDS}) on (?P<value>{_DATE})(?=$|[.;!)]|,? (?:at|in|with|and)\b)"
)
#: "Standup is at 9:40, retro every second Friday"
_EVERY = lazy(
    r"^(?P<thing>(?!an? )[a-z]+(?: [a-z]+)?) (?P<value>every (?:second |other |third )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?=[.,;!]|$)"
)
_COUNT = lazy(
    r"^(?:[Ww]e (?:have|are at) )?(?P<value>\d[\d.,]*[kK]?) (?P<item>users|signups|sign-ups|customers|subscribers|downloads|members|stars|installs|followers|tenants)\b"
)
_IN = lazy(
    r"^(?:[Tt]he |[Oo]ur )?(?P<thing>[A-Z]{2,}|[A-Z]?[a-z]+(?: [a-z]+)?) (?:in|on) (?P<value>(?:Python|Go|Rust|Java|Kotlin|Swift|SwiftUI|TypeScript|JavaScript|Ruby|Elixir|Scala|PHP|Vue|React|Svelte|Angular|Flutter|Django|Rails|Postgres|Redis)(?: \d[\w.]*)?|[A-Z][a-z]+[A-Z]\w*|[A-Z]\w*\.[a-z]{2}\b)(?=$|[.,;]| with\b| and\b)"
)
_VERBS = word_set("live lives run runs sit sits stored written built works made hosted based done keep")
_RATES = word_set(
    "rate latency score coverage size uptime retention limit budget price timeout interval weight pressure count total average cost fee rent quota"
)
_PORT = lazy(rf"^{_THING} (?:listens?|runs?|is|are|is running|is listening|answers?) on port (?P<value>\d{{2,5}})\b")
_SHARE = lazy(
    rf"^{_THING} (?:gets?|has|have) (?:an?|the) (?P<attribute>[a-z]+(?: [a-z]+)?) of (?P<value>\d[\d.,]*(?: ?{_UNIT}\b)?)"
)
#: What one named thing or person at a time is, in a project or a household, besides the attributes.
_SLOTS = ATTRIBUTES | word_set(
    """
    monitoring storage broker gateway logging hosting search auth authentication orm bundler tracker registry proxy cdn
    mailer scheduler dashboard warehouse datastore platform cloud engine parser ui frontend backend ci cd pipeline
    target minimum contact designer developer pm lead architect tester owner po plumber electrician gardener cleaner
    architect notary babysitter installer contractor treasurer chair chairman secretary caterer organiser organizer
    format repository chat wiki helpdesk crm erp vendor boiler charger movers mover tv television fridge freezer dishwasher oven
    heater thermostat alarm mattress sofa tent pram buggy piano violin guitar code pin combination padlock solver reg registration plate insurance tool
    """
)
_FILLED = lazy(
    rf"^{_THING} (?:is|are) (?:now )?(?:with |the |an? )?(?P<value>(?:Dr\.? |Prof(?:essor)?\.? |Mrs?\.? |Ms\.? )?{NAME})(?P<rest>.*)$"
)
#: "it's Postgres 15"
_VERSIONED = lazy(r"[A-Z][\w+#.]+ v?\d+(?:\.\d+)*")
_TITLED = lazy(r"(?:Dr|Mrs?|Ms|Miss|Prof)\b")
#: No thing that has a measure or a day of its own.
_VAGUE = word_set(
    """
    due it i we he she they you this that these those there here what which who one ones everything nothing something
    someone everyone nobody thing things part parts rest first second third last next other others only today tomorrow
    yesterday now then same difference total weather temperature if when how why where whatever and or but
    so because as than will would shall should can could might must of_ not no all both each most some any is are was were has have had do does did said says
    your his her their focus attention effort commitment out up down off think thinks guess mean means know deadline_ whose question answer point problem news from with by
    """
)


#: Matches every clause that states one.
_ANY = any_of(
    _HAPPENS,
    _EVERY,
    _AT_TIME,
    _PLANNED,
    _ON_DAY,
    _COUNT,
    _IN,
    _PORT,
    _SHARE,
    _FILLED,
    _BARE,
    lazy(_IS_AT + _MEASURE.pattern),
)
#: A clause that states one of these contains a digit, a number word, or a capital after its first letter.
_FIGURE = lazy(rf".[^\W_a-zäöüßáéíóúñàâçèêëîïôûœ]|^\d|\b(?:{_COUNTED}|noon|midnight)\b")


def of_measures(clause: str, scene: Scene) -> list[Claim]:
    """What a clause states of a thing's measure, day, time, port or of what fills it."""
    if _FIGURE.search(clause) is None or _ANY.match(clause) is None:
        return []
    for read in (_dated, _timed, _measured, _ported, _shared, _filled, _bare, _planned):
        found = list(read(clause, scene))
        if found:
            return found
    return []


def _thing(match: re.Match[str], scene: Scene) -> str | None:
    words = match["thing"].lower().split()
    if len(words) > 1 and words[0] in ("first", "next", "last"):
        words = words[1:]
    if (
        not _VAGUE.isdisjoint(words)
        or words in (["time"], ["times"])
        or words[0] in NO_NAMES & _VAGUE
        or words[-1].endswith(("'s", "'"))
    ):
        return None
    if words[-1] in KIN or words[-1] in PETS or values.is_place(match["thing"]):
        return None
    if words[0] not in ("max", "min") and scene.person(match["thing"]) is not None:
        return None
    return match["thing"]


def _of(match: re.Match[str], scene: Scene, predicate: str, value: str) -> Iterator[Claim]:
    """The claim about a thing: under its own last word where that names an attribute."""
    thing = _thing(match, scene)
    if thing is None:
        return
    if predicate == "date":
        thing = re.sub(r"^(?:first|next|last|new|final) (?!day)(?=\w)", "", thing, flags=re.IGNORECASE)
    words = thing.lower().split()
    if words[-1] in MOODS:
        return
    mine = match.string[:2].lower() == "my" or match.string[:3].lower() == "our"
    if words[-1] in ATTRIBUTES and predicate == "value":
        named = attribute_predicate(words)
        if named:
            yield Claim(scene.speaker, "person", named, value)
        return
    if mine and predicate in ("value", "date"):
        named = attribute_predicate(words)
        if named:
            yield Claim(scene.speaker, "person", named, value)
        return
    yield Claim(thing, "topic", predicate, value)


def _dated(clause: str, scene: Scene) -> Iterator[Claim]:
    match = _HAPPENS.match(clause)
    if match is None:
        return
    if match["thing"].endswith("'s birthday") and match["thing"][0].isupper():
        return  # is read with whose it is
    verb = match["verb"]
    predicate = (
        "expiry"
        if verb.startswith(("expire", "runs out"))
        else "end"
        if verb.startswith(("end", "finish", "close"))
        else "date"
    )
    named = match["thing"].lower().split()[-1]
    if named == "deadline" or verb in ("is due", "are due"):
        predicate = "deadline"
    value = match["value"].removeprefix("the ") + (f" at {match['time']}" if match["time"] else "")
    yield from _of(match, scene, predicate, value)
    where = _WHERE.match(clause, match.end())
    if where is not None and predicate == "date":
        yield from _of(match, scene, "place", where["place"])


#: Behind the day, where it is: "on 22 May next year in York".
_WHERE = lazy(
    rf"(?: next year| this year|,? from {_TIME}|,? at {_TIME})?,? (?:in|at) (?:the )?(?P<place>(?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b){NAME})(?=$|[.,;!]| and\b)"
)


def _planned(clause: str, scene: Scene) -> Iterator[Claim]:
    """ "I'm planning a party at The Talbot on 13 September"."""
    match = _PLANNED.match(clause)
    thing = "" if match is None else re.sub(r" (?:to|at|in|for)$", "", match["thing"])
    if match is not None and _VAGUE.isdisjoint(thing.split()):
        yield Claim(thing, "topic", "date", match["value"])


def _bare(clause: str, scene: Scene) -> Iterator[Claim]:
    """What notes leave the verb out of: "Error rate 0.02 percent", "4,100 users so far", "API in Kotlin"."""
    day = _ON_DAY.match(clause)
    verbal = day is not None and " " in day["thing"] and day["thing"].endswith("s")
    if day is not None and not verbal and clause == scene.sentence and _VAGUE.isdisjoint(day["thing"].lower().split()):
        yield Claim(day["thing"], "topic", "date", day["value"].removeprefix("the "))
        return
    often = _EVERY.match(clause)
    if often is not None and clause != scene.sentence and _VAGUE.isdisjoint(often["thing"].split()):
        if not plain_english(often["thing"].split()[-1]):
            yield Claim(often["thing"], "topic", "date", often["value"])
        return
    count, bare, made = _COUNT.match(clause), _BARE.match(clause), _IN.match(clause)
    if count is not None:
        yield Claim(scene.speaker, "person", f"{count['item']}_count", f"{count['value']} {count['item']}")
    elif made is not None and (_VAGUE | _VERBS).isdisjoint(made["thing"].lower().split()):
        if made["thing"].casefold() not in NO_NAMES or made["thing"].isupper():
            yield Claim(made["thing"], "topic", "built_with", made["value"])
    elif bare is not None and bare["thing"].lower().split()[-1] in _RATES:
        measure = _MEASURE.match(bare["rest"])
        if measure is not None and not measure["value"].isdigit():
            yield from _of(bare, scene, "value", measure["value"])


def _timed(clause: str, scene: Scene) -> Iterator[Claim]:
    match = _AT_TIME.match(clause)
    if match is not None:
        yield from _of(match, scene, "time", match["value"])


def _measured(clause: str, scene: Scene) -> Iterator[Claim]:
    match = _IS.match(clause)
    measure = _MEASURE.match(match["rest"]) if match is not None else None
    if match is None or measure is None:
        return
    value = measure["value"].strip()
    words = match["thing"].lower().split()
    bare = re.fullmatch(r"\d+", value) is not None
    if bare and words[-1] not in _SLOTS and words[0] not in ("max", "min", "maximum", "minimum", "target"):
        return
    if (
        words[0] not in ("max", "min")
        and scene.person(words[0].capitalize()) is not None
        and not words[0].endswith("'s")
    ):
        return
    yield from _of(match, scene, "value", value)


def _ported(clause: str, scene: Scene) -> Iterator[Claim]:
    match = _PORT.match(clause)
    if match is not None:
        yield from _of(match, scene, "port", match["value"])


def _shared(clause: str, scene: Scene) -> Iterator[Claim]:
    """ "Each user gets a quota of 20 GB"."""
    match = _SHARE.match(clause)
    if match is not None and match["attribute"].split()[-1] in ATTRIBUTES:
        yield Claim(scene.speaker, "person", attribute_predicate(match["attribute"].split()), match["value"])


def _filled(clause: str, scene: Scene) -> Iterator[Claim]:
    """ "Storage is S3", "The pilot customer is Gdynia library"."""
    match = _FILLED.match(clause)
    if match is None or _thing(match, scene) is None:
        return
    words, value = match["thing"].lower().split(), match["value"].removesuffix(".")
    technical = words[-1] in _SLOTS and values.role(words[-1]) is None and words[-1] not in ("owner", "contact")
    if not match.string[:1].isupper() and not technical and not re.match(r"(?:the|our|my) ", match.string):
        return  # "Bakgård Bageri, owner is Fatima": whose owner, stands before
    if (
        (
            words[-1] not in _SLOTS
            and values.role(words[-1]) is None
            and _TITLED.match(value) is None
            and (_VERSIONED.fullmatch(value) is None or values.is_day(value))
        )
        or len(words) > 3
        or words[0] in ("his", "her", "their", "its", "your")
    ):
        return
    if not re.match(
        r"(?:$|[.,;!)]| (?:in|at|with|for|from|on|as|and|now|again|too|since)\b| [a-z]+(?: [a-z]+)?(?:[.,;!)]|$))",
        match["rest"],
    ):
        return
    if (
        value.casefold().split()[0] in NO_NAMES
        and len(value) > 3
        and not any(map(str.isdigit, value))
        and not value.startswith(("Dr", "Mr", "Ms", "Prof"))
    ):
        return
    if values.is_state(value) or value == "I":
        return
    tail = re.match(
        r" (?P<more>(?!in|at|with|for|from|on|as|and|now|again|too|since)[a-z]+(?: [a-z]+)?)(?=[.,;!)]|$)",
        match["rest"],
    )
    yield Claim(scene.speaker, "person", attribute_predicate(words), value + (f" {tail['more']}" if tail else ""))
