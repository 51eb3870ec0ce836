"""Plain English clauses → claims: who lives, works, owns, likes what; attributes with a value; what replaced what.

A clause is read from its subject on: lead-ins are taken off, contractions written out and adverbs dropped, so that one
pattern serves "I'm living in Leeds", "we still live in Leeds" and "Now I live in Leeds". What is wished, supposed,
reported, dreamt or denied states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ricordo.facts import values
from ricordo.facts.dates import moment
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.models import EntityKind
from ricordo.text.attributes import ATTRIBUTES
from ricordo.text.english import KIN, NO_NAMES, PETS, word_set
from ricordo.text.given_names import GIVEN
from ricordo.text.plain import plain_english

_CONTRACTED = [
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in [
        (r"\bgot myself\b", "bought"),
        (r"\b(?:i've|I have) got\b", "I have"),
        (r"\bcan't\b|\bcannot\b|\bcant\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"(?<=\w)n't\b", " not"),
        (r"\b(do|does|did|is|are|was|has|have|would)nt\b", r"\1 not"),
        (r"\bi'?m\b", "I am"),
        (r"(?<=\w)'re\b", " are"),
        (r"(?<=\w)'ve\b", " have"),
        (r"\bive\b", "I have"),
        (r"(?<=\w)'ll\b", " will"),
        (r"(?<=\w)'d\b", " would"),
        (r"\b(he|she|it|that|there|here|who|name|what|everything|everyone|somebody|someone)'s\b", r"\1 is"),
        (
            r"(?<=\w)'s (?=(?:a|an|the|in|at|now|called|named|my|our|allergic|from|been|moved|got|with|not|vegan|"
            r"vegetarian|working|living|studying|still|also|really|just|based|due|on v?\d|down to|up to|\d)\b)",
            " is ",
        ),
        (r"\bi\b", "I"),
        (r"\bgonna\b", "going to"),
    ]
]
_CONTRACTS = re.compile(r"'|\bi\b|\bi?(?:m|ve)\b|nt\b|\bcannot\b|\bgonna\b|\b(?:have got|got myself)\b", re.IGNORECASE)
#: Words that change nothing of what a clause states.
_ADVERBS = re.compile(
    r"\b(?:still|just|really|actually|currently|presently|also|finally|officially|recently|already|honestly|happily|"
    r"proudly|nowadays|now|lately|mainly|mostly|usually|always|only|even|literally|simply|both|all|myself|"
    r"very|quite|pretty|deathly|severely|badly|mildly|slightly|seriously|definitely|absolutely)\b(?!-) ?",
    re.IGNORECASE,
)
_NOWADAYS = re.compile(
    r",? (?:at the moment|these days|right now|at present|as of now|for the time being)\b", re.IGNORECASE
)
_LEAD = re.compile(
    r"^(?:(?:oh|and|but|so|also|well|ok(?:ay)?|fine|right|done|yes|yeah|yep|no|nope|hey|hi|hello|btw|by the way|fyi|"
    r"anyway|heads up|quick update|update|good news|bad news|sad news|big news|turns out(?: that)?|meanwhile|oh|as of (?:today|now)|"
    r"guess what|for the record|for your notes|for reference|note|reminder|remember(?: that)?|just so you know|these days|at the moment|from now on|at home|as you know|"
    r"(?:on|since|from|in|after|until|as of|by) (?:the |early |late |mid-|end of |start of )*(?:\d{1,4}(?:st|nd|rd|th)?(?: of)?(?: [A-Z][a-z]+)?|january|february|march|april|may|june|july|august|september|october|november|december|yesterday|(?:next |last )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|year)|tomorrow|today)(?: \d{1,4})?|today|yesterday|this morning|last night|tonight|"
    r"(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b[,:!.]* +)",
    re.IGNORECASE,
)
#: Where another clause may begin.
_CUT = re.compile(
    r"(?:(?:[;:(–—…]|,(?!\d))+ *| - |\bsays (?=I |my ))(?:and |but |so |because |while |which means |plus |now )?"
    r"|\b(?:and|but|so|because|cause|since|though|while|as) (?=(?:I|we|my|our|he|she|it|they|the|[A-Z])\b)"
)
_UNREAL = (
    r"if|unless|imagine|imagining|suppose|supposing|assuming|say I|say we|say my|pretend\w*|wish\w*|dream\w*|whether|"
    r"would|as if|as though|until|till|once (?:I|we|he|she|they|it|the)|what if|in case|in the (?:film|movie|book|novel|story|show|game|series|song)"
)
_UNREAL_BEFORE = re.compile(rf"\b(?:{_UNREAL})\b", re.IGNORECASE)
#: Behind these a clause is somebody's opinion, or nobody's.
_REPORTED = re.compile(
    r"\b(?:could|might|(?-i:may)|maybe|perhaps|thinks?|thought|believes?|(?<!gadget )(?<!watch )(?<!app )(?<!scale )(?<!doctor )(?<!letter )(?<!test )(?<!gp )says?|(?<!doctor )said|told|tells?|claims?|heard|apparently|"
    r"supposedly|allegedly|when|whenever|hopes?|hoping|wonder\w*|asks?|asked|wants?|wanted|should|joke\w*|rumou?r\w*|"
    r"guess|never|not|almost|nearly|before|after|than|like)\b(?! what| news)[^,;:]*$",
    re.IGNORECASE,
)
_UNREAL_IN = re.compile(
    rf"\b(?:{_UNREAL}|could|might|(?-i:(?<!\d )may)(?! \d)|maybe|perhaps|probably|should|almost|nearly|virtually|hopefully|apparently|"
    r"supposedly|trying to|hoping to|wants?|wanted|thinking (?:of|about)|considering|planning to|plan to|ought)\b",
    re.IGNORECASE,
)
#: What makes a whole sentence unreal from behind.
_FANCY = re.compile(r"(?:if|dream|wish|imagine|suppose|would)", re.IGNORECASE)
#: What a turn says in jest, or of something made up.
UNSERIOUS = re.compile(
    r"\b(?:yeah,? right|in (?:my|your|his|her) dreams|april fools?|as if(?=[.!]|$)|and (?:i'm|i am) the (?:queen|king|pope)|"
    r"pigs (?:might |can )?fly|just kidding|jk\b|kidding!|i wish[.!]|not[.!]$|my name is bond|in another life|"
    r"if only|oh great|sure,? and|yeah,? and i|said nobody ever|said no one ever|(?:my|our) (?:novel|heroine|hero|"
    r"character|protagonist|screenplay|short story)|in (?:the|a|my|this) (?:film|movie|book|novel|story|show|game|series|scene|play|dream)\b|"
    r"chapter \w+|i (?:had|have) (?:the|a) \w* ?dream|dreamt|dreamed|last night i dream|let's pretend|lets pretend|"
    r"let us pretend|quote of|write (?:me )?a|lyrics?)|/s\b|🙃",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)
_AUXILIARY = (
    r"have|has|had|am|is|are|was|were|been|be|being|do|does|did|not|never|no longer|will|going to|about to|can|used to|got|"
    r"get|gets|must|will be"
)
_STATE_VERB = re.compile(rf"^((?:(?:{_AUXILIARY})(?=\s|$) ?)*)(.*)$", re.IGNORECASE | re.DOTALL)
_KINWORD = "|".join(sorted(map(re.escape, [*KIN, *PETS, "girlfriend", "gf", "boyfriend", "bf"]), key=len, reverse=True))
_QUALITY = (
    r"(?:(?:best|good|old|dear|close|new|older|younger|elder|little|big|eldest|oldest|youngest|first|twin|own|lovely|"
    r"other|beloved|current|late|former|ex) )*"
)
_UNNAMED = re.compile(
    rf"\b(?:my|our|a|have a|got a|adopted a) (?:new )?(?P<kin>{_KINWORD})\b(?!'s| [A-Z]|,? (?:called|named))",
    re.IGNORECASE,
)
_FIRST = re.compile(r"^(?:I|we|We|both of us|the two of us)(?= )")
_KINSHIP = re.compile(
    rf"^(?P<whose>[Mm]y|[Oo]ur|[Hh]is|[Hh]er|(?P<owner>{NAME})'s) (?P<quality>{_QUALITY})"
    rf"(?P<kin>(?:ex-?)?(?i:{_KINWORD}))(?:,? (?P<name>{NAME}),?)?(?= )"
)
_PRONOUN = re.compile(r"^(?:he|she|He|She)(?= )")
_PERSON = re.compile(rf"^(?P<name>{NAME})(?= )")
_SPOUSES = {"gf": "girlfriend", "bf": "boyfriend"}


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
    #: The day that it names, and whether that lies ahead.
    day_ahead: bool

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


def plain(text: str) -> str:
    """A sentence with straight apostrophes, contractions written out and idle adverbs dropped."""
    text = text.replace("’", "'").replace("‘", "'")
    if _CONTRACTS.search(text):
        for pattern, written in _CONTRACTED:
            text = pattern.sub(written, text)
    text = _ADVERBS.sub("", _NOWADAYS.sub("", text))
    return re.sub(r" (?=[,.!])", "", " ".join(text.split()))


def claims(sentence: str, scene: Scene) -> Iterator[Claim]:
    """What a sentence states."""
    text = plain(sentence)
    seen: set[tuple[str, str, str]] = set()
    for start in _starts(text):
        bond = _UNNAMED.search(text, start)
        if bond is not None and scene.unnamed is None:
            kin = bond["kin"].lower()
            scene.unnamed = scene.speaker, _SPOUSES.get(kin) or KIN.get(kin) or "pet"
        for claim in _from(text, start, scene):
            mark = (claim.subject, claim.predicate, claim.object.casefold())
            if mark not in seen:
                seen.add(mark)
                yield claim


def _starts(text: str) -> list[int]:
    """Where a clause may begin: at the beginning, behind a lead-in, a comma or an "and"."""
    starts = {0}
    at = 0
    for _ in range(4):
        match = _LEAD.match(text[at:])
        if match is None:
            break
        at += match.end()
        starts.add(at)
    starts |= {match.end() for match in _CUT.finditer(text)}
    for start in list(starts):
        match = _LEAD.match(text[start:])
        if match is not None:
            starts.add(start + match.end())
    return sorted(start for start in starts if start < len(text))


def _from(text: str, start: int, scene: Scene) -> Iterator[Claim]:
    clause, before = text[start:], text[:start]
    before = re.split(r"\bbut\b|;", before)[-1]
    if _UNREAL_BEFORE.search(before) or _REPORTED.search(re.sub(r"[,;:]\s*$", ",", before) if before else ""):
        return
    own = re.split(r"[;(]| but | - |[–—]", clause)[0]
    found: list[Claim] = []
    for rule in (_of_people, _of_attributes, _of_things, _without_verb):
        found += rule(clause, scene)
    if not found:
        return
    unreal = _UNREAL_IN.search(own)
    comma = own.find(",")
    if unreal is not None and (not 8 < comma < unreal.start() or _FANCY.match(unreal.group())):
        return
    yield from found


# --- who a clause is about -------------------------------------------------------------------------------------------


def _subject(clause: str, scene: Scene) -> tuple[str, EntityKind, bool, int, list[Claim]] | None:
    """Who, of what kind, whether the speaker, where the rest begins, and what the subject itself states."""
    match = _FIRST.match(clause)
    if match is not None:
        return scene.speaker, "person", True, match.end(), []
    match = _KINSHIP.match(clause)
    if match is not None:
        return _of_kin(match, scene)
    match = _PRONOUN.match(clause)
    if match is not None:
        return (scene.last, "person", False, match.end(), []) if scene.last else None
    match = _PERSON.match(clause)
    if match is not None:
        for name in (match["name"], match["name"].split()[0]):
            person = scene.person(name)
            if person is not None or _may_name(name, clause):
                end = match.start() + len(name)
                return person or name, "person", False, end, []
    return None


def _may_name(name: str, clause: str) -> bool:
    """Whether a word nobody knows, with a capital at the beginning, may be a person's name."""
    return (
        name.isalpha() and name[1:].islower() and len(name) > 2 and name.casefold() not in NO_NAMES
        and not name.endswith("s") and not name.endswith("ing") and clause[len(name) :][:1] == " "
    )  # fmt: skip


