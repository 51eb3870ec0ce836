"""The operating system's account that the embedded server runs as: our own, or for root an unprivileged one.

PostgreSQL refuses to run as root. POSIX only.
"""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ricordo.database.embedded.layout import Layout
from ricordo.errors import StoreUnavailable

#: The whole environment of our child processes. Nothing of ours reaches them: neither PG… nor LD_… variables.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
#: Conventional number of an account without rights, for a root without even `nobody`.
_NOBODY = 65534
#: A program that drops to an account and becomes another program, or ends with this much more than the error's number.
#: `subprocess` can drop by itself, but forks for it: then OpenBLAS waits for its threads, which may be at work for us
#: and wait for the interpreter's lock that the fork holds. Without dropping it takes vfork, which asks no library.
_NOT_RUN = 150
_DROP = f"""
import os, sys
uid, gid, *command = sys.argv[1:]
os.setgroups([]); os.setgid(int(gid)); os.setuid(int(uid))
try: os.execve(command[0], command, {ENVIRONMENT!r})
except OSError as error: os._exit({_NOT_RUN} + min(error.errno, 99))
"""
_FIRST_CLOSED = 'for each; do cd "$each" 2>/dev/null || { printf %s "$each"; exit; }; done'


@dataclass(frozen=True)
class Account:
    """An account, and whether we have to drop to it."""

    uid: int
    gid: int
    #: None where no passwd entry has this number, as is common in containers.
    name: str | None
    #: We are root, and the account is another one.
    dropped: bool

    def process(self, command: Sequence[str | Path]) -> dict[str, Any]:
        """Arguments of `subprocess.Popen` for a command that runs as this account, far from our folder."""
        given = [str(each) for each in command]
        options: dict[str, Any] = {"args": given, "cwd": "/", "env": ENVIRONMENT, "stdin": subprocess.DEVNULL}
        if self.dropped:
            drop = [sys.executable, "-I", "-S", "-c", _DROP, str(self.uid), str(self.gid)]
            options |= {"args": [*drop, *given], "env": None}  # the interpreter may need variables of ours to start
        return options

    def run(self, command: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[Any]:
        """`subprocess.run` as this account, far from our folder. Raises OSError for a program that does not start."""
        ran: subprocess.CompletedProcess[Any] = subprocess.run(**self.process(command), check=False, **options)
        if self.dropped and ran.returncode > _NOT_RUN:
            number = ran.returncode - _NOT_RUN
            raise OSError(number, os.strerror(number), str(command[0]))
        return ran

    def __str__(self) -> str:
        return repr(self.name) if self.name else f"number {self.uid}"

    def closed_folder(self, folder: Path) -> str | None:
        """The first of `folder` and its parents that this account cannot enter; None where all are open."""
        if not self.dropped:
            return None
        folders = [str(each) for each in (*reversed(folder.parents), folder)]
        ran = self.run(["/bin/sh", "-c", _FIRST_CLOSED, "sh", *folders], stdout=subprocess.PIPE, text=True, timeout=20)
        ran.check_returncode()
        return ran.stdout or None


def server_account(layout: Layout) -> Account:
    """The account that the server of `layout` runs as.

    For root: the owner of an existing cluster; else the owner of the home if that is not root; else `postgres`,
    else `nobody`. For everybody else: themselves.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), _name(os.geteuid()), dropped=False)
    for folder in (layout.cluster, layout.home):
        try:
            owner = folder.stat()
        except FileNotFoundError:
            continue
        if owner.st_uid != 0:
            return _account(owner.st_uid, owner.st_gid)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return _account(entry.pw_uid, entry.pw_gid)
    return _account(_NOBODY, _NOBODY)


def _account(uid: int, gid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(uid, gid, None, dropped=True)
    return Account(uid, entry.pw_gid, entry.pw_name, dropped=True)


def _name(uid: int) -> str | None:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return None


def make_folders(layout: Layout, account: Account) -> None:
    """Make the home and the folders in it that are missing. Raises OSError, StoreUnavailable."""
    ours = 0o755 if account.dropped else 0o700
    if not layout.home.exists():
        layout.home.parent.mkdir(parents=True, exist_ok=True)
        _make_folder(layout.home, ours, None)
    owner = layout.home.stat()
    keeper = (owner.st_uid, owner.st_gid) if account.dropped else None
    server = (account.uid, account.gid) if account.dropped else None
    _make_folder(layout.root, ours, keeper)
    _make_folder(layout.binaries, ours, keeper)
    _make_folder(layout.logs, ours, keeper)
    for folder in (layout.root, layout.logs):
        closed = account.closed_folder(folder)
        if closed:
            raise StoreUnavailable(
                f"The embedded server runs as the account {account}, because PostgreSQL refuses to run as root, but "
                f"{account} cannot access {closed}. Set RICORDO_HOME to a folder that every account can access, "
                f"such as /var/lib/ricordo, or run: chmod o+x {closed}"
            )
    _make_folder(layout.cluster, 0o700, server)
    _make_folder(layout.log_directory, 0o700, server)


def give_to_owner_of(folder: Path, path: Path | int) -> None:
    """Give `path`, or an open file, that we have just made to the owner of `folder`; only root needs to."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def make_private_folder(folder: Path, account: Account) -> None:
    """Make `folder` for `account` alone, or check that it is so. Raises OSError, StoreUnavailable."""
    _make_folder(folder, 0o700, (account.uid, account.gid) if account.dropped else None)
    found = folder.lstat()
    if found.st_uid != account.uid or found.st_mode & 0o170077 != 0o040000:
        raise StoreUnavailable(
            f"The socket folder of the embedded server, {folder}, must be accessible only to the account "
            f"{account}. Remove it, or set RICORDO_HOME to a shorter path so that it is not needed"
        )


def _make_folder(folder: Path, mode: int, owner: tuple[int, int] | None) -> None:
    # A root that was killed between the two steps leaves a folder of its own: hence chown where root owns it.
    try:
        folder.mkdir()
        folder.chmod(mode)
    except FileExistsError:
        if not folder.is_dir():
            raise
    if owner is not None and folder.lstat().st_uid == 0 and owner[0] != 0:
        os.chown(folder, *owner, follow_symlinks=False)
