"""Chat files into the palace: importing them once, and watching folders that grow."""

from ricordo.importing.chats import import_chats
from ricordo.importing.growing import Growing, Stamp, folders, look, up_to_last_line
from ricordo.importing.watching import Watching

__all__ = [
    "Growing",
    "Stamp",
    "Watching",
    "folders",
    "import_chats",
    "look",
    "up_to_last_line",
]
