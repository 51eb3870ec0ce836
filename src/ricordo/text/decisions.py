"""Turns that decide something for a project: what is done, allowed or refused from then on.

Coding assistants get such turns with prompts that they matter to, whatever the prompts' words. English and German.
"""

from __future__ import annotations

from ricordo.text.patterns import lazy

#: The term under which such turns stand in the keyword index. No word of a text has a space.
DECISION = "a decision"
#: How much of a turn is read. One with more than `_LONG` characters counts only if it says that something was decided:
#: long explanations say "must" and "let's use" somewhere.
_LONG, _READ = 700, 3000
#: How a commit begins: its subject says what was done, and not what is to be done.
_COMMIT = lazy(r"commit [0-9a-f]{7,40}: .*")
#: How a section of a repository's changelog ends: it says what was done as well.
_CHANGES = lazy(r"\((?:[^()\n]*/)?change(?:s|log)[^()\n]*, commit [0-9a-f]{7,40}\)\s*$")
_SENTENCES = lazy(r"(?<=[.!?;])\s+|\n+")
#: What calls itself a decision, an agreement or a rule.
_CALLED = lazy(
    r"\b(?:decisions?|decided|rules?|policy|convention|agreed|agreement|conclusion|beschlossen|beschluss|regel|entscheidung)\b"
    r"(?: [^.:,]{1,20})?:|\b(?:the|our) (?:rule|policy|convention|decision) is\b|"
    r"\b(?:we|i|they|(?:the )?team|[a-z]+ and i)(?:['’](?:ve|re|ll)| have| are| will)?(?: all| just| now| both)? "
    r"(?:decided|agreed(?! to (?:look|check|try|help|meet|come|talk|think)\b)|settled?(?= on)|chose|chosen|"
    r"picked(?! (?:me|him|her|us|it|you|up)\b)|opted|standardi[sz]ed|concluded|voted|committed|"
    r"pinned|going with|"
    r"go with|went with|stick(?:ing)? (?:with|to)|banned|dropped|deprecated|ruled|said goodbye)\b|"
    r"\bwe(?: will|['’]ll) (?:use|adopt|store|write|keep)\b|"
    r"\blet['’]?s (?:(?:use|keep)(?! (?:going|this|the|your|an?|it)\b)|go with|stick|"
    r"move (?:all|every|to (?!the next))|switch to|agree|always|"
    r"never|just (?:use|go with|stick)|not(?! (?:worry|forget|bother|waste|get|go|rush|panic)\b)|do(?! (?:this|that|"
    r"it|the)\b)|ban|drop|only|settle)\b|"
    r"\b(?:from (?:now|here|today|this point)(?: on(?:wards?)?)?|going forward|as of (?:now|today)|"
    r"in this (?:repo|repository|project|codebase)(?=,)|it (?:was|is|has been) decided|effective immediately|is final|"
    r"is the (?:rule|policy|convention|standard)|"
    r"source of truth|everywhere|ab (?:jetzt|sofort|heute)|künftig|in zukunft|wir (?:haben (?:uns )?(?:beschlossen|"
    r"entschieden|geeinigt)|(?:nehmen|nutzen|verwenden) (?:nur|jetzt)|bleiben bei)|"
    r"haben wir (?:beschlossen|entschieden|vereinbart))\b",
)
#: What says even in a long turn that something was decided.
_DECLARED = lazy(
    r"^[\W_]*(?:decisions?|decided|rule|policy|convention|agreed|beschlossen|beschluss|entscheidung)[*_]*:[*_]* |"
    r"\b(?:we|i|they|(?:the )?team|[a-z]+ and i)(?:['’]ve| have)?(?: all| just| now| both)? "
    r"(?:decided|agreed(?! to (?:look|check|try|help|meet|come|talk|think)\b)|settled on|standardi[sz]ed|voted|"
    r"ruled out|banned|deprecated)\b|"
    r"\b(?:from (?:now|today) on(?:wards?)?|going forward|effective immediately|it (?:was|is|has been) decided|"
    r"ab (?:jetzt|sofort|heute)|wir (?:haben (?:uns )?(?:beschlossen|entschieden|geeinigt))|"
    r"haben wir (?:beschlossen|entschieden|vereinbart))\b",
)
#: What is owed, allowed or refused.
_OWED = lazy(
    r"\b(?:must(?! be the\b)|shall|(?:['’]ve|have) got to|(?:has|have|(?<!no )(?<!we )needs?|ought) to(?! do with|"
    r" be re)|may (?:not|only|be)|"
    r"(?:should|may|can|will) (?:only|never|always|not|all)|without exception|mandatory|off[- ]limits|no-go|taboo|"
    r"append-only|read-only|frozen(?= until| for|:)|"
    r"(?:is|are|be) (?:not |only |never |always )?(?:allowed|permitted|forbidden|refused|rejected|required|banned|over|"
    r"capped|deprecated|prohibited|reserved|compulsory|to (?:be|disappear|go|stay))|"
    r"(?:lives?|belongs?|stays?|stored|kept|written|sent|computed|deleted|rounded|retried|logged|driven|chosen|done) "
    r"(?:only )?(?:in|as|to|by|at|after|under|with|from|for|there|until)|"
    r"(?<!ich )muss|müssen|darf|dürfen|niemals|nur noch|ausschließlich|höchstens|mindestens|verboten|erlaubt|pflicht)"
    r"\b",
)
#: What holds in general: "tests never touch the network", "every call", "schema changes go out in two releases".
_GENERAL = lazy(
    r"\b(?:never(?! happen)|always|you (?:don['’]?t|only)(?! (?:know|need|have|see|think|get))|"
    r"we no longer|at most|at least|no more than|not even|(?:below|under|above|at) \d+|"
    r"only (?:at|during|ever|by|via|through|when|if|after|with|in|from|on|go(?:es)?|runs?|used?|the|once|one|internal)|"
    r"(?:(?<!^)(?:do not|don['’]?t)|nobody|no one|nothing|none of)"
    r"(?! (?:know|think|see|understand|worry|mind|work|have|exist|touch))|"
    r"no (?:new|direct|raw|more|other|(?!errors?\b)\w+ (?:in|on|without|outside|except|unless))|"
    r"instead of|rather than|in all|(?:goes?|pass(?:es)?|routed?|runs?) (?:only )?(?:through|via|under|in)|"
    r"nie|immer(?! noch)|nur|keine?[nmrs]? (?:neue|weitere|\w+ (?:ohne|in|im))|w[ei]rd(?:en)? nicht mehr|statt)\b|"
    r"^only\b|^(?:i want |(?:so|and|then|also|no|data)[,.]? )?(?:every|each|all(?! right)|any|anything|everything|"
    r"whatever|whoever|whenever|jede\w*|alle\w*)\b|"
    r"^(?:since [^,]{1,30}, )?(?:[\w/-]+ ){0,3}?[\w/-]{2,}(?<!i)s "
    r"(?:(?:of|in|on|for|from|between) (?:the |a |an |our )?[\w-]+ )?"
    r"(?:are|have|go|come|get|run|wait|use|live|belong|stay|follow|take|start|end|need|require|grow|land)\b"
    r"(?! (?:now|still|too|missing|gone|off|\w+ing)\b)",
)
#: Sentences about one thing at hand, and explanations: what they say holds only there.
_AT_HAND = lazy(
    r"(?:^|: )(?:(?:so|now|ok(?:ay)?|and|but|then|also|great|perfect|(?:looks )?good)[,.]? ){0,3}"
    r"(?:the (?!team)|th(?:is|at|ese|ose)\b|its?\b|your?\b|here|in \w+,|(?:each|every) time|es\b|das\b|dies|"
    r"(?:(?:all|both) (?:\d+ )?)?(?:tests?|checks) (?:pass|are|fail)|all \d)|"
    r"\btakes? [\d.]+ ?(?:m?s|seconds?|minutes?)\b|"
    r"\b(?:happens?|replied|why|usually|probably|seems?|looks?|instead of \w+ing|weil)\b",
)
#: What is to be used from some place or for every case, not in the code at hand.
_USE = lazy(
    r"^(?:please )?(?:use|take|prefer|avoid|keep|stick to|show|put)\b"
    r"(?!.*\b(?:here|this|these|it|where possible|instead of)\b)"
    r".*\b(?:from|for (?:all|any|every|new|anything)|in all|only|below|under|above|within)\b",
)
#: Sentences that decide nothing: tasks, advice to a reader, doubt, reports of what was done once.
_NOT = lazy(
    r"^(?:fixed|done|i (?:fixed|added|found|changed|updated|removed|ran|see|think|can|am|was|have to)|you|if you|"
    r"there (?:is|was) a bug|(?:can|could|would) you|should (?:we|i)|what|how|why|which|who|"
    r"(?:please )?(?:fix|add|write|implement|create|show|make|run|check|look|refactor|build|explain|update|remove|"
    r"rename|move|replace|test (?:the|this|that|it|all|if|whether)|inject|let|use (?:the|an?|\w+ instead)|try|open|"
    r"print|find|change|delete|"
    r"only (?:show|hide|display|render|print|change|fix|do)))\b|"
    r"\b(?:maybe|perhaps|might|would|was|were|must have|because the|i wonder|not sure|could be|"
    r"you (?:can|could|should|need|must|may|have|might|will|want)|(?:can|could) you|how (?:can|do) i|"
    r"i(?:['’]ll)?(?: will| still| also| really| just)* (?:need|have|had) to)\b",
)
#: What comes after words that give it up, or before.
_GIVEN_UP = lazy(
    r"\b(?:dropp?(?:ed|ing)?|ditch(?:ed|ing)?|retir(?:ed?|ing)|replac(?:ed?|es|ing)|(?:stopped|stop) using|no more|"
    r"said goodbye to|no longer use|(?:mov|switch|migrat)(?:ed?|ing) (?:away |off )?from|nicht mehr|statt) "
    r"(?:the |our |all |der |die |das )?(?P<after>[\w.+#-]+)(?![\w.+#-]| (?:for|of|in)\b)|"
    r"(?<![\w.+#-])(?P<before>[\w.+#-]+) (?:is|are|has been|have been|was|were|ist|sind|wird|werden) (?:now |being )?"
    r"(?:out|gone|over|dead|history|dropped|retired|replaced|deprecated|banned|nicht mehr|abgelöst|ersetzt)\b",
)


