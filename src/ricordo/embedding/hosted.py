"""A hosted embedding model, behind any endpoint that speaks OpenAI's protocol (POST …/embeddings).

What such a server answers is believed only where it can be: as many vectors as texts, each with its index, all of one
length, every number finite; and they are brought to unit length. Source of the protocol:
https://platform.openai.com/docs/api-reference/embeddings.

Importing this module imports the openai library (the extra `llm`), so only `ricordo.embedding.load` does.
"""

from __future__ import annotations

import contextvars
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx2
import numpy as np
import numpy.typing as npt
import openai

from ricordo.embedding.choice import Endpoint
from ricordo.embedding.metering import Call, report
from ricordo.embedding.texts import CHARACTERS, readable, unit
from ricordo.errors import ModelUnavailable
from ricordo.server_client import certificates
from ricordo.settings import LONGEST_VECTOR

#: Seconds that a question may wait for its vector: a recall by words now is better than one by meaning later.
QUESTION_LIMIT = 1.5
#: Seconds for the vectors of one request, repetitions and pauses included: the memories are locked meanwhile.
_LIMIT = 15.0
_TRIES = 3
#: Texts and characters in one request: far below what known endpoints take.
_TEXTS, _CHARACTERS = 64, 100_000
#: A text that the endpoint finds too long is sent again, half as long, down to so many characters.
_SHORTEST = 500
#: Vectors kept of questions.
_REMEMBERED = 256
#: Bytes that an answer may have for each text: 16,000 numbers of 25 digits.
_ANSWER = 400_000
#: How a request fails on a connection that the server has closed: nothing was answered.
_DROPPED = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
#: Characters of an endpoint's own words that an error repeats.
_QUOTED = 200

_Vectors = npt.NDArray[np.float32]


