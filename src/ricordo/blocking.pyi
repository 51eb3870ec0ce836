"""Made by script/stubs of client.py, api/ and toolkit/; do not edit."""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self
from uuid import UUID

from anyio.from_thread import BlockingPortal

from ricordo.background import Background
from ricordo.client import AsyncMemory
from ricordo.jobs.worker import Worker
from ricordo.memories import Sessions
from ricordo.models import (
    About,
    Absence,
    Access,
    Address,
    Agent,
    Answer,
    ApiKey,
    ArchiveFile,
    Chain,
    Change,
    Closet,
    CostEstimate,
    Decision,
    DeletedUser,
    Document,
    Drawer,
    Entity,
    EntityKind,
    Entry,
    Estimate,
    Event,
    EventCategory,
    EventType,
    ExtractionReport,
    Forgotten,
    Handling,
    HeldWrite,
    Histogram,
    ImportedTurns,
    ImportReport,
    Isolation,
    Job,
    JobState,
    JournalEntry,
    JournalKind,
    Kind,
    LoadReceipt,
    MergedEntity,
    ModelCall,
    ModelPrice,
    NewKey,
    Operation,
    OperationState,
    Overview,
    Page,
    Profile,
    Progress,
    Proposal,
    RecallResult,
    Receipt,
    ReembedReport,
    Relation,
    RemovalReceipt,
    Replay,
    Retention,
    ReviewPolicy,
    Room,
    Run,
    RunEnd,
    Scope,
    Soundness,
    Source,
    Span,
    StoredConversation,
    Strategy,
    SyncMembership,
    SyncReport,
    SyncStatus,
    UnreadTurns,
    Upload,
    Usage,
    UsageBy,
    UserSettings,
    Vectors,
    Version,
    WatchReport,
    Whiteboard,
    Wing,
    WriteReceipt,
)
from ricordo.opened import Opened
from ricordo.palace import WingOrder
from ricordo.recall import Match
from ricordo.runs import OpenRun
from ricordo.settings import Settings
from ricordo.toolkit.tool import Speaker, Tool

class Activity:
    def __init__(self, opened: Opened) -> None: ...
    def list(
        self,
        types: Sequence[EventType | EventCategory] | None = None,
        *,
        agent: UUID | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Event]: ...
    def overview(self) -> Overview: ...

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
        version: str | None = None,
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
        secrets: Handling | None = None,
        personal_data: Handling | None = None,
        review: ReviewPolicy | None = None,
        is_default: bool = False,
    ) -> Profile: ...
    def list(self, agent: UUID | str) -> list[Profile]: ...
    def get(self, profile: UUID, *, agent: UUID | str | None = None) -> Profile: ...
    def change(self, profile: UUID, *, version: str | None = None, **changes: Any) -> Profile: ...
    def delete(self, profile: UUID) -> None: ...

class Archive:
    def __init__(self, opened: Opened) -> None: ...
    def save(self, target: Path | str | BinaryIO, *, progress: Progress | None = None) -> ArchiveFile: ...
    def load(
        self,
        source: Path | str | BinaryIO,
        *,
        dry_run: bool = False,
        trusted: bool = False,
        progress: Progress | None = None,
    ) -> LoadReceipt: ...
    def check(self, source: Path | str | BinaryIO) -> ArchiveFile: ...
    def absent(self, source: Path | str | BinaryIO, text: str) -> Absence: ...

class Audit:
    def __init__(self, opened: Opened) -> None: ...
    def of_memory(self, memory: UUID, *, agent: UUID | str | None = None) -> list[Access]: ...
    def of_run(self, run: UUID) -> list[Access]: ...
    def seal(self) -> int: ...
    def verify(self) -> Chain: ...
    def sound(self, progress: Progress | None = None) -> Soundness: ...
    def absent(self, text: str) -> Absence: ...

