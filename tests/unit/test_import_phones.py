"""WhatsApp and Signal chats as phones write them: dates of many languages, lines that nobody said, and odd files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat_files import read_all, write_lines, write_zip
from ricordo.formats import detect

ANDROID = """31/12/21, 22:01 - Messages and calls are end-to-end encrypted.
31/12/21, 22:02 - Ada: the garden needs water
and the beds need weeding

31/12/21, 22:03 - Ben 🤓: on it: tomorrow
31/12/21, 22:04 - Ada: <Media omitted>
31/12/21, 22:05 - Ada: IMG-20211231-WA0001.jpg (file attached)
the south bed
31/12/21, 22:06 - Ben 🤓: This message was deleted
31/12/21, 22:06 - Ben 🤓: This message was deleted by admin Ada
31/12/21, 22:06 - Ada: Voice call, 5 min
31/12/21, 22:06 - Ben 🤓: Вы удалили данное сообщение.
31/12/21, 22:06 - Ada: Video call, \u200eNo answer
31/12/21, 22:06 - Ada: Voice calls, please
31/12/21, 22:06 - Ada: Video call, tomorrow at nine?
31/12/21, 22:07 - Ada changed the subject to “Garden: 2022”
01/01/22, 00:00 - +44 20 7946: happy new year
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whatsapp_chat_keeps_speakers_times_and_lines(tmp_path: Path) -> None:
    found = read_all(write(tmp_path / "WhatsApp Chat with Ada.txt", ANDROID))
    [chat] = found.conversations
    assert (chat.id, chat.title, chat.source) == ("whatsapp:Ada", "Ada", "whatsapp")
    assert found.turns == [
        ("Ada", "the garden needs water\nand the beds need weeding"),
        ("Ben 🤓", "on it: tomorrow"),
        ("Ada", "the south bed"),
        ("Ada", "Voice calls, please"),
        ("Ada", "Video call, tomorrow at nine?"),
        ("+44 20 7946", "happy new year"),
    ]
    assert chat.messages[0].at == datetime(2021, 12, 31, 22, 2, tzinfo=UTC)
    assert chat.messages[-1].at == datetime(2022, 1, 1, tzinfo=UTC)
    what = (
        "skipped what is not a message: calls or deleted messages (5), lines without a speaker (2), "
        "pictures, files or notes of the app (2)"
    )
    assert found.told == [(None, False, what)]


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("31/12/2021, 22:01 - ", (2021, 12, 31, 22, 1)),
        ("31.12.21, 22:01 - ", (2021, 12, 31, 22, 1)),
        ("31.12.2021, 22.01 - ", (2021, 12, 31, 22, 1)),
        ("31.12.2021 klo 22.01 - ", (2021, 12, 31, 22, 1)),
        ("31.12.2021 kl. 22.01 - ", (2021, 12, 31, 22, 1)),
        ("31. 12. 2021 22:01 - ", (2021, 12, 31, 22, 1)),
        ("31-12-21 22:01 - ", (2021, 12, 31, 22, 1)),
        ("2021-12-31, 22:01 - ", (2021, 12, 31, 22, 1)),
        ("2021/12/31, 22:01 - ", (2021, 12, 31, 22, 1)),
        ("12/31/21, 10:01 PM - ", (2021, 12, 31, 22, 1)),
        ("12/31/21, 10:01\u202fPM - ", (2021, 12, 31, 22, 1)),
        ("12/31/21, 12:01 AM - ", (2021, 12, 31, 0, 1)),
        ("31/12/2021, 10:01 p. m. - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021, 10:01\xa0p.\xa0m. - ", (2021, 12, 31, 22, 1)),
        ("2021. 12. 31. 오후 10:01 - ", (2021, 12, 31, 22, 1)),
        ("2021/12/31 下午10:01 - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021 10:01 ÖS - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021, 10:01 μ.μ. - ", (2021, 12, 31, 22, 1)),
        ("٣١/١٢/٢٠٢١، ١٠:٠١ م - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021, 10:01 PTG - ", (2021, 12, 31, 22, 1)),
        ("31.12.21 г., 22:01 ч. - ", (2021, 12, 31, 22, 1)),
        ("31/12/2564 22:01 - ", (2021, 12, 31, 22, 1)),
        ("[31.12.21, 22:01:05] ", (2021, 12, 31, 22, 1, 5)),
        ("31/12/16, 22:01:05: ", (2016, 12, 31, 22, 1, 5)),
        ("12/31/16, 10:01:05 PM: ", (2016, 12, 31, 22, 1, 5)),
        ("31.12.16 22:01:05: ", (2016, 12, 31, 22, 1, 5)),
        ("\u200e[12/31/21, 10:01:05\u202fPM] ", (2021, 12, 31, 22, 1, 5)),
        ("[2021-12-31, 22:01:05] ", (2021, 12, 31, 22, 1, 5)),
        ("31/12/2021 à 22:01 - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021 22 h 01 - ", (2021, 12, 31, 22, 1)),
        ("31.12.2021, 22:01 — ", (2021, 12, 31, 22, 1)),
        ("31/12/2021 lúc 22:01 - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021 pukul 22.01 - ", (2021, 12, 31, 22, 1)),
        ("31\u200f/12\u200f/2021، 10:01 م - ", (2021, 12, 31, 22, 1)),
        ("\u200f[٣١\u200f/١٢\u200f/٢٠٢١، ١٠:٠١:٠٥ م] ", (2021, 12, 31, 22, 1, 5)),
        ("31.12.2021 г., 10:01 сл.об. - ", (2021, 12, 31, 22, 1)),
        ("31/12/21, 10:01 अपराह्न - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021, 10:01 பிற்பகல் - ", (2021, 12, 31, 22, 1)),
        ("31/12/2021, 10:01 da tarde - ", (2021, 12, 31, 22, 1)),
        ("21. 12. 31. 오후 10:01 - ", (2021, 12, 31, 22, 1)),
        ("[2021/12/31 下午10:01:05] ", (2021, 12, 31, 22, 1, 5)),
        ("۱۴۰۰/۱۰/۱۰،\u200f ۲۲:۰۱ - ", (2021, 12, 31, 22, 1)),
    ],
)
def test_dates_are_read_as_phones_of_many_languages_write_them(
    tmp_path: Path, stamp: str, at: tuple[int, int, int, int, int]
) -> None:
    found = read_all(write(tmp_path / "chat.txt", f"{stamp}Ada: hello\n{stamp}Ben: hi\n"))
    [chat] = found.conversations
    assert chat.source == "whatsapp"
    assert found.turns == [("Ada", "hello"), ("Ben", "hi")]
    assert {turn.at for turn in chat.messages} == {datetime(*at, tzinfo=UTC)}
    assert found.problems == []


