"""MemPalace stores: `chroma.sqlite3` in the palace's folder, read as the SQLite database that it is, without ChromaDB.

A drawer is a row of `embeddings`, with its text (`chroma:document`) and its metadata (`wing`, `room`, `source_file`,
`chunk_index`, `authored_at`, `content_date`, `filed_at`) in rows of `embedding_metadata`. The drawers of one wing,
room and source file are a conversation `mempalace:WING/ROOM/FILE` in the order of their time and chunk; the wing is
its project, the room and the file's name its title, the drawer's id the turn's. A drawer of a conversation, which
begins with `> ` before what was asked, gives two turns: the question (`ID?`) and the answer; what else a drawer holds
was filed by the user and is the user's turn. Its time is when it was written, else its content's date, else when it was
filed, in UTC where no zone is told.
Left out are MemPalace's own notes (`_registry` and other rooms with `_` before their names), closets and vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ricordo.formats.draft import TURN_BYTES, Draft, folder
from ricordo.formats.elements import Shape
from ricordo.formats.format import Bundle, Export, Format
from ricordo.formats.problems import Reporter
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.sqlite import opened, tables
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

if TYPE_CHECKING:
    from sqlite3 import Connection

_STORE = "chroma.sqlite3"
_TABLES = frozenset({"collections", "segments", "embeddings", "embedding_metadata"})
_KEYS = ("wing", "room", "source_file", "chunk_index", "authored_at", "content_date", "filed_at", "ingest_mode")
#: The metadata of a drawer beside its row; the text is fetched by itself, so that sorting holds none.
_DRAWERS = (
    "SELECT e.id, e.embedding_id, "
    + ", ".join(
        f"max(CASE m.key WHEN '{key}' THEN coalesce(m.string_value, m.int_value) END) AS {key}" for key in _KEYS
    )
    + """
    FROM collections c JOIN segments s ON s.collection = c.id JOIN embeddings e ON e.segment_id = s.id
    JOIN embedding_metadata m ON m.id = e.id
    WHERE c.name NOT LIKE '%closet%'
    GROUP BY e.id, e.embedding_id
    HAVING wing IS NOT NULL AND room IS NOT NULL
    ORDER BY wing, room, source_file, coalesce(authored_at, content_date, ''), chunk_index, e.id
    """
)
_TEXT = "SELECT substr(string_value, 1, ?) FROM embedding_metadata WHERE id = ? AND key = 'chroma:document'"


class _Drawer(NamedTuple):
    row: int
    id: str
    wing: str
    room: str
    source_file: str | None
    chunk_index: int | None
    authored_at: str | None
    content_date: str | None
    filed_at: str | None
    ingest_mode: str | None

    @property
    def place(self) -> tuple[str, str, str]:
        return str(self.wing), str(self.room), str(self.source_file or "")


def _recognises(sample: Sample) -> bool:
    return sample.tables >= _TABLES


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    if not tables(source) >= _TABLES:
        report("cannot read this as a ChromaDB database")
        return
    unspoken = Unspoken(report)
    found = False
    with opened(source) as database:
        drawers = (_Drawer(*row) for row in database.execute(_DRAWERS))
        for (wing, room, file), group in groupby(drawers, key=lambda drawer: drawer.place):
            found = True
            if room.startswith("_"):
                for _ in group:
                    unspoken.note("MemPalace's own notes")
                continue
            name = folder(file)
            draft = Draft(
                report,
                source=FORMAT.name,
                id=f"mempalace:{wing}/{room}/{file}",
                title=f"{room}: {name}" if name else room,
                project=wing,
            )
            for drawer in group:
                _add_turns(draft, drawer, database, report)
                if draft.full:
                    yield from draft.take()
            yield from draft.take()
    if not found:
        report("a ChromaDB database without MemPalace drawers")
    unspoken.close()


def _add_turns(draft: Draft, drawer: _Drawer, database: Connection, report: Reporter) -> None:
    row = database.execute(_TEXT, (TURN_BYTES + 1, drawer.row)).fetchone()
    text = row[0] if row else None
    if not isinstance(text, str):
        report(f"the drawer {drawer.id!r:.80} has no text")
        return
    at = drawer.authored_at or drawer.content_date or drawer.filed_at
    asked, answered = _exchange(text) if drawer.ingest_mode == "convos" else (text, "")
    if asked and answered:
        draft.add(asked, role="user", at=at, id=f"{drawer.id}?")
        draft.add(answered, role="assistant", at=at, id=drawer.id)
    else:
        draft.add(asked or answered, role="user" if asked else "assistant", at=at, id=drawer.id)


def _exchange(text: str) -> tuple[str, str]:
    """What was asked, without its `> `, and what was answered; a piece of a long answer has no question."""
    lines = text.split("\n")
    count = next((number for number, line in enumerate(lines) if not line.startswith(">")), len(lines))
    asked = "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines[:count])
    return asked.strip(), "\n".join(lines[count:]).strip()


def _is_palace(names: Set[str]) -> bool:
    return _STORE in names


def _read_palace(bundle: Bundle, report: Reporter) -> Iterator[Conversation]:
    source = bundle.parts.get(_STORE)
    if source is None or source.member is not None:
        report(f"{_STORE} can only be read from a folder: unpack it first")
    else:
        yield from _read(source, "binary", report)


FORMAT = Format("mempalace", "MemPalace store", _recognises, _read)
#: The palace's folder, in which ChromaDB keeps its vectors beside the store.
EXPORT = Export(FORMAT.name, FORMAT.title, _is_palace, _read_palace)
