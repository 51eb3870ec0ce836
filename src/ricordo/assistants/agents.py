"""The assistants that Ricordo connects: where each keeps its configuration, and what it wants to find there.

docs/guides/coding-assistant.md names the page of each one's documentation and when it was read.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ricordo.assistants.edits import Entry
from ricordo.assistants.forms import FORMS
from ricordo.assistants.plugins import plugin
from ricordo.settings import PREFIX, Settings, account_home

#: What the server is called in an agent's configuration.
NAME = "ricordo"
#: Settings that may hold a password or a key, which belongs in no agent's configuration.
_SECRET = tuple(each.name for each in fields(Settings) if not each.repr)
#: Seconds that an agent lets a hook take; ours end sooner by themselves.
_HOOK_SECONDS = 10


@dataclass(frozen=True)
class Machine:
    """The account whose agents are connected, and how Ricordo is started there."""

    home: Path
    environ: Mapping[str, str]
    platform: str

    @classmethod
    def here(cls) -> Machine:
        """This process's account. Raises InvalidInput where it has no home folder."""
        return cls(
            account_home("set HOME to the folder that holds the agents' configuration"), os.environ, sys.platform
        )

    def program(self) -> list[str]:
        """How to start `ricordo`."""
        found = shutil.which("ricordo", path=self.environ.get("PATH"))
        if found is None:
            return [sys.executable, "-P", "-m", "ricordo"]  # -P: nothing of the project is imported
        return [str(Path(found).absolute())]

    def variables(self) -> dict[str, str]:
        """Settings that are set here, and that are no secret."""
        names = [PREFIX + each.name.upper() for each in fields(Settings) if each.name not in _SECRET]
        return {name: self.environ[name] for name in names if self.environ.get(name)}

    def secrets(self) -> list[str]:
        """Secret settings that are set here and that an assistant needs, except the sync key, which sync stores."""
        needed = [each for each in _SECRET if each != "sync_key"]
        return [name for each in needed if (name := PREFIX + each.upper()) in self.environ]

    def hook(self, event: str, agent: str) -> str:
        """The command line of a hook, for a shell."""
        settings = [f"{name}={value}" for name, value in self.variables().items()]
        words = [*(["env", *settings] if settings else []), *self.program(), "hook"]
        return shlex.join([*words, *(["--for", agent] if agent != "claude-code" else []), event])

    def plugin(self, agent: str) -> str:
        """The plugin for an assistant that does not run shell commands as hooks."""
        return plugin(agent, [*self.program(), "hook", "--for", agent], self.variables())

    def config(self, *parts: str) -> Path:
        """A path below the folder of applications' configuration on Linux and macOS."""
        where = self.environ.get("XDG_CONFIG_HOME")
        return (Path(where) if where else self.home / ".config").joinpath(*parts)

    def application(self, *parts: str) -> Path:
        """A path below the folder where desktop applications keep theirs."""
        if self.platform == "darwin":
            return self.home.joinpath("Library", "Application Support", *parts)
        if self.platform == "win32":
            return Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming").joinpath(*parts)
        return self.config(*parts)

    def folder(self, variable: str, default: str) -> Path:
        """A folder that a variable names, or else the one in the home."""
        named = self.environ.get(variable)
        return Path(named) if named else self.home / default


@dataclass(frozen=True)
class Agent:
    """An assistant that can be connected."""

    name: str
    title: str
    #: Its program, where it has one on the path.
    program: str | None
    #: Paths of which one is there where it is installed.
    signs: Callable[[Machine], list[Path]]
    #: What its configuration is to hold.
    entries: Callable[[Machine], Iterator[Entry]]

    def is_installed(self, machine: Machine) -> bool:
        """Whether it is there."""
        if self.program and shutil.which(self.program, path=machine.environ.get("PATH")):
            return True
        return any(each.exists() for each in self.signs(machine))


