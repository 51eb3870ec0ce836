"""Which questions ask for turns by their time, and for which turns: four languages, and what only looks like it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from growth import grows_gently
from ricordo.models import Hit
from ricordo.recall.by_time import Asking, arranged
from ricordo.recall.chronology import By, Chronology, chronology_of

TODAY = date(2026, 7, 15)


def asked(question: str) -> Chronology | None:
    return chronology_of(question, TODAY)


def by(question: str) -> str | None:
    """What is asked for, with "about" where there is a topic as well."""
    found = asked(question)
    return found and (found.by.value if found.alone else f"{found.by.value} about")


@pytest.mark.parametrize(
    ("expected", "questions"),
    [
        (
            "days",
            """What did we talk about yesterday?
            what did we discuss this week
            What did we talk about on Monday?
            What did we talk about in March?
            Can you summarize what we talked about last week?
            What have I told you today?
            What did I ask you two days ago?
            Which topics did we cover last month?
            Do you remember what we talked about last Friday?
            Worüber haben wir gestern gesprochen?
            Was haben wir diese Woche besprochen?
            Worüber haben wir am Montag geredet?
            Worum ging es in unserem Gespräch gestern?
            Was habe ich dir im März erzählt?
            De quoi avons-nous parlé hier ?
            De quoi avons-nous parlé cette semaine ?
            De quoi avons-nous parlé lundi ?
            De quoi a-t-on parlé la semaine dernière ?
            Qu'est-ce que je t'ai dit hier ?
            De quoi avons-nous parlé il y a trois jours ?
            ¿De qué hablamos ayer?
            ¿De qué hablamos esta semana?
            ¿De qué hablamos el lunes?
            ¿Qué te dije en marzo?
            ¿De qué hemos hablado hoy?""",
        ),
        (
            "latest",
            """What did we talk about last time?
            What did we discuss last time we spoke?
            When did we last speak?
            Hi! I'm back. What did we talk about last time?
            Can you tell me what we talked about last time?
            When was our last conversation?
            When did we last talk?
            What was our last conversation about?
            Remind me what we talked about last time
            What did I do last time?
            Summarize our previous conversation
            Worüber haben wir letztes Mal gesprochen?
            Wann haben wir zuletzt gesprochen?
            Worum ging es in unserem letzten Gespräch?
            De quoi avons-nous parlé la dernière fois ?
            Quand avons-nous parlé pour la dernière fois ?
            ¿De qué hablamos la última vez?
            ¿Cuándo hablamos por última vez?""",
        ),
        (
            "recent",
            """What did we talk about recently?
            what have we been talking about lately?
            What have I told you recently?
            What happened recently?
            Worüber haben wir in letzter Zeit gesprochen?
            Worüber haben wir neulich geredet?
            De quoi avons-nous parlé récemment ?
            De quoi avons-nous parlé ces derniers temps ?
            ¿De qué hemos hablado recientemente?
            ¿De qué hablamos hace poco?""",
        ),
        (
            "last",
            """What was the last thing I asked you?
            What's the last thing I told you?
            What was my last question?
            Was war das Letzte, was ich dich gefragt habe?
            Was habe ich dich als Letztes gefragt?
            Quelle est la dernière chose que je t'ai demandée ?
            ¿Qué fue lo último que te pregunté?""",
        ),
        (
            "first",
            """What did I tell you first?
            What was the first thing I told you?
            What was the very first thing we talked about?
            What did we first talk about?
            Was habe ich dir zuerst erzählt?
            Was habe ich dir als Erstes gesagt?
            Was war das Erste, was ich dich gefragt habe?
            Qu'est-ce que je t'ai dit en premier ?
            Quelle est la première chose que je t'ai dite ?
            ¿Qué te dije primero?
            ¿Qué fue lo primero que te conté?""",
        ),
        (
            "days about",
            """What did we say about the boat last week?
            What did I tell you about Ines in March?
            Was haben wir gestern über das Boot gesagt?
            ¿Qué dijimos ayer sobre el barco?""",
        ),
        (
            "latest about",
            """What did we say about the boat last time?
            When did we last talk about the boat?
            Wann haben wir zuletzt über das Boot gesprochen?""",
        ),
        (
            "last about",
            """What was the last thing I asked you about the boat?
            Was war das Letzte, was ich dir über das Boot erzählt habe?""",
        ),
        (
            "first about",
            """What was the first thing I asked you about the boat?
            What did I first tell you about the boat?
            What did I tell you first about the boat?
            When was the first time I mentioned Ines?
            Was habe ich dir zuerst über das Boot erzählt?
            Quelle est la première chose que je t'ai demandée sur le bateau ?
            ¿Qué fue lo primero que te pregunté sobre el barco?""",
        ),
        (
            "order about",
            """In which order did I visit Oslo, Rome and Paris?
            In what order did we paint the rooms?
            List the museums I visited in the order I mentioned them
            Can you list the trips I took in chronological order?
            Tell me the books I read, in order.
            Can you walk me through the order in which I brought up my plans?
            Can you list the order in which I brought up parts of the app, in order? Mention five items.
            In welcher Reihenfolge habe ich Oslo, Rom und Paris besucht?
            Zähle meine Reisen der Reihe nach auf
            Dans quel ordre ai-je visité Oslo, Rome et Paris ?
            ¿En qué orden visité Oslo, Roma y París?""",
        ),
    ],
)
def test_questions_for_turns_by_their_time(expected: str, questions: str) -> None:
    found = {line.strip(): by(line.strip()) for line in questions.splitlines()}
    assert found == dict.fromkeys(found, expected)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Ines?",
        "boat",
        "Where do I live?",
        "What did I do last weekend?",
        "What did I do yesterday?",
        "What did Melanie paint recently?",
        "When did Melanie first paint?",
        "What did she say first?",
        "What motivated Maria and John to discuss solutions on 7 July, 2023?",
        "What is the topic of discussion between John and Tim on 11 December?",
        "What did I order last time?",
        "Where is my order?",
        "I need it in order to travel. Where is my passport?",
        "Is my passport in order?",
        "Which language did I learn first?",
        "I've been having trouble with my phone lately. Any tips?",
        "Where did I say I met Laura?",
        "What should I say to my boss first thing in the morning?",
        "Sort the list by price.",
        "Tell me about the weather in 2021.",
        "I'm ready for the recovery plan we discussed. What should I do today?",
        "I'm ready for the interview we talked about. What should I do first?",
        "This is the last time we have this conversation. Show me the list.",
        "recently",
        "first",
        "last one",
    ],
)
def test_questions_for_something_else(question: str) -> None:
    assert by(question) is None


def test_the_first_of_some_days_are_asked_for_oldest_first() -> None:
    first, any_ = asked("What did we talk about first yesterday?"), asked("What did we talk about yesterday?")
    assert first and first.oldest_first and any_ and not any_.oldest_first
    in_order = asked("In which order did we talk about things yesterday?")
    assert in_order and in_order.by.value == "days" and in_order.oldest_first


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("What was the first thing I asked you?", True),
        ("What did I tell you first?", True),
        ("Was habe ich dir zuerst erzählt?", True),
        ("¿Qué te dije primero?", True),
        ("What did you tell me first?", False),
        ("What did we talk about first?", False),
    ],
)
def test_whose_words_are_asked_for(question: str, own: bool) -> None:
    found = asked(question)
    assert found is not None and found.own is own


@pytest.mark.parametrize("piece", ["in order ", "what did we talk about ", "first ", "the order ", "last time "])
def test_long_messages_are_read_at_once(piece: str) -> None:
    assert grows_gently(lambda characters: asked(piece * (characters // len(piece))), 100_000)


def test_an_order_over_conversations_has_turns_of_each() -> None:
    """The best four by score alone are all of the first conversation."""
    scored = [("first", 10 - number / 10) for number in range(8)] + [("second", 9.0), ("third", 8.5)]
    hits = [
        Hit(
            id=uuid4(), pointer=f"§ W-001/R-01/D-{number:03}", text=f"turn {number}", speaker="Ada",
            at=datetime(2026, 7, 1 + number, tzinfo=UTC), conversation=conversation, position=number, score=score,
            signals={"keyword": score},
        )
        for number, (conversation, score) in enumerate(scored)
    ]  # fmt: skip
    asked = Chronology(By.ORDER, alone=False, span=None, oldest_first=True, own=True)
    asking = Asking(asked, datetime(2026, 8, 1, tzinfo=UTC), UTC, None, most=4, max_tokens=2000)
    found = arranged(hits, asking, [1.0] * len(hits))
    assert [hit.conversation for hit in found] == ["first", "first", "second", "third"]
