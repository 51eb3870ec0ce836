"""Which closets a room has, as mining finds them: the same however often a conversation is mined, whole or in
pieces."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from ricordo.database import Transaction
from ricordo.palace import editing_store as store
from ricordo.palace.editing_store import ClosetRow
from ricordo.palace.spelling import slug


async def arrange(
    tx: Transaction,
    user_id: UUID,
    room: int,
    first: int,
    topics: Sequence[tuple[str, Sequence[int]]],
    kept: Collection[int],
    there: int,
) -> dict[int, int]:
    """Put the drawers of a room from number `first` on into closets of these names, each with its drawers; returns
    the closet of each drawer.

    Closets of earlier drawers, and those in `kept`, stay, and take what has their name. All others are named anew, so
    that their numbers and names come from the drawers alone. Drawers behind number `there` are not there yet.
    """
    standing = {each.closet: each for each in await store.closets(tx, room)}
    kept = {*kept, *(await store.closets_before(tx, room, first) if first > 1 else ())}
    by_slug = {key: number for number in sorted(kept) for key in (standing[number].slug, *standing[number].aliases)}
    made = _made(topics, by_slug, max(kept, default=0))
    if made != [replace(each, aliases=()) for each in standing.values() if each.closet not in kept]:
        if standing:
            await store.set_closets_aside(tx, room, kept)
        if made:
            await store.put_closets(tx, user_id, room, made)
    placed = _placed(topics, by_slug)
    for closet in {into for drawer, into in placed.items() if drawer <= there}:
        await store.into_closet(tx, room, [drawer for drawer, into in placed.items() if into == closet], closet)
    await store.drop_closets(tx, room, [each for each in standing if each not in {*kept, *placed.values()}])
    return placed


def arrange_new(closets: list[ClosetRow], topics: Sequence[tuple[str, Sequence[int]]]) -> dict[int, int]:
    """The same for a room that is not stored yet: those of these names that are missing join its `closets`."""
    by_slug = {each.slug: each.closet for each in closets}
    closets += _made(topics, by_slug, len(closets))
    return _placed(topics, by_slug)


def _made(topics: Sequence[tuple[str, Sequence[int]]], by_slug: dict[str, int], number: int) -> list[ClosetRow]:
    """The closets that topics lack, numbered after `number`; `by_slug` has them as well then."""
    made: list[ClosetRow] = []
    for name, _ in topics:
        if slug(name) not in by_slug:
            number += 1
            made.append(ClosetRow(number, name, slug(name), ()))
            by_slug[slug(name)] = number
    return made


def _placed(topics: Sequence[tuple[str, Sequence[int]]], by_slug: dict[str, int]) -> dict[int, int]:
    return {drawer: by_slug[slug(name)] for name, drawers in topics for drawer in drawers}
