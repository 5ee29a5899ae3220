"""Peers in processes of their own, as the process that measures sees them."""

import contextlib
import json
import os
import subprocess
import sys
import time

from common.program import ProgramError

QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
    "OPENVINO_TELEMETRY": "0",
    "NNCF_CI": "1",  # no telemetry either
    "PYTHONWARNINGS": "ignore",
}


class Worker:
    def __init__(self, engine, settings, ids):
        self.engine = engine
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarking.peer", engine, json.dumps(settings), str(ids)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **QUIET},
            start_new_session=True,
        )  # an interrupt is for the process that measures, which ends this one
        self.create = None  # seconds that making the session took

    def wait(self):
        self.create = self.answer()["create"]

    def tell(self, do, **more):
        with contextlib.suppress(BrokenPipeError):  # the missing answer says it
            print(json.dumps({"do": do, **more}), file=self.process.stdin, flush=True)

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise ProgramError(f"the worker of {self.engine} ended with status {self.process.wait()}")
        return json.loads(line)

    def ask(self, do, **more):
        self.tell(do, **more)
        return self.answer()

    def end(self):
        """Lets it come to its own end."""
        self.tell("end")
        self.process.communicate()

    def close(self):
        self.process.kill()
        self.process.communicate()


class Team:
    """One worker, or several that share the batches."""

    def __init__(self, engine, settings, ids, count=1):
        self.workers = [Worker(engine, settings, ids) for _ in range(count)]
        for worker in self.workers:
            worker.wait()

    def plan(self, batch, sorted):
        for i, worker in enumerate(self.workers):
            worker.ask("plan", batch=batch, sorted=sorted, share=[i, len(self.workers)])

    def seconds(self):
        """How long scoring everything takes."""
        begin = time.perf_counter()
        for worker in self.workers:
            worker.tell("run")
        for worker in self.workers:
            worker.answer()
        return time.perf_counter() - begin

    def logits(self):
        """Of every row, in the order of the file."""
        found = {}
        for worker in self.workers:
            answer = worker.ask("logits")
            found.update(zip(answer["rows"], answer["logits"]))
        return [found[row] for row in sorted(found)]

    def one(self, row, runs):
        return self.workers[0].ask("one", row=row, runs=runs)["seconds"]

    def close(self):
        for worker in self.workers:
            worker.close()


def start_to_exit(engine, settings, ids, row):
    """Seconds of a process that scores one row, and those of them that making the session took."""
    begin = time.perf_counter()
    worker = Worker(engine, settings, ids)
    worker.wait()
    worker.ask("one", row=row, runs=1)
    worker.end()
    return time.perf_counter() - begin, worker.create
