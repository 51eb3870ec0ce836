"""Setting clients up: what is there stays, doing it again changes nothing, and it can be undone."""

from __future__ import annotations

import json
import stat
import tomllib
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.cli import main
from ricordo.errors import InvalidInput
from ricordo.mcp.clients import CLIENTS, Client, Setup
from ricordo.mcp.edits import Edit, set_toml_table

CODEX = """\
# what I like
model = "large" # the good one

[mcp_servers.other] # not ours
command = "npx"
args = ["-y", "other"]

[mcp_servers.ricordo]
command = "old"
startup_timeout_sec = 20 # mine

[mcp_servers.ricordo.env]
RICORDO_USER = "eve"

[profiles.fast]
model = "small"
"""


def _setup(client: Client, where: Path, *, user: bool = False, environ: Mapping[str, str] | None = None) -> Setup:
    home, folder = where / "home", where / "project"
    for each in (home, folder):
        each.mkdir(exist_ok=True)
    return Setup(client, user or client == "claude-desktop", folder, home, environ or {"PATH": ""}, "linux")


def _install(setup: Setup, *, hooks: bool = False, remove: bool = False) -> list[Path]:
    changes = setup.changes(hooks=hooks, remove=remove)
    for each in changes:
        each.write()
    return [each.path for each in changes]


@pytest.mark.parametrize(
    ("client", "user", "file"),
    [
        ("claude-code", False, "project/.mcp.json"),
        ("claude-code", True, "home/.claude.json"),
        ("claude-desktop", True, "home/.config/Claude/claude_desktop_config.json"),
        ("cursor", False, "project/.cursor/mcp.json"),
        ("cursor", True, "home/.cursor/mcp.json"),
        ("codex", False, "project/.codex/config.toml"),
        ("codex", True, "home/.codex/config.toml"),
    ],
)
def test_each_client_finds_the_server_where_it_looks(tmp_path: Path, client: Client, user: bool, file: str) -> None:
    setup = _setup(client, tmp_path, user=user)
    assert _install(setup) == [tmp_path / file]
    text = (tmp_path / file).read_text(encoding="utf-8")
    servers = tomllib.loads(text)["mcp_servers"] if client == "codex" else json.loads(text)["mcpServers"]
    assert servers["ricordo"]["args"][-3:] == ["mcp", "--agent", client]
    assert "-P" in servers["ricordo"]["args"]  # no `ricordo` on this PATH: the interpreter, with nothing of the project
    assert _install(setup) == []  # again changes nothing
    _install(setup, remove=True)
    assert "ricordo" not in (tmp_path / file).read_text(encoding="utf-8")
    assert _install(setup, remove=True) == []


@pytest.mark.parametrize(
    ("platform", "environ", "file"),
    [
        ("darwin", {}, "home/Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", {}, "home/AppData/Roaming/Claude/claude_desktop_config.json"),
        ("linux", {"XDG_CONFIG_HOME": "{}/xdg"}, "xdg/Claude/claude_desktop_config.json"),
    ],
)
def test_claude_desktop_on_each_platform(tmp_path: Path, platform: str, environ: dict[str, str], file: str) -> None:
    variables = {name: value.format(tmp_path) for name, value in environ.items()}
    setup = Setup("claude-desktop", True, tmp_path, tmp_path / "home", variables, platform)
    assert [each.path for each in setup.changes(hooks=False)] == [tmp_path / file]


def test_what_stood_in_a_json_file_stays_with_its_order_and_a_copy(tmp_path: Path) -> None:
    setup = _setup("claude-code", tmp_path, user=True)
    file = setup.home / ".claude.json"
    before = {"numStartups": 7, "mcpServers": {"other": {"command": "x"}}, "projects": {"/p": {"ünï": [1, None]}}}
    file.write_text(json.dumps(before, indent=4, ensure_ascii=False) + "\n", encoding="utf-8")
    file.chmod(0o600)
    [change] = setup.changes(hooks=False)
    assert "numStartups" not in change.diff()  # what does not change is not shown
    backup = change.write()
    assert backup is not None
    assert json.loads(backup.read_text(encoding="utf-8")) == before
    text = file.read_text(encoding="utf-8")
    after = json.loads(text)
    assert list(after) == list(before)
    assert after["mcpServers"].pop("ricordo")["type"] == "stdio"
    assert after == before
    assert '\n    "numStartups"' in text
    assert "ünï" in text
    assert {stat.S_IMODE(each.stat().st_mode) for each in (file, backup)} == {0o600}
    _install(setup, remove=True)
    assert file.read_text(encoding="utf-8") == backup.read_text(encoding="utf-8")


def test_what_a_person_added_to_the_entry_stays(tmp_path: Path) -> None:
    setup = _setup("cursor", tmp_path)
    _install(setup)
    file = setup.folder / ".cursor" / "mcp.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config["mcpServers"]["ricordo"] |= {"command": "elsewhere", "timeout": 9}
    file.write_text(json.dumps(config), encoding="utf-8")
    _install(setup)
    entry = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]["ricordo"]
    assert (entry["timeout"], entry["command"] != "elsewhere") == (9, True)


