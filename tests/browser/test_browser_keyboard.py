"""Every page by the keyboard alone: what can be done there is reached by Tab and done without a mouse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsers import Viewer, tab_to
from http_server import Server
from ricordo.blocking import Memory
from stores import connect

_TALK = "[2026-03-01, 10:00:00] Kim: The canoe is orange\n[2026-03-01, 10:01:00] Ben: And the mast is blue\n"


class Keys:
    """A person without a mouse at one tab."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def do(self, target: Locator, key: str = "Enter") -> None:
        """Go to a button or a link, and press it."""
        tab_to(self.page, target)
        self.press(key)

    def write(self, target: Locator, text: str) -> None:
        """Go to a field, and write into it in place of what it holds."""
        tab_to(self.page, target)
        self.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def open(self, name: str) -> None:
        """Go to a page by the navigation."""
        self.do(self.page.get_by_role("navigation").get_by_role("link", name=name))
        expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()

    def choose_from_menu(self, button: Locator, name: str) -> None:
        """Open a menu and take a line of it."""
        self.do(button)
        line = self.page.get_by_role("menuitem", name=name)
        line.wait_for()
        for _ in range(10):
            if line.evaluate("node => node === document.activeElement"):
                break
            self.press("ArrowDown")
        expect(line).to_be_focused()
        self.press("Enter")


@pytest.fixture
def keys(page: Page) -> Keys:
    return Keys(page)


@pytest.fixture
def owner(browser: Browser, served: Server) -> Iterator[Keys]:
    """Who signed in by the server's link."""
    assert served.sessions is not None
    viewer = Viewer(browser, served)
    page = viewer.context.new_page()
    page.goto(f"{served.url}/signin?token={served.sessions.link()}")
    page.get_by_role("navigation").wait_for()
    yield Keys(page)
    viewer.context.close()
    assert not viewer.faults, viewer.faults


def test_memory_is_searched_and_words_are_deleted(keys: Keys, served: Server) -> None:
    served.post(
        "/v1/conversations",
        {"conversation": "secret", "messages": [{"role": "user", "content": "The secret word is swordfish."}]},
    )
    page = keys.page
    keys.press("/")
    expect(page.get_by_label("Search your memory")).to_be_focused()
    page.keyboard.type("What is the secret word?")
    keys.press("Enter")
    line = page.get_by_role("article").filter(has_text="swordfish")
    keys.do(line.get_by_role("link", name="Open conversation"))
    turn = page.get_by_role("region", name="Conversation").locator("[aria-current=true]")
    keys.choose_from_menu(turn.get_by_role("button", name=re.compile("^Actions for")), "Redact")
    expect(page.get_by_role("dialog").get_by_label("Reason")).to_be_focused()
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(turn).to_contain_text("swordfish")
    keys.choose_from_menu(turn.get_by_role("button", name=re.compile("^Actions for")), "Redact")
    expect(page.get_by_role("dialog").get_by_label("Reason")).to_be_focused()
    page.keyboard.type("it was a secret")
    keys.press("Enter")
    receipt = page.get_by_role("dialog", name="Receipt")
    expect(receipt.get_by_role("button", name="Close").last).to_be_focused()
    keys.press("Enter")
    expect(turn).to_contain_text("This text was redacted.")


def test_slash_leads_to_the_search_field_and_the_arrows_walk_the_results(keys: Keys) -> None:
    page = keys.page
    keys.open("Runs")
    keys.press("/")
    field = page.get_by_label("Search your memory")
    expect(field).to_be_focused()
    expect(page.get_by_role("heading", name="Memory", level=1)).to_be_visible()
    page.keyboard.type("Which battery did we choose / order?")
    keys.press("Enter")
    results = page.get_by_role("region", name="Results").get_by_role("article")
    results.nth(1).wait_for()
    keys.press("ArrowDown")
    expect(results.nth(0)).to_be_focused()
    keys.press("ArrowDown")
    expect(results.nth(1)).to_be_focused()
    assert results.nth(1).evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    keys.press("End", "Home", "ArrowUp")
    expect(results.nth(0)).to_be_focused()
    keys.press("/")
    expect(field).to_be_focused()
    keys.press("ArrowDown", "Enter")
    expect(page.get_by_role("region", name="Conversation").locator("[aria-current=true]")).to_be_visible()


