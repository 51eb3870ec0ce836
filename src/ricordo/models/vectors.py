"""The state of a memory's vectors, and switching them to another embedding model."""

from __future__ import annotations

from pydantic import Field

from ricordo.models.base import ApiModel

#: Recalls and receipts count no more memories without a vector than so many.
MOST_PENDING = 1_000


class Vectors(ApiModel):
    """The state of a user's vectors."""

    #: The embedding model that they are of, by which searches go, and the length of each; None while there are none.
    model: str | None
    dimension: int | None
    #: The embedding model that they are being changed to; None where no change is under way.
    next_model: str | None = None
    #: Memories that have a vector, and those that wait for their first one.
    embedded: int
    pending: int
    #: Memories that wait for the next embedding model's.
    renewing: int = 0
    #: Why memories that were tried got no vector, and how many each.
    problems: dict[str, int] = Field(default_factory=dict)


class Estimate(ApiModel):
    """The expected time and cost of switching to an embedding model."""

    model: str
    #: Memories that would get a new vector.
    memories: int
    #: Seconds that this machine would work on it, by what some of the memories took; None for a hosted embedding model.
    seconds: float | None = None
    #: Tokens that a hosted embedding model would count, about, by four characters each; 0 for a local one, which costs
    #: nothing.
    tokens: int = 0


class ReembedReport(ApiModel):
    """The result of switching to an embedding model."""

    #: The embedding model that the vectors are of now, and the length of each.
    model: str
    dimension: int
    #: The embedding model before; None where there was nothing to change.
    previous: str | None
    #: Vectors made here; other processes may have made others.
    made: int
    #: Memories that have no vector yet.
    pending: int
