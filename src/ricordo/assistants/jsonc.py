"""Changes to JSON with comments (JSONC) in its text: every byte that is not part of the change stays.

There is no Python library that keeps comments and white space. This one reads the text into nodes with their places,
and inserts or cuts at these places. It takes comments of both kinds and trailing commas, as VS Code, Zed and OpenCode
do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
#: How deep values may be nested in one another.
_DEEPEST = 200


@dataclass
class Node:
    """A value and where it stands."""

    value: Any
    start: int
    end: int = 0
    #: The values of an object or an array, in their order, with where each begins: at its key, or at itself.
    inner: list[tuple[str | int, int, Node]] = field(default_factory=list)

    def at(self, key: str | int) -> Node | None:
        """The value of a key or a position; the last one where a key comes twice, as parsers take it."""
        return next((node for name, _, node in reversed(self.inner) if name == key), None)


def parsed(text: str) -> Node:
    """The text's one value. Raises ValueError, which says where."""
    llm = _Reader(text)
    llm.skip()
    if llm.at == len(text):
        raise ValueError("the file has no value")
    node = llm.value(0)
    llm.skip()
    if llm.at != len(text):
        raise llm.wrong()
    return node


def with_value(text: str, path: Sequence[str], value: Any) -> str:
    """The text where the member at `path` has this value; objects on the way are made. Raises ValueError, and TypeError
    where something on the way is no object."""
    if not text.lstrip("\ufeff").strip():
        text += "{}"
    node = parsed(text)
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            raise TypeError(".".join(path[:depth]) or "the file")
        found = node.at(key)
        if found is None:
            made: Any = value
            for name in reversed(path[depth + 1 :]):
                made = {name: made}
            return _added(text, node, json.dumps(key, ensure_ascii=False) + ": ", made)
        node = found
    if node.value == value:
        return text
    return text[: node.start] + _written(text, value, node.start) + text[node.end :]


def with_item(text: str, path: Sequence[str], value: Any) -> str:
    """The text where the array at `path`, which is made, has this item too, at its end."""
    root = parsed(text) if text.lstrip("\ufeff").strip() else None
    array = _found(root, path) if root else None
    if array is None:
        return with_value(text, path, [value])
    if not isinstance(array.value, list):
        raise TypeError(".".join(path))
    return text if value in array.value else _added(text, array, "", value)


def without(text: str, path: Sequence[str | int], *, prune: bool = True) -> str:
    """The text without what is at `path`; with `prune` also without what held nothing else."""
    root = parsed(text)
    around = [root]
    for key in path:
        found = around[-1].at(key)
        if found is None:
            return text
        around.append(found)
    depth = len(path) - 1
    while prune and depth > 0 and len(around[depth].inner) == 1:
        depth -= 1
    return _cut(text, around[depth], path[depth])


def _found(root: Node, path: Sequence[str | int]) -> Node | None:
    node: Node | None = root
    for key in path:
        node = node.at(key) if node is not None else None
    return node


def _added(text: str, node: Node, key: str, value: Any) -> str:
    """The text with one more value at the end of an object or array."""
    close = node.end - 1
    outer = _indent_of(text, node.start)
    line = _line_end(text)
    if not node.inner:
        held = text[node.start + 1 : close]
        inside = outer + _step(text)
        body = f"{line}{inside}{key}{_written(text, value, indent=inside)}"
        return text[: node.start + 1] + held.rstrip() + body + f"{line}{outer}" + text[close:]
    last = node.inner[-1][2].end
    after = text[last:close]
    trailing = _comma(after)
    comma = "" if trailing is not None else ","
    content = after.rstrip()
    is_wide = "\n" in text[node.start : close] or "//" in content
    if is_wide:
        inside = _indent_of(text, node.inner[-1][1])
        body = f"{line}{inside}{key}{_written(text, value, indent=inside)}"
        end = after[len(content) :] if "\n" in after[len(content) :] else f"{line}{outer}"
    else:
        body, end = f" {key}{json.dumps(value, ensure_ascii=False)}", after[len(content) :]
    return text[:last] + comma + content + body + end + text[close:]


