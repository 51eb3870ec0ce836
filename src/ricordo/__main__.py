"""The program `ricordo`, which is also `python -m ricordo`."""

from __future__ import annotations

import os
import sys

from ricordo.resident.quick import Quick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence
    from typing import TextIO

#: Output failed, such as writing to a full disk: EX_IOERR of sysexits.h.
_IO_FAILED = 74


def main() -> int:
    """Run the program: through the resident process where that can be, else here."""
    quick = Quick(sys.argv[1:], _relay, _too_late)
    code = quick.attempt()
    if code is None:
        from ricordo.cli import main as run

        code = run()
        quick.start_next()
        return _flush(code)
    return code


def _flush(code: int) -> int:
    """Write what is left of the output. Where that fails, drop it: as it ends, Python would try again, and exit with a
    code of its own. Returns the exit code, which reports a failure that the command itself has not met."""
    problem = ""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.write(problem)
                stream.flush()
        except BrokenPipeError:  # `ricordo … | head` has seen enough
            _drop(stream)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError):  # else it is closed, and Python passes it over
                _drop(stream)
            if not code:
                code, problem = _IO_FAILED, f"ricordo: {getattr(error, 'strerror', None) or error}\n"
    return code


def _drop(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _relay(peer: socket, options: Sequence[str]) -> int:
    from ricordo.mcp.relay import relay

    return relay(peer, options)


def _too_late(arguments: Sequence[str], seconds: float) -> int:
    from ricordo.cli.hook import took_too_long  # takes long, which no longer matters

    return took_too_long(arguments, seconds)


if __name__ == "__main__":
    sys.exit(main())