def test_toml_keeps_every_other_line_and_comment(tmp_path: Path) -> None:
    setup = _setup("codex", tmp_path, user=True)
    file = setup.home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_text(CODEX, encoding="utf-8")
    _install(setup)
    text = file.read_text(encoding="utf-8")
    for line in ("# what I like", 'model = "large" # the good one', "[mcp_servers.other] # not ours"):
        assert line in text.splitlines()
    ours = tomllib.loads(text)["mcp_servers"]["ricordo"]
    assert (ours["startup_timeout_sec"], ours["env"], ours["command"] == "old") == (20, {"RICORDO_USER": "eve"}, False)
    _install(setup, remove=True)
    left = tomllib.loads(CODEX)
    del left["mcp_servers"]["ricordo"]
    assert tomllib.loads(file.read_text(encoding="utf-8")) == left


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


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers.ricordo.command = "x"\nmcp_servers.ricordo.cwd = "/"\n',  # tomlkit would put our table between
        "= broken",
        "mcp_servers = 3",
        "mcp_servers.ricordo = 3",
        "[[mcp_servers]]\na = 1",
        "mcp_servers = [{ a = 1 }]",
    ],
)
def test_toml_that_says_something_else_there_is_left_alone(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"config\.toml"):
        set_toml_table(Path("config.toml"), text, ("mcp_servers", "ricordo"), {"command": "y", "env": {"A": "b"}})


@given(st.dictionaries(st.text(), st.text() | st.lists(st.text()) | st.integers() | st.booleans(), min_size=1))
def test_whatever_is_written_to_toml_is_read_again(entry: dict[str, Any]) -> None:
    entry = {name: value for name, value in entry.items() if "\ud800" not in str(value) and name != "x"} or {"a": "b"}
    text = set_toml_table(Path("config.toml"), "# kept\nx = 1\n", ("servers", "a b"), entry)
    assert text.startswith("# kept\nx = 1\n")
    assert tomllib.loads(text)["servers"]["a b"] == entry


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "// comment\n{}"])
def test_json_that_cannot_be_understood_is_left_alone(tmp_path: Path, text: str) -> None:
    setup = _setup("cursor", tmp_path)
    file = setup.folder / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"mcp\.json"):
        setup.changes(hooks=False)
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}", encoding="utf-8")
    change = Edit.of_json(file, lambda config: config.update(b=1)).change()
    assert change is not None
    file.write_text('{"c": 2}', encoding="utf-8")
    with pytest.raises(InvalidInput, match="another program just changed"):
        change.write()
    assert file.read_text(encoding="utf-8") == '{"c": 2}'


def test_a_link_to_the_configuration_stays_one(tmp_path: Path) -> None:
    setup = _setup("cursor", tmp_path, user=True)
    (tmp_path / "dotfiles.json").write_text("{}", encoding="utf-8")
    (setup.home / ".cursor").mkdir()
    link = setup.home / ".cursor" / "mcp.json"
    link.symlink_to(tmp_path / "dotfiles.json")
    _install(setup)
    assert link.is_symlink()
    assert "ricordo" in (tmp_path / "dotfiles.json").read_text(encoding="utf-8")


def test_hooks_stand_beside_those_of_others_once_each(tmp_path: Path) -> None:
    setup = _setup("claude-code", tmp_path)
    file = setup.folder / ".claude" / "settings.local.json"
    theirs = {"matcher": "startup", "hooks": [{"type": "command", "command": "ricordo-like hook session-start --x"}]}
    file.parent.mkdir()
    file.write_text(json.dumps({"hooks": {"SessionStart": [theirs], "Stop": []}}), encoding="utf-8")
    _install(setup, hooks=True)
    hooks = json.loads(file.read_text(encoding="utf-8"))["hooks"]
    assert hooks["SessionStart"][0] == theirs
    for event, name in (
        ("SessionStart", "session-start"),
        ("SessionEnd", "session-end"),
        ("PreCompact", "pre-compact"),
    ):
        [ours] = hooks[event][-1]["hooks"]
        assert (ours["command"].endswith(f" hook {name}"), ours["timeout"]) == (True, 10)
    assert _install(setup, hooks=True) == []
    _install(setup, remove=True)
    assert json.loads(file.read_text(encoding="utf-8"))["hooks"] == {"SessionStart": [theirs], "Stop": []}
    with pytest.raises(InvalidInput, match="hooks"):
        _setup("codex", tmp_path).changes(hooks=True)


def test_settings_go_along_but_no_secret_and_nothing_into_a_shared_file(tmp_path: Path) -> None:
    environ = {"PATH": "", "RICORDO_USER": "eve", "RICORDO_DATABASE_URL": "postgresql://a:secret@b/c"}
    personal = _setup("claude-code", tmp_path, user=True, environ=environ)
    shared = _setup("claude-code", tmp_path, environ=environ)
    [change] = personal.changes(hooks=False)
    assert json.loads(change.after)["mcpServers"]["ricordo"]["env"] == {"RICORDO_USER": "eve"}
    assert personal.secrets() == ["RICORDO_DATABASE_URL"]
    assert "env" not in json.loads(shared.changes(hooks=False)[0].after)["mcpServers"]["ricordo"]


def test_it_is_shown_first_and_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for client in CLIENTS:
        assert main(["mcp", "install", client, "--dry-run"]) == 0
        assert "ricordo" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", StringIO())
    assert main(["mcp", "install", "cursor"]) == 1  # nobody said yes
    assert not list(tmp_path.iterdir())
    assert main(["mcp", "install", "cursor", "--yes"]) == 0
    assert (tmp_path / ".cursor" / "mcp.json").exists()
    assert main(["mcp", "uninstall", "cursor", "--yes"]) == 0
    assert main(["mcp", "uninstall", "cursor"]) == 0
    assert "not installed" in capsys.readouterr().out


def test_without_the_extra_no_client_is_set_up_to_start_what_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ricordo.cli.mcp.find_spec", lambda name: None)
    assert main(["mcp", "install", "claude-code", "--yes"]) == 1
    assert "pip install 'ricordo[mcp]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
