"""kill -9 of a server in the middle of an operation: the next one goes on with it, and nothing is lost or doubled."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, LiteralString, NamedTuple, get_args

import psycopg
import pytest
import requests

from commands import command, environment
from consistency import inconsistencies
from forking import Program
from miners import talk
from models import OTHER, model_folder
from ricordo.blocking import Memory
from ricordo.models import OperationKind
from ricordo.settings import Settings
from stores import connect

#: Talks that are imported, and the turns of them all.
TALKS = {f"talk-{number}": talk(number) for number in (*range(30), 39, 59)}
ALL = [turn for turns in TALKS.values() for turn in turns]
TURNS = len(ALL)
#: As many as are embedded in two batches, which a slow embedding model makes.
FEW = {name: TALKS[name] for name in list(TALKS)[:19]}
#: How often the talks are surveyed, so that it takes a while.
COPIES = 40


@dataclass
class Served:
    """A server that is killed and started again, at one address."""

    settings: Settings
    port: int
    token: str
    folder: Path
    owner: psycopg.Connection
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # A worker that gives no sign of life for three times that is given up for dead.
        variables = {"RICORDO_WORKER_HEARTBEAT": "0.3"}
        self.process = Program(
            command("serve", "--port", str(self.port), "--rate", "100000/minute"),
            env=environment(self.settings) | variables,
            stderr=subprocess.DEVNULL,
        )
        self.until(self.answers)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def answers(self) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/readyz", timeout=300).ok
        except requests.ConnectionError:
            return False

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        answer = requests.request(
            method, f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=300, **options
        )
        assert answer.ok, answer.text
        return answer

    def operation(self, begun: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", f"/v1/operations/{begun['id']}").json()
        return found

    @staticmethod
    def until(holds: Callable[[], bool], seconds: float = 120, pause: float = 0.02) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end
            time.sleep(pause)

    def killed_within(self, begun: dict[str, Any], midway: Callable[[], bool], again: bool = False) -> dict[str, Any]:
        """What comes of an operation whose server is killed `midway`, and `again` when the next one takes it up."""
        self.until(midway)
        self.kill()
        assert self.count("SELECT count(*) FROM operations WHERE ended_at IS NULL") == 1
        self.start()
        if again:
            self.until(lambda: self.operation(begun)["state"] != "waiting")
            self.kill()
            self.start()
        return self.done(begun)

    def count(self, query: LiteralString) -> int:
        """The number that a query of the store's owner gives."""
        row = self.owner.execute(query).fetchone()
        assert row is not None
        return int(row[0])

    def done(self, begun: dict[str, Any]) -> dict[str, Any]:
        """The operation, once it ended well."""
        ended = self.ended(begun)
        assert (ended["state"], ended["problem"]) == ("done", None)
        return ended

    def ended(self, begun: dict[str, Any]) -> dict[str, Any]:
        # Each look costs the server as much as a piece of its work.
        self.until(lambda: self.operation(begun)["state"] not in ("waiting", "running"), pause=0.1)
        return self.operation(begun)


@pytest.fixture
def served(settings: Settings, tmp_path: Path) -> Iterator[Served]:
    with _serving(settings, tmp_path) as made:
        yield made


@contextmanager
def _serving(settings: Settings, tmp_path: Path) -> Iterator[Served]:
    ada = replace(settings, user="ada")
    with Memory(settings=ada, background=False) as memory:
        token = memory.keys.create("test").token
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    folder = tmp_path / "temporary"
    folder.mkdir()
    with connect(settings) as owner:
        made = Served(ada, port, token, folder, owner)
        try:
            made.start()
            yield made
        finally:
            made.kill()


def _require_sound(served: Served, *more: dict[str, Any], talks: Mapping[str, Any] = TALKS) -> None:
    """Every turn of the talks, and `more`, is there once, and nothing else."""
    with connect(served.settings) as owner, owner.transaction():
        owner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")  # the server has more to do
        assert inconsistencies(owner) == []
    with Memory(settings=served.settings, background=False) as memory:
        rooms = [each for wing in memory.palace.tree() for each in wing.rooms]
        kept = sorted(drawer.text for room in rooms for drawer in memory.palace.show(room.pointer))
    assert kept == sorted(each["content"] for each in (*chain(*talks.values()), *more))


def _as_lines() -> bytes:
    lines = [{"conversation": name, **turn} for name, turns in TALKS.items() for turn in turns]
    return "".join(f"{json.dumps(each)}\n" for each in lines).encode()


