"""The HTTP API: FastAPI over the client. Import it only where it is served."""

from ricordo.http.app import application
from ricordo.http.options import Options
from ricordo.http.server import serve

__all__ = ["Options", "application", "serve"]