def test_memory_is_narrowed_by_wing_speaker_lines_and_time(keys: Keys) -> None:
    page = keys.page
    keys.open("Memory")
    keys.do(page.get_by_role("button", name="Filters"))
    page.get_by_role("slider", name="From").wait_for()
    wing = page.get_by_role("combobox", name="Wing")
    tab_to(page, wing)
    page.keyboard.type("Derek")
    page.get_by_role("option", name="Derek").wait_for()
    keys.press("ArrowDown", "Enter")
    expect(page).to_have_url(re.compile("wing=W-"))
    keys.write(page.get_by_role("combobox", name="Speaker"), "Derek")
    keys.press("Enter")
    expect(page).to_have_url(re.compile("speaker=Derek"))
    keys.do(page.get_by_role("radio", name="10"), "ArrowRight")
    expect(page).to_have_url(re.compile("lines=20"))
    page.wait_for_load_state("networkidle")
    keys.do(page.get_by_role("slider", name="From"), "ArrowRight")
    expect(page).to_have_url(re.compile("since=20"))
    keys.do(page.get_by_role("button", name="Clear dates"))
    expect(page).not_to_have_url(re.compile("since="))


def test_entities_are_merged_and_that_is_undone(keys: Keys, served: Server) -> None:
    page = keys.page
    keys.open("Entities")
    keys.write(page.get_by_label("Name"), "Karin")
    keys.do(page.get_by_role("region", name="All entities").get_by_role("link", name=re.compile("^Karin")))
    keys.choose_from_menu(page.get_by_role("button", name="Edit", exact=True), "Merge into another entity")
    form = page.get_by_role("dialog", name="Merge Karin into another entity")
    expect(form.get_by_role("combobox", name="Merge into")).to_be_focused()
    page.keyboard.type("Fati")
    page.get_by_role("option", name=re.compile("^Fatima")).wait_for()
    keys.press("ArrowDown", "Enter")
    keys.do(form.get_by_role("button", name="Merge"))
    expect(form).to_have_count(0)
    merged = page.get_by_role("region", name="Merged into this entity")
    expect(merged).to_contain_text("Karin")
    assert served.get("/v1/entities/Karin")["name"] == "Fatima"
    keys.do(merged.get_by_role("button", name="Undo the merge of Karin"))
    expect(merged).to_have_count(0)
    assert served.get("/v1/entities/Karin")["name"] == "Karin"


def test_an_entry_is_written_and_redacted_and_an_agent_deleted(keys: Keys, served: Server) -> None:
    page = keys.page
    keys.open("Agents")
    keys.do(page.get_by_role("button", name="New agent"))
    form = page.get_by_role("dialog", name="New agent")
    keys.write(form.get_by_role("textbox", name="Name"), "typist")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="typist", level=2)).to_be_visible()
    keys.do(page.get_by_role("button", name="Write an entry"))
    form = page.get_by_role("dialog", name="Write an entry")
    keys.write(form.get_by_role("textbox", name="What to remember"), "The door code is 4711.")
    keys.do(form.get_by_role("button", name="Write"))
    keys.do(page.get_by_role("button", name=re.compile("The door code is 4711")))
    drawer = page.get_by_role("dialog", name="Memory", exact=True)
    keys.do(drawer.get_by_role("button", name="Redact"))
    keys.write(page.get_by_role("dialog", name="Redact this memory?").get_by_role("textbox"), "it was a secret")
    keys.press("Enter")
    expect(page.get_by_role("dialog", name="Receipt").get_by_role("button", name="Close").last).to_be_focused()
    keys.press("Enter")
    expect(drawer.get_by_role("region", name="Text")).to_contain_text("[redacted]")
    keys.press("Escape")
    expect(drawer).to_have_count(0)
    keys.choose_from_menu(page.get_by_role("button", name="Actions for this agent"), "Delete")
    keys.do(page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True))
    expect(page.get_by_text("No agent selected")).to_be_visible()
    assert "typist" not in [each["name"] for each in served.get("/v1/agents")["items"]]


