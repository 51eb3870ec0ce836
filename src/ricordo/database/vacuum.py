"""Writing the tables anew, so that nothing of what was deleted or changed is left in the data files."""

from __future__ import annotations

from psycopg import sql

from ricordo.database.store import owner
from ricordo.settings import Settings


async def vacuum(settings: Settings) -> list[str]:
    """Write every table of the schema anew and end with a checkpoint; returns the tables. Each is locked meanwhile, and
    needs as much free space as it has. Raises StoreError."""
    async with owner(settings) as connection:
        cursor = await connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY tablename", [settings.schema]
        )
        tables = [row[0] async for row in cursor]
        for each in tables:
            table = sql.Identifier(settings.schema, each)
            await connection.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(table))
        # It removes the files that the tables were in; who owns the schema alone may leave that to the server.
        row = await (await connection.execute("SELECT pg_has_role('pg_checkpoint', 'usage')")).fetchone()
        if row and row[0]:
            await connection.execute("CHECKPOINT")
    return tables
