"""Mining: a conversation → the palace."""

from ricordo.mining.mine import Kept, Miner, require_good
from ricordo.mining.tasks import TASKS

__all__ = [
    "TASKS",
    "Kept",
    "Miner",
    "require_good",
]
