"""A ChatGPT export of any size, and what an import of it comes to when it is killed on the way.

Run as a program it imports an export of so many megabytes, killed twice, into a store of its own, and prints what it
took; with `--only-read` it only reads:

    python tests/large_exports.py 2000 [--only-read] [--seconds 1200]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from commands import command, environment
from homes import temporary_home
from ricordo.settings import Settings
from stores import connect

_TURNS = 40
_BEGAN = 1_600_000_000
#: What a program writes beside each message's words: half and more of a real export.
_METADATA = {
    "status": "finished_successfully",
    "metadata": {
        "model_slug": "gpt-5",
        "finish_details": {"type": "stop", "stop_tokens": [200002]},
        "citations": [
            {"start_ix": number, "end_ix": number + 9, "citation_format_type": "tether"} for number in range(8)
        ],
        "content_references": [{"matched_text": "\ue200cite\ue201", "type": "hidden", "safe_urls": []}] * 4,
        "timestamp_": "absolute",
        "message_type": None,
    },
}


def _sentences(chance: random.Random) -> list[str]:
    letters = ["ba", "den", "gar", "ter", "lis", "mo", "sol", "ka", "ri", "ven", "tu", "pel", "an", "os", "qui", "fra"]
    words = ["".join(chance.choices(letters, k=chance.choice([1, 2, 2, 3]))) for _ in range(8000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    return [" ".join(chance.choices(words, weights, k=chance.randint(6, 20))).capitalize() + "." for _ in range(4000)]


def conversations() -> Iterator[dict[str, Any]]:
    """Conversations without end, the same each time: turns of some 1,100 characters, each fourth answer in two
    versions, each tenth turn a picture or a call of a tool."""
    chance = random.Random(7)
    sentences = _sentences(chance)
    number = 0
    while True:
        mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
        parent = "root"
        for turn in range(_TURNS):
            for version in range(2 if turn % 4 == 3 else 1):
                id = f"{number}-{turn}-{version}"
                text = f"Matter {id}. " + " ".join(chance.choices(sentences, k=15))
                calls = turn % 10 == 9
                message = {
                    "id": id,
                    "author": {"role": "assistant" if turn % 2 else "user", "name": None, "metadata": {}},
                    "create_time": _BEGAN + 10_800.0 * number + 60.0 * turn,
                    "content": {"content_type": "text", "parts": [text]},
                    "recipient": "python" if calls else "all",
                    "weight": 1.0,
                    **_METADATA,
                }
                mapping[parent]["children"].append(id)
                mapping[id] = {"id": id, "message": message, "parent": parent, "children": []}
            parent = id
        title = f"Talk {number}: {sentences[number % len(sentences)]}"
        yield {"conversation_id": f"large-{number}", "title": title, "mapping": mapping, "current_node": parent}
        number += 1


def write(file: IO[str], size: int) -> int:
    """Writes an export of at least `size` bytes; returns how many conversations it holds."""
    file.write("[")
    written = count = 0
    for each in conversations():
        text = json.dumps(each)
        written += file.write(f",\n{text}" if count else text)
        count += 1
        if written >= size:
            break
    file.write("]")
    return count


def peak(process: subprocess.Popen[Any], until: float) -> int:
    """The most memory, in bytes, that a process held until it ended, or until a moment of time.monotonic()."""
    most = 0
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None and time.monotonic() < until:
        try:
            line = next((each for each in status.read_text().splitlines() if each.startswith("VmHWM:")), None)
        except OSError:
            break
        most = max(most, int(line.split()[1]) * 1024 if line else 0)
        time.sleep(0.1)
    return most


def mine(settings: Settings, path: Path, kill_at: int | None, until: float = float("inf")) -> tuple[int | None, int]:
    """Imports `path` by the program, killed when `kill_at` turns are stored; its exit code (None: it ran on when the
    time was up) and its peak memory."""
    process = subprocess.Popen(
        command("mine", path, "--no-vectors", "--json"), env=environment(settings), stdout=subprocess.DEVNULL
    )
    most = 0
    while process.poll() is None and time.monotonic() < until:
        most = max(most, peak(process, time.monotonic() + 0.5))
        if kill_at is not None and stored(settings) >= kill_at:
            process.send_signal(signal.SIGKILL)
            process.wait()
    if process.poll() is None:
        process.kill()
        process.wait()
        return None, most
    return process.returncode, most


def stored(settings: Settings) -> int:
    """How many turns the user of the settings has; 0 before there is a store."""
    with connect(settings) as owner:
        if owner.execute("SELECT to_regclass('users')").fetchone() == (None,):
            return 0
        found = owner.execute("SELECT memories FROM users WHERE name = %s", [settings.user]).fetchone()
    return found[0] if found else 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("megabytes", type=int)
    parser.add_argument("--only-read", action="store_true")
    parser.add_argument("--seconds", type=float, default=1200)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, temporary_home() as home:
        path = Path(folder) / "conversations.json"
        with path.open("w") as file:
            count = write(file, chosen.megabytes * 1_000_000)
        print(f"{path.stat().st_size / 1e6:,.0f} MB, {count:,} conversations", flush=True)
        began = time.monotonic()
        if chosen.only_read:
            process = subprocess.Popen(command("mine", path, "--dry-run"), env=dict(os.environ))
            most = peak(process, float("inf"))
            print(f"read in {time.monotonic() - began:,.0f} s, peak {most / 1e6:,.0f} MB")
            return
        settings = Settings(home=home, user="ada")
        subprocess.run(command("db", "migrate"), env=environment(settings), check=True, stdout=subprocess.DEVNULL)
        until = began + chosen.seconds
        for kill_at in (count * 5, count * 15, None):
            code, most = mine(settings, path, kill_at, until)
            turns, took = stored(settings), time.monotonic() - began
            print(f"exit {code}, {turns:,} turns after {took:,.0f} s, peak {most / 1e6:,.0f} MB", flush=True)
            if code is None:
                return


if __name__ == "__main__":
    sys.exit(main())
