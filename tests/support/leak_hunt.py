"""The hunt for leaks: a user calls every operation of every interface with what belongs to another, and with SQL in
each text; whatever comes back is searched for what only the other one knows."""

from __future__ import annotations

import json
import logging
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from estates import MARK, SECRET_MARK, UUID_LIKE, Estate
from interfaces import Operation, Refused
from ricordo.models import Change

#: Texts that would end a string or a statement where one is pasted into SQL; {user} and {id} are the other's.
_INJECTED = (
    "' OR '1'='1", "'; SET ricordo.user_id = '{user}'; --", "'; RESET ROLE; --",
    "' UNION SELECT content FROM memories--",
    "\\'; SELECT set_config('ricordo.user_id', '{user}', false); --", "$$; COMMIT; BEGIN; SET ROLE postgres; $$",
    "%s %(user_id)s {{0}}", '" OR ""="', "{id}' OR user_id = '{user}", "*/ OR true /*", "%", "_%", "{id}", "{user}",
    "1; DROP POLICY tenant ON memories", "%' ESCAPE '!' OR content LIKE '%", "E'\\x27 OR true--", "../../{user}",
    "§ {id}",
)  # fmt: skip
#: Kinds of values that are no one's.
_PLAIN = frozenset(
    ["text", "name", "query", "moment", "now", "future", "many", "tokens", "tags", "number", "yes", "first", "second",
     "second_name", "predicate", "object", "payload", "bytes", "vector", "texts", "kinds", "what", "tool", "answered",
     "choices", "request", "json_places", "json_changes", "embedding_model", "file"]
)  # fmt: skip
_TEXTS = frozenset(["text", "name", "query", "predicate", "request"])
_SIMILAR = {"accepted": "proposal", "merged_wing": "wing", "merged_entity": "entity", "decided_fact": "fact"}


