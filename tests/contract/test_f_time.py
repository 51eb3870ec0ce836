"""Questions for turns by their time, and messages without content, asked of a real store by words only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ricordo.blocking import Memory
from ricordo.models import Hit
from ricordo.recall import Recaller
from ricordo.settings import Settings
from stores import copy_of, settings_for

NOW = datetime(2026, 7, 15, 9, tzinfo=UTC)  # a Wednesday
#: What was said, by the conversation and when it began; each turn a minute later, the user's and the assistant's.
TALK = {
    "2026-03-03 10:00": ["My boat needs a new mast.", "A spruce mast would fit.", "ok thanks!"],
    "2026-03-20 10:00": ["I planted six apple trees.", "Water them twice a week."],
    "2026-05-02 18:00": ["Yesterday I visited Oslo and saw the opera.", "How lovely!"],
    "2026-05-20 18:00": ["Today I visited Rome and the Forum.", "It is best in spring."],
    "2026-06-11 18:00": ["I visited Paris with Ines.", "Did you see the Louvre?"],
    "2026-07-06 08:00": ["How do I paint the hull of my boat?", "With two coats of antifouling.", "great, thank you!"],
    "2026-07-13 20:00": ["The violin lessons begin in August.", "Which teacher did you choose?", "haha nice"],
    "2026-07-14 19:00": [
        "What varnish suits the boat?",
        "A spar varnish with UV filter.",
        "I grilled trout for dinner.",
    ],
}


@pytest.fixture(scope="module")
def told(server_home: Path) -> Settings:
    """A store with the conversation, to be copied."""
    settings = settings_for(server_home, user="ada")
    with Memory(settings=settings) as memory:
        for begun, texts in TALK.items():
            tell(memory, begun, texts)
    return settings


@pytest.fixture
def filled(told: Settings) -> Iterator[Memory]:
    with Memory(settings=copy_of(told)) as memory:
        yield memory


def tell(memory: Memory, begun: str, texts: list[str], zone: str = "UTC") -> None:
    start = datetime.fromisoformat(begun).replace(tzinfo=ZoneInfo(zone))
    turns = [
        {"role": "assistant" if number % 2 else "user", "content": text, "at": start + timedelta(minutes=number)}
        for number, text in enumerate(texts)
    ]
    memory.mine(turns, conversation=begun)


def hits(memory: Memory, question: str, now: datetime = NOW, **given: object) -> list[Hit]:
    return list(memory.recall(question, now=now, **given).results)  # type: ignore[arg-type]


def days(found: list[Hit]) -> list[str]:
    """The days of the hits, each once, in their order."""
    return list(dict.fromkeys(f"{hit.at:%m-%d}" for hit in found))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did we talk about last time?", ["07-14"]),
        ("When did we last speak?", ["07-14"]),
        ("What did we talk about yesterday?", ["07-14"]),
        ("What did we talk about on Monday?", ["07-13"]),
        ("What did we talk about this week?", ["07-14", "07-13"]),
        ("What did we discuss last week?", ["07-06"]),
        ("What did we talk about in March?", ["03-20", "03-03"]),
        ("What did we talk about last month?", ["06-11"]),
        ("What did we talk about today?", []),
        ("What did we talk about recently?", ["07-14", "07-13", "07-06"]),
        ("Worüber haben wir gestern gesprochen?", ["07-14"]),
        ("Worüber haben wir letztes Mal gesprochen?", ["07-14"]),
        ("De quoi avons-nous parlé hier ?", ["07-14"]),
        ("De quoi avons-nous parlé lundi ?", ["07-13"]),
        ("¿De qué hablamos ayer?", ["07-14"]),
        ("¿De qué hablamos el lunes?", ["07-13"]),
    ],
)
def test_conversations_of_a_time_come_newest_first(filled: Memory, question: str, expected: list[str]) -> None:
    found = hits(filled, question)
    assert days(found) == expected
    assert found == sorted(found, key=lambda hit: hit.at, reverse=True)
    assert not {"ok thanks!", "great, thank you!", "haha nice"} & {hit.text for hit in found}


def test_what_was_said_first_and_last_comes_in_that_order(filled: Memory) -> None:
    first = hits(filled, "What did I tell you first?", top_k=2)
    assert [hit.text for hit in first] == ["My boat needs a new mast.", "I planted six apple trees."]
    last = hits(filled, "What was the last thing I told you?", top_k=2)
    assert [hit.text for hit in last] == ["I grilled trout for dinner.", "What varnish suits the boat?"]
    both = hits(filled, "What did we talk about first?", top_k=2)
    assert [hit.text for hit in both] == ["My boat needs a new mast.", "A spruce mast would fit."]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the first thing I asked you about the boat?", "My boat needs a new mast."),
        ("What was the last thing I asked you about the boat?", "What varnish suits the boat?"),
        ("What did we say about the boat last week?", "How do I paint the hull of my boat?"),
        ("What did I tell you about the boat in March?", "My boat needs a new mast."),
        ("When did we last talk about the boat?", "What varnish suits the boat?"),
        ("Was habe ich dich zuletzt über boat gefragt?", "What varnish suits the boat?"),
    ],
)
def test_a_topic_is_looked_for_within_the_time(filled: Memory, question: str, expected: str) -> None:
    found = hits(filled, question)
    assert found[0].text == expected
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.parametrize(
    "question",
    [
        "In which order did I visit Paris, Rome and Oslo?",
        "List the cities I visited, Paris, Oslo and Rome, in the order I mentioned them.",
        "In welcher Reihenfolge habe ich Paris, Rome und Oslo visited?",
    ],
)
def test_an_order_is_that_of_time(filled: Memory, question: str) -> None:
    assert days(hits(filled, question))[:3] == ["05-02", "05-20", "06-11"]


def test_the_block_of_an_order_has_room_for_the_best(filled: Memory) -> None:
    asked = "In which order did I visit Paris, Rome and Oslo?"
    found = filled.recall(asked, now=NOW, max_tokens=110)
    inside = [hit.text for hit in found if hit.text in found.context]
    assert 0 < len(inside) < 3 and inside == [hit.text for hit in found][: len(inside)]
    assert all("visited" in text for text in inside)


def test_a_block_quotes_the_beginning_of_each_turn_that_is_asked_for(memory: Memory) -> None:
    for day in range(1, 6):
        tell(memory, f"2026-06-0{day} 12:00", [f"I visited island number {day}. " + "The sea was calm. " * 100])
    for asked in ("In which order did I visit the islands?", "What did we talk about in June?"):
        found = memory.recall(asked, now=NOW, max_tokens=1000)
        places = [found.context.index(f"island number {hit.at.day}.") for hit in found]
        assert len(places) == 5 and places == sorted(places) and found.tokens <= 1000
        assert found.context.count("[…]") == 5


def test_last_time_leaves_out_the_conversation_under_way(filled: Memory) -> None:
    asked = "What did we talk about last time?"
    inside = datetime(2026, 7, 14, 19, 1, 30, tzinfo=UTC)
    assert days(hits(filled, asked, inside)) == ["07-13"]
    soon = datetime(2026, 7, 14, 20, tzinfo=UTC)
    assert days(hits(filled, asked, soon)) == ["07-14"]
    assert days(hits(filled, asked, soon, conversation="2026-07-14 19:00")) == ["07-13"]
    # The same conversation on the next day is another talk.
    assert days(hits(filled, asked, conversation="2026-07-14 19:00")) == ["07-14"]


def test_the_only_conversation_is_brought_even_while_it_is_under_way(memory: Memory) -> None:
    tell(memory, "2026-07-15 08:59", ["The kiln is hot.", "Wait an hour.", "I fired the cups."])
    found = hits(memory, "What did we talk about last time?", NOW, conversation="2026-07-15 08:59")
    assert [hit.text for hit in found] == ["Wait an hour.", "The kiln is hot."]


def test_what_is_said_later_than_asked_is_not_the_last_time(filled: Memory) -> None:
    assert days(hits(filled, "What did we talk about last time?", datetime(2026, 5, 10, tzinfo=UTC))) == ["05-02"]
    assert days(hits(filled, "What did we discuss recently?", datetime(2026, 3, 10, tzinfo=UTC))) == ["03-03"]


def test_many_conversations_of_a_time_are_sampled_over_all_of_it(memory: Memory) -> None:
    for day in range(1, 29):
        tell(memory, f"2026-06-{day:02} 12:00", [f"I carved spoon number {day} of {day * 3}.", "Sand it well."])
    found = hits(memory, "What did we talk about in June?", top_k=7)
    assert [hit.at.day for hit in found] == [28, 24, 20, 16, 12, 8, 4]
    assert all(hit.text.startswith("I carved") for hit in found)


def test_a_long_conversation_is_sampled_over_all_of_it(memory: Memory) -> None:
    tell(memory, "2026-07-14 12:00", [f"Chapter {number} is about river number {number}." for number in range(40)])
    found = hits(memory, "What did we talk about last time?", top_k=4)
    assert [hit.text.split()[1] for hit in found] == ["30", "20", "10", "0"]


def test_the_days_are_those_of_the_users_zone(memory: Memory) -> None:
    auckland = "Pacific/Auckland"  # twelve hours ahead of UTC in July
    tell(memory, "2026-07-14 00:30", ["I oiled the gate."], auckland)  # on 13 July in UTC
    tell(memory, "2026-07-15 00:30", ["I mended the fence."], auckland)
    now = datetime(2026, 7, 15, 9, tzinfo=ZoneInfo(auckland))
    asked = "What did we talk about yesterday?"
    assert [hit.text for hit in hits(memory, asked, now)] == ["I oiled the gate."]
    memory.settings.update(time_zone=auckland)
    assert [hit.text for hit in hits(memory, asked, now.astimezone(UTC))] == ["I oiled the gate."]
    memory.settings.update(time_zone="America/Los_Angeles")
    assert [hit.text for hit in hits(memory, asked, now.astimezone(UTC))] == ["I oiled the gate."]


def test_filters_and_redactions_hold(filled: Memory) -> None:
    [hit] = [each for each in hits(filled, "What did we talk about yesterday?") if "trout" in each.text]
    filled.entries.redact(hit.id)
    assert "trout" not in filled.recall("What did we talk about yesterday?", now=NOW).context
    spoken = hits(filled, "What did we talk about yesterday?", speaker="assistant")
    assert [hit.text for hit in spoken] == ["A spar varnish with UV filter."]
    assert days(hits(filled, "What did we talk about last time?", until=datetime(2026, 6, 1, tzinfo=UTC))) == ["05-20"]


@pytest.mark.parametrize(
    "message",
    ["yes please", "Good morning", "ok thanks!", "haha nice", "danke, super", "merci beaucoup", "vale, gracias", "👍"],
)
def test_small_talk_brings_nothing_and_looks_for_nothing(
    with_vectors: Settings, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(settings=replace(with_vectors, user="ola"), background=False) as memory:
        tell(memory, "2026-07-14 19:00", ["thanks, good morning, yes please, super nice 👍", "merci, gracias"])

        async def refuse(*given: object) -> None:
            raise AssertionError("something was looked for")

        monkeypatch.setattr(Recaller, "recall", refuse)
        found = memory.recall(message, now=NOW)
        assert (found.results, found.context, found.tokens) == ((), "", 0)
        assert found.notes == ("Small talk: nothing was searched.",)
        with pytest.raises(AssertionError, match="looked for"):
            memory.recall("Who is nice?")


@pytest.mark.parametrize("message", ["thanks, and where is the opera?", "opera", "Ines?"])
def test_what_has_content_is_looked_for(filled: Memory, message: str) -> None:
    assert hits(filled, message)
