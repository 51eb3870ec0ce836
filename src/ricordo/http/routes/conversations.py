"""Mining conversations, and recalling from them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Header, Query, Request, Response
from pydantic import BeforeValidator, Field

from ricordo.errors import InvalidInput
from ricordo.http.access import Who, access, guarded
from ricordo.http.problems import responses
from ricordo.http.routes.bodies import Body, End, Flag, Many, Moment, Whole, few_fields
from ricordo.http.routes.operations import accepted
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import About, Answer, Entry, Estimate, Message, Operation, RecallResult, Receipt, Retention, Vectors

router = guarded(tags=["conversations and recall"])

Prefer = Annotated[str | None, Header(description="`respond-async` runs the request as an operation (RFC 7240).")]

_TALK = [
    {"role": "user", "name": "Ada", "content": "Which cells should go into the e-foil?", "at": "2026-03-01T18:00:00Z"},
    {"role": "assistant", "content": "LiFePO4 cells: safer than lithium polymer.", "at": "2026-03-01T18:00:30Z"},
]


class NewConversation(Body):
    """A complete conversation or its latest turns."""

    conversation: str = Field(
        description="Your id of the conversation. Send it again to add new turns.", examples=["chat-1"]
    )
    messages: Many[Annotated[Message, BeforeValidator(few_fields)]] = Field(examples=[_TALK])
    title: str | None = None
    project: str | None = Field(default=None, description="Wing to store the conversation in.")
    source: str = "api"
    automatic: Flag = Field(
        default=False, description="Store it only if automatic mining is on in the user's settings."
    )
    append: Flag = Field(
        default=False, description="Every message is new, as in the latest exchange of a conversation alone."
    )
    key: str | None = Field(
        default=None,
        description="Idempotency key of an append, without an expiry; the header Idempotency-Key is one too.",
    )


class Question(Body):
    """A recall request."""

    question: str = Field(examples=["Which cells did we choose for the e-foil?"])
    top_k: Whole | None = Field(default=None, description="Number of results. Default: the user's setting.")
    agent: str | None = Field(
        default=None, description="Agent that recalls. With an agent's key, always its own agent."
    )
    run: UUID | None = Field(default=None, description="Run to record the recall under, for its replay.")
    now: Moment | None = Field(
        default=None, description="Reference time for phrases such as `last week`. Default: now."
    )
    wing: str | None = None
    project: str | None = Field(
        default=None,
        description="Only this project, and what the setting `across_projects` allows from outside.",
    )
    room: str | None = None
    speaker: str | None = None
    since: Moment | None = None
    until: End | None = Field(default=None, description="A date includes that day.")
    as_of: Moment | None = None
    conversation: str | None = Field(
        default=None, description="Conversation in progress, which questions about `last time` skip."
    )
    context: str | None = Field(
        default=None,
        description="The previous turn, such as the agent's last answer. Its end helps to find what a message "
        "refers to.",
    )
    max_tokens: Whole | None = Field(
        default=None,
        description="Maximum tokens of the context block. Without `top_k`, results are the turns that fit. "
        "Default: 2000.",
    )
    min_confidence: float | None = Field(
        default=None,
        strict=True,
        description="Lowest confidence of the result, from 0 to 1. Below it, only standing instructions are returned. "
        "The default is 0.1 for most questions.",
    )
    rerank: Flag | None = None
    dry_run: Flag = False


class AskRequest(Question):
    """A question to answer."""

    top_k: Whole = 10
    max_tokens: Whole = 3000

    def narrowing(self) -> dict[str, Any]:
        """The arguments of a recall beside these."""
        return self.model_dump(exclude={"question", "top_k", "max_tokens", "dry_run"})


class EmbeddingModelChoice(Body):
    """The embedding model to switch to."""

    model: str = Field(examples=["all-MiniLM-L6-v2"])


class NoteSearch(Body):
    """A search for notes."""

    query: str | None = Field(
        default=None, description="Search query. Without one, the most important notes come first."
    )
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
        202: {"model": Operation, "description": "Started as an operation, because of `Prefer: respond-async`."},
    },
    **access("palace"),
)
async def mine(
    body: NewConversation, who: Who, request: Request, response: Response, prefer: Prefer = None
) -> Receipt | Operation:
    """Store a conversation word for word, one drawer per turn. If you send it again, as a whole or only its latest
    turns, only new turns are stored; with `append`, every turn is new. When the response arrives, every stored turn is
    on disk and found by its words; `pending` counts turns without a vector yet. With `Prefer: respond-async`, the
    response is an operation to poll."""
    told: dict[str, Any] = {
        "conversation": body.conversation,
        "title": body.title,
        "project": body.project,
        "source": body.source,
        "append": body.append,
        "key": body.key or (request.headers.get("idempotency-key") if body.append else None),
    }
    if not _later(prefer):
        return answered(response, await who.memory.mine(body.messages, **told, automatic=body.automatic))
    if body.automatic:
        raise InvalidInput("automatic", "only applies to a conversation that is mined immediately")
    response.status_code = 202
    return accepted(response, await who.memory.operations.mine(body.messages, **told, agent=who.agent))


@router.post("/recall", **access("palace", reads=True))
async def recall(body: Question, who: Who) -> RecallResult:
    """Find the turns that best answer a question, and return a context block for a system prompt."""
    asked = body.model_dump(exclude={"question"})
    return await who.memory.recall(body.question, **{**asked, "agent": who.agent or body.agent})


@router.get("/about", **access("palace"))
async def about(
    who: Who,
    name: Annotated[str | None, Query(description="Name or id of an entity. Without it, the user.")] = None,
    max_tokens: Annotated[int, Query(ge=1, le=1_000_000, description="Maximum tokens of the page.")] = 800,
) -> About:
    """Get what is known about the user or an entity: facts by topic, recent changes, contradictions and plans.
    Each includes the turns that state it. `text` contains the same as Markdown."""
    return await who.memory.about(name, agent=who.agent, max_tokens=max_tokens)


@router.post("/ask", responses=responses(402, 502), **access("palace", reads=True, pays=True))
async def ask(body: AskRequest, who: Who) -> Answer:
    """Answer a question with an LLM from recalled turns, and cite the turns."""
    narrowing = {**body.narrowing(), "agent": who.agent or body.agent}
    return await who.memory.ask(
        body.question, top_k=body.top_k, max_tokens=body.max_tokens, dry_run=body.dry_run, **narrowing
    )


@router.post("/search", **access("owner", reads=True))
async def search(body: NoteSearch, who: Who) -> list[Entry]:
    """Search stored notes and notes of the session, best match first."""
    return await who.memory.notes.search(**body.model_dump())


@router.get("/vectors")
async def show_vectors(who: Who) -> Vectors:
    """Show the embedding model of the user's vectors, and how many memories have a vector or not yet."""
    return await who.memory.vectors()


@router.get("/vectors/estimate")
async def estimate_reembedding(who: Who, model: str) -> Estimate:
    """Estimate the time and cost of switching the vectors to this embedding model."""
    return await who.memory.reembed_estimate(model)


@router.post("/vectors/reembed", status_code=202)
async def reembed(body: EmbeddingModelChoice, who: Who, response: Response) -> Operation:
    """Start switching the vectors to another embedding model. Recall keeps working; poll the operation for the
    result."""
    return accepted(response, await who.memory.operations.reembed(body.model))


def _later(prefer: str | None) -> bool:
    return any(each.strip().lower() == "respond-async" for each in (prefer or "").replace(";", ",").split(","))
