"""The embedding model that all peers share: all-MiniLM-L6-v2 from the files that Ricordo uses, up to 256 word pieces a
text."""

import json

import numpy as np
import onnxruntime
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

DIMENSION = 384
_BATCH = 32


def tokenizer(model):
    made = Tokenizer(WordPiece.from_file(str(model / "vocab.txt"), unk_token="[UNK]"))
    made.normalizer = BertNormalizer()
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", 101), ("[SEP]", 102)]
    )
    return made


class EmbeddingModel:
    def __init__(self, model):
        self._tokenizer = tokenizer(model)
        self._tokenizer.enable_truncation(256)
        self._tokenizer.enable_padding()
        self._session = onnxruntime.InferenceSession(model / "model.onnx", providers=["CPUExecutionProvider"])

    def __call__(self, texts):
        """Vectors of length 1, in the order of the texts."""
        order = sorted(range(len(texts)), key=lambda each: len(texts[each]))
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        for start in range(0, len(order), _BATCH):
            part = order[start : start + _BATCH]
            pieces = self._tokenizer.encode_batch([texts[each] for each in part])
            ids = np.array([each.ids for each in pieces], np.int64)
            mask = np.array([each.attention_mask for each in pieces], np.int64)
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = self._session.run(["last_hidden_state"], feeds)[0]
            means = (states * mask[:, :, None]).sum(1)
            vectors[part] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors


def lay_out_for_chroma(model, home):
    """Put the files where chromadb's default embedding function looks for them, so that it fetches nothing."""
    folder = home / ".cache" / "chroma" / "onnx_models" / "all-MiniLM-L6-v2" / "onnx"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "special_tokens_map.json", "tokenizer_config.json"):
        (folder / name).write_text("{}")
    (folder / "vocab.txt").write_bytes((model / "vocab.txt").read_bytes())
    (folder / "model.onnx").symlink_to((model / "model.onnx").absolute())
    saved = json.loads(tokenizer(model).to_str())
    saved["added_tokens"] = [
        {"id": id, "content": name, "special": True, "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False}
        for id, name in ((0, "[PAD]"), (100, "[UNK]"), (101, "[CLS]"), (102, "[SEP]"))
    ]  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(saved))
