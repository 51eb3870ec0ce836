"""From the paths that a user names to conversations, one by one: walk, recognise, read, report.

Memory stays bounded whatever the files' size: files are read in pieces, JSON lists element by element
(`ricordo.formats.elements`), and texts line by line; a conversation that is too large to hold is given in
parts (`ricordo.formats.draft`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from ricordo.errors import UnreadableSource, counted
from ricordo.formats import archives, decisions, registry
from ricordo.formats import paths as places
from ricordo.formats.elements import Shape, Unparsable
from ricordo.formats.format import Bundle, Export, Format
from ricordo.formats.growing import Stamp, look, up_to_last_line
from ricordo.formats.problems import Reporter, Sink, shown
from ricordo.formats.sample import look_at
from ricordo.formats.source import READ_ERRORS, Source
from ricordo.models import Conversation, Problem

#: Problems that the error quotes where no chat was found at all.
_QUOTED = 3
#: Turns that are kept and given vectors in a second, by docs/performance.md (`ricordo bench locomo`).
_TURNS_A_SECOND = 162


def read(
    paths: Sequence[Path], report: Callable[[Problem], None], project: str | None = None
) -> Iterator[Conversation]:
    """The conversations in files and folders, one by one, in the order of the paths and of the names in them.

    Conversations whose files do not name a project get the given one.

    Each file's format is detected from its content. Whatever cannot be read, or had to be repaired, is passed to
    `report` and never stops the run. The same id may occur more than once: its turns belong together. Raises
    UnreadableSource at once if a path does not exist, and while reading if folders contain no chat at all. Raises
    InvalidInput if `paths` is empty.
    """
    checked = places.check(paths)
    found = (conversation for chat in _chats(checked, report) for conversation in chat.conversations())
    if project is None:
        return found
    return (each if each.project else each.model_copy(update={"project": project}) for each in found)


def read_in(root: Path, path: Path, report: Callable[[Problem], None]) -> Iterator[Conversation]:
    """The conversations of one file in a folder or below, as `read` of the folder gives them; none where it is no chat.

    A last line that is still being written is left for the next time. Whatever can't be read goes to `report`.
    """
    try:
        source = up_to_last_line(places.file_source(path, root))
    except OSError as error:
        report(Problem(path=places.printable(path), what=f"cannot be read: {places.reason(error)}"))
        return
    for chat in _Search(root, report, set()).in_file(source, named=False):
        yield from chat.conversations()


def growing_files(roots: Iterable[Path]) -> dict[Path, tuple[Path, Stamp]]:
    """The files under the folders that may grow, each with its folder and how it looks (ricordo.formats.growing)."""
    return look(roots, _is_export)


@dataclass
class Count:
    """What was found of one format."""

    files: int = 0
    conversations: int = 0
    turns: int = 0
    characters: int = 0
    #: When the first and the last turn that tells its time was said.
    first: datetime | None = field(default=None, compare=False)
    last: datetime | None = field(default=None, compare=False)

    @property
    def seconds(self) -> float:
        """What keeping it would take with vectors, about."""
        return round(self.turns / _TURNS_A_SECOND, 1)

    def add(self, conversation: Conversation) -> None:
        """Counts a conversation."""
        spoken = [message for message in conversation.messages if message.is_speech]
        self.conversations += 1
        self.turns += len(spoken)
        self.characters += sum(len(message.content) for message in spoken)
        self.span(message.at for message in spoken)

    def span(self, moments: Iterable[datetime | None]) -> None:
        """Widens the span of time to these moments."""
        told = [at for at in (self.first, self.last, *moments) if at is not None]
        self.first, self.last = min(told, default=None), max(told, default=None)


@dataclass
class Survey:
    """What reading would bring, for each format by its name; only formats that were found are there."""

    formats: dict[str, Count] = field(default_factory=dict)

    @property
    def total(self) -> Count:
        """All formats together."""
        counts = self.formats.values()
        total = Count(
            files=sum(each.files for each in counts),
            conversations=sum(each.conversations for each in counts),
            turns=sum(each.turns for each in counts),
            characters=sum(each.characters for each in counts),
        )
        total.span(at for each in counts for at in (each.first, each.last))
        return total


def survey(paths: Sequence[Path], report: Callable[[Problem], None]) -> Survey:
    """Reads all that `read` would and only counts it. Reports and raises what `read` does."""
    result = Survey()
    for chat in _chats(places.check(paths), report):
        count = result.formats.setdefault(chat.format.name, Count())
        count.files += 1
        for conversation in chat.conversations():
            count.add(conversation)
    return result


def detect(path: Path) -> Format | Export | None:
    """The format of a file, of a zip, or of the first chat in it; None where it is in none that is known.

    Raises UnreadableSource where there is no such file.
    """
    [checked] = places.check([path])
    if checked.is_dir():
        raise UnreadableSource(f"{places.printable(path)} is a folder: pass a file in it")
    for chat in _chats([checked], lambda problem: None):
        return chat.format
    return None


@dataclass(frozen=True)
class _Chat:
    """A source whose format is known."""

    source: Source
    format: Format | Export
    reads: Callable[[Reporter], Iterator[Conversation]]
    report: Sink

    def conversations(self) -> Iterator[Conversation]:
        """What it holds; reports what stops it."""
        report = Reporter(self.source.label, self.report)
        seen: set[str] = set()
        try:
            for conversation in self.reads(report):
                if conversation.id in seen:
                    what = f"the conversation {shown(conversation.id)} occurs twice in this file; joined its turns"
                    report(what, lost=False)
                seen.add(conversation.id)
                yield conversation.model_copy(update={"from_path": _is_of(conversation.id, self.source.id)})
        except READ_ERRORS as error:
            report(f"cannot be read to the end: {places.reason(error)}")
        report.close()


def _is_of(conversation: str, source: str) -> bool:
    """Whether the id of a conversation is that of its file, of an element in it, or of a part."""
    rest = conversation.removeprefix(source)
    return rest != conversation and re.fullmatch(r"(?:#\d+)?(?:~\d+)?", rest) is not None


def _chats(paths: Sequence[Path], sink: Sink) -> Iterator[_Chat]:
    """Every source under the paths that is a chat, a file that is reached twice only once."""
    done: set[str] = set()
    found = 0
    chatless: list[Path] = []
    told: list[Problem] = []

    def tell(problem: Problem) -> None:
        if len(told) < _QUOTED:
            told.append(problem)
        sink(problem)

    for root in paths:
        before = found
        search = _Search(root, tell, done)
        for chat in search.chats():
            found += 1
            yield chat
        if found == before and root.is_dir() and not search.met_again:
            chatless.append(root)
    if chatless and not found:
        names = places.listed(map(places.printable, chatless))
        why = f" ({'; '.join(map(str, told))})" if told else ""
        raise UnreadableSource(f"no chats found in {names}{why}. Supported formats: {registry.known()}")
    for root in chatless:
        sink(Problem(path=places.printable(root), what="no chats found in this folder"))


def _recognised(source: Source) -> tuple[Format | None, Shape, Unparsable | None]:
    """The format of a source, its shape, and why it can't be parsed; the sample itself may be large and is let go."""
    sample = look_at(source)
    return registry.recognise(sample), sample.shape, sample.fault


