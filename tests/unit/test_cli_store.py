"""The commands on a real store: what they print for a person and for a program, and what they leave behind."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from commands import Command, in_process, write_chats
from llm_server import serving
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY, LISBON

FIELDS = {
    "id", "pointer", "text", "speaker", "at", "conversation", "position", "score", "signals",
    "confidence", "current", "superseded_by", "superseded_at", "instruction", "decision",
}  # fmt: skip


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line on an empty store without an embedding model."""
    return in_process(settings, monkeypatch, capsys)


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """A file of two conversations, seven turns in all."""
    return write_chats(tmp_path / "chats.jsonl", {"Battery talk": BATTERY, "Lisbon": LISBON})


@pytest.fixture
def filled(run: Command, chats: Path) -> Command:
    """`run` on a store that holds the two conversations."""
    assert run("mine", chats).code == 0
    return run


def test_mine_says_what_it_kept_and_the_second_time_that_it_was_there(run: Command, chats: Path) -> None:
    first = run("mine", chats)
    assert (first.code, first.out.splitlines()[0]) == (0, "2 conversations: 7 turns stored")
    assert "To undo it: ricordo memory forget --import " in first.out
    assert first.err.startswith("No vectors were computed. ")
    again = run("mine", chats)
    assert (again.code, again.out) == (0, "2 conversations: 0 turns stored, 7 already stored\n")


def test_mine_makes_vectors_where_an_embedding_model_is_installed(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], chats: Path
) -> None:
    run = in_process(with_vectors, monkeypatch, capsys)
    ran = run("mine", chats)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "2 conversations: 7 turns stored, 7 vectors computed"
    assert run("recall", "battery", "--json").json["results"][0]["signals"]["semantic"] > 0


def test_mine_tells_a_program_everything(run: Command, tmp_path: Path, chats: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps({"id": "x", "messages": LISBON[:1]}) + "\n{oops\n")
    ran = run("mine", chats, broken, "--json")
    assert (ran.code, ran.err) == (1, "")
    told = ran.json
    assert {each: told[each] for each in ("conversations", "stored", "duplicates", "dry_run", "lost", "embedded")} == {
        "conversations": 3,
        "stored": 8,
        "duplicates": 0,
        "dry_run": False,
        "lost": 1,
        "embedded": 0,
    }
    assert told["pending"] == 8
    [problem] = told["problems"]
    assert (problem["path"], problem["line"], problem["lost"]) == (str(broken), 2, True)


def test_what_is_left_out_is_listed_with_file_and_line_and_the_code_is_1(run: Command, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps({"id": "x", "messages": LISBON[:1]}) + "\n" + "{oops\n" * 60)
    ran = run("mine", broken)
    assert ran.code == 1
    lines = [line for line in ran.err.splitlines() if line.startswith("skipped: ")]
    assert len(lines) == 50
    assert lines[0].startswith(f"skipped: {broken}:2: ")
    assert "… and 10 more; use --json to list all" in ran.err.splitlines()
    assert ran.out.startswith("1 conversation: 1 turn stored; 60 problems (see above)\n")


def test_what_was_only_mended_is_no_failure(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "nul.json"
    path.write_text(json.dumps({"id": "x", "messages": [{"role": "user", "content": "a\0b"}]}))
    ran = run("mine", path)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "1 conversation: 1 turn stored")
    assert ran.err.startswith(f"note: {path}")


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["write", "dry"])
def test_sources_that_cannot_be_read_say_so_in_a_line(
    run: Command, tmp_path: Path, form: tuple[str, ...], dry: tuple[str, ...]
) -> None:
    (tmp_path / "empty").mkdir()
    for path, said in ((tmp_path / "nowhere", "No such file"), (tmp_path / "empty", "no chats found in")):
        ran = run("mine", path, *form, *dry)
        assert (ran.code, ran.out) == (7, "")
        assert said in ran.err and str(path) in ran.err and ran.err.count("\n") == 1


def test_a_file_in_no_known_format_is_left_out(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "image.bin"
    path.write_bytes(bytes(range(256)) * 8)
    ran = run("mine", path)
    assert ran.code == 1
    assert ran.err.startswith(f"skipped: {path}: ")
    assert ran.out.startswith("0 conversations: 0 turns stored; 1 problem ")


def test_a_dry_run_counts_by_format_and_touches_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], chats: Path
) -> None:
    home = tmp_path / "home"
    run = in_process(Settings(home=home), monkeypatch, capsys)
    (tmp_path / "talk.txt").write_text("Ada: Hello there.\nBob: Good morning, Ada.\nAda: How are you?\n")
    ran = run("mine", chats, tmp_path / "talk.txt", "--dry-run")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "json         1 file, 2 conversations, 7 turns",
        "text         1 file, 1 conversation, 3 turns",
        "3 conversations with 10 turns; nothing was written",
        ran.out.splitlines()[-1],
    ]
    assert "storing them with vectors takes about 1 s; no cost" in ran.out
    told = run("mine", chats, "--dry-run", "--json").json
    assert (told["conversations"], told["stored"], told["dry_run"], told["problems"]) == (2, 7, True, [])
    assert told["formats"]["json"]["turns"] == 7
    assert not home.exists()


