"""E-mail in mbox files, as Google Takeout, Thunderbird and Apple Mail write them: each thread is a conversation.

A message begins with a line `From …`. Messages belong together by their `X-GM-THRID`, else by `References` and
`In-Reply-To`. The thread is `mail:ID` with its first message's subject for its title; a turn is the sender's, with the
`Message-ID` for its id and `Date` for its time, else the time of the line `From …`. Its words are those of
`text/plain`, else of `text/html`, without the quoted lines below them, which are turns of their own. Not turns, and
counted, are quoted lines, attachments, and messages in spam, trash and drafts, by Gmail's labels or Thunderbird's
marks. The file is read twice as a stream; one message is held at a time, and the texts of so many threads as a
conversation may hold.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.message import EmailMessage, Message
from email.policy import default
from email.utils import parseaddr, parsedate_to_datetime

from ricordo.formats.draft import PART_CHARACTERS, Draft, identifier
from ricordo.formats.elements import ELEMENT_BYTES, Shape
from ricordo.formats.format import Format
from ricordo.formats.html_text import words_of
from ricordo.formats.problems import Reporter
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

_BEGINS = re.compile(rb"From \S.*\d{1,2}:\d{2}")
_HEADER = re.compile(r"[!-9;-~]+:[ \t]?")
_KNOWN = re.compile(
    r"(?:from|date|message-id|subject|received|return-path|delivered-to|x-gm-thrid|mime-version):", re.I
)
_ID = re.compile(r"<[^<>\s]+>")
_REPLY = re.compile(r"\s*(?:(?:re|aw|fwd?|wg|sv|tr|rv|antw)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
#: What stands over a quotation: "On Monday Ada wrote:", and what Outlook writes. In any language it has the year, the
#: time or the sender's address, and ends with a colon.
_OVER_QUOTE = re.compile(
    r"(?:(?:on|am|le|el|il|op|em)\b.{4,200}\b(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu)\b.{0,60}:"
    r"|-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}"
    r"|(?=.{0,200}(?<!\d)\d{4}(?!\d))(?=.{0,200}(?:(?<!\d)\d{1,2}[:.]\d\d(?!\d)|<[^<>\s]+@[^<>\s]+>)).{8,300}[:：])\s*",
    re.IGNORECASE | re.DOTALL,
)
_ENDED = re.compile(r"[.!?…:;]\s*$")
#: The headers that Outlook shows above a quoted message, in several languages.
_FROM, _SENT, _SUBJECT = (
    re.compile(rf"[*\s]*(?:{names})\s*:[*\s]+\S", re.IGNORECASE)
    for names in (
        "from|von|de|da|van|från|fra|od|от",
        "sent|date|gesendet|datum|envoyé|enviado(?: el)?|inviato|verzonden|skickat|sendt|data|wysłano|отправлено",
        "subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|тема",
    )
)
_FORWARDS = re.compile(r"\s*(?:fwd?|wg|tr|rv|enc|i|doorst|vb|vs)\s*:", re.IGNORECASE)
_TEXTS = ("text/plain", "text/html")
#: The bit of Thunderbird's `X-Mozilla-Status` that a deleted message has until its folder is compacted.
_DELETED = 0x8
_NOT_SENT = {"spam", "trash", "drafts", "draft", "papierkorb", "entwürfe", "corbeille", "brouillons"}


def _recognises(sample: Sample) -> bool:
    if sample.shape != "text" or not sample.lines or not sample.lines[0].startswith("From "):
        return False
    head = sample.lines[1:40]
    return bool(head) and _HEADER.match(head[0]) is not None and any(_KNOWN.match(line) for line in head)


@dataclass(frozen=True)
class _Mail:
    """A message as far as its turn needs it."""

    id: str | None
    sender: str | None
    at: datetime | None
    subject: str
    text: str


class _Threads:
    """Which thread each message belongs to, by what the headers of all of them say."""

    def __init__(self) -> None:
        self._joined: dict[str, str] = {}
        self._answers: set[str] = set()

    def note(self, headers: Message) -> None:
        """Takes note of a message."""
        own = _ids(headers)
        for one, other in itertools.pairwise(own):
            self._answers.add(other)
            self._join(one, other)

    def thread_of(self, headers: Message) -> str:
        """The thread of a message."""
        google = str(headers.get("X-GM-THRID") or "").strip()
        if google:
            return google
        own = _ids(headers)
        return self._root(own[0]) if own else _without_id(headers)

    def _join(self, one: str, other: str) -> None:
        first, second = self._root(one), self._root(other)
        if first != second:
            # What answers nothing begins the thread.
            if first in self._answers and second not in self._answers:
                first, second = second, first
            self._joined[second] = first

    def _root(self, id: str) -> str:
        while (above := self._joined.get(id)) is not None:
            over = self._joined.get(above)
            if over is not None:
                self._joined[id] = over
            id = above
        return id


def _without_id(headers: Message) -> str:
    """What identifies a message that has no id, in whatever file and place it stands."""
    told = (_header(headers, name) for name in ("From", "Date", "Subject"))
    told_of = "\0".join((*told, headers.get_unixfrom() or "" if not headers.get("Date") else ""))
    return "message " + hashlib.sha256(told_of.encode("utf-8", "replace")).hexdigest()[:16]


def _ids(headers: Message) -> list[str]:
    """The ids of the messages that a message goes back to, the first one first, and its own."""
    before = _ID.findall(str(headers.get("References") or "")) or _ID.findall(str(headers.get("In-Reply-To") or ""))[:1]
    return [*before, *_ID.findall(str(headers.get("Message-ID") or ""))[:1]]


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    threads = _Threads()
    for _, raw in _messages(source, Reporter(source.label, lambda problem: None), headers_only=True):
        threads.note(message_from_bytes(raw))
    unspoken = Unspoken(report)
    drafts: dict[str, Draft] = {}
    held: dict[str, list[_Mail]] = {}
    characters = 0
    for line, raw in _messages(source, report):
        message = message_from_bytes(raw, policy=default)
        if _is_unsent(message):
            unspoken.note("messages in spam, trash and drafts")
            continue
        mail = _mail(message, unspoken, report, line)
        held.setdefault(threads.thread_of(message), []).append(mail)
        characters += len(mail.text)
        if characters > PART_CHARACTERS:
            yield from _taken(held, drafts, report)
            characters = 0
    yield from _taken(held, drafts, report)
    unspoken.close()


def _taken(held: dict[str, list[_Mail]], drafts: dict[str, Draft], report: Reporter) -> Iterator[Conversation]:
    """Gives out what is held, a conversation for each thread, in the order of time."""
    for thread, mails in held.items():
        draft = drafts.get(thread)
        if draft is None:
            draft = drafts[thread] = Draft(report, source=FORMAT.name, id=f"mail:{thread.strip('<>')}")
        for mail in sorted(mails, key=lambda each: each.at or datetime.max.replace(tzinfo=UTC)):
            draft.title = draft.title or _REPLY.sub("", mail.subject)
            draft.add(mail.text, role="user", name=mail.sender or "Unknown sender", at=mail.at, id=mail.id)
        yield from draft.take()
    held.clear()


def _messages(source: Source, report: Reporter, *, headers_only: bool = False) -> Iterator[tuple[int, bytes]]:
    """The messages, each with its first line; of one that is too large only the beginning."""
    held: list[bytes] = []
    size = begun = 0
    in_headers, after_blank = True, True
    for line in source.lines(ELEMENT_BYTES):
        if after_blank and _BEGINS.match(line.raw):
            if held:
                yield begun, b"\n".join(held)
            held, size, begun, in_headers = [line.raw], len(line.raw), line.number, True
        elif begun and (in_headers or not headers_only):
            in_headers = in_headers and bool(line.raw)
            # In a body `From ` at the beginning of a line was written as `>From `.
            raw = line.raw[1:] if not in_headers and re.match(rb">+From ", line.raw) else line.raw
            size += len(raw) + 1
            if size <= ELEMENT_BYTES:
                held.append(raw)
            elif size - len(raw) - 1 <= ELEMENT_BYTES:
                report(f"a message above the limit of {ELEMENT_BYTES // 1_000_000} MB was cut", where=begun)
        after_blank = not line.raw
    if held:
        if in_headers:
            report("the file ends within the headers of a message: it was cut off", where=begun)
        yield begun, b"\n".join(held)


def _is_unsent(message: Message) -> bool:
    labels = {each.strip().lower() for each in _header(message, "X-Gmail-Labels").split(",")}
    if not labels.isdisjoint(_NOT_SENT) or "X-Mozilla-Draft-Info" in message:
        return True
    status = re.fullmatch(r"[0-9a-fA-F]{1,8}", _header(message, "X-Mozilla-Status"))
    return status is not None and bool(int(status[0], 16) & _DELETED)


def _mail(message: EmailMessage, unspoken: Unspoken, report: Reporter, line: int) -> _Mail:
    name, address = parseaddr(_header(message, "From"))
    text, files = _words(message)
    for _ in range(files):
        unspoken.note("attachments")
    subject = _header(message, "Subject")
    said, quoted = _without_quotes(text, forwards=_FORWARDS.match(subject) is not None)
    for _ in range(quoted):
        unspoken.note("quoted lines")
    envelope = (message.get_unixfrom() or "").split(None, 2)[2:]
    at = next((found for each in (_header(message, "Date"), *envelope) if (found := _moment(each))), None)
    if at is None:
        report("a message has no readable time; it is stored without it", where=line, lost=False)
    return _Mail(identifier(_header(message, "Message-ID")), name or address or None, at, subject, said)


def _moment(text: str) -> datetime | None:
    """The time in a header, or in the line before the headers, which says when the message arrived."""
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _header(message: Message, name: str) -> str:
    """A header decoded; what can't be parsed is as it stands."""
    try:
        return str(message.get(name) or "").strip()
    except (HeaderParseError, IndexError, AttributeError, ValueError):  # faults of the parser's on broken headers
        return next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "").strip()


