"""What a format of chat files is: a name, a way to know a file of it, and a way to read one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from ricordo.formats.elements import Shape
from ricordo.formats.problems import Reporter
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source
from ricordo.models import Conversation


@dataclass(frozen=True)
class Format:
    """One format of chat files. A module of a format makes one, and `registry.FORMATS` lists it."""

    #: What `Conversation.source` says, such as `chatgpt`.
    name: str
    #: What a person calls it, such as `ChatGPT export`.
    title: str
    #: Whether a file that begins like the sample is of this format.
    recognises: Callable[[Sample], bool]
    #: Reads a file of it, whose shape its sample told: yields the conversations and reports what it leaves
    #: out. Raises READ_ERRORS only.
    read: Callable[[Source, Shape, Reporter], Iterator[Conversation]]


@dataclass(frozen=True)
class Bundle:
    """The files of a folder or a zip that are one export together."""

    #: The folder or the zip.
    source: Source
    #: Each file by its name below the export's root, with `/`, in the order of the names.
    parts: Mapping[str, Source]


@dataclass(frozen=True)
class Export:
    """A format whose files can be read together only; `registry.EXPORTS` lists them."""

    name: str
    title: str
    #: Whether a folder with files of these names is its root.
    recognises: Callable[[Set[str]], bool]
    #: Yields the conversations and reports what it leaves out. Raises READ_ERRORS only.
    read: Callable[[Bundle, Reporter], Iterator[Conversation]]
