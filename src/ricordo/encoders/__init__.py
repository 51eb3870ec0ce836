"""Text to vectors: the encoders that run on this machine and hosted ones. Who needs no files fetched need not import
`install`, which fetches them."""

from ricordo.encoders.catalog import DEFAULT, MODELS, Model
from ricordo.encoders.choice import Endpoint, choose, endpoint
from ricordo.encoders.encoder import Encoder, Vocabulary, load
from ricordo.encoders.files import Installed, installed, present
from ricordo.encoders.metering import Call, metered

__all__ = [
    "DEFAULT",
    "MODELS",
    "Call",
    "Encoder",
    "Endpoint",
    "Installed",
    "Model",
    "Vocabulary",
    "choose",
    "endpoint",
    "installed",
    "load",
    "metered",
    "present",
]
