"""Processes that run an agent until they are killed, and what a killed run may leave.

Run as a program it makes one run after the other on the agent `coder` of the store of the RICORDO_… variables. It
prints `held ID` when a run holds all its writes and is about to end, and `done ID` when that has ended; with `wait`
it holds the first run for ever.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import psycopg

from miners import environment
from ricordo.blocking import Memory
from ricordo.settings import Settings

#: Writes of each run: enough for the commit to take a while.
WRITES = 30


class Runner:
    """A process that runs an agent, until it is killed."""

    def __init__(self, settings: Settings, *, wait: bool = False) -> None:
        from forking import Program  # which the program itself does not need

        self.process = Program(
            [sys.executable, __file__, *(["wait"] if wait else [])],
            env=environment(settings),
            stdout=subprocess.PIPE,
            text=True,
        )

    def until(self, word: str) -> str:
        """Return the id of the next run that is `held` or `done`."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said, id = line.split()
            if said == word:
                return str(id)
        raise AssertionError(f"it ended before it said {word!r}: {self.process.wait()}")

    def kill(self) -> list[str]:
        """kill -9; returns the ids of the runs that it still said to be done."""
        self.process.kill()
        with self.process:
            assert self.process.stdout is not None
            said = [] if self.process.stdout.closed else list(self.process.stdout)
        return [line.split()[1] for line in said if line.startswith("done") and line.endswith("\n")]


def settled(owner: psycopg.Connection, seconds: float = 30) -> None:
    """Wait until the server has noticed that the clients of the store are gone."""
    deadline = time.monotonic() + seconds
    while owner.execute(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'ricordo' AND datname = current_database()"
    ).fetchone():
        assert time.monotonic() < deadline, "a killed process still has connections"
        time.sleep(0.01)


def remains(owner: psycopg.Connection) -> dict[str, tuple[str, int, int, int, int]]:
    """(status, entries, write accesses, events of a commit, events in all) of each run that the store knows."""
    rows = owner.execute(
        """
        SELECT r.id::text, r.status, (SELECT count(*) FROM memories m WHERE m.run_id = r.id),
               (SELECT count(*) FROM access_log l WHERE l.run_id = r.id AND l.action = 'write'),
               (SELECT count(*) FROM activity a WHERE a.run_id = r.id AND a.event = 'memory_committed'
                   AND (a.payload ->> 'write_count')::integer = %s),
               (SELECT count(*) FROM activity a WHERE a.run_id = r.id AND a.event <> 'memory_injected')
        FROM runs r
        """,
        [WRITES],
    ).fetchall()
    return {row[0]: row[1:] for row in rows}


#: What a run may be found as: with nothing, or with all.
NOTHING, ALL = ("running", 0, 0, 0, 0), ("completed", WRITES, WRITES, 1, 1)


def main(wait: bool) -> None:
    with Memory(background=False) as memory:
        while True:
            with memory.run("coder", "Go on.") as run:
                writes = [{"content": f"{run.id} learned {number}"} for number in range(WRITES)]
                run.output("node", {"__lf_memory_writes": writes})
                print("held", run.id, flush=True)
                if wait:
                    threading.Event().wait()
            print("done", run.id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] == ["wait"])
