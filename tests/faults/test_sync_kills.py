"""Syncs that are killed with -9 while they apply another device's log: the next one goes on, and nothing is lost or
doubled."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from devices import devices, exported
from forking import Program
from miners import environment, talk
from ricordo.settings import Settings
from stores import connect

_NOW = "from ricordo.blocking import Memory\nwith Memory(background=False) as memory: memory.sync.now()"


def turns(settings: Settings) -> int:
    with connect(settings) as store:
        row = store.execute("SELECT count(*) FROM memories").fetchone()
    return row[0] if row else 0


def killed_at(settings: Settings, enough: int) -> None:
    """Sync in a process of its own, and kill it once so many turns have arrived."""
    process = Program([sys.executable, "-c", _NOW], env=environment(settings))
    deadline = time.monotonic() + 120
    while turns(settings) < enough and process.poll() is None:
        assert time.monotonic() < deadline, "it came no further"
        time.sleep(0.005)
    process.kill()
    process.wait()


def test_syncs_that_are_killed_lose_and_double_nothing(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, ["laptop", "desktop"]) as pair:
        laptop, desktop = pair["laptop"], pair["desktop"]
        for number in range(16, 24):  # one of 450 turns among them
            laptop.mine(talk(number), conversation=f"talk {number}")
        laptop.sync.now()
        for enough in (1, 30, 200, 420):
            killed_at(pair.settings["desktop"], enough)
        drawer = desktop.palace.show("W-001/R-01")[0]
        desktop.entries.redact(drawer.id)
        killed_at(pair.settings["desktop"], 10**6)  # ends by itself
        pair.sync()
        assert len(exported(laptop)["turns"]) == sum(len(talk(number)) for number in range(16, 24))
        assert exported(laptop) == exported(desktop)
        assert all(each.audit.sound().sound for each in pair.memories.values())
