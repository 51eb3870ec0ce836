"""Discord, Gemini in Google Takeout, e-mail, OpenCode and Cursor: what is read of each, and what is counted."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat_files import Found, read_all, write_json, write_zip
from ricordo.blocking import Memory
from ricordo.formats import detect
from ricordo.formats.html_text import words_of

# --- Discord


def discord(*messages: dict[str, Any], guild: str = "7", **fields: Any) -> dict[str, Any]:
    """DiscordChatExporter's file of a channel."""
    ada = {"id": "1", "name": "ada", "nickname": "Ada Berg", "isBot": False}
    whole = [
        {"id": f"m{index}", "type": "Default", "timestamp": f"2026-03-01T10:0{index}:00+01:00", "content": ""}
        | {"author": ada}
        | each
        for index, each in enumerate(messages)
    ]
    return {
        "guild": {"id": guild, "name": "Boats"},
        "channel": {"id": "42", "type": "GuildTextChat", "category": "Text", "name": "harbour"},
        "dateRange": {"after": None, "before": None}, "exportedAt": "2026-03-02T10:00:00+01:00",
        **fields, "messages": whole, "messageCount": len(whole),
    }  # fmt: skip


BOT = {"id": "9", "name": "deploybot", "nickname": None, "isBot": True}


def test_a_discord_channel_is_read(tmp_path: Path) -> None:
    path = write_json(
        tmp_path / "harbour.json",
        discord(
            {"content": "The anchor chain is 30 m, <@9>.", "mentions": [{"id": "9", "name": "deploybot"}]},
            {"type": "Reply", "content": "Noted.", "author": {"id": "2", "name": "ben", "isBot": False}},
            {"type": "GuildMemberJoin", "content": "Joined the server."},
            {"content": "", "attachments": [{"fileName": "a.png"}]},
            {"author": BOT, "embeds": [{"title": "Build 7", "fields": [{"name": "Tests", "value": "ok"}]}]},
            {"content": "See https://x.example", "embeds": [{"title": "A preview"}]},
        ),
    )
    found = read_all(path)
    [talk] = found.conversations
    assert (talk.id, talk.title, talk.project, talk.source) == ("discord:42", "#harbour", "Boats", "discord")
    assert found.turns == [
        ("Ada Berg", "The anchor chain is 30 m, @deploybot."),
        ("ben", "Noted."),
        ("deploybot", "Build 7\nTests: ok"),
        ("Ada Berg", "See https://x.example"),
    ]
    assert [each.role for each in talk.messages] == ["user", "user", "assistant", "user"]
    assert talk.messages[0].at == datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
    [told] = found.problems
    assert told.what == (
        "skipped what is not a message: joins, pins, calls and other events (1), "
        "pictures, files or stickers without words (1)"
    )


def test_a_direct_talk_on_discord_has_no_project_and_an_edit_is_one(memory: Memory, tmp_path: Path) -> None:
    for text in ("Meet at nine.", "Meet at ten."):
        write_json(tmp_path / "dm.json", discord({"content": text}, guild="0"))
        imported = memory.import_chats([tmp_path / "dm.json"])
    assert (imported.stored, imported.edited) == (0, 1)
    assert read_all(tmp_path / "dm.json").conversations[0].project is None


def test_a_large_discord_channel_is_read_as_a_stream(tmp_path: Path) -> None:
    message = {"content": "x" * 10_000}
    value = discord(*[message] * 9)
    value["messages"] = [{**value["messages"][0], "id": str(index)} for index in range(3_600)]
    path = write_json(tmp_path / "large.json", value)
    assert path.stat().st_size > 32_000_000
    assert len(read_all(path).turns) == 3_600


# --- Gemini in Google Takeout


def activity(title: str, minute: int, html: str | None = None, **fields: Any) -> dict[str, Any]:
    """An entry of MyActivity.json."""
    answer = {} if html is None else {"safeHtmlItem": [{"html": html}]}
    return {
        "header": "Gemini Apps", "title": title, "time": f"2026-03-01T10:{minute:02}:00.000Z",
        "titleUrl": "https://gemini.google.com/app", "products": ["Gemini Apps"], **answer, **fields,
    }  # fmt: skip


