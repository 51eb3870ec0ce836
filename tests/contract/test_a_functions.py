"""Rows A8 and A9 of the contract: the SQL surface, called by a role that may do nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from commands import in_process
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect, sql_client

_VIEW = (
    "id", "profile_id", "ai_lenser_id", "scope", "source", "content", "embedding_metadata", "confidence", "expires_at",
    "team_run_id", "is_redacted", "created_at", "profile_name",
)  # fmt: skip


@pytest.fixture
def caller(memory: Memory) -> Iterator[psycopg.Connection]:
    with sql_client(memory.process_settings, "ada") as connection:
        yield connection


@pytest.fixture
def profile(memory: Memory) -> UUID:
    memory.agents.create("Scout")
    return memory.profiles.list("Scout")[0].id


def _write(caller: psycopg.Connection, profile: UUID, content: str, **named: object) -> UUID:
    values = {"p_scope": "project", "p_source": "manual", "p_confidence": 0.5, **named}
    arguments = ", ".join(f"{name} => %({name})s" for name in values)
    row = caller.execute(
        f"SELECT fn_write_memory_entry(p_profile_id => %(profile)s, p_content => %(content)s, {arguments})",
        {"profile": profile, "content": content, **values},
    ).fetchone()
    assert row is not None and isinstance(row[0], UUID)
    return row[0]


def test_a8_what_sql_writes_python_reads_and_finds(memory: Memory, caller: psycopg.Connection, profile: UUID) -> None:
    run = memory.runs.start("Scout", "Go.").id
    id = _write(
        caller, profile, "  The Lindner pack arrived. ", p_confidence=0.9, p_team_run_id=run, p_metadata='{"a": 1}'
    )
    [entry] = memory.entries.read(profile)
    assert (entry.id, entry.content, entry.confidence, entry.run_id) == (id, "The Lindner pack arrived.", 0.9, run)
    assert (entry.scope, entry.source, entry.metadata) == ("project", "manual", {"a": 1})
    assert id.version == 7
    [write, read] = memory.audit.of_memory(id)
    assert (write.action, write.actor, write.run_id) == ("write", f"sql:{caller.info.user}", run)
    assert read.action == "read"


def test_a8_white_space_at_both_ends_goes_as_in_python(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    spaces = "".join(character for character in map(chr, range(1, 0x3001)) if character.isspace())
    for text in (f"{spaces}one\u200b{spaces}two\u00ad{spaces}", f"\n{spaces}\nthree"):
        id = _write(caller, profile, text)
        assert memory.entries.get(id).content == text.strip()
    with pytest.raises(psycopg.Error, match="p_content: must not be blank"):
        _write(caller, profile, spaces)


def test_a8_reads_in_the_seeds_order_and_logs_one_read(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    unsure = _write(caller, profile, "unsure", p_confidence=0.1)
    older = memory.entries.write(profile, "older", confidence=0.9).id
    newer = _write(caller, profile, "newer", p_confidence=0.9)
    hidden = _write(caller, profile, "a secret")
    caller.execute("SELECT fn_redact_memory_entry(p_memory_id => %s, p_reason => 'contains PII')", [hidden])
    caller.execute("SELECT fn_write_memory_entry(%s, 'global', 'user', 'elsewhere')", [profile])
    run = uuid4()
    cursor = caller.execute(
        "SELECT * FROM fn_read_memory_entries(p_profile_id => %s, p_scope => 'project', p_limit => 5,"
        " p_team_run_id => %s)",
        [profile, run],
    )
    assert cursor.description is not None and tuple(each.name for each in cursor.description) == _VIEW
    assert [row[0] for row in cursor] == [newer, older, unsure]
    [access] = memory.audit.of_run(run)
    assert (access.action, access.memory_ids) == ("read", (newer, older, unsure))
    assert caller.execute("SELECT count(*) FROM fn_read_memory_entries(%s, NULL, 2)", [profile]).fetchone() == (2,)


def test_a8_retention_and_cap_hold_in_sql_too(memory: Memory, caller: psycopg.Connection) -> None:
    memory.agents.create("Scout")
    capped = memory.profiles.create("Scout", "capped", max_entries=2).id
    sure = [_write(caller, capped, f"sure {each}", p_confidence=0.8) for each in range(2)]
    _write(caller, capped, "unsure", p_confidence=0.2)
    assert {row[0] for row in caller.execute("SELECT id FROM fn_read_memory_entries(%s)", [capped])} == set(sure)
    brief = memory.profiles.create("Scout", "brief", retention_seconds=60).id
    id = _write(caller, brief, "old news")
    with connect(memory.process_settings) as owner:
        owner.execute("UPDATE memories SET created_at = now() - interval '61 seconds' WHERE id = %s", [id])
    assert caller.execute("SELECT * FROM fn_read_memory_entries(%s)", [brief]).fetchall() == []
    assert memory.entries.summarize(brief)["count"] == 0


def test_a8_redaction_leaves_the_row_and_nothing_else(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    id = memory.entries.write(profile, "My number is 0173-555", metadata={"about": "0173-555"}).id
    memory.entries.edit(id, "My number is now 0174-555")
    caller.execute("SELECT fn_redact_memory_entry(%s, 'contains PII')", [id])
    caller.execute("SELECT fn_redact_memory_entry(%s)", [id])
    assert memory.audit.absent("0173-555").absent and memory.audit.absent("0174-555").absent
    assert caller.execute("SELECT content, is_redacted FROM memories_v WHERE id = %s", [id]).fetchall() == [
        ("[redacted]", True)
    ]
    [access] = [each for each in memory.audit.of_memory(id) if each.action == "redact"]
    assert access.context == {"reason": "contains PII"}
    other = memory.entries.write(profile, "The fridge code is 4711").id
    caller.execute("SELECT fn_redact_memory_entry(%s, 'Nobody may know that the FRIDGE code is 4711.')", [other])
    assert memory.audit.absent("fridge code").absent


def test_a8_summarize_gives_the_seeds_three_keys(memory: Memory, caller: psycopg.Connection, profile: UUID) -> None:
    summary = caller.execute("SELECT fn_summarize_memory_profile(%s)", [profile]).fetchone()
    assert summary == ({"count": 0, "scopes": [], "last_written_at": None},)
    _write(caller, profile, "one", p_scope="project")
    _write(caller, profile, "two", p_scope="global")
    [[found]] = caller.execute("SELECT fn_summarize_memory_profile(%s)", [profile]).fetchall()
    assert set(found) == {"count", "scopes", "last_written_at"}
    assert (found["count"], found["scopes"]) == (2, ["global", "project"])


def test_a8_search_is_by_meaning_and_logged(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        memory.agents.create("Scout")
        profile = memory.profiles.list("Scout")[0].id
        with connect(memory.process_settings, "ricordo_app") as app:
            app.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
            cells = _write(app, profile, "The battery cells were delivered on Tuesday.")
            _write(app, profile, "Ines likes fado music from Lisbon.")
            memory.embed_pending()
            [vector] = app.execute(
                "SELECT vector::text FROM embeddings JOIN memories USING (user_id, room, drawer) WHERE id = %s", [cells]
            ).fetchone() or [""]
            run = uuid4()
            cursor = app.execute(
                "SELECT * FROM fn_search_memory_entries(p_profile_id => %s, p_query_embedding => %s::vector,"
                " p_limit => 1, p_scope => 'project', p_team_run_id => %s)",
                [profile, vector, run],
            )
            assert cursor.description is not None
            assert tuple(each.name for each in cursor.description) == (*_VIEW, "similarity")
            [found] = cursor.fetchall()
            assert (found[0], found[-1]) == (cells, pytest.approx(1, abs=0.001))
            with pytest.raises(psycopg.errors.InvalidParameterValue, match="has 2 dimensions"):
                app.execute("SELECT * FROM fn_search_memory_entries(%s, '[1,2]')", [profile])
            with connect(memory.process_settings) as owner:  # its terms were made with its vector
                assert owner.execute("SELECT count(*) FROM unindexed").fetchone() == (0,)
                assert owner.execute("SELECT count(*) > 3 FROM postings").fetchone() == (True,)
        assert [each.memory_ids for each in memory.audit.of_run(run)] == [(cells,)]


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("p_content", {"content": "  \n"}),
        ("p_content", {"content": None}),
        ("p_content", {"content": "x" * 10_001}),
        ("p_confidence", {"p_confidence": 1.01}),
        ("p_confidence", {"p_confidence": "NaN"}),
        ("p_scope", {"p_scope": "galaxy"}),
        ("p_scope", {"p_scope": None}),
        ("p_scope", {"p_scope": "conversation"}),
        ("p_source", {"p_source": "rumour"}),
        ("p_expires_at", {"p_expires_at": "2020-01-01"}),
        ("p_expires_at", {"p_expires_at": "-infinity"}),
        ("p_expires_at", {"p_expires_at": "10000-01-01 UTC"}),
        ("p_expires_at", {"p_expires_at": "290000-01-01"}),
        ("p_metadata", {"p_metadata": "[1]"}),
        ("p_metadata", {"p_metadata": '{"a":' * 40 + "1" + "}" * 40}),
        ("p_metadata", {"p_metadata": '{"a": [{"b": 1e5000}]}'}),
        ("p_metadata", {"p_metadata": '{"a": -1e309}'}),
    ],
)
def test_a8_bad_input_names_the_field_and_writes_nothing(
    memory: Memory, caller: psycopg.Connection, profile: UUID, field: str, wrong: dict[str, object]
) -> None:
    content = wrong.pop("content", "a fact")
    with pytest.raises(psycopg.errors.InvalidParameterValue, match=f"^{field}: ") as raised:
        _write(caller, profile, content, **wrong)  # type: ignore[arg-type]
    assert raised.value.diag.column_name == field
    assert memory.entries.summarize(profile)["count"] == 0


@pytest.mark.parametrize(
    "odd",
    [
        {"p_expires_at": "infinity"},
        {"p_expires_at": "9999-12-31 23:59:59.999999 UTC"},
        {"p_metadata": '{"a": [1e308, -1e308, 1e-5000, 0.' + "1" * 5_000 + ', "' + "9" * 5_000 + '"]}'},
    ],
)
def test_a8_whatever_sql_may_write_every_other_reader_can_read(
    memory: Memory, caller: psycopg.Connection, profile: UUID, odd: dict[str, str], tmp_path: Path
) -> None:
    id = _write(caller, profile, "a fact", **odd)
    assert _write(caller, profile, "a fact", **odd) == id
    [entry] = memory.entries.read(profile)
    assert entry.id == id and [each.id for each in memory.entries.page().items] == [id]
    assert (entry.expires_at is None) == (odd.get("p_expires_at") in (None, "infinity"))
    memory.archive.save(tmp_path / "all.zip")
    with Memory(settings=replace(memory.process_settings, user="bo"), background=False) as other:
        other.archive.load(tmp_path / "all.zip")
        assert [each.content for each in other.entries.page().items] == ["a fact"]
    memory.settings.update(review="agents")
    held = _write(caller, profile, "another fact", p_source="agent", **odd)
    assert memory.review.accept(held).id == held
    assert {each.content for each in memory.entries.read(profile)} == {"a fact", "another fact"}


def test_a8_the_scope_conversation_takes_the_runs_or_the_metadatas(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    id = _write(caller, profile, "only here", p_scope="conversation", p_metadata='{"conversation_id": "c-1"}')
    assert memory.entries.get(id).conversation_id == "c-1"


def test_a8_the_role_may_do_nothing_but_call_the_functions(caller: psycopg.Connection, profile: UUID) -> None:
    for attempt in (
        "SELECT * FROM memories",
        "SELECT * FROM profiles",
        "INSERT INTO unindexed SELECT",
        "SELECT log_access('read', NULL, '{}', '{}')",
        "SELECT erase_traces(gen_random_uuid())",
        "DELETE FROM access_log",
        "CREATE TABLE mine ()",
        "SET ROLE ricordo_app",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            caller.execute(attempt)


def test_a8_a_callers_own_tables_do_not_stand_in_for_ours(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    caller.execute("CREATE TEMP TABLE access_log (LIKE memories_v)")
    caller.execute("SET search_path = pg_temp, public")
    id = caller.execute(
        f"SELECT {memory.process_settings.schema}.fn_write_memory_entry(%s, 'project', 'user', 'a fact')", [profile]
    ).fetchone()
    assert id is not None and [each.action for each in memory.audit.of_memory(id[0])] == ["write"]


def test_a9_another_users_profile_and_entry_are_not_there(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    entry = memory.entries.write(profile, "ada's own").id
    with sql_client(memory.process_settings, "ben") as ben:
        ben.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
        for call, id in (
            ("SELECT fn_write_memory_entry(%s, 'project', 'user', 'x')", profile),
            ("SELECT * FROM fn_read_memory_entries(%s)", profile),
            ("SELECT fn_summarize_memory_profile(%s)", profile),
            ("SELECT * FROM fn_search_memory_entries(%s, '[1,2]')", profile),
            ("SELECT fn_redact_memory_entry(%s)", entry),
        ):
            with pytest.raises(psycopg.errors.NoDataFound) as theirs:
                ben.execute(call, [id])
            nowhere = uuid4()
            with pytest.raises(psycopg.errors.NoDataFound) as absent:
                ben.execute(call, [nowhere])
            message = theirs.value.diag.message_primary or ""
            assert message.replace(str(id), str(nowhere)) == absent.value.diag.message_primary
        assert ben.execute("SELECT * FROM memories_v").fetchall() == []
        assert ben.execute("SELECT * FROM memory_access_logs_v").fetchall() == []
    assert memory.entries.get(entry).content == "ada's own"


def test_a9_what_a_role_sets_changes_nothing_about_whose_rows_it_sees(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    memory.entries.write(profile, "ada's own")
    with Memory(settings=replace(memory.process_settings, user="ben"), background=False) as ben:
        ben.agents.create("Scout")
        ben.entries.write(ben.profiles.list("Scout")[0].id, "ben's own")
    for told in (str(user_id_of("ben")), "", "nonsense"):
        caller.execute("SELECT set_config('ricordo.user_id', %s, false)", [told])
        assert caller.execute("SELECT content FROM memories_v").fetchall() == [("ada's own",)]
    caller.execute("RESET ricordo.user_id")
    caller.execute(
        "CREATE TEMP TABLE sql_roles AS SELECT %s::uuid AS user_id, session_user::text AS role", [user_id_of("ben")]
    )
    caller.execute("SET search_path = pg_temp, public")
    schema = memory.process_settings.schema
    assert caller.execute(f"SELECT content FROM {schema}.memories_v").fetchall() == [("ada's own",)]
    for attempt in (
        "SELECT * FROM {}.sql_roles",
        "INSERT INTO {}.sql_roles VALUES (gen_random_uuid(), session_user)",
        "UPDATE {}.sql_roles SET user_id = gen_random_uuid()",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            caller.execute(attempt.format(schema))


def test_a9_a_role_that_is_bound_to_nobody_sees_nothing(memory: Memory, profile: UUID) -> None:
    memory.entries.write(profile, "ada's own")
    settings = memory.process_settings
    with connect(settings) as owner:
        owner.execute("CREATE ROLE loose LOGIN IN ROLE ricordo_sql")
        try:
            with connect(settings, "loose") as loose:
                loose.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
                assert loose.execute("SELECT * FROM memories_v").fetchall() == []
                with pytest.raises(psycopg.errors.NoDataFound) as raised:
                    loose.execute("SELECT * FROM fn_read_memory_entries(%s)", [profile])
                assert "db role create" in (raised.value.diag.message_hint or "")
        finally:
            owner.execute("DROP OWNED BY loose; DROP ROLE loose")


def test_a7_the_access_log_is_read_with_the_seeds_columns(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    run = memory.runs.start("Scout", "Go.").id
    ids = [_write(caller, profile, f"fact {each}", p_team_run_id=run) for each in range(2)]
    caller.execute("SELECT * FROM fn_read_memory_entries(%s)", [profile])
    caller.execute("SELECT fn_redact_memory_entry(%s, 'PII')", [ids[0]])
    cursor = caller.execute("SELECT * FROM memory_access_logs_v ORDER BY accessed_at")
    assert cursor.description is not None
    assert [each.name for each in cursor.description] == [
        "id", "memory_id", "team_run_id", "action", "context", "accessed_at",
    ]  # fmt: skip
    rows = cursor.fetchall()
    assert [row[3] for row in rows if row[1] == ids[0]] == ["write", "read", "redact"]
    assert len({row[0] for row in rows}) == len(rows)
    assert {row[2] for row in rows if row[3] == "write"} == {run}


def test_a8_a_write_waits_for_review_where_the_policy_says_so(
    memory: Memory, caller: psycopg.Connection, profile: UUID
) -> None:
    memory.profiles.change(profile, review="agents")
    id = _write(caller, profile, "by an agent", p_source="agent", p_confidence=0.7, p_metadata='{"a": [1]}')
    stored = _write(caller, profile, "by the user", p_source="user")
    assert [each.id for each in memory.entries.read(profile)] == [stored]
    [held] = memory.review.list()
    assert (held.id, held.content, held.actor) == (id, "by an agent", f"sql:{caller.info.user}")
    accepted = memory.review.accept(id)
    assert (accepted.id, accepted.source, accepted.metadata) == (id, "agent", {"a": [1]})
    assert (accepted.profile_id, accepted.confidence) == (profile, pytest.approx(0.7))


def test_a9_roles_are_made_listed_and_dropped_by_the_command(
    memory: Memory, profile: UUID, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(replace(memory.process_settings, user="ada"), monkeypatch, capsys)
    assert run("user", "show", "--json").json == {"user": "ada", "user_id": str(memory.user_id)}
    made = run("db", "role", "create", "report_tool", "--user", "ada", "--json").json
    try:
        assert len(made["password"]) > 20
        [listed] = run("db", "role", "list", "--json").json
        assert (listed["role"], listed["user"]) == ("report_tool", "ada")
        assert "already" in run("db", "role", "create", "report_tool", "--user", "ada").err
        assert "user 'nobody yet' not found" in run("db", "role", "create", "other_tool", "--user", "nobody yet").err
        with connect(memory.process_settings, "report_tool") as client:
            memory.entries.write(profile, "ada's own")
            assert client.execute("SELECT content FROM memories_v").fetchall() == [("ada's own",)]
            assert run("db", "role", "drop", "report_tool").code == 0
            with pytest.raises(psycopg.Error):
                client.execute("SELECT content FROM memories_v")
        assert "role list" in run("db", "role", "drop", "report_tool").err
    finally:
        run("db", "role", "drop", "report_tool")
