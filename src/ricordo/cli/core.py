"""ricordo core; see ricordo.cli.journal, whose other half it is."""

from ricordo.cli.journal import core_command as command

__all__ = ["command"]
