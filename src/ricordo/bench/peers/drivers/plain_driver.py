"""The plain baselines: BM25 over words, and the nearest vectors."""

import re

import numpy as np
from minilm import DIMENSION, EmbeddingModel
from rank_bm25 import BM25Okapi
from serve import arguments, serve

_, model, variant = arguments()
ids = []


def words(text):
    return re.findall(r"\w+", text.lower())


if variant == "bm25":
    texts = []
    index = None

    def add(items):
        global index
        ids.extend(each["id"] for each in items)
        texts.extend(words(each["text"]) for each in items)
        index = BM25Okapi(texts)

    def search(text, limit, now):
        scores = index.get_scores(words(text))
        return [ids[each] for each in np.argsort(-scores, kind="stable")[:limit]]

else:
    encode = EmbeddingModel(model)
    vectors = np.empty((0, DIMENSION), np.float32)

    def add(items):
        global vectors
        ids.extend(each["id"] for each in items)
        vectors = np.concatenate([vectors, encode([each["text"] for each in items])])

    def search(text, limit, now):
        return [ids[each] for each in np.argsort(-(vectors @ encode([text])[0]), kind="stable")[:limit]]


serve(add, search, lambda: 0)  # all of it is in memory
