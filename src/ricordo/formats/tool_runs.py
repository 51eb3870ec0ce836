"""What a coding agent did between two things that were said: a compact record of its tool runs, as one turn.

    Changed billing/tax.py, tests/test_tax.py
    Read billing/rates.py
    Ran `pytest tests/test_tax.py`: exit code 1, 2 failed, 11 passed; StaleElement: element is gone
    Ran `pytest tests/test_tax.py`: exit code 0, 13 passed
    Committed 1a2b3c4 Round tax per line

Paths, commands, exit codes, lines that name an error, the sums of test runs and commits are stored, and nothing else of
what tools read or print: no file contents. What looks like a secret is masked. A record is bounded, and so are the
records of a session. It is made when the agent has answered or the next prompt comes, so that a session that grows
changes none that was made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ricordo import review

#: Who is on record as the speaker of a record.
SPEAKER = "tool record"
#: Records of a session, runs and paths of a record, and characters of a record.
_RECORDS, _RUNS, _PATHS, _LONGEST = 300, 12, 20, 2_000
#: Characters of a command and of a line that names an error, and lines of errors of a run.
_COMMAND, _ERROR, _ERRORS = 160, 200, 2
#: Characters at the end of a tool's answer that are looked through.
_LOOKED_AT = 20_000
_READS = ("Read", "NotebookRead", "read_file", "view", "read_many_files")
_CHANGES = ("Edit", "MultiEdit", "Write", "NotebookEdit", "replace", "write_file", "edit_file")
_SHELLS = ("Bash", "shell", "exec_command", "local_shell", "run_shell_command", "container.exec")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_EXIT = re.compile(
    r"(?:^|\b)(?:Process exited with code|[Ee]xit(?:ed)?(?: with)?(?: code)?|exit_code\"?)[: =]+(-?\d{1,3})\b"
)
#: A line that names an error: `SomethingError: …`, `error: …`, `error[E0502]: …`, `panic: …`, `FAILED tests/…`.
_NAMED = re.compile(
    r"^(?:E\s+)?(?:[\w.]*(?:Error|Exception|Warning|Fault|Interrupt)\b(?::.*)?|[A-Z]\w+(?:\.\w+)*: .+"
    r"|(?:\S+: )?(?:fatal |compile )?error(?:\[\w+\]|:| TS\d+).*|(?:panic|fatal|FAILED|ERROR)[: ].+)$"
)
_ANY_ERROR = re.compile(r"error|exception|panic|fatal|fail", re.IGNORECASE)
_SUMS = re.compile(
    r"\b\d+ (?:failed|passed|errors?|skipped|failing|passing)(?:, \d+ \w+)*|\bTests?:\s+.*\btotal\b"
    r"|test result: \w+\. \d+ passed; \d+ failed|^(?:ok|FAIL)\s+\S+\s+[\d.]+s$",
    re.MULTILINE,
)
_COMMITTED = re.compile(r"^\[[^\]\n]*\b([0-9a-f]{7,40})\] (.+)$", re.MULTILINE)


@dataclass
class _Run:
    """A command, and what is known of how it ended."""

    command: str
    code: int | None = None
    failed: bool = False
    sums: str = ""
    errors: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        ended = f"exit code {self.code}" if self.code is not None else "failed" if self.failed else ""
        told = ", ".join(each for each in (ended, self.sums) if each)
        return "; ".join([f"Ran `{self.command}`" + (f": {told}" if told else ""), *self.errors])


class ToolRuns:
    """The tool runs of one session, as they come in."""

    def __init__(self) -> None:
        self._records = 0
        self._folder = ""
        self._begin()

    def _begin(self) -> None:
        self._changed: dict[str, None] = {}
        self._read: dict[str, None] = {}
        self._runs: list[_Run] = []
        self._commits: list[str] = []
        self._left_out = 0
        self._open: dict[str, _Run] = {}
        self._first = ""

    def enter(self, folder: object) -> None:
        """Paths below this folder are written without it."""
        if isinstance(folder, str) and folder:
            self._folder = folder.rstrip("/\\") + "/"

    def call(self, id: object, name: object, given: object) -> None:
        """A tool was called."""
        arguments = _arguments(given)
        self._first = self._first or (id if isinstance(id, str) else "")
        if name in _READS:
            self._note(self._read, arguments)
        elif name in _CHANGES:
            self._note(self._changed, arguments)
        elif name == "apply_patch" or "*** Begin Patch" in str(arguments.get("input", "")):
            for path in _PATCHED.findall(str(arguments.get("input") or arguments.get("patch") or given)):
                self._add(self._changed, path)
        elif name in _SHELLS:
            self._ran(id, _command(arguments))

    def answer(self, id: object, text: object, failed: bool = False) -> None:
        """A tool answered."""
        run = self._open.pop(id, None) if isinstance(id, str) else None
        if run is None or not isinstance(text, str):
            return
        text = text[-_LOOKED_AT:]
        code = _EXIT.search(text)
        run.code, run.failed = (int(code[1]) if code else None), failed
        if sums := _SUMS.findall(text):
            run.sums = _line(sums[-1], _ERROR)
        if failed or run.code:
            lines = [each.strip() for each in text.splitlines()]
            named = [each for each in lines if _NAMED.match(each)] or [
                each for each in lines if _ANY_ERROR.search(each)
            ]
            run.errors = list(dict.fromkeys(_line(each, _ERROR) for each in named))[-_ERRORS:]
        self._commits += [_line(f"{id} {title}", _ERROR) for id, title in _COMMITTED.findall(text)]

    def take(self) -> tuple[str, str] | None:
        """The id and the text of the record of all since the last one; None for none."""
        parts = [f"Changed {_listed(self._changed)}"] if self._changed else []
        parts += [f"Read {_listed(self._read)}"] if self._read else []
        parts += map(str, self._runs)
        parts += [f"{self._left_out} more commands"] if self._left_out else []
        parts += [f"Committed {each}" for each in self._commits[:_RUNS]]
        id = self._first
        self._begin()
        if not parts or self._records >= _RECORDS:
            return None
        self._records += 1
        return f"{id}:tools" if id else "", masked("\n".join(parts))[:_LONGEST]

    def _note(self, where: dict[str, None], arguments: Mapping[str, object]) -> None:
        for key in ("file_path", "notebook_path", "absolute_path", "path"):
            if isinstance(path := arguments.get(key), str):
                self._add(where, path)

    def _add(self, where: dict[str, None], path: str) -> None:
        where[_line(path.strip().removeprefix(self._folder), _COMMAND)] = None

    def _ran(self, id: object, command: str) -> None:
        if not command:
            return
        run = _Run(_line(command, _COMMAND))
        if len(self._runs) < _RUNS:
            self._runs.append(run)
        else:
            self._left_out += 1
        if isinstance(id, str):
            self._open[id] = run


def masked(text: str) -> str:
    """The text with `[secret]` in the place of all that looks like one."""
    found = sorted((each.start, each.end) for each in review.find(text) if each.group == "secrets")
    for start, end in reversed(found):
        text = f"{text[:start]}[secret]{text[end:]}"
    return text


def _arguments(given: object) -> Mapping[str, object]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"input": given}
    return given if isinstance(given, dict) else {}


def _command(arguments: Mapping[str, object]) -> str:
    """The first line of a command; what is put into files is no part of it."""
    command = arguments.get("command") or arguments.get("cmd")
    if isinstance(command, list):
        command = command[2] if len(command) == 3 and command[1] in ("-c", "-lc") else " ".join(map(str, command))
    if not isinstance(command, str):
        return ""
    lines = command.strip().split("\n")
    first = lines[0].partition("<<")[0].strip()
    return f"{first} …" if len(lines) > 1 and first else first


def _line(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _listed(paths: Mapping[str, None]) -> str:
    names = list(paths)
    more = f" and {len(names) - _PATHS} more" if len(names) > _PATHS else ""
    return ", ".join(names[:_PATHS]) + more
