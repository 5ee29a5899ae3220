"""Every bundled classifier on sets that it was not trained on, with 95 % intervals, beside what else one would take.

    scripts/bench models path/to/data [NAME...] [--test N]

NAME is a bundled model: sentiment, sentiment-stream, intent or language (default: all). DATA holds sst2/, sentiment/,
clinc150/ and more/. Beside `sentiment` stand VADER (PyPI; its compound score at ±0.05) and tf-idf with logistic
regression on the rows of `scripts/make opinion_rows`; beside `intent`, tf-idf on the same training rows; beside
`language`, py3langid. A set of two classes is scored among these two (`--among`). Of a longer set some N rows, evenly
spread, are scored (default: all).
"""

import functools
import json
import pathlib
import tempfile

from common import program
from common.command_line import finish, number, parser
from common.data_sets import read_splits, read_table, write_rows
from makers.opinion_rows import write_opinions

# Sets of two classes, and of three, of which only what is for development or tests is read.
OPINIONS = {
    "sst2": 2,
    "cr": 2,
    "pros_cons": 2,
    "mpqa": 2,
    "amazon_reviews_4": 2,
    "sst3": 3,
    "goemotions": 3,
    "product_sentences": 3,
    "vader_amazon": 3,
    "vader_nyt": 3,
    "vader_tweets": 3,
    "semeval_tweets": 3,
    "sentiment140": 3,
    "airline_tweets": 3,
    "apple_tweets": 3,
    "sanders_tweets": 3,
    "product_tweets": 3,
    "self_driving_tweets": 3,
    "weather_tweets": 3,
    "stackoverflow_posts": 3,
    "financial_phrasebank": 3,
    "course_evaluations": 3,
    "alexa_reviews": 3,
}
BOTH = ("negative", "positive")


def read_sst2(data):
    names = dict(zip("01", BOTH, strict=True))
    return [(text, names[label]) for text, label in read_table(data / "sst2/dev.tsv", "\t", "sentence", "label")]


def read_opinions(data, name):
    if name == "sst2":
        return read_sst2(data)
    folder = data / "sentiment" / name
    file = folder / "test.csv"
    return read_table(file if file.exists() else folder / "dev.csv", ",", "text", "label")


def fit_tf_idf(rows):
    """A function from a text to the scores of labels, and the labels."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts, labels = zip(*rows, strict=True)
    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True), LogisticRegression(C=10, max_iter=1000)
    )
    model.fit(texts, labels)
    classes = list(model.classes_)

    def answer(texts, among):
        scores = model.predict_proba(texts)
        kept = [classes.index(label) for label in among or classes]
        return [classes[max(kept, key=lambda column: row[column])] for row in scores]

    return answer


def vader(texts, among):
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    found = []
    for text in texts:
        score = analyzer.polarity_scores(text)["compound"]
        edge = 0 if among else 0.05
        found.append("positive" if score >= edge else "negative" if score <= -edge else "neutral")
    return found


def langid(known):
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_pickled_model(MODEL_FILE)
    identifier.set_languages(sorted({{"nb": "no"}.get(label, label) for label in known}))
    return lambda texts, _: [
        {"no": "nb"}.get(found, found) for found in (identifier.classify(text)[0] for text in texts)
    ]


def measure(most, name, rows, model, peers, among=None):
    rows = rows[:: -(-len(rows) // most)] if most else rows
    with tempfile.TemporaryDirectory() as scratch:
        file = write_rows(pathlib.Path(scratch) / "rows.jsonl", rows)
        more = ("--among", ",".join(among)) if among else ()
        found = program.document("evaluate", file, "-m", model, "-q", "--format", "json", *more)
    low, high = found["accuracy_interval"]
    recall = [each["recall"] for each in found["labels"] if each["support"]]
    texts, labels = zip(*rows, strict=True)
    others = ""
    for answer in peers.values():
        right = sum(given == label for given, label in zip(answer(texts, among), labels, strict=True))
        others += f" {100 * right / len(rows):7.1f} |"
    print(
        f"| {name} | {len(rows):,} | {100 * found['accuracy']:.1f} | {100 * low:.1f}–{100 * high:.1f} |"
        f" {100 * sum(recall) / len(recall):.1f} | {found['ece']:.3f} |{others}",
        flush=True,
    )


def heading(model, peers):
    print(
        f"\n## {model}\n\n| set | rows | accuracy | 95 % CI | mean recall | ECE |" + "".join(f" {p} |" for p in peers)
    )
    print("|---|--:|--:|--:|--:|--:|" + "--:|" * len(peers), flush=True)


def measure_sentiment(data, show):
    with tempfile.TemporaryDirectory() as scratch:
        write_opinions(data, pathlib.Path(scratch))
        lines = (pathlib.Path(scratch) / "opinions-train.jsonl").read_text(encoding="utf-8").splitlines()
    train = [json.loads(line) for line in lines]
    peers = {"VADER": vader, "tf-idf": fit_tf_idf([(row["text"], row["label"]) for row in train])}
    heading("sentiment", peers)
    for name, classes in OPINIONS.items():
        show(name, read_opinions(data, name), "sentiment", peers, BOTH if classes == 2 else None)


def measure_stream(data, show):
    heading("sentiment-stream", {})
    show("sst2", read_sst2(data), "sentiment-stream", {})


def measure_intent(data, show):
    train, test = read_splits(data, "clinc150")
    peers = {"tf-idf": fit_tf_idf(train)}
    heading("intent", peers)
    show("clinc150", test, "intent", peers)


def measure_language(data, show):
    rows = read_table(data / "more/languages/test.csv", ",", "text", "label")
    peers = {"py3langid": langid({label for _, label in rows})}
    heading("language", peers)
    show("languages", rows, "language", peers)


MODELS = {
    "sentiment": measure_sentiment,
    "sentiment-stream": measure_stream,
    "intent": measure_intent,
    "language": measure_language,
}


def main():
    line = parser("bench models", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    line.add_argument("--test", type=number(int, 1), metavar="N", help="default: all")
    options = line.parse_args()
    unknown = set(options.names) - set(MODELS)
    if unknown:
        line.error(f"no bundled classifier {', '.join(sorted(unknown))} (known: {', '.join(MODELS)})")
    for name in options.names or MODELS:
        MODELS[name](options.data, functools.partial(measure, options.test))


if __name__ == "__main__":
    finish(main)
