"""Starts and stops the embedded server; safe against any number of processes that do the same at once.

Two locks keep the order. The kernel frees both however a process ends:

`start.lock`  is held by the one process that starts or stops the server. initdb inherits it, so that the next
              starter waits for an initdb whose own starter was killed.
`alive.lock`  is inherited by every process of the server. Whoever gets it knows that none of them lives, whatever
              `postmaster.pid` says: in a container its number is soon another process's. It is tried under
              `start.lock` only.

POSIX only.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ricordo.database.embedded import handshake
from ricordo.database.embedded.account import give_to_owner_of, make_folders, server_account
from ricordo.database.embedded.handshake import Reply, State
from ricordo.database.embedded.launch import Launch, launch
from ricordo.database.embedded.layout import OWNER, Layout
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

#: Seconds between two looks at something that we wait for; the longer one once it has taken a second.
_SHORT_PAUSE, _LONG_PAUSE = 0.01, 0.1


class Deadline:
    """A moment to give up at."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._begin = time.monotonic()

    @property
    def remaining(self) -> float:
        """Seconds that are left, never below a tenth: what is asked for at the last moment can still answer."""
        return max(0.1, self._begin + self.timeout - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether it is time to give up."""
        return time.monotonic() > self._begin + self.timeout

    def pause(self) -> None:
        """Wait a little before looking again."""
        time.sleep(_SHORT_PAUSE if time.monotonic() < self._begin + 1 else _LONG_PAUSE)


def start(settings: Settings, layout: Layout, timeout: float) -> Reply:
    """Return its reply once the server accepts connections to its database; make, start and recover what that needs.

    Raises StoreUnavailable, StoreIncompatible, OSError.
    """
    deadline = Deadline(timeout)
    account = server_account(layout)
    make_folders(layout, account)
    launched: Launch | None = None
    with _start_lock(layout, deadline) as start_lock:
        try:
            while True:
                reply = layout.knock(deadline.remaining)
                if reply.state is State.READY:
                    return reply
                if deadline.passed:
                    raise _timed_out(layout, reply, timeout)
                if reply.state is State.NO_DATABASE:
                    _create_database(layout, deadline)
                    continue
                with _try_lock(layout, layout.alive_lock) as alive_lock:
                    if alive_lock is not None and launched is not None:
                        raise launched.failure()
                    if alive_lock is not None:
                        launched = launch(settings, layout, account, start_lock, alive_lock, deadline.remaining)
                deadline.pause()
        except subprocess.TimeoutExpired as slow:
            raise _timed_out(layout, Reply(State.ABSENT), timeout) from slow
        finally:
            if launched is not None:
                launched.close()


def stop(layout: Layout, timeout: float) -> bool:
    """Shut the server down cleanly, within `timeout` seconds; False if none was running.

    Raises StoreUnavailable, OSError.
    """
    if not layout.start_lock.exists():
        return False
    deadline = Deadline(timeout)
    with _start_lock(layout, deadline):
        signalled: Path | None = None
        while True:
            with _try_lock(layout, layout.alive_lock) as alive_lock:
                if alive_lock is not None:
                    break
            if deadline.passed:
                raise StoreUnavailable(
                    f"The embedded server under {layout.home} did not stop within {timeout:g} s; it is still "
                    "writing changes or finishing a statement. Wait and try again"
                )
            if signalled is None:
                signalled = _ask_to_stop(layout, deadline)
            deadline.pause()
    if signalled is not None and signalled != layout.socket_directory:
        with suppress(OSError):  # one outside the home, which nobody would miss or remove
            signalled.rmdir()
    return signalled is not None


def _ask_to_stop(layout: Layout, deadline: Deadline) -> Path | None:
    """Ask the process that listens on our socket for a fast shutdown; returns the socket's folder.

    None if nobody listens: the server is only about to listen, or its last processes are ending already.
    """
    postmaster = layout.postmaster()
    if postmaster is None or postmaster.address is None:
        return None
    listener = handshake.listener(postmaster.address, deadline.remaining)
    if listener is None:
        return None
    if listener.pid == 0:
        raise StoreUnavailable(f"The embedded server under {layout.home} runs in another container. Stop it there")
    with suppress(ProcessLookupError):  # it ends by itself
        os.kill(listener.pid or postmaster.pid, signal.SIGINT)
    return Path(postmaster.address).parent


def _create_database(layout: Layout, deadline: Deadline) -> None:
    """Make the store's database. The first is the empty one that initdb makes, renamed: that takes 4 ms and no disk. A
    further one is a copy of template1, which takes 40 ms and 600 files, more where making files is slow.

    Nothing happens where the server ends meanwhile: the caller sees that.
    """
    postmaster = layout.postmaster()
    if postmaster is None or postmaster.address is None:
        return
    try:
        with handshake.Session(postmaster.address, OWNER, "template1", deadline.remaining) as session:
            try:
                session.execute(f'ALTER DATABASE postgres RENAME TO "{layout.database}"')
            except handshake.Refused:
                session.execute(f'CREATE DATABASE "{layout.database}"')
    except (ConnectionError, TimeoutError):
        return
    except handshake.Refused as refusal:
        if refusal.passes:
            return
        raise StoreUnavailable(
            f"The embedded server under {layout.home} cannot create the database {layout.database}: {refusal}"
        ) from refusal


def _timed_out(layout: Layout, reply: Reply, timeout: float) -> StoreUnavailable:
    reasons = {
        State.ABSENT: "it is being created, or an earlier server is still finishing its statements",
        State.BUSY: "it is still starting, recovering or stopping",
        State.NO_DATABASE: "its database is still being created",
    }
    return StoreUnavailable(
        f"The embedded server under {layout.home} is not ready after {timeout:g} s: {reasons[reply.state]}. "
        f"Try again later. Its log is in {layout.log_directory}"
    )


@contextmanager
def _start_lock(layout: Layout, deadline: Deadline) -> Iterator[int]:
    """Hold `start.lock`; yields its descriptor."""
    while True:
        with _try_lock(layout, layout.start_lock) as lock:
            if lock is not None:
                yield lock
                # Closing alone would leave it to a copy of us that another thread has forked meanwhile.
                fcntl.flock(lock, fcntl.LOCK_UN)
                return
        if deadline.passed:
            raise StoreUnavailable(
                f"Another process has been starting or stopping the embedded server under {layout.home} for "
                f"{deadline.timeout:g} s. Wait and try again"
            )
        deadline.pause()


@contextmanager
def _try_lock(layout: Layout, path: Path) -> Iterator[int | None]:
    """Hold the lock of the file `path` if it is free; yields its descriptor, or None if another process has it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        give_to_owner_of(layout.root, lock)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield lock
    finally:
        os.close(lock)
