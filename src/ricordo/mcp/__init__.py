"""The MCP server over stdio and streamable HTTP, and the setup of MCP clients.

`serve_stdio` is what `ricordo mcp` runs; `app` is an ASGI application for `ricordo serve` to mount. What a client sees
is in `tools`, what a call does in `calls`. The official SDK does the protocol. Nothing here holds a rule.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ricordo.mcp.caller import Caller as Caller
    from ricordo.mcp.refusing import lacks_id as lacks_id
    from ricordo.mcp.refusing import refusal as refusal
    from ricordo.mcp.serving import App as App
    from ricordo.mcp.serving import app as app
    from ricordo.mcp.stdio import serve_stdio as serve_stdio

_HOMES = {
    "App": "serving",
    "Caller": "caller",
    "app": "serving",
    "lacks_id": "refusing",
    "refusal": "refusing",
    "serve_stdio": "stdio",
}

__all__ = ["App", "Caller", "app", "lacks_id", "refusal", "serve_stdio"]


def __getattr__(name: str) -> object:
    """Loads a name when it is first used: the SDK takes half a second, which hooks and installation do not need."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ricordo.mcp' has no attribute {name!r}")
    return getattr(import_module(f"ricordo.mcp.{_HOMES[name]}"), name)
