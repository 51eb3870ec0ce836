"""Benchmark files in LoCoMo's and LongMemEval's form: what is read of them, and what is said of broken ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks import beam_record, locomo_sample, longmemeval_record, realmem_person, write
from ricordo.bench import beam, locomo, longmemeval, pooled, realmem
from ricordo.bench.datasets import History
from ricordo.errors import UnreadableSource


def test_locomo_s_sessions_captions_and_evidence(tmp_path: Path) -> None:
    [history] = locomo(write(tmp_path, [locomo_sample()]))
    assert history.id == "conv-1"
    assert [each.id for each in history.conversations] == ["conv-1/session_1", "conv-1/session_2"]
    first = history.conversations[0].messages
    assert [(each.name, each.content) for each in first] == [
        ("Ada", "I adopted a dog."),
        ("Grace", "Lovely! Here is mine. [shares a photo of a spaniel]"),
    ]
    assert {each.at for each in first} == {datetime(2023, 5, 8, 13, 56, tzinfo=UTC)}
    asked = history.questions
    assert [(each.id, each.category) for each in asked] == [("conv-1/0", "single-hop"), ("conv-1/1", "multi-hop")]
    assert asked[0].turns == {("conv-1/session_1", 0)}
    assert asked[1].turns == {("conv-1/session_1", 1), ("conv-1/session_2", 0)}
    assert asked[1].sessions == {"conv-1/session_1", "conv-1/session_2"}
    assert asked[0].now == datetime(2023, 6, 1, 9, 5, tzinfo=UTC)


def test_sessions_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    sample = locomo_sample()
    sample["conversation"]["session_10"] = sample["conversation"].pop("session_1")
    sample["conversation"]["session_10_date_time"] = "1:56 pm on 8 July, 2023"
    [history] = locomo(write(tmp_path, [sample]))
    assert [each.id for each in history.conversations] == ["conv-1/session_2", "conv-1/session_10"]


def test_longmemeval_s_sessions_and_evidence(tmp_path: Path) -> None:
    [history] = longmemeval(write(tmp_path, [longmemeval_record(), longmemeval_record(question_id="q2_abs")]))
    assert history.id == "q1"
    assert [each.id for each in history.conversations] == ["s1", "s2"]
    assert [each.content for each in history.conversations[0].messages] == ["I drive a blue Saab.", "Nice car."]
    assert history.conversations[0].messages[0].at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    [asked] = history.questions
    assert (asked.category, asked.turns, asked.sessions) == ("single-session-user", {("s1", 0)}, {"s1"})
    assert asked.now == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)


def test_beam_s_messages_and_evidence(tmp_path: Path) -> None:
    [history] = beam(write(tmp_path, [beam_record()]))
    assert history.id == "beam-7"
    assert [(each.id, len(each.messages)) for each in history.conversations] == [("one", 2), ("two", 1)]
    [asked] = history.questions
    assert (asked.category, asked.turns) == ("multi_session", {("one", 0), ("two", 0)})
    assert asked.now == datetime(2024, 3, 17, 9, tzinfo=UTC)


def test_realmem_s_queries_are_asked_before_their_own_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "ada.json"
    path.write_text(json.dumps(realmem_person()), encoding="utf-8")
    [history] = realmem(path)
    assert history.id == "realmem-ada"
    assert [[each.content for each in one.messages] for one in history.conversations] == [
        ["My quinces got frost last night.", "Cover the trees."],
        ["What should I do with my quinces?", "Cover them."],
    ]
    [(conversations, [asked])] = history.steps()
    assert [each.id for each in conversations] == ["a1"]
    assert (asked.text, asked.category) == ("What should I do with my quinces?", "Static")
    assert (asked.turns, asked.sessions) == ({("a1", 0)}, {"a1"})
    assert asked.context is None


def test_realmem_s_queries_know_the_turn_before(tmp_path: Path) -> None:
    told = realmem_person()
    asked = told["dialogues"][1]["dialogue_turns"]
    told["dialogues"][1]["dialogue_turns"] = [{**asked[1], "content": "Good morning."}, *asked]
    path = tmp_path / "ada.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    [history] = realmem(path)
    assert [each.context for each in history.questions] == ["Good morning."]


def test_realmem_without_evidence_in_earlier_dialogues_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ada.json"
    path.write_text(json.dumps(realmem_person(dialogues=realmem_person()["dialogues"][:1])), encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"ada\.json holds no query"):
        realmem(path)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"ada\.json does not hold one JSON object"):
        realmem(path)


def test_a_gzipped_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "file.json.gz"
    path.write_bytes(gzip.compress(json.dumps([longmemeval_record()]).encode()))
    assert len(list(longmemeval(path))) == 1


def test_a_session_that_stands_twice_is_one(tmp_path: Path) -> None:
    record = longmemeval_record()
    for field in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        record[field] = [*record[field], record[field][0]]
    [history] = longmemeval(write(tmp_path, [record]))
    assert [each.id for each in history.conversations] == ["s1", "s2"]


def test_pooled_histories_share_the_sessions_that_they_have_in_common(tmp_path: Path) -> None:
    records = [longmemeval_record(), longmemeval_record(question_id="q2")]
    [history] = pooled(longmemeval(write(tmp_path, records)))
    assert [each.id for each in history.conversations] == ["s1", "s2"]
    assert [each.id for each in history.questions] == ["q1", "q2"]


def test_pooled_histories_that_disagree_about_a_session_are_refused(tmp_path: Path) -> None:
    other = longmemeval_record(question_id="q2")
    other["haystack_sessions"][1][0]["content"] = "Something else."
    with pytest.raises(UnreadableSource, match=r"'s2' of 'q2' has other turns .* without --pooled"):
        list(pooled(longmemeval(write(tmp_path, [longmemeval_record(), other]))))


def _without(record: dict[str, Any], *path: str | int) -> dict[str, Any]:
    *way, last = path
    inner: Any = record
    for each in way:
        inner = inner[each]
    del inner[last]
    return record


def _with(record: dict[str, Any], value: Any, *path: str | int) -> dict[str, Any]:
    *way, last = path
    inner: Any = record
    for each in way:
        inner = inner[each]
    inner[last] = value
    return record


L, M, B = locomo_sample, longmemeval_record, beam_record


@pytest.mark.parametrize(
    ("read", "record", "said"),
    [
        (locomo, _without(L(), "sample_id"), "record 2: sample_id is missing; there are: conversation, qa"),
        (locomo, _without(L(), "conversation"), "record 2: conversation is missing"),
        (locomo, _with(L(), 7, "conversation"), "record 2: conversation must be an object, not 7"),
        (
            locomo,
            _without(L(), "conversation", "session_2_date_time"),
            "record 2, conversation: session_2_date_time is",
        ),
        (
            locomo,
            _with(L(), "May 8th", "conversation", "session_1_date_time"),
            "record 2, conversation: session_1_date_time 'May 8th' is not a time like 01:56 PM on 08 May, 2023",
        ),
        (
            locomo,
            _without(L(), "conversation", "session_1", 1, "speaker"),
            "record 2, conversation, session_1[1]: speaker is missing",
        ),
        (
            locomo,
            _with(L(), "D1:1", "qa", 0, "evidence"),
            "record 2, qa[0]: evidence must be a list of strings, not 'D1:1'",
        ),
        (locomo, _with(L(), "4", "qa", 1, "category"), "record 2, qa[1]: category must be a whole number, not '4'"),
        (locomo, _with(L(), None, "qa", 0, "question"), "record 2, qa[0]: question must be a string, not None"),
        (locomo, L(), "record 2: id 'conv-1' is the id of an earlier record too"),
        (beam, B(), "record 2: id 'beam-7' is the id of an earlier record too"),
        (beam, _with(B(), [9], "questions", 0, "evidence"), "questions[0]: evidence names message 9, which the chat"),
        (beam, _with(B(), ["0"], "questions", 0, "evidence"), "questions[0]: evidence must be a list of whole numbers"),
        (beam, _with(B(), "noon", "messages", 1, "at"), "messages[1]: at 'noon' is not a time in ISO 8601"),
        (beam, _with(B(), "2024-03-15T09:00", "messages", 1, "at"), "does not give its offset from UTC"),
        (longmemeval, M(), "record 2: id 'q1' is the id of an earlier record too"),
        (longmemeval, _without(M(), "haystack_dates"), "record 2: haystack_dates is missing"),
        (
            longmemeval,
            _with(M(), ["s1"], "haystack_session_ids"),
            "record 2: haystack_sessions has 2 sessions for 1 ids and 2 dates",
        ),
        (longmemeval, _with(M(), ["s1", "s1"], "haystack_session_ids"), "'s1' stands twice, with different turns"),
        (longmemeval, _with(M(), "2023-05-20", "haystack_dates", 1), "haystack_dates '2023-05-20' is not a time like"),
        (
            longmemeval,
            _with(M(), "robot", "haystack_sessions", 0, 1, "role"),
            "record 2, haystack_sessions[0][1]: role must be 'user' or 'assistant', not 'robot'",
        ),
        (
            longmemeval,
            _with(M(), "x", "haystack_sessions", 1),
            "haystack_sessions[1] must be a list of objects, not 'x'",
        ),
        (longmemeval, _without(M(), "answer_session_ids"), "record 2: answer_session_ids is missing"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_broken_record_is_told_by_number_and_field_before_any_history_is_given(
    tmp_path: Path, read: Callable[[Path], Any], record: dict[str, Any], said: str
) -> None:
    path = write(tmp_path, [{locomo: L, beam: B}.get(read, M)(), record])
    with pytest.raises(UnreadableSource) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}, record 2")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"{}", b"[1]", b"[]", b"[" * 100_000, b'[{"question_id": "q_abs"}]'],
    ids=["empty", "cut", "binary", "object", "numbers", "nothing", "deep", "no answer"],
)
def test_a_file_that_is_no_benchmark_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableSource, match=r"file\.json"):
        longmemeval(path)


def test_a_damaged_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json.gz"
    path.write_bytes(gzip.compress(json.dumps([longmemeval_record()] * 50).encode())[:-40])
    with pytest.raises(UnreadableSource, match="cannot be read"):
        longmemeval(path)


def test_categories_without_evidence_are_left_out(tmp_path: Path) -> None:
    def categories(history: History) -> list[str]:
        return [each.category for each in history.questions]

    sample = locomo_sample()
    assert {each["category"] for each in sample["qa"]} == {1, 3, 4, 5}
    [history] = locomo(write(tmp_path, [sample]))
    assert categories(history) == ["single-hop", "multi-hop"]
