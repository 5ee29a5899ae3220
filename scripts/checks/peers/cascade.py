"""Counts how often `batch --agree` keeps its word on rows that `evaluate --then --write` has not seen.

    scripts/check cascade path/to/data [--splits N] [--rows N] [--train N]

The large model is the bundled `sentiment`. The small one is that of `fit --train static` on training rows of SST-2
(folder sst2). Other rows of the same file are split at random N times: a quarter of them is measured by `evaluate
--write`, the others are scored by `batch --agree` and by the large model alone. Prints, for each agreement that is
promised, in how many splits it holds among these rows, the lowest agreement, the share of rows that the small model
answers, and how many times the rows a second of the large model alone that is, by the seconds of one process each. Exit
status 1 if a promise holds in fewer than 17 of 20 splits.
"""

import pathlib
import random
import tempfile
import time

from common import program
from common.command_line import finish, number, parser
from common.data_sets import read_table, write_rows

PROMISES = ("90%", "95%", "98%")
LEAST = 17 / 20  # of the splits
NAMES = {"0": "negative", "1": "positive"}


def labels(rows_file, *options):
    """The labels of a run of `batch`, who gave them, and the seconds of the process."""
    begun = time.monotonic()
    answers = program.rows("batch", rows_file, "-q", *options)
    seconds = time.monotonic() - begun
    return [row["label"] for row in answers], [row.get("model") for row in answers], seconds


def try_split(folder, rows, small):
    """{promise: (agreement, share of the small model, speed-up)} on three quarters of the rows."""
    quarter = len(rows) // 4
    measured = write_rows(folder / "measured.jsonl", rows[:quarter])
    others = write_rows(folder / "others.jsonl", rows[quarter:])
    cascade = ("-m", small, "--then", "sentiment")
    program.run("evaluate", measured, *cascade, "--write", "--force", "-q")
    expected, _, alone = labels(others, "-m", "sentiment")
    found = {}
    for promise in PROMISES:
        given, models, seconds = labels(others, *cascade, "--agree", promise)
        agreement = sum(a == b for a, b in zip(given, expected, strict=True)) / len(given)
        found[promise] = (agreement, models.count(small.name) / len(given), alone / seconds)
    return found


def main():
    options = parser("check cascade", __doc__)
    options.add_argument("data", type=pathlib.Path)
    options.add_argument("--splits", type=number(int, 1), default=20)
    options.add_argument("--rows", type=number(int, 400), default=8000)
    options.add_argument("--train", type=number(int, 100), default=40000)
    options = options.parse_args()
    labelled = read_table(options.data / "sst2/train.tsv", "\t", "sentence", "label")
    rows = [(text, NAMES[label]) for text, label in labelled]
    chance = random.Random(7)
    chance.shuffle(rows)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        train = write_rows(folder / "train.jsonl", rows[: options.train])
        small = folder / "small"
        program.run("fit", train, "--train", "static", "-o", small, "-q")
        pool = rows[options.train : options.train + options.rows]
        tried = []
        for _ in range(options.splits):
            chance.shuffle(pool)
            tried.append(try_split(folder, pool, small))
    failed = False
    print("promise  holds in      lowest  kept by small  speed-up")
    for promise in PROMISES:
        agreements, kept, faster = zip(*(split[promise] for split in tried), strict=True)
        held = sum(agreement >= float(promise[:-1]) / 100 for agreement in agreements)
        failed = failed or held < LEAST * options.splits
        means = f"{sum(kept) / len(kept):11.1%}  {sum(faster) / len(faster):10.2f}"
        print(f"{promise:7}  {held} of {options.splits}  {min(agreements):10.2%}  {means}")
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
