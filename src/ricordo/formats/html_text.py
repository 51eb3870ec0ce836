"""The text of HTML as a page would show it: paragraphs and list items on their own lines, `> ` before quoted lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

_BLOCKS = {
    "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul",
}  # fmt: skip
_UNSEEN = {"head", "script", "style", "template", "title"}
_PARAGRAPHS = {"p", "pre", "blockquote", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}

#: Characters that mark the beginning and end of a quotation; no page contains them.
_QUOTE, _QUOTED = "\ufdd0", "\ufdd1"
#: Quotations inside of each other that are marked. A mail may have thousands, which would be before each of its lines.
_DEEPEST = 10


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0
        self._in_pre = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        self._in_pre += tag == "pre"
        self._break(tag)
        # Yahoo marks a quotation by a class instead of a blockquote. It extends to the end of the mail.
        if tag == "blockquote" or "yahoo_quoted" in (dict(attrs).get("class") or ""):
            self.parts.append(_QUOTE)
        if tag == "li":
            self.parts.append("- ")
        elif tag in ("td", "th"):
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0
        self._in_pre -= tag == "pre" and self._in_pre > 0
        if tag == "blockquote":
            self.parts.append(_QUOTED)
        if tag != "li":  # the next item, or the list's end, breaks the line
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data if self._in_pre else re.sub(r"\s+", " ", data))

    def _break(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.parts.append("\n\n" if tag in _PARAGRAPHS else "\n")


def _quoted(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with `> ` before those of quotations."""
    depth = 0
    for line in lines:
        words = line.replace(_QUOTE, "").replace(_QUOTED, "")
        depth += line.count(_QUOTE)
        yield f"{'> ' * min(depth, _DEEPEST)}{words}" if words else words
        depth = max(depth - line.count(_QUOTED), 0)


def words_of(html: str) -> str:
    """The text of `html`."""
    parser = _Words()
    parser.feed(html)
    parser.close()
    lines = [
        line.strip() if not line.startswith("    ") else line.rstrip() for line in "".join(parser.parts).split("\n")
    ]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(_quoted(lines))).strip()
    return re.sub(r"^- *\n+", "- ", text, flags=re.MULTILINE)
