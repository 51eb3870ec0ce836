"""ricordo serve: the HTTP API and the web page."""

from __future__ import annotations

import threading
import webbrowser
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from ricordo.resident import Place
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory

#: What the extra `ricordo[server]` installs, and the server cannot start without.
_NEEDED = {"fastapi", "httptools", "limits", "starlette", "uvicorn"}


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=7667, show_default=True, help="Port to listen on.")
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="Host name that clients may use; repeatable."
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Origin whose pages may call the API (CORS); repeatable.",
)
@click.option("--rate", default="1200/minute", show_default=True, help="Rate limit for each key.")
@click.option(
    "--largest-body",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    metavar="MB",
    help="Maximum request size in MB.",
)
@click.option(
    "--largest-upload",
    type=click.IntRange(1),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Maximum size in MB of a file to import.",
)
@click.option(
    "--largest-folder",
    type=click.IntRange(1),
    default=10240,
    show_default=True,
    metavar="MB",
    help="Maximum size in MB of a user's synced folder.",
)
@click.option("--no-sign-in", is_flag=True, help="Do not print a sign-in link for a browser on this machine.")
@click.option(
    "--path-prefix", "prefix", default="", metavar="PATH", help="URL path prefix behind a proxy, such as /memory."
)
@click.option("--open", "opens", is_flag=True, help="Open the web page in a browser.")
def command(
    host: str,
    port: int,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    rate: str,
    largest_body: int,
    largest_upload: int,
    largest_folder: int,
    no_sign_in: bool,
    prefix: str,
    opens: bool,
) -> None:
    """Run the HTTP API and the web page for all users, and their background jobs, until Ctrl-C or SIGTERM.

    Each request needs an API key (`ricordo key create`) or a token of your identity provider. On this machine, open
    the printed link to sign in with a browser. To serve other machines, create a key, pass --host, and put a reverse
    proxy with TLS in front. Requires: pip install 'ricordo[server]'.
    """
    try:
        from ricordo.http import NOT_BUILT, Options, is_built, serve
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        extra = "pip install 'ricordo[server]'"
        raise click.ClickException(
            f"the server needs a package that is not installed ({error.name}): {extra}"
        ) from None

    options = Options(
        host=host,
        port=port,
        hosts=hosts,
        origins=origins,
        rate=rate,
        largest_body=largest_body * 1024 * 1024,
        largest_upload=largest_upload * 1024 * 1024,
        largest_folder=largest_folder * 1024 * 1024,
        sign_in=not no_sign_in,
        prefix=prefix.rstrip("/"),
    )

    def started(link: str | None) -> None:
        click.echo(f"Ricordo is listening at {options.url}/v1. Press Ctrl-C to stop.", err=True)
        if not is_built():
            click.echo(f"{NOT_BUILT[0].upper()}{NOT_BUILT[1:]}.", err=True)
            return
        if link is not None:
            click.echo(f"To sign in with a browser, open this link (valid once, for 15 minutes): {link}", err=True)
        if opens:
            # Beside the server, which some browsers would hold up until they are closed.
            threading.Thread(target=webbrowser.open, args=[link or options.url], daemon=True).start()

    settings, place = Settings.from_environment(), Place.here()

    def beside(memory: AsyncMemory) -> AbstractAsyncContextManager[object]:
        if place is None or settings.resident == "off":
            return nullcontext()
        from ricordo.cli import resident

        return resident.beside(memory, place)

    serve(settings, options, started, beside)
