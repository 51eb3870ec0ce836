"""Ready-made tools for language models, in the forms of OpenAI, Anthropic and MCP."""

from ricordo.toolkit.tools import Tools

__all__ = [
    "Tools",
]
