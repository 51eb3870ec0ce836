"""A shared folder, or the server that holds it, in the hands of somebody who wants to harm: each of their changes is
refused by name, and nothing of it is applied."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from devices import Devices, devices, exported, held_by
from http_server import Server, running
from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.sync.folder import Folder
from ricordo.sync.keys import Key, new_words, secret_of, sha256
from ricordo.sync.segments import NO_HASH, Opening, seal
from stores import settings_for


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home)) as server:
        yield server


@pytest.fixture(params=["folder", "server"])
def pair(request: pytest.FixtureRequest, server: Server, server_home: Path, tmp_path: Path) -> Iterator[Devices]:
    """Two devices; the laptop's log has three segments, of which the desktop has applied the first two."""
    shutil.rmtree(held_by(server, "ada"), ignore_errors=True)
    holder = server if request.param == "server" else None
    with devices(server_home, tmp_path, ["laptop", "desktop"], holder) as made:
        for number in range(3):
            if number == 2:
                made["desktop"].sync.now()
            turn = {"role": "user", "content": f"turn {number}", "at": f"2026-03-0{number + 1}T10:00:00Z"}
            made["laptop"].mine([turn], conversation=f"talk {number}")
            made["laptop"].sync.now()
        yield made


def log_of(pair: Devices, name: str) -> tuple[UUID, list[Path]]:
    """The id of a device, and the files of its log."""
    status = pair[name].sync.status()
    [device] = [each.id for each in status.devices if each.is_self]
    return device, sorted((pair.folder / "devices" / str(device)).glob("*.segment"))


def torn(pair: Devices) -> None:
    last = log_of(pair, "laptop")[1][-1]
    last.write_bytes(last.read_bytes()[:-10])


def cut_to_nothing(pair: Devices) -> None:
    log_of(pair, "laptop")[1][-1].write_bytes(b"")


def changed(pair: Devices) -> None:
    last = log_of(pair, "laptop")[1][-1]
    raw = bytearray(last.read_bytes())
    raw[-20] ^= 1
    last.write_bytes(bytes(raw))


def changed_in_the_header(pair: Devices) -> None:
    last = log_of(pair, "laptop")[1][-1]
    last.write_bytes(last.read_bytes().replace(b'"base":false', b'"base":true', 1))


def with_a_header_of_other_types(pair: Devices) -> None:
    last = log_of(pair, "laptop")[1][-1]
    line, _, sealed = last.read_bytes().partition(b"\n")
    last.write_bytes(json.dumps({**json.loads(line), "salt": 5}).encode() + b"\n" + sealed)


def replayed(pair: Devices) -> None:
    *_, applied, last = log_of(pair, "laptop")[1]
    shutil.copy(applied, last)


def swapped(pair: Devices) -> None:
    first, *_, last = log_of(pair, "laptop")[1]
    kept = first.read_bytes()
    first.write_bytes(last.read_bytes())
    last.write_bytes(kept)


def rolled_back(pair: Devices) -> None:
    for each in log_of(pair, "laptop")[1][1:]:
        each.unlink()


def removed(pair: Devices) -> None:
    for each in log_of(pair, "laptop")[1]:
        each.unlink()


def of_another_device(pair: Devices) -> None:
    _, [*_, last] = log_of(pair, "laptop")
    key = Key(Folder(pair.folder).about()[0], secret_of(pair.words))
    last.write_bytes(seal(key, uuid4(), 3, NO_HASH, False, Opening("other", datetime.now(UTC)), []))


def of_another_memory(pair: Devices) -> None:
    device, [*_, last] = log_of(pair, "laptop")
    other = Key(uuid4(), secret_of(new_words()))
    last.write_bytes(seal(other, device, 3, NO_HASH, False, Opening("laptop", datetime.now(UTC)), []))


def with_another_key(pair: Devices) -> None:
    device, [*_, before, last] = log_of(pair, "laptop")
    other = Key(Folder(pair.folder).about()[0], secret_of(new_words()))
    previous = sha256(before.read_bytes())
    last.write_bytes(seal(other, device, 3, previous, False, Opening("laptop", datetime.now(UTC)), []))


def two_histories(pair: Devices) -> None:
    """Another segment 3, as a copy of the device would write it, with the right key."""
    device, [*_, last] = log_of(pair, "laptop")
    key = Key(Folder(pair.folder).about()[0], secret_of(pair.words))
    opening = Opening("laptop", datetime.now(UTC))
    forged = {"t": "turns", "conversation": {}, "turns": []}
    last.write_bytes(seal(key, device, 3, "ab" * 32, False, opening, [json.dumps(forged)]))


def doubled_and_different(pair: Devices) -> None:
    device, [*_, before, last] = log_of(pair, "laptop")
    key = Key(Folder(pair.folder).about()[0], secret_of(pair.words))
    other = seal(key, device, 3, sha256(before.read_bytes()), False, Opening("laptop", datetime.now(UTC)), [])
    last.with_name("00000003.sync-conflict-20260301.segment").write_bytes(other)


