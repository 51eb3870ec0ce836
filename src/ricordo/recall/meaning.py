"""A question's vector, or why it goes by words only."""

from __future__ import annotations

import logging

import numpy as np
from anyio import to_thread

from ricordo.encoders import Encoder
from ricordo.errors import ModelUnavailable

#: Characters of a question that an encoder gets.
_CHARACTERS = 20_000

log = logging.getLogger("ricordo.recall")


async def meaning(encoder: Encoder | None, question: str) -> tuple[np.ndarray | None, str]:
    """The vector of a question, and "" or, where an encoder that runs elsewhere gave none in time, a note."""
    if encoder is None:
        return None, ""
    try:
        return await to_thread.run_sync(encoder.question, question[:_CHARACTERS]), ""
    except ModelUnavailable as error:
        log.warning("a question goes by words only: %s", error)
        return None, f"Only words were compared: {error}"
