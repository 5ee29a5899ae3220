"""What the Python module costs beside the program and the C call: the second table of `scripts/bench library`."""

import array
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from benchmarking.processes import SCRIPTS, environment, user_seconds
from benchmarking.report import short, table
from benchmarking.rows import smallest
from benchmarking.texts import write_lines, write_rows
from common import program
from common.program import MODULE, ROOT, ProgramError

MODEL = "sentiment"
AT_ONCE = 32
ROUNDS = 3


def command(task, **settings):
    """The command that runs a task of calls.py."""
    return [sys.executable, "-m", "benchmarking.calls", task, json.dumps(settings)]


def call(task, **settings):
    """What a task returns."""
    done = subprocess.run(
        command(task, **settings),
        capture_output=True,
        text=True,
        env=environment(settings.get("threads", 1), MODULE, SCRIPTS),
    )
    if done.returncode:
        raise ProgramError(f"{task} ended with status {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def beside_batch(texts, options, scratch):
    """The ratio of the user times, and whether all floats have the same bits."""
    rows, lines, ours, theirs = (scratch / name for name in ("many.jsonl", "many.txt", "floats", "verdicts.jsonl"))
    write_rows(rows, texts)
    write_lines(lines, texts)
    module = command("logits", model=MODEL, threads=options.threads, texts=str(lines), output=str(ours))
    batch = [program.path(), "batch", rows, "-m", MODEL, "--logits", "--threads", options.threads, "-q"]
    batch += ["--format", "jsonl"]
    ratios = []
    for counted in [False] + [True] * options.runs:
        seconds = (
            user_seconds(module, scratch / "nothing", options.threads),
            user_seconds(batch, theirs, options.threads),
        )
        ratios += [seconds[0] / seconds[1]] if counted else []
    answers = [json.loads(line) for line in theirs.read_bytes().splitlines()]
    printed = array.array("f", [number for row in program.logits(answers) for number in row])
    return median(ratios), printed.tobytes() == ours.read_bytes()


def short_text(model, name, text, threads):
    found = call("short", model=str(model), threads=threads, text=text)
    module, native = (f"{1e3 * found[part]:.3f} ms" for part in ("module", "call"))
    what = f"`logits([text])` ÷ `hl_classify` from ctypes, {len(text.split())} words, {name}"
    return [what, f"{found['ratio']:.3f} ({module}, {native})", "≤ 1.05"]


def beside_one_thread(texts, at_once):
    found = call("threads", model=MODEL, texts=str(texts), at_once=at_once)
    return [
        f"8 Python threads ÷ one, texts/s, {at_once} a call, `threads=1`, {MODEL}",
        short(found["ratio"]),
        "≥ 1.9 on 2 cores",
    ]


def two_processes(texts):
    """What two cores give at best: less than 2 where they share memory, or do other work."""

    def seconds(count):
        with ThreadPoolExecutor(count) as pool:
            return max(pool.map(lambda _: call("alone", model=MODEL, texts=str(texts)), range(count)))

    ratio = median(2 * seconds(1) / seconds(2) for _ in range(ROUNDS))
    return [f"for comparison: two processes ÷ one, texts/s, 1 a call, {MODEL}", short(ratio), ""]


def measure(texts, few, checkpoint, options, scratch):
    """The rows of the table, and whether the floats are equal. `few` is a file with texts a line."""
    user, is_equal = beside_batch(texts, options, scratch)
    text = texts[0]
    tenth, end = call("loop", model=str(smallest(ROOT / "data/models" / MODEL, scratch)), calls=options.calls)
    rows = [
        [f"user time of `Model.logits` ÷ `batch --logits`, {len(texts)} texts, {MODEL}", f"{user:.3f}", "≤ 1.03"],
        ["floats of the two", "equal" if is_equal else "DIFFERENT", "equal"],
        short_text(MODEL, MODEL, text, options.threads),
        short_text(checkpoint, "minilm", text, options.threads),
        beside_one_thread(few, 1),
        beside_one_thread(few, AT_ONCE),
        two_processes(few),
        [f"MiB after {options.calls // 10} and {options.calls} calls, one unit", f"{tenth:.1f}, {end:.1f}", "the same"],
    ]
    return rows, is_equal


def report(rows):
    return table(["what the Python module costs", "measured", "wanted"], rows, names=1)
