"""What an English clause states in a slot of its own: "I collect fountain pens", "our insurance renews on 4 November".

No rule names these predicates. Grammar tells what lasts: the simple present of a verb that is not about what somebody
thinks or says, a life event in the past, a complement of "be" that describes. The predicate is the verb with its
preposition, the value the rest of the phrase. Read only where no other rule found anything, and never in a turn that
shows a sign of jest.
"""

from __future__ import annotations

import re
from functools import cache

from ricordo.facts import english_lasting as lasting
from ricordo.text import lazy, stem
from ricordo.text.english import KIN, PAST, PETS, word_set
from ricordo.text.plain import OPENERS

#: The predicate and the value of a clause.
Open = tuple[str, str]
PREPOSITIONS = word_set(
    "on in at with from to by for off up out into about after under over as of through via down round around without against near above below between behind per than until till"
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
    r"[;!?()\[\]…—–\"“”]|:(?!\d\d)|,(?! ?\d)|(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)\.(?:\s|$)| - |\s(?:because|cause|but|so|which|who|that|when|whenever|while|if|unless|since (?!\d)|though|although|where|then|"
    r"(?:I|we|he|she|they) (?=[a-z])|and (?=[\w'-]+ (?:is|has|does|[a-z]{2,}s) (?:my|our|his|her|their|its|the|an?|it|me|us|him|them)\b)|"
    r"and (?!(?:on|in|at|for|with|to|from|by|of|about|over|under|after|before|half|all|both)\b)(?=[a-z]{3,} (?:my|our|his|her|the|an?) )|"
    r"and (?:I|we|my|our|he|she|it|they|the|now|then|that|there|have|has|is|am|are|was|it's|also)|thanks|please|lol|haha|btw|otherwise|instead|rather|as (?:I|we|it|he|she|they|if)|like (?:I|we|it)|"
    r"to (?=(?!the |a |an |my |our )[a-z]+ (?:my|me|myself|it|some|us|the|a|an|our)\b)|at (?:the moment|present|last)|these days|right now|of course|you know|I think|I guess)\b"
)
ARTICLE = lazy(r"^(?:(?:a|an|the|my|our|his|her|their|its|some|about|around|roughly) )+", re.IGNORECASE)
#: "a casual, mid-range place": an adjective whose noun is still to come.
_ADJECTIVE = lazy(
    r"an? [a-z-]+, (?!(?:and|but|so|or|not|no|only|just|which|who|he|she|it|they|we|my|our|the|an?|two|three|called|named|because|though|thanks|please)\b)[a-z-]+(?:,| [a-z]+)"
)
#: "I report to her at six": whose nothing is.
_HER = lazy(r"(?:her|his) (?:at|on|in|for|with|every|each|to|and|from|by)\b")
#: When something happened, behind what happened.
_WHEN = lazy(
    r",? (?:(?:last|this|next) (?:week|month|year|time|night|weekend|spring|summer|autumn|fall|winter|(?:[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un)[a-z]*|[A-Z][a-z]+)|"
    r"yesterday|today|tomorrow|soon|later|recently|from (?:(?:this|next) (?:week|month|year)|now on)|(?:an?|few|couple of|one|two|three|four|five|six|\d+) \w+ (?:ago|later)|"
    r"for (?:(?:the|past|last|about|around|over|almost|nearly|at|least) )*\w+ (?:years?|months?|weeks?|days?|while|time|now))$"
)
_HANGING = lazy(r"(?: (?:for|in|at|on|with|of|to|from|by|about|a|an|the|my|our|called|named))+$")
_TWO = word_set("up off out down in on away back over after through")
#: Words that no value contains: of whom one talks to, of denial, of whatever it may be.
_NO_VALUE = word_set(
    "you your yours it them never not no none nothing nobody nowhere whatever whoever anything anyone everyone everything"
)


