"""Imports random torch models with scripts/import and compares headlight's logits with torch's.

    scripts/check imports
    HEADLIGHT=build/debug/bin/headlight scripts/check imports

Pickled BERT, in one file and in shards; classifiers on torch.nn.TransformerEncoder of many kinds; SentencePiece models
against the converters of transformers; tokenizers and logits of one's own; and what must be refused. One line per
check; logits may differ by 1e-4. Exit status 1 if a check fails.
"""

import json
import pathlib
import random
import subprocess
import tempfile

import torch
from safetensors.torch import load_file

from checks.reference.homemade_models import KINDS, WORDS, Homemade, map_of, state_of
from checks.reference.sentencepiece_models import converter_of, model_file, pieces_of
from common import program
from common.command_line import finish, parser

BOUND = 1e-4
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


# The tokenizer of the map, and logits of one's own.


def check_texts(place):
    torch.manual_seed(3)
    texts = ["I don't know!", "see you at 5 o'clock", "ok. call me", "a b"]
    words = ["[UNK]", "<pad>", *sorted({word for text in texts for word in text.lower().split()})]
    ids = [[words.index(word) for word in text.lower().split()] for text in texts]
    model = Homemade({}).eval()
    with torch.no_grad():
        logits = [model(torch.tensor([row])).tolist() for row in ids]
    place.mkdir()
    torch.save(model.state_dict(), place / "model.pt")
    (place / "words.txt").write_text("".join(word + "\n" for word in words))
    rows = {
        "texts": [{"text": text, "logits": dict(zip("abc", row))} for text, row in zip(texts, logits)],
        "ids": [{"ids": row, "logits": numbers} for row, numbers in zip(ids, logits)],
        "few": [{"text": "a b", "logits": [1, 2]}],
    }
    for name, some in rows.items():
        (place / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
    lost = '4 of 15 words can never be found with "type": "words", "lowercase": true, such as "don\'t"; '
    differs = "  tokens: i(I) [UNK](don) [UNK](') [UNK](t) [UNK](know) [UNK](!)\n"
    cases = [
        ("whitespace", "texts", 0, "rows: 4, largest difference of a logit", ""),
        ("words", "ids", 0, "rows: 4, largest difference of a logit", lost + 'with "type": "whitespace", all can'),
        ("words", "texts", 1, differs, "texts.jsonl: 3 of 4 rows differ by more than 0.001"),
        ("whitespace", "few", 1, "", "few.jsonl: line 1: logits: found 2 numbers, expected 3: a b c"),
        ("word", "ids", 1, "", 'map.json: config.tokenizer.type: found "word", expected one of wordpiece'),
        ("wordpiece", "ids", 1, "", "map.json: config.tokenizer.cls_token"),
    ]
    for i, (kind, name, status, printed, said) in enumerate(cases):
        tokenizer = {"type": kind, "lowercase": True}
        mapping = {**map_of({}), "config": {**map_of({})["config"], "tokenizer": tokenizer}}
        (place / "map.json").write_text(json.dumps(mapping))
        out = place / f"out{i}"
        done = import_into(
            place / "model.pt", "--map", place / "map.json", "-o", out, "--check", place / f"{name}.jsonl"
        )
        good = done.returncode == status and printed in done.stdout and said in done.stderr
        clean = bool(done.stderr) == bool(said) and out.exists() == (status == 0) and not list(place.glob(".import-*"))
        detail = "" if good and clean else (done.stdout + done.stderr).strip()
        report(f"{name} with {kind}: {said or printed.strip()}", good and clean, detail)


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


def check_sentencepiece(place, family):
    from tokenizers import Tokenizer

    pieces = pieces_of(family)
    place.mkdir()
    (place / "sentencepiece.bpe.model").write_bytes(model_file(pieces))
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
    mask = "[MASK]" if family in ("albert", "deberta-v2") else "<mask>"
    report(f"mask of {family}", ours.token_to_id(mask) in ours.encode(f"the {mask}").ids)


# What must be refused.


class Called:
    """Pickled as a call of a function."""

    def __init__(self, function, arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


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
    # Calls of torch's own functions with arguments that do not fit, and tensors without all their numbers.
    calls = {"short": (torch._utils._rebuild_tensor_v2, (1,)), "odd": (torch._utils._rebuild_tensor_v2, (1,) * 6)}
    for name, (function, arguments) in calls.items():
        torch.save({"a": Called(function, arguments)}, place / f"{name}.pt")
    torch.save({"a": torch.eye(2).to_sparse()}, place / "sparse.pt")
    torch.save({3: torch.zeros(1)}, place / "number.pt")
    (place / "huge").mkdir()
    (place / "huge/config.json").write_text("{}")
    torch.save({"a": torch.zeros(1).expand(1 << 24, 1 << 24)}, place / "huge/pytorch_model.bin")
    for name, edit in (
        ("map", {}),
        ("unknown", {"colour": 1}),
        ("many", {"words": "many.txt"}),
        ("place", {"tensors": {"layers": 3}}),
    ):
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
        (from_map("short.pt"), "short.pt: is not a whole PyTorch file"),
        (from_map("odd.pt"), "odd.pt: is not a whole PyTorch file"),
        (from_map("sparse.pt"), "sparse.pt: 'a' is a sparse, quantized or empty tensor"),
        (from_map("number.pt"), "number.pt: 3 is a int, expected the name of a tensor"),
        ([place / "huge"], "huge: cannot be written as safetensors"),
        (from_map("text.pt"), "text.pt: is not a whole PyTorch file"),
        (from_map("extra.pt"), "says what extra.weight is"),
        (from_map("lacks.pt"), "no tensor fc.weight"),
        (from_map("shape.pt"), "found [3, 25]"),
        (from_map("model.pt", "unknown"), "colour: unknown"),
        (from_map("model.pt", "place"), "tensors.layers: found 3, expected the name of a tensor"),
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
        check_texts(place / "texts")
        check_bert(place)
        for family in ("xlm-roberta", "camembert", "albert", "deberta-v2"):
            check_sentencepiece(place / family, family)
        check_refusals(place / "refusals")
    print(f"{failures} checks failed" if failures else "all checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    finish(main)
