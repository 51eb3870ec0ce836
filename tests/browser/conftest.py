"""Fixtures of the browser's tests: one Chromium a process, one served store a module, all filled alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsers import Viewer, chromium
from filled import fill
from http_server import Server, running
from ricordo.settings import Settings
from stores import copy_of, settings_for


@pytest.fixture(scope="package")
def browser(server_home: Path) -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def filled(server_home: Path) -> Settings:
    """A store whose user `ada` has a well-filled memory (tests/support/filled.py), by keyword only; to be copied."""
    settings = settings_for(server_home)
    fill(settings, "ada")
    return settings


@pytest.fixture(scope="module")
def served(filled: Settings) -> Iterator[Server]:
    """A server of a well-filled store of the module's own."""
    with running(copy_of(filled)) as server:
        yield server


@pytest.fixture
def viewer(browser: Browser, served: Server) -> Iterator[Viewer]:
    """Ada at a wide window. What fails in her tabs fails the test at its end."""
    viewer = Viewer(browser, served, viewport={"width": 1280, "height": 860})
    yield viewer
    viewer.context.close()
    assert not viewer.faults, "\n".join(viewer.faults)


@pytest.fixture
def page(viewer: Viewer) -> Page:
    """A tab of Ada's, signed in."""
    return viewer.sign_in()
