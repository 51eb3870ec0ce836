"""Hooks of assistants: sessions are stored, begin with what is remembered, get what matters, and are never held up."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from commands import Ran, called, command, environment
from forking import Program, run
from mcp_clients import on_stdio
from ricordo.assistants.forms import FORMS
from ricordo.assistants.hooks import Asked, SeenMemory, keep, quietly, read_input
from ricordo.blocking import Memory
from ricordo.cli import main
from ricordo.errors import InvalidInput
from ricordo.formats.repository import project_of
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY


def _hook(settings: Settings, event: str, given: Mapping[str, Any] | bytes, *options: str) -> Ran:
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    return called(settings, "hook", event, *options, "--budget", "600", given=text)


def _hook_of_its_own(settings: Settings, event: str, given: Mapping[str, Any], budget: str) -> Ran:
    """The same in a process of its own, with a time limit."""
    ended = run(command("hook", event, "--budget", budget), input=json.dumps(given).encode(), env=environment(settings))
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def _transcript(folder: Path) -> Path:
    line = {"type": "user", "sessionId": "s1", "uuid": "u1", "cwd": "/home/ada/e-foil"}
    message = {"role": "user", "content": "We take the Lindner pack."}
    path = folder / "s1.jsonl"
    path.write_text(json.dumps({**line, "timestamp": "2026-03-01T18:00:00Z", "message": message}), encoding="utf-8")
    return path


@pytest.mark.parametrize("event", ["session-end", "turn-end", "pre-compact"])
def test_a_session_is_mined_by_a_process_of_its_own(settings: Settings, tmp_path: Path, event: str) -> None:
    given = {"transcript_path": str(_transcript(tmp_path)), "cwd": "/home/ada/e-foil"}
    assert _hook(settings, event, given) == Ran(0, "", "")
    with Memory(settings=settings) as memory:
        deadline = time.monotonic() + 60
        while not (wings := memory.palace.tree()) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert [(each.name, each.drawers) for each in wings] == [("e-foil", 1)]


def test_a_user_who_turned_automatic_mining_off_is_not_mined(settings: Settings, tmp_path: Path) -> None:
    with Memory(settings=settings) as memory:
        memory.settings.update(auto_mine=False)
        assert memory.import_chats([_transcript(tmp_path)], automatic=True).conversations == 0
        assert memory.palace.tree() == []
        assert memory.import_chats([_transcript(tmp_path)]).stored == 1


def test_a_session_begins_with_core_and_with_what_was_said_last_in_its_project(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="b", project="e-foil")
        memory.mine([{"role": "user", "content": "The roof leaks."}], conversation="c", project="house")
        memory.agents.create("claude-code")
        memory.core.save("claude-code", "Answer in metric units.")
        memory.mine([{"role": "user", "content": "I live in Bristol."}], conversation="d", project="house")
    began = _hook_of_its_own(settings, "session-start", {"cwd": "/home/ada/e-foil", "source": "startup"}, "60")
    told = began.json["hookSpecificOutput"]
    assert (began.code, began.err, told["hookEventName"]) == (0, "", "SessionStart")
    assert "Answer in metric units." in told["additionalContext"]
    assert told["additionalContext"].startswith("# About the user") and "lives in Bristol" in told["additionalContext"]
    assert "the Lindner pack" in told["additionalContext"]
    assert "roof" not in told["additionalContext"]
    assert len(told["additionalContext"]) < 10_000
    elsewhere = _hook(settings, "session-start", {"cwd": "/home/ada/new"})
    assert "Lindner" not in elsewhere.out
    with Memory(settings=settings) as memory:
        memory.settings.update(enabled=False)
    assert _hook(settings, "session-start", {"cwd": "/home/ada/e-foil"}) == Ran(0, "", "")


@pytest.fixture
def decided(settings: Settings) -> Settings:
    """A project in which something was decided, and another one."""
    with Memory(settings=settings) as memory:
        talk = [
            {"role": "user", "content": "Which retry policy does the payment webhook use?", "at": "2026-03-01T18:00Z"},
            {"role": "user", "content": "We decided: the payment webhook retries with backoff, at most 5 times.",
             "at": "2026-03-01T18:01Z"},
        ]  # fmt: skip
        memory.mine(talk, conversation="s-old", project="shop")
        memory.mine(BATTERY, conversation="b", project="e-foil")
        other = [{"role": "user", "content": "The payment webhook of the kiln shop retries never, we decided."}]
        memory.mine(other, conversation="k", project="kiln")
    return settings


def _prompt(settings: Settings, text: str, session: str = "s-new", folder: str = "/home/ada/shop", **more: Any) -> Ran:
    given = {"session_id": session, "cwd": folder, "hook_event_name": "UserPromptSubmit", "prompt": text, **more}
    return _hook(settings, "prompt", given)


ASKING = "Write the retry of the payment webhook"


def test_a_prompt_gets_what_matters_to_it_once_in_a_session(decided: Settings) -> None:
    first = _prompt(decided, ASKING)
    told = first.json["hookSpecificOutput"]
    assert (first.code, first.err, told["hookEventName"]) == (0, "", "UserPromptSubmit")
    assert "at most 5 times" in told["additionalContext"]
    assert "kiln" not in told["additionalContext"]  # another project's
    assert len(told["additionalContext"]) < 400 * 5
    again = _prompt(decided, "And now the retry of the payment webhook once more")
    assert "at most 5 times" not in again.out
    assert "at most 5 times" in _prompt(decided, ASKING, session="another").out


def test_a_prompt_gets_standing_instructions_of_its_project_once_in_a_session(decided: Settings) -> None:
    with Memory(settings=decided) as memory:
        told = [{"role": "user", "content": "Always run the linter before you commit.", "at": "2026-03-02T18:00Z"}]
        memory.mine(told, conversation="s-rules", project="shop")
    context = _prompt(decided, "Rename the variable in the loop").json["hookSpecificOutput"]["additionalContext"]
    assert 'kind="standing instruction">Always run the linter before you commit<' in context
    assert "linter" not in _prompt(decided, "Rename the other variable in the loop").out


def test_an_instruction_about_one_matter_comes_only_with_prompts_about_it(decided: Settings) -> None:
    rule = "Please always put a new feature flag in flags.yaml with an owner and an expiry date."
    with Memory(settings=decided) as memory:
        turn = {"role": "user", "content": rule, "at": "2026-03-02T18:00Z"}
        memory.mine([turn], conversation="s-rules", project="shop")
    assert "flags.yaml" not in _prompt(decided, "Translate the greeting of the landing page").out
    assert "flags.yaml" in _prompt(decided, "Who is the owner of the landing page?").out


@pytest.mark.parametrize(
    ("rule", "comes"),
    [
        ("Never store passwords in plain text.", True),
        ("From now on, don't send customer records by mail.", True),
        ("Never change the column order of schema.sql by hand.", False),
        ("Always put customer records into the vault, never on a disk.", False),
    ],
)
def test_what_is_forbidden_anywhere_comes_with_any_prompt(decided: Settings, rule: str, comes: bool) -> None:
    with Memory(settings=decided) as memory:
        turn = {"role": "user", "content": rule, "at": "2026-03-02T18:00Z"}
        memory.mine([turn], conversation="s-rules", project="shop")
    assert (rule.strip(".") in _prompt(decided, "Build the user signup endpoint").out) is comes


def test_a_prompt_that_asks_for_a_time_alone_gets_what_was_said_then(decided: Settings) -> None:
    told = _prompt(decided, "What did we talk about last time?").json["hookSpecificOutput"]["additionalContext"]
    assert "at most 5 times" in told and "kiln" not in told


def test_what_the_context_of_a_session_holds_is_not_told_to_it(decided: Settings, tmp_path: Path) -> None:
    assert _prompt(decided, ASKING, session="s-old") == Ran(0, "", "")
    said = "We decided: the payment webhook retries with backoff, at most 5 times."
    fork = tmp_path / "fork.jsonl"
    fork.write_text(json.dumps({"sessionId": "s-new", "message": {"role": "user", "content": said}}), encoding="utf-8")
    assert "at most 5 times" not in _prompt(decided, ASKING, transcript_path=str(fork)).out
    with Memory(settings=decided) as memory:
        rules = [{"role": "user", "content": "The retry of the payment webhook is in retry.py. Always test the retry."}]
        memory.mine(rules, conversation="repository:0123456789ab:CLAUDE.md", project="shop")
    assert "retry.py" not in _prompt(decided, ASKING, session="other").out


def test_what_a_session_began_with_is_not_told_again(decided: Settings) -> None:
    began = _hook(decided, "session-start", {"cwd": "/home/ada/shop", "session_id": "s-new"})
    assert "You stopped at" in began.out
    assert "at most 5 times" in began.out
    assert _prompt(decided, ASKING) == Ran(0, "", "")
    again = {"cwd": "/home/ada/shop", "session_id": "s-new", "source": "resume"}
    assert _hook(decided, "session-start", again) == Ran(0, "", "")
    compacted = _hook(decided, "session-start", {**again, "source": "compact"}).out  # where only a summary is left
    assert "at most 5 times" in compacted
    assert "You stopped at" not in compacted


@pytest.mark.parametrize(
    "text",
    ["yes", "go on please", "/compact now or later", "Rename the variable in the loop", "Fix the lint errors", ""],
)
def test_a_prompt_to_which_nothing_matters_gets_nothing(decided: Settings, text: str) -> None:
    assert _prompt(decided, text) == Ran(0, "", "")
    assert _prompt(decided, ASKING, folder="/home/ada/unknown") == Ran(0, "", "")


def test_only_what_was_shown_is_on_record_as_read(decided: Settings) -> None:
    assert "at most 5 times" in _prompt(decided, ASKING).out
    assert _prompt(decided, "Rename the variable in the loop") == Ran(0, "", "")
    with connect(decided) as owner:
        reads = owner.execute("SELECT memory_ids FROM access_log WHERE action = 'read' ORDER BY accessed_at").fetchall()
    assert [len(ids) for (ids,) in reads] == [1, 0]


def test_nothing_comes_where_memory_is_turned_off(decided: Settings) -> None:
    with Memory(settings=decided) as memory:
        memory.settings.update(enabled=False)
    assert _prompt(decided, ASKING) == Ran(0, "", "")


def test_each_assistant_is_told_in_its_own_form(decided: Settings) -> None:
    cline = {"hookName": "UserPromptSubmit", "taskId": "t", "workspaceRoots": ["/home/ada/shop"],
             "userPromptSubmit": {"prompt": ASKING}}  # fmt: skip
    told = _hook(decided, "prompt", cline, "--for", "cline").json
    assert (told["cancel"], "at most 5 times" in told["contextModification"]) == (False, True)
    assert _hook(decided, "prompt", cline, "--for", "cline").json == {"cancel": False}
    cursor = {"hook_event_name": "sessionStart", "conversation_id": "c", "workspace_roots": ["/home/ada/shop"]}
    told = _hook(decided, "session-start", cursor, "--for", "cursor").json
    assert "at most 5 times" in told["additional_context"]
    gemini = {"session_id": "g", "cwd": "/home/ada/shop", "hook_event_name": "BeforeAgent", "prompt": ASKING}
    told = _hook(decided, "prompt", gemini, "--for", "gemini-cli").json["hookSpecificOutput"]
    assert (told["hookEventName"], "at most 5 times" in told["additionalContext"]) == ("BeforeAgent", True)
    vscode = {"sessionId": "v", "cwd": "/home/ada/shop", "hookEventName": "UserPromptSubmit", "prompt": ASKING}
    told = _hook(decided, "prompt", vscode).json["hookSpecificOutput"]
    assert (told["hookEventName"], "at most 5 times" in told["additionalContext"]) == ("UserPromptSubmit", True)


#: Calls as each assistant's documentation shows them: the hook's event, the call, and where the text must be.
#: docs/guides/coding-assistant.md names the pages.
CALLS: tuple[tuple[str, str, dict[str, Any], tuple[str, ...]], ...] = (
    ("claude-code", "prompt", {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/p", "permission_mode": "plan",
     "hook_event_name": "UserPromptSubmit", "prompt": "Why?"}, ("hookSpecificOutput", "additionalContext")),
    ("codex", "prompt", {"session_id": "s", "turn_id": "1", "transcript_path": "/t.jsonl", "cwd": "/p", "model": "m",
     "hook_event_name": "UserPromptSubmit", "permission_mode": "default", "prompt": "Why?"},
     ("hookSpecificOutput", "additionalContext")),
    ("gemini-cli", "prompt", {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/p", "prompt": "Why?",
     "hook_event_name": "BeforeAgent", "timestamp": "2026-01-01T00:00Z"}, ("hookSpecificOutput", "additionalContext")),
    ("vscode", "prompt", {"timestamp": "2026-02-09T10:30:00.000Z", "cwd": "/p", "sessionId": "s", "prompt": "Why?",
     "hookEventName": "UserPromptSubmit", "transcript_path": "/t.jsonl"}, ("hookSpecificOutput", "additionalContext")),
    ("cursor", "session-end", {"conversation_id": "s", "generation_id": "g", "model": "m", "user_email": None,
     "hook_event_name": "sessionEnd", "cursor_version": "3.18.25", "workspace_roots": ["/p", "/q"], "reason": "x",
     "transcript_path": "/t.jsonl", "duration_ms": 45000, "is_background_agent": False}, ("additional_context",)),
    ("cline", "prompt", {"taskId": "s", "clineVersion": "3.17.0", "timestamp": 1736654400000, "workspacePath": "/p",
     "userPromptSubmit": {"prompt": "Why?"}}, ("contextModification",)),
    ("cline", "prompt", {"taskId": "s", "hookName": "UserPromptSubmit", "workspaceRoots": ["/p"],
     "userPromptSubmit": {"prompt": "Why?", "attachments": []}}, ("contextModification",)),
    ("windsurf", "turn-end", {"agent_action_name": "post_cascade_response_with_transcript", "trajectory_id": "s",
     "execution_id": "e", "timestamp": "2026-01-01T00:00:00Z", "model_name": "m",
     "tool_info": {"transcript_path": "/t.jsonl"}}, ()),
)  # fmt: skip


@pytest.mark.parametrize(("agent", "event", "given", "place"), CALLS)
def test_a_call_is_read_and_answered_as_the_assistant_documents_it(
    agent: str, event: str, given: dict[str, Any], place: tuple[str, ...]
) -> None:
    call = read_input(StringIO(json.dumps(given | {"unknown": [{"deep": 1}], "tool_output": None})), event)
    is_prompt = event == "prompt"
    assert (call.session, call.prompt) == ("s", "Why?" if is_prompt else "")
    assert call.folder == (None if agent == "windsurf" else Path("/p"))
    assert call.transcript == (None if agent == "cline" else "/t.jsonl")
    form = FORMS[agent]
    named = call.event if call.event in form.events else "UserPromptSubmit"  # Cline's documentation shows no name
    assert form.events[named] == event
    told = form.printed(call.event, "x" if place else "")
    assert form.is_answer(call.event, told)
    found: Any = json.loads(told or "{}")
    for each in place:
        found = found[each]
    assert found == ("x" if place else {})
    assert form.printed(call.event, "") == ('{"cancel": false}\n' if agent == "cline" else "")
    for sample in form.events:  # what `connect --check` sends
        assert form.events[sample] and read_input(StringIO(json.dumps(form.call(sample, "Why?", "/p"))), event)


ODD = {
    "prompt": "Why\ud800\0", "session_id": "\ud800", "cwd": "/a\0b", "workspace_roots": [{}], "tool_info": 7,
    "transcript_path": "/t\0", "userPromptSubmit": [], "source": ["x"],
}  # fmt: skip


def test_what_an_assistant_may_send_is_read_or_refused(tmp_path: Path) -> None:
    for text in ("[" * 100_000, json.dumps({"prompt": "x" * 9_000_000}), "\ufeff{}", "null", "7", "{"):
        stream = StringIO(text)
        with pytest.raises(InvalidInput):
            read_input(stream, "prompt")
        assert stream.read() == ""  # an assistant that cannot write all of it may take that for a fault
    long = read_input(StringIO(json.dumps({"prompt": "Why? " + "x" * 1_000_000, "cwd": "/p"})), "prompt")
    assert len(long.prompt) > 1_000_000
    os.mkfifo(tmp_path / "pipe")
    for given in (ODD, {**ODD, "cwd": "/\ud800", "transcript_path": str(tmp_path / "pipe")}, {"prompt": 5}):
        call = read_input(StringIO(json.dumps(given)), "prompt")
        asked = Asked.of(call, SeenMemory(Settings(home=tmp_path), call.session))
        assert asked.context == b"" and not {"\0", "\ud800"} & {*asked.prompt, *asked.session, *(asked.project or "")}
        with pytest.raises(InvalidInput, match="transcript"):
            keep(call, Settings(home=tmp_path))


def test_no_exit_code_of_a_hook_stops_an_assistant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["nonsense"], ["prompt", "--budget", "x"], ["prompt", "--newer"], []):
        assert main(["hook", *line]) == 0
    assert capsys.readouterr().out == ""
    (tmp_path / "logs" / "hooks.log").mkdir(parents=True)  # so that it cannot be written
    for error in (InvalidInput("a", "b"), OSError("c"), ZeroDivisionError()):
        with quietly(Settings(home=tmp_path), "prompt", None):
            raise error
    assert capsys.readouterr() == ("", "")


def test_a_task_that_is_resumed_is_told_nothing_twice() -> None:
    given = {"taskId": "s", "workspacePath": "/p", "taskResume": {"task": "Why?"}}
    assert read_input(StringIO(json.dumps(given)), "session-start").source == "resume"


def _git(folder: Path, *arguments: str, day: str = "2026-04-01") -> None:
    names = {
        f"GIT_{who}_{what}": "Ada" if what == "NAME" else "ada@x"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    dates = {f"GIT_{who}_DATE": f"{day}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"} | names | dates
    subprocess.run(["git", "-C", str(folder), *arguments], env=environ, check=True, capture_output=True, timeout=60)


def test_a_session_begins_with_what_changed_since(decided: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    folder.mkdir()
    _git(folder, "init", "-q")
    _git(folder, "remote", "add", "origin", "git@example.org:ada/shop.git")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "Begin", day="2026-01-01")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "Retry the webhook")
    with Memory(settings=decided) as memory:
        said = [{"role": "user", "content": "Retry at most 7 times.", "at": "2026-03-01T18:00Z"}]
        memory.mine(said, conversation="s-remote", project="example.org/ada/shop")
    began = _hook(decided, "session-start", {"cwd": str(folder), "session_id": "x"})
    told = began.json["hookSpecificOutput"]["additionalContext"]
    assert "at most 7 times" in told  # the project is that of the remote, whatever the folder is called
    assert "Ada: Retry the webhook" in told
    assert "Begin" not in told


def _by_hook(settings: Settings, folder: Path) -> str:
    began = _hook(settings, "session-start", {"cwd": str(folder), "session_id": str(uuid4())})
    return str(began.json["hookSpecificOutput"]["additionalContext"])


def _by_mcp(settings: Settings, folder: Path) -> str:
    async def asked() -> str:
        async with on_stdio(settings, folder=str(folder)) as call:
            return await call("recall", query="How often do we retry at most?")

    return asyncio.run(asked())


@pytest.mark.parametrize("began", [_by_hook, _by_mcp])
@pytest.mark.parametrize("had", ["path", "both"])
def test_a_repository_that_gets_a_remote_keeps_its_memory(
    settings: Settings, tmp_path: Path, began: Callable[[Settings, Path], str], had: str
) -> None:
    folder, remote = tmp_path / "shop", "example.org/ada/shop"
    folder.mkdir()
    _git(folder, "init", "-q")
    with Memory(settings=settings) as memory:
        memory.mine([{"role": "user", "content": "Retry at most 7 times."}], conversation="a", project=str(folder))
        memory.mine([{"role": "user", "content": "The moon is round."}], conversation="b", project=f"{folder}-b")
        if had == "both":
            memory.mine([{"role": "user", "content": "Ship on Fridays."}], conversation="c", project=remote)
    _git(folder, "remote", "add", "origin", f"https://{remote}.git")
    for _ in range(2):
        assert "at most 7 times" in began(settings, folder)
    with Memory(settings=settings) as memory:
        memory.mine([{"role": "user", "content": "Never on Mondays."}], conversation="d", project=remote)
        assert {each.name: each.drawers for each in memory.palace.tree()} == {
            remote: 3 if had == "both" else 2,
            f"{folder}-b": 1,
        }
        assert memory.palace.tree(str(folder))[0].name == remote
        edits = [each for each in memory.activity.list().items if each.event == "palace_edited"]
        assert len(edits) == 1


@pytest.mark.parametrize("began", [_by_hook, _by_mcp])
def test_a_session_goes_on_if_the_memory_cannot_follow_its_repository(
    settings: Settings, tmp_path: Path, began: Callable[[Settings, Path], str]
) -> None:
    folder, remote = tmp_path / "shop", "example.org/ada/shop"
    folder.mkdir()
    _git(folder, "init", "-q")
    _git(folder, "remote", "add", "origin", f"https://{remote}.git")
    with Memory(settings=settings) as memory:
        memory.mine([{"role": "user", "content": "Ship on Fridays."}], conversation="a", project=str(folder))
        memory.mine([{"role": "user", "content": "Retry at most 7 times."}], conversation="b", project=remote)
    with connect(settings) as owner:
        owner.execute("ALTER TABLE wings ADD CHECK (merged_into IS NULL)")
    assert "at most 7 times" in began(settings, folder)
    with Memory(settings=settings) as memory:
        assert len(memory.palace.tree()) == 2
    if began is _by_hook:
        assert f"the memory of '{folder}' could not follow it" in (settings.logs / "hooks.log").read_text()


def test_a_wing_that_a_person_named_keeps_its_name_when_its_repository_gets_a_remote(
    settings: Settings, tmp_path: Path
) -> None:
    _git(tmp_path, "init", "-q")
    with Memory(settings=settings) as memory:
        memory.mine([{"role": "user", "content": "Retry at most 7 times."}], conversation="a", project=str(tmp_path))
        memory.palace.rename_wing(str(tmp_path), "The shop")
    _git(tmp_path, "remote", "add", "origin", "https://example.org/ada/shop.git")
    assert "at most 7 times" in _by_hook(settings, tmp_path)
    with Memory(settings=settings) as memory:
        assert [each.name for each in memory.palace.tree()] == ["The shop"]


def test_a_project_is_the_same_in_every_clone_and_worktree(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "elsewhere" / "main"
    for each in (main, other):
        each.mkdir(parents=True)
        _git(each, "init", "-q")
        _git(each, "commit", "-q", "--allow-empty", "-m", "Begin")
    _git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    _git(tmp_path, "clone", "-q", str(main), str(tmp_path / "clone"))
    _git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "clone"), str(tmp_path / "bare.git"))
    _git(tmp_path / "bare.git", "worktree", "add", "-q", "-b", "other", str(tmp_path / "bare-tree"))
    (main / "deep" / "er").mkdir(parents=True)
    same = [main, tmp_path / "tree", main / "deep" / "er", tmp_path / "clone", tmp_path / "bare-tree"]
    assert {project_of(each) for each in same} == {str(main)}
    assert project_of(other) == str(other)  # of the same name, and not the same
    _git(main, "remote", "add", "origin", "https://Example.org/ada/shop.git/")
    _git(other, "remote", "add", "upstream", "ssh://git@example.org:2222/ada/shop")
    assert {project_of(each) for each in [*same, other]} == {"example.org/ada/shop"}
    assert project_of(Path("/nowhere/at/all")) == "all"
    assert project_of(Path("/nowhere/at/all"), "git@example.org:ada/other.git") == "example.org/ada/other"
    assert project_of(main, "git@example.org:ada/other.git") == "example.org/ada/shop"
    homes = ("/", "/home/ada", "/Users/ada", "/root", str(Path.home()))
    assert [project_of(Path(each)) for each in homes] == [None] * len(homes)


@pytest.mark.parametrize(
    ("address", "project"),
    [
        ("git@example.org:ada/shop.git", "example.org/ada/shop"),
        ("example.org:/srv/shop.git", "example.org/srv/shop"),
        ("https://ada:s3cret@example.org:8443/ada/shop.git?x=1", "example.org/ada/shop"),
        ("git://[::1]/shop", "[::1]/shop"),
        ("file:///srv/git/shop.git", "/srv/git/shop"),
        ("/srv/git/shop.git/", "/srv/git/shop"),
        ("../bare", "{parent}/bare"),
    ],
)
def test_an_address_names_the_project_without_account_and_port(tmp_path: Path, address: str, project: str) -> None:
    folder = tmp_path / "clone"
    folder.mkdir()
    _git(folder, "init", "-q")
    _git(folder, "remote", "add", "origin", address)
    assert project_of(folder) == project.format(parent=tmp_path)


def test_what_crosses_between_projects_is_as_the_setting_says(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {name: tmp_path / name / "shop" for name in ("ours", "theirs")}
    for name, folder in folders.items():
        folder.mkdir(parents=True)
        _git(folder, "init", "-q")
        _git(folder, "remote", "add", "origin", f"git@example.org:{name}/shop.git")
        message = {"role": "user", "content": f"The payment webhook of {name} retries 5 times."}
        line = {"type": "user", "sessionId": name, "uuid": name, "cwd": str(folder), "message": message}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({**line, "timestamp": "2026-03-01T18:00Z"}))
    with Memory(settings=settings) as memory:
        memory.import_chats([tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"])
        assert {each.name for each in memory.palace.tree()} == {"example.org/ours/shop", "example.org/theirs/shop"}
        own = [{"role": "user", "content": "My bank retries a payment webhook twice. I live in Bristol."}]
        memory.mine(own, conversation="own", title="Bank")
    said = {"nothing": {"ours"}, "personal": {"ours", "bank"}, "everything": {"ours", "bank", "theirs"}}
    for across, expected in said.items():
        with Memory(settings=settings) as memory:
            memory.settings.update(across_projects=across)
            project = {"project": "example.org/ours/shop"}
            found = [each.text for each in memory.recall("How often does the payment webhook retry?", **project)]
            assert {word for word in ("ours", "bank", "theirs") if word in " ".join(found)} == expected
            if across != "everything":
                with pytest.raises(InvalidInput, match="outside of the project"):
                    memory.recall("webhook retries", wing="example.org/theirs/shop", **project)
            with pytest.raises(InvalidInput, match="may be any of"):
                memory.recall("webhook retries", wing="shop")
        told = _prompt(settings, ASKING, session=across, folder=str(folders["ours"])).out
        assert {word for word in ("ours", "bank", "theirs") if word in told} == expected
        begun = {"cwd": str(folders["ours"]), "session_id": f"begin-{across}"}
        assert ("Bristol" in _hook(settings, "session-start", begun).out) == (across != "nothing")
        monkeypatch.chdir(folders["ours"])
        recalled = called(settings, "recall", "How often does the payment webhook retry?", "--project", ".").out
        assert {word for word in ("ours", "bank", "theirs") if word in recalled} == expected


@pytest.mark.parametrize("event", ["session-start", "session-end"])
@pytest.mark.parametrize("given", [b"", b"no json", b"[]", b"{}", b'{"transcript_path": 5}', b"\xff" * 10])
def test_nothing_that_goes_wrong_reaches_the_session(settings: Settings, event: str, given: bytes) -> None:
    assert _hook(settings, event, given) == Ran(0, "", "")
    if not (event == "session-start" and given in (b"{}", b'{"transcript_path": 5}')):
        assert event in (settings.home / "logs" / "hooks.log").read_text(encoding="utf-8")


def test_a_store_that_does_not_answer_holds_nothing_up(settings: Settings, tmp_path: Path) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        url = f"postgresql://ada@127.0.0.1:{deaf.getsockname()[1]}/x"
        lost = replace(settings, home=tmp_path, database_url=url, connect_timeout=60.0)
        begun = time.monotonic()
        assert _hook_of_its_own(lost, "session-start", {"cwd": "/p"}, "1") == Ran(0, "", "")
        assert time.monotonic() - begun < 10
    assert "ended after 1.0 seconds" in (tmp_path / "logs" / "hooks.log").read_text(encoding="utf-8")


def test_a_home_that_cannot_be_written_and_settings_that_are_wrong_end_with_0_too(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for wrong in ({"RICORDO_HOME": str(tmp_path / "file")}, {"RICORDO_POOL_SIZE": "many"}):
        variables = environment(settings) | wrong
        ended = run(command("hook", "session-start"), input=b"{}", env=variables)
        assert (ended.returncode, ended.stdout) == (0, b"")
        assert ended.stderr.startswith(b"ricordo hook session-start: ")


def test_input_that_never_ends_is_not_waited_for(settings: Settings) -> None:
    process = Program(
        command("hook", "session-end", "--budget", "0.5"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(settings),
    )
    try:
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()
