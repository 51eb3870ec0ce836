"""How a memory stands on one line of a prompt: word for word, with its line breaks written out.

Each line of a block of memories belongs to one memory, so that no memory can pass as another one, as a heading or as
the text that follows. A line feed in a memory is therefore shown as `\\n`, a carriage return as `\\r`. The other
characters that Unicode counts as line breaks stay as they are, save where something follows that would begin a
heading, a list item or the like on a line of its own, or after a backslash: there they are written out too, as in
`\\u2028`.
The SQL function `written_out` does the same.
"""

from __future__ import annotations

from ricordo.text.patterns import lazy

_ALWAYS = {"\r": r"\r", "\n": r"\n"}
_BEFORE_MARKS = {
    "\v": r"\v", "\f": r"\f", "\x1c": r"\x1c", "\x1d": r"\x1d", "\x1e": r"\x1e", "\x85": r"\x85",
    "\u2028": r"\u2028", "\u2029": r"\u2029",
}  # fmt: skip
#: What begins something of its own at the margin, in Markdown, after whatever white space.
_MARK = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:[#*+>`~=_<|-]|[0-9]{1,9}[.)])"
_SIGN = f"[{''.join(_BEFORE_MARKS)}]"
_BREAK = lazy(rf"{_SIGN}(?={_MARK})|(?<=\\){_SIGN}|[\r\n]")


def written_out(text: str) -> str:
    """The text on one line."""
    return _BREAK.sub(lambda found: (_ALWAYS | _BEFORE_MARKS)[found[0]], text)
