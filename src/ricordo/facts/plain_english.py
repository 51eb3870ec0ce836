"""Plain English clauses → claims: who lives, works, owns, likes what; attributes with a value; what replaced what.

A clause is read from its subject on: lead-ins are taken off, contractions written out and adverbs dropped, so that one
pattern serves "I'm living in Leeds", "we still live in Leeds" and "Now I live in Leeds". What is wished, supposed,
reported, dreamt or denied states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from ricordo.facts import english_open, english_open_things, jest
from ricordo.facts.any_case import AnyCase
from ricordo.facts.bygone import NAMED, is_bygone
from ricordo.facts.english_measures import of_measures
from ricordo.facts.english_shapes import straightened
from ricordo.facts.english_subjects import KINWORD, UNNAMED, as_kin, may_name
from ricordo.facts.english_text import plain
from ricordo.facts.english_things import PERSONAL, attribute_predicate, of_attributes, of_things, without_verb
from ricordo.facts.english_verbs import of_anybody, of_people
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.facts.values import is_place
from ricordo.text import EXCEPTION, lazy
from ricordo.text.attributes import ATTRIBUTES
from ricordo.text.english import KIN, NO_NAMES, PAST
from ricordo.text.plain import plain_english as plain_word

_LEAD = AnyCase(
    r"^(?:(?:(?:just )?so you know|oh|and|but|so|also|well|ok(?:ay)?|fine|right|done|yes|yeah|yep|no|nope|(?:hey|hi|hello|morning|evening)(?: all| everyone| folks| guys| there| team)?|btw|by the way|fyi|"
    r"anyway|heads up|quick update|update|good news|bad news|sad news|big news|turns out(?: that)?|(?:please |just )?(?:mention|note|add|remember|keep in mind|bear in mind|don't forget|do not forget) that|meanwhile|oh|as of (?:today|now)|"
    r"guess what|for the record|for your notes|for reference|note|reminder|remember(?: that)?|these days|at the moment|from now on|at home|as you know|"
    r"(?:on|since|from|in|after|until|as of|by) (?:the |early |late |mid-|end of |start of )*(?:\d{1,4}(?:st|nd|rd|th)?(?: of)?(?: [a-z]+)?|january|february|march|april|may|june|july|august|september|october|november|december|yesterday|(?:next |last )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|year)|tomorrow|today)(?: \d{1,4})?|today|yesterday|this morning|last night|tonight|"
    r"(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b[,:!.]* +)"
)
#: Where another clause may begin.
_CUT = lazy(
    r"(?:(?:[;:(–—…]|,(?!\d))+ *| - |\bsays (?=I |my ))(?:and |but |so |because |while |which means |plus |now )?"
    r"|\band (?=[a-z]+(?: [a-z]+)? (?:is|are|costs?) (?:(?:capped|limited|set|down|up|now)? ?(?:at|to) )?[$€£\d])|\b(?:and|but|so|because|cause|since|though|while|as) (?=(?:I|we|my|our|he|she|it|they|the|[A-Z]\w*)\b)"
)
#: "For the thesis I use Zotero", "Every summer we drive to Biarritz": when, where or for what, before the subject.
_BEHIND_PHRASE = lazy(
    r"(?i:for|at|with|after|during|by|from|to|as|since|on|in|before|over|every|each|most|besides|outside|under) (?:[\w'-]+ ){0,5}?[\w'-]+,? (?=(?:I|we|my|our) )"
    r"|(?i:[a-z]+-wise|(?:once|twice|(?:two|three|four|five) times) an? [a-z]+|around here),? (?=(?:I|we|my|our) )"
)
_UNREAL = (
    r"if|unless|(?:test|dummy|example|sample|placeholder) (?:user|customer|account|person|patient|client|company)|(?:^|let us )say the|let us say|let's say|lets say|assume|imagine|imagining|suppose|supposing|assuming|say I|say we|say my|pretend\w*|wish\w*|dream\w*|whether|"
    r"would|as if|as though|according to (?!him|her|them)|as \w+ (?:sings|sang|says|said|put it|(?:used to|would|likes to) say)|(?:until|till) (?:I|we|he|she|they|it|you|my|our|the \w+ (?:is|are|has|gets|comes))\b|once (?:I|we|he|she|they|it|the)|what if|in case|in the (?:film|movie|book|novel|story|show|game|series|song)|in (?:my|our|his|her) (?:head|mind|imagination|fantasy|dreams?)"
)
_UNREAL_BEFORE = lazy(rf"\b(?:{_UNREAL})\b", re.IGNORECASE)
#: Behind these a clause is somebody's opinion, or nobody's.
_REPORTED = lazy(
    r"\b(?:could|might|(?-i:may)|maybe|perhaps|thinks?|thought|believes?|assumes?|assumed|reckons?|swears?|swore|insists?|insisted|suspects?|convinced|considered|(?<!gadget )(?<!watch )(?<!app )(?<!scale )(?<!doctor )(?<!letter )(?<!test )(?<!gp )says?|(?<!doctor )said|told|tells?|claims?|heard|apparently|"
    r"supposedly|allegedly|claims?|rumou?r has it|when|whenever|hopes?|hoping|wonder\w*|asks?|asked|wants?|wanted|should|joke\w*|rumou?r\w*|"
    r"guess|almost|nearly|before|after|than|like)\b(?! what| news)[^,;:]*$",
    re.IGNORECASE,
)
#: A "not" reaches as far as its own clause: up to a comma or an "and".
_DENIED = lazy(r"\b(?:never|not)\b[^,;:]*(?<! and )(?<! so )$", re.IGNORECASE)
#: "Somebody wrote on the wall: my name is Shaz": whose words these are.
_READ_OUT = lazy(
    r"(?<!\bI )\b(?:(?:caption|sign|label|poster|note|card|shirt|mug|banner|lyrics?) (?:says?|reads?|goes?)|wrote|writes|reads?|sings?|sang|shouts?|shouted|scribbled|announced|quoted|(?:told|gave|tell) (?:me|us|him|her|them|everyone|people))\b[^.;:]*: $"
)
_OF_ONESELF = lazy(r"(?:I|my|we|our)\b", re.IGNORECASE)
_NOT_REAL = (_UNREAL_BEFORE, _REPORTED, _DENIED)
#: "In Frozen, Elsa's sister is Anna", "In Stardew I'm married": a title, where it is no place and no month.
_IN_TITLE = lazy(rf"^In (?P<title>{NAME})(?:, | (?=(?P<self>I|my|we|our)\b))")
#: What is told of a tool, and not of a story.
_OF_A_TOOL = frozenset(["uses", "using", "works_on", "working_on", "lives_in", "works_at"])
_UNREAL_IN = lazy(
    rf"\b(?:{_UNREAL}|could|might|(?-i:(?<!\d )may)(?! \d)|maybe|perhaps|probably|practically|basically|technically|theoretically|hypothetically|should|almost|nearly|virtually|hopefully|apparently|"
    r"supposedly|trying to|hoping to|wants?|wanted|thinking (?:of|about)|consider(?:ing|ed)|planning to|plan to|ought)\b",
    re.IGNORECASE,
)
#: What makes a whole sentence unreal from behind.
#: "I'm vegetarian if anyone's planning cake": on no condition.
_FOR_YOU = lazy(r" if (?:anyone|anybody|you (?:want|need|are|ever|fancy|would))\b.*")
_FANCY = lazy(r"(?:if|dream|wish|imagine|suppose|would(?! (?:like|love|prefer|rather|appreciate)))", re.IGNORECASE)
_OF_ITS_OWN = lazy(
    r", (?:(?:he|she|they|it|that|you|who|which)|(?:al)?though (?:[a-z]+ ){1,4}?)(?: would|(?<= )would)\b(?!.*\bif\b)"
)
#: A sentence of chat that leaves "I" out.
_WITHOUT_I = lazy(
    r"^(?:got (?=(?:an?|my|our|rid|the job|two|three|four|five|[A-Z])\b)|(?P<be>(?=(?:allergic to|married to|engaged to|intolerant to|turning \d|vegetarian since|vegan since|diabetic|coeliac|based in|on \d+ ?mg)\b))|"
    r"(?=(?:live in [a-z]|work (?:at|for) [a-z]|weigh \d|drive an? |wear an? |speak [A-Z]|earn \d|pay \d))|quit (?=my job)|(?:adopted|bought|opened|founded|launched|quit|sold|joined|signed up|landed|accepted|became|cancelled|canceled|"
    r"ditched|dropped|swapped|traded|exchanged|replaced) (?=(?:an?|my|our|the|rid|[A-Z])\b)|(?:switched|upgraded|migrated) (?=(?:from|to) )|(?P<left>left) (?=(?:the [A-Z]|my job|[A-Z]))|(?P<moved>moved) (?:back )?(?=to [A-Z])|"
    r"(?P<been>been) (?=(?:an?|the|in|on|with|at|to|[a-z]+ing)\b(?! (?:thinking|wondering|meaning|trying)))|"
    r"started (?=(?:at|as|with) )|(?P<doing>handing|taking|moving|starting|joining|leaving|working|living) (?!with \w+ \d)(?=over|in|at|as|to|for|with|[A-Za-z ]+ over to))",
    re.IGNORECASE,
)
#: What a turn says in jest, or of something made up.
UNSERIOUS = lazy(
    r"\b(?:picture (?:this|that|me)(?=[:,])|plot twist|newsflash|dear diary|for (?:halloween|carnival|(?:the|a) (?:costume|fancy[- ]dress) party)|in (?:an?|another) (?:alternate|alternative|parallel|different|other) (?:universe|world|timeline|reality|life)|"
    r"in (?:a|my) (?:past|previous|former) life|once upon a time|roses are red|on paper,? (?:i|i'm|we|he|she)\b|in theory,? (?:i|i'm|we)\b|"
    r"about as \w+ as an?\b|(?:i'm|i am) not saying (?:i|i'm|we|it)\b|fantasy (?:league|football|team)|here i come|running gag|"
    r"(?:horoscope|fortune cookie|tarot|psychic|buzzfeed|personality quiz)|(?:oh|lol|haha?) (?:sure|joy|yes|yeah)[, ]|ah yes, the\b|"
    r"(?:my|our|his|her) sims?\b|imaginary (?:friend|boyfriend|girlfriend|dog)|in (?:season|episode) \w+|"
    r"(?:so )?i guess (?:i|that makes me)\b|(?:married|engaged) to (?:my|the) (?!best|wife|husband|partner|girl|boy|fianc|love|childhood|man\b|woman\b|mother|father|most|same)|"
    r"(?:in (?:my )?|my )(?:stardew|minecraft|skyrim|animal crossing|zelda|factorio|roblox|fortnite|rimworld|pok[eé]mon|football manager|monopoly|world of warcraft|wow|fallout|civ)\b|"
    r"(?<=[.!?] )(?:all )?(?:wrong|false|lies|not true|none of (?:it|that) is true|neither is true)\b|(?:wrote|writes|printed|reported) that (?:i|we|my)\b|"
    r"(?<=[.!?] )kidding\b|that makes me an?\b|yeah,? right|d&d|dnd|(?:my|our) (?:campaign|playthrough)\b|in (?:my|your|his|her) dreams|april fools?|as if(?=[.!]|$)|"
    r"pigs (?:might |can )?fly|just kidding|jk\b|kidding!|i wish[.!]|not[.!]$|my name is bond|in another life|"
    r"if only|oh great|alter ego|larp\b|cosplay|a limerick|let'?s play(?=[:,])|you are now [a-z]|(?:sure|yeah|right|yes|of course|okay|ok),? and (?:i|i'm|my)\b|said (?:nobody|no ?one)|(?:my|our) (?:novel|heroine|hero|"
    r"character|protagonist|screenplay|short story)|in (?:the|a|my|this) (?:film|movie|book|novel|story|show|game|series|scene|play|dream)\b|"
    r"chapter \w+|i (?:had|have) (?:the|a) \w* ?dream|dreamt|dreamed|last night i dream|let's pretend|lets pretend|"
    r"let us pretend|quote of|write me an?|lyrics?|for the role[- ]?play|(?:for|in) (?:the|a|our|my|this year's) (?:\w+ )?(?:play|panto|pantomime|musical|nativity|improv|sketch))\b|/s\b|🙃|^(?:oh |just )?(?:fantastic|great|wonderful|lovely|brilliant|perfect)[,!] [^.!?]*(?:\. )?\b(?:again|broken|dead|late|delayed|cancelled)\b"
)


def claims(sentence: str, scene: Scene) -> Iterator[Claim]:
    """What a sentence states."""
    whole = _with_subject(_with_person(plain(sentence), scene))
    seen: set[tuple[str, str, str]] = set()
    for text in (*straightened(whole), whole):
        for claim in _claims(sentence, text, scene):
            mark = (claim.subject, claim.predicate, claim.object.casefold())
            if mark not in seen:
                seen.add(mark)
                scene.thing = _thing_of(claim) or scene.thing
                yield claim
    _speaks_of(whole, scene)


#: "Piotr.", "Leonie upstairs": somebody by name, of whom the next sentence may speak.
_ALONE = lazy(r"^(?P<name>[A-Z][^\W\d_]{2,})(?: (?:upstairs|downstairs|from|next|at|in|on)\b[^,.;:]{0,25})?[.!,]?$")
_NAMES = lazy(r"\b(?<!from )(?<!at )(?<!in )(?<!by )(?<!of )(?<!Dr )(?<!Dr\. )[A-Z][^\W\d_]{2,}")


def _speaks_of(text: str, scene: Scene) -> None:
    """Note of whom a sentence speaks if it names one person and no more: of whom "he" or "she" is next."""
    alone = _ALONE.match(text)
    if alone is not None:
        name = alone["name"]
        common = plain_word(name.casefold()) or is_place(name) or not may_name(name, f"{name} ")
        scene.last = scene.person(name) or (scene.last if common else name)
        return
    if scene.last is not None:
        return
    people = {scene.person(each) for each in _NAMES.findall(text) if not scene.is_doubtful(each)} - {None}
    if len(people) != 1 or scene.speaker in people:
        return
    if NAMED.search(text) is None and _UNREAL_BEFORE.search(text) is None:
        scene.last = people.pop()


def _claims(sentence: str, text: str, scene: Scene) -> Iterator[Claim]:
    """What a sentence states in these plain words."""
    scene.written, scene.sentence, scene.inside = sentence, text, None
    speaks_of_some = UNNAMED.search(text) is not None
    spoken_of = _WHOM.search(text) if ", " in text else None
    for start in _starts(text):
        if spoken_of is not None and start >= spoken_of.end():
            scene.last, spoken_of = scene.person(spoken_of["name"]) or scene.last, None
        if (thing := _OF_A_THING.match(text, start)) is not None:
            scene.thing = thing["thing"]
        bond = UNNAMED.search(text, start) if speaks_of_some and scene.unnamed is None else None
        if bond is not None:
            kin = (bond["kin"] or "partner").lower()
            scene.unnamed = scene.speaker, as_kin(kin)
        yield from map(scene.of_relative, _from(text, start, scene))
    if scene.last and (their := _THEIR_KIN.search(text)) is not None and not _is_unreal_before(text[: their.start()]):
        name = their["name"]
        if name.casefold() not in NO_NAMES and not is_place(name) and name != scene.last:
            claim = Claim(scene.last, "person", as_kin(their["kin"].lower()), name, "person")
            scene.meet(name)
            scene.kin[claim.subject, claim.predicate] = name
            scene.last = scene.last if their.start() else name
            yield scene.of_relative(claim)
    relative = _OF_A_RELATIVE.search(text) if "y " in text and "'s " in text else None
    if relative is not None:  # "my dad's knees are bad": of whom the next sentence may speak
        kin = as_kin(relative["kin"].lower())
        scene.last = scene.kin.get((scene.speaker, kin)) or scene.relative(scene.speaker, kin)


#: "The parser rewrite is done": what "it" is in the next sentence, whether or not this one states a fact.
_OF_A_THING = lazy(
    rf"(?:[Tt]he|[Mm]y|[Oo]ur) (?P<thing>(?!(?:{KINWORD})\b)[a-z]+(?: [a-z]+)?) (?:is|are|was|were|has|have|got)\b"
)
#: "Pay Ravi, he's our treasurer": of whom "he" is.
_WHOM = lazy(r"\b(?P<name>[A-Z][a-z]+), (?=(?:he|she) [a-z])")
#: "She and her husband Pawel", "Her fiancé is called Joachim"
_THEIR_KIN = lazy(
    rf"\b[Hh](?:er|is) (?:(?:new|older|younger|elder|little|big|best|twin) )?(?P<kin>{KINWORD})(?:(?: is)? (?:called|named))?,? (?P<name>[A-Z][^\W\d_]+)(?!'s)"
)
_OF_A_RELATIVE = lazy(rf"\b[Mm]y (?P<kin>{KINWORD})'s(?= [a-z])")
#: Predicates whose object is a thing that "it" may be.
_OF_BELONGINGS = frozenset(["owns", "has", "rented", "inherited", "ordered", "rents"])
#: "On Mondays I work from home", "For our honeymoon we're going to Crete": what tells when, before the subject.
_WHEN_FIRST = lazy(
    r"(?P<when>(?:On|Every|Each|At|In|on|every|each|at|in) (?:(?:the|other|second|early|late|first|last) )*(?:[A-Z][a-z]+days?|weekdays|weekends|(?:spring|summer|autumn|fall|winter|morning|evening|afternoon|night|week|month|year|day)s?)|"
    r"[Ff]or (?:my|our) [a-z]+),? $"
)
#: "sessions last 8 hours": a thing without its article, as chat writes it.
_NO_ARTICLE = lazy(
    r"^(?P<thing>[a-z][\w-]+(?: [a-z][\w-]+)??) (?:is|are|has|have|lasts?|caps?|costs?|takes?|runs?|lives?|holds?|expires?|starts?|ends?|opens?|closes?|moves?|gets?|goes)\b"
)


def _is_noun(thing: str) -> bool:
    """Whether words before a verb can be the name of a thing."""
    return not any(each in NO_NAMES for each in thing.split())


_THEIRS = lazy(r"^(?:[Hh]is|[Hh]er|[Tt]heir) (?=[a-z])")
_IT = lazy(r"^(?:[Ii]t|[Tt]hey)(?= )")
_HEAD = lazy(r"^(?:[\w-]+ ){0,2}?[\w-]+(?=$|,| (?:in|on|at|for|from|with|to|of|by)\b)")


def _thing_of(claim: Claim) -> str:
    """What "it" may be behind a claim: the thing that the claim is of."""
    if claim.subject_kind == "topic":
        return claim.subject
    if claim.predicate in _OF_BELONGINGS:
        head = _HEAD.match(claim.object)
        return head.group() if head is not None else ""
    last = claim.predicate.rpartition("_")[2]
    return claim.predicate.replace("_", " ") if claim.object_kind is None and last in ATTRIBUTES - PERSONAL else ""


#: "Tomasz got the job! starts at Brightwater on Monday": a sentence of chat that leaves out of whom it is.
_WITHOUT_HE = lazy(
    r"^(?P<before>(?:[a-z]+(?: [a-z]+)?, ){0,3})(?=(?:starts|works|lives|teaches|studies|plays|speaks|drives|comes|moved|turns|takes|eats|hates|loves) (?:at|as|in|on|for|from|to|with|the|an?|[A-Z\d]|[a-z]+s?\b(?: (?:at|in|for|to|on)\b|[.,!]|$)))"
)


def _with_person(text: str, scene: Scene) -> str:
    """A sentence with the one person of whom it goes on to tell."""
    if scene.last is None or scene.last == scene.speaker or (match := _WITHOUT_HE.match(text)) is None:
        return text
    if any(word in NO_NAMES and word not in ("and",) for word in match["before"].replace(",", "").split()):
        return text
    known = scene.relatives.get(scene.last)
    name = (
        scene.last if known is None else f"{'My' if known[0] == scene.speaker else known[0] + chr(39) + 's'} {known[1]}"
    )
    return f"{name} {text[match.end('before') :]}"


def asked(sentence: str, scene: Scene, *, by_other: bool = False) -> None:
    """Note of whom and of what a question speaks, which may be answered in the next sentence or turn."""
    if by_other and scene.last is None:
        named = _ASKED_ABOUT.search(plain(sentence))
        scene.last = None if named is None else scene.person(named["name"] or named["alone"])
    own = not by_other and ("my " in sentence or "our " in sentence)
    bond = UNNAMED.search(plain(sentence)) if own else None
    if bond is not None and bond["kin"] and _OF_ONESELF.match(bond.group()):
        kin = as_kin(bond["kin"].lower())
        scene.last = scene.kin.get((scene.speaker, kin)) or scene.relative(scene.speaker, kin)
    thing = _ASKED_OF.search(sentence)
    if thing is not None and not any(each in NO_NAMES for each in thing["thing"].split()):
        scene.thing = thing["thing"]


#: "Where does Tom work these days?", which "He's at Zalando" answers.
_ASKED_ABOUT = lazy(
    r"(?<=[a-z'] )(?P<name>[A-Z][^\W\d_]{1,20})(?='s | [a-z]|$)|^(?P<alone>[A-Z][^\W\d_]{1,20})(?='s |$)"
)
#: "does the billing service even handle that?"
_ASKED_OF = lazy(
    r"^(?:(?:and|so|but|ok|wow|oh|wait)[,.]? )?(?:is|does|did|was|has|can) (?:the )?(?P<thing>[a-z]+(?: [a-z]+)??)(?= (?:the|an?|even|still|already|on|in|at|handle|have|support|use|run|work|need|cost|that)\b)",
    re.IGNORECASE,
)


def _with_subject(text: str) -> str:
    """A sentence with the "I" that chat leaves out: "Adopted a dog!"."""
    neither = _NEITHER.match(text) if " of us " in text else None
    if neither is not None:
        text = f"{neither['before']}we do not {english_open.base_form(neither['verb'])}{text[neither.end() :]}"
    match = _WITHOUT_I.match(text)
    if match is None:
        return text
    return (
        ("I am " if match["doing"] or match["be"] is not None else "I have " if match["been"] else "I ")
        + text[:1].lower()
        + text[1:]
    )


#: "Neither of us eats meat"
_NEITHER = lazy(r"(?P<before>.*?)\b(?i:neither|none) of us (?P<verb>[a-z]+s)(?= )")
_IS_TIME = lazy(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn|Winter)\b"
)
_GOES_ON = lazy(r"(?:starting|working|living|based|moving|joining) (?=(?:at|for|in|as|to|with) )")


def _whole(clause: str, text: str) -> str:
    """A clause with the subject that it shares: "I'm a solicitor, starting at Dale & Finch in March"."""
    shared = _GOES_ON.match(clause) and re.match(r"(?:I am|[Ww]e are|I have|[Ww]e have) ", text)
    if shared:
        return f"I am {clause}"
    left_out = text.startswith(("I ", "We ", "we ")) and _WITHOUT_I.match(clause)
    return f"I {clause}" if left_out else clause


@lru_cache(4096)
def _starts(text: str) -> list[int]:
    """Where a clause may begin: at the beginning, behind a lead-in, a comma or an "and"."""
    starts = {0}
    at = 0
    for _ in range(4):
        end = _LEAD.end(text[at:])
        if not end:
            break
        at += end
        starts.add(at)
    phrase = _BEHIND_PHRASE.match(text)
    if phrase is not None:
        starts.add(phrase.end())
    starts |= {match.end() for match in _CUT.finditer(text)}
    for start in list(starts):
        starts.add(start + _LEAD.end(text[start:]))
    return sorted(start for start in starts if start < len(text))


#: A home of the speaker's and what it costs: "the new flat is 900 a month", "our room: 500 per month".
_HOME = frozenset(
    ["place", "flat", "apartment", "house", "room", "studio", "new", "current", "own", "rented", "shared"]
)
_BY_TIME = lazy(r"(?:\b(?:a|an|per|each|every) |/)(?:week|month|mo|year)\b|\bpcm\b", re.IGNORECASE)

#: Words in which no value ends.
_RAGGED = lazy(
    r"(?: (?:after|before|about|with|without|for|from|of|to|than|that|which|who|whose|and|but|can|could|would|should|are|were|have|because|when|while|where|the|a|an|my|our|your|his|her|their))+$"
)
#: What the subject of a clause states by itself: "my sister Ana".
_KINSHIPS = frozenset([*KIN.values(), "pet", "child"])
_RULES = (of_people, of_attributes, of_things, of_measures, without_verb)


_EXCEPTION = lazy(EXCEPTION, re.IGNORECASE)
#: What is told with these began or happened, so that it holds from then on.
_HAPPENED = lazy(rf"\b(?:[a-z]{{2,}}ed|have|has|had|{'|'.join(sorted(PAST))})\b")
_BREAK = lazy(r"[,;:.(]| and | but | so ")


def lead_of(before: str) -> str:
    """What stands before a clause and belongs to it: the words since the last sign, or a few before a comma."""
    last, words = _BREAK.split(before.rstrip(" ,"))[-1], before.rstrip()
    return last if not words.endswith(",") or last.count(" ") < 3 else ""


def is_exception(clause: str) -> bool:
    """Whether what a clause says of the present is so only this time: "this week the bins go out on Thursday"."""
    return _EXCEPTION.search(clause) is not None and _HAPPENED.search(clause) is None


@lru_cache(4096)
def _is_unreal_before(before: str) -> bool:
    """Whether the text before a clause makes it a wish, a supposition, hearsay or a denial."""
    before = re.split(r"\bbut\b|;", before)[-1]
    nearer = re.sub(r"[,;:]\s*$", ",", before)
    return any(pattern.search(each) for pattern, each in zip(_NOT_REAL, (before, nearer, nearer), strict=True))


def _from(text: str, start: int, scene: Scene) -> Iterator[Claim]:
    if start and _is_unreal_before(text[:start]):
        return
    colon = text.rfind(": ", 0, start)
    if colon > 0 and _READ_OUT.search(text, 0, colon + 2) and _OF_ONESELF.match(text, start):
        return
    if text.startswith("I are ", start):
        return  # "My bed and I are inseparable": half a subject
    clause = _whole(text[start:], text)
    if start and (when := _WHEN_FIRST.match(text[:start])) is not None:
        clause = f"{clause.rstrip('.!')} {when['when'][:1].lower()}{when['when'][1:]}"
    found = [each for rule in _RULES for each in rule(clause, scene)]
    if not found or _KINSHIPS.issuperset(each.predicate for each in found):
        opened = of_anybody(clause, scene) or of_anything(clause, scene)
        named = _IT.sub(f"The {scene.thing}", clause) if scene.thing and _IT.match(clause) else ""
        if scene.last is None and (theirs := _THEIRS.match(clause)) is not None:
            named = f"The {clause[theirs.end() :]}"  # whose wedding that is, nothing tells
        if not named and (bare := _NO_ARTICLE.match(clause)) is not None and _is_noun(bare["thing"]):
            named = f"The {clause}"
        if not opened and named:
            clause = named
            opened = of_measures(clause, scene)[:1] or of_anything(clause, scene)
            opened = [_of_common(each, scene) for each in opened]
        opened = [each for each in opened if english_open.tells(each.object)]
        if opened and not english_open.is_turned(scene.written) and not jest.in_jest(scene.text):
            found += opened
    if not found:
        return
    title = _IN_TITLE.match(text)
    if title is not None and not is_place(title["title"]) and not _IS_TIME.match(title["title"]):
        in_story = title["self"] is not None
        found = [
            each
            for each in found
            if (each.predicate in _OF_A_TOOL if in_story else each.subject == scene.speaker)
            or each.subject_kind != "person"
        ]
    if is_bygone(text, start):
        found = [each for each in found if each.ended or english_open.is_event(each.predicate)]
    own = re.split(r"[;(]| but | - |[–—]| and (?=(?:I|we|my|our|he|she|they)\b)", text[start:])[0]
    unreal = _UNREAL_IN.search(_FOR_YOU.sub("", own))
    comma = own.find(",")
    if unreal is not None and _OF_ITS_OWN.match(own, comma) is not None:
        unreal = None  # "she is a nurse, she would know"
    if unreal is not None and (not 8 < comma < unreal.start() or _FANCY.match(own, unreal.start())):
        return
    if is_exception(f"{lead_of(text[:start])} {_BREAK.split(text[start:])[0]}"):
        found = [each for each in found if each.ended or each.predicate in _KINSHIPS]
    for each in found:
        each = _with_name(each, text)
        each = replace(each, object=whole) if (whole := _RAGGED.sub("", each.object)) != each.object else each
        of_home = each.subject == scene.speaker and _HOME.issuperset(each.predicate.split("_"))
        yield replace(each, predicate="rent") if of_home and _BY_TIME.search(each.object) else each


def _with_name(claim: Claim, text: str) -> Claim:
    """A claim of somebody or something whose name stands behind: "I've hired a student, Caetano"."""
    if not claim.object.islower() or f"{claim.object}, " not in text:
        return claim
    named = re.search(
        rf"\ban? {re.escape(claim.object)}, (?P<name>{NAME})(?=[,.;!]|$| (?:for|to|from|on|in|at|who)\b)", text
    )
    return (
        claim if named is None or is_place(named["name"]) else replace(claim, object=f"{claim.object} {named['name']}")
    )


def of_anything(clause: str, scene: Scene) -> list[Claim]:
    """What a clause that no rule reads states of a thing, in a slot of its own."""
    if clause.startswith(("His ", "Her ")) and scene.last and scene.person(scene.last):
        return [replace(each, subject=scene.last) for each in of_anything(f"My {clause[4:]}", scene)]
    parts = english_open_things.halves(clause) if " and " in clause else [clause]
    return [each for part in parts for each in _of_one_thing(part, scene)]


def _of_one_thing(clause: str, scene: Scene) -> list[Claim]:
    found = english_open_things.of_thing(clause)
    if found is None:
        return []
    whose, thing, predicate, value = found
    claim = Claim(thing, "topic", predicate, value)
    if whose in ("my", "our"):
        return [_as_own(claim, scene)]
    # "The band is two degrees wide" is about nobody: only what has a name is an entity.
    if not claim.subject.islower():
        return [claim]
    return [_as_own(claim, scene)] if english_open_things.is_known(predicate, value) else []


def _of_common(claim: Claim, scene: Scene) -> Claim:
    """A claim about "the kitchen" as one of whoever speaks: only what has a name is an entity."""
    return _as_own(claim, scene) if claim.subject_kind == "topic" and claim.subject.islower() else claim


def _as_own(claim: Claim, scene: Scene) -> Claim:
    """A claim about a thing of whoever speaks: "lease_ends_in"."""
    named = attribute_predicate([*claim.subject.lower().split(), *claim.predicate.split("_")])
    return replace(claim, subject=scene.speaker, subject_kind="person", predicate=named or claim.predicate)
