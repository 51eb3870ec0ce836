"""The SQL that tells which tables a store has, with their columns and the order in which rows can go in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from ricordo.database.store import Transaction


@dataclass(frozen=True)
class Table:
    """A table of the store, as far as rows are carried out of it and into it."""

    name: str
    #: The SQL type of each column that holds something of its own: none that is generated.
    columns: dict[str, str]
    #: The columns of its primary key.
    key: tuple[str, ...]
    #: The tables that its rows refer to.
    needs: frozenset[str]

    @property
    def of_users(self) -> bool:
        """Whether its rows belong to users."""
        return "user_id" in self.columns


async def tables(tx: Transaction) -> Sequence[Table]:
    """Every table of the store but that of migrations; each behind those that its rows refer to."""
    cursor = await tx.execute(
        """
        SELECT c.relname::text,
               ARRAY(SELECT ARRAY[attname::text, format_type(atttypid, atttypmod)] FROM pg_attribute
                     WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum),
               ARRAY(SELECT a.attname::text
                     FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
                     JOIN pg_attribute a ON a.attnum = k.number
                     WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid ORDER BY place),
               ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
                     WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid ORDER BY 1)
        FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relname <> 'schema_migrations'
        ORDER BY 1
        """
    )
    found = {
        name: Table(name, dict(columns), tuple(key), frozenset(needs)) async for name, columns, key, needs in cursor
    }
    order = TopologicalSorter({name: sorted(table.needs & found.keys()) for name, table in found.items()})
    return [found[name] for name in order.static_order()]
