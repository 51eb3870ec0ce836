"""Products of matrices leave the other cores alone, and what the program around had set comes back."""

from __future__ import annotations

import ast
from pathlib import Path
from threading import Barrier, Thread

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from ricordo.blas import one_thread

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ricordo"


def _threads() -> set[int]:
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def test_the_limit_ends_with_the_last_who_is_within_it() -> None:
    np.ones((2, 2)) @ np.ones((2, 2))
    inside, leave = Barrier(2, timeout=60), Barrier(2, timeout=60)

    @one_thread
    def longer() -> None:
        inside.wait()
        leave.wait()

    with threadpool_limits(2, "blas"):
        before = _threads()
        other = Thread(target=longer)
        with one_thread:
            other.start()
            inside.wait()
            with one_thread:
                assert _threads() == {1}
        assert _threads() == {1}, "another thread is within it still"
        leave.wait()
        other.join()
        assert _threads() == before


def test_every_product_of_matrices_is_limited() -> None:
    """A product that is shared among the cores costs the other cores more than it saves here."""
    free = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        if "bench" not in path.parts
        for node in _unlimited(ast.parse(path.read_text()))
    ]
    assert free == [], "put @one_thread on the function, or `with one_thread:` around the product"


def _unlimited(node: ast.AST) -> list[ast.BinOp]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        entered: list[ast.expr] = node.decorator_list
    elif isinstance(node, ast.With):
        entered = [item.context_expr for item in node.items]
    else:
        entered = []
    if any(isinstance(each, ast.Name) and each.id == "one_thread" for each in entered):
        return []
    own = [node] if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) else []
    return [*own, *(found for child in ast.iter_child_nodes(node) for found in _unlimited(child))]
