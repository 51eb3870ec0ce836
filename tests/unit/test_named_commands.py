"""Commands that messages, pages and the manual name in backticks can be typed: they exist, with their options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ricordo.cli.main import root

ROOT = Path(__file__).resolve().parents[2]
_NAMED = re.compile(r"`(?:RICORDO_\w+=\S+ )?(ricordo [a-z][^`()]*)`|^\$ (?:RICORDO_\w+=\S+ )?(ricordo [a-z].*)$", re.M)
#: What stands for something that is left out.
_PLACEHOLDER = re.compile(r"…|\.\.\.|\[|\{|\||^#")
#: The name of a format, which is no command.
_NO_COMMAND = "ricordo sync 1"
#: Reports of the past, which name what there was then.
_PAST = {"CHANGELOG.md", "lab"}


def _files() -> Iterator[Path]:
    for folder, kind in (("src/ricordo", "*.py"), ("web/src", "*.ts"), ("docs", "*.md"), ("deploy", "*.md")):
        yield from (each for each in (ROOT / folder).rglob(kind) if not _PAST & {*each.parts})
    yield ROOT / "README.md"


def _problem(line: str) -> str | None:
    """What is wrong with a command line that stands in a text; None for one that can be typed."""
    if line.strip() == _NO_COMMAND:
        return None
    words = shlex.split(line.partition(" #")[0].rstrip(" &"))[1:]
    command: click.Command = root
    context = click.Context(root, info_name="ricordo")
    while words and isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        if found is None:
            return None if _PLACEHOLDER.search(words[0]) else f"no command {words[0]!r}"
        command, context, words = found, click.Context(found, info_name=words[0], parent=context), words[1:]
    options = {name: each for each in command.params if isinstance(each, click.Option) for name in each.opts}
    options |= {name: each for each in command.params if isinstance(each, click.Option) for name in each.secondary_opts}
    arguments = 0
    while words:
        word = words.pop(0)
        if word.startswith("--"):
            name, given, _ = word.partition("=")
            option = options.get(name)
            if option is None and name != "--help":
                return f"{command.name} has no option {name}"
            if option is not None and not option.is_flag and not given:
                words = words[1:]
        elif not _PLACEHOLDER.search(word):
            arguments += 1
    taken = [each.nargs for each in command.params if isinstance(each, click.Argument)]
    if not isinstance(command, click.Group) and -1 not in taken and arguments > sum(taken):
        return f"{command.name} has at most {sum(taken)} arguments"
    return None


def test_commands_that_texts_name_can_be_typed() -> None:
    named = [
        (str(path.relative_to(ROOT)), one or other)
        for path in _files()
        for one, other in _NAMED.findall(re.sub(r'"\s+f?"', "", path.read_text(encoding="utf-8")))
    ]
    assert len(named) > 300
    assert {each: problem for each in named if (problem := _problem(each[1]))} == {}


@pytest.mark.parametrize(
    "line",
    ["ricordo mime PATH", "ricordo memory list-profiles AGENT", "ricordo recall x --top 5", "ricordo key create A B"],
)
def test_a_command_that_cannot_be_typed_is_found(line: str) -> None:
    assert _problem(line)
