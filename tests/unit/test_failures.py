"""A database's address may be shown; its secrets may not."""

from __future__ import annotations

import pytest

from ricordo.database.failures import described


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
