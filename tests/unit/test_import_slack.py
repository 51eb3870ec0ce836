"""Slack exports: people, channels, threads and days, from the zip and from its folder, whole and broken."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chat_files import read_all, write_zip

USERS = [
    {"id": "U1", "name": "ada", "real_name": "Ada Byron", "profile": {"display_name": "ada"}},
    {"id": "U2", "name": "ben", "profile": {"real_name": "", "display_name": "Benny"}},
]
CHANNELS = [{"id": "C1", "name": "general"}, {"id": "C2", "name": "random"}]
DMS = [{"id": "D1", "members": ["U1", "U2"]}]


def said(user: str, text: Any, ts: str, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": ts, **fields}


FIRST = [
    said("U1", "has joined", "1451606400.000100", subtype="channel_join"),
    said("U1", "<@U2> see <https://x.org|the plan> &amp; <#C2|random> <!here>", "1451606401.000100"),
    said("U2", "where do we host?", "1451606402.000100", thread_ts="1451606402.000100", reply_count=2),
    said("U1", "at home", "1451606403.000100", thread_ts="1451606402.000100"),
    {"type": "message", "subtype": "bot_message", "username": "Deploy", "text": "done", "ts": "1451606404.000100"},
    {"type": "message", "subtype": "bot_message", "username": "Git", "text": "", "ts": "1451606405.000100"},
]
SECOND = [
    said("U2", "and the backups?", "1451692802.000100", thread_ts="1451606402.000100", subtype="thread_broadcast"),
    said("U1", "<@U1> uploaded a file: <u|plan>", "1451692803.000100", subtype="file_share", file={"id": "F"}),
    said("U1", "good morning", "1451692804.000100"),
]
MEMBERS: dict[str, Any] = {
    "users.json": USERS,
    "channels.json": CHANNELS,
    "dms.json": DMS,
    "general/2016-01-01.json": FIRST,
    "general/2016-01-02.json": SECOND,
    "D1/2016-01-01.json": [said("U1", "just us", "1451606400.000200")],
}
WANT = {
    "slack:C1": [
        ("Ada Byron", "@Benny see the plan (https://x.org) & #random @here"),
        ("Deploy", "done"),
        ("Ada Byron", "good morning"),
    ],
    "slack:C1/1451606402.000100": [
        ("Benny", "where do we host?"),
        ("Ada Byron", "at home"),
        ("Benny", "and the backups?"),
    ],
    "slack:D1": [("Ada Byron", "just us")],
}


def export(path: Path, members: dict[str, Any], top: str = "") -> Path:
    texts = {top + name: each if isinstance(each, str) else json.dumps(each) for name, each in members.items()}
    return write_zip(path, texts)


def test_a_slack_export_gives_channels_threads_and_talks_of_two(tmp_path: Path) -> None:
    found = read_all(export(tmp_path / "slack.zip", MEMBERS))
    talks = {each.id: [(turn.name, turn.content) for turn in each.messages] for each in found.conversations}
    assert talks == WANT
    by_id = {each.id: each for each in found.conversations}
    assert [(by_id[key].title, by_id[key].project) for key in WANT] == [
        ("#general", "general"),
        ("#general: where do we host?", "general"),
        ("Ada Byron, Benny", None),
    ]
    first = by_id["slack:C1"].messages[0]
    assert (first.id, first.at) == ("1451606401.000100", datetime(2016, 1, 1, 0, 0, 1, 100, tzinfo=UTC))
    assert [turn.role for turn in by_id["slack:C1"].messages] == ["user", "assistant", "user"]
    assert found.told == [
        (None, False, "skipped what is not a message: channel_join (1), files or cards without words (2)")
    ]


def test_the_folder_and_a_zip_of_the_folder_are_the_same(tmp_path: Path) -> None:
    whole = read_all(export(tmp_path / "a.zip", MEMBERS)).conversations
    assert read_all(export(tmp_path / "b.zip", MEMBERS, "Team export/")).conversations == whole
    for name, each in MEMBERS.items():
        path = tmp_path / "exports" / "team" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(each), encoding="utf-8")
    assert read_all(tmp_path / "exports").conversations == whole
    assert read_all(tmp_path / "exports" / "team").conversations == whole


def test_what_is_broken_is_told_with_its_file_and_the_rest_read(tmp_path: Path) -> None:
    broken = MEMBERS | {
        "general/2016-01-02.json": json.dumps(SECOND)[:-30],
        "general/2016-01-03.json": "no json",
        "general/2016-01-04.json": [7, said("U9", "who am I?", "soon"), said("U1", 8, "1451865600.000100")],
        "lost/2016-01-01.json": [said("U1", "no list knows this", "1451606400.000300")],
        "channels.json": [7, {"id": None}, *CHANNELS],
    }
    found = read_all(export(tmp_path / "slack.zip", broken))
    turns = {each.id: [turn.content for turn in each.messages] for each in found.conversations}
    assert turns["slack:C1"][-1] == "who am I?"
    assert turns["slack:lost"] == ["no list knows this"]
    told = [(Path(problem.path).name, problem.line, problem.lost) for problem in found.problems]
    assert ("2016-01-02.json", 3, True) in told
    assert ("2016-01-03.json", None, True) in told or ("2016-01-03.json", 1, True) in told
    assert ("2016-01-04.json", 1, True) in told
    assert ("channels.json", 1, True) in told
    assert any("'soon'" in problem.what for problem in found.problems)


def test_the_same_export_again_has_the_same_ids(tmp_path: Path) -> None:
    first = read_all(export(tmp_path / "a.zip", MEMBERS)).conversations
    grown = MEMBERS | {"general/2016-01-03.json": [said("U2", "more", "1451779200.000100")]}
    again = {each.id: each.messages for each in read_all(export(tmp_path / "b.zip", grown)).conversations}
    assert all(again[each.id][: len(each.messages)] == each.messages for each in first)
    assert len(again["slack:C1"]) == 4


def test_what_an_app_shows_in_blocks_is_kept_once(tmp_path: Path) -> None:
    def section(text: str) -> dict[str, Any]:
        return {"type": "section", "text": {"type": "mrkdwn", "text": text}}

    def typed(text: str) -> dict[str, Any]:
        return {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}

    cells = [{"type": "raw_text", "text": "pond"}, {"type": "rich_text", "elements": [typed("3 acres")]}]
    shown: list[tuple[str, list[dict[str, Any]], str]] = [
        ("Alert one", [section("*Disk* at 97 %"), section("Alert")], "Alert one\n*Disk* at 97 %"),
        ("Build failed", [section("*Build* failed: lint")], "*Build* failed: lint"),
        ("This content can't be displayed.", [section("Deployed")], "Deployed"),
        ("No words in blocks", [{"type": "divider"}], "No words in blocks"),
        ("", [{"type": "table", "rows": [cells, cells]}], "pond | 3 acres\npond | 3 acres"),
        (
            "",
            [{"type": "video", "title": {"text": "Demo"}, "description": {"text": "How it works"}}],
            "Demo\nHow it works",
        ),
    ]
    messages = [
        {"type": "message", "bot_id": "B1", "text": text, "blocks": blocks, "ts": f"145160640{index}.000100"}
        for index, (text, blocks, _) in enumerate(shown)
    ]
    typed_by_ada = said(
        "U1", "see &lt;b&gt;", "1451606409.000100", blocks=[{"type": "rich_text", "elements": [typed("see <b>")]}]
    )
    found = read_all(export(tmp_path / "slack.zip", MEMBERS | {"random/2016-01-01.json": [*messages, typed_by_ada]}))
    [talk] = [each for each in found.conversations if each.id == "slack:C2"]
    assert [turn.content for turn in talk.messages] == [*(want for _, _, want in shown), "see <b>"]
