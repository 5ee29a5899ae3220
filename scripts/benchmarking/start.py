"""scripts/bench start: how long one sentence takes from the start of a process to its exit."""

import argparse
import os
import subprocess
import sys
import time
from statistics import median

from benchmarking import machine
from benchmarking.checkpoints import make_checkpoint
from benchmarking.program import Headlight
from benchmarking.report import heading, short, table
from benchmarking.sizes import SIZES
from benchmarking.workers import QUIET
from common import program
from common.command_line import finish, number
from common.program import ProgramError

TEXT = "an unflinching film that is better than its story"
PIPELINE = """import sys
from transformers import pipeline
print(pipeline("text-classification", model=sys.argv[1], device="cpu")(sys.argv[2]))
"""

EXAMPLES = """
The checkpoint has random weights and is kept in build/bench; the default, minilm, is a file of 91 MB. Runs alternate;
one of each comes first and is not counted, so that the files are in memory. Medians are printed.

examples:
  scripts/bench start
  scripts/bench start --size base --runs 5

Exit status: 0, 1 if a program fails, 2 for a wrong command line, 130 when interrupted.
"""


def parse():
    p = argparse.ArgumentParser(
        prog="scripts/bench start",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Times one sentence from process start to exit: headlight, and a pipeline of transformers.",
    )
    p.add_argument("--size", choices=tuple(SIZES), default="minilm", help="(default: %(default)s)")
    p.add_argument("--runs", metavar="N", type=number(int, 1), default=9, help="of each (default: %(default)s)")
    return p.parse_args()


def pipeline_seconds(checkpoint):
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PIPELINE, str(checkpoint), TEXT],
        capture_output=True,
        text=True,
        env={**os.environ, **QUIET},
    )
    if done.returncode:
        raise ProgramError(f"the pipeline of transformers ended with status {done.returncode}:\n{done.stderr}")
    return time.perf_counter() - begin


def run(options):
    checkpoint = make_checkpoint(options.size) / "checkpoint"
    headlight = Headlight(checkpoint)
    size = (checkpoint / "model.safetensors").stat().st_size
    ways = {
        "headlight classify": lambda: headlight.start_to_exit(TEXT),
        "transformers pipeline": lambda: pipeline_seconds(checkpoint),
    }
    seconds = {name: [] for name in ways}
    for counted in [False] + [True] * options.runs:
        for name, way in ways.items():
            taken = way()
            seconds[name] += [taken] if counted else []
    print(heading(machine.describe(["pytorch"], program.version()), f"Medians of {options.runs} alternating runs."))
    print(f"\n{options.size}: {SIZES[options.size]}, {size / 1e6:.0f} MB of weights in the page cache.\n")
    ours = median(seconds["headlight classify"])
    rows = [
        [name, short(1e3 * median(each)), short(1e3 * min(each)), short(median(each) / ours)]
        for name, each in seconds.items()
    ]
    print(table(["start to exit", "ms", "fastest", "× headlight"], rows, names=1))


def main():
    finish(lambda: run(parse()), "bench: ", (OSError,))


if __name__ == "__main__":
    main()
