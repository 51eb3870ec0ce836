"""What the hooks of coding assistants do: a session begins with what is remembered, each prompt gets what matters to
it, and the session is stored.

A hook must neither break nor hold up the session that it belongs to. So what takes long is done by a process of its
own, what must be waited for ends at a moment, and what goes wrong is in the log and nowhere else.

docs/guides/coding-assistant.md names the sources of each assistant's forms.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ricordo.errors import InvalidInput, RicordoError, StoreUnavailable
from ricordo.settings import Settings
from ricordo.times import within

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory
    from ricordo.models import Drawer, Hit, SessionStart
    from ricordo.remote import Remote

#: Seconds after which a session goes on without what is remembered.
BUDGET = 2.0
#: Tokens of what a session begins with, of its parts about the user and with the project's decisions, and of what a
#: prompt gets. Claude Code cuts a hook's context at 10,000 characters.
_TOKENS, _ABOUT_TOKENS, _DECISION_TOKENS, _PROMPT_TOKENS = 2_400, 400, 1_600, 400
#: Results that a prompt gets at most, and that are looked at for them.
_MOST, _LOOKED_AT = 9, 14
#: Confidence that a conversation needs if it shares one word with the prompt. With n shared words it needs n³ times
#: less; the second number is the maximum n. Chosen by `bench assistants`.
_CONFIDENCE, _COUNTED = 0.3, 3
#: Confidence from which a result comes before decisions.
_ANSWER = 0.5
#: Words of its own that a prompt must have: with fewer it is about any code.
_OWN = 2
#: Words of its own from which an instruction is about some matter.
_MATTER = 3
#: An instruction that forbids something, and what in it names a file, a tool or a person: a sign, or a capital letter.
_FORBIDS = re.compile(r"(?:(?!\balways\b).)*?\b(?:never|do not|don['’]t|(?:must|may) not|mustn['’]t)\b", re.IGNORECASE)
_NAMED = re.compile(r"\w[./_]\w|\w/|[`@#]|\w[A-Z]|(?<=[\w,] )(?!I\b)[A-Z]")
#: Words that a prompt must have, and its characters that are looked for.
_FEWEST_WORDS, _LONGEST = 3, 1_000
#: Rooms that are looked into for where a project stopped, turns of the last one, and commits since.
_ROOMS_LOOKED_AT, _LAST_TURNS, _COMMITS = 8, 4, 8
#: Sessions that it is known of what they were shown, and lines of each.
_SESSIONS, _SHOWN = 200, 2_000
#: Maximum characters of a hook's input, bytes read from the end of a session's transcript, and bytes of the log.
_LARGEST, _CONTEXT, _LOG = 8_000_000, 4_000_000, 1_000_000

#: Objects in which Cline and Windsurf nest the event's own fields.
_NESTED = ("userPromptSubmit", "tool_info")
#: What assistants call an event that do not say so.
_EVENTS = {"session-start": "SessionStart", "prompt": "UserPromptSubmit"}

log = logging.getLogger("ricordo.hooks")


@dataclass(frozen=True)
class Call:
    """What an assistant tells a hook."""

    #: What the assistant calls the event.
    event: str
    session: str
    folder: Path | None
    transcript: str | None
    prompt: str
    #: How a session begins: `startup`, `resume`, `clear`, `compact` …
    source: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Call:
        """Read the JSON of any assistant."""
        roots = given.get("workspace_roots") or given.get("workspaceRoots")
        root = roots[0] if isinstance(roots, list) and roots else None
        folder = _first({**given, "root": root}, "cwd", "workspacePath", "root")
        inner = [each for name in _NESTED if isinstance(each := given.get(name), dict)]
        every = {**{name: value for each in inner for name, value in each.items()}, **given}
        return cls(
            _first(given, "hook_event_name", "hookEventName", "hookName", "agent_action_name"),
            _first(given, "session_id", "sessionId", "conversation_id", "taskId", "trajectory_id"),
            Path(folder) if folder.startswith("/") and "\0" not in folder else None,
            _first(every, "transcript_path") or None,
            _first(every, "prompt"),
            "resume" if "taskResume" in given else _first(given, "source", "trigger"),
        )

    @property
    def project(self) -> str | None:
        """The project that the session is about."""
        from ricordo.formats.repository import project_of

        return project_of(self.folder) if self.folder else None

    @property
    def former_project(self) -> str | None:
        """What the project was called before its repository got a remote."""
        from ricordo.formats.repository import former_project_of

        return former_project_of(self.folder) if self.folder else None


def _first(given: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := given.get(name), str) and value), "")


def read_input(stream: Any, event: str) -> Call:
    """What the assistant tells the hook of an event. Raises InvalidInput."""
    try:
        text = stream.read(_LARGEST)
        while stream.read(_LARGEST):  # an assistant that cannot write all of it may report an error
            text = ""
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("stdin", f"invalid JSON: {str(error)[:200]}") from None
    if not isinstance(given, dict):
        raise InvalidInput(
            "stdin", f"invalid input {str(given)[:50]!r}: expected a JSON object, as assistants send to their hooks"
        )
    call = Call.of(given)
    return call if call.event else replace(call, event=_EVENTS.get(event, event))


def matters(own: frozenset[str], hits: Sequence[Hit]) -> bool:
    """Whether the results of one conversation are worth a place in a prompt with these words, whose author did not ask
    for them.

    This is the only place that decides it, except for decisions (`ricordo.recall.decisions`). It is stricter than
    recall: the lower the confidence of results, the more words they must share with the prompt.
    """
    from ricordo.text.coding_words import own_terms

    shared = len(own & own_terms("\n".join(each.text for each in hits)))
    return max(each.confidence or 0.0 for each in hits) * min(shared, _COUNTED) ** 3 >= _CONFIDENCE


def chosen(prompt: str, found: Sequence[Hit]) -> list[Hit]:
    """The results that matter to a prompt: likely answers, decisions, then the others, each best first; without
    questions whose conversation has something better. What a prompt asks for by its time alone need not be like it."""
    from ricordo.recall import by_time_alone
    from ricordo.text.coding_words import own_terms

    if by_time_alone(prompt):
        return list(found)
    own = own_terms(prompt)
    if len(own) < _OWN:
        return []
    by_conversation: dict[str, list[Hit]] = {}
    for each in found:
        if not each.decision:
            by_conversation.setdefault(each.conversation, []).append(each)
    mattering = {name for name, hits in by_conversation.items() if matters(own, hits)}
    told = {each.conversation for each in found if not _asks(each)}
    others = [
        each
        for each in found
        if not each.decision and each.conversation in mattering and not (_asks(each) and each.conversation in told)
    ]
    answers = [each for each in others if (each.confidence or 0.0) >= _ANSWER]
    return [*answers, *(each for each in found if each.decision), *(each for each in others if each not in answers)]


def applies(prompt: str, told: Hit) -> bool:
    """Whether a prompt gets one of the user's standing instructions: one about any answer or any code always, and a
    prohibition that names nothing of the project, whose words a prompt need not have; another one about some matter of
    the project only where the prompt shares a word with it, or is near to it."""
    from ricordo.facts import understood
    from ricordo.text import may_decide
    from ricordo.text.coding_words import own_terms

    instruction = told.instruction or ""
    about = own_terms(instruction)
    forbids = _FORBIDS.match(instruction) and not _NAMED.search(instruction)
    of_a_matter = not forbids and len(about) >= _MATTER and may_decide(told.text) and not understood(instruction).aspect
    return not of_a_matter or told.decision or bool(about & own_terms(prompt))


def _asks(hit: Hit) -> bool:
    return hit.text.rstrip().endswith("?")


@dataclass(frozen=True)
class Asked:
    """A hook's question to a memory, which may be on another machine."""

    session: str
    project: str | None
    prompt: str = ""
    source: str = ""
    #: Memories that the session has already seen.
    seen: frozenset[UUID] = frozenset()
    #: The end of its transcript, which stays on this machine.
    context: bytes = b""

    @classmethod
    def of(cls, call: Call, seen: SeenMemory) -> Asked:
        """What a call asks for."""
        from ricordo.rules import mended

        prompt = mended(call.prompt[:_LONGEST])
        return cls(mended(call.session), call.project, prompt, call.source, seen.ids, _context(call))

    def told(self, agent: str) -> dict[str, Any]:
        """The body of the request to a memory on another machine."""
        seen = [str(each) for each in self.seen]
        given = {"session": self.session, "project": self.project, "prompt": self.prompt, "source": self.source}
        return {"agent": agent, **given, "seen": seen}

    @property
    def is_question(self) -> bool:
        """Whether anything can matter to the prompt."""
        return self.project is not None and len(self.prompt.split()) >= _FEWEST_WORDS and self.prompt[0] != "/"


