"""Kills at random whatever writes to a store, again and again, and looks each time whether all that was acknowledged is
there once. Run it by script/faults; a short run is a test.

At work are: two processes that mine, one that runs an agent, `ricordo worker`, and `ricordo serve`, to which notes are
sent with an Idempotency-Key, each again and again until it is answered. What is killed, with -9: one of these, the
postmaster, or one of its backends, upon which the server starts all of them anew.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import psycopg
import requests

from consistency import inconsistencies
from forking import Program, run
from homes import temporary_home
from miners import Miner, environment, lost
from models import OTHER, model_folder
from ricordo.blocking import Memory
from ricordo.database.embedded import status
from ricordo.errors import StoreError
from ricordo.settings import Settings
from runners import ALL, NOTHING, remains
from stores import connect, settings_for

#: How often each is killed, in proportion.
WEIGHTS = {"postmaster": 40, "backend": 25, "miner": 14, "runner": 7, "worker": 7, "server": 7}
#: Kills after which a store is left for a new one, since looking at everything takes longer and longer.
EPOCH = 100
#: Seconds that something may take to go on after a kill.
PATIENCE = 900.0


class Broken(AssertionError):
    """Something that was acknowledged is not there once, or the tables do not fit together."""


@dataclass
class Tally:
    """What was done."""

    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    checks: int = 0

    def __str__(self) -> str:
        killed = ", ".join(f"{count} {what}" for what, count in self.kills.most_common())
        said = ", ".join(f"{count:,} {what}" for what, count in self.acknowledged.items())
        return f"{self.kills.total():,} kills ({killed}); acknowledged: {said}; {self.checks} checks"


class Notes:
    """A client that sends notes to a server, each until it is answered, and keeps what was answered."""

    def __init__(self, port: int, token: str) -> None:
        self._url = f"http://127.0.0.1:{port}/v1/notes"
        self._token = token
        self.acknowledged: list[str] = []
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._enough.set()
        self._thread.join()

    def _send(self) -> None:
        number = 0
        while not self._enough.is_set():
            text = f"note {number} of the client"
            headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": f"soak-{number}"}
            try:
                answer = requests.post(self._url, json={"content": text}, headers=headers, timeout=10)
            except requests.RequestException:
                answer = None
            if answer is not None and answer.status_code == 201:
                self.acknowledged.append(text)
                number += 1
            else:
                # 409: the request before this one is under way, or its process has died and nobody knows yet.
                if answer is not None and answer.status_code not in (409, 500, 502, 503):
                    raise AssertionError(f"{answer.status_code}: {answer.text}")
                self._enough.wait(0.2)


class Running:
    """A process that runs an agent again and again, and which of its runs it said were done."""

    def __init__(self, settings: Settings) -> None:
        self.done: list[str] = []
        self.process = Program(
            [sys.executable, Path(__file__).with_name("runners.py")],
            env=environment(settings), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def kill(self) -> list[str]:
        """kill -9; returns the ids of the runs that were done."""
        self.process.kill()
        self._listener.join()
        with self.process:
            return self.done

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("done ") and line.endswith("\n"):
                self.done.append(line.split()[1])


class Epoch:
    """One store, and what is at work on it."""

    def __init__(self, settings: Settings, chance: random.Random, tally: Tally) -> None:
        self.settings = settings
        self._chance = chance
        self._tally = tally
        self._mined: dict[str, list[int]] = {"ada": [], "ben": []}
        self._ran: list[str] = []
        with Memory(settings=replace(settings, user="local"), background=False) as memory:
            memory.agents.create("coder")
            self._token = memory.keys.create("soak").token
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._miners = {user: self._miner(user, 0) for user in self._mined}
        self._runner = Running(settings)
        self._worker = self._program("worker", "--quiet")
        self._server = self._serve()
        self._notes = Notes(self._port, self._token)
        for miner in self._miners.values():
            miner.wait_for(1, PATIENCE)

    def kill(self, what: str) -> None:
        """Kill one thing, and see that the rest goes on, or let it be started anew."""
        {
            "postmaster": self._kill_postmaster,
            "backend": self._kill_backend,
            "miner": self._kill_miner,
            "runner": self._kill_runner,
            "worker": self._kill_worker,
            "server": self._kill_server,
        }[what]()

    def check(self) -> None:
        """Look at everything as it stands at one moment, while others go on writing. Raises Broken."""
        mined = {user: [*self._mined[user], *miner.acknowledged] for user, miner in self._miners.items()}
        sent, ran = list(self._notes.acknowledged), [*self._ran, *self._runner.done]
        owner = self._patiently(lambda: connect(self.settings))
        with owner, owner.transaction():
            owner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            problems = inconsistencies(owner)
            for user, numbers in mined.items():
                problems += [f"{user}: {each}" for each in lost(owner, numbers, user)]
            kept = Counter(text for (text,) in owner.execute("SELECT content FROM memories WHERE kind = 'note'"))
            problems += [f"{text!r} is there {kept[text]} times" for text in sent if kept[text] != 1]
            problems += [f"{text!r} is there {count} times" for text, count in kept.items() if count > 1]
            found = remains(owner)
            problems += [
                f"run {id} is {each}" for id, each in found.items() if each != ALL and not _wrote_nothing(each)
            ]
            problems += [f"run {id} is {found.get(id)}, and was said to be done" for id in ran if found.get(id) != ALL]
        self._tally.checks += 1
        if problems:
            raise Broken("\n".join(problems))

    def end(self) -> None:
        """Stop what is at work, then look at everything once more, also by the product's own commands."""
        self.stop()
        self.check()
        self._tally.acknowledged["talks"] += sum(map(len, self._mined.values()))
        self._tally.acknowledged["runs"] += len(self._ran)
        self._tally.acknowledged["notes"] += len(self._notes.acknowledged)
        for user in ("ada", "ben", "local"):
            with Memory(settings=replace(self.settings, user=user), background=False) as memory:
                memory.jobs.finish()
                memory.embed_pending()
                memory.audit.seal()
            for options in (["--store"], []):
                self._verify(user, *options)
        self.check()

    def stop(self) -> None:
        self._notes.end()
        for miner in self._miners.values():
            miner.kill()
        for user, miner in self._miners.items():
            self._mined[user] += miner.acknowledged
            miner.acknowledged = []
        self._ran += self._runner.kill()
        for process in (self._worker, self._server):
            process.kill()
            process.wait()

    def _verify(self, user: str, *options: str) -> None:
        ran = run(
            [sys.executable, "-m", "ricordo", "verify", *options, "--user", user],
            env=environment(self.settings), text=True,
        )  # fmt: skip
        if ran.returncode:
            raise Broken(f"ricordo verify {options} --user {user}: {ran.stdout}{ran.stderr}")

    def _kill_postmaster(self) -> None:
        pid = status(self.settings).pid
        if pid is not None:
            self._signal(pid, "postmaster")
        self._wait_for_miner()

    def _signal(self, pid: int, what: str) -> None:
        os.kill(pid, signal.SIGKILL)
        self._tally.kills[what] += 1

    def _kill_backend(self) -> None:
        try:
            with connect(self.settings) as owner:
                query = (
                    "SELECT pid FROM pg_stat_activity WHERE application_name = 'ricordo' "
                    "ORDER BY state = 'idle', random() LIMIT 1"
                )
                for (pid,) in owner.execute(query).fetchall():
                    self._signal(pid, "backend")
        except (psycopg.OperationalError, ProcessLookupError):
            pass  # it is about to end, or to start
        self._wait_for_miner()

    def _kill_miner(self) -> None:
        user = self._chance.choice([*self._miners])
        miner = self._miners[user]
        miner.kill()
        self._tally.kills["miner"] += 1
        self._mined[user] += miner.acknowledged
        self._miners[user] = self._miner(user, miner.next)
        self._miners[user].wait_for(1, PATIENCE)

    def _kill_runner(self) -> None:
        self._ran += self._runner.kill()
        self._tally.kills["runner"] += 1
        self._runner = Running(self.settings)

    def _kill_worker(self) -> None:
        self._worker.kill()
        self._worker.wait()
        self._tally.kills["worker"] += 1
        self._worker = self._program("worker", "--quiet")

    def _kill_server(self) -> None:
        self._server.kill()
        self._server.wait()
        self._tally.kills["server"] += 1
        self._server = self._serve()

    def _wait_for_miner(self) -> None:
        """Some process has had something acknowledged since: the store is back."""
        miner = self._chance.choice([*self._miners.values()])
        miner.wait_for(len(miner.acknowledged) + 1, PATIENCE)
        if self._runner.process.poll() is not None:  # a run whose end the store cannot tell ends its process
            self._ran += self._runner.kill()
            self._runner = Running(self.settings)

    def _miner(self, user: str, first: int) -> Miner:
        return Miner(replace(self.settings, user=user), first)

    def _serve(self) -> subprocess.Popen[bytes]:
        return self._program("serve", "--port", str(self._port), "--rate", "100000/minute", "--no-sign-in")

    def _program(self, *arguments: str) -> subprocess.Popen[bytes]:
        return Program(
            [sys.executable, "-m", "ricordo", *arguments],
            env=environment(self.settings), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def _patiently(self, what: Callable[[], psycopg.Connection]) -> psycopg.Connection:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return what()
            except (psycopg.OperationalError, StoreError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)


def _wrote_nothing(run: tuple[str, int, int, int, int]) -> bool:
    """Of a run that was killed, or that failed when the store could not take its end."""
    return run == NOTHING or (run[0] == "failed" and not any(run[1:4]))


@contextmanager
def _epoch(home: Path, chance: random.Random, tally: Tally) -> Iterator[Epoch]:
    # The faster embedding model: what is mined until the end has to be embedded there.
    settings = replace(settings_for(home), model_dir=model_folder(), embedding_model=OTHER, user="local")
    epoch = Epoch(settings, chance, tally)
    try:
        yield epoch
    finally:
        epoch.stop()


def soak(seed: int, kills: int, minutes: float, look: int, say: Callable[[str], object] = lambda _: None) -> Tally:
    """Kill so often, or for so long, and look at everything after every `look` kills. Raises Broken."""
    chance, tally = random.Random(seed), Tally()
    deadline = time.monotonic() + 60 * minutes
    with temporary_home() as home:
        while tally.kills.total() < kills and time.monotonic() < deadline:
            with _epoch(home, chance, tally) as epoch:
                for number in range(1, EPOCH + 1):
                    time.sleep(chance.uniform(0, 0.3))
                    epoch.kill(chance.choices([*WEIGHTS], [*WEIGHTS.values()])[0])
                    if number % look == 0:
                        epoch.check()
                        say(str(tally))
                    if tally.kills.total() >= kills or time.monotonic() > deadline:
                        break
                epoch.end()
                say(str(tally))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/faults", description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so long")
    parser.add_argument("--kills", type=int, default=1_000_000, help="stop after so many kills")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="what to kill when")
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    try:
        tally = soak(chosen.seed, chosen.kills, chosen.minutes, 20, lambda told: print(told, flush=True))
    except Broken as error:
        print(f"BROKEN (seed {chosen.seed}): {error}")
        return 1
    print(f"nothing lost, nothing doubled, everything fits: {tally}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
