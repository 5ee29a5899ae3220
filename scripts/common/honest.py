"""`scripts/check fit --honest`: whether the figures that `fit` reports are those of fresh rows; see there."""

import json
import math
import pathlib
import random
import statistics
import tempfile

from common import program
from common.data_sets import read_ag_news, write_rows

ROWS = 150
POOL = 4000
DRAWS = {"static": 40, "head": 40, "ngrams": 40, "contrastive": 10, "auto": 10}
FEWEST = 0.91  # of the intervals that have the truth


def made_rows(labels, words, noise, seed):
    """Texts of words that are more frequent with a label, some with another label."""
    numbers = random.Random(seed)
    names = ["".join(numbers.choice("aeiou" if i % 2 else "bdfklmnrst") for i in range(6)) for _ in range(words)]
    rows = []
    for _ in range(POOL):
        label = numbers.randrange(labels)
        own = names[label * words // labels // 2 :][: words // labels // 2]
        count = numbers.randint(6, 14)
        text = " ".join(numbers.choice(own if numbers.random() < 0.25 else names) for _ in range(count))
        rows.append((text, str(numbers.randrange(labels) if numbers.random() < noise else label)))
    return rows


def pools(data):
    return {
        "made of 2 labels": made_rows(2, 400, 0.2, 1),
        "made of 4 labels": made_rows(4, 600, 0.1, 2),
        "ag_news": read_ag_news(data),
    }


def measure(train, pool, draw):
    rows = list(pool)
    random.Random(draw).shuffle(rows)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        files = write_rows(folder / "train.jsonl", rows[:ROWS]), write_rows(folder / "rest.jsonl", rows[ROWS:])
        said = program.document(
            "fit", files[0], "--train", train, "-o", folder / "model", "--format", "json", "--seed", draw, "-q"
        )["development"]
        true = program.document("evaluate", files[1], "-m", folder / "model", "--format", "json", "-q")
    low, high = said["accuracy_interval"]
    return {
        "said": said["accuracy"],
        "true": true["accuracy"],
        "is_inside": low <= true["accuracy"] <= high,
        "said_log_loss": said["log_loss"],
        "true_log_loss": true["log_loss"],
    }


def summarize(train, results):
    bias = [100 * (each["said"] - each["true"]) for each in results]
    mean = statistics.mean(bias)
    error = statistics.stdev(bias) / math.sqrt(len(bias)) if len(bias) > 1 else math.inf
    inside = statistics.mean(each["is_inside"] for each in results)
    losses = [statistics.mean(each[f"{kind}_log_loss"] for each in results) for kind in ("said", "true")]
    print(
        f"{train}: {len(results)} draws, reported - true {mean:+.2f} ± {2 * error:.2f} points (2 standard errors), "
        f"true inside {100 * inside:.1f} % of the intervals, log loss {losses[0]:.3f} for {losses[1]:.3f}",
        flush=True,
    )
    return abs(mean) <= max(1.0, 2 * error) and inside >= FEWEST


def check(data, kept, trains, draws=None):
    """Each draw is a line of `kept`, in which those of an earlier run are found."""
    found = {}
    if kept.exists():
        for line in kept.read_text("utf-8").splitlines():
            each = json.loads(line)
            found[each["train"], each["set"], each["draw"]] = each
    is_honest = True
    for train in trains or DRAWS:
        results = []
        for name, pool in pools(data).items():
            for draw in range(draws or DRAWS[train]):
                key = {"train": train, "set": name, "draw": draw}
                each = found.get(tuple(key.values())) or key | measure(train, pool, draw)
                if tuple(key.values()) not in found:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(each) + "\n")
                results.append(each)
            summarize(f"  {train}, {name}", [each for each in results if each["set"] == name])
        is_honest &= summarize(train, results)
    return is_honest
