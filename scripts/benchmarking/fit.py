"""`headlight fit` without options beside fastText, tf-idf with logistic regression, and last layers.

    scripts/bench fit path/to/data [NAME...] [-m FOLDER]

NAME is sst2, trec, banking77, clinc150, ag_news (1,000 rows) or ag_news_5600 (default: all). Prints the table of `bench
corpus` for `fit`, for `fit --train head` on the bundled encoder and on the model in FOLDER, such as MiniLM, and for the
best of three settings of fastText and tf-idf. Memory is that of scoring; `/usr/bin/time -v headlight fit` shows that of
training.
"""

import pathlib

from benchmarking import corpus
from common.command_line import finish, parser


def main():
    line = parser("bench fit", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    line.add_argument("-m", dest="model", metavar="FOLDER", help="also a last layer on this model")
    options = line.parse_args()
    contenders = {name: corpus.CONTENDERS[name] for name in ("fastText", "tf-idf", "fit")}
    contenders["fit --train head"] = (corpus.try_headlight, "--train", "head")
    if options.model:
        contenders["  -m FOLDER"] = (corpus.try_headlight, "--train", "head", "-m", options.model)
    for name in options.names or (*corpus.NAMES, "ag_news_5600"):
        corpus.measure(options.data, name, 1, contenders=contenders)


if __name__ == "__main__":
    finish(main)
