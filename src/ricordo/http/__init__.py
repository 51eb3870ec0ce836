"""The HTTP API: FastAPI over the client. It needs the extra `ricordo[server]`: import it only where it is served."""

from ricordo.http.app import application
from ricordo.http.options import Options
from ricordo.http.page import NOT_BUILT, is_built
from ricordo.http.server import serve

__all__ = ["NOT_BUILT", "Options", "application", "is_built", "serve"]
