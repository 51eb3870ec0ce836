"""What the verb of an English clause states of its subject: where somebody lives and works, what they own, like, use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ricordo.facts import english_open, values
from ricordo.facts.dates import moment
from ricordo.facts.english_subjects import KINWORD, PLURAL, QUALITY, as_kin, subject
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.models import EntityKind
from ricordo.text import any_of, lazy
from ricordo.text.english import KIN, NO_NAMES, PETS, QUALITIES, word_set
from ricordo.text.plain import plain_english

#: No "any more" of something: "I don't need any more coffee".
_ENDING = lazy(
    r",? ?\b(?:any ?more|any longer)(?=$|[^\w ]| (?:because|since|and|but|so|as|after|for|due|these|now|when|though|in|on|at|"
    r"if|with|this|that|thanks)\b)",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"have|has|had|am|is|are|was|were|been|be|being|do|does|did|not|never|no longer|will|going to|about to|can|used to|got|"
    r"get|gets|must|will be"
)
_STATE_VERB = lazy(rf"^((?:(?:{_AUXILIARY})(?=\s|$) ?)*)(.*)$", re.IGNORECASE | re.DOTALL)
_PERSONAL = frozenset(
    [
        "lives_in",
        "works_at",
        "role",
        "owns",
        "responsible_for",
        "takes",
        "studies",
        "studies_at",
        "allergic_to",
        "plays",
        "speaks",
        "married_to",
        "diet",
        "health",
        "does_not_eat",
        "intolerant_to",
    ]
)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause behind its subject: the auxiliaries, and the rest from the verb or complement on."""

    who: str
    kind: EntityKind
    first_person: bool
    auxiliary: str
    core: str
    scene: Scene
    #: Whether it says that something is over.
    over: bool

    def claim(
        self, predicate: str, what: str, kind: EntityKind | None = None, *, ended: bool = False, past: bool = False
    ) -> Claim:
        """That this holds of the subject: from the day that the clause names, where it names one."""
        over = ended or self.over
        said = re.split(r"[,;]", self.core)[0]
        day = moment(said, self.scene.at, ahead=not past and not re.search(r"\bsince\b", said))
        return Claim(
            self.who, self.kind, predicate, what, kind, over,
            since=None if over else day, until=day if over else None,
        )  # fmt: skip


Rule = Callable[[_Clause, re.Match[str]], Iterator[Claim]]


#: Verbs that no "I" or "we" stands before.
_OF_ANOTHER = word_set(
    "is has lives works owns runs drives plays speaks studies teaches learns keeps rents uses rides wears eats drinks"
)


_SPEAKER = lazy(r"\b(?:I|we) [a-z]")
#: "Rent is 1,150": what no person is.
_IS_NO_PERSON = lazy(r" (?:is|are|was|has been) (?:now |about |around |at |up to )*[$€£]?\d[\d.,]*\b(?! years)")


def of_people(clause: str, scene: Scene) -> list[Claim]:
    found: list[Claim] = []
    who = subject(clause, scene)
    if who is None:
        return found
    name, kind, first_person, end, stated = who
    found += stated
    if not first_person:
        if (scene.is_doubtful(name) or values.is_place(name)) and scene.person(name) is None:
            return []
        if scene.person(name) is not None or not _IS_NO_PERSON.match(clause, end):
            scene.last = name
    rest = clause[end:].strip()
    parsed = _parsed(rest, name, kind, first_person, scene)
    scene.parsed = clause, parsed
    if parsed is not None:
        found += _predicates(*parsed)
    # Behind "who" it is somebody else whom the rest is about: "I have a friend who is tall and vegan".
    own = re.split(r"\b(?:who|which|whose)\b", rest)[0] if " wh" in rest else rest
    parts = re.split(r",? (?:and|but) (?!I\b|we\b|my\b|our\b|he\b|she\b|it\b|the\b)", own)
    # "He assumes that I own my flat and drive a van": of whom the second verb is.
    of_others = not first_person and _SPEAKER.search(parts[0]) is not None
    for part in [] if of_others else parts[1:]:
        parsed = _parsed(part, name, kind, first_person, scene)
        if parsed is not None:
            found += _predicates(*parsed)
    known = first_person or scene.person(name) is not None
    # Somebody whom only this clause makes a person must do what persons do.
    return found if known or any(each.predicate in _PERSONAL for each in found) else []


def _parsed(
    rest: str, who: str, kind: EntityKind, first_person: bool, scene: Scene
) -> tuple[_Clause, str, bool] | None:
    """A clause behind its subject, the form of its verb, and whether it is denied; None where it states nothing."""
    if first_person and rest.partition(" ")[0] in _OF_ANOTHER:
        return None  # "We sang about a girl who lives by the sea and works at the mill"
    match = _STATE_VERB.match(rest)
    assert match is not None
    auxiliary, core = match[1].lower().strip(), match[2].strip()
    words = auxiliary.split()
    over = "no longer" in auxiliary or "used to" in auxiliary
    negated = ("not" in words or "never" in words) and not over
    if negated and _ENDING.search(core):
        core, over, negated = _ENDING.sub("", core).strip(), True, False
    stopped = re.match(r"(?:stopped|quit|gave up|given up) (?=\w+ing\b)", core, re.IGNORECASE)
    if stopped is not None and not negated:
        core, over = re.sub(r"^being ", "", core[stopped.end() :]), True
        words = ["am"]
    if not core:
        return None
    ahead = "will" in words or "going to" in auxiliary or "about to" in auxiliary
    if words and words[-1] in ("was", "were") and not re.match(_PASSIVE, core, re.IGNORECASE):
        return None
    if "can" in words and not negated and not re.match(r"(?:play|speak|not)", core):
        return None
    if (
        ahead
        and not (negated and "will" in words)
        and moment(core, scene.at, ahead=True) is None
        and not (re.match(r"(?:lead|own|run|take|head)\b", core) and moment(scene.text, scene.at, ahead=True))
    ):
        return None
    clause = _Clause(who, kind, first_person, " ".join(words), core, scene, over)
    return clause, _form(words, ahead), negated


def _predicates(clause: _Clause, form: str, negated: bool) -> Iterator[Claim]:
    """What the rule that fits states, where one does."""
    if clause.auxiliary == "had" and not clause.over:
        return
    anything, rules = _rules("not" if negated else form)
    if anything.match(clause.core) is None:
        return
    for pattern, rule in rules:
        found = pattern.match(clause.core)
        if found is not None:
            made = list(rule(clause, found))
            yield from made
            if made:
                return


#: "Bogdan is our on-call this week": who fills a place of ours.
_OURS = lazy(
    r"(?:my|our|the(?= (?:contact|sponsor|maintainer|reviewer)\b)) (?:new |current )?(?P<what>[a-z][a-z-]+(?: [a-z-]+)?)(?=$|[.,;!]| (?:this|at|for|now|until|from|since|these|and)\b)"
)
_NO_PLACE_OF_OURS = word_set(
    "hero rock favourite favorite life world everything problem hope idol inspiration best only guy man girl woman kind type person star saviour savior angel baby fault concern business one own way"
)


def of_anybody(text: str, scene: Scene) -> list[Claim]:
    """What a clause that no rule reads states of a person or an animal, in a slot of its own."""
    read, parsed = scene.parsed
    if read is not text or parsed is None:
        return []
    clause, form, negated = parsed
    if not clause.first_person and scene.person(clause.who) is None:
        return _of_stranger(clause, form, negated, scene)
    place = _OURS.match(clause.core) if form == "be" and not negated and not clause.first_person else None
    if (
        place is not None
        and place["what"].split()[-1] not in _NO_PLACE_OF_OURS
        and place["what"].split()[0] not in QUALITIES
        and clause.who not in scene.relatives
    ):
        filled = place["what"].replace(" ", "_").replace("-", "_")
        return [Claim(scene.speaker, "person", filled, clause.who, "person")]
    base = clause.first_person or (clause.who in scene.relatives and scene.relatives[clause.who][1] in PLURAL)
    words = clause.auxiliary.split()
    found = english_open.of_verb(clause.core, words, form, negated, base, scene.written, clause.over)
    return [] if found is None else [clause.claim(*found, past=form != "be")]


