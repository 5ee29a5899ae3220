"""A pipeline of scikit-learn (a vectorizer of texts, then a linear classifier) as a sparse model."""

import argparse
import pickle
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from common.program import ProgramError
from importing import linear, pipeline_agreement, vectorizers
from importing.files import Writer, json_bytes
from importing.problem import Problem

EXAMPLES = """
what is imported:
  CountVectorizer, TfidfVectorizer, HashingVectorizer, TfidfTransformer, or a FeatureUnion of them, before
  LogisticRegression, LinearSVC, SGDClassifier, RidgeClassifier, MultinomialNB, ComplementNB,
  OneVsRestClassifier or CalibratedClassifierCV. A setting without a counterpart is refused by its name.

A pickle runs whatever code is in it. It is read with --trust alone: say so of files that you made. Files of
skops (.skops) run nothing. In Python, `importing.pipeline.write(pipeline, "m")` takes the object itself.

Before anything is written, decision values, probabilities and labels of 1,000 made texts, or of the lines of
--check, are compared with those of scikit-learn; a difference above 1e-6 is an error of the import.

examples:
  scripts/import pipeline model.joblib -o m --trust
  scripts/import pipeline model.skops -o m --check texts.txt

Exit status: 0 where all was written, 1 where something could not be imported, 2 for a wrong command line.
"""


def parser(name, description, epilog):
    """The options that imports of scikit-learn share."""
    p = argparse.ArgumentParser(
        prog=f"scripts/import {name}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="where to write")
    p.add_argument("--trust", action="store_true", help="run the code in the pickle, which comes from a safe place")
    p.add_argument("--check", metavar="TEXTS.txt", type=Path, help="compare these texts, one a line")
    p.add_argument("-f", "--force", action="store_true", help="replace files that exist")
    return p


def run(options, lines_of):
    """Prints what `lines_of` says of the texts of --check, or the problem."""
    try:
        texts = options.check.read_text(encoding="utf-8").splitlines() if options.check else None
        for line in lines_of(texts):
            print(line)
    except (Problem, ProgramError, OSError, UnicodeDecodeError) as problem:
        print(f"import: {problem}", file=sys.stderr)
        sys.exit(1)


def load(path, trust):
    if not path.exists():
        raise Problem(f"{path}: no such file")
    if path.suffix == ".skops":
        return load_skops(path)
    if not trust:
        raise Problem(f"{path}: a pickle runs the code in it; --trust reads one that comes from a safe place")
    import joblib

    try:
        return joblib.load(path)
    except (OSError, MemoryError):
        raise
    except (pickle.UnpicklingError, Exception) as error:
        raise Problem(f"{path}: cannot be read: {type(error).__name__}: {str(error).partition(chr(10))[0]}") from None


def load_skops(path):
    try:
        from skops import io
    except ImportError:
        raise Problem(f"{path}: needs the package skops in build/python") from None
    unknown = io.get_untrusted_types(file=path)
    if unknown:
        raise Problem(f"{path}: has types that are not known to be safe: {', '.join(unknown[:5])}")
    return io.load(path)


def write(pipeline, output, force=False, texts=None):
    """Lines that say what was written, after comparing the model with the pipeline on `texts`, or on made ones."""
    pipeline = getattr(pipeline, "best_estimator_", pipeline)
    *steps, last = vectorizers.flat(pipeline)
    if not steps:
        raise Problem(f"{type(last).__name__}: expected a Pipeline of a vectorizer and a classifier")
    if type(last) in linear.ON_VECTORS:
        raise Problem(f"{type(last).__name__}: is read behind an encoder alone, by scripts/import head")
    features = vectorizers.Features(steps)
    head = linear.head_of(last)
    if head.weights.shape[1] != len(features.order):
        raise Problem(f"the classifier has {head.weights.shape[1]} features, the vectorizers {len(features.order)}")
    labels = [str(each) for each in np.asarray(head.classes).tolist()]
    config = {
        "model_type": "sparse",
        "id2label": labels,
        "problem_type": f"{'multi' if head.each_label else 'single'}_label_classification",
        "dictionaries": features.dictionaries,
        **({"steps": features.steps} if features.steps else {}),
        **head.fields,
    }
    folds = head.fields.get("folds", 1)
    if len(head.weights) == folds and len(labels) == 2 and not head.each_label:
        config["one_column"] = True
    tensors = {
        **features.tensors,
        **head.tensors,
        "weights": np.ascontiguousarray(head.weights.T[features.order]),
        "bias": np.ascontiguousarray(head.bias),
    }
    writer = Writer(Path(output), force)
    writer.add("config.json", json_bytes(config))
    writer.add("model.safetensors", save(tensors, {"format": "np"}))

    def trial(folder):
        try:
            pipeline_agreement.check(folder, pipeline, texts)
        except ProgramError as error:  # by the place that the files were for
            raise Problem(str(error).partition("headlight: ")[2].replace(str(folder), str(output)) or error) from None

    return writer.write(trial)


def main():
    p = parser("pipeline", "Makes a model directory of a fitted pipeline of scikit-learn.", EXAMPLES)
    p.add_argument("source", metavar="FILE", type=Path, help="a pipeline, written by joblib, pickle or skops")
    options = p.parse_args()
    run(options, lambda texts: write(load(options.source, options.trust), options.output, options.force, texts))


if __name__ == "__main__":
    main()
