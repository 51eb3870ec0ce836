"""Connecting agents, taking them out again, and trying whether each works. Nothing is written before it was shown."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ricordo.assistants.agents import AGENTS, Agent, Machine
from ricordo.assistants.edits import Change, Entry, Ledger, commands_in, read, text_of
from ricordo.assistants.forms import ANSWERED, form_of
from ricordo.assistants.hooks import log_file
from ricordo.settings import Settings

#: Seconds that a server or a hook has to answer when it is tried.
_ANSWERS_WITHIN = 30
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "ricordo connect", "version": "1"},
    },
}


#: The prompt with which a hook is checked.
_PROMPT = "Which decision did we take about the retries of the payment webhook?"
#: What is left of a file of Cursor's hooks when all of them are gone.
_VERSION = '{ "version": 1 }'


@dataclass(frozen=True)
class Plan:
    """What would be done to connect or disconnect one agent."""

    agent: Agent
    changes: tuple[Change, ...]
    ledger: Ledger
    #: Paths that are then as they were before, and the folders that were made for them.
    restored: tuple[Path, ...] = ()
    folders: tuple[str, ...] = ()
    removes: bool = False

    def make(self) -> None:
        """Do it. Raises InvalidInput where a file was changed meanwhile, and OSError."""
        for change in self.changes:
            made = change.make()
            if not self.removes:
                self.ledger.note(self.agent.name, change, made)
        if not self.removes:
            self.ledger.connect(self.agent.name)
            return
        for each in self.folders:
            with suppress(OSError):  # something else is in it by now
                Path(each).rmdir()
        self.ledger.forget(self.agent.name, self.restored)


def connected(settings: Settings) -> list[str]:
    """The agents that were connected here."""
    return _ledger(settings).agents()


def plan_connection(
    agent: Agent, machine: Machine, settings: Settings, planned: Mapping[Path, bytes] = MappingProxyType({})
) -> Plan:
    """What connects an agent, after others for which files are `planned` to hold this. Raises InvalidInput for a file
    that cannot be changed safely."""
    changes = []
    for path, entries in _by_file(agent.entries(machine)):
        before = planned[path] if path in planned else read(path)
        text = text_of(path, before)
        for each in entries:
            text = each.put(text)
        after = text.encode()
        if after != before:
            changes.append(Change(path, before, after, entries[0].executable))
    return Plan(agent, tuple(changes), _ledger(settings))


def plan_disconnection(agent: Agent, machine: Machine, settings: Settings) -> Plan:
    """What takes an agent out again: a file that nobody else has changed becomes what it was, to the byte; from any
    other one only what is Ricordo's is taken."""
    ledger = _ledger(settings)
    others = [AGENTS[name] for name in ledger.agents() if name != agent.name and name in AGENTS]
    needed = [(each.path, each.at, each.value) for other in others for each in other.entries(machine)]
    changes, restored, folders = [], [], []
    for path, entries in _by_file(agent.entries(machine)):
        ours = [each for each in entries if (each.path, each.at, each.value) not in needed]
        before = read(path)
        if before is None or not ours:
            continue
        known = ledger.before(path, before) if len(ours) == len(entries) else None
        if known is not None:
            after, made = known
            restored.append(path)
            folders += made
        else:
            text = text_of(path, before)
            for each in reversed(ours):
                if each.at != ("version",):
                    text = each.take(text)
            is_empty = not text.strip() or (ledger.was_made(path) and text.split() in (["{}"], _VERSION.split()))
            after = None if is_empty and ledger.was_made(path) else text.encode()
        if after != before:
            changes.append(Change(path, before, after))
    deepest_first = tuple(sorted(set(folders), key=len, reverse=True))
    return Plan(agent, tuple(changes), ledger, tuple(restored), deepest_first, removes=True)


def check(agent: Agent, machine: Machine, settings: Settings) -> list[str]:
    """What is wrong with an agent's connection; empty where it works. Its server and its hooks are really started."""
    wrong = []
    for entry in agent.entries(machine):
        text = text_of(entry.path, read(entry.path))
        if not entry.is_in(text):
            wrong.append(f"{entry.path} does not hold {'.'.join(entry.at) or 'what it should'}")
    if wrong:
        return wrong
    wrong += _server_problem(next(iter(agent.entries(machine))))
    for command in _commands(agent, machine):
        wrong += _hook_problem(command, agent.name, settings)
    return wrong


