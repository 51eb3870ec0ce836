"""The `ricordo` command. Each command is a module that is imported when it is called."""

from ricordo.cli.main import main

__all__ = ["main"]
