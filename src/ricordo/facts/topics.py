"""Which topic a predicate belongs to, and how much the topic matters: the one table that About is ordered by."""

from __future__ import annotations

from ricordo.facts.english_lasting import DOING, EVENTS
from ricordo.facts.english_open import base_form
from ricordo.facts.english_open_things import THING_VERBS
from ricordo.models import Topic
from ricordo.text.english import KIN, PETS, word_set

#: The headings of the topics, the most important first.
HEADINGS: dict[Topic, str] = {
    "basics": "Basics",
    "home": "Home",
    "work": "Work and education",
    "people": "Family and people",
    "health": "Health, diet and sport",
    "project": "Project and technology",
    "things": "Things owned",
    "likes": "Likes and preferences",
    "other": "Other",
}
#: Predicates of each topic: a whole predicate, or its last word ("class_teacher" is a teacher).
_PREDICATES: dict[Topic, frozenset[str]] = {
    "basics": word_set(
        """
        name first_name surname nickname age birthday gender born_in comes_from nationality religion native_language
        speaks language email phone_number mobile number handle username website star_sign sign
        """
    ),
    "home": word_set(
        """
        lives_in home house flat address street district postcode zip neighbourhood neighborhood landlord landlady rent
        mortgage located_in room wifi broadband
        """
    ),
    "work": word_set(
        """
        works_at works_as works_in works_for employer employed_at role title position occupation profession job office
        workplace salary income company boss manager supervisor assistant teaches studies studies_at school university
        college degree major subject thesis dissertation learns classroom class grade desk average
        """
    ),
    "people": word_set(
        """
        spouse husband wife partner girlfriend boyfriend fiance married_to engaged_to relationship_status child pet ex
        roommate flatmate member_of team club neighbour neighbor nanny babysitter band
        """
    )
    | frozenset(KIN.values())
    | PETS,
    "health": word_set(
        """
        health allergic_to intolerant_to does_not_eat does_not_drink diet gp doctor dentist therapist physio vet
        surgery practice hospital pharmacy weight height blood_type type blood_pressure pressure insurer gym sport plays
        coach trainer best record pb max goal
        """
    ),
    "project": word_set(
        """
        uses runs_on built_with goes_through goes_to stored_in provided_by version status deadline quota limit timeout
        threshold retention port branch runtime compiler editor shell host database db queue cache framework stack layer
        library backend frontend owner lead maintainer responsible_for licence license repo linter formatter sla uptime
        capacity coverage codename domain router browser os expiry
        """
    ),
    "things": word_set("owns car bike laptop computer camera phone battery engine model instrument contract plan"),
    "likes": word_set("instruction likes dislikes prefers hobby drinks colour color food dish drink genre"),
}  # fmt: skip
_BY_PREDICATE = {predicate: topic for topic, predicates in _PREDICATES.items() for predicate in predicates}
#: Words that say nothing of the topic behind other words: a "claim number" is not somebody's.
_VAGUE = word_set("number name type sign title plan status class position")
#: Predicates that are verbs: "lives in Leeds". The others name what the object is: "sister: Ana".
_VERBS = word_set(
    """
    lives works studies comes born located likes dislikes prefers owns uses runs built goes stored provided speaks plays
    learns teaches drinks does married engaged allergic intolerant member responsible employed sings is has collects
    wears keeps pays takes gets cycles walks reads watches follows supports volunteers subscribes sells buys grows
    breeds shares rents banks drives rides eats cooks bakes sleeps sits parks trains lifts swims knits smokes files
    shops spends stores deploys ships writes serves reports listens commutes heats feeds fosters tutors chairs helps
    looks owes attends knows depends needs
    """
) | EVENTS | DOING  # fmt: skip


#: Facts of people whom nobody named are told by whose relative they are: "sister_lives_in".
_RELATIVES = frozenset(
    [
        *KIN.values(),
        *PETS,
        "parents",
        "grandparents",
        "kids",
        "children",
        "twins",
        "boys",
        "girls",
        "in_laws",
        "cats",
        "dogs",
        "youngest",
        "eldest",
        "oldest",
        "other_half",
        "little_one",
    ]
)

