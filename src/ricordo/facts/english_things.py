"""Attributes and things of English clauses: "my 5K best is 25:50", "the API runs on Fly.io", "New laptop: an X1"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.facts import values
from ricordo.facts.any_case import AnyCase
from ricordo.facts.dates import moment
from ricordo.facts.english_subjects import KINWORD, QUALITY, as_kin
from ricordo.facts.english_text import plain
from ricordo.facts.english_verbs import AMOUNT, slot_name, tool
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.models import EntityKind
from ricordo.text import any_of, lazy, unnamed
from ricordo.text.attributes import ATTRIBUTES
from ricordo.text.english import KIN, NO_NAMES, PETS, word_set
from ricordo.text.given_names import GIVEN
from ricordo.text.plain import plain_english

# --- attributes with a value -----------------------------------------------------------------------------------------

_ATTRIBUTE = lazy(
    r"^(?P<whose>[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er|(?P<owner>[A-Z][\w-]+(?: [A-Z][\w-]+)?)'s) (?P<new>(?:new|current|latest|own) )?"
    r"(?P<attribute>[\w%+/-]+(?: [\w%+/-]+){0,4}?)(?: (?:for|of|on|in|at|to) (?P<of>(?:the |our |my )?[\w-]+(?: [\w-]+){0,3}?))?"
    r"(?: at the moment| these days| right now| this (?:year|term|month|week|season))? (?:is going to be|are going to be|is|are|will be|has been|have been|(?:has|have|had)? ?(?=(?:changed|switched|settled|stabili[sz]ed|gone|went|come|came|crept|dropped|fell|fallen|rose|risen|grew|grown|jumped|climbed|doubled) )|was (?=(?:raised|lowered|changed|moved|pushed|increased|reduced|cut|set|updated|extended|bumped|reset|upgraded|switched|renamed)))"
    r"(?P<set> ?(?:settled|stabili[sz]ed|gone|went|come|came|crept|dropped|fell|fallen|rose|risen|grew|grown|jumped|climbed|doubled|raised|lowered|changed|moved|pushed(?: back)?|increased|reduced|cut|set|updated|extended|bumped|upgraded|switched|renamed|down|up|back)"
    r"(?: (?:up|down|back))?(?: from [\w,.%$€£ ]+?)? (?:to|at))? (?P<rest>.+)"
)
_PAST = word_set(
    "old former previous ex first last dream ideal only next other whole main biggest point question problem worry idea thing plan hope guess fear issue concern suggestion answer advice secret trick truth news"
)
#: Attributes whose value is a common word as often as a name: "my hobby is woodworking".
_PHRASES = word_set(
    """
    hobby job role type diet major degree subject language nationality religion sign instrument sport order coffee tea
    drink layer database profession occupation position status title colour color nickname queue cache framework plan
    allergy goal thesis topic dish genre retention frequency
    """
)
#: Whose "the weight" is, nothing says; and what is full, low or 100 % for the moment.
PERSONAL = word_set(
    "weight height age name title birthday diet hobby salary income doctor dentist gp vet email nationality religion sign job role position occupation "
    "profession school nickname surname partner spouse wife husband girlfriend boyfriend"
)
#: Of a project, by a name that need not have a capital: "the database layer is diesel".
_TOOLS = word_set("layer database framework queue cache retention frequency dish")
MOODS = word_set(
    "focus bandwidth attention energy mood mind head brain heart feeling stress motivation patience capacity"
)
_HEAD_KIN = frozenset([*KIN, *PETS, "girlfriend", "boyfriend", "toddler", "baby", "newborn", "kid"])


#: "The wifi code is bluebird77": what is made of letters and figures.
_CODES = word_set(
    "reference ref code password passcode pin id hostname host bucket branch repo repository combination login username"
)
_CODE = lazy(r"(?=\S*\d)(?=\S*[A-Za-z])[\w-]{5,}$")
#: What comes to a figure becomes it; what comes to a place visits it.
_MOVES = lazy(r" ?(?:gone|went|come|came)\b")
#: Words that are in no attribute.
_NO_ATTRIBUTE = word_set("is are who that which and was to not has have says said thinks")


def of_attributes(clause: str, scene: Scene) -> list[Claim]:
    match = _ATTRIBUTE.match(clause)
    if match is None:
        found = _set_to(clause, scene)
        return found
    whose, attribute = match["whose"].lower(), match["attribute"].strip()
    words = attribute.lower().split()
    if words[0].startswith("ex-") or (words[0].removesuffix("'s") in _HEAD_KIN and words[-1] == "name"):
        return []
    if words[0] in _PAST and words[:2] != ["biggest", "customer"]:
        return _last_day(clause, scene)
    if not _NO_ATTRIBUTE.isdisjoint(words):
        return []
    rest = match["rest"]
    subject, kind = _owner(match, whose, scene)
    if subject is None:
        return []
    if not _HEAD_KIN.isdisjoint(words[:-1]) or (words == ["name"] and whose in ("his", "her")):
        return []
    head = words[-1]
    of = re.sub(r"^(?:the|our|my|an?) |^.* ones?$", "", match["of"] or "", flags=re.I)
    named = re.match(rf"(?:an? [\w -]{{2,40}}? )?(?:called|named) (?P<name>{NAME})", rest)
    if head in _HEAD_KIN and whose != "the" and whose != "this":
        return _kin_named(head, subject, rest, named, scene)
    shown = _shown_value(rest, head, words)
    moves = _MOVES.match(match["set"] or "")
    if shown is None or (moves and (match["set"].endswith(" at") or not values.is_shown(shown.lower()))):
        return []  # "the film club went to the Carbon Arc", "the boiler man came at eight": a visit
    if whose in ("the", "this") or (of and whose == "our"):
        if len(words) > 1 and not of and any(map(str.isupper, "".join(attribute.split()[:-1]))):
            of = " ".join(attribute.split()[:-1]) if head in ATTRIBUTES else ""
            words = words[-1:] if of else words
        if of:
            subject, kind = of, "topic"
        elif not (values.is_shown(shown) or head in ATTRIBUTES):
            return []
    elif of:
        words = [*of.lower().split(), *words]
    if head in ("key", "token", "secret") and _CODE.match(shown) is not None:
        return []  # what opens a service is no fact
    if whose == "the" and head in _CODES and _CODE.match(shown) is not None:
        return [Claim(scene.speaker, "person", attribute_predicate(words), shown)]
    if whose == "the" and (
        (not values.is_shown(shown) and head not in _TOOLS)
        or head in PERSONAL
        or (head not in ATTRIBUTES and not match["set"])
    ):
        return []
    if head in MOODS or (
        head not in ("job", "hobby", "order", "drink", "snack", "tipple", "breakfast", "lunch")
        and re.match(r"an? [a-z]", rest)
        and not values.is_shown(shown)
    ):
        return []
    if re.match(r"at [A-C][12]\b", rest):
        return []
    dated = match["set"] is not None and moment(shown, scene.at, ahead=True) is not None
    if dated and head not in ATTRIBUTES:
        return [Claim(attribute, "topic", "deadline", shown)]
    predicate = attribute_predicate(words)
    day = moment(rest, scene.at, ahead=True) if re.search(r"\b(?:from|as of|starting)\b", rest) else None
    if re.match(r"(?:Mrs?|Ms|Miss|Dr)\b", shown):
        scene.meet(shown)
        scene.last = shown
    return [Claim(subject, kind, predicate, shown, None, False, since=day)] if predicate else []


def _owner(match: re.Match[str], whose: str, scene: Scene) -> tuple[str | None, EntityKind]:
    if whose in ("my", "our", "the", "this"):
        return scene.speaker, "person"
    if match["owner"]:
        return scene.person(match["owner"]) or (
            match["owner"] if match["owner"].casefold() not in NO_NAMES else None
        ), "person"
    return scene.last, "person"


def _kin_named(head: str, owner: str, rest: str, named: re.Match[str] | None, scene: Scene) -> list[Claim]:
    predicate = as_kin(head)
    found = named or re.match(
        rf"(?:an? (?=Mrs?\b|Ms\b|Miss\b))?(?P<name>(?:Dr\.? )?{NAME})(?=$|[,.;!] ?| (?:and|from|at|on|in|now)\b)", rest
    )
    if found is None:
        return []
    name = found["name"].split(" and ")[0]
    if named is None and name.casefold().split()[0] in NO_NAMES and not name.startswith(("Dr", "Mr", "Ms", "Mrs")):
        return []
    scene.meet(name)
    scene.kin[owner, predicate] = name
    scene.last = name
    return [Claim(owner, "person", predicate, name, "person")]


def _shown_value(rest: str, head: str, words: list[str]) -> str | None:
    named = re.match(r"(?:an? (?:\w+ ){1,2})?(?:called|named) (.+)|(?:from|with|at) (?=[A-Z])(.+)", rest)
    text = (named[1] or named[2]) if named else rest
    if rest.startswith(("a ", "an ")) and named and head not in ATTRIBUTES:
        return None  # "my attention span is a goldfish called Kevin"
    if head == "address":
        text = re.split(r"[;!?]| now\b| and ", text)[0]
        return text.strip(" .") or None
    phrase = values.bare(values.until(text))
    doing = head in ("hobby", "sport", "pastime") and phrase.endswith("ing")
    if not doing and phrase.partition(" ")[0].endswith("ing") and not phrase[:1].isupper():
        return None  # "my retirement plan is winning the lottery"
    if not phrase or len(phrase.split()) > 7 or values.is_judged(phrase) or (values.is_state(phrase) and not doing):
        return None
    if values.is_shown(phrase):
        return None if phrase.split()[0] == "I" else phrase
    listed = head in _PHRASES or words[0] in ("favourite", "favorite")
    return phrase if listed and len(phrase.split()) <= 4 else None


def attribute_predicate(words: list[str]) -> str:
    """The predicate of an attribute: personal bests by one word, whatever they are called."""
    bare = [
        re.sub(r"'s?$|[^\w]", "", each)
        for each in words
        if each not in ("new", "current", "personal", "all-time", "the")
    ]
    bare = ["best" if each in ("pb", "pr", "best", "record") else each for each in bare if each]
    bare = [each for n, each in enumerate(bare) if each != "time" or n == 0 or bare[n - 1] != "best"]
    name = "_".join(bare)[:60]
    return name if name.replace("_", "").isalnum() else ""


_SET_TO = lazy(
    r"^(?:(?:we|I|they|she|he|She|He|They|[A-Z]\w+|(?:my|our|the|My|Our|The) landlord) (?:have |has |are |am )?)?(?:switched|transferred|upped|put|putting|postponed|postponing|delayed|delaying|rescheduled|rescheduling|pushing|moving|bringing forward|brought forward|raising|raised|lowered|increased|decreased|reduced|cut|bumped|changed|set|updated|moved|pushed|extended|upgraded|downgraded|halved|doubled|renamed|adjusted)"
    r"(?: up| down| back)? (?:(?:the|our|my) )?(?P<attribute>[\w%+/.-]+(?: [\w%+/.-]+){0,4}?)(?: (?:for|of|on) (?P<of>(?:the )?[\w-]+(?: [\w-]+){0,2}?))?(?: up| down| back)?(?: from (?P<old>[\w,.%$€£-]+(?: \w+)?))? (?:to|at|until|till) (?P<rest>.+)"
)
_WAS_SET = lazy(
    r"^(?:the |our |my )?(?P<attribute>[\w%+/.-]+(?: [\w%+/.-]+){0,4}?) (?:(?:was|were|is|are|has been|have been|got|has|have) )?"
    r"(?:postponed|delayed|rescheduled|raised|lowered|increased|reduced|cut|bumped|changed|pushed|extended|upgraded|went up|went down|went(?= (?:from|to) \W?\d)|goes up|goes down|slips|slipped|rose|fell|dropped|grew|moved|moves|updated|down|up)(?: up| down| back| out)?"
    r"(?: from (?P<old>[\w,.%$€£-]+(?: \w+)?))? to (?P<rest>[vV]?\d.*|[$€£].*|[A-Z].*)"
)


#: What is moved to a place and is not another from then on.
_MOVABLE = word_set(
    "family stuff things kids children parents desk dog cat furniture attention focus meeting appointment call"
)
#: What runs on a tool or a service.
_TECHNICAL = word_set(
    """
    ci cd pipeline pipelines repo repos repository code issues tickets docs documentation wiki database databases db store queue
    queues cache service services app apps site website blog backend frontend api server servers cluster deployment deployments
    jobs logs logging metrics monitoring alerts alerting dashboards dns domain hosting email mail newsletter billing payments
    auth login search storage backups files images photos calendar board tracker chat registry packages builds tests workers
    scheduler staging production infrastructure stack monolith invoices accounting bookings data secrets
    """
)
_TO = lazy(r" (?:to|at|until|till) ")


def _set_to(clause: str, scene: Scene) -> list[Claim]:
    """ "We raised the rate limit to 1,200", "CI is down to 9 minutes", "PDF worker upgraded to 2.0"."""
    match = _TO.search(clause) and (_SET_TO.match(clause) or _WAS_SET.match(clause))
    if match is None:
        return []
    attribute = re.sub(r"^(?:the|our|my) ", "", match["attribute"], flags=re.I)
    words = attribute.lower().split()
    value = values.bare(values.until(match["rest"]))
    if (
        not value
        or len(value.split()) > 6
        or not words
        or words[0] in ("it", "i", "we", "he", "she", "they", "that", "this", "me", "us", "him", "her", "them", "you")
    ):
        return []
    measured = value[:1].isdigit() or value[:1] in "$€£" or bool(re.match(r"v\d|[A-Z]\w+ \d", value))
    if words[0] in ("a", "an", "no", "some", "any", "up", "this", "that") or not (
        measured or value[:1].isupper() or words[-1] in _PHRASES
    ):
        return []
    own = re.match(r"(?:\w+ ){0,3}?(?:my|our) " + re.escape(attribute), clause, re.IGNORECASE)
    if (
        not measured
        and own is not None
        and len(words) < 3
        and words[-1] not in _MOVABLE
        and scene.person(value) is None
        and not values.is_place(value)
        and words[-1] not in ATTRIBUTES
    ):
        return [Claim(scene.speaker, "person", attribute_predicate(words), value)]
    if not measured and words[-1] not in ATTRIBUTES:
        day = re.match(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?$", value, re.IGNORECASE) is not None
        return [Claim(attribute, "topic", "date", value)] if day and len(words) < 4 else []
    if moment(value, scene.at, ahead=True) is not None and words[-1] not in ATTRIBUTES and len(words) < 4:
        return [Claim(attribute, "topic", "deadline", value)]
    version = re.match(r"(?:version |v)?\d+(?:\.\d+)*$", value) is not None
    of = match.groupdict().get("of")
    if of:
        return [Claim(re.sub("^the ", "", of), "topic", attribute_predicate(words), value)]
    if words[-1] in ATTRIBUTES:
        subject = " ".join(attribute.split()[:-1])
        return [
            Claim(subject or scene.speaker, "topic" if subject else "person", attribute_predicate(words[-1:]), value)
        ]
    own = re.search(r"\b(?:my|our) " + re.escape(attribute), clause)
    if own is not None and not version:
        return [Claim(scene.speaker, "person", attribute_predicate(words), value)]
    named = re.match(r"([A-Z][a-z]+) \d", value)
    if named is not None and not version:
        return [Claim(attribute, "topic", "version", value)]
    if not (version or "upgrad" in clause) and (len(clause) > 70 or len(words) > 2):
        return []
    return [Claim(attribute, "topic", "version" if version or "upgrad" in clause else "value", value)]


_DAY_OF = lazy(
    r"^(?:[Tt]he |[Oo]ur |[Mm]y )?(?P<thing>[\w-]+(?: [\w-]+){0,3}?) (?:is|are|meets?|happens?|takes place) (?:always |usually |every |on )*"
    r"(?P<value>(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?)\b(?! (?:morning|night|evening) was)(?!,? (?:the )?\d)"
)
_OWN_THING = lazy(
    rf"\b(?:[Mm]y|[Oo]ur|[Tt]he(?= (?:vet|dentist|doctor|GP|plumber|electrician|landlord|landlady|midwife|surgeon|builder|childminder|nanny|mechanic|optician), )|an?(?= \w+, (?:Mrs?|Ms|Miss|Dr)\b)) (?:new |current )?(?P<attribute>[a-z]+|GP), (?:a |an |the )?(?P<value>(?:(?:Mrs?|Ms|Dr|Prof)\. )?{NAME})(?=[,.!)]|$| and\b)"
)
_CHANGED = lazy(
    rf"\b(?:changed|switched) (?:our |my |the )?(?P<attribute>[a-z]+(?: [a-z]+)?)[,:.]? (?:and )?it is (?P<value>{NAME})(?: instead of (?P<old>{NAME}))?"
    rf"|\b(?:[Mm]y|[Oo]ur) (?P<own>[a-z]+(?: [a-z]+)?) (?:has |have )?(?:changed|left|retired|moved (?:on|away))[,:;.]? (?:and |so )?(?:it|the new one) is (?P<fresh>(?:Dr\.? )?{NAME}|\+?\d[\d ]*\d)"
)
_SHIPPED = lazy(
    r"^(?:(?:[Tt]he |[Oo]ur )?(?P<thing>[A-Za-z][\w-]*(?: [a-z]+)?) (?=version|v\d|\d+\.\d))?(?:v|V|version |Version )?(?P<value>\d+(?:\.\d+)+) (?:is|went|has been|was)? ?(?:out|live|released|shipped|tagged|deployed)\b"
    r"|^(?:(?:we|I|We) (?:have )?)?(?:released|shipped|tagged|deployed|Released|Shipped|Tagged|Deployed) (?:v|version )?(?P<other>\d+(?:\.\d+)+)"
)
_TOO = lazy(
    rf"^(?P<old>{NAME}) (?:got|became|was|is|had become|has become) (?:too |so )\w+,? (?:so )?(?:I|we) (?:have )?(?:swapped in|switched to|moved to|went with|now use|use|took|chose) (?P<new>{NAME})"
)
_WENT_WITH = lazy(
    rf"^(?:in the end )?(?:we|We) (?:have )?(?:went with|settled on|decided on|opted for|chose|picked) (?P<new>{NAME})(?: (?:for|as) (?:the |our )?(?P<slot>[a-z ]+))?"
)
_TOOK_OVER = lazy(
    rf"^(?P<new>{NAME}) (?:has |is )?(?:replaced|replaces|replacing|took over from|takes over from|taken over from|taking over from|succeeds|succeeded) (?P<old>{NAME})(?: as (?:our |the |my )?(?P<role>[a-z ]+))?"
)
_HIS_NAME = lazy(
    rf"^(?:(?:[Hh]e|[Ss]he) is (?=(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b)|(?:[Hh]e|[Ss]he) is (?=[A-Z][a-z]+(?<!ish)(?<!an)(?<!ese)(?: by the way|,|\.|$))|(?:[Hh]is|[Hh]er|[Ii]ts) name is |(?:[Hh]e|[Ss]he|[Ii]t) is (?:called|named) )(?P<name>(?:(?:Dr|Mrs?|Ms|Miss|Prof)\.? )?{NAME})"
)
_MINE_BEHIND = lazy(
    rf"^(?P<name>{NAME})(?: [a-z]+){{1,4}}, (?:my|our) (?P<kin>{KINWORD})(?=[.,!]|$)"
    rf"|^(?:[\w']+ ){{0,5}}?(?P<called>{NAME}), (?:my|our) (?:new |little |big )?(?P<kind>{KINWORD})(?=[.,!]|$)"
)
_MY_OWN = lazy(rf"^(?:[Mm]y|[Oo]ur) (?:new )?(?P<attribute>[a-z]+(?: [a-z]+)?) is (?:called|named) (?P<name>{NAME})")
_KIN_CALLED = lazy(rf"^(?:[Mm]y|[Oo]ur) (?P<kin>{KINWORD})(?:'s name is| goes by| answers to) (?P<name>{NAME})")
_IT_IS = lazy(rf"\b(?:an?|my|our) (?:new |local )?(?P<attribute>[a-z]+), it is (?:called|named) (?P<name>{NAME})")
_MY_ILLNESS = lazy(
    r"\b(?:my|our) (?P<value>co?eliac disease|(?:type [12] )?diabetes|asthma|epilepsy|arthritis|eczema|psoriasis|ADHD|hay ?fever|migraines?)\b(?! (?:nurse|clinic|doctor))"
)
_THE_PET = lazy(rf"^[Tt]he (?:new )?(?:{'|'.join(PETS)}) (?:is (?:called|named)|answers to) (?P<name>{NAME})")
_NO_GO = lazy(
    r"^(?P<what>[A-Z]?[a-z]+(?: [a-z]+)?) (?:is|are|makes?|gives?|kills?) (?:a no-go|off limits|out|poison|no good|my|me)\b[^.;!?]*?, I am allergic\b(?! to [a-z]{4,}[^.]*$)"
)
_AND_I = lazy(
    rf"^(?P<name>{NAME}) and I (?:have )?(?:(?P<over>broke up|split up|separated|(?:got|are) divorced|are no longer together)"
    r"|(?:got|are) (?:engaged|married|together|dating)|moved in together|got together)\b"
)
_CHILD = r"[A-Z][^\W\d_]+"
_YEARS = (
    r"(?:,? \(?(?:who is |aged )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\)?(?![\w]))"
)
#: "our two kids, Lasse and Nele", "They're Ottilie, 11, and Bruno, who's nine"
_KIDS = lazy(
    rf"\b(?:(?:[Mm]y|[Oo]ur|two|three|four) (?:[a-z]+ )?(?P<sort>kids|children|boys|girls|sons|daughters|twins)(?: are(?: called| named)?| called| named|,|:)|(?P<they>[Tt]hey are(?: called)?)) "
    rf"(?P<names>{_CHILD}{_YEARS}?(?:, {_CHILD}{_YEARS}?)*,? and {_CHILD}{_YEARS}?)"
)
_ONE_CHILD = lazy(rf"(?P<name>{_CHILD})(?P<age>{_YEARS})?")
_OF_CHILDREN = lazy(r"\b(?:kids|children|boys|girls|sons|daughters|twins)\b")
_MADE_ME = lazy(
    r"\b(?:made|elected|appointed|voted|named) me (?:the |their |as )?(?:new )?(?P<role>[a-z]+(?: [a-z]+){0,2})(?=$|[.,;!])"
)
_ONE_OF_MINE = lazy(rf"^(?:[Mm]y|[Oo]ur) {QUALITY}(?P<kin>{KINWORD}),? (?P<name>{NAME})(?=[.!,]|$)")
_DIED = lazy(rf"^(?P<name>{NAME}) (?:has )?(?:died|passed away|was put to sleep)\b")
_DUE = lazy(
    r"^(?:[Ii]t is |[Bb]aby is |[Ii] am |[Tt]he baby is )?[Dd]ue (?:date is )?(?:on |in )?(?P<value>(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}|(?:early |late |mid-)?[A-Z][a-z]+)"
)
_PUT_ON = lazy(
    rf"^(?:(?:[Tt]he |[Mm]y )?(?:doctor|doc|Doc|gp|GP|vet|cardiologist|psychiatrist|dermatologist)(?:, {NAME},)?|[Tt]hey) "
    r"(?:has |have )?(?:put me on|(?:has|have)(?: got)? me on|started me on|prescribed(?: me)?) (?P<value>[a-z\d][\w -]+)"
)
_GONE = lazy(
    rf"^(?:(?P<name>{NAME}) is (?:gone|dead|history|no more|out)(?=$|[.,;!])|so no (?P<other>{NAME}) (?:any ?more|any longer)|no (?P<third>{NAME}) (?:any ?more|any longer))"
)
_NEW_BEST = lazy(
    r"\bnew (?P<attribute>(?:[\w]+ ){0,2}(?:pb|pr|personal best|best|record|max))\b(?: (?:over|for|in|on) (?:the )?(?P<of>[\w]+))?"
    r"(?:,? (?:by the way|today|btw|this morning|yesterday|last night))?: ?(?P<value>\d[\d:.,]*(?: ?(?:kg|km|k|m|min|minutes|seconds|points|reps|lbs))?)",
    re.IGNORECASE,
)
_MINE_AFTER = lazy(
    rf"\b(?:my|our) (?P<kin>(?P<kind>{'|'.join(PETS)})) (?:today|here|along|there|again), (?P<name>(?P<called>{NAME}))(?=[,.!]|$)"
)
_BABY = lazy(
    rf"^(?:we|I|We) (?:have )?(?:named|called) (?:our|my|the) (?:new )?(?P<kin>baby|son|daughter|dog|cat|puppy|kitten|boy|girl)(?: boy| girl)? (?P<name>{NAME})"
)
_LET_GO = lazy(rf"^(?P<org>{NAME}) (?:has |have )?(?:let me go|laid me off|fired me|sacked me|made me redundant)\b")


def _last_day(clause: str, scene: Scene) -> list[Claim]:
    match = re.match(
        rf"^[Mm]y last day (?:at (?:the )?(?P<org>{NAME}) |there |here |of work )?(?:is|will be) (?P<rest>.+)",
        clause,
    )
    if match is None:
        return []
    org = match["org"] or _left_in(scene.text) or scene.employers.get(scene.speaker)
    day = moment(match["rest"], scene.at, ahead=True)
    return [Claim(scene.speaker, "person", "works_at", org, "organization", True, until=day)] if org and day else []


def _left_in(text: str) -> str | None:
    match = re.search(rf"\b[Tt]old (?P<org>{NAME}) (?:today|yesterday|that|this)", text)
    return match["org"] if match else None


# --- things ----------------------------------------------------------------------------------------------------------

_THING = r"^(?:(?:[Tt]he|[Oo]ur|[Mm]y|[Aa]ll|[Aa]ll of the|[Aa]ll our) )?(?P<thing>[\w./+-]+(?: [\w./+-]+){0,3}?)"
#: What follows the name of a thing, and the predicate.
_OF_THINGS = [
    (r" (?:runs?|running|is hosted|are hosted|is deployed|are deployed|sits?|is running|are running|will run) (?:on|in|at|with) (?P<value>.+)", "runs_on"),
    (r" (?:is|are) (?:(?:written|built|coded|implemented|made) (?:in|with|on|using)|based on) (?P<value>.+)", "built_with"),
    (r" (?:is|are) on (?P<value>(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))[A-Z][\w.]* v?\d[\w.]*)(?=$|[.,;! ])", "version"),
    (r" (?:allows?|includes?|supports?|holds?|seats?|handles?) (?:up to )?(?P<value>\d[\d.,]*k? [a-z]+(?: (?:a|per) \w+)?)", "allows"),
    (r" (?:is|are) (?:(?:written )?in )?(?P<value>(?:Python|Go|Golang|Rust|Java|Kotlin|Swift|SwiftUI|TypeScript|JavaScript|Ruby|Elixir|Scala|Haskell|PHP|Perl|Zig|Clojure|Dart|Vue|React|Svelte|Angular|Flutter|Django|Rails|C#|C\+\+|C)(?: \d[\w.]*)?)(?=$|[.,;!)]| )", "built_with"),
    (r" (?:goes?|runs?|are routed|is routed|are handled|is handled|are processed) (?:through|via|by) (?P<value>.+)", "goes_through"),
    (r" (?:is|are) on (?:an? )?(?P<value>[A-Z][\w.]+)(?: (?:box|server|machine|cluster|instance))?(?=$|[.,!]| in\b| now\b)", "runs_on"),
    (r" (?:go|are sent|is sent|are shipped) to (?P<value>[A-Z#].+)", "goes_to"),
    (r" (?:takes?|lasts) (?:about |around |roughly )?(?P<value>\d.+|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty) (?:second|minute|hour|day|week)s\b)", "duration"),
    (r" (?:is|are) (?:stuck |pinned )*(?:at|on|to) (?P<value>(?:version |v\.? ?)\d[\w.]*|\d+(?:\.\d+)+)(?!:| ?(?:am|pm|january|kg|km)\b)", "version"),
    (r" (?:is|are|starts?|begins?) at (?P<value>(?:half )?(?:(?:1?\d|2[0-4])(?:[:.]\d\d)?(?: ?(?:am|pm|o'clock))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))(?=$|[.,!;]| (?!(?:[A-Z](?!\w*(?:day|ber|uary)\b)|quid|euros?|pounds?|dollars?|percent|%|points?|people|ms|km|miles|kg|GB|MB|minutes?|hours?|days?|seats?)))", "time"),
    (r" (?:is|are) at (?:level )?(?P<value>[A-C][12])\b", "level"),
    (r" (?:is|are) (?:due|scheduled|planned|set|expected)(?: for| on| by| to ship on)? (?P<value>.*\d.*)", "deadline"),
    (r" (?:is|are) (?:kept|retained|stored) for (?P<value>\d.+|\w+ (?:days|weeks|months|years).*)", "retention"),
    (r" (?:(?:is|are) (?:stored|kept|saved|cached|held)|live|lives|sit|sits|(?<=files |notes |specs )are|(?<=logs |docs |keys )are|(?<=tickets |backups |secrets |designs |reports )are|(?<=issues |photos |assets |slides )are|(?<=recordings )are|(?<=invoices |drawings )are|(?<=contracts |passwords )are|(?<=credentials )are) in (?:the )?(?:repo |channel |folder |bucket )?(?P<value>[A-Z].+|(?<=(?:repo|nnel|lder|cket) )[\w#/.-]+)", "stored_in"),
    (r" (?:comes?|are served|is served|are provided|is provided|are handled|is handled) (?:from|by) (?P<value>[A-Z].+)", "provided_by"),
    (r" (?:is|are) from (?P<value>[A-Z].+)", "provided_by"),
    (r" (?:uses?|relies on|rely on) (?P<value>[A-Z].+)", "uses"),
    (r" expires? (?:after|in) (?P<value>\d.+)", "expiry"),
    (r" times? out after (?P<value>\d.+)", "timeout"),
    (r" (?:runs?|rotates?|syncs?|refresh(?:es)?|happens?) (?P<value>(?:every (?:(?:\d+|other|second|third|two|three|four|five|six|ten|twelve|fifteen|twenty|thirty|sixty|ninety) )?\w+|hourly|daily|nightly|weekly|monthly))", "frequency"),
    (r" (?:is|are) (?P<value>\d[\d.,]* ?(?:GB|MB|TB|KB|gigs))\b", "size"),
    (r" (?:costs?) (?P<value>[$€£]?\d.+)", "price"),
    (r" (?:is|are) (?:called|named) (?P<value>[A-Z].+|#?[a-z]+[-./_#][\w./-]+)", "name"),
    (r" weighs? (?P<value>\d.+)", "weight"),
    (r" (?:has|have) (?P<value>(?:an? )?[\w.]*\d[\w.]* ?\w* ?(?P<part>battery|engine|screen|motor|disk|display|range|seats|cores))\b", "has"),
]  # fmt: skip
_THINGS = [(lazy(_THING + rest), predicate) for rest, predicate in _OF_THINGS]
_MOVED = lazy(
    r"^(?:we|I|they|[A-Z]\w+) (?:have |has )?(?:moved|migrated|switched|shifted|ported) (?P<slot>(?:the |our )?[\w./-]+(?: [\w./-]+){0,2}?)"
    r"(?: (?:over|across))? from (?P<old>[\w.+#/' -]{1,30}?) (?:over )?to (?P<new>.+)"
)
_MOVED_TO = lazy(
    r"^(?:we|We|I) (?:have )?(?:moved|migrated|switched|ported) the (?P<slot>[\w./-]+(?: [\w./-]+)?) (?:over )?to (?P<new>[A-Z][\w.-]*)(?=$|[.,;!]| (?:last|this|yesterday|today|because|and|so)\b)"
)
_HANDED = lazy(
    rf"^(?P<who>I|we|[A-Z]\w+) (?:have |has |is |am )?(?:handed|passed|gave|leaving|transferred|giving|handing|passing) (?:over )?(?:the |my )?(?P<what>[\w -]+?)(?: over)? to (?P<to>{NAME})"
)
_CUSTOMER = lazy(
    rf"^(?:our|my) (?P<attribute>(?:biggest|main|largest|first|newest|best) (?:customer|client|supplier|competitor|account)) is (?P<value>{NAME})"
)
_WE_STORE = lazy(
    r"^(?:[Ww]e|I) (?:store|keep|save|host|log|track|archive) (?:our |the |all |all our )?(?P<thing>[a-z]+(?: [a-z]+)?) (?:in|on|at) (?P<value>[A-Z][\w.+-]*(?: [A-Z\d][\w.]*)?)(?=$|[.,;!])"
)
_WE_KEEP = lazy(
    r"^(?:[Ww]e|I) (?:keep|retain|store) (?:our |the |all )*(?P<thing>[a-z]+(?: [a-z]+)?) for (?P<value>\d+ (?:days|weeks|months|years))\b"
)
_TOPIC = lazy(
    r"^(?P<name>[A-Z][\w-]+) is (?:our|the|a|an) (?P<what>(?:[\w-]+ ){0,4}(?:tracker|backend|service|app|project|tool|library|site|website|platform|product|system|api|game|bot|frontend|engine|database|intranet|portal|pipeline|monolith|cli|CLI|dashboard|plugin|framework))\b(?P<more> (?:for|of|that|to)\b)?"
)
_ANY_THING = any_of(
    _CUSTOMER, _MOVED, _MOVED_TO, _HANDED, _WE_STORE, _WE_KEEP, _TOPIC,
    lazy(f"{_THING}(?:{'|'.join(unnamed(rest) for rest, _ in _OF_THINGS)})"),
)  # fmt: skip
_OF_TOPIC = frozenset(["runs_on", "built_with", "version", "stored_in", "goes_through"])
_NO_THING = word_set(
    "over the a an his her their can could will would out up down off back laid from since on in by at after until as for with to i my we he she they you it this that there here what which who one everything nothing something someone everyone nobody if"
)


def of_things(clause: str, scene: Scene) -> list[Claim]:
    if _ANY_THING.match(clause) is None:
        return []
    topic = _TOPIC.match(clause)
    if topic is not None:
        scene.topic = scene.thing = topic["name"]
        if (
            not topic["more"]
            and " is the " not in topic.group()
            and topic["name"].casefold() not in NO_NAMES
            and scene.person(topic["name"]) is None
        ):
            return [Claim(topic["name"], "topic", "is", topic["what"])]
    changed = _changed_hands(clause, scene)
    if changed:
        return changed
    for pattern, predicate in _THINGS:
        match = pattern.match(clause)
        claim = None if match is None else _of_thing(match, predicate, clause, scene)
        if claim is not None:
            return [claim]
    return []


def _changed_hands(clause: str, scene: Scene) -> list[Claim]:
    """Customers, and things that were moved, handed over or stored somewhere."""
    customer = _CUSTOMER.match(clause)
    if customer is not None:
        return [
            Claim(
                scene.speaker,
                "person",
                attribute_predicate(customer["attribute"].lower().split()),
                customer["value"],
                "organization",
            )
        ]
    moved = _MOVED.match(clause)
    if moved is not None:
        slot = re.sub(r"^(?:the|our) ", "", moved["slot"])
        fresh = tool(re.split(r"\s(?:for|as|on|at|in|over|with|since|last)\s", values.until(moved["new"]))[0])
        if fresh is not None and slot.lower() not in ("house", "flat", "away", "back"):
            return [Claim(slot, "topic", "runs_on", moved["old"], None, True), Claim(slot, "topic", "runs_on", fresh)]
    onto = _MOVED_TO.match(clause)
    if onto is not None and onto["slot"].split()[-1].lower() in _TECHNICAL and _is_tool(onto["new"], scene):
        return [Claim(onto["slot"], "topic", "runs_on", onto["new"])]
    handed = _HANDED.match(clause)
    if handed is not None:
        what, to = handed["what"].strip(), handed["to"]
        giver = scene.speaker if handed["who"] in ("I", "we") else (scene.person(handed["who"]) or handed["who"])
        if what.lower() not in ("it", "them", "this", "that") and len(what.split()) <= 3 and handed["who"] != "we":
            scene.last = to
            return [
                Claim(giver, "person", "owns", what, None, True),
                Claim(scene.person(to) or to, "person", "owns", what),
            ]
    retained = _WE_KEEP.match(clause)
    if retained is not None:
        return [Claim(retained["thing"], "topic", "retention", retained["value"])]
    stored = _WE_STORE.match(clause)
    if stored is not None:
        return [Claim(stored["thing"], "topic", "stored_in", stored["value"])]
    return []


def _is_tool(name: str, scene: Scene) -> bool:
    """Whether a name can be that of a tool: no place's, person's or day's."""
    return not (
        values.is_place(name) or values.is_day(name) or name.casefold() in NO_NAMES or scene.person(name) is not None
    )


