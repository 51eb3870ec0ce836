"""A conversation into the palace: which turns are new, where they go, what their places are called."""

from ricordo.mining.mine import Kept, Miner, require_good
from ricordo.mining.tasks import TASKS

__all__ = [
    "TASKS",
    "Kept",
    "Miner",
    "require_good",
]
