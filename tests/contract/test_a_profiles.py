"""Rows A1 to A7 of the contract: profiles, entries, redaction, the summary and the access log."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound
from stores import connect
from talks import BATTERY


@pytest.fixture
def profile(memory: Memory) -> UUID:
    """The default profile of the agent Scout."""
    memory.agents.create("Scout")
    return memory.profiles.list("Scout")[0].id


def _age(memory: Memory, seconds: int) -> None:
    with connect(memory.process_settings) as owner:
        owner.execute("UPDATE memories SET created_at = created_at - %s * interval '1 second'", [seconds])


def _contents(memory: Memory, profile: UUID, **arguments: Any) -> list[str]:
    return [each.content for each in memory.entries.read(profile, **arguments)]


def test_a1_a_profile_has_the_seeds_fields_and_defaults(memory: Memory, profile: UUID) -> None:
    found = memory.profiles.get(profile)
    assert (found.name, found.scope, found.isolation, found.is_default) == ("default", "project", "private", True)
    assert (found.injection_strategy, found.injection_limit) == ("top_confidence", 5)
    assert (found.injection_scopes, found.seed_entries) == (("project",), ())
    assert (found.retention_seconds, found.max_entries) == (None, None)


def test_a1_retention_is_decided_when_entries_are_read(memory: Memory, profile: UUID) -> None:
    brief = memory.profiles.create("Scout", "brief", retention_seconds=3600).id
    memory.entries.write(brief, "an hour long")
    memory.entries.write(profile, "permanent")
    _age(memory, 3601)
    assert (_contents(memory, brief), _contents(memory, profile)) == ([], ["permanent"])


@pytest.mark.parametrize("longer", [None, 7200])
def test_a1_what_is_past_the_retention_does_not_come_back(memory: Memory, profile: UUID, longer: int | None) -> None:
    brief = memory.profiles.create("Scout", "brief", retention_seconds=3600).id
    gone = memory.entries.write(brief, "an hour long").id
    _age(memory, 3601)
    kept = memory.entries.write(brief, "new").id
    memory.profiles.change(brief, retention_seconds=longer)
    assert [each.id for each in memory.entries.read(brief)] == [kept]
    assert memory.audit.absent("an hour long").absent
    assert [each.action for each in memory.audit.of_memory(gone)] == ["write", "expire"]


def test_a1_the_worker_removes_what_is_past_the_retention(memory: Memory, profile: UUID) -> None:
    brief = memory.profiles.create("Scout", "brief", retention_seconds=3600).id
    gone = [memory.entries.write(brief, f"an hour long {each}").id for each in range(3)]
    memory.entries.write(profile, "permanent")
    _age(memory, 3601)
    with connect(memory.process_settings) as owner:
        owner.execute("UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE task_name = 'upkeep'")
    memory.jobs.finish()
    assert memory.audit.absent("an hour long").absent
    assert _contents(memory, profile) == ["permanent"]
    assert [each.action for each in memory.audit.of_memory(gone[0])] == ["write", "expire"]
    [event] = memory.activity.list(["memory_expired"]).items
    assert event.payload["memories"] == 3


def test_a1_beyond_the_cap_the_least_sure_and_oldest_go(memory: Memory) -> None:
    memory.agents.create("Scout")
    capped = memory.profiles.create("Scout", "capped", max_entries=2).id
    for content, confidence in (("old", 0.5), ("sure", 0.9), ("new", 0.5), ("unsure", 0.1)):
        memory.entries.write(capped, content, confidence=confidence)
    assert _contents(memory, capped) == ["sure", "new"]


def test_a1_a_lower_cap_takes_effect_at_once(memory: Memory, profile: UUID) -> None:
    for each in range(5):
        memory.entries.write(profile, f"fact {each}", confidence=each / 10)
    memory.profiles.change(profile, max_entries=2)
    assert _contents(memory, profile) == ["fact 4", "fact 3"]
    memory.profiles.change(profile, max_entries=None)
    assert _contents(memory, profile) == ["fact 4", "fact 3"]


@pytest.mark.parametrize("by_sql", [False, True])
def test_a1_a_writer_goes_by_the_cap_that_is_set_while_it_writes(memory: Memory, profile: UUID, by_sql: bool) -> None:
    """The cap is set while a writer holds the profile: it waits, and then counts that writer's entry."""
    for each in range(3):
        memory.entries.write(profile, f"fact {each}")
    with connect(memory.process_settings, "ricordo_app") as other, ThreadPoolExecutor() as pool:
        other.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
        with other.transaction():
            if by_sql:
                other.execute("SELECT fn_write_memory_entry(%s, 'project', 'user', 'late')", [profile])
            else:
                other.execute("SELECT FROM profiles WHERE id = %s FOR NO KEY UPDATE", [profile])
            changing = pool.submit(memory.profiles.change, profile, max_entries=2)
            writing = pool.submit(memory.entries.write, profile, "later")
            wait([changing], timeout=0.5)
            assert not changing.done()
        wait([changing, writing])
        changing.result(), writing.result()
    assert len(_contents(memory, profile)) == 2