def _of_topic(match: re.Match[str], predicate: str, scene: Scene) -> Claim | None:
    """Facts from a clause about "it" or "everything": the project that the conversation is about."""
    if not scene.topic and match["thing"].lower() == "it":
        return None
    named = scene.topic or scene.speaker
    day = moment(scene.text, scene.at, ahead=True) if re.search(r"\b[Ff]rom \d", scene.text) else None
    fresh = values.bare(values.until(match["value"]))
    fresh = re.split(r"\s(?:in|at|with|for)\s", fresh)[0]
    if fresh[:1].isupper() or any(map(str.isdigit, fresh)):
        return Claim(named, "topic" if scene.topic else "person", predicate, fresh, None, False, since=day)
    return None


def _of_thing(match: re.Match[str], predicate: str, clause: str, scene: Scene) -> Claim | None:
    """The fact that a clause states about a thing, if it is a thing and the value fits the predicate."""
    thing = match["thing"]
    if thing.lower() in ("it", "everything") and predicate in _OF_TOPIC:
        return _of_topic(match, predicate, scene)
    first = thing.lower().split()[0]
    value = match["value"] if predicate == "frequency" else values.bare(values.until(match["value"]))
    if not _NO_THING.isdisjoint(thing.lower().split()[1:]) or "said" in thing or "says" in thing:
        return None
    if first in _NO_THING or not value or len(value.split()) > 5:
        return None
    if predicate == "stored_in" and (
        clause[:3] == "My " or " " not in match.string[: match.start("value")].partition(" lives in ")[0]
    ):
        return None  # a mage, or somebody by a name that nobody knows
    if predicate in ("goes_through", "provided_by") and thing.lower().split()[-1] in _HEAD_KIN:
        return None
    if first in ("my", "our") and scene.person(thing) is not None:
        return None
    if predicate in ("runs_on", "built_with", "goes_through", "goes_to", "stored_in", "provided_by", "uses"):
        if (
            not (value[:1].isupper() or value[:1] == "#" or any(map(str.isdigit, value)))
            or scene.person(thing) is not None
        ):
            return None
        value = re.split(r"\s(?:in|at|with|for)\s", value)[0]
    if predicate in ("runs_on", "built_with", "stored_in", "provided_by", "uses") and (
        values.is_place(value) or values.is_day(value)
    ):
        return None
    if predicate == "name" and (
        match.string[:3].lower() in ("my ", "our") or thing.lower().split()[-1] in _HEAD_KIN or thing.lower() == "name"
    ):
        return None
    if scene.person(thing) is not None and predicate not in ("weight",):
        return None
    if predicate == "deadline" and not any(map(str.isdigit, value)):
        return None
    if predicate == "version":
        value = re.sub(r"^(?:version|v)\.? ?", "", value)
    if predicate == "has":
        predicate = f"has_{match['part'].lower()}"
    day = (
        moment(clause, scene.at, ahead=True)
        if re.search(r"\b(?:from|as of|will)\b", clause + scene.text) and predicate == "runs_on"
        else None
    )
    if predicate == "level":
        return Claim(scene.speaker, "person", attribute_predicate([*thing.lower().split(), "level"]), value)
    subject = scene.person(thing) or thing
    return Claim(subject, "person" if scene.person(thing) else "topic", predicate, value, None, False, since=day)


