"""What an LLM found beside what rules found in the same turns: the LLM's word counts where the two contradict each
other, and the rest of what rules found stays."""

from __future__ import annotations

from collections.abc import Mapping

from ricordo.facts.identity import slug_of
from ricordo.facts.relations import single_valued
from ricordo.models import EntityKind, Extraction, Fact, Mention

#: What a name is where nobody knows better: no word against a kind that says more.
_VAGUE: EntityKind = "topic"


def merged(model: Extraction, rules: Extraction) -> tuple[Extraction, Extraction]:
    """What is kept of an LLM's extraction and of the rules' for the same turns.

    A name has the kind that the LLM gives, unless that is the vaguest and rules know another. Of the rules' facts go
    those that the LLM states too, and those of which one value holds at a time where it states another in that turn.
    """
    known = {slug_of(each.name): each.kind for each in rules.mentions if each.kind != _VAGUE}
    told = {slug_of(each.name): each.kind for each in model.mentions if each.kind != _VAGUE}
    mentions = tuple(_as(each, known) for each in model.mentions)
    named = {(each.turn, slug_of(each.name)) for each in mentions}
    facts = tuple(_fact_as(each, known) for each in model.facts)
    stated = {(*_slot(each), slug_of(each.object)) for each in facts}
    slots = {_slot(each) for each in facts}
    stays = Extraction(
        mentions=tuple(_as(each, told) for each in rules.mentions if (each.turn, slug_of(each.name)) not in named),
        facts=tuple(
            each
            for each in rules.facts
            if (*_slot(each), slug_of(each.object)) not in stated
            and not (single_valued(each.predicate) and _slot(each) in slots)
        ),
    )
    return Extraction(mentions=mentions, facts=facts), stays


def _slot(fact: Fact) -> tuple[int, str, str]:
    return fact.turn, slug_of(fact.subject), fact.predicate


def _as(mention: Mention, kinds: Mapping[str, EntityKind]) -> Mention:
    """A mention of the kind that is known of its name, where it tells none itself."""
    kind = kinds.get(slug_of(mention.name), mention.kind)
    return mention if mention.kind != _VAGUE or kind == mention.kind else mention.model_copy(update={"kind": kind})


def _fact_as(fact: Fact, kinds: Mapping[str, EntityKind]) -> Fact:
    """The same of a fact's subject and object."""
    known = {"subject_kind": kinds.get(slug_of(fact.subject)), "object_kind": kinds.get(slug_of(fact.object))}
    update = {field: kind for field, kind in known.items() if kind and getattr(fact, field) == _VAGUE}
    return fact.model_copy(update=update) if update else fact
