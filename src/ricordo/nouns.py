"""What Ricordo talks about: frozen models that cross every boundary. They hold no rule and reach no store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class Noun(BaseModel):
    """A frozen value; unknown fields are refused, so that a misspelt one is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(Noun):
    """One turn of a conversation as it came in. `content` is kept word for word."""

    #: Who speaks, in the model's terms.
    role: Literal["user", "assistant", "system", "tool"] = "user"
    #: Who speaks, by name; none where only the role is known.
    name: str | None = None
    content: str
    #: When it was said; a time without a zone is taken as UTC. None where the source does not tell.
    at: datetime | None = None
    #: The source's own id of the turn, which makes a second mining of it a duplicate; none where it has none.
    id: str | None = None


class Conversation(Noun):
    """A conversation as a source holds it, ready to be mined."""

    #: The source's id: mining the same id again adds only the turns that are new.
    id: str
    title: str | None = None
    messages: tuple[Message, ...]
    #: Where it came from: `chatgpt`, `claude_ai`, `claude_code`, `markdown`, `text`, `json`, `api` …
    source: str = "api"
    #: The project or folder that it belongs to, where the source tells; it becomes the wing.
    project: str | None = None


class Problem(Noun):
    """Something that was left out or mended while a source was read, and where."""

    path: str
    #: 1-based line (or element, for JSON arrays) where it stands; None when it concerns the whole file.
    line: int | None = None
    what: str
    #: True where a turn or more was left out; False where it was kept in a mended form.
    lost: bool = True

    def __str__(self) -> str:
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.what}"


class Rejection(Noun):
    """A turn that was not stored, and why."""

    #: Its 0-based index among the messages that were given.
    index: int
    reason: str


class Receipt(Noun):
    """What became of a conversation that was mined."""

    status: Literal["stored", "duplicate", "rejected"]
    reason: str | None = None
    conversation: str
    #: The id of the conversation in the store; None where nothing of it was ever stored.
    id: UUID | None = None
    #: Where it stands in the palace, such as `§ W-001/R-002`.
    pointer: str | None = None
    #: Turns written by this call, turns that were already there, and turns refused.
    stored: int = 0
    duplicates: int = 0
    rejected: tuple[Rejection, ...] = ()
    #: Turns of this user whose embedding is still to come; keyword recall finds them already.
    pending: int = 0


class Imported(Noun):
    """What came of reading chat files."""

    conversations: int
    #: Turns written (with `dry_run`: read), and turns that were there before.
    stored: int
    duplicates: int = 0
    #: What was left out or mended, where and why.
    problems: tuple[Problem, ...] = ()
    dry_run: bool = False

    @property
    def lost(self) -> int:
        """How many problems left something out."""
        return sum(each.lost for each in self.problems)


class Hit(Noun):
    """One remembered turn that a recall brought back."""

    id: UUID
    #: Its place in the palace, for ever: `§ W-042/R-11/D-007`.
    pointer: str
    #: The turn, word for word.
    text: str
    speaker: str
    at: datetime
    #: The conversation's own id, as it was mined.
    conversation: str
    title: str | None = None
    #: 0-based place of the turn in its conversation.
    position: int
    #: The sum of `signals`.
    score: float
    #: What each signal added to the score; see ricordo.recall.signals for their meaning.
    signals: dict[str, float]


class Recalled(Noun):
    """The answer of a recall: the hits, best first, and the block for a prompt."""

    #: The `<memory_context>` block; empty when nothing matched or nothing fitted.
    context: str
    #: How many tokens `context` has, by the estimate that ricordo.recall.context describes.
    tokens: int
    results: tuple[Hit, ...]
    #: Turns of this user that have no embedding yet: they were matched by keyword only.
    pending: int = 0
    #: What the caller should know, such as that no encoder is installed; mostly empty.
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:  # type: ignore[override]
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


class Filters(Noun):
    """What a recall may look at. Every field that is set must hold."""

    #: A wing's slug, name or pointer (`W-003`).
    wing: str | None = None
    #: A room's pointer (`W-003/R-002`).
    room: str | None = None
    #: A speaker's name or role, case ignored.
    speaker: str | None = None
    #: Only what was said at or after, and before.
    since: datetime | None = None
    until: datetime | None = None
    #: The talk as it stood at that moment: only what had been said by then.
    as_of: datetime | None = None


class Drawer(Noun):
    """One verbatim turn in its place."""

    id: UUID
    pointer: str
    text: str
    speaker: str
    role: str
    at: datetime
    conversation: str
    position: int
    closet: str


class Closet(Noun):
    """A topic that was discussed in a room."""

    name: str
    drawers: int


class Room(Noun):
    """A time slice of a wing, as a rule one conversation."""

    pointer: str
    name: str
    started_at: datetime
    drawers: int
    closets: tuple[Closet, ...] = ()


class Wing(Noun):
    """A subject: a person, a project, a topic or an agent."""

    pointer: str
    name: str
    kind: Literal["person", "project", "topic", "agent"]
    drawers: int
    rooms: tuple[Room, ...] = Field(default=())
