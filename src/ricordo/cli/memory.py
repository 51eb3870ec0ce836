"""ricordo memory: profiles and entries of agents, and operations on memories of any kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    Id,
    Moment,
    json_option,
    plain,
    print_item,
    print_items,
    print_json,
    print_receipt,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import NotFound
from ricordo.models import Access, Entry, Forgotten, Profile, RemovalReceipt, Retention, Scope, Source, Version

_SCOPES = click.Choice(["project", "conversation", "global"])
_SOURCES = click.Choice(["user", "agent", "tool", "eval", "manual"])
_HANDLING = click.Choice(["store", "redact", "reject", "user"])
_REVIEWED = click.Choice(["nothing", "tools", "agents", "user"])
Command = TypeVar("Command", bound=Callable[..., Any])


class _Limit(click.ParamType[Any]):
    """A positive whole number, or `none`."""

    name = "limit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value == "none" else click.IntRange(1).convert(value, param, ctx)


_LIMIT = _Limit()
_KINDS = ("drawer", "entry", "journal", "core", "note", "document")
_COUNTED = {
    "drawer": ("turn", "turns"), "entry": ("entry", "entries"), "journal": ("journal entry", "journal entries"),
    "core": ("core memory", "core memories"), "held": ("held write", "held writes"),
    "note": ("note", "notes"), "document": ("document", "documents"),
}  # fmt: skip
_PROFILE_ID = Id("ricordo memory list-profiles --agent AGENT")
_IMPORT_ID = Id("ricordo activity --type chats_imported --json")
_profile = click.option("--profile", required=True, type=_PROFILE_ID, metavar="ID", help="The profile's id.")


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


def _profile_options(command: Command) -> Command:
    """The options that a profile is created and changed with."""
    options = (
        click.option("--scope", type=_SCOPES, help="Default scope of new entries."),
        click.option("--isolation", type=click.Choice(["private", "shared"]), help="Whether other agents may use it."),
        click.option("--retention", type=_LIMIT, metavar="SECONDS", help="How long entries are stored, or `none`."),
        click.option("--max-entries", type=_LIMIT, metavar="N", help="Maximum number of entries, or `none`."),
        click.option(
            "--inject",
            "injection_strategy",
            type=click.Choice(["top_confidence", "recent", "relevant"]),
            help="Which entries are added to a prompt first.",
        ),
        click.option("--inject-limit", "injection_limit", type=int, help="Maximum number of entries in a prompt."),
        click.option(
            "--inject-scope",
            "injection_scopes",
            type=_SCOPES,
            multiple=True,
            help="Scope whose entries are added to a prompt; repeatable.",
        ),
        click.option("--default", "is_default", is_flag=True, help="Make it the agent's default profile."),
        click.option("--secrets", type=_HANDLING, help="What happens to keys, tokens and passwords."),
        click.option("--personal-data", type=_HANDLING, help="What happens to personal data."),
        click.option("--review", type=_REVIEWED, help="Whose writes go to the review queue."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _given(choices: dict[str, Any]) -> dict[str, Any]:
    """The fields of a profile that were given; `user` and `none` take a choice back."""
    choices["retention_seconds"] = choices.pop("retention")
    given = {name: value for name, value in choices.items() if value is not None and value is not False and value != ()}
    return {name: None if value in ("user", "none") else value for name, value in given.items()}


@command.command("create-profile")
@click.argument("agent")
@click.argument("name")
@click.option("--seed", "seeds", multiple=True, metavar="TEXT", help="Entry to begin with; repeatable.")
@_profile_options
@json_option
@user_option
def create_profile(
    agent: str, name: str, seeds: tuple[str, ...], as_json: bool, user: str | None, **choices: Any
) -> None:
    """Create the memory profile NAME of AGENT."""
    fields = {each: value for each, value in _given(choices).items() if value is not None}
    with Memory(user=user, background=False) as memory:
        _print_profile(memory.profiles.create(agent, name, seed_entries=seeds, **fields), as_json)


@command.command("change-profile")
@click.argument("profile", type=_PROFILE_ID)
@click.option("--name", metavar="NAME", help="New name.")
@_profile_options
@json_option
@user_option
def change_profile(profile: UUID, name: str | None, as_json: bool, user: str | None, **choices: Any) -> None:
    """Change a memory profile. `user` leaves a policy to the user's settings, `none` removes a limit."""
    changes = _given(choices) | ({} if name is None else {"name": name})
    with Memory(user=user, background=False) as memory:
        _print_profile(memory.profiles.change(profile, **changes), as_json)


