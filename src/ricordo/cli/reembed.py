"""ricordo reembed: change the vectors of a memory to another embedding model, beside all other work."""

from __future__ import annotations

from datetime import timedelta

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_json, user_option
from ricordo.cli.progress import bar
from ricordo.errors import ModelUnavailable, counted
from ricordo.models import Estimate, ReembedReport


@click.command("reembed")
@click.option("--model", required=True, metavar="NAME", help="Embedding model to switch to; see `ricordo models list`.")
@click.option("--dry-run", is_flag=True, help="Estimate the time and cost without changing anything.")
@json_option
@user_option
def command(model: str, dry_run: bool, as_json: bool, user: str | None) -> None:
    """Switch a user's vectors to another embedding model.

    Recall keeps working: it uses the old vectors until every memory has a new one. You can interrupt the command and
    run it again to continue. Several processes can share the work. To cancel a switch, pass the current model.
    """
    with Memory(user=user, background=False) as memory:
        if dry_run:
            estimate = memory.reembed_estimate(model)
            print_item(estimate) if as_json else _estimated(estimate)
            return
        with bar("Changing the embedding model", "memories", as_json) as progress:
            done = memory.reembed(model, progress=progress)
        pending, missing = done.pending, ""
        if pending:
            try:
                with bar("Computing missing vectors", "memories", as_json) as progress:
                    memory.embed_pending(progress)
            except ModelUnavailable as error:
                missing = str(error)
            pending = memory.pending()
    if as_json:
        print_json({**done.model_dump(mode="json"), "pending": pending})
    else:
        _changed(done, pending, missing)


def _estimated(estimate: Estimate) -> None:
    text = f"{counted(estimate.memories, 'memory')} would get new vectors from {estimate.model}"
    if estimate.seconds is not None:
        text += f", in about {timedelta(seconds=max(1, round(estimate.seconds)))} on this machine, at no cost"
    else:
        text += f", for about {estimate.tokens:,} tokens that the provider bills"
    click.echo(f"{text}. Nothing was changed.")


def _changed(done: ReembedReport, pending: int, missing: str) -> None:
    what = f"{done.model} ({counted(done.dimension, 'dimension')})"
    if done.previous is None:
        click.echo(f"The vectors already use {what}.")
    else:
        click.echo(f"Switched the vectors from {done.previous} to {what}; computed {done.made:,} here.")
    if pending:
        click.echo(f"{counted(pending, 'memory')} without a vector yet{f': {missing}' if missing else ''}", err=True)