def test_a1_private_profiles_are_closed_to_other_agents_and_shared_ones_open(memory: Memory, profile: UUID) -> None:
    memory.agents.create("Writer")
    memory.entries.write(profile, "Scout's own", agent="Scout")
    assert _contents(memory, profile, agent="Scout") == ["Scout's own"]
    for attempt in (
        lambda: memory.entries.read(profile, agent="Writer"),
        lambda: memory.entries.write(profile, "intruding", agent="Writer"),
    ):
        with pytest.raises(NotFound, match=str(profile)):
            attempt()
    memory.profiles.change(profile, isolation="shared")
    memory.entries.write(profile, "Writer's part", agent="Writer", confidence=0.1)
    assert _contents(memory, profile, agent="Writer") == ["Scout's own", "Writer's part"]
    memory.profiles.change(profile, isolation="private")
    with pytest.raises(NotFound):
        memory.entries.read(profile, agent="Writer")


def test_a1_seed_entries_are_written_at_creation(memory: Memory) -> None:
    memory.agents.create("Scout")
    seeds = ["JSON only.", {"content": "Never YAML.", "scope": "global", "source": "user", "confidence": 0.9}]
    created = memory.profiles.create("Scout", "seeded", seed_entries=seeds)
    [sure, plain] = memory.entries.read(created.id)
    assert (sure.content, sure.scope, sure.source, sure.confidence) == ("Never YAML.", "global", "user", 0.9)
    assert (plain.content, plain.scope, plain.source, plain.confidence) == ("JSON only.", "project", "manual", 0.5)


def test_a1_a_bad_seed_creates_no_profile(memory: Memory, profile: UUID) -> None:
    for seeds in ("text", [" "], [{"content": "x", "colour": "red"}], [{"content": "x", "confidence": 2}], ["x"] * 101):
        with pytest.raises(InvalidInput):
            memory.profiles.create("Scout", "seeded", seed_entries=seeds)
    assert [each.id for each in memory.profiles.list("Scout")] == [profile]


def test_a1_the_default_moves_and_cannot_be_lost(memory: Memory, profile: UUID) -> None:
    second = memory.profiles.create("Scout", "second").id
    memory.profiles.change(second, is_default=True)
    assert {each.id: each.is_default for each in memory.profiles.list("Scout")} == {profile: False, second: True}
    with pytest.raises(InvalidInput, match="needs a default profile"):
        memory.profiles.change(second, is_default=False)
    with pytest.raises(InvalidInput, match="default"):
        memory.profiles.delete(second)
    memory.profiles.delete(profile)
    third = memory.profiles.create("Scout", "third", is_default=True).id
    assert [each.id for each in memory.profiles.list("Scout") if each.is_default] == [third]


