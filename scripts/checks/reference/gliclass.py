"""Compares GLiClass models with random weights with the reference, and their speed with that of entailment.

    scripts/check gliclass [--texts 500]

Models of MiniLM's size with each encoder, scorer and pooling that published checkpoints have, and its vocabulary; texts
of random words, lists of 1 to 20 labels. Logits may differ by 1e-4. Then 100 labels of one word by one pass and by
entailment with the same encoder, of the shape of DeBERTa-v3-small and a ModernBERT of MiniLM's size, at texts of about
30 and 128 tokens: asked are 10 and 20 times the rows a second. The two take turns on one thread, so that a busy machine
slows both. One line per check; exit status 1 if one fails.
"""

import json
import os
import pathlib
import random
import statistics
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import gliclass
import torch
import transformers
from gliclass.pipeline import UniEncoderZeroShotClassificationPipeline

from common import program, reference_models
from common.command_line import finish, number, parser
from common.reference_tokenizers import packaged_vocabulary

BOUND = 1e-4
SEED = 20263
SIZES = dict(hidden_size=384, num_attention_heads=12, intermediate_size=1536, num_hidden_layers=6)
SMALL = dict(hidden_size=768, intermediate_size=3072)  # DeBERTa-v3-small
DEBERTA = dict(
    **SIZES,
    model_type="deberta-v2",
    max_position_embeddings=512,
    relative_attention=True,
    pos_att_type="p2c|c2p",
    position_buckets=256,
    norm_rel_ebd="layer_norm",
    share_att_key=True,
    position_biased_input=False,
    type_vocab_size=0,
)
TOKENS = dict(pad_token_id=0, bos_token_id=101, eos_token_id=102, cls_token_id=101, sep_token_id=102)
MODERNBERT = dict(**SIZES, **TOKENS, model_type="modernbert")
MODELS = {
    "DeBERTa, text first": (DEBERTA, dict(prompt_first=False)),
    "DeBERTa, mlp, mean of labels, segments": (
        DEBERTA,
        dict(prompt_first=True, scorer_type="mlp", class_token_pooling="average", use_segment_embeddings=True),
    ),
    "ModernBERT": (MODERNBERT, dict(prompt_first=True)),
    "ModernBERT, mlp, mean": (MODERNBERT, dict(prompt_first=True, scorer_type="mlp", pooling_strategy="avg")),
}
LABELS = 100
SPEEDS = [(30, 10, 4), (128, 20, 2)]  # tokens of a text, times asked, texts
TURNS = 3


def words_of_vocabulary():
    lines = packaged_vocabulary().read_text(encoding="utf-8").splitlines()
    return [word for word in lines if word.isascii() and word.isalpha() and len(word) > 2]


def phrases(draw, words, count, lengths):
    """Different ones."""
    found = set()
    while len(found) < count:
        found.add(" ".join(draw.choices(words, k=draw.choice(lengths))))
    return sorted(found)


def base_tokenizer():
    return transformers.BertTokenizer(str(packaged_vocabulary()), do_lower_case=True)


