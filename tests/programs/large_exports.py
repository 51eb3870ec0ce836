"""A ChatGPT export of any size, and what an import of it comes to when it is killed on the way.

Run as a program (script/large-import) it writes an export, imports it into a store of its own, killed at random
moments, and compares every turn of the store with what was written:

    script/large-import --size 2G --kills 2
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
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

_BEGAN = 1_600_000_000
_LETTERS = ["ba", "den", "gar", "ter", "lis", "mo", "sol", "ka", "ri", "ven", "tu", "pel", "an", "os", "qui", "fra"]
#: How people and assistants put things; what is in angles is drawn anew each time.
_SENTENCES = """
How do I move the <noun> behind the <noun> without breaking the <noun>?
Could you explain why my <noun> fails when the <noun> is <so>?
I think the <noun> that we chose in <month> is too <so> for <place>.
My sister <person> moved to <place> last year and still has the old <noun>.
Here is how the <noun> works: each <noun> is read once, and the <noun> is kept until the <noun> closes.
First check that the <noun> is <so>; otherwise the <noun> waits for a <noun> that never comes.
You are right, the <noun> should be called before the <noun>, not after it.
That depends on whether your <noun> is <so> or <so>.
<person> told me on Monday that the <noun> costs <number> euros, which seems <so>.
In practice most people start with a <noun>, measure it for <number> days, and then add a <noun>.
The error means that the <noun> could not find its <noun>, so it fell back to the <so> one.
Let me know if you would like me to go through the <noun> step by step.
We have a meeting about the <noun> in <place> on the <number>th, can you draft an agenda?
If the <noun> grows above <number>, split it by <noun> and keep the <so> part in memory.
It isn't the <noun> itself that's slow, it's the way in which the <noun> asks for it again and again.
Thanks, that works, but now the <noun> is <so> whenever <person> opens the <noun>.
A <so> <noun> is easier to test than a <so> one, because the <noun> doesn't depend on the <noun>.
What would you recommend for a <noun> of <number> people who don't know the <noun> yet?
Note that the <noun> was changed in version <number>, so older guides about the <noun> no longer apply.
I would keep both: the <noun> for everyday use, and the <noun> for when <person> visits.
""".strip().splitlines()
_CODE = """
def <noun>_of(<noun>: list[str], limit: int = <number>) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in <noun>[:limit]:
        found[each] = found.get(each, 0) + 1  # the <noun> is <so>
    return {key: value for key, value in found.items() if value > <number>}
SELECT <noun>, count(*) FROM <noun>s WHERE <noun>_id = %s GROUP BY <noun> HAVING count(*) > <number>;
    if not <noun>.is_<so>():
        raise ValueError(f"the <noun> {<noun>!r} is not <so>")
const <noun> = await fetch(`https://example.org/<noun>/${id}?limit=<number>`);
    log.info("kept %d of %d <noun>s", kept, len(<noun>))
