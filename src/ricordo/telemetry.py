"""OpenTelemetry traces and metrics: write, mine, recall and requests as they happen, and gauges of the store.

Nothing that was sent or remembered goes into them, no name and no id. OpenTelemetry's API is imported only where
somebody in the process has done so before: without that nobody could listen, and it takes 75 ms.

Names follow OpenTelemetry's semantic conventions (https://opentelemetry.io/docs/specs/semconv/) where these have some.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from opentelemetry.metrics import CallbackOptions, Counter, Histogram, MeterProvider, Observation
    from opentelemetry.trace import Span

Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])

_NAME = "ricordo"
#: Set for programs that OpenTelemetry is to be loaded into.
_VARIABLES = ("OTEL_PYTHON_TRACER_PROVIDER", "OTEL_PYTHON_METER_PROVIDER")
_INTERVAL = "OTEL_METRIC_EXPORT_INTERVAL"
#: Upper bounds of the histograms' buckets, those of OpenTelemetry's conventions for HTTP. The SDK's own are for
#: milliseconds: all that takes less than 5 s would be in one bucket.
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
#: The gauges of the store by name, each with its unit and description.
GAUGES = {
    "ricordo.jobs": ("{job}", "Background jobs of all users, by state."),
    "ricordo.vectors.pending": ("{memory}", "Memories of all users without a vector yet."),
    "ricordo.reviews.held": ("{write}", "Writes of all users that are held for review."),
    "ricordo.backup.age": ("s", "Age of the newest backup in RICORDO_BACKUP_DIR."),
}

#: What a gauge shows now: each value with its labels; no value where it is not known.
Reading = Iterable[tuple[float, Mapping[str, str]]]
#: What the gauges show, of each store that is open.
_shown: list[Mapping[str, Callable[[], Reading]]] = []


def measured(
    operation: str, counts: Callable[[Any], Mapping[str, int]] | None = None, **attributes: str
) -> Callable[[Function], Function]:
    """Let each call of a coroutine function be a span `ricordo.OPERATION` and count in the metrics; `counts` says by
    its result how many memories became what."""

    def decorated(function: Function) -> Function:
        @wraps(function)
        async def called(*args: Any, **kwargs: Any) -> Any:
            if not is_heard():
                return await function(*args, **kwargs)
            with measuring(operation, **attributes) as told:
                result = await function(*args, **kwargs)
                told |= counts(result) if counts is not None else {}
                return result

        return cast(Function, called)

    return decorated


@contextmanager
def measuring(operation: str, **attributes: str) -> Iterator[dict[str, int]]:
    """A span `ricordo.OPERATION` for this block. What is yielded takes how many memories became what. Only where it
    `is_heard`."""
    from opentelemetry import metrics, trace

    begin, counts = time.perf_counter(), dict[str, int]()
    named: dict[str, str] = {f"{_NAME}.{name}": value for name, value in attributes.items()}
    failed: dict[str, str] = {}
    tracer = trace.get_tracer(_NAME)
    options: dict[str, Any] = {"record_exception": False, "set_status_on_exception": False, "attributes": named}
    with tracer.start_as_current_span(f"{_NAME}.{operation}", **options) as span:
        try:
            yield counts
        except BaseException as error:
            failed = _fail(span, type(error).__name__)  # not its message, which may quote what was given
            raise
        finally:
            for name, count in counts.items():
                span.set_attribute(f"{_NAME}.{name}", count)
            durations, memories = _instruments(metrics.get_meter_provider())
            labels = {f"{_NAME}.operation": operation, **named, **failed}
            durations.record(time.perf_counter() - begin, labels)
            for name, count in counts.items():
                memories.add(count, {f"{_NAME}.operation": operation, f"{_NAME}.outcome": name, **named})


@contextmanager
def serving(method: str, headers: Mapping[str, str]) -> Iterator[dict[str, str | int]]:
    """A span for a request to a server, below the client's own where its headers name one. What is yielded takes
    `http.route` and `http.response.status_code`. Only where it `is_heard`."""
    from opentelemetry import metrics, propagate, trace

    begin, told = time.perf_counter(), dict[str, str | int]()
    common: dict[str, str | int] = {"http.request.method": method, "url.scheme": "http"}
    options: dict[str, Any] = {"kind": trace.SpanKind.SERVER, "record_exception": False}
    options |= {"set_status_on_exception": False, "attributes": common, "context": propagate.extract(dict(headers))}
    with trace.get_tracer(_NAME).start_as_current_span(method, **options) as span:
        try:
            yield told
        finally:
            if "http.route" in told:
                span.update_name(f"{method} {told['http.route']}")
            status = int(told.get("http.response.status_code", 0))
            failed = _fail(span, str(status)) if status >= 500 else {}
            for name, value in told.items():
                span.set_attribute(name, value)
            requests = _requests(metrics.get_meter_provider())
            requests.record(time.perf_counter() - begin, {**common, **told, **failed})


@contextmanager
def gauges(reads: Mapping[str, Callable[[], Reading]]) -> Iterator[None]:
    """Within the block, each export shows what these functions return, each for one of GAUGES. Only where it
    `is_heard`."""
    from opentelemetry import metrics

    _observed(metrics.get_meter_provider())
    _shown.append(reads)
    try:
        yield
    finally:
        _shown.remove(reads)


@cache
def _observed(provider: MeterProvider) -> None:
    """Make the gauges, which live as long as the process, and which a provider takes only once."""
    meter = provider.get_meter(_NAME)
    for name, (unit, description) in GAUGES.items():
        meter.create_observable_gauge(name, [partial(_observe, name)], unit=unit, description=description)


def _observe(name: str, _: CallbackOptions) -> list[Observation]:
    from opentelemetry.metrics import Observation

    return [
        Observation(value, {f"{_NAME}.{label}": each for label, each in labels.items()})
        for reads in tuple(_shown)
        for value, labels in reads[name]()
    ]


def export_interval() -> float:
    """Seconds between two exports: OTEL_METRIC_EXPORT_INTERVAL (in milliseconds), or OpenTelemetry's default."""
    try:
        return max(1.0, float(os.environ[_INTERVAL]) / 1000)
    except (KeyError, ValueError):
        return 60.0


def is_heard() -> bool:
    """Whether anybody in this process could listen."""
    return _listens("trace") or _listens("metrics") or any(name in os.environ for name in _VARIABLES)


def _listens(kind: str) -> bool:
    """Whether somebody has set up what takes traces or metrics; the API's own providers take nothing."""
    api = sys.modules.get(f"opentelemetry.{kind}")
    if api is None:
        return False
    provider = api.get_tracer_provider() if kind == "trace" else api.get_meter_provider()
    return not type(provider).__module__.startswith(f"opentelemetry.{kind}")


def _fail(span: Span, kind: str) -> dict[str, str]:
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR))
    span.set_attribute("error.type", kind)
    return {"error.type": kind}


@cache
def _instruments(provider: MeterProvider) -> tuple[Histogram, Counter]:
    counter = provider.get_meter(_NAME).create_counter(
        f"{_NAME}.memories", unit="{memory}", description="Outcomes of memory writes."
    )
    return _durations(provider, f"{_NAME}.operation.duration", "Duration of operations."), counter


@cache
def _requests(provider: MeterProvider) -> Histogram:
    return _durations(provider, "http.server.request.duration", "Duration of HTTP server requests.")


def _durations(provider: MeterProvider, name: str, description: str) -> Histogram:
    return provider.get_meter(_NAME).create_histogram(
        name, unit="s", description=description, explicit_bucket_boundaries_advisory=_SECONDS
    )
