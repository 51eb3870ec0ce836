"""English text → the same in plain words: contractions written out, idle adverbs dropped."""

from __future__ import annotations

import re

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
            r"vegetarian|working|living|studying|still|also|really|just|based|due|on (?:the )?v?\d|gone|dead|down to|up to|\d)\b)",
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


def plain(text: str) -> str:
    """A sentence with straight apostrophes, contractions written out and idle adverbs dropped."""
    text = text.replace("’", "'").replace("‘", "'").replace("**", "")
    if _CONTRACTS.search(text):
        for pattern, written in _CONTRACTED:
            text = pattern.sub(written, text)
    text = _ADVERBS.sub("", _NOWADAYS.sub("", text))
    return re.sub(r" (?=[,.!])", "", " ".join(text.split()))
