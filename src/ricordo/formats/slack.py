"""Slack exports: a zip, or the folder it unpacks to, with `users.json`, `channels.json` and a folder for each channel.

`channels.json`, `groups.json` (private), `mpims.json` and `dms.json` name the channels; a channel's folder has a
file for each day, a list of messages with `ts` (epoch seconds, the message's id), `user`, `text` and `subtype`.

A channel is a conversation `slack:CHANNEL` with the title `#name` and the channel as its project; a direct talk has
its people for a title. A thread is a conversation of its own, `slack:CHANNEL/TS`, that begins with the message it
hangs from. Mentions, links and `&amp;` are written out (`<@U1>` as `@Ada`). People go by their real names; apps
are assistants, and the words on their cards are kept. Where a message has no text, that of its blocks is taken; apps
often show more in blocks than their text, which is for notifications, and then both are.
Not turns are people who come and go, changes of topic, calls, pins, files without words: they are counted.
Slack's export leaves out what its plan hides, and nothing here can bring it back.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from ricordo.formats.draft import PART_CHARACTERS, Draft, identifier, label
from ricordo.formats.elements import values
from ricordo.formats.format import Bundle, Export
from ricordo.formats.problems import Reporter, kind, shown
from ricordo.formats.sample import look_at
from ricordo.formats.source import READ_ERRORS, Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_USERS = "users.json"
#: The id of Slack's own app.
_SLACKBOT = "USLACKBOT"
#: The lists of channels, and whether a channel of one has a name of its own.
_LISTS = {"channels.json": True, "groups.json": True, "mpims.json": False, "dms.json": False}
_SPOKEN = (None, "", "file_share", "thread_broadcast", "me_message", "bot_message", "file_comment", "reply_broadcast")
_MARK = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|]*)(?:\|(?P<text>[^<>]*))?>")
#: What older exports write for a file without words of its own.
_SHARED = re.compile(r"<@\w+(?:\|[^>]*)?> (?:uploaded|shared|commented on)\b")
_TITLE_CHARACTERS = 60
_WORD = re.compile(r"[^\W_]+")
#: What stands for blocks where they cannot be shown.
_NOT_SHOWN = "This content can't be displayed."
#: Blocks that hold others, and blocks that hold the parts of one paragraph.
_LINES = ("rich_text", "rich_text_list")
_PARAGRAPHS = ("rich_text_section", "rich_text_quote", "rich_text_preformatted")
#: What marks a card as the preview of a link, or as another message that is quoted.
_PREVIEWS = ("from_url", "original_url", "is_msg_unfurl", "is_app_unfurl", "is_share")
#: What a turn takes in memory beside its text, in characters.
_TURN_CHARACTERS = 500

Message = dict[str, object]


def _recognises(names: Set[str]) -> bool:
    return _USERS in names and not names.isdisjoint(_LISTS)


@dataclass(frozen=True)
class _Channel:
    id: str
    #: What its folder is called.
    folder: str
    title: str
    project: str | None


def _read(bundle: Bundle, report: Reporter) -> Iterator[Conversation]:
    people = _people(bundle, report)
    channels = {channel.folder: channel for channel in _channels(bundle, people, report)}
    days: dict[str, list[Source]] = {}
    for name, part in bundle.parts.items():
        folder, _, day = name.rpartition("/")
        if folder and day.endswith(".json"):
            days.setdefault(folder, []).append(part)
    for folder, parts in days.items():
        channel = channels.get(folder)
        if channel is None:
            channel = _Channel(folder, folder, f"#{folder}", folder)
            report(f"the channel of the folder {shown(folder)} is not in any list; used the folder's name", lost=False)
        unspoken = Unspoken(report.about(f"{bundle.source.label}/{folder}"))
        yield from _Reading(channel, people, unspoken, report).read(parts)
        unspoken.close()


def _people(bundle: Bundle, report: Reporter) -> dict[str, str]:
    """Names by user ids."""
    names: dict[str, str] = {_SLACKBOT: "Slackbot"}
    for user in _objects(bundle.parts[_USERS], report):
        candidates = (user.get("real_name"), _name_in(user.get("profile")), user.get("name"), user.get("id"))
        name = next((found for each in candidates if (found := label(each))), None)
        known_as = user.get("id")
        if isinstance(known_as, str) and name:
            names[known_as] = name
    return names


def _name_in(profile: object) -> str | None:
    profile = profile if isinstance(profile, dict) else {}
    return label(profile.get("real_name")) or label(profile.get("display_name"))


def _channels(bundle: Bundle, people: Mapping[str, str], report: Reporter) -> Iterator[_Channel]:
    for file, named in _LISTS.items():
        if file not in bundle.parts:
            continue
        for channel in _objects(bundle.parts[file], report):
            known_as, name = identifier(channel.get("id")), label(channel.get("name"))
            if known_as is None:
                continue
            if named and name:
                yield _Channel(known_as, name, f"#{name}", name)
            else:
                members = channel.get("members")
                ids = members if isinstance(members, list) else []
                title = ", ".join(people.get(each, each) for each in ids if isinstance(each, str))
                yield _Channel(known_as, name or known_as, title or name or known_as, None)


def _objects(source: Source, report: Reporter) -> Iterator[Message]:
    """The objects in a file of the export; what can't be read is reported for the file."""
    told = report.about(source.label)
    try:
        for number, value in values(source, look_at(source).shape, told):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, dict):
                    yield each
                else:
                    told(f"{kind(each)} where an object should be", where=number)
    except READ_ERRORS as error:
        told(f"cannot be read to the end: {error}")
    told.close()


