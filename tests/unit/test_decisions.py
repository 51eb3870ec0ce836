"""What a Git repository says of its past: commits, decision records, instructions, changelogs; and only what is new."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from chat_files import read_all
from ricordo.blocking import Memory
from ricordo.errors import UnreadableSource


def git(folder: Path, *arguments: str, author: str = "Ada", day: str = "2026-03-01") -> str:
    """Runs Git as somebody on some day."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        environ |= {
            f"GIT_{who}_NAME": author,
            f"GIT_{who}_EMAIL": "a@example.org",
            f"GIT_{who}_DATE": f"{day}T12:00:00Z",
        }
    ran = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=environ, check=True, capture_output=True, timeout=60
    )
    return ran.stdout.decode().strip()


def commit(folder: Path, message: str, files: dict[str, str], author: str = "Ada", day: str = "2026-03-01") -> str:
    """Writes files and commits them; returns the commit's id."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message, author=author, day=day)
    return git(folder, "rev-parse", "HEAD")


ADR = "# 3. Money\n\n## Status\n\nAccepted\n\n## Decision\n\nMoney is stored as integer cents.\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with three commits in two months and a document of each kind."""
    folder = tmp_path / "anything"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", "https://example.org/ada/shop.git")
    commit(folder, "Begin", {"src/a.py": "SECRET SOURCE"})
    files = {"docs/adr/0003-money.md": ADR, "CLAUDE.md": "# Rules\n\nRun ruff before a commit.\n", "src/ü b.py": "x"}
    commit(folder, "Store money as cents\n\nFloats drifted by a cent.", files, author="Ben", day="2026-03-09")
    changes = "# Changelog\n\n## 1.1\n\n- Cursor paging.\n\n## 1.0\n\n- First release.\n"
    commit(folder, "Page by cursor", {"CHANGELOG.md": changes}, day="2026-04-02")
    return folder


def test_commits_are_turns_of_their_authors_with_message_and_files(repository: Path) -> None:
    found = read_all(repository)
    assert found.problems == []
    months = [each for each in found.conversations if each.source == "git"]
    assert [each.title for each in months] == ["Commits of 2026-03", "Commits of 2026-04"]
    assert {each.project for each in found.conversations} == {"example.org/ada/shop"}
    first, second = months[0].messages
    id = git(repository, "rev-parse", "HEAD~1")
    assert (second.name, second.id, str(second.at)[:10]) == ("Ben", id, "2026-03-09")
    assert second.content.startswith(f"commit {id[:10]}: Store money as cents\n\nFloats drifted by a cent.")
    assert "Files: CLAUDE.md, docs/adr/0003-money.md, src/ü b.py" in second.content
    assert "SECRET SOURCE" not in first.content


def test_documents_are_turns_by_section_and_cite_the_commit(repository: Path) -> None:
    by_source = {each.source: each for each in read_all(repository).conversations}
    assert {*by_source} == {"git", "decision_record", "instructions", "changelog"}
    record = by_source["decision_record"]
    cited = git(repository, "rev-parse", "HEAD~1")[:10]
    assert record.title == "docs/adr/0003-money.md"
    assert any("integer cents" in each.content and f"commit {cited}" in each.content for each in record.messages)
    assert [each.content.split("\n")[0] for each in by_source["changelog"].messages][-1] == "## 1.1"  # the newest last
    assert "Run ruff" in by_source["instructions"].messages[0].content


def test_mining_again_adds_only_what_is_new(memory: Memory, repository: Path, tmp_path: Path) -> None:
    first = memory.import_chats([repository])
    assert (first.stored > 5, first.problems) == (True, ())
    assert memory.import_chats([repository]).stored == 0
    commit(repository, "Round per line", {"src/tax.py": "x"}, day="2026-04-05")
    assert memory.import_chats([repository]).stored == 1
    commit(
        repository, "Decide again", {"docs/adr/0003-money.md": ADR.replace("cents", "thousandths")}, day="2026-04-06"
    )
    assert memory.import_chats([repository]).stored == 2  # the commit and the section that changed
    clone, tree = tmp_path / "clone", tmp_path / "tree"
    git(repository, "clone", "-q", str(repository), str(clone))
    git(clone, "remote", "set-url", "origin", "git@example.org:ada/shop")
    git(repository, "worktree", "add", "-q", str(tree), "-b", "other")
    assert memory.import_chats([clone]).stored == 0
    assert memory.import_chats([tree]).stored == 0
    assert [each.name for each in memory.palace.tree()] == ["example.org/ada/shop"]
    found = memory.recall("How do we store money?", wing="example.org/ada/shop", top_k=5)
    assert any("thousandths" in each.text and "commit" in each.text for each in found)


def test_a_folder_in_a_repository_is_read_for_chats(repository: Path) -> None:
    (repository / "chats").mkdir()
    (repository / "chats" / "a.jsonl").write_text('{"role": "user", "content": "hello there"}\n', encoding="utf-8")
    assert [each.source for each in read_all(repository / "chats").conversations] == ["json"]
    with pytest.raises(UnreadableSource):
        read_all(repository / "src")


def test_a_repository_without_a_commit_or_git_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q")
    [problem] = read_all(tmp_path).problems
    assert "cannot be read" in problem.what
    monkeypatch.setenv("PATH", "")
    [problem] = read_all(tmp_path).problems
    assert "git is not installed" in problem.what


def test_nothing_that_a_repository_configures_is_started(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\n")
    script.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"):
        git(repository, "config", name, str(script))
    assert read_all(repository).problems == []
    assert not trap.exists()


def test_what_is_odd_in_a_repository_stops_nothing(repository: Path) -> None:
    commit(
        repository,
        "Odd \x1b[31m names",
        {"docs/decisions/a\nb.md": "# A\n\nx\n", "adr/empty.md": "", "AGENTS.md": "plain"},
    )
    (repository / "docs" / "adr" / "new.md").write_text("# Not committed\n\nx\n", encoding="utf-8")
    git(repository, "add", "docs/adr/new.md")
    found = read_all(repository)
    assert found.problems == []
    assert not any(
        "Not committed" in each.content for conversation in found.conversations for each in conversation.messages
    )
