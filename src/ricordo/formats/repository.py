"""The project of a folder: the repository that contains it, the same for every clone and worktree.

Git's files are read directly, without starting a program, because hooks have little time.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ricordo.rules import mended

#: Folders that are looked into upwards, bytes of a file that are read, and clones of clones that are followed.
_HIGHEST, _LARGEST, _CLONES = 40, 100_000, 5
#: Characters of a project's name.
_LONGEST = 200
_HOME = re.compile(r"/root|/(?:home|Users)/[^/]+")
_REMOTE = re.compile(r"\[\s*remote\s+\"([^\"]*)\"\s*\]")
#: Documents that assistants read by themselves.
INSTRUCTIONS = re.compile(r"(^|/)(CLAUDE|AGENTS|GEMINI)\.md$|^\.github/copilot-instructions\.md$")
#: Addresses of a remote: with a scheme, and in the short form of SSH. Accounts, passwords and ports are left out.
_URL = re.compile(
    r"(?!file:)[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(?P<host>\[[^\]/]*\]|[^:/]+)(?::\d+)?/(?P<path>.*)", re.IGNORECASE
)
_SSH = re.compile(r"(?:[^@/:]+@)?(?P<host>[^/:@]{2,}):(?P<path>(?!//).*)")


def project_of(folder: Path, remote: object = None) -> str | None:
    """The project's name: `host/path` of the address that the repository was cloned from.

    If the folder no longer exists, `remote` replaces it: the address that a session recorded. Without a remote, it is
    the path of the repository; outside of a repository, the name of the folder. None for the root and for a home
    folder, which contains many projects."""
    git = _git_folder(folder)
    if git is not None:
        return _storable(_name(git, _CLONES))
    if named := of_remote(remote):
        return named
    return None if _is_home(folder) else mended(folder.name) or None


def former_project_of(folder: Path) -> str | None:
    """The name that the project of a repository with a remote had before it got one: the repository's path."""
    git = _git_folder(folder)
    path = None if git is None else _storable(_bare(str(_root(git))))
    return None if path == project_of(folder) else path


def _storable(name: str) -> str:
    return " ".join(mended(name).split())[-_LONGEST:]


def _is_home(folder: Path) -> bool:
    return _HOME.fullmatch(str(folder)) is not None or str(folder) == os.path.expanduser("~")  # noqa: PTH111 - no error


def is_read_by_assistants(conversation: str) -> bool:
    """Whether a conversation is a document that assistants read by themselves when they work in its repository."""
    return conversation.startswith("repository:") and INSTRUCTIONS.search(conversation.split(":", 2)[-1]) is not None


def of_remote(address: object) -> str | None:
    """The project's name by the address of a remote; None for none, and for a path."""
    found = (_URL.fullmatch(address) or _SSH.fullmatch(address)) if isinstance(address, str) else None
    path = found and _bare(found["path"].partition("?")[0].strip("/"))
    return f"{found['host'].lower()}/{path}" if found and path else None


def _root(git: Path) -> Path:
    return git.parent if git.name == ".git" else git


def _name(git: Path, follow: int) -> str:
    root = _root(git)
    remote = _remote(git / "config")
    if remote is None:
        return _bare(str(root))
    if named := of_remote(remote):
        return named
    path = Path(os.path.normpath(root / remote.removeprefix("file://")))
    origin = next((each for each in (path / ".git", path) if (each / "HEAD").is_file()), None)
    return _name(origin, follow - 1) if origin is not None and follow else _bare(str(path))


def _bare(path: str) -> str:
    return path.removesuffix(".git").rstrip("/")


def _git_folder(folder: Path) -> Path | None:
    """The folder that the repository's clones and worktrees share; None outside a repository."""
    for each in (folder, *folder.parents)[:_HIGHEST]:
        git = each / ".git"
        try:
            if git.is_dir():
                return git
            if git.is_file():  # of a worktree or a submodule
                own = each / _text(git).removeprefix("gitdir:").strip()
                shared = own / "commondir"
                return Path(own, _text(shared).strip()).resolve() if shared.is_file() else own.resolve()
        except (OSError, ValueError):
            return None
    return None


def _remote(config: Path) -> str | None:
    """The address of `origin`, or of the first remote."""
    found: dict[str, str] = {}
    name = None
    try:
        lines = _text(config).splitlines()
    except (OSError, ValueError):
        return None
    for line in lines:
        if line.lstrip().startswith("["):
            section = _REMOTE.match(line.strip())
            name = section[1] if section else None
        elif name is not None:
            key, _, value = line.partition("=")
            if key.strip() == "url":
                found.setdefault(name, value.strip())
    return found.get("origin") or next(iter(found.values()), None)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LARGEST).decode("utf-8", "replace")
