"""Writes the rows that the bundled classifiers are trained and measured on, as JSONL with named labels.

    scripts/make training_rows DATA -o FOLDER

DATA holds sst2/ and clinc150/. FOLDER gets

    sst2-train.jsonl, sst2-held.jsonl   the training split: 400 whole sentences, drawn at random, are held out for
                                        choices; what is part of one of them is in neither file
    sst2-more.jsonl                     40,000 texts without a label: the head of one training row and the tail of
                                        another, each cut at random between words, for a teacher to score
    sst2-dev.jsonl                      the development split, for figures only
    clinc150-train.jsonl, clinc150-val.jsonl, clinc150-test.jsonl
                                        the requests in scope

The recipes call this. The same data gives the same files.
"""

import csv
import json
from pathlib import Path

from common.command_line import finish, parser
from common.phrases import hold_out, recombined

SEED = 0
HELD, MORE = 400, 40_000
NAMES = {"0": "negative", "1": "positive"}


def write(path, rows):
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


def write_texts(path, texts):
    write(path, ({"text": text} for text in texts if text))


def phrases(data, split):
    with open(data / f"sst2/{split}.tsv", encoding="utf-8", newline="\n") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [{"text": row["sentence"], "label": NAMES[row["label"]]} for row in rows]


def write_sst2(data, folder):
    rows = phrases(data, "train")
    held, rest = hold_out([row["text"] for row in rows], HELD, SEED)
    write(folder / "sst2-held.jsonl", (rows[i] for i in held))
    write(folder / "sst2-train.jsonl", (rows[i] for i in rest))
    known = [rows[i]["text"] for i in rest]
    write_texts(folder / "sst2-more.jsonl", recombined(known, MORE, SEED))
    write(folder / "sst2-dev.jsonl", phrases(data, "dev"))


def write_clinc150(data, folder):
    splits = json.loads((data / "clinc150/data_full.json").read_text(encoding="utf-8"))
    for split in ("train", "val", "test"):
        write(folder / f"clinc150-{split}.jsonl", ({"text": text, "label": label} for text, label in splits[split]))


def main():
    options = parser("make training_rows", __doc__)
    options.add_argument("data", type=Path, metavar="DATA")
    options.add_argument("-o", "--output", type=Path, metavar="FOLDER", required=True)
    arguments = options.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_sst2(arguments.data, arguments.output)
    write_clinc150(arguments.data, arguments.output)


if __name__ == "__main__":
    finish(main)
