"""Sync: the devices of a memory, and what came of a sync."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import Field

from ricordo.models.base import ApiModel


class SyncDevice(ApiModel):
    """A device of a synced memory."""

    id: UUID
    name: str
    #: Whether it is this one.
    is_self: bool
    #: Segments of its log that were applied here; of this device's own: that were written.
    segments: int
    #: When it wrote the last of them.
    seen_at: datetime | None = None
    #: Why its log could not be read further at the last sync.
    problem: str | None = None
    #: Whether it was shut out when the key was rotated.
    shut_out: bool = False


class SyncStatus(ApiModel):
    """How a memory is synced."""

    #: False where it is not; then everything else is empty.
    active: bool
    folder: str | None = None
    memory: UUID | None = None
    device: str | None = None
    devices: tuple[SyncDevice, ...] = ()
    #: Which wings, agents, sources and settings take part.
    scope: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    #: Bytes of the folder.
    folder_bytes: int = 0
    #: Segments of this device that are not in the folder yet.
    waiting: int = 0
    synced_at: datetime | None = None
    #: When this device's log is rewritten without what was redacted or forgotten; None when it holds nothing such.
    compact_by: datetime | None = None
    #: The latest conflicts, newest first, and which side counts.
    conflicts: tuple[str, ...] = ()


class SyncMembership(ApiModel):
    """A device's membership in a synced memory."""

    memory: UUID
    device: str
    #: The key, as words. It is shown this once, and stored nowhere but in this device's home.
    words: str | None = None


class SyncReport(ApiModel):
    """What came of a sync."""

    #: Records that were written to this device's log.
    sent: int = 0
    #: Turns, memories and decisions that came from other devices.
    turns: int = 0
    memories: int = 0
    decisions: int = 0
    #: Memories that were redacted or forgotten because another device did so.
    removed: int = 0
    #: Memories that this device's policies kept out.
    refused: int = 0
    #: Whether this device's log was rewritten.
    compacted: bool = False
    #: Edits and decisions of two devices that could not both stand, and which of them counts.
    conflicts: tuple[str, ...] = ()
    #: Logs that could not be read to their end, by device, with the reason. Nothing after that point was applied.
    problems: dict[str, str] = Field(default_factory=dict)
    #: Logs with segments that have not arrived yet.
    waiting: dict[str, str] = Field(default_factory=dict)
