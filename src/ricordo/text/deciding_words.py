"""How clearly a sentence settles something that outlives the talk, by its common words and its form alone.

The weights come from a logistic regression over the sentences of the projects of `bench assistants`
(`python -m bench deciding` makes them): words of a subject are left out, so that they hold for other projects too.
"""

from __future__ import annotations

from collections.abc import Mapping

from ricordo.text.patterns import lazy

#: What stands for the form of a sentence: few words, a number, a name of code, and the shares of words that end so.
FORM = ("<4", "<7", "<11", "number", "code", "-ed", "-s", "-ing")
_WORD, _NUMBER, _CODE = lazy(r"[a-zäöüß][a-zäöüß']*"), lazy(r"\d"), lazy(r"[`_/]")
_MARKS = "!", ":", "`"
#: Shares of a sentence's words count so many times.
_SHARE = 3


def signs(sentence: str) -> dict[str, float]:
    """What counts in a sentence in lower case, and how much of each there is: its words, and its form."""
    words = _WORD.findall(sentence.replace("’", "'"))
    count = len(words)
    signs = dict.fromkeys(words, 1.0)
    for mark in _MARKS:
        if mark in sentence:
            signs[mark] = 1.0
    if count < 11:
        signs["<11"] = 1.0
        if count < 7:
            signs["<7"] = 1.0
            if count < 4:
                signs["<4"] = 1.0
    if _NUMBER.search(sentence):
        signs["number"] = 1.0
    if _CODE.search(sentence):
        signs["code"] = 1.0
    each = _SHARE / max(1, count)
    for word in words:
        if len(word) > 3:
            end = "-s" if word[-1] == "s" else "-ed" if word[-2:] == "ed" else "-ing" if word[-3:] == "ing" else ""
            if end:
                signs[end] = signs.get(end, 0.0) + each
    return signs


def clearness(sentence: str, weights: Mapping[str, float] | None = None) -> float:
    """The logit of the chance that a sentence in lower case settles something, where half of all did."""
    chosen = WEIGHTS if weights is None else weights
    return chosen[""] + sum(chosen[sign] * much for sign, much in signs(sentence).items() if sign in chosen)


#: By the sign; "" is what each sentence begins with.
WEIGHTS: Mapping[str, float] = {
    "": -0.37, "<4": -0.35, "<7": -0.79, "<11": -1.56, "number": 0.14, "code": 0.94, "-s": 0.27, ":": -0.75,
    "`": 0.31, "a": -0.46, "about": -0.08, "after": 0.66, "again": -0.07, "against": 0.12, "alles": 0.13,
    "alone": 0.51, "als": 0.14, "also": 0.07, "always": 0.12, "am": 0.05, "an": 0.52, "and": 1.29, "another": -0.09,
    "any": 0.2, "anything": 0.55, "anyway": 0.35, "are": 0.67, "as": 0.36, "at": 0.69, "auch": 0.13, "aus": 0.11,
    "away": 0.35, "back": -0.13, "be": 0.34, "because": 0.14, "been": 0.05, "before": 0.27, "bei": 0.17,
    "below": 0.05, "bin": -0.06, "bis": 0.13, "both": 0.33, "but": 0.24, "by": 0.49, "can": 0.08, "could": -0.19,
    "da": 0.05, "damit": 0.2, "dann": 0.06, "darf": 0.07, "das": 0.24, "dass": 0.05, "dem": 0.08, "den": -0.06,
    "der": 0.27, "did": -0.05, "die": 0.39, "do": -0.19, "don't": 0.39, "dort": 0.05, "down": 0.35, "during": -0.05,
    "each": 0.28, "ein": 0.11, "eine": -0.05, "either": 0.14, "else": 0.25, "every": 0.53, "everyone": -0.07,
    "everything": 0.07, "falls": 0.07, "fine": 0.09, "first": 0.35, "fixed": -0.81, "for": 0.27, "found": -0.1,
    "from": 0.35, "für": -0.05, "get": 0.14, "gets": 0.31, "go": 0.36, "goes": 0.49, "going": 0.1, "gone": 0.11,
    "good": -0.49, "got": 0.22, "had": -0.1, "has": 0.16, "hat": 0.44, "have": -0.07, "he": -0.07, "her": 0.12,
    "him": -0.06, "his": 0.19, "i": -0.13, "i'd": 0.21, "i'll": -0.09, "i've": -0.09, "if": 0.32, "in": -0.14,
    "into": 0.08, "is": 0.13, "ist": 0.08, "it": 0.47, "it's": 0.05, "its": 0.05, "itself": 0.3, "keep": 0.07,
    "keinem": 0.08, "let": -0.07, "like": 0.41, "long": -0.06, "made": 0.21, "many": -0.05, "may": 0.21, "me": -0.4,
    "mit": 0.22, "more": 0.24, "most": 0.14, "muss": 0.08, "must": 0.16, "my": -0.21, "nah": 0.7, "need": -0.22,
    "needs": 0.06, "never": 0.6, "next": 0.1, "nicht": 0.14, "no": 0.92, "noch": 0.06, "none": 0.13, "not": 0.44,
    "nothing": 0.33, "now": 0.17, "nur": 0.06, "of": -0.24, "off": 0.17, "ohne": 0.06, "ok": 0.28, "on": 0.25,
    "once": 0.08, "one": 0.39, "ones": 0.2, "only": 1.16, "other": 0.1, "others": 0.28, "otherwise": 0.1, "our": 0.36,
    "out": 0.09, "over": 0.11, "own": 0.2, "pass": -0.33, "passes": -0.05, "past": 0.11, "per": 0.22, "please": -0.18,
    "said": 0.07, "same": 0.1, "says": 0.15, "sehr": 0.08, "she": 0.06, "should": -0.14, "sich": -0.05,
    "since": -0.07, "so": 0.5, "some": -0.23, "something": 0.06, "soon": -0.05, "stay": 0.27, "stays": 0.3,
    "take": -0.08, "takes": -0.15, "than": 0.24, "that": 0.19, "that's": 0.19, "the": -0.45, "their": 0.37,
    "them": 0.57, "then": 0.59, "there": -0.76, "there's": -0.05, "these": -0.13, "they": 0.47, "they're": 0.1,
    "things": -0.06, "this": -0.41, "through": 0.27, "to": 0.51, "today": -0.07, "too": 0.18, "twice": 0.39,
    "und": 0.35, "under": 0.21, "unless": 0.24, "uns": 0.18, "unser": 0.08, "until": 0.21, "up": 0.24, "us": 0.51,
    "use": -0.09, "used": 0.08, "uses": -0.06, "using": 0.17, "von": 0.23, "want": 0.16, "wants": 0.08, "was": -0.24,
    "way": 0.08, "we": 0.39, "we're": 0.3, "wenn": 0.06, "went": 0.15, "were": 0.11, "what": -0.1, "what's": -0.09,
    "whatever": 0.39, "when": 0.23, "whether": -0.08, "while": -0.07, "who": -0.13, "whoever": 0.06, "whole": 0.12,
    "why": -0.14, "will": -0.14, "wir": 0.13, "with": 0.27, "within": -0.06, "without": 0.27, "won't": 0.06,
    "would": -0.33, "yes": -0.07, "yesterday": -0.05, "your": -0.06, "zwei": -0.05,
}  # fmt: skip
