"""The folder in which an operation's files lie while it works on them. Nothing of it stays, not even of one whose
process was killed: the next one removes what nobody holds any more."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # Windows, where what a killed process left is the system's to clean up
    fcntl = None  # type: ignore[assignment]

#: What the names of folders begin with that somebody holds, and of those that nobody holds yet.
_HELD, _NEW = "ricordo-operation-", "ricordo-new-"


@contextmanager
def folder(within: Path) -> Iterator[Path]:
    """A new folder in `within`, which only this process's user can read, for as long as the block lasts. Blocks on the
    disk."""
    within.mkdir(parents=True, exist_ok=True)
    if fcntl is not None:
        _sweep(within)
    made = Path(tempfile.mkdtemp(prefix=_NEW, dir=within))
    with _hold(made):
        path = made.rename(made.with_name(made.name.replace(_NEW, _HELD)))  # from now on it could be swept
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _hold(path: Path) -> Iterator[None]:
    """Hold a folder as long as the block lasts, or the process. Raises OSError where somebody else does."""
    if fcntl is None:
        yield
        return
    held = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(held)


def _sweep(parent: Path) -> None:
    """Remove the folders of processes that are gone."""
    for left in parent.glob(f"{_HELD}*"):
        # Somebody works in it, it is another user's, or just gone.
        with suppress(OSError), _hold(left):
            shutil.rmtree(left, ignore_errors=True)
