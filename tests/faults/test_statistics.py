"""Whatever PostgreSQL knows of its tables, no operation reads many times more rows than it has to.

Plans hang on statistics: a store has none until its tables are analyzed, and old ones after a large import. One store
is put into each state, and the rows that every statement handled are counted (see plans.py). `script/distributed` does
so with the statements and policies that a worker of a Citus cluster sees, which tell the planner whose rows are read.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

import citus_like
from homes import temporary_home
from plans import plans_of
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect, settings_for

STATES = ("stale", "never analyzed", "fresh")
#: Times as many rows as in the best state that an operation may handle, and rows by which it may always differ.
_FACTOR, _SLACK = 3, 2_000
#: Operations that read whole tables, so that statistics have nothing to choose. Others look rows up: where statistics
#: know of a few rows only, they may read tables through instead, a few times at most.
_WHOLE = {
    "verify --store", "verify", "verify --absent", "seal", "save", "estimate of extraction", "palace tree", "memories",
    "delete a user", "vectors",
}  # fmt: skip
#: Turns of each conversation, and conversations of a large user and of each one that is deleted.
_TURNS, _LARGE, _SMALL = 100, 20, 5
_WORDS = """
    barn canoe kiln ladder harbor quince orchard copper hinge valve lantern rope anchor kettle window carpet garden pump
    hedge tractor fence gravel bucket saw hammer nail paint brush roof tile gutter chimney windmill axle linen
