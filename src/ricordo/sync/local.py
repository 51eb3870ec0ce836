"""What this machine alone knows of a synced memory: where the folder is, and the secret, in a file of the home."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from ricordo.errors import Changed, UnreadableSource
from ricordo.settings import Settings


@dataclass(frozen=True)
class Local:
    """Where the folder is, and the secret."""

    user: str
    #: Path or URL.
    folder: str
    secret: bytes = field(repr=False)
    #: API key of the server at the folder's URL.
    server_key: str | None = field(default=None, repr=False)
    #: The secret that is about to replace the other one: it counts once the folder names its key.
    next_secret: bytes | None = field(default=None, repr=False)


def name_of_store(settings: Settings, user_id: UUID) -> str:
    """Names a user's memory among all of a home, which may serve several stores."""
    return f"{settings.database}.{settings.schema}.{user_id}"


def path_of(settings: Settings, user_id: UUID) -> Path:
    return settings.home / "sync" / f"{name_of_store(settings, user_id)}.json"


def load(settings: Settings, user_id: UUID) -> Local | None:
    """What is known; None where the memory is not synced from this machine. Raises UnreadableSource."""
    path = path_of(settings, user_id)
    try:
        told = json.loads(path.read_text())
        following = told.get("next_secret")
        return Local(
            told["user"],
            str(told["folder"]),
            bytes.fromhex(told["secret"]),
            told.get("server_key"),
            bytes.fromhex(following) if following else None,
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableSource(f"{path} cannot be read: join again with `ricordo sync join FOLDER`") from None


def save(settings: Settings, user_id: UUID, local: Local) -> None:
    """Remember the folder and the secret, readable by this account alone."""
    path = path_of(settings, user_id)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    told = {"user": local.user, "folder": local.folder, "secret": local.secret.hex(), "server_key": local.server_key}
    if local.next_secret is not None:
        told["next_secret"] = local.next_secret.hex()
    partial = path.with_suffix(".partial")
    descriptor = os.open(partial, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(told, file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def users(settings: Settings) -> list[str]:
    """The users of this store whose memory is synced from this machine, as far as their files can be read."""
    found = []
    for path in sorted((settings.home / "sync").glob(f"{settings.database}.{settings.schema}.*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            found.append(str(json.loads(path.read_text())["user"]))
    return found


def remove(settings: Settings, user_id: UUID) -> None:
    path_of(settings, user_id).unlink(missing_ok=True)


@contextmanager
def one_at_a_time(settings: Settings, user_id: UUID) -> Iterator[None]:
    """Keep other processes of this machine from syncing the same memory. Raises Changed where one does."""
    path = path_of(settings, user_id).with_suffix(".lock")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Changed("another process is syncing this memory: try again when it has ended") from None
        yield
