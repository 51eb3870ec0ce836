"""Fixtures of the browser's tests: one Chromium a process, one served and well-filled store a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsers import Viewer, chromium
from filled import fill
from http_server import Server, running
from stores import settings_for


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def served(server_home: Path) -> Iterator[Server]:
    """A server whose user `ada` has a well-filled store (tests/support/filled.py), by keyword only."""
    with running(settings_for(server_home)) as server:
        fill(server.settings, "ada")
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