def dates(*days: str, after: str = "10:00") -> str:
    return "".join(f"{day}, {after} - {'Ada' if number % 2 else 'Ben'}: hi\n" for number, day in enumerate(days))


@pytest.mark.parametrize(
    ("days", "first"),
    [
        (("03/04/21", "25/04/21"), (2021, 4, 3)),  # no month is the 25th
        (("03/04/21", "04/25/21"), (2021, 3, 4)),
        (("03/04/21", "10/04/21", "02/05/21"), (2021, 4, 3)),  # October would come before February
        (("03/04/21", "03/10/21", "05/02/21"), (2021, 3, 4)),
    ],
)
def test_the_whole_file_tells_whether_the_day_comes_first(
    tmp_path: Path, days: tuple[str, ...], first: tuple[int, int, int]
) -> None:
    found = read_all(write(tmp_path / "chat.txt", dates(*days)))
    assert found.conversations[0].messages[0].at == datetime(*first, 10, tzinfo=UTC)
    assert found.problems == []


@pytest.mark.parametrize(
    ("persian", "day"),
    [
        ("1400/01/01", (2021, 3, 21)),
        ("1399/12/30", (2021, 3, 20)),  # a leap year
        ("1403/12/30", (2025, 3, 20)),
        ("1390/07/30", (2011, 10, 22)),
        ("1402/12/30", None),
        ("1402/07/31", None),
    ],
)
def test_dates_of_the_persian_calendar_are_told_in_ours(
    tmp_path: Path, persian: str, day: tuple[int, int, int] | None
) -> None:
    [turn] = read_all(write(tmp_path / "chat.txt", dates(persian))).conversations[0].messages
    assert turn.at == (datetime(*day, 10, tzinfo=UTC) if day else None)


