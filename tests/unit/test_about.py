"""Whether the best lines are about the person that a question asks about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

import pytest

from bench import confidence as bench_confidence
from ricordo.blocking import Memory
from ricordo.recall.about import asked_about, lead
from ricordo.recall.confidence import LEAST
from ricordo.recall.question import Question, parse
from ricordo.settings import Settings

ROOM = 1 << 32
HOME = "Where does Kofi live?"
TALK = (
    ("Rosa", "I live in Leith now, bring earplugs."),
    ("Kofi", "Can do, I'll be late as always."),
    ("Rosa", "The poster man asks how we spell the name."),
    ("Kofi", "My girlfriend Amara is a midwife, so no calls before noon."),
    ("Ben", "By the way, Rosa plays the cello in an orchestra as well."),
    ("Kofi", "I sold my old amp."),
    ("Rosa", "How much was it?"),
    ("Kofi", "Two hundred."),
    ("Ben", "I fixed the van's heating."),
    ("Rosa", "Thursday at eight, then."),
    ("Kofi", "The drummer wants a rug under the kit."),
    ("Ben", "Mine is still damp from the festival."),
)


def question(text: str) -> Question:
    return parse(text, ("en", "de"), date(2026, 7, 15))


def ahead(text: str, said: Sequence[tuple[str, str]], rooms: Mapping[int, int] | None = None) -> float:
    """The lead for these turns, all with the same score, in one room by default."""
    places = [(rooms or {}).get(number, 1) * ROOM + 2 * number for number in range(len(said))]
    asked = asked_about(question(text), [speaker for speaker, _ in said])
    assert asked is not None
    speakers = {place: speaker for place, (speaker, _) in zip(places, said, strict=True)}
    lines = [(place, text, 4.0) for place, (_, text) in zip(places, said, strict=True)]
    return lead(question(text), asked, speakers, lines, ("en", "de"))


@pytest.mark.parametrize(
    ("told", "about"),
    [
        (("Kofi", "I live in Glasgow."), 1.0),
        (("Kofi", "Moved to Glasgow, live by the river."), 0.5),
        (("Kofi", "Where do you live?"), -1.0),
        (("Kofi", "Where to live?"), -0.5),
        (("Rosa", "I live in Leith."), -1.0),
        (("Rosa", "You live in Glasgow, right?"), 1.0),
        (("Rosa", "Live by the river."), -0.5),
        (("Rosa", "Any idea where to live?"), 0.5),
        (("Rosa", "Kofi and Amara live in Glasgow."), 1.0),
        (("Rosa", "My cousin Kofi and the others live there."), 0.0),
        (("Rosa", "Ich habe lange in Leith gewohnt."), -1.0),
        # The sentence counts that has the question's words.
        (("Rosa", "You are right. I live in Leith."), -1.0),
        (("Kofi", "Are you coming? I live in Glasgow."), 1.0),
    ],
)
def test_whom_a_line_is_about(told: tuple[str, str], about: float) -> None:
    silent = ("Kofi", "Hm") if told[0] == "Rosa" else ("Rosa", "Hm")
    alone = ahead(HOME, [told, silent])
    # The other line says nothing of either: a half for whoever says it.
    other = 0.5 if silent[0] == "Kofi" else -0.5
    assert alone == max(about, other) - max(-about, -other)


def test_you_among_three_is_who_spoke_before() -> None:
    crowd = [("Kofi", "Hm"), ("Ben", "Hm"), ("Rosa", "You live in Glasgow.")]
    asked = asked_about(question(HOME), ["Kofi", "Ben", "Rosa"])
    assert asked is not None

    def after(speaker: str) -> float:
        speakers = {ROOM + 1: "Ben", ROOM + 2: "Kofi", ROOM + 4: speaker, ROOM + 5: "Rosa"}
        return lead(question(HOME), asked, speakers, [(ROOM + 5, crowd[2][1], 4.0)], ("en",))

    assert (after("Kofi"), after("Ben")) == (2.0, -1.0)


def test_what_is_told_of_someone_elsewhere_is_about_them() -> None:
    told = [("Rosa", "Kofi came by. I asked. He lives in Glasgow."), ("Kofi", "Hm")]
    assert ahead(HOME, told, {0: 1, 1: 2}) > 0
    told[0] = ("Rosa", "I live in Leith.")
    assert ahead(HOME, told, {0: 1, 1: 2}) < 0


def test_questions_about_nobody_or_several_are_left_alone() -> None:
    def names(text: str, *speakers: str) -> frozenset[str] | None:
        asked = asked_about(question(text), speakers)
        return asked and asked.speakers

    assert names("Where does Kofi live?", "Kofi", "Rosa") == {"Kofi"}
    assert names("Where does Kofi live?", "Kofi Mensah", "Kofi", "Rosa") == {"Kofi Mensah", "Kofi"}
    assert names("Where do Kofi and Rosa live?", "Kofi", "Rosa") is None
    assert names("When do Kofi and I travel?", "Kofi", "Rosa") is None
    assert names("Where does Amara live?", "Kofi", "Rosa") is None
    assert names("Where is the user, and what did the assistant say?", "user", "assistant") is None
    assert names("What did you recommend to me?", "user", "assistant") is None


def test_a_question_about_the_wrong_person_is_less_sure(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        said = [
            {"role": "user", "name": name, "content": text, "at": datetime(2026, 3, 1, 12, number, tzinfo=UTC)}
            for number, (name, text) in enumerate(TALK)
        ]
        memory.mine(said, conversation="band")
        memory.embed_pending()

        def doubt(text: str) -> float:
            return 1 - memory.recall(text).confidence

        # Told by themselves, and of a third person by somebody else.
        for right, wrong in (
            ("Where does Rosa live?", "Where does Kofi live?"),
            ("What does Kofi's girlfriend do?", "What does Ben's girlfriend do?"),
            ("Which instrument does Rosa play in an orchestra?", "Which instrument does Kofi play in an orchestra?"),
        ):
            assert doubt(wrong) > 2 * doubt(right), right
        # What is likely but for the person still comes back by default.
        wrong = memory.recall("Where does Kofi live?")
        assert len(wrong) and wrong.confidence >= LEAST
        assert not len(memory.recall("Where does Kofi live?", min_confidence=wrong.confidence + 0.01))


def test_the_swapped_questions_name_people_of_their_chats() -> None:
    trials = bench_confidence.of_person(None)
    pairs = 0
    for trial in trials:
        speakers = {message.name for each in trial.history.conversations for message in each.messages if message.name}
        for right, wrong in zip(trial.history.questions, trial.unanswered, strict=True):
            asked = [asked_about(question(text), speakers) for text in (right.text, wrong)]
            assert asked[0] is not None and asked[1] is not None and asked[0].speakers != asked[1].speakers, right.text
            pairs += 1
    assert pairs >= 60
