"""Conversations from other programs' files: what `ricordo mine` reads.

`read` walks files and folders and yields their conversations, `survey` only counts them, `detect` names the
format of a file. `FORMATS` and `EXPORTS` are the formats that are known; to add one, see `ricordo.transfer.registry`.
`growing_files`, `Growing`, `read_in` and `store` are for files that are followed while they grow.
"""

from ricordo.transfer import store
from ricordo.transfer.format import Format
from ricordo.transfer.growing import Growing, Stamp, folders
from ricordo.transfer.reading import Count, Survey, detect, growing_files, read, read_in, survey
from ricordo.transfer.registry import EXPORTS, FORMATS

__all__ = [
    "EXPORTS",
    "FORMATS",
    "Count",
    "Format",
    "Growing",
    "Stamp",
    "Survey",
    "detect",
    "folders",
    "growing_files",
    "read",
    "read_in",
    "store",
    "survey",
]