def test_an_order_that_nothing_tells_is_reported(tmp_path: Path) -> None:
    found = read_all(write(tmp_path / "chat.txt", dates("03/04/21", "04/05/21")))
    what = "ambiguous day and month in dates; read as day/month/year"
    assert found.told == [(None, False, what)]
    assert found.conversations[0].messages[0].at == datetime(2021, 4, 3, 10, tzinfo=UTC)
    found = read_all(write(tmp_path / "chat.txt", dates("03/04/21", "04/05/21", after="10:00 AM")))
    assert found.told == [(None, False, what.replace("day/month", "month/day"))]


def test_a_date_that_does_not_exist_is_told_and_its_turn_kept(tmp_path: Path) -> None:
    days = ("25/04/21", "31/02/21", "26/04/21", "99/99/99")
    found = read_all(write(tmp_path / "chat.txt", dates(*days)))
    assert [turn.at is None for turn in found.conversations[0].messages] == [False, True, False, True]
    assert [(line, lost) for line, lost, _ in found.told] == [(2, False), (4, False)]
    assert "'31/02/21, 10:00" in found.told[0][2]


def test_an_iphone_chat_is_read_from_its_zip(tmp_path: Path) -> None:
    text = (
        "[25.12.21, 10:00:00] Garden: \u200eMessages are encrypted.\n"
        "[25.12.21, 10:00:01] ~\u202fAda: hello\n"
        "\u200e[25.12.21, 10:00:02] Ben: \u200eimage omitted\n"
        "[25.12.21, 10:00:03] Ben: look \u200e<attached: 0001-PHOTO.jpg>\n"
        "[25.12.21, 10:00:04] Ben: better \u200e<This message was edited>\n"
    )
    path = write_zip(tmp_path / "WhatsApp Chat - Garden (2).zip", {"_chat.txt": text, "0001-PHOTO.jpg": b"\xff\xd8"})
    found = read_all(path)
    assert found.conversations[0].id == "whatsapp:Garden"
    assert found.turns == [("Ada", "hello"), ("Ben", "look"), ("Ben", "better")]
    assert [lost for _, lost, _ in found.told] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "2021-12-31, 22:01 - ERROR: no disk\n2021-12-31, 22:02 - INFO: retry\n",
        "31/12/21, 22:01 - nobody speaks\n31/12/21, 22:02 - here\n",
        "31/12/21, 22:01 xx - Ada: hi\n31/12/21, 22:02 xx - Ben: hi\n",
    ],
)
def test_logs_and_lists_are_no_whatsapp_chat(tmp_path: Path, text: str) -> None:
    found = detect(write(tmp_path / "a.txt", text))
    assert found is None or found.name != "whatsapp"


def test_a_turn_above_the_limit_is_told_and_the_others_read(tmp_path: Path) -> None:
    long = "31/12/21, 22:02 - Ada: " + "x" * 600_000 + "\n" + "y" * 600_000 + "\n"
    found = read_all(write(tmp_path / "a.txt", dates("31/12/21") + long + dates("31/12/21")))
    assert len(found.turns) == 2
    assert found.told == [(2, True, "a turn exceeds the limit of 1 MB")]


# --- Signal

SIGNAL = """[2019-12-24, 12:23] Me: Hello
Jane!
(- Jane: 👍 -)
[2020-01-17, 21:49] Jane Doe 🤓: look
![photo.jpg](./media/photo.jpg)
[2020-02-31, 21:50] Jane Doe 🤓: > Hello
that was nice
"""


def test_a_signal_chat_keeps_its_turns_and_counts_what_is_none(tmp_path: Path) -> None:
    found = read_all(write(tmp_path / "Jane" / "chat.md", SIGNAL))
    [chat] = found.conversations
    assert (chat.id, chat.title, chat.source) == ("signal:Jane", "Jane", "signal")
    assert found.turns == [
        ("user", "Hello\nJane!"),
        ("Jane Doe 🤓", "look"),
        ("Jane Doe 🤓", "> Hello\nthat was nice"),
    ]
    assert [turn.at for turn in chat.messages] == [
        datetime(2019, 12, 24, 12, 23, tzinfo=UTC),
        datetime(2020, 1, 17, 21, 49, tzinfo=UTC),
        None,
    ]
    assert found.told == [
        (6, False, "the time '2020-02-31, 21:50' is invalid; the turn was stored without a time"),
        (None, False, "skipped what is not a message: pictures or files (1), reactions (1)"),
    ]


