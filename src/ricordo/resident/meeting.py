"""Where a command and its resident process meet, and what they say: the socket, the fingerprint, the messages.

Both sides work these out by themselves from their environment. Imports nothing but what Python has loaded already.
"""

from __future__ import annotations

import os
import sys
import zlib

import ricordo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Iterable, Mapping, Sequence

#: A path of a socket may be 107 bytes long on Linux.
_LONGEST_PATH = 107
#: Variables, by how their names begin, that change what a command finds or how it reaches the store; and those that
#: also do where a hosted model or another store is set up.
_MATTERING = ("PG", "PYTHON", "LD_")
_ON_THE_NETWORK = (
    "HTTP_", "HTTPS_", "ALL_PROXY", "NO_PROXY", "http_", "https_", "all_proxy", "no_proxy", "SSL_", "OPENAI_",
)  # fmt: skip
#: The time zone of the process, and how names like `RICORDO_HOME` begin, misspelled ones (ricordo.settings) included.
_ZONE, _LIKE_OURS = "TZ", ("RI", "IC", "RC", "RR", "IR")
#: Those that each request brings along, that only other commands read, or that only say how an answer looks.
_FREE = frozenset(
    f"RICORDO_{name}"
    for name in (
        "USER", "RESIDENT", "RESIDENT_IDLE", "WORKER_HEARTBEAT", "BACKUP_EVERY", "BACKUP_KEEP", "BACKUP_DIR",
        "OIDC_ISSUER", "OIDC_AUDIENCE", "OIDC_KEYS", "OIDC_CLAIM", "POOL_SIZE", "SKIP_WEB", "REQUIRE_WEB",
        "SYNC_KEY", "SYNC_DIR",
    )
) | {"PYTHONDONTWRITEBYTECODE", "PYTHONWARNINGS", "PYTHONUNBUFFERED", "PYTHONSAFEPATH"}  # fmt: skip


class Place:
    """Where the resident process of this program, store and environment is met. No dataclass, which takes 20 ms."""

    __slots__ = ("environ", "fingerprint", "folder")

    def __init__(self, folder: str, fingerprint: bytes, environ: Mapping[str, str]) -> None:
        #: The environment of a process that is to be met here, as it was before libraries set variables of their own.
        self.environ = dict(environ)
        #: A folder that only this account can enter.
        self.folder = folder
        #: What both sides must agree on, to the letter.
        self.fingerprint = fingerprint

    @classmethod
    def here(cls, environ: Mapping[str, str] = os.environ) -> Place | None:
        """The place for a process of this environment; None where there can be none."""
        if not sys.platform.startswith("linux"):  # SO_PEERCRED
            return None
        folder = home(environ)
        if folder is None:
            return None
        place = cls(f"{folder}/resident", _fingerprint(folder, environ), environ)
        return place if len(os.fsencode(place.socket)) <= _LONGEST_PATH else None

    @property
    def socket(self) -> str:
        """The path of the socket."""
        return f"{self.folder}/{self.name}.sock"

    @property
    def lock(self) -> str:
        """The file that the process holds a lock on as long as it lives."""
        return f"{self.folder}/{self.name}.lock"

    @property
    def name(self) -> str:
        """Short, and the same for the same fingerprint. Two fingerprints of one name refuse one another."""
        return f"{zlib.crc32(self.fingerprint):08x}"


def home(environ: Mapping[str, str] = os.environ) -> str | None:
    """The folder of `Settings.home` on Linux, without what it takes to import Settings; None where it has none."""
    if given := environ.get("RICORDO_HOME", "").strip():
        found = os.path.expanduser(given)  # noqa: PTH111 - pathlib is not loaded
        return None if found.startswith("~") else os.path.abspath(found)  # noqa: PTH100
    if os.geteuid() == 0:
        return "/var/lib/ricordo"
    data = environ.get("XDG_DATA_HOME", "").strip() or os.path.expanduser("~/.local/share")  # noqa: PTH111
    return None if data.startswith("~") else os.path.join(data, "ricordo")  # noqa: PTH118


def _fingerprint(folder: str, environ: Mapping[str, str]) -> bytes:
    """The program, its version and files, and every variable that matters."""
    code = os.stat(ricordo.__file__)  # noqa: PTH116 - an upgrade in place writes it anew
    parts = [ricordo.__version__, ricordo.__file__, f"{code.st_ino}.{code.st_mtime_ns}", sys.executable, folder]
    is_hosted = any(name.startswith("RICORDO_") and name.endswith("_URL") for name in environ)
    mattering = (*_MATTERING, *_ON_THE_NETWORK) if is_hosted else _MATTERING
    parts += sorted(
        f"{name}={value}"
        for name, value in environ.items()
        if (name.startswith(mattering) or name == _ZONE or name[:2].upper() in _LIKE_OURS) and name not in _FREE
    )
    return "\0".join(parts).encode("utf-8", "surrogateescape")


def is_ours(folder: str) -> bool:
    """Whether a folder is there that only this account can enter."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return found.st_mode & 0o170077 == 0o040000 and found.st_uid == os.geteuid()


def is_same_user(peer: socket) -> bool:
    """Whether the kernel says that this account is at the other end."""
    from _socket import SO_PEERCRED, SOL_SOCKET

    credentials = peer.getsockopt(SOL_SOCKET, SO_PEERCRED, 12)  # struct ucred: pid, uid, gid
    return int.from_bytes(credentials[4:8], sys.byteorder) == os.geteuid()


def packed(parts: Sequence[bytes]) -> bytes:
    """A message: the number of bytes that follow, then each part behind its length."""
    body = b"".join(len(each).to_bytes(4, "big") + each for each in parts)
    return len(body).to_bytes(4, "big") + body


def unpacked(body: bytes) -> list[bytes]:
    """The parts of a message, whose length is taken off. Raises ValueError where it is none."""
    parts, at = [], 0
    while at < len(body):
        end = at + 4 + int.from_bytes(body[at : at + 4], "big")
        if end > len(body) or at + 4 > len(body):
            raise ValueError("a message is cut off")
        parts.append(body[at + 4 : end])
        at = end
    return parts


def texts(parts: Iterable[bytes]) -> list[str]:
    """Parts as the text that they were, such as arguments."""
    return [each.decode("utf-8", "surrogateescape") for each in parts]
