"""What calls of the Python module cost, measured in a process of its own (overhead.py).

    python -m benchmarking.calls TASK '{"model": "sentiment", ...}'

Prints what the task returns, as JSON.
"""

import ctypes
import json
import pathlib
import sys
import threading
import time
from statistics import median

import headlight
from headlight import _library

ROUNDS = 200
ROUND_SECONDS = 0.02
THREADS = 8
THREAD_ROUNDS = 5


def lines(path):
    return pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def logits(model, threads, texts, output):
    """Writes the floats of all texts to `output`."""
    with headlight.Model(model, threads=threads) as loaded:
        pathlib.Path(output).write_bytes(loaded.logits(lines(texts)).tobytes())


def short(model, threads, text):
    """Seconds of `model.logits([text])` and of hl_classify() called with ctypes, on the same model, and their ratio."""
    loaded = headlight.Model(model, threads=threads)
    data = text.encode()
    native, handle = _library.library(), loaded._ready()
    one = (_library.Text * 1)(_library.Text(data, len(data), None, 0))
    numbers = (ctypes.c_float * len(loaded.labels))()
    ways = (lambda: loaded.logits([text]), lambda: native.classify(handle, one, 1, None, numbers, None, None))

    def each(way, count):
        begin = time.perf_counter()
        for _ in range(count):
            way()
        return (time.perf_counter() - begin) / count

    count = max(1, int(ROUND_SECONDS / min(each(way, 20) for way in ways)))
    rounds = [[each(way, count) for way in ways] for _ in range(ROUNDS)]
    module, call = (median(one) for one in zip(*rounds))
    return {"module": module, "call": call, "ratio": median(ours / theirs for ours, theirs in rounds)}


def threads(model, texts, at_once):
    """The rate of THREADS threads divided by that of one, with lists of `at_once` texts."""
    loaded = headlight.Model(model, threads=1)
    texts = lines(texts)
    jobs = [texts[at : at + at_once] for at in range(0, len(texts), at_once)]

    def work(own):
        for job in own:
            loaded.logits(job)

    def seconds(count):
        workers = [threading.Thread(target=work, args=(jobs[i::count],)) for i in range(count)]
        begin = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - begin

    work(jobs[:2])
    return {"ratio": median(seconds(1) / seconds(THREADS) for _ in range(THREAD_ROUNDS))}


def alone(model, texts):
    """Seconds of one thread for all texts, one a call."""
    loaded = headlight.Model(model, threads=1)
    texts = lines(texts)
    loaded.logits(texts)
    begin = time.perf_counter()
    for text in texts * THREAD_ROUNDS:
        loaded.logits([text])
    return time.perf_counter() - begin


def loop(model, calls):
    """MiB of the process after a tenth of the calls, and after all."""
    loaded = headlight.Model(model, threads=1)
    ways = (loaded.classify, loaded.logits, loaded.tokenize, loaded.attention)
    resident = []
    for i in range(calls):
        ways[i % len(ways)](f"film {i} is " + "so " * (i % 20) + "good")
        if i + 1 in (calls // 10, calls):
            pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
            resident.append(pages * 4096 / 2**20)
    return resident


def main():
    task, settings = sys.argv[1:]
    print(json.dumps(globals()[task](**json.loads(settings))))


if __name__ == "__main__":
    main()
