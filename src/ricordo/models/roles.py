"""The words by which chats say who speaks, and the role that each stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

#: Who speaks, in the terms of language models.
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
    "github copilot": "GitHub Copilot",
    "cursor": "Cursor",
    "grok": "Grok",
    "mistral": "Mistral",
    "llama": "Llama",
    "deepseek": "DeepSeek",
}

_AS_VALUES: Mapping[str, Role] = {
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


def role_of(word: str) -> Role | None:
    """The role that a word in a message's field stands for (`human`, `model`), or None where it stands for none."""
    known = folded(word)
    return "assistant" if known in ASSISTANTS else _AS_VALUES.get(known)


def folded(word: str) -> str:
    """The word as the tables above have it: no capitals, single spaces."""
    return " ".join(word.casefold().split())