def test_proposals_are_accepted_taken_back_and_rejected(keys: Keys, served: Server) -> None:
    agent = served.post("/v1/agents", {"name": "proposer"})["id"]
    for text in ("Tests run before each release.", "Lunch is at noon."):
        for end in ("", "!"):
            served.post(f"/v1/agents/{agent}/journal", {"content": f"{text[:-1]}{end or '.'}"})
    page = keys.page
    keys.open("Agents")
    keys.do(page.get_by_role("link", name=re.compile("^proposer")))
    tab_to(page, page.get_by_role("tab", name="Memory"))
    for _ in range(6):
        if page.get_by_role("tab", name="Proposals").evaluate("node => node === document.activeElement"):
            break
        keys.press("ArrowRight")
    panel = page.get_by_role("tabpanel", name="Proposals")
    keys.do(panel.get_by_role("button", name="Find proposals"))
    tests = panel.get_by_role("group", name=re.compile("^Tests run"))
    keys.do(tests.get_by_role("button", name="Accept"))
    expect(tests.get_by_text("accepted", exact=True)).to_be_visible()
    keys.do(tests.get_by_role("button", name="Undo"))
    expect(tests.get_by_text("undone", exact=True)).to_be_visible()
    lunch = panel.get_by_role("group", name=re.compile("^Lunch"))
    keys.do(lunch.get_by_role("button", name="Reject"))
    expect(lunch.get_by_text("rejected", exact=True)).to_be_visible()


def test_a_run_is_chosen_of_those_of_an_agent(keys: Keys) -> None:
    page = keys.page
    keys.open("Runs")
    tab_to(page, page.get_by_role("combobox", name="Agent"))
    page.keyboard.type("coder")
    page.get_by_role("option", name="coder").wait_for()
    keys.press("ArrowDown", "Enter")
    keys.do(page.get_by_role("link", name=re.compile("coder.*completed", re.DOTALL)).first)
    expect(page.get_by_role("region", name="What it saw")).to_be_visible()


def test_activity_is_filtered_verified_tried_again_and_reviewed(keys: Keys, served: Server) -> None:
    page = keys.page
    with connect(served.settings) as owner:
        owner.execute(
            "UPDATE procrastinate_jobs SET status = 'failed' WHERE id = (SELECT min(id) FROM procrastinate_jobs "
            "WHERE status = 'todo' AND user_id = (SELECT user_id FROM users WHERE name = 'ada'))"
        )
    with Memory(settings=replace(served.settings, user="ada"), background=False) as ada:
        ada.settings.update(review="tools")
        ada.notes.create("The invoice is overdue", source="tool")
        ada.settings.update(review="nothing")
    keys.open("Activity")
    stream = page.get_by_role("region", name="Events")
    expect(stream).to_contain_text("Run canceled")
    tab_to(page, page.get_by_role("combobox", name="Event"))
    page.keyboard.type("Conversation stored")
    page.get_by_role("option", name="Conversation stored").wait_for()
    keys.press("ArrowDown", "Enter", "Escape")
    expect(stream).not_to_contain_text("Run canceled")
    for name, inside in (("Review queue", "Accept"), ("Access log", "Verify now")):
        _tab(keys, name)
        keys.do(page.get_by_role("button", name=inside))
    expect(page.get_by_text("The access log is intact")).to_be_visible()
    _tab(keys, "Jobs")
    work = page.get_by_role("region", name="Jobs")
    keys.do(work.get_by_role("button", name="Retry"))
    expect(work).not_to_contain_text("failed")