@command.command("delete-profile")
@click.argument("profile", type=_PROFILE_ID)
@click.confirmation_option(prompt="Delete the profile with its entries?")
@user_option
def delete_profile(profile: UUID, user: str | None) -> None:
    """Delete a profile with its entries."""
    with Memory(user=user, background=False) as memory:
        memory.profiles.delete(profile)
    click.echo("deleted")


@command.command("list-entries")
@_profile
@click.option("--scope", type=_SCOPES, help="Only entries of this scope.")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def list_entries(profile: UUID, scope: Scope | None, limit: int, as_json: bool, user: str | None) -> None:
    """List the entries of a profile: highest confidence first, then newest first."""
    with Memory(user=user, background=False) as memory:
        entries = memory.entries.read(profile, scope=scope, limit=limit)
    if as_json:
        print_items(entries)
        return
    say_if_empty(entries, "No matching entries.")
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
@click.argument("memory_id", metavar="ID_OR_POINTER")
@click.option("--reason", metavar="TEXT", help="Reason, stored in the access log.")
@json_option
@user_option
def redact(memory_id: str, reason: str | None, as_json: bool, user: str | None) -> None:
    """Replace the text of a memory by [redacted] permanently, and remove everything derived from it."""
    with Memory(user=user, background=False) as memory:
        _print_receipt(memory.entries.redact(memory_id, reason), as_json)


@command.command("forget")
@click.argument("what", nargs=-1, metavar="[ID_OR_POINTER]...")
@click.option("--conversation", metavar="ID", help="All turns of the conversation that was mined under this id.")
@click.option("--source", metavar="SOURCE", help="Everything from this source, such as chatgpt or tool.")
@click.option(
    "--import",
    "import_id",
    type=_IMPORT_ID,
    metavar="ID",
    help="All turns of this import.",
)
@click.option("--since", type=Moment(), help="Only memories at or after this time.")
@click.option("--until", type=Moment(whole_day=True), help="Only memories before this time; a date includes that day.")
@click.option("--kind", "kinds", type=click.Choice(_KINDS), multiple=True, help="Only this kind; repeatable.")
@click.option("--reason", metavar="TEXT", help="Reason, stored in the access log.")
@click.option("--dry-run", is_flag=True, help="Change nothing; count what would be forgotten.")
@click.option("--yes", is_flag=True, help="Do not ask before forgetting more than one memory.")
@json_option
@user_option
def forget(what: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool, user: str | None, **choices: Any) -> None:
    """Remove memories and everything derived from them.

    Pass ids of memories and conversations, and pointers to turns (W-001/R-01/D-001), rooms (W-001/R-01) and wings
    (W-001). Or pass options: they select the memories that match all of them. A forgotten turn keeps its place, without
    its text.
    """
    choices["kinds"] = choices["kinds"] or _KINDS
    with Memory(user=user, background=False) as memory:
        counted = memory.entries.forget_all(what, dry_run=True, **choices)
        if dry_run:
            _print_forgotten(counted, as_json)
            return
        if not yes and sum(counted.memories.values()) > 1:
            click.confirm(f"Forget {_counted(counted)} permanently?", abort=True, err=True)
        _print_forgotten(memory.entries.forget_all(what, **choices), as_json)


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
        click.echo("\n".join(f"{name}: {shown(plain(value))}" for name, value in written.items()))


@command.command("get")
@click.argument("memory_id", type=Id("ricordo memory list"))
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
    if as_json:
        print_item(entry)
    else:
        fields = entry.model_dump().items()
        click.echo("\n".join(f"{name}: {shown(plain(value))}" for name, value in fields if _is_told(value)))


