"""The words that sources use for who speaks, and the role that each stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Role = Literal["user", "assistant", "system", "tool"]

#: Words that name a speaker in chats written as text: no word that a settings file uses as a key is here.
LABELS: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "you": "user",
    "you said": "user",
    "me": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "ai assistant": "assistant",
    "system": "system",
    "tool": "tool",
}

#: Assistants by the name they go by: the role is known, and the name is worth keeping.
ASSISTANTS: Mapping[str, str] = {
    "claude": "Claude",
    "claude said": "Claude",
    "chatgpt": "ChatGPT",
    "chatgpt said": "ChatGPT",
    "gpt": "GPT",
    "gpt-4": "GPT-4",
    "gpt-4o": "GPT-4o",
    "gpt-5": "GPT-5",
    "gemini": "Gemini",
    "copilot": "Copilot",
    "grok": "Grok",
    "mistral": "Mistral",
    "llama": "Llama",
    "deepseek": "DeepSeek",
}

_IN_JSON: Mapping[str, Role] = {
    **LABELS,
    "person": "user",
    "customer": "user",
    "prompter": "user",
    "model": "assistant",
    "agent": "assistant",
    "llm": "assistant",
    "developer": "system",
    "function": "tool",
}


def role_of_label(label: str) -> Role | None:
    """The role that a speaker's label in a text names by itself (`Human`, `Claude`), or None for a name."""
    word = _folded(label)
    return "assistant" if word in ASSISTANTS else LABELS.get(word)


def name_of_label(label: str) -> str | None:
    """The name in a speaker's label: None for `User` and its like, `ChatGPT` for `ChatGPT said`."""
    word = _folded(label)
    return None if word in LABELS else ASSISTANTS.get(word, label)


def role_of(word: str) -> Role | None:
    """The role that a JSON source's word stands for, or None where it stands for none."""
    folded = _folded(word)
    return "assistant" if folded in ASSISTANTS else _IN_JSON.get(folded)


def _folded(word: str) -> str:
    return " ".join(word.casefold().split())
