"""A classifier of one's own on torch.nn.TransformerEncoder: its state dict and a map to a native directory.

The map says which tensor is what (`tensors`), what no tensor can say (`config`, in the names of a native
config.json) and where the words are; README.md beside this file has the table.
"""

import math
import re
import sys

from common import program
from importing import agreement, vocabulary
from importing.files import (
    Writer,
    check_tensors,
    json_bytes,
    read_json,
    read_object,
    read_pickle,
    safetensors_bytes,
)
from importing.problem import Problem

SECTIONS = ("tensors", "config", "words", "tokenizer_json")
TENSORS = (
    "token_embedding",
    "positions",
    "token_types",
    "embedding_norm",
    "layers",
    "final_norm",
    "head_dense",
    "classifier",
    "ignored",
)
# Fields of a native config that the tensors do not tell.
CONFIG = (
    "num_attention_heads",
    "hidden_act",
    "max_position_embeddings",
    "embedding_scale",
    "attention_mask",
    "attention_scale",
    "norm_order",
    "layer_norm_eps",
    "pooling",
    "head_dense_act",
    "id2label",
    "problem_type",
    "pad_token_id",
    "pad_to_length",
    "tokenizer",
)
WORDS = {"words": "vocab.txt", "tokenizer_json": "tokenizer.json"}
STATE_DICTS = ("state_dict", "model_state_dict", "model")
WRAPPERS = ("module.", "_orig_mod.")  # DataParallel, torch.compile


def convert(source, map_path, output, force, texts=None):
    """Lines that say what was written, after the program has loaded it; `texts` are rows to compare."""
    mapping = read_map(map_path)
    rows = agreement.read_rows(texts) if texts else []
    state = State(read_state_dict(source), source)
    native = Native(state, mapping, map_path)
    native.embeddings()
    native.layers()
    native.head()
    state.refuse_unused(mapping["tensors"].get("ignored", []))
    writer = Writer(output, force)
    words = []
    if "tokenizer_json" in mapping:
        writer.add("tokenizer.json", (map_path.parent / mapping["tokenizer_json"]).read_bytes())
    if "words" in mapping:
        words = add_words(writer, native.config, map_path.parent / mapping["words"])
    writer.add("model.safetensors", safetensors_bytes(native.tensors, source))
    writer.add("config.json", json_bytes(native.config))
    for name in ("tokenizer.json", "vocab.txt"):
        if name not in writer.contents:
            writer.drop(name)

    def trial(folder):
        sources = {"config.json": map_path, "model.safetensors": source}
        sources |= {to: map_path.parent / mapping[key] for key, to in WORDS.items() if key in mapping}
        try:
            load(folder, sources)
        except program.ProgramError as error:
            if error.status is not None or rows:
                raise
            return print(f"import: not loaded on trial: {error}", file=sys.stderr)
        if words and "tokenizer_json" not in mapping:
            warning = vocabulary.warning(folder, native.config, words, sources["vocab.txt"])
            if warning:
                print(f"import: warning: {warning}", file=sys.stderr)
        if rows:
            agreement.check(folder, rows, texts)

    return writer.write(trial)


def load(folder, sources):
    """A Problem with what the program says against the model, by the names of the files that it was made of."""
    try:
        program.run("inspect", "-m", folder, "--quiet")
    except program.ProgramError as error:
        if error.status is None:
            raise
        reason = str(error).partition("headlight: ")[2] or str(error)
        for name, place in (("config.json: ", "config."), ("vocab.txt: tokenizer.", "config.tokenizer.")):
            reason = reason.replace(f"{folder}/{name}", f"{sources['config.json']}: {place}")
        for name, path in sources.items():
            reason = reason.replace(f"{folder}/{name}", str(path))
        raise Problem(reason) from None


def read_map(path):
    mapping = read_object(path)
    refuse_unknown(path, "", mapping, SECTIONS)
    for section, known in (("tensors", TENSORS), ("config", CONFIG)):
        if not isinstance(mapping.setdefault(section, {}), dict):
            raise Problem(f"{path}: {section}: expected an object")
        refuse_unknown(path, section + ".", mapping[section], known)
    if not isinstance(mapping["config"].get("tokenizer", {}), dict):
        raise Problem(f"{path}: config.tokenizer: expected an object")
    for name, found in mapping["tensors"].items():
        if name == "ignored":
            fits, expected = isinstance(found, list) and all(isinstance(n, str) for n in found), "a list of names"
        else:
            fits, expected = isinstance(found, str) or (name == "positions" and found is None), "the name of a tensor"
        if not fits:
            raise Problem(f"{path}: tensors.{name}: found {found!r}, expected {expected}")
    for name in WORDS:
        if not isinstance(mapping.get(name, ""), str):
            raise Problem(f"{path}: {name}: found {mapping[name]!r}, expected the name of a file")
    if not isinstance(mapping["config"].get("id2label", []), (list, dict)):
        raise Problem(f"{path}: config.id2label: expected a list of labels")
    if "num_attention_heads" not in mapping["config"]:
        raise Problem(f"{path}: config.num_attention_heads is missing: no tensor tells it")
    return mapping


