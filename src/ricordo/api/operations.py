"""`memory.operations`: long-running operations that you start and then poll, for servers and their clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from typing import Any, get_args
from uuid import UUID

from pydantic import ValidationError

from ricordo import accounts, embedding, operations, palace, review, rules
from ricordo.api.checking import checked
from ricordo.background import ARCHIVE, TALK, Background, MineRequest
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, counted, quoted
from ricordo.models import Message, Operation, OperationKind, OperationState, Upload
from ricordo.opened import Opened
from ricordo.review import Screen


@checked
class Operations:
    """Operations that take longer than one request: mining a large conversation, importing files, switching the
    embedding model.

    A background job runs them in any process that works for this user (an open memory, `ricordo serve`, `ricordo
    worker`). After an interruption, it continues. A user's operations run one at a time. Their results are stored for
    one week.
    """

    def __init__(self, opened: Opened, background: Background) -> None:
        self._opened = opened
        self._background = background

    async def list(self, state: OperationState | None = None, limit: int = 100) -> list[Operation]:
        """List operations, newest first. You can filter by `state`. Raises InvalidInput."""
        most = rules.limit(limit)
        if state is not None:
            rules.one_of("state", state, get_args(OperationState))
        async with self._opened.transaction() as tx:
            return await operations.listed(tx, state, most)

    async def get(self, operation: UUID) -> Operation:
        """Get the progress or the result of an operation. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await operations.find(tx, operation)

    async def cancel(self, operation: UUID) -> Operation:
        """Cancel an operation: a waiting one immediately, a running one within about a second. Completed work is not
        undone; start the operation again to continue. Raises NotFound."""
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
        append: bool = False,
        key: str | None = None,
    ) -> Operation:
        """Start mining a conversation, as `memory.mine` does, for the user or an agent. The result is its receipt.
        Raises InvalidInput."""
        from ricordo import mining  # 10 ms, which others should not pay

        kept = [_message(each) for each in messages]
        origin = mining.mended(palace.Origin(conversation, title, project, source))
        conversation, title, project = origin.id, origin.title, origin.project
        mining.batch(append, key)
        async with self._opened.transaction() as tx:
            screen = await review.screen_for(tx)
        if not screen.is_open:  # what waits is written down, too
            kept = await asyncio.to_thread(_screened, screen, kept)
            title, project = screen.remark(title), screen.remark(project)
        talk = MineRequest(
            conversation=conversation, title=title, project=project, source=source, messages=tuple(kept),
            append=append, key=key,
        )  # fmt: skip
        # As ASCII: half surrogates are mended, and told of, when the turns are stored.
        body = json.dumps(talk.model_dump(), default=str).encode()
        async with self._opened.transaction() as tx:  # what is to be done once is the operation
            await accounts.ensure(tx, self._opened.user_id, self._opened.user)
            upload = await operations.create(tx, self._opened.user_id)
        await self._add_file(upload.id, TALK, _whole(body), len(body))
        return await self._start("mine", {}, upload.id, agent)

    async def import_(self, upload: UUID, *, again: bool = False) -> Operation:
        """Start importing the chats of an upload; its files are deleted afterwards. Raises NotFound, and InvalidInput
        if the upload is empty. With `again`, forgotten conversations are stored too."""
        return await self._start_on("import", upload, {"again": again} if again else {})

    async def survey(self, upload: UUID) -> Operation:
        """Start a dry run of the import of an upload. The result shows what would be stored. Raises the errors of
        `import_`."""
        return await self._start_on("survey", upload)

    async def reembed(self, model: str) -> Operation:
        """Start switching the vectors to this embedding model, as `memory.reembed` does. Raises InvalidInput and
        ModelUnavailable."""
        embedding_model = await asyncio.to_thread(
            embedding.load, self._opened.database.settings, rules.name("model", model)
        )
        return await self._start("reembed", {"model": embedding_model.name}, None, None)

    async def export(self) -> Operation:
        """Start exporting all data of the user, as `memory.archive.save` does. Get the file with `file` within one
        day."""
        async with self._opened.transaction() as tx:
            await accounts.ensure(tx, self._opened.user_id, self._opened.user)
            upload = await operations.create(tx, self._opened.user_id)
        return await self._start("export", {}, upload.id, None)

    async def load(self, upload: UUID, *, dry_run: bool = False, trusted: bool = False) -> Operation:
        """Start importing the export file of an upload, as `memory.archive.load` does. Raises NotFound, and
        InvalidInput if the upload does not have exactly one file."""
        async with self._opened.transaction() as tx:
            count = len((await operations.find_upload(tx, upload)).files)
        if count != 1:
            raise InvalidInput("upload", f"has {counted(count, 'file')}: upload exactly one export file")
        return await self._start("load", {"dry_run": dry_run, "trusted": trusted}, upload, None)

    async def examine(self) -> Operation:
        """Start a check of the consistency of the user's tables, as `memory.audit.sound` does. The result lists
        problems. If a check is running, returns it. Fails after 10 minutes."""
        async with self._opened.transaction() as tx:
            await accounts.ensure(tx, self._opened.user_id, self._opened.user)
            going = await operations.under_way(tx, self._opened.user_id, "examine")
            if going is None:
                await operations.tidy(tx)
                going = await operations.start(tx, self._opened.user_id, "examine", {})
        self._background.wake()
        return going

    async def file(self, operation: UUID) -> AsyncIterator[bytes]:
        """Get the file of an `export` in chunks. Raises NotFound if it does not exist or was deleted."""
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
        """Create an upload to add files to. It is deleted after the import, or after one day. Raises InvalidInput if
        there are too many, or if a policy requires texts to be checked for secrets or personal data before they are
        stored."""
        async with self._opened.effect() as tx:
            await _require_unsearched(tx)
            await operations.tidy(tx)
            return await operations.create(tx, self._opened.user_id)

    async def get_upload(self, upload: UUID) -> Upload:
        """Get an upload with its files. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await operations.find_upload(tx, upload)

    async def add_file(self, upload: UUID, name: str, content: AsyncIterable[bytes], most: int = 2 << 30) -> Upload:
        """Add or replace a file of an upload. `name` is a relative path, such as `export/conversations.json`. All files
        together can have `most` bytes. Raises NotFound, and InvalidInput as in `create_upload`."""
        async with self._opened.transaction() as tx:
            await _require_unsearched(tx)
        return await self._add_file(upload, name, content, most)

    async def _add_file(self, upload: UUID, name: str, content: AsyncIterable[bytes], most: int) -> Upload:
        return await operations.add_file(self._opened.transaction, self._opened.user_id, upload, name, content, most)

    async def remove_upload(self, upload: UUID) -> None:
        """Delete an upload. Raises NotFound, and InvalidInput while an operation uses it."""
        async with self._opened.transaction() as tx:
            await operations.remove_upload(tx, upload)

    async def _start_on(self, kind: OperationKind, upload: UUID, request: Mapping[str, Any] | None = None) -> Operation:
        async with self._opened.transaction() as tx:
            if not (await operations.find_upload(tx, upload)).files:
                raise InvalidInput("upload", "has no files yet: add one first")
        return await self._start(kind, request or {}, upload, None)

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