@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE profiles SET is_default = false",
        "UPDATE profiles SET is_default = true",
        "DELETE FROM profiles WHERE is_default",
        "DELETE FROM profiles WHERE is_default; INSERT INTO profiles (user_id, id, agent_id, name) "
        "SELECT user_id, gen_random_uuid(), id, 'other' FROM agents",
        "UPDATE profiles SET name = 'moved', agent_id = (SELECT id FROM agents WHERE name = 'Writer') "
        "WHERE is_default AND agent_id = (SELECT id FROM agents WHERE name = 'Scout')",
        # The one that it comes from has no default then, and the one that it goes to has: its own went before.
        "DELETE FROM profiles WHERE agent_id = (SELECT id FROM agents WHERE name = 'Writer'); UPDATE profiles "
        "SET agent_id = (SELECT id FROM agents WHERE name = 'Writer') WHERE is_default",
        "INSERT INTO agents (user_id, id, name) SELECT user_id, gen_random_uuid(), 'bare' FROM users",
    ],
)
def test_a1_the_database_itself_keeps_exactly_one_default(memory: Memory, profile: UUID, attempt: str) -> None:
    memory.profiles.create("Scout", "second")
    memory.agents.create("Writer")
    with connect(memory.process_settings, "ricordo_app") as app:
        app.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
        with pytest.raises((psycopg.errors.CheckViolation, psycopg.errors.UniqueViolation)) as raised:
            app.execute(attempt)
        assert raised.value.diag.constraint_name == "one_default_profile"
    assert sum(each.is_default for each in memory.profiles.list("Scout")) == 1


def test_a1_what_breaks_a_rule_names_the_field(memory: Memory, profile: UUID) -> None:
    for field, value in (
        ("scope", "galaxy"),
        ("retention_seconds", 0),
        ("retention_seconds", 1.5),
        ("max_entries", -1),
        ("isolation", "open"),
        ("injection_strategy", "random"),
        ("injection_limit", 1001),
        ("injection_scopes", "project"),
        ("injection_scopes", ["galaxy"]),
    ):
        for attempt in (
            lambda given: memory.profiles.create("Scout", "wrong", **given),
            lambda given: memory.profiles.change(profile, **given),
        ):
            with pytest.raises(InvalidInput) as raised:
                attempt({field: value})
            assert raised.value.field == field
    with pytest.raises(InvalidInput, match="already"):
        memory.profiles.create("Scout", "default")
    assert [each.id for each in memory.profiles.list("Scout")] == [profile]


def test_a2_an_entry_has_the_seeds_columns_and_defaults(memory: Memory, profile: UUID) -> None:
    run, until = uuid4(), datetime.now(UTC) + timedelta(days=1)
    id = memory.entries.write(profile, " Rate limit at 9:04. ", scope="global", source="tool", confidence=0.85,
                              expires_at=until, run=run, metadata={"node": "a"}).id  # fmt: skip
    entry = memory.entries.get(id)
    assert (entry.content, entry.scope, entry.source, entry.confidence) == (
        "Rate limit at 9:04.",
        "global",
        "tool",
        0.85,
    )
    assert (entry.expires_at, entry.run_id, entry.metadata, entry.is_redacted) == (until, run, {"node": "a"}, False)
    assert entry.profile_id == profile
    plain = memory.entries.get(memory.entries.write(profile, "plain").id)
    assert (plain.scope, plain.source, plain.confidence, plain.expires_at) == ("project", "agent", 0.5, None)


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("content", {"content": " "}),
        ("content", {"content": "x" * 10_001}),
        ("content", {"content": "a\0b"}),
        ("confidence", {"confidence": 1.01}),
        ("confidence", {"confidence": float("nan")}),
        ("scope", {"scope": "galaxy"}),
        ("source", {"source": "rumour"}),
        ("expires_at", {"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}),
        ("conversation", {"scope": "conversation"}),
        ("conversation", {"conversation": "c-1"}),
        ("metadata", {"metadata": [1]}),
    ],
)
def test_a2_bad_input_names_the_field_and_writes_nothing(
    memory: Memory, profile: UUID, field: str, given: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput) as raised:
        memory.entries.write(profile, **{"content": "a fact", **given})
    assert raised.value.field == field
    assert memory.entries.summarize(profile)["count"] == 0


def test_a3_a_write_takes_the_agent_from_the_profile_and_is_logged(memory: Memory, profile: UUID) -> None:
    run = uuid4()
    id = memory.entries.write(profile, "a fact", agent="Scout", run=run).id
    [access] = memory.audit.of_memory(id)
    assert memory.entries.get(id).agent_id == memory.agents.get("Scout").id
    assert (access.action, access.actor, access.run_id, access.memory_ids) == ("write", "agent:Scout", run, (id,))
    with pytest.raises(NotFound):
        memory.entries.write(uuid4(), "nowhere")


