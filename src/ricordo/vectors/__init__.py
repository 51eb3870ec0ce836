"""Vectors of memories: the embedding queue, the tables, the per-user index, and changing the embedding model."""

from ricordo.vectors.backfill import embed_pending
from ricordo.vectors.background import BackgroundEmbedding
from ricordo.vectors.embedding import embed_batch
from ricordo.vectors.encoding import Encoding, Loading
from ricordo.vectors.near_index import LARGE, tend_near_index
from ricordo.vectors.near_index_store import usable as near_index_of
from ricordo.vectors.paid import paid_embedding
from ricordo.vectors.reembedding import Reembedding
from ricordo.vectors.signs import as_bits, likeness, multilingual_question
from ricordo.vectors.space_store import default_model, spaces
from ricordo.vectors.space_store import tidy as tidy_vectors
from ricordo.vectors.vector_store import forget_room_vector, pending, renew_following, renew_next
from ricordo.vectors.vector_store import problems as vector_problems

__all__ = [
    "LARGE",
    "BackgroundEmbedding",
    "Encoding",
    "Loading",
    "Reembedding",
    "as_bits",
    "default_model",
    "embed_batch",
    "embed_pending",
    "forget_room_vector",
    "likeness",
    "multilingual_question",
    "near_index_of",
    "paid_embedding",
    "pending",
    "renew_following",
    "renew_next",
    "spaces",
    "tend_near_index",
    "tidy_vectors",
    "vector_problems",
]
