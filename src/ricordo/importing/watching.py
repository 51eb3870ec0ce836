"""Chat files that grow, followed and mined as they settle: what `memory.watch` does."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ricordo import accounts, formats
from ricordo.errors import InvalidInput, StoreUnavailable, quoted
from ricordo.formats import Stamp
from ricordo.importing import watched_store
from ricordo.importing.chats import keep
from ricordo.models import Problem, WatchReport
from ricordo.opened import Opened

if TYPE_CHECKING:
    from ricordo.mining import Miner

#: Seconds between two looks at the files: the shortest, and as a multiple of what a look takes, so that looking never
#: takes more than a hundredth of a processor.
_PAUSE, _PAUSES = 2.0, 100
#: The longest that a file may be asked to rest.
_LONGEST_SETTLE = 86_400.0
#: Files that are asked for in the store, or noted there, at once.
_AT_ONCE = 1000

log = logging.getLogger("ricordo")


class Watching:
    """One watch over folders. `run` ends only when it is cancelled."""

    def __init__(
        self,
        opened: Opened,
        miner: Miner,
        folders: Sequence[Path],
        settle: float,
        report: Callable[[WatchReport], None] | None,
    ) -> None:
        if not 0 <= settle <= _LONGEST_SETTLE:
            raise InvalidInput("settle", f"must be between 0 and {_LONGEST_SETTLE:,.0f} seconds, not {quoted(settle)}")
        self._opened = opened
        self._miner = miner
        self._report = report
        self._settle = settle
        self._folders = formats.folders(folders)
        self._growing = formats.Growing(settle)
        #: Problems that were told of each file, so that they are not told again each time that it grows.
        self._told: dict[Path, frozenset[Problem]] = {}

    async def run(self) -> None:
        """Follow the files. See AsyncMemory.watch."""
        unreachable = False
        while True:
            begun = time.monotonic()
            found = await asyncio.to_thread(formats.growing_files, self._folders)
            took = time.monotonic() - begun
            try:
                await self._take_in(found)
                unreachable = False
            except StoreUnavailable as error:
                if not unreachable:
                    log.warning("the store is unavailable; watching continues when it is back: %s", error)
                unreachable = True
            await asyncio.sleep(max(min(_PAUSE, self._settle), _PAUSES * took))

    async def _take_in(self, found: Mapping[Path, tuple[Path, Stamp]]) -> None:
        """Mine what has settled, by how the files look now."""
        await self._meet(found)
        now = time.monotonic()
        for path, (_, stamp) in found.items():
            self._growing.note(path, stamp, now)
        if gone := self._growing.gone(found):
            for path in gone:
                self._told.pop(path, None)
            async with self._opened.transaction() as tx:
                await watched_store.forget(tx, gone)
        for path in self._growing.due(now):
            root, stamp = found[path]
            if not await self._may_mine():
                return
            await self._mine(root, path, stamp)

    async def _meet(self, found: Mapping[Path, tuple[Path, Stamp]]) -> None:
        """Begin to follow files that are new here, knowing which of them were mined before."""
        unknown = self._growing.unknown(found)
        for start in range(0, len(unknown), _AT_ONCE):
            some = unknown[start : start + _AT_ONCE]
            async with self._opened.transaction() as tx:
                mined = await watched_store.mined(tx, some)
            for path in some:
                stamp = found[path][1]
                age = time.time() - stamp.changed_ns / 1e9
                self._growing.begin(path, stamp, age, mined.get(path), time.monotonic())

    async def _may_mine(self) -> bool:
        async with self._opened.transaction() as tx:
            chosen = await accounts.user_settings(tx)
        return chosen.enabled and chosen.auto_mine

    async def _mine(self, root: Path, path: Path, stamp: Stamp) -> None:
        problems: list[Problem] = []
        reading = formats.read_in(root, path, problems.append)
        imported = await keep(self._miner, reading, problems)
        self._growing.mined(path, stamp, time.monotonic())
        news = [each for each in problems if each not in self._told.get(path, frozenset())]
        self._told[path] = frozenset(problems)
        if self._report and (imported.stored or imported.edited or news):
            shown = imported.model_copy(update={"problems": tuple(news)})
            self._report(WatchReport(file=str(path).encode(errors="replace").decode(), **dict(shown)))
        async with self._opened.effect() as tx:
            await watched_store.note_mined(tx, self._opened.user_id, {path: stamp})
