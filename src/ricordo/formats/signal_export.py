"""Signal's own export as plain text: `main.jsonl`, one object a line, in the folder or zip that Signal writes.

Lines have one key each: `recipient` (people, groups, and `self`), `chat`, and `chatItem`, a message with `chatId`,
`authorId`, `dateSent` (epoch milliseconds) and what it is: a `standardMessage` with `text` and perhaps a `quote`, an
answer to a story, a `poll`. The conversation is `signal:` with the person's or group's own id, its title their name.
Of a message that was edited the last version is read. Not turns, and counted, are updates (calls, joins, timers),
messages that were deleted, and pictures, stickers, contacts and other cards without words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ricordo.formats.draft import PART_CHARACTERS, Draft, identifier, label
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, kind, shown
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

Object = dict[str, object]

#: What a turn takes in memory beside its text, in characters.
_TURN_CHARACTERS = 500


def _recognises(sample: Sample) -> bool:
    return sample.shape == "lines" and any(
        (isinstance(item := each.get("chatItem"), dict) and "dateSent" in item)
        or (isinstance(person := each.get("recipient"), dict) and not person.keys().isdisjoint({"self", "contact"}))
        for each in sample.objects
    )


class _Export:
    """What the lines that were read tell: who there is, and the conversation of each chat."""

    def __init__(self, report: Reporter) -> None:
        self._report = report
        self._unspoken = Unspoken(report)
        self._people: dict[str, Object] = {}
        #: The recipient of each chat.
        self._chats: dict[str, str] = {}
        self._drafts: dict[str, Draft] = {}
        self._characters = 0

    def feed(self, line: Object, number: int | None) -> None:
        """Takes a line."""
        person, chat, item = line.get("recipient"), line.get("chat"), line.get("chatItem")
        if isinstance(person, dict) and (known_as := identifier(person.get("id"))):
            self._people[known_as] = person
        elif isinstance(chat, dict) and (known_as := identifier(chat.get("id"))):
            self._chats[known_as] = identifier(chat.get("recipientId")) or ""
        elif isinstance(item, dict):
            self._add_turn(item, number)

    @property
    def full(self) -> bool:
        """True when `take` should be called before more is fed."""
        return self._characters > PART_CHARACTERS

    def take(self) -> Iterator[Conversation]:
        """Gives out what the chats hold."""
        for draft in self._drafts.values():
            yield from draft.take()
        self._characters = 0

    def close(self) -> None:
        """Reports what was no speech."""
        self._unspoken.close()

    def _add_turn(self, item: Object, number: int | None) -> None:
        text = self._said(item)
        if text is None:
            return
        chat, author = identifier(item.get("chatId")) or "", identifier(item.get("authorId")) or ""
        if chat not in self._drafts:
            with_whom = self._chats.get(chat)
            if with_whom not in self._people:
                self._report(f"no line names the participants of the chat {shown(chat)} is", where=number, lost=False)
            self._drafts[chat] = Draft(
                self._report,
                source=FORMAT.name,
                id=f"signal:{_own_id(self._people.get(with_whom or '', {})) or chat}",
                title=_name(self._people.get(with_whom or "", {})),
            )
        self._characters += len(text) + _TURN_CHARACTERS
        is_me = "outgoing" in item or "self" in self._people.get(author, {})
        name = None if is_me else _name(self._people.get(author, {})) or "Unknown"
        self._drafts[chat].add(text, role="user", name=name, at=item.get("dateSent"), where=number)

    def _said(self, item: Object) -> str | None:
        """The words of a message; None where it has none, which is counted."""
        standard, poll = item.get("standardMessage"), item.get("poll")
        story = item.get("directStoryReplyMessage")
        reply = story.get("textReply") if isinstance(story, dict) else None
        if "updateMessage" in item:
            self._unspoken.note("calls, joins and other events")
        elif "remoteDeletedMessage" in item or "adminDeletedMessage" in item:
            self._unspoken.note("deleted messages")
        elif isinstance(standard, dict) and (body := _body(standard.get("text"))):
            quote = standard.get("quote")
            quoted = _body(quote.get("text")) if isinstance(quote, dict) else ""
            marked = "".join(f"> {each}\n" for each in quoted.splitlines())
            return f"{marked}\n{body}" if marked else body
        elif isinstance(reply, dict) and (body := _body(reply.get("text"))):
            return body
        elif isinstance(poll, dict) and isinstance(question := poll.get("question"), str) and question.strip():
            return question
        else:
            self._unspoken.note("pictures, stickers and cards without words")
        return None


def _body(text: object) -> str:
    body = text.get("body") if isinstance(text, dict) else None
    return body if isinstance(body, str) and body.strip() else ""


def _name(person: Object) -> str | None:
    """What a person or a group is called: by the user, by the address book, by themselves."""
    contact, group = person.get("contact"), person.get("group")
    if isinstance(group, dict):
        snapshot = group.get("snapshot")
        title = snapshot.get("title") if isinstance(snapshot, dict) else None
        return label(title.get("title")) if isinstance(title, dict) else None
    if not isinstance(contact, dict):
        return "Note to Self" if "self" in person else "Signal" if "releaseNotes" in person else None
    nickname = contact.get("nickname")
    pairs = (
        (nickname.get("given"), nickname.get("family")) if isinstance(nickname, dict) else (),
        (contact.get("systemGivenName"), contact.get("systemFamilyName")),
        (contact.get("profileGivenName"), contact.get("profileFamilyName")),
        (contact.get("username"),),
        (_phone(contact.get("e164")),),
    )
    names = (label(" ".join(each for each in pair if isinstance(each, str))) for pair in pairs)
    return next((name for name in names if name), None)


def _phone(number: object) -> str | None:
    digits = identifier(number)
    return f"+{digits.removeprefix('+')}" if digits else None


def _own_id(person: Object) -> str | None:
    """An id that is the same in every export; that of a group is made of its key, which is a secret."""
    contact, group = person.get("contact"), person.get("group")
    if isinstance(contact, dict):
        return identifier(contact.get("aci")) or _phone(contact.get("e164"))
    if isinstance(group, dict) and isinstance(key := group.get("masterKey"), str):
        return "group:" + hashlib.sha256(key.encode()).hexdigest()[:32]
    return "self" if "self" in person else None


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    export = _Export(report)
    for number, line in values(source, shape, report):
        if isinstance(line, dict):
            export.feed(line, number)
            if export.full:
                yield from export.take()
        else:
            report(f"{kind(line)}, not a line of the export", where=number)
    export.close()
    yield from export.take()


FORMAT = Format("signal_export", "Signal export", _recognises, _read)