def _of_kin(match: re.Match[str], scene: Scene) -> tuple[str, EntityKind, bool, int, list[Claim]] | None:
    kin = match["kin"].lower().removeprefix("ex-").removeprefix("ex")
    predicate = _SPOUSES.get(kin) or KIN.get(kin) or ("pet" if kin in PETS else kin)
    former = match["kin"].lower().startswith("ex") or any(
        each in match["quality"].lower().split() for each in ("ex", "former", "late")
    )
    whose = match["whose"].lower()
    if whose in ("my", "our"):
        owner: str | None = scene.speaker
    elif match["owner"]:
        owner = scene.person(match["owner"]) or match["owner"]
    else:
        owner = scene.last
    name = match["name"]
    end = match.end()
    if name is not None and (name[:1].islower() or name.split()[0].casefold() in NO_NAMES):
        name, end = None, match.end("kin")
    if owner is None:
        return None
    stated = []
    if name is not None:
        name = name.split(" and ")[0]
        end = match.start("name") + len(name) + (clause_comma(match.string, match.start("name") + len(name)))
        scene.meet(name)
        scene.kin[owner, predicate] = name
        stated.append(Claim(owner, "person", predicate, name, "person", former))
    else:
        name = scene.kin.get((owner, predicate))
    if name is None:
        return None
    return name, "person", False, end, stated


def clause_comma(text: str, at: int) -> int:
    """1 where a comma stands there."""
    return 1 if text[at : at + 1] == "," else 0


def _of_people(clause: str, scene: Scene) -> list[Claim]:
    found: list[Claim] = []
    who = _subject(clause, scene)
    if who is None:
        return found
    name, kind, first_person, end, stated = who
    found += stated
    if not first_person:
        if scene.is_doubtful(name) and scene.person(name) is None:
            return []
        scene.last = name
    rest = clause[end:].strip()
    for part in [rest, *re.split(r",? (?:and|but) (?!I\b|we\b|my\b|our\b|he\b|she\b|it\b|the\b)", rest)[1:]]:
        found += _predicates(part, name, kind, first_person, scene)
    known = first_person or scene.person(name) is not None
    # Somebody whom only this clause makes a person must do what persons do.
    return found if known or any(each.predicate in _PERSONAL for each in found) else []


_PERSONAL = frozenset(
    ["lives_in", "works_at", "role", "studies", "studies_at", "allergic_to", "plays", "speaks", "married_to", "diet"]
)


def _predicates(rest: str, who: str, kind: EntityKind, first_person: bool, scene: Scene) -> Iterator[Claim]:
    match = _STATE_VERB.match(rest)
    assert match is not None
    auxiliary, core = match[1].lower().strip(), match[2].strip()
    words = auxiliary.split()
    over = "no longer" in auxiliary or "used to" in auxiliary
    negated = ("not" in words or "never" in words) and not over
    if negated and _ENDING.search(core):
        over, negated = True, False
    stopped = re.match(r"(?:stopped|quit|gave up|given up) (?=\w+ing\b)", core, re.IGNORECASE)
    if stopped is not None and not negated:
        core, over = re.sub(r"^being ", "", core[stopped.end() :]), True
        words = ["am"] if not core.split()[0].endswith("ing") else words
    if not core or (
        words and words[-1] in ("had", "was", "were") and len(words) == 1 and not over and words[-1] == "had"
    ):
        return
    ahead = "will" in words or "going to" in auxiliary or "about to" in auxiliary
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
    if words and words[-1] in ("was", "were") and not re.match(_PASSIVE, core, re.IGNORECASE):
        return
    clause = _Clause(who, kind, first_person, auxiliary, core, scene, over, ahead)
    if "can" in words and not negated and not re.match(r"(?:play|speak|not)", core):
        return
    if ahead and moment(core, scene.at, ahead=True) is None:
        return
    for forms, pattern, rule in _VERBS:
        if not negated and form not in forms and "any" not in forms:
            continue
        if negated != ("not" in forms):
            continue
        found = pattern.match(core)
        if found is not None:
            made = list(rule(clause, found))
            yield from made
            if made:
                return


_PASSIVE = r"(?:promoted|made|appointed|hired|laid off|fired|elected|diagnosed|born|let go|named|given)\b"

# --- what people do --------------------------------------------------------------------------------------------------


