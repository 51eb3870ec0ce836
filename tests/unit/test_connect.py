"""Connecting assistants: every file's other bytes stay, doing it again changes nothing, and it can be undone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

import forking
from commands import command, environment
from residents import place_of
from ricordo.assistants import AGENTS, Machine, check, connected, jsonc, plan_connection, plan_disconnection
from ricordo.assistants.edits import set_toml_table
from ricordo.assistants.forms import FORMS
from ricordo.cli import main
from ricordo.errors import InvalidInput
from ricordo.resident import retire
from ricordo.settings import Settings

#: What each agent's files hold before, with comments and forms of their users.
BEFORE = {
    "home/.claude.json": '{"numStartups": 7, "mcpServers": {"other": {"command": "x"}}, "ünï": [1, null]}',
    "home/.claude/settings.json": '{\n    "hooks": {\n        "Stop": [],\n        "SessionStart": '
    '[{"matcher": "startup", "hooks": [{"type": "command", "command": "mine hook session-start"}]}]\n    }\n}\n',
    "home/.config/Claude/claude_desktop_config.json": "{}",
    "home/.codex/config.toml": '# what I like\nmodel = "large" # the good one\r\n\n[mcp_servers.other] # not ours\n'
    'command = "npx"\nargs = ["-y"]\n\n[profiles.fast]\nmodel = "small"\n',
    "home/.cursor/mcp.json": '{\r\n\t"mcpServers": {\r\n\t}\r\n}\r\n',
    "home/.cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "a"}]}}',
    "home/.gemini/settings.json": '// mine\n{\n  "theme": "dark", // always\n}\n',
    "home/.config/Code/User/mcp.json": '{\n\t// servers\n\t"servers": {},\n\t"inputs": []\n}',
    "home/.codeium/windsurf/mcp_config.json": "",
    "home/.codeium/windsurf/hooks.json": '{"hooks": {"pre_user_prompt": [{"command": "a", "show_output": true}]}}\n',
    "home/.config/opencode/opencode.jsonc": '{\n  "$schema": "https://opencode.ai/config.json",\n  /* none yet */\n}',
    "home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json": "{}\n\n",
    "home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json": '{"mcpServers":{}}',
    "home/.config/zed/settings.json": '// Zed settings\n//\n{\n  "theme": "One" // dark\n  // the end\n}\n',
    "home/.config/goose/config.yaml": "# goose\nGOOSE_MODEL: 'x'  # mine\nextensions:\n  developer:\n"
    "    enabled: true\n    type: builtin\n",
    "home/.config/amp/settings.json": '{"amp.showCosts": true,}',
}

#: Files that are read as they are written; others are programs of ours alone.
CONFIGURATIONS = {".json", ".jsonc", ".toml", ".yaml"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """An account with a home folder, where nothing is installed."""
    (tmp_path / "home").mkdir()
    return Machine(tmp_path / "home", {"PATH": ""}, "linux")


@pytest.fixture
def nowhere(tmp_path: Path) -> Settings:
    """Settings of a store that does not exist."""
    return Settings(home=tmp_path / "ricordo")


def _files(root: Path) -> dict[str, bytes]:
    return {str(each.relative_to(root)): each.read_bytes() for each in root.rglob("*") if each.is_file()}


def _folders(root: Path) -> set[str]:
    return {str(each.relative_to(root)) for each in root.rglob("*") if each.is_dir()}


def _fill(root: Path) -> None:
    for name, text in BEFORE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def _parsed(path: Path) -> Any:
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return YAML(typ="safe", pure=True).load(text) if path.suffix == ".yaml" else jsonc.parsed(text or "{}").value


def _changed(text: bytes, by: str = "someone") -> bytes:
    """A file after its program has written something of its own into it."""
    if text.lstrip().startswith(b"#"):
        return text + (b"\n# later\n" if b"model" in text else b"later: 1\n")
    return jsonc.with_value(text.decode(), [by], 1).encode()


@pytest.mark.parametrize("filled", [True, False])
@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_is_connected_again_and_disconnected_to_the_byte(
    machine: Machine, nowhere: Settings, tmp_path: Path, name: str, filled: bool
) -> None:
    if filled:
        _fill(tmp_path)
    before, folders = _files(machine.home), _folders(machine.home)
    plan = plan_connection(AGENTS[name], machine, nowhere)
    assert plan.changes
    assert _files(machine.home) == before  # nothing is written before it is shown
    plan.make()
    for change in plan.changes:
        if change.path.suffix in CONFIGURATIONS:
            old = {} if change.before is None else _parsed_text(change.path, change.before)
            _holds_all_of(_parsed(change.path), old)
            for line in (change.before or b"").decode().splitlines():
                assert _comment(line) in change.path.read_text(encoding="utf-8")
    assert connected(nowhere) == [name]
    assert plan_connection(AGENTS[name], machine, nowhere).changes == ()
    plan_disconnection(AGENTS[name], machine, nowhere).make()
    assert _files(machine.home) == before
    assert _folders(machine.home) == folders
    assert connected(nowhere) == []
    assert plan_disconnection(AGENTS[name], machine, nowhere).changes == ()


def _parsed_text(path: Path, content: bytes) -> Any:
    aside = path.with_name(f"aside-{path.name}")
    aside.write_bytes(content)
    try:
        return _parsed(aside)
    finally:
        aside.unlink()


def _comment(line: str) -> str:
    return next((line[line.index(sign) :].strip() for sign in ("//", "# ", "/*") if f" {sign}" in f" {line}"), "")


def _holds_all_of(new: Any, old: Any) -> None:
    for key, value in old.items():
        if isinstance(value, Mapping):
            _holds_all_of(new[key], value)
        elif isinstance(value, list):
            assert [each for each in new[key] if "ricordo" not in json.dumps(each)] == value
        else:
            assert new[key] == value


@pytest.mark.parametrize("name", AGENTS)
def test_what_a_program_wrote_since_stays(machine: Machine, nowhere: Settings, tmp_path: Path, name: str) -> None:
    _fill(tmp_path)
    before = _files(machine.home)
    plan_connection(AGENTS[name], machine, nowhere).make()
    paths = [each.path for each in AGENTS[name].entries(machine) if each.path.suffix in CONFIGURATIONS]
    for path in set(paths):
        path.write_bytes(_changed(path.read_bytes()))
    plan_disconnection(AGENTS[name], machine, nowhere).make()
    for path in set(paths):
        old = before.get(str(path.relative_to(machine.home)), b"")
        assert "ricordo" not in path.read_text(encoding="utf-8")
        wanted = _parsed_text(path, _changed(old) if path.suffix != ".yaml" or old else b"later: 1\n")
        found = _parsed(path)
        for each in (wanted, found):
            each.pop("mcpServers", None) if not each.get("mcpServers") else None
            each.pop("servers", None) if not each.get("servers") else None
        assert found == wanted


def test_the_server_of_every_agent_is_started_the_same_way(machine: Machine) -> None:
    for name, agent in AGENTS.items():
        value = next(iter(agent.entries(machine))).value
        words = value["command"] if isinstance(value.get("command"), list) else value["args"]
        assert words[-3:] == ["mcp", "--agent", name]
        assert "-P" in words  # no `ricordo` on this PATH: the interpreter, with nothing of the project


def test_the_guide_names_every_agent_and_event() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "coding-assistant.md").read_text(encoding="utf-8")
    table = guide.partition("| Name | Tools are configured in | Hooks |")[2].partition("\n\n")[0]
    rows = {each.split("`")[1]: each for each in table.splitlines() if "`" in each}
    assert list(rows) == list(AGENTS)
    for name in FORMS.keys() - {"vscode", "opencode", "amp"}:  # these have no events of their own configured
        assert all(f"`{event}`" in rows[name] for event in FORMS[name].events)


def test_two_agents_that_share_a_file(machine: Machine, nowhere: Settings, tmp_path: Path) -> None:
    _fill(tmp_path)
    before = _files(machine.home)
    for order in (["claude-code", "vscode"], ["vscode", "claude-code"]):
        for first in (0, 1):
            for name in ("claude-code", "vscode"):
                plan_connection(AGENTS[name], machine, nowhere).make()
            plan_disconnection(AGENTS[order[first]], machine, nowhere).make()
            settings = (machine.home / ".claude" / "settings.json").read_text(encoding="utf-8")
            assert settings.count(" hook prompt") == 1  # the other one still has its hooks
            plan_disconnection(AGENTS[order[1 - first]], machine, nowhere).make()
            assert _files(machine.home) == before


def test_an_installation_that_moved_takes_the_place_of_the_old_one(machine: Machine, nowhere: Settings) -> None:
    plan_connection(AGENTS["claude-code"], machine, nowhere).make()
    moved = replace(machine, environ={"PATH": "", "RICORDO_USER": "eve"})
    plan_connection(AGENTS["claude-code"], moved, nowhere).make()
    hooks = _parsed(machine.home / ".claude" / "settings.json")["hooks"]
    assert all(len(each) == 1 and "RICORDO_USER=eve" in json.dumps(each) for each in hooks.values())
    plan_disconnection(AGENTS["claude-code"], moved, nowhere).make()
    assert _files(machine.home) == {}


@pytest.mark.parametrize(
    ("name", "file", "text"),
    [
        ("cursor", ".cursor/mcp.json", "{"),
        ("cursor", ".cursor/mcp.json", "[]"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": []}'),
        ("cursor", ".cursor/hooks.json", '{"version": 1, "hooks": {"sessionStart": {}}}'),
        ("codex", ".codex/config.toml", "= broken"),
        ("codex", ".codex/config.toml", "mcp_servers = 3"),
        ("goose", ".config/goose/config.yaml", "a: [\n"),
        ("goose", ".config/goose/config.yaml", "- a\n"),
        ("goose", ".config/goose/config.yaml", "extensions: 3\n"),
    ],
)
def test_a_file_that_says_something_else_is_left_alone(
    machine: Machine, nowhere: Settings, name: str, file: str, text: str
) -> None:
    path = machine.home / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=path.name):
        plan_connection(AGENTS[name], machine, nowhere)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="UTF-8"):
        plan_connection(AGENTS[name], machine, nowhere)


def test_a_file_that_changed_meanwhile_is_not_overwritten(machine: Machine, nowhere: Settings) -> None:
    plan = plan_connection(AGENTS["zed"], machine, nowhere)
    path = machine.home / ".config" / "zed" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match="changed by another program"):
        plan.make()
    assert path.read_text(encoding="utf-8") == "{}"


def test_a_link_stays_one_and_rights_stay(machine: Machine, nowhere: Settings, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text("{}", encoding="utf-8")
    (tmp_path / "dotfiles.json").chmod(0o600)
    (machine.home / ".cursor").mkdir()
    link = machine.home / ".cursor" / "mcp.json"
    link.symlink_to(tmp_path / "dotfiles.json")
    plan_connection(AGENTS["cursor"], machine, nowhere).make()
    assert link.is_symlink()
    assert "ricordo" in (tmp_path / "dotfiles.json").read_text(encoding="utf-8")
    assert (tmp_path / "dotfiles.json").stat().st_mode & 0o777 == 0o600
    assert (nowhere.home / "connections.json").stat().st_mode & 0o777 == 0o600  # it holds what the files held


def test_settings_go_along_but_no_secret(machine: Machine) -> None:
    secrets = ["RICORDO_DATABASE_URL", "RICORDO_LLM_KEY", "RICORDO_LLM_URL", "RICORDO_SYNC_KEY"]
    environ = {"PATH": "", "RICORDO_USER": "eve", **dict.fromkeys(secrets, "https://a:secret@b/c")}
    set_here = replace(machine, environ=environ)
    for agent in AGENTS.values():
        told = json.dumps([each.value for each in agent.entries(set_here)])
        assert "eve" in told
        assert "secret" not in told
    assert sorted(set_here.secrets()) == secrets[:-1]  # sync has stored its key in the home


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty home of a person, in which commands look for assistants."""
    for name in ("HOME", "RICORDO_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "HOME"
    home.mkdir()
    return home


@pytest.mark.parametrize("order", [1, -1])
def test_all_agents_are_connected_by_one_command_and_disconnected_by_another(at_home: Path, order: int) -> None:
    assert main(["connect", *list(AGENTS)[::order], "--yes"]) == 0
    connected = _files(at_home)
    assert main(["connect", *AGENTS, "--yes"]) == 0
    assert _files(at_home) == connected
    assert main(["disconnect", "--yes"]) == 0
    assert _files(at_home) == {}


def _pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def _damage(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{")


@pytest.mark.parametrize("spoil", [_pipe, _damage, lambda path: path.mkdir(parents=True)])
def test_an_agent_whose_file_cannot_be_changed_stops_no_other(
    at_home: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None]
) -> None:
    file = at_home / ".cursor" / "mcp.json"
    spoil(file)
    assert main(["connect", "cursor", "zed", "--yes"]) == 1
    assert "Cursor was skipped: " in capsys.readouterr().err
    zed = at_home / ".config" / "zed" / "settings.json"
    assert "ricordo" in zed.read_text()
    main(["connect", "cursor", "zed", "--check"])
    assert "Cursor was skipped: " in capsys.readouterr().err
    assert main(["disconnect", "cursor", "zed", "--yes"]) == 1
    assert not zed.exists()
    assert main(["connect", "cursor", "--yes"]) == 2
    assert str(file) in capsys.readouterr().err


def test_an_agent_that_shares_a_file_with_a_skipped_one_is_connected(settings: Settings, tmp_path: Path) -> None:
    variables = {name: value for name, value in environment(settings).items() if not name.startswith("XDG_")}
    variables |= {"HOME": str(tmp_path), "RICORDO_HOME": str(tmp_path / "ricordo")}
    asking = forking.Program(
        command("connect", "claude-code", "vscode"), env=variables, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with asking:
        assert asking.stdout
        shown = ""
        while "Apply these changes?" not in shown:
            shown += asking.stdout.read(1) or pytest.fail(shown)
        (tmp_path / ".claude.json").write_text("{}")
        _, told = asking.communicate("y\n", timeout=240)
    assert (asking.returncode, told.count("was skipped")) == (1, 1)
    assert "Claude Code was skipped" in told
    assert (tmp_path / ".claude.json").read_text() == "{}"
    hooks = json.loads((tmp_path / ".claude" / "settings.json").read_text())["hooks"]
    assert "SessionStart" in hooks


def test_installed_agents_are_found_shown_and_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "RICORDO_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.stdin", StringIO())
    home = tmp_path / "HOME"
    home.mkdir()
    assert main(["connect"]) == 1
    assert "No assistant was found" in capsys.readouterr().err
    (home / ".codex").mkdir()
    (home / ".config" / "zed").mkdir(parents=True)
    before = _files(home)
    assert main(["connect", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "Codex" in shown
    assert "Zed" in shown
    assert "Cursor" not in shown
    assert main(["connect"]) == 1  # nobody said yes
    assert _files(home) == before
    assert main(["connect", "--yes"]) == 0
    assert {*_files(home)} == {".codex/config.toml", ".codex/hooks.json", ".config/zed/settings.json"}
    capsys.readouterr()
    assert main(["connect", "--yes"]) == 0
    assert capsys.readouterr().out.count("connected already") == 2
    assert main(["connect", "nothing"]) == 2
    assert "claude-code" in capsys.readouterr().err
    assert main(["disconnect", "--yes"]) == 0
    assert _files(home) == before
    assert main(["disconnect"]) == 0


#: A program in the stead of `ricordo hook`, which notes what it is told.
NOTING = """\
#!/bin/sh
cat >> "$NOTES"; echo >> "$NOTES"
case "$*" in *session-start) text="About Ada";; *prompt) text="Retry 5 times";; esac
case "$FAULT" in silent) exit 0;; broken) echo '{"half'; exit 0;; slow) exec sleep 60;; esac
echo "{\\"hookSpecificOutput\\": {\\"hookEventName\\": \\"x\\", \\"additionalContext\\": \\"$text\\"}}"
"""
#: What OpenCode 1, OpenCode 2 and Amp do with their plugins, by their documentation.
CALLING = """\
import open from "./opencode.mjs"
import amp from "./amp.mjs"
const told = {}
const hooks = await open.server({
  directory: "/shop",
  client: { session: { get: async ({ path }) => ({ data: path.id === "sub" ? { parentID: "one" } : {} }) } },
})
const say = async (session, prompt) => {
  const output = { message: { id: "msg_1" }, parts: [{ type: "text", text: prompt }] }
  await hooks["chat.message"]({ sessionID: session }, output)
  return output.parts.slice(1)
}
told.first = await say("one", "Which retries?")
told.second = await say("one", "Once more")
told.subagent = await say("sub", "Which retries?")
const registered = {}
await open.setup({ session: {
  hook: async (name, call) => { registered[name] = call },
  get: async () => ({ location: { directory: "/shop" } }),
} })
await registered.prompt({ sessionID: "two", prompt: { text: "Which retries?" } })
const request = { sessionID: "two", system: [] }
registered.context(request)
told.system = request.system
let start
amp({ on: (name, call) => { if (name === "agent.start") start = call } })
told.amp = await start({ thread: { id: "T-1" }, message: "Which retries?", id: 1 })
console.log(JSON.stringify(told))
process.exit(0)
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="plugins are JavaScript: needs node")
def test_the_plugins_hand_over_what_the_hook_says(machine: Machine, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "ricordo"
    program.parent.mkdir()
    program.write_text(NOTING)
    program.chmod(0o755)
    installed = replace(machine, environ={"PATH": str(program.parent), "RICORDO_USER": "eve"})
    (tmp_path / "calling.mjs").write_text(CALLING)

    def told(fault: str) -> Any:
        for name in ("opencode", "amp"):  # whatever takes long on this machine, only what never ends is given up
            text = installed.plugin(name)
            assert text.count(" 5000)") == 1
            (tmp_path / f"{name}.mjs").write_text(text.replace(" 5000)", " 500)" if fault == "slow" else " 50000)"))
        environ = os.environ | {"NOTES": str(tmp_path / f"notes{fault}"), "FAULT": fault}
        ended = subprocess.run(["node", "calling.mjs"], cwd=tmp_path, env=environ, capture_output=True, timeout=60)
        assert (ended.returncode, ended.stderr) == (0, b"")
        return json.loads(ended.stdout)

    found = told("")
    assert [each["text"] for each in found["first"]] == ["About Ada\n\nRetry 5 times"]
    assert found["first"][0].items() >= {"sessionID": "one", "messageID": "msg_1", "synthetic": True}.items()
    assert [each["text"] for each in found["second"]] == ["Retry 5 times"]
    assert found["subagent"] == []
    assert found["system"] == [{"type": "text", "text": "About Ada\n\nRetry 5 times"}]
    assert found["amp"] == {"message": {"content": "About Ada\n\nRetry 5 times"}}
    calls = [json.loads(each) for each in (tmp_path / "notes").read_text().splitlines()]
    assert {"session_id": "one", "cwd": "/shop", "prompt": "Once more"}.items() <= calls[2].items()
    for fault in ("silent", "broken", "slow"):
        assert told(fault) == {"first": [], "second": [], "subagent": [], "system": [], "amp": {}}


@pytest.mark.slow
def test_what_was_written_is_tried_as_the_agent_would(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    variables = {name: value for name, value in environment(settings).items() if not name.startswith("XDG_")}
    variables |= {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "RICORDO_RESIDENT": "on"}
    run = lambda *line: forking.run(command(*line), env=variables, text=True)  # noqa: E731
    try:
        names = ["claude-code", "cline", "goose", "opencode", "codex", "cursor", "windsurf"]
        assert run("connect", *names, "--yes").returncode == 0
        tried = run("connect", "--check")
        assert (tried.returncode, tried.stdout.count("✓")) == (0, len(names)), tried.stdout
        (tmp_path / "home" / ".config" / "goose" / "config.yaml").unlink()
        hook = tmp_path / "home" / "Documents" / "Cline" / "Hooks" / "TaskStart"
        hook.write_text(hook.read_text().replace("exec ", "exec /nowhere/"))
        tried = run("connect", "--check", "goose", "cline")
        assert (tried.returncode, tried.stdout.count("✗")) == (1, 2)
        assert run("disconnect", "--yes").returncode == 0
    finally:
        retire(place_of(variables).folder)


@pytest.mark.parametrize(
    ("hook", "problem"),
    [
        ("exit 0", None),
        ('echo \'{"additional_context": "x"}\'', None),
        ("echo hello", "its answer is not in the format that cursor reads"),
        ("echo '{\"continue\": false}'", "its answer is not in the format that cursor reads"),
        ("exit 2", "exit code 2"),
        ('echo "1 WARNING session-start: no store" >> "$LOG"', "no store"),
    ],
)
def test_a_hook_that_does_not_work_is_reported(
    machine: Machine, nowhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hook: str, problem: str | None
) -> None:
    program = tmp_path / "bin" / "ricordo"
    program.parent.mkdir()
    server = '{"result": {"serverInfo": {"name": "ricordo"}}}'
    program.write_text(f"#!/bin/sh\ncase \"$1\" in mcp) echo '{server}';; *) {hook};; esac\n")
    program.chmod(0o755)
    monkeypatch.setenv("LOG", str(nowhere.logs / "hooks.log"))
    installed = replace(machine, environ={"PATH": f"{program.parent}:{os.environ['PATH']}"})
    plan_connection(AGENTS["cursor"], installed, nowhere).make()
    found = check(AGENTS["cursor"], installed, nowhere)
    assert bool(found) == (problem is not None)
    assert all(str(problem) in each for each in found)


def test_a_connection_whose_program_is_gone_is_reported(machine: Machine, nowhere: Settings, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "ricordo"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho no\n")
    program.chmod(0o755)
    installed = replace(machine, environ={"PATH": f"{program.parent}:{os.environ['PATH']}"})
    plan_connection(AGENTS["zed"], installed, nowhere).make()
    assert "does not answer as an MCP server" in check(AGENTS["zed"], installed, nowhere)[0]


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
_OBJECTS = st.dictionaries(st.text(), _PLAIN, max_size=4)


@given(_OBJECTS, st.sampled_from([None, 2, "\t"]), st.lists(st.text(min_size=1), min_size=1, max_size=3), _PLAIN)
def test_any_json_gets_a_value_and_loses_it_again(
    before: dict[str, Any], indent: int | str | None, path: list[str], value: Any
) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    assert jsonc.parsed(text).value == before
    try:
        after = jsonc.with_value(text, path, value)
    except TypeError:
        return
    wanted = json.loads(text)
    inner = wanted
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
    inner[path[-1]] = value
    assert json.loads(after) == wanted
    assert jsonc.with_value(after, path, value) == after
    assert path[-1] not in _at(json.loads(jsonc.without(after, path, prune=False)), path[:-1])


def _at(value: Any, path: list[str]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize(
    "text",
    [
        "",
        'model = "x"',
        'mcp_servers = { ricordo = { command = "x" } } # inline\n',
        'mcp_servers = { other = { command = "x" } }\n',
        'mcp_servers.ricordo.command = "x"',
        'note = """\n[mcp_servers.ricordo]\nnot a table\n"""\n',
        '[mcp_servers]\n\n[mcp_servers."ricordo"]\ncommand = "x"\n[a]\nb = 2026-01-01 # day\n',
        "[mcp_servers.x]\nq = 1\n[b]\nc = 1\n[mcp_servers.y]\nr = 1\n",
        "[mcp_servers.ricordo]\nq = 1\n[b]\nc = 1\n[mcp_servers.y]\nr = 1\n[mcp_servers.ricordo.env]\ne = '1'\n",
        "[[profiles]]\na = 1\n[mcp_servers.other]\nq = 1\n[[profiles]]\na = 2\n",
    ],
)
def test_toml_in_any_form_gets_the_table_and_loses_it(text: str) -> None:
    path, name = Path("config.toml"), ("mcp_servers", "ricordo")
    before = tomllib.loads(text)
    entry = {"command": "y", "args": ["mcp"], "env": {"A": "b"}}
    after = set_toml_table(path, text, name, entry)
    old = before.get("mcp_servers", {}).get("ricordo", {})
    wanted = before | {"mcp_servers": before.get("mcp_servers", {}) | {"ricordo": old | entry}}
    assert tomllib.loads(after) == wanted
    assert {each for each in text.splitlines() if each.startswith(("#", "["))} <= {*after.splitlines()}
    assert set_toml_table(path, after, name, entry) == after
    left = set_toml_table(path, after, name, None)
    others = {key: value for key, value in wanted["mcp_servers"].items() if key != "ricordo"}
    rest = {key: value for key, value in before.items() if key != "mcp_servers"}
    assert tomllib.loads(left) == (rest | {"mcp_servers": others} if others else rest)
    assert set_toml_table(path, left, name, None) == left


@given(st.dictionaries(st.text(), st.text() | st.lists(st.text()) | st.integers() | st.booleans(), min_size=1))
def test_whatever_is_written_to_toml_is_read_again(entry: dict[str, Any]) -> None:
    entry = {name: value for name, value in entry.items() if "\ud800" not in str(value) and name != "x"} or {"a": "b"}
    text = set_toml_table(Path("config.toml"), "# kept\nx = 1\n", ("servers", "a b"), entry)
    assert text.startswith("# kept\nx = 1\n")
    assert tomllib.loads(text)["servers"]["a b"] == entry


#: Whole files as programs and people leave them, by the kind of the file.
FORMS_OF_FILES = {
    ".json": [
        b"",
        b" \n\t\n",
        b"{}",
        b'\xef\xbb\xbf{\n  "a": 1\n}\n',
        b'{\r  "a": 1\r}\r',
        b'// a\n{"mcpServers": {/* b */ "x": {},}, /* c */ "hooks": {"SessionStart": [/* d */],},}\n// e\n',
        b'{"mcpServers": null, "hooks": null, "context_servers": null, "mcp": null, "servers": null}',
        b'{"mcpServers": [], "hooks": [], "context_servers": [], "mcp": [], "servers": [], "amp.mcpServers": []}',
        b'{"hooks": {"SessionStart": {}, "sessionStart": "x"}, "mcpServers": {"ricordo": 1}}',
        b'{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}',
        b'{"n": 1e400, "m": 12345678901234567890123, "f": 1.10}',
        b"[]",
        b'"x"',
        b'{"a": ',
        b'{"a": 1}\x00',
        b'{"a": "\xe9"}',
        '{"a": 1}'.encode("utf-16"),
        b'{"a":' + b"[" * 500 + b"]" * 500 + b"}",
    ],
    ".toml": [
        b"",
        b"\n\n",
        b'model = "x"',
        b'\xef\xbb\xbfmodel = "x"\n',
        b'mcp_servers = { x = { command = "y" } }\n',
        b'mcp_servers.x.command = "y"\r\n',
        b"mcp_servers = 1\n",
        b"[[mcp_servers]]\na = 1\n",
        b"a = \n",
        b'a = "\xe9"\n',
    ],
    ".yaml": [
        b"",
        b"\n",
        b"extensions:\n",
        b"extensions: {x: {enabled: true}}\n",
        b"extensions: []\n",
        b"extensions: x\n",
        b"extensions:\n  ricordo:\n",
        b"a: &a {b: 1}\nextensions:\n  x: *a\n",
        b"\xef\xbb\xbfextensions:\r\n  x: 1\r\n",
        b"---\nextensions: {}\n...\n",
        b"---\na: 1\n---\nb: 2\n",
        b"a:\n\tb: 1\n",
        b"a: [\n",
        b"- a\n",
        b"a: \xe9\n",
    ],
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_file_in_any_form_is_restored_to_the_byte_or_refused_and_left_alone(
    machine: Machine, nowhere: Settings, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    agents = [each for each in AGENTS.values() if path in [entry.path for entry in each.entries(machine)]]
    assert agents
    for content in FORMS_OF_FILES[{".jsonc": ".json"}.get(path.suffix, path.suffix)]:
        for agent in agents:
            path.write_bytes(content)
            before = _files(machine.home)
            try:
                plan_connection(agent, machine, nowhere).make()
            except InvalidInput as error:
                assert str(path) in str(error)
                assert "NoneType" not in str(error) and "argument" not in str(error)
                assert _files(machine.home) == before
                continue
            assert plan_connection(agent, machine, nowhere).changes == ()
            assert _parsed(path)
            plan_disconnection(agent, machine, nowhere).make()
            assert _files(machine.home) == before
