"""Encoding with the real model."""

from __future__ import annotations

import hashlib
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from models import model_folder
from ricordo import embedding
from ricordo.embedding import EmbeddingModel
from ricordo.embedding.catalog import MODELS
from ricordo.embedding.integers import in_integers
from ricordo.errors import ModelUnavailable
from ricordo.settings import Settings

PREPARED = MODELS[0].prepared

SENTENCES = [
    "The cat sat on the warm windowsill.",
    "A kitten was resting by the window in the sun.",
    "Quarterly revenue fell by three percent.",
    "My daughter starts school in Lyon next September.",
]


@pytest.fixture(scope="module")
def embedding_model() -> EmbeddingModel:
    return embedding.load(Settings(model_dir=model_folder(), embedding_threads=2))


def run_python(code: str) -> str:
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return finished.stdout.strip()


def test_vectors_have_the_published_shape_and_unit_length(embedding_model: EmbeddingModel) -> None:
    vectors = embedding_model.encode(SENTENCES)
    assert (embedding_model.name, embedding_model.dimension) == ("all-MiniLM-L6-v2", 384)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_vectors_are_those_of_the_published_network(embedding_model: EmbeddingModel) -> None:
    # Reckoned from the published float32 weights with a plain numpy implementation of BERT.
    cosines = [
        [1.0000, 0.6263, -0.0336, -0.0374],
        [0.6263, 1.0000, 0.0182, -0.1197],
        [-0.0336, 0.0182, 1.0000, -0.0259],
        [-0.0374, -0.1197, -0.0259, 1.0000],
    ]
    first = [
        [0.1230, 0.0056, -0.0218, 0.1473],
        [0.0753, 0.0754, -0.0030, 0.0896],
        [0.0759, 0.0120, 0.0265, -0.0415],
        [0.0577, -0.0566, 0.0142, -0.0182],
    ]
    vectors = embedding_model.encode(SENTENCES)
    np.testing.assert_allclose(vectors @ vectors.T, cosines, atol=0.015)
    np.testing.assert_allclose(vectors[:, :4], first, atol=0.01)


def test_the_network_computes_in_integers() -> None:
    session = onnxruntime.InferenceSession(in_integers(model_folder() / "model.onnx"))
    floats = onnxruntime.InferenceSession(model_folder() / "model.onnx")
    pieces = np.array([[101, *range(2000, 2100), 102]], np.int64)
    feeds = {"input_ids": pieces, "attention_mask": np.ones_like(pieces), "token_type_ids": np.zeros_like(pieces)}
    ours, theirs = (each.run(None, feeds)[0][0] for each in (session, floats))
    likeness = np.sum(ours * theirs, 1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    assert likeness.min() > 0.995
    assert not np.allclose(ours, theirs, atol=1e-4)


def test_a_vector_depends_neither_on_its_neighbors_nor_on_their_order(embedding_model: EmbeddingModel) -> None:
    texts = [sentence * (1 + number % 7) for number in range(10) for sentence in SENTENCES]
    together = embedding_model.encode(texts)
    np.testing.assert_array_equal(together[::-1], embedding_model.encode(texts[::-1]))
    alone = np.concatenate([embedding_model.encode([text]) for text in texts[:28]])
    np.testing.assert_array_equal(together[:28], alone)


def test_more_texts_than_are_cut_at_once_keep_their_order(embedding_model: EmbeddingModel) -> None:
    texts = [str(number) for number in range(1100)]
    vectors = embedding_model.encode(texts)
    for number in (0, 1023, 1024, 1099):
        np.testing.assert_allclose(vectors[number], embedding_model.encode([texts[number]])[0], atol=1e-6)


def test_no_text_gives_no_vector(embedding_model: EmbeddingModel) -> None:
    assert embedding_model.encode([]).shape == (0, 384)


def test_a_caller_may_change_what_it_got(embedding_model: EmbeddingModel) -> None:
    first = embedding_model.encode(["once"])
    kept = first.copy()
    first *= 0
    np.testing.assert_array_equal(embedding_model.encode(["once"]), kept)


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "\0", "half of a pair: \ud83d", "🦜" * 300, "한국어 문장 " * 300, "x" * 1_000_000, "word " * 200_000],
    ids=["empty", "blank", "NUL", "lone surrogate", "emoji", "Korean", "one long word", "a megabyte"],
)
def test_odd_text_has_a_vector(embedding_model: EmbeddingModel, text: str) -> None:
    alone, beside = embedding_model.encode([text]), embedding_model.encode([text, "beside it"])[:1]
    np.testing.assert_allclose(np.linalg.norm(alone), 1, atol=1e-6)
    np.testing.assert_allclose(alone, beside, atol=1e-6)