SIGNAL_NOW = """[2024-12-24 12:23:05] Me: Hello
Jane!
(- Jane: 👍 -)

[2025-01-17 21:49:00] Jane: look  ![photo.jpg](./media/photo.jpg)

[2025-01-17 21:50:00] Jane: Missed voice call

[2025-01-18 21:50:00] Jane:

> Hello

that was nice
(( 😀 ))

[2025-01-19 21:50:00] Jane: (This message was deleted)
"""
NOW_SPOKEN = [("user", "Hello\nJane!"), ("Jane", "look"), ("Jane", "> Hello\n\nthat was nice")]


def signal_message(date: str, sender: str, body: str, quote: str = "", **fields: Any) -> dict[str, Any]:
    kept = {"date": date, "sender": sender, "body": f"{body}  ", "quote": quote}
    return {**kept, "sticker": None, "reactions": [], "attachments": [], **fields}


SIGNAL_LINES = [
    signal_message("2024-12-24T12:23:05.123000", "Me", "Hello\nJane!", reactions=[["Jane", "👍"]]),
    signal_message(
        "2025-01-17T21:49:00", "Jane", "look", attachments=[{"name": "photo.jpg", "path": "media/photo.jpg"}]
    ),
    signal_message("2025-01-17T21:50:00", "Jane", "Missed voice call", call=True),
    signal_message("2025-01-18T21:50:00.5", "Jane", "that was nice", "\n\n> Hello\n\n", sticker={"emoji": "😀"}),
    signal_message("2025-01-19T21:50:00.5", "Jane", "", deleted=True),
]


def test_the_chats_of_today_s_signal_export_have_no_comma_in_their_times(tmp_path: Path) -> None:
    found = read_all(write(tmp_path / "Jane" / "chat.md", SIGNAL_NOW))
    [chat] = found.conversations
    assert (chat.id, chat.title, chat.source) == ("signal:Jane", "Jane", "signal")
    assert found.turns == NOW_SPOKEN
    assert chat.messages[0].at == datetime(2024, 12, 24, 12, 23, 5, tzinfo=UTC)
    what = "skipped what is not a message: calls or deleted messages (2), pictures or files (2), reactions (1)"
    assert found.told == [(None, False, what)]


def test_the_json_of_signal_export_says_the_same_and_not_twice(tmp_path: Path) -> None:
    text = write(tmp_path / "text" / "Jane" / "chat.md", SIGNAL_NOW)
    (tmp_path / "json" / "Jane").mkdir(parents=True)
    found = read_all(write_lines(tmp_path / "json" / "Jane" / "data.json", *SIGNAL_LINES))
    assert found.conversations == read_all(text).conversations
    write_lines(text.with_name("data.json"), *SIGNAL_LINES)
    assert read_all(tmp_path / "text").turns == NOW_SPOKEN
    zipped = write_zip(tmp_path / "chats.zip", {"Jane/chat.md": SIGNAL_NOW})
    assert [(each.id, each.title) for each in read_all(zipped).conversations] == [("signal:Jane", "Jane")]


def test_a_log_with_such_times_is_no_signal_chat(tmp_path: Path) -> None:
    found = detect(write(tmp_path / "notes.md", SIGNAL_NOW))
    assert found is not None
    assert found.name != "signal"


ACI = "ERERERERQRGBERERERERERE="
OWN: list[dict[str, Any]] = [
    {"version": "1", "backupTimeMs": "1734989094736"},
    {"account": {"givenName": "Me"}},
    {"recipient": {"id": "1", "self": {}}},
    {"recipient": {"id": "2", "contact": {"aci": ACI, "systemGivenName": "Ada", "systemFamilyName": "Lovelace"}}},
    {"recipient": {"id": "3", "group": {"masterKey": "c2VjcmV0", "snapshot": {"title": {"title": "Garden"}}}}},
    {"recipient": {"id": "4", "contact": {"e164": "15550001111", "profileGivenName": ""}}},
    {"chat": {"id": "10", "recipientId": "2"}},
    {"chat": {"id": "11", "recipientId": "3"}},
    {"chat": {"id": "12", "recipientId": "1"}},
]


def item(chat: str, author: str, second: int, **what: Any) -> dict[str, Any]:
    way = "outgoing" if author == "1" else "incoming"
    sent = str(1_734_989_000_000 + 1000 * second)
    return {"chatItem": {"chatId": chat, "authorId": author, "dateSent": sent, way: {}, **what}}


def words(body: str, **fields: Any) -> dict[str, Any]:
    return {"standardMessage": {"text": {"body": body}, **fields}}


