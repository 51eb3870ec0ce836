"""`memory.archive`: the user's memory as one file, for keeping it elsewhere or moving it to another store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import BinaryIO

from ricordo.api.checking import checked
from ricordo.models import Absence, ArchiveFile, LoadReceipt
from ricordo.opened import Opened


@checked
class Archive:
    """The user's memory as a file: JSON Lines in a zip, in the documented form (docs/format.md)."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def save(self, target: Path | str | BinaryIO) -> ArchiveFile:
        """Write everything that is the user's to a file, as it is at this moment: agents, profiles, entries, journal,
        notes, documents, what they said before; conversations with their palace, whose pointers stay the same; entities
        and what is known of them; runs; settings; activity and costs; and the access log with its seals.

        The file can be read by its owner alone, and appears whole or not at all. An open binary file may be given
        instead of a path. Keys, kept answers to requests and what is derived from the texts are left out.
        Raises OSError where the file cannot be written, and StoreError.
        """
        from ricordo import archive  # zips take 10 ms, which a recall should not pay

        opened = self._opened
        return await archive.save(opened.database, opened.user_id, opened.user, _place(target))

    async def load(self, source: Path | str | BinaryIO, *, dry_run: bool = False, trusted: bool = False) -> LoadReceipt:
        """Bring an archive into this user's memory, who must have none yet, whoever's it was: all of it, or nothing.

        The same archive again changes nothing. Words are found when this returns; vectors follow in the background.
        With `dry_run` everything is checked and nothing is kept. An open binary file may be given instead of a path.
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
        """Read an archive from end to end and compare it with its checksums; nothing is written.

        Raises UnreadableSource.
        """
        from ricordo import archive

        return await asyncio.to_thread(archive.check, _place(source))

    async def absent(self, source: Path | str | BinaryIO, text: str) -> Absence:
        """Look for a text, its case ignored, in every column of an archive or of a store's backup (`ricordo backup`)
        that can hold one; the file is compared with its checksums first. `memory.audit.absent` does so for the store.

        Raises UnreadableSource and InvalidInput.
        """
        from ricordo import archive

        return await asyncio.to_thread(archive.absent, _place(source), text)


def _place(given: Path | str | BinaryIO) -> Path | BinaryIO:
    return Path(given) if isinstance(given, str) else given
