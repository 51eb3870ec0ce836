"""Any two operations on the same objects at once: each is done, or refused in plain words, and nothing is lost.

Each pair of operations, each with itself as well, is begun by two programs at a barrier, on objects of its own; several
users' pairs run beside each other. A sample with a fixed seed runs always; `--race-pairs 0` runs every pair.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import pytest

from consistency import inconsistencies
from ricordo.client import AsyncMemory
from ricordo.errors import Changed, InvalidInput, NotFound
from ricordo.models import Change, RunEnd, WriteReceipt
from ricordo.settings import Settings
from stores import connect

#: What an operation may say that came second.
ANSWERS = (InvalidInput, NotFound, Changed)
WRITES = "__lf_memory_writes"
#: Users whose pairs run beside each other.
USERS = 4


@dataclass
class Objects:
    """What the operations of a pair work on."""

    name: str
    agent: UUID
    other: UUID
    default: UUID
    profile: UUID
    entry: UUID
    journal: UUID
    note: UUID
    board: UUID
    run: UUID
    key: UUID
    held: UUID
    proposal: UUID
    wing: str
    room: str
    closet: str
    turn: UUID
    fact: UUID
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def say(self) -> str:
        return f"Figure {next(self.numbers)} of the quarterly report of {self.name}"

    def talk(self) -> list[dict[str, str]]:
        return [{"role": "user", "name": "Ada", "content": self.say()}]


Operation = Callable[[AsyncMemory, Objects], Awaitable[Any]]


async def _document(memory: AsyncMemory, of: Objects) -> Any:
    change = Change(path=["state"], key="k", value={"n": next(of.numbers)})
    return await memory.documents.write("facts", [change], agent=of.agent)


async def _block(memory: AsyncMemory, of: Objects) -> Any:
    async with memory.run(of.agent, "What is the figure?") as run:
        run.output("node", {WRITES: [{"content": of.say()}]})
    return run.written


OPERATIONS: dict[str, Operation] = {
    "agent.rename": lambda m, o: m.agents.change(o.agent, name=f"{o.name}-renamed"),
    "agent.create": lambda m, o: m.agents.create(f"{o.name}-renamed"),
    "agent.disable": lambda m, o: m.agents.change(o.agent, memory_disabled=False),
    "agent.grant": lambda m, o: m.agents.grant(o.agent, o.other),
    "agent.revoke": lambda m, o: m.agents.revoke(o.agent, o.other),
    "agent.delete": lambda m, o: m.agents.delete(o.agent),
    "profile.create": lambda m, o: m.profiles.create(o.agent, "same", is_default=True),
    "profile.rename": lambda m, o: m.profiles.change(o.profile, name="same"),
    "profile.default": lambda m, o: m.profiles.change(o.profile, is_default=True),
    "profile.default.back": lambda m, o: m.profiles.change(o.default, is_default=True),
    "profile.cap": lambda m, o: m.profiles.change(o.profile, max_entries=1),
    "profile.uncap": lambda m, o: m.profiles.change(o.profile, max_entries=None),
    "profile.retention": lambda m, o: m.profiles.change(o.profile, retention_seconds=1_000),
    "profile.delete": lambda m, o: m.profiles.delete(o.profile),
    "entry.write": lambda m, o: m.entries.write(o.profile, o.say()),
    "entry.edit": lambda m, o: m.entries.edit(o.entry, o.say()),
    "entry.redact": lambda m, o: m.entries.redact(o.entry),
    "entry.forget": lambda m, o: m.entries.forget(o.entry),
    "journal.save": lambda m, o: m.journal.save(o.agent, o.say()),
    "edit a journal entry": lambda m, o: m.entries.edit(o.journal, o.say()),
    "forget a journal entry": lambda m, o: m.entries.forget(o.journal),
    "core.save": lambda m, o: m.core.save(o.agent, o.say()),
    "proposal.accept": lambda m, o: m.proposals.accept(o.proposal),
    "proposal.reject": lambda m, o: m.proposals.reject(o.proposal),
    "note.create": lambda m, o: m.notes.create(o.say(), agent=o.agent),
    "note.update": lambda m, o: m.notes.update(o.note, content=o.say(), importance=3),
    "note.delete": lambda m, o: m.notes.delete(o.note),
    "board.write": lambda m, o: m.whiteboards.write(o.board, o.say(), o.agent),
    "board.join": lambda m, o: m.whiteboards.add_agent(o.board, o.other),
    "board.leave": lambda m, o: m.whiteboards.remove_agent(o.board, o.agent),
    "board.delete": lambda m, o: m.whiteboards.delete(o.board),
    "document.write": _document,
    "run.block": _block,
    "run.output": lambda m, o: m.runs.output(o.run, "node", {WRITES: [{"content": o.say()}]}),
    "run.complete": lambda m, o: m.runs.complete(o.run),
    "run.fail": lambda m, o: m.runs.fail(o.run, "a test"),
    "review.accept": lambda m, o: m.review.accept(o.held),
    "review.reject": lambda m, o: m.review.reject(o.held),
    "key.revoke": lambda m, o: m.keys.revoke(o.key),
    "turn.mine": lambda m, o: m.mine(o.talk(), conversation=o.name),
    "turn.redact": lambda m, o: m.entries.redact(o.turn),
    "room.forget": lambda m, o: m.entries.forget_all([o.room]),
    "room.move": lambda m, o: m.palace.move_room(o.room, f"{o.name}-other", new=True),
    "wing.rename": lambda m, o: m.palace.rename_wing(o.wing, f"{o.name}-wing"),
    "closet.rename": lambda m, o: m.palace.rename_closet(o.room, o.closet, "same"),
    "fact.confirm": lambda m, o: m.facts.confirm(o.fact),
    "fact.correct": lambda m, o: m.facts.correct(o.fact, object=o.say()),
    "fact.reject": lambda m, o: m.facts.reject(o.fact),
    "fact.undo": lambda m, o: m.facts.undo(o.fact),
    "settings.update": lambda m, o: m.settings.update(top_k=5),
}


def _id(receipt: Any) -> UUID:
    assert receipt.id is not None
    return receipt.id  # type: ignore[no-any-return]


async def _objects(memory: AsyncMemory, name: str) -> Objects:
    """New ones, which no other pair works on."""
    agent, other = await memory.agents.create(name), await memory.agents.create(f"{name}-other")
    [default] = await memory.profiles.list(name)
    profile = await memory.profiles.create(name, "second", max_entries=3)
    run = await memory.runs.start(name, "What is the figure?")
    await memory.runs.output(run.id, "first", {WRITES: [{"content": f"A run of {name} says so."}]})
    guarded = await memory.profiles.create(name, "guarded", review="agents")
    held = await memory.entries.write(guarded.id, f"Held of {name}")
    journal = [await memory.journal.save(name, f"{name} likes its answers short {way}.") for way in ("now", "too")]
    [proposal, *_] = await memory.proposals.propose(name)
    talk = [{"role": "user", "name": "Ada", "content": f"Turn {each} of the talk of {name}"} for each in range(2)]
    mined = await memory.mine(talk, conversation=name, project=f"project {name}")
    [first, *_] = await memory.palace.show(mined.pointer or "")
    [closet, *_] = (await memory.palace.closets(mined.pointer or "")).items
    [fact] = await memory.entities.add_relation(name, "lives_in", "Leeds")
    return Objects(
        name=name,
        agent=agent.id,
        other=other.id,
        default=default.id,
        profile=profile.id,
        entry=_id(await memory.entries.write(profile.id, f"The ferry of {name} leaves at seven.")),
        journal=_id(journal[0]),
        note=_id(await memory.notes.create(f"A note of {name}", agent=name)),
        board=(await memory.whiteboards.create(f"{name}-shared", [name])).id,
        run=run.id,
        key=(await memory.keys.create(name)).key.id,
        held=_id(held),
        proposal=proposal.id,
        wing=(mined.pointer or "").partition("/")[0],
        room=mined.pointer or "",
        closet=closet.name,
        turn=first.id,
        fact=fact.id,
    )


@dataclass
class Races:
    """Two programs on one store, and what came of all that they did."""

    programs: Sequence[AsyncMemory]
    ended: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    async def run(self, user: str, pairs: Sequence[tuple[str, str]]) -> None:
        """One user's pairs, one after the other."""
        memories = [each.of(user) for each in self.programs]
        for number, names in enumerate(pairs):
            objects = await _objects(memories[0], f"agent-{number}")
            barrier = asyncio.Barrier(2)
            works = [self._one(*each, objects, barrier) for each in zip(memories, names, strict=True)]
            for name, given in zip(names, await asyncio.gather(*works), strict=True):
                kind = type(given).__name__ if isinstance(given, Exception) else "done"
                self.ended[kind] += 1
                if isinstance(given, Exception) and not isinstance(given, ANSWERS):
                    self.wrong.append(f"{name} of {names}: {kind}: {given}")
                await self._require_there(memories[1], f"{name} of {names}", given)

    async def _one(self, memory: AsyncMemory, name: str, objects: Objects, barrier: asyncio.Barrier) -> Any:
        await barrier.wait()
        try:
            return await OPERATIONS[name](memory, objects)
        except Exception as error:  # noqa: BLE001 - what may come out is what is tested
            return error

    async def _require_there(self, memory: AsyncMemory, where: str, given: Any) -> None:
        """What was acknowledged is there, or its removal is on record."""
        ids: Sequence[UUID] = ()
        if isinstance(given, WriteReceipt) and given.status == "stored":
            ids = [_id(given)]
        elif isinstance(given, RunEnd):
            ids = given.written
        elif isinstance(given, tuple):
            ids = given
        for id in ids:
            try:
                await memory.entries.get(id)
            except NotFound:
                removed = [each.action for each in await memory.audit.of_memory(id)]
                if not {"forget", "expire"} & {*removed}:
                    self.wrong.append(f"{where}: {id} was acknowledged and is lost ({removed})")


