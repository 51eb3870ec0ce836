"""One exchange with an endpoint: a request, and a reply whose time and length are bounded.

Nothing that an endpoint says is believed unless it has the form of the protocol. Importing this module imports the
openai library, which takes half a second; so only an LLM that is used does.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import openai

from ricordo.errors import ModelUnavailable
from ricordo.llm.endpoint import Endpoint
from ricordo.models import CallOutcome
from ricordo.server_client import certificates

#: Bytes that a reply may have; the longest that is asked for has some 20,000.
_LONGEST = 1_000_000
#: Seconds until an endpoint is asked again that was not reached or did not answer.
_PAUSE = 1.0
#: Tokens that a call cannot have: what an endpoint counts beyond is no count.
_MOST_TOKENS = 100_000_000
#: An event of an answer that is streamed; the last one is `[DONE]`.
_EVENT = re.compile(rb"^data:[ \t]*(\{.*\})\s*$", re.MULTILINE)


class CallFailed(ModelUnavailable):
    """A call that brought no reply. `outcome` says how it counts, `again` after how many seconds it may be tried
    again (None: not), and `refusal` is what an endpoint said that found the request wrong."""

    def __init__(
        self, message: str, outcome: CallOutcome, *, again: float | None = None, refusal: str | None = None
    ) -> None:
        super().__init__(message)
        self.outcome: CallOutcome = outcome
        self.again = again
        self.refusal = refusal


@dataclass(frozen=True)
class Reply:
    """What came back. Tokens are None where the endpoint did not count them."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    #: Tokens of `tokens_in` that came out of the provider's cache.
    cached: int = 0


class Wire:
    """The way to an endpoint. It belongs to the event loop that first uses it, and must be closed there."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        # How long a call may take is said with each one; the library would end every one after ten minutes.
        client = openai.DefaultAsyncHttpxClient(timeout=None, verify=certificates())
        self._client = openai.AsyncOpenAI(
            base_url=endpoint.url, api_key=endpoint.key or "none", max_retries=0, timeout=None, http_client=client
        )

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()

    async def answers(self, seconds: float) -> None:
        """Ask for the list of models, within so many seconds; an endpoint that has none answers as well. Raises
        CallFailed."""
        try:
            async with asyncio.timeout(seconds):
                await self._client.models.list()
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise CallFailed(f"{self._endpoint} gave no answer within {seconds:.3g} seconds", "lost") from error
        except openai.APIStatusError as error:
            if error.status_code not in (404, 405, 501):
                raise self._status(error) from error
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
            said = self._endpoint.without_key(str(error.__cause__ or error))
            raise CallFailed(f"{self._endpoint} cannot be reached ({said}): is it running?", "unreached") from error

    async def chat(
        self, model: str, messages: Sequence[Mapping[str, str]], arguments: Mapping[str, Any], seconds: float
    ) -> Reply:
        """The reply to these messages, within so many seconds. Raises CallFailed."""
        try:
            async with asyncio.timeout(seconds):
                content = await self._content(model, messages, arguments)
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise CallFailed(
                f"{self._endpoint} did not finish within {seconds:.3g} seconds: check whether it is overloaded",
                "lost",
            ) from error
        except openai.APIStatusError as error:
            raise self._status(error) from error
        except (openai.OpenAIError, httpx2.HTTPError) as error:  # the latter while the body comes
            cause = error.__cause__ or error
            lost = not type(cause).__name__.startswith("Connect")
            raise CallFailed(
                f"{self._endpoint} {'closed the connection' if lost else 'is unreachable'} "
                f"({self._endpoint.without_key(str(cause) or type(cause).__name__)}): check that it is running",
                "lost" if lost else "unreached",
                again=_PAUSE,
            ) from error
        return self._reply(content)

    async def _content(self, model: str, messages: Sequence[Mapping[str, str]], arguments: Mapping[str, Any]) -> bytes:
        body: dict[str, Any] = {"model": model, "messages": list(messages), **arguments}
        async with self._client.chat.completions.with_streaming_response.create(**body) as response:
            content = bytearray()
            async for chunk in response.iter_bytes():
                content += chunk
                if len(content) > _LONGEST:
                    raise CallFailed(f"{self._endpoint} sent more than {_LONGEST:,} bytes", "lost")
            return bytes(content)

    def _status(self, error: openai.APIStatusError) -> CallFailed:
        """What an error status means."""
        status = error.status_code
        said = self._endpoint.without_key(str(error.message))
        advice = {
            401: "check RICORDO_LLM_KEY",
            403: "check RICORDO_LLM_KEY",
            404: "check RICORDO_LLM_URL and RICORDO_LLM_MODEL",
        }.get(status, "try again later" if status == 429 or status >= 500 else "check the endpoint's log")
        return CallFailed(
            f"{self._endpoint} returned HTTP {status} ({said}): {advice}",
            "refused",
            again=_asked_pause(error) if status in (408, 409, 429) or status >= 500 else None,
            refusal=said if status in (400, 422, 501) else None,
        )

    def _reply(self, content: bytes) -> Reply:
        """A reply's text and tokens; the text is empty where there is none. Raises CallFailed for what is no JSON."""
        try:
            # Some servers stream, though nobody asked for it: an event a line, the last one with the tokens.
            events = _EVENT.findall(content)
            answers = [json.loads(each) for each in events] if events else [json.loads(content)]
        except (ValueError, RecursionError) as error:
            raise CallFailed(f"{self._endpoint} did not send JSON", "lost", again=_PAUSE) from error
        usage = next((found for each in reversed(answers) if (found := _part(each, "usage"))), None)
        return Reply(
            "".join(map(_said, answers)),
            _count(usage, "prompt_tokens"),
            _count(usage, "completion_tokens"),
            _count(_part(usage, "prompt_tokens_details"), "cached_tokens") or 0,
        )


def _said(answer: object) -> str:
    """The text of an answer, or of a piece of a streamed one. Some models send it in parts, with the thoughts apart."""
    choices = _part(answer, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    content = _part(_part(choice, "message") or _part(choice, "delta"), "content")
    if isinstance(content, list):
        content = "".join(
            text for each in content if _part(each, "type") == "text" and isinstance(text := _part(each, "text"), str)
        )
    return content if isinstance(content, str) else ""


def _part(whole: object, name: str) -> Any:
    return whole.get(name) if isinstance(whole, dict) else None


def _count(counts: object, name: str) -> int | None:
    """A number of tokens; None where it is none."""
    value = _part(counts, name)
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def _asked_pause(error: openai.APIStatusError) -> float:
    """Seconds that the endpoint asks to wait (Retry-After, RFC 9110: seconds or a date); one where it does not."""
    asked = error.response.headers.get("retry-after", "")
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(asked).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError):
            return 1.0
    return max(0.0, seconds) if math.isfinite(seconds) else math.inf
