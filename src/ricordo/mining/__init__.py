"""Mining: a conversation → the palace."""

from ricordo.mining.embedding import Batch, embed_batch, renew_batch
from ricordo.mining.mine import Kept, Miner, require_good
from ricordo.mining.reading import ReadWindows, estimate_extraction, extract_conversation

__all__ = [
    "Batch",
    "Kept",
    "Miner",
    "ReadWindows",
    "embed_batch",
    "estimate_extraction",
    "extract_conversation",
    "renew_batch",
    "require_good",
]