def _server(machine: Machine, agent: str, **more: Any) -> dict[str, Any]:
    """The entry that most agents want for a server on standard input and output."""
    program, *arguments = machine.program()
    entry = {**more, "command": program, "args": [*arguments, "mcp", "--agent", agent]}
    variables = machine.variables()
    return {**entry, "env": variables} if variables else entry


def _grouped(machine: Machine, path: Path, agent: str, unit: int = 1) -> Iterator[Entry]:
    """Hooks in the form of Claude Code: groups with a list of commands, each with its timeout."""
    for event, ours in FORMS[agent].events.items():
        hook = {"type": "command", "command": machine.hook(ours, agent), "timeout": _HOOK_SECONDS * unit}
        yield Entry(path, "json", ("hooks", event), {"hooks": [hook]}, is_item=True)


def _claude_settings(machine: Machine) -> Path:
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"


def _claude_code(machine: Machine) -> Iterator[Entry]:
    where = machine.environ.get("CLAUDE_CONFIG_DIR")
    path = (Path(where) if where else machine.home) / ".claude.json"
    yield Entry(path, "json", ("mcpServers", NAME), _server(machine, "claude-code", type="stdio"))
    yield from _grouped(machine, _claude_settings(machine), "claude-code")


def _claude_desktop(machine: Machine) -> Iterator[Entry]:
    path = machine.application("Claude", "claude_desktop_config.json")
    yield Entry(path, "json", ("mcpServers", NAME), _server(machine, "claude-desktop"))


def _codex(machine: Machine) -> Iterator[Entry]:
    folder = machine.folder("CODEX_HOME", ".codex")
    yield Entry(folder / "config.toml", "toml", ("mcp_servers", NAME), _server(machine, "codex"))
    yield from _grouped(machine, folder / "hooks.json", "codex")


def _cursor(machine: Machine) -> Iterator[Entry]:
    folder = machine.home / ".cursor"
    yield Entry(folder / "mcp.json", "json", ("mcpServers", NAME), _server(machine, "cursor", type="stdio"))
    yield Entry(folder / "hooks.json", "json", ("version",), 1)
    for event, ours in FORMS["cursor"].events.items():
        hook = {"command": machine.hook(ours, "cursor"), "timeout": _HOOK_SECONDS}
        yield Entry(folder / "hooks.json", "json", ("hooks", event), hook, is_item=True)


def _gemini(machine: Machine) -> Iterator[Entry]:
    path = machine.home / ".gemini" / "settings.json"
    yield Entry(path, "json", ("mcpServers", NAME), _server(machine, "gemini-cli"))
    yield from _grouped(machine, path, "gemini-cli", unit=1000)  # milliseconds


def _vscode(machine: Machine) -> Iterator[Entry]:
    path = machine.application("Code", "User", "mcp.json")
    yield Entry(path, "json", ("servers", NAME), _server(machine, "vscode", type="stdio"))
    # The hooks of all workspaces are those of Claude Code, whose form it reads; it fires no SessionEnd.
    yield from _grouped(machine, _claude_settings(machine), "claude-code")


def _windsurf(machine: Machine) -> Iterator[Entry]:
    folder = machine.home / ".codeium" / "windsurf"
    yield Entry(folder / "mcp_config.json", "json", ("mcpServers", NAME), _server(machine, "windsurf"))
    for event, ours in FORMS["windsurf"].events.items():
        hook = {"command": machine.hook(ours, "windsurf"), "show_output": False}
        yield Entry(folder / "hooks.json", "json", ("hooks", event), hook, is_item=True)


def _opencode(machine: Machine) -> Iterator[Entry]:
    folder = machine.config("opencode")
    path = folder / "opencode.jsonc"
    if not path.exists():
        path = folder / "opencode.json"
    variables = machine.variables()
    command = [*machine.program(), "mcp", "--agent", "opencode"]
    entry: dict[str, Any] = {"type": "local", "command": command, "enabled": True}
    yield Entry(path, "json", ("mcp", NAME), {**entry, "environment": variables} if variables else entry)
    yield Entry(folder / "plugins" / "ricordo.js", "file", (), machine.plugin("opencode"))


