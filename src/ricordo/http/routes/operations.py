"""Uploads and long-running operations."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import Refused
from ricordo.http.routes.bodies import Limit
from ricordo.models import ArchiveFile, Operation, OperationState, Page, Upload

router = guarded(tags=["operations"])

_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_ZIP: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}


def accepted(response: Response, operation: Operation) -> Operation:
    """Sets the Location header to the operation's URL."""
    response.headers["Location"] = f"/v1/operations/{operation.id}"
    return operation


@router.get("/operations")
async def list_operations(who: Who, state: OperationState | None = None, limit: Limit = 100) -> Page[Operation]:
    """List operations, newest first. Results are available for one week."""
    return Page(items=tuple(await who.memory.operations.list(state, limit)))


@router.get("/operations/{operation}", **access("agent"))
async def get_operation(operation: UUID, who: Who) -> Operation:
    """Get the progress or the result of an operation."""
    return await who.memory.operations.get(operation)


@router.post("/operations/{operation}/cancel", **access("agent"))
async def cancel_operation(operation: UUID, who: Who) -> Operation:
    """Cancel an operation. A waiting one ends immediately, a running one soon. Completed work is not undone."""
    return await who.memory.operations.cancel(operation)


@router.post("/uploads", status_code=201)
async def create_upload(who: Who) -> Upload:
    """Create an upload for files that belong together. It is deleted after the import, or after one day."""
    return await who.memory.operations.create_upload()


@router.get("/uploads/{upload}")
async def get_upload(upload: UUID, who: Who) -> Upload:
    """Get an upload with its files."""
    return await who.memory.operations.get_upload(upload)


@router.put("/uploads/{upload}/files", **access("owner", streams=True, extra=_FILE))
async def add_file(
    upload: UUID,
    name: Annotated[str, Query(description="Relative path of the file, such as export/conversations.json.")],
    who: Who,
    request: Request,
) -> Upload:
    """Add or replace a file. Send its bytes as the request body."""
    most: int = request.app.state.largest_upload
    try:
        return await who.memory.operations.add_file(upload, name, request.stream(), most)
    except ClientDisconnect:
        raise Refused(400, "cut-off", "the upload was incomplete and was discarded: send the file again") from None


@router.delete("/uploads/{upload}", status_code=204)
async def remove_upload(upload: UUID, who: Who) -> None:
    """Delete an upload with its files."""
    await who.memory.operations.remove_upload(upload)


@router.post("/uploads/{upload}/survey", status_code=202)
async def survey_upload(upload: UUID, who: Who, response: Response) -> Operation:
    """Start a dry run of the import. The operation's result shows what would be imported."""
    return accepted(response, await who.memory.operations.survey(upload))


@router.post("/uploads/{upload}/import", status_code=202)
async def import_upload(upload: UUID, who: Who, response: Response, again: bool = False) -> Operation:
    """Start importing the chats in the files. The operation's result lists what was stored and what was skipped.

    Forgotten conversations stay forgotten, unless `again`."""
    return accepted(response, await who.memory.operations.import_(upload, again=again))


@router.post("/uploads/{upload}/load", status_code=202)
async def load_upload(
    upload: UUID, who: Who, response: Response, dry_run: bool = False, trusted: bool = False
) -> Operation:
    """Start importing an export file into this user's memory, which must be empty. With `dry_run`, only check it.
    Without `trusted`, the user's policies apply, and settings, prices, costs, profile policies and jobs of the file are
    skipped; the result's `left_out` counts them. Import it again with `trusted` to add them."""
    return accepted(response, await who.memory.operations.load(upload, dry_run=dry_run, trusted=trusted))


@router.post("/export", status_code=202)
async def export(who: Who, response: Response) -> Operation:
    """Start exporting all data of the user to one file. docs/format.md describes the format."""
    return accepted(response, await who.memory.operations.export())


@router.get("/operations/{operation}/file", response_class=StreamingResponse, responses=_ZIP)
async def get_file(operation: UUID, who: Who) -> Response:
    """Download an export file. It is available for one day."""
    content = await who.memory.operations.file(operation)
    headers = {"Content-Disposition": 'attachment; filename="ricordo.zip"'}
    if isinstance(made := (await who.memory.operations.get(operation)).result, ArchiveFile):
        headers["Content-Length"] = str(made.size)  # so that a client can tell a part from the whole
    return StreamingResponse(content, headers=headers, media_type="application/octet-stream")
