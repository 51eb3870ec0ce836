"""Long work: files that come for it, and following it."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import Refused
from ricordo.http.routes.bodies import Items, Limit
from ricordo.models import ArchiveFile, Operation, OperationState, Upload

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
    """The operation, and where it is followed."""
    response.headers["Location"] = f"/v1/operations/{operation.id}"
    return operation


@router.get("/operations")
async def list_operations(who: Who, state: OperationState | None = None, limit: Limit = 100) -> Items[Operation]:
    """The newest operations, newest first; what became of one is told for a week."""
    return Items(items=await who.memory.operations.list(state, limit))


@router.get("/operations/{operation}", **access("agent"))
async def get_operation(operation: UUID, who: Who) -> Operation:
    """How far an operation is, or what came of it."""
    return await who.memory.operations.get(operation)


@router.post("/operations/{operation}/cancel", **access("agent"))
async def cancel_operation(operation: UUID, who: Who) -> Operation:
    """Let an operation end, at once where it waits, else soon. What it did stays."""
    return await who.memory.operations.cancel(operation)


@router.post("/uploads", status_code=201)
async def create_upload(who: Who) -> Upload:
    """A new upload, for chat files that belong together. It is removed when it was imported, or after a day."""
    return await who.memory.operations.create_upload()


@router.get("/uploads/{upload}")
async def get_upload(upload: UUID, who: Who) -> Upload:
    """An upload with its files."""
    return await who.memory.operations.get_upload(upload)


@router.put("/uploads/{upload}/files", **access("owner", streams=True, extra=_FILE))
async def add_file(
    upload: UUID,
    name: Annotated[str, Query(description="A path below the folder, such as export/conversations.json.")],
    who: Who,
    request: Request,
) -> Upload:
    """Add a file, whose bytes are the body as they are, or put it in the place of the one of that name."""
    most: int = request.app.state.largest_upload
    try:
        return await who.memory.operations.add_file(upload, name, request.stream(), most)
    except ClientDisconnect:
        raise Refused(400, "cut-off", "the upload was incomplete and was discarded: send the file again") from None


@router.delete("/uploads/{upload}", status_code=204)
async def remove_upload(upload: UUID, who: Who) -> None:
    """Remove an upload with its files."""
    await who.memory.operations.remove_upload(upload)


@router.post("/uploads/{upload}/survey", status_code=202)
async def survey_upload(upload: UUID, who: Who, response: Response) -> Operation:
    """Begin to read the files and count; the operation's result says what importing them would bring."""
    return accepted(response, await who.memory.operations.survey(upload))


@router.post("/uploads/{upload}/import", status_code=202)
async def import_upload(upload: UUID, who: Who, response: Response) -> Operation:
    """Begin to import the chats in the files; the operation's result counts what came, and lists what was left out."""
    return accepted(response, await who.memory.operations.import_(upload))


@router.post("/uploads/{upload}/load", status_code=202)
async def load_upload(
    upload: UUID, who: Who, response: Response, dry_run: bool = False, trusted: bool = False
) -> Operation:
    """Begin to bring an archive that an export made into this user's memory, which must be empty yet; with `dry_run` it
    is only checked. Unless it is `trusted`, policies that the user has chosen hold for it, and its settings, prices,
    costs, policies of profiles and jobs are left out; the result's `left_out` counts them. Loading it again,
    `trusted`, takes them over."""
    return accepted(response, await who.memory.operations.load(upload, dry_run=dry_run, trusted=trusted))


@router.post("/export", status_code=202)
async def export(who: Who, response: Response) -> Operation:
    """Begin to write everything that is the user's to one file, in the form of docs/format.md."""
    return accepted(response, await who.memory.operations.export())


@router.get("/operations/{operation}/file", response_class=StreamingResponse, responses=_ZIP)
async def get_file(operation: UUID, who: Who) -> Response:
    """The file that an export made; it is kept for a day."""
    content = await who.memory.operations.file(operation)
    headers = {"Content-Disposition": 'attachment; filename="ricordo.zip"'}
    if isinstance(made := (await who.memory.operations.get(operation)).result, ArchiveFile):
        headers["Content-Length"] = str(made.size)  # so that a client can tell a part from the whole
    return StreamingResponse(content, headers=headers, media_type="application/octet-stream")
