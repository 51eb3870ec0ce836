"""The receipt that every write returns, in all interfaces."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import Field

from ricordo.models.agents import Entry, Kind
from ricordo.models.base import ApiModel

#: `stored`: it was written. `duplicate`: the same is stored already. `held`: it waits in the review queue.
#: `rejected`: a policy refused it. `pending`: a job will decide. Only `stored` means that this call wrote a memory.
WriteStatus = Literal["stored", "duplicate", "held", "rejected", "pending"]


class WriteReceipt(ApiModel):
    """The outcome of a write."""

    status: WriteStatus
    #: The id of the stored memory, of the identical one, or of the write in the review queue; None if rejected.
    id: UUID | None = None
    kind: Kind
    #: Why it is not simply stored, or what was redacted; None if there is nothing to say.
    reason: str | None = None
    #: What a policy redacted before the write was stored: kinds and how often.
    redacted: dict[str, int] = Field(default_factory=dict)
    #: The stored memory, or the identical one; None if held or rejected.
    memory: Entry | None = None