def refuse_unknown(path, place, found, known):
    for key in found:
        if key not in known:
            raise Problem(f"{path}: {place}{key}: unknown, expected one of {', '.join(known)}")


def read_state_dict(path):
    """Tensors by name: of the file itself, or of the part of a training checkpoint that has them."""
    found = read_pickle(path)
    for key in STATE_DICTS:
        if isinstance(found, dict) and isinstance(found.get(key), dict):
            found = found[key]
            break
    tensors = dict(check_tensors(found, path))
    for wrapper in WRAPPERS:
        if all(name.startswith(wrapper) for name in tensors):
            tensors = {name.removeprefix(wrapper): tensor for name, tensor in tensors.items()}
    return tensors


class State:
    """The tensors of a file: each is asked for by name and shape, and what nobody asked for is an error."""

    def __init__(self, tensors, path):
        self.tensors = tensors
        self.path = path
        self.taken = set()

    def has(self, name):
        return name in self.tensors

    def take(self, name, *shape):
        """The tensor, of `shape`; None stands for any size, and sizes of 1 are dropped where there are too many."""
        if name not in self.tensors:
            raise Problem(f"{self.path}: no tensor {name}; there are {', '.join(list(self.tensors)[:8])} …")
        tensor = self.tensors[name]
        if tensor.dim() > len(shape) and len([n for n in tensor.shape if n != 1]) <= len(shape):
            sizes = [n for n in tensor.shape if n != 1]
            tensor = tensor.reshape([1] * (len(shape) - len(sizes)) + sizes)
        fits = tensor.dim() == len(shape) and all(want in (None, n) for want, n in zip(shape, tensor.shape))
        if not fits or not tensor.is_floating_point():
            wanted = ", ".join("any" if n is None else str(n) for n in shape)
            found = f"{list(self.tensors[name].shape)} of {self.tensors[name].dtype}"
            raise Problem(f"{self.path}: tensor {name}: found {found}, expected floats of [{wanted}]")
        self.taken.add(name)
        return tensor

    def refuse_unused(self, ignored):
        """`ignored` names tensors without effect, or what their names begin with."""
        unused = [n for n in self.tensors if n not in self.taken and not n.startswith(tuple(ignored))]
        if unused:
            raise Problem(
                f"{self.path}: nothing in the map says what {', '.join(unused[:8])} "
                f"{'is' if len(unused) == 1 else 'are'}; tensors.ignored names what has no effect"
            )


