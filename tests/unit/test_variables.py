"""The names of environment variables: a misspelled one is refused, since memory would land in another store."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from ricordo.assistants import Machine
from ricordo.errors import InvalidInput
from ricordo.settings import PREFIX, Settings

_REPOSITORY = Path(__file__).parents[2]
_KNOWN = [PREFIX + each.name.upper() for each in fields(Settings)]


def _refused(name: str, value: str = "x") -> str:
    with pytest.raises(InvalidInput) as refused:
        Settings.from_environment({"RICORDO_HOME": "/srv/ricordo", name: value})
    assert refused.value.field == name
    return str(refused.value)


@pytest.mark.parametrize(
    ("misspelled", "meant"),
    [
        ("RICORDO_DATABSE_URL", "RICORDO_DATABASE_URL"),
        ("RICORDO_DATABASEURL", "RICORDO_DATABASE_URL"),
        ("RICORDO_HOMES", "RICORDO_HOME"),
        ("ricordo_home", "RICORDO_HOME"),
        ("RICORDO_LM_URL", "RICORDO_LLM_URL"),
        ("RICORDO_USERNAME", "RICORDO_USER"),
        ("RICODO_DATABASE_URL", "RICORDO_DATABASE_URL"),
        ("RICCORDO_HOME", "RICORDO_HOME"),
        ("RICORDOHOME", "RICORDO_HOME"),
        ("RICRODO_HOME", "RICORDO_HOME"),
    ],
)
def test_a_misspelled_variable_is_refused_with_the_nearest_one(misspelled: str, meant: str) -> None:
    assert f"did you mean {meant}?" in _refused(misspelled)


@pytest.mark.parametrize("known", _KNOWN)
def test_no_setting_can_lose_a_letter_unnoticed(known: str) -> None:
    for place in range(len(known)):
        shorter = known[:place] + known[place + 1 :]
        if shorter not in _KNOWN and shorter != PREFIX:
            assert "did you mean RICORDO_" in _refused(shorter)


def test_a_port_is_refused_and_the_address_that_kubernetes_puts_there_is_not() -> None:
    _refused("RICORDO_PORT", "7667")
    Settings.from_environment(
        {
            "RICORDO_HOME": "/srv/ricordo",
            "RICORDO_PORT": "tcp://10.0.0.1:7667",
            "RICORDO_PORT_7667_TCP_ADDR": "10.0.0.1",
            "RICORDO_SERVICE_HOST": "10.0.0.1",
            "RICORDO_DATABASE_SERVICE_PORT_SQL": "5432",
            "RICORDO_TEST_ROUNDS": "50",
            "RICORDO_MISSPELLED": "  ",
            "RICARDO_HOME": "/home/ricardo",
            "RICORD_OTHER": "1",
        }
    )


def test_every_variable_that_the_project_names_is_accepted() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=_REPOSITORY, capture_output=True, text=True, check=True).stdout
    named: set[str] = set()
    for each in listed.splitlines():
        if each.startswith(
            ("deploy/", "docs/", "script/", "src/", "web/", ".ci/", "README", "SECURITY", "hatch_build")
        ):
            named |= set(
                re.findall(r"\bRICORDO_[A-Z][A-Z_]*[A-Z]\b(?!…)", (_REPOSITORY / each).read_text("utf-8", "replace"))
            )
    assert len(named) > 25
    values = {name: "1" for name in named if name not in _KNOWN and name not in ("RICORDO_DATABSE_URL",)}
    Settings.from_environment({"RICORDO_HOME": "/srv/ricordo", **values})


def test_the_command_line_names_the_variable(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "ricordo", "recall", "kiln"],
        env={"RICORDO_HOME": str(tmp_path), "RICORDO_DATABSE_URL": "postgresql://db.example.org/x"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1 and "did you mean RICORDO_DATABASE_URL?" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_commands_that_look_into_the_home_folder_say_what_to_do_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from ricordo.cli.watch import _sessions

    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", none)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidInput, match="pass a FOLDER"):
        _sessions()
    with pytest.raises(InvalidInput, match="set HOME"):
        Machine.here()
