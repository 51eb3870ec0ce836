"""The page Entities (C4 and C10): who and what, the graph as of a moment, timelines with their sources, and merging."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsers import Viewer, require_accessible, require_fitting
from filled import HOSTILE
from http_server import Server


@pytest.fixture
def entities(viewer: Viewer) -> Page:
    page = viewer.sign_in("entities")
    page.get_by_role("region", name="All entities").wait_for()
    return page


def _open(page: Page, name: str) -> Locator:
    """The section Timeline of an entity."""
    page.get_by_role("searchbox", name="Name").fill(name)
    page.get_by_role("region", name="All entities").get_by_role("link", name=re.compile(rf"^{name}\b")).first.click()
    expect(page.get_by_role("heading", name=name, level=2, exact=True)).to_be_visible()
    return page.get_by_role("region", name="Timeline")


def _move(page: Page, to: str) -> datetime:
    """Move the slider by the keyboard to the first moment of a year; returns the moment."""
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(240):
        said = slider.get_attribute("aria-valuetext") or ""
        if to in said:
            return datetime.strptime(said, "%d %b %Y").replace(tzinfo=UTC, hour=12)
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the slider never came to {to}")


def _held(page: Page) -> set[tuple[str, ...]]:
    rows = page.get_by_role("table", name="True at this date").get_by_role("row").all()[1:]
    return {tuple(row.get_by_role("cell").all_text_contents()[:3]) for row in rows}


def test_entities_are_narrowed_by_kind_and_text(entities: Page) -> None:
    listed = entities.get_by_role("region", name="All entities")
    expect(listed.get_by_role("link", name=re.compile("^Mara"))).to_be_visible()
    entities.get_by_role("combobox", name="Kind").click()
    entities.get_by_role("option", name="organization", exact=True).click()
    expect(listed.get_by_role("link", name=re.compile("^Mara"))).to_have_count(0)
    expect(listed.get_by_role("link", name=re.compile("^Nordlicht"))).to_be_visible()
    entities.get_by_role("searchbox", name="Name").fill("nobody of this name")
    expect(listed.get_by_text("No entity matches")).to_be_visible()
    require_accessible(entities)


def test_the_graph_moves_with_the_time_as_the_list_and_the_server_do(entities: Page, served: Server) -> None:
    _open(entities, "Derek")
    expect(entities.get_by_role("link", name="Lisbon, place")).to_be_visible()
    assert {("Derek", "lives in", "Lisbon"), ("Derek", "owns", "efoil")} <= _held(entities)
    lines = entities.get_by_role("group", name="Graph of relations").locator("g > g")
    now = lines.count()
    moment = _move(entities, "2024")
    for year in ("2024", "2025"):
        moment = _move(entities, year)
        said = served.get("/v1/relations", params={"entity": "Derek", "as_of": moment.isoformat()})["items"]
        expected = {(each["subject"], each["predicate"].replace("_", " "), each["object"]) for each in said}
        assert _held(entities) == expected, year
    assert ("Derek", "lives in", "Hamburg") in _held(entities)
    expect(lines).not_to_have_count(now)
    expect(
        entities.get_by_role("region", name="Related entities").get_by_role("link", name=re.compile("Hamburg"))
    ).to_be_visible()
    entities.get_by_role("button", name="Now", exact=True).click()
    expect(
        entities.get_by_role("region", name="Related entities").get_by_role("link", name=re.compile("Lisbon"))
    ).to_be_visible()
    require_accessible(entities)
    require_fitting(entities)


def test_the_graph_is_walked_by_the_keyboard(entities: Page) -> None:
    entities.get_by_role("link", name="Graph of all relations").click()
    node = entities.get_by_role("group", name="Graph of relations").get_by_role("link", name="Nordlicht, organization")
    node.focus()
    entities.keyboard.press("Enter")
    expect(entities.get_by_role("heading", name="Nordlicht", level=2)).to_be_visible()
    entities.reload()
    expect(entities.get_by_role("heading", name="Nordlicht", level=2)).to_be_visible()


def test_c10_a_timeline_tells_what_held_ended_was_replaced_and_contradicted(entities: Page) -> None:
    timeline = _open(entities, "Derek")
    for said in (
        "lives in Hamburg replaced 1 Feb 2024 to 15 Jun 2025",
        "lives in Lisbon current 15 Jun 2025 to now",
        "works at Nordlicht ended 10 Jan 2024 to 1 Dec 2025",
    ):
        expect(timeline.get_by_role("button", name=said, exact=True)).to_be_visible()
    timeline = _open(entities, "Tom")
    bremen = timeline.get_by_role("button", name=re.compile("^lives in Bremen contradicted"))
    expect(bremen).to_be_visible()
    expect(timeline.get_by_role("button", name=re.compile("^lives in Munich contradicted"))).to_be_visible()
    require_accessible(entities)
    bremen.focus()
    entities.keyboard.press("Enter")
    source = entities.get_by_role("dialog", name="Source")
    expect(source).to_contain_text("My brother Tom lives in Bremen.")
    expect(source).to_contain_text("Contradicted by")
    expect(source).to_contain_text("Tom lives in Munich")
    expect(source).to_contain_text("§ W-")
    require_accessible(entities)
    entities.keyboard.press("Escape")
    expect(bremen).to_be_focused()


def test_an_entity_is_renamed_and_called_otherwise_too(entities: Page, served: Server) -> None:
    _open(entities, "Gunnar")
    entities.get_by_role("button", name="Edit", exact=True).click()
    entities.get_by_role("menuitem", name="Add another name").click()
    form = entities.get_by_role("dialog", name="Add another name")
    form.get_by_role("textbox", name="Other name").fill("Mara")
    form.get_by_role("button", name="Add").click()
    expect(form.get_by_role("alert")).to_contain_text("merge the two entities instead")
    form.get_by_role("textbox", name="Other name").fill("Gunni")
    form.get_by_role("button", name="Add").click()
    expect(entities.get_by_role("region", name="Gunnar")).to_contain_text("Gunni")
    entities.get_by_role("button", name="Edit", exact=True).click()
    entities.get_by_role("menuitem", name="Rename").click()
    form = entities.get_by_role("dialog", name="Rename")
    form.get_by_role("textbox", name="Name").fill("Gunnar Ek")
    form.get_by_role("button", name="Save").click()
    expect(entities.get_by_role("heading", name="Gunnar Ek", level=2)).to_be_visible()
    assert served.get("/v1/entities/Gunni")["name"] == "Gunnar Ek"


def test_two_are_merged_and_that_is_undone(entities: Page, served: Server) -> None:
    _open(entities, "Karin")
    entities.get_by_role("button", name="Edit", exact=True).click()
    entities.get_by_role("menuitem", name="Merge into another entity").click()
    form = entities.get_by_role("dialog", name="Merge Karin into another entity")
    into = form.get_by_role("combobox", name="Merge into")
    into.fill("Fati")
    entities.get_by_role("option", name=re.compile("^Fatima")).click()
    form.get_by_role("button", name="Merge").click()
    expect(entities.get_by_role("heading", name="Fatima", level=2, exact=True)).to_be_visible()
    merged = entities.get_by_role("region", name="Merged into this entity")
    expect(merged).to_contain_text("Karin")
    expect(merged).to_contain_text("by you")
    assert served.get("/v1/entities/Karin")["name"] == "Fatima"
    require_accessible(entities)
    merged.get_by_role("button", name="Undo the merge of Karin").click()
    expect(merged).to_have_count(0)
    assert served.get("/v1/entities/Karin")["name"] == "Karin"


def test_hostile_names_are_shown_as_text_and_the_graph_stays_inside(entities: Page, served: Server) -> None:
    [hostile] = [
        each
        for each in served.get("/v1/entities", params={"limit": 1000})["items"]
        if each["name"] == HOSTILE[:150].strip()
    ]
    for width in (1280, 380):
        entities.set_viewport_size({"width": width, "height": 800})
        for path in (f"./entities/{quote(hostile['id'])}", "./entities/all"):
            entities.goto(path)
            entities.get_by_role("group", name="Graph of relations").wait_for()
            require_fitting(entities)
            require_accessible(entities)
            assert entities.locator("main img").count() == 0
        graph = entities.get_by_role("group", name="Graph of relations").bounding_box()
        assert graph is not None and graph["x"] >= 0 and graph["x"] + graph["width"] <= width


def test_a_key_that_only_reads_changes_no_entity(browser: Browser, served: Server) -> None:
    viewer = Viewer(browser, served.of("ada", read_only=True))
    page = viewer.sign_in("entities")
    _open(page, "Derek")
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_disabled()
    viewer.context.close()
    assert not viewer.faults, viewer.faults


def test_another_user_sees_no_entity_of_it(browser: Browser, served: Server, entities: Page) -> None:
    _open(entities, "Derek")
    path = entities.url.removeprefix(served.url)
    bob = Viewer(browser, served.of("bob"))
    unseen = bob.sign_in("entities")
    expect(unseen.get_by_text("No entities yet")).to_be_visible()
    expect(unseen.get_by_text("No relations yet")).to_be_visible()
    unseen.goto(path)
    expect(unseen.get_by_role("alert")).to_contain_text("not found")
    bob.context.close()
    assert not bob.faults, bob.faults


def test_about_me_shows_what_is_true_now_and_takes_corrections(page: Page, served: Server) -> None:
    told = {"role": "user", "content": "My dentist is Dr Quill.", "at": "2026-03-01T12:00:00Z"}
    served.post("/v1/conversations", {"conversation": "about-me", "messages": [told]})
    page.get_by_role("navigation").get_by_role("link", name="Entities").click()
    page.get_by_role("region", name="All entities").get_by_role("link", name="About me").click()
    about = page.get_by_role("region", name="About", exact=True)
    health = about.get_by_role("region", name="Health, diet and sport")
    expect(health.get_by_text("dentist: Dr Quill")).to_be_visible()
    health.get_by_role("button", name="Change “dentist: Dr Quill”").click()
    page.get_by_role("menuitem", name="Correct").click()
    page.get_by_role("textbox", name="dentist").fill("Dr Quell")
    page.get_by_role("dialog").get_by_role("button", name="Correct").click()
    corrected = health.get_by_role("listitem").filter(has_text="dentist: Dr Quell")
    expect(corrected.get_by_text("confirmed")).to_be_visible()
    require_accessible(page)
    require_fitting(page)
    corrected.get_by_role("button", name="Change “dentist: Dr Quell”").click()
    page.get_by_role("menuitem", name="Reject").click()
    expect(corrected).to_have_count(0)


@pytest.mark.parametrize("width", [1360, 390])
def test_an_entity_chosen_at_the_end_of_the_list_is_in_sight(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto("./entities")
    listed = page.get_by_role("region", name="All entities")
    listed.get_by_role("link", name=re.compile("^Mara")).wait_for()
    last = listed.get_by_role("link").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    last.click()
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()
    expect(page.get_by_role("heading", level=2).first).to_be_in_viewport()
    if width == 1360:
        expect(last).to_be_in_viewport()
