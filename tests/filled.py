"""A well-filled store for the web page's tests and screenshots: the bundled sample, and agents at work."""

from __future__ import annotations

from dataclasses import replace

from ricordo import Memory
from ricordo.nouns import SeedEntry
from ricordo.sample import chats
from ricordo.settings import Settings


def fill(settings: Settings, user: str) -> None:
    """Fill the store of a user."""
    with Memory(settings=replace(settings, user=user)) as memory:
        memory.import_chats([chats()])
        _work(memory)


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
