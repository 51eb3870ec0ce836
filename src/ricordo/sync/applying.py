"""Records of another device's log → this store, by the same ways of writing that everything else takes.

Applying is idempotent, and its result does not depend on the order: of versions the latest one counts, redaction and
forgetting count above all versions, and of decisions the latest one counts. A record that was applied in part before a
kill is applied again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from ricordo import accounts, embedding, memories, palace
from ricordo.audit import Actor
from ricordo.database import Transaction, retried
from ricordo.errors import InvalidInput, NotFound
from ricordo.memories import Arrival, Edition, TurnVersion, documents, proposals, whiteboards
from ricordo.mining import Miner, Turn
from ricordo.models import RemovalReceipt
from ricordo.opened import Opened
from ricordo.review import Screen, queue, screen_for
from ricordo.sync import judging, placing
from ricordo.sync import sync_store as store
from ricordo.sync.noticing import current
from ricordo.sync.records import DECISIONS, Names, Record, SyncScope, digest, moment, turn_key, versions_of
from ricordo.sync.sync_store import Known, Note

#: What redacts or forgets a memory in a transaction of its own: `memory.entries.redact` and `.forget`.
Removal = Callable[[UUID, str], Awaitable[RemovalReceipt]]
#: States that never give way to a text.
_OVER: tuple[store.State, ...] = ("redacted", "forgotten")
#: Turns of one transaction.
_PIECE = 400


@dataclass
class Applied:
    """What came of records."""

    turns: int = 0
    memories: int = 0
    decisions: int = 0
    removed: int = 0
    #: What this device's policies kept out.
    refused: int = 0
    #: Conflicting decisions, as sentences for the person.
    conflicts: list[str] = field(default_factory=list)


@dataclass
class Applying:
    """The applying of one device's records."""

    opened: Opened
    miner: Miner
    redact: Removal
    forget: Removal
    scope: SyncScope
    #: The device that wrote them.
    device: UUID
    name: str
    applied: Applied = field(default_factory=Applied)
    #: Whether something was removed, so that this device's own log is to be rewritten.
    takes_back: bool = False

    async def apply(self, record: Record) -> None:
        """Apply a record. Raises StoreError, and InvalidInput for what no Ricordo would write."""
        match record["t"]:
            case "turns":
                await self._turns(record)
            case "memory":
                await self._once(self._memory, record)
            case "held":
                await self._once(self._held, record)
            case "forgotten":
                await self._forgotten(record)
            case kind if kind in DECISIONS:
                await self._once(self._decision, record)
            case _:
                return  # of a later version, which says that older ones may pass over it

    async def carry_out(self) -> None:
        """Carry out decisions about what has arrived since."""

        async def all_of(tx: Transaction) -> None:
            await accounts.lock(tx, self.opened.user_id, self.opened.user)
            for known in await store.pending(tx):
                if not await self._accepts(tx, known.kind, known.key):
                    await store.forget_objects(tx, known.kind, [known.key])
                elif await placing.carry_out(tx, self.opened.user_id, known, self.applied.conflicts):
                    await self._note(tx, await _settled(tx, known))

        await retried(lambda: self._within(all_of))

    async def _once(self, applied: Callable[[Transaction, Record], Awaitable[None]], record: Record) -> None:
        await retried(lambda: self._within(lambda tx: applied(tx, record)))

    async def _within(self, work: Callable[[Transaction], Awaitable[None]]) -> None:
        async with self.opened.transaction() as tx:
            await work(tx)

    async def _note(self, tx: Transaction, *notes: Note) -> None:
        await store.note(tx, self.opened.user_id, self.device, notes)

    @property
    def _actor(self) -> Actor:
        return Actor(f"sync:{self.name}")

    # Turns -----------------------------------------------------------------------------------------------------------

    async def _turns(self, record: Record) -> None:
        turns = record["turns"]
        for start in range(0, len(turns), _PIECE):
            piece = turns[start : start + _PIECE]
            gone, rooms = await retried(lambda piece=piece: self._file(record, piece))  # type: ignore[misc]
            forgotten = record["conversation"]["forgotten"]
            for id in gone:
                await self._remove(self.forget if forgotten else self.redact, id)
            if forgotten and rooms:
                await retried(lambda rooms=rooms: self._within(lambda tx: self._empty(tx, rooms)))  # type: ignore[misc]

    async def _empty(self, tx: Transaction, rooms: Sequence[int]) -> None:
        """Forget the names of what a forgetting on another device left empty."""
        await accounts.lock(tx, self.opened.user_id, self.opened.user)
        await palace.forget_emptied(tx, rooms)

    async def _file(self, record: Record, turns: Sequence[Mapping[str, Any]]) -> tuple[list[UUID], list[int]]:
        """Store what is new of these turns; returns those that are to be redacted, and the rooms of all."""
        async with self.opened.transaction() as tx:
            await accounts.lock(tx, self.opened.user_id, self.opened.user)
            told = record["conversation"]
            conversation = {**told, "id": await store.conversation_id(tx, told["id"])}
            keys = {each["key"]: turn_key(conversation["id"], each["key"]) for each in turns}
            known = await store.known(tx, "turn", list(keys.values()))
            before = await store.turns_by_key(tx, conversation["id"], list(keys))
            if not self.scope.takes_turns(conversation["source"], record["wing"]["keys"]):
                await self._note(tx, *(Note("turn", key, state="refused") for key in keys.values() if key not in known))
                # What is here is still removed: its wing may have lost its name with it.
                turns = [each for each in turns if each.get("redacted") and each["key"] in before]
                if not turns:
                    return [], []
                keys = {each["key"]: keys[each["key"]] for each in turns}
            gone = {each["key"] for each in turns if each.get("redacted")}
            gone |= {key for key, name in keys.items() if name in known and known[name].state in _OVER}
            screen = await screen_for(tx)
            histories = {each["key"]: _screened(each, screen) for each in turns if each["key"] not in gone}
            new_turns = [each for each in turns if each["key"] not in before]
            fresh, refused = _fresh(new_turns, histories, screen)
            origin = palace.Origin(
                conversation["id"],
                screen.remark(conversation["title"]),
                screen.remark(conversation["project"]),
                conversation["source"],
            )
            new = await self.miner.file(tx, origin, fresh, conversation["language"], datetime.now(UTC))
            self.applied.turns += new
            self.applied.refused += len(refused)
            if fresh:
                new_keys = [key for _, key in fresh]
                await placing.place(tx, self.opened.user_id, self.device, conversation["id"], new_keys, record["wing"])
            apart = await self._unite(tx, conversation, histories, before)
            stored = await store.turns_by_key(tx, conversation["id"], list(keys))
            places = [(*each["place"], stored[each["key"]]["id"]) for each in turns if each["key"] in stored]
            await palace.note_places(tx, self.opened.user_id, self.name, record["wing"]["number"], places)
            now = await store.now(tx)
            notes = [
                note
                for key, name in keys.items()
                if key not in apart  # no log has all of its versions yet, so this device tells of them
                and (note := _turn_note(name, known.get(name), before.get(key), stored.get(key), key in gone, now))
            ]
            await self._note(tx, *notes)
        self.opened.wake()
        rooms = sorted({each["room"] for each in stored.values()})
        return [stored[key]["id"] for key in sorted(gone & stored.keys()) if not stored[key]["is_redacted"]], rooms

    async def _unite(
        self,
        tx: Transaction,
        conversation: Mapping[str, Any],
        histories: Mapping[int, Sequence[TurnVersion]],
        before: Mapping[int, Mapping[str, Any]],
    ) -> set[int]:
        """Unite the versions of turns with those that are here; returns the keys of those that both devices edited."""
        apart: set[int] = set()
        stored = await store.turns_by_key(tx, conversation["id"], list(histories))
        united: dict[UUID, Sequence[TurnVersion]] = {}
        for key, turn in stored.items():
            if turn["is_redacted"] or not histories[key]:
                continue
            here, theirs = versions_of(turn), histories[key]
            both = memories.united(here if key in before else [], theirs)
            if both == here:
                continue
            united[turn["id"]] = both
            if key not in before:
                continue
            self.applied.turns += both[-1].text != here[-1].text
            if {each.text for each in here} - {each.text for each in theirs} and len(both) > len(here):
                pointer = palace.Pointer(turn["wing"], turn["room"], turn["drawer"])
                apart.add(key)
                source = self.name if both[-1] in theirs else "this device"
                self.applied.conflicts.append(
                    f"turn {pointer} was edited here and on {self.name}: the later text, from {source}, is current, "
                    "and the other one is in its history"
                )
        if united:
            await self.miner.unite(tx, conversation["id"], united, self._actor)
        return apart

    async def _remove(self, removal: Removal, id: UUID) -> None:
        try:
            receipt = await removal(id, f"synced from {self.name}")
        except NotFound:
            return
        self._removed(receipt.done)

    def _removed(self, done: bool) -> None:
        """Every log may hold a name that was drawn from a text that is gone, so each is rewritten."""
        self.applied.removed += done
        self.takes_back |= done

    # Memories of other kinds -----------------------------------------------------------------------------------------

    async def _memory(self, tx: Transaction, record: Record) -> None:
        names = await Names.load(tx)
        known = (await store.known(tx, "memory", [record["id"]])).get(record["id"])
        owners = {kind: names.local(kind, record[kind]) for kind in ("agent", "profile", "whiteboard")}
        if any(record[kind] is not None and owners[kind] is None for kind in owners):
            await self._refuse(tx, record, known)  # what it belongs to was deleted, or takes no part here
            return
        created = moment(record["created_at"])
        if known is not None and known.state == "forgotten" and created <= (known.stamp or created):
            return
        if record.get("redacted"):
            await self._redacted(tx, record, owners, known)
            return
        id = self._id(record, owners["agent"])
        if known is not None and known.state == "redacted":
            return
        before = await store.memory_row(tx, id)
        reason = await memories.arrive(tx, self.opened.user_id, _arrival(record, id, owners), self._actor)
        if reason is not None:
            self.applied.refused += 1
            await self._refuse(tx, record, known)
            return
        row = await store.memory_row(tx, id)
        assert row is not None
        state: store.State = "redacted" if row["is_redacted"] else "live"
        stamp, touched = await store.now(tx), row["updated_at"]
        self.applied.memories += 1
        if before is not None and (known is None or known.touched != before["updated_at"]):
            if known is None:
                return  # this device has yet to tell of it too
            touched = known.touched  # changed here since the last sync
        await self._note(tx, Note("memory", record["id"], id, state, stamp, touched=touched))

    def _id(self, record: Record, agent: UUID | None) -> UUID:
        """The id that a memory has here: a document's follows from whose it is and from its place."""
        if not record["id"].startswith("document:"):
            return UUID(record["id"])
        told = record["versions"][-1]["fields"]["metadata"]
        return documents.id_of(self.opened.user_id, agent, record["project_id"], (told["path"], told["key"]))

    async def _refuse(self, tx: Transaction, record: Record, known: Known | None) -> None:
        if known is None:
            await self._note(tx, Note("memory", record["id"], state="refused"))

    async def _redacted(
        self, tx: Transaction, record: Record, owners: Mapping[str, UUID | None], known: Known | None
    ) -> None:
        """Redact a memory; where it never was here, its redacted row is made."""
        id = known.local if known else None
        if id is None and record["id"].startswith("document:"):
            await self._note(tx, Note("memory", record["id"], state="redacted", stamp=await store.now(tx)))
            return
        id = id or UUID(record["id"])
        if await store.memory_row(tx, id) is None:
            edition = {"at": record["created_at"], "text": memories.REDACTED, "fields": record["fields"], "by": None}
            arrival = _arrival({**record, "versions": [edition]}, id, owners)
            if await memories.arrive(tx, self.opened.user_id, arrival, self._actor) is not None:
                await self._refuse(tx, record, known)
                return
        receipt = await memories.redact(tx, self.opened.user_id, id, f"synced from {self.name}", self._actor)
        self._removed(receipt.done)
        row = await store.memory_row(tx, id)
        assert row is not None
        stamp = await store.now(tx)
        await self._note(tx, Note("memory", record["id"], id, "redacted", stamp, touched=row["updated_at"]))

    async def _held(self, tx: Transaction, record: Record) -> None:
        """Put what waits for a review on another device into the queue here, unless it was decided."""
        if await store.known(tx, "memory", [record["id"]]):
            return
        names = await Names.load(tx)
        owners = {kind: names.local(kind, record[kind]) for kind in ("agent", "profile", "whiteboard")}
        if any(record[kind] is not None and owners[kind] is None for kind in owners):
            await self._refuse(tx, record, None)
            return
        screen = (await screen_for(tx)).redacting()
        fields = {**record["fields"], **{f"{kind}_id": id for kind, id in owners.items() if id is not None}}
        id, run = UUID(record["id"]), None if record["run"] is None else UUID(record["run"])
        text, actor = screen.text("content", record["text"]), Actor(record["actor"], run)
        await queue.hold(tx, self.opened.user_id, record["kind"], text, fields, record["speaker"], actor, id=id)
        await self._note(tx, Note("memory", record["id"], id, "held", await store.now(tx)))

    async def _forgotten(self, record: Record) -> None:
        """Forget a memory or a turn; also one that has not arrived, and never will then."""
        kind, key, at = record["kind"], record["id"], moment(record["at"])
        async with self.opened.transaction() as tx:
            known = (await store.known(tx, kind, [key])).get(key)
            local = known.local if known else None
            row = await store.memory_row(tx, local) if local is not None else None
            if row is not None and key.startswith("document:") and row["created_at"] > at:
                return  # it was written anew
            if kind == "memory" and local is not None:
                await queue.withdraw(tx, local)  # rejected on the other device
        if local is not None and row is not None:
            await self._remove(self.forget, local)

        async def noted(tx: Transaction) -> None:
            was = known.stamp if known is not None and known.state == "forgotten" else None
            await self._note(tx, Note(kind, key, local, "forgotten", max(at, was or at)))

        await retried(lambda: self._within(noted))

    # Decisions -------------------------------------------------------------------------------------------------------

    async def _decision(self, tx: Transaction, record: Record) -> None:
        await accounts.lock(tx, self.opened.user_id, self.opened.user)
        kind, key, at = record["t"], record["id"], moment(record["at"])
        known = (await store.known(tx, kind, [key])).get(key)
        if record.get("gone"):
            await self._deleted(tx, kind, key, at, known)
            return
        if known is not None and (known.state == "forgotten" or (known.stamp is not None and known.stamp >= at)):
            return
        match kind:
            case "agent" | "profile" | "whiteboard":
                done = await self._owner(tx, kind, record, at)
            case "setting":
                done = await self._setting(tx, record, at)
            case "proposal":
                done = await self._proposal(tx, record, at)
            case _:
                done = await self._accepts(tx, kind, key) and await self._place(tx, record, at, known)
        self.applied.decisions += done

    async def _accepts(self, tx: Transaction, kind: str, key: str) -> bool:
        """Whether this device takes a decision about the palace, entities or facts: what takes no part here is not even
        kept until it arrives."""
        if self.scope.is_whole or kind in ("entity", "fact"):
            return self.scope.is_whole
        if kind == "wing":
            return self.scope.takes_wing([key])
        turn = judging.turn_of(key) if kind == "decision" else key
        known = await store.known(tx, "turn", [turn]) if turn is not None else {}
        return turn is not None and (turn not in known or known[turn].state != "refused")

    async def _owner(self, tx: Transaction, kind: str, record: Record, at: datetime) -> bool:
        """Make or change an agent, a profile or a whiteboard. One of this name that is here already is the same one."""
        names, value = await Names.load(tx), record["value"]
        local, changed = names.local(kind, record["id"]), True
        if kind == "agent" and not self.scope.takes_agent(value["name"]):
            return False
        if (
            kind == "whiteboard"
            and self.scope.agents
            and not any(names.local("agent", each) for each in value["agents"])
        ):
            return False
        owner = names.local("agent", value["agent"]) if kind == "profile" else None
        if kind == "profile" and owner is None:
            return False
        if local is None:
            local = await self._called(tx, kind, value["name"], owner)
        if local is not None:
            same = [each for each in (await store.known(tx, kind)).values() if each.local == local]
            changed = all(each.stamp is None or each.stamp < at for each in same)
        try:
            async with tx.transaction():
                local = await self._put_owner(tx, kind, local, owner, value, names) if changed else local
        except InvalidInput as error:
            if local is None:
                raise
            self.applied.conflicts.append(f"{kind} {value['name']!r}: {error.problem}")
        assert local is not None
        # What is here now, under the names that are known here now: it is no change of this device's.
        await self._note(tx, Note(kind, record["id"], local, stamp=at))
        here = next(each for each in await current(tx, kind, await Names.load(tx)) if each.local == local)
        await self._note(tx, Note(kind, record["id"], local, stamp=at, digest=here.digest))
        return changed

    async def _called(self, tx: Transaction, kind: str, name: str, owner: UUID | None) -> UUID | None:
        match kind:
            case "agent":
                found = [each.id for each in await accounts.agents(tx) if each.name == name]
            case "profile":
                assert owner is not None
                found = [each.id for each in await memories.profiles_of(tx, owner) if each.name == name]
            case _:
                found = [each.id for each in await whiteboards.every(tx) if each.name == name]
        return found[0] if found else None

    async def _put_owner(
        self, tx: Transaction, kind: str, local: UUID | None, owner: UUID | None, value: Mapping[str, Any], names: Names
    ) -> UUID:
        user_id = self.opened.user_id
        if kind == "agent":
            if local is None:
                local = (await memories.create_agent(tx, user_id, value["name"], value["system_prompt"])).id
            await memories.change_agent(
                tx, user_id, local, value["name"], value["system_prompt"], value["memory_disabled"]
            )
            return local
        if kind == "profile":
            assert owner is not None
            fields = {name: each for name, each in value.items() if name not in ("agent", "name")}
            if local is None:
                agent = await accounts.agent(tx, owner)
                return (await memories.create_profile(tx, user_id, agent, value["name"], fields, self._actor)).id
            if not fields["is_default"]:
                fields.pop("is_default")
            await memories.change_profile(tx, user_id, local, {**fields, "name": value["name"]}, self._actor)
            return local
        agents = [id for each in value["agents"] if (id := names.local("agent", each)) is not None]
        if local is None:
            return (await whiteboards.create(tx, user_id, value["name"], agents)).id
        board = await whiteboards.get(tx, local)
        for agent in await accounts.agents(tx):
            if agent.id in agents and agent.id not in board.agents:
                await whiteboards.add_agent(tx, local, agent)
            elif agent.id not in agents and agent.id in board.agents:
                await whiteboards.remove_agent(tx, local, agent)
        return local

    async def _deleted(self, tx: Transaction, kind: str, key: str, at: datetime, known: Known | None) -> None:
        """Delete an agent, a profile or a whiteboard, unless it is one with another one of its name that is not."""
        local = known.local if known else None
        await self._note(tx, Note(kind, key, local, "forgotten", at))
        if local is None or known is None or known.state == "forgotten":
            return
        if await store.key_of(tx, kind, local) is not None:
            return
        try:
            if kind == "agent":
                await memories.delete_agent(tx, self.opened.user_id, local, self._actor)
            elif kind == "profile":
                await memories.delete_profile(tx, self.opened.user_id, local, self._actor)
            elif kind == "whiteboard":
                await whiteboards.delete(tx, self.opened.user_id, local, self._actor)
        except NotFound:
            return
        except InvalidInput as error:
            self.applied.conflicts.append(f"{kind} {key}: {error.problem}")
            return
        self._removed(True)

    async def _setting(self, tx: Transaction, record: Record, at: datetime) -> bool:
        field, value = record["id"], record["value"]
        if field not in self.scope.settings:
            return False
        installed = embedding.choices(self.opened.database.settings)
        await accounts.update_settings(tx, self.opened.user_id, {field: value["value"]}, installed)
        self.opened.encoding.look_again()
        await self._note(tx, Note("setting", field, stamp=at, digest=digest(value)))
        return True

    async def _proposal(self, tx: Transaction, record: Record, at: datetime) -> bool:
        value, names = record["value"], await Names.load(tx)
        agent = names.local("agent", value["agent"])
        if agent is None:
            return False
        screen = (await screen_for(tx)).redacting()
        times = {name: None if value[name] is None else moment(value[name]) for name in ("created_at", "decided_at")}
        ids = {
            "agent_id": agent,
            "memory_ids": [UUID(each) for each in value["memory_ids"]],
            "core_id": None if value["core_id"] is None else UUID(value["core_id"]),
        }
        texts = {name: screen.text(name, value[name]) for name in ("content", "reason")}
        local = UUID(value["id"])
        await proposals.put(tx, self.opened.user_id, {**value, **ids, **times, **texts, "id": local})
        here = next(each for each in await current(tx, "proposal", names) if each.local == local)
        await self._note(tx, Note("proposal", record["id"], local, stamp=at, digest=here.digest))
        return True

    async def _place(self, tx: Transaction, record: Record, at: datetime, before: Known | None) -> bool:
        value = judging.screened((await screen_for(tx)).redacting(), record["t"], record["value"])
        known = Known(record["t"], record["id"], None, "live", at, None, False, dict(value))
        done = await placing.carry_out(tx, self.opened.user_id, known, self.applied.conflicts)
        note = await _settled(tx, known) if done else _waits(known)
        await self._note(tx, note)
        if before is not None and done and before.digest != note.digest and _is_concurrent(record, before):
            told = f"{await placing.title(tx, known)} on two devices: the later change, from {self.name}, counts"
            if told not in self.applied.conflicts:  # a wing has several keys
                self.applied.conflicts.append(told)
        return done


