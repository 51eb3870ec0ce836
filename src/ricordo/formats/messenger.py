"""Instagram's and Facebook's messages, as *Download your information* gives them in JSON: `message_1.json` … of a
conversation.

A file has `participants`, `messages` (the newest first) with `sender_name`, `timestamp_ms` and `content`, `title` and
`thread_path`. The parts of a conversation are one conversation, `messenger:THREAD`. Its texts are UTF-8 written as
Latin-1, which is undone. Not turns, and counted, are calls, pictures, shares and likes without words. A file is held
whole."""

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


def _recognises(sample: Sample) -> bool:
    return any(_is_talk(each) for each in sample.objects)


def _is_talk(value: object) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else None
    return isinstance(messages, list) and any(
        isinstance(each, dict) and "sender_name" in each and "timestamp_ms" in each for each in messages[:50]
    )


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    for number, value in values(source, shape, report):
        messages = value.get("messages") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(messages, list):
            report(f"{kind(value)}, not a conversation", where=number)
            continue
        thread = identifier(value.get("thread_path"))
        known_as = f"messenger:{thread}" if thread else source.id_of(number)
        draft = Draft(report, source=FORMAT.name, id=known_as, title=_mended(value.get("title")))
        for count, message in enumerate(sorted(messages, key=_sent), start=1):
            draft.take_in(message, (number, count), lambda to, each, where, _: _add_turn(to, each, where, unspoken))
            if draft.full:
                yield from draft.take()
        yield from draft.take()
    unspoken.close()


def _sent(message: object) -> float:
    at = message.get("timestamp_ms") if isinstance(message, dict) else None
    return float(at) if isinstance(at, int | float) and abs(at) < 1e17 else 0.0


def _add_turn(draft: Draft, message: dict[str, object], where: Where, unspoken: Unspoken) -> None:
    text = _mended(message.get("content"))
    if text is None or "call_duration" in message or message.get("is_unsent") is True:
        unspoken.note("calls, pictures or shares without words")
        return
    draft.add(text, role="user", name=_mended(message.get("sender_name")), at=message.get("timestamp_ms"), where=where)


def _mended(text: object) -> object:
    """The text that was written as UTF-8 and taken for Latin-1; any other as it is."""
    if not isinstance(text, str):
        return text
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


FORMAT = Format("messenger", "Instagram or Facebook messages", _recognises, _read)
