"""What is under deploy/ passes its linters and names what there is."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest
import yaml

from ricordo.cli.main import root
from ricordo.settings import PREFIX, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


def accepted(arguments: list[str]) -> click.Context:
    """The context of a command line, which must be one that Ricordo takes."""
    command = root.get_command(click.Context(root), arguments[0])
    assert command is not None
    return command.make_context(arguments[0], arguments[1:])


def test_the_dockerfile_passes_hadolint() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    linted = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, timeout=300)
    assert (linted.returncode, linted.stdout) == (0, "")


def test_the_dockerfile_starts_what_there_is_and_asks_whether_it_is_ready() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    [command] = re.findall(r"^CMD (\[.*\])$", text, re.M)
    served = accepted(yaml.safe_load(command)).params
    assert f"EXPOSE {served['port']}\n" in text
    assert f"http://127.0.0.1:{served['port']}/readyz" in text


def test_the_compose_file_names_what_there_is() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    known = {PREFIX + each.name.upper() for each in fields(Settings)}
    services = composed["services"]
    for service in services.values():
        assert {each for each in service.get("environment", {}) if each.startswith(PREFIX)} <= known
        assert set(service.get("depends_on", {})) <= services.keys()
    accepted(services["worker"]["command"])
    port = accepted(["serve"]).params["port"]
    assert services["api"]["ports"] == [f"127.0.0.1:{port}:{port}"]


@pytest.mark.parametrize("unit", UNITS, ids=[each.name for each in UNITS])
def test_units_start_what_there_is(unit: Path) -> None:
    [line] = re.findall(r"^ExecStart=\S+/ricordo (.*)$", unit.read_text(), re.M)
    accepted(shlex.split(line))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("unit", UNITS, ids=[each.name for each in UNITS])
def test_units_pass_systemds_own_look(unit: Path, tmp_path: Path) -> None:
    copy = tmp_path / unit.name
    copy.write_text(re.sub(r"^ExecStart=\S+/ricordo", "ExecStart=/bin/true", unit.read_text(), flags=re.M))
    looked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--user" if "%h" in unit.read_text() else "--system", copy],
        capture_output=True,
        text=True,
        timeout=300,
    )
    said = [each for each in looked.stderr.splitlines() if unit.name in each]
    assert said == []
