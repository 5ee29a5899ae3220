"""Compares what leaves headlight with what its readers expect: `--format hf`, `headlight export`, cards of models.

    scripts/check exits sst2/dev.tsv [--limit N]

`--format hf`: each line beside json.dumps() of what transformers' pipeline returns, equal but for the digits of scores,
which may differ by 1e-4: texts (one label, the k best, several labels, a number), token labels with each strategy,
zero-shot. FILE has one text per line, or is a TSV with a column `sentence`.

`export`: each bundled model in each layout that holds it, its vectors or logits (divided by the stored temperature)
beside those of sentence-transformers, or the mean of those of transformers, within 1e-4. The card of a fitted model, as
huggingface_hub reads it.

`fit --train all`: a random model of every family, with a head and without, trained and opened by transformers.

Then what `scripts/check rank` and `scripts/check gliclass` compare of scores and logits. Exit status 1 if something
differs.
"""

import json
import os
import pathlib
import re
import shutil
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import huggingface_hub
import numpy
import torch
import transformers
from sentence_transformers import SentenceTransformer

from checks.reference import gliclass, homes, rank, zero_shot
from common import program, reference_models
from common.command_line import finish, parser
from common.texts import read_texts

BOUND = 1e-4
PUBLISHED = program.ROOT / "tests/golden/published"
HOSTILE = ["a b\u00a0é", "A a ab b, q. aab!", '\U0001f600 a\tb "c" \\ \b\f\x7f', "b . a ' s ab n't ?"]
LONG = ["", " ", "good bad " * 300, "caf\u00e9 \u4e2d\u6587 \U0001f600 [SEP] [MASK] x", "a" * 200, "word " * 255]
SCORE = re.compile(r'("score": |"scores": \[|, )(-?[0-9][-+.e0-9]*)(?=[],}])')


class Checks:
    failed = 0

    def say(self, name, good, found):
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}: {found}")


def scores_of(line):
    return [float(score) for _, score in SCORE.findall(line)]


def compare_lines(checks, name, found, expected):
    """Both are lists of lines of JSON."""
    frames = [[SCORE.sub(r"\1#", line) for line in lines] for lines in (found, expected)]
    differing = [pair for pair in zip(*frames, strict=True) if pair[0] != pair[1]]
    worst = (
        max(
            abs(ours - theirs)
            for mine, other in zip(found, expected, strict=True)
            for ours, theirs in zip(scores_of(mine), scores_of(other), strict=True)
        )
        if not differing
        else float("inf")
    )
    checks.say(f"hf: {name}", worst <= BOUND, f"{len(found)} lines, scores within {worst:.1e}")
    for ours, theirs in differing[:2]:
        print(f"  headlight {ours}\n  reference {theirs}")


def hf_lines(model, texts, *options):
    rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    arguments = ["--input-format", "jsonl", "-m", model, "--format", "hf", *options]
    return program.text("batch", "-", *arguments, data=rows).splitlines()


def dumped(results):
    return [json.dumps(result, default=float) for result in results]


def of_problem(source, folder, **fields):
    """A copy of a checkpoint with other fields in its config."""
    shutil.copytree(source, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **fields}))
    return folder


def check_texts(checks, folder, texts):
    source = PUBLISHED / "bert-three-labels"
    for problem in ("single_label_classification", "multi_label_classification", "regression"):
        model = of_problem(source, folder / problem, problem_type=problem)
        pipeline = transformers.pipeline("text-classification", model=str(model), device="cpu")
        pipeline.tokenizer.model_max_length = pipeline.model.config.max_position_embeddings
        best = [pipeline(text, truncation=True) for text in texts]
        compare_lines(checks, problem, hf_lines(model, texts), dumped(best))
        for k in (2, 3):
            ranked = [pipeline(text, truncation=True, top_k=k) for text in texts]
            compare_lines(checks, f"{problem}, -k {k}", hf_lines(model, texts, "-k", k), dumped(ranked))


def check_token_labels(checks, folder, texts):
    """The tokenizer.json of one has no decoder, as published ones have. `word` of byte-level tokens is the slice of the
    text: texts with characters that the small vocabulary lacks are left out there."""
    for name in ("bert", "roberta", "xlm-roberta"):
        model = of_problem(PUBLISHED / f"{name}-token-labels", folder / name)
        if (model / "tokenizer.json").exists():
            tokenizer = json.loads((model / "tokenizer.json").read_text())
            tokenizer["decoder"] = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}
            (model / "tokenizer.json").write_text(json.dumps(tokenizer))
        pipeline = transformers.pipeline("token-classification", model=str(model), device="cpu")
        for strategy in reference_models.STRATEGIES:
            chosen = texts if name != "roberta" else [text for text in texts if set(text) <= set("ab ")]
            expected = [pipeline(text, aggregation_strategy=strategy) for text in chosen]
            compare_lines(
                checks, f"{name}, {strategy}", hf_lines(model, chosen, "--aggregate", strategy), dumped(expected)
            )


