"""Signal chats as `signal-export` and its like write them: `[2025-03-04, 18:02] Ada: words`, in `NAME/chat.md`.

Times have no zone and are taken as UTC; `Me` is the user. The folder's name is the title, and makes the id
`signal:NAME`, where the file is `chat.md` or `index.md`; else both are the file's. Reactions (`(- Ada: 👍 -)`) and
pictures are no speech; quotes (`> `) stay as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from ricordo.nouns import Conversation
from ricordo.transfer.draft import Draft
from ricordo.transfer.elements import Shape
from ricordo.transfer.format import Format
from ricordo.transfer.problems import Reporter, shown
from ricordo.transfer.roles import name_of_label, role_of_label
from ricordo.transfer.sample import Sample
from ricordo.transfer.source import Source
from ricordo.transfer.stamped import Entry, entries, is_stamped
from ricordo.transfer.unspoken import Unspoken

_HEAD = re.compile(
    r"\[(?P<at>\d{4}-\d{2}-\d{2}, \d{2}:\d{2}(?::\d{2})?)\]\s(?P<name>[^:\n]{1,80}):(?:\s(?P<text>.*))?", re.DOTALL
)
_REACTIONS = re.compile(r"\(-\s.{1,2000}\s-\)")
_PICTURE = re.compile(r"!?\[[^\]\n]*\]\((?:\./)?media/[^)\n]*\)")


def _head(line: str) -> tuple[str, str | None, str] | None:
    found = _HEAD.fullmatch(line)
    return (found["at"], found["name"].strip() or None, found["text"] or "") if found else None


def _recognises(sample: Sample) -> bool:
    return is_stamped(sample, _head)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    folder = source.path.parent.name if source.path.name in ("chat.md", "index.md") and not source.member else None
    draft = Draft(report, source=FORMAT.name, id=f"signal:{folder}" if folder else source.id, title=folder)
    unspoken = Unspoken(report)
    for entry in entries(source, _head, report):
        _add_turn(draft, entry, unspoken, report)
        if draft.full:
            yield from draft.take()
    unspoken.close()
    yield from draft.take()


def _add_turn(draft: Draft, entry: Entry[str], unspoken: Unspoken, report: Reporter) -> None:
    kept: list[str] = []
    for line in (entry.first, *entry.lines):
        if _REACTIONS.fullmatch(line.strip()):
            unspoken.note("reactions")
            continue
        words = _PICTURE.sub("", line)
        if words != line:
            unspoken.note("pictures or files")
        if words == line or words.strip():
            kept.append(words)
    name = entry.speaker or ""
    draft.add(
        "\n".join(kept).strip("\n").rstrip(),
        role=role_of_label(name) or "user",
        name=name_of_label(name),
        at=_moment(entry, report),
        where=entry.number,
    )


def _moment(entry: Entry[str], report: Reporter) -> datetime | None:
    try:
        return datetime.fromisoformat(entry.said.replace(", ", "T")).replace(tzinfo=UTC)
    except ValueError:
        what = f"the time {shown(entry.said)} is no possible time; the turn is kept without it"
        report(what, where=entry.number, lost=False)
        return None


FORMAT = Format("signal", "Signal chat", _recognises, _read)
