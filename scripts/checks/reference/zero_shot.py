"""Compares `headlight classify --zero-shot` with transformers' zero-shot pipeline, on a random BERT.

    scripts/check zero_shot

Labels of entailment in several orders, one candidate and many, each judged by itself or not, texts that are cut.
Scores may differ by 1e-4. One line per check; exit status 1 if one fails.
"""

import pathlib
import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast, logging, pipeline

from common import program
from common.command_line import finish, parser

BOUND = 1e-4
WORDS = "this example is about . , the a film game food war sport ##s ##ing play cook great dull new".split()
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
TEXTS = ["the film is great", "cooking, games and food", "unknown", "a " * 60 + "war", "Playing the new game . " * 9]
NAMES = {
    "contradiction first": ["contradiction", "neutral", "entailment"],
    "entailment first": ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"],
    "two labels": ["not_entailment", "entailment"],
    "no label of that name": ["LABEL_0", "LABEL_1", "LABEL_2"],
}
TASKS = [
    (["film", "sport", "great food"], {}),
    (["film", "sport", "great food"], {"multi_label": True}),
    (["sport"], {}),
    ([" food ", "", "war"], {"hypothesis_template": "the text is about {} , new ."}),
]


def make_model(folder, labels):
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=40,
        initializer_range=0.6,
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).eval().save_pretrained(folder)
    (folder / "vocab.txt").write_text("".join(token + "\n" for token in VOCABULARY))
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=40).save_pretrained(folder)


def ours(folder, candidates, how):
    options = ["--zero-shot", ",".join(candidates), "--template", how.get("hypothesis_template", "This example is {}.")]
    options += ["--multi-label"] if how.get("multi_label") else []
    return program.document("classify", "--quiet", "--format", "json", "--model", folder, *options, "--", *TEXTS)


def main():
    parser("check zero_shot", __doc__).parse_args()
    logging.set_verbosity_error()
    failures = 0
    for name, labels in NAMES.items():
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            make_model(folder, labels)
            reference = pipeline("zero-shot-classification", model=str(folder), device="cpu")
            for candidates, how in TASKS:
                theirs = reference(TEXTS, ",".join(candidates), **how)
                worst = max(
                    abs(row["probabilities"][label] - score)
                    for row, expected in zip(ours(folder, candidates, how), theirs, strict=True)
                    for label, score in zip(expected["labels"], expected["scores"], strict=True)
                )
                failures += not worst <= BOUND
                print(
                    f"{'ok  ' if worst <= BOUND else 'FAIL'} {name}, {candidates}, {how}: max |difference| {worst:.2g}"
                )
    return 1 if failures else 0


if __name__ == "__main__":
    finish(main)
