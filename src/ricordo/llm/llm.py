"""An LLM: a language model that answers in a form that it is asked for, each of its calls recorded and paid for."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from ricordo.errors import ModelUnavailable, ReplyUnusable
from ricordo.llm.budget import Budget
from ricordo.llm.dialect import Dialect
from ricordo.llm.endpoint import Endpoint
from ricordo.llm.form import Form
from ricordo.llm.ledger import Ledger
from ricordo.llm.wire import CallFailed, Wire
from ricordo.models import CostEstimate, UsageSource

Formed = TypeVar("Formed", bound=Form)
Said = TypeVar("Said")

#: Characters of a reply of no use that are shown to the model again.
_QUOTED = 2000
#: Braces of a reply at which an object is looked for: each may cost a reading of the rest.
_OBJECTS = 50
#: Bytes that the frame of a message counts as.
_FRAME = 24
#: What a model thinks aloud is no part of its reply, wherever it stands. Where the prompt ends with `<think>`, only its
#: end is there.
_THOUGHT = re.compile(r"<(?P<tag>think|thinking|thought|reasoning)>.*?(?:</(?P=tag)>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_BEFORE = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
#: How a reply begins that is the object itself.
_BARE = re.compile(r"\s*(?:```\w*\s*)?\{")
_EXTRA_COMMA = re.compile(r",(\s*[}\]])")
#: Levels of an object that is closed where it was cut off.
_DEEPEST = 20
_AGAIN = "That is not in the form that was asked for. Reply once more, with that and nothing else."


@dataclass(frozen=True)
class Completion(Generic[Said]):
    """A reply, and what the calls that it took cost; None where that is not known."""

    said: Said
    cost: Decimal | None


@dataclass
class LLM:
    """One user's way to a model. Messages are mappings with `role` and `content`."""

    model: str
    endpoint: Endpoint
    wire: Wire
    ledger: Ledger
    #: How each model wants to be asked, as far as that was found out.
    dialects: dict[str, Dialect]
    #: How long a question may take that nobody waits for.
    seconds: float

    def __str__(self) -> str:
        return f"{self.model} at {self.endpoint}"

    async def complete(
        self,
        source: UsageSource,
        messages: Sequence[Mapping[str, str]],
        form: type[Formed],
        budget: Budget,
        conversation: str | None = None,
    ) -> Completion[Formed]:
        """The reply as an object of this form. `conversation` is the id of the one that it is for, whose cap counts.

        Raises CapReached where the user's caps do not allow the call, ReplyUnusable where the reply is not of the
        form, and ModelUnavailable where there is none; every call that was made is recorded then too.
        """
        return await self._ask(source, messages, form, budget, conversation)

    async def text(
        self,
        source: UsageSource,
        messages: Sequence[Mapping[str, str]],
        budget: Budget,
        conversation: str | None = None,
    ) -> Completion[str]:
        """The reply as text. Raises as `complete` does; ReplyUnusable for an empty one."""
        return await self._ask(source, messages, None, budget, conversation)

    async def estimate(
        self, questions: Sequence[Sequence[Mapping[str, str]]], budget: Budget, form: type[Form] | None = None
    ) -> CostEstimate:
        """What asking all this would take at most, each reply being of use at once. Nothing is sent."""
        price = await self.ledger.price(self.model, self.endpoint.url)
        sent = sum(most_tokens(messages, form) for messages in questions)
        most = len(questions) * budget.tokens
        return CostEstimate(
            model=self.model, calls=len(questions), tokens_in=sent, tokens_out=most, cost=price.cost(sent, most)
        )

    async def _ask(
        self,
        source: UsageSource,
        messages: Sequence[Mapping[str, str]],
        form: type[Formed] | None,
        budget: Budget,
        conversation: str | None,
    ) -> Completion[Any]:
        question = _Question(self, source, form, budget, conversation, time.monotonic() + budget.seconds)
        said = await question.answer(messages)
        known = [cost for cost in question.costs if cost is not None]
        return Completion(said, sum(known, Decimal(0)) if len(known) == len(question.costs) else None)