def _code_extension(extension: str, file: str, agent: str) -> Callable[[Machine], Iterator[Entry]]:
    def entries(machine: Machine) -> Iterator[Entry]:
        path = _extension(machine, extension) / "settings" / file
        yield Entry(path, "json", ("mcpServers", NAME), _server(machine, agent))
        if agent == "cline":
            for event, ours in FORMS["cline"].events.items():
                script = '#!/bin/sh\n# Written by `ricordo connect`; `ricordo disconnect` removes it.\nexec {} "$@"\n'
                text = script.format(machine.hook(ours, agent))
                path = machine.home / "Documents" / "Cline" / "Hooks" / event
                yield Entry(path, "file", (), text, executable=True)

    return entries


def _extension(machine: Machine, name: str) -> Path:
    return machine.application("Code", "User", "globalStorage", name)


def _zed_settings(machine: Machine) -> Path:
    return machine.config("zed", "settings.json")


def _zed(machine: Machine) -> Iterator[Entry]:
    yield Entry(_zed_settings(machine), "json", ("context_servers", NAME), _server(machine, "zed"))


def _goose(machine: Machine) -> Iterator[Entry]:
    program, *arguments = machine.program()
    entry = {
        "type": "stdio",
        "name": NAME,
        "description": "Long-term memory",
        "enabled": True,
        "cmd": program,
        "args": [*arguments, "mcp", "--agent", "goose"],
        "envs": machine.variables(),
        "timeout": 60,
    }
    yield Entry(machine.config("goose", "config.yaml"), "yaml", ("extensions", NAME), entry)


def _amp(machine: Machine) -> Iterator[Entry]:
    path = machine.config("amp", "settings.json")
    yield Entry(path, "json", ("amp.mcpServers", NAME), _server(machine, "amp"))
    yield Entry(machine.config("amp", "plugins", "ricordo.ts"), "file", (), machine.plugin("amp"))


#: Every agent, by its name.
AGENTS: Mapping[str, Agent] = {
    each.name: each
    for each in (
        Agent("claude-code", "Claude Code", "claude", lambda m: [m.folder("CLAUDE_CONFIG_DIR", ".claude"),
              m.home / ".claude.json"], _claude_code),
        Agent("claude-desktop", "Claude Desktop", None, lambda m: [m.application("Claude")], _claude_desktop),
        Agent("codex", "Codex", "codex", lambda m: [m.folder("CODEX_HOME", ".codex")], _codex),
        Agent("cursor", "Cursor", "cursor", lambda m: [m.home / ".cursor"], _cursor),
        Agent("gemini-cli", "Gemini CLI", "gemini", lambda m: [m.home / ".gemini"], _gemini),
        Agent("vscode", "VS Code Copilot", "code", lambda m: [m.application("Code", "User")], _vscode),
        Agent("windsurf", "Windsurf", "windsurf", lambda m: [m.home / ".codeium" / "windsurf"], _windsurf),
        Agent("opencode", "OpenCode", "opencode", lambda m: [m.config("opencode")], _opencode),
        Agent("cline", "Cline", None, lambda m: [_extension(m, "saoudrizwan.claude-dev")],
              _code_extension("saoudrizwan.claude-dev", "cline_mcp_settings.json", "cline")),
        Agent("roo", "Roo Code", None, lambda m: [_extension(m, "rooveterinaryinc.roo-cline")],
              _code_extension("rooveterinaryinc.roo-cline", "mcp_settings.json", "roo")),
        Agent("zed", "Zed", "zed", lambda m: [_zed_settings(m).parent], _zed),
        Agent("goose", "Goose", "goose", lambda m: [m.config("goose")], _goose),
        Agent("amp", "Amp", "amp", lambda m: [m.config("amp")], _amp),
    )
}  # fmt: skip
