"""ricordo memory: profiles and entries of agents, and operations on memories of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    Moment,
    json_option,
    print_item,
    print_items,
    print_json,
    print_receipt,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import NotFound
from ricordo.models import Access, Entry, RemovalReceipt, Retention, Scope, Source, Version

_SCOPES = click.Choice(["project", "conversation", "global"])
_SOURCES = click.Choice(["user", "agent", "tool", "eval", "manual"])
_HANDLING = click.Choice(["store", "redact", "reject", "user"])
_REVIEWED = click.Choice(["nothing", "tools", "agents", "user"])
_profile = click.option("--profile", required=True, type=click.UUID, metavar="ID", help="Profile id.")


@click.group("memory")
def command() -> None:
    """Write, read, redact and summarize memories."""


@command.command("list-profiles")
@click.option("--agent", required=True, metavar="AGENT", help="Agent id or name.")
@json_option
@user_option
def list_profiles(agent: str, as_json: bool, user: str | None) -> None:
    """List the memory profiles of an agent, the default one first."""
    with Memory(user=user, background=False) as memory:
        profiles = memory.profiles.list(agent)
    if as_json:
        print_items(profiles)
        return
    for each in profiles:
        default = "  default" if each.is_default else ""
        injected = f"{each.injection_strategy} {each.injection_limit}"
        click.echo(f"{each.id}  {shown(each.name)}  {each.scope}  {each.isolation}  {injected}{default}")


@command.command("change-profile")
@click.argument("profile", type=click.UUID)
@click.option("--secrets", type=_HANDLING, help="Action for keys, tokens and passwords.")
@click.option("--personal-data", type=_HANDLING, help="Action for card, account, phone and id numbers and addresses.")
@click.option("--review", type=_REVIEWED, help="Writers whose memories need a review.")
@json_option
@user_option
def change_profile(
    profile: UUID,
    secrets: str | None,
    personal_data: str | None,
    review: str | None,
    as_json: bool,
    user: str | None,
) -> None:
    """Change the policies of a profile. `user` applies the user's settings."""
    given = {"secrets": secrets, "personal_data": personal_data, "review": review}
    changes = {name: None if value == "user" else value for name, value in given.items() if value is not None}
    with Memory(user=user, background=False) as memory:
        changed = memory.profiles.change(profile, **changes)
    if as_json:
        print_item(changed)
    else:
        click.echo("\n".join(f"{name}: {getattr(changed, name) or 'as the user chose'}" for name in given))


@command.command("list-entries")
@_profile
@click.option("--scope", type=_SCOPES, help="Only entries of this scope.")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def list_entries(profile: UUID, scope: Scope | None, limit: int, as_json: bool, user: str | None) -> None:
    """List the entries of a profile: the surest first, then the newest."""
    with Memory(user=user, background=False) as memory:
        entries = memory.entries.read(profile, scope=scope, limit=limit)
    if as_json:
        print_items(entries)
        return
    for each in entries:
        print_entry(each)


@command.command("write-entry")
@_profile
@click.option("--scope", type=_SCOPES, help="Scope of the entry.  [default: the profile's scope]")
@click.option("--source", type=_SOURCES, default="manual", show_default=True, help="Origin of the entry.")
@click.option("--content", required=True, metavar="TEXT", help="Text of the entry, up to 10,000 characters.")
@click.option("--confidence", type=float, default=0.5, show_default=True, help="Confidence, 0 to 1.")
@click.option("--conversation", metavar="ID", help="Conversation id, for an entry with the scope conversation.")
@json_option
@user_option
def write_entry(
    profile: UUID,
    scope: Scope | None,
    source: Source,
    content: str,
    confidence: float,
    conversation: str | None,
    as_json: bool,
    user: str | None,
) -> int:
    """Write an entry to a profile. Prints whether it was stored, held for review, a duplicate or rejected."""
    with Memory(user=user, background=False) as memory:
        receipt = memory.entries.write(
            profile, content, scope=scope, source=source, confidence=confidence, conversation=conversation
        )
    return print_receipt(receipt, as_json)


