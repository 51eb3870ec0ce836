"""What belongs to a user, for attacks: one of everything, every text of it marked, and fresh ones as calls use them up.

Each text holds two marks. The open one (`Quxp…`) may be passed by whoever attacks, as a name or as part of a question;
the secret one (`Quxs…`) never is: where it turns up in what another user gets, something leaked.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from gates import served
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.errors import NotFound
from ricordo.models import Change
from ricordo.settings import Settings
from stores import connect

MARK = re.compile(r"qux[ps][a-z]{5}", re.IGNORECASE)
SECRET_MARK = re.compile(r"quxs[a-z]{5}", re.IGNORECASE)
UUID_LIKE = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")

_numbers = count()


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + number // 26**place % 26) for place in range(5))


class Estate:
    """A user's belongings. `fresh(kind)` makes one more of a kind and returns how it is named in calls."""

    def __init__(self, memory: Memory, settings: Settings) -> None:
        self.memory = memory
        self.settings = settings
        self.user_id = user_id_of(memory.user)
        #: What was made, by kind, and the texts that it holds without their secret marks.
        self.made: dict[str, list[Any]] = {}
        self.questions: list[str] = []
        self._makers: dict[str, Callable[[], Any]] = {
            "agent": self._agent, "profile": self._profile, "memory": self._entry, "own": self._own,
            "note": lambda: self.memory.notes.create(self.text()).id, "run": self._run, "proposal": self._proposal,
            "accepted": self._accepted, "whiteboard": self._whiteboard, "board_and_agent": self._board_and_agent,
            "key": lambda: self.memory.keys.create(self.name("key")).key.id, "job": self._job,
            "drawer": self._drawer, "room": lambda: self._drawer().rpartition("/")[0],
            "wing": lambda: self._drawer().partition("/")[0], "merged_wing": self._merged_wing,
            "conversation": self._conversation, "entity": self._entity, "merged_entity": self._merged_entity,
            "fact": self._fact, "decided_fact": self._decided_fact,
            "collection": self._collection, "answer": self._answer, "price": self._price,
            "session": self._session, "held": self._held,
            "operation": self._operation, "exported": self._exported, "upload": self._upload,
        }  # fmt: skip

    def fresh(self, kind: str) -> Any:
        """One more of a kind."""
        made = self._makers[kind]()
        self.made.setdefault(kind, []).append(made)
        return made

    def one_of_each(self) -> None:
        """One more of every kind."""
        for kind in self._makers:
            self.fresh(kind)
        self.memory.settings.update(rerank_model=self.name("model"))

    def open_mark(self) -> str:
        return f"Quxp{_letters(next(_numbers))}"

    def text(self) -> str:
        """A text with both marks; its first half may be asked for."""
        asked = f"The code of the {self.open_mark()} fridge in Lisbon"
        self.questions.append(asked)
        return f"{asked} is Quxs{_letters(next(_numbers))}."

    def name(self, kind: str) -> str:
        return f"{kind}-{self.open_mark()}"

    def _agent(self) -> UUID:
        agent = self.memory.agents.create(self.name("agent"), system_prompt=self.text())
        self.made.setdefault("agent", []).append(agent.name)
        self.memory.core.save(agent.id, self.text())
        return agent.id

    def _profile(self) -> UUID:
        return self.memory.profiles.create(self._agent(), self.name("profile"), seed_entries=[self.text()]).id

    def _entry(self) -> UUID:
        entry = self.memory.entries.write(self._profile(), self.text(), metadata={"told": self.text()}).id
        self.memory.entries.edit(entry, self.text())
        return entry

    def _own(self) -> tuple[UUID, UUID]:
        """An agent with a journal entry of its own."""
        agent = self._agent()
        saved = self.memory.journal.save(agent, self.text()).memory
        self.made.setdefault("memory", []).append(saved.id)
        return agent, saved.id

    def _run(self) -> UUID:
        run = self.memory.runs.start(self._agent(), self.text(), self.name("talk"))
        self.memory.runs.output(run.id, "node", {"__lf_memory_writes": [{"content": self.text()}]})
        return run.id

    def _proposal(self) -> UUID:
        agent, text = self._agent(), self.text()
        for _ in range(2):
            self.memory.journal.save(agent, text)
        [proposal] = self.memory.proposals.propose(agent)
        return proposal.id

    def _accepted(self) -> UUID:
        proposal = self._proposal()
        self.memory.proposals.accept(proposal)
        return proposal

    def _whiteboard(self) -> UUID:
        return self._board_and_agent()[0]

    def _board_and_agent(self) -> tuple[UUID, UUID]:
        agent = self._agent()
        board = self.memory.whiteboards.create(self.name("board"), [agent])
        self.made.setdefault("whiteboard", []).append(board.name)
        self.memory.whiteboards.write(board.id, self.text(), agent)
        return board.id, agent

    def _conversation(self) -> str:
        talk, at = self.name("talk"), datetime(2026, 3, 1, 12, tzinfo=UTC)
        turns = [
            {"role": "user", "name": "Ada", "content": self.text(), "at": at},
            {"role": "assistant", "content": self.text(), "at": at + timedelta(seconds=30)},
            {"role": "user", "name": "Ada", "content": f"My sister {self.open_mark()} lives in Porto.", "at": at},
        ]
        self.memory.mine(turns, conversation=talk, title=self.text(), project=self.name("project"))
        return talk

    def _drawer(self) -> str:
        """The pointer of a turn in a room and a wing of its own, which has two closets."""
        talk, at = self.name("talk"), datetime(2026, 3, 2, 12, tzinfo=UTC)
        turns = [{"role": "user", "content": self.text(), "at": at + timedelta(seconds=each)} for each in range(3)]
        receipt = self.memory.mine(turns, conversation=talk, title=self.name("title"), project=self.name("project"))
        assert receipt.pointer is not None
        room = receipt.pointer.removeprefix("§ ")
        self.memory.palace.move_drawers([f"{room}/D-002"], self.name("closet"))
        [first, *_] = self.memory.palace.show(f"{room}/D-001")
        self.made.setdefault("memory", []).append(first.id)
        return f"{room}/D-001"

    def _merged_wing(self) -> str:
        wing = self._drawer().partition("/")[0]
        self.memory.palace.merge_wings(wing, self._drawer().partition("/")[0])
        return wing

    def _entity(self) -> str:
        name = self.open_mark()
        self.memory.entities.add_relation(name, "works_at", self.text()[:60])
        # Nothing but the name is told of an entity that nobody mentioned: what it is related with holds the secret.
        self.memory.entities.add_relation(name, "guards", f"Quxs{_letters(next(_numbers))}")
        [relation, *_] = self.memory.entities.relations(name)
        self.made.setdefault("entity", []).append(relation.subject_id)
        return name

    def _merged_entity(self) -> str:
        name = self._entity()
        self.memory.entities.merge(name, self._entity())
        return name

    def _fact(self) -> UUID:
        [relation, *_] = self.memory.entities.relations(self._entity())
        return relation.id

    def _decided_fact(self) -> UUID:
        return self.memory.facts.confirm(self._fact()).id

    def _collection(self) -> str:
        collection = self.name("collection")
        change = Change(("path",), "key", {"told": self.text()}, self.text())
        self.memory.documents.write(collection, [change])
        return collection

    def _answer(self) -> str:
        from ricordo.idempotency import KeptAnswer

        key = self.name("request")
        served(self.memory).claim_request(key, b"a request")
        served(self.memory).keep_answer(key, KeptAnswer(200, {}, self.text().encode()))
        return key

    def _price(self) -> str:
        model = self.name("model")
        self.memory.usage.set_price(model, input=1, output=2)
        return model

    def _session(self) -> str:
        session = self.name("session")
        self.memory.notes.create(self.text(), retention="short_term", session=session)
        return session

    def _make_room(self) -> None:
        """Let no more uploads lie there than a user may have, whatever a long hunt began."""
        with connect(self.settings) as owner:
            owner.execute(f"SET ricordo.user_id = '{self.user_id}'")
            lying = owner.execute("SELECT id FROM uploads WHERE user_id = %s", [self.user_id]).fetchall()
        if len(lying) > 10:
            self.memory.jobs.finish()
            for (upload,) in lying:
                with suppress(NotFound):  # its operation took it along
                    self.memory.operations.remove_upload(upload)

    def _operation(self) -> UUID:
        self._make_room()
        turns = [{"role": "user", "content": self.text()}]
        return self.memory.operations.mine(turns, conversation=self.name("talk"), title=self.text()).id

    def _exported(self) -> UUID:
        """An export that lies to be fetched."""
        self._make_room()
        begun = self.memory.operations.export()
        self.memory.jobs.finish()
        return begun.id

    def _upload(self) -> UUID:
        self._make_room()
        upload, body = self.memory.operations.create_upload().id, f"user: {self.text()}\n".encode()

        async def pieces() -> AsyncIterator[bytes]:
            yield body

        self.memory.operations.add_file(upload, f"{self.name('chat')}.txt", pieces())
        return upload

    def _held(self) -> UUID:
        profile = self._profile()
        self.memory.profiles.change(profile, review="tools")
        return self.memory.entries.write(profile, self.text(), source="tool").id

    def _job(self) -> int:
        """A dead job."""
        with connect(self.settings) as owner:
            owner.execute(f"SET ricordo.user_id = '{self.user_id}'")
            row = owner.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, status, args) "
                "VALUES (%s, 'embed', 'failed', jsonb_build_object('told', %s::text)) RETURNING id",
                [str(self.user_id), self.text()],
            ).fetchone()
            assert row is not None
            owner.execute(
                "INSERT INTO job_outcomes (user_id, job_id, failures, error, failed_at) VALUES (%s, %s, 8, %s, now())",
                [self.user_id, row[0], self.text()],
            )
            return int(row[0])

    def ids(self) -> set[str]:
        """Every id in the user's rows that is in no other user's."""
        found: set[str] = set()
        for table, row in self.rows():
            found |= set(UUID_LIKE.findall(row)) if table != "users" else set()
        return found - {str(self.user_id)}

    def rows(self) -> list[tuple[str, str]]:
        """Each of the user's rows, as its owner sees it: table and text."""
        with connect(self.settings) as owner:
            owner.execute(f"SET ricordo.user_id = '{self.user_id}'")
            tables = owner.execute(
                "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id' "
                "WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1"
            ).fetchall()
            return [
                (table, text)
                for (table,) in tables
                for (text,) in owner.execute(
                    f"SELECT t::text FROM {table} t WHERE user_id = %s ORDER BY t::text", [self.user_id]
                ).fetchall()
            ]
