"""A run from its beginning to its end: its row, what it was told, and the one transaction that commits its writes.

Functions take a transaction; who opens these, and in which order, is the resource's (ricordo.api.runs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from ricordo import accounts, ids, memories, review, rules
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Agent, Entry, EventType, Profile, RunStatus, WriteProblem, WriteReceipt, WriteStatus
from ricordo.recall import Meaning
from ricordo.runs import injection, store
from ricordo.runs.gate import Gate, PendingWrite

#: The most problems that an event tells of.
_TOLD = 100


class OpenRun:
    """A run that goes on: its prompt, and the gate for what its nodes want to remember. Any thread may use it.

    What is said here takes effect when the block of `memory.run(…)` is left.
    """

    def __init__(self, id: UUID, agent: Agent, conversation: str | None, profile: UUID | None, template: str) -> None:
        self.id = id
        self.agent = agent
        self.conversation = conversation
        #: The profile that was named for this run; None is the agent's default one.
        self.profile = profile
        #: What to send: the block of memories and the template, or the template alone where there are none.
        self.prompt = template
        #: The entries that the prompt names, in their order.
        self.injected: tuple[Entry, ...] = ()
        #: The ids of what was written, once the run is completed.
        self.written: tuple[UUID, ...] = ()
        #: The ids of what waits for a review first.
        self.held: tuple[UUID, ...] = ()
        #: The ids of what was stored already, word for word.
        self.duplicates: tuple[UUID, ...] = ()
        #: What the run was asked, without its agent's memories.
        self.template = template
        #: Whether the run is on record; one that the store could not take yet is recorded when it ends.
        self.is_recorded = True
        self.gate = Gate(conversation)
        #: How it ends if nothing else happens, and why; a run is over once its block is left.
        self.status: RunStatus = "running"
        self.reason: str | None = None
        self._wanted: RunStatus = "completed"

    @property
    def actor(self) -> Actor:
        """Who reads and writes in this run."""
        return Actor(f"agent:{self.agent.name}", self.id)

    @property
    def problems(self) -> tuple[WriteProblem, ...]:
        """What is wrong with the writes so far; one problem drops them all."""
        return tuple(self.gate.problems)

    def output(self, node: str, payload: object) -> None:
        """Take a node's output, any JSON-like value: an array `__lf_memory_writes` at its top level is held until the
        run has completed. Each element has `content`, and as far as they are wanted `scope`, `source`, `confidence`,
        `expires_at` and `metadata`. What is malformed is in `problems`; nothing is raised for it.

        Raises InvalidInput for the node's name, and when the run is over.
        """
        self._require_running("node")
        self.gate.collect(rules.name("node", node), payload)

    def fail(self, reason: str) -> None:
        """Let the run end as failed: its writes are dropped. The first of `fail` and `cancel` counts.

        Raises InvalidInput for the reason, and when the run is over.
        """
        self._end_as("failed", reason)

    def cancel(self, reason: str | None = None) -> None:
        """Let the run end as cancelled: its writes are dropped. Raises as `fail`."""
        self._end_as("cancelled", reason)

    def close(self) -> RunStatus:
        """Take nothing more; returns the status that the run is to end with."""
        self.status = self._wanted
        return self.status

    def end_by(self, error: BaseException, status: RunStatus) -> None:
        """Let an error end the run, unless it was to end badly by itself. Its message is not kept: the record of
        events can't be redacted."""
        if self._wanted == "completed":
            self._wanted, self.reason = status, type(error).__name__
        self.close()

    def _end_as(self, status: RunStatus, reason: str | None) -> None:
        self._require_running("reason")
        checked = None if reason is None else rules.name("reason", " ".join(str(reason).split()), 1000)
        if self._wanted == "completed":
            self._wanted, self.reason = status, checked

    def _require_running(self, field: str) -> None:
        if self.status != "running":
            raise InvalidInput(field, f"run {self.id} has ended ({self.status})")


