"""Windsurf's transcripts of Cascade, `~/.windsurf/transcripts/ID.jsonl`, which it writes for its hooks.

Each line is a step with its `type`: `user_input` has `user_response`, `planner_response` has `response`. All others
(code changes, commands, searches) are counted, but are not turns. Steps have no time; a turn's id is its line number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from ricordo.formats.draft import Draft
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter, kind
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

#: Steps that are turns: the speaker, and the field with the text.
_SPOKEN = {"user_input": ("user", "user_response"), "planner_response": ("assistant", "response")}


def _recognises(sample: Sample) -> bool:
    return any(_inner(each) is not None for each in sample.objects)


def _inner(step: Mapping[str, object]) -> Mapping[str, object] | None:
    """The fields of a step that is a turn."""
    type = step.get("type")
    inner = step.get(type) if isinstance(type, str) and type in _SPOKEN else None
    return inner if isinstance(inner, dict) else None


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    draft = Draft(report, source=FORMAT.name, id=f"windsurf:{PurePath(source.name).stem}")
    for number, step in values(source, shape, report):
        if not isinstance(step, dict):
            report(f"{kind(step)}, not a step", where=number)
            continue
        inner = _inner(step)
        if inner is None:
            unspoken.note("other steps")
            continue
        role, field = _SPOKEN[str(step["type"])]
        if inner.get(field):  # a step of the assistant may only have called tools
            draft.add(inner[field], role=role, where=number, id=number)
        if draft.full:
            yield from draft.take()
    yield from draft.take()
    unspoken.close()


FORMAT = Format("windsurf", "Windsurf transcript", _recognises, _read)
