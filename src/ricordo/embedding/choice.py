"""Which encoder is meant: the one that is named, or the one that these settings prefer. Loads nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from ricordo.embedding.catalog import DEFAULT, Model, find, known, named
from ricordo.embedding.files import present
from ricordo.errors import InvalidInput
from ricordo.settings import Settings


@dataclass(frozen=True)
class Endpoint:
    """Where a hosted encoder is: an endpoint that speaks OpenAI's protocol, and its name for the model."""

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
    """The hosted encoder of these settings, if there is one."""
    if settings.embedder_url is None or settings.embedder_model is None:
        return None
    return Endpoint(settings.embedder_url, settings.embedder_model, settings.embedder_key, settings.embedder_dimension)


def choose(settings: Settings, name: str | None = None) -> Endpoint | Model:
    """The encoder called `name`, or whose vectors are called so; none means the one that new memories get: that of
    RICORDO_ENCODER, else the hosted one, else the first of the catalog that is installed, else the default.

    Raises InvalidInput for a name that means none. A model of the catalog may turn out not to be installed when it is
    loaded.
    """
    wanted = name or settings.encoder
    remote = endpoint(settings)
    if wanted is None:
        return remote or present(settings) or find(DEFAULT)
    if remote and wanted in (remote.model, remote.space):
        return remote
    if models := named(wanted):
        return present(settings, models) or models[0]
    raise InvalidInput(
        "model" if name else "encoder",
        f"{wanted!r} is no encoder that is set up here; there are: {known()}"
        + (f", {remote.space}" if remote else "; hosted ones need RICORDO_EMBEDDER_URL and RICORDO_EMBEDDER_MODEL"),
    )
