"""Documents beside other memories: proofs that a text is gone reach them, and archives carry them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ricordo.blocking import Memory
from ricordo.models import Change
from ricordo.settings import Settings
from stores import settings_for

#: As it never stands in JSON.
SECRET = 'the "blue" key\nis under the mat \\ twice'
PLACE = (("keys", "house"), "door")


def put(memory: Memory, text: str) -> None:
    assert memory.documents.write("vault", [Change(path=PLACE[0], key=PLACE[1], value={"note": [text]})])


def test_e2_a_proof_that_a_text_is_gone_reaches_documents_and_what_they_were(memory: Memory) -> None:
    put(memory, SECRET)
    [stored] = memory.documents.get("vault", [PLACE])
    assert stored is not None
    assert [(each.table, each.column) for each in memory.audit.absent(SECRET).found] == [("memories", "metadata")]
    put(memory, "nothing")
    assert [each.table for each in memory.audit.absent(SECRET).found] == ["memory_history"]
    memory.entries.redact(stored.id)
    assert memory.audit.absent(SECRET).absent
    assert memory.documents.get("vault", [PLACE]) == [None]
    assert memory.documents.search("vault") == memory.documents.search("vault", query="door") == []
    put(memory, SECRET)
    assert memory.documents.write("vault", [Change(path=PLACE[0], key=PLACE[1], value=None)])
    assert memory.audit.absent(SECRET).absent, "what is removed leaves no history"


def test_e13_documents_are_carried_into_another_store(memory: Memory, settings: Settings, tmp_path: Path) -> None:
    put(memory, "a first text")
    put(memory, SECRET)
    memory.archive.save(tmp_path / "all.zip")
    with Memory(settings=replace(settings_for(settings.home), user="ada"), background=False) as other:
        other.archive.load(tmp_path / "all.zip")
        assert other.documents.get("vault", [PLACE]) == memory.documents.get("vault", [PLACE])
        assert other.audit.absent("a first text").found, "the history comes along"
        assert other.audit.sound().sound
