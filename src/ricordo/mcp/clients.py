"""The clients that Ricordo can set up: where each keeps its configuration, and what it wants to find there.

Sources, as of November 2026: the documentation of Claude Code (`.mcp.json` of a project; `mcpServers` in
`~/.claude.json` of a user; hooks in `settings.local.json` and `settings.json`), Claude Desktop
(`claude_desktop_config.json`), Cursor (`mcp.json`), and Codex (`[mcp_servers.NAME]` in `config.toml`).
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from ricordo.errors import InvalidInput
from ricordo.mcp.edits import Change, Edit, set_toml_table
from ricordo.settings import PREFIX, Settings, account_home

Client = Literal["claude-code", "claude-desktop", "cursor", "codex"]
CLIENTS: tuple[Client, ...] = ("claude-code", "claude-desktop", "cursor", "codex")

#: What the server is called in a client.
NAME = "ricordo"
#: The agent whose journal and core a client of Claude Code works with, in its server and in its hooks.
_AGENT_OPTION = "--agent"
#: Settings that may hold a password or a key, which belongs in no client's configuration.
_SECRET = (
    "database_url",
    "database_owner_url",
    "database_read_url",
    "embedding_url",
    "embedding_key",
    "llm_url",
    "llm_key",
)
#: Seconds that Claude Code lets a hook take; ours end sooner by themselves.
_HOOK_SECONDS = 10
#: The events that hooks are for, the argument of `ricordo hook`, and which of them a hook is for.
_HOOKS = {
    "SessionStart": ("session-start", "startup|resume|clear"),
    "PreCompact": ("pre-compact", None),
    "SessionEnd": ("session-end", None),
}


@dataclass(frozen=True)
class Setup:
    """What is to be set up, and for whom."""

    client: Client
    #: For all projects of the user, and not only for the one at `folder`.
    user: bool
    folder: Path
    home: Path
    environ: Mapping[str, str]
    platform: str

    @classmethod
    def here(cls, client: Client, user: bool) -> Setup:
        """For this process's user, and its folder."""
        home = account_home("set HOME to the folder that holds the client's configuration")
        return cls(client, user or client == "claude-desktop", Path.cwd(), home, os.environ, sys.platform)

    def changes(self, *, hooks: bool, remove: bool = False) -> list[Change]:
        """What would be written into which file. Raises InvalidInput for a file that cannot be read."""
        if hooks and self.client != "claude-code":
            raise InvalidInput("hooks", f"hooks are not supported for {self.client}, only for claude-code")
        edits = [self._server(remove)]
        if hooks or (remove and self.client == "claude-code"):
            edits.append(self._hooks(remove))
        return [each for edit in edits if (each := edit.change()) is not None]

    def secrets(self) -> list[str]:
        """Variables that are set here and that the client's server would need too, but that are not written."""
        return [name for each in _SECRET if (name := PREFIX + each.upper()) in self.environ]

    def _server(self, remove: bool) -> Edit:
        path, entry = self._server_file(), None if remove else self._entry()
        if self.client == "codex":
            return Edit(path, lambda text: set_toml_table(path, text, ("mcp_servers", NAME), entry))
        return Edit.of_json(path, lambda config: _set_server(path, config, entry))

    def _hooks(self, remove: bool) -> Edit:
        path = self._hooks_file()
        added = None if remove else [*self._program(), "hook"]
        return Edit.of_json(path, lambda config: _set_hooks(path, config, added))

    def _server_file(self) -> Path:
        match self.client:
            case "claude-code":
                where = self.environ.get("CLAUDE_CONFIG_DIR")
                return (
                    (Path(where) if where else self.home) / ".claude.json" if self.user else self.folder / ".mcp.json"
                )
            case "claude-desktop":
                return self._desktop_folder() / "Claude" / "claude_desktop_config.json"
            case "cursor":
                return (self.home if self.user else self.folder) / ".cursor" / "mcp.json"
            case "codex":
                where = self.environ.get("CODEX_HOME") if self.user else None
                folder = Path(where) if where else (self.home if self.user else self.folder) / ".codex"
                return folder / "config.toml"

    def _hooks_file(self) -> Path:
        """Hooks of one project are kept out of what its people share."""
        if not self.user:
            return self.folder / ".claude" / "settings.local.json"
        where = self.environ.get("CLAUDE_CONFIG_DIR")
        return (Path(where) if where else self.home / ".claude") / "settings.json"

    def _desktop_folder(self) -> Path:
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming")
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")

    def _program(self) -> list[str]:
        """How to start `ricordo`."""
        found = shutil.which("ricordo", path=self.environ.get("PATH"))
        if found is None:
            return [sys.executable, "-P", "-m", "ricordo"]  # -P: nothing of the project is imported
        return ["ricordo"] if self._is_shared() else [str(Path(found).absolute())]

    def _entry(self) -> dict[str, Any]:
        """What a client needs to know of the server."""
        program, *arguments = self._program()
        entry: dict[str, Any] = {"command": program, "args": [*arguments, "mcp", _AGENT_OPTION, self.client]}
        if self.client in ("claude-code", "cursor"):
            entry = {"type": "stdio", **entry}
        if self._is_shared():
            return entry
        names = [PREFIX + each.name.upper() for each in fields(Settings) if each.name not in _SECRET]
        set_here = {name: self.environ[name] for name in names if self.environ.get(name)}
        return {**entry, "env": set_here} if set_here else entry

    def _is_shared(self) -> bool:
        """Whether the server's entry is in a file that a project's people share, which holds nothing of a machine."""
        return self.client == "claude-code" and not self.user


def _set_server(path: Path, config: dict[str, Any], entry: dict[str, Any] | None) -> None:
    servers = config.setdefault("mcpServers", {})
    if not isinstance(servers, dict):
        raise InvalidInput("client", f"mcpServers in {path} is not an object: fix the file first")
    if entry is None:
        servers.pop(NAME, None)
        if not servers:
            del config["mcpServers"]
    else:
        # What a person added to our entry, such as a timeout, stays.
        servers[NAME] = {**_dict(servers.get(NAME)), **entry}


def _set_hooks(path: Path, config: dict[str, Any], program: list[str] | None) -> None:
    """Put our hooks beside those of others, once each; none with no `program`."""
    hooks = config.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise InvalidInput("client", f"hooks in {path} is not an object: fix the file first")
    for event, (argument, matcher) in _HOOKS.items():
        groups = [_without_ours(each, argument) for each in hooks.get(event) or []]
        kept = [each for each in groups if each]
        if program:
            ours = {"type": "command", "command": shlex.join([*program, argument]), "timeout": _HOOK_SECONDS}
            kept.append({**({"matcher": matcher} if matcher else {}), "hooks": [ours]})
        if kept:
            hooks[event] = kept
        else:
            hooks.pop(event, None)
    if not hooks:
        del config["hooks"]


def _without_ours(group: Any, argument: str) -> Any:
    """A group of hooks without the ones that this module writes; None where none is left."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    others = [each for each in group["hooks"] if not _is_ours(each, argument)]
    if len(others) == len(group["hooks"]):
        return group
    return {**group, "hooks": others} if others else None


def _is_ours(hook: Any, argument: str) -> bool:
    command = _dict(hook).get("command")
    return isinstance(command, str) and "ricordo" in command and command.endswith(f" hook {argument}")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
