"""A large export that is killed twice on its way in comes to what an undisturbed import comes to, in bounded memory.

RICORDO_TEST_LARGE_EXPORT_MB sets its size; script/large-import is for one of gigabytes.
"""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

from large_exports import in_store, mine, stored, write
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect

MEGABYTES = int(os.environ.get("RICORDO_TEST_LARGE_EXPORT_MB", "3"))
#: The most memory that the importing process may hold, in bytes.
_MOST = 300_000_000


def kept(settings: Settings) -> list[tuple[Any, ...]]:
    """Every turn of the user with its place in the palace and what its closet is called."""
    with connect(settings) as owner:
        return owner.execute(
            "SELECT external_id, position, content, speaker, said_at, room, drawer, closets.name "
            "FROM memories JOIN conversations USING (user_id, conversation) JOIN users USING (user_id) "
            "LEFT JOIN closets USING (user_id, room, closet) WHERE users.name = %s ORDER BY conversation, position",
            [settings.user],
        ).fetchall()


def test_e8_a_large_export_killed_twice_is_as_one_undisturbed(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    with path.open("w") as file:
        expected = write(file, MEGABYTES * 1_000_000)
    killed = replace(settings, user="killed")
    undisturbed = replace(settings, user="undisturbed")
    with Memory(settings=killed, background=False):
        pass  # the schema
    peaks = []
    for kill_at, code in ((expected.turns // 7, -signal.SIGKILL), (expected.turns // 3, -signal.SIGKILL), (None, 0)):
        ended, most = mine(killed, path, kill_at)
        assert ended == code
        peaks.append(most)
        assert kill_at is None or stored(killed) < expected.turns
    assert mine(undisturbed, path, None)[0] == 0
    assert in_store(killed) == expected
    assert kept(killed) == kept(undisturbed)
    assert max(peaks) < _MOST, f"{peaks} bytes"
