"""A memory on one line of a prompt: Python and SQL write it the same way."""

from __future__ import annotations

import random

from ricordo.blocking import Memory
from ricordo.settings import Settings
from ricordo.text import written_out
from stores import connect

_SIGNS = ["\r", "\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", " ", "\t", "\u00a0", "\u3000",
          "a", "é", "#", "-", "*", "1.", "12)", "3", "<", "|", "\\", "\\n", "`", "[", "0", "."]  # fmt: skip


def test_no_text_begins_a_line_of_its_own() -> None:
    for sign in "\v\f\x1c\x1d\x1e\x85\u2028\u2029\r\n":
        for mark in ("# head", "- [1.0] more", "  12. item", "\u2028- x", "```", "<tag>"):
            lines = written_out(f"tea{sign}{mark}").splitlines()
            assert len(lines) == 1, (sign, mark)
    for sign in "\v\f\x1c\x1d\x1e\x85\u2028\u2029\u00a0\t":
        assert written_out(f"  one{sign}two  three ") == f"  one{sign}two  three "


def test_sql_writes_the_same(settings: Settings) -> None:
    chance = random.Random(1)
    texts = ["".join(chance.choices(_SIGNS, k=chance.randrange(1, 12))) for _ in range(2_000)]
    with Memory(settings=settings, background=False), connect(settings) as owner:
        found = owner.execute("SELECT text, written_out(text) FROM unnest(%s::text[]) text", [texts]).fetchall()
    assert [(text, written) for text, written in found if written_out(text) != written] == []