def _sample(count: int) -> list[tuple[str, str]]:
    """So many pairs by a fixed seed, each operation among them with itself; 0 is all of them."""
    every = list(itertools.combinations_with_replacement(OPERATIONS, 2))
    if not count:
        return every
    chance = random.Random(18)
    named = [(each, chance.choice([*OPERATIONS])) for each in OPERATIONS]
    return named + chance.sample(every, max(0, count - len(named)))


def test_any_two_operations_at_once_end_well_or_say_why_not(settings: Settings, pytestconfig: pytest.Config) -> None:
    pairs = _sample(pytestconfig.getoption("--race-pairs"))

    async def main() -> Races:
        chosen = replace(settings, user="ada", pool_size=USERS + 2)
        async with (
            AsyncMemory(settings=chosen, background=False) as one,
            AsyncMemory(settings=chosen, background=False) as other,
        ):
            races = Races((one, other))
            await asyncio.gather(*(races.run(f"user-{each}", pairs[each::USERS]) for each in range(USERS)))
            for each in range(USERS):
                memory = one.of(f"user-{each}")
                assert not any((await memory.audit.absent("no such text")).left_over.values())
                await memory.audit.seal()
                assert (await memory.audit.verify()).intact
            return races

    races = asyncio.run(main())
    assert races.wrong == []
    with connect(settings) as owner:
        assert inconsistencies(owner) == []
        assert owner.execute(
            "SELECT a.name FROM agents a LEFT JOIN profiles p ON (p.user_id, p.agent_id) = (a.user_id, a.id) "
            "AND p.is_default GROUP BY a.user_id, a.id HAVING count(p.id) <> 1"
        ).fetchall() == []  # fmt: skip
    assert races.ended["done"] > sum(races.ended.values()) / 2, f"the pairs hardly did anything: {races.ended}"


def test_every_pair_can_be_asked_for() -> None:
    assert len(OPERATIONS) > 40
    assert len(_sample(0)) == len(OPERATIONS) * (len(OPERATIONS) + 1) // 2
    assert {name for pair in _sample(100) for name in pair} == set(OPERATIONS)
