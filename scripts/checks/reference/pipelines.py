"""Compares `batch` with pipelines of scikit-learn that `import pipeline` reads, over all settings and classifiers.

    scripts/check pipelines [--rows N] [--seconds] [ROWS.csv|TEXTS.txt ...]

Trains 80 pipelines on made texts of two, three and many labels, and on the files named (a CSV has the columns text
and label, or category; other files give a text a line). Imports each, and compares decision values, probabilities and
labels on 1,000 made texts (20 languages, texts of each pipeline's own terms, characters of all scripts) and on the
first N rows of each file (default: 10000). Prints a table of the largest differences: of a probability, and of a
decision value relative to 1 or to itself. Then the terms of all characters of Unicode 3.2, and what must be refused, by
its name and value. Exit status 1 where a difference is above 1e-6, where a label or a term is another one, or where
something is read that has no counterpart. --seconds prints rows a second of `pipeline.predict` and of `batch --threads
1` instead.
"""

import csv
import itertools
import pathlib
import random
import tempfile
import time
import unicodedata
import warnings

import joblib
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from common import program
from common.command_line import finish, number, parser
from importing import pipeline, pipeline_agreement
from importing.problem import Problem

Tf, Count, Hashing = TfidfVectorizer, CountVectorizer, HashingVectorizer
BUCKETS = 2**12


def texts_to_vectors():
    """Makers of what stands before the classifier, with names."""
    union = make_union(Tf(ngram_range=(1, 2)), Tf(analyzer="char", ngram_range=(2, 5), sublinear_tf=True))
    weighted = make_union(Count(binary=True), Hashing(n_features=BUCKETS, analyzer="char_wb", ngram_range=(3, 3)))
    weighted.set_params(transformer_weights={"countvectorizer": 0.25, "hashingvectorizer": 2.0})
    return {
        "tfidf": Tf(),
        "tfidf 1-2": Tf(ngram_range=(1, 2), sublinear_tf=True),
        "tfidf 2-3 l1": Tf(ngram_range=(2, 3), norm="l1"),
        "tfidf no norm": Tf(norm=None, smooth_idf=False),
        "tfidf no idf": Tf(use_idf=False, binary=True),
        "tfidf float32": Tf(dtype=np.float32),
        "tfidf cased": Tf(lowercase=False, min_df=2),
        "tfidf accents unicode": Tf(strip_accents="unicode", ngram_range=(1, 2)),
        "tfidf accents ascii": Tf(strip_accents="ascii"),
        "tfidf accents char": Tf(analyzer="char", ngram_range=(1, 3), strip_accents="unicode", lowercase=False),
        "tfidf stop words": Tf(stop_words="english", ngram_range=(1, 3), max_features=3000),
        "tfidf own stop words": Tf(stop_words=["the", "film", "été"], ngram_range=(1, 2)),
        "tfidf \\w+": Tf(token_pattern=r"\b\w+\b"),
        "tfidf \\S+": Tf(token_pattern=r"\S+", ngram_range=(1, 2)),
        "tfidf \\w{3,}": Tf(token_pattern=r"(?u)\w{3,}"),
        "tfidf words, marks": Tf(token_pattern=r"[A-Za-z]+(?:'[a-z]+)?|[^\w\s]"),
        "tfidf (…)": Tf(token_pattern=r"(\d+\.\d+|\w\w*?\b)"),
        "tfidf look": Tf(token_pattern=r"(?<!\w)[^\W\d_]{2,6}(?=\s|$)"),
        "count": Count(),
        "count binary": Count(binary=True, ngram_range=(1, 2)),
        "count, tfidf": make_pipeline(Count(ngram_range=(1, 2)), TfidfTransformer(sublinear_tf=True)),
        "char 2-5": Tf(analyzer="char", ngram_range=(2, 5)),
        "char_wb 1-4": Tf(analyzer="char_wb", ngram_range=(1, 4)),
        "char_wb 4-7": Count(analyzer="char_wb", ngram_range=(4, 7)),
        "hashing": Hashing(n_features=BUCKETS),
        "hashing small": Hashing(n_features=37, norm=None),
        "hashing unsigned l1": Hashing(n_features=BUCKETS, alternate_sign=False, norm="l1", ngram_range=(1, 2)),
        "hashing binary": Hashing(n_features=257, binary=True, analyzer="char", ngram_range=(1, 3)),
        "hashing, tfidf": make_pipeline(Hashing(n_features=BUCKETS, norm=None), TfidfTransformer()),
        "union": union,
        "union, weights": weighted,
        "union, tfidf": make_pipeline(make_union(Count(), Count(analyzer="char")), TfidfTransformer()),
    }