def _begin_on(served: Served, work: str, **files: bytes) -> dict[str, Any]:
    upload = served.ask("POST", "/v1/uploads").json()["id"]
    for name, content in files.items():
        headers = {"Content-Type": "application/octet-stream"}
        served.ask("PUT", f"/v1/uploads/{upload}/files?name={name}", data=content, headers=headers)
    begun: dict[str, Any] = served.ask("POST", f"/v1/uploads/{upload}/{work}").json()
    return {**begun, "upload": upload}


def _begin_import(served: Served) -> dict[str, Any]:
    return _begin_on(served, "import", talks=_as_lines())


def _begin_survey(served: Served) -> dict[str, Any]:
    return _begin_on(served, "survey", **{f"talks-{number}": _as_lines() for number in range(COPIES)})


def _begin_mine(served: Served) -> dict[str, Any]:
    begun: dict[str, Any] = served.ask(
        "POST", "/v1/conversations", json={"conversation": "all", "messages": ALL}, headers={"Prefer": "respond-async"}
    ).json()
    return begun


def _begin_load(served: Served) -> dict[str, Any]:
    archive = served.folder.parent / "grace.zip"
    with Memory(settings=replace(served.settings, user="grace"), background=False) as memory:
        _mine(memory, TALKS)
        memory.archive.save(archive)
        memory.delete_user()
    return _begin_on(served, "load", archive=archive.read_bytes())


def _begin_export(served: Served) -> dict[str, Any]:
    _mine_talks(served)
    begun: dict[str, Any] = served.ask("POST", "/v1/export").json()
    return begun


def _begin_examination(served: Served) -> dict[str, Any]:
    _mine_talks(served)
    begun: dict[str, Any] = served.ask("POST", "/v1/audit/soundness").json()
    return begun


def _begin_reembedding(served: Served) -> dict[str, Any]:
    with Memory(settings=served.settings, background=False) as memory:
        _mine(memory, FEW)
        memory.embed_pending()
    begun: dict[str, Any] = served.ask("POST", "/v1/vectors/reembed", json={"model": "all-MiniLM-L6-v2"}).json()
    return begun


def _mine_talks(served: Served) -> None:
    with Memory(settings=served.settings, background=False) as memory:
        _mine(memory, TALKS)


def _mine(memory: Memory, talks: Mapping[str, Any]) -> None:
    for name, turns in talks.items():
        memory.mine(turns, conversation=name)


def _is_running(served: Served, begun: dict[str, Any]) -> bool:
    return bool(served.operation(begun)["state"] == "running")


def _has_kept_some(served: Served, begun: dict[str, Any]) -> bool:
    return served.count("SELECT count(*) FROM memories") > 40


def _writes_memories(served: Served, begun: dict[str, Any]) -> bool:
    """Whether a transaction has written memories that nobody else sees yet."""
    locks = "SELECT count(*) FROM pg_locks JOIN pg_class ON pg_class.oid = relation "
    return served.count(f"{locks} WHERE relname = 'memories' AND mode = 'RowExclusiveLock'") > 0


def _has_some_new_vectors(served: Served, begun: dict[str, Any]) -> bool:
    new = "SELECT count(*) FROM embeddings JOIN models USING (model) WHERE name = 'all-MiniLM-L6-v2'"
    return served.count(new) > 0


def _all_was_stored(served: Served, ended: dict[str, Any]) -> None:
    """What it tells is what it brought in all, not what the last try did."""
    assert (ended["result"]["stored"], ended["result"]["duplicates"]) == (TURNS, 0)
    _require_files_gone(served)


def _all_was_loaded(served: Served, ended: dict[str, Any]) -> None:
    assert (ended["result"]["status"], ended["result"]["rows"]["memories.jsonl"]) == ("stored", TURNS)
    _require_files_gone(served)


def _all_was_counted(served: Served, ended: dict[str, Any]) -> None:
    assert (ended["result"]["turns"], ended["result"]["problems"]) == (COPIES * TURNS, [])
    assert served.count("SELECT count(*) FROM memories") == 0
    assert served.count("SELECT count(*) FROM upload_files") == COPIES  # to be imported


def _all_was_exported(served: Served, ended: dict[str, Any]) -> None:
    got = served.ask("GET", f"/v1/operations/{ended['id']}/file")
    assert len(got.content) == ended["result"]["size"] == int(got.headers["Content-Length"])
    with io.BytesIO(got.content) as archive, Memory(settings=served.settings, background=False) as memory:
        assert memory.archive.check(archive).manifest.files["memories.jsonl"].rows == TURNS


