"""How well memory comes by itself: what the hooks of coding assistants add to prompts, and how fast they are.

Each project holds 14 to 18 decisions, each taken in a session of its own, among 26 or some 40 sessions about other
things. A prompt that a decision matters to does not mention it; 50 or 100 prompts have nothing to do with any. The hook
itself is called, once in this process for what it adds, and as the program that an assistant starts for how long it
takes.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from itertools import cycle, zip_longest
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench.assistants_blind import CLINIC, TOWER
from bench.assistants_hard import HARBOR
from bench.assistants_last import METEO, THEATER
from bench.assistants_more import GREENHOUSE
from bench.assistants_spoken import EBIKE, PAYROLL
from bench.assistants_tasks import SHOP, Project, Role, Task, written
from ricordo.assistants.hooks import Call, begin, remind
from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.embedding import load
from ricordo.models import Message
from ricordo.resident import Place, retire
from ricordo.settings import PREFIX, Settings
from ricordo.text import tokens_in

#: The rules were chosen on all of these. docs/performance.md gives the figures of the first readings.
PROJECTS = {
    "shop": SHOP,
    "greenhouse": GREENHOUSE,
    "clinic": CLINIC,
    "tower": TOWER,
    "harbor": HARBOR,
    "payroll": PAYROLL,
    "ebike": EBIKE,
    "meteo": METEO,
    "theater": THEATER,
    **{name: written(name) for name in ("podcasts", "waste", "meters", "kennels", "marking", "elevators")},
}
_AGENT = "claude-code"
_TAKING_TURNS: tuple[Role, Role] = ("user", "assistant")
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
#: Runs of the hook's program that are timed, after those that start the resident process.
_TIMED = 100
#: Prompts to which memory has nothing to add, for each that it has, in a session.
_PLAIN_A_SESSION = 9


@dataclass(frozen=True)
class Added:
    """What hooks added in one project."""

    tasks: int
    #: Tasks whose decision is the first result that a prompt gets in a session of its own, and is among them at all.
    first: int
    within: int
    #: Tasks whose decision the session begins with or the prompt gets, in sessions that begin as an assistant begins
    #: them.
    in_session: int
    #: Prompts to which memory has nothing to add, and how many of them get something: as the first thing of a session,
    #: and in sessions that begin as an assistant begins them.
    plain: int
    injected: int
    injected_in_session: int
    #: Tokens that hooks add to a session of one task and nine other prompts: at its beginning, and in all; and the most
    #: that they add to a prompt.
    begin_tokens: float
    session_tokens: float
    most_tokens: int


@dataclass(frozen=True)
class Measured:
    """What was measured."""

    projects: dict[str, Added]
    #: Milliseconds of the hook of a prompt, and of `ricordo recall`, as programs.
    hook_p50: float
    hook_p95: float
    recall_p50: float
    recall_p95: float


async def measure(settings: Settings, progress: Callable[[str], None], timed: int = _TIMED) -> Measured:
    """Fill a schema of its own, ask, and drop it. Raises StoreError and ModelUnavailable."""
    await asyncio.to_thread(load, settings)  # raises before anything was stored for nothing
    with TemporaryDirectory(prefix="bench-", dir=_scratch(settings)) as parent:
        async with own_schema(settings) as own:
            async with AsyncMemory(settings=own, background=False) as memory:
                added = {
                    name: await _added(memory, Path(parent, name), project, progress)
                    for name, project in PROJECTS.items()
                }
            progress(f"timing {timed} hooks and recalls")
            times = await asyncio.to_thread(_time, own, Path(parent, "shop"), timed)
    return Measured(added, **times)


async def _added(memory: AsyncMemory, folder: Path, project: Project, progress: Callable[[str], None]) -> Added:
    """Store a project's sessions, and ask."""
    await asyncio.to_thread(folder.mkdir)
    progress(f"{folder.name}: storing {len(project.tasks) + len(project.topics) + len(project.talks)} sessions")
    await _fill(memory, folder.name, project)
    await memory.embed_pending()
    prompts = [each.prompt for each in project.tasks]
    blocks = [await _asked(memory, folder, each) for each in prompts]
    plain = [await _asked(memory, folder, each) for each in project.plain]
    begun = [await _begun(memory, folder, each) for each in prompts]
    begun_plain = [await _begun(memory, folder, each) for each in project.plain]
    for task, block in zip(project.tasks, blocks, strict=True):
        if not task.is_in(block):
            progress(f"missed: {task.prompt}")
    for prompt, block in zip(project.plain, plain, strict=True):
        if block:
            progress(f"injected for nothing: {prompt}")
    opening = median(tokens_in(start) for start, _ in begun)
    added = [tokens_in(block) for _, block in begun]
    noise = sum(tokens_in(block) for _, block in begun_plain) / len(plain) * _PLAIN_A_SESSION
    return Added(
        tasks=len(blocks),
        first=sum(_is_first(task, block) for task, block in zip(project.tasks, blocks, strict=True)),
        within=sum(task.is_in(block) for task, block in zip(project.tasks, blocks, strict=True)),
        in_session=sum(task.is_in("".join(told)) for task, told in zip(project.tasks, begun, strict=True)),
        plain=len(plain),
        injected=sum(map(bool, plain)),
        injected_in_session=sum(bool(block) for _, block in begun_plain),
        begin_tokens=float(opening),
        session_tokens=round(opening + sum(added) / len(added) + noise, 1),
        most_tokens=max(map(tokens_in, [*blocks, *plain])),
    )


