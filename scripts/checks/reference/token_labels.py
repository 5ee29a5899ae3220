"""Compares the entities of `headlight batch` with those of the reference's pipeline on many sentences.

    scripts/check token_labels --vocabulary FOLDER --texts path/to/sst2/train.tsv [--texts test.csv] [--rows 10000]

FOLDER has the tokenizer of a published checkpoint (vocab.txt; vocab.json and merges.txt; or tokenizer.json). The
checkpoint is made here: a small encoder with random weights and nine labels, of the family that the tokenizer is of.
Texts are lines, or the column `sentence` of a TSV, or of a CSV without a header all columns after the first.

For each strategy, every entity's label, start, end and text must be equal, and its probability within 5e-5. A text with
another entity is left out only if the reference itself is undecided there: two labels of one of its tokens, or two
tokens of one of its words, have probabilities within 1e-6 of each other. Exit status 1 if another text differs.
"""

import csv
import json
import pathlib
import shutil
import tempfile

import torch
import transformers
from transformers.pipelines.token_classification import AggregationStrategy

from common import program, reference_models
from common.command_line import finish, parser
from common.texts import read_texts

LABELS = ["O", *(f"{prefix}-{name}" for name in ("PER", "ORG", "LOC", "MISC") for prefix in "BI")]
FILES = ("vocab.txt", "vocab.json", "merges.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
SEED = 20260
NEAR = 5e-5
UNDECIDED = 1e-6


def texts_of(path):
    if path.suffix != ".csv":
        return read_texts(path)
    with path.open(encoding="utf-8", newline="") as file:
        return [" ".join(row[1:]) for row in csv.reader(file)]


def make_checkpoint(vocabulary, folder):
    """A random token classifier with this tokenizer. Its labels are spread, so that there are entities of all kinds."""
    for name in FILES:
        if (vocabulary / name).exists():
            shutil.copy(vocabulary / name, folder / name)
    is_bert = (folder / "vocab.txt").exists()
    is_roberta = (folder / "merges.txt").exists()
    stem = "Bert" if is_bert else "Roberta" if is_roberta else "XLMRoberta"
    tokenizer = getattr(transformers, stem + "Tokenizer").from_pretrained(folder, model_max_length=128)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(SEED)
    names = dict(enumerate(LABELS))
    config = getattr(transformers, stem + "Config")(
        vocab_size=len(tokenizer),
        hidden_size=48,
        num_attention_heads=4,
        num_hidden_layers=2,
        intermediate_size=96,
        max_position_embeddings=tokenizer.pad_token_id + 160,
        id2label=names,
        label2id={name: number for number, name in names.items()},
        pad_token_id=tokenizer.pad_token_id,
    )
    model = getattr(transformers, stem + "ForTokenClassification")(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" not in name.lower():
                parameter.normal_(0.0, 1.5 if name == "classifier.weight" else 0.25)
        model.classifier.bias[0] = 2.0
    model.save_pretrained(folder)


def found_by_headlight(folder, texts, strategy):
    with tempfile.TemporaryDirectory() as name:
        rows = pathlib.Path(name) / "rows.jsonl"
        rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
        answers = program.rows("batch", rows, "-m", folder, "--aggregate", strategy, "--row-errors-ok")
    return [answer.get("entities", answer.get("error")) for answer in answers]


def key_of(entity):
    return entity["label"], entity["start"], entity["end"], entity["text"], entity.get("index")


def distances(found, expected):
    return [abs(ours["probability"] - theirs["probability"]) for ours, theirs in zip(found, expected, strict=True)]


def same(found, expected):
    keys = [list(map(key_of, entities)) for entities in (found, expected)]
    return keys[0] == keys[1] and all(distance <= NEAR for distance in distances(found, expected))


def is_undecided(pipeline, text, strategy):
    """Whether rounding decides: the best two numbers that the strategy compares are nearly equal."""
    with torch.no_grad():
        inputs = pipeline.tokenizer(text, return_tensors="pt", truncation=True)
        scores = pipeline.model(**inputs).logits[0].softmax(-1)
    best = scores.topk(2, -1).values
    if (best[:, 0] - best[:, 1] < UNDECIDED).any():
        return True
    tops = best[:, 0]
    return strategy in ("average", "max") and bool((tops[1:] - tops[:-1]).abs().min() < UNDECIDED)


class Counts:
    entities = differing = undecided = 0
    farthest = 0.0  # probabilities of equal entities

    def add(self, pipeline, text, strategy, ours, expected):
        self.entities += len(expected)
        if isinstance(ours, list) and same(ours, expected):
            self.farthest = max([self.farthest, *distances(ours, expected)])
            return
        if is_undecided(pipeline, text, strategy):
            self.undecided += 1
            return
        self.differing += 1
        if self.differing <= 3:
            print(f"{strategy}: {text!r}\n  headlight {ours}\n  reference {expected}")


def check(pipeline, folder, texts):
    """The counts of each strategy. The model runs once for all of them."""
    found = {strategy: found_by_headlight(folder, texts, strategy) for strategy in reference_models.STRATEGIES}
    counts = {strategy: Counts() for strategy in reference_models.STRATEGIES}
    for number, text in enumerate(texts):
        outputs = [pipeline.forward(inputs) for inputs in pipeline.preprocess(text, is_split_into_words=False)]
        for strategy in reference_models.STRATEGIES:
            entities = pipeline.postprocess(outputs, aggregation_strategy=AggregationStrategy(strategy))
            expected = [reference_models.entity_of(text, entity) for entity in entities]
            counts[strategy].add(pipeline, text, strategy, found[strategy][number], expected)
    return counts


def main():
    options = parser("check token_labels", __doc__)
    options.add_argument("--vocabulary", type=pathlib.Path, required=True, metavar="FOLDER")
    options.add_argument("--texts", type=pathlib.Path, required=True, action="append", metavar="FILE")
    options.add_argument("--rows", type=int, default=10000, metavar="N")
    options = options.parse_args()
    reference_models.start()
    every = [text for path in options.texts for text in texts_of(path) if text.strip()]
    step = max(1, len(every) // options.rows)
    texts = every[::step][: options.rows]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_checkpoint(options.vocabulary, folder)
        pipeline = transformers.pipeline("token-classification", model=name, device="cpu")
        for strategy, of in check(pipeline, folder, texts).items():
            print(
                f"{strategy:8} {len(texts)} texts, {of.entities} entities: {of.differing} texts differ, "
                f"{of.undecided} undecided, probabilities within {of.farthest:.1e}"
            )
            failed += of.differing
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
