"""Archives for tests: looking into them, and making others of them, good and bad."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Files = dict[str, bytes]


def contents(archive: Path) -> Files:
    """Every file of an archive but its manifest."""
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist() if name != "manifest.json"}


def rows(files: Mapping[str, bytes], name: str) -> list[dict[str, Any]]:
    """The rows of a file."""
    return [json.loads(line) for line in files[name].splitlines()]


def changed(
    archive: Path,
    target: Path,
    change: Callable[[dict[str, list[dict[str, Any]]]], object] | None = None,
    **told: object,
) -> Path:
    """An archive with other rows, whose manifest is true of them save for what is `told`."""
    files = contents(archive)
    with zipfile.ZipFile(archive) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    read = {name: rows(files, name) for name in files}
    if change:
        change(read)
    written = {name: b"".join(json.dumps(row).encode() + b"\n" for row in each) for name, each in read.items()}
    for name, content in written.items():
        manifest["files"][name] |= {"rows": len(read[name]), "sha256": hashlib.sha256(content).hexdigest()}
    return packed(target, written, {**manifest, **told})


def packed(target: Path, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> Path:
    """A zip of these files and this manifest."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(name, content)
        written.writestr("manifest.json", json.dumps(manifest))
    return target
