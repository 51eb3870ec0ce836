"""The SQL of files that are followed: how each was when it was last mined to its end."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from ricordo.database import Transaction, execute_each
from ricordo.formats import Stamp


async def mined(tx: Transaction, files: Sequence[Path]) -> dict[Path, Stamp]:
    """How those of the files were that have been mined."""
    keys = {_key(file): file for file in files}
    cursor = await tx.execute("SELECT file, size, changed_ns FROM watched_files WHERE file = ANY(%s)", [list(keys)])
    return {keys[bytes(key)]: Stamp(size, changed) for key, size, changed in await cursor.fetchall()}


async def note_mined(tx: Transaction, user_id: UUID, stamps: Mapping[Path, Stamp]) -> None:
    """The files were mined as they were then. The user must exist."""
    await execute_each(
        tx,
        "INSERT INTO watched_files (user_id, file, size, changed_ns) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (user_id, file) DO UPDATE SET size = excluded.size, changed_ns = excluded.changed_ns",
        [(user_id, _key(file), stamp.size, stamp.changed_ns) for file, stamp in stamps.items()],
    )


async def forget(tx: Transaction, files: Sequence[Path]) -> None:
    """The files are gone."""
    await tx.execute("DELETE FROM watched_files WHERE file = ANY(%s)", [[_key(file) for file in files]])


def _key(file: Path) -> bytes:
    """Stands for a file of this machine; several machines may use one store."""
    return hashlib.blake2b(b"\0".join([platform.node().encode(), bytes(file)]), digest_size=16).digest()
