"""Every operation of every interface as one thing: what it is called, what its arguments mean, and how one calls it.

Attacks are made of these. Operations are found, not listed: methods of resources by their signatures, HTTP by the
OpenAPI document, MCP by its schemas, commands by click. What an argument means is told by its name; `_MEANT` has the
others."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import psycopg

from gates import served
from http_server import Server
from ricordo import mcp
from ricordo.blocking import Memory
from ricordo.cli import main
from ricordo.cli.main import root
from ricordo.errors import RicordoError
from ricordo.mcp import calls
from ricordo.mcp.tools import TOOLS

Arguments = Mapping[str, Any]


class Refused(Exception):
    """The operation answered with an error, whose text this is."""


@dataclass(frozen=True)
class Operation:
    """An operation as the attacker calls it. `call` returns the answer as text; it raises Refused for an error that the
    interface means to give, and whatever else it raises is a fault."""

    interface: str
    name: str
    call: Callable[[Arguments], str]
    #: What each argument means (a kind of Ricordo's models, or a kind of plain value): those needed, and the others.
    needs: Mapping[str, str] = field(default_factory=dict)
    takes: Mapping[str, str] = field(default_factory=dict)
    #: Arguments that belong together: kind → their names.
    together: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.interface} {self.name}"


RESOURCES = (
    "activity", "agents", "audit", "core", "documents", "entities", "entries", "facts", "jobs", "journal",
    "keys", "notes", "operations", "palace", "profiles", "proposals", "review", "runs", "serving", "settings", "tools",
    "usage", "whiteboards",
)  # fmt: skip
#: Of the client itself. Not among them: opening and closing, and `delete_user`, which the hunt ends with.
_CLIENT = (
    "about", "ask", "embed_pending", "import_chats", "mine", "pending", "recall", "reembed_estimate", "run", "vectors",
)  # fmt: skip
#: Not attacked by others' things: they take none, or take what opens the other's store by right (docs/guarantees.md).
_LEFT_OUT = {"serving.key_of_token", "jobs.finish", "operations.reembed"}

#: What arguments of these names mean, whatever they are arguments of.
_BY_NAME = {
    **dict.fromkeys(("agent", "from_agent", "to_agent", "owner"), "agent"),
    **dict.fromkeys(("memory", "memory_id", "id"), "memory"),
    **dict.fromkeys(("run", "run_id"), "run"),
    **dict.fromkeys(("entity", "subject"), "entity"),
    **dict.fromkeys(("query", "question", "search", "text", "topic"), "query"),
    **dict.fromkeys(("content", "template", "reason", "system_prompt", "system-prompt"), "text"),
    **dict.fromkeys(("name", "title", "node", "speaker", "source_name", "alias"), "name"),
    **dict.fromkeys(("conversation", "conversation_id"), "conversation"),
    **dict.fromkeys(("since", "until", "as_of", "at", "now", "moment", "as-of"), "moment"),
    **dict.fromkeys(("metadata", "context"), "object"),
    **dict.fromkeys(("expires_at", "expires-at"), "future"),
    **dict.fromkeys(("limit", "top_k", "top-k"), "many"),
    **dict.fromkeys(("max_tokens", "max-tokens", "max_entries"), "tokens"),
    "profile": "profile", "note": "note", "proposal": "proposal", "whiteboard": "whiteboard", "key": "key",
    "job": "job", "room": "room", "wing": "wing", "pointer": "drawer", "closet": "first", "drawers": "drawers",
    "agents": "agents", "project": "project", "tags": "tags", "tag": "tags", "session": "session",
    "collection": "collection", "predicate": "predicate", "object": "name", "cursor": "cursor", "model": "price",
    "file": "file", "messages": "messages", "participants": "names", "items": "items", "payload": "payload",
    "fact": "fact", "held": "held", "operation": "operation", "upload": "upload",
    "places": "json_places",
    "changes": "changes",
    "addresses": "addresses", "prefix": "names", "paths": "paths", "input": "number", "output": "number",
    "fingerprint": "bytes", "importance": "number", "seed_entries": "texts", "dry_run": "yes", "new": "yes",
    "include_expired": "yes", "kinds": "kinds", "explain": "yes", "arguments": "object",
}  # fmt: skip
#: What arguments of single operations mean, by `operation.argument`.
_MEANT = {
    "serving.owner_of.what": "what", "serving.reaches.what": "what", "palace.merge_wings.into": "wing",
    "palace.merge_closets.into": "second", "entries.forget_all.what": "none", "forget_memories.what": "none",
    "entries.forget_all.source": "none", "forget_memories.source": "none", "entries.forget_all.kinds": "none",
    "forget_memories.kinds": "none", "memory forget.what": "none", "memory forget.source": "none",
    "memory forget.kind": "none", "proposal undo.proposal": "accepted",
    "palace.unmerge_wing.wing": "merged_wing", "entities.unmerge.entity": "merged_entity",
    "entities.merge.into": "entity", "proposals.undo.proposal": "accepted", "serving.claim_request.key": "request",
    "serving.keep_answer.key": "answer", "serving.release_request.key": "answer",
    "serving.keep_answer.answer": "answered",
    "usage.remove_price.model": "price", "tools.call.name": "tool", "usage.estimate_extraction.conversation": "none",
    "notes.get.id": "note", "notes.update.id": "note", "notes.delete.id": "note", "entries.page.text": "query",
    "settings.update.changes": "none", "profiles.change.changes": "none", "documents.search.query": "query",
    "runs.output.output": "payload", "recall.object": "none", "entries.as_of.moment": "now",
    "get_version.moment": "now", "ask.narrowing": "none",
    "estimate_reembedding.model": "embedding_model", "reembed_estimate.model": "embedding_model",
    "get_file.operation": "exported", "about.name": "entity",
    "facts.undo.fact": "decided_fact", "undo_fact_decision.fact": "decided_fact", "fact undo.fact": "decided_fact",
    "facts.list.decision": "none", "list_facts.decision": "none", "fact list.decision": "none",
    "correct_fact.object": "name", "fact correct.object": "name", "facts.correct.object": "name",
    "activity.list.types": "none", "palace.conversations.ids": "names", "palace.move_room.wing": "wing",
    # HTTP
    "merge_wings.into": "wing", "merge_closets.into": "second_name", "move_drawers.closet": "name",
    "unmerge_wing.wing": "merged_wing",
    "unmerge_entity.entity": "merged_entity", "merge_entities.into": "entity", "undo_proposal.proposal": "accepted",
    "write_documents.changes": "json_changes", "list_activity.type": "none", "list_memories.kind": "none",
    # MCP
    "update_memory.id": "note", "forget.id": "note", "entities.name": "entity", "recall.wing": "wing",
    "palace_tree.wing": "wing",
    # commands
    "entity merge.into": "entity", "entity unmerge.entity": "merged_entity", "palace merge.one": "wing",
    "palace merge.into": "wing", "palace move.places": "rooms", "palace move.to": "wing", "palace rename.place": "wing",
    "palace unmerge.pointer": "merged_wing", "settings set.choices": "choices", "mine.paths": "paths",
    "usage price.model": "price", "verify.absent": "query", "agent create.name": "name", "key create.name": "name",
    "run show.run_id": "run", "jobs retry.job": "job", "palace rename.name": "name", "entity relate.object": "name",
}  # fmt: skip
#: Arguments that belong together.
_TOGETHER = {
    ("whiteboards.write", "whiteboards.read", "whiteboards.remove_agent"): {"board": ("whiteboard", "agent")},
    ("write_on_whiteboard", "read_whiteboard", "remove_member"): {"board": ("whiteboard", "agent")},
    ("whiteboard write", "whiteboard remove-agent"): {"board": ("whiteboard", "agent")},
}
#: Optional arguments that would end the probe itself, or go to what is no part of it.
_NEVER = {"enabled", "memory_disabled", "progress", "automatic", "palace", "rerank", "version", "If-Match",
          "Idempotency-Key", "where", "user", "as_json", "json", "memory-disabled", "wait"}  # fmt: skip


def library(memory: Memory) -> Iterator[Operation]:
    """Every method of every resource, and those of the client."""
    for resource in RESOURCES:
        public = served(memory) if resource == "serving" else getattr(memory, resource)
        for name in dir(public):
            known = f"{resource}.{name}"
            if not name.startswith("_") and known not in _LEFT_OUT | _FILES and callable(getattr(public, name)):
                yield _method(known, getattr(public, name))
    yield from _files(memory)
    for name in _CLIENT:
        yield _method(name, (lambda **given: _run(memory, **given)) if name == "run" else getattr(memory, name), name)


#: Methods that take or bring files, which `_files` has.
_FILES = {"operations.add_file", "operations.file"}


def _files(memory: Memory) -> Iterator[Operation]:
    """Methods that take or bring files."""

    async def pieces(text: str) -> AsyncIterator[bytes]:
        yield text.encode()

    async def fetched(operation: Any) -> str:
        return unpacked(b"".join([piece async for piece in await memory._inner.operations.file(operation)]))

    def saved() -> str:
        memory.archive.save(made := io.BytesIO())
        return unpacked(made.getvalue())

    def checked(operation: Any) -> str:
        return str(memory._call(fetched, operation))

    def added(upload: Any, name: str, text: str) -> str:
        return repr(memory.operations.add_file(upload, name, pieces(text)))

    for name, method, needs in (
        ("archive.save", saved, {}),
        ("operations.file", checked, {"operation": "exported"}),
        ("operations.add_file", added, {"upload": "upload", "name": "name", "text": "text"}),
    ):

        def call(arguments: Arguments, method: Callable[..., str] = method) -> str:
            try:
                return method(**arguments)
            except RicordoError as error:
                raise Refused(_told(error)) from None

        yield Operation("library", name, call, needs)


def unpacked(archive: bytes) -> str:
    """All that an archive says."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return "\n".join(opened.read(name).decode() for name in opened.namelist())


