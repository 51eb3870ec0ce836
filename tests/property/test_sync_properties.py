"""Random histories of two to four devices: whatever each does, however their folders are carried, and wherever a sync
is killed, they come to hold the same."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from devices import comparable
from ricordo.client import AsyncMemory
from ricordo.database import Database
from ricordo.errors import InvalidInput, NotFound
from ricordo.sync import folder as folders
from ricordo.sync import judging
from ricordo.sync.segments import Damaged, header_of
from stores import settings_for

#: How many histories are tried.
EXAMPLES = int(os.environ.get("RICORDO_TEST_HISTORIES", "12"))
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
_CITIES = ("Lisbon", "Porto", "Faro", "Braga", "Evora", "Sintra")

devices = st.integers(0, 3)
number = st.integers(0, 5)
steps = st.one_of(
    st.tuples(st.just("mine"), devices, number),
    st.tuples(st.just("mine"), devices, number),
    st.tuples(st.just("write"), devices, number),
    st.tuples(st.just("edit"), devices, number),
    st.tuples(st.just("redact"), devices, number),
    st.tuples(st.just("forget"), devices, number),
    st.tuples(st.just("edit turn"), devices, number),
    st.tuples(st.just("edit turn"), devices, number),
    st.tuples(st.just("redact turn"), devices, number),
    st.tuples(st.just("forget turn"), devices, number),
    st.tuples(st.just("forget talk"), devices, number),
    st.tuples(st.just("decide"), devices, st.integers(0, 23)),
    st.tuples(st.just("decide"), devices, st.integers(0, 23)),
    st.tuples(st.just("mine again"), devices, number),
    st.tuples(st.just("merge"), devices, number),
    st.tuples(st.just("rename"), devices, number),
    st.tuples(st.just("sync"), devices, number),
    st.tuples(st.just("sync"), devices, number),
    st.tuples(st.just("compact"), devices, number),
    st.tuples(st.just("kill"), devices, st.integers(1, 60)),
    st.tuples(st.just("carry"), devices, devices),
    st.tuples(st.just("carry"), devices, devices),
    st.tuples(st.just("delay"), devices, devices),
    st.tuples(st.just("tear"), devices, devices),
    st.tuples(st.just("double"), devices, devices),
)


class Killed(BaseException):
    """What stands for kill -9: nothing catches it."""


@dataclass
class Budget:
    """Ends the process at hand after so many steps: before, within and after each transaction and each file."""

    left: int | None = None

    def spend(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                self.left = None
                raise Killed


@contextmanager
def killing() -> Iterator[Budget]:
    budget, begin, write = Budget(), Database._transaction, folders._write

    @asynccontextmanager
    async def transaction(self: Database, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        budget.spend()
        async with begin(self, *args, **kwargs) as tx:
            yield tx
            budget.spend()
        budget.spend()

    def written(path: Path, raw: bytes) -> None:
        budget.spend()
        write(path, raw)
        budget.spend()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_transaction", transaction)
        patch.setattr(folders, "_write", written)
        yield budget


@dataclass
class World:
    """The devices with their folders, and what they must come to hold."""

    memories: list[AsyncMemory]
    folders: list[Path]
    budget: Budget
    #: Each text of each turn, by its id, and the turns that were redacted or forgotten.
    turns: dict[str, list[str]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    talks: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    #: Which user mined which turn.
    mined: set[tuple[str, str]] = field(default_factory=set)
    #: Each entry with its texts, and `redacted` or `forgotten` where it was.
    entries: dict[UUID, list[str]] = field(default_factory=dict)
    ends: dict[UUID, str] = field(default_factory=dict)
    count: int = 0

    async def do(self, step: tuple[str, int, int]) -> None:
        what, device, which = step[0], step[1] % len(self.memories), step[2]
        memory = self.memories[device]
        match what:
            case "mine":
                await self._mine(memory, which % 3)
            case "mine again":
                await self._mine_again(memory, which % 3)
            case "write":
                await self._write(memory)
            case "edit" | "redact" | "forget":
                await self._change(memory, what, which)
            case "edit turn":
                await self._edit_turn(memory, which)
            case "redact turn" | "forget turn":
                await self._remove_turn(memory, what, which)
            case "forget talk":
                await self._forget_talk(memory, which % 3)
            case "decide":
                await self._decide(memory, which)
            case "merge" | "rename":
                await self._edit_palace(memory, what, which)
            case "sync" | "compact":
                problems = (await memory.sync.now(compact=what == "compact")).problems
                assert not problems or self._is_torn(device), problems
            case "kill":
                self.budget.left = which
                try:
                    await memory.sync.now(compact=which % 2 == 0)
                except Killed:
                    pass
                finally:
                    self.budget.left = None
            case _:
                self.carry(device, which % len(self.memories), what)

    def _is_torn(self, device: int) -> bool:
        return any(_torn(each.read_bytes()) for each in self.folders[device].rglob("*.segment"))

    async def _mine(self, memory: AsyncMemory, talk: int) -> None:
        said = []
        for _ in range(1 + self.count % 2):
            self.count += 1
            at, id = _BEGAN + timedelta(minutes=self.count), f"t{self.count}"
            said.append({"role": "user", "content": self._text(), "id": id, "at": at})
            self.turns[id] = [said[-1]["content"]]
            self.mined.add((memory.user, said[-1]["content"]))
        self.talks.setdefault(talk, []).extend(said)
        await memory.mine(said, conversation=f"talk {talk}", project=f"Project {talk}")

    def _text(self) -> str:
        return f"I live in {_CITIES[self.count % 6]}. The boat turn-{self.count:04} is new."

    async def _edit_turn(self, memory: AsyncMemory, which: int) -> None:
        """A turn that stands here, with another text of its source: it has an id, or comes by its time."""
        said = [(talk, each) for talk, several in self.talks.items() for each in several]
        said = [(talk, each) for talk, each in said if (memory.user, each["content"]) in self.mined or which % 2]
        if not said:
            return
        talk, turn = said[which % len(said)]
        self.count += 1
        text = self._text()
        self.turns[turn["id"]].append(text)
        await memory.mine([{**turn, "content": text}], conversation=f"talk {talk}", project=f"Project {talk}")

    async def _decide(self, memory: AsyncMemory, which: int) -> None:
        """Confirm, correct or reject a fact, or take such a decision back."""
        found = sorted(await memory.facts.list(), key=lambda each: (each.predicate, each.object, each.id))
        what = which % 4
        if what == 3:
            if self.decided:
                with suppress(NotFound, InvalidInput):
                    await memory.facts.undo(self.decided[which % len(self.decided)])
            return
        if not found:
            return
        fact = found[which % len(found)].id
        with suppress(NotFound):
            self.decided.append(fact)
            if what == 0:
                await memory.facts.confirm(fact)
            elif what == 1:
                await memory.facts.reject(fact)
            else:
                self.count += 1
                await memory.facts.correct(fact, object=f"Town {self.count}")

    #: Facts about which a device decided.
    decided: list[UUID] = field(default_factory=list)

    async def _mine_again(self, memory: AsyncMemory, talk: int) -> None:
        """What this device mined itself, also where it was redacted since."""
        said = [each for each in self.talks.get(talk, []) if (memory.user, each["content"]) in self.mined]
        if said:
            await memory.mine(said, conversation=f"talk {talk}", project=f"Project {talk}")

    async def _write(self, memory: AsyncMemory) -> None:
        self.count += 1
        try:
            agent = await memory.agents.get("coder")
        except NotFound:
            agent = await memory.agents.create("coder")
        [profile] = await memory.profiles.list(agent.id)
        text = f"entry-{self.count:04}"
        receipt = await memory.entries.write(profile.id, text)
        assert receipt.id is not None
        self.entries[receipt.id] = [text]

    async def _change(self, memory: AsyncMemory, what: str, which: int) -> None:
        if not self.entries:
            return
        id = sorted(self.entries)[which % len(self.entries)]
        self.count += 1
        try:
            if what == "edit":
                text = f"entry-{self.count:04}"
                await memory.entries.edit(id, text)
                self.entries[id].append(text)
            else:
                receipt = await (memory.entries.redact if what == "redact" else memory.entries.forget)(id)
                if receipt.done:
                    self.ends[id] = "forgotten" if "forgotten" in (what + "ten", self.ends.get(id)) else "redacted"
        except (NotFound, InvalidInput):
            return  # it has not arrived here, or is gone

    async def _standing(self, memory: AsyncMemory) -> list[tuple[str, UUID]]:
        """The turns that stand on a device, by their ids, with the drawers' ids."""
        of_text = {text: id for id, texts in self.turns.items() for text in texts}
        rooms = [room.pointer for wing in await memory.palace.tree() for room in wing.rooms]
        drawers = [each for room in rooms for each in await memory.palace.show(room) if each.text in of_text]
        return sorted((of_text[each.text], each.id) for each in drawers)

    async def _remove_turn(self, memory: AsyncMemory, what: str, which: int) -> None:
        if standing := await self._standing(memory):
            turn, drawer = standing[which % len(standing)]
            await (memory.entries.redact if what == "redact turn" else memory.entries.forget)(drawer)
            self.gone.add(turn)

    async def _forget_talk(self, memory: AsyncMemory, talk: int) -> None:
        ids = {each["id"] for each in self.talks.get(talk, [])}
        standing = [turn for turn, _ in await self._standing(memory) if turn in ids]
        if standing:
            await memory.entries.forget_all(conversation=f"talk {talk}")
            self.gone |= set(standing)

    async def _edit_palace(self, memory: AsyncMemory, what: str, which: int) -> None:
        wings = sorted((each.name, each.pointer) for each in await memory.palace.tree())
        if len(wings) < 2:
            return
        self.count += 1
        (_, one), (_, other) = wings[which % len(wings)], wings[(which + 1) % len(wings)]
        if what == "merge":
            await memory.palace.merge_wings(one, other)
        else:
            await memory.palace.rename_wing(one, f"Wing {self.count}")

    def carry(self, source: int, target: int, how: str = "carry") -> None:
        """Bring the logs in one device's folder into another one's, as a tool would that knows nothing of them."""
        if source == target:
            return
        logs, into = self.folders[source] / "devices", self.folders[target] / "devices"
        own = self._own_log(target)
        for log in sorted(logs.iterdir()) if logs.is_dir() else []:
            if log.name == own:
                continue
            (into / log.name).mkdir(parents=True, exist_ok=True)
            files = sorted(log.glob("*.segment"))
            if how == "carry" and log.name == self._own_log(source):  # what the source removed goes
                for each in (into / log.name).iterdir():
                    if not (log / each.name).exists():
                        each.unlink()
            for number, file in enumerate(files):
                copy = into / log.name / file.name
                if how == "delay" and number % 2 == 0:
                    continue
                if how == "double" and copy.exists():
                    shutil.copy(file, copy.with_name(f"{file.stem} (copy).segment"))
                raw = file.read_bytes()
                is_new = not copy.exists()
                copy.write_bytes(raw[: len(raw) // 2] if how == "tear" and is_new else raw)

    def _own_log(self, device: int) -> str:
        return self.own[device]

    own: list[str] = field(default_factory=list)

    async def settle(self) -> None:
        """Carry everything everywhere until nobody has anything more to tell, twice: in the first quiet round a device
        may put into its folder what it wrote to its log before it was killed."""
        quiet = 0
        for _ in range(14):
            told = 0
            for device, memory in enumerate(self.memories):
                for other in range(len(self.memories)):
                    # Only its own log: what a folder holds of the others may be torn.
                    self._deliver(other, device)
                report = await memory.sync.now()
                assert not report.problems, report.problems
                told += report.sent + report.turns + report.memories + report.decisions + report.removed
            quiet = 0 if told else quiet + 1
            if quiet == 2:
                return
        raise AssertionError(f"they do not come to rest: {report}")

    def _deliver(self, source: int, target: int) -> None:
        if source == target:
            return
        log, copy = (self.folders[each] / "devices" / self.own[source] for each in (source, target))
        if log.is_dir():
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(log, copy)

    async def check(self) -> None:
        held = [await self._held(each) for each in self.memories]
        for each in held[1:]:
            for name, rows in each.items():
                differ = [row for row in (*rows, *held[0][name]) if (row in rows) != (row in held[0][name])]
                assert rows == held[0][name], f"{name}: {differ}"
        standing = [each for each in held[0]["turns"] if not each["is_redacted"]]
        said = sorted(sorted([each["content"], *(text for _, text, *_ in each["versions"])]) for each in standing)
        wanted = sorted(sorted(texts) for id, texts in self.turns.items() if id not in self.gone)
        assert said == wanted, f"stored {said}, expected {wanted}"
        decided = [await self._decisions(each) for each in self.memories]
        assert all(each == decided[0] for each in decided[1:])
        live = {UUID(each["id"]): each["content"] for each in held[0]["memories"] if not each["is_redacted"]}
        assert live.keys() == self.entries.keys() - self.ends.keys()
        assert all(live[id] in self.entries[id] for id in live)
        history = {(each["memory_id"], each["content"]) for each in held[0]["history"]}
        for id, written in self.entries.items():
            for text in written:
                assert ((str(id), text) in history or live.get(id) == text) == (id in live), text
        whole = str(held[0])
        for text in [text for id in self.gone for text in self.turns[id]]:
            assert text not in whole
            for memory in self.memories:
                assert (await memory.audit.absent(text)).absent, text
        for memory in self.memories:
            assert (await memory.audit.sound()).sound

    async def _decisions(self, memory: AsyncMemory) -> dict[str, bytes]:
        """What was decided about facts, by what identifies them on all devices."""
        async with memory._database.tenant(memory.user_id) as tx:
            return {each.key: each.digest for each in await judging.current_decisions(tx)}

    async def _held(self, memory: AsyncMemory) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "archive.zip"
            await memory.archive.save(file)
            return comparable(file)


def _torn(raw: bytes) -> bool:
    try:
        return len(raw) - raw.index(b"\n") - 1 < header_of(raw).size
    except (Damaged, ValueError):
        return True


async def live_through(host: AsyncMemory, count: int, history: Sequence[tuple[str, int, int]], top: Path) -> None:
    name = uuid4().hex[:8]
    memories = [host.of(f"{name}-{each}") for each in range(count)]
    paths = [top / f"{name}-{each}" for each in range(count)]
    with killing() as budget:
        world = World(memories, paths, budget)
        words = ""
        for each, (memory, path) in enumerate(zip(memories, paths, strict=True)):
            path.mkdir()
            if each:
                shutil.copy(paths[0] / "ricordo-sync.json", path)
                await memory.sync.join(path, words, name=f"device {each}")
            else:
                words = (await memory.sync.init(path, name="device 0")).words or ""
            [device] = (await memory.sync.status()).devices
            world.own.append(str(device.id))
        for step in history:
            await world.do(step)
        await world.settle()
        await world.check()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(count=st.integers(2, 4), history=st.lists(steps, min_size=8, max_size=40))
@example(count=2, history=[("mine", 1, 0), ("mine", 1, 0), ("kill", 1, 10)])
def test_devices_come_to_hold_the_same(
    server_home: Path, tmp_path: Path, count: int, history: list[tuple[str, int, int]]
) -> None:
    async def run() -> None:
        async with AsyncMemory(settings=store, background=False) as host:
            await live_through(host, count, history, tmp_path)

    store = _store(server_home)
    asyncio.run(run())


_stores: dict[Path, Any] = {}


def _store(home: Path) -> Any:
    if home not in _stores:
        _stores[home] = settings_for(home)
    return _stores[home]
