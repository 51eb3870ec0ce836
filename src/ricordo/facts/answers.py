"""A short answer to the question of the turn before → the clause that it stands for: "What size?" "42" is "My size is
42". What that clause states, the rules of plain clauses tell. English and German."""

from __future__ import annotations

import re

from ricordo.facts.values import role
from ricordo.text import lazy
from ricordo.text.english import NO_NAMES, word_set
from ricordo.text.plain import plain_english

#: Longer questions and answers are no plain ones; in characters, and in words.
_LONGEST, _MOST = 160, 8
#: How much may stand behind a question that is still answered by the next turn.
_BEHIND = 70
#: A question's own last sentence, without what leads up to it.
_LAST = lazy(r"(?:^|[.!?…)\n] |, | - | – )(?P<asked>[^.!?\n]{3,})\?[^.!?]{0,3}$")
_LEADS = lazy(
    r"^(?:(?:and|so|but|ok(?:ay)?|oh|ah|right|great|cool|thanks|sure|nice|hm+|wait|also|then|und|also|aber|ach|super|gut|na|achso|ach so)\b[,.!:]* )+",
    re.IGNORECASE,
)
#: What opens an answer without being part of it, and what makes a figure rough.
_OPENS = lazy(
    r"^(?:(?:oh|um+|uh|er|hm+|well|ok(?:ay)?|yes|yep|yeah|sure|still|now|just|only|ja|ähm?|äh|na|joa|mhm|also|immer noch)\b[,.!…:]* )+",
    re.IGNORECASE,
)
#: Where the first part of an answer ends.
_ENDS = lazy(
    r"[;:(!?…\n]|,(?!\d)|\.(?:\s|$)| [-–—] | (?:but|because|since|though|aber|weil|denn|seit|if|wenn|instead)\b"
)
#: What is a clause of its own, or no answer.
_CLAUSE = lazy(
    r"\b(?:i|i'm|i've|i'll|i'd|we|we're|you|he|she|they|it|it's|that's|there's|is|are|was|were|am|do|does|did|have|has|had|would|will|can|could|"
    r"should|might|don't|doesn't|isn't|no|not|nope|never|none|nothing|nobody|maybe|perhaps|probably|depends?|idk|whatever|same|"
    r"ich|wir|du|ihr|er|sie|es|ist|sind|war|bin|hab|habe|hat|haben|nein|nee|nicht|nie|kein\w*|nichts|niemand|vielleicht|keine|egal|weiß|"
    r"kommt|glaub\w*|wohl)\b",
    re.IGNORECASE,
)
_NUMBER = lazy(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|noon|midnight|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig)\b",
    re.IGNORECASE,
)
#: A turn that asks without the mark, as chat does.
_UNMARKED = lazy(
    r"(?:what|which|who|when|where|how|was|wie|wo|wann|wer|welche[rsn]?)\b(?: [\w'’-]+){1,9}", re.IGNORECASE
)
_NP = r"[\w'-]+(?: (?!is\b|are\b|do\b|does\b|did\b|the\b|that\b|which\b)[\w'-]+){0,3}?"
_OWN = {
    "your": "my",
    "my": "",
    "dein": "mein",
    "deine": "meine",
    "euer": "unser",
    "eure": "unsere",
    "mein": "",
    "meine": "",
}
_BY = {"you": "I", "we": "we", "they": "they"}
#: What has no value of its own: an answer to "What's the problem?" is no fact.
_VAGUE = word_set(
    """
    problem plan matter point reason difference story idea thought thoughts issue question answer next thing news update
    verdict catch trick deal goal rest one ones way opinion vibe mood weather call result status situation take option options
    choice choices feeling part best worst first last kind sort type time day word joke occasion
    """
)
_ENGLISH = [
    lazy(rf"^what(?:'s| is| are) (?P<np>(?:your|the|our|her|his|its|their) {_NP})(?: (?P<ours>we|you)\b.*| (?:they|that|these days|now|again|then|called|in|on|at|for)\b.*)?$", re.IGNORECASE),
    lazy(rf"^(?:what|which) (?P<what>{_NP}) (?:do|does|did|are|is) (?P<by>you|we|they) [a-z]+\b.*$", re.IGNORECASE),
    lazy(rf"^.{{0,30}} (?:what|which) (?P<what>[\w'-]+ {_NP}) (?P<by>you|we|they) [a-z]+\b.*$", re.IGNORECASE),
    lazy(rf"^who(?:'s| is| are) (?P<who>(?:your|the|our|her|his) {_NP})(?: (?:now|again|then|there))?$", re.IGNORECASE),
    lazy(r"^who (?P<cares>(?:looks after|runs|owns|leads|manages|maintains|handles|presents|takes care of|teaches|drives|covers) .{3,40})$", re.IGNORECASE),
    lazy(r"^how (?:old|tall) (?:is|are) (?P<of>you|she|he|.{3,30}?)(?: now| these days)?$", re.IGNORECASE),
    lazy(r"^how (?:(?P<much>much)|long|often|many hours) (?:do|does) (?P<one>you|we|they|it|the [a-z ]{3,25}?|[A-Z]\w+) (?P<did>[a-z]+)(?P<more> .{2,40}?)?(?: for| anyhow| anyway| now| these days)?$", re.IGNORECASE),
    lazy(rf"^when(?:'s| is| are) (?P<day>(?:your|the|our|her|his) {_NP}|[A-Z]\w+'s {_NP})(?: again| this year)?$", re.IGNORECASE),
    lazy(r"^where (?:do|does|are|is) (?P<person>you|she|he|they|[A-Z]\w+) (?P<lives>live|work|living|working|based)(?: now| these days)?$", re.IGNORECASE),
    lazy(r"^(?:.{0,20} )?any (?:food |other )?(?P<has>allerg|intoleran)\w+(?: .{0,30})?$", re.IGNORECASE),
    lazy(r"^(?P<work>what do you do|what's your (?:job|role|profession|occupation)|are you an? [a-z ]{3,20}?)(?: for (?:a living|work)| there| now| these days)?$", re.IGNORECASE),
    lazy(rf"^what time(?:'s| is| are| does) (?P<event>(?:the|your|our) {_NP})(?: start| begin| end| finish| open| close| again)?$", re.IGNORECASE),
    lazy(rf"^how much(?:'s| is| are) (?P<np>(?:the|your|our) {_NP})(?: now| again| a month| these days)?$", re.IGNORECASE),
    lazy(rf"^(?:what about |how about |(?:the )?same |(?:and )?(?:the )?)(?P<bare>(?!how\b|what\b|who\b|when\b|why\b|really\b|is\b|are\b|do\b|did\b){_NP})(?: being)?$", re.IGNORECASE),
]  # fmt: skip
_GERMAN = [
    lazy(r"^(?:was|wie) (?:ist|sind|lautet|war) (?:noch ?mal )?(?P<np>(?:dein|deine|eure|euer|die|der|das|ihre|seine|unsere|unser) [\w-]+)(?: noch ?mal| jetzt| denn)*$", re.IGNORECASE),
    lazy(r"^wie heißt (?P<called>.{3,30}?)(?: noch ?mal| denn| eigentlich)*$", re.IGNORECASE),
    lazy(r"^wie alt (?:ist|bist|wird) (?P<of>.{2,25}?)(?: jetzt| denn| eigentlich)*$", re.IGNORECASE),
    lazy(r"^wie ?viel (?P<did>verdien|zahl|wieg)\w* (?:du|ihr|man)\b.*$", re.IGNORECASE),
    lazy(r"^(?:was|wie ?viel) kostet (?P<costs>(?:der|die|das) [\w-]+)\b.*$", re.IGNORECASE),
    lazy(r"^wann (?:ist|habt ihr|hast du) (?P<day>(?:der|die|das|dein|deine|eure|euer) [\w-]+).*$", re.IGNORECASE),
    lazy(r"^wo (?P<lives>wohn|arbeite)\w* (?P<person>du|ihr|er|sie|[A-ZÄÖÜ]\w+)(?: jetzt| denn)*$", re.IGNORECASE),
    lazy(r"^welche[rsn]? (?P<what>[\w-]+) (?:\w+ )(?:du|ihr|er|sie)\b.*$", re.IGNORECASE),
    lazy(r"^(?:.{0,20} )?(?P<has>Allergien|Unverträglichkeiten)\b.{0,20}$"),
    lazy(r"^(?:.{0,30} )?[Hh]ast(?: du)? .{0,25}?(?P<new>[A-ZÄÖÜ][\w-]+)\b.*$"),
    lazy(r"^als was(?: .*)?$|^was (?:arbeitest|machst) du (?:beruflich|da|dort)\b.*$", re.IGNORECASE),
    lazy(r"^(?:und )?(?:(?:der|die|das|dein|deine) )?(?P<bare>[A-ZÄÖÜ][\w-]+)(?: denn| noch ?mal)?$"),
]  # fmt: skip
_DAY = lazy(
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)\b|\d{1,2} (?:of )?[A-Za-z]{3,}|(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)


