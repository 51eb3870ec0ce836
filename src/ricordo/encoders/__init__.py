"""Text to vectors: the encoders that run on this machine, and how their files get here."""

from ricordo.encoders.catalog import DEFAULT
from ricordo.encoders.encoder import Encoder, available, load
from ricordo.encoders.files import Installed, installed
from ricordo.encoders.install import install

__all__ = ["DEFAULT", "Encoder", "Installed", "available", "install", "installed", "load"]
