"""How many tokens a text has, estimated without a tokenizer.

One for each four characters of ASCII text, which is what the common tokenizers need for English prose, and one for each
other character, which is more than they need for most.
"""

from __future__ import annotations

from ricordo.errors import InvalidInput, quoted


def tokens_in(text: str) -> int:
    """About how many tokens a text has; a text has at most as many as its parts together."""
    ascii_ = len(text.encode("ascii", "ignore"))
    return -(-ascii_ // 4) + len(text) - ascii_


def budget(max_tokens: object) -> int | None:
    """The most tokens that a block may have; None for no bound. Raises InvalidInput."""
    if max_tokens is None:
        return None
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
        raise InvalidInput("max_tokens", f"must be a whole number of at least 1, not {quoted(max_tokens)}")
    return max_tokens
