"""Rows C1, C2 and C3 where a person changes the palace: names, merges and moves; and where talks come in any order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from consistency import inconsistencies
from miners import Miner, talk
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY, LISBON

pytestmark = pytest.mark.usefixtures("one_transaction_at_a_time")

Turns = list[dict[str, Any]]

BREAD = [
    "My sourdough starter is not rising.",
    "How warm is your kitchen? A sourdough starter likes 25 degrees.",
    "About 19 degrees.",
    "Put the sourdough starter near the oven and feed it rye flour.",
    "Great, I'll try rye flour.",
]
BELLA = [
    "Our dog Bella has been limping since Sunday.",
    "Has she been running a lot? It may be her paw.",
    "The vet says Bella has a thorn in her paw.",
    "Poor thing. Will the vet take it out?",
    "Yes, Bella goes to the vet on Monday.",
]


@pytest.fixture(autouse=True)
def _sound(settings: Settings) -> Iterator[None]:
    """Whatever a test does, what it leaves is consistent."""
    yield
    with connect(settings) as owner:
        assert inconsistencies(owner) == []


def chat(*texts: str, name: str = "Ada", other: str | None = None, day: int = 1) -> Turns:
    """A talk of a user with an assistant, or with the person `other`."""
    turns: Turns = []
    for index, text in enumerate(texts):
        answers = index % 2 == 1
        turn = {"role": "assistant" if answers and other is None else "user", "content": text}
        if not answers or other is not None:
            turn["name"] = other if answers else name
        turns.append({**turn, "at": f"2026-03-{day:02}T10:{index:02}:00Z"})
    return turns


def contents(memory: Memory) -> list[Any]:
    """The palace without its numbers: wings with their rooms, closets and texts."""
    return sorted(
        (
            wing.kind,
            wing.name,
            sorted(
                (room.name, [each.name for each in room.closets],
                 [(each.text, each.closet) for each in memory.palace.show(room.pointer)])
                for room in wing.rooms
            ),
        )
        for wing in memory.palace.tree()
    )  # fmt: skip


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.mine(BATTERY, conversation="b", title="Battery talk")
    memory.mine(LISBON, conversation="l", title="Lisbon trip")
    return memory


def test_c1_a_renamed_wing_is_found_by_every_name_and_later_talks_go_there(filled: Memory) -> None:
    pointer = filled.recall("12V20Ah").results[0].pointer
    wing = filled.palace.rename_wing("battery", "Power")
    assert (wing.name, wing.pointer) == ("Power", "§ W-001")
    for name in ("Power", "POWER", "the Battery", "batteries", "W-1"):
        assert filled.palace.tree(name) == [wing]
    filled.mine(BREAD_TALK, conversation="new", title="The batteries")
    assert [(each.name, len(each.rooms)) for each in filled.palace.tree()] == [("Power", 2), ("Lisbon", 1)]
    assert filled.recall("12V20Ah").results[0].pointer == pointer
    with pytest.raises(InvalidInput, match=r"W-002 'Lisbon' already has this name: merge"):
        filled.palace.rename_wing("Power", "LISBON")
    with pytest.raises(InvalidInput, match="1 to 200 characters"):
        filled.palace.rename_wing("Power", " ")
    with pytest.raises(NotFound, match="palace tree"):
        filled.palace.rename_wing("Nowhere", "Somewhere")


def test_c1_merged_wings_keep_every_pointer_and_every_name_and_part_again(filled: Memory) -> None:
    before = [hit.pointer for hit in filled.recall("Lisbon flights May", top_k=9)]
    texts = [filled.palace.show(each)[0].text for each in before]
    merged = filled.palace.merge_wings("Lisbon", "Battery")
    assert (merged.name, merged.drawers, merged.merged) == ("Battery", 7, ("§ W-002",))
    assert [each.pointer for each in filled.palace.tree()] == ["§ W-001"]
    for pointer, text in zip(before, texts, strict=True):
        [drawer] = filled.palace.show(pointer)
        assert (drawer.text, drawer.pointer) == (text, pointer.replace("W-002", "W-001"))
        assert filled.palace.show(drawer.pointer) == [drawer]
    filled.mine(BREAD_TALK, conversation="new", title="Trip to Lisbon")
    assert [len(each.rooms) for each in filled.palace.tree("lisbon")] == [3]
    assert {hit.conversation for hit in filled.recall("flights pack", wing="Lisbon", top_k=9)} == {"b", "l"}
    assert {hit.conversation for hit in filled.recall("flights pack", room="W-2/R-2", top_k=9)} == {"l"}
    with pytest.raises(InvalidInput, match="are the same wing"):
        filled.palace.merge_wings("W-002", "Battery")
    parted = filled.palace.unmerge_wing("W-002")
    assert (parted.name, [each.pointer for each in parted.rooms]) == ("Lisbon", ["§ W-002/R-02"])
    assert [filled.palace.show(each)[0].pointer for each in before] == before
    with pytest.raises(InvalidInput, match="was not merged"):
        filled.palace.unmerge_wing("W-002")


def test_c1_wings_that_were_merged_one_after_the_other_lead_to_the_last(filled: Memory) -> None:
    filled.mine(BREAD_TALK, conversation="s", title="Sourdough")
    filled.palace.merge_wings("Lisbon", "Battery")
    last = filled.palace.merge_wings("Battery", "Sourdough")
    assert last.merged == ("§ W-001", "§ W-002") and last.drawers == 12
    assert {filled.palace.tree(name)[0].pointer for name in ("Lisbon", "Battery", "W-2", "W-1")} == {"§ W-003"}
    assert [each.pointer for each in filled.palace.show("W-2/R-2/D-1")] == ["§ W-003/R-02/D-001"]
    assert filled.palace.show("W-1/R-2/D-1") == filled.palace.show("W-2/R-2/D-1")


def test_c1_a_moved_room_stays_where_it_was_put_and_grows_there(filled: Memory) -> None:
    room = filled.palace.move_room("W-2/R-2", "Battery")
    assert room.pointer == "§ W-001/R-02"
    filled.mine(LISBON, conversation="l", title="Lisbon trip")
    longer = [*LISBON, {"role": "user", "content": "And a tram.", "at": "2026-04-02T09:30:00Z"}]
    assert filled.mine(longer, conversation="l", title="Lisbon trip").pointer == "§ W-001/R-02"
    assert [each.pointer for each in filled.palace.show("W-2/R-2/D-4")] == ["§ W-001/R-02/D-004"]
    with pytest.raises(NotFound):
        filled.palace.move_room("W-1/R-2", "Portugal")
    assert filled.palace.move_room("W-1/R-2", "Portugal", new=True).pointer == "§ W-003/R-02"
    for old in ("W-1/R-2/D-1", "W-2/R-2/D-1", "W-3/R-2/D-1"):
        assert filled.palace.show(old)[0].text == LISBON[0]["content"]
    assert filled.palace.move_room("W-3/R-2", "Lisbon").pointer == "§ W-002/R-02"
    with pytest.raises(NotFound, match="not found"):
        filled.palace.show("W-1/R-99")


def test_c1_a_wing_whose_last_room_moved_away_is_not_shown_until_it_has_one_again(filled: Memory) -> None:
    [battery, lisbon] = filled.palace.tree()
    filled.palace.move_room(lisbon.rooms[0].pointer, "Holidays", new=True)
    assert [wing.name for wing in filled.palace.tree()] == [battery.name, "Holidays"]
    assert filled.palace.show(lisbon.rooms[0].pointer), "old pointers lead on"
    assert filled.palace.rename_wing(lisbon.name, "Portugal").rooms == (), "it is still there to be edited"
    filled.mine(LISBON, conversation="l2", title="Lisbon trip")
    assert [wing.name for wing in filled.palace.tree()] == [battery.name, "Portugal", "Holidays"]


def test_c1_closets_are_renamed_merged_and_filled_and_mining_keeps_to_it(memory: Memory) -> None:
    turns = chat(*BELLA, *BREAD)
    pointer = memory.mine(turns, conversation="c").pointer or ""
    names = [each.name for each in memory.palace.tree()[0].rooms[0].closets]
    assert len(names) == 2
    room = memory.palace.rename_closet(pointer, names[0], "Bella's paw")
    assert [(each.number, each.name) for each in room.closets] == [(1, "Bella's paw"), (2, names[1])]
    with pytest.raises(InvalidInput, match="already has this name"):
        memory.palace.rename_closet(pointer, 1, names[1].upper())
    with pytest.raises(NotFound, match="closet 'Cellar' not found in"):
        memory.palace.rename_closet(pointer, "Cellar", "Attic")
    room = memory.palace.move_drawers([f"{pointer}/D-001", f"{pointer}/D-010"], "Odds and ends")
    assert [(each.name, each.drawers) for each in room.closets] == [
        ("Bella's paw", 4), (names[1], 4), ("Odds and ends", 2),
    ]  # fmt: skip
    kept = memory.palace.show(pointer)
    assert [each.text for each in kept] == [each["content"] for each in turns]
    memory.mine([*turns, *chat("A new turn about the oven.", day=1)], conversation="c")
    assert memory.palace.show(pointer)[: len(kept)] == kept
    room = memory.palace.merge_closets(pointer, "odds and ends", names[1])
    assert "Odds and ends" not in {each.name for each in room.closets}
    assert memory.palace.show(f"{pointer}/D-001")[0].closet == names[1]
    for drawers in ([], ["W-1/R-1"], ["W-1/R-1/D-1", "W-1/R-2/D-1"]):
        with pytest.raises((InvalidInput, NotFound)):
            memory.palace.move_drawers(drawers, "Odds")
    with pytest.raises(NotFound, match="D-999"):
        memory.palace.move_drawers([f"{pointer}/D-999"], "Odds")


BREAD_TALK = chat(*BREAD)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Müller", "MUELLER"),
        ("Straßenfest", "Strassenfest"),
        ("E-Foil", "efoil"),
        ("Efoil rebuild", "the E-Foil Rebuild project"),
        ("Café", "the cafes"),
        ("Projekt Gartenhaus", "Gartenhaus"),
        ("Taxes", "Tax"),
        ("Batteries", "My battery"),
    ],
)
def test_c2_spellings_of_one_name_make_one_wing_of_the_same_name(settings: Settings, first: str, second: str) -> None:
    found = set()
    for user, titles in (("ada", (first, second)), ("ben", (second, first))):
        with Memory(settings=replace(settings, user=user), background=False) as memory:
            for title in titles:
                memory.mine(BREAD_TALK, conversation=title, title=title)
            [wing] = memory.palace.tree()
            found.add((wing.name, len(wing.rooms)))
    assert len(found) == 1


def test_c2_names_that_only_look_alike_stay_apart(memory: Memory) -> None:
    for name in ("Andrea", "Andreas", "Jonas", "Jona", "Joy", "Joey", "Michael", "Michal"):
        memory.mine(chat("Hello there.", "Hi.", other=name), conversation=name)
    assert len(memory.palace.tree()) == 8


@pytest.mark.parametrize(("first", "second"), [("Marc birthday", "Marcs birthday"), ("Andrea", "Andreas")])
def test_c2_topics_of_two_people_with_similar_names_stay_apart(memory: Memory, first: str, second: str) -> None:
    for title in (first, second):
        memory.mine(BREAD_TALK, conversation=title, title=title)
    assert {each.name for each in memory.palace.tree()} == {first, second}


@pytest.mark.parametrize(("good", "bad"), [("Efoil Rebuild", "EFOIL REBUILD"), ("Müller", "Muller"), ("Marc", "MARC")])
def test_c2_a_wing_is_shown_in_the_best_spelling(settings: Settings, good: str, bad: str) -> None:
    for user, projects in (("ada", (good, bad, bad)), ("ben", (bad, bad, good))):
        with Memory(settings=replace(settings, user=user), background=False) as memory:
            for number, project in enumerate(projects):
                memory.mine(BREAD_TALK, conversation=str(number), project=project)
            [wing] = memory.palace.tree()
            assert (wing.name, len(wing.rooms)) == (good, 3)
    with Memory(settings=replace(settings, user="cy"), background=False) as memory:
        for number, name in enumerate((bad, bad.lower(), good)):
            turn = {"role": "user", "name": name, "content": f"The car is red, says {name}."}
            memory.mine([turn], conversation=str(number), title=name)
        [wing] = memory.palace.tree()
        assert (wing.name, len(wing.rooms)) == (good, 3)


def test_c2_a_speaker_is_listed_in_the_best_spelling(memory: Memory) -> None:
    for number, name in enumerate(["INES", "ines", "Ines", "INES"]):
        memory.mine(chat("See you on Friday?", "Yes, at eight.", other=name), conversation=str(number))
    assert "Ines" in {each.name for each in memory.palace.speakers()}
    assert not {"INES", "ines"} & {each.name for each in memory.palace.speakers()}


def test_c2_a_subject_that_turns_out_to_be_a_person_is_one(memory: Memory) -> None:
    memory.mine(chat(*BREAD), conversation="1", title="Dinner for Ines on Friday")
    memory.mine(chat("See you on Friday?", "Yes, at eight.", other="Ines"), conversation="2")
    [wing] = memory.palace.tree()
    assert (wing.kind, wing.name, wing.drawers) == ("person", "Ines", 7)


TALKS: dict[str, tuple[str | None, Turns]] = {
    "ben": (None, chat("The torque wrench is yours.", "Thanks, I need the torque wrench.", other="Ben", day=2)),
    "ben again": (None, chat("And the climate chamber?", "On Tuesday.", name="Ben", other="Ada", day=9)),
    "bread": ("Sourdough", chat(*BREAD, day=3)),
    "bella": (None, chat(*BELLA, *BREAD, day=4)),
    "tax": ("Tax 2025: receipts", chat("Where are the receipts?", "In the shoe box.", day=5)),
    "taxes": ("Taxes: handed in", chat("The tax office wrote.", "What about the refund?", day=6)),
    "ines": ("Dinner for Ines", chat("Herring or pea soup?", "Pea soup.", day=7)),
    "ines too": (None, chat("Pea soup, please.", "Fine.", other="Ines", day=8)),
    "de": ("Papa: beim Arzt", chat("Was sagt die Ärztin zum Knie?", "Das Knie braucht ein neues Gelenk.", day=8)),
}


def test_c2_the_palace_is_the_same_in_whichever_order_talks_are_mined(settings: Settings) -> None:
    found = []
    for seed in range(3):
        order = sorted(TALKS)
        random.Random(seed).shuffle(order)
        with Memory(settings=replace(settings, user=f"user {seed}"), background=False) as memory:
            for name in [*order, *reversed(order)]:
                title, turns = TALKS[name]
                memory.mine(turns, conversation=name, title=title)
            found.append(contents(memory))
    assert found[0] == found[1] == found[2]
    names = {name for _, name, _ in found[0]}
    assert {"Ben", "Ines", "Tax", "Papa", "Sourdough"} <= names and len(names) == 6


@pytest.mark.parametrize(("size", "times"), [(1, 1), (3, 2), (7, 2), (90, 13)])
def test_c2_a_talk_that_comes_in_pieces_has_the_same_closets(settings: Settings, size: int, times: int) -> None:
    turns = [{**each, "id": str(index)} for index, each in enumerate(chat(*BELLA, *BREAD) * times)]
    found = []
    for user, step in (("whole", len(turns)), ("pieces", size)):
        with Memory(settings=replace(settings, user=user), background=False) as memory:
            for end in range(step, len(turns) + step, step):
                memory.mine(turns[:end], conversation="c", title="Bella")
            found.append(contents(memory))
            assert [each.text for each in memory.palace.show("W-1/R-1")] == [each["content"] for each in turns]
    assert found[0] == found[1]
    assert len(found[0][0][2][0][1]) > 1


def test_c3_four_processes_at_once_and_again_give_each_drawer_one_pointer(settings: Settings) -> None:
    with Memory(settings=settings):
        pass
    for _ in range(2):
        miners = [Miner(settings, 0, 10) for _ in range(4)]
        for each in miners:
            assert each.end() == ""
    alone = replace(settings, user="alone")
    with Memory(settings=alone, background=False) as memory:
        for number in range(10):
            memory.mine(talk(number), conversation=f"talk-{number}")
        expected = _undated(memory)
    with Memory(settings=settings, background=False) as memory:
        assert _undated(memory) == expected
        rooms = [room for wing in memory.palace.tree() for room in wing.rooms]
        numbers = [room.pointer.rpartition("R-")[2] for room in rooms]
        assert sorted(map(int, numbers)) == list(range(1, len(rooms) + 1))
        for room in rooms:
            drawers = memory.palace.show(room.pointer)
            assert [each.pointer for each in drawers] == [
                f"{room.pointer}/D-{number:03}" for number in range(1, room.drawers + 1)
            ]


def _undated(memory: Memory) -> list[Any]:
    """Like `contents`, for talks without times: rooms are named by the moment of their mining."""
    return [(kind, name, sorted((*room[1:],) for room in rooms)) for kind, name, rooms in contents(memory)]


def test_c3_numbers_are_not_given_again_after_redaction_and_forgetting(memory: Memory) -> None:
    pointer = memory.mine(BATTERY, conversation="c", title="Battery talk").pointer or ""
    drawers = memory.palace.show(pointer)
    memory.entries.redact(drawers[3].id)
    memory.entries.forget(drawers[2].id)
    more = [*BATTERY, {"role": "user", "content": "And a charger.", "at": "2026-03-01T18:10:00Z"}]
    memory.mine(more, conversation="c", title="Battery talk")
    assert [(each.pointer[-5:], each.text) for each in memory.palace.show(pointer)] == [
        ("D-001", BATTERY[0]["content"]),
        ("D-002", BATTERY[1]["content"]),
        ("D-003", "[redacted]"),
        ("D-004", "[redacted]"),
        ("D-005", "And a charger."),
    ]


def test_c11_no_one_edits_the_palace_of_another(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada")) as ada, Memory(settings=replace(settings, user="ben")) as ben:
        ada.mine(BATTERY, conversation="b", title="Battery talk")
        ada.mine(LISBON, conversation="l", title="Lisbon trip")
        ada.palace.merge_wings("Lisbon", "Battery")
        ben.mine(BREAD_TALK, conversation="s", title="Sourdough")
        for name in ("Battery", "Lisbon", "W-002"):
            with pytest.raises(NotFound):
                ben.palace.rename_wing(name, "Mine")
        with pytest.raises(NotFound):
            ben.palace.move_room("W-2/R-2", "Sourdough")
        assert [each.name for each in ben.palace.tree()] == ["Sourdough"]


def test_a5_former_names_go_with_the_only_text_that_said_them(memory: Memory) -> None:
    said = [{"role": "user", "content": "The quetzalcoatl carving, the quetzalcoatl carving."}]
    pointer = memory.mine([*said, {"role": "user", "content": "Fine by me."}], conversation="c").pointer or ""
    memory.palace.rename_wing(pointer.split("/")[0], "Museum")
    memory.palace.rename_closet(pointer, 1, "A piece of wood")
    assert memory.palace.tree("Quetzalcoatl carving")
    memory.entries.redact(memory.palace.show(pointer)[0].id)
    assert memory.audit.absent("quetzalcoatl").absent
    [wing] = memory.palace.tree()
    assert (wing.name, wing.rooms[0].closets[0].name) == ("Museum", "A piece of wood")


#: Talks whose first texts account for no name alone: others say it too, or they say only a part of a word in it.
NAMING = {
    "a speaker": chat("In two weeks I am in Lisbon.", "Fine.", "And then?", "Home.", name="Ada", other="Ines"),
    "a subject": chat("A sail for Tärna!", "Which one?", "A sail for Tärna, of cotton.", "Good, Tärna it is."),
    "several words": chat(
        "The plywood kayak has a ply too few.", "Which?", "The plywood kayak, on top.", "A plywood kayak needs five."
    ),
}


@pytest.mark.parametrize("talk", NAMING)
def test_a5_a_wing_that_keeps_its_name_is_found_by_it_after_a_redaction(memory: Memory, talk: str) -> None:
    memory.mine(NAMING[talk], conversation="c1")
    [before] = memory.palace.tree()
    for drawer in memory.palace.show(before.rooms[0].pointer)[:2]:
        memory.entries.redact(drawer.id)
    later = [{**each, "at": each["at"].replace("-01T", "-20T")} for each in NAMING[talk]]
    memory.mine(later, conversation="c2")
    [after] = memory.palace.tree()
    assert (after.name, after.pointer, len(after.rooms)) == (before.name, before.pointer, 2)
