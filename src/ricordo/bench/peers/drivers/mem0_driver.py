"""mem0 without inference: every text is added as it is, with the shared embedding model in the place of a hosted
one."""

import os

from minilm import DIMENSION, EmbeddingModel
from serve import arguments, serve, size

folder, model, variant = arguments()
os.environ |= {"HOME": str(folder), "MEM0_DIR": str(folder / "mem0"), "MEM0_TELEMETRY": "False"}

from mem0 import Memory  # noqa: E402

encode = EmbeddingModel(model)


class Embedding:
    """What mem0 asks of an embedding model."""

    config = None

    def embed(self, text, memory_action=None):
        return encode([text])[0].tolist()

    def embed_batch(self, texts, memory_action=None):
        return encode(list(texts)).tolist()


memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": str(folder / "qdrant"), "embedding_model_dims": DIMENSION, "on_disk": True},
        },
        "llm": {"provider": "openai", "config": {"api_key": "none: inference is off"}},
        "embedder": {"provider": "openai", "config": {"api_key": "none: replaced", "embedding_dims": DIMENSION}},
        "history_db_path": str(folder / "history.db"),
    }
)
memory.embedding_model = Embedding()


def add(items):
    for each in items:
        message = [{"role": "user", "content": each["text"]}]
        memory.add(message, user_id="one", infer=False, metadata={"place": each["id"]})


def search(text, limit, now):
    found = memory.search(text, top_k=limit, filters={"user_id": "one"}, threshold=0.0)
    return [each["metadata"]["place"] for each in found["results"]]


serve(add, search, lambda: size(folder))
