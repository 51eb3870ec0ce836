"""Vectors of word pieces: how they are packed, what the real model gives, and how alike texts are by them."""

from __future__ import annotations

import numpy as np
import pytest

from models import OTHER, model_folder
from ricordo import embedding
from ricordo.embedding import TokenModel
from ricordo.embedding.tokens import BYTES, DIMENSIONS, matches, packed
from ricordo.settings import Settings

TURN = "Ada: We gave the kayak to my cousin in Tromsø."
BEFORE = "What became of the boat?"


@pytest.fixture(scope="module")
def model() -> TokenModel:
    found = embedding.load(Settings(model_dir=model_folder(), embedding_threads=2))
    assert isinstance(found, TokenModel)
    return found


def _unit(rows: np.ndarray) -> np.ndarray:
    found: np.ndarray = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


def test_packing_keeps_the_direction() -> None:
    vectors = _unit(np.random.default_rng(1).normal(size=(40, DIMENSIONS)))
    assert len(packed(vectors)) == 40 * BYTES
    for vector in vectors:
        assert matches(vector[None], [packed(vector[None])]) > 0.98


def test_each_piece_of_the_question_counts_by_its_best_match() -> None:
    east, north, up = np.eye(DIMENSIONS, dtype=np.float32)[:3, None]
    both = np.concatenate([east, north])
    texts = [packed(both), packed(np.concatenate([up, east])), packed(up), None, b"", packed(-both)]
    expected = np.array([[1, 1], [1, 0], [0, 0], [0, 0], [0, 0], [0, 0]])
    assert matches(both, texts) == pytest.approx(expected, abs=1e-3)
    assert matches(both[:0], texts).shape == (6, 0)
    assert matches(both, []).shape == (0, 2)


def test_one_run_gives_the_vector_of_the_text_and_those_of_its_own_telling_pieces(model: TokenModel) -> None:
    text = f"{TURN} {BEFORE}"
    texts, own = [text, TURN, "It is what it is.", ""], [len(TURN), len(TURN), 17, 0]
    vectors, tokens = model.encode_with_tokens(texts, own)
    np.testing.assert_allclose(vectors, model.encode(texts), atol=1e-6)  # type: ignore[attr-defined]
    # ada, gave, kayak, cousin, trom, ##s, ##ø or so: no stop word, no sign, and nothing of the turn before.
    assert [None if each is None else len(each) % BYTES for each in tokens] == [0, 0, None, None]
    assert tokens[0] is not None and tokens[1] is not None
    assert len(tokens[0]) == len(tokens[1]) and 5 <= len(tokens[0]) // BYTES <= 9
    assert tokens[0] != tokens[1]  # the network has read the turn before


def test_the_wording_tells_a_turn_from_another_in_other_words(model: TokenModel) -> None:
    said = [TURN, "Ada: We sold the piano to a school in Bergen.", "Ada: My cousin gave us a dog."]
    _, tokens = model.encode_with_tokens(said, [len(each) for each in said])
    found = matches(model.question_tokens("Who has our canoe now, a relative?"), tokens).mean(axis=1)
    assert int(np.argmax(found)) == 0


def test_a_question_of_stop_words_alone_still_has_pieces(model: TokenModel) -> None:
    assert model.question_tokens("Who is it?").shape == (4, DIMENSIONS)
    assert model.question_tokens("").shape == (0, DIMENSIONS)
    assert model.question_tokens("Where is the boat?").shape == (1, DIMENSIONS)


def test_a_long_text_has_the_vectors_of_its_first_pieces_across_windows(model: TokenModel) -> None:
    words = " ".join(f"and the boat {number}" for number in range(300))
    _, [tokens] = model.encode_with_tokens([words], [len(words)])
    assert tokens is not None and len(tokens) == 128 * BYTES
    rare = "the of and " * 100 + "boat"
    _, [late] = model.encode_with_tokens([rare], [len(rare)])
    assert late is not None and len(late) == BYTES
    assert matches(model.question_tokens("boat"), [late]).mean() > 0.4


def test_a_model_of_another_kind_has_none() -> None:
    other = embedding.load(Settings(model_dir=model_folder()), OTHER)
    assert not isinstance(other, TokenModel)
