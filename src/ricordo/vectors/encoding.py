"""The embedding model of an open memory: the one that the user's vectors are of. Another process may change it.

While there are no vectors it is the one that the user has chosen, else the one that the process's settings name, else
the store's default, else the best that is installed. The store's default is the one that a process's settings named
when a user last got the first vector, so that processes without the setting choose no other one for new users.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from anyio import to_thread

from ricordo import accounts, embedding
from ricordo.database import Database
from ricordo.embedding import EmbeddingModel
from ricordo.errors import InvalidInput, ModelUnavailable, StoreError
from ricordo.settings import Settings
from ricordo.vectors import space_store
from ricordo.vectors.signs import multilingual
from ricordo.vectors.space_store import Space

#: Seconds after which it is looked up again which embedding model the vectors are of. A search in between is not
#: misled: it compares no vectors of two embedding models, and goes by words.
_FRESH = 0.5
#: Seconds after which an embedding model that was not there is looked for again.
_ANEW = 10.0

log = logging.getLogger("ricordo")


@dataclass(frozen=True)
class _Loaded:
    embedding_model: EmbeddingModel | None
    #: Why there is none.
    problem: str
    at: float


#: Embedding models by name, as they are being loaded or have been; memories of one process share them.
Loading = dict[str, asyncio.Task[_Loaded]]


class Encoding:
    """Loads the embedding model of one user's memory, once it is needed, in a thread."""

    def __init__(self, settings: Settings, database: Database, user_id: UUID, loading: Loading) -> None:
        """Raises InvalidInput where the settings name an embedding model that there is not."""
        self._settings = settings
        self._database = database
        self._user_id = user_id
        self._preferred = embedding.choose(settings).space
        self._is_named = settings.embedding_model is not None
        self._wanted = self._preferred
        self._space: Space | None = None
        self._looked = float("-inf")
        self._looking = asyncio.Lock()
        self._loading = loading
        #: Why the last answer was None, for a person; "" where it was not.
        self.absence = ""

    def prepare(self) -> None:
        """Begin to load the embedding model that is probably needed."""
        self._load(self._preferred)

    async def ready(self) -> None:
        """Load what the user's recalls need, as far as it is there: the embedding model, and the multilingual one
        beside it if turns are in several languages. What is wrong with the store, the first call tells."""
        with suppress(StoreError):
            model = await self.embedding_model()
            async with self._database.tenant(self._user_id) as tx:
                corpus = await accounts.corpus(tx, self._user_id)
            if len(corpus.turn_languages) > 1:
                await to_thread.run_sync(multilingual, model)

    async def embedding_model(self) -> EmbeddingModel | None:
        """The embedding model, or None where it is not to be had here: `absence` then says why. Raises StoreError. Not
        for use within a transaction, since it may begin one."""
        async with self._looking:
            if time.monotonic() - self._looked >= _FRESH:
                self._looked = time.monotonic()  # not afterwards: what changes meanwhile is looked at again
                try:
                    self._space, chosen, default = await space_store.choice(self._database, self._user_id)
                except BaseException:
                    self.look_again()
                    raise
                self._wanted = chosen or (self._preferred if self._is_named else default or self._preferred)
        # A call that is cancelled must not take it from the others.
        loaded = await asyncio.shield(self._load(self._space.name if self._space else self._wanted))
        self.absence = "" if loaded.embedding_model else self._why(loaded.problem)
        return loaded.embedding_model

    def look_again(self) -> None:
        """Ask the store next time, since the embedding model may just have been changed here."""
        self._looked = float("-inf")

    async def close(self) -> None:
        """Wait for what is being loaded, and forget it."""
        if self._loading:
            await asyncio.wait(self._loading.values())
            self._loading.clear()

    def _load(self, name: str) -> asyncio.Task[_Loaded]:
        task = self._loading.get(name)
        if task is None or (task.done() and _stale(task)):
            task = self._loading[name] = asyncio.create_task(asyncio.to_thread(_loaded, self._settings, name))
        return task

    def _why(self, problem: str) -> str:
        space = self._space
        if space is None and self._wanted != self._preferred:
            return (
                f"Compared by words only: new memories of this store use {self._wanted}, but {problem}. Set it up, or "
                "choose another one (see ricordo models list): ricordo settings set embedding_model=NAME"
            )
        if space is None or space.name == self._preferred:
            return f"Compared by words only, without an embedding model: {problem}."
        return (
            f"Compared by words only: the vectors of this memory use {space}, but {problem}. Set it up, or switch "
            f"to the model in your settings: ricordo reembed --model {self._preferred}"
        )


def _stale(task: asyncio.Task[_Loaded]) -> bool:
    """Whether it found no embedding model, and that long ago."""
    if task.cancelled() or task.exception():
        return True
    return task.result().embedding_model is None and time.monotonic() > task.result().at + _ANEW


def _loaded(settings: Settings, name: str) -> _Loaded:
    try:
        return _Loaded(embedding.load(settings, name), "", time.monotonic())
    except (ModelUnavailable, InvalidInput) as error:
        log.info("recall compares by words only: %s", error)
        return _Loaded(None, _in_short(settings, name) or str(error), time.monotonic())


def _in_short(settings: Settings, name: str) -> str:
    """That a model is not installed, where that is all."""
    try:
        chosen = embedding.choose(settings, name)
    except InvalidInput:
        return "it is not available here (a hosted model needs RICORDO_EMBEDDING_URL)"
    if isinstance(chosen, embedding.Endpoint) or embedding.present(settings, [chosen]):
        return ""
    return f"{chosen.name} is not installed here (run `ricordo models install {chosen.name}`)"
