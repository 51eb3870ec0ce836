"""Any interleaving of what several users' agents do agrees with a small model (tests/support/agent_model.py).

Two users with two agents each share one store. Each step does one thing to the store and to the model; answers, order
and errors must be the same, and after each step raw SQL counts what may be there and what may not.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, run_state_machine_as_test

from agent_machine import (
    DEFAULTS,
    Machine,
    actor_of,
    actors,
    agents,
    confidences,
    forms,
    pick,
    profile_fields,
    scopes,
    step,
    talks,
    told,
    which,
    whose,
    writes,
)  # fmt: skip
from agent_model import Remembered, newest
from agent_runs_and_notes import RunsAndNotes
from ricordo.errors import InvalidInput, NotFound
from stores import settings_for

EXAMPLES, STEPS = int(os.environ.get("RICORDO_TEST_HISTORIES", "16")), 60
LEAST = 33 * EXAMPLES


class Agents(RunsAndNotes):
    """Agents, their profiles and entries, journal and core, and what is done with a memory of any kind."""

    # -- agents and profiles -------------------------------------------------------------------------------------

    @step(user=whose, giver=agents, taker=agents, open=st.booleans())
    def grant_or_revoke(self, user: int, giver: str, taker: str, open: bool) -> None:
        model, resource = self.models[user], self.opened[user].agents
        was = (giver, taker) in model.grants
        if open and giver == taker:
            with pytest.raises(InvalidInput, match="the same agent"):
                resource.grant(giver, taker)
            return
        assert (resource.grant if open else resource.revoke)(giver, taker) == (was != open)
        (model.grants.add if open else model.grants.discard)((giver, taker))

    @step(user=whose, agent=agents, disabled=st.booleans())
    def switch_memory(self, user: int, agent: str, disabled: bool) -> None:
        self.opened[user].agents.change(agent, memory_disabled=disabled)
        (self.models[user].disabled.add if disabled else self.models[user].disabled.discard)(agent)

    # Few profiles, so that what is done meets in them.
    @precondition(lambda self: sum(len(model.profiles) for model in self.models) < 8)
    @step(user=whose, agent=agents, fields=profile_fields, seeds=st.lists(st.tuples(forms, confidences), max_size=3))
    def create_profile(self, user: int, agent: str, fields: dict[str, Any], seeds: list[tuple[str, float]]) -> None:
        self.new_profile(user, agent, fields, [] if fields.get("scope") == "conversation" else seeds)

    @step(user=whose, number=which, fields=profile_fields)
    def change_profile(self, user: int, number: int, fields: dict[str, Any]) -> None:
        model = self.models[user]
        profile = pick(list(model.profiles.values()), number)
        assert profile is not None
        self.opened[user].profiles.change(profile.id, **fields)
        model.changed(profile, fields)
        found = self.opened[user].profiles.get(profile.id).model_dump()
        assert {name: found[name] for name in DEFAULTS} == profile.fields

    @precondition(lambda self: sum(len(model.profiles) for model in self.models) > 6)
    @step(user=whose, number=which)
    def delete_profile(self, user: int, number: int) -> None:
        model = self.models[user]
        profile = pick(list(model.profiles.values()), number)
        assert profile is not None
        if profile.fields["is_default"]:
            with pytest.raises(InvalidInput):
                self.opened[user].profiles.delete(profile.id)
            return
        self.opened[user].profiles.delete(profile.id)
        going = newest(each for each in model.of("entry") if each.profile == profile.id)[::-1]
        for each in going:
            model.forget(each)
        if going:
            model.logged("forget", "user", None, [each.id for each in going])
        del model.profiles[profile.id]

    # -- entries -------------------------------------------------------------------------------------------------

    @step(
        user=whose,
        number=which,
        actor=actors,
        wanted=st.lists(writes, min_size=1, max_size=3),
        talk=talks,
        expires=st.booleans(),
    )
    def write_entries(
        self, user: int, number: int, actor: str | None, wanted: list[dict[str, Any]], talk: str, expires: bool
    ) -> None:
        for each in wanted:
            self.write_entry(user, number, actor, each, talk, expires)

    def write_entry(
        self, user: int, number: int, actor: str | None, wanted: dict[str, Any], talk: str, expires: bool
    ) -> None:
        model, resource = self.models[user], self.opened[user].entries
        profile = pick(list(model.profiles.values()), number)
        assert profile is not None
        fields = self.entry_fields(profile, wanted, talk)
        given = {name: value for name, value in wanted.items() if name != "form"}
        content, moment = self.text(wanted["form"]), datetime.now(UTC) + timedelta(hours=1) if expires else None
        arguments = {**given, "conversation": fields["talk"], "expires_at": moment, "agent": actor}
        if not model.open_to(actor, profile):
            with pytest.raises(NotFound):
                resource.write(profile.id, content, **arguments)
            return
        id = resource.write(profile.id, content, **arguments).id
        self.remember(user, id, "entry", content, actor_of(actor), None, expires=moment, **fields)

    @step(user=whose, number=which, reader=actors, scope=st.none() | scopes, talk=st.none() | talks,
          limit=st.sampled_from([1, 2, 50]))  # fmt: skip
    def read_entries(
        self, user: int, number: int, reader: str | None, scope: str | None, talk: str | None, limit: int
    ) -> None:
        model, resource = self.models[user], self.opened[user].entries
        profile = pick(list(model.profiles.values()), number)
        assert profile is not None
        arguments = {"scope": scope, "conversation": talk, "limit": limit, "agent": reader}
        open_to_reader = model.open_to(reader, profile)
        if not open_to_reader and (profile.agent, reader) not in model.grants:
            with pytest.raises(NotFound):
                resource.read(profile.id, **arguments)
            return
        live = model.live_entries(profile.id)
        seen = live if open_to_reader else [each for each in live if each.scope == "global"]
        wanted = [each for each in seen if scope in (None, each.scope) and talk in (None, each.talk)][:limit]
        found = resource.read(profile.id, **arguments)
        assert told(found) == told(wanted)
        assert [each.confidence for each in found] == [each.confidence for each in wanted]
        model.logged("read", actor_of(reader), None, [each.id for each in wanted])
        summary = resource.summarize(profile.id)
        assert (summary["count"], set(summary["scopes"])) == (len(live), {each.scope for each in live})
        assert summary["last_written_at"] == max((each.created for each in live), default=None)

    @precondition(lambda self: any(model.of("entry", "note") for model in self.models))
    @step(user=whose, number=which)
    def expire(self, user: int, number: int) -> None:
        """The moment of a memory passes."""
        model = self.models[user]
        passing = [each for each in model.of("entry", "note") if each.retention in (None, "medium_term")]
        memory = pick([each for each in passing if model.live(each)], number)
        if memory is not None:
            memory.expires = datetime.now(UTC) - timedelta(seconds=1)
            self.sql("UPDATE memories SET expires_at = %s WHERE id = %s", memory.expires, memory.id)

    @step(user=whose, number=which)
    def age(self, user: int, number: int) -> None:
        """Eight days pass for a memory: beyond a journal's week and a profile's retention."""
        model = self.models[user]
        memory = pick([each for each in model.of("entry", "journal", "core") if model.live(each)], number)
        if memory is not None:
            memory.created -= timedelta(days=8)
            self.sql("UPDATE memories SET created_at = %s WHERE id = %s", memory.created, memory.id)

    # -- memories of every kind ----------------------------------------------------------------------------------

    def any_stored(self, user: int, number: int) -> Remembered | None:
        return pick([each for each in self.models[user].memories.values() if each.stored], number)

    @step(user=whose, number=which, forget=st.booleans(), actor=actors)
    def redact_or_forget(self, user: int, number: int, forget: bool, actor: str | None) -> None:
        model, resource, memory = self.models[user], self.opened[user].entries, self.any_stored(user, number)
        if memory is None:
            return
        act = resource.forget if forget else resource.redact
        if not model.shows(actor, memory):
            with pytest.raises(NotFound):
                act(memory.id, "asked to", agent=actor)
            return
        receipt = act(memory.id, "asked to", agent=actor)
        assert receipt.done == (forget or not memory.redacted)
        if receipt.done:
            model.logged(receipt.action, actor_of(actor), None, [memory.id])
            (model.forget if forget else model.redact)(memory)

    @step(user=whose, number=which, form=forms, actor=actors)
    def edit(self, user: int, number: int, form: str, actor: str | None) -> None:
        model, memory, content = self.models[user], self.any_stored(user, number), self.text(form)
        if memory is None:
            return
        if memory.redacted or not model.shows(actor, memory):
            with pytest.raises(InvalidInput if model.shows(actor, memory) else NotFound):
                self.opened[user].entries.edit(memory.id, content, agent=actor)
            return
        assert self.opened[user].entries.edit(memory.id, content, agent=actor).content == content
        memory.said(content, self.clock())
        model.logged("edit", actor_of(actor), None, [memory.id])

    @step(user=whose, number=which, version=which, reader=actors)
    def look_back(self, user: int, number: int, version: int, reader: str | None) -> None:
        resource, memory = self.opened[user].entries, self.any_stored(user, number)
        if memory is None:
            return
        model = self.models[user]
        if not model.shows(reader, memory):
            for closed in (
                resource.get,
                resource.history,
                lambda id, agent: resource.as_of(id, datetime.now(UTC), agent=agent),
            ):
                with pytest.raises(NotFound):
                    closed(memory.id, agent=reader)
            return
        got = resource.get(memory.id, agent=reader)
        assert (got.content, got.is_redacted, got.kind) == (memory.content, memory.redacted, memory.kind)
        assert [each.content for each in resource.history(memory.id, agent=reader)] == memory.texts
        said = version % len(memory.moments)
        assert resource.as_of(memory.id, memory.moments[said], agent=reader).content == memory.texts[said]
        with pytest.raises(NotFound):
            resource.as_of(memory.id, memory.created - timedelta(days=30), agent=reader)
        for _ in ("get", "history", "as_of"):
            model.logged("read", actor_of(reader), None, [memory.id])
        wanted = [each[:3] for each in model.log if memory.id in each[3]]
        assert [
            (each.action, each.actor, each.run_id) for each in self.opened[user].audit.of_memory(memory.id)
        ] == wanted

    @step(user=whose, number=which, agent=agents)
    def reach_for_what_is_not_there(self, user: int, number: int, agent: str) -> None:
        """Another user's memories, profiles and runs, and what is forgotten, do not exist."""
        other, memory = self.models[1 - user], self.opened[user]
        entries, strange = memory.entries, [*other.memories, *other.gone]
        id = pick([*strange, *self.models[user].gone], number)
        calls: list[Callable[[], object]] = []
        if id is not None and id not in self.models[user].memories:
            calls += [
                lambda: entries.get(id), lambda: entries.edit(id, "x"), lambda: entries.history(id),
                lambda: entries.redact(id), lambda: entries.forget(id), lambda: memory.notes.get(id),
                lambda: entries.as_of(id, datetime.now(UTC)), lambda: memory.notes.update(id, content="x"),
                lambda: memory.notes.delete(id),
            ]  # fmt: skip
        profile, run = pick(list(other.profiles), number), pick(list(other.runs), number)
        assert profile is not None
        calls += [
            lambda: entries.read(profile), lambda: entries.write(profile, "x"), lambda: entries.summarize(profile),
            lambda: memory.profiles.change(profile, max_entries=1), lambda: memory.profiles.delete(profile),
            lambda: memory.run(agent, "x", profile=profile).__enter__(),
        ]  # fmt: skip
        calls += [lambda: memory.runs.get(run)] if run else []
        for call in calls:
            with pytest.raises(NotFound):
                call()
        if id in strange:
            with pytest.raises(NotFound):
                memory.audit.of_memory(id)

    # -- journal and core ----------------------------------------------------------------------------------------

    @step(user=whose, agent=agents, kind=st.sampled_from(["journal", "core"]), form=forms)
    def save(self, user: int, agent: str, kind: str, form: str) -> None:
        content = self.text(form)
        saved = getattr(self.opened[user], kind).save(agent, content)
        self.remember(user, saved.id, kind, content, actor_of(agent), None, agent=agent)

    @step(user=whose, agent=agents)
    def private_memory(self, user: int, agent: str) -> None:
        model, resource = self.models[user], self.opened[user].journal
        text, read = model.context(agent)
        assert resource.context(agent) == text
        model.logged("read", actor_of(agent), None, [each.id for each in read])
        journal = [each for each in newest(model.of("journal")) if each.agent == agent and not each.redacted]
        assert told(resource.list(agent, 2)) == told(journal[:2])
        model.logged("read", "user", None, [each.id for each in journal[:2]])


@pytest.mark.slow
def test_any_interleaving_agrees_with_the_model(server_home: Path) -> None:
    Machine.store, Machine.done = settings_for(server_home), {}
    run_state_machine_as_test(
        Agents,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert sum(Machine.done.values()) >= LEAST, Machine.done
