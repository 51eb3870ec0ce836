"""BERT's uncased word pieces: text → the numbers of its pieces in a vocabulary.

As the original does it (https://github.com/google-research/bert, tokenization.py), and the package `tokenizers` after
it, which a test compares: control characters go, signs of Chinese stand alone, accents and capitals go, each sign of
punctuation is a word, and a word is cut into the longest pieces that the vocabulary holds, from its beginning. Marks
such as "[SEP]" are only text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

from ricordo.text import ENGLISH

#: Words that are longer than so many characters count as unknown.
_LONGEST_WORD = 100
#: Runs of text without white space whose pieces are kept: most are words that come again.
_REMEMBERED = 1 << 15
_UNKNOWN = "[UNK]"
_SPACES = re.compile("[\t\n\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
#: Categories of characters that go, and separate nothing.
_GONE = frozenset(["Cc", "Cf", "Co", "Cs"])
_PLAIN_WORD = re.compile("[A-Za-z0-9]+")
_WORDS = re.compile("[!-/:-@[-`{-~]|[^!-/:-@[-`{-~]+")
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPieces:
    """The word pieces of one vocabulary."""

    def __init__(self, vocabulary: Path) -> None:
        """Reads `vocabulary`: a piece a line, in UTF-8; its number is that of its line, from 0."""
        lines = vocabulary.read_text(encoding="utf-8").split("\n")
        self._numbers = {piece.rstrip("\r"): number for number, piece in enumerate(lines) if piece}
        self._unknown = [self._numbers[_UNKNOWN]]
        self._mute = frozenset(
            number
            for piece, number in self._numbers.items()
            if piece in ENGLISH or piece == _UNKNOWN or not any(map(str.isalnum, piece))
        )
        self._of_run = lru_cache(_REMEMBERED)(self._run)

    def cut(self, text: str) -> list[int]:
        """The numbers of the pieces of `text`, without marks of beginning and end."""
        return [number for run in _SPACES.split(text) if run for number in self._of_run(run)]

    def is_word(self, word: str) -> bool:
        """Whether a folded word is one whole piece."""
        return word in self._numbers

    def is_mute(self, piece: int) -> bool:
        """Whether the piece of this number tells nothing of a text: a stop word, or a sign."""
        return piece in self._mute

    def _run(self, run: str) -> tuple[int, ...]:
        words = [run] if _PLAIN_WORD.fullmatch(run) else _split(run)
        return tuple(number for word in words for number in self._word(word.lower() if word.isascii() else word))

    def _word(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            return self._unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(prefix + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return self._unknown
        return found


def _split(run: str) -> list[str]:
    """The words of a run without white space, without accents and, beyond ASCII, in small letters."""
    if run.isascii() and run.isprintable():
        return _WORDS.findall(run)
    words = [""]
    for sign in _plain(run):
        if sign == " ":
            words.append("")
        elif _is_punctuation(sign):
            words += [sign, ""]
        else:
            words[-1] += sign
    return [word for word in words if word]


def _plain(run: str) -> str:
    kept = (sign for sign in run if sign != "\N{REPLACEMENT CHARACTER}" and unicodedata.category(sign) not in _GONE)
    spaced = "".join(f" {sign} " if _is_chinese(sign) else sign for sign in kept)
    decomposed = unicodedata.normalize("NFD", spaced)
    # Sign by sign: a Greek capital sigma has one small letter here, wherever it stands.
    return "".join(sign.lower() for sign in decomposed if unicodedata.category(sign) != "Mn")


def _is_chinese(sign: str) -> bool:
    number = ord(sign)
    return number >= 0x3400 and any(first <= number <= last for first, last in _CHINESE)


def _is_punctuation(sign: str) -> bool:
    if sign.isascii():
        return not sign.isalnum()
    return unicodedata.category(sign)[0] == "P"
