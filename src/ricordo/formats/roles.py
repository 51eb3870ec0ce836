"""The labels of speakers in chats that are written as text: which name a role by themselves."""

from __future__ import annotations

from ricordo.models import ASSISTANTS, LABELS, Role, folded


def role_of_label(label: str) -> Role | None:
    """The role that a speaker's label in a text names by itself (`Human`, `Claude`), or None for a name."""
    word = folded(label)
    return "assistant" if word in ASSISTANTS else LABELS.get(word)


def name_of_label(label: str) -> str | None:
    """The name in a speaker's label: None for `User` and its like, `ChatGPT` for `ChatGPT said`."""
    word = folded(label)
    return None if word in LABELS else ASSISTANTS.get(word, label)
