"""ricordo status: how much a user has stored, and what waits for an LLM, an embedding model, a person or a retry."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, shown, stamp, user_option
from ricordo.errors import counted
from ricordo.models import Overview


@click.command("status")
@json_option
@user_option
def command(as_json: bool, user: str | None) -> None:
    """Show how much is stored, and what waits for an LLM, an embedding model, a review or a retry.

    For the installation see `ricordo doctor`, for the database `ricordo db status`.
    """
    with Memory(user=user, background=False) as memory:
        overview = memory.activity.overview()
    if as_json:
        print_item(overview)
        return
    for name, text in _lines(overview):
        click.echo(f"{name:<18}{shown(text)}")


def _lines(found: Overview) -> Iterator[tuple[str, str]]:
    yield "stored", f"{counted(found.turns, 'turn')} in {counted(found.conversations, 'conversation')}"
    if found.first_at and found.last_at:
        yield "time span", f"{stamp(found.first_at, 'day')} to {stamp(found.last_at, 'day')}"
    yield "entities", f"{found.entities:,}"
    yield "agents", f"{found.agents:,}, with {counted(found.memories, 'memory')}"
    reason = f": {found.keywords_only}" if found.pending and found.keywords_only else ""
    yield "without a vector", f"{counted(found.pending, 'memory')}{reason}"
    unread = found.unread
    text = f"{counted(unread.turns, 'turn')} in {counted(unread.conversations, 'conversation')}"
    yield "not read by LLM", f"{text}: {unread.reason}" if unread.turns else counted(0, "turn")
    if unread.unusable:
        yield "unusable replies", f"{counted(unread.unusable, 'turn')}; to ask again: ricordo fact extract --retry"
    yield "held for review", counted(found.held, "write")
    yield "jobs", f"{found.jobs_waiting:,} waiting, {found.jobs_running:,} running, {found.jobs_failed:,} failed"