""".strip("\n").splitlines()
_DRAWN = {
    "so": ["slow", "empty", "cheap", "broken", "small", "heavy", "stale", "simple"],
    "person": ["Anna", "Tom", "Ingrid", "Mateo", "Priya", "Derek", "Yuki", "Sofia", "Lars", "Amina", "Peter", "Clara"],
    "place": ["Lisbon", "Stockholm", "Hamburg", "Kyoto", "Toronto", "Valencia", "Oslo", "Marseille", "Chicago", "Graz"],
    "month": ["January", "March", "May", "July", "September", "November"],
    "number": [str(number) for number in range(2, 400)],
}
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


class _Words:
    """What is said: lines made once and drawn from, so that gigabytes are written in minutes."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        nouns = ["".join(chance.choices(_LETTERS, k=chance.choice([1, 2, 2, 3]))) for _ in range(20_000)]
        weights = [1 / (rank + 3) for rank in range(len(nouns))]
        self._drawn = _DRAWN | {"noun": chance.choices(nouns, weights, k=200_000)}
        self._sentences = self._filled(_SENTENCES, 30_000)
        self._code = self._filled(_CODE, 3_000)

    def _filled(self, patterns: list[str], count: int) -> list[str]:
        patterns = self._chance.choices(patterns, k=count)
        return [
            re.sub("<([a-z]+)>", lambda match: self._chance.choice(self._drawn[match[1]]), each) for each in patterns
        ]

    def _many(self, lines: list[str], fewest: int, most: int) -> list[str]:
        return self._chance.choices(lines, k=self._chance.randint(fewest, most))

    def sentences(self, fewest: int, most: int) -> str:
        """Some sentences of prose."""
        return " ".join(self._many(self._sentences, fewest, most))

    def code(self) -> str:
        """Some lines of code."""
        return "\n".join(self._many(self._code, 5, 30))

    def question(self) -> str:
        """What a person writes: a line or some, at times with something pasted behind it."""
        asked = self.sentences(1, 4)
        return f"{asked}\n\n```\n{self.code()}\n```" if self._chance.random() < 0.08 else asked

    def answer(self) -> str:
        """What an assistant writes: paragraphs, mostly a list, often code."""
        parts = [self.sentences(2, 6)]
        if self._chance.random() < 0.6:
            steps = range(1, self._chance.randint(4, 9))
            parts.append("\n".join(f"{step}. **Step {step}**: {self.sentences(1, 3)}" for step in steps))
        if self._chance.random() < 0.35:
            parts.append(f"```python\n{self.code()}\n```")
        return "\n\n".join([*parts, self.sentences(1, 4)])


class _Conversation:
    """A conversation in the making: a tree of messages, one branch of which is current."""

    def __init__(self, number: int, title: str) -> None:
        self.turns: list[tuple[str, str]] = []
        self._number, self._title = number, title
        self._mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
        self._current = "root"

    def add(self, role: str, text: str, kind: str = "text", recipient: str = "all", current: bool = True) -> None:
        """Adds a message behind the current one; with `current` it is that now, else a branch that was left."""
        id = f"{self._number}-{len(self._mapping)}"
        content = {"content_type": kind, "parts": [text]} if kind == "text" else {"content_type": kind, "text": text}
        message = {
            "id": id,
            "author": {"role": role, "name": "python" if role == "tool" else None, "metadata": {}},
            "create_time": _BEGAN + 10_800.0 * self._number + 60.0 * len(self._mapping),
            "content": content,
            "recipient": recipient,
            "weight": 1.0,
            **_METADATA,
        }
        self._mapping[self._current]["children"].append(id)
        self._mapping[id] = {"id": id, "message": message, "parent": self._current, "children": []}
        if current:
            self._current = id
            if role != "tool" and recipient == "all":
                self.turns.append((role, text))

    @property
    def exported(self) -> dict[str, Any]:
        """It as it stands in an export."""
        own = {"conversation_id": f"large-{self._number}", "title": self._title}
        return {**own, "mapping": self._mapping, "current_node": self._current}


def _conversations() -> Iterator[_Conversation]:
    """Conversations without end, the same each time: most are short and some long, a tenth of the questions and of the
    answers were written anew, and in a fifth of the talks a program is called now and then."""
    chance = random.Random(7)
    words = _Words(chance)
    number = 0
    while True:
        talk = _Conversation(number, f"Talk {number}: {words.sentences(1, 1)}"[:80])
        calls = chance.random() < 0.2
        for _ in range(min(200, 1 + int(chance.lognormvariate(2.0, 0.9)))):
            for role, said in (("user", words.question), ("assistant", words.answer)):
                if chance.random() < 0.1:
                    talk.add(role, said(), current=False)
                if role == "assistant" and calls and chance.random() < 0.3:
                    talk.add(role, words.code(), "code", "python")
                    talk.add("tool", words.code(), "execution_output")
                talk.add(role, said())
        yield talk
        number += 1