def _at_root(names: Iterable[str]) -> set[str]:
    """The files and folders at the root."""
    return {name.partition("/")[0] for name in names}


def _is_export(folder: Path) -> bool:
    """Whether a folder is the root of an export; a folder that can't be listed is none."""
    try:
        return registry.export({each.name for each in folder.iterdir()}) is not None
    except OSError:
        return False


def _bundle(source: Source, members: Sequence[Source]) -> Bundle | None:
    """The export that a zip is as a whole, at its root or in the one folder that it holds, or None."""
    names = {member.label.removeprefix(f"{source.label}/"): member for member in members}
    tops = _at_root(names)
    if len(tops) == 1 and all("/" in name for name in names):
        [top] = tops
        names = {name.removeprefix(f"{top}/"): member for name, member in names.items()}
    return Bundle(source, names) if registry.export(_at_root(names)) else None


class _Search:
    """Looks for chats in one named path."""

    def __init__(self, root: Path, sink: Sink, done: set[str]) -> None:
        self._root = root
        self._sink = sink
        self._done = done
        self._left_out: list[str] = []
        self._told = 0
        #: True where a file was passed over because it had been read from another path.
        self.met_again = False

    def chats(self) -> Iterator[_Chat]:
        """The sources that are chats; others are reported, in a folder all in one. The root of a repository that is
        named is read as one: a folder in it may be named for chats."""
        if decisions.is_repository(self._root):
            source = places.file_source(self._root, self._root)
            yield _Chat(source, decisions.EXPORT, partial(decisions.EXPORT.read, Bundle(source, {})), self._sink)
            return
        for path in places.files(self._root, self._tell, _is_export):
            real = os.path.realpath(path)
            if real in self._done:
                self.met_again = True
                continue
            self._done.add(real)
            yield from self.in_file(places.file_source(path, self._root), named=path == self._root)
        if self._left_out:
            files = counted(len(self._left_out), "file")
            what = f"{files} in an unknown format: {places.listed(self._left_out)}"
            self._tell(Problem(path=places.printable(self._root), what=what))

    def in_file(self, source: Source, *, named: bool) -> Iterator[_Chat]:
        """The chats that a file holds; where it is none that is told at the end, or at once where it was `named`."""
        before = self._told
        found = False
        for part in self._parts(source):
            whole = named and part is source
            chat = self._export(part) if isinstance(part, Bundle) else self._chat(part, named=whole)
            if chat is not None:
                found = True
                yield chat
        if found or self._told > before:
            return
        if named:
            what = f"has an unknown format; supported formats: {registry.known()}"
            self._tell(Problem(path=source.label, what=what))
        else:
            self._left_out.append(source.label.removeprefix(f"{places.printable(self._root)}/"))

    def _parts(self, source: Source) -> Iterator[Source | Bundle]:
        """The file itself, the export that it is, or the files in a zip."""
        report = Reporter(source.label, self._tell)
        try:
            if source.path.is_dir():
                yield Bundle(source, dict(self._in_folder(source)))
            elif archives.is_zip(source):
                with archives.opened(source.path) as archive:
                    if what := archives.own(archive):
                        report(what)
                        return
                    members = archives.members(source, archive, report)
                    bundle = _bundle(source, members)
                    yield from members if bundle is None else (bundle,)
            else:
                yield source
        except READ_ERRORS as error:
            report(f"cannot be read: {places.reason(error)}")
        report.close()

    def _in_folder(self, folder: Source) -> Iterator[tuple[str, Source]]:
        for path in places.files(folder.path, self._tell, lambda inner: False):
            source = places.file_source(path, self._root)
            yield path.relative_to(folder.path).as_posix(), source

    def _export(self, bundle: Bundle) -> _Chat | None:
        export = registry.export(_at_root(bundle.parts))
        return None if export is None else _Chat(bundle.source, export, partial(export.read, bundle), self._sink)

    def _chat(self, source: Source, *, named: bool) -> _Chat | None:
        """The source with its format, or None where it has none or can't be read, which is told."""
        report = Reporter(source.label, self._tell)
        try:
            known, shape, fault = _recognised(source)
        except READ_ERRORS as error:
            report(f"cannot be read: {places.reason(error)}")
            return None
        if known is not None:
            return _Chat(source, known, partial(known.read, source, shape), self._sink)
        if fault is not None:
            report(f"{fault}", where=fault.line)
        elif shape == "empty" and named:
            report("is empty", lost=False)
        return None

    def _tell(self, problem: Problem) -> None:
        self._told += 1
        self._sink(problem)
