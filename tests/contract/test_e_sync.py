"""One memory on several devices through a folder: what travels, what wins, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from devices import Devices, devices, exported
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound, UnreadableSource
from ricordo.models import Change, Drawer
from stores import connect

TALK = [
    {"role": "user", "content": "We chose the LFP battery for the boat.", "at": "2026-03-01T10:00:00Z"},
    {"role": "assistant", "content": "Noted: LFP, 280 Ah.", "at": "2026-03-01T10:00:05Z"},
]


@pytest.fixture
def pair(server_home: Path, tmp_path: Path) -> Iterator[Devices]:
    with devices(server_home, tmp_path, ["laptop", "desktop"]) as made:
        yield made


def test_turns_reach_the_other_device(pair: Devices) -> None:
    pair["laptop"].mine(TALK, conversation="boat", title="The boat")
    pair.sync()
    assert "LFP battery" in pair["desktop"].recall("which battery did we choose?").context
    assert exported(pair["laptop"]) == exported(pair["desktop"])
    assert pair["desktop"].mine(TALK, conversation="boat", title="The boat").stored == 0


def test_memories_of_all_kinds_travel_with_their_versions(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    agent = laptop.agents.create("coder", system_prompt="You write code.")
    profile = laptop.profiles.list(agent.id)[0]
    entry = laptop.entries.write(profile.id, "The tests run on PostgreSQL.", confidence=0.9, metadata={"a": 1}).id
    laptop.journal.save("coder", "Fixed the parser today.")
    laptop.core.save("coder", "I prefer small commits.")
    laptop.notes.create("Buy screws", tags=["boat"], retention="long_term")
    laptop.documents.write("app", [Change(path=["a"], key="k", value={"n": 1}), Change(path=[], key="x", value={})])
    laptop.documents.write("app", [Change(path=["a"], key="k", value={"n": 2})], agent="coder")
    board = laptop.whiteboards.create("plans", ["coder"])
    laptop.whiteboards.write(board.id, "We meet on Monday.", "coder")
    pair.sync()
    assert exported(laptop) == exported(desktop)
    desktop.entries.edit(entry, "The tests run on PostgreSQL 18.")
    pair.sync()
    assert [each.content for each in laptop.entries.history(entry)] == [
        "The tests run on PostgreSQL.",
        "The tests run on PostgreSQL 18.",
    ]
    assert exported(laptop) == exported(desktop)


def test_of_two_edits_the_later_one_wins_and_the_other_is_history(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    profile = laptop.profiles.list(laptop.agents.create("coder").id)[0]
    entry = laptop.entries.write(profile.id, "one").id
    pair.sync()
    desktop.entries.edit(entry, "two, on the desktop")
    laptop.entries.edit(entry, "three, on the laptop")
    pair.sync()
    for each in pair.memories.values():
        said = [version.content for version in each.entries.history(entry)]
        assert said == ["one", "two, on the desktop", "three, on the laptop"]
    assert exported(laptop) == exported(desktop)


def said(*texts: str, conversation: str = "ferry") -> dict[str, Any]:
    """A conversation whose messages have ids, as Slack's and Telegram's have."""
    messages = [
        {"role": "user", "content": text, "id": f"m{number}", "at": f"2026-03-01T10:0{number}:00Z"}
        for number, text in enumerate(texts)
    ]
    return {"messages": messages, "conversation": conversation}


def versions(memory: Memory, pointer: str = "W-001/R-01/D-001") -> list[str]:
    return [each.content for each in memory.entries.history(memory.palace.show(pointer)[0].id)]


def test_an_edited_turn_travels_with_what_it_said_before(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(**said("Book the ferry for Tuesday.", "Bring the rope."))
    pair.sync()
    laptop.mine(**said("Book the ferry for Thursday.", "Bring the rope."))
    pair.sync()
    assert versions(desktop) == ["Book the ferry for Tuesday.", "Book the ferry for Thursday."]
    assert "Thursday" in desktop.recall("which day is the ferry?").context
    assert exported(laptop) == exported(desktop)
    # What came by sync is known by its id when its source is mined here, edited again or not.
    assert desktop.mine(**said("Book the ferry for Thursday.", "Bring the rope.")).duplicates == 2
    assert desktop.mine(**said("Book the ferry for Friday.", "Bring the rope.")).edited == 1
    assert pair["laptop"].sync.now().turns == 0
    pair.sync()
    assert versions(laptop)[-1] == "Book the ferry for Friday." and len(versions(laptop)) == 3
    assert exported(laptop) == exported(desktop)
    for each in pair.memories.values():
        assert each.audit.sound().sound


def test_of_two_edits_of_a_turn_the_later_one_wins_and_the_person_is_told(pair: Devices, server_home: Path) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(**said("Book the ferry for Tuesday."))
    pair.sync()
    laptop.mine(**said("Book the ferry for Thursday."))
    desktop.mine(**said("Book the ferry for Friday."))
    desktop.sync.now()
    [told] = laptop.sync.now().conflicts
    assert "W-001/R-01/D-001" in told and "desktop" in told
    [told] = desktop.sync.now().conflicts
    assert "laptop" in told and "this device" in told
    pair.sync()
    for each in pair.memories.values():
        assert versions(each) == [f"Book the ferry for {day}." for day in ("Tuesday", "Thursday", "Friday")]
    tablet = pair.add(server_home, "tablet")
    pair.sync()
    assert exported(tablet) == exported(laptop) == exported(desktop)


def test_what_a_lost_device_edited_stays_where_others_edited_too(pair: Devices, server_home: Path) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    phone = pair.add(server_home, "phone")
    laptop.mine(**said("Book the ferry for Tuesday."))
    pair.sync()
    phone.mine(**said("Book the ferry for Thursday."))
    desktop.mine(**said("Book the ferry for Friday."))
    phone.sync.now()
    desktop.sync.now()
    laptop.sync.now()
    pair.words = laptop.sync.rotate(lost="phone").words or ""
    del pair.memories["phone"]
    desktop.sync.join(pair.folder, pair.words)
    pair.add(server_home, "tablet")
    pair.sync()
    for each in pair.memories.values():
        assert versions(each) == [f"Book the ferry for {day}." for day in ("Tuesday", "Thursday", "Friday")]


def test_redaction_wins_over_later_edits_of_a_turn(pair: Devices, server_home: Path) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    tablet = pair.add(server_home, "tablet")
    laptop.mine(**said("The code is 4711.", "The alarm is 0815."))
    pair.sync()
    first, second = laptop.palace.show("W-001/R-01")
    laptop.entries.redact(first.id)
    laptop.entries.forget(second.id)
    laptop.sync.now(compact=True)
    desktop.mine(**said("The code is 4712.", "The alarm is 0816."))
    desktop.sync.now()
    tablet.mine(**said("The code is 4713.", "The alarm is 0817."))  # it comes back last
    pair.sync()
    for each in pair.memories.values():
        for code in ("4711", "4712", "4713", "0815", "0816", "0817"):
            assert each.audit.absent(f"is {code}").absent, code
        assert each.mine(**said("The code is 4714.", "The alarm is 0818.")).edited == 0
        assert each.audit.sound().sound
    assert exported(laptop) == exported(desktop) == exported(tablet)


def test_a_redacted_turn_without_an_id_is_recognized_where_its_text_never_was(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(TALK, conversation="boat")
    laptop.entries.redact(laptop.palace.show("W-001/R-01")[0].id)
    pair.sync()
    assert desktop.mine(TALK, conversation="boat").stored == 0
    assert desktop.audit.absent("LFP battery").absent


def test_both_devices_mine_a_chat_before_and_after_it_was_edited(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    desktop.mine(**said("Book the ferry for Tuesday."))
    laptop.mine(**said("Book the ferry for Tuesday."))
    laptop.mine(**said("Book the ferry for Thursday."))
    pair.sync()
    for each in pair.memories.values():
        assert versions(each) == ["Book the ferry for Tuesday.", "Book the ferry for Thursday."]
    assert exported(laptop) == exported(desktop)


def test_an_edit_on_a_device_whose_clock_is_behind_counts_after_what_it_had_read(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(**said("Book the ferry for Tuesday."))
    laptop.mine(**said("Book the ferry for Thursday."))
    with connect(pair.settings["laptop"]) as store:  # as if the laptop's clock were ahead
        store.execute("UPDATE memory_history SET valid_to = now() + interval '1 day'")
    pair.sync()
    desktop.mine(**said("Book the ferry for Friday."))
    pair.sync()
    for each in pair.memories.values():
        assert versions(each)[-1] == "Book the ferry for Friday."
    assert exported(laptop) == exported(desktop)


def test_forgetting_wins_over_a_later_edit(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    profile = laptop.profiles.list(laptop.agents.create("coder").id)[0]
    entry = laptop.entries.write(profile.id, "the door code is 4711").id
    other = laptop.entries.write(profile.id, "the alarm code is 0815").id
    pair.sync()
    laptop.entries.forget(entry)
    laptop.entries.redact(other)
    desktop.entries.edit(entry, "the door code is 4712")
    desktop.entries.edit(other, "the alarm code is 0816")
    pair.sync()
    for each in pair.memories.values():
        for code in ("4711", "4712", "0815", "0816"):
            assert each.audit.absent(f"code is {code}").absent, code
    assert exported(laptop) == exported(desktop)


def test_a_redacted_turn_does_not_come_back(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(TALK, conversation="boat")
    pair.sync()
    [drawer, _] = desktop.palace.show("W-001/R-01")
    desktop.entries.redact(drawer.id)
    pair.sync()
    assert laptop.audit.absent("LFP battery").absent
    laptop.mine(TALK, conversation="boat")
    pair.sync()
    assert laptop.audit.absent("LFP battery").absent
    assert exported(laptop) == exported(desktop)


def test_a_document_that_is_removed_and_written_anew_stays(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.documents.write("app", [Change(path=[], key="k", value={"n": 1})])
    pair.sync()
    desktop.documents.write("app", [Change(path=[], key="k", value=None)])
    pair.sync()
    assert laptop.documents.get("app", [([], "k")]) == [None]
    laptop.documents.write("app", [Change(path=[], key="k", value={"n": 3})])
    pair.sync()
    [found] = desktop.documents.get("app", [([], "k")])
    assert found is not None and found.value == {"n": 3}
    assert exported(laptop) == exported(desktop)


def test_agents_of_one_name_are_one_agent(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    for each in pair.memories.values():
        profile = each.profiles.list(each.agents.create("coder").id)[0]
        each.entries.write(profile.id, "said on one device")
    laptop.agents.change("coder", system_prompt="You write code.")
    pair.sync()
    assert [each.name for each in desktop.agents.list()] == ["coder"]
    assert desktop.agents.get("coder").system_prompt == "You write code."
    profile = desktop.profiles.list("coder")[0]
    assert len(desktop.entries.read(profile.id)) == 2
    assert exported(laptop) == exported(desktop)
    desktop.agents.change("coder", name="programmer")
    pair.sync()
    assert [each.name for each in laptop.agents.list()] == ["programmer"]
    laptop.agents.delete("programmer")
    pair.sync()
    assert desktop.agents.list() == []
    assert exported(laptop) == exported(desktop)


def test_edits_of_the_palace_travel(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    for name in ("Sailing", "Garden", "Taxes"):
        said = [{"role": "user", "content": f"About {name}: we talked for long."}] * 3
        laptop.mine(said, conversation=name, project=name)
    pair.sync()
    laptop.palace.rename_wing("Sailing", "The boat")
    desktop.palace.merge_wings("Garden", "Taxes")
    pair.sync()
    for each in pair.memories.values():
        assert {wing.name for wing in each.palace.tree()} == {"The boat", "Taxes"}
        assert each.mine([{**TALK[0], "content": "More of it"}], conversation="g", project="Garden").stored in (0, 1)
    pair.sync()
    assert exported(laptop) == exported(desktop)
    [boat] = [each for each in laptop.palace.tree() if each.name == "The boat"]
    laptop.palace.move_room(boat.rooms[0].pointer, "Harbour", new=True)
    laptop.palace.rename_closet(boat.rooms[0].pointer, 1, "Long talks")
    pair.sync()
    [harbour] = [each for each in desktop.palace.tree() if each.name == "Harbour"]
    assert [each.name for each in harbour.rooms[0].closets] == ["Long talks"]
    merged = next(each for each in laptop.palace.wings().items if each.merged)
    laptop.palace.unmerge_wing(merged.merged[0])
    pair.sync()
    assert {wing.name for wing in desktop.palace.tree()} == {"Harbour", "Garden", "Taxes"}
    assert exported(laptop) == exported(desktop)


def test_two_wings_that_are_merged_into_each_other(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    for name in ("Garden", "Taxes"):
        laptop.mine([{"role": "user", "content": f"About {name}."}], conversation=name, project=name)
    pair.sync()
    laptop.palace.merge_wings("Garden", "Taxes")
    desktop.palace.merge_wings("Taxes", "Garden")
    pair.sync(rounds=4)
    assert [each.name for each in laptop.palace.tree()] == [each.name for each in desktop.palace.tree()]
    assert exported(laptop) == exported(desktop)


def test_what_waits_for_a_review_is_decided_on_any_device(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.settings.update(review="agents")
    profile = laptop.profiles.list(laptop.agents.create("coder").id)[0]
    yes = laptop.entries.write(profile.id, "let in").id
    no = laptop.entries.write(profile.id, "not let in").id
    pair.sync()
    assert {each.id for each in desktop.review.list()} == {yes, no}
    desktop.review.accept(yes)
    desktop.review.reject(no)
    pair.sync()
    assert laptop.review.list() == []
    assert laptop.entries.get(yes).content == "let in"
    assert exported(laptop) == exported(desktop)


@pytest.mark.parametrize("name", ["phone", "phone again"])
def test_a_lost_device_that_is_found_joins_as_a_new_one(pair: Devices, server_home: Path, name: str) -> None:
    laptop, phone = pair["laptop"], pair.add(server_home, "phone")
    phone.mine(TALK, conversation="boat")
    pair.sync()
    words = laptop.sync.rotate(lost="phone").words
    phone.mine([{"role": "user", "content": "The found phone wrote this."}], conversation="later")
    for each in ("desktop", "phone"):
        pair.join(pair[each], words, **({"name": name} if each == "phone" else {}))
    pair.sync()
    assert not laptop.audit.absent("The found phone wrote this.").absent
    assert exported(laptop) == exported(phone) == exported(pair["desktop"])
    assert phone.sync.status().device == name
    for each in pair.memories.values():
        assert [other.shut_out for other in each.sync.status().devices if other.name == name] == [False]


def test_a_device_keeps_its_name_when_it_joins_again(pair: Devices) -> None:
    desktop = pair["desktop"]
    with pytest.raises(InvalidInput, match="this device is 'desktop' already"):
        pair.join(desktop, name="workstation")
    for scope in ({}, {"name": "desktop"}):
        pair.join(desktop, **scope)
        assert desktop.sync.status().device == "desktop"


def test_settings_travel_where_they_are_shared(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", settings=["top_k"])
        two = made.add(server_home, "two", settings=["top_k"])
        one.settings.update(top_k=9, rerank=True)
        made.sync()
        assert two.settings.get().top_k == 9 and not two.settings.get().rerank


def test_only_what_takes_part_leaves_a_device(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", wings=["Boat"], agents=["coder"])
        two = made.add(server_home, "two")
        one.mine(TALK, conversation="boat", project="Boat")
        one.mine([{"role": "user", "content": "Nobody may read this diary."}], conversation="diary", project="Diary")
        for name in ("coder", "spy"):
            one.entries.write(one.profiles.list(one.agents.create(name).id)[0].id, f"said by {name}")
        made.sync()
        assert two.audit.absent("diary").absent and two.audit.absent("said by spy").absent
        assert not two.audit.absent("said by coder").absent
        assert [each.name for each in two.palace.tree()] == ["Boat"]


#: How what took part comes to take none: nothing, its wing goes with it, it is moved, or the device narrows its choice.
LEAVING = ("stays", "moved", "narrowed")


@pytest.mark.parametrize("where", ["whole", "part"])
@pytest.mark.parametrize("leaving", LEAVING)
def test_removals_reach_every_device_that_has_the_text_whatever_takes_part_there(
    server_home: Path, tmp_path: Path, leaving: str, where: str
) -> None:
    with devices(server_home, tmp_path, ["whole"]) as made:
        whole, part = made["whole"], made.add(server_home, "part", wings=["Boat", "Mast", "Garden"], agents=["coder"])
        for subject in ("sail", "rudder", "anchor"):
            turns = [{"role": "user", "content": f"The {subject} is of oak."}]
            whole.mine(turns, conversation=f"c{subject[0]}", project="Boat")
        whole.mine([{"role": "user", "content": "The mast is of pine."}], conversation="mast", project="Mast")
        profile = whole.profiles.list(whole.agents.create("coder").id)[0].id
        written = {text: whole.entries.write(profile, text).id for text in ("entry to redact", "entry to forget")}
        part.mine([{"role": "user", "content": "The diary is private."}], conversation="own", project="Diary")
        made.sync()
        assert not part.audit.absent("of pine").absent and whole.audit.absent("diary").absent
        here = made[where]
        match leaving:
            case "moved":
                here.palace.move_room(_turn(here, "sail").pointer.rpartition("/")[0], "Diary", new=True)
            case "narrowed":
                made.join(part, name="part", wings=["Garden"], agents=["other"])
                made.sync()
        here.entries.redact(_turn(here, "rudder").id)
        here.entries.forget_all(conversation="mast")
        here.entries.forget(written["entry to forget"])
        here.entries.redact(written["entry to redact"])
        here.entries.redact(_turn(here, "sail").id)
        made.sync()
        for each in (whole, part):
            for gone in ("rudder", "of pine", "sail", "entry to"):
                assert each.audit.absent(gone).absent, gone
            assert not each.audit.absent("anchor").absent and each.audit.sound().sound
        if (leaving, where) != ("moved", "whole"):
            assert whole.audit.absent("diary").absent


def _turn(memory: Memory, word: str) -> Drawer:
    rooms = [room for wing in memory.palace.tree() for room in wing.rooms]
    return next(each for room in rooms for each in memory.palace.show(room.pointer) if word in each.text)


def test_every_room_of_a_conversation_stands_in_its_wing_and_no_later_turn_moves_it_back(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    desktop.mine([{"role": "user", "content": "Basil grows in the garden."}], conversation="g", project="Garden")
    talk = [
        {"role": "user", "content": f"Zora: part {day}", "at": f"2026-03-0{day}T10:00:00Z", "name": "Zora"}
        for day in (1, 3, 5)
    ]
    laptop.mine(talk, conversation="z")
    laptop.palace.rename_wing(laptop.palace.tree()[0].pointer, "The novel")
    pair.sync()
    for each in pair.memories.values():
        assert {wing.name: len(wing.rooms) for wing in each.palace.tree()} == {"The novel": 3, "Garden": 1}
    desktop.palace.move_room(_turn(desktop, "part 5").pointer.rpartition("/")[0], "Garden")
    desktop.sync.now()
    later = {"role": "user", "content": "Zora: one more", "at": "2026-03-05T10:05:00Z", "name": "Zora"}
    laptop.mine([later], conversation="z", append=True)
    pair.sync()
    for each in pair.memories.values():
        assert {wing.name: len(wing.rooms) for wing in each.palace.tree()} == {"The novel": 2, "Garden": 2}
        assert _turn(each, "one more").pointer.partition("/")[0] == _turn(each, "Basil").pointer.partition("/")[0]


def test_moves_of_what_takes_no_part_leave_no_device(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", wings=["Boat"])
        two = made.add(server_home, "two")
        one.mine(TALK, conversation="boat", project="Boat")
        for name in ("Diary", "Journal"):
            one.mine([{"role": "user", "content": "Dear me."}], conversation=f"my {name}", project=name)
        made.sync()
        one.palace.move_room(_turn(one, "Dear me").pointer.rpartition("/")[0], "Journal")
        made.sync()
        with connect(made.settings["two"]) as store:
            assert store.execute("SELECT key FROM sync_objects WHERE key LIKE '%%my %%'").fetchall() == []
        assert [each.name for each in two.palace.tree()] == ["Boat"]


def test_a_log_that_is_rewritten_holds_nothing_that_takes_no_part_any_more(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", wings=["Boat"])
        talk = [
            {"role": "user", "content": "The mast is bent.", "id": "m1", "at": "2026-03-01T10:00:00Z"},
            {"role": "user", "content": "I am so tired.", "id": "m2", "at": "2026-03-01T10:01:00Z"},
        ]
        one.mine(talk, conversation="boat", title="Mast", project="Boat")
        one.mine(TALK, conversation="other", project="Boat")
        one.sync.now()
        one.mine([{"role": "user", "content": "Dear me."}], conversation="diary", project="Secret diary")
        one.palace.move_room(_turn(one, "The mast").pointer.rpartition("/")[0], "Secret diary")
        one.mine([{**talk[0], "content": "The mast is broken and so am I."}], conversation="boat", project="Boat")
        one.entries.redact(_turn(one, "I am so tired").id)
        assert one.sync.now(compact=True).compacted
        two = made.add(server_home, "two")
        made.sync()
        assert "Secret diary" not in {each.name for each in two.palace.tree()}
        for text in ("Secret diary", "so am I", "mast is bent", "so tired", "Mast"):
            assert two.audit.absent(text).absent, text


#: Wings, and who is spoken of in each.
SISTERS = {"Boat": "Ana", "Diary": "Eva"}


def _fill(one: Memory) -> None:
    """A memory of every kind of object."""
    for number, wing in enumerate(SISTERS):
        said = {"role": "user", "content": f"{wing} as said. My sister {SISTERS[wing]} lives in Porto.", "id": "t"}
        one.mine([said], conversation=f"talk {SISTERS[wing][:1]}", title=f"{wing} as titled", project=wing)
        one.palace.rename_wing(f"W-00{number + 1}", f"{wing} as named")
    for agent in ("coder", "spy"):
        one.entries.write(one.profiles.list(one.agents.create(agent).id)[0].id, f"{agent} as written")
        one.whiteboards.create(f"board of {agent}", [agent])
        one.whiteboards.write(f"board of {agent}", f"{agent} as posted", agent=agent)
        one.proposals.propose(agent)
    one.settings.update(top_k=9)


def _change_all(one: Memory) -> list[str]:
    """Change every object; what is said of those that take no part."""
    for wing, sister in SISTERS.items():
        said = {"role": "user", "content": f"{wing} as edited. My sister {sister} lives in Porto.", "id": "t"}
        one.mine([said], conversation=f"talk {sister[:1]}", project=wing)
        [found] = [each for each in one.palace.tree() if each.name.startswith(wing)]
        one.palace.rename_wing(found.pointer, f"{wing} as renamed")
        [fact] = [each for each in one.facts.list(sister) if each.predicate == "lives_in"]
        one.facts.correct(fact.id, object=f"Town of {wing}")
    for agent in ("coder", "spy"):
        one.agents.change(agent, system_prompt=f"{agent} as prompted")
        [entry] = one.entries.page(agent=agent).items
        one.entries.edit(entry.id, f"{agent} as edited")
    one.settings.update(top_k=7)
    return ["Diary as edited", "Diary as renamed", "Town of Diary", "spy as prompted", "spy as edited"]


def test_nothing_that_takes_no_part_any_more_leaves_a_device(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", settings=["top_k"])
        _fill(one)
        made.sync()
        made.join(one, wings=["Boat"], agents=["coder"])
        texts = _change_all(one)
        assert one.sync.now().compacted
        two = made.add(server_home, "two")
        made.sync()
        _require_part(two, texts)


def test_nothing_that_takes_no_part_is_accepted(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", settings=["top_k"])
        two = made.add(server_home, "two", wings=["Boat"], agents=["coder"])
        _fill(one)
        made.sync()
        one.entities.add_relation("Dan", "likes", "Diary tea")
        one.entities.change("Eva", name="Eva of Diary")
        texts = _change_all(one)
        made.sync()
        _require_part(two, [*texts, "Diary tea", "Eva"])


def _require_part(two: Memory, texts: list[str]) -> None:
    """Fail unless a device has just what takes part."""
    for text in (*texts, "Diary", "spy"):
        assert two.audit.absent(text).absent, text
    for text in ("Boat as edited", "Boat as renamed", "Town of Boat", "coder as prompted", "coder as edited"):
        assert not two.audit.absent(text).absent, text
    assert (two.settings.get().top_k, [each.name for each in two.agents.list()]) == (5, ["coder"])
    assert [each.name for each in two.whiteboards.list()] == ["board of coder"]
    assert [each.content for each in two.whiteboards.read("board of coder", agent="coder")] == ["coder as posted"]


@pytest.mark.parametrize("where", ["one", "two"])
def test_edits_of_what_took_no_part_arrive_once_it_takes_part_again(
    server_home: Path, tmp_path: Path, where: str
) -> None:
    """Edits on the device that wrote it first and on one that received it."""
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one")
        made.add(server_home, "two")
        one.mine([{"role": "user", "content": "Diary as said.", "id": "Diary"}], conversation="Diary", project="Diary")
        entry = one.entries.write(one.profiles.list(one.agents.create("spy").id)[0].id, "spy as written").id
        made.sync()
        made.join(made[where], wings=["Boat"], agents=["coder"])
        said = {"role": "user", "content": "Diary as edited.", "id": "Diary"}
        made[where].mine([said], conversation="Diary", project="Diary")
        made[where].entries.edit(entry, "spy as edited")
        made.sync()
        other = made["two" if where == "one" else "one"]
        assert other.audit.absent("Diary as edited.").absent and other.audit.absent("spy as edited").absent
        made.join(made[where], wings=["Boat", "Diary"], agents=["coder", "spy"])
        made.sync()
        assert _turn(other, "Diary as").text == "Diary as edited."
        assert other.entries.get(entry).content == "spy as edited"


def test_what_is_moved_to_where_it_takes_part_reaches_the_others(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", wings=["Boat"], sources=["api"])
        two = made.add(server_home, "two")
        one.mine(TALK, conversation="boat", project="Boat")
        one.mine([{"role": "user", "content": "Dear me."}], conversation="diary", project="Diary")
        one.mine([{"role": "user", "content": "Dear you."}], conversation="mail", project="Mail", source="mbox")
        made.sync()
        for said in ("Dear me", "Dear you"):
            one.palace.move_room(_turn(one, said).pointer.rpartition("/")[0], "Boat")
        made.sync()
        assert [each.name for each in two.palace.tree()] == ["Boat"]
        assert _turn(two, "Dear me").text == "Dear me."
        assert two.audit.absent("Dear you.").absent


def test_a_wing_that_came_with_its_turns_is_no_edit_of_a_person(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one")
        two = made.add(server_home, "two", sources=["api"])
        one.mine(TALK, conversation="boat", title="Boat", source="mbox")
        one.mine([{"role": "user", "content": "The tent leaks."}], conversation="tent", title="Tent")
        [boat] = [each for each in one.palace.tree() if each.name == "Boat"]
        one.palace.move_room(_turn(one, "The tent").pointer.rpartition("/")[0], boat.pointer)
        one.sync.now()
        two.sync.now()
        report = two.sync.now()
        assert (report.sent, report.decisions) == (0, 0)
        assert [(each.name, each.kind) for each in two.palace.tree()] == [("Boat", boat.kind)]


def test_the_policies_of_the_receiving_device_hold(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    desktop.settings.update(secrets="redact")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    laptop.mine([{"role": "user", "content": f"The token is {secret}, keep it."}], conversation="t")
    profile = laptop.profiles.list(laptop.agents.create("coder").id)[0]
    laptop.entries.write(profile.id, f"token {secret}")
    pair.sync()
    assert not laptop.audit.absent(secret).absent
    assert desktop.audit.absent(secret).absent
    assert "keep it" in desktop.palace.show("W-001/R-01")[0].text


def test_the_policies_of_the_receiving_device_hold_for_edits_and_decisions(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    desktop.settings.update(secrets="redact")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    laptop.mine(HOME, conversation="home")
    pair.sync()
    laptop.mine([{**HOME[0], "content": f"I live in Lisbon. The token is {secret}, keep it."}], conversation="home")
    laptop.facts.correct(fact_of(laptop), object=f"Porto {secret}")
    pair.sync()
    assert not laptop.audit.absent(secret).absent
    assert desktop.audit.absent(secret).absent
    assert "keep it" in desktop.palace.show("W-001/R-01")[0].text
    assert [each.predicate for each in desktop.facts.list(decision="confirmed")] == ["lives_in"]
    pair.sync()


def test_decisions_of_a_device_that_shares_a_part_travel_with_that_part(server_home: Path, tmp_path: Path) -> None:
    with devices(server_home, tmp_path, []) as made:
        one = made.add(server_home, "one", wings=["Boat"])
        two = made.add(server_home, "two")
        one.mine(HOME, conversation="home", project="Boat")
        one.mine([{"role": "user", "content": "I work at Acme.", "at": "2026-03-01T10:00:00Z"}], conversation="d")
        made.sync()
        one.facts.reject(fact_of(one))
        one.facts.confirm(fact_of(one, "works_at"))
        made.sync()
        assert lives_in(two) == [] and two.audit.absent("Acme").absent


def test_text_that_was_forgotten_leaves_the_logs(pair: Devices) -> None:
    from ricordo.sync import folder as folders
    from ricordo.sync import keys, segments

    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(TALK, conversation="boat")
    pair.sync()
    [drawer, _] = desktop.palace.show("W-001/R-01")
    desktop.entries.redact(drawer.id)
    pair.sync()
    assert laptop.sync.status().compact_by is not None
    report = laptop.sync.now(compact=True)
    assert report.compacted and laptop.sync.status().compact_by is None
    folder = folders.Folder(pair.folder)
    key = keys.Key(folder.about()[0], keys.secret_of(pair.words))
    logs = [folder.read(each, number) or b"" for each in folder.devices() for number in folder.numbers(each)]
    held = str([segments.opened(key, each)[2] for each in logs])
    assert "LFP battery" not in held and "280 Ah" in held
    assert "280 Ah" not in str(logs)
    pair.sync()
    assert exported(laptop) == exported(desktop)


def test_an_empty_machine_is_restored_from_the_folder(pair: Devices, server_home: Path) -> None:
    laptop = pair["laptop"]
    laptop.mine(TALK, conversation="boat", title="The boat")
    laptop.palace.rename_wing("W-001", "Our boat")
    profile = laptop.profiles.list(laptop.agents.create("coder").id)[0]
    entry = laptop.entries.write(profile.id, "one").id
    laptop.entries.edit(entry, "two")
    pair.sync()
    found = pair.add(server_home, "new laptop")
    pair.sync()
    assert exported(found) == exported(laptop)
    assert found.audit.sound().sound


def test_a_rotated_key_shuts_out_a_lost_device(pair: Devices, server_home: Path) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    phone = pair.add(server_home, "phone")
    phone.mine(TALK, conversation="phone talk")
    pair.sync()
    words = laptop.sync.rotate(lost="phone").words
    assert words and words != pair.words
    laptop.mine(TALK, conversation="after")
    laptop.sync.now()
    for each in (desktop, phone):
        with pytest.raises(UnreadableSource, match="rotated"):
            each.sync.now()
    with pytest.raises(InvalidInput, match="words"):
        desktop.sync.join(pair.folder, pair.words)
    desktop.sync.join(pair.folder, words)
    del pair.memories["phone"]
    pair.sync()
    assert exported(laptop) == exported(desktop)
    assert len(exported(desktop)["turns"]) == 4
    pair.words = words
    again = pair.add(server_home, "phone")  # the new one has the name of the lost one
    pair.sync()
    assert exported(again) == exported(laptop)


def test_leaving_stops_and_removes_nothing(pair: Devices) -> None:
    laptop = pair["laptop"]
    laptop.mine(TALK, conversation="boat")
    pair.sync()
    laptop.sync.leave()
    assert not laptop.sync.status().active
    assert len(exported(laptop)["turns"]) == 2
    with pytest.raises(NotFound):
        laptop.sync.now()


def test_another_devices_pointer_leads_to_the_same_turn(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    desktop.mine([{"role": "user", "content": "The desktop's own."}], conversation="own", project="Own")
    laptop.mine(TALK, conversation="boat", project="Boat")
    pair.sync()
    there = laptop.palace.show("W-001/R-01/D-002")[0]
    here = desktop.palace.show("§ laptop/W-001/R-01/D-002")[0]
    assert here.text == there.text == "Noted: LFP, 280 Ah."
    assert here.pointer != there.pointer
    assert laptop.palace.show("laptop/W-001/R-01/D-002") == [there]
    assert len(desktop.palace.show("laptop/W-001/R-01")) == 2
    assert desktop.palace.around("laptop/W-001/R-01/D-001").items[1].text == there.text
    assert desktop.palace.tree("laptop/W-001")[0].name == "Boat"
    assert desktop.recall("LFP", room="laptop/W-001/R-01").results
    for unknown in ("phone/W-001/R-01", "laptop/W-001/R-99"):
        with pytest.raises(NotFound, match="not synced"):
            desktop.palace.show(unknown)


def test_what_a_person_said_of_entities_travels(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    said = [
        {"role": "user", "content": "Bob Miller works at Acme Corp.", "at": "2026-03-01T10:00:00Z"},
        {"role": "user", "content": "Robert Miller lives in Lisbon.", "at": "2026-03-01T10:01:00Z"},
    ]
    laptop.mine(said, conversation="people")
    pair.sync()
    laptop.entities.merge("Bob Miller", "Robert Miller")
    laptop.entities.change("Lisbon", alias="Lisboa")
    laptop.entities.add_relation("Robert Miller", "likes", "sailing")
    pair.sync()
    assert desktop.entities.get("Robert Miller").name == laptop.entities.get("Robert Miller").name == "Bob Miller"
    assert desktop.entities.get("Lisboa").name == laptop.entities.get("Lisboa").name
    assert "sailing" in [each.object for each in desktop.entities.relations("Bob Miller", predicate="likes")]
    desktop.entities.unmerge("Bob Miller")
    pair.sync()
    assert laptop.entities.get("Robert Miller").name == "Robert Miller"
    for each in pair.memories.values():
        assert each.audit.sound().sound


HOME = [{"role": "user", "content": "I live in Lisbon.", "id": "h1", "at": "2026-03-01T10:00:00Z"}]


def lives_in(memory: Memory) -> list[tuple[str, bool]]:
    return [(each.object, each.confirmed) for each in memory.facts.list() if each.predicate == "lives_in"]


def fact_of(memory: Memory, predicate: str = "lives_in") -> UUID:
    return next(each.id for each in memory.facts.list() if each.predicate == predicate)


def test_decisions_about_facts_travel(pair: Devices, server_home: Path) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    # The desktop has other rooms, so that its facts have other ids.
    desktop.mine([{"role": "user", "content": "The boat needs paint."}], conversation="own")
    laptop.mine(HOME, conversation="home")
    laptop.facts.confirm(fact_of(laptop))
    pair.sync()
    assert fact_of(laptop) != fact_of(desktop)
    assert lives_in(desktop) == [("Lisbon", True)]
    desktop.facts.correct(fact_of(desktop), object="Porto")
    pair.sync()
    assert lives_in(laptop) == lives_in(desktop) == [("Porto", True)]
    laptop.facts.correct(fact_of(laptop), object="Faro")
    pair.sync()
    assert lives_in(desktop) == [("Faro", True)]
    desktop.facts.undo(fact_of(desktop))
    pair.sync()
    assert lives_in(laptop) == [("Porto", True)]
    laptop.facts.undo(fact_of(laptop))
    pair.sync()
    assert lives_in(desktop) == lives_in(laptop) == [("Lisbon", False)]
    rejected = fact_of(laptop)
    laptop.facts.reject(rejected)
    pair.sync()
    assert lives_in(desktop) == []
    tablet = pair.add(server_home, "tablet")
    pair.sync()
    assert lives_in(tablet) == []
    laptop.facts.undo(rejected)
    laptop.sync.now()
    laptop.sync.now(compact=True)
    pair.sync()
    for each in pair.memories.values():
        assert lives_in(each) == [("Lisbon", False)]
        assert each.audit.sound().sound


def test_a_decision_waits_for_its_turn_and_for_a_fact_that_a_person_entered(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(HOME, conversation="home")
    laptop.entities.add_relation("Ada", "likes", "sailing")
    laptop.facts.reject(fact_of(laptop))
    laptop.facts.correct(fact_of(laptop, "likes"), object="rowing")
    laptop.sync.now()
    laptop.sync.now(compact=True)  # a base tells of decisions ahead of their turns
    pair.sync()
    assert lives_in(desktop) == []
    assert [each.object for each in desktop.facts.list() if each.predicate == "likes"] == ["rowing"]
    laptop.facts.undo(fact_of(laptop, "likes"))
    pair.sync()
    assert [each.object for each in desktop.facts.list() if each.predicate == "likes"] == ["sailing"]


def test_a_decision_holds_where_the_fact_is_found_only_later(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(HOME, conversation="home")
    pair.sync()
    with connect(pair.settings["desktop"]) as store:  # as if nothing had been found there
        store.execute("DELETE FROM facts WHERE user_id = (SELECT id FROM users WHERE name = 'ada')")
    laptop.facts.reject(fact_of(laptop))
    pair.sync()
    desktop.mine([*HOME, {"role": "user", "content": "I like sailing."}], conversation="home")  # read again
    assert lives_in(desktop) == []
    pair.sync()
    assert exported(laptop) == exported(desktop)


def test_of_two_decisions_about_a_fact_the_later_one_counts(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(HOME, conversation="home")
    pair.sync()
    laptop.facts.confirm(fact_of(laptop))
    desktop.facts.reject(fact_of(desktop))
    desktop.sync.now()
    [told] = laptop.sync.now().conflicts
    assert "W-001/R-01" in told and "desktop" in told
    assert laptop.sync.status().conflicts == (told,)
    pair.sync()
    assert lives_in(laptop) == lives_in(desktop) == []
    assert desktop.sync.status().conflicts == ()


def test_decisions_go_with_their_turn(pair: Devices) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine(HOME, conversation="home")
    pair.sync()
    desktop.entries.redact(desktop.palace.show("W-001/R-01")[0].id)
    laptop.facts.correct(fact_of(laptop), object="Porto")
    pair.sync()
    for each in pair.memories.values():
        assert each.audit.absent("Lisbon").absent and each.audit.absent("Porto").absent
        assert each.audit.sound().sound
        with connect(pair.settings["laptop"]) as store:
            row = store.execute("SELECT count(*) FROM sync_objects WHERE kind = 'decision'").fetchone()
        assert row == (0,)


def test_a_receipt_says_where_the_text_still_stands(pair: Devices) -> None:
    laptop = pair["laptop"]
    laptop.mine(TALK, conversation="boat")
    pair.sync()
    receipt = laptop.entries.redact(laptop.palace.show("W-001/R-01")[0].id)
    assert any("within 24 hours" in each and "desktop" in each for each in receipt.remains)


def test_a_wing_whose_name_was_redacted_with_its_only_turn(pair: Devices, server_home: Path) -> None:
    laptop, desktop = pair["laptop"], pair["desktop"]
    laptop.mine([{"role": "user", "content": "The zeppelin needs helium."}], conversation="z")
    laptop.mine(TALK, conversation="boat")
    pair.sync()
    wing = next(each for each in desktop.palace.tree() if each.drawers == 1)
    desktop.palace.rename_wing(wing.pointer, "My zeppelin")
    [drawer] = desktop.palace.show(wing.rooms[0].pointer)
    desktop.entries.redact(drawer.id)
    pair.sync()
    for each in pair.memories.values():
        assert each.audit.absent("zeppelin").absent
        assert each.audit.sound().sound
    tablet = pair.add(server_home, "tablet")
    pair.sync()
    assert tablet.audit.absent("zeppelin").absent and len(exported(tablet)["turns"]) == 3
