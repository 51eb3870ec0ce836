"""Results of audits: verifying the access log and searching for a removed text."""

from __future__ import annotations

from ricordo.models.base import ApiModel


class Chain(ApiModel):
    """The result of verifying the access log's chain of seals."""

    seals: int
    #: Accesses that intact seals cover, and those that none covers yet.
    accesses: int
    unsealed: int
    #: The first seal whose accesses were removed or altered, or that was itself; None for none.
    broken: int | None = None
    #: Pairs of access and memory that the log and its index by memory do not both hold.
    mislisted: int = 0
    #: The last seal's hash. Whoever keeps it elsewhere can tell later that the chain's end was not cut off.
    head: str = ""

    @property
    def intact(self) -> bool:
        return self.broken is None and not self.mislisted


class Place(ApiModel):
    """A searched column and the number of the user's rows that contain the text."""

    table: str
    column: str
    rows: int


class Absence(ApiModel):
    """The result of searching a user's stored data for a text."""

    places: tuple[Place, ...]
    #: Rows, by table, that are derived from memories that are redacted or gone. Search terms and vectors hold no
    #: text that could be looked for, so that none of them may be left.
    left_over: dict[str, int]
    #: What this search cannot tell.
    unknown: tuple[str, ...]

    @property
    def absent(self) -> bool:
        return not self.found and not any(self.left_over.values())

    @property
    def found(self) -> tuple[Place, ...]:
        return tuple(each for each in self.places if each.rows)