def _tab(keys: Keys, name: str) -> None:
    """Choose one of the page's tabs by the arrow keys."""
    wanted = keys.page.get_by_role("tab", name=name)
    tab_to(keys.page, keys.page.get_by_role("tab", selected=True))
    for _ in range(6):
        if wanted.evaluate("node => node === document.activeElement"):
            break
        keys.press("ArrowRight")
    expect(wanted).to_have_attribute("aria-selected", "true")


def test_costs_are_capped_and_priced(keys: Keys, served: Server) -> None:
    page = keys.page
    keys.open("Costs")
    prices = page.get_by_role("region", name="Custom prices")
    for label, text in (("Model", "a-model"), ("Input", "1"), ("Output", "2")):
        keys.write(prices.get_by_label(label, exact=True), text)
    keys.press("Enter")
    expect(prices.get_by_role("cell", name="a-model", exact=True)).to_be_visible()
    keys.write(page.get_by_label("Per month"), "5")
    keys.press("Enter")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def test_files_are_imported(keys: Keys) -> None:
    page = keys.page
    keys.open("Import")
    with page.expect_file_chooser() as chooser:
        keys.do(page.get_by_role("button", name="Choose files"))
    talk = {"name": "WhatsApp Chat with Kim.txt", "mimeType": "text/plain", "buffer": _TALK.encode()}
    chooser.value.set_files([talk])  # type: ignore[list-item]
    keys.do(page.get_by_role("region", name="Recognized conversations").get_by_role("button", name="Import"))
    done = page.get_by_role("region", name="Imported")
    expect(done).to_contain_text("Stored 2 turns of 1 conversation")
    keys.do(done.get_by_role("link", name="Open Memory"))
    expect(page.get_by_role("heading", name="Memory", level=1)).to_be_visible()


def test_a_key_is_made_and_revoked_and_everything_deleted(owner: Keys, served: Server) -> None:
    page = owner.page
    owner.open("Settings")
    owner.do(page.get_by_role("button", name="New key"))
    form = page.get_by_role("dialog", name="New key")
    expect(form.get_by_label("Name")).to_be_focused()
    page.keyboard.type("laptop")
    owner.press("Enter")
    token = page.get_by_label("Your new key").inner_text()
    owner.press("Escape")
    expect(form).to_be_visible()  # what is not shown again is not lost by a slip
    owner.do(page.get_by_role("button", name="I have copied it"))
    assert served.ask("GET", "/v1/user", token=token).json()["user"] == "local"
    owner.do(page.get_by_role("button", name="Revoke laptop"))
    owner.do(page.get_by_role("dialog").get_by_role("button", name="Revoke"))
    expect(page.get_by_text("revoked").filter(visible=True)).to_be_visible()
    assert served.ask("GET", "/v1/user", token=token).status_code == 401
    owner.do(page.get_by_role("button", name="Delete everything"))
    dialog = page.get_by_role("dialog")
    owner.write(dialog.get_by_label("Type local to confirm"), "local")
    owner.press("Enter")
    receipt = page.get_by_role("dialog", name="Receipt")
    expect(receipt.get_by_role("table", name="What was removed")).to_contain_text("users")
    expect(receipt.get_by_role("button", name="Close").last).to_be_focused()
    owner.press("Enter")
    expect(receipt).to_have_count(0)


def test_one_signs_out_and_in_again(keys: Keys, served: Server) -> None:
    page = keys.page
    keys.do(page.get_by_role("button", name="Sign out"))
    keys.write(page.get_by_label("API key", exact=True), served.token)
    keys.press("Enter")
    expect(page.get_by_role("navigation")).to_be_visible()