def phrase(text: str, most: int = 8) -> str | None:
    """The phrase at the beginning of a text, without its article."""
    if _ADJECTIVE.match(text) or _HER.match(text):
        return None
    end = _ENDS.search(text)
    found = ARTICLE.sub("", (text if end is None else text[: end.start()]).strip(" ,.'")).strip()
    found = re.sub(r" (?:now|today|again|already|yet|too|also|though|anyway|though|please|lately|ever)$", "", found)
    found = _HANGING.sub("", re.sub(r" (?:(?:on|in|with) it|(?:out|over|up|down) t?here)$", "", found))
    words = found.split()
    if not words or len(words) > most or words[0].lower() in _NO_OBJECT:
        return None
    if not _NO_VALUE.isdisjoint(each.lower() for each in words) or found[-1:] == "'":
        return None
    return found


_ADVERBS = word_set(
    "last often sometimes never-ending hard normally ever first soon almost sort kind kinda sorta long ago yesterday today once twice"
)
_LY = word_set("fly apply reply rely supply multiply imply comply early only family daily weekly monthly")
_SINCE = lazy(
    r",? since (?:(?:last|early|late|mid|the|about|around) )*(?:\d{4}|\w+day|yesterday|(?-i:[A-Z])[a-z]+|week|month|year|spring|summer|autumn|fall|winter|start|beginning|age \d+)\b",
    re.IGNORECASE,
)


def of_verb(
    core: str, words: list[str], form: str, negated: bool, first: bool, text: str, over: bool = False
) -> Open | None:
    """The open slot of what a person does, has or is: the clause behind its subject and auxiliaries."""
    if not negated:
        core = _SINCE.sub("", core)
    while (head := core.partition(" ")[0].lower()) in _ADVERBS or (head.endswith("ly") and head not in _LY):
        core = core.partition(" ")[2]
    rest = core.partition(" ")[2]
    verb = head.strip(",.!;")
    if verb != head:
        rest = ""  # "I used to fence, these days I climb"
    if words[-2:] in (["have", "had"], ["has", "had"]) and lasting.LONG.search(text):
        words = words[:1]
        return None if negated else possession(verb, core, rest, words, text)
    if words[-1:] == ["had"]:
        return None if negated else _event("had", core)
    if words[-1:] == ["did"] and not negated:
        return _event("did", core)
    if negated:
        return _denied(verb, rest, words)
    if over and stem(verb, "en") in _given_up() and _says_nothing(rest):
        return ("does", verb)  # "I no longer swim", "I've stopped swimming because of my shoulder"
    if form == "be":
        return complement(verb, core, rest, over)
    if form == "have":
        return possession(verb, core, rest, words, text)
    if words[-1:] in (["do"], ["does"]):
        if verb in lasting.STANCE:
            return None  # "I do tend to fly late"
        return _does("do", core, True, text)
    if words[-1:] in (["get"], ["gets"]) and (passive := _passive(verb, rest)) is not None:
        return passive
    if words[-1:] in (["get"], ["gets"]):
        return _does("get", core, True, text)
    if form == "verb" and (verb in OPENERS or not verb.replace("-", "").isalpha()):
        return None
    if words[-2:] == ["going", "to"] and core[:1].isupper():
        return slot("going_to", core)
    if any(each in ("can", "must", "will", "going to", "about to", "did", "had", "was", "were") for each in words):
        return None
    return _does(verb, rest, first, text)


@cache
def _given_up() -> frozenset[str]:
    return frozenset(stem(each, "en") for each in lasting.GIVEN_UP)


def _says_nothing(rest: str) -> bool:
    """Whether no object stands behind a verb, but at most why or since when."""
    return phrase(re.sub(r"^(?:in|since|last|this|after|due|for|on account) .*", "", rest)) is None


