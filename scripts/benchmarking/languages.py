"""`headlight fit` without options on texts that the encoder cannot read, beside tf-idf of characters (scikit-learn).

    scripts/bench languages FOLDER [NAME...]

FOLDER is what `scripts/make script_tasks` writes; NAME is a folder in it (default: all). tf-idf has n-grams of one to
five characters and logistic regression whose C of five is chosen in three folds. Printed are the accuracy on the test
rows, the training that `fit` chose, and how far it is behind.
"""

import pathlib
import tempfile

from common import program
from common.command_line import finish, parser
from common.data_sets import read_table


def peer(train, test):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.pipeline import make_pipeline

    features = TfidfVectorizer(analyzer="char", ngram_range=(1, 5), sublinear_tf=True)
    regression = LogisticRegressionCV(
        Cs=[1, 3, 10, 30, 100], cv=3, max_iter=1000, l1_ratios=(0,), use_legacy_attributes=False, scoring="accuracy"
    )
    model = make_pipeline(features, regression).fit(*zip(*train, strict=True))
    return model.score(*zip(*test, strict=True))


def ours(folder):
    with tempfile.TemporaryDirectory() as scratch:
        model = pathlib.Path(scratch) / "model"
        trained = program.document("fit", folder / "train.csv", "-o", model, "--format", "json", "-q")
        chosen = ", ".join(each["train"] for each in trained["candidates"] if each["chosen"])
        return program.document("evaluate", folder / "test.csv", "-m", model, "--format", "json", "-q"), chosen


def main():
    line = parser("bench languages", __doc__)
    line.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    line.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    options = line.parse_args()
    print(f"{'':14}{'rows':>7}{'tf-idf':>9}{'fit':>9}{'behind':>9}  chosen")
    for name in options.names or sorted(path.name for path in options.folder.iterdir() if path.is_dir()):
        train, test = (
            read_table(options.folder / name / f"{part}.csv", ",", "text", "label") for part in ("train", "test")
        )
        theirs = 100 * peer(train, test)
        found, chosen = ours(options.folder / name)
        accuracy = 100 * found["accuracy"]
        print(f"{name:14}{len(train):7,}{theirs:8.1f}%{accuracy:8.1f}%{theirs - accuracy:9.1f}  {chosen}", flush=True)


if __name__ == "__main__":
    finish(main)
