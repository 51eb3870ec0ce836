"""What an encoder is, and how a process comes by the one that is installed. Imports no model library by itself."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ricordo.encoders.catalog import DEFAULT, find
from ricordo.encoders.files import folder, present, verify
from ricordo.errors import ModelUnavailable
from ricordo.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Encoder(Protocol):
    """Turns texts into vectors whose dot product says how near in meaning they are. Any thread may call it."""

    @property
    def name(self) -> str:
        """The space of the vectors: only vectors of one name can be compared."""

    @property
    def dimension(self) -> int:
        """The length of each vector."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One vector of unit length for each text, in the order of the texts: shape (len(texts), dimension).

        Every string has a vector, an empty one too; a text's vector does not depend on the texts beside it.
        Takes milliseconds a text, so an event loop calls it in a thread.
        """


_loaded: dict[tuple[Path, int], Encoder] = {}
_loading = threading.Lock()


def available(settings: Settings) -> bool:
    """Whether a model's files are there, by name and length; nothing is loaded, so `load` may still find damage."""
    return present(settings) is not None


def load(settings: Settings) -> Encoder:
    """The installed encoder; the first call of a process checks and loads it (a fifth of a second), the others
    return the same one. Raises ModelUnavailable where none is installed, its files are damaged, or the libraries
    that run it do not work here."""
    model = present(settings) or find(DEFAULT)
    threads = settings.encoder_threads if settings.encoder_threads > 0 else _cores()
    key = (folder(settings, model), threads)
    with _loading:
        if key not in _loaded:
            where = verify(settings, model)
            try:
                from ricordo.encoders.minilm import MiniLM
            except ImportError as error:
                raise ModelUnavailable(
                    f"{model.name} needs onnxruntime, tokenizers and numpy, and one of them cannot be imported "
                    f"({error}): install Ricordo anew on a platform that they have wheels for"
                ) from error
            _loaded[key] = MiniLM(model, where, threads)
        return _loaded[key]


def _cores() -> int:
    """The cores that this process may use, which in a container or under taskset are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
