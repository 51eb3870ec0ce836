"""Receipts of writes as responses: the status shows whether something was stored, the body has the details."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Response

from ricordo.http.problems import responses
from ricordo.models import ApiModel, Receipt, WriteReceipt, WriteStatus

R = TypeVar("R", Receipt, WriteReceipt)

STATUSES: dict[WriteStatus, int] = {"stored": 201, "duplicate": 200, "held": 202, "pending": 202, "rejected": 422}
_HELD = "Not stored yet: the write is in the review queue (`held`), or a job will decide (`pending`)."


def of_receipt(model: type[ApiModel]) -> dict[int | str, dict[str, Any]]:
    """What a write may answer beside 201, for OpenAPI; 422 is also the answer to a request that breaks a rule."""
    return {
        201: {"description": "Stored."},
        200: {"model": model, "description": "Nothing was written: the same memory is already stored (`duplicate`)."},
        202: {"model": model, "description": _HELD},
        422: {
            **responses(422)[422],
            "model": model,
            "description": "Nothing was written: a policy rejected it (`rejected`), or the request is invalid.",
        },
    }


def answered(response: Response, receipt: R) -> R:
    """The receipt, under the status that goes with it; the ETag is the stored memory's version."""
    response.status_code = STATUSES[receipt.status]
    if isinstance(receipt, WriteReceipt) and receipt.memory is not None:
        response.headers["ETag"] = f'"{receipt.memory.version_tag()}"'
    return receipt
