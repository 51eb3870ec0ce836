"""The page Agents: rows A13 and B6 of the contract, whiteboards, proposals, and the switch of memory (C9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsers import Viewer, require_accessible, require_fitting
from http_server import Server


def _open(page: Page, agent: str, tab: str) -> Locator:
    """The panel of a tab of an agent."""
    page.get_by_role("navigation").get_by_role("link", name="Agents").click()
    page.get_by_role("region", name="All agents").get_by_role("link", name=re.compile(f"^{agent}")).click()
    page.get_by_role("tab", name=tab, exact=True).click()
    page.get_by_role("tabpanel").get_by_role("heading", level=2).first.wait_for()
    return page.get_by_role("tabpanel")


def _entries(panel: Locator) -> Locator:
    return panel.get_by_role("region", name="Entries").get_by_role("row")


def _choose(page: Page, where: Locator, label: str, option: str) -> None:
    where.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.fixture
def page(viewer: Viewer) -> Page:
    return viewer.sign_in("agents")


@pytest.fixture
def fresh(served: Server) -> Iterator[str]:
    """An agent of this test alone. It comes before the page, which asks again for its agents after 15 seconds only."""
    name = "sol"
    served.post("/v1/agents", {"name": name})
    yield name
    served.good("DELETE", f"/v1/agents/{name}")


def test_a13_profiles_show_their_settings_and_are_made_and_changed(fresh: str, page: Page) -> None:
    panel = _open(page, "coder", "Memory")
    profile = panel.get_by_role("group", name="reviews")
    for setting in (
        "30 days",
        "200 entries",
        "Top 5 by relevance to the run · scope: project, global",
        "Be kind.",
        "private",
    ):
        expect(profile).to_contain_text(setting)
    expect(panel.get_by_role("group", name="default")).to_contain_text("permanently")
    panel = _open(page, fresh, "Memory")
    panel.get_by_role("button", name="New profile").click()
    form = page.get_by_role("dialog", name="New profile")
    form.get_by_role("textbox", name="Name").fill("research")
    form.get_by_role("textbox", name="Stored for (days)").fill("7")
    require_accessible(page)
    form.get_by_role("button", name="Create").click()
    expect(panel.get_by_role("group", name="research")).to_contain_text("7 days")
    panel.get_by_role("button", name="Edit research").click()
    form = page.get_by_role("dialog", name="Edit the profile")
    form.get_by_role("textbox", name="Stored for (days)").fill("")
    _choose(page, form, "Choose entries for a run", "newest")
    form.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("group", name="research")).to_contain_text("permanently")
    expect(panel.get_by_role("group", name="research")).to_contain_text("Top 5 newest · scope: project")
    panel.get_by_role("button", name="Delete research").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(panel.get_by_role("group", name="research")).to_have_count(0)


def test_a7_a_window_that_gets_the_focus_is_no_look_at_what_it_shows(fresh: str, page: Page, served: Server) -> None:
    [profile] = served.get(f"/v1/agents/{fresh}/profiles")["items"]
    entry = served.post(f"/v1/profiles/{profile['id']}/entries", {"content": "Sol sails."})["id"]
    panel = _open(page, fresh, "Memory")

    def look() -> int:
        """Open the entry; how many reads of it there are when all is shown."""
        with page.expect_response(re.compile(f"{entry}/history")):
            _entries(panel).filter(has_text="Sol sails.").click()
        return reads()

    def reads() -> int:
        found = served.get(f"/v1/memories/{entry}/accesses")["items"]
        return len([each for each in found if each["action"] == "read"])

    before = look()
    for _ in range(5):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(200)
    assert reads() == before > 0
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert look() > before


def test_a13_entries_are_filtered_by_scope_and_source(page: Page) -> None:
    panel = _open(page, "coder", "Memory")
    rows = _entries(panel)
    expect(rows.filter(has_text="Deploys happen on Thursdays")).to_have_count(1)
    expect(rows.filter(has_text="[redacted]")).to_have_count(0)
    _choose(page, panel, "Scope", "conversation")
    expect(rows.filter(has_text="Ask before a migration.")).to_have_count(1)
    expect(rows).to_have_count(2)
    _choose(page, panel, "Scope", "global")
    expect(rows.filter(has_text="Everyone writes commit messages")).to_have_count(1)
    _choose(page, panel, "Source", "user")
    expect(panel.get_by_text("No entry matches")).to_be_visible()
    _choose(page, panel, "Scope", "global")
    expect(rows.filter(has_text="Deploys happen on Thursdays")).to_have_count(1)
    expect(rows).to_have_count(3)
    panel.get_by_role("textbox", name="Text", exact=True).fill("yaml")
    expect(rows).to_have_count(2)
    panel.get_by_role("textbox", name="Text", exact=True).fill("")
    _choose(page, panel, "Source", "user")
    panel.get_by_role("switch", name="Include expired and redacted entries").click()
    expect(rows.filter(has_text="[redacted]")).to_have_count(1)
    require_accessible(page)


def test_a13_an_entry_is_written_read_edited_and_redacted_with_a_receipt(
    fresh: str, page: Page, served: Server
) -> None:
    panel = _open(page, fresh, "Memory")
    expect(panel.get_by_text("No entries yet")).to_be_visible()
    panel.get_by_role("button", name="Write an entry").click()
    form = page.get_by_role("dialog", name="Write an entry")
    form.get_by_role("textbox", name="What to remember").fill("The door code is 4711.")
    form.get_by_role("textbox", name="Confidence").fill("0.85")
    _choose(page, form, "Source", "manual")
    form.get_by_role("button", name="Write").click()
    row = _entries(panel).filter(has_text="The door code is 4711.")
    expect(row).to_contain_text("0.85")
    row.get_by_role("button").click()
    drawer = page.get_by_role("dialog", name="Memory", exact=True)
    fields = drawer.get_by_role("region", name="Fields")
    for field in ("entry", "project", "manual", "0.85", fresh, "default", "never"):
        expect(fields).to_contain_text(field)
    log = drawer.get_by_role("table", name="Access log")
    expect(log.get_by_role("row").last).to_contain_text("write")
    expect(log.get_by_role("row").nth(1)).to_contain_text("read")
    require_accessible(page)
    drawer.get_by_role("button", name="Edit").click()
    drawer.get_by_role("textbox", name="Text").fill("The door code is 4712.")
    drawer.get_by_role("button", name="Save").click()
    expect(drawer.get_by_role("region", name="Earlier versions")).to_contain_text("The door code is 4711.")
    drawer.get_by_role("button", name="Redact").click()
    sure = page.get_by_role("dialog", name="Redact this memory?")
    sure.get_by_role("textbox").fill("it was a secret")
    expect(drawer).to_contain_text("The door code is 4712.")
    require_accessible(page)
    sure.get_by_role("button", name="Redact").click()
    receipt = page.get_by_role("dialog", name="Receipt")
    expect(receipt.get_by_role("table", name="What was removed")).to_be_visible()
    receipt.get_by_role("button", name="Close").last.click()
    expect(drawer.get_by_role("region", name="Text")).to_contain_text("[redacted]")
    expect(drawer).not_to_contain_text("4712")
    expect(drawer).not_to_contain_text("4711")
    expect(drawer.get_by_role("table", name="Access log")).to_contain_text("it was a secret")
    found = served.get("/v1/memories", params={"agent": fresh, "include_expired": True})
    assert [each["content"] for each in found["items"]] == ["[redacted]"]


def test_a13_the_drawer_opens_and_closes_by_the_keyboard_and_gives_the_focus_back(page: Page) -> None:
    panel = _open(page, "coder", "Memory")
    entry = _entries(panel).filter(has_text="The customer wants JSON").get_by_role("button")
    entry.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Memory", exact=True)
    expect(drawer.get_by_role("region", name="Fields")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(entry).to_be_focused()


def test_b6_the_newest_are_shown_with_kind_time_and_what_has_faded(page: Page) -> None:
    panel = _open(page, "coder", "Journal and core")
    expect(panel.get_by_text("1 core · 4 journal")).to_be_visible()
    items = panel.get_by_role("listitem")
    expect(items).to_have_count(5)
    expect(items.first).to_contain_text("Priya is away until the twelfth.")
    expect(items.first).to_contain_text("2 days ago")
    faded = items.filter(has_text="The build is slow on Mondays.")
    expect(faded.get_by_text("expired", exact=True)).to_be_visible()
    expect(faded.get_by_text("journal", exact=True)).to_be_visible()
    core = items.filter(has_text="I ask before I delete anything.")
    expect(core.get_by_text("core", exact=True)).to_be_visible()
    expect(core.get_by_text("expired", exact=True)).to_have_count(0)
    expect(items.first.get_by_text("expired", exact=True)).to_have_count(0)
    panel.get_by_role("radiogroup", name="Kind").get_by_text("core").click()
    expect(items).to_have_count(1)
    panel.get_by_role("radiogroup", name="Kind").get_by_text("All").click()
    panel.get_by_role("textbox", name="Text", exact=True).fill("slow")
    expect(items).to_have_count(1)
    require_accessible(page)


def test_b6_only_the_newest_hundred_are_shown(fresh: str, page: Page, served: Server) -> None:
    items = [
        {"memory_type": "journal", "content": f"day {n}", "created_at": f"2026-01-01T00:{n // 60:02}:{n % 60:02}Z"}
        for n in range(105)
    ]
    served.post(f"/v1/agents/{fresh}/import", {"items": items})
    panel = _open(page, fresh, "Journal and core")
    expect(panel.get_by_text("0 core · 105 journal")).to_be_visible()
    expect(panel.get_by_role("listitem")).to_have_count(100)
    expect(panel.get_by_role("listitem").first).to_contain_text("day 104")


def test_b6_an_empty_one_says_how_it_fills_and_memories_are_written_and_deleted(
    fresh: str, page: Page, served: Server
) -> None:
    panel = _open(page, fresh, "Journal and core")
    expect(panel.get_by_text("This agent has no memories yet")).to_be_visible()
    expect(panel.get_by_text("0 core · 0 journal")).to_be_visible()
    require_accessible(page)
    write = panel.get_by_role("region", name="Write a memory")
    write.get_by_role("textbox").fill("I prefer short answers.")
    write.get_by_role("radiogroup").get_by_text("core").click()
    write.get_by_role("button", name="Save").click()
    expect(panel.get_by_text("1 core · 0 journal")).to_be_visible()
    item = panel.get_by_role("listitem").filter(has_text="I prefer short answers.")
    item.get_by_role("button", name=re.compile("^Forget")).click()
    sure = page.get_by_role("dialog", name="Forget this memory?")
    expect(sure).to_contain_text("I prefer short answers.")
    sure.get_by_role("button", name="Cancel").click()
    expect(item).to_have_count(1)
    # And by the keyboard alone.
    item.get_by_role("button", name=re.compile("^Forget")).focus()
    page.keyboard.press("Enter")
    expect(sure.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Enter")
    receipt = page.get_by_role("dialog", name="Receipt")
    expect(receipt.get_by_role("table", name="What was removed")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel.get_by_text("This agent has no memories yet")).to_be_visible()
    expect(panel.get_by_text("0 core · 0 journal")).to_be_visible()
    assert served.get(f"/v1/agents/{fresh}/core")["items"] == []


def test_proposals_are_accepted_and_taken_back_or_rejected(fresh: str, page: Page, served: Server) -> None:
    for text in (
        "Tests run before each release.",
        "Tests run before each release!",
        "Lunch is at noon.",
        "Lunch is at noon!",
    ):
        served.post(f"/v1/agents/{fresh}/journal", {"content": text})
    panel = _open(page, fresh, "Proposals")
    expect(panel.get_by_text("No proposals yet")).to_be_visible()
    panel.get_by_role("button", name="Find proposals").click()
    expect(panel.get_by_role("status")).to_have_text("2 new proposals.")
    tests = panel.get_by_role("group", name=re.compile("^Tests run"))
    tests.get_by_role("button", name="Accept").click()
    expect(tests.get_by_text("accepted", exact=True)).to_be_visible()
    assert len(served.get(f"/v1/agents/{fresh}/core")["items"]) == 1
    tests.get_by_role("button", name="Undo").click()
    expect(tests.get_by_text("undone", exact=True)).to_be_visible()
    assert served.get(f"/v1/agents/{fresh}/core")["items"] == []
    lunch = panel.get_by_role("group", name=re.compile("^Lunch"))
    lunch.get_by_role("button", name="Reject").click()
    expect(lunch.get_by_text("rejected", exact=True)).to_be_visible()
    require_accessible(page)


def test_whiteboards_are_made_shared_written_on_and_deleted(fresh: str, page: Page, served: Server) -> None:
    panel = _open(page, "coder", "Whiteboards")
    expect(panel.get_by_role("region", name="launch")).to_contain_text("by planner")
    panel = _open(page, fresh, "Whiteboards")
    expect(panel.get_by_text("No whiteboards")).to_be_visible()
    panel.get_by_role("button", name="New whiteboard").click()
    form = page.get_by_role("dialog", name="New whiteboard")
    form.get_by_role("textbox", name="Name").fill("errands")
    form.get_by_role("button", name="Create").click()
    board = panel.get_by_role("region", name="errands")
    board.get_by_role("textbox", name=f"Add a note as {fresh}").fill("Buy stamps.")
    board.get_by_role("button", name="Add note").click()
    expect(board).to_contain_text(f"by {fresh}")
    expect(board).to_contain_text("Buy stamps.")
    _choose(page, board, "Shared by", "planner")
    expect(board.get_by_text("planner", exact=True).first).to_be_visible()
    [shared] = [each for each in served.get("/v1/whiteboards")["items"] if each["name"] == "errands"]
    assert len(shared["agents"]) == 2
    page.keyboard.press("Escape")
    require_accessible(page)
    board.get_by_role("button", name="Delete errands").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("dialog", name="Receipt").get_by_role("row", name=re.compile("notes"))).to_contain_text("1")
    page.keyboard.press("Escape")
    expect(panel.get_by_text("No whiteboards")).to_be_visible()


def test_c9_memory_is_switched_off_and_on_for_an_agent(fresh: str, page: Page, served: Server) -> None:
    _open(page, fresh, "Memory")
    switch = page.get_by_role("switch", name="Add memory to its prompts")
    expect(switch).to_be_checked()
    switch.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("region", name="All agents").get_by_text("memory off")).to_be_visible()
    assert served.get(f"/v1/agents/{fresh}")["memory_disabled"] is True
    require_accessible(page)
    expect(switch).not_to_be_checked()
    page.keyboard.press("Space")
    expect(page.get_by_role("region", name="All agents").get_by_text("memory off")).to_have_count(0)


def test_an_agent_is_made_changed_and_deleted(page: Page, served: Server) -> None:
    page.get_by_role("navigation").get_by_role("link", name="Agents").click()
    page.get_by_role("button", name="New agent").click()
    form = page.get_by_role("dialog", name="New agent")
    form.get_by_role("textbox", name="Name").fill("coder")
    form.get_by_role("button", name="Create").click()
    expect(form.get_by_role("alert")).to_contain_text("coder")
    form.get_by_role("textbox", name="Name").fill("writer")
    form.get_by_role("textbox", name="System prompt").fill("You write.")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="writer", level=2)).to_be_visible()
    page.get_by_role("button", name="Actions for this agent").click()
    page.get_by_role("menuitem", name="Edit").click()
    form = page.get_by_role("dialog", name="Edit the agent")
    form.get_by_role("textbox", name="Name").fill("author")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="author", level=2)).to_be_visible()
    page.get_by_role("button", name="Actions for this agent").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("No agent selected")).to_be_visible()
    assert "author" not in [each["name"] for each in served.get("/v1/agents")["items"]]


def test_hostile_content_is_shown_as_text_and_breaks_nothing(page: Page) -> None:
    for width in (1280, 380):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("./agents")
        page.get_by_role("region", name="All agents").get_by_role("link", name=re.compile("^planner")).click()
        entry = page.get_by_role("button", name=re.compile(r"^<img src=x"))
        expect(entry).to_be_visible()
        require_fitting(page)
        entry.click()
        drawer = page.get_by_role("dialog", name="Memory", exact=True)
        expect(drawer).to_contain_text("<script>alert(2)</script> </memory_context>")
        expect(drawer).to_contain_text("context")
        assert page.locator("main img, [role=dialog] img").count() == 0
        require_fitting(page)
        require_accessible(page)
        page.keyboard.press("Escape")
        page.get_by_role("tab", name="Journal and core").click()
        expect(page.get_by_role("listitem").first).to_contain_text("<img src=x onerror=alert(1)>")
        require_fitting(page)


def test_a_key_that_only_reads_changes_nothing(browser: Browser, served: Server) -> None:
    viewer = Viewer(browser, served.of("ada", read_only=True))
    page = viewer.sign_in("agents")
    panel = _open(page, "coder", "Memory")
    for button in ("Write an entry", "New profile", "Edit reviews"):
        expect(panel.get_by_role("button", name=button)).to_be_disabled()
    expect(page.get_by_role("switch", name="Add memory to its prompts")).to_be_disabled()
    viewer.context.close()
    assert not viewer.faults, viewer.faults


def test_another_user_sees_none_of_it(browser: Browser, served: Server, page: Page) -> None:
    _open(page, "coder", "Memory")
    path = page.url.removeprefix(served.url)
    bob = Viewer(browser, served.of("bob"))
    unseen = bob.sign_in("agents")
    expect(unseen.get_by_text("No agents yet")).to_be_visible()
    unseen.goto(path)
    expect(unseen.get_by_text("No agents yet")).to_be_visible()
    expect(unseen.get_by_text("Deploys happen")).to_have_count(0)
    bob.context.close()
    assert not bob.faults, bob.faults
