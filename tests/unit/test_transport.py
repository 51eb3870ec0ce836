"""Vectors in the form that pgvector reads. That arrays reach a server and return is tested where there is one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ricordo.database.transport import vector_literal


def test_a_vector_is_written_as_pgvector_reads_it() -> None:
    assert vector_literal(np.array([0.5, -1, 1e-7, 123456.789], np.float32)) == "[0.5,-1,1e-07,123457]"
    assert vector_literal(np.array([], np.float32)) == "[]"


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=20))
def test_more_is_kept_than_a_halfvec_does(numbers: list[float]) -> None:
    literal = vector_literal(np.array(numbers, np.float32))
    read = np.array([float(each) for each in literal[1:-1].split(",")])
    assert literal[0] + literal[-1] == "[]"
    assert np.allclose(read, numbers, rtol=1e-5, atol=0)
