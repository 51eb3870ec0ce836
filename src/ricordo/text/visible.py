"""What people see of a text, and models should read of it."""

from __future__ import annotations

from ricordo.text.patterns import lazy

#: See `visible`.
_UNSEEN = lazy(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text without what people do not see and models read: Unicode's tags, marks that turn the direction of
    writing, spaces of no width, control characters but tabs and line ends. What is stored keeps them."""
    return _UNSEEN.sub("", text)
