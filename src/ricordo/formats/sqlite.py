"""SQLite databases of other programs, opened to read: nothing is written, and nothing that stands in them is run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from ricordo.formats.source import Source

if TYPE_CHECKING:
    from sqlite3 import Connection

_MAGIC = b"SQLite format 3\x00"


class BrokenDatabase(OSError):
    """An SQLite database that can't be read."""


def tables(source: Source) -> frozenset[str]:
    """The names of the tables of a database; none where the source is none, lies in a zip, or can't be read."""
    with source.open() as file:
        if source.member is not None or file.read(len(_MAGIC)) != _MAGIC:
            return frozenset()
    try:
        with opened(source) as database:
            return _plain_tables(database)
    except BrokenDatabase:
        return frozenset()


@contextmanager
def opened(source: Source) -> Iterator[Connection]:
    """A database to read from, in whichever thread; raises BrokenDatabase, there and inside the block."""
    import sqlite3  # which few files need

    try:
        path = f"file:{quote(str(source.path.absolute()))}?mode=ro"
        with closing(sqlite3.connect(path, uri=True, check_same_thread=False)) as database:
            database.text_factory = lambda raw: raw.decode("utf-8", "replace")
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA query_only = ON")
            yield database
    except sqlite3.Error as error:
        raise BrokenDatabase(f"cannot read its SQLite database ({error})") from error


def _plain_tables(database: Connection) -> frozenset[str]:
    """Tables only: a view, or a table that a program would have to be run for, may hide anything."""
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
    return frozenset(str(name) for (name,) in rows)
