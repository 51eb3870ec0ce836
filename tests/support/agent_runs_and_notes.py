"""The steps of the agents' property test that are about runs and notes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition

from agent_machine import Machine, actor_of, agents, forms, pick, retentions, step, talks, told, which, whose, writes
from agent_model import Remembered, Run, block, most_important
from ricordo.errors import NotFound
from ricordo.runs import OpenRun


class RunsAndNotes(Machine):
    """Runs stay open while other steps go on; notes move between session and store."""

    # -- runs ----------------------------------------------------------------------------------------------------

    @step(user=whose, agent=agents, talk=st.none() | talks, named=st.booleans(), number=which)
    def begin_run(self, user: int, agent: str, talk: str | None, named: bool, number: int) -> None:
        model = self.models[user]
        profile = pick(list(model.profiles.values()), number) if named else model.default(agent)
        assert profile is not None
        opened = self.opened[user].run(agent, "Do it.", talk, profile=profile.id if named else None)
        if not model.open_to(agent, profile):
            with pytest.raises(NotFound):
                opened.__enter__()
            return
        run = opened.__enter__()
        expected = Run(run.id, agent, talk, profile.id if named else None, "Do it.")
        model.runs[run.id] = expected
        fields = profile.fields
        possible = {"project", "global"} & set(fields["injection_scopes"]) or (talk and fields["injection_scopes"])
        if agent not in model.disabled and fields["injection_limit"] and possible:
            expected.seen = model.injected(expected, profile)
            expected.prompt = block(expected.seen, "Do it.")
            expected.events += ["memory_injected"] if expected.seen else []
            model.logged("read", actor_of(agent), run.id, [each.id for each in expected.seen])
        assert told(run.injected) == told(expected.seen)
        assert run.prompt == expected.prompt
        self.running.append((user, opened, run, expected))

    @precondition(lambda self: self.running)
    @step(
        number=which, wanted=st.lists(writes, min_size=1, max_size=3), malformed=st.sampled_from([False] * 5 + [True])
    )
    def output(self, number: int, wanted: list[dict[str, Any]], malformed: bool) -> None:
        picked = pick(self.running, number)
        if picked is None:
            return
        _, _, run, expected = picked
        asked = [{**each, "content": self.text(each["form"])} for each in wanted]
        array: list[Any] = [{name: each[name] for name in each if name != "form"} for each in asked]
        run.output("node", {"__lf_memory_writes": [*array, *([{"confidence": 0.5}] if malformed else [])]})
        lost = [each for each in asked if each.get("scope") == "conversation" and expected.talk is None]
        expected.writes += [each for each in asked if each not in lost]
        expected.malformed |= malformed or bool(lost)
        assert bool(run.problems) == expected.malformed

    @precondition(lambda self: self.running)
    @step(number=which, end=st.sampled_from(["complete", "complete", "fail", "cancel", "raise", "interrupt"]))
    def end_run(self, number: int, end: str) -> None:
        picked = pick(self.running, number)
        if picked is None:
            return
        self.running.remove(picked)
        user, opened, run, expected = picked
        error: BaseException | None = {"raise": ValueError(), "interrupt": KeyboardInterrupt()}.get(end)
        if end == "fail":
            run.fail("no use")
        elif end == "cancel":
            run.cancel()
        opened.__exit__(None if error is None else type(error), error, None)
        ends = {"complete": "completed", "fail": "failed", "raise": "failed"}
        expected.status = ends.get(end, "cancelled")
        if end == "complete":
            self.committed(user, run, expected)
        else:
            expected.events.append(f"run_{expected.status}")
            expected.events += ["memory_dropped"] if expected.writes or expected.malformed else []
            assert run.written == ()
        assert self.opened[user].runs.get(run.id).status == expected.status
        assert [each.event for each in self.opened[user].runs.events(run.id)] == expected.events

    def committed(self, user: int, run: OpenRun, expected: Run) -> None:
        """What the end of a completed run wrote: all or nothing."""
        model = self.models[user]
        profile = model.profiles.get(expected.profile) if expected.profile else model.default(expected.agent)
        possible = not expected.malformed
        if expected.writes:
            possible = possible and profile is not None and model.open_to(expected.agent, profile)
            scopes = [each.get("scope") or profile.fields["scope"] for each in expected.writes] if profile else []
            possible = possible and (expected.talk is not None or "conversation" not in scopes)
        kept = expected.writes if possible else []
        assert len(run.written) == len(kept)
        assert bool(run.problems) != possible
        for id, each in zip(run.written, kept, strict=True):
            assert profile is not None
            fields = self.entry_fields(profile, each, expected.talk)
            self.remember(user, id, "entry", each["content"], actor_of(expected.agent), run.id, **fields)
        if expected.writes or expected.malformed:
            expected.events.append("memory_committed" if possible else "memory_dropped")

    # -- notes ---------------------------------------------------------------------------------------------------

    @step(user=whose, retention=retentions, importance=st.integers(1, 3), form=forms)
    def create_note(self, user: int, retention: str, importance: int, form: str) -> None:
        moment = datetime.now(UTC) + timedelta(hours=1) if retention == "medium_term" else None
        content = self.text(form)
        note = (
            self.opened[user]
            .notes.create(content, retention=retention, importance=importance, expires_at=moment)
            .memory
        )
        fields = {"retention": retention, "importance": importance, "expires": moment}
        if retention == "short_term":
            memory = Remembered(note.id, "note", content, note.created_at, moments=[self.clock()], **fields)
            self.models[user].memories[note.id] = memory
        else:
            self.remember(user, note.id, "note", content, "user", None, **fields)

    @precondition(lambda self: any(model.of("note") for model in self.models))
    @step(user=whose, number=which, retention=retentions, form=st.none() | forms)
    def update_note(self, user: int, number: int, retention: str, form: str | None) -> None:
        model, resource = self.models[user], self.opened[user].notes
        memory = pick(model.of("note"), number)
        if memory is None:
            return
        moment = datetime.now(UTC) + timedelta(hours=1) if retention == "medium_term" else None
        content = self.text(form) if form else memory.content
        if not model.live(memory):
            with pytest.raises(NotFound):
                resource.update(memory.id, content="x", retention=retention, expires_at=moment)
            return
        note = resource.update(memory.id, content=content if form else None, retention=retention, expires_at=moment)
        assert (note.content, note.retention, note.created_at) == (content, retention, memory.created)
        if (content, retention, moment) == (memory.content, memory.retention, memory.expires):
            return
        was, memory.retention, memory.expires = memory.stored, retention, moment
        memory.said(content, self.clock())
        if was or memory.stored:
            action = "edit" if was and memory.stored else "forget" if was else "write"
            model.logged(action, "user", None, [memory.id])

    @precondition(lambda self: any(model.of("note") for model in self.models))
    @step(user=whose, number=which, deletes=st.booleans())
    def get_or_delete_note(self, user: int, number: int, deletes: bool) -> None:
        model, resource = self.models[user], self.opened[user].notes
        memory = pick(model.of("note"), number)
        if memory is None:
            return
        if deletes:
            assert resource.delete(memory.id).done
            model.forget(memory)
        elif not model.live(memory):
            with pytest.raises(NotFound):
                resource.get(memory.id)
        else:
            assert told([resource.get(memory.id)]) == told([memory])
        if memory.stored:
            # A search for what is expired or redacted finds nothing, and that is logged as well.
            found = [memory.id] if deletes or model.live(memory) else []
            if found:
                model.logged("forget" if deletes else "read", "user", None, found)

    @step(user=whose, tiers=st.sets(retentions).map(sorted), least=st.none() | st.integers(1, 3),
          limit=st.sampled_from([2, 50]), expired=st.booleans())  # fmt: skip
    def list_notes(self, user: int, tiers: list[str], least: int | None, limit: int, expired: bool) -> None:
        model, resource = self.models[user], self.opened[user].notes
        wanted = most_important(
            each
            for each in model.of("note")
            if (not tiers or each.retention in tiers)
            and each.importance >= (least or 0)
            and (model.live(each) or (expired and not each.redacted))
        )
        found = resource.search(retentions=tiers, minimum_importance=least, limit=limit, include_expired=expired)
        assert told(found) == told(wanted[:limit])
        if not tiers or set(tiers) - {"short_term"}:
            model.logged("read", "user", None, [each.id for each in wanted[:limit] if each.stored])

    @precondition(lambda self: any(model.of("note") for model in self.models))
    @step(user=whose)
    def sweep_and_seal(self, user: int) -> None:
        model, now = self.models[user], datetime.now(UTC)
        past = [each for each in model.of("note") if each.retention == "medium_term" and each.expires and
                each.expires <= now]  # fmt: skip
        assert self.opened[user].notes.sweep() == len(past)
        for each in past:
            model.forget(each)
        if past:
            model.logged("expire", "job:sweep", None, sorted(each.id for each in past))

        self.opened[user].audit.seal()
        assert self.opened[user].audit.verify().intact

    def teardown(self) -> None:
        with self.stack:
            while self.running:
                self.end_run.__wrapped__(self, number=0, end="complete")
            for user, model in enumerate(self.models):
                self.check_record(user, model)
