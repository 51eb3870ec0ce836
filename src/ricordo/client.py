"""AsyncMemory: the one front door. Every interface goes through it; it opens the store and calls the features."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from ricordo import accounts, encoders, entries, palace
from ricordo.database import Database
from ricordo.doors import (
    Activity,
    Agents,
    Audit,
    Core,
    Embedder,
    Entries,
    Journal,
    Notes,
    Opened,
    Palace,
    Profiles,
    Proposals,
    Running,
    Runs,
    SettingsDoor,
    Tools,
    Whiteboards,
    keep_up,
)
from ricordo.encoders import Encoder
from ricordo.entries import Sessions
from ricordo.errors import InvalidInput, ModelUnavailable
from ricordo.nouns import (
    Conversation,
    Filters,
    Imported,
    Message,
    Problem,
    Recalled,
    Receipt,
)
from ricordo.recall import Recaller
from ricordo.runs import OpenRun
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo import mining

#: Called with how many turns are done and how many there are in all, as far as that is known.
Progress = Callable[[int, int], None]

#: Seconds that closing waits for the batch at hand.
_PATIENCE = 1.0
#: Seconds between two looks at what other workers have at hand, and without news after which they are not waited for.
_LOOK_AGAIN, _NEWS = 0.05, 30.0

_NOT_AUTOMATIC = "automatic mining is turned off in the settings"
_AGENT_OFF = "Memory is turned off for this agent: nothing was looked for."

log = logging.getLogger("ricordo")


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
        #: How this process was set up; what the user has chosen is behind `settings`.
        self.process_settings = settings or Settings.from_environment(
            database_url=url, user=user, home=None if home is None else Path(home).absolute()
        )
        self.user = self.process_settings.user
        self.user_id = accounts.user_id_of(self.user)
        self._database = Database(self.process_settings)
        self._background = background
        self._encoder: asyncio.Task[Encoder | None] | None = None
        self._embedder = Embedder(self._database, self.user_id, self._loaded_encoder)
        self._workers: list[asyncio.Task[None]] = []
        self._closed = asyncio.Event()
        self._sessions = Sessions()
        opened = Opened(self._database, self.user, self.user_id, self._loaded_encoder, self._embedder.wake)
        #: The user's agents, their memory profiles, and the entries in these.
        self.agents = Agents(opened)
        self.profiles = Profiles(opened)
        self.entries = Entries(opened)
        #: Wings, rooms, closets and drawers: looking at them, and tending them.
        self.palace = Palace(opened)
        #: Who read and wrote what, whether that record is whole, and whether a text is gone.
        self.audit = Audit(opened)
        #: What is recorded of runs; `run` opens one.
        self.runs = Runs(opened)
        self._opened = opened
        #: What the user has chosen, and what happened.
        self.settings = SettingsDoor(opened)
        self.activity = Activity(opened)
        #: What agents remember for themselves, what is proposed for core, what they share; and all of it as tools.
        self.journal = Journal(opened)
        self.core = Core(opened)
        self.proposals = Proposals(opened)
        self.whiteboards = Whiteboards(opened)
        #: Notes in three retentions.
        self.notes = Notes(opened, self._sessions)
        self.tools = Tools(opened, self.journal, self.core, self.notes)

    async def __aenter__(self) -> Self:
        if self._background:
            self._load_encoder()  # while the store is opened
        try:
            await self._database.__aenter__()
        except BaseException:
            await self._forget_encoder()
            raise
        self._sessions.open()
        if self._background:
            self._embedder.wake()
            upkeep = keep_up([self.notes.sweep, self.audit.seal], self._closed)
            self._workers = [asyncio.create_task(each) for each in (self._embedder.run(), upkeep)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._sessions.close()
        try:
            await self._stop_workers()
            await self._forget_encoder()
        finally:
            await self._database.__aexit__(kind, error, traceback)

    async def mine(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
        automatic: bool = False,
    ) -> Receipt:
        """Keep a conversation word for word, one drawer for each turn.

        Each message is a Message or a mapping with `role`, `content` and, where known, `name`, `at` and `id`.
        `conversation` is your id of it: mining it again, whole or only its last turns, adds what is new. When
        this returns, every stored turn is on disk and found by keyword; its vector follows in the background.
        `project` names the wing. Turns that cannot be stored are in the receipt, with the reason. `automatic` says that
        nobody asked for this conversation to be kept, as a hook behind each talk does: it is rejected where the user's
        settings turn memory or automatic mining off.

        Raises InvalidInput and StoreError.
        """
        if automatic and not await self._mines_automatically():
            return Receipt(status="rejected", reason=_NOT_AUTOMATIC, conversation=conversation)
        receipt = await self._miner.mine(palace.Origin(conversation, title, project, source), messages)
        self._embedder.wake()
        return receipt

    async def recall(
        self,
        question: str,
        *,
        top_k: int | None = None,
        agent: UUID | str | None = None,
        now: datetime | None = None,
        wing: str | None = None,
        room: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        max_tokens: int = 2000,
    ) -> Recalled:
        """The `top_k` turns that answer `question` best, and the block to put ahead of a system prompt.

        Where `top_k` is None, the user's settings say how many. Nothing comes back, with a note that says why, where
        they turn memory off, or where `agent`, for whom this is, has its memory turned off.

        `now` is the moment when the question is asked, by which "last week" is understood; none means the
        clock's, or `as_of`. The other arguments narrow what is looked at (see ricordo.nouns.Filters).
        `max_tokens` bounds the block, not the hits. No hits and an empty block mean that nothing matched.

        Raises InvalidInput, NotFound for a wing or an agent that is not there, and StoreError.
        """
        if agent is not None and (await self.agents.get(agent)).memory_disabled:
            return Recalled(context="", tokens=0, results=(), notes=(_AGENT_OFF,))
        filters = Filters(
            wing=_text("wing", wing),
            room=_text("room", room),
            speaker=_text("speaker", speaker),
            since=_zoned("since", since),
            until=_zoned("until", until),
            as_of=_zoned("as_of", as_of),
        )
        if self._workers:
            await self._embedder.wait()
        recaller = Recaller(self._database, self.user_id, await self._loaded_encoder())
        return await recaller.recall(question, top_k, _zoned("now", now), filters, max_tokens)

    def run(
        self, agent: UUID | str, template: str, conversation: str | None = None, *, profile: UUID | None = None
    ) -> AbstractAsyncContextManager[OpenRun]:
        """A run of an agent: `async with memory.run("coder", template) as run`, then send `run.prompt`.

        The prompt is `template`, with the block of what the agent's default profile (or `profile`) tells ahead of it;
        `conversation` is your id of the talk that it belongs to. What cannot be read is left out and stops nothing.
        `run.output(node, payload)` holds what a node's output asks to remember, `__lf_memory_writes`. It is written,
        all of it or nothing, when the block ends well; `run.fail(reason)`, `run.cancel()`, an exception and a
        cancellation drop it, and so does a malformed write, which is in `run.problems`.

        Entering raises NotFound, InvalidInput and StoreError; leaving raises StoreError where the store cannot tell
        whether it took the end of the run: `memory.runs.get(run.id)` then says so.
        """
        return Running(self._opened, agent, template, conversation, profile)

    async def import_chats(
        self,
        paths: Sequence[Path | str],
        *,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> Imported:
        """Mine the chats in files and folders, of every format that Ricordo knows (see ricordo.transfer).

        What cannot be read is reported in the answer and stops nothing. Killed and started again, it goes on
        where it was. With `dry_run` files are read and nothing is written. Vectors are not made here: see
        `embed_pending`.

        Raises UnreadableSource for a path that is not there or a folder without chats, and StoreError.
        """
        from ricordo import transfer  # with its formats it takes 30 ms, which a recall should not pay

        problems: list[Problem] = []
        count = stored = duplicates = 0
        reading = transfer.read([Path(path) for path in paths], problems.append)
        while (conversation := await asyncio.to_thread(next, reading, None)) is not None:
            count += 1
            if dry_run:
                stored += len(conversation.messages)
            else:
                receipt = await self._mine_read(conversation, problems)
                stored += receipt.stored
                duplicates += receipt.duplicates
            if progress:
                progress(stored + duplicates, 0)
        if count and not dry_run:
            counts = {"conversations": count, "stored": stored, "duplicates": duplicates, "problems": len(problems)}
            async with self._opened.writing() as tx:
                await accounts.tell(tx, self.user_id, "chats_imported", counts, "user_action")
        return Imported(
            conversations=count,
            stored=stored,
            duplicates=duplicates,
            problems=tuple(problems),
            dry_run=dry_run,
        )

    async def embed_pending(self, progress: Progress | None = None) -> int:
        """Give every memory its vector that has none; returns how many were done here.

        Other processes may share the work, and what they have at hand is waited for, up to half a minute without
        news. Raises ModelUnavailable where no encoder is installed.
        """
        from ricordo import mining  # 10 ms, which a recall should not pay; so below

        encoder = await self._loaded_encoder()
        if encoder is None:
            encoders.load(self.process_settings)  # raises, saying why
            raise AssertionError("an encoder that can be loaded is loaded")
        done, total = 0, await self.pending()
        if progress:
            progress(0, total)
        left, waited = total, 0.0
        while left and waited < _NEWS:
            batch = await mining.embed_batch(self._database, self.user_id, encoder)
            done += batch
            if progress:
                progress(done, max(done, total))
            before, left = left, await self.pending()
            waited = 0.0 if batch or left < before else waited + _LOOK_AGAIN
            if left and not batch:
                await asyncio.sleep(_LOOK_AGAIN)
        return done

    async def pending(self) -> int:
        """How many memories have no vector yet; keyword recall finds them all the same."""
        async with self._database.tenant(self.user_id) as tx:
            return await entries.pending(tx)

    @property
    def _miner(self) -> mining.Miner:
        from ricordo import mining

        return mining.Miner(self._database, self.user, self.user_id)

    async def _mine_read(self, conversation: Conversation, problems: list[Problem]) -> Receipt:
        """Mine a conversation that was read from a file; turns that cannot be stored become problems."""
        origin = palace.Origin(conversation.id, conversation.title, conversation.project, conversation.source)
        receipt = await self._miner.mine(origin, conversation.messages)
        problems += [Problem(path=conversation.id, line=each.index + 1, what=each.reason) for each in receipt.rejected]
        return receipt

    async def _mines_automatically(self) -> bool:
        chosen = await self.settings.get()
        return chosen.enabled and chosen.auto_mine

    def _load_encoder(self) -> asyncio.Task[Encoder | None]:
        if self._encoder is None:
            self._encoder = asyncio.create_task(asyncio.to_thread(_encoder, self.process_settings))
        return self._encoder

    async def _loaded_encoder(self) -> Encoder | None:
        return await asyncio.shield(self._load_encoder())  # a call that is cancelled must not take it from the others

    async def _forget_encoder(self) -> None:
        if self._encoder is not None:
            await asyncio.wait([self._encoder])
            self._encoder = None

    async def _stop_workers(self) -> None:
        """Let the background finish what is at hand, but not for long: what is left waits in the store."""
        self._embedder.close()
        self._closed.set()
        if self._workers:
            _, working = await asyncio.wait(self._workers, timeout=_PATIENCE)
            for each in working:
                each.cancel()
            if working:
                await asyncio.wait(working)


def _encoder(settings: Settings) -> Encoder | None:
    try:
        return encoders.load(settings)
    except ModelUnavailable as error:
        log.info("recall goes by keyword only: %s", error)
        return None


def _zoned(field: str, moment: datetime | None) -> datetime | None:
    """A time with its zone, UTC where it has none. Raises InvalidInput for what is no datetime."""
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        raise InvalidInput(field, f"must be a datetime, not {str(moment)[:50]!r}")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _text(field: str, value: str | None) -> str | None:
    """A text or none. Raises InvalidInput for anything else."""
    if value is not None and not isinstance(value, str):
        raise InvalidInput(field, f"must be text, not {type(value).__name__}")
    return value