def _lives(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    rest = clause.core[match.end() :]
    where = values.place(rest)
    if where is None or clause.scene.person(where) is not None:
        return
    yield clause.claim("lives_in", where, "place", past=bool(re.match("moved|relocated|settled", match.group(), re.I)))


def _moving(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """A move to come holds from its day; without one it is a wish."""
    day = moment(clause.core, clause.scene.at, ahead=True)
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
    if 0 < len(how.split()) <= 6:
        yield clause.claim(match["what"], how)


def _goes_over(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "I've switched to Monzo, my bank was useless": the slot is what the turn talks of."""
    what = values.value(
        re.split(r"\s(?:for|from|as|at|in|over|because)\s", values.until(clause.core[match.end() :]))[0], 4
    )
    if what is None or values.is_place(what) or clause.scene.person(what) is not None:
        return
    rest = clause.scene.text.replace(what, " ")
    slots = [each for each in re.findall(r"[a-z]+", rest.lower()) if each in _SWITCHED]
    if slots:
        yield clause.claim(slots[0], what)
    elif what[:1].isupper() and match.group().startswith(("switched", "moved", "upgraded")) and not clause.first_person:
        return


#: What people change: where a turn names one, "I switched to X" says which.
_SWITCHED = word_set(
    """
    bank coffee tea phone laptop provider broadband insurance insurer vet dentist doctor gp hairdresser barber plan
    tariff browser editor framework database language major subject diet shampoo brand airline network router car bike
    """
)


def _teaches_at(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    where = values.organization(match["org"])
    yield clause.claim("teaches", match["value"].strip())
    if where is not None:
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")


def _is_in(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    """ "He's over in Cardiff": where somebody else lives, unless a visit is told."""
    where = values.place(clause.core[match.end() :])
    if clause.first_person or where is None or not values.is_place(where):
        return
    if re.search(
        r"\b(?:today|until|till|for (?:a|the|work|now)|this week|tonight|on (?:holiday|vacation|business)|visiting|right now)\b",
        clause.scene.text,
    ):
        return
    yield clause.claim("lives_in", where, "place")


_INSTITUTION = re.compile(
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
    what = re.split(r"\sfrom\s", values.until(match["what"]))[0].strip()
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
    if item in _NO_COUNT or (match.group().startswith(("have", "got")) and len(match["value"]) < 3):
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
    if re.search(
        r"\b(?:club|choir|orchestra|gym|team|society|band|league|union|association|party|church|group|class|forum|chapter|community|meetup)\b",
        where,
        re.I,
    ):
        yield Claim(clause.who, clause.kind, "member_of", where, "organization", clause.over, since=day)
        return
    clause.scene.employers[clause.who] = where
    yield Claim(clause.who, clause.kind, "works_at", where, "organization", clause.over, since=day)


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
        if where.lower() not in sure.lower() and len(where.split()) > 1:
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
    if at is not None and (where := values.organization(at["org"])) is not None:
        clause.scene.employers[clause.who] = where
        yield clause.claim("works_at", where, "organization")


def _becomes(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    named = values.role(clause.core[match.end() :], sure=True)
    if named is not None and named.lower().split()[-1] not in ("vegan", "vegetarian"):
        yield clause.claim("role", named, past=True)


def _simple(predicate: str, kind: EntityKind | None = None, most: int = 5, ended: bool = False) -> Rule:
    """A claim of the phrase behind the match, or of its group `value`."""

    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        text = match.groupdict().get("value") or clause.core[match.end() :]
        what = values.value(text, most)
        if what is not None and not what.lower().startswith(("to ", "it ", "being ", "how ", "what ")):
            yield clause.claim(predicate, what, kind, ended=ended)

    return read


def _listed(predicate: str) -> Rule:
    """A claim for each of the things behind the match: "peanuts, cats and dust"."""

    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        text = re.split(r"[;:.!?()–—]| but | - | so | because | since ", clause.core[match.end() :])[0]
        for part in re.split(r",? (?:and|or|&) |, ", text):
            if re.match(r"(?:I|we|my|he|she|it|the|please|come|which|as|by|was|is|am|have|has|do|don)\b", part):
                break
            what = values.value(re.sub(r"^(?:a )?(?:bit|lot|little|touch) of ", "", part), 4)
            if what is None:
                break
            yield clause.claim(predicate, what)

    return read


def _owns(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    rest = clause.core[match.end() :]
    item = values.belonging(rest)
    verb = match.group().partition(" ")[0].lower()
    if item is None:
        return
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
    allergy diabetes asthma disorder disease syndrome job role position
    """
)


def _parts(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    item = values.belonging(clause.core[match.end() :])
    if item is not None:
        yield clause.claim("owns", item, "item", ended=True)


def _taste(predicate: str) -> Rule:
    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        what = values.value(clause.core[match.end() :], 4)
        if what is None or (clause.first_person and len(clause.scene.text) > 90) or len(what.split()) > 3:
            return
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
    predicate = _SPOUSES.get(kin) or KIN.get(kin) or ("pet" if kin in PETS else kin)
    former = bool(re.search(r"\b(?:ex|former)\b", match.group()))
    owner = clause.scene.speaker
    if not clause.first_person and clause.who != owner:
        clause.scene.kin[owner, predicate] = clause.who
        clause.scene.meet(clause.who)
        yield Claim(owner, "person", predicate, clause.who, "person", former or clause.over)


def _has_kin(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    kin = match["kin"].lower()
    predicate = _SPOUSES.get(kin) or KIN.get(kin) or ("pet" if kin in PETS else kin)
    name = re.match(NAME, clause.core[match.end() :])
    if name is not None:
        found = name.group().split(" and ")[0]
        clause.scene.meet(found)
        clause.scene.kin[clause.who, predicate] = found
        clause.scene.last = found
        yield clause.claim(predicate, found, "person")


def _children(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    sort = "son" if "son" in match.group() else "daughter" if "daughter" in match.group() else "child"
    for name in re.findall(NAME, re.split(r"[.;!]", clause.core[match.end() :])[0]):
        for each in name.split(" and "):
            clause.scene.meet(each)
            yield clause.claim(sort, each, "person")


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
    if not words or len(words) > 4 or words[0].lower() in _USELESS:
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
    fresh = _tool(re.split(r"\s(?:for|as|on|at|in|over|with|since|last)\s", values.until(new))[0])
    stale = _tool(old) if old else None
    if fresh is None or (old and stale is None):
        return
    named = _slot_name(slot) if slot else None
    subject, subject_kind, predicate = (who, kind, "uses") if named is None else (named, "topic", "uses")
    if stale is not None:
        yield Claim(subject, subject_kind, predicate, stale, None, True)
    yield Claim(subject, subject_kind, predicate, fresh)


def _tool(text: str | None) -> str | None:
    phrase = values.bare(values.until(text or "")).strip()
    words = phrase.split()
    if not words or len(words) > 4 or words[0].lower() in _USELESS or len(phrase) < 2:
        return None
    if words[0].lower() in ("work", "home", "school", "bed", "english", "topic", "topics", "sides", "gears", "jobs"):
        return None
    return phrase


def _slot_name(text: str) -> str | None:
    phrase = re.sub(r"^(?:the|our|my|all|all of|all the|its) ", "", text.strip(), flags=re.IGNORECASE)
    return (
        phrase if 0 < len(phrase.split()) <= 4 and phrase.lower() not in ("it", "them", "everything", "this") else None
    )


def _earns(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
    yield clause.claim("salary", match["value"])


def _measures(predicate: str) -> Rule:
    def read(clause: _Clause, match: re.Match[str]) -> Iterator[Claim]:
        yield clause.claim(predicate, match["value"].strip())

    return read


_AMOUNT = r"(?P<value>(?:[$€£¥] ?)?\d[\d.,:/]*(?: ?(?:kg|kilos?|k|g|lbs?|cm|m|ft|euros?|pounds?|dollars?|%|percent)\b)?(?: (?:a|per) \w+)?)"


def _rule(forms: str, pattern: str, rule: Rule) -> tuple[frozenset[str], re.Pattern[str], Rule]:
    return frozenset(forms.split()), re.compile(pattern), rule


_VERBS = [
    _rule("be", r"(?:based|located|settled) (?=(?:in|at) )", _lives),
    _rule("any", r"(?:live|lives|living|reside|resides) (?:(?:together|alone|happily|here|over|out|back|down|up|permanently|with (?:my |our |his |her )?\w+(?: \w+)??) )*(?=(?:in|at|on|near|outside|to) )", _lives),
    _rule("have be any", r"lived (?:(?:here|alone|together|with (?:my |our )?\w+) )*(?=in )", lambda c, m: _lives(c, m) if "have" in c.auxiliary or "has" in c.auxiliary or c.over else iter(())),
    _rule("verb have be", r"(?:moved|relocated)(?: (?:house|back|over|down|up|out|permanently|here|away|in|all the way))*(?: from [\w' -]{2,40}?)? (?=(?:to|into|in) )", _lives),
    _rule("be verb", r"(?:moving|relocating|move|relocate)(?: (?:house|back|over|down|up|out|permanently))*(?: from [\w' -]{2,40}?)? (?=(?:to|into) )|(?:moving|move) in together", _moving),
    _rule("any", r"(?:swapped|traded|left) [A-Z][\w' -]+? for (?=(?:a|an|the|[A-Z]))", _lives),
    _rule("be", r"(?:in|at) (?P<bare>)(?=[A-Z][a-z]+ (?:for good|permanently)$)", _lives),
    _rule("any", r"(?:work|works|working|worked|employed)(?: (?:full|part)[- ]time| remotely| mainly| shifts| freelance)* as (?:an? |the )?(?P<role>[\w -]+?)(?: (?:at|for|with|in) |(?=[,.;!]|$))", lambda c, m: _works(c, m) if not c.core.lower().startswith("worked") or "have" in c.auxiliary or c.over else iter(())),
    _rule("any", r"(?:work|works|working|employed|worked)(?: (?:full|part)[- ]time| remotely| mainly| shifts| nights)* (?:for|at|by) (?!me\b|you\b|us\b|him\b|them\b)", lambda c, m: _works(c, m) if not c.core.lower().startswith("worked") or "have" in c.auxiliary or "has" in c.auxiliary or c.over else iter(())),
    _rule("any", r"(?:work|works|working) in (?=(?:a|an|the) )", _works),
    _rule("any", r"(?:work|works|working) in (?P<value>[a-z][\w -]{2,30})", _simple("works_in")),
    _rule("be", r"(?:over |out |up |down |back )?in (?=[A-Z])", _is_in),
    _rule("be", r"(?:a |an )?(?:resident|citizen) of (?=[A-Z])", _lives),
    _rule("verb be", r"(?:rent|renting|rents|rented) (?:an? )(?:[\w-]+ ){0,2}(?:flat|room|house|apartment|studio|place|cottage) (?=in )", _lives),
    _rule("be", r"on (?:nights|days|shifts?|placement|contract|call|the [\w ]{2,20} team) at (?:the )?(?=[A-Z])", _works),
    _rule("be", r"at (?:the )?(?=[A-Z])", _is_at),
    _rule("be", rf"(?:with|at) (?P<org>{NAME})(?=$|[,.;!] | (?:since|in|for|as|these|this)\b)", _is_with),
    _rule("verb be", r"(?:start|starts|starting|begin|begins|beginning|started|joining|join|joins|joined)(?: work| working| a (?:new )?job| my new job| the new job)? (?:(?:at|with|for) )?(?:the |a (?=(?:private|small|local|new) [a-z]+$))?(?!(?:a|an|my|our) )", _starts_at),
    _rule("verb have", r"(?:got|found|landed|have|accepted|took|starting|started)?(?: ?(?:an?|the|my)(?: new)? (?:[\w-]+ ){0,2}(?:job|position|offer|role)) (?:at|with|from) (?:the )?", _starts_at),
    _rule("any", r"(?:hired|employed|recruited) (?:by|at) (?:the )?", _starts_at),
    _rule("any", r"(?:quit(?: my job)?(?: at| with)?|resigned from|left|leaving|(?:got |was |been )?laid off (?:by|from)|(?:got |was |been )?fired (?:by|from)|let go (?:by|from)|handed in (?:my|his|her) notice (?:at|to|with)|gave notice (?:at|to)|(?:my|his|her) job at) (?:my job (?:at|with) )?(?:the )?", _leaves),
    _rule("be", r"(?=(?:an?|the|our|your) )", _role),
    _rule("any", r"(?:became|become|promoted to|started as|training as|training to be) (?:an? |the |our |team's )?(?!to\b)", _becomes),
    _rule("be", r"(?:appointed|elected|made|named) (?:as )?(?=(?:an?|the|our|head|team|[a-z]+) )", _role),
    _rule("any", r"(?:joined|joins|joining|join|started with|starting with) (?:us|the team|our team)(?: (?:on|in|from) [\w ]+?)? as (?:our |an? |the )?(?P<role>[\w -]+)", _joins_as),
    _rule("verb be", r"(?:study|studies|studying)(?: (?P<value>[\w &-]+?))? at (?:the )?(?=[A-Z])", lambda c, m: iter([x for x in [c.claim("studies_at", values.organization(c.core[m.end():]) or "", "organization"), *([c.claim("studies", m["value"])] if m["value"] else [])] if x.object])),
    _rule("verb be", r"(?:study|studies|studying|majoring in) (?!for\b|at\b|in\b|hard\b|abroad\b|with\b|to\b|a lot)", _simple("studies", most=4)),
    _rule("verb be", r"(?:retraining|training|enrolled|studying|go|goes|student)[\w ]* (?:at|in) (?:the )?(?=University|College|[A-Z][\w' -]* (?:University|College|School|Academy))", lambda c, m: iter([c.claim("studies_at", values.organization(c.core[m.end():]) or "?", "organization")])),
    _rule("be", r"allergic to ", _listed("allergic_to")),
    _rule("verb have", r"(?:an? )?(?:bad |severe |mild |serious )*(?P<value>[\w -]+?) allergy\b", _simple("allergic_to")),
    _rule("be", r"intolerant (?:to|of) ", _listed("intolerant_to")),
    _rule("be", r"(?P<value>(?:lactose|gluten|fructose|histamine|dairy)(?: |-)intolerant)\b", _simple("health")),
    _rule("be", r"(?P<value>diabetic|asthmatic|coeliac|celiac|colou?r[- ]?blind|dyslexic|left-handed|short-sighted|pregnant)\b", _simple("health")),
    _rule("be", r"diagnosed with (?:an? )?", _simple("health")),
    _rule("be verb have any", r"(?:turned |went |become |gone )?(?:an? )?(?:strict )?(?P<value>vegan|vegetarian|pescatarian|teetotal|gluten-free)\b(?! (?:restaurant|food|place|recipe|option|sausage|burger|dish|cook))", _diet),
    _rule("not", r"eat ", _listed("does_not_eat")),
    _rule("not", r"drink (?:any )?", _listed("does_not_drink")),
    _rule("not", r"(?:stand|like|enjoy) ", _taste("dislikes")),
    _rule("be", r"(?P<value>self-employed|unemployed|retired|freelance|on parental leave|on maternity leave)\b(?! with)", _simple("occupation")),
    _rule("be", r"(?P<value>married|single|divorced|engaged|widowed|separated)\b(?= again| since| now|[.,!;]|$| for)", _simple("relationship_status")),
    _rule("any", r"(?:got )?(?:married to|married) (?!my|the|a\b)", _partner("married_to")),
    _rule("any", r"engaged to (?!my|the|a\b)", _partner("fiance")),
    _rule("any", r"(?:dating|going out with|seeing|in a relationship with) (?!my|the|a\b)", _partner("partner")),
    _rule("be", rf"(?:my|our) (?:{_QUALITY})(?P<kin>{_KINWORD})\b(?!'s| \w+ing)", _kin_is),
    _rule("have", rf"(?:an? |two |three )?(?:{_QUALITY})(?P<kin>{_KINWORD})(?: who is)?,? (?:called|named|whose name is) ", _has_kin),
    _rule("be", r"(?P<age>\d{1,3})(?: years old| now| today)?(?=$|[.,;!]| (?:and|now|since|in)\b)", _age),
    _rule("be", r"turned (?P<age>\d{1,3})\b(?! \w)", _age),
    _rule("any", r"turned (?P<age>\d{1,3})(?=$|[.,;!]| (?:and|now|today|yesterday|last|on|in|this)\b)", _age),
    _rule("verb", r"report(?:s)? to (?:the )?", _reports_to),
    _rule("verb", r"(?:own|owns) (?:the )?(?P<value>[a-z][\w -]*?|[A-Z]{2,}[\w -]*?|) ?(?P<sort>module|service|importer|worker|component|pipeline|api|frontend|backend|infra|infrastructure|repo|codebase|integration|deployment|release|billing|payments)\b", lambda c, m: iter([c.claim("owns", m.group().split(" ", 1)[1].removeprefix("the "))])),
    _rule("be", r"(?:responsible for|in charge of) (?!my|his|her|our|your|their|all|every)", _simple("responsible_for")),
    _rule("verb have", r"(?:own|owns|bought|purchased|drive|drives|ride|rides|picked up|acquired|adopted|treated myself to) (?=(?:an?|the|two|three|my|our|[A-Z\d]))", _owns),
    _rule("have", r"(?=(?:an?|two|three|the|my) )", _owns),
    _rule("any", r"(?:sold|selling|gave away|given away|got rid of|donated|crashed|scrapped|traded in|wrecked) (?=(?:my|our|the|his|her|[A-Z]))", _parts),
    _rule("verb be", r"(?:member of|signed up (?:at|with|for)|go to|goes to|train at|trains at|joined|registered (?:with|at)|switched to|moved to|a member (?:of|at)|swim at|work out at) (?=the [A-Z]|[A-Z])", _goes_to),
    _rule("verb be", r"(?:see|sees|seeing|go to|goes to|switched to|moved to|changed to|with) (?P<value>(?:Dr|Doctor|Prof)\.? [A-Z][\w'-]+)", _sees),
    _rule("verb", r"(?:take|takes|have|has|drink|drinks|like|likes) (?:my|his|her) (?P<what>coffee|tea|steak|eggs|porridge|toast) (?P<value>[\w ,%-]+)", _takes),
    _rule("verb have", r"(?:switched|changed|moved|gone|went|upgraded|converted|settled|signed up)(?: over| back| up)? (?:to|with|on|for) (?=[\w\"])", _goes_over),
    _rule("verb be", r"(?:teach|teaches|teaching) (?P<value>[a-z ]+?) at (?:the )?(?P<org>[A-Z].+)", _teaches_at),
    _rule("verb", r"(?:run|runs|manage|manages|head|heads|lead|leads) the (?P<value>[a-z]+(?: [a-z]+)?)(?=$|[,.!;]| (?:at|for|in|since|together)\b)", _simple("runs", most=3)),
    _rule("be verb", r"(?:taking|took|take|takes|taken) over (?:the )?(?P<what>[\w -]+)", _takes_over),
    _rule("verb have", r"(?:crossed|hit|reached|passed|surpassed|exceeded) (?P<value>\d[\d.,]*k?) (?P<item>[a-z]+s)\b", _counts),
    _rule("have", r"(?:over |about |around |up to )?(?P<value>\d[\d.,]*k?) (?P<item>[a-z]+s)\b", _counts),
    _rule("be", r"(?:at|up to|down to) (?P<value>\d[\d.,]*k?) (?P<item>[a-z]+s)\b", _counts),
    _rule("verb be", r"(?:average|averaging|averages) (?P<value>\d[\d.,]* [a-z]+(?: (?:a|per) \w+)?)", _measures("average")),
    _rule("verb have be", r"(?:moved|migrated) (?:us|everything|it all|it|all of it|[\w ]{2,20}) off (?:of )?(?P<value>[A-Z][\w.+#-]*)", _simple("uses", ended=True)),
    _rule("verb have", rf"(?:have |has |got |adopted |acquired |rescued )?(?:an? |two )?(?:[\w-]+ )?(?P<kin>{_KINWORD}),? (?:called|named|by the name of) ", _has_kin),
    _rule("be", r"a member (?:of|at) ", _goes_to),
    _rule("verb", r"(?:go|goes) to the gym at ", _goes_to),
    _rule("any", r"(?:cancelled|canceled|quit|left|ended) (?:my (?:membership|subscription|contract) (?:at|with|to) )?(?=[A-Z])", _cancels),
    _rule("verb", r"(?:love|loves|like|likes|adore|adores|enjoy|enjoys) (?!to |it\b|you|that|the idea|how|when)", _taste("likes")),
    _rule("be", r"(?:a (?:big |huge )?fan of|fond of|into|keen on|obsessed with) ", _taste("likes")),
    _rule("verb", r"(?:hate|hates|detest|detests|dislike|dislikes) ", _taste("dislikes")),
    _rule("verb", r"(?:prefer|prefers) (?=[\w ]+ (?:to|over) )", _taste("prefers")),
    _rule("verb be", r"(?:speak|speaks) (?:fluent |a bit of |some |good )?(?=[A-Z])", _listed("speaks")),
    _rule("verb be", r"(?:learning|taking lessons in|teaching myself) (?:(?:how to |to )(?:play |speak ))?(?:the )?(?!(?:how|a|about|with|from|so|lots?|more|new|things|much|what|why|when|to|that|and|as|at|by|for|in|on|my|your|some|all)\b)", _simple("learns", most=3)),
    _rule("verb be", r"(?:play|plays|playing) (?:the )?(?!(?:with|at|in|on|a|it|ever|some|along|games?|loud|well|badly|hard|fair|nice|too|for|against|to|down|up|around|his|her|my|our|that|this)\b)", _simple("plays", most=3)),
    _rule("verb be", r"(?:teach|teaches|teaching) (?!(?:at|in|him|her|them|you|me|us|my|others|people|kids|children|students|everyone|about|how|a|classes)\b)", lambda c, m: iter([c.claim("teaches", x) for x in [re.split(r" (?:to|at|in) ", values.value(c.core[m.end():], 5) or "")[0]] if x])),
    _rule("verb be", r"(?:sing|sings|singing) in (?:the |a )?", _simple("sings_in", most=4)),
    _rule("verb", r"(?:drink|drinks) (?!to\b|too|a lot|it)", _simple("drinks", most=4)),
    _rule("any", rf"(?:earn|earns|make|makes|earning|making|paid) {_AMOUNT}", _earns),
    _rule("verb", rf"(?:weigh|weighs) {_AMOUNT}", _measures("weight")),
    _rule("be", r"(?P<value>\d[\d.,' ]*(?:m|cm|metres?|meters?|feet|ft|foot \d+)?)(?: \d+)? tall\b", _measures("height")),
    _rule("any", rf"(?:pay|pays|paying) {_AMOUNT}(?: (?:in|for|of))? rent", _measures("rent")),
    _rule("be", r"from (?:the )?(?=[A-Z])(?!now)", _simple("comes_from", "place", 3)),
    _rule("any", r"(?:grew up|was born|born|raised) in (?:the )?(?=[A-Z])", _simple("comes_from", "place", 3)),
    _rule("be verb", rf"(?:hosting|hosted|deploying|deployed|deploy|host|running|run) (?:it |everything |all of it )?(?:on|at|with) (?P<value>{NAME})", _simple("runs_on")),
    _rule("verb", rf"bank with (?P<value>{NAME})", _simple("bank")),
    _rule("have", r"(?:two|three|four|five|twin) (?:kids|children|boys|girls|sons|daughters),? (?:called |named )?", _children),
    _rule("verb be", r"(?:use|uses|using|running|run|deploy (?:to|on)|deploying (?:to|on)|rely on|on) (?=[\w\"])", lambda c, m: _uses(c, m) if m.group().split()[0].lower() not in ("run", "running", "on") or (c.core[m.end():m.end()+1].isupper() and re.match(r"[A-Z][\w.]*(?: [A-Z][\w.]*)? v?\d", c.core[m.end():])) else iter(())),
    _rule("verb have be", r"(?:switched|migrated|moved|changed|gone|went|moving|switching|migrating|upgraded) (?:over )?(?:(?P<slot>[\w ]+?) )?from (?P<old>[\w.+#/' -]{1,30}?) (?:over )?(?:to|on to|onto) (?P<new>.+)", _switches),
    _rule("verb have be", r"(?:replaced|replacing) (?P<old>[\w.+#/' -]{1,40}?) (?:with|by) (?P<new>.+)", _switches),
    _rule("verb have be", r"(?:swapped|traded|ditched|exchanged|dropped) (?P<old>[\w.+#/' -]{1,40}?) (?:out )?(?:for|in favou?r of) (?P<new>.+)", _switches),
    _rule("verb have be", r"(?:dropped|ditched|stopped using|removed|retired|abandoned|quit) (?:the )?(?P<value>[A-Z][\w.+#-]*(?: [A-Z\d][\w.+#-]*)?)", _simple("uses", ended=True)),
]  # fmt: skip

# --- attributes with a value -----------------------------------------------------------------------------------------

_ATTRIBUTE = re.compile(
    r"^(?P<whose>[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er|(?P<owner>[A-Z][\w-]+(?: [A-Z][\w-]+)?)'s) (?P<new>(?:new|current|latest|own) )?"
    r"(?P<attribute>[\w%+/-]+(?: [\w%+/-]+){0,4}?)(?: (?:for|of|on|in|at) (?P<of>(?:the |our |my )?[\w-]+(?: [\w-]+){0,3}?))?"
    r"(?: at the moment| these days| right now)? (?:is|are|has been|have been|was (?=(?:raised|lowered|changed|moved|pushed|increased|reduced|cut|set|updated|extended|bumped|reset|upgraded|switched|renamed)))"
    r"(?P<set> ?(?:raised|lowered|changed|moved|pushed(?: back)?|increased|reduced|cut|set|updated|extended|bumped|upgraded|switched|renamed|down|up|back)"
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
_HEAD_KIN = frozenset([*KIN, *PETS, "girlfriend", "boyfriend"])


def _of_attributes(clause: str, scene: Scene) -> list[Claim]:
    match = _ATTRIBUTE.match(clause)
    if match is None:
        found = _set_to(clause, scene)
        return found
    whose, attribute = match["whose"].lower(), match["attribute"].strip()
    words = attribute.lower().split()
    if words[0] in _PAST and words[:2] != ["biggest", "customer"]:
        return _last_day(clause, scene)
    if any(each in words for each in ("is", "are", "who", "that", "which", "and", "was", "to", "not", "has", "have")):
        return []
    rest = match["rest"]
    subject, kind = _owner(match, whose, scene)
    if subject is None:
        return []
    if not _HEAD_KIN.isdisjoint(words[:-1]) or (words == ["name"] and whose in ("his", "her")):
        return []
    head = words[-1]
    of = re.sub(r"^(?:the|our|my) ", "", match["of"] or "", flags=re.I)
    named = re.match(rf"(?:called|named) (?P<name>{NAME})", rest)
    if head in _HEAD_KIN and whose != "the" and whose != "this":
        return _kin_named(head, subject, rest, named, scene)
    shown = _shown_value(rest, head, words)
    if shown is None:
        return []
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
    if whose == "the" and head not in ATTRIBUTES and not match["set"]:
        return []
    if re.match(r"at [A-C][12]\b", rest):
        return []
    dated = match["set"] is not None and moment(shown, scene.at, ahead=True) is not None
    if dated and head not in ATTRIBUTES:
        return [Claim(attribute, "topic", "deadline", shown)]
    predicate = _predicate(words)
    day = moment(rest, scene.at, ahead=True) if re.search(r"\b(?:from|as of|starting)\b", rest) else None
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
    predicate = _SPOUSES.get(head) or KIN.get(head) or "pet"
    found = named or re.match(rf"(?P<name>(?:Dr\.? )?{NAME})(?=$|[,.;!] ?| (?:and|from|at|on|in|now)\b)", rest)
    if found is None:
        return []
    name = found["name"].split(" and ")[0]
    if name.casefold().split()[0] in NO_NAMES and not name.startswith(("Dr", "Mr", "Ms", "Mrs")):
        return []
    scene.meet(name)
    scene.kin[owner, predicate] = name
    scene.last = name
    return [Claim(owner, "person", predicate, name, "person")]


def _shown_value(rest: str, head: str, words: list[str]) -> str | None:
    named = re.match(r"(?:called|named) (.+)|(?:from|with|at) (?=[A-Z])(.+)", rest)
    text = (named[1] or named[2]) if named else rest
    if head == "address":
        text = re.split(r"[;!?]| now\b| and ", text)[0]
        return text.strip(" .") or None
    phrase = values.bare(values.until(text))
    doing = head in ("hobby", "sport", "pastime") and phrase.endswith("ing")
    if not phrase or len(phrase.split()) > 7 or (values.is_state(phrase) and not doing):
        return None
    if values.is_shown(phrase):
        return None if phrase.split()[0] == "I" else phrase
    listed = head in _PHRASES or words[0] in ("favourite", "favorite")
    return phrase if listed and len(phrase.split()) <= 4 else None


def _predicate(words: list[str]) -> str:
    """The predicate of an attribute: personal bests by one word, whatever they are called."""
    bare = [
        re.sub(r"[^\w]", "", each) for each in words if each not in ("new", "current", "personal", "all-time", "the")
    ]
    bare = ["best" if each in ("pb", "pr", "best", "record") else each for each in bare if each]
    bare = [each for n, each in enumerate(bare) if each != "time" or n == 0 or bare[n - 1] != "best"]
    name = "_".join(bare)[:60]
    return name if name.replace("_", "").isalnum() else ""


_SET_TO = re.compile(
    r"^(?:(?:we|I|they|she|he|She|He|They|[A-Z]\w+) (?:have |has |are |am )?)?(?:upped|put|putting|postponed|postponing|delayed|delaying|rescheduled|rescheduling|pushing|moving|bringing forward|brought forward|raising|raised|lowered|increased|decreased|reduced|cut|bumped|changed|set|updated|moved|pushed|extended|upgraded|downgraded|halved|doubled|renamed|adjusted)"
    r"(?: up| down| back)? (?:(?:the|our|my) )?(?P<attribute>[\w%+/.-]+(?: [\w%+/.-]+){0,4}?)(?: (?:for|of|on) (?P<of>(?:the )?[\w-]+(?: [\w-]+){0,2}?))?(?: up| down| back)?(?: from (?P<old>[\w,.%$€£-]+(?: \w+)?))? (?:to|at|until|till) (?P<rest>.+)"
)
_WAS_SET = re.compile(
    r"^(?:the |our |my )?(?P<attribute>[\w%+/.-]+(?: [\w%+/.-]+){0,4}?) (?:(?:was|were|is|are|has been|have been|got|has|have) )?"
    r"(?:postponed|delayed|rescheduled|raised|lowered|increased|reduced|cut|bumped|changed|pushed|extended|upgraded|went up|went down|goes up|goes down|slips|slipped|rose|fell|dropped|grew|moved|updated|down|up)(?: up| down| back| out)?"
    r"(?: from (?P<old>[\w,.%$€£-]+(?: \w+)?))? to (?P<rest>[vV]?\d.*|[$€£].*|[A-Z].*)"
)


def _set_to(clause: str, scene: Scene) -> list[Claim]:
    """ "We raised the rate limit to 1,200", "CI is down to 9 minutes", "PDF worker upgraded to 2.0"."""
    match = _SET_TO.match(clause) or _WAS_SET.match(clause)
    if match is None:
        return []
    attribute = re.sub(r"^(?:the|our|my) ", "", match["attribute"], flags=re.I)
    words = attribute.lower().split()
    value = values.bare(values.until(match["rest"]))
    if (
        not value
        or len(value.split()) > 6
        or not words
        or words[0] in ("it", "i", "we", "he", "she", "they", "that", "this")
    ):
        return []
    measured = value[:1].isdigit() or value[:1] in "$€£" or bool(re.match(r"v\d|[A-Z]\w+ \d", value))
    if words[0] in ("a", "an", "no", "some", "any", "up", "this", "that") or not (
        measured or value[:1].isupper() or words[-1] in _PHRASES
    ):
        return []
    if not measured and words[-1] not in ATTRIBUTES:
        day = re.match(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?$", value, re.IGNORECASE) is not None
        return [Claim(attribute, "topic", "date", value)] if day and len(words) < 4 else []
    if moment(value, scene.at, ahead=True) is not None and words[-1] not in ATTRIBUTES and len(words) < 4:
        return [Claim(attribute, "topic", "deadline", value)]
    version = re.match(r"(?:version |v)?\d+(?:\.\d+)*$", value) is not None
    of = match.groupdict().get("of")
    if of:
        return [Claim(re.sub("^the ", "", of), "topic", _predicate(words), value)]
    if words[-1] in ATTRIBUTES:
        subject = " ".join(attribute.split()[:-1])
        return [Claim(subject or scene.speaker, "topic" if subject else "person", _predicate(words[-1:]), value)]
    named = re.match(r"([A-Z][a-z]+) \d", value)
    if named is not None and not version:
        value_ = value
        return [Claim(attribute, "topic", "version", value_)]
    if not (version or "upgrad" in clause) and (len(clause) > 70 or len(words) > 2):
        return []
    return [Claim(attribute, "topic", "version" if version or "upgrad" in clause else "value", value)]


_DAY_OF = re.compile(
    r"^(?:[Tt]he |[Oo]ur |[Mm]y )?(?P<thing>[\w-]+(?: [\w-]+){0,3}?) (?:is|are|meets?|happens?|takes place) (?:always |usually |every |on )*"
    r"(?P<value>(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?)\b(?! (?:morning|night|evening) was)"
)
_OWN_THING = re.compile(
    rf"\b[Mm]y (?:new |current )?(?P<attribute>[a-z]+), (?:a |an |the )?(?P<value>{NAME})(?=[,.!)]|$| and\b)"
)
_CHANGED = re.compile(
    rf"\b(?:changed|switched) (?:our |my |the )?(?P<attribute>[a-z]+(?: [a-z]+)?)[,:.]? (?:and )?it is (?P<value>{NAME})(?: instead of (?P<old>{NAME}))?"
)
_SHIPPED = re.compile(
    r"^(?:v|V|version |Version )?(?P<value>\d+(?:\.\d+)+) (?:is|went|has been|was)? ?(?:out|live|released|shipped|tagged|deployed)\b"
    r"|^(?:(?:we|I|We) (?:have )?)?(?:released|shipped|tagged|deployed|Released|Shipped|Tagged|Deployed) (?:v|version )?(?P<other>\d+(?:\.\d+)+)"
)
_TOO = re.compile(
    rf"^(?P<old>{NAME}) (?:got|became|was|is|had become|has become) (?:too |so )\w+,? (?:so )?(?:I|we) (?:have )?(?:swapped in|switched to|moved to|went with|now use|use|took|chose) (?P<new>{NAME})"
)
_WENT_WITH = re.compile(
    rf"^(?:in the end )?(?:we|We) (?:have )?(?:went with|settled on|decided on|opted for|chose|picked) (?P<new>{NAME})(?: (?:for|as) (?:the |our )?(?P<slot>[a-z ]+))?"
)
_TOOK_OVER = re.compile(
    rf"^(?P<new>{NAME}) (?:has |is )?(?:replaced|replaces|replacing|took over from|takes over from|taken over from|taking over from|succeeds|succeeded) (?P<old>{NAME})(?: as (?:our |the |my )?(?P<role>[a-z ]+))?"
)
_HIS_NAME = re.compile(rf"^(?:[Hh]is|[Hh]er|[Ii]ts) name is (?P<name>{NAME})")
_MINE_BEHIND = re.compile(rf"^(?P<name>{NAME})(?: [a-z]+){{1,4}}, (?:my|our) (?P<kin>{_KINWORD})(?=[.,!]|$)")
_MINE_AFTER = re.compile(
    rf"\b(?:my|our) (?P<kin>{'|'.join(PETS)}) (?:today|here|along|there|again), (?P<name>{NAME})(?=[,.!]|$)"
)
_BABY = re.compile(
    rf"^(?:we|I|We) (?:have )?(?:named|called) (?:our|my|the) (?:new )?(?P<kin>baby|son|daughter|dog|cat|puppy|kitten|boy|girl)(?: boy| girl)? (?P<name>{NAME})"
)
_LET_GO = re.compile(
    rf"^(?P<org>{NAME}) (?:has |have )?(?:let me go|laid me off|fired me|sacked me|made me redundant)\b"
)


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
_THINGS = [
    (re.compile(rf"{_THING} (?:runs?|running|is hosted|are hosted|is deployed|are deployed|sits?|is running|are running|will run) (?:on|in|at|with) (?P<value>.+)"), "runs_on"),
    (re.compile(rf"{_THING} (?:is|are) (?:written|built|coded|implemented|made|based) (?:in|with|on|using) (?P<value>.+)"), "built_with"),
    (re.compile(rf"{_THING} (?:goes?|runs?|are routed|is routed|are handled|is handled|are processed) (?:through|via|by) (?P<value>.+)"), "goes_through"),
    (re.compile(rf"{_THING} (?:is|are) on (?:an? )?(?P<value>[A-Z][\w.]+)(?: (?:box|server|machine|cluster|instance))?(?=$|[.,!])"), "runs_on"),
    (re.compile(rf"{_THING} (?:go|are sent|is sent|are shipped) to (?P<value>[A-Z].+)"), "goes_to"),
    (re.compile(rf"{_THING} (?:takes?|lasts?) (?:about |around |roughly )?(?P<value>\d.+)"), "duration"),
    (re.compile(rf"{_THING} (?:is|are) (?:stuck |pinned )*(?:at|on|to) (?P<value>(?:version |v\.? ?)\d[\w.]*|\d+(?:\.\d+)+)(?!:| ?(?:am|pm|january|kg|km)\b)"), "version"),
    (re.compile(rf"{_THING} (?:is|are|starts?|begins?) at (?P<value>\d{{1,2}}(?:[:.]\d\d)?(?: ?(?:am|pm|o'clock))?)(?=$|[.,!; ])"), "time"),
    (re.compile(rf"{_THING} (?:is|are) at (?:level )?(?P<value>[A-C][12])\b"), "level"),
    (re.compile(rf"{_THING} (?:is|are) (?:due|scheduled|planned|set|expected)(?: for| on| by| to ship on)? (?P<value>.*\d.*)"), "deadline"),
    (re.compile(rf"{_THING} (?:is|are) (?:kept|retained|stored) for (?P<value>\d.+|\w+ (?:days|weeks|months|years).*)"), "retention"),
    (re.compile(rf"{_THING} (?:(?:is|are) (?:stored|kept|saved|cached|held)|live|lives|sit|sits) in (?P<value>[A-Z].+)"), "stored_in"),
    (re.compile(rf"{_THING} (?:comes?|are served|is served|are provided|is provided|are handled|is handled) (?:from|by) (?P<value>[A-Z].+)"), "provided_by"),
    (re.compile(rf"{_THING} expires? (?:after|in) (?P<value>\d.+)"), "expiry"),
    (re.compile(rf"{_THING} times? out after (?P<value>\d.+)"), "timeout"),
    (re.compile(rf"{_THING} (?:runs?|rotates?|syncs?|refresh(?:es)?|happens?) (?P<value>(?:every (?:\d+ )?\w+|hourly|daily|nightly|weekly|monthly))"), "frequency"),
    (re.compile(rf"{_THING} (?:is|are) (?P<value>\d[\d.,]* ?(?:GB|MB|TB|KB|gigs))\b"), "size"),
    (re.compile(rf"{_THING} (?:costs?) (?P<value>[$€£]?\d.+)"), "price"),
    (re.compile(rf"{_THING} (?:is|are) called (?P<value>[A-Z].+)"), "name"),
    (re.compile(rf"{_THING} weighs? (?P<value>\d.+)"), "weight"),
    (re.compile(rf"{_THING} (?:has|have) (?P<value>(?:an? )?[\w.]*\d[\w.]* ?\w* ?(?P<part>battery|engine|screen|motor|disk|display|range|seats|cores))\b"), "has"),
]  # fmt: skip
_MOVED = re.compile(
    r"^(?:we|I|they|[A-Z]\w+) (?:have |has )?(?:moved|migrated|switched|shifted|ported) (?P<slot>(?:the |our )?[\w./-]+(?: [\w./-]+){0,2}?)"
    r"(?: (?:over|across))? from (?P<old>[\w.+#/' -]{1,30}?) (?:over )?to (?P<new>.+)"
)
_HANDED = re.compile(
    rf"^(?P<who>I|we|[A-Z]\w+) (?:have |has |is |am )?(?:handed|passed|gave|leaving|transferred|giving|handing|passing) (?:over )?(?:the |my )?(?P<what>[\w -]+?)(?: over)? to (?P<to>{NAME})"
)
_CUSTOMER = re.compile(
    rf"^(?:our|my) (?P<attribute>(?:biggest|main|largest|first|newest|best) (?:customer|client|supplier|competitor|account)) is (?P<value>{NAME})"
)
_OF_TOPIC = frozenset(["runs_on", "built_with", "version", "stored_in", "goes_through"])
_TOPIC = re.compile(
    r"^(?P<name>[A-Z][\w-]+) is (?:our|the|a|an) (?:[\w-]+ ){0,4}(?:backend|service|app|project|tool|library|site|website|platform|product|system|api|game|bot|frontend|engine|database)\b"
)
_NO_THING = word_set(
    "from since on in by at after until as for with to i my we he she they you it this that there here what which who one everything nothing something someone everyone nobody if"
)


def _of_things(clause: str, scene: Scene) -> list[Claim]:
    topic = _TOPIC.match(clause)
    if topic is not None:
        scene.topic = topic["name"]
    customer = _CUSTOMER.match(clause)
    if customer is not None:
        return [
            Claim(
                scene.speaker,
                "person",
                _predicate(customer["attribute"].lower().split()),
                customer["value"],
                "organization",
            )
        ]
    moved = _MOVED.match(clause)
    if moved is not None:
        slot = re.sub(r"^(?:the|our) ", "", moved["slot"])
        fresh = _tool(re.split(r"\s(?:for|as|on|at|in|over|with|since|last)\s", values.until(moved["new"]))[0])
        if fresh is not None and slot.lower() not in ("house", "flat", "away", "back"):
            return [Claim(slot, "topic", "runs_on", moved["old"], None, True), Claim(slot, "topic", "runs_on", fresh)]
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
    for pattern, predicate in _THINGS:
        match = pattern.match(clause)
        if match is None:
            continue
        thing = match["thing"]
        if thing.lower() in ("it", "everything") and predicate in _OF_TOPIC:
            if not scene.topic and thing.lower() == "it":
                continue
            named = scene.topic or scene.speaker
            day = moment(scene.text, scene.at, ahead=True) if re.search(r"\b[Ff]rom \d", scene.text) else None
            fresh = values.bare(values.until(match["value"]))
            fresh = re.split(r"\s(?:in|at|with|for)\s", fresh)[0]
            if fresh[:1].isupper() or any(map(str.isdigit, fresh)):
                return [Claim(named, "topic" if scene.topic else "person", predicate, fresh, None, False, since=day)]
            continue
        first = thing.lower().split()[0]
        value = match["value"] if predicate == "frequency" else values.bare(values.until(match["value"]))
        if not _NO_THING.isdisjoint(thing.lower().split()[1:]) or "said" in thing or "says" in thing:
            continue
        if first in _NO_THING or not value or len(value.split()) > 5:
            continue
        if first in ("my", "our") and scene.person(thing) is not None:
            continue
        if predicate in ("runs_on", "built_with", "goes_through", "goes_to", "stored_in", "provided_by"):
            if not (value[:1].isupper() or any(map(str.isdigit, value))) or scene.person(thing) is not None:
                continue
            value = re.split(r"\s(?:in|at|with|for)\s", value)[0]
        if predicate in ("runs_on", "stored_in", "provided_by") and (
            values.is_place(value)
            or re.match(
                r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)", value
            )
        ):
            continue
        if predicate == "name" and (thing.lower().split()[-1] in _HEAD_KIN or thing.lower() in ("name",)):
            continue
        if scene.person(thing) is not None and predicate not in ("weight",):
            continue
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
            return [Claim(scene.speaker, "person", _predicate([*thing.lower().split(), "level"]), value)]
        subject = scene.person(thing) or thing
        return [Claim(subject, "person" if scene.person(thing) else "topic", predicate, value, None, False, since=day)]
    return []


# --- clauses without a verb ------------------------------------------------------------------------------------------

_BEST = re.compile(
    r"(?P<value>\d[\d:.,]*(?: ?(?:kg|km|k|m|min|minutes|seconds|points|reps|miles|lbs))?)(?: [\w ]{0,30})?[!,.]* *(?:that is |which is |a |my |is )*(?:new |my )*"
    r"(?P<attribute>(?:[\w]+ ){0,2}(?:pb|pr|personal best|best|record|max))\b(?: (?:over|for|in|on) (?:the )?(?P<of>[\w]+(?: [\w]+)?))?(?= ?[.,!]|$)",
    re.IGNORECASE,
)
_NEW_ONE = re.compile(
    r"^(?:(?:[Mm]y|[Oo]ur|[Tt]he) )?[Nn]ew (?P<attribute>[a-zA-Z]+(?: [a-z]+)?)(?: [a-z ]{2,25})?(?:,? too)?"
    r"(?:: | is |, it is )(?P<value>.+)"
)
_LABELLED = re.compile(r"^(?:my |our |the )?(?P<attribute>[a-zA-Z][\w ]{1,25}): (?P<value>.+)")
_APPOSED = re.compile(
    rf"^(?:[Ww]elcome(?: to)? |[Ss]ay hi to |[Tt]his is |[Mm]eet )?(?P<name>{NAME}), (?:our|my|the) new (?P<role>[\w -]+)"
)
_EMAIL = re.compile(
    r"\b[Mm]y (?:new |work |private )?e-?mail(?: address)? is (?:now )?(?P<value>[^\s@]{1,64}@[\w.-]{3,100})"
)
_MEET = re.compile(rf"\b[Mm]eet (?P<name>{NAME})")
_NEW_PET = re.compile(rf"\b(?:our|my) (?:new |little |old )*(?P<kin>{'|'.join(PETS)})\b")
_FOR = re.compile(
    rf"^(?P<attribute>[A-Z]?[a-z]+) (?:for|of) (?:a |an |the |our |my )?(?P<of>[\w-]+(?: [\w-]+)?) (?:is|are) {'(?P<value>[$€£]?[0-9][0-9.,]*(?: [a-z]+)?)'}"
)
_I_AM = re.compile(rf"^I am (?P<name>{NAME})(?=,|$|[.!]| and )")
_HOME = re.compile(
    rf"^(?P<place>{NAME}) is (?:my |our )?home(?= |$|[.,!;])|^(?:[Mm]y |[Oo]ur )?[Hh]ome is (?:in )?(?P<other>{NAME})"
)
_THEY_PAY = re.compile(rf"^they pay me {_AMOUNT}", re.I)
_AMOUNT_IS = re.compile(
    rf"^(?:the |my |our )?(?P<attribute>rent|salary|fee|mortgage|budget|quota|limit|price|deadline|password|version|address|goal|target|score|weight|height) (?:is|are|:) {_AMOUNT}",
    re.I,
)


def _without_verb(clause: str, scene: Scene) -> list[Claim]:
    found: list[Claim] = []
    pays, amount = _THEY_PAY.match(clause), _AMOUNT_IS.match(clause)
    if pays is not None:
        found.append(Claim(scene.speaker, "person", "salary", pays["value"]))
    if amount is not None and not clause.lower().startswith(("the ", "my ", "our ")):
        found.append(Claim(scene.speaker, "person", amount["attribute"].lower(), amount["value"]))
    new = _NEW_ONE.match(clause)
    label = None if new else _LABELLED.match(clause)
    for match in (new, label):
        if match is None:
            continue
        words = [
            each for each in match["attribute"].lower().split() if each not in ("update", "status", "today", "now")
        ]
        if not words:
            continue
        while len(words) > 1 and words[-1] not in ATTRIBUTES and words[0] in ATTRIBUTES:
            words = words[:-1]
        value = _labelled_value(match["value"], words)
        if words[-1] in ATTRIBUTES and value:
            kin = words[-1] in _HEAD_KIN
            if kin:
                scene.meet(value)
                scene.last = value
                scene.kin[scene.speaker, KIN.get(words[-1], words[-1])] = value
            named = _predicate([KIN.get(each, each) for each in words])
            found.append(Claim(scene.speaker, "person", named, value, "person" if kin else None))
    apposed = _APPOSED.match(clause)
    if apposed is not None and (role := values.role(apposed["role"])):
        found.append(Claim(apposed["name"], "person", "role", role))
    for_ = _FOR.match(clause)
    if for_ is not None and for_["attribute"].lower() in ATTRIBUTES:
        found.append(Claim(for_["of"], "topic", for_["attribute"].lower(), for_["value"]))
    called = _I_AM.match(clause)
    if called is not None and called["name"].split()[0].casefold() in GIVEN:
        found.append(Claim(scene.speaker, "person", "name", called["name"]))
    found += _more_without(clause, scene)
    home = _HOME.match(clause)
    if home is not None and (home["place"] or home["other"]).casefold() not in NO_NAMES:
        found.append(Claim(scene.speaker, "person", "lives_in", home["place"] or home["other"], "place"))
    return found


def _more_without(clause: str, scene: Scene) -> Iterator[Claim]:
    day, own, changed = _DAY_OF.match(clause), _OWN_THING.search(clause), _CHANGED.search(clause)
    shipped, gone = _SHIPPED.match(clause), _LET_GO.match(clause)
    if (
        day is not None
        and day["thing"].lower().split()[0] not in _NO_THING
        and day["thing"].lower() not in ("today", "tomorrow", "yesterday")
    ):
        yield Claim(day["thing"], "topic", "date", day["value"])
    if own is not None and own["attribute"] in ATTRIBUTES and own["attribute"] not in _HEAD_KIN:
        yield Claim(scene.speaker, "person", own["attribute"], own["value"])
    if changed is not None:
        yield Claim(scene.speaker, "person", _predicate(changed["attribute"].split()), changed["value"])
        if changed["old"]:
            yield Claim(scene.speaker, "person", _predicate(changed["attribute"].split()), changed["old"], None, True)
    if shipped is not None:
        named = scene.topic or scene.speaker
        yield Claim(named, "topic" if scene.topic else "person", "version", shipped["value"] or shipped["other"])
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


def _replacements(clause: str, scene: Scene) -> Iterator[Claim]:
    too, chosen, took = _TOO.match(clause), _WENT_WITH.match(clause), _TOOK_OVER.match(clause)
    if too is not None:
        yield Claim(scene.speaker, "person", "uses", too["old"], None, True)
        yield Claim(scene.speaker, "person", "uses", too["new"])
    if chosen is not None and scene.person(chosen["new"]) is None and not values.is_place(chosen["new"]):
        slot = _slot_name(chosen["slot"]) if chosen["slot"] else None
        yield Claim(scene.speaker, "person", _predicate(slot.split()) if slot else "uses", chosen["new"])
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
    if his is not None and scene.unnamed is None and his["name"].casefold() not in NO_NAMES:
        scene.meet(his["name"])
        scene.last = his["name"]
    elif his is not None and scene.unnamed is not None and his["name"].casefold() not in NO_NAMES:
        owner, predicate = scene.unnamed
        scene.unnamed = None
        scene.meet(his["name"])
        scene.last = his["name"]
        scene.kin[owner, predicate] = his["name"]
        yield Claim(owner, "person", predicate, his["name"], "person")
    for match in (mine, pet):
        if match is not None and match["name"].casefold() not in NO_NAMES:
            kin = match["kin"].lower()
            scene.meet(match["name"])
            predicate = _SPOUSES.get(kin) or KIN.get(kin) or "pet"
            yield Claim(scene.speaker, "person", predicate, match["name"], "person")


def _labelled_value(text: str, words: list[str]) -> str | None:
    phrase = values.bare(values.until(text))
    if not values.is_shown(phrase) or len(phrase.split()) > 5:
        return None
    return phrase


def of_turn(text: str, scene: Scene) -> Iterator[Claim]:
    """What only a whole turn states: a best beside its figure, a pet that is introduced."""
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
            yield Claim(scene.speaker, "person", _predicate(words), best["value"].strip(" .,"))
    meet, pet = _MEET.search(whole), _NEW_PET.search(whole)
    if meet is not None and pet is not None:
        yield Claim(scene.speaker, "person", "pet", meet["name"], "person")
