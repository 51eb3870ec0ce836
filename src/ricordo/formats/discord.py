"""Discord channels as DiscordChatExporter writes them in JSON: a file for each channel, thread or direct talk.

A file has `guild`, `channel` and `messages`, each with `id`, `type`, `timestamp` (ISO 8601), `content` and `author`
(`name`, `nickname`, `isBot`). The conversation is `discord:CHANNEL`, its title the channel's name, its project the
server. Bots are assistants, and the words of their embeds are kept; those of others are previews of links. Not turns,
and counted, are joins, pins, calls and other events, and pictures and files without words. The file is read as a
stream, whatever its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.formats.draft import Draft, identifier, label
from ricordo.formats.elements import Shape
from ricordo.formats.format import Format
from ricordo.formats.outline import members
from ricordo.formats.problems import Reporter, Where
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_PLACES = (("messages", "*"),)
#: Types of messages that somebody wrote; 19, 20, 21 and 23 are those of Discord itself.
_SPOKEN = {"Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "ThreadStarterMessage"}
_SPOKEN |= {"0", "19", "20", "21", "23"}
#: What the exporter calls the server of direct talks.
_DIRECT = "0"
_MENTION = re.compile(r"<@!?(\d+)>")


def _recognises(sample: Sample) -> bool:
    roots = [*sample.objects, *([sample.outline] if sample.outline else [])]
    return any(_is_channel(root) for root in roots)


def _is_channel(value: dict[str, object]) -> bool:
    guild, channel = value.get("guild"), value.get("channel")
    return (
        isinstance(guild, dict)
        and isinstance(channel, dict)
        and "id" in channel
        and ("messages" in value or "dateRange" in value)
    )


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    fields: dict[str, object] = {}
    draft: Draft | None = None
    for count, member in enumerate(members(source, _PLACES, report), start=1):
        if len(member.path) == 1:
            fields.setdefault(str(member.path[0]), member.value)
            continue
        draft = draft or _draft(source, fields, report)
        draft.take_in(member.value, (None, count), lambda to, each, where, _: _add_turn(to, each, where, unspoken))
        if draft.full:
            yield from draft.take()
    if draft is not None:
        yield from draft.take()
    unspoken.close()


def _draft(source: Source, fields: dict[str, object], report: Reporter) -> Draft:
    """The conversation; server and channel come before the messages."""
    guild, channel = (each if isinstance(each := fields.get(name), dict) else {} for name in ("guild", "channel"))
    own_id, name = identifier(channel.get("id")), label(channel.get("name"))
    is_direct = str(guild.get("id")) == _DIRECT
    return Draft(
        report,
        source=FORMAT.name,
        id=f"discord:{own_id}" if own_id else source.id,
        title=name if is_direct or name is None else f"#{name}",
        project=None if is_direct else guild.get("name"),
    )


def _add_turn(draft: Draft, message: dict[str, object], where: Where, unspoken: Unspoken) -> None:
    if str(message.get("type", "Default")) not in _SPOKEN:
        unspoken.note("joins, pins, calls and other events")
        return
    author = message.get("author")
    author = author if isinstance(author, dict) else {}
    is_bot = author.get("isBot") is True
    text = _spoken(message, is_bot)
    if isinstance(text, str) and not text.strip():
        unspoken.note("pictures, files or stickers without words")
        return
    draft.add(
        text,
        role="assistant" if is_bot else "user",
        name=author.get("nickname") or author.get("name") or "Deleted User",
        at=message.get("timestamp"),
        id=message.get("id"),
        where=where,
    )


def _spoken(message: dict[str, object], is_bot: bool) -> object:
    """The text of a message, with mentions by their names, what it forwards, and a bot's embeds."""
    content = message.get("content")
    if content is not None and not isinstance(content, str):
        return content
    forwarded = message.get("forwardedMessage")
    if isinstance(forwarded, dict) and isinstance(forwarded.get("content"), str):
        content = "\n".join(each for each in (content, f"[forwarded] {forwarded['content']}") if each)
    embeds = message.get("embeds")
    told = [_embedded(each) for each in embeds] if is_bot and isinstance(embeds, list) else []
    mentions = message.get("mentions")
    names = {
        str(each.get("id")): each.get("nickname") or each.get("name")
        for each in (mentions if isinstance(mentions, list) else [])
        if isinstance(each, dict)
    }
    text = "\n".join(each for each in (content or "", *told) if each.strip())
    return _MENTION.sub(lambda found: f"@{names.get(found[1]) or found[1]}", text)


def _embedded(embed: object) -> str:
    if not isinstance(embed, dict):
        return ""
    listed = embed.get("fields")
    fields = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    texts = [embed.get("title"), embed.get("description")]
    texts += [": ".join(str(each[key]) for key in ("name", "value") if each.get(key)) for each in fields]
    return "\n".join(each for each in texts if isinstance(each, str) and each.strip())


FORMAT = Format("discord", "Discord channel (DiscordChatExporter)", _recognises, _read)
