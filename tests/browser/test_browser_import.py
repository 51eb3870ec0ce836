"""The page Import: what was recognised before anything is kept, progress, and what was left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsers import Viewer, require_accessible
from http_server import Server
from ricordo.blocking import Memory

_TALK = (
    "[12/03/2026, 09:15:00] Ada: The canoe is orange\n[12/03/2026, 09:16:00] <img src=x onerror=alert(1)>: How bright\n"
)


@pytest.fixture
def importing(browser: Browser, served: Server) -> Iterator[Page]:
    viewer = Viewer(browser, served.of("ines"))
    page = viewer.sign_in("import")
    page.get_by_role("button", name="Choose files").wait_for()
    yield page
    viewer.context.close()
    assert not viewer.faults, "\n".join(viewer.faults)


def _choose(page: Page, **files: str) -> None:
    page.locator("input[type=file]").first.set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files.items()]
    )


def test_e8_what_is_recognised_is_shown_before_anything_is_kept(importing: Page, served: Server) -> None:
    _choose(importing, **{"WhatsApp Chat with Ines.txt": _TALK, "broken.json": json.dumps({"nothing": 1})})
    found = importing.get_by_role("region", name="Recognized conversations")
    expect(found).to_contain_text("whatsapp")
    expect(found).to_contain_text("broken.json")
    require_accessible(importing)
    with Memory(settings=replace(served.settings, user="ines"), background=False) as ines:
        assert not ines.recall("canoe").results
        found.get_by_role("button", name="Import").click()
        done = importing.get_by_role("region", name="Imported")
        expect(done).to_contain_text("Stored 2 turns of 1 conversation")
        expect(done).to_contain_text("broken.json")
        require_accessible(importing)
        assert [hit.text for hit in ines.recall("canoe")][:1] == ["The canoe is orange"]
    done.get_by_role("link", name="Open Memory").click()
    expect(importing.get_by_role("heading", name="Memory", level=1)).to_be_visible()


def test_e8_the_same_files_again_add_nothing(importing: Page) -> None:
    for expected in ("Stored 2 turns of 1 conversation.", "2 were already stored"):
        _choose(importing, **{"WhatsApp Chat with Ben.txt": _TALK.replace("canoe", "mast")})
        importing.get_by_role("region", name="Recognized conversations").get_by_role("button", name="Import").click()
        done = importing.get_by_role("region", name="Imported")
        expect(done).to_contain_text(expected)
        done.get_by_role("button", name="Import more").click()


def test_what_became_of_an_import_is_found_again_after_leaving_the_page(importing: Page) -> None:
    _choose(importing, **{"WhatsApp Chat with Cleo.txt": _TALK.replace("canoe", "rudder"), "odd.json": "{}"})
    importing.get_by_role("region", name="Recognized conversations").get_by_role("button", name="Import").click()
    importing.get_by_role("region", name="Imported").wait_for()
    importing.reload()
    earlier = importing.get_by_role("region", name="Imports of the last week")
    require_accessible(importing)
    earlier.get_by_role("button", name="Show: Stored 2 turns of 1 conversation").first.click()
    expect(importing.get_by_role("region", name="Imported")).to_contain_text("odd.json")
    importing.get_by_role("button", name="Import more").click()
    expect(importing.get_by_role("button", name="Choose files")).to_be_visible()


def test_files_that_hold_no_talk_are_told_and_one_starts_over(importing: Page) -> None:
    _choose(importing, **{"photo.bin": "\x00\x01\x02"})
    nothing = importing.get_by_role("region", name="No conversations found in these files.")
    expect(nothing).to_contain_text("no chats found")
    expect(nothing).not_to_contain_text("/")
    importing.get_by_role("button", name="Start over").click()
    expect(importing.get_by_role("button", name="Choose files")).to_be_visible()


def test_e13_an_archive_decides_nothing_before_it_is_said_to_be_ones_own(
    browser: Browser, served: Server, tmp_path: Path
) -> None:
    with Memory(settings=replace(served.settings, user="uma"), background=False) as uma:
        uma.settings.update(top_k=3)
        uma.archive.save(tmp_path / "ricordo.zip")
    viewer = Viewer(browser, served.of("vera"))
    page = viewer.sign_in()
    page.get_by_role("navigation").get_by_role("link", name="Import").click()
    with Memory(settings=replace(served.settings, user="vera"), background=False) as vera:
        for own, told, top_k in ((False, "settings (1)", 5), (True, "from the export", 3)):
            page.locator("input[type=file]").first.set_input_files(tmp_path / "ricordo.zip")
            page.get_by_label("It is my own").set_checked(own)
            require_accessible(page)
            page.get_by_role("button", name="Load export").click()
            done = page.get_by_role("region", name="Imported")
            expect(done).to_contain_text(told)
            expect(done.get_by_text("Not loaded")).to_have_count(0 if own else 1)
            assert vera.settings.get().top_k == top_k
            done.get_by_role("button", name="Import more").click()
    viewer.context.close()
    assert not viewer.faults, "\n".join(viewer.faults)
