"""ricordo reembed: change the vectors of a memory to another embedding model, beside all other work."""

from __future__ import annotations

from datetime import timedelta

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_json, user_option
from ricordo.cli.progress import bar
from ricordo.errors import ModelUnavailable
from ricordo.models import Estimate, ReembedReport


@click.command("reembed")
@click.option(
    "--model", required=True, metavar="NAME", help="The embedding model to change to: see `ricordo models list`."
)
@click.option("--dry-run", is_flag=True, help="Say how many memories, how long and how much; change nothing.")
@json_option
@user_option
def command(model: str, dry_run: bool, as_json: bool, user: str | None) -> None:
    """Change the vectors of a user's memories to another embedding model.

    Nothing stops meanwhile: recall goes by the old vectors until every memory has its new one. Stopped, by Ctrl-C or
    in any other way, it keeps what is done, and the same command goes on from there; several may share the work.
    Naming the embedding model that the vectors are of gives up a change that is under way.
    """
    with Memory(user=user, background=False) as memory:
        if dry_run:
            estimate = memory.reembed_estimate(model)
            print_item(estimate) if as_json else _estimated(estimate)
            return
        with bar("Making vectors", "memories", as_json) as progress:
            done = memory.reembed(model, progress=progress)
        pending, missing = done.pending, ""
        if pending:
            try:
                with bar("Making the first vectors", "memories", as_json) as progress:
                    memory.embed_pending(progress)
            except ModelUnavailable as error:
                missing = str(error)
            pending = memory.pending()
    if as_json:
        print_json({**done.model_dump(mode="json"), "pending": pending})
    else:
        _changed(done, pending, missing)


def _estimated(estimate: Estimate) -> None:
    text = f"{estimate.memories:,} memories would get vectors of {estimate.model}"
    if estimate.seconds is not None:
        text += f", in about {timedelta(seconds=max(1, round(estimate.seconds)))} of this machine; it costs nothing"
    else:
        text += f", which is about {estimate.tokens:,} tokens for the endpoint to bill"
    click.echo(f"{text}. Nothing was changed.")


def _changed(done: ReembedReport, pending: int, missing: str) -> None:
    what = f"{done.model} ({done.dimension:,} dimensions)"
    if done.previous is None:
        click.echo(f"The vectors are of {what}.")
    else:
        click.echo(f"The vectors are of {what} now, no longer of {done.previous}; {done.made:,} were made here.")
    if pending:
        click.echo(f"{pending:,} memories have no vector yet{f': {missing}' if missing else ''}", err=True)
