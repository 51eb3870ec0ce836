"""Chats in plain text: a line `Ada: hello`, `[2025-03-04 18:02] Ada: hello` … begins each turn.

The grammar of such lines, the title and date that may stand before them, and how a chat is told from any other text are
written down in `ricordo.formats.dialogue`; this format takes its style `line`. The conversation's id is the
file's: the name of its folder and its own, or the path inside the folder that was named.
"""

from __future__ import annotations

from collections.abc import Iterator

from ricordo.formats import dialogue
from ricordo.formats.elements import Shape
from ricordo.formats.format import Format
from ricordo.formats.problems import Reporter
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.models import Conversation


def _recognises(sample: Sample) -> bool:
    return dialogue.cast_of(sample) is not None


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    yield from dialogue.read(source, FORMAT.name, report)


FORMAT = Format("text", "plain-text chat", _recognises, _read)
