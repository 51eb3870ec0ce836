"""Chats written as text: the grammar of turns, who counts as a speaker, times, and texts that are no chats."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent

import pytest

from chat_files import Found, read_all
from ricordo.formats import detect, draft
from ricordo.models import Message


def read_text(folder: Path, text: str, name: str = "chat.txt") -> Found:
    path = folder / name
    path.write_text(dedent(text), encoding="utf-8")
    return read_all(path)


def at(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)  # type: ignore[misc, arg-type]


# --- the forms of a turn's first line

STAMPED = at(2025, 3, 4, 18, 2)


@pytest.mark.parametrize(
    ("first", "name", "moment"),
    [
        ("Ada: hello", "Ada", None),
        ("Ada Lovelace: hello", "Ada Lovelace", None),
        ("Dr. Jean-Luc O'Neil: hello", "Dr. Jean-Luc O'Neil", None),
        ("Ludwig van der Rohe: hello", "Ludwig van der Rohe", None),
        ("小明：hello", "小明", None),
        ("Zoë: hello", "Zoë", None),
        ("[2025-03-04 18:02] Ada: hello", "Ada", STAMPED),
        ("[2025-03-04, 18:02] Ada: hello", "Ada", STAMPED),
        ("[2025-03-04T18:02:00Z] Ada: hello", "Ada", STAMPED),
        ("[2025-03-04 19:02+01:00] Ada: hello", "Ada", STAMPED),
        ("[2025-03-04 6:02 PM] Ada: hello", "Ada", STAMPED),
        ("[2025/3/4 at 6:02 p.m.] Ada: hello", "Ada", STAMPED),
        ("(2025-03-04 18:02) Ada: hello", "Ada", STAMPED),
        ("2025-03-04 18:02 Ada: hello", "Ada", STAMPED),
        ("2025-03-04 18:02:00 UTC Ada: hello", "Ada", STAMPED),
        ("2025-03-04 18:02:00.250 ada: hello", "ada", at(2025, 3, 4, 18, 2, 0, 250000)),
        ("Ada (2025-03-04 18:02): hello", "Ada", STAMPED),
        ("Ada [2025-03-04 18:02]: hello", "Ada", STAMPED),
        ("[2025-03-04 18:02] 🤓: hello", "🤓", STAMPED),
        ("**Ada:** hello", "Ada", None),
        ("**Ada**: hello", "Ada", None),
        ("__Ada__: hello", "Ada", None),
        ("**Ada** (2025-03-04 18:02): hello", "Ada", STAMPED),
        ("**Ada (2025-03-04 18:02):** hello", "Ada", STAMPED),
        ("[2025-03-04 18:02] **Ada:** hello", "Ada", STAMPED),
        ("**Ada** (2025-03-04 18:02)\nhello", "Ada", STAMPED),
        ("## Ada (2025-03-04 18:02)\n\nhello", "Ada", STAMPED),
        ("### Ada - 2025-03-04 18:02\nhello", "Ada", STAMPED),
        ("## **Ada** — 2025-03-04 18:02\n\nhello\n\n---", "Ada", STAMPED),
    ],
)
def test_every_form_of_a_turn_gives_its_speaker_words_and_time(
    tmp_path: Path, first: str, name: str, moment: datetime | None
) -> None:
    second = first.replace(name, "Ben").replace("hello", "hi")
    found = read_text(tmp_path, f"{first}\n{second}\n{first}\n{second}\n")
    [conversation] = found.conversations
    hello = Message(role="user", name=name, content="hello", at=moment)
    hi = Message(role="user", name="Ben", content="hi", at=moment)
    assert conversation.messages == (hello, hi, hello, hi)
    assert found.problems == []


@pytest.mark.parametrize(
    ("label", "role", "name"),
    [
        ("User", "user", None),
        ("HUMAN", "user", None),
        ("You", "user", None),
        ("You said", "user", None),
        ("Assistant", "assistant", None),
        ("AI", "assistant", None),
        ("assistant", "assistant", None),
        ("Claude", "assistant", "Claude"),
        ("ChatGPT said", "assistant", "ChatGPT"),
        ("GPT-4", "assistant", "GPT-4"),
        ("System", "system", None),
    ],
)
@pytest.mark.parametrize("form", ["{}: {}", "**{}:** {}", "## {}\n\n{}", "**{}**\n{}", "### {}:\n{}"])
def test_known_words_are_roles_in_every_form(
    tmp_path: Path, label: str, role: str, name: str | None, form: str
) -> None:
    turns = [("User", "hello"), ("Assistant", "hi"), (label, "the words")]
    found = read_text(tmp_path, "\n\n".join(form.format(*turn) for turn in turns))
    assert found.conversations[0].messages[2] == Message(role=role, name=name, content="the words")  # type: ignore[arg-type]
    assert len(found.turns) == 3


def test_a_single_question_and_answer_is_a_chat(tmp_path: Path) -> None:
    assert read_text(tmp_path, "Human: hello\nAI: hi\n").turns == [("user", "hello"), ("assistant", "hi")]
    assert read_text(tmp_path, "Ada: hello\nClaude: hi\n").turns == [("Ada", "hello"), ("Claude", "hi")]


def test_a_single_turn_with_a_time_is_a_chat(tmp_path: Path) -> None:
    assert read_text(tmp_path, "[2025-03-04 18:02] Ada: hello\n").turns == [("Ada", "hello")]


def test_a_line_of_each_of_two_people_is_a_chat(tmp_path: Path) -> None:
    talk = "Ada: which cells did we take?\nBen: LiFePO4\n"
    assert read_text(tmp_path, talk).turns == [("Ada", "which cells did we take?"), ("Ben", "LiFePO4")]
    assert read_text(tmp_path, "**Ada:** hello!\n\n**Ben:** hi\n").turns == [("Ada", "hello!"), ("Ben", "hi")]


@pytest.mark.parametrize(
    ("zone", "hour"),
    [("CET", 17), ("CEST", 16), ("PST", 26), ("EDT", 22), ("GMT+2", 16), ("UTC-03:30", 21), ("JST", 9), ("UTC", 18)],
)
@pytest.mark.parametrize(
    "form", ["[{}] Ada: hello\n", "{} Ada: hello\n", "Ada ({}): hello\n", "## Ada - {}\n\nhello\n"]
)
def test_names_of_zones_are_known(tmp_path: Path, form: str, zone: str, hour: int) -> None:
    found = read_text(tmp_path, form.format(f"2025-03-04 18:02 {zone}") + form.format(f"2025-03-04 18:02 {zone}"))
    assert {turn.name for turn in found.conversations[0].messages} == {"Ada"}
    minutes = 32 if zone.endswith(":30") else 2
    assert found.conversations[0].messages[0].at == at(2025, 3, 4, 0, minutes) + timedelta(hours=hour)


def test_a_zone_whose_name_is_not_known_is_taken_as_utc(tmp_path: Path) -> None:
    found = read_text(tmp_path, "[2025-03-04 18:02 IST] Ada: hello\n(2025-03-04 18:03 IST) Ben: hi\n")
    assert [(turn.name, turn.at) for turn in found.conversations[0].messages] == [
        ("Ada", at(2025, 3, 4, 18, 2)),
        ("Ben", at(2025, 3, 4, 18, 3)),
    ]


def test_headings_of_two_levels_are_turns(tmp_path: Path) -> None:
    found = read_text(tmp_path, "### User\n\nhello\n\n## Assistant\n\nhi\n\n### User\n\nbye\n")
    assert found.turns == [("user", "hello"), ("assistant", "hi"), ("user", "bye")]
    assert found.conversations[0].source == "markdown"


def test_the_style_tells_markdown_from_plain_text(tmp_path: Path) -> None:
    lines, bold = "User: hello\nAssistant: hi\n", "**User:** hello\n\n**Assistant:** hi\n"
    sources = [
        read_text(tmp_path, text, name).conversations[0].source
        for text, name in ((lines, "a.txt"), (lines, "a.md"), (bold, "a.txt"), (bold, "a.md"), (lines, "a.log"))
    ]
    assert sources == ["text", "markdown", "markdown", "markdown", "text"]


# --- what belongs to a turn


def test_turns_go_on_over_lines_lists_and_empty_lines(tmp_path: Path) -> None:
    found = read_text(
        tmp_path,
        """\
        Ada: I need
        - bread

        - milk:  two litres
          and this: indented
        see https://example.org: it is good
        at 10:30: lunch
        Ben: ok

        Ada:
        starts below
        Ben:  two spaces
        """,
    )
    assert found.turns == [
        (
            "Ada",
            "I need\n- bread\n\n- milk:  two litres\n  and this: indented\n"
            "see https://example.org: it is good\nat 10:30: lunch",
        ),
        ("Ben", "ok"),
        ("Ada", "starts below"),
        ("Ben", "two spaces"),
    ]
    assert found.problems == []


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_code_is_never_a_turn(tmp_path: Path, fence: str) -> None:
    code = f"{fence}yaml\nUser: root\nAssistant: none\nport: 8080\n```x\n## User\n\n---\n{fence}"
    text = f"User: here is my file\n{code}\nAssistant: thanks\n{code}\nUser: bye\n"
    found = read_text(tmp_path, text)
    assert found.turns == [
        ("user", f"here is my file\n{code}"),
        ("assistant", f"thanks\n{code}"),
        ("user", "bye"),
    ]


def test_a_fence_that_is_never_closed_swallows_no_turn(tmp_path: Path) -> None:
    found = read_text(tmp_path, "User: look\n```\nx = 1\nAssistant: I see\nUser: bye\n")
    assert found.turns == [("user", "look\n```\nx = 1"), ("assistant", "I see"), ("user", "bye")]


def test_a_fence_that_is_closed_too_far_below_swallows_no_turn(tmp_path: Path) -> None:
    words = "look\n```\n" + "\n".join(map(str, range(6000)))
    found = read_text(tmp_path, f"User: {words}\nAssistant: I see\n```\nUser: bye\n")
    assert found.turns == [("user", words), ("assistant", "I see\n```"), ("user", "bye")]


def test_a_label_that_does_not_come_back_is_no_speaker(tmp_path: Path) -> None:
    found = read_text(
        tmp_path,
        """\
        Ada: groceries
        Milk: two litres
        Eggs: ten
        Ben: ok
        Ada: port is
        port: 8080
        Ben: and
        Note: remember
        Note: remember
        """,
    )
    assert found.turns == [
        ("Ada", "groceries\nMilk: two litres\nEggs: ten"),
        ("Ben", "ok"),
        ("Ada", "port is\nport: 8080"),
        ("Ben", "and\nNote: remember\nNote: remember"),
    ]


def test_who_speaks_once_between_two_turns_of_another_is_a_speaker(tmp_path: Path) -> None:
    found = read_text(tmp_path, "Ada: hello\nBen: hi\nAda: bye\n")
    assert found.turns == [("Ada", "hello"), ("Ben", "hi"), ("Ada", "bye")]


def test_with_known_words_no_other_label_is_a_speaker(tmp_path: Path) -> None:
    answer = "Here is a plan.\nMonday morning: run\nRest: sleep\nMonday morning: run\nRest: sleep"
    found = read_text(tmp_path, f"User: plan\nAssistant: {answer}\nUser: thanks\nAssistant: welcome\n")
    assert found.turns[1] == ("assistant", answer)
    assert len(found.turns) == 4
    found = read_text(tmp_path, f"Ada: plan\nClaude: {answer}\nAda: thanks\nClaude: welcome\n")
    assert found.turns[1] == ("Claude", answer)
    assert len(found.turns) == 4


def test_labels_of_another_style_are_words(tmp_path: Path) -> None:
    answer = "**Pro:** cheap\n**Con:** slow\n**Pro:** small\n**Con:** old\n### Assistant\nUser: said"
    found = read_text(tmp_path, f"## User\n\ncompare\n\n## Assistant\n\n{answer}\n\n## User\n\nthanks\n")
    assert found.turns == [("user", "compare"), ("assistant", answer), ("user", "thanks")]


def test_where_turns_have_times_those_without_are_words(tmp_path: Path) -> None:
    pasted = "look:\nHuman: hello\nAI: hi\nHuman: bye"
    found = read_text(
        tmp_path, f"[2025-03-04 18:02] User: {pasted}\n[2025-03-04 18:03] AI: ok\n[2025-03-04 18:04] User: bye\n"
    )
    assert found.turns == [("user", pasted), ("assistant", "ok"), ("user", "bye")]


def test_a_few_times_leave_the_other_turns_turns(tmp_path: Path) -> None:
    found = read_text(tmp_path, "[2025-03-04 18:02] Ada: hello\nBen: hi\nAda: how are you?\nBen: fine\nAda: good\n")
    assert [name for name, _ in found.turns] == ["Ada", "Ben", "Ada", "Ben", "Ada"]


def test_notices_between_turns_with_times_are_told(tmp_path: Path) -> None:
    found = read_text(
        tmp_path,
        """\
        [2025-03-04 18:02] Ada: hello
        [2025-03-04 18:03] Ben joined the room
        [2025-03-04 18:04] Ben: see
        2025-03-04 18:00:00 my own log line
        """,
    )
    assert found.turns == [("Ada", "hello"), ("Ben", "see\n2025-03-04 18:00:00 my own log line")]
    assert found.told == [(2, True, "skipped a line with a time but no speaker")]


def test_rules_between_turns_are_no_words(tmp_path: Path) -> None:
    found = read_text(tmp_path, "## User\n\none\n\n---\n\ntwo\n\n---\n\n## Assistant\n\nhi\n\n***\n")
    assert found.turns == [("user", "one\n\n---\n\ntwo"), ("assistant", "hi")]


def test_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"User: hello\r\nmore\r\nAssistant: hi\r\n")
    assert read_all(path).turns == [("user", "hello\nmore"), ("assistant", "hi")]


def test_blank_turns_are_passed_over(tmp_path: Path) -> None:
    found = read_text(tmp_path, "User: hello\nAssistant:\nUser:   \nAssistant: hi\n")
    assert found.turns == [("user", "hello"), ("assistant", "hi")]
    assert found.problems == []


# --- titles, days and times


@pytest.mark.parametrize(
    "head",
    [
        "# Plans for the garden\n\nDate: 2025-03-04\nProject: garden\n\n",
        "Title: Plans for the garden\n**Date:** March 4, 2025\n- Project: garden\n---\n",
        "---\ntitle: 'Plans for the garden'\ndate: 2025-03-04T10:00:00\nproject: garden\ntags: [a]\n---\n\n",
        "# Plans for the garden\n\nproject: garden\n\n## Tuesday, 4 March 2025\n\n",
    ],
)
def test_title_day_and_project_before_the_first_turn(tmp_path: Path, head: str) -> None:
    found = read_text(tmp_path, head + "User: hello\nAssistant: hi\n")
    [conversation] = found.conversations
    assert (conversation.title, conversation.project) == ("Plans for the garden", "garden")
    assert [turn.at for turn in conversation.messages] == [at(2025, 3, 4)] * 2
    assert found.problems == []


def test_other_lines_before_the_first_turn_are_told(tmp_path: Path) -> None:
    found = read_text(tmp_path, "Exported by hand\n\nDate: someday\nfrom my notes\n\nUser: hello\nAssistant: hi\n")
    assert len(found.turns) == 2
    assert found.told == [
        (3, False, "invalid date 'someday'"),
        (1, True, "skipped 2 lines before the first turn"),
    ]


@pytest.mark.parametrize(
    "day",
    ["## 2025-03-05", "--- 2025-03-05 ---", "**2025-03-05**", "2025-03-05", "## Mar 5, 2025"],
)
def test_a_day_between_turns_is_the_day_of_those_after_it(tmp_path: Path, day: str) -> None:
    found = read_text(
        tmp_path,
        f"Date: 2025-03-04\n\n[18:02] Ada: one\n[18:03] Ben: two\n\n{day}\n\n[09:00] Ada: three\n[09:01] Ben: four\n",
    )
    assert [(turn.content, turn.at) for turn in found.conversations[0].messages] == [
        ("one", at(2025, 3, 4, 18, 2)),
        ("two", at(2025, 3, 4, 18, 3)),
        ("three", at(2025, 3, 5, 9)),
        ("four", at(2025, 3, 5, 9, 1)),
    ]


def test_a_day_inside_a_turn_is_words(tmp_path: Path) -> None:
    answer = "The history:\n\n## 2019-01-01\n\nIt began."
    found = read_text(tmp_path, f"Date: 2025-03-04\nUser: tell\nAssistant: {answer}\nUser: thanks\n")
    assert found.turns[1] == ("assistant", answer)
    assert found.conversations[0].messages[2].at == at(2025, 3, 4)


def test_a_turn_without_a_time_has_that_of_the_turn_before_it_on_the_day(tmp_path: Path) -> None:
    turns = "[18:02] Ada: one\nBen: two\nAda: three\nBen: four\n"
    found = read_text(tmp_path, f"Date: 2025-03-04\nBen: zero\n{turns}\n## 2025-03-05\n\nAda: five\n")
    assert [turn.at for turn in found.conversations[0].messages] == [
        at(2025, 3, 4),
        *[at(2025, 3, 4, 18, 2)] * 4,
        at(2025, 3, 5),
    ]


def test_times_without_a_day_run_past_midnight(tmp_path: Path) -> None:
    found = read_text(
        tmp_path, "Date: 2025-03-04\n[23:58] Ada: one\n[23:59] Ben: two\n[00:01] Ada: three\n[00:00] Ben: four\n"
    )
    assert [turn.at for turn in found.conversations[0].messages] == [
        at(2025, 3, 4, 23, 58),
        at(2025, 3, 4, 23, 59),
        at(2025, 3, 5, 0, 1),
        at(2025, 3, 5, 0, 0),
    ]


def test_times_of_no_known_day_are_none(tmp_path: Path) -> None:
    found = read_text(tmp_path, "[18:02] Ada: one\n[18:03] Ben: two\n[18:04] Ada: three\n[18:05] Ben: four\n")
    assert [turn.at for turn in found.conversations[0].messages] == [None] * 4
    assert found.problems == []


def test_impossible_and_future_times_are_told_and_the_turns_kept(tmp_path: Path) -> None:
    found = read_text(
        tmp_path,
        """\
        [2025-02-30 10:00] Ada: one
        [2025-03-04 25:00] Ben: two
        [2199-01-01 10:00] Ada: three
        [2025-03-04 18:02] Ben: four
        [9999-12-31 23:59] Ada: five
        [00:01] Ben: six
        """,
    )
    assert [(text) for _, text in found.turns] == ["one", "two", "three", "four", "five", "six"]
    assert [turn.at for turn in found.conversations[0].messages] == [
        None,
        None,
        None,
        at(2025, 3, 4, 18, 2),
        None,
        None,
    ]
    assert [(line, lost, what.split(" ", 2)[1].strip("'")) for line, lost, what in found.told] == [
        (1, False, "time"),
        (2, False, "time"),
        (3, False, "time"),
        (5, False, "time"),
        (6, False, "time"),
    ]


# --- damage


def test_nul_characters_in_a_text_are_mended(tmp_path: Path) -> None:
    found = read_text(tmp_path, "User: he\x00llo\nAssistant: hi\n")
    assert found.turns == [("user", "he\ufffdllo"), ("assistant", "hi")]
    assert [(line, lost) for line, lost, _ in found.told] == [(1, False)]


def test_encodings_of_texts_are_found_or_guessed(tmp_path: Path) -> None:
    text = "Zoë: grüße\nBen: “so”\nZoë: à bientôt\nBen: …\n"
    turns = [("Zoë", "grüße"), ("Ben", "“so”"), ("Zoë", "à bientôt"), ("Ben", "…")]
    path = tmp_path / "a.txt"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        path.write_bytes(text.encode(encoding))
        assert (read_all(path).turns, read_all(path).problems) == (turns, [])
    path.write_bytes(text.encode("cp1252"))
    found = read_all(path)
    assert found.turns == turns
    assert found.told == [(1, False, "is not UTF-8; read as Windows-1252")]


def test_a_turn_above_a_megabyte_is_left_out_as_one_line_or_many(tmp_path: Path) -> None:
    long = "x" * 1_000_001
    many = "\n".join(["x" * 999] * 1001)
    found = read_text(
        tmp_path, f"User: {long}\nand its end\nAssistant: one\nUser: {many}\nAssistant: two\nUser: {'x' * 999_999}\n"
    )
    assert [len(text) for _, text in found.turns] == [3, 3, 999_999]
    assert found.told == [
        (1, True, "a turn exceeds the limit of 1 MB"),
        (4, True, "a turn exceeds the limit of 1 MB"),
    ]


def test_a_long_chat_goes_on_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "PART_TURNS", 500)
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{'AI' if number % 2 else 'User'}: {number}\n" for number in range(501)))
    found = read_all(path)
    assert [(each.id, len(each.messages)) for each in found.conversations] == [
        (f"{tmp_path.name}/a.txt", 500),
        (f"{tmp_path.name}/a.txt~2", 1),
    ]


def test_lines_that_would_trap_a_careless_pattern_are_read_at_once(tmp_path: Path) -> None:
    size = 40_000
    traps = [
        "# x" + " " * size + "x",
        "**" * size,
        "[" * size,
        "a " * size + ":",
        "-" * size + "x",
        "1" * size,
        "`" * size,
        "2025-03-04 " * size,
    ]
    started = time.process_time()
    found = read_text(tmp_path, "User: hello\n" + "\n".join(traps) + "\nAssistant: hi\n")
    assert time.process_time() - started < 10
    assert found.turns == [("user", "hello\n" + "\n".join(traps).rstrip()), ("assistant", "hi")]


# --- no chats

NO_CHATS = {
    "prose": "Once upon a time there was a king: he was old.\n\nHe said: nothing.\n",
    "readme": """\
        # Tool

        A tool for things.

        **Note:** it is new.

        ## Usage

            tool run

        **Note:** it is fast. **Warning:** it is loud.

        Example: `tool --help`
        Example: `tool --version`

        ## License
        MIT
        """,
    "changelog": """\
        # Changelog

        ## [1.1.0] - 2025-03-04
        ### Added
        - one
        ### Fixed
        - two

        ## [1.0.0] - 2025-02-04
        ### Added
        - one
        ### Fixed
        - two
        """,
    "log": """\
        2025-03-04 18:02:05 INFO: started
        2025-03-04 18:02:06 WARNING: slow
        2025-03-04 18:02:07 ERROR: failed
        2025-03-04 18:02:08 INFO: stopped
        """,
    "syslog": """\
        2025-03-04 18:02:05 kernel: usb 1-1: new device
        2025-03-04 18:02:06 sshd[123]: accepted
        2025-03-04 18:02:07 kernel: usb 1-1: gone
        2025-03-04 18:02:08 cron: run
        """,
    "server log": """\
        [2025-03-04 18:02:05] GET /index.html 200
        [2025-03-04 18:02:06] GET /a.css 200
        [2025-03-04 18:02:07] Shutting down: now
        [2025-03-04 18:02:08] GET /b.css 404
        """,
    "yaml": """\
        version: 3
        services:
          web:
            image: nginx
        ---
        version: 4
        services:
          web: none
        """,
    "settings": "user: postgres\nmodel: large\nuser: root\nmodel: small\n",
    "records": """\
        Package: one
        Version: 1.0
        Maintainer: Ada

        Package: two
        Version: 2.0
        Maintainer: Ben
        """,
    "unknown records": "Colour: red\nColour: blue\nColour: green\nWidth: 1\nWidth: 2\nWidth: 3\nDepth: 1\nDepth: 2\n",
    "mail": "From: Ada\nTo: Ben\nSubject: hello\n\nhello\n\nFrom: Ben\nTo: Ada\nSubject: hi\n",
    "python": '''\
        class A:
            """A thing.

            Args:
                x: one
            """

            x: int = 1


        try:
            y: int = 2
        except:
            raise
        ''',
    "header": """\
        class A {
        public:
          int x;
        private:
          int y;
        };
        class B {
        public:
          int x;
        private:
          int y;
        };
        """,
    "questions": "Question: what?\nAnswer: that.\n\nQuestion: why?\nAnswer: because.\n",
    "glossary": "ML: machine learning\nAI: artificial intelligence\nDL: deep learning\n",
    "agenda": "# Meeting\n\n## Lunch (12:00)\n\nfood\n\n## Talk (13:00)\n\nwords\n",
    "sections": "# Guide\n\n## Overview\n\nx\n\n## ChatGPT\n\ny\n\n## Gemini\n\nz\n",
    "csv": "name,text\nAda,hello\nBen,hi\n",
    "html": "<html><body>\n<p>User: hello</p>\n<p>Assistant: hi</p>\n</body></html>\n",
    "code with a chat": "Some notes.\n\n```\nUser: hello\nAssistant: hi\nUser: bye\n```\n\nThe end.\n",
    "a chat far below": "\n".join(f"Line {number} of an essay." for number in range(30)) + "\nUser: a\nAssistant: b\n",
    "two fields": "Colour: dark red\nShape: round\n",
    "two settings": "host: a machine.\nport: 80\n",
    "two labels of prose": "My reading of it: it is late.\nWhat he said to us: go.\n",
    "one speaker": "Ada: one\nAda: two\nAda: three\n",
    "urls": "https: //a\nhttp: //b\nhttps: //c\nhttp: //d\nftp: //e\nftp: //f\n",
    "ini": "[main]\nkey: value\n[other]\nkey: value\n",
}


@pytest.mark.parametrize("text", NO_CHATS.values(), ids=NO_CHATS.keys())
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_other_texts_are_no_chats(tmp_path: Path, text: str, name: str) -> None:
    found = read_text(tmp_path, text, name)
    assert found.turns == []
    assert detect(tmp_path / name) is None
    [(_, lost, what)] = found.told
    assert lost
    assert what.startswith("has an unknown format")


def test_the_standard_library_is_no_chat() -> None:
    folder = Path(logging.__file__).parent.parent
    files = sorted(folder.glob("*.py"))
    assert len(files) > 100
    assert [path for path in files if detect(path)] == []