def classifiers():
    return {
        "logistic": LogisticRegression(C=10, max_iter=200),
        "svc": LinearSVC(),
        "sgd log": SGDClassifier(loss="log_loss", random_state=0),
        "sgd huber": SGDClassifier(loss="modified_huber", random_state=0, max_iter=5),
        "sgd hinge": SGDClassifier(random_state=0),
        "ridge": RidgeClassifier(),
        "perceptron": Perceptron(random_state=0),
        "multinomial": MultinomialNB(),
        "complement": ComplementNB(norm=True),
        "ovr logistic": OneVsRestClassifier(LogisticRegression(fit_intercept=False)),
        "ovr svc": OneVsRestClassifier(LinearSVC()),
        "ovr bayes": OneVsRestClassifier(MultinomialNB()),
        "sigmoid": CalibratedClassifierCV(LinearSVC(), cv=3),
        "isotonic": CalibratedClassifierCV(LinearSVC(), method="isotonic", cv=3),
        "temperature": CalibratedClassifierCV(LogisticRegression(), method="temperature", cv=2),
        "one fold": CalibratedClassifierCV(RidgeClassifier(), ensemble=False, cv=2),
    }


def made_rows(labels, count=600):
    """Texts whose words and scripts say something of their label."""
    chance = random.Random(labels)
    words = [f"{a}{b}" for a in ("good", "bad", "film", "été", "Straße", "ΣΑΣ", "кино", "x1") for b in ("", "s", "'s")]
    rows = []
    for i in range(count):
        label = i % labels
        text = chance.choices(words, k=chance.randrange(3, 20)) + [words[label % len(words)]] * 3
        rows.append((" ".join([*text, chance.choice(pipeline_agreement.SAMPLES)]), f"label {label}"))
    return rows


def read_rows(path):
    """Rows of text and label; the label is None in files of texts."""
    if path.suffix != ".csv":
        return [(line, None) for line in path.read_text(encoding="utf-8").splitlines()]
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    label = "label" if "label" in rows[0] else "category"
    return [(row["text"], row[label]) for row in rows]


def trials(files):
    """Names, pipelines and the texts to compare beside the made ones."""
    labelled = [rows for rows in files if rows[0][1] is not None]
    sets = [*(made_rows(labels) for labels in (2, 3, 12)), *labelled]
    heads = itertools.cycle(classifiers().items())
    names = itertools.cycle(range(len(sets)))
    vectors = texts_to_vectors()
    pairs = [(v, h) for v in ("tfidf", "hashing unsigned l1", "union") for h in classifiers()]
    pairs += [(v, next(heads)[0]) for v in vectors]
    for vector, head in pairs[: 48 + len(vectors)]:
        rows = sets[next(names)]
        fitted = make_pipeline(texts_to_vectors()[vector], classifiers()[head])
        texts, labels = zip(*rows[:3000])
        try:
            fitted.fit(texts, labels)
        except ValueError as error:  # negative numbers in naive Bayes, one row of a label
            print(f"{vector:24} {head:14} not trained: {str(error).partition(chr(10))[0][:60]}")
            continue
        yield f"{vector:24} {head:14} {len(fitted.classes_):3} labels", fitted
    multi = np.array([[i % 2, i % 3 == 0, i % 5 < 2] for i in range(600)])
    fitted = make_pipeline(Tf(), OneVsRestClassifier(LogisticRegression()))
    yield "tfidf, several labels at once", fitted.fit([text for text, _ in made_rows(12)], multi)


def refused():
    """Names and pipelines that have no counterpart."""
    rows = made_rows(2, 60)
    texts, labels = zip(*rows)
    logistic = LogisticRegression

    def fit(*steps):
        return make_pipeline(*steps).fit(texts, labels)

    repeated = fit(Count(), logistic())
    first = next(iter(repeated[0].vocabulary_))
    repeated[0].vocabulary_[first] = 1
    outside = fit(Count(), logistic())
    outside[0].vocabulary_[first] = 10**6
    broken = fit(Tf(), logistic())
    broken[-1].coef_[0, 0] = float("nan")
    cut = fit(Tf(), logistic())
    cut[-1].coef_ = cut[-1].coef_[:, 1:]
    return {
        "tokenizer=": fit(Tf(tokenizer=str.split, token_pattern=None), logistic()),
        "preprocessor=": fit(Tf(preprocessor=str.strip), logistic()),
        "analyzer=": fit(Tf(analyzer=str.split), logistic()),
        "strip_accents=": fit(Tf(strip_accents=str.strip), logistic()),
        "token_pattern='(?i)": fit(Tf(token_pattern=r"(?i)[a-z]+"), logistic()),
        "token_pattern='x(a)": fit(Tf(token_pattern=r"x(a)|\w"), logistic()),
        "vocabulary_: expected each index": repeated,
        "expected each index from 0": outside,
        "tensor weights: has a number that is not finite": broken,
        "features, the vectorizers": cut,
        "DecisionTreeClassifier: is not read": fit(Tf(), DecisionTreeClassifier()),
        "SelectKBest: is not read": fit(Tf(), SelectKBest(k=9), logistic()),
    }


