"""What one user's agents should remember, as plain Python: the stateful property test holds the store to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

REDACTED = "[redacted]"
WEEK = timedelta(weeks=1)


@dataclass
class Remembered:
    """A memory; `moments` holds, for each version, a moment at which that version was said."""

    id: UUID
    kind: str
    content: str
    created: datetime
    agent: str | None = None
    profile: UUID | None = None
    scope: str | None = None
    talk: str | None = None
    confidence: float = 0.5
    expires: datetime | None = None
    importance: int = 5
    retention: str | None = None
    redacted: bool = False
    earlier: list[str] = field(default_factory=list)
    moments: list[datetime] = field(default_factory=list)

    @property
    def stored(self) -> bool:
        return self.retention != "short_term"

    @property
    def texts(self) -> list[str]:
        return [*self.earlier, self.content]

    def said(self, content: str, moment: datetime) -> None:
        """Another version."""
        self.earlier.append(self.content)
        self.content = content
        self.moments.append(moment)


@dataclass
class Profiled:
    """A profile; `agent` is its owner's name."""

    id: UUID
    agent: str
    fields: dict[str, Any]


@dataclass
class Run:
    id: UUID
    agent: str
    talk: str | None
    profile: UUID | None
    prompt: str
    writes: list[dict[str, Any]] = field(default_factory=list)
    malformed: bool = False
    status: str = "running"
    events: list[str] = field(default_factory=list)
    #: What it was told, at any time struck from its prompt once that is redacted.
    seen: list[Remembered] = field(default_factory=list)


