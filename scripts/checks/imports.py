"""Imports random torch models with scripts/import and compares headlight's logits with torch's.

    scripts/check imports
    HEADLIGHT=build/debug/bin/headlight scripts/check imports

Pickled BERT, in one file and in shards; classifiers on torch.nn.TransformerEncoder of many kinds; SentencePiece models
against the converters of transformers; and what must be refused. One line per check; logits may differ by 1e-4. Exit
status 1 if a check fails.
"""

import importlib
import json
import math
import pathlib
import random
import struct
import subprocess
import tempfile
import types

import torch
from common import program
from common.command_line import finish, parser
from safetensors.torch import load_file
from torch import nn

BOUND = 1e-4
WORDS = ["[UNK]", *(f"w{i}" for i in range(1, 40))]
failures = 0


def report(name, good, detail=""):
    global failures
    failures += not good
    print(f"{'ok  ' if good else 'FAIL'} {name}{': ' + detail if detail else ''}", flush=True)


def import_into(*arguments):
    command = [program.ROOT / "scripts/import", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def headlight_logits(folder, texts, *options):
    """Logits [texts, c] from the program, or a text that says why there are none."""
    lines = "".join(f"{text}\n" for text in texts)
    try:
        answers = program.rows("batch", "-", "--quiet", "--logits", "--model", folder, *options, data=lines)
    except program.ProgramError as error:
        return str(error)
    return torch.tensor(program.logits(answers))


def compare(name, ours, theirs):
    if isinstance(ours, str):
        return report(name, False, ours)
    difference = (ours - theirs).abs().max().item()
    report(name, difference <= BOUND, f"max |difference| {difference:.2g}")


# Classifiers of one's own.


class Homemade(nn.Module):
    """What tutorials build, in the kinds of `how`."""

    def __init__(self, how, d=24, heads=3, layers=2, classes=3, length=20):
        super().__init__()
        self.how, self.d, self.length = how, d, length
        self.embedding = nn.Embedding(len(WORDS), d)
        if how.get("positions") == "learned":
            self.position = nn.Embedding(length, d)
        elif how.get("positions") == "parameter":
            self.position = nn.Parameter(torch.randn(1, length, d))
        elif how.get("positions") == "buffer":
            self.register_buffer("pe", sinusoids(length, d).unsqueeze(1))  # [P, 1, d], as PyTorch's tutorial
        if how.get("embedding_norm"):
            self.norm = nn.LayerNorm(d)
        bias = how.get("bias", True)
        layer = nn.TransformerEncoderLayer(
            d,
            heads,
            32,
            activation=how.get("activation", "relu"),
            norm_first=how.get("norm_first", False),
            batch_first=True,
            bias=bias,
        )
        final = nn.LayerNorm(d) if how.get("final_norm") else None
        self.encoder = nn.TransformerEncoder(layer, layers, norm=final, enable_nested_tensor=False)
        if how.get("head_dense"):
            self.dense = nn.Linear(d, d)
        self.fc = nn.Linear(d, classes, bias=bias)
        for parameter in self.parameters():
            nn.init.normal_(parameter, 0.0 if parameter.dim() > 1 else 0.5, 0.3)

    def forward(self, ids):  # [1, n]
        n = ids.shape[1]
        x = self.embedding(ids) * (math.sqrt(self.d) if self.how.get("scale") else 1.0)
        kind = self.how.get("positions")
        if kind == "learned":
            x = x + self.position.weight[:n]
        elif kind == "parameter":
            x = x + self.position[:, :n]
        elif kind == "buffer":
            x = x + self.pe[:n, 0]
        elif kind == "computed":
            x = x + sinusoids(n, self.d)
        if self.how.get("embedding_norm"):
            x = self.norm(x)
        mask = nn.Transformer.generate_square_subsequent_mask(n) if self.how.get("causal") else None
        x = self.encoder(x, mask=mask)[0]
        pooled = {
            "cls": lambda: x[0],
            "last": lambda: x[-1],
            "mean": lambda: x.mean(0),
            "max": lambda: x.max(0).values,
        }[self.how.get("pooling", "mean")]()
        if self.how.get("head_dense"):
            pooled = torch.tanh(self.dense(pooled))
        return self.fc(pooled)


def sinusoids(n, d):
    angles = torch.arange(n).unsqueeze(1) / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], 2).reshape(n, d)