def question(text: str) -> str:
    """What a turn asks last; '' where it asks nothing in plain words."""
    tail = text[-_LONGEST - _BEHIND :].strip()
    if _UNMARKED.fullmatch(text) is not None:
        tail += "?"
    end = tail.rfind("?")
    if end < 0 or len(tail) - end > _BEHIND:
        return ""
    tail = tail[: end + 1]
    found = _LAST.search(tail)
    return "" if found is None else _LEADS.sub("", found["asked"].replace("’", "'").strip())


def clause(asked: str, answer: str, language: str) -> str:
    """The clause that an answer's beginning stands for; '' where it is none or the question is another."""
    said = _value(answer)
    if not said or word_set(said.lower()) <= word_set(asked.lower()):
        return ""  # none, or an echo: "Skills, huh?"
    patterns, told = (_GERMAN, _german) if language == "de" else (_ENGLISH, _english)
    for each in dict.fromkeys([asked, *_PARTS.split(asked)]):
        found = next(filter(None, (pattern.match(each) for pattern in patterns)), None)
        stands_for = "" if found is None else told(found.groupdict(), said)
        if stands_for:
            return f"{stands_for[:1].upper()}{stands_for[1:]}."
    return ""


#: Where one question becomes two.
_PARTS = lazy(r",? (?:and|or|und|oder) (?=(?:wh|how|w)[a-z]+ )|, ", re.IGNORECASE)


