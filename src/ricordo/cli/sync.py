"""ricordo sync: one memory on several devices, through any shared folder or a server."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, shown, stamp, user_option
from ricordo.errors import InvalidInput, counted
from ricordo.models import SyncMembership, SyncReport, SyncStatus

Command = TypeVar("Command", bound=Callable[..., Any])

_folder = click.argument("folder")


def _scope_options(command: Command) -> Command:
    """What takes part, and the device's name."""
    for name, told in (
        ("setting", "Settings to share, such as top_k; repeat for several. Other settings stay local to each device."),
        ("source", "Only conversations from this source; repeat for several."),
        ("agent", "Only what belongs to this agent, or to none; repeat for several."),
        ("wing", "Only conversations in this wing; repeat for several."),
    ):
        command = click.option(f"--{name}", f"{name}s", multiple=True, metavar="NAME", help=told)(command)
    told = "Allow http:// to another machine, although it shows the API key to the network."
    command = click.option("--plain-http", is_flag=True, help=told)(command)
    return click.option("--name", metavar="NAME", help="Name of this device.  [default: the machine's name]")(command)


@click.group("sync")
def command() -> None:
    """Sync one memory between several devices, through a shared folder or a server.

    The folder may be a shared disk, a Syncthing or Dropbox folder, a git working tree or a USB stick. Instead of its
    path, you can give the URL of a `ricordo serve` that holds the folder.

    The folder contains encrypted logs only. Redaction and forgetting win on every device.
    """


@command.command("init")
@_folder
@_scope_options
@json_option
@user_option
def init(folder: str, as_json: bool, user: str | None, **scope: Any) -> None:
    """Begin to sync this memory through FOLDER, a path or a server's URL, and show the key as words.

    For a URL, set RICORDO_SYNC_KEY to an API key of your user on that server, or type it when asked.
    """
    with Memory(user=user, background=False) as memory:
        joined = memory.sync.init(folder, server_key=_server_key(memory, folder), **scope)
        if as_json:
            print_item(joined)
            return
        _print_words(joined, memory.sync.status().folder)
        _print_report(memory.sync.now())


@command.command("join")
@_folder
@_scope_options
@json_option
@user_option
def join(folder: str, as_json: bool, user: str | None, **scope: Any) -> int:
    """Join the memory in FOLDER, a path or a server's URL.

    The twelve words of the key are read from the terminal or standard input. For a URL, set RICORDO_SYNC_KEY to an API
    key of your user on that server, or type it when asked.

    An empty store is restored from FOLDER. After the key was rotated, join again with the new words.
    """
    if "://" not in folder and not Path(folder).is_dir():
        raise InvalidInput(
            "folder", f"{folder} is not a folder: use the folder that `sync init` set up on another device"
        )
    words = click.prompt("The twelve words of the key", err=True)
    with Memory(user=user, background=False) as memory:
        joined = memory.sync.join(folder, words, server_key=_server_key(memory, folder), **scope)
        report = memory.sync.now()
    if as_json:
        print_item(report)
    else:
        click.echo(f"This device is {shown(joined.device)!r} of the memory {joined.memory}.")
        _print_report(report)
    return _code(report)


@command.command("now")
@click.option("--compact", is_flag=True, help="Remove redacted and forgotten text from this device's log at once.")
@json_option
@user_option
def now(compact: bool, as_json: bool, user: str | None) -> int:
    """Sync once. The exit code is 1 if a log could not be read completely."""
    with Memory(user=user, background=False) as memory:
        report = memory.sync.now(compact=compact)
    if as_json:
        print_item(report)
    else:
        _print_report(report)
    return _code(report)


@command.command("status")
@json_option
@user_option
def status(as_json: bool, user: str | None) -> None:
    """Show the folder, the devices and how far the log of each was applied."""
    with Memory(user=user, background=False) as memory:
        found = memory.sync.status()
    if as_json:
        print_item(found)
    else:
        _print_status(found)


