"""Search across languages: the language of each memory, and the signs of its vector by a multilingual model.

A question's vector is compared with the memories' signs, which take a sixteenth of the space of halves: on sixty
questions in ten languages to 500 turns they find as many as whole vectors do (`python -m bench languages`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ricordo.blas import one_thread
from ricordo.embedding import Companion, EmbeddingModel
from ricordo.text import closest
from ricordo.vectors.vector_store import Signs


def multilingual(embedding_model: EmbeddingModel | None) -> EmbeddingModel | None:
    """The multilingual model beside this one. None where there is none; loads it, so not for use in an event loop."""
    return embedding_model.beside() if isinstance(embedding_model, Companion) else None


def multilingual_question(embedding_model: EmbeddingModel | None, text: str) -> np.ndarray | None:
    """A question's vector from the additional multilingual model, or None without one."""
    model = multilingual(embedding_model)
    return None if model is None else model.question(text)


def signs_of(embedding_model: EmbeddingModel, texts: Sequence[str]) -> list[Signs]:
    """Language and signs of each text, by the multilingual model beside this one; empty where there is none."""
    model = multilingual(embedding_model)
    if model is None:
        return []
    vectors = model.encode(texts)
    return [Signs(closest(text), as_bits(vector)) for text, vector in zip(texts, vectors, strict=True)]


def as_bits(vector: np.ndarray) -> str:
    """The signs of a vector, 1 where it is positive."""
    return np.where(vector > 0, b"1", b"0").tobytes().decode()


@one_thread
def likeness(question: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Cosines of a question's vector and others of which only the signs are known, packed in bytes: shape (n, 64)."""
    others = np.unpackbits(signs, axis=1).astype(np.float32) * 2 - 1
    cosines: np.ndarray = others @ question / np.sqrt(len(question), dtype=np.float32)
    return cosines
