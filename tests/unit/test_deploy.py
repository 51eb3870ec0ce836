"""What is under deploy/ passes its linters and names what there is."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import Histogram, InMemoryMetricReader, Sum

from ricordo import errors, telemetry
from ricordo.cli.main import root
from ricordo.settings import PREFIX, Settings

REPOSITORY = Path(__file__).parents[2]
DEPLOY = REPOSITORY / "deploy"
RULES: list[dict[str, Any]] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "ricordo.json").read_text())
TARGETS = [each for panel in DASHBOARD["panels"] for each in panel.get("targets", ())]
#: Labels that Prometheus adds by itself.
ADDED = frozenset({"job", "instance", "le"})
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


@cache
def exported() -> dict[str, set[str]]:
    """The labels of each series that Prometheus makes of our instruments, by the rules that OpenTelemetry documents:
    https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/."""
    reader = InMemoryMetricReader()
    with pytest.MonkeyPatch.context() as patch:
        provider = MeterProvider([reader])
        patch.setattr(metrics, "get_meter_provider", lambda: provider)
        with telemetry.gauges({name: lambda: [(1, {"state": "due"})] for name in telemetry.GAUGES}):
            with telemetry.serving("POST", {}) as told:
                told |= {"http.route": "/v1/recall", "http.response.status_code": 500}
            with pytest.raises(ZeroDivisionError), telemetry.measuring("write", kind="note") as counts:
                counts["stored"] = 1
                raise ZeroDivisionError
            read = reader.get_metrics_data()
    assert read is not None
    series: dict[str, set[str]] = {}
    for each in (each for of in read.resource_metrics for scope in of.scope_metrics for each in scope.metrics):
        labels = {underscored(label) for point in each.data.data_points for label in point.attributes or {}}
        for name in named(each.name, each.unit or "", each.data):
            series[name] = labels
    return series


def underscored(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_:]", "_", name)


def named(name: str, unit: str, data: object) -> list[str]:
    """The names of an instrument's series."""
    assert unit == "s" or re.fullmatch(r"\{\w+\}", unit), f"{name}: add the suffix that Prometheus has for {unit!r}"
    whole = underscored(name) + ("_seconds" if unit == "s" else "")
    if isinstance(data, Histogram):
        return [f"{whole}_{part}" for part in ("bucket", "count", "sum")]
    return [f"{whole}_total"] if isinstance(data, Sum) else [whole]


_FUNCTIONS = frozenset(
    [
        "absent",
        "avg",
        "delta",
        "histogram_quantile",
        "label_values",
        "max",
        "max_over_time",
        "min",
        "min_over_time",
        "rate",
        "sum",
        "topk",
        "vector",
    ]
)
_MATCHER = re.compile(r"(\w+)\s*(=~|!~|!=|=)\s*\"([^\"]*)\"")


def parsed(query: str) -> tuple[set[str], set[tuple[str, str]]]:
    """The series that a query names, and the labels, each with what it is compared with."""
    require_balanced(query)
    labels = {(label, value) for label, _, value in _MATCHER.findall(query)}
    rest = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|\"[^\"]*\"", " ", query)
    for group in re.findall(r"\b(?:by|on)\s*\(([^()]*)\)", rest):
        labels |= {(label.strip(), "") for label in group.split(",") if label.strip()}
    rest = re.sub(r"\b(?:by|on)\s*\([^()]*\)|\b(?:and|or)\b", " ", rest)
    called = set(re.findall(r"([a-z_]+)\s*\(", rest))
    assert called <= _FUNCTIONS, called - _FUNCTIONS
    return set(re.findall(r"(?<![\w$.])[a-z_:][\w:]*", rest)) - called, labels


def require_balanced(query: str) -> None:
    opened: list[str] = []
    for each in re.sub(r"\"[^\"]*\"", "", query):
        if each in "([{":
            opened.append(each)
        elif each in ")]}":
            assert opened, f"{each} closes nothing: {query}"
            assert opened.pop() + each in ("()", "[]", "{}"), query
    assert not opened and query.count('"') % 2 == 0, query