def _all_has_new_vectors(served: Served, ended: dict[str, Any]) -> None:
    vectors = served.ask("GET", "/v1/vectors").json()
    assert (vectors["model"], vectors["pending"]) == ("all-MiniLM-L6-v2", 0)


def _all_was_sound(served: Served, ended: dict[str, Any]) -> None:
    assert ended["result"]["found"] == []
    assert ended["done"] == ended["total"] == ended["result"]["rules"]


def _require_files_gone(served: Served) -> None:
    assert served.count("SELECT count(*) FROM upload_chunks") == 0


class Case(NamedTuple):
    """How an operation of a kind is begun, when it is midway, and what must be true behind it."""

    begin: Callable[[Served], dict[str, Any]]
    midway: Callable[[Served, dict[str, Any]], bool]
    require: Callable[[Served, dict[str, Any]], None]
    #: The talks that are kept behind it.
    keeps: Mapping[str, Any] = TALKS


CASES: dict[OperationKind, Case] = {
    "mine": Case(_begin_mine, _has_kept_some, _all_was_stored),
    "survey": Case(_begin_survey, _is_running, _all_was_counted, keeps={}),
    "import": Case(_begin_import, _has_kept_some, _all_was_stored),
    "reembed": Case(_begin_reembedding, _has_some_new_vectors, _all_has_new_vectors, keeps=FEW),
    "export": Case(_begin_export, _is_running, _all_was_exported),
    "load": Case(_begin_load, _writes_memories, _all_was_loaded),
    "examine": Case(_begin_examination, _is_running, _all_was_sound),
}


#: One that goes on with what the last server left, and one that begins anew. A server takes up all kinds alike.
_KILLED_AGAIN = ("import", "load")


@pytest.mark.parametrize("kind", get_args(OperationKind))
def test_an_operation_whose_server_is_killed_is_done_by_the_next(
    settings: Settings, tmp_path: Path, kind: OperationKind
) -> None:
    case = CASES[kind]
    encoded = replace(settings, model_dir=model_folder(), embedding_model=OTHER) if kind == "reembed" else settings
    with _serving(encoded, tmp_path) as served:
        begun = case.begin(served)
        ended = served.killed_within(begun, lambda: case.midway(served, begun), again=kind in _KILLED_AGAIN)
        case.require(served, ended)
        _require_sound(served, talks=case.keeps)


def test_an_operation_that_did_all_and_could_not_tell_tells_it_in_the_next(served: Served) -> None:
    case = CASES["import"]
    begun = case.begin(served)
    with connect(served.settings) as owner, owner.transaction():
        owner.execute("SELECT FROM uploads FOR UPDATE")  # which go as it ends
        served.until(lambda: _waits_to_remove_its_files(served))
        served.kill()
    served.start()
    ended = served.done(begun)
    case.require(served, ended)
    _require_sound(served)


def _waits_to_remove_its_files(served: Served) -> bool:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return served.count(f"{waiting} AND query LIKE 'DELETE FROM uploads%'") > 0


def test_what_is_acknowledged_while_an_operation_works_stays(served: Served) -> None:
    begun = _begin_import(served)
    meanwhile = {"role": "user", "content": "The ferry to Naxos leaves at seven."}

    def written_midway() -> bool:
        if not _has_kept_some(served, begun):
            return False
        served.ask("POST", "/v1/conversations", json={"conversation": "ferry", "messages": [meanwhile]})
        return True

    served.killed_within(begun, written_midway)
    _require_sound(served, meanwhile)


def test_a_load_that_can_no_longer_be_done_behind_a_kill_says_what_to_do(served: Served) -> None:
    begun = _begin_load(served)
    served.until(lambda: _writes_memories(served, begun))
    served.kill()
    served.until(lambda: not _writes_memories(served, begun))
    with Memory(settings=served.settings, background=False) as memory:
        memory.mine([{"role": "user", "content": "I wrote this."}], conversation="mine")
    served.start()
    ended = served.ended(begun)
    assert ended["state"] == "failed" and "import it for a new user" in ended["problem"]
    assert served.count("SELECT count(*) FROM memories") == 1


def test_what_a_killed_server_laid_out_to_work_on_is_removed(served: Served) -> None:
    scratch = served.settings.scratch
    begun = _begin_import(served)
    served.until(lambda: any(scratch.glob("ricordo-operation-*/upload/talks")))
    served.kill()
    assert list(scratch.glob("ricordo-operation-*"))  # nobody could remove it
    served.start()
    served.until(lambda: served.operation(begun)["state"] == "done")
    served.until(lambda: not any(scratch.glob("ricordo-operation-*")))
