"""Resident processes in tests: started, waited for, and ended before their store goes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from commands import command, environment
from ricordo.resident import Place, retire
from ricordo.settings import Settings

#: A process that runs a command line of the program and then says which modules it has imported.
_SHOWING = """
import sys
from ricordo.__main__ import main
code = main()
print("MODULES", *sys.modules, file=sys.stderr)
sys.exit(code)
"""


def variables(settings: Settings, **more: str) -> dict[str, str]:
    """The environment of a command that may go through a resident process."""
    return environment(settings) | {"RICORDO_RESIDENT": "on", "RICORDO_RESIDENT_IDLE": "120"} | more


def place_of(environ: Mapping[str, str]) -> Place:
    """Where the resident process of commands in an environment is met."""
    place = Place.here(environ)
    assert place is not None
    return place


@contextmanager
def resident(settings: Settings, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A resident process for these settings within this block."""
    environ = variables(settings, **more)
    process = subprocess.Popen(command("resident"), env=environ, stderr=subprocess.PIPE)
    try:
        wait_until(lambda: Path(place_of(environ).socket).exists() or process.poll() is not None)
        yield process
    finally:
        retire(place_of(environ).folder)
        process.kill()
        process.communicate()


def wait_until(holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process where it is; a thread of it may go on for a moment after the signal is sent."""
    process.send_signal(signal.SIGSTOP)
    threads = Path(f"/proc/{process.pid}/task")
    wait_until(lambda: all(_state(each) == "T" for each in threads.iterdir()))


def _state(process: Path) -> str:
    return (process / "stat").read_text().rpartition(")")[2].split()[0]


def is_alive(process: int) -> bool:
    """Whether a process is there that has not ended."""
    try:
        return _state(Path(f"/proc/{process}")) != "Z"
    except OSError:
        return False


def imported(environ: Mapping[str, str], *arguments: str, given: bytes = b"") -> tuple[int, bytes, bytes, set[str]]:
    """Exit code, output and errors of a command line, and the modules that its process imported."""
    ended = subprocess.run(
        [sys.executable, "-c", _SHOWING, *arguments], env=dict(environ), input=given, capture_output=True, timeout=60
    )
    told, _, modules = ended.stderr.rpartition(b"MODULES ")
    return ended.returncode, ended.stdout, told, set(modules.decode().split())


def holder(place: Place) -> int | None:
    """The process that has the lock of a place."""
    try:
        node = Path(place.lock).stat().st_ino
    except FileNotFoundError:
        return None
    for line in Path("/proc/locks").read_text().splitlines():
        parts = line.split()
        if parts[1] == "FLOCK" and parts[5].endswith(f":{node}"):
            return int(parts[4])
    return None
