"""Names that a person would give to short talks in English and German, and where talks are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.mining.phrases import phrases
from ricordo.mining.topics import Talk, name_of, segments, subject
from ricordo.text.plain import PLAIN
from ricordo.text.terms import fold, terms

DOG = [
    "Our dog Bella has been limping since Sunday.",
    "Has she been running a lot? It may be her paw.",
    "The vet says Bella has a thorn in her paw.",
    "Poor thing. Will the vet take it out?",
    "Yes, Bella goes to the vet on Monday.",
]
BREAD = [
    "My sourdough starter is not rising.",
    "How warm is your kitchen? A sourdough starter likes 25 degrees.",
    "About 19 degrees.",
    "Put the sourdough starter near the oven and feed it rye flour.",
    "Great, I'll try rye flour.",
]
LISBON = [
    "Ines and I fly to Lisbon in May.",
    "May is warm and not yet crowded.",
    "No early flights, please; I hate them.",
    "In Lisbon the tram 28 is fun, and flights are cheap on Tuesdays.",
]
JOB = [
    "I have a job interview at Siemens next week.",
    "Congratulations! Would you like to practise interview questions?",
    "Yes, they ask about Kubernetes a lot.",
    "What is a pod? What is a deployment in Kubernetes?",
    "A pod holds containers. The interview is on Thursday.",
]
TESTS = [
    "My pytest fixture runs twice.",
    "Is the fixture session scoped? With xdist each worker runs it.",
    "Yes, I use xdist with 4 workers.",
    "Then use a file lock in the fixture so that only one worker sets it up.",
]
RUN = [
    "I ran 12 km today!",
    "Nice, how is the knee?",
    "The knee was fine until kilometre ten.",
    "For the marathon in Berlin you should see a physio about that knee.",
    "The marathon is in September, so I have time.",
]
TOMATOES = [
    "Ich möchte im Frühling Tomaten pflanzen.",
    "Tomaten brauchen viel Sonne und sollten erst nach den Eisheiligen raus.",
    "Welche Sorte passt für den Balkon?",
    "Für den Balkon sind Cocktailtomaten gut, die Tomaten werden nicht so hoch.",
]
MOVE = [
    "Wir ziehen im August nach Hamburg um.",
    "Habt ihr schon eine Wohnung in Hamburg?",
    "Ja, eine Wohnung in Altona, aber der Mietvertrag fehlt noch.",
    "Ohne Mietvertrag würde ich nicht kündigen.",
    "Der Vermieter schickt den Mietvertrag morgen.",
]
CAKE = [
    "Oma wird am Samstag achtzig.",
    "Wollen wir ihr eine Torte backen?",
    "Ja, eine Schwarzwälder Torte, die mag Oma am liebsten.",
    "Ich bestelle die Kirschen für die Torte.",
]


def named(texts: list[str], language: str) -> str | None:
    return name_of(Talk.of(texts, language), range(len(texts)))


WIRES = [
    "Let's go through the battery wiring options for the board.",
    "I tried a 12-AWG silicone wire and it overheated.",
    "Then a thicker silicone wire, or two battery wiring harnesses in parallel.",
    "The silicone wire is cheaper.",
]
MIETE = [
    "Le propriétaire demande une caution de deux mois.",
    "La caution est trop élevée, parle avec le propriétaire.",
    "Il accepte une caution d'un mois.",
]


@pytest.mark.parametrize(
    ("texts", "language", "expected"),
    [
        (DOG, "en", "Vet & dog Bella"),
        (BREAD, "en", "Sourdough starter"),
        (LISBON, "en", "Flights & Lisbon"),
        (JOB, "en", "Job interview & pod"),
        (TESTS, "en", "Pytest fixture & worker"),
        (RUN, "en", "Knee & marathon"),
        (TOMATOES, "de", "Tomaten & Balkon"),
        (MOVE, "de", "Mietvertrag & Hamburg"),
        (CAKE, "de", "Torte & Oma"),
        (WIRES, "en", "Silicone wire"),
        (MIETE, "fr", "Caution & propriétaire"),
        (["新しい電池を選びました。", "電池は来週の火曜日に届きます。"], "ja", "電池"),
        (["我们周末去爬山吧，爬山以后在湖边露营。", "露营要带帐篷，爬山要带水。"], "zh", "爬山 & 露营"),
        (["다음 주에 서울에서 회의가 있습니다.", "회의는 몇 시에 있어요?"], "ko", "회의"),
        (["hi", "hello, how can I help?", "nothing, just saying hi", "Okay!"], "", None),
        (["12:30", "🔋 !!", ""], "en", None),
        (["हिन्दी की किताब"], "hi", "हिन्दी"),
        (["See https://example.org/paths/of/files and `code = 1`"], "en", None),
    ],
)
def test_a_talk_is_named_by_what_it_is_about(texts: list[str], language: str, expected: str | None) -> None:
    assert named(texts, language) == expected


def test_a_part_is_named_by_what_the_rest_does_not_speak_of() -> None:
    rest = ["The boat needs a battery.", "Which boat?", "The boat of Lindner."] * 4
    part = ["The boat has a mast.", "A mast of carbon, the boat of Ines."]
    assert name_of(Talk.of(part + rest, "en"), range(2)) == "Mast"


def test_speakers_do_not_name_what_they_talk_about() -> None:
    texts = ["Hey Caroline, the pottery class!", "Mel, I love the pottery class."]
    assert name_of(Talk.of(texts, "en", ["Melanie", "Caroline"]), range(2)) == "Pottery class"


def test_a_name_holds_no_function_words_numbers_or_single_letters() -> None:
    text = "And then I said that we should really do 3 things on Monday, x y z, don't you think? Ja, aber nicht heute."
    assert list(phrases(text, "en")) == []


@given(st.lists(st.lists(st.sampled_from(["the", "and", "Boat", "x", "der", "mast", "7", "it's", "."])).map(" ".join)))
def test_a_name_is_made_of_words_that_can_name(texts: list[str]) -> None:
    name = named(texts, "")
    if name is not None:
        assert all(fold(each) not in PLAIN for each in name.split() if each != "&")


@given(st.permutations(["The red boat.", "A mast of oak.", "The mast, the boat."]))
def test_a_name_does_not_depend_on_how_often_it_is_made(texts: list[str]) -> None:
    assert named(texts, "en") == named(list(texts), "en")


def test_a_talk_is_cut_where_its_words_change() -> None:
    talk = DOG + BREAD + TESTS + RUN
    assert segments([terms(each, "en") for each in talk]) == [range(5), range(5, 10), range(10, 14), range(14, 19)]


@pytest.mark.parametrize("turn", [["ok"], [], ["boat", "mast"]])
def test_a_talk_of_one_thing_is_not_cut(turn: list[str]) -> None:
    assert segments([turn] * 40) == [range(40)]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=5), max_size=60))
def test_segments_hold_every_turn_once_and_are_not_too_short(talk: list[list[str]]) -> None:
    found = segments(talk)
    assert [index for segment in found for index in segment] == list(range(len(talk)))
    assert all(one.stop == two.start for one, two in pairwise(found))
    assert len(found) == 1 or min(map(len, found)) >= 4


def test_what_stands_in_brackets_beside_what_is_said_names_nothing() -> None:
    texts = ["We planted the dahlias today. [shares a photo of a blue wheelbarrow]", "The dahlias need water, I think."]
    assert name_of(Talk.of(texts, "en"), range(2)) == "Dahlias"
    assert name_of(Talk.of(["[a photo of a blue wheelbarrow]"], "en"), range(1)) == "Blue wheelbarrow"
    assert (
        name_of(Talk.of(["I read about [the harbour crane](https://cranes.example/1)."], "en"), range(1))
        == "Harbour crane"
    )


def test_one_word_that_was_dropped_once_stands_beside_nothing() -> None:
    texts = ["The gearbox leaks oil.", "Is the gearbox old?", "The gearbox is from March; my aunt laughed."]
    assert name_of(Talk.of(texts, "en"), range(3)) == "Gearbox"


def test_what_all_talk_is_about_gives_way_to_what_is_said_once() -> None:
    texts = ["My family is happy about the adoption papers.", "How is your family?", "The family is well."]
    assert name_of(Talk.of(texts, "en"), range(3)) == "Adoption papers"


def test_a_talk_is_about_what_it_begins_with_if_it_comes_back_to_that() -> None:
    texts = ["Can you suggest soup recipes?", "Miso broth, with kombu.", "And soup recipes with kombu?"]
    assert subject(Talk.of(texts, "en")) == "Soup recipes"
    assert subject(Talk.of(["Hi!", "Hello, how are you?", "Fine, thanks."], "en")) is None
    assert subject(Talk.of([], "en")) is None
