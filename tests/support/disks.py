"""Small disks for tests, that can be filled, grown and made read-only. Only a root that may mount has them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from homes import temporary_home
from ricordo.database.embedded import stop
from ricordo.settings import Settings


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A home on a file system of its own and of this size; skips the test where none can be mounted."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    with temporary_home() as parent:
        disk = parent / "disk"
        disk.mkdir()
        size = f"size={megabytes}m,mode=0755"
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", disk], capture_output=True, text=True, check=False
        )
        if mounted.returncode:
            pytest.skip(f"this root may not mount: {mounted.stderr.strip()}")
        try:
            yield disk
        finally:
            remount(disk, "rw,size=500m")
            stop(Settings(home=disk))
            subprocess.run(["umount", "--lazy", disk], check=True)


def remount(disk: Path, options: str) -> None:
    """Change the size of a small disk, or whether it can be written to."""
    subprocess.run(["mount", "-o", f"remount,{options}", disk], check=True)
