"""Changes to other programs' configuration files: shown before they are made, nothing lost, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any, Literal

from ricordo.assistants import jsonc
from ricordo.errors import InvalidInput

Kind = Literal["json", "toml", "yaml", "file"]


@dataclass(frozen=True)
class Entry:
    """Something that a file is to hold: a value at a path, an item of the array there, or the whole file."""

    path: Path
    kind: Kind
    at: tuple[str, ...]
    value: Any
    #: Whether the value is one item of an array, beside those of others.
    is_item: bool = False
    #: Whether the file is a program.
    executable: bool = False

    def put(self, text: str) -> str:
        """The file's text with it. Raises InvalidInput where the file says something that cannot be changed safely."""
        with _explained(self.path):
            match self.kind:
                case "file":
                    return str(self.value)
                case "toml":
                    return set_toml_table(self.path, text, self.at, self.value)
                case "yaml":
                    return _set_yaml(text, self.at, self.value)
                case "json":
                    if self.is_item:
                        return jsonc.with_item(_json_without(text, self, keep=True), self.at, self.value)
                    return jsonc.with_value(text, self.at, self.value)

    def take(self, text: str) -> str:
        """The file's text without it."""
        with _explained(self.path):
            match self.kind:
                case "file":
                    return ""
                case "toml":
                    return set_toml_table(self.path, text, self.at, None)
                case "yaml":
                    return _set_yaml(text, self.at, None)
                case "json":
                    if not text.lstrip("\ufeff").strip():
                        return text
                    if self.is_item:
                        return _json_without(text, self, keep=False)
                    return jsonc.without(text, self.at)

    def is_in(self, text: str) -> bool:
        """Whether the file holds it as it is to be."""
        return bool(text) and self.put(text) == text


@dataclass(frozen=True)
class Change:
    """A file as it is, None where there is none, and as it would be, None where it would be removed."""

    path: Path
    before: bytes | None
    after: bytes | None
    executable: bool = False

    def diff(self) -> str:
        """The lines that go and come; no others, since these may hold what is nobody's business."""
        old, new = ((each or b"").decode("utf-8-sig", "replace").splitlines() for each in (self.before, self.after))
        lines = unified_diff(old, new, lineterm="", n=0)
        return "\n".join(each for each in lines if not each.startswith(("---", "+++", "@@")))

    def make(self) -> list[str]:
        """Write or remove the file, whole; returns the folders that were made for it.

        Raises InvalidInput where it was changed meanwhile, and OSError.
        """
        path = Path(os.path.realpath(self.path))  # a link stays one
        if read(path) != self.before:
            raise InvalidInput("agent", f"{self.path} was changed by another program just now; do it again")
        if self.after is None:
            path.unlink()
            return []
        made = [str(each) for each in (path.parent, *path.parent.parents) if not each.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, self.after, 0o755 if self.executable else 0o644)
        return made


def read(path: Path) -> bytes | None:
    """The bytes of a file; None where there is none. Raises InvalidInput for what is no file: reading a pipe would not
    end."""
    if path.exists() and not path.is_file():
        raise InvalidInput("agent", f"{path} is not a regular file; edit the assistant's configuration by hand")
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def text_of(path: Path, content: bytes | None) -> str:
    """The text of a file, with its line ends and its byte order mark. Raises InvalidInput."""
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("agent", f"{path} is not in UTF-8; convert it first") from None


class Ledger:
    """What was changed for which agent, so that it can be undone to the byte."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._agents: dict[str, dict[str, Any]] = {}
        self._load()

    def agents(self) -> list[str]:
        """The agents that are connected."""
        return sorted(self._agents)

    def note(self, agent: str, change: Change, folders: Sequence[str]) -> None:
        """Remember a change that was made to connect an agent."""
        self._load()
        files = self._agents.setdefault(agent, {})
        known = self._known(str(change.path))
        before = change.before
        if known is not None and _digest(change.before) == known["after"]:  # it was ours: what was before that counts
            before, folders = _bytes(known["before"]), [*known["folders"], *folders]
        if known is not None:
            for each in self._agents.values():
                each.pop(str(change.path), None)
        files[str(change.path)] = {
            "before": None if before is None else base64.b64encode(before).decode(),
            "after": _digest(change.after),
            "folders": list(folders),
        }
        self._save()

    def before(self, path: Path, now: bytes | None) -> tuple[bytes | None, list[str]] | None:
        """What a file was before the first change and the folders that were made for it, where nobody changed it
        since; else None."""
        known = self._known(str(path))
        if known is None or _digest(now) != known["after"]:
            return None
        return _bytes(known["before"]), known["folders"]

    def was_made(self, path: Path) -> bool:
        """Whether there was no such file before."""
        known = self._known(str(path))
        return known is not None and known["before"] is None

    def connect(self, agent: str) -> None:
        """Remember that an agent is connected."""
        self._load()
        self._agents.setdefault(agent, {})
        self._save()

    def forget(self, agent: str, paths: Sequence[Path]) -> None:
        """Remember of an agent, and of files that are as they were, nothing more."""
        self._load()
        left = self._agents.pop(agent, {})
        if self._agents:  # a file that two agents read stays known as long as one is connected
            next(iter(self._agents.values())).update(left)
        for files in self._agents.values():
            for path in paths:
                files.pop(str(path), None)
        self._save()

    def _known(self, path: str) -> dict[str, Any] | None:
        return next((files[path] for files in self._agents.values() if path in files), None)

    def _load(self) -> None:
        content = read(self._path)
        self._agents = json.loads(content) if content else {}

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        _write(self._path, json.dumps(self._agents, indent=1).encode(), 0o600)


def _digest(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turns what a file's parser says into InvalidInput with what to do."""
    try:
        yield
    except InvalidInput:
        raise
    except TypeError as error:
        where = error.args[0] if error.args else "a value"
        raise InvalidInput(
            "agent", f"{path}: expected {where} to be a table or mapping; edit the file by hand"
        ) from None
    except ValueError as error:
        raise InvalidInput("agent", f"{path} cannot be read ({error}); correct it, or edit it by hand") from None