async def begin(call: Call, memory: AsyncMemory, agent: str) -> str:
    """What a session begins with: what is known about the user, what the agent keeps in mind, what the project decided,
    where it stopped, and what changed since.

    Raises RicordoError.
    """
    from ricordo.client import in_project

    try:
        await in_project(memory, call.project).follow(call.former_project)
    except Exception:  # the session begins without it
        log.exception("%s: the memory of %r could not follow it to its remote", call.event, call.former_project)
    seen = SeenMemory(memory.process_settings, call.session)
    return begun(call, seen, await opening(Asked.of(call, seen), memory, agent))


async def remind(call: Call, memory: AsyncMemory, agent: str) -> str:
    """The results that matter to a prompt, without those that the session or its context already contains.

    Raises RicordoError.
    """
    seen = SeenMemory(memory.process_settings, call.session)
    return reminded(call, seen, await reminding(Asked.of(call, seen), memory, agent))


def begin_from(remote: Remote, call: Call, agent: str) -> str:
    """What a session begins with, from a memory on another machine. Raises RicordoError."""
    seen = SeenMemory(remote.process_settings, call.session)
    return begun(call, seen, remote.session_start(Asked.of(call, seen).told(agent)))


def remind_from(remote: Remote, call: Call, agent: str) -> str:
    """What a prompt gets from a memory on another machine. Raises RicordoError."""
    seen = SeenMemory(remote.process_settings, call.session)
    asked = Asked.of(call, seen)
    return reminded(call, seen, remote.prompt(asked.told(agent))) if asked.is_question else ""


