"""Gemini CLI sessions: `chats/session-….json`, the same as JSON Lines, and checkpoints of `/chat save`.

A session is an object with `sessionId`, which is the conversation's id, `summary`, its title, and `messages`, each with
`id`, `timestamp`, `type` (`user` or `gemini`) and `content` (a text, or parts with a `text`). As JSON Lines its first
line has the session's fields and each further one a message, which may come again as it grows: the last one counts;
`$set` changes the fields. What was typed is in `displayContent` where `content` has files put into it. What the user
went back behind (`$rewindTo`) was said, and stays. A subagent's session (`kind`) is no talk with a user.
`logs.json` has the prompts of all sessions once more, and is counted.
A checkpoint is a list of `{"role": "user" | "model", "parts": [{"text": …}]}` without times.
Not turns are what the program says itself (`info`, `error` …), and, counted, calls of tools, thoughts and files.
"""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.formats.draft import Draft, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_SPEAKERS = {"user": "user", "gemini": "assistant", "model": "assistant"}
#: How the text begins by which Gemini CLI tells the model where it is.
_NOT_SPEECH = ("This is the Gemini CLI. We are setting up the context", "<session_context>")


def _recognises(sample: Sample) -> bool:
    return any(
        ("sessionId" in each and _is_session(each)) or _is_content(each) or _is_prompt(each) for each in sample.objects
    )


def _is_session(value: dict[str, object]) -> bool:
    return "projectHash" in value or ("startTime" in value and isinstance(value.get("messages"), list))


def _is_prompt(value: object) -> bool:
    """An entry of `logs.json`, which has the prompts of sessions once more."""
    return isinstance(value, dict) and {"sessionId", "messageId", "type", "message", "timestamp"} <= value.keys()


def _is_content(value: dict[str, object]) -> bool:
    return value.get("role") in ("user", "model") and isinstance(value.get("parts"), list)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    draft = Draft(report, source=FORMAT.name, id=source.id)
    growing: dict[str, object] | None = None
    begun = 0
    for number, value in values(source, shape, report):
        if not isinstance(value, dict):
            report(f"{kind(value)}, not a part of a session", where=number)
            continue
        if value.get("kind") == "subagent":
            return
        if _is_prompt(value):
            unspoken.note("prompts of the sessions once more (`logs.json`)")
            continue
        changed = value.get("$set")
        if isinstance(changed, dict):
            draft.title = changed.get("summary") or draft.title
            continue
        if "sessionId" in value:
            yield from _complete(draft, growing, begun, unspoken)
            growing = None
            draft = Draft(report, source=FORMAT.name, id=identifier(value["sessionId"]) or source.id)
            draft.title = value.get("summary")
            messages = value.get("messages")
            for count, message in enumerate(messages if isinstance(messages, list) else [], start=1):
                draft.take_in(message, (number, count), lambda to, each, at, _: _add_turn(to, each, at, unspoken))
                if draft.full:
                    yield from draft.take()
            continue
        if growing is not None and (value.get("id") is None or value.get("id") != growing.get("id")):
            _add_turn(draft, growing, begun, unspoken)
            if draft.full:
                yield from draft.take()
        growing, begun = value, number or 0
    yield from _complete(draft, growing, begun, unspoken)
    unspoken.close()


def _complete(
    draft: Draft, growing: dict[str, object] | None, begun: int, unspoken: Unspoken
) -> Iterator[Conversation]:
    if growing is not None:
        _add_turn(draft, growing, begun, unspoken)
    yield from draft.take()


def _add_turn(draft: Draft, message: dict[str, object], where: Where, unspoken: Unspoken) -> None:
    speaker = message.get("type", message.get("role"))
    role = _SPEAKERS.get(speaker) if isinstance(speaker, str) else None
    calls = message.get("toolCalls")
    for _ in calls if isinstance(calls, list) else ():
        unspoken.note("calls of tools and their outputs")
    if role is None:
        return
    content = message.get("displayContent") or message.get("content", message.get("parts"))
    text = _spoken(content, unspoken)
    if not (isinstance(text, str) and text.lstrip().startswith(_NOT_SPEECH)):
        draft.add(text, role=role, at=message.get("timestamp"), id=message.get("id"), where=where)


def _spoken(content: object, unspoken: Unspoken) -> object:
    if not isinstance(content, list):
        return content
    texts: list[str] = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(part, dict) and part.get("thought") is True:
            unspoken.note("thoughts")
        elif isinstance(text, str):
            texts.append(text)
        else:
            unspoken.note("files and other parts")
    return "\n".join(text for text in texts if text.strip())


FORMAT = Format("gemini_cli", "Gemini CLI session", _recognises, _read)
