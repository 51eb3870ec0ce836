"""What tools bring back, as text: quoted as data, with what to cite it by, and within a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from html import escape
from typing import NamedTuple, Protocol
from uuid import UUID

from ricordo.errors import counted
from ricordo.models import MOST_PENDING, Drawer, Entity, Entry, HeldWrite, RecallResult, Relation, Room, Wing
from ricordo.recall import Quoted, lines_in, quoted, render
from ricordo.text import tokens_in
from ricordo.times import day, within

#: Tokens of an answer, where the call does not say.
DEFAULT_TOKENS = 2_000
#: Tokens for a word about what did not fit: of turns, and of lines.
_REST, _MORE = 30, 12
#: The longest name that a list shows whole, in characters.
_LONGEST_NAME = 120


@dataclass(frozen=True)
class _Line:
    """A saved memory as a line of the block: its id is what it is cited, changed and forgotten by."""

    pointer: str
    at: datetime
    speaker: str
    text: str


class Shown(NamedTuple):
    """A text, and the ids of the memories that it quotes."""

    text: str
    ids: list[UUID]


class _Kept(Protocol):
    @property
    def id(self) -> UUID: ...


def is_cut(found: RecallResult, max_tokens: int) -> bool:
    """Whether the block of a recall does not fit beside its notes, and is made again, with less."""
    return found.tokens > max_tokens - tokens_in(_notes(found, max_tokens))


def recalled(found: RecallResult, max_tokens: int, zone: tzinfo | None) -> Shown:
    """The block of a recall, made again to fit if a zone is given for its times, and what there is to know about it."""
    told = _notes(found, max_tokens)
    block = found.context if zone is None else render(found.results, max_tokens - tokens_in(told), zone)[0]
    return Shown((block or "No matching turns.") + told, [each.id for each in quoted(found.results, block)])


def _notes(found: RecallResult, max_tokens: int) -> str:
    """What there is to know about a recall, one note a line."""
    notes = [f"Note: {each}" for each in found.notes]
    if found.pending and not notes:
        turns = counted(found.pending, "new turn", most=MOST_PENDING)
        notes.append(f"Note: {turns} could be compared by words only; vectors are being computed.")
    return bounded("".join(f"\n{each}" for each in notes), max_tokens // 2)


def first_ids(found: Sequence[_Kept], block: str) -> list[UUID]:
    """The ids of those that a block of them quotes."""
    return [each.id for each in found[: lines_in(block)]]


def drawers(found: Sequence[Drawer], max_tokens: int, zone: tzinfo) -> Shown:
    """Turns in their order, as far as they fit."""
    block, shown = _block(found, max_tokens, zone)
    rest = f"\n{len(found) - shown} more turns did not fit; from {found[shown].pointer}" if shown < len(found) else ""
    return Shown(block + rest, first_ids(found, block))


def memories(found: Sequence[Entry], max_tokens: int, zone: tzinfo) -> Shown:
    """Saved memories, as far as they fit."""
    if not found:
        return Shown("No matching memories.", [])
    lines = [_Line(str(each.id), each.created_at, _kind(each), each.content) for each in found]
    block, shown = _block(lines, max_tokens, zone)
    rest = f"\n{len(found) - shown} more did not fit." if shown < len(found) else ""
    return Shown(block + rest, first_ids(found, block))


def held(found: Sequence[HeldWrite], max_tokens: int, zone: tzinfo) -> str:
    """Writes that wait for a review, as many as fit."""
    lines = [_Line(str(each.id), each.created_at, each.speaker, each.content) for each in found]
    return _block(lines, max_tokens, zone)[0] or "No writes wait for your review."


def _block(lines: Sequence[Quoted], max_tokens: int, zone: tzinfo) -> tuple[str, int]:
    """The block of these lines, and how many are in it; where that is not all, with room for a word about the rest."""
    for most in (max_tokens, max_tokens - _REST):
        block, _ = render(lines, most, zone)
        shown = lines_in(block)
        if shown == len(lines):
            break
    return block, shown


def tree(wings: Sequence[Wing], max_tokens: int, zone: tzinfo, *, closets: bool) -> str:
    """The palace, as far as it fits."""
    if not wings:
        return "The palace is empty. Add conversations with mine_conversation."
    return _listed("palace", (line for wing in wings for line in _wing(wing, zone, closets)), max_tokens)


def entities(found: Sequence[Entity], max_tokens: int = DEFAULT_TOKENS) -> str:
    """Entities, one a line."""
    if not found:
        return "No matching entities."
    return _listed("entities", map(_entity, found), max_tokens)


def entity(found: Entity, relations: Sequence[Relation], zone: tzinfo, max_tokens: int = DEFAULT_TOKENS) -> str:
    """An entity and what was stated of it."""
    return _listed("entity", [_entity(found), *(f"{fact(each, zone)} id={each.id}" for each in relations)], max_tokens)


def bounded(text: str, max_tokens: int) -> str:
    """The lines of a text, as far as they fit."""
    if tokens_in(text) <= max_tokens:
        return text
    kept, _ = _fitting(text.splitlines(), max_tokens - 1)
    return "\n".join([*kept, "…"])


def _listed(element: str, lines: Iterable[str], max_tokens: int) -> str:
    every = list(lines)
    kept, left = _fitting(every, max_tokens - tokens_in(f"<{element}>\n\n</{element}>") - _MORE)
    more = [f"… {left:,} more lines did not fit"] if left else []
    return "\n".join([f"<{element}>", *kept, *more, f"</{element}>"])


def _fitting(lines: Sequence[str], max_tokens: int) -> tuple[list[str], int]:
    """The first lines, as many as fit, and how many are left."""
    kept: list[str] = []
    for line in lines:
        max_tokens -= tokens_in(line + "\n")
        if max_tokens < 0:
            break
        kept.append(line)
    return kept, len(lines) - len(kept)


def _wing(wing: Wing, zone: tzinfo, closets: bool) -> Iterable[str]:
    yield f"{wing.pointer} {_name(wing.name)} ({wing.kind}, {counted(wing.drawers, 'turn')})"
    for room in wing.rooms:
        yield from _room(room, zone, closets)


def _room(room: Room, zone: tzinfo, closets: bool) -> Iterable[str]:
    place = room.pointer.rpartition("/")[2]
    yield f"  {place} {_name(room.name)} ({within(room.started_at, zone):%Y-%m-%d}, {counted(room.drawers, 'turn')})"
    if closets and room.closets:
        yield "    " + " · ".join(f"{_name(each.name)} ({each.drawers})" for each in room.closets)


def _entity(each: Entity) -> str:
    others = [_name(alias) for alias in each.aliases if alias != each.name]
    also = f", also {', '.join(others)}" if others else ""
    return f"{_name(each.name)} ({each.kind}, in {counted(each.mentions, 'turn')}{also})"


def fact(each: Relation, zone: tzinfo) -> str:
    """A fact with its times and the turns that state it."""
    since = f"since {day(each.valid_from, zone)}" if each.valid_from else "start unknown"
    until = f" until {day(each.valid_to, zone)}" if each.valid_to else ""
    sources = f"  [{', '.join(each.sources[:3])}]" if each.sources else ""
    return f"{_name(each.text, 3 * _LONGEST_NAME)}, {since}{until}{sources}"


def _kind(each: Entry) -> str:
    return f"{each.kind}, {', '.join(each.tags)}" if each.tags else each.kind


def _name(text: str, longest: int = _LONGEST_NAME) -> str:
    """A name, or a short text, that neither breaks a line nor closes an element."""
    plain = " ".join(text.split())
    return escape(plain if len(plain) <= longest else f"{plain[:longest]}…", quote=False)
