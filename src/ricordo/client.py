"""AsyncMemory, the client behind every interface. It opens the store and provides the resources."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from ricordo import accounts, api, palace, rules
from ricordo.api import (
    Activity,
    Agents,
    Archive,
    Audit,
    Core,
    Documents,
    Entities,
    Entries,
    Facts,
    InProject,
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
    Serving,
    SettingsResource,
    Sync,
    UsageResource,
    Whiteboards,
)
from ricordo.background import Background, Shared, worker_for_all
from ricordo.errors import InvalidInput, RicordoError, StoreUnavailable, forked
from ricordo.importing import import_chats
from ricordo.llm import LLMs
from ricordo.memories import Sessions
from ricordo.models import (
    About,
    Answer,
    DeletedUser,
    Estimate,
    Filters,
    ImportReport,
    Progress,
    RecallResult,
    Receipt,
    ReembedReport,
    Vectors,
    WatchReport,
)
from ricordo.opened import Opened
from ricordo.recall import Recaller, Request, Reranker, asking
from ricordo.runs import OpenRun
from ricordo.settings import Settings
from ricordo.telemetry import measured
from ricordo.toolkit import Tools
from ricordo.vectors import BackgroundEmbedding, Encoding, Reembedding, embed_pending
from ricordo.vectors import pending as vectors_pending

if TYPE_CHECKING:
    from ricordo import mining
    from ricordo.jobs.worker import Worker

log = logging.getLogger("ricordo")


#: Seconds that closing waits for the batch at hand.
_PATIENCE = 1.0

OPENED_TWICE = "the memory is already open: use it, or create another one"
GUEST_OPENED = "a memory from `of` is open as long as the memory it came from: use it without a `with` block"
_NOT_AUTOMATIC = "automatic mining is turned off in the settings"
_AGENT_OFF = "Memory is turned off for this agent; no results."


class AsyncMemory:
    """One user's memory. Open it with `async with AsyncMemory() as memory`.

    `url` is a PostgreSQL server with pgvector; without it, Ricordo starts the embedded server. `user` owns everything
    that you write and read. `home` is the folder for all data. Omitted arguments come from the environment (see
    ricordo.settings). With `background`, background jobs such as computing vectors run while the memory is open.

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
        if chosen.remote_url is not None:
            problem = (
                "this needs direct access to the store: unset RICORDO_REMOTE_URL, or run it where `ricordo serve` runs"
            )
            raise InvalidInput("remote_url", problem)
        self._furnish(Shared(chosen), chosen.user, background)

    def _furnish(self, shared: Shared, user: str, background: bool) -> None:
        """Make the memory of a user out of what it shares with those of others."""
        #: How this process was set up; what the user has chosen is behind `settings`.
        self.process_settings = shared.settings
        self.user = user
        #: The user's id in the database, which follows from the name.
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
        self._in_step: asyncio.Task[None] | None = None
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
        #: Facts: what a person decides about them, and their extraction by an LLM.
        self.facts = Facts(opened, self._work)
        #: Who read and wrote what, whether that record is whole, and whether a text is gone.
        self.audit = Audit(opened)
        #: All of it as one file, and back.
        self.archive = Archive(opened)
        #: The same memory on other devices.
        self.sync = Sync(opened, self.entries)
        #: What is recorded of runs; `run` opens one.
        self.runs = Runs(opened)
        self._opened = opened
        #: What the user has chosen, what happened, and what calls of models cost.
        self.settings = SettingsResource(opened)
        self.activity = Activity(opened)
        #: By which programs reach this memory over HTTP.
        self.keys = Keys(opened)
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
        if self in self._shared.guests.every():
            raise StoreUnavailable(GUEST_OPENED)
        if self._shared.is_open:
            raise StoreUnavailable(OPENED_TWICE)
        self._shared.is_open = True
        if self._background:
            self._encoding.prepare()  # while the store is opened
        try:
            await self._database.__aenter__()
        except BaseException:
            self._shared.is_open = False
            await self._encoding.close()
            raise
        self._open()
        if self._background:
            self._working = asyncio.create_task(self._work.run())
            self._in_step = asyncio.create_task(self._keep_in_step())
            try:
                await self._encoding.ready()  # or else the first recall would wait
            except BaseException:
                await self.__aexit__(None, None, None)
                raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._shared.is_open = False
        if self._database.is_forked:  # what is open belongs to the other process
            return
        try:
            await asyncio.gather(*(each._close() for each in {*self._shared.guests.every(), self}))
            await self._encoding.close()
        finally:
            await self._database.__aexit__(kind, error, traceback)

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a memory cannot be pickled or copied: open one in each process")

    async def close(self) -> None:
        """Close the memory, like leaving its block. Running jobs finish; the others stay in the store. Has no effect on
        a closed memory or one returned by `of`."""
        if self._shared.is_open and self not in self._shared.guests.every():
            await self.__aexit__(None, None, None)

    def of(self, user: str) -> Self:
        """Get the memory of another user in the same store, for programs that serve many users. It shares the
        connections, embedding models and background of this memory and is open as long as this one. Do not open or
        close it.

        Background jobs run only for the user of this memory; see `worker_for_all`. Raises InvalidInput for an invalid
        name, and StoreUnavailable if this memory is closed.
        """
        if not self._shared.is_open:
            raise StoreUnavailable(
                "the memory is closed or was never opened: use it inside `async with AsyncMemory() as memory:`"
            )
        if self._database.is_forked:
            raise forked()
        user_id = accounts.user_id_of(user)
        if user_id == self.user_id:
            return self
        # Short-term notes are nowhere else: the memory that holds some stays.
        guest: Self = self._shared.guests.of(user_id, lambda: self._guest(user), lambda each: not each._sessions)
        return guest

    def worker_for_all(self, concurrency: int = 1) -> Worker:
        """Create a worker that runs background jobs of all users, for servers. `run` it while this memory is open, and
        `stop` it before you close the memory. Requires the store's owner (RICORDO_DATABASE_OWNER_URL)."""
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
        append: bool = False,
        key: str | None = None,
    ) -> Receipt:
        """Store a conversation word for word, one drawer per turn.

        `messages` is a list, a generator or an asynchronous generator. Each message is a Message, or a mapping or SDK
        object with `role`, `content` (text or a list of parts) and optionally `name`, `at` and `id`. `conversation` is
        your id of it. If you mine it again, whole or only its latest turns, only new turns are added. The batch
        overlaps where its first turns equal the last stored ones; ids and times decide if given. A stored turn id with
        another text is a new version of that turn (`edited`).

        To mine one exchange at a time, use `append=True`: then every turn is new, even if its text is already stored.
        `key` is an idempotency key for such a call: a retry with the same key stores nothing twice.

        When this returns, every stored turn is on disk and found by keyword. Its vector is made in the background.
        `project` names the wing. The receipt lists turns that cannot be stored, with the reason, and parts that are not
        text. Pass `automatic=True` if no person requested this, as in a hook: it is rejected if memory or automatic
        mining is off in the user's settings.

        Raises InvalidInput and StoreError.
        """
        if automatic and not await self._mines_automatically():
            return Receipt(status="rejected", reason=_NOT_AUTOMATIC, conversation=conversation)
        from ricordo import mining

        batch = mining.batch(append, key)
        receipt = await self._miner.mine(palace.Origin(conversation, title, project, source), messages, batch)
        self._background_embedding.wake()
        self._work.wake()
        return receipt

    async def mine_many(
        self, conversations: Iterable[Any] | AsyncIterable[Any], *, automatic: bool = False
    ) -> list[Receipt]:
        """Store many conversations, several times as fast as with one `mine` each. Returns their receipts in order.

        `conversations` is a list, a generator or an asynchronous generator. Each conversation is a Conversation, or a
        mapping with `id` and `messages`, and optionally `title`, `project` and `source`. These mean the same as in
        `mine`.

        Short conversations share a transaction. Each short conversation is stored completely or not at all. After an
        error, call this again with the same conversations: only what is missing is added.

        Raises InvalidInput and StoreError.
        """
        from ricordo import mining

        is_allowed = not automatic or await self._mines_automatically()
        receipts: list[Receipt] = []
        async for parts in mining.parts(conversations):
            if is_allowed:
                receipts += await self._miner.mine_many(parts)
                self._background_embedding.wake()
                self._work.wake()
            else:
                ids = [part.origin.id for part in parts]
                receipts += [Receipt(status="rejected", reason=_NOT_AUTOMATIC, conversation=id) for id in ids]
        return receipts

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
        project: str | None = None,
        room: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        conversation: str | None = None,
        context: str | None = None,
        max_tokens: int | None = None,
        min_confidence: float | None = None,
        rerank: bool | None = None,
        dry_run: bool = False,
    ) -> RecallResult:
        """Find the `top_k` turns that best answer `question`, and build a context block for a system prompt.

        Without `top_k`, `max_tokens` decides how many turns come: as many as fit the block, and of long turns only the
        passage that matches. Without both, `top_k` is the user's setting and the block has at most 2,000 tokens. With
        `top_k`, `max_tokens` limits the block and not the results.

        If memory is off in the settings or for `agent`, the result is empty with a note. The results and the turns
        given to an LLM are recorded as one `read` in the access log, by the user or `agent`, in `run`.

        `now` is the reference time for phrases such as "last week"; it defaults to `as_of` or the current time. Days
        are those of the user's time zone: the setting `time_zone`, else the zone of `now` unless that is UTC, else the
        variable TZ. `conversation` is the conversation in progress: questions about "last time" skip it. `context` is
        the previous turn, such as the agent's last answer: its end helps to find what a message refers to. The other
        arguments filter the results: see ricordo.models.Filters. If nothing matches, the results and the block are
        empty.

        `confidence` of the result is the probability that some of the turns answer the question. `confidence` of a hit
        is the probability that this turn does. If that of the result is below `min_confidence`, only standing
        instructions are returned. The default is 0.1, without a limit for requests for advice, for messages to an
        agent, and where only words are compared.

        Questions about time ("what did we talk about yesterday?", "what did I tell you first?", "in which order did I
        …?") return turns in order of time and are never reranked. Small talk ("ok thanks!") returns nothing, without
        a search.

        With `rerank`, an LLM reorders the best 20 candidates; None uses the settings. If it fails or takes too long,
        the original order is used and a note gives the reason. With `dry_run`, no LLM is called, and a note
        estimates the cost.

        Raises InvalidInput, NotFound for an unknown wing or agent, and StoreError.
        """
        reader = None if agent is None else await self.agents.get(agent)
        if reader is not None and reader.memory_disabled:
            return RecallResult(context="", tokens=0, results=(), notes=(_AGENT_OFF,))
        filters = Filters(
            wing=api.argument("wing", wing, str | None),
            project=api.argument("project", project, str | None),
            room=api.argument("room", room, str | None),
            speaker=api.argument("speaker", speaker, str | None),
            since=api.argument("since", since, datetime | None),
            until=api.argument("until", until, datetime | None),
            as_of=api.argument("as_of", as_of, datetime | None),
        )
        moment = api.argument("now", now, datetime | None)
        conversation = api.argument("conversation", conversation, str | None)
        context = api.argument("context", context, str | None)
        asked = Request(question, top_k, moment, filters, max_tokens, conversation, context, min_confidence)
        if (nothing := asked.answered_by_nothing()) is not None:
            return nothing
        await self._background_embedding.wait()
        reranker = Reranker(self._llms, rerank, dry_run)
        embedding_model = await self._encoding.embedding_model()
        actor = api.acting_as(reader, run).actor
        recaller = Recaller(self._database, self.user_id, embedding_model, self._encoding.absence, reranker, actor)
        return await recaller.recall(asked)

    @measured("ask")
    async def ask(
        self, question: str, *, top_k: int = 10, max_tokens: int = 3000, dry_run: bool = False, **narrowing: Any
    ) -> Answer:
        """Answer `question` with an LLM from the `top_k` turns that match it best, and cite the turns.

        The other arguments are those of `recall`. If the turns do not contain an answer, the answer has no text, and
        `known` is False. With `dry_run`, the LLM is not called and `estimate` has the expected cost.

        Raises the errors of `recall`, ModelUnavailable if the LLM fails or is not configured (see ricordo.settings),
        and CapReached if a spending cap does not allow the call.
        """
        recall = partial(self.recall, question, top_k=top_k, max_tokens=max_tokens, dry_run=dry_run, **narrowing)
        now = api.argument("now", narrowing.get("now") or narrowing.get("as_of"), datetime | None)
        return await asking.ask(self._llms, recall, question, now, dry_run)

    @measured("about")
    async def about(
        self,
        name: str | None = None,
        *,
        agent: UUID | str | None = None,
        now: datetime | None = None,
        max_tokens: int = 800,
    ) -> About:
        """Get what is known about a person, project or thing by its name, another name of it or its id; without
        `name`, about the user.

        The page has the current facts by topic, changes of the last 90 days, contradictions and plans, each with the
        turns that state it. It contains the most important lines that fit into `max_tokens`, and the number of lines
        left out. `now` is the reference time; facts stated later are ignored. Days are those of the user's time
        zone. The cited turns are recorded as one `read` in the access log, by the user or `agent`. For an agent, the
        page is empty if memory is off in the settings or for the agent.

        Raises InvalidInput, and NotFound for an unknown name, with the nearest known ones.
        """
        return await api.about(self._opened, name, agent, now, max_tokens)

    async def delete_user(self) -> DeletedUser:
        """Delete this user with all data in one transaction, and return the number of deleted rows by table. The synced
        folder that this server holds for the user is deleted as well. Existing backups and exports are not changed.
        Later writes start a new, empty memory.

        Requires the store's owner (RICORDO_DATABASE_OWNER_URL). Raises StoreError; then nothing is deleted.
        """
        deleted = await accounts.delete_user(self._database, self.user_id, self.user)
        self._sessions.close()
        self._sessions.open()
        from ricordo.sync import Holding, remove_key

        await asyncio.to_thread(remove_key, self.process_settings, self.user_id)
        await asyncio.to_thread(Holding(self.process_settings, self.user_id).delete)
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
        """Start a run of an agent: `async with memory.run("coder", template) as run`, then send `run.prompt` to the
        model.

        The prompt is `template`, preceded by a memory block from the agent's default profile (or `profile`).
        `conversation` is your id of the conversation. Memories that cannot be read, or do not fit into `max_tokens`,
        are left out. `run.output(node, payload)` collects the writes of a node's output (`__lf_memory_writes`). They
        are stored when the block ends normally: all or nothing. They are discarded by `run.fail(reason)`,
        `run.cancel()`, an exception, a cancellation or a malformed write, which is listed in `run.problems`.

        Entering raises NotFound, InvalidInput and StoreError. Leaving raises InvalidInput if someone else ended the
        run, and StoreError if it is unknown whether the end was stored; check with `memory.runs.get(run.id)`.
        """
        return Running(self._opened, agent, template, conversation, profile, max_tokens)

    async def import_chats(
        self,
        paths: Sequence[Path | str],
        *,
        progress: Progress | None = None,
        dry_run: bool = False,
        automatic: bool = False,
        append: bool = False,
        key: str | None = None,
        again: bool = False,
        project: str | None = None,
    ) -> ImportReport:
        """Mine the chats in files and folders, in all supported formats (see ricordo.formats).

        Unreadable parts are reported in the result and do not stop the import. After an interruption, call it again to
        continue; turns already stored count as duplicates. With `dry_run`, files are read but nothing is written.
        Vectors are not computed here; see `embed_pending`. `automatic` works as in `mine`. With `append`,
        every turn in the files is new, as in a file with only the latest exchange; `key` is an idempotency key for
        that. Forgotten conversations stay forgotten and are counted; `again` stores them. Conversations whose
        files do not name a project belong to `project`.

        Raises UnreadableSource for a missing path or a folder without chats, and StoreError.
        """
        if automatic and not await self._mines_automatically():
            return ImportReport(conversations=0, stored=0, dry_run=dry_run)
        named = _paths("paths", paths)
        return await import_chats(
            self._opened, self._miner, named, progress, dry_run, append=append, key=key, again=again, project=project
        )

    async def watch(
        self,
        folders: Sequence[Path | str],
        *,
        settle: float = 10.0,
        report: Callable[[WatchReport], None] | None = None,
    ) -> None:
        """Mine the chats in folders and everything added to them, until this is cancelled (with Memory: Ctrl-C). A file
        is mined when it has not changed for `settle` seconds, or shortly after if it keeps changing.

        `report` is called for each file with new turns or problems. Files can be truncated, replaced and renamed.
        Progress is stored, so a restarted watch reads only changes. Nothing is mined while automatic mining is off in
        the user's settings. If the store is unavailable, the watch retries. Raises UnreadableSource for a missing
        folder, and InvalidInput.
        """
        from ricordo.importing.watching import (
            Watching,  # with its formats it takes 30 ms, which a recall should not pay
        )

        await Watching(self._opened, self._miner, _paths("folders", folders), settle, report).run()

    async def embed_pending(self, progress: Progress | None = None) -> int:
        """Compute the missing vectors of all memories, and return how many were computed here.

        Other processes can share the work; this waits for them for up to 30 seconds without progress. Memories that the
        embedding model cannot process are retried later (see `vectors`). Raises ModelUnavailable if no embedding model
        is installed, or a hosted one fails for several seconds.
        """
        return await embed_pending(self._database, self.user_id, self._encoding, progress)

    async def reembed(self, model: str, *, progress: Progress | None = None) -> ReembedReport:
        """Switch this user's vectors to the embedding model `model` (see `ricordo models list`, or the name of the
        hosted one).

        Recall keeps working with the old vectors until every memory has a new one; then it switches, and the old
        vectors are deleted. New memories get both. After an interruption, call it again to continue; several processes
        can share the work. To cancel a switch in progress, pass the current model. `progress` receives the number of
        memories with a new vector.

        Raises InvalidInput for an unknown model or while another switch is in progress, and ModelUnavailable.
        """
        return await self._reembedding.run(model, progress)

    async def reembed_estimate(self, model: str) -> Estimate:
        """Estimate the time and cost of `reembed` with this embedding model, without writing anything or calling a
        hosted model.

        Raises InvalidInput and ModelUnavailable.
        """
        return await self._reembedding.estimate(model)

    async def vectors(self) -> Vectors:
        """Get the embedding model of this user's vectors, how many vectors exist, how many memories have none yet, and
        why."""
        return await self._reembedding.state()

    async def pending(self) -> int:
        """Count the memories without a vector. Recall finds them by their words."""
        async with self._database.tenant(self.user_id) as tx:
            return await vectors_pending(tx)

    @property
    def _miner(self) -> mining.Miner:
        from ricordo import mining  # 10 ms, which a recall should not pay

        return mining.Miner(self._database, self.user, self.user_id)

    async def _mines_automatically(self) -> bool:
        chosen = await self.settings.get()
        return chosen.enabled and chosen.auto_mine

    async def _keep_in_step(self) -> None:
        """Sync the memories that are synced from this machine, every so often."""
        settings = self.process_settings
        problems: dict[str, str] = {}
        while settings.sync_every:
            await asyncio.sleep(settings.sync_every)
            if not (settings.home / "sync").is_dir():
                continue
            from ricordo.sync import users

            for user in await asyncio.to_thread(users, settings):
                try:
                    report = await self.of(user).sync.now()
                    told = "; ".join(f"{name}: {reason}" for name, reason in report.problems.items())
                except (RicordoError, OSError) as error:
                    told = str(error)
                if told and problems.get(user) != told:  # once, and not every minute
                    log.warning("sync of %s: %s", user, told)
                problems[user] = told

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
        self._work.close()
        self._sessions.close()
        if self._in_step is not None:  # a sync that is cut off goes on at the next one
            self._in_step.cancel()
            await asyncio.wait([self._in_step])
        await self._background_embedding.close()
        await self._work.drained()
        await self._llms.close()
        if self._working is not None and (await asyncio.wait([self._working], timeout=_PATIENCE))[1]:
            self._working.cancel()
            await asyncio.wait([self._working])


def showing(memory: AsyncMemory) -> AbstractAsyncContextManager[set[UUID]]:
    """Within `async with showing(memory) as shown` put the ids of the memories that are shown into `shown`: of what is
    read in it, these alone are on record as read. For whoever shows less than is brought, such as what has room in a
    prompt. Leaving it raises StoreError."""
    return api.showing(memory._opened)


def serving(memory: AsyncMemory) -> Serving:
    """What our servers ask of a memory beyond its public API."""
    return Serving(memory._opened)


def in_project(memory: AsyncMemory, project: str | None) -> InProject:
    """What a client that works on a project can see; not part of the public API."""
    return InProject(memory._opened, project)


def _paths(field: str, given: Sequence[Path | str]) -> list[Path]:
    if isinstance(given, str | bytes | Path) or not isinstance(given, Iterable):
        raise InvalidInput(field, f"must be a list of paths, such as [{str(given)[:100]!r}]")
    return [rules.path(field, each) for each in given]
