"""What each signal is worth: the same questions, answered with one signal left out and with one alone.

Every question is asked once, through the product, with as many lines as it gives; each variant then puts these lines
into the order of what it leaves of their signals. So the candidates are those of the whole, and a variant that would
never have found a line is not told apart from one that puts it last.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ricordo import embedding
from ricordo.bench.datasets import Asked, History
from ricordo.bench.runner import mine, own_schema
from ricordo.bench.scoring import measures
from ricordo.client import AsyncMemory
from ricordo.models import Hit
from ricordo.recall import REFINING, WEIGHTS, conversation_signal
from ricordo.settings import Settings

MEASURES = (("turn", "any@1"), ("turn", "any@10"), ("session", "any@5"), ("session", "all@5"))
_SIGNALS = (*WEIGHTS, *REFINING)
#: The signals by which a room's best turns are known.
_OF_A_TURN = frozenset(WEIGHTS) - {"conversation"}
_REFINING = frozenset(REFINING)
_LINES = 1000
_RESAMPLES = 2000


@dataclass(frozen=True)
class Variant:
    """One way to rank. For each measure the share of questions, and its difference from the whole with the ends of
    the 95% interval of the bootstrap over questions; each between -1 and 1."""

    name: str
    figures: dict[tuple[str, str], tuple[float, float, float, float]]


async def ablate(settings: Settings, histories: Iterable[History], progress: Callable[[str], None]) -> list[Variant]:
    """Mine each history as a user of its own, in a schema that is dropped, and rank its questions' lines in each way.

    The first variant is the whole. Raises StoreError and ModelUnavailable.
    """
    await asyncio.to_thread(embedding.load, settings)  # raises before anything was mined for nothing
    scores: dict[str, dict[tuple[str, str], list[float]]] = {name: defaultdict(list) for name in _variants()}
    async with own_schema(settings) as own:
        for history in histories:
            progress(f"{history.id}: mining {len(history.conversations)} conversations")
            async with AsyncMemory(settings=replace(own, user=history.id), background=False) as memory:
                await mine(memory, history.conversations)
                progress(f"{history.id}: asking {len(history.questions)} questions")
                for asked in history.questions:
                    found = await memory.recall(asked.text, top_k=_LINES, now=asked.now)
                    _score(found.results, asked, scores)
    whole = {measure: np.array(values) for measure, values in scores["whole"].items()}
    return [Variant(name, {key: _figure(whole[key], values[key]) for key in whole}) for name, values in scores.items()]


def _variants() -> dict[str, frozenset[str]]:
    """The signals that each variant keeps."""
    all_ = frozenset(_SIGNALS)
    found = {"whole": all_}
    found |= {f"without {name}": all_ - {name} for name in _SIGNALS}
    # A room's best lines are nothing by themselves: what makes them the best is left out too.
    found |= {f"{name} alone": frozenset([name]) for name in _SIGNALS if name != "conversation"}
    return found


def _score(hits: Sequence[Hit], asked: Asked, scores: dict[str, dict[tuple[str, str], list[float]]]) -> None:
    places = [(hit.conversation, hit.position) for hit in hits]
    for name, order in _orders(hits).items():
        turns = [places[each] for each in order]
        sessions = list(dict.fromkeys(conversation for conversation, _ in turns))
        for level, ranked, gold in (("turn", turns, asked.turns), ("session", sessions, asked.sessions)):
            given = measures(ranked, gold) if gold else {}
            for measure in MEASURES:
                if measure[0] == level and gold:
                    scores[name][measure].append(given[measure[1]])


def _orders(hits: Sequence[Hit]) -> dict[str, list[int]]:
    """The hits' indexes as each variant orders them, and equal ones the newest first, as recall does: their order in
    the whole would lend a signal that stands alone what the others know."""
    newest = sorted(range(len(hits)), key=lambda each: (hits[each].at, hits[each].pointer), reverse=True)
    hits = [hits[each] for each in newest]
    signals = {name: np.array([hit.signals.get(name, 0.0) for hit in hits], np.float32) for name in _SIGNALS}
    _, rooms = np.unique([hit.pointer.rsplit("/", 1)[0] for hit in hits], return_inverse=True)
    orders, nothing = {}, np.zeros(len(hits), np.float32)
    for name, kept in _variants().items():
        own, further = (sum((signals[each] for each in kept & part), nothing) for part in (_OF_A_TURN, _REFINING))
        total = further + own + (conversation_signal(rooms, own) if "conversation" in kept else nothing)
        best = np.argsort(-total, kind="stable").tolist()
        orders[name] = [newest[each] for each in best if total[each] > 0]
    return orders


def _figure(whole: np.ndarray, values: Sequence[float]) -> tuple[float, float, float, float]:
    """The share, the difference from the whole, and the ends of its interval (Efron's percentiles, one fixed seed)."""
    differences = np.array(values) - whole
    picks = np.random.default_rng(0).integers(0, len(differences), (_RESAMPLES, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), (2.5, 97.5))
    return float(np.mean(values)), float(differences.mean()), float(low), float(high)
