"""headlight as the benchmarks run it: always as a process, from texts to lines of JSON."""

import itertools
import json
import os
import pathlib
import subprocess
import time

from training.rows import DataError

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def find_program():
    program = os.environ.get("HEADLIGHT", str(ROOT / "build/release/bin/headlight"))
    if not os.access(program, os.X_OK):
        raise DataError(f"no program {program}; build it, or name another in HEADLIGHT")
    return program


class Headlight:
    def __init__(self, folder, extra=()):
        self.program = find_program()
        self.extra = ["-m", str(folder), "--quiet", *extra]

    def __call__(self, command, *arguments, **more):
        done = subprocess.run([self.program, command, *self.extra, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        if done.returncode != 0:
            raise DataError(f"{self.program} {command} ended with status {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def takes_options(self):
        """Whether this program has the options that this way of running it needs."""
        line = [self.program, "classify", *self.extra, "a text"]
        return subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 2

    def version(self):
        line = [self.program, "--version"]
        return subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def ids(self, texts):
        """Tokens of each text, special ones included."""
        lines = "".join(f"{text}\n" for text in texts)
        return [json.loads(line)["ids"] for line in self("tokenize", "--format", "jsonl", input=lines).splitlines()]

    def logits(self, rows):
        found = self("batch", "--logits", str(rows))
        return [list(json.loads(line)["logits"].values()) for line in found.splitlines()]

    def bulk(self, rows):
        """Seconds from the start of `batch` to its exit; `rows` is the file."""
        begin = time.perf_counter()
        self("batch", str(rows))
        return time.perf_counter() - begin

    def start_to_exit(self, text):
        begin = time.perf_counter()
        self("classify", "--", text)
        return time.perf_counter() - begin


class Coprocess:
    """`batch -` that is given a line and asked for a line."""

    def __init__(self, headlight):
        self.process = subprocess.Popen(
            [headlight.program, "batch", *headlight.extra, "--input-format", "text", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.orders = None

    def one(self, text, runs):
        """Seconds from the writing of the line to the reading of the verdict, tokens and JSON included.

        The words stand in another order each time: of equal texts only the first is computed."""
        self.orders = self.orders or itertools.cycle(itertools.permutations(text.split()))
        seconds = []
        for _ in range(runs):
            line = (" ".join(next(self.orders)) + "\n").encode()
            begin = time.perf_counter()
            self.process.stdin.write(line)
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            seconds.append(time.perf_counter() - begin)
            if not answer:
                raise DataError(f"headlight batch ended with status {self.process.wait()}")
        return seconds

    def close(self):
        self.process.communicate()
