"""Speed of a model file of fastText: the C call and `batch` beside two other packages and fastText's own command.

    scripts/bench fasttext MODEL TEXTS [--peers PYTHON] [--rounds N]

MODEL is a .bin or .ftz file, TEXTS has a text a line. PYTHON (default: build/peers/bin/python) is an interpreter that
has fasttext-new and fasttext-turbo of PyPI, for example of

    python3 -m venv build/peers && build/peers/bin/pip install fasttext-new fasttext-turbo

The C call is hl_classify() with the best label and its probability of each text, of the library that HEADLIGHT_LIBRARY
names; the packages are given the same texts as one list. All use one thread, and take turns in each of N rounds; the
first round is not counted. Printed are medians of CPU seconds, and whether all say the same labels. The command
`fasttext` (Debian has it) is left out if it is not there.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
from statistics import median

from benchmarking.processes import SCRIPTS, environment
from benchmarking.report import table
from common import program
from common.command_line import finish, number, parser
from common.program import MODULE, ROOT, ProgramError

CALLS = SCRIPTS / "benchmarking/fasttext_calls.py"
PACKAGES = ("headlight", "fasttext-new", "fasttext-turbo")
NAMES = {"headlight": "hl_classify", "fasttext-new": "fasttext-new", "fasttext-turbo": "fasttext-turbo"}


class Caller:
    """A process of fasttext_calls.py."""

    def __init__(self, python, package, model, texts):
        self.name = NAMES[package]
        self.process = subprocess.Popen(
            list(map(str, (python, CALLS, package, model, texts))),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(1, MODULE),
        )

    def round(self):
        """CPU seconds, and a digest of the labels."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            raise ProgramError(f"{self.name} ended early")
        return float(answer[0]), answer[1]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def labels_of(lines):
    return [line.split(b" ")[0] for line in lines.split(b"\n")[:-1]]


class Command:
    """A program that scores a file, from its start to its end."""

    def __init__(self, name, command, scratch):
        self.name, self.command, self.output = name, list(map(str, command)), scratch / "answers"

    def round(self):
        with open(self.output, "wb") as file:
            process = subprocess.Popen(self.command, stdout=file)
            _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise ProgramError(f"{self.name} ended with status {os.waitstatus_to_exitcode(status)}")
        return usage.ru_utime + usage.ru_stime, labels_of(self.output.read_bytes())

    def end(self):
        pass


def race(contenders, rounds):
    """Rows of a table: the first contender beside the others."""
    seconds, labels = {each.name: [] for each in contenders}, {}
    for count in range(rounds + 1):
        for each in contenders:
            spent, labels[each.name] = each.round()
            if count:
                seconds[each.name].append(spent)
    for each in contenders:
        each.end()
    ours, *_ = contenders
    rows = []
    for name, each in seconds.items():
        ratio = median(each) / median(seconds[ours.name])
        same = "" if name == ours.name else ("yes" if labels[name] == labels[ours.name] else "NO")
        rows.append([name, f"{median(each):.3f}", f"{ratio:.2f}", same])
    return rows


def main():
    line = parser("bench fasttext", __doc__)
    line.add_argument("model", type=pathlib.Path, metavar="MODEL")
    line.add_argument("texts", type=pathlib.Path, metavar="TEXTS")
    line.add_argument("--peers", type=pathlib.Path, default=ROOT / "build/peers/bin/python", metavar="PYTHON")
    line.add_argument("--rounds", type=number(int, 1), default=7, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    columns = ["one thread", "CPU seconds", "headlight is × as fast", "same labels"]
    calls = [Caller(options.peers, package, options.model, options.texts) for package in PACKAGES]
    print(table(columns, race(calls, options.rounds), names=1), flush=True)
    original = shutil.which("fasttext")
    if original is None:
        return
    batch = [program.path(), "batch", options.texts, "-m", options.model, "--input-format", "text"]
    batch += ["--format", "fasttext", "-k", "1", "--threshold", "0", "--threads", "1", "-q"]
    with tempfile.TemporaryDirectory() as scratch:
        commands = [
            Command("headlight batch", batch, pathlib.Path(scratch)),
            Command(
                "fasttext predict-prob",
                [original, "predict-prob", options.model, options.texts, "1"],
                pathlib.Path(scratch),
            ),
        ]
        print("\n" + table(columns, race(commands, options.rounds), names=1))


if __name__ == "__main__":
    finish(main)
