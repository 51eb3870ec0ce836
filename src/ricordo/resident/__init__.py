"""The resident process of a user and a store: where it is met, and how a command calls it.

What a command needs before it knows whether there is one is here, in the standard library's lightest modules; the
process itself is in `listening`, which is imported by its full name since it needs asyncio.
"""

from ricordo.resident.calling import Answer, TookTooLong, call, folder, join, retire, start
from ricordo.resident.meeting import Place, home, is_ours

__all__ = ["Answer", "Place", "TookTooLong", "call", "folder", "home", "is_ours", "join", "retire", "start"]
