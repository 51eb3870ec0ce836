"""What stands around every page: signing in and out, navigation, colours, the paths, and what the server sends."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from browsers import Viewer, require_accessible, require_accessible_in_each_scheme, require_fitting
from http_server import Server, running
from ricordo.blocking import Memory
from stores import settings_for

PAGES = ("Overview", "Memory", "Entities", "Agents", "Runs", "Activity", "Costs", "Import", "Settings")
#: The most bytes of script that the first page loads, as they are sent.
_BUDGET = 250 * 1024


@pytest.fixture(scope="module")
def prefixed(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home), prefix="/somewhere/else") as server:
        yield server


@pytest.mark.parametrize("width", [1280, 360])
def test_every_page_is_accessible_and_fits(browser: Browser, served: Server, width: int) -> None:
    viewer = Viewer(browser, served, viewport={"width": width, "height": 800}, color_scheme="light")
    page = viewer.sign_in()
    for name in PAGES:
        if width < 700:
            page.get_by_role("button", name="Menu").click()
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name, level=1).wait_for()
        page.wait_for_load_state("networkidle")
        if width < 700:
            require_accessible(page)  # colors are the same at every width
        else:
            require_accessible_in_each_scheme(page)
        require_fitting(page)
    viewer.context.close()
    assert not viewer.faults, viewer.faults


#: What opens over a page: its path, and what is pressed one after the other.
_OPENED = {
    "menu of a turn": ("memory?q=battery", [("link", "Open conversation"), ("button", "^Actions for")]),
    "menu of an agent": ("agents", [("link", "coder"), ("button", "Actions for")]),
    "memory": ("agents", [("link", "coder"), ("button", "^Deploys happen")]),
    "profile": ("agents", [("link", "coder"), ("button", "New profile")]),
    "choice of an entity": ("entities", [("link", "^Derek"), ("button", "^Edit$"), ("menuitem", "Merge")]),
    "source of a relation": ("entities", [("link", "^Derek"), ("button", "^lives in Lisbon")]),
    "theme": ("runs", [("button", "^Theme")]),
    "choice of an agent": ("runs", [("combobox", "Agent")]),
    "deletion": ("settings", [("button", "^Delete everything")]),
}
_OPEN = "[role=dialog], [role=menu], [role=listbox]"


def test_what_opens_over_a_page_is_accessible(browser: Browser, served: Server) -> None:
    viewer = Viewer(browser, served, viewport={"width": 1280, "height": 800}, color_scheme="light")
    page = viewer.sign_in()
    for name, (path, presses) in _OPENED.items():
        page.goto(f"{served.url}/{path}")
        for role, text in presses:
            page.get_by_role(role, name=re.compile(text)).first.click()  # type: ignore[arg-type]
        page.locator(_OPEN).filter(visible=True).first.wait_for()
        page.wait_for_load_state("networkidle")
        try:
            require_accessible_in_each_scheme(page, _OPEN)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    viewer.context.close()
    assert not viewer.faults, viewer.faults


def test_the_sign_in_form_takes_a_key_and_keeps_it_from_scripts(viewer: Viewer) -> None:
    page = viewer.context.new_page()
    page.goto(viewer.server.url)
    require_accessible(page)
    page.get_by_label("API key", exact=True).fill("rk_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("was not accepted")).to_be_visible()
    page.get_by_label("API key", exact=True).fill(viewer.server.token)
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation")).to_be_visible()
    kept = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert viewer.server.token not in kept and "ricordo_session" not in kept
    [cookie] = viewer.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert viewer.server.token not in cookie["value"]
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("API key", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("API key", exact=True)).to_be_visible()


def test_the_link_signs_in_once(viewer: Viewer) -> None:
    assert viewer.server.sessions is not None
    link = f"{viewer.server.url}/signin?token={viewer.server.sessions.link()}"
    page = viewer.context.new_page()
    page.goto(link)
    expect(page.get_by_role("navigation")).to_be_visible()
    other = viewer.context.browser.new_context().new_page()  # type: ignore[union-attr]
    other.goto(link)
    assert "already used" in other.content()
    other.context.close()


def test_a_session_ends_with_its_key(viewer: Viewer, served: Server) -> None:
    with Memory(settings=replace(served.settings, user="ada"), background=False) as memory:
        made = memory.keys.create("to be revoked")
        viewer.server = replace(served, token=made.token)
        page = viewer.sign_in()
        memory.keys.revoke(made.key.id)
    page.reload()
    expect(page.get_by_label("API key", exact=True)).to_be_visible()


def test_another_sites_page_neither_signs_in_nor_changes_anything(served: Server) -> None:
    answer = served.ask("POST", "/signin", {"key": served.token}, token="", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403 and "set-cookie" not in answer.headers
    answer = served.ask("POST", "/signin", {"key": served.token}, token="", headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    own = served.ask("POST", "/signin", {"key": served.token}, token="", headers={"Origin": served.url})
    assert own.status_code == 200
    [session] = own.cookies
    cookie = {"Cookie": f"{session.name}={session.value}"}
    for origin, status in ((served.url, 201), ("https://evil.example", 403)):
        answer = served.ask("POST", "/v1/notes", {"content": "x"}, token="", headers={**cookie, "Origin": origin})
        assert answer.status_code == status


def test_an_agents_key_does_not_open_the_page(served: Server) -> None:
    token = served.key("ada", agent="coder")
    answer = served.ask("POST", "/signin", {"key": token}, token="", headers={"Origin": served.url})
    assert answer.status_code == 403 and "agent" in answer.json()["detail"]


def test_two_users_in_two_browsers_see_nothing_of_each_other(browser: Browser, served: Server) -> None:
    ada, bob = Viewer(browser, served), Viewer(browser, served.of("bob"))
    seen = ada.sign_in()
    seen.get_by_role("navigation").get_by_role("link", name="Runs").click()
    expect(seen.get_by_role("link", name=re.compile("coder")).first).to_be_visible()
    unseen = bob.sign_in()
    unseen.get_by_role("navigation").get_by_role("link", name="Runs").click()
    expect(unseen.get_by_text("No runs yet")).to_be_visible()
    for each in (ada, bob):
        each.context.close()
        assert not each.faults, each.faults


def test_two_servers_on_one_host_leave_each_others_browsers_signed_in(
    browser: Browser, served: Server, prefixed: Server
) -> None:
    viewer = Viewer(browser, served)
    page = viewer.sign_in()
    viewer.server = replace(prefixed, url=f"{prefixed.url}/somewhere/else")
    other = viewer.sign_in()
    page.reload()
    expect(page.get_by_role("navigation")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("API key", exact=True)).to_be_visible()
    other.reload()
    expect(other.get_by_role("navigation")).to_be_visible()
    viewer.context.close()


def test_a_path_that_is_no_pages_says_so_and_leads_back(page: Page) -> None:
    page.goto("/no/such/page")
    expect(page.get_by_text("Page not found")).to_be_visible()


def test_the_page_works_under_a_path_whether_a_proxy_takes_it_off_or_not(browser: Browser, prefixed: Server) -> None:
    for path in ("/somewhere/else/", "/somewhere/else"):
        body = requests.get(prefixed.url + path, timeout=300).text
        assert '<base href="/somewhere/else/"' in body
    assert requests.get(f"{prefixed.url}/", timeout=300).text.count("/somewhere/else/") == 1
    assert requests.get(f"{prefixed.url}/healthz", timeout=300).ok
    viewer = Viewer(browser, prefixed)
    page = viewer.context.new_page()
    page.goto(f"{prefixed.url}/somewhere/else/")
    page.get_by_label("API key", exact=True).fill(prefixed.token)
    page.keyboard.press("Enter")
    page.get_by_role("navigation").get_by_role("link", name="Runs").click()
    expect(page).to_have_url(f"{prefixed.url}/somewhere/else/runs")
    page.reload()
    expect(page.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    assert viewer.context.cookies()[0]["path"] == "/somewhere/else/"
    viewer.context.close()
    assert not viewer.faults, viewer.faults


def test_colours_follow_the_choice(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Theme")).click()
    page.get_by_role("menuitem", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_the_keyboard_reaches_the_content_and_every_page(page: Page) -> None:
    page.locator("body").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    for name in PAGES:
        page.get_by_role("navigation").get_by_role("link", name=name).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def test_what_is_served_allows_no_other_host_and_no_script_in_the_page(served: Server) -> None:
    answer = requests.get(served.url, timeout=300)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self';" in policy and "unsafe" not in policy
    assert "http" not in policy and "frame-ancestors 'none'" in policy
    assert answer.headers["Cache-Control"] == "no-store"
    assert requests.get(served.url, timeout=300).headers["Content-Security-Policy"] != policy, "a nonce is used once"
    script = re.search(r'src="\./(assets/[^"]+\.js)"', answer.text)
    assert script is not None
    sent = requests.get(f"{served.url}/{script[1]}", timeout=300)
    assert "immutable" in sent.headers["Cache-Control"] and sent.headers["Content-Encoding"] == "gzip"
    plain = requests.get(f"{served.url}/{script[1]}", headers={"Accept-Encoding": "identity"}, timeout=300)
    assert plain.content == sent.content and "Content-Encoding" not in plain.headers
    for path in ("/assets/../index.html", "/assets/%2e%2e%2findex.html", "/assets/nothing.js"):
        assert requests.get(served.url + path, timeout=300).status_code == 404
    assert "default-src 'none'" in requests.get(f"{served.url}/healthz", timeout=300).headers["Content-Security-Policy"]


def test_the_first_load_stays_within_its_budget(viewer: Viewer) -> None:
    scripts: dict[str, int] = {}
    viewer.context.on(
        "response",
        lambda got: scripts.__setitem__(got.url, len(gzip.compress(got.body()))) if got.url.endswith(".js") else None,
    )
    page = viewer.sign_in()
    page.wait_for_load_state("networkidle")
    assert scripts and sum(scripts.values()) <= _BUDGET, scripts
