"""Turns that decide something for a project come with requests that they matter to, whatever their words."""

from __future__ import annotations

import json

import pytest

from commands import called
from ricordo.blocking import Memory
from ricordo.settings import Settings
from ricordo.text import decides

ASKED = "The order totals were off by one cent again in March. How do we store money from now on?"
DECIDED = "We decided that every amount of money is an integer number of cents; floats are never used for totals."
REQUEST = "Add a discount to orders and compute the reduced total price."


@pytest.mark.parametrize(
    "text",
    [
        DECIDED,
        "Rule from today: no new npm package goes into the front end without Mira's approval.",
        "Tests never touch the network.",
        "Schema changes go out in two releases: first add and backfill, then switch and drop.",
        "ok so let's agree on this: text messages only go out between 8 and 20",
        "Every read of a chart has to pass ChartGate.open(reason=...).",
        "I talked to Petra: please don't add new slices.",
        "DOTween everywhere in the UI.",
        "We’ll use Postgres for the queue as well.",
        "commit 56f9d84614: Add the queue\n\nWe decided to keep it in Postgres.\n\nFiles: a.py",
        "Ab sofort geht jede Schnittstelle nur noch über das Gateway.",
        "Wir haben uns für sqlx entschieden, das ORM wird nicht mehr benutzt.",
        "Decision: use UUIDv7. " + "The reasons are these. " * 60,
    ],
)
def test_what_later_work_must_follow_is_a_decision(text: str) -> None:
    assert decides(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Fixed in the fax gateway: the TIFF is rotated before sending. The tests pass.",
        "There is a bug: the tooltip stays open. Can you look into it?",
        "Should we always use UTC?",
        "Add a date picker to the booking form.",
        "Maybe we should only use one queue.",
        "You need to install the package first.",
        "Good, commit that.",
        "Why does this test fail?",
        "commit 56f9d84614: Never lose a turn; keep every page under 100 kB\n\nFiles: a.py",
        "This must be read in full. " * 40,  # a long explanation says such words somewhere
    ],
)
def test_tasks_questions_reports_and_long_explanations_are_none(text: str) -> None:
    assert not decides(text)


@pytest.fixture
def shop(with_vectors: Settings) -> Settings:
    """A project with a decision, another one, and a talk about other things."""
    with Memory(settings=with_vectors) as memory:
        memory.mine([_said(ASKED), _said(DECIDED)], conversation="money", project="shop")
        other = DECIDED.replace("cents", "tenths of a cent")
        memory.mine([_said(ASKED), _said(other)], conversation="other", project="kiln")
        for number, text in enumerate(
            ["The tooltip of the map stays open.", "The footer shows last year.", "The logo is blurry on phones."]
        ):
            memory.mine([_said(text)], conversation=f"bug-{number}", project="shop")
        memory.embed_pending()
    return with_vectors


def _said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text, "at": "2026-03-01T18:00Z"}


def test_a_decision_comes_with_requests_in_its_project(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        found = memory.recall(REQUEST, project="shop")
        assert [hit.text for hit in found if hit.decision] == [DECIDED]
        assert not [hit for hit in found if "tenths" in hit.text]
        assert not any(hit.decision for hit in memory.recall(REQUEST))  # of no project
        assert not any(hit.decision for hit in memory.recall("Explain how closures work.", project="shop"))
        assert len(memory.recall(REQUEST, project="shop", top_k=1)) == 1


def test_a_likely_answer_keeps_its_place(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        found = memory.recall("What does the footer show?", project="shop", top_k=1)
        assert [hit.text for hit in found] == ["The footer shows last year."]


def test_a_decision_that_was_redacted_comes_no_more(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        hit = next(hit for hit in memory.recall(REQUEST, project="shop") if hit.decision)
        memory.entries.redact(hit.id)
        assert not any(hit.decision for hit in memory.recall(REQUEST, project="shop"))
    assert called(shop, "verify", "--store").code == 0


def test_the_command_line_and_hooks_show_decisions_first(shop: Settings) -> None:
    assert "(decision)" in called(shop, "recall", "--project", "shop", REQUEST).out
    found = called(shop, "recall", "--project", "shop", "--json", REQUEST).json["results"]
    assert [each["decision"] for each in found if each["text"] == DECIDED] == [True]
    given = {"session_id": "s", "cwd": "/home/ada/shop", "hook_event_name": "UserPromptSubmit", "prompt": REQUEST}
    told = called(shop, "hook", "prompt", "--budget", "600", given=json.dumps(given).encode())
    block = told.json["hookSpecificOutput"]["additionalContext"]
    assert block.splitlines()[2].endswith(f'kind="decision">{DECIDED}</memory>')
