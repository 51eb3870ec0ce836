"""What must hold between the tables of a store, whatever was killed while it was written."""

from __future__ import annotations

from collections import Counter

import numpy as np
import psycopg

from ricordo import text
from ricordo.archive.soundness_store import RULES
from ricordo.facts.entity_store import EntityRow
from ricordo.facts.identity import changed_merges
from ricordo.models import SELF
from ricordo.text.terms import term_hash


def inconsistencies(connection: psycopg.Connection) -> list[str]:
    """Every rule that the store breaks, with up to three of the rows that break it; empty for a sound store.

    `connection` is a superuser's, with the store's schema on its path.
    """
    found = []
    for rule, query in RULES.items():
        rows = connection.execute(query).fetchall()
        if rows:
            found.append(f"{len(rows)} {rule}: {rows[:3]}")
    return found + _unlike_postings(connection) + _wrong_merges(connection)


def _wrong_merges(connection: psycopg.Connection) -> list[str]:
    """Entities that are merged otherwise than the rules about all names together would have it."""
    wrong = []
    for user, name, names in connection.execute("SELECT user_id, name, names FROM users").fetchall():
        called = connection.execute(
            "SELECT value FROM facts WHERE user_id = %s AND subject = %s AND predicate = 'name' AND NOT ended "
            "AND decision IS DISTINCT FROM 'rejected'",
            [user, SELF],
        )
        rows = connection.execute(
            """
            SELECT entity, id, name, kind, merged_into, merged_by, root,
                   ARRAY(SELECT slug FROM aliases a WHERE (a.user_id, a.entity) = (e.user_id, e.entity) ORDER BY slug)
            FROM entities e WHERE user_id = %s ORDER BY entity
            """,
            [user],
        )
        own = [name, *names, *(value for (value,) in called)]
        wrong += [(user, *each) for each in changed_merges([EntityRow(*row) for row in rows], own).items()]
    return [f"{len(wrong)} entities that rules would merge otherwise: {wrong[:3]}"] if wrong else []


def _unlike_postings(connection: psycopg.Connection) -> list[str]:
    """Memories whose postings are not those that their text has."""
    stored: dict[tuple[object, int, int], dict[int, tuple[int, int]]] = {}
    for user, room, drawer, term, frequency, length in connection.execute(
        "SELECT user_id, room, drawer, term, frequency, length FROM postings WHERE room > 0"
    ):
        stored.setdefault((user, room, drawer), {})[term] = (frequency, length)
    wrong = []
    for user, room, drawer, content, speaker, said_at, language, redacted in connection.execute(
        "SELECT user_id, room, drawer, content, speaker, said_at, language, is_redacted FROM memories "
        "JOIN conversations USING (user_id, conversation)"
    ):
        said = [] if redacted else text.memory_terms(content, speaker, said_at, language)
        terms = [each for each in said if each != text.DECISION]
        largest = np.iinfo(np.int16).max
        length = min(len(terms), largest)
        expected = {term: (min(times, largest), length) for term, times in Counter(map(term_hash, terms)).items()}
        if len(said) > len(terms):
            expected[term_hash(text.DECISION)] = (0, length)
        if stored.get((user, room, drawer), {}) != expected:
            wrong.append((user, room, drawer))
    return [f"{len(wrong)} memories with other postings than their text: {wrong[:3]}"] if wrong else []
