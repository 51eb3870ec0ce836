"""Long work that is followed while it goes on, and the files that come for it."""

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
    """A file that came."""

    #: A path below the folder that the files stand in, such as `chats/conversations.json`.
    name: str
    bytes: int


class Upload(ApiModel):
    """Files that belong together. They are removed when they were imported, or after a day."""

    id: UUID
    files: tuple[UploadedFile, ...] = ()
    created_at: datetime


class FormatFound(ApiModel):
    """What was found of one chat format."""

    format: str
    files: int
    conversations: int
    turns: int


class UploadSurvey(ApiModel):
    """What importing files would bring."""

    formats: tuple[FormatFound, ...]
    conversations: int
    turns: int
    characters: int
    #: When the first and the last turn that tells its time was said.
    first: datetime | None = None
    last: datetime | None = None
    #: Seconds that keeping it would take with vectors, about.
    seconds: float
    #: What would be left out or mended, where and why: the first thousand, and how many there are.
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0


class Operation(ApiModel):
    """Work that was begun, and how far it is."""

    id: UUID
    kind: OperationKind
    state: OperationState
    #: How much is done, and how much there is in all; None where that is not known. Turns, memories, or rules.
    done: int = 0
    total: int | None = None
    #: What came of it, by its kind; None until it is done.
    result: Receipt | ImportReport | UploadSurvey | ReembedReport | ArchiveFile | LoadReceipt | Soundness | None = None
    #: Why it failed.
    problem: str | None = None
    created_at: datetime
    began_at: datetime | None = None
    ended_at: datetime | None = None
