"""Preferences: which questions call for what a person likes, does by habit or has chosen, and which turns state it.

Rules for English, German, French and Spanish, on folded text (ricordo.text.terms.fold). No rule is for all four:
each language has its own words, and a turn in a language without rules states nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ricordo.text import NAMELESS, fold, words

#: Questions for advice, which should fit the person, and questions about likings themselves.
_ASKED = re.compile(
    r"\b(?:recommend|suggest|advi[cs]e|tips?\b|ideas?\b|inspiration|should (?:i|we)\b|(?:could|can) i (?:do|try|make)|"
    r"lik(?:e|es|ed|ing)\b|lov(?:e|es|ed)\b|enjoy|prefer|favou?rite|hat(?:e|es|ed)\b|dislike|hobb|interest|into\b|"
    r"empfiehl|empfehl|vorschlag|rat\b|tipps?\b|ideen?\b|soll(?:te)? ich\b|mag\b|mogen\b|liebling|lieber\b|gern|"
    r"conseil|recommand|sugger|devrais|aime|prefer|"
    r"recomiend|recomend|sugier|suger|consej|deberia|gusta|prefier|favorit)"
)
#: A person speaks of what he or she likes, does by habit, or has chosen.
_STATED = re.compile(
    # English
    r"\b(?:i|we)(?:['’](?:ve|m|re|d)| have| am| are| would)? (?:\w+ ){0,2}?(?:prefer|love|loved|like|enjoy|enjoyed|"
    r"enjoying|hate|dislike|can['’]?t stand|cannot stand|always|usually|never|tend to|avoid|adore|fond of|into|"
    r"obsessed with|allergic|a fan of|interested in|decided|used to|vegetarian|vegan)\b|"
    r"\bmy (?:favou?rite|go-to|usual|new)\b|\bnot a fan\b|\bfan of\b|"
    # German; the verb comes before the person as often as after
    r"\bich (?:\w+ ){0,2}?(?:mag|liebe|hasse|bevorzuge|vermeide|meide|nehme immer)\b|\bmag ich\b|"
    r"\bich (?:\w+ ){1,6}?(?:gern|gerne|lieber|am liebsten|immer|meistens|nie)\b|\bliebling\w+|"
    # French
    r"\b(?:j['’]aime|j['’]adore|je (?:prefere|deteste|deteste|n['’]aime|evite|choisis)|je \w+ (?:toujours|jamais))\b|"
    r"\b(?:mon|ma|mes) (?:\w+ )?(?:prefere|preferee|preferes|favori|favorite)\w*|"
    # Spanish
    r"\b(?:me (?:gusta|gustan|encanta|encantan)|prefiero|odio|no soporto|siempre|nunca|suelo|evito)\b|"
    r"\bmis? (?:\w+ )?favorit[oa]s?\b"
)
#: The part of a turn that is read.
_LOOK = 1_000
#: What a statement counts that stands alone, and how often a matter must come back to count whole.
_ONCE, _HABIT = 0.7, 4


def asks_for_preference(question: str) -> bool:
    """Whether a question, folded, asks for advice or for what somebody likes."""
    return _ASKED.search(question) is not None


def preferences(texts: Sequence[str], rooms: np.ndarray) -> np.ndarray:
    """How firmly each text states a preference, from 0 to 1; `rooms` says which conversation each is from.

    A matter that the person comes back to in several conversations is a habit and counts more than one remark.
    """
    said = [_matter(text) for text in texts]
    in_rooms = {(word, room) for room, matter in zip(rooms.tolist(), said, strict=True) for word in matter or ()}
    often = Counter(word for word, _ in in_rooms)
    firmness = np.zeros(len(said), np.float32)
    for index, matter in enumerate(said):
        if matter is not None:
            again = max((often[word] for word in matter), default=1) - 1
            firmness[index] = min(1.0, _ONCE + (1 - _ONCE) * again / (_HABIT - 1))
    return firmness


@lru_cache(maxsize=4096)
def _matter(text: str) -> frozenset[str] | None:
    """The words that a preference is about; None where the text states none. The same turns are candidates of many
    questions."""
    folded = fold(text[:_LOOK])
    found = _STATED.search(folded)
    if found is None:
        return None
    end = next((at for at in range(found.end(), len(folded)) if folded[at] in ".!?\n"), len(folded))
    return frozenset(word for word in words(folded[found.end() : end]) if len(word) > 2 and word not in NAMELESS)
