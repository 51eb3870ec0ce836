"""The network of a model in the form that it computes in: made once when the model is installed, checked when loaded.

A folder that was filled by hand, or by a version that did not prepare it, is prepared when it is first loaded. Where it
cannot be written to, each process makes the network anew.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from ricordo.embedding.catalog import Model, Prepared


def read(where: Path, prepared: Prepared) -> bytes | None:
    """The prepared network in this folder; None where there is none, or not the right one."""
    try:
        content = (where / prepared.name).read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == prepared.sha256 else None


def prepare(where: Path, model: Model) -> bytes:
    """The network of `model`, made of its weights, which must be whole; it is kept in the folder where that can be."""
    from ricordo.embedding.integers import in_integers  # which imports numpy

    content = in_integers(where / model.weights.name)
    if model.prepared is not None:
        with suppress(OSError):  # such as a folder that only another account may write to
            _keep(content, where / model.prepared.name)
    return content


def _keep(content: bytes, path: Path) -> None:
    """Write a file that is there whole or not at all, however many processes do so at once."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)  # a server may run as another account than the one that installs
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)