def test_geminis_activity_is_read_oldest_first(tmp_path: Path) -> None:
    entries = [
        activity("Prompted And the keel?", 5, "<p>Lead &amp; iron.</p><ul><li>lead</li><li>iron</li></ul>"),
        activity("Gave feedback: Good response", 4),
        activity("Eingegebener Prompt: Welches Holz?", 2, "<p>Eiche<br>oder Kiefer</p>"),
        activity("Prompted Which wood?", 1, "<p>Oak.</p>"),
        {**activity("Watched a video", 0), "header": "YouTube", "products": ["YouTube"]},
    ]
    path = write_json(tmp_path / "MyActivity.json", entries)
    found = read_all(path)
    [talk] = found.conversations
    assert (talk.id, talk.source) == ("gemini:2026-03-01", "gemini")
    assert found.turns == [
        ("user", "Which wood?"),
        ("assistant", "Oak."),
        ("user", "Eingegebener Prompt: Welches Holz?"),
        ("assistant", "Eiche\noder Kiefer"),
        ("user", "And the keel?"),
        ("assistant", "Lead & iron.\n\n- lead\n- iron"),
    ]
    assert not any(each.lost for each in found.problems)


@pytest.mark.parametrize("called", ["Gemini-Apps", "Applications Gemini", "Bard", "Apps con Gemini"])
def test_gemini_is_known_by_its_name_in_every_language(tmp_path: Path, called: str) -> None:
    entry = activity("Prompted Which wood?", 1, "<p>Oak.</p>", header=called, products=[called])
    found = read_all(write_json(tmp_path / "MeineAktivitäten.json", [entry]))
    assert found.turns == [("user", "Which wood?"), ("assistant", "Oak.")]


def test_entries_of_one_gemini_conversation_belong_together_and_a_later_export_adds_to_it(
    memory: Memory, tmp_path: Path
) -> None:
    def entry(minute: int) -> dict[str, Any]:
        details = [{"name": "Request", "value": "ok"}, {"name": "Response", "value": "Done."}]
        url = "https://gemini.google.com/app/c/abc123"
        return activity("Used Gemini Apps", minute, titleUrl=url, details=details)

    path = write_json(tmp_path / "MyActivity.json", [entry(2), entry(1)])
    assert [each.id for each in read_all(path).conversations] == ["gemini:abc123"]
    assert memory.import_chats([path]).stored == 4
    write_json(path, [entry(3), entry(2)])
    imported = memory.import_chats([path])
    assert (imported.stored, imported.duplicates) == (2, 2)


# --- e-mail


def mail(number: int, text: str, sender: str = "Ada Berg <ada@x.example>", **headers: str) -> str:
    """A message as it stands in an mbox file."""
    named = {
        "From": sender, "Subject": "The keel", "Date": f"Sun, 01 Mar 2026 10:{number:02}:00 +0100",
        "Message-ID": f"<{number}@x.example>", **{name.replace("_", "-"): value for name, value in headers.items()},
    }  # fmt: skip
    lines = [f"{name}: {value}" for name, value in named.items() if value]
    return f"From {number}@xxx Sun Mar 01 10:{number:02}:00 +0000 2026\n" + "\n".join(lines) + f"\n\n{text}\n\n"


def read_mail(tmp_path: Path, *mails: str) -> Found:
    path = tmp_path / "All mail.mbox"
    path.write_bytes("".join(mails).encode())
    return read_all(path)


def test_threads_of_mail_are_conversations(tmp_path: Path) -> None:
    ben = "Ben <ben@x.example>"
    quoting = "Agreed.\n\nOn Sun, 1 Mar 2026 at 10:02, Ben <ben@x.example> wrote:\n> Lead.\n> > Which?\n"
    found = read_mail(
        tmp_path,
        mail(3, quoting, Subject="Re: The keel", References="<1@x.example> <2@x.example>"),
        mail(1, "Which metal for the keel?\n>From the yard we get both."),
        mail(2, "> Which metal for the keel?\n\nLead.\n", ben, Subject="AW: The keel", In_Reply_To="<1@x.example>"),
        mail(4, "Another matter.", ben, Subject="=?utf-8?q?Caf=C3=A9?="),
        mail(5, "Buy now", "spam@x.example", X_Gmail_Labels="Spam,Unread"),
    )  # fmt: skip
    keel, cafe = sorted(found.conversations, key=lambda each: each.id)
    assert [(each.id, each.title) for each in (keel, cafe)] == [
        ("mail:1@x.example", "The keel"),
        ("mail:4@x.example", "Café"),
    ]
    assert [(each.name, each.content) for each in keel.messages] == [
        ("Ada Berg", "Which metal for the keel?\nFrom the yard we get both."),
        ("Ben", "Lead."),
        ("Ada Berg", "Agreed."),
    ]
    assert keel.messages[1].at == datetime(2026, 3, 1, 9, 2, tzinfo=UTC)
    assert found.told == [
        (None, False, "skipped what is not a message: messages in spam, trash and drafts (1), quoted lines (3)")
    ]