def _words(message: EmailMessage) -> tuple[str, int]:
    """The text of a message, and how many attachments it has."""
    plain: list[str] = []
    rich: list[str] = []
    files = 0
    for part in _parts(message):
        kind = part.get_content_type()
        if part.get_content_disposition() == "attachment" or part.get_filename() or kind not in _TEXTS:
            files += 1
            continue
        payload = part.get_payload(decode=True)
        raw = payload if isinstance(payload, bytes) else b""
        try:
            text = raw.decode(part.get_content_charset("utf-8"), "replace")
        except LookupError:
            text = raw.decode("utf-8", "replace")
        (rich if kind == "text/html" else plain).append(text.replace("\r\n", "\n"))
    found = [text for text in plain if text.strip()] or [words_of(text) for text in rich]
    return "\n\n".join(text.strip() for text in found if text.strip()), files


def _parts(message: Message) -> Iterator[Message]:
    """The parts of a message that contain no other parts. An attached message is one part."""
    if not message.is_multipart() or message.get_content_maintype() == "message":
        yield message
    else:
        for part in message.iter_parts() if isinstance(message, EmailMessage) else ():
            yield from _parts(part)


def _without_quotes(text: str, *, forwards: bool) -> tuple[str, int]:
    """A text without quoted lines and their introductions, and the number of quoted lines.

    Text between quoted lines is kept. So is the whole message below one that `forwards` it."""
    lines = text.split("\n")
    is_quote = [line.startswith(">") for line in lines]
    below = None if forwards else next((index for index in range(len(lines)) if _begins_message(lines, index)), None)
    if below is not None:
        below -= below > 0 and lines[below - 1].startswith("____")
        is_quote[below:] = [True] * (len(lines) - below)
    kept: list[str] = []
    for index, line in enumerate(lines):
        if is_quote[index]:
            if index and not is_quote[index - 1]:
                _drop_introduction(kept)
        else:
            kept.append(line)
    return "\n".join(kept).strip(), sum(is_quote)


def _begins_message(lines: list[str], index: int) -> bool:
    """Whether a whole quoted message begins at this line, as in Outlook: below a rule with words, or below headers."""
    line = lines[index]
    if re.match(r"-{2,}\s*\w", line) and _OVER_QUOTE.fullmatch(line):
        return True
    if _FROM.match(line) is None:
        return False
    shown = [each for each in lines[index + 1 : index + 9] if each.strip()][:5]
    return any(map(_SENT.match, shown)) and any(map(_SUBJECT.match, shown))


def _drop_introduction(kept: list[str]) -> None:
    """Takes away the line or two that introduce a quotation."""
    last = len(kept)
    while last and not kept[last - 1].strip():
        last -= 1
    for count in (1, 2):
        if count == 2 and last > 1 and _ENDED.search(kept[last - 2]):
            return  # the line before is a sentence of its own
        if last >= count and _OVER_QUOTE.fullmatch(" ".join(kept[last - count : last]).strip()):
            del kept[last - count :]
            return


FORMAT = Format("mbox", "e-mail (mbox)", _recognises, _read)
