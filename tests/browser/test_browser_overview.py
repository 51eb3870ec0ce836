"""The page Overview: what is stored, what came in lately, and what needs attention."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from browsers import Viewer, require_accessible
from http_server import Server, running
from llm_server import MODEL, serving
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect


@pytest.fixture
def overview(page: Page) -> Page:
    page.get_by_role("heading", name="Overview", level=1).wait_for()
    return page


@pytest.fixture
def eve(browser: Browser, served: Server) -> Iterator[Page]:
    """A user with a store of her own."""
    viewer = Viewer(browser, served.of("eve"))
    yield viewer.sign_in()
    viewer.context.close()
    assert not viewer.faults, viewer.faults


def test_the_overview_says_how_much_is_stored_and_what_came_in_last(overview: Page, served: Server) -> None:
    turns = [{"role": "user", "content": "The kettle is blue."}, {"role": "assistant", "content": "Noted."}]
    served.post("/v1/conversations", {"conversation": "k", "title": "Kettles", "messages": turns})
    overview.reload()
    told = served.get("/v1/overview")
    stored = overview.get_by_role("region", name="Stored")
    for name in ("conversations", "turns", "entities", "agents"):
        expect(stored).to_contain_text(re.compile(rf"{name}\s*{told[name]:,}", re.IGNORECASE))
    latest = overview.get_by_role("region", name="Latest conversations").get_by_role("listitem").first
    expect(latest).to_contain_text(re.compile("Kettles.*2 turns", re.DOTALL))
    expect(overview.get_by_role("region", name="Latest activity")).to_contain_text("“Kettles”, 2 turns")
    require_accessible(overview)
    latest.get_by_role("link", name="Kettles").click()
    expect(overview.get_by_role("region", name="Conversation")).to_contain_text("The kettle is blue.")


def test_the_overview_searches(overview: Page) -> None:
    overview.keyboard.press("/")
    expect(overview.get_by_label("Search your memory")).to_be_focused()
    overview.keyboard.type("Which battery did we choose in the end?")
    overview.keyboard.press("Enter")
    expect(overview.get_by_role("region", name="Results").get_by_role("article").first).to_be_visible()
    expect(overview.get_by_role("heading", name="Memory", level=1)).to_be_visible()


def test_the_overview_leads_to_what_needs_attention(eve: Page, served: Server) -> None:
    expect(eve.get_by_role("region", name="Welcome to Ricordo")).to_be_visible()
    with Memory(settings=replace(served.settings, user="eve"), background=False) as memory:
        memory.mine([{"role": "user", "content": "The canoe is orange."}], conversation="canoe")
        memory.settings.update(review="tools", enabled=False)
        memory.notes.create("The invoice is overdue", source="tool")
    with connect(served.settings) as owner:
        owner.execute(
            "UPDATE procrastinate_jobs SET status = 'failed' WHERE id = (SELECT min(id) FROM procrastinate_jobs "
            "WHERE status = 'todo' AND user_id = (SELECT user_id FROM users WHERE name = 'eve'))"
        )
    eve.reload()
    attention = eve.get_by_role("region", name="Needs attention")
    expect(attention).to_contain_text("Memory is off.")
    expect(attention).to_contain_text("1 job failed")
    expect(attention).to_contain_text("1 write is held for review.")
    expect(attention).to_contain_text("ricordo models install")
    require_accessible(eve)
    attention.get_by_role("link", name="Review").click()
    expect(eve.get_by_role("region", name="Review queue")).to_contain_text("The invoice is overdue")
    eve.go_back()
    attention.get_by_role("link", name="Show jobs").first.click()
    expect(eve.get_by_role("region", name="Jobs")).to_contain_text("failed")


def test_the_overview_offers_what_no_llm_has_read(browser: Browser, settings: Settings) -> None:
    stored = replace(settings, user="ada")
    with Memory(settings=stored, background=False) as memory:
        memory.mine([{"role": "user", "content": "The canoe is orange."}], conversation="canoe")
    with (
        serving(lambda _: '{"entities": [], "facts": []}') as endpoint,
        running(replace(stored, llm_url=endpoint.address, llm_model=MODEL)) as server,
    ):
        viewer = Viewer(browser, server)
        page = viewer.sign_in()
        attention = page.get_by_role("region", name="Needs attention")
        expect(attention).to_contain_text("The LLM has not read 1 turn in 1 conversation.")
        expect(attention).to_contain_text("At most 1 call, of unknown cost.")
        require_accessible(page)
        attention.get_by_role("button", name="Extract facts").click()
        expect(attention.get_by_role("button", name="Extract facts")).to_have_count(0)
        assert [each["kind"] for each in server.get("/v1/jobs")["items"]].count("extract") <= 1
        with Memory(settings=replace(stored, llm_url=endpoint.address, llm_model=MODEL), background=False) as memory:
            memory.jobs.finish()
            assert memory.facts.unread().turns == 0
        viewer.context.close()
        assert not viewer.faults, viewer.faults
