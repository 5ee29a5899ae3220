"""Writes tests/golden/fasttext: small models of fastText's own program, and what it answers.

    scripts/make fasttext_golden [-o FOLDER]

Needs `fasttext` 0.9.2 of Debian. answers.json has the texts, as hexadecimal bytes because some are not UTF-8, and for
each model the three best labels of each text, all labels, and its vector.
"""

import json

from common import fasttext_models as reference
from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "tests/golden/fasttext"
TEXTS = 30
WORDS = 60
SMALL = ("-dim", "4", "-epoch", "20", "-lr", "0.5")
# name: loss or kind, n-grams, buckets, form, labels, prefix of labels
MODELS = {
    "softmax-words": ("softmax", "words", 0, None, 3, "__label__"),
    "hs-both": ("hs", "both", 90, None, 5, "__label__"),
    "ns-pairs": ("ns", "pairs", 80, None, 4, "__label__"),
    "ova-characters": ("ova", "characters", 90, None, 4, "__label__"),
    "softmax-both-quantised": ("softmax", "both", 250, (), 3, "LB_x_"),
    "hs-both-cut": ("hs", "both", 400, ("-cutoff", "270", "-qnorm"), 5, "__label__"),
    "ova-characters-qout": ("ova", "characters", 250, ("-qnorm", "-qout"), reference.MANY_LABELS, "__label__"),
    "skipgram": ("skipgram", "characters", 90, None, 3, "@"),
}


def made(folder, name):
    """Trains a model and returns its path."""
    loss, ngrams, buckets, form, labels, prefix = MODELS[name]
    rows = folder / "rows.txt"
    prefix_of_rows = "__label__" if prefix == "@" else prefix  # as words
    lines = reference.training_lines(1, labels, loss == "ova", 600, WORDS, prefix_of_rows.encode())
    rows.write_bytes(b"".join(line + b"\n" for line in lines))
    options = [*SMALL, "-label", prefix, *reference.NGRAMS[ngrams], "-bucket", buckets]
    kind = "skipgram" if loss == "skipgram" else "supervised"
    if kind == "supervised":
        options += ["-loss", loss]
    model = reference.train(folder, name, rows, options, form, kind)
    rows.unlink()
    model.with_suffix(".vec").unlink(missing_ok=True)
    return model


def rounded(answers):
    return [[label.decode(), probability] for label, probability in answers]


def main():
    folder = output_path("make fasttext_golden", __doc__, OUTPUT)
    folder.mkdir(parents=True, exist_ok=True)
    lines = list(reference.test_lines(1, 3, TEXTS, WORDS))
    texts = folder / "texts.txt"
    texts.write_bytes(b"".join(line + b"\n" for line in lines))
    document = {
        "made": {"fasttext": "0.9.2", "command": "scripts/make fasttext_golden"},
        "texts": [line.hex() for line in lines],
        "models": {},
    }
    for name in MODELS:
        model = made(folder, name)
        found = document["models"][model.name] = {}
        if MODELS[name][0] != "skipgram":
            found["best"] = [rounded(row) for row in reference.answers(model, texts, 3)]
            found["all"] = [rounded(row) for row in list(reference.answers(model, texts, -1))[:5]]
        found["vectors"] = reference.vectors(model, texts)
    texts.unlink()
    output = json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
    (folder / "answers.json").write_text(output, encoding="utf-8")


if __name__ == "__main__":
    finish(main)
