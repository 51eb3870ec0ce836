"""E3 attacked: what of poisonings.ATTACKS is stopped. What is not stands by name in SECURITY.md, and nothing else does.

`script/attacks` runs this and tells the share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from poisonings import ATTACKS
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import settings_for

_SECURITY = (Path(__file__).resolve().parents[2] / "SECURITY.md").read_text(encoding="utf-8")
#: The attacks that SECURITY.md says are not stopped.
OPEN = set(re.findall(r"^\* `([^`]+)`:", _SECURITY.partition("## Attacks that are not stopped")[2], re.MULTILINE))
_outcomes: dict[str, bool] = {}


@pytest.fixture(scope="module")
def host(server_home: Path) -> Iterator[Memory]:
    settings: Settings = settings_for(server_home)
    with Memory(settings=replace(settings, user="host"), background=False) as memory:
        yield memory


@pytest.mark.parametrize("name", ATTACKS)
def test_e3_an_attack_is_stopped_or_said_to_be_open(host: Memory, name: str) -> None:
    memory = host.of(f"user of {name}")
    memory.agents.create("coder")
    _outcomes[name] = stopped = ATTACKS[name](memory)
    assert stopped is (name not in OPEN)


def test_e3_the_share_that_is_stopped() -> None:
    assert len(ATTACKS) >= 60
    assert set(ATTACKS) >= OPEN, "SECURITY.md names attacks that are none"
    stopped = sum(_outcomes.values())
    left = ", ".join(name for name, each in _outcomes.items() if not each)
    print(
        f"\n{len(_outcomes)} attacks, {stopped} stopped ({stopped / max(1, len(_outcomes)):.0%}); not stopped: {left}"
    )
    assert len(OPEN) / len(ATTACKS) < 0.15
