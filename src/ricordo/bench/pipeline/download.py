"""Gets LongMemEval's files from where its authors publish them, in pieces that survive an interruption."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from ricordo.errors import UnreadableSource

#: The authors' own data set on the model hub (the cleaned release of September 2025).
SOURCE = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned/resolve/main"
FILES = ("longmemeval_s_cleaned.json", "longmemeval_oracle.json", "longmemeval_m_cleaned.json")
_PIECE = 1 << 20
#: Seconds without a byte after which the source counts as gone.
_PATIENCE = 30.0


def download(name: str, folder: Path, progress: Callable[[int, int], None], source: str = SOURCE) -> Path:
    """Fetch one file into the folder, unless it is there; what an earlier try left is continued.

    `progress` gets bytes that are there and bytes in all (0 where the source does not tell).
    Raises UnreadableSource where the source cannot be reached or does not have the file.
    """
    path, part = folder / name, folder / f"{name}.part"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    address = f"{source.rstrip('/')}/{name}"
    there = part.stat().st_size if part.exists() else 0
    try:
        request = urllib.request.Request(address, headers={"Range": f"bytes={there}-"} if there else {})
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            goes_on = answer.status == HTTPStatus.PARTIAL_CONTENT
            there = there if goes_on else 0
            total = there + int(answer.headers.get("Content-Length") or 0)
            with part.open("ab" if goes_on else "wb") as file:
                while piece := answer.read(_PIECE):
                    file.write(piece)
                    there += len(piece)
                    progress(there, total)
    except urllib.error.HTTPError as error:
        if error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:  # else all of it was there already
            raise _unreachable(address, f"it answers {error.code} {error.reason}", folder) from error
    except (OSError, ValueError) as error:
        raise _unreachable(address, str(getattr(error, "reason", error)), folder) from error
    else:
        if there < total:
            raise _unreachable(address, f"it broke off after {there:,} of {total:,} bytes", folder)
    part.rename(path)
    return path


def _unreachable(address: str, why: str, folder: Path) -> UnreadableSource:
    return UnreadableSource(
        f"{address} cannot be fetched: {why}. Run the command again to go on, or put the file into {folder} yourself"
    )
