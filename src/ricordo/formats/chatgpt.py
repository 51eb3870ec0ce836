"""ChatGPT exports: `conversations.json` (a list), one conversation of it by itself, or the zip that holds them.

A conversation is a tree, `mapping`, of nodes with a `message`, a `parent` and `children`; only the branch
that ends in `current_node` is read. These messages are turns:
- `user` and `assistant` messages with text for everyone (`recipient` is `all` or missing), and
- `tool` messages with text, under the role `tool`, named after the tool.

These are not turns: system messages and custom instructions, hidden messages, tool calls (another `recipient`),
thoughts and their recaps, and parts without text (images, audio). Source markers inside an answer, which ChatGPT shows
as buttons, are left out; of a name's marker, the name is kept. Times are epoch seconds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ricordo.formats.branch import branch
from ricordo.formats.draft import Draft, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind, shown
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.models import Conversation

_SPOKEN = {"text", "multimodal_text", "code", "execution_output"}
#: Kinds of content that are no speech; others that are not known are reported.
_SILENT = {
    "thoughts",
    "reasoning_recap",
    "user_editable_context",
    "model_editable_context",
    "tether_browsing_display",
    "tether_quote",
    "sonic_webpage",
    "system_error",
    "app_pairing_content",
    "computer_output",
    "super_widget",
}

#: A mark inside an answer, between characters for private use (`cite turn0search1`, `entity ["place","Texel"]`), and
#: what stood for sources before: `【6†source】`.
_MARK = re.compile(
    r"[ \t]?(?:\ue200(?P<kind>\w+)(?:\ue202(?P<told>[^\ue200\ue201]*))?\ue201|【\d[\d:]*†[^【】\n]{0,80}】)"
)


def _recognises(sample: Sample) -> bool:
    return any(isinstance(each.get("mapping"), dict) for each in sample.objects)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    for number, value in values(source, shape, report):
        mapping = value.get("mapping") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(mapping, dict):
            report(f"{kind(value)}, not a ChatGPT conversation", where=number)
            continue
        own_id = identifier(value.get("conversation_id")) or identifier(value.get("id"))
        if own_id is None:
            own_id = source.id_of(number)
            report(f"a conversation has no id; used {shown(own_id)}", where=number, lost=False)
        draft = Draft(report, source=FORMAT.name, id=own_id, title=value.get("title"))
        messages = _current(mapping, value.get("current_node"), number, report)
        yield from draft.fill(messages, number, _add_turn)


def _current(mapping: dict[str, object], leaf: object, number: int | None, report: Reporter) -> list[object]:
    """The messages of the current branch."""
    nodes = {key: node for key, node in mapping.items() if isinstance(node, dict)}
    if len(nodes) < len(mapping):
        report(f"{len(mapping) - len(nodes)} nodes of a conversation are not objects", where=number)
    if not isinstance(leaf, str) or leaf not in nodes:
        newest = _last_leaf(nodes)
        if newest is None:
            return []
        leaf = newest
        what = "a conversation's current_node is missing; read its newest branch"
        report(what, where=number, lost=False)
    parents = {key: _text(node.get("parent")) for key, node in nodes.items()}
    way, whole = branch(nodes, parents, leaf)
    if not whole:
        report("a conversation's tree is broken; skipped the turns before the break", where=number)
    return [message for key in way if (message := nodes[key].get("message")) is not None]


def _last_leaf(nodes: dict[str, dict[str, object]]) -> str | None:
    """The node without children that was made last; among those without times the last in the file."""

    def made(key: str) -> float:
        message = nodes[key].get("message")
        at = message.get("create_time") if isinstance(message, dict) else None
        return float(at) if isinstance(at, int | float) and abs(at) < 1e17 else 0.0

    parents = {_text(node.get("parent")) for node in nodes.values()}
    leaves = [key for key in nodes if key not in parents]
    return max(reversed(leaves), key=made, default=None)


def _add_turn(draft: Draft, message: dict[str, object], where: Where, report: Reporter) -> None:
    author = message.get("author")
    author = author if isinstance(author, dict) else {}
    role = author.get("role")
    if role == "system" or _hidden(message) or message.get("recipient") not in (None, "all"):
        return
    content = message.get("content")
    if not isinstance(content, dict):
        if content is not None or "content" not in message:
            report("it has no content" if content is None else f"its content is {kind(content)}", where=where)
        return
    content_type = content.get("content_type", "text")
    if not isinstance(content_type, str):
        content_type = shown(content_type)
    if content_type not in _SPOKEN:
        if content_type not in _SILENT:
            report(f"unknown content_type {shown(content_type)}", where=where)
        return
    draft.add(
        _spoken(content),
        role=role,
        name=author.get("name") if role == "tool" else None,
        at=message.get("create_time"),
        id=message.get("id"),
        where=where,
    )


def _hidden(message: dict[str, object]) -> bool:
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True
    return hidden or message.get("weight") in (0, 0.0)


def _spoken(content: dict[str, object]) -> object:
    """The text of a message: its `parts` that are text or hold a transcript, else its `text`."""
    parts = content.get("parts")
    if not isinstance(parts, list):
        return content.get("text") if parts is None else parts
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n".join(_MARK.sub(_shown, text) for text in texts if isinstance(text, str) and text.strip())


def _shown(mark: re.Match[str]) -> str:
    """The words that ChatGPT shows instead of a marker."""
    told = (mark["told"] or "").split("\ue202")
    words: object = told[0] if mark["kind"] == "url" else ""
    if mark["kind"] == "entity":
        try:
            words = json.loads(told[0])[1]
        except (ValueError, IndexError, TypeError, KeyError, RecursionError):
            words = told[0]
    blank = mark[0][0] if mark[0][0].isspace() and words else ""
    return f"{blank}{words}" if isinstance(words, str) else ""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


FORMAT = Format("chatgpt", "ChatGPT export", _recognises, _read)
