"""C3's tags and C4: entities with aliases, relations in time, and what becomes of both when turns go."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commands import in_process
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Relation
from ricordo.settings import Settings

Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


def said(*turns: str, at: str = "2026-01-05T10:00:00Z", name: str | None = None) -> list[dict[str, Any]]:
    """Turns of a user to an assistant."""
    more = " That is what I wanted to tell you about it, since we had not talked for so long."
    return [{"role": "user", "content": turn + more, "at": at, **({"name": name} if name else {})} for turn in turns]


def told(relations: Sequence[Relation]) -> list[tuple[str, str, str, str | None, str | None]]:
    """Relations without ids: subject, predicate, object, from and to."""

    def day(moment: datetime | None) -> str | None:
        return f"{moment:%Y-%m-%d}" if moment else None

    return [(r.subject, r.predicate, r.object, day(r.valid_from), day(r.valid_to)) for r in relations]


TOM = [
    said("My brother Tom lives in Hamburg. He loves it there.", at="2026-01-05T10:00:00Z"),
    said("Tom moved to Berlin, and I helped.", at="2026-03-05T10:00:00Z"),
    said("Tom owns a sailboat. My friend Tom Miller called.", at="2026-04-05T10:00:00Z"),
    said("Dinner with Tom and Priya in Berlin was fun.", at="2026-05-05T10:00:00Z"),
]


def test_c3_a_drawer_is_shown_with_the_tags_of_its_pointer(memory: Memory) -> None:
    memory.mine(TOM[3], conversation="dinner")
    memory.mine(TOM[0], conversation="where")
    [drawer] = memory.palace.show("W-001/R-01")
    assert drawer.tags == ("@l Berlin", "@p Priya", "@p Tom", "@t 2026-05-05")
    [hit] = memory.recall("Who was at dinner?", top_k=1)
    assert hit.tags == drawer.tags


def test_c4_a_changed_single_valued_relation_closes_the_old_row_and_adds_a_new_one(memory: Memory) -> None:
    memory.mine(TOM[0], conversation="january")
    memory.mine(TOM[1], conversation="march")
    lived = memory.entities.relations("Tom", predicate="lives_in")
    assert told(lived) == [
        ("Tom", "lives_in", "Hamburg", "2026-01-05", "2026-03-05"),
        ("Tom", "lives_in", "Berlin", "2026-03-05", None),
    ]
    assert [memory.palace.show(each.sources[0])[0].text for each in lived] == [
        TOM[0][0]["content"],
        TOM[1][0]["content"],
    ]
    february, april = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    assert [r.object for r in memory.entities.relations("Tom", predicate="lives_in", as_of=february)] == ["Hamburg"]
    assert [r.object for r in memory.entities.relations("Tom", predicate="lives_in", as_of=april)] == ["Berlin"]
    assert "Hamburg" in {each.name for each in memory.entities.neighbors("Tom", as_of=february)}
    assert "Hamburg" not in {each.name for each in memory.entities.neighbors("Tom")}


def test_c4_additive_relations_never_close_one_another(memory: Memory) -> None:
    memory.mine(said("I own a kayak."), conversation="a")
    memory.mine(said("I own a piano.", at="2026-02-05T10:00:00Z"), conversation="b")
    [kayak, piano] = memory.entities.relations(predicate="owns")
    assert (kayak.object, piano.object, kayak.valid_to, piano.valid_to) == ("kayak", "piano", None, None)


def test_c4_contradictions_keep_both_with_their_sources(memory: Memory) -> None:
    memory.mine(said("Tom lives in Hamburg."), conversation="a")
    memory.mine(said("Tom lives in Munich."), conversation="b")
    both = memory.entities.relations("Tom", predicate="lives_in")
    assert {(each.object, each.valid_to, len(each.sources)) for each in both} == {
        ("Hamburg", None, 1),
        ("Munich", None, 1),
    }
    one, other = both
    assert (one.contradicts, other.contradicts) == ((other.id,), (one.id,))
    memory.mine(said("Tom lives in Bremen. Tom owns a kayak.", at="2026-03-05T10:00:00Z"), conversation="c")
    by_object = {each.object: each.contradicts for each in memory.entities.relations("Tom")}
    assert (by_object["Hamburg"], by_object["Bremen"], by_object["kayak"]) == ((other.id,), (), ())


def test_c4_what_is_said_again_is_one_relation_with_all_its_sources(memory: Memory) -> None:
    for number in range(3):
        memory.mine(said("Tom lives in Hamburg.", at=f"2026-0{number + 1}-05T10:00:00Z"), conversation=str(number))
    [only] = memory.entities.relations("Tom")
    assert len(only.sources) == 3


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_c4_the_order_of_mining_changes_nothing(settings: Settings, order: Sequence[int]) -> None:
    def mined(name: str, sequence: Sequence[int], pieces: bool) -> tuple[Any, ...]:
        with Memory(settings=replace(settings, user=name), background=False) as memory:
            for number in sequence:
                if pieces:
                    memory.mine(TOM[number][:1], conversation=str(number))
                memory.mine(TOM[number], conversation=str(number))
            entities = {(e.name, e.kind, e.aliases, e.mentions) for e in memory.entities.list()}
            return entities, sorted(told(memory.entities.relations()), key=str)

    assert mined("a", range(4), pieces=False) == mined("b", order, pieces=True)


def test_c4_mining_again_and_in_several_threads_makes_the_same_graph(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="once"), background=False) as memory:
        for number, turns in enumerate(TOM):
            memory.mine(turns, conversation=str(number))
        once = sorted(told(memory.entities.relations()), key=str)
    with Memory(settings=replace(settings, user="often"), background=False) as memory:
        jobs = [(turns, str(number)) for number, turns in enumerate(TOM)] * 5
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda job: memory.mine(job[0], conversation=job[1]), jobs))
        assert sorted(told(memory.entities.relations()), key=str) == once


def test_c4_a_name_that_becomes_known_is_found_in_what_was_mined_before(memory: Memory) -> None:
    memory.mine(said("what a day, saw zelda again"), conversation="early")
    assert memory.entities.list() == []
    memory.mine(said("My sister Zelda called."), conversation="late")
    [zelda] = memory.entities.list(search="zelda")
    assert (zelda.kind, zelda.mentions) == ("person", 2)


def test_c4_a_first_name_is_the_one_person_who_has_it_and_of_two_it_is_neither(memory: Memory) -> None:
    memory.mine(said("My brother Tom called."), conversation="a")
    memory.mine(said("My colleague Tom Miller called."), conversation="b")
    [tom] = memory.entities.list(kind="person", search="tom")
    assert (tom.mentions, {tom.name, *tom.aliases}) == (2, {"Tom", "Tom Miller"})
    memory.mine(said("My neighbour Tom Baker called."), conversation="c")
    assert {each.name for each in memory.entities.list(search="tom")} == {"Tom", "Tom Miller", "Tom Baker"}


def test_c4_the_user_is_one_person_by_every_name(memory: Memory) -> None:
    reply = {"role": "assistant", "content": "Noted.", "at": "2026-01-05T10:01:00Z"}
    memory.mine([*said("I live in Oslo."), reply], conversation="a")
    memory.mine([*said("I own a kayak.", name="Ada", at="2026-02-05T10:00:00Z"), reply], conversation="b")
    relations = memory.entities.relations()
    assert {(each.subject, each.predicate) for each in relations} == {("Ada", "lives_in"), ("Ada", "owns")}
    assert len({each.subject_id for each in relations}) == 1


def test_c4_entities_that_turn_out_to_be_one_are_merged_and_parted_again(memory: Memory) -> None:
    memory.mine(said("My brother Tom lives in Hamburg."), conversation="a")
    memory.mine(said("My brother Thomas owns a kayak.", at="2026-02-05T10:00:00Z"), conversation="b")
    before = told(memory.entities.relations())
    tom, thomas = memory.entities.get("Tom"), memory.entities.get("Thomas")
    merged = memory.entities.merge("Thomas", "Tom")
    assert (merged.id, merged.mentions) == (tom.id, tom.mentions + thomas.mentions)
    assert memory.entities.get(thomas.id).id == tom.id
    assert [(each.id, each.name, each.by) for each in memory.entities.merged("Tom")] == [
        (thomas.id, "Thomas", "manual")
    ]
    assert {each.predicate for each in memory.entities.relations("Thomas")} >= {"lives_in", "owns"}
    memory.mine(said("Thomas lives in Bremen.", at="2026-03-05T10:00:00Z"), conversation="c")
    assert [r.object for r in memory.entities.relations("Tom", predicate="lives_in")] == ["Hamburg", "Bremen"]
    with pytest.raises(InvalidInput, match="already the same entity"):
        memory.entities.merge("Tom", "Thomas")

    parted = memory.entities.unmerge("Thomas")
    assert parted.id == thomas.id
    assert memory.entities.merged("Tom") == []
    now = told(memory.entities.relations())
    assert [each for each in now if each[2] != "Bremen"] == before
    # parted by hand, rules do not join them again
    memory.mine(said("Tom lives in Hamburg.", at="2026-05-05T10:00:00Z"), conversation="d")
    assert memory.entities.get("Thomas").id == thomas.id


def test_c4_what_a_person_enters_stands_beside_what_was_said(memory: Memory) -> None:
    memory.mine(said("Tom lives in Hamburg."), conversation="a")
    since = datetime(2026, 2, 1, tzinfo=UTC)
    relations = memory.entities.add_relation("Tom", "lives in", "Bergen", object_kind="place", since=since)
    assert told(relations) == [
        ("Tom", "lives_in", "Hamburg", "2026-01-05", "2026-02-01"),
        ("Tom", "lives_in", "Bergen", "2026-02-01", None),
    ]
    assert (relations[1].found_by, relations[1].sources) == ("manual", ())
    [_, ended] = memory.entities.end_relation("Tom", "lives_in", "Bergen", at=datetime(2026, 12, 1, tzinfo=UTC))
    assert f"{ended.valid_to:%Y-%m-%d}" == "2026-12-01"
    memory.entities.add_relation("Tom", "owns", "kayak", since=since)
    [past] = memory.entities.end_relation("Tom", "owns", "kayak", at=datetime(2026, 3, 1, tzinfo=UTC))
    assert told([past]) == [("Tom", "owns", "kayak", "2026-02-01", "2026-03-01")]
    renamed = memory.entities.change("Tom", name="Thomas Berg", alias="Tommy")
    assert renamed.name == "Thomas Berg"
    assert memory.entities.get("Tommy").id == renamed.id
    with pytest.raises(InvalidInput, match="merge the two entities instead"):
        memory.entities.change("Hamburg", alias="Tom")


def test_c4_what_a_redacted_turn_told_goes_with_it(memory: Memory) -> None:
    memory.mine(TOM[0], conversation="january")
    memory.mine(said("Tom moved to Berlin, with Xanthippe Quux.", at="2026-03-05T10:00:00Z"), conversation="march")
    [berlin] = memory.entities.relations("Tom", predicate="lives_in", as_of=datetime(2026, 4, 1, tzinfo=UTC))
    receipt = memory.entries.redact(memory.palace.show(berlin.sources[0])[0].id)
    assert receipt.removed["facts"] == 1 and receipt.removed["mentions"] >= 2
    assert told(memory.entities.relations("Tom", predicate="lives_in")) == [
        ("Tom", "lives_in", "Hamburg", "2026-01-05", None)
    ]
    for name in ("Berlin", "Xanthippe Quux"):
        with pytest.raises(NotFound, match="not found"):
            memory.entities.get(name)
    assert memory.audit.absent("Xanthippe").absent
    # mining the same again brings nothing back
    memory.mine(said("Tom moved to Berlin, with Xanthippe Quux.", at="2026-03-05T10:00:00Z"), conversation="march")
    assert memory.audit.absent("Xanthippe").absent


def test_c4_an_unknown_name_brings_the_nearest_known_ones(memory: Memory) -> None:
    memory.mine(TOM[0], conversation="c")
    entities = memory.entities
    calls = (
        entities.get, entities.relations, entities.neighbors, entities.merged, entities.unmerge, memory.facts.list,
        memory.about, lambda name: entities.merge(name, "Tom"), lambda name: entities.change(name, name="Thomas"),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(NotFound, match=r"'Tum' not found: did you mean 'Tom'\?"):
            call("Tum")
        with pytest.raises(NotFound, match="list entities with"):
            call("Xqzt")


def test_c4_nobody_sees_the_entities_of_another(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="a"), background=False) as memory:
        memory.mine(TOM[0], conversation="c")
        tom = memory.entities.get("Tom")
    with Memory(settings=replace(settings, user="b"), background=False) as memory:
        assert memory.entities.list() == [] == memory.entities.relations()
        for call in (
            memory.entities.get,
            memory.entities.relations,
            memory.entities.unmerge,
            memory.entities.neighbors,
        ):
            with pytest.raises(NotFound):
                call(tom.id)


def test_c4_at_the_command_line(settings: Settings, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    with Memory(settings=settings, background=False) as memory:
        for number, turns in enumerate(TOM):
            memory.mine(turns, conversation=str(number))
    run = in_process(settings, monkeypatch, capsys)
    assert "Berlin  (place, " in run("entity", "list").out
    shown = run("entity", "show", "Tom", "--as-of", "2026-02-01", "--json").json
    assert "Hamburg" in {each["object"] for each in shown["relations"]}
    assert "2026-01-05 – 2026-03-05" in run("entity", "timeline", "Tom").out
    assert run("entity", "merge", "Tom", "Priya", "--json").json["name"] == "Tom"
    assert run("entity", "unmerge", "Tom").code == 0
    assert run("entity", "change", "Berlin", "--name", "Berlin-Mitte", "--json").json["aliases"] == ["Berlin"]
    assert "lives in Oslo" in run("entity", "relate", "Priya", "lives_in", "Oslo", "--kind", "place").out
    missing = run("entity", "show", "Nobody")
    assert missing.code == 3 and "list entities with `ricordo entity list`" in missing.err
    wrong = run("entity", "relate", "Priya", "!", "Oslo")
    assert wrong.code == 2 and "such as lives_in" in wrong.err


def test_c4_who_says_their_name_is_known_by_it(memory: Memory) -> None:
    reply = {"role": "assistant", "content": "Hello!", "at": "2026-01-05T10:01:00Z"}
    memory.mine([*said("My name is Ada and I live in Oslo."), reply], conversation="a")
    memory.mine(said("I met Ada for lunch.", name="Ben", at="2026-02-05T10:00:00Z"), conversation="b")
    [ada] = [each for each in memory.entities.list(kind="person") if "Ada" in (each.name, *each.aliases)]
    assert "lives_in" in {each.predicate for each in memory.entities.relations(ada.id)}


def test_c4_names_that_only_an_assistant_drops_are_no_entities_until_a_person_names_them(memory: Memory) -> None:
    tips = {
        "role": "assistant",
        "content": "Paintings by Frida Kahlo or a trip to Lisbon.",
        "at": "2026-01-05T10:01:00Z",
    }
    memory.mine([*said("What could I give my friend?"), tips], conversation="a")
    assert not {"Frida Kahlo", "Lisbon"} & {each.name for each in memory.entities.list()}
    memory.mine(said("My friend and I flew to Lisbon.", at="2026-02-05T10:00:00Z"), conversation="b")
    [lisbon] = memory.entities.list(search="lisbon")
    assert lisbon.mentions == 2


def test_c4_an_entity_goes_by_no_name_that_only_redacted_turns_told(memory: Memory) -> None:
    memory.mine(said("My brother Tom lives in Hamburg."), conversation="a")
    memory.mine(said("I met Priya Raman at the harbour.", "Priya Raman and I ate at noon."), conversation="b")
    memory.mine(said("My friend Kofi called."), conversation="c")
    memory.entities.change("Tom", alias="Tommy")
    memory.entities.merge("Priya Raman", "Kofi")
    assert memory.entities.get("Kofi").name == "Priya Raman"
    for drawer in [*memory.palace.show("W-1/R-1"), *memory.palace.show("W-2/R-2")]:
        memory.entries.redact(drawer.id)
    assert {each.name for each in memory.entities.list(kind="person")} >= {"Tommy", "Kofi"}
    assert not {"Tom", "Priya Raman"} & {name for each in memory.entities.list() for name in (each.name, *each.aliases)}


def test_c4_what_two_are_to_each_other_is_not_told_once_they_are_one(memory: Memory) -> None:
    memory.mine(said("My brother Tom lives in Hamburg."), conversation="a")
    memory.entities.merge("Tom", "user")
    assert [each.predicate for each in memory.entities.relations()] == ["lives_in"]
    memory.entities.unmerge("Tom")
    assert {each.predicate for each in memory.entities.relations()} == {"lives_in", "brother"}


def test_c4_now_is_now_where_ends_and_beginnings_are_still_to_come(memory: Memory) -> None:
    memory.mine(said("My brother Tom lives in Hamburg."), conversation="a")
    later = datetime.now(UTC) + timedelta(days=3)
    memory.entities.add_relation("Tom", "lives_in", "Oslo", object_kind="place", since=later)
    assert {each.name for each in memory.entities.neighbors("Tom")} >= {"Hamburg"}
    assert "Oslo" not in {each.name for each in memory.entities.neighbors("Tom")}
    assert "Oslo" in {each.name for each in memory.entities.neighbors("Tom", as_of=later + timedelta(days=1))}


def test_c4_a_search_for_signs_finds_no_names(memory: Memory) -> None:
    memory.mine(said("My brother Tom lives in Hamburg."), conversation="a")
    assert memory.entities.list(search="%") == []
    assert [each.name for each in memory.entities.list(search="tom")] == ["Tom"]


def test_c4_recall_finds_an_entity_by_each_of_its_names(memory: Memory) -> None:
    bird, trip, bike = "I adopted a grey parrot.", "We flew to New York City.", "My new city bike squeaks."
    turns = said(bird, name="Elizabeth") + said("My friend Elizabeth called.", trip, bike, name="Kofi")
    memory.mine(turns, conversation="group")
    assert memory.recall("NYC").results == ()
    memory.entities.change("Elizabeth", alias="Liz")
    memory.entities.change("New York City", alias="NYC")
    [first, *_] = memory.recall("Which bird did Liz adopt?")
    assert first.text.startswith(bird) and first.signals["speaker"] > 0
    [first, *_] = memory.recall("NYC")
    assert first.text.startswith(trip)
    memory.mine(said("Back to NYC soon.", name="Kofi", at="2026-01-06T10:00:00Z"), conversation="later")
    assert "Back to NYC " in {hit.text[:12] for hit in memory.recall("in New York City")}


def test_c4_who_talks_with_other_people_is_somebody_to_know(memory: Memory) -> None:
    chat = said("I adopted a grey parrot.", name="Elizabeth") + said("How lovely it is.", name="Kofi Mensah")
    chat += said("It talks.", name="Elizabeth") + said("No.", name="+44 20 7946 0001")
    memory.mine(chat, conversation="chat")
    people = memory.entities.list(kind="person")
    assert {each.name for each in people} == {"Elizabeth", "Kofi Mensah"}
    answer = {"role": "assistant", "content": "Well done.", "at": "2026-01-05T11:00:00Z"}
    memory.mine([*said("I swam a mile.", name="Ada"), answer], conversation="assistant")
    assert {each.name for each in memory.entities.list(kind="person")} == {"Elizabeth", "Kofi Mensah"}


@pytest.mark.parametrize(
    ("said", "shown", "other_names"),
    [
        (["EFOIL REBUILD", "EFOIL REBUILD", "Efoil Rebuild"], "Efoil Rebuild", ()),
        (["Efoil Rebuild", "EFOIL REBUILD", "EFOIL REBUILD"], "Efoil Rebuild", ()),
        (["Café Zentral", "Cafe Zentral", "Cafe Zentral"], "Café Zentral", ("Cafe Zentral",)),
        (["Cafe Zentral", "Cafe Zentral", "Café Zentral"], "Café Zentral", ("Cafe Zentral",)),
        (["LOFI", "LOFI", "Lofi"], "LOFI", ()),
    ],
)
def test_c4_an_entity_is_shown_in_its_best_spelling_whatever_came_first(
    memory: Memory, said: list[str], shown: str, other_names: tuple[str, ...]
) -> None:
    for number, name in enumerate(said):
        memory.mine([{"role": "user", "content": f"I work on the {name} project."}], conversation=str(number))
    [project] = [each for each in memory.entities.list() if each.kind == "project"]
    assert (project.name, project.aliases, project.mentions) == (shown, other_names, 3)


def test_c4_people_whose_names_are_alike_are_several(memory: Memory) -> None:
    for number, text in enumerate(
        ["I met Andrea.", "I met Andreas.", "My friend Marc called.", "My friend Marcs left."]
    ):
        memory.mine([{"role": "user", "content": text}], conversation=str(number))
    named = {each.name: each.aliases for each in memory.entities.list(kind="person")}
    assert named.keys() >= {"Andrea", "Andreas", "Marc"} and not any(named.values())
