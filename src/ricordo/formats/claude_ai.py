"""Claude.ai exports: `conversations.json` (a list), one conversation by itself, or the zip that holds them.

A conversation has a `uuid`, a `name` (or `title`) and `chat_messages`, each with `sender` (`human` or
`assistant`), `created_at` (ISO 8601) and what was said twice: `content`, a list of blocks, and `text`, the
same flattened, where tools have left marks. The text blocks of `content` are taken; `text` only where
`content` has no usable block. Thinking, tool calls and their results, and, counted, attachments are no turns.
Where the messages name their parents, only the branch that ends in `current_leaf_message_uuid`, else in the
last message, is read; the messages of others are counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.formats.branch import branch
from ricordo.formats.draft import Draft, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind, shown
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

#: Blocks that are no speech, beside the calls of tools by whatever name; others that are not known are reported.
_SILENT = {
    "thinking",
    "redacted_thinking",
    "token_budget",
    "compaction",
    "flag",
    "image",
    "document",
    "knowledge",
}
_ATTACHED = ("image", "document", "knowledge")
_OF_TOOLS = ("tool_use", "tool_result")


def _recognises(sample: Sample) -> bool:
    return any(isinstance(each.get("chat_messages"), list) for each in sample.objects)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    for number, value in values(source, shape, report):
        messages = value.get("chat_messages") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(messages, list):
            report(f"{kind(value)}, not a Claude.ai conversation", where=number)
            continue
        own_id = identifier(value.get("uuid"))
        if own_id is None:
            own_id = source.id_of(number)
            report(f"a conversation has no uuid; used {shown(own_id)}", where=number, lost=False)
        project = value.get("project")
        draft = Draft(
            report,
            source=FORMAT.name,
            id=own_id,
            title=value.get("name") or value.get("title"),
            project=project.get("name") if isinstance(project, dict) else None,
        )
        yield from draft.fill(
            _current(value, messages, unspoken),
            number,
            lambda to, message, where, told: _add_turn(to, message, where, told, unspoken),
        )
    unspoken.close()


def _current(conversation: dict[str, object], messages: list[object], unspoken: Unspoken) -> list[object]:
    """The messages of the current branch; all of them where they form no tree. A first prompt that was edited begins a
    tree of its own beside the first."""
    nodes: dict[str, object] = {}
    parents: dict[str, str | None] = {}
    for message in messages:
        if not isinstance(message, dict):
            return messages
        uuid, parent = message.get("uuid"), message.get("parent_message_uuid")
        if not isinstance(uuid, str) or not isinstance(parent, str | None) or uuid in nodes:
            return messages
        nodes[uuid] = message
        parents[uuid] = parent
    if len(nodes) < 2 or parents.keys().isdisjoint(parents.values()):
        return messages  # no message names another
    # Whatever the first message has for a parent stands for the beginning.
    beginning = {None, next(iter(parents.values()), None)} - nodes.keys()
    if not set(parents.values()) <= beginning | nodes.keys():
        return messages  # a part of the tree is missing
    parents = {uuid: None if parent in beginning else parent for uuid, parent in parents.items()}
    leaf = conversation.get("current_leaf_message_uuid")
    if not isinstance(leaf, str) or leaf not in nodes:
        leaf = next(reversed(nodes))
    way, whole = branch(nodes, parents, leaf)
    if not whole:
        return messages
    for _ in range(len(nodes) - len(way)):
        unspoken.note("messages of branches that were given up")
    return [nodes[uuid] for uuid in way]


def _add_turn(draft: Draft, message: dict[str, object], where: Where, report: Reporter, unspoken: Unspoken) -> None:
    for _ in range(_attached(message)):
        unspoken.note("attached files and pictures")
    draft.add(
        _spoken(message, where, report),
        role=message.get("sender"),
        at=message.get("created_at"),
        id=message.get("uuid"),
        where=where,
    )


def _attached(message: dict[str, object]) -> int:
    """How many files and pictures a message has beside its words."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    held = [block for block in blocks if isinstance(block, dict) and block.get("type") in _ATTACHED]
    files = message.get("files") or message.get("files_v2")
    listed = [each for field in (message.get("attachments"), files) if isinstance(field, list) for each in field]
    return len(held) + len(listed)


def _spoken(message: dict[str, object], where: Where, report: Reporter) -> object:
    """What a message says. Its flat `text` is no substitute where there are only tool calls or thoughts."""
    content = message.get("content")
    if content is None:
        return message.get("text")
    if not isinstance(content, list):
        what = f"its content is {kind(content)}, not a list; used its flat text"
        report(what, where=where, lost=False)
        return message.get("text")
    texts: list[str] = []
    silent = False
    for block in content:
        block_type = block.get("type") if isinstance(block, dict) else None
        text = block.get("text") if isinstance(block, dict) else None
        if isinstance(block_type, str) and (block_type in _SILENT or block_type.endswith(_OF_TOOLS)):
            silent = True
        elif block_type in ("text", "voice_note") and isinstance(text, str):
            texts.append(text)
        else:
            what = f"unknown block {shown(block)}"
            report(what, where=where, lost=False)
    if texts or silent:
        return "\n\n".join(text for text in texts if text.strip())
    return message.get("text")


FORMAT = Format("claude_ai", "Claude.ai export", _recognises, _read)
