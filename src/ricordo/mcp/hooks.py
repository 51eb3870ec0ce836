"""What Claude Code's hooks do: keep a session's transcript, and begin a session with what is remembered.

A hook must neither break nor hold up the session that it belongs to. So what takes long is done by a process of its
own, what must be waited for ends at a moment, and what goes wrong is in the log and nowhere else.

Source of the forms: Claude Code's hooks reference (November 2026). A hook gets one JSON object on standard input, with
`transcript_path`, `cwd` and `hook_event_name`; what a SessionStart hook prints as `additionalContext` becomes part of
the session, and SessionEnd hooks have 1.5 seconds together unless a hook's `timeout` says more.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput, RicordoError
from ricordo.settings import Settings

#: Seconds after which a session begins without what is remembered.
BUDGET = 2.0
#: Tokens of what a session begins with; Claude Code cuts a hook's context at 10,000 characters.
_TOKENS = 1_500
#: Bytes of a hook's input that are read, and of the log that is kept.
_LARGEST, _LOG = 1_000_000, 1_000_000

log = logging.getLogger("ricordo.hooks")


def read_input(stream: Any) -> dict[str, Any]:
    """What Claude Code tells a hook. Raises InvalidInput."""
    try:
        given = json.loads(stream.read(_LARGEST))
    except ValueError as error:
        raise InvalidInput("stdin", f"is not valid JSON: {error}") from None
    if not isinstance(given, dict):
        raise InvalidInput("stdin", "is not a JSON object: expected the input of a Claude Code hook")
    return given


def keep(given: dict[str, Any], settings: Settings) -> None:
    """Let a process of its own mine the session's transcript. Raises InvalidInput where there is none."""
    transcript = given.get("transcript_path")
    if not isinstance(transcript, str) or not Path(transcript).is_file():
        raise InvalidInput("transcript_path", f"file {str(transcript)[:200]!r} not found")
    # -P: what lies in a folder is not imported because the process starts there.
    command = [sys.executable, "-P", "-m", "ricordo", "mine", "--automatic", "--json", str(Path(transcript).absolute())]
    with log_file(settings).open("ab") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=settings.home,
            start_new_session=True,  # so that what ends the session does not end it
        )
    process.returncode = 0  # nobody waits for it, and Python should not warn of that


def begin(given: dict[str, Any], settings: Settings, agent: str) -> str:
    """What a SessionStart hook prints: the context of this project as JSON; empty where there is none.

    Raises RicordoError.
    """
    import asyncio

    cwd = given.get("cwd")
    project = Path(cwd).name if isinstance(cwd, str) else None
    context = asyncio.run(_context(settings, agent, project or None))
    if not context:
        return ""
    told = {"hookEventName": "SessionStart", "additionalContext": context}
    return json.dumps({"hookSpecificOutput": told}) + "\n"


@contextmanager
def quietly(settings: Settings, what: str, seconds: float) -> Iterator[None]:
    """Whatever happens within this block is a line of the log, and when its time is over the process ends with 0."""
    handler = RotatingFileHandler(log_file(settings), maxBytes=_LOG, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.propagate = False

    def end() -> None:
        log.warning("%s: timed out after %s seconds; nothing was printed", what, seconds)
        os._exit(0)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except RicordoError as error:
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


async def _context(settings: Settings, agent: str, project: str | None) -> str:
    from ricordo.client import AsyncMemory
    from ricordo.mcp.caller import Caller
    from ricordo.mcp.context import opening_context

    async with AsyncMemory(settings=settings, background=False) as memory:

        async def opened() -> AsyncMemory:
            return memory

        return await opening_context(Caller(opened, agent), project=project, max_tokens=_TOKENS)
