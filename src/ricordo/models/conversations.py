"""Conversations to store, and the results of storing them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from ricordo.models.base import ApiModel
from ricordo.models.roles import Role
from ricordo.models.writes import WriteStatus


class Message(ApiModel):
    """A turn of a conversation to store. `content` is stored word for word."""

    #: Who speaks, in the model's terms.
    role: Role = "user"
    #: Who speaks, by name; none where only the role is known.
    name: str | None = None
    content: str
    #: Time of the message; a time without a zone counts as UTC. None if the source does not state it.
    at: datetime | None = None
    #: The source's own id of the turn, which makes a second mining of it a duplicate; none where it has none.
    id: str | None = None

    @property
    def is_speech(self) -> bool:
        """Whether somebody said it: what tools and systems tell is no talk, and is not mined."""
        return self.role not in ("system", "tool")


class Conversation(ApiModel):
    """A conversation read from a source, ready to be mined."""

    #: The source's id: mining the same id again adds only the turns that are new.
    id: str
    title: str | None = None
    messages: tuple[Message, ...]
    #: Where it came from: `chatgpt`, `claude_ai`, `claude_code`, `markdown`, `text`, `json`, `api` …
    source: str = "api"
    #: The project or folder that it belongs to, if the source states it; it becomes the wing.
    project: str | None = None
    #: Whether the id is made from where the file lies, as the source has none. A copy of it is known by its turns.
    from_path: bool = False


class Problem(ApiModel):
    """Something that was skipped or repaired while reading a source, and where."""

    path: str
    #: 1-based line (or element, for JSON arrays) where it stands; None when it concerns the whole file.
    line: int | None = None
    what: str
    #: True if at least one turn was left out; False if it was stored in a repaired form.
    lost: bool = True

    def __str__(self) -> str:
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.what}"


class Rejection(ApiModel):
    """A turn that was not stored, and why."""

    #: Its 0-based index among the messages that were given.
    index: int
    reason: str


class Omission(ApiModel):
    """Parts of a stored turn that were not stored: parts that are not text, and text redacted by a policy."""

    #: The turn's 0-based index among the messages that were given.
    index: int
    what: str


class Receipt(ApiModel):
    """The result of mining a conversation."""

    status: WriteStatus
    reason: str | None = None
    conversation: str
    #: The id of the conversation in the store; None where nothing of it was ever stored.
    id: UUID | None = None
    #: Where it stands in the palace, such as `§ W-001/R-002`.
    pointer: str | None = None
    #: Turns written by this call, stored turns that have another text now, turns that were already there, and turns
    #: refused.
    stored: int = 0
    edited: int = 0
    duplicates: int = 0
    rejected: tuple[Rejection, ...] = ()
    #: Parts of the other turns that are no text, such as pictures, and what was redacted in them.
    left_out: tuple[Omission, ...] = ()
    #: Turns of this user that have no vector yet, counted up to 1,000; keyword search finds them already.
    pending: int = 0


class ImportReport(ApiModel):
    """The result of importing chat files."""

    conversations: int
    #: Turns written (with `dry_run`: read), stored turns that have another text now, and turns that were there before.
    stored: int
    edited: int = 0
    duplicates: int = 0
    #: Turns that were forgotten here, and stay so; with `again` they are stored.
    forgotten: int = 0
    #: What was left out or mended, where and why.
    problems: tuple[Problem, ...] = ()
    dry_run: bool = False
    #: The import, by which its turns can be forgotten together; None where nothing was written.
    id: UUID | None = None

    @property
    def lost(self) -> int:
        """How many problems left something out."""
        return sum(each.lost for each in self.problems)


class SessionStart(ApiModel):
    """The context for the beginning of a coding assistant's session."""

    context: str = ""
    #: Ids of the memories that it quotes.
    ids: tuple[UUID, ...] = ()
    #: When the project's last conversation ended, if there is one.
    last_at: datetime | None = None


class WatchReport(ImportReport):
    """The result of mining a watched file."""

    #: The file, as text that can be shown.
    file: str
