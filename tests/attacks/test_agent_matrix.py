"""B5 attacked: every method that takes `agent=` × whose the object is. What is closed to an agent is not there for it.

A method with `agent=` that is not in REACH fails a test below: whoever adds one says here what it reaches.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from http_server import Server, running
from ricordo import api
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory, serving
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Change
from ricordo.toolkit import Tools
from stores import settings_for
from talks import BATTERY

OWN, ISOLATED, SHARED, GRANTED = "own", "isolated", "shared", "granted"
WHOSE = (OWN, ISOLATED, SHARED, GRANTED)
#: What an agent may do with memories of which kind.
READS, CHANGES, OWNS = {OWN, SHARED, GRANTED}, {OWN, SHARED}, {OWN}
_EDITABLE = {"entry", "journal", "core", "whiteboard note"}
_numbers = count()


@dataclass
class Things:
    """One of everything that can be `whose`, with a mark in every text of it."""

    whose: str
    mark: str
    profile: UUID
    #: Ids of memories by kind.
    memories: dict[str, UUID] = field(default_factory=dict)
    run: UUID | None = None
    board: UUID | None = None
    path: tuple[str, ...] = ()


@dataclass
class World:
    """A user's memory with the agents A and B. B calls."""

    memory: Memory
    pointer: str

    def call(self, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """A method of the asynchronous client, such as `entries.get`."""
        resource, _, method = name.rpartition(".")
        memory = self.memory._inner
        of = serving(memory) if resource == "serving" else getattr(memory, resource) if resource else memory
        return self.memory._call(getattr(of, method), *args, **kwargs)

    def things(self, whose: str) -> Things:
        memory, owner, mark = self.memory, "B" if whose == OWN else "A", f"mark{next(_numbers)}"
        isolation = "shared" if whose == SHARED else "private"
        profile = memory.profiles.create(owner, mark, isolation=isolation).id
        made = Things(whose, mark, profile)
        scope = "global" if whose == GRANTED else "project"
        made.memories["entry"] = _id(memory.entries.write(profile, f"{mark} entry", scope=scope))
        if whose in (OWN, SHARED):
            board = memory.whiteboards.create(mark, [owner, "B"])
            made.memories["whiteboard note"] = _id(memory.whiteboards.write(board.id, f"{mark} note", owner))
            made.board = board.id
        if whose in (OWN, ISOLATED):
            made.memories["journal"] = _id(memory.journal.save(owner, f"{mark} journal"))
            made.memories["core"] = _id(memory.core.save(owner, f"{mark} core"))
            made.path = (mark,)
            change = Change(made.path, "key", {"said": mark}, f"{mark} document")
            made.memories["document"] = _id(self.call("documents.write", "kept", [change], agent=owner))
            made.run = memory.runs.start(owner, f"{mark} template", f"{mark} talk").id
        if whose == ISOLATED:
            board = memory.whiteboards.create(mark, ["A"])
            made.memories["whiteboard note"] = _id(memory.whiteboards.write(board.id, f"{mark} note", "A"))
            made.board = board.id
        return made


def _id(receipt: Any) -> UUID:
    assert receipt.id is not None
    return receipt.id  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def world(server_home: Path) -> Iterator[World]:
    with Memory(settings=replace(settings_for(server_home), user="ada"), background=False) as memory:
        receipt = memory.mine(BATTERY, conversation="talk")
        for name in ("A", "B", "C"):
            memory.agents.create(name, system_prompt=f"prompt of {name}")
        memory.agents.grant("A", "B")
        yield World(memory, receipt.pointer or "")


Probe = Callable[[World, Things], bool]


def shows(name: str, *args: Any, **kwargs: Any) -> Probe:
    """Whether what the method brings has the mark of the things."""
    return lambda world, things: things.mark in repr(world.call(name, *args, agent="B", **kwargs))


def on_memories(name: str, *more: Any, kinds: set[str] | None = None, **kwargs: Any) -> Probe:
    """Whether the method reaches the memories; all of them or none."""

    def probe(world: World, things: Things) -> bool:
        reached = {
            kind: _reached(lambda id=id: world.call(name, id, *more, agent="B", **kwargs))
            for kind, id in things.memories.items()
            if kinds is None or kind in kinds
        }
        assert len(set(reached.values())) <= 1, reached
        return any(reached.values())

    return probe


def on(name: str, which: str, *more: Any, **kwargs: Any) -> Probe:
    """Whether the method reaches one of the things, such as the profile; what is not there is not reached."""

    def probe(world: World, things: Things) -> bool:
        thing = getattr(things, which)
        return thing is not None and _reached(lambda: world.call(name, thing, *more, agent="B", **kwargs))

    return probe


def _reached(call: Callable[[], Any]) -> bool:
    try:
        call()
    except NotFound:
        return False
    return True


def _entries_read(world: World, things: Things) -> bool:
    """Of a private profile whose agent opened its global entries, these alone are read."""
    try:
        return things.mark in repr(world.call("entries.read", things.profile, agent="B"))
    except NotFound:
        return False


def _page(world: World, things: Things) -> bool:
    """By each way of narrowing that names the other's."""
    kinds = ["entry", "journal", "core", "note", "document"]
    ways: list[dict[str, Any]] = [{}, {"text": things.mark}, {"owner": "B" if things.whose == OWN else "A"}]
    found = {things.mark in repr(world.call("entries.page", kinds, **each, agent="B", limit=1000)) for each in ways}
    assert len(found) == 1
    return found.pop()


def _forget_all(world: World, things: Things) -> bool:
    reached = {
        kind: _reached(lambda id=id: world.call("entries.forget_all", [str(id)], agent="B"))
        for kind, id in things.memories.items()
    }
    assert len(set(reached.values())) == 1, reached
    return any(reached.values())


def _of_run(name: str, **kwargs: Any) -> Probe:
    def probe(world: World, things: Things) -> bool:
        if things.run is None:
            return False
        return _reached(lambda: world.call(name, things.run, agent="B", **kwargs))

    return probe


def _events(world: World, things: Things) -> bool:
    if things.run is None:
        return False
    world.memory.runs.fail(things.run, "for the record")
    return bool(world.call("runs.events", things.run, agent="B"))


def _in_run(name: str) -> Probe:
    """Whether a run of the agent reads the things' entries into its prompt."""

    def probe(world: World, things: Things) -> bool:
        world.memory.profiles.change(
            world.memory.profiles.list("B")[0].id, injection_limit=1000, injection_scopes=["project", "global"]
        )
        begun = world.call(name, "B", "Go on.", profile=things.profile if things.whose in (OWN, SHARED) else None)
        return things.mark in (begun.prompt or "")

    return probe


def _run(world: World, things: Things) -> bool:
    profile = things.profile if things.whose in (OWN, SHARED) else None
    world.memory.profiles.change(
        world.memory.profiles.list("B")[0].id, injection_limit=1000, injection_scopes=["project", "global"]
    )
    with world.memory.run("B", "Go on.", profile=profile) as run:
        return things.mark in run.prompt


def _recurring(things: Things, way: str) -> str:
    """A journal entry that says nearly the same each time, and nothing that other things say."""
    return f"{things.mark}: {' '.join(f'{things.mark}{letter}' for letter in 'abcdefgh')} {way}"


def _proposals(world: World, things: Things) -> bool:
    owner = "B" if things.whose == OWN else "A"
    for way in ("once", "twice", "again"):
        world.memory.journal.save(owner, _recurring(things, way))
    world.memory.proposals.propose(owner)
    return things.mark in repr(world.call("proposals.list", "B"))


def _proposing(world: World, things: Things) -> bool:
    for way in ("once", "twice", "again"):
        owner = "B" if things.whose == OWN else "A"
        world.memory.journal.save(owner, _recurring(things, way))
    return things.mark in repr(world.call("proposals.propose", "B"))


def _documents_get(world: World, things: Things) -> bool:
    return things.mark in repr(world.call("documents.get", "kept", [(things.path, "key")], agent="B"))


def _documents_write(world: World, things: Things) -> bool:
    """Whether B's write to the same place changes the document that stands there."""
    change = Change(things.path or (things.mark,), "key", {"said": "changed"}, "changed")
    receipt = world.call("documents.write", "kept", [change], agent="B")
    return receipt.id == things.memories.get("document")


def _tools(world: World, things: Things) -> bool:
    """The memory tool takes no memory that belongs to an agent."""
    answers = [
        world.call("tools.call", "B", "memory", {"action": action, "id": str(id)})
        for action in ("get", "delete")
        for id in things.memories.values()
    ]
    assert all("error" in each for each in answers), answers
    world.call("tools.call", "B", "save_to_journal", {"content": "mine"})
    return False


def _notes(name: str, *more: Any, **kwargs: Any) -> Probe:
    """Notes and facts are the user's: no method of them takes what is an agent's or a whiteboard's."""

    def probe(world: World, things: Things) -> bool:
        reached = [
            _reached(lambda id=id: world.call(name, id, *more, agent="B", **kwargs)) for id in things.memories.values()
        ]
        assert not any(reached)
        return False

    return probe


def _review(name: str) -> Probe:
    """A held write of an agent that is no subagent of B's waits for the user, and B's own does too."""

    def probe(world: World, things: Things) -> bool:
        world.memory.settings.update(review="agents")
        try:
            held = _id(world.memory.journal.save("B" if things.whose == OWN else "A", f"{things.mark} held"))
        finally:
            world.memory.settings.update(review="nothing")
        if name == "review.list":
            return things.mark in repr(world.call(name, 1000, agent="B"))
        return _reached(lambda: world.call(name, held, agent="B"))

    return probe


def _palace(name: str, *more: Any) -> Probe:
    """The palace is the user's, and open to each agent as a whole."""

    def probe(world: World, things: Things) -> bool:
        room = world.pointer.rpartition("/")[0] if world.pointer.count("/") == 2 else world.pointer
        at = f"{room}/D-001" if name == "palace.around" else room
        found = world.call(name, at, *more, agent="B")
        assert things.mark not in repr(found)
        return False

    return probe


def _about(name: str, /, *args: Any, **kwargs: Any) -> Probe:
    """The user names the agent that a call is about: A's things are neither shown nor changed by one about C."""

    def probe(world: World, things: Things) -> bool:
        about = "C" if name != "agents.delete" else world.memory.agents.create(things.mark).name
        given = {key: things.mark if value == "NEW" else value for key, value in kwargs.items()}
        return f"{things.mark} " in repr(world.call(name, about, *args, **given))

    return probe


def _keys(world: World, things: Things) -> bool:
    return things.mark in repr(world.call("keys.create", "key", agent="B"))


def _reaches(world: World, things: Things) -> bool:
    return bool(world.call("serving.reaches", "B", "memory", things.memories["entry"]))


def _mining(world: World, things: Things) -> bool:
    made = world.call("operations.mine", BATTERY, conversation=things.mark, agent="B")
    return f"{things.mark} " in repr(made)


#: Of whose things a method reaches any, with `agent="B"`.
REACH: dict[str, tuple[set[str], Probe]] = {
    "entries.get": (READS, on_memories("entries.get")),
    "entries.history": (READS, on_memories("entries.history")),
    "entries.as_of": (READS, on_memories("entries.as_of", datetime(2100, 1, 1, tzinfo=UTC))),
    "entries.edit": (CHANGES, on_memories("entries.edit", "changed", kinds=_EDITABLE)),
    "entries.redact": (CHANGES, on_memories("entries.redact")),
    "entries.forget": (CHANGES, on_memories("entries.forget")),
    "entries.forget_all": (CHANGES, _forget_all),
    "audit.of_memory": (OWNS, on_memories("audit.of_memory", kinds={"entry", "journal", "core", "document"})),
    "entries.read": (READS, _entries_read),
    "entries.write": (CHANGES, on("entries.write", "profile", "by B")),
    "entries.summarize": (CHANGES, on("entries.summarize", "profile")),
    "entries.page": (READS, _page),
    "profiles.get": (CHANGES, on("profiles.get", "profile")),
    "runs.replay": (OWNS, _of_run("runs.replay")),
    "runs.events": (OWNS, _events),
    "runs.list": (OWNS, shows("runs.list", limit=1000)),
    "runs.start": (READS, _in_run("runs.start")),
    "run": (READS, _run),
    "whiteboards.read": (CHANGES, on("whiteboards.read", "board")),
    "whiteboards.write": (CHANGES, on("whiteboards.write", "board", "by B")),
    "documents.get": (OWNS, _documents_get),
    "documents.search": (OWNS, shows("documents.search", "kept", limit=None)),
    "documents.paths": (OWNS, shows("documents.paths", "kept")),
    "documents.write": (OWNS, _documents_write),
    "journal.list": (OWNS, shows("journal.list", kinds=["journal", "core"], limit=1000)),
    "journal.search": (OWNS, lambda world, things: things.mark in repr(world.call("journal.search", "B", things.mark))),
    "journal.context": (OWNS, shows("journal.context")),
    "journal.system_message": (OWNS, shows("journal.system_message")),
    "journal.export": (OWNS, shows("journal.export")),
    "journal.counts": (set(), shows("journal.counts")),
    "journal.save": (set(), _about("journal.save", "new")),
    "journal.import_": (set(), _about("journal.import_", [])),
    "core.list": (OWNS, shows("core.list", limit=1000)),
    "core.save": (set(), _about("core.save", "new")),
    "proposals.list": (OWNS, _proposals),
    "proposals.propose": (OWNS, _proposing),
    "tools.call": (set(), _tools),
    "review.list": (set(), _review("review.list")),
    "review.get": (set(), _review("review.get")),
    "review.accept": (set(), _review("review.accept")),
    "review.reject": (set(), _review("review.reject")),
    # The user's own, open to every agent.
    "notes.get": (set(), _notes("notes.get")),
    "notes.update": (set(), _notes("notes.update", content="changed")),
    "notes.delete": (set(), _notes("notes.delete")),
    "notes.search": (set(), shows("notes.search", limit=1000)),
    "notes.create": (set(), shows("notes.create", "new")),
    "facts.confirm": (set(), _notes("facts.confirm")),
    "facts.correct": (set(), _notes("facts.correct", object="changed")),
    "facts.reject": (set(), _notes("facts.reject")),
    "facts.undo": (set(), _notes("facts.undo")),
    "palace.show": (set(), _palace("palace.show")),
    "palace.drawers": (set(), _palace("palace.drawers")),
    "palace.around": (set(), _palace("palace.around")),
    "about": (set(), lambda world, things: things.mark in repr(world.call("about", agent="B"))),
    "recall": (set(), lambda world, things: things.mark in repr(world.call("recall", things.mark, agent="B").results)),
    "operations.mine": (set(), _mining),
    # What the user does about an agent.
    "activity.list": (set(), shows("activity.list")),
    "agents.get": (set(), _about("agents.get")),
    "agents.change": (set(), _about("agents.change", memory_disabled=False)),
    "agents.delete": (set(), _about("agents.delete")),
    "serving.reaches": (READS, _reaches),
    "profiles.list": (OWNS, shows("profiles.list")),
    "profiles.create": (set(), _about("profiles.create", name="NEW")),
    "keys.create": (set(), _keys),
    "whiteboards.add_agent": (set(), lambda world, things: False),
    "whiteboards.remove_agent": (set(), lambda world, things: False),
}  # fmt: skip
#: Methods that change or show the user's own administration of a whiteboard: the user calls them about an agent.
_NO_PROBE = {"whiteboards.add_agent", "whiteboards.remove_agent"}


def with_agent() -> set[str]:
    """Every method of the client, its resources and its server's side that takes `agent`."""
    resources = {name: getattr(api, name) for name in api.__all__ if isinstance(getattr(api, name), type)}
    with_client = AsyncMemory(user="nobody", background=False)
    named = {
        name: type(value)
        for name, value in vars(with_client).items()
        if type(value) in resources.values() or isinstance(value, Tools)
    }
    return {
        f"{resource}.{name}" if resource else name
        for resource, kind in {"": AsyncMemory, "serving": api.Serving, **named}.items()
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and "agent" in inspect.signature(method).parameters
    }


def test_b5_every_method_that_takes_an_agent_is_in_the_matrix() -> None:
    assert with_agent() == REACH.keys()
    assert len(with_agent()) > 50


@pytest.mark.parametrize("name", sorted(REACH.keys() - _NO_PROBE))
def test_b5_an_agent_reaches_its_own_and_what_is_shared_with_it(world: World, name: str) -> None:
    open_to, probe = REACH[name]
    for whose in WHOSE:
        things = world.things(whose)
        if probe(world, things) != (whose in open_to):
            pytest.fail(f"{name}(agent='B') {'does not reach' if whose in open_to else 'reaches'} what is {whose}")


def test_b5_what_an_agent_may_not_change_stays(world: World) -> None:
    for whose in (ISOLATED, GRANTED):
        things = world.things(whose)
        for name in ("entries.edit", "entries.redact", "entries.forget"):
            assert not REACH[name][1](world, things)
        for kind, id in things.memories.items():
            assert things.mark in world.memory.entries.get(id).content or kind == "document"


def test_b5_a_revoked_grant_closes_what_it_opened(world: World) -> None:
    memory = world.memory
    for name in ("giver", "taker"):
        memory.agents.create(name)
    profile = memory.profiles.list("giver")[0].id
    told = _id(memory.entries.write(profile, "for all", scope="global"))
    memory.entries.write(profile, "for the giver")
    with pytest.raises(NotFound):
        memory.entries.read(profile, agent="taker")
    memory.agents.grant("giver", "taker")
    assert [each.content for each in memory.entries.read(profile, agent="taker")] == ["for all"]
    assert memory.entries.get(told, agent="taker").content == "for all"
    with pytest.raises(NotFound):
        memory.entries.write(profile, "by the taker", agent="taker")
    memory.agents.revoke("giver", "taker")
    for attempt in (
        lambda: memory.entries.read(profile, agent="taker"),
        lambda: memory.entries.get(told, agent="taker"),
    ):
        with pytest.raises(NotFound):
            attempt()


def test_a15_no_agent_grants_itself(world: World) -> None:
    with pytest.raises(InvalidInput, match="to_agent"):
        world.memory.agents.grant("A", "A")
    assert world.memory.agents.grants() == [pair for pair in world.memory.agents.grants() if pair[0] != pair[1]]


@pytest.fixture(scope="module")
def server(world: World) -> Iterator[Server]:
    with running(world.memory.process_settings) as server:
        yield server


def test_b5_over_http_an_agents_key_reaches_the_same(world: World, server: Server) -> None:
    token = world.memory.keys.create("B's", agent="B").token
    operations: dict[str, tuple[set[str], Callable[[Things], tuple[str, str, Any]]]] = {
        "read": (READS, lambda it: ("GET", f"/v1/profiles/{it.profile}/entries", None)),
        "write": (CHANGES, lambda it: ("POST", f"/v1/profiles/{it.profile}/entries", {"content": f"by {it.mark}"})),
        "profile": (CHANGES, lambda it: ("GET", f"/v1/profiles/{it.profile}", None)),
        "summary": (CHANGES, lambda it: ("GET", f"/v1/profiles/{it.profile}/summary", None)),
        "get": (READS, lambda it: ("GET", f"/v1/memories/{it.memories['entry']}", None)),
        "history": (READS, lambda it: ("GET", f"/v1/memories/{it.memories['entry']}/history", None)),
        "accesses": (OWNS, lambda it: ("GET", f"/v1/memories/{it.memories['entry']}/accesses", None)),
        "edit": (CHANGES, lambda it: ("PATCH", f"/v1/memories/{it.memories['entry']}", {"content": f"new {it.mark}"})),
        "redact": (CHANGES, lambda it: ("POST", f"/v1/memories/{it.memories['entry']}/redact", {})),
        "forget": (CHANGES, lambda it: ("DELETE", f"/v1/memories/{it.memories['entry']}", None)),
    }  # fmt: skip
    wrong = []
    for whose in WHOSE:
        things = world.things(whose)
        for name, (open_to, request) in operations.items():
            method, path, body = request(things)
            answer = server.ask(method, path, body, token=token)
            reached = answer.ok and (name != "read" or things.mark in answer.text)
            if reached != (whose in open_to) or (not answer.ok and answer.status_code != 404):
                wrong.append((name, whose, answer.status_code))
    assert not wrong