class _Reading:
    """One channel, whose days come in order: its own talk, and its threads."""

    def __init__(self, channel: _Channel, people: dict[str, str], unspoken: Unspoken, report: Reporter) -> None:
        self._channel = channel
        self._people = people
        self._unspoken = unspoken
        self._report = report
        self._drafts: dict[str, Draft] = {}
        self._characters = 0

    def read(self, days: list[Source]) -> Iterator[Conversation]:
        for day in days:
            told = self._report.about(day.label)
            for message in _objects(day, self._report):
                self._add(message, told)
                if self._characters > PART_CHARACTERS:
                    yield from self._take()
            told.close()
        yield from self._take()

    def _take(self) -> Iterator[Conversation]:
        for draft in self._drafts.values():
            yield from draft.take()
        self._characters = 0

    def _add(self, message: Message, report: Reporter) -> None:
        kind_of = message.get("subtype")
        if message.get("type", "message") != "message":
            self._unspoken.note("events")
            return
        if kind_of not in _SPOKEN:
            is_plain = isinstance(kind_of, str) and kind_of.isidentifier()
            self._unspoken.note(str(kind_of)[:40] if is_plain else "events")
            return
        self._meet(message)
        speaker, text = self._said(message)
        if isinstance(text, str):
            text = self._written_out(text)
            self._characters += len(text) + _TURN_CHARACTERS
            if not text.strip():
                self._unspoken.note("files or cards without words")
                return
        role, ts = ("assistant" if _is_app(message) else "user"), message.get("ts")
        draft = self._draft(message, text, report)
        draft.add(text, role=role, name=speaker, at=ts, id=ts)

    def _said(self, message: Message) -> tuple[str | None, object]:
        """Who speaks, and the text as the export has it."""
        comment = message.get("comment")
        if isinstance(comment, dict):
            return self._name(comment.get("user")), comment.get("comment")
        text = message.get("text")
        file = message.get("file")
        if isinstance(file, dict) and isinstance(text, str) and _SHARED.match(text):
            first = file.get("initial_comment")
            text = first.get("comment") if isinstance(first, dict) else ""
        profile = message.get("bot_profile")
        app = profile.get("name") if isinstance(profile, dict) else None
        if not (isinstance(text, str) and text.strip()):
            text = "\n".join(_in_blocks(message.get("blocks")))
        elif _is_app(message):
            text = "\n".join(_with_blocks(text, _in_blocks(message.get("blocks"))))
        carded = _on_cards(message.get("attachments")) if isinstance(text, str) else []
        text = "\n".join(each for each in (text, *carded) if each) if carded else text
        name = self._name(message.get("user")) or label(message.get("username")) or label(app)
        return name or label(message.get("bot_id")), text

    def _name(self, user: object) -> str | None:
        return self._people.get(user, user) if isinstance(user, str) else None

    def _meet(self, message: Message) -> None:
        """Records the name of a member of another organization, whom no list contains."""
        user = message.get("user")
        if isinstance(user, str) and user not in self._people and (name := _name_in(message.get("user_profile"))):
            self._people[user] = name

    def _draft(self, message: Message, text: object, report: Reporter) -> Draft:
        """The conversation that a message belongs to: its thread, or its channel."""
        channel = self._channel
        thread = identifier(message.get("thread_ts"))
        key = thread or ""
        if key not in self._drafts:
            title, known_as = channel.title, f"slack:{channel.id}"
            if thread:
                begins = thread == message.get("ts") and isinstance(text, str)
                first = " ".join(str(text).split())[:_TITLE_CHARACTERS] if begins else "thread"
                title, known_as = f"{title}: {first}", f"{known_as}/{thread}"
            self._drafts[key] = Draft(report, source=EXPORT.name, id=known_as, title=title, project=channel.project)
        return self._drafts[key]

    def _written_out(self, text: str) -> str:
        return html.unescape(_MARK.sub(self._mark, text))

    def _mark(self, found: re.Match[str]) -> str:
        sign, target, text = found["sign"], found["target"], found["text"]
        if sign == "@":
            return f"@{self._people.get(target) or text or target}"
        if sign == "#":
            return f"#{text or target}"
        if sign == "!":
            return text or f"@{target.partition('^')[0]}"
        return f"{text} ({target})" if text and text not in target else target