def queries() -> Iterator[tuple[str, str, set[str]]]:
    """Each query of the two files, where it is, and the labels that its texts show."""
    for rule in RULES:
        texts = " ".join(rule["annotations"].values())
        yield rule["alert"], rule["expr"], set(re.findall(r"\$labels\.(\w+)", texts))
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"], set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))


@pytest.mark.parametrize(("where", "query", "shown"), list(queries()), ids=[each for each, _, _ in queries()])
def test_queries_name_metrics_and_labels_that_are_exported(where: str, query: str, shown: set[str]) -> None:
    series, compared = parsed(query)
    assert series and series <= exported().keys(), f"{where}: {series - exported().keys()}"
    known = ADDED.union(*(exported()[each] for each in series))
    assert {label for label, _ in compared} | shown <= known, where
    assert shown <= {label for label, _ in compared}, f"{where} shows a label that the query drops"
    states = {value for label, value in compared if label == "ricordo_state" and value}
    assert states <= {"due", "scheduled", "running", "dead"}
    for label, value in compared:
        if label == "error_type" and value:
            assert all(issubclass(getattr(errors, each), errors.RicordoError) for each in value.split("|"))


def test_a_query_that_names_what_is_not_there_is_found() -> None:
    series, labels = parsed('sum by (le, job) (rate(ricordo_jobs{ricordo_state="due", job=~"$job"}[5m])) > 0.01')
    assert series == {"ricordo_jobs"}
    assert labels == {("le", ""), ("job", ""), ("ricordo_state", "due"), ("job", "$job")}
    for broken in ("sum(a", "sum(a]", "a)", 'a{b="c}'):
        with pytest.raises(AssertionError):
            require_balanced(broken)


def test_every_metric_is_documented_and_on_the_dashboard() -> None:
    bases = {re.sub(r"_(bucket|count|sum)$", "", each) for each in exported()}
    documented = set(re.findall(r"\| `(\w+)` \|", (REPOSITORY / "docs" / "telemetry.md").read_text()))
    assert documented == bases
    shown = set().union(*(parsed(each["expr"])[0] for each in TARGETS))
    assert {re.sub(r"_(bucket|count|sum)$", "", each) for each in shown} == bases


def test_the_dashboard_has_one_place_for_each_panel_and_one_source_of_data() -> None:
    panels = DASHBOARD["panels"]
    assert len({each["id"] for each in panels}) == len(panels)
    places = [
        {(x, y) for x, y in itertools.product(range(at["x"], at["x"] + at["w"]), range(at["y"], at["y"] + at["h"]))}
        for at in (each["gridPos"] for each in panels)
    ]
    assert len(set().union(*places)) == sum(map(len, places)), "panels overlap"
    assert all(x < 24 for place in places for x, _ in place)
    variables = {each["name"] for each in DASHBOARD["templating"]["list"]}
    sources = [each["datasource"] for each in (*TARGETS, *panels) if "datasource" in each]
    assert {each["uid"] for each in sources} == {"${datasource}"}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(DASHBOARD)))
    assert used - {"__rate_interval"} <= variables


def test_alerts_say_how_bad_it_is_and_name_commands_that_exist() -> None:
    assert len({each["alert"] for each in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in ("critical", "warning", "info")
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["annotations"].keys() == {"summary", "description"}
    texts = [text for rule in RULES for text in rule["annotations"].values()]
    texts += [panel.get("description", "") for panel in DASHBOARD["panels"]]
    commands = re.findall(r"`ricordo ([^`]+)`", " ".join(texts))
    assert commands
    for command in commands:
        accepted(shlex.split(command))


def test_the_runbooks_commands_exist() -> None:
    page = (REPOSITORY / "docs" / "guides" / "operate.md").read_text()
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    commands = [
        found[1] for line in lines if (found := re.search(r"(?:^\$|&&) (?:[A-Z_]+=\S+ )*ricordo ([^#>|&]+)", line))
    ]
    assert len(commands) > 10
    for command in commands:
        accepted(shlex.split(command))
