"""Turns that decide something for a project: what is done, allowed or refused from then on.

Coding assistants get such turns with prompts that they matter to, whatever the prompts' words. English and German.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2

from ricordo.text.deciding_words import clearness
from ricordo.text.patterns import any_of, lazy
from ricordo.text.stopwords import NAMELESS

#: The term under which such turns stand in the keyword index. No word of a text has a space.
DECISION = "a decision"
#: How clearly a turn must say what is to be followed to decide something, and to be one that may. Chosen on
#: projects that the words' weights were not found on.
BINDS, LEANS = 1.0, 0.0
#: What each point adds that a sentence has by the rules, how many count, and from how many on it decides; the last is
#: how many one has that calls itself a decision.
_SAYS_MORE, _MOST, _ENOUGH, _CALLS = 0.5, 4, 2, 3
#: The clearest that a task, a report or a sentence about one thing at hand is by its common words alone.
_HARDLY = 0.9
#: How much of a turn is read. Its clearest sentence must be clearer by the second with each doubling of its sentences,
#: and by the fourth with each doubling of a turn that is longer than the third: some sentence of it always says "must".
#: One that is longer than the last decides only if it says that something was decided.
_READ, _MANY, _LONG, _LONGER, _LONGEST = 3000, 0.5, 700, 1.5, 1400
#: How a commit begins: its subject says what was done, and not what is to be done.
_COMMIT = lazy(r"commit [0-9a-f]{7,40}: .*")
#: How a section of a repository's changelog ends: it says what was done as well.
_CHANGES = lazy(r"\((?:[^()\n]*/)?change(?:s|log)[^()\n]*, commit [0-9a-f]{7,40}\)\s*$")
#: Behind "went with": no person, with whom one goes somewhere.
_NOBODY = r"(?! (?:my|her|his|their|your|me|him|them|us|the (?:kids|children|family))\b)"
#: Both alternatives begin with a character or class, so that most places of a text are ruled out at once.
_SENTENCES = lazy(r"\s(?<=[.!?]\s)\s*|\n\n*")
_CLAUSES = lazy(
    r",? (?:so|therefore|hence)(?! (?:that|far|much|many|long|on|is|are|do)\b),? |(?<=[\w)]): | [-–—] |,? but |"
    r", (?=(?:she|he|they|that|it|the|we) )|; |,? and (?=(?:every|each|all|any|no|nothing|only|never|whoever|whatever|"
    r"anything|everything) )"
)
#: What calls itself a decision, an agreement or a rule.
_CALLED = any_of(
    lazy(
        r"^in this (?:repo|repository|project|codebase)\b|\b(?:decisions?|decided|rules?|policy|convention|agreed|"
        r"agreement|conclusion|beschlossen|beschluss|regel|entscheidung)\b(?: [^.:,]{1,20})?:|\b(?:the|our) (?:rule|"
        r"policy|convention|decision) is\b|\b(?:we|i|they|(?:the )?team|[a-z]+ and i)(?:['’](?:ve|re|ll)| have| are|"
        r" will)?(?: all| just| now| both)? (?:decided|agreed(?! to (?:look|check|try|help|meet|come|talk|think)\b)|"
        r"settled?(?= on)|chose|chosen|picked(?! (?:me|him|her|us|it|you|up)\b)|opted|standardi[sz]ed|concluded|voted|"
        r"committed|pinned|"
        rf"(?:going|go|went) with{_NOBODY}|"
        r"stick(?:ing)? (?:with|to)|banned|dropped|deprecated|ruled|"
        r"said goodbye)\b|\bwe(?: will|['’]ll) (?:use|adopt|store|write|keep)\b|\blet['’]?s (?:(?:use|keep)(?! (?:"
        r"going|this|the|your|an?|it)\b)|go with|stick|move (?:all|every|to (?!the next))|switch to|agree|always|never|"
        r"just (?:use|go with|stick)|not(?! (?:worry|forget|bother|waste|get|go|rush|panic)\b)|do(?! (?:this|that|it|"
        r"the)\b)|ban|drop|only|settle)\b|\b(?:from (?:(?:now|here) on(?:wards?)?|today|this point)(?: on(?:wards?)?)?|"
        r"going forward|as of (?:now|today)|it (?:was|is|has been) decided|effective immediately|is the (?:rule|policy|"
        r"convention|standard)|source of truth|ab (?:jetzt|sofort|heute)|künftig|in zukunft|"
        r"wir (?:haben (?:uns )?(?:beschlossen|entschieden|geeinigt)|(?:nehmen|nutzen|verwenden) (?:nur|jetzt)|"
        r"bleiben bei)|haben wir (?:beschlossen|entschieden|vereinbart))\b",
    )
)
#: What says even in a long turn that something was decided.
_DECLARED = any_of(
    lazy(
        r"^[\W_]*(?:decisions?|decided|rule|policy|convention|agreed|beschlossen|beschluss|entscheidung)[*_]*:[*_]* |"
        r"\b(?:we|i|they|(?:the )?team|[a-z]+ and i)(?:['’]ve| have)?(?: all| just| now| both)? "
        r"(?:decided|agreed(?! to (?:look|check|try|help|meet|come|talk|think)\b)|settled on|standardi[sz]ed|voted|"
        r"ruled out|banned|deprecated)\b|"
        r"\b(?:from (?:now|today) on(?:wards?)?|going forward|effective immediately|it (?:was|is|has been) decided|"
        r"ab (?:jetzt|sofort|heute)|wir (?:haben (?:uns )?(?:beschlossen|entschieden|geeinigt))|"
        r"haben wir (?:beschlossen|entschieden|vereinbart))\b",
    )
)
#: What is owed, allowed or refused.
_OWED = lazy(
    r"\b(?:must(?! be the\b)|shall|supposed to|(?:['’]ve|have) got to|(?:has|have|(?<!no )(?<!we )needs?|"
    r"ought) to(?! do with| be re)|may (?:not|only|be)|(?:should|may|can|will) (?:only|never|always|not|all)|"
    r"without exception|mandatory|off[- ]limits|no-go|taboo|append-only|read-only|frozen(?= until| for|$)|(?:is|are|"
    r"be) (?:not |only |never |always )?(?:allowed|permitted|forbidden|refused|rejected|required|banned|over|capped|"
    r"deprecated|prohibited|reserved|compulsory|to (?:be|disappear|go|stay))|(?:lives?|belongs?|stays?|stored|kept|"
    r"written|sent|computed|deleted|rounded|retried|logged|driven|chosen|done) (?:only )?(?:in|as|to|by|at|after|"
    r"under|with|from|for|there|until)|(?<!ich )muss|müssen|darf|dürfen|niemals|nur noch|ausschließlich|höchstens|"
    r"mindestens|verboten|erlaubt|pflicht)\b",
)
#: What holds in general: "tests never touch the network", "every call", "schema changes go out in two releases".
_GENERAL = lazy(
    r"\b(?:never(?! happen)|(?<!as )always|everywhere|you (?:don['’]?t|only)(?! (?:know|need|have|see|think|get))|"
    r"we no longer|at most|at least|no more than|not even|(?:below|under|above) \d+|only (?:for|at|during|ever|by|via|"
    r"through|when|if|after|with|in|from|on|go(?:es)?|runs?|used?|the|once|one|internal)|(?:(?<!^)(?:do not|"
    r"don['’]?t)|(?:nobody|no one)(?! \w+ed\b)|nothing|none of(?! (?:them|these|those|it|us) (?:is|are|was|were|has|"
    r"have|had|\w+ed)\b))(?! (?:know|think|see|understand|worry|mind|work|have|exist|touch|called|uses))|no (?:new|"
    r"direct|raw|more|other|(?!errors?\b|idea\b)\w+ (?:(?:is|are) ever|in|on|without|outside|except|unless|after|"
    r"before|for (?:any|every|all)\w*))|\w+ only(?=,|[.!]*$)|in all|(?:goes?|pass(?:es)?|routed?|"
    r"runs?) (?:only )?(?:through|via|under|in)|nie|immer(?! noch)|nur|keine?[nmrs]? (?:neue|weitere|\w+ (?:ohne|in|"
    r"im))|w[ei]rd(?:en)? nicht mehr|statt)\b|^only\b(?! (?:thing|one|the)\b)|^(?:i want |(?:so|and|then|also|no|"
    r"data)[,.]? )?(?:every|each|all(?! (?:right|pass|good|green|done|set|of)\b)|any|anything|everything(?! (?:else|"
    r"is (?:in place|fine|ok|good|there|ready|done|green|set)|works|looks|seems)\b)|whatever|whoever|whenever|jede\w*|"
    r"alle\w*)\b|^(?!\d)(?:since [^,]{1,30}, )?(?:[\w/-]+ ){0,3}?[\w/-]{2,}(?<!i)s (?:(?:of|in|on|for|from|"
    r"between) (?:the |a |an |our )?[\w-]+ )?(?:are|have|go|come|get|run|wait|use|live|belong|stay|follow|take|start|"
    r"end|need|require|grow|land)\b(?! (?:\d+|now|still|too|missing|gone|off|\w+ing|\w+ed \d+)\b)",
)
#: What somebody says whose word counts: "ops said we get 20 connections", "Marta owns the schema".
_WHO = (
    r"(?:ops|infra|sre|legal|lawyers?|compliance|security|finance|accounting|product|marketing|support|sales|qa|"
    r"design|hr|management|procurement|apple|google|amazon|microsoft|gdpr|team|customers?|"
    r"clients?|vendors?|suppliers?|banks?|auditors?|board|council|officers?|people|regulators?|law|licen[sc]es?|"
    r"contracts?|specs?|standards?|partners?|providers?|insurers?|authorit(?:y|ies)|department|union|store|dpo|boss)"
)
_AUTHORITY = lazy(
    rf"\b{_WHO} (?:(?:has|have|just|all|also|both|only) )*(?:sa(?:id|ys?) (?:that )?(?:we|no|not|to|only|it|they|max|"
    rf"[^.,]{{0,40}}\d+)|"
    r"(?:wants?|expects?|needs?|asked for) (?:every|each|all|any|no|only)|told (?:us|me) (?:that )?(?:we|no|not|to|"
    r"only|they)|insists?|requires?|demands?|forbids?|prohibits?|froze|vetoed|signed (?!up|in|out)|(?:won['’]?t|"
    r"will not|do(?:es)?n['’]?t|can['’]?t|only) (?:allows?|accepts?|lets?|signs?|approves?|permits?|takes?|supports?|"
    r"wants?))\b|\b(?!(?:docs?|documentation|logs?|errors?|messages?|it|compiler|linter|readme|tests?|console|output|"
    r"which|that)\b)[\w-]+ (?:sa(?:id|ys)|insist(?:s|ed)|told (?:us|me)) (?:that )?(?:we (?:may|must|can['’]?t|cannot|"
    r"should|have|need|get|only|never|don['’]?t)|no\b(?!,)|anything|everything|every|each|all|never|only|at most|"
    r"don['’]?t|not to)\b|\b(?:owns|signs off|approves|is (?:in charge of|responsible for)|has to (?:approve|sign|"
    r"review|ok)|(?:needs|wants) to (?:approve|sign|review|ok)|(?:goes|go|run|runs) (?:past|by) \w+ first|"
    r"ask \w+ (?:first|before)|without (?:\w+['’]s? )?(?:approval|review|consent|sign-?off|ok|permission))\b",
)
#: What was chosen, in the short words of an answer: "ok, Postgres then", "we're on pdfkit", "no malloc, period".
_VERDICT = lazy(
    r"^(?:(?:ok(?:ay)?|fine|right|alright|sure|yeah?|yep|yes|no|nah|nope|good)[,.]? )+(?!(?:do|go|try|let|leave|run|"
    r"fix|wait|see|never|commit|merge|ship|push|revert|undo|stop|next|tomorrow|later|monday|and|but|not|i|we|you|what|"
    r"so)\b)(?!.*\b(?:it|that|this|them|me|those)\b)[\w.+#/ -]{2,40} then[.!]*$|(?:^|[,.] )(?!(?:so|what|how|as|that|"
    r"there|where|which)\b)[\w.+#-]+ it is[.!]*$|\bwe(?:['’]re| are) (?:(?:now|all|just) )?(?:on|using|staying (?:on|"
    r"with)|sticking (?:with|to)|moving (?:all|everything|to|off)|not (?:using|adding|touching|supporting|shipping|"
    r"doing|going to (?:use|support|add|touch|ship)))\b(?! (?:it|this|that|these|track|the)\b)|^(?:so |then |and |"
    r"ok(?:ay)?,? )?(?:we )?(?:went|going|go) with\b"
    rf"{_NOBODY}|"
    r"\bkeep (?:[\w-]+ ){1,4}(?:at|to|below|under|above|within) \d|"
    r"\bwe (?:use|store|keep|name|log|write|ship|deploy) (?!it\b|th|an?\b)(?:[\w.+#-]+ ){1,2}(?:for|in|as|with|to|on|"
    r"by)\b|"
    r"\b(?:off the table|is final|out of the question|non-negotiable|hard (?:stop|limit|cap)|"
    r"not an option|set in stone|a must)\b|^(?:hands off|keep out of|stick (?:with|to)|stay (?:on|with|at|away)|"
    r"leave [\w/. ]{2,30} alone)\b|\b(?:period|full stop|end of story)[.!]*$",
)
#: What later work has to live with: limits, and what does not change before something else happens.
_LIMIT = lazy(
    r"\b(?:caps|limits|throttles|cuts|restricts|accepts|supports|gives? (?:us|you)|lets (?:us|you)|"
    r"max(?:es)? out) (?:[^.,]{0,30}? )?(?:at|to|only|at most|no more than|up to|max(?:imum)?) (?:of )?\d|\b(?:stuck|"
    r"pinned|locked|tied) (?:on|to|at|with)\b(?! (?:this|that|it|the|an?|how|what)\b)|\b(?:froze|freezes?)\b (?!here|"
    r"again|when|after|on\b)|\bwe (?:only|never|always|no longer|don['’]?t|do not)\b(?! (?:know|need|have|see|think|"
    r"care|get|really|even|seem)\b)|\b(?:has|have) to (?:fit|work|run|stay|survive|support)\b",
)
#: Sentences about one thing at hand, and explanations: what they say holds only there.
_AT_HAND = lazy(
    r"(?:^|: )(?:(?:so|now|ok(?:ay)?|and|but|then|also|great|perfect|(?:looks )?good)[,.]? ){0,3}"
    r"(?:th(?:is|at|ese|ose)\b|its?\b(?! turn(?:s|ed) out)|your?\b|here|in \w+,|(?:each|every) time|es\b|das\b|dies|"
    r"(?:(?:all|both) (?:\d+ )?)?(?:tests?|checks) (?:pass|are|fail)|all \d)|"
    r"\btakes? [\d.]+ ?(?:m?s|seconds?|minutes?)\b|"
    r"\b(?:happens?|replied|(?<!not )why|usually|probably|seems?|looks?|instead of \w+ing|weil)\b",
)
#: How sentences about one thing at hand often begin, and others too.
_ONE_THING = lazy(
    r"(?:^|: )(?:(?:so|now|ok(?:ay)?|and|but|then|also|great|perfect|(?:looks )?good)[,.]? ){0,3}the (?!team\b)"
)
#: What is to be used from some place or for every case, not in the code at hand.
_USE = lazy(
    r"^(?:please )?(?:use|take|prefer|avoid|keep|stick to|put(?! the\b))\b(?! the (?:first|second|third|last|other|"
    r"same)\b)(?!.*\b(?:here|this(?! (?:repo|repository|project|codebase)\b)|these|it|where possible|"
    r"instead of)\b).*\b(?:in this|from|for (?:all|any|every|new|anything)|in all|only|below|under|above|within)\b",
)
#: Sentences that decide nothing: tasks, advice to a reader, doubt, reports of what was done once.
_NOT = lazy(
    r"^(?:i(?:['’]ve)? (?:(?:also|just|then|only|now|already|first) )*(?:\w{3,}ed|found|ran|see|think|can|am|was|got|"
    r"have to|put|read|wrote|made|let|went)|you|if you|there (?:is|was) a bug|(?:can|could|would) you|should (?:we|i)|"
    r"what|how|why|which|who|(?:please )?(?:fix|add|write|implement|create|show|make|run|check|look|refactor|build|"
    r"explain|update|remove|rename|move|replace|sort|cut|convert|generate|draw|translate|summarize|automate|enable|"
    r"count|measure|improve|hide|clean|split|merge|push|undo|revert|group|extract|test (?:the|this|that|it|all|if|"
    r"whether)|inject|let|use (?:the|an?|\w+ instead)|try|open|print|find|change|delete|only (?:show|hide|display|"
    r"render|print|change|fix|do)))\b|\b(?:maybe|perhaps|might|would|was|were|must have|because the|i wonder|"
    r"i (?:guess|think|suppose|believe)$|i guess|not sure|could be|you (?:can|could|should|need|must|may|have|might|"
    r"will|want)|(?:can|could) you|how (?:can|do) i|i(?:['’]ll)?(?: will| still| also| really| just)* (?:need|have|"
    r"had) to)\b|^now the\b|, so i(?:['’]ve)? \w+ed\b|\b(?:docs?|documentation|readme|manual|logs?) says?\b",
)
#: Sentences that report, whatever they say then.
_REPORTS = lazy(r"^(?:fixed|done|there (?:is|was) a bug|reproduced|found (?:it|the)|\w+(?:error|exception):)\b")
#: What comes after words that give it up, or before.
_GIVEN_UP = lazy(
    r"\b(?:dropp?(?:ed|ing)?|ditch(?:ed|ing)?|retir(?:ed?|ing)|replac(?:ed?|es|ing)|(?:stopped|stop) using|no more|"
    r"said goodbye to|no longer use|(?:mov|switch|migrat)(?:ed?|ing) (?:away |off )?from|nicht mehr|statt) "
    r"(?:the |our |all |der |die |das )?(?P<after>[\w.+#-]+)(?![\w.+#-]| (?:for|of|in)\b)|"
    r"(?<![\w.+#-])(?P<before>[\w.+#-]+) (?:is|are|has been|have been|was|were|ist|sind|wird|werden) (?:now |being )?"
    r"(?:out|gone|over(?! \d)|dead|history|dropped|retired|replaced|deprecated|banned|nicht mehr|abgelöst|ersetzt)\b",
)


#: What says that something is to be followed.
_SAYING = (_OWED, _GENERAL, _AUTHORITY, _VERDICT, _LIMIT)
#: Matches where any of these does. Most clauses match none, and are ruled out by this one search.
_SAYS = any_of(*_SAYING)


def may_decide(text: str) -> bool:
    """Whether a turn may decide something that later work must follow, and stands in the index as such."""
    return weighed(text) is not None


def decision_in(text: str) -> str | None:
    """The sentence of a turn, in lower case, that decides something that later work must follow; None where none
    does."""
    found = weighed(text)
    return None if found is None or found[1] < BINDS else found[0]


def leaning_in(text: str) -> str | None:
    """The sentence of a turn, in lower case, that decides something or may do so; None where none does."""
    found = weighed(text)
    return None if found is None else found[0]


def clearness_of(text: str) -> float:
    """How clearly a turn says what is to be followed; LEANS where it says nothing of the kind."""
    found = weighed(text)
    return LEANS if found is None else found[1]


def stated_in(text: str) -> list[str]:
    """The sentences of a text that are no questions."""
    sentences = (each.strip(" \t-*•") for each in _SENTENCES.split(text))
    return [each for each in sentences if each and not each.endswith("?")]


@lru_cache(maxsize=1024)
def weighed(text: str) -> tuple[str, float] | None:
    """The sentence of a turn, in lower case, that says most clearly that something is to be followed, and how clearly:
    it decides from BINDS on, and may decide from LEANS on. None where no sentence says anything of the kind."""
    read = text[:_READ].lower()
    if _CHANGES.search(text[-200:].lower()):
        return None
    is_commit = _COMMIT.match(read)
    if is_commit:
        read = read[is_commit.end() :]
    stated = [each for each in stated_in(read) if not _REPORTS.search(each)]
    long = len(text) > _LONG
    if len(text) > _LONGEST:  # hardly any sentence would be clear enough
        stated = [each for each in stated if _DECLARED.search(each)]
    if not stated:
        return None
    less = _MANY * log2(len(stated)) + (_LONGER * log2(len(text) / _LONG) if long else 0.0)
    found = [(each, _of_commit(each) if is_commit else _clear(each, less, long)) for each in stated]
    best = max(found, key=lambda pair: pair[1])
    return best if best[1] >= LEANS else None


def _of_commit(subject: str) -> float:
    return BINDS if _CALLED.search(subject) or _USE.search(subject) else LEANS - 1


def _clear(sentence: str, less: float, long: bool) -> float:
    """How clearly a sentence says what is to be followed, by its common words and by what its clearest clause says;
    `less` is taken off, as the more is said, the likelier some sentence has such words by chance."""
    says = _weight(sentence)
    clear = clearness(sentence) + _SAYS_MORE * min(says, _MOST) - less
    if _DECLARED.search(sentence) if long else says >= _ENOUGH:
        return max(clear, BINDS)
    return _HARDLY if clear > _HARDLY and (_NOT.search(sentence) or _AT_HAND.search(sentence)) else clear


def _weight(sentence: str) -> int:
    """How clearly a sentence says by the rules what is to be followed: what its clearest clause says."""
    called = _CALLS if _CALLED.search(sentence) or _USE.search(sentence) else 0
    return called + max(map(_clause, {sentence, *_CLAUSES.split(sentence)}))


def _clause(clause: str) -> int:
    if not _SAYS.search(clause) or _NOT.search(clause):
        return 0
    said = 2 * sum(words.search(clause) is not None for words in _SAYING)
    if said and len(_OWED.findall(clause)) > 1:
        said += 1
    if not said or _AT_HAND.search(clause):
        return max(0, said - 2)
    return max(1, said - bool(_ONE_THING.search(clause)))


def given_up(text: str) -> list[str]:
    """What a decision says is no longer used: DOTween in "We dropped DOTween, LeanTween from now on"."""
    named = (found["after"] or found["before"] for found in _GIVEN_UP.finditer(text[:_READ].lower()))
    return [each for each in named if each not in NAMELESS]
