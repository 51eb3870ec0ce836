"""Which words of the turns are names, and of what: the palace's names, lists, contexts, and the speaker's own usage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ricordo.facts.identity import slug_of
from ricordo.facts.known import Known
from ricordo.facts.sentences import Sentence, Word, is_initial
from ricordo.models import EntityKind, Mention
from ricordo.text.english import KIN, NO_NAMES, NO_SURNAMES, PHRASE_ENDS, THINGS, word_set
from ricordo.text.given_names import DOUBTFUL, GIVEN
from ricordo.text.organizations import ORGANIZATIONS
from ricordo.text.places import DOUBTFUL_PLACES, PLACES

#: Behind these a capital may well be a place.
TOWARDS = word_set("in to from at near around visit visited visiting leaving across outside toward towards")
_ARTICLES = word_set("a an the this that my your his her our their some any no every each")
_POINTING = word_set("the my our this that your new old his her")
#: Languages that write every noun with a capital, so that a capital tells nothing.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
#: Ends of street names.
_STREETS = ("gatan", "gata", "strasse", "straat", "gasse", "vagen")
#: Longest name, in words.
_LONGEST = 5


class Names:
    """The names of one stretch of conversation. First `vote` what contexts show, then `settle`, then ask for
    `mentions`."""

    def __init__(self, known: Known, language: str, speakers: Iterable[str]) -> None:
        self._known = known
        self._capitals_tell = language not in _CAPITAL_NOUNS
        self._votes: dict[str, Counter[EntityKind]] = {}
        self._suspected: Counter[tuple[str, EntityKind]] = Counter()
        self._lower: set[str] = set()
        self._local = Known()
        self._speakers = [name for name in speakers if name[:1].isupper()]

    def read(self, sentences: Iterable[Sentence]) -> None:
        """Learn which words are written in lower case too."""
        for sentence in sentences:
            self._lower.update([word.key for word in sentence.words if not word.capital])

    def is_common(self, word: Word) -> bool:
        """Whether a word is one of the language's, or the conversation's own, and no name by itself."""
        return word.key in NO_NAMES or word.key in self._lower or len(word.key) < 2

    def run(self, sentence: Sentence, first: int, strict: bool = True) -> int:
        """Where the run of capitalised words that begins at `first` ends; `first` itself where none does.

        With `strict`, a single word that is common too is no name.
        """
        words, last = sentence.words, first
        while last < len(words) and last - first < _LONGEST and words[last].capital:
            if words[last].key in NO_NAMES or (last > first and not joined(sentence, last)):
                break
            last += 1
            if _possessive(words[last - 1]):
                break
        if sentence.shouted or (last - first == 1 and strict and self.is_common(words[first])):
            return first
        return last

    def vote(self, sentence: Sentence, first: int, last: int, kind: EntityKind) -> None:
        """Take the words from `first` to before `last` for an entity of that kind, here and wherever they recur."""
        name = written(sentence.words[first:last])
        self._votes.setdefault(name, Counter())[kind] += 1

    def suspect(self, sentence: Sentence, first: int, last: int, kind: EntityKind) -> None:
        """Take the words for an entity of that kind if they are suspected again."""
        name = written(sentence.words[first:last])
        self._suspected[name, kind] += 1
        if self._suspected[name, kind] > 1:
            self.vote(sentence, first, last, kind)

    def settle(self) -> None:
        """Decide for each name what it is most likely; of equal kinds, the one that was seen first."""
        rows: list[tuple[str, EntityKind, Sequence[str]]] = [
            (name, "person", [name.split()[0]] if name.split()[0].lower() in GIVEN else []) for name in self._speakers
        ]
        rows += [(name, votes.most_common(1)[0][0], ()) for name, votes in self._votes.items()]
        self._local = Known(rows)

    def mentions(self, turn: int, sentence: Sentence) -> Iterator[Mention]:
        """What a sentence names, from left to right."""
        words = sentence.words
        keys = [word.key for word in words]
        at = 0
        while at < len(words):
            word = words[at]
            if not (word.capital or self._known.begins(word.key) or self._local.begins(word.key)):
                at += 1
                continue
            found = self._at(sentence, keys, at)
            if found is None:
                at += 1
                continue
            count, _, kind = found
            yield self._mention(turn, sentence, at, found)
            if kind == "event" and count > 1 and not _proper(words[at : at + count]):
                inner = self._at(sentence, keys[: at + count - 1], at)  # the Tom of "Tom's birthday" is named as well
                if inner is not None:
                    yield self._mention(turn, sentence, at, inner)
                at += 1 if inner is None else inner[0]
            else:
                at += count

    @staticmethod
    def _mention(turn: int, sentence: Sentence, at: int, found: tuple[int, str, EntityKind]) -> Mention:
        words, (count, name, kind) = sentence.words, found
        spelling = written(words[at : at + count])
        # As it is spelled here, unless case tells nothing here.
        if not sentence.shouted and slug_of(spelling) == slug_of(name) and not (spelling.islower() or name.islower()):
            name = spelling
        last = words[at + count - 1]
        end = last.end - (2 if _possessive(last) else 0)
        return Mention(turn=turn, name=name, kind=kind, start=words[at].start, end=end)

    def place(self, sentence: Sentence, at: int) -> tuple[int, str] | None:
        """A place of the lists or the palace at a word, in capitals or not: how many words, and its name."""
        keys = [word.key for word in sentence.words[at : at + _LONGEST]]
        for names in (self._known, self._local, _lists()):
            found = names.at(keys, 0) if keys else None
            if found is not None and found[2] == "place":
                return found[0], found[1]
        return None

    def kind(self, sentence: Sentence, first: int, last: int) -> EntityKind | None:
        """What the lists and the palace say of just these words."""
        keys = [word.key for word in sentence.words[first:last]]
        for names in (self._known, self._local, _lists()):
            found = names.at(keys, 0)
            if found is not None and found[0] == last - first:
                return found[2]
        return "person" if keys and keys[0] in GIVEN else None

    def _at(self, sentence: Sentence, keys: list[str], at: int) -> tuple[int, str, EntityKind] | None:
        word = sentence.words[at]
        for names in (self._known, self._local):
            found = names.at(keys, at)
            if found is not None and self._stands(sentence, at, found, names is self._known):
                return found
        if not word.capital:
            return None
        found = _lists().at(keys, at)
        if found is not None and self._listed(sentence, at, found):
            return found
        if word.key in GIVEN or (word.key in DOUBTFUL and self._surely_person(sentence, at)):
            if sentence.shouted or (word.text.isupper() and len(word.text) > 1):
                return None
            return self._person(sentence, at)
        return None

    def _stands(self, sentence: Sentence, at: int, found: tuple[int, str, EntityKind], kept: bool) -> bool:
        """Whether a name of the palace (`kept`) or of this conversation alone is meant where its words stand."""
        count, name, kind = found
        words = sentence.words[at : at + count]
        if kind == "item" and count == 1 and name.islower():
            pointed = any(word.key in _POINTING for word in sentence.words[max(0, at - 2) : at])
            after = at + 1  # the bike, and not the bike shop
            whole = after == len(sentence.words) or not joined(sentence, after)
            return pointed and (whole or sentence.words[after].key in PHRASE_ENDS)
        if not name[:1].isupper():  # "trip to Lisbon", "12V20Ah battery": case tells nothing
            return True
        if words[0].capital:
            if count > 1:
                return True
            return not (at == 0 and (words[0].key in NO_NAMES or words[0].key in self._lower))
        return kept and len(name) > 3 and not (count == 1 and _everyday(words[0].key))

    def _listed(self, sentence: Sentence, at: int, found: tuple[int, str, EntityKind]) -> bool:
        """Whether a place or firm of the lists is meant, and not the word that it is too."""
        words, (count, _, kind) = sentence.words, found
        before = words[at - 1].key if at else ""
        after = words[at + count] if at + count < len(words) else None
        if not all(word.capital for word in words[at : at + count]):
            return False
        if kind == "place" and count == 1 and words[at].key in DOUBTFUL_PLACES:
            if before in ("and", "or") and at > 1:
                return words[at - 2].key not in GIVEN and words[at - 2].capital
            return before in TOWARDS and not (after is not None and after.capital and joined(sentence, at + count))
        if kind == "place" and before in GIVEN and words[at - 1].capital and joined(sentence, at):
            return False
        if kind != "place" or after is None or not joined(sentence, at + count):
            return True
        if after.key in ("street", "road", "avenue"):
            return False
        # Canada Goose is no place; Austin Texas is two.
        return not after.capital or after.key in NO_NAMES or self.place(sentence, at + count) is not None

    def _surely_person(self, sentence: Sentence, at: int) -> bool:
        """Whether a given name that is a word too is a person's here: a capital where only a name has one."""
        words = sentence.words
        if at == 0 or not self._capitals_tell or words[at].key in self._lower:
            return False
        before, after = words[at - 1], words[at + 1] if at + 1 < len(words) else None
        if before.capital or before.key in _ARTICLES or before.key in TOWARDS - {"from", "to"}:
            return False
        if words[at].key in DOUBTFUL_PLACES or words[at].key in ("april", "may", "june", "august", "summer", "autumn"):
            return False
        return joined(sentence, at) and not (after is not None and after.capital and after.key not in NO_NAMES)

    def _bound(self, sentence: Sentence, at: int) -> bool:
        """Whether the word before a given name makes something else of it: "the John", "Santa Barbara"."""
        before = sentence.words[at - 1]
        if before.key in ("the", "st", "santa", "san", "saint"):
            return True
        if before.key in ("a", "an"):  # "a Samir Haddad comes on Thursday"
            after = sentence.words[at + 1] if at + 1 < len(sentence.words) else None
            return after is None or not after.capital or not joined(sentence, at + 1)
        return before.capital and before.key not in NO_NAMES and before.key not in GIVEN and joined(sentence, at)

    def _person(self, sentence: Sentence, at: int) -> tuple[int, str, EntityKind] | None:
        """A given name and the surnames behind it."""
        words, last = sentence.words, at + 1
        if at and self._capitals_tell and self._bound(sentence, at):
            return None
        while self._capitals_tell and last < len(words) and last - at < 4 and not _possessive(words[last - 1]):
            word = words[last]
            if not (word.capital and joined(sentence, last)) or word.key in NO_NAMES or word.key in THINGS:
                break
            if word.key in NO_SURNAMES or word.key.endswith(_STREETS):
                return None
            if any(map(str.isdigit, word.text)):
                break
            last += 1
        if self._capitals_tell and last < len(words) and words[last].key in NO_SURNAMES and words[last].capital:
            return None if joined(sentence, last) else (last - at, written(words[at:last]), "person")
        return last - at, written(words[at:last]), "person"


