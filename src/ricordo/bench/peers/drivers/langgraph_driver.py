"""LangGraph's store with an index over the text, as its guide on memory shows it."""

from langgraph.store.memory import InMemoryStore
from minilm import DIMENSION, EmbeddingModel
from serve import arguments, serve

folder, model, variant = arguments()
encode = EmbeddingModel(model)
store = InMemoryStore(
    index={"dims": DIMENSION, "embed": lambda texts: encode(list(texts)).tolist(), "fields": ["text"]}
)


def add(items):
    for each in items:
        store.put(("talk",), each["id"], {"text": each["text"]})


def search(text, limit, now):
    return [each.key for each in store.search(("talk",), query=text, limit=limit)]


serve(add, search, lambda: 0)  # all of it is in memory
