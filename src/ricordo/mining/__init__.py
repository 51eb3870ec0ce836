"""Mining: a conversation → the palace."""

from ricordo.mining.embedding import embed_batch
from ricordo.mining.mine import Miner

__all__ = ["Miner", "embed_batch"]
