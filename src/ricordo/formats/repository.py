"""Which project a folder belongs to: the repository that it lies in, the same for every clone and worktree of it.

The files of Git are read, and no program is started: a hook has no time for it.
"""

from __future__ import annotations

import re
from pathlib import Path

#: Folders that are looked into upwards, and bytes of a file that are read.
_HIGHEST, _LARGEST = 40, 100_000
_REMOTE = re.compile(r"\[\s*remote\s+\"([^\"]*)\"\s*\]")


def project_of(folder: Path) -> str:
    """The project's name: the last part of the address that the repository is cloned from, without `.git`; else the
    name of the folder that holds the repository, else that of the folder itself."""
    git = _git_folder(folder)
    if git is None:
        return folder.name
    remote = _remote(git / "config")
    name = re.split(r"[\\/:]+", remote.rstrip("/"))[-1].removesuffix(".git") if remote else ""
    if name:
        return name
    return git.parent.name if git.name == ".git" else git.name.removesuffix(".git")


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