def _value(answer: str) -> str:
    """What an answer begins with, if it is no clause."""
    text = _OPENS.sub("", answer.replace("’", "'").strip())
    said = _ENDS.split(text, maxsplit=1)[0].strip(" .\"'")
    words = said.split()
    if not words or len(words) > _MOST or _CLAUSE.search(said) or not (said[-1].isalnum() or said[-1] in "%€$£"):
        return ""
    return said


def _is_name(said: str) -> bool:
    """Whether an answer names somebody or something: "Redis streams", but no "Sounds good"."""
    first = said.split()[0]
    capital = first[:1].isupper() and first.casefold() not in NO_NAMES and not plain_english(first.casefold())
    led = first.casefold() in _BEFORE_NAMES and any(each[:1].isupper() for each in said.split()[1:])
    return capital or led


#: What a name may stand behind.
_BEFORE_NAMES = word_set("the a an dr mr mrs ms prof in at with near der die das dem den bei im am beim frau herr")


def _tells(said: str) -> bool:
    return _NUMBER.search(said) is not None or _is_name(said)


def _owned(thing: str) -> str:
    """A thing as whoever answers calls it: "your address" is "my address"; '' for what is the asker's own."""
    first, _, rest = thing.partition(" ")
    own = _OWN.get(first.lower(), first.lower())
    return f"{own} {rest}" if own and rest else ""


