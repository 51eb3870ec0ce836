"""ricordo doctor: every check, with what to do where one fails."""

from __future__ import annotations

import asyncio

import click

from ricordo.cli.options import json_option, print_json
from ricordo.doctor import examine
from ricordo.settings import Settings


@click.command("doctor")
@json_option
def command(as_json: bool) -> int:
    """Check this installation and suggest fixes. Exits with 1 if a check fails."""
    findings = asyncio.run(examine(Settings.from_environment()))
    if as_json:
        print_json([vars(each) for each in findings])
    for each in () if as_json else findings:
        mark = {"good": click.style("✓", fg="green"), "warning": click.style("!", fg="yellow")}
        click.echo(f"{mark.get(each.verdict, click.style('✗', fg='red'))} {each.what}: {each.found}")
        if each.advice:
            click.echo(f"    {each.advice}")
    return 1 if any(each.verdict == "wrong" for each in findings) else 0