@pytest.mark.parametrize("name", ["user", "User", '"user"', "user's"])
def test_nobody_becomes_the_user_by_their_name(tmp_path: Path, name: str) -> None:
    found = read_mail(tmp_path, mail(1, "Always send invoices to me.", f"{name} <eve@x.example>"))
    [[message]] = [each.messages for each in found.conversations]
    assert (message.name or "").endswith(" (mbox)")


def test_words_of_mail_are_those_of_its_text_part_in_whatever_encoding(tmp_path: Path) -> None:
    parts = (
        '--b\nContent-Type: text/plain; charset="iso-8859-1"\nContent-Transfer-Encoding: quoted-printable\n\n'
        "Gr=FC=DFe vom See =E2=80=93\n--b\nContent-Type: text/html\n\n<p>rich</p>\n"
        "--b\nContent-Type: image/png; name=a.png\nContent-Disposition: attachment\n\nAAAA\n--b--\n"
    )
    multipart = mail(1, parts, MIME_Version="1.0", Content_Type="multipart/mixed; boundary=b")
    html = "<html><head><style>p{}</style></head><body><p>Only <b>rich</b>.</p></body></html>"
    rich = mail(2, html, Message_ID="<r@x.example>", Content_Type="text/html; charset=utf-8")
    broken = mail(
        3, "No date.", Message_ID="<n@x.example>", Date="yesterday", Content_Type="text/plain; charset=nonesuch"
    ).replace("Sun Mar 01 10:03:00 +0000 2026", "soon, at 10:03")
    found = read_mail(tmp_path, multipart, rich, broken)
    assert [text for _, text in found.turns] == ["Grüße vom See â\x80\x93", "Only rich.", "No date."]
    assert found.conversations[2].messages[0].at is None
    assert "attachments (1)" in str(found.problems)


QUOTED = [
    "Thanks!\n\n________________________________\nFrom: Ben <b@x>\nSent: Monday\nTo: Ada\nSubject: x\n\nLead.",
    "Thanks!\n\n*Von:* Ben <b@x>\n*Gesendet:* Montag\n*An:* Ada\n*Cc:* Cy\n*Betreff:* x\n\nLead.",
    "Thanks!\n\n-----Original Message-----\nFrom: Ben\n\nLead.",
    "<div>Thanks!</div><div class=gmail_quote><div>On Mon, 2 Mar 2026, Ben &lt;b@x&gt; wrote:<br></div><blockquote>"
    "<div>Lead.</div><blockquote>Which?</blockquote></blockquote></div>",
    '<div>Thanks!</div><div class="x yahoo_quoted"><div>On Monday, Ben wrote:</div><div>Lead.</div></div>',
    "Thanks!\n\nDen mån 2 mars 2026 kl 10:00 skrev Ben <b@x>:\n\n> Lead.",
    "Thanks!\n\npon., 2 mar 2026 o 10:00 Ben\n<b@x> napisał(a):\n\n> Lead.",
    "Thanks!\n\n2026年3月2日(月) 10:00 Ben <b@x>:\n\n> Lead.",
    "Thanks!\n\nпн, 2 мар. 2026 г. в 10:00, Ben:\n\n> Lead.",
    "Thanks!\n\nBen, 2 Mar 2026 Pzt, 10:00 tarihinde şunu yazdı:\n\n> Lead.",
]


@pytest.mark.parametrize("text", QUOTED)
def test_words_that_a_mail_quotes_are_not_the_senders(tmp_path: Path, text: str) -> None:
    kind = "text/html" if text.startswith("<") else "text/plain"
    found = read_mail(tmp_path, mail(1, text, Subject="Re: x", Content_Type=kind))
    assert [said for _, said in found.turns] == ["Thanks!"]


