"""Writes the rows that the bundled classifiers are trained and measured on, as JSONL with named labels.

    scripts/make training_rows DATA -o FOLDER

DATA holds sst2/ and clinc150/. FOLDER gets

    sst2-train.jsonl, sst2-held.jsonl   the training split: 400 whole sentences, drawn at random, are held out for
                                        choices; what is part of one of them is in neither file
    sst2-dev.jsonl                      the development split, for figures only
    clinc150-train.jsonl, clinc150-val.jsonl, clinc150-test.jsonl
                                        the requests in scope

The recipes call this. The same data gives the same files.
"""

import json
from pathlib import Path

from common.command_line import finish, parser
from training.rows import Columns, hold_out, read_rows

HELD = 400
NAMES = {"0": "negative", "1": "positive"}


def write(path, rows):
    lines = (json.dumps({"text": text, "label": label}, ensure_ascii=False) + "\n" for text, label in rows)
    path.write_text("".join(lines), encoding="utf-8")


def phrases(data, split):
    rows = read_rows(data / f"sst2/{split}.tsv", Columns("sentence", "label"))
    return [(text, NAMES[label]) for text, label in zip(rows.texts, rows.labels, strict=True)]


def write_sst2(data, folder):
    rows = phrases(data, "train")
    for name, numbers in zip(("held", "train"), hold_out([text for text, _ in rows], HELD, 0), strict=True):
        write(folder / f"sst2-{name}.jsonl", [rows[i] for i in numbers])
    write(folder / "sst2-dev.jsonl", phrases(data, "dev"))


def write_clinc150(data, folder):
    for split in ("train", "val", "test"):
        rows = read_rows(data / "clinc150/data_full.json", Columns("text", "label", split=split))
        write(folder / f"clinc150-{split}.jsonl", zip(rows.texts, rows.labels, strict=True))


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
