"""Several versions of the program on one store: migrations that are killed, and programs that stay open meanwhile."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from dataclasses import replace

import psycopg
import pytest

from consistency import inconsistencies
from forking import Program
from homes import temporary_home
from miners import environment, lost, talk
from ricordo import database
from ricordo.blocking import Memory
from ricordo.database import migrations
from ricordo.database.embedded import status
from ricordo.errors import StoreIncompatible
from ricordo.settings import Settings
from stores import connect, followed_by, settings_for

SEED = 20261128
ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "4"))


@pytest.mark.slow
def test_a_migration_that_is_killed_again_and_again_ends_well() -> None:
    chance = random.Random(SEED)
    with temporary_home() as home:
        settings = settings_for(home)
        for turn in range(ROUNDS):
            old = replace(settings, schema=f"old_{turn}")
            asyncio.run(_made_long_ago(old))
            process = Program([sys.executable, "-m", "ricordo", "db", "migrate"], env=environment(old))
            _wait_for(old, chance.randrange(1, migrations.latest()))
            if turn % 2:
                postmaster = status(settings).pid
                assert postmaster is not None
                os.kill(postmaster, signal.SIGKILL)
            process.kill()
            process.wait()
            with Memory(settings=replace(old, user="old")) as memory:  # the next one takes it up
                memory.mine(talk(turn), conversation=f"talk-{turn}")
            with connect(old) as owner:
                versions = [row[0] for row in owner.execute("SELECT version FROM schema_migrations ORDER BY 1")]
                assert versions == [each.version for each in migrations.migrations()]
                assert lost(owner, [turn]) == []
                assert "My Boat" in {row[0] for row in owner.execute("SELECT name FROM wings")}


async def _made_long_ago(settings: Settings) -> None:
    """A store whose migration got no further than its first step, with a wing."""
    async with database.owner(settings) as connection:
        await migrations.migrate(connection, settings.schema, True, to=1)
        await connection.execute(f"SET search_path = {settings.schema}, public")
        user = "(SELECT user_id FROM users)"
        await connection.execute("INSERT INTO users (user_id, name, last_wing) VALUES (%s, 'old', 1)", [_user_id()])
        await connection.execute(f"INSERT INTO wings VALUES ({user}, 1, 'project', 'My Boat', 'my-boat')".encode())


def _user_id() -> object:
    from ricordo.accounts import user_id_of

    return user_id_of("old")


def _wait_for(settings: Settings, version: int) -> None:
    """Return when a migration is under way behind this version."""
    deadline = time.monotonic() + 60
    with connect(settings) as owner:
        while time.monotonic() < deadline:
            try:
                row = owner.execute("SELECT max(version) FROM schema_migrations").fetchone()
            except psycopg.OperationalError:
                return
            if row is not None and row[0] >= version:
                return
    raise AssertionError("it did not begin")


def test_a_program_that_is_open_goes_on_while_a_newer_one_migrates(settings: Settings) -> None:
    with Memory(settings=settings, background=False) as memory:
        memory.mine(talk(3), conversation="talk-3")
        with followed_by("ALTER TABLE users ADD COLUMN later integer") as version:
            assert asyncio.run(database.migrate(settings)) == [f"{version:04}_later"]
        memory.mine(talk(4), conversation="talk-4")
        assert memory.recall("battery or garden").context
        with pytest.raises(StoreIncompatible, match="upgrade Ricordo"), Memory(settings=settings):
            pass
    with connect(settings) as owner:
        assert lost(owner, [3, 4]) == [] and inconsistencies(owner) == []
