"""Static embedding models: a table with one vector for each word piece; a text is the mean of its pieces, at length 1.

Importing this module imports numpy and tokenizers, so only `ricordo.embedding.load` does. The weights are read as the
safetensors format lays them out: https://github.com/huggingface/safetensors#format.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from ricordo.embedding.catalog import Model
from ricordo.embedding.texts import CHARACTERS, readable, unit

#: The piece that stands for what the vocabulary does not hold, and here for a text without pieces.
_UNKNOWN = 0
#: Texts that are cut into pieces before their vectors are looked up: a bound on memory.
_TEXTS_AT_ONCE = 256


class Table:
    """See `ricordo.embedding.EmbeddingModel`."""

    hosted = False

    def __init__(self, model: Model, folder: Path) -> None:
        """Loads the files of `model` from `folder`."""
        self.name = model.space
        self.dimension = model.dimension
        self._tokenizer = Tokenizer.from_file(str(folder / model.vocabulary.name))
        self._table = _matrix(folder / model.weights.name)

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One vector of unit length for each text, in their order: shape (len(texts), dimension).

        A text is read up to its 8,192nd character. An empty text has the vector of an unknown word.
        """
        parts = [texts[start : start + _TEXTS_AT_ONCE] for start in range(0, len(texts), _TEXTS_AT_ONCE)]
        found = [self._vectors([readable(text, CHARACTERS) for text in part]) for part in parts]
        return np.concatenate([np.empty((0, self.dimension), np.float32), *found])

    def question(self, text: str) -> npt.NDArray[np.float32]:
        """The vector of a question."""
        vector: npt.NDArray[np.float32] = self.encode([text])[0]
        return vector

    def remembered(self, text: str) -> None:
        """Nothing needs to be remembered here."""

    def _vectors(self, texts: list[str]) -> npt.NDArray[np.float32]:
        cut = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        pieces = [np.array(each.ids or [_UNKNOWN]) for each in cut]
        starts = np.cumsum([0, *(len(each) for each in pieces[:-1])])
        # The sum of a text's pieces points where their mean does.
        return unit(np.add.reduceat(self._table[np.concatenate(pieces)].astype(np.float32), starts, axis=0))


def _matrix(path: Path) -> npt.NDArray[np.float16]:
    """The one tensor of a safetensors file."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    [tensor] = (value for name, value in json.loads(content[8 : 8 + length]).items() if name != "__metadata__")
    begin, end = tensor["data_offsets"]
    return np.frombuffer(content, "<f2", offset=8 + length + begin, count=(end - begin) // 2).reshape(tensor["shape"])