async def begin(
    tx: Transaction, user_id: UUID, who: UUID | str, template: str, conversation: str | None, profile: UUID | None
) -> OpenRun:
    """Record a run that begins with its bare template. Raises NotFound and InvalidInput."""
    if not isinstance(template, str):
        raise InvalidInput("template", f"must be text, not {type(template).__name__}")
    rules.text("template", template)
    talk = None if conversation is None else rules.name("conversation", conversation, 500)
    agent = await accounts.agent(tx, who)
    if profile is not None:
        await memories.get_profile(tx, profile, agent)
    run = OpenRun(ids.new_id(), agent, talk, profile, template)
    await record(tx, user_id, run)
    return run


async def prepare(
    tx: Transaction, who: UUID | str, template: str, conversation: str | None, profile: UUID | None
) -> OpenRun:
    """A run that is not on record. Writes nothing. Raises NotFound and InvalidInput."""
    run = OpenRun(ids.new_id(), await accounts.agent(tx, who), conversation, profile, template)
    run.is_recorded = False
    return run


async def record(tx: Transaction, user_id: UUID, run: OpenRun) -> None:
    """Record a run with its bare template."""
    prompt = await _recorded(tx, run, run.template)
    await store.insert(tx, user_id, run.id, run.agent.id, run.conversation, prompt)


async def question(tx: Transaction, run: OpenRun) -> str:
    """What is looked for in what the profile of a run remembers; "" where it does not go by what is relevant."""
    return injection.question(await _profile(tx, run), run.prompt)


async def inject(
    tx: Transaction, user_id: UUID, run: OpenRun, meant: Meaning, max_tokens: int | None = None
) -> tuple[str, tuple[Entry, ...]]:
    """The prompt with what the profile of a run tells it, kept as what the run saw if the run is on record; and the
    entries in it."""
    template, profile = run.prompt, await _profile(tx, run)
    # The log names no run that is not on record.
    actor = run.actor if run.is_recorded else Actor(run.actor.name)
    found = await injection.choose(
        tx, user_id, run.agent, profile, run.conversation, template, meant, actor, max_tokens
    )
    if not found:
        return template, ()
    prompt = f"{injection.render(found)}\n\n{template}"
    if run.is_recorded:
        await store.set_prompt(tx, run.id, await _recorded(tx, run, prompt))
        await _tell(tx, user_id, run, "memory_injected", {"entry_count": len(found)})
    return prompt, tuple(entry for entry, _ in found)


async def complete(tx: Transaction, user_id: UUID, run: OpenRun) -> tuple[UUID, ...]:
    """End a run as completed and commit its writes, all or none; returns their ids.

    Where one cannot be written, `run.problems` says why, and none is. Raises InvalidInput where others ended the
    run. Other faults of the store are raised.
    """
    written: tuple[UUID, ...] = ()
    await _record_late(tx, user_id, run)
    if not run.gate.problems:
        try:
            async with tx.transaction():  # a savepoint
                written = await _commit(tx, user_id, run)
        except _Dropped as dropped:
            run.gate.problems.append(dropped.problem)
    if run.gate.problems:
        await _finish(tx, run, "completed")
        await _tell_dropped(tx, user_id, run, "problems")
    elif written:
        await _tell(tx, user_id, run, "memory_committed", {"write_count": len(written)})
    return written


async def drop(tx: Transaction, user_id: UUID, run: OpenRun) -> None:
    """End a run as failed or cancelled; nothing of its writes stays."""
    await _record_late(tx, user_id, run)
    if await store.finish(tx, run.id, run.status):
        told = {"reason": await _recorded(tx, run, run.reason)} if run.reason else {}
        await _tell(tx, user_id, run, "run_cancelled" if run.status == "cancelled" else "run_failed", told)
        if run.gate.writes or run.gate.problems:
            await _tell_dropped(tx, user_id, run, run.status)


