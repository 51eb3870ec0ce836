"""Long-running operations and the uploads for them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from ricordo.models.archives import ArchiveFile, LoadReceipt, Soundness
from ricordo.models.base import ApiModel
from ricordo.models.conversations import ImportReport, Problem, Receipt
from ricordo.models.vectors import ReembedReport

OperationKind = Literal["mine", "survey", "import", "reembed", "export", "load", "examine"]
OperationState = Literal["waiting", "running", "done", "failed", "cancelled"]


class UploadedFile(ApiModel):
    """An uploaded file."""

    #: A path below the folder that the files stand in, such as `chats/conversations.json`.
    name: str
    bytes: int


class Upload(ApiModel):
    """Uploaded files that belong together. They are deleted after the import, or after one day."""

    id: UUID
    files: tuple[UploadedFile, ...] = ()
    created_at: datetime


class FormatFound(ApiModel):
    """The chats found in one format."""

    format: str
    files: int
    conversations: int
    turns: int


class UploadSurvey(ApiModel):
    """What importing an upload would store."""

    formats: tuple[FormatFound, ...]
    conversations: int
    turns: int
    characters: int
    #: Times of the first and the last turn that have one.
    first: datetime | None = None
    last: datetime | None = None
    #: Seconds that keeping it would take with vectors, about.
    seconds: float
    #: What would be left out or mended, where and why: the first thousand, and how many there are.
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0


class Operation(ApiModel):
    """A long-running operation and its progress."""

    id: UUID
    kind: OperationKind
    state: OperationState
    #: How much is done, and how much there is in all; None where that is not known. Counts turns, memories,
    #: rows, bytes or rules, by its kind.
    done: int = 0
    total: int | None = None
    #: What came of it, by its kind; None until it is done.
    result: Receipt | ImportReport | UploadSurvey | ReembedReport | ArchiveFile | LoadReceipt | Soundness | None = None
    #: Why it failed.
    problem: str | None = None
    created_at: datetime
    began_at: datetime | None = None
    ended_at: datetime | None = None
