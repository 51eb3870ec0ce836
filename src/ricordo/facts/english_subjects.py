"""Who an English clause is about: the speaker, a relative with or without a name, a pronoun, a name."""

from __future__ import annotations

import re

from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.models import EntityKind
from ricordo.text import lazy
from ricordo.text.english import KIN, NO_NAMES, PAST, PETS
from ricordo.text.plain import plain_english

KINWORD = "|".join(sorted(map(re.escape, [*KIN, *PETS, "girlfriend", "gf", "boyfriend", "bf"]), key=len, reverse=True))
QUALITY = (
    r"(?:(?:best|good|old|dear|close|new|older|younger|elder|little|big|eldest|oldest|youngest|middle|first|twin|own|lovely|"
    r"other|beloved|current|late|former|ex|school|university|college|childhood|work) )*"
)
UNNAMED = lazy(
    rf"\b(?:(?:my|our|an?|(?:got|have|adopted|bought) the) (?:(?:new|old|little|young|rescue|second) )*(?P<kin>{KINWORD})\b(?!'s| (?-i:[A-Z])|,? (?:called|named))"
    r"|(?:dating|seeing|going out with) (?P<someone>someone|somebody|a (?:guy|man|boy|girl|woman))\b(?! (?:called|named)))",
    re.IGNORECASE,
)
_MANY = "parents|grandparents|youngest|eldest|oldest|other half|little one|toddler|baby|newborn|kid|kids|children|twins|boys|girls|in-laws|sons|daughters|brothers|sisters|cats|dogs|family"
#: Relatives of which there are several.
PLURAL = frozenset(_MANY.split("|")) - {
    "toddler",
    "baby",
    "newborn",
    "kid",
    "family",
    "youngest",
    "eldest",
    "oldest",
    "other half",
    "little one",
}
_FIRST = lazy(rf"^(?:I|we|We|both of us|the two of us|(?!And |But ){NAME} and (?:I|me)|[Mm]e and {NAME})(?= )")
_KINSHIP = lazy(
    rf"^(?P<whose>[Mm]y|[Oo]ur|[Hh]is|[Hh]er|(?P<owner>{NAME})'s) (?P<quality>{QUALITY})"
    rf"(?P<kin>(?:ex-?)?(?i:{KINWORD}|{_MANY}))(?:,? (?P<name>{NAME}),?)?(?= )"
    rf"|^(?P<the>(?:[Tt]he )(?=(?:kids|children|twins|boys|girls|{'|'.join(PETS)}) )|(?=(?:Mum|Mom|Dad|Gran|Grandma|Grandpa|Grandad|Granddad|Nan|Nana|Mama|Papa) ))(?P<known>[A-Za-z]+)(?= )"
)
_PRONOUN = lazy(r"^(?:he|she|He|She)(?= )")
_PERSON = lazy(rf"^(?P<ours>[Oo]ur |[Ll]ittle )?(?P<name>{NAME})(?= )(?! and I )")
#: "Aunt Philippa"
_AUNT = lazy(
    r"^(?P<name>(?:Aunt|Auntie|Uncle|Cousin|Grandma|Grandpa|Grandad|Granny|Nana|Nan) [A-Z][^\W\d_]+)(?= [a-z])"
)
#: "Ravi from accounts"
_TEAM = lazy(r" (?:from|in) (?:the )?[a-z]+(?= [a-z]+s )")
_SPOUSES = {"gf": "girlfriend", "bf": "boyfriend"}
#: Given names that are common words too, and verbs that show one to be a name: "my brother Will is visiting".
GIVEN_WORDS = frozenset(["Will", "Mark", "May", "April", "June", "Rose", "Bill", "Guy", "Hope", "Faith", "Rob", "Jack"])
_VERB_OF_A_NAME = frozenset(["is", "has", "was", "lives", "works", "wants", "thinks", "says", "got", "moved", "loves"])
_FEMALE = frozenset(
    ["sister", "mother", "wife", "girlfriend", "daughter", "aunt", "niece", "grandmother", "granddaughter", "stepmother",
     "stepdaughter", "stepsister", "landlady", "mother_in_law", "sister_in_law"]
)  # fmt: skip
_MALE = frozenset(
    ["brother", "father", "husband", "boyfriend", "son", "uncle", "nephew", "grandfather", "grandson", "stepfather",
     "stepson", "stepbrother", "landlord", "father_in_law", "brother_in_law"]
)  # fmt: skip


