"""Facts of plain sentences: what each shape states, what states nothing, and how values follow one another."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.facts.cases import HALVES, PARTS, cases
from bench.facts.extraction import Score, total
from labeled.blind import ROUNDS, reading
from ricordo.facts import Known, Said, extract
from ricordo.facts.dates import moment
from ricordo.facts.relations import single_valued
from ricordo.models import SELF, Fact
from ricordo.text import detect, words

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
LABELLED = Path(__file__).parents[1] / "support" / "labeled"


def facts(text: str, speaker: str = SELF) -> tuple[Fact, ...]:
    return extract([Said(speaker, "user", text, AT)], detect([text]), Known()).facts


def stated(text: str, speaker: str = SELF) -> set[tuple[str, str, str, bool]]:
    return {(each.subject, each.predicate, each.object, each.ended) for each in facts(text, speaker)}


def _lines(name: str) -> list[str]:
    lines = (LABELLED / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_plain_sentences_of_four_languages_are_read() -> None:
    wanted, found, missed = Counter[str](), Counter[str](), []
    for line in _lines("plain.txt"):
        language, text, subject, value = (part.strip() for part in line.split("|"))
        ended, asked = value.startswith("!"), set(words(value.lstrip("!")))
        hit = any(
            each.subject == subject and each.ended == ended
            and (asked <= set(words(each.object)) or set(words(each.object)) <= asked)
            for each in facts(text)
        )  # fmt: skip
        wanted[language], found[language] = wanted[language] + 1, found[language] + hit
        missed += [] if hit else [text]
    assert found["en"] >= 0.95 * wanted["en"], missed
    assert all(found[language] == wanted[language] for language in ("de", "fr", "es")), missed


@pytest.mark.parametrize("text", _lines("traps.txt"))
def test_what_is_wished_past_denied_or_in_jest_states_nothing_of_now(text: str) -> None:
    assert [each for each in facts(text) if not each.ended] == []


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("We have a cat called Tikka.", "Tikka owns the shop now."),
        ("My therapist is Dr Lowen.", "Today I'm the therapist."),
        ("I live in Paisley.", "Officially I live in Leeds."),
    ],
)
def test_what_cannot_be_beside_an_earlier_fact_is_not_taken(before: str, text: str) -> None:
    turns = [Said(SELF, "user", each, AT) for each in (before, text)]
    assert {each.turn for each in extract(turns, "en", Known()).facts} == {0}


def test_the_labeled_set_is_large_and_its_halves_share_no_conversation() -> None:
    halves = {half: cases(half) for half in HALVES}
    assert sum(len(case.turns) for several in halves.values() for case in several) >= 600
    titles = [case.title for part in PARTS for case in cases(part)]
    assert len(set(titles)) == len(titles)
    for case in (each for several in halves.values() for each in several):
        marks = {turn.mark for turn in case.turns}
        assert all({*asked.best, *asked.stale} <= marks for asked in case.questions), case.name


#: `more` has a round by a writer who saw no rule, of which less is found.
@pytest.mark.parametrize(("part", "precision", "recall"), [("tune", 0.97, 0.9), ("more", 0.95, 0.62)])
def test_what_rules_were_written_for_is_read_with_precision(part: str, precision: float, recall: float) -> None:
    found = total(cases(part))
    assert found.precision >= precision, found.wrong
    assert found.recall >= recall, found.missed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My 5K best is 25:50.", ("user", "5k_best", "25:50", False)),
        ("27:12 today, a new PB over 5K!", ("user", "5k_best", "27:12", False)),
        ("The quota is now 1,200 calls.", ("user", "quota", "1,200 calls", False)),
        ("The API quota is 500 calls.", ("API", "quota", "500 calls", False)),
        ("We raised the rate limit to 900 per minute.", ("rate", "limit", "900 per minute", False)),
        ("Our dentist is Dr Novak.", ("user", "dentist", "Dr Novak", False)),
        ("Ledgerline runs on UpCloud.", ("Ledgerline", "runs_on", "UpCloud", False)),
        ("Workers upgraded to 3.13.", ("Workers", "version", "3.13", False)),
        ("The efoil has a 12V20Ah battery.", ("efoil", "has_battery", "12V20Ah battery", False)),
    ],
)
def test_attributes_of_people_and_things_are_slots(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("We switched from diesel to sqlx.", "diesel", "sqlx"),
        ("I replaced RabbitMQ with NATS.", "RabbitMQ", "NATS"),
        ("Mapbox got too expensive, so we switched to MapLibre.", "Mapbox", "MapLibre"),
        ("Wir sind von MySQL auf Postgres umgestiegen.", "MySQL", "Postgres"),
    ],
)
def test_what_takes_the_place_of_something_ends_it(text: str, old: str, new: str) -> None:
    assert {("user", "uses", old, True), ("user", "uses", new, False)} <= stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My baker, who lives opposite, is called Oona.", ("user", "baker", "Oona", False)),
        ("My uncle, a retired pilot, lives in Hull.", ("user", "uncle_lives_in", "Hull", False)),
        ("Our plumber, Mr Sand, comes on 3 May.", ("user", "plumber", "Mr Sand", False)),
        ("The bike I ride is a Trek Domane.", ("user", "bike", "Trek Domane", False)),
        ("The company I work for is called Norvik.", ("user", "works_at", "Norvik", False)),
        ("The one who looks after payroll is Henrike.", ("Henrike", "responsible_for", "payroll", False)),
        ("There's a roofer we use called Gareth.", ("user", "roofer", "Gareth", False)),
        ("The pool near my office opens at 6:30.", ("user", "pool_opens_at", "6:30", False)),
        ("Dutch is my weakest subject.", ("user", "weakest_subject", "Dutch", False)),
        ("In the evenings some of us play Catan.", ("user", "plays", "Catan", False)),
    ],
)
def test_what_parts_a_subject_from_its_verb_is_read_past(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Since the accident I walk with a stick.", ("user", "walks_with", "stick", False)),
        ("Hobby-wise I'm into model trains.", ("user", "likes", "model trains", False)),
        ("Every summer we drive down to Biarritz.", ("user", "drives_down_to", "Biarritz every summer", False)),
        ("Been a Spurs fan since 1990.", ("user", "is", "Spurs fan", False)),
        ("my thesis supervisor is prof lindqvist", ("user", "thesis_supervisor", "Prof Lindqvist", False)),
        ("my fav card game is rummy", ("user", "favorite_card_game", "rummy", False)),
    ],
)
def test_what_stands_before_the_subject_and_chat_spelling_hide_nothing(
    text: str, expected: tuple[str, str, str, bool]
) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We homeschool our kids.", ("user", "homeschools", "kids", False)),
        ("My cousin Ludo races motorbikes.", ("Ludo", "races", "motorbikes", False)),
        ("I see a physio every other Thursday.", ("user", "sees", "physio every other Thursday", False)),
        ("The cellar floods every winter.", ("user", "cellar_floods", "every winter", False)),
        ("Our keys rotate every ninety days.", ("keys", "frequency", "every ninety days", False)),
        ("The dog gets walked by a neighbour.", ("user", "dog_is_walked_by", "neighbour", False)),
        ("My horse is stabled at Ferndown.", ("user", "horse_is_stabled_at", "Ferndown", False)),
        ("My glasses are minus four.", ("user", "glasses", "minus four", False)),
        ("Council tax costs us 180 a month.", ("Council tax", "costs", "180 a month", False)),
        ("The spare key is under the blue flowerpot.", ("user", "spare_key_is_under", "blue flowerpot", False)),
        ("My mother arrives on the 11th.", ("user", "mother_arrives_on", "11th", False)),
    ],
)
def test_grammar_tells_a_habit_or_a_state_whatever_the_verb(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


def test_a_second_verb_and_it_are_about_the_same_thing() -> None:
    found = stated("Marmot is our ingestion service. It reads from Kafka and writes Parquet.")
    assert {("Marmot", "reads_from", "Kafka", False), ("Marmot", "writes", "Parquet", False)} <= found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There are four flats in our building.", ("user", "building_has", "four flats", False)),
        ("There's twelve of us on the team.", ("user", "team_has", "twelve people", False)),
        ("Bundle must stay under 60 kB.", ("Bundle", "stays_under", "60 kB", False)),
        ("I send my mum 300 a month.", ("user", "sends", "mum 300 a month", False)),
        ("Mum's hip was replaced in 2022.", ("user", "mum_hip_replaced_in", "2022", False)),
        ("The heating comes on at six.", ("user", "heating_comes_on_at", "six", False)),
        ("My driving licence has six points on it.", ("user", "driving_licence_has", "six points", False)),
        ("The wifi code is bluebird77.", ("user", "wifi_code", "bluebird77", False)),
        ("My job title changed to lead analyst.", ("user", "job_title", "lead analyst", False)),
        ("I swim with a club called Les Dauphins.", ("user", "club", "Les Dauphins", False)),
        ("I've hired a student, Caetano, for Saturdays.", ("user", "hired", "student Caetano", False)),
        ("I've got my own pans if that's ok?", ("user", "has", "own pans", False)),
        ("Yusra has admin rights on the cluster.", ("Yusra", "has", "admin rights on the cluster", False)),
        ("I'm Orla, I do the books for three cafés.", ("user", "name", "Orla", False)),
        ("My dentist is ill. He's Dr Ebner, by the way.", ("user", "dentist", "Dr Ebner", False)),
        ("Pay Ravi, he's our treasurer.", ("Ravi", "role", "treasurer", False)),
        ("Mary is ill. She and her husband Pawel moved.", ("Mary", "husband", "Pawel", False)),
        ("Oh no. We're moving to Chester in April.", ("user", "lives_in", "Chester", False)),
        ("Standup is at 9:45, retro every second Friday.", ("retro", "date", "every second Friday", False)),
        ("Dad has Parkinson's.", ("user", "father_health", "Parkinson's", False)),
        ("Everything is fine, minimum is Android 11.", ("user", "minimum", "Android 11", False)),
        ("The new till is a SumUp.", ("user", "till", "SumUp", False)),
        ("Kurze Info: Wir wohnen jetzt in Celle.", ("user", "lives_in", "Celle", False)),
    ],
)
def test_shapes_of_ordinary_talk_are_read(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


def test_children_are_read_by_name_and_age() -> None:
    found = stated("The kids are fine. They're Ottilie, 11, and Bruno, who's nine.")
    assert found >= {
        ("user", "child", "Ottilie", False), ("user", "child", "Bruno", False),
        ("Ottilie", "age", "11", False), ("Bruno", "age", "nine", False),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "In Stardew I'm married to Sebastian and I have sixty chickens.",
        "My bed and I are in a committed relationship.",
        "The test user is called Jane Doe and lives in Leeds.",
        "In my head I drive a combine harvester.",
        "I like the idea of roasted chickpeas and vegan energy chews.",
        "I have to work on a project.",
        "I got a new phone for my dad last week.",
        "My phone battery was really low.",
        "I do enjoy complex, atmospheric shows.",
        "Guided Visualization Book: Create a book about sleep.",
        "We picked San Diego to win the first round.",
        "The sign says: my name is Steve and I am a vet.",
        "My oven has two settings, raw and cremated.",
        "I'm up for a challenge.",
        "As a teenager I was allergic to strawberries.",
    ],
)
def test_half_a_subject_a_story_and_half_a_phrase_state_nothing(text: str) -> None:
    assert stated(text) == set()


def test_only_sentences_about_oneself_count_in_a_text_that_was_pasted() -> None:
    listing = "Title: Five warehouses. Our company was founded in 1990. The average bill is $28.70 a month. " * 12
    assert stated(listing) == set()
    assert stated(f"{listing} I live in Leeds.") == {("user", "lives_in", "Leeds", False)}


@pytest.mark.parametrize(
    ("text", "padding", "place"),
    [
        ("We moved to Hamburg in March. Our son Tom is five. ", "The park is near, so we walk there. ", "Hamburg"),
        ("Wir wohnen in Hamburg. Unser Sohn Tom ist fünf. ", "Der Park ist nah, da gehen wir hin. ", "Hamburg"),
        ("Nous habitons à Lyon. Notre fils Tom a cinq ans. ", "Le parc est proche, nous y marchons. ", "Lyon"),
        ("Vivimos en Sevilla. Nuestro hijo Tom estudia. ", "Nosotros paseamos por el parque. ", "Sevilla"),
    ],
)
def test_long_talk_in_the_plural_is_about_oneself_too(text: str, padding: str, place: str) -> None:
    said = stated(text + padding * 30)
    assert {(SELF, "lives_in", place, False), (SELF, "son", "Tom", False)} <= said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nüsse vertrage ich nicht.", ("user", "intolerant_to", "Nüsse", False)),
        ("Auf Katzenhaare reagiere ich allergisch.", ("user", "allergic_to", "Katzenhaare", False)),
        ("Um die Buchhaltung kümmert sich Frau Kunz.", ("Frau Kunz", "responsible_for", "Buchhaltung", False)),
        ("ich hab jetzt ne Wärmepumpe", ("user", "has", "Wärmepumpe", False)),
        ("Unser Hund hört auf den Namen Balu.", ("user", "pet", "Balu", False)),
        (
            "Freitagnachmittags habe ich Geigenunterricht.",
            ("user", "has", "Geigenunterricht freitagnachmittags", False),
        ),
        ("Meine Waschmaschine ist von Miele.", ("user", "waschmaschine", "Miele", False)),
        ("Das Repo liegt bei GitLab.", ("Repo", "liegen", "bei GitLab", False)),
        ("Unsere Tests dauern zwölf Minuten.", ("user", "tests_dauern", "zwölf Minuten", False)),
    ],
)
def test_german_clauses_are_read_whatever_comes_first(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The new place is 1,150 a month, ouch.", (SELF, "rent", "1,150 a month", False)),
        ("Our new apartment is $2,300 a month.", (SELF, "rent", "$2,300 a month", False)),
        ("Traded my Golf in for a Kia Niro.", (SELF, "uses", "Kia Niro", False)),
    ],
)
def test_homes_have_a_rent_and_chat_leaves_out_who_swapped(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)
    assert not any(predicate == "rent" for _, predicate, _, _ in stated("Tom's flat is 900 a month."))


def test_what_a_turn_names_is_not_owned_as_well() -> None:
    assert stated("My phone is a Pixel 6.") == {(SELF, "phone", "Pixel 6", False)}


def test_a_plan_holds_from_its_day_and_notice_ends_a_job_on_the_last_one() -> None:
    [plan] = [each for each in facts("I start at the BBC on 9 June.") if each.predicate == "works_at"]
    assert plan.since == datetime(2026, 6, 9, tzinfo=UTC) and not plan.ended
    [last] = [each for each in facts("My last day at Nokia is 30 June.") if each.predicate == "works_at"]
    assert (last.object, last.ended, last.until) == ("Nokia", True, datetime(2026, 6, 30, tzinfo=UTC))


def test_a_statement_before_a_question_counts_and_the_question_does_not() -> None:
    assert ("user", "role", "team lead", False) in stated("I've been promoted to team lead, can you believe it?")
    assert stated("Do I live in Rome, or is it Milan?") == set()


def test_whom_a_story_makes_up_is_not_known_in_the_next_turn() -> None:
    turns = ["Write me a scene about Captain Orlo.", "Orlo lives in Oslo.", "I live in Oslo."]
    found = extract([Said(SELF, "user", text, AT) for text in turns], "en", Known()).facts
    assert [(each.turn, each.subject) for each in found] == [(2, SELF)]


def test_a_name_that_follows_is_whom_the_next_clause_is_about() -> None:
    found = stated("Tom talks too much. Her name's Ola, she works at Nokia.", "Malik")
    assert {(each[0], each[1], each[2]) for each in found} == {("Ola", "works_at", "Nokia")}


def test_a_pronoun_is_no_thing_and_no_tool() -> None:
    assert all(each[0] == "user" and each[2] != "I" for each in stated("Oh and I go to Iron Works on Main Street now."))
    assert ("user", "uses", "I", False) not in stated("I replaced RabbitMQ with NATS.")


def test_each_turn_is_read_in_its_own_language() -> None:
    turns = [Said("Léa", "user", "J'habite à Lyon.", AT), Said("Pablo", "user", "Yo vivo en Sevilla.", AT)]
    found = extract(turns, "fr", Known()).facts
    assert {(each.subject, each.object) for each in found} == {("Léa", "Lyon"), ("Pablo", "Sevilla")}


@pytest.mark.parametrize(
    ("text", "language"),
    [("I live in Leeds.", "en"), ("Ich wohne in Köln.", "de"), ("J'habite à Lyon.", "fr"), ("Vivo en Sevilla.", "es")],
)
def test_the_language_of_a_short_text_is_told_by_its_words(text: str, language: str) -> None:
    assert detect([text]) == language


@pytest.mark.parametrize(
    ("predicate", "single"),
    [("5k_best", True), ("has_battery", True), ("favourite_food", True), ("likes", False), ("hobby", False)],
)
def test_attributes_have_one_value_at_a_time(predicate: str, single: bool) -> None:
    assert single_valued(predicate) == single


@pytest.mark.parametrize(
    ("text", "ahead", "day"),
    [
        ("on 9 June", True, "2026-06-09"),
        ("ab 1. Juli", True, "2026-07-01"),
        ("the first of May", False, "2026-05-01"),
        ("Ende Juni", True, "2026-06-30"),
        ("since Monday", False, "2026-06-01"),
        ("we may go", True, ""),
    ],
)
def test_dates_are_seen_from_when_they_were_said(text: str, ahead: bool, day: str) -> None:
    found = moment(text, AT, ahead=ahead)
    assert (found.date().isoformat() if found else "") == day


def test_blind_rounds_are_read_as_well_as_they_once_were() -> None:
    rounds = [reading(each) for each in ROUNDS]
    wanted = sum((each.wanted for each in rounds), Counter[str]())
    found = sum((each.found for each in rounds), Counter[str]())
    assert all(found[each] >= 0.75 * wanted[each] for each in ("en", "de", "fr", "es")), found
    taken = [text for each in rounds for text in each.taken]
    assert len(taken) <= 0.05 * sum(each.jests for each in rounds), taken
    turns = Score()
    for each in rounds:
        turns.add(each.turns)
    assert turns.recall >= 0.65, turns.missed
    assert turns.precision >= 0.93, turns.wrong


@pytest.mark.parametrize(
    "text",
    [
        "I'm looking for a casual, mid-range place for Friday.",
        "I need actionable data. It rains daily.",
        "I'm working on a project that is due soon.",
        "I've been using a mix of methods.",
        "I do tend to fly with big airlines.",
        "My first attempt last weekend was a disaster.",
        "I have a friend who is tall and vegan.",
        "My phone's screen is cracked.",
        "I'm moving to Edinburgh soon and need help before August 15th.",
    ],
)
def test_what_matters_for_a_moment_is_no_fact(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "My bag weighs a ton.",
        "My dad owns every screwdriver in Europe.",
        "I have two settings: asleep and late.",
        "My cooking has three stars, all of them warnings.",
        "I collect half-finished mugs of tea.",
        "My dream kitchen has two ovens.",
        "My toddler manages a team.",
        "My husband speaks fluent grunt.",
        "I'm rewatching Friends, Ross works at a museum.",
        "For the play I'm a nurse called Edith.",
        "As Dolly sings, I work nine to five.",
        "Growing up we had a goat named Elvis.",
    ],
)
def test_what_is_overstated_twisted_or_made_up_is_no_fact(text: str) -> None:
    assert [each for each in facts(text) if not each.ended] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Frontend stays on Vue 3. We use Vite.", (SELF, "uses", "Vite", False)),
        ("Mention that my daughter has asthma.", (SELF, "daughter_health", "asthma", False)),
        ("My dad's knees are bad. He's 74.", (SELF, "father_age", "74", False)),
        ("My mum lives near. Her name is Bernadette.", (SELF, "mother", "Bernadette", False)),
        ("Neither of us eats meat.", (SELF, "does_not_eat", "meat", False)),
        ("The code freeze starts on Friday.", (SELF, "code_freeze_starts_on", "Friday", False)),
        ("I joined a gym last week.", (SELF, "joined", "gym", False)),
        ("I'm taking the backend over.", (SELF, "owns", "backend", False)),
        ("We deploy on Tuesdays.", (SELF, "deploys_on", "Tuesdays", False)),
        ("I quit the lisinopril.", (SELF, "takes", "lisinopril", True)),
        ("She's a nurse. My sister is a nurse, she'd know.", (SELF, "sister_role", "nurse", False)),
        ("We've moved the CI to Woodpecker.", ("CI", "runs_on", "Woodpecker", False)),
    ],
)
def test_what_stands_around_a_clause_tells_whom_and_what_it_is_about(
    text: str, expected: tuple[str, str, str, bool]
) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I collect fountain pens.", (SELF, "collects", "fountain pens", False)),
        ("We heat the cabin with a stove.", (SELF, "heats", "cabin with a stove", False)),
        ("I don't touch whisky.", (SELF, "does_not_touch", "whisky", False)),
        ("I've taught judo for six years.", (SELF, "teaches", "judo for six years", False)),
        ("She broke her ankle? No, I broke my wrist in May.", (SELF, "broke", "wrist in May", False)),
        ("I used to collect stamps.", (SELF, "collects", "stamps", True)),
        ("I don't swim any more because of my shoulder.", (SELF, "does", "swim", True)),
        ("I've stopped running.", (SELF, "does", "running", True)),
        ("I'm on the board.", (SELF, "is_on", "board", False)),
        ("I studied hard at Oxford.", (SELF, "studied_at", "Oxford", False)),
        ("The logs are in the channel #ops.", ("logs", "stored_in", "#ops", False)),
        ("I don't work on Fridays any more.", (SELF, "works_on", "Fridays", True)),
        ("Our lease ends in August.", (SELF, "lease_ends_in", "August", False)),
        ("Releases are tagged by Oksana.", ("Releases", "tagged_by", "Oksana", False)),
        ("I've got a rented garage. It is 140 a month.", (SELF, "rented_garage_value", "140 a month", False)),
        ("Ich sammle Postkarten.", (SELF, "sammeln", "Postkarten", False)),
        ("Wir heizen mit Pellets.", (SELF, "heizen", "mit Pellets", False)),
        ("Je fais de l'escalade le mardi soir.", (SELF, "fais", "escalade le mardi soir", False)),
        (
            "No tenemos televisión, pero tenemos una radio vieja en la cocina.",
            (SELF, "does_not_have", "televisión", False),
        ),
    ],
)
def test_slots_without_a_rule_take_the_verb_as_their_name(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "I think about pens a lot.",
        "I collect pens and despair.",
        "I collect pens, said no one ever.",
        "I own nine thousand pens.",
        "I sleep in a drawer.",
        "I collect pens 😂",
        "Our cat works in finance.",
        "My wallet is on a diet.",
        "I speak fluent toddler.",
        "My star sign is hungry.",
        "I have no idea.",
        "We push each other.",
        "I went to the shop.",
    ],
)
def test_slots_without_a_rule_hold_no_thoughts_no_moments_and_no_jests(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My sister moved to Leeds.", (SELF, "sister_lives_in", "Leeds", False)),
        ("My husband is on leave.", (SELF, "husband_is_on", "leave", False)),
        ("Our cat is diabetic.", (SELF, "cat_health", "diabetic", False)),
        ("Meine Schwester ist nach Kassel gezogen.", (SELF, "sister_lives_in", "Kassel", False)),
        ("Mon mari est cuisinier dans un lycée.", (SELF, "husband_role", "cuisinier", False)),
        ("Mi marido es fontanero.", (SELF, "husband_role", "fontanero", False)),
        ("My sister Ana is on leave.", ("Ana", "is_on", "leave", False)),
    ],
)
def test_relatives_without_a_name_have_facts_too(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


def test_a_relative_whom_one_has_once_moves_and_one_of_several_does_not() -> None:
    assert single_valued("wife_lives_in")
    assert not single_valued("sister_lives_in")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mein Sohn ist zwanzig.", (SELF, "son_age", "zwanzig", False)),
        ("Mein Vater ist dreiunddreißig.", (SELF, "father_age", "dreiunddreißig", False)),
        ("Mein Sohn ist siebzehn.", (SELF, "son_age", "siebzehn", False)),
        ("I am the head of sales.", (SELF, "role", "head of sales", False)),
        ("I'm Head of Sales at Acme.", (SELF, "role", "Head of Sales", False)),
        ("I'm the head of a primary school.", (SELF, "role", "head of a primary school", False)),
        ("I'm opening an office in Leeds.", (SELF, "opening", "office in Leeds", False)),
        ("I took up pottery.", (SELF, "took_up", "pottery", False)),
        ("The wifi code is bluebird77.", (SELF, "wifi_code", "bluebird77", False)),
    ],
)
def test_words_of_a_kind_are_read(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mein Sohn ist witzig.",
        "Mein Chef ist geizig.",
        "I'm opening my office door now.",
        "I'm opening a bar tab.",
        "I took up my bag and left.",
        "I took up the carpet.",
        "The key is sk42abcdef.",
        "Our Stripe key is sk42abcdef.",
        "My token is ghp12345.",
    ],
)
def test_words_that_only_look_of_a_kind_state_nothing(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    "text",
    ["Élodie préfère Paris", "Léa a mangé", "Arrivée: café René", "Répète après Zoé", "J'ai déménagé, Léa aussi"],
)
def test_an_accent_that_french_has_too_does_not_make_a_text_spanish(text: str) -> None:
    assert detect([text]) in ("fr", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There's a plumber I trust called Gareth.", (SELF, "plumber", "Gareth", False)),
        ("There's a girl in my class called Anna.", (SELF, "girl", "Anna", False)),
        ("There's a cat called Tom in our garden.", (SELF, "pet", "Tom", False)),
        ("The nurse I see is called Bernice.", (SELF, "nurse", "Bernice", False)),
        ("The instrument I play is the cello.", (SELF, "instrument", "cello", False)),
        ("The camera I use is a Fujifilm.", (SELF, "camera", "Fujifilm", False)),
    ],
)
def test_what_there_is_and_what_we_do_something_with_is_ours_where_it_is_told(
    text: str, expected: tuple[str, str, str, bool]
) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "There is a wife called Penelope in the Odyssey.",
        "There is a boss called Margit in Elden Ring.",
        "There's a company called Acme that sells glue.",
        "There is a city called Ulm.",
        "There's a girl called Anna in the news.",
        "There's a dog at the shelter called Rex.",
        "The dog I read about is called Laika.",
        "The car I see is red.",
        "The team we play is Arsenal.",
    ],
)
def test_what_there_is_and_what_we_see_is_not_ours(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Rome years ago.", {(SELF, "lives_in", "Rome", False)}),
        ("I joined Siemens years ago.", {(SELF, "works_at", "Siemens", False)}),
        ("I live in Rome, growing up in Kiel was hard.", {(SELF, "lives_in", "Rome", False)}),
        ("My kids are growing up fast, we live in Rome.", {(SELF, "lives_in", "Rome", False)}),
        ("I live in Rome, as a student I lived in Kiel.", {(SELF, "lives_in", "Rome", False)}),
        ("I have been allergic to nuts as a child and still am.", {(SELF, "allergic_to", "nuts", False)}),
        ("I was allergic to nuts as a child.", set()),
        ("As a kid, I lived in Kiel.", set()),
        ("Growing up in Kiel, my dog Rex was my friend.", set()),
        ("We had a dog called Rex, years ago.", set()),
        ("As a student I worked at Aldi and I lived in Kiel.", set()),
    ],
)
def test_words_of_another_time_count_in_their_own_clause(text: str, expected: set[tuple[str, str, str, bool]]) -> None:
    assert stated(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I lay bricks.", (SELF, "lays", "bricks", False)),
        ("I race motorbikes.", (SELF, "races", "motorbikes", False)),
        ("I restart the server every Monday.", (SELF, "restarts", "server every Monday", False)),
        ("We sign commits with GPG.", (SELF, "signs", "commits with GPG", False)),
    ],
)
def test_a_verb_on_no_list_tells_a_habit(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "We rebuilt the billing service.",
        "I reshot the video.",
        "I dug a hole.",
        "I shut the window.",
        "I lay on the beach.",
        "I click the save button.",
        "I restart the server.",
        "We merge the branch.",
    ],
)
def test_what_was_done_or_is_done_to_one_thing_is_no_habit(text: str) -> None:
    assert stated(text) == set()


def test_what_was_lent_is_still_owned_and_no_habit() -> None:
    assert stated("I lent my bike to Tom.") == {(SELF, "owns", "bike", False)}


@pytest.mark.parametrize(
    "text",
    [
        "Because of the holiday, this week the recycling goes out on Friday.",
        "For once, our choir meets on Tuesday.",
        "Wegen des Feiertags kommt diese Woche der Müll am Freitag.",
        "Ausnahmsweise arbeite ich dienstags im Lager.",
    ],
)
def test_an_exception_states_nothing_that_lasts(text: str) -> None:
    assert stated(text) == set()


def test_what_began_this_week_or_is_so_each_week_is_no_exception() -> None:
    assert (SELF, "lives_in", "Leeds", False) in stated("This week we moved to Leeds.")
    assert ("choir", "date", "Tuesday", False) in stated("From this week on, our choir meets on Tuesday.")
    assert stated("I swim in the lake just once a week.") != set()


@pytest.mark.parametrize(
    "text",
    [
        "The vet on Mill Road is good, we're registered there.",
        "Rosalind is home with all her boxes.",
        "The tiles are stuck in Hull, so they'll start on 12 May.",
        "I'm doing bits for myself.",
        "The vicar and I have shaken hands on it.",
        "I've got my Tuesdays with the door locked.",
        "My bus gets in at six.",
        "The book club went to the Corn Hall for one evening.",
        "The gas man came at eight and stayed for tea.",
        "My GP upped me to 40 of the citalopram.",
        "I dread the invoices, but there's no getting around it.",
        "Saw a house in Leeds with a big garden.",
        "Meine Oma läuft den Enten hinterher.",
        "Gesichert wird auf eine Platte, die ich mit nach Hause nehme.",
        "Es klingelt, ehe ich die Tür geschlossen habe.",
        "Ute und ich haben uns im Guten getrennt.",
        "Für den Regen habe ich ein kleines Dach in Grau danebengebaut.",
        "Gerade sitze ich an einem Text über Moose.",
    ],
)
def test_what_points_elsewhere_or_tells_of_a_moment_states_nothing(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i bank with monzo and petra does my taxes", (SELF, "banks_with", "monzo", False)),
        ("My bike is a Pashley I've had since I was ten.", (SELF, "bike", "Pashley", False)),
        ("I walk Mrs. Lowe's terrier on Mondays.", (SELF, "walks", "Mrs. Lowe's terrier on Mondays", False)),
        ("My car's a blue Polo with a dent.", (SELF, "car", "blue Polo", False)),
        ("I cancelled the Echo and read the Post on my tablet.", (SELF, "cancelled", "Echo", False)),
        ("My boat is the blue Shrimper in the yard.", (SELF, "boat", "blue Shrimper", False)),
        ("Zur Arbeit nehme ich den Bus um 6:35 Uhr.", (SELF, "nehmen", "zur Arbeit den Bus um 6:35 Uhr", False)),
        ("Mein Vertrag ist bei Telering und kostet 15 Euro.", (SELF, "vertrag_is", "bei Telering", False)),
        ("Wir singen im Kirchenchor St. Paul.", (SELF, "singen", "im Kirchenchor St. Paul", False)),
        ("My husband works at the Derby and Burton.", (SELF, "husband_works_at", "Derby and Burton", False)),
        ("Elspeth, our niece, is in Truro studying law.", ("Elspeth", "is_in", "Truro", False)),
        ("Our signs are painted by hand by Ada Quirk.", (SELF, "signs_painted_by", "Ada Quirk", False)),
        ("Strom beziehe ich von Badenova.", (SELF, "beziehen", "Strom von Badenova", False)),
        ("Meine Haare trage ich bis zur Hüfte.", (SELF, "tragen", "Haare bis zur Hüfte", False)),
        ("Montags gehe ich in die Goetheschule.", (SELF, "school", "Goetheschule", False)),
    ],
)
def test_a_value_is_the_phrase_in_its_order_and_nothing_else(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


def test_to_be_with_somebody_is_no_job() -> None:
    assert stated("I'm with Rosalind now.") == {(SELF, "is_with", "Rosalind", False)}


def test_a_german_friend_is_said_once() -> None:
    assert len([each for each in facts("Meine Freundin Doris lebt in Bremen.") if each.object == "Doris"]) == 1


@pytest.mark.parametrize(
    ("text", "object"),
    [
        ("The hall is only free in spring, so the big day is 30 August.", "30 August"),
        ("The regatta at Henley is on 14 June.", "14 June"),
        ("The shop on the web is on Shopify.", "Shopify"),
    ],
)
def test_a_turn_says_a_thing_once(text: str, object: str) -> None:
    assert len([each for each in facts(text) if each.object == object]) == 1


def test_an_animal_with_a_name_is_no_other_animal_besides() -> None:
    assert {each.predicate for each in facts("We have a dog, a beagle named Bix.")} == {"pet"}


def test_a_sentence_that_says_just_this_once_is_about_the_one_before() -> None:
    assert stated("Our choir meets on Tuesday. Just this once.") == set()
    assert stated("Our choir meets on Tuesday. Just come along.") != set()


def answered(question: str, answer: str, asker: str = "assistant") -> set[tuple[str, str, str, bool]]:
    asked = Said(asker, "assistant" if asker == "assistant" else "user", question, AT)
    turns = [asked, Said(SELF, "user", answer, AT)]
    found = extract(turns, detect([question, answer]), Known()).facts
    return {(each.subject, each.predicate, each.object, each.ended) for each in found if each.turn == 1}


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("What's your shoe size?", "42, narrow", ("user", "shoe_size", "42", False)),
        ("And how old is your daughter?", "nine, ten in March", ("user", "daughter_age", "nine", False)),
        ("Which queue do you use there?", "Redis streams, not rabbit", ("user", "queue", "Redis streams", False)),
        ("What about the DNS TTL?", "300 seconds since yesterday", ("DNS TTL", "value", "300 seconds", False)),
        ("What's the smallest width we support? I forget.", "360 px", ("user", "smallest_width", "360 px", False)),
        ("Same ssh port?", "2207", ("user", "ssh_port", "2207", False)),
        ("Who looks after billing now?", "Dana", ("Dana", "responsible_for", "billing", False)),
        ("Do you have any allergies?", "just peanuts", ("user", "allergic_to", "peanuts", False)),
        ("Are you a nurse there?", "physio. eight years now", ("user", "role", "physio", False)),
        ("What time is the party?", "half past seven", ("party", "time", "half past seven", False)),
        ("How much is the rent now?", "950 a month", ("user", "rent", "950 a month", False)),
        ("Und hast du auch Allergien oder nicht?", "Nüsse, leider", ("user", "allergic_to", "Nüsse", False)),
        ("Where do you live?", "Leeds, near the station", ("user", "lives_in", "Leeds", False)),
        ("When is your wedding?", "5 September", ("user", "wedding", "5 September", False)),
        ("Where does Tomasz work these days?", "he's at Zalando now", ("Tomasz", "works_at", "Zalando", False)),
        ("Is billing the one that talks to Oracle?", "It's Postgres 15", ("user", "billing", "Postgres 15", False)),
        ("Wie alt bist du?", "44, nächste Woche 45", ("user", "age", "44", False)),
        ("Wie heißt deine Schwester?", "Annegret", ("user", "sister", "Annegret", False)),
        ("Wo wohnst du jetzt?", "in Göttingen", ("user", "lives_in", "Göttingen", False)),
        ("Wie viel verdient man denn da", "Omaaa. 3.900 brutto", ("user", "salary", "3.900", False)),
        ("Als was denn jetzt genau?", "Projektingenieurin, Fernwärme", ("user", "role", "Projektingenieurin", False)),
        ("Hast du eine neue Nummer oder die alte?", "0172 5550143, die", ("user", "number", "0172 5550143", False)),
    ],
)  # fmt: skip
def test_a_short_answer_states_what_was_asked(question: str, answer: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in answered(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's your shoe size?", "No idea, 42 maybe"),
        ("What skills do you have?", "Skills, huh?"),
        ("What helps you stay motivated?", "Thanks Jon!"),
        ("Do you have any allergies?", "none that I know of"),
        ("Are you a nurse there?", "yes, sort of"),
        ("Luis, do you have any siblings?", "One, far away. She's in Basel."),
        ("What's the plan?", "Pizza at 8"),
        ("What's my address?", "12 Albert Road"),
        ("How does it feel?", "Weird"),
        ("Is the door closed?", "It is, 100 percent"),
        ("I live in Rome.", "Leeds"),
        ("Wie heißt deine Schwester?", "weiß ich nicht"),
    ],
)
def test_an_answer_that_is_none_and_a_question_for_the_asker_state_nothing(question: str, answer: str) -> None:
    assert answered(question, answer) == set()


def test_nobody_answers_their_own_question() -> None:
    turns = [Said(SELF, "user", each, AT) for each in ("What's my shoe size?", "Same ssh port?", "2207")]
    assert extract(turns, "en", Known()).facts == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Piotr. He's at Zalando now.", ("Piotr", "works_at", "Zalando", False)),
        ("Spoke to Ana. She lives in Leeds.", ("Ana", "lives_in", "Leeds", False)),
        ("Can you help with a card for my sister? She lives in York.", ("user", "sister_lives_in", "York", False)),
        ("Ana got the job! starts at Brightwater on Monday", ("Ana", "works_at", "Brightwater", False)),
        ("Does the mail service handle it? It caps at 250 MB.", ("user", "mail_service_caps_at", "250 MB", False)),
        ("the workers got killed, they only have 2 gigs each", ("user", "workers_has", "2 gigs each", False)),
    ],
)  # fmt: skip
def test_who_he_and_what_it_is_stands_in_the_sentence_before(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "I met Tom and Ana. She lives in Leeds.",
        "He assumes that I own my flat and drive a company car.",
        "Reservations. He has a wife called Monica.",
        "takes the biscuit. loves to sing.",
        "Can you tell me that I live in Leeds?",
        "What I need is a plan.",
        "It's the thought that counts.",
        "Is he the one who runs the shop?",
        "The bar is over 30 minutes away.",
    ],
)
def test_who_is_meant_must_be_sure(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What I really can't stand is coriander.", ("user", "dislikes", "coriander", False)),
        ("It's the parking permit that runs out on 3 November.", ("parking permit", "expiry", "3 November", False)),
        ("From Monday on, Ada is the one who owns the search component.", ("Ada", "owns", "search component", False)),
        ("Since I joined Fennimore Labs I hardly see daylight.", ("user", "works_at", "Fennimore Labs", False)),
        ("Being a vegetarian, I'd rather skip it.", ("user", "diet", "vegetarian", False)),
        ("The tender has to be in by 30 June.", ("tender", "deadline", "30 June", False)),
        ("You can reach Gwen on 07911 555 208 after six.", ("Gwen", "phone_number", "07911 555 208", False)),
        ("The dentist can fit me in on 14 October.", ("user", "dentist_appointment", "14 October", False)),
        ("Uploads bigger than 25 MB get rejected.", ("user", "upload_limit", "25 MB", False)),
        ("I ran the 10k in 52:18.", ("user", "10k_time", "52:18", False)),
        ("Note that the landlady, a Mrs Okafor, only answers texts.", ("user", "landlady", "Mrs Okafor", False)),
        ("team lead from the first of July", ("user", "role", "team lead", False)),
        ("I play the cello, though the neighbours would call it noise.", ("user", "plays", "cello", False)),
        ("Can you note that I'm allergic to penicillin?", ("user", "allergic_to", "penicillin", False)),
        ("Ring me on 07911 555 208 if it's too big.", ("user", "phone_number", "07911 555 208", False)),
        ("I've moved, it's 14 Marlow Road now.", ("user", "address", "14 Marlow Road", False)),
        ("Quarry Lane 27 is ours as of Friday.", ("user", "address", "Quarry Lane 27", False)),
        ("Landlord's put the rent up to 1,150.", ("user", "rent", "1,150", False)),
        ("It's my birthday on the 9th of May.", ("user", "birthday", "9th of May", False)),
        ("Aunt Philippa keeps alpacas.", ("Aunt Philippa", "keeps", "alpacas", False)),
        ("My best friend since school is Katya.", ("user", "friend", "Katya", False)),
        ("My blood type's O negative.", ("user", "blood_type", "O negative", False)),
        ("The booking reference is QX4T9L.", ("user", "booking_reference", "QX4T9L", False)),
        ("The wedding is on 22 May in York.", ("wedding", "place", "York", False)),
        ("Her wedding's set for 5 September.", ("user", "wedding_date", "5 September", False)),
        ("The tram to the hospital takes 25 minutes.", ("user", "tram_to_hospital_takes", "25 minutes", False)),
        ("Linode boxes get switched off on 10 May.", ("Linode boxes", "switched_off_on", "10 May", False)),
    ],
)  # fmt: skip
def test_emphasis_duty_and_offers_are_read_as_plain_clauses(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sessions last 8 hours by the way", ("user", "sessions_lasts", "8 hours", False)),
        ("bk-1 now has 4 TB", ("user", "bk1_has", "4 TB", False)),
        ("the repo's default branch is now called trunk", ("user", "repo_default_branch_called", "trunk", False)),
        ("dad's 70 on Saturday", ("user", "father_age", "70", False)),
        ("dietitian on the 5th of nov", ("dietitian", "date", "5th of Nov", False)),
        ("dad is from Stockport", ("user", "father_comes_from", "Stockport", False)),
        ("gf is vegan", ("user", "girlfriend_diet", "vegan", False)),
        ("allergic to penicillin btw", ("user", "allergic_to", "penicillin", False)),
        ("weigh 94 kg", ("user", "weight", "94 kg", False)),
        ("exam on 12 June", ("exam", "date", "12 June", False)),
        ("I'm 1.66", ("user", "height", "1.66", False)),
        ("I'm a size 42", ("user", "size", "42", False)),
        ("I'm on 46,500 before tax.", ("user", "salary", "46,500", False)),
        ("I take 75 micrograms of thyroxine at seven.", ("user", "takes", "75 micrograms of thyroxine", False)),
        ("I come out in hives from eggs", ("user", "allergic_to", "eggs", False)),
        ("I gave up dairy in November", ("user", "does_not_eat", "dairy", False)),
        ("I grew up in Limerick.", ("user", "comes_from", "Limerick", False)),
    ],
)
def test_notes_without_article_or_subject_are_read(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert stated(text) == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich bin 84 und nicht doof.", ("user", "age", "84", False)),
        ("Trommelwirbel: ab 1. Mai bin ich bei den Stadtwerken Bonn.", ("user", "works_at", "Stadtwerken Bonn", False)),
        ("Montags hab ich jetzt immer frei.", ("user", "has", "frei montags", False)),
        ("Von Erdbeeren kriege ich Ausschlag.", ("user", "intolerant_to", "Erdbeeren", False)),
        ("Mein Sohn heißt Tom. Kuhmilch verträgt er nicht.", ("Tom", "intolerant_to", "Kuhmilch", False)),
        ("Am 3. Mai um acht muss ich zum Augenarzt.", ("user", "augenarzt_appointment", "3. Mai um acht", False)),
        ("Ich hab ne Wohnung! Geismarlandstraße 61, zweiter Stock", ("user", "address", "Geismarlandstraße 61", False)),
        ("Das Rad von Opa steht im Keller.", ("Rad von Opa", "located_in", "Keller", False)),
        ("Aylins Eltern wohnen in Bremen.", ("Aylin", "eltern_lives_in", "Bremen", False)),
        ("Heiligabend bei uns um 17 Uhr.", ("Heiligabend", "time", "17 Uhr", False)),
        ("Die Gästeliste ist auf 60 Personen begrenzt.", ("Gästeliste", "limit", "60 Personen", False)),
        ("Mein Pass läuft im März 2029 ab.", ("user", "pass_expiry", "März 2029", False)),
        ("Erreichen kannst du mich unter 0341 5550187.", ("user", "phone_number", "0341 5550187", False)),
        ("Tante Gerlinde ist nach Passau gezogen.", ("Tante Gerlinde", "lives_in", "Passau", False)),
        ("Abgabe für den Antrag ist der 28. Februar.", ("Abgabe", "date", "28. Februar", False)),
        ("Emil wird am 8. Mai eins, glaube ich.", ("Emil", "age", "eins", False)),
        ("Mittwochs ist Chor.", ("Chor", "date", "Mittwochs", False)),
        ("Vermieterin ist Frau Krause.", ("user", "landlord", "Frau Krause", False)),
        ("Mein Bruder ist Lehrer in Ulm.", ("user", "brother_role", "Lehrer", False)),
        ("Meine Oma wird im Mai neunzig.", ("user", "grandmother_age", "neunzig", False)),
    ],
)  # fmt: skip
def test_german_talk_of_other_word_orders_is_read(text: str, expected: tuple[str, str, str, bool]) -> None:
    assert expected in stated(text)


@pytest.mark.parametrize(
    ("text", "not_stated"),
    [
        ("Mein Mann heißt Jörg und arbeitet bei Bosch.", ("user", "works_at", "Bosch", False)),
        ("Mein Bruder ist Lehrer in Ulm.", ("user", "brother", "Lehrer", False)),
        ("Meine beste Freundin heißt Lara und wohnt in Köln.", ("user", "girlfriend_name", "Lara", False)),
        ("Wir sind zu viert: mein Mann, ich und zwei Kinder.", ("user", "unden", "zwei Kinder", False)),
        ("Thomas: Ab 1. Mai bin ich bei den Stadtwerken Bonn.", ("user", "works_at", "Stadtwerken Bonn", False)),
        ("dad is from Stockport", ("dad", "provided_by", "Stockport", False)),
        ("I'm 1.66", ("user", "age", "1", False)),
        ("The kitty is at 64 quid.", ("kitty", "time", "64", False)),
        ("The shop is at 3 High Street.", ("shop", "time", "3", False)),
        ("I've ordered the Lamborghini. No, my nan's giving me her Micra.", ("user", "ordered", "Lamborghini", False)),
        ("In the end I play Qd1#.", ("user", "plays", "Qd1#", False)),
        ("The Linode boxes are switched off on 10 May.", ("Linode", "boxes", "are switched off on 10 May", False)),
    ],
)
def test_what_only_looks_like_a_statement_is_none(text: str, not_stated: tuple[str, str, str, bool]) -> None:
    assert not_stated not in stated(text)