def _run(memory: Memory, agent: Any, template: str, conversation: Any = None) -> str:
    with memory.run(agent, template, conversation) as run:
        run.output("node", {"__lf_memory_writes": [{"content": template[:5000] or "nothing"}]})
    return f"{run.prompt} {run.injected} {run.written} {run.problems}"


def _method(name: str, method: Callable[..., Any], client: str = "") -> Operation:
    def call(arguments: Arguments) -> str:
        try:
            return repr(method(**arguments))
        except RicordoError as error:
            raise Refused(_told(error)) from None

    signature = inspect.signature(_run if client == "run" else method)
    needs, takes = {}, {}
    for each in signature.parameters.values():
        if (each.name in _NEVER | {"memory"} and client) or each.name in _NEVER or each.kind is each.VAR_KEYWORD:
            continue
        needed = each.default is each.empty or each.name in _NEEDED.get(name, ())
        (needs if needed else takes)[each.name] = _meaning(name, each.name)
    return Operation("library", name, call, _known(needs), _known(takes), _together(name))


def _told(error: BaseException) -> str:
    """An error with what it came from."""
    parts, each = [], error
    while each is not None:
        parts.append(repr(each))
        each = each.__cause__ or each.__context__  # type: ignore[assignment]
    return " ".join(parts)


