"""Checks of an installation: home, store, isolation, embedding model. Each failure says what to do."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psycopg

from ricordo import accounts, database, embedding, llm
from ricordo.errors import InvalidInput, ModelUnavailable, RicordoError, counted
from ricordo.facts import unread_turns
from ricordo.review import queue
from ricordo.settings import Settings
from ricordo.vectors import default_model, vector_problems
from ricordo.vectors import pending as vectors_pending
from ricordo.vectors import spaces as vectors_spaces

#: Free space below which an embedded store is in danger.
_LITTLE = 500_000_000


@dataclass(frozen=True)
class Finding:
    """One check: what was looked at, what was found, and what to do where it is not good."""

    verdict: Literal["good", "warning", "wrong"]
    what: str
    found: str
    advice: str = ""


async def examine(settings: Settings) -> list[Finding]:
    """Every check, in the order in which one depends on the other. Starts the embedded server. Raises nothing."""
    findings = list(_home(settings))
    try:
        async with database.Database(settings) as opened, database.owner(settings) as connection:
            state = await database.examine(connection, settings)
            written = await _writable(opened, settings)
            waiting = [each async for each in _vectors(opened, settings)]
            waiting += [each async for each in _unread(opened, settings)]
            waiting += [each async for each in _held(opened, settings)]
    except RicordoError as error:
        findings.append(Finding("wrong", "store", str(error)))
        waiting = []
    else:
        findings += [*_store(state), *_distribution(state), written]
    findings.append(_embedding_model(settings))
    if hosted := _hosted(settings):
        findings.append(hosted)
    if settings.llm_url is not None:
        findings.append(await _llm(settings))
    return findings + waiting


def _home(settings: Settings) -> Iterator[Finding]:
    existing = next(filter(_is_folder, (settings.home, *settings.home.parents)))
    if (file := next(filter(_is_file, (settings.home, *settings.home.parents)), None)) is not None:
        yield Finding("wrong", "home", f"{file} is not a folder", "Set RICORDO_HOME to a folder, or to a new path")
        return
    if not os.access(existing, os.W_OK | os.X_OK):
        yield Finding(
            "wrong", "home", f"cannot write to {settings.home}", "Set RICORDO_HOME to a folder that you can write to"
        )
        return
    free = shutil.disk_usage(existing).free
    enough = free >= _LITTLE
    yield Finding(
        "good" if enough else "warning",
        "home",
        f"{settings.home}, {free / 1e9:.1f} GB free",
        "" if enough else "Free some disk space, or set RICORDO_HOME to a folder on another disk",
    )


def _is_file(path: Path) -> bool:
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long, or inside a folder that this account cannot enter
        return False


def _store(state: database.Examined) -> Iterator[Finding]:
    yield Finding(
        "good", "store", f"PostgreSQL {state.server}, pgvector {state.pgvector}, schema version {state.schema}"
    )
    if state.unprotected:
        yield Finding(
            "wrong",
            "isolation",
            f"row-level security is not forced on {', '.join(state.unprotected)}",
            "These tables were changed. Run ALTER TABLE … FORCE ROW LEVEL SECURITY on each",
        )
    elif state.privileged:
        yield Finding(
            "wrong",
            "isolation",
            "the role ricordo_app can bypass row-level security",
            "Run: ALTER ROLE ricordo_app NOSUPERUSER NOBYPASSRLS",
        )
    else:
        yield Finding(
            "good", "isolation", f"row-level security is forced on all {state.protected} tables with user data"
        )


def _distribution(state: database.Examined) -> Iterator[Finding]:
    """How a store is that is distributed over Citus; nothing for any other."""
    if state.distribution is None:
        return
    unsupported = "the store is distributed over Citus, which is not supported yet"
    if state.distribution:
        yield Finding(
            "wrong",
            "distribution",
            f"{unsupported}: {', '.join(state.distribution)}",
            "Run `ricordo db distribute --experimental` again: it continues where it stopped",
        )
    else:
        yield Finding(
            "warning",
            "distribution",
            unsupported,
            "Do not keep data there that you cannot lose, and see docs/reference.md, section Citus",
        )


class _TakenBack(Exception):
    """Ends a transaction that is only tried."""


async def _writable(opened: database.Database, settings: Settings) -> Finding:
    """Whether the store takes what is written for the user. Nothing of it stays."""
    user_id = accounts.user_id_of(settings.user)
    try:
        async with opened.tenant(user_id) as tx:
            await accounts.ensure(tx, user_id, settings.user)
            await accounts.tell(tx, user_id, "settings_changed", {})
            raise _TakenBack
    except _TakenBack:
        return Finding("good", "writing", "the store accepts writes")
    except (RicordoError, psycopg.Error) as error:
        said = str(error).partition("\n")[0]
        return Finding("wrong", "writing", f"the store refuses writes: {said}", "Nothing is stored until this is fixed")


def _hosted(settings: Settings) -> Finding | None:
    """Whether the endpoint of the hosted embedding model answers, where another model is used."""
    at = embedding.endpoint(settings)
    if at is None or settings.embedding_model in (None, at.model, at.space):
        return None
    try:
        embedding_model = embedding.load(settings, at.space)
        found = f"{at} answers, {counted(embedding_model.dimension, 'dimension')}"
    except (ModelUnavailable, InvalidInput) as error:
        return Finding("warning", "embedding endpoint", f"{at} does not answer", str(error))
    return Finding("good", "embedding endpoint", found)


async def _llm(settings: Settings) -> Finding:
    """Whether the LLM's endpoint answers. No model is asked, so that it costs nothing."""
    try:
        at = await llm.answers(settings)
    except ModelUnavailable as error:
        return Finding("warning", "LLM", "the endpoint does not answer: facts and answers go without it", str(error))
    return Finding("good", "LLM", f"{at} answers")