# --- clauses without a verb ------------------------------------------------------------------------------------------

_BEST = lazy(
    r"(?P<value>\d[\d:.,]*(?: ?(?:kg|km|k|m|min|minutes|seconds|points|reps|miles|lbs))?)(?: [\w ]{0,30})?[!,.]* *(?:that is |which is |a |my |is )*(?:new |my )*"
    r"(?P<attribute>(?:[\w]+ ){0,2}(?:pb|pr|personal best|best|record|max))\b(?: (?:over|for|in|on) (?:the )?(?P<of>[\w]+(?: [\w]+)?))?(?= ?[.,!]|$)",
    re.IGNORECASE,
)
_NEW_ONE = lazy(
    r"^(?:(?:[Mm]y|[Oo]ur|[Tt]he) )?[Nn]ew (?P<attribute>[a-zA-Z]+(?: [a-z]+)?)(?: [a-z ]{2,25})?(?:,? too)?"
    r"(?:: | is |, it is )(?P<value>.+)"
)
#: "the new till is a SumUp": a make in place of another.
_NEW_MAKE = lazy(
    rf"^(?:[Mm]y|[Oo]ur|[Tt]he) new (?P<attribute>[a-z]+(?: [a-z]+)?) is an? (?P<value>{NAME})(?=[.,;!]|$)"
)
#: "password marmalade1923"
_BARE_CODE = lazy(
    r"^(?P<attribute>(?:wifi |door |alarm )?(?:password|passcode|code|pin|PIN)) (?P<value>(?=\S*\d)[\w-]{4,})(?=[.,;!]|$)"
)
_LABELED = lazy(r"^(?:my |our |the )?(?P<attribute>[a-zA-Z][\w ]{1,25}): (?P<value>.+)")
_NO_LABEL = word_set(
    "i he she it we they you is are was were has have had be been do does did not my his her their this that to and or the a an"
)
_APPOSED = lazy(
    rf"^(?:[Ww]elcome(?: to)? |[Ss]ay hi to |[Tt]his is |[Mm]eet )?(?P<name>{NAME}), (?:our|my|the) new (?P<role>[\w -]+)"
)
_EMAIL = lazy(r"\b[Mm]y (?:new |work |private )?e-?mail(?: address)? is (?:now )?(?P<value>[^\s@]{1,64}@[\w.-]{3,100})")
_MEET = lazy(rf"\b[Mm]eet (?P<name>{NAME})")
_NEW_PET = lazy(rf"\b(?:our|my) (?:new |little |old )*(?P<kin>{'|'.join(PETS)})\b")
_FOR = lazy(
    rf"^(?P<attribute>[A-Z]?[a-z]+) (?:for|of) (?:a |an |the |our |my )?(?P<of>[\w-]+(?: [\w-]+)?) (?:is|are) {'(?P<value>[$€£]?[0-9][0-9.,]*(?: [a-z]+)?)'}"
)
_I_AM = lazy(rf"^I am (?P<name>{NAME})(?=,|$|[.!]| and )")
#: A name that no list has: "I'm Orla, I do the books".
_I_AM_CALLED = lazy(
    r"^I am (?P<name>[A-Z][a-z]+(?<!ish)(?<!ese)(?<!an)(?<!ed)(?<!ing)(?<!ic))(?=, (?:I|and|your|from|\d)\b| and I\b|\. I\b)"
)
_PARENT = lazy(
    rf"^(?:I am )?(?:(?P<me>[A-Z]\w+)(?: here)?, )?(?:(?P<child>{NAME})'s (?:mum|mom|dad|mother|father)|(?:the |a )?(?:mum|mom|dad|mother|father) (?:of|to) (?P<of>{NAME}))(?=$|[.,;!])"
)
_MAKES_ILL = lazy(
    r"^(?P<what>[A-Z]?[a-z]+) (?:(?:makes|make|gives|give) me (?:ill|sick|hives|a rash|migraines|bloated|(?:bad |terrible )?(?:cramps|heartburn|headaches))|brings? me out in (?:hives|a rash)|upsets? my stomach)\b"
)
_HOME = lazy(
    rf"^(?P<place>{NAME}) (?:is|has been) (?P<own>(?:my |our )?)home(?= |$|[.,!;])|^(?P<third>{NAME}) is where (?:I|we) live|^(?:[Mm]y |[Oo]ur )?(?:[Hh]ome(?: for (?:me|us))?|[Pp]lace|[Ff]lat|[Aa]partment) is (?:now )?(?:in )?(?P<other>{NAME})"
)
_THEY_PAY = lazy(rf"^they pay me {AMOUNT}", re.I)
_AMOUNT_IS = lazy(
    rf"^(?:the |my |our )?(?P<attribute>rent|salary|fee|mortgage|budget|quota|limit|price|deadline|password|version|address|goal|target|score|weight|height) (?:is|are|:) {AMOUNT}",
    re.I,
)


