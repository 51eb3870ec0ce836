"""The current branch of a conversation whose turns are kept as a tree, because some were written anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Node = TypeVar("Node")


def branch(nodes: Mapping[str, Node], parents: Mapping[str, str | None], leaf: str) -> tuple[list[str], bool]:
    """The ids of the nodes from the root to `leaf`, and whether the way was whole.

    It is not whole where a parent is named that is not among the nodes, or the way runs in a circle.
    """
    way: list[str] = []
    seen: set[str] = set()
    current: str | None = leaf
    while current is not None and current in nodes and current not in seen:
        seen.add(current)
        way.append(current)
        current = parents.get(current)
    return way[::-1], current is None
