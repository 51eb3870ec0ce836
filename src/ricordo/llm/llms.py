"""The LLMs of one open memory: made when they are first asked for, with one way to the endpoint."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING
from uuid import UUID

from anyio import to_thread

from ricordo.database import Database
from ricordo.errors import ModelUnavailable
from ricordo.llm.endpoint import Endpoint, endpoint
from ricordo.llm.ledger import Ledger
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.llm.dialect import Dialect
    from ricordo.llm.llm import LLM
    from ricordo.llm.wire import Wire


#: Seconds that an endpoint has to show that it is there.
_ANSWERING = 10.0


async def answers(settings: Settings) -> str:
    """The endpoint of these settings, if it answers and names a model. No model is asked. Raises ModelUnavailable."""
    at = endpoint(settings)
    if settings.llm_model is None:
        raise ModelUnavailable(f"no model is named for the LLM at {at}: set RICORDO_LLM_MODEL")
    module = await to_thread.run_sync(import_module, "ricordo.llm.llm")
    wire = module.Wire(at)
    try:
        await wire.answers(_ANSWERING)
    finally:
        await wire.close()
    return str(at)


class LLMs:
    """One user's LLMs. Nothing is connected to, and no library imported, before one is asked for."""

    def __init__(self, settings: Settings, database: Database, user_id: UUID) -> None:
        self._settings = settings
        self.ledger = Ledger(database, user_id)
        self._wire: Wire | None = None
        self._dialects: dict[str, Dialect] = {}

    @property
    def rerank_seconds(self) -> float:
        """How long a recall waits for an LLM."""
        return self._settings.rerank_timeout

    def configured(self, model: str | None = None) -> bool:
        """Whether there is an LLM to ask."""
        try:
            self._named(model)
        except ModelUnavailable:
            return False
        return True

    async def get(self, model: str | None = None) -> LLM:
        """The LLM for `model`, or for the model of this process. Raises ModelUnavailable where none is set up."""
        name, at = self._named(model)
        module = await to_thread.run_sync(import_module, "ricordo.llm.llm")  # half a second, the first time
        if self._wire is None:
            self._wire = module.Wire(at)
        made: LLM = module.LLM(name, at, self._wire, self.ledger, self._dialects, self._settings.llm_timeout)
        return made

    async def close(self) -> None:
        """Give the connections back."""
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()

    def _named(self, model: str | None) -> tuple[str, Endpoint]:
        at = endpoint(self._settings)
        name = model or self._settings.llm_model
        if name is None:
            raise ModelUnavailable(f"no model is set for the LLM at {at}: set RICORDO_LLM_MODEL")
        return name, at
