"""English sentences of other shapes → plain clauses: what stands in the way between a subject and its verb is taken out.

"My uncle, a retired bus driver, lives with us" is read as "My uncle lives with us" and "My uncle is a retired bus
driver"; "the camera I use is a Fujifilm" as "My camera is a Fujifilm". No rule here knows what a clause means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.facts.scenes import NAME
from ricordo.facts.values import MORE_TRADES, role
from ricordo.text import any_of, lazy
from ricordo.text.english import TRADES

#: The subject of a sentence whose verb something parts from it: "My uncle", "The car", "Pickle".
_SUBJECT = rf"(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er) (?:[\w'-]+ ){{0,2}}?[\w'-]+|{NAME}"
#: A finite verb of a plain clause.
_VERB = (
    r"(?:is|are|was|were|has|have|had|does|do|will|can|got|[a-z]+s|[a-z]+ed|went|left|came|took|gave|made|ran|flew)\b"
)
#: "My car, a 2014 Yaris, has": what somebody or something is, between commas.
_APPOSED = lazy(rf"^(?P<subject>{_SUBJECT}), (?P<what>(?:an?|the|my|our) [^,.;:!?]{{3,50}}),(?P<rest> (?:{_VERB}).*)")
#: "Our boss, Mr Kowalczyk, retires": a name between commas.
_BY_NAME = lazy(
    rf"^(?P<subject>(?:[Mm]y|[Oo]ur) (?:[a-z-]+ )?[a-z-]+), (?P<name>(?:(?:Mrs?|Ms|Miss|Dr|Prof)\.? )?{NAME}),(?P<rest> (?:{_VERB}).*)"
)
#: "My landlady, who lives upstairs, is": a clause of its own between commas.
_RELATIVE = lazy(
    rf"^(?P<subject>{_SUBJECT}), (?:who|which) (?P<clause>(?:{_VERB})[^,.;:!?]{{3,60}}),(?P<rest> (?:{_VERB}).*)"
)
#: "The rabbit we got last spring is": which one it is, told by what we do with it.
_OF_OURS = lazy(
    r"^[Tt]he (?P<thing>[a-z]+(?: [a-z]+)?) (?:that |which |who )?(?P<who>I|we) (?P<verb>(?:have |am |are )?[a-z]+)(?P<more> [^,.;:!?]{1,40}?)??,?"
    r" (?P<be>is|are)(?P<rest> .+)"
)
#: "The choir I sing in rehearses", "The job that syncs invoices takes": which one it is, between its name and its verb.
_WHICH = lazy(
    r"^[Tt]he (?P<thing>[a-z]+(?: [a-z]+)?) (?P<who>I|we|that|which) (?P<clause>[a-z]+(?: [a-z]+){0,3}?)"
    r"(?P<rest> (?:is|are|has|takes|costs|runs|starts|ends|opens|closes|meets|rehearses|lives|sits|uses|needs|lasts|[a-z]+s (?:at|on|in|from|every)) .*)"
)
#: "As a coeliac I can't have barley"
_AS = lazy(
    r"^(?:[Aa]s|[Bb]eing) (?P<what>an? (?!student|kid|child|teen|boy|girl|toddler|baby|youth|result|rule|matter|whole|bonus|joke|treat|reminder|follow|beginner|user)[a-z]+(?: [a-z]+){0,2}),? (?=(?P<rest>(?:I|my)\b.*))"
)
#: "Spanish is my weakest subject"
_MINE_LAST = lazy(
    r"^(?P<value>[A-Z][\w'-]*(?: [\w'-]+){0,3}) (?P<be>is|are) (?P<what>(?:my|our) (?:favou?rite|weakest|strongest|best|worst|main|usual|go-to|native|second) [a-z]+(?: [a-z]+)?)(?P<rest>[.!]?)$"
)
#: "On Thursday nights a few of us play": those who are among us.
_SOME_OF_US = lazy(r"^(?P<before>.{0,40}?)\b(?:a few|some|most|all|both|three|four|five) of us(?= [a-z])")
#: "The one who looks after billing is Henrike", "The person I report to is Ana".
_THE_ONE = lazy(
    rf"^[Tt]he (?:one|person|guy|woman|man|lady|colleague|teammate|dev|developer|engineer) (?:who|that) (?P<does>[a-z]+s [^,.;:!?]{{3,40}}) is (?P<name>{NAME})(?P<rest>.*)"
)
_WHOM = lazy(
    rf"^[Tt]he (?:one|person|guy|woman|man|lady) (?:who |that |whom )?(?P<whom>I [a-z]+ (?:to|with|for)) is (?:called |named )?(?P<name>{NAME})(?P<rest>.*)"
)
#: "There's a plumber I trust called Gareth", "There's a girl in my class called Anna": ours by what we do or have.
_THERE = lazy(
    rf"^[Tt]here (?:is|are) an? (?P<thing>[a-z]+(?: [a-z]+)?)(?P<ours>(?: (?:in|on|at) (?:our|my) [^,.;:!?]{{2,20}}?)?(?: (?:I|we) [^,.;:!?]{{2,30}}?)?)(?: (?:in|on|at) the [^,.;:!?]{{2,20}}?)?(?: (?:who|that) [^,.;:!?]{{2,30}}?)?,? "
    rf"(?:called|named) (?P<name>(?:Dr\.? )?{NAME})(?P<rest>.*)"
)
#: "there's twelve of us on the team"
_OF_US = lazy(r"^[Tt]here (?:is|are) (?P<count>\w+) of us (?:on|in|at) (?:the|our) (?P<where>[a-z]+)(?P<rest>.*)")
#: "There are four flats in our building"
_IN_OURS = lazy(
    r"^(?:(?:[Oo]n|[Ii]n|[Aa]t) (?P<first>(?:my|our) [a-z]+(?: [a-z]+)?),? )?[Tt]here (?:is|are) (?P<what>(?:an?|two|three|four|five|six|seven|eight|nine|ten|\d+) [^,.;:!?]{2,40}?)"
    r"(?: (?:in|at|on) (?P<last>(?:my|our) [a-z]+(?: [a-z]+)?))?(?P<rest>$|[.,;!].*| (?:that|which) .*)"
)
#: "Bundle must stay under 60 kB", "payments have to go through Nets": a rule about a thing, as what it does.
_MUST = lazy(
    r"^(?P<thing>(?:The |Our |the |our )?[A-Za-z][\w-]*(?: [a-z-]+)?) (?:must|has to|have to) (?P<verb>stay|be|go|run|use|come|live|sit) (?P<rest>.*)"
)
_PRESENT = {
    "be": "is",
    "go": "goes",
    "stay": "stays",
    "run": "runs",
    "use": "uses",
    "come": "comes",
    "live": "lives",
    "sit": "sits",
}
#: "CI is GitHub Actions and takes four minutes": two verbs of one thing.
_TWO_VERBS = lazy(
    r"^(?P<thing>(?:The|Our|My) [a-z-]+(?: [a-z-]+)?|[A-Z][\w.]*) (?P<first>(?:is|are|has) [^,;]{2,40}?) and (?P<second>(?:takes|costs|runs|lives|uses|has|needs|weighs|holds|opens|closes|starts|ends|lasts) .*)"
)
#: "My best friend from school is": where somebody or something is from or stands.
_PLACED = lazy(
    r"^(?P<subject>(?:[Mm]y|[Oo]ur|[Tt]he)(?: (?!(?:is|are|was|were|has|have|had)\b)[a-z'-]+){1,3}?) (?:from|since|at|near|next to|behind|beside|opposite|down|in|on|by|with) "
    rf"(?:(?:my|our|the|a|an) )?(?:[\w'-]+ ){{0,2}}?[\w'-]+(?P<rest> (?:{_VERB}) .*)"
)
#: "What I can't stand is coriander", "It's the permit that runs out in May", "Ada is the one who owns search".
_WHAT = lazy(
    r"^[Ww]hat (?P<who>I|we|he|she) (?P<does>(?!need|mean|want|think|know|say|love about|like about)[a-z]+(?: [a-z]+){0,3}?) (?:is|are) (?P<what>(?!that\b|to\b|how\b|when\b|why\b)[^,.;:!?]{2,60})(?P<rest>.*)$"
)
_IT_IS = lazy(
    rf"^[Ii]t is (?P<what>(?:the|my|our) [a-z-]+(?: [a-z-]+){{0,2}}?|{NAME}) (?:that|who|which) (?P<does>(?:{_VERB}|runs|owns) .+)$"
)
_IS_THE_ONE = lazy(
    rf"^(?:[^,.;:!?]{{3,25}}, )?(?P<name>{NAME}) is the (?:one|person) (?:who|that) (?P<does>[a-z]+s .+)$"
)
#: "Since I joined Fennimore Labs I hardly see daylight": a clause of its own before the main one.
_SINCE = lazy(
    r"^(?:[Ss]ince|[Nn]ow that|[Bb]ecause|[Aa]s) (?P<clause>(?:I|we) (?!(?:last|was|were|am|are)\b)[a-z]+ [^,.;:!?]{2,50}?),? (?P<rest>(?:I|we|my|our) .+)$"
)
#: "The landlady, a Mrs Okafor, only answers texts"
_TITLED = lazy(
    r"^.{0,60}?\b(?:[Tt]he|[Oo]ur|[Mm]y) (?P<what>[a-z]+), (?:an? )?(?P<name>(?:Mrs?|Ms|Miss|Dr|Prof)\.? [A-Z][\w'-]+)(?=$|[,.;!])"
)
#: "Ping me at joss@example.org if the file is too big"
_REACH_ME = lazy(
    r"^.{0,40}?\b(?:ping|e-?mail|mail|reach|contact|write to|text|call|ring|phone|message) me (?:at|on|via|under) (?:(?P<mail>[^\s@,;]+@[^\s@,;]+\.[a-z]+)|(?P<number>\+?\d[\d /-]{5,}\d))",
    re.IGNORECASE,
)
#: "The landlord's put the rent up to 1,150"
_PUT_TO = lazy(
    r"^.{2,30}? (?:has |have )?(?:put|raised|bumped|upped|increased|lowered|cut) (?:the|my|our) (?P<what>rent|price|fee|limit|salary|budget|wage|deposit|timeout|quota|interest rate) (?:(?:up|down) )?(?:to|at) (?P<value>[$€£]?\d[^;!?]*)$"
)
#: "It's my birthday on the 9th"
_IT_IS_MINE = lazy(r"^[Ii]t is (?P<what>(?:my|our) [a-z]+(?:'s [a-z]+)?) (?P<day>(?:on|in) .+)$")
#: "I've moved, it's 14 Marlow Road now": where the sentence tells of a home.
_STREET = (
    r"\d{1,4}[a-z]? [A-Z][a-z']+(?: [A-Z][a-z]+)? (?:Road|Street|Lane|Avenue|Close|Drive|Way|Grove|Terrace|Place|Court|Crescent|Gardens|Square|Row|Mews|Rise|View)\b"
    r"|[A-Z][a-z']+ (?:Road|Street|Lane|Avenue|Close|Drive|Way|Grove|Terrace|Place|Court|Crescent|Gardens|Square|Row|Mews) \d{1,4}[a-z]?\b"
)
_NEW_HOME = lazy(
    rf"^.{{0,80}}?(?:\bmoved\b.{{0,30}}?\b(?:it is|to|at)|\baddress:|\b(?:I|we) (?:am|are) at) (?P<street>{_STREET})|^.{{0,60}}?(?P<ours>{_STREET}) is (?:ours|mine)\b"
)
#: "The dentist can fit me in on 14 October"
_FITS_IN = lazy(
    r"^(?:[Tt]he|[Mm]y) (?P<who>[a-z]+(?: [a-z]+)?) can (?:fit|see|take|squeeze) (?:me|us) (?:in )?(?P<day>(?:on|at) .+)$"
)
#: "Uploads bigger than 25 MB get rejected"
_TOO_MUCH = lazy(
    r"^(?:The |the )?(?P<thing>[A-Za-z]+)s (?:bigger than|larger than|longer than|older than|over|above|more than) (?P<value>\d[\d.,]* ?[A-Za-z%]+) (?:get|are) (?:rejected|refused|blocked|deleted|dropped|cut|removed|discarded)\b"
)
#: "I managed 1:47:09 in the half marathon", "ran the 10k in 52:18"
_IN_TIME = lazy(
    r"^I (?:managed|did|got|ran|clocked|finished) (?:(?P<time>\d{1,2}:\d\d(?::\d\d)?) (?:in|for|over|at) (?:the |my )?(?P<race>[\w ]{2,20}?)|(?:the |my |an? )?(?P<run>[\w ]{2,20}?) in (?P<clock>\d{1,2}:\d\d(?::\d\d)?))(?=$|[.,;!])"
)
#: "team lead from the first of July"
_FROM_DAY = lazy(
    r"^(?P<what>[a-z]+(?: [a-z]+)?) (?P<day>(?:from|as of|starting) (?:the )?(?:first|\d{1,2}(?:st|nd|rd|th)?)(?: of)? (?:January|February|March|April|May|June|July|August|September|October|November|December))\b"
)
#: "The tender has to be in by 30 June"
_DUE = lazy(
    r"^(?P<thing>(?:[Tt]he |[Oo]ur |[Mm]y )?[A-Za-z][\w-]*(?: [a-z-]+)?) (?:has to|have to|must|needs to|need to) be (?:in|done|finished|submitted|filed|paid|handed in|sent|sent off|ready|out|delivered|back) by (?P<day>.+)$"
)
#: "You can reach Gwen on 07911 555 208"
_REACHED = lazy(
    rf"^(?:[Yy]ou can )?(?:[Rr]each|[Cc]all|[Rr]ing|[Tt]ext|[Pp]hone) (?P<name>{NAME}) (?:on|at) (?P<number>\+?\d[\d /-]{{5,}}\d)"
)
_ANY = any_of(
    _WHAT,
    _IT_IS,
    _IS_THE_ONE,
    _SINCE,
    _DUE,
    _REACHED,
    _TITLED,
    _FROM_DAY,
    _REACH_ME,
    _PUT_TO,
    _IT_IS_MINE,
    _NEW_HOME,
    _FITS_IN,
    _TOO_MUCH,
    _IN_TIME,
    _APPOSED,
    _BY_NAME,
    _RELATIVE,
    _OF_OURS,
    _WHICH,
    _AS,
    _MINE_LAST,
    _SOME_OF_US,
    _IN_OURS,
    _MUST,
    _TWO_VERBS,
    _THE_ONE,
    _WHOM,
    _THERE,
    _OF_US,
    _PLACED,
)
#: With what a sentence of such a shape may begin.
_MAY = lazy(
    r"(?:[Mm]y|[Oo]ur|[Tt]he|[Tt]here|[Hh]is|[Hh]er|[Aa]s|[Bb]eing|[Ss]ince|[Nn]ow that|[Bb]ecause|[Ww]hat|[Ii]t is|[Yy]ou can|[Rr]each|[Cc]all|[Rr]ing|[Tt]ext|[Pp]hone)\b|[A-Z][\w'-]*(?: [\w'-]+){0,3} (?:is|are) (?:my|our) |[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?, (?:my|our|an?|the|who)\b"
)
_WITHIN = lazy(
    r" (?:of us|there|must|has to|have to|needs? to|is the (?:one|person) (?:who|that)|and (?:takes|costs|runs|lives|uses|has|needs|weighs|holds|opens|closes|starts|ends|lasts)|"
    r"(?:bigger|larger|longer|older|more) than|(?:put|raised|bumped|upped|increased|lowered|cut) (?:the|my|our)|me (?:at|on|via|under)|(?:from|as of|starting) (?:the )?(?:first|\d{1,2}(?:st|nd|rd|th)?)|in \d{1,2}:[\d:]+|\d{1,2}:[\d:]+ (?:in|for|over|at)) "
    r"| (?:ours|mine)\b| in \d{1,2}:\d\d|\baddress:|\bmoved,|\bmoved to \d|, (?:an? )?(?:Mrs?|Ms|Miss|Dr|Prof)\b| (?:over|above) \d"
)
_WE = frozenset(["i", "we", "you", "he", "she", "they", "it", "this", "that", "there", "what", "who"])
#: What we do with a thing that is ours by it.
_OURS_BY = frozenset(
    ["have", "got", "own", "use", "drive", "ride", "bought", "adopted", "rent", "keep", "wear",
     "had", "rescued", "ordered", "take", "am using", "am reading", "are using", "live", "rented", "go"]
)  # fmt: skip
#: What is ours by being played.
_PLAYED = frozenset(["instrument", "sport", "position"])
#: Behind a name, what makes it ours.
_OURS = lazy(r" (?:in|on|at) (?:our|my) |,? (?:who |that |whom )?(?:I|we) [a-z]+")
_WORK = frozenset(["work", "am working", "worked"])


def straightened(text: str) -> list[str]:
    """The plain clauses that a sentence of another shape is read as; none where its shape is plain."""
    if (_MAY.match(text) is None and _WITHIN.search(text) is None) or _ANY.match(text) is None:
        return []
    return list(_straightened(text))


def _straightened(text: str) -> Iterator[str]:
    apposed, relative, named = _APPOSED.match(text), _RELATIVE.match(text), _BY_NAME.match(text)
    if named is not None:
        yield f"{named['subject']} is {named['name']}."
        yield named["subject"] + named["rest"]
        return
    if apposed is not None:
        yield f"{apposed['subject']} is {apposed['what']}."
        yield apposed["subject"] + apposed["rest"]
        return
    if relative is not None:
        yield f"{relative['subject']} {relative['clause']}."
        yield relative["subject"] + relative["rest"]
        return
    if (split := _SINCE.match(text)) is not None:
        yield f"{split['clause']}."
        yield split["rest"]
        return
    one, whom, there, us = _THE_ONE.match(text), _WHOM.match(text), _THERE.match(text), _OF_US.match(text)
    if one is not None:
        yield f"{one['name']} {one['does']}{one['rest']}"
    elif whom is not None:
        yield f"{whom['whom']} {whom['name']}{whom['rest']}"
    elif there is not None:
        if there["ours"] or _OURS.match(there["rest"]):
            yield f"My {there['thing']} is {there['name']}{there['rest']}"
    elif us is not None:
        yield f"Our {us['where']} has {us['count']} people{us['rest']}"
    elif turned := _uncleft(text):
        yield turned
    else:
        yield from _of_things(text)
        yield from _turned(text)


def _uncleft(text: str) -> str:
    """A clause that was split for emphasis, or told as a duty or an offer, in plain order; '' where it is none."""
    what, it_is, one = _WHAT.match(text), _IT_IS.match(text), _IS_THE_ONE.match(text)
    if (titled := _TITLED.match(text)) is not None:
        return f"Our {titled['what']} is {titled['name']}."
    if (home := _NEW_HOME.match(text)) is not None:
        return f"My address is {home['street'] or home['ours']}."
    if (me := _REACH_ME.match(text)) is not None:
        return f"My email is {me['mail']}." if me["mail"] else f"My phone number is {me['number']}."
    if (put := _PUT_TO.match(text)) is not None:
        return f"The {put['what']} is {put['value']}"
    if (mine := _IT_IS_MINE.match(text)) is not None:
        return f"{mine['what'][:1].upper()}{mine['what'][1:]} is {mine['day']}"
    if (fits := _FITS_IN.match(text)) is not None:
        return f"My {fits['who']} appointment is {fits['day']}"
    if (over := _TOO_MUCH.match(text)) is not None:
        return f"The {over['thing'].lower()} limit is {over['value']}."
    if (in_time := _IN_TIME.match(text)) is not None:
        return f"My {in_time['race'] or in_time['run']} time is {in_time['time'] or in_time['clock']}."
    if (from_day := _FROM_DAY.match(text)) is not None:
        named = role(from_day["what"])
        return f"I am a {named} {from_day['day']}." if named else ""
    if what is not None:
        return f"{what['who']} {what['does']} {what['what']}{what['rest']}"
    if it_is is not None:
        return f"{it_is['what'][:1].upper()}{it_is['what'][1:]} {it_is['does']}"
    if one is not None:
        return f"{one['name']} {one['does']}"
    if (due := _DUE.match(text)) is not None and due["thing"].lower() not in _WE:
        return f"{due['thing']} is due by {due['day']}"
    reached = _REACHED.match(text)
    return "" if reached is None else f"{reached['name']}'s phone number is {reached['number']}."


def _turned(text: str) -> Iterator[str]:
    """Clauses whose words come in another order."""
    as_what, mine, some = _AS.match(text), _MINE_LAST.match(text), _SOME_OF_US.match(text)
    if as_what is not None:
        yield f"I am {as_what['what']}."
        yield as_what["rest"]
    elif mine is not None:
        yield f"{mine['what'][:1].upper()}{mine['what'][1:]} {mine['be']} {mine['value']}{mine['rest']}"
    elif (ours := _IN_OURS.match(text)) is not None and (owner := ours["first"] or ours["last"]):
        yield f"{owner[:1].upper()}{owner[1:]} has {ours['what']}{ours['rest']}"
    elif (must := _MUST.match(text)) is not None and must["thing"].lower() not in _WE:
        yield f"{must['thing']} {_PRESENT[must['verb']]} {must['rest']}"
    elif (two := _TWO_VERBS.match(text)) is not None:
        yield f"{two['thing']} {two['second']}"
    elif some is not None:
        yield f"{some['before']}we{text[some.end() :]}"


def _of_things(text: str) -> Iterator[str]:
    ours, placed, which = _OF_OURS.match(text), _PLACED.match(text), _WHICH.match(text)
    if ours is not None:
        own = "My" if ours["who"] == "I" else "Our"
        verb = ours["verb"]
        if verb in _WORK and (ours["more"] or "").startswith((" for", " at")):
            yield f"{ours['who']} work for {re.sub(r'^ (?:called|named) ', ' ', ours['rest']).strip()}"
        elif (verb in _OURS_BY or _is_ours(verb, ours["thing"])) and not (ours["more"] or "").startswith(" about"):
            yield f"{own} {ours['thing']} {ours['be']}{ours['rest']}"
    elif which is not None:
        own = {"I": "My", "we": "Our"}.get(which["who"], "The")
        yield f"{own} {which['thing']}{which['rest']}"
    elif placed is not None:
        yield placed["subject"] + placed["rest"]


def _is_ours(verb: str, thing: str) -> bool:
    """Whether a thing that one sees or plays is one's own: "the nurse I see", "the instrument I play"."""
    last = thing.rpartition(" ")[2]
    return (verb == "see" and (last in TRADES or last in MORE_TRADES)) or (verb == "play" and last in _PLAYED)
