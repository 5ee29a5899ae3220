"""headlight as the benchmarks run it: always as a process, from texts to lines of JSON."""

import itertools
import subprocess
import time

from common import program


class Headlight:
    """The program with one model. Raises ProgramError if it is missing or fails."""

    def __init__(self, folder, extra=()):
        self.options = ["-m", folder, "--quiet", *extra]

    def takes_options(self):
        """Whether this program has the options that this way of running it needs."""
        try:
            program.run("classify", *self.options, "a text")
        except program.ProgramError as error:
            return error.status != 2
        return True

    def ids(self, texts):
        """Tokens of each text, special ones included."""
        lines = "".join(f"{text}\n" for text in texts)
        return [row["ids"] for row in program.rows("tokenize", *self.options, "--format", "jsonl", data=lines)]

    def logits(self, rows):
        return program.logits(program.rows("batch", *self.options, "--logits", rows))

    def bulk(self, rows):
        """Seconds from the start of `batch` to its exit; `rows` is the file."""
        begin = time.perf_counter()
        program.run("batch", *self.options, rows)
        return time.perf_counter() - begin

    def start_to_exit(self, text):
        begin = time.perf_counter()
        program.run("classify", *self.options, "--", text)
        return time.perf_counter() - begin


class Coprocess:
    """`batch -` that is given a line and asked for a line."""

    def __init__(self, headlight):
        self.process = subprocess.Popen(
            [program.path(), "batch", *map(str, headlight.options), "--input-format", "text", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
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
                raise program.ProgramError(f"headlight batch ended with status {self.process.wait()}")
        return seconds

    def close(self):
        self.process.communicate()
