"""What the clauses of a turn say of change: that something changed, is over, began or holds now, or that this is
doubtful. Of one text alone, in English and German."""

from __future__ import annotations

import re
from functools import lru_cache

from ricordo.text import EXCEPTION, Caseless, lazy, stem, words
from ricordo.text.english import PAST

DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
MONATE = "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
#: Numbers in words.
COUNTED = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
#: What says that something is another than it was.
CHANGE = Caseless(
    r"\b(?:(?<!right )(?<!just )now(?! and then)|nowadays|these days|any ?more|no longer|no more|from now on|instead|"
    rf"as of (?:today|this|last|now|{DAYS}|{MONTHS})|from today|since (?:last|the|this|yesterday|{DAYS}|{MONTHS})|"
    r"(?:fills?|filling|steps?|stepping) (?:in|up) (?:as|for)|had to (?:change|switch|move|replace|swap)|"
    r"(?:we|i|they|he|she|'ve|has|have) (?:just )?shifted|(?:our|my|the|his|her|their|a) (?:brand )?new|^new|"
    r"(?:has|have|had|was|were|is|been|be|we|i|they|"
    r"it|he|she|'ve|'s) (?:just |finally |all |recently |now )?(?:moved|changed|switched|swapped|replaced|migrated|"
    r"upgraded|bumped|raised|lowered|upped|doubled|halved|renamed|rescheduled|postponed|dropped|ditched|quit|left|sold|"
    r"traded|gone (?:with|over)|went with|retired|closed|merged)|(?:switched|changed|moved|swapped|migrated|upgraded|"
    r"bumped|raised|lowered|cut|renamed|converted|transferred|relocated|dropped|reduced|increased|extended|shortened|"
    r"set|put) "
    r"(?:\w+ ){0,4}?(?:over )?(?:to|from|for|into)|"
    r"(?:replaced|replaces|replacing|upped|doubled|halved|bumped|upgraded|renamed|overtook|outsells|succeeded|succeeds)|"
    rf"(?:up|down) to (?=\W?\d|an?\b|the\b|{COUNTED})|"
    r"(?:gone|went|risen|rose|grown|grew|fallen|fell|shrunk|dropped|jumped|climbed|crept) (?:up |down |back )?to|"
    r"takes? over|took over|taken over|taking over|pushed (?:\w+ ){0,4}(?:to|back)|"
    r"brought forward|moves to|switching to|"
    r"(?:'ve|have) put (?:us|me|him|her|them|everyone)|(?:ended|wound) up|settled in(?:to)?|"
    r"re(?:housed|located|placed|assigned|shuffled|organi[sz]ed|scheduled|arranged)|"
    r"(?:was|were|been|got) re(?:built|drawn|written)|"
    r"shunted (?:\w+ ){0,4}to|"
    rf"ab (?:heute|sofort|jetzt|{MONATE})|"
    rf"seit (?:gestern|heute|letzte[rmn]|\w+tag|{MONATE})|jetzt|inzwischen|mittlerweile|neuerdings|"
    r"seit (?:dem|der|diese[mr]|kurzem|neuestem)|"
    r"nicht mehr|keine?[nmrs]? mehr|stattdessen|(?:unsere?|meine?|der|die|das) neue[rsn]?|gewechselt|umgezogen|"
    r"umgestellt|umgestiegen|ersetzt|verlegt|verschoben|abgelöst|erhöht|gesenkt|gestiegen|gesunken|umbenannt|geändert|"
    r"(?:aus|ein)?getauscht|angehoben|verlängert|verkürzt|verdoppelt|halbiert|abgeschafft|umgebucht|"
    r"abbestellt|gekündigt|aufgegeben|ausgezogen|eingezogen|weggezogen|zugemacht)\b|"
    r"\b(?:habe?|hat|haben|wurden?)\b.*\b(?:verlassen|geschlossen|übernommen)\b"
)
#: What says that the thing that it names is over.
END = Caseless(
    r"\b(?:is|are|has|'s|was) (?:finally |now )?(?:dead|gone|over|closed|retired|history|broken)|"
    r"\b(?:died|retired|drowned|closed|broke (?:up|down)|split up|stole|stolen|sold|quit|left|ditched|dropped|"
    r"replaced|swapped|retiring|gave up|given up|got rid|overtook|went back|packed up|shut|folded|expired|resigned|"
    r"cancelled|canceled|traded|"
    r"taken (?:\w+ )?off|instead of|got too|no more|rather than|moved (?:away|off|out|on|from)|switched from|"
    r"migrated (?:off|from|away)|away from|outsells|(?:changed|switched) (?!to\b|from\b|over\b|the\b|it\b)\w+|"
    r"(?:turned|switched|pulled|shut|threw|thrown|given|gave|kicked) (?:\w+ ){1,4}(?:off|out|down|away|up|the boot)|"
    r"pulled (?:\w+ ){1,3}out of|(?:said|bid|waved) (?:farewell|goodbye) to|parted with|let go of|"
    r"(?:is|are|was|were|'s) (?:now )?(?:(?:out|off|down|frozen)(?=\W*$)|deleted|removed|scrapped|abandoned|cancelled|"
    r"canceled))\b"
)
#: What says of what it names that something became of it: it is done, past, denied or too much.
_BECAME = Caseless(
    rf"\b(?:{'|'.join(sorted(PAST))}|quit|ran|shut|put|been|gone|done|taken|given|broken|cannot|"
    r"\w+n't|no|never|nothing|nobody|too|leave|without|goodbye|away|off|out)\b|\b[a-z]{3,}ed\b|"
    r"\b(?:hat|haben|ist|sind|wird|werden|wurden?)\b.* \w{3,}(?:t|en)\W*$|"
    r"\b(?:nicht|kein\w*|nie|war|waren|lief|ging|kam|fiel|hörte|zog|gab|wurden?|zu)\b"
)
#: Words that keep a clause from telling what became of something.
_HEDGED = Caseless(
    r"\b(?:might|maybe|perhaps|would|could|should|'d|wish|hopes?|hoping|thinking|considering|dream\w*|imagine|"
    r"rumou?r\w*|heard|apparently|supposedly|claims?|if|unless|whether|almost|nearly|joking|kidding|will|'ll|going to|"
    r"gonna|until|vielleicht|würden?|könnten?|möchten?|sollten?|soll|sollen|angeblich|behauptet|überleg\w+|träum\w+|ob|"
    r"wenn|(?<!\w )falls|bald)\b|\?"
)
#: What somebody told others of their own: no hearsay.
_I_TOLD = lazy(r"\b(?:i|we|i've|we've|i have|we have) (?:also |just |finally )?(?:told|said|asked)\b", re.IGNORECASE)
#: Something is put elsewhere that the clause before names.
_PUT_IT = Caseless(r"(?:\b(?:have|has)|'ve|'s) (?:now |just )?[a-z]+ (?:it|them|her|him)\b")
_PRONOUN = Caseless(r"\b(?:it|them|they|he|she|her|him|that|those)\b")
#: Words that keep a clause from stating the present: doubt, a plan, hearsay, a denial, or a second thing.
_UNSURE = Caseless(
    r"\b(?:might|may(?! \d)|maybe|perhaps|would|could|should|'d|wants?|wish|wished|hopes?|hoping|plan(?:s|ned)? to|"
    r"planning|thinking|considering|considered|suggested|suggests|proposed|propose|dream\w*|imagine|rumou?r\w*|heard|apparently|"
    r"supposedly|said|says|claims?|told|asked|asks|if|unless|whether|almost|nearly|joking|kidding|never|nobody|not|"
    r"\w+n't|cannot|will|'ll|going to|gonna|as well|another|a second|also|besides|additional|extra|tempted|someday|"
    r"one day|some day|until|temporarily|for today|"
    r"vielleicht|würden?|könnten?|möchten?|sollten?|soll|sollen|wollen|wollten?|gehört|angeblich|sagt\w*|behauptet|"
    r"überleg\w+|träum\w+|auch|noch eine?[nmrs]?|zusätzlich|nicht(?! mehr)|nie|keine?[nmrs]?(?! mehr)|ob|"
    r"wenn|(?<!\w )falls|bald|wird|werden)\b|\btoo\W*$|\?"
)
#: What keeps a clause from saying how things are from then on: an exception, a single time, or that all is as it was.
_PASSING = Caseless(
    rf"{EXCEPTION}|"
    r"\b(?:once(?=\W*(?:[,;]|$))|this (?:time|month|\w+day)|tonight|(?<!the )(?:last|next|that|one) \w+day(?:'s)?|"
    r"while \w+(?:'s| is| are| was| were)|meanwhile|still|as (?:always|usual|ever|before|planned)|the same as|stays|"
    r"remains|remained|stayed|as (?:it was|they were)|back (?:again|in (?:his|her|its|their|the))|solange|wieder|"
    r"letzte[nrs]? \w+tag|diesmal|dieses mal|nur heute|vorübergehend|vertritt|wie (?:immer|früher|sonst|gehabt)|"
    r"bleib(?:t|en)|blieb(?:en)?|immer noch|noch immer|nach wie vor|weiterhin)\b"
)
#: Somebody or something is away for a time.
_AWAY = Caseless(
    r"\b(?:off|away|ill|sick|out|shut|helps?|helped|helping|covers?|covering|visiting|krank|weg|verreist|hilft|half|"
    rf"zur kur)\b.*\b(?:for|für) (?:an?|one|a few|a couple of|\d+|{COUNTED}|ein\w*|zwei|drei|vier|ein paar) "
    r"(?:days?|weeks?|months?|tage?n?|wochen?|monate?n?)\b|"
    rf"\bno \w+.* for (?:a|a few|\d+|{COUNTED}) (?:days?|weeks?|months?)\b|"
    r"\bfor (?:an?|one) (?:evening|night|afternoon)\b|"
    r"\b(?:zwei|drei|vier|\d+) (?:tage|wochen|monate) (?:lang )?(?:krank|weg|verreist|in|zur)\b"
)
#: What says all the same that something lasts.
_LASTING = Caseless(
    r"\b(?:now|nowadays|any ?more|no longer|since|for good|moved|switched|changed|swapped|replaced|quit|resigned|"
    r"joined|retired|died|married|divorced|sold|extended|jetzt|seit|ab|umgezogen|gekündigt|gewechselt|verkauft|geschlossen|"
    r"aufgehört|angefangen|ausgezogen|eingezogen|umgestellt|ersetzt|verlängert|verlegt)\b"
)
#: Words that put a turn in the past.
_PAST = Caseless(
    r"\b(?:was|were|did|had|went|saw|took|bought|came|met|gave|told|said|yesterday|used to|ago|"
    r"war|waren|hatten?|früher|gestern|damals|"
    r"last (?:night|week|month|year|summer|winter))\b|"
    r"(?<!is )(?<!are )(?<!'s )(?<!'re )(?<!'m )(?<!am )(?<!been )(?<!be )"
    r"\b(?!named|called|based|located|married|hundred|shared|scheduled|tired|allerg)[a-z]{3,}(?<!e)ed\b"
)
#: What tells of the past, not of how things are.
_WAS = Caseless(
    r"\b(?:was|were|did|had|went|saw|came|met|told|said|yesterday|used to|ago|war|waren|hatten?|früher|gestern|damals|"
    r"last (?:night|week|month|year|summer|winter))\b|\b(?:i|we|he|she|they|it|you|who) (?:\w+ly )?\w+ed\b"
)
#: What began: told of the past, it says how things are since then.
_BEGAN = Caseless(
    r"\b(?:i|we|they|he|she|it) (?:just |finally |then |all )?(?:picked|chose|got|bought|found|hired|built|rebuilt|"
    r"rolled|adopted|took on|started|joined|signed|settled|ended up|landed|opted|went (?:with|for|over|back to)|"
    r"set up|put in|installed|leased|rented|borrowed|enrolled|registered|booked|subscribed)\b"
)
_PERFECT = Caseless(r"\b(?:have|has|habe|haben|hat|bin|ist|sind)\b|'(?:ve|s)\b")
_CLAUSES = re.compile(r"([.!?;,](?=[.!?\s]|$)|\s[-–—]\s|\b(?:but|because|so)\b|(?<=\w )where\b)")
_RELATIVE = re.compile(r"\b(?:that|which|who)\b")
_AND = re.compile(r"\b(?:and|und|deshalb)\b")
#: Texts and clauses of which is kept what they say: a recall compares its hits in pairs.
KEPT = 4096