def _screened(turn: Mapping[str, Any], screen: Screen) -> list[TurnVersion]:
    """The versions of a turn as they may be stored here, without those that a policy refuses."""
    found = []
    for each in turn["versions"]:
        text, rejected, _ = screen.screened(each["text"])
        if not rejected:
            found.append(TurnVersion(moment(each["at"]), text))
    return found


def _fresh(
    turns: Sequence[Mapping[str, Any]], histories: Mapping[int, Sequence[TurnVersion]], screen: Screen
) -> tuple[list[tuple[Turn, int]], list[int]]:
    """Turns to be stored, each with its key, and the keys of those that a policy refuses. What is gone has no
    history."""
    fresh: list[tuple[Turn, int]] = []
    refused = []
    for index, each in enumerate(turns):
        key = each["key"]
        speaker, in_name, _ = screen.screened(each["speaker"])
        if in_name or histories.get(key) == []:
            refused.append(key)
            continue
        history = histories.get(key)
        fresh.append(
            (
                Turn(
                    index,
                    each["role"],
                    speaker,
                    history[-1].text if history else memories.REDACTED,
                    moment(each["at"]),
                    str(key) if each["has_id"] else None,  # only the key is stored of it
                    has_time=each["has_time"],
                    stored_at=history[0].at if history else None,
                    text_hash=each.get("hash"),
                ),
                key,
            )
        )
    return fresh, refused


