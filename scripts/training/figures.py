"""What a model is worth, as the program itself measures it: `headlight evaluate`, `batch` and `inspect`.

HEADLIGHT is the program. The doors are `fit_temperature` and `measure`.
"""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from training import compare, native
from training.rows import DataError

ROWS = ("-", "--input-format", "jsonl")


@dataclass
class Figures:
    model: dict  # as headlight inspect says it
    bytes: int  # of config, weights, vocabulary and calibration
    rows: int
    accuracy: float
    interval: tuple[float, float]
    macro_f1: float
    ece: tuple[float, float]  # as trained, with the stored temperature
    log_loss: tuple[float, float]
    rows_a_second: float
    difference: float  # largest, of a logit to the trainer's
    wrong: list[dict]  # the surest wrong rows first


def headlight(*arguments, rows=None):
    """What the program prints; `rows` go to its standard input as JSONL."""
    program = os.environ["HEADLIGHT"]
    lines = ""
    if rows is not None:
        labels = rows.labels or [None] * len(rows.texts)
        pairs = zip(rows.texts, labels, strict=True)
        lines = "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in pairs)
    try:
        done = subprocess.run([program, *map(str, arguments)], input=lines.encode(), capture_output=True, check=True)
    except FileNotFoundError:
        raise DataError(f"no program {program}; build it, or name another in HEADLIGHT") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        raise DataError(f"headlight {arguments[0]}: {said[-1] if said else f'status {error.returncode}'}") from None
    return done.stdout.decode()


def evaluate(model, rows, *more):
    return json.loads(headlight("evaluate", *ROWS, "-m", model, "--format", "json", *more, rows=rows))


def fit_temperature(model, rows):
    """Stores the temperature that fits `rows` best beside the model's config."""
    evaluate(model, rows, "--fit-temperature", "--force")


def measure(model, rows):
    model = Path(model)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        wrong = folder / "wrong.jsonl"
        after = evaluate(model, rows, "--errors", wrong)
        before = evaluate(without_calibration(model, folder / model.name), rows)
        wrong = [json.loads(line) for line in wrong.read_text(encoding="utf-8").splitlines()]
    quiet = ("-o", os.devnull, "--force", "--summary", "/dev/stdout")
    speed = json.loads(headlight("batch", *ROWS, "-m", model, *quiet, rows=rows))
    files = ("config.json", "model.safetensors", "vocab.txt", "calibration.json")
    return Figures(
        model=json.loads(headlight("inspect", "-m", model, "--format", "json")),
        bytes=sum((model / name).stat().st_size for name in files if (model / name).is_file()),
        rows=after["rows"],
        accuracy=after["accuracy"],
        interval=tuple(after["accuracy_interval"]),
        macro_f1=after["macro_f1"],
        ece=(before["ece"], after["ece"]),
        log_loss=(before["log_loss"], after["log_loss"]),
        rows_a_second=speed["rows"] / speed["seconds"],
        difference=difference(model, rows.texts),
        wrong=wrong,
    )


def difference(model, texts):
    trainer = native.read(model)
    ours = compare.headlight_logits(str(model), trainer.labels, texts)
    return (ours - compare.torch_logits(trainer, texts)).abs().max().item()


def without_calibration(model, folder):
    """The same model without the temperature that is stored with it."""
    folder.mkdir()
    for name in ("config.json", "model.safetensors", "vocab.txt"):
        (folder / name).symlink_to((model / name).resolve())
    return folder
