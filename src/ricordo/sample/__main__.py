"""`python -m ricordo.sample` asks the demo's five questions of the memory that the sample was mined into."""

from __future__ import annotations

import textwrap
import time

import click

from ricordo.blocking import Memory
from ricordo.sample import questions


def main() -> None:
    """Ask each question and print the two best lines with the signals that brought them."""
    with Memory(background=False) as memory:
        memory.recall("warm up")
        for each in questions():
            if not each.get("demo"):
                continue
            start = time.perf_counter()
            found = memory.recall(each["question"], top_k=2, now=each["now"])
            took = (time.perf_counter() - start) * 1000
            click.echo(
                f"\n{click.style(each['question'], bold=True)}   (asked on {each['now']:%Y-%m-%d}, {took:.0f} ms)"
            )
            for hit in found:
                speaker = click.style(hit.speaker, bold=True)
                click.echo(f"  {click.style(hit.pointer, fg='cyan')}  {hit.at:%Y-%m-%d}  {speaker}:")
                click.echo(textwrap.fill(hit.text, 100, initial_indent="    ", subsequent_indent="    ", max_lines=6))
                why = ", ".join(f"{name} {value:.2f}" for name, value in hit.signals.items() if value >= 0.005)
                click.echo(click.style(f"    why: {why}", dim=True))


if __name__ == "__main__":
    main()
