"""What a conversation begins with: what the agent keeps in mind, what the project decided, and what was said last, or
about the matter at hand."""

from __future__ import annotations

from collections.abc import Container
from uuid import UUID

from ricordo.client import AsyncMemory, in_project, serving, showing
from ricordo.errors import NotFound
from ricordo.formats.repository import is_read_by_assistants
from ricordo.mcp import rendering
from ricordo.mcp.caller import Caller, speaker
from ricordo.models import Drawer, Room
from ricordo.recall import deciding, quoted, render
from ricordo.text import tokens_in

#: The shares of the budget that About, journal and core, and the project's decisions may take.
_ABOUT, _OWN, _DECIDED = 0.3, 0.4, 0.4
#: The most tokens of what is quoted of a decision.
_QUOTED = 100
_DECIDED_HEADING = "Decisions in this project (clearest first):\n"
_ALSO_HEADING = "Decisions in this project (clearest first), then remarks that may be decisions:\n"
#: Rooms that are looked into for what was said last.
_ROOMS = 3


async def opening_context(
    caller: Caller, *, topic: str | None = None, project: str | None = None, max_tokens: int = 2_000
) -> str:
    """What is known about the user, the core and journal of the calling agent, the decisions of its project, and turns.
    The turns are the results of a recall of `topic`, which has the decisions that matter to it. Without a topic, they
    are the last ones of `project`, or else of the caller's project. With a topic or `project`, no decisions are listed.
    Empty if there is nothing, or if memory is off for the user or the agent. Raises RicordoError."""
    memory = await caller.memory()
    agent = await speaker(memory, caller)
    chosen = await memory.settings.get()
    if not chosen.enabled or (agent and agent.memory_disabled):
        return ""
    who = agent.id if agent else None
    is_open = caller.palace and (caller.project is None or chosen.across_projects != "nothing")
    parts = [await about_user(memory, who, int(max_tokens * _ABOUT))] if is_open else []
    own = await memory.journal.context(who, max_tokens=int(max_tokens * _OWN)) if who else None
    parts += [own] if own else []
    told: list[UUID] = []
    if caller.palace and caller.project and not (topic or project):
        decided, told = await decisions_of(memory, caller.project, who, int(max_tokens * _DECIDED))
        parts.append(decided)
    left = max_tokens - sum(map(tokens_in, parts))
    async with showing(memory) as shown:
        if caller.palace and topic:
            found = await memory.recall(topic, wing=project, project=caller.project, max_tokens=left, agent=who)
            parts.append(found.context)
            shown.update(rendering.first_ids(found.results, found.context))
        elif caller.palace and (last := await _last(memory, caller.project, project, who)):
            last = [each for each in last if each.id not in told]
            text, ids = rendering.drawers(last, left, await serving(memory).zone())
            parts.append(text)
            shown.update(ids)
    return "\n\n".join(each for each in parts if each)


async def about(caller: Caller, name: str | None, max_tokens: int) -> str:
    """The About page of a name, or of the user, for a caller that may see the palace. Raises RicordoError."""
    if not caller.palace:
        raise NotFound("this key has no access to the palace")
    memory = await caller.memory()
    agent = await speaker(memory, caller)
    if caller.project is not None and (across := (await memory.settings.get()).across_projects) != "everything":
        if name:  # the profile page is built from all conversations
            found = await in_project(memory, caller.project).entity(name, None)
            return rendering.entity(*found, await serving(memory).zone(), max_tokens)
        if across == "nothing":
            raise NotFound(
                "what is known about the user is not available in this project: across_projects is 'nothing'"
            )
    return (await memory.about(name, agent=agent.id if agent else None, max_tokens=max_tokens)).text


async def about_user(memory: AsyncMemory, agent: UUID | None, max_tokens: int) -> str:
    """The About page of the user, for the beginning of a prompt; empty where no fact is known. Raises RicordoError."""
    page = await memory.about(agent=agent, max_tokens=max_tokens)
    return page.text if page.facts or page.changes or page.contradictions or page.plans else ""


async def decisions_of(
    memory: AsyncMemory, project: str, agent: UUID | None, max_tokens: int, seen: Container[UUID] = ()
) -> tuple[str, list[UUID]]:
    """A project's decisions that still stand and are not `seen`, the clearest first, as many as fit, and the ids of
    their turns; of a long turn the sentences that decide. If there is room, turns follow that may decide something.
    Documents that assistants read by themselves are left out. Empty if there is none. Raises RicordoError."""
    async with showing(memory) as shown:
        decided = await in_project(memory, project).decisions(agent)
        found = [each for each in decided if each.id not in seen and not is_read_by_assistants(each.conversation)]
        zone = await serving(memory).zone()
        room = max_tokens - tokens_in(_ALSO_HEADING)
        block, _ = render(found, room, zone, lambda _, text: deciding(text, _QUOTED))
        told = quoted(found, block)
        ids = [each.id for each in told]
        shown.update(ids)
    heading = _DECIDED_HEADING if all(each.decision for each in told) else _ALSO_HEADING
    return (heading + block, ids) if block else ("", [])


async def last_rooms(memory: AsyncMemory, within: str | None, wing: str | None) -> list[Room]:
    """The rooms visible to a project, or those of one wing, latest first by their beginning. Raises InvalidInput if the
    wing is not visible."""
    try:
        wings = await in_project(memory, within).tree(wing)
    except NotFound:  # nothing was said in this project yet
        return []
    return sorted((room for wing in wings for room in wing.rooms), key=lambda each: each.started_at, reverse=True)


async def _last(memory: AsyncMemory, within: str | None, wing: str | None, agent: UUID | None) -> list[Drawer]:
    """The turns of the latest rooms, newest first: of a wing, else of the project, else of all."""
    rooms = await last_rooms(memory, within, wing or within)
    shown = [await memory.palace.show(room.pointer, agent=agent) for room in rooms[:_ROOMS]]
    return [drawer for room in shown for drawer in reversed(room)]
