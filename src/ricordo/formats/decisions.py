"""What a Git repository says about its own past: commits, decision records, instructions for assistants, changelogs.

A commit is a turn of its author: `commit 1a2b3c4d5e`, the message, the files. Its id is the commit's, so that a commit
that is there already is a duplicate. The commits of a month are one conversation. Of each document every section is a
turn, whose id is made of its text: an edited section is a new turn, and what it said before stays. Each turn of a
document names the commit that last changed the file. `source` tells the kinds apart: `git`, `decision_record`,
`instructions`, `changelog`.

Git itself is asked (`git log`, `git ls-files`), without the hooks and monitors that the repository may configure.
Merges are left out, and documents that are not committed.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ricordo.formats.draft import Draft
from ricordo.formats.format import Export
from ricordo.formats.problems import Reporter
from ricordo.formats.repository import INSTRUCTIONS, project_of

#: Commits that are read at most, the newest; characters of a message and files of a commit that are stored.
_COMMITS, _MESSAGE, _FILES = 20_000, 4_000, 20
#: Characters of a document, and seconds that Git may take for one answer.
_DOCUMENT, _SECONDS = 400_000, 120
#: How the parts of a commit, and commits, are told apart in Git's answer: no message holds these.
_PART, _COMMIT = "\x1f", "\x1e"
#: Digits of a commit's id that cite it.
_CITED = 10
_HEADING = re.compile(r"^#{1,3}[ \t]+\S", re.MULTILINE)
_RECORDS = re.compile(r"(^|/)(adrs?|decisions?|decision[-_]records?)/[^/]+\.(md|markdown|rst|txt)$", re.IGNORECASE)
_CHANGELOG = re.compile(r"(^|/)(CHANGELOG|CHANGES|HISTORY)(\.(md|markdown|rst|txt))?$", re.IGNORECASE)
_KINDS = (("decision_record", _RECORDS), ("instructions", INSTRUCTIONS), ("changelog", _CHANGELOG))


class _Failed(Exception):
    """Git did not answer; the message says why."""


@dataclass(frozen=True)
class _Repository:
    """A repository that is read."""

    folder: Path
    report: Reporter
    project: str | None
    #: What tells it from others, in the ids of its conversations: its first commit.
    root: str

    def ask(self, *arguments: str) -> str:
        """Git's answer. Raises _Failed."""
        return _git(self.folder, *arguments)


def is_repository(folder: Path) -> bool:
    """Whether a folder is the root of a repository's working tree."""
    return (folder / ".git" / "HEAD").is_file() or (folder / ".git").is_file()  # the latter of a worktree


def read(folder: Path, report: Reporter) -> Iterator[Draft]:
    """What a repository says, as drafts that are complete; what cannot be read is reported."""
    try:
        roots = _git(folder, "rev-list", "--max-parents=0", "HEAD").split()
    except _Failed as error:
        report(f"cannot be read: {error}")
        return
    repository = _Repository(folder, report, project_of(folder.absolute()), min(roots)[:12])
    try:
        yield from _commits(repository)
        yield from _documents(repository)
    except _Failed as error:
        report(f"cannot be read to the end: {error}")


def _commits(repository: _Repository) -> Iterator[Draft]:
    """The commits, those of each month in a draft, the oldest first."""
    form = f"--format={_COMMIT}%H{_PART}%an{_PART}%cI{_PART}%B{_PART}"
    answer = repository.ask("log", "--no-merges", "--no-renames", "--name-only", f"-n{_COMMITS}", form)
    months: dict[str, Draft] = {}
    for each in reversed(answer.split(_COMMIT)[1:]):
        id, author, at, message, files = each.split(_PART)[:5]
        month = at[:7]
        if month not in months:
            name, title = f"repository:{repository.root}:{month}", f"Commits of {month}"
            months[month] = Draft(repository.report, source="git", id=name, title=title, project=repository.project)
        months[month].add(_commit(id, message, files.split("\n")), role="user", name=author, at=at, id=id)
    yield from (draft for _, draft in sorted(months.items()))


def _commit(id: str, message: str, names: list[str]) -> str:
    files = [each for each in names if each]
    more = f" and {len(files) - _FILES} more" if len(files) > _FILES else ""
    listed = f"\n\nFiles: {', '.join(files[:_FILES])}{more}" if files else ""
    return f"commit {id[:_CITED]}: {message.strip()[:_MESSAGE]}{listed}"


def _documents(repository: _Repository) -> Iterator[Draft]:
    for path in repository.ask("ls-files", "-z").split("\0"):
        kind = next((name for name, form in _KINDS if form.search(path)), None)
        if kind is None:
            continue
        text = repository.ask("show", f"HEAD:./{path}") if _is_committed(repository, path) else ""
        if text.strip():
            yield _document(repository, path, kind, text)


def _is_committed(repository: _Repository, path: str) -> bool:
    return bool(repository.ask("ls-tree", "-z", "--name-only", "HEAD", "--", path))


def _document(repository: _Repository, path: str, kind: str, text: str) -> Draft:
    """A document's sections, as the last commit has them."""
    commit, at = repository.ask("log", "-n1", "--format=%H %cI", "--", path).split()
    if len(text) > _DOCUMENT:
        repository.report(f"{path}: only the first {_DOCUMENT:,} characters were read")
    name = f"repository:{repository.root}:{path}"
    draft = Draft(repository.report, source=kind, id=name, title=path, project=repository.project)
    sections = _sections(text[:_DOCUMENT])
    for each in reversed(sections) if kind == "changelog" else sections:  # the newest entry is the last turn
        id = hashlib.sha256(each.encode()).hexdigest()[:32]
        draft.add(f"{each}\n\n({path}, commit {commit[:_CITED]})", role="user", name=path, at=at, id=id)
    return draft


def _sections(text: str) -> list[str]:
    starts = [0, *(found.start() for found in _HEADING.finditer(text))]
    parts = [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return [each for each in parts if each and "\n" in each] or [text.strip()]


def _git(folder: Path, *arguments: str) -> str:
    """What Git answers. Raises _Failed."""
    safe = ["-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "core.quotePath=false"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", *safe, "-C", str(folder), *arguments]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=_SECONDS, env=environ | {"LC_ALL": "C"})
    except FileNotFoundError:
        raise _Failed("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise _Failed(f"git took longer than {_SECONDS} seconds") from None
    if answer.returncode:
        said = answer.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _Failed(said[-1] if said else f"git ended with {answer.returncode}")
    return answer.stdout.decode("utf-8", "replace")


EXPORT = Export(
    "repository",
    "Git repository",
    lambda names: ".git" in names,
    lambda bundle, report: (part for draft in read(bundle.source.path, report) for part in draft.take()),
)
