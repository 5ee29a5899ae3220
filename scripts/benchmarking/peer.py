"""A process around one peer: loads its model once, then answers commands, a line of JSON each.

python -m benchmarking.peer ENGINE SETTINGS IDS

{"do": "plan", "sorted": true, "batch": 8, "share": [0, 2]}   the batches to score, here every second one
{"do": "run"}                                                 scores them: how long it took
{"do": "logits"}                                              scores them: rows and their logits
{"do": "one", "row": 3, "runs": 20}                           a row alone: how long each time
{"do": "end"}
"""

import contextlib
import importlib
import json
import os
import sys
import time

import numpy

from benchmarking.engines import ENGINES, MODULES


def batch_of(ids):
    """Rows padded to the longest of them."""
    longest = max(map(len, ids))
    batch = {
        name: numpy.zeros((len(ids), longest), numpy.int64)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    }
    for i, row in enumerate(ids):
        batch["input_ids"][i, : len(row)] = row
        batch["attention_mask"][i, : len(row)] = 1
    return batch


class Peer:
    def __init__(self, engine, ids):
        self.engine = engine
        self.ids = ids
        self.rows = []  # of each batch
        self.batches = []

    def plan(self, sorted, batch, share):
        order = list(range(len(self.ids)))
        if sorted:
            order.sort(key=lambda row: len(self.ids[row]))
        self.rows = [order[at : at + batch] for at in range(0, len(order), batch)][share[0] :: share[1]]
        self.batches = [self.engine.prepare(batch_of([self.ids[row] for row in rows])) for rows in self.rows]
        return {}

    def run(self):
        begin = time.perf_counter()
        self.engine.scores(self.batches)
        return {"seconds": time.perf_counter() - begin}

    def logits(self):
        found = self.engine.scores(self.batches)
        return {"rows": sum(self.rows, []), "logits": sum((each.tolist() for each in found), [])}

    def one(self, row, runs):
        batch = self.engine.prepare(batch_of([self.ids[row]]))
        seconds = []
        for _ in range(runs):
            begin = time.perf_counter()
            self.engine.scores([batch])
            seconds.append(time.perf_counter() - begin)
        return {"seconds": seconds}


def obeyed(peer, line):
    """The answer, or None at the end."""
    command = json.loads(line or '{"do": "end"}')
    do = command.pop("do")
    return None if do == "end" else getattr(peer, do)(**command)


def main():
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    name, settings, path = sys.argv[1:]
    with open(path) as file:
        ids = json.load(file)
    importlib.import_module(MODULES[name])
    begin = time.perf_counter()
    peer = Peer(ENGINES[name](**json.loads(settings)), ids)
    answer = {"create": time.perf_counter() - begin}
    while answer is not None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answer = obeyed(peer, sys.stdin.readline())


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # who asked is gone
        main()
