"""A project gets what was stored under its repository's path before the repository had a remote, once."""

from __future__ import annotations

import pytest

from ricordo.blocking import Memory
from ricordo.client import AsyncMemory, in_project
from ricordo.settings import Settings

_SAID = [{"role": "user", "content": "Retry at most 7 times."}]
_AT = "/home/u/p"
_REMOTE = "github.com/a/p"


def _followed(memory: Memory, path: str, remote: str) -> dict[str, int]:
    """What the wings hold after the project of a remote followed its path."""
    inner: AsyncMemory = memory._inner
    memory._call(in_project(inner, remote).follow, path)
    return {each.name: each.drawers for each in memory.palace.tree()}


def _edits(memory: Memory) -> int:
    return sum(each.event == "palace_edited" for each in memory.activity.list().items)


@pytest.mark.parametrize("remote", [_REMOTE, "gitserver/foo/bar", "/srv/git/bare"])
@pytest.mark.parametrize("path", [_AT, f"/home/u/{'deep/' * 60}p"[-200:], r"C:\Users\u\p"])
def test_a_path_is_followed_once_to_any_remote(settings: Settings, path: str, remote: str) -> None:
    with Memory(settings=settings) as memory:
        memory.mine(_SAID, conversation="a", project=path)
        for _ in range(2):
            assert _followed(memory, path, remote) == {remote: 1}
        assert [each.name for each in memory.palace.tree(path)] == [remote]
        assert _edits(memory) == 1


@pytest.mark.parametrize("remote", [_REMOTE, "gitserver/foo/bar", "/srv/git/bare"])
def test_a_wing_that_a_person_unmerged_is_not_merged_again(settings: Settings, remote: str) -> None:
    with Memory(settings=settings) as memory:
        memory.mine(_SAID, conversation="a", project=_AT)
        memory.mine([{"role": "user", "content": "Ship on Fridays."}], conversation="b", project=remote)
        assert _followed(memory, _AT, remote) == {remote: 2}
        [merged] = memory.palace.tree()[0].merged
        memory.palace.unmerge_wing(merged)
        edits = _edits(memory)
        assert _followed(memory, _AT, remote) == {_AT: 1, remote: 1}
        assert _edits(memory) == edits
