"""Changes to other programs' configuration files: shown before they are made, nothing lost, whole or not at all."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from difflib import unified_diff
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput


@dataclass(frozen=True)
class Change:
    """A file as it is, None where there is none, and as it would be."""

    path: Path
    before: str | None
    after: str

    def diff(self) -> str:
        """The lines that go and come; no others, since these may hold what is nobody's business."""
        lines = unified_diff((self.before or "").splitlines(), self.after.splitlines(), lineterm="", n=0)
        return "\n".join(each for each in lines if not each.startswith(("---", "+++", "@@")))

    def write(self) -> Path | None:
        """Write the file whole, beside a copy of what it was, whose path is returned.

        Raises InvalidInput where it was changed meanwhile, and OSError.
        """
        path = Path(os.path.realpath(self.path))  # a link stays one
        if _read(path) != self.before:
            raise InvalidInput("client", f"another program just changed {self.path}: try again")
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = None
        if self.before is not None:
            backup = path.with_name(f"{path.name}.before-ricordo-{datetime.now():%Y%m%d-%H%M%S-%f}")
            _write(backup, self.before, path)
        _write(path, self.after, path)
        return backup


@dataclass(frozen=True)
class Edit:
    """How a file's text is to be changed."""

    path: Path
    edited: Callable[[str], str]

    @classmethod
    def of_json(cls, path: Path, edit: Callable[[dict[str, Any]], None]) -> Edit:
        """An edit of a JSON object in its place; the order of its members and its indentation stay."""
        return cls(path, lambda text: _edited_json(path, text, edit))

    def change(self) -> Change | None:
        """The change that it would make; None for none. Raises InvalidInput where the file cannot be understood."""
        before = _read(self.path)
        after = self.edited(before or "")
        return None if after == (before or "") else Change(self.path, before, after)


def set_toml_table(path: Path, text: str, name: tuple[str, ...], entry: Mapping[str, Any] | None) -> str:
    """The text with this table, or without it; every other line stays, with its comments.

    Where that does not come to just this change of what the file says, nothing is done: raises InvalidInput.
    """
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
            around.append(around[-1].get(part, {}))
        if around[-1].pop(last, None) is None:
            return
        for parent, part in zip(reversed(around[:-1]), reversed(outer), strict=True):
            if part in parent and not parent[part]:
                del parent[part]
        return
    for part in outer:
        if part not in config:
            config[part] = {}
        config = config[part]
    if last not in config:
        config[last] = dict(entry)
    else:
        config[last].update(entry)


def _unchangeable(path: Path, name: tuple[str, ...]) -> InvalidInput:
    where = ".".join(name)
    return InvalidInput("client", f"{path} contains {where} in a form that Ricordo cannot edit: edit it by hand")


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput("client", f"{path} is not valid UTF-8: fix the file first") from None


def _write(path: Path, text: str, like: Path) -> None:
    """Write a file so that it is there whole or not at all, with the permissions of another one."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if like.exists():
            Path(temporary).chmod(like.stat().st_mode & 0o777)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _edited_json(path: Path, text: str, edit: Callable[[dict[str, Any]], None]) -> str:
    try:
        config = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise InvalidInput(
            "client", f"{path} is not valid JSON ({error}): fix the file, or add Ricordo by hand"
        ) from None
    if not isinstance(config, dict):
        raise InvalidInput("client", f"{path} does not contain a JSON object: fix the file first")
    before = deepcopy(config)
    edit(config)
    if config == before:
        return text
    indent = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    end = "\n" if text.endswith("\n") or not text else ""
    return json.dumps(config, ensure_ascii=False, indent=indent[1] if indent else 2) + end


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput("client", f"{path} is not valid TOML ({error}): fix the file first") from None