KINDS = {
    "post-norm, no positions": {},
    "pre-norm and final norm": {"norm_first": True, "final_norm": True, "positions": "learned"},
    "pre-norm without final norm": {"norm_first": True, "positions": "buffer", "scale": True},
    "post-norm and final norm": {"final_norm": True, "positions": "parameter", "activation": "gelu"},
    "computed sinusoids, cls": {"positions": "computed", "scale": True, "pooling": "cls"},
    "max, norm of the embedding": {"positions": "learned", "embedding_norm": True, "pooling": "max"},
    "causal, last": {"causal": True, "pooling": "last", "positions": "buffer"},
    "no biases": {"bias": False, "norm_first": True, "final_norm": True},
    "dense before the classifier": {"head_dense": True, "pooling": "cls", "activation": "gelu"},
    "filled to its length": {"pad": True, "positions": "learned"},
    "a checkpoint of a wrapped model": {"prefix": "module.", "key": "model_state_dict"},
    "a compiled model in float64": {"prefix": "_orig_mod.", "key": "state_dict", "double": True},
}


def map_of(how):
    """The map of a Homemade, with what is its default left out."""
    tensors = {"classifier": "fc"}
    places = {"learned": "position.weight", "parameter": "position", "buffer": "pe", "computed": "sinusoidal"}
    if how.get("positions"):
        tensors["positions"] = places[how["positions"]]
    if how.get("embedding_norm"):
        tensors["embedding_norm"] = "norm"
    config = {
        "num_attention_heads": 3,
        "id2label": ["a", "b", "c"],
        "tokenizer": {"type": "whitespace", "unk_token": "[UNK]"},
    }
    if how.get("head_dense"):
        tensors["head_dense"] = "dense"
        config["head_dense_act"] = "tanh"
    config |= {"norm_order": "pre"} if how.get("norm_first") else {}
    config |= {"embedding_scale": "sqrt"} if how.get("scale") else {}
    config |= {"attention_mask": "causal"} if how.get("causal") else {}
    config |= {"pad_to_length": 20} if how.get("pad") else {}
    config |= {to: how[name] for name, to in (("activation", "hidden_act"), ("pooling", "pooling")) if name in how}
    return {"tensors": tensors, "config": config, "words": "words.txt"}


def state_of(model, how):
    model = model.double() if how.get("double") else model
    state = {how.get("prefix", "") + name: tensor for name, tensor in model.state_dict().items()}
    return {"epoch": 3, how["key"]: state} if "key" in how else state


def texts_and_ids(count, longest):
    rng = random.Random(7)
    ids = [[rng.randrange(len(WORDS)) for _ in range(rng.randint(1, longest))] for _ in range(count)]
    return [" ".join(WORDS[i] for i in row) for row in ids], ids


def check_homemade(place, name, how):
    torch.manual_seed(len(name))
    model = Homemade(how).eval()
    place.mkdir()
    torch.save(state_of(model, how), place / "model.pt")
    model.float()
    (place / "map.json").write_text(json.dumps(map_of(how)))
    (place / "words.txt").write_text("".join(word + "\n" for word in WORDS))
    done = import_into(place / "model.pt", "--map", place / "map.json", "-o", place / "out")
    if done.returncode != 0:
        return report(name, False, done.stderr.strip())
    texts, ids = texts_and_ids(30, 20)
    if how.get("pad"):
        ids = [row + [0] * (20 - len(row)) for row in ids]
    with torch.no_grad():
        theirs = torch.stack([model(torch.tensor([row])) for row in ids])
    compare(name, headlight_logits(place / "out", texts), theirs)


# Published checkpoints.


