"""`memory.operations`: long work that is begun by one call and followed by others, for servers and their clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from typing import Any, get_args
from uuid import UUID

from pydantic import ValidationError

from ricordo import accounts, embedding, operations, palace, review, rules
from ricordo.api.checking import checked
from ricordo.background import ARCHIVE, TALK, Background, MineRequest
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, quoted
from ricordo.models import Message, Operation, OperationKind, OperationState, Upload
from ricordo.opened import Opened
from ricordo.review import Screen


@checked
class Operations:
    """Work that takes longer than a call should: mining a large conversation, importing files, changing the embedding
    model.

    A job does it, in whichever process works for this user (an open memory, `ricordo serve`, `ricordo worker`); killed,
    it goes on where it was. A user's operations are done one after the other. What became of one is told for a week.
    """

    def __init__(self, opened: Opened, background: Background) -> None:
        self._opened = opened
        self._background = background

    async def list(self, state: OperationState | None = None, limit: int = 100) -> list[Operation]:
        """The newest operations, newest first; with `state` only those. Raises InvalidInput."""
        most = rules.limit(limit)
        if state is not None:
            rules.one_of("state", state, get_args(OperationState))
        async with self._opened.transaction() as tx:
            return await operations.listed(tx, state, most)

    async def get(self, operation: UUID) -> Operation:
        """How far an operation is, or what came of it. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await operations.find(tx, operation)

    async def owner_of(self, operation: UUID) -> UUID | None:
        """The agent for whom an operation was begun; None where it is the user's. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await operations.owner_of(tx, operation)

    async def cancel(self, operation: UUID) -> Operation:
        """Let an operation end, at once where it waits, else within a second or so. What it did stays: the same work
        begun again goes on there. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await operations.ask_to_cancel(tx, operation)

    async def mine(
        self,
        messages: Sequence[Any],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
        agent: UUID | str | None = None,
    ) -> Operation:
        """Begin to mine a conversation, as `memory.mine` does, for the user or an agent that asked; its receipt is the
        result. Raises InvalidInput."""
        from ricordo import mining  # 10 ms, which others should not pay

        kept = [_message(each) for each in messages]
        mining.require_good(palace.Origin(conversation, title, project, source))
        async with self._opened.transaction() as tx:
            screen = await review.screen_for(tx)
        if not screen.is_open:  # what waits is written down, too
            kept = await asyncio.to_thread(_screened, screen, kept)
            title, project = screen.remark(title), screen.remark(project)
        talk = MineRequest(conversation=conversation, title=title, project=project, source=source, messages=tuple(kept))
        try:
            body = talk.model_dump_json().encode()
        except ValueError:
            raise InvalidInput(
                "messages", "contain half of a surrogate pair, which is not valid UTF-8: decode the text correctly"
            ) from None
        async with self._opened.transaction() as tx:  # what is to be done once is the operation
            await accounts.ensure(tx, self._opened.user_id, self._opened.user)
            upload = await operations.create(tx, self._opened.user_id)
        await self._add_file(upload.id, TALK, _whole(body), len(body))
        return await self._start("mine", {}, upload.id, agent)

    async def import_(self, upload: UUID) -> Operation:
        """Begin to import the chats in the files of an upload, which are removed when that is done. Raises NotFound,
        and InvalidInput where there are none."""
        return await self._start_on("import", upload)

    async def survey(self, upload: UUID) -> Operation:
        """Begin to read the files of an upload; what importing them would bring is the result. Raises as `import_`."""
        return await self._start_on("survey", upload)

    async def reembed(self, model: str) -> Operation:
        """Begin to change the vectors to this embedding model, as `memory.reembed` does. Raises InvalidInput and
        ModelUnavailable."""
        embedding_model = await asyncio.to_thread(
            embedding.load, self._opened.database.settings, rules.name("model", model)
        )
        return await self._start("reembed", {"model": embedding_model.name}, None, None)

    async def export(self) -> Operation:
        """Begin to write everything that is the user's to one file, as `memory.archive.save` does; `file` brings it,
        for a day."""
        async with self._opened.transaction() as tx:
            await accounts.ensure(tx, self._opened.user_id, self._opened.user)
            upload = await operations.create(tx, self._opened.user_id)
        return await self._start("export", {}, upload.id, None)

    async def load(self, upload: UUID, *, dry_run: bool = False, trusted: bool = False) -> Operation:
        """Begin to bring the one file of an upload, an archive, into this user's memory, as `memory.archive.load` does.
        Raises NotFound, and InvalidInput where it is not one file."""
        async with self._opened.transaction() as tx:
            count = len((await operations.find_upload(tx, upload)).files)
        if count != 1:
            raise InvalidInput("upload", f"has {count:,} files: upload exactly one export file")
        return await self._start("load", {"dry_run": dry_run, "trusted": trusted}, upload, None)

    async def examine(self) -> Operation:
        """Start to examine whether the user's tables fit together, as `memory.audit.sound` does; what it found is the
        result. While an examination is under way, that one is returned. It fails after 10 minutes."""
        async with self._opened.transaction() as tx:
            await accounts.ensure(tx, self._opened.user_id, self._opened.user)
            going = await operations.under_way(tx, self._opened.user_id, "examine")
            if going is None:
                await operations.tidy(tx)
                going = await operations.start(tx, self._opened.user_id, "examine", {})
        self._background.wake()
        return going

    async def file(self, operation: UUID) -> AsyncIterator[bytes]:
        """The file that an `export` made, in pieces. Raises NotFound where there is none, or none any more."""
        async with self._opened.transaction() as tx:
            upload = await operations.upload_of(tx, operation)
            made = (await operations.find(tx, operation)).kind == "export" and upload is not None
        content = await operations.content_of(self._opened.transaction, upload, ARCHIVE) if made and upload else None
        if content is None:
            raise NotFound(
                f"operation {operation} has no file: it creates none, is not finished, or ended over a day ago"
            )
        return content

    async def create_upload(self) -> Upload:
        """A new upload, to add files to. It is removed when it was imported, or after a day. Raises InvalidInput where
        there are too many, and where a policy on secrets or personal data wants texts searched before they are kept."""
        async with self._opened.effect() as tx:
            await _require_unsearched(tx)
            await operations.tidy(tx)
            return await operations.create(tx, self._opened.user_id)

    async def get_upload(self, upload: UUID) -> Upload:
        """An upload with its files. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await operations.find_upload(tx, upload)

    async def add_file(self, upload: UUID, name: str, content: AsyncIterable[bytes], most: int = 2 << 30) -> Upload:
        """Add a file, or put it in the place of the one of that name, a path below the folder that they stand in, such
        as `export/conversations.json`. All files of the upload may have `most` bytes. Raises NotFound, and InvalidInput
        also where a policy wants texts searched, as `create_upload` does.
        """
        async with self._opened.transaction() as tx:
            await _require_unsearched(tx)
        return await self._add_file(upload, name, content, most)

    async def _add_file(self, upload: UUID, name: str, content: AsyncIterable[bytes], most: int) -> Upload:
        return await operations.add_file(self._opened.transaction, self._opened.user_id, upload, name, content, most)

    async def remove_upload(self, upload: UUID) -> None:
        """Remove an upload. Raises NotFound, and InvalidInput while an operation works on it."""
        async with self._opened.transaction() as tx:
            await operations.remove_upload(tx, upload)

    async def _start_on(self, kind: OperationKind, upload: UUID) -> Operation:
        async with self._opened.transaction() as tx:
            if not (await operations.find_upload(tx, upload)).files:
                raise InvalidInput("upload", "has no files yet: add one first")
        return await self._start(kind, {}, upload, None)

    async def _start(
        self, kind: OperationKind, request: Mapping[str, Any], upload: UUID | None, agent: UUID | str | None
    ) -> Operation:
        async with self._opened.effect() as tx:
            await operations.tidy(tx)
            owner = None if agent is None else (await accounts.agent(tx, agent)).id
            started = await operations.start(tx, self._opened.user_id, kind, request, upload=upload, agent=owner)
        self._background.wake()
        return started


async def _require_unsearched(tx: Transaction) -> None:
    """Raise InvalidInput where a policy wants texts searched before they are kept, which files cannot be."""
    if not (await review.screen_for(tx)).is_open:
        problem = "would be stored before your policy on secrets and personal data is applied"
        raise InvalidInput("upload", f"files {problem}: import them with the library or the command line")


def _message(value: Any) -> Message:
    try:
        return value if isinstance(value, Message) else Message.model_validate(value)
    except ValidationError:
        raise InvalidInput("messages", f"invalid message {quoted(value)}: expected role and content") from None


async def _whole(body: bytes) -> AsyncIterator[bytes]:
    yield body


def _screened(screen: Screen, messages: Sequence[Message]) -> list[Message]:
    """Messages as they may be kept. Raises InvalidInput, naming the message."""
    return [
        each.model_copy(
            update={
                "content": screen.text(f"messages[{index}].content", each.content),
                "name": None if each.name is None else screen.text(f"messages[{index}].name", each.name),
            }
        )
        for index, each in enumerate(messages)
    ]