def _of_stranger(clause: _Clause, form: str, negated: bool, scene: Scene) -> list[Claim]:
    """What is told of somebody or something by a name that no list has: "Yusra has admin rights on the cluster"."""
    if negated or clause.over or clause.who.islower() or " " in clause.who or plain_english(clause.who.casefold()):
        return []
    words = clause.auxiliary.split()
    if form == "be":
        found = english_open.complement(clause.core.partition(" ")[0], clause.core, clause.core.partition(" ")[2])
    elif words == ["has"]:
        found = english_open.possession("", clause.core, "", ["has"])
    else:
        found = None if words else english_open.happened(clause.core)
    if found is None or found[0].endswith("ing"):
        return []
    return [Claim(clause.who, "topic", found[0], found[1])]


def _form(words: list[str], ahead: bool) -> str:
    """The form of what follows these auxiliaries: a complement, a participle or a verb. The last may be `ahead`."""
    last = words[-1] if words else ""
    if last == "longer" and len(words) > 2:
        last = words[-3]
    form = "be" if last in ("am", "is", "are", "was", "were", "been", "being") else "verb"
    if words and words[-1] == "be" and ahead:
        form = "be"
    if words and words[-1] in ("have", "has", "got"):
        form = "have"
    if "not" in words and len(words) > 1 and words[words.index("not") - 1] in ("am", "is", "are"):
        form = "be"
    return form


_PASSIVE = r"(?:promoted|made|appointed|hired|laid off|fired|elected|diagnosed|born|let go|named|given)\b"

# --- what people do --------------------------------------------------------------------------------------------------


