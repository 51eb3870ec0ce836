"""The in-process store of short-term memories, and how their texts are scored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from ricordo.errors import InvalidInput, StoreUnavailable
from ricordo.memories import Held, Sessions
from ricordo.models import Entry
from ricordo.recall import search_held

_NOW = datetime.now(UTC)


def _entry(content: str, **fields: Any) -> Entry:
    return Entry(id=uuid4(), kind="note", content=content, retention="short_term", **{"created_at": _NOW, **fields})


@pytest.fixture
def sessions() -> Sessions:
    opened = Sessions()
    opened.open()
    return opened


def _found(sessions: Sessions, query: str, by_meaning: bool = False) -> list[str]:
    found = search_held(query, sessions.of(None), 0, by_meaning)
    return [each.entry.content for each in sorted(found, key=lambda each: -each.score)]


def test_before_it_is_opened_and_after_it_is_closed_nothing_goes_in_or_out() -> None:
    sessions = Sessions()
    entry = _entry("one")
    with pytest.raises(StoreUnavailable, match="closed"):
        sessions.add(None, entry)
    sessions.open()
    sessions.add(None, entry)
    sessions.close()
    for call in (lambda: sessions.of(None), lambda: sessions.find(entry.id), lambda: sessions.clear(None)):
        with pytest.raises(StoreUnavailable, match="closed"):
            call()
    sessions.open()
    assert sessions.of(None) == [] and sessions.find(entry.id) is None


def test_a_change_keeps_what_was_said_and_finds_the_new_words(sessions: Sessions) -> None:
    entry = _entry("blue door", importance=5)
    sessions.add(None, entry)
    changed = sessions.change(entry.id, {"content": "green gate", "importance": 6}, "user")
    assert (changed.id, changed.content, changed.importance) == (entry.id, "green gate", 6)
    assert _found(sessions, "gate") == ["green gate"] and _found(sessions, "door") == []
    held = sessions.find(entry.id)
    assert held is not None
    [version] = held.versions
    assert (version.version, version.content, version.fields["importance"]) == (1, "blue door", 5)
    assert (version.valid_from, version.valid_to, version.actor) == (entry.created_at, changed.updated_at, "user")


def test_a_session_holds_ten_thousand_texts_with_their_versions_and_no_more(sessions: Sessions) -> None:
    entries = [_entry(f"text {number}") for number in range(9_999)]
    for each in entries:
        sessions.add("s", each)
    sessions.change(entries[0].id, {"importance": 3}, "user")
    for call in (
        lambda: sessions.add("s", _entry("more")),
        lambda: sessions.change(entries[1].id, {"importance": 3}, "user"),
    ):
        with pytest.raises(InvalidInput, match=r"^session: 's' has 10,000 short-term texts.*clear it"):
            call()
    sessions.add("other", _entry("more"))
    sessions.drop(entries[5].id)
    sessions.add("s", _entry("more"))
    assert sessions.clear("s") == 9_999


def test_a_process_holds_a_thousand_sessions_and_no_more(sessions: Sessions) -> None:
    first = _entry("x")
    sessions.add("s0", first)
    for number in range(1, 1_000):
        sessions.add(f"s{number}", _entry("x"))
    with pytest.raises(InvalidInput, match=r"^session: too many sessions; the maximum is 1,000"):
        sessions.add("one too many", _entry("x"))
    sessions.drop(first.id)  # the last of its session
    sessions.add("one too many", _entry("x"))


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 201, 5])
def test_a_session_has_a_name(sessions: Sessions, name: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^session: invalid value"):
        sessions.add(name, _entry("x"))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Crème brûlée for Zoë", "CREME zoe"),
        ("Wir treffen uns in der Straße", "strasse"),
        ("会議は月曜日です", "月曜"),
        ("Ελλάδα το καλοκαίρι", "ελλαδα"),
        ("error code §4.7 in parser", "§4.7"),
        ("the unbreakable vase", "breakab"),
        ("They were running late", "run"),
    ],
)
def test_texts_are_found_in_any_language_by_words_stems_or_parts(sessions: Sessions, text: str, query: str) -> None:
    sessions.add(None, _entry("Something else altogether"))
    sessions.add(None, _entry(text))
    assert _found(sessions, query) == [text] == _found(sessions, query, by_meaning=True)


@pytest.mark.parametrize("by_meaning", [False, True])
def test_more_and_rarer_words_score_higher_and_a_part_of_a_word_least(sessions: Sessions, by_meaning: bool) -> None:
    for text in ("user likes tea", "user likes jazz", "user wakes early", "a jazzuser"):
        sessions.add(None, _entry(text))
    order = _found(sessions, "user jazz", by_meaning)
    assert order[0] == "user likes jazz" and set(order[1:]) == {"user likes tea", "user wakes early"}
    assert _found(sessions, "user", by_meaning)[-1] == "a jazzuser"


def test_all_words_count_as_much_as_a_cosine_of_one_thing_told_twice(sessions: Sessions) -> None:
    sessions.add(None, _entry("dark mode"))
    [plain] = search_held("dark mode", sessions.of(None), 0, by_meaning=False)
    [meant] = search_held("dark mode", sessions.of(None), 0, by_meaning=True)
    assert plain.signals["semantic"] == 0 and meant.signals["semantic"] == pytest.approx(1)
    assert plain.signals["keyword"] == meant.signals["keyword"] > 0


def test_a_time_that_the_query_names_counts(sessions: Sessions) -> None:
    sessions.add(None, _entry("bought rope", created_at=_NOW - timedelta(days=60)))
    sessions.add(None, _entry("bought rope", created_at=_NOW - timedelta(days=1)))
    best = max(search_held("rope yesterday", sessions.of(None), 0, False), key=lambda each: each.score)
    assert best.entry.created_at == _NOW - timedelta(days=1)


def test_nothing_held_is_nothing_found() -> None:
    assert search_held("anything", [], 5, True) == []
    assert search_held("§", [Held(_entry("plain"))], 5, True) == []
