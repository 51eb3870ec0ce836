"""Word pieces are those of the package `tokenizers`, whatever the text."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from models import model_folder
from ricordo import sample
from ricordo.embedding.wordpiece import WordPieces

#: Signs that normalization, splitting or cutting treats in its own way.
_SIGNS = (
    "aAbBzZ09 \t\n\r\x0b\x1c\x00'!-_.,$+^`~ßÄéΣσςİıǅﬁ中日本語한글กखञ\u0301\u0345"
    "\u200d\u200b\xad\xa0\u2028\ufffd\u3000🤓👍🏽¿«—₂½[SEP]##"
)


@pytest.fixture(scope="module")
def vocabulary() -> Path:
    return next(model_folder().rglob("vocab.txt"))


@pytest.fixture(scope="module")
def theirs(vocabulary: Path) -> Callable[[str], list[int]]:
    tokenizer = Tokenizer(WordPiece.from_file(str(vocabulary), unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return lambda text: list(tokenizer.encode(text, add_special_tokens=False).ids)


def test_pieces_of_hostile_texts_are_theirs(vocabulary: Path, theirs: Callable[[str], list[int]]) -> None:
    chance = random.Random(1)
    ours = WordPieces(vocabulary)
    for _ in range(5000):
        text = "".join(chance.choices(_SIGNS, k=chance.randint(0, 30)))
        assert ours.cut(text) == theirs(text), repr(text)


def test_pieces_of_talk_are_theirs(vocabulary: Path, theirs: Callable[[str], list[int]]) -> None:
    ours = WordPieces(vocabulary)
    for path in sorted(sample.chats().iterdir()):
        text = path.read_text(encoding="utf-8")
        assert ours.cut(text) == theirs(text), path.name


@pytest.mark.parametrize("word", ["x" * 100, "x" * 101, "unaffable" * 11, "ﬁ" * 60, "é" * 100, "é" * 101])
def test_long_words_are_theirs(word: str, vocabulary: Path, theirs: Callable[[str], list[int]]) -> None:
    assert WordPieces(vocabulary).cut(word) == theirs(word)


def test_every_sign_that_both_know_is_theirs(vocabulary: Path, theirs: Callable[[str], list[int]]) -> None:
    ours = WordPieces(vocabulary)
    others = [
        sign
        for sign in map(chr, (*range(0xD800), *range(0xE000, 0x20000)))
        if ours.cut(f"ab{sign}cd") != theirs(f"ab{sign}cd")
    ]
    # Of a later Unicode than theirs, whose new punctuation and marks they do not know.
    assert len(others) < 1000 and all(sign > "\u0600" for sign in others)
