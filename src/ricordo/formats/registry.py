"""The formats that Ricordo reads. To add one, write its module and put its line here."""

from __future__ import annotations

from collections.abc import Set

from ricordo.formats import (
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    cursor,
    decisions,
    discord,
    gemini_cli,
    gemini_takeout,
    markdown,
    mbox,
    mem0,
    mempalace,
    messenger,
    neutral,
    opencode,
    signal,
    signal_export,
    slack,
    telegram,
    text,
    whatsapp,
    windsurf,
)
from ricordo.formats.format import Export, Format
from ricordo.formats.sample import Sample

#: In the order in which they are asked: those with marks of their own before the general ones.
FORMATS: tuple[Format, ...] = (
    chatgpt.FORMAT,
    claude_ai.FORMAT,
    claude_code.FORMAT,
    codex.FORMAT,
    gemini_cli.FORMAT,
    gemini_takeout.FORMAT,
    opencode.FORMAT,
    cursor.FORMAT,
    windsurf.FORMAT,
    discord.FORMAT,
    telegram.FORMAT,
    messenger.FORMAT,
    mem0.FORMAT,
    mempalace.FORMAT,
    neutral.FORMAT,
    mbox.FORMAT,
    whatsapp.FORMAT,
    signal.FORMAT,
    signal_export.FORMAT,
    markdown.FORMAT,
    text.FORMAT,
)

#: Formats whose files can be read together only.
EXPORTS: tuple[Export, ...] = (slack.EXPORT, mempalace.EXPORT, opencode.EXPORT)


def export(names: Set[str]) -> Export | None:
    """The export whose root a folder with files of these names is, or None."""
    return next((each for each in EXPORTS if each.recognises(names)), None)


def recognise(sample: Sample) -> Format | None:
    """The first format that knows the sample as its own, or None."""
    return next((each for each in FORMATS if each.recognises(sample)), None)


def known() -> str:
    """The formats by the names that people use, for messages."""
    return ", ".join(
        dict.fromkeys([*(each.title for each in FORMATS), *(each.title for each in EXPORTS), decisions.EXPORT.title])
    )