def check_zero_shot(checks, folder):
    zero_shot.make_model(folder / "entailment", ["contradiction", "neutral", "entailment"])
    model = folder / "entailment"
    pipeline = transformers.pipeline("zero-shot-classification", model=str(model), device="cpu")
    texts = [*zero_shot.TEXTS[:3], 'é "a film" \U0001f600']
    for options, how in (([], {}), (["--multi-label"], {"multi_label": True})):
        expected = pipeline(texts, "film,sport é,great food", **how)
        found = hf_lines(model, texts, "--zero-shot", "film,sport é,great food", *options)
        compare_lines(checks, f"zero-shot {' '.join(options)}", found, dumped(expected))


def exported(model, layout, folder):
    """The exported folder; None if the layout cannot hold the model."""
    try:
        program.run("export", "--quiet", "-m", model, "--layout", layout, "-o", folder)
    except program.ProgramError as error:
        print(f"     {model} in the layout {layout}: {error}")
        return None
    return folder


def headlight_logits(model, texts):
    """[rows, classes]: divided by the stored temperature, as in an export."""
    rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    answers = program.rows("batch", "-", "--input-format", "jsonl", "-m", model, "--logits", data=rows)
    calibration = program.document("inspect", "-m", model, "--format", "json").get("calibration", {})
    return numpy.array(program.logits(answers)) / calibration.get("temperature", 1.0)


def vectors(model, texts, folder):
    rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    program.run("embed", "-", "--input-format", "jsonl", "-m", model, "-o", folder / "v.npy", "--force", data=rows)
    return numpy.load(folder / "v.npy")


def token_mean(folder, texts):
    """The mean of BertModel's last vectors, in batches with padding."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    found = []
    for begin in range(0, len(texts), 16):
        inputs = tokenizer(texts[begin : begin + 16], padding=True, truncation=True, return_tensors="pt")
        mask = inputs["attention_mask"][..., None]
        found.append((model(**inputs).last_hidden_state * mask).sum(1) / mask.sum(1))
    return torch.cat(found).numpy()


def check_exports(checks, folder, texts):
    for model in ("sentiment", "intent", "sentiment-stream", "encoder"):
        chosen = [text for text in texts if text.strip() or model != "sentiment-stream"]  # which adds no tokens
        for layout in ("sentence-transformers", "bert"):
            place = exported(model, layout, folder / f"{model}-{layout}")
            if place is None:
                continue
            expected = vectors(model, chosen, folder) if model == "encoder" else headlight_logits(model, chosen)
            if layout == "bert":
                found = token_mean(place, chosen)
            else:
                found = SentenceTransformer(str(place), device="cpu").encode(chosen)
            worst = float(numpy.abs(found - expected).max())
            cut = max(len(text.split()) for text in chosen)
            checks.say(
                f"export: {model}, {layout}",
                worst <= BOUND,
                f"{len(chosen)} texts of at most {cut} words, within {worst:.1e} of numbers up to "
                f"{numpy.abs(expected).max():.1f}",
            )


def check_card(checks, folder, texts):
    """The card of a fitted model, as huggingface_hub reads it."""
    rows = "".join(
        json.dumps({"text": text, "label": ["a: b", "c"][i % 2]}) + "\n" for i, text in enumerate(texts[:60])
    )
    (folder / "rows.jsonl").write_text(rows)
    options = ["--card-field", "license=mit", "--card-field", 'language=é: "x"', "-q"]
    program.run("fit", folder / "rows.jsonl", "-o", folder / "card", *options)
    card = huggingface_hub.ModelCard.load(folder / "card/README.md").data
    results = {result.metric_type: result.metric_value for result in card.eval_results}
    given = (card.license, card.language, card.library_name, card.pipeline_tag, card.base_model)
    expected = ("mit", 'é: "x"', "headlight", "text-classification", "encoder")
    checks.say("card", given == expected and 0 <= results["accuracy"] <= 1, f"{len(results)} figures, {given}")


def main():
    line = parser("check exits", __doc__)
    line.add_argument("file", type=pathlib.Path, metavar="FILE")
    line.add_argument("--limit", type=int, default=200, metavar="N", help="use at most N texts (default: %(default)s)")
    options = line.parse_args()
    reference_models.start()
    texts = read_texts(options.file, options.limit)
    checks = Checks()
    with torch.no_grad(), tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_texts(checks, folder, [*texts[:40], *HOSTILE])
        check_token_labels(
            checks, folder, [*HOSTILE, "ab a b b a a, ab 中", "é e\u0301 a", "a, bb. ab", "a b ab", "b ab a bb"]
        )
        check_zero_shot(checks, folder)
        check_exports(checks, folder, [*texts, *LONG])
        check_card(checks, folder, texts)
        right = all((homes.check_trained(folder), rank.check_scores(), gliclass.check_logits(folder)))
    return 1 if checks.failed or not right else 0


if __name__ == "__main__":
    finish(main)