_HER_TITLE, _HIS_TITLE = lazy(r"(?:Mrs|Ms|Miss)\b"), lazy(r"Mr\b")

#: The small words that a subject may begin with.
_BEGIN = frozenset(["we", "both", "the", "my", "our", "his", "her", "he", "she", "me", "little"])


def as_kin(word: str) -> str:
    """How somebody stands to whom the word is said of: an animal is a pet, a word that is none of kin stands for itself."""
    return _SPOUSES.get(word) or KIN.get(word) or ("pet" if word in PETS else word)


def subject(clause: str, scene: Scene) -> tuple[str, EntityKind, bool, int, list[Claim]] | None:
    """Who, of what kind, whether the speaker, where the rest begins, and what the subject itself states."""
    if clause[:1].islower() and clause.partition(" ")[0] not in _BEGIN:
        return None
    match = _FIRST.match(clause)
    if match is not None:
        return scene.speaker, "person", True, match.end(), []
    match = _KINSHIP.match(clause)
    if match is not None:
        return _of_kin(match, scene)
    match = _PRONOUN.match(clause)
    if match is not None:
        if scene.last is None or not _is_of(match.group().lower(), scene.last, scene):
            return None
        if scene.last not in scene.relatives and not plain_english(scene.last.casefold()):
            scene.meet(scene.last)  # only people are he or she
        return scene.last, "person", False, match.end(), []
    match = _AUNT.match(clause)
    if match is not None:
        scene.meet(match["name"])
        return match["name"], "person", False, match.end(), []
    match = _PERSON.match(clause)
    if match is not None:
        for name in (match["name"], match["name"].split()[0]):
            person = scene.person(name)
            if person is not None or (not match["ours"] and may_name(name, clause)):
                end = match.start("name") + len(name)
                team = _TEAM.match(clause, end)
                end = end if team is None else team.end()
                return person or name, "person", False, end, []
    return None


def _is_of(pronoun: str, name: str, scene: Scene) -> bool:
    """Whether "he" or "she" can be somebody, as far as the conversation says whose sister or brother that is."""
    other, title = (_FEMALE, _HER_TITLE) if pronoun == "he" else (_MALE, _HIS_TITLE)
    return title.match(name) is None and not any(
        each == name and predicate in other for (_, predicate), each in scene.kin.items()
    )


def may_name(name: str, clause: str) -> bool:
    """Whether a word nobody knows, with a capital at the beginning, may be a person's name."""
    return (
        name.isalpha() and name[1:].islower() and len(name) > 2 and name.casefold() not in NO_NAMES
        and name.casefold() not in PAST
        and (name in GIVEN_WORDS or not name.endswith(("s", "ing", "ed", "tion", "sion", "ment", "ness"))) and clause[len(name) :][:1] == " "
    )  # fmt: skip


def _of_kin(match: re.Match[str], scene: Scene) -> tuple[str, EntityKind, bool, int, list[Claim]] | None:
    kin = (match["kin"] or match["known"]).lower().removeprefix("ex-").removeprefix("ex")
    predicate = as_kin(kin)
    former = (match["kin"] or "").lower().startswith("ex") or any(
        each in (match["quality"] or "").lower().split() for each in ("ex", "former", "late")
    )
    whose = (match["whose"] or "my").lower()
    if whose in ("my", "our"):
        owner: str | None = scene.speaker
    elif match["owner"]:
        owner = scene.person(match["owner"]) or match["owner"]
    else:
        owner = scene.last
    name = match["name"]
    end = match.end()
    verb = match.string[match.end() :].lstrip().partition(" ")[0]
    is_word = name is not None and name.split()[0].casefold() in NO_NAMES
    if name is not None and (name[:1].islower() or (is_word and not (name in GIVEN_WORDS and verb in _VERB_OF_A_NAME))):
        name, end = None, match.end("kin")
    if owner is None:
        return None
    stated = []
    if name is not None:
        name = name.split(" and ")[0]
        end = match.start("name") + len(name) + (clause_comma(match.string, match.start("name") + len(name)))
        scene.meet(name)
        scene.kin[owner, predicate] = name
        stated.append(Claim(owner, "person", predicate, name, "person", former))
    else:
        name = scene.kin.get((owner, predicate)) or scene.relative(owner, kin if predicate == "pet" else predicate)
    return name, "person", False, end, stated


def clause_comma(text: str, at: int) -> int:
    """1 where a comma stands there."""
    return 1 if text[at : at + 1] == "," else 0
