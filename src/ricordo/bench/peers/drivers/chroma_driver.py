"""Chroma as its own guide begins: a persistent collection with the default embedding function."""

import os

from serve import arguments, serve, size

folder, model, variant = arguments()
os.environ["HOME"] = str(folder)

from minilm import lay_out_for_chroma  # noqa: E402

lay_out_for_chroma(model, folder)

import chromadb  # noqa: E402
from chromadb.config import Settings  # noqa: E402

client = chromadb.PersistentClient(str(folder / "chroma"), Settings(anonymized_telemetry=False))
collection = client.create_collection("talk", configuration={"hnsw": {"space": "cosine"}})


def add(items):
    for start in range(0, len(items), 1000):
        part = items[start : start + 1000]
        collection.add(ids=[each["id"] for each in part], documents=[each["text"] for each in part])


def search(text, limit, now):
    return collection.query(query_texts=[text], n_results=limit)["ids"][0]


serve(add, search, lambda: size(folder / "chroma"))
