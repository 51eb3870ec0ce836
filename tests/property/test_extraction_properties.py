"""Whatever is said: extraction never raises, its places are true, and its time grows with the text and no faster."""

from __future__ import annotations

from datetime import UTC, datetime
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.facts import Known, Said, extract
from ricordo.facts.known import key
from ricordo.facts.sentences import READ

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
LANGUAGES = st.sampled_from(["en", "de", "es", "fr", "", "it", "ja"])
#: Pieces that rules look for, so that random talk meets them.
PIECES = st.sampled_from(
    """
    I|I'm|I’ve|my|brother|sister's|Tom|Tom's|Anna Lee|live|lives|in|moved|to|from|Berlin|New York City|
    work at|Siemens|Inc.|bought|a|an|the|Fender|guitar|love|don't|not|no longer|used to|name is|birthday is|
    May 5|is|called|project|Atlas|trip|wedding|marathon|Dr.|Hey|!|?|.|,|"|“|”|>|```|\n|ich|wohne|heiße|
    mein Bruder|vivo en|j'habite à|mon frère|born on|1990|years old|12|allergic to|nuts|12V20Ah|battery|İ|ß|
    ﬁ|Å|’s|'|-|&|University of|ex-wife|and|or|my ex|dog|\u0000|\ud800
    """.replace("\n    ", "").split("|")
)
TALK = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map(" ".join)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.one_of(TALK, st.text(max_size=200)), max_size=4), LANGUAGES, st.sampled_from(["user", "assistant"]))
def test_never_raises_and_mentions_stand_where_they_say(texts: list[str], language: str, role: str) -> None:
    known = Known([("Tom", "person", ("Tommy",)), ("fender guitar", "item", ()), ("Å", "place", ())])
    found = extract([Said(role, role, text, AT) for text in texts], language, known)
    for mention in found.mentions:
        there = texts[mention.turn][mention.start : mention.end]
        assert there and there == there.strip()
        assert mention.name
        if mention.name != "Tom":
            assert key(there.split()[0]) == key(mention.name.split()[0])
    for fact in found.facts:
        assert role == "user" and 0 <= fact.turn < len(texts) and fact.object
        if fact.object_kind is not None:
            assert any(each.turn == fact.turn and each.name == fact.object for each in found.mentions)


@settings(deadline=None, max_examples=100)
@given(st.lists(TALK, max_size=3), LANGUAGES)
def test_the_same_input_gives_the_same_answer(texts: list[str], language: str) -> None:
    turns = [Said("user", "user", text, AT) for text in texts]
    assert extract(turns, language, Known()) == extract(turns, language, Known())


@pytest.mark.parametrize(
    "piece",
    ["a", "A", "Aa ", "I ", "my ", "my brother ", "is a ", "'", '"a', "“", "`", "```", "a.", "a-", "1 ", "I have a ",
     "I love ", "moved from A ", "lives in the ", "ich bin ", "mein Bruder ", "@", "://", "x@", "Tom's ", "born on ",
     "\n", "é", "𝒜 ", "I work as a b ", "project ", "No, ", "the University of ", "Tom: ", "\nAb: "],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_time_grows_with_the_text_and_no_faster(piece: str, language: str) -> None:
    def seconds(length: int) -> float:
        turn = [Said("user", "user", (piece * length)[:length], AT)]
        best = float("inf")
        for _ in range(3):
            start = process_time()
            extract(turn, language, Known())
            best = min(best, process_time() - start)
        return best

    seconds(100)
    short, whole = seconds(READ // 8), seconds(READ)
    assert whole < 24 * short + 0.02, f"{piece!r}: {short:.4f} s, then {whole:.4f} s for eight times as much"
    assert seconds(1_000_000) < 2 * whole + 0.1
