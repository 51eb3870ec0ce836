"""The HTTP API: FastAPI over the client. Imported only by `ricordo serve`."""

from ricordo.http.app import application
from ricordo.http.options import Options
from ricordo.http.page import NOT_BUILT, is_built
from ricordo.http.server import serve

__all__ = ["NOT_BUILT", "Options", "application", "is_built", "serve"]
