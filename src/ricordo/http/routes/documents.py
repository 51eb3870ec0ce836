"""JSON documents stored by path and key, for memory stores of frameworks in other languages."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import responses
from ricordo.http.routes.bodies import Body, Flag, Many, Number, Whole
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import ANYTHING, Change, Document, Page, WriteReceipt

router = guarded("/documents/{collection}", tags=["documents"])


class DocumentPlace(Body):
    """The address of a document."""

    path: Many[str] = Field(examples=[["users", "ada"]])
    key: str = Field(examples=["likes"])


class DocumentChange(DocumentPlace):
    """A change of one document. A value of null deletes it."""

    value: dict[str, Any] | None = Field(examples=[{"tea": "green"}])
    text: str | None = Field(
        default=None, description="Text that searches match. Null excludes the document from searches."
    )
    minutes: Number | Whole | None = Field(
        default=None, description="Minutes until the document expires. Null means never."
    )
    expected: dict[str, Any] | None = Field(
        default=None,
        description="Required current value; null if the document must not exist. Omit it to skip this check.",
    )

    def change(self) -> Change:
        """The same for the client."""
        expected = self.expected if "expected" in self.model_fields_set else ANYTHING
        return Change(tuple(self.path), self.key, self.value, self.text, self.minutes, expected)


class Changes(Body):
    """Changes to write, all or nothing."""

    changes: Many[DocumentChange] = Field(max_length=1_000)
    agent: str | None = Field(
        default=None, description="Owner of the documents. With an agent's key, always its own agent."
    )
    run: UUID | None = None


class Places(Body):
    """Addresses of documents to read."""

    places: Many[DocumentPlace] = Field(max_length=1_000)
    keep_on: Flag = Field(default=False, description="Restart the expiry time of the documents.")
    agent: str | None = None
    run: UUID | None = None


class DocumentSearch(Body):
    """A search for documents."""

    path: Many[str] = Field(default_factory=list, description="Path prefix of the documents.")
    query: str | None = Field(default=None, description="Search query; the best matches come first.")
    limit: Whole = Field(default=10, ge=0, le=1_000)
    offset: Whole = Field(default=0, ge=0, le=1_000_000)
    keep_on: Flag = False
    agent: str | None = None
    run: UUID | None = None


@router.post("/write", status_code=201, responses={**of_receipt(WriteReceipt), **responses(412)}, **access("agent"))
async def write_documents(collection: str, body: Changes, who: Who, response: Response) -> WriteReceipt:
    """Write, change and delete documents, all or none. Fails with 412 if a document does not have its expected
    value."""
    changes = [each.change() for each in body.changes]
    agent = who.agent or body.agent
    return answered(response, await who.memory.documents.write(collection, changes, agent=agent, run=body.run))


@router.post("/read", **access("agent", reads=True))
async def read_documents(collection: str, body: Places, who: Who) -> Page[Document | None]:
    """Read documents by address; null for those that do not exist."""
    places = [(tuple(each.path), each.key) for each in body.places]
    agent = who.agent or body.agent
    found = await who.memory.documents.get(collection, places, keep_on=body.keep_on, agent=agent, run=body.run)
    return Page(items=tuple(found))


@router.post("/search", **access("agent", reads=True))
async def search_documents(collection: str, body: DocumentSearch, who: Who) -> Page[Document]:
    """List documents below a path, newest first, or search them."""
    asked = body.model_dump(exclude={"path", "agent"})
    return Page(
        items=tuple(await who.memory.documents.search(collection, body.path, **asked, agent=who.agent or body.agent))
    )


@router.get("/paths", **access("agent"))
async def list_document_paths(
    collection: str,
    who: Who,
    path: Annotated[list[str] | None, Query(description="Path prefix.")] = None,
    agent: str | None = None,
) -> Page[list[str]]:
    """List the distinct paths of documents, in order."""
    found = await who.memory.documents.paths(collection, path or (), agent=who.agent or agent)
    return Page(items=tuple([*each] for each in found))
