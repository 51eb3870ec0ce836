"""Vectors of word pieces: their reduction, and the similarity of texts by them.

An embedding model that reads word pieces computes a vector for each before it takes the mean. Here, each vector is
reduced to 64 dimensions of 4 bits: 32 bytes in all. `matches` compares a question with texts: for each piece of the
question, it takes the most similar piece of the text (MaxSim, Khattab & Zaharia, 2020: ColBERT).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ricordo.blas import one_thread

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Floats: TypeAlias = npt.NDArray[np.float32]

#: Dimensions of a piece's vector, of which two share a byte, and the greatest number that 4 bits hold with a sign.
DIMENSIONS = 64
BYTES = DIMENSIONS // 2
_MOST = 7


class Projection:
    """The reduction of a model's vectors: their mean, which is taken off, and the directions that are kept."""

    def __init__(self, path: Path) -> None:
        """Reads a `.npy` file: the mean in its first row, a direction in each of the others."""
        import numpy as np

        rows = np.load(path).astype(np.float32)
        self._mean, self._directions = rows[0], rows[1:].T

    @one_thread
    def reduced(self, states: _Floats) -> _Floats:
        """Vectors of length 1 with DIMENSIONS dimensions, one for each row."""
        return _unit(_unit(states - self._mean) @ self._directions)


def packed(vectors: _Floats) -> bytes:
    """Reduced vectors in BYTES each: the greatest number of each vector becomes 7."""
    import numpy as np

    greatest = np.abs(vectors).max(axis=1, keepdims=True, initial=1e-6)
    numbers = (np.round(vectors / greatest * _MOST) + (_MOST + 1)).astype(np.uint8)
    return bytes(numbers[:, ::2] << 4 | numbers[:, 1::2])


@one_thread
def matches(question: _Floats, texts: Sequence[bytes | None]) -> _Floats:
    """For each text, how similar its best packed vector is to each of a question's reduced vectors, from 0 to 1.

    One row for each text; 0 for a text without vectors."""
    import numpy as np

    found = np.zeros((len(texts), len(question)), np.float32)
    lengths = np.array([len(each or b"") // BYTES for each in texts])
    told = np.flatnonzero(lengths)
    if not len(told) or not len(question):
        return found
    numbers = np.frombuffer(b"".join(each for each in texts if each), np.uint8)
    vectors = _unit(_pairs().take(numbers).view(np.float32).reshape(-1, DIMENSIONS))
    starts = np.cumsum(lengths[told]) - lengths[told]
    found[told] = np.clip(np.maximum.reduceat(vectors @ question.T, starts, axis=0), 0, 1)
    return found


@cache
def _pairs() -> npt.NDArray[np.complex64]:
    """For each byte the two numbers in it, as one element: numpy takes elements ten times as fast as rows."""
    import numpy as np

    pairs = np.stack([np.arange(256) >> 4, np.arange(256) & 15], axis=1).astype(np.float32) - (_MOST + 1)
    return pairs.view(np.complex64).ravel()


def _unit(vectors: _Floats) -> _Floats:
    import numpy as np

    scaled: _Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return scaled