def _denied(verb: str, rest: str, words: list[str]) -> Open | None:
    if words[-1] in ("have", "has", "got"):
        return None
    if (
        words[0] == "can"
        and verb in lasting.ABLE
        and (not rest or not re.match(r"(?:you|it|that|this|because|today|now|tonight|him|her)\b", rest))
    ):
        return ("can_not", f"{verb} {phrase(rest, 4) or ''}".strip())
    if (
        verb not in lasting.NOT_DONE
        or words[0] in ("can", "must", "did", "had")
        or (words[0] == "will" and verb not in ("allow", "eat", "touch", "drink", "wear"))
    ):
        return None
    if not rest:
        return None if words[0] == "will" else ("does_not", verb)
    found = phrase(re.sub(r"^(?:any|a lot of|much) ", "", rest), 6)
    return None if found is None else (f"does_not_{verb}", found)


def complement(verb: str, core: str, rest: str, over: bool = False) -> Open | None:
    if verb in lasting.STOPPED and over:
        return slot(lasting.STOPPED[verb], rest)
    if (
        verb.endswith("ing")
        and lasting.DATED.search(rest)
        and not rest.startswith(("ready ", "back ", "used "))
        and lasting.STANCE.isdisjoint((verb[:-3], f"{verb[:-3]}e", verb[:-4]))
    ):
        return slot(verb, rest)
    if verb.endswith("ing"):
        wanted = lasting.DOING_WITH.get(verb)
        if verb not in lasting.DOING or (wanted is not None and wanted.match(rest) is None):
            return ("expecting", "a baby") if verb == "expecting" and not rest.strip(" .!") else None
        return _at_once(slot(verb, rest))
    end = _ENDS.search(core)
    said = (core if end is None else core[: end.start()]).strip(" .,")
    if said.lower() in lasting.BEING or (
        said.split() and said.split()[0].lower() in lasting.BEING and len(said.split()) < 8
    ):
        return ("is", said)
    if (passive := _passive(verb, said.partition(" ")[2])) is not None:
        return passive
    if _OF_MANY.match(said):
        return "is", ARTICLE.sub("", said)
    found = lasting.DESCRIBES.match(said) if lasting.IS.match(said) is not None else None
    if found is None or len(said.split()) > 9 or re.search(r"\b(?:you|your|it|this|that)\b", said):
        return None
    first, _, behind = said.partition(" ")
    if first == "up" and behind.partition(" ")[0] in PREPOSITIONS and lasting.DATED.search(behind):
        first, behind = "up_" + behind.partition(" ")[0], behind.partition(" ")[2]
        return f"is_{first}", behind
    if first in ("on", "in", "at", "with", "from", "off", "near"):
        value = phrase(behind, 9)
        return None if value is None else (f"is_{first}", value)
    return "is", ARTICLE.sub("", said)


def _passive(verb: str, rest: str) -> Open | None:
    """What is done to somebody, when, where or by whom: "is paid on the 25th", "is walked by a neighbour"."""
    if verb in lasting.OF_MIND or not (verb.endswith("ed") or lasting.PARTICIPLE.match(verb)):
        return None
    by_whom = (
        rest.startswith("by ") and verb != "employed" and not rest.startswith(("by the way", "by my ", "by your "))
    )
    if by_whom or lasting.TIMED.match(rest) or _AT_NAME.match(rest):
        return slot(f"is_{verb}", rest)
    return None


_OF_MANY = lazy(rf"an? (?:team|family|group|household|company|band|crew|class) of (?:\d+|{lasting.COUNTED})\b")
_AT_NAME = lazy(r"(?:at|in|on|to|with|by) (?:the )?[A-Z](?!\b)")
#: Who is rather called by name: kin, children and animals.
_NAMED_BEHIND = frozenset([*KIN, *PETS, "kid", "children", "boy", "girl"])
_CLAUSE = lazy(r"(?:when|after|before|last|in|two|three|four|five|\d+|a|years|back|[.,;!])\b")


