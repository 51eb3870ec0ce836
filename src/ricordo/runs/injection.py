"""What a run is told of its agent's memory: which entries, in which order, and the block ahead of its template."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import audit, memories, recall
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.models import Agent, Entry, Profile
from ricordo.recall import Match, Meaning
from ricordo.runs import store
from ricordo.text import tokens_in

_HEADING = "## Context Memory"
#: How many characters of a template tell which entries are relevant to it.
_LOOK = 8_000


async def choose(
    tx: Transaction,
    user_id: UUID,
    agent: Agent,
    profile: Profile,
    conversation: str | None,
    template: str,
    meant: Meaning,
    actor: Actor,
    max_tokens: int | None = None,
) -> list[tuple[Entry, str]]:
    """The entries that a profile gives to a run, in the order of its strategy, each with its text on one line, line
    breaks written out; and
    one `read` in the log, which names them and what they were chosen by.

    Of the profile itself come the scopes `project`, and `conversation` as far as it is the run's; `global` comes from
    every profile of the agent, and of each agent that has a grant to it at this moment. What is redacted before this
    transaction ends is not among them; with `max_tokens` neither is what has no room in the block. `meant` is what
    `question` means, as far as an embedding model says.
    """
    chosen = store.Injectable(
        ["entry"], profile=profile.id, agent=agent.id, of=conversation, injected=profile.injection_scopes
    )
    if not profile.injection_limit or not chosen.possible:
        return []
    matches: Sequence[Match] = ()
    if profile.injection_strategy == "relevant":
        query = question(profile, template)
        if not query:
            return []
        matches = await recall.find(tx, user_id, query, meant, chosen, profile.injection_limit)
        found = [each.entry for each in matches]
    else:
        order = "newest" if profile.injection_strategy == "recent" else "confidence"
        found = await memories.select(tx, chosen, order, profile.injection_limit)
    held = await store.hold(tx, [each.id for each in found])
    said = [(each, held[each.id]) for each in found if each.id in held]
    if max_tokens is not None:
        said = _fitting(said, max_tokens)
    await _record(tx, user_id, actor, profile, [entry for entry, _ in said], matches)
    return said


async def _record(
    tx: Transaction, user_id: UUID, actor: Actor, profile: Profile, told: Sequence[Entry], matches: Sequence[Match]
) -> None:
    """Note what the run was told, and by what it was chosen: signals, or what the strategy goes by."""
    context = {"profile_id": str(profile.id), "injection": profile.injection_strategy}
    if profile.injection_strategy == "relevant":
        ids = {each.id for each in told}
        await recall.record(tx, user_id, actor, [each for each in matches if each.entry.id in ids], context)
        return
    by = {str(each.id): {"confidence": each.confidence, "written": each.created_at.isoformat()} for each in told}
    await audit.log_read(tx, user_id, actor, [each.id for each in told], {**context, "chosen": by})


def question(profile: Profile, template: str) -> str:
    """What is looked for where a profile gives what is relevant to a template; "" where it does not go by that."""
    return template[:_LOOK].strip() if profile.injection_strategy == "relevant" and profile.injection_limit else ""


def render(found: Sequence[tuple[Entry, str]]) -> str:
    """The block of seed 000: a heading, then a line for each entry with its text. No text can begin a line of its
    own, and so none can pass as another entry, as a heading or as the template."""
    return "\n".join([_HEADING, *(_line(entry, text) for entry, text in found)])


def _fitting(found: Sequence[tuple[Entry, str]], max_tokens: int) -> list[tuple[Entry, str]]:
    """Those that have room in a block of so many tokens, in their order."""
    left, kept = max_tokens - tokens_in(_HEADING), []
    for entry, text in found:
        cost = tokens_in(f"\n{_line(entry, text)}")
        if cost <= left:
            kept.append((entry, text))
            left -= cost
    return kept


def _line(entry: Entry, text: str) -> str:
    return f"- [{_confidence(entry.confidence)}] {text}"


def _confidence(value: float | None) -> str:
    """As few digits as tell the number, and one behind the point at least: 0.9, 0.85, 1.0."""
    text = f"{value or 0:.7f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text