async def _record_late(tx: Transaction, user_id: UUID, run: OpenRun) -> None:
    if not run.is_recorded:
        await record(tx, user_id, run)


class _Dropped(Exception):
    """A write that cannot be committed."""

    def __init__(self, node: str | None, index: int | None, reason: str) -> None:
        super().__init__(reason)
        self.problem = WriteProblem(node=node, index=index, reason=reason)


async def _recorded(tx: Transaction, run: OpenRun, text: str) -> str:
    """A text of a run as it may be kept: a policy does not stop a run, so that what it refuses is redacted."""
    return (await review.screen_of_run(tx, run.agent.id, run.profile)).text("template", text)


async def _profile(tx: Transaction, run: OpenRun) -> Profile:
    if run.profile is None:
        return await memories.default_profile(tx, run.agent)
    return await memories.get_profile(tx, run.profile, run.agent)


async def _commit(tx: Transaction, user_id: UUID, run: OpenRun) -> tuple[UUID, ...]:
    """Write all and end the run. Raises _Dropped at the first that can't be written.

    The run's row comes last: who redacts takes the rows of memories first, and then those of runs, too.
    """
    receipts: list[WriteReceipt] = []
    if run.gate.writes:
        try:
            profile = await _profile(tx, run)
            owner = await accounts.agent(tx, profile.agent_id)
        except (NotFound, IndexError):  # deleted while the run went on
            raise _Dropped(None, None, "the memory profile of the run was deleted") from None
        receipts = [await _write(tx, user_id, run, owner, profile, each) for each in run.gate.writes]
    if not await _finish(tx, run, "completed"):
        raise _Dropped(None, None, "the agent of the run was deleted")
    run.held = _ids(receipts, "held")
    run.duplicates = _ids(receipts, "duplicate")
    return _ids(receipts, "stored")


def _ids(receipts: Sequence[WriteReceipt], status: WriteStatus) -> tuple[UUID, ...]:
    """Whose writes ended so, each once."""
    return tuple(dict.fromkeys(each.id for each in receipts if each.status == status and each.id is not None))


async def _finish(tx: Transaction, run: OpenRun, status: RunStatus) -> bool:
    """End a run; False where it went with its agent. Raises InvalidInput where others ended it."""
    if await store.finish(tx, run.id, status):
        return True
    found = await store.find(tx, run.id)
    if found is not None:
        raise InvalidInput("run", f"run {run.id} has ended ({found.status})")
    return False


async def _write(
    tx: Transaction, user_id: UUID, run: OpenRun, owner: Agent, profile: Profile, write: PendingWrite
) -> WriteReceipt:
    talk = run.conversation if write.fields.get("scope", profile.scope) == "conversation" else None
    fields = {**write.fields, "conversation_id": talk}
    try:
        receipt = await memories.write_entry(tx, user_id, owner, profile, write.content, fields, run.actor)
    except NotFound as error:  # deleted while the run went on
        raise _Dropped(write.node, write.index, str(error)) from None
    except InvalidInput as error:
        raise _Dropped(write.node, write.index, str(error)) from None
    except store.Refused as error:  # without the database's detail, which quotes the row
        raise _Dropped(write.node, write.index, f"rejected by the store: {error.diag.message_primary}") from None
    if receipt.status == "rejected":
        raise _Dropped(write.node, write.index, receipt.reason or "rejected by a policy")
    return receipt


async def _tell(tx: Transaction, user_id: UUID, run: OpenRun, event: EventType, payload: Mapping[str, Any]) -> None:
    await accounts.tell(tx, user_id, event, payload, agent=run.agent.id, run=run.id, conversation=run.conversation)


async def _tell_dropped(tx: Transaction, user_id: UUID, run: OpenRun, reason: str) -> None:
    problems = [each.model_dump() for each in run.gate.problems[:_TOLD]]
    payload = {"reason": reason, "write_count": len(run.gate.writes), "problems": problems}
    await _tell(tx, user_id, run, "memory_dropped", payload)
