"""Which packages of an extra are missing, found out without loading them. A package around a module is loaded."""

from __future__ import annotations

from importlib.util import find_spec


def missing(*modules: str) -> list[str]:
    """Those of these modules that are not installed, such as `jsonschema` and `ruamel.yaml`."""
    return [each for each in modules if not _is_installed(each)]


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package around a module of it
        return False
