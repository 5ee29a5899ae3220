"""Shows what `headlight fit --long window` gains on long documents.

    scripts/check long_texts path/to/data [-m FOLDER] [--documents N] [--threads N]

A document has one text of AG News that decides, at a random place among twenty passages of two texts each of the label
World: about 2,000 tokens. Its label is that of the text that decides: Sports, Business or Sci/Tech. The rest says
nothing about it, so a model that reads the beginning alone can rarely know. No text decides in two documents; those
around it are other ones in documents to train on and to test. Trains the last layer with windows and without on N
documents (default: 900), and prints the accuracy of both on a third as many others with its 95 % interval. Exit status
1 unless the accuracy with windows is above the interval without.
"""

import pathlib
import random
import tempfile
import time

from common import program
from common.command_line import finish, number, parser
from common.data_sets import read_ag_news, write_rows

NEUTRAL = "1"  # World
PASSAGES = 20


def documents(rows, count, neutral, draw):
    """`count` documents with the labels of the first `count` rows."""
    made = []
    for text, label in rows[:count]:
        passages = [" ".join(draw.sample(neutral, 2)) for _ in range(PASSAGES)]
        passages.insert(draw.randrange(PASSAGES + 1), text)
        made.append((" ".join(passages), label))
    return made


def accuracy(folder, files, how, options):
    model = folder / how
    begun = time.perf_counter()
    start = ("-m", options.model) if options.model else ()
    threads = ("--threads", options.threads)
    program.run("fit", files[0], *start, "-o", model, "--train", "head", "--long", how, *threads)
    seconds = time.perf_counter() - begun
    found = program.document("evaluate", files[1], "-m", model, "--format", "json", *threads)
    low, high = found["accuracy_interval"]
    print(
        f"--long {how}: accuracy {100 * found['accuracy']:.1f} %, 95 % CI {100 * low:.1f}–{100 * high:.1f} %; "
        f"trained in {seconds:.0f} s",
        flush=True,
    )
    return found["accuracy"], high


def main():
    line = parser("check long_texts", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("-m", "--model", metavar="FOLDER", help="default: the bundled encoder")
    line.add_argument("--documents", type=number(int, 30), default=900, metavar="N", help="default: %(default)s")
    line.add_argument("--threads", type=number(int, 1), default=2, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    rows = read_ag_news(options.data)
    neutral = [text for text, label in rows if label == NEUTRAL]
    deciding = [row for row in rows if row[1] != NEUTRAL]
    draw = random.Random(0)
    count, half = options.documents, len(neutral) // 2
    sets = (
        documents(deciding, count, neutral[:half], draw),
        documents(deciding[count:], count // 3, neutral[half:], draw),
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        files = [write_rows(folder / f"{i}.jsonl", rows) for i, rows in enumerate(sets)]
        words = sum(len(text.split()) for text, _ in sets[0]) / count
        print(f"{count} documents of {words:.0f} words to train on, {len(sets[1])} to test", flush=True)
        windows, _ = accuracy(folder, files, "window", options)
        _, highest_cut = accuracy(folder, files, "truncate", options)
    return 0 if windows > highest_cut else 1


if __name__ == "__main__":
    finish(main)
