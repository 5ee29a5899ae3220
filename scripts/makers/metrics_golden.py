"""Writes tests/golden/metrics.json: what scikit-learn, SciPy and trec_eval measure on random predictions.

    scripts/make metrics_golden [-o FILE]

A group is a set of rows with the scores of each label, as float32, and the expected results. Bins, coverage
and attention have no function there; they are written out here in NumPy from their definitions.
"""

import importlib.metadata
import json
import warnings

import numpy
import pytrec_eval
import scipy
import scipy.stats
import sklearn
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax, softmax
from sklearn import metrics

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "tests/golden/metrics.json"
BINS = 15
THRESHOLDS = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]


def short(values):
    """Nested lists of the shortest decimals that give the same float32 back."""
    return [short(value) if value.ndim else float(str(value)) for value in values]


def calibration(confidence, right):
    bins = []
    for i in range(BINS):
        low, high = i / BINS, (i + 1) / BINS
        inside = (confidence > low) & (confidence <= high)
        rows = int(inside.sum())
        bins.append([rows, confidence[inside].mean() if rows else 0.0, right[inside].mean() if rows else 0.0])
    error = sum(rows * abs(accuracy - mean) for rows, mean, accuracy in bins) / len(right)
    return bins, error


def coverage(confidence, right):
    points = []
    for threshold in THRESHOLDS:
        inside = confidence >= threshold
        rows = int(inside.sum())
        points.append([rows, inside.mean(), right[inside].mean() if rows else 0.0])
    return points


def interval(right):
    found = scipy.stats.binomtest(int(right.sum()), len(right)).proportion_ci(0.95, method="wilson")
    return [float(found.low), float(found.high)]


def averages(gold, predicted):
    return [
        metrics.f1_score(gold, predicted, average=average, zero_division=0)
        for average in ("macro", "micro", "weighted")
    ]


def by_label(gold, predicted, labels):
    values = metrics.precision_recall_fscore_support(gold, predicted, labels=labels, zero_division=0)
    return [[float(value) for value in label] for label in zip(*values)]


def area(gold, scores):
    """One against the rest, over the labels that are in some rows and not in all."""
    areas = [
        metrics.roc_auc_score(gold[:, i], scores[:, i])
        for i in range(scores.shape[1])
        if 0 < gold[:, i].sum() < len(gold)
    ]
    return float(numpy.mean(areas))


def temperature(loss):
    found = minimize_scalar(
        lambda x: loss(numpy.exp(x)),
        bounds=(numpy.log(0.05), numpy.log(100)),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return [float(numpy.exp(found.x)), float(loss(1.0)), float(found.fun)]


def single_label(name, logits, gold):
    logits = logits.astype(numpy.float32)
    scores = softmax(logits.astype(float), axis=1).astype(numpy.float32)
    wide, count = scores.astype(float), scores.shape[1]
    labels = range(count)
    predicted = scores.argmax(axis=1)
    right = (predicted == gold).astype(float)
    bins, error = calibration(wide.max(axis=1), right)
    one_hot = numpy.eye(count)[gold]
    binary = count == 2
    return {
        "name": name,
        "labels": count,
        "logits": short(logits),
        "scores": short(scores),
        "gold": gold.tolist(),
        "predicted": predicted.tolist(),
        "confusion": metrics.confusion_matrix(gold, predicted, labels=labels).tolist(),
        "accuracy": metrics.accuracy_score(gold, predicted),
        "averages": averages(gold, predicted),
        "by_label": by_label(gold, predicted, labels),
        "log_loss": metrics.log_loss(gold, wide, labels=labels),
        "brier": metrics.brier_score_loss(gold, wide[:, 1] if binary else wide, labels=labels),
        "auc": metrics.roc_auc_score(gold, wide[:, 1]) if binary else area(one_hot, wide),
        "calibration": bins,
        "ece": error,
        "coverage": coverage(wide.max(axis=1), right),
        "interval": interval(right),
        "temperature": temperature(lambda t: -(one_hot * log_softmax(logits.astype(float) / t, axis=1)).sum(1).mean()),
    }


def best_threshold(gold, scores):
    precision, recall, thresholds = metrics.precision_recall_curve(gold, scores)
    f1 = 2 * precision[:-1] * recall[:-1] / numpy.maximum(precision[:-1] + recall[:-1], 1e-300)
    best = max(range(len(thresholds)), key=lambda i: (round(f1[i], 12), thresholds[i]))
    return [float(thresholds[best]), float(f1[best])]


def multi_label(name, logits, gold):
    logits = logits.astype(numpy.float32)
    scores = expit(logits.astype(float)).astype(numpy.float32)
    wide = scores.astype(float)
    predicted = (scores >= 0.5).astype(int)
    sign = 1 - 2 * gold
    return {
        "name": name,
        "labels": scores.shape[1],
        "logits": short(logits),
        "scores": short(scores),
        "gold": gold.tolist(),
        "predicted": predicted.tolist(),
        "averages": averages(gold, predicted),
        "by_label": by_label(gold, predicted, range(scores.shape[1])),
        "subset_accuracy": metrics.accuracy_score(gold, predicted),
        "hamming_loss": metrics.hamming_loss(gold, predicted),
        "log_loss": metrics.log_loss(gold.ravel(), wide.ravel()),
        "auc": area(gold, wide),
        "thresholds": [
            best_threshold(gold[:, i], wide[:, i]) if gold[:, i].any() else None for i in range(scores.shape[1])
        ],
        "temperature": temperature(lambda t: numpy.logaddexp(0, sign * logits.astype(float) / t).mean()),
    }


def regression(name, values, gold):
    return {
        "name": name,
        "values": values.tolist(),
        "gold": gold.tolist(),
        "mse": metrics.mean_squared_error(gold, values),
        "mae": metrics.mean_absolute_error(gold, values),
        "pearson": scipy.stats.pearsonr(values, gold).statistic,
        "spearman": scipy.stats.spearmanr(values, gold).statistic,
    }


def attention(name, texts):
    """Texts of [layer, head, n, n]; the numbers of a head over all of them."""
    heads = []
    for layer, head in numpy.ndindex(texts[0].shape[:2]):
        rows = [row for text in texts for row in text[layer, head].astype(float)]
        weights = numpy.concatenate(rows)
        entropy = [-(row[row > 0] * numpy.log(row[row > 0])).sum() for row in rows]
        heads.append([weights.mean(), weights.std(), numpy.mean([row.max() for row in rows]), numpy.mean(entropy)])
    return {"name": name, "texts": [short(text) for text in texts], "heads": heads}


def ranking(name, random, k):
    """Scores and relevances of the answers to each query. trec_eval does not cut its reciprocal rank, so it gets the
    best k answers."""
    queries = []
    for number in range(12):
        answers = random.choice(numpy.arange(4000, dtype=numpy.float32), int(random.integers(1, 25)), replace=False)
        relevant = [0, 0, 0, 1, 2, 3, -1] if number % 4 else [0]
        queries.append([[float(score) / 4096, int(random.choice(relevant))] for score in answers])
    judged = {str(i): {str(j): answer[1] for j, answer in enumerate(query)} for i, query in enumerate(queries)}
    found = {str(i): {str(j): answer[0] for j, answer in enumerate(query)} for i, query in enumerate(queries)}
    best = {i: dict(sorted(query.items(), key=lambda answer: -answer[1])[:k]) for i, query in found.items()}
    measures = {"ndcg": f"ndcg_cut_{k}", "mrr": "recip_rank", "recall": f"recall_{k}"}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {f"ndcg_cut.{k}", "recip_rank", f"recall.{k}"})
    values = evaluator.evaluate(best).values()
    return {
        "name": name,
        "k": k,
        "queries": queries,
        **{ours: float(numpy.mean([value[theirs] for value in values])) for ours, theirs in measures.items()},
    }


