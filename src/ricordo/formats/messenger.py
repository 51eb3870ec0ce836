"""Instagram's and Facebook's messages, as *Download your information* gives them in JSON: `message_1.json` … of a
conversation.

A file has `participants`, `messages` (the newest first) with `sender_name`, `timestamp_ms` and `content`, `title` and
`thread_path`. The parts of a conversation are one conversation, `messenger:THREAD`. Its texts are UTF-8 written as
Latin-1, which is undone. Chats with end-to-end encryption come as `NAME_1.json` with `threadName`, which makes the id,
and messages with `senderName`, `timestamp` and `text`, in plain UTF-8. Not turns, and counted, are calls, pictures,
shares, reactions and likes without words, and messages that were unsent. A file is held whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.formats.draft import Draft, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

#: What the app writes as somebody's words for a reaction, and behind their name for a file.
_REACTED = re.compile(
    r"reacted \W{1,12} to (?:your|the) message|liked a message|(?:hat )?mit \W{1,12} auf deine nachricht reagiert"
    r"|a réagi \W{1,12} à (?:votre|ton) message|reaccionó con \W{1,12} a tu mensaje"
    r"|ha reagito con \W{1,12} al tuo messaggio",
    re.IGNORECASE,
)
_SENT = re.compile(
    r" (?:sent an attachment|(?:hat|hast) einen anhang gesendet|(?:a|avez) envoyé une pièce jointe)\.?", re.IGNORECASE
)
#: The number behind the name of an encrypted chat.
_NUMBERED = re.compile(r"_\d+$")


def _recognises(sample: Sample) -> bool:
    return any(_is_talk(each) for each in sample.objects)


def _is_talk(value: object) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(messages, list):
        return False
    needed = {"senderName", "timestamp"} if "threadName" in value else {"sender_name", "timestamp_ms"}
    return any(isinstance(each, dict) and needed <= each.keys() for each in messages[:50])


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    for number, value in values(source, shape, report):
        messages = value.get("messages") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(messages, list):
            report(f"{kind(value)}, not a conversation", where=number)
            continue
        thread = identifier(value.get("thread_path")) or identifier(value.get("threadName"))
        known_as = f"messenger:{thread}" if thread else source.id_of(number)
        title = _mended(value.get("title")) or _NUMBERED.sub("", str(value.get("threadName") or ""))
        draft = Draft(report, source=FORMAT.name, id=known_as, title=title)
        for count, message in enumerate(sorted(messages, key=_moment), start=1):
            draft.take_in(message, (number, count), lambda to, each, where, _: _add_turn(to, each, where, unspoken))
            if draft.full:
                yield from draft.take()
        yield from draft.take()
    unspoken.close()


def _moment(message: object) -> float:
    at = message.get("timestamp_ms", message.get("timestamp")) if isinstance(message, dict) else None
    return float(at) if isinstance(at, int | float) and abs(at) < 1e17 else 0.0


def _add_turn(draft: Draft, message: dict[str, object], where: Where, unspoken: Unspoken) -> None:
    if "senderName" in message:
        text, speaker, at = message.get("text") or None, message["senderName"], message.get("timestamp")
    else:
        text, speaker = _mended(message.get("content")), _mended(message.get("sender_name"))
        at = message.get("timestamp_ms")
    is_gone = message.get("is_unsent") is True or message.get("isUnsent") is True
    if text is None or "call_duration" in message or is_gone or _is_by_app(text, speaker):
        unspoken.note("calls, pictures, shares, reactions or unsent messages")
        return
    draft.add(text, role="user", name=speaker, at=at, where=where)


def _is_by_app(text: object, speaker: object) -> bool:
    """Whether the app wrote a text."""
    if not isinstance(text, str):
        return False
    said = text.strip()
    names = [speaker] if isinstance(speaker, str) else []
    after = next((said[len(name) :] for name in (*names, "You", "Du", "Vous") if said.startswith(name)), "")
    return _REACTED.fullmatch(said) is not None or _SENT.fullmatch(after) is not None


def _mended(text: object) -> object:
    """The text that was written as UTF-8 and taken for Latin-1; any other as it is."""
    if not isinstance(text, str):
        return text
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


FORMAT = Format("messenger", "Instagram or Facebook messages", _recognises, _read)
