"""Whatever a method of a resource is given, what it raises is one of Ricordo's errors, and short."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.database import Database
from ricordo.database.failures import Entangled
from ricordo.errors import InvalidInput, RicordoError

RESOURCES = (
    "activity", "agents", "audit", "core", "documents", "entities", "entries", "facts", "jobs", "journal", "keys",
    "notes", "operations", "palace", "profiles", "proposals", "review", "runs", "settings", "usage", "whiteboards",
)  # fmt: skip
HOSTILE: list[Any] = [
    None, "a\0b", "\ud800", "'; DROP TABLE users;--", "x" * 100_000, 2**63, 10**5000, 1.5, True, b"x", object(), [5],
    ["a\0b"], datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=12))),
]  # fmt: skip
#: What stands for the arguments that are not the hostile one.
HARMLESS = {
    "messages": [], "room": "W-1/R-1", "pointer": "W-1/R-1", "drawers": ["W-1/R-1/D-1"], "closet": 1, "job": 1,
    "changes": [], "addresses": [],
}  # fmt: skip
_OPEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _methods(memory: Memory, resource: str) -> Iterator[tuple[str, Callable[..., Any], list[inspect.Parameter]]]:
    public = getattr(memory, resource)
    for name in dir(public):
        if not name.startswith("_") and inspect.iscoroutinefunction(getattr(public._inner, name)):
            method = getattr(public, name)
            parameters = inspect.signature(method).parameters.values()
            yield name, method, [each for each in parameters if each.kind not in _OPEN and each.name != "progress"]


@pytest.mark.parametrize("resource", RESOURCES)
def test_hostile_arguments_get_an_error_that_names_the_rule(memory: Memory, resource: str) -> None:
    memory.mine([{"role": "user", "content": "My brother Tom lives in Lisbon."}], conversation="c", title="Home")
    memory.agents.create("coder")
    [profile] = memory.profiles.list("coder")
    harmless = {**HARMLESS, "profile": profile.id, "agent": "coder", "agents": ["coder"]}
    wrong = []
    for name, method, parameters in _methods(memory, resource):
        needed = {each.name: harmless.get(each.name, "Tom") for each in parameters if each.default is each.empty}
        for each in parameters:
            for value in HOSTILE:
                try:
                    method(**needed | {each.name: value})
                except RicordoError as error:
                    if len(str(error)) > 1000:
                        wrong.append(f"{name}({each.name}=…): a message of {len(str(error)):,} characters")
                except Exception as error:  # noqa: BLE001 - whatever is not Ricordo's own is what is looked for
                    wrong.append(f"{name}({each.name}={type(value)!s}): {error!r:.120}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("resource", RESOURCES)
def test_what_others_were_in_the_way_of_is_done_again(
    memory: Memory, resource: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever method it is: its first transaction fails as one that a deadlock ended."""
    transaction, begun = Database._transaction, 0

    def first_fails(*args: Any, **kwargs: Any) -> Any:
        nonlocal begun
        begun += 1
        if begun == 1:
            raise Entangled("another process changed the same data")
        return transaction(*args, **kwargs)

    memory.agents.create("coder")
    [profile] = memory.profiles.list("coder")
    harmless = {**HARMLESS, "profile": profile.id, "agent": "coder", "agents": ["coder"]}
    tried = 0
    with monkeypatch.context() as patched:
        patched.setattr(Database, "_transaction", first_fails)
        for name, method, parameters in _methods(memory, resource):
            begun = 0
            try:
                method(
                    **{each.name: harmless.get(each.name, "Tom") for each in parameters if each.default is each.empty}
                )
            except Entangled:
                pytest.fail(f"{resource}.{name} is not done again")
            except RicordoError:
                pass
            tried += begun > 1
    assert tried


def test_every_resource_is_tried() -> None:
    resources = {
        name
        for name, each in vars(AsyncMemory(user="ada")).items()
        if type(each).__module__.startswith(("ricordo.api.", "ricordo.toolkit.")) and not name.startswith("_")
    }
    # Tools answer with data, an archive and sync take files: all have rules of their own.
    assert resources - {"tools", "archive", "sync"} == set(RESOURCES)


def test_ids_may_be_text_and_what_is_none_is_said(memory: Memory) -> None:
    memory.agents.create("coder")
    [profile] = memory.profiles.list("coder")
    assert memory.profiles.get(str(profile.id)) == profile  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="profile: must be an id, not 'coder'"):
        memory.profiles.get("coder")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="agent: contains a NUL"):
        memory.agents.get("a\0b")
    with pytest.raises(InvalidInput, match="kind: must be one of person, "):
        memory.entities.list(kind="alien")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="agents: must be a list, such as \\['coder'\\], not str"):
        memory.whiteboards.create("plan", "coder")
    with pytest.raises(InvalidInput, match="profile: must be an id"):
        memory.run("coder", "Go.", profile=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="agent: contains a NUL"):
        memory.recall("tea?", agent="a\0b")
