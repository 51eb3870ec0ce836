"""The operations of the API, one file per resource. Each parses, calls the client, and answers with models."""

from starlette.routing import BaseRoute

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


def operations_of_the_api() -> list[BaseRoute]:
    """Every operation under /v1."""
    return [route for module in _MODULES for route in module.router.routes]
