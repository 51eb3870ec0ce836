"""OpenCode sessions: the folder `storage`, the database `opencode.db`, or one session as `opencode export` writes it.

A session has `id`, `title`, `directory` and `parentID`; a message `id`, `role` and `time`; and its text is in parts of
`type` `text`. In the folder they are files (`session/PROJECT/ID.json`, `message/SESSION/ID.json`,
`part/MESSAGE/ID.json`), in the database rows with `data`, in an export one object. The session is the conversation, the
last part of its directory the project. Not turns are parts that OpenCode put in (`synthetic`), sessions of subagents
(`parentID`) and, counted, summaries (`summary` is true), calls of tools, thoughts and files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Set

from ricordo.formats.draft import Draft, folder, identifier
from ricordo.formats.elements import Shape, Unparsable, parse, values, whole
from ricordo.formats.format import Bundle, Export, Format
from ricordo.formats.problems import Reporter, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import READ_ERRORS, Source
from ricordo.formats.sqlite import opened
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_TABLES = frozenset({"session", "message", "part"})
_COUNTED = {"tool": "calls of tools and their outputs", "reasoning": "thoughts", "file": "files"}

Object = dict[str, object]
#: A message with its parts.
Message = tuple[Object, list[object]]


def _recognises(sample: Sample) -> bool:
    return sample.tables >= _TABLES or any(_is_export(each) for each in sample.objects)


def _is_export(value: Object) -> bool:
    info, messages = value.get("info"), value.get("messages")
    return (
        isinstance(info, dict)
        and "id" in info
        and isinstance(messages, list)
        and all(isinstance(each, dict) and "info" in each and "parts" in each for each in messages[:50])
    )


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    if shape == "binary":
        yield from _in_database(source, unspoken, report)
    else:
        for number, value in values(source, shape, report):
            if not isinstance(value, dict) or not _is_export(value):
                report(f"{kind(value)} that is not a session", where=number)
                continue
            info, listed = value["info"], value["messages"]
            assert isinstance(info, dict)
            assert isinstance(listed, list)
            messages = [_message(each) for each in listed if isinstance(each, dict)]
            yield from _session(info, messages, unspoken, report)
    unspoken.close()


def _message(value: Object) -> Message:
    info, parts = value.get("info"), value.get("parts")
    return info if isinstance(info, dict) else {}, parts if isinstance(parts, list) else []


def _session(info: Object, messages: Iterable[Message], unspoken: Unspoken, report: Reporter) -> Iterator[Conversation]:
    if info.get("parentID") or info.get("parent_id"):
        return  # a subagent's
    known_as = identifier(info.get("id"))
    if known_as is None:
        report("a session has no id")
        return
    draft = Draft(
        report, source=FORMAT.name, id=known_as, title=info.get("title"), project=folder(info.get("directory"))
    )
    for message, parts in messages:
        if message.get("summary") is True:
            unspoken.note("summaries of the session by OpenCode")
            continue
        times = message.get("time")
        draft.add(
            _spoken(parts, unspoken),
            role=message.get("role"),
            at=times.get("created") if isinstance(times, dict) else None,
            id=message.get("id"),
        )
        if draft.full:
            yield from draft.take()
    yield from draft.take()


def _spoken(parts: Iterable[object], unspoken: Unspoken) -> str:
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, dict) or part.get("synthetic") is True or part.get("ignored") is True:
            continue
        text = part.get("text")
        if part.get("type") == "text" and isinstance(text, str):
            texts.append(text)
        elif (counted := _COUNTED.get(str(part.get("type")))) is not None:
            unspoken.note(counted)
    return "\n\n".join(text.strip() for text in texts if text.strip())


def _in_database(source: Source, unspoken: Unspoken, report: Reporter) -> Iterator[Conversation]:
    with opened(source) as database:
        sessions = database.execute(
            "SELECT id, title, directory, parent_id FROM session ORDER BY time_created, id"
        ).fetchall()
        for id, title, directory, parent in sessions:
            info: Object = {"id": id, "title": title, "directory": directory, "parentID": parent}
            messages: list[Message] = []
            rows = database.execute(
                "SELECT id, data, time_created FROM message WHERE session_id = ? ORDER BY time_created, id", (id,)
            ).fetchall()
            for number, data, created in rows:
                parts = database.execute("SELECT data FROM part WHERE message_id = ? ORDER BY id", (number,))
                told = _object(data)
                messages.append(
                    ({"time": {"created": created}, **told, "id": number}, [_object(part) for (part,) in parts])
                )
            yield from _session(info, messages, unspoken, report)


def _object(data: object) -> Object:
    """A column of JSON; empty where it is none."""
    try:
        value = json.loads(data) if isinstance(data, str | bytes) else None
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}


def _is_storage(names: Set[str]) -> bool:
    return {"session", "message", "part"} <= names


def _read_storage(bundle: Bundle, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    inside: dict[str, list[Source]] = {}
    sessions: list[Source] = []
    for name, part in bundle.parts.items():
        place = name.split("/")
        if place[0] == "session" and len(place) > 1:
            sessions.append(part)
        elif place[0] in ("message", "part") and len(place) == 3:
            inside.setdefault(f"{place[0]}/{place[1]}", []).append(part)
    for source in sessions:
        info = _file(source, report)
        id = identifier(info.get("id"))
        if id is not None:
            yield from _session(info, _stored(inside, id, report), unspoken, report)
    unspoken.close()


def _stored(inside: dict[str, list[Source]], session: str, report: Reporter) -> Iterator[Message]:
    """The messages of a session in their order, each with its parts, which are in the order of their names."""
    messages = [_file(each, report) for each in inside.get(f"message/{session}", [])]
    created: Callable[[Object], float] = lambda each: _number(each.get("time"))  # noqa: E731
    for message in sorted(messages, key=created):
        yield message, [_file(each, report) for each in inside.get(f"part/{message.get('id')}", [])]


def _number(times: object) -> float:
    created = times.get("created") if isinstance(times, dict) else None
    return float(created) if isinstance(created, int | float) else 0.0


def _file(source: Source, report: Reporter) -> Object:
    """The object in a file; empty, and reported, where it can't be read."""
    told = report.about(source.label)
    try:
        raw, too_large = whole(source)
        value = None if too_large else parse(raw)[0]
    except (*READ_ERRORS, Unparsable) as error:
        told(f"cannot be read: {error}")
        return {}
    if not isinstance(value, dict):
        told("is not a JSON object")
        return {}
    return value


FORMAT = Format("opencode", "OpenCode session", _recognises, _read)
EXPORT = Export(FORMAT.name, FORMAT.title, _is_storage, _read_storage)