def test_a4_reads_the_surest_then_the_newest_and_logs_one_read(memory: Memory, profile: UUID) -> None:
    ids = {
        name: memory.entries.write(profile, name, confidence=confidence, scope=scope).id
        for name, confidence, scope in (
            ("unsure", 0.1, "project"), ("older", 0.9, "project"), ("newer", 0.9, "global"), ("gone", 1, "project"),
            ("redacted", 1, "project"),
        )
    }  # fmt: skip
    with connect(memory.process_settings) as owner:
        owner.execute("UPDATE memories SET expires_at = now() WHERE id = %s", [ids["gone"]])
    memory.entries.redact(ids["redacted"])
    run = uuid4()
    assert _contents(memory, profile, run=run) == ["newer", "older", "unsure"]
    [access] = memory.audit.of_run(run)
    assert (access.action, access.memory_ids) == ("read", (ids["newer"], ids["older"], ids["unsure"]))
    assert _contents(memory, profile, limit=1) == ["newer"]
    assert _contents(memory, profile, scope="project") == ["older", "unsure"]
    memory.entries.read(profile, scope="conversation", run=(nothing := uuid4()))
    assert [each.memory_ids for each in memory.audit.of_run(nothing)] == [()]


def test_a5_redaction_reaches_everything_derived(memory: Memory, profile: UUID) -> None:
    id = memory.entries.write(profile, "The door code is Zwetschgenkuchen", metadata={"code": "Zwetschgenkuchen"}).id
    memory.entries.edit(id, "The door code was Zwetschgenkuchen until May")
    with connect(memory.process_settings) as owner:
        owner.execute("INSERT INTO models (name, dimension) VALUES ('flat', 2)")
        owner.execute(
            "INSERT INTO embeddings SELECT user_id, (SELECT max(model) FROM models), room, drawer, '[1,0]' "
            "FROM memories WHERE id = %s",
            [id],
        )
        owner.execute("UPDATE memories SET tags = '{zwetschgenkuchen}' WHERE id = %s", [id])
    before = memory.audit.absent("ZWETSCHGENKUCHEN")
    assert {(each.table, each.column) for each in before.found} == {
        ("memories", "content"), ("memories", "metadata"), ("memories", "tags"), ("memory_history", "content"),
        ("memory_history", "fields"),
    }  # fmt: skip
    receipt = memory.entries.redact(id, "contains a secret")
    assert receipt.done and {"embeddings": 1, "memory_history": 1, "unembedded": 1}.items() <= receipt.removed.items()
    assert receipt.removed["postings"] > 0
    after = memory.audit.absent("zwetschgenkuchen")
    assert after.absent and not any(after.left_over.values()) and after.unknown
    entry = memory.entries.get(id)
    assert (entry.content, entry.is_redacted, entry.tags, entry.metadata) == ("[redacted]", True, (), {})
    assert [each.context for each in memory.audit.of_memory(id) if each.action == "redact"] == [
        {"reason": "contains a secret"}
    ]
    with pytest.raises(InvalidInput, match="redacted"):
        memory.entries.edit(id, "The door code is back")
    assert not memory.entries.redact(id).done


def test_a5_no_statement_brings_a_redacted_text_back(memory: Memory, profile: UUID) -> None:
    id = memory.entries.write(profile, "a secret").id
    memory.entries.redact(id)
    with connect(memory.process_settings, "ricordo_app") as app:
        app.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
        for change in ("content = 'a secret'", "is_redacted = false"):
            with pytest.raises(psycopg.errors.CheckViolation, match="is redacted"):
                app.execute(f"UPDATE memories SET {change} WHERE id = %s", [id])


