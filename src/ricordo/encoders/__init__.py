"""Text to vectors: the encoders that run on this machine, and how their files get here."""

from ricordo.encoders.catalog import DEFAULT, MODELS
from ricordo.encoders.encoder import Encoder, available, load
from ricordo.encoders.files import Installed, installed
from ricordo.encoders.install import install

__all__ = ["DEFAULT", "MODELS", "Encoder", "Installed", "available", "install", "installed", "load"]
