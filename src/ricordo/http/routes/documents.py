"""Values that programs keep under a path and a key: for memory stores of frameworks in other languages."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import responses
from ricordo.http.routes.bodies import Body, Flag, Items, Many, Number, Whole
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import ANYTHING, Change, Document, WriteReceipt

router = guarded("/documents/{collection}", tags=["documents"])


class DocumentPlace(Body):
    """Where a document stands."""

    path: Many[str] = Field(examples=[["users", "ada"]])
    key: str = Field(examples=["likes"])


class DocumentChange(DocumentPlace):
    """What is written at a place; a value of null removes what stands there."""

    value: dict[str, Any] | None = Field(examples=[{"tea": "green"}])
    text: str | None = Field(default=None, description="What searches find it by; null keeps it out of them.")
    minutes: Number | Whole | None = Field(default=None, description="For which it is kept; null is for ever.")
    expected: dict[str, Any] | None = Field(
        default=None,
        description="The value that must stand there now, null for nothing. Without this field, whatever stands there.",
    )

    def change(self) -> Change:
        """The same for the client."""
        expected = self.expected if "expected" in self.model_fields_set else ANYTHING
        return Change(tuple(self.path), self.key, self.value, self.text, self.minutes, expected)


class Changes(Body):
    """What is written, all of it or nothing."""

    changes: Many[DocumentChange] = Field(max_length=1_000)
    agent: str | None = Field(default=None, description="Whose they are; an agent's key means its agent.")
    run: UUID | None = None


class Places(Body):
    """Which documents to bring."""

    places: Many[DocumentPlace] = Field(max_length=1_000)
    keep_on: Flag = Field(default=False, description="Let the time for which they are kept begin anew.")
    agent: str | None = None
    run: UUID | None = None


class DocumentSearch(Body):
    """Which documents to look for."""

    path: Many[str] = Field(default_factory=list, description="With what their paths begin.")
    query: str | None = Field(default=None, description="Those that answer it come first, best first.")
    limit: Whole = Field(default=10, ge=0, le=1_000)
    offset: Whole = Field(default=0, ge=0, le=1_000_000)
    keep_on: Flag = False
    agent: str | None = None
    run: UUID | None = None


@router.post("/write", status_code=201, responses={**of_receipt(WriteReceipt), **responses(412)}, **access("agent"))
async def write_documents(collection: str, body: Changes, who: Who, response: Response) -> WriteReceipt:
    """Write, change and remove documents, all of them or none: none where a place does not hold what was expected
    (412)."""
    changes = [each.change() for each in body.changes]
    agent = who.agent or body.agent
    return answered(response, await who.memory.documents.write(collection, changes, agent=agent, run=body.run))


@router.post("/read", **access("agent", reads=True))
async def read_documents(collection: str, body: Places, who: Who) -> Items[Document | None]:
    """What stands at each place; null for nothing."""
    places = [(tuple(each.path), each.key) for each in body.places]
    agent = who.agent or body.agent
    return Items(
        items=await who.memory.documents.get(collection, places, keep_on=body.keep_on, agent=agent, run=body.run)
    )


@router.post("/search", **access("agent", reads=True))
async def search_documents(collection: str, body: DocumentSearch, who: Who) -> Items[Document]:
    """Documents below a path, newest first, or those first that answer a query."""
    asked = body.model_dump(exclude={"path", "agent"})
    return Items(items=await who.memory.documents.search(collection, body.path, **asked, agent=who.agent or body.agent))


@router.get("/paths", **access("agent"))
async def list_document_paths(
    collection: str,
    who: Who,
    path: Annotated[list[str] | None, Query(description="With what they begin.")] = None,
    agent: str | None = None,
) -> Items[list[str]]:
    """The different paths of documents, in order."""
    found = await who.memory.documents.paths(collection, path or (), agent=who.agent or agent)
    return Items(items=[[*each] for each in found])
