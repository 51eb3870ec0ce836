"""The command line before it reaches a store: help, unknown names, settings, and the one table of exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from commands import Command, in_process
from ricordo import __version__, cli, errors
from ricordo.cli import main
from ricordo.cli.main import COMMANDS, EXIT_CODES, root
from ricordo.cli.options import Moment
from ricordo.settings import Settings


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line whose home is empty; nothing here may start a server in it."""
    return in_process(Settings(home=tmp_path / "home"), monkeypatch, capsys)


def _commands() -> list[tuple[str, ...]]:
    context = click.Context(root)
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        command = root.get_command(context, name)
        assert command is not None
        found.append((name,))
        found += [(name, each) for each in getattr(command, "commands", ())]
    return found


def _advised() -> list[str]:
    """The commands that messages advise to list something with, and those that list ids."""
    source = Path(cli.__file__).parents[1]
    text = "\n".join(each.read_text() for each in source.rglob("*.py"))
    found = re.findall(r"\b[Ll]ist (?:\w+ )*with `(ricordo [^`{]+)`", text) + re.findall(
        r'\bId\("(ricordo [^"]+)"', text
    )
    return sorted({*found})


@pytest.mark.parametrize("advice", _advised())
def test_a_command_that_a_message_advises_can_be_given(advice: str) -> None:
    command: click.Command = root
    words = advice.split()[1:]
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, advice
        command = found
    command.make_context(advice, words)


