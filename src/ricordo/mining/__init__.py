"""Mining: a conversation → the palace."""

from ricordo.mining.embedding import Batch, embed_batch, renew_batch
from ricordo.mining.mine import Miner

__all__ = ["Batch", "Miner", "embed_batch", "renew_batch"]
