"""Figures as charts in SVG, for documents."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ricordo.bench.scoring import Figure
from ricordo.errors import InvalidInput
from ricordo.settings import Settings

#: Readable in print, in the dark and by people who do not see red and green.
_OWN, _OTHER, _INK = "#0b7285", "#adb5bd", "#495057"
_STYLES: Sequence[Mapping[str, Any]] = (
    {"color": _OWN, "marker": "o"},
    {"color": _OWN, "marker": "s", "linestyle": "--"},
    {"color": _INK, "marker": "^", "linestyle": ":"},
)


def bars(path: Path, names: Sequence[str], panels: Mapping[str, Sequence[Figure]], own: str) -> None:
    """Write a chart with a panel for each measure and in it a bar for each name, with its interval; the names that
    begin with `own` stand out.

    Raises InvalidInput where the library that draws is not installed.
    """
    figure, axes = _canvas(len(panels), height=0.9 + 0.34 * len(names))
    colours = [_OWN if name.startswith(own) else _OTHER for name in names]
    rows = range(len(names))
    for axis, (measure, figures) in zip(axes, panels.items(), strict=True):
        means = [100 * each.mean for each in figures]
        around = [
            [100 * (each.mean - each.low) for each in figures],
            [100 * (each.high - each.mean) for each in figures],
        ]
        axis.barh(rows, means, color=colours, xerr=around, error_kw={"ecolor": _INK, "elinewidth": 1})
        for row, (each, colour) in enumerate(zip(means, colours, strict=True)):
            on_dark = colour == _OWN and each > 12
            axis.text(1.5, row, f"{each:.1f}", va="center", fontsize=8, color="white" if on_dark else "black")
        axis.set(title=measure, xlim=(0, 100), yticks=rows, yticklabels=names)
    axes[0].invert_yaxis()
    _write(figure, path)


def curves(path: Path, panels: Mapping[str, Mapping[str, tuple[Sequence[float], Sequence[float]]]], along: str) -> None:
    """Write a chart with a panel for each measure and in it a curve for each name, over a logarithmic axis.

    Raises InvalidInput where the library that draws is not installed.
    """
    figure, axes = _canvas(len(panels), height=3.2, share_rows=False)
    for axis, (measure, drawn) in zip(axes, panels.items(), strict=True):
        for (name, (across, up)), style in zip(drawn.items(), _STYLES, strict=False):
            shown = [(x, y) for x, y in zip(across, up, strict=True) if x and y]
            axis.plot(*zip(*shown, strict=True), label=name, **style) if shown else None
        axis.set(title=measure, xscale="log", xlabel=along)
        axis.set_ylim(0, 1.08 * axis.get_ylim()[1])  # room above a curve that is level
        if len(drawn) > 1:
            axis.legend(frameon=False, fontsize=8)
    _write(figure, path)


def _canvas(panels: int, height: float, share_rows: bool = True) -> tuple[Any, Sequence[Any]]:
    """A figure with panels beside one another."""
    # Its cache of fonts and its settings would go into the user's home.
    os.environ.setdefault("MPLCONFIGDIR", str(Settings.from_environment().home / "matplotlib"))
    try:
        import matplotlib
    except ImportError:
        raise InvalidInput("chart", "needs matplotlib: pip install matplotlib") from None
    matplotlib.use("svg")
    # Text as text: a tenth of the size, and it can be searched. The salt makes equal charts equal files.
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "ricordo", "font.family": "sans-serif"}
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, panels, figsize=(10, height), sharey=share_rows, layout="constrained", squeeze=False
    )
    for axis in axes[0]:
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(colors=_INK)
        axis.title.set_fontsize(10)
    return figure, axes[0]


def _write(figure: Any, path: Path) -> None:
    from matplotlib import pyplot

    figure.savefig(path, format="svg", metadata={"Date": None}, facecolor="white")
    pyplot.close(figure)
