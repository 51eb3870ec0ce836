"""E13: a store is backed up beside all other work, and comes back into a new one: all of it, or nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import psycopg
import pytest
from test_c_deletion import fill

from archives import contents, packed
from commands import environment, in_process
from consistency import inconsistencies
from forking import run
from homes import temporary_home
from miners import Miner, lost, talk
from models import model_folder
from ricordo import archive
from ricordo.archive import schedule
from ricordo.blocking import Memory
from ricordo.database.embedded import ensure_running
from ricordo.errors import StoreIncompatible, UnreadableSource
from ricordo.settings import Settings
from stores import connect, followed_by, settings_for


@pytest.fixture(scope="module")
def used(server_home: Path) -> Iterator[Settings]:
    """A store of two users who have something of everything."""
    settings = settings_for(server_home, model_dir=model_folder())
    for user in ("ada", "ben"):
        with Memory(settings=replace(settings, user=user), background=False) as memory:
            fill(memory, settings)
    yield settings


@pytest.fixture(scope="module")
def backup(used: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file: Path = tmp_path_factory.mktemp("backups") / "store.zip"
    asyncio.run(archive.backup(used, file))
    return file


def tables(settings: Settings, owner: psycopg.Connection) -> dict[str, list[str]]:
    """Every row of every table, but for what belongs to a server: numbers of transactions, and workers."""
    found = {}
    for (name,) in owner.execute(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = %s::regnamespace", [settings.schema]
    ).fetchall():
        if name not in ("schema_migrations", "procrastinate_workers"):
            rows = owner.execute(f"SELECT to_jsonb(t) - '{{xid,first_xid,end_xid}}'::text[] FROM {name} t").fetchall()
            found[name] = sorted(json.dumps(row[0]) for row in rows)
    return found


def test_e13_a_restored_store_is_the_same_and_goes_on(used: Settings, backup: Path) -> None:
    with temporary_home() as home:
        other = replace(used, home=home)
        restored = asyncio.run(archive.restore(other, backup))
        assert restored.rows["users.copy"] == 2
        with connect(used) as before, connect(other) as after:
            assert tables(other, after) == tables(used, before)
            assert inconsistencies(after) == []
        with Memory(settings=replace(other, user="ada"), background=False) as memory:
            assert memory.audit.verify().intact and memory.audit.sound().found == ()
            assert "12V20Ah" in memory.recall("Which pack of cells did we take?").context
            memory.mine(talk(3), conversation="later")
            memory.notes.create("and a note", retention="long_term")  # of a sequence that goes on
            memory.embed_pending()
            memory.audit.seal()
            assert memory.audit.verify().unsealed == 0 and memory.audit.verify().intact
            assert memory.audit.sound().found == ()


def test_e13_into_a_server_of_ones_own_under_another_name(used: Settings, backup: Path) -> None:
    """As big hosts have it: by a role that is no superuser, and which row-level security binds."""
    with temporary_home() as home:
        host = ensure_running(Settings(home=home)).host
        with psycopg.connect(f"host={host} user=ricordo dbname=ricordo", autocommit=True) as administrator:
            administrator.execute("CREATE ROLE host_admin LOGIN CREATEROLE; CREATE EXTENSION vector")
            administrator.execute("GRANT CREATE ON DATABASE ricordo TO host_admin")
        own = replace(
            used, database_url=f"postgresql://host_admin@/ricordo?host={host}", schema="elsewhere", user="ben"
        )
        asyncio.run(archive.restore(own, backup))
        with Memory(settings=own, background=False) as memory:
            assert memory.audit.verify().intact and memory.audit.sound().found == ()
        with psycopg.connect(f"host={host} user=ricordo dbname=ricordo") as after, connect(used) as before:
            after.execute("SET search_path = elsewhere, public")
            assert tables(own, after) == tables(used, before)
            forced = "SELECT count(*) FROM pg_class WHERE relnamespace = %s::regnamespace AND relforcerowsecurity"
            assert after.execute(forced, ["elsewhere"]).fetchone() == before.execute(forced, [used.schema]).fetchone()
            enabled = "SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE tgenabled = 'D'"
            assert after.execute(enabled).fetchone() == (0,)
        # What is hidden from a role cannot be backed up by it, and is not left out in silence.
        with pytest.raises(StoreIncompatible, match=r"'host_admin' cannot read all users' rows, .*ricordo export"):
            asyncio.run(archive.backup(own, home / "part.zip"))
        with pytest.raises(StoreIncompatible, match="has something in it"):
            asyncio.run(archive.restore(own, backup))


def test_e13_a_store_that_holds_something_is_left_alone(used: Settings, backup: Path) -> None:
    with connect(used) as owner:
        before = tables(used, owner)
        with pytest.raises(StoreIncompatible, match=r"has something in it \(.*\).* set RICORDO_HOME to a new"):
            asyncio.run(archive.restore(used, backup))
        assert tables(used, owner) == before


def test_e13_a_backup_of_an_older_version_comes_back(used: Settings, backup: Path, empty_settings: Settings) -> None:
    """With the rows that later migrations change, also into a store that is at the newest version, but empty."""
    with followed_by("ALTER TABLE wings ADD COLUMN motto text; UPDATE wings SET motto = upper(name)") as version:
        with Memory(settings=empty_settings):
            pass
        asyncio.run(archive.restore(empty_settings, backup))
        with connect(empty_settings) as owner, connect(used) as before:
            assert owner.execute("SELECT max(version) FROM schema_migrations").fetchone() == (version,)
            mottos = "SELECT user_id, wing, {} FROM wings ORDER BY user_id, wing"
            assert (
                owner.execute(mottos.format("motto")).fetchall()
                == before.execute(mottos.format("upper(name)")).fetchall()
                != []
            )


def test_e13_a_damaged_backup_or_a_killed_restore_leaves_nothing(
    empty_settings: Settings, backup: Path, tmp_path: Path
) -> None:
    settings = empty_settings
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(backup) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    content = contents(backup)
    agents = manifest["files"]["agents.copy"] | {"columns": {"id": "uuid"}}
    for told, said in (
        ({"version": 3}, "supports versions up to 2: upgrade Ricordo"),
        ({"version": 1}, "was made by an unreleased Ricordo version .*`ricordo export FILE"),
        ({"schema_version": 9999}, "supports versions up to"),
        ({"schema_version": 0}, r"manifest\.json, schema_version"),
        ({"files": manifest["files"] | {"agents.copy": agents}}, r"agents\.copy does not match that version"),
        ({"format": "ricordo-archive"}, "is an export of one user's memory, not a backup"),
    ):
        with pytest.raises(UnreadableSource, match=said):
            asyncio.run(archive.restore(settings, packed(bad, content, {**manifest, **told})))
    with pytest.raises(UnreadableSource, match=r"is damaged: the checksum of agents\.copy does not match"):
        asyncio.run(archive.restore(settings, packed(bad, content | {"agents.copy": b"x"}, manifest)))
    bad.write_bytes(backup.read_bytes()[:-500])
    with pytest.raises(UnreadableSource, match="or it is damaged"):
        asyncio.run(archive.restore(settings, bad))
    script = (
        "import asyncio, os, sys; from ricordo import archive; from ricordo.archive import backup_store\n"
        "from ricordo.settings import Settings\n"
        "async def die(*_): os.kill(os.getpid(), 9)\n"
        "backup_store.set_sequences = die\n"
        "asyncio.run(archive.restore(Settings.from_environment(), __import__('pathlib').Path(sys.argv[1])))\n"
    )
    killed = run([sys.executable, "-c", script, backup], env=environment(settings))
    assert killed.returncode == -9
    with connect(settings) as owner:
        assert owner.execute("SELECT to_regnamespace(%s)", [settings.schema]).fetchone() == (None,)
    asyncio.run(archive.restore(settings, backup))


def test_e13_no_damage_to_a_file_goes_unnoticed(used: Settings, tmp_path: Path) -> None:
    """Cut off anywhere, or with one bit changed anywhere: it is told, or all that is in the file is as it was."""
    bad, random = tmp_path / "bad.zip", Random(7)
    with Memory(settings=replace(used, user="ada"), background=False) as memory:
        memory.archive.save(tmp_path / "ada.zip")
    whole, before = (tmp_path / "ada.zip").read_bytes(), contents(tmp_path / "ada.zip")
    for attempt in range(300):
        if attempt % 2:
            bad.write_bytes(whole[: random.randrange(len(whole))])
        else:
            damaged = bytearray(whole)
            damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
            bad.write_bytes(damaged)
        try:
            archive.check(bad)
        except UnreadableSource:
            continue
        assert attempt % 2 == 0 and contents(bad) == before, attempt


def test_e13_a_backup_beside_a_writer_shows_one_moment(settings: Settings, tmp_path: Path) -> None:
    with Memory(settings=settings):
        pass
    miner = Miner(settings, 0)
    try:
        miner.wait_for(3)
        before = list(miner.acknowledged)
        asyncio.run(archive.backup(settings, tmp_path / "busy.zip"))
        miner.wait_for(len(before) + 2)
    finally:
        miner.kill()
    other = replace(settings, schema=f"test_{secrets.token_hex(6)}")
    asyncio.run(archive.restore(other, tmp_path / "busy.zip"))
    with connect(other) as owner:
        assert inconsistencies(owner) == [] and lost(owner, before) == []


def test_e13_backups_by_the_clock_are_made_once_and_the_newest_are_kept(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(settings=settings):
        pass
    chosen = replace(settings, backup_every=24.0, backup_keep=2, backup_dir=tmp_path / "kept")
    every = timedelta(hours=24)
    chosen.backups.mkdir()
    for days in (3, 2):
        (chosen.backups / f"ricordo-{datetime.now(UTC) - timedelta(days=days):%Y%m%dT%H%M%S}Z.zip").touch()
    (chosen.backups / "mine.zip").touch()
    left = chosen.backups / ".ricordo-20260301T020000Z.zip.abcd.partial"
    left.touch()
    os.utime(left, (0, 0))

    async def at_once() -> None:
        await asyncio.gather(*(schedule._backup_if_due(chosen, every) for _ in range(3)))

    asyncio.run(at_once())
    made = archive.backups(chosen.backups)
    assert len(made) == 2 and archive.check_backup(made[-1][1]).manifest.format == "ricordo-backup"
    assert (chosen.backups / "mine.zip").exists()
    asyncio.run(schedule._backup_if_due(chosen, every))
    assert archive.backups(chosen.backups) == made
    # A clock that stood a day ahead keeps none away.
    made[-1][1].rename(chosen.backups / f"ricordo-{datetime.now(UTC) + timedelta(days=1):%Y%m%dT%H%M%S}Z.zip")
    asyncio.run(schedule._backup_if_due(chosen, every))
    assert not any(each.name.startswith(".ricordo") for each in chosen.backups.iterdir())

    async def failing(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async def for_a_moment() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(archive.keep_backed_up(chosen), 0.5)

    monkeypatch.setattr(schedule, "_backup_if_due", failing)
    with caplog.at_level(logging.WARNING):
        asyncio.run(for_a_moment())
    assert "backup failed: [Errno 28] No space left" in caplog.text


def test_e13_by_backup_commands(
    used: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(replace(used, backup_dir=tmp_path / "kept"), monkeypatch, capsys)
    for _ in range(2):
        made = run("backup", "--keep", "1", "--json").json
        monkeypatch.setattr(schedule, "datetime", type("Later", (datetime,), {"now": lambda tz: datetime(2031, 1, 1)}))
    [kept] = (tmp_path / "kept").iterdir()
    assert str(kept) == made["path"] and kept.stat().st_mode & 0o777 == 0o600
    assert "The backup of" in run("verify", kept).out
    assert run("restore", kept).code == 5
    monkeypatch.setenv("RICORDO_SCHEMA", f"test_{secrets.token_hex(6)}")
    assert "rows of 2 users" in run("restore", kept).out
    assert run("verify", "--store", "--user", "ada").out == "The tables are consistent.\n"
    assert run("restore", tmp_path / "absent.zip").code == 7


@pytest.mark.parametrize("command", ["import", "restore"])
def test_e13_what_ricordo_wrote_is_read_by_one_command_and_never_as_a_chat(
    used: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    run = in_process(replace(used, user="ada"), monkeypatch, capsys)
    folder = tmp_path / "files"
    folder.mkdir()
    file = folder / "memory.zip"
    assert run({"import": "export", "restore": "backup"}[command], file).code == 0
    for path in (file, folder):
        mined = run("mine", "--dry-run", path)
        assert mined.code != 0 and f"use `ricordo {command}`" in mined.err
    other = {"import": "restore", "restore": "import"}[command]
    assert f"use `ricordo {command}`" in run(other, file).err
