"""The house is built as docs/architecture.md draws it: layers, ways into a package, and who writes which table."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "ricordo"
PACKAGES = {each.parent.name for each in SOURCE.glob("*/__init__.py")}

#: Modules that other packages import by their full name, and why not by the package's.
BY_FULL_NAME = {
    "it is expensive to import, so its user does that inside a function": {
        "bench.datasets", "bench.peers", "bench.pipeline", "bench.records", "bench.scoring", "embedding.install",
        "assistants.hooks", "cli.hook", "formats.repository", "importing.watching", "jobs.worker", "llm.llm",
        "mcp.caller", "mcp.context", "mcp.relay", "mcp.stdio", "recall.asking", "resident.listening", "resident.quick",
    },
    "its names would mean nothing without the module's": {
        "audit.receipts", "database.catalog", "database.migrations", "facts.deciding", "facts.forgetting",
        "facts.graph", "facts.walking",
        "memories.accepting", "memories.documents", "memories.forgetting_store",
        "memories.journal", "memories.notes", "memories.proposals",
        "memories.whiteboards", "palace.branches", "review.queue",
    },
    "word lists are loaded where they are used": {
        "text.calendar_words", "text.english", "text.given_names", "text.organizations", "text.places", "text.plain",
        "text.attributes", "text.asking_words", "text.small_talk", "text.spelled", "text.talk_words",
        "text.coding_words", "text.kinds", "text.pronouns",
    },
    "it needs numpy, which the package does not": {"database.transport"},
}  # fmt: skip

#: Tables that a package writes and does not own, and why.
SHARED_TABLES = {
    ("memories", "postings"): "a memory is inserted with its terms by one statement",
    ("memories", "unembedded"): "a memory is queued for its vector by the statement that inserts it",
    ("palace", "memories"): "editing moves drawers between closets",
    ("facts", "users"): "numbers of entities are given by the user's row",
}


def test_the_map_is_that_of_the_code() -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / "script" / "architecture"), "--check"], capture_output=True, text=True, timeout=300
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_package_is_entered_by_its_front_door() -> None:
    allowed = set().union(*BY_FULL_NAME.values())
    deep = {(importer, module) for importer, module in _deep_imports() if module not in allowed}
    assert deep == set(), "export the name from the package's __init__, or say in BY_FULL_NAME why not"
    assert allowed == {module for _, module in _deep_imports()}, "these are not imported by their full name"


def test_each_table_is_written_by_its_owner() -> None:
    owners = _owners()
    written = {
        (package, table)
        for package, table in _written()
        if table in owners and owners[table] != package and package not in ("archive", "bench")
    }
    assert written == set(SHARED_TABLES)


def _deep_imports() -> Iterator[tuple[str, str]]:
    """(file, module) of every import of another package's module by its full name."""
    for path in SOURCE.rglob("*.py"):
        own = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("ricordo."):
                continue
            _, package, *rest = (node.module or "").split(".")
            if package == own or package not in PACKAGES:
                continue
            exported = (SOURCE / package / "__init__.py").read_text()
            modules = [".".join(rest)] if rest else [each.name for each in node.names]
            for name in modules:
                is_module = (SOURCE / package / f"{name}.py").exists() or (SOURCE / package / name).is_dir()
                if is_module and (rest or f'"{name}"' not in exported):
                    yield str(path.relative_to(SOURCE)), f"{package}.{name}"


def _owners() -> dict[str, str]:
    """The package that owns each table, as the page says."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \| `(\w+)` \|$", page, re.MULTILINE)
    return {table: package for tables, package in rows for table in re.findall(r"\w+", tables)}


def _written() -> Iterator[tuple[str, str]]:
    for path in SOURCE.rglob("*.py"):
        for table in re.findall(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_]+)\b", path.read_text()):
            yield path.relative_to(SOURCE).parts[0], table


def test_every_row_of_the_contract_has_a_test_of_its_name() -> None:
    rows = set(re.findall(r"^\| ([A-F]\d+) \|", (ROOT / "docs" / "contract.md").read_text(), re.MULTILINE))
    every = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    tested = {each.upper() for each in re.findall(r"def test_([a-f]\d+)_", every)}
    assert rows - tested == set(), "these rows have no test"
    assert tested - rows == set(), "these rows are not in docs/contract.md"
