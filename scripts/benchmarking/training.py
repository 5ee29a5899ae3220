"""Times `headlight fit --train all` beside PyTorch, on the same rows and from the same weights.

    scripts/bench training ROWS [--text sentence] [--label label] [--rows 4000] [--rounds 3]

The model has 3 layers of BERT with hidden size 384, and the vocabulary of the bundled sentiment model. PyTorch trains
the BertModel of transformers, with batches of rows of nearly the same length (sorted) and in file order (padded).
Both have batches of the same number of tokens, without padding, AdamW, and no dropout. First, both do ten steps on
the same batch, and their losses are compared. Time is that of the steps for PyTorch, and that of the whole process
for headlight. Runs alternate; medians are printed. "CPU" is the processor time of all threads, which other work on
the machine changes less. Memory is the peak of the process.

Exit status: 0, 1 if a program fails or the losses differ, 2 for a wrong command line.
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
from statistics import mean, median

from benchmarking.machine import cores, describe
from benchmarking.program import Headlight
from benchmarking.report import heading, short, table
from common import program
from common.command_line import finish, parser

BUNDLED = program.ROOT / "data/models/sentiment"
STEPS = 10  # of the comparison; headlight logs the mean loss of ten steps
SAME_ROWS = 96  # in its batch
TOLERANCE = 1e-3  # of the loss
RATE = 2e-4
CONFIG = {
    "model_type": "headlight",
    "hidden_size": 384,
    "num_hidden_layers": 3,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "max_position_embeddings": 256,
    "embedding_layer_norm": True,
    "norm_order": "post",
    "layer_norm_eps": 1e-12,
    "pooling": "mean",
    "pad_token_id": 0,
    "tokenizer": {"type": "wordpiece", "lowercase": True, "strip_accents": True},
}


def read(options):
    """Rows as pairs of text and label."""
    with open(options.data, encoding="utf-8", newline="") as file:
        comma = options.data.suffix == ".csv"
        quoting = csv.QUOTE_MINIMAL if comma else csv.QUOTE_NONE
        reader = csv.DictReader(file, delimiter="," if comma else "\t", quoting=quoting)
        rows = [(row[options.text], row[options.label]) for row in itertools.islice(reader, options.rows)]
    if len({label for _, label in rows}) < 2:
        raise program.ProgramError(f"{options.data}: fewer than two labels in {len(rows)} rows")
    return rows


class Place:
    """A folder with the rows, a config with words but no weights, and the weights that both start from."""

    def __init__(self, folder, rows, options):
        self.folder = folder
        self.options = options
        self.labels = sorted({label for _, label in rows})
        pieces = (BUNDLED / "vocab.txt").read_bytes()
        config = CONFIG | {"vocab_size": pieces.count(b"\n")}
        config["id2label"] = {str(i): label for i, label in enumerate(self.labels)}
        (folder / "bare").mkdir()
        self.config = folder / "bare/config.json"
        self.config.write_text(json.dumps(config))
        (folder / "bare/vocab.txt").write_bytes(pieces)
        program.run("init", folder / "bare", "-o", folder / "start", "--seed", "0", "-q")
        ids = Headlight(BUNDLED).ids([text for text, _ in rows])
        self.sets = {"all": list(zip(rows, ids)), "same": list(zip(rows, ids))[:SAME_ROWS]}
        for name, own in self.sets.items():
            lines = [json.dumps({"text": text, "label": label}) + "\n" for (text, label), _ in own]
            (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
            known = [{"ids": each, "target": self.labels.index(label)} for (_, label), each in own]
            (folder / f"{name}.json").write_text(json.dumps(known))

    def headlight(self, name, batch_tokens, epochs):
        """Seconds, CPU seconds, peak MiB and the logged losses of a run."""
        log = self.folder / "log.jsonl"
        command = ["fit", self.folder / f"{name}.jsonl", "-m", self.folder / "bare", "-o", self.folder / "made"]
        command += ["--force", "--log", log, "--dev-share", "0", "--dropout", "0", "--learning-rate", RATE]
        command += ["--epochs", epochs, "--batch-tokens", batch_tokens, "--threads", self.options.threads, "-q"]
        begin = time.perf_counter()
        process = subprocess.Popen([program.path(), *map(str, command)], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise program.ProgramError(f"headlight fit ended with status {os.waitstatus_to_exitcode(status)}")
        seconds = time.perf_counter() - begin
        losses = [json.loads(line)["loss"] for line in log.read_text().splitlines()]
        return {
            "seconds": seconds,
            "cpu": usage.ru_utime + usage.ru_stime,
            "mib": usage.ru_maxrss / 1024,
            "losses": losses,
        }

    def pytorch(self, name, batch_tokens, epochs, is_sorted):
        settings = {
            "config": str(self.config),
            "start": str(self.folder / "start/model.safetensors"),
            "rows": str(self.folder / f"{name}.json"),
            "sorted": is_sorted,
            "batch_tokens": batch_tokens,
            "epochs": epochs,
            "rate": RATE,
            "threads": self.options.threads,
        }
        command = [sys.executable, "-m", "benchmarking.torch_training", json.dumps(settings)]
        threads = {"OMP_NUM_THREADS": str(self.options.threads), "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, **threads})
        if done.returncode:
            raise program.ProgramError(f"PyTorch ended with status {done.returncode}")
        return json.loads(done.stdout)


def agree(place):
    """Compares the mean loss of ten steps on one batch. Returns whether it is the same."""
    tokens = sum(len(ids) for _, ids in place.sets["same"])
    ours = place.headlight("same", tokens, STEPS)["losses"][0]
    theirs = mean(place.pytorch("same", tokens, STEPS, is_sorted=False)["losses"])
    same = abs(ours - theirs) <= TOLERANCE * abs(theirs)
    print(f"Mean loss of {STEPS} steps on the same {SAME_ROWS} rows: headlight {ours:.6f}, PyTorch {theirs:.6f}.")
    return same


def last_loss(record, steps):
    """The mean of the last ten steps, as a word. Ours are logged as such means."""
    losses = record["losses"]
    if steps < STEPS:
        return "too few steps"
    return f"{losses[-1] if len(losses) < steps else mean(losses[-STEPS:]):.4f}"


def report(found, rows, steps):
    ours = found["headlight"]
    lines = []
    for name, records in found.items():
        middle = {part: median(each[part] for each in records) for part in ("seconds", "cpu", "mib")}
        ratios = {
            part: median(their[part] / our[part] for their, our in zip(records, ours)) for part in ("seconds", "cpu")
        }
        lines.append(
            [
                name,
                short(rows / middle["seconds"]),
                f"{ratios['seconds']:.2f}",
                short(rows / middle["cpu"]),
                f"{ratios['cpu']:.2f}",
                short(middle["mib"]),
                last_loss(records[-1], steps),
            ]
        )
    columns = ["", "rows/s", "× headlight's time", "rows/s of CPU", "× headlight's CPU", "MiB", "last loss"]
    return table(columns, lines, names=1)


def run(options):
    rows = read(options)
    print(heading(describe(["pytorch"], program.version()), f"Medians of {options.rounds} alternating runs."))
    with tempfile.TemporaryDirectory() as scratch:
        place = Place(pathlib.Path(scratch), rows, options)
        print(f"\n{len(rows)} rows, batches of {options.batch_tokens} tokens, {options.threads} threads.", flush=True)
        same = agree(place)
        ways = {
            "headlight": lambda: place.headlight("all", options.batch_tokens, 1),
            "PyTorch, sorted": lambda: place.pytorch("all", options.batch_tokens, 1, is_sorted=True),
            "PyTorch, padded": lambda: place.pytorch("all", options.batch_tokens, 1, is_sorted=False),
        }
        found = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, way in ways.items():
                found[name].append(way())
        steps = len(found["PyTorch, sorted"][0]["losses"])
        print(f"\n{steps} steps.\n\n{report(found, len(rows), steps)}")
    return 0 if same else 1


def main():
    line = parser("bench training", __doc__)
    line.add_argument("data", type=pathlib.Path, metavar="ROWS", help="a TSV or CSV with a header")
    line.add_argument("--text", default="sentence", help="column of the text (default: %(default)s)")
    line.add_argument("--label", default="label", help="column of the label (default: %(default)s)")
    line.add_argument("--rows", type=int, default=4000, metavar="N", help="the first N rows (default: %(default)s)")
    line.add_argument("--rounds", type=int, default=3, metavar="N", help="runs of each (default: %(default)s)")
    line.add_argument("--threads", type=int, default=cores(), metavar="N", help="(default: all)")
    line.add_argument("--batch-tokens", type=int, default=4096, metavar="N", help="(default: %(default)s)")
    options = line.parse_args()
    finish(lambda: run(options), "bench: ", (OSError, KeyError))


if __name__ == "__main__":
    main()
