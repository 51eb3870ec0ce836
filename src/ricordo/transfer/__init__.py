"""Conversations from other programs' files: what `ricordo mine` reads.

`read` walks files and folders and yields their conversations, `survey` only counts them, `detect` names the
format of a file. `FORMATS` and `EXPORTS` are the formats that are known; to add one, see `ricordo.transfer.registry`.
"""

from ricordo.transfer.format import Format
from ricordo.transfer.reading import Count, Survey, detect, read, survey
from ricordo.transfer.registry import EXPORTS, FORMATS

__all__ = ["EXPORTS", "FORMATS", "Count", "Format", "Survey", "detect", "read", "survey"]
