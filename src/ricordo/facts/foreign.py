"""German, Spanish and French: the commonest statements of who someone is. What isn't surely one is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ricordo.facts.naming import Names, written
from ricordo.facts.sentences import Sentence
from ricordo.facts.statements import Stated
from ricordo.models import EntityKind, Mention
from ricordo.text import lazy
from ricordo.text.english import word_set
from ricordo.text.given_names import GIVEN

_KIN = {
    "de": {
        "schwester": "sister", "bruder": "brother", "mutter": "mother", "mama": "mother", "vater": "father",
        "papa": "father", "frau": "wife", "mann": "husband", "tochter": "daughter", "sohn": "son",
        "freundin": "friend", "freund": "friend", "kollegin": "colleague", "kollege": "colleague", "chef": "boss",
        "chefin": "boss", "oma": "grandmother", "opa": "grandfather", "tante": "aunt", "onkel": "uncle",
        "cousine": "cousin", "hund": "pet", "katze": "pet", "kater": "pet",
    },
    "es": {
        "hermana": "sister", "hermano": "brother", "madre": "mother", "padre": "father", "esposa": "wife",
        "mujer": "wife", "esposo": "husband", "marido": "husband", "hija": "daughter", "hijo": "son",
        "amiga": "friend", "amigo": "friend", "jefa": "boss", "jefe": "boss", "novia": "girlfriend",
        "novio": "boyfriend", "prima": "cousin", "primo": "cousin", "tía": "aunt", "tío": "uncle",
        "abuela": "grandmother", "abuelo": "grandfather", "perro": "pet", "perra": "pet", "gato": "pet",
        "gata": "pet",
    },
    "fr": {
        "sœur": "sister", "soeur": "sister", "frère": "brother", "mère": "mother", "père": "father", "femme": "wife",
        "mari": "husband", "fille": "daughter", "fils": "son", "amie": "friend", "ami": "friend",
        "copine": "girlfriend", "copain": "boyfriend", "collègue": "colleague", "patron": "boss",
        "cousine": "cousin", "cousin": "cousin", "tante": "aunt", "oncle": "uncle", "grand-mère": "grandmother",
        "grand-père": "grandfather", "chien": "pet", "chat": "pet", "chatte": "pet",
    },
}  # fmt: skip
_MY = {"de": "mein(?:e|er|en|em)?", "es": "mi", "fr": "m(?:on|a)"}
_CALLED = {"de": "heißt|ist", "es": "se llama|es", "fr": "s['’]appelle|est"}
#: Not said to hold: supposed, wished, reported.
_UNREAL = {
    "de": lazy(r"\b(?:wenn|falls|ob|würde|wäre|hätte|möchte|will|wollte|vielleicht|sagt|sagte|meint|glaubt|träum\w*|als ob|stell dir)\b", re.I),  # noqa: E501
    "es": lazy(
        r"\b(?:si|quisiera|quiero|viviera|ojalá|quizás?|tal vez|dice|dijo|cree|sueñ\w+|gustaría|imagina)\b", re.I
    ),
    "fr": lazy(r"\b(?:si|voudrais|veux|peut-être|dit|disait|croit|rêv\w+|aimerais|imagine)\b", re.I),
}  # fmt: skip
_NAME = r"[^\W\d_a-zäöüßáéíóúñàâçèêëîïôûœ][\w’'&-]{1,40}"
_CAP = rf"(?P<object>{_NAME}(?: {_NAME}){{0,2}})"
_WHO = r"\b(?P<who>\w{1,40})"
_NOT_CALLED = word_set("i ich es sie er je il elle el ella")


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    predicate: str
    kind: EntityKind | None
    #: Whether a mere capital shows the object; else it must be a place of the lists or the palace.
    capital: bool
    ended: bool = False


@cache
def _rules(language: str) -> list[_Rule]:
    """First person, or one capitalised name as `who`, then the verb."""
    table: dict[str, list[tuple[str, str, EntityKind | None, bool, bool]]] = {
        "de": [
            (rf"(?:ich|wir) (?:wohnen?|leben?) nicht mehr (?:\w+ ){{0,2}}in {_CAP}", "lives_in", "place", False, True),
            (
                rf"(?:\b(?:ich|wir)|{_WHO}) (?:wohn(?:e|en|t)|leb(?:e|en|t)) "
                rf"(?:jetzt |seit \w+ |gerade |wieder ){{0,2}}in {_CAP}",
                "lives_in", "place", False, False,
            ),
            (rf"\bich bin (?:\w+ ){{0,2}}nach {_CAP} (?:um)?gezogen", "lives_in", "place", False, False),
            (
                rf"(?:\b(?:ich|und) arbeite|{_WHO} arbeitet) "
                rf"(?:jetzt |seit \w+ ){{0,2}}(?:bei|für) (?:der |dem )?{_CAP}",
                "works_at", "organization", True, False,
            ),
            (rf"\b(?:ich heiße|mein name ist) {_CAP}", "name", "person", True, False),
            (
                r"\bmein geburtstag ist (?:am )?(?P<object>\d{1,2}\. ?\w{3,10}(?: \d{4})?)",
                "birthday", None, True, False,
            ),
            (r"\bich bin (?P<object>\w{3,30}) von beruf", "role", None, True, False),
            (r"\bich bin von beruf (?P<object>\w{3,30})", "role", None, True, False),
            (r"\bich mag keine? (?P<object>\w{3,30})(?=[.,!]|$)", "dislikes", None, True, False),
        ],
        "es": [
            (rf"\bya no vivo en {_CAP}", "lives_in", "place", False, True),
            (rf"(?:(?<!no )\bvivo|{_WHO} vive) (?:ahora )?en {_CAP}", "lives_in", "place", False, False),
            (
                rf"(?:(?<!no )\btrabajo|{_WHO} trabaja) (?:en|para) {_CAP}",
                "works_at", "organization", True, False,
            ),
            (rf"\b(?:me llamo|mi nombre es) {_CAP}", "name", "person", True, False),
        ],
        "fr": [
            (
                rf"(?:\bj['’]habite|\bje vis|{_WHO} habite) (?:maintenant )?(?:à|en|au) {_CAP}",
                "lives_in", "place", False, False,
            ),
            (
                rf"(?:\bje travaille|{_WHO} travaille) (?:chez|pour) {_CAP}",
                "works_at", "organization", True, False,
            ),
            (rf"\b(?:je m['’]appelle|mon nom est) {_CAP}", "name", "person", True, False),
        ],
    }  # fmt: skip
    return [
        _Rule(re.compile(_folded_case(pattern)), predicate, kind, capital, ended)
        for pattern, predicate, kind, capital, ended in table[language]
    ]


def _folded_case(pattern: str) -> str:
    """The pattern without regard to case, save in what must be written with a capital."""
    return f"(?i:{pattern.replace(_CAP, f'(?-i:{_CAP})')})"


@cache
def _bond(language: str) -> re.Pattern[str]:
    kin = "|".join(sorted(map(re.escape, _KIN[language]), key=len, reverse=True))
    start = rf"(?i:\b{_MY[language]} (?P<kin>{kin}),? (?:(?:{_CALLED[language]}) )?)"
    return re.compile(start + _CAP.replace("{0,2}", "{0,0}"))


def look(sentence: Sentence, names: Names, language: str) -> None:
    """Vote for what the contexts of a sentence show."""
    if language not in _KIN or sentence.shouted:
        return
    for match in _bond(language).finditer(sentence.text):
        if match["object"].lower() not in _NOT_CALLED:
            names.vote(sentence, *_words(sentence, *match.span("object")), "person")
    for rule in _rules(language):
        for match in rule.pattern.finditer(sentence.text) if rule.capital and rule.kind else ():
            first, last = _words(sentence, *match.span("object"))
            if names.kind(sentence, first, last) in (None, rule.kind):
                names.vote(sentence, first, last, rule.kind or "person")


def facts(
    sentence: Sentence, names: Names, language: str, speaker: str, mentions: Sequence[Mention]
) -> Iterator[Stated]:
    """What a sentence states."""
    if language not in _KIN or sentence.idle or sentence.shouted or _UNREAL[language].search(sentence.text):
        return
    for match in _bond(language).finditer(sentence.text):
        first, last = _words(sentence, *match.span("object"))
        name = written(sentence.words[first:last])
        if " ist " in match.group() and name.casefold() not in GIVEN and last < len(sentence.words):
            continue  # "Mein Bruder ist Lehrer in Ulm"
        if any(each.kind == "person" and each.name == name for each in mentions):
            yield Stated(speaker, "person", _KIN[language][match["kin"].lower()], name, "person", False, first, last)
    for rule in _rules(language):
        for match in rule.pattern.finditer(sentence.text):
            stated = _stated(sentence, names, rule, match, speaker, mentions)
            if stated is not None:
                yield stated


def _stated(
    sentence: Sentence, names: Names, rule: _Rule, match: re.Match[str], speaker: str, mentions: Sequence[Mention]
) -> Stated | None:
    who: str | None = speaker
    if match.groupdict().get("who") is not None:
        end = match.end("who") + sentence.start
        who = next((each.name for each in mentions if each.kind == "person" and each.end == end), None)
    first, last = _words(sentence, *match.span("object"))
    what = written(sentence.words[first:last])
    if rule.predicate == "lives_in":
        place = names.place(sentence, first)
        if place is None:
            return None
        last, what = first + place[0], place[1]
    elif rule.kind == "organization" and names.kind(sentence, first, last) != "organization":
        return None
    elif rule.kind is None:
        what = match["object"]
    if who is None:
        return None
    kind = None if rule.predicate == "name" else rule.kind
    return Stated(who, "person", rule.predicate, what, kind, rule.ended, first, last)


def _words(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """The words that stand between two places of a sentence."""
    inside = [
        at for at, word in enumerate(sentence.words)
        if word.start - sentence.start >= start and word.end - sentence.start <= end
    ]  # fmt: skip
    return (inside[0], inside[-1] + 1) if inside else (0, 0)