#: How a clause without a verb may begin, and what it may contain.
_BEGINS = any_of(
    _THEY_PAY, _AMOUNT_IS, _NEW_ONE, _NEW_MAKE, _BARE_CODE, _LABELED, _APPOSED, _FOR, _I_AM, _PARENT, _MAKES_ILL, _HOME, _DAY_OF, _SHIPPED, _LET_GO, _TOO, _WENT_WITH,
    _TOOK_OVER, _BABY, _HIS_NAME, _MINE_BEHIND, _MY_OWN, _AND_I, _DIED, _KIN_CALLED, _NO_GO, _THE_PET, _ONE_OF_MINE, _DUE,
    _PUT_ON, _GONE,
)  # fmt: skip
_INSIDE = any_of(_OWN_THING, _CHANGED, _MINE_AFTER, _IT_IS, _MY_ILLNESS, _MADE_ME, _KIDS)
_MAY_BE_INSIDE = lazy("[Mm]y |[Oo]ur |two |three |hey are |changed|switched|it is| me ")


_MEDICINE = lazy(rf"(?:{values.MEDICINES})$")
_INTOLERABLE = word_set(
    "gluten dairy milk wheat eggs nuts peanuts soy shellfish fish cheese lactose alcohol caffeine sugar coffee wine kiwi strawberries"
)


