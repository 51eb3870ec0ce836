"""ricordo entity: who and what the conversation is about, what held of them and when; joining and parting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    Moment,
    json_option,
    print_item,
    print_items,
    print_json,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import counted
from ricordo.models import Entity, EntityKind, Relation

_KINDS = click.Choice(["person", "organization", "project", "item", "place", "event", "topic"])
_as_of = click.option("--as-of", type=Moment(), help="Show the facts that were true at this time.")


@click.group("entity")
def command() -> None:
    """Browse and edit the people, projects, places and things in your chats. ENTITY is a name or an id."""


@command.command("list")
@click.option("--kind", type=_KINDS, help="Only entities of this kind.")
@click.option("--search", metavar="TEXT", help="Only entities with this text in a name.")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Maximum number of results."
)
@json_option
@user_option
def list_(kind: EntityKind | None, search: str | None, limit: int, as_json: bool, user: str | None) -> None:
    """List entities, the most mentioned first."""
    with Memory(user=user, background=False) as memory:
        _print_entities(memory.entities.list(kind=kind, search=search, limit=limit), as_json)


@command.command("show")
@click.argument("entity")
@_as_of
@json_option
@user_option
def show(entity: str, as_of: datetime | None, as_json: bool, user: str | None) -> None:
    """Show ENTITY with its facts and related entities."""
    moment = as_of or datetime.now(UTC)
    with Memory(user=user, background=False) as memory:
        found = memory.entities.get(entity)
        relations = memory.entities.relations(entity, as_of=moment)
        near = memory.entities.neighbors(entity, as_of=moment)
    if as_json:
        _print_whole(found, relations, near)
        return
    _print_entities([found], as_json=False)
    _print_relations(relations)
    if near:
        click.echo("related: " + ", ".join(shown(each.name) for each in near))


@command.command("timeline")
@click.argument("entity")
@json_option
@user_option
def timeline(entity: str, as_json: bool, user: str | None) -> None:
    """Show every fact about ENTITY, when it was true, and the turns it came from."""
    with Memory(user=user, background=False) as memory:
        relations = memory.entities.relations(entity)
    if as_json:
        print_items(relations)
    else:
        _print_relations(relations)
        say_if_empty(relations, "No facts about it yet.")


@command.command("merge")
@click.argument("entity")
@click.argument("into")
@json_option
@user_option
def merge(entity: str, into: str, as_json: bool, user: str | None) -> None:
    """Merge ENTITY into INTO. `unmerge` undoes it."""
    with Memory(user=user, background=False) as memory:
        _print_entities([memory.entities.merge(entity, into)], as_json, one=True)


@command.command("unmerge")
@click.argument("entity")
@json_option
@user_option
def unmerge(entity: str, as_json: bool, user: str | None) -> None:
    """Undo a merge: separate ENTITY from the entity it was merged into, and keep it separate."""
    with Memory(user=user, background=False) as memory:
        _print_entities([memory.entities.unmerge(entity)], as_json, one=True)


@command.command("change")
@click.argument("entity")
@click.option("--name", metavar="NAME", help="New display name.")
@click.option("--kind", type=_KINDS, help="New kind.")
@click.option("--alias", metavar="NAME", help="Additional name.")
@json_option
@user_option
def change(
    entity: str, name: str | None, kind: EntityKind | None, alias: str | None, as_json: bool, user: str | None
) -> None:
    """Change the name or kind of ENTITY, or add an alias."""
    with Memory(user=user, background=False) as memory:
        _print_entities([memory.entities.change(entity, name=name, kind=kind, alias=alias)], as_json, one=True)


@command.command("relate")
@click.argument("subject")
@click.argument("predicate")
@click.argument("object")
@click.option("--kind", type=_KINDS, help="Kind of OBJECT. Without it, an unknown OBJECT is a plain value.")
@click.option("--since", type=Moment(), help="When the relation began.  [default: now]")
@click.option("--ended", type=Moment(), help="When the relation ended.")
@json_option
@user_option
def relate(
    subject: str,
    predicate: str,
    object: str,
    kind: EntityKind | None,
    since: datetime | None,
    ended: datetime | None,
    as_json: bool,
    user: str | None,
) -> None:
    """Add the relation SUBJECT PREDICATE OBJECT, such as "Ana lives_in Lisbon", or end it with --ended."""
    if ended is not None and (since is not None or kind is not None):
        raise click.UsageError("--ended cannot be combined with --since or --kind")
    with Memory(user=user, background=False) as memory:
        if ended is not None:
            relations = memory.entities.end_relation(subject, predicate, object, at=ended)
        else:
            relations = memory.entities.add_relation(subject, predicate, object, object_kind=kind, since=since)
    if as_json:
        print_items(relations)
    else:
        _print_relations(relations)


def _print_entities(entities: Sequence[Entity], as_json: bool, one: bool = False) -> None:
    if as_json:
        print_item(entities[0]) if one else print_items(entities)
        return
    say_if_empty(entities, "No matching entities. They are found in the chats that you store.")
    for each in entities:
        also = f"  also: {', '.join(map(shown, each.aliases))}" if each.aliases else ""
        count = counted(each.mentions, "turn")
        click.echo(f"{click.style(shown(each.name), bold=True)}  ({each.kind}, {count}){also}")


def _print_relations(relations: Sequence[Relation]) -> None:
    for each in relations:
        begins = stamp(each.valid_from, "day") if each.valid_from else "?"
        ends = stamp(each.valid_to, "day") if each.valid_to else ""
        sources = f"  {click.style(', '.join(each.sources), fg='cyan')}" if each.sources else ""
        click.echo(f"{begins:>10} – {ends:<10}  {shown(each.text)}{sources}")


def _print_whole(entity: Entity, relations: Sequence[Relation], near: Sequence[Entity]) -> None:
    print_json(
        entity.model_dump(mode="json")
        | {
            "relations": [each.model_dump(mode="json") for each in relations],
            "neighbors": [each.model_dump(mode="json") for each in near],
        }
    )
