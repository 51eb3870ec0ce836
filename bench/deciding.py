"""Finds the weights of `ricordo.text.deciding_words`: which sentences of the projects of `bench assistants` settle
something. Prints them, and how many decisions they find in projects that they were not found on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.assistants import sessions
from bench.assistants_tasks import Project
from ricordo.text.deciding_words import FORM, clearness, signs
from ricordo.text.decisions import stated_in

#: Common words of English and German, and signs: none of them is about a subject.
_WORDS = Path(__file__).parent / "data" / "common_words.txt"
#: How strongly weights are kept small, and rounds in which a decision's clearest sentence is chosen anew.
_SHRINK, _ROUNDS = 20.0, 3
#: Smaller weights are left out, since they change next to nothing.
_LEAST = 0.05
#: Of so many turns of a project, the clearest, it is counted how many decide something.
LOOKED_AT = 25


class Turn(NamedTuple):
    """A turn of a project, and of one that decides the part that must be shown; None of others."""

    text: str
    line: str | None


def turns(project: Project) -> list[Turn]:
    """The turns of a project's sessions, and its prompts, which decide nothing."""
    decided = {each.decided: each.line for each in project.tasks}
    said = [text for session in sessions(project) for _, text in session]
    prompts = [each.prompt for each in project.tasks] + list(project.plain)
    return [Turn(text, decided.get(text)) for text in said] + [Turn(text, None) for text in prompts]


def fit(projects: Sequence[Project]) -> dict[str, float]:
    """The weights that tell best which sentences decide something. Of a turn that does, the clearest sentence of the
    part that must be shown counts; the others of it do not count either way."""
    names = [*_WORDS.read_text("utf-8").split(), *FORM]
    found = [each for project in projects for each in turns(project)]
    against = [signs(part) for turn in found if turn.line is None for part in stated_in(turn.text.lower())]
    groups = [parts for turn in found if turn.line is not None if (parts := list(_shown(turn)))]
    weights: dict[str, float] | None = None
    for _ in range(_ROUNDS):
        chosen = groups
        if weights is not None:
            chosen = [[max(each, key=partial(clearness, weights=weights))] for each in groups]
        given = [signs(part) for parts in chosen for part in parts]
        rows = np.array([[each.get(name, 0.0) for name in names] for each in [*given, *against]])
        solved = _logistic(rows, np.r_[np.ones(len(given)), np.zeros(len(against))])
        weights = {"": solved[0], **dict(zip(names, solved[1:], strict=True))}
    assert weights is not None
    kept = {name: round(float(value), 2) for name, value in weights.items()}
    return {name: value for name, value in kept.items() if abs(value) >= _LEAST}


def _shown(turn: Turn) -> Iterator[str]:
    """The sentences of a decisive turn that must be shown."""
    line = _plain(turn.line or turn.text)
    parts = stated_in(turn.text.lower())
    inside = [each for each in parts if _plain(each) in line or line in _plain(each)]
    yield from inside or parts


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def _logistic(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The intercept and the weights of a regularized logistic regression in which both kinds count alike, by Newton's
    method."""
    rows = np.hstack([np.ones((len(rows), 1)), rows])
    share = np.where(wanted == 1, 0.5 / wanted.mean(), 0.5 / (1 - wanted.mean()))
    shrink = np.r_[0.0, np.full(rows.shape[1] - 1, _SHRINK)]
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (chance - wanted)) + shrink * weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + np.diag(shrink)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def found_among(project: Project, weights: dict[str, float]) -> tuple[int, int]:
    """How many decisions of a project are among its clearest turns, and how many there are."""
    said = [each for session in sessions(project) for _, each in session]
    decided = {each.decided for each in project.tasks}
    clear = [max((clearness(part, weights) for part in stated_in(each.lower())), default=-9.0) for each in said]
    best = sorted(range(len(said)), key=lambda place: -clear[place])[:LOOKED_AT]
    return sum(said[place] in decided for place in best), len(decided)
