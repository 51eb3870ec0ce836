"""Which embedding model is meant: the one that is named, or the one that these settings prefer. Loads nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from ricordo.embedding.catalog import DEFAULT, MODELS, Model, find, known, named
from ricordo.embedding.files import present
from ricordo.errors import InvalidInput
from ricordo.settings import Settings


@dataclass(frozen=True)
class Endpoint:
    """Where a hosted embedding model is: an endpoint that speaks OpenAI's protocol, and its name for the model."""

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    #: The length of vectors to ask for; None leaves it to the model.
    dimension: int | None = None

    @property
    def space(self) -> str:
        """The name of its vectors: the model's, and their length where it is not the model's own."""
        return f"{self.model}@{self.dimension}" if self.dimension else self.model

    def __str__(self) -> str:
        return f"{self.model} at {self.url}"


def endpoint(settings: Settings) -> Endpoint | None:
    """The hosted embedding model of these settings, if there is one."""
    if settings.embedding_url is None or settings.embedding_model is None:
        return None
    return Endpoint(
        settings.embedding_url, settings.embedding_model, settings.embedding_key, settings.embedding_dimensions
    )


def choices(settings: Settings) -> dict[str, str]:
    """The names of the embedding models that are installed or hosted, and of their vectors: what each name means the
    vectors of."""
    found = {}
    for each in MODELS:
        if present(settings, [each]):
            found[each.name] = found[each.space] = each.space
    if remote := endpoint(settings):
        found[remote.model] = found[remote.space] = remote.space
    return found


def choose(settings: Settings, name: str | None = None) -> Endpoint | Model:
    """The embedding model called `name`, or whose vectors are called so; none means the one that new memories get: that
    of the settings, else the first of the catalog that is installed, else the default.

    Raises InvalidInput for a name that means none. A model of the catalog may turn out not to be installed when it is
    loaded.
    """
    remote = endpoint(settings)
    wanted = name or (None if remote else settings.embedding_model)
    if wanted is None:
        return remote or present(settings) or find(DEFAULT)
    if remote and wanted in (remote.model, remote.space):
        return remote
    if models := named(wanted):
        return present(settings, models) or models[0]
    raise InvalidInput(
        "model" if name else "embedding_model",
        f"embedding model {wanted!r} is not available here: expected one of {known()}"
        + (
            f", {remote.space}"
            if remote
            else ". For a hosted model, set RICORDO_EMBEDDING_URL and RICORDO_EMBEDDING_MODEL"
        ),
    )
