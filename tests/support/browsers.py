"""A real Chromium for tests of the web page, signed in at a real server, and what every page of it must keep to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response, expect, sync_playwright

from http_server import Server

_ROOT = Path(__file__).resolve().parents[2]
_AXE = _ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
_BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
#: Threads that compile scripts ahead cost more than they save where all cores are in use.
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--js-flags=--single-threaded"]
#: Milliseconds that anything on the page may take; the machine may be busy.
PATIENCE = 20_000
#: The rules of axe about colours.
_OF_COLOURS = ["color-contrast", "link-in-text-block"]
#: Stops of the Tab key until something counts as out of its reach.
_MOST_TABS = 250
expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium that RICORDO_TEST_CHROMIUM names, else the system's: best the one without windows, which needs a
    sixth less processor time."""
    where = os.environ.get("RICORDO_TEST_CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    assert where, "no Chromium: `apt-get install chromium`, or name one in RICORDO_TEST_CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=where, headless=True, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Viewer:
    """A person with a browser of their own, whose tabs are watched: nothing leaves the server, nothing fails."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        """`options` are those of a browser's context, such as viewport or color_scheme."""
        self.server = server
        self.faults: list[str] = []
        self.context: BrowserContext = browser.new_context(
            base_url=server.url, permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce", **options
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("page", self._watch)

    def sign_in(self, path: str = "") -> Page:
        """A tab at a path of the page, signed in with the server's key by the request that the sign-in form sends."""
        url = self.server.url
        origin = "/".join(url.split("/")[:3])
        signed = self.context.request.post(f"{url}/signin", data={"key": self.server.token}, headers={"Origin": origin})
        assert signed.ok, signed.text()
        page = self.context.new_page()
        page.goto(f"{url}/{path}", wait_until="commit")
        page.get_by_role("navigation").wait_for()
        return page

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("console", lambda told: self.faults.append(told.text) if _is_fault(told.type, told.text) else None)
        page.on("response", self._note)
        page.on("dialog", lambda dialog: self.faults.append(f"a dialog: {dialog.message}"))

    def _note(self, response: Response) -> None:
        if not response.url.startswith((self.server.url, "data:", "blob:")):
            self.faults.append(f"asked another host: {response.url}")


def _is_fault(kind: str, text: str) -> bool:
    """Whether a line of the console tells of a fault; answers such as 401 are told there too."""
    return kind in ("error", "warning") and "Failed to load resource" not in text


@cache
def _axe() -> str:
    assert _AXE.is_file(), "axe-core is not there: script/web brings it"
    return _AXE.read_text("utf-8")


def require_accessible(page: Page) -> None:
    """Fail for what axe calls a serious or critical violation on the page as it stands."""
    page.evaluate(f"() => {{ {_axe()} }}")
    _require_no_violation(page, "html", {})


def require_accessible_in_each_scheme(page: Page, part: str = "html") -> None:
    """The same in light and dark colors. Only violations about colors can differ between them; in dark ones they are
    looked for in `part` of the page, a selector."""
    html = page.locator("html")
    expect(html).to_have_attribute("data-mantine-color-scheme", "light")
    require_accessible(page)
    page.emulate_media(color_scheme="dark")
    expect(html).to_have_attribute("data-mantine-color-scheme", "dark")
    _require_no_violation(page, part, {"runOnly": {"type": "rule", "values": _OF_COLOURS}})
    page.emulate_media(color_scheme="light")


def _require_no_violation(page: Page, part: str, options: dict[str, Any]) -> None:
    found = page.evaluate(
        "async ([part, options]) => (await window.axe.run(part, {resultTypes: ['violations'], ...options})).violations"
        ".filter(each => ['serious', 'critical'].includes(each.impact))"
        ".map(each => `${each.id}: ${each.nodes.map(node => node.target + ' ' + (node.failureSummary)).join(' | ')}`)",
        [part, options],
    )
    assert not found, "\n".join(found)


def require_fitting(page: Page) -> None:
    """Fail where the page is wider than its window, so that one would have to scroll sideways."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} pixels wider than the window"


def tab_to(page: Page, target: Locator) -> Locator:
    """Go to something by the Tab key alone. Fail where that does not lead there."""
    target.wait_for(state="attached")
    for _ in range(_MOST_TABS):
        if target.evaluate("node => node === document.activeElement"):
            return target
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")
