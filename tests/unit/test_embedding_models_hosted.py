"""The hosted embedding model against a real HTTP server: a good one, a slow, a broken and a lying one."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endpoints import DIMENSION, Endpoint, Request, answer, good, serving, vector
from ricordo import embedding
from ricordo.embedding import Call, EmbeddingModel
from ricordo.errors import InvalidInput, ModelUnavailable
from ricordo.settings import Settings


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


def load(endpoint: Endpoint, **changes: Any) -> EmbeddingModel:
    settings: dict[str, Any] = {"embedding_url": endpoint.url, "embedding_model": "toy", "embedding_key": "s3cret"}
    return embedding.load(Settings(home=Path("/nowhere"), **(settings | changes)))


def test_a_good_server_s_vectors_come_in_order_and_at_unit_length(endpoint: Endpoint) -> None:
    embedding_model = load(endpoint)
    vectors = embedding_model.encode(["a red kite", "a blue whale"])
    expected = np.array([vector("a red kite"), vector("a blue whale")])
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert vectors.dtype == np.float32
    assert (embedding_model.name, embedding_model.dimension, embedding_model.hosted) == ("toy", DIMENSION, True)
    [request] = endpoint.requests
    assert (request.path, request.key) == ("/v1/embeddings", "s3cret")
    assert request.body["model"] == "toy"
    assert "dimensions" not in request.body
    assert embedding_model.encode([]).shape == (0, DIMENSION)


def test_the_dimension_is_asked_for_where_it_is_not_known(endpoint: Endpoint) -> None:
    assert load(endpoint).dimension == DIMENSION
    assert len(endpoint.requests) == 1


def test_a_dimension_of_the_settings_is_sent_and_part_of_the_name(endpoint: Endpoint) -> None:
    embedding_model = load(endpoint, embedding_dimensions=DIMENSION)
    assert (embedding_model.name, embedding_model.dimension) == (f"toy@{DIMENSION}", DIMENSION)
    assert endpoint.requests == []
    embedding_model.encode(["hello"])
    assert endpoint.requests[0].body["dimensions"] == DIMENSION


def test_requests_are_bounded_in_number_and_size(endpoint: Endpoint) -> None:
    texts = [f"text {number}" for number in range(100)] + ["word " * 3000] * 20 + ["", " \n"]
    vectors = load(endpoint).encode(texts)
    assert vectors.shape == (122, DIMENSION)
    sizes = [(len(each.body["input"]), sum(map(len, each.body["input"]))) for each in endpoint.requests]
    assert max(count for count, _ in sizes) <= 64
    assert max(characters for _, characters in sizes) <= 100_000
    assert sum(count for count, _ in sizes) == 122
    assert max(map(len, endpoint.texts)) == 8192
    assert endpoint.texts[-2:] == [".", "."]


def test_questions_are_remembered(endpoint: Endpoint) -> None:
    embedding_model = load(endpoint)
    first = embedding_model.question("a red kite")
    first[:] = 0
    assert np.isclose(np.linalg.norm(embedding_model.question("a red kite")), 1)
    assert len(endpoint.requests) == 1


def test_calls_are_told_to_who_listens(endpoint: Endpoint) -> None:
    calls: list[Call] = []
    embedding_model = load(endpoint)
    embedding_model.encode(["not heard"])
    with embedding.metered(calls.append):
        embedding_model.encode(["one two three", "four"])
        embedding_model.question("five six")
    assert [(each.model, each.url, each.texts, each.tokens) for each in calls] == [
        ("toy", endpoint.url, 2, 4),
        ("toy", endpoint.url, 1, 2),
    ]
    assert all(0 < each.seconds < 5 for each in calls)


@pytest.mark.parametrize(("status", "pause"), [(429, "0.05"), (503, None)])
def test_a_busy_server_is_asked_again_after_the_time_that_it_names(
    endpoint: Endpoint, status: int, pause: str | None
) -> None:
    endpoint.behaviour = lambda request: (
        good(request) if len(endpoint.requests) > 1 else (status, {"Retry-After": pause} if pause else {}, {})
    )
    begin = time.monotonic()
    assert load(endpoint).encode(["hello"]).shape == (1, DIMENSION)
    assert len(endpoint.requests) == 2
    assert time.monotonic() - begin >= (0.05 if pause else 0.5)


def test_a_server_that_wants_a_long_pause_is_left_alone(endpoint: Endpoint) -> None:
    endpoint.behaviour = lambda request: (429, {"Retry-After": "3600"}, {"error": {"message": "slow down"}})
    begin = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"toy at http.* failed \(.*slow down.*try again") as raised:
        load(endpoint).encode(["hello"])
    assert time.monotonic() - begin < 5
    assert not raised.value.at_texts


def test_a_wrong_key_is_said_without_it(endpoint: Endpoint) -> None:
    endpoint.behaviour = lambda request: (401, {}, {"error": {"message": f"bad key {request.key}"}})
    with pytest.raises(ModelUnavailable, match="RICORDO_EMBEDDING_KEY") as raised:
        load(endpoint).encode(["hello"])
    assert len(endpoint.requests) == 1
    assert "s3cret" not in str(raised.value)
    assert "s3cret" not in repr(Settings(embedding_url=endpoint.url, embedding_model="toy", embedding_key="s3cret"))


def test_a_text_that_is_too_long_for_the_model_is_shortened(endpoint: Endpoint) -> None:
    endpoint.behaviour = lambda request: (
        (400, {}, {"error": {"message": "too long"}}) if len(request.body["input"][0]) > 2100 else good(request)
    )
    assert load(endpoint).encode(["word " * 3000]).shape == (1, DIMENSION)
    assert [len(each) for each in endpoint.texts] == [8192, 4096, 2048]


def test_a_server_that_is_not_there_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = Endpoint(f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    with pytest.raises(ModelUnavailable, match=r"failed \(") as raised:
        load(nobody).encode(["hello"])
    assert not raised.value.at_texts


@pytest.mark.parametrize("drip", [0.0, 0.05], ids=["silent", "dripping"])
def test_a_question_is_not_waited_for_longer_than_its_limit(endpoint: Endpoint, drip: float) -> None:
    endpoint.drip = drip

    def slow(request: Request) -> tuple[int, dict[str, str], Any]:
        time.sleep(0 if drip else 3)
        return good(request)

    endpoint.behaviour = slow
    embedding_model = load(endpoint)
    begin = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"1\.5 seconds|too long|failed"):
        embedding_model.question("hello")
    assert time.monotonic() - begin < 2.2


def _changed(**changes: Any) -> Any:
    return lambda texts: answer(texts) | changes


_LIES: dict[str, Any] = {
    "one vector too few": lambda texts: answer(texts) | {"data": answer(texts)["data"][1:]},
    "one vector too many": lambda texts: answer([*texts, "more"]),
    "the same index twice": lambda texts: answer(texts) | {"data": [answer(texts)["data"][0]] * len(texts)},
    "another dimension": lambda texts: {"data": [{"index": i, "embedding": [1.0, 2.0]} for i in range(len(texts))]},
    "no dimension": lambda texts: {"data": [{"index": i, "embedding": []} for i in range(len(texts))]},
    "ragged": lambda texts: {"data": [{"index": i, "embedding": [1.0] * (i + 7)} for i in range(len(texts))]},
    "NaN": lambda texts: {"data": [{"index": i, "embedding": [float("nan")] * 8} for i in range(len(texts))]},
    "infinite": lambda texts: {"data": [{"index": i, "embedding": [float("inf")] * 8} for i in range(len(texts))]},
    "huge": lambda texts: {"data": [{"index": i, "embedding": [10**400] * 8} for i in range(len(texts))]},
    "zero": lambda texts: {"data": [{"index": i, "embedding": [0] * 8} for i in range(len(texts))]},
    "words": lambda texts: {"data": [{"index": i, "embedding": ["x"] * 8} for i in range(len(texts))]},
    "null": _changed(data=None),
    "a list": lambda texts: [1, 2],
    "a string": lambda texts: '"hello"',
    "no JSON": lambda texts: "<html>hello</html>",
    "deep JSON": lambda texts: "[" * 100_000,
    "nothing": lambda texts: "",
    "endless": lambda texts: "[" + "1," * 1_000_000 + "1]",
}


@pytest.mark.parametrize("lie", _LIES.values(), ids=_LIES)
def test_a_lying_server_is_not_believed(endpoint: Endpoint, lie: Any) -> None:
    embedding_model = load(endpoint)
    assert embedding_model.dimension == DIMENSION
    endpoint.behaviour = lambda request: (200, {}, lie(request.body["input"]))
    with pytest.raises(ModelUnavailable, match="toy at http://127") as raised:
        embedding_model.encode(["a red kite", "a blue whale"])
    assert raised.value.at_texts
    assert len(str(raised.value)) < 400
    endpoint.behaviour = good
    assert embedding_model.encode(["a red kite"]).shape == (1, DIMENSION)


def test_a_request_is_repeated_once_if_its_connection_was_dropped(endpoint: Endpoint) -> None:
    embedding_model = load(endpoint)
    assert embedding_model.dimension == DIMENSION
    endpoint.drops = 1
    assert embedding_model.encode(["a red kite"]).shape == (1, DIMENSION)
    endpoint.drops = 1
    assert embedding_model.question("a blue whale?").shape == (DIMENSION,)
    endpoint.drops = 2
    with pytest.raises(ModelUnavailable, match="Ricordo will try again later"):
        embedding_model.encode(["a red kite"])


def test_settings_are_checked() -> None:
    for changes, said in (
        ({"embedding_url": "localhost:11434"}, "embedding_url: invalid URL 'localhost:11434'"),
        ({"embedding_url": "http://localhost/v1"}, "embedding_model: missing model name"),
        ({"embedding_dimensions": 0}, "embedding_dimensions: must be between 1 and 16,000, not 0"),
        ({"embedding_dimensions": 20_000}, "embedding_dimensions: must be between"),
    ):
        with pytest.raises(InvalidInput, match=said):
            Settings(**changes)  # type: ignore[arg-type]
    read = Settings.from_environment({"RICORDO_EMBEDDING_DIMENSIONS": "512"})
    assert read.embedding_dimensions == 512
    with pytest.raises(InvalidInput, match="whole number"):
        Settings.from_environment({"RICORDO_EMBEDDING_DIMENSIONS": "many"})
