"""A memory block of LlamaIndex: `Memory.from_defaults(memory_blocks=[RicordoBlock(memory)])`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.memory import BaseMemoryBlock

from ricordo.adapters.recollection import Recollection, refuse_unknown, turn
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput

_ROLES = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant", MessageRole.CHATBOT: "assistant"}


class RicordoBlock(BaseMemoryBlock[str]):
    """Brings what answers the newest message of the user, and mines the messages that leave the short-term memory,
    under the session's id, or else under `conversation`.

    `memory` is an open AsyncMemory (of the event loop that runs the agent) or a Memory. The other arguments narrow and
    bound the recall (see `AsyncMemory.recall`); an agent called `agent` is made where there is none. `project` names
    the wing of what is mined; `accept_short_term_memory=False` mines nothing, and so do the user's settings.
    """

    _recollection: Recollection = PrivateAttr()
    _conversation: str | None = PrivateAttr()

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        *,
        name: str = "Ricordo",
        conversation: str | None = None,
        agent: UUID | str | None = None,
        project: str | None = None,
        wing: str | None = None,
        top_k: int | None = None,
        max_tokens: int = 2000,
        **fields: Any,
    ) -> None:
        refuse_unknown(fields.keys() - type(self).model_fields.keys())
        super().__init__(name=name, **fields)
        self._conversation = conversation
        self._recollection = Recollection(
            memory, "llama_index", agent=agent, project=project, wing=wing, top_k=top_k, max_tokens=max_tokens
        )

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [each for each in messages or () if each.role is MessageRole.USER]
        question, conversation, before = "", self._conversation, None
        if asked and messages:
            question = asked[-1].content or ""
            conversation = asked[-1].additional_kwargs.get("session_id") or conversation
            before = _answered(messages, asked[-1])
        context = self._recollection.context
        return await self._recollection.caller.run(lambda memory: context(memory, question, conversation, before))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns: dict[str, list[dict[str, Any]]] = {}
        for each in messages:
            if each.role not in _ROLES:
                continue
            conversation = each.additional_kwargs.get("session_id") or self._conversation
            if conversation is None:
                raise InvalidInput(
                    "conversation", "missing conversation id: the messages have no session_id, so pass conversation"
                )
            turns.setdefault(str(conversation), []).extend(turn(_ROLES[each.role], each.content or ""))
        for conversation, said in turns.items():
            await self._recollection.caller.run(self._keeping(conversation, said))

    def _keeping(self, conversation: str, said: list[dict[str, Any]]) -> Callable[[AsyncMemory], Awaitable[None]]:
        # Each message leaves the short-term memory once.
        return lambda memory: self._recollection.keep(memory, conversation, said, append=True)


def _answered(messages: list[ChatMessage], asked: ChatMessage) -> str | None:
    """What the agent said last before a message."""
    at = max(index for index, each in enumerate(messages) if each is asked)
    answers = (each.content for each in reversed(messages[:at]) if _ROLES.get(each.role) == "assistant")
    return next((content for content in answers if content), None)
