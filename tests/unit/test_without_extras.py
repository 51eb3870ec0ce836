"""No command fails with a traceback where no extra is installed: it works, or names the extra that it needs."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commands import environment
from ricordo.cli.main import root
from ricordo.extras import missing
from ricordo.settings import Settings

#: The modules of each extra that commands need. Adapters are imported by programs, not by commands.
EXTRAS = {
    "wordllama": ("tokenizers",),
    "llm": ("genai_prices", "httpx2", "openai"),
    "mcp": ("jsonschema", "mcp", "ruamel"),
    "remote": ("httpx2",),
    "server": ("fastapi", "httptools", "joserfc", "limits", "uvicorn", "uvloop"),
    "sync": ("cryptography", "httpx2", "mnemonic"),
    "citus": ("postgast",),
}
#: What runs until it is stopped, ends the server of the other tests, or downloads.
_APART = {"bench", "db", "resident", "watch", "worker"}
_RUN_ALL = """
import io, json, sys, traceback
from importlib.abc import MetaPathFinder

refused, lines = json.loads(sys.argv[1])

class Refusing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in refused:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refusing())
from ricordo.cli import main
for line in lines:
    sys.stdin, sys.stderr = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    try:
        main(line)
    except BaseException:
        traceback.print_exc()
    print(json.dumps([line, sys.stderr.getvalue()]), file=sys.__stderr__)
"""


def _leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if path or name not in _APART:
                leaf = command.get_command(context, name)
                assert leaf is not None
                yield from _leaves(leaf, (*path, name))
    else:
        yield path, command


def _filled(parameter: click.Parameter) -> str:
    if isinstance(parameter.type, click.Choice):
        return str(parameter.type.choices[0])
    return "goose" if parameter.metavar == "[AGENT]..." else "1"


def _line(path: tuple[str, ...], command: click.Command) -> list[str]:
    """A command line that gives what the command requires."""
    line = [*path]
    for each in command.params:
        if isinstance(each, click.Argument):
            line.append(_filled(each))
        elif each.required:
            line += [each.opts[-1], _filled(each)]
    return line


def _run(settings: Settings, refused: tuple[str, ...], lines: list[list[str]], folder: Path) -> dict[str, str]:
    """What each command line wrote on standard error, in an interpreter without these modules."""
    ended = subprocess.run(
        [sys.executable, "-c", _RUN_ALL, json.dumps([refused, lines])],
        env=environment(settings) | {"HOME": str(folder)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    return {" ".join(line): said for line, said in map(json.loads, io.StringIO(ended.stderr))}


def test_the_table_of_extras_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]
    named = project["optional-dependencies"]
    assert {each: len(named[each]) for each in EXTRAS} == {each: len(modules) for each, modules in EXTRAS.items()}


def test_a_module_whose_package_is_missing_is_missing() -> None:
    assert missing("json", "nowhere", "nowhere.within", "json.nowhere") == ["nowhere", "nowhere.within", "json.nowhere"]


def test_every_command_works_or_names_its_extra_where_no_extra_is_installed(settings: Settings, tmp_path: Path) -> None:
    every = tuple(sorted({module for modules in EXTRAS.values() for module in modules}))
    lines = [_line(*each) for each in _leaves(root)]
    said = _run(settings, every, lines, tmp_path)
    assert len(said) == len(lines) > 80
    assert not [text for text in said.values() if "Traceback" in text]
    for line, extra in {"connect goose": "mcp", "mcp": "mcp", "serve": "server", "sync init 1": "sync"}.items():
        assert f"pip install 'ricordo[{extra}]'" in said[line], line


@pytest.mark.parametrize("package", EXTRAS["mcp"])
def test_each_package_of_the_extra_for_assistants_is_missed_alone(
    settings: Settings, tmp_path: Path, package: str
) -> None:
    said = _run(settings, (package,), [["connect", "goose"], ["disconnect", "goose"]], tmp_path)
    assert "pip install 'ricordo[mcp]'" in said["connect goose"]
    assert "Traceback" not in said["disconnect goose"]
