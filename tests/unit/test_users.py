"""A user's id follows from the name, and from nothing else."""

from __future__ import annotations

import pytest

from ricordo.accounts import user_id_of
from ricordo.errors import InvalidInput


def test_an_id_is_the_same_for_ever() -> None:
    assert str(user_id_of("local")) == "45a1d15e-a92a-5cc6-bacf-3283e61b6117"
    assert user_id_of("ada").version == 5


def test_composition_and_spaces_around_do_not_matter_but_case_does() -> None:
    assert user_id_of("José") == user_id_of("Jose\u0301") == user_id_of("  José ")
    assert len({user_id_of(name) for name in ("ada", "Ada", "ada lovelace", "José", "Jose", "阿达", "x" * 200)}) == 7


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b", "a\nb", "\ud800", "a\u202eb"])
def test_what_cannot_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"user: invalid user name .*: expected 1 to 200 printable characters"):
        user_id_of(name)
