"""A context provider of Microsoft's Agent Framework: `Agent(client, context_providers=[RicordoProvider(memory)])`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from agent_framework import AgentSession, ContextProvider, Message, SessionContext, SupportsAgentRun

from ricordo.adapters.recollection import Recollection, turn
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory

_ROLES = ("user", "assistant")


class RicordoProvider(ContextProvider):
    """Ahead of a run, what answers the user's newest message is added to the instructions; after it, what the user and
    the agent said is mined under the session's id.

    `memory` is an open AsyncMemory (of the event loop that runs the agent) or a Memory. The other arguments narrow and
    bound the recall (see `AsyncMemory.recall`); an agent called `agent` is made where there is none. `project` names
    the wing of what is mined; `mine=False` mines nothing, and so do the user's settings.
    """

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        *,
        source_id: str = "ricordo",
        agent: UUID | str | None = None,
        project: str | None = None,
        wing: str | None = None,
        top_k: int | None = None,
        max_tokens: int = 2000,
        mine: bool = True,
    ) -> None:
        super().__init__(source_id)
        self._mine = mine
        self._recollection = Recollection(
            memory, "agent_framework", agent=agent, project=project, wing=wing, top_k=top_k, max_tokens=max_tokens
        )

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        if self._mine:
            self._recollection.require(session.session_id)
        asked = [each.text for each in context.input_messages if each.role == "user"]
        recalled = self._recollection.context
        question = asked[-1] if asked else ""
        block = await self._recollection.caller.run(lambda memory: recalled(memory, question, session.session_id))
        if block:
            context.extend_instructions(self.source_id, block)

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        answered = context.response.messages if context.response is not None else []
        turns = _said([*context.input_messages, *answered]) if self._mine else []
        keep = self._recollection.keep
        await self._recollection.caller.run(lambda memory: keep(memory, session.session_id, turns, append=True))


def _said(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [
        said for each in messages if each.role in _ROLES for said in turn(str(each.role), each.text, each.message_id)
    ]
