"""The bundled sample: one person's chats over ten months, and questions about them. See README.md beside this."""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any


def questions() -> list[dict[str, Any]]:
    """The questions of questions.json, each with `now` as a time."""
    read = json.loads((files(__name__) / "questions.json").read_text("utf-8"))
    return [{**each, "now": datetime.fromisoformat(each["now"])} for each in read]


def chats() -> Path:
    """The folder of the chats."""
    return Path(str(files(__name__) / "chats"))
