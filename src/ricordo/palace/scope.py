"""Which wings a project sees: its own, and those that the user's setting `across_projects` lets in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Crossing
from ricordo.palace import editing_store
from ricordo.palace.foreign import located
from ricordo.palace.tree import find_wing

if TYPE_CHECKING:
    from ricordo.palace.store import WingRow


@dataclass(frozen=True)
class Scope:
    """The wings that are open to a project."""

    #: Its own; 0, which none has, where nothing was stored of it yet.
    wing: int
    across: Crossing

    @property
    def is_everything(self) -> bool:
        """Whether all wings are open."""
        return self.across == "everything"

    @property
    def is_personal(self) -> bool:
        """Whether wings that are no projects are open."""
        return self.across != "nothing"

    def holds(self, wing: int, kind: str) -> bool:
        """Whether a wing is open."""
        return self.is_everything or wing == self.wing or (self.is_personal and kind != "project")

    def require(self, row: WingRow) -> None:
        """Raise InvalidInput for a wing that is not open."""
        if not self.holds(row.wing, row.kind):
            raise InvalidInput(
                "wing",
                f"{row.name!r} is outside of the project: leave out `project`, or change across_projects from "
                f"{self.across!r}",
            )


async def open_pointers(tx: Transaction, scope: Scope, pointers: Iterable[str]) -> set[str]:
    """Those of the pointers that lie in open wings."""
    wings = {each: (await located(tx, each)).wing for each in pointers}
    rows = {number: await editing_store.wing(tx, number) for number in set(wings.values())}
    is_open = {number: row is not None and scope.holds(row.wing, row.kind) for number, row in rows.items()}
    return {each for each, number in wings.items() if is_open[number]}


async def scope_of(tx: Transaction, project: str, across: Crossing) -> Scope:
    """The scope of a project, by its name."""
    try:
        return Scope((await find_wing(tx, project)).wing, across)
    except NotFound:
        return Scope(0, across)
