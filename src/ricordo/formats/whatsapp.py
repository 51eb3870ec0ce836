"""WhatsApp's *Export chat*: a text, or the zip that holds it beside the pictures.

    12/31/21, 22:01 - Ada: words            Android
    [31.12.21, 22:01:05] Ada: words         iPhone
    31.12.16, 22:01:05: Ada: words          iPhone, until 2017

A turn goes on until the next line that begins with a date. Dates and clocks stand in the form of the phone's
language (ricordo.formats.phone_times); they have no zone and are taken as UTC. The conversation is
`whatsapp:NAME` with NAME for its title, where the file's name says with whom (`WhatsApp Chat with Ada.txt`,
`WhatsApp Chat - Ada.zip`), so that an export that was fetched again adds what is new; else the file's. The mark of an
edited message is left out, and its text is the new version of what stood there at its time.
Not turns, and counted, are lines without a speaker (who joined, the notice on encryption), messages that were
deleted, calls, and pictures and files, whose captions are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ricordo.formats.draft import Draft
from ricordo.formats.elements import Shape
from ricordo.formats.format import Format
from ricordo.formats.phone_times import MARKS, PHONE_STAMP, Order, Orders, PhoneStamp, phone_stamp
from ricordo.formats.problems import Reporter, shown
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.stamped import Entry, entries, is_stamped
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_HEAD = re.compile(
    rf"[{MARKS}]*(?P<open>\[)?[{MARKS}]*{PHONE_STAMP}[{MARKS}]*(?P<end>\]|\s[-–—]|:)\s[{MARKS}]*(?P<rest>.*)", re.DOTALL
)
#: A name holds no quotes: lines without a speaker quote a group's subject, which may hold a colon.
_SPEAKER = re.compile(r"(?P<name>[^:\"“”«»]{1,80}?):(?:\s(?P<text>.*))?", re.DOTALL)
#: What an iPhone puts before what it writes itself.
_BY_APP = "\u200e"

#: A picture or a file, by its name or by a word between brackets such as `<Media omitted>`.
_FILE = re.compile(
    rf"[{MARKS}]*(?:<[^<>\n]{{3,200}}>|\S[^<>\n]{{2,200}}\.\w{{2,5}} \([^()\n]{{4,40}}\))[{MARKS}]*", re.DOTALL
)
#: What an iPhone adds to the end of a line: that it was edited, that something is attached.
_ADDED = re.compile(rf"\s*{_BY_APP}[{MARKS}]*<[^<>\n]{{3,200}}>[{MARKS}]*$")
#: The same without the mark before it, as Android writes it.
_EDITED = re.compile(
    r"\s*<(?:this message was edited|diese nachricht wurde bearbeitet|se editó este mensaje|este mensaje fue editado"
    r"|mensaje editado|ce message a été modifié|questo messaggio è stato modificato|esta mensagem foi editada"
    r"|mensagem editada|dit bericht is bewerkt|(?:данное )?сообщение изменено|bu mesaj düzenlendi)\.?>\s*$",
    re.IGNORECASE,
)
_DELETED = re.compile(
    r"(?:this message was deleted|you deleted this message|waiting for this message|null"
    r"|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje"
    r"|ce message a été supprimé|vous avez supprimé ce message|questo messaggio è stato eliminato"
    r"|hai eliminato questo messaggio|mensagem apagada|esta mensagem foi apagada|você apagou esta mensagem"
    r"|esta mensagem foi eliminada|este mensaje fue eliminado|dit bericht is verwijderd|u hebt dit bericht verwijderd"
    r"|данное сообщение удалено|вы удалили данное сообщение|bu mesaj silindi|bu mesajı sildiniz"
    r"|ta wiadomość została usunięta|usunięto tę wiadomość|pesan ini telah dihapus|anda telah menghapus pesan ini"
    r"|det här meddelandet togs bort|du tog bort det här meddelandet|denne besked blev slettet|du slettede denne besked"
    r"|denne meldingen ble slettet|du slettet denne meldingen|viesti poistettiin|poistit tämän viestin"
    r"|це повідомлення видалено|ви видалили це повідомлення"
    r"|tato zpráva byla smazána|smazali jste tuto zprávu|ezt az üzenetet törölték|törölted ezt az üzenetet"
    r"|acest mesaj a fost șters|ai șters acest mesaj|αυτό το μήνυμα διαγράφηκε|διαγράψατε αυτό το μήνυμα"
    r"|tin nhắn này đã bị xóa|bạn đã xóa tin nhắn này|ข้อความนี้ถูกลบแล้ว|คุณลบข้อความนี้แล้ว"
    r"|ההודעה נמחקה|הודעה זו נמחקה|(?:את/ה )?מחקת (?:את ה)?הודעה זו|این پیام حذف شد|شما این پیام را حذف کردید"
    r"|このメッセージは削除されました|あなたはこのメッセージを削除しました|メッセージを削除しました"
    r"|삭제된 메시지입니다|이 메시지는 삭제되었습니다|이 메시지를 삭제했습니다"
    r"|تم حذف هذه الرسالة|(?:لقد )?حذفت هذه الرسالة|此消息已(?:被)?删除|(?:您|你)(?:已)?删除了(?:此|这条)消息"
    r"|此訊息已(?:被)?刪除|(?:您|你)(?:已)?刪除了(?:此|這則)訊息"
    r"|यह संदेश हटाया गया था)(?: by admin .{1,80})?[.,。]?(?: this may take a while\.)?",
    re.IGNORECASE,
)
#: How a call ended: its length, or that nobody took it. Other words behind a comma are somebody's.
_LENGTH = r"\d+ ?(?:s|secs?|seconds?|sek|seg|mins?|minut(?:es?|en|os?|i)|h|hrs?|hours?|std|stunden?)\.?"
_OUTCOME = (
    rf"[\u200e\u200f]?(?:{_LENGTH}(?:,? {_LENGTH})*|no answer|keine antwort|sin respuesta|pas de réponse|sans réponse"
    r"|nessuna risposta|sem resposta|não atendida|answered on (?:other|another) device|tap to call back)"
)
_CALL = re.compile(
    r"(?:missed (?:voice|video|group) call|verpasster (?:sprach|video)anruf|(?:video)?llamada perdida"
    r"|appel (?:vocal|vidéo) manqué|chiamata (?:vocale|video) persa|chamada de (?:voz|vídeo) perdida)\b.{0,60}"
    r"|(?:(?:group )?(?:voice|video) call|(?:gruppen-?)?(?:sprach|video)anruf|(?:video)?llamada(?: de voz)?"
    rf"|appel (?:vocal|vidéo)|chiamata vocale|videochiamata|(?:ligação|chamada) de (?:voz|vídeo)), {_OUTCOME}",
    re.IGNORECASE,
)
_CHAT_OF = re.compile(
    r"(?:whatsapp[\s-]*chat|czat whatsapp|צ['׳]אט whatsapp|(?:محادثة|دردشة) واتساب"
    r"|chat (?:(?:de|do|di) )?whatsapp|discussion whatsapp|conversa do whatsapp"
    r"|whatsapp[\s-]*gesprek|чат whatsapp)"
    r"\s*(?:-|–|with|mit|con|com|avec|met|med|dengan|с контактом|с|(?<=\s)[sz]:?(?=\s)|עם|مع)\s*(?P<name>.+)"
    r"|(?P<before>.+?) ile whatsapp (?:sohbeti|yazışması)",
    re.IGNORECASE,
)
#: What browsers and phones add to the name of a file that is there already.
_COPY = re.compile(r"\s*\(\d{1,3}\)$")


def _head(line: str) -> tuple[PhoneStamp, str | None, str] | None:
    found = _HEAD.fullmatch(line)
    if found is None or bool(found["open"]) != (found["end"] == "]"):
        return None
    said = phone_stamp(found)
    if said is None or not _as_phones_do(said, found["end"], found["second_of"] is not None):
        return None
    named = _SPEAKER.fullmatch(found["rest"])
    if named is None:
        return said, None, found["rest"]
    return said, named["name"].strip(MARKS + "~ \u202f\xa0") or None, named["text"] or ""


def _as_phones_do(said: PhoneStamp, end: str, has_seconds: bool) -> bool:
    """Phones write no seconds before a dash, and did before a colon. `[2025-03-04 18:02:05] Ada:` is how a log and many
    a program write."""
    if end not in "]:":
        return not has_seconds
    is_certain = said.mark != "-" or "," in said.text
    return (has_seconds and (said.digits < 4 or is_certain)) or (end == "]" and said.digits < 4)


def _recognises(sample: Sample) -> bool:
    return is_stamped(sample, _head)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    order = _order(source, report)
    name = _chat_of(source)
    draft = Draft(report, source=FORMAT.name, id=f"whatsapp:{name}" if name else source.id, title=name)
    unspoken = Unspoken(report)
    for entry in entries(source, _head, report):
        _add_turn(draft, entry, order, unspoken, report)
        if draft.full:
            yield from draft.take()
    unspoken.close()
    yield from draft.take()


def _order(source: Source, report: Reporter) -> Order:
    """The order of day, month and year in the whole file; reported where it is a guess."""
    orders = Orders()
    for entry in entries(source, _head, Reporter(source.label, lambda problem: None)):
        orders.add(entry.said)
    order, ambiguous = orders.decide()
    if ambiguous:
        report(f"ambiguous day and month in dates; read as {order}", lost=False)
    return order


def _add_turn(draft: Draft, entry: Entry[PhoneStamp], order: Order, unspoken: Unspoken, report: Reporter) -> None:
    if entry.speaker is None:
        unspoken.note("lines without a speaker")
        return
    text = _spoken(entry, unspoken)
    if not text.strip():
        return
    try:
        at = entry.said.moment(order)
    except (ValueError, OverflowError):
        what = f"the time {shown(entry.said.text)} is invalid; the turn was stored without a time"
        report(what, where=entry.number, lost=False)
        at = None
    draft.add(text, role="user", name=entry.speaker, at=at, where=entry.number)


def _spoken(entry: Entry[PhoneStamp], unspoken: Unspoken) -> str:
    """The words of an entry, without what stands for a picture, a call, or a message that is gone."""
    if entry.first.startswith(_BY_APP) or _FILE.fullmatch(entry.first):
        unspoken.note("pictures, files or notes of the app")
        kept: list[str] = []
    elif not entry.lines and (_DELETED.fullmatch(entry.first.strip()) or _CALL.fullmatch(entry.first.strip())):
        unspoken.note("calls or deleted messages")
        kept = []
    else:
        kept = [entry.first]
    kept += [line for line in entry.lines if not _FILE.fullmatch(line)]
    return _EDITED.sub("", _ADDED.sub("", "\n".join(kept).rstrip()))


def _chat_of(source: Source) -> str | None:
    """With whom the chat is, by the name of the file, of its zip, or of its folder; None where none tells."""
    for name in (Path(source.name).stem, source.path.stem, source.path.parent.name):
        found = _CHAT_OF.fullmatch(_COPY.sub("", name.strip()))
        if found:
            return str(found["name"] or found["before"]).strip()
    return None


FORMAT = Format("whatsapp", "WhatsApp chat", _recognises, _read)