@command.command("rotate")
@click.option("--lost", metavar="DEVICE", help="Name of a device to shut out. Its log is removed from the folder.")
@click.confirmation_option(prompt="Change the key? Every other device must join again with the new words.")
@json_option
@user_option
def rotate(lost: str | None, as_json: bool, user: str | None) -> None:
    """Change the key. Devices without the new words are shut out."""
    with Memory(user=user, background=False) as memory:
        joined = memory.sync.rotate(lost=lost)
        folder = memory.sync.status().folder
    if as_json:
        print_item(joined)
    else:
        _print_words(joined, str(folder))


@command.command("leave")
@click.confirmation_option(prompt="Stop syncing this memory on this device?")
@user_option
def leave(user: str | None) -> None:
    """Stop syncing on this device. Everything stored stays here, and the log stays in the folder for the others."""
    with Memory(user=user, background=False) as memory:
        memory.sync.leave()
    click.echo("This device no longer syncs. Its memory stays here.")


def _server_key(memory: Memory, folder: str) -> str | None:
    """The API key for a URL, typed by the user unless the environment has it or there is no terminal."""
    if "://" not in folder or memory.process_settings.sync_key is not None or not sys.stdin.isatty():
        return None
    return str(click.prompt("API key of the server", hide_input=True, err=True))


def _print_words(joined: SyncMembership, folder: str | None) -> None:
    click.echo("The key of this memory, as words. They are shown only this once: write them down.")
    click.echo(f"\n    {joined.words}\n")
    click.echo(f"On every other device, run `ricordo sync join {folder}` and type them.")


def _print_report(report: SyncReport) -> None:
    parts = [
        f"{report.sent:,} sent",
        counted(report.turns, "turn"),
        counted(report.memories, "memory"),
        counted(report.decisions, "edit"),
        f"{counted(report.removed, 'removal')} received",
    ]
    click.echo("Synced: " + ", ".join(parts) + (f"; {report.refused:,} refused by policy" if report.refused else ""))
    if report.compacted:
        click.echo("This device's log was rewritten. It holds nothing that was redacted or forgotten.")
    for conflict in report.conflicts:
        click.echo(f"conflict: {shown(conflict)}", err=True)
    for name, reason in report.waiting.items():
        click.echo(f"waiting: {shown(name)}: {reason}", err=True)
    for name, reason in report.problems.items():
        click.echo(f"refused: {shown(name)}: {shown(reason)}; nothing after that was applied", err=True)


def _print_status(found: SyncStatus) -> None:
    if not found.active:
        click.echo("This memory is not synced. Begin with `ricordo sync init FOLDER`.")
        return
    synced = f"last synced {stamp(found.synced_at)}" if found.synced_at else "not synced yet"
    click.echo(f"{found.folder}: {found.folder_bytes / 1e3:,.0f} kB, memory {found.memory}, {synced}")
    if found.problem:
        click.echo(f"the folder cannot be used: {shown(found.problem)}")
    for each in found.devices:
        seen = f", last wrote {stamp(each.seen_at)}" if each.seen_at else ""
        this = " (this device)" if each.is_self else " (shut out)" if each.shut_out else ""
        click.echo(f"  {shown(each.name)}{this}: {counted(each.segments, 'segment')}{seen}")
        if each.problem:
            click.echo(f"    refused: {shown(each.problem)}")
    for kind, names in found.scope.items():
        click.echo(f"only these {kind}: {shown(', '.join(names))}" if kind != "settings" else
                   f"shared settings: {shown(', '.join(names))}")  # fmt: skip
    if found.waiting:
        click.echo(f"{counted(found.waiting, 'segment')} to write to the folder")
    if found.compact_by:
        click.echo(f"Redacted and forgotten text leaves this device's log by {stamp(found.compact_by)}")
    for conflict in found.conflicts:
        click.echo(f"conflict: {shown(conflict)}")


def _code(report: SyncReport) -> int:
    return 1 if report.problems else 0
