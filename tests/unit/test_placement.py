"""Which wing a conversation goes to, where its rooms end, and what they are called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.mining.placement import closets_of, room_name, rooms_of, subject_of
from ricordo.palace import Subject, slug

CHAT = ["user", "assistant"]
NOON = datetime(2026, 4, 30, 12, tzinfo=UTC)


def placed(
    title: str | None = None,
    *,
    project: str | None = None,
    speakers: list[str] = CHAT,
    texts: list[str] | None = None,
    language: str = "en",
    own: list[str] | None = None,
) -> Subject:
    return subject_of(title, project, speakers, texts or ["Hello."], language, own or ["local"])


def test_a_project_comes_first() -> None:
    subject = placed("Battery talk", project="E-Foil", speakers=["Ada", "Ben"])
    assert subject == Subject("project", "E-Foil", "e-foil")
    for blank in ("", " \n"):
        assert placed("Battery talk", project=blank) == placed("Battery talk")


@pytest.mark.parametrize(
    ("speakers", "own", "name"),
    [
        (["Ada", "Ben"], ["ada"], "Ben"),
        (["Ada Lovelace", "Ben"], ["local", "Ada"], "Ben"),
        (["user", "Ben"], ["local"], "Ben"),
        (["Ada", "Ben"], ["local"], "Ada & Ben"),
        (["Ada", "Ben", "Ines"], ["Ada"], "Ben & Ines"),
        (["Ben", "Ada"], ["local"], "Ada & Ben"),
    ],
)
def test_people_who_talk_with_the_user_are_the_wing(speakers: list[str], own: list[str], name: str) -> None:
    subject = placed("Battery talk", speakers=speakers, own=own)
    assert (subject.kind, subject.name) == ("person", name)


def test_a_group_or_a_talk_with_an_assistant_has_a_topic() -> None:
    assert placed("Battery talk", speakers=["Ada", "Ben", "Ines"]).kind == "topic"
    assert placed("Battery talk", speakers=["Ada", "assistant"]).kind == "topic"
    assert placed("Battery talk", speakers=["Ada"]).kind == "topic"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Battery talk", "Battery"),
        ("Planning the trip to Lisbon", "Lisbon"),
        ("Help with pytest fixtures", "Pytest fixtures"),
        ("How do I fix my bike?", "Bike"),
        ("Question about taxes", "Taxes"),
        ("Dinner ideas for Friday", "Dinner"),
        ("Lisbon trip", "Lisbon"),
        ("Moving in two weeks", "Moving"),
        ("Flights to Lisbon, April", "Lisbon"),
        ("Tax 2025: the last gaps", "Tax"),
        ("A flat on Slottsskogsgatan", "Flat"),
        ("The wall behind the sink is wet", "Wall"),
        ("Receipts to JSON", "Receipts"),
        ("Ad for the plywood kayak", "Plywood kayak"),
        ("Weekly sync", "Sync"),
        ("Gespräch über den Garten", "Garten"),
        ("Umzug nach Hamburg", "Hamburg"),
        ("Rezept für Omas Torte", "Omas Torte"),
        ("New chat", "Mast"),
        ("Untitled", "Mast"),
        ("2026-03-01", "Mast"),
        (None, "Mast"),
    ],
)
def test_a_topic_is_what_the_title_is_about_or_else_the_talk(title: str | None, name: str) -> None:
    subject = placed(title, texts=["The mast is long.", "Is the mast of wood?"])
    assert (subject.kind, subject.name) == ("topic", name)


@pytest.mark.parametrize(
    ("title", "kind", "name"),
    [
        ("Dinner for Ines on Friday", "person", "Ines"),
        ("Theo's birthday", "person", "Theo"),
        ("Mum's eye operation", "person", "Mum"),
        ("Geburtstag von Oma", "person", "Oma"),
        ("Ines & Paul's wedding", "person", "Ines & Paul"),
        ("Trip to Florence", "topic", "Florence"),
        ("iphone backup", "topic", "iPhone"),
        ("iPhone screen is cracked", "topic", "iPhone"),
        ("Debugging the pdf worker", "topic", "PDF worker"),
        ("Fixing the PDF worker (part 2)", "topic", "PDF worker"),
        ("github actions: cache miss", "topic", "GitHub"),
        ("Japan packing list", "topic", "Japan"),
        ("Bug in the parser", "topic", "Parser"),
        ("Q3 OKR draft", "topic", "OKR"),
        ("Training for the marathon", "topic", "Marathon"),
        ("Moved, more or less", "topic", "Moving"),
    ],
)
def test_people_are_people_products_have_their_capitals_and_tasks_are_no_subject(
    title: str, kind: str, name: str
) -> None:
    subject = placed(title, texts=["The mast is long.", "Is the mast of wood?"])
    assert (subject.kind, subject.name) == (kind, name)


def test_one_subject_is_one_wing_however_its_titles_go_on() -> None:
    texts = ["We run Postgres in two regions.", "Is Postgres replicated?"]
    titles = ["Postgres upgrade to 16", "Upgrading Postgres", "Postgres: slow query", "Postgres backup window"]
    assert {placed(title, texts=texts).name for title in titles} == {"Postgres"}


def test_a_name_that_the_talk_knows_comes_first() -> None:
    texts = ["Is Tärna ready?", "No, Tärna needs a seal."]
    assert placed("Tärna flies properly", texts=texts).name == "Tärna"
    assert placed("Cells for Tärna: LiFePO4 or not", texts=texts).name == "Tärna"


def test_where_nothing_has_a_name_it_is_a_conversation() -> None:
    assert placed(None, texts=["hi", "ok"]) == Subject("topic", "Conversations", "conversations")


def at(*hours: float) -> list[datetime]:
    return [NOON + timedelta(hours=hour) for hour in hours]


def test_a_pause_of_more_than_eight_hours_ends_a_room() -> None:
    assert rooms_of(at(0, 8, 16.1, 17), None, 0) == [(range(2), False), (range(2, 4), False)]


def test_a_talk_goes_on_in_its_room_after_a_short_pause_only() -> None:
    assert rooms_of(at(1, 2), NOON, 5) == [(range(2), True)]
    assert rooms_of(at(9, 10), NOON, 5) == [(range(2), False)]
    assert rooms_of(at(1, 12), NOON, 5) == [(range(1), True), (range(1, 2), False)]


def test_a_full_room_is_ended() -> None:
    assert rooms_of([NOON] * 900, None, 0) == [
        (range(400), False),
        (range(400, 800), False),
        (range(800, 900), False),
    ]
    assert rooms_of([NOON] * 2, NOON, 399) == [(range(1), True), (range(1, 2), False)]
    assert rooms_of([NOON], NOON, 400) == [(range(1), False)]


@given(st.lists(st.integers(-40, 40), min_size=1, max_size=30), st.none() | st.integers(-40, 40), st.integers(0, 401))
def test_rooms_hold_every_turn_once_and_only_the_first_goes_on(
    hours: list[int], last: int | None, drawers: int
) -> None:
    before = None if last is None else NOON + timedelta(hours=last)
    parts = rooms_of(at(*hours), before, drawers)
    assert [index for part, _ in parts for index in part] == list(range(len(hours)))
    assert all(part for part, _ in parts)
    assert not any(goes_on for _, goes_on in parts[1:])
    assert before is not None or not parts[0][1]


def test_the_largest_closet_of_a_long_room_is_cut() -> None:
    begin = ["The gearbox leaks.", "Is it the gasket?", "The gasket is new.", "Then the oil pan."] * 3
    middle = ["Bread again: the crust burns.", "A steel lid helps bread.", "Which lid?", "The bread likes steel."] * 4
    end = ["The bread tins are here.", "Tins of steel?", "Bread tins with lids.", "Grease the tins."] * 4
    texts = [*begin, *middle, *end]
    found = closets_of(texts, ["Ada", "Ben"] * (len(texts) // 2), None)
    assert [index for _, part in found for index in part] == list(range(len(texts)))
    assert max(len(part) for _, part in found) <= len(texts) / 2
    assert len({slug(name) for name, _ in found}) == len(found)


@pytest.mark.parametrize(
    ("hour", "title", "name"),
    [
        (0, None, "2026-04-30 night session"),
        (5, None, "2026-04-30 morning session"),
        (12, None, "2026-04-30 afternoon session"),
        (17, "Battery talk", "2026-04-30 evening: Battery talk"),
        (22, "", "2026-04-30 night session"),
    ],
)
def test_a_room_is_named_by_its_time_and_title(hour: int, title: str | None, name: str) -> None:
    assert room_name(NOON.replace(hour=hour), title) == name


def test_closets_are_named_by_what_sets_them_apart() -> None:
    texts = ["The boat has a mast.", "A mast of carbon.", "The mast bends.", "A long mast for the boat."]
    texts += ["The boat has a cabin.", "A cabin with a stove.", "The cabin smells.", "A cabin for two in the boat."]
    found = closets_of(texts, ["user"] * 8, None)
    assert found == [("Mast", range(4)), ("Cabin", range(4, 8))]
    assert closets_of(["ok"], ["user"], None) == [("General", range(1))]
