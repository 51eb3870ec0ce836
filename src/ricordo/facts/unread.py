"""Turns that no LLM has read yet: how many there are, why, and the jobs that read them."""

from __future__ import annotations

from uuid import UUID

from ricordo import accounts, jobs, palace
from ricordo.database import Transaction
from ricordo.errors import NotFound, quoted
from ricordo.facts import reading_store as store
from ricordo.models import CallOutcome, Job, UnreadTurns

_TASK, _ARGUMENT = "extract", "conversation"
_STOPPED: dict[CallOutcome, str] = {
    "cap_conversation": "the spending cap for a conversation does not allow it (see ricordo usage)",
    "cap_month": "the spending cap for this month does not allow it (see ricordo usage)",
    "unpriced": "there is a spending cap, but the model's price is unknown: set it with `ricordo usage price`",
}


async def unread_turns(tx: Transaction, has_llm: bool, conversation: str | None = None) -> UnreadTurns:
    """Count the unread turns of all conversations or one. `has_llm` is whether this process has an LLM."""
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


async def queue_unread(tx: Transaction, conversation: str | None = None, *, retry: bool = False) -> int:
    """Queue jobs that read the unread turns of all conversations or one, and return the number of conversations. With
    `retry`, the LLM is asked again about turns for which it gave no usable reply.

    Raises NotFound.
    """
    if conversation is not None and not await palace.find_conversation(tx, conversation):
        raise NotFound(f"conversation {quoted(conversation)} not found")
    if retry:
        await store.forgive(tx, conversation)
    ids: list[UUID] = [id for id, unread, _ in await store.unread_conversations(tx, conversation) if unread]
    if ids:
        await jobs.enqueue_each(tx, _TASK, _ARGUMENT, ids)
    return len(ids)


async def _reason(tx: Transaction, queued: list[Job], has_llm: bool) -> str:
    """The reason why turns with these jobs are unread."""
    if error := next((each.error for each in queued if each.failures and each.error), None):
        return error
    if not has_llm:
        return "no LLM is set up in this process (RICORDO_LLM_URL)"
    if queued and (stopped := await accounts.last_outcome(tx, "memory_extract")) in _STOPPED:
        return _STOPPED[stopped]
    if queued:
        return "background jobs are reading them (see ricordo jobs list)"
    return "they were stored where no LLM was set up: run `ricordo fact extract`"