def _embedding_model(settings: Settings) -> Finding:
    try:
        embedding_model = embedding.load(settings)
        found = f"{embedding_model.name}, {counted(embedding_model.dimension, 'dimension')}"  # which asks a hosted one
    except (ModelUnavailable, InvalidInput) as error:
        return Finding("warning", "embedding model", "recall compares by words only", str(error))
    return Finding("good", "embedding model", found)


async def _vectors(opened: database.Database, settings: Settings) -> AsyncIterator[Finding]:
    """What the user's vectors are of, and what waits for one."""
    async with opened.tenant(accounts.user_id_of(settings.user)) as tx:
        spaces = await vectors_spaces(tx)
        pending, problems = await vectors_pending(tx), await vector_problems(tx)
        default = None if spaces or settings.embedding_model else await default_model(tx)
    if default and not await _to_be_had(settings, default):
        yield Finding(
            "warning",
            "vectors",
            f"new memories of this store use {default}, which is not available: recall compares by words only",
            "Set it up, or choose another one: ricordo settings set embedding_model=NAME (see ricordo models list)",
        )
    if spaces and not await _to_be_had(settings, spaces.current.name):
        yield Finding(
            "warning",
            "vectors",
            f"{spaces.current}, which {settings.user}'s vectors need, is not available: recall compares by words only",
            "Set it up, or switch to another one: ricordo reembed --model NAME (see ricordo models list)",
        )
    if problems:
        what, count = next(iter(problems.items()))
        advice = f"{counted(count, 'memory')}: {what}. To see all reasons, run: ricordo models status"
        yield Finding(
            "warning", "vectors", f"{counted(pending, 'memory')} of {settings.user} without a vector yet", advice
        )
    elif spaces:
        yield Finding(
            "good",
            "vectors",
            f"{settings.user}'s vectors use {spaces.current}; {counted(pending, 'memory')} without a vector yet",
        )


async def _unread(opened: database.Database, settings: Settings) -> AsyncIterator[Finding]:
    """What waits for an LLM to read it. Where no LLM is meant to, that is no fault."""
    user_id = accounts.user_id_of(settings.user)
    llms = llm.LLMs(settings, opened, user_id)
    async with opened.tenant(user_id) as tx:
        has_llm = llms.configured((await accounts.user_settings(tx)).extract_model)
        unread = await unread_turns(tx, has_llm)
    if unread.turns:
        found = (
            f"{counted(unread.turns, 'turn')} in {counted(unread.conversations, 'conversation')} of {settings.user} "
            "not yet read by an LLM"
        )
        if has_llm or unread.queued:
            yield Finding("warning", "facts", f"{found}: {unread.reason}", "To read them: ricordo fact extract --wait")
        else:
            yield Finding("good", "facts", f"{found}; rules have read them, and no LLM is set up")


async def _held(opened: database.Database, settings: Settings) -> AsyncIterator[Finding]:
    """What waits for a person."""
    async with opened.tenant(accounts.user_id_of(settings.user)) as tx:
        held = await queue.count(tx)
    if held:
        found = f"{counted(held, 'write')} of {settings.user} held for review"
        yield Finding("good", "review", found, "To decide: ricordo review list")


async def _to_be_had(settings: Settings, name: str) -> bool:
    try:
        await asyncio.to_thread(embedding.load, settings, name)
    except (ModelUnavailable, InvalidInput):
        return False
    return True