@dataclass
class _Question:
    """One question to an LLM, and the calls that it takes."""

    llm: LLM
    source: UsageSource
    form: type[Form] | None
    budget: Budget
    conversation: str | None
    deadline: float
    costs: list[Decimal | None] = field(default_factory=list)

    async def answer(self, messages: Sequence[Mapping[str, str]]) -> Any:
        """What was asked for: an object of the form, or a text."""
        try:
            return await self._reply(messages)
        except _NoUse as error:
            if not self.budget.once_more:
                raise self._unusable() from error
            turns = ({"role": "assistant", "content": error.said}, {"role": "user", "content": _AGAIN})
        try:
            return await self._reply([*messages, *turns])
        except _NoUse as error:
            raise self._unusable() from error

    async def _reply(self, messages: Sequence[Mapping[str, str]]) -> Any:
        """A reply that is of use, after as many calls as that takes and the budget allows."""
        failures = 0
        while True:
            try:
                return await self._call(messages)
            except CallFailed as error:
                if error.refusal is not None and self._asks_simpler(error.refusal):
                    continue
                failures += 1
                over = error.again is None or time.monotonic() + error.again >= self.deadline
                if over or failures >= self.budget.tries:
                    raise
                await asyncio.sleep(error.again or 0)

    def _asks_simpler(self, refusal: str) -> bool:
        """Ask in another way from now on, after the endpoint refused this one; False where there is none left."""
        dialects, model = self.llm.dialects, self.llm.model
        simpler = dialects.get(model, Dialect()).simpler(refusal, self.form is not None)
        if simpler is not None:
            dialects[model] = simpler
        return simpler is not None

    async def _call(self, messages: Sequence[Mapping[str, str]]) -> Any:
        llm, tokens = self.llm, self.budget.tokens
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise ModelUnavailable(f"{llm} exceeded its time limit of {self.budget.seconds:.3g} seconds")
        arguments = llm.dialects.get(llm.model, Dialect()).arguments(self.form, tokens)
        call = llm.ledger.call(
            self.source, llm.model, llm.endpoint.url, most_tokens(messages, self.form), tokens, self.conversation
        )
        record = None
        try:
            async with call as record:
                try:
                    reply = await llm.wire.chat(llm.model, messages, arguments, seconds)
                except CallFailed as error:
                    record.outcome = error.outcome
                    raise
                record.tokens_in, record.tokens_out, record.cached = reply.tokens_in, reply.tokens_out, reply.cached
                record.outcome = "unusable"
                said = _formed(reply.text, self.form)
                record.outcome = "answered"
                return said
        finally:
            if record is not None:
                self.costs.append(record.cost)

    def _unusable(self) -> ReplyUnusable:
        return ReplyUnusable(f"{self.llm} did not answer in the requested format")


class _NoUse(Exception):
    """A reply that is not of the form that was asked for."""

    def __init__(self, said: str) -> None:
        super().__init__("no use")
        self.said = said[:_QUOTED] or "…"


def _formed(text: str, form: type[Form] | None) -> Any:
    """A reply in its form; as text where there is none. Raises _NoUse."""
    said = _THOUGHT_BEFORE.sub("", _THOUGHT.sub("", text)).strip()
    if form is None:
        if not said:
            raise _NoUse(text)
        return said
    # Where the reply is the object itself, "<think>" may stand in a value.
    for each in chain(_objects(said), _objects(text) if _BARE.match(text) else (), _objects(_mended(said))):
        # Some models put the object into another one.
        for candidate in (each, *each.values()):
            with suppress(ValidationError):
                return form.model_validate(candidate)
    raise _NoUse(text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, in their order, without those inside of others."""
    decoder, end = json.JSONDecoder(), 0
    for _ in range(_OBJECTS):
        start = text.find("{", end)
        if start < 0:
            return
        try:
            found, end = decoder.raw_decode(text, start)
            yield found
        except (ValueError, RecursionError):
            end = start + 1


def _mended(text: str) -> str:
    """The first object of a text without commas too many, and closed behind its last whole element if it is cut off; ''
    where there is none."""
    text = _EXTRA_COMMA.sub(r"\1", text)
    start, in_string, is_escaped = text.find("{"), False, False
    closers: list[str] = []
    whole = ""
    for at in range(max(start, 0), len(text)):
        each = text[at]
        if in_string:
            in_string, is_escaped = is_escaped or each != '"', each == "\\" and not is_escaped
        elif each == '"':
            in_string = True
        elif each in "{[":
            closers.append("}" if each == "{" else "]")
        elif each in "}]":
            if closers.pop() != each or len(closers) > _DEEPEST:
                return ""
            whole = text[start : at + 1] + "".join(reversed(closers))
            if not closers:
                break
    return whole


def most_tokens(messages: Sequence[Mapping[str, str]], form: type[Form] | None) -> int:
    """About the most tokens that a request has: one for three bytes, more than the common tokenizers make of prose."""
    written = sum(len(each["content"].encode()) + _FRAME for each in messages)
    return (written + (len(json.dumps(form.model_json_schema())) if form else 0)) // 3 + 1
