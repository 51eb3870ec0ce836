"""The rules of a user's settings: which values each takes, and that every change is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, get_args
from uuid import UUID

from ricordo import jobs
from ricordo.accounts import settings_store as store
from ricordo.accounts.activity_store import tell
from ricordo.accounts.versions import require_version
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, quoted
from ricordo.models import Crossing, Handling, ReviewPolicy, UserSettings
from ricordo.settings import is_zone

#: The most lines that a recall brings back.
MOST_HITS = 1000
#: A cap's largest value in dollars, and its digits behind the point.
_DEAREST, _DIGITS = Decimal(1_000_000_000), 12
#: Settings that decide what may be paid: when one changes, reading that a cap stopped is tried again.
_PAYING = frozenset(["cap_conversation", "cap_month", "extract_model"])


async def user_settings(tx: Transaction) -> UserSettings:
    """The user's settings as they are now."""
    return await store.find(tx)


async def update_settings(
    tx: Transaction,
    user_id: UUID,
    changes: Mapping[str, Any],
    installed: Mapping[str, str],
    version: str | None = None,
) -> UserSettings:
    """Change what is given, and tell it. `installed` has the embedding models that can be chosen: what each name means
    the vectors of. Raises InvalidInput, naming the setting, and Changed; then nothing is changed."""
    checked = {name: _checked(name, value) for name, value in changes.items()}
    if isinstance(model := checked.get("embedding_model"), str):
        checked["embedding_model"] = await _compatible(tx, model, installed)
    before = await store.lock(tx, user_id)
    require_version(before, version)
    after = before.model_copy(update=checked)
    return await _written(tx, user_id, before, after)


async def reset_settings(tx: Transaction, user_id: UUID) -> UserSettings:
    """Go back to the defaults, and tell what that changed."""
    before = await store.lock(tx, user_id)
    after = await _written(tx, user_id, before, UserSettings())
    await store.remove(tx)
    return after


async def _written(tx: Transaction, user_id: UUID, before: UserSettings, after: UserSettings) -> UserSettings:
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    changed = {
        name: {"from": old[name], "to": new[name]} for name in new if getattr(before, name) != getattr(after, name)
    }
    if changed:
        await store.change(tx, {name: getattr(after, name) for name in changed})
        if changed.keys() & _PAYING:
            await jobs.hasten(tx, "extract")
        await tell(tx, user_id, "settings_changed", {"changed": changed}, "user_action")
    return after


def _checked(name: str, value: object) -> object:
    match name:
        case "enabled" | "rerank" | "auto_mine":
            if not isinstance(value, bool):
                raise InvalidInput(name, f"must be true or false, not {quoted(value)}")
            return value
        case "secrets" | "personal_data":
            return one_of(name, value, get_args(Handling))
        case "review":
            return one_of(name, value, get_args(ReviewPolicy))
        case "across_projects":
            return one_of(name, value, get_args(Crossing))
        case "top_k":
            if isinstance(value, bool) or not isinstance(value, int):
                raise InvalidInput(name, f"must be a whole number, not {quoted(value)}")
            if not 1 <= value <= MOST_HITS:
                raise InvalidInput(name, f"must be between 1 and {MOST_HITS:,}, not {value:,}")
            return value
        case "rerank_model" | "extract_model" | "embedding_model":
            return None if value is None else model_name(name, value)
        case "time_zone":
            return None if value is None else _zone(name, value)
        case "cap_conversation" | "cap_month":
            return None if value is None else dollars(name, value)
    raise InvalidInput(f"{name[:50]!r}", f"unknown setting: expected one of {', '.join(store.COLUMNS)}")


def _zone(name: str, value: object) -> str:
    """The IANA name of a time zone. Raises InvalidInput."""
    if not isinstance(value, str) or not is_zone(value.strip()):
        raise InvalidInput(name, f"must be an IANA time zone such as Europe/Berlin, not {quoted(value)}")
    return value.strip()


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """One of the allowed words. Raises InvalidInput, naming the setting."""
    if value not in allowed:
        raise InvalidInput(name, f"must be one of {', '.join(allowed)}, not {quoted(value)}")
    return str(value)


def model_name(name: str, value: object) -> str:
    """The name of a model. Raises InvalidInput, naming the setting."""
    if not isinstance(value, str) or not value.strip() or len(value) > 200 or not value.isprintable():
        raise InvalidInput(name, f"must be a model name of up to 200 printable characters, not {quoted(value)}")
    return value.strip()


def dollars(name: str, value: object) -> Decimal:
    """An amount of US dollars. Raises InvalidInput, naming the setting."""
    try:
        dollars = Decimal(str(value))
    except (InvalidOperation, ValueError):
        dollars = Decimal("NaN")
    if isinstance(value, bool) or not dollars.is_finite() or not 0 <= dollars <= _DEAREST:
        raise InvalidInput(name, f"must be an amount in US dollars from 0 to {_DEAREST:,}, not {quoted(value)}")
    return round(dollars, _DIGITS).normalize() + 0


async def _compatible(tx: Transaction, name: str, installed: Mapping[str, str]) -> str:
    """What an installed embedding model's vectors are called. Raises InvalidInput for a model that is not installed,
    and for one whose vectors cannot be compared with those that the user has."""
    if name not in installed:
        there = ", ".join(installed) or "none"
        raise InvalidInput(
            "embedding_model", f"{name!r} is not installed; installed are: {there}; see `ricordo models list`"
        )
    own = await store.embedding_model(tx)
    if own is not None and installed[name] != own:
        raise InvalidInput(
            "embedding_model",
            f"your vectors use {own} and cannot be compared with vectors from {name!r}: to switch all of them, run "
            f"`ricordo reembed --model {name}`",
        )
    return installed[name]