def _server_problem(entry: Entry) -> Iterator[str]:
    """Whether the server of an entry answers as a client would ask it."""
    value = entry.value
    command = value["command"] if "command" in value else value["cmd"]
    words = command if isinstance(command, list) else [command, *value["args"]]
    variables = value.get("env") or value.get("envs") or value.get("environment") or {}
    answer = _run(words, json.dumps(_INITIALIZE) + "\n", variables)
    if isinstance(answer, str):
        yield f"{shlex.join(words)}: {answer}"
        return
    with suppress(ValueError, KeyError, TypeError):
        if json.loads(answer.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "ricordo":
            return
    yield f"{shlex.join(words)}: does not answer as an MCP server (exit code {answer.returncode}): {_last(answer)}"


def _hook_problem(command: str, agent: str, settings: Settings) -> Iterator[str]:
    """What is wrong with a hook's answer to a call in the agent's form, or what the hook only logged."""
    form = form_of(agent)
    ours = command.rstrip("'").replace("/", " ").rpartition(" ")[2]  # a script is named after the event
    event = next((each for each, name in form.events.items() if ours in (each, name)), "")
    logged = _size(settings)
    # A late answer says more about the machine's load than about the connection.
    patient = f"{command} --budget {_ANSWERS_WITHIN - 5}"
    answer = _run(["/bin/sh", "-c", patient], json.dumps(form.call(event, _PROMPT, "/")), {})
    if isinstance(answer, str):
        yield f"{command}: {answer}"
    elif answer.returncode or answer.stderr:
        yield f"{command}: exit code {answer.returncode}: {_last(answer)}"
    elif not form.is_answer(event, answer.stdout):
        yield f"{command}: its answer is not in the format that {agent} reads: {answer.stdout[:200]!r}"
    elif form.events.get(event) in ANSWERED and (problem := _logged(settings, logged)):
        yield f"{command}: {problem}"


def _size(settings: Settings) -> int:
    path = log_file(settings)
    return path.stat().st_size if path.exists() else 0


def _logged(settings: Settings, since: int) -> str:
    """The last line that hooks logged since the log had this size, or an empty text."""
    with suppress(FileNotFoundError), log_file(settings).open("rb") as file:
        file.seek(min(since, file.seek(0, os.SEEK_END)))
        return (file.read().decode("utf-8", "replace").splitlines() or [""])[-1]
    return ""


def _commands(agent: Agent, machine: Machine) -> Iterator[str]:
    """The commands of an agent's hooks."""
    for entry in agent.entries(machine):
        if entry.kind == "file" and entry.executable:
            yield shlex.quote(str(entry.path))
        elif entry.kind == "file":  # a plugin, which runs the commands itself
            yield from (machine.hook(ours, agent.name) for ours in form_of(agent.name).events.values())
        elif entry.is_item:
            yield from sorted(commands_in(entry.value))


def _run(words: Sequence[str], given: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str] | str:
    """What a program came to, or why it did not."""
    try:
        return subprocess.run(
            words, input=given, env=os.environ | variables, capture_output=True, text=True, timeout=_ANSWERS_WITHIN
        )
    except FileNotFoundError:
        return "program not found"
    except OSError as error:
        return error.strerror or str(error)
    except subprocess.TimeoutExpired:
        return f"no answer within {_ANSWERS_WITHIN} seconds"


def _last(answer: subprocess.CompletedProcess[str]) -> str:
    return (answer.stderr.strip().splitlines() or ["nothing on standard error"])[-1]


def _by_file(entries: Iterator[Entry]) -> list[tuple[Path, list[Entry]]]:
    files: dict[Path, list[Entry]] = {}
    for each in entries:
        files.setdefault(each.path, []).append(each)
    return list(files.items())


def _ledger(settings: Settings) -> Ledger:
    return Ledger(settings.home / "connections.json")
