"""How clearly a sentence settles something that outlives the talk, by its common words and its form alone.

The weights come from a logistic regression over the sentences of the projects of `bench assistants`
(`python -m bench deciding` makes them): words of a subject are left out, so that they hold for other projects too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

#: What stands for the form of a sentence: few words, a number, a name of code, and the shares of words that end so.
FORM = ("<4", "<7", "<11", "number", "code", "-ed", "-s", "-ing")
_SIGN = re.compile(r"[a-zäöüß']+|\d+|[!:`]")
_CODE = re.compile(r"[`_/]")
#: Shares of a sentence's words count so many times.
_SHARE = 3


def signs(sentence: str) -> dict[str, float]:
    """What counts in a sentence in lower case, and how much of each there is: its words, and its form."""
    found = _SIGN.findall(sentence.replace("’", "'"))
    words = [each for each in found if each[0].isalpha()]
    count = max(1, len(words))
    signs = dict.fromkeys(found, 1.0)
    signs |= {"<4": float(count < 4), "<7": float(count < 7), "<11": float(count < 11)}
    signs |= {"number": float(any(map(str.isdigit, found))), "code": float(_CODE.search(sentence) is not None)}
    for end, least in (("ed", 4), ("s", 3), ("ing", 4)):
        signs[f"-{end}"] = _SHARE * sum(each.endswith(end) and len(each) > least for each in words) / count
    return signs


def clearness(sentence: str, weights: Mapping[str, float] | None = None) -> float:
    """The logit of the chance that a sentence in lower case settles something, where half of all did."""
    chosen = WEIGHTS if weights is None else weights
    return chosen[""] + sum(chosen[sign] * much for sign, much in signs(sentence).items() if sign in chosen)


#: By the sign; "" is what each sentence begins with.
WEIGHTS: Mapping[str, float] = {
    "": -0.32, "<4": -0.38, "<7": -0.83, "<11": -1.52, "number": 0.03, "code": 0.95, "-ed": 0.23, "-s": 0.28,
    "-ing": 0.08, ":": -0.7, "`": 0.3, "a": -0.45, "about": -0.07, "after": 0.68, "again": -0.07, "against": 0.11,
    "alles": 0.13, "alone": 0.51, "als": 0.14, "also": 0.07, "always": 0.12, "am": 0.05, "an": 0.4, "and": 1.3,
    "another": -0.09, "any": 0.19, "anything": 0.54, "anyway": 0.35, "are": 0.65, "as": 0.35, "at": 0.7, "auch": 0.14,
    "aus": 0.12, "away": 0.35, "back": -0.13, "be": 0.33, "because": 0.14, "been": 0.05, "before": 0.27, "bei": 0.17,
    "below": 0.06, "bin": -0.06, "bis": 0.13, "both": 0.3, "by": 0.49, "can": 0.08, "could": -0.19, "damit": 0.2,
    "dann": 0.05, "darf": 0.06, "das": 0.24, "dem": 0.08, "den": -0.07, "der": 0.27, "did": -0.05, "die": 0.38,
    "do": -0.2, "don't": 0.43, "down": 0.35, "during": -0.05, "each": 0.26, "ein": 0.11, "eine": -0.05,
    "either": 0.15, "else": 0.21, "every": 0.54, "everyone": -0.07, "everything": 0.05, "falls": 0.07, "fine": 0.08,
    "first": 0.37, "fixed": -0.85, "for": 0.26, "found": -0.1, "from": 0.39, "für": -0.05, "get": 0.15, "gets": 0.31,
    "go": 0.37, "goes": 0.49, "going": 0.1, "gone": 0.1, "good": -0.52, "got": 0.22, "had": -0.11, "has": 0.32,
    "hat": 0.44, "have": -0.05, "he": -0.07, "her": 0.11, "him": -0.05, "his": 0.18, "i": -0.11, "i'd": 0.21,
    "i'll": -0.09, "i've": -0.09, "if": 0.29, "in": -0.1, "into": 0.07, "ist": 0.07, "it": 0.47, "it's": 0.06,
    "itself": 0.3, "keep": 0.05, "keinem": 0.08, "later": 0.06, "let": -0.07, "like": 0.41, "long": -0.06,
    "made": 0.21, "many": -0.06, "may": 0.22, "me": -0.41, "mit": 0.22, "more": 0.26, "most": 0.15, "muss": 0.08,
    "must": 0.16, "my": -0.2, "nah": 0.69, "need": -0.22, "needs": 0.06, "never": 0.58, "next": 0.1, "nicht": 0.14,
    "no": 0.98, "noch": 0.05, "none": 0.14, "not": 0.43, "nothing": 0.58, "now": 0.18, "nur": 0.06, "of": -0.21,
    "off": 0.18, "ohne": 0.06, "ok": 0.28, "on": 0.26, "once": 0.1, "one": 0.41, "ones": 0.21, "only": 1.15,
    "or": 0.06, "other": 0.11, "others": 0.28, "otherwise": 0.11, "our": 0.36, "out": 0.12, "over": 0.12, "own": 0.18,
    "pass": -0.34, "passes": -0.05, "past": 0.12, "per": 0.22, "please": -0.18, "said": 0.07, "same": 0.11,
    "sehr": 0.08, "she": 0.05, "should": -0.14, "sich": -0.05, "since": -0.08, "so": 0.49, "some": -0.22,
    "something": 0.11, "soon": -0.05, "stay": 0.27, "stays": 0.3, "take": -0.08, "takes": -0.15, "than": 0.25,
    "that": 0.29, "that's": 0.19, "the": -0.51, "their": 0.37, "them": 0.55, "then": 0.61, "there": -0.74,
    "there's": -0.06, "these": -0.13, "they": 0.45, "they're": 0.09, "things": -0.06, "this": -0.41, "through": 0.26,
    "to": 0.48, "today": -0.07, "too": 0.18, "twice": 0.38, "und": 0.35, "under": 0.2, "unless": 0.23, "uns": 0.18,
    "unser": 0.08, "until": 0.21, "up": 0.24, "us": 0.52, "use": -0.06, "used": 0.09, "uses": -0.06, "using": 0.23,
    "von": 0.23, "want": 0.2, "wants": 0.08, "was": -0.24, "way": 0.08, "we": 0.38, "we're": 0.31, "wenn": 0.07,
    "went": 0.15, "were": 0.11, "what": -0.06, "what's": -0.09, "whatever": 0.39, "when": 0.22, "whether": -0.08,
    "which": -0.05, "while": -0.08, "who": -0.14, "whoever": 0.06, "whole": 0.11, "why": -0.13, "will": -0.15,
    "wir": 0.12, "with": 0.27, "within": -0.06, "without": 0.27, "won't": 0.06, "would": -0.32, "yes": -0.06,
    "yesterday": -0.06, "your": -0.05, "zwei": -0.05,
}  # fmt: skip