class Native:
    """Tensors and config of the native model, in the names of the specification."""

    def __init__(self, state, mapping, path):
        self.state = state
        self.places = mapping["tensors"]
        self.path = path
        self.config = {"model_type": "headlight", **mapping["config"]}
        self.tensors = {}

    def complain(self, what):
        raise Problem(f"{self.path}: {what}")

    def copy_linear(self, name, source, out, into):
        """Weight [out, in] and bias [out]; a bias that torch left out is one of zeros."""
        weight = self.tensors[name + ".weight"] = self.state.take(source + ".weight", out, into)
        has_bias = self.state.has(source + ".bias")
        bias = self.state.take(source + ".bias", len(weight)) if has_bias else weight.new_zeros(len(weight))
        self.tensors[name + ".bias"] = bias
        return weight

    def copy_norm(self, name, source):
        weight = self.tensors[name + ".weight"] = self.state.take(source + ".weight", self.hidden_size)
        has_bias = self.state.has(source + ".bias")
        bias = self.state.take(source + ".bias", self.hidden_size) if has_bias else weight.new_zeros(len(weight))
        self.tensors[name + ".bias"] = bias

    def embeddings(self):
        words = self.state.take(self.places.get("token_embedding", "embedding.weight"), None, None)
        self.tensors["embeddings.token.weight"] = words
        self.config["vocab_size"], self.config["hidden_size"] = words.shape
        self.hidden_size = words.shape[1]
        self.positions(self.places.get("positions"))
        if "token_types" in self.places:
            types = self.state.take(self.places["token_types"], None, self.hidden_size)
            self.tensors["embeddings.token_type.weight"] = types
            self.config["type_vocab_size"] = len(types)
        if self.config.get("embedding_scale") == "sqrt":
            self.config["embedding_scale"] = math.sqrt(self.hidden_size)
        self.config["embedding_layer_norm"] = "embedding_norm" in self.places
        if "embedding_norm" in self.places:
            self.copy_norm("embeddings.norm", self.places["embedding_norm"])

    def positions(self, place):
        """A learned table, or the buffer of a sinusoidal one: stored, its float32 numbers are exactly those used."""
        if place is None or place == "sinusoidal":
            self.config["position_embedding_type"] = place or "none"
            return
        table = self.state.take(place, None, self.hidden_size)
        asked = self.config.setdefault("max_position_embeddings", len(table))
        if not isinstance(asked, int) or not 0 < asked <= len(table):
            self.complain(f"config.max_position_embeddings: found {asked!r}, and {place} has {len(table)} rows")
        self.tensors["embeddings.position.weight"] = table[:asked]
        self.config["position_embedding_type"] = "absolute"

    def layers(self):
        prefix = self.places.get("layers", "encoder.layers")
        numbers = {int(m[1]) for m in (re.match(re.escape(prefix) + r"\.(\d+)\.", n) for n in self.state.tensors) if m}
        if not numbers:
            self.complain(f"tensors.layers: no tensor of {self.state.path} begins with {prefix}.0.")
        if numbers != set(range(len(numbers))):
            self.complain(f"tensors.layers: found the layers {sorted(numbers)}, expected all from 0 on")
        heads = self.config["num_attention_heads"]
        if not isinstance(heads, int) or heads < 1 or self.hidden_size % heads:
            self.complain(f"config.num_attention_heads: {heads!r} does not divide the hidden size {self.hidden_size}")
        self.config["num_hidden_layers"] = len(numbers)
        for i in range(len(numbers)):
            self.layer(f"layers.{i}", f"{prefix}.{i}")
        beside = prefix.removesuffix("layers") + "norm"
        final = self.places.get("final_norm", beside if self.state.has(beside + ".weight") else None)
        if (final is not None) != (self.config.get("norm_order") == "pre"):
            self.config["final_norm"] = final is not None
        if final is not None:
            self.copy_norm("final_norm", final)

    def layer(self, name, source):
        d = self.hidden_size
        stacked = self.state.take(source + ".self_attn.in_proj_weight", 3 * d, d)
        bias = source + ".self_attn.in_proj_bias"
        biases = self.state.take(bias, 3 * d) if self.state.has(bias) else stacked.new_zeros(3 * d)
        for part, weight, bias in zip(("query", "key", "value"), stacked.split(d), biases.split(d)):
            self.tensors[f"{name}.attention.{part}.weight"] = weight
            self.tensors[f"{name}.attention.{part}.bias"] = bias
        self.copy_linear(name + ".attention.output", source + ".self_attn.out_proj", d, d)
        width = self.config.get("intermediate_size")
        self.config["intermediate_size"] = len(
            self.copy_linear(name + ".feed_forward.up", source + ".linear1", width, d)
        )
        self.copy_linear(name + ".feed_forward.down", source + ".linear2", d, self.config["intermediate_size"])
        self.copy_norm(name + ".attention.norm", source + ".norm1")
        self.copy_norm(name + ".feed_forward.norm", source + ".norm2")

    def head(self):
        if "head_dense" in self.places:
            self.copy_linear("head.dense", self.places["head_dense"], self.hidden_size, self.hidden_size)
        if ("head_dense" in self.places) != (self.config.get("head_dense_act") is not None):
            self.complain("tensors.head_dense and config.head_dense_act go together")
        classifier = self.copy_linear("classifier", self.places.get("classifier", "classifier"), None, self.hidden_size)
        labels = self.config.setdefault("id2label", [f"LABEL_{i}" for i in range(len(classifier))])
        if len(labels) != len(classifier):
            self.complain(f"config.id2label: found {len(labels)} labels, and the classifier has {len(classifier)} rows")


def read_words(path):
    """Words by id, of a list or an object in JSON, or a word a line."""
    if path.suffix != ".json":
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            raise Problem(f"{path}: is not UTF-8") from None
        return [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]
    words = read_json(path)
    if isinstance(words, dict):
        if sorted(words.values(), key=repr) != sorted(range(len(words)), key=repr):
            raise Problem(f"{path}: expected each id from 0 to {len(words) - 1} once")
        words = sorted(words, key=words.get)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Problem(f"{path}: expected a list of words, or an object of words and their ids")
    return words


def add_words(writer, config, path):
    """As vocab.txt, or in the config where a word would not survive as a line. Gives the words."""
    words = read_words(path)
    if not words:
        raise Problem(f"{path}: has no words")
    if len(set(words)) != len(words):
        twice = next(word for word in words if words.count(word) > 1)
        raise Problem(f"{path}: has {twice!r} twice")
    if len(words) > config["vocab_size"]:
        raise Problem(f"{path}: has {len(words)} words, but the token embedding {config['vocab_size']} rows")
    if all(word and word == word.rstrip() and "\n" not in word for word in words):
        writer.add("vocab.txt", "".join(word + "\n" for word in words).encode())
    else:
        config["tokenizer"] = {**config.get("tokenizer", {}), "vocabulary": words}
    return words
