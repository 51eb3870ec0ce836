"""A memory on another machine, for the commands that assistants use."""

from ricordo.remote.connection import Remote
from ricordo.remote.relaying import serve_stdio

__all__ = ["Remote", "serve_stdio"]
