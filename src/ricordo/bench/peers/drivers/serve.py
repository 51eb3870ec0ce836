"""How a driver talks with the benchmark: one JSON object a line, asked on its input and answered on its output.

Questions are `{"add": [{"id": …, "text": …, …}, …]}`, `{"search": text, "now": …, "limit": n}` and `{"end": true}`;
answers hold `seconds` and, for a search, `ids`, best first; the last one `memory` (bytes at most resident) and `disk`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def serve(
    add: Callable[[Sequence[Any]], None],
    search: Callable[[str, int, str], Sequence[str]],
    disk: Callable[[], int],
) -> None:
    """Answer until the end is asked for. `add(items)` stores texts, `search(text, limit, now)` returns ids, and
    `disk()` how many bytes all of it takes."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not look like an answer
    for line in sys.stdin:
        asked = json.loads(line)
        start = time.perf_counter()
        answer: dict[str, Any] = {}
        if "add" in asked:
            add(asked["add"])
        elif "search" in asked:
            answer["ids"] = search(asked["search"], asked["limit"], asked["now"])
        answer["seconds"] = time.perf_counter() - start
        if "end" in asked:
            answer["memory"] = _most_resident()
            answer["disk"] = disk()
        print(json.dumps(answer), file=out, flush=True)
        if "end" in asked:
            return


def _most_resident() -> int:
    """The bytes that this process held at most; getrusage's count would go on from the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [each for each in status.read_text().splitlines() if each.startswith("VmHWM:")]
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def size(folder: Path | str) -> int:
    """The bytes of the files in a folder, which are not links."""
    return sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file() and not each.is_symlink())


def arguments() -> tuple[Path, Path, str]:
    """The folder to keep things in, the folder of the embedding model's files, and the variant."""
    folder, model, variant = sys.argv[1:4]
    return Path(folder), Path(model), variant
