"""Chats that are written as text, one turn after another; the formats `text` and `markdown` both read so.

A turn begins with a line in one of three styles, and goes on until the next one begins. NAME has up to four
words and forty characters. STAMP is a date, a time, or both: `2025-03-04 18:02`, `2025-03-04T18:02:05Z`,
`2025-03-04, 6:02 PM`, `18:02 CET`; without a zone, or between brackets with one whose name is not known, it is UTC.

    line       NAME: words          [STAMP] NAME: words     (STAMP) NAME: words
               STAMP NAME: words    NAME (STAMP): words     NAME [STAMP]: words
    bold       **NAME:** words      **NAME**: words         **NAME** (STAMP): words
               [STAMP] **NAME:** words                      **User** alone on its line
    heading    ## User              ### Assistant (STAMP)   ## Ada - STAMP        ## **User:**

Between them these lines have a meaning of their own:

    before the first turn    # Title, `Title: …`, `Date: 2025-03-04`, `Project: …`, or front matter with those keys
    anywhere                 a date as a heading (`## 2025-03-04`), between dashes (`--- 2025-03-04 ---`) or
                             after an empty line: it is the day of the turns after it
    between turns            a rule (`---`), which is left out; a line with a stamp like the turns' that names no
                             speaker (`[18:02] Ada left`), which is reported

All else belongs to the turn above it, word for word: paragraphs, lists, code. What stands between fences (``` or
~~~) never begins a turn, nor does an indented line. A text before the first turn that has no meaning here is reported.

Which labels are speakers is decided for the whole text (ricordo.formats.cast):
- One style holds for a text: that whose first speaker comes first.
- Known words: where somebody (`User`, `Human`, `You`, `Me`) and an assistant (`Assistant`, `AI`, `Bot`, `ChatGPT`,
  `Claude`, `Gemini` …) both occur, these and `System` and `Tool` are the speakers, and no other label is; a
  heading only at the level of the first heading of that role.
- An assistant and names: those who speak directly before the assistant.
- Names only (not as headings): those that occur at least twice, and one who speaks once between two turns of
  the same speaker. There must be two of them and three turns, on a fifth of the lines (names in lower case on
  nine tenths), and two labels in five must follow another one, as the fields of records don't.
- Names only in a text of two lines: both, where one of the lines is a sentence.
- With a date and a time beside it, any name that is none of a log's words; with a time only, where half of
  these names come back. Of the lines that begin with a stamp half must name a speaker, else it is a log. Where a third
  or more of the speakers' labels have times, those without are words that are said.
- Words of notes, records and logs (`Note:`, `Error:`, `From:`, `Package:` …) are never speakers.
- Speakers must begin within the first lines: 15 with known words or times, 5 with names.
Where no rule finds a speaker, the text is no chat.

A turn without a stamp has the time of the turn before it on the same day, else the beginning of the day, else none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from ricordo.errors import counted
from ricordo.formats.cast import Cast, cast
from ricordo.formats.cues import Cue, cue, stamp_shape
from ricordo.formats.draft import TURN_BYTES, Draft
from ricordo.formats.fences import Marked, marked
from ricordo.formats.problems import Reporter, shown
from ricordo.formats.roles import name_of_label, role_of_label
from ricordo.formats.sample import Sample, look_at
from ricordo.formats.source import Source, decoded
from ricordo.formats.stamps import Days, day_of
from ricordo.models import Conversation

#: A longer line is above what a turn may have, whatever label it begins with.
_LINE_BYTES = TURN_BYTES + 1000

_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|(?:\* ){2,}\*)\s*")
_KEY = re.compile(r"(?P<key>title|date|project)\s*:\s*(?P<value>.+)", re.IGNORECASE)
_TITLE = re.compile(r"#\s+(?P<title>\S.*)")
#: Marks that dress such a key in Markdown.
_PLAIN = re.compile(r"^[-*>]\s+|\*\*|__")
#: A longer line is no date.
_DATE_CHARACTERS = 60
_DATE_LINE = re.compile(r"(?:#{1,6}\s+|[-=—–*_]{2,}\s*)(?P<day>[^#].{5,40}?)\s*(?:[-=—–*_#]{2,})?\s*")


def cast_of(sample: Sample) -> Cast | None:
    """The cast of a text by its beginning, or None where it is no chat."""
    if sample.shape != "text":
        return None
    return cast(marked((number, line, False) for number, line in enumerate(sample.lines, start=1)))


def read(source: Source, format_name: str, report: Reporter) -> Iterator[Conversation]:
    """The conversation that a text holds, whose beginning `cast_of` knew as a chat's."""
    unheard = Reporter(source.label, lambda problem: None)
    whole = cast(_marked_lines(source, unheard)) or cast_of(look_at(source))
    if whole is None:
        report("is no longer a chat: it changed while it was read")
        return
    draft = Draft(report, source=format_name, id=source.id)
    reading = _Reading(draft, whole, report)
    for line in _marked_lines(source, report):
        reading.feed(line)
        if draft.full:
            yield from draft.take()
    reading.end_turn()
    yield from draft.take()