def begun(call: Call, seen: SeenMemory, found: SessionStart) -> str:
    """The text for the beginning of a session, from what the memory returned."""
    seen.add(found.ids)
    parts = [found.context, "" if found.last_at is None else _since(call.folder, found.last_at)]
    return "\n\n".join(each for each in parts if each)


def reminded(call: Call, seen: SeenMemory, found: Sequence[Hit]) -> str:
    """The text for a prompt, from the results that the memory returned, whose times are in the user's zone."""
    from ricordo.recall import quoted

    asked = Asked.of(call, seen)
    hits = [each for each in found if _is_new(each, asked)]
    block = _block(hits)
    seen.add(each.id for each in quoted(hits, block))
    return block


async def opening(asked: Asked, memory: AsyncMemory, agent: UUID | str) -> SessionStart:
    """What a memory has for the beginning of a session. Raises RicordoError."""
    from ricordo.mcp.caller import Caller, speaker
    from ricordo.mcp.context import about_user, decisions_of, opening_context
    from ricordo.models import SessionStart
    from ricordo.text import tokens_in

    async def opened() -> AsyncMemory:
        return memory

    if asked.source == "resume" and asked.seen:
        return SessionStart()  # it has all of this
    caller = Caller(opened, agent, palace=False)
    own = await opening_context(caller, max_tokens=_TOKENS)
    who = await speaker(memory, caller)
    settings = await memory.settings.get()
    if not settings.enabled or (who is not None and who.memory_disabled):
        return SessionStart()
    id = who.id if who else None
    is_open = asked.project is None or settings.across_projects != "nothing"
    about = await about_user(memory, id, _ABOUT_TOKENS) if is_open else ""
    parts = [each for each in (about, own) if each]
    ids: list[UUID] = []
    if asked.project is not None:
        seen = () if asked.source == "compact" else asked.seen  # of what was said before, only a summary is left
        decided, ids = await decisions_of(memory, asked.project, id, _DECISION_TOKENS, seen)
        parts += [decided] if decided else []
    if last := await _last(memory, asked, id):
        left = _TOKENS - sum(map(tokens_in, parts))
        stopped, told = await _stopped(memory, asked.seen.union(ids), last, left, id)
        parts, ids = [*parts, stopped] if stopped else parts, ids + told
    return SessionStart(context="\n\n".join(parts), ids=tuple(ids), last_at=last[-1].at if last else None)


