"""The page Runs: what a run saw, word for word, why, and what it wrote or why that was dropped."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browsers import Viewer, require_accessible
from http_server import Server


@pytest.fixture
def runs(viewer: Viewer) -> Page:
    page = viewer.sign_in("runs")
    page.get_by_role("region", name="Newest runs").wait_for()
    return page


def _open(runs: Page, status: str, nth: int = 0) -> Locator:
    runs.get_by_role("link", name=re.compile(f"coder.*{status}", re.DOTALL)).nth(nth).click()
    runs.get_by_role("region", name="What it wrote").wait_for()
    return runs.get_by_role("region", name="What it wrote")


def test_a_run_shows_what_it_saw_and_why_and_what_it_wrote(runs: Page) -> None:
    wrote = _open(runs, "completed", 1)
    saw = runs.get_by_role("region", name="What it saw")
    expect(saw).to_contain_text("## Context Memory")
    expect(saw).to_contain_text("- [0.92] Deploys happen on Thursdays, never on Fridays.")
    expect(saw).to_contain_text("Plan the release of the invoice service.\nSay which day, and who must be told.")
    why = runs.get_by_role("region", name="Why these memories")
    expect(why).to_contain_text("highest confidence")
    expect(why).to_contain_text("confidence 0.92")
    expect(wrote).to_contain_text("Release 7 went out with the new invoice format.")
    require_accessible(runs)


def test_e5_a_run_shows_what_a_memory_said_then_and_what_chose_it(page: Page, served: Server) -> None:
    served.post("/v1/agents", {"name": "iris"})
    [profile] = served.get("/v1/agents/iris/profiles")["items"]
    entry = served.post(f"/v1/profiles/{profile['id']}/entries", {"content": "The mast is red.", "confidence": 0.7})[
        "id"
    ]
    run = served.post("/v1/agents/iris/runs", {"template": "Paint the mast."})["id"]
    found = served.post("/v1/recall", {"question": "When do we release?", "run": run, "top_k": 1})["results"]
    served.good("PATCH", f"/v1/memories/{entry}", {"content": "The mast is blue."})
    page.goto(f"{served.url}/runs/{run}")
    why = page.get_by_role("region", name="Why these memories")
    for text in (
        "highest confidence",
        "The mast is red.",
        "confidence 0.70",
        "Recalled from the palace",
        found[0]["text"],
    ):
        expect(why).to_contain_text(text)
    expect(why).to_contain_text(re.compile(r"turn · \w[\w ]* \d\.\d\d"))
    expect(page.get_by_text("The mast is blue.")).to_have_count(0)
    require_accessible(page)


def test_a_run_shows_why_its_writes_were_dropped(runs: Page) -> None:
    expect(_open(runs, "failed")).to_contain_text("the monitoring did not answer")
    wrote = _open(runs, "completed")
    expect(wrote).to_contain_text("node review, write 2")
    require_accessible(runs)


def test_runs_are_narrowed_to_an_agent_and_open_by_their_address(runs: Page) -> None:
    runs.get_by_role("combobox", name="Agent").click()
    runs.get_by_role("option", name="planner").click()
    expect(runs.get_by_role("link", name=re.compile("coder"))).to_have_count(0)
    runs.get_by_role("link", name=re.compile("planner.*canceled", re.DOTALL)).click()
    expect(runs.get_by_role("region", name="What it wrote")).to_contain_text("no memories")
    runs.reload()
    expect(runs.get_by_role("heading", name="planner", level=2)).to_be_visible()


def test_a_narrow_window_shows_the_list_or_the_run(runs: Page) -> None:
    runs.set_viewport_size({"width": 380, "height": 800})
    runs.get_by_role("link", name=re.compile("coder")).first.click()
    expect(runs.get_by_role("region", name="Newest runs")).to_be_hidden()
    runs.get_by_role("link", name="Back to the list").click()
    expect(runs.get_by_role("region", name="Newest runs")).to_be_visible()
