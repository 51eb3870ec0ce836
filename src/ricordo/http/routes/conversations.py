"""Mining conversations, and recalling from them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Header, Response
from pydantic import BeforeValidator, Field

from ricordo.errors import InvalidInput
from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import responses
from ricordo.http.routes.bodies import Body, Flag, Many, Moment, Whole, few_fields
from ricordo.http.routes.operations import accepted
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import Answer, Entry, Estimate, Message, Operation, RecallResult, Receipt, Retention, Vectors

router = guarded(tags=["conversations and recall"])

Prefer = Annotated[str | None, Header(description="`respond-async` only begins it (RFC 7240).")]

_TALK = [
    {"role": "user", "name": "Ada", "content": "Which cells should go into the e-foil?", "at": "2026-03-01T18:00:00Z"},
    {"role": "assistant", "content": "LiFePO4 cells: safer than lithium polymer.", "at": "2026-03-01T18:00:30Z"},
]


class NewConversation(Body):
    """A conversation, whole or its last turns."""

    conversation: str = Field(description="Your id of it: sent again, only what is new is added.", examples=["chat-1"])
    messages: Many[Annotated[Message, BeforeValidator(few_fields)]] = Field(examples=[_TALK])
    title: str | None = None
    project: str | None = Field(default=None, description="The wing that it goes to.")
    source: str = "api"
    automatic: Flag = Field(default=False, description="Nobody asked for it: the user's settings decide.")


class Question(Body):
    """What to recall."""

    question: str = Field(examples=["Which cells did we choose for the e-foil?"])
    top_k: Whole | None = Field(default=None, description="How many turns; none leaves it to the settings.")
    agent: str | None = Field(default=None, description="For whom it is; an agent's key means its agent.")
    run: UUID | None = Field(default=None, description="In which it is asked: the run's replay tells what came back.")
    now: Moment | None = Field(default=None, description="By which `last week` is understood.")
    wing: str | None = None
    room: str | None = None
    speaker: str | None = None
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    max_tokens: Whole = Field(default=2000, description="Of the block, not of the results.")
    rerank: Flag | None = None
    dry_run: Flag = False


class AskRequest(Question):
    """What to answer."""

    top_k: Whole = 10
    max_tokens: Whole = 3000

    def narrowing(self) -> dict[str, Any]:
        """The arguments of a recall beside these."""
        return self.model_dump(exclude={"question", "top_k", "max_tokens", "dry_run"})


class EmbeddingModelChoice(Body):
    """The embedding model to change to."""

    model: str = Field(examples=["all-MiniLM-L6-v2"])


class NoteSearch(Body):
    """Which notes to look for."""

    query: str | None = Field(default=None, description="None lists the most important first.")
    project: str | None = None
    tags: Many[str] = Field(default_factory=list)
    retentions: Many[Retention] = Field(default_factory=list)
    minimum_importance: Whole | None = None
    source: str | None = None
    limit: Whole = 10
    include_expired: Flag = False
    session: str | None = None
    run: UUID | None = None


@router.post(
    "/conversations",
    status_code=201,
    responses={
        **of_receipt(Receipt),
        202: {"model": Operation, "description": "Begun, where `Prefer: respond-async` asked for that."},
    },
    **access("palace"),
)
async def mine(body: NewConversation, who: Who, response: Response, prefer: Prefer = None) -> Receipt | Operation:
    """Keep a conversation word for word, one drawer for each turn. When this answers, every stored turn is on disk and
    found by keyword; `pending` counts those whose vector is still to come. With `Prefer: respond-async` it is only
    begun, and the answer is the operation to follow."""
    told: dict[str, Any] = {
        "conversation": body.conversation,
        "title": body.title,
        "project": body.project,
        "source": body.source,
    }
    if not _later(prefer):
        return answered(response, await who.memory.mine(body.messages, **told, automatic=body.automatic))
    if body.automatic:
        raise InvalidInput("automatic", "only applies to a conversation that is mined immediately")
    response.status_code = 202
    return accepted(response, await who.memory.operations.mine(body.messages, **told, agent=who.agent))


@router.post("/recall", **access("palace", reads=True))
async def recall(body: Question, who: Who) -> RecallResult:
    """The turns that answer a question best, and the block to put ahead of a system prompt."""
    asked = body.model_dump(exclude={"question"})
    return await who.memory.recall(body.question, **{**asked, "agent": who.agent or body.agent})


@router.post("/ask", responses=responses(402, 502), **access("palace", reads=True, pays=True))
async def ask(body: AskRequest, who: Who) -> Answer:
    """An LLM's answer from what a recall brings back, with the turns that it is based on."""
    narrowing = {**body.narrowing(), "agent": who.agent or body.agent}
    return await who.memory.ask(
        body.question, top_k=body.top_k, max_tokens=body.max_tokens, dry_run=body.dry_run, **narrowing
    )


@router.post("/search", **access("owner", reads=True))
async def search(body: NoteSearch, who: Who) -> list[Entry]:
    """Notes that are stored and notes of the session, what answers the query best first."""
    return await who.memory.notes.search(**body.model_dump())


@router.get("/vectors")
async def show_vectors(who: Who) -> Vectors:
    """The embedding model of the user's vectors, how many memories have one, and how many wait."""
    return await who.memory.vectors()


@router.get("/vectors/estimate")
async def estimate_reembedding(who: Who, model: str) -> Estimate:
    """What changing the vectors to this embedding model would take."""
    return await who.memory.reembed_estimate(model)


@router.post("/vectors/reembed", status_code=202)
async def reembed(body: EmbeddingModelChoice, who: Who, response: Response) -> Operation:
    """Begin to change the vectors to another embedding model, beside all other work; the operation's result says what
    came of it."""
    return accepted(response, await who.memory.operations.reembed(body.model))


def _later(prefer: str | None) -> bool:
    return any(each.strip().lower() == "respond-async" for each in (prefer or "").replace(";", ",").split(","))
