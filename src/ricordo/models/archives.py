"""Export and backup files, and the result of checking a store."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from ricordo.models.base import ApiModel


class Part(ApiModel):
    """A file inside an export or a backup."""

    rows: int = Field(ge=0)
    #: Of its bytes, unpacked, in hexadecimal.
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    #: The SQL type of each field, in their order.
    columns: dict[str, str]


#: What each format of a manifest is, as messages say it, and the command that loads it.
ARCHIVE_FORMATS = {
    "ricordo-backup": ("a backup of a store", "ricordo restore"),
    "ricordo-archive": ("an export of one user's memory", "ricordo import"),
}


class Manifest(ApiModel):
    """The description of an export or a backup, stored in the file."""

    format: Literal["ricordo-archive", "ricordo-backup"]
    #: Of the format.
    version: int = Field(ge=1)
    #: The Ricordo that wrote it, and its store's schema version.
    ricordo: str = Field(max_length=100)
    schema_version: int = Field(ge=1)
    created_at: datetime
    #: Whose memory it is, of an archive.
    user: str | None = Field(default=None, max_length=200)
    #: The last number of each sequence, of a backup.
    sequences: dict[str, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    files: dict[Annotated[str, Field(pattern=r"^[a-z_]{1,63}\.(jsonl|copy)$")], Part]


class ArchiveFile(ApiModel):
    """An export or a backup that was written or verified."""

    #: The file's name; None where an open file was written.
    path: str | None
    manifest: Manifest
    #: Bytes of the file.
    size: int

    @property
    def rows(self) -> int:
        return sum(each.rows for each in self.manifest.files.values())


class LoadReceipt(ApiModel):
    """The result of importing an export or restoring a backup."""

    #: `duplicate`: this archive was loaded before, and nothing was written.
    status: Literal["stored", "duplicate"]
    #: Rows that came, by file.
    rows: dict[str, int]
    #: Rows that did not, by file, since an archive does not decide for who loads it: its settings, prices, costs
    #: and jobs where it is not trusted, and what the user has chosen already. Of profiles only their policies
    #: stayed out.
    left_out: dict[str, int] = Field(default_factory=dict)
    dry_run: bool = False
    #: Whose it was, and whose it is now.
    of: str | None = None
    user: str | None = None


class Inconsistency(ApiModel):
    """A rule that the store violates."""

    rule: str
    #: How many rows break it, and some of them.
    rows: int
    examples: tuple[str, ...]


class Soundness(ApiModel):
    """The result of checking the consistency of the tables."""

    #: How many rules were looked at.
    rules: int
    found: tuple[Inconsistency, ...] = ()

    @property
    def sound(self) -> bool:
        return not self.found
