"""Labelled texts of published data sets, as pairs of text and label."""

import csv
import json
import random


def read_table(path, delimiter, text, label):
    with open(path, encoding="utf-8", newline="") as file:
        quoting = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
        rows = csv.DictReader(file, delimiter=delimiter, quoting=quoting)
        return [(row[text], row[label]) for row in rows]


def read_splits(root, name):
    """The training rows and the test rows, as pairs of text and label."""
    folder = root / name
    if name == "banking77":
        return [read_table(folder / f"{split}.csv", ",", "text", "category") for split in ("train", "test")]
    if name == "clinc150":
        splits = json.loads((folder / "data_full.json").read_text(encoding="utf-8"))
        return [[tuple(row) for row in splits[split]] for split in ("train", "test")]
    return [read_table(folder / f"{split}.tsv", "\t", "text", "label") for split in ("train", "test")]


def read_ag_news(root):
    """The test rows of AG News, which are all that there are, shuffled."""
    with open(root / "ag_news" / "test.csv", encoding="utf-8", newline="") as file:
        rows = [(f"{title} {text}", label) for label, title, text in csv.reader(file)]
    random.Random(0).shuffle(rows)
    return rows


def write_rows(path, rows):
    path.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows), "utf-8")
    return path