def check_bert(place):
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=40,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=24,
        num_labels=3,
        initializer_range=0.5,
    )
    model = BertForSequenceClassification(config).eval()
    _, ids = texts_and_ids(20, 24)
    with torch.no_grad():
        theirs = torch.cat([model(torch.tensor([row])).logits for row in ids])
    state = model.state_dict()
    names = list(state)
    shards = {"pytorch_model-00001-of-00002.bin": names[::2], "pytorch_model-00002-of-00002.bin": names[1::2]}
    for name, files in (("pickled BERT", {"pytorch_model.bin": names}), ("BERT in shards", shards)):
        folder = place / name.split()[-1]
        folder.mkdir()
        config.architectures = ["BertForSequenceClassification"]
        config.save_pretrained(folder)
        for file, owned in files.items():
            torch.save({tensor: state[tensor] for tensor in owned}, folder / file)
        if len(files) > 1:
            owners = {tensor: file for file, owned in files.items() for tensor in owned}
            (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": owners}))
        done = import_into(folder)
        if done.returncode != 0:
            report(name, False, done.stderr.strip())
            continue
        stored = load_file(folder / "model.safetensors")
        report(
            f"{name}, tensors",
            stored.keys() == state.keys() and all(torch.equal(stored[tensor], state[tensor]) for tensor in names),
        )
        compare(name, headlight_logits(folder, [" ".join(map(str, row)) for row in ids], "--ids"), theirs)


# SentencePiece.


def wire(number, value):
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(number):
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def pieces_of(family):
    special = {"albert": [("<pad>", 3), ("<unk>", 2), ("[CLS]", 3), ("[SEP]", 3), ("[MASK]", 4)]}
    pieces = [(token, 0.0, kind) for token, kind in special.get(family, [("<unk>", 2), ("<s>", 3), ("</s>", 3)])]
    texts = [
        "▁",
        "▁the",
        "▁film",
        "s",
        "ing",
        "▁1",
        "9,",
        "▁(",
        "é",
        "中",
        "▁un",
        "aff",
        "able",
        *"abcdefghijklmnopqrstuvwxyz1,",
    ]
    return pieces + [(text, struct.unpack("<f", struct.pack("<f", -1.5 - i / 7))[0], 1) for i, text in enumerate(texts)]


def converter_of(family, pieces, charsmap):
    """transformers' own converter, with the proto handed to it: reading one needs packages that it does not."""
    reference = importlib.import_module("transformers.convert_slow_tokenizer")
    kind = {
        "xlm-roberta": reference.XLMRobertaConverter,
        "camembert": reference.CamembertConverter,
        "albert": reference.AlbertConverter,
    }[family]
    proto = types.SimpleNamespace(
        pieces=[types.SimpleNamespace(piece=text, score=score, type=kind) for text, score, kind in pieces],
        trainer_spec=types.SimpleNamespace(model_type=1, unk_id=1 if family == "albert" else 0),
        normalizer_spec=types.SimpleNamespace(precompiled_charsmap=charsmap),
    )
    converter = kind.__new__(kind)
    converter.proto = proto
    ids = {text: i for i, (text, _) in reversed(list(enumerate(converter.vocab(proto))))}
    converter.original_tokenizer = types.SimpleNamespace(
        keep_accents=False, do_lower_case=True, convert_tokens_to_ids=ids.__getitem__
    )
    return converter.converted()


def check_sentencepiece(place, family):
    from tokenizers import Tokenizer

    pieces = pieces_of(family)
    body = b"".join(
        wire(1, wire(1, text.encode()) + wire(2, score) + (b"" if kind == 1 else wire(3, kind)))
        for text, score, kind in pieces
    )
    body += wire(2, wire(3, 1) + wire(40, 1)) + wire(3, wire(1, b"nmt_nfkc") + wire(3, 1))
    place.mkdir()
    (place / "sentencepiece.bpe.model").write_bytes(body)
    (place / "config.json").write_text(json.dumps({"model_type": family}))
    torch.save({"a": torch.zeros(1)}, place / "pytorch_model.bin")
    done = import_into(place)
    if done.returncode != 0:
        return report(f"SentencePiece of {family}", False, done.stderr.strip())
    ours = Tokenizer.from_file(str(place / "tokenizer.json"))
    theirs = converter_of(family, pieces, b"")
    texts = ["the films", "  The  unaffable é 中 (19,) ", "filming\tthe", "x ``y'' 9,", "", "▁the", "<s> the </s>"]
    same = all(
        ours.encode(*pair).ids == theirs.encode(*pair).ids for text in texts for pair in [(text,), (text, "a b")]
    )
    report(f"SentencePiece of {family}", same)
    # <mask> is not the converter's: the tokenizer's class adds it.
    mask = "[MASK]" if family == "albert" else "<mask>"
    report(f"mask of {family}", ours.token_to_id(mask) in ours.encode(f"the {mask}").ids)


# What must be refused.


def check_refusals(place):
    place.mkdir()
    model = Homemade({})
    state = model.state_dict()
    torch.save(state, place / "model.pt")
    torch.save(model, place / "whole.pt")
    torch.save({**state, "extra.weight": torch.zeros(2)}, place / "extra.pt")
    torch.save({name: tensor for name, tensor in state.items() if name != "fc.weight"}, place / "lacks.pt")
    torch.save({**state, "fc.weight": torch.zeros(3, 25)}, place / "shape.pt")
    torch.save([1, 2], place / "list.pt")
    (place / "cut.pt").write_bytes((place / "model.pt").read_bytes()[:3000])
    (place / "text.pt").write_text("hello")
    (place / "words.txt").write_text("".join(word + "\n" for word in WORDS))
    (place / "many.txt").write_text("".join(f"{word}\n" for word in [*WORDS, "more"]))
    for name, edit in (("map", {}), ("unknown", {"colour": 1}), ("many", {"words": "many.txt"})):
        (place / f"{name}.json").write_text(json.dumps({**map_of({}), **edit}))
    no_heads = map_of({})
    del no_heads["config"]["num_attention_heads"]
    (place / "heads.json").write_text(json.dumps(no_heads))
    (place / "empty").mkdir()
    (place / "bare").mkdir()
    (place / "bare/config.json").write_text("{}")
    (place / "full").mkdir()
    for name in ("config.json", "model.safetensors"):
        (place / "full" / name).write_text("{}")

    def from_map(file, mapping="map", output="out"):
        return [place / file, "--map", place / f"{mapping}.json", "-o", place / output]

    cases = [
        ([place / "missing"], "missing: no such folder"),
        ([place / "model.pt"], "is not a folder"),
        ([place / "empty"], "has no config.json"),
        ([place / "bare"], "has no weights"),
        ([place / "full"], "has nothing to import"),
        (from_map("missing.pt"), "missing.pt: no such file"),
        (from_map("whole.pt"), "whole.pt: holds more than tensors"),
        (from_map("list.pt"), "list.pt: holds a list"),
        (from_map("cut.pt"), "cut.pt: is not a whole PyTorch file"),
        (from_map("text.pt"), "text.pt: is not a whole PyTorch file"),
        (from_map("extra.pt"), "says what extra.weight is"),
        (from_map("lacks.pt"), "no tensor fc.weight"),
        (from_map("shape.pt"), "found [3, 25]"),
        (from_map("model.pt", "unknown"), "colour: unknown"),
        (from_map("model.pt", "heads"), "config.num_attention_heads is missing"),
        (from_map("model.pt", "many"), "has 41 words, but the token embedding 40 rows"),
        (from_map("model.pt", output="full"), "exists already; --force replaces it"),
    ]
    for arguments, reason in cases:
        done = import_into(*arguments)
        one_line = done.stderr.count("\n") == 1 and done.stderr.startswith("import: ")
        report(f"refused: {reason}", done.returncode == 1 and one_line and reason in done.stderr, done.stderr.strip())


def main():
    parser("check imports", __doc__).parse_args()
    torch.backends.mha.set_fastpath_enabled(False)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for i, (name, how) in enumerate(KINDS.items()):
            check_homemade(place / f"kind{i}", name, how)
        check_bert(place)
        for family in ("xlm-roberta", "camembert", "albert"):
            check_sentencepiece(place / family, family)
        check_refusals(place / "refusals")
    print(f"{failures} checks failed" if failures else "all checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    finish(main)
