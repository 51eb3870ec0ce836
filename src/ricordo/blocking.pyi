"""Made by script/stubs of client.py and doors/; do not edit."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from ricordo.doors.opened import Opened
from ricordo.nouns import (
    Absence,
    Access,
    Agent,
    Chain,
    Drawer,
    Entry,
    Imported,
    Isolation,
    Message,
    Profile,
    Recalled,
    Receipt,
    Receipted,
    Scope,
    Source,
    Strategy,
    Version,
    Wing,
)
from ricordo.settings import Settings

Progress = Callable[[int, int], None]

class Agents:
    def __init__(self, opened: Opened) -> None: ...
    def create(self, name: str, *, system_prompt: str | None = None) -> Agent: ...
    def list(self) -> list[Agent]: ...
    def get(self, agent: UUID | str) -> Agent: ...
    def change(
        self,
        agent: UUID | str,
        *,
        name: str | None = None,
        system_prompt: str | None = None,
        memory_disabled: bool | None = None,
    ) -> Agent: ...
    def delete(self, agent: UUID | str) -> None: ...
    def grant(self, from_agent: UUID | str, to_agent: UUID | str) -> bool: ...
    def revoke(self, from_agent: UUID | str, to_agent: UUID | str) -> bool: ...
    def grants(self) -> Sequence[tuple[UUID, UUID]]: ...

class Profiles:
    def __init__(self, opened: Opened) -> None: ...
    def create(
        self,
        agent: UUID | str,
        name: str,
        *,
        scope: Scope = "project",
        retention_seconds: int | None = None,
        max_entries: int | None = None,
        isolation: Isolation = "private",
        injection_strategy: Strategy = "top_confidence",
        injection_limit: int = 5,
        injection_scopes: Sequence[Scope] = ("project",),
        seed_entries: Sequence[str | Mapping[str, Any]] = (),
        is_default: bool = False,
    ) -> Profile: ...
    def list(self, agent: UUID | str) -> list[Profile]: ...
    def get(self, profile: UUID) -> Profile: ...
    def change(self, profile: UUID, **changes: Any) -> Profile: ...
    def delete(self, profile: UUID) -> None: ...

class Audit:
    def __init__(self, opened: Opened) -> None: ...
    def of_memory(self, memory: UUID) -> list[Access]: ...
    def of_run(self, run: UUID) -> list[Access]: ...
    def seal(self) -> int: ...
    def verify(self) -> Chain: ...
    def absent(self, text: str) -> Absence: ...

class Entries:
    def __init__(self, opened: Opened) -> None: ...
    def write(
        self,
        profile: UUID,
        content: str,
        *,
        scope: Scope | None = None,
        source: Source = "agent",
        confidence: float = 0.5,
        expires_at: datetime | None = None,
        conversation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> UUID: ...
    def read(
        self,
        profile: UUID,
        *,
        scope: Scope | None = None,
        conversation: str | None = None,
        limit: int = 50,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Entry]: ...
    def summarize(self, profile: UUID) -> dict[str, Any]: ...
    def get(self, memory: UUID) -> Entry: ...
    def edit(self, memory: UUID, content: str) -> Entry: ...
    def history(self, memory: UUID) -> list[Version]: ...
    def as_of(self, memory: UUID, moment: datetime) -> Version: ...
    def redact(self, memory: UUID, reason: str | None = None) -> Receipted: ...
    def forget(self, memory: UUID, reason: str | None = None) -> Receipted: ...
    def accesses(self, memory: UUID) -> list[Access]: ...
    def accesses_of_run(self, run: UUID) -> list[Access]: ...

class Memory:
    agents: Agents
    profiles: Profiles
    entries: Entries
    audit: Audit
    @property
    def settings(self) -> Settings: ...
    @property
    def user(self) -> str: ...
    def __init__(
        self,
        url: str | None = None,
        *,
        user: str | None = None,
        home: Path | str | None = None,
        settings: Settings | None = None,
        background: bool = True,
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...
    def mine(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
    ) -> Receipt: ...
    def recall(
        self,
        question: str,
        *,
        top_k: int = 5,
        now: datetime | None = None,
        wing: str | None = None,
        room: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        max_tokens: int = 2000,
    ) -> Recalled: ...
    def import_chats(
        self, paths: Sequence[Path | str], *, progress: Progress | None = None, dry_run: bool = False
    ) -> Imported: ...
    def embed_pending(self, progress: Progress | None = None) -> int: ...
    def pending(self) -> int: ...
    def palace_tree(self, wing: str | None = None) -> list[Wing]: ...
    def palace_show(self, pointer: str) -> list[Drawer]: ...
