"""Anthropic's memory tool on Ricordo: `MemoryTool(memory, agent="coder")` for the SDK's tool runner.

What Claude sees as files under /memories are documents of the agent (see ricordo.api.documents), so that each agent
has a tree of its own, what a file said before is kept, and every look at one is on record. No path leads anywhere else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import unquote
from uuid import UUID

from anthropic.lib.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    BetaFunctionToolResultType,
    ToolError,
)
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818Command,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)
from pydantic import ValidationError

from ricordo.adapters.calling import Caller, named, require_stored
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import Changed, InvalidInput, quoted
from ricordo.models import Address, Change, Document

#: The collection of the documents that are files.
COLLECTION = "anthropic memory"
_ROOT = "/memories"
_MOST_LINES = 999_999
_WIDTH = len(str(_MOST_LINES))
#: How often a change is tried anew where somebody else changed the file meanwhile.
_ATTEMPTS = 10
#: Lines that are told of where a text occurs more than once, and the longest name of a file.
_MOST_FOUND, _LONGEST_NAME = 20, 255

_COMMANDS: dict[str, type[BetaMemoryTool20250818Command]] = {
    "view": BetaMemoryTool20250818ViewCommand,
    "create": BetaMemoryTool20250818CreateCommand,
    "str_replace": BetaMemoryTool20250818StrReplaceCommand,
    "insert": BetaMemoryTool20250818InsertCommand,
    "delete": BetaMemoryTool20250818DeleteCommand,
    "rename": BetaMemoryTool20250818RenameCommand,
}

Action = Callable[["_Tree"], Awaitable[str]]


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `client.beta.messages.tool_runner`, over an open Memory.

    `agent` (an id, or a name, of which an agent is made where there is none) owns the files. What Claude asks for
    wrongly, a path outside /memories above all, is answered with an error that says what is wrong, and changes nothing.
    """

    def __init__(
        self, memory: Memory, agent: UUID | str, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._caller, self._agent = Caller(memory), _owner(agent)

    def call(self, input: object) -> BetaFunctionToolResultType:
        return self.execute(_command(input))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return self._do(lambda tree: tree.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return self._do(lambda tree: tree.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._do(lambda tree: tree.replace(command.path, command.old_str, command.new_str))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return self._do(lambda tree: tree.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return self._do(lambda tree: tree.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return self._do(lambda tree: tree.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        return self._do(lambda tree: tree.clear())

    def _do(self, action: Action) -> str:
        return self._caller.wait(lambda memory: _done(memory, self._agent, action))


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the asynchronous runner, over an open AsyncMemory, or a Memory."""

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        agent: UUID | str,
        *,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._caller, self._agent = Caller(memory), _owner(agent)

    async def call(self, input: object) -> BetaFunctionToolResultType:
        return await self.execute(_command(input))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await self._do(lambda tree: tree.view(command.path, command.view_range))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await self._do(lambda tree: tree.create(command.path, command.file_text))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await self._do(lambda tree: tree.replace(command.path, command.old_str, command.new_str))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await self._do(lambda tree: tree.insert(command.path, command.insert_line, command.insert_text))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await self._do(lambda tree: tree.delete(command.path))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await self._do(lambda tree: tree.rename(command.old_path, command.new_path))

    async def clear_all_memory(self) -> str:
        return await self._do(lambda tree: tree.clear())

    async def _do(self, action: Action) -> str:
        return await self._caller.run(lambda memory: _done(memory, self._agent, action))


def _owner(agent: UUID | str) -> UUID | str:
    if not isinstance(agent, UUID | str):
        raise InvalidInput("agent", f"must be an agent id or name, not {quoted(agent)}")
    return agent


def _command(input: object) -> BetaMemoryTool20250818Command:
    """What Claude asks for, which the SDK itself does not look at. Raises ToolError."""
    name = input.get("command") if isinstance(input, Mapping) else None
    kind = _COMMANDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ToolError(f"command: must be one of {', '.join(_COMMANDS)}, not {quoted(name)}")
    try:
        return kind.model_validate(input)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        raise ToolError(f"{name}: {'; '.join(problems[:3])}") from None


async def _done(memory: AsyncMemory, agent: UUID | str, action: Action) -> str:
    try:
        owner = await named(memory, agent)
        assert owner is not None
        return await action(_Tree(memory, owner))
    except InvalidInput as error:
        raise ToolError(str(error)) from error


class _Tree:
    """The files of an agent. A directory is there as long as a file is below it."""

    def __init__(self, memory: AsyncMemory, owner: UUID) -> None:
        self._documents, self._owner = memory.documents, owner

    async def view(self, path: str, view_range: Sequence[int] | None) -> str:
        names = _names(path)
        if names and (file := await self._file(names)) is not None:
            return _numbered(path, _text(file), view_range)
        below = await self._below(names)
        if names and not below:
            raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
        if view_range:
            raise ToolError(f"The path {path} is a directory and has no lines.")
        return _listed(path.rstrip("/"), len(names), below)

    async def create(self, path: str, text: str) -> str:
        names = _file_names(path)
        await self._require_room(path, names)
        if not await self._write([_put(names, text, expected=None)]):
            raise ToolError(f"File {path} already exists")
        return f"File created successfully at: {path}"

    async def replace(self, path: str, old: str, new: str) -> str:
        changed = 0

        def replaced(text: str) -> str:
            nonlocal changed
            found = _lines_of(old, text) if old else []
            if not found:
                raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
            if len(found) > 1:
                lines = ", ".join([*map(str, found[:_MOST_FOUND]), *["…"][: len(found) - _MOST_FOUND]])
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                    "Please ensure it is unique"
                )
            changed = text.count("\n", 0, text.index(old))
            return text.replace(old, new)

        lines = (await self._edit(path, replaced)).split("\n")
        first = max(0, changed - 2)
        shown = _with_numbers(lines[first : changed + new.count("\n") + 3], first)
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"

    async def insert(self, path: str, after: int, added: str) -> str:
        def inserted(text: str) -> str:
            lines = text.removesuffix("\n").split("\n") if text else []
            if not 0 <= after <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {after}. It should be within the range [0, {len(lines)}]."
                )
            return "\n".join([*lines[:after], added.removesuffix("\n"), *lines[after:]]) + "\n"

        await self._edit(path, inserted)
        return f"The file {path} has been edited."

    async def delete(self, path: str) -> str:
        names = _names(path)
        if not names:
            raise ToolError(f"Cannot delete the {_ROOT} directory itself")
        gone = await self._at(path, names)
        await self._write([Change(each.path, each.key, None) for each in gone])
        return f"Successfully deleted {path}"

    async def rename(self, old: str, new: str) -> str:
        source, target = _names(old), _file_names(new)
        if not source:
            raise ToolError(f"Cannot rename the {_ROOT} directory itself")
        if target[: len(source)] == source:
            raise ToolError(f"The destination {new} is the same as {old} or inside it")
        await self._require_room(new, target)
        for _ in range(_ATTEMPTS):
            moved = await self._at(old, source)
            if await self._file(target) is not None:
                raise ToolError(f"The destination {new} already exists")
            changes = [Change(each.path, each.key, None, expected=each.value) for each in moved]
            changes += [_put(target + _full(each)[len(source) :], _text(each), expected=None) for each in moved]
            if await self._write(changes):
                return f"Successfully renamed {old} to {new}"
        raise ToolError(f"The path {old} is being changed by another process. Please try again.")

    async def clear(self) -> str:
        await self._write([Change(each.path, each.key, None) for each in await self._below(())])
        return "All memory cleared"

    async def _edit(self, path: str, change: Callable[[str], str]) -> str:
        """Change a file's text, on what it says at that moment; returns the new text."""
        names = _names(path)
        for _ in range(_ATTEMPTS):
            file = await self._file(names) if names else None
            if file is None:
                there = not names or await self._below(names)
                raise ToolError(
                    f"The path {path} is not a file."
                    if there
                    else f"The path {path} does not exist. Please provide a valid path."
                )
            text = change(_text(file))
            if await self._write([_put(names, text, expected=file.value)]):
                return text
        raise ToolError(f"The file {path} is being changed by another process. Please try again.")

    async def _at(self, path: str, names: tuple[str, ...]) -> list[Document]:
        """The file of this path, or the files below it. Raises ToolError where there is none."""
        file = await self._file(names)
        found = [file] if file is not None else await self._below(names)
        if not found:
            raise ToolError(f"The path {path} does not exist")
        return found

    async def _require_room(self, path: str, names: tuple[str, ...]) -> None:
        """Raises ToolError where a directory of this path is there, or a file where it needs a directory."""
        if await self._documents.search(COLLECTION, names, limit=1, agent=self._owner):
            raise ToolError(f"The destination {path} already exists")
        above = [_address(names[:end]) for end in range(1, len(names))]
        for file in await self._documents.get(COLLECTION, above, agent=self._owner):
            if file is not None:
                raise ToolError(f"The path {_ROOT}/{'/'.join(_full(file))} is a file, not a directory")

    async def _file(self, names: tuple[str, ...]) -> Document | None:
        return (await self._documents.get(COLLECTION, [_address(names)], agent=self._owner))[0]

    async def _below(self, names: tuple[str, ...]) -> list[Document]:
        found = await self._documents.search(COLLECTION, names, limit=None, agent=self._owner)
        return sorted(found, key=_full)

    async def _write(self, changes: Sequence[Change]) -> bool:
        """False where somebody else changed a file meanwhile."""
        try:
            require_stored(await self._documents.write(COLLECTION, changes, agent=self._owner))
        except Changed:
            return False
        return True


def _lines_of(part: str, text: str) -> list[int]:
    """The lines in which the first occurrences begin, those that overlap too; one more than are told is enough."""
    lines: list[int] = []
    line, behind, at = 1, 0, text.find(part)
    while at >= 0 and len(lines) <= _MOST_FOUND:
        line += text.count("\n", behind, at)
        lines.append(line)
        behind, at = at, text.find(part, at + 1)
    return lines


def _names(path: str) -> tuple[str, ...]:
    """The names that a path is made of, from /memories on. Raises ToolError for a path that leads outside."""
    if not isinstance(path, str) or (path != _ROOT and not path.startswith(f"{_ROOT}/")):
        raise ToolError(f"Path must start with {_ROOT}, got: {path}")
    names = tuple(each for each in path.removeprefix(_ROOT).split("/") if each)
    for each in names:
        if len(each) > _LONGEST_NAME or any(unicodedata.category(letter) == "Cc" for letter in each):
            raise ToolError(
                f"Path {path[:100]!r} contains a control character or a name longer than {_LONGEST_NAME} characters"
            )
        # Nothing is ever looked up in a file system; but a path that tries is a sign of an attack, and no name.
        parts = unquote(unquote(each)).replace("\\", "/").split("/")
        if any(part.strip() in (".", "..") for part in parts):
            raise ToolError(f"Path {path} would escape {_ROOT} directory")
    return names


def _file_names(path: str) -> tuple[str, ...]:
    names = _names(path)
    if not names or path.endswith("/"):
        raise ToolError(f"The path {path} is not a file path.")
    return names


def _address(names: tuple[str, ...]) -> Address:
    return names[:-1], names[-1]


def _full(file: Document) -> tuple[str, ...]:
    return (*file.path, file.key)


def _text(file: Document) -> str:
    return str(file.value["text"])


def _put(names: tuple[str, ...], text: str, expected: dict[str, object] | None) -> Change:
    path, key = _address(names)
    return Change(path, key, {"text": text}, text=text, expected=expected)


def _numbered(path: str, text: str, view_range: Sequence[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        raise ToolError(f"File {path} exceeds maximum line limit of {_MOST_LINES:,} lines.")
    first, last = 1, len(lines)
    if view_range:
        if len(view_range) != 2:
            raise ToolError(f"Invalid `view_range`: {list(view_range)}. It should be [first, last] line numbers.")
        first, last = max(1, view_range[0]), len(lines) if view_range[1] == -1 else view_range[1]
        if first > len(lines) or last < first:
            raise ToolError(f"Invalid `view_range`: {list(view_range)}. {path} has lines 1 to {len(lines)}.")
    return f"Here's the content of {path} with line numbers:\n{_with_numbers(lines[first - 1 : last], first - 1)}"


def _with_numbers(lines: Sequence[str], before: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, before + 1))


def _listed(path: str, depth: int, files: Sequence[Document]) -> str:
    """The files and directories of two levels, with the bytes that are in them."""
    sizes: dict[str, int] = {}
    for file in files:
        names = _full(file)[depth:]
        if any(each.startswith(".") for each in names):
            continue
        for end in range(1, min(2, len(names)) + 1):
            name = "/".join(names[:end]) + ("/" if end < len(names) else "")
            sizes[name] = sizes.get(name, 0) + len(_text(file).encode())
    whole = sum(len(_text(file).encode()) for file in files)
    head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join(
        [head, f"{_size(whole)}\t{path}", *(f"{_size(sizes[name])}\t{path}/{name}" for name in sorted(sizes))]
    )


def _size(count: int) -> str:
    """Bytes as people read them: 0B, 512B, 1.5K, 2M."""
    size, units = float(count), iter("KMG")
    unit = "B"
    while size >= 1024 and (larger := next(units, None)):
        size, unit = size / 1024, larger
    return f"{size:.0f}{unit}" if size == int(size) else f"{size:.1f}{unit}"
