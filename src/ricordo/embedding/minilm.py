"""The all-MiniLM-L6-v2 sentence embedding model on onnxruntime: word pieces, the network, their mean, and length 1.

Importing this module imports numpy and onnxruntime, so only `ricordo.embedding.load` does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ricordo.embedding.catalog import Model
from ricordo.embedding.texts import CHARACTERS, readable, unit
from ricordo.embedding.wordpiece import WordPieces

if TYPE_CHECKING:
    from ricordo.embedding.model import EmbeddingModel

# On Linux onnxruntime sends usage events to its maker, and stores them under the user's cache until then. Only this
# variable stops it, set before the import; whatever its value was, Ricordo promises that nothing is sent. Child
# processes inherit it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

#: The pieces [CLS] and [SEP] of BERT's vocabulary, which stand around every window.
_START, _END = 101, 102
#: Word pieces that the network was trained to read at once, these two among them.
_WINDOW = 256
#: A longer text counts as the mean of its first windows, each with the weight of its length. On LongMemEval's long
#: turns 87% of the sentences beyond the first window then find their turn among the first 5, against 73% when only
#: the first window is read; sentences within it do as well as before.
_WINDOWS = 4
#: Texts that are cut into word pieces before the network sees the first of them.
_TEXTS_AT_ONCE = 1024
#: Vectors kept of texts that came alone, as questions do.
_REMEMBERED = 256

#: The word pieces of one window, as their numbers in the vocabulary.
_Pieces = list[int]


class MiniLM:
    """See `ricordo.embedding.EmbeddingModel`."""

    hosted = False

    def __init__(
        self,
        model: Model,
        folder: Path,
        network: bytes,
        threads: int,
        beside: Callable[[], EmbeddingModel | None] = lambda: None,
    ) -> None:
        """Loads `network` and the vocabulary of `model` from `folder`; one call of `encode` works on `threads`."""
        self.name = model.space
        self.dimension = model.dimension
        self._threads = threads
        self.beside = cache(beside)
        self._word_pieces = WordPieces(folder / model.vocabulary.name)
        options = onnxruntime.SessionOptions()
        # One thread a run, and several runs side by side: on two cores as fast as one run over both, better on more,
        # and no idle thread of the session spins.
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        self._alone = lru_cache(_REMEMBERED)(lambda text: self._vectors([text]))

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One vector of unit length for each text, in their order: shape (len(texts), dimension).

        A text is read up to its 8,192nd character or 1,016th word piece, whichever comes first. An empty text has
        the vector of a sentence without words; half of a surrogate pair is read as a question mark.
        """
        if len(texts) == 1:
            return self._alone(readable(texts[0], CHARACTERS)).copy()
        vectors = np.empty((len(texts), self.dimension), np.float32)
        with ThreadPoolExecutor(self._threads, "ricordo-embedding") as pool:
            for start in range(0, len(texts), _TEXTS_AT_ONCE):
                part = [readable(text, CHARACTERS) for text in texts[start : start + _TEXTS_AT_ONCE]]
                vectors[start : start + len(part)] = self._vectors(part, pool)
        return vectors

    def question(self, text: str) -> npt.NDArray[np.float32]:
        """The vector of a question."""
        vector: npt.NDArray[np.float32] = self.encode([text])[0]
        return vector

    def is_word(self, word: str) -> bool:
        """Whether a folded word is a common one of its language."""
        return self._word_pieces.is_word(word)

    def remembered(self, text: str) -> None:
        """Nothing needs to be remembered here."""

    def _vectors(self, texts: list[str], pool: ThreadPoolExecutor | None = None) -> npt.NDArray[np.float32]:
        cut = [self._windows(text) for text in texts]
        windows = [window for each in cut for window in each]
        try:
            runs = (pool.map if pool else map)(self._run, windows)
        except RuntimeError:  # the interpreter is ending, and starts no thread any more
            runs = map(self._run, windows)
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for vector, own in zip(vectors, cut, strict=True):
            for window in own:
                vector += len(window) * next(runs)
        return unit(vectors)

    def _windows(self, text: str) -> list[_Pieces]:
        inner = _WINDOW - 2
        pieces = self._word_pieces.cut(text)[: _WINDOWS * inner]
        parts = [pieces[start : start + inner] for start in range(0, max(len(pieces), 1), inner)]
        return [[_START, *part, _END] for part in parts]

    def _run(self, window: _Pieces) -> npt.NDArray[np.float32]:
        # Each window alone: several at once are no faster, and shorter ones would be padded.
        ids = np.array([window], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(["last_hidden_state"], feeds)[0]
        # The sum over a window's pieces points where their mean does.
        vector: npt.NDArray[np.float32] = unit(states.sum(1))[0]
        return vector