#: Operations over HTTP that need another embedding model, that end the probe, or that pass on encrypted segments, which
#: tests/contract/test_e_sync_http.py attacks (docs/guarantees.md).
_NOT_OVER_HTTP = {
    "reembed", "delete_user", "put_synced_memory", "list_bases", "get_segment", "add_segment", "remove_log",
}  # fmt: skip


def http(server: Server) -> Iterator[Operation]:
    """Every operation of the OpenAPI document but those that are no key's. The server needs an LLM."""
    document = json.loads((Path(__file__).resolve().parents[2] / "docs" / "openapi.json").read_text())
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if (
                path.startswith("/v1")
                and operation.get("x-access") != "person"
                and operation["operationId"] not in _NOT_OVER_HTTP
            ):
                yield _endpoint(server, method.upper(), path, operation, document["components"]["schemas"])


def _endpoint(
    server: Server, method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    name = operation["operationId"]
    places: dict[str, str] = {}  # argument → path, query or body
    needs, takes = {}, {}
    for each in operation.get("parameters", ()):
        if each["name"] not in _NEVER and each["in"] != "header":
            places[each["name"]] = each["in"]
            (needs if each.get("required") else takes)[each["name"]] = _meaning(name, each["name"])
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if name == "add_file":
        needs["text"] = "text"
    if content:
        schema = schemas[content["schema"]["$ref"].rpartition("/")[2]]
        for each in schema["properties"]:
            if each not in _NEVER:
                places[each] = "body"
                needed = each in (*schema.get("required", ()), *_NEEDED.get(name, ()))
                (needs if needed else takes)[each] = _meaning(name, each)

    def call(arguments: Arguments) -> str:
        filled = re.sub(r"\{(\w+)\}", lambda found: quote(str(arguments[found[1]]), safe="") or "-", path)
        query = {name: value for name, value in arguments.items() if places.get(name) == "query"}
        body = {name: value for name, value in arguments.items() if places.get(name) == "body"} if content else None
        sent = {"data": arguments["text"].encode()} if name == "add_file" else {}
        answer = server.ask(method, filled, json.loads(json.dumps(body, default=str)), params=query, **sent)
        brought = unpacked(answer.content) if name == "get_file" and answer.ok else answer.text
        text = f"{answer.status_code} {answer.headers} {brought}"
        if answer.status_code >= 500:
            raise AssertionError(f"{method} {filled}: {text}")
        if not answer.ok:
            raise Refused(text)
        return text

    return Operation("http", name, call, _known(needs), _known(takes), _together(name))


def mcp_tools(memory: Memory) -> Iterator[Operation]:
    """Every tool of the MCP server, as a client of the user's calls it."""

    async def resource() -> Any:
        return memory._inner

    caller = mcp.Caller(resource, "mcp")
    for tool in TOOLS:

        def call(arguments: Arguments, name: str = tool.name) -> str:
            given = json.loads(json.dumps(arguments, default=str))
            try:
                return memory._call(calls.call, caller, name, given)
            except RicordoError as error:
                raise Refused(_told(error)) from None

        meant = {each: _meaning(tool.name, each) for each in tool.properties if each not in _NEVER}
        needs = {each: kind for each, kind in meant.items() if each in tool.required}
        takes = {each: kind for each, kind in meant.items() if each not in tool.required}
        yield Operation("mcp", tool.name, call, _known(needs), _known(takes))


#: Commands that need a terminal, a network, other people's files or the whole server (docs/guarantees.md).
_NO_COMMANDS = {
    "bench",
    "connect",
    "disconnect",
    "resident",
    "sync",
    "db",
    "doctor",
    "hook",
    "import",
    "mcp",
    "models",
    "serve",
    "user",
    "worker",
    "reembed",
    "backup",
    "restore",
    "watch",
    "journal import",
}

#: Arguments that commands could do without, and then do something else.
_NEEDED = {
    "usage price": ("model", "input", "output"), "jobs retry": ("job",), "memory update": ("content",),
    **dict.fromkeys(("facts.correct", "correct_fact", "fact correct"), ("object",)),
    **dict.fromkeys(("entries.forget_all", "forget_memories", "memory forget"), ("conversation",)),
}  # fmt: skip


def commands(user: str) -> Iterator[Operation]:
    """Every command of a user's, in this process, whose environment names the store."""
    context = click.Context(root)
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        if name not in _NO_COMMANDS and command is not None:
            yield from _leaves(command, name, user)


def _leaves(command: click.Command, path: str, user: str) -> Iterator[Operation]:
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            assert inner is not None
            yield from _leaves(inner, f"{path} {name}", user)
        return
    if path in _NO_COMMANDS:
        return
    needs, takes, options = {}, {}, {}
    for each in command.params:
        assert each.name is not None
        if each.name in _NEVER or each.opts[0] == "--yes":
            continue
        if isinstance(each, click.Option):
            options[each.name] = each.opts[0]
            if each.is_flag:
                continue
        told = each.opts[0].lstrip("-").replace("-", "_") if each.name in options else each.name
        (needs if each.required or told in _NEEDED.get(path, ()) else takes)[each.name] = _meaning(path, told)

    def call(arguments: Arguments) -> str:
        words = [*path.split(), "--user", user]
        if any(option.opts[0] == "--yes" for option in command.params):
            words.append("--yes")
        for name, value in arguments.items():
            if name in options:
                words.append(f"{options[name]}={_word(value)}")
        words.append("--")
        for name, value in arguments.items():
            if name not in options:
                words += [_word(each) for each in value] if isinstance(value, list) else [_word(value)]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
        text = out.getvalue() + err.getvalue()
        if path == "export" and code == 0:
            text += unpacked(Path(arguments["file"]).read_bytes())
        if code not in (0, 1):
            raise Refused(f"{code} {text}")
        return text

    yield Operation("command", path, call, _known(needs), _known(takes), _together(path))


def _word(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


#: The seed's functions: their arguments in order, and what these mean.
_FUNCTIONS: Mapping[str, Mapping[str, str]] = {
    "fn_write_memory_entry(%(profile)s, 'project', 'user', %(text)s)": {"profile": "profile", "text": "text"},
    "fn_write_memory_entry(%(profile)s, 'project', 'user', %(text)s, 0.5, NULL, %(run)s)": {
        "profile": "profile", "text": "text", "run": "run",
    },
    "fn_read_memory_entries(%(profile)s, NULL, 1000, %(run)s)": {"profile": "profile", "run": "run"},
    "fn_redact_memory_entry(%(memory)s, %(text)s)": {"memory": "memory", "text": "text"},
    "fn_summarize_memory_profile(%(profile)s)": {"profile": "profile"},
    "fn_search_memory_entries(%(profile)s, %(vector)s, 1000)": {"profile": "profile", "vector": "vector"},
    "match_memories(%(vector)s, -1, 1000)": {"vector": "vector"},
}  # fmt: skip


def functions(connection: psycopg.Connection) -> Iterator[Operation]:
    """The seed's functions and view, as a client of PostgreSQL calls them with the role `ricordo_sql`."""
    statements = {f"SELECT * FROM {call}": needs for call, needs in _FUNCTIONS.items()}
    statements["SELECT * FROM memories_v WHERE profile_id = %(profile)s"] = {"profile": "profile"}
    statements["SELECT * FROM memories_v"] = {}
    for statement, needs in statements.items():

        def call(arguments: Arguments, statement: str = statement) -> str:
            try:
                cursor = connection.execute(statement, arguments)
                return repr(cursor.fetchall())
            except (psycopg.DataError, psycopg.errors.NoDataFound) as error:
                raise Refused(f"{error} {error.diag.message_detail} {error.diag.context}") from None

        yield Operation("sql", statement.removeprefix("SELECT * FROM "), call, needs)


def _meaning(operation: str, argument: str) -> str:
    return _MEANT.get(f"{operation}.{argument}") or _BY_NAME.get(argument, "none")


def _known(meanings: Mapping[str, str]) -> dict[str, str]:
    """Without what means nothing here, such as choices of an enumeration."""
    return {name: kind for name, kind in meanings.items() if kind != "none"}


def _together(name: str) -> Mapping[str, tuple[str, ...]]:
    return next((pairs for names, pairs in _TOGETHER.items() if name in names), {})