""".split()  # noqa: SIM905
_PLACES = ("Hamburg", "Lisbon", "Kiel", "Bremen", "Oslo", "Turin")
_NAMES = ("Mara", "Jonas", "Tilda", "Priya", "Moses", "Ines", "Derek", "Nadia")
#: A language model that the estimate of its costs is for; nothing is asked of it.
_READER = {"llm_url": "http://127.0.0.1:9/v1", "llm_model": "small"}
_BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)


def _talk(seed: int) -> list[dict[str, object]]:
    """A conversation with names and places in it, and no turn twice."""
    chance = random.Random(seed)
    turns: list[dict[str, object]] = []
    for number in range(_TURNS):
        words = " ".join(chance.choices(_WORDS, k=40))
        name, place = chance.choice(_NAMES), chance.choice(_PLACES)
        turns.append(
            {
                "role": "assistant" if number % 2 else "user",
                "content": f"Talk {seed}, turn {number}: my friend {name} lives in {place}. {words}",
                "at": (_BEGINNING + timedelta(days=seed % 500, minutes=number)).isoformat(),
            }
        )
    return turns


def _fill(memory: Memory, conversations: int, seed: int) -> None:
    for number in range(conversations):
        assert memory.mine(_talk(seed + number), conversation=f"c{seed + number}").stored == _TURNS
    memory.jobs.finish()
    for place in _PLACES:
        memory.entities.add_relation("Mara", "lives in", place)
    agent = memory.agents.create("coder")
    [profile] = memory.profiles.list(agent.id)
    for number in range(50):
        memory.entries.write(profile.id, f"Rule {number}: {' '.join(random.Random(number).choices(_WORDS, k=12))}")
        memory.journal.save(agent.id, f"Day {number}: {' '.join(random.Random(-number).choices(_WORDS, k=12))}")
    for place in _PLACES:
        memory.recall(f"Who lives in {place}?")
    memory.audit.seal()


def _give_vectors(owner: psycopg.Connection) -> None:
    """A vector for each drawer and room, as an embedding model of four dimensions would have made them."""
    owner.execute(
        """
        INSERT INTO models (name, dimension) VALUES ('small', 4);
        INSERT INTO user_models (user_id, model) SELECT user_id, (SELECT max(model) FROM models) FROM users
        ON CONFLICT DO NOTHING;
        INSERT INTO embeddings (user_id, model, room, drawer, vector)
        SELECT user_id, model, room, drawer, ARRAY[drawer % 7 + 1, drawer % 5 + 1, room % 3 + 1, 1]::real[]::halfvec
        FROM unembedded JOIN user_models USING (user_id);
        INSERT INTO embeddings (user_id, model, room, drawer, vector)
        SELECT user_id, model, room, 0, avg(vector) FROM embeddings JOIN memories USING (user_id, room, drawer)
        WHERE role = 'user' AND room > 0 GROUP BY user_id, model, room;
        DELETE FROM unembedded
        """
    )


def _tables(owner: psycopg.Connection) -> list[str]:
    rows = owner.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
    )
    return [name for (name,) in rows]


def _put_into(state: str, owner: psycopg.Connection) -> None:
    """Bring the statistics of a store, which have been made while it was nearly empty, into a state."""
    if state == "never analyzed":
        owner.execute(
            """
            DELETE FROM pg_statistic s USING pg_class c
            WHERE c.oid = s.starelid AND c.relnamespace = current_schema()::regnamespace;
            UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')
            """
        )
    elif state == "fresh":
        owner.execute("ANALYZE")


@pytest.fixture(scope="module")
def filled(request: pytest.FixtureRequest) -> Iterator[Settings]:
    """A store with two large users and one small one for each state, whose statistics were made before they came."""
    with temporary_home() as home:
        settings = settings_for(home, user="ada")
        with Memory(settings=settings, background=False) as memory:
            memory.mine(_talk(0)[:4], conversation="first")
            with connect(settings) as owner:
                for table in _tables(owner):
                    owner.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)".encode())
                owner.execute("ANALYZE")
            _fill(memory, _LARGE, 1_000)
            _fill(memory.of("bob"), _LARGE, 2_000)
            for number in range(len(STATES)):
                _fill(memory.of(f"guest {number}"), _SMALL, 3_000)
        with connect(settings) as owner:
            _give_vectors(owner)
        if request.config.getoption("--distributed"):
            citus_like.spread(settings)
        yield settings


def _estimate(settings: Settings) -> None:
    with Memory(settings=replace(settings, **_READER), background=False) as memory:  # type: ignore[arg-type]
        memory.usage.estimate_extraction()


def _operations(memory: Memory, turn: int) -> dict[str, Callable[[], object]]:
    """Every operation that may touch many rows; those that remove something do so to other rows each `turn`."""
    agent = memory.agents.get("coder")
    [pointer, *_] = [each.pointer for each in memory.recall("windmill").results]
    mara = memory.entities.get("Mara")
    ids = [each.id for each in memory.entries.page(limit=20).items]
    return {
        "verify --store": memory.audit.sound,
        "verify": memory.audit.verify,
        "verify --absent": lambda: memory.audit.absent("no such text"),
        "seal": memory.audit.seal,
        "palace tree": memory.palace.tree,
        "palace wings": memory.palace.wings,
        "palace histogram": lambda: memory.palace.histogram(),
        "palace speakers": memory.palace.speakers,
        "palace around": lambda: memory.palace.around(pointer),
        "entities": memory.entities.list,
        "relations": memory.entities.relations,
        "relations of one": lambda: memory.entities.relations(mara.id),
        "neighbors": lambda: memory.entities.neighbors(mara.id),
        "recall a name": lambda: memory.recall("Where does Priya live?"),
        "recall words": lambda: memory.recall("windmill axle linen chimney", top_k=20),
        "recall a day": lambda: memory.recall("What did I say about the canoe in March 2025?"),
        "search the journal": lambda: memory.journal.search(agent.id, "hammer"),
        "context": lambda: memory.journal.context(agent.id),
        "memories": lambda: memory.entries.page(),
        "activity": memory.activity.list,
        "estimate of extraction": lambda: _estimate(memory.process_settings),
        "vectors": memory.vectors,
        "history of access": lambda: memory.audit.of_memory(ids[0]),
        "save": lambda: memory.archive.save(io.BytesIO()),
        "redact": lambda: memory.entries.redact(ids[3 * turn], "a test"),
        "forget": lambda: memory.entries.forget(ids[3 * turn + 1], "a test"),
        "mine": lambda: memory.mine(_talk(5_000 + turn), conversation=f"late {turn}"),
        "jobs": memory.jobs.finish,
        "delete a user": lambda: memory.of(f"guest {turn}").delete_user(),
    }


def test_no_operation_reads_many_more_rows_in_one_state_than_in_another(
    filled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, dict[str, tuple[int, str]]] = {}
    with plans_of(filled, monkeypatch) as plans:
        for turn, state in enumerate(STATES):
            with connect(filled) as owner:
                _put_into(state, owner)
            # Connections that planned with other statistics are not used again.
            with Memory(settings=filled, background=False) as memory:
                for name, work in _operations(memory, turn).items():
                    plans.seen.clear()
                    work()
                    found.setdefault(name, {})[state] = plans.rows, plans.worst()
    with connect(filled) as owner:
        counts = [owner.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in _tables(owner)]
    stored = sum(count for row in counts if row for count in row)
    assert all(rows for states in found.values() for rows, _ in states.values()), "a plan was not reported"
    worse = [
        f"{name}, {state}: {rows:,} rows, and {best:,} in the best state, of which\n{worst}"
        for name, states in found.items()
        for best in [min(rows for rows, _ in states.values())]
        for state, (rows, worst) in states.items()
        if rows > _FACTOR * max(best, 0 if name in _WHOLE else stored) + _SLACK
    ]
    assert not worse, "\n\n".join(worse)


@pytest.mark.parametrize("user", ["ada", "bob"])
def test_a_store_that_waits_for_terms_is_examined_all_the_same(filled: Settings, user: str) -> None:
    """One memory that waits for its terms must not hide the wrong terms of another one."""
    with Memory(settings=replace(filled, user=user), background=False) as memory:
        assert not [each for each in memory.audit.sound().found if "terms" in each.rule]
        with connect(filled) as owner:
            owner.execute(
                "INSERT INTO unindexed (user_id, room, drawer) SELECT user_id, min(room), 1 FROM memories "
                "WHERE user_id = %s AND room > 0 GROUP BY user_id",
                [user_id_of(user)],
            )
            changed = owner.execute(
                "UPDATE postings SET term = term + 1 WHERE (user_id, term, room, drawer) = "
                "(SELECT user_id, term, room, drawer FROM postings "
                "WHERE user_id = %s AND room > 0 ORDER BY room DESC, drawer DESC, term LIMIT 1)",
                [user_id_of(user)],
            ).rowcount
            assert changed == 1
        broken = [each for each in memory.audit.sound().found if "search terms" in each.rule]
    assert [each.rows for each in broken] == [1]
