"""Events as sentences."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import pytest

from ricordo.accounts import Names, sentence
from ricordo.accounts.sentences import TITLES
from ricordo.models import Event, EventType

AGENT, ENTITY = Names(agent="coder"), Names(entity="Tom")
CASES: list[tuple[str, dict[str, Any], Names, str]] = [
    ("memory_mined", {"turns": 14}, Names(conversation="Kitchen"), "Conversation stored: “Kitchen”, 14 turns"),
    ("memory_mined", {"turns": 1}, Names(), "Conversation stored: “c-7”, 1 turn"),
    ("memory_extracted", {"mentions": 2, "facts": 1}, Names(), "Facts extracted: “c-7”, 1 fact, 2 mentions"),
    ("memory_injected", {"entry_count": 3}, AGENT, "Run started: coder, 3 entries in its prompt"),
    ("memory_injected", {"entry_count": 0}, AGENT, "Run started: coder, no entries in its prompt"),
    ("memory_committed", {"write_count": 2}, AGENT, "Run's writes stored: coder, 2 writes"),
    (
        "memory_dropped", {"reason": "problems", "write_count": 2, "problems": []}, AGENT,
        "Run's writes dropped: coder, 2 writes, because a write was invalid",
    ),
    ("run_failed", {"reason": "no answer"}, AGENT, "Run failed: coder, no answer"),
    ("memory_redacted", {"memories": 1, "memory_id": "x"}, Names(), "Text redacted"),
    ("memory_expired", {"memories": 1200}, Names(), "Memory expired: 1,200 memories"),
    (
        "chats_imported", {"conversations": 2, "stored": 30, "duplicates": 0, "problems": 1}, Names(),
        "Conversations imported: 2 conversations, 30 new turns, 1 problem",
    ),
    ("memory_reembedded", {"from": None, "to": "new"}, Names(), "Embedding model changed: no model → new"),
    ("agent_changed", {"fields": ["memory_disabled", "name"]}, AGENT, "Agent changed: coder, memory and name"),
    ("relation_entered", {"entity": "01a2"}, ENTITY, "Relation added: Tom"),
    ("relation_ended", {"entity": "01a2"}, Names(), "Relation ended"),
    (
        "relation_ended", {"entity": "01a2", "fact": "01a3"}, Names(entity="Tom", fact="Tom lives in Rome"),
        "Relation ended: Tom lives in Rome",
    ),
    (
        "fact_corrected", {"entity": "01a2", "fact": "01a3", "corrected": "01a4"},
        Names(entity="Tom", fact="Tom's wife: Ana", corrected="Tom's wife: Eva"),
        "Fact corrected: Tom's wife: Ana → Tom's wife: Eva",
    ),
    ("entity_changed", {"entity": "01a2", "fields": ["alias", "name"]}, ENTITY, "Entity edited: Tom, alias and name"),
    (
        "palace_edited", {"action": "move_drawers", "pointer": "§ W-001/R-02"}, Names(),
        "Palace edited: move drawers, § W-001/R-02",
    ),
    ("key_created", {"key": "01a3"}, Names(key="laptop"), "API key created: “laptop”"),
    (
        "settings_changed",
        {"changed": {"auto_mine": {"from": True, "to": False}, "cap_month": {"from": None, "to": "5"}}}, Names(),
        "Settings changed: auto_mine from on to off, cap_month from none to $5",
    ),
    ("settings_changed", {}, Names(), "Settings changed"),
    ("moon_landed", {"crew": 3}, Names(), "moon landed"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "payload", "names", "expected"), CASES)
def test_an_event_is_a_sentence(event: str, payload: dict[str, Any], names: Names, expected: str) -> None:
    of = Event(id=UUID(int=1), event=event, payload=payload, conversation_id="c-7", created_at=datetime(2026, 1, 1))
    assert sentence(of, names) == expected


def test_every_type_has_a_title_and_the_page_has_the_same() -> None:
    assert set(TITLES) == set(get_args(EventType))
    page = Path(__file__).parents[2] / "web" / "src" / "texts" / "events.ts"
    assert dict(re.findall(r'^  (\w+): "(.*)",$', page.read_text(), re.M)) == TITLES
