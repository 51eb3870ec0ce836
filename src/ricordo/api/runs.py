"""`memory.run(…)` and `memory.runs`: agent runs and their records."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from uuid import UUID

from anyio import fail_after

from ricordo import accounts, recall, rules, runs
from ricordo.api.acting import acting
from ricordo.api.checking import argument, checked
from ricordo.api.telling import in_words
from ricordo.database import retried
from ricordo.errors import InvalidInput, NotFound, StoreUnavailable, run_not_found
from ricordo.models import Event, Replay, Run, RunEnd
from ricordo.opened import Opened
from ricordo.runs import OpenRun
from ricordo.text import budget

#: Seconds that a prompt waits at most: for the run to be on record and for its agent's memories.
_PATIENCE = 2.0
#: Seconds of them for the record.
_RECORDING = 1.0
#: Seconds that recording a bad end may hold up the error that ended it.
_ENDING = 10.0
#: What ends a run as cancelled; every other error ends it as failed.
_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError, KeyboardInterrupt)

log = logging.getLogger("ricordo.runs")


class Running(AbstractAsyncContextManager[OpenRun]):
    """The block of one run: injection on entering it; on leaving it, the commit or the end without one."""

    def __init__(
        self,
        opened: Opened,
        agent: UUID | str,
        template: str,
        conversation: str | None,
        profile: UUID | None,
        max_tokens: int | None = None,
        *,
        must_record: bool = False,
    ) -> None:
        self._opened = opened
        self._max_tokens = budget(max_tokens)
        self._must_record = must_record
        self._arguments = (
            argument("agent", agent, UUID | str),
            template,
            conversation,
            argument("profile", profile, UUID | None),
        )
        self._is_entered = False
        self._run: OpenRun | None = None
        #: Why the run is not on record, if it is not.
        self.fault: Exception | None = None

    async def __aenter__(self) -> OpenRun:
        if self._is_entered:
            raise InvalidInput("run", "this run has begun already: call `memory.run` again for another one")
        self._is_entered = True
        until = asyncio.get_running_loop().time() + _PATIENCE
        self._run = run = await self._begun()
        if not run.agent.memory_disabled:
            try:
                await self._inject(run, until)
            except BaseException as error:
                await self._end_badly(run, error)
                raise
        return run

    async def _begun(self) -> OpenRun:
        """The run, on record if the store can take it now: it goes on in any case, unless it must be recorded. Raises
        NotFound and InvalidInput."""
        if self._must_record:
            return await retried(self._begin)
        try:
            async with asyncio.timeout(_RECORDING):
                return await retried(self._begin)
        except (NotFound, InvalidInput):
            raise
        except Exception as error:  # best effort (seed 000), whatever is wrong with the store
            self.fault = error
            log.warning("a run goes on without being recorded", exc_info=True)
        try:
            async with asyncio.timeout(_RECORDING), self._opened.transaction() as tx:
                return await runs.prepare(tx, *self._arguments)
        except TimeoutError:
            raise StoreUnavailable(
                f"the store did not name a run's agent within {_RECORDING:g} s: try again, and see `ricordo doctor`"
            ) from self.fault

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        run = self._run
        assert run is not None, "a run is left after it was entered"
        if error is not None:
            await self._end_badly(run, error)
        elif run.close() == "completed":
            if run.is_recorded or run.gate.writes:
                try:
                    run.written = await retried(lambda: self._complete(run))
                except BaseException as fault:
                    await self._end_badly(run, fault)
                    raise
            else:
                await self._end_late(run, lambda: self._complete(run))
        elif run.is_recorded:
            await retried(lambda: self._drop(run))
        else:
            await self._end_late(run, lambda: self._drop(run))

    async def _begin(self) -> OpenRun:
        async with self._opened.effect() as tx:
            return await runs.begin(tx, self._opened.user_id, *self._arguments)

    async def _complete(self, run: OpenRun) -> tuple[UUID, ...]:
        async with self._opened.effect() as tx:
            return await runs.complete(tx, self._opened.user_id, run)

    async def _drop(self, run: OpenRun) -> None:
        async with self._opened.transaction() as tx:
            await runs.drop(tx, self._opened.user_id, run)

    async def _inject(self, run: OpenRun, until: float) -> None:
        """Tell the run what its agent remembers, if that can be read now: it goes on in any case."""
        try:
            async with asyncio.timeout_at(until):
                async with self._opened.transaction() as tx:
                    question = await runs.question(tx, run)
                meant = await recall.meaning_of(self._opened, question) if question else recall.Meaning()
                async with self._opened.transaction() as tx:
                    prompt, injected = await runs.inject(tx, self._opened.user_id, run, meant, self._max_tokens)
        except Exception:  # best effort (seed 000), whatever is wrong with the memory
            log.warning("run %s continues without its agent's memories", run.id, exc_info=True)
            return
        run.prompt, run.injected = prompt, injected

    async def _end_late(self, run: OpenRun, end: Callable[[], Awaitable[object]]) -> None:
        """Record a run that the store could not take when it began, and that wants nothing written, if it can now."""
        try:
            async with asyncio.timeout(_RECORDING):
                await retried(end)
        except Exception:  # best effort, as its beginning
            log.warning("run %s is not on record", run.id, exc_info=True)

    async def _end_badly(self, run: OpenRun, error: BaseException) -> None:
        """Record the end that an error makes, also under a cancellation that goes on; the error counts, not this."""
        run.end_by(error, "cancelled" if isinstance(error, _CANCELLED) else "failed")
        try:
            with fail_after(_ENDING, shield=True):
                await retried(lambda: self._drop(run))
        except Exception:
            log.warning("could not record the end of run %s; its status stays `running`", run.id, exc_info=True)


@checked
class Runs:
    """Records of runs. `memory.audit.of_run` lists what a run read and wrote."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def start(
        self,
        agent: UUID | str,
        template: str,
        conversation: str | None = None,
        *,
        profile: UUID | None = None,
        max_tokens: int | None = None,
    ) -> Run:
        """Start a run step by step. Continue with `output`, and end it with `complete`, `fail` or `cancel`, in any
        process and at any time. Send its `prompt` to the model (see AsyncMemory.run). Raises NotFound and
        InvalidInput."""
        # Nobody could go on with a run that is not recorded.
        running = Running(self._opened, agent, template, conversation, profile, max_tokens, must_record=True)
        begun = await running.__aenter__()
        if profile is not None:
            async with self._opened.transaction() as tx:
                await runs.store.set_profile(tx, begun.id, profile)
        # The prompt to send, of which the record may hold a redacted one.
        return (await self.get(begun.id)).model_copy(update={"prompt": begun.prompt})

    async def output(self, run: UUID, node: str, payload: object) -> None:
        """Collect the writes of a node's output (`__lf_memory_writes`) until the run ends. `complete` reports problems.
        Raises NotFound, and InvalidInput for an invalid node name or a run that has ended."""
        async with self._opened.effect(first=False) as tx:
            await runs.stepwise.hold(tx, self._opened.user_id, run, node, payload)

    async def complete(self, run: UUID) -> RunEnd:
        """Complete a run and store its writes: all of them, or none if there are problems.

        Raises NotFound, and InvalidInput if the run has ended.
        """
        async with self._opened.effect(first=False) as tx:
            resumed = await runs.stepwise.resume(tx, run)
            resumed.close()
            written = await runs.complete(tx, self._opened.user_id, resumed)
            await runs.store.drop_outputs(tx, run)
        return RunEnd(
            run=await self.get(run),
            written=written,
            problems=resumed.problems,
            held=resumed.held,
            duplicates=resumed.duplicates,
        )

    async def fail(self, run: UUID, reason: str) -> RunEnd:
        """End a run as failed and discard its writes. Raises the errors of `complete`."""
        return await self._drop(run, lambda resumed: resumed.fail(reason))

    async def cancel(self, run: UUID, reason: str | None = None) -> RunEnd:
        """Cancel a run and discard its writes. Raises the errors of `complete`."""
        return await self._drop(run, lambda resumed: resumed.cancel(reason))

    async def _drop(self, run: UUID, end: Callable[[OpenRun], None]) -> RunEnd:
        async with self._opened.effect(first=False) as tx:
            resumed = await runs.stepwise.resume(tx, run)
            end(resumed)
            resumed.close()
            await runs.drop(tx, self._opened.user_id, resumed)
            await runs.store.drop_outputs(tx, run)
        return RunEnd(run=await self.get(run), problems=resumed.problems)

    async def get(self, run: UUID) -> Run:
        """Get a run by id. If the run's process died, its status stays `running`, and nothing was written.

        Raises NotFound.
        """
        async with self._opened.transaction() as tx:
            found = await runs.find(tx, run)
        if found is None:
            raise run_not_found(run)
        return found

    async def replay(self, run: UUID, *, agent: UUID | str | None = None) -> Replay:
        """Get what a run saw: its prompt, and each memory as it was then and why it was chosen. Memories that were
        redacted or forgotten since are left out. Recorded as a `read` in the access log, by the user or `agent`. Raises
        NotFound, also if the run is another agent's."""
        found = await self.get(run)
        async with self._opened.transaction() as tx:
            who = await acting(tx, agent)
            if who.agent is not None and who.agent.id != found.agent_id:
                raise run_not_found(run)
            return Replay(run=found, seen=tuple(await runs.seen(tx, self._opened.user_id, found, who.actor)))

    async def events(
        self, run: UUID | None = None, agent: UUID | str | None = None, limit: int = 100
    ) -> Sequence[Event]:
        """List the latest `limit` events of one run, one agent, or all, oldest first.

        `memory_injected` has `entry_count`; `memory_committed` has `write_count`; `memory_dropped` has `reason`,
        `write_count` and `problems`; `run_failed` and `run_cancelled` have `reason`. Raises NotFound for an unknown
        agent, and InvalidInput.
        """
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            of = None if agent is None else (await accounts.agent(tx, agent)).id
            return await in_words(tx, (await accounts.events(tx, most, run=run, agent=of))[::-1])

    async def list(self, agent: UUID | str | None = None, limit: int = 50) -> Sequence[Run]:
        """List the runs of one agent or of all, newest first. Raises NotFound for an unknown agent, and
        InvalidInput."""
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            of = None if agent is None else (await accounts.agent(tx, agent)).id
            return await runs.listed(tx, of, most)