def without_verb(clause: str, scene: Scene) -> list[Claim]:
    if scene.inside is None:
        scene.inside = _MAY_BE_INSIDE.search(scene.sentence) is not None and _INSIDE.search(scene.sentence) is not None
    inside = scene.inside and _INSIDE.search(clause) is not None
    if not inside and _BEGINS.match(clause) is None:
        return []
    found: list[Claim] = []
    pays, amount = _THEY_PAY.match(clause), _AMOUNT_IS.match(clause)
    if pays is not None:
        found.append(Claim(scene.speaker, "person", "salary", pays["value"]))
    if amount is not None and not clause.lower().startswith(("the ", "my ", "our ")):
        found.append(Claim(scene.speaker, "person", amount["attribute"].lower(), amount["value"]))
    found += _labeled(clause, scene)
    apposed = _APPOSED.match(clause)
    if apposed is not None and (role := values.role(apposed["role"])):
        found.append(Claim(apposed["name"], "person", "role", role))
    for_ = _FOR.match(clause)
    if for_ is not None and for_["attribute"].lower() in ATTRIBUTES:
        found.append(Claim(for_["of"], "topic", for_["attribute"].lower(), for_["value"]))
    called = _I_AM.match(clause)
    strange = _I_AM_CALLED.match(clause)
    if strange is not None and (values.is_place(strange["name"]) or plain_english(strange["name"].casefold())):
        strange = None
    if called is not None and (strange is not None or called["name"].split()[0].casefold() in GIVEN):
        found.append(Claim(scene.speaker, "person", "name", called["name"]))
    parent, ill = _PARENT.match(clause), _MAKES_ILL.match(clause)
    if parent is not None and (parent["me"] == scene.speaker or clause.startswith("I am ")):
        child = parent["child"] or parent["of"]
        for each in child.split(" and "):
            scene.meet(each)
            scene.last = each
            found.append(Claim(scene.speaker, "person", "child", each, "person"))
    if ill is not None and (ill["what"].lower() in _INTOLERABLE or _MEDICINE.match(ill["what"].lower())):
        found.append(Claim(scene.speaker, "person", "intolerant_to", ill["what"].lower()))
    found += _more_without(clause, scene)
    home = _HOME.match(clause)
    place = None if home is None else home["place"] or home["other"] or home["third"]
    comes_home = (  # "Fergus is home with his crates"
        home is not None
        and home["own"] == ""
        and not values.is_place(home["place"])
        and clause[home.end() :].strip(" .!") != ""
    )
    if place is not None and not comes_home and place.casefold() not in NO_NAMES:
        found.append(Claim(scene.speaker, "person", "lives_in", place, "place"))
    return found


