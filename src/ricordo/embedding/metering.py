"""What calls of a hosted embedding model cost: told to whoever listens in the same context, stored nowhere here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """One request to a hosted embedding model that was answered."""

    #: The model as the endpoint knows it, and the endpoint's URL.
    model: str
    url: str
    #: Texts sent, and tokens that the endpoint counted in them; 0 where it did not say.
    texts: int
    tokens: int
    #: From sending to the whole answer.
    seconds: float


_listener: ContextVar[Callable[[Call], None] | None] = ContextVar("ricordo_embedding_calls", default=None)


@contextmanager
def metered(listener: Callable[[Call], None]) -> Iterator[None]:
    """Within this block `listener` hears of each call, also of those in threads that take this context along (as
    `anyio.to_thread` and `asyncio.to_thread` do). It may be called from any of them."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(call: Call) -> None:
    """Tell who listens of a call."""
    if listener := _listener.get():
        listener(call)
