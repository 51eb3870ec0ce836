"""Text to vectors: the encoders that run on this machine and hosted ones. `install`, which fetches their files, is
imported by itself."""

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
