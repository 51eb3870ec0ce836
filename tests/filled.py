"""A well-filled store for the web page's tests and screenshots: the bundled sample, and agents at work."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ricordo import Memory
from ricordo.nouns import SeedEntry
from ricordo.sample import chats
from ricordo.settings import Settings


def fill(settings: Settings, user: str) -> None:
    """Fill the store of a user."""
    with Memory(settings=replace(settings, user=user)) as memory:
        memory.import_chats([chats()])
        _work(memory)
        _agents(memory)


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
    secret = memory.entries.write(profile.id, "The staging password is hunter2.", source="manual")
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
