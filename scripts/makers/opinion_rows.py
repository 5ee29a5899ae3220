"""Writes the rows that the bundled `sentiment` is trained and chosen on, as JSONL.

    scripts/make opinion_rows DATA -o FOLDER

DATA holds sst2/, sentiment/ and text/. FOLDER gets

    opinions-train.jsonl, opinions-held.jsonl   some 100,000 opinions of films, products, news and talk, and 1,200 for
                                        choices. What is encyclopedic counts as neutral
    opinions-temperature.jsonl          these and as many of SemEval's development tweets, for the temperature alone:
                                        of subjects that the model did not learn from, too
    opinions-more.jsonl                 150,000 texts without a label, for a teacher to score

The same data gives the same files.
"""

import csv
import gzip
import random
from pathlib import Path

from common.command_line import finish, parser
from common.phrases import hold_out, recombined
from makers.training_rows import phrases, write, write_texts

SEED = 0
# The sets that a model of opinions learns, each with the most rows. `mr` and `cr` are parts of others.
OPINIONS = {
    "sst3": 9000,
    "vader_movie": 9000,
    "vader_nyt": 9000,
    "vader_amazon": 9000,
    "vader_tweets": 9000,
    "product_sentences": 9000,
    "pros_cons": 8000,
    "goemotions": 28_000,
    "amazon_reviews_4": 9000,
}
PHRASES, STATEMENTS, DEV, UNLABELLED = 24_000, 4000, 150, 150_000
NEUTRAL_TEXTS = ("world_factbook", "wordnet", "questions", "recipes")
MORE_TEXTS = (
    "web_treebanks",
    "dialogue_turns",
    "tatoeba",
    "novels",
    "wikipedia_sentences",
    "headlines",
    "common_voice",
)
HELD, MORE, LONG = 400, 40_000, 100_000
NAMES = {"0": "negative", "1": "positive"}


def opinions(data, name, split):
    with open(data / f"sentiment/{name}/{split}.csv", encoding="utf-8", newline="") as file:
        return [{"text": row["text"], "label": row["label"]} for row in csv.DictReader(file)]


def lines_of(data, name):
    with gzip.open(data / f"text/{name}.txt.gz", "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def write_opinions(data, folder):
    pick = random.Random(SEED)

    def some(rows, most):
        return pick.sample(rows, min(most, len(rows)))

    rows = phrases(data, "train")
    held, rest = hold_out([row["text"] for row in rows], DEV, SEED)
    chosen = [rows[i] for i in held]
    train = some([rows[i] for i in rest], PHRASES)
    for name, most in OPINIONS.items():
        train += some(opinions(data, name, "train"), most)
        # The development rows of film reviews are those of SST-2, which are for figures only.
        if name not in ("sst3", "vader_movie"):
            chosen += some(opinions(data, name, "dev"), DEV)
    for name in NEUTRAL_TEXTS:
        lines = some(lines_of(data, name), STATEMENTS // len(NEUTRAL_TEXTS))
        train += ({"text": text, "label": "neutral"} for text in lines)
    gone = {row["text"] for row in chosen}
    train = [row for row in train if row["text"] not in gone]
    pick.shuffle(train)
    write(folder / "opinions-train.jsonl", train)
    write(folder / "opinions-held.jsonl", chosen)
    short = [row["text"] for row in train if len(row["text"]) < 200]
    plain = [text for name in MORE_TEXTS for text in some(lines_of(data, name), 6000)]
    more = recombined([row["text"] for row in rows], UNLABELLED // 3, SEED, long=True)
    more += recombined(short, UNLABELLED - len(more) - len(plain), SEED, long=True)
    write_texts(folder / "opinions-more.jsonl", more + plain)
    strangers = some(opinions(data, "semeval_tweets", "dev"), len(chosen))
    write(folder / "opinions-temperature.jsonl", chosen + strangers)


def main():
    options = parser("make opinion_rows", __doc__)
    options.add_argument("data", type=Path, metavar="DATA")
    options.add_argument("-o", "--output", type=Path, metavar="FOLDER", required=True)
    arguments = options.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_opinions(arguments.data, arguments.output)


if __name__ == "__main__":
    finish(main)
