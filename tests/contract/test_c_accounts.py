"""C9 and C12: what a user chooses, and the record of what happened."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from commands import Command, in_process
from models import OTHER
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Event, UnreadTurns, UserSettings
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return in_process(replace(settings, user="ada"), monkeypatch, capsys)


def events(memory: Memory, *types: str, **filters: Any) -> list[Event]:
    return list(memory.activity.list(types or None, **filters))


# --- C9: settings ---


def test_c9_settings_have_the_defaults_of_the_seed(memory: Memory) -> None:
    assert memory.settings.get() == UserSettings()
    assert memory.settings.get().model_dump() == {
        "enabled": True,
        "top_k": 5,
        "rerank": False,
        "rerank_model": None,
        "extract_model": None,
        "embedding_model": None,
        "auto_mine": True,
        "cap_conversation": None,
        "cap_month": None,
        "secrets": "store",
        "personal_data": "store",
        "review": "nothing",
        "across_projects": "personal",
        "time_zone": None,
    }


def test_c9_what_is_chosen_stays_and_is_each_users_own(memory: Memory, settings: Settings) -> None:
    chosen = memory.settings.update(top_k=8, rerank=True, rerank_model="small-reader", cap_month="2.50")
    assert (chosen.top_k, chosen.rerank, chosen.rerank_model, chosen.cap_month) == (
        8,
        True,
        "small-reader",
        Decimal("2.5"),
    )
    assert memory.settings.update(cap_month=None).cap_month is None
    with (
        Memory(settings=replace(settings, user="ada")) as again,
        Memory(settings=replace(settings, user="bob")) as other,
    ):
        assert again.settings.get() == chosen.model_copy(update={"cap_month": None})
        assert other.settings.get() == UserSettings()
    assert memory.settings.reset() == memory.settings.get() == UserSettings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("enabled", "yes"),
        ("top_k", 0),
        ("top_k", 1001),
        ("top_k", True),
        ("top_k", 2.5),
        ("rerank_model", ""),
        ("extract_model", "a\x00b"),
        ("embedding_model", "of-another-space"),
        ("cap_month", -1),
        ("cap_month", float("nan")),
        ("cap_conversation", "much"),
    ],
)
def test_c9_a_wrong_value_is_named_and_nothing_is_changed(memory: Memory, name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.settings.update(auto_mine=False, **{name: value})
    assert caught.value.field == name
    assert memory.settings.get() == UserSettings()
    with pytest.raises(InvalidInput, match="unknown setting"):
        memory.settings.update(topk=3)


def test_c9_only_embedding_models_that_go_with_the_stores_vectors_can_be_chosen(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        assert memory.settings.update(embedding_model="all-MiniLM-L6-v2").embedding_model == "all-MiniLM-L6-v2"
        assert memory.settings.update(embedding_model=OTHER).embedding_model == OTHER
        with pytest.raises(InvalidInput, match=rf"all-MiniLM-L6-v2, {OTHER}"):
            memory.settings.update(embedding_model="text-embedding-3-small")
        memory.mine(BATTERY, conversation="talk")
        memory.embed_pending()
        assert memory.vectors().model == OTHER  # the user's choice goes before what the process prefers
        with pytest.raises(InvalidInput, match="ricordo reembed --model all-MiniLM-L6-v2"):
            memory.settings.update(embedding_model="all-MiniLM-L6-v2")
        assert memory.settings.update(embedding_model=OTHER).embedding_model == OTHER


def test_c9_recall_brings_back_as_many_lines_as_are_chosen(memory: Memory) -> None:
    memory.mine([{"role": "user", "content": f"Battery number {index}"} for index in range(20)], conversation="talk")
    assert len(memory.recall("battery").results) == 5
    memory.settings.update(top_k=8)
    assert len(memory.recall("battery").results) == 8
    assert len(memory.recall("battery", top_k=2).results) == 2


def test_c9_memory_turned_off_brings_nothing_back_and_says_why(memory: Memory) -> None:
    memory.mine(BATTERY, conversation="talk")
    with Memory(settings=memory.process_settings) as elsewhere:
        elsewhere.settings.update(enabled=False)
    found = memory.recall("Lindner pack")
    assert (found.context, list(found.results)) == ("", [])
    assert any("turned off" in note for note in found.notes)
    memory.settings.update(enabled=True)
    assert memory.recall("Lindner pack").results


@pytest.mark.parametrize("choice", [{"enabled": False}, {"auto_mine": False}])
def test_c9_automatic_mining_can_be_turned_off_and_mining_by_hand_goes_on(
    memory: Memory, choice: dict[str, bool]
) -> None:
    memory.settings.update(**choice)
    refused = memory.mine(BATTERY, conversation="talk", automatic=True)
    assert (refused.status, refused.stored, refused.id) == ("rejected", 0, None)
    assert "turned off" in (refused.reason or "")
    assert memory.palace.tree() == []
    assert memory.mine(BATTERY, conversation="talk").status == "stored"
    memory.settings.reset()
    assert memory.mine(BATTERY, conversation="other", automatic=True).status == "stored"


def test_c9_an_agent_with_memory_off_is_told_nothing_and_its_talk_is_mined(memory: Memory) -> None:
    memory.agents.create("coder")
    agent = memory.agents.change("coder", memory_disabled=True)
    memory.mine(BATTERY, conversation="talk", automatic=True)
    found = memory.recall("Lindner pack", agent="coder")
    assert (found.context, list(found.results)) == ("", [])
    assert any("this agent" in note for note in found.notes)
    assert memory.recall("Lindner pack", agent=memory.agents.create("other").id).results
    memory.entries.write(memory.profiles.list(agent.id)[0].id, "JSON only")
    with memory.run("coder", "template") as run:
        assert run.prompt == "template"
    with pytest.raises(NotFound):
        memory.recall("Lindner pack", agent="nobody")


def test_c9_the_command_line_shows_and_changes_settings(run: Command) -> None:
    assert run("settings", "set", "top_k=8", "rerank=on", "cap-month=0.25", "rerank_model=7", "--json").json == {
        "enabled": True,
        "top_k": 8,
        "rerank": True,
        "rerank_model": "7",
        "extract_model": None,
        "embedding_model": None,
        "auto_mine": True,
        "cap_conversation": None,
        "cap_month": "0.25",
        "secrets": "store",
        "personal_data": "store",
        "review": "nothing",
        "across_projects": "personal",
        "time_zone": None,
    }
    assert run("settings", "set", "cap_month=none", "--json").json["cap_month"] is None
    assert "top_k             8\n" in run("settings", "show").out
    assert run("settings", "reset", "--json").json["top_k"] == 5
    wrong = run("settings", "set", "top_k=many")
    assert (wrong.code, wrong.err) == (2, "ricordo: top_k: must be a whole number, not 'many'\n")
    assert run("settings", "set", "top_k").code == 2


# --- C12: activity ---


def test_c12_mining_is_told_once_with_what_landed(memory: Memory) -> None:
    memory.mine(BATTERY, conversation="talk")
    memory.mine(BATTERY, conversation="talk")
    [event] = events(memory)
    assert (event.event, event.category, event.conversation_id) == ("memory_mined", "agent_action", "talk")
    assert event.payload == {"turns": len(BATTERY), "rooms": [1]}
    memory.mine([], conversation="empty")
    assert len(events(memory)) == 1


def test_c12_what_fails_is_not_told(memory: Memory, settings: Settings) -> None:
    with connect(settings) as owner:
        owner.execute("CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no'; END$$")
        owner.execute(
            "CREATE CONSTRAINT TRIGGER stop AFTER INSERT ON memories DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION stop()"
        )
    with pytest.raises(Exception, match="no"):
        memory.mine(BATTERY, conversation="talk")
    assert events(memory) == []


def test_c12_every_change_of_settings_is_told(memory: Memory) -> None:
    memory.settings.update(top_k=8)
    memory.settings.update(top_k=8)
    memory.settings.reset()
    assert [each.payload["changed"] for each in events(memory, "settings_changed")] == [
        {"top_k": {"from": 8, "to": 5}},
        {"top_k": {"from": 5, "to": 8}},
    ]


def test_c12_a_run_tells_what_it_was_given_and_what_it_wrote(memory: Memory) -> None:
    agent = memory.agents.create("coder")
    memory.entries.write(memory.profiles.list("coder")[0].id, "JSON only, never YAML")
    with memory.run("coder", "template", "talk-7") as run:
        run.output("node", {"__lf_memory_writes": [{"content": "The build needs Node 20"}]})
    committed, injected = events(memory, "memory_injected", "memory_committed", agent="coder")
    assert (injected.payload, committed.payload) == ({"entry_count": 1}, {"write_count": 1})
    assert {(each.agent_id, each.run_id, each.conversation_id) for each in (injected, committed)} == {
        (agent.id, run.id, "talk-7")
    }
    assert [each.event for each in memory.runs.events(run.id)] == ["memory_injected", "memory_committed"]


def test_c12_redacting_forgetting_and_expiring_are_told_whoever_does_it(memory: Memory, settings: Settings) -> None:
    agent = memory.agents.create("coder")
    profile = memory.profiles.list("coder")[0]
    first, second, third = (memory.entries.write(profile.id, f"secret {number}").id for number in range(3))
    memory.entries.redact(first, reason="secret reason")
    memory.entries.forget(second)
    with connect(settings, "ricordo_app") as app:
        app.execute(f"SET ricordo.user_id = '{_user_id(settings)}'")
        app.execute("SELECT fn_redact_memory_entry(%s)", [third])
    note = memory.notes.create(
        "secret note", retention="medium_term", expires_at=datetime.now(UTC) + timedelta(hours=1)
    ).memory
    with connect(settings) as owner:
        owner.execute("UPDATE memories SET expires_at = now() WHERE id = %s", [note.id])
    memory.notes.sweep()
    found = events(memory, "memory_redacted", "memory_forgotten", "memory_expired")
    assert [(each.event, each.category, each.payload, each.agent_id) for each in found] == [
        ("memory_expired", "system", {"memories": 1, "memory_id": str(note.id)}, None),
        ("memory_redacted", "user_action", {"memories": 1, "memory_id": str(third)}, agent.id),
        ("memory_forgotten", "user_action", {"memories": 1, "memory_id": str(second)}, agent.id),
        ("memory_redacted", "user_action", {"memories": 1, "memory_id": str(first)}, agent.id),
    ]
    assert not any("secret" in each.model_dump_json() for each in memory.activity.list())


def test_c12_proposals_and_agents_are_told(memory: Memory) -> None:
    agent = memory.agents.create("coder")
    for _ in range(2):
        memory.journal.save("coder", "The user prefers small commits with tests")
    [proposal] = memory.proposals.propose("coder")
    assert memory.proposals.propose("coder") == []
    memory.proposals.accept(proposal.id)
    memory.proposals.undo(proposal.id)
    memory.agents.change("coder", name="builder")
    memory.agents.delete("builder")
    told = [each.event for each in memory.activity.list(agent=agent.id)]
    assert told[::-1] == [
        "agent_created",
        "proposals_made",
        "proposal_accepted",
        "memory_forgotten",
        "proposal_undone",
        "agent_changed",
        "memory_forgotten",
        "agent_deleted",
    ]


def test_c12_the_list_is_filtered_and_read_page_by_page(memory: Memory) -> None:
    start = datetime.now(UTC)
    for number in range(7):
        memory.mine([{"role": "user", "content": f"turn {number}"}], conversation=f"talk-{number}")
    memory.settings.update(top_k=9)
    pages, cursor = [], None
    while True:
        page = memory.activity.list(["agent_action"], limit=3, cursor=cursor)
        pages.append([each.conversation_id for each in page])
        if (cursor := page.cursor) is None:
            break
        memory.settings.update(top_k=1 + len(pages))  # what happens meanwhile shifts nothing
    assert pages == [["talk-6", "talk-5", "talk-4"], ["talk-3", "talk-2", "talk-1"], ["talk-0"]]
    assert [each.category for each in memory.activity.list(["user_action"])] == ["user_action"] * 3
    fifth = memory.activity.list(["memory_mined"]).items[2].created_at
    assert len(events(memory, "memory_mined", since=fifth)) == 3
    assert len(events(memory, "memory_mined", until=fifth)) == 4
    assert events(memory, until=start) == []
    for wrong in ({"limit": 0}, {"cursor": "x"}, {"types": "memory_mined"}):
        with pytest.raises(InvalidInput):
            memory.activity.list(**wrong)
    with pytest.raises(InvalidInput, match=r"types: must be one of memory_mined, .*, system, not 'nope'"):
        memory.activity.list(["memory_mined", "nope"])  # type: ignore[list-item]
    assert events(memory, agent=uuid4()) == []
    with pytest.raises(NotFound):
        memory.activity.list(agent="nobody")


def test_c12_nobody_sees_what_happened_to_others_or_unsays_it(memory: Memory, settings: Settings) -> None:
    memory.mine(BATTERY, conversation="talk")
    with Memory(settings=replace(settings, user="bob")) as other:
        assert list(other.activity.list()) == []
    with connect(settings, "ricordo_app") as app:
        app.execute(f"SET ricordo.user_id = '{_user_id(settings)}'")
        for statement in ("DELETE FROM activity", "UPDATE activity SET event = 'nothing'"):
            with pytest.raises(Exception, match="permission denied"):
                app.execute(statement)


def test_c12_the_command_line_lists_what_happened(run: Command, tmp_path: Any) -> None:
    (tmp_path / "talk.md").write_text("User: Which battery?\n\nAssistant: The big one.\n")
    assert run("mine", tmp_path).code == 0
    listed = run("activity", "--json").json
    assert [each["event"] for each in listed["items"]] == ["chats_imported", "memory_mined"]
    told = listed["items"][0]["payload"]
    assert {**told, "import": None} == {
        "conversations": 1, "stored": 2, "edited": 0, "duplicates": 0, "forgotten": 0, "problems": 0, "import": None,
    }  # fmt: skip
    first = run("activity", "--limit", "1")
    cursor = first.out.split("--cursor ")[1].strip()
    assert "Conversations imported: 1 conversation, 2 new turns" in first.out
    assert "Conversation stored: " in run("activity", "--cursor", cursor).out
    assert run("activity", "--type", "settings_changed").out == ""
    refused = run("activity", "--type", "nope")
    assert refused.code == 2 and "must be one of memory_mined, " in refused.err


# --- the overview ---


def test_the_overview_counts_what_is_stored_and_what_needs_attention(settings: Settings) -> None:
    # Without workers, so that no job ends while they are counted.
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        assert memory.activity.overview().model_dump(exclude={"keywords_only"}) == {
            **dict.fromkeys(("conversations", "turns", "memories", "entities", "agents", "held"), 0),
            **dict.fromkeys(("jobs_waiting", "jobs_running", "jobs_failed", "pending"), 0),
            "first_at": None, "last_at": None, "unread": UnreadTurns().model_dump(),
        }  # fmt: skip
        memory.mine(BATTERY, conversation="b")
        with Memory(settings=replace(settings, user="bob"), background=False) as bob:
            bob.mine(BATTERY, conversation="b")
        coder = memory.agents.create("coder")
        memory.journal.save(coder.id, "Tests come first.")
        memory.settings.update(review="tools")
        memory.notes.create("The invoice is overdue", source="tool")
        with connect(settings) as owner:
            owner.execute(
                "UPDATE procrastinate_jobs SET status = 'failed' WHERE id = (SELECT min(id) FROM procrastinate_jobs "
                "WHERE status = 'todo' AND user_id = (SELECT user_id FROM users WHERE name = 'ada'))"
            )
        now = memory.activity.overview()
        assert (now.conversations, now.turns, now.agents, now.memories, now.held) == (1, len(BATTERY), 1, 1, 1)
        assert now.entities == len(memory.entities.list())
        assert now.jobs_failed == 1
        assert now.jobs_waiting + now.jobs_running + 1 == len(memory.jobs.list())
        with connect(settings) as owner:
            owner.execute("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 day' WHERE status = 'todo'")
        assert memory.activity.overview().jobs_waiting == 0 < now.jobs_waiting, "what is planned needs no attention"
        times = [
            each.at for wing in memory.palace.tree() for room in wing.rooms for each in memory.palace.show(room.pointer)
        ]
        assert (now.first_at, now.last_at) == (min(times), max(times))
        assert now.pending == memory.pending() > 0
        assert now.unread == memory.facts.unread() and now.unread.turns == len(BATTERY)
        assert now.keywords_only is not None and "not installed" in now.keywords_only


def _user_id(settings: Settings) -> str:
    with connect(settings) as owner:
        row = owner.execute("SELECT user_id FROM users WHERE name = 'ada'").fetchone()
    assert row is not None
    return str(row[0])
