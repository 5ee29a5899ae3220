"""The accuracy of a classifier in int8 and bfloat16: headlight, ONNX Runtime, and OpenVINO with NNCF.

    scripts/bench precision MODEL ROWS [--calibrate FILE] [--text COLUMN] [--label COLUMN]

MODEL is a native model that `headlight export --layout sentence-transformers` takes, such as `sentiment` or what `fit`
makes of a BERT, or the folder of a BertForSequenceClassification. ROWS and FILE are TSV, CSV or JSONL. A label is a
name of the model's, or its number from 0 on.

Peers get the ids of `headlight tokenize` in batches of 32, sorted by length. ONNX Runtime quantizes dynamically, its
graph as exported and with its own fused operators. NNCF quantizes with model_type=TRANSFORMER on 300 rows, drawn from
FILE, or without FILE from ROWS, whose other rows are then scored; what it leaves in floating point is in the precision
that OpenVINO chooses, or in float32. The exported graph in float32 must agree with headlight to 1e-3.

Printed are the accuracy with its 95 % interval, the verdicts that differ from those of headlight in float32, and the
mean of the absolute change of a logit. Nothing is timed.
"""

import json
import pathlib
import random
import tempfile

import numpy
from scipy.stats import binomtest

from benchmarking import calibrated, machine
from benchmarking.agreement import BOUND
from benchmarking.bench import calibrate, derive, install
from benchmarking.graphs import file_of
from benchmarking.program import Headlight
from benchmarking.report import table
from benchmarking.texts import read_column, write_rows
from benchmarking.workers import Team
from common import program
from common.command_line import finish, parser

SEED = 23
BATCH = 32
COLUMNS = ("", "accuracy", "95 % CI", "changed verdicts", "mean change of a logit")


def read(path, options):
    return list(zip(*(read_column(path, name, options) for name in (options.text, options.label)), strict=True))


def number_of(label, labels):
    if label in labels:
        return labels.index(label)
    if label.isdecimal() and int(label) < len(labels):
        return int(label)
    raise program.ProgramError(f"the label {label!r} is not one of the model's: {', '.join(labels)}")


def drawn(options):
    """The rows to calibrate on, and those to score."""
    rows = read(options.rows, options)
    held = read(options.calibrate, options) if options.calibrate else rows
    random.Random(SEED).shuffle(held)
    if options.calibrate:
        return held[: calibrated.ROWS], rows
    if len(rows) <= calibrated.ROWS:
        raise program.ProgramError(f"{options.rows}: {len(rows)} rows, of which {calibrated.ROWS} would calibrate")
    return held[: calibrated.ROWS], held[calibrated.ROWS :]


def ids_of(texts, model, most):
    """As `headlight batch` reads texts that are too long: cut before their last token."""
    return [ids if len(ids) <= most else ids[: most - 1] + ids[-1:] for ids in Headlight(model).ids(texts)]


def checkpoint_of(model, about, scratch):
    """A folder that graphs.py reads."""
    if about["family"] != "headlight":
        return pathlib.Path(about["path"])
    program.run("export", "--layout", "sentence-transformers", "-m", model, "-o", scratch / "checkpoint", "-q")
    return scratch / "checkpoint"


def headlight_logits(model, rows):
    for precision in ("fp32", "int8", "bf16"):
        yield f"headlight {precision}", Headlight(model, ("--precision", precision)).logits(rows)


def peer_logits(graphs, ids):
    onnx = {
        "ONNX Runtime float32": file_of(graphs),
        "ONNX Runtime int8, exported graph": file_of(graphs, int8=True),
        "ONNX Runtime int8, fused graph": file_of(graphs, fused=True, int8=True),
    }
    contenders = {name: ("onnxruntime", {"model": str(path)}) for name, path in onnx.items()}
    quantized = str(calibrated.file_of(graphs))
    for precision, name in ((None, "OpenVINO, NNCF int8"), ("f32", "OpenVINO, NNCF int8, the rest float32")):
        contenders[name] = ("openvino", {"model": quantized, "precision": precision})
    for name, (engine, settings) in contenders.items():
        team = Team(engine, settings, ids)
        team.plan(BATCH, True)
        yield name, team.logits()
        team.close()


def row_of(name, logits, exact, right):
    """A line of the table; `right` are the numbers of the labels."""
    found = logits.argmax(1)
    count = int((found == right).sum())
    interval = binomtest(count, len(right)).proportion_ci(0.95, method="wilson")
    changed = str(int((found != exact.argmax(1)).sum()))
    shown = [f"{100 * count / len(right):.2f} %", f"{100 * interval.low:.1f}–{100 * interval.high:.1f} %"]
    return [name, *shown, changed, f"{numpy.abs(logits - exact).mean():.4f}"]


def measure(options, scratch):
    about = program.document("inspect", "-m", options.model, "--format", "json")
    # A temperature is part of what is exported: it divides the logits.
    temperature = about.get("calibration", {}).get("temperature", 1)
    held, rows = drawn(options)
    texts = [text for text, _ in rows]
    right = [number_of(label, about["labels"]) for _, label in rows]

    graphs, most = scratch / "graphs", about["max_tokens"]
    derive("graphs", checkpoint_of(options.model, about, scratch), graphs)
    calibrate(graphs, ids_of([text for text, _ in held], options.model, most))
    write_rows(scratch / "rows.jsonl", texts)
    (scratch / "ids.json").write_text(json.dumps(ids_of(texts, options.model, most)))

    print(f"{options.model} on {len(rows):,} rows of {options.rows.name}, {machine.processor()[0]}\n")
    found = {name: numpy.array(logits) for name, logits in headlight_logits(options.model, scratch / "rows.jsonl")}
    exact = found["headlight fp32"]
    found |= {name: temperature * numpy.array(logits) for name, logits in peer_logits(graphs, scratch / "ids.json")}
    away = numpy.abs(found["ONNX Runtime float32"] - exact).max()
    if not away <= BOUND:
        raise program.ProgramError(f"a logit of the exported graph is {away:.3g} away from that of headlight")
    print(table(COLUMNS, [row_of(name, logits, exact, right) for name, logits in found.items()], 1))


def main():
    line = parser("bench precision", __doc__)
    line.add_argument("model", metavar="MODEL")
    line.add_argument("rows", type=pathlib.Path, metavar="ROWS")
    line.add_argument("--calibrate", type=pathlib.Path, metavar="FILE", help="such as the rows of training")
    line.add_argument("--text", metavar="COLUMN", default="text", help="default: %(default)s")
    line.add_argument("--label", metavar="COLUMN", default="label", help="default: %(default)s")
    line.set_defaults(header=True, format=None)
    options = line.parse_args()
    install(["openvino"])
    with tempfile.TemporaryDirectory() as scratch:
        measure(options, pathlib.Path(scratch))


if __name__ == "__main__":
    finish(main)
