"""A virtual environment for each peer, made once and kept, since peers' requirements exclude one another."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from ricordo.errors import ModelUnavailable

_REQUIREMENTS = files("ricordo.bench.peers") / "requirements"


def python_of(name: str, folder: Path) -> Path:
    """The interpreter of the environment that has `requirements/NAME.txt`; it is made where it is missing or stale.

    Raises ModelUnavailable, with the installer's own last words, where that cannot be installed.
    """
    wanted = (_REQUIREMENTS / f"{name}.txt").read_text("utf-8")
    stamp = hashlib.sha256(wanted.encode()).hexdigest()
    environment = folder / name
    python = environment / "bin" / "python"
    made = environment / "ricordo-installed"
    if python.exists() and made.exists() and made.read_text() == stamp:
        return python
    shutil.rmtree(environment, ignore_errors=True)
    environment.parent.mkdir(parents=True, exist_ok=True)
    _run(name, [sys.executable, "-m", "venv", str(environment)])
    _run(name, [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted.split()])
    made.write_text(stamp)
    return python


def _run(name: str, command: list[str]) -> None:
    finished = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if finished.returncode:
        last = finished.stderr.strip().splitlines()[-1:] or [f"exit code {finished.returncode}"]
        raise ModelUnavailable(f"{name} could not be installed: {last[0]}")
