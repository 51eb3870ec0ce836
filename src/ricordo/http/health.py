"""Whether the server lives, and whether it can serve. Open to everybody: it tells nothing else."""

from __future__ import annotations

from typing import Literal

from fastapi import Request
from pydantic import BaseModel

from ricordo.client import serving
from ricordo.http.access import strict
from ricordo.http.problems import responses

router = strict(tags=["health"])


class Health(BaseModel):
    """That it is well."""

    status: Literal["ok"] = "ok"


@router.get("/healthz", responses=responses(400, 421))
async def healthz() -> Health:
    """Check that the process responds."""
    return Health()


@router.get("/readyz", responses=responses(400, 421, 503))
async def readyz(request: Request) -> Health:
    """Check that the store responds."""
    await serving(request.app.state.gate.memory).keys_exist()
    return Health()
