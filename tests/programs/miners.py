"""Processes that mine until they are killed, and what they have been told is stored.

Run as a program it mines the talks `FIRST`, `FIRST` + `STEP`, … into the store of the RICORDO_… variables, and prints
the number of each once its receipt is there. It ends after `COUNT`, or never where that is 0.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from typing import Any

import psycopg

from ricordo.blocking import Memory
from ricordo.errors import StoreError
from ricordo.settings import Settings

WORDS = ["battery", "lisbon", "garden", "invoice", "violin", "glacier", "recipe", "compiler", "harbour", "marathon"]
#: Every so manieth talk is stored in two pieces.
_LONG = 20


def talk(number: int) -> list[dict[str, Any]]:
    """The turns of talk `number`, the same each time; some say the same twice."""
    chance = random.Random(number)
    length = 450 if number % _LONG == _LONG - 1 else chance.choice([1, 2, 5, 12, 40])
    turns: list[dict[str, Any]] = []
    for index in range(length):
        content = f"We spoke of the {chance.choice(WORDS)} and the {chance.choice(WORDS)}, {number}."
        turns.append({"role": ("user", "assistant")[index % 2], "content": "ok" if index % 7 == 6 else content})
        if number % 3 == 0:
            turns[-1]["at"] = f"2026-03-{index // 60 % 28 + 1:02}T{number % 24:02}:{index % 60:02}:00Z"
    return turns


def environment(settings: Settings) -> dict[str, str]:
    """The environment of a process that uses the store of these settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RICORDO_")}
    named = {
        "HOME": settings.home,
        "DATABASE": settings.database,
        "SCHEMA": settings.schema,
        "MODEL_DIR": settings.model_dir,
        "EMBEDDING_MODEL": settings.embedding_model,
        "USER": settings.user,
        "DATABASE_URL": settings.database_url,
        "POSTGRES_BIN": settings.postgres_bin,
        "LLM_URL": settings.llm_url,
        "LLM_MODEL": settings.llm_model,
    }
    return kept | {f"RICORDO_{name}": str(value) for name, value in named.items() if value is not None}


class Miner:
    """A process that mines talks from `first` on, until it is killed or has done `count`; with a step of 20 only short
    ones, so that little is left to be done with them."""

    def __init__(self, settings: Settings, first: int, count: int = 0, step: int = 1) -> None:
        self.next = first
        self._step = step
        self.acknowledged: list[int] = []
        from forking import Program  # which the program itself does not need

        self.process = Program(
            [sys.executable, __file__, str(first), str(count), str(step)],
            env=environment(settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def wait_for(self, acknowledged: int, seconds: float = 60) -> None:
        """Return once so many talks are acknowledged."""
        deadline = time.monotonic() + seconds
        while len(self.acknowledged) < acknowledged:
            assert time.monotonic() < deadline, f"only {len(self.acknowledged)} of {acknowledged} in {seconds} s"
            assert self.process.poll() is None, f"it ended: {self.end()}"
            time.sleep(0.01)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.end()

    def end(self, seconds: float = 60) -> str:
        """Wait for the process's end; returns its standard error."""
        self.process.wait(seconds)
        self._listener.join()
        assert self.process.stderr is not None
        with self.process:
            return "" if self.process.stderr.closed else self.process.stderr.read()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith("\n"):
                self.acknowledged.append(int(line))
                self.next = int(line) + self._step


def lost(connection: psycopg.Connection, acknowledged: list[int], user: str | None = None) -> list[str]:
    """What is wrong with the stored talks: acknowledged ones that are not there word for word, and others that are
    there in part, save whole pieces of 400 turns."""
    stored: dict[str, list[str]] = {}
    for name, content in connection.execute(
        "SELECT external_id, content FROM memories JOIN conversations USING (user_id, conversation) "
        "JOIN users USING (user_id) WHERE %s::text IS NULL OR users.name = %s ORDER BY user_id, conversation, position",
        [user, user],
    ):
        stored.setdefault(name, []).append(content)
    problems = []
    for number in {*acknowledged, *(int(name.removeprefix("talk-")) for name in stored)}:
        said = [turn["content"] for turn in talk(number)]
        found = stored.get(f"talk-{number}", [])
        if found != said and (number in acknowledged or found != said[:400]):
            problems.append(f"talk {number}: {len(found)} turns of {len(said)}")
    return problems


def main(first: int, count: int = 0, step: int = 1) -> None:
    with Memory() as memory:
        number = first
        while not count or number < first + count * step:
            try:
                memory.mine(talk(number), conversation=f"talk-{number}")
            except StoreError as error:
                print(error, file=sys.stderr, flush=True)
                time.sleep(0.05)
                continue
            print(number, flush=True)
            number += step


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
