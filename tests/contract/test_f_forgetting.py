"""F7: forgetting many memories at once, by whatever names them: a dry run counts, one receipt, nothing is left."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from commands import in_process
from consistency import inconsistencies
from http_server import running
from mcp_clients import on_http
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound
from ricordo.settings import Settings
from stores import connect

#: What only one conversation says, in its texts, its title, its project and its speaker.
SECRET = "quuxberry"


@pytest.fixture
def ada(with_vectors: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        yield memory


def _talk(about: str, day: int, turns: int = 6) -> list[dict[str, str]]:
    """A conversation in which everything says what it is about."""
    start = datetime(2026, 3, day, 12, tzinfo=UTC)
    return [
        {
            "role": "user" if number % 2 == 0 else "assistant",
            "name": f"{about.title()} Smith" if number % 2 == 0 else "Bot",
            "content": f"The {about} harvest number {number} grows behind the {about} barn of Mr. {about.title()}son.",
            "at": (start + timedelta(minutes=number)).isoformat(),
        }
        for number in range(turns)
    ]


def _plant(ada: Memory) -> dict[str, str]:
    """Three conversations, of which the first alone says the secret; returns their pointers."""
    pointers = {}
    for day, about in enumerate((SECRET, "walnut", "apricot"), 1):
        receipt = ada.mine(
            _talk(about, day), conversation=f"about {about}", title=f"My {about} farm", project=f"{about} project"
        )
        pointers[about] = receipt.pointer or ""
    ada.embed_pending()
    return pointers


def _require_gone(ada: Memory, settings: Settings, left: int = 2) -> None:
    """Nothing of the secret is anywhere, and the other conversations are as they were."""
    assert ada.audit.absent(SECRET).absent, ada.audit.absent(SECRET).found
    with connect(settings) as owner:
        assert inconsistencies(owner) == []
    assert ada.audit.verify().intact
    assert len(ada.palace.wings().items) == left
    assert len(ada.palace.tree()) == left
    rooms = [room for each in ada.palace.tree() for room in each.rooms]
    overview, talks = ada.activity.overview(), ada.palace.conversations()
    assert (overview.turns, overview.conversations) == (sum(each.drawers for each in rooms), len(talks))
    assert overview.first_at == min(each.started_at for each in rooms)
    assert {room.pointer for room in rooms} >= {each.pointer for each in talks}
    assert all(
        SECRET not in repr(each) for each in (ada.palace.speakers(), ada.palace.histogram(), ada.entities.list())
    )
    assert not ada.recall(f"{SECRET} barn").results or SECRET not in repr(ada.recall(f"{SECRET} barn").results)
    assert "walnut" in repr(ada.recall("walnut barn").results)


def _by_room(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    return {"what": [pointers[SECRET]]}


def _by_wing(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    return {"what": [pointers[SECRET].partition("/")[0]]}


def _by_turns(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    return {"what": [each.pointer for each in ada.palace.show(pointers[SECRET])]}


def _by_ids(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    return {"what": [str(each.id) for each in ada.palace.show(pointers[SECRET])]}


def _by_conversation(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    return {"conversation": f"about {SECRET}"}


def _by_conversations_id(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    again = ada.mine(_talk(SECRET, 1), conversation=f"about {SECRET}")
    return {"what": [str(again.id)]}


def _by_time(ada: Memory, pointers: dict[str, str]) -> dict[str, Any]:
    return {"since": datetime(2026, 3, 1, tzinfo=UTC), "until": datetime(2026, 3, 2, tzinfo=UTC)}


WAYS = (_by_room, _by_wing, _by_turns, _by_ids, _by_conversation, _by_conversations_id, _by_time)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__[4:])
def test_f7_everything_named_is_gone_with_one_receipt(ada: Memory, with_vectors: Settings, way: Any) -> None:
    named = way(ada, _plant(ada))
    counted = ada.entries.forget_all(**named, dry_run=True)
    assert (counted.done, counted.dry_run, counted.memories, counted.conversations) == (False, True, {"drawer": 6}, 1)
    assert not ada.audit.absent(SECRET).absent
    receipt = ada.entries.forget_all(**named, reason="asked for")
    assert (receipt.done, receipt.memories, receipt.conversations) == (True, {"drawer": 6}, 1)
    assert set(receipt.checked.values()) == {0} and receipt.removed["postings"] > 0
    assert (receipt.removed["rooms"], receipt.removed["conversations"], receipt.removed["wings"]) == (1, 1, 1)
    _require_gone(ada, with_vectors)
    forgets = ada.activity.list(["memory_forgotten"]).items
    assert [each.payload["memories"] for each in forgets] == [6]


def test_f7_one_import_goes_and_what_others_brought_stays(ada: Memory, with_vectors: Settings, tmp_path: Path) -> None:
    def chat(about: str, turns: int, day: int) -> Path:
        path = tmp_path / f"{about}-{turns}.json"
        path.write_text(json.dumps({"id": f"about {about}", "messages": _talk(about, day, turns)}))
        return path

    first = ada.import_chats([chat("walnut", 4, 1), chat("apricot", 4, 2)])
    second = ada.import_chats([chat("walnut", 6, 1), chat(SECRET, 6, 3)])
    assert first.id is not None and second.id is not None
    assert [(each.id, each.turns, each.conversations) for each in ada.palace.imports()] == [
        (second.id, 8, 2), (first.id, 8, 2),
    ]  # fmt: skip
    counted = ada.entries.forget_all(import_id=second.id, dry_run=True)
    assert counted.memories == {"drawer": 8}
    ada.entries.forget_all(import_id=second.id)
    _require_gone(ada, with_vectors)
    [walnut] = [each for each in ada.palace.tree() if "alnut" in each.name]
    said = [each.text for each in ada.palace.show(walnut.rooms[0].pointer)]
    assert [text == "[redacted]" for text in said] == [False] * 4 + [True] * 2
    assert [each.turns for each in ada.palace.imports()] == [0, 8]


def test_f7_a_source_or_a_time_takes_memories_of_every_kind(ada: Memory, with_vectors: Settings) -> None:
    ada.agents.create("coder")
    [profile] = ada.profiles.list("coder")
    ada.entries.write(profile.id, f"{SECRET} entry", source="tool")
    ada.entries.write(profile.id, "kept entry", source="agent")
    ada.journal.save("coder", f"{SECRET} journal", source="tool")
    ada.notes.create(f"{SECRET} note", source="tool", tags=[SECRET])
    ada.mine(_talk(SECRET, 1), conversation="a talk", source="tool")
    ada.embed_pending()
    ada.settings.update(review="tools")
    ada.entries.write(profile.id, f"{SECRET} held", source="tool")
    expected = {"drawer": 6, "entry": 1, "journal": 1, "note": 1, "held": 1}
    assert ada.entries.forget_all(source="tool", dry_run=True).memories == expected
    receipt = ada.entries.forget_all(source="tool")
    assert receipt.memories == expected and set(receipt.checked.values()) == {0}
    assert ada.review.list() == []
    assert ada.audit.absent(SECRET).absent
    assert [each.content for each in ada.entries.read(profile.id)] == ["kept entry"]
    assert ada.entries.forget_all(since=datetime.now(UTC) - timedelta(hours=1), kinds=["entry"]).memories == {
        "entry": 1
    }
    with connect(with_vectors) as owner:
        assert inconsistencies(owner) == []


def test_f7_a_forgotten_conversation_is_recognized_and_its_new_turns_are_shown(ada: Memory) -> None:
    pointers = _plant(ada)
    ada.entries.forget_all([pointers[SECRET]])
    for gone in (pointers[SECRET], pointers[SECRET].partition("/")[0]):
        with pytest.raises(NotFound):
            ada.palace.show(gone)
    again = ada.mine(_talk(SECRET, 1), conversation=f"about {SECRET}")
    assert (again.stored, again.duplicates) == (0, 6)
    assert again.reason == "6 turns were forgotten here and stay so"
    more = ada.mine([*_talk(SECRET, 1), {"role": "user", "content": "Something else."}], conversation=f"about {SECRET}")
    assert (more.stored, more.reason) == (1, "6 turns were forgotten here and stay so")
    assert ada.palace.show(more.pointer or "")[-1].text == "Something else."


def test_f7_what_was_forgotten_is_not_called_stored_when_it_comes_again(ada: Memory) -> None:
    def talk(city: str) -> list[dict[str, str]]:
        return [
            {"role": "user", "content": f"I live in {city}.", "id": "m1"},
            {"role": "assistant", "content": "Nice."},
        ]

    first = ada.mine(talk("Oslo"), conversation="c")
    ada.entries.forget(ada.palace.show(first.pointer or "")[0].id)
    for city in ("Oslo", "Rome"):
        again = ada.mine(talk(city), conversation="c")
        assert (again.status, again.duplicates) == ("duplicate", 2)
        assert again.reason == "1 turn was forgotten here and stays so; all others were already stored"
        assert ada.audit.absent(city).absent


def test_f7_a_date_that_ends_a_period_is_in_it_through_every_interface(
    ada: Memory, with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for day in (8, 9, 10, 11):
        turn = {"role": "user", "content": f"Walrus {day}.", "at": f"2026-03-{day:02}T23:30:00Z"}
        ada.mine([turn], conversation=f"walrus {day}")
    run = in_process(replace(with_vectors, user="ada"), monkeypatch, capsys)
    period = ("--since", "2026-03-09", "--until", "2026-03-10")
    assert run("memory", "forget", *period, "--dry-run", "--json").json["memories"] == {"drawer": 2}
    assert len(run("recall", "walrus", *period, "--json").json["results"]) == 2
    dates = {"since": "2026-03-09", "until": "2026-03-10"}
    with running(with_vectors) as server:
        forgotten = server.ask("POST", "/v1/forget", {**dates, "dry_run": True})
        assert forgotten.json()["memories"] == {"drawer": 2}
        assert len(server.ask("POST", "/v1/recall", {"question": "walrus", **dates}).json()["results"]) == 2
        bars = server.ask("GET", "/v1/palace/histogram", params=dates).json()["bars"]
        assert [each["drawers"] for each in bars] == [1, 1]


def test_f7_a_period_that_ends_before_it_begins_is_refused_wherever_one_is_taken(ada: Memory) -> None:
    period = {"since": datetime(2026, 3, 2, tzinfo=UTC), "until": datetime(2026, 3, 1, tzinfo=UTC)}
    recall = partial(ada.recall, "walrus")
    for taker in (ada.entries.forget_all, ada.activity.list, ada.usage.report, ada.palace.histogram, recall):
        with pytest.raises(InvalidInput, match=r"since: .* is after until"):
            taker(**period)


def test_f7_nothing_named_or_unknown_is_refused(ada: Memory) -> None:
    _plant(ada)
    with pytest.raises(InvalidInput, match="what"):
        ada.entries.forget_all()
    for unknown in (str(uuid4()), "W-077", "W-001/R-99"):
        with pytest.raises(NotFound):
            ada.entries.forget_all([unknown])
    with pytest.raises(InvalidInput, match="pointer"):
        ada.entries.forget_all(["the farm"])
    assert not ada.entries.forget_all(source="nowhere").done
    assert len(ada.palace.tree()) == 3


def test_f7_an_agent_forgets_nothing_out_of_its_reach(ada: Memory) -> None:
    for name in ("coder", "writer"):
        ada.agents.create(name)
        ada.journal.save(name, f"of {name}")
    ada.entries.forget_all(since=datetime.now(UTC) - timedelta(hours=1), agent="coder")
    assert [len(ada.journal.list(name)) for name in ("coder", "writer")] == [0, 1]
    hidden = str(ada.journal.list("writer")[0].id)
    with pytest.raises(NotFound):
        ada.entries.forget_all([hidden], agent="coder")


def test_f7_through_the_command_http_and_mcp(
    ada: Memory, with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pointers = _plant(ada)
    run = in_process(replace(with_vectors, user="ada"), monkeypatch, capsys)
    assert "6 turns of 1 conversation" in run("memory", "forget", pointers["walnut"], "--dry-run").out
    assert "1 turn of" in run("memory", "forget", f"{pointers['walnut']}/D-001").out
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    assert "nothing was changed" in run("memory", "forget", pointers["walnut"]).err
    assert len(ada.palace.tree()) == 3
    assert "Forgot 5 turns" in run("memory", "forget", pointers["walnut"], "--yes").out
    assert len(ada.palace.tree()) == 2
    with running(with_vectors) as server:
        counted = server.post("/v1/forget", {"what": [pointers["apricot"]], "dry_run": True})
        assert counted["memories"] == {"drawer": 6}
        assert server.post("/v1/forget", {"conversation": "about apricot"})["done"]
        assert len(server.get("/v1/palace/wings")["items"]) == 1
        asyncio.run(_over_mcp(f"{server.url}/mcp", server.token, pointers[SECRET].partition("/")[0]))
    assert ada.audit.absent(SECRET).absent
    assert ada.palace.tree() == []


async def _over_mcp(url: str, token: str, wing: str) -> None:
    async with on_http(url, token) as call:
        assert "6 drawer" in await call("forget", id=wing, dry_run=True)
        assert "Forgotten" in await call("forget", id=wing)
