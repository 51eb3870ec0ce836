"""Fields of a benchmark's JSON records, each checked as it is taken: what is broken is told by record and field."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast

from ricordo.errors import UnreadableSource


@dataclass(frozen=True)
class Record:
    """One JSON object of a file. Every method raises UnreadableSource where the field is not what it should be."""

    path: Path
    #: Where it stands in the file, such as `record 3, qa[12]`.
    where: str
    value: dict[str, Any]

    def text(self, field: str) -> str:
        """A text."""
        found = self._take(field)
        if not isinstance(found, str):
            raise self.fault(field, f"must be a string, not {_shown(found)}")
        return found

    def texts(self, field: str) -> list[str]:
        """A list of texts."""
        found = self._take(field)
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.fault(field, f"must be a list of strings, not {_shown(found)}")
        return found

    def number(self, field: str) -> int:
        """A whole number."""
        found = self._take(field)
        if not isinstance(found, int) or isinstance(found, bool):
            raise self.fault(field, f"must be a whole number, not {_shown(found)}")
        return found

    def numbers(self, field: str) -> list[int]:
        """A list of whole numbers."""
        found = self._take(field)
        if not isinstance(found, list) or not all(isinstance(each, int) for each in found):
            raise self.fault(field, f"must be a list of whole numbers, not {_shown(found)}")
        return found

    def role(self, field: str) -> Literal["user", "assistant"]:
        """Who speaks, capitals aside."""
        told = self._take(field)
        found = told.lower() if isinstance(told, str) else told
        if found not in ("user", "assistant"):
            raise self.fault(field, f"must be 'user' or 'assistant', not {_shown(told)}")
        return cast(Literal["user", "assistant"], found)

    def record(self, field: str) -> Record:
        """An object."""
        found = self._take(field)
        if not isinstance(found, dict):
            raise self.fault(field, f"must be an object, not {_shown(found)}")
        return Record(self.path, f"{self.where}, {field}", found)

    def records(self, field: str, index: int | None = None) -> list[Record]:
        """A list of objects; with `index` the list at that place of a list of lists."""
        found = self._take(field)
        if index is not None:
            found, field = found[index], f"{field}[{index}]"
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.fault(field, f"must be a list of objects, not {_shown(found)}")
        return [Record(self.path, f"{self.where}, {field}[{place}]", each) for place, each in enumerate(found)]

    def instant(self, field: str) -> datetime:
        """A time in ISO 8601 with its offset from UTC."""
        text = self.text(field)
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            raise self.fault(field, f"{_shown(text)} is not a time in ISO 8601") from None
        if found.tzinfo is None:
            raise self.fault(field, f"{_shown(text)} does not give its offset from UTC")
        return found

    def moment(self, field: str, form: str) -> datetime:
        """A time in the form that strptime knows, taken as UTC."""
        return self.moment_of(field, self.text(field), form)

    def moment_of(self, field: str, text: str, form: str) -> datetime:
        """The time that `text`, taken from `field`, tells."""
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            raise self.fault(
                field, f"{_shown(text)} is not a time like {datetime(2023, 5, 8, 13, 56):{form}}"
            ) from None

    def paired(self, ids: Sequence[str], dates: Sequence[str], field: str) -> Iterator[tuple[str, str]]:
        """The ids with their dates, of which there must be as many as lists in `field`."""
        found = self._take(field)
        if not isinstance(found, list) or not len(ids) == len(dates) == len(found):
            count = len(found) if isinstance(found, list) else "no"
            raise self.fault(field, f"has {count} sessions for {len(ids)} ids and {len(dates)} dates")
        return zip(ids, dates, strict=True)

    def fault(self, field: str, what: str) -> UnreadableSource:
        """The error that says what is wrong with a field."""
        return UnreadableSource(f"{self.path}, {self.where}: {field} {what}")

    def _take(self, field: str) -> Any:
        if field not in self.value:
            raise self.fault(field, f"is missing; there are: {', '.join(map(str, self.value))[:200] or 'no fields'}")
        return self.value[field]


def read(path: Path) -> list[Record]:
    """The objects of a file that holds a JSON list, gzipped or not. Raises UnreadableSource."""
    found = _parsed(path)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UnreadableSource(f"{path} holds no list of records: is it the benchmark's own file?")
    return [Record(path, f"record {number}", each) for number, each in enumerate(found, 1)]


def read_object(path: Path) -> Record:
    """The one object of a JSON file, gzipped or not. Raises UnreadableSource."""
    found = _parsed(path)
    if not isinstance(found, dict):
        raise UnreadableSource(f"{path} does not hold one JSON object: is it the benchmark's own file?")
    return Record(path, "the object", found)


def _parsed(path: Path) -> Any:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return json.load(file)
    except (OSError, EOFError, ValueError, RecursionError) as error:
        raise UnreadableSource(f"{path} cannot be read as a benchmark's JSON file: {error}") from error


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