def _english(of: dict[str, str | None], said: str) -> str:
    thing = of.get("np") or of.get("who") or of.get("day")
    if thing:
        own = _owned(thing) if not thing[:1].isupper() else thing
        if of.get("ours"):
            own = re.sub(r"^the ", "our ", own)  # "the smallest width we support"
        head = thing.rpartition(" ")[2].lower()
        if not own or head in _VAGUE or not _tells(said):
            return ""
        return f"{own} is {_on(said)}" if of.get("day") else f"{own} is {said}"
    if of.get("has"):
        return f"I am allergic to {said}" if len(said.split()) < 5 else ""
    if of.get("work"):
        named = role(said)
        return f"I am a {named}" if named else ""
    if of.get("event"):
        timed = said if said.lower().startswith(("at ", "from ")) else f"at {said}"
        own = _owned(str(of["event"]))
        return f"{own} is {timed}" if own and _NUMBER.search(said) else ""
    if of.get("what"):
        what, by = str(of["what"]), str(of["by"]).lower()
        if not _VAGUE.isdisjoint(what.lower().split()) or not _tells(said) or by == "they":
            return ""
        return f"{'my' if by == 'you' else 'our'} {what} is {said}"
    if of.get("cares"):
        return f"{said} {of['cares']}" if _is_name(said) else ""
    if of.get("of"):
        whom = str(of["of"])
        by = _BY.get(whom.lower()) or _owned(whom) or ("" if whom.partition(" ")[0].lower() in _OWN else whom)
        be = "am" if by == "I" else "is"
        return f"{by} {be} {said}" if by and _NUMBER.search(said) else ""
    if of.get("one"):
        one, did = str(of["one"]), str(of["did"])
        by = _BY.get(one.lower(), one)
        verb = did if by in ("I", "we", "they") else did + "s"
        more = re.sub(r"\byour\b", "my", of.get("more") or "")
        told = f"{by} {verb} {said}{more}" if of.get("much") else f"{by} {verb}{more} {said}"
        return told if _NUMBER.search(said) else ""
    if of.get("person"):
        by = _BY.get(str(of["person"]).lower(), str(of["person"]))
        verb = str(of["lives"]).replace("living", "live").replace("working", "work").replace("based", "live")
        preposition = (
            "" if said.split()[0].lower() in ("in", "at", "for", "near") else "in " if verb == "live" else "at "
        )
        return f"{by} {verb}{'' if by in ('I', 'we', 'they') else 's'} {preposition}{said}" if _is_name(said) else ""
    bare = str(of.get("bare") or "")
    head = bare.rpartition(" ")[2].lower()
    if not bare or head in _VAGUE or not _NUMBER.search(said) or len(bare.split()) > 3 or bare[:1].isupper():
        return ""
    own = _owned(bare) if bare.partition(" ")[0].lower() in _OWN else bare
    return f"{'' if own != bare or bare.lower().startswith('the ') else 'the '}{own} is {said}" if own else ""


def _on(said: str) -> str:
    """A day as it stands behind "is"."""
    return f"on {said}" if _DAY.match(said) else said


def _german(of: dict[str, str | None], said: str) -> str:
    if of.get("np"):
        own = _owned(str(of["np"]))
        return f"{own} ist {said}" if own and _tells(said) else ""
    if of.get("called"):
        own = _owned(str(of["called"])) or str(of["called"])
        return f"{own} heißt {said}" if said[:1].isupper() else ""
    if of.get("of"):
        who = str(of["of"])
        be = "bin" if who == "du" else "ist"
        return f"{'ich' if who == 'du' else _owned(who) or who} {be} {said}" if _NUMBER.search(said) else ""
    if of.get("did"):
        return f"ich {of['did']}e {said}" if _NUMBER.search(said) else ""
    if of.get("costs"):
        return f"{of['costs']} kostet {said}" if _NUMBER.search(said) else ""
    if of.get("day"):
        own = _owned(str(of["day"]))
        dated = f"am {said}" if said[:1].isdigit() else said
        return f"{own} ist {dated}" if own and _NUMBER.search(said) else ""
    if of.get("lives"):
        who = {"du": "ich", "ihr": "wir"}.get(str(of["person"]), str(of["person"]))
        end = {"ich": "e", "wir": "en"}.get(who, "t")
        stem = str(of["lives"]).removesuffix("e") + (
            "e" if who not in ("ich", "wir") and of["lives"] == "arbeite" else ""
        )
        where = said if said.split()[0].lower() in ("in", "bei", "im", "am") else f"in {said}"
        return f"{who} {stem}{end} {where}" if _is_name(said) or " " in where else ""
    if of.get("what"):
        what = str(of["what"])
        return f"meine {what} ist {said}" if what[:1].isupper() and _tells(said) else ""
    if of.get("has"):
        return f"ich bin allergisch gegen {said}" if said[:1].isupper() else ""
    if of.get("new"):
        return f"meine {of['new']} ist {said}" if sum(map(str.isdigit, said)) > 4 else ""
    if of.get("bare"):
        return f"die {of['bare']} ist {said}" if _NUMBER.search(said) else ""
    return f"ich arbeite als {said}" if said[:1].isupper() else ""
