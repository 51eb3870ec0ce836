"""The resources of the client, such as `memory.entries` and `memory.palace`: they check arguments and call features."""

from ricordo.api.about import about
from ricordo.api.acting import acting_as
from ricordo.api.activity import Activity
from ricordo.api.agents import Agents, Profiles
from ricordo.api.archive import Archive
from ricordo.api.audit import Audit
from ricordo.api.checking import argument
from ricordo.api.documents import Documents
from ricordo.api.entities import Entities
from ricordo.api.entries import Entries
from ricordo.api.facts import Facts
from ricordo.api.jobs import Jobs
from ricordo.api.journal import Core, Journal
from ricordo.api.keys import Keys
from ricordo.api.notes import Notes
from ricordo.api.operations import Operations
from ricordo.api.palace import Palace
from ricordo.api.projects import InProject
from ricordo.api.proposals import Proposals
from ricordo.api.review import ReviewQueue
from ricordo.api.runs import Running, Runs
from ricordo.api.serving import Serving
from ricordo.api.settings import SettingsResource
from ricordo.api.showing import showing
from ricordo.api.sync import Sync
from ricordo.api.usage import UsageResource
from ricordo.api.whiteboards import Whiteboards

__all__ = [
    "Activity",
    "Agents",
    "Archive",
    "Audit",
    "Core",
    "Documents",
    "Entities",
    "Entries",
    "Facts",
    "InProject",
    "Jobs",
    "Journal",
    "Keys",
    "Notes",
    "Operations",
    "Palace",
    "Profiles",
    "Proposals",
    "ReviewQueue",
    "Running",
    "Runs",
    "Serving",
    "SettingsResource",
    "Sync",
    "UsageResource",
    "Whiteboards",
    "about",
    "acting_as",
    "argument",
    "showing",
]