async def reminding(asked: Asked, memory: AsyncMemory, agent: UUID | str) -> list[Hit]:
    """The results that matter to a prompt, as many as it may get; times are in the user's zone. Raises RicordoError."""
    from ricordo.client import serving, showing
    from ricordo.mcp.caller import Caller, speaker
    from ricordo.recall import quoted

    async def opened() -> AsyncMemory:
        return memory

    if not asked.is_question:
        return []
    who = await speaker(memory, Caller(opened, agent))
    async with showing(memory) as shown:
        found = await memory.recall(
            asked.prompt, project=asked.project, top_k=_LOOKED_AT, agent=who.id if who else None,
            conversation=asked.session or None, rerank=False,
        )  # fmt: skip
        others = [each for each in found if each.conversation != asked.session]
        told = [each for each in others if each.instruction is not None and applies(asked.prompt, each)]
        matching = chosen(asked.prompt, [each for each in others if each.instruction is None])
        hits = [each for each in matching if _is_new(each, asked)][:_MOST]
        hits += [each for each in told if _is_new(each, asked)]
        zone = await serving(memory).zone() if hits else UTC
        hits = [each.model_copy(update={"at": within(each.at, zone)}) for each in hits]
        hits = list(quoted(hits, _block(hits)))
        shown.update(each.id for each in hits)
    return hits


def _block(hits: Sequence[Hit]) -> str:
    """What a prompt gets of these results: of a decision in a long turn the sentences around it."""
    from ricordo.recall import deciding, render

    return render(hits, _PROMPT_TOKENS, None, lambda at, text: deciding(text) if hits[at].decision else text)[0]


def _is_new(hit: Hit, asked: Asked) -> bool:
    """Whether a result is neither in the session's context nor was shown to the session before."""
    from ricordo.formats.repository import is_read_by_assistants

    text = hit.text.strip()
    if hit.id in asked.seen or text == asked.prompt.strip() or is_read_by_assistants(hit.conversation):
        return False
    return json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace") not in asked.context


def _context(call: Call) -> bytes:
    """The end of the session's transcript as it is in the file, where a fork has the turns of its origin too."""
    path = Path(call.transcript or os.devnull)
    try:
        if not path.is_file():  # not written yet, or a pipe, which would block
            return b""
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _CONTEXT))
            return file.read(_CONTEXT)
    except (OSError, ValueError):  # ValueError: an impossible path
        return b""


async def _last(memory: AsyncMemory, asked: Asked, agent: UUID | None) -> list[Drawer]:
    """The turns of the project's conversation that was last, in their order."""
    if asked.project is None:
        return []
    from ricordo.client import showing
    from ricordo.mcp.context import last_rooms

    async with showing(memory):  # what is quoted of them is noted where it is quoted
        for room in (await last_rooms(memory, asked.project, asked.project))[:_ROOMS_LOOKED_AT]:
            turns = await memory.palace.show(room.pointer, agent=agent)
            said = bool(turns) and not turns[0].conversation.startswith("repository:")
            if said and turns[0].conversation != asked.session:
                return list(turns)
    return []


async def _stopped(
    memory: AsyncMemory, seen: frozenset[UUID], last: Sequence[Drawer], tokens: int, agent: UUID | None
) -> tuple[str, list[UUID]]:
    """The end of the last conversation, as it was said, and the memories that it quotes."""
    from ricordo.client import serving, showing
    from ricordo.recall import quoted, render

    zone = await serving(memory).zone()
    turns = [each for each in reversed(last[-_LAST_TURNS:]) if each.id not in seen]
    async with showing(memory) as shown:
        turns = [each for turn in turns for each in await memory.palace.show(turn.pointer, agent=agent)]
        block, _ = render(turns, tokens, zone)
        ids = [each.id for each in quoted(turns, block)]
        shown.update(ids)
    day = within(last[-1].at, zone)
    return (f"You stopped at (latest first, {day:%Y-%m-%d}):\n{block}", ids) if block else ("", [])


