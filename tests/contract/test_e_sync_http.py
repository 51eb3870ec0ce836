"""One memory on several devices through a server: what travels, what a bad line does, and what the server refuses."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from commands import in_process
from devices import Devices, exported, held_by
from disks import remount, small_disk
from http_server import Server, running
from proxies import Mood, between
from ricordo import server_client
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.sync import syncing
from ricordo.sync.http_folder import HttpFolder
from ricordo.sync.keys import Key, new_words, secret_of, sha256
from ricordo.sync.segments import NO_HASH, Opening, seal
from stores import settings_for

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home), largest_body=3 * MEGABYTE, largest_folder=4 * MEGABYTE) as server:
        yield server


@pytest.fixture
def ada(server: Server) -> Server:
    """The server, asked by a user who has nothing yet."""
    return server.of(f"ada {uuid4()}")


def user_of(server: Server) -> str:
    return str(server.get("/v1/user")["user"])


def pair_of(server: Server, server_home: Path, *names: str) -> Devices:
    return Devices(server_home, Path(), list(names or ("laptop", "desktop")), user_of(server), server)


def turn(number: int) -> dict[str, Any]:
    return {"role": "user", "content": f"turn {number} of the boat", "id": f"t{number}", "at": _at(number)}


def _at(number: int) -> datetime:
    return datetime(2026, 3, 1, 10, number, tzinfo=UTC)


def test_a_memory_lives_on_a_server_as_in_a_folder(
    ada: Server, server_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(pair_of(ada, server_home)) as pair:
        laptop, desktop = pair["laptop"], pair["desktop"]
        laptop.mine([turn(1), turn(2)], conversation="boat", project="Sailing")
        pair.sync()
        assert "turn 1" in desktop.recall("which turn of the boat?").context
        assert exported(laptop) == exported(desktop)
        desktop.mine([{**turn(1), "content": "turn 1, edited"}], conversation="boat", project="Sailing")
        desktop.entries.redact(desktop.palace.show("W-001/R-01/D-002")[0].id)
        pair.sync()
        before = set(pair.folder.rglob("*.segment"))
        assert laptop.sync.now(compact=True).compacted and desktop.sync.now(compact=True).compacted
        assert not before & set(pair.folder.rglob("*.segment"))
        pair.sync()
        tablet = pair.add(server_home, "tablet", pair.settings["laptop"].user)
        assert tablet.sync.now().turns == 2
        pair.sync()
        assert exported(laptop) == exported(desktop) == exported(tablet)
        assert tablet.audit.absent("turn 2 of the boat").absent

        desktop.mine([turn(4)], conversation="boat", project="Sailing")
        with monkeypatch.context() as patched, pytest.raises(UnreadableSource, match="unreachable"):
            patched.setattr(HttpFolder, "about", lambda _: (_ for _ in ()).throw(UnreadableSource("unreachable")))
            desktop.sync.now()
        assert desktop.sync.status().waiting == 1  # sealed with the key that is about to be replaced
        pair.words = laptop.sync.rotate(lost="tablet").words or ""
        laptop.mine([turn(3)], conversation="boat", project="Sailing")
        laptop.sync.now()
        for each in (desktop, tablet):
            with pytest.raises(UnreadableSource, match="rotated"):
                each.sync.now()
        del pair.memories["tablet"]
        pair.join(desktop)
        pair.sync()
        assert exported(laptop) == exported(desktop) and len(exported(laptop)["turns"]) == 4
        status = desktop.sync.status()
        assert status.folder == ada.url and status.problem is None and status.folder_bytes > 0
        assert ada.token not in repr(status) and {each.name for each in status.devices} >= {"laptop", "desktop"}
        laptop.sync.leave()
        assert not laptop.sync.status().active


def test_over_a_bad_line_nothing_is_lost_and_nothing_doubled(
    ada: Server, server_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests and answers are cut off anywhere, and some requests reach the server twice."""
    host, port = urlsplit(ada.url).hostname, urlsplit(ada.url).port
    monkeypatch.setattr(server_client, "_LOST", 0.001)
    mood, is_down, listening = Mood(seed=23), False, socket.socket()
    listening.bind(("127.0.0.1", 0))

    def connect() -> socket.socket:
        if is_down:
            raise ConnectionRefusedError
        return socket.create_connection((host, port))

    with between(listening, connect, mood):
        far = replace(ada, url=f"http://127.0.0.1:{listening.getsockname()[1]}")
        with closing(Devices(server_home, Path(), ["laptop", "desktop"], user_of(ada), far)) as pair:
            mood.cut, mood.twice, failed = 0.15, 0.2, 0
            for number in count():
                memory = pair[("laptop", "desktop")[number % 2]]
                memory.mine([turn(number)], conversation=f"talk {number % 3}")
                for each in pair.memories.values():
                    try:
                        assert not each.sync.now(compact=number % 3 == 0).problems
                    except UnreadableSource as error:
                        assert "cannot be reached" in str(error)
                        failed += 1
                if number >= 7 and failed and mood.done["doubled"]:
                    break
            mood.cut = 0.0
            is_down = True
            pair["laptop"].mine([turn(number + 1)], conversation="talk 0")
            with pytest.raises(UnreadableSource, match="cannot be reached"):
                pair["laptop"].sync.now()
            status = pair["laptop"].sync.status()
            assert status.waiting and "cannot be reached" in (status.problem or "")
            is_down = False
            pair.sync()
            assert exported(pair["laptop"]) == exported(pair["desktop"])
            assert len(exported(pair["laptop"])["turns"]) == number + 2


