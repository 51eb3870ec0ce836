"""One word for one thing: no public name and no text that people read uses a word that was replaced."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

import ricordo
from ricordo import errors, models
from ricordo.cli.main import root
from ricordo.client import AsyncMemory
from ricordo.mcp.tools import TOOLS
from ricordo.models import UserSettings
from ricordo.settings import Settings

ROOT = Path(__file__).resolve().parents[2]

#: Replaced words, and what to write instead.
REPLACED = {
    r"encoders?": "embedding model",
    r"embedders?": "embedding model",
    r"readers?": "LLM",
    r"quarantined?s?": "review queue, held",
    r"nouns?": "model",
    r"doors?": "resource",
    r"tend(?:ed|ing)": "edited, editing",
    r"assertions?": "fact",
    r"records? of (?:every )?access(?:es)?": "access log",
}
#: British spellings, which no name and no text has: the beginnings or the whole of words.
REPLACED |= {
    r"(?:neighbo|colo|behavio|favo|hono|labo)ur\w*": "American spelling: …or",
    r"(?:organ|recogn|summar|optim|normal|token|initial|priorit|synchron|serial|minim|maxim|categor)"
    r"is(?:e[drs]?|ing|ation)s?": "American spelling: …ize",
    r"centres?|licence[ds]?|catalogues?|defences?|grey|artefacts?|judgements?|programmes?|whilst|learnt|spelt": (
        "American spelling"
    ),
    r"(?:label|model|travel|signal|cancel)l(?:ed|ing)(?<!cancelled)|analys(?:e[drs]?|ing)": "American spelling",
}
#: Words that were replaced in names; sentences may still use them in their plain sense.
REPLACED_IN_NAMES = REPLACED | {r"talks?": "conversation", r"transfers?": "import"}

#: Idioms of error messages, and what to write instead.
IDIOMS = {
    r"(?:is|are) (?:no|none)\b(?! longer)": "invalid …: expected …, is not a …",
    r"(?:is|are) the most": "the maximum is …",
    r"(?:there is|there are) (?:no|nothing)": "… not found",
    r"(?:is|are) needed": "requires, expected",
    r"nobody|somebody|for ever|all the same|as far as": "say what happens instead",
    r"tells of|says so|a fault of": "reports, shows, internal error",
    r"(?:is|are|was|were) kept": "stored",
    r"must lie|lies (?:in|outside)": "must be, is in",
    r"goes? with": "requires, only applies to",
    r"(?:take|takes) (?:it|them) out|mend": "remove, fix",
}

#: Where a replaced word may stand: people read screens, examples store the code of a door, a cross-encoder is no
#: embedding model, and people of the sample have a neighbour.
ALLOWED = re.compile(r"screen readers?|door code|front door|cross-encoders?|neighbour Leyla", flags=re.IGNORECASE)


def _words(name: str) -> str:
    """A name's words: `listHeld_writes` is `list held writes`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./{}]+", " ", name).casefold()


def _found(text: str, replaced: dict[str, str]) -> list[str]:
    text = ALLOWED.sub("", text)
    return [
        f"{word[0]!r} (write {instead!r})"
        for pattern, instead in replaced.items()
        for word in re.finditer(rf"\b(?:{pattern})\b", text, flags=re.IGNORECASE)
    ]


def _commands(command: click.Command, path: str = "ricordo") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _commands(below, f"{path} {name}")


def _python_names() -> Iterator[str]:
    yield from ricordo.__all__
    yield from models.__all__
    yield from (name for name in vars(errors) if name[0] != "_")
    for name in models.__all__:
        value = getattr(models, name)
        yield from getattr(value, "model_fields", ())
    yield from (each.name for each in fields(Settings))
    yield from UserSettings.model_fields
    for owner, attribute in _methods():
        yield attribute
        yield from inspect.signature(getattr(owner, attribute)).parameters


def _methods() -> Iterator[tuple[type, str]]:
    from ricordo import api

    for owner in (AsyncMemory, *(getattr(api, name) for name in api.__all__)):
        if inspect.isclass(owner):
            for name, _ in inspect.getmembers(owner, inspect.isfunction):
                if name[0] != "_":
                    yield owner, name


def _python_texts() -> Iterator[str]:
    for owner, name in _methods():
        yield inspect.getdoc(getattr(owner, name)) or ""
    for name in models.__all__:
        value = getattr(models, name)
        if inspect.isclass(value):
            yield inspect.getdoc(value) or ""


def _document() -> Any:
    return json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))


def _of_document(value: Any, *, names: bool) -> Iterator[str]:
    """Names (paths, operations, parameters, schemas, fields) or texts of the OpenAPI document."""
    if isinstance(value, list):
        for each in value:
            yield from _of_document(each, names=names)
    elif isinstance(value, dict):
        for key, each in value.items():
            if names and key in ("paths", "schemas", "properties") and isinstance(each, dict):
                yield from each
            told = ("operationId", "name") if names else ("summary", "description", "title")
            if key in told and isinstance(each, str):
                yield each
            if key not in ("example", "examples"):
                yield from _of_document(each, names=names)