class Hosted:
    """See `ricordo.embedding.EmbeddingModel`. Raises ModelUnavailable while the endpoint does not serve; where it
    answers, but with no vectors for these texts, the error's `at_texts` says so."""

    hosted = True

    def __init__(self, endpoint: Endpoint) -> None:
        """Connects to nothing yet."""
        self.name = endpoint.space
        self._endpoint = endpoint
        self._dimension = endpoint.dimension
        client = openai.DefaultHttpxClient(verify=certificates())
        self._client = openai.OpenAI(
            base_url=endpoint.url, api_key=endpoint.key or "none", max_retries=0, http_client=client
        )
        self._remembered: OrderedDict[str, _Vectors] = OrderedDict()
        self._remembering = threading.Lock()
        # A question that took too long goes on in its thread, at most until its own time limit.
        self._questions = ThreadPoolExecutor(8, "ricordo-question")

    @property
    def dimension(self) -> int:
        """The length of each vector; asks the endpoint where it is not known yet."""
        if self._dimension is None:
            self.encode(["dimension"])
        assert self._dimension is not None
        return self._dimension

    def encode(self, texts: Sequence[str]) -> _Vectors:
        """One vector of unit length for each text, in their order: shape (len(texts), dimension).

        A text is read up to its 8,192nd character, or as far as the endpoint takes it.
        """
        parts = [self._request(part, _LIMIT, _TRIES) for part in _parts([_sent(text) for text in texts])]
        return np.concatenate(parts) if parts else np.empty((0, self.dimension), np.float32)

    def question(self, text: str) -> _Vectors:
        """The vector of a question, within QUESTION_LIMIT seconds."""
        known = self.remembered(text)
        if known is not None:
            return known
        asked: Future[_Vectors] = self._questions.submit(contextvars.copy_context().run, self._ask, _sent(text))
        try:
            return asked.result(QUESTION_LIMIT).copy()
        except TimeoutError:
            asked.cancel()
            raise ModelUnavailable(
                f"{self._endpoint} returned no vector within {QUESTION_LIMIT} seconds: check whether it is overloaded"
            ) from None

    def _ask(self, text: str) -> _Vectors:
        found: _Vectors = self._request([text], QUESTION_LIMIT, tries=1)[0]
        with self._remembering:
            self._remembered[text] = found
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return found

    def remembered(self, text: str) -> _Vectors | None:
        """The vector of a question that it was asked of late."""
        with self._remembering:
            found = self._remembered.get(_sent(text))
            if found is not None:
                self._remembered.move_to_end(_sent(text))
        return None if found is None else found.copy()

    def _request(self, texts: list[str], limit: float, tries: int) -> _Vectors:
        """The vectors of the texts of one request, which is repeated while that may help and there is time."""
        deadline = time.monotonic() + limit
        for attempt in range(tries):
            try:
                return self._delivered(texts, deadline - time.monotonic())
            except openai.BadRequestError as error:
                if len(texts) > 1 or len(texts[0]) <= _SHORTEST:
                    raise self._failed(error) from error
                return self._request([texts[0][: len(texts[0]) // 2]], deadline - time.monotonic(), tries)
            except openai.APIStatusError as error:
                pause = _asked_pause(error, 0.5 * 2**attempt)
                again = error.status_code == 429 or error.status_code >= 500
                if not again or attempt + 1 == tries or time.monotonic() + pause >= deadline:
                    raise self._failed(error) from error
                time.sleep(pause)
            except (openai.OpenAIError, httpx2.HTTPError) as error:  # the latter while the answer is being read
                raise self._failed(error) from error
        raise AssertionError("the last try returns or raises")

    def _delivered(self, texts: list[str], seconds: float) -> _Vectors:
        """The vectors of a request. It is sent once more if the server had dropped the kept connection meanwhile."""
        begin = time.monotonic()
        try:
            return self._vectors(texts, seconds)
        except openai.APIConnectionError as error:
            if not isinstance(error.__cause__, _DROPPED):
                raise
            return self._vectors(texts, begin + seconds - time.monotonic())

    def _vectors(self, texts: list[str], seconds: float) -> _Vectors:
        begin = time.monotonic()
        with self._client.embeddings.with_streaming_response.create(
            model=self._endpoint.model,
            input=texts,
            encoding_format="float",
            dimensions=self._endpoint.dimension or openai.omit,
            timeout=max(seconds, 0.1),
        ) as response:
            answer = self._read(response.iter_bytes(), begin + seconds, len(texts))
        tokens = _count(answer, "total_tokens") or _count(answer, "prompt_tokens")
        report(Call(self._endpoint.model, self._endpoint.url, len(texts), tokens, time.monotonic() - begin))
        return self._checked(answer, len(texts))

    def _read(self, body: Iterator[bytes], deadline: float, texts: int) -> Any:
        """The JSON value of an answer. Its time and length are bounded, as no library does by itself: a server that
        sends a byte each second, or does not stop, must not hold up the memories that it was asked for."""
        content = bytearray()
        for chunk in body:
            content += chunk
            if time.monotonic() > deadline:
                raise ModelUnavailable(f"{self._endpoint} took too long to answer: check whether it is overloaded")
            if len(content) > texts * _ANSWER + _ANSWER:
                raise self._refused(f"sent more than {len(content):,} bytes")
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self._refused("did not send JSON") from None

    def _checked(self, answer: Any, texts: int) -> _Vectors:
        """The vectors of an answer, in order and at unit length. Raises ModelUnavailable where they are none."""
        try:
            found = {int(each["index"]): each["embedding"] for each in answer["data"]}
            if sorted(found) != list(range(texts)) or len(answer["data"]) != texts:
                raise self._refused(f"sent {len(found)} vectors for {texts} texts")
            vectors = np.array([found[index] for index in range(texts)], np.float64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self._refused(f"did not send vectors ({error})") from error
        length = vectors.shape[1] if vectors.ndim == 2 else 0
        if not 1 <= length <= LONGEST_VECTOR or length != (self._dimension or length):
            expected = self._dimension or f"1 to {LONGEST_VECTOR:,}"
            raise self._refused(f"sent vectors with {length:,} dimensions instead of {expected}")
        lengths = np.linalg.norm(vectors, axis=1)
        if not np.isfinite(lengths).all() or not (lengths > 0).all():
            raise self._refused("sent invalid vectors (NaN, infinite or 0)")
        self._dimension = length
        return unit(vectors).astype(np.float32)

    def _refused(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(f"{self._endpoint} {what}", at_texts=True)

    def _failed(self, error: openai.OpenAIError | httpx2.HTTPError) -> ModelUnavailable:
        """What an error of the library means, in one line and without the key."""
        said = str(getattr(error, "message", None) or error).replace(self._endpoint.key or "\0", "…")
        said = " ".join(said.split())[:_QUOTED]
        status = error.status_code if isinstance(error, openai.APIStatusError) else None
        if status in (400, 413, 422) or (status or 0) >= 500 or isinstance(error, openai.APIResponseValidationError):
            return self._refused(f"computed no vectors: {said}")
        refused = status in (401, 403, 404)
        advice = (
            "check RICORDO_EMBEDDING_KEY and RICORDO_EMBEDDING_MODEL" if refused else "Ricordo will try again later"
        )
        return ModelUnavailable(f"{self._endpoint} failed ({said}): {advice}")


def _sent(text: str) -> str:
    """A text as it is sent: endpoints refuse an empty one."""
    return readable(text, CHARACTERS) if text.strip() else "."


def _parts(texts: list[str]) -> list[list[str]]:
    """The texts in requests."""
    parts: list[list[str]] = []
    size = 0
    for text in texts:
        if not parts or len(parts[-1]) >= _TEXTS or size + len(text) > _CHARACTERS:
            parts.append([])
            size = 0
        parts[-1].append(text)
        size += len(text)
    return parts


def _asked_pause(error: openai.APIStatusError, otherwise: float) -> float:
    """Seconds that the endpoint asks to wait (Retry-After, RFC 9110), where it says so in seconds."""
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return otherwise


def _count(answer: Any, name: str) -> int:
    """A count that the endpoint reports in `usage`; 0 where it reports none."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and value > 0 else 0