def test_a_server_that_goes_away_while_a_log_is_read_leaves_nothing_half_applied(
    ada: Server, server_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(pair_of(ada, server_home)) as pair:
        laptop, desktop = pair["laptop"], pair["desktop"]
        for number in range(3):
            laptop.mine([turn(number)], conversation=f"talk {number}")
            laptop.sync.now()
        read, calls = HttpFolder.read, count(1)

        def failing(self: HttpFolder, device: UUID, number: int) -> bytes | None:
            if next(calls) > 2:
                self.address = "http://127.0.0.1:1"
            return read(self, device, number)

        monkeypatch.setattr(HttpFolder, "read", failing)
        with pytest.raises(UnreadableSource, match="cannot be reached"):
            desktop.sync.now()
        assert len(exported(desktop)["turns"]) == 2 and desktop.audit.sound().sound  # those of two segments
        monkeypatch.undo()
        assert desktop.sync.now().turns == 1
        pair.sync()
        assert exported(laptop) == exported(desktop)


def test_a_rotation_that_is_cut_off_locks_nobody_out(
    ada: Server, server_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(pair_of(ada, server_home)) as pair:
        laptop, desktop = pair["laptop"], pair["desktop"]
        laptop.mine([turn(1)], conversation="boat")
        pair.sync()
        describe = HttpFolder.describe

        def unheard(self: HttpFolder, *given: Any) -> None:
            describe(self, *given)
            raise UnreadableSource("the answer was lost")

        def unsent(self: HttpFolder, *given: Any) -> None:
            raise UnreadableSource("the request was lost")

        for cut in (unsent, unheard):
            with monkeypatch.context() as patched:
                patched.setattr(HttpFolder, "describe", cut)
                with pytest.raises(UnreadableSource, match="was lost"):
                    laptop.sync.rotate()
            laptop.mine([turn(2)], conversation="boat")
            assert not laptop.sync.now().problems
        pair.words = laptop.sync.rotate().words or ""
        pair.join(desktop)
        pair.sync()
        assert exported(laptop) == exported(desktop) and len(exported(desktop)["turns"]) == 2


@pytest.fixture
def held(ada: Server) -> tuple[Server, Key, UUID, list[bytes]]:
    """A folder on the server with a log of two segments, and its key."""
    key, device = Key(uuid4(), secret_of(new_words())), uuid4()
    ada.good("PUT", "/v1/synced-folder", {"memory": str(key.memory), "key": key.id})
    log = [segment(key, device, 1, NO_HASH)]
    log.append(segment(key, device, 2, sha256(log[0])))
    for number, raw in enumerate(log, 1):
        assert put(ada, device, number, raw) == 201
    return ada, key, device, log


def segment(key: Key, device: UUID, number: int, previous: str, size: int = 0) -> bytes:
    """A segment of about so many bytes."""
    noise = json.dumps({"t": "noise", "value": secrets.token_hex(size)})
    return seal(key, device, number, previous, number == 1, Opening("laptop", datetime.now(UTC)), [noise])


def put(server: Server, device: UUID | str, number: int | str, raw: bytes) -> int:
    path = f"/v1/synced-folder/devices/{device}/segments/{number}"
    return server.ask("PUT", path, data=raw).status_code


def files(server: Server) -> dict[str, bytes]:
    folder = held_by(server, user_of(server))
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_a_hostile_client_changes_nothing(held: tuple[Server, Key, UUID, list[bytes]], server: Server) -> None:
    ada, key, device, log = held
    before, at = files(ada), f"/v1/synced-folder/devices/{device}/segments"
    third = segment(key, device, 3, sha256(log[1]))
    assert len(before) == 3 and ada.ask("GET", f"{at}/2").content == log[1]

    other = server.of(f"bob {uuid4()}")
    assert other.get("/v1/synced-folder") == {"memory": None, "key": None, "logs": [], "bytes": 0}
    assert [other.ask("GET", f"{at}/2").status_code, put(other, device, 3, third)] == [404, 404]
    for path in (f"/v1/synced-folder/devices/{device}", "/v1/synced-folder"):
        other.ask("DELETE", path)
    with Memory(settings=replace(ada.settings, user=user_of(ada)), background=False) as memory:
        memory.agents.create("coder")
    reader = replace(ada, token=ada.key(user_of(ada), read_only=True))
    agent = replace(ada, token=ada.key(user_of(ada), agent="coder", palace=True))
    assert reader.get("/v1/synced-folder")["memory"] == str(key.memory)
    for each, status in ((reader, 403), (agent, 404), (replace(ada, token="rk_x"), 401)):
        assert put(each, device, 3, third) == status
        assert each.ask("DELETE", f"/v1/synced-folder/devices/{device}").status_code == status
        assert each.ask("PUT", "/v1/synced-folder", {"memory": str(key.memory), "key": "0" * 16}).status_code == status
    assert agent.ask("GET", "/v1/synced-folder").status_code == 404

    # Names that are none of the format.
    for name in ("../../x", "..%2F..%2Fx", "%2e%2e", "1.segment", "0", "-1", "1e9", "999999999", "ricordo-sync.json"):
        assert put(ada, device, name, third) in (404, 405, 422), name
    for name in ("..", "../..", "..%2F..", "%2Fetc", "devices", f"{device}%2F..", "."):
        assert put(ada, name, 3, third) in (404, 405, 422), name
        assert ada.ask("GET", f"/v1/synced-folder/devices/{name}/segments/1").status_code in (404, 405, 422), name

    # What is not the next segment of this log.
    foreign = Key(uuid4(), secret_of(new_words()))
    rotated = Key(key.memory, secret_of(new_words()))
    wrong = {
        "other bytes": (2, segment(key, device, 2, sha256(log[0]))),
        "a replay": (1, log[1]),
        "another number": (4, third),
        "another device's": (3, segment(key, uuid4(), 3, sha256(log[1]))),
        "another memory's": (3, segment(foreign, device, 3, sha256(log[1]))),
        "another key's": (3, segment(rotated, device, 3, sha256(log[1]))),
        "torn": (3, third[:-1]),
        "with more": (3, third + b"x"),
        "nothing": (3, b""),
        "no segment": (3, b"{}\n" + b"x" * 100),
        "nested deeply": (3, b"[" * 1_998 + b"\n"),
    }
    for what, (number, raw) in wrong.items():
        assert put(ada, device, number, raw) in (412, 422), what
    assert put(ada, device, 3, b"x" * (3 * MEGABYTE + 1)) == 413
    assert put(ada, device, 2, log[1]) == 204  # the same again
    assert ada.ask("PUT", "/v1/synced-folder", {"memory": str(foreign.memory), "key": foreign.id}).status_code == 422
    other_key, stale_tag = {"memory": str(key.memory), "key": "0" * 16}, {"If-Match": '"old"'}
    stale = ada.ask("PUT", "/v1/synced-folder", other_key, headers=stale_tag)
    assert stale.status_code == 412
    assert files(ada) == before

    # Older segments that were removed, since they held what was forgotten, do not come back.
    base = segment(key, device, 3, sha256(log[1]))
    assert put(ada, device, 3, base) == 201
    ada.good("DELETE", f"/v1/synced-folder/devices/{device}", params={"before": 3})
    ada.good("DELETE", f"/v1/synced-folder/devices/{device}", params={"before": 10**9})
    assert put(ada, device, 1, log[0]) == 412
    assert ada.get("/v1/synced-folder")["logs"][0]["segments"] == [[3, 3]]


def test_a_folder_has_a_greatest_size_and_goes_with_its_user(held: tuple[Server, Key, UUID, list[bytes]]) -> None:
    ada, key, device, log = held
    previous, statuses = sha256(log[1]), []
    for number in range(3, 9):
        raw = segment(key, device, number, previous, MEGABYTE)
        previous = sha256(raw)
        statuses.append(put(ada, device, number, raw))
    fitted = statuses.count(201)
    assert 1 <= fitted < 6 and statuses == [201] * fitted + [422] * (6 - fitted)
    assert ada.get("/v1/synced-folder")["bytes"] <= 4 * MEGABYTE
    folder = held_by(ada, user_of(ada))
    assert folder.is_dir() and not list(folder.rglob("*.partial"))
    ada.good("DELETE", "/v1/user", params={"name": user_of(ada)})
    assert not folder.exists()


def test_a_folder_that_is_deleted_while_a_request_waits_for_it_is_not_used(
    held: tuple[Server, Key, UUID, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, key, device, log = held
    folder, lock = held_by(ada, user_of(ada)), fcntl.flock

    def deleted_first(descriptor: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        shutil.rmtree(folder)
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", deleted_first)
    assert put(ada, device, 3, segment(key, device, 3, sha256(log[1]))) == 404 and not folder.exists()
    ada.good("PUT", "/v1/synced-folder", {"memory": str(key.memory), "key": key.id})
    monkeypatch.setattr(fcntl, "flock", deleted_first)
    ada.good("PUT", "/v1/synced-folder", {"memory": str(key.memory), "key": key.id})
    assert put(ada, device, 1, log[0]) == 201


def test_a_folder_that_the_server_cannot_use_is_named_in_its_log_only(
    held: tuple[Server, Key, UUID, list[bytes]], caplog: pytest.LogCaptureFixture
) -> None:
    ada, _, device, _ = held
    folder = held_by(ada, user_of(ada))
    first = next(folder.rglob("00000001.segment"))
    first.unlink()
    os.mkfifo(first)
    answer = ada.ask("GET", f"/v1/synced-folder/devices/{device}/segments/1")
    assert answer.status_code == 503 and str(folder) not in answer.text and str(folder) in caplog.text


def test_a_deleted_log_is_written_again_by_its_device(ada: Server, server_home: Path) -> None:
    with closing(pair_of(ada, server_home)) as pair:
        pair["laptop"].mine([turn(1)], conversation="boat")
        pair["laptop"].sync.now()
        [device] = [each.id for each in pair["laptop"].sync.status().devices if each.is_self]
        ada.good("DELETE", f"/v1/synced-folder/devices/{device}")
        pair.sync()
        assert exported(pair["laptop"]) == exported(pair["desktop"])
        assert len(exported(pair["desktop"])["turns"]) == 1


def test_a_long_log_is_rewritten(ada: Server, server_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncing, "LONGEST_LOG", 3)
    with closing(pair_of(ada, server_home, "laptop")) as pair:
        for number in range(1, 7):
            pair["laptop"].mine([turn(number)], conversation="boat")
            assert pair["laptop"].sync.now().compacted == (number == 4)
        [log] = ada.get("/v1/synced-folder")["logs"]
        assert log["segments"] == [[5, 7]]
        pair.add(server_home, "desktop", pair.settings["laptop"].user)
        pair.sync()
        assert exported(pair["laptop"]) == exported(pair["desktop"])


def test_a_url_and_its_key_are_checked_before_anything_is_sent(
    ada: Server, server_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = replace(settings_for(server_home), user="ada")
    with Memory(settings=settings, background=False) as memory:
        for url in (
            "ftp://host",
            "https://",
            "https://key@host",
            "https://host?key=1",
            "https://host/#x",
            "http://a b",
        ):
            with pytest.raises(InvalidInput, match="invalid URL"):
                memory.sync.init(url, server_key="rk_x")
        with pytest.raises(InvalidInput, match="plain HTTP"):
            memory.sync.init("http://memory.example:7667", server_key="rk_x")
        with pytest.raises(InvalidInput, match="RICORDO_SYNC_KEY"):
            memory.sync.init(ada.url)
        with pytest.raises(InvalidInput, match="server_key"):
            memory.sync.init(ada.url, server_key="rk_x\r\nHost: evil.example")
        for key, problem in (("rk_x", "401"), (ada.key(user_of(ada), read_only=True), "403.*read-only")):
            with pytest.raises(UnreadableSource, match=problem):
                memory.sync.init(ada.url, server_key=key)
        with pytest.raises(UnreadableSource, match="holds no synced memory"):
            memory.sync.join(ada.url, new_words(), server_key=ada.token)
        with pytest.raises(UnreadableSource, match="check the URL"):
            memory.sync.init(f"{ada.url}/elsewhere", server_key=ada.token)
        assert not memory.sync.status().active
    run = in_process(replace(settings, sync_key=ada.token), monkeypatch, capsys)
    assert f"ricordo sync join {ada.url}` and" in run("sync", "init", ada.url + "/", "--name", "laptop").out
    assert run("sync", "status").out.startswith(f"{ada.url}: ")


def test_a_device_that_may_not_write_does_not_join(ada: Server, server_home: Path) -> None:
    with closing(pair_of(ada, server_home)) as pair, small_disk(20) as disk:
        laptop = pair["laptop"]
        settings = replace(settings_for(server_home), user=user_of(ada))
        with Memory(settings=settings, background=False) as phone:
            reading = ada.key(user_of(ada), read_only=True)
            with pytest.raises(UnreadableSource, match=r"403.*read-only"):
                phone.sync.join(ada.url, pair.words, name="phone", server_key=reading)
            other = laptop.of(f"eve {uuid4()}")
            words = other.sync.init(disk, name="desk").words or ""
            other.sync.now()
            remount(disk, "ro")
            with pytest.raises(UnreadableSource, match="cannot be written to"):
                phone.sync.join(disk, words, name="phone")
            assert not phone.sync.status().active and not list(settings.home.glob(f"sync/{settings.database}.*.json"))
        with pytest.raises(UnreadableSource, match=r"403.*read-only"):
            laptop.sync.join(ada.url, pair.words, server_key=reading)
        laptop.mine([turn(1)], conversation="boat")
        pair.sync()
        assert len(exported(pair["desktop"])["turns"]) == 1


def test_a_name_that_is_refused_changes_nothing_of_a_device(ada: Server, server_home: Path) -> None:
    with closing(pair_of(ada, server_home)) as pair:
        pair.sync()
        pair.words = pair["desktop"].sync.rotate(lost="laptop").words or ""
        with pytest.raises(InvalidInput, match="choose another"):
            pair.join(pair["laptop"], name="desktop")
        with pytest.raises(UnreadableSource, match="rotated"):
            pair["laptop"].sync.now()
        pair.join(pair["laptop"], name="found")
        pair.sync()
