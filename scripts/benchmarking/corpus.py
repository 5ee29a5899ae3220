"""Accuracy, training and speed of fast classifiers: fastText, tf-idf with logistic regression, and headlight.

    scripts/bench corpus path/to/data [NAME...] [--rounds N] [--draw SEED] [--pipelines | --misspelt SEED]

NAME is sst2, trec, banking77, clinc150 or ag_news (default: all); their files are in folders with these names. Of AG
News 1,000 rows drawn at random are for training, the others for testing. fastText (PyPI) has the best of three settings
on a tenth of the training rows, and is then trained on all of them; its texts are lower-cased and their punctuation is
split off, as its tutorial does. headlight's models are those of `fit --train static --store int8` and of `fit` without
options. Printed are the accuracy on the test rows, the seconds to train (with all settings), the size of the model, and
the rows a second with one and two threads, the median of some rounds: `headlight batch --format fasttext` as a process,
the others as one call in Python, without loading; they have one thread. The rows are the test rows repeated to 20,000,
or 2,000 of them for `fit`, which computes equal texts once. The last column is the peak memory of scoring, for the
others with training and Python.

With --pipelines, `fit --train tfidf` stands beside the same features in scikit-learn alone: words and pairs of words
and n-grams of 2 to 5 characters, sublinear tf-idf, and logistic regression whose C of five is chosen in three folds.
Of SST-2 10,000 rows drawn at random are for training. Both have two threads to train with.

With --misspelt, every second word of four letters or more, drawn at random, has two letters swapped, one dropped or one
doubled, in training and test rows; of SST-2 10,000 rows are for training. The three settings of fastText then have
n-grams of 2 to 5 characters.

With --draw, training and test rows are put together and drawn anew, in the same numbers: test rows that no setting was
chosen by. Those of SST-2 are sentences; phrases of three words or more that they contain are not trained on.
"""

import functools
import itertools
import multiprocessing
import os
import pathlib
import pickle
import random
import re
import resource
import statistics
import subprocess
import tempfile
import time

from common import program
from common.command_line import finish, number, parser
from common.data_sets import read_ag_news, read_splits, read_table

NAMES = ("sst2", "trec", "banking77", "clinc150", "ag_news")
AG_TRAIN = {"ag_news": 1000, "ag_news_5600": 5600}
SCORED = 20_000
FEW = 2000
FEWER = 10_000
FASTTEXT = [dict(wordNgrams=1), dict(wordNgrams=2), dict(wordNgrams=2, minn=3, maxn=6)]
FASTTEXT_MISSPELT = [
    dict(minn=2, maxn=5),
    dict(wordNgrams=2, minn=2, maxn=5),
    dict(wordNgrams=2, minn=2, maxn=5, epoch=100),
]


def read_rows(root, name):
    if name in AG_TRAIN:
        rows = read_ag_news(root)
        return rows[: AG_TRAIN[name]], rows[AG_TRAIN[name] :]
    if name == "sst2":
        return [read_table(root / name / f"{split}.tsv", "\t", "sentence", "label") for split in ("train", "dev")]
    return read_splits(root, name)


def draw(name, train, test, seed):
    rows = train + test
    random.Random(seed).shuffle(rows)
    if name != "sst2":
        return rows[len(test) :], rows[: len(test)]
    whole = "\n".join(text.strip() for text, _ in rows)
    sentences = (row for row in rows if len(row[0].split()) > 5 and whole.count(row[0].strip()) == 1)
    chosen = list(itertools.islice(sentences, len(test)))
    inside = "\n".join(text for text, _ in chosen)
    known = set(chosen)
    rest = [row for row in rows if row not in known and (len(row[0].split()) < 3 or row[0].strip() not in inside)]
    return rest, chosen


def misspell(rows, seed):
    chance = random.Random(seed)

    def changed(word):
        if len(word) < 4 or chance.random() < 0.5:
            return word
        at = chance.randrange(len(word) - 1)
        pair = word[at : at + 2]
        return word[:at] + chance.choice([pair[::-1], pair[1], pair[0] + pair]) + word[at + 2 :]

    return [(" ".join(map(changed, text.split())), label) for text, label in rows]


