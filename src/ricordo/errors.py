"""The errors that Ricordo raises on purpose.

    RicordoError                 everything below; catch this to catch all
    ├── InvalidInput             an argument breaks a rule; nothing was written
    │   └── PolicyRefused        a policy refuses the text; nothing was written
    ├── NotFound                 what was asked for does not exist, or is not yours
    ├── Changed                  what was to be changed is not as its changer had read it; nothing was written
    ├── UnreadableSource         a file or folder to import cannot be read at all
    ├── ModelUnavailable         a model is not installed, its files are damaged, or its server does not serve
    │   ├── ReplyUnusable        a language model answered, but not with what it was asked for
    │   └── CapReached           a call was not made, since it could cost more than the user's caps allow
    └── StoreError               the PostgreSQL store cannot serve
        ├── StoreUnavailable     it cannot be reached, started or written to
        └── StoreIncompatible    it answers, but is not a store that this version can use

Each message is one sentence or two: what is wrong, with which value, and what to do. Interfaces map the
class to their own form (exit code, HTTP status, MCP error) in one table each and print the message as it is; servers
print it as `told_afar` has it.
"""

from __future__ import annotations

import re

#: The folders of a path from the root, in a message.
_FOLDERS = re.compile(r"(?<!\S)/(?:[^\s/:]+/)+")


class RicordoError(Exception):
    """The root of the tree; never raised itself."""


class InvalidInput(RicordoError):
    """An argument breaks a rule; nothing was written.

    `field` names the argument, as the caller spells it, and `problem` says what is wrong with it.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class PolicyRefused(InvalidInput):
    """A policy refuses a text: it holds secrets, personal data, or a block that this memory itself brought back."""


class NotFound(RicordoError):
    """What was asked for does not exist, or belongs to someone else: the two look the same on purpose."""


class Changed(RicordoError):
    """What was to be changed is not as its changer had read it; nothing was written."""


class UnreadableSource(RicordoError):
    """A file or folder to import cannot be read at all, or is in no format that Ricordo knows."""


class ModelUnavailable(RicordoError):
    """A model is not installed, cannot be fetched, its files are damaged, or the server that runs it does not serve.

    `at_texts`: it does answer, but not with vectors for the texts that it got; for others it may.
    """

    def __init__(self, message: str, *, at_texts: bool = False) -> None:
        super().__init__(message)
        self.at_texts = at_texts


class ReplyUnusable(ModelUnavailable):
    """A language model answered, but not with what it was asked for, however often it was asked."""


class CapReached(ModelUnavailable):
    """A call of a model was not made, since it could cost more than the user's caps allow."""


class StoreError(RicordoError):
    """The store cannot serve; the subclasses say in which way."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, started or written to (wrong URL, refused, disk full, read-only home)."""


class StoreIncompatible(StoreError):
    """The store answers but cannot be used: no pgvector, or a schema of another version of Ricordo."""


def told_afar(error: RicordoError) -> str:
    """The message for those who are not at the machine: it does not say where the store is, or in which folders files
    are."""
    if isinstance(error, StoreError):
        return "the store is unavailable; see the server's log"
    return _FOLDERS.sub("", str(error)) if isinstance(error, ModelUnavailable) else str(error)


def quoted(value: object, longest: int = 50) -> str:
    """A value as messages show it: the beginning of its text, in quotation marks."""
    try:
        text = str(value)
    except ValueError:
        text = "a number with thousands of digits"  # Python writes none beyond 4,300
    return repr(text[:longest])
