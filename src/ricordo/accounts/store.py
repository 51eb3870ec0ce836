"""The SQL of users."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID, uuid5

from ricordo import jobs
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, quoted
from ricordo.models import MOST_PENDING, UserSettings

#: The namespace of users' ids. A user's id follows from the name, so that no look-up across tenants is needed.
_USERS = UUID("6a1f2f0e-6d0b-5c3e-9d55-7249434f5244")
_DEFAULTS = UserSettings()
#: The settings that a search goes by.
_OF_SEARCH = ("enabled", "top_k", "rerank", "rerank_model", "time_zone", "across_projects")
#: What `corpus_of` reads.
CORPUS: LiteralString = f"""
    SELECT memories, terms, languages,
           (SELECT count(*) FROM (
               SELECT FROM unembedded u WHERE u.user_id = users.user_id AND NOT u.renewal LIMIT {MOST_PENDING}
           ) counted) AS pending,
           enabled, top_k, rerank, rerank_model, time_zone, across_projects, turn_languages,
           array_prepend(name, names) AS own_names
    FROM users LEFT JOIN settings USING (user_id) WHERE user_id = %(user_id)s
"""


@dataclass(frozen=True)
class Corpus:
    """How much of a user's memory there is to search."""

    #: Memories that are indexed, and how many terms they have together.
    memories: int
    terms: int
    #: Languages of the user's conversations, as ISO 639-1 codes.
    languages: tuple[str, ...]
    #: Memories that have no vector yet, up to MOST_PENDING.
    pending: int
    #: What the user has chosen, as far as a search goes by it.
    settings: UserSettings = _DEFAULTS
    #: Languages of single memories, as ISO 639-1 codes.
    turn_languages: tuple[str, ...] = ()
    #: What the user is called.
    own_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Account:
    """What a writer of a user's palace must know: the last numbers given, and the user's own names."""

    conversation: int
    wing: int
    room: int
    #: What the user is called in talk with assistants.
    names: tuple[str, ...]
    #: Languages of the user's conversations, as ISO 639-1 codes.
    languages: tuple[str, ...] = ()


def user_id_of(name: str) -> UUID:
    """The id of the user of this name (UUID version 5). Raises InvalidInput for a name that cannot be one."""
    clean = unicodedata.normalize("NFC", name).strip() if isinstance(name, str) else ""
    if not clean or len(clean) > 200 or not clean.isprintable():
        raise InvalidInput("user", f"invalid user name {quoted(name)}: expected 1 to 200 printable characters")
    return uuid5(_USERS, clean)


async def name_of(tx: Transaction, user_id: UUID) -> str | None:
    """What the user is called; None where there is no such user (any more)."""
    cursor = await tx.execute("SELECT name FROM users WHERE user_id = %s", [user_id])
    row = await cursor.fetchone()
    return row[0] if row else None


async def own_names(tx: Transaction, user_id: UUID) -> list[str]:
    """The user's name, and what the user is called in talk with assistants; empty where there is no such user."""
    cursor = await tx.execute("SELECT array_prepend(name, names) FROM users WHERE user_id = %s", [user_id])
    row = await cursor.fetchone()
    return row[0] if row else []


async def ensure(tx: Transaction, user_id: UUID, name: str) -> None:
    """Make sure that the user exists; with a new one begins the upkeep of what is theirs (see entries.tasks)."""
    cursor = await tx.execute(
        "INSERT INTO users (user_id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING", [user_id, name]
    )
    if cursor.rowcount:
        await jobs.enqueue(tx, "upkeep")
        await jobs.enqueue(tx, "consolidate")


async def lock(tx: Transaction, user_id: UUID, name: str) -> Account:
    """Make sure that the user exists, and keep every other writer of this user's palace waiting until the
    transaction ends: numbers are given in order, and no lock can be taken the other way round."""
    row = None
    while row is None:  # where the user was just deleted, it is made anew
        await ensure(tx, user_id, name)
        cursor = await tx.execute(
            "SELECT last_conversation, last_wing, last_room, names, languages FROM users WHERE user_id = %s FOR UPDATE",
            [user_id],
        )
        row = await cursor.fetchone()
    conversation, wing, room, names, languages = row
    return Account(conversation, wing, room, tuple(names), tuple(languages))


async def take_wing(tx: Transaction, user_id: UUID) -> int:
    """The next number of a wing, under the lock."""
    cursor = await tx.execute(
        "UPDATE users SET last_wing = last_wing + 1 WHERE user_id = %s RETURNING last_wing", [user_id]
    )
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def advance(tx: Transaction, user_id: UUID, account: Account, memories: int, terms: int) -> None:
    """Write back the account, and what this transaction added to the user's corpus."""
    await tx.execute(
        """
        UPDATE users
        SET last_conversation = %s, last_wing = %s, last_room = %s, names = %s, languages = %s,
            memories = memories + %s, terms = terms + %s
        WHERE user_id = %s
        """,
        [
            account.conversation,
            account.wing,
            account.room,
            list(account.names),
            list(account.languages),
            memories,
            terms,
            user_id,
        ],
    )


async def add_terms(tx: Transaction, user_id: UUID, terms: int) -> None:
    """Count so many more search terms in the user's corpus."""
    await tx.execute("UPDATE users SET terms = terms + %s WHERE user_id = %s", [terms, user_id])


async def corpus(tx: Transaction, user_id: UUID) -> Corpus:
    """What a search must know of the whole before it asks; all zero for a user who has nothing."""
    cursor = await tx.execute(CORPUS, {"user_id": user_id})
    return corpus_of(await cursor.fetchone())


def corpus_of(row: Sequence[Any] | None) -> Corpus:
    """The same from a row of `CORPUS`, or none."""
    if row is None:
        return Corpus(0, 0, (), 0)
    memories, terms, languages, pending, *given, turn_languages, own = row
    chosen = dict(zip(_OF_SEARCH, given, strict=True))
    settings = _DEFAULTS if chosen["enabled"] is None else UserSettings.model_construct(**chosen)
    return Corpus(memories, terms, tuple(languages), pending, settings, tuple(turn_languages), tuple(own))


async def note_languages(tx: Transaction, user_id: UUID, spoken: Collection[str]) -> None:
    """Note that memories of the user are in these languages, too."""
    await tx.execute(
        """
        UPDATE users SET turn_languages = ARRAY(SELECT DISTINCT unnest(turn_languages || %(spoken)s::text[]) ORDER BY 1)
        WHERE user_id = %(user_id)s AND NOT turn_languages @> %(spoken)s::text[]
        """,
        {"user_id": user_id, "spoken": sorted(spoken)},
    )


async def keep_names(tx: Transaction, spoken: Sequence[str]) -> None:
    """Of what assistants call the user, keep only these. The account must be locked."""
    await tx.execute(
        "UPDATE users SET names = ARRAY(SELECT name FROM unnest(names) name WHERE name = ANY(%s)) "
        "WHERE NOT names <@ %s",
        [list(spoken), list(spoken)],
    )
