"""What embedding models have in common: how much of a text is read, and vectors of length 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_Number = TypeVar("_Number", bound="np.floating[Any]")

#: Characters of a text that an embedding model of this machine reads: a bound on its time and memory.
CHARACTERS = 8192


def readable(text: str, characters: int) -> str:
    """The first `characters` of `text`, in a form that has UTF-8: half of a surrogate pair is a question mark."""
    return text[:characters].encode("utf-8", "replace").decode("utf-8")


def unit(vectors: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """The vectors at length 1; each must have a length."""
    import numpy as np

    scaled: npt.NDArray[_Number] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled
