"""Programs that tests fork (tests/support/forking.py) look to them as started ones do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import forking

_SELF = """
import json, os, sys, warnings
given = sys.stdin.read()
path = [each for each in sys.path if "support" not in each]
found = [sys.argv, dict(os.environ), os.getcwd(), given, os.getppid(), path, sys.stdout.isatty(), sys.stdout.encoding]
print(json.dumps([*found, __name__, [each[0] for each in warnings.filters][:1]]))
print("told", file=sys.stderr)
sys.exit(3)
"""


@pytest.mark.parametrize("way", ["code", "script", "module"])
def test_a_forked_program_sees_what_a_started_one_sees(tmp_path: Path, way: str) -> None:
    script = tmp_path / "looking.py"
    script.write_text(_SELF)
    how = {"code": ["-c", _SELF], "script": [str(script)], "module": ["-m", "looking"]}[way]
    command = [sys.executable, "-W", "error", *how, "one", "two"]
    variables = os.environ | {"PYTHONPATH": "/nowhere", "RICORDO_USER": "ada"}
    started = subprocess.run(command, cwd=tmp_path, env=variables, input=b"given", capture_output=True)
    forked = forking.run(command, cwd=tmp_path, env=variables, input=b"given")
    assert json.loads(forked.stdout) == json.loads(started.stdout)
    assert (forked.returncode, forked.stderr) == (started.returncode, started.stderr) == (3, b"told\n")


def test_a_forked_program_is_a_child_that_is_signaled_and_waited_for() -> None:
    waiting = [sys.executable, "-c", "print('here', flush=True)\nimport time\ntime.sleep(600)"]
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        with forking.Program(waiting, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            assert program.stdout is not None and program.stdout.readline() == b"here\n"
            assert program.poll() is None
            program.send_signal(number)
            assert program.wait(60) == -number


def test_a_program_whose_start_would_differ_is_started() -> None:
    shows = [sys.executable, "-c", "import sys; print(sys.stdout.encoding, sys.orig_argv[-1][:6])"]
    assert forking.run(shows, env=os.environ | {"PYTHONIOENCODING": "ascii"}).stdout == b"ascii import\n"
