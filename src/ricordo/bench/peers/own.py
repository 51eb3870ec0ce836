"""Ricordo as one of the peers: the same questions on the same pipe, through the product's own front door.

Run as `python -m ricordo.bench.peers.own FOLDER MODEL VARIANT`, with the schema to use in the environment.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ricordo.bench.peers.drivers.serve import arguments, serve
from ricordo.bench.runner import disk
from ricordo.blocking import Memory
from ricordo.models import Message
from ricordo.settings import Settings


def main() -> None:
    """Serve until the end is asked for."""
    _, model, variant = arguments()
    settings = replace(Settings.from_environment(), model_dir=model if variant == "hybrid" else Path("/nowhere"))
    with Memory(settings=settings, background=False) as memory:
        ids: dict[tuple[str, int], str] = {}

        def add(items: Sequence[Mapping[str, Any]]) -> None:
            talks: defaultdict[str, list[Message]] = defaultdict(list)
            for each in items:
                ids[each["conversation"], len(talks[each["conversation"]])] = each["id"]
                talks[each["conversation"]].append(Message.model_validate(each["message"]))
            for conversation, messages in talks.items():
                memory.mine(messages, conversation=conversation)
            if variant == "hybrid":
                memory.embed_pending()

        def search(text: str, limit: int, now: str) -> list[str]:
            found = memory.recall(text, top_k=limit, now=datetime.fromisoformat(now))
            return [ids[hit.conversation, hit.position] for hit in found]

        serve(add, search, lambda: round(asyncio.run(disk(settings))))


if __name__ == "__main__":
    main()