@command.command("redact")
@click.argument("memory_id", type=click.UUID)
@click.option("--reason", metavar="TEXT", help="Reason to record in the access log.")
@json_option
@user_option
def redact(memory_id: UUID, reason: str | None, as_json: bool, user: str | None) -> None:
    """Permanently replace a memory's text with [redacted], and delete the data derived from it."""
    with Memory(user=user, background=False) as memory:
        _print_receipt(memory.entries.redact(memory_id, reason), as_json)


@command.command("forget")
@click.argument("memory_id", type=click.UUID)
@click.option("--reason", metavar="TEXT", help="Reason to record in the access log.")
@json_option
@user_option
def forget(memory_id: UUID, reason: str | None, as_json: bool, user: str | None) -> None:
    """Delete a memory and the data derived from it. A turn of a conversation is redacted instead."""
    with Memory(user=user, background=False) as memory:
        _print_receipt(memory.entries.forget(memory_id, reason), as_json)


@command.command("summarize")
@_profile
@click.option("--dry-run", is_flag=True, help="Estimate the cost without calling the LLM.")
@json_option
@user_option
def summarize(profile: UUID, dry_run: bool, as_json: bool, user: str | None) -> None:
    """Summarize a profile's entries: number, scopes and time of the last write. If an LLM is configured, also print a
    text summary and likely duplicates."""
    with Memory(user=user, background=False) as memory:
        summary = memory.entries.summarize(profile, dry_run=dry_run)
    last = summary["last_written_at"]
    written = {**summary, "last_written_at": last.isoformat() if last else None}
    if duplicates := summary.get("proposed_duplicates"):
        written["proposed_duplicates"] = [[str(each) for each in group] for group in duplicates]
    if estimate := summary.get("estimate"):
        written["estimate"] = estimate.model_dump(mode="json")
    if as_json:
        print_json(written)
    else:
        click.echo("\n".join(f"{name}: {shown(_plain(value))}" for name, value in written.items()))


@command.command("get")
@click.argument("memory_id", type=click.UUID)
@json_option
@user_option
def get(memory_id: UUID, as_json: bool, user: str | None) -> None:
    """Show a memory of any kind with all its fields."""
    with Memory(user=user, background=False) as memory:
        try:
            entry = memory.entries.get(memory_id)
        except NotFound:
            _require_not_held(memory, memory_id)
            raise
    fields = entry.model_dump(mode="json")
    if as_json:
        print_json(fields)
    else:
        click.echo("\n".join(f"{name}: {shown(_plain(value))}" for name, value in fields.items() if value is not None))


@command.command("update")
@click.argument("memory_id", type=click.UUID)
@click.option("--content", required=True, metavar="TEXT", help="New text.")
@json_option
@user_option
def update(memory_id: UUID, content: str, as_json: bool, user: str | None) -> None:
    """Change a memory's text. The old text stays in its history."""
    with Memory(user=user, background=False) as memory:
        entry = memory.entries.edit(memory_id, content)
    if as_json:
        print_item(entry)
    else:
        print_entry(entry)


@command.command("history")
@click.argument("memory_id", type=click.UUID)
@click.option("--accesses", is_flag=True, help="Show the access log instead: who, when, in which run.")
@click.option("--as-of", type=Moment(), help="Show only the version at this time.")
@json_option
@user_option
def history(memory_id: UUID, accesses: bool, as_of: datetime | None, as_json: bool, user: str | None) -> None:
    """Show every version of a memory, oldest first."""
    with Memory(user=user, background=False) as memory:
        found: Sequence[Access | Version]
        if accesses:
            found = memory.entries.accesses(memory_id)
        else:
            found = [memory.entries.as_of(memory_id, as_of)] if as_of else memory.entries.history(memory_id)
    if as_json:
        print_items(found)
        return
    for each in found:
        fields = each.model_dump(mode="json", exclude={"fields", "memory_ids", "id"})
        click.echo("  ".join(shown(_plain(value)) for value in fields.values() if value not in (None, {})))


