"""ricordo serve: the HTTP API and the web page."""

from __future__ import annotations

import threading
import webbrowser

import click

from ricordo.settings import Settings

#: What the extra `ricordo[server]` installs, and the server cannot start without.
_NEEDED = {"fastapi", "httptools", "limits", "starlette", "uvicorn"}


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=7667, show_default=True, help="The port to listen on.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name by which others reach the server.")
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="URL", help="An origin whose pages may call it (CORS)."
)
@click.option("--rate", default="1200/minute", show_default=True, help="Requests of one key.")
@click.option(
    "--largest-body", type=click.IntRange(1), default=16, show_default=True, metavar="MB", help="Of a request."
)
@click.option(
    "--largest-upload",
    type=click.IntRange(1),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Of files to import.",
)
@click.option("--no-sign-in", is_flag=True, help="Print no link by which a browser here signs in.")
@click.option("--path-prefix", "prefix", default="", metavar="PATH", help="Where a proxy shows it, such as /memory.")
@click.option("--open", "opens", is_flag=True, help="Open the web page in a browser.")
def command(
    host: str,
    port: int,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    rate: str,
    largest_body: int,
    largest_upload: int,
    no_sign_in: bool,
    prefix: str,
    opens: bool,
) -> None:
    """Serve the web page, and the memories of all users over HTTP, until Ctrl-C or SIGTERM; do their background work.

    Each request needs a key (`ricordo key create`) or a token of your identity provider. On this machine a browser may
    sign in as you by the link that is printed. Other machines are served with --host, once there is a key; put a server
    that speaks TLS in front. Needs the extra: pip install 'ricordo[server]'.
    """
    try:
        from ricordo.http import NOT_BUILT, Options, is_built, serve
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        extra = "pip install 'ricordo[server]'"
        raise click.ClickException(f"the server needs the extra: {extra} ({error.name} is missing)") from None

    options = Options(
        host=host,
        port=port,
        hosts=hosts,
        origins=origins,
        rate=rate,
        largest_body=largest_body * 1024 * 1024,
        largest_upload=largest_upload * 1024 * 1024,
        sign_in=not no_sign_in,
        prefix=prefix.rstrip("/"),
    )

    def started(link: str | None) -> None:
        click.echo(f"Ricordo listens at {options.url}/v1; Ctrl-C ends it.", err=True)
        if not is_built():
            click.echo(f"There is nothing to open in a browser: {NOT_BUILT}.", err=True)
            return
        if link is not None:
            click.echo(f"Sign a browser in, once, within 15 minutes: {link}", err=True)
        if opens:
            # Beside the server, which some browsers would hold up until they are closed.
            threading.Thread(target=webbrowser.open, args=[link or options.url], daemon=True).start()

    serve(Settings.from_environment(), options, started)
