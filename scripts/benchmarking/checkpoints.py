"""Checkpoints with random weights in the published format, made once under build/bench.

The door is `make_checkpoint`. The weights are those of a BERT with a pooler and a head of two labels, drawn from a
fixed seed and so large that the logits of two sentences differ by much more than the engines' rounding. The head's
bias makes both labels about as common, so that an engine that changes labels is seen.
"""

import json
import pathlib
import shutil
import tempfile

import numpy
from safetensors.numpy import save_file

from benchmarking.program import Headlight
from benchmarking.sizes import POSITIONS, SIZES, VOCABULARY
from benchmarking.texts import make_texts, write_rows
from common.program import ROOT

CACHE = ROOT / "build/bench"
PIECES = ROOT / "data/models/sentiment/vocab.txt"
SEED = 20
RECIPE = 2  # another number makes every cached folder anew
SPREAD = 4.0  # of the head's weights, against what would keep the size of a vector
SAMPLE = 100  # sentences that the head's bias is set by


def make_checkpoint(name):
    """The folder of the size `name`, which also keeps what is derived from it."""
    folder = CACHE / name
    recipe = {"recipe": RECIPE, "seed": SEED, "size": str(SIZES[name]), "pieces": PIECES.stat().st_size}
    mark = folder / "recipe.json"
    if mark.exists() and json.loads(mark.read_text()) == recipe:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "checkpoint").mkdir(parents=True)
    write_checkpoint(folder / "checkpoint", weights_of(SIZES[name]), SIZES[name])
    mark.write_text(json.dumps(recipe))
    return folder


def write_checkpoint(folder, tensors, size):
    pieces = PIECES.read_text(encoding="utf-8").split("\n")[:-1]
    pieces += [f"[unused{i}]" for i in range(VOCABULARY - len(pieces))]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(config_of(size), indent=1))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": POSITIONS})
    )
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    tensors["classifier.bias"] -= mean_logits(folder)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def mean_logits(folder):
    """Rounded, so that the last bits of a program do not show in the weights."""
    with tempfile.TemporaryDirectory() as scratch:
        rows = pathlib.Path(scratch, "rows.jsonl")
        write_rows(rows, make_texts(folder / "vocab.txt", SAMPLE))
        return numpy.mean(Headlight(folder).logits(rows), 0).round(2).astype(numpy.float32)


def config_of(size):
    return {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "vocab_size": VOCABULARY,
        "hidden_size": size.hidden,
        "num_hidden_layers": size.layers,
        "num_attention_heads": size.heads,
        "intermediate_size": size.intermediate,
        "hidden_act": "gelu",
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
        "id2label": {"0": "negative", "1": "positive"},
        "label2id": {"negative": 0, "positive": 1},
    }


def weights_of(size):
    """Tensors by their published names; a linear layer is [out, in]."""
    d, f = size.hidden, size.intermediate
    random = numpy.random.default_rng(SEED)
    tensors = {}

    def normal(shape, deviation):
        return random.standard_normal(shape, dtype=numpy.float32) * numpy.float32(deviation)

    def linear(name, outputs, inputs, gain=1.0):
        tensors[f"{name}.weight"] = normal((outputs, inputs), gain / inputs**0.5)
        tensors[f"{name}.bias"] = normal(outputs, 0.02)

    def norm(name):
        tensors[f"{name}.weight"] = 1 + normal(d, 0.1)
        tensors[f"{name}.bias"] = normal(d, 0.02)

    for table, rows in (("word", VOCABULARY), ("position", POSITIONS), ("token_type", 2)):
        tensors[f"bert.embeddings.{table}_embeddings.weight"] = normal((rows, d), 1.0 if table == "word" else 0.3)
    norm("bert.embeddings.LayerNorm")
    for i in range(size.layers):
        layer = f"bert.encoder.layer.{i}"
        for part in ("query", "key", "value"):
            linear(f"{layer}.attention.self.{part}", d, d)
        linear(f"{layer}.attention.output.dense", d, d)
        norm(f"{layer}.attention.output.LayerNorm")
        linear(f"{layer}.intermediate.dense", f, d)
        linear(f"{layer}.output.dense", d, f)
        norm(f"{layer}.output.LayerNorm")
    linear("bert.pooler.dense", d, d)
    linear("classifier", 2, d, SPREAD)
    return tensors
