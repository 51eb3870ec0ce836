"""How long opening a memory takes in a new process, and its first recalls; on the store of the settings, which is only
read."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from statistics import median

from ricordo import AsyncMemory

#: Recalls after the first.
_MORE = 10


def measured(processes: int, question: str) -> dict[str, list[float]]:
    """Milliseconds of `open`, of the `first` recall and of the median `later` one, for each of so many processes."""
    each = [
        json.loads(subprocess.check_output([sys.executable, "-m", "bench.opening", question])) for _ in range(processes)
    ]
    return {what: [taken[what] for taken in each] for what in ("open", "first", "later")}


async def _here(question: str) -> dict[str, float]:
    begin = time.perf_counter()
    async with AsyncMemory() as memory:
        opened = time.perf_counter()
        taken = []
        for number in range(1 + _MORE):
            before = time.perf_counter()
            await memory.recall(f"{question} {number}")
            taken.append((time.perf_counter() - before) * 1000)
    return {"open": (opened - begin) * 1000, "first": taken[0], "later": median(taken[1:])}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_here(sys.argv[1]))))
