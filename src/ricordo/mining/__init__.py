"""A conversation into the palace: which turns are new, where they go, what their places are called."""

from ricordo.mining.alignment import Batch, batch, fingerprint
from ricordo.mining.mine import Kept, Miner, mended, require_good
from ricordo.mining.tasks import LATER, TASKS
from ricordo.mining.turns import Turn

__all__ = [
    "LATER",
    "TASKS",
    "Batch",
    "Kept",
    "Miner",
    "Turn",
    "batch",
    "fingerprint",
    "mended",
    "require_good",
]
