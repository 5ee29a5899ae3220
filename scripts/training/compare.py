"""scripts/compare_trainer: headlight's logits against the trainer's own model, text for text."""

import argparse
import json
import os
import subprocess
import sys

import torch

from training import native
from training.model import logits_of
from training.options import number
from training.rows import Classes, Columns, DataError, read_rows
from training.vocabulary import encode

BOUND = 1e-4

EXAMPLES = """
examples:
  scripts/compare_trainer data/models/sentiment path/to/sst2/dev.tsv --text sentence
  HEADLIGHT=build/debug/bin/headlight scripts/compare_trainer build/news news.csv \\
      --no-header --label 1 --text 3 --limit 200

Exit status: 0 where no logit differs by more than 1e-4, 1 where one does, 2 for a wrong command line or file.
"""


def parser():
    p = argparse.ArgumentParser(
        prog="scripts/compare_trainer",
        description="Compares headlight's logits with those of the model in torch, over the texts of a file.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = p.add_argument
    add("model", metavar="MODEL_DIR", help="a directory that scripts/train wrote")
    add("file", metavar="FILE", help="TSV, CSV, JSONL, or a text a line")
    add("--text", metavar="COLUMN", default="text", help="the text's column, a name or a number from 1 (default: text)")
    add("--label", metavar="COLUMN", help="the label's column, for the accuracy (default: label, where there is one)")
    add("--no-header", dest="header", action="store_false", help="a table's first line is a row; columns are numbers")
    add("--format", choices=("tsv", "csv", "jsonl", "pairs", "text"), help="the file's format (default: by its ending)")
    add("--split", metavar="NAME", help="of a JSON file of pairs of text and label")
    add("--limit", metavar="N", type=number(int, 1), help="the first N rows only")
    add("--threads", metavar="N", type=number(int, 1), default=2, help="of torch (default: %(default)s)")
    return p


def gold_classes(rows, model, place):
    """The class of each row: labels are the model's names, or values that stand in the order of its classes."""
    if not rows.labels:
        return None
    by_name = set(rows.labels) <= set(model.labels)
    classes = Classes(model.labels, model.labels) if by_name else Classes.of(rows.labels, model.labels)
    return classes.ids(rows.labels, place)


def torch_logits(model, texts):
    return logits_of(model.model, encode(model.tokenizer(), texts), model.pad_id)


def headlight_logits(folder, labels, texts):
    """Logits [rows, c] from the program, which gets the texts as JSONL on its standard input."""
    program = os.environ["HEADLIGHT"]
    command = [program, "batch", "-", "--input-format", "jsonl", "--logits", "--model", folder]
    lines = "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts))
    try:
        done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    except FileNotFoundError:
        raise DataError(f"no program {program}; build it, or name another in HEADLIGHT") from None
    except subprocess.CalledProcessError as error:
        raise DataError(f"{program} ended with status {error.returncode}") from None
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if [row["id"] for row in rows] != list(range(len(texts))):
        raise DataError(f"{program} gave {len(rows)} rows for {len(texts)} texts, or in another order")
    for row in rows:
        if "logits" not in row:
            raise DataError(f"{program}: row {row['id']}: {row.get('error', 'no logits')}")
    return torch.tensor([[row["logits"][label] for label in labels] for row in rows], dtype=torch.float32)


def report(ours, theirs, gold):
    """Prints the comparison; the exit status."""
    difference = (ours - theirs).abs()
    worst = difference.max(1).values.argmax().item()
    print(f"rows                {len(ours)}")
    print(f"max |difference|    {difference.max().item():.3g} (row {worst})")
    print(f"other label         {(ours.argmax(1) != theirs.argmax(1)).sum().item()}")
    if gold is not None:
        for name, logits in (("headlight", ours), ("trainer", theirs)):
            print(f"accuracy {name:10} {accuracy(logits, gold):.4f}")
    return 0 if difference.max().item() <= BOUND else 1  # a difference that is not a number is not small


def accuracy(logits, gold):
    return (logits.argmax(1) == torch.tensor(gold)).float().mean().item()


def run(options):
    torch.set_num_threads(options.threads)
    columns = Columns(options.text, options.label or "label", options.header, options.format, options.split, options.label is None)
    rows = read_rows(options.file, columns)
    model = native.read(options.model)
    gold = gold_classes(rows, model, options.file)
    texts = rows.texts[: options.limit]
    theirs = torch_logits(model, texts)
    if gold is not None:
        gold = gold[: options.limit]
        print(f"trainer alone: {accuracy(theirs, gold):.4f} right of {len(texts)}", file=sys.stderr)
    return report(headlight_logits(options.model, model.labels, texts), theirs, gold)


def main():
    options = parser().parse_args()
    try:
        sys.exit(run(options))
    except DataError as error:
        print(f"compare_trainer: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