#: Of these, what somebody or something is: "is located in Kiel".
_STATES = word_set("located stored provided married engaged allergic intolerant responsible employed")
#: What one is of somebody or something.
_ROLES = word_set(
    """
    member owner friend neighbor neighbour colleague partner founder author creator head boss manager president captain
    part fan resident citizen student teacher parent child mother father son daughter brother sister sibling cousin
    aunt uncle nephew niece grandmother grandfather grandson granddaughter wife husband user
    """
)
#: Words behind which the object of a relation stands.
_JOINING = word_set("of in at to by with for from on")


def relative(predicate: str) -> tuple[str, str] | None:
    """Whose relative a predicate is about and what it tells: "sister" and "lives_in"; None if it is the subject."""
    for words in (3, 2, 1):
        parts = predicate.split("_", words)
        if len(parts) > words and "_".join(parts[:words]) in _RELATIVES:
            return "_".join(parts[:words]), parts[words]
    return None


def topic_of(predicate: str) -> Topic:
    """The topic of a predicate."""
    if relative(predicate) is not None:
        return "people"
    if predicate.startswith(("favourite_", "favorite_")):
        return "likes"
    last = predicate.rpartition("_")[2]
    return _BY_PREDICATE.get(predicate) or ("other" if last in _VAGUE else _BY_PREDICATE.get(last, "other"))


def is_verb(predicate: str) -> bool:
    """Whether a predicate is a verb, such as lives_in, and no name of what the object is."""
    return predicate.partition("_")[0] in _VERBS


#: Words that end like a plural and are none, and plurals that do not.
_ONE = word_set("gas bus lens news maths physics canvas series")
_SEVERAL = word_set("children people men women feet")


def in_words(predicate: str, subject: str = "") -> str:
    """A predicate in words. Of several things its verb is in the plural: "bins go out on"."""
    parts = predicate.split("_")
    at = _verb_at(parts)
    if parts[at].endswith("s") and _are_several(parts[at - 1] if at else subject):
        parts[at] = {"is": "are", "was": "were"}.get(parts[at]) or base_form(parts[at])
    return " ".join(parts)


def joins(predicate: str) -> bool:
    """Whether a predicate ends in a word behind which its object stands: "climbs_at"."""
    first, _, last = predicate.rpartition("_")
    return first != "" and last in _JOINING - {"of"}


def is_of_thing(predicate: str) -> bool:
    """Whether a predicate tells of a thing that it names: "bins_goes_out_on"."""
    return _verb_at(predicate.split("_")) > 0


def _verb_at(parts: list[str]) -> int:
    """Where the verb of a predicate stands: behind the thing or the relative that it tells of, else first."""
    last = len(parts) if relative("_".join(parts)) is not None else len(parts) - 1
    return next((n for n in range(1, last) if parts[n] in _VERBS | THING_VERBS and parts[n].endswith("s")), 0)


def _are_several(noun: str) -> bool:
    last = noun.rpartition(" ")[2]
    if " and " in noun or last in _SEVERAL:
        return True
    is_name = not last.islower() and not last.endswith("ies")
    return last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in _ONE and not is_name


def statement(subject: str, predicate: str, object: str) -> str:
    """A relation in words: "Ines lives in Porto", "Ines is married to Ben", "Ben's sister: Ines"."""
    words = in_words(predicate, subject)
    first, last = predicate.partition("_")[0], predicate.rpartition("_")[2]
    of = relative(predicate)
    if is_of_thing(predicate) or (of is not None and is_verb(of[1])):
        return f"{subject}'s {words} {object}"
    if last == "of" and first in _ROLES:
        return f"{subject} is {'an' if first[0] in 'aeiou' and first != 'user' else 'a'} {words} {object}"
    if first in ("born", "built"):
        return f"{subject} was {words} {object}"
    if first in _STATES or (last in _JOINING and not first.endswith("s") and not is_verb(predicate)):
        return f"{subject} is {words} {object}"
    if is_verb(predicate) or (last in _JOINING and last != first):
        return f"{subject} {words} {object}"
    return f"{subject}'s {words}: {object}"