@command.command("add")
@click.argument("content")
@click.option("--expires-at", type=Moment(), help="When the note is deleted.  [default: never]")
@click.option("--importance", type=int, default=5, show_default=True, help="Importance, 1 to 10.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag of the note; repeatable.")
@click.option("--project", metavar="PROJECT", help="Project of the note.")
@click.option("--source", default="user", show_default=True, metavar="SOURCE", help="Origin of the note.")
@json_option
@user_option
def add(
    content: str,
    expires_at: datetime | None,
    importance: int,
    tags: tuple[str, ...],
    project: str | None,
    source: str,
    as_json: bool,
    user: str | None,
) -> int:
    """Store a note, permanently or until --expires-at."""
    retention: Retention = "long_term" if expires_at is None else "medium_term"
    with Memory(user=user, background=False) as memory:
        receipt = memory.notes.create(
            content,
            retention=retention,
            expires_at=expires_at,
            project=project,
            tags=tags,
            importance=importance,
            source=source,
        )
    return print_receipt(receipt, as_json)


@command.command("list")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only notes with this tag; repeatable.")
@click.option("--project", metavar="PROJECT", help="Only notes of this project.")
@click.option("--least-importance", type=int, help="Only notes with at least this importance, 1 to 10.")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def list_(
    tags: tuple[str, ...],
    project: str | None,
    least_importance: int | None,
    limit: int,
    as_json: bool,
    user: str | None,
) -> None:
    """List notes, the most important first."""
    with Memory(user=user, background=False) as memory:
        notes = memory.notes.search(project=project, tags=tags, minimum_importance=least_importance, limit=limit)
    _print_notes(notes, as_json)


@command.command("search")
@click.argument("query")
@click.option("--limit", type=int, default=10, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def search(query: str, limit: int, as_json: bool, user: str | None) -> None:
    """Find the notes that best match QUERY, by words and by meaning."""
    with Memory(user=user, background=False) as memory:
        _print_notes(memory.notes.search(query, limit=limit), as_json)


def _require_not_held(memory: Memory, id: UUID) -> None:
    """Raises a NotFound that explains what to do, if the id is in the review queue."""
    try:
        held = memory.review.get(id)
    except NotFound:
        return
    raise NotFound(
        f"memory {id} is not stored yet: this {held.kind} is in the review queue. Run "
        f"`ricordo review accept {id}` or `ricordo review reject {id}`"
    ) from None


def print_entry(entry: Entry) -> None:
    """A memory in one paragraph."""
    sure = f"[{entry.confidence:g}] " if entry.confidence is not None else ""
    told = [entry.kind, entry.scope, entry.source, stamp(entry.created_at)]
    click.echo(f"{click.style(str(entry.id), fg='cyan')}  {'  '.join(str(each) for each in told if each)}")
    click.echo(f"    {sure}{shown(entry.content)}")


def _print_notes(notes: list[Entry], as_json: bool) -> None:
    if as_json:
        print_items(notes)
        return
    for each in notes:
        print_entry(each)


def _print_receipt(receipt: RemovalReceipt, as_json: bool) -> None:
    if as_json:
        print_item(receipt)
        return
    if not receipt.done:
        click.echo(f"Nothing to do: {receipt.reason}")
        return
    removed = ", ".join(f"{name} {count}" for name, count in receipt.removed.items())
    click.echo(f"{receipt.action}: removed {removed}")
    left = {name: count for name, count in receipt.checked.items() if count}
    click.echo(f"checked {', '.join(receipt.checked)}: {left or 'no trace left'}")
    for each in receipt.remains:
        click.echo(f"not covered: {each}")


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
