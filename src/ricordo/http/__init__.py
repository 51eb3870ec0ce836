"""The HTTP API: FastAPI over the client."""
