"""Text to vectors: embedding models on this machine and hosted ones, and their weights."""

from ricordo.embedding.catalog import DEFAULT, MODELS, MULTILINGUAL, Model, Prepared
from ricordo.embedding.choice import Endpoint, choices, choose, endpoint
from ricordo.embedding.files import installed, present
from ricordo.embedding.metering import Call, metered
from ricordo.embedding.model import Companion, EmbeddingModel, TokenModel, Vocabulary, load
from ricordo.embedding.tokens import BYTES as TOKEN_BYTES
from ricordo.embedding.tokens import matches

__all__ = [
    "DEFAULT",
    "MODELS",
    "MULTILINGUAL",
    "TOKEN_BYTES",
    "Call",
    "Companion",
    "EmbeddingModel",
    "Endpoint",
    "Model",
    "Prepared",
    "TokenModel",
    "Vocabulary",
    "choices",
    "choose",
    "endpoint",
    "installed",
    "load",
    "matches",
    "metered",
    "present",
]