def test_the_json_of_a_recall_is_one_object_of_exactly_these_keys(filled: Command) -> None:
    ran = filled("recall", "Which battery pack?", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.json) == ["context", "tokens", "confidence", "results"]
    assert ran.json["results"]
    for hit in ran.json["results"]:
        assert set(hit) == FIELDS
        assert sum(hit["signals"].values()) == pytest.approx(hit["score"], abs=0.001)
    first = ran.json["results"][0]
    assert first["text"] in [each["content"] for each in BATTERY]
    assert first["conversation"] == "Battery talk"
    assert first["text"] in ran.json["context"]


def test_a_recall_of_nothing_is_empty_and_no_error(run: Command) -> None:
    assert run("recall", "battery", "--json").json == {"context": "", "tokens": 0, "confidence": 0.0, "results": []}
    ran = run("recall", "battery")
    assert (ran.code, ran.out) == (0, "")
    assert "No matching turns." in ran.err
    assert run("recall", "battery", "--context").out == ""


def test_a_piped_list_gives_each_line_as_it_was_said(filled: Command) -> None:
    out = filled("recall", "12V20Ah Lindner", "--top-k", "1").out
    head, line = out.splitlines()
    assert head == "§ W-001/R-01/D-003  2026-03-01 18:02Z  Ada  (Battery talk)"
    assert line == "    Then we take the 12V20Ah pack from Lindner."


def test_the_context_alone_is_what_the_json_holds(filled: Command) -> None:
    context = filled("recall", "Lindner pack", "--json").json["context"]
    assert context.startswith("<memory_context")
    assert filled("recall", "Lindner pack", "--context").out == context + "\n"


