"""`memory.archive`: exports and imports the user's memory as one file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import BinaryIO

from ricordo.api.checking import checked
from ricordo.models import Absence, ArchiveFile, LoadReceipt, Progress
from ricordo.opened import Opened


@checked
class Archive:
    """The user's memory as a file: JSON Lines in a zip. docs/format.md describes the format."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def save(self, target: Path | str | BinaryIO, *, progress: Progress | None = None) -> ArchiveFile:
        """Export all data of the user to a file, as a consistent snapshot.

        This includes agents, profiles, memories with their history, conversations with their palace and pointers,
        entities and facts. Runs, settings, activity, costs, and the access log with its seals are included too. API
        keys, stored answers to requests and data derived from the texts are left out.

        Only its owner can read the file. It appears complete or not at all. You can pass an open binary file instead of
        a path. `progress` receives the rows written so far and the total. Raises OSError if the file cannot be
        written, and StoreError.
        """
        from ricordo import archive  # zips take 10 ms, which a recall should not pay

        opened = self._opened
        return await archive.save(opened.database, opened.user_id, opened.user, _place(target), progress)

    async def load(
        self,
        source: Path | str | BinaryIO,
        *,
        dry_run: bool = False,
        trusted: bool = False,
        progress: Progress | None = None,
    ) -> LoadReceipt:
        """Import an export file, also of another user. This user must have no memories yet. Imports all or nothing.

        Importing the same file again changes nothing. Keyword search finds the texts at once; vectors are made in the
        background. With `dry_run`, the file is only checked. You can pass an open binary file instead of a path.

        The user's policies on secrets, personal data and reviews apply to the import as to any write. Settings, prices,
        costs, policies of profiles, and jobs are left out, and counted in `left_out` of the result. With `trusted`, the
        archive is imported as it is, except for settings and prices that the user has set already. To import what was
        left out, import the same archive again with `trusted`.

        `progress` receives the bytes read so far and the total. The file is read twice.

        Raises UnreadableSource with the place if the archive is damaged, inconsistent or from a newer version of
        Ricordo. Raises InvalidInput if the user has data already or a policy rejects the archive, and StoreError.
        """
        from ricordo import archive

        opened = self._opened
        loaded = await archive.load(
            opened.database, opened.user_id, opened.user, _place(source), dry_run, trusted, progress=progress
        )
        opened.wake()
        return loaded

    async def check(self, source: Path | str | BinaryIO) -> ArchiveFile:
        """Verify an export file against its checksums, without importing it.

        Raises UnreadableSource.
        """
        from ricordo import archive

        return await asyncio.to_thread(archive.check, _place(source))

    async def absent(self, source: Path | str | BinaryIO, text: str) -> Absence:
        """Search an export or a backup (`ricordo backup`) for a text, ignoring case, after verifying its checksums.
        `memory.audit.absent` searches the store.

        Raises UnreadableSource and InvalidInput.
        """
        from ricordo import archive

        return await asyncio.to_thread(archive.absent, _place(source), text)


def _place(given: Path | str | BinaryIO) -> Path | BinaryIO:
    return Path(given) if isinstance(given, str) else given
