"""Programs of tests, forked from a process that has imported Ricordo: they start at a tenth of the processor time.

Each program is a child of the test's process, with its own id, arguments, environment, folder and streams, and is
waited for, signaled and killed like any other. But no interpreter is started. Tests of a start, of what is imported, of
encodings, and of another Python or account use `subprocess` itself.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import os
import pickle
import runpy
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

#: prctl's number for who becomes the parent of processes whose own parent has ended.
_SUBREAPER = 36
#: What programs import, each in its turn: the client, files, jobs, the HTTP server, and the MCP servers.
_IMPORTED = (
    "ricordo.blocking",
    "ricordo.formats",
    "ricordo.archive",
    "ricordo.sync",
    "ricordo.background.working",
    "ricordo.jobs.worker",
    "ricordo.http",
    "ricordo.mcp.serving",
    "ricordo.mcp.stdio",
)
#: Beginnings of variables that are read once, as a process starts. A program that is given others is not forked.
_READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "TZ", "OTEL_", "OMP_", "OPENBLAS_")
#: A request's largest size in bytes: arguments, variables and code.
_LARGEST = 1 << 20


#: The class itself, whatever stands in its place while an MCP client starts its server (mcp_clients.py).
_Started = subprocess.Popen


class _Request(NamedTuple):
    """What a program is to be."""

    arguments: list[str]
    environ: dict[str, str]
    folder: str
    #: Whether it begins a session of its own.
    session: bool


class Program(subprocess.Popen[Any]):
    """A `subprocess.Popen` that is forked where it runs this Python and would be the same.

    Of Python's options, a command may have `-W error`, and then `-m`, `-c` or a script.
    """

    def _execute_child(  # type: ignore[no-untyped-def, misc]
        self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
        p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, restore_signals, gid, gids, uid, umask,
        start_new_session, process_group,
    ):  # fmt: skip
        environ = dict(os.environ if env is None else env)
        python, *arguments = [args] if isinstance(args, str | bytes | os.PathLike) else args
        is_plain = not (shell or preexec_fn or pass_fds or uid) and os.fsdecode(python) == sys.executable
        if sys.platform != "linux" or not is_plain or not _Nursery.started().is_alike(environ):
            super()._execute_child(  # type: ignore[misc]
                args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
                p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, restore_signals, gid, gids, uid, umask,
                start_new_session, process_group,
            )  # fmt: skip
            return
        request = _Request([*map(os.fsdecode, arguments)], environ, str(cwd or Path.cwd()), start_new_session)
        streams = [own if own != -1 else number for number, own in enumerate((p2cread, c2pwrite, errwrite))]
        self.pid = _Nursery.started().fork(request, streams)
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]


def run(
    command: Sequence[Any], *, input: Any = None, timeout: float = 300, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """As `subprocess.run` with its output captured, and neither raising for an exit code."""
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    if input is not None:
        given["stdin"] = subprocess.PIPE
    with Program(command, **given) as program:
        try:
            out, err = program.communicate(input, timeout)
        except BaseException:
            program.kill()
            raise
    return subprocess.CompletedProcess(program.args, program.returncode, out, err)


class _Nursery:
    """The process that forks, and the socket by which it is asked."""

    _only: _Nursery | None = None

    def __init__(self) -> None:
        self._environ = _read_at_start(os.environ)
        self._one_at_a_time = threading.Lock()
        self._asks, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            self._process = _Started(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environ)

    @classmethod
    def started(cls) -> _Nursery:
        """The one of this process."""
        if cls._only is None:
            cls._only = cls()
        return cls._only

    def is_alike(self, environ: Mapping[str, str]) -> bool:
        """Whether an interpreter would start as this one did."""
        return _read_at_start(environ) == self._environ

    def fork(self, request: _Request, streams: Sequence[int]) -> int:
        """The id of a new program. It is a child of this process, since this adopts what the other one leaves."""
        prctl = ctypes.CDLL(None).prctl
        with self._one_at_a_time:
            prctl(_SUBREAPER, 1, 0, 0, 0)
            try:
                socket.send_fds(self._asks, [pickle.dumps(request)], streams)
                return int(self._asks.recv(64))
            finally:
                prctl(_SUBREAPER, 0, 0, 0, 0)

    def end(self) -> None:
        self._asks.close()
        self._process.wait(60)


def _read_at_start(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environ.items()
        if name.startswith(_READ_AT_START) and name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    }


def end() -> None:
    """End the process that forks."""
    if _Nursery._only is not None:
        _Nursery._only.end()
        _Nursery._only = None


def _next(asks: socket.socket) -> _Request | None:
    """In each forked program, its request; in the process itself nothing, once nobody asks any more."""
    while True:
        received, streams, _, _ = socket.recv_fds(asks, _LARGEST, 3)
        if not received:
            return None
        child = _orphan()
        if child is None:
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return _Request(*pickle.loads(received))
        for stream in streams:
            os.close(stream)
        asks.send(str(child).encode())


def _orphan() -> int | None:
    """The id of a forked process whose parent has ended; nothing in that process."""
    reading, writing = os.pipe()
    between = os.fork()
    if between:
        os.close(writing)
        child = int(os.read(reading, 64))
        os.close(reading)
        os.waitpid(between, 0)
        return child
    os.close(reading)
    child = os.fork()
    if child:
        os.write(writing, str(child).encode())
        os._exit(0)
    os.close(writing)
    return None


def _become(request: _Request) -> None:
    """Run a program as Python would, which then ends as Python does."""
    os.chdir(request.folder)
    if request.session:
        os.setsid()
    os.environ.clear()
    os.environ.update(request.environ)
    _open_streams()
    arguments = list(request.arguments)
    if arguments[:2] == ["-W", "error"]:
        del arguments[:2]
        sys.warnoptions.append("error")
        warnings.simplefilter("error")
    kind = arguments.pop(0) if arguments[0] in ("-m", "-c") else ""
    what = arguments[0]
    first = {"-m": request.folder, "-c": ""}.get(kind, str(Path(what).parent))
    sys.path[:1] = [first, *filter(None, request.environ.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = [kind or what, *arguments[1:]]
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    else:
        runpy.run_path(what, run_name="__main__")


def _open_streams() -> None:
    """Streams of this program, which differ from those of the process that it is forked from."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        before = getattr(sys, name)
        unbuffered = number > 0 and before.write_through  # as PYTHONUNBUFFERED has it
        binary = open(number, "wb" if number else "rb", 0 if unbuffered else -1, closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(
            binary,
            before.encoding,
            before.errors,
            "\n" if number else None,
            line_buffering=number == 2 or binary.isatty(),
            write_through=unbuffered,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _main() -> None:
    for module in _IMPORTED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as asks:
        request = _next(asks)
    if request is not None:
        _become(request)


if __name__ == "__main__":
    _main()
