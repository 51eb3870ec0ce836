"""Telegram Desktop's *Export chat history* as JSON: `result.json` of one chat, or of the whole account.

A chat has `name`, `type`, `id` and `messages`; an account's export has them under `chats.list` and
`left_chats.list`. A message has `from`, `date_unixtime` (epoch seconds; else `date`, which has no zone and is
taken as UTC) and `text`, a text or a list of pieces of it. The conversation is `telegram:ID`, its title the name.
Forwarded messages name their sender. Links behind words follow the words. A poll or a checklist is stored as its title
and its items. What a bot says in the chat with it is an assistant's.
These are counted, but are not turns: calls, joins, pins (`type` `service`), and pictures, voice messages and stickers
without text. Files of any size are read as a stream.
"""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.formats.draft import Draft, identifier, label
from ricordo.formats.elements import Shape
from ricordo.formats.format import Format
from ricordo.formats.outline import Member, members
from ricordo.formats.problems import Reporter, Where
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

#: Where messages stand: in the file of one chat, and in an account's.
_PLACES = (("messages", "*"), ("chats", "list", "*", "messages", "*"), ("left_chats", "list", "*", "messages", "*"))


def _recognises(sample: Sample) -> bool:
    roots = [*sample.objects, *([sample.outline] if sample.outline else [])]
    return any(_is_chat(chat) for root in roots for chat in (root, *_listed(root)))


def _listed(root: dict[str, object]) -> Iterator[object]:
    for key in ("chats", "left_chats"):
        chats = root.get(key)
        listed = chats.get("list") if isinstance(chats, dict) else None
        yield from listed if isinstance(listed, list) else ()


def _is_chat(value: object) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(messages, list):
        return False
    return any(
        isinstance(each, dict)
        and each.get("type") in ("message", "service")
        and ("date_unixtime" in each or "date" in each)
        and ("from" in each or "actor" in each or "from_id" in each)
        for each in messages[:50]
    )


class _Chat:
    """The chat whose messages are being read. Its name and id come before them, as Telegram writes them."""

    def __init__(self, source: Source, number: int | None, report: Reporter) -> None:
        self.number = number
        self._source = source
        self._report = report
        self._fields: dict[str, object] = {}
        self._draft: Draft | None = None
        self._count = 0

    def note(self, key: str, value: object) -> None:
        """Takes what the file says of the chat."""
        self._fields.setdefault(key, value)

    def add(self, member: Member, unspoken: Unspoken) -> Iterator[Conversation]:
        """Takes a message; gives out the conversation where it is full."""
        if self._draft is None:
            own_id = identifier(self._fields.get("id"))
            known_as = f"telegram:{own_id}" if own_id else self._source.id_of(self.number)
            title = self._fields.get("name") or (
                "Saved messages" if self._fields.get("type") == "saved_messages" else None
            )
            self._draft = Draft(self._report, source=FORMAT.name, id=known_as, title=title)
        self._count += 1
        message = member.value
        where = (self.number, self._count)
        if isinstance(message, dict):
            role = "assistant" if self._is_bot(message.get("from_id")) else "user"
            _add_turn(self._draft, message, role, where, unspoken)
        else:
            self._draft.take_in(message, where, lambda *_: None)
        if self._draft.full:
            yield from self._draft.take()

    def _is_bot(self, sender: object) -> bool:
        """Whether a sender is the bot that the chat is with."""
        return self._fields.get("type") == "bot_chat" and sender == f"user{self._fields.get('id')}"

    def take(self) -> Iterator[Conversation]:
        """Gives out what is left."""
        if self._draft is not None:
            yield from self._draft.take()


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    chat: _Chat | None = None
    count = 0
    place: tuple[object, ...] | None = None
    for member in members(source, _PLACES, report):
        in_list = member.path[1:2] == ("list",) and len(member.path) > 3
        own = member.path[:3] if in_list else ()
        if chat is None or own != place:
            if chat is not None:
                yield from chat.take()
            count += in_list
            chat, place = _Chat(source, count if in_list else None, report), own
        key = member.path[len(own) :]
        if len(key) == 2 and key[0] == "messages":
            yield from chat.add(member, unspoken)
        elif len(key) == 1:
            chat.note(str(key[0]), member.value)
    if chat is not None:
        yield from chat.take()
    unspoken.close()


def _add_turn(draft: Draft, message: dict[str, object], role: str, where: Where, unspoken: Unspoken) -> None:
    if message.get("type") != "message":
        unspoken.note("calls, joins and other events")
        return
    text = _spoken(message.get("text")) or _listed_out(message.get("poll")) or _listed_out(message.get("todo_list"))
    if isinstance(text, str) and not text.strip():
        unspoken.note("pictures, voice or files without words")
        return
    if "forwarded_from" in message and isinstance(text, str):
        text = f"[forwarded from {label(message['forwarded_from']) or 'a deleted account'}] {text}"
    draft.add(
        text,
        role=role,
        name=message.get("from") or message.get("from_id") or "Deleted account",
        at=message.get("date_unixtime") or message.get("date"),
        id=message.get("id"),
        where=where,
    )


def _spoken(text: object) -> object:
    """A message's text; of pieces (bold, links …) the texts one after another, as they stand on the screen."""
    if not isinstance(text, list):
        return text
    spoken = ""
    for piece in text:
        words = piece.get("text") if isinstance(piece, dict) else piece
        if isinstance(words, str):
            # A link directly after a word would not be one: some exports have lost the blank between them.
            is_link = isinstance(piece, dict) and piece.get("type") == "link"
            target = piece.get("href") if isinstance(piece, dict) else None
            words = f"{words} ({target})" if isinstance(target, str) and target not in words else words
            spoken += f" {words}" if is_link and (spoken[-1:].isalnum() or spoken[-1:] == ":") else words
    return spoken


def _listed_out(value: object) -> str:
    """The question of a poll and its choices, or the title of a checklist and its items, one a line."""
    if not isinstance(value, dict):
        return ""
    listed = value.get("answers")
    items = [each.get("text") for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    title, *told = (_spoken(each) for each in (value.get("question") or value.get("title"), *items))
    lines = [title, *(f"- {each}" for each in told if each)]
    return "\n".join(each for each in lines if isinstance(each, str))


FORMAT = Format("telegram", "Telegram export", _recognises, _read)
