"""Charts: what is drawn, and that equal figures give an equal file."""

from __future__ import annotations

from pathlib import Path

from bench import charts
from ricordo.bench.scoring import Figure


def test_each_name_and_figure_stands_in_the_chart_and_equal_figures_give_equal_files(tmp_path: Path) -> None:
    panels = {"turn any@10, %": [Figure(0.871, 0.84, 0.89), Figure(0.5, 0.4, 0.6)]}
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    for path in (first, second):
        charts.bars(path, ["Ricordo", "another <one>"], panels, own="Ricordo")
    drawn = first.read_text()
    assert drawn == second.read_text()
    assert all(text in drawn for text in ("Ricordo", "another &lt;one&gt;", "87.1", "50.0", "turn any@10, %"))