def test_signal_s_own_export_gives_each_chat_with_its_names(tmp_path: Path) -> None:
    items = [
        item("10", "2", 0, **words("hello", reactions=[{"emoji": "👍"}])),
        item("11", "4", 1, **words("the south bed?")),
        item("10", "1", 2, **words("hi back", quote={"text": {"body": "hello"}}), revisions=[{}]),
        item("10", "2", 3, updateMessage={"individualCall": {}}),
        item("10", "2", 4, remoteDeletedMessage={}),
        item("10", "2", 5, standardMessage={"attachments": [{}]}),
        item("12", "1", 6, **words("buy milk")),
        item("11", "1", 7, poll={"question": "Saturday?", "options": []}),
    ]
    (tmp_path / "signal-backup").mkdir()
    found = read_all(write_lines(tmp_path / "signal-backup" / "main.jsonl", *OWN, *items))
    assert {each.source for each in found.conversations} == {"signal_export"}
    chats = {each.title: [(turn.name, turn.content) for turn in each.messages] for each in found.conversations}
    assert chats == {
        "Ada Lovelace": [("Ada Lovelace", "hello"), (None, "> hello\n\nhi back")],
        "Garden": [("+15550001111", "the south bed?"), (None, "Saturday?")],
        "Note to Self": [(None, "buy milk")],
    }
    ids = [each.id for each in found.conversations]
    assert ids[0] == f"signal:{ACI}"
    assert ids[2] == "signal:self"
    assert not any("c2VjcmV0" in each for each in ids)  # a group's key is a secret
    assert found.conversations[0].messages[0].at == datetime(2024, 12, 23, 21, 23, 20, tzinfo=UTC)
    what = (
        "skipped what is not a message: calls, joins and other events (1), deleted messages (1), "
        "pictures, stickers and cards without words (1)"
    )
    assert found.told == [(None, False, what)]


def test_signal_s_own_export_with_holes_keeps_what_was_said(tmp_path: Path) -> None:
    odd = [
        {"recipient": 7},
        {"chat": {"id": None}},
        {"chatItem": []},
        7,
        {"chatItem": {"standardMessage": {"text": 3}}},
    ]
    found = read_all(
        write_lines(tmp_path / "main.jsonl", *odd, item("99", "98", 0, **words("hello")), '{"chatItem": {')
    )
    assert found.turns == [("Unknown", "hello")]
    assert found.conversations[0].id == "signal:99"
    assert [(line, lost) for line, lost, _ in found.told] == [(4, True), (6, False), (7, True), (None, False)]


def test_sigtop_s_short_text_is_a_chat(tmp_path: Path) -> None:
    text = "2024-12-24 12:23 You: hello\nthere\n2024-12-24 12:24 Ada Lovelace: [1 attachment] look\n"
    found = read_all(write(tmp_path / "Ada Lovelace.txt", text))
    assert found.turns == [("user", "hello\nthere"), ("Ada Lovelace", "[1 attachment] look")]
    assert found.conversations[0].messages[1].at == datetime(2024, 12, 24, 12, 24, tzinfo=UTC)


@pytest.mark.parametrize(
    "notice",
    [
        "このメッセージは削除されました",
        "삭제된 메시지입니다",
        "ההודעה נמחקה",
        "Tato zpráva byla smazána",
        "此訊息已刪除",
        "Αυτό το μήνυμα διαγράφηκε",
    ],
)
def test_a_deleted_message_is_no_turn_in_any_language(tmp_path: Path, notice: str) -> None:
    text = f"31/12/21, 22:02 - Ada: hello\n31/12/21, 22:03 - Ben: {notice}\n"
    found = read_all(write(tmp_path / "chat.txt", text))
    assert found.turns == [("Ada", "hello")]
    assert found.told == [(None, False, "skipped what is not a message: calls or deleted messages (1)")]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Ada ile WhatsApp Sohbeti.txt", "Ada"),
        ("Czat WhatsApp z Ada.txt", "Ada"),
        ("محادثة واتساب مع Ada.txt", "Ada"),
        ("צ'אט WhatsApp עם Ada.txt", "Ada"),
        ("WhatsApp Chat with Zed.txt", "Zed"),
        ("WhatsApp chats 2021.txt", None),
    ],
)
def test_the_file_says_with_whom_in_any_language(tmp_path: Path, file: str, name: str | None) -> None:
    [chat] = read_all(write(tmp_path / file, "31/12/21, 22:02 - Ada: hello\n")).conversations
    assert chat.title == name