def written(words: Sequence[Word]) -> str:
    """A name as it should be shown."""
    text = " ".join(word.text + "." * is_initial(word) for word in words[:-1])
    last = "".join(word.text[:-2] if _possessive(word) else word.text for word in words[-1:])
    return f"{text} {last}".strip()


def _proper(words: Sequence[Word]) -> bool:
    """Whether all the words of a name are capitals, none a possessive: the Stockholm Marathon, not "Tom's birthday"."""
    return all(word.capital and not _possessive(word) for word in words)


def _possessive(word: Word) -> bool:
    return word.text.endswith(("'s", "’s"))


def begins(sentence: Sentence, at: int, most: int) -> int:
    """Where the run of capitals begins that ends before a word; the word itself where there is none."""
    words, first = sentence.words, at
    while first > 0 and at - first < most and words[first - 1].capital and words[first - 1].key not in NO_NAMES:
        if not joined(sentence, first):
            break
        first -= 1
    return first


def joined(sentence: Sentence, at: int) -> bool:
    """Whether nothing but a space stands between a word and the one before it."""
    before, word = sentence.words[at - 1], sentence.words[at]
    between = sentence.text[before.end - sentence.start : word.start - sentence.start]
    return between == " " or (between == ". " and before.capital and len(before.text) < 4)


def _everyday(word: str) -> bool:
    return word in NO_NAMES or word in KIN or word in DOUBTFUL or word in DOUBTFUL_PLACES


@cache
def _lists() -> Known:
    rows: list[tuple[str, EntityKind, Sequence[str]]] = [(name, "place", ()) for name in PLACES]
    rows += [(name, "organization", ()) for name in ORGANIZATIONS]
    return Known(rows)