def test_a5_a_drawers_closet_and_wing_lose_a_name_that_only_it_accounts_for(memory: Memory) -> None:
    talk = [
        {"role": "user", "content": "The quetzalcoatl statue, the quetzalcoatl statue."},
        {"role": "user", "content": "Fine by me."},
    ]
    pointer = memory.mine(talk, conversation="c").pointer or ""
    memory.mine([{"role": "user", "content": "Apple cake, apple cake."}], conversation="d")
    secret, other = memory.palace.show(pointer)
    receipt = memory.entries.redact(secret.id)
    assert (receipt.removed["closets"], receipt.removed["wings"]) == (1, 1)
    assert memory.audit.absent("quetzalcoatl").absent
    assert [each.text for each in memory.palace.show(pointer)] == ["[redacted]", other.text]
    assert len(memory.palace.tree()) == 2 and memory.palace.tree()[1].name != "Redacted"


def test_a5_a_name_that_others_account_for_stays(memory: Memory) -> None:
    talk = [{"role": "user", "content": "The statue, the statue."}, {"role": "user", "content": "The statue is fine."}]
    pointer = memory.mine(talk, conversation="c").pointer or ""
    name = memory.palace.tree()[0].name
    receipt = memory.entries.redact(memory.palace.show(pointer)[0].id)
    assert (receipt.removed["closets"], receipt.removed["wings"]) == (0, 0)
    assert memory.palace.tree()[0].name == name


def test_a6_the_summary_has_three_keys_and_counts_what_is_read(memory: Memory, profile: UUID) -> None:
    assert memory.entries.summarize(profile) == {"count": 0, "scopes": [], "last_written_at": None}
    memory.entries.write(profile, "one")
    last = memory.entries.write(profile, "two", scope="global").id
    gone = memory.entries.write(profile, "three", scope="conversation", conversation="c").id
    memory.entries.redact(gone)
    found = memory.entries.summarize(profile)
    assert found == {
        "count": 2,
        "scopes": ["global", "project"],
        "last_written_at": memory.entries.get(last).created_at,
    }
    with pytest.raises(NotFound):
        memory.entries.summarize(uuid4())


def test_a7_what_a_run_read_and_wrote_and_every_access_to_an_entry(memory: Memory, profile: UUID) -> None:
    run = uuid4()
    known = memory.entries.write(profile, "known before").id
    memory.entries.read(profile, run=run, agent="Scout")
    learned = memory.entries.write(profile, "learned", run=run, agent="Scout").id
    assert [(each.action, each.memory_ids) for each in memory.audit.of_run(run)] == [
        ("read", (known,)), ("write", (learned,)),
    ]  # fmt: skip
    memory.entries.forget(learned, "wrong")
    trail = memory.audit.of_memory(learned)
    assert [(each.action, each.actor, each.run_id) for each in trail] == [
        ("write", "agent:Scout", run), ("forget", "user", None),
    ]  # fmt: skip
    assert trail[0].accessed_at < trail[1].accessed_at and trail[1].context == {"reason": "wrong"}


def test_a7_looking_one_memory_up_is_logged_with_actor_run_and_context(memory: Memory, profile: UUID) -> None:
    run, id = uuid4(), memory.entries.write(profile, "known").id
    written = memory.entries.get(id, agent="Scout", run=run).created_at
    memory.entries.history(id)
    memory.entries.as_of(id, written, agent="Scout")
    with pytest.raises(NotFound):
        memory.entries.as_of(id, written - timedelta(days=1))
    reads = [(each.action, each.actor, each.run_id, each.context) for each in memory.audit.of_memory(id)[1:]]
    assert reads == [
        ("read", "agent:Scout", run, {}), ("read", "user", None, {"history": True}),
        ("read", "agent:Scout", None, {"as_of": written.isoformat()}),
    ]  # fmt: skip
    assert memory.audit.verify().intact


def test_a7_changes_are_logged_with_agent_and_run(memory: Memory, profile: UUID) -> None:
    run, id = uuid4(), memory.entries.write(profile, "known").id
    memory.entries.edit(id, "known better", agent="Scout", run=run)
    memory.entries.redact(id, agent="Scout", run=run)
    memory.entries.forget(id, agent="Scout")
    changes = [(each.action, each.actor, each.run_id) for each in memory.audit.of_memory(id)[1:]]
    agent = "agent:Scout"
    assert changes == [("edit", agent, run), ("redact", agent, run), ("forget", agent, None)]


