"""Accuracy by number of labels: rows that the model is most uncertain of, against rows drawn at random.

    scripts/bench labels path/to/data [--labels 100,200,400,800] [--seeds N] [NAME...]

NAME is ag_news or banking77 (default: both); their files are in folders with these names. Both ways begin with the
same random rows. In each round `headlight fit --dev-share 0` makes a model of the labelled rows, which are too few to
choose a penalty by some of them; the next rows to label are those of `headlight batch --sort uncertain` on the rest, or
random ones. The accuracy is that on all test rows, also
of labels that the model has not seen. AG News has test rows only: 5,000 of them are the pool. Prints the mean over
the seeds.
"""

import pathlib
import random
import tempfile

from common import program
from common.command_line import finish, parser
from common.data_sets import read_ag_news, read_splits, write_rows

NAMES = ("ag_news", "banking77")
POOL = 5000


def read_pool(root, name):
    """The rows to label and the test rows, as pairs of text and label."""
    if name == "banking77":
        return read_splits(root, name)
    rows = read_ag_news(root)
    return rows[:POOL], rows[POOL:]


def accuracy(model, test, path):
    found = program.rows("batch", path, "-m", model, "--quiet")
    return sum(row["label"] == label for row, (_, label) in zip(found, test, strict=True)) / len(test)


def next_rows(model, pool, labelled, count, folder):
    """The numbers of the rows without a label that the model is most uncertain of."""
    rest = [i for i in range(len(pool)) if i not in labelled]
    path = write_rows(folder / "rest.jsonl", [pool[i] for i in rest])
    found = program.rows("batch", path, "-m", model, "--sort", "uncertain", "-k", count, "--quiet")
    return [rest[row["id"]] for row in found]


def curve(pool, test, options, seed, is_random):
    generator = random.Random(seed)
    order = generator.sample(range(len(pool)), len(pool))
    labelled, accuracies = set(), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        model, tests = folder / "model", write_rows(folder / "test.jsonl", test)
        for size in options.labels:
            count = size - len(labelled)
            is_drawn = is_random or not labelled
            labelled.update(
                order[len(labelled) : size] if is_drawn else next_rows(model, pool, labelled, count, folder)
            )
            rows = write_rows(folder / "labelled.jsonl", [pool[i] for i in sorted(labelled)])
            program.run("fit", rows, "-m", options.model, "-o", model, "--dev-share", 0, "--force", "--quiet")
            accuracies.append(accuracy(model, test, tests))
    return accuracies


def measure(name, options):
    pool, test = read_pool(options.data, name)
    means = {}
    for what, is_random in (("uncertain", False), ("random", True)):
        curves = [curve(pool, test, options, seed, is_random) for seed in range(options.seeds)]
        means[what] = [sum(values) / len(values) for values in zip(*curves, strict=True)]
    print(f"{name}: {len(pool):,} rows to choose from, {len(test):,} test rows, {options.seeds} seeds")
    print("  labels     " + "".join(f"{size:9}" for size in options.labels))
    for what, values in means.items():
        print(f"  {what:11}" + "".join(f"{100 * value:7.1f} %" for value in values), flush=True)


def sizes(text):
    return sorted({int(part) for part in text.split(",")})


def main():
    line = parser("bench labels", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="ag_news, banking77 (default: both)")
    line.add_argument("-m", "--model", default="encoder", help="start of the models (default: %(default)s)")
    line.add_argument(
        "--labels", type=sizes, default=[100, 200, 400, 800], metavar="N,N...", help="sizes of the rounds"
    )
    line.add_argument("--seeds", type=int, default=3, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    for name in options.names:
        if name not in NAMES:
            line.error(f"unknown data set {name!r}; expected {', '.join(NAMES)}")
    for name in options.names or NAMES:
        measure(name, options)


if __name__ == "__main__":
    finish(main)
