"""Short conversations that tests mine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ricordo.blocking import Memory

BATTERY: list[dict[str, Any]] = [
    {"role": "user", "name": "Ada", "content": "Which cells should go into the e-foil?", "at": "2026-03-01T18:00:00Z"},
    {"role": "assistant", "content": "LiFePO4 cells: safer than lithium polymer.", "at": "2026-03-01T18:00:30Z"},
    {
        "role": "user",
        "name": "Ada",
        "content": "Then we take the 12V20Ah pack from Lindner.",
        "at": "2026-03-01T18:02:00Z",
    },
    {"role": "assistant", "content": "Noted: the Lindner pack.", "at": "2026-03-01T18:02:30Z"},
]

LISBON: list[dict[str, Any]] = [
    {"role": "user", "name": "Ada", "content": "Ines and I fly to Lisbon in May.", "at": "2026-04-02T09:00:00Z"},
    {"role": "assistant", "content": "May is warm and not yet crowded.", "at": "2026-04-02T09:01:00Z"},
    {"role": "user", "name": "Ada", "content": "No early flights, please; I hate them.", "at": "2026-04-02T09:02:00Z"},
]


def mine_days(memory: Memory, talk: Mapping[str, str]) -> None:
    """Mine what one person says at noon of each day, each day a conversation."""
    for day, text in talk.items():
        memory.mine([{"role": "user", "content": text, "at": f"{day}T12:00:00Z"}], conversation=day)