def _json_without(text: str, entry: Entry, keep: bool) -> str:
    """The text without the items at the entry's path that run Ricordo for the same event; with `keep` one that is as
    the entry says stays."""
    if not text.lstrip("\ufeff").strip():
        return text
    root: Any = jsonc.parsed(text).value
    for key in entry.at:
        root = root.get(key) if isinstance(root, dict) else None
    if not isinstance(root, list):
        return text
    wanted = commands_in(entry.value)
    ours = [number for number, item in enumerate(root) if item == entry.value or _is_ours(item, wanted)]
    if keep and (same := [number for number in ours if root[number] == entry.value]):
        ours.remove(same[0])
    for number in reversed(ours):
        text = jsonc.without(text, (*entry.at, number))
    return text


def commands_in(value: Any) -> set[str]:
    """The commands that a hook's entry runs."""
    if isinstance(value, Mapping):
        own = {value["command"]} if isinstance(value.get("command"), str) else set()
        return own.union(*(commands_in(each) for each in value.values()))
    if isinstance(value, list):
        return set().union(*(commands_in(each) for each in value))
    return set()


def _is_ours(item: Any, wanted: set[str]) -> bool:
    """Whether an item runs nothing but Ricordo's command for the same event, of whatever installation."""
    events = {each.rpartition(" hook ")[2] for each in wanted}
    runs = commands_in(item)
    return bool(runs) and all(
        "ricordo" in each and " hook " in each and each.rpartition(" hook ")[2] in events for each in runs
    )


def _set_yaml(text: str, at: tuple[str, ...], value: Any) -> str:
    """The text with or without this value; comments and quotes stay."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1 << 20
    yaml.indent(mapping=2, sequence=4, offset=2) if "\n  - " in text else yaml.indent(mapping=2, sequence=2, offset=0)
    try:
        document = yaml.load(text) if text.strip() else {}
        plain = YAML(typ="safe", pure=True).load(text) if text.strip() else {}
    except YAMLError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    if not isinstance(plain, dict):
        raise TypeError("the file")
    wanted = deepcopy(plain)
    for config in (document, wanted):
        _set(config, at, value)
    if wanted == plain:
        return text
    if not wanted:
        return ""
    out = io.StringIO()
    yaml.dump(document, out)
    comments = [each.strip() for each in text.splitlines() if each.lstrip().startswith("#")]
    after = out.getvalue()
    left = [each.strip() for each in after.splitlines()]
    if YAML(typ="safe", pure=True).load(after) != wanted or any(each not in left for each in comments):
        raise TypeError(".".join(at))
    return after


def set_toml_table(path: Path, text: str, name: tuple[str, ...], entry: Mapping[str, Any] | None) -> str:
    """The text with this table, or without it; every other line stays, with its comments.

    Where that does not come to just this change of what the file says, nothing is done: raises InvalidInput.
    """
    if text.startswith("\ufeff"):
        after = set_toml_table(path, text[1:], name, entry)
        return f"\ufeff{after}" if after else ""
    import tomlkit  # 40 ms, which `ricordo mcp` has no time for when it starts
    from tomlkit.exceptions import TOMLKitError

    before = _toml(path, text)
    wanted, document = deepcopy(before), tomlkit.parse(text)
    try:
        for config in (wanted, document):
            _set(config, name, entry)
    except (TypeError, AttributeError, TOMLKitError):
        raise _unchangeable(path, name) from None
    if wanted == before:
        return text
    after = tomlkit.dumps(document)
    if entry is None:
        after = after.rstrip("\n") + "\n" if after.strip() else ""
    if _toml(path, after) != wanted:
        raise _unchangeable(path, name)
    return after


def _set(config: Any, name: tuple[str, ...], entry: Mapping[str, Any] | None) -> None:
    """Set the values of a table, which keeps its others; or remove it, with the tables around it that hold no more."""
    *outer, last = name
    if entry is None:
        around = [config]
        for part in outer:
            around.append(_table(around[-1].get(part), part))
        if around[-1].pop(last, None) is None:
            return
        for parent, part in zip(reversed(around[:-1]), reversed(outer), strict=True):
            if part in parent and not parent[part]:
                del parent[part]
        return
    for part in outer:
        if config.get(part) is None:  # YAML's `extensions:` with nothing after it is null
            config[part] = {}
        config = _table(config[part], part)
    if config.get(last) is None:
        config[last] = dict(entry)
    else:
        _table(config[last], last).update(entry)


def _table(value: Any, name: str) -> Any:
    """A value that is to hold others; an empty one where it is null. Raises TypeError for what can hold none."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(name)
    return {} if value is None else value


def _unchangeable(path: Path, name: tuple[str, ...]) -> InvalidInput:
    where = ".".join(name)
    return InvalidInput("agent", f"{path} holds {where} in a form that Ricordo does not change; edit it by hand")


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write a file so that it is there whole or not at all, with the permissions of the one that was there."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput("agent", f"{path} is not valid TOML ({error}): correct the file, then try again") from None
