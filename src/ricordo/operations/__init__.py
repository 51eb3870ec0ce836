"""Long work that clients follow while it runs, and the files uploaded for it."""

from ricordo.operations.folders import folder
from ricordo.operations.operations import (
    ask_to_cancel,
    begin,
    end,
    find,
    go_on,
    listed,
    note_stored,
    owner_of,
    start,
    stored,
    tidy,
    under_way,
    upload_of,
)
from ricordo.operations.store import remove_upload as drop_upload
from ricordo.operations.uploads import add_file, content_of, create, find_upload, remove_upload, write_into

__all__ = [
    "add_file",
    "ask_to_cancel",
    "begin",
    "content_of",
    "create",
    "drop_upload",
    "end",
    "find",
    "find_upload",
    "folder",
    "go_on",
    "listed",
    "note_stored",
    "owner_of",
    "remove_upload",
    "start",
    "stored",
    "tidy",
    "under_way",
    "upload_of",
    "write_into",
]
