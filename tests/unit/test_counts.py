"""How numbers of things are written."""

from __future__ import annotations

import re
from pathlib import Path

import ricordo
from ricordo.errors import counted


def test_a_number_agrees_with_its_noun() -> None:
    assert [counted(number, "turn") for number in (0, 1, 2, 1200)] == ["0 turns", "1 turn", "2 turns", "1,200 turns"]
    assert [counted(2, noun) for noun in ("memory", "entry", "key", "day")] == [
        "2 memories",
        "2 entries",
        "2 keys",
        "2 days",
    ]
    bounded = [counted(number, "turn", most=1000) for number in (1, 999, 1000)]
    assert bounded == ["1 turn", "999 turns", "at least 1,000 turns"]
    assert (counted(1, "index", "indices"), counted(2, "index", "indices")) == ("1 index", "2 indices")


def test_no_command_writes_one_rows() -> None:
    nouns = "rows|turns|memories|conversations|jobs|files|wings|rooms|notes|segments|hits|vectors"
    loose = re.compile(rf"\{{[^{{}}]+\}} ({nouns})\b(?!/)")
    folder = Path(ricordo.__file__).parent / "cli"
    found = [
        f"{file.name}: {line.strip()}"
        for file in sorted(folder.glob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if loose.search(line)
    ]
    assert not found, "use ricordo.errors.counted:\n" + "\n".join(found)