@lru_cache(KEPT)
def sure(text: str) -> str:
    """The clauses of a text that are free of doubt, hearsay and denial."""
    return ". ".join(clause for clause in parts(text) if not doubts(clause))


def is_change(text: str) -> bool:
    """Whether a text says of its own accord that something changed."""
    return bool(changes(text))


@lru_cache(KEPT)
def says_change_or_end(text: str) -> bool:
    """Whether a text says that something changed, is over, or what became of it."""
    return bool(changes(text) or ends(text) or _BECAME.search(text) or _PERFECT.search(text))


@lru_cache(KEPT)
def divided(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The clauses of a text, each with its parts that "and" joins."""
    return tuple((clause, tuple(_AND.split(clause))) for clause in clauses(text))


@lru_cache(KEPT)
def ending(clause: str) -> str:
    """The words by which a clause says that something is over or changed; '' where it does not."""
    cue = END.search(clause) or CHANGE.search(clause)
    return cue[0] if cue else ""


@lru_cache(KEPT)
def is_hedged(clause: str) -> bool:
    """Whether a clause is in doubt, hearsay or a plan, or passes, and so does not tell what became of something."""
    return passes(clause) or _HEDGED.search(clause) is not None


@lru_cache(KEPT)
def tells_what_became(clause: str) -> bool:
    """Whether a clause says that something became of what it names."""
    return _BECAME.search(clause) is not None


@lru_cache(KEPT)
def tells_what_began(clause: str) -> bool:
    """Whether a clause tells of something that began, and so holds since then."""
    return not doubts(clause) and _BEGAN.search(clause) is not None


@lru_cache(KEPT)
def is_of_now(clause: str) -> bool:
    """Whether a clause states something of the present without doubt."""
    return not doubts(clause) and (_WAS.search(clause) is None or _PERFECT.search(clause) is not None)


@lru_cache(KEPT)
def changes(text: str) -> tuple[str, ...]:
    """The clauses that say that something changed."""
    found: list[str] = []
    before = ""
    for clause in clauses(text):
        put = _PUT_IT.search(clause) is not None
        if (put or CHANGE.search(clause)) and not doubts(clause):
            found.append(f"{before}. {clause}" if before and (put or _PRONOUN.search(clause)) else clause)
        before = clause
    return tuple(found)


@lru_cache(KEPT)
def ends(text: str) -> tuple[str, ...]:
    """The clauses that say that something is over."""
    return tuple(clause for clause in clauses(text) if END.search(clause) and not doubts(clause))


def cue(clause: str) -> frozenset[str]:
    """The stem of the word that says that something changed: "set it to" does not mean a set of pupils."""
    found = CHANGE.search(clause)
    return frozenset() if found is None else frozenset(stem(word, "en") for word in list(words(found[0]))[:1])


def doubts(clause: str) -> bool:
    """Whether a clause is in doubt, hearsay, a plan, a denial, of a second thing, or passes."""
    own = _I_TOLD.sub("", clause)
    return passes(clause) or (_UNSURE.search(own) is not None and not re.search(r"\bany ?more\b", own))


@lru_cache(KEPT)
def passes(clause: str) -> bool:
    """Whether a clause tells of an exception or a single time, or says that all is as it was."""
    return (_PASSING.search(clause) or _AWAY.search(clause)) is not None and _LASTING.search(clause) is None


@lru_cache(KEPT)
def holds(text: str) -> bool:
    """Whether a text states something of the present."""
    if changes(text):
        return True
    return any(
        clause.count(" ") > 1 and not _PAST.search(_RELATIVE.split(clause)[0]) and not _UNSURE.search(clause)
        for clause in parts(text)
    )


@lru_cache(KEPT)
def clauses(text: str) -> tuple[str, ...]:
    """The clauses of a text, divided at its signs, and before "but", "because", "so" and "where". Those that ask are
    left out: "the target is 1,350 words now, how do I meet it?" """
    split = [*_CLAUSES.split(plain(text)), ""]
    return tuple(part.strip() for part, end in zip(split[::2], split[1::2], strict=True) if part.strip() and end != "?")


@lru_cache(KEPT)
def parts(text: str) -> tuple[str, ...]:
    """The clauses of a text, those that "and" joins apart."""
    return tuple(part.strip() for clause in clauses(text) for part in _AND.split(clause) if part.strip())


def plain(text: str) -> str:
    """A text with straight apostrophes."""
    return text.replace("’", "'")


@lru_cache(KEPT)
def stems(text: str) -> frozenset[str]:
    """The English stems of a text's words."""
    return frozenset(stem(word, "en") for word in words(text))
