"""Many processes and connections that do the same at once: first starts, mining, embedding, migrating."""

from __future__ import annotations

import asyncio
import multiprocessing
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from bench.writers import measure_writers
from consistency import inconsistencies
from homes import temporary_home
from miners import Miner, lost, talk
from models import model_folder
from ricordo import database
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.database import migrations
from ricordo.settings import Settings
from stores import connect, settings_for

CONNECTIONS = 10


def mine_at_once(miners: list[tuple[Settings, int, int]]) -> None:
    """Processes that start together and each mine so many talks from a first one on; all must succeed."""
    with ExitStack() as ended:
        processes = [Miner(*each) for each in miners]
        for each in processes:
            ended.callback(each.kill)
        for each, (_, first, count) in zip(processes, miners, strict=True):
            said = each.end(120)
            assert (each.process.returncode, said) == (0, "")
            assert each.acknowledged == list(range(first, first + count))


@pytest.mark.slow
def test_six_processes_that_start_at_once_on_an_empty_machine() -> None:
    with temporary_home() as home:
        settings = settings_for(home)
        # Two mine the same for ada, two mine what is their own for her, and two are other users with the same.
        ada, others = replace(settings, user="ada"), [replace(settings, user=f"user-{n}") for n in range(2)]
        mine_at_once([(ada, 1, 3)] * 2 + [(ada, 10 + 3 * n, 3) for n in range(2)] + [(other, 1, 3) for other in others])
        with connect(settings) as owner:
            assert inconsistencies(owner) == []
            assert lost(owner, [1, 2, 3, *range(10, 16)], "ada") == []
            for other in others:
                assert lost(owner, [1, 2, 3], other.user) == []
            assert owner.execute("SELECT count(*) FROM conversations").fetchone() == (9 + 6,)


@pytest.mark.slow
def test_e7_processes_that_write_at_once_are_all_served(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    # The first run is as users have it. The others import what they need once and not nine times.
    spawning, forking = map(multiprocessing.get_context, ("spawn", "forkserver"))
    forking.set_forkserver_preload(["bench.writers"])
    contexts = iter([spawning])
    monkeypatch.setattr(multiprocessing, "get_context", lambda kind: next(contexts, forking))
    runs = asyncio.run(measure_writers(settings, 2, 6, lambda text: None))
    assert [(each.kind, each.processes, each.users) for each in runs] == [
        (kind, *crowd) for kind in ("note", "turn") for crowd in ((1, 1), (2, 1), (2, 2))
    ]
    for each in runs:
        assert (each.refused, each.acknowledged, each.kept) == (0, 6 * each.processes, 6 * each.processes), each


def test_two_processes_share_a_backlog(server_home: Path) -> None:
    plain = settings_for(server_home)
    settings = replace(plain, model_dir=model_folder())
    with Memory(settings=plain) as memory:
        for number in (19, 3, 4, 5):
            memory.mine(talk(number), conversation=f"talk-{number}")
        waiting = memory.pending()

    async def main() -> list[int]:
        one, two = (AsyncMemory(settings=settings, background=False) for _ in range(2))
        async with one, two:
            done = await asyncio.gather(one.embed_pending(), two.embed_pending())
            assert await one.pending() == 0
        return done

    done = asyncio.run(main())
    assert sum(done) == waiting and min(done) > 0
    with connect(settings) as owner:
        assert inconsistencies(owner) == []


def test_ten_connections_migrate_an_empty_database_at_once() -> None:
    async def main(home: Path) -> list[list[str]]:
        # Two schemas of one database: what they share, the extension and the role, is made once as well.
        stores = [settings_for(home), settings_for(home)]
        return await asyncio.gather(*(database.migrate(stores[n % 2]) for n in range(CONNECTIONS)))

    with temporary_home() as home:
        ran = [name for names in asyncio.run(main(home)) for name in names]
    assert len(ran) == 2 * len(migrations.migrations())


def test_an_interrupted_migration_is_taken_up_again(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    known = migrations.migrations()
    broken = migrations.Migration(known[-1].version + 1, "broken", "CREATE TABLE half (a integer); SELECT 1 / 0")
    mended = replace(broken, script="CREATE TABLE half (a integer)")
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "migrations", lambda: (*known, broken))
        with pytest.raises(Exception, match="division by zero"):
            asyncio.run(database.migrate(settings))
    with connect(settings) as owner:
        assert owner.execute("SELECT max(version) FROM schema_migrations").fetchone() == (known[-1].version,)
        assert owner.execute("SELECT to_regclass('half')").fetchone() == (None,)
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "migrations", lambda: (*known, mended))
        with Memory(settings=settings) as memory:  # the embedded store brings itself up to date
            assert memory.pending() == 0
    with connect(settings) as owner:
        assert owner.execute("SELECT max(version) FROM schema_migrations").fetchone() == (broken.version,)
