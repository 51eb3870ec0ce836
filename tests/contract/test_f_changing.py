"""What a later turn says is over or changed: marked where no rule named the slot, and never what still holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ricordo.blocking import Memory
from ricordo.models import Hit
from ricordo.settings import Settings
from stores import settings_for

#: Old and new value, each with a question for now and one for before.
CHANGED = {
    "shed": (
        "The spare key is under the blue pot.",
        "I moved the spare key to the shed, second shelf.",
        "Where is the spare key?",
        "Where was the spare key before?",
    ),
    "given up, without a word of the question": (
        "Feature flags are in LaunchDarkly.",
        "LaunchDarkly is history, Unleash does that for us.",
        "What do we use for feature flags?",
        "What did we use for feature flags before Unleash?",
    ),
    "in the other clause": (
        "Our broadband comes from Plusnet.",
        "We've gone with Zen for broadband, it was time.",
        "Who is our broadband provider?",
        "Which broadband did we use to have?",
    ),
    "figure": (
        "Eleven cafes are on the round.",
        "The round has grown to sixteen cafes.",
        "How many cafes are on the round?",
        "How many cafes were on the round at first?",
    ),
    "what became of it, and what is so instead": (
        "Colette does my hair once a month.",
        "Colette is on leave, for the time being a man called Andre does my hair.",
        "Who does my hair?",
        "Who did my hair before Andre?",
    ),
    "the same, in lower case": (
        "For the migraines I take propranolol.",
        "He's taken me off the propranolol and given me candesartan for the migraines.",
        "What do I take for my migraines?",
        "What did I take for my migraines at first?",
    ),
    "put elsewhere": (
        "The ladder hangs in the garage.",
        "I found the ladder on the floor, so I've put it in the loft.",
        "Where is the ladder?",
        "Where was the ladder before?",
    ),
    "what became of it, in German": (
        "Mein Lehrling heißt Enes.",
        "Enes ist nach Kiel gegangen. Als Lehrling habe ich Hanna genommen.",
        "Wie heißt mein Lehrling?",
        "Wie hieß mein Lehrling vor Hanna?",
    ),
    "in German": (
        "Der Stammtisch ist im Löwen.",
        "Der Stammtisch wurde in die Krone verlegt.",
        "Wo ist der Stammtisch?",
        "Wo war der Stammtisch früher?",
    ),
    "turned off, and what began instead": (
        "Login is handled by Auth0.",
        "We rolled our own login with Lucia and turned Auth0 off.",
        "What handles login?",
        "What handled login before?",
    ),
    "a past that does not end in ed": (
        "Transactional mail goes through SendGrid.",
        "Receipts and resets are sent by Postmark, SendGrid kept landing us in spam.",
        "Which service sends our transactional mail?",
        "Which service sent our transactional mail before?",
    ),
    "what is asked for is itself over": (
        "My locker is number 212.",
        "They gave my locker away, it's 87 that I have.",
        "What is my locker number?",
        "What was my locker number before?",
    ),
    "in messages that also ask": (
        "I'm targeting 1,200 words per week, could you track my progress?",
        "My weekly target was adjusted to 1,350 words, so how can I make sure that I meet it?",
        "What is my weekly target of words?",
        "What was my weekly target of words before?",
    ),
    "in German, in other forms of the words": (
        "Der Schulchor probt dienstags in der siebten Stunde.",
        "Der Chor probt nicht mehr dienstags, sondern freitags nach der Pause.",
        "Wann probt der Schulchor?",
        "Wann hat der Schulchor früher geprobt?",
    ),
    "in German, since a time": (
        "Ich bin Klassenlehrer der 7b.",
        "Seit dem Schuljahr bin ich Klassenlehrer der 8a.",
        "Welche Klasse habe ich als Klassenlehrer?",
        "Welche Klasse hatte ich vorher als Klassenlehrer?",
    ),
    "in German, asked with was": (
        "Gegen den Heuschnupfen nehme ich Cetirizin.",
        "Cetirizin macht mich müde, ich nehme Loratadin gegen den Heuschnupfen.",
        "Was nehme ich gegen den Heuschnupfen?",
        "Was habe ich früher gegen den Heuschnupfen genommen?",
    ),
    "another time, without a word of change": (
        "The library closes at 19:00.",
        "The library closes at 18:30.",
        "When does the library close?",
        "When did the library use to close?",
    ),
    "another amount, without a word of change": (
        "My dose of metformin is 500 mg.",
        "My dose of metformin is 850 mg.",
        "Which dose of metformin do I take?",
        "What was my dose of metformin before?",
    ),
    "another day, in German": (
        "Der Chor probt am Mittwoch.",
        "Der Chor probt am Donnerstag.",
        "Wann probt der Chor?",
        "Wann hat der Chor früher geprobt?",
    ),
    "a change that was made on one day": (
        "We live in Hull.",
        "We moved to Leeds last Friday.",
        "Where do we live?",
        "Where did we live before Leeds?",
    ),
    "again, in German": (
        "Ich arbeite bei Siemens.",
        "Ich arbeite jetzt wieder bei Bosch.",
        "Wo arbeite ich?",
        "Wo habe ich vor Bosch gearbeitet?",
    ),
}
#: Two turns that both hold, though they share words, and a question that finds both.
HOLD = {
    "doubt": ("Yoga is on Mondays with Saoirse.", "Someone said that yoga might be moved to Sundays.", "When is yoga?"),
    "one thing more": ("Our cat is called Mungo.", "We've got a new cat as well, Biscotti.", "What is our cat called?"),
    "two things": (
        "The billing service is hosted in Dublin.",
        "We moved the search service to Ohio.",
        "Where is the billing service hosted?",
    ),
    "two people": ("My mother lives in Hull.", "My sister has moved to Leeds.", "Where does my mother live?"),
    "a denial": ("Uploads are capped at 25 MB.", "We didn't raise the uploads to 50 MB.", "How big may uploads be?"),
    "two kinds of one thing": (
        "The test server has 16 GB of memory.",
        "The build server has 64 GB of memory.",
        "How much memory does the test server have?",
    ),
    "one thing more, in German": (
        "Unsere Katze heißt Minka.",
        "Wir haben jetzt auch eine zweite Katze, Mohrle.",
        "Wie heißt unsere Katze?",
    ),
    "a name in passing": ("My doctor is Dr Salter.", "I met Dr Salter at the market in Ripon.", "Who is my doctor?"),
    "a word for change that names a thing": (
        "I teach the bottom set of year ten.",
        "Somebody guessed the code, so I set it to 9026.",
        "Which set do I teach?",
    ),
    "days of two things, in German": (
        "Brot hole ich samstags bei Bäcker Tönnies.",
        "Zum Pilates gehe ich jetzt montags.",
        "Wo hole ich Brot?",
    ),
    "two questions for one word": (
        "Mei looks after the booking service.",
        "The booking service runs on Postgres.",
        "Who looks after the booking service?",
    ),
    "a question whether it changed": (
        "The standup is at nine.",
        "Did the standup move to ten?",
        "When is the standup?",
    ),
    "a sort of it, in German": (
        "Mein Arzt ist Doktor Kahl.",
        "Mein neuer Zahnarzt ist Doktor Meier.",
        "Wer ist mein Arzt?",
    ),
    "more of the same": ("The office is in Hamburg.", "The office is on the third floor.", "Where is the office?"),
    "a day and a time": ("The standup is at 9:30.", "The standup is on Mondays and Thursdays.", "When is the standup?"),
    "closed on a day, in German": (
        "Das Café öffnet um 8 Uhr.",
        "Das Café ist montags geschlossen.",
        "Wann öffnet das Café?",
    ),
    "relied on, in German": (
        "Anna leitet das Team.",
        "Auf das Team kann ich mich verlassen.",
        "Wer leitet das Team?",
    ),
    "down again": ("My server is called Zeus.", "My server Zeus is down again.", "What is my server called?"),
    "down the road": (
        "Our office is in Berlin.",
        "Our office is down the road from the station.",
        "Where is our office?",
    ),
    "a part of it built anew": (
        "The bakery is on Mill Street.",
        "The bakery has rebuilt its oven.",
        "Where is the bakery?",
    ),
    "two counts": ("Production has 12 nodes.", "We are on Node 22.", "Which Node version are we on?"),
    "several that hold at once": (
        "The API is written in Rust.",
        "The worker is written in Go.",
        "What are our services written in?",
    ),
    "a part of another word, in German": (
        "Zur Schule komme ich mit dem Rad.",
        "Seit dem Schuljahr habe ich die 8a.",
        "Wie komme ich zur Schule?",
    ),
    "somewhere else for a while": (
        "Mum lives in Whitby.",
        "Long drive up to Mum's yesterday.",
        "Where does Mum live?",
    ),
    "as it was, after all": (
        "My sister Odette teaches chemistry in Leeds.",
        "Odette turned Durham down. Leeds it stays.",
        "Where does Odette teach?",
    ),
    "for a time": (
        "My apprentice is called Leon.",
        "Leon hurt his thumb and is off for two weeks, an apprentice called Emre helps.",
        "What is my apprentice called?",
    ),
    "somebody stood in": (
        "Mr Pettit services the boiler every October.",
        "Mr Pettit was in Tenerife, so a lad from British Gas stood in for the boiler.",
        "Who services the boiler?",
    ),
    "another day, once": (
        "The bins go out on Wednesday night.",
        "Easter Monday moved everything, so this week the bins go out on Thursday.",
        "Which night do the bins go out?",
    ),
    "called off once, in German": (
        "Freitags um 21 Uhr ist öffentliche Führung.",
        "Letzten Freitag keine Führung, es kamen 90 km/h aus Nordwest.",
        "Um wie viel Uhr ist die Führung?",
    ),
    "back again, in German": (
        "Der Staubsauger steht in der Kammer.",
        "Der Staubsauger war bei den Nachbarn, er steht wieder in der Kammer.",
        "Wo steht der Staubsauger?",
    ),
    "a day that nobody asks for": (
        "The film club meets on the last Sunday in the little room.",
        "The film club has cake on Mondays.",
        "In which room does the film club meet?",
    ),
    "a name in common": ("Biscotti's birthday is on 14 June.", "Biscotti died.", "When is Biscotti's birthday?"),
}


@pytest.fixture(scope="module")
def told(server_home: Path) -> dict[str, Settings]:
    """One user for each example, in one store."""
    store = settings_for(server_home)
    found: dict[str, Settings] = {}
    for name, (old, new, *_) in {**CHANGED, **HOLD}.items():
        found[name] = replace(store, user=f"user-{len(found)}")
        said = (("2025-01-05", old), ("2025-02-01", "The cranes are back."), ("2025-06-01", new))
        with Memory(settings=found[name]) as memory:
            for day, text in said:
                memory.mine([{"role": "user", "content": text, "at": f"{day}T12:00:00Z"}], conversation=day)
    return found


@pytest.fixture
def remembered(told: dict[str, Settings], name: str) -> Iterator[Memory]:
    """The open memory of one example."""
    with Memory(settings=told[name]) as memory:
        yield memory


def hits(memory: Memory, question: str, now: str = "2025-12-01") -> dict[str, Hit]:
    found = memory.recall(question, now=datetime.fromisoformat(now).replace(tzinfo=UTC)).results
    return {hit.text: hit for hit in found}


@pytest.mark.parametrize("name", CHANGED)
def test_what_a_later_turn_changes_is_marked_and_comes_behind_it_or_before_it(remembered: Memory, name: str) -> None:
    old, new, now, before = CHANGED[name]
    found = hits(remembered, now)
    assert found[old].superseded_by == found[new].pointer and not found[old].current
    assert list(found).index(new) < list(found).index(old) and found[new].superseded_by is None
    asked_before = list(hits(remembered, before))
    assert asked_before[0] == old
    earlier = hits(remembered, now, "2025-03-01")
    assert earlier[old].superseded_by is None, "what was said later than asked marks nothing"


@pytest.mark.parametrize("name", HOLD)
def test_what_still_holds_is_not_marked(remembered: Memory, name: str) -> None:
    old, _, question = HOLD[name]
    assert hits(remembered, question)[old].superseded_by is None


@pytest.mark.parametrize("name", ["shed"])
def test_questions_for_several_things_or_for_what_was_done_mark_nothing(remembered: Memory, name: str) -> None:
    old = CHANGED[name][0]
    for question in ("Which keys do we keep under the blue pot?", "Who has moved the spare key?"):
        found = hits(remembered, question)
        assert found[old].superseded_by is None, question


def test_a_change_that_names_what_another_turn_states_leaves_the_others(memory: Memory) -> None:
    said = [
        ("2025-01-20", "We picked MongoDB for the booking service, mostly because Karl knows it."),
        ("2025-04-01", "Karl handed in his notice, so Mei is taking over the booking service."),
        ("2025-05-22", "MongoDB gave us nothing but grief, so the booking service runs on Postgres since Monday."),
    ]
    for day, text in said:
        memory.mine([{"role": "user", "content": text, "at": f"{day}T12:00:00Z"}], conversation=day)
    picked, taken_over, changed = (text for _, text in said)
    for question in ("Who is responsible for the booking service?", "Which database does the booking service use?"):
        found = hits(memory, question)
        assert found[picked].superseded_by == found[changed].pointer
        assert found[taken_over].superseded_by is None