def possession(verb: str, core: str, rest: str, words: list[str], text: str = "") -> Open | None:
    if words[-1] in ("have", "has") and (verb in lasting.STILL or lasting.PARTICIPLE.match(core) is not None):
        if verb in ("been", "seen", "done", "gone", "come", "become", "made", "met", "left"):
            return None
        if verb in lasting.STILL and lasting.LONG.search(text):
            return slot(lasting.STILL[verb], rest)
        return _event(verb, rest)
    if words[-1] == "got" and lasting.EVENT_WITH["got"].match(core):
        return _event("got", core)
    if words[-1] == "had":
        return None
    if lasting.HAD.match(core) is None:
        return None
    found = phrase(core, 8)
    if found is None:
        return None
    said = found.lower().split()
    if (
        said[0] in lasting.NOT_HAD
        or said[-1] in lasting.NOT_HAD
        or (len(said) > 1 and said[1] in lasting.NOT_HAD and not said[0][:1].isdigit())
        or said[-1] in PREPOSITIONS
    ):
        return None
    if said[-1].removesuffix("s") in _NAMED_BEHIND and re.search(rf"{re.escape(found)}[,:] [A-Z]", core):
        return None  # "two boys, Cian and Fintan"
    if re.search(r" (?:called|named|whose)\b", found) or re.match(
        rf"{re.escape(found)}: [a-z]", core.partition(" ")[2]
    ):
        return None
    if said[-1] in ("today", "tomorrow", "tonight") or (
        " to " in found and re.search(r" to (?!the |[A-Z])[a-z]+", found)
    ):
        return None
    return _at_once(("has", found))


def _event(verb: str, rest: str) -> Open | None:
    if verb not in lasting.EVENTS:
        return None
    if verb in lasting.ALONE_EVENTS and (not rest or _CLAUSE.match(rest)):
        return ("is", verb)
    wanted = lasting.EVENT_WITH.get(verb)
    if wanted is not None and wanted.match(rest) is None:
        return None
    if verb == "had":
        rest = re.sub(r" put in\b", " fitted", rest)
    return _at_once(slot(verb, rest))


_MADE = frozenset(
    [
        "broke",
        "fractured",
        "sprained",
        "wrote",
        "built",
        "rewrote",
        "ported",
        "refactored",
        "migrated",
        "deployed",
        "released",
    ]
)


def happened(core: str) -> Open | None:
    """What a clause behind its subject tells of as done once: "wrote the billing module"."""
    verb, _, rest = core.partition(" ")
    return _event(verb, rest) if verb in _MADE else None


def _at_once(found: Open | None) -> Open | None:
    """A slot whose value does not say when that was: "joined a gym last week"."""
    return None if found is None else (found[0], _WHEN.sub("", found[1]))


def _does(verb: str, rest: str, base: bool, text: str) -> Open | None:
    if base:
        lemma = verb
    elif verb.endswith("s") and not verb.endswith("ss"):
        lemma = base_form(verb)
    else:
        lemma = verb
    if verb in lasting.EVENTS and (verb != lemma or verb.endswith("ed") or verb in lasting.EVENT_WITH):
        return _event(verb, rest)
    if not base and lemma == verb:
        return None
    if verb.endswith("ed") and verb not in ("need", "feed", "breed", "speed", "bleed", "shed", "embed", "seed"):
        return None
    if _is_past(verb, rest) or (verb.endswith("ing") and verb not in ("sing", "bring", "ring", "string", "ping")):
        return None
    if not rest.strip(" .!"):
        return ("does", lemma) if lemma in lasting.ALONE else None
    if lemma in lasting.STANCE and not (
        lemma in ("see", "meet") and lasting.OFTEN.search(rest) and _OF_ONE.match(rest)
    ):
        return None
    if lemma not in lasting.HABITS and not lasting.HABIT.is_in(text) and not _is_lasting(lemma, rest, text):
        return None
    dated = not base and lasting.DATED.search(rest) is not None
    if lemma == "need" or (lemma in lasting.MOMENTARY and not dated and not lasting.HABIT.is_in(text)):
        wanted = lasting.WITH.get(lemma)
        if wanted is None or wanted.match(rest) is None:
            return None
    return slot(third(lemma), rest)