def test_the_question_s_options_narrow_what_is_found(filled: Command) -> None:
    def found(*options: str) -> set[str]:
        return {each["text"] for each in filled("recall", "pack Lisbon May", "--json", *options).json["results"]}

    battery, lisbon = ({each["content"] for each in talk} for talk in (BATTERY, LISBON))
    everything = found()
    assert everything & battery and everything & lisbon
    assert found("--as-of", "2026-03-31") <= battery
    assert found("--since", "2026-03-31") <= lisbon
    assert found("--until", "2026-03-31") <= battery
    assert found("--as-of", "2999-01-01") == everything
    assert found("--wing", "W-002") <= lisbon
    assert found("--speaker", "assistant") <= {each["content"] for each in BATTERY + LISBON if "name" not in each}
    assert len(found("--top-k", "1")) == 1
    assert filled("recall", "pack", "--max-tokens", "1", "--json").json["context"] == ""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["recall", ""], 2, "question: must not be empty"),
        (["recall", " \t\n"], 2, "question: must not be empty"),
        (["recall", "x", "--top-k", "0"], 2, "--top-k: must be between 1 and 1,000, not 0"),
        (["recall", "x", "--top-k=10000"], 2, "--top-k: must be between 1 and 1,000, not 10,000"),
        (["recall", "x", "--max-tokens", "0"], 2, "--max-tokens: must be at least 1, not 0"),
        (["recall", "x", "--wing", "nosuch"], 3, "wing 'nosuch' not found: list wings with `ricordo palace tree`"),
        (["recall", "x", "--room", "bad"], 2, "invalid pointer 'bad': expected a pointer such as § W-042/R-11/D-007"),
        (["palace", "show", "bad"], 2, "invalid pointer 'bad': expected a pointer such as § W-042/R-11/D-007"),
        (["palace", "show", "\udcff"], 2, "contains half of a surrogate pair"),
        (["palace", "show", "W-001/R-99"], 3, "§ W-001/R-99 not found"),
        (["palace", "show", "W-999"], 3, "not found"),
        (["palace", "tree", "W-999"], 3, "wing § W-999 not found"),
        (["models", "install", "nosuch"], 2, "unknown embedding model 'nosuch'"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else None,
)
def test_bad_input_is_one_sentence_and_nothing_else(
    filled: Command, arguments: list[str], code: int, said: str
) -> None:
    ran = filled(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("ricordo: ") and said in ran.err and ran.err.count("\n") == 1


def test_a_long_or_odd_question_is_answered(filled: Command) -> None:
    assert filled("recall", "Lindner battery " * 6500, "--json").json["results"]
    for odd in (
        "\udcff Lindner",
        "Lindner'); DROP TABLE memories; --",
        "Lindner \x1b[31m",
        "§%_\\ Lindner <b>",
        "🔋" * 99,
    ):
        assert filled("recall", odd, "--json").code == 0, odd


def test_remembered_control_characters_do_not_reach_the_terminal(run: Command, tmp_path: Path) -> None:
    said = "Lindner \x1b]0;owned\x07 \x1b[2J and \u202etxet\ttab"
    turns = [{"role": "user", "name": "A\x1bda", "content": said}]
    assert run("mine", write_chats(tmp_path / "odd.jsonl", {"Odd \x1b[31m title": turns})).code in (0, 1)
    [hit] = run("recall", "Lindner", "--json").json["results"]
    assert hit["text"] == said
    for arguments in (["recall", "Lindner"], ["recall", "Lindner", "--explain"], ["palace", "tree"]):
        shown = run(*arguments).out
        assert not set("\x1b\x07\u202e") & set(shown)
    assert "owned" in run("palace", "show", hit["pointer"]).out
    assert not set("\x1b\x07\u202e") & set(run("recall", "Lindner", "--context").out)  # a block drops what is not seen


def test_palace_tree_and_show(filled: Command) -> None:
    tree = filled("palace", "tree").out.splitlines()
    assert tree[0].endswith("§ W-001  (topic, 4 turns)")
    assert tree[1].startswith("└─ 2026-03-01 evening") and tree[1].endswith("R-01")
    room = filled("palace", "show", "W-1/R-1", "--json").json
    assert [each["text"] for each in room] == [each["content"] for each in BATTERY]
    shown = filled("palace", "show", "§ W-001/R-01/D-003").out
    assert shown.startswith("§ W-001/R-01/D-003  2026-03-01 18:02Z  Ada  [")
    assert "Then we take the 12V20Ah pack from Lindner." in shown
    wings = filled("palace", "tree", "--json").json
    assert [each["drawers"] for each in wings] == [4, 3]
    assert filled("palace", "tree", "W-002", "--json").json == wings[1:]


def test_an_empty_palace_says_how_to_fill_it(run: Command) -> None:
    assert run("palace", "tree") == (0, "", "The palace is empty. To add chats, run `ricordo mine PATH`.\n")
    assert run("palace", "tree", "--json").json == []


def test_each_user_has_a_memory_of_their_own(filled: Command) -> None:
    assert filled("recall", "Lindner", "--user", "grace", "--json").json["results"] == []
    assert filled("palace", "tree", "--user", "grace", "--json").json == []


def test_db_says_how_the_store_is_and_migrates_it(
    empty_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run, settings = in_process(empty_settings, monkeypatch, capsys), empty_settings
    assert "Connect with: psql" in run("db", "start").out
    before = run("db", "status", "--json").json
    assert (before["running"], before["schema"], before["schema_version"]) == (True, settings.schema, 0)
    assert run("db", "migrate").out.startswith("applied 0001")
    assert run("db", "migrate").out == "The schema is up to date.\n"
    assert run("db", "status", "--json").json["schema_version"] >= 1
    assert "running" in run("db", "status").out


def test_db_leaves_a_server_of_the_user_s_alone(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RICORDO_DATABASE_URL", "postgresql://ada:secret@localhost:1/x")
    for command in ("start", "stop"):
        ran = run("db", command)
        assert (ran.code, ran.out) == (4, "")
        assert "RICORDO_DATABASE_URL" in ran.err and "secret" not in ran.err
    status = run("db", "status", "--json")
    assert (status.code, status.out) == (4, "")
    assert "secret" not in status.err


def test_doctor_finds_what_is_missing_and_what_was_opened(run: Command, settings: Settings) -> None:
    run("db", "migrate")
    ran = run("doctor", "--json")
    assert (ran.code, [each["verdict"] for each in ran.json]) == (0, ["good", "good", "good", "good", "warning"])
    assert ran.json[4]["advice"]
    with connect(settings) as connection:
        connection.execute("ALTER TABLE memories NO FORCE ROW LEVEL SECURITY")
    ran = run("doctor")
    assert ran.code == 1
    assert "✗ isolation: row-level security is not forced on memories" in ran.out


def test_doctor_checks_that_the_store_accepts_writes(run: Command, settings: Settings) -> None:
    run("db", "migrate")
    assert "✓ writing" in run("doctor").out
    with connect(settings) as owner:
        assert owner.execute("SELECT count(*) FROM users").fetchone() == (0,)  # nothing of the try stays
        owner.execute(f"ALTER ROLE ricordo_app IN DATABASE {settings.database} SET default_transaction_read_only = on")
        try:
            ran = run("doctor")
        finally:
            owner.execute(f"ALTER ROLE ricordo_app IN DATABASE {settings.database} RESET default_transaction_read_only")
    assert ran.code == 1
    assert "✗ writing: the store refuses writes" in ran.out and "read-only" in ran.out


def test_doctor_checks_that_endpoints_answer(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    run("db", "migrate")
    monkeypatch.setenv("RICORDO_LLM_MODEL", "llm")
    monkeypatch.setenv("RICORDO_LLM_URL", "http://127.0.0.1:9/v1")
    ran = run("doctor")
    assert ran.code == 0 and "! LLM: the endpoint does not answer" in ran.out and "127.0.0.1:9" in ran.out
    with serving(lambda _: "no model is asked") as endpoint:
        monkeypatch.setenv("RICORDO_LLM_URL", endpoint.address)
        assert "✓ LLM" in run("doctor").out
        assert endpoint.requests == []
    monkeypatch.setenv("RICORDO_EMBEDDING_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("RICORDO_EMBEDDING_MODEL", "any-model")
    assert "cannot be reached" in run("doctor").out


def test_doctor_tells_of_a_home_that_cannot_be(run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for home in (tmp_path / "file", tmp_path / "file" / "home", tmp_path / ("n" * 300)):
        monkeypatch.setenv("RICORDO_HOME", str(home))
        ran = run("doctor", "--json")
        assert ran.code == 1
        assert "wrong" in [each["verdict"] for each in ran.json]
        if home.name != "n" * 300:
            assert ran.json[0]["found"] == f"{tmp_path / 'file'} is not a folder"
        recalled = run("recall", "x", "--json")
        assert (recalled.code, recalled.out) == (4, "")
        assert str(home) in recalled.err and recalled.err.count("\n") == 1


def test_models_lists_what_is_installed(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(with_vectors, monkeypatch, capsys)
    listed = run("models", "list", "--json").json
    assert [(each["name"], each["state"]) for each in listed] == [
        ("all-MiniLM-L6-v2-int8", "ready"),
        ("wordllama-l2-256", "ready"),
        ("use-multilingual-v3", "ready"),
    ]
    assert "384 dimensions" in run("models", "list").out
    assert run("models", "install").out.endswith(f"is ready in {with_vectors.model_dir}\n")
    absent = in_process(replace(with_vectors, model_dir=with_vectors.home / "none"), monkeypatch, capsys)
    assert {each["state"] for each in absent("models", "list", "--json").json} == {"absent"}


@pytest.mark.parametrize("option", ["--wing", "--speaker"])
def test_bytes_that_are_no_text_are_refused(run: Command, option: str) -> None:
    ran = run("recall", "x", option, "\udcff")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"ricordo: {option}: ") and ran.err.count("\n") == 1


def test_since_after_until_is_an_error_that_names_both(run: Command) -> None:
    ran = run("recall", "x", "--since", "2026-02-01", "--until", "2026-01-01T00:00+01:00", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "ricordo: --since: 2026-02-01T00:00:00+00:00 is after until (2026-01-01T00:00:00+01:00): "
        "expected an earlier time\n"
    )


def test_a_setting_is_called_as_it_was_given_and_not_as_the_environment_calls_it(run: Command) -> None:
    told = run("settings", "set", "time_zone=Nowhere")
    assert (told.code, told.err[:19]) == (2, "ricordo: time_zone:")


def test_a_room_that_is_not_there_is_not_found(filled: Command) -> None:
    assert filled("recall", "battery", "--room", "W-1/R-1").code == 0
    ran = filled("recall", "battery", "--room", "W-001/R-99")
    assert (ran.code, ran.out) == (3, "")
    assert "R-99" in ran.err


@pytest.mark.parametrize("command", ["export", "backup"])
def test_no_file_takes_the_place_of_a_device_or_a_pipe(filled: Command, tmp_path: Path, command: str) -> None:
    pipe, link, missing = tmp_path / "pipe", tmp_path / "link", tmp_path / "none" / "a.zip"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for target in (pipe, link):
        refused = filled(command, target)
        assert (refused.code, refused.err) == (
            74,
            f"ricordo: {target}: not a regular file; give the name of a new file\n",
        )
    assert pipe.is_fifo() and link.is_symlink()
    assert filled(command, missing).err == f"ricordo: {missing.parent}: no such folder; create it first\n"
    assert sorted(each.name for each in tmp_path.iterdir() if each.suffix == ".partial") == []
