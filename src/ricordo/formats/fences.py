"""The lines of a text with what they are part of: front matter, code between fences, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

#: A fence that is not closed after so many lines is taken for none; the lines in between are held meanwhile.
_FENCED_LINES = 5000
_FRONT_LINES = 50

_FENCE = re.compile(r"\s{0,12}(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)")


class Marked(NamedTuple):
    """A line of a text."""

    number: int
    text: str
    part: Literal["front", "code", "text"]
    #: True where the line is too long to be read and `text` is only its beginning.
    cut: bool = False


def marked(lines: Iterable[tuple[int, str, bool]]) -> Iterator[Marked]:
    """Marks lines (number, text, cut). What begins like front matter or code and does not end is text."""
    return _with_code(_with_front(lines))


def _with_front(lines: Iterable[tuple[int, str, bool]]) -> Iterator[Marked]:
    rest = iter(lines)
    held: list[tuple[int, str, bool]] = []
    for line in rest:
        held.append(line)
        ends = len(held) > 1 and line[1].rstrip() == "---"
        if ends or held[0][1].rstrip() != "---" or len(held) > _FRONT_LINES:
            break
    else:
        ends = False
    for number, text, cut in held:
        yield Marked(number, text, "front" if ends else "text", cut)
    for number, text, cut in rest:
        yield Marked(number, text, "text", cut)


def _with_code(lines: Iterable[Marked]) -> Iterator[Marked]:
    held: list[Marked] = []
    for line in lines:
        if not held and (line.part != "text" or not _FENCE.fullmatch(line.text)):
            yield line
            continue
        held.append(line)
        if len(held) > 1 and _closes(line.text, held[0].text):
            yield from (each._replace(part="code") for each in held)
            held = []
        elif len(held) > _FENCED_LINES:
            yield from held
            held = []
    yield from held


def _closes(line: str, opening: str) -> bool:
    found, opened = _FENCE.fullmatch(line), _FENCE.fullmatch(opening)
    return bool(found and opened and found["mark"].startswith(opened["mark"]) and not found["info"].strip())
