"""Runs that are driven step by step: between two steps nothing of a run is in memory, so that any process can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from ricordo import accounts, rules
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, run_not_found
from ricordo.ids import new_id
from ricordo.memories import default_profile
from ricordo.models import Run
from ricordo.review import screen_for
from ricordo.runs import store
from ricordo.runs.gate import KEY
from ricordo.runs.run import OpenRun


async def hold(tx: Transaction, user_id: UUID, id: UUID, node: str, payload: object) -> None:
    """Hold what a node's output asks to remember until the run ends. Raises NotFound, and InvalidInput where it has
    ended, and for what a policy on secrets or personal data refuses."""
    name = rules.name("node", node)
    # Whoever ends the run waits, and finds this output; several outputs may come at once.
    found = await _running(tx, id, " FOR SHARE")
    if isinstance(payload, Mapping) and KEY in payload:
        profile = await store.profile_of(tx, id)
        if profile is None:
            profile = (await default_profile(tx, await accounts.agent(tx, found.agent_id))).id
        screen = await screen_for(tx, profile)
        name, writes = screen.name("node", name), screen.value(KEY, payload[KEY])
        text = json.dumps({KEY: writes}, ensure_ascii=False)
        if rules.unstorable(text):
            text = json.dumps({KEY: writes})
        await store.add_output(tx, user_id, id, new_id(), name, text)


async def resume(tx: Transaction, id: UUID) -> OpenRun:
    """The run as it stands, to be ended in this transaction, with what its nodes asked to remember: nobody else ends it
    meanwhile. Raises as `hold`."""
    found = await _running(tx, id, " FOR NO KEY UPDATE")
    agent = await accounts.agent(tx, found.agent_id)
    profile = await store.profile_of(tx, id)
    run = OpenRun(found.id, agent, found.conversation_id, profile, found.prompt or "")
    for node, payload in await store.outputs(tx, id):
        run.output(node, json.loads(payload))
    return run


async def _running(tx: Transaction, id: UUID, lock: Literal[" FOR SHARE", " FOR NO KEY UPDATE"]) -> Run:
    found = await store.find(tx, id, lock)
    if found is None:
        raise run_not_found(id)
    if found.status != "running":
        raise InvalidInput("run", f"run {id} has ended ({found.status})")
    return found
