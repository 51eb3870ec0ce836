"""Ready-made tools for language models, in the forms of OpenAI, Anthropic and MCP.

tools = for_openai(memory, "Navigator")
answer = client.chat.completions.create(model=…, messages=…, tools=tools.schemas)
"""

from ricordo.toolkit.tool import Speaker, Tool
from ricordo.toolkit.tools import Tools
from ricordo.toolkit.vendors import Payload, Toolbox, for_anthropic, for_mcp, for_openai

__all__ = ["Payload", "Speaker", "Tool", "Toolbox", "Tools", "for_anthropic", "for_mcp", "for_openai"]
