"""A conversation into the palace: which turns are new, where they go, what their places are called."""

from ricordo.mining.alignment import Batch, batch, fingerprint
from ricordo.mining.mine import PIECE, Kept, Miner, Part, mended, require_good
from ricordo.mining.parts import parts
from ricordo.mining.tasks import LATER, TASKS
from ricordo.mining.turns import Turn

__all__ = [
    "LATER",
    "PIECE",
    "TASKS",
    "Batch",
    "Kept",
    "Miner",
    "Part",
    "Turn",
    "batch",
    "fingerprint",
    "mended",
    "parts",
    "require_good",
]
