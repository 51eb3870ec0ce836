"""Spellings of one name: what two of them have in common, so that a wing or a closet is not made twice."""

from __future__ import annotations

import re
from itertools import takewhile

from ricordo.text import WORD, fold, stem
from ricordo.text.given_names import GIVEN

_PART = re.compile(WORD)
_ARTICLES = frozenset(
    [
        "the", "a", "an", "my", "our", "your", "his", "her", "their", "this", "der", "die", "das", "den", "dem", "ein",
        "eine", "mein", "meine", "unser", "unsere", "le", "la", "les", "un", "une", "mon", "ma", "mes", "notre", "el",
        "los", "las", "mi", "mis", "il", "lo", "gli", "uno", "una", "o", "os", "as", "um", "uma", "het", "de", "een",
    ]
)  # fmt: skip
#: What says that a thing is a project, and not which.
_PROJECT = frozenset(["project", "projects", "projekt", "projekte", "projet", "proyecto", "progetto", "projeto"])
#: A path, or a host and a path.
_ADDRESS = re.compile(r"/|[^\s/]+\.[^\s/]+/")
#: ae, oe and ue for an umlaut stand before a consonant: not in Joey, Chloe, Bauer or Michael.
_UMLAUT = re.compile(r"(?<![aeiouyq])([aou])e(?=[^\W_aeiouy])(?!l\b)")


def slug(name: str) -> str:
    """A place's readable key: its words without case, accents and articles, joined by hyphens; a name of signs is its
    own. Whom or what a name means is told by `identity.slug_of`, which keeps every word, as "The Who" is not Who."""
    parts = _parts(name)
    return "-".join(parts) or "".join(fold(name).split()) or "unnamed"


def keys(name: str, language: str = "", *, proper: bool = False) -> list[str]:
    """The keys of a name: two names with one in common are one name. The first one stands for this spelling alone.

    Case, accents, umlauts written as ae, oe and ue, hyphens, spaces, articles and the word "project" make no
    difference. Where the name is of no one in particular (not `proper`: Andrea is not Andreas), the plural and the
    endings of `language` make none either; such keys begin with `~`, so that they never meet a proper name. Given names
    keep their endings there too: a talk about Marcs is none about Marc.
    """
    if _ADDRESS.match(name):  # of a repository: each sign counts
        return [fold(name)]
    parts = [_UMLAUT.sub(r"\1", part) for part in _parts(name)]
    found = ["".join(parts) or slug(name)]
    if parts and not proper:
        found.append("~" + "".join(_bare(part, _singular(part)) for part in parts))
        if language not in ("", "en"):
            found.append("~" + "".join(_bare(part, stem(part, language)) for part in parts))
    return list(dict.fromkeys(found))


def best_first(name: str) -> tuple[object, ...]:
    """By what spellings of one name are sorted, so that the one to be shown comes first: not in capitals alone, the
    shortest, with its accents, not in small letters alone."""
    return is_loud(name), len(name), -accents(name), name == name.lower(), name


def is_loud(name: str) -> bool:
    """Whether a name of several letters is in capitals alone."""
    return name == name.upper() != name.lower() and sum(map(str.isalpha, name)) > 1


def accents(name: str) -> int:
    """How many letters of a name have what a sloppy spelling leaves out."""
    return sum(fold(each) != each.casefold() for each in name)


def _bare(word: str, shorter: str) -> str:
    """A word without its ending, unless one of the two is a given name."""
    return word if GIVEN & {word, shorter} else shorter


def _parts(name: str) -> list[str]:
    parts = [fold(each) for each in _PART.findall(name)]
    front = len(list(takewhile(lambda part: part in _ARTICLES, parts)))
    parts = parts[front:] if front < len(parts) else parts
    bare = [part for part in parts if part not in _PROJECT]
    return bare if bare and (parts[0] in _PROJECT or parts[-1] in _PROJECT) else parts


def _singular(word: str) -> str:
    """An English noun without the ending of its plural."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1]
