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

_HEADER = re.compile(r"^\s*\[\[?(?P<name>[^\[\]]+)\]\]?\s*(#.*)?$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


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
            raise InvalidInput("client", f"{self.path} was changed by another program just now; do it again")
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
    before = _toml(path, text)
    wanted = deepcopy(before)
    parent = wanted
    for part in name[:-1]:
        parent = parent.setdefault(part, {})
    old = parent.get(name[-1]) or {}
    if entry is None:
        parent.pop(name[-1], None)
    else:
        parent[name[-1]] = {**old, **entry}
    if wanted == before:
        return text
    rest = _without_table(text, name).rstrip("\n")
    ours = "" if entry is None else _table(name, parent[name[-1]])
    after = "\n\n".join(each for each in (rest, ours.rstrip("\n")) if each) + "\n"
    if entry is None and not rest:
        after = ""
    if _without_empty(_toml(path, after)) != _without_empty(wanted):
        where = ".".join(name)
        raise InvalidInput("client", f"{path} holds {where} in a form that Ricordo does not change; edit it by hand")
    return after


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput("client", f"{path} is not in UTF-8; mend it first") from None


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
        raise InvalidInput("client", f"{path} is no plain JSON ({error}); mend it, or add Ricordo by hand") from None
    if not isinstance(config, dict):
        raise InvalidInput("client", f"{path} holds no JSON object; mend it first")
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
        raise InvalidInput("client", f"{path} is no TOML ({error}); mend it first") from None


def _without_table(text: str, name: tuple[str, ...]) -> str:
    """The text without the lines of a table and of the tables in it."""
    kept: list[str] = []
    inside = False
    for line in text.splitlines():
        header = _HEADER.match(line)
        if header:
            parts = tuple(part.strip().strip("\"'") for part in header["name"].split("."))
            inside = parts[: len(name)] == name
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def _table(name: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """A table with its values, then the tables in it."""
    lines = [f"[{'.'.join(map(_key, name))}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in entry.items() if not isinstance(value, dict)]
    inner = [_table((*name, key), value) for key, value in entry.items() if isinstance(value, dict)]
    return "\n".join([*lines, *(["", *inner] if inner else [])])


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    """A value in TOML, whose basic strings are those of JSON but for the sign DEL."""
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)  # dates and times are written as they are read


def _without_empty(value: dict[str, Any]) -> dict[str, Any]:
    """Without tables that hold nothing, which only their headers tell of."""
    inner = {key: _without_empty(each) if isinstance(each, dict) else each for key, each in value.items()}
    return {key: each for key, each in inner.items() if each != {}}
