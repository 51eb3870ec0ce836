"""A well-filled store for the web page's tests and screenshots: the bundled sample, and agents at work."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ricordo.blocking import Memory
from ricordo.models import EntityKind, SeedEntry
from ricordo.sample import chats
from ricordo.settings import Settings


def fill(settings: Settings, user: str) -> None:
    """Fill the store of a user."""
    with Memory(settings=replace(settings, user=user)) as memory:
        memory.import_chats([chats()])
        _work(memory)
        _agents(memory)
        _entities(memory)


def _work(memory: Memory) -> None:
    """Two agents, one with runs that ended in each way."""
    seeds = (
        SeedEntry(content="Deploys happen on Thursdays, never on Fridays.", scope="project", confidence=0.92),
        SeedEntry(content="The customer wants JSON, never YAML.", scope="project", confidence=0.7),
    )
    coder = memory.agents.create("coder", system_prompt="You write and review code.")
    [profile] = memory.profiles.list(coder.id)
    for each in seeds:
        memory.entries.write(profile.id, each.content, confidence=each.confidence, source="user")
    memory.agents.create("planner")
    template = "Plan the release of the invoice service.\nSay which day, and who must be told."
    with memory.run("coder", template, conversation="release-7") as run:
        run.output("plan", {"__lf_memory_writes": [{"content": "Release 7 went out with the new invoice format."}]})
    with memory.run("coder", "Review the pull request about retries.") as run:
        run.output("review", {"__lf_memory_writes": [{"content": "Retries are capped at five."}, {"content": 5}]})
    with memory.run("coder", "Summarise the incident.") as run:
        run.output("summary", {"__lf_memory_writes": [{"content": "The incident was a full disk."}]})
        run.fail("the monitoring did not answer")
    with memory.run("planner", "Sketch next week.") as run:
        run.cancel("no longer needed")


#: What must be shown as text and break nothing: markup, the end of a block of memory, right-to-left, emoji, length.
HOSTILE = (
    "<img src=x onerror=alert(1)><script>alert(2)</script> </memory_context> "
    "\u202eמימין לשמאל\u202c مرحبا 👩‍👩‍👧‍👦🏳️‍🌈 " + "x" * 9_000
)


def nested(levels: int) -> dict[str, object]:
    """An object in an object, so many levels deep."""
    inner: dict[str, object] = {"end": "<b>deep</b>"}
    for _ in range(levels):
        inner = {"in": inner}
    return inner


def _agents(memory: Memory) -> None:
    """What agents remember: entries of every scope and of several sources, a journal partly faded, proposals, and a
    whiteboard. The planner's are hostile."""
    coder, planner = memory.agents.get("coder"), memory.agents.get("planner")
    [profile] = memory.profiles.list(coder.id)
    reviews = memory.profiles.create(
        coder.id, "reviews", retention_seconds=30 * 86_400, max_entries=200, injection_strategy="relevant",
        injection_scopes=("project", "global"),
        seed_entries=["Be kind."],
    )  # fmt: skip
    memory.entries.write(profile.id, "Ask before a migration.", scope="conversation", conversation="release-7")
    memory.entries.write(
        reviews.id, "Everyone writes commit messages in English.", scope="global", source="tool", confidence=0.8
    )
    secret = memory.entries.write(profile.id, "The staging password is hunter2.", source="manual").id
    memory.entries.redact(secret, "a secret")
    [hostile] = memory.profiles.list(planner.id)
    memory.entries.write(hostile.id, HOSTILE, metadata={"context": nested(28)})
    now = datetime.now(UTC)
    said = (
        ("core", "I ask before I delete anything.", 40),
        ("journal", "The team reviews pull requests before lunch.", 20),
        ("journal", "The team reviews the pull requests before lunch.", 5),
        ("journal", "The build is slow on Mondays.", 15),
        ("journal", "Priya is away until the twelfth.", 2),
    )
    memory.journal.import_(
        coder.id,
        [
            {"memory_type": kind, "content": text, "created_at": (now - timedelta(days=days)).isoformat()}
            for kind, text, days in said
        ],
    )
    memory.proposals.propose(coder.id)
    memory.journal.save(planner.id, HOSTILE)
    launch = memory.whiteboards.create("launch", [coder.id, planner.id])
    memory.whiteboards.write(launch.id, "Invoices first, then retries.", planner.id)
    memory.whiteboards.write(launch.id, "Retries are done.", coder.id)


def _entities(memory: Memory) -> None:
    """Relations: of one thing after the other, of two that contradict each other, ended ones, and hostile names."""
    entered: tuple[tuple[str, str, str, EntityKind | None, str], ...] = (
        ("Derek", "lives in", "Hamburg", "place", "2024-02-01"),
        ("Derek", "lives in", "Lisbon", "place", "2025-06-15"),
        ("Derek", "owns", "efoil", "item", "2024-05-01"),
        ("efoil", "has battery", "12V20Ah", None, "2024-05-01"),
        ("efoil", "has battery", "24V18Ah", None, "2025-08-10"),
        ("Derek", "works at", "Nordlicht", "organization", "2024-01-10"),
        ("Mara", "works at", "Nordlicht", "organization", "2024-09-01"),
        ("Mara", "married to", "Jonas", "person", "2025-03-03"),
        ("Jonas", "lives in", "Lisbon", "place", "2025-01-20"),
        ("Ines", "friend of", "Mara", "person", "2024-11-11"),
        ("Tilda", "sister of", "Jonas", "person", "2024-03-01"),
        ("Priya", "works at", "Nordlicht", "organization", "2025-11-02"),
        ("Priya", "member of", "boat club", "organization", "2025-05-05"),
        ("Moses", "owns", "kayak", "item", "2025-02-02"),
        ("Nordlicht", "located in", "Kiel", "place", "2024-01-01"),
        (HOSTILE[:150], "likes", HOSTILE[:120], "topic", "2025-01-01"),
    )
    for subject, predicate, object, kind, since in entered:
        moment = datetime.fromisoformat(since).replace(tzinfo=UTC)
        memory.entities.add_relation(subject, predicate, object, object_kind=kind, since=moment)
    memory.entities.end_relation("Derek", "works at", "Nordlicht", at=datetime(2025, 12, 1, tzinfo=UTC))
    for place in ("Bremen", "Munich"):
        text = (
            f"My brother Tom lives in {place}. That is what I wanted to tell you, since we had not talked for so long."
        )
        memory.mine([{"role": "user", "content": text, "at": "2026-01-05T10:00:00Z"}], conversation=f"tom in {place}")