def make_gliclass(folder, encoder, fields):
    tokenizer = base_tokenizer()
    first = len(tokenizer)
    tokenizer.add_tokens(["<<LABEL>>", "<<SEP>>", "<<EXAMPLE>>"], special_tokens=True)
    config = gliclass.GLiClassModelConfig(
        encoder_config={**encoder, "vocab_size": first},
        encoder_model="none",
        class_token_index=first,
        text_token_index=first + 1,
        vocab_size=len(tokenizer),
        **fields,
    )
    model = gliclass.GLiClassModel(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 2:
                parameter.normal_(0.0, 0.1 if "scorer" in name else 0.05)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return UniEncoderZeroShotClassificationPipeline(model, tokenizer, device="cpu", progress_bar=False)


def make_entailment(folder, encoder):
    tokenizer = base_tokenizer()
    fields = {name: value for name, value in encoder.items() if name != "model_type"}
    labels = ["contradiction", "neutral", "entailment"]
    deberta = encoder["model_type"] == "deberta-v2"
    stem = "DebertaV2" if deberta else "ModernBert"
    config = getattr(transformers, stem + "Config")(
        vocab_size=len(tokenizer),
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
        **fields,
    )
    getattr(transformers, stem + "ForSequenceClassification")(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def as_rows(texts):
    return "".join(json.dumps({"text": text}) + "\n" for text in texts)


def batch(folder, texts, labels, *options):
    given = ["-m", folder, "--zero-shot", ",".join(labels), "--quiet", *options]
    return program.rows("batch", "-", "--input-format", "jsonl", *given, data=as_rows(texts))


@torch.no_grad()
def theirs(pipeline, text, labels):
    inputs = pipeline.prepare_inputs([text], labels, same_labels=True)
    return pipeline.model(**inputs, max_num_classes=len(labels)).logits[0].tolist()


def compare(name, pipeline, folder, groups):
    """`groups`: texts and their labels."""
    worst, largest, changed = 0.0, 0.0, 0
    rounded = {"int8": 0, "bf16": 0}
    for texts, labels in groups:
        expected = [theirs(pipeline, text, labels) for text in texts]
        found = program.logits(batch(folder, texts, labels, "--logits"))
        for ours, reference in zip(found, expected, strict=True):
            worst = max(worst, *(abs(a - b) for a, b in zip(ours, reference, strict=True)))
            largest = max(largest, *map(abs, reference))
            changed += ours.index(max(ours)) != reference.index(max(reference))
        for precision in rounded:
            others = program.logits(batch(folder, texts, labels, "--logits", "--precision", precision))
            rounded[precision] += sum(a.index(max(a)) != b.index(max(b)) for a, b in zip(found, others, strict=True))
    good = worst <= BOUND and changed == 0
    texts = sum(len(texts) for texts, _ in groups)
    print(
        f"{'ok  ' if good else 'FAIL'} {name}: {texts} texts, max |difference| {worst:.2g} of logits up to "
        f"{largest:.2g}, {changed} verdicts differ; int8 changes {rounded['int8']}, bf16 {rounded['bf16']}",
        flush=True,
    )
    return good


def seconds_of(place, folder, texts, labels):
    summary = place / "summary.json"
    batch(folder, texts, labels, "--threads", "1", "--summary", summary, "--force")
    return json.loads(summary.read_text())["seconds"]


def time_one(name, place, folders, texts, labels, length, asked):
    times = [[seconds_of(place, folder, texts, labels) for folder in folders] for _ in range(TURNS)]
    one_pass, entailment = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = entailment / one_pass
    good = ratio >= asked
    print(
        f"{'ok  ' if good else 'FAIL'} {name}, {len(labels)} labels, texts of {length} tokens: one pass "
        f"{1000 * one_pass / len(texts):.1f} ms a text, entailment {1000 * entailment / len(texts):.0f} ms: "
        f"{ratio:.1f} times, asked {asked}",
        flush=True,
    )
    return good


def check_logits(place, count=500):
    draw, words = random.Random(SEED), words_of_vocabulary()
    counts = [1, 2, 5, 10, 20]
    groups = []
    for labels in counts:
        texts = phrases(draw, words, count // len(counts), range(1, 90))
        groups.append((texts, phrases(draw, words, labels, [1, 2, 3])))
    results = []
    for name, (encoder, fields) in MODELS.items():
        with tempfile.TemporaryDirectory(dir=place) as folder:
            torch.manual_seed(SEED)
            results.append(compare(name, make_gliclass(folder, encoder, fields), folder, groups))
    return all(results)


def check_times(place):
    draw, words = random.Random(SEED), words_of_vocabulary()
    labels = phrases(draw, words, LABELS, [1])
    results = []
    for name, encoder in (("DeBERTa-v3-small", {**DEBERTA, **SMALL}), ("ModernBERT", MODERNBERT)):
        folders = [place / f"{name}-one-pass", place / f"{name}-entailment"]
        make_gliclass(folders[0], encoder, dict(prompt_first=True))
        make_entailment(folders[1], encoder)
        for length, asked, count in SPEEDS:
            texts = phrases(draw, words, count, [length - 2])
            results.append(time_one(name, place, folders, texts, labels, length, asked))
    return all(results)


def main():
    line = parser("check gliclass", __doc__)
    line.add_argument("--texts", type=number(int, 5), default=500, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    reference_models.start()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        right = check_logits(place, options.texts)
        right &= check_times(place)
    return 0 if right else 1


if __name__ == "__main__":
    finish(main)
