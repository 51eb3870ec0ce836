"""What a person changes in the palace: names, which wing a room stands in, which closet a drawer.

Texts never change, and neither do the numbers of rooms and drawers: a pointer that was once right leads to the same
drawer for ever. Mining keeps to what was changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from ricordo import accounts, rules
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, quoted
from ricordo.models import Room, Wing
from ricordo.palace import editing_store as edited
from ricordo.palace import store
from ricordo.palace.editing_store import ClosetRow
from ricordo.palace.foreign import located
from ricordo.palace.people import AND, others_of
from ricordo.palace.pointer import Pointer
from ricordo.palace.spelling import best_first, keys, slug
from ricordo.palace.store import Kind, Subject, WingRow
from ricordo.palace.tree import find_room, find_wing, tree
from ricordo.review import screen_for

_LONGEST = 200


async def rename_wing(tx: Transaction, user_id: UUID, wing: str, name: str) -> Wing:
    """Give a wing another name; the old one still leads to it. Raises NotFound and InvalidInput."""
    row, name = await find_wing(tx, wing), await _name(tx, name)
    other = await edited.wing_of_keys(tx, keys(name, proper=True))
    if other is not None and other.wing != row.wing:
        raise InvalidInput(
            "name", f"{Pointer(other.wing)} {other.name!r} already has this name: merge {row.name!r} into it"
        )
    await edited.name_wing(tx, row.wing, row.kind, name, slug(name), edited=True)
    await edited.add_keys(tx, user_id, row.wing, keys(name, proper=row.kind != "topic"))
    return (await tree(tx, row.wing))[0]


async def merge_wings(tx: Transaction, user_id: UUID, wing: str, into: str) -> Wing:
    """Move every room of a wing into another one and let its names lead there. Raises NotFound and InvalidInput."""
    row, target = await find_wing(tx, wing), await find_wing(tx, into)
    if row.wing == target.wing:
        raise InvalidInput("into", f"{wing!r} and {into!r} are the same wing, {Pointer(row.wing)} {row.name!r}")
    await _merge(tx, user_id, row.wing, target.wing)
    await edited.name_wing(tx, target.wing, target.kind, target.name, target.slug, edited=True)
    return (await tree(tx, target.wing))[0]


async def wing_left_at(tx: Transaction, path: str, name: str) -> WingRow | None:
    """The wing of a repository's path that its remote's `name` does not lead to yet; None if there is nothing to
    follow. A wing that a person edited joins no other one by itself: unmerging it is final."""
    row = await edited.wing_of_path(tx, keys(path)[0])
    if row is None:
        return None
    target = await edited.wing_of_keys(tx, keys(name, proper=True))
    return row if target is None or (target.wing != row.wing and not row.edited) else None


async def follow_project(tx: Transaction, user_id: UUID, path: str, name: str) -> Wing | None:
    """Let the wing of a repository's path be that of its remote's name too, or join the wing that has this name.
    Returns None if there is nothing to follow."""
    row = await wing_left_at(tx, path, name)
    if row is None:
        return None
    target = await edited.wing_of_keys(tx, keys(name, proper=True))
    if target is not None:
        await _merge(tx, user_id, row.wing, target.wing)
        return (await tree(tx, target.wing))[0]
    if not row.edited:
        await edited.name_wing(tx, row.wing, row.kind, name, slug(name), edited=False)
    await edited.add_keys(tx, user_id, row.wing, keys(name, proper=True))
    return (await tree(tx, row.wing))[0]


async def unmerge_wing(tx: Transaction, user_id: UUID, wing: str) -> Wing:
    """Undo a merge: the wing of this pointer stands by itself again, with the rooms that came from it.

    Raises NotFound and InvalidInput.
    """
    number = (await located(tx, wing, "wing")).wing
    if await edited.wing(tx, number) is None:
        raise NotFound(f"wing {Pointer(number)} not found")
    into = await edited.unmerge_wing(tx, number)
    if into is None:
        raise InvalidInput("wing", f"{Pointer(number)} was not merged into another wing")
    await edited.move_rooms(tx, user_id, await edited.rooms_from(tx, into, number), number)
    return (await tree(tx, number))[0]


async def move_room(tx: Transaction, user_id: UUID, room: str, wing: str, new: bool) -> Room:
    """Put a room into another wing; with `new` one of that name is made where there is none.

    Raises NotFound and InvalidInput.
    """
    place = await _placed(tx, await located(tx, room, "room"))
    try:
        target = (await find_wing(tx, wing)).wing
    except NotFound:
        if not new:
            raise
        name = await _name(tx, wing)
        target = await accounts.take_wing(tx, user_id)
        await add_wing(tx, user_id, target, Subject("topic", name, slug(name)), keys(name))
        await edited.name_wing(tx, target, "topic", name, slug(name), edited=True)
    await edited.move_rooms(tx, user_id, [place.room], target)
    return await _room(tx, place)


async def rename_closet(tx: Transaction, user_id: UUID, room: str, closet: str | int, name: str) -> Room:
    """Give a closet of a room another name. Raises NotFound and InvalidInput."""
    place, name = await _placed(tx, await located(tx, room, "room")), await _name(tx, name)
    row = await closet_of(tx, place, closet)
    other = _called(await edited.closets(tx, place.room), name)
    if other is not None and other.closet != row.closet:
        raise InvalidInput(
            "name", f"closet {other.name!r} of {place} already has this name: merge {row.name!r} into it"
        )
    aliases = (*row.aliases, row.slug)
    await edited.put_closet(tx, user_id, place.room, replace(row, name=name, slug=slug(name), aliases=aliases))
    await edited.mark_edited(tx, place.room)
    return await _room(tx, place)


async def merge_closets(tx: Transaction, user_id: UUID, room: str, closet: str | int, into: str | int) -> Room:
    """Move all drawers of a closet into another one of the room, which is found by both names from then on.

    Raises NotFound and InvalidInput.
    """
    place = await _placed(tx, await located(tx, room, "room"))
    row, target = await closet_of(tx, place, closet), await closet_of(tx, place, into)
    if row.closet == target.closet:
        raise InvalidInput("into", f"{closet!r} and {into!r} are the same closet of {place}, {row.name!r}")
    await edited.into_closet(tx, place.room, await edited.drawers_of(tx, place.room, row.closet), target.closet)
    await edited.drop_empty_closets(tx, place.room)
    aliases = (*target.aliases, *row.aliases, row.slug)
    await edited.put_closet(tx, user_id, place.room, replace(target, aliases=aliases))
    await edited.mark_edited(tx, place.room)
    return await _room(tx, place)


async def move_drawers(tx: Transaction, user_id: UUID, drawers: Sequence[str], closet: str | int) -> Room:
    """Put drawers of one room into a closet of it, which is made where there is none of that name; a closet that is
    left empty goes. Raises NotFound and InvalidInput."""
    places = [await located(tx, each, "drawers") for each in drawers]
    if not places or any(each.drawer is None for each in places) or len({each.room for each in places}) != 1:
        raise InvalidInput("drawers", "must be pointers to drawers of one room, such as W-042/R-11/D-007")
    for each in places:
        place = await _placed(tx, each)
    numbers = [each.drawer for each in places if each.drawer is not None]
    there = {Pointer.parse(each.pointer).drawer for each in await store.drawers(tx, place.room)}
    if missing := sorted(set(numbers) - there):
        raise NotFound(f"{Pointer(place.wing, place.room, missing[0])} not found")
    standing = await edited.closets(tx, place.room)
    try:
        target = (await closet_of(tx, place, closet)).closet
    except NotFound:
        if isinstance(closet, int):
            raise
        name = await _name(tx, closet)
        target = max(each.closet for each in standing) + 1
        await edited.put_closet(tx, user_id, place.room, ClosetRow(target, name, slug(name), ()))
    await edited.into_closet(tx, place.room, numbers, target)
    await edited.drop_empty_closets(tx, place.room)
    await edited.mark_edited(tx, place.room)
    return await _room(tx, place)


async def wing_for(tx: Transaction, user_id: UUID, subject: Subject, names: Sequence[str]) -> WingRow | None:
    """The wing that a subject with these keys belongs to, or None if there is none yet.

    Its kind and spelling are the best seen so far, in any order, unless the user chose them: project before person
    before topic, and the best spelling (see `best_first`). Projects and agents keep their own spelling, however
    conversations spell it.
    """
    row = await edited.wing_of_keys(tx, names)
    if row is None:
        return None
    await edited.add_keys(tx, user_id, row.wing, names)
    kind = min(row.kind, subject.kind, key=_RANK.index)
    is_better = (-_is_given(subject.kind), best_first(subject.name)) < (-_is_given(row.kind), best_first(row.name))
    name, slug_of_name = (subject.name, subject.slug) if is_better else (row.name, row.slug)
    if not row.edited and (kind, name) != (row.kind, row.name):
        await edited.name_wing(tx, row.wing, kind, name, slug_of_name, edited=False)
    return row


#: Kinds of subjects, the one that says most first.
_RANK = ("project", "person", "agent", "topic")


def _is_given(kind: Kind) -> bool:
    """Whether names of this kind are given, not derived."""
    return kind in ("project", "agent")


async def add_wing(tx: Transaction, user_id: UUID, number: int, subject: Subject, names: Sequence[str]) -> None:
    """A new wing of this number that is found by these keys."""
    await store.add_wing(tx, user_id, number, subject)
    await edited.add_keys(tx, user_id, number, names)


async def know_people(tx: Transaction, people: Iterable[str]) -> None:
    """Let wings that are named like these people be theirs, and no topics."""
    names = sorted({keys(name, proper=True)[0] for name in people})
    if names:
        await edited.make_personal(tx, names)


async def settle_names(tx: Transaction, user_id: UUID, own: Sequence[str]) -> None:
    """Rename wings of several people now that the user's own names are known: Ada's talks with Ben are about Ben."""
    for row in await edited.pairs(tx):
        name = AND.join(others_of(row.name.split(AND), own))
        if name == row.name:
            continue
        names = keys(name, proper=True)
        other = await edited.wing_of_keys(tx, names)
        if other is not None and other.wing != row.wing:
            await _merge(tx, user_id, row.wing, other.wing)
            await wing_for(tx, user_id, Subject("person", name, slug(name)), names)
        else:
            await edited.name_wing(tx, row.wing, "person", name, slug(name), edited=False)
            await edited.add_keys(tx, user_id, row.wing, names)


async def _merge(tx: Transaction, user_id: UUID, wing: int, into: int) -> None:
    await edited.move_rooms(tx, user_id, await edited.rooms_of(tx, wing), into)
    await edited.merge_wing(tx, wing, into)


@dataclass(frozen=True)
class _Place(Pointer):
    """A room that stands."""

    room: int


async def _placed(tx: Transaction, pointer: Pointer) -> _Place:
    """The room of a pointer where it stands now. Raises NotFound."""
    found = await find_room(tx, pointer)
    assert found.room is not None
    return _Place(found.wing, found.room)


async def _room(tx: Transaction, place: Pointer) -> Room:
    """The room as it stands now."""
    now = await find_room(tx, place)
    [wing] = await tree(tx, now.wing)
    return next(each for each in wing.rooms if each.pointer == str(now))


async def closet_of(tx: Transaction, place: Pointer, closet: str | int) -> ClosetRow:
    """The closet of a room with this name, former name or number. Raises NotFound."""
    assert place.room is not None
    standing = await edited.closets(tx, place.room)
    found = _called(standing, closet)
    if found is None:
        names = ", ".join([repr(each.name) for each in standing][:10])
        raise NotFound(f"closet {quoted(closet, 100)} not found in {place}: expected one of {names}")
    return found


def _called(standing: Sequence[ClosetRow], name: str | int) -> ClosetRow | None:
    if isinstance(name, int):
        return next((each for each in standing if each.closet == name), None)
    wanted = slug(name)
    exact = [each for each in standing if each.slug == wanted or each.name == name]
    return next(iter(exact), None) or next((each for each in standing if wanted in each.aliases), None)


async def _name(tx: Transaction, name: str) -> str:
    """A name as it is kept. Raises InvalidInput."""
    clean = " ".join(rules.text("name", name).split())
    if not clean or len(clean) > _LONGEST:
        raise InvalidInput("name", f"must be 1 to {_LONGEST} characters long, not {len(clean)}")
    return (await screen_for(tx)).name("name", clean)
