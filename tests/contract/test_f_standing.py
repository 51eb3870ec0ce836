"""What holds now: a recall marks turns whose facts were replaced, and orders them by what the question asks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commands import called
from ricordo.blocking import Memory
from ricordo.models import Hit
from ricordo.settings import Settings
from stores import copy_of, settings_for
from talks import mine_days

NOW = datetime(2025, 12, 1, tzinfo=UTC)
TALK = {
    "2025-01-05": "I live in Leeds, right by the canal.",
    "2025-01-20": "My 5K best is 27:12.",
    "2025-02-02": "I work at Opera North.",
    "2025-02-10": "I love pancakes with lemon.",
    "2025-03-11": "The database layer is diesel.",
    "2025-04-02": "We switched from diesel to sqlx.",
    "2025-05-04": "I start at the BBC on 9 June.",
    "2025-06-21": "We've moved to Bristol.",
    "2025-07-12": "My 5K best is now 25:50.",
    "2025-08-01": "I own a red canoe.",
}


@pytest.fixture(scope="module")
def told(server_home: Path) -> Settings:
    """A store with the conversation, to be copied."""
    settings = settings_for(server_home, user="ada")
    with Memory(settings=settings) as memory:
        mine_days(memory, TALK)
    return settings


@pytest.fixture
def filled(told: Settings) -> Iterator[Memory]:
    with Memory(settings=copy_of(told)) as memory:
        yield memory


def hits(memory: Memory, question: str, now: datetime = NOW) -> dict[str, Hit]:
    """The hits by the day of their conversation, best first."""
    return {hit.conversation: hit for hit in memory.recall(question, now=now).results}


@pytest.mark.parametrize(
    ("question", "new", "old"),
    [
        ("Where do I live?", "2025-06-21", "2025-01-05"),
        ("Where do I work now?", "2025-05-04", "2025-02-02"),
        ("What is my 5K best?", "2025-07-12", "2025-01-20"),
        ("Which database layer do we use?", "2025-04-02", "2025-03-11"),
    ],
)
def test_what_holds_comes_first_and_what_it_replaced_is_marked(
    filled: Memory, question: str, new: str, old: str
) -> None:
    found = hits(filled, question)
    order = list(found)
    assert order[0] == new
    assert found[new].superseded_by is None
    if old in found:
        assert order.index(new) < order.index(old)
        assert found[old].superseded_by == found[new].pointer and not found[old].current


def test_asked_about_the_past_the_older_turn_comes_first_and_stays_marked(filled: Memory) -> None:
    found = hits(filled, "Where did I live before Bristol?")
    order = list(found)
    assert order.index("2025-01-05") < order.index("2025-06-21")
    assert found["2025-01-05"].superseded_by == found["2025-06-21"].pointer


@pytest.mark.parametrize(
    "question", ["What was my first manager's name?", "Who was my very first manager?", "Wie hieß mein erster Manager?"]
)
def test_asked_for_the_first_the_oldest_turn_comes_first(memory: Memory, question: str) -> None:
    mine_days(
        memory,
        {
            "2025-01-14": "My manager at Northwind is called Priya.",
            "2025-05-06": "My new manager is called Tobias.",
            "2025-06-02": "The kettle is broken.",
            "2025-10-15": "Sunniva is my manager now.",
        },
    )
    assert [each for each in hits(memory, question) if each != "2025-06-02"][:2] == ["2025-01-14", "2025-05-06"]
    assert next(iter(hits(memory, "Who is my manager?"))) == "2025-10-15"


def test_a_plan_replaces_only_from_its_day(filled: Memory) -> None:
    before = hits(filled, "Where do I work?", datetime(2025, 5, 20, tzinfo=UTC))
    assert before["2025-02-02"].superseded_by is None and before["2025-02-02"].current
    after = hits(filled, "Where do I work?", datetime(2025, 7, 1, tzinfo=UTC))
    assert after["2025-02-02"].superseded_by == after["2025-05-04"].pointer


def test_what_was_said_later_than_asked_marks_nothing(filled: Memory) -> None:
    found = hits(filled, "Where do I live?", datetime(2025, 3, 1, tzinfo=UTC))
    assert found["2025-01-05"].superseded_by is None


def test_what_no_fact_tells_of_is_neither(filled: Memory) -> None:
    found = hits(filled, "red canoe pancakes")
    assert all(hit.superseded_by is None for hit in found.values())
    assert found["2025-08-01"].current


def test_the_context_block_keeps_the_older_turn_and_says_what_replaced_it(filled: Memory) -> None:
    recalled = filled.recall("Where do I live?", now=NOW)
    new = recalled.results[0].pointer
    line = next(line for line in recalled.context.splitlines() if "Leeds" in line)
    assert f'note="replaced on 2025-06-21 by {new}"' in line


def test_two_people_do_not_replace_one_another(memory: Memory) -> None:
    for day, name, text in (("2025-01-01", "Mara", "I live in Leeds."), ("2025-02-01", "Ben", "I live in Oslo.")):
        at = datetime.fromisoformat(f"{day}T12:00:00+00:00")
        memory.mine([{"role": "user", "name": name, "content": text, "at": at}], conversation=day)
    assert all(hit.superseded_by is None for hit in memory.recall("Who lives in Leeds or Oslo?", now=NOW).results)


def test_what_is_asked_of_another_is_not_answered_with_ones_own(memory: Memory) -> None:
    mine_days(
        memory,
        {
            "2025-01-05": "I live in Leeds, and I work at Halden Analytics.",
            "2025-03-01": "I moved to Bristol last weekend.",
            "2025-04-01": "My sister Hannah lives in Ghent.",
            "2025-05-01": "Thomas lives in Oslo, he can't stand the winters there.",
            "2025-06-01": "My brother is visiting again, we had a good laugh.",
        },
    )
    assert next(iter(hits(memory, "Where does my sister live?"))) == "2025-04-01"
    assert next(iter(hits(memory, "Where does Thomas live?"))) == "2025-05-01"
    own = {"2025-01-05", "2025-03-01"}
    assert next(iter(hits(memory, "Where does my brother live?"))) not in own
    assert next(iter(hits(memory, "Where do I live?"))) == "2025-03-01"


def test_figures_for_what_is_asked_follow_one_another(memory: Memory) -> None:
    for day, text in (("2025-01-01", "312 users on day one."), ("2025-02-01", "Ha, 5,000 users after the weekend.")):
        message = {"role": "user", "content": text, "at": datetime.fromisoformat(f"{day}T12:00:00+00:00")}
        memory.mine([message], conversation=day)
    found = hits(memory, "How many users do we have?")
    assert list(found) == ["2025-02-01", "2025-01-01"]
    assert found["2025-01-01"].superseded_by == found["2025-02-01"].pointer


def test_the_command_line_shows_it_as_text_and_json(told: Settings) -> None:
    asked = ("recall", "Where do I live?", "--now", "2025-12-01", "--user", "ada")
    as_text = called(told, *asked)
    assert "(replaced on 2025-06-21 by §" in as_text.out and "(current)" in as_text.out
    as_json = called(told, *asked, "--json")
    results = as_json.json["results"]
    assert results[0]["current"] is True
    older = next(each for each in results if "Leeds" in each["text"])
    assert older["superseded_by"] == results[0]["pointer"] and older["superseded_at"].startswith("2025-06-21")
