"""The page Settings: C9's choices, keys, taking everything along, and taking everything away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

from browsers import Viewer, require_accessible
from http_server import Server
from ricordo.blocking import Memory


@pytest.fixture
def settings(viewer: Viewer) -> Page:
    page = viewer.sign_in("settings")
    page.get_by_role("region", name="API keys").wait_for()
    return page


def test_c9_what_is_chosen_counts_at_once_and_goes_back_to_the_defaults(settings: Page, served: Server) -> None:
    settings.get_by_label("Results per recall").fill("7")
    settings.get_by_label("Store conversations automatically").click()
    settings.get_by_role("combobox", name="Keys, tokens and passwords").click()
    settings.get_by_role("option", name="Redact").click()
    settings.get_by_role("button", name="Save", exact=True).click()
    expect(settings.get_by_text("Saved", exact=True)).to_be_visible()
    now = served.get("/v1/settings")
    assert (now["top_k"], now["auto_mine"], now["secrets"]) == (7, False, "redact")
    require_accessible(settings)
    settings.get_by_role("button", name="Reset to defaults").click()
    expect(settings.get_by_label("Results per recall")).to_have_value("5")
    assert served.get("/v1/settings")["secrets"] == "store"


def test_c9_what_the_server_refuses_is_said_and_kept_in_the_form(settings: Page) -> None:
    settings.get_by_label("Embedding model").fill("no-such-model")
    settings.get_by_role("button", name="Save", exact=True).click()
    expect(settings.get_by_role("alert")).to_contain_text("no-such-model")
    expect(settings.get_by_label("Embedding model")).to_have_value("no-such-model")


def test_a_change_of_the_embedding_model_shows_how_far_it_is(page: Page) -> None:
    vectors = {"model": "old", "dimension": 3, "next_model": "new", "embedded": 380, "pending": 0, "renewing": 260}
    page.route("**/v1/vectors", lambda route: route.fulfill(json=vectors))
    text = "Changing the embedding model to new: 31%, 120 of 380 memories"
    page.reload()
    expect(page.get_by_role("main").get_by_role("progressbar", name=f"{text}.")).to_be_visible()
    require_accessible(page)
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("progressbar", name=text)).to_be_visible()
    require_accessible(page)


def test_a_key_makes_no_keys_and_a_reading_one_changes_nothing(browser: Browser, served: Server) -> None:
    viewer = Viewer(browser, served.of("ada", read_only=True))
    page = viewer.sign_in("settings")
    expect(page.get_by_text("This key is read-only. Sign in with another one to change anything.")).to_be_visible()
    for name in ("Save", "New key", "Create export", "Delete everything"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    viewer.context.close()
    assert not viewer.faults


def test_a_key_is_shown_once_opens_what_it_should_and_is_revoked(browser: Browser, served: Server) -> None:
    assert served.sessions is not None
    viewer = Viewer(browser, served)
    page = viewer.context.new_page()
    page.goto(f"{served.url}/signin?token={served.sessions.link()}")
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="New key").click()
    page.get_by_label("Name").fill("laptop <b>")
    page.get_by_role("button", name="Create key").click()
    token = page.get_by_label("Your new key").inner_text()
    require_accessible(page)
    page.get_by_role("button", name="I have copied it").click()
    expect(page.get_by_role("cell", name="laptop <b>", exact=True)).to_be_visible()
    expect(page.get_by_text(token)).to_have_count(0)
    assert served.ask("GET", "/v1/user", token=token).json()["user"] == "local"
    page.get_by_role("button", name="Revoke laptop <b>").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("revoked").filter(visible=True)).to_be_visible()
    assert served.ask("GET", "/v1/user", token=token).status_code == 401
    viewer.context.close()
    assert not viewer.faults


def test_the_devices_of_a_synced_memory_are_shown(browser: Browser, served: Server, tmp_path: Path) -> None:
    with Memory(settings=replace(served.settings, user="sam"), background=False) as desktop:
        laptop = desktop.of("sam's laptop")
        words = laptop.sync.init(tmp_path, name="laptop").words or ""
        desktop.sync.join(tmp_path, words, name="desktop")
        laptop.mine([{"role": "user", "content": "The mast is carbon."}], conversation="boat")
        laptop.sync.now()
        desktop.sync.now()
        viewer = Viewer(browser, served.of("sam"))
        page = viewer.sign_in()
        page.get_by_role("navigation").get_by_role("link", name="Settings").click()
        devices = page.get_by_role("region", name="Devices")
        for row in ("desktop this device", "laptop"):
            expect(devices.get_by_role("row", name=row)).to_contain_text("in sync")
        expect(devices).to_contain_text(f"Folder: {tmp_path}")
        require_accessible(page)
        (tmp_path / "ricordo-sync.json").unlink()
        page.reload()
        expect(devices.get_by_role("alert")).to_contain_text("holds no synced memory")
        page.get_by_role("navigation").get_by_role("link", name="Overview").click()
        trouble = page.get_by_role("region", name="Needs attention").get_by_role("listitem").first
        expect(trouble).to_contain_text("Sync is not working")
        expect(trouble.get_by_role("link", name="Show devices")).to_be_visible()
        viewer.context.close()
        assert not viewer.faults


def test_everything_is_taken_along_and_taken_away(browser: Browser, served: Server) -> None:
    with Memory(settings=replace(served.settings, user="zoe"), background=False) as zoe:
        zoe.mine([{"role": "user", "content": "The canoe is orange."}], conversation="canoe")
    viewer = Viewer(browser, served.of("zoe"))
    page = viewer.sign_in()
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    running = {"kind": "export", "state": "running", "done": 31, "total": 100, "created_at": "2026-01-01T00:00:00Z"}
    page.route("**/v1/operations/*", lambda route: route.fulfill(json={"id": route.request.url[-36:], **running}))
    page.get_by_role("button", name="Create export").click()
    expect(page.get_by_role("status").filter(has_text="Creating the export: 31%")).to_be_visible()
    expect(page.get_by_role("progressbar", name="Creating the export")).to_have_attribute("aria-valuenow", "31")
    require_accessible(page)
    page.unroute("**/v1/operations/*")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download export").click()
    with ZipFile(download.value.path()) as archive:
        assert any(b"The canoe is orange." in archive.read(name) for name in archive.namelist())
    page.get_by_role("button", name="Delete everything").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Delete everything")).to_be_disabled()
    dialog.get_by_label("Type zoe to confirm").fill("zoe")
    dialog.get_by_role("button", name="Delete everything").click()
    expect(dialog.get_by_role("table", name="What was removed")).to_contain_text("memories")
    with Memory(settings=replace(served.settings, user="zoe"), background=False) as zoe:
        assert not zoe.recall("canoe").results
    viewer.context.close()
    assert not viewer.faults
