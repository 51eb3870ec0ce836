"""A disk that runs full, and one that is read-only: one sentence, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from consistency import inconsistencies
from disks import remount, small_disk
from forking import run
from miners import environment, lost, talk
from ricordo import archive
from ricordo.blocking import Memory
from ricordo.database.embedded import stop
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings
from stores import connect, settings_for


def mine_until_it_fails(memory: Memory, first: int) -> tuple[int, str]:
    """The number of the first talk that is not acknowledged, and why."""
    for number in range(first, first + 5000):
        try:
            memory.mine(talk(number), conversation=f"talk-{number}")
        except StoreUnavailable as error:
            return number, str(error)
    raise AssertionError("the disk is too large for this test")


def names_the_disk(why: str) -> bool:
    """Whether it is one line about the disk: a running server's, or of one that cannot start again for it."""
    return "\n" not in why and ("the store's disk is full: free some space" in why or "No space left on device" in why)


def fill(disk: Path, leave: int) -> None:
    """Leave so many bytes."""
    with (disk / "ballast").open("wb") as ballast:
        for _ in range((shutil.disk_usage(disk).free - leave) // 65536):
            ballast.write(bytes(65536))


@pytest.mark.parametrize("megabytes_left", [2, 20])
def test_mining_until_the_disk_is_full(megabytes_left: int) -> None:
    with small_disk(300) as disk:
        settings = settings_for(disk)
        with Memory(settings=settings) as memory:
            memory.mine(talk(0), conversation="talk-0")
            fill(disk, megabytes_left * 1_000_000)
            number, why = mine_until_it_fails(memory, 1)
            assert names_the_disk(why)
            again, why = mine_until_it_fails(memory, number)
            assert again >= number and names_the_disk(why)
            remount(disk, "size=400m")
            assert memory.mine(talk(again), conversation=f"talk-{again}").stored > 0
            with connect(settings) as owner:
                assert inconsistencies(owner) == []
                assert lost(owner, list(range(again + 1))) == []


def mine(settings: Settings, chats: Path) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "-m", "ricordo", "mine", str(chats)], env=environment(settings), text=True)


@pytest.mark.slow
def test_the_command_line_on_a_full_disk(tmp_path: Path) -> None:
    chats = tmp_path / "chats.jsonl"
    lines = [{"id": f"talk-{number}", "messages": talk(number)} for number in range(250)]
    chats.write_text("\n".join(map(json.dumps, lines)))
    with small_disk(300) as disk:
        settings = settings_for(disk)
        with Memory(settings=settings):
            pass
        fill(disk, 5_000_000)
        for _ in range(2):
            ran = mine(settings, chats)
            assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (4, "", 1), ran
            assert names_the_disk(ran.stderr.strip())
        remount(disk, "size=500m")
        assert mine(settings, chats).returncode == 0
        with connect(settings) as owner:
            assert inconsistencies(owner) == []
            assert lost(owner, list(range(250))) == []


@pytest.mark.parametrize("made_before", [False, True])
def test_a_home_that_is_read_only(tmp_path: Path, made_before: bool) -> None:
    chats = tmp_path / "talk.md"
    chats.write_text("**User:** Which cells?\n\n**Assistant:** LiFePO4 cells.\n")
    with small_disk(300) as disk:
        settings = settings_for(disk)
        if made_before:
            with Memory(settings=settings):
                pass
            stop(settings)
        remount(disk, "ro")
        ran = mine(settings, chats)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (4, "", 1), ran
        assert "Read-only file system. Set RICORDO_HOME to a folder that can be written to" in ran.stderr


def test_a_backup_and_a_restore_on_a_full_disk(tmp_path: Path) -> None:
    """A sentence each; no part of a file, no part of a store; and both succeed where there is room."""
    with small_disk(300) as disk:
        settings = settings_for(disk)
        with Memory(settings=settings) as memory:
            for number in range(40):
                memory.mine(talk(number), conversation=f"talk-{number}")
        kept = tmp_path / "kept.zip"
        asyncio.run(archive.backup(settings, kept))
        fill(disk, 8192)
        with pytest.raises(OSError, match="No space left on device"):
            asyncio.run(archive.backup(settings, disk / "backup.zip"))
        assert [each.name for each in disk.glob("*.zip*")] == []
        (disk / "ballast").unlink()
        fill(disk, 1_000_000)
        other = replace(settings, schema=f"{settings.schema}_again")
        with pytest.raises(StoreUnavailable) as raised:
            asyncio.run(archive.restore(other, kept))
        assert names_the_disk(str(raised.value))
        remount(disk, "size=500m")
        asyncio.run(archive.restore(other, kept))
        with connect(other) as owner:
            assert inconsistencies(owner) == [] and lost(owner, list(range(40))) == []
