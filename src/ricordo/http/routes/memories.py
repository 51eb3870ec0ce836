"""Memories of every kind, and notes."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query, Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Cursor, End, Flag, InRun, Limit, Many, Moment, Partial, Reason, Whole
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.http.versions import IfMatch, tagged
from ricordo.models import Access, Entry, Forgotten, Kind, Page, RemovalReceipt, Retention, Scope, Version, WriteReceipt

router = guarded(tags=["memories"])


class Text(Body):
    """The new text of a memory."""

    content: str


class Forgetting(Body):
    """What to forget: the memories that fit everything that is given."""

    what: Many[str] = Field(
        default_factory=list, description="Pointers of turns, rooms and wings; ids.", examples=[["W-001/R-02"]]
    )
    conversation: str | None = Field(default=None, description="The id that it was mined under.")
    source: str | None = None
    import_id: UUID | None = None
    since: Moment | None = None
    until: End | None = Field(default=None, description="A date includes that day.")
    kinds: Many[Kind] = Field(default=["drawer", "entry", "journal", "core", "note", "document"])
    reason: str | None = Field(default=None, max_length=1000)
    dry_run: Flag = False


class NewNote(Body):
    """A note. short_term notes are held in the server's process; medium_term requires `expires_at`."""

    content: str = Field(examples=["Ada prefers trains."])
    retention: Retention = "long_term"
    expires_at: Moment | None = None
    project: str | None = None
    tags: Many[str] = Field(default_factory=list)
    importance: Whole = 5
    source: str = "agent"
    context: dict[str, Any] | None = None
    session: str | None = None


class NoteChange(Partial):
    """Changes to a note. Omitted fields stay unchanged."""

    content: str | None = None
    tags: Many[str] | None = None
    retention: Retention | None = None
    expires_at: Moment | None = None
    importance: Whole | None = None
    context: dict[str, Any] | None = None
    clear: Many[Literal["tags", "context"]] = Field(default_factory=list)
    session: str | None = None


@router.get("/memories")
async def list_memories(
    who: Who,
    kind: Annotated[list[Literal["entry", "journal", "core", "note"]] | None, Query()] = None,
    agent: str | None = None,
    profile: UUID | None = None,
    scope: Annotated[list[Scope] | None, Query()] = None,
    source: str | None = None,
    tag: Annotated[list[str] | None, Query()] = None,
    conversation: str | None = None,
    text: str | None = None,
    include_expired: bool = False,
    limit: Limit = 100,
    cursor: Cursor = None,
    run: InRun = None,
) -> Page[Entry]:
    """List entries, journal, core memories and notes, newest first."""
    kinds: list[Kind] = [*(kind or ("entry", "journal", "core", "note"))]
    return await who.memory.entries.page(
        kinds,
        owner=agent,
        profile=profile,
        scopes=scope,
        source=source,
        tags=tag or (),
        conversation=conversation,
        text=text,
        include_expired=include_expired,
        limit=limit,
        cursor=cursor,
        run=run,
    )


@router.get("/memories/{memory}", **access("agent"))
async def get_memory(memory: UUID, who: Who, response: Response, run: InRun = None) -> Entry:
    """Get a memory of any kind, even if it is expired or redacted."""
    return tagged(response, await who.memory.entries.get(memory, agent=who.agent, run=run))


@router.patch("/memories/{memory}", **access("agent"))
async def edit_memory(
    memory: UUID, body: Text, who: Who, response: Response, if_match: IfMatch = None, run: InRun = None
) -> Entry:
    """Change a memory's text. The old text stays in its history."""
    edited = await who.memory.entries.edit(memory, body.content, version=if_match, agent=who.agent, run=run)
    return tagged(response, edited)


@router.delete("/memories/{memory}", **access("agent"))
async def forget_memory(
    memory: UUID, who: Who, reason: Annotated[str | None, Query(max_length=1000)] = None, run: InRun = None
) -> RemovalReceipt:
    """Delete a memory and the data derived from it. A drawer is redacted instead."""
    return await who.memory.entries.forget(memory, reason, agent=who.agent, run=run)


@router.post("/forget")
async def forget_memories(body: Forgetting, who: Who, run: InRun = None) -> Forgotten:
    """Remove many memories and everything derived from them: places of the palace, conversations, a source, an import,
    a time span. With `dry_run`, nothing changes, and the response counts what would be removed."""
    return await who.memory.entries.forget_all(**body.model_dump(), run=run)


@router.post("/memories/{memory}/redact", **access("agent"))
async def redact_memory(memory: UUID, body: Reason, who: Who, run: InRun = None) -> RemovalReceipt:
    """Permanently replace a memory's text with `[redacted]`."""
    return await who.memory.entries.redact(memory, body.reason, agent=who.agent, run=run)


@router.get("/memories/{memory}/history", **access("agent"))
async def list_versions(memory: UUID, who: Who, run: InRun = None) -> Page[Version]:
    """List all versions of a memory, oldest first."""
    return Page(items=tuple(await who.memory.entries.history(memory, agent=who.agent, run=run)))


@router.get("/memories/{memory}/as-of", **access("agent"))
async def get_version(memory: UUID, moment: Annotated[Moment, Query()], who: Who, run: InRun = None) -> Version:
    """Get the version of a memory at a given time."""
    return await who.memory.entries.as_of(memory, moment, agent=who.agent, run=run)


@router.get("/memories/{memory}/accesses", **access("agent"))
async def list_accesses(memory: UUID, who: Who) -> Page[Access]:
    """List all accesses to a memory with actor, run, context and time, oldest first."""
    return Page(items=tuple(await who.memory.audit.of_memory(memory, agent=who.agent)))


@router.post("/notes", status_code=201, responses=of_receipt(WriteReceipt))
async def create_note(body: NewNote, who: Who, response: Response, run: InRun = None) -> WriteReceipt:
    """Create a note. The receipt contains the stored note as `memory`."""
    return answered(response, await who.memory.notes.create(**body.model_dump(), run=run))


@router.get("/notes/{note}")
async def get_note(note: UUID, who: Who, response: Response, run: InRun = None) -> Entry:
    """Get a note, including short-term notes of a session."""
    return tagged(response, await who.memory.notes.get(note, run=run))


@router.patch("/notes/{note}")
async def change_note(
    note: UUID, body: NoteChange, who: Who, response: Response, if_match: IfMatch = None, run: InRun = None
) -> Entry:
    """Update a note. A different retention moves it."""
    return tagged(response, await who.memory.notes.update(note, **body.model_dump(), version=if_match, run=run))


@router.delete("/notes/{note}")
async def delete_note(note: UUID, who: Who, run: InRun = None) -> RemovalReceipt:
    """Delete a note and the data derived from it."""
    return await who.memory.notes.delete(note, run=run)


@router.delete("/sessions/{session}")
async def clear_session(session: str, who: Who) -> dict[str, int]:
    """Delete all short-term notes of a session. `removed` is their number."""
    return {"removed": await who.memory.notes.clear(session)}