class Digest:
    """What stands in a store or an export: a checksum of all turns in their order, with their conversations."""

    def __init__(self) -> None:
        self.conversations = self.turns = 0
        self._hash = hashlib.sha256()
        self._last = ""

    def add(self, conversation: str, position: int, role: str, text: str) -> None:
        """Takes in the next turn."""
        self.conversations += conversation != self._last
        self.turns += 1
        self._last = conversation
        self._hash.update(json.dumps([conversation, position, role, text]).encode())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digest) and str(self) == str(other)

    def __str__(self) -> str:
        return f"{self.conversations:,} conversations, {self.turns:,} turns, {self._hash.hexdigest()[:16]}"


def write(file: IO[str], size: int) -> Digest:
    """Writes an export of at least `size` bytes; returns what an import of it must come to."""
    digest = Digest()
    written = file.write("[")
    for count, each in enumerate(_conversations()):
        text = json.dumps(each.exported)
        written += file.write(f",\n{text}" if count else text)
        for position, (role, said) in enumerate(each.turns):
            digest.add(f"large-{count}", position, role, said)
        if written >= size:
            break
    file.write("]")
    return digest


def in_store(settings: Settings) -> Digest:
    """What the user of the settings has, read from the tables."""
    digest = Digest()
    with connect(settings) as owner, owner.transaction(), owner.cursor("turns") as cursor:
        cursor.itersize = 1000
        cursor.execute(
            "SELECT external_id, position, role, content FROM memories JOIN conversations USING (user_id, conversation)"
            " JOIN users USING (user_id) WHERE users.name = %s ORDER BY conversation, position",
            [settings.user],
        )
        for row in cursor:
            digest.add(*row)
    return digest


def peak(process: subprocess.Popen[Any], until: float) -> int:
    """The most memory, in bytes, that a process and its children held until it ended, or until a moment of
    time.monotonic()."""
    most = 0
    while process.poll() is None and time.monotonic() < until:
        most = max(most, sum(map(_most_of, _family(process.pid))))
        time.sleep(0.1)
    return most


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _most_of(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    line = next((each for each in status if each.startswith("VmHWM:")), None)
    return int(line.split()[1]) * 1024 if line else 0


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


def _bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)B?", text.upper())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; say 500M or 2G")
    return int(float(match[1]) * {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}[match[2]])


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/large-import")
    parser.add_argument("--size", type=_bytes, default="2G", help="of the export, such as 500M or 2G (the default)")
    parser.add_argument("--kills", type=int, default=2, help="how often the import is killed on its way (2)")
    parser.add_argument("--seconds", type=float, default=2400, help="after which it is given up (2400)")
    parser.add_argument("--only-read", action="store_true", help="a dry run alone")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, temporary_home() as home:
        path = Path(folder) / "conversations.json"
        with path.open("w") as file:
            expected = write(file, chosen.size)
        print(f"export: {path.stat().st_size / 1e6:,.0f} MB; {expected}", flush=True)
        began = time.monotonic()
        if chosen.only_read:
            process = subprocess.Popen(command("mine", path, "--dry-run"), env=dict(os.environ))
            most = peak(process, float("inf"))
            print(f"read in {time.monotonic() - began:,.0f} s, peak {most / 1e6:,.0f} MB")
            return process.returncode
        return _import(Settings(home=home, user="ada"), path, expected, chosen.kills, began + chosen.seconds)


def _import(settings: Settings, path: Path, expected: Digest, kills: int, until: float) -> int:
    """Imports an export, killed so often; whether that came to what is expected, as an exit code."""
    subprocess.run(command("db", "migrate"), env=environment(settings), check=True, stdout=subprocess.DEVNULL)
    began = time.monotonic()
    moments = sorted(random.Random().sample(range(1, expected.turns), kills))
    for kill_at in (*moments, None):
        code, most = mine(settings, path, kill_at, until)
        took = time.monotonic() - began
        print(f"exit {code}: {stored(settings):,} turns after {took:,.0f} s, peak {most / 1e6:,.0f} MB", flush=True)
        if code is None:
            return 1
    found = in_store(settings)
    print(f"store: {found}: {'the same' if found == expected else 'NOT the same'}")
    print(f"{path.stat().st_size / 1e6 / took:.2f} MB/s, {expected.turns / took:,.0f} turns/s")
    return 0 if found == expected else 1


if __name__ == "__main__":
    sys.exit(main())
