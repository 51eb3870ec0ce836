"""AsyncMemory, the client that every interface calls. It opens the store and holds the resources."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from ricordo import accounts, api, audit, palace
from ricordo.api import (
    Activity,
    Agents,
    Answers,
    Archive,
    Audit,
    Core,
    Documents,
    Entities,
    Entries,
    Jobs,
    Journal,
    Keys,
    Notes,
    Operations,
    Palace,
    Profiles,
    Proposals,
    ReviewQueue,
    Running,
    Runs,
    SettingsResource,
    UsageResource,
    Whiteboards,
)
from ricordo.background import Background, Shared, worker_for_all
from ricordo.errors import InvalidInput, StoreUnavailable
from ricordo.importing import import_chats
from ricordo.llm import LLMs
from ricordo.memories import Sessions
from ricordo.models import (
    Answer,
    DeletedUser,
    Estimate,
    Filters,
    ImportReport,
    RecallResult,
    Receipt,
    ReembedReport,
    Vectors,
    WatchReport,
)
from ricordo.opened import Opened
from ricordo.recall import Recaller, Reranker, asking
from ricordo.runs import OpenRun
from ricordo.settings import Settings
from ricordo.telemetry import measured
from ricordo.times import zoned
from ricordo.toolkit import Tools
from ricordo.vectors import BackgroundEmbedding, Encoding, Reembedding, embed_pending
from ricordo.vectors import pending as vectors_pending

if TYPE_CHECKING:
    from ricordo import mining
    from ricordo.jobs.worker import Worker

#: Called with how many turns are done and how many there are in all, as far as that is known.
Progress = Callable[[int, int], None]

#: Seconds that closing waits for the batch at hand.
_PATIENCE = 1.0

_NOT_AUTOMATIC = "automatic mining is turned off in the settings"
_AGENT_OFF = "Memory is turned off for this agent; no results."


class AsyncMemory:
    """One user's memory, opened by `async with AsyncMemory() as memory`.

    `url` is a PostgreSQL with pgvector; none means the embedded server, which is started when it does not run.
    `user` owns everything that is written and read; `home` is the folder of all that Ricordo keeps. What is
    not given comes from the environment (see ricordo.settings). With `background`, memories without a vector
    are embedded while the memory is open.

    Opening raises StoreUnavailable and StoreIncompatible.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        user: str | None = None,
        home: Path | str | None = None,
        settings: Settings | None = None,
        background: bool = True,
    ) -> None:
        chosen = settings or Settings.from_environment(
            database_url=url, user=user, home=None if home is None else Path(home).absolute()
        )
        self._furnish(Shared(chosen), chosen.user, background)

    def _furnish(self, shared: Shared, user: str, background: bool) -> None:
        """Make the memory of a user out of what it shares with those of others."""
        #: How this process was set up; what the user has chosen is behind `settings`.
        self.process_settings = shared.settings
        self.user = user
        self.user_id = accounts.user_id_of(user)
        self._shared = shared
        self._database = shared.database
        self._background = background
        self._encoding = Encoding(shared.settings, self._database, self.user_id, shared.loading)
        self._background_embedding = BackgroundEmbedding(
            self._database, self.user_id, self._encoding.embedding_model, shared.turns
        )
        self._work = Background(self._database, self.user_id, self._encoding.embedding_model)
        self._working: asyncio.Task[None] | None = None
        self._sessions = Sessions()
        self._llms = LLMs(self.process_settings, self._database, self.user_id)
        opened = Opened(
            self._database, self.user, self.user_id, self._encoding, self._llms, self._background_embedding.wake
        )
        #: The user's agents, their memory profiles, and the entries in these.
        self.agents = Agents(opened)
        self.profiles = Profiles(opened)
        self.entries = Entries(opened)
        #: Wings, rooms, closets and drawers: looking at them, and editing them.
        self.palace = Palace(opened)
        #: Who and what the conversation is about.
        self.entities = Entities(opened)
        #: Who read and wrote what, whether that record is whole, and whether a text is gone.
        self.audit = Audit(opened)
        #: All of it as one file, and back.
        self.archive = Archive(opened)
        #: What is recorded of runs; `run` opens one.
        self.runs = Runs(opened)
        self._opened = opened
        #: What the user has chosen, what happened, and what calls of models cost.
        self.settings = SettingsResource(opened)
        self.activity = Activity(opened)
        #: By which programs reach this memory over HTTP.
        self.keys = Keys(opened)
        self.answers = Answers(opened)
        self._reembedding = Reembedding(
            self._database, user, self.user_id, self._encoding, self._background_embedding.wake
        )
        self.usage = UsageResource(opened)
        #: Background work that waits, runs or is dead.
        self.jobs = Jobs(opened, self._work)
        #: Long work that is begun by one call and followed by others.
        self.operations = Operations(opened, self._work)
        #: What agents remember for themselves, what is proposed for core, what they share; and all of it as tools.
        self.journal = Journal(opened)
        self.core = Core(opened)
        self.proposals = Proposals(opened)
        #: What agents and tools wrote and the user has not let in yet.
        self.review = ReviewQueue(opened)
        self.whiteboards = Whiteboards(opened)
        #: Notes in three retentions.
        self.notes = Notes(opened, self._sessions)
        #: Values that programs keep under a path and a key.
        self.documents = Documents(opened)
        self.tools = Tools(opened, self.journal, self.core, self.notes)

    async def __aenter__(self) -> Self:
        if self._background:
            self._encoding.prepare()  # while the store is opened
        try:
            await self._database.__aenter__()
        except BaseException:
            await self._encoding.close()
            raise
        self._shared.is_open = True
        self._open()
        if self._background:
            self._working = asyncio.create_task(self._work.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._shared.is_open = False
        self._work.close()
        try:
            await asyncio.gather(*(each._close() for each in {*self._shared.guests.every(), self}))
            await self._encoding.close()
        finally:
            await self._database.__aexit__(kind, error, traceback)

    async def close(self) -> None:
        """Close the memory, as leaving its block does: the background finishes what is at hand, and what is left waits
        in the store. A memory that is closed, or that another one gave by `of`, stays as it is."""
        if self._shared.is_open and self not in self._shared.guests.every():
            await self.__aexit__(None, None, None)

    def of(self, user: str) -> Self:
        """The memory of another user in the same store, for programs that serve many: it shares this one's connections,
        embedding models and background, and is open as long as this one is. Do not open or close it. One user has one
        memory.

        Queued work is done for the user of this memory alone: see `worker_for_all`.
        Raises InvalidInput for a name that is none, and StoreUnavailable where this memory is closed.
        """
        if not self._shared.is_open:
            raise StoreUnavailable("the memory is closed: use it inside `async with AsyncMemory() as memory:`")
        user_id = accounts.user_id_of(user)
        if user_id == self.user_id:
            return self
        # Short-term notes are nowhere else: the memory that holds some stays.
        guest: Self = self._shared.guests.of(user_id, lambda: self._guest(user), lambda each: not each._sessions)
        return guest

    def worker_for_all(self, concurrency: int = 1) -> Worker:
        """What does the background work of all users of the store, for servers, so many jobs at a time: let it `run`
        while this memory is open, and `stop` it first. It needs the store's owner (RICORDO_DATABASE_OWNER_URL)."""
        return worker_for_all(self.process_settings, self._database, self._shared.loading, concurrency)

    async def mine(
        self,
        messages: Iterable[Any] | AsyncIterable[Any],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
        automatic: bool = False,
    ) -> Receipt:
        """Keep a conversation word for word, one drawer for each turn.

        `messages` is a list, a generator or an asynchronous one. Each of them is a Message, or a mapping or an SDK's
        object with `role`, `content` (text, or a list of parts) and, where known, `name`, `at` and `id`.
        `conversation` is your id of it: mining it again, whole or only its last turns, adds what is new. When
        this returns, every stored turn is on disk and found by keyword; its vector follows in the background.
        `project` names the wing. The receipt holds the turns that cannot be stored, with the reason, and the parts of
        others that are no text. `automatic` says that nobody asked for this conversation to be kept, as a hook behind
        each conversation does: it is rejected where the user's settings turn memory or automatic mining off.

        Raises InvalidInput and StoreError.
        """
        if automatic and not await self._mines_automatically():
            return Receipt(status="rejected", reason=_NOT_AUTOMATIC, conversation=conversation)
        receipt = await self._miner.mine(palace.Origin(conversation, title, project, source), messages)
        self._background_embedding.wake()
        self._work.wake()
        return receipt

    @measured("recall", lambda found: {"recalled": len(found.results), "pending": found.pending})
    async def recall(
        self,
        question: str,
        *,
        top_k: int | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
        now: datetime | None = None,
        wing: str | None = None,
        room: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        max_tokens: int = 2000,
        rerank: bool | None = None,
        dry_run: bool = False,
    ) -> RecallResult:
        """The `top_k` turns that answer `question` best, and the block to put ahead of a system prompt.

        Where `top_k` is None, the user's settings say how many. Nothing comes back, with a note that says why, where
        they turn memory off, or where `agent`, for whom this is, has its memory turned off. What is brought back, and
        what an LLM put in order, is one `read` in the access log, by the user or the agent, in `run`.

        `now` is the moment when the question is asked, by which "last week" is understood; none means the
        clock's, or `as_of`. The other arguments narrow what is looked at (see ricordo.models.Filters).
        `max_tokens` bounds the block, not the hits. No hits and an empty block mean that nothing matched.

        `rerank` says whether an LLM puts the best 20 candidates in order; None leaves it to the settings. Where it
        cannot, or takes too long, the order is that of a recall without one, and a note says why. With `dry_run` no
        LLM is asked, and a note says what that would take.

        Raises InvalidInput, NotFound for a wing or an agent that is not there, and StoreError.
        """
        reader = None if agent is None else await self.agents.get(agent)
        if reader is not None and reader.memory_disabled:
            return RecallResult(context="", tokens=0, results=(), notes=(_AGENT_OFF,))
        filters = Filters(
            wing=_text("wing", wing),
            room=_text("room", room),
            speaker=_text("speaker", speaker),
            since=_moment("since", since),
            until=_moment("until", until),
            as_of=_moment("as_of", as_of),
        )
        await self._background_embedding.wait()
        reranker = Reranker(self._llms, rerank, dry_run)
        embedding_model = await self._encoding.embedding_model()
        actor = audit.Actor(f"agent:{reader.name}" if reader else "user", run)
        recaller = Recaller(self._database, self.user_id, embedding_model, self._encoding.absence, reranker, actor)
        return await recaller.recall(question, top_k, _moment("now", now), filters, max_tokens)

    @measured("ask")
    async def ask(
        self, question: str, *, top_k: int = 10, max_tokens: int = 3000, dry_run: bool = False, **narrowing: Any
    ) -> Answer:
        """An LLM's answer to `question` from the `top_k` turns that answer it best, with the turns that it is based on.

        The other arguments are those of `recall`. Where what was said does not hold an answer, the answer says so and
        has no text. With `dry_run` the LLM is not asked, and `estimate` says what that would take.

        Raises what `recall` raises; ModelUnavailable where no LLM is set up (see ricordo.settings) or it does not
        serve, and CapReached where the user's caps do not allow the call.
        """
        recall = partial(self.recall, question, top_k=top_k, max_tokens=max_tokens, dry_run=dry_run, **narrowing)
        now = _moment("now", narrowing.get("now") or narrowing.get("as_of"))
        return await asking.ask(self._llms, recall, question, now, dry_run)

    async def delete_user(self) -> DeletedUser:
        """Remove the user of this memory with every row that is theirs, in one transaction; returns how many rows of
        each table that were. What is written afterwards begins anew. Backups and exports made before stay.

        It needs the store's owner (RICORDO_DATABASE_OWNER_URL). Raises StoreError; then nothing is removed.
        """
        deleted = await accounts.delete_user(self._database, self.user_id, self.user)
        self._sessions.close()
        self._sessions.open()
        return deleted

    def run(
        self,
        agent: UUID | str,
        template: str,
        conversation: str | None = None,
        *,
        profile: UUID | None = None,
        max_tokens: int | None = None,
    ) -> AbstractAsyncContextManager[OpenRun]:
        """A run of an agent: `async with memory.run("coder", template) as run`, then send `run.prompt`.

        The prompt is `template`, with the block of what the agent's default profile (or `profile`) tells ahead of it;
        `conversation` is your id of the conversation that it belongs to. What cannot be read is left out and stops
        nothing, and so is what has no room in a block of `max_tokens`.
        `run.output(node, payload)` holds what a node's output asks to remember, `__lf_memory_writes`. It is written,
        all of it or nothing, when the block ends well; `run.fail(reason)`, `run.cancel()`, an exception and a
        cancellation drop it, and so does a malformed write, which is in `run.problems`.

        Entering raises NotFound, InvalidInput and StoreError. Leaving raises InvalidInput where others ended the run,
        and StoreError where the store cannot tell whether it took the end: `memory.runs.get(run.id)` then says so.
        """
        return Running(self._opened, agent, template, conversation, profile, max_tokens)

    async def import_chats(
        self,
        paths: Sequence[Path | str],
        *,
        progress: Progress | None = None,
        dry_run: bool = False,
        automatic: bool = False,
    ) -> ImportReport:
        """Mine the chats in files and folders, of every format that Ricordo knows (see ricordo.formats).

        What cannot be read is reported in the answer and stops nothing. Killed and started again, it goes on
        where it was, and counts what was stored before as duplicates. With `dry_run` files are read and nothing is
        written. Vectors are not made here: see `embed_pending`. `automatic` is that of `mine`: nothing is read where
        the user's settings turn that off.

        Raises UnreadableSource for a path that is not there or a folder without chats, and StoreError.
        """
        if automatic and not await self._mines_automatically():
            return ImportReport(conversations=0, stored=0, dry_run=dry_run)
        return await import_chats(self._opened, self._miner, [Path(path) for path in paths], progress, dry_run)

    async def watch(
        self,
        folders: Sequence[Path | str],
        *,
        settle: float = 10.0,
        report: Callable[[WatchReport], None] | None = None,
    ) -> None:
        """Mine the chats in folders, and what is added to them from then on, until this is cancelled (Memory: by
        Ctrl-C). A file is mined when it has not changed for `settle` seconds, or soon after if it never rests.

        `report` is called for each file that brought something new or had a problem. Files are followed through being
        truncated, replaced and renamed; which ones are done is kept in the store, so that a watch that begins anew
        reads only what has changed. Nothing is mined while the user's settings turn automatic mining off. Where the
        store cannot be reached it is tried again. Raises UnreadableSource for a folder that is not there, and
        InvalidInput.
        """
        from ricordo.importing.watching import (
            Watching,  # with its formats it takes 30 ms, which a recall should not pay
        )

        await Watching(self._opened, self._miner, [Path(each) for each in folders], settle, report).run()

    async def embed_pending(self, progress: Progress | None = None) -> int:
        """Give every memory its vector that has none; returns how many were done here.

        Other processes may share the work, and what they have at hand is waited for, up to half a minute without
        news. Memories that the embedding model fails at are left for later (see `vectors`). Raises ModelUnavailable
        where no embedding model is installed, or a hosted one does not serve for some seconds.
        """
        return await embed_pending(self._database, self.user_id, self._encoding, progress)

    async def reembed(self, model: str, *, progress: Progress | None = None) -> ReembedReport:
        """Change this user's vectors to the embedding model called `model` (`ricordo models list`, or the hosted one's
        name).

        Nothing stops meanwhile: searches go by the old vectors until every memory has the new one, and what is written
        gets both. Then searches switch, and the old vectors are removed. What is done when it ends early, however it
        ends, stays done, and the same call goes on from there; several processes may share it. The embedding model that
        the vectors are of already gives up a change that is under way. `progress` counts memories that have the new
        vector.

        Raises InvalidInput for a name that means no embedding model or while another change is under way, and
        ModelUnavailable."""
        return await self._reembedding.run(model, progress)

    async def reembed_estimate(self, model: str) -> Estimate:
        """What `reembed` to this embedding model would take. Nothing is written, and a hosted embedding model is not
        asked.

        Raises InvalidInput and ModelUnavailable.
        """
        return await self._reembedding.estimate(model)

    async def vectors(self) -> Vectors:
        """The embedding model of this user's vectors, how many there are, how many memories wait, and why."""
        return await self._reembedding.state()

    async def pending(self) -> int:
        """How many memories have no vector yet; keyword recall finds them all the same."""
        async with self._database.tenant(self.user_id) as tx:
            return await vectors_pending(tx)

    @property
    def _miner(self) -> mining.Miner:
        from ricordo import mining  # 10 ms, which a recall should not pay

        return mining.Miner(self._database, self.user, self.user_id)

    async def _mines_automatically(self) -> bool:
        chosen = await self.settings.get()
        return chosen.enabled and chosen.auto_mine

    def _guest(self, user: str) -> Self:
        guest = type(self).__new__(type(self))
        guest._furnish(self._shared, user, self._background)
        guest._open()
        return guest

    def _open(self) -> None:
        self._sessions.open()
        if self._background:
            self._background_embedding.open()
            self._background_embedding.wake()

    async def _close(self) -> None:
        """Let the background finish what is at hand, but not for long: what is left waits in the store."""
        self._sessions.close()
        await self._background_embedding.close()
        await self._llms.close()
        if self._working is not None and (await asyncio.wait([self._working], timeout=_PATIENCE))[1]:
            self._working.cancel()
            await asyncio.wait([self._working])


def showing(memory: AsyncMemory) -> AbstractAsyncContextManager[set[UUID]]:
    """Within `async with showing(memory) as shown` put the ids of the memories that are shown into `shown`: of what is
    read in it, these alone are on record as read. For whoever shows less than is brought, such as what has room in a
    prompt. Leaving it raises StoreError."""
    return api.showing(memory._opened)


def _moment(field: str, moment: datetime | None) -> datetime | None:
    return None if moment is None else zoned(field, moment)


def _text(field: str, value: str | None) -> str | None:
    """A text or none. Raises InvalidInput for anything else."""
    if value is not None and not isinstance(value, str):
        raise InvalidInput(field, f"must be text, not {type(value).__name__}")
    return value
