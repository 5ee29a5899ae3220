"""Writes tests/golden/pipelines: pipelines of scikit-learn as models, and what scikit-learn says of texts.

    scripts/make pipeline_golden [-o FOLDER]

answers.json has the texts, and of each model the decision values and probabilities of each text, or null.
"""

import json

import numpy as np
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC

from common.command_line import finish, output_path
from common.program import ROOT
from importing import pipeline
from importing.pipeline_agreement import SAMPLES, expected

OUTPUT = ROOT / "tests/golden/pipelines"
TEXTS = ["", " ", "good", "GOOD film film film", "bad  bad\tfilm", *SAMPLES, *(f"{text} good" for text in SAMPLES)]


def pipelines():
    few = {"max_features": 40}
    union = make_union(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, **few),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), strip_accents="unicode", **few),
    )
    union.set_params(transformer_weights={"tfidfvectorizer-1": 0.5})
    chars = CountVectorizer(analyzer="char", ngram_range=(1, 3), lowercase=False, strip_accents="ascii", **few)
    own = TfidfVectorizer(token_pattern=r"[^\W\d_]+(?:'[a-z]+)?|\d", stop_words=["film", "été"], norm="l1", **few)
    hashing = HashingVectorizer(n_features=32, ngram_range=(1, 2), norm=None)
    return {
        "words": (make_pipeline(TfidfVectorizer(ngram_range=(1, 2), **few), LogisticRegression()), 2),
        "union": (make_pipeline(union, LogisticRegression()), 3),
        "characters": (make_pipeline(chars, TfidfTransformer(), MultinomialNB()), 3),
        "pattern": (make_pipeline(own, SGDClassifier(loss="modified_huber", random_state=0)), 3),
        "hashed": (make_pipeline(hashing, TfidfTransformer(), LinearSVC()), 3),
        "curves": (
            make_pipeline(
                CountVectorizer(binary=True, **few), CalibratedClassifierCV(LinearSVC(), method="isotonic", cv=2)
            ),
            2,
        ),
        "slopes": (make_pipeline(TfidfVectorizer(**few), CalibratedClassifierCV(LinearSVC(), cv=2)), 3),
        "many": (make_pipeline(TfidfVectorizer(**few), OneVsRestClassifier(LogisticRegression())), 0),
    }


def rows(labels):
    """Texts, and a label of each, or two labels at once."""
    texts = [f"{word} {text}" for word in ("good", "bad film", "film") for text in SAMPLES]
    if labels == 0:
        return texts, np.array([[i < 40, i % 2] for i in range(len(texts))])
    return texts, [f"label {i * labels // len(texts)}" for i in range(len(texts))]


def numbers(found):
    return None if found is None else np.asarray(found).tolist()


def main():
    folder = output_path("make pipeline_golden", __doc__, OUTPUT)
    made = {"scikit-learn": sklearn.__version__, "command": "scripts/make pipeline_golden"}
    answers = {"made": made, "texts": TEXTS, "models": {}}
    for name, (fitted, labels) in pipelines().items():
        fitted.fit(*rows(labels))
        pipeline.write(fitted, folder / name, force=True)
        scores, probabilities, _ = expected(fitted, TEXTS)
        answers["models"][name] = {"logits": numbers(scores), "probabilities": numbers(probabilities)}
    text = json.dumps(answers, ensure_ascii=True, separators=(",", ":"))
    (folder / "answers.json").write_text(text.replace('"models"', '\n"models"') + "\n", encoding="utf-8")
    print(folder)


if __name__ == "__main__":
    finish(main)
