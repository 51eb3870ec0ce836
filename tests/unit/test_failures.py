"""What errors show and carry: the address of a database and none of its secrets, from one process to another."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest

from ricordo.database.failures import described
from ricordo.errors import InvalidInput, RicordoError


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:s3cret@db.example:5432/ricordo",
        "postgres://ada:s3cret@db.example/ricordo?sslmode=require",
        "postgresql://ada@db.example/ricordo?password=s3cret",
        "postgresql://ada:x%40s3cret@db.example/ricordo",
        "host=db.example user=ada password=s3cret dbname=ricordo",
        "host=db.example password='it is s3cret' dbname=ricordo",
        r"host=db.example password='it\'s s3cret' dbname=ricordo",
        "host=db.example password = s3cret dbname=ricordo",
    ],
)
def test_a_password_is_never_shown_but_the_host_is(url: str) -> None:
    shown = described(url)
    assert "s3cret" not in shown
    assert "db.example" in shown and "ricordo" in shown


@pytest.mark.parametrize(
    "url", ["postgresql://ada:x@s3cret@db.example/ricordo", "postgresql://ada:x/s3cret@db/ricordo"]
)
def test_a_password_that_breaks_the_url_is_not_shown_either(url: str) -> None:
    assert "s3cret" not in described(url)


def _kinds(of: type[Exception]) -> Iterator[type[Exception]]:
    yield of
    for each in of.__subclasses__():
        yield from _kinds(each)


@pytest.mark.parametrize("kind", [each for each in _kinds(RicordoError) if each.__module__ == "ricordo.errors"])
def test_an_error_reaches_the_process_that_waits_for_it_as_it_was_raised(kind: type[Exception]) -> None:
    error = kind("title", "must be text") if issubclass(kind, InvalidInput) else kind("what to do")
    error.add_note("a note")
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(same), str(same), vars(same)) == (kind, str(error), vars(error))