def learned(random, gold, count, strength=2.0):
    """Logits that know something of the gold label."""
    return random.normal(size=(len(gold), count)) * 1.5 + strength * numpy.eye(count)[gold]


def main():
    output = output_path("make metrics_golden", __doc__, OUTPUT)
    warnings.simplefilter("ignore")
    random = numpy.random.default_rng(7)
    binary = random.integers(0, 2, 160)
    five = random.choice([0, 1, 3, 4], 160)  # no row has label 2
    six = random.integers(0, 4, 40)  # no row has label 4 or 5
    never = learned(random, six, 6)
    never[:, 5] = -20  # and no verdict is label 5
    flags = (random.random((120, 4)) < [0.5, 0.3, 0.1, 0.0]).astype(int)
    tied = numpy.round(learned(random, binary, 2))
    values = random.normal(size=100)
    matrices = [softmax(random.normal(size=(2, 3, n, n)) * 3, axis=-1).astype(numpy.float32) for n in (1, 4, 6)]
    matrices.append(numpy.tril(numpy.ones((2, 3, 3, 3))) / numpy.arange(1, 4)[:, None])
    matrices[-1] = matrices[-1].astype(numpy.float32)
    golden = {
        "made": {
            "scikit-learn": sklearn.__version__,
            "scipy": scipy.__version__,
            "numpy": numpy.__version__,
            "pytrec_eval-terrier": importlib.metadata.version("pytrec_eval-terrier"),
            "command": "scripts/make metrics_golden",
        },
        "single_label": [
            single_label("two labels", learned(random, binary, 2), binary),
            single_label("two labels, ties", tied, binary),
            single_label("five labels, one without a row", learned(random, five, 5), five),
            single_label("six labels, one neither gold nor predicted", never, six),
        ],
        "multi_label": [
            multi_label("four labels, one without a row", random.normal(size=(120, 4)) * 2 + 3 * flags - 1, flags),
            multi_label("ties", numpy.round(random.normal(size=(120, 4)) * 2 + 2 * flags - 1), flags),
        ],
        "regression": [
            regression("values", values, values * 0.5 + random.normal(size=100)),
            regression("ties", numpy.round(values), numpy.round(values + random.normal(size=100))),
        ],
        "attention": [attention("three texts and a causal one", matrices)],
        "ranking": [ranking(f"the best {k}", random, k) for k in (1, 3, 10)],
    }
    text = json.dumps(golden, separators=(",", ":"), default=float)
    output.write_text(text.replace('{"name"', '\n{"name"') + "\n", encoding="utf-8")
    print(f"{output}: {len(text)} bytes")


if __name__ == "__main__":
    finish(main)