def _tables() -> Iterator[str]:
    sql = (ROOT / "src/ricordo/database/migrations/0001_tables.sql").read_text(encoding="utf-8")
    for table, body in re.findall(r"^CREATE TABLE (\w+) \(\n(.*?)^\);", sql, flags=re.MULTILINE | re.DOTALL):
        yield table
        yield from (f"{table}.{column}" for column in re.findall(r"^    ([a-z_]+) ", body, flags=re.MULTILINE))
    yield from re.findall(r"^CREATE (?:UNIQUE )?INDEX (\w+)", sql, flags=re.MULTILINE)


def _command_names() -> Iterator[str]:
    for path, command in _commands(root):
        yield path
        for parameter in command.params:
            yield from (*parameter.opts, *parameter.secondary_opts)


def _command_texts() -> Iterator[str]:
    for _, command in _commands(root):
        yield command.help or ""
        yield command.short_help or ""
        yield from (parameter.help or "" for parameter in command.params if isinstance(parameter, click.Option))


def _tool_names() -> Iterator[str]:
    for tool in TOOLS:
        yield tool.name
        yield from tool.schema["properties"]


def _tool_texts() -> Iterator[str]:
    for tool in TOOLS:
        yield json.dumps([tool.description, tool.schema])


def _error_texts() -> Iterator[str]:
    """Texts of errors: of Python's calls of an error's class, and of `refuse` and RAISE in SQL."""
    source = ROOT / "src" / "ricordo"
    classes = {name for name, value in vars(errors).items() if isinstance(value, type)} | {"Refused", "Problem"}
    for path in sorted(source.rglob("*.py")):
        if "bench" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in classes:
                parts = [each for argument in node.args for each in ast.walk(argument)]
                constants = [each.value for each in parts if isinstance(each, ast.Constant)]
                yield " … ".join(each for each in constants if isinstance(each, str))
    sql = (source / "database/migrations/0002_functions.sql").read_text(encoding="utf-8")
    yield from re.findall(r"(?:refuse\(|RAISE EXCEPTION )[^;]*", sql)


def _pages() -> Iterator[Path]:
    yield from (ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md", "deploy/README.md"))
    yield from sorted(path for path in (ROOT / "docs").rglob("*.md") if "lab" not in path.parts)
    yield from sorted((ROOT / "web" / "src" / "texts").glob("*.ts"))
    yield ROOT / "src/ricordo/database/migrations/0001_tables.sql"


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(_python_names, id="python"),
        pytest.param(_command_names, id="commands"),
        pytest.param(lambda: _of_document(_document(), names=True), id="http"),
        pytest.param(_tool_names, id="mcp"),
        pytest.param(_tables, id="tables"),
    ],
)
def test_no_public_name_has_a_replaced_word(names: Any) -> None:
    every = sorted(set(names()))
    assert len(every) >= 10
    assert {name: found for name in every if (found := _found(_words(name), REPLACED_IN_NAMES))} == {}


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(_python_texts, id="python"),
        pytest.param(_command_texts, id="commands"),
        pytest.param(lambda: _of_document(_document(), names=False), id="http"),
        pytest.param(_tool_texts, id="mcp"),
    ],
)
def test_no_help_text_has_a_replaced_word(texts: Any) -> None:
    every = sorted(set(texts()))
    assert len(every) >= 10
    assert {text: found for text in every if (found := _found(text, REPLACED))} == {}


def test_no_error_has_a_replaced_word_or_idiom() -> None:
    every = sorted(set(_error_texts()))
    assert len(every) >= 300
    assert {text: found for text in every if (found := _found(text, REPLACED | IDIOMS))} == {}


@pytest.mark.parametrize("page", list(_pages()), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_has_a_replaced_word(page: Path) -> None:
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
    assert {number: found for number, line in lines if (found := _found(line, REPLACED))} == {}


def test_no_model_is_named_by_a_participle() -> None:
    """A model is a thing: `RunEnd`, and not `Ended`."""
    assert [name for name in models.__all__ if re.search(r"^[A-Z]\w*ed$|^(Seen|Spent|Held|Known)$", name)] == []


def test_a_replaced_word_is_found_in_any_form() -> None:
    assert _found(_words("EncoderChoice"), REPLACED) and _found(_words("RICORDO_READER_URL"), REPLACED)
    assert _found(_words("/v1/quarantine/{held}"), REPLACED) and _found("The record of accesses", REPLACED)
    for text in ("'x' is none: 1 to 200", "'x' is no time", "10 are the most", "there is no agent", "they are needed"):
        assert _found(text, IDIOMS), text
    assert not _found("is no longer a chat; not found; is not stored", IDIOMS)
    assert not _found("screen readers and the door code; encoding, attended, LLM", REPLACED)
