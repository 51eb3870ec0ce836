"""Words of prompts about any code: they do not say which part of a project a prompt is about. English, folded."""

from __future__ import annotations

from functools import cache

from ricordo.text.stopwords import NAMELESS
from ricordo.text.terms import terms

_ANY_CODE = """
    add append apply argument array assert async author begin block boolean bracket branch bug build call
    callback case catch change character check class clean code column command comment commit compare compile
    compute condition constant constructor convert copy count create cut debug declare default delete describe
    diff directory download edit empty end enum example exception execute explain export expression extend
    extract fail file find finish fix flatten folder format function generate generic get git go handle heading
    help helper implement import improve increase indent inline input insert install instance integer interface
    iterate keyword length letter library line lint linter list literal local look loop make mark match mean
    merge method missing mock mode module move name need new next null number object open option output
    parameter parse part pass path pattern please prefix print process program pull push put quote range
    readable reformat refactor remove rename repeat replace repository request resolve rest result return
    reverse review revert rewrite root row run save say script select semicolon sentence set shell shorten show
    simplify simple size sort source space spell split stack start statement static stop string struct style
    summarize swap switch symbol syntax tab table take template test text thank throw todo tool trace translate
    tree try tuple turn type typo undo unit unused update use value variable verbose version want warning
    whitespace word work wrap write
"""


def own_terms(text: str) -> frozenset[str]:
    """The terms of a text that say what it is about, beyond being about code."""
    return frozenset(terms(text, "en")) - _no_matter()


@cache
def _no_matter() -> frozenset[str]:
    return frozenset(terms(" ".join([_ANY_CODE, *NAMELESS]), "en"))