@dataclass
class Found:
    """What a hunt came to."""

    calls: Counter[str] = field(default_factory=Counter)
    #: Calls that were answered with no error, by operation.
    answered: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Hunt:
    """`attacker` goes after what belongs to `victim`. Of the victim's things those in `victim.made` may be named; all
    else that its rows hold is forbidden to come back."""

    def __init__(self, attacker: Estate, victim: Estate, seed: int) -> None:
        self.attacker, self.victim = attacker, victim
        self.random = random.Random(seed)
        self.found = Found()
        rows = "\n".join(text for _, text in victim.rows())
        self._marks = {each.lower() for each in MARK.findall(rows)}
        self._ids = victim.ids()
        self._passed: set[str] = set()
        self.log = _Log()

    def prove(self, operations: Sequence[Operation]) -> list[str]:
        """Call each operation once with the attacker's own things; returns which are refused, and why. A hunt whose
        calls fail before they reach anything would find nothing."""
        refused = []
        for each in operations:
            try:
                each.call(self.own(each))
            except Refused as error:
                refused.append(f"{each}: {error}"[:400])
        return refused

    def own(self, operation: Operation) -> dict[str, Any]:
        """Arguments of an operation, fresh and the attacker's own."""
        given: dict[str, Any] = {}
        for kind, names in operation.together.items():
            pair = self.attacker.fresh("own" if kind == "own" else "board_and_agent")
            given |= dict(zip(names, pair, strict=True))
        for name, kind in operation.needs.items():
            if name not in given:
                given[name] = self.plain(kind)
        return given

    def run(self, operations: Sequence[Operation], calls: int) -> None:
        """Make so many calls."""
        if calls:
            self._passed |= self._tokens(" ".join(map(str, self.victim.made.values())))
        for _ in range(calls):
            operation = self.random.choice(operations)
            self.step(operation, self.foreign(operation))

    def step(self, operation: Operation, arguments: dict[str, Any]) -> None:
        """One call, and what comes of it."""
        self.found.calls[operation.interface] += 1
        self._passed |= self._tokens(f"{arguments}")
        try:
            text = operation.call(arguments)
            self.found.answered[str(operation)] += 1
        except Refused as error:
            text = str(error)
        except Exception as error:  # noqa: BLE001 - whatever an interface does not mean to raise is what is looked for
            text = repr(error)
            self.found.faults.append(f"{operation}({arguments}): {error!r}"[:500])
        self.search(f"{operation}({arguments})", text)
        self.search(f"the log at {operation}({arguments})", self.log.taken())

    def search(self, where: str, text: str) -> None:
        """Note what is the victim's in a text, and was not passed."""
        for token in self._tokens(text) - self._passed:
            self.found.leaks.append(f"{token} in {where}: …{text[:300]}"[:900])

    def _tokens(self, text: str) -> set[str]:
        low = text.lower()
        return {each for each in MARK.findall(low) if each in self._marks} | (set(UUID_LIKE.findall(low)) & self._ids)

    def foreign(self, operation: Operation) -> dict[str, Any]:
        """Arguments of which most are the victim's, some the attacker's own, and some texts SQL."""
        given: dict[str, Any] = {}
        for name, kind in operation.needs.items():
            given[name] = self._foreign(kind)
        for name, kind in operation.takes.items():
            if self.random.random() < 0.3:
                given[name] = self._foreign(kind)
        return given

    def _foreign(self, kind: str) -> Any:
        if kind in _TEXTS and self.random.random() < 0.4:
            return self._injected()
        if kind in ("query", "text"):
            return self.random.choice(self.victim.questions)
        if kind == "cursor":
            return f"{datetime(2030, 1, 1, tzinfo=UTC).isoformat()}~{self._of(self.victim, 'memory')}"
        owner = self.victim if self.random.random() < 0.75 else self.attacker
        match kind:
            case "drawers":
                return [self._of(owner, "drawer")]
            case "agents":
                return [self._of(owner, "agent"), self._of(self.attacker, "agent")]
            case "rooms":
                return [self._of(owner, "room")]
            case "project" | "session" | "names" | "addresses" | "changes" | "items" | "messages" | "paths":
                return self._plain(kind, owner)
            case _ if kind in _PLAIN:
                return self._plain(kind, owner)
            case _:
                return self._of(owner, kind)

    def _of(self, owner: Estate, kind: str) -> Any:
        there = owner.made.get(kind) or owner.made.get(_SIMILAR.get(kind, "")) or [self._injected()]
        chosen = self.random.choice(there)
        return self._injected() if kind in ("agent", "entity", "wing") and self.random.random() < 0.05 else chosen

    def _injected(self) -> str:
        ids = self.victim.made.get("memory", ["-"])
        return self.random.choice(_INJECTED).format(user=self.victim.user_id, id=self.random.choice(ids))

    def plain(self, kind: str) -> Any:
        """A fresh argument of a kind, the attacker's own."""
        match kind:
            case "drawers":
                return [self.attacker.fresh("drawer")]
            case "agents":
                return [self.attacker.fresh("agent")]
            case "rooms":
                return [self.attacker.fresh("room")]
            case "project" | "names" | "addresses" | "changes" | "items" | "messages" | "paths":
                return self._plain(kind, self.attacker)
            case _ if kind in _PLAIN:
                return self._plain(kind, self.attacker)
            case _:
                return self.attacker.fresh(kind)

    def _plain(self, kind: str, owner: Estate) -> Any:
        """A value that is nobody's, but for names and texts of `owner`."""
        now = datetime.now(UTC)
        text = self.attacker.text() if owner is self.attacker else self.random.choice(owner.questions)
        name = self.attacker.name(kind) if owner is self.attacker else self._name(owner)
        values: dict[str, Any] = {
            "text": text, "name": name, "query": text, "request": name, "moment": datetime(2026, 6, 1, tzinfo=UTC),
            "now": now + timedelta(minutes=1), "future": now + timedelta(days=1), "many": 100, "tokens": 5000,
            "tags": [name], "number": 3, "yes": True, "first": 1, "second": 2, "second_name": "2",
            "predicate": "lives_in", "object": {"content": text},
            "payload": {"__lf_memory_writes": [{"content": text}]}, "bytes": b"a request",
            "texts": [text], "kinds": ["journal"], "what": "memory", "tool": "save_to_journal", "project": name,
            "embedding_model": "all-MiniLM-L6-v2", "file": str(self._folder() / "export.zip"),
            "choices": ["top_k=6"], "names": [name], "addresses": [(("path",), "key")], "session": name,
            "changes": [Change(("path",), "key", {"told": text}, text)], "paths": [self._chat(text)],
            "items": [{"memory_type": "core", "content": text, "created_at": "2026-01-01T00:00:00+00:00"}],
            "messages": [{"role": "user", "content": text, "at": "2026-01-01T00:00:00+00:00"}],
            "json_places": [{"path": ["path"], "key": "key"}],
            "json_changes": [{"path": ["path"], "key": "key", "value": {"told": text}}],
            "vector": "[" + ",".join(["0.1"] * 384) + "]",
        }  # fmt: skip
        if kind == "answered":
            from ricordo.idempotency import KeptAnswer

            return KeptAnswer(200, {}, b"an answer")
        return values[kind]

    def _name(self, owner: Estate) -> str:
        names = [each for made in owner.made.values() for each in made if isinstance(each, str)]
        return self.random.choice(names)

    def _chat(self, text: str) -> str:
        self._passed |= self._tokens(text)
        path = self._folder() / "chat.jsonl"
        path.write_text(json.dumps({"id": text, "title": text, "messages": [{"role": "user", "content": text}]}))
        return str(path)

    def _folder(self) -> Path:
        """Where this process's files are."""
        folder = Path(tempfile.gettempdir()) / f"ricordo-leak-hunt-{os.getpid()}"
        folder.mkdir(exist_ok=True)
        return folder


class _Log(logging.Handler):
    """Everything that this process logs, to be searched."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))

    def taken(self) -> str:
        taken, self._lines = "\n".join(self._lines), []
        return taken

    @contextmanager
    def attached(self) -> Iterator[None]:
        logger = logging.getLogger("ricordo")
        before = logger.level
        logger.addHandler(self)
        logger.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            logger.removeHandler(self)
            logger.setLevel(before)


def secrets_in(text: str) -> set[str]:
    """The secret marks in a text."""
    return {each.lower() for each in SECRET_MARK.findall(text)}


def without_what_varies(text: str) -> str:
    """A text without ids and times, so that two answers can be compared."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.+Z]+|datetime\.datetime\([^)]*\)", "…", UUID_LIKE.sub("…", text))
