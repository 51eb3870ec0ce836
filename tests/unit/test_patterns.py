"""Patterns of the rules: compiled when first used, and sound."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ricordo
from ricordo.recall import changing
from ricordo.text import Caseless, any_of, lazy

_SOURCE = Path(ricordo.__file__).parent
_MODULES = [
    *(_SOURCE / "facts").glob("*.py"),
    *(_SOURCE / "text").glob("*.py"),
    *(_SOURCE / "recall").glob("time_rules.py"),
    _SOURCE / "recall" / "standing.py",
]


def _at_import(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that a module makes while it is imported."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            if isinstance(child, ast.Call):
                yield child
            yield from _at_import(child)


def _lazies(value: object) -> Iterator[re.Pattern[str]]:
    if type(value) is type(lazy("")):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _lazies(each)
    elif isinstance(value, dict):
        yield from _lazies(list(value.values()))


def test_rules_are_compiled_when_first_used_and_every_one_can_be() -> None:
    for path in _MODULES:
        calls = [ast.unparse(call.func) for call in _at_import(ast.parse(path.read_text(encoding="utf-8")))]
        assert "re.compile" not in calls, path
        name = ".".join(path.relative_to(_SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        for pattern in _lazies(list(vars(importlib.import_module(name)).values())):
            pattern.search("")  # raises re.error where it is unsound


def test_one_pattern_stands_for_several_each_in_its_own_case() -> None:
    one = any_of(lazy(r"(?P<who>Tom) runs"), lazy(r"^(?P<who>anna)", re.IGNORECASE))
    assert [bool(one.match(text)) for text in ("Tom runs", "tom runs", "ANNA", "so Anna")] == [True, False, True, False]


@pytest.mark.parametrize(
    "pattern", [r"(?P<a>x)y(?P=a)", r"(x)\1", r"(?i)x", r"x|(?s:.)(?u)", r"(x)?(?(1)y|z)", "a(?#b)"]
)
def test_a_pattern_that_means_something_else_among_others_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="cannot join a pattern that has"):
        any_of(lazy("q"), lazy(pattern)).search("")


def test_flags_that_would_be_dropped_are_refused() -> None:
    for flag in (re.DOTALL, re.MULTILINE, re.VERBOSE, re.ASCII):
        with pytest.raises(ValueError, match="cannot join patterns with"):
            any_of(lazy("q"), lazy("x", flag | re.IGNORECASE))
    assert any_of(lazy("q"), lazy(r"\\1|[(?]\(?|(?s:.)", re.IGNORECASE)).search("\n")


_ALTERNATIVES = [
    r"^in (?:this|that) repo\b|\b(?:rules?|policy|we (?:use|keep)(?! it\b))\b|\bfrom now on\b",
    r"\b(?:a|ab|abc)+d|(?:x|y)?z|[|)(]b|\(c\)|\|",
    r"(?<!no )needs? to|(?:is|are) (?:not )?(?:a{2}|b{1,2}?|c*)!|,(?<=\w,) not",
    r"\b(?:^so|then) there|(?:^|[,:] )(?:use|drop)\b|\x41b|\u00e9t|é",
    r"(?:[Mm]y|[Oo]ur) (?:cat|dog)s?(?=[.!]|$)|(?:[Mm]y|[Oo]ur) (?:house|home)\b",
]
_TEXTS = [
    "in this repo", "so in that repo", "our rules:", "ruled", "we use tabs", "we use it", "from now on", "abd",
    "ababcd", "z", "xz", "xyz", "|b", "(b", ")", "(c)", "needs to", "no need to", "it is aa!", "are not b!", "is ccc!",
    "is !", "is d!",
    "this, not that", ", not", "so there", "and so there", "then there", "so, use it", "use it", "we use", "Ab", "été",
    "My cats.", "our dog", "our home", "homely", "",
]  # fmt: skip


@pytest.mark.parametrize("pattern", _ALTERNATIVES)
@pytest.mark.parametrize("flags", [re.NOFLAG, re.IGNORECASE])
def test_one_pattern_matches_just_where_those_do_that_it_stands_for(pattern: str, flags: re.RegexFlag) -> None:
    plain, one = re.compile(pattern, flags), any_of(lazy(pattern, flags))
    both = any_of(lazy(r"qu+x"), lazy(pattern, flags))
    for text in [*_TEXTS, *(f"{a} {b}" for a in _TEXTS for b in _TEXTS)]:
        for each in (one, both):
            assert bool(each.search(text)) == bool(plain.search(text)), text
            assert bool(each.match(text)) == bool(plain.match(text)), text


def test_a_pattern_in_lower_case_finds_text_of_any_case() -> None:
    found = Caseless(r"\bspäter\b").search("ERST SPÄTER")
    assert found is not None and found[0] == "später"


def test_patterns_for_text_of_any_case_are_in_lower_case() -> None:
    patterns = [each for each in vars(changing).values() if isinstance(each, Caseless)]
    assert patterns
    for each in patterns:
        each.search("")  # raises re.error where it is unsound
        written = re.sub(r"\\[A-Z]|\(\?P<\w+>", "", each.pattern)
        assert written == written.lower()
