"""Walking through the palace branch by branch (C1, C10), a drawer in its conversation, and when things were said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound
from talks import BATTERY, LISBON

_BEGIN = datetime(2026, 3, 1, 18, tzinfo=UTC)


def _talk(turns: int, days: int) -> list[dict[str, Any]]:
    """A talk with a turn every so many days."""
    return [
        {"role": "user", "name": "Ada", "content": f"Turn {number}.", "at": _BEGIN + timedelta(days=days * number)}
        for number in range(turns)
    ]


def test_c1_the_branches_of_the_palace_are_its_tree(memory: Memory) -> None:
    memory.mine(BATTERY, conversation="b", title="Battery talk")
    memory.mine(LISBON, conversation="l", title="Lisbon trip")
    memory.mine(_talk(5, 9), conversation="r", title="Rowing")
    walked = []
    for wing in _all(memory.palace.wings, order="name"):
        rooms = list(reversed(_all(memory.palace.rooms, wing.pointer)))
        for room in rooms:
            closets = _all(memory.palace.closets, room.pointer)
            drawers = _all(memory.palace.drawers, room.pointer)
            assert drawers == memory.palace.show(room.pointer)
            for closet in closets:
                inside = _all(memory.palace.drawers, room.pointer, closet.number)
                assert inside == _all(memory.palace.drawers, room.pointer, closet.name)
                assert inside == [each for each in drawers if each.closet == closet.name]
            rooms[rooms.index(room)] = room.model_copy(update={"closets": tuple(closets)})
        walked.append(wing.model_copy(update={"rooms": tuple(rooms)}))
    assert walked == sorted(memory.palace.tree(), key=lambda each: each.name.lower())
    assert [each.room_count for each in walked] == [len(each.rooms) for each in walked]


def _all(method: Any, *arguments: Any, **options: Any) -> list[Any]:
    """Everything that a list has, in pages of one."""
    found: list[Any] = []
    cursor = None
    while True:
        page = method(*arguments, limit=1, cursor=cursor, **options)
        found += page
        cursor = page.cursor
        if cursor is None:
            return found


def test_c1_wings_come_in_the_order_that_is_asked_for(memory: Memory) -> None:
    memory.mine(LISBON, conversation="l", title="Lisbon trip")
    memory.mine(BATTERY, conversation="b", title="Battery talk")
    memory.mine(_talk(9, 0), conversation="a", title="Rowing")
    wings = {order: [each.name for each in memory.palace.wings(order=order).items] for order in ("newest", "name")}  # type: ignore[arg-type]
    assert wings["newest"][0] == "Lisbon"
    assert wings["name"] == sorted(wings["name"])
    assert memory.palace.wings(order="largest").items[0].drawers == 9
    assert [each.name for each in memory.palace.wings(search="BATT").items] == ["Battery"]
    assert memory.palace.wings(search="%").items == ()
    for cursor in ("x", "-1", "9" * 30, "999"):
        with pytest.raises(InvalidInput, match="invalid cursor"):
            memory.palace.wings(cursor=cursor)


def test_c10_a_drawer_stands_in_its_conversation_across_rooms(memory: Memory) -> None:
    memory.mine(_talk(5, 9), conversation="r", title="Rowing")
    memory.mine(BATTERY, conversation="b", title="Rowing")
    rooms = memory.palace.rooms("Rowing").items
    middle = next(
        each for room in rooms for each in memory.palace.drawers(room.pointer).items if each.text == "Turn 2."
    )
    shown = memory.palace.around(middle.pointer, before=1, after=2).items
    assert [each.text for each in shown] == ["Turn 1.", "Turn 2.", "Turn 3.", "Turn 4."]
    assert [each.text for each in memory.palace.around(middle.pointer, before=0, after=0).items] == ["Turn 2."]
    assert len(memory.palace.around(middle.pointer, before=100, after=100).items) == 5
    with pytest.raises(InvalidInput, match="is not a drawer"):
        memory.palace.around(rooms[0].pointer)
    with pytest.raises(NotFound):
        memory.palace.around("W-1/R-1/D-99")
    assert [each.action for each in memory.audit.of_memory(shown[0].id)] == ["read", "read"]


def test_c10_a_histogram_counts_every_turn_once_without_gaps(memory: Memory) -> None:
    assert memory.palace.histogram().bars == ()
    memory.mine(_talk(5, 9), conversation="r", title="Rowing")
    days = memory.palace.histogram()
    assert (days.by, len(days.bars), sum(each.drawers for each in days.bars)) == ("day", 37, 5)
    assert memory.palace.histogram("week").bars[0].start == datetime(2026, 2, 23, tzinfo=UTC)
    assert [each.drawers for each in memory.palace.histogram("month").bars] == [4, 1]
    memory.mine(
        [{"role": "assistant", "content": "Old.", "at": "1990-12-31T23:30:00-01:00"}], conversation="o", title="Sailing"
    )
    years = memory.palace.histogram()
    assert (years.by, years.bars[0].start.year, years.bars[-1].start.year, len(years.bars)) == ("year", 1991, 2026, 36)
    assert [each.drawers for each in memory.palace.histogram("year", speaker="ada").bars] == [5]
    assert [each.drawers for each in memory.palace.histogram("year", speaker="assistant", wing="Sailing").bars] == [1]
    assert sum(each.drawers for each in memory.palace.histogram(since=_BEGIN + timedelta(days=18)).bars) == 3
    assert sum(each.drawers for each in memory.palace.histogram(until=_BEGIN + timedelta(days=18)).bars) == 3
    with pytest.raises(NotFound):
        memory.palace.histogram(wing="nowhere")


def test_c10_a_histogram_of_days_over_two_thousand_years_is_refused(memory: Memory) -> None:
    talk = [{"role": "user", "content": "Ave.", "at": f"{year}-01-01T00:00:00Z"} for year in ("0001", "2026")]
    memory.mine(talk, conversation="c", title="Rome")
    assert len(memory.palace.histogram().bars) == 2_026
    with pytest.raises(InvalidInput, match="more than 10,000 days"):
        memory.palace.histogram("day")


def test_c10_days_and_speakers_are_counted_alike_however_a_talk_comes_in(memory: Memory) -> None:
    name = "Ada\U0001f600" * 50
    talk = [
        {"role": role, "name": who, "content": f"Turn {number}.", "at": _BEGIN + timedelta(hours=5 * number)}
        for number, (role, who) in enumerate([("user", name), ("assistant", "Bot"), ("user", name), ("user", "Bo")] * 3)
    ]
    memory.mine(talk, conversation="whole", title="Rowing")
    whole = memory.palace.histogram("day"), memory.palace.speakers()
    for end in range(1, len(talk) + 1):
        memory.mine(talk[:end], conversation="piece by piece", title="Rowing")
    days, speakers = memory.palace.histogram("day"), memory.palace.speakers()
    assert [each.drawers for each in days.bars] == [2 * each.drawers for each in whole[0].bars]
    assert days == memory.palace.histogram("day", since=_BEGIN - timedelta(days=1))
    told = [(each.name, each.drawers) for each in speakers]
    assert told == [(each.name, 2 * each.drawers) for each in whole[1]]
    assert [count for _, count in told] == [12, 6, 6], told
    memory.entries.redact(memory.palace.show("W-1/R-1/D-1")[0].id)
    assert (memory.palace.histogram("day"), memory.palace.speakers()) == (days, speakers)


def test_c10_speakers_are_named_once_and_whoever_says_most_comes_first(memory: Memory) -> None:
    memory.mine(BATTERY, conversation="b", title="Battery talk")
    memory.mine([{"role": "user", "name": "ADA", "content": "Once more."}], conversation="c", title="Rowing")
    told = [(each.name.lower(), each.drawers) for each in memory.palace.speakers()]
    assert told == [("ada", 3), ("assistant", 2)]
    assert [each.drawers for each in memory.palace.speakers("Rowing")] == [1]
    assert len(memory.palace.speakers(limit=1)) == 1
    with pytest.raises(NotFound):
        memory.palace.speakers("Nowhere")


def test_c1_conversations_are_listed_with_where_they_are_newest_first(memory: Memory) -> None:
    memory.mine(BATTERY, conversation="b", title="Battery talk")
    memory.mine(_talk(5, 9), conversation="r")
    memory.mine(LISBON, conversation="l", title="Lisbon trip")
    lisbon, rowing, battery = memory.palace.conversations()
    assert (battery.conversation, battery.title, battery.turns) == ("b", "Battery talk", len(BATTERY))
    assert (lisbon.conversation, lisbon.turns) == ("l", len(LISBON))
    # One without a title is called as its first room is; a pause of nine days begins another room.
    [*rooms] = [room for wing in memory.palace.tree() for room in wing.rooms if room.started_at >= _BEGIN]
    first = min((room for room in rooms if room.pointer >= rowing.pointer), key=lambda room: room.started_at)
    assert (rowing.title, rowing.pointer, rowing.turns) == (first.name, first.pointer, 5)
    assert rowing.ended_at - rowing.started_at == timedelta(days=36)
    for each in (lisbon, rowing, battery):
        assert memory.palace.show(each.pointer)[0].conversation == each.conversation
        assert each.wing in [wing.name for wing in memory.palace.wings().items]
    assert memory.palace.conversations(["b", "nowhere"]) == [battery]
    assert memory.palace.conversations(limit=1) == [lisbon]
    assert memory.palace.conversations([]) == []
    with pytest.raises(InvalidInput):
        memory.palace.conversations(limit=0)
