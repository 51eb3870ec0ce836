"""ricordo palace: the tree in a terminal and a pipe, and the commands that edit it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands import Command, in_process, on_terminal, write_chats
from ricordo.settings import Settings
from talks import BATTERY, LISBON

ROOM = "W-001/R-01"


@pytest.fixture
def run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Command:
    """Runs a command line on a store of two conversations."""
    run = in_process(settings, monkeypatch, capsys)
    long = "Lisbon: a title that is so long that no terminal of eighty columns has room for all of it in a line"
    assert run("mine", write_chats(tmp_path / "chats.jsonl", {"Battery talk": BATTERY, long: LISBON})).code == 0
    return run


def test_the_tree_is_as_deep_as_asked(run: Command) -> None:
    assert run("palace", "tree", "--depth", "1").out.splitlines() == [
        "Battery  § W-001  (topic, 4 turns, 1 room)",
        "Lisbon  § W-002  (topic, 3 turns, 1 room)",
    ]
    assert run("palace", "tree", "battery", "--depth", "2").out.splitlines()[1:] == [
        "└─ 2026-03-01 evening: Battery talk  R-01"
    ]
    assert len(run("palace", "tree", "battery").out.splitlines()) == 3
    assert run("palace", "tree", "--depth", "1", "--json").json[0]["rooms"] == []
    assert run("palace", "tree", "--depth", "2", "--json").json[0]["rooms"][0]["closets"] == []
    assert run("palace", "tree", "--depth", "4").code == 2


def test_no_line_is_wider_than_the_terminal(run: Command, settings: Settings) -> None:
    seen = on_terminal(settings, 80, "palace", "tree")
    lines = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen).splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.endswith("…  R-02") for line in lines) and lines[0].startswith("Battery  § W-001")


def test_wings_are_renamed_merged_and_parted(run: Command) -> None:
    assert run("palace", "rename", "battery", "Power").out.startswith("Power  § W-001  (topic, 4 turns)\n")
    merged = run("palace", "merge", "Lisbon", "Battery")
    assert merged.out.splitlines()[0] == "Power  § W-001  (topic, 7 turns, was W-002)"
    assert run("palace", "show", "§ W-002/R-02/D-001").out.startswith("§ W-001/R-02/D-001  2026-04-02 09:00Z  Ada")
    assert run("palace", "unmerge", "W-2", "--json").json["pointer"] == "§ W-002"
    refused = run("palace", "merge", "Power", "W-1")
    assert (refused.code, refused.out) == (2, "") and "are the same wing" in refused.err
    assert run("palace", "rename", "W-9", "X").code == 3


def test_rooms_and_drawers_are_moved_and_closets_renamed_and_merged(run: Command) -> None:
    moved = run("palace", "move", ROOM, "E-foil", "--new")
    assert moved.out.splitlines()[0] == "2026-03-01 evening: Battery talk  § W-003/R-01"
    assert run("palace", "move", ROOM, "Nowhere").code == 3
    room = run("palace", "move", f"{ROOM}/D-1", f"{ROOM}/D-2", "Cells", "--json").json
    assert [(each["name"], each["drawers"]) for each in room["closets"]][1:] == [("Cells", 2)]
    assert run("palace", "rename", ROOM, "Which cells", "--closet", "2").code == 0
    room = run("palace", "merge", "1", "which cells", "--room", ROOM, "--json").json
    assert [(each["name"], each["drawers"]) for each in room["closets"]] == [("Which cells", 4)]
    assert run("palace", "move", f"{ROOM}/D-1", "X", "--new").code == 2
