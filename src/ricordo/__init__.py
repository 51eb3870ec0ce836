"""Long-term memory for AI agents on one PostgreSQL store.

    from ricordo import Memory

    with Memory() as memory:
        memory.mine(messages, conversation="chat-1")
        print(memory.recall("Which battery did we choose?").context)

Public names are loaded when they are first used, so that `import ricordo` costs a few milliseconds.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # not typing's, whose import takes 5 ms: commands that are answered at once need nothing of it
if TYPE_CHECKING:
    from ricordo.blocking import Memory as Memory
    from ricordo.client import AsyncMemory as AsyncMemory
    from ricordo.errors import CapReached as CapReached
    from ricordo.errors import Changed as Changed
    from ricordo.errors import InvalidInput as InvalidInput
    from ricordo.errors import ModelUnavailable as ModelUnavailable
    from ricordo.errors import NotFound as NotFound
    from ricordo.errors import PolicyRefused as PolicyRefused
    from ricordo.errors import ReplyUnusable as ReplyUnusable
    from ricordo.errors import RicordoError as RicordoError
    from ricordo.errors import StoreError as StoreError
    from ricordo.errors import StoreIncompatible as StoreIncompatible
    from ricordo.errors import StoreUnavailable as StoreUnavailable
    from ricordo.errors import UnreadableSource as UnreadableSource
    from ricordo.models import Conversation as Conversation
    from ricordo.models import Filters as Filters
    from ricordo.models import Hit as Hit
    from ricordo.models import Message as Message
    from ricordo.models import RecallResult as RecallResult
    from ricordo.models import Receipt as Receipt
    from ricordo.settings import Settings as Settings

_HOMES = {
    "Memory": "blocking",
    "AsyncMemory": "client",
    **dict.fromkeys(
        [
            "CapReached",
            "Changed",
            "InvalidInput",
            "ModelUnavailable",
            "NotFound",
            "PolicyRefused",
            "ReplyUnusable",
            "RicordoError",
            "StoreError",
            "StoreIncompatible",
            "StoreUnavailable",
            "UnreadableSource",
        ],
        "errors",
    ),
    **dict.fromkeys(["Conversation", "Filters", "Hit", "Message", "RecallResult", "Receipt"], "models"),
    "Settings": "settings",
}

__all__ = sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> object:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'ricordo' has no attribute {name!r}") from None
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"ricordo.{home}"), name)
    return value


def __dir__() -> list[str]:
    return list(__all__)
