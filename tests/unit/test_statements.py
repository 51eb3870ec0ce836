"""Relations as sentences."""

from __future__ import annotations

import pytest

from ricordo.facts.topics import statement


@pytest.mark.parametrize(
    ("predicate", "said"),
    [
        ("lives_in", "Tom lives in Bremen"),
        ("is_in", "Tom is in Bremen"),
        ("located_in", "Tom is located in Bremen"),
        ("married_to", "Tom is married to Bremen"),
        ("friend_of", "Tom is a friend of Bremen"),
        ("uncle_of", "Tom is an uncle of Bremen"),
        ("brother", "Tom's brother: Bremen"),
        ("sister_lives_in", "Tom's sister lives in Bremen"),
        ("born_in", "Tom was born in Bremen"),
        ("made_of", "Tom is made of Bremen"),
        ("afraid_of", "Tom is afraid of Bremen"),
        ("works_out_of", "Tom works out of Bremen"),
        ("takes_care_of", "Tom takes care of Bremen"),
        ("user_of", "Tom is a user of Bremen"),
        ("hosted_on", "Tom is hosted on Bremen"),
        ("depends_on", "Tom depends on Bremen"),
        ("knows", "Tom knows Bremen"),
        ("hobbies", "Tom's hobbies: Bremen"),
        ("favorite_color", "Tom's favorite color: Bremen"),
    ],
)
def test_a_relation_reads_as_a_sentence(predicate: str, said: str) -> None:
    assert statement("Tom", predicate, "Bremen") == said


@pytest.mark.parametrize(
    ("subject", "predicate", "said"),
    [
        ("Ann", "bins_goes_out_on", "Ann's bins go out on Monday"),
        ("Ann", "pension_is_paid_on", "Ann's pension is paid on Monday"),
        ("Ann", "parents_lives_with", "Ann's parents live with Monday"),
        ("Ann", "keys_is_at", "Ann's keys are at Monday"),
        ("Red bins", "goes_out_on", "Red bins go out on Monday"),
        ("Deliveries", "leaves_on", "Deliveries leave on Monday"),
        ("Thomas", "starts_on", "Thomas starts on Monday"),
        ("The gas", "comes_on", "The gas comes on Monday"),
        ("Ann", "phone_charges", "Ann's phone charges: Monday"),
    ],
)
def test_a_verb_agrees_with_what_it_tells_of(subject: str, predicate: str, said: str) -> None:
    assert statement(subject, predicate, "Monday") == said
