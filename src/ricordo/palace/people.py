"""The name of a wing that is about people: those who talk with the user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ricordo.text import fold

#: Stands between the names of a wing of several people.
AND = " & "


def others_of(people: Iterable[str], own: Sequence[str]) -> list[str]:
    """The people who are not the user, whose `own` names may be a part of a longer one; sorted, all if none is left."""
    named = sorted(set(people))
    mine = {fold(each) for each in own}
    return [name for name in named if not mine & {fold(name), *fold(name).split()}] or named
