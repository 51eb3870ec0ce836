"""ricordo settings: the user's settings."""

from __future__ import annotations

from typing import Any

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, shown, user_option
from ricordo.errors import InvalidInput
from ricordo.models import UserSettings

_WORDS: dict[str, object] = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


@click.group("settings")
def command() -> None:
    """Show, change and reset your settings for recall, mining, models and spending caps."""


@command.command("show")
@json_option
@user_option
def show(as_json: bool, user: str | None) -> None:
    """Show all settings."""
    with Memory(user=user, background=False) as memory:
        _print(memory.settings.get(), as_json)


@command.command("set")
@click.argument("choices", nargs=-1, required=True, metavar="NAME=VALUE...")
@json_option
@user_option
def set_(choices: tuple[str, ...], as_json: bool, user: str | None) -> None:
    """Change settings, such as top_k=8 rerank=on cap_month=2.50. Use `none` to remove a model, a cap or a time zone."""
    changes = dict(map(_change, choices))
    with Memory(user=user, background=False) as memory:
        _print(memory.settings.update(**changes), as_json)


@command.command("reset")
@json_option
@user_option
def reset(as_json: bool, user: str | None) -> None:
    """Reset all settings to their defaults."""
    with Memory(user=user, background=False) as memory:
        _print(memory.settings.reset(), as_json)


def _change(choice: str) -> tuple[str, Any]:
    """A setting's name and its value as the library takes it."""
    name, equals, text = choice.partition("=")
    if not equals:
        raise InvalidInput("choices", f"invalid setting {choice[:50]!r}: expected NAME=VALUE, such as top_k=8")
    name, text = name.strip().replace("-", "_"), text.strip()
    if name in ("rerank_model", "extract_model", "embedding_model"):
        return name, None if text.lower() in ("none", "") else text
    if text.lower() == "none":
        return name, None
    if name == "top_k" and text.lstrip("-").isdecimal():
        return name, int(text)
    return name, _WORDS.get(text.lower(), text)


def _print(settings: UserSettings, as_json: bool) -> None:
    if as_json:
        print_item(settings)
        return
    for name, value in settings.model_dump(mode="json").items():
        word = {None: "–", True: "on", False: "off"}.get(value) if value is None or isinstance(value, bool) else value
        click.echo(f"{name:<16}  {shown(str(word))}")