@command.command("update")
@click.argument("memory_id", type=Id("ricordo memory list"))
@click.option("--content", metavar="TEXT", help="New text.")
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="New tags of a note, instead of its old ones; repeatable."
)
@click.option("--no-tags", is_flag=True, help="Remove the tags of a note.")
@click.option("--importance", type=int, help="New importance of a note, 1 to 10.")
@click.option("--expires-at", type=Moment(), help="Keep a note until this time.")
@click.option("--permanent", is_flag=True, help="Keep a note permanently.")
@json_option
@user_option
def update(
    memory_id: UUID,
    content: str | None,
    tags: tuple[str, ...],
    no_tags: bool,
    importance: int | None,
    expires_at: datetime | None,
    permanent: bool,
    as_json: bool,
    user: str | None,
) -> None:
    """Change a memory's text, or the tags, importance and retention of a note. Earlier versions stay in its history."""
    if permanent and expires_at:
        raise click.UsageError("--permanent and --expires-at exclude each other")
    retention: Retention | None = "medium_term" if expires_at else "long_term" if permanent else None
    of_note: dict[str, Any] = {
        "importance": importance,
        "retention": retention,
        "expires_at": expires_at,
        "tags": tags or None,
    }
    if no_tags:
        of_note["clear"] = ["tags"]
    given = {name: value for name, value in of_note.items() if value is not None}
    if content is None and not given:
        raise click.UsageError("nothing to change: give --content or an option of notes")
    with Memory(user=user, background=False) as memory:
        if given:
            entry = memory.notes.update(memory_id, content=content, **given)
        else:
            entry = memory.entries.edit(memory_id, content or "")
    if as_json:
        print_item(entry)
    else:
        print_entry(entry)


@command.command("history")
@click.argument("memory_id", type=Id("ricordo memory list"))
@click.option("--accesses", is_flag=True, help="Show the access log instead: who, when, in which run.")
@click.option("--as-of", type=Moment(), help="Show only the version at this time.")
@json_option
@user_option
def history(memory_id: UUID, accesses: bool, as_of: datetime | None, as_json: bool, user: str | None) -> None:
    """Show every version of a memory, oldest first."""
    with Memory(user=user, background=False) as memory:
        found: Sequence[Access | Version]
        if accesses:
            found = memory.audit.of_memory(memory_id)
        else:
            found = [memory.entries.as_of(memory_id, as_of)] if as_of else memory.entries.history(memory_id)
    if as_json:
        print_items(found)
        return
    for each in found:
        fields = each.model_dump(exclude={"fields", "memory_ids", "id"}).values()
        click.echo("  ".join(shown(plain(value)) for value in fields if _is_told(value)))


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
    say_if_empty(notes, "No matching notes. To store one, run `ricordo memory add TEXT`.")
    for each in notes:
        print_entry(each)


def _print_receipt(receipt: RemovalReceipt, as_json: bool) -> None:
    if as_json:
        print_item(receipt)
        return
    if not receipt.done:
        click.echo(f"Nothing to do: {receipt.reason}")
        return
    click.echo(f"{'Redacted' if receipt.action == 'redact' else 'Forgot'} memory {receipt.id}")
    _print_removed(receipt)


def _print_removed(receipt: RemovalReceipt | Forgotten) -> None:
    click.echo(f"removed {', '.join(f'{name} {count}' for name, count in receipt.removed.items() if count)}")
    left = {name: count for name, count in receipt.checked.items() if count}
    click.echo(f"checked {', '.join(receipt.checked)}: {left or 'no trace left'}")
    for each in receipt.remains:
        click.echo(f"not covered: {each}")


def _print_profile(profile: Profile, as_json: bool) -> None:
    if as_json:
        print_item(profile)
        return
    fields = profile.model_dump(mode="json", exclude={"seed_entries", "created_at"})
    for name, value in fields.items():
        by_user = name in ("secrets", "personal_data", "review")
        told = ("as the user chose" if by_user else "none") if value is None else plain(value)
        click.echo(f"{name}: {shown(told)}")


def _print_forgotten(receipt: Forgotten, as_json: bool) -> None:
    if as_json:
        print_item(receipt)
    elif receipt.dry_run and not receipt.memories:
        click.echo("No memory matches; nothing would be forgotten")
    elif receipt.dry_run:
        click.echo(f"Would forget {_counted(receipt)}; nothing was changed")
    elif not receipt.done:
        click.echo(f"Nothing to do: {receipt.reason}")
    else:
        click.echo(f"Forgot {_counted(receipt)}")
        _print_removed(receipt)


def _counted(receipt: Forgotten) -> str:
    memories = (
        ", ".join(f"{count:,} {_COUNTED[kind][count > 1]}" for kind, count in receipt.memories.items()) or "nothing"
    )
    talks = receipt.conversations
    return f"{memories} of {talks:,} conversation{'s' if talks > 1 else ''}" if talks else memories


def _is_told(value: object) -> bool:
    """Whether a field has something to show: False is shown, empty lists and objects are not."""
    return value is not None and value != () and value != [] and value != {}
