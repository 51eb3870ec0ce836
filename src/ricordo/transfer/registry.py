"""The formats that Ricordo reads. To add one, write its module and put its line here."""

from __future__ import annotations

from ricordo.transfer import chatgpt, claude_ai, claude_code, markdown, neutral, text
from ricordo.transfer.format import Format
from ricordo.transfer.sample import Sample

#: In the order in which they are asked: those with marks of their own before the general ones.
FORMATS: tuple[Format, ...] = (
    chatgpt.FORMAT,
    claude_ai.FORMAT,
    claude_code.FORMAT,
    neutral.FORMAT,
    markdown.FORMAT,
    text.FORMAT,
)


def recognise(sample: Sample) -> Format | None:
    """The first format that knows the sample as its own, or None."""
    return next((each for each in FORMATS if each.recognises(sample)), None)


def known() -> str:
    """The formats by the names that people use, for messages."""
    return ", ".join(each.title for each in FORMATS)