class Documents:
    def __init__(self, opened: Opened) -> None: ...
    def write(
        self, collection: str, changes: Sequence[Change], *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> WriteReceipt: ...
    def get(
        self,
        collection: str,
        addresses: Sequence[Address],
        *,
        keep_on: bool = False,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Document | None]: ...
    def search(
        self,
        collection: str,
        prefix: Sequence[str] = (),
        *,
        query: str | None = None,
        where: Callable[[Mapping[str, Any]], bool] | None = None,
        limit: int | None = 10,
        offset: int = 0,
        keep_on: bool = False,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Document]: ...
    def paths(
        self, collection: str, prefix: Sequence[str] = (), *, agent: UUID | str | None = None
    ) -> list[tuple[str, ...]]: ...

class Entities:
    def __init__(self, opened: Opened) -> None: ...
    def list(
        self, *, kind: EntityKind | None = None, search: str | None = None, limit: int = 50, offset: int = 0
    ) -> Sequence[Entity]: ...
    def get(self, entity: UUID | str) -> Entity: ...
    def relations(
        self, entity: UUID | str | None = None, *, predicate: str | None = None, as_of: datetime | None = None
    ) -> Sequence[Relation]: ...
    def neighbors(self, entity: UUID | str, *, as_of: datetime | None = None) -> Sequence[Entity]: ...
    def merged(self, entity: UUID | str) -> Sequence[MergedEntity]: ...
    def merge(self, entity: UUID | str, into: UUID | str) -> Entity: ...
    def unmerge(self, entity: UUID | str) -> Entity: ...
    def change(
        self, entity: UUID | str, *, name: str | None = None, kind: EntityKind | None = None, alias: str | None = None
    ) -> Entity: ...
    def add_relation(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        object_kind: EntityKind | None = None,
        since: datetime | None = None,
    ) -> Sequence[Relation]: ...
    def end_relation(
        self, subject: str, predicate: str, object: str, *, at: datetime | None = None
    ) -> Sequence[Relation]: ...

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
    ) -> WriteReceipt: ...
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
    def summarize(self, profile: UUID, *, dry_run: bool = False, agent: UUID | str | None = None) -> dict[str, Any]: ...
    def get(self, memory: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> Entry: ...
    def page(
        self,
        kinds: Sequence[Kind] = ("entry", "journal", "core", "note"),
        *,
        owner: UUID | str | None = None,
        profile: UUID | None = None,
        scopes: Sequence[Scope] | None = None,
        source: str | None = None,
        tags: Sequence[str] = (),
        conversation: str | None = None,
        text: str | None = None,
        include_expired: bool = False,
        limit: int = 100,
        cursor: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Page[Entry]: ...
    def edit(
        self,
        memory: UUID,
        content: str,
        *,
        version: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Entry: ...
    def history(self, memory: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> list[Version]: ...
    def as_of(
        self, memory: UUID, moment: datetime, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> Version: ...
    def redact(
        self, memory: UUID | str, reason: str | None = None, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> RemovalReceipt: ...
    def forget(
        self, memory: UUID | str, reason: str | None = None, *, agent: UUID | str | None = None, run: UUID | None = None
    ) -> RemovalReceipt: ...
    def forget_all(
        self,
        what: Sequence[str] = (),
        *,
        conversation: str | None = None,
        source: str | None = None,
        import_id: UUID | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: Sequence[Kind] = ("drawer", "entry", "journal", "core", "note", "document"),
        reason: str | None = None,
        dry_run: bool = False,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Forgotten: ...

class Facts:
    def __init__(self, opened: Opened, background: Background) -> None: ...
    def list(self, entity: UUID | str | None = None, *, decision: Decision | None = None) -> Sequence[Relation]: ...
    def get(self, fact: UUID) -> Relation: ...
    def confirm(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation: ...
    def correct(
        self,
        fact: UUID,
        *,
        object: str | None = None,
        object_kind: EntityKind | None = None,
        since: datetime | None = None,
        agent: UUID | str | None = None,
    ) -> Relation: ...
    def reject(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation: ...
    def undo(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation: ...
    def unread(self, conversation: str | None = None) -> UnreadTurns: ...
    def extract(
        self,
        conversation: str | None = None,
        *,
        retry: bool = False,
        dry_run: bool = False,
        wait: bool = False,
        progress: Progress | None = None,
    ) -> ExtractionReport: ...

class Jobs:
    def __init__(self, opened: Opened, background: Background) -> None: ...
    def list(self, state: JobState | None = None, limit: int = 100) -> list[Job]: ...
    def get(self, job: int) -> Job: ...
    def retry(self, job: int) -> Job: ...
    def retry_all(self) -> int: ...
    def finish(self, progress: Progress | None = None) -> int: ...

class Journal:
    def __init__(self, opened: Opened) -> None: ...
    def save(
        self, agent: UUID | str, content: str, *, source: Source = "agent", run: UUID | None = None
    ) -> WriteReceipt: ...
    def list(
        self,
        agent: UUID | str,
        limit: int = 100,
        include_expired: bool = True,
        text: str | None = None,
        *,
        kinds: Sequence[JournalKind] = ("journal",),
    ) -> list[JournalEntry]: ...
    def counts(self, agent: UUID | str) -> dict[str, int]: ...
    def context(self, agent: UUID | str, *, max_tokens: int | None = None, run: UUID | None = None) -> str | None: ...
    def system_message(
        self,
        agent: UUID | str,
        participants: Sequence[str] | None = None,
        *,
        max_tokens: int | None = None,
        run: UUID | None = None,
    ) -> dict[str, str]: ...
    def search(
        self,
        agent: UUID | str,
        query: str,
        *,
        kinds: Sequence[JournalKind] = ("journal", "core"),
        limit: int = 10,
        include_expired: bool = True,
        run: UUID | None = None,
    ) -> Sequence[Match]: ...
    def export(self, agent: UUID | str) -> Sequence[dict[str, str]]: ...
    def import_(
        self, agent: UUID | str, items: Sequence[Mapping[str, Any]], *, by_agent: bool = False
    ) -> dict[str, int]: ...

class Core:
    def __init__(self, opened: Opened) -> None: ...
    def save(
        self, agent: UUID | str, content: str, *, source: Source = "agent", run: UUID | None = None
    ) -> WriteReceipt: ...
    def list(self, agent: UUID | str, limit: int = 100, text: str | None = None) -> list[JournalEntry]: ...

class Keys:
    def __init__(self, opened: Opened) -> None: ...
    def create(
        self,
        name: str,
        *,
        agent: UUID | str | None = None,
        palace: bool = False,
        read_only: bool = False,
        expires_at: datetime | None = None,
    ) -> NewKey: ...
    def list(self) -> Sequence[ApiKey]: ...
    def revoke(self, key: UUID) -> ApiKey: ...

class Notes:
    def __init__(self, opened: Opened, sessions: Sessions) -> None: ...
    def create(
        self,
        content: str,
        *,
        retention: Retention = "long_term",
        expires_at: datetime | str | None = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        importance: int = 5,
        source: str = "agent",
        context: Mapping[str, Any] | None = None,
        session: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> WriteReceipt: ...
    def get(self, id: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> Entry: ...
    def update(
        self,
        id: UUID,
        *,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        retention: Retention | None = None,
        expires_at: datetime | str | None = None,
        importance: int | None = None,
        context: Mapping[str, Any] | None = None,
        clear: Sequence[str] = (),
        session: str | None = None,
        version: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Entry: ...
    def delete(self, id: UUID, *, agent: UUID | str | None = None, run: UUID | None = None) -> RemovalReceipt: ...
    def search(
        self,
        query: str | None = None,
        *,
        project: str | None = None,
        tags: Sequence[str] = (),
        retentions: Sequence[Retention] = (),
        minimum_importance: int | None = None,
        source: str | None = None,
        limit: int = 10,
        include_expired: bool = False,
        session: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> list[Entry]: ...
    def clear(self, session: str | None = None) -> int: ...
    def sweep(self) -> int: ...

class Operations:
    def __init__(self, opened: Opened, background: Background) -> None: ...
    def list(self, state: OperationState | None = None, limit: int = 100) -> list[Operation]: ...
    def get(self, operation: UUID) -> Operation: ...
    def cancel(self, operation: UUID) -> Operation: ...
    def mine(
        self,
        messages: Sequence[Any],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
        agent: UUID | str | None = None,
        append: bool = False,
        key: str | None = None,
    ) -> Operation: ...
    def import_(self, upload: UUID, *, again: bool = False) -> Operation: ...
    def survey(self, upload: UUID) -> Operation: ...
    def reembed(self, model: str) -> Operation: ...
    def export(self) -> Operation: ...
    def load(self, upload: UUID, *, dry_run: bool = False, trusted: bool = False) -> Operation: ...
    def examine(self) -> Operation: ...
    def file(self, operation: UUID) -> AsyncIterator[bytes]: ...
    def create_upload(self) -> Upload: ...
    def get_upload(self, upload: UUID) -> Upload: ...
    def add_file(self, upload: UUID, name: str, content: AsyncIterable[bytes], most: int = 2 << 30) -> Upload: ...
    def remove_upload(self, upload: UUID) -> None: ...

class Palace:
    def __init__(self, opened: Opened) -> None: ...
    def tree(self, wing: str | None = None) -> list[Wing]: ...
    def show(self, pointer: str, *, agent: UUID | str | None = None, run: UUID | None = None) -> list[Drawer]: ...
    def wings(
        self, *, order: WingOrder = "newest", search: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> Page[Wing]: ...
    def rooms(self, wing: str, *, limit: int = 100, cursor: str | None = None) -> Page[Room]: ...
    def closets(self, room: str, *, limit: int = 100, cursor: str | None = None) -> Page[Closet]: ...
    def drawers(
        self,
        room: str,
        closet: str | int | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Page[Drawer]: ...
    def around(
        self, pointer: str, *, before: int = 3, after: int = 3, agent: UUID | str | None = None, run: UUID | None = None
    ) -> Page[Drawer]: ...
    def histogram(
        self,
        by: Span | None = None,
        *,
        wing: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Histogram: ...
    def speakers(self, wing: str | None = None, *, limit: int = 100) -> list[Speaker]: ...
    def imports(self, *, limit: int = 100) -> list[ImportedTurns]: ...
    def conversations(self, ids: Sequence[str] | None = None, *, limit: int = 100) -> list[StoredConversation]: ...
    def rename_wing(self, wing: str, name: str) -> Wing: ...
    def merge_wings(self, wing: str, into: str) -> Wing: ...
    def unmerge_wing(self, wing: str) -> Wing: ...
    def move_room(self, room: str, wing: str, *, new: bool = False) -> Room: ...
    def rename_closet(self, room: str, closet: str | int, name: str) -> Room: ...
    def merge_closets(self, room: str, closet: str | int, into: str | int) -> Room: ...
    def move_drawers(self, drawers: Sequence[str], closet: str | int) -> Room: ...

class Proposals:
    def __init__(self, opened: Opened) -> None: ...
    def propose(self, agent: UUID | str) -> Sequence[Proposal]: ...
    def list(self, agent: UUID | str, status: str | None = None) -> Sequence[Proposal]: ...
    def accept(self, proposal: UUID) -> Proposal: ...
    def reject(self, proposal: UUID) -> Proposal: ...
    def undo(self, proposal: UUID) -> Proposal: ...

class ReviewQueue:
    def __init__(self, opened: Opened) -> None: ...
    def list(self, limit: int = 100, *, agent: UUID | str | None = None) -> Sequence[HeldWrite]: ...
    def get(self, held: UUID, *, agent: UUID | str | None = None) -> HeldWrite: ...
    def accept(self, held: UUID, *, agent: UUID | str | None = None) -> Entry: ...
    def reject(self, held: UUID, *, agent: UUID | str | None = None) -> HeldWrite: ...

class Runs:
    def __init__(self, opened: Opened) -> None: ...
    def start(
        self,
        agent: UUID | str,
        template: str,
        conversation: str | None = None,
        *,
        profile: UUID | None = None,
        max_tokens: int | None = None,
    ) -> Run: ...
    def output(self, run: UUID, node: str, payload: object) -> None: ...
    def complete(self, run: UUID) -> RunEnd: ...
    def fail(self, run: UUID, reason: str) -> RunEnd: ...
    def cancel(self, run: UUID, reason: str | None = None) -> RunEnd: ...
    def get(self, run: UUID) -> Run: ...
    def replay(self, run: UUID, *, agent: UUID | str | None = None) -> Replay: ...
    def events(self, run: UUID | None = None, agent: UUID | str | None = None, limit: int = 100) -> Sequence[Event]: ...
    def list(self, agent: UUID | str | None = None, limit: int = 50) -> Sequence[Run]: ...

class SettingsResource:
    def __init__(self, opened: Opened) -> None: ...
    def get(self) -> UserSettings: ...
    def update(self, *, version: str | None = None, **changes: Any) -> UserSettings: ...
    def reset(self) -> UserSettings: ...

class Sync:
    def __init__(self, opened: Opened, entries: Entries) -> None: ...
    def init(
        self,
        folder: Path | str,
        *,
        name: str | None = None,
        server_key: str | None = None,
        plain_http: bool = False,
        wings: Sequence[str] = (),
        agents: Sequence[str] = (),
        sources: Sequence[str] = (),
        settings: Sequence[str] = (),
    ) -> SyncMembership: ...
    def join(
        self,
        folder: Path | str,
        words: str,
        *,
        name: str | None = None,
        server_key: str | None = None,
        plain_http: bool = False,
        wings: Sequence[str] = (),
        agents: Sequence[str] = (),
        sources: Sequence[str] = (),
        settings: Sequence[str] = (),
    ) -> SyncMembership: ...
    def now(self, *, compact: bool = False) -> SyncReport: ...
    def status(self) -> SyncStatus: ...
    def rotate(self, *, lost: str | None = None) -> SyncMembership: ...
    def leave(self) -> None: ...

class UsageResource:
    def __init__(self, opened: Opened) -> None: ...
    def report(
        self, by: UsageBy = "source", *, since: datetime | None = None, until: datetime | None = None
    ) -> Usage: ...
    def calls(self, limit: int = 100) -> list[ModelCall]: ...
    def estimate_extraction(self, conversation: str | None = None) -> CostEstimate: ...
    def prices(self) -> list[ModelPrice]: ...
    def set_price(self, model: str, *, input: Decimal | float | str, output: Decimal | float | str) -> ModelPrice: ...
    def remove_price(self, model: str) -> bool: ...

class Whiteboards:
    def __init__(self, opened: Opened) -> None: ...
    def create(self, name: str, agents: Sequence[UUID | str]) -> Whiteboard: ...
    def list(self) -> Sequence[Whiteboard]: ...
    def write(
        self, whiteboard: UUID | str, content: str, agent: UUID | str, *, run: UUID | None = None
    ) -> WriteReceipt: ...
    def read(
        self,
        whiteboard: UUID | str,
        agent: UUID | str | None,
        limit: int = 100,
        text: str | None = None,
        *,
        run: UUID | None = None,
    ) -> Sequence[Entry]: ...
    def members(self, whiteboard: UUID | str) -> Sequence[Agent]: ...
    def add_agent(self, whiteboard: UUID | str, agent: UUID | str) -> bool: ...
    def remove_agent(self, whiteboard: UUID | str, agent: UUID | str) -> bool: ...
    def delete(self, whiteboard: UUID | str) -> int: ...

class Tools:
    def __init__(self, opened: Opened, journal: Journal, core: Core, notes: Notes) -> None: ...
    def every(self) -> Sequence[Tool]: ...
    def call(
        self, agent: Speaker, name: str, arguments: Mapping[str, Any] | str | None = None, *, run: UUID | None = None
    ) -> dict[str, Any]: ...

class Memory:
    agents: Agents
    profiles: Profiles
    entries: Entries
    palace: Palace
    entities: Entities
    facts: Facts
    audit: Audit
    archive: Archive
    sync: Sync
    runs: Runs
    settings: SettingsResource
    activity: Activity
    keys: Keys
    usage: UsageResource
    jobs: Jobs
    operations: Operations
    journal: Journal
    core: Core
    proposals: Proposals
    review: ReviewQueue
    whiteboards: Whiteboards
    notes: Notes
    documents: Documents
    tools: Tools
    @property
    def process_settings(self) -> Settings: ...
    @property
    def user(self) -> str: ...
    @property
    def user_id(self) -> UUID: ...
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
    def close(self) -> None: ...
    def of(self, user: str) -> Self: ...
    def worker_for_all(self, concurrency: int = 1) -> Worker: ...
    def mine(
        self,
        messages: Iterable[Any] | AsyncIterable[Any],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
        automatic: bool = False,
        append: bool = False,
        key: str | None = None,
    ) -> Receipt: ...
    def mine_many(
        self, conversations: Iterable[Any] | AsyncIterable[Any], *, automatic: bool = False
    ) -> list[Receipt]: ...
    def recall(
        self,
        question: str,
        *,
        top_k: int | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
        now: datetime | None = None,
        wing: str | None = None,
        project: str | None = None,
        room: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        conversation: str | None = None,
        context: str | None = None,
        max_tokens: int | None = None,
        min_confidence: float | None = None,
        rerank: bool | None = None,
        dry_run: bool = False,
    ) -> RecallResult: ...
    def ask(
        self, question: str, *, top_k: int = 10, max_tokens: int = 3000, dry_run: bool = False, **narrowing: Any
    ) -> Answer: ...
    def about(
        self,
        name: str | None = None,
        *,
        agent: UUID | str | None = None,
        now: datetime | None = None,
        max_tokens: int = 800,
    ) -> About: ...
    def delete_user(self) -> DeletedUser: ...
    def run(
        self,
        agent: UUID | str,
        template: str,
        conversation: str | None = None,
        *,
        profile: UUID | None = None,
        max_tokens: int | None = None,
    ) -> AbstractContextManager[OpenRun]: ...
    def import_chats(
        self,
        paths: Sequence[Path | str],
        *,
        progress: Progress | None = None,
        dry_run: bool = False,
        automatic: bool = False,
        append: bool = False,
        key: str | None = None,
        again: bool = False,
        project: str | None = None,
    ) -> ImportReport: ...
    def watch(
        self,
        folders: Sequence[Path | str],
        *,
        settle: float = 10.0,
        report: Callable[[WatchReport], None] | None = None,
    ) -> None: ...
    def embed_pending(self, progress: Progress | None = None) -> int: ...
    def reembed(self, model: str, *, progress: Progress | None = None) -> ReembedReport: ...
    def reembed_estimate(self, model: str) -> Estimate: ...
    def vectors(self) -> Vectors: ...
    def pending(self) -> int: ...
    @classmethod
    def attached(cls, memory: AsyncMemory, portal: BlockingPortal) -> Self: ...
