"""The wings that a project sees: its own, and those that the user's setting `across_projects` allows."""

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
    """The wings visible to a project."""

    #: Its own wing, or 0 (which no wing has) if nothing of the project was stored yet.
    wing: int
    across: Crossing

    @property
    def is_everything(self) -> bool:
        """Whether all wings are visible."""
        return self.across == "everything"

    @property
    def is_personal(self) -> bool:
        """Whether wings that are not projects are visible."""
        return self.across != "nothing"

    def holds(self, wing: int, kind: str) -> bool:
        """Whether a wing is visible."""
        return self.is_everything or wing == self.wing or (self.is_personal and kind != "project")

    def require(self, row: WingRow) -> None:
        """Raise InvalidInput if the wing is not visible."""
        if not self.holds(row.wing, row.kind):
            raise InvalidInput(
                "wing",
                f"{row.name!r} is outside of the project: leave out `project`, or change across_projects from "
                f"{self.across!r}",
            )


async def open_pointers(tx: Transaction, scope: Scope, pointers: Iterable[str]) -> set[str]:
    """Those pointers that are in visible wings."""
    wings = {each: (await located(tx, each)).wing for each in pointers}
    rows = {number: await editing_store.wing(tx, number) for number in set(wings.values())}
    is_open = {number: row is not None and scope.holds(row.wing, row.kind) for number, row in rows.items()}
    return {each for each, number in wings.items() if is_open[number]}


async def scope_of(tx: Transaction, project: str, across: Crossing) -> Scope:
    """The scope of the project with this name."""
    try:
        return Scope((await find_wing(tx, project)).wing, across)
    except NotFound:
        return Scope(0, across)
