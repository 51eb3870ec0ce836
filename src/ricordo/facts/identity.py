"""Which names are one and the same: what rules join by themselves, and what a person joined or parted.

The rules look at all names together, so that the order in which they came does not matter:

- the user is who talks with an assistant, by whatever name (`SELF` among them);
- a first name alone is the one person whose full name begins with it; where two people's do, it is neither.

What a person said stands above the rules, also that two are not the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ricordo.facts.entity_store import EntityRow
from ricordo.models import SELF
from ricordo.text import words

#: For an entity: merged into which (None: into none), by whom, and the end of that chain.
Merge = tuple[int | None, str | None, int]


def slug_of(name: str) -> str:
    """What the spellings of a name have in common: no case, accents, punctuation or English possessive ending."""
    bare = name.strip()
    for ending in ("'s", "’s"):
        bare = bare.removesuffix(ending)
    return "-".join(words(bare))


def changed_merges(rows: Sequence[EntityRow], own_names: Iterable[str]) -> dict[int, Merge]:
    """The merges that must be written so that rules, persons' decisions and roots agree."""
    by_rules = _by_rules(rows, {slug_of(name) for name in own_names})
    wanted: dict[int, tuple[int | None, str | None]] = {}
    for each in rows:
        into = by_rules.get(each.entity)
        by_hand = each.merged_by == "manual"
        wanted[each.entity] = (each.merged_into, "manual") if by_hand else (into, "rules" if into else None)
    into_only = {entity: into for entity, (into, _) in wanted.items()}
    merges = {entity: (into, by, _root(entity, into_only)) for entity, (into, by) in wanted.items()}
    return {
        each.entity: merges[each.entity]
        for each in rows
        if merges[each.entity] != (each.merged_into, each.merged_by, each.root)
    }


def _by_rules(rows: Sequence[EntityRow], own: set[str]) -> dict[int, int]:
    self_ = _self(rows, own)
    merges: dict[int, int] = {}
    full_names: defaultdict[str, set[int]] = defaultdict(set)
    for each in rows:
        if each.kind == "person":
            for slug in each.slugs:
                first, _, rest = slug.partition("-")
                if rest:
                    full_names[first].add(each.entity)
    for each in rows:
        if self_ is not None and each.entity != self_ and own & set(each.slugs):
            merges[each.entity] = self_
        elif each.kind == "person" and len(each.slugs) == 1 and "-" not in each.slugs[0]:
            others = full_names.get(each.slugs[0], set()) - {each.entity}
            if len(others) == 1:
                merges[each.entity] = others.pop()
    return merges


def _self(rows: Sequence[EntityRow], own: set[str]) -> int | None:
    """The user's own entity: the one of conversation with assistants, else of the first of the user's names."""
    named = {slug: each.entity for each in rows for slug in each.slugs if slug in own | {SELF}}
    return named.get(SELF, named[min(named)] if named else None)


def _root(entity: int, into: Mapping[int, int | None]) -> int:
    seen = {entity}
    while (following := into.get(entity)) is not None and following not in seen:
        entity = following
        seen.add(entity)
    return entity
