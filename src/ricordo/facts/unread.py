"""What no LLM has read yet: how much that is, why it is not read, and having it read by background jobs."""

from __future__ import annotations

from uuid import UUID

from ricordo import accounts, jobs, palace
from ricordo.database import Transaction
from ricordo.errors import NotFound, quoted
from ricordo.facts import reading_store as store
from ricordo.models import CallOutcome, Job, UnreadTurns

_TASK, _ARGUMENT = "extract", "conversation"
_STOPPED: dict[CallOutcome, str] = {
    "cap_conversation": "the cap of a conversation does not allow it (see ricordo usage)",
    "cap_month": "the cap of this month does not allow it (see ricordo usage)",
    "unpriced": "a cap is set, but the price of the model is unknown: set it with `ricordo usage price`",
}


async def unread_turns(tx: Transaction, has_llm: bool, conversation: str | None = None) -> UnreadTurns:
    """How much no LLM has read, of all conversations or of one. `has_llm` tells whether this process has one."""
    rows = await store.unread_conversations(tx, conversation)
    ids = {str(id) for id, unread, _ in rows if unread}
    found = UnreadTurns(
        conversations=len(ids),
        turns=sum(unread for _, unread, _ in rows),
        unusable=sum(vain for *_, vain in rows),
        has_llm=has_llm,
    )
    if not ids:
        return found
    queued = [each for each in await jobs.of_task(tx, _TASK) if each.args.get(_ARGUMENT) in ids]
    alive = {each.args[_ARGUMENT] for each in queued if each.state != "dead"}
    reason = await _reason(tx, queued, has_llm)
    return found.model_copy(update={"queued": len(alive), "reason": reason})


async def queue_unread(tx: Transaction, conversation: str | None = None) -> int:
    """Let background jobs read what no LLM has read, of all conversations or of one; returns of how many.

    Raises NotFound.
    """
    if conversation is not None and not await palace.find_conversation(tx, conversation):
        raise NotFound(f"conversation {quoted(conversation)} not found")
    ids: list[UUID] = [id for id, unread, _ in await store.unread_conversations(tx, conversation) if unread]
    if ids:
        await jobs.enqueue_each(tx, _TASK, _ARGUMENT, ids)
    return len(ids)


async def _reason(tx: Transaction, queued: list[Job], has_llm: bool) -> str:
    """Why turns are unread that have these jobs."""
    if error := next((each.error for each in queued if each.failures and each.error), None):
        return error
    if not has_llm:
        return "no LLM is set up in this process (RICORDO_LLM_URL)"
    if queued and (stopped := await accounts.last_outcome(tx, "memory_extract")) in _STOPPED:
        return _STOPPED[stopped]
    if queued:
        return "background jobs are reading them (see ricordo jobs list)"
    return "they were stored where no LLM was set up: run `ricordo fact extract`"
