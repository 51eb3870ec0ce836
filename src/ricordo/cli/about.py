"""ricordo about: what is known about the user, or about a person, project or thing, as Markdown or JSON."""

from __future__ import annotations

import click

from ricordo.cli.opening import opened, settings_of
from ricordo.cli.options import json_option, on_terminal, print_item, shown, user_option


@click.command("about")
@click.argument("name", required=False)
@click.option("--max-tokens", type=int, default=800, show_default=True, help="Maximum tokens of the page.")
@json_option
@user_option
def command(name: str | None, max_tokens: int, as_json: bool, user: str | None) -> None:
    """Show what is known about NAME, an entity's name or id; without NAME, about you.

    Shows current facts by topic, recent changes, contradictions and plans, each with its pointer, as Markdown. The
    least important lines are left out if the page has more than --max-tokens.
    """
    with opened(settings_of(user)) as memory:
        found = memory.about(name, max_tokens=max_tokens)
    if as_json:
        print_item(found)
    else:
        # A program gets the exact text, with control characters.
        click.echo(shown(found.text) if on_terminal() else found.text, nl=False, color=True)
