"""A classifier of scikit-learn on the vectors of an encoder, such as SetFit's, as a native model."""

import tempfile
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from common import program
from common.program import ProgramError
from importing import head_agreement, linear, pipeline
from importing.files import Writer, json_bytes, read_object
from importing.problem import Problem

EXAMPLES = """
what is imported:
  A folder of SetFit: an encoder of sentence-transformers with model_head.pkl. Or a classifier alone, with the
  encoder that gave its vectors: LogisticRegression, LinearSVC, RidgeClassifier, SGDClassifier,
  OneVsRestClassifier, MultiOutputClassifier, CalibratedClassifierCV (sigmoid) of these, MLPClassifier with one
  hidden layer; a StandardScaler may stand before them. What has no counterpart is refused by its name.

A pickle runs whatever code is in it. It is read with --trust alone: say so of files that you made. Files of
skops (.skops) run nothing. In Python, `importing.head.write(classifier, "ENCODER", "m")` takes the object itself.

Before anything is written, probabilities (or decision values, where there are none) and labels of 1,000 made
texts, or of the lines of --check, are compared with what scikit-learn says of the vectors of `headlight embed`;
a difference above 1e-5 is an error of the import.

examples:
  scripts/import head setfit-folder -o m --trust
  scripts/import head classifier.skops --encoder path/to/all-MiniLM-L6-v2 -o m --check texts.txt

Exit status: 0 where all was written, 1 where something could not be imported, 2 for a wrong command line.
"""
HEADS = ("model_head.skops", "model_head.pkl")


def file_of(source):
    """The file of the classifier."""
    if not source.is_dir():
        return source
    for name in HEADS:
        if (source / name).exists():
            return source / name
    raise Problem(f"{source}: has no {' or '.join(HEADS)}, so it is no folder of SetFit")


def setfit_settings(source):
    """The names of the labels, and whether vectors are normalized."""
    path = source / "config_setfit.json"
    if not source.is_dir() or not path.exists():
        return None, False
    found = read_object(path)
    labels, normalizes = found.get("labels"), found.get("normalize_embeddings", False)
    if labels is not None and not (isinstance(labels, list) and all(isinstance(each, str) for each in labels)):
        raise Problem(f"{path}: labels: expected a list of names")
    if not isinstance(normalizes, bool):
        raise Problem(f"{path}: normalize_embeddings: expected true or false")
    return labels, normalizes


def names_of(classes, labels):
    """Classes as text; numbers as the names with these numbers."""
    classes = np.asarray(classes).tolist()
    if labels is None:
        return [str(each) for each in classes]
    if classes == labels:
        return labels
    if not all(isinstance(each, int) and 0 <= each < len(labels) for each in classes):
        raise Problem(f"the classifier has the labels {classes[:5]}, config_setfit.json names others")
    return [labels[each] for each in classes]


def native_encoder(encoder):
    """Files of a native model with the encoder, its config and its tensors."""
    with tempfile.TemporaryDirectory(prefix="import-") as place:
        folder = Path(place) / "encoder"
        program.run("export", "--layout", "headlight", "-m", encoder, "-o", folder)
        config = read_object(folder / "config.json")
        return config, {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "config.json"}


def with_head(config, head, normalizes):
    """The config of the encoder with the fields of the head, and the head's tensors."""
    kind, folds, weights, bias = linear.label_rows(head)
    tensors = {"classifier.weight": weights.mean(axis=0), "classifier.bias": bias.mean(axis=0)}
    added = {"normalize": True} if normalizes else {}
    width = config["hidden_size"]
    if head.hidden:
        if "head_dense_act" in config:
            raise Problem("the encoder ends with a dense layer, and the classifier has a hidden layer; expected one")
        added |= {"head_dense_act": head.hidden.activation, "head_dense_size": len(head.hidden.weights)}
        tensors |= {"head.dense.weight": head.hidden.weights, "head.dense.bias": head.hidden.bias}
    reads = (head.hidden.weights if head.hidden else head.weights).shape[1]
    if reads != width:
        raise Problem(f"the classifier reads vectors of {reads} numbers, the encoder gives {width}")
    if normalizes and "head_dense_act" in config:
        raise Problem("normalize_embeddings: has no counterpart behind the dense layer of the encoder")
    if folds > 1:
        added["folds"] = folds
        tensors |= {
            "classifier.folds.weight": weights.reshape(-1, weights.shape[-1]),
            "classifier.folds.bias": bias.ravel(),
        }
    if kind != "softmax" and not head.each_label:
        added["output"] = kind
    added["problem_type"] = f"{'multi' if head.each_label else 'single'}_label_classification"
    return config | added, {name: np.ascontiguousarray(each, dtype=np.float32) for name, each in tensors.items()}


def write(classifier, encoder, output, force=False, texts=None, labels=None, normalizes=False):
    """Lines that say what was written, after comparing the model with the classifier on `texts`, or on made ones.

    `labels` are the names of labels that are numbers. `normalizes`: the classifier reads vectors of length 1.
    """
    head = linear.head_of(getattr(classifier, "best_estimator_", classifier))
    names = names_of(head.classes, labels)
    config, files = native_encoder(encoder)
    config, tensors = with_head(config, head, normalizes)
    config["id2label"] = {str(i): name for i, name in enumerate(names)}
    writer = Writer(Path(output), force)
    writer.add("config.json", json_bytes(config))
    files["model.safetensors"] = save(load(files["model.safetensors"]) | tensors, {"format": "pt"})
    for name, content in sorted(files.items()):
        writer.add(name, content)

    def trial(folder):
        try:
            head_agreement.check(folder, encoder, classifier, head, texts)
        except ProgramError as error:  # by the place that the files were for
            raise Problem(str(error).partition("headlight: ")[2].replace(str(folder), str(output)) or error) from None

    return writer.write(trial)


def main():
    p = pipeline.parser(
        "head", "Makes a model directory of a classifier of scikit-learn and the encoder before it.", EXAMPLES
    )
    p.add_argument("source", metavar="DIR|FILE", type=Path, help="a folder of SetFit, or a classifier in a file")
    p.add_argument("--encoder", metavar="MODEL", help="the encoder, as -m takes it (default: the folder itself)")
    options = p.parse_args()
    if not options.encoder and not options.source.is_dir():
        p.error("a classifier alone needs --encoder MODEL")

    def lines_of(texts):
        labels, normalizes = setfit_settings(options.source)
        classifier = pipeline.load(file_of(options.source), options.trust)
        encoder = options.encoder or options.source.resolve()
        return write(classifier, encoder, options.output, options.force, texts, labels, normalizes)

    pipeline.run(options, lines_of)


if __name__ == "__main__":
    main()
