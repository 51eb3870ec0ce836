"""Sync of the user's memory on this server, and the synced folder that the server holds for other devices.

The folder's segments are encrypted with a key that the server does not have. Devices call this by `ricordo sync`;
docs/sync-format.md describes what they send. Requests wait for a folder in threads of anyio, not in the few of asyncio
that every recall needs.
"""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from anyio.to_thread import run_sync
from fastapi import Path, Query, Request, Response
from pydantic import Field
from starlette.requests import ClientDisconnect

from ricordo.client import serving
from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import Refused, responses
from ricordo.http.routes.bodies import Body
from ricordo.http.versions import IfMatch
from ricordo.models import HeldFolder, Page, SyncStatus

router = guarded(tags=["sync"])

_SEGMENT: dict[str, Any] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_BODY: dict[str, Any] = {"requestBody": {"required": True, "content": _SEGMENT}}
_FOUND: dict[int | str, dict[str, Any]] = {200: {"content": _SEGMENT}}
_ADDED: dict[int | str, dict[str, Any]] = {204: {"description": "The segment was already stored."}, **responses(412)}

Number = Annotated[int, Path(ge=1, le=99_999_999, description="Number of the segment.")]


class SyncedMemory(Body):
    """A synced memory and the id of its current key."""

    memory: UUID
    key: str = Field(pattern="^[0-9a-f]{16}$", description="Id of the key, which reveals nothing about the key.")


@router.get("/sync")
async def show_sync(who: Who) -> SyncStatus:
    """Show how the user's memory on this server is synced: the folder, the devices, the applied part of each log, and
    the latest conflicts."""
    return await who.memory.sync.status()


@router.get("/synced-folder")
async def show_synced_folder(who: Who, response: Response) -> HeldFolder:
    """Show the folder of the user's synced memory: which memory it is, and the log of each device. The `ETag` changes
    with the key."""
    found = await run_sync(serving(who.memory).synced_folder.show)
    response.headers["ETag"] = f'"{found.key or ""}"'
    return found


@router.put("/synced-folder", status_code=204)
async def put_synced_memory(body: SyncedMemory, who: Who, if_match: IfMatch = None) -> None:
    """Begin a synced memory in the user's folder, or set the id of its new key. A folder with logs of another memory
    is not changed."""
    await run_sync(serving(who.memory).synced_folder.describe, body.memory, body.key, if_match)


@router.delete("/synced-folder", status_code=204)
async def delete_synced_folder(who: Who) -> None:
    """Delete the folder with the logs of all devices. The memories on the devices are not changed."""
    await run_sync(serving(who.memory).synced_folder.delete)


@router.get("/synced-folder/devices/{device}/bases")
async def list_bases(device: UUID, who: Who) -> Page[int]:
    """List the numbers of the segments from which a device can begin to read this log."""
    return Page(items=tuple(await run_sync(serving(who.memory).synced_folder.bases, device)))


@router.get("/synced-folder/devices/{device}/segments/{number}", response_class=Response, responses=_FOUND)
async def get_segment(device: UUID, number: Number, who: Who) -> Response:
    """Get a segment of a device's log."""
    raw = await run_sync(serving(who.memory).synced_folder.segment, device, number)
    return Response(raw, media_type="application/octet-stream")


@router.put(
    "/synced-folder/devices/{device}/segments/{number}",
    status_code=201,
    response_class=Response,
    responses=_ADDED,
    **access("owner", streams=True, extra=_BODY),
)
async def add_segment(device: UUID, number: Number, who: Who, request: Request) -> Response:
    """Add a segment to a device's log. Send its bytes as the request body. A segment never replaces another one."""
    most: int = request.app.state.largest_folder
    try:
        raw = await request.body()
    except ClientDisconnect:
        raise Refused(400, "cut-off", "the segment was incomplete and was discarded: send it again") from None
    added = await run_sync(serving(who.memory).synced_folder.add, device, number, raw, most)
    return Response(status_code=201 if added else 204)


@router.delete("/synced-folder/devices/{device}", status_code=204)
async def remove_log(
    device: UUID,
    who: Who,
    before: Annotated[int | None, Query(ge=1, description="Remove only the segments before this number.")] = None,
) -> None:
    """Remove a device's log from the folder, or only the segments before a number."""
    await run_sync(serving(who.memory).synced_folder.remove, device, before)
