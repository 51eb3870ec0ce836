"""The part of a long turn that a question asks for, so that a budget of tokens holds more of the evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from ricordo.text import tokens_in, words

#: Marks where text was left out.
MARK = "[…]"
#: Where a text may be cut: after a sentence, and at the end of a line.
_ENDS = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<!\s)\s*\n\s*|(?<=[。！？])")
#: Letters by which forms of one word are told to be the same.
_STEM = 5


def excerpt(text: str, wanted: Collection[str], most: int) -> str:
    """The passage of a text, of at most about `most` tokens, that has the most of the `wanted` words: whole sentences
    in their order, word for word, and a mark where something was left out. A text that fits comes back as it is, and
    one without any of the words from its beginning."""
    if tokens_in(text) <= most:
        return text
    most -= 2 * tokens_in(MARK)
    pieces = list(_pieces(text, max(1, most)))
    costs = [tokens_in(text[start:end]) for start, end in pieces]
    stems = {each[:_STEM] for each in wanted}
    found = [{each[:_STEM] for each in words(text[start:end])} & stems for start, end in pieces]
    first, last = _best(costs, found, most)
    start, end = pieces[first][0], pieces[last][1]
    passage = text[start:end].strip()
    return f"{MARK + ' ' if start else ''}{passage}{' ' + MARK if text[end:].strip() else ''}"


def clearest(text: str, worth: Callable[[str], float], most: int) -> str:
    """The sentences of a text that are worth most, as many as fit into about `most` tokens, in their order, word for
    word, and marks where something was left out. The best one comes whatever it takes."""
    if tokens_in(text) <= most:
        return text
    pieces = list(_pieces(text, max(1, most)))
    chosen: set[int] = set()
    left = most - 2 * tokens_in(MARK)
    for at in sorted(range(len(pieces)), key=lambda at: -worth(text[slice(*pieces[at])].strip())):
        cost = tokens_in(text[slice(*pieces[at])])
        if cost <= left or not chosen:
            chosen.add(at)
            left -= cost
    told = ""
    for at, (start, end) in enumerate(pieces):
        if at in chosen:
            told += text[start:end]
        elif not told.endswith(f"{MARK} "):
            told = f"{told.rstrip()} {MARK} "
    return told.strip()


def _pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text begin and end; one of more than `most` tokens in parts, cut at spaces if it can."""
    start = 0
    for end in [*(each.end() for each in _ENDS.finditer(text)), len(text)]:
        # A text has at least as many characters as tokens, and at most four times as many: no more needs to be counted.
        while tokens_in(text[start : min(end, start + 4 * most + 1)]) > most:
            space = text.rfind(" ", start + 1, start + most + 1)
            cut = space if space > 0 else start + most
            yield start, cut
            start = cut
        if end > start:
            yield start, end
        start = end


def _best(costs: list[int], found: list[set[str]], most: int) -> tuple[int, int]:
    """The run of pieces with the most of the wanted words, as its first and last index; of equal ones the earliest."""
    best, chosen, last, cost = (-1, 0), (0, 0), -1, 0
    for first in range(len(costs)):
        if last < first:
            last, cost = first, costs[first]
        while last + 1 < len(costs) and cost + costs[last + 1] <= most:
            last += 1
            cost += costs[last]
        kinds = set().union(*found[first : last + 1])
        worth = (len(kinds), sum(map(len, found[first : last + 1])))
        if worth > best:
            best, chosen = worth, (first, last)
        cost -= costs[first]
    return chosen
