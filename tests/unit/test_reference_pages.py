"""docs/reference/ is what script/reference makes of the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_reference_is_that_of_the_code() -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / "script" / "reference"), "--check"], capture_output=True, text=True, timeout=300
    )
    assert (checked.returncode, checked.stderr) == (0, "")
