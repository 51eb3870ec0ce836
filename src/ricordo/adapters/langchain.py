"""LangChain on Ricordo: a middleware that lets an agent remember its conversations, and a retriever.

An agent's `store=` is ricordo.adapters.langgraph.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import UUID

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import AnyMessage, SystemMessage
from langchain_core.retrievers import BaseRetriever
from langgraph.runtime import Runtime
from pydantic import PrivateAttr

from ricordo.adapters.recollection import Recollection, refuse_unknown, turn
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput
from ricordo.models import Hit

_ROLES = {"human": "user", "ai": "assistant"}


class RicordoMiddleware(AgentMiddleware[Any, Any, Any]):
    """For `create_agent(middleware=[…])`. Puts memories that answer the user's newest message before the system prompt
    of each model call, and stores the conversation when the agent has ended.

    The conversation is the `thread_id` of the agent's configuration, which needs a checkpointer, or else
    `conversation`. For synchronous agents `memory` is an open Memory; an AsyncMemory serves `ainvoke` and `astream` on
    its event loop. The other arguments narrow and bound the recall (see `AsyncMemory.recall`); an agent called `agent`
    is made where there is none. `project` names the wing of what is mined; `mine=False` mines nothing, and so do the
    user's settings. Starting raises InvalidInput where something is to be mined and no conversation is known.
    """

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        *,
        conversation: str | None = None,
        agent: UUID | str | None = None,
        project: str | None = None,
        wing: str | None = None,
        top_k: int | None = None,
        max_tokens: int = 2000,
        mine: bool = True,
    ) -> None:
        self.tools = []
        self._conversation = conversation
        self._mine = mine
        self._recollection = Recollection(
            memory, "langchain", agent=agent, project=project, wing=wing, top_k=top_k, max_tokens=max_tokens
        )

    def before_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        if not self._mine:
            return
        conversation = self._named(runtime)
        if conversation is None:
            raise InvalidInput(
                "conversation", "missing conversation id: use a checkpointer and a thread_id, or pass conversation"
            )
        self._recollection.require(conversation)

    async def abefore_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        self.before_agent(state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(_with(request, self._recollection.caller.wait(self._recalling(request))))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(_with(request, await self._recollection.caller.run(self._recalling(request))))

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        self._recollection.caller.wait(self._keeping(state, runtime))

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        await self._recollection.caller.run(self._keeping(state, runtime))

    def _named(self, runtime: Runtime[Any]) -> str | None:
        """The id of the conversation, if there is one."""
        conversation = self._conversation if self._conversation is not None else _thread(runtime)
        return None if conversation is None else str(conversation)

    def _recalling(self, request: ModelRequest[Any]) -> Callable[[AsyncMemory], Awaitable[str]]:
        question, conversation = _question(request.messages), self._named(request.runtime)
        before = _before(request.messages)
        return lambda memory: self._recollection.context(memory, question, conversation, before)

    def _keeping(self, state: AgentState[Any], runtime: Runtime[Any]) -> Callable[[AsyncMemory], Awaitable[None]]:
        conversation = self._named(runtime)
        # A checkpointer keeps the messages' ids; without one they are made anew, and the texts tell what is new.
        turns = [] if not self._mine else _said(state["messages"], _thread(runtime) is not None)
        return lambda memory: self._recollection.keep(memory, str(conversation), turns)


class RicordoRetriever(BaseRetriever):
    """The turns that answer a query, best first, as documents. Their metadata are those of ricordo.models.Hit.

    `memory` is an open Memory, or an AsyncMemory for `ainvoke` on its event loop; the other arguments are those of
    `AsyncMemory.recall`. What it does not know, such as a filter, raises InvalidInput.
    """

    _recollection: Recollection = PrivateAttr()

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        *,
        agent: UUID | str | None = None,
        wing: str | None = None,
        top_k: int | None = None,
        **fields: Any,
    ) -> None:
        refuse_unknown(fields.keys() - type(self).model_fields.keys())
        super().__init__(**fields)
        self._recollection = Recollection(memory, "langchain", agent=agent, wing=wing, top_k=top_k)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **narrowing: Any
    ) -> list[Document]:
        refuse_unknown(narrowing)
        hits = self._recollection.hits
        return [_document(each) for each in self._recollection.caller.wait(lambda memory: hits(memory, query))]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **narrowing: Any
    ) -> list[Document]:
        refuse_unknown(narrowing)
        hits = self._recollection.hits
        return [_document(each) for each in await self._recollection.caller.run(lambda memory: hits(memory, query))]


def _thread(runtime: Runtime[Any]) -> str | None:
    return runtime.execution_info.thread_id if runtime.execution_info is not None else None


def _question(messages: Sequence[AnyMessage]) -> str:
    return next((str(each.text) for each in reversed(messages) if each.type == "human"), "")


def _before(messages: Sequence[AnyMessage]) -> str | None:
    """What the agent said last before the question."""
    asked = max((at for at, each in enumerate(messages) if each.type == "human"), default=0)
    return next((text for each in reversed(messages[:asked]) if each.type == "ai" and (text := str(each.text))), None)


def _with(request: ModelRequest[Any], context: str) -> ModelRequest[Any]:
    """The request with a block ahead of its system prompt, which stays as it is."""
    if not context:
        return request
    before = request.system_message
    blocks: list[Any] = [{"type": "text", "text": context}]
    if before is not None:
        blocks += [{"type": "text", "text": before.content}] if isinstance(before.content, str) else before.content
    return request.override(system_message=SystemMessage(content=blocks))


def _said(messages: Sequence[AnyMessage], with_ids: bool) -> list[dict[str, Any]]:
    return [
        said
        for each in messages
        if each.type in _ROLES
        for said in turn(_ROLES[each.type], str(each.text), each.id if with_ids else None)
    ]


def _document(hit: Hit) -> Document:
    metadata = hit.model_dump(mode="json", exclude={"id", "text"})
    return Document(page_content=hit.text, id=str(hit.id), metadata=metadata)
