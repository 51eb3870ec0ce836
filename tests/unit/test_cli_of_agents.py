"""Commands for what only Python could do: profiles, proposals, whiteboards, journal files, the fields of notes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from commands import Command, in_process
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect


@pytest.fixture
def run(memory: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    memory.agents.create("coder")
    memory.agents.create("writer")
    return in_process(replace(memory.process_settings, user="ada"), monkeypatch, capsys)


def test_a_profile_is_created_changed_and_deleted(memory: Memory, run: Command) -> None:
    made = run(
        "memory", "create-profile", "coder", "research", "--scope", "global", "--isolation", "shared", "--retention",
        "3600", "--max-entries", "7", "--inject", "recent", "--inject-limit", "3", "--inject-scope", "project",
        "--inject-scope", "global", "--seed", "Deploys happen on Thursdays.", "--default", "--json",
    ).json  # fmt: skip
    profile = memory.profiles.list("coder")[0]
    assert str(profile.id) == made["id"] and profile.is_default
    assert (profile.scope, profile.isolation, profile.retention_seconds) == ("global", "shared", 3600)
    assert (profile.max_entries, profile.injection_strategy, profile.injection_limit) == (7, "recent", 3)
    assert profile.injection_scopes == ("project", "global")
    assert [each.content for each in memory.entries.read(profile.id)] == ["Deploys happen on Thursdays."]
    told = run("memory", "change-profile", made["id"], "--name", "deep", "--max-entries", "none", "--inject-limit", "0")
    assert "name: deep" in told.out and "max_entries: none" in told.out
    changed = memory.profiles.get(profile.id)
    assert (changed.max_entries, changed.injection_limit, changed.retention_seconds) == (None, 0, 3600)
    assert run("memory", "change-profile", made["id"], "--max-entries", "0").code == 2
    other = run("memory", "create-profile", "coder", "small", "--json").json["id"]
    assert run("memory", "delete-profile", other, "--yes").code == 0
    assert [each.name for each in memory.profiles.list("coder")] == ["deep", "default"]


def test_proposals_are_made_listed_and_decided(memory: Memory, run: Command) -> None:
    for way in ("now", "again", "still"):
        memory.journal.save("coder", f"The user wants short and plain answers every single time {way}.")
    [made] = run("proposal", "make", "coder", "--json").json
    assert made["content"] in run("proposal", "list", "coder").out
    assert run("proposal", "accept", made["id"], "--json").json["status"] == "accepted"
    assert len(memory.core.list("coder")) == 1
    assert "undone" in run("proposal", "undo", made["id"]).out
    assert memory.core.list("coder") == []
    assert run("proposal", "list", "coder", "--status", "accepted", "--json").json == []


def test_whiteboards_are_made_written_read_and_deleted(memory: Memory, run: Command) -> None:
    assert run("whiteboard", "create", "launch", "coder").code == 0
    assert "1 agent" in run("whiteboard", "list").out
    assert run("whiteboard", "write", "launch", "writer", "not mine").code == 3
    assert "added" in run("whiteboard", "add-agent", "launch", "writer").out
    assert "stored" in run("whiteboard", "write", "launch", "writer", "Ships on Thursday.").out
    assert "Ships on Thursday." in run("whiteboard", "read", "launch", "--agent", "coder").out
    assert "removed" in run("whiteboard", "remove-agent", "launch", "coder").out
    assert run("whiteboard", "read", "launch", "--agent", "coder").code == 3
    assert "1 note\n" in run("whiteboard", "delete", "launch", "--yes").out
    assert memory.whiteboards.list() == []


def test_a_journal_goes_to_a_file_and_comes_back(memory: Memory, run: Command, tmp_path: Path) -> None:
    memory.journal.save("coder", "seen")
    memory.core.save("coder", "known")
    file = tmp_path / "journal.json"
    file.write_text(run("journal", "export", "coder").out)
    assert [each["content"] for each in json.loads(file.read_text())] == ["seen", "known"]
    assert "2 stored" in run("journal", "import", "writer", file).out
    assert run("journal", "import", "writer", file, "--json").json == {"stored": 0, "duplicates": 2}
    assert [each.content for each in memory.core.list("writer")] == ["known"]
    file.write_text("no JSON")
    assert "is not JSON" in run("journal", "import", "writer", file).err
    file.write_text("[" * 100_000)
    assert "is not JSON" in run("journal", "import", "writer", file).err


def test_a_notes_tags_importance_and_retention_change(memory: Memory, run: Command) -> None:
    note = str(memory.notes.create("Ada prefers trains.", tags=["travel"]).id)
    changed = run("memory", "update", note, "--tag", "rail", "--tag", "trip", "--importance", "9", "--json").json
    assert (changed["tags"], changed["importance"], changed["content"]) == (["rail", "trip"], 9, "Ada prefers trains.")
    brief = run("memory", "update", note, "--expires-at", "2999-01-01", "--json").json
    assert (brief["retention"], brief["expires_at"][:10]) == ("medium_term", "2999-01-01")
    lasting = run("memory", "update", note, "--permanent", "--no-tags", "--content", "Trains.", "--json").json
    assert (lasting["retention"], lasting["tags"], lasting["content"]) == ("long_term", [], "Trains.")
    assert len(memory.entries.history(memory.notes.get(note).id)) == 4
    assert run("memory", "update", note).code == 2


def test_a_wings_pointer_shows_its_turns(memory: Memory, run: Command) -> None:
    memory.mine([{"role": "user", "content": "The walnut barn is red."}], conversation="talk")
    assert "The walnut barn is red." in run("palace", "show", "W-001").out
    assert run("palace", "show", "W-099").code == 3


def test_the_memory_tool_takes_the_source_documents_spellings(memory: Memory, run: Command) -> None:
    given = {"retentionType": "medium_term", "expiresAt": "2999-01-01T00:00:00Z", "projectId": "garden"}
    made = memory.tools.call("coder", "memory", {"action": "create", "content": "Water it.", **given})["memory"]
    assert (made["retention"], made["project"], made["expires_at"][:4]) == ("medium_term", "garden", "2999")
    found = {"retentionTypes": ["medium_term"], "minImportance": 5, "includeExpired": True, "projectId": "garden"}
    [shown] = memory.tools.call("coder", "memory", {"action": "search", **found})["memories"]
    assert shown["id"] == made["id"]
    both = {"action": "search", "projectId": "garden", "project": "garden"}
    assert "the same" in memory.tools.call("coder", "memory", both)["error"]
    for own in (memory.user, str(memory.user_id)):
        assert memory.tools.call("coder", "memory", {"action": "search", "userId": own})["memories"] == [shown]
    for other in ("ben", str(memory.of("ben").user_id), 7, ["ada"]):
        for given in (
            {"action": "create", "content": "Mine."},
            {"action": "search"},
            {"action": "get", "id": shown["id"]},
        ):
            assert "userId" in memory.tools.call("coder", "memory", {**given, "userId": other})["error"]
    assert "userId" in memory.tools.call("coder", "save_to_core", {"content": "x", "userId": memory.user})["error"]


def test_edits_of_palace_and_relations_are_events(memory: Memory, run: Command) -> None:
    memory.mine([{"role": "user", "content": "The walnut barn is red."}], conversation="talk")
    memory.palace.rename_wing("W-001", "Farm")
    memory.palace.move_room("W-001/R-01", "Elsewhere", new=True)
    memory.palace.merge_wings("W-001", "W-002")
    memory.palace.unmerge_wing("W-001")
    memory.entities.add_relation("Ada", "lives_in", "Rome")
    memory.entities.end_relation("Ada", "lives_in", "Rome")
    memory.entities.change("Ada", alias="Countess")
    told = [(each.event, each.payload.get("action")) for each in memory.activity.list(["user_action"])]
    assert told[:-2] == [
        ("entity_changed", None), ("relation_ended", None), ("relation_entered", None),
        ("palace_edited", "unmerge_wing"), ("palace_edited", "merge_wings"), ("palace_edited", "move_room"),
        ("palace_edited", "rename_wing"),
    ]  # fmt: skip
    shown = repr([each.payload for each in memory.activity.list(["user_action"])])
    assert not any(name in shown for name in ("Farm", "Elsewhere", "Rome", "Countess"))
    assert "must be one of" in run("activity", "--type", "palace_edit").err


def test_library_and_command_tell_the_same_with_names(memory: Memory, run: Command) -> None:
    memory.mine([{"role": "user", "content": "Tom lives in Lisbon."}], conversation="c", title="Kitchen")
    agent = memory.agents.create("scribe")
    memory.entities.add_relation("Tom", "likes", "tea")
    memory.keys.create("laptop", read_only=True)
    memory.settings.update(top_k=7)
    told = [each.text for each in memory.activity.list(["user_action", "memory_mined"])]
    expected = [
        "Settings changed: top_k from 5 to 7",
        "API key created: “laptop”",
        "Relation added: Tom likes tea",
        "Agent created: scribe",
        "Conversation stored: “Kitchen”, 1 turn",
    ]
    assert told[:5] == expected
    shown = run("activity")
    assert all(f"  {each}\n" in shown.out for each in told)
    memory.agents.delete(agent.id)
    assert "Agent deleted" in [each.text for each in memory.activity.list()]


def test_only_installed_models_can_be_chosen_and_no_others_are_named(
    memory: Memory, run: Command, with_vectors: Settings
) -> None:
    with connect(memory.process_settings) as owner:  # another user's
        owner.execute("INSERT INTO models (name, dimension) VALUES ('their-secret-model', 8)")
    listed = [each["name"] for each in run("models", "list", "--json").json]
    for name in (*listed, "their-secret-model"):
        refused = run("settings", "set", f"embedding_model={name}")
        assert refused.code == 2 and "is not installed; installed are: none" in refused.err
    with Memory(settings=replace(with_vectors, user="bob"), background=False) as bob:
        for name in ("all-MiniLM-L6-v2-int8", "all-MiniLM-L6-v2"):
            assert bob.settings.update(embedding_model=name).embedding_model == "all-MiniLM-L6-v2"
