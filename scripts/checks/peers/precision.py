"""Counts the verdicts that --precision int8 or bf16 changes.

    scripts/check precision sst2/dev.tsv [-m MODEL] [--precision bf16]

FILE has one text per line, or is a TSV with a column `sentence`. Prints one line: rows, changed verdicts, the largest
and the mean difference of a logit; then the rows that changed. Exit status 1 if --most percent of the verdicts or more
changed.
"""

import json
import pathlib

from common import program
from common.command_line import finish, parser
from common.texts import read_texts


def score(texts, precision, model):
    """The logits of each text, label by label."""
    rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    options = ["--precision", precision, *(["-m", model] if model else [])]
    answers = program.rows("batch", "-", "--input-format", "jsonl", "--logits", *options, data=rows)
    return [answer["logits"] for answer in answers]


def main():
    line = parser("check precision", __doc__)
    line.add_argument("file", type=pathlib.Path, metavar="FILE")
    line.add_argument("-m", "--model", metavar="NAME", help="default: the bundled `sentiment` model")
    line.add_argument("--precision", choices=("bf16", "int8"), default="int8", help="default: %(default)s")
    line.add_argument("--most", type=float, default=0.5, metavar="PERCENT", help="default: %(default)s")
    options = line.parse_args()
    texts = read_texts(options.file)
    exact, rounded = (score(texts, precision, options.model) for precision in ("fp32", options.precision))
    differences = [abs(a[label] - b[label]) for a, b in zip(exact, rounded) for label in a]
    changed = [i for i, (a, b) in enumerate(zip(exact, rounded)) if max(a, key=a.get) != max(b, key=b.get)]
    percent = 100 * len(changed) / len(texts)
    print(
        f"{len(texts)} rows, {len(changed)} verdicts changed ({percent:.2f} %), logits differ by at most "
        f"{max(differences):.4f}, by {sum(differences) / len(differences):.4f} in the mean"
    )
    for i in changed:
        print(f"row {i}: {exact[i]} became {rounded[i]}")
    return 1 if percent >= options.most else 0


if __name__ == "__main__":
    finish(main)
