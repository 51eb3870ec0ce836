"""What a profile's entries say together, and which of them say the same: by an LLM, as a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from ricordo.llm.budget import Budget
from ricordo.llm.form import Form
from ricordo.llm.quoting import quoted
from ricordo.models import CostEstimate

if TYPE_CHECKING:
    from ricordo.llm.llm import LLM

#: Entries that an LLM sees, and characters of each.
MOST_ENTRIES = 100
_CHARACTERS = 1000
_TOKENS, _TRIES = 1500, 2
_TASK = (
    "You look through what an agent remembers. {data} Each of these entries has a number `n`. Reply with one JSON "
    'object such as {{"summary": "…", "duplicates": [[0, 4], [2, 3, 9]]}}: in `summary` what the entries say together, '
    "in at most five sentences and in their language; in `duplicates` each group of entries that say the same thing, "
    "so that one of them would do. Entries that only speak of the same matter are no duplicates."
)


class _Read(Form):
    summary: str
    duplicates: list[list[int]] = Field(default_factory=list)


@dataclass(frozen=True)
class Summary:
    """What entries say together, and groups of indices of those that say the same."""

    text: str
    duplicates: list[list[int]]


async def summarize(llm: LLM, entries: Sequence[str]) -> Summary:
    """An LLM's summary of up to 100 entries. Raises ModelUnavailable, ReplyUnusable and CapReached."""
    said = (await llm.complete("memory_summary", _messages(entries), _Read, _budget(llm))).said
    groups = [sorted({each for each in group if 0 <= each < len(entries)}) for group in said.duplicates]
    return Summary(said.summary.strip(), [group for group in groups if len(group) > 1])


async def estimate_summary(llm: LLM, entries: Sequence[str]) -> CostEstimate:
    """What that would take at most. Nothing is sent."""
    return await llm.estimate([_messages(entries)], _budget(llm), _Read)


def _messages(entries: Sequence[str]) -> list[dict[str, str]]:
    lines, is_data = quoted({"n": number, "text": text[:_CHARACTERS]} for number, text in enumerate(entries))
    return [{"role": "system", "content": _TASK.format(data=is_data)}, {"role": "user", "content": lines}]


def _budget(llm: LLM) -> Budget:
    return Budget(llm.seconds, _TOKENS, _TRIES, once_more=True)
