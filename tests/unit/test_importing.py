"""What an import tells of turns that cannot be stored: bounded, however many there are."""

from __future__ import annotations

from typing import Any

import pytest

from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.importing.chats import Rejected
from ricordo.models import Problem


def test_rejected_turns_are_told_singly_up_to_a_bound_and_counted_then() -> None:
    problems: list[Problem] = []
    rejected = Rejected(problems)
    for line in range(1203):
        rejected.note(Problem(path="talk", line=line, what="content holds a secret"))
    rejected.close()
    assert len(problems) == 1001
    assert problems[-1].what == "203 more turns could not be stored"
    assert all(each.lost for each in problems)


def test_nothing_is_told_where_nothing_was_left_out() -> None:
    problems: list[Problem] = []
    Rejected(problems).close()
    assert problems == []


@pytest.mark.parametrize("path", ["", "a\0b", "\ud800", 7, None], ids=["empty", "NUL", "half", "number", "None"])
def test_what_is_no_path_is_refused_and_the_current_folder_left_alone(memory: Memory, path: Any) -> None:
    calls: list[Any] = [
        lambda: memory.import_chats([path]),
        lambda: memory.import_chats(path),
        lambda: memory.import_chats([path], dry_run=True),
        lambda: memory.watch([path]),
    ]
    if isinstance(path, str):
        calls += [lambda: memory.archive.save(path), lambda: memory.archive.load(path), lambda: memory.sync.init(path)]
    for call in calls:
        with pytest.raises(InvalidInput):
            call()
    assert memory.palace.tree() == []


def test_one_path_alone_is_no_list_of_its_letters(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"paths: must be a list of paths, such as \['chats'\]"):
        memory.import_chats("chats")
