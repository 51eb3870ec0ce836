"""E2: forgetting reaches everything, its receipt lists each place, and a look anywhere proves it."""

from __future__ import annotations

import asyncio
import subprocess
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from uuid import UUID

import pytest
from mcp.shared.exceptions import MCPError

from commands import called, in_process
from http_server import running
from mcp_clients import Caller, on_http, on_stdio
from ricordo.blocking import Memory
from ricordo.database.embedded import ensure_running, tools
from ricordo.models import Change
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY

SECRET = "the fridge code in the attic is 4711-quux"
#: Where something of a memory can stand, besides the turns and runs that are struck.
PLACES = {
    "memories", "memory_history", "postings", "embeddings", "unembedded", "unindexed", "mentions", "facts",
    "proposals", "held_writes", "jobs", "answers", "exports",
}  # fmt: skip


@pytest.fixture
def ada(with_vectors: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        memory.agents.create("coder")
        yield memory


def _planted(ada: Memory, secret: str = SECRET) -> list:  # type: ignore[type-arg]
    """The ids of memories of every kind that say the secret."""
    turn = {"role": "user", "name": "Ada", "content": f"Remember: {secret}.", "at": "2026-03-01T18:00:00Z"}
    drawer = ada.palace.show(ada.mine([turn], conversation="talk", title="Attic").pointer or "")[0].id
    [profile] = ada.profiles.list("coder")
    entry = ada.entries.write(profile.id, secret).id
    ada.entries.edit(entry, f"{secret}, still")
    for each in (secret, f"{secret}."):
        kept = ada.journal.save("coder", each).memory
    first = ada.journal.list("coder")[-1].id
    ada.proposals.propose("coder")
    note = ada.notes.create(secret, tags=["attic"], context={"told": secret}).memory
    with ada.run("coder", "What is the code?") as run:
        assert secret in run.prompt
    ada.embed_pending()
    return [drawer, entry, kept.id, first, note.id]


def _dump(settings: Settings) -> bytes:
    """The schema as pg_dump writes it."""
    server = ensure_running(settings)
    made = subprocess.run(
        [tools(settings) / "pg_dump", "--schema", settings.schema, "--inserts", server.conninfo(None)],
        capture_output=True,
        timeout=300,
    )
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_e2_a_receipt_lists_each_place_and_nothing_is_left_in_any(ada: Memory) -> None:
    for id in _planted(ada):
        receipt = ada.entries.forget(id, "asked for")
        assert receipt.done and set(receipt.checked) == PLACES
        assert set(receipt.checked.values()) == {0}, receipt
        assert any("write-ahead log" in each for each in receipt.remains)
    assert ada.audit.absent(SECRET).absent


def test_e2_the_bytes_are_nowhere_in_dumps_data_files_logs_and_exports(ada: Memory, with_vectors: Settings) -> None:
    secret = f"{SECRET} {token_hex(8)}"  # other tests' stores are in the same files
    ids = _everywhere(ada, with_vectors, secret)
    told = secret.encode()
    assert told in _dump(with_vectors)
    exported = ada.operations.export()
    ada.jobs.finish()
    assert ada.operations.get(exported.id).state == "done"
    for id in ids:
        ada.entries.forget(id)
    assert told not in _dump(with_vectors)
    with connect(with_vectors) as owner:
        assert owner.execute("SELECT count(*) FROM upload_chunks").fetchone() == (0,)
    ada.archive.save(made := BytesIO())
    with zipfile.ZipFile(made) as opened:
        assert not any(told in opened.read(name) for name in opened.namelist())
    assert "Rewrote " in called(with_vectors, "db", "vacuum").out
    files = [each for each in with_vectors.home.rglob("*") if each.is_file() and "pg_wal" not in each.parts]
    assert len(files) > 100
    assert [each for each in files if told in _read(each)] == []


def _everywhere(ada: Memory, settings: Settings, secret: str) -> list[UUID]:
    """The ids of memories that say a secret, after it went wherever a text can go."""
    ids = _planted(ada, secret)
    seeded = ada.profiles.create("coder", "seeded", seed_entries=[secret])
    ids += [each.id for each in ada.entries.read(seeded.id)]
    ada.whiteboards.create("board", ["coder"])
    ids.append(ada.whiteboards.write("board", secret, "coder").id)
    ada.documents.write("files", [Change(("path",), "key", {"told": secret}, secret)])
    ids += [each.id for each in ada.entries.page(["document"]).items]
    talk = [{"role": "user", "name": "Ada", "content": f"My friend Quuxina lives in Porto: {secret}."}]
    ids += [each.id for each in ada.palace.show(ada.mine(talk * 3, conversation="named").pointer or "")]
    ada.profiles.change(seeded.id, review="tools")
    held = ada.entries.write(seeded.id, secret, source="tool").id
    run = ada.runs.start("coder", "What is the code?", profile=seeded.id)
    assert secret in (run.prompt or "")
    ada.runs.output(run.id, "node", {"__lf_memory_writes": [{"content": secret}]})
    ids += ada.runs.complete(run.id).written
    begun = ada.operations.mine(talk, conversation="by an operation")
    ada.jobs.finish()
    assert ada.operations.get(begun.id).state == "done"
    ids += [each.id for each in ada.palace.show(ada.operations.get(begun.id).result.pointer)]
    with running(settings) as server:
        found = server.post("/v1/recall", {"question": "fridge code in the attic"})
        assert secret in str(found)
        kept = server.ask("POST", "/v1/notes", {"content": secret}, headers={"Idempotency-Key": "note"})
        ids.append(UUID(kept.json()["id"]))
    ada.notes.create(secret, retention="short_term")
    ada.review.reject(held)
    return ids


def test_e2_a_text_that_went_everywhere_is_nowhere_afterwards(ada: Memory, with_vectors: Settings) -> None:
    secret = f"{SECRET} {token_hex(8)}"
    ids = _everywhere(ada, with_vectors, secret)
    assert {each.table for each in ada.audit.absent(secret).places if each.rows} >= {"memories", "runs", "answers"}
    for id in ids:
        receipt = ada.entries.forget(id)
        assert set(receipt.checked.values()) == {0}, receipt
    for text in (secret, "Quuxina", "quuxina"):
        absence = ada.audit.absent(text)
        assert absence.absent, [each for each in absence.places if each.rows]
    assert secret.encode() not in _dump(with_vectors)
    assert ada.entities.list(search="Quuxina") == []


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:  # the server's own, gone meanwhile
        return b""


def test_e2_a_redacted_memory_leaves_a_row_and_the_same_receipt(ada: Memory) -> None:
    for id in _planted(ada):
        receipt = ada.entries.redact(id)
        assert set(receipt.checked) == PLACES and set(receipt.checked.values()) == {0}
        assert ada.entries.get(id).content == "[redacted]"
    assert ada.audit.absent(SECRET).absent


def test_e2_the_reason_does_not_keep_what_is_forgotten(ada: Memory) -> None:
    for id in _planted(ada):
        said = ada.entries.get(id).content
        receipt = ada.entries.forget(id, f"She asked that '{said.upper()}' be gone; it is out of date.")
        assert receipt.reason == "She asked that '[redacted]' be gone; it is out of date."
    assert ada.audit.absent(SECRET).absent


def test_e2_a_command_tells_and_another_proves(
    ada: Memory, with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = in_process(replace(with_vectors, user="ada"), monkeypatch, capsys)
    ids = _planted(ada)
    assert run("verify", "--absent", SECRET).code == 1
    for id in ids:
        out = run("memory", "forget", str(id)).out
        assert "checked memories" in out and "no trace left" in out and "write-ahead log" in out
    assert run("verify", "--absent", SECRET).code == 0


def test_e2_sessions_that_run_give_it_no_more(ada: Memory, with_vectors: Settings) -> None:
    """Over MCP, on standard input and over HTTP: tools, resources and the prompt, whatever they gave before."""
    ids = _planted(ada)
    ids.append(ada.core.save("coder", f"{SECRET}, always").id)
    own = replace(with_vectors, user="ada")
    place = ada.palace.tree()[0].pointer.split()[-1]
    asked = {
        "recall": {"query": "What is the fridge code in the attic?"},
        "search_memories": {"query": "fridge code"},
        "show": {"pointer": f"{place}/R-01"},
        "palace_tree": {},
        "entities": {},
        "status": {},
    }
    resources = ("palace", f"palace/{place}", f"palace/{place}/R-01", f"palace/{place}/R-01/D-001")

    async def given(call: Caller) -> dict[str, str]:
        found = {tool: (await call.answer(tool, **arguments)).text for tool, arguments in asked.items()}
        for each in resources:
            try:
                found[each] = str((await call.client.read_resource(f"ricordo://{each}")).contents)
            except MCPError as error:  # the room is gone with its only turn
                found[each] = str(error)
        return found | {"prompt": str(await call.client.get_prompt("memory_context", {"topic": "fridge code"}))}

    async def scenario(url: str, token: str) -> None:
        async with on_stdio(own, "--agent", "coder") as near, on_http(f"{url}/mcp", token) as far:
            for call in (near, far):
                told = {name for name, text in (await given(call)).items() if SECRET in text}
                assert told >= {"recall", "search_memories", "show", "prompt", *resources[2:]}
            for id in ids:
                await asyncio.to_thread(ada.entries.forget, id)
            for call in (near, far):
                assert {name for name, text in (await given(call)).items() if "4711" in text} == set()

    with running(with_vectors) as server:
        asyncio.run(scenario(server.url, server.token))


def test_e2_backups_made_before_are_told_and_can_be_searched(
    ada: Memory,
    with_vectors: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = SECRET.replace("attic", 'attic, "upstairs",')
    [first, second, *rest] = _planted(ada, told)
    assert "Existing backups: none" in ada.entries.forget(first).remains[-1]
    chosen = replace(with_vectors, user="ada", backup_dir=tmp_path / "kept", backup_every=24.0, backup_keep=3)
    run = in_process(chosen, monkeypatch, capsys)
    kept = Path(run("backup", "--json").json["path"])
    ada.archive.save(export := tmp_path / "ada.zip")
    with Memory(settings=chosen, background=False) as backed_up:
        said = backed_up.entries.forget(second).remains[-1]
        gone = datetime.now(UTC) + timedelta(days=3)
        assert "Existing backups in RICORDO_BACKUP_DIR: 1" in said and "3 backups stored" in said
        assert f"the last of them is deleted about {gone:%Y-%m-%d}" in said
    with Memory(settings=replace(chosen, backup_every=None), background=False) as by_hand:
        assert "are not deleted automatically" in by_hand.entries.forget(rest.pop()).remains[-1]
    for id in rest:
        ada.entries.forget(id)
    assert run("verify", "--absent", told).code == 0
    for file, table in ((kept, "memories"), (export, "memories")):
        found = run("verify", file, "--absent", told.upper())
        assert found.code == 1 and f"{table}.content: " in found.out, found
        assert run("verify", file, "--absent", f"{told}?").code == 0
    places = {(each.table, each.column) for each in ada.archive.absent(kept, told).found}
    assert places == {(each.table, each.column) for each in ada.archive.absent(export, told).found}
    assert places >= {("memories", "content"), ("memories", "metadata"), ("runs", "prompt"), ("proposals", "content")}
    after = run("backup", tmp_path / "after.zip", "--json").json["path"]
    assert run("verify", after, "--absent", told).code == 0
    ada.archive.save(later := tmp_path / "later.zip")
    assert ada.archive.absent(BytesIO(later.read_bytes()), told).absent
    later.write_bytes(kept.read_bytes()[:-900])
    assert run("verify", later, "--absent", told).code == 7
    assert run("verify", kept, "--absent", " ").code == 2
    assert run("verify", kept, "--store").code == 2


def test_e4_what_a_memory_said_and_what_held_at_any_moment(ada: Memory) -> None:
    [profile] = ada.profiles.list("coder")
    id = ada.entries.write(profile.id, "Deploys happen on Mondays.").id
    time.sleep(0.02)
    before = datetime.now(UTC)
    time.sleep(0.02)
    ada.entries.edit(id, "Deploys happen on Thursdays.")
    assert ada.entries.as_of(id, before).content == "Deploys happen on Mondays."
    assert ada.entries.as_of(id, datetime.now(UTC)).content == "Deploys happen on Thursdays."
    old, new = datetime(2024, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    ada.entities.add_relation("Tom", "lives_in", "Lisbon", object_kind="place", since=old)
    ada.entities.add_relation("Tom", "lives_in", "Porto", object_kind="place", since=new)
    for moment, place in ((old + timedelta(days=1), "Lisbon"), (new + timedelta(days=1), "Porto")):
        assert [each.object for each in ada.entities.relations("Tom", as_of=moment)] == [place]


def test_e5_a_run_is_replayed_word_for_word_with_why_each_line_was_chosen(
    ada: Memory, with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [profile] = ada.profiles.list("coder")
    ada.mine(BATTERY, conversation="talk")
    kept = ada.entries.write(profile.id, "Deploys happen on Thursdays.", confidence=0.9).id
    gone = ada.entries.write(profile.id, "Lunch is at noon.", confidence=0.8).id
    with ada.run("coder", "When do we deploy?") as run:
        hits = ada.recall("Which cells for the e-foil?", agent="coder", run=run.id).results
        ada.journal.search("coder", "deploy", run=run.id)
    ada.entries.edit(kept, "Deploys happen on Fridays.")
    replay = ada.runs.replay(run.id)
    assert replay.run.prompt == run.prompt and "- [0.9] Deploys happen on Thursdays." in run.prompt
    injected, recalled = replay.seen[:2], replay.seen[2:]
    assert [each.text for each in injected] == ["Deploys happen on Thursdays.", "Lunch is at noon."]
    assert [(each.why["injection"], each.why["rank"]) for each in injected] == [
        ("top_confidence", 1),
        ("top_confidence", 2),
    ]
    assert [(each.text, each.why["signals"]) for each in recalled] == [(each.text, each.signals) for each in hits]
    ada.entries.forget(gone)
    ada.entries.redact(kept)
    assert [each.text for each in ada.runs.replay(run.id).seen[:2]] == ["[redacted]", "[forgotten]"]
    assert "Thursdays" not in ada.runs.replay(run.id).model_dump_json()
    shown = in_process(replace(with_vectors, user="ada"), monkeypatch, capsys)("run", "replay", str(run.id))
    assert "LiFePO4" in shown.out and "injection top_confidence" in shown.out
    with running(with_vectors) as server:
        told = server.get(f"/v1/runs/{run.id}/replay")
        assert told["seen"][2]["why"]["signals"] == hits[0].signals
        assert server.of("ada", agent="coder").get(f"/v1/runs/{run.id}/replay") == told


TOLD = "The fridge code in the attic is 4711-quux, and Grandma keeps the spare key under the blue flowerpot."
PART = "keeps THE spare key\nunder the"


def test_e2_a_receipt_names_where_a_part_still_stands(ada: Memory) -> None:
    """What quotes a part stays, and whoever forgets is told; fewer than five words in a row are no part."""
    [profile] = ada.profiles.list("coder")
    forgotten = ada.entries.write(profile.id, "Something else.").id
    ada.entries.edit(forgotten, TOLD)
    assert ada.entries.forget(ada.entries.write(profile.id, TOLD, confidence=0.6).id).quoted == {"memories.content": 1}
    ada.entries.edit(forgotten, "Nothing any more.")  # what it said before is forgotten with it
    ada.notes.create("Where?", tags=[PART.replace("\n", " ")], context={"told": f"she {PART}"})
    ada.journal.save("coder", f"She {PART} blue one.")
    ada.whiteboards.create("Grandma keeps the spare key", ["coder"])
    ada.agents.create("other", system_prompt=f"Know that Grandma {PART} pot.")
    turn = {
        "role": "assistant",
        "content": "So Grandma keeps the spare key. Under the mat?",
        "at": "2026-03-01T18:00:00Z",
    }
    ada.mine([turn], conversation="talk", title="Grandma: the spare key under the blue flowerpot")
    ada.entries.write(profile.id, "the spare key under it; code in the attic")
    receipt = ada.entries.forget(forgotten, f"no longer true that {PART} flowerpot")
    named = {name: count for name, count in receipt.quoted.items() if name.startswith(("rooms.", "wings.", "closets."))}
    assert receipt.quoted == named | {
        "access_log.context": 1, "agents.system_prompt": 1, "conversations.title": 1, "memories.content": 2,
        "memories.metadata": 1, "memories.tags": 1, "whiteboards.name": 1,
    }  # fmt: skip
    assert any("Parts of it, 5 or more consecutive words, still occur" in each for each in receipt.remains)
    assert "flowerpot" not in "".join(receipt.remains) and set(receipt.checked.values()) == {0}


def test_e2_an_agent_learns_from_no_receipt_what_others_hold(ada: Memory) -> None:
    """Or it could write down a guess, forget it, and be told whether somebody said so."""
    [profile] = ada.profiles.list("coder")
    ada.notes.create(TOLD)
    guess = ada.entries.write(profile.id, TOLD, agent="coder").id
    assert ada.entries.forget(guess, agent="coder").quoted == {}
    kept = ada.journal.save("coder", TOLD).memory
    receipt = ada.entries.forget(kept.id, agent="coder")
    assert receipt.quoted == {} and not any("still occur" in each for each in receipt.remains)


def test_e2_parts_of_talk_in_other_languages_and_of_long_texts_are_found(ada: Memory) -> None:
    german = "Der Schlüssel für das Gartenhäuschen liegt seit gestern hinter der dritten Regentonne."
    again = {"role": "user", "name": "Ada", "content": f"Wie gesagt: {german[4:60]} Stimmt doch?"}
    talk = [{"role": "user", "name": "Ada", "content": "Wir waren gestern lange mit den Kindern im Garten."}, again]
    ada.mine(talk, conversation="garten")
    words = [f"word{number}" for number in range(3000)]
    ada.notes.create(" ".join(["quoting", *words[700:735], "end"]))
    ada.notes.create(" ".join(["too little", *words[900:920], "end"]))
    for said in (german, " ".join(words)):
        mined = ada.mine([{"role": "user", "name": "Ada", "content": said}], conversation=said[:9])
        [drawer] = ada.palace.show(mined.pointer or "")
        receipt = ada.entries.redact(drawer.id)
        assert receipt.quoted == {"memories.content": 1}, receipt


def test_a_forgotten_conversation_that_went_on_is_forgotten_again_by_its_id(memory: Memory) -> None:
    memory.mine([{"content": "The first code is 4711."}], conversation="codes")
    memory.entries.forget_all(conversation="codes")
    memory.mine([{"content": "The second code is 4712."}], conversation="codes")
    assert memory.entries.forget_all(conversation="codes").done
    assert memory.audit.absent("second code").absent


@pytest.mark.parametrize("append", [False, True])
def test_a_forgotten_conversation_that_goes_on_stands_under_its_name_again(memory: Memory, append: bool) -> None:
    about = {"conversation": "k", "project": "Kayaks", "title": "Paddle"}
    memory.mine([{"role": "user", "content": "The kayak paddle broke at the lighthouse."}], **about)
    memory.entries.forget_all(conversation="k")
    assert memory.palace.wings().items == ()
    memory.mine([{"role": "user", "content": "A new paddle arrived, made of ash."}], append=append, **about)
    [wing] = memory.palace.wings().items
    [room] = memory.palace.rooms(wing.pointer).items
    assert wing.name == "Kayaks" and "Paddle" in room.name
    [hit] = memory.recall("paddle")
    assert (hit.text, hit.conversation, hit.title) == ("A new paddle arrived, made of ash.", "k", "Paddle")
    assert memory.audit.absent("lighthouse").absent
    assert memory.audit.sound().sound
