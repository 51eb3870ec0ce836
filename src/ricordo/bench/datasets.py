"""Benchmark files → conversations to mine and questions to ask. The files are the user's own; none is ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ricordo.bench.records import Record, read, read_object
from ricordo.errors import UnreadableSource
from ricordo.models import Conversation, Message

#: A turn of a history: (its conversation's id, its position there).
Place = tuple[str, int]

LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
#: What the ids of LongMemEval's questions that have no answer end with.
ABSTENTION = "_abs"
#: LongMemEval's times, once the weekday in brackets is gone.
_DATE = "%Y/%m/%d %H:%M"


@dataclass(frozen=True)
class Asked:
    """A question, the moment when it is asked, and where its evidence stands."""

    id: str
    text: str
    category: str
    now: datetime
    turns: frozenset[Place]
    sessions: frozenset[str]
    #: How many of the history's conversations took place before the question; None means all of them.
    after: int | None = None
    #: What was said right before it in its own conversation.
    context: str | None = None


@dataclass(frozen=True)
class History:
    """What one user has said, and the questions about it."""

    id: str
    conversations: tuple[Conversation, ...]
    questions: tuple[Asked, ...]

    def steps(self) -> Iterator[tuple[tuple[Conversation, ...], tuple[Asked, ...]]]:
        """Conversations to add, and the questions to ask then, in the order of time."""
        by_count: dict[int, list[Asked]] = {}
        for asked in self.questions:
            by_count.setdefault(len(self.conversations) if asked.after is None else asked.after, []).append(asked)
        added = 0
        for count in sorted(by_count):
            yield self.conversations[added:count], tuple(by_count[count])
            added = count


def locomo(path: Path) -> Iterator[History]:
    """LoCoMo's file (snap-research/LoCoMo): each session is a conversation; a shared picture's caption is part
    of its turn, as in the authors' own retrieval. Categories 1 to 4; 5 has no evidence to be found.

    Raises UnreadableSource, naming the record and the field, before the first history is given.
    """
    return _checked(path, _locomo)


def beam(path: Path) -> Iterator[History]:
    """Chats of BEAM (mohammadtavakoli78/BEAM) as a list of `{chat, messages, questions}`. A message has an `id`,
    `conversation`, `role`, `at` and `content`; a question has a `type`, the `question`, and the message ids of its
    `evidence`. Questions without evidence, such as those about abstention, are left out.

    Raises UnreadableSource, naming the record and the field, before the first history is given.
    """
    return _checked(path, _beam)


def realmem(path: Path) -> Iterator[History]:
    """One person's dialogues of RealMem. Each turn that is a query is asked once the dialogues before it are stored.
    Its evidence is what the answer used: `memory_session_uuids`, and the source turns of `memory_used`.

    Raises UnreadableSource, naming the dialogue and the field, before the history is given.
    """
    dialogues = read_object(path).records("dialogues")
    history = _realmem(path.name.split(".")[0], dialogues)
    if not history.questions:
        raise UnreadableSource(f"{path} holds no query with evidence in an earlier dialogue")
    return iter([history])


def longmemeval(path: Path) -> Iterator[History]:
    """LongMemEval's records (xiaowu0162/LongMemEval): one history and one question each. Questions that have no
    answer (`_abs`) are left out, as the authors do for retrieval.

    Raises UnreadableSource, naming the record and the field, before the first history is given.
    """
    return _checked(path, _longmemeval)


def pooled(histories: Iterator[History]) -> Iterator[History]:
    """All histories as one: what a single person would have after years.

    Raises UnreadableSource where a conversation of one history has the id of another with other turns.
    """
    conversations: dict[str, Conversation] = {}
    questions: list[Asked] = []
    for history in histories:
        for each in history.conversations:
            known = conversations.setdefault(each.id, each)
            if _said(known) != _said(each):
                raise UnreadableSource(
                    f"the conversation {each.id!r} of {history.id!r} has other turns in an earlier history, so that "
                    "the two cannot be pooled; run without --pooled"
                )
        questions += history.questions
    yield History("pooled", tuple(conversations.values()), tuple(questions))


def _locomo(record: Record) -> History:
    name, talk = record.text("sample_id"), record.record("conversation")
    conversations, places, last = [], {}, datetime.min.replace(tzinfo=UTC)
    for number in sorted(int(key[8:]) for key in talk.value if re.fullmatch(r"session_\d+", key)):
        id = f"{name}/session_{number}"
        at = last = talk.moment(f"session_{number}_date_time", "%I:%M %p on %d %B, %Y")
        turns = talk.records(f"session_{number}")
        places.update({turn.text("dia_id"): (id, position) for position, turn in enumerate(turns)})
        messages = tuple(Message(name=turn.text("speaker"), content=_with_caption(turn), at=at) for turn in turns)
        conversations.append(Conversation(id=id, messages=messages, source="locomo"))
    questions = []
    for index, each in enumerate(record.records("qa")):
        named = [f"D{a}:{b}" for a, b in re.findall(r"D:?(\d+):(\d+)", " ".join(each.texts("evidence")))]
        turns_ = frozenset(places[name] for name in named if name in places)
        category = each.number("category")
        if turns_ and category in LOCOMO_CATEGORIES:
            sessions = frozenset(session for session, _ in turns_)
            asked = Asked(f"{name}/{index}", each.text("question"), LOCOMO_CATEGORIES[category], last, turns_, sessions)
            questions.append(asked)
    return History(name, tuple(conversations), tuple(questions))


def _beam(record: Record) -> History:
    name = record.text("chat")
    said: dict[str, list[Message]] = {}
    places: dict[int, Place] = {}
    for each in record.records("messages"):
        conversation, at = each.text("conversation"), each.instant("at")
        messages = said.setdefault(conversation, [])
        places[each.number("id")] = (conversation, len(messages))
        messages.append(Message(role=each.role("role"), content=each.text("content"), at=at))
    last = max((message.at for messages in said.values() for message in messages if message.at), default=None)
    questions = []
    for index, each in enumerate(record.records("questions")):
        evidence = each.numbers("evidence")
        if unknown := [number for number in evidence if number not in places]:
            raise each.fault("evidence", f"names message {unknown[0]}, which the chat does not have")
        turns = frozenset(places[number] for number in evidence)
        if turns and last:
            sessions = frozenset(session for session, _ in turns)
            questions.append(Asked(f"{name}/{index}", each.text("question"), each.text("type"), last, turns, sessions))
    conversations = tuple(Conversation(id=id, messages=tuple(messages), source="beam") for id, messages in said.items())
    return History(f"beam-{name}", conversations, tuple(questions))


def _realmem(name: str, dialogues: Sequence[Record]) -> History:
    conversations: list[Conversation] = []
    questions: list[Asked] = []
    sources: dict[tuple[str, str], Place] = {}
    known: set[str] = set()
    for dialogue in dialogues:
        id = dialogue.text("session_uuid")
        if id in known:
            raise dialogue.fault("session_uuid", f"{id!r} is the id of an earlier dialogue too")
        at = dialogue.moment_of("current_time", dialogue.text("current_time").split(" (")[0], "%Y-%m-%d")
        turns = dialogue.records("dialogue_turns")
        for index, turn in enumerate(turns[:-1]):
            if turn.value.get("is_query"):
                used = turns[index + 1]
                sessions = frozenset(used.texts("memory_session_uuids")) & known
                found = [(each.text("session_uuid"), each.text("content")) for each in used.records("memory_used")]
                places = frozenset(sources[each] for each in found if each in sources)
                category = turn.text("category_name")
                before = turns[index - 1].text("content") if index else None
                asked = Asked(
                    f"{name}/{id}/{index}", turn.text("content"), category, at, places, sessions, len(known), before
                )
                questions += [asked] if sessions else []
        said = [index for index, turn in enumerate(turns) if turn.text("content").strip()]
        messages = tuple(
            Message(role=turns[index].role("speaker"), content=turns[index].text("content"), at=at) for index in said
        )
        conversations.append(Conversation(id=id, messages=messages, source="realmem"))
        known.add(id)
        for memory in dialogue.records("extracted_memory"):
            source = memory.number("source_turn") - 1  # counted from 1
            if source in said:
                sources.setdefault((id, memory.text("content")), (id, said.index(source)))
    return History(f"realmem-{name}", tuple(conversations), tuple(questions))


def _longmemeval(record: Record) -> History | None:
    return None if record.text("question_id").endswith(ABSTENTION) else longmemeval_history(record)


def longmemeval_history(record: Record) -> History:
    """One record's history and question. Raises UnreadableSource."""
    name = record.text("question_id")
    ids, dates, sessions = record.texts("haystack_session_ids"), record.texts("haystack_dates"), "haystack_sessions"
    conversations: dict[str, Conversation] = {}
    evidence = set()
    for index, (id, date) in enumerate(record.paired(ids, dates, sessions)):
        said = [turn for turn in record.records(sessions, index) if turn.text("content").strip()]
        at = record.moment_of("haystack_dates", _without_weekday(date), _DATE)
        messages = tuple(Message(role=turn.role("role"), content=turn.text("content"), at=at) for turn in said)
        conversation = Conversation(id=id, messages=messages, source="longmemeval")
        if _said(conversations.setdefault(id, conversation)) != _said(conversation):
            raise record.fault("haystack_session_ids", f"{id!r} stands twice, with different turns")
        evidence |= {(id, position) for position, turn in enumerate(said) if turn.value.get("has_answer")}
    now = record.moment_of("question_date", _without_weekday(record.text("question_date")), _DATE)
    asked = Asked(
        name, record.text("question"), record.text("question_type"), now,
        frozenset(evidence), frozenset(record.texts("answer_session_ids")),
    )  # fmt: skip
    return History(name, tuple(conversations.values()), (asked,))


def _checked(path: Path, build: Callable[[Record], History | None]) -> Iterator[History]:
    """The histories of a file, each of them built once before, so that a fault in the last record shows itself
    ahead of hours of mining; they are not kept, since together they are large."""
    records = read(path)
    ids: set[str] = set()
    questions = 0
    for record in records:
        if history := build(record):
            if history.id in ids:
                raise record.fault("id", f"{history.id!r} is the id of an earlier record too")
            ids.add(history.id)
            questions += len(history.questions)
    if not questions:
        raise UnreadableSource(f"{path} holds no question with evidence to be found")
    return (history for record in records if (history := build(record)))


def _said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in conversation.messages]


def _with_caption(turn: Record) -> str:
    caption = turn.value.get("blip_caption")
    return f"{turn.text('text')} [shares {caption}]" if caption else turn.text("text")


def _without_weekday(text: str) -> str:
    return re.sub(r"\s*\(\w+\)\s*", " ", text)
