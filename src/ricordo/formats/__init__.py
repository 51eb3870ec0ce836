"""Chat files of other programs to conversations, one module for each format.

`read` walks files and folders and yields their conversations, `survey` only counts them, `detect` names the
format of a file. `FORMATS` and `EXPORTS` are the formats that are known; to add one, see `ricordo.formats.registry`.
`growing_files`, `Growing` and `read_in` are for files that are followed while they grow.
"""

from ricordo.formats.elements import ELEMENT_BYTES
from ricordo.formats.growing import Growing, Stamp, folders
from ricordo.formats.reading import Count, detect, growing_files, read, read_in, survey
from ricordo.formats.registry import EXPORTS, FORMATS
from ricordo.formats.source import Source

__all__ = [
    "ELEMENT_BYTES",
    "EXPORTS",
    "FORMATS",
    "Count",
    "Growing",
    "Source",
    "Stamp",
    "detect",
    "folders",
    "growing_files",
    "read",
    "read_in",
    "survey",
]
