"""A conversation in the making: the one place where what a source holds is checked, mended and made a Message.

Whatever format it came from, a turn that leaves here can be stored: its text holds no NUL and no lone
surrogate, is no longer than `TURN_BYTES`, and its time is possible. What had to be mended or left out for
that is reported.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from ricordo.formats.problems import Reporter, Where, kind, shown
from ricordo.formats.repository import of_remote, project_of
from ricordo.formats.times import moment
from ricordo.models import SELF, Conversation, Message, Role, role_of
from ricordo.rules import mended

#: A turn with more UTF-8 bytes of text than this is reported and left out.
TURN_BYTES = 1_000_000

#: A conversation that is read as a stream goes on under a new id after so many turns or characters.
PART_TURNS = 50_000
PART_CHARACTERS = 32_000_000

#: A name that somebody else has, in a chat or in the sender of a mail, and that would make them the user.
_LIKE_SELF = re.compile(rf"\W*{SELF}(?:['’]s)?\W*", re.IGNORECASE)

#: Adds the turn of a message, an object of some format, to a draft; what is wrong with it is reported.
AddTurn = Callable[["Draft", dict[str, object], Where, Reporter], None]

_LABEL_CHARACTERS = 200


class Draft:
    """Collects the turns of one conversation and gives it out when it is complete, or full.

    `title` and `project` may be set until it is given out. A conversation that is too large to be held goes
    on under the id `ID~2`, `ID~3` …; where it is cut depends on the turns before the cut only, so that the
    parts of a file that grows stay what they were.
    """

    def __init__(self, report: Reporter, *, source: str, id: str, title: object = None, project: object = None) -> None:
        self._report = report
        self._source = source
        self._id = identifier(id) or id
        self.title = title
        self.project = project
        self._part = 1
        self._now = datetime.now(UTC)
        self._unknown_roles: set[str] = set()
        self._start_part()

    def _start_part(self) -> None:
        self._messages: list[Message] = []
        self._characters = 0
        self._texts: dict[str, int] = {}

    @property
    def full(self) -> bool:
        """True when `take` should be called before more is added."""
        return len(self._messages) >= PART_TURNS or self._characters >= PART_CHARACTERS

    def add(
        self,
        content: object,
        *,
        role: object,
        name: object = None,
        at: object = None,
        id: object = None,
        where: Where = None,
    ) -> None:
        """Adds a turn, given as the source holds it; a problem with it is reported for `where`.

        Blank turns, and those whose id and text came before, are skipped without a word.
        """
        text = self._content(content, where)
        if text is None:
            return
        known_as = identifier(id)
        if known_as is not None:
            before = self._texts.get(known_as)
            if before == hash(text):
                return
            if before is None:
                self._texts[known_as] = hash(text)
            else:
                self._report(
                    f"the id {shown(id)} is used by another turn; stored without an id", where=where, lost=False
                )
                known_as = None
        spoken_by, speaker = self._speaker(role, name, where)
        self._characters += len(text)
        self._messages.append(Message(role=spoken_by, name=speaker, content=text, at=self._at(at, where), id=known_as))

    def fill(self, messages: Iterable[object], number: int | None, add_turn: AddTurn) -> Iterator[Conversation]:
        """Adds each message by `add_turn`, and gives out the conversation, in parts where it is long.

        `number` is its element or line in the source.
        """
        for count, message in enumerate(messages, start=1):
            self.take_in(message, (number, count), add_turn)
            if self.full:
                yield from self.take()
        yield from self.take()

    def take_in(self, message: object, where: Where, add_turn: AddTurn) -> None:
        """Adds a message by `add_turn`, which knows its format; one that is no object is reported."""
        if isinstance(message, dict):
            add_turn(self, message, where, self._report)
        else:
            self._report(f"{kind(message)} where a message should be", where=where)

    def take(self) -> Iterator[Conversation]:
        """Gives out the turns that were added since the last call, as one conversation; none if there are none."""
        if self._messages:
            yield Conversation(
                id=self._id if self._part == 1 else f"{self._id}~{self._part}",
                title=label(self.title),
                messages=tuple(self._messages),
                source=self._source,
                project=label(self.project),
            )
            self._part += 1
            self._start_part()

    def _content(self, content: object, where: Where) -> str | None:
        if content is None:
            return None
        if not isinstance(content, str):
            self._report(f"a turn's text is {kind(content)}", where=where)
            return None
        if not content.strip():
            return None
        if len(content) > TURN_BYTES // 4 and len(content.encode("utf-8", "replace")) > TURN_BYTES:
            self._report(f"a turn of {len(content):,} characters exceeds the limit of 1 MB", where=where)
            return None
        text = mended(content)
        if text != content:
            what = "a turn contains NUL characters or half surrogates; replaced each with U+FFFD"
            self._report(what, where=where, lost=False)
        return text

    def _speaker(self, role: object, name: object, where: Where) -> tuple[Role, str | None]:
        speaker = label(name)
        if speaker is not None and _LIKE_SELF.fullmatch(speaker):
            speaker = f"{speaker} ({self._source})"
        known = role_of(role) if isinstance(role, str) else None
        if known is not None:
            return known, speaker
        if role is None and speaker is not None:
            return "user", speaker
        word = shown(role)
        if word not in self._unknown_roles:
            self._unknown_roles.add(word)
            what = "a turn has no role" if role is None else f"unknown role {word}"
            self._report(f"{what}; stored as user", where=where, lost=False)
        return "user", speaker or (label(role) if isinstance(role, str) else None)

    def _at(self, at: object, where: Where) -> datetime | None:
        try:
            return moment(at, self._now)
        except ValueError as error:
            self._report(f"the time {shown(at)} {error}; the turn was stored without a time", where=where, lost=False)
            return None


def label(value: object) -> str | None:
    """A title, a name or a project as it may be stored: on one line, at most 200 characters; None for none."""
    if not isinstance(value, str):
        return None
    text = " ".join(mended(value[: 4 * _LABEL_CHARACTERS]).split())
    return (text if len(text) <= _LABEL_CHARACTERS else text[: _LABEL_CHARACTERS - 1] + "…") or None


def folder(path: object, remote: object = None) -> str | None:
    """The project of a path from any system: that of project_of if the path may be on this machine, else that of the
    remote address, else the last part of the path. None for no path."""
    if isinstance(path, str) and path.startswith("/") and path.strip("/"):
        return project_of(Path(path.rstrip("/")), remote)
    if named := of_remote(remote):
        return named
    parts = re.split(r"[\\/]+", path.strip()) if isinstance(path, str) else []
    return next((part for part in reversed(parts) if part), None)


def identifier(value: object) -> str | None:
    """A source's id as it may be stored: as it is up to 200 characters, else a digest of it; None for none."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        return None
    text = mended(value)
    if len(text) <= _LABEL_CHARACTERS:
        return text
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
