"""`memory.archive`: exports and imports the user's memory as one file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import BinaryIO

from ricordo.api.checking import checked
from ricordo.models import Absence, ArchiveFile, LoadReceipt
from ricordo.opened import Opened


@checked
class Archive:
    """The user's memory as a file: JSON Lines in a zip. docs/format.md describes the format."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def save(self, target: Path | str | BinaryIO) -> ArchiveFile:
        """Export all data of the user to a file, as a consistent snapshot: agents, profiles, memories with their
        history, conversations with their palace and pointers, entities and facts, runs, settings, activity, costs, and
        the access log with its seals.

        The file can be read by its owner alone, and appears whole or not at all. An open binary file may be given
        instead of a path. Keys, kept answers to requests and what is derived from the texts are left out.
        Raises OSError where the file cannot be written, and StoreError.
        """
        from ricordo import archive  # zips take 10 ms, which a recall should not pay

        opened = self._opened
        return await archive.save(opened.database, opened.user_id, opened.user, _place(target))

    async def load(self, source: Path | str | BinaryIO, *, dry_run: bool = False, trusted: bool = False) -> LoadReceipt:
        """Import an export file, also of another user. This user must have no memories yet. Imports all or nothing.

        Importing the same file again changes nothing. Afterwards, texts are found by their words; vectors follow in
        the background. With `dry_run`, the file is only checked. You can pass an open binary file instead of a path.
        Policies on secrets, personal data and reviews that the user has chosen before hold for what is in it, as for
        any write, and it decides nothing for this user: its settings, prices, costs, policies of profiles and jobs are
        left out, and counted in the result's `left_out`. An archive that is `trusted` comes as it is, word for word;
        what the user has chosen already stays. One that was loaded before gives what was left out once it is trusted.
        Raises UnreadableSource for an archive that is damaged, does not fit together or is of a newer Ricordo, saying
        where; InvalidInput where the user has something already, and for what a policy keeps out; StoreError.
        """
        from ricordo import archive

        opened = self._opened
        loaded = await archive.load(opened.database, opened.user_id, opened.user, _place(source), dry_run, trusted)
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