def check_refusals(folder):
    failed = 0
    for expected, fitted in refused().items():
        try:
            pipeline.write(fitted, folder, force=True)
            found = "was read"
        except (Problem, program.ProgramError) as problem:
            found = str(problem)
        failed += expected not in found
        print(f"{'refused' if expected in found else 'NOT REFUSED'}: {found[:150]}")
    marker = folder.parent / "ran"

    class Runs:
        def __reduce__(self):
            return pathlib.Path.touch, (marker,)

    joblib.dump(Runs(), folder.parent / "runs.joblib")
    try:
        pipeline.load(folder.parent / "runs.joblib", trust=False)
    except Problem as problem:
        print(f"refused: {problem}")
    return failed + marker.exists()


def check_characters(folder):
    """Compares the terms of all characters that Unicode 3.2 has with those of the analyzer itself."""
    known = unicodedata.ucd_3_2_0
    characters = [chr(c) for c in range(1, 0x110000) if known.category(chr(c)) not in ("Cn", "Cs", "Co", "Cc")]
    texts = [f"a{c}b ΑΣ{c} {c}Σ α{c}Σ ΑΣ{c}α x{c}{c}y" for c in characters]
    failed = 0
    for settings in (
        {"token_pattern": r"\w"},
        {"token_pattern": r"[\w]\w*?"},
        {"token_pattern": r"[^\W\d]+|\d|\s"},
        {"strip_accents": "unicode"},
        {"strip_accents": "ascii", "token_pattern": r"\S+", "lowercase": False},
        {"analyzer": "char", "ngram_range": (2, 2)},
        {"analyzer": "char_wb", "ngram_range": (3, 3)},
    ):
        fitted = make_pipeline(Count(**settings), LogisticRegression()).fit(["good bad 1", "film"], [0, 1])
        pipeline.write(fitted, folder, force=True, texts=["good"])
        lines = "".join(text.replace("\n", " ") + "\n" for text in texts)
        found = program.rows("tokenize", "-m", folder, "--format", "jsonl", "-q", data=lines)
        analyze = fitted[0].build_analyzer()
        differing = [c for c, text, row in zip(characters, texts, found, strict=True) if analyze(text) != row["tokens"]]
        failed += bool(differing)
        shown = [hex(ord(c)) for c in differing[:8]]
        print(f"{settings}: {len(characters):,} characters, {len(differing)} differ: {shown}")
    return failed


def seconds(folder, texts, fitted):
    begin = time.process_time()
    fitted.predict(texts)
    theirs = time.process_time() - begin
    path = folder.parent / "texts.txt"
    path.write_text("".join(" ".join(text.split()) + "\n" for text in texts), encoding="utf-8")
    begin = time.perf_counter()
    program.run("batch", path, "-m", folder, "--threads", 1, "--input-format", "text", "-q", "-o", "/dev/null", "-f")
    ours = time.perf_counter() - begin
    return f"{len(texts) / theirs:9,.0f} {len(texts) / ours:9,.0f} rows/s, {theirs / ours:5.1f} times"


def main():
    p = parser("check pipelines", __doc__)
    p.add_argument("files", nargs="*", metavar="FILE", type=pathlib.Path)
    p.add_argument("--rows", type=number(int, 1), default=10000)
    p.add_argument("--seconds", action="store_true")
    options = p.parse_args()
    warnings.simplefilter("ignore")
    files = [read_rows(path)[: options.rows] for path in options.files]
    more = [text for rows in files for text, _ in rows]
    failed = count = 0
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "model"
        for name, fitted in trials(files):
            count += 1
            try:
                pipeline.write(fitted, folder, force=True)
            except (Problem, program.ProgramError) as problem:
                failed += 1
                print(f"{name} FAILED: {problem}")
                continue
            if options.seconds:
                print(name, seconds(folder, more, fitted))
            elif more:
                found = pipeline_agreement.differences(folder, fitted, more)
                worst, others = max(w for w, _ in found), sum(other for _, other in found)
                failed += worst > pipeline_agreement.BOUND or others > 0
                print(f"{name} {len(more):,} rows: {worst:.1g}, other labels: {others}")
            else:
                print(name, "agrees")
        failed += check_characters(folder) + check_refusals(folder)
    print(f"{count} pipelines, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
