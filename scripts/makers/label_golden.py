"""Writes tests/golden/labels.json: what cleanlab says of random labels and probabilities.

    scripts/make label_golden [-o FILE]

A group has the given labels, their probabilities as float32, the confident joint without calibration, the rows
that cleanlab lists by `low_self_confidence`, the least probable first.
"""

import json

import cleanlab
import numpy
from cleanlab.count import compute_confident_joint
from cleanlab.filter import find_label_issues

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "tests/golden/labels.json"
SEED = 38
SHAPES = ((60, 2), (120, 3), (200, 7))
SURE = 2.5  # added to the logit of the true label


def group(generator, n, c):
    true = numpy.arange(n) % c
    given = numpy.where(generator.random(n) < 0.2, generator.integers(c, size=n), true)
    logits = generator.normal(size=(n, c)) + SURE * numpy.eye(c)[true]
    probabilities = numpy.exp(logits)
    probabilities = (probabilities / probabilities.sum(axis=1, keepdims=True)).astype(numpy.float32)
    exact = probabilities.astype(numpy.float64)
    listed = find_label_issues(
        given, exact, filter_by="low_self_confidence", return_indices_ranked_by="self_confidence", n_jobs=1
    )
    return {
        "given": given.tolist(),
        "probabilities": [float(str(value)) for value in probabilities.ravel()],
        "joint": compute_confident_joint(given, exact, calibrate=False).ravel().tolist(),
        "listed": listed.tolist(),
    }


def main():
    output = output_path("make label_golden", __doc__, OUTPUT)
    generator = numpy.random.default_rng(SEED)
    document = {
        "made": {"cleanlab": cleanlab.__version__, "seed": SEED, "command": "scripts/make label_golden"},
        "groups": [group(generator, n, c) for n, c in SHAPES],
    }
    output.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    finish(main)
