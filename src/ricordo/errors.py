"""The errors that Ricordo raises.

    RicordoError                 base class of all errors
    ├── InvalidInput             an argument is invalid; nothing was written
    │   └── PolicyRefused        a policy rejects the text; nothing was written
    ├── NotFound                 the item does not exist, or belongs to someone else
    ├── Changed                  the item was changed since it was read; nothing was written
    ├── UnreadableSource         a file or folder to import cannot be read
    ├── ModelUnavailable         a model is not installed or damaged, or its server fails
    │   ├── ReplyUnusable        an LLM answered, but not in the requested format
    │   └── CapReached           an LLM call was not made because it could exceed a spending cap
    └── StoreError               the PostgreSQL store failed
        ├── StoreUnavailable     it cannot be reached, started or written to
        └── StoreIncompatible    this version cannot use the store

Each message says what is wrong, with which value, and what to do. Interfaces map the class to their own form (exit
code, HTTP status, MCP error) in one table each and print the message; servers print `told_afar(error)`.
"""

from __future__ import annotations

import re

#: The folders of a path from the root, in a message.
_FOLDERS = re.compile(r"(?<!\S)/(?:[^\s/:]+/)+")


class RicordoError(Exception):
    """Base class of all errors of Ricordo."""


class InvalidInput(RicordoError):
    """An argument is invalid; nothing was written.

    `field` is the name of the argument, and `problem` says what is wrong with it.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(field, problem)  # both, so that it can be pickled: worker processes send their errors so
        self.field = field
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.field}: {self.problem}"


class PolicyRefused(InvalidInput):
    """A policy rejects a text because it contains secrets, personal data, or a block recalled from this memory."""


class NotFound(RicordoError):
    """The item does not exist or belongs to someone else. The two cases are deliberately indistinguishable."""


def memory_not_found(id: object) -> NotFound:
    """The error for the id of a memory that is not there, or is not the caller's."""
    return NotFound(f"memory {id} not found: check the id; it may have been forgotten")


def run_not_found(id: object) -> NotFound:
    """The error for the id of a run that is not there, or is not the caller's."""
    return NotFound(f"run {id} not found: list runs with `ricordo run list`")


class Changed(RicordoError):
    """The item was changed since the caller read it; nothing was written."""


class UnreadableSource(RicordoError):
    """A file or folder to import cannot be read, or has an unknown format."""


class ModelUnavailable(RicordoError):
    """A model is not installed, cannot be downloaded, has damaged files, or its server fails.

    `at_texts` is true if the model works but failed for these texts.
    """

    def __init__(self, message: str, *, at_texts: bool = False) -> None:
        super().__init__(message)
        self.at_texts = at_texts


class ReplyUnusable(ModelUnavailable):
    """An LLM did not answer in the requested format, even after retries."""


class CapReached(ModelUnavailable):
    """An LLM call was not made because it could exceed the user's spending cap."""


class StoreError(RicordoError):
    """The store failed; see the subclasses."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, started or written to (wrong URL, refused, disk full, read-only home)."""


def forked() -> StoreUnavailable:
    """The error for a memory that is used in a fork of its process: its connections are those of the other one."""
    return StoreUnavailable("the memory was opened before this process was forked: open a new one here")


class StoreIncompatible(StoreError):
    """The store cannot be used: pgvector is missing, or the schema has another version."""


def told_afar(error: RicordoError) -> str:
    """The message for remote clients, without the location of the store or of files."""
    if isinstance(error, StoreError):
        return "the store is unavailable; see the server's log"
    return _FOLDERS.sub("", str(error)) if isinstance(error, ModelUnavailable) else str(error)


def counted(number: int, noun: str, plural: str | None = None, *, most: int | None = None) -> str:
    """A number of things, such as `1 wing`, `1,200 turns` or `2 memories`; the plural is the noun with an `s`, unless
    given or of a noun in `-y` after a consonant. Where no more than `most` were counted, so many are at least so many.
    """
    if number == 1:
        return f"1 {noun}"
    if plural is None:
        ends_in_y = noun.endswith("y") and noun[-2] not in "aeiou"
        plural = f"{noun[:-1]}ies" if ends_in_y else f"{noun}s"
    return f"{'at least ' if number == most else ''}{number:,} {plural}"


def quoted(value: object, longest: int = 50) -> str:
    """The beginning of a value's text in quotation marks, for messages."""
    try:
        text = str(value)
    except ValueError:
        text = "a number with thousands of digits"  # Python writes none beyond 4,300
    return repr(text[:longest])
