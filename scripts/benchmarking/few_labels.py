"""Accuracy with few labelled rows: `fit --train head`, `fit --train contrastive`, and SetFit; or what `fit` chooses.

    scripts/bench few path/to/data [NAME...] [-m DIR] [--setfit] [--rows N] [--draws FIRST-LAST] [--test N]
    scripts/bench few path/to/data [NAME...] --any N,N [--draws FIRST-LAST] [--test N] [--quick]

With --any, a draw takes the first N rows of any label: `fit` without options beside each single training with
`--dev-share 0`. Printed are the accuracies, how far the mean of `fit` is behind the best mean of a single training, and
how far its worst draw is behind that training in the draw. --quick is two draws of 64 and 128 rows of trec and
banking77, on 1,000 test rows. HEADLIGHT names the program to measure.

NAME is trec, banking77, ag_news or, with --any, clinc150 (default: all); their files are in folders with these
names. A draw shuffles all rows
of a set by its number, takes the first N of each label to train on, and the next ones as test rows. Models start from
the bundled encoder and, with -m, from another one; --setfit adds SetFit (PyPI) from the same. Printed are the accuracy
on the test rows of each draw, their mean, and the CPU seconds and the peak memory of training, the highest of all
draws; those of SetFit include Python and the prediction.
"""

import os
import pathlib
import random
import subprocess
import tempfile

from common import program
from common.command_line import finish, number, parser
from common.data_sets import read_ag_news, read_splits, write_rows

NAMES = ("trec", "banking77", "ag_news")
ANY_NAMES = (*NAMES, "clinc150")
SINGLE = ("static", "tfidf", "head", "contrastive", "all")


def shuffled(root, name, seed):
    rows = read_ag_news(root) if name == "ag_news" else sum(read_splits(root, name), [])
    random.Random(seed).shuffle(rows)
    return rows


def draw(root, name, seed, count, tests):
    rows = shuffled(root, name, seed)
    taken, train, test = {}, [], []
    for row in rows:
        taken[row[1]] = taken.get(row[1], 0) + 1
        (train if taken[row[1]] <= count else test).append(row)
    return train, test[:tests]


def run(command):
    """Standard output, CPU seconds and peak memory in MB."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise program.ProgramError(f"{command[0]} ended with status {os.waitstatus_to_exitcode(status)}")
        output.seek(0)
        return output.read().decode(), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def try_headlight(folder, train, test, start, part, *more):
    model = folder / "model"
    command = [program.path(), "fit", train, "--train", part, *more, "-o", model, "-q", "--force"]
    _, seconds, memory = run(command + (["-m", start] if start else []))
    found = program.document("evaluate", test, "-m", model, "--format", "json", "-q")
    return found["accuracy"], seconds, memory


def try_setfit(_, train, test, start, python):
    answer, seconds, memory = run([python, "-m", "benchmarking.setfit_peer", train, test, start])
    return float(answer.splitlines()[-1]), seconds, memory


def contenders(options):
    for start in [None, options.model] if options.model else [None]:
        for part in ("head", "contrastive"):
            yield f"{part}, {'another' if start else 'encoder'}", try_headlight, start, part
    if options.setfit:
        python = subprocess.check_output([program.ROOT / "scripts/python-env", "setfit"], text=True).strip()
        yield "SetFit, another", try_setfit, options.model, python


def measure(options, name, draws):
    print(f"{name}: {options.rows} rows a label, {options.test:,} test rows, draws {options.draws}")
    print(f"  {'':22}{'accuracy of each':>{8 * len(draws)}}{'mean':>8}{'CPU':>9}{'memory':>10}")
    for title, how, start, part in contenders(options):
        found = []
        for seed in draws:
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                train, test = draw(options.data, name, seed, options.rows, options.test)
                files = write_rows(folder / "train.jsonl", train), write_rows(folder / "test.jsonl", test)
                found.append(how(folder, *files, start, part))
        accuracies, seconds, memory = zip(*found, strict=True)
        each = "".join(f"{100 * accuracy:8.1f}" for accuracy in accuracies)
        mean = 100 * sum(accuracies) / len(accuracies)
        print(f"  {title:22}{each}{mean:8.1f}{max(seconds):7.1f} s{max(memory):7.0f} MB", flush=True)


def measure_any(options, name, rows, draws):
    print(f"{name}: {rows} rows, {options.test:,} test rows, draws {options.draws}")
    found = {}
    for part in (*SINGLE, "auto"):
        own = found.setdefault(part, [])
        spent = []
        for seed in draws:
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                drawn = shuffled(options.data, name, seed)
                train = write_rows(folder / "train.jsonl", drawn[:rows])
                test = write_rows(folder / "test.jsonl", drawn[rows : rows + options.test])
                more = () if part == "auto" else ("--dev-share", "0")
                accuracy, seconds, _ = try_headlight(folder, train, test, None, part, *more)
                own.append(100 * accuracy)
                spent.append(seconds)
        each = "".join(f"{accuracy:8.1f}" for accuracy in own)
        print(f"  {part:22}{each}{sum(own) / len(own):8.1f}{max(spent):7.1f} s", flush=True)
    best = max((found[part] for part in SINGLE), key=sum)
    behind = [theirs - ours for theirs, ours in zip(best, found["auto"], strict=True)]
    print(f"  auto is behind the best by {sum(behind) / len(behind):.1f}, in the worst draw by {max(behind):.1f}")


def draws_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    line = parser("bench few", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="DATA")
    line.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    line.add_argument("-m", dest="model", type=pathlib.Path, metavar="DIR", help="also start from this encoder")
    line.add_argument("--setfit", action="store_true", help="also train SetFit, from the encoder of -m")
    line.add_argument("--rows", type=number(int, 2), default=8, metavar="N", help="of a label (default: %(default)s)")
    line.add_argument("--draws", default="0-4", metavar="FIRST-LAST", help="default: %(default)s")
    line.add_argument("--test", type=number(int, 1), default=1000, metavar="N", help="default: %(default)s")
    line.add_argument("--any", metavar="N,N", help="rows of any label: what fit chooses beside single trainings")
    line.add_argument("--quick", action="store_true", help="with --any: a subset, in minutes")
    options = line.parse_args()
    if options.quick:
        options.any, options.draws, options.test = options.any or "64,128", "0-1", 1000
        options.names = options.names or ["trec", "banking77"]
    if options.any:
        for name in options.names or ANY_NAMES:
            for rows in map(int, options.any.split(",")):
                measure_any(options, name, rows, draws_of(options.draws))
        return
    if options.setfit and not options.model:
        line.error("--setfit needs -m")
    for name in options.names or NAMES:
        measure(options, name, draws_of(options.draws))


if __name__ == "__main__":
    finish(main)