def _marked_lines(source: Source, report: Reporter) -> Iterator[Marked]:
    def lines() -> Iterator[tuple[int, str, bool]]:
        told: set[str] = set()
        for number, raw, cut in source.lines(_LINE_BYTES):
            text, note = decoded(raw)
            if note and note not in told:
                told.add(note)
                report(note, where=number, lost=False)
            yield number, text, cut

    return marked(lines())


class _Turn:
    """A turn that is being read."""

    def __init__(self, found: Cue, at: datetime | None, line: Marked) -> None:
        self.number = line.number
        self.shape = stamp_shape(line.text)
        self.too_long = line.cut
        self._found = found
        self._at = at
        self._size = len(found.text)
        self._lines: list[Marked] = []

    def add(self, line: Marked) -> None:
        """Takes a line after the first; no more is held than a turn may have."""
        self._size += len(line.text) + 1
        self.too_long = self.too_long or line.cut or self._size > TURN_BYTES
        if self.too_long:
            self._lines.clear()
        else:
            self._lines.append(line)

    def cut_end(self) -> date | None:
        """Takes empty lines, rules and dates off the end; the last date is the day of what follows."""
        day: date | None = None
        while self._lines and self._lines[-1].part == "text":
            text = self._lines[-1].text
            after_blank = len(self._lines) < 2 or not self._lines[-2].text.strip()
            named = _day_in(text, after_blank)
            if text.strip() and named is None and not _RULE.fullmatch(text):
                break
            day = day or named
            self._lines.pop()
        return day

    def put_into(self, draft: Draft) -> None:
        """Adds the turn to the conversation."""
        label = self._found.name
        lines = [self._found.text, *(line.text for line in self._lines)]
        draft.add(
            "\n".join(lines).strip("\n").rstrip(),
            role=role_of_label(label) or "user",
            name=name_of_label(label),
            at=self._at,
            where=self.number,
        )


class _Reading:
    """Puts the lines of a chat together to turns."""

    def __init__(self, draft: Draft, whole: Cast, report: Reporter) -> None:
        self._draft = draft
        self._cast = whole
        self._report = report
        self._days = Days()
        self._turn: _Turn | None = None
        #: The lines before the first turn that have no meaning: the first one's number, and how many.
        self._unread_from: int | None = None
        self._unread = 0

    def feed(self, line: Marked) -> None:
        """Takes the next line of the text."""
        found = cue(line.text) if line.part == "text" else None
        if found is not None and self._cast.begins_turn(found):
            self.end_turn()
            self._turn = _Turn(found, self._moment(found, line.number), line)
        elif self._turn is not None and self._is_notice(line):
            self._report("skipped a line with a time but no speaker", where=line.number)
        elif self._turn is not None:
            self._turn.add(line)
        else:
            self._before_first(line)

    def _is_notice(self, line: Marked) -> bool:
        """Whether a line has a stamp like the turns' and no speaker, such as `[18:02] Ada left the room`."""
        shape = stamp_shape(line.text) if self._cast.timed and line.part == "text" else None
        return shape is not None and self._turn is not None and shape == self._turn.shape

    def end_turn(self) -> None:
        """Completes the turn that was being read, if any."""
        turn, self._turn = self._turn, None
        if turn is None:
            if self._unread:
                self._report(f"skipped {counted(self._unread, 'line')} before the first turn", where=self._unread_from)
        elif turn.too_long:
            self._report("a turn exceeds the limit of 1 MB", where=turn.number)
        else:
            day = turn.cut_end()
            turn.put_into(self._draft)
            if day is not None:
                self._days.begin(day)

    def _moment(self, found: Cue, number: int) -> datetime | None:
        try:
            return self._days.moment(found.stamp)
        except (ValueError, OverflowError):
            written = found.stamp.text if found.stamp else ""
            what = f"the time {shown(written)} is invalid; the turn was stored without a time"
            self._report(what, where=number, lost=False)
            return None

    def _before_first(self, line: Marked) -> None:
        text = line.text.strip()
        day = _day_in(text, after_blank=True)
        if day is not None:
            self._days.begin(day)
        elif line.part != "code" and (key := _KEY.fullmatch(_PLAIN.sub("", text))):
            self._set(key["key"].lower(), key["value"].strip().strip("\"'"), line.number)
        elif line.part != "code" and self._draft.title is None and (title := _TITLE.fullmatch(text)):
            self._draft.title = title["title"]
        elif text and line.part != "front" and not _RULE.fullmatch(text):
            self._unread_from = self._unread_from or line.number
            self._unread += 1

    def _set(self, key: str, value: str, number: int) -> None:
        if key == "title":
            self._draft.title = value
        elif key == "project":
            self._draft.project = value
        elif (day := _day_of(value)) is not None:
            self._days.begin(day)
        else:
            self._report(f"invalid date {shown(value)}", where=number, lost=False)


def _day_in(text: str, after_blank: bool) -> date | None:
    """The day that a line sets: a date as a heading or between dashes, or by itself after an empty line."""
    if len(text) > _DATE_CHARACTERS:
        return None
    dressed = _DATE_LINE.fullmatch(text)
    if dressed:
        return day_of(dressed["day"])
    return day_of(text) if after_blank else None


def _day_of(value: str) -> date | None:
    """The day of a `Date:` line, which may go on with a time of day."""
    try:
        return day_of(value) or datetime.fromisoformat(value).date()
    except ValueError:
        return None
