"""The OpenAPI document is what is checked in, and the server answers as it says, whatever it is asked."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from http_server import Server, running
from ricordo.http import Options, application
from ricordo.settings import Settings
from stores import settings_for
from talks import BATTERY

_ROOT = Path(__file__).resolve().parents[2]
# Schemathesis draws from `random` in some of its strategies, which Hypothesis frowns on.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")
_CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home)) as server:
        server.post("/v1/agents", {"name": "coder"})
        server.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
        yield server


#: They take nothing that could be wrong.
_NOTHING_TO_SEND = ("GET /healthz", "GET /readyz", "POST /signout")
_DOCUMENT = schemathesis.openapi.from_path(_ROOT / "docs" / "openapi.json")
_OPERATIONS = [each.ok() for each in _DOCUMENT.get_all_operations()]


@pytest.mark.parametrize(
    ("operation", "mode"),
    [
        pytest.param(each, mode, id=f"{each.label} {mode.value}")
        for each in _OPERATIONS
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
        if mode is GenerationMode.POSITIVE or each.label not in _NOTHING_TO_SEND
    ],
)
def test_every_operation_answers_as_the_document_says(operation: Any, mode: GenerationMode, server: Server) -> None:
    @settings(max_examples=3, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        answer = case.call(base_url=server.url, headers={"Authorization": f"Bearer {server.token}"})
        # That there is no LLM or embedding model is no fault of the server.
        missing = answer.status_code == 503 and "model-unavailable" in answer.text
        case.validate_response(answer, checks=_CHECKS[1:] if missing else _CHECKS)

    ask()


@pytest.mark.parametrize("operation", [pytest.param(each, id=each.label) for each in _OPERATIONS])
def test_no_operation_takes_a_parameter_that_it_does_not_have(operation: Any, server: Server) -> None:
    path = re.sub(r"\{\w+\}", "00000000-0000-4000-8000-000000000000", operation.path)
    known = {each["name"] for each in operation.definition.raw.get("parameters", ()) if each["in"] == "query"}
    headers = {"Content-Type": "application/json"} if "requestBody" in operation.definition.raw else {}
    answer = server.ask(operation.method.upper(), f"{path}?dry-run=true", headers=headers)
    if answer.status_code == 404 and operation.definition.raw.get("x-access") == "person":
        return  # closed to keys, whatever they ask
    assert answer.status_code == 422, answer.text
    told = answer.json()
    assert "query.dry-run" in [each["field"] for each in told["errors"]]
    assert all(f"`{each}`" in told["detail"] for each in known)


def test_the_document_that_is_checked_in_is_the_server_s() -> None:
    stale = subprocess.run([sys.executable, _ROOT / "script" / "openapi", "--check"], check=False).returncode
    assert not stale, "run script/openapi"


def test_applications_of_a_process_share_their_operations() -> None:
    """FastAPI analyzes each operation of a router again for each application that includes it."""
    one, other = (application(Settings(), Options()) for _ in range(2))
    assert len({*map(id, one.routes)} & {*map(id, other.routes)}) >= len(_OPERATIONS)


def test_each_schema_has_a_name_that_generators_take() -> None:
    names = set(_DOCUMENT.raw_schema["components"]["schemas"])
    assert not [each for each in names if not re.fullmatch(r"[A-Z][A-Za-z]*(_[A-Za-z_]+)?", each)]


def test_a_change_has_no_defaults_that_a_generated_client_would_send() -> None:
    """A client of openapi-python-client had switched a user's policies off where it changed another setting."""
    schemas = _DOCUMENT.raw_schema["components"]["schemas"]
    changes = [operations["patch"] for operations in _DOCUMENT.raw_schema["paths"].values() if "patch" in operations]
    assert len(changes) > 5
    for each in changes:
        name = each["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert not [field for field, of in schemas[name]["properties"].items() if "default" in of], name


def test_the_examples_of_the_guide_run(server: Server) -> None:
    guide = (_ROOT / "docs" / "http.md").read_text()
    examples = re.findall(r"```sh\n(.*?)```", guide, re.S)
    assert examples
    for each in examples:
        script = each.replace("curl -s", "curl -sf")
        variables = {"URL": server.url, "KEY": server.token, "PATH": "/usr/local/bin:/usr/bin:/bin"}
        ran = subprocess.run(["bash", "-euc", script], env=variables, capture_output=True, text=True, timeout=300)
        assert ran.returncode == 0, ran.stderr
        assert "LiFePO4" in ran.stdout