def test_words_over_a_quotation_that_introduce_nobody_stay(tmp_path: Path) -> None:
    found = read_mail(tmp_path, mail(1, "In 2026 at last:\n\n> Lead.\n\nI asked at 10:30:\n\n> Which?"))
    assert [said for _, said in found.turns] == ["In 2026 at last:\n\n\nI asked at 10:30:"]
    found = read_mail(tmp_path, mail(1, "We met on 2026-03-02.\nThen I asked at 10:30:\n\n> Which?"))
    assert [said for _, said in found.turns] == ["We met on 2026-03-02.\nThen I asked at 10:30:"]


def test_what_thunderbird_marks_as_deleted_or_unsent_is_no_turn(tmp_path: Path) -> None:
    marks = [{"X_Mozilla_Status": "0001"}, {"X_Mozilla_Status": "0009"}, {"X_Mozilla_Draft_Info": "internal/draft"}]
    mails = [mail(number, f"Words {number}.", **fields) for number, fields in enumerate(marks)]
    found = read_mail(tmp_path, *mails)
    assert [said for _, said in found.turns] == ["Words 0."]
    assert found.told == [(None, False, "skipped what is not a message: messages in spam, trash and drafts (2)")]


def test_quotations_inside_of_each_other_do_not_multiply_a_text() -> None:
    assert words_of("<p>a</p><blockquote>b<blockquote>c</blockquote></blockquote>d") == "a\n\n> b\n\n> > c\n\nd"
    html = "<blockquote>" * 2_000 + "a<br>" * 2_000
    assert len(words_of(html)) < 2 * len(html)


def test_what_a_mail_forwards_stays_and_what_it_attaches_does_not(tmp_path: Path) -> None:
    forwarded = "See below.\n\nFrom: Ben\nSent: Monday\nTo: Ada\nSubject: x\n\nLead."
    parts = (
        "--b\nContent-Type: text/plain\n\nSee the letter.\n--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n"
        "--b\nContent-Type: message/rfc822\n\nFrom: cy@x.example\nSubject: x\n\nCy's words.\n--b--\n"
    )
    attached = mail(2, parts, MIME_Version="1.0", Content_Type="multipart/mixed; boundary=b")
    found = read_mail(tmp_path, mail(1, forwarded, Subject="FW: x"), attached)
    assert [said for _, said in found.turns] == [forwarded, "See the letter."]
    assert "attachments (2)" in str(found.problems)


def test_mail_in_a_zip_adds_what_is_new_when_it_grew(memory: Memory, tmp_path: Path) -> None:
    first = mail(1, "ok")
    path = tmp_path / "takeout.zip"
    write_zip(path, {"Takeout/Mail/All mail.mbox": first})
    assert memory.import_chats([path]).stored == 1
    answers = mail(2, "ok", References="<1@x.example>"), mail(3, "ok", References="<1@x.example>")
    write_zip(path, {"Takeout/Mail/All mail.mbox": first + "".join(answers)})
    imported = memory.import_chats([path])
    assert (imported.stored, imported.duplicates) == (2, 1)


def test_mail_without_ids_is_known_wherever_it_stands(memory: Memory, tmp_path: Path) -> None:
    def bare(number: int, text: str, **headers: str) -> str:
        return mail(number, text, Message_ID="", **headers)

    mails = [bare(1, "ok"), bare(2, "ok"), bare(3, "ok", Date=""), bare(4, "ok", Date="soon")]
    path = tmp_path / "All mail.mbox"
    path.write_text("".join(mails))
    assert memory.import_chats([path]).stored == 4
    path.write_text("".join([bare(5, "first now"), *reversed(mails)]))
    imported = memory.import_chats([path])
    assert (imported.stored, imported.duplicates) == (1, 4)


def test_mail_without_a_readable_date_was_sent_when_it_arrived(tmp_path: Path) -> None:
    found = read_mail(tmp_path, mail(1, "ok", Date="soon"), mail(2, "ok", Date=""))
    times = [turn.at for talk in found.conversations for turn in talk.messages]
    assert times == [datetime(2026, 3, 1, 10, minute, tzinfo=UTC) for minute in (1, 2)]
    assert not found.problems


