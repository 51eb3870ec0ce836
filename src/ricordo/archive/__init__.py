"""Memory as files: a user's archive and a store's backup; and checks that a store is consistent."""

from ricordo.archive.backup import backup, check_backup, restore
from ricordo.archive.files import format_of
from ricordo.archive.portable import check, described, digest, load, save
from ricordo.archive.schedule import backup_into, backups, earlier, keep_backed_up
from ricordo.archive.searching import absent
from ricordo.archive.soundness import examine

__all__ = [
    "absent",
    "backup",
    "backup_into",
    "backups",
    "check",
    "check_backup",
    "described",
    "digest",
    "earlier",
    "examine",
    "format_of",
    "keep_backed_up",
    "load",
    "restore",
    "save",
]
