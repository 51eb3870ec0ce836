"""The program `ricordo`, which is also `python -m ricordo`."""

from __future__ import annotations

import os
import sys

from ricordo.resident.quick import Quick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence


def main() -> int:
    """Run the program: through the resident process where that can be, else here."""
    quick = Quick(sys.argv[1:], _relay, _too_late)
    code = quick.attempt()
    if code is None:
        from ricordo.cli import main as run

        code = run()
        quick.start_next()
        _flush()
    return code


def _flush() -> None:
    """Write what is left of the output. Where that fails, which the exit code tells already, drop it: as it ends,
    Python would try again, and exit with a code of its own."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _relay(peer: socket, options: Sequence[str]) -> int:
    from ricordo.mcp.relay import relay

    return relay(peer, options)


def _too_late(arguments: Sequence[str], seconds: float) -> int:
    from ricordo.cli.hook import took_too_long  # takes long, which no longer matters

    return took_too_long(arguments, seconds)


if __name__ == "__main__":
    sys.exit(main())
