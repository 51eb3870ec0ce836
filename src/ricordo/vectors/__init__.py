"""Vectors of memories: the embedding queue, the tables, the per-user index, and changing the embedding model."""

from ricordo.vectors.backfill import embed_pending
from ricordo.vectors.embedder import Embedder
from ricordo.vectors.embedding import embed_batch
from ricordo.vectors.encoding import Encoding, Loading
from ricordo.vectors.near_index import LARGE, tend_near_index
from ricordo.vectors.near_index_store import usable as near_index_of
from ricordo.vectors.paid import paid_embedding
from ricordo.vectors.reembedding import Reembedding
from ricordo.vectors.space_store import spaces
from ricordo.vectors.vector_store import pending

__all__ = [
    "LARGE",
    "Embedder",
    "Encoding",
    "Loading",
    "Reembedding",
    "embed_batch",
    "embed_pending",
    "near_index_of",
    "paid_embedding",
    "pending",
    "spaces",
    "tend_near_index",
]
