"""`memory.sync`: one memory on several devices, through a folder that another tool carries or a server holds."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from ricordo import rules
from ricordo.api.checking import checked
from ricordo.api.entries import Entries
from ricordo.errors import InvalidInput, quoted
from ricordo.models import RemovalReceipt, SyncMembership, SyncReport, SyncStatus, UserSettings
from ricordo.opened import Opened
from ricordo.settings import shows_key

if TYPE_CHECKING:
    from ricordo.sync import Syncing, SyncScope


@checked
class Sync:
    """Sync of this memory with other devices.

    Each device writes a log of its own into the folder, encrypted and in small segments, and applies those of the
    others. Redaction and forgetting win on every device. It needs `ricordo[sync]`.
    """

    def __init__(self, opened: Opened, entries: Entries) -> None:
        self._opened = opened
        self._entries = entries

    async def init(
        self,
        folder: Path | str,
        *,
        name: str | None = None,
        server_key: str | None = None,
        plain_http: bool = False,
        wings: Sequence[str] = (),
        agents: Sequence[str] = (),
        sources: Sequence[str] = (),
        settings: Sequence[str] = (),
    ) -> SyncMembership:
        """Begin to sync this memory through a folder. The result's `words` are the key: type them on the next device.
        They are shown only once.

        `folder` is a path, or the URL of a `ricordo serve` that holds the folder. A URL needs `server_key`, an API key
        of your user there, by default RICORDO_SYNC_KEY. It is stored in this device's home. Plain HTTP to another
        machine shows this API key to the network, so it needs `plain_http`.

        `name` is the name of this device, by default the machine's. `wings`, `agents` and `sources` limit what this
        device sends and accepts, by default everything. `settings` lists the settings to share, by default none.

        Raises InvalidInput, OSError if the folder cannot be written, and StoreError.
        """
        scope = _scope(wings, agents, sources, settings)
        address = _address(folder, plain_http)
        return await self._syncing.init(address, self._server_key(address, server_key), _name(name), scope)

    async def join(
        self,
        folder: Path | str,
        words: str,
        *,
        name: str | None = None,
        server_key: str | None = None,
        plain_http: bool = False,
        wings: Sequence[str] = (),
        agents: Sequence[str] = (),
        sources: Sequence[str] = (),
        settings: Sequence[str] = (),
    ) -> SyncMembership:
        """Join the memory in a folder; `words` are its key. Memories already on this device are merged with it.
        An empty store is restored from the folder. For a server's URL, see `init`.

        After the key was rotated, join again with the new words. A copy of another device, and a device that was shut
        out as lost, become new devices. Any other device keeps its name.
        Raises InvalidInput, UnreadableSource for a folder without a memory, and StoreError.
        """
        scope = _scope(wings, agents, sources, settings)
        address = _address(folder, plain_http)
        key = self._server_key(address, server_key)
        return await self._syncing.join(address, key, words, _name(name), scope, named=name is not None)

    async def now(self, *, compact: bool = False) -> SyncReport:
        """Sync once. A log that cannot be read completely is reported in `problems` by its device's name; nothing after
        that point is applied.

        If this device's log contains text that was redacted or forgotten, it is rewritten within a day, or at once with
        `compact`. Raises NotFound if the memory is not synced, Changed while another process syncs, and StoreError.
        Raises UnreadableSource if the folder is not usable, its key was rotated, or this device was copied.
        """
        return await self._syncing.now(compact)

    async def status(self) -> SyncStatus:
        """Get the folder, the devices, and how far each device's log was applied here."""
        return await self._syncing.status()

    async def rotate(self, *, lost: str | None = None) -> SyncMembership:
        """Change the key. The result's `words` are the new one: type them on every other device (`join`). Devices
        without them are shut out. The log of the device named `lost` is removed from the folder, but the memories that
        it sent stay. Raises the errors of `now`, and NotFound for an unknown device.
        """
        return await self._syncing.rotate(lost)

    async def leave(self) -> None:
        """Stop syncing this memory on this device. Nothing is removed. Raises NotFound if it is not synced."""
        await self._syncing.leave()

    def _server_key(self, address: str, given: str | None) -> str | None:
        """The API key for a server's URL; None for a path."""
        if "://" not in address:
            return None
        key = given or self._opened.database.settings.sync_key
        if key is None:
            raise InvalidInput(
                "server_key",
                f"{address} requires an API key: create one there with `ricordo key create`, and set RICORDO_SYNC_KEY",
            )
        if not re.fullmatch(r"[!-~]{1,500}", key):
            raise InvalidInput(
                "server_key", "invalid API key: it contains a space or a non-ASCII character. Copy it again"
            )
        return key

    @property
    def _syncing(self) -> Syncing:
        from ricordo.mining import Miner  # 10 ms, which a recall should not pay
        from ricordo.sync import Syncing

        opened = self._opened
        return Syncing(opened, Miner(opened.database, opened.user, opened.user_id), self._redact, self._forget)

    async def _redact(self, memory: UUID, reason: str) -> RemovalReceipt:
        return await self._entries.redact(memory, reason)

    async def _forget(self, memory: UUID, reason: str) -> RemovalReceipt:
        return await self._entries.forget(memory, reason)


def _scope(wings: Sequence[str], agents: Sequence[str], sources: Sequence[str], settings: Sequence[str]) -> SyncScope:
    from ricordo.sync import SyncScope

    for each in settings:
        if each not in UserSettings.model_fields:
            known = ", ".join(sorted(UserSettings.model_fields))
            raise InvalidInput("settings", f"unknown setting {quoted(each)}: expected one of {known}")
    return SyncScope(tuple(wings), tuple(agents), tuple(sources), tuple(settings))


def _address(folder: Path | str, plain_http: bool) -> str:
    """An absolute path, or a URL without a slash at its end."""
    if not isinstance(folder, str | Path) or not str(folder).strip() or "\0" in str(folder):
        raise InvalidInput("folder", f"must be a folder's path or a server's URL, not {quoted(folder)}")
    if isinstance(folder, Path) or "://" not in folder:
        return str(Path(folder).expanduser().absolute())
    url = re.fullmatch(r"https?://(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(:\d{1,5})?(/[\w.~/-]*)?", folder.strip(), re.ASCII)
    if url is None:
        raise InvalidInput(
            "folder", f"invalid URL {quoted(folder)}: expected one such as https://memory.example, without a key in it"
        )
    if shows_key(url[0]) and not plain_http:
        raise InvalidInput(
            "folder", f"{url[0]} would show your API key to the network: use https, or allow plain HTTP (--plain-http)"
        )
    return url[0].rstrip("/")


def _name(name: str | None) -> str:
    return rules.name("name", platform.node() or "device" if name is None else name)