@hypothesis_settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(), max_size=60), min_size=1, max_size=4))
def test_any_strings_have_finite_unit_vectors(embedding_model: EmbeddingModel, texts: list[str]) -> None:
    np.testing.assert_allclose(np.linalg.norm(embedding_model.encode(texts), axis=1), 1, atol=1e-6)


def test_what_a_long_text_says_late_counts_too(embedding_model: EmbeddingModel) -> None:
    opening = "We talked about the garden, the fence, and when to water the tomatoes. " * 16
    late = "Then the surgeon explained how the knee operation would go and how long I must rest. "
    [question] = embedding_model.encode(["When is the knee surgery, and what about recovery?"])
    without, within = embedding_model.encode([opening, opening + late * 16])
    assert question @ within > question @ without + 0.1


def test_marks_of_the_network_are_only_text(embedding_model: EmbeddingModel) -> None:
    marked, spelt, cut = embedding_model.encode(["[SEP] [CLS]", "[ sep ] [ cls ]", ""])
    np.testing.assert_allclose(marked, spelt, atol=1e-6)
    assert marked @ cut < 0.99


def test_one_embedding_model_serves_all_threads_of_a_process() -> None:
    settings = Settings(model_dir=model_folder(), embedding_threads=1)
    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(lambda _: embedding.load(settings), range(8)))
        assert len({id(each) for each in loaded}) == 1
        answers = list(pool.map(loaded[0].encode, [SENTENCES] * 16))
    for answer in answers:
        np.testing.assert_allclose(answer, answers[0], atol=1e-6)


def test_importing_the_package_imports_no_model_library() -> None:
    heavy = "{'numpy', 'onnxruntime', 'tokenizers'}"
    assert run_python(f"import sys, ricordo.embedding; print({heavy} & set(sys.modules))") == "set()"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory that Linux reports")
def test_a_process_with_the_embedding_model_stays_small() -> None:
    code = f"""
from pathlib import Path
from ricordo import embedding
from ricordo.settings import Settings
def resident():
    return int(next(line for line in open('/proc/self/status') if line.startswith('VmRSS')).split()[1]) // 1024
embedding_model = embedding.load(Settings(model_dir=Path({str(model_folder())!r}), embedding_threads=2))
embedding_model.encode(['one question'])
loaded = resident()
embedding_model.encode(['a long text of many words ' * 300] * 8)
print(loaded, resident() - loaded)
"""
    loaded, more = map(int, run_python(code).split())
    assert loaded < 260, "MB with the embedding model loaded"
    assert more < 200, "MB more after long texts"


