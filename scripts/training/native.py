"""A native model directory: config.json, model.safetensors in F16, vocab.txt. Written and read back.

The weights may be rounded to fewer significant bits than F16's eleven: the file is as long, but
what compresses it (git, an archive) makes it smaller.
"""

import copy
import json
import os
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save

from training.model import Classifier, Shape
from training.rows import DataError
from training.vocabulary import Casing, make_tokenizer


@dataclass
class Native:
    model: Classifier
    pieces: list[str]
    casing: Casing
    labels: list[str]
    pad_id: int

    def tokenizer(self):
        """Texts to ids, as headlight does it. A causal model reads the words alone: while they
        come nobody knows where [SEP] is."""
        shape = self.model.shape
        return make_tokenizer(self.pieces, self.casing, shape.max_position_embeddings, special=not shape.causal)


def config_of(native):
    shape = native.model.shape
    return {
        "model_type": "headlight",
        "vocab_size": shape.vocab_size,
        "hidden_size": shape.hidden_size,
        "num_hidden_layers": shape.num_hidden_layers,
        "num_attention_heads": shape.num_attention_heads,
        "intermediate_size": shape.intermediate_size,
        "hidden_act": "gelu",
        "position_embedding_type": "absolute",
        "max_position_embeddings": shape.max_position_embeddings,
        "type_vocab_size": 0,
        "embedding_layer_norm": True,
        "norm_order": "post",
        "layer_norm_eps": shape.layer_norm_eps,
        "pooling": shape.pooling,
        **({"attention_mask": "causal"} if shape.causal else {}),
        "id2label": {str(i): name for i, name in enumerate(native.labels)},
        "problem_type": "single_label_classification",
        "pad_token_id": native.pad_id,
        "tokenizer": {
            "type": "wordpiece",
            "lowercase": native.casing.lowercase,
            "strip_accents": native.casing.strip_accents,
            "unk_token": "[UNK]",
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "add_special_tokens": not shape.causal,
        },
    }


def stored(tensor, bits):
    """The tensor in F16 with `bits` significant bits, 2 to 11: nearest, ties to even."""
    drop = 11 - bits
    halves = tensor.half().contiguous()
    if drop == 0:
        return halves
    raw = halves.view(torch.int16).int()  # sign and magnitude: adding rounds away from zero on both sides
    raw = raw + ((1 << (drop - 1)) - 1) + ((raw >> drop) & 1)
    return (raw >> drop << drop).to(torch.int16).view(torch.float16)


def write(native, folder, bits=11):
    """Writes the directory; files of other names in it stay. Each file is replaced whole."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: stored(tensor, bits) for name, tensor in native.model.state_dict().items()}
    for name, tensor in halves.items():
        if not torch.isfinite(tensor).all():
            raise DataError(f"{name} has numbers that F16 cannot hold; nothing was written")
    config = json.dumps(config_of(native), indent=2, ensure_ascii=False) + "\n"
    vocabulary = "".join(piece + "\n" for piece in native.pieces)
    _replace(folder / "model.safetensors", save(halves))
    _replace(folder / "vocab.txt", vocabulary.encode())
    _replace(folder / "config.json", config.encode())


def _replace(path, content):
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(content)
    os.replace(fresh, path)


def rounded(model, bits=11):
    """A copy of the model with the weights that `write` stores."""
    result = copy.deepcopy(model)
    result.load_state_dict({name: stored(tensor, bits).float() for name, tensor in model.state_dict().items()})
    return result


def read(folder):
    """The model of a directory that `write` made. Raises DataError for fields that the trainer does not make."""
    folder = Path(folder)
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "model.safetensors")
        pieces = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as error:
        raise DataError(f"no {error.filename or folder / 'model.safetensors'}") from None
    tokenizer = config.get("tokenizer", {})
    sizes = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    missing = [name for name in (*sizes, "max_position_embeddings", "id2label") if name not in config]
    if missing:
        raise DataError(f"{folder}/config.json: no {missing[0]}; only what scripts/train writes can be read")
    labels = [config["id2label"][str(i)] for i in range(len(config["id2label"]))]
    shape = Shape(
        **{name: config[name] for name in sizes},
        max_position_embeddings=config["max_position_embeddings"],
        classes=len(labels),
        pooling=config.get("pooling", "mean"),
        causal=config.get("attention_mask") == "causal",
        layer_norm_eps=config.get("layer_norm_eps", 1e-5),
    )
    model = Classifier(shape)
    casing = Casing(tokenizer.get("lowercase", False), tokenizer.get("strip_accents", False))
    native = Native(model, pieces, casing, labels, config.get("pad_token_id", 0))
    for field, value in config_of(native).items():
        if config.get(field) != value:
            found = config.get(field)
            raise DataError(f"{folder}/config.json: {field} is {found!r}, and scripts/train writes {value!r}")
    model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    return native