def _since(folder: Path | None, at: datetime) -> str:
    """The commits since a moment, one a line; empty where there is no repository."""
    if folder is None:
        return ""
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(folder), "log", "--no-color", f"-n{_COMMITS}"]
    command += [f"--since={at.isoformat()}", "--format=%h %ad %an: %s", "--date=short"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=1)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    lines = [each[:200] for each in listed.stdout.splitlines()]
    return "Commits since then:\n" + "\n".join(lines) if listed.returncode == 0 and lines else ""


class SeenMemory:
    """What a session was shown, by the ids of the memories, in a file of its own."""

    def __init__(self, settings: Settings, session: str) -> None:
        name = hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:32]
        self._path = settings.home / "sessions" / name if session else None
        self.ids: frozenset[UUID] = frozenset(self._read())

    def add(self, ids: Iterable[UUID]) -> None:
        """Remember that these are in the session's context now."""
        new = [each for each in ids if each not in self.ids]
        if self._path is None or not new or len(self.ids) > _SHOWN:
            return
        if not self._path.exists():
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._forget_old()
        with self._path.open("a", encoding="ascii") as file:
            file.write("".join(f"{each}\n" for each in new))
        self.ids |= set(new)

    def _read(self) -> Iterator[UUID]:
        if self._path is not None:
            with suppress(FileNotFoundError):
                for line in self._path.read_text("ascii", "replace").splitlines():
                    with suppress(ValueError):  # a line that a full disk cut short
                        yield UUID(line)

    def _forget_old(self) -> None:
        assert self._path is not None
        with suppress(OSError):
            files = sorted(self._path.parent.iterdir(), key=lambda each: each.stat().st_mtime)
            for each in files[: max(0, len(files) - _SESSIONS)]:
                each.unlink(missing_ok=True)


def keep(call: Call, settings: Settings) -> None:
    """Let a process of its own mine the session's transcript. Raises InvalidInput where there is none."""
    if call.transcript is None:
        raise InvalidInput("transcript_path", "missing: expected the path of the session's transcript")
    if not Path(call.transcript).is_file():
        raise InvalidInput("transcript_path", f"file {str(call.transcript)[:200]!r} not found")
    # -P: what lies in a folder is not imported because the process starts there.
    path = str(Path(call.transcript).absolute())
    command = [sys.executable, "-P", "-m", "ricordo", "mine", "--automatic", "--json"]
    command += [*(["--project", call.project] if call.project else []), path]
    with log_file(settings).open("ab") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=settings.home,
            env=os.environ | {"RICORDO_USER": settings.user},
            start_new_session=True,  # so that what ends the session does not end it
        )
    process.returncode = 0  # nobody waits for it, and Python should not warn of that


class _Log(RotatingFileHandler):
    """A log file that tolerates a full or read-only disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Do nothing: the default would print a traceback in the assistant."""


@contextmanager
def quietly(settings: Settings, what: str, seconds: float | None) -> Iterator[None]:
    """Whatever happens within this block is a line of the log, and when its time is over the process ends with 0.

    With no `seconds` another process watches the time, and raises StoreUnavailable itself.
    """
    handler = _Log(log_file(settings), maxBytes=_LOG, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.propagate = False

    def end() -> None:
        log.warning("%s: ended after %s seconds, with nothing printed", what, seconds)
        os._exit(0)

    timer = threading.Timer(seconds or 0.0, end)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    try:
        yield
    except RicordoError as error:
        if seconds is None and isinstance(error, StoreUnavailable):
            raise  # the hook itself may start the store
        log.warning("%s: %s", what, error)
    except OSError as error:  # such as a home without write permission
        log.warning("%s: %s", what, error)
    except Exception:  # the outermost edge: no fault of ours may reach the session
        log.exception("%s: internal error", what)
    finally:
        timer.cancel()
        log.removeHandler(handler)
        handler.close()


def log_file(settings: Settings) -> Path:
    """The log of all hooks."""
    settings.logs.mkdir(parents=True, exist_ok=True)
    return settings.logs / "hooks.log"
