"""English sentences → facts: where someone lives and works, what they are, own, like. Precision before recall."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

from ricordo.facts.clauses import holds, is_over
from ricordo.facts.naming import written
from ricordo.facts.phrases import day, liked, thing, trade, words_behind
from ricordo.facts.sentences import Sentence
from ricordo.facts.statements import Clause, Handler, Rule, Stated
from ricordo.models import EntityKind
from ricordo.text import lazy
from ricordo.text.english import KIN, word_set
from ricordo.text.given_names import DOUBTFUL, GIVEN


def _place(clause: Clause, at: int) -> tuple[int, str] | None:
    """A place at a word: of the lists or the palace, else what a capital shows."""
    sentence = clause.sentence
    listed = clause.names.place(sentence, at)
    if listed is not None:
        after = sentence.words[at + listed[0]].key if at + listed[0] < len(sentence.words) else ""
        return None if after in ("street", "road", "avenue") else listed
    last = clause.names.run(sentence, at)
    if last == at or clause.names.kind(sentence, at, last) not in (None, "place"):
        return None
    return last - at, written(sentence.words[at:last])


def _lives(clause: Clause) -> Iterator[Stated]:
    who, place = clause.about(), _place(clause, clause.object)
    verb = clause.sentence.words[clause.verb].key
    if who is None or place is None:
        return
    if verb == "lived" and not (who.ended or _perfect(clause)):
        return
    if " from " in clause.match.group() and clause.names.place(clause.sentence, clause.object) is None:
        return  # "moved from Webpack to Vite"
    yield clause.says(who, "lives_in", place[1], "place", clause.object, clause.object + place[0])


def _perfect(clause: Clause) -> bool:
    before = [word.key for word in clause.sentence.words[max(0, clause.verb - 3) : clause.verb]]
    return any(each in ("i've", "we've", "have", "has") for each in before)


def _nothing(clause: Clause) -> Iterator[Stated]:
    """A journey shows a place and states nothing that lasts."""
    yield from ()


def _comes_from(clause: Clause) -> Iterator[Stated]:
    who, place = clause.about(), clause.names.place(clause.sentence, clause.object)
    if who is not None and place is not None:
        yield clause.says(who, "comes_from", place[1], "place", clause.object, clause.object + place[0])


def _born(clause: Clause) -> Iterator[Stated]:
    who, sentence = clause.about(), clause.sentence
    if who is None:
        return
    behind = sentence.text[clause.match.end() :]
    date = day(behind)
    if date is not None:
        yield clause.says(who, "birthday", date)
    place = clause.names.place(sentence, clause.object)
    at = clause.object
    if place is None:
        at = next((n + 1 for n in range(at, min(at + 5, len(sentence.words))) if sentence.words[n].key == "in"), at)
        place = clause.names.place(sentence, at)
    if place is not None:
        yield clause.says(who, "born_in", place[1], "place", at, at + place[0])


def _organization(clause: Clause, at: int, sure: bool = False) -> tuple[int, str] | None:
    """An organization at a word; with `sure` only one that something else shows to be one."""
    sentence = clause.sentence
    last = clause.names.run(sentence, at)
    kind = clause.names.kind(sentence, at, last) if last > at else None
    if last == at or kind not in ((None, "organization") if not sure else ("organization",)):
        return None
    return last, written(sentence.words[at:last])


def _works(clause: Clause) -> Iterator[Stated]:
    who = clause.about()
    if clause.sentence.words[clause.verb].key == "worked" and not (who and who.ended) and not _perfect(clause):
        return  # it says when, and not that it still holds
    yield from _employed(clause, ended=None)


def _leaves(clause: Clause) -> Iterator[Stated]:
    yield from _employed(clause, ended=True, sure=clause.sentence.words[clause.verb].key == "left")


def _employed(clause: Clause, ended: bool | None, sure: bool = False) -> Iterator[Stated]:
    who, found = clause.about(), _organization(clause, clause.object, sure)
    if who is None:
        return
    if found is not None:
        last, name = found
        yield clause.says(who, "works_at", name, "organization", clause.object, last, ended)
        words = clause.sentence.words
        if not ended and last + 2 < len(words) and words[last].key == "as" and words[last + 1].key in ("a", "an"):
            role = trade(clause.sentence, last + 2)
            if role is not None:
                yield clause.says(who, "role", role.text)


def _role(clause: Clause) -> Iterator[Stated]:
    who, role = clause.about(), trade(clause.sentence, clause.object)
    words = clause.sentence.words
    if role is None or who is None or (not who.first_person and words[clause.verb - 1].key in ("and", "or")):
        return
    if [word.key for word in words[role.last : role.last + 2]] == ["at", "heart"]:
        return
    yield clause.says(who, "role", role.text)
    if role.last + 1 < len(words) and words[role.last].key in ("at", "for") and not who.ended:
        found = _organization(clause, role.last + 1)
        if found is not None:
            predicate = "studies_at" if role.text.endswith("student") else "works_at"
            yield clause.says(who, predicate, found[1], "organization", role.last + 1, found[0])


def _name(clause: Clause) -> Iterator[Stated]:
    sentence, at = clause.sentence, clause.object
    last = clause.names.run(sentence, at, strict=False)
    if not at < last < at + 4 or not holds(sentence, clause.verb):
        return
    if sentence.text[: clause.match.start()].endswith("used to "):
        return
    if sentence.words[clause.verb].key in ("i'm", "i") and not _introduced(sentence, at, last):
        return
    yield Stated(clause.speaker, "person", "name", written(sentence.words[at:last]), None, False, at, last, clause.verb)


def _introduced(sentence: Sentence, first: int, last: int) -> bool:
    """Whether "I'm Leo" gives a name, and not what someone is or plays."""
    words = sentence.words
    whole = last == len(words) or words[last].start - words[last - 1].end > 1 or words[last].key in ("and", "from")
    return words[first].key in GIVEN | DOUBTFUL and whole and not words[last - 1].text.endswith(("'s", "’s"))


def _birthday(clause: Clause) -> Iterator[Stated]:
    sentence = clause.sentence
    date = day(sentence.text[clause.match.end() :])
    if date is None or not clause.verb or not holds(sentence, clause.verb - 1):
        return
    owner = sentence.words[clause.verb - 1]
    if owner.key == "my":
        yield Stated(clause.speaker, "person", "birthday", date, verb=clause.verb)
    elif owner.text.endswith(("'s", "’s")) and owner.capital:
        name = next((m.name for m in clause.mentions if m.kind == "person" and m.end == owner.end - 2), None)
        yield from [Stated(name, "person", "birthday", date, verb=clause.verb)] if name else []


def _is_state(predicate: str) -> Handler:
    def state(clause: Clause) -> Iterator[Stated]:
        who = clause.about()
        if who is not None:
            yield clause.says(who, predicate, clause.match["value"].lower())

    return state


def _partner(predicate: str, ended: bool) -> Handler:
    def with_whom(clause: Clause) -> Iterator[Stated]:
        who, at = clause.about(), clause.object
        last = min(clause.names.run(clause.sentence, at, strict=False), at + 2)
        if who is not None and last > at and clause.names.kind(clause.sentence, at, last) in (None, "person"):
            yield clause.says(who, predicate, written(clause.sentence.words[at:last]), "person", at, last, ended)

    return with_whom


def _parted(clause: Clause) -> Iterator[Stated]:
    if not holds(clause.sentence, clause.verb) or "my" not in clause.sentence.keys:
        return
    yield Stated(clause.speaker, "person", "relationship_status", "single", verb=clause.verb)


_ANYTHING = word_set("something it anything them him her that those everything you")


def _ails(predicate: str) -> Handler:
    def ailment(clause: Clause) -> Iterator[Stated]:
        who, what = clause.about(), words_behind(clause.sentence, clause.object, 4)
        if who is not None and what is not None and what.text.lower() not in _ANYTHING:
            yield clause.says(who, predicate, what.text)

    return ailment


#: What is bought with these in the sentence is for somebody else.
_GIVEN_AWAY = word_set("gift gifts present birthday her him them")


_FOR_KIN = lazy(rf" for (?:my|our) (?:\w+ )?(?:{'|'.join(KIN)})\b")


def _owns(clause: Clause) -> Iterator[Stated]:
    verb = clause.sentence.words[clause.verb].key
    who = clause.about()
    if who is None:
        return
    bought = verb in ("bought", "purchased", "own", "owns")
    if _FOR_KIN.search(clause.sentence.text) or (bought and clause.sentence.keys & _GIVEN_AWAY):
        return
    item = thing(clause.sentence, clause.object, clause.names, product=bought, bought=bought)
    if item is None:
        return
    yield clause.says(who, "owns", item.text, "item", item.first, item.last)
    words = clause.sentence.words
    if item.last + 2 < len(words) and words[item.last].key == "and" and words[item.last + 1].key in ("a", "an"):
        other = thing(clause.sentence, item.last + 2, clause.names, product=bought)
        if other is not None:
            yield clause.says(who, "owns", other.text, "item", other.first, other.last)


def _gives_away(clause: Clause) -> Iterator[Stated]:
    who, item = clause.about(), thing(clause.sentence, clause.object, clause.names, product=True)
    if who is not None and item is not None:
        yield clause.says(who, "owns", item.text, "item", item.first, item.last, True)


_PARTING = word_set("sold sell selling gave give giving away lost buy returned replaced donated of")


#: What everybody has: that it is "my phone" tells nothing.
_EVERYDAY = word_set(
    "phone smartphone laptop computer pc desktop monitor keyboard house sofa tv television printer router"
)


def _is_everyday(item: str) -> bool:
    """Whether everybody has it, or it is a part of something: "phone", "phone battery"."""
    return item in _EVERYDAY or item.partition(" ")[0] in _EVERYDAY


def _mine(clause: Clause) -> Iterator[Stated]:
    """ "my kayak": what the speaker owns, or no more where it was stolen or sold."""
    sentence = clause.sentence
    item = thing(sentence, clause.object, clause.names)
    if item is None or _is_everyday(item.text.lower()) or sentence.idle or not holds(sentence, clause.verb):
        return
    before = sentence.words[clause.verb - 1].key if clause.verb else ""
    if before in _PARTING or sentence.words[clause.object].key in ("dream", "ideal"):
        return
    behind = sentence.text[sentence.words[item.last - 1].end - sentence.start :][:60].lower()
    gone = re.match(r"(?:,| that| which)?\s(?:was|got|is|has been)\s(?:\w+\s)?(?:stolen|sold)\b", behind) is not None
    yield Stated(clause.speaker, "person", "owns", item.text, "item", gone, item.first, item.last)


def _taste(predicate: str) -> Handler:
    def taste(clause: Clause) -> Iterator[Stated]:
        if predicate == "dislikes" and is_over(clause.sentence, clause.verb):
            return  # who likes it no more need not dislike it
        who = clause.about()
        what = liked(clause.sentence, clause.object) if clause.adjacent else None
        if who is None or what is None or clause.sentence.words[clause.verb - 1].key in ("we", "we've"):
            return
        yield clause.says(who, predicate, what.text)

    return taste


def _favourite(clause: Clause) -> Iterator[Stated]:
    sentence = clause.sentence
    what = liked(sentence, clause.object) if clause.adjacent else None
    if what is None or not holds(sentence, clause.verb):
        return
    doing = what.text.partition(" ")[0].endswith("ing") and len(what.text.split()) > 2
    if not doing:  # "my favourite sport is jumping to conclusions"
        yield Stated(clause.speaker, "person", "likes", what.text, verb=clause.verb)


def _project_status(clause: Clause) -> Iterator[Stated]:
    sentence = clause.sentence
    for mention in clause.mentions:
        if mention.kind != "project" or not holds(sentence, clause.verb):
            continue
        between = sentence.text[max(0, mention.end - sentence.start) : clause.match.start()].strip().lower()
        if sentence.start <= mention.start < clause.match.start() + sentence.start and between in ("", "project"):
            yield Stated(mention.name, "project", "status", clause.match["value"].lower(), verb=clause.verb)


#: Words of which one must be there; the pattern of a verb up to its object, or to its value; what reads it; what a
#: capitalised object is shown to be.
_TABLE: list[tuple[str, str, Handler, EntityKind | None]] = [
    (
        "live lives living lived based reside",
        r"(?:lives?|living|lived|based|resides?)(?: (?:alone|together|with (?:my )?\w+))? in (?:the )?",
        _lives, "place",
    ),
    (
        "moved relocated",
        r"(?:moved|relocated)(?: (?:back|over|down|up|out|permanently|here))?"
        r"(?: from [\w’'-]{1,40}(?: [\w’'-]{1,40})?)? to (?:the )?",
        _lives, "place",
    ),
    (
        "fly flew flying travel traveled travelled sail sailed paddle",
        r"(?:fl(?:y|ew|ying)|travell?ed|travel|sail(?:ed)?|paddle) (?:to|from) ",
        _nothing, "place",
    ),
    ("from", r"(?<=[ms] )(?:originally )?from (?:the )?", _comes_from, None),
    ("born", r"born (?:on|in)(?: the)? ", _born, None),
    (
        "work works working employed worked",
        r"(?:work|works|working|worked|employed)(?: (?:full|part)[- ]time)?(?: as an? (?:\w+ ){1,4}?)?"
        r"(?: with \w+)? (?:at|for|by) (?:the )?",
        _works, "organization",
    ),
    ("joined", r"joined (?=[\w’'&.-]+(?: [\w’'&.-]+)?(?: (?:as|in|last|this)\b|[!,]|$))", _works, None),
    (
        "quit fired laid resigned left lost",
        r"(?:quit|resigned from|left|fired from|laid off (?:from|by)|lost(?= my job))"
        r"(?: my job)?(?: (?:at|with))? (?:the )?",
        _leaves, None,
    ),
    ("a an", r"(?:(?<=i'm)|(?<=i’m)|\bam|\bis|(?<='s)|(?<=’s)|\bbe) an? |(?<=longer )an? ", _role, None),
    ("work works working worked job started", r"(?:works?|working|worked|(?:got|started|have) an? (?:new )?job|started) as an? ", _role, None),  # noqa: E501
    ("call", r"(?:you can |please |just )?call me ", _name, None),
    ("birthday", r"birthday(?:['’]s| is)(?: on)?(?: the)? ", _birthday, None),
    (
        "married single divorced engaged widowed",
        r"(?:(?<=i['’]m )|(?<=am )|(?<=is )|(?<=got ))(?P<value>married|single|divorced|engaged|widowed)\b"
        r"(?= again| now| and| to (?!my\b|the\b|her\b|his\b|this\b|our\b|an?\b)| in| last|[.,!;]|$)",
        _is_state("relationship_status"), None,
    ),
    ("broke", r"broke up with (?:my \w+ )?", _partner("partner", True), None),
    ("broke", r"(?<=and i )broke up\b", _parted, None),
    ("allergic", r"allergic to ", _ails("allergic_to"), None),
    ("have has", r"(?:have|has|got) (?:an? )?(?=(?:[\w-]+ ){0,2}(?:diabetes|asthma|arthritis|epilepsy|migraines|celiac|adhd|eczema|psoriasis|ibs|anemia))", _ails("health"), None),  # noqa: E501
    (
        "own owns bought have has got purchased",
        r"(?:owns?|bought|have|has|got|purchased)(?: (?:myself|himself|herself))? (?:an?|my|the) ", _owns, "item",
    ),
    ("sold gave donated", r"(?:sold|gave away|gave|donated) (?:my|the|our) ", _gives_away, None),
    ("my", r"my ", _mine, "item"),
    ("love loves like likes enjoy enjoys adore", r"(?:loves?|likes?|enjoys?|adores?) ", _taste("likes"), None),
    ("into fond fan", r"(?:(?<=i['’]m )|(?<=am )|(?<=is )|really |a (?:big |huge )?)(?:into|fond of|fan of) ", _taste("likes"), None),  # noqa: E501
    ("prefer prefers", r"prefers? ", _taste("prefers"), None),
    ("not", r"not (?:a (?:big |huge )?)?(?:fan of|into|fond of) ", _taste("dislikes"), None),
    ("favorite favourite", r"(?<=my )favou?rite (?:[\w-]+ ){1,2}(?:is|are) ", _favourite, None),
    (
        "is was project",
        r"(?:is|was) (?:now )?"
        r"(?P<value>on hold|done|finished|completed?|live|cancell?ed|paused|delayed|launched|late|blocked|over)\b",
        _project_status, None,
    ),
]  # fmt: skip


@cache
def _by_trigger() -> dict[str, list[tuple[int, Rule]]]:
    """The rules by the words that call for them, each with its place in the table; compiled when first needed."""
    found: dict[str, list[tuple[int, Rule]]] = {}
    for place, (triggers, pattern, handler, shows) in enumerate(_TABLE):
        rule = Rule(re.compile(rf"(?:\b|(?<=['’])){pattern}", re.IGNORECASE), handler, shows)
        for trigger in triggers.split():
            found.setdefault(trigger, []).append((place, rule))
    return found


def matches(sentence: Sentence) -> Sequence[tuple[Rule, re.Match[str], int, int]]:
    """The rules that match a sentence, with the indices of the verb's and the object's words."""
    if sentence.rules is None:
        sentence.rules = tuple(_matches(sentence))
    return sentence.rules


def _matches(sentence: Sentence) -> Iterator[tuple[Rule, re.Match[str], int, int]]:
    triggers = _by_trigger()
    tried = {place: rule for word in sentence.keys & triggers.keys() for place, rule in triggers[word]}
    if not tried:
        return
    starts = [word.start - sentence.start for word in sentence.words]
    for place in sorted(tried):
        for match in tried[place].pattern.finditer(sentence.text):
            verb, target = bisect_left(starts, match.start()), bisect_left(starts, match.end())
            if verb < len(starts):
                yield tried[place], match, verb, target