@pytest.mark.parametrize("path", _commands(), ids=" ".join)
def test_every_command_explains_itself(run: Command, path: tuple[str, ...]) -> None:
    ran = run(*path, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: ricordo {' '.join(path)} ")
    assert len(ran.out.splitlines()) > 4


def test_help_lists_every_command_with_the_summary_that_the_command_gives(run: Command) -> None:
    out = run("--help").out
    for name, (_, summary) in COMMANDS.items():
        assert f"{name}" in out and summary in out
    assert run().err.splitlines()[:3] == out.splitlines()[:3]


def test_the_version_is_the_package_s(run: Command) -> None:
    assert run("--version").out == f"ricordo {__version__}\n"


def test_every_error_has_an_exit_code_of_its_own() -> None:
    codes = dict(EXIT_CODES)
    leaves = {kind for kind in vars(errors).values() if isinstance(kind, type) and not kind.__subclasses__()}
    # A write that a policy refuses answers with its receipt; elsewhere it is input like any other.
    assert leaves and leaves - {errors.PolicyRefused} <= set(codes)
    assert len(set(codes.values())) == len(codes)
    assert list(codes)[-1] is errors.RicordoError


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rcall", "x"], "No such command 'rcall'. Did you mean 'recall'?"),
        (["frobnicate"], "No such command 'frobnicate'."),
        (["recall", "x", "--topk", "3"], "No such option '--topk'. Did you mean '--top-k'?"),
        (["recall"], "Missing argument 'QUESTION'."),
        (["recall", "which", "battery"], "Got unexpected extra argument (battery)"),
        (["recall", "x", "--top-k", "many"], "'many' is not a valid integer"),
        (["recall", "x", "--as-of", "yesterday"], "invalid time 'yesterday': expected ISO 8601, such as 2026-03-04"),
        (["mine"], "Missing argument 'PATH...'."),
        (["palace", "sho", "x"], "No such command 'sho'. Did you mean 'show'?"),
        (["bench", "locomo", "nowhere.json"], "File 'nowhere.json' does not exist."),
        (["bench", "peers", "--histories", "0"], "0 is not in the range x>=1."),
    ],
    ids=" ".join,
)
def test_a_line_that_cannot_be_read_is_refused_with_what_may_be_meant(
    run: Command, arguments: list[str], said: str
) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("RICORDO_POOL_SIZE", "abc", "RICORDO_POOL_SIZE: invalid value 'abc': expected a whole number"),
        ("RICORDO_POOL_SIZE", "0", "RICORDO_POOL_SIZE: must be at least 1, not 0"),
        ("RICORDO_SCHEMA", "a b", "RICORDO_SCHEMA: invalid name 'a b': expected a lower-case SQL name"),
        ("RICORDO_SCHEMA", "x'; drop", "RICORDO_SCHEMA:"),
        ("RICORDO_SCHEMA", "pg_memory", "RICORDO_SCHEMA: invalid name 'pg_memory': PostgreSQL keeps it for itself"),
        ("RICORDO_SCHEMA", "information_schema", "RICORDO_SCHEMA: invalid name 'information_schema'"),
        ("RICORDO_CONNECT_TIMEOUT", "-1", "RICORDO_CONNECT_TIMEOUT: must be greater than 0 seconds"),
        ("RICORDO_USER", "a\nb", "RICORDO_USER: invalid user name 'a\\nb'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_called_by_its_variable(
    run: Command, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    ran = run("recall", "x", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"ricordo: {said}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(("name", "value"), [("time_zone", "Berlin"), ("embedding_model", "moon")])
def test_a_users_setting_is_called_by_its_name_even_if_a_variable_has_the_same(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
) -> None:
    ran = in_process(settings, monkeypatch, capsys)("settings", "set", f"{name}={value}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"ricordo: {name}: ")


@pytest.mark.parametrize(
    "user", ["", "  ", "a" * 300, "a\nb", "a\x07b"], ids=["empty", "blank", "long", "line", "bell"]
)
@pytest.mark.parametrize("arguments", [["recall", "x"], ["palace", "tree"], ["mine", "."]], ids=lambda each: each[0])
def test_a_user_name_that_cannot_be_one_is_refused_before_a_store_is_touched(
    run: Command, tmp_path: Path, arguments: list[str], user: str
) -> None:
    ran = run(*arguments, "--user", user)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("ricordo: --user: ") and ran.err.count("\n") == 1
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("command", ["mine", "watch", "export", "import", "backup", "restore", "verify"])
def test_an_empty_path_is_not_the_current_folder(run: Command, command: str) -> None:
    ran = run(command, "")
    assert (ran.code, ran.out) == (2, "")
    assert "empty path" in ran.err


def test_ctrl_c_is_one_line_and_code_130(
    run: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ricordo.embedding.installed", interrupted)
    assert main(["models", "list"]) == 130
    assert capsys.readouterr().err.strip().splitlines() == [
        "ricordo: interrupted; stored data is safe; run the same command again to continue"
    ]


def test_the_reference_names_every_command_and_option() -> None:
    reference = Path(__file__).parents[2] / "docs" / "reference.md"
    text = reference.read_text(encoding="utf-8")
    absent = [name for name in COMMANDS if f"`ricordo {name}" not in text]
    missing = []
    for path in _commands():
        if path[0] in absent:
            continue
        command: click.Command | None = root
        for name in path:
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), name)
        assert command is not None
        if not isinstance(command, click.Group) and not all(name in text for name in path):
            missing.append(" ".join(path))
        missing += [
            f"{' '.join(path)} {option}"
            for parameter in command.params
            if isinstance(parameter, click.Option)
            for option in parameter.opts
            if option.startswith("--") and option not in text
        ]
    assert (absent, missing) == ([], [])
    assert all(str(code) in text for _, code in EXIT_CODES[:-1])


@pytest.mark.parametrize(
    ("given", "since", "until"),
    [
        ("2026-03-04", "2026-03-04T00:00:00+00:00", "2026-03-05T00:00:00+00:00"),
        ("20261231", "2026-12-31T00:00:00+00:00", "2027-01-01T00:00:00+00:00"),
        ("2026-03-04T00:00", "2026-03-04T00:00:00+00:00", "2026-03-04T00:00:00+00:00"),
        ("2026-03-04T18:02:00+01:00", "2026-03-04T18:02:00+01:00", "2026-03-04T18:02:00+01:00"),
    ],
)
def test_a_bare_date_begins_with_its_day_and_ends_with_it(given: str, since: str, until: str) -> None:
    read = [Moment(whole_day).convert(given, None, None).isoformat() for whole_day in (False, True)]
    assert read == [since, until]
    with pytest.raises(click.BadParameter, match="before 9999-12-31"):
        Moment(whole_day=True).convert("9999-12-31", None, None)