def lines(rows, split=False):
    def shown(text):
        text = " ".join(text.split())
        return re.sub(r"([.!?,'/()])", r" \1 ", text).lower() if split else text

    return [f"__label__{label.replace(' ', '_')} {shown(text)}" for text, label in rows]


def write_lines(path, rows, split=False):
    path.write_text("".join(line + "\n" for line in lines(rows, split)), encoding="utf-8")
    return path


def timed(call, rounds):
    """The median seconds of a call, and its last result."""
    seconds = []
    for _ in range(rounds):
        begun = time.monotonic()
        result = call()
        seconds.append(time.monotonic() - begun)
    return statistics.median(seconds), result


def share_right(found, rows):
    return sum(a == b for a, b in zip(found, lines_labels(rows), strict=True)) / len(rows)


def lines_labels(rows):
    return [line.split(" ", 1)[0] for line in lines(rows)]


def repeated(rows):
    return (rows * (SCORED // len(rows) + 1))[:SCORED]


def try_fasttext(folder, train, test, rounds, settings):
    import fasttext

    fasttext.FastText.eprint = lambda *_: None
    held = random.Random(0).sample(range(len(train)), len(train) // 10)
    dev = [train[i] for i in held]
    rest = [row for i, row in enumerate(train) if i not in set(held)]
    part, whole = write_lines(folder / "part", rest, True), write_lines(folder / "whole", train, True)
    dev_texts = [line.split(" ", 1)[1] for line in lines(dev, True)]

    def make(path, setting, rate=0.5):
        try:
            given = {"epoch": 25, "lr": rate, "thread": 1, "verbose": 0, **setting}
            return fasttext.train_supervised(str(path), **given)
        except RuntimeError:  # not a number: fastText itself advises a lower rate
            return make(path, setting, rate / 2)

    begun = time.monotonic()
    accuracies = [
        share_right([label for (label,) in make(part, setting).predict(dev_texts)[0]], dev) for setting in settings
    ]
    model = make(whole, settings[accuracies.index(max(accuracies))])
    trained = time.monotonic() - begun
    model.save_model(str(folder / "model.bin"))
    texts = [line.split(" ", 1)[1] for line in lines(test, True)]
    found = [label for (label,) in model.predict(texts)[0]]
    many = repeated(texts)
    seconds, _ = timed(lambda: model.predict(many), rounds)
    return share_right(found, test), trained, (folder / "model.bin").stat().st_size, [SCORED / seconds], own_memory()


def try_pipeline(model, train, test, rounds):
    trained, _ = timed(lambda: model.fit([text for text, _ in train], lines_labels(train)), 1)
    texts = [text for text, _ in test]
    many = repeated(texts)
    seconds, _ = timed(lambda: model.predict(many), rounds)
    size = len(pickle.dumps(model))
    return share_right(model.predict(texts), test), trained, size, [SCORED / seconds], own_memory()


def try_tfidf(folder, train, test, rounds):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=1000))
    return try_pipeline(model, train, test, rounds)


def try_union(folder, train, test, rounds):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.pipeline import make_pipeline, make_union

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    regression = LogisticRegressionCV(
        Cs=[1, 3, 10, 30, 100],
        cv=3,
        max_iter=1000,
        n_jobs=2,
        l1_ratios=(0,),
        use_legacy_attributes=False,
        scoring="accuracy",
    )
    model = make_pipeline(make_union(words, characters), regression)
    return try_pipeline(model, train, test, rounds)


def own_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def try_headlight(folder, train, test, rounds, *options):
    rows, tests = write_lines(folder / "train.txt", train), write_lines(folder / "test.txt", test)
    scored = repeated(test) if {"static", "tfidf"} & set(options) else test[:FEW]
    many = write_lines(folder / "many.txt", scored)
    model = folder / "model"
    trained, _ = timed(lambda: program.run("fit", rows, "-o", model, "-q", "--force", *options), 1)
    batch = ["batch", "-m", model, "--input-format", "fasttext", "--format", "fasttext", "-q"]
    found = [line.split(" ")[0] for line in program.text(*batch, tests).splitlines()]

    def score(threads):
        """Returns the peak memory in MB."""
        command = [program.path(), *map(str, batch), str(many), "--threads", str(threads)]
        return os.wait4(subprocess.Popen(command, stdout=subprocess.DEVNULL).pid, 0)[2].ru_maxrss / 1024

    times = [timed(functools.partial(score, threads), rounds) for threads in (1, 2)]
    rates, memory = [len(scored) / seconds for seconds, _ in times], times[-1][1]
    size = sum(file.stat().st_size for file in model.iterdir())
    return share_right(found, test), trained, size, rates, memory


CONTENDERS = {
    "fastText": (try_fasttext, FASTTEXT),
    "tf-idf": (try_tfidf,),
    "fit --train static": (try_headlight, "--train", "static", "--store", "int8"),
    "  -m encoder": (try_headlight, "--train", "static", "--store", "int8", "-m", "encoder"),
    "fit": (try_headlight,),
}

MISSPELT = {
    "fastText": (try_fasttext, FASTTEXT_MISSPELT),
    "fit --train static": (try_headlight, "--train", "static", "--store", "int8"),
    "fit --train tfidf": (try_headlight, "--train", "tfidf"),
}

PIPELINES = {"scikit-learn": (try_union,), "fit --train tfidf": (try_headlight, "--train", "tfidf")}


def run_one(contender, train, test, rounds, answer):
    how, *options = contender
    with tempfile.TemporaryDirectory() as folder:
        answer.put(how(pathlib.Path(folder), train, test, rounds, *options))


def measure(root, name, rounds, seed=None, misspelt=None, contenders=CONTENDERS):
    train, test = read_rows(root, name)
    if contenders in (PIPELINES, MISSPELT) and name == "sst2":
        train = random.Random(0).sample(list(train), FEWER)
    if seed is not None:
        train, test = draw(name, list(train), list(test), seed)
    if misspelt is not None:
        train, test = (misspell(rows, f"{misspelt} {len(rows)}") for rows in (train, test))
    print(f"{name}: {len(train):,} training rows, {len(test):,} test rows")
    print(f"  {'':20}{'accuracy':>9}{'train':>9}{'size':>10}{'rows/s, 1':>11}{'2':>9}{'memory':>9}")
    spawn = multiprocessing.get_context("spawn")
    for name, contender in contenders.items():
        answer = spawn.Queue()
        process = spawn.Process(target=run_one, args=(contender, train, test, rounds, answer))
        process.start()
        accuracy, seconds, size, rates, memory = answer.get()
        process.join()
        shown = "".join(f"{rate:{width},.0f}" for rate, width in zip(rates, (11, 9), strict=False))
        print(
            f"  {name:20}{100 * accuracy:7.2f} %{seconds:7.1f} s{size / 1e6:7.1f} MB{shown:20}{memory:6.0f} MB",
            flush=True,
        )


def main():
    line = parser("bench corpus", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    line.add_argument("--rounds", type=number(int, 1), default=3, metavar="N", help="default: %(default)s")
    line.add_argument("--draw", type=number(int, 0), metavar="SEED", help="draw the test rows anew")
    what = line.add_mutually_exclusive_group()
    what.add_argument("--pipelines", action="store_true", help="fit --train tfidf beside scikit-learn alone")
    what.add_argument("--misspelt", type=number(int, 0), metavar="SEED", help="misspell half of the longer words")
    options = line.parse_args()
    contenders = PIPELINES if options.pipelines else CONTENDERS if options.misspelt is None else MISSPELT
    for name in options.names or NAMES:
        measure(options.data, name, options.rounds, options.draw, options.misspelt, contenders)


if __name__ == "__main__":
    finish(main)