def _lives(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    rest = clause.core[match.end() :]
    where = values.place(rest)
    if where is None or clause.scene.person(where) is not None:
        return
    left = re.search(r" from (?P<old>[\w' -]+?) $", match.group())
    if left is not None and not any(map(values.is_place, (left["old"], where))):
        return  # from one tool to another
    yield clause.claim("lives_in", where, "place", past=bool(re.match("moved|relocated|settled", match.group(), re.I)))


def _moving(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """A move to come holds from its day; without one it is a wish."""
    day = moment(clause.core.split(" and ")[0], clause.scene.at, ahead=True)
    where = values.place(clause.core[match.end() :])
    together = re.match(r"(?:moving|move) in together,? (?:in|to) ", clause.core)
    if together is not None:
        where = values.place(clause.core[together.end() :])
    if where is not None and day is not None:
        yield Claim(clause.who, clause.kind, "lives_in", where, "place", False, since=day)


def _works(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    rest = clause.core[match.end() :]
    work = match.groupdict().get("role")
    if work:
        named = values.role(work, sure=True)
        if named is not None:
            yield clause.claim("role", named)
    where = values.organization(rest)
    own = None if where is None else re.search(rf"{re.escape(where)}, (?P<name>{NAME})(?=[.,;!]|$)", rest)
    if own is not None and where is not None and where.islower():
        where = own["name"]  # "a record shop, Rough Trade"
    if where is not None and where.split()[0].lower() not in ("home", "night", "nights", "weekends"):
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")


def _is_with(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    where = match["org"].removesuffix(",")
    if clause.scene.person(where) is None and where.casefold() not in NO_NAMES:
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")


def _sees(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    sort = re.search(
        r"\b(dentist\w*|vet|physio|therapist|optician|dermatologist|cardiologist|gp)\b",
        clause.scene.text,
        re.IGNORECASE,
    )
    named = {"dentists": "dentist", "dentistry": "dentist"}.get(sort[1].lower(), sort[1].lower()) if sort else "doctor"
    yield clause.claim(named, match["value"], "person")


def _takes(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    how = re.split(r"[.;!?]| and (?:I|we|my)\b| but ", match["value"])[0].strip(" ,")
    if 0 < len(how.split()) <= 6 and not how.endswith("ly"):
        yield clause.claim(match["what"], how)


def _goes_over(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I've switched to Monzo, my bank was useless": the slot is what the turn talks of."""
    what = values.value(
        re.split(r"\s(?:for|from|as|at|in|over|because)\s", values.until(clause.core[match.end() :]))[0], 4
    )
    if what is None or values.is_place(what) or clause.scene.person(what) is not None:
        return
    rest = clause.scene.written.replace(what, " ")
    slots = [each for each in re.findall(r"(?<!from )\b[a-z]+", rest.lower()) if each in _SWITCHED]
    if slots:
        yield clause.claim(slots[0], what)
    elif what[:1].isupper() and match.group().startswith(("switched", "moved", "upgraded")) and not clause.first_person:
        return


def _settles(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "We have a row house in Skanderborg": where one lives."""
    where = values.place(clause.core[match.end() :])
    if where is not None and clause.scene.person(where) is None and not re.match(r"(?:rent|let) out", clause.core):
        yield clause.claim("lives_in", where, "place", past=True)


def _is_still_at(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I'm still at the tax office": an employer without a name, where the words say that it lasts."""
    if re.search(r"\b(?:still|now|(?:these|most) days)\b|\bfor (?:\w+) years", clause.scene.text):
        clause.scene.employers[clause.who] = match["org"]
        yield clause.claim("works_at", match["org"], "organization")


def _called(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I swim with a club called Les Dauphins": what is called so is the speaker's."""
    yield clause.claim(match["what"].replace(" ", "_"), match["value"])


#: What somebody has or goes to that has a name of its own.
_NAMED_THINGS = "club|choir|band|team|company|firm|charity|shop|café|cafe|gym|school|nursery|library|app|tool|service|repo|repository|project|branch|channel|bucket|server|host|podcast|blog|street|village|boat|allotment|dealer|supplier|client|customer|farm|restaurant|pub|hotel|town|nursery school|magazine|forum"


def _numbered(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I got plot 14": what has a number of one's own."""
    yield clause.claim(match["what"], match["value"])


#: Fields that one "does".
_FIELDS = (
    "backend|frontend|front end|back end|iOS|Android|design|infra|ops|devops|DevOps|QA|testing|data|ML|translations|payroll|accounts|accounting|"
    "marketing|sales|support|security|HR|logistics|product|(?:(?!some|more|much|any|my|the|his|her|a|lots|your|enough|our)[a-z]+ )?(?:law|design|photography|engineering)|(?:cancer|market|user|climate|medical|clinical|basic|applied) research"
)
#: What is somebody's by its number, and what people play.
_NUMBERED = "plot|desk|locker|seat|room|table|berth|pitch|unit|class|group|team|bay|bed|cabin|pen|booth|lane"
_PLAYED = (
    "violin|viola|cello|piano|guitar|bass|drums|flute|clarinet|oboe|trumpet|trombone|saxophone|harp|ukulele|accordion|tuba|organ|recorder|bagpipes|banjo|mandolin|harmonica|euphonium|cornet|bassoon|"
    "football|handball|basketball|volleyball|tennis|badminton|squash|hockey|rugby|cricket|golf|chess|netball|baseball|table tennis"
)

#: What somebody may run.
_BUSINESS = (
    "shop|bakery|business|company|practice|agency|studio|café|cafe|restaurant|bar|pub|garage|farm|salon|gallery|store|startup|start-up|"
    "consultancy|podcast|blog|channel|newsletter|stall|brewery|workshop|school|gym|firm|clinic|food truck|bookshop|label|charity"
)

#: What people change: where a turn names one, "I switched to X" says which.
_SWITCHED = word_set(
    """
    bank coffee tea phone laptop provider broadband insurance insurer vet dentist doctor gp hairdresser barber plan
    tariff browser editor framework database language major subject diet shampoo brand airline network router car bike
    """
)


#: Lasting illnesses, foods that people avoid, animals that they keep, and groups that they join.
_ILLNESSES = (
    "co?eliac disease|(?:type [12] )?diabetes|asthma|epilepsy|arthritis|eczema|psoriasis|ADHD|hay ?fever|migraines|tinnitus|"
    "glaucoma|endometriosis|sciatica|high blood pressure|dyslexia|sleep apn(?:o)?ea|IBS|MS|dementia|[A-Z][a-z]+'s(?: disease| syndrome)?(?=[.,;!]|$)"
)
_FOREGONE = "dairy|gluten|sugar|alcohol|caffeine|meat|wheat|milk|carbs|bread|coffee"
_KEPT = "chickens|hens|bees|goats|sheep|pigs|ducks|pigeons|rabbits|quails?|alpacas|horses|geese|donkeys"
_CIRCLES = (
    "brigade|society|club|choir|team|league|orchestra|band|union|committee|board|council|association|guild|scouts"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_UNITS = "two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_AGES = rf"(?:{_TENS})(?:-(?:one|{_UNITS}))?|{_TEENS}|{_UNITS}"


def _age_in_words(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "She is nine", "I am seventy-three". For the speaker, small numbers are ignored: they may count something
    else."""
    if not clause.first_person or re.match(rf"{_TENS}|{_TEENS}", match["age"]):
        yield clause.claim("age", match["age"])


def _turns(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I turn 80 in June": from that day on."""
    day = moment(clause.core, clause.scene.at, ahead=True)
    age = "100" if match["age"] == "a hundred" else match["age"]
    if day is not None and not (age.isdigit() and int(age) > 119):
        yield Claim(clause.who, clause.kind, "age", age, since=day)


def _studies_at(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    if school := values.organization(clause.core[match.end() :]):
        yield clause.claim("studies_at", school, "organization")


def _heads(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    yield clause.claim("role", match["value"])
    if match["org"] and (where := values.organization(match["org"])):
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")


def _teaches_at(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    where = values.organization(match["org"])
    yield clause.claim("teaches", match["value"].strip())
    if where is not None:
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")


#: What makes "I'm in Lend" no visit.
_STAYS = lazy(
    r"\b(?:still in|moved|flat|house|apartment|new place|settled|been in [A-Z]\w+(?: [A-Z]\w+)? (?:since|for (?:\w+ ){1,2}(?:months|years|weeks now)))\b"
)


def _is_in(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "He's over in Cardiff": where somebody else lives, unless a visit is told."""
    where = values.place(clause.core[match.end() :])
    if where is None or (clause.first_person and not _STAYS.search(clause.scene.text)):
        return
    if not clause.first_person and not values.is_place(where):
        return
    if re.search(
        r"\b(?:today|until|till|for (?:a|the|work|now)|this week|tonight|on (?:holiday|vacation|business)|visiting|right now|with (?:him|her|them)|hospital|recover\w*)\b",
        clause.scene.text,
    ):
        return
    yield clause.claim("lives_in", where, "place")


_INSTITUTION = lazy(
    r"\b(?:Hospital|Infirmary|School|University|College|Clinic|Council|Academy|Institute|Library|Museum|Nursery|Surgery|Bank)\b"
)


def _is_at(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I'm at Acme now": an employer where the words say that it lasts."""
    where = values.organization(clause.core[match.end() :])
    lasts = re.search(
        r"\b(?:still|now|these days|nowadays|since|for (?:two|three|four|five|\d+|many) (?:years|months))\b",
        clause.scene.text,
    )
    if where is None or not where[:1].isupper() or clause.scene.person(where) is not None or values.is_place(where):
        return
    stays = lasts is not None or (_INSTITUTION.search(where) is not None and not clause.first_person)
    if stays and not re.search(r"\b(?:[Pp]ark|[Ss]tation|[Aa]irport|Starbucks|pub|[Cc]af[eé]|[Gg]ym|party)\b", where):
        yield clause.claim("works_at", where, "organization")


def _takes_over(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    what = re.split(r"\sfrom\s", values.until(match["what"] or match["thing"]))[0].strip()
    giver = re.search(rf" from (?P<name>{NAME})", match.group() + clause.core[match.end() :])
    if not 0 < len(what.split()) <= 4 or what.split()[0] in ("my", "his", "her", "it", "the_"):
        return
    if giver is not None:
        name = clause.scene.person(giver["name"]) or giver["name"]
        yield Claim(name, "person", "owns", what, None, True)
    yield clause.claim("owns", what)


def _counts(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "We crossed 5,000 users": how many there are of something."""
    item = match["item"].lower()
    if item in _NO_COUNT or (clause.auxiliary.endswith(("have", "has", "got")) and len(match["value"]) < 2):
        return
    yield clause.claim(f"{item}_count", f"{match['value']} {match['item']}")


_NO_COUNT = word_set(
    "minutes hours days weeks months years percent euros dollars pounds kg km miles meetings degrees people am pm more left times o"
)


def _starts_at(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    where = values.organization(clause.core[match.end() :])
    day = moment(clause.core, clause.scene.at, ahead=not match.group().lower().startswith(("started", "joined", "got")))
    if where is None or not where[:1].isupper() or clause.scene.person(where) is not None:
        return
    if match.group().startswith(("start ", "begin ")) and not re.search(r" (?:at|with|for) ", match.group()):
        return  # who starts a firm has founded it
    if re.search(
        r"\b(?:club|choir|orchestra|gym|team|society|band|league|union|association|party|church|group|class|forum|chapter|community|meetup)\b",
        where,
        re.I,
    ):
        yield Claim(clause.who, clause.kind, "member_of", where, "organization", clause.over, since=day)
        return
    clause.scene.employers[clause.who] = where
    yield Claim(clause.who, clause.kind, "works_at", where, "organization", clause.over, since=day)
    named = re.search(r" as (?=an? |the |our )", clause.core)
    role = None if named is None else values.role(clause.core[named.end() :])
    if role is not None:
        yield Claim(clause.who, clause.kind, "role", role, None, clause.over, since=day)


def _leaves(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    where = values.organization(clause.core[match.end() :])
    if where is None or clause.scene.person(where) is not None or values.is_place(where):
        return
    if where.lower() in ("company", "firm", "job", "team", "office", "agency"):
        return
    if (
        not where[:1].isupper()
        and where.lower() not in ("bakery",)
        and not match.group().lower().startswith(("quit my", "resigned", "laid", "fired", "let"))
    ):
        sure = clause.scene.employers.get(clause.who, "")
        if (
            where.lower() not in sure.lower()
            and len(where.split()) > 1
            and where.split()[-1] not in values.EMPLOYER_WORDS
        ):
            return
    if re.match(r"[Ww]e\b", clause.scene.text) and match.group().startswith(("left", "leaving")):
        yield clause.claim("uses", where, None, ended=True)
        return
    day = moment(clause.scene.text, clause.scene.at, ahead=True) if re.match("handed|gave", match.group()) else None
    yield Claim(clause.who, clause.kind, "works_at", where, "organization", True, until=day)


def _role(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    rest = clause.core[match.end() :]
    named = values.role(rest)
    if named is None:
        return
    if re.search(r"\bstudent$", named):
        subject = re.match(rf"{re.escape(named)} (?:at|of) (?:the )?(.+)", rest)
        yield clause.claim("role", named)
        if subject is not None and (school := values.organization(subject[1])):
            yield clause.claim("studies_at", school, "organization")
        return
    yield clause.claim("role", named)
    at = re.match(rf"(?:(?:a|an|the|our) )?{re.escape(named)} (?:at|for|with) (?P<org>.+)", rest)
    if (
        at is not None
        and named.lower().split()[-1] not in _AT_PLAY
        and (where := values.organization(at["org"])) is not None
    ):
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")
    origin = re.match(rf"(?:(?:a|an|the) )?{re.escape(named)} from (?P<place>{NAME})", rest)
    if origin is not None and (home := values.place(origin["place"])):
        yield clause.claim("comes_from", home, "place")


#: Of whom a club or a band has one, without employing them.
_AT_PLAY = word_set(
    "goalkeeper keeper striker defender midfielder captain drummer bassist singer guitarist treasurer secretary volunteer chair"
)


def _becomes(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    sure = not match.group().startswith(("became", "become"))
    named = values.role(clause.core[match.end() :], sure=sure)
    if named is not None and named.lower().split()[-1] not in ("vegan", "vegetarian"):
        yield clause.claim("role", named, past=True)
        at = re.match(rf"{re.escape(named)} (?:at|with|for) (?:the )?(?=[A-Z])", clause.core[match.end() :])
        where = None if at is None else values.organization(clause.core[match.end() + at.end() :])
        if where is not None and clause.scene.person(where) is None:
            yield clause.claim("works_at", where, "organization", past=True)


def _simple(predicate: str, kind: EntityKind | None = None, most: int = 5, ended: bool = False) -> Rule:
    """A claim of the phrase behind the match, or of its group `value`."""

    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        text = match.groupdict().get("value") or clause.core[match.end() :]
        if predicate in ("plays", "learns"):
            text = re.split(r" (?:in|at|for|with|on|from|as) ", text)[0]
        what = values.value(text, most)
        if what is not None and not what.lower().startswith(("to ", "it ", "being ", "how ", "what ")):
            yield clause.claim(predicate, what, kind, ended=ended)

    return read


def _listed(predicate: str) -> Rule:
    """A claim for each of the things behind the match: "peanuts, cats and dust"."""

    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        text = re.split(r"[;:.!?()–—]| but | - | so | because | since | without ", clause.core[match.end() :])[
            0
        ].rstrip(" ,")
        parts = re.split(r",? (?:and|or|&) |, ", text)
        if not re.search(r" (?:and|or|&) ", text) and any(len(each.split()) > 2 for each in parts):
            parts = parts[:1]  # a comma and more words begin something else
        for at, part in enumerate(parts):
            if at and ((part.split()[:1] and part.split()[0].endswith("ing")) or _STATES.search(part)):
                break
            if re.match(r"(?:I|we|my|he|she|it|the|please|come|which|as|by|was|is|am|have|has|do|don)\b", part):
                break
            what = values.value(
                re.sub(r"^(?:(?:a )?(?:bit|lot|little|touch) of |a (?:little|bit) |some |fluent )", "", part), 4
            )
            if what is None:
                break
            yield clause.claim(predicate, what)

    return read


def _field(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I do costume design at the Playhouse"."""
    yield clause.claim("role", match["value"])
    at = re.match(r" (?:at|for) (?:the )?(?=[A-Z])", clause.core[match.end() :])
    where = None if at is None else values.organization(clause.core[match.end() + at.end() :])
    if where is not None:
        yield clause.claim("works_at", where, "organization")


#: What makes a part of a list a clause of its own.
_STATES = lazy(r" (?:is|are|am|was|has|have|does|do|can|will|would|loves?|hates?|lives?|works?|eats?)\b")


def _when_doing(rule: Rule) -> Rule:
    """A rule for what one does or does not do: "Dieter does the backend", "I don't do mornings"."""

    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        words = clause.auxiliary.split()
        doing = words[-2:] == ["not", "do"] if "not" in words else words[-1:] in (["do"], ["does"])
        if doing:
            yield from rule(clause, match)

    return read


def _owns(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    rest = clause.core[match.end() :]
    item = values.belonging(rest)
    verb = match.group().partition(" ")[0].lower()
    if item is None:
        return
    named = re.search(rf"{re.escape(item)}, (?:an?|the) (?P<name>{NAME})(?=[.,;!)]|$| in\b| with\b)", rest)
    if named is not None and named["name"].casefold() not in NO_NAMES:
        item = named["name"]  # "a rotavator, a Honda F220"
    words = item.split()
    if verb == "" and (words[-1].lower() in _NO_BELONGING or not (words[0][:1].isupper() or words[-1][:1].isupper())):
        return
    if (verb == "picked" and not item[:1].isupper()) or words[-1].lower() in ("recipes", "12-pack", "few"):
        return
    if not PETS.isdisjoint(item.lower().split()):
        return
    if re.search(r"\b(?:gift|present|for (?:her|him|them|my|his|mum|mom|dad))\b", clause.core):
        return
    if (
        words[-1].lower() in KIN
        or words[-1].lower() in PETS
        or words[-1].lower() in ("cold", "headache", "appointment", "meeting")
    ):
        return
    yield clause.claim("owns", item, "item" if not item[0].isdigit() or len(words) > 1 else None, past=verb == "bought")


_NO_BELONGING = word_set(
    """
    call meeting interview session appointment period raise plan idea question problem test exam class lesson date
    deadline degree certificate birthday party trip flight ticket day days week weeks month months year years hour
    hours minute minutes time times subscription membership account offer deal discount conversation chat event
    conference workshop course training project presentation reservation booking review visit surgery operation
    allergy diabetes asthma disorder disease syndrome job role position phd doctorate diploma qualification
    """
)


def _parts(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    item = values.belonging(clause.core[match.end() :])
    if item is not None:
        yield clause.claim("owns", item, "item", ended=True)


#: "complex, atmospheric shows": what is liked comes last.
_ADJECTIVES = lazy(
    r"[a-z]+, (?!(?:and|but|so|or|not|my|our|the|an?|he|she|it|they|we|you|which|who|especially|because)\b)[a-z-]+ [a-z]+(?=[.,;!]|$)"
)


def _taste(predicate: str) -> Rule:
    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        what = values.value(clause.core[match.end() :], 4)
        if _ADJECTIVES.match(clause.core, match.end()):
            return
        if what is None or (clause.first_person and len(clause.scene.text) > 90) or len(what.split()) > 3:
            return
        what = re.sub(r" (?:more|most|better|best|a lot|so much|dearly)$", "", what)
        if what.split()[0].lower() in (
            "those",
            "these",
            "each",
            "to",
            "it",
            "how",
            "when",
            "what",
            "your",
            "you",
            "being",
            "meetings",
            "harder",
            "deeply",
            "louder",
        ):
            return
        if re.match(r"(?:the|this|that|your|his|her|their|my|our) ", clause.core[match.end() :]):
            return
        yield clause.claim(predicate, what)

    return read


def _diet(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    yield clause.claim("diet", match["value"].lower(), past=True)


def _partner(predicate: str) -> Rule:
    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        found = re.match(NAME, clause.core[match.end() :])
        if found is None or found.group().casefold() in NO_NAMES:
            return
        name = found.group().split(" and ")[0]
        if name in ("Outlook", "Excel") or (clause.scene.is_doubtful(name) and clause.scene.person(name) is None):
            return
        clause.scene.meet(name)
        yield clause.claim(predicate, name, "person", past=True)

    return read


def _joins_as(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    named = values.role(match["role"], sure=True)
    if named is not None:
        day = moment(match.group(), clause.scene.at, ahead=not match.group().startswith("joined"))
        yield Claim(clause.who, clause.kind, "role", named, None, False, since=day)


def _kin_is(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "Amara is my girlfriend", "Harriet is our boss"."""
    kin = match["kin"].lower()
    predicate = as_kin(kin)
    former = bool(re.search(r"\b(?:ex|former)\b", match.group()))
    owner = clause.scene.speaker
    if not clause.first_person and clause.who != owner and clause.who not in clause.scene.relatives:
        clause.scene.kin[owner, predicate] = clause.who
        clause.scene.meet(clause.who)
        yield Claim(owner, "person", predicate, clause.who, "person", former or clause.over)


def _has_kin(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    kin = (match["kin"] or match["pet"]).lower()
    predicate = as_kin(kin)
    name = re.match(NAME, clause.core[match.end() :])
    if name is not None:
        found = name.group().split(" and ")[0]
        clause.scene.meet(found)
        clause.scene.kin[clause.who, predicate] = found
        clause.scene.last = found
        yield clause.claim(predicate, found, "person")


#: Whom one has for something.
_HELPERS = "employee|assistant|apprentice|lodger|tenant|carer|cleaner|nanny|tutor|gardener|coach|trainer|mentor|helper|babysitter|childminder|intern|trainee"


def _helper(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I have one employee, Sander"."""
    clause.scene.meet(match["name"])
    clause.scene.last = match["name"]
    yield clause.claim(match["what"], match["name"], "person")


def _children(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    sort = "son" if "son" in match.group() else "daughter" if "daughter" in match.group() else "child"
    for name in re.findall(NAME, re.split(r"[.;!]", clause.core[match.end() :])[0]):
        for each in name.split(" and "):
            clause.scene.meet(each)
            yield clause.claim(sort, each, "person")


def _pets(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "Two kittens, Salt and Pepper"."""
    for name in re.findall(NAME, re.split(r"[.;!]", clause.core[match.end() :])[0]):
        for each in name.split(" and "):
            yield clause.claim("pet", each, None)


def _role_as(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    named = values.role(clause.core[match.end() :], sure=True)
    if named is not None:
        yield clause.claim("role", named)


def _pays(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I pay 42 euros a month for internet"."""
    yield clause.claim(f"{match['what'].replace(' ', '_')}_price", match["value"])


def _age(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    if 0 < int(match["age"]) < 120:
        yield clause.claim("age", match["age"])


def _reports_to(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    name = re.match(NAME, clause.core[match.end() :])
    if name is not None:
        clause.scene.meet(name.group())
        yield clause.claim("boss", name.group(), "person")


def _goes_to(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """A gym, club, school or practice that somebody belongs to: a slot where the conversation says of which sort it
    is."""
    found = re.match(rf"(?:[Tt]he (?=[A-Z])|the |a )?(?P<name>{NAME}|[a-z]+ [a-z]+ gym)", clause.core[match.end() :])
    if found is None or found["name"].casefold() in NO_NAMES or clause.scene.person(found["name"]) is not None:
        return
    sort = re.search(
        r"\b(gym|fitness|weights|climbing|pool|library|choir|church|club|school|university|college)\b",
        clause.scene.text,
        re.I,
    )
    general = match.group().lower().startswith(("go", "goes", "switched", "moved"))
    if sort is None and general:
        return
    named = (
        {"fitness": "gym", "weights": "gym", "climbing": "gym"}.get(sort[1].lower(), sort[1].lower()) if sort else ""
    )
    predicate = named if named in ("gym", "library", "school", "university", "college") else "member_of"
    yield clause.claim(predicate, found["name"], "organization", past=True)


def _cancels(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    found = re.match(rf"(?:my |our |the )?(?P<name>{NAME})", clause.core[match.end() :])
    if found is None or found["name"].casefold() in NO_NAMES or values.is_place(found["name"]):
        return
    gym = re.search(r"gym|fitness", found["name"] + clause.scene.text, re.IGNORECASE) is not None
    if gym or match.group().startswith("cancel"):
        yield clause.claim("gym" if gym else "member_of", found["name"], "organization", ended=True)


def _uses(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    what = re.split(r"\s(?:for|as|to|in|on|with|at)\s", values.until(clause.core[match.end() :]))[0]
    words = what.split()
    if not words or len(words) > 4 or words[0].lower() in _USELESS or values.is_day(what):
        return
    if match.group().startswith("run ") and not (words[0][:1].isupper() and re.search(r"\bnow\b", clause.scene.text)):
        return
    alone = re.match(r"(?:We|we|I)\b", clause.scene.text) is not None and len(words) == 1 and len(clause.core) < 40
    named = words[0][:1].isupper() or any(map(str.isdigit, words[0])) or words[-1][:1].isdigit()
    if not named and not (alone and not plain_english(words[0].lower())):
        return
    yield clause.claim("uses", values.bare(what))


_USELESS = word_set(
    "it them this that these those the a an my your his her our their to one some any more less all you me him us public same"
)


def _switches(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    old, new = match.groupdict().get("old"), match["new"]
    if match.groupdict().get("slot"):
        return  # what runs where is read from the whole clause
    yield from _replaced(clause.who, clause.kind, match.groupdict().get("slot"), old, new, clause.scene)


def _replaced(who: str, kind: EntityKind, slot: str | None, old: str | None, new: str, scene: Scene) -> Iterator[Claim]:
    """One value in place of another: "from diesel to sqlx", "RabbitMQ with NATS"."""
    fresh = tool(re.split(r"\s(?:for|as|on|at|in|over|with|since|last)\s", values.until(new))[0])
    stale = tool(old) if old else None
    if fresh is None or (old and stale is None):
        return
    named = slot_name(slot) if slot else None
    subject, subject_kind, predicate = (who, kind, "uses") if named is None else (named, "topic", "uses")
    if stale is not None:
        yield Claim(subject, subject_kind, predicate, stale, None, True)
    yield Claim(subject, subject_kind, predicate, fresh)


def tool(text: str | None) -> str | None:
    phrase = values.bare(values.until(text or "")).strip()
    words = phrase.split()
    if not words or len(words) > 4 or words[0].lower() in _USELESS or len(phrase) < 2:
        return None
    if words[0].lower() in ("work", "home", "school", "bed", "english", "topic", "topics", "sides", "gears", "jobs"):
        return None
    return phrase


def slot_name(text: str) -> str | None:
    phrase = re.sub(r"^(?:the|our|my|all|all of|all the|its) ", "", text.strip(), flags=re.IGNORECASE)
    return (
        phrase if 0 < len(phrase.split()) <= 4 and phrase.lower() not in ("it", "them", "everything", "this") else None
    )


def _earns(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    if match.group().startswith("paid") and not re.search(r"\b(?:am|is|are|get|gets|being)\b", clause.auxiliary):
        return  # what was paid for something
    yield clause.claim("salary", match["value"])


def _measures(predicate: str) -> Rule:
    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        yield clause.claim(predicate, match["value"].strip())

    return read


AMOUNT = r"(?P<value>(?:[$€£¥] ?)?\d[\d.,:/]*(?: ?(?:kg|kilos?|k|g|lbs?|cm|m|ft|euros?|pounds?|dollars?|%|percent)\b)?(?: (?:a|per) \w+)?)"


def _rule(forms: str, pattern: str, rule: Rule) -> tuple[frozenset[str], re.Pattern[str], Rule]:
    return frozenset(forms.split()), lazy(pattern), rule


_VERBS = [
    _rule("be", r"(?:based|located) (?=(?:in|at) )", _lives),
    _rule("be verb have", r"settled(?: down)? (?=(?:in|at) )", _lives),
    _rule("any", r"(?:live|lives|living|reside|resides) (?:(?:together|alone|happily|here|over|out|back|down|up|permanently|with (?:my |our |his |her )?\w+(?: \w+)??) )*(?=(?:in|at|on|near|outside|to) )", _lives),
    _rule("have be any", r"lived (?:(?:here|alone|together|with (?:my |our )?\w+) )*(?=in )", lambda c, m: _lives(c, m) if "have" in c.auxiliary or "has" in c.auxiliary or c.over else iter(())),
    _rule("verb have be", r"(?:moved|relocated)(?: (?:house|back|over|down|up|out|permanently|here|away|in|all the way))*(?: from [\w' -]{2,40}?)? (?=(?:to|into|in) )", _lives),
    _rule("be verb", r"(?:moving|relocating|move|relocate)(?: (?:house|back|over|down|up|out|permanently))*(?: from [\w' -]{2,40}?)? (?=(?:to|into) )|(?:moving|move) in together", _moving),
    _rule("any", r"(?:work|works|working|worked|employed|freelance|freelances|freelancing)(?: (?:full|part)[- ]time| remotely| mainly| shifts| freelance)* as (?:an? |the )?(?P<role>[\w -]+?)(?: (?:at|for|with|in) |(?=[,.;!]|$))", lambda c, m: _works(c, m) if not c.core.lower().startswith("worked") or "have" in c.auxiliary or c.over else iter(())),
    _rule("any", r"(?:work|works|working|employed|worked)(?: (?:full|part)[- ]time| remotely| mainly| shifts| nights| weekends| evenings| \w+ (?:days?|hours|shifts|nights) a week)* (?:for|at|by) (?!me\b|you\b|us\b|him\b|them\b)", lambda c, m: _works(c, m) if not c.core.lower().startswith("worked") or "have" in c.auxiliary or "has" in c.auxiliary or c.over else iter(())),
    _rule("be", r"(?:over |out |up |down |back )?in (?=[A-Z])", _is_in),
    _rule("be", r"(?:a |an )?(?:resident|citizen) of (?=[A-Z])", _lives),
    _rule("verb be", r"(?:rent|renting|rents|rented) (?:an? )(?:[\w-]+ ){0,2}(?:flat|room|house|apartment|studio|place|cottage) (?=in )", _lives),
    _rule("be", r"on (?:nights|days|shifts?|placement|contract|call|the [\w ]{2,20} team) at (?:the )?(?=[A-Z])", _works),
    _rule("be", r"(?:full|part)[- ]time (?:at|with|for) (?:the )?", _works),
    _rule("any", r"(?:was |were )?born (?:in|on) (?P<value>(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]+(?: \d{4})?|[A-Z][a-z]+ \d{1,2},? \d{4})\b", _simple("born")),
    _rule("be", r"at (?:the )?(?=[A-Z])", _is_at),
    # "We're with Octopus" tells nothing of work.
    _rule("be", rf"(?:with|at) (?P<org>{NAME})(?= (?:since|as)\b)", _is_with),
    _rule("verb be", r"(?:start|starts|starting|begin|begins|beginning|started|joining|join|joins|joined)(?: work| working| a (?:new )?job| my new job| the new job)? (?:(?:at|with|for) )?(?:the |a (?=(?:private|small|local|new) [a-z]+$))?(?!(?:a|an|my|our) )", _starts_at),
    _rule("verb have", r"(?:got|found|landed|have|accepted|took|starting|started)?(?: ?(?:an?|the|my)(?: new)? (?:[\w-]+ ){0,2}(?:job|position|offer|role)) (?:at|with|from) (?:the )?", _starts_at),
    _rule("any", r"(?:hired|employed|recruited) (?:by|at) (?:the )?", _starts_at),
    _rule("any", r"(?:quit(?: my job)?(?: at| with)?|resigned from|left|leaving|(?:got |was |been )?laid off (?:by|from)|(?:got |was |been )?fired (?:by|from)|let go (?:by|from)|handed in (?:my|his|her) notice (?:at|to|with)|gave notice (?:at|to)|(?:my|his|her) job at) (?:my job (?:at|with) )?(?:the )?", _leaves),
    _rule("be", rf"(?:still )?at (?:the |an? )(?P<org>(?:[a-z]+ ){{0,2}}(?:{values.EMPLOYERS}))(?=$|[,.;!]| (?:since|for|now|as)\b)", _is_still_at),
    _rule("be", r"the (?:owner|lead|maintainer|keeper) of (?:the )?(?P<value>[\w -]+)", _simple("owns", most=4)),
    _rule("any", rf"(?:on|got|get|gets|have|has|at|in|moved to|moving to|switched to|booked)? ?(?P<what>{_NUMBERED}) (?P<value>#?\w*\d\w*(?:-\w+)?)(?=$|[,.;!)]| (?:now|on|in|at|from|since|for|with|of)\b)", _numbered),
    _rule("verb have", rf"(?:started|taken up|took up|begun|began)(?: playing| learning)? (?:the )?(?P<value>{_PLAYED})\b(?! lesson)", _simple("plays", most=2)),
    _rule("any", rf"(?:gave up|given up|giving up|quit|dropped|stopped)(?: playing| learning)? (?:the |my )?(?P<value>{_PLAYED})\b", _simple("plays", most=2, ended=True)),
    _rule("verb", r"(?:wear|wears|take|takes) (?:an? )?size (?P<value>\d+(?:[.,]5)?)(?: (?:shoes?|boots|in shoes))", _simple("shoe_size", most=1)),
    _rule("verb be", rf"(?:use|uses|using|have|has) an? (?:[\w-]+ )?(?P<what>phone|laptop|tablet|camera|watch|e-reader|keyboard|printer|car|bike), an? (?P<value>{NAME})", lambda c, m: iter([c.claim(m["what"], m["value"])])),
    _rule("be", r"(?=(?:an?|the|our|your|its) )", _role),
    _rule("be verb", r"(?:remain |remains )?(?P<value>class rep|union rep|team lead|head (?:girl|boy)|parent governor|treasurer|secretary|chair(?:man|woman|person)?|captain|vice-captain|president|goalkeeper|headteacher|foreman)(?=$|[.,;!]| (?:now|of|for|at|until|since|from|again)\b)", _simple("role")),
    _rule("any", r"(?:became|become|promoted to|started as|training as|training to be) (?:an? |the |our |team's )?(?!to\b)", _becomes),
    _rule("be", r"(?:appointed|elected|made|named) (?:as )?(?=(?:an?|the|our|head|team|[a-z]+)\b)", _role),
    _rule("any", r"(?:joined|joins|joining|join|started with|starting with|started)(?: us| the team| our team)?(?: yesterday| today| last \w+| this \w+| (?:on|in|from) [\w ]+?)? as (?:our |an? |the )?(?P<role>[\w -]+)", _joins_as),
    _rule("verb be", r"(?:study|studies|studying)(?: (?P<value>[\w &-]+?))? at (?:the )?(?=[A-Z])", lambda c, m: iter([x for x in [c.claim("studies_at", values.organization(c.core[m.end():]) or "", "organization"), *([c.claim("studies", m["value"])] if m["value"] else [])] if x.object])),
    _rule("verb be", r"(?:study|studies|studying|majoring in) (?!for\b|at\b|in\b|hard\b|together\b|abroad\b|with\b|to\b|a lot)", _simple("studies", most=4)),
    _rule("verb be", r"(?:retraining|training|enrolled|studying|go|goes|student)[\w ]* (?:at|in) (?:the )?(?=University|College|[A-Z][\w' -]* (?:University|College|School|Academy))", lambda c, m: iter([c.claim("studies_at", values.organization(c.core[m.end():]) or "?", "organization")])),
    _rule("be", r"allergic to ", _listed("allergic_to")),
    _rule("verb have", r"(?:an? )?(?:[a-z]+ )?allerg(?:y|ies) to ", _listed("allergic_to")),
    _rule("verb have", r"(?:an? )?(?:bad |severe |mild |serious )*(?P<value>[\w -]+?) allergy\b", _simple("allergic_to")),
    _rule("be", r"intolerant (?:to|of) ", _listed("intolerant_to")),
    _rule("be", r"(?P<value>(?:lactose|gluten|fructose|histamine|dairy)(?: |-)intolerant)\b", _simple("health")),
    _rule("be", r"(?P<value>diabetic|asthmatic|coeliac|celiac|colou?r[- ]?blind|dyslexic|left-?handed|short-sighted|pregnant|sober)\b", _simple("health")),
    _rule("be", r"diagnosed with (?:an? )?", _simple("health")),
    _rule("be verb have any", r"(?:turned |went |become |gone )?(?:an? )?(?:strict )?(?P<value>vegan|vegetarian|veggie|pescatarian|teetotal|(?:gluten|lactose|dairy|sugar|alcohol|nut)[- ]free|plant-based)s?(?=$|[.,;!?)]| (?:and|but|since|for|now|so|because|these|by|again|at|in|except|too|diet|household|family|all|last|this|myself)\b)", _diet),
    _rule("not", r"eat ", _listed("does_not_eat")),
    _rule("not", r"drink (?:any )?", _listed("does_not_drink")),
    _rule("not", r"(?:stand|like|enjoy|abide|bear|care for) ", _taste("dislikes")),
    _rule("verb have", rf"(?:an? )?(?:mild |bad |severe |chronic )*(?P<value>{_ILLNESSES})\b(?! (?:nurse|clinic|doctor|test|group))", _simple("health")),
    _rule("be", rf"off (?P<value>{_FOREGONE})(?=$|[,.;!]| (?:since|for|now|again)\b)", _simple("does_not_eat")),
    _rule("be", r"an? (?:\w+ )?size (?P<value>\d{1,2}(?:[.,]5|½)?|X*[SML])(?=$|[.,;!)](?!\d)| (?:in|now|and|for|shoe)\b)", _simple("size")),
    _rule("be", r"(?:(?:down|up|back) (?:to|at) )?(?P<value>\d[\d.,]* ?(?:kg|kilos?|pounds|lbs|stone))\b", _simple("weight")),
    _rule("be verb have", r"(?:(?:became|become|promoted to|made|appointed|now) |(?<!.))(?:the )?(?P<value>(?:[Hh]ead|[Dd]irector|vice president|VP) of (?:(?:the|an?|our) )?[A-Za-z]+(?: and [A-Za-z]+| (?!at\b|for\b|in\b|now\b|since\b|and\b)[a-z]+)?)(?: (?:at|for) (?P<org>.+))?(?=$|[,.;!]| )", _heads),
    _rule("be", r"(?P<value>smoking|vaping)\b", _simple("habit")),
    _rule("verb have", r"(?:opened|have|has|got) an? (?:[a-z]+ )?account (?:with|at) (?=[A-Z])", _simple("account", "organization", most=3)),
    _rule("be", r"in (?:my|his|her) \w+ year (?:of [\w' ]+? )?at (?:the )?(?=[A-Z])", _studies_at),
    _rule("be", r"an? (?:mother|father|mum|mom|dad|parent) of (?P<value>two|three|four|five|six)\b", _simple("children")),
    _rule("verb be", r"(?:rent|rents|renting) (?=in [A-Z])", _lives),
    _rule("verb", r"(?:make|makes|earn|earns) (?:my|his|her|a) living (?:by |from )?(?P<value>\w+ing [a-z ]+)", _simple("occupation")),
    _rule("verb be", rf"(?:keep|keeps|keeping) (?P<value>{_KEPT})\b", _simple("keeps")),
    _rule("verb have", rf"(?:joined|joins) (?:the|a) (?P<value>[a-z ]{{0,30}}?(?:{_CIRCLES}))(?=$|[.,;!]| (?:in|at|last|this|since)\b)", _simple("member_of")),
    _rule("verb be", rf"(?:turn|turns|turning) (?P<age>\d{{1,3}}|a hundred|{_AGES})(?= (?:in|on|this|next|tomorrow)\b)", _turns),
    _rule("be", rf"(?P<age>{_AGES})(?= years old|$|[.,;!]| (?:and|but|now)\b)", _age_in_words),
    _rule("be", r"(?:self-employed|freelance|freelancing|employed) as (?=an? )", _role_as),
    _rule("be", r"(?P<value>self-employed|unemployed|retired|freelance|on parental leave|on maternity leave)\b(?! with)", _simple("occupation")),
    _rule("be", r"(?:an? )?(?P<value>married|single|divorced|engaged|widowed|separated|widower|widow)\b(?= again| since| now|[.,!;]|$| for)", _simple("relationship_status")),
    _rule("any", r"(?:got )?(?:married to|married) (?!my|the|a\b)", _partner("married_to")),
    _rule("any", r"engaged to (?!my|the|a\b)", _partner("fiance")),
    _rule("any", r"(?:dating|going out with|seeing|in a relationship with) (?!my|the|a\b)", _partner("partner")),
    _rule("be", rf"(?:my|our) (?:{QUALITY})(?P<kin>{KINWORD})\b(?!'s| \w+ing)", _kin_is),
    _rule("have", rf"(?:an?|one|hired|hired an?) (?:new )?(?P<what>{_HELPERS}),? (?:called |named )?(?P<name>{NAME})(?=$|[.,;!]| (?:and|who)\b)", _helper),
    _rule("have", rf"(?:an? |two |three )?(?:{QUALITY})(?P<kin>{KINWORD})(?P<pet>)(?: who is)?,? (?:called|named|whose name is) ", _has_kin),
    _rule("be", r"(?P<value>[12][.,]\d\d ?m?)(?=$|[.,;!](?!\d)| (?:tall|and|now)\b)", _simple("height")),
    _rule("be", r"on (?P<value>[$€£]?\d{2,3}(?:[.,]\d{3}|k))(?=$|[.,;!](?!\d)| (?:a year|before|after|gross|net|plus|per year|and|now)\b)", _simple("salary")),
    _rule("be", r"(?P<age>\d{1,3})(?![.,]\d)(?: years old| now| today)?(?=$|[.,;!]| (?:and|now|since|in|on (?:the|[A-Z]\w+))\b)", _age),
    _rule("any", rf"turned (?P<age>{_AGES})(?=$|[.,;!]| (?:and|now|today|yesterday|last|on|in|this)\b)", _age_in_words),
    _rule("be", r"(?P<value>(?:four|five|six|[4-7]) (?:foot|feet|ft)(?: (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven))?)(?=$|[.,;!]| tall| and\b)", _simple("height")),
    _rule("any", r"turned (?P<age>\d{1,3})(?=$|[.,;!]| (?:and|now|today|yesterday|last|on|in|this)\b)", _age),
    _rule("verb", r"report(?:s)? to (?:the )?", _reports_to),
    _rule("verb", r"(?:own|owns) (?:the )?(?P<value>[a-z][\w -]*?|[A-Z]{2,}[\w -]*?|) ?(?P<sort>module|UI|ui|app|gateway|docs|website|site|parser|engine|search|migration|service|importer|worker|component|pipeline|api|frontend|backend|infra|infrastructure|repo|codebase|integration|deployment|release|billing|payments)\b", lambda c, m: iter([c.claim("owns", m.group().split(" ", 1)[1].removeprefix("the "))])),
    _rule("verb", r"(?:looks? after|takes? care of|coordinates?|maintains?) (?:the )?(?!(?:my|his|her|your|their|him|it|them|me|us|himself|herself|myself|all|every\w*|things|business|an?)\b)", _simple("responsible_for")),
    _rule("be", r"(?:responsible for|in charge of) (?!my|his|her|our|your|their|all|every)", _simple("responsible_for")),
    _rule("verb have any", rf"(?:have |has |bought |found |got |rent |own )?(?:an? |our own |my own )(?!holiday|summer|second|beach|rental)(?:(?!holiday|summer|second|beach|rental)[\w-]+ ){{0,2}}(?:flat|house|room|apartment|studio|place|cottage|bungalow|houseboat|townhouse|condo) (?=in {NAME})", _settles),
    _rule("verb have", rf"(?:run|runs|own|owns|opened|founded|launched|started|set up|have|has)? ?(?:an?|my own|our own|my|our|his own|her own) (?:[\w-]+ ){{0,2}}(?:{_BUSINESS})(?:,| called| named) (?P<value>{NAME})", _simple("runs", "organization")),
    _rule("not", r"(?:any )?(?=(?:dairy|gluten|nuts|lactose|sugar|alcohol|caffeine|wheat|eggs?|soy|shellfish|milk|fish|meat|pork|cheese|peanuts)\b)", _listed("does_not_eat")),
    _rule("not", r"(?P<value>[a-z]{4,}s)(?=$|[,.!;])", _when_doing(_simple("dislikes", most=1))),
    _rule("verb be", rf"(?:dating|seeing|going out with) an? \w+ (?:called|named) (?P<value>{NAME})", _simple("partner", "person")),
    _rule("verb be", rf"(?:take|takes|taking|on) (?:(?:\d+|one|two|three|half a) (?:tablets?|pills?) of )?(?P<value>(?:\d+ ?(?:mg|mcg|ml) (?:of )?)?(?:{values.MEDICINES}))\b", _simple("takes", most=4)),
    _rule("verb be", r"(?:take|takes|taking|on) (?P<value>\d[\d.,]* ?(?:mg|mcg|µg|ug|ml|milligrams?|micrograms?|units|IU) (?:of )?[a-z]{4,})", _simple("takes", most=4)),
    _rule("any", rf"(?:gave up|given up|cut out|quit|came off|come off) (?P<value>{_FOREGONE})\b(?! at)", _simple("does_not_eat", most=1)),
    _rule("any", rf"(?:stopped|quit|off|gave up|given up|come off|came off)(?: taking)? (?:the |my )?(?P<value>{values.MEDICINES})\b", _simple("takes", most=2, ended=True)),
    _rule("verb", rf"(?:the )?(?P<value>{_FIELDS})(?=$|[,.!;]| (?:at|for|in|and|with)\b)", _when_doing(_field)),
    _rule("be", rf"doing (?:the )?(?P<value>{_FIELDS})(?=$|[,.!;]| (?:at|for|in|and|with|now)\b)", _field),
    _rule("any", r"(?:got|landed|have|has)? ?the (?P<value>head of [a-z]+|[a-z]+ (?:lead|manager|director|engineer|teacher|assistant|officer)|team lead)(?: job| position| role)", _simple("role", most=4)),
    _rule("any", rf"(?:joined|joining|in) an? [\w' ]{{0,20}}?(?:choir|club|band|team|gym|orchestra|society|group|league|crew)(?: too| as well)?, (?:the |called )?(?P<value>{NAME})", _simple("member_of", "organization")),
    _rule("any", r"(?:studied|graduated) (?:(?P<value>(?!(?:hard|well|abroad|briefly|part|full|for|last|this|in|early|late|recently|there|here|first|once|a|two|three|four|five|six|\d)\b)[\w ]{2,30}) |[\w ]{2,30} )?(?:at|from) (?:the )?(?=[A-Z])", lambda c, m: iter([c.claim("studied_at", org, "organization", past=True), *([c.claim("studied", m["value"], past=True)] if m["value"] else [])] if (org := values.organization(c.core[m.end():])) else [])),
    _rule("any", rf"(?:[^,.;!?]* )?(?:an?|our|my|the) (?:[\w-]+ )??(?P<what>{_NAMED_THINGS})(?: (?:out )?(?:in|on|at|from|near) (?:the )?[A-Za-z' ]{{2,20}}?)? (?:called|named) (?P<value>{NAME})", _called),
    _rule("verb have", r"(?:own|owns|bought(?: us| me)?|purchased|drive|drives|ride|rides|picked up|ended up with|acquired|adopted|treated myself to) (?=(?:an?|the|two|three|my|our|[A-Z\d]))", _owns),
    _rule("have", r"(?=(?:an?|two|three|the|my) )", _owns),
    _rule("any", r"(?:gave up|given up|handed back|sold|selling|gave away|given away|got rid of|donated|crashed|scrapped|traded in|wrecked) (?=(?:my|our|the|his|her|[A-Z]))", _parts),
    _rule("verb be", r"(?:member of|signed up (?:at|with|for)|go to|goes to|train at|trains at|joined|registered (?:with|at)|switched to|moved to|a member (?:of|at)|swim at|work out at) (?=the [A-Z]|[A-Z])", _goes_to),
    _rule("verb be", r"(?:see|sees|seeing|go to|goes to|switched to|moved to|changed to|with) (?P<value>(?:Dr|Doctor|Prof)\.? [A-Z][\w'-]+)", _sees),
    _rule("verb", r"(?:take|takes|have|has|drink|drinks|like|likes) (?:my|his|her) (?P<what>coffee|tea|steak|eggs|porridge|toast) (?P<value>[\w ,%-]+)", _takes),
    _rule("verb have", r"(?:switched|changed|moved|gone|went|upgraded|converted|settled|signed up)(?: over| back| up)? (?:to|with|on|for) (?=[\w\"])", _goes_over),
    _rule("verb be", r"(?:teach|teaches|teaching) (?P<value>[a-z ]+?) at (?:the )?(?P<org>[A-Z].+)", _teaches_at),
    _rule("verb", r"(?:run|runs|manage|manages|head|heads|lead|leads) the (?P<value>[a-z]+(?: [a-z]+)?)(?=$|[,.!;]| (?:at|for|in|since|together)\b)", _simple("runs", most=3)),
    _rule("be verb", rf"(?:taking|took|take|takes) (?:the )?(?P<value>(?!it\b|that\b|this\b|some|more|things|stuff|day|week|time)[a-z]+(?: [a-z]+)?) off (?:you|him|her|{NAME})(?=$|[.,;!]| )", _simple("responsible_for", most=3)),
    _rule("be verb", r"(?:taking|took|take|takes|taken) (?:over (?:the )?(?P<what>[\w -]+)|(?:the )?(?P<thing>[\w-]+(?: [\w-]+)?) over(?= from| on| in| next|[.,;!]|$))", _takes_over),
    _rule("verb have", r"(?:crossed|hit|reached|passed|surpassed|exceeded) (?P<value>\d[\d.,]*k?) (?P<item>[a-z]+s)\b", _counts),
    _rule("have", r"(?:over |about |around |up to )?(?P<value>\d[\d.,]*k?) (?P<item>[a-z]+s)\b", _counts),
    _rule("verb be", r"(?:average|averaging|averages) (?P<value>\d[\d.,]* [a-z]+(?: (?:a|per) \w+)?)", _measures("average")),
    _rule("verb have be", r"(?:moved|migrated) (?:(?:us|everything|it all|it|all of it|[\w ]{2,20}) )?off (?:of )?(?P<value>[A-Z][\w.+#-]*)", _simple("uses", ended=True)),
    _rule("verb have", rf"(?:have |has |got |adopted |acquired |rescued )?(?:an? |two )?(?:[\w-]+ )?(?:(?P<kin>{KINWORD}),? (?:called|named|by the name of) |(?P<pet>{'|'.join(PETS)}), (?={NAME}(?:[.,!]|$)))", _has_kin),
    _rule("any", r"(?:cancelled|canceled|quit|left|ended) (?:my (?:membership|subscription|contract) (?:at|with|to) )?(?=[A-Z])", _cancels),
    _rule("verb", r"(?:love|loves|like|likes|adore|adores|enjoy|enjoys) (?!to |it\b|you|that|the idea|how|when)", _taste("likes")),
    _rule("be", r"(?:a (?:big |huge )?fan of|fond of|into|keen on|obsessed with|mad about|crazy about|nuts about) ", _taste("likes")),
    _rule("verb", r"(?:hate|hates|detest|detests|dislike|dislikes) ", _taste("dislikes")),
    _rule("verb", r"(?:prefer|prefers) (?=[\w ]+ (?:to|over) )", _taste("prefers")),
    _rule("verb be", r"(?:speak|speaks) (?:fluent |a bit of |some |good |enough |decent |basic |conversational |broken |a little )?(?=[A-Z])", _listed("speaks")),
    _rule("verb be", r"(?:learning|taking lessons in|teaching myself) (?:(?:how to |to )(?:play |speak ))?(?:the )?(?!(?:how|a|about|with|from|so|lots?|more|new|things|much|what|why|when|to|that|and|as|at|by|for|in|on|my|your|some|all)\b)", _simple("learns", most=3)),
    _rule("verb be", r"(?:play|plays|playing) (?:the )?(?!(?:with|at|in|on|a|it|ever|some|along|games?|loud|well|badly|hard|fair|nice|too|for|against|to|down|up|around|his|her|my|our|that|this)\b)", _simple("plays", most=3)),
    _rule("verb be", r"(?:teach|teaches|teaching) (?!(?:at|in|him|her|them|you|me|us|my|others|people|kids|children|students|everyone|about|how|a|classes)\b)", lambda c, m: iter([c.claim("teaches", x) for x in [re.split(r" (?:to|at|in) ", re.split(r" (?:to|at|in) ", values.until(c.core[m.end():]))[0])[0]] if x])),
    _rule("any", r"(?:drink|drinks|drinking) (?!to\b|too|a lot|it)", _simple("drinks", most=4)),
    _rule("any", rf"(?:earn|earns|make|makes|earning|making|paid) {AMOUNT}", _earns),
    _rule("verb", rf"(?:weigh|weighs) {AMOUNT}", _measures("weight")),
    _rule("be", r"(?P<value>\d[\d.,' ]*(?:m|cm|metres?|meters?|feet|ft|foot \d+)?)(?: \d+)? tall\b", _measures("height")),
    _rule("be", r"from (?:the )?(?=[A-Z])(?!now)", _simple("comes_from", "place", 3)),
    _rule("any", r"(?:grew up|was born|born|raised) in (?:the )?(?=[A-Z])", _simple("comes_from", "place", 3)),
    _rule("be verb", rf"(?:hosting|hosted|deploying|deployed|deploy|host|running|run) (?:it |everything |all of it )?(?:on|at|with) (?P<value>{NAME})", lambda c, m: iter(()) if values.is_day(m["value"]) else _simple("runs_on")(c, m)),
    _rule("verb", rf"bank with (?P<value>{NAME})", _simple("bank")),
    _rule("verb have", rf"(?:got |adopted |rescued )?(?:two|three|four) (?:[a-z]+ )?(?:{'|'.join(PETS)})s?,? (?:called |named )?", _pets),
    _rule("any", r"(?:(?:come|comes|break|breaks|get|gets) (?:out )?(?:in )?)?(?:hives|a rash|an? (?:allergic )?reaction|anaphylaxis) (?:from|to) ", _listed("allergic_to")),
    _rule("any", rf"(?:pay|pays|paying) {AMOUNT} for (?:my |our |the )?(?P<what>[a-z]+(?: [a-z]+)?)", _pays),
    _rule("have", r"(?:two|three|four|five|twin) (?:kids|children|boys|girls|sons|daughters)[,:]? (?:called |named )?", _children),
    _rule("verb be", r"(?:use|uses|using|running|run|deploy (?:to|on)|deploying (?:to|on)|rely on|on) (?=[\w\"])", lambda c, m: _uses(c, m) if m.group().split()[0].lower() not in ("run", "running", "on") or (c.core[m.end():m.end()+1].isupper() and re.match(r"[A-Z][\w.]*(?: [A-Z][\w.]*)? v?\d", c.core[m.end():])) else iter(())),
    _rule("verb have be", r"(?:switched|migrated|moved|changed|gone|went|moving|switching|migrating|upgraded) (?:over )?(?:(?P<slot>[\w ]+?) )?from (?P<old>[\w.+#/' -]{1,30}?) (?:over )?(?:to|on to|onto) (?P<new>.+)", _switches),
    _rule("verb have be", r"(?:replaced|replacing) (?P<old>[\w.+#/' -]{1,40}?) (?:with|by) (?P<new>.+)", _switches),
    _rule("verb have be", r"(?:swapped|swapping|traded|trading|ditched|ditching|dropped|dropping) (?P<old>[\w.+#/' -]{1,40}?) (?:out |in )?(?:for|in favou?r of) (?P<new>.+)", _switches),
    _rule("verb have be", r"(?:dropped|ditched|stopped using|removed|retired|abandoned|quit) (?:the )?(?P<value>[A-Z][\w.+#-]*(?: [A-Z\d][\w.+#-]*)?)", _simple("uses", ended=True)),
]  # fmt: skip


@cache
def _rules(form: str) -> tuple[re.Pattern[str], list[tuple[re.Pattern[str], Rule]]]:
    """The rules for clauses of this form ("not" for denials), and a pattern that matches if any of them does."""
    fitting = {form} if form == "not" else {form, "any"}
    rules = [
        (pattern, rule) for forms, pattern, rule in _VERBS if forms & fitting and ("not" in forms) == (form == "not")
    ]
    return any_of(*(pattern for pattern, _ in rules)), rules
