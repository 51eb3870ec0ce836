"""English text → the same in plain words: contractions written out, idle adverbs dropped."""

from __future__ import annotations

import re
from functools import lru_cache

from ricordo.facts.any_case import AnyCase
from ricordo.text import any_of, lazy

#: Texts whose plain form is kept: a block is read again for each name that it brings.
_REMEMBERED = 4096
#: Contractions: letters that a lowercase text must contain, the pattern, and the full form.
_CONTRACTED = [
    (needle, lazy(pattern, re.IGNORECASE), plain)
    for needle, pattern, plain in [
        ("got myself", r"\bgot myself\b", "bought"),
        ("ve got", r"\b(?:i've|I have) got\b", "I have"),
        ("can", r"\bcan't\b|\bcannot\b|\bcant\b", "can not"),
        ("won't", r"\bwon't\b", "will not"),
        ("n't", r"(?<=\w)n't\b", " not"),
        ("nt", r"\b(do|does|did|is|are|was|has|have|would)nt\b", r"\1 not"),
        ("i'm", r"\bi'm\b", "I am"),
        ("im", r"\bim\b", "I am"),
        ("'re", r"'re\b(?<=\w're)", " are"),
        ("'ve", r"'ve\b(?<=\w've)", " have"),
        ("ive", r"\bive\b", "I have"),
        ("'ll", r"'ll\b(?<=\w'll)", " will"),
        ("'d", r"'d\b(?<=\w'd)", " would"),
        ("'s ", r"\b(he|she|it|who)'s (?=(?:got|been|had|started|joined|bought|taken|become|passed)\b)", r"\1 has "),
        (
            "'s",
            r"\b(he|she|it|that|there|here|who|name|what|everything|everyone|somebody|someone)'s\b",
            r"\1 is",
        ),
        (
            "'s ",
            r"'s (?<=\w's )(?<!master's )(?<!bachelor's )(?=(?:a|an|the|now|called|named|my|our|allergic|moved|expecting|getting|having|doing|going|starting|leaving|moving|training|learning|retired|not|vegan|"
            r"two|three|four|five|six|seven|eight|nine|ten|twelve|vegetarian|working|living|studying|still|also|really|just|based|due|gone|dead|pregnant|engaged|married|unemployed|blind|deaf|diabetic|coeliac|retired)\b|\d)",
            " is ",
        ),
        ("'s ", r"'s (?<=\w's )(?=(?:[a-z]{3,}ed|set|due) (?:in|by|at|on|with|to|from|for|up|out)\b)", " is "),
        ("'s ", r"(?<=^The )([a-z]+)'s (?=[A-Z][\w.]*[,.])", r"\1 is "),
        # Of a name in the midst of a clause they are whose: "I use Brannigan's on Dock Street".
        (
            "'s ",
            r"((?:^|[.,;:!?(] |\b(?:and|but|so|because|though|while|says|that) )(?:(?:my|our|the|his|her) )?[\w-]+(?: [\w-]+)?)'s "
            r"(?=(?:in|at|on|off|under|behind|near|out|up|down|from|with)\b)",
            r"\1 is ",
        ),
        (
            "'s ",
            r"((?:[Mm]y|[Oo]ur|[Tt]he) (?:[a-z]+ )?(?:type|name|number|size|address|email|code|birthday|colou?r|surname))'s (?=[A-Z\d])",
            r"\1 is ",
        ),
        ("'s ", r"'s (?<=\w's )(?=[A-Z][a-z]+(?:ish|ese|ian)\b(?:[,.;!]|$| and\b))", " is "),
        ("'s ", r"'s (?<=\w's )(?=(?:got|been|had|started|joined|bought|taken|become|passed|broken)\b)", " has "),
        ("i", r"\b(?-i:i)\b", "I"),
        ("gonna", r"\bgonna\b", "going to"),
        ("fav", r"\bfave?\b", "favorite"),
    ]
]
_CONTRACTS = any_of(
    lazy(r"'|\bi\b|\bi?(?:m|ve)\b|nt\b|\bfave?\b|\bcannot\b|\bgonna\b|\b(?:have got|got myself)\b", re.IGNORECASE)
)
#: Words that change nothing of what a clause states.
_ADVERBS = AnyCase(
    r"\b(?:still|just|really|actually|currently|presently|also|finally|officially|recently|already|honestly|happily|"
    r"proudly|nowadays|(?<!from )now|lately|mainly|mostly|usually|always|only|even|literally|simply|both|all|myself|"
    r"very|quite|pretty|deathly|severely|badly|mildly|slightly|seriously|definitely|absolutely)\b(?!-) ?"
)
_NOWADAYS = AnyCase(
    r",? (?:by the way|btw|last i (?:looked|checked|heard)|at the moment|these days|right now|at present|as of now|for the time being)\b"
)


#: "prof lindqvist", "in march": names, days and months that chat writes small.
_TITLED = lazy(
    r"\b(?:(?:dr|prof|mr|mrs|ms)\.? [a-z]{3,}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|september|october|november|december|"
    r"(?<=in )(?:march|may|august)|(?<=\d(?:st|nd|rd|th) of )(?:march|may|august)|(?<=\d )(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b|(?<=\d(?:st|nd|rd|th) of )(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\b|(?<=\d )(?:march|may|august))\b"
)
#: "mum lives in Leeds", "gf is vegan": one's own kin as chat writes them, small and without "my".
_KIN = lazy(
    r"(?:(?P<parent>mum|mom|dad|gran|grandma|grandpa|grandad|granddad|nan|nana)(?= (?:is|has|was|got|turns|turned|[a-z]+s (?!is\b|are\b|of\b))|'s (?:\d|an?\b|the\b|in\b|on\b|at\b|from\b|moved\b|got\b|been\b|[A-Z][a-z]+(?:ish|ese|ian|an)\b))"
    r"|(?:wife|husband|gf|bf|girlfriend|boyfriend|fianc[eé]e?|boss|sister|brother|son|daughter|flatmate|housemate|landlord|landlady|dentist|gp)(?= (?:is|has|lives|works|turns|got)\b|'s (?:an?|in|on|at|called|due|from)\b))"
)
#: Behind what they begin a clause.
_BEFORE_KIN = (", ", "; ", ": ", ". ", "and ", "but ", "so ")


def _own_kin(match: re.Match[str]) -> str:
    before, said = match.string[max(0, match.start() - 4) : match.start()], match.group()
    if before and not before.endswith(_BEFORE_KIN):
        return said
    return said.title() if match["parent"] else f"my {said}"


@lru_cache(_REMEMBERED)
def plain(text: str) -> str:
    """A sentence with straight apostrophes, contractions written out and idle adverbs dropped."""
    text = text.replace("’", "'").replace("‘", "'").replace("**", "")
    if _CONTRACTS.search(text):
        small = text.lower()
        for needle, pattern, written in _CONTRACTED:
            if needle in small:
                text = pattern.sub(written, text)
                small = text.lower()
    text = _TITLED.sub(lambda match: match.group().title(), text)
    text = _KIN.sub(_own_kin, text)
    text = _ADVERBS.removed(_NOWADAYS.removed(text))
    return re.sub(r" (?=[,.!])", "", " ".join(text.split()))
