"""What one process shares between open memories: connections, queued jobs, long operations."""

from ricordo.background.operating import ARCHIVE, TALK, MineRequest
from ricordo.background.shared import Shared
from ricordo.background.working import Background, work_for_all, worker_for_all

__all__ = [
    "ARCHIVE",
    "TALK",
    "Background",
    "MineRequest",
    "Shared",
    "work_for_all",
    "worker_for_all",
]
