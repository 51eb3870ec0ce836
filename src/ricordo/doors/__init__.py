"""The rooms behind the front door: what `memory.agents`, `memory.entries` and the others can do."""

from ricordo.doors.agents import Agents, Profiles
from ricordo.doors.audit import Audit
from ricordo.doors.entries import Entries
from ricordo.doors.opened import Opened

__all__ = ["Agents", "Audit", "Entries", "Opened", "Profiles"]