HARMS: list[tuple[Callable[[Devices], None], str]] = [
    (torn, "is torn"),
    (cut_to_nothing, "is not a segment"),
    (changed, "changed or forged"),
    (changed_in_the_header, "changed or forged"),
    (with_a_header_of_other_types, "has a header that cannot be read"),
    (replayed, "segments were swapped"),
    (swapped, "segments were swapped"),
    (rolled_back, "went back"),
    (removed, "is gone"),
    (of_another_device, "segment of another device"),
    (of_another_memory, "belongs to another memory"),
    (with_another_key, "another key"),
    (two_histories, "two histories"),
    (doubled_and_different, "two histories"),
]


def test_a_harmed_log_is_refused_by_name(pair: Devices, tmp_path_factory: pytest.TempPathFactory) -> None:
    before = exported(pair["desktop"])
    whole = tmp_path_factory.mktemp("whole") / "folder"
    shutil.copytree(pair.folder, whole)
    for harm, reason in HARMS:
        if harm is doubled_and_different and pair.server_key:
            continue  # a server gives out what has a segment's own name, and nothing else
        harm(pair)
        report = pair["desktop"].sync.now()
        assert reason in report.problems.get("laptop", ""), (harm, report)
        assert exported(pair["desktop"]) == before, harm
        [told] = [each.problem for each in pair["desktop"].sync.status().devices if each.name == "laptop"]
        assert told is not None and reason in told, harm
        shutil.rmtree(pair.folder)
        shutil.copytree(whole, pair.folder)


def test_a_device_that_claims_anothers_name_is_refused(pair: Devices) -> None:
    before = exported(pair["desktop"])
    key, device = Key(Folder(pair.folder).about()[0], secret_of(pair.words)), uuid4()
    forgery = {"t": "forgotten", "kind": "memory", "id": str(uuid4()), "at": "2026-03-01T10:00:00Z"}
    opening = Opening("laptop", datetime.now(UTC))
    raw = seal(key, device, 1, NO_HASH, True, opening, [json.dumps(forgery)])
    Folder(pair.folder).write(device, 1, raw)
    report = pair["desktop"].sync.now()
    assert "claims the name 'laptop'" in report.problems[str(device)]
    assert len(exported(pair["desktop"])["turns"]) == len(before["turns"]) + 1  # the laptop's own third segment


def test_a_device_cannot_join_under_anothers_name(pair: Devices, server_home: Path) -> None:
    with pytest.raises(InvalidInput, match="already"):
        pair.add(server_home, "laptop")


def test_delayed_segments_are_waited_for_and_doubled_ones_passed_over(pair: Devices) -> None:
    pair["laptop"].mine([{"role": "user", "content": "turn 3", "at": "2026-03-09T10:00:00Z"}], conversation="talk 3")
    pair["laptop"].sync.now()
    *_, third, fourth = log_of(pair, "laptop")[1]
    shutil.copy(fourth, fourth.with_name("00000004 (conflicted copy).segment"))
    held = third.read_bytes()
    third.unlink()
    report = pair["desktop"].sync.now()
    assert not report.problems and "segment 3 has not arrived" in report.waiting["laptop"]
    third.write_bytes(held)
    assert pair["desktop"].sync.now().turns == 2
    assert exported(pair["desktop"]) == exported(pair["laptop"])


def test_files_that_never_end_are_not_read(tmp_path: Path) -> None:
    folder, device = Folder(tmp_path), uuid4()
    (tmp_path / "ricordo-sync.json").symlink_to("/dev/zero")
    with pytest.raises(UnreadableSource, match="not a regular file"):
        folder.about()
    (tmp_path / "devices" / str(device)).mkdir(parents=True)
    os.mkfifo(tmp_path / "devices" / str(device) / "00000001.segment")
    for read in (lambda: folder.read(device, 1), lambda: folder.files(uuid4(), device)):
        with pytest.raises(OSError, match="not a regular file"):
            read()


def test_wrong_words_open_nothing(pair: Devices) -> None:
    with pytest.raises(InvalidInput, match="words"):
        pair.join(pair["laptop"].of("thief"), new_words(), name="thief")


def test_a_folder_that_was_exchanged_is_refused(pair: Devices) -> None:
    Folder(pair.folder).describe(Key(uuid4(), secret_of(new_words())))
    with pytest.raises(UnreadableSource, match="holds another memory"):
        pair["desktop"].sync.now()


def test_a_copied_device_is_noticed_and_can_go_on_as_another_one(pair: Devices) -> None:
    """The laptop's store goes back to an earlier moment, as one that was copied or restored does."""
    laptop = pair["laptop"]
    device, files = log_of(pair, "laptop")
    key = Key(Folder(pair.folder).about()[0], secret_of(pair.words))
    previous = sha256(files[-1].read_bytes())
    copy = seal(key, device, 4, previous, False, Opening("laptop", datetime.now(UTC)), [])
    Folder(pair.folder).write(device, 4, copy)
    with pytest.raises(UnreadableSource, match="two histories"):
        laptop.sync.now()
    laptop.mine([{"role": "user", "content": "later", "at": "2026-04-01T10:00:00Z"}], conversation="later")
    pair.join(laptop, name="second laptop")
    pair.sync()
    assert exported(laptop) == exported(pair["desktop"])
    assert len(exported(laptop)["turns"]) == 4


def test_the_folder_shows_nothing_to_its_owner(pair: Devices) -> None:
    seen = b"".join(each.read_bytes() for each in pair.folder.rglob("*") if each.is_file())
    for text in (b"turn 1", b"talk 1", b"laptop", b'"ada"'):  # shorter ones may stand in random bytes
        assert text not in seen
