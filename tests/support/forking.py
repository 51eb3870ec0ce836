"""Programs of tests, forked from a process that has imported Ricordo: they start at a tenth of the processor time.

Each program is a child of the test's process, with its own id, arguments, environment, folder and streams, and is
waited for, signaled and killed like any other. But no interpreter is started. Programs whose start would differ, such
as those with other limits or another umask, are started as usual. Tests of a start, of what is imported, of encodings,
and of another Python or account use `subprocess` itself.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import inspect
import io
import os
import pickle
import runpy
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Collection, Mapping, Sequence
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
#: Beginnings of variables that are read once, as a process starts, beside those of the locale. A program that is given
#: others is not forked.
_READ_AT_START = ("PYTHON", "LD_", "TZ", "OTEL_", "OMP_", "OPENBLAS_")
#: The largest request and answer in bytes, which every socket takes. A program whose arguments, variables and code are
#: larger is started.
_LARGEST = 100_000
#: The options of `_execute_child` that a forked program cannot have, as they are where nothing is given.
_NOT_GIVEN = {
    "executable": None, "preexec_fn": None, "close_fds": True, "pass_fds": (), "startupinfo": None, "creationflags": 0,
    "shell": False, "restore_signals": True, "gid": None, "gids": None, "uid": None, "umask": -1, "process_group": -1,
}  # fmt: skip


#: The class itself, whatever stands in its place while an MCP client starts its server (mcp_clients.py).
_Started = subprocess.Popen


class _Request(NamedTuple):
    """What a program is to be."""

    #: `-m`, `-c`, or nothing for a script; then the module, the code or the script; then its arguments.
    kind: str
    what: str
    arguments: list[str]
    warns: bool
    environ: dict[str, str]
    folder: str
    #: Whether it begins a session of its own.
    session: bool

    @property
    def path(self) -> list[str]:
        """What comes first on its path of modules."""
        script = Path(self.folder, self.what).resolve()
        own = {"-m": str(Path(self.folder).resolve()), "-c": ""}.get(self.kind, str(script.parent))
        given = self.environ.get("PYTHONPATH", "")
        return [own, *(str(Path(self.folder, each)) for each in given.split(os.pathsep) if given)]


class Program(subprocess.Popen[Any]):
    """A `subprocess.Popen` that is forked where it runs this Python and would be the same.

    Of Python's options, a command may have `-W error`, and then `-m`, `-c` or a script.
    """

    def _execute_child(self, *given: Any) -> None:
        if sys.platform == "linux":
            named = dict(zip(_PARAMETERS, given, strict=True))
            request = _request(named)
            if request is not None and self._is_forked(request, named):
                return
        super()._execute_child(*given)  # type: ignore[misc]

    def _is_forked(self, request: _Request, given: Mapping[str, Any]) -> bool:
        nursery = _Nursery.started()
        if not nursery.is_alike(request):
            return False
        streams = [given[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        self.pid = nursery.fork(request, [own if own != -1 else number for number, own in enumerate(streams)])
        self._child_created = True
        pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(given[name] for name in pipes))  # type: ignore[attr-defined]
        return True


#: The names of what `_execute_child` is given.
_PARAMETERS = [*inspect.signature(_Started._execute_child).parameters][1:]  # type: ignore[attr-defined]


def _request(given: Mapping[str, Any]) -> _Request | None:
    """What a program is to be; None where only a start can make it so."""
    if {name: tuple(given[name]) if name == "pass_fds" else given[name] for name in _NOT_GIVEN} != _NOT_GIVEN:
        return None
    args = given["args"]
    python, *arguments = map(os.fsdecode, [args] if isinstance(args, str | bytes | os.PathLike) else args)
    folder = Path.cwd() / os.fsdecode(given["cwd"] or "")
    if python != sys.executable or not os.access(folder, os.X_OK) or not folder.is_dir():
        return None
    warns = arguments[:2] == ["-W", "error"]
    if warns:
        del arguments[:2]
    kind = arguments.pop(0) if arguments[:1] in (["-m"], ["-c"]) else ""
    if not arguments or not (kind or (arguments[0].endswith(".py") and Path(folder, arguments[0]).is_file())):
        return None
    env = os.environ if given["env"] is None else given["env"]
    environ = {os.fsdecode(name): os.fsdecode(value) for name, value in env.items()}
    if "\0" in "".join([*arguments, *environ, *environ.values()]):  # which fails in a start
        return None
    return _Request(kind, arguments[0], arguments[1:], warns, environ, str(folder), given["start_new_session"])


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
    _starting = threading.Lock()

    def __init__(self) -> None:
        self._environ, self._inherited = _read_at_start(os.environ), _inherited()
        self._one_at_a_time = threading.Lock()
        self._asks, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            self._process = _Started(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environ)
        answer = self._asks.recv(_LARGEST)
        if not answer:
            self._asks.close()
            raise RuntimeError(f"{__file__} could not import Ricordo: it ended with {self._process.wait()}")
        self._imported: frozenset[str] = pickle.loads(answer)

    @classmethod
    def started(cls) -> _Nursery:
        """The one of this process."""
        with cls._starting:
            if cls._only is None:
                cls._only = cls()
            return cls._only

    def is_alike(self, request: _Request) -> bool:
        """Whether an interpreter would start as this one did, and find the modules that this one has imported."""
        return (
            len(pickle.dumps(request)) <= _LARGEST
            and _read_at_start(request.environ) == self._environ
            and _inherited() == self._inherited
            and not any(_shadows(Path(request.folder, each), self._imported) for each in request.path)
        )

    def fork(self, request: _Request, streams: Sequence[int]) -> int:
        """The id of a new program. It is a child of this process, since this adopts what the other one leaves."""
        prctl = ctypes.CDLL(None).prctl
        with self._one_at_a_time:
            socket.send_fds(self._asks, [pickle.dumps(request)], streams)
            child = int(self._asks.recv(64))
            before = _children()
            prctl(_SUBREAPER, 1, 0, 0, 0)
            try:
                self._asks.send(b"leave")
                self._asks.recv(64)
            finally:
                prctl(_SUBREAPER, 0, 0, 0, 0)
            strays = _children() - before - {child}
        if threading.current_thread() is threading.main_thread():  # else this one may have begun them just now
            for each in strays:
                name = f"waits for {each}"
                threading.Thread(target=os.waitpid, args=(each, 0), name=name, daemon=True).start()
        return child

    def end(self) -> None:
        self._asks.close()
        self._process.wait(60)


def _read_at_start(environ: Mapping[str, str]) -> dict[str, str]:
    read = {
        name: value
        for name, value in environ.items()
        if name.startswith(_READ_AT_START) and name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    }
    return read | {"locale": environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""}


def _inherited() -> tuple[str, str]:
    """What a program has of the process that starts it, and no test sets otherwise: its umask and its limits."""
    status = Path("/proc/self/status").read_text()
    return status.partition("\nUmask:")[2].partition("\n")[0], Path("/proc/self/limits").read_text()


def _children() -> set[int]:
    """The children of the main thread, which are its own and those that this process has adopted."""
    pid = os.getpid()
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def _shadows(folder: Path, imported: Collection[str]) -> bool:
    """Whether a folder has a module by the name of one that is imported."""
    try:
        found = [each for each in folder.iterdir() if each.name.partition(".")[0] in imported]
    except OSError:
        return False
    return any(each.suffix or (each / "__init__.py").exists() for each in found)


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
        if _is_new(asks):
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return pickle.loads(received)  # type: ignore[no-any-return]
        for stream in streams:
            os.close(stream)


def _is_new(asks: socket.socket) -> bool:
    """True in a new process, which goes on once its parent has ended and another one has adopted it."""
    reading, writing = os.pipe()
    gate, opening = os.pipe()
    between = os.fork()
    if not between:
        child = os.fork()
        if child:
            os.write(writing, str(child).encode())
        os.close(opening)
        os.read(gate, 1)  # until all who could open it have ended or closed it
        if child:
            os._exit(0)
        for each in (reading, writing, gate):
            os.close(each)
        return True
    for each in (writing, gate):
        os.close(each)
    child = int(os.read(reading, 64))
    os.close(reading)
    asks.send(str(child).encode())
    if not asks.recv(64):  # nobody asks any more, nor waits for it
        os.kill(child, signal.SIGKILL)
        os._exit(0)
    os.kill(between, signal.SIGKILL)
    os.waitpid(between, 0)
    os.close(opening)
    asks.send(b"left")
    return False


def _become(request: _Request) -> None:
    """Run a program as Python would, which then ends as Python does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request.folder)
    if request.session:
        os.setsid()
    os.environ.clear()
    os.environ.update(request.environ)
    _open_streams()
    if request.warns:
        sys.warnoptions.append("error")
        warnings.simplefilter("error")
    sys.path[:1] = request.path
    sys.argv = [request.kind or request.what, *request.arguments]
    if request.kind == "-m":
        runpy.run_module(request.what, run_name="__main__", alter_sys=True)
    elif request.kind == "-c":
        exec(compile(request.what, "<string>", "exec", dont_inherit=True), {"__name__": "__main__"})
    else:
        runpy.run_path(request.what, run_name="__main__")


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, which is meant for the tests
    for module in _IMPORTED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as asks:
        asks.send(pickle.dumps(frozenset(each.partition(".")[0] for each in sys.modules)))
        request = _next(asks)
    if request is not None:
        _become(request)


if __name__ == "__main__":
    _main()
