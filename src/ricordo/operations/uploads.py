"""Files that come for an operation. They are kept in the store, in pieces, so that any process can work on them."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from uuid import UUID, uuid4

from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, quoted
from ricordo.models import Upload
from ricordo.operations import store

#: Bytes of a piece, files of an upload, uploads of a user, and characters and folders of a name.
_PIECE, _MOST_FILES, _MOST_UPLOADS, _LONGEST, _DEEPEST = 1 << 20, 10_000, 20, 1_000, 20
#: Bytes that a part of a name may have on common file systems.
_LONGEST_PART = 255

Begin = Callable[[], AbstractAsyncContextManager[Transaction]]


async def create(tx: Transaction, user_id: UUID) -> Upload:
    """A new upload without files. Raises InvalidInput where there are too many."""
    if await store.count_uploads(tx) >= _MOST_UPLOADS:
        raise InvalidInput("upload", f"too many uploads; the maximum is {_MOST_UPLOADS}: import or delete some")
    return await find_upload(tx, await store.add_upload(tx, user_id))


async def find_upload(tx: Transaction, id: UUID, *, lock: bool = False) -> Upload:
    """An upload with its files. Raises NotFound."""
    found = await store.find_upload(tx, id, lock=lock)
    if found is None:
        raise NotFound(f"upload {id} not found: uploads are deleted after the import, or after one day")
    return found


async def remove_upload(tx: Transaction, id: UUID) -> None:
    """Remove an upload. Raises NotFound, and InvalidInput while an operation works on it."""
    await find_upload(tx, id, lock=True)
    if await store.is_at_work(tx, id):
        raise InvalidInput("upload", "is in use by an operation: cancel the operation first")
    await store.remove_upload(tx, id)


async def add_file(
    begin: Begin, user_id: UUID, upload: UUID, name: str, content: AsyncIterable[bytes], most: int
) -> Upload:
    """Add a file, or put it in the place of the one of that name. All files together may have `most` bytes.

    Raises NotFound and InvalidInput.
    """
    _require_good(name)
    async with begin() as tx:
        found = await find_upload(tx, upload)
    others = [each for each in found.files if each.name != name]
    if len(others) >= _MOST_FILES:
        raise InvalidInput("upload", f"has {_MOST_FILES:,} files, which is the maximum")
    room = most - sum(each.bytes for each in others)
    id, size, number = uuid4(), 0, 0
    try:
        async for piece in _pieces(content):
            size += len(piece)
            if size > room:
                raise InvalidInput("upload", f"is too large; the maximum is {most:,} bytes in total")
            async with begin() as tx:
                await find_upload(tx, upload)
                await store.add_chunk(tx, user_id, upload, id, number, piece)
            number += 1
        async with begin() as tx:
            await find_upload(tx, upload, lock=True)
            await store.put_file(tx, user_id, upload, name, id, size)
            return await find_upload(tx, upload)
    except BaseException:
        async with begin() as tx:
            await store.drop_chunks(tx, upload, id)
        raise


async def _chunks(begin: Begin, upload: UUID, name: str, content: UUID, size: int) -> AsyncIterator[bytes]:
    """The pieces of a file, in order; no connection is held from one to the next. Raises NotFound where the file is
    removed meanwhile, so that nobody takes a part of it for the whole."""
    number = 0
    while size > 0:
        async with begin() as tx:
            piece = await store.chunk(tx, upload, content, number)
        if piece is None:
            raise NotFound(f"the file {quoted(name)} of upload {upload} was deleted while it was read")
        yield piece
        number, size = number + 1, size - len(piece)


async def content_of(begin: Begin, upload: UUID, name: str) -> AsyncIterator[bytes] | None:
    """The pieces of a file; None where there is none of that name."""
    async with begin() as tx:
        found = [(content, size) for each, content, size in await store.contents(tx, upload) if each == name]
    return _chunks(begin, upload, name, *found[0]) if found else None


async def write_into(begin: Begin, upload: UUID, folder: Path) -> None:
    """Write the files of an upload into a folder."""
    async with begin() as tx:
        files = await store.contents(tx, upload)
    for name, content, size in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            async for piece in _chunks(begin, upload, name, content, size):
                file.write(piece)


async def _pieces(content: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in pieces of one size."""
    gathered = bytearray()
    async for each in content:
        gathered += each
        while len(gathered) >= _PIECE:
            yield bytes(gathered[:_PIECE])
            del gathered[:_PIECE]
    if gathered:
        yield bytes(gathered)


def _require_good(name: str) -> None:
    """Raise InvalidInput for what is no path below a folder."""
    parts = name.split("/")
    if not name or len(name) > _LONGEST or len(parts) > _DEEPEST:
        problem = f"has {len(name):,} characters in {len(parts)} parts; 1 to {_LONGEST:,} in {_DEEPEST} are allowed"
    elif any(part in ("", ".", "..") or len(part.encode(errors="replace")) > _LONGEST_PART for part in parts):
        problem = f"{quoted(name)} is not a relative path: expected one such as export/conversations.json"
    elif "\\" in name or any(unicodedata.category(each) in ("Cc", "Cs") for each in name):
        problem = f"{quoted(name)} contains a backslash or a character that is not allowed in file names"
    else:
        return
    raise InvalidInput("name", problem)
