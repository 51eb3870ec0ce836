"""The rooms behind the front door: what `memory.agents`, `memory.entries` and the others can do."""

from ricordo.doors import asking
from ricordo.doors.activity import Activity
from ricordo.doors.agents import Agents, Profiles
from ricordo.doors.answers import Answers
from ricordo.doors.archive import Archive
from ricordo.doors.audit import Audit
from ricordo.doors.backfill import embed_pending
from ricordo.doors.background import Background, backing_up, work_for_all, worker_for_all
from ricordo.doors.documents import Documents
from ricordo.doors.embedder import Embedder
from ricordo.doors.encoding import Encoding
from ricordo.doors.entities import Entities
from ricordo.doors.entries import Entries
from ricordo.doors.importing import import_chats
from ricordo.doors.jobs import Jobs
from ricordo.doors.journal import Core, Journal
from ricordo.doors.keys import Keys
from ricordo.doors.notes import Notes
from ricordo.doors.opened import Opened
from ricordo.doors.operations import Operations
from ricordo.doors.palace import Palace
from ricordo.doors.proposals import Proposals
from ricordo.doors.quarantine import Quarantine
from ricordo.doors.reembedding import Reembedding
from ricordo.doors.runs import Running, Runs
from ricordo.doors.settings import SettingsDoor
from ricordo.doors.shared import Shared
from ricordo.doors.showing import showing
from ricordo.doors.tools import Tools
from ricordo.doors.usage import UsageDoor
from ricordo.doors.watching import Watching
from ricordo.doors.whiteboards import Whiteboards

__all__ = [
    "Activity",
    "Agents",
    "Answers",
    "Archive",
    "Audit",
    "Background",
    "Core",
    "Documents",
    "Embedder",
    "Encoding",
    "Entities",
    "Entries",
    "Jobs",
    "Journal",
    "Keys",
    "Notes",
    "Opened",
    "Operations",
    "Palace",
    "Profiles",
    "Proposals",
    "Quarantine",
    "Reembedding",
    "Running",
    "Runs",
    "SettingsDoor",
    "Shared",
    "Tools",
    "UsageDoor",
    "Watching",
    "Whiteboards",
    "asking",
    "backing_up",
    "embed_pending",
    "import_chats",
    "showing",
    "work_for_all",
    "worker_for_all",
]
