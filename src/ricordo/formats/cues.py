"""Lines of a text that may begin a turn: a speaker's name, perhaps a time, and the first words.

Whether the name is a speaker's is not decided here but in `cast`, from the whole text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ricordo.formats.roles import role_of_label
from ricordo.formats.stamps import STAMP, Stamp, stamp

Style = Literal["heading", "bold", "line"]

#: A longer heading is no speaker's name.
_HEADING_CHARACTERS = 200

#: One to forty characters with none that names don't have; at most four words are taken, see `_named`.
_NAME = r"(?P<name>[^\s:：/\\<>{}\[\]()=\"|,;!?*#`\-+.&$%^][^\n:：/\\<>{}\[\]()=\"|,;!?*#`]{0,39}?)"
#: Between brackets a zone may have a name that is not known.
_ANY_ZONE = r"(?:\s[A-Z]{2,5})?"
_BEFORE = (
    rf"(?:(?:\[(?P<before_1>{STAMP}){_ANY_ZONE}\]|\((?P<before_2>{STAMP}){_ANY_ZONE}\)|(?P<before_3>{STAMP})(?=\s))"
    r"\s*)?"
)
_AFTER = rf"(?:\s*[\[(](?P<after>{STAMP}){_ANY_ZONE}[\])])?"
_TEXT = r"[ \t]*(?P<text>.*)"

_LINE = re.compile(rf"{_BEFORE}{_NAME}{_AFTER}\s*(?::(?=\s|$)|：){_TEXT}")
_BOLD = re.compile(
    rf"{_BEFORE}(?P<mark>\*\*|__){_NAME}(?:\s*[\[(](?P<inside>{STAMP})[\])])?\s*(?P<colon_1>[:：])?(?P=mark)"
    rf"{_AFTER}\s*(?P<colon_2>[:：](?=\s|$))?{_TEXT}"
)
_HEADING = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<body>.+?)(?:[ \t]+#+)?[ \t]*")
_HEADING_BODY = re.compile(
    rf"{_BEFORE}[^\w\s]*\s*{_NAME}(?:\s*[\[(](?P<after>{STAMP})[\])]|\s*[-–—·|,]\s*(?P<inside>{STAMP}))?\s*[:：]?"
)
_STAMPED = re.compile(rf"(?:\[{STAMP}{_ANY_ZONE}\]|\({STAMP}{_ANY_ZONE}\)|{STAMP}(?=\s))")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Cue:
    """A line that may begin a turn."""

    style: Style
    #: The name as it was written.
    name: str
    #: What the line says after the name.
    text: str
    stamp: Stamp | None = None
    #: How many `#` a heading has; 0 for other styles.
    level: int = 0

    @property
    def key(self) -> str:
        """The name by which two cues are of one speaker."""
        return " ".join(self.name.casefold().split())

    @property
    def timed(self) -> bool:
        """True where a time of day stands beside the name, which is a strong sign of a chat."""
        return self.stamp is not None and self.stamp.time is not None


def cue(line: str) -> Cue | None:
    """The cue that `line` may be, or None. Only lines that begin in the first column can be one."""
    if not line or line[0].isspace():
        return None
    if line[0] == "#":
        return _heading(line) if len(line) <= _HEADING_CHARACTERS else None
    found = _BOLD.fullmatch(line) if "**" in line or "__" in line else None
    if found:
        said = _stamp_of(found, "before_1", "before_2", "before_3", "inside", "after")
        named = _named("bold", found["name"], found["text"], said)
        alone = not found["text"] and named and (said or role_of_label(named.name))
        return named if found["colon_1"] or found["colon_2"] or alone else None
    found = _LINE.fullmatch(line) if ":" in line or "：" in line else None
    if found:
        said = _stamp_of(found, "before_1", "before_2", "before_3", "after")
        return _named("line", found["name"], found["text"], said)
    return None


def stamp_shape(line: str) -> str | None:
    """The form of the stamp that a line begins with, as each line of a log does (`[0000-00-00 00:00]`), or None."""
    found = _STAMPED.match(line)
    return _DIGIT.sub("0", found[0]) if found else None


def _heading(line: str) -> Cue | None:
    heading = _HEADING.fullmatch(line)
    body = _HEADING_BODY.fullmatch(_unmarked(heading["body"])) if heading else None
    if heading is None or body is None:
        return None
    said = _stamp_of(body, "before_1", "before_2", "before_3", "inside", "after")
    return _named("heading", body["name"], "", said, len(heading["level"]))


def _unmarked(body: str) -> str:
    for mark in ("**", "__", "*", "_"):
        body = body.removeprefix(mark)
        if body.endswith(mark):
            body = body.removesuffix(mark)
    return body.replace("**", "").strip()


def _named(style: Style, name: str, text: str, said: Stamp | None, level: int = 0) -> Cue | None:
    name = name.strip()
    if not 1 <= len(name.split()) <= 4 or " - " in name:
        return None
    return Cue(style, name, text, said, level)


def _stamp_of(found: re.Match[str], *groups: str) -> Stamp | None:
    return next((stamp(found[group]) for group in groups if found[group]), None)