def _labeled(clause: str, scene: Scene) -> Iterator[Claim]:
    """ "New laptop: an X1", "Hobby: sailing"."""
    make = _NEW_MAKE.match(clause)
    if make is not None and _is_tool(make["value"], scene) and make["attribute"].split()[-1] not in _HEAD_KIN:
        yield Claim(scene.speaker, "person", attribute_predicate(make["attribute"].split()), make["value"])
        return
    code = _BARE_CODE.match(clause)
    if code is not None:
        yield Claim(scene.speaker, "person", attribute_predicate(code["attribute"].lower().split()), code["value"])
        return
    new = _NEW_ONE.match(clause)
    label = None if new else _LABELED.match(clause)
    for match in (new, label):
        if match is None:
            continue
        words = [
            each for each in match["attribute"].lower().split() if each not in ("update", "status", "today", "now")
        ]
        if words and words[-1].removesuffix("s") in ATTRIBUTES:
            words[-1] = words[-1].removesuffix("s")
        if not words or not _NO_LABEL.isdisjoint(words):
            continue
        while len(words) > 1 and words[-1] not in ATTRIBUTES and words[0] in ATTRIBUTES:
            words = words[:-1]
        value = _labeled_value(match["value"], words)
        if words[-1] in ATTRIBUTES and value:
            kin = words[-1] in _HEAD_KIN
            if kin:
                scene.meet(value)
                scene.last = value
                scene.kin[scene.speaker, KIN.get(words[-1], words[-1])] = value
            named = attribute_predicate([KIN.get(each, each) for each in words])
            yield Claim(scene.speaker, "person", named, value, "person" if kin else None)


