"""MemPalace: every text a drawer, filed as its miner files them, and found by its own `search_memories`."""

import os

from minilm import lay_out_for_chroma
from serve import arguments, serve, size

folder, model, variant = arguments()
palace = str(folder / "palace")
os.environ |= {"HOME": str(folder), "MEMPALACE_PALACE_PATH": palace, "MEMPALACE_EMBEDDING_MODEL": "minilm"}
lay_out_for_chroma(model, folder)

from mempalace.miner import _build_drawer_metadata  # noqa: E402
from mempalace.palace import get_collection  # noqa: E402
from mempalace.searcher import search_memories  # noqa: E402

collection = get_collection(palace)


def add(items):
    for start in range(0, len(items), 256):
        part = items[start : start + 256]
        collection.upsert(
            documents=[each["text"] for each in part],
            ids=[each["id"] for each in part],
            # A file of its own for each: its search takes hits of one file together.
            metadatas=[
                _build_drawer_metadata("talk", "general", each["id"], 0, "bench", each["text"], None) for each in part
            ],
        )


def search(text, limit, now):
    found = search_memories(text, palace, n_results=limit, candidate_strategy=variant)
    return [each["source_path"] for each in found["results"]]


serve(add, search, lambda: size(palace))
