"""What goes wrong while one works: no answer, a session that ends, slow answers, another tab."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsers import Viewer, require_accessible, require_fitting
from http_server import Server, running
from ricordo.blocking import Memory
from ricordo.settings import Settings

#: The most that a page may move what stands on it while it loads (Cumulative Layout Shift; 0.1 counts as good).
_MOST_MOVED = 0.1
_WATCH = """() => {
  window.moved = [];
  new PerformanceObserver(found => found.getEntries().forEach(each => window.moved.push([
    each.value, each.sources.map(({node}) => (node?.outerHTML ?? '').slice(0, 120))
  ]))).observe({type: 'layout-shift', buffered: true});
}"""


@pytest.mark.parametrize("width", [1280, 400])
def test_a_page_that_loads_slowly_does_not_jump(browser: Browser, served: Server, width: int) -> None:
    viewer = Viewer(browser, served, viewport={"width": width, "height": 860})
    page = viewer.sign_in()

    def slowly(route: Route) -> None:
        time.sleep(0.1)
        route.continue_()

    page.route("**/v1/**", slowly)
    for name in ("memory", "entities", "agents", "runs", "activity", "costs", "import", "settings"):
        page.goto(f"{served.url}/{name}")
        page.evaluate(_WATCH)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(200)
        moved = page.evaluate("() => window.moved")
        assert sum(value for value, _ in moved) <= _MOST_MOVED, (name, moved)
    viewer.context.close()


def test_what_is_not_answered_says_so_and_what_was_typed_stays(page: Page) -> None:
    page.get_by_role("navigation").get_by_role("link", name="Agents").click()
    page.get_by_role("button", name="New agent").click()
    form = page.get_by_role("dialog", name="New agent")
    form.get_by_label("Name").fill("persistent")
    page.route("**/v1/agents", lambda route: route.abort())
    form.get_by_role("button", name="Create").click()
    expect(form.get_by_role("alert")).to_contain_text("The server does not answer.")
    expect(form.get_by_label("Name")).to_have_value("persistent")
    page.unroute("**/v1/agents")
    form.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="persistent", level=2)).to_be_visible()


def test_a_session_that_ends_in_the_middle_keeps_what_was_typed_until_one_is_back(
    viewer: Viewer, served: Server
) -> None:
    with Memory(settings=replace(served.settings, user="ada"), background=False) as memory:
        made = memory.keys.create("ends in the middle")
        viewer.server = replace(served, token=made.token)
        page = viewer.sign_in()
        page.get_by_role("navigation").get_by_role("link", name="Agents").click()
        page.get_by_role("button", name="New agent").click()
        form = page.get_by_role("dialog", name="New agent")
        form.get_by_label("Name").fill("half typed")
        memory.keys.revoke(made.key.id)
        form.get_by_role("button", name="Create").click()
    again = page.get_by_role("dialog", name="Your session has ended")
    expect(again.get_by_label("API key", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    require_accessible(page)
    assert "half typed" not in [each["name"] for each in served.get("/v1/agents")["items"]]
    again.get_by_label("API key", exact=True).fill(served.token)
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    expect(form.get_by_label("Name")).to_have_value("half typed")
    form.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="half typed", level=2)).to_be_visible()


def test_a_question_that_is_half_typed_outlives_its_session_too(viewer: Viewer, served: Server) -> None:
    page = viewer.sign_in("memory")
    question = page.get_by_label("Search your memory")
    question.fill("Which batt")
    row = page.locator("[role=treeitem][aria-level='1']:not([aria-disabled])").first
    row.wait_for()
    viewer.context.clear_cookies()
    row.click()
    again = page.get_by_role("dialog", name="Your session has ended")
    again.get_by_label("API key", exact=True).fill(served.token)
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    expect(question).to_have_value("Which batt")
    expect(page.locator("[role=treeitem][aria-level='2']:not([aria-disabled])").first).to_be_visible()


def test_another_user_who_signs_in_where_a_session_ended_sees_nothing_of_it(viewer: Viewer, served: Server) -> None:
    page = viewer.sign_in("agents")
    page.get_by_role("link", name=re.compile("coder")).click()
    page.get_by_role("button", name="Write an entry").click()
    page.get_by_role("dialog").get_by_role("textbox", name="What to remember").fill("Ada's own words")
    viewer.context.clear_cookies()
    page.get_by_role("dialog").get_by_role("button", name="Write", exact=True).click()
    again = page.get_by_role("dialog", name="Your session has ended")
    again.get_by_label("API key", exact=True).fill(served.of("another").token)
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation").get_by_text("another", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("No agents yet")).to_be_visible()
    expect(page.get_by_text("coder")).to_have_count(0)


def test_a_tab_follows_another_one_that_signs_out_and_in_as_somebody_else(viewer: Viewer, served: Server) -> None:
    one = viewer.sign_in("agents")
    expect(one.get_by_role("link", name=re.compile("coder"))).to_be_visible()
    other = viewer.context.new_page()
    other.goto(served.url)
    other.get_by_role("button", name="Sign out").click()
    other.get_by_label("API key", exact=True).fill(served.of("another").token)
    other.keyboard.press("Enter")
    expect(other.get_by_role("navigation").get_by_text("another", exact=True)).to_be_visible()
    one.evaluate("() => document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
    expect(one.get_by_role("navigation").get_by_text("another", exact=True)).to_be_visible()
    expect(one.get_by_text("coder")).to_have_count(0)


def test_a_page_whose_script_does_not_come_says_so_and_the_others_go_on(browser: Browser, served: Server) -> None:
    viewer = Viewer(browser, served)
    page = viewer.sign_in()
    page.route("**/assets/CostsPage*", lambda route: route.abort())
    page.get_by_role("navigation").get_by_role("link", name="Costs").click()
    expect(page.get_by_role("alert")).to_contain_text("Part of this page could not be loaded.")
    page.get_by_role("navigation").get_by_role("link", name="Runs").click()
    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    page.unroute("**/assets/CostsPage*")
    page.get_by_role("navigation").get_by_role("link", name="Costs").click()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Costs", level=1)).to_be_visible()
    viewer.context.close()


def test_what_was_deleted_in_another_tab_is_told(viewer: Viewer, served: Server) -> None:
    agent = served.post("/v1/agents", {"name": "short-lived"})["id"]
    one = viewer.sign_in(f"agents/{agent}")
    expect(one.get_by_role("heading", name="short-lived", level=2)).to_be_visible()
    served.good("DELETE", f"/v1/agents/{agent}")
    one.get_by_role("button", name="Write an entry").click()
    form = one.get_by_role("dialog", name="Write an entry")
    form.get_by_role("textbox", name="What to remember").fill("Too late.")
    form.get_by_role("button", name="Write").click()
    expect(form.get_by_role("alert")).to_be_visible()
    one.reload()
    expect(one.get_by_role("main")).to_contain_text("not found")


def test_the_back_button_goes_through_what_was_looked_at(page: Page) -> None:
    page.goto("./memory")
    page.get_by_label("Search your memory").fill("battery")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Open conversation").first.click()
    conversation = page.get_by_role("region", name="Conversation")
    expect(conversation).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Runs").click()
    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    page.go_back()
    expect(conversation).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name="Results")).to_be_visible()
    expect(page.get_by_label("Search your memory")).to_have_value("battery")
    page.go_back()
    expect(page.get_by_text("Browse or search")).to_be_visible()
    expect(page.get_by_label("Search your memory")).to_have_value("")


def test_names_of_any_length_fit_a_narrow_window(browser: Browser, settings: Settings) -> None:
    name = "W" * 199
    with running(settings) as server:
        with Memory(settings=replace(settings, user="ada"), background=False) as memory:
            said = [{"role": "user", "name": name, "content": "The battery. " + "x" * 10_000}]
            memory.mine(said, conversation=name, title=name, project=name)
            agent = memory.agents.create(name)
            memory.entries.write(memory.profiles.list(name)[0].id, "e" * 5_000)
            memory.whiteboards.create(name, [name])
            memory.whiteboards.write(name, "b" * 900, agent=name)
            memory.entities.add_relation(name, "likes_" + "b" * 50, "O" * 190)
            memory.keys.create(name)
            with memory.run(name, "t" * 5_000) as run:
                pass
            entities = [f"entities/{each.id}" for each in memory.entities.list()]
        viewer = Viewer(browser, server.of("ada"), viewport={"width": 320, "height": 700})
        page = viewer.sign_in()
        paths = ["", "memory", f"memory?wing={name}", "memory?q=battery", "memory?q=battery&at=W-001%2FR-01%2FD-001"]
        paths += ["agents", f"agents/{agent.id}", "runs", f"runs/{run.id}", "activity", "settings", *entities]
        for path in paths:
            page.goto(f"./{path}")
            expect(page.locator("main")).to_contain_text(re.compile(r"\w"))
            page.wait_for_load_state("networkidle")
            require_fitting(page)
            for tab in page.get_by_role("tab").all():
                tab.click()
                page.wait_for_load_state("networkidle")
                require_fitting(page)
        page.goto("./memory")
        for level in (1, 2):
            page.locator(f'[role=treeitem][aria-level="{level}"]').first.click()
            page.wait_for_load_state("networkidle")
            require_fitting(page)
        viewer.context.close()
        assert not viewer.faults, viewer.faults


def test_a_double_click_sends_a_form_once(page: Page, served: Server) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.goto("./agents")
    page.get_by_role("button", name="New agent").click()
    window = page.get_by_role("dialog")
    window.get_by_label("Name").fill("twice")
    window.get_by_role("button", name="Create").dblclick()
    expect(window).to_have_count(0)
    with Memory(settings=replace(served.settings, user="ada"), background=False) as memory:
        agent = memory.agents.get("twice").id
    page.goto(f"./agents/{agent}")
    page.get_by_role("tab", name="Whiteboards").click()
    page.get_by_role("button", name="New whiteboard").click()
    window.get_by_label("Name").fill("twice")
    window.get_by_role("button", name="Create").dblclick()
    expect(window).to_have_count(0)
    page.get_by_role("tab", name="Journal and core").click()
    page.get_by_label("What to remember").fill("Said once.")
    page.get_by_role("button", name="Save").dblclick()
    expect(page.get_by_role("listitem").first).to_contain_text("Said once.")
    assert len(sent) == 3, sent
