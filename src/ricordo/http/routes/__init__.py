"""The operations of the API, one file per resource. Each parses, calls the client, and answers with models."""

from fastapi import APIRouter

from ricordo.http.problems import responses
from ricordo.http.routes import (
    agents,
    conversations,
    documents,
    entities,
    hooks,
    journal,
    memories,
    operations,
    palace,
    profiles,
    records,
    review,
    runs,
    settings,
    sync,
    user,
    whiteboards,
)

_MODULES = (
    conversations, hooks, palace, entities, memories, agents, journal, profiles, whiteboards, runs, documents, review,
    records, operations, sync, settings, user,
)  # fmt: skip


def api() -> APIRouter:
    """Every operation under /v1."""
    router = APIRouter(responses=responses(400, 401, 403, 404, 408, 413, 415, 421, 422, 429, 500, 503))
    for module in _MODULES:
        router.include_router(module.router)
    return router