def _scratch(settings: Settings) -> Path:
    settings.scratch.mkdir(parents=True, exist_ok=True)
    return settings.scratch


async def _fill(memory: AsyncMemory, name: str, project: Project) -> None:
    """The sessions, decisions spread among those that distract, each on a day of its own."""
    for day, turns in enumerate(sessions(project)):
        at = _START + timedelta(days=day)
        messages = [
            Message(role=role, content=text, at=at + timedelta(minutes=4 * number))
            for number, (role, text) in enumerate(turns)
        ]
        await memory.mine(messages, conversation=f"{name}-{day}", project=name)


def sessions(project: Project) -> list[list[tuple[Role, str]]]:
    """A project's sessions, decisions spread among those that distract: who says what."""
    found = [_decides(each) for each in project.tasks]
    for number, turns in enumerate(_distract(project)):
        found.insert(min(len(found), number * 4 // 3), turns)
    return found


def _decides(task: Task) -> list[tuple[Role, str]]:
    return [(task.asker, task.asked), (task.by, task.decided), ("user", task.then)]


def _distract(project: Project) -> Iterator[list[tuple[Role, str]]]:
    """The sessions that distract: fixes, and talks spread among them."""
    talks = [list(zip(cycle(_TAKING_TURNS), texts)) for texts in project.talks]
    fixes: list[list[tuple[Role, str]]] = [
        [
            ("user", f"There is a bug: {what}, {wrong}. Can you look into it?"),
            (project.fixed_by, f"Fixed in {what}: {done}. The tests pass."),
            ("user", "Good, commit that."),
        ]
        for what, wrong, done in project.topics
    ]
    for fix, talk in zip_longest(fixes, talks):
        yield from (turns for turns in (fix, talk) if turns)


def _call(project: Path, session: str, prompt: str) -> Call:
    return Call("UserPromptSubmit", session, project, None, prompt)


async def _asked(memory: AsyncMemory, project: Path, prompt: str) -> str:
    """What the hook adds to a prompt in a session of its own."""
    return await remind(_call(project, f"{project.name}: {prompt}", prompt), memory, _AGENT)


async def _begun(memory: AsyncMemory, project: Path, prompt: str) -> tuple[str, str]:
    """What the hooks add to the beginning of a session, and to its prompt."""
    call = _call(project, f"begun {project.name}: {prompt}", prompt)
    return await begin(call, memory, _AGENT), await remind(call, memory, _AGENT)


def _is_first(task: Task, block: str) -> bool:
    return task.is_in(block.partition("</memory>")[0])


def _time(settings: Settings, project: Path, timed: int) -> dict[str, float]:
    """How long the programs take, from their start to their end."""
    given = {each.name: getattr(settings, each.name) for each in fields(settings)}
    environ = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environ |= {PREFIX + name.upper(): str(value) for name, value in given.items() if value is not None}
    environ |= {"RICORDO_RESIDENT": "on"}
    place = Place.here(environ)
    prompts = [*SHOP.plain, *(each.prompt for each in SHOP.tasks)]

    def run(arguments: list[str], text: str = "") -> float:
        begun = time.perf_counter()
        command = [sys.executable, "-m", "ricordo", *arguments]
        subprocess.run(command, input=text.encode(), env=environ, capture_output=True, check=True, timeout=120)
        return (time.perf_counter() - begun) * 1000

    def hook(number: int) -> float:
        told = {"hook_event_name": "UserPromptSubmit", "session_id": f"timed-{number}", "cwd": str(project)}
        return run(["hook", "prompt"], json.dumps({**told, "prompt": prompts[number % len(prompts)]}))

    try:
        run(["recall", "anything"])  # starts the process
        end = time.monotonic() + 60
        while place is not None and not Path(place.socket).exists() and time.monotonic() < end:
            time.sleep(0.05)
        hook(0)
        hooks = [hook(number) for number in range(timed)]
        recalls = [run(["recall", prompts[number % len(prompts)]]) for number in range(timed)]
    finally:
        if place is not None:
            retire(place.folder)
    return {
        "hook_p50": round(median(hooks), 1),
        "hook_p95": round(quantiles(hooks, n=20)[-1], 1),
        "recall_p50": round(median(recalls), 1),
        "recall_p95": round(quantiles(recalls, n=20)[-1], 1),
    }