def _is_app(message: Message) -> bool:
    return message.get("user") in (None, _SLACKBOT) or "bot_id" in message


def _with_blocks(text: str, shown: list[str]) -> list[str]:
    """The text of an app's message and what its blocks show, neither of them twice."""
    beside = _bare(text)
    if not shown or beside in _bare(" ".join(shown)) or text.strip() == _NOT_SHOWN:
        return shown or [text]
    return [text, *(each for each in shown if _bare(each) not in beside)]


def _bare(text: str) -> str:
    """The words of a text without marks."""
    return " ".join(_WORD.findall(text.casefold()))


def _in_blocks(blocks: object) -> list[str]:
    """The words in a message's blocks, a paragraph or item of a list in each text."""
    found: list[str] = []
    for block in blocks if isinstance(blocks, list) else []:
        if not isinstance(block, dict):
            continue
        kind_of, inner = block.get("type"), block.get("elements")
        if kind_of in _LINES:
            found += _in_blocks(inner)
        elif kind_of in _PARAGRAPHS:
            found.append("".join(_words(each) for each in inner) if isinstance(inner, list) else "")
        elif kind_of == "context":
            found += [_plain(each) for each in inner] if isinstance(inner, list) else []
        elif kind_of == "table":
            rows = block.get("rows")
            found += [_row(each) for each in (rows if isinstance(rows, list) else [])]
        else:
            fields = block.get("fields")
            parts = [block.get("title"), block.get("text"), *(fields if isinstance(fields, list) else [])]
            found += [_plain(each) for each in [*parts, block.get("description")]]
    return [text for text in found if text.strip()]


def _row(cells: object) -> str:
    """A row of a table, its cells beside each other."""
    told = [_plain(each) or " ".join(_in_blocks([each])) for each in cells] if isinstance(cells, list) else []
    return " | ".join(told) if any(told) else ""


def _words(element: object) -> str:
    """The words of an element inside a paragraph, with marks as they stand in a message's text."""
    if not isinstance(element, dict):
        return ""
    match element.get("type"):
        case "link":
            text, url = element.get("text"), element.get("url")
            return f"<{url}|{text}>" if text else f"<{url}>"
        case "user":
            return f"<@{element.get('user_id')}>"
        case "channel":
            return f"<#{element.get('channel_id')}>"
        case "usergroup":
            return f"<!subteam^{element.get('usergroup_id')}>"
        case "date":
            return str(element.get("fallback") or "")
        case "broadcast":
            return f"<!{element.get('range')}>"
        case "emoji":
            return f":{element.get('name')}:"
    text = element.get("text")
    return html.escape(text, quote=False) if isinstance(text, str) else ""


def _plain(value: object) -> str:
    """The text of an object of text, or a text by itself."""
    text = value.get("text") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _on_cards(attachments: object) -> list[str]:
    """The words on the cards that an app attached. Previews of links and quoted messages are nobody's words here."""
    found: list[str] = []
    for card in attachments if isinstance(attachments, list) else []:
        if not isinstance(card, dict) or any(card.get(mark) for mark in _PREVIEWS):
            continue
        fields = card.get("fields")
        told = [
            ": ".join(each for each in (_plain(field.get("title")), _plain(field.get("value"))) if each)
            for field in (fields if isinstance(fields, list) else [])
            if isinstance(field, dict)
        ]
        texts = [*(_plain(card.get(name)) for name in ("pretext", "title", "text")), *told]
        texts = [each for each in texts if each.strip()] or _in_blocks(card.get("blocks"))
        found += texts or [_plain(card.get("fallback"))]
    return [text for text in found if text.strip()]


EXPORT = Export("slack", "Slack export", _recognises, _read)