def test_a_text_that_begins_like_mail_is_none(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("From Ada to Ben at 10:00\n\nDear Ben,\nhow are you?\n")
    assert detect(tmp_path / "letter.txt") is None


# --- OpenCode

SESSION = {"id": "ses_1", "title": "Sails", "directory": "/home/u/windmill", "time": {"created": 1772359200000}}
MESSAGES = [
    ({"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1772359200000}},
     [{"id": "prt_1", "type": "text", "text": "Which cloth?"},
      {"id": "prt_2", "type": "text", "text": "<file>", "synthetic": True}]),
    ({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "time": {"created": 1772359260000}},
     [{"id": "prt_3", "type": "reasoning", "text": "hm"}, {"id": "prt_4", "type": "tool", "tool": "bash"},
      {"id": "prt_5", "type": "text", "text": "Linen."}]),
    ({"id": "msg_3", "sessionID": "ses_1", "role": "assistant", "summary": True, "time": {"created": 1772359270000}},
     [{"id": "prt_6", "type": "text", "text": "They spoke about cloth."}]),
]  # fmt: skip
CHILD = {**SESSION, "id": "ses_2", "parentID": "ses_1"}


def opencode_folder(folder: Path) -> Path:
    """OpenCode's storage with a session, and one of a subagent."""
    storage = folder / "storage"
    files = {f"session/p/{each['id']}": each for each in (SESSION, CHILD)}
    for info, parts in MESSAGES:
        files[f"message/ses_1/{info['id']}"] = info
        files |= {f"part/{info['id']}/{part['id']}": part for part in parts}
    files["message/ses_2/msg_9"] = {"id": "msg_9", "role": "user"}
    files["part/msg_9/prt_9"] = {"type": "text", "text": "for the subagent"}
    for name, value in files.items():
        (storage / name).parent.mkdir(parents=True, exist_ok=True)
        write_json(storage / f"{name}.json", value)
    (storage / "migration").write_text("2")
    return storage


def opencode_database(folder: Path) -> Path:
    path = folder / "opencode.db"
    with sqlite3.connect(path) as database:
        database.executescript(
            "CREATE TABLE session (id text, parent_id text, directory text, title text, time_created integer);"
            "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);"
            "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);"
        )
        for each in (SESSION, CHILD):
            row = [each["id"], each.get("parentID"), each["directory"], each["title"], 1]
            database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", row)
        for info, parts in MESSAGES:
            data = json.dumps({key: value for key, value in info.items() if key not in ("id", "sessionID")})
            database.execute("INSERT INTO message VALUES (?, 'ses_1', 1, ?)", [info["id"], data])
            for part in parts:
                database.execute(
                    "INSERT INTO part VALUES (?, ?, 'ses_1', ?)", [part["id"], info["id"], json.dumps(part)]
                )
    database.close()
    return path


def opencode_export(folder: Path) -> Path:
    messages = [{"info": info, "parts": parts} for info, parts in MESSAGES]
    return write_json(folder / "export.json", {"info": SESSION, "messages": messages})


@pytest.mark.parametrize("write", [opencode_folder, opencode_database, opencode_export])
def test_an_opencode_session_is_read_from_wherever_it_lies(tmp_path: Path, write: Any) -> None:
    found = read_all(write(tmp_path))
    [talk] = found.conversations
    assert (talk.id, talk.title, talk.project, talk.source) == ("ses_1", "Sails", "windmill", "opencode")
    assert found.turns == [("user", "Which cloth?"), ("assistant", "Linen.")]
    assert talk.messages[1].at == datetime(2026, 3, 1, 10, 1, tzinfo=UTC)
    assert found.told == [
        (None, False, "skipped what is not a message: calls of tools and their outputs (1), "
         "summaries of the session by OpenCode (1), thoughts (1)")
    ]  # fmt: skip


def test_an_opencode_session_that_moved_into_the_database_is_known(memory: Memory, tmp_path: Path) -> None:
    opencode_folder(tmp_path)
    assert memory.import_chats([tmp_path]).stored == 2
    opencode_database(tmp_path)
    assert memory.import_chats([tmp_path]).stored == 0


# --- Cursor


def test_cursors_chats_are_read(tmp_path: Path) -> None:
    path = tmp_path / "globalStorage" / "state.vscdb"
    path.parent.mkdir()
    composer = {
        "composerId": "c1", "name": "Gate", "createdAt": 1772359200000,
        "workspaceIdentifier": {"uri": {"fsPath": "/home/u/windmill"}},
        "fullConversationHeadersOnly": [{"bubbleId": f"b{index}", "type": min(index, 2)} for index in (1, 2, 3, 4)],
    }  # fmt: skip
    lexical = {"root": {"children": [{"children": [{"text": "And "}, {"text": "the hinge?"}]}, {"children": []}]}}
    inside = {"composerId": "c2", "conversation": [{"type": 1, "bubbleId": "x", "text": "Old one"}]}
    subagent = {"composerId": "c3", "subagentInfo": {"id": 1}, "conversation": [{"type": 1, "text": "task"}]}
    bubbles = [{"type": "user", "text": "hi", "id": "u"}, {"type": "ai", "rawText": "hello", "id": "a"}]
    state = {"tabs": [{"tabId": "t1", "chatTitle": "Older", "bubbles": bubbles}]}
    rows = {
        "composerData:c1": composer, "composerData:c2": inside, "composerData:c3": subagent, "composerData:c4": None,
        "bubbleId:c1:b1": {"type": 1, "text": "How wide is the gate?", "createdAt": "2026-03-01T10:05:00.000Z"},
        "bubbleId:c1:b2": {"type": 2, "text": "", "toolFormerData": {"name": "read_file"}},
        "bubbleId:c1:b3": {"type": 2, "text": "2 m."},
        "bubbleId:c1:b4": {"type": 1, "text": "", "richText": json.dumps(lexical)},
    }  # fmt: skip
    with sqlite3.connect(path) as database:
        for table in ("ItemTable", "cursorDiskKV"):
            database.execute(f"CREATE TABLE {table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
        for key, value in rows.items():
            database.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", [key, json.dumps(value).encode()])
        key = "workbench.panel.aichat.view.aichat.chatdata"
        database.execute("INSERT INTO ItemTable VALUES (?, ?)", [key, json.dumps(state)])
    database.close()
    found = read_all(tmp_path)
    assert [(each.id, each.title, each.project) for each in found.conversations] == [
        ("cursor:c1", "Gate", "windmill"),
        ("cursor:c2", None, None),
        ("cursor:t1", "Older", None),
    ]
    texts = ["How wide is the gate?", "2 m.", "And the hinge?\n", "Old one", "hi", "hello"]
    assert [text for _, text in found.turns] == texts
    times = {turn.at for turn in found.conversations[0].messages}
    assert times == {datetime(2026, 3, 1, 10, 5, tzinfo=UTC)}, "without a time of its own, when the last one was said"
    assert found.told == [(None, False, "skipped what is not a message: calls of tools and their outputs (1)")]


def test_transcripts_that_assistants_write_for_hooks_are_read(tmp_path: Path) -> None:
    use = {"type": "tool_use", "name": "Read", "input": {"path": "gate.py"}}
    typed = "<timestamp>Mon</timestamp>\n<user_query>\nHow wide is the gate?\n</user_query>"
    lines = [
        {"role": "user", "message": {"content": [{"type": "text", "text": typed}]}},
        {"role": "assistant", "message": {"content": [use]}},
        {"role": "assistant", "message": {"content": [{"type": "text", "text": "2 m.\n\n[REDACTED]"}]}},
        {"type": "turn_ended", "status": "success"},
    ]  # fmt: skip
    steps = [
        {"status": "done", "type": "user_input", "user_input": {"user_response": "Paint it.", "rules_applied": {}}},
        {"status": "done", "type": "planner_response", "planner_response": {"response": ""}},
        {"status": "done", "type": "code_action", "code_action": {"path": "gate.py", "new_content": "secret"}},
        {"status": "done", "type": "planner_response", "planner_response": {"response": "Painted."}},
    ]
    for name, written in (("c5", lines), ("w1", steps)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, written)), encoding="utf-8")
    found = read_all(tmp_path)
    assert [(each.id, each.source) for each in found.conversations] == [
        ("cursor:c5", "cursor"),
        ("windsurf:w1", "windsurf"),
    ]
    assert found.turns == [
        ("user", "How wide is the gate?"), ("assistant", "2 m."), ("user", "Paint it."), ("assistant", "Painted."),
    ]  # fmt: skip
    assert {what for _, _, what in found.told} == {
        "skipped what is not a message: calls of tools and other parts (1)",
        "skipped what is not a message: other steps (1)",
    }