def _cut(text: str, node: Node, key: str | int) -> str:
    """The text without one value of an object or array, and without one of the commas beside it."""
    at = max(number for number, (name, _, _) in enumerate(node.inner) if name == key)
    start, end = node.inner[at][1], node.inner[at][2].end
    if len(node.inner) == 1:
        comma = _comma(text[end : node.end - 1])
        end = end + comma + 1 if comma is not None else end
        held = text[node.start + 1 : start] + text[end : node.end - 1]
        return text[: node.start + 1] + (held.rstrip() if held.strip() else "") + text[node.end - 1 :]
    if at == len(node.inner) - 1:
        before = node.inner[at - 1][2].end
        comma = _comma(text[before:start]) or 0
        between = text[before + comma + 1 : start].rstrip()  # comments behind the value before
        return text[: before + comma] + between + text[end:]
    following = node.inner[at + 1][1]
    return text[:start] + text[following:]


def _comma(between: str) -> int | None:
    """Where the comma is in what stands between two values, or after the last one."""
    at = _end_of_space(between, 0)
    return at if between[at : at + 1] == "," else None


def _written(text: str, value: Any, start: int | None = None, indent: str | None = None) -> str:
    """A value as the text would have it at a place, or in a line of this indentation."""
    margin = indent if indent is not None else _indent_of(text, start or 0)
    lines = json.dumps(value, ensure_ascii=False, indent=_step(text)).split("\n")
    return (_line_end(text) + margin).join(lines)


def _indent_of(text: str, at: int) -> str:
    """The white space that the line of this place begins with."""
    begin = text.rfind("\n", 0, at) + 1
    return re.match(r"[ \t]*", text[begin:at]).group()  # type: ignore[union-attr]


def _step(text: str) -> str:
    """How far the text indents what is inside something."""
    found = re.search(r"^([ \t]+)[\"\[{]", text, re.MULTILINE)
    return found[1] if found else "  "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _end_of_space(text: str, at: int) -> int:
    """Where white space and comments end that begin at a place."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 1 if text.startswith("\ufeff") else 0

    def skip(self) -> None:
        """Go on to what is neither white space nor a comment."""
        self.at = _end_of_space(self._text, self.at)

    def wrong(self) -> ValueError:
        line = self._text.count("\n", 0, self.at) + 1
        return ValueError(f"line {line}: unexpected {self._text[self.at : self.at + 20]!r}")

    def value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise ValueError("it is nested too deep")
        sign = self._text[self.at : self.at + 1]
        if sign in ("{", "["):
            return self._several(depth, sign)
        found = (_STRING if sign == '"' else _SCALAR).match(self._text, self.at)
        if found is None:
            raise self.wrong()
        node = Node(json.loads(found[0]), self.at, found.end())
        self.at = found.end()
        return node

    def _several(self, depth: int, sign: str) -> Node:
        node, close = Node({} if sign == "{" else [], self.at), "}" if sign == "{" else "]"
        self._take(sign)
        while self._text[self.at : self.at + 1] != close:
            begin, key = self.at, len(node.inner)
            name: str | int = key
            if sign == "{":
                found = _STRING.match(self._text, self.at)
                if found is None:
                    raise self.wrong()
                name, self.at = json.loads(found[0]), found.end()
                self.skip()
                self._take(":")
            inner = self.value(depth + 1)
            node.inner.append((name, begin, inner))
            if isinstance(node.value, dict):
                node.value[name] = inner.value
            else:
                node.value.append(inner.value)
            self.skip()
            if self._text[self.at : self.at + 1] != close:
                self._take(",")
        self.at += 1
        node.end = self.at
        return node

    def _take(self, sign: str) -> None:
        if self._text[self.at : self.at + 1] != sign:
            raise self.wrong()
        self.at += 1
        self.skip()
