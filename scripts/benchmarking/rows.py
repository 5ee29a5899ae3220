"""Measures what reading and writing many rows costs `headlight batch` beside the model, as CSV and as JSONL.

    scripts/bench rows TEXTS [--column N] [--rows 1000000] [--model sentiment]

The lines of TEXTS are repeated with ids until there are N rows. Each format is scored by the model, and by a model of a
single unit with the same tokenizer: its time is reading, tokenizing and writing. Rows must come out in order, none
missing. Memory is measured with a tenth of the rows and with all of them.
"""

import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from common import program
from common.command_line import finish, parser


def write_rows(texts, count, folder):
    """The same rows as rows.csv and rows.jsonl."""
    rows = list(zip(range(count), itertools.cycle(texts)))
    with open(folder / "rows.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text"])
        writer.writerows(rows)
    with open(folder / "rows.jsonl", "w", encoding="utf-8") as file:
        for number, text in rows:
            file.write(json.dumps({"id": str(number), "text": text}) + "\n")


def smallest(model, folder):
    """A model of one unit with the tokenizer of `model`."""
    config = json.loads((model / "config.json").read_text())
    config |= {"hidden_size": 1, "num_attention_heads": 1, "num_hidden_layers": 1, "intermediate_size": 1}
    (folder / "smallest.json").write_text(json.dumps(config))
    program.run("init", folder / "smallest.json", "-o", folder / "smallest", "-q")
    (folder / "smallest/vocab.txt").write_bytes((model / "vocab.txt").read_bytes())
    return folder / "smallest"


def run(model, file, limit):
    """Seconds, CPU seconds and peak memory in MiB of a run. Checks the number and the order of its rows."""
    form = file.suffix[1:]
    command = [program.path(), "batch", file, "-m", model, "-q", "--row-errors-ok", "--limit", str(limit)]
    begun = time.monotonic()
    process = subprocess.Popen([*command, "--format", form], stdout=subprocess.PIPE)
    lines = process.stdout if form == "jsonl" else itertools.islice(process.stdout, 1, None)
    count = 0
    for count, line in enumerate(lines, 1):
        if not line.startswith(b'{"id":"%d",' % (count - 1) if form == "jsonl" else b"%d," % (count - 1)):
            sys.exit(f"row {count - 1} is {line!r}")
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0 or count != limit:
        sys.exit(f"status {status}, {count} rows of {limit}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    line = parser("bench rows", __doc__)
    line.add_argument("texts", type=pathlib.Path, help="one text per line, or a TSV")
    line.add_argument("--column", type=int, default=1, help="the column of the text, from 1 (default: %(default)s)")
    line.add_argument("--rows", type=int, default=1_000_000)
    line.add_argument(
        "--model",
        type=pathlib.Path,
        default=program.ROOT / "data/models/sentiment",
        help="a native model with vocab.txt",
    )
    arguments = line.parse_args()
    texts = [
        line.split("\t")[arguments.column - 1] for line in arguments.texts.read_text(encoding="utf-8").splitlines()
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_rows(texts, arguments.rows, folder)
        small = smallest(arguments.model, folder)
        titles = f"{'rows/s':>13}  {'CPU µs/row':>12}  {'of it rows':>10}  {'MiB a tenth':>11}  {'MiB all':>7}"
        print(f"{'':6}  {titles}")
        for form in ("csv", "jsonl"):
            file = folder / f"rows.{form}"
            _, _, tenth = run(arguments.model, file, max(1, arguments.rows // 10))
            seconds, cpu, memory = run(arguments.model, file, arguments.rows)
            _, around, _ = run(small, file, arguments.rows)
            rate, each, share = arguments.rows / seconds, 1e6 * cpu / arguments.rows, 100 * around / cpu
            print(f"{form:6}  {rate:13.0f}  {each:12.0f}  {share:8.1f} %  {tenth:11.0f}  {memory:7.0f}", flush=True)


if __name__ == "__main__":
    finish(main)