@dataclass
class Model:
    """One user."""

    agents: dict[str, UUID] = field(default_factory=dict)
    disabled: set[str] = field(default_factory=set)
    profiles: dict[UUID, Profiled] = field(default_factory=dict)
    memories: dict[UUID, Remembered] = field(default_factory=dict)
    gone: list[UUID] = field(default_factory=list)
    grants: set[tuple[str, str]] = field(default_factory=set)
    runs: dict[UUID, Run] = field(default_factory=dict)
    #: (action, actor, run, ids) in the order in which they happened.
    log: list[tuple[str, str, UUID | None, tuple[UUID, ...]]] = field(default_factory=list)

    def logged(self, action: str, actor: str, run: UUID | None, ids: Iterable[UUID]) -> None:
        self.log.append((action, actor, run, tuple(ids)))

    def live(self, memory: Remembered) -> bool:
        """Whether it is neither redacted nor expired, by itself or by its profile."""
        now = datetime.now(UTC)
        if memory.redacted or (memory.expires is not None and memory.expires <= now):
            return False
        kept = self.profiles[memory.profile].fields["retention_seconds"] if memory.profile else None
        return kept is None or memory.created > now - timedelta(seconds=kept)

    def of(self, *kinds: str) -> list[Remembered]:
        return [each for each in self.memories.values() if each.kind in kinds]

    def live_entries(self, profile: UUID) -> list[Remembered]:
        """The surest first, then the newest."""
        return surest(each for each in self.of("entry") if each.profile == profile and self.live(each))

    def default(self, agent: str) -> Profiled:
        [found] = [each for each in self.profiles.values() if each.agent == agent and each.fields["is_default"]]
        return found

    def open_to(self, reader: str | None, profile: Profiled) -> bool:
        return reader in (None, profile.agent) or profile.fields["isolation"] == "shared"

    def shows(self, reader: str | None, memory: Remembered) -> bool:
        """Whether one who names a memory gets it: it is open, or of the reader."""
        if memory.profile is not None:
            return self.open_to(reader, self.profiles[memory.profile])
        return reader is None or memory.agent in (None, reader)

    def make_default(self, profile: Profiled) -> None:
        self.default(profile.agent).fields["is_default"] = False
        profile.fields["is_default"] = True

    def written(self, memory: Remembered, actor: str, run: UUID | None) -> None:
        """A new memory, and what its profile's cap makes of the others."""
        self.memories[memory.id] = memory
        self.logged("write", actor, run, [memory.id])
        if memory.profile is not None:
            self.capped(memory.profile, actor, run)

    def capped(self, profile: UUID, actor: str, run: UUID | None) -> None:
        """What a profile's cap makes of its entries."""
        cap = self.profiles[profile].fields["max_entries"]
        beyond = [] if cap is None else self.live_entries(profile)[cap:]
        for each in beyond:
            each.expires = datetime.now(UTC)
        if beyond:
            self.logged("expire", actor, run, sorted(each.id for each in beyond))
            if run is not None:
                self.runs[run].events.append("memory_expired")

    def changed(self, profile: Profiled, fields: Mapping[str, Any]) -> None:
        """A profile's fields; what is past its retention goes before there is another, and a new cap holds at once."""
        kept = profile.fields["retention_seconds"]
        if kept is not None and fields.get("retention_seconds", kept) != kept:
            end = datetime.now(UTC) - timedelta(seconds=kept)
            past = [each for each in self.of("entry") if each.profile == profile.id and each.created <= end]
            for each in past:
                self.forget(each)
            if past:
                self.logged("expire", "user", None, sorted(each.id for each in past))
        if fields.get("is_default"):
            self.make_default(profile)
        profile.fields |= fields
        if fields.get("max_entries") is not None:
            self.capped(profile.id, "user", None)

    def strike(self, memory: Remembered) -> None:
        """Take its texts out of what runs saw."""
        for run in self.runs.values():
            if memory in run.seen:
                for text in memory.texts:
                    run.prompt = run.prompt.replace(_written_out(text), REDACTED)

    def redact(self, memory: Remembered) -> None:
        self.strike(memory)
        memory.content, memory.redacted, memory.earlier = REDACTED, True, []
        memory.moments = memory.moments[-1:]

    def forget(self, memory: Remembered) -> None:
        self.strike(memory)
        del self.memories[memory.id]
        self.gone.append(memory.id)

    def injected(self, run: Run, profile: Profiled) -> list[Remembered]:
        """What a run is told: the profile's own of the chosen scopes, and what is global of whom it may read."""
        scopes = profile.fields["injection_scopes"]
        open_agents = {run.agent, *(giver for giver, taker in self.grants if taker == run.agent)}

        def fits(each: Remembered) -> bool:
            if each.scope not in scopes or not self.live(each):
                return False
            if each.scope == "global":
                return each.profile == profile.id or each.agent in open_agents
            return each.profile == profile.id and (each.scope == "project" or each.talk == run.talk)

        found = [each for each in self.of("entry") if fits(each)]
        found = surest(found) if profile.fields["injection_strategy"] == "top_confidence" else newest(found)
        return found[: profile.fields["injection_limit"]]

    def context(self, agent: str) -> tuple[str | None, list[Remembered]]:
        """The block `# Your Private Memory`, and what it is read from, oldest first."""
        week = datetime.now(UTC) - WEEK
        found = [
            each
            for each in newest(self.of("journal", "core"))[::-1]
            if each.agent == agent and self.live(each) and (each.kind == "core" or each.created >= week)
        ]
        core = [f"- {_written_out(each.content)}" for each in found if each.kind == "core"]
        journal = [
            f"- [{each.created:%Y-%m-%d}] {_written_out(each.content)}" for each in found if each.kind == "journal"
        ]
        sections = [("## Core Memories (permanent)", core), ("## Recent Journal Entries", journal)]
        blocks = ["\n".join([head, *lines]) for head, lines in sections if lines]
        return ("\n\n".join(["# Your Private Memory", *blocks]) if blocks else None), found


def surest(found: Iterable[Remembered]) -> list[Remembered]:
    return sorted(found, key=lambda each: (each.confidence, each.created, each.id), reverse=True)


def newest(found: Iterable[Remembered]) -> list[Remembered]:
    return sorted(found, key=lambda each: (each.created, each.id), reverse=True)


def most_important(found: Iterable[Remembered]) -> list[Remembered]:
    return sorted(found, key=lambda each: (each.importance, each.created, each.id), reverse=True)


def block(found: Sequence[Remembered], template: str) -> str:
    """A run's prompt."""
    lines = [f"- [{each.confidence}] {_written_out(each.content)}" for each in found]
    return "\n".join(["## Context Memory", *lines, "", template]) if found else template


def _written_out(text: str) -> str:
    """A text on one line of a prompt."""
    return text.replace("\n", "\\n")
