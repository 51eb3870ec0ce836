"""Turns → what they name and state: by rules alone, or through a language model."""

from ricordo.extraction.known import Known
from ricordo.extraction.local import extract
from ricordo.extraction.model import estimate_windows, extract_window
from ricordo.extraction.said import Said
from ricordo.nouns import SELF

__all__ = ["SELF", "Known", "Said", "estimate_windows", "extract", "extract_window"]
