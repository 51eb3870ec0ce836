"""Changes that rest on what was read: they fail where that has changed since."""

from __future__ import annotations

from ricordo.errors import Changed
from ricordo.models import ApiModel


def require_version(item: ApiModel, version: str | None) -> None:
    """Raise Changed where `version` is given and is not the model's, which is to be locked against others."""
    if version is not None and version != item.version_tag():
        raise Changed(
            f"version {version[:50]!r} is outdated, the current one is {item.version_tag()!r}: read it again and retry"
        )
