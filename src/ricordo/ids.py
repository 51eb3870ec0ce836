"""Ids of everything that is stored: UUID version 7, so that newer ids sort after older ones."""

from __future__ import annotations

import secrets
import time
from uuid import UUID


def new_id() -> UUID:
    """A UUIDv7: 48 bits of milliseconds since 1970, then 74 random bits. Source: RFC 9562, section 5.7."""
    milliseconds = time.time_ns() // 1_000_000
    random = secrets.randbits(74)
    return UUID(int=milliseconds << 80 | 0x7 << 76 | (random >> 62) << 64 | 0b10 << 62 | random & (1 << 62) - 1)
