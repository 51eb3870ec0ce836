"""What works where the extra `ricordo[server]` is not installed: everything but `ricordo serve`, which names it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from commands import environment, write_chats
from mcp_clients import Caller
from ricordo.settings import Settings
from talks import BATTERY

#: What only a web server needs. starlette is not among these: the official MCP SDK imports it.
SERVER = ("fastapi", "httptools", "limits", "uvicorn", "uvloop", "joserfc")

_BARE = f"""
import sys
from importlib.abc import MetaPathFinder

class Refusing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {SERVER!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refusing())
"""
_RUN = _BARE + "from ricordo.cli import main\nsys.exit(main(sys.argv[1:]))"
_RUN_EACH = _BARE + "from ricordo.cli import main\nfor line in sys.argv[1:]:\n    assert main(line.split()) == 0, line"
_IMPORT_ALL = (
    _BARE
    + """
from importlib import import_module
from pkgutil import walk_packages
import ricordo
# Adapters import frameworks, some of which need a web server themselves. Drivers run in other environments.
apart = ("ricordo.http", "ricordo.adapters", "ricordo.__main__")
def of(package):
    for module in walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.startswith(apart) and not module.name.endswith("_driver") and ".drivers." not in module.name:
            import_module(module.name)
            print(module.name)
of(ricordo)
"""
)


def _bare(settings: Settings, *arguments: str, code: str = _RUN) -> subprocess.CompletedProcess[str]:
    """Runs `ricordo`, or this code, in an interpreter that has no web server."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment(settings), capture_output=True, text=True, timeout=300
    )


def test_the_core_install_has_no_web_server_and_the_extra_has_all_of_it() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]
    names = {each: {line.split(">")[0] for line in lines} for each, lines in project["optional-dependencies"].items()}
    assert not {line.split(">")[0] for line in project["dependencies"]} & {*SERVER, "starlette"}
    assert names["server"] == set(SERVER)


def test_every_module_but_the_http_api_is_imported_without_a_web_server(settings: Settings) -> None:
    ended = _bare(settings, code=_IMPORT_ALL)
    assert ended.returncode == 0, ended.stderr
    assert {"ricordo.client", "ricordo.cli.serve", "ricordo.mcp.server", "ricordo.bench"} <= {*ended.stdout.split()}


def test_the_command_line_mines_and_recalls_without_a_web_server(settings: Settings, tmp_path: Path) -> None:
    chats = write_chats(tmp_path / "chats.jsonl", {"b": BATTERY})
    lines = (f"mine {chats}", "palace tree", "key create notebook", "serve --help", "recall battery")
    ended = _bare(settings, *lines, code=_RUN_EACH)
    assert ended.returncode == 0, ended.stderr
    assert "Lindner" in ended.stdout


def test_mcp_on_stdio_remembers_and_recalls_without_a_web_server(settings: Settings) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=["-W", "error", "-c", _RUN, "mcp"], env=environment(settings)
    )

    async def talk() -> None:
        async with Client(stdio_client(started)) as client:
            call = Caller(client)
            await call("mine_conversation", conversation_id="b", messages=BATTERY)
            assert "Lindner" in await call("recall", query="Which battery pack?")

    asyncio.run(talk())


@pytest.mark.parametrize("arguments", [[], ["--host", "0.0.0.0"]])
def test_serve_without_its_extra_says_what_to_install(settings: Settings, arguments: list[str]) -> None:
    ended = _bare(settings, "serve", *arguments)
    assert ended.returncode == 1
    assert (
        ended.stderr
        == "Error: the server needs a package that is not installed (fastapi): pip install 'ricordo[server]'\n"
    )
