"""Events as sentences, such as `Conversation stored: “Kitchen”, 14 turns`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ricordo.errors import counted
from ricordo.models import Event, EventType

#: What each type of event is called.
TITLES: Mapping[EventType, str] = {
    "memory_mined": "Conversation stored",
    "memory_extracted": "Facts extracted",
    "memory_injected": "Run started",
    "memory_committed": "Run's writes stored",
    "memory_dropped": "Run's writes dropped",
    "run_failed": "Run failed",
    "run_cancelled": "Run canceled",
    "memory_redacted": "Text redacted",
    "memory_forgotten": "Memory forgotten",
    "memory_expired": "Memory expired",
    "memory_held": "Write held for review",
    "held_write_accepted": "Held write accepted",
    "held_write_rejected": "Held write rejected",
    "memory_reembedded": "Embedding model changed",
    "chats_imported": "Conversations imported",
    "entities_merged": "Entities merged",
    "entities_parted": "Merged entities separated",
    "palace_edited": "Palace edited",
    "entity_changed": "Entity edited",
    "relation_entered": "Relation added",
    "relation_ended": "Relation ended",
    "fact_confirmed": "Fact confirmed",
    "fact_corrected": "Fact corrected",
    "fact_rejected": "Fact rejected",
    "fact_decision_undone": "Decision about a fact undone",
    "agent_created": "Agent created",
    "agent_changed": "Agent changed",
    "agent_deleted": "Agent deleted",
    "proposals_made": "Core memories proposed",
    "proposal_accepted": "Proposal accepted",
    "proposal_rejected": "Proposal rejected",
    "proposal_undone": "Accepted proposal undone",
    "settings_changed": "Settings changed",
    "key_created": "API key created",
    "key_revoked": "API key revoked",
}
_REASONS = {
    "problems": "because a write was invalid",
    "failed": "because the run failed",
    "cancelled": "because the run was canceled",
}
#: Counts in payloads, with what they count, in the order in which they are told.
_COUNTS: Mapping[str, str] = {
    "conversations": "conversation",
    "turns": "turn",
    "stored": "new turn",
    "facts": "fact",
    "mentions": "mention",
    "write_count": "write",
    "proposals": "proposal",
}


@dataclass(frozen=True)
class Names:
    """What the ids of an event stand for, as far as it is known."""

    agent: str | None = None
    conversation: str | None = None
    entity: str | None = None
    fact: str | None = None
    corrected: str | None = None
    key: str | None = None


def sentence(event: Event, names: Names) -> str:
    """What happened, in words."""
    title = TITLES.get(event.event, _plain(event.event))  # type: ignore[call-overload]
    told = ", ".join(filter(None, _details(event, names)))
    return f"{title}: {told}" if told else title


def _details(event: Event, names: Names) -> list[str | None]:
    payload, kind = event.payload, event.event
    if kind in ("memory_mined", "memory_extracted"):
        about = names.conversation or event.conversation_id
        wanted = ("turns",) if kind == "memory_mined" else ("facts", "mentions")
        return [about and _quoted(about), *_counts(payload, wanted)]
    if kind == "chats_imported":
        known, problems = payload.get("duplicates"), payload.get("problems")
        return [
            *_counts(payload, ("conversations", "stored")),
            counted(known, "turn already stored", "turns already stored") if known else None,
            counted(problems, "problem") if problems else None,
        ]
    if kind == "settings_changed":
        return [_setting(name, **change) for name, change in payload.get("changed", {}).items()]
    if kind == "memory_reembedded":
        return [f"{payload.get('from') or 'no model'} → {payload['to']}" if payload.get("to") else None]
    if kind == "palace_edited":
        return [_plain(str(payload.get("action"))), payload.get("pointer")]
    if kind in ("memory_redacted", "memory_forgotten", "memory_expired"):
        memories = payload.get("memories", 1)
        return [counted(memories, "memory") if memories != 1 else None]
    return [*_who(event, names), *_rest(payload)]


def _who(event: Event, names: Names) -> list[str | None]:
    about = " → ".join(filter(None, [names.fact, names.corrected])) or names.entity
    return [names.key and _quoted(names.key), names.agent, about]


def _rest(payload: Mapping[str, Any]) -> list[str | None]:
    """Of the other types: how many entries a prompt holds, what was changed, how much there is, and why."""
    entries, fields, reason = payload.get("entry_count"), payload.get("fields"), payload.get("reason")
    return [
        f"{counted(entries, 'entry') if entries else 'no entries'} in its prompt" if entries is not None else None,
        _listed([_plain("memory" if each == "memory_disabled" else each) for each in fields]) if fields else None,
        *_counts(payload, ("write_count", "proposals")),
        _REASONS.get(reason, reason) if reason else None,
    ]


def _counts(payload: Mapping[str, Any], fields: tuple[str, ...]) -> list[str | None]:
    return [counted(payload[each], _COUNTS[each]) if each in payload else None for each in fields]


def _setting(name: str, **change: Any) -> str:
    return f"{name} from {_value(name, change.get('from'))} to {_value(name, change.get('to'))}"


def _value(name: str, value: Any) -> str:
    if value is None:
        return "none" if name.startswith("cap_") else "default"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"${value}" if name.startswith("cap_") else str(value)


def _quoted(name: str) -> str:
    return f"“{name}”"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
