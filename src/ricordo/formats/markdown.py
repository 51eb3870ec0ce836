"""Chats in Markdown: a heading `## User`, or a bold name `**Ada** (2025-03-04 18:02): hello`, begins each turn.

The grammar of such lines, the title, date and front matter that may stand before them, and how a chat is told
from any other Markdown are written down in `ricordo.formats.dialogue`; this format takes its styles
`heading` and `bold`, and the style `line` in files named `.md` or `.markdown`. The conversation's id is the
file's, as for plain text.
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

_SUFFIXES = {".md", ".markdown"}


def _recognises(sample: Sample) -> bool:
    cast = dialogue.cast_of(sample)
    return cast is not None and (cast.style != "line" or sample.suffix in _SUFFIXES)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    yield from dialogue.read(source, FORMAT.name, report)


FORMAT = Format("markdown", "Markdown chat", _recognises, _read)
