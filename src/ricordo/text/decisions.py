"""Turns that decide something for a project: what is done, allowed or refused from then on.

Coding assistants get such turns with prompts that they matter to, whatever the prompts' words. English and German.
"""

from __future__ import annotations

import re

from ricordo.text.patterns import lazy

#: The term under which such turns stand in the keyword index. No word of a text has a space.
DECISION = "a decision"
#: Characters of a turn beyond which only what calls itself a decision counts: long explanations say "must" somewhere.
#: And of how long a turn the beginning is looked at.
_LONG, _READ = 700, 3000
#: How a commit begins: its subject says what was done, and not what is to be done.
_COMMIT = lazy(r"commit [0-9a-f]{7,40}: .*")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
#: What calls itself a decision, an agreement or a rule.
_CALLED = lazy(
    r"\b(?:decisions?|rules?|policy|convention|agreed|agreement|conclusion|beschlossen|beschluss|regel|entscheidung)"
    r"(?: from (?:now on|today))?:|"
    r"\b(?:we|i|they|(?:the )?team|[a-z]+ and i)(?:['’](?:ve|re|ll)| have| are| will)?(?: all| just| now| both)? "
    r"(?:decided|agreed|settled|chose|chosen|opted|standardi[sz]ed|concluded|voted|committed|going with|go with|"
    r"went with|stick(?:ing)? (?:with|to)|banned|dropped|deprecated|ruled)\b|"
    r"\bwe(?: will|['’]ll) (?:use|adopt|store|write|keep)\b|"
    r"\blet['’]?s (?:use|go with|stick|keep|move|agree|make|say|always|never|not|just|do|have|put|ban|drop|only|settle|"
    r"call)\b|"
    r"\b(?:from (?:now|here|today|this point)(?: on(?:wards?)?)?|going forward|as of (?:now|today)|"
    r"it (?:was|is|has been) "
    r"decided|effective immediately|is final|is the (?:rule|policy|convention|standard|only)|"
    r"source of truth|everywhere|"
    r"ab (?:jetzt|sofort|heute)|künftig|in zukunft|wir (?:haben (?:uns )?(?:beschlossen|entschieden|geeinigt)|"
    r"(?:nehmen|nutzen) (?:nur|jetzt)|bleiben bei)|haben wir (?:beschlossen|entschieden|vereinbart))\b",
)
#: What is owed, allowed or refused.
_OWED = lazy(
    r"\b(?:must|shall|never|always|no longer|any ?more|at most|at least|no more than|not even|"
    r"without exception|mandatory|"
    r"off[- ]limits|no-go|taboo|append-only|read-only|(?:below|under|above|max(?:es)? out at) \d+|"
    r"(?:has|have|had|needs?|ought) to|may (?:not|only|be)|(?:should|may|can|will) (?:only|never|always|not|all)|"
    r"only (?:ever|by|via|through|when|if|after|with|in|from|on|go(?:es)?|runs?|used?|the|once|one|internal)|"
    r"(?:is|are|be) (?:not |only |never |always )?(?:allowed|permitted|forbidden|refused|rejected|required|banned|"
    r"deprecated|prohibited|reserved|compulsory|to (?:be|disappear|go|stay))|"
    r"(?:do not|don['’]?t|nobody|no one|nothing|none of)\b(?! (?:know|think|see|understand|worry|mind|"
    r"work|have|exist))|"
    r"no (?:new|direct|raw|more|other|\w+ (?:in|on|without|outside|except|unless))\b|instead of|rather than|"
    r"(?:goes?|pass(?:es)?|routed?|runs?) (?:only )?(?:through|via|under)|"
    r"(?:lives?|belongs?|stays?|stored|kept|written|sent|computed|deleted|rounded|retried|logged|driven|chosen|saved) "
    r"(?:only )?(?:in|as|to|by|at|after|under|with|from|for|there|until)|"
    r"muss|müssen|darf|dürfen|nie|niemals|immer|nur|kein\w* \w+ (?:ohne|mehr)|nicht mehr|höchstens|mindestens|"
    r"verboten|pflicht|erlaubt|statt)\b",
)
#: What concerns everything of a kind: "every call", "schema changes go out in two releases".
_EVERY = lazy(
    r"^(?:(?:so|and|then|also|no|because|data)[,.]? )?(?:every|each|all|any|anything|everything|whatever|whoever|"
    r"whenever|no|jede\w*|alle\w*)\b|"
    r"^(?!(?:this|these|those|tests?|is|its|was|has|does)\b)(?:[\w/-]+ ){0,3}?[\w/-]{2,}s "
    r"(?:(?:of|in|on|for|from|between) (?:the |a |an |our )?[\w-]+ )?"
    r"(?:are|have|go|come|get|run|wait|use|live|belong|stay|follow|take|start|end|must|may)\b"
    r"(?! (?:now|still|too|missing|gone))",
)
#: What is to be used from some place or for every case, not in the code at hand.
_USE = lazy(
    r"^(?:please )?(?:use|take|prefer|avoid|keep|stick to|show|put)\b"
    r"(?!.*\b(?:here|this|these|it|where possible|instead of)\b)"
    r".*\b(?:from|for (?:all|any|every|new)|in all|only|below|under|above|within)\b",
)
#: Sentences that decide nothing: questions, tasks, advice to a reader, doubt, reports of what was done once.
_NOT = lazy(
    r"\?\s*$|^(?:fixed|done|i (?:fixed|added|found|changed|updated|removed|ran|see|think|can|am|was|"
    r"have to)|you|if you|"
    r"there (?:is|was) a bug|can you|could you|would you|should (?:we|i)|what|how|why|which|who|"
    r"(?:please )?(?:fix|add|write|implement|create|show|make|run|check|look|refactor|build|explain|"
    r"update|remove|rename|"
    r"move|replace|test|use the|use an?|try|open|print|find|change|delete|let me))\b|"
    r"\b(?:maybe|perhaps|might|i wonder|not sure|could be|"
    r"you (?:can|could|should|need|must|may|have|might|will|want))\b",
)


def decides(text: str) -> bool:
    """Whether a turn decides something that later work must follow."""
    read = text[:_READ].lower()
    if is_commit := _COMMIT.match(read):
        read = read[is_commit.end() :]
    sentences = [each.strip() for each in _SENTENCES.split(read)]
    stated = [each for each in sentences if each and not each.endswith("?")]
    if any(_CALLED.search(each) or _USE.search(each) for each in stated):
        return True
    said = (each for each in stated if _NOT.search(each) is None) if not is_commit and len(text) <= _LONG else ()
    return any(_OWED.search(each) or _EVERY.search(each) for each in said)
