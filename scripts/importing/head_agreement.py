"""What a model says of texts, compared with what the classifier of scikit-learn says of the encoder's vectors."""

import json
import tempfile
from pathlib import Path

import numpy as np

from common import program
from importing.pipeline_agreement import SAMPLES, SHOWN, made_texts
from importing.problem import Problem

BOUND = 1e-5  # of a probability, and of a decision value relative to 1 or to itself
TERMS = 5000
MARKS = ("##", "▁", "Ġ")  # of tokens that begin or continue a word


def terms_of(folder):
    """Words of the vocabulary, to make texts of."""
    words = []
    if (folder / "vocab.txt").exists():
        words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    elif (folder / "tokenizer.json").exists():
        vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
        words = [each if isinstance(each, str) else each[0] for each in vocabulary]
    for mark in MARKS:
        words = [word.replace(mark, "") for word in words]
    words = [word for word in words if word.isprintable() and word.strip() and word[0] not in "[<"]
    return words[:: max(1, len(words) // TERMS)] or list(SAMPLES)


def vectors_of(encoder, lines):
    """[t, d] as float64; NaN for a text without a vector."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "vectors.npy"
        options = ["--input-format", "jsonl", "--quiet"]
        program.run("embed", "-", "-m", encoder, "-o", path, *options, data=lines, statuses=(0, 3))
        return np.load(path).astype(np.float64)


def expected(classifier, head, vectors):
    """Numbers [t, c] of the labels, and labels [t], None where several are given at once."""
    with np.errstate(all="ignore"):
        if head.fields["output"] != "none":
            numbers = classifier.predict_proba(vectors)
            if isinstance(numbers, list):  # of MultiOutputClassifier
                numbers = np.stack([each[:, 1] for each in numbers], axis=1)
        else:
            numbers = np.asarray(classifier.decision_function(vectors))
            if numbers.ndim == 1 or numbers.shape[1] == 1:
                numbers = np.hstack([-numbers.reshape(-1, 1), numbers.reshape(-1, 1)])
        return numbers, None if head.each_label else np.asarray(classifier.predict(vectors))


def check(folder, encoder, classifier, head, texts=None):
    """Prints the largest difference; a Problem, with the first texts that differ, if it is above the bound."""
    texts = made_texts(terms_of(folder)) if texts is None else texts
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    kind = "logits" if head.fields["output"] == "none" else "probabilities"
    options = ["--input-format", "jsonl", f"--{kind}", "--quiet"]
    answers = program.rows("batch", "-", "-m", folder, *options, data=lines, statuses=(0, 3))
    vectors = vectors_of(encoder, lines)
    if config.get("normalize"):
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    used = [i for i, answer in enumerate(answers) if "error" not in answer and np.isfinite(vectors[i]).all()]
    if not used:
        raise Problem(f"none of the {len(texts):,} texts has a vector, so nothing could be compared")
    numbers, labels = expected(classifier, head, vectors[used])
    names = list(config["id2label"].values())
    ours = np.array([[answers[i][kind][name] for name in names] for i in used])
    scale = np.maximum(1.0, np.abs(numbers)) if kind == "logits" else 1.0
    worst = np.max(np.abs(ours - numbers) / scale, axis=1)
    is_other = np.zeros(len(used), dtype=bool)
    if labels is not None:
        classes = np.asarray(head.classes).tolist()
        ordered = np.sort(numbers, axis=1)
        is_clear = ordered[:, -1] - ordered[:, -2] > 2 * BOUND
        found = [names[classes.index(label)] for label in labels.tolist()]
        is_other = is_clear & np.array([answers[i]["label"] != name for i, name in zip(used, found, strict=True)])
    print(f"compared {len(used):,} texts, largest difference {np.max(worst):.2g}")
    differing = [j for j in range(len(used)) if not worst[j] <= BOUND or is_other[j]]
    for j in differing[:SHOWN]:
        shown = json.dumps(texts[used[j]][:60])
        print(f"text {used[j] + 1}: {shown}: {'another label, ' if is_other[j] else ''}difference {worst[j]:.2g}")
    if differing:
        raise Problem(f"{len(differing):,} of {len(used):,} texts differ by more than {BOUND}; nothing was written")
