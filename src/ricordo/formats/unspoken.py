"""What a source holds that nobody said, counted by its kind and reported once at the end."""

from __future__ import annotations

from collections import Counter

from ricordo.formats.problems import Reporter


class Unspoken:
    """Counts what is no speech: calls of tools, pictures, people who come and go."""

    def __init__(self, report: Reporter) -> None:
        self._report = report
        self._counts: Counter[str] = Counter()

    def note(self, kind: str) -> None:
        """Counts one; `kind` is what several of them are called: `calls`."""
        self._counts[kind] += 1

    def close(self) -> None:
        """Reports what was counted, if anything; it is no loss, as no turn was left out."""
        if self._counts:
            kinds = ", ".join(f"{kind} ({count:,})" for kind, count in sorted(self._counts.items()))
            self._report(f"skipped what is not a message: {kinds}", lost=False)
            self._counts.clear()
