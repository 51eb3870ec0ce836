"""Sync: the devices of a memory, and the result of a sync."""

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

    #: Whether it is synced. If not, everything else is empty.
    active: bool
    #: Path of the folder, or URL of the server that holds it.
    folder: str | None = None
    #: Why the folder cannot be used at the moment.
    problem: str | None = None
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
    #: When this device's log is rewritten without what was redacted or forgotten; None if there is nothing to remove.
    compact_by: datetime | None = None
    #: The latest conflicts, newest first, each with the version that won.
    conflicts: tuple[str, ...] = ()


class SyncMembership(ApiModel):
    """A device's membership in a synced memory."""

    memory: UUID
    device: str
    #: The key, as words. It is shown only once, and stored only in this device's home.
    words: str | None = None


class SyncReport(ApiModel):
    """The result of a sync."""

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
    #: Conflicting edits and decisions of two devices, each with the version that won.
    conflicts: tuple[str, ...] = ()
    #: Logs that could not be read completely, by device, with the reason. Nothing after that point was applied.
    problems: dict[str, str] = Field(default_factory=dict)
    #: Logs with segments that have not arrived yet.
    waiting: dict[str, str] = Field(default_factory=dict)


class HeldLog(ApiModel):
    """The log of a device in a folder that a server holds."""

    device: UUID
    #: Numbers of its segments, as ranges: the first and the last number of each.
    segments: tuple[tuple[int, int], ...]
    #: SHA-256 of the last segment, as hexadecimal digits.
    last_sha256: str


class HeldFolder(ApiModel):
    """The folder of a synced memory that a server holds for a user. The server cannot read its segments."""

    #: Id of the memory; None if there is no folder.
    memory: UUID | None = None
    #: Id of the key in use, which reveals nothing about the key.
    key: str | None = None
    logs: tuple[HeldLog, ...] = ()
    #: Bytes of all files.
    bytes: int = 0
