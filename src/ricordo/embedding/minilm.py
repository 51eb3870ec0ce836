"""The all-MiniLM-L6-v2 sentence embedding model on onnxruntime: word pieces, the network, their mean, and length 1; and
from the same run the vectors of the word pieces themselves.

Importing this module imports numpy and onnxruntime, so only `ricordo.embedding.load` does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ricordo.embedding.catalog import Model
from ricordo.embedding.texts import CHARACTERS, readable, unit
from ricordo.embedding.tokens import DIMENSIONS, Projection, packed
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
_INNER = _WINDOW - 2
#: A longer text counts as the mean of its first windows, each with the weight of its length. On LongMemEval's long
#: turns 87% of the sentences beyond the first window then find their turn among the first 5, against 73% when only
#: the first window is read; sentences within it do as well as before.
_WINDOWS = 4
#: Texts that are cut into word pieces before the network sees the first of them.
_TEXTS_AT_ONCE = 1024
#: Vectors kept of texts that came alone, as questions do.
_REMEMBERED = 256

#: How the vectors of word pieces are made small. `script/token-projection` makes the file from our own texts: their
#: mean and first principal components, 50 KB.
_PROJECTION = Path(__file__).with_name("minilm_tokens.npy")
#: Word pieces of one text whose vectors are kept: 4 KB.
_TOKENS = 128

#: The word pieces of one window, as their numbers in the vocabulary.
_Pieces = list[int]
_Floats = npt.NDArray[np.float32]


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
        self._projection = Projection(_PROJECTION)
        self._alone = lru_cache(_REMEMBERED)(self._question)

    def encode(self, texts: Sequence[str]) -> _Floats:
        """One vector of unit length for each text, in their order: shape (len(texts), dimension).

        A text is read up to its 8,192nd character or 1,016th word piece, whichever comes first. An empty text has
        the vector of a sentence without words; half of a surrogate pair is read as a question mark.
        """
        if len(texts) == 1:
            return self._alone(readable(texts[0], CHARACTERS))[0][None].copy()
        return self.encode_with_tokens(texts, [0] * len(texts))[0]

    def encode_with_tokens(self, texts: Sequence[str], own: Sequence[int]) -> tuple[_Floats, list[bytes | None]]:
        """The same vectors, and of each text the packed vectors of its first `own` characters: of up to 128 pieces of
        words that are no stop words, None where there are none."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        tokens: list[bytes | None] = []
        with ThreadPoolExecutor(self._threads, "ricordo-embedding") as pool:
            for start in range(0, len(texts), _TEXTS_AT_ONCE):
                part = [readable(text, CHARACTERS) for text in texts[start : start + _TEXTS_AT_ONCE]]
                ends = own[start : start + _TEXTS_AT_ONCE]
                kept = [self._telling(text[:end]) for text, end in zip(part, ends, strict=True)]
                for row, (vector, states) in enumerate(self._read(part, kept, pool)):
                    vectors[start + row] = vector
                    tokens.append(packed(self._projection.reduced(states)) if len(states) else None)
        return vectors, tokens

    def question(self, text: str) -> _Floats:
        """The vector of a question."""
        return self._alone(readable(text, CHARACTERS))[0].copy()

    def question_tokens(self, text: str) -> _Floats:
        """The reduced vectors of a question's word pieces: those of words that are no stop words, else of all."""
        return self._alone(readable(text, CHARACTERS))[1]

    def is_word(self, word: str) -> bool:
        """Whether a folded word is a common one of its language."""
        return self._word_pieces.is_word(word)

    def remembered(self, text: str) -> None:
        """Nothing needs to be remembered here."""

    def states(self, texts: Iterable[str]) -> Iterator[_Floats]:
        """The network's own vectors of all word pieces of each text; `script/token-projection` reads them."""
        for text in texts:
            for window in self._windows(readable(text, CHARACTERS)):
                yield self._run((window, list(range(len(window) - 2))))[1]

    def _question(self, text: str) -> tuple[_Floats, _Floats]:
        kept = self._telling(text) or list(range(min(len(self._word_pieces.cut(text)), _TOKENS)))
        [(vector, states)] = self._read([text], [kept])
        tokens = self._projection.reduced(states) if len(states) else np.empty((0, DIMENSIONS), np.float32)
        tokens.flags.writeable = False  # it is kept, and handed out to all
        return vector, tokens

    def _telling(self, text: str) -> list[int]:
        """Which word pieces of a text tell something: not those of stop words, nor signs."""
        if not text:
            return []
        pieces = self._word_pieces.cut(text)[: _WINDOWS * _INNER]
        return [place for place, piece in enumerate(pieces) if not self._word_pieces.is_mute(piece)][:_TOKENS]

    def _read(
        self, texts: list[str], kept: list[list[int]], pool: ThreadPoolExecutor | None = None
    ) -> Iterator[tuple[_Floats, _Floats]]:
        """Of each text its vector and the network's vectors of the pieces at the places `kept`."""
        cut = [self._windows(text) for text in texts]
        windows = [
            (window, [place - start for place in places if start <= place < start + _INNER])
            for own, places in zip(cut, kept, strict=True)
            for window, start in zip(own, range(0, len(own) * _INNER, _INNER), strict=True)
        ]
        try:
            runs = (pool.map if pool else map)(self._run, windows)
        except RuntimeError:  # the interpreter is ending, and starts no thread any more
            runs = map(self._run, windows)
        for own in cut:
            parts = [(len(window), *next(runs)) for window in own]
            vector = sum((length * mean for length, mean, _ in parts), np.zeros(self.dimension, np.float32))
            yield unit(vector[None])[0], np.concatenate([states for _, _, states in parts])

    def _windows(self, text: str) -> list[_Pieces]:
        pieces = self._word_pieces.cut(text)[: _WINDOWS * _INNER]
        parts = [pieces[start : start + _INNER] for start in range(0, max(len(pieces), 1), _INNER)]
        return [[_START, *part, _END] for part in parts]

    def _run(self, task: tuple[_Pieces, list[int]]) -> tuple[_Floats, _Floats]:
        """A window's vector, and the network's vectors of its pieces at these places."""
        window, places = task
        # Each window alone: several at once are no faster, and shorter ones would be padded.
        ids = np.array([window], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(["last_hidden_state"], feeds)[0]
        # The sum over a window's pieces points where their mean does. The first state is that of [CLS].
        return unit(states.sum(1))[0], states[0, 1:][places]
