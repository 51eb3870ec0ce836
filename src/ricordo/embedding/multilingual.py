"""The multilingual Universal Sentence Encoder: sentence pieces, convolutions over two, three and five of them,
and a small network over their sum. It places a sentence near its translation in any of its sixteen languages.

Importing this module imports numpy and sentencepiece, so only `ricordo.embedding.load` does. The architecture is that
of Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval",
https://arxiv.org/abs/1907.04307; the names of the weights are those of the release in the catalog.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sentencepiece import SentencePieceProcessor

from ricordo.blas import one_thread
from ricordo.embedding.catalog import Model
from ricordo.embedding.texts import CHARACTERS, readable, unit

_Floats = npt.NDArray[np.float32]
_Ids = npt.NDArray[np.int64]

#: Pieces that one convolution reads, and how many of them stand before the piece that it is about.
_WINDOWS = ((2, 0), (3, 1), (5, 2))
#: Channels of each convolution.
_CHANNELS = 256
#: The table of pieces comes in this many parts; piece n is row n // 17 of part n % 17.
_PARTS = 17
#: Pieces of a text that are read, and pieces that pass through the network together: a bound on memory.
_LONGEST, _TOGETHER = 512, 384
#: Vectors kept of texts that came alone, as questions do.
_REMEMBERED = 256


@dataclass(frozen=True)
class _Convolution:
    """One branch: a projection of the pieces, and two layers that each read `width` pieces."""

    width: int
    before: int
    project: _Floats
    project_bias: _Floats
    gain: _Floats
    shift: _Floats
    layers: tuple[tuple[_Floats, _Floats], ...]


class Multilingual:
    """See `ricordo.embedding.EmbeddingModel`."""

    hosted = False

    def __init__(self, model: Model, folder: Path, threads: int) -> None:
        """Loads the files of `model` from `folder`; one call of `encode` works on `threads`."""
        self._threads = threads
        self.name = model.space
        self.dimension = model.dimension
        self._pieces = SentencePieceProcessor(model_file=str(folder / model.vocabulary.name))
        with np.load(folder / model.weights.name, allow_pickle=False) as file:
            self._parts = [file[f"q{number + 1}"] for number in range(_PARTS)]
            self._weights = {name: file[name] for name in file.files if not name.startswith("q")}
        self._epsilon = float(self._weights["eps"])
        self._branches = [self._branch(width, before) for width, before in _WINDOWS]
        self._alone = lru_cache(_REMEMBERED)(lambda text: self._vectors([text]))

    def encode(self, texts: Sequence[str]) -> _Floats:
        """One vector of unit length for each text, in their order: shape (len(texts), dimension).

        A text is read up to its 512th piece. Beside other texts a vector may differ in the last digits.
        """
        given = [readable(text, CHARACTERS) for text in texts]
        if len(given) == 1:
            return self._alone(given[0]).copy()
        batches = list(self._batches(given))
        with ThreadPoolExecutor(self._threads, "ricordo-embedding") as pool:
            try:
                vectors = pool.map(self._vectors, batches)
            except RuntimeError:  # the interpreter is ending, and starts no thread any more
                vectors = map(self._vectors, batches)
            return np.concatenate([np.empty((0, self.dimension), np.float32), *vectors])

    def question(self, text: str) -> _Floats:
        """The vector of a question."""
        vector: _Floats = self.encode([text])[0]
        return vector

    def remembered(self, text: str) -> None:
        """Nothing needs to be remembered here."""

    def _batches(self, texts: list[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        size = 0
        for text in texts:
            length = min(len(text), _LONGEST)  # no piece is shorter than a character
            if batch and size + length > 4 * _TOGETHER:
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += length
        if batch:
            yield batch

    @one_thread
    def _vectors(self, texts: list[str]) -> _Floats:
        first, last = self._pieces.bos_id(), self._pieces.eos_id()
        cut = [[first, *self._pieces.encode(text)[: _LONGEST - 2], last] for text in texts]
        lengths = np.array([len(each) for each in cut])
        pieces = np.concatenate([np.array(each, np.int64) for each in cut])
        starts = np.cumsum(lengths) - lengths
        embedded = self._embedded(pieces)
        neighbors = _neighbors(starts, lengths)
        read = [embedded, *(self._convolved(embedded, branch, neighbors) for branch in self._branches)]
        features = self._normalized(np.concatenate(read, axis=1), self._weights["ln_g"], self._weights["ln_b"])
        # The projection is linear, so it may follow the sum over the pieces.
        roots = np.sqrt(lengths, dtype=np.float32)[:, None]
        summed = np.add.reduceat(features, starts, axis=0) @ self._weights["cnn_W"] / roots
        return unit(self._condensed(summed + roots * self._weights["cnn_b"]))

    def _embedded(self, pieces: _Ids) -> _Floats:
        part = pieces % _PARTS
        scale, lowest = self._weights["scale"][part, None], self._weights["lo"][part, None]
        rows = [self._parts[each][row] for each, row in zip(part, pieces // _PARTS, strict=True)]
        embedded: _Floats = np.stack(rows) * scale + lowest
        return embedded

    @one_thread
    def _convolved(self, embedded: _Floats, branch: _Convolution, neighbors: _Ids) -> _Floats:
        x = self._normalized(embedded @ branch.project + branch.project_bias, branch.gain, branch.shift)
        first = max(before for _, before in _WINDOWS) - branch.before
        window = neighbors[:, first : first + branch.width]
        for weight, bias in branch.layers:
            # The row of zeros is what stands before the first piece of a text and after its last.
            padded = np.concatenate([x, np.zeros((1, _CHANNELS), np.float32)])
            x = x + np.maximum(padded[window].reshape(len(x), -1) @ weight + bias, 0)
        return x

    @one_thread
    def _condensed(self, summed: _Floats) -> _Floats:
        w = self._weights
        first = np.maximum(np.maximum(summed @ w["d0"], 0) @ w["d1"] + summed @ w["p1"], 0)
        second: _Floats = np.tanh(np.maximum(first @ w["d2"], 0) @ w["d3"] + first @ w["p3"])
        return second

    def _normalized(self, x: _Floats, gain: _Floats, shift: _Floats) -> _Floats:
        centered = x - x.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", centered, centered)[:, None] / x.shape[1]
        normalized: _Floats = centered / np.sqrt(variance + np.float32(self._epsilon)) * gain + shift
        return normalized

    def _branch(self, width: int, before: int) -> _Convolution:
        w = self._weights
        layers = tuple((w[f"w{layer}_{width}"], w[f"b{layer}_{width}"]) for layer in (1, 2))
        names = ("proj", "proj_b", "ln_g", "ln_b")
        project, project_bias, gain, shift = (w[f"{name}{width}"] for name in names)
        return _Convolution(width, before, project, project_bias, gain, shift, layers)


def _neighbors(starts: _Ids, lengths: _Ids) -> _Ids:
    """For each piece the rows of the pieces around it, within its own text; elsewhere the row after the last."""
    count = int(lengths.sum())
    before = max(before for _, before in _WINDOWS)
    after = max(width - 1 - before for width, before in _WINDOWS)
    around = np.arange(count)[:, None] + np.arange(-before, after + 1)
    inside = (around >= np.repeat(starts, lengths)[:, None]) & (around < np.repeat(starts + lengths, lengths)[:, None])
    return np.where(inside, around, count)
