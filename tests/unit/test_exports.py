"""What `import ricordo` offers: every name is there, and no error that the client raises is missing."""

from __future__ import annotations

import ast
from pathlib import Path

import ricordo
from ricordo import errors


def test_every_exported_name_is_there() -> None:
    for name in ricordo.__all__:
        assert getattr(ricordo, name) is not None
    assert set(dir(ricordo)) == set(ricordo.__all__)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(str(ricordo.__file__)).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen | {"__version__"} == set(ricordo.__all__)


def test_every_error_is_exported() -> None:
    every = {
        name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, errors.RicordoError)
    }
    assert every - set(ricordo.__all__) == set()
