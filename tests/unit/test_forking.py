"""Programs that tests fork (tests/support/forking.py) look to them as started ones do."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forking

_SELF = """
import json, os, sys, warnings
given = sys.stdin.read()
def typed(one: int): pass
found = [sys.argv, dict(os.environ), os.getcwd(), given, os.getppid(), sys.path, sys.stdout.isatty()]
found += [sys.stdout.encoding, str(typed.__annotations__)]
print(json.dumps([*found, __name__, [each[0] for each in warnings.filters][:1]]))
print("told", file=sys.stderr)
sys.exit(3)
"""
_WAS_STARTED = "import sys; print('forking' not in sys.orig_argv[1])"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux are programs forked")


@pytest.mark.parametrize("way", ["code", "script", "module"])
def test_a_forked_program_sees_what_a_started_one_sees(tmp_path: Path, way: str) -> None:
    script = tmp_path / "looking.py"
    script.write_text(_SELF)
    how = {"code": ["-c", _SELF], "script": [script.name], "module": ["-m", "looking"]}[way]
    command = [sys.executable, "-W", "error", *how, "one", "two"]
    variables = os.environ | {"PYTHONPATH": "/nowhere:there", "RICORDO_USER": "ada"}
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


@pytest.mark.parametrize(
    "options",
    [
        {"umask": 0o077}, {"process_group": 0}, {"group": os.getgid()}, {"user": os.getuid()}, {"close_fds": False},
        {"executable": sys.executable}, {"restore_signals": False}, {"preexec_fn": lambda: None}, {"pass_fds": (0,)},
    ],
    ids="".join,
)  # fmt: skip
def test_a_program_with_an_option_that_a_fork_cannot_have_is_started(options: dict[str, Any]) -> None:
    assert forking.run([sys.executable, "-c", "pass"]).returncode == 0
    assert forking.run([sys.executable, "-c", _WAS_STARTED], **options).stdout == b"True\n"


@pytest.mark.parametrize("options", [["-I"], ["-P"], ["-X", "dev"], ["-W", "ignore"], ["-W", "error", "-I"]], ids=str)
def test_a_program_with_other_options_of_python_is_started(options: list[str]) -> None:
    assert forking.run([sys.executable, *options, "-c", _WAS_STARTED]).stdout == b"True\n"


def test_python_alone_reads_its_program() -> None:
    for command in ([sys.executable], [sys.executable, "-"], [sys.executable, "-W", "error"]):
        assert forking.run(command, input=b"print(6 * 7)").stdout == b"42\n"


def test_what_cannot_be_run_fails_as_it_would_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        forking.run([sys.executable, "-c", "pass"], cwd=tmp_path / "nowhere")
    with pytest.raises(ValueError, match="embedded null byte"):
        forking.run([sys.executable, "-c", "pass", "\0"])
    for command in (["nowhere.py"], ["-m"], ["-c"]):
        started = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True)
        forked = forking.run([sys.executable, *command], cwd=tmp_path)
        assert (forked.returncode, forked.stderr) == (started.returncode, started.stderr)


def test_limits_and_the_umask_of_now_are_the_programs() -> None:
    shows = [sys.executable, "-c", "import os, resource; print(os.umask(0), resource.getrlimit(resource.RLIMIT_CORE))"]
    before, (soft, hard) = os.umask(0o027), resource.getrlimit(resource.RLIMIT_CORE)
    try:
        assert forking.run(shows).stdout.decode() == f"{0o027} {(soft, hard)}\n"
        os.umask(before)
        resource.setrlimit(resource.RLIMIT_CORE, (1 if soft == 0 and hard else 0, hard))
        assert forking.run(shows).stdout.decode() == f"{before} {resource.getrlimit(resource.RLIMIT_CORE)}\n"
    finally:
        os.umask(before)
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


def test_a_module_that_shadows_an_imported_one_is_found(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("print('here')")
    imports = [sys.executable, "-c", "import click"]
    assert forking.run(imports, env=os.environ | {"PYTHONPATH": str(tmp_path)}).stdout == b"here\n"
    assert forking.run(imports, cwd=tmp_path).stdout == b"here\n"
    assert forking.run(imports).stdout == b""


def test_arguments_of_any_size_arrive() -> None:
    shows = [sys.executable, "-c", "import sys; print(list(map(len, sys.argv[1:])))", *["x" * 100_000] * 3]
    assert forking.run(shows).stdout == b"[100000, 100000, 100000]\n"


def test_ctrl_c_in_the_terminal_leaves_programs_to_be_forked() -> None:
    nursery = forking._Nursery.started()
    nursery._process.send_signal(signal.SIGINT)
    assert forking.run([sys.executable, "-c", _WAS_STARTED]).stdout == b"False\n"
    assert nursery._process.poll() is None


def test_a_failure_to_import_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(RuntimeError, match=r"could not import Ricordo: it ended with 1$"):
        forking._Nursery()


class _Before:
    """A socket that does something before it tells a program to begin."""

    def __init__(self, asks: Any, act: Callable[[], None]) -> None:
        self._asks, self._act = asks, act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asks, name)

    def send(self, what: bytes) -> None:
        self._act()
        self._asks.send(what)


def test_an_orphan_of_another_program_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    nursery = forking._Nursery.started()
    shell = ["/bin/sh", "-c", "sleep 600 & echo $!; read line"]
    with subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        orphan = int(parent.stdout.readline())

        def end_the_parent() -> None:
            parent.kill()
            parent.wait()

        monkeypatch.setattr(nursery, "_asks", _Before(nursery._asks, end_the_parent))
        assert forking.run([sys.executable, "-c", "pass"]).returncode == 0
    assert f"PPid:\t{os.getpid()}\n" in Path(f"/proc/{orphan}/status").read_text()
    os.kill(orphan, signal.SIGKILL)
    [waiting] = [each for each in threading.enumerate() if each.name == f"waits for {orphan}"]
    waiting.join(60)
    assert not Path(f"/proc/{orphan}").exists()


@pytest.mark.parametrize("command", ["mine", "worker", "watch"])
def test_a_command_that_runs_long_starts_without_a_warning(command: str) -> None:
    started = subprocess.run([sys.executable, "-W", "error", "-m", "ricordo", command, "--help"], capture_output=True)
    assert (started.returncode, started.stderr) == (0, b"")


def test_what_programs_import_is_imported_without_a_warning() -> None:
    imports = "import " + ", ".join(forking._IMPORTED)
    started = subprocess.run([sys.executable, "-W", "error", "-c", imports], capture_output=True)
    assert (started.returncode, started.stderr) == (0, b"")
