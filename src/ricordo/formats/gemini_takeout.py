"""Gemini's activity in Google Takeout: `MyActivity.json` of *My Activity*, Gemini Apps, in JSON.

The file is a list, the newest first. An entry has `header` (`Gemini Apps`, once `Bard`; `Gemini-Apps` and the like in
other languages), `time`, `title` (`Prompted …`, in whatever language) and the answer as HTML in `safeHtmlItem`; some
have `details` with `Request` and `Response` instead. Where `titleUrl` names a conversation that is `gemini:ID`; else
all of one day (in UTC) is, `gemini:DATE`. An entry's time makes the ids of its turns. Not turns, and counted, are
entries of other kinds. The file is held whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from ricordo.formats.draft import Draft
from ricordo.formats.elements import Shape, values
from ricordo.formats.format import Format
from ricordo.formats.html_text import words_of
from ricordo.formats.problems import Reporter, kind, shown
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.formats.times import moment
from ricordo.formats.unspoken import Unspoken
from ricordo.models import Conversation

#: What the product is called: "Gemini Apps", "Gemini-Apps", "Bard"; the words beside it are in the user's language.
_PRODUCT = re.compile(r"\b(?:gemini|bard)\b", re.IGNORECASE)
_TALK = re.compile(r"gemini\.google\.com/(?:u/\d+/)?app/(?:c/)?(?P<id>[\w-]{3,100})")
#: What stands before the prompt, in English; in other languages it stays.
_VERB = re.compile(r"(?:Prompted(?: with)?|Asked(?: Gemini| Bard)?|Said|Typed|Searched|Branched|Answered):?\s+")


#: Where entries without a time stand.
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _Entry:
    at: datetime | None
    talk: str
    prompt: str
    answer: str


def _recognises(sample: Sample) -> bool:
    return any(_is_entry(each) for each in sample.objects)


def _is_entry(value: dict[str, object]) -> bool:
    products = value.get("products")
    called = [value.get("header"), *(products if isinstance(products, list) else [])]
    of_gemini = any(isinstance(each, str) and _PRODUCT.search(each) for each in called)
    return of_gemini and "time" in value and isinstance(value.get("title"), str)


def _read(source: Source, shape: Shape, report: Reporter) -> Iterator[Conversation]:
    unspoken = Unspoken(report)
    entries: list[_Entry] = []
    for number, value in values(source, shape, report):
        if not isinstance(value, dict):
            report(f"{kind(value)} where an entry should be", where=number)
        elif not _is_entry(value):
            unspoken.note("entries of other products")
        elif (entry := _entry(value, number, unspoken, report)) is not None:
            entries.append(entry)
    drafts: dict[str, Draft] = {}
    for entry in sorted(entries, key=lambda each: each.at or _LAST):
        draft = drafts.get(entry.talk)
        if draft is None:
            draft = drafts[entry.talk] = Draft(report, source=FORMAT.name, id=f"gemini:{entry.talk}")
        known_as = entry.at.isoformat() if entry.at else None
        draft.add(entry.prompt, role="user", at=entry.at, id=known_as)
        draft.add(entry.answer, role="assistant", at=entry.at, id=known_as and f"{known_as} answer")
        if draft.full:
            yield from draft.take()
    for draft in drafts.values():
        yield from draft.take()
    unspoken.close()


def _entry(value: dict[str, object], number: int | None, unspoken: Unspoken, report: Reporter) -> _Entry | None:
    prompt, answer = _exchange(value)
    if not prompt and not answer:
        unspoken.note("feedback and other activity")
        return None
    try:
        at = moment(value.get("time"), datetime.now(UTC))
    except ValueError:
        at = None
    if at is None:
        what = f"the time {shown(value.get('time'))} is invalid; the turns are stored without it"
        report(what, where=number, lost=False)
    talk = _TALK.search(str(value.get("titleUrl") or ""))
    return _Entry(at, talk["id"] if talk else f"{at:%Y-%m-%d}" if at else "undated", prompt, answer)


def _exchange(value: dict[str, object]) -> tuple[str, str]:
    """What was asked and what was answered, as far as the entry has it."""
    details = value.get("details")
    told = {
        str(each.get("name")): str(each.get("value") or "")
        for each in (details if isinstance(details, list) else [])
        if isinstance(each, dict)
    }
    if "Request" in told or "Response" in told:
        return told.get("Request", "").strip(), told.get("Response", "").strip()
    title, answer = str(value["title"]), _answer(value.get("safeHtmlItem"))
    verb = _VERB.match(title)
    if verb is None and not answer:
        return "", ""
    return (title[verb.end() :] if verb else title).strip(), answer


def _answer(items: object) -> str:
    found: list[str] = []
    for item in items if isinstance(items, list) else [items]:
        html = (item.get("html") or item.get("htmlValue")) if isinstance(item, dict) else None
        if isinstance(html, str):
            found.append(words_of(html))
    return "\n\n".join(text for text in found if text)


FORMAT = Format("gemini", "Gemini in Google Takeout", _recognises, _read)
