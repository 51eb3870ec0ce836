"""Days are the user's days: in recall, in the palace, and in the block for a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest

from ricordo import mcp
from ricordo.assistants.hooks import Asked, opening, reminding
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.mcp import calls
from ricordo.mcp.context import opening_context
from ricordo.settings import Settings, is_zone
from stores import connect

DONE = {9: "mended the canoe", 10: "painted the porch", 11: "sharpened the chisel", 12: "pruned the quince"}
AUCKLAND, ANGELES = "Pacific/Auckland", "America/Los_Angeles"


@contextmanager
def diary(settings: Settings, zone: str, hour: int, vectors: bool = False) -> Iterator[Memory]:
    """What was done on four days, each told at this hour of the zone."""
    with Memory(settings=replace(settings, user="ola"), background=False) as memory:
        for day, did in DONE.items():
            at = datetime(2026, 3, day, hour, 30, tzinfo=ZoneInfo(zone))
            memory.mine([{"name": "Ola", "content": f"I {did}.", "at": at}], conversation=f"c{day}")
        if vectors:
            memory.embed_pending()
        yield memory


async def _itself(memory: Memory) -> Any:
    return memory._inner


def first(memory: Memory, question: str, now: datetime) -> str:
    results = memory.recall(question, now=now, top_k=3).results
    return results[0].text if results else ""


def test_the_day_that_is_asked_for_comes_first(with_vectors: Settings) -> None:
    now = datetime(2026, 3, 12, 20, tzinfo=UTC)  # a Thursday
    asked = {
        "What did I do today?": 12,
        "What have I done this morning?": 12,
        "Was habe ich heute gemacht?": 12,
        "Qu'est-ce que j'ai fait hier ?": 11,
        "What did I do yesterday?": 11,
        "Was habe ich gestern gemacht?": 11,
        "What did I do the day before yesterday?": 10,
        "What did I do on 9 March?": 9,
        "What did I do on Tuesday?": 10,
        "What happened on 2026-03-11?": 11,
    }
    with diary(with_vectors, "UTC", 9, vectors=True) as memory:
        found = {question: first(memory, question, now) for question in asked}
    assert found == {question: f"I {DONE[day]}." for question, day in asked.items()}


def test_this_week_comes_before_last_week(with_vectors: Settings) -> None:
    with diary(with_vectors, "UTC", 9, vectors=True) as memory:
        monday = datetime(2026, 3, 16, 20, tzinfo=UTC)
        memory.mine(
            [{"name": "Ola", "content": "I oiled the gate.", "at": monday - timedelta(hours=8)}], conversation="x"
        )
        memory.embed_pending()
        assert first(memory, "What did I do this week?", monday) == "I oiled the gate."
        assert "gate" not in first(memory, "What did I do last week?", monday)


@pytest.mark.parametrize(("zone", "hour"), [(AUCKLAND, 9), (ANGELES, 19), ("Asia/Kathmandu", 2), ("Asia/Kolkata", 23)])
@pytest.mark.parametrize("told_by", ["now", "setting", "process"])
def test_today_is_the_day_of_the_users_zone(settings: Settings, zone: str, hour: int, told_by: str) -> None:
    process = replace(settings, time_zone=zone if told_by == "process" else None)
    with diary(process, zone, hour) as memory:
        if told_by == "setting":
            memory.settings.update(time_zone=zone)
        now = datetime(2026, 3, 12, hour, 50, tzinfo=ZoneInfo(zone))
        asked = now if told_by == "now" else now.astimezone(UTC)
        assert first(memory, "What did I do today?", asked) == "I pruned the quince."
        assert first(memory, "What did I do yesterday?", asked) == "I sharpened the chisel."
        recalled = memory.recall("quince", now=asked)
        assert f'at="2026-03-12 {hour:02}:30"' in recalled.context
        assert recalled.results[0].at == datetime(2026, 3, 12, hour, 30, tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize("zone", [AUCKLAND, ANGELES, "Asia/Kolkata", "UTC"])
@pytest.mark.parametrize("told", ["8 March", "March 8, 2026", "2026-03-08", "Sunday"])
def test_a_date_is_a_day_of_the_users_zone_to_its_first_and_last_minute(
    settings: Settings, zone: str, told: str
) -> None:
    minutes = {"swept": (8, 0, 6), "baked": (7, 23, 53), "tuned": (9, 0, 12), "mowed": (8, 23, 58)}
    with Memory(settings=replace(settings, user="ola"), background=False) as memory:
        memory.settings.update(time_zone=zone)
        for did, (day, hour, minute) in minutes.items():
            at = datetime(2026, 3, day, hour, minute, tzinfo=ZoneInfo(zone))
            memory.mine([{"name": "Ola", "content": f"I {did} it.", "at": at.astimezone(UTC)}], conversation=did)
        now = datetime(2026, 3, 12, 12, tzinfo=ZoneInfo(zone))
        results = memory.recall(f"What did I do on {told}?", now=now, top_k=2).results
        assert {each.text for each in results} == {"I swept it.", "I mowed it."}


@pytest.mark.parametrize(("zone", "hour", "part"), [(AUCKLAND, 9, "morning"), (ANGELES, 19, "evening")])
def test_the_palace_shows_the_users_days(settings: Settings, zone: str, hour: int, part: str) -> None:
    with Memory(settings=replace(settings, user="ola"), background=False) as memory:
        memory.settings.update(time_zone=zone)
    with diary(settings, zone, hour) as memory:
        [wing] = memory.palace.wings().items
        names = {room.name for room in memory.palace.rooms(wing.pointer).items}
        assert names == {f"2026-03-{day:02} {part} session" for day in DONE}
        assert "@t 2026-03-12" in memory.recall("quince").results[0].tags
        bars = memory.palace.histogram("day").bars
        assert [(each.start.day, each.start.hour, each.drawers) for each in bars] == [(day, 0, 1) for day in DONE]
        months = memory.palace.histogram("month").bars
        assert [(each.start.isoformat()[:10], each.drawers) for each in months] == [("2026-03-01", 4)]


def test_whatever_is_shown_to_a_model_has_the_users_days(with_vectors: Settings) -> None:
    """The same turn is not of two days, in whatever tool, hook or block it stands."""
    zone = ZoneInfo("Pacific/Kiritimati")  # a day ahead of UTC for most of a day
    with Memory(settings=replace(with_vectors, user="ola"), background=False) as memory:
        memory.settings.update(time_zone=zone.key)
        at = datetime(2026, 3, 11, 20, tzinfo=UTC)
        turns = [{"name": "Ola", "content": "I pruned the quince tree.", "at": at}]
        memory.mine(turns, conversation="garden", project="garden")
        memory.agents.create("mcp")
        memory.notes.create("Quince jam needs sugar.")
        journal = memory.journal.save("mcp", "Spoke of quinces.").memory
        assert journal is not None
        caller = mcp.Caller(partial(_itself, memory), "mcp")

        def call(tool: str, **arguments: Any) -> str:
            return str(memory._call(calls.call, caller, tool, arguments))

        day, today = "2026-03-12", f"{journal.created_at.astimezone(zone):%Y-%m-%d}"
        for shown in (
            call("recall", query="quince tree"),
            call("recall", query="quince tree", max_tokens=200),
            call("show", pointer="W-001/R-01"),
            call("palace_tree"),
            memory._call(opening_context, caller),
        ):
            assert day in shown and "2026-03-11" not in shown, shown
        assert f'at="{today}' in call("search_memories", query="jam")
        assert f"- [{today}] Spoke of quinces." in (memory.journal.context("mcp") or "")
        memory.embed_pending()
        asked = Asked(prompt="Did I prune the quince tree?", session="s", project="garden")
        hits = memory._call(reminding, asked, memory._inner, "mcp")
        assert [f"{each.at:%Y-%m-%d %H:%M}" for each in hits] == ["2026-03-12 10:00"]
        begun = memory._call(opening, asked, memory._inner, "mcp")
        assert "latest first, 2026-03-12" in begun.context and "2026-03-11" not in begun.context


@pytest.mark.parametrize(("zone", "day"), [(None, "2026-03-11"), (AUCKLAND, "2026-03-12"), (ANGELES, "2026-03-11")])
def test_costs_are_counted_by_the_users_days(settings: Settings, zone: str | None, day: str) -> None:
    with Memory(settings=replace(settings, user="ola"), background=False) as memory:
        memory.settings.update(time_zone=zone)
        with connect(settings) as owner:
            owner.execute(
                "INSERT INTO model_calls (user_id, id, source, model, began_at, cost, held, outcome) "
                "VALUES (%s, gen_random_uuid(), 'memory_qa', 'm', '2026-03-11T20:00:00Z', 1, 1, 'answered')",
                [memory.user_id],
            )
        assert [each.name for each in memory.usage.report("day").rows] == [day]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"])
def test_a_zone_whose_clock_is_beyond_the_calendar_breaks_nothing(settings: Settings, zone: str) -> None:
    first_ever, last_ever = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    with Memory(settings=replace(settings, user="ola"), background=False) as memory:
        for set_first in (False, True):
            if set_first:
                memory.settings.update(time_zone=zone)
            turn = [{"name": "Ola", "content": f"The zebra is old, {set_first}.", "at": first_ever}]
            assert memory.mine(turn, conversation=str(set_first)).stored == 1
        for question in ("zebra", "What did I say today?", "What was the first thing I said?", "zebra in the year 1"):
            for now in (first_ever, last_ever, None):
                memory.recall(question, now=now)
        assert len(memory.recall("zebra", as_of=last_ever, until=last_ever, since=first_ever)) == 2
        for by in ("day", "week", "month", "year"):
            assert sum(each.drawers for each in memory.palace.histogram(by).bars) == 2
        assert "zebra" in str(memory._call(opening_context, mcp.Caller(partial(_itself, memory), "mcp")))
        assert memory.entries.forget_all(since=first_ever, until=last_ever, dry_run=True).memories == {"drawer": 2}


def test_the_zone_of_now_comes_before_that_of_the_process_unless_it_is_utc(settings: Settings) -> None:
    with diary(replace(settings, time_zone="UTC"), AUCKLAND, 9) as memory:
        now = datetime(2026, 3, 12, 20, tzinfo=ZoneInfo(AUCKLAND))
        assert first(memory, "What did I do today?", now) == "I pruned the quince."
        memory.settings.update(time_zone="UTC")
        assert first(memory, "What did I do today?", now) != "I pruned the quince."


def test_a_day_of_23_hours_is_one_bar(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ola", time_zone="Europe/Berlin"), background=False) as memory:
        for day in (28, 29, 30):  # the clocks go forward on the 29th
            at = datetime(2026, 3, day, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))
            memory.mine([{"content": f"Day {day}.", "at": at}], conversation=f"c{day}")
        assert [(each.start.day, each.drawers) for each in memory.palace.histogram("day").bars] == [
            (28, 1),
            (29, 1),
            (30, 1),
        ]


def test_the_zone_comes_from_tz_and_a_wrong_name_is_refused(settings: Settings) -> None:
    assert Settings.from_environment({"TZ": ":Europe/Berlin", "HOME": "/"}).time_zone == "Europe/Berlin"
    assert Settings.from_environment({"TZ": "CET-1CEST", "HOME": "/"}).time_zone is None
    assert Settings.from_environment({"RICORDO_TIME_ZONE": "UTC", "TZ": ANGELES, "HOME": "/"}).time_zone == "UTC"
    with pytest.raises(InvalidInput, match="time_zone: 'Berlin' is not an IANA time zone"):
        replace(settings, time_zone="Berlin")
    with Memory(settings=settings, background=False) as memory:
        with pytest.raises(InvalidInput, match="time_zone: must be an IANA time zone such as Europe/Berlin"):
            memory.settings.update(time_zone="Mars")
        assert memory.settings.update(time_zone=ANGELES).time_zone == ANGELES
        assert memory.settings.update(time_zone=None).time_zone is None


def test_the_store_knows_every_time_zone_that_may_be_chosen(settings: Settings) -> None:
    with connect(settings) as owner:
        known = {name for (name,) in owner.execute("SELECT name FROM pg_timezone_names")}
    assert {name for name in (*available_timezones(), "localtime") if is_zone(name)} <= known
