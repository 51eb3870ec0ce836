"""Extraction without a model: what it finds on the labeled sentences, and the rules that no score shows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from labeled.measure import examples, measure
from ricordo.facts import Known, Said, extract
from ricordo.models import SELF

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


def said(*texts: str, speaker: str = SELF, role: str = "user") -> list[Said]:
    return [Said(speaker, role, text, AT) for text in texts]


@pytest.mark.parametrize(
    ("part", "entity_recall", "fact_recall"), [("development", 0.9, 0.9), ("held_out", 0.85, 0.85)]
)
def test_labeled_sentences_are_read_with_precision(part: str, entity_recall: float, fact_recall: float) -> None:
    mentions, facts = measure(part)
    assert mentions.precision >= 0.90, mentions.lines()
    assert facts.precision >= 0.90, facts.lines()
    assert mentions.recall >= entity_recall, mentions.lines()
    assert facts.recall >= fact_recall, facts.lines()


def test_the_labeled_set_is_large_and_has_hard_negatives() -> None:
    labeled = [*examples("development"), *examples("held_out")]
    assert len(labeled) >= 320
    assert sum(not each["facts"] for each in labeled) >= 150
    assert len({str(each["text"]) for each in labeled}) == len(labeled)


def test_a_named_speaker_is_the_subject_of_i() -> None:
    assert extract(said("I live in Berlin."), "en", Known()).facts[0].subject == SELF
    assert extract(said("I live in Berlin.", speaker="Mara"), "en", Known()).facts[0].subject == "Mara"


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_people_state_facts(role: str) -> None:
    found = extract(said("I live in Berlin. My brother Tom works at Siemens.", role=role, speaker=role), "en", Known())
    assert found.facts == ()
    assert {"Berlin", "Tom", "Siemens"} <= {each.name for each in found.mentions}


def test_known_names_are_found_bare_and_in_lower_case() -> None:
    known = Known([("Tärna", "item", ("the board",)), ("Sahlgrenska", "organization", ()), ("Bo", "person", ())])
    found = extract(said("tärna leaks, so i am off to sahlgrenska with bo."), "en", known)
    assert [(each.name, each.kind) for each in found.mentions] == [("Tärna", "item"), ("Sahlgrenska", "organization")]


def test_a_known_name_that_is_a_common_word_needs_its_capital() -> None:
    known = Known([("Will", "person", ()), ("Atlas", "project", ())])
    assert extract(said("will you open the window?"), "en", known).mentions == ()
    assert [each.name for each in extract(said("I asked Will."), "en", known).mentions] == ["Will"]


def test_aliases_lead_to_the_entity_and_the_first_of_two_counts() -> None:
    known = Known([("Thomas Brandt", "person", ("Tommy B",)), ("Tommy B", "topic", ())])
    found = extract(said("Lunch with Tommy B today."), "en", known).mentions
    assert [(each.name, each.kind) for each in found] == [("Thomas Brandt", "person")]
    assert "tommy b" in known and "Tommy" not in known


def test_what_one_turn_shows_holds_for_the_others() -> None:
    found = extract(said("Ask Xandria.", "My sister Xandria is late.", "Where is Xandria?"), "en", Known())
    assert [each.turn for each in found.mentions] == [0, 1, 2]
    assert {each.kind for each in found.mentions} == {"person"}


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    found = extract(said("I met Gravel today.", "The gravel is wet."), "en", Known())
    assert found.mentions == ()


def test_since_and_until_are_read_from_the_sentence() -> None:
    moved, left = extract(said("I moved to Porto in March 2024.", "I quit Siemens two weeks ago."), "en", Known()).facts
    assert (moved.since, moved.until) == (datetime(2024, 3, 1, tzinfo=UTC), None)
    assert (
        left.ended and left.since is None and left.until is not None and left.until.date().isoformat() == "2026-05-18"
    )


def test_a_move_to_come_has_no_beginning() -> None:
    assert extract(said("I moved to Porto in 2031."), "en", Known()).facts[0].since is None


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Rome?",
        "If I lived in Rome, I would walk.",
        "I wish I lived in Rome.",
        "I don't live in Rome.",
        "Pretend that you are me. I live in Rome.",
        'The card says "I live in Rome".',
        "> I live in Rome",
        "Anna: I live in Rome",
        "```\nI live in Rome\n```",
        "I will live in Rome.",
        "Just kidding, I live in Rome.",
    ],
)
def test_what_is_not_said_to_hold_is_no_fact(text: str) -> None:
    assert extract(said(text), "en", Known()).facts == ()


@pytest.mark.parametrize("language", ["it", "pl", "zh", "xx"])
def test_nothing_is_stated_in_a_language_that_is_not_read(language: str) -> None:
    assert extract(said("I live in Berlin and my brother Tom works at Siemens."), language, Known()).facts == ()


def test_a_short_text_of_an_unknown_language_is_recognised_by_its_function_words() -> None:
    assert [each.predicate for each in extract(said("I live in Rome and I work at Nokia."), "", Known()).facts] == [
        "lives_in",
        "works_at",
    ]


def test_only_the_beginning_of_a_pasted_file_is_read() -> None:
    found = extract(said("I live in Rome. " + "x " * 20_000 + "Berlin."), "en", Known())
    assert [each.name for each in found.mentions] == ["Rome"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("We drove past Santa Teresa and Canada Goose.", set()),
        ("I met John Smith at the Berlin Marathon.", {"John Smith", "Berlin Marathon"}),
        ("The Lisbon trip was fun.", {"Lisbon trip", "Lisbon"}),
        ("My sister, London is too far.", set()),
        ("The owner of the bike shop sold my bike.", {"bike"}),
        ("My books are by George R.R. Martin.", {"George R.R. Martin"}),
    ],
)
def test_names_are_whole_and_no_part_of_others(text: str, named: set[str]) -> None:
    assert {each.name for each in extract(said(text), "en", Known()).mentions} - {"London"} == named


def test_a_former_colleague_is_one_no_more() -> None:
    for text in ("I met Rachel, my former colleague, today.", "My former colleague Rachel called."):
        [fact] = extract(said(text), "en", Known()).facts
        assert (fact.predicate, fact.object, fact.ended) == ("colleague", "Rachel", True)


def test_what_is_bought_for_others_or_eaten_is_not_owned() -> None:
    for text in ("I bought a necklace for her.", "I bought a coffee.", "I bought a gift, a kite."):
        assert extract(said(text), "en", Known()).facts == ()
    [fact] = extract(said("I bought a bandsaw in March."), "en", Known()).facts
    assert (fact.predicate, fact.object) == ("owns", "bandsaw")
    assert fact.since == datetime(2026, 3, 1, tzinfo=UTC)


def facts(text: str, speaker: str = SELF) -> set[tuple[str, str, str, bool]]:
    found = extract(said(text, speaker=speaker), "en", Known()).facts
    return {(each.subject, each.predicate, each.object, each.ended) for each in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tom, who lives in Oslo, is my best friend.",
         {("Tom", "lives_in", "Oslo", False), ("user", "friend", "Tom", False)}),
        ("I don't like coffee anymore.", {("user", "likes", "coffee", True)}),
        ("I'm an engineer at heart.", set()),
        ("I'm Anna, a teacher.", {("user", "name", "Anna", False)}),
        ("I'm Anna's sister.", set()),
        ("I'm Batman.", set()),
        ("I live with Tom in Hamburg.", {("user", "lives_in", "Hamburg", False)}),
        ("I have a sister named Mary and a brother named Tim.",
         {("user", "sister", "Mary", False), ("user", "brother", "Tim", False)}),
        ("My wife's sister Clara is here.", set()),
        ("I think my brother Tom would like it.", {("user", "brother", "Tom", False)}),
        ("I used to live in Rome but I moved to Milan.",
         {("user", "lives_in", "Rome", True), ("user", "lives_in", "Milan", False)}),
    ],
)  # fmt: skip
def test_who_stands_to_whom_is_not_guessed(text: str, expected: set[tuple[str, str, str, bool]]) -> None:
    assert facts(text) == expected


def test_one_word_may_name_a_person_and_a_place() -> None:
    found = extract(said("My girlfriend Sofia lives in Sofia."), "en", Known()).mentions
    assert [each.kind for each in found] == ["person", "place"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My daughter is Emma's best friend.", set()),
        ("'I live in Rome', he wrote.", set()),
        ("I live in Apartment 5.", set()),
        ("I moved to Marketing last year.", set()),
        ("I like jazz a lot.", {("user", "likes", "jazz", False)}),
        ("I'm a student at MIT.", {("user", "role", "student", False), ("user", "studies_at", "MIT", False)}),
        ("I can't live in Rome. Nobody lives in Rome.", set()),
        ("I'm 6 feet tall and 15 minutes away.", {("user", "height", "6 feet", False)}),
    ],
)  # fmt: skip
def test_what_looks_like_a_fact_and_is_none(text: str, expected: set[tuple[str, str, str, bool]]) -> None:
    assert facts(text) == expected