def _more_without(clause: str, scene: Scene) -> Iterator[Claim]:
    day, own, changed = _DAY_OF.match(clause), _OWN_THING.search(clause), _CHANGED.search(clause)
    shipped, gone = _SHIPPED.match(clause), _LET_GO.match(clause)
    if (
        day is not None
        and day["thing"].lower().split()[0] not in _NO_THING
        and day["thing"].lower() not in ("today", "tomorrow", "yesterday")
    ):
        yield Claim(day["thing"], "topic", "date", day["value"])
    if own is not None and own["attribute"].lower() in ATTRIBUTES and own["attribute"] not in _HEAD_KIN:
        yield Claim(scene.speaker, "person", own["attribute"].lower(), own["value"])
    if changed is not None:
        attribute = (changed["attribute"] or changed["own"]).split()
        yield Claim(scene.speaker, "person", attribute_predicate(attribute), changed["value"] or changed["fresh"])
        if changed["old"]:
            yield Claim(scene.speaker, "person", attribute_predicate(attribute), changed["old"], None, True)
    if shipped is not None:
        named = shipped["thing"] or scene.topic or scene.speaker
        yield Claim(
            named, "person" if named == scene.speaker else "topic", "version", shipped["value"] or shipped["other"]
        )
    yield from _replacements(clause, scene)
    yield from _names_behind(clause, scene)
    baby = _BABY.match(clause)
    if baby is not None:
        kin = baby["kin"]
        predicate = "pet" if kin in PETS else {"boy": "son", "girl": "daughter", "baby": "child"}.get(kin, kin)
        scene.meet(baby["name"])
        yield Claim(scene.speaker, "person", predicate, baby["name"], "person")
    if gone is not None:
        yield Claim(scene.speaker, "person", "works_at", gone["org"], "organization", True)


#: What a tool is chosen for: it then runs on the tool, and on another when that is replaced.
_SERVED = (
    "service",
    "app",
    "site",
    "website",
    "portal",
    "platform",
    "product",
    "system",
    "api",
    "API",
    "backend",
    "worker",
)


def _replacements(clause: str, scene: Scene) -> Iterator[Claim]:
    too, chosen, took = _TOO.match(clause), _WENT_WITH.match(clause), _TOOK_OVER.match(clause)
    if too is not None:
        yield Claim(scene.speaker, "person", "uses", too["old"], None, True)
        yield Claim(scene.speaker, "person", "uses", too["new"])
    if chosen is not None and clause.startswith(" to ", chosen.end("new")):
        chosen = None  # "We picked the Reds to win"
    if chosen is not None and scene.person(chosen["new"]) is None and not values.is_place(chosen["new"]):
        slot = slot_name(chosen["slot"]) if chosen["slot"] else None
        if slot and slot.endswith(_SERVED):
            yield Claim(slot, "topic", "runs_on", chosen["new"])
        else:
            yield Claim(scene.speaker, "person", attribute_predicate(slot.split()) if slot else "uses", chosen["new"])
    if took is not None and took["new"] not in ("I", "We", "He", "She", "They", "It"):
        people = scene.person(took["new"]), scene.person(took["old"])
        if took["role"] and (role := values.role(took["role"], sure=True)):
            yield Claim(people[1] or took["old"], "person", "role", role, None, True)
            yield Claim(people[0] or took["new"], "person", "role", role)
        elif people == (None, None):
            yield Claim(scene.speaker, "person", "uses", took["old"], None, True)
            yield Claim(scene.speaker, "person", "uses", took["new"])


