"""What an embedding model is, and how a process comes by one. Imports no model library by itself."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ricordo.embedding.catalog import MULTILINGUAL, Model, find
from ricordo.embedding.choice import Endpoint, choose
from ricordo.embedding.files import folder, present, verify
from ricordo.embedding.prepared import prepare, read
from ricordo.errors import ModelUnavailable
from ricordo.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class EmbeddingModel(Protocol):
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
        Takes milliseconds a text, so an event loop calls it in a thread. A hosted embedding model raises
        ModelUnavailable while it does not serve or has no vectors for these texts (`at_texts`); others raise nothing.
        """

    def question(self, text: str) -> npt.NDArray[np.float32]:
        """The vector of a question, shape (dimension,): as `encode` makes it, but soon or not at all."""

    def remembered(self, text: str) -> npt.NDArray[np.float32] | None:
        """The vector of a question that a hosted embedding model was asked of late, which costs nothing; else None."""

    @property
    def hosted(self) -> bool:
        """Whether it runs elsewhere: texts are sent there, and it may cost money."""


@runtime_checkable
class Vocabulary(Protocol):
    """What an embedding model has besides, where it reads by words."""

    def is_word(self, word: str) -> bool:
        """Whether a folded word is a common one of its language, and so no slip of another."""


@runtime_checkable
class Companion(Protocol):
    """What an embedding model of one language has besides."""

    def beside(self) -> EmbeddingModel | None:
        """The multilingual model that finds what is said in other languages; None where it is not installed. The first
        call loads it (a third of a second)."""


@runtime_checkable
class TokenModel(Protocol):
    """What an embedding model has besides, where it also gives vectors of word pieces (see `tokens`)."""

    def encode_with_tokens(
        self, texts: Sequence[str], own: Sequence[int]
    ) -> tuple[npt.NDArray[np.float32], list[bytes | None]]:
        """What `encode` gives, and of each text the packed vectors of its first `own` characters, from the same run;
        None where these have no word that tells anything."""

    def question_tokens(self, text: str) -> npt.NDArray[np.float32]:
        """The reduced vectors of a question's word pieces; from the same run as `question` of that text."""


#: What each kind of model of this machine needs.
_NEEDS = {
    "network": "onnxruntime and numpy",
    "convolutions": "sentencepiece and numpy",
    "table": "numpy, and tokenizers (`pip install 'ricordo[wordllama]'`)",
}
#: What a loaded embedding model is kept by: a folder and its threads, or an endpoint.
_loaded: dict[object, EmbeddingModel] = {}
_loading = threading.Lock()

log = logging.getLogger("ricordo")


def load(settings: Settings, name: str | None = None) -> EmbeddingModel:
    """The embedding model called `name`, or the one that these settings prefer (see `choice.choose`). The first call of
    a process checks and loads it (a fifth of a second), the others return the same one; a hosted one is not asked yet.

    Raises InvalidInput for a name that means no embedding model, and ModelUnavailable where it is not installed, its
    files are damaged, or the libraries that run it do not work here.
    """
    chosen = choose(settings, name)
    threads = settings.embedding_threads if settings.embedding_threads > 0 else _cores()
    key = chosen if isinstance(chosen, Endpoint) else (chosen.name, folder(settings, chosen), threads)
    with _loading:
        if key not in _loaded:
            _loaded[key] = _hosted(chosen) if isinstance(chosen, Endpoint) else _local(settings, chosen, threads)
        return _loaded[key]


def _hosted(endpoint: Endpoint) -> EmbeddingModel:
    try:
        from ricordo.embedding.hosted import Hosted
    except ImportError as error:
        raise ModelUnavailable(
            f"{endpoint} needs the openai library, which cannot be imported ({error}): run `pip install 'ricordo[llm]'`"
        ) from error
    return Hosted(endpoint)


def _local(settings: Settings, model: Model, threads: int) -> EmbeddingModel:
    where = folder(settings, model)
    network = model.prepared and read(where, model.prepared)
    verify(settings, model, [model.vocabulary] if network else model.files)
    try:
        if model.kind == "table":
            from ricordo.embedding.table import Table

            return Table(model, where)
        if model.kind == "convolutions":
            from ricordo.embedding.multilingual import Multilingual

            return Multilingual(model, where, threads)
        from ricordo.embedding.minilm import MiniLM

        return MiniLM(model, where, network or prepare(where, model), threads, partial(_multilingual, settings))
    except ImportError as error:
        raise ModelUnavailable(
            f"{model.name} needs {_NEEDS[model.kind]}, and one of them cannot be imported ({error})"
        ) from error


def _multilingual(settings: Settings) -> EmbeddingModel | None:
    model = find(MULTILINGUAL)
    try:
        return load(settings, model.name) if present(settings, [model]) else None
    except ModelUnavailable as error:
        log.warning("no search across languages: %s", error)
        return None


def _cores() -> int:
    """The cores that this process may use, which in a container or under taskset are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
