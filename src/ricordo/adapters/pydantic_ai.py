"""A capability of Pydantic AI: `Agent(model, capabilities=[RicordoMemory(memory)])` remembers its conversations."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Self
from uuid import UUID

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.run import AgentRunResult

from ricordo.adapters.recollection import Recollection, turn
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory


class RicordoMemory(AbstractCapability[Any]):
    """Ahead of a run, what answers its prompt is put into the instructions; when it has ended well, what the user and
    the model said is mined under the run's `conversation_id`.

    `memory` is an open AsyncMemory (of the event loop that runs the agent) or a Memory. The other arguments narrow and
    bound the recall (see `AsyncMemory.recall`); an agent called `agent` is made where there is none. `project` names
    the wing of what is mined; `mine=False` mines nothing, and so do the user's settings.
    """

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        *,
        agent: UUID | str | None = None,
        project: str | None = None,
        wing: str | None = None,
        top_k: int | None = None,
        max_tokens: int = 2000,
        mine: bool = True,
        id: str | None = "ricordo_memory",
    ) -> None:
        self.id = id
        self._recollection = Recollection(
            memory, "pydantic_ai", agent=agent, project=project, wing=wing, top_k=top_k, max_tokens=max_tokens
        )
        self._mine = mine
        self._context: str | None = None

    async def for_run(self, ctx: RunContext[Any]) -> Self:
        if self._mine and ctx.conversation_id is not None:
            self._recollection.require(ctx.conversation_id)
        own = copy.copy(self)
        own._context = None
        return own

    def get_instructions(self) -> Any:
        return self._remembered

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        conversation = ctx.conversation_id
        turns = _said(result.new_messages(), str(ctx.run_id)) if self._mine else []
        if turns and conversation is not None:
            keep = self._recollection.keep
            await self._recollection.caller.run(lambda memory: keep(memory, conversation, turns, append=True))
        return result

    async def _remembered(self, ctx: RunContext[Any]) -> str:
        """The block for the run's prompt, recalled once for all of its requests."""
        if self._context is None:
            question, context, before = _text(ctx.prompt), self._recollection.context, _answered(ctx.messages)
            self._context = await self._recollection.caller.run(
                lambda memory: context(memory, question, ctx.conversation_id, before)
            )
        return self._context


def _answered(messages: Sequence[ModelMessage]) -> str | None:
    """What the agent said last, before the run."""
    answers = (each for each in reversed(messages) if isinstance(each, ModelResponse))
    said = ("".join(part.content for part in each.parts if isinstance(part, TextPart)) for each in answers)
    return next((text for text in said if text), None)


def _text(content: object) -> str:
    """What of a prompt is text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    return "\n".join(text for each in content if isinstance(text := getattr(each, "content", each), str))


def _said(messages: Sequence[ModelMessage], run: str) -> list[dict[str, Any]]:
    turns = []
    for number, message in enumerate(messages):
        if isinstance(message, ModelRequest):
            asked = [_text(part.content) for part in message.parts if isinstance(part, UserPromptPart)]
            turns += turn("user", "\n".join(asked), f"{run}/{number}")
        else:
            answered = [part.content for part in message.parts if isinstance(part, TextPart)]
            turns += turn("assistant", "".join(answered), f"{run}/{number}")
    return turns