def _names_behind(clause: str, scene: Scene) -> Iterator[Claim]:
    """Names that stand behind what they name: "my girlfriend … Her name is Ola", "Karim is coming, my cousin"."""
    his, mine, pet = _HIS_NAME.match(clause), _MINE_BEHIND.match(clause), _MINE_AFTER.search(clause)
    unnamed = scene.unnamed or scene.relatives.get(scene.last or "")
    if his is not None and unnamed is None and his["name"].casefold() not in NO_NAMES:
        scene.meet(his["name"])
        scene.last = his["name"]
    elif his is not None and unnamed is not None and his["name"].casefold() not in NO_NAMES:
        owner, predicate = unnamed[0], as_kin(unnamed[1])
        scene.unnamed = None
        scene.meet(his["name"])
        scene.last = his["name"]
        scene.kin[owner, predicate] = his["name"]
        yield Claim(owner, "person", predicate, his["name"], "person")
    for match in (mine, pet):
        if match is None:
            continue
        groups = match.groupdict()
        name, kin = groups["name"] or groups["called"], (groups["kin"] or groups["kind"]).lower()
        if name.casefold() not in NO_NAMES and name.split()[0].casefold() not in NO_NAMES:
            scene.meet(name)
            scene.last = name
            predicate = as_kin(kin)
            scene.kin[scene.speaker, predicate] = name
            yield Claim(scene.speaker, "person", predicate, name, "person")
    yield from _of_own(clause, scene)


def _of_own(clause: str, scene: Scene) -> Iterator[Claim]:
    """What a clause states of one's own people, animals and health in words of its own."""
    own, both, died = _MY_OWN.match(clause), _AND_I.match(clause), _DIED.match(clause)
    if own is not None and own["attribute"].split()[-1] not in _HEAD_KIN and own["attribute"] != "name":
        scene.last = own["name"]
        yield Claim(scene.speaker, "person", attribute_predicate(own["attribute"].split()), own["name"])
    if both is not None and both["name"].casefold() not in NO_NAMES:
        known = [
            predicate for (who, predicate), name in scene.kin.items() if (who, name) == (scene.speaker, both["name"])
        ]
        scene.meet(both["name"])
        scene.last = both["name"]
        yield Claim(
            scene.speaker, "person", known[0] if known else "partner", both["name"], "person", bool(both["over"])
        )
    if died is not None:
        is_pet = scene.kin.get((scene.speaker, "pet")) == died["name"]
        if is_pet or re.search(rf"\b(?:{'|'.join(PETS)})s?\b", scene.text):
            yield Claim(scene.speaker, "person", "pet", died["name"], None, True)
    named, it_is = _KIN_CALLED.match(clause), _IT_IS.search(clause)
    if named is not None:
        kin = named["kin"].lower()
        predicate = as_kin(kin)
        scene.meet(named["name"])
        scene.last = scene.kin[scene.speaker, predicate] = named["name"]
        yield Claim(scene.speaker, "person", predicate, named["name"], "person")
    if it_is is not None and it_is["attribute"] in ATTRIBUTES and it_is["attribute"] not in _HEAD_KIN:
        yield Claim(scene.speaker, "person", it_is["attribute"], it_is["name"])
    allergy = _NO_GO.match(clause)
    if allergy is not None:
        yield Claim(scene.speaker, "person", "allergic_to", allergy["what"].lower())
    ill = _MY_ILLNESS.search(clause)
    if ill is not None:
        yield Claim(scene.speaker, "person", "health", ill["value"])
    pet = _THE_PET.match(clause)
    if pet is not None:
        scene.meet(pet["name"])
        yield Claim(scene.speaker, "person", "pet", pet["name"], "person")
    kids = _KIDS.search(clause)
    if kids is not None and (kids["sort"] or _OF_CHILDREN.search(scene.text)):
        yield from _of_children(kids["names"], scene)
    made, mine = _MADE_ME.search(clause), _ONE_OF_MINE.match(clause)
    if made is not None and (role := values.role(made["role"])):
        yield Claim(scene.speaker, "person", "role", role)
    if mine is not None and mine["name"].split()[0].casefold() not in NO_NAMES:
        kin = mine["kin"].lower()
        predicate = as_kin(kin)
        scene.meet(mine["name"])
        scene.last = scene.kin[scene.speaker, predicate] = mine["name"]
        yield Claim(scene.speaker, "person", predicate, mine["name"], "person")
    due, put = _DUE.match(clause), _PUT_ON.match(clause)
    if due is not None and re.search(r"\b(?:pregnant|baby|expecting)\b", scene.text):
        own = re.search(r"\b(?:I am|I'm|[Ww]e are|[Ww]e're|[Oo]ur)\b[^.]*\b(?:pregnant|baby|expecting)\b", scene.text)
        yield Claim(scene.speaker if own else scene.last or scene.speaker, "person", "due_date", due["value"])
    if put is not None and (medicine := values.value(put["value"], 5)):
        yield Claim(scene.speaker, "person", "takes", medicine)
    gone = _GONE.match(clause)
    if gone is not None:
        what = gone["name"] or gone["other"] or gone["third"]
        if scene.person(what) is None and what.casefold() not in NO_NAMES:
            yield Claim(scene.speaker, "person", "uses", what, None, True)


def _of_children(names: str, scene: Scene) -> Iterator[Claim]:
    """Children by their names, some with their age behind it."""
    for each in _ONE_CHILD.finditer(names):
        name = each["name"]
        if name.casefold() in NO_NAMES or values.is_place(name):
            continue
        scene.meet(name)
        scene.last = name
        yield Claim(scene.speaker, "person", "child", name, "person")
        if each["age"]:
            yield Claim(name, "person", "age", each["age"].split()[-1].strip(" ()"))


#: "Guided Book: Create a book": what is asked for, and no value.
_ASKED_FOR = lazy(r"[A-Z][a-z]+ (?:an?|the|your|it|this|that|me|us)\b")


def _labeled_value(text: str, words: list[str]) -> str | None:
    if _ASKED_FOR.match(text):
        return None
    phrase = re.sub(r" (?:in|on|at|for|of|to|with)$", "", values.bare(values.until(text)))
    if not values.is_shown(phrase) or len(phrase.split()) > 5:
        return None
    return phrase


#: Matches every turn that states one of these.
_OF_TURN = AnyCase(r"@|(?:pb|pr|best|record|max)\b|\bmeet\b")


def of_turn(text: str, scene: Scene) -> Iterator[Claim]:
    """What only a whole turn states: a best beside its figure, a pet that is introduced."""
    if not _OF_TURN.is_in(text):
        return
    whole = plain(text)
    email = _EMAIL.search(whole)
    if email is not None:
        yield Claim(scene.speaker, "person", "email", email["value"].rstrip("."))
    best = _BEST.search(whole)
    if best is not None and not re.search(r"\bnot (?:a|my)\b", whole[: best.end()]):
        words = [*(best["of"] or "").lower().split(), *best["attribute"].lower().split()]
        words = [
            each for each in words if each not in ("a", "my", "is", "the", "today", "this", "morning", "now", "new")
        ]
        if words and words != ["best"]:
            yield Claim(scene.speaker, "person", attribute_predicate(words), best["value"].strip(" .,"))
    new = _NEW_BEST.search(whole)
    if new is not None and best is None:
        words = [*(new["of"] or "").lower().split(), *new["attribute"].lower().split()]
        yield Claim(scene.speaker, "person", attribute_predicate(words), new["value"].strip(" .,"))
    meet, pet = _MEET.search(whole), _NEW_PET.search(whole)
    if meet is not None and pet is not None:
        yield Claim(scene.speaker, "person", "pet", meet["name"], "person")