def _turn_note(
    name: str,
    known: Known | None,
    before: Mapping[str, Any] | None,
    stored: Mapping[str, Any] | None,
    is_gone: bool,
    now: datetime,
) -> Note | None:
    """What is to be known of a turn that another device told of; None where this device has yet to tell of it too."""
    if stored is None:
        return Note("turn", name, state="refused", stamp=now)
    if is_gone:
        state = known.state if known is not None and known.state in _OVER else "redacted"
        return Note("turn", name, stored["id"], state, now)
    touched = stored["updated_at"]
    if before is not None:
        if known is None:
            return None
        if before["updated_at"] != known.touched:
            touched = known.touched  # edited here since the last sync
        if known.state == "live" and known.touched == touched:
            return None  # the device that it came from last has said so already
    return Note("turn", name, stored["id"], stamp=now, touched=touched)


def _is_concurrent(record: Record, before: Known) -> bool:
    """Whether the device that made a decision did not know the one that it replaces here."""
    if before.stamp is None or before.digest is None or "after" not in record:
        return False
    return record["after"] is None or moment(record["after"]) < before.stamp


def _waits(known: Known) -> Note:
    """A decision about something that has not arrived."""
    return Note(known.kind, known.key, stamp=known.stamp, value=known.value)


async def _settled(tx: Transaction, known: Known) -> Note:
    """A decision that was carried out: what is so here now is no change of this device's."""
    here = next((each for each in await current(tx, known.kind, Names()) if each.key == known.key), None)
    return Note(known.kind, known.key, stamp=known.stamp, digest=here.digest if here else None)


def _arrival(record: Record, id: UUID, owners: Mapping[str, UUID | None]) -> Arrival:
    fields = {name: record[name] for name in ("source", "conversation_id", "project_id")}
    fields |= {f"{kind}_id": local for kind, local in owners.items()}
    return Arrival(
        id=id,
        write="whiteboard note" if record["whiteboard"] is not None else record["kind"],
        speaker=record["speaker"],
        fields=fields,
        editions=[Edition(moment(each["at"]), each["text"], each["fields"], each["by"]) for each in record["versions"]],
        updated_at=None if record["updated_at"] is None else moment(record["updated_at"]),
        run_id=None if record["run"] is None else UUID(record["run"]),
        is_searched=record.get("searched", True),
    )
