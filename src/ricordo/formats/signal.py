"""Signal chats as the program `signal-export` writes them: `NAME/chat.md`, and `NAME/data.json` with the same.

    [2025-03-04 18:02:05] Ada: words        also `[2025-03-04, 18:02] Ada:`, as earlier versions wrote it
    {"date": "2025-03-04T18:02:05.123000", "sender": "Ada", "quote": "", "body": "words", "reactions": [], …}

Times have no zone and are taken as UTC; `Me` is the user. The folder's name is the title, and makes the id
`signal:NAME`, where the file is `chat.md`, `index.md` or `data.json`; else both are the file's. A `data.json` with a
`chat.md` beside it is passed over. Not turns, and counted, are reactions (`(- Ada: 👍 -)`), pictures, stickers, calls
and messages that were deleted; quotes (`> `) stay as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from ricordo.formats.draft import Draft
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind, shown
from ricordo.formats.roles import name_of_label, role_of_label
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.stamped import entries, is_stamped
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_HEAD = re.compile(
    r"\[(?P<at>\d{4}-\d{2}-\d{2}(?P<comma>,)? \d{2}:\d{2}(?::\d{2})?)\]\s(?P<name>[^:\n]{1,80}):(?:\s(?P<text>.*))?",
    re.DOTALL,
)
_REACTIONS = re.compile(r"\(-\s.{1,2000}\s-\)")
#: A picture or a file; a sticker, with or without its picture.
_PICTURE = re.compile(r"!?\[[^\]\n]*\]\((?:\./)?media/[^)\n]*\)")
_STICKER = re.compile(r"\[[^\]\n]*\]\(\.\./exported_stickers/[^)\n]*\)|^\(\( .{1,40} \)\)$")
_DELETED = "(This message was deleted)"
_CALL = re.compile(r"(?:Incoming|Outgoing|Missed) (?:voice |video |group )?call(?: \([^()\n]{1,60}\))?")
_FILES = ("chat.md", "index.md", "data.json")
_KEYS = {"date", "sender", "body", "reactions", "attachments"}


def _head(line: str) -> tuple[str, str | None, str] | None:
    found = _HEAD.fullmatch(line)
    return (found["at"], found["name"].strip() or None, found["text"] or "") if found else None


def _own_head(line: str) -> tuple[str, str | None, str] | None:
    """A head that only Signal's chats have: many a program writes a log without the comma."""
    found = _HEAD.fullmatch(line)
    return _head(line) if found and found["comma"] else None


def _recognises(sample: Sample) -> bool:
    if sample.shape in ("lines", "object"):
        return any(each.keys() >= _KEYS for each in sample.objects)
    return is_stamped(sample, _head if sample.name == "chat.md" else _own_head)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    own = source.file
    if own.name == "data.json" and not source.member and source.path.with_name("chat.md").is_file():
        return
    folder = own.parent.name if own.name in _FILES else None
    draft = Draft(report, source=FORMAT.name, id=f"signal:{folder}" if folder else source.id, title=folder)
    unspoken = Unspoken(report)
    for at, name, text, where in _messages(source, shape, report):
        _add_turn(draft, name, _spoken(text, unspoken), _moment(at, where, report), where)
        if draft.full:
            yield from draft.take()
    unspoken.close()
    yield from draft.take()


def _messages(source: Source, shape: Shape, report: Reporter) -> Iterator[tuple[str, str, str, Where]]:
    """When, who and what, and the line, of each message."""
    if shape == "text":
        for entry in entries(source, _head, report):
            yield entry.said, entry.speaker or "", "\n".join((entry.first, *entry.lines)), entry.number
        return
    for number, value in values(source, shape, report):
        fields = _fields(value) if isinstance(value, dict) else None
        if fields is None:
            report(f"{kind(value)}, not a message", where=number)
        else:
            yield *fields, number


def _fields(message: dict[str, object]) -> tuple[str, str, str] | None:
    """When, who and what of a message in `data.json`; None where it is none."""
    at, name, *words = (message.get(key) or "" for key in ("date", "sender", "quote", "body"))
    if not isinstance(at, str) or not isinstance(name, str) or not all(isinstance(each, str) for each in words):
        return None
    return at.partition(".")[0], name, _DELETED if message.get("deleted") is True else "".join(map(str, words))


def _spoken(text: str, unspoken: Unspoken) -> str:
    """The words of a message, without what stands for a picture, a reaction, a call or a message that is gone."""
    kept: list[str] = []
    for line in text.split("\n"):
        words = line.strip()
        if _REACTIONS.fullmatch(words):
            unspoken.note("reactions")
        elif words == _DELETED or _CALL.fullmatch(words):
            unspoken.note("calls or deleted messages")
        else:
            bare = _STICKER.sub("", _PICTURE.sub("", line))
            if bare != line:
                unspoken.note("pictures or files")
            if bare == line or bare.strip():
                kept.append(bare)
    return "\n".join(kept).strip("\n").rstrip()


def _add_turn(draft: Draft, name: str, text: str, at: datetime | None, where: Where) -> None:
    draft.add(text, role=role_of_label(name) or "user", name=name_of_label(name), at=at, where=where)


def _moment(at: str, where: Where, report: Reporter) -> datetime | None:
    try:
        return datetime.fromisoformat(at.replace(",", "").replace(" ", "T")).replace(tzinfo=UTC)
    except ValueError:
        report(f"the time {shown(at)} is invalid; the turn was stored without a time", where=where, lost=False)
        return None


FORMAT = Format("signal", "Signal chat", _recognises, _read)
