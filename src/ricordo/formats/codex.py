"""Codex sessions: `rollout-….jsonl`, one object a line with `timestamp`, `type` and `payload`.

`session_meta` has the session's `id`, used for the conversation, and `cwd` and `git`, which determine its project. The
event `thread_name_updated` has its title. Turns are the messages among the `response_item`s: what a `user` typed
(`input_text`) and the `assistant` answered (`output_text`). Older files have bare messages, after a first line
with `id` and `timestamp`.

These are not turns: text inserted by developers, Codex or an editor (`<environment_context>`, instructions, notes on
stopped turns), and thoughts, which are counted. Text that the user typed after an insertion is kept. Tool calls and
their outputs become a compact record (ricordo.formats.tool_runs). A subagent's session is skipped, because it is not a
conversation with a user; other `event_msg` lines only repeat messages. A forked session (`forked_from_id`) begins with
a copy of all lines of its origin, written at one moment. They belong to their original session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from ricordo.formats.draft import Draft, folder, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.injected import Injected
from ricordo.formats.problems import Reporter, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.times import AHEAD, moment
from ricordo.formats.tool_runs import SPEAKER, ToolRuns
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_LINES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
#: Items that are no speech, by what several are called; all others that are no message are passed over.
_CALLS = re.compile(r"(?:function_call|local_shell_call|custom_tool_call|web_search_call|mcp_|tool_)")

#: What Codex puts into the user's mouth.
_INJECTED = Injected(
    r"environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command|collaboration_mode"
    r"|skills?|subagent_notification|INSTRUCTIONS|hook_prompt|recommended_plugins|goal_context|component_context"
    r"|codex_\w+|external_[\w-]+|model_switch|personality_spec|realtime_conversation|user_action"
    r"|\w+_(?:instructions|context|notification)",
    r"# AGENTS\.md instructions|Another language model started to solve this problem and produced a summary of its "
    r"thinking process|Warning: (?:apply_patch was requested via |The maximum number of unified exec "
    r"processes |Your account was flagged for )",
)
#: Separate texts around an image.
_PICTURE = re.compile(r"</?image(?:\s[^<>]*)?>")
#: At the beginning of a forked session, a line that follows within this time was copied at the same moment.
_AT_ONCE = timedelta(seconds=1)
#: The block that an editor puts before the request, and where the request begins.
_IDE = re.compile(r"\s*# (?:Context from my IDE setup|Files mentioned by the user):")
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\n?", re.MULTILINE)


def _recognises(sample: Sample) -> bool:
    return sample.shape in ("lines", "object") and any(
        (each.get("type") in _LINES and isinstance(each.get("payload"), dict)) or _is_bare(each)
        for each in sample.objects
    )


def _is_bare(line: dict[str, object]) -> bool:
    """A message of an older session: a `content` of blocks that are put in and out."""
    content = line.get("content")
    return line.get("type") == "message" and isinstance(content, list) and any(map(_block_text, content))


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    own: _Session | None = None
    origin: _Origin | None = None
    for number, line in values(source, shape, report):
        if not isinstance(line, dict):
            report(f"{kind(line)}, not a line of a session", where=number)
            continue
        item = line.get("payload") if "payload" in line else line
        if not isinstance(item, dict):
            report(f"the payload of a line is {kind(item)}", where=number)
            continue
        if own is None:
            if _is_subagent(item):
                return
            own = _Session(report, identifier(_session(line, item)) or source.id)
            origin = _origin(report, item, line.get("timestamp"))
            own.take_in(line, item, number, unspoken)
        elif origin is not None and origin.has(line):
            origin.session.take_in(origin.as_copied(line), item, number, unspoken)
            yield from origin.session.take_full()
        else:
            own.take_in(line, item, number, unspoken)
            yield from own.take_full()
    if own is not None:
        yield from origin.session.draft.take() if origin else ()
        yield from own.draft.take()
    unspoken.close()


class _Session:
    """A session while it is read."""

    def __init__(self, report: Reporter, id: str) -> None:
        self.draft = Draft(report, source=FORMAT.name, id=id)
        self._runs = ToolRuns()

    def take_in(self, line: dict[str, object], item: dict[str, object], number: int | None, unspoken: Unspoken) -> None:
        """Reads the next line with its payload."""
        draft = self.draft
        if item.get("type") == "thread_name_updated":
            draft.title = item.get("thread_name") or draft.title
        elif line.get("type") in ("session_meta", "turn_context"):
            draft.project = draft.project or folder(item.get("cwd"), _remote(item))
            self._runs.enter(item.get("cwd"))
        elif line.get("type") == "response_item" or "payload" not in line:
            _note_runs(draft, self._runs, item, line.get("timestamp"))
            _add_turn(draft, item, line.get("timestamp"), number, unspoken)

    def take_full(self) -> Iterator[Conversation]:
        """Returns what was read so far, if it is large."""
        if self.draft.full:
            yield from self.draft.take()


class _Origin:
    """The origin of a forked session, for the lines that repeat it."""

    def __init__(self, session: _Session, forked: datetime) -> None:
        self.session = session
        self._forked = forked
        self._last: datetime | None = forked

    def has(self, line: dict[str, object]) -> bool:
        """Whether the next line is from the origin: all lines before the first pause are."""
        at = _moment(line.get("timestamp"))
        if self._last is None or at is None or at - self._last > _AT_ONCE:
            self._last = None
            return False
        self._last = max(self._last, at)
        return True

    def as_copied(self, line: dict[str, object]) -> dict[str, object]:
        """A line without the time of the copy."""
        at = _moment(line.get("timestamp"))
        return {**line, "timestamp": None} if at is None or at >= self._forked else line


def _origin(report: Reporter, item: dict[str, object], timestamp: object) -> _Origin | None:
    """The id of the origin of a session with this first line, or None if it is not a fork."""
    known_as, forked = identifier(item.get("forked_from_id")), _moment(timestamp)
    return _Origin(_Session(report, known_as), forked) if known_as and forked else None


def _moment(timestamp: object) -> datetime | None:
    try:
        return moment(timestamp, datetime.max.replace(tzinfo=UTC) - AHEAD)
    except ValueError:
        return None


def _session(line: dict[str, object], item: dict[str, object]) -> object:
    """The session's id, where the first line tells it: there a message's own would be taken for one."""
    return item.get("id") if line.get("type") in ("session_meta", None) else None


def _remote(item: dict[str, object]) -> object:
    return git.get("repository_url") if isinstance(git := item.get("git"), dict) else None


def _is_subagent(item: dict[str, object]) -> bool:
    return isinstance(source := item.get("source"), dict) and "subagent" in source


def _note_runs(draft: Draft, runs: ToolRuns, item: dict[str, object], at: object) -> None:
    """Note a call of a tool or its output; before what the agent says at the end of a turn, and before the next prompt,
    comes the record of them."""
    kind_of = item.get("type")
    if kind_of == "message" and (item.get("role") == "user" or item.get("phase") in (None, "final_answer")):
        if item.get("role") in ("user", "assistant") and (record := runs.take()) is not None:
            id, told = record
            draft.add(told, role="assistant", name=SPEAKER, at=at, id=id or None)
    elif not isinstance(kind_of, str) or not _CALLS.match(kind_of):
        return
    elif kind_of.endswith("_output"):
        output = item.get("output")
        text = output.get("content") if isinstance(output, dict) else output
        runs.answer(item.get("call_id"), text)
    else:
        name = "shell" if kind_of == "local_shell_call" else item.get("name")
        runs.call(item.get("call_id"), name, item.get("arguments") or item.get("input") or item.get("action"))


def _add_turn(draft: Draft, item: dict[str, object], at: object, number: int | None, unspoken: Unspoken) -> None:
    item_type = item.get("type")
    if item_type != "message":
        if item_type == "reasoning":
            unspoken.note("thoughts")
        return
    if item.get("role") not in ("user", "assistant"):
        return
    content = item.get("content")
    blocks = content if isinstance(content, list) else [content]
    is_user = item["role"] == "user"
    texts = [_typed(text) if is_user else text for block in blocks if (text := _block_text(block))]
    texts = [text for text in texts if not (is_user and _PICTURE.fullmatch(text))]
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "input_image":
            unspoken.note("pictures")
    draft.add(
        "\n\n".join(text for text in texts if text),
        role=item["role"],
        at=at or item.get("timestamp"),
        id=item.get("id"),
        where=number,
    )


def _typed(text: str) -> str:
    """What the user typed of a text."""
    request = _REQUEST.search(text) if _IDE.match(text) else None
    return _INJECTED.without(text[request.end() :].strip() if request else text)


def _block_text(block: object) -> str | None:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict) or block.get("type") not in ("input_text", "output_text", "text"):
        return None
    text = block.get("text")
    return text if isinstance(text, str) and text.strip() else None


FORMAT = Format("codex", "Codex session", _recognises, _read)
