"""Memory as files: a user's as an archive, a store's as a backup; and whether a store is sound."""

from ricordo.archive.portable import check, described, digest, load, save
from ricordo.archive.soundness import examine

__all__ = ["check", "described", "digest", "examine", "load", "save"]
