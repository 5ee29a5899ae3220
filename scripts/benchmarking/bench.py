"""scripts/bench: headlight against its peers, on the same weights and the same ids."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from benchmarking import agreement, calibrated, graphs, machine, report
from benchmarking.checkpoints import make_checkpoint
from benchmarking.options import parse
from benchmarking.program import Headlight
from benchmarking.rounds import measure
from benchmarking.sizes import SIZES
from benchmarking.texts import CALIBRATION_SEED, make_texts, read_texts, write_rows
from benchmarking.ways import Work, ready_ways
from benchmarking.workers import QUIET
from common import program
from common.command_line import finish
from common.program import ROOT, ProgramError

PACKAGES = {
    "onnxruntime": ["onnxruntime", "onnx", "transformers"],
    "pytorch": ["transformers"],
    "openvino": ["openvino", "nncf", "onnxruntime", "onnx", "transformers"],
}
SHORT_TOKENS = 16
QUICK_SHARE = 8


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def install(engines):
    """What the engines need, beside what this process runs on."""
    names = sorted({name for engine in engines for name in PACKAGES.get(engine, [])})
    if names and subprocess.run([ROOT / "scripts/python-env", *names], stdout=subprocess.DEVNULL).returncode:
        raise ProgramError("the packages of the engines could not be installed")


def make_graphs(folder):
    if not graphs.is_made(folder / "graphs"):
        say("making the ONNX graphs")
        derive("graphs", folder / "checkpoint", folder / "graphs")


def make_calibrated(folder):
    if not calibrated.file_of(folder / "graphs").exists():
        say("quantizing with NNCF")
        texts = make_texts(folder / "checkpoint/vocab.txt", calibrated.ROWS, CALIBRATION_SEED)
        calibrate(folder / "graphs", Headlight(folder / "checkpoint").ids(texts))


def calibrate(folder, rows):
    """Quantizes the graph in `folder` by the ids of `rows`."""
    ids = folder / "calibration.json"
    ids.write_text(json.dumps(rows))
    derive("calibrated", graphs.file_of(folder), ids, folder)


def derive(module, *paths):
    """Runs a module of this package that makes files, the last of `paths` being their folder."""
    command = [sys.executable, "-m", f"benchmarking.{module}", *paths]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **QUIET}
    )
    if done.returncode:
        raise ProgramError(f"{module} of {paths[0]} failed:\n{done.stdout}")


def gather(name, options, given, checkpoint, scratch):
    """The Work of a size on the `given` texts, or made ones where it is None, with its files in `scratch`."""
    count = options.sentences or SIZES[name].sentences
    count = max(count // QUICK_SHARE, 64) if options.quick and not options.sentences else count
    texts = given[:count] if given else make_texts(checkpoint / "vocab.txt", count)
    ids = Headlight(checkpoint).ids(texts)
    short = min(range(len(ids)), key=lambda row: abs(len(ids[row]) - SHORT_TOKENS))
    work = Work(texts, ids, scratch / "rows.jsonl", scratch / "ids.json", short, options.quick)
    write_rows(work.rows, texts)
    work.ids_file.write_text(json.dumps(ids))
    return work


def bench(name, options, given, scratch):
    """Everything that was found about the size `name`."""
    say(f"{name}: {SIZES[name]}")
    folder = make_checkpoint(name)
    if {"onnxruntime", "openvino"} & set(options.engines):
        make_graphs(folder)
    if "openvino" in options.engines:
        make_calibrated(folder)
    work = gather(name, options, given, folder / "checkpoint", scratch)
    say(f"{len(work.texts)} sentences; trying batch sizes")
    with contextlib.ExitStack() as stack:
        ways = ready_ways(options.engines, folder, work, stack)
        agreed = agreement.compare(ways)
        records = measure(ways, options.rounds)
    lengths = [len(each) for each in work.ids]
    return {
        "sentences": len(lengths),
        "mean_tokens": sum(lengths) / len(lengths),
        "longest": max(lengths),
        "short_tokens": lengths[work.short],
        "agreement": agreed,
        "ways": records,
        "notes": work.notes,
    }


def run(options):
    given = read_texts(options) if options.texts else None
    if options.output and not options.output.parent.is_dir():
        raise ProgramError(f"{options.output}: no such folder")
    install(options.engines)
    found = {
        "machine": machine.describe(options.engines, program.version()),
        "rounds": options.rounds,
        "texts": str(options.texts) if options.texts else "random words",
        "sizes": {},
    }
    rounds = f"{options.rounds} round" + "s" * (options.rounds > 1)
    how = f"Medians of {rounds}" + (", a quick look only." if options.quick else ".")
    print(report.heading(found["machine"], how), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.sizes:
            found["sizes"][name] = bench(name, options, given, pathlib.Path(scratch))
            print("\n" + report.of_size(name, SIZES[name], found["sizes"][name]), flush=True)
            if options.output:
                options.output.write_text(json.dumps(found, indent=1) + "\n")


def main():
    finish(lambda: run(parse()), "bench: ", (OSError,))


if __name__ == "__main__":
    main()
