"""One memory on several devices: an encrypted log for each of them in a shared folder, and the merging of these."""

from ricordo.sync.holding import Holding
from ricordo.sync.local import remove as remove_key
from ricordo.sync.local import users
from ricordo.sync.records import SyncScope
from ricordo.sync.remaining import remains
from ricordo.sync.syncing import COMPACT_HOURS, Syncing

__all__ = ["COMPACT_HOURS", "Holding", "SyncScope", "Syncing", "remains", "remove_key", "users"]