def test_a7_a_recall_and_a_look_into_a_room_are_reads_of_the_drawers_they_bring(memory: Memory, profile: UUID) -> None:
    run = uuid4()
    memory.mine(BATTERY, conversation="c")
    for agent, within in ((None, None), ("Scout", run)):
        found = memory.recall("the pack from Lindner", top_k=2, agent=agent, run=within)
        room = memory.palace.show("W-001/R-01", agent=agent, run=within)
        accesses = [memory.audit.of_memory(each.id)[-2:] for each in found.results]
        actor = f"agent:{agent}" if agent else "user"
        for recalled, shown in accesses:
            assert (recalled.action, recalled.actor, recalled.run_id) == ("read", actor, within)
            assert recalled.context["recall"] is True
            assert "Lindner" not in str(recalled.context)  # never what was asked
            assert set(recalled.memory_ids) == {each.id for each in found.results}
            assert (shown.action, shown.actor, shown.run_id, shown.context) == ("read", actor, within, {"palace": True})
            assert set(shown.memory_ids) == {each.id for each in room}
    assert [each.action for each in memory.audit.of_run(run)] == ["read", "read"]
    assert memory.audit.verify().intact


def test_a7_what_is_closed_to_an_agent_cannot_be_looked_up_by_it(memory: Memory, profile: UUID) -> None:
    memory.agents.create("Writer")
    board = memory.whiteboards.create("plans", ["Scout"])
    closed = (
        memory.entries.write(profile, "private").id, memory.core.save("Scout", "own").id,
        memory.whiteboards.write(board.id, "shared by some", "Scout").id,
    )  # fmt: skip
    for id in closed:
        assert memory.entries.get(id, agent="Scout").id == id
        for look in (memory.entries.get, memory.entries.history):
            with pytest.raises(NotFound, match=str(id)):
                look(id, agent="Writer")
    note = memory.notes.create("the user's", agent="Scout").id
    assert memory.entries.get(note, agent="Writer").id == note


def test_a7_looking_up_waits_for_no_other_reader(memory: Memory, profile: UUID) -> None:
    id = memory.entries.write(profile, "known").id
    with ThreadPoolExecutor(1) as one, connect(memory.process_settings) as other, other.transaction():
        other.execute("SELECT FROM memories WHERE id = %s FOR SHARE", [id])
        looks = [one.submit(look, id) for look in (memory.entries.get, memory.entries.history)]
        assert wait(looks, timeout=300).not_done == set()


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE access_log SET actor = 'nobody' WHERE action = 'redact'",
        "UPDATE access_log SET accessed_at = accessed_at - interval '1 day' WHERE action = 'read'",
        "UPDATE access_log SET memory_ids = '{}' WHERE action = 'read'",
        "DELETE FROM access_log WHERE action = 'redact'",
        "INSERT INTO access_log SELECT user_id, gen_random_uuid(), 'read', actor, NULL, '{}', accessed_at, '{}', xid "
        "FROM access_log WHERE action = 'redact'",
        "UPDATE access_seals SET accesses = accesses - 1 WHERE seal = 1",
        "DELETE FROM access_seals WHERE seal = 1",
        "DELETE FROM access_memories WHERE access_id = (SELECT id FROM access_log WHERE action = 'redact')",
    ],
)
def test_a7_an_altered_or_removed_access_is_found(memory: Memory, profile: UUID, tampering: str) -> None:
    id = memory.entries.write(profile, "a fact").id
    memory.entries.read(profile)
    assert memory.audit.seal() > 0
    memory.entries.redact(id)
    memory.entries.read(profile)
    assert memory.audit.seal() == 2
    sound = memory.audit.verify()
    assert sound.intact and (sound.seals, sound.unsealed) == (2, 0)
    with connect(memory.process_settings) as owner:
        assert owner.execute(tampering).rowcount >= 1
    assert not memory.audit.verify().intact


def test_a7_seals_cover_each_access_once_and_grow(memory: Memory, profile: UUID) -> None:
    memory.entries.write(profile, "a fact")
    first = memory.audit.seal()
    assert memory.audit.seal() == 0
    memory.entries.read(profile)
    found = memory.audit.verify()
    assert (found.accesses, found.unsealed, found.intact) == (first, 1, True)
    assert memory.audit.seal() == 1
    assert memory.audit.verify().head != found.head
