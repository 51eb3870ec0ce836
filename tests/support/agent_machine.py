"""What the steps of the agents' property test share: two users on one store, their models, and what always holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from itertools import count, zip_longest
from typing import Any, ClassVar, TypeVar
from uuid import UUID

import psycopg
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from agent_model import Model, Profiled, Remembered, Run
from ricordo.blocking import Memory
from ricordo.runs import OpenRun
from ricordo.settings import Settings
from stores import connect

AGENTS = ("coder", "critic")
DEFAULTS = {
    "scope": "project", "retention_seconds": None, "max_entries": None, "isolation": "private",
    "injection_strategy": "top_confidence", "injection_limit": 5, "injection_scopes": ("project",), "is_default": False,
}  # fmt: skip

#: No text of a number is part of another's.
TEXTS = ("tea {:05}", "Grüße an\nBo, {:05}", "# tea  tea\n\tjasmine {:05}")
SCOPES = ("project", "conversation", "global")
which = st.integers(0, 9_999)
#: The user and the agent of a step.
whose, agents = st.integers(0, 1), st.sampled_from(AGENTS)
actors = st.none() | agents
scopes, talks = st.sampled_from(SCOPES), st.sampled_from(["talk-1", "talk-2"])
confidences = st.sampled_from([0.0, 0.25, 0.5, 0.9, 1.0])
forms = st.sampled_from(TEXTS)
retentions = st.sampled_from(["short_term", "medium_term", "long_term"])
profile_fields = st.fixed_dictionaries(
    {},
    optional={
        "scope": scopes,
        "retention_seconds": st.sampled_from([None, 3600]),
        "max_entries": st.sampled_from([None, 1, 3]),
        "isolation": st.sampled_from(["private", "shared"]),
        "injection_strategy": st.sampled_from(["top_confidence", "recent"]),
        "injection_limit": st.sampled_from([0, 1, 3, 5]),
        "injection_scopes": st.sets(scopes).map(sorted).map(tuple),
        "is_default": st.just(True),
    },
)
writes = st.fixed_dictionaries({"form": forms}, optional={"scope": scopes, "confidence": confidences})

Step = TypeVar("Step", bound=Callable[..., None])
Thing = TypeVar("Thing")


def step(**drawn: Any) -> Callable[[Step], Any]:
    """A rule that counts how often it was carried out."""

    def decorated(method: Step) -> Any:
        @wraps(method)
        def counted(self: Machine, **given: Any) -> None:
            Machine.done[method.__name__] = Machine.done.get(method.__name__, 0) + 1
            method(self, **given)

        return rule(**drawn)(counted)

    return decorated


def pick(things: Sequence[Thing], number: int) -> Thing | None:
    return things[number % len(things)] if things else None


def told(found: Sequence[Any]) -> list[tuple[UUID, str]]:
    return [(each.id, each.content) for each in found]


class Machine(RuleBasedStateMachine):
    """Two users with two agents each on one store, and what the model says of each."""

    store: ClassVar[Settings]
    done: ClassVar[dict[str, int]] = {}
    examples: ClassVar[count[int]] = count()

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        number = next(self.examples)
        self.owner: psycopg.Connection = self.stack.enter_context(connect(self.store))
        self.opened = [
            self.stack.enter_context(
                Memory(settings=replace(self.store, user=f"{name}{number}"), background=False)
            )
            for name in ("ada", "bob")
        ]  # fmt: skip
        self.models = [Model(), Model()]
        self.running: list[tuple[int, AbstractContextManager[OpenRun], OpenRun, Run]] = []
        self.numbers = count()

    # -- what the steps share ------------------------------------------------------------------------------------

    def sql(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        cursor = self.owner.execute(query, values)
        return cursor.fetchall() if cursor.description else []

    def user_id(self, user: int) -> UUID:
        return self.opened[user]._inner.user_id

    def clock(self) -> datetime:
        moment: datetime = self.sql("SELECT clock_timestamp()")[0][0]
        return moment

    def text(self, form: str) -> str:
        return form.format(next(self.numbers))

    def remember(self, user: int, id: UUID, kind: str, content: str, actor: str, run: UUID | None, **more: Any) -> None:
        """Put a memory that was just written into the model, dated as the store dates it."""
        [(created,)] = self.sql("SELECT created_at FROM memories WHERE id = %s", id)
        memory = Remembered(id, kind, content, created.astimezone(UTC), moments=[self.clock()], **more)
        self.models[user].written(memory, actor, run)

    def entry_fields(self, profile: Profiled, wanted: dict[str, Any], talk: str | None) -> dict[str, Any]:
        scope = wanted.get("scope") or profile.fields["scope"]
        return {
            "agent": profile.agent, "profile": profile.id, "scope": scope,
            "confidence": wanted.get("confidence", 0.5), "talk": talk if scope == "conversation" else None,
        }  # fmt: skip

    @initialize()
    def begin(self) -> None:
        for memory, model in zip(self.opened, self.models, strict=True):
            for name in AGENTS:
                model.agents[name] = memory.agents.create(name).id
                [made] = memory.profiles.list(name)
                model.profiles[made.id] = Profiled(made.id, name, {**DEFAULTS, "is_default": True})
                # Whoever has a grant is told something from the beginning on.
                open_wide = {"scope": "global", "injection_scopes": SCOPES}
                memory.profiles.change(made.id, **open_wide)
                model.profiles[made.id].fields |= open_wide
        crowded = {"max_entries": 3, "retention_seconds": 3600, "isolation": "shared", "injection_scopes": SCOPES}
        for user in (0, 1):
            self.new_profile(user, "coder", crowded, [(TEXTS[0], 0.25), (TEXTS[1], 0.5), (TEXTS[2], 0.9)])

    def new_profile(self, user: int, agent: str, fields: dict[str, Any], seeds: list[tuple[str, float]]) -> None:
        model, name = self.models[user], self.text("profile {}")
        given = [{"content": self.text(form), "confidence": sure} for form, sure in seeds]
        made = self.opened[user].profiles.create(agent, name, **fields, seed_entries=given)
        profile = Profiled(made.id, agent, {**DEFAULTS, **fields, "is_default": False})
        if fields.get("is_default"):
            model.make_default(profile)
        model.profiles[made.id] = profile
        ids = dict(self.sql("SELECT content, id FROM memories WHERE profile_id = %s", made.id))
        for seed in given:
            self.remember(
                user, ids[seed["content"]], "entry", seed["content"], "user", None,
                **self.entry_fields(profile, seed, None),
            )  # fmt: skip

    # -- what holds after each step ------------------------------------------------------------------------------

    @invariant()
    def holds_in_sql(self) -> None:
        users = [self.user_id(0), self.user_id(1)]
        wrong = self.sql(
            """
            WITH mine AS (SELECT * FROM memories WHERE user_id = ANY(%s)), derived AS (
                SELECT user_id, room, drawer FROM postings UNION ALL SELECT user_id, room, drawer FROM unembedded
                UNION ALL SELECT user_id, room, drawer FROM embeddings
                UNION ALL SELECT user_id, room, drawer FROM unindexed
            )
            SELECT 'default profiles', a.id FROM agents a JOIN profiles p ON p.agent_id = a.id AND p.is_default
            WHERE a.user_id = ANY(%s) GROUP BY a.id HAVING count(*) <> 1
            UNION ALL SELECT 'no default profile', a.id FROM agents a WHERE a.user_id = ANY(%s) AND NOT EXISTS (
                SELECT FROM profiles p WHERE p.agent_id = a.id AND p.is_default)
            UNION ALL SELECT 'not indexed', id FROM mine m WHERE NOT is_redacted AND NOT (
                EXISTS (SELECT FROM postings d WHERE (d.user_id, d.room, d.drawer) = (m.user_id, m.room, m.drawer))
                AND EXISTS (
                    SELECT FROM unembedded d WHERE (d.user_id, d.room, d.drawer) = (m.user_id, m.room, m.drawer)))
            UNION ALL SELECT 'derived from nothing', m.id FROM derived d LEFT JOIN mine m USING (user_id, room, drawer)
            WHERE d.user_id = ANY(%s) AND coalesce(m.is_redacted, true)
            UNION ALL SELECT 'history of nothing', h.memory_id FROM memory_history h
            LEFT JOIN mine m ON m.id = h.memory_id WHERE h.user_id = ANY(%s) AND coalesce(m.is_redacted, true)
            """,
            *[users] * 5,
        )
        assert wrong == []
        for user, model in zip(users, self.models, strict=True):
            stored = {row[0] for row in self.sql("SELECT id FROM memories WHERE user_id = %s", user)}
            assert stored == {each.id for each in model.memories.values() if each.stored}

    def check_record(self, user: int, model: Model) -> None:
        """What runs saw, and the log of everything, as the model has them; and the log's seals."""
        audit = self.opened[user].audit
        for run in model.runs.values():
            assert self.opened[user].runs.get(run.id).prompt == run.prompt
            wanted = [(each[0], each[3]) for each in model.log if each[2] == run.id]
            assert [(each.action, ids_of(each.action, each.memory_ids)) for each in audit.of_run(run.id)] == wanted
        rows = self.sql(
            "SELECT action, actor, run_id, memory_ids FROM access_log WHERE user_id = %s ORDER BY accessed_at, id",
            self.user_id(user),
        )
        stored = [(action, actor, run, ids_of(action, ids)) for action, actor, run, ids in rows]
        for number, (told, wanted) in enumerate(zip_longest(stored, model.log)):
            assert told == wanted, f"line {number} of the log is {told}, not {wanted}"
        audit.seal()
        chain = audit.verify()
        assert (chain.intact, chain.accesses, chain.unsealed) == (True, len(model.log), 0)


def ids_of(action: str, ids: Sequence[UUID]) -> tuple[UUID, ...]:
    """Those that expire together do so in no order."""
    return tuple(sorted(ids)) if action == "expire" else tuple(ids)


def actor_of(agent: str | None) -> str:
    return f"agent:{agent}" if agent else "user"
