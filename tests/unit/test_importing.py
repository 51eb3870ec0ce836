"""What an import tells of turns that cannot be stored: bounded, however many there are."""

from __future__ import annotations

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