#: Pasts that are written like another form or another word.
_AS_PAST = frozenset(["shut", "cast", "ground", "rid"])
#: "I lay on the beach", but "I lay bricks".
_LYING = lazy(r"(?:in|on|at|by|down|under|there|awake)\b")
_AGAIN = lazy(r"^(?:re|mis|out|over)")


def _is_past(verb: str, rest: str) -> bool:
    """Whether a verb that does not end in "ed" is in the past: "lent", "rebuilt"."""
    lay = verb == "lay" and _LYING.match(rest) is not None
    return lay or verb in _AS_PAST or verb in PAST or _AGAIN.sub("", verb) in PAST


_OF_ONE = lazy(r"(?:an?|my|our|the) [a-z]")
#: Words that may stand in a verb's place and are none.
_NO_VERB = word_set("too then there here once well also even maybe still please alone both all first away back")


#: One thing without a name or a figure, to which one does something now.
_THE_ONE = lazy(r"(?:the|this|that|an?|another|one) [^A-Z\d]*$")


def _is_lasting(verb: str, rest: str, text: str) -> bool:
    """Whether a verb that is on no list tells a habit: if it has a day or a name behind it, or the sentence says
    nothing but that, of no single thing."""
    if verb in _NO_VERB:
        return False
    if lasting.TIMED.match(rest) or _AT_NAME.match(rest):
        return True
    if _THE_ONE.match(rest) is not None:
        return False  # "I click the save button"
    alike = text.rstrip(" .!")[-6:].casefold() == rest.rstrip(" .!")[-6:].casefold()
    return alike and len(text.split()) <= 9 and lasting.STANCE.isdisjoint(text.lower().split()[:-1])


