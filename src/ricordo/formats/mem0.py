"""Memories of mem0 as its `get_all()`, `search()` and platform give them: `{"results": [{"id": …, "memory": …}]}`.

A file may also be the list alone, or a memory a line. mem0 keeps what a model made of the conversation, not the
conversation: each memory becomes a turn of the user's, word for word, in one conversation for each owner,
`mem0:USER[/AGENT[/RUN]]`, titled `Memories of USER (mem0)`. So recall finds them beside what was really said, dated by
when mem0 last changed them. A memory that mem0 changed after it was imported comes again, as a later turn; the older
one stays, as it was true then. Categories and metadata, relations, scores and hashes are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.formats.draft import Draft, identifier
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, Where, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.models import Conversation

_OWNERS = ("user_id", "agent_id", "run_id")
#: Owners whose memories are held at once; before more are, what is held is given out.
_OPEN = 1000


def _recognises(sample: Sample) -> bool:
    return any(_is_memory(memory) for each in sample.objects for memory in [each, *_results(each)[:20]])


def _results(value: dict[str, object]) -> list[object]:
    results = value.get("results")
    return results if isinstance(results, list) else []


def _is_memory(value: object) -> bool:
    """A `memory` that is text, and enough of what mem0 puts beside it."""
    if not isinstance(value, dict) or not isinstance(value.get("memory"), str):
        return False
    return "id" in value and not {"hash", "created_at", *_OWNERS}.isdisjoint(value)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    drafts: dict[str, Draft] = {}
    for number, value in values(source, shape, report):
        inside = isinstance(value, dict) and isinstance(value.get("results"), list)
        memories = _results(value) if isinstance(value, dict) and inside else [value]
        for count, memory in enumerate(memories, start=1):
            where: Where = (number, count) if inside else number
            if not isinstance(memory, dict):
                report(f"{kind(memory)} where a memory should be", where=where)
                continue
            owner = "/".join(each for key in _OWNERS if (each := identifier(memory.get(key))))
            if owner not in drafts and len(drafts) >= _OPEN:
                yield from _take(drafts)
            draft = drafts.setdefault(owner, _draft(source, owner, report))
            _add_turn(draft, memory, where)
            if draft.full:
                yield from draft.take()
    yield from _take(drafts)


def _draft(source: Source, owner: str, report: Reporter) -> Draft:
    known_as = f"mem0:{owner}" if owner else source.id
    return Draft(report, source=FORMAT.name, id=known_as, title=f"Memories of {owner or 'mem0'} (mem0)")


def _take(drafts: dict[str, Draft]) -> Iterator[Conversation]:
    for draft in drafts.values():
        yield from draft.take()
    drafts.clear()


def _add_turn(draft: Draft, memory: dict[str, object], where: Where) -> None:
    made, changed, known_as = memory.get("created_at"), memory.get("updated_at"), identifier(memory.get("id"))
    if known_as and changed and changed != made:
        known_as = f"{known_as}@{changed}"
    draft.add(memory.get("memory"), role="user", at=changed or made, id=known_as, where=where)


FORMAT = Format("mem0", "mem0 export", _recognises, _read)