def decides(text: str) -> bool:
    """Whether a turn decides something that later work must follow."""
    return decision_in(text) is not None


def decision_in(text: str) -> str | None:
    """The sentence of a turn, in lower case, that decides something that later work must follow; None where none
    does."""
    read = text[:_READ].lower()
    if _CHANGES.search(text[-200:].lower()):
        return None
    if is_commit := _COMMIT.match(read):
        read = read[is_commit.end() :]
    sentences = [each.strip(" \t-*•") for each in _SENTENCES.split(read)]
    stated = [each for each in sentences if each and not each.endswith("?")]
    if len(text) > _LONG:
        return next((each for each in stated if _DECLARED.search(each)), None)
    called = (each for each in stated if _CALLED.search(each) or _USE.search(each))
    said = [each for each in stated if _NOT.search(each) is None] if not is_commit else []
    return next(called, None) or next(filter(_binds, said), None)


def _binds(sentence: str) -> bool:
    """Whether a sentence says what is owed or holds in general; one about a thing at hand must say both."""
    said = bool(_OWED.search(sentence)) + bool(_GENERAL.search(sentence))
    return said > bool(_AT_HAND.search(sentence))


def given_up(text: str) -> list[str]:
    """What a decision says is no longer used: DOTween in "We dropped DOTween, LeanTween from now on"."""
    return [found["after"] or found["before"] for found in _GIVEN_UP.finditer(text[:_READ].lower())]