def test_nothing_installed_is_said_with_what_to_do(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert embedding.present(settings) is None
    assert {each.state for each in embedding.installed(settings)} == {"absent"}
    with pytest.raises(ModelUnavailable) as raised:
        embedding.load(settings)
    for part in ("ricordo models install", "RICORDO_MODEL_DIR", "model.onnx", "vocab.txt", str(tmp_path), "sha256"):
        assert part in str(raised.value)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    settings = Settings(model_dir=tmp_path)
    other = {"model.onnx": "vocab.txt", "vocab.txt": "model.onnx"}[name]
    (tmp_path / other).symlink_to(model_folder() / other)
    assert embedding.present(settings) is None
    assert embedding.installed(settings)[0].state == "incomplete"
    with pytest.raises(ModelUnavailable, match=rf"{name} is missing"):
        embedding.load(settings)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt"])
def test_one_changed_byte_is_found_on_loading(tmp_path: Path, name: str) -> None:
    settings = Settings(model_dir=tmp_path)
    for each in ("model.onnx", "vocab.txt"):
        shutil.copyfile(model_folder() / each, tmp_path / each)
    with (tmp_path / name).open("r+b") as file:
        file.seek(100_000)
        byte = file.read(1)
        file.seek(100_000)
        file.write(bytes([byte[0] ^ 1]))
    assert embedding.installed(settings)[0].state == "damaged"
    with pytest.raises(ModelUnavailable, match=rf"{name} is damaged .* run `ricordo models install`"):
        embedding.load(settings)


def _prepared_network(folder: Path) -> Path:
    """The file of the network that was prepared in a folder, which must be whole."""
    assert PREPARED is not None
    path = folder / PREPARED.name
    assert hashlib.sha256(path.read_bytes()).hexdigest() == PREPARED.sha256
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    return path


@pytest.mark.parametrize("before", [None, b"", b"half of it"], ids=["absent", "empty", "damaged"])
def test_the_first_load_prepares_the_network_and_the_next_ones_do_not(tmp_path: Path, before: bytes | None) -> None:
    for each in ("model.onnx", "vocab.txt"):
        (tmp_path / each).symlink_to(model_folder() / each)
    assert PREPARED is not None
    if before is not None:
        (tmp_path / PREPARED.name).write_bytes(before)
    code = f"""
import sys
from pathlib import Path
from ricordo import embedding
from ricordo.settings import Settings
embedding.load(Settings(model_dir=Path({str(tmp_path)!r}))).encode(["hello"])
print("ricordo.embedding.integers" in sys.modules)
"""
    assert run_python(code).split() == ["True"]
    path = _prepared_network(tmp_path)
    made = path.stat()
    assert run_python(code).split() == ["False"]
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (made.st_ino, made.st_mtime_ns)
    assert sorted(each.name for each in tmp_path.iterdir()) == [PREPARED.name, "model.onnx", "vocab.txt"]


def test_processes_that_load_at_once_leave_one_whole_network(tmp_path: Path) -> None:
    for each in ("model.onnx", "vocab.txt"):
        (tmp_path / each).symlink_to(model_folder() / each)
    code = f"""
from pathlib import Path
from ricordo import embedding
from ricordo.settings import Settings
embedding.load(Settings(model_dir=Path({str(tmp_path)!r})))
"""
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    _prepared_network(tmp_path)
    assert len([*tmp_path.iterdir()]) == 3


def test_where_the_network_cannot_be_kept_it_is_made_anew(tmp_path: Path) -> None:
    for each in ("model.onnx", "vocab.txt"):
        (tmp_path / each).symlink_to(model_folder() / each)
    assert PREPARED is not None
    (tmp_path / PREPARED.name).mkdir()
    assert embedding.load(Settings(model_dir=tmp_path)).encode(["hello"]).shape == (1, 384)
    assert len([*tmp_path.iterdir()]) == 3


def test_a_model_is_used_where_it_was_put_by_hand(tmp_path: Path) -> None:
    for each in ("model.onnx", "vocab.txt"):
        (tmp_path / each).symlink_to(model_folder() / each)
    settings = Settings(home=tmp_path / "none", model_dir=tmp_path)
    found, *others = embedding.installed(settings)
    assert embedding.present(settings)
    assert {each.state for each in others} == {"absent"}
    assert (found.state, found.path, found.dimension, found.size) == ("ready", tmp_path, 384, 23_160_127)
    assert embedding.load(settings).encode(["hello"]).shape == (1, 384)