def base_form(verb: str) -> str:
    """The plain form of a verb in the third person."""
    if verb in ("has", "does", "goes"):
        return {"has": "have", "does": "do", "goes": "go"}[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zes")):
        return verb[:-2]
    return verb[:-1]


def third(verb: str) -> str:
    """A verb in the third person: how predicates are written."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("ch", "sh", "ss", "x", "z")) else "s")


#: Predicates that rules name, which want a value of their kind.
_NAMED = frozenset(["works_at", "works_for", "lives_in", "studies_at", "moves_to", "comes_from"])


#: What is called by a predicate of things, of which one value holds.
_OTHERWISE = {"goes_to": "attends", "goes_through": "passes_through"}


#: What is told in figures.
_MEASURING = word_set("weighs costs lasts measures charges")
_FIGURE = lazy(
    rf"(?:(?:about|around|almost|nearly|over|under|up|to|me|us|a|an|the) )*(?:[$€£]?\d|(?:{lasting.COUNTED}|hundred|quarter|few)\b)"
)
_EVERY = lazy(
    r"(?:every|all|half) (?!(?:other|first|second|third|fourth|last|few|single|\d+|two|three|four|six|the|day|night|morning|evening|afternoon|week|weekend|weekday|month|quarter|"
    r"year|time|hour|summer|winter|spring|autumn|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"[a-z]*day|marathons?|an hour|my|our|his|her)\b)",
    re.IGNORECASE,
)


def slot(verb: str, rest: str, *, thing: bool = False) -> Open | None:
    """The predicate with its particle or preposition, and the value."""
    rest = re.sub(r"^by hand (?=by )", "", rest)
    first, _, behind = rest.partition(" ")
    if first in _TWO and behind.partition(" ")[0] in PREPOSITIONS:
        second, _, behind = behind.partition(" ")
        verb, rest = f"{verb}_{first}_{second}", behind
    elif first in PREPOSITIONS and behind:
        verb, rest = f"{verb}_{first}", behind
    if verb in _MEASURING and not _FIGURE.match(rest):
        return None  # "my bag weighs a ton"
    verb = _OTHERWISE.get(verb, verb)
    if (verb in _NAMED and not (thing and verb == "comes_from")) or verb in (
        "needs_to",
        "gets_to",
        "lives_for",
        "limited_to",
    ):
        return None  # its own rule did not take it
    found = phrase(rest, 11 if lasting.DATED.search(rest) else 8)
    if found is None and re.match(r"with (?:us|me|him|her|them)\b", f"{first} {behind}"):
        return verb.removesuffix("_with"), f"with {_ENDS.split(behind)[0].strip(' .,!')}"
    if found is None or found.split()[0].lower() in ("to", "ing"):
        return None
    if _EVERY.match(found) and verb.partition("_")[2] == "":
        return None  # "my dad owns every screwdriver in Europe"
    return verb, found


#: Values that tell nothing of the person or thing: idioms, moods, moments.
_IDLE = lazy(
    r"^(?:of|in|up|off|out|down|too|so|together)\b|^(?:on|part|shot|care|place|advantage|time|open|closed|fan|fans|huge fan|big fan|kinds?|"
    r"next (?:week|month|year)|week|month|been|paying off)\b(?: (?:for|at|to|in|of|too|a|an|the)\b.*|$)|"
    r"^(?:\w+ )?(?:surge|wave|sense|bit|lot|ton|burst) of\b|^(?:has |have )?been\b|^\w+ing (?:off|up|out|down)$|"
    r" (?:and|or|too|also|down|up|off|out|in|of|to|for|with|the way)$"
)
#: What takes back or twists what stands before: "two settings: raw and burnt", "three stars, all of them warnings".
_TURNED = lazy(
    rf"\b(?:{lasting.COUNTED}|\d+) [a-z]+(?: [a-z]+)?(?:: [a-z]|, (?!(?:{lasting.COUNTED})\b)[a-z]+ and [a-z]+[.!]?$|, (?:all|both|none|most|half|one|two) of (?:them|which|whom))|"
    r"\bas [a-z]+ as\b|\blike (?:it|they|a|an)\b|\bin the sense\b|\bso to speak\b"
)
#: "half-finished mugs of tea": one thing as if it were another, except for what something is a measure, a part or a kind of.
_OF_ANOTHER = lazy(r"\b(?P<what>[a-z-]+) of (?:(?:the|a|an|my|our) )?(?![A-Z\d])[a-z]")
_MEASURES = word_set(
    """
    pair pairs set sets cup cups glass glasses bottle bottles member members collection series variety couple box boxes bag bags piece pieces kind sort
    type form number tablets slice slices bowl pot litres liters head part side end top bottom back years months weeks hours days mg ml grams kilos kilo
    child children pint pints carton loaf dose doses drops spoon spoonful teaspoon class course degree history school department board council team group bit out
    owner fan lots most some any all one two three half tin tub jar packet range copy copies lessons front outside inside instead because full
    scared afraid terrified fond proud youngest eldest oldest more gigs tattoo photo picture painting list spreadsheet map model book log record
    """
)


def is_turned(sentence: str) -> bool:
    """Whether a sentence twists what it states."""
    return _TURNED.search(sentence) is not None


#: What tells nothing of what it is.
_VAGUE = lazy(
    r"(?:(?:new|old|big|little|great|good|whole|current|next|other|solid|few) )*(?:project|books?|essay|food|meals?|drinks|report|presentation|assignment|thing|things|stuff|"
    r"trip|plan|movies?|films?|TV(?: or .*)?|games?|songs?|system|idea|ones?|days?|method|methods|bits|mix of \w+|addition to .*)$"
)


_DAY_OFF = lazy(r"\b\w*days? off$")


def tells(value: str) -> bool:
    """Whether the value of a slot of its own tells something of a person or a thing."""
    if _VAGUE.match(value):
        return False
    if _DAY_OFF.search(value) is not None:
        return True
    other = _OF_ANOTHER.search(value)
    if other is not None and other["what"] not in _MEASURES and other["what"] not in KIN:
        return False
    return _IDLE.search(value) is None


def is_event(predicate: str) -> bool:
    """Whether a predicate tells what happened once and stays so."""
    return predicate.partition("_")[0] in lasting.EVENTS or not lasting.EVENTS.isdisjoint(predicate.split("_")[1:2])
