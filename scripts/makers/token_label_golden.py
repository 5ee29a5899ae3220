"""Writes tests/golden/token_labels.json: the entities that the reference's pipeline finds with our tiny checkpoints.

    scripts/make token_label_golden [-o FILE]

For each folder …token-labels of tests/golden/published that has a tokenizer, each text and each aggregation strategy:
the entities of transformers' TokenClassificationPipeline, on one thread.
"""

import json

import transformers

from common import reference_models
from common.command_line import finish, output_path
from common.program import ROOT
from makers import small_vocabularies as small
from makers.fixture_table import TOKENIZERS

FOLDERS = ROOT / "tests/golden/published"
OUTPUT = ROOT / "tests/golden/token_labels.json"
TEXTS = [
    *small.TEXTS,
    "a b ab, é A a bb ab a",
    "ab a b b a a, ab 中 a  b",
    "a\tb a,b,ab\nab",
    "b b b b b b b b",
    "é e\u0301 a b\u00a0a",
    "A a ab B q abab,aab",
]


def main():
    path = output_path("make token_label_golden", __doc__, OUTPUT)
    reference_models.start()
    rows = []
    for name in sorted(name for name in TOKENIZERS if "token-labels" in name):
        pipeline = transformers.pipeline("token-classification", model=str(FOLDERS / name), device="cpu")
        for strategy in reference_models.STRATEGIES:
            for text in TEXTS:
                found = pipeline(text, aggregation_strategy=strategy) if text else []
                entities = [reference_models.entity_of(text, entity) for entity in found]
                rows.append({"model": name, "aggregate": strategy, "text": text, "entities": entities})
    made = {"transformers": transformers.__version__, "command": "scripts/make token_label_golden"}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text('{"made_with": ' + json.dumps(made) + ',\n"rows": [\n' + lines + "\n]}\n", encoding="utf-8")
    print(len(rows), "rows,", sum(len(row["entities"]) for row in rows), "entities")


if __name__ == "__main__":
    finish(main)
