"""`memory.settings`: the user's settings. For process settings, see ricordo.settings."""

from __future__ import annotations

from typing import Any

from anyio import to_thread

from ricordo import accounts, embedding
from ricordo.api.checking import checked
from ricordo.models import UserSettings
from ricordo.opened import Opened


@checked
class SettingsResource:
    """The user's settings; ricordo.models.UserSettings describes the fields. A change takes effect at the next turn, in
    every process."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def get(self) -> UserSettings:
        """Get the current settings."""
        async with self._opened.transaction() as tx:
            return await accounts.user_settings(tx)

    async def update(self, *, version: str | None = None, **changes: Any) -> UserSettings:
        """Update settings, such as `top_k=8` or `cap_month=None`. Raises InvalidInput with the setting's name, and
        Changed if `version` differs from the settings' `version_tag()`; then nothing is changed."""
        named = changes.get("embedding_model") is not None
        settings = self._opened.database.settings
        installed = await to_thread.run_sync(embedding.choices, settings) if named else {}
        async with self._opened.effect() as tx:
            changed = await accounts.update_settings(tx, self._opened.user_id, changes, installed, version)
        self._opened.encoding.look_again()
        return changed

    async def reset(self) -> UserSettings:
        """Reset all settings to their defaults."""
        async with self._opened.effect() as tx:
            changed = await accounts.reset_settings(tx, self._opened.user_id)
        self._opened.encoding.look_again()
        return changed
