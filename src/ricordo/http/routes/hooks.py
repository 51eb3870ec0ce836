"""Answers to the hooks of coding assistants on other machines."""

from __future__ import annotations

from uuid import UUID

from pydantic import Field

from ricordo.assistants.hooks import Asked, opening, reminding
from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Many
from ricordo.models import Hit, SessionStart

router = guarded(prefix="/hooks", tags=["conversations and recall"])


class HookCall(Body):
    """The call of a coding assistant's hook."""

    agent: str = Field(
        default="claude-code", description="Agent whose journal and core are used. With an agent's key, its own agent."
    )
    session: str = Field(default="", description="Id of the session. Its own turns are left out.")
    project: str | None = Field(default=None, description="Project of the session, as in a recall.")
    prompt: str = Field(default="", max_length=10_000)
    source: str = Field(default="", description="How the session begins, such as `startup` or `resume`.")
    seen: Many[UUID] = Field(
        default=[], max_length=5_000, description="Ids of memories that the session has already seen."
    )

    def asked(self) -> Asked:
        """What is asked of the memory."""
        return Asked(self.session, self.project, self.prompt, self.source, frozenset(self.seen))


@router.post("/session-start", **access("palace", reads=True))
async def start_session(body: HookCall, who: Who) -> SessionStart:
    """Get the context for the beginning of a session. It contains what is known about the user, the agent's core and
    journal, and the end of the project's last conversation."""
    return await opening(body.asked(), who.memory, who.agent or body.agent)


@router.post("/prompt", **access("palace", reads=True))
async def remind_of(body: HookCall, who: Who) -> list[Hit]:
    """Get the turns that are relevant to a prompt. This is stricter than a recall, and the list is often empty."""
    return await reminding(body.asked(), who.memory, who.agent or body.agent)
