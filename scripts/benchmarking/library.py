"""scripts/bench library: what a Python program gets from headlight's module and from other packages."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from statistics import median

from benchmarking import installed, machine, overhead
from benchmarking.bench import make_graphs
from benchmarking.checkpoints import make_checkpoint
from benchmarking.graphs import file_of
from benchmarking.options import add_texts
from benchmarking.processes import SCRIPTS, python
from benchmarking.report import heading, short, table
from benchmarking.sizes import SIZES
from benchmarking.texts import make_texts, read_texts, write_lines, write_rows
from common import program
from common.command_line import finish, number

SIZE = "minilm"
MANY = 10_000
CLIENT = SCRIPTS / "benchmarking/clients.py"

EXAMPLES = """
what is run
  headlight, a pipeline of transformers on PyTorch, and ONNX Runtime with tokenizers run the same MiniLM with random
  weights (kept in build/bench). headlight also runs the bundled sentiment model. fastText runs a model that is trained
  here, with fastText's defaults, on the verdicts of sentiment. benchmarking/clients.py has the program of each: texts
  in, labels out, float32, file order. Peers get batches of 32; `scripts/bench` has them at their best. fastText
  computes in one thread.

  installed        the files of a package and of the packages that it requires, without compiled Python; headlight: the
                   wheel in build/packages
  import           from process start to the end of the import, minus the time of an empty Python process
  first verdict    from process start to the label of one text; the files are in the page cache
  texts/s          in the same process, after 64 texts to warm up
  peak MiB         resident memory of that process, mapped weights included

  The second table compares the module with the program and with the C call. hl_classify() reads the text, makes tokens
  and computes: it stands for the forward pass. The module is that of scripts/wheel; HEADLIGHT_LIBRARY names the
  library (default: build/release/lib/libheadlight.so.0). Where there are fewer than 10,000 texts, those that are
  there are repeated with their words in another order.

  Runs alternate; one of each comes first and is not counted. Medians are printed. Nothing else should run: on a busy
  machine ratios of rates are wrong too, because some packages suffer more.

examples:
  scripts/bench library --texts sst2/dev.tsv --text sentence
  HEADLIGHT_LIBRARY=build/other/lib/libheadlight.so.0 scripts/bench library --runs 3 --threads 1

Exit status: 0, 1 if a program fails or a float of the module is not that of the program, 2 for a wrong command line,
130 when interrupted.
"""


@dataclass
class Contender:
    name: str
    package: str  # its program in clients.py
    imports: str
    model: list  # arguments of the program
    installed: str
    imported: list = field(default_factory=list)  # seconds, each run
    first: list = field(default_factory=list)
    answers: list = field(default_factory=list)  # the last line of the program


def parse():
    p = argparse.ArgumentParser(
        prog="scripts/bench library",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compares headlight's Python module with transformers, ONNX Runtime and fastText.",
    )
    add_texts(p)
    p.add_argument("--runs", metavar="N", type=number(int, 1), default=5, help="of each (default: %(default)s)")
    p.add_argument("--threads", metavar="N", type=number(int, 1), default=machine.cores(), help="(default: all)")
    p.add_argument(
        "--calls", metavar="N", type=number(int, 10), default=200_000, help="of the memory test (default: %(default)s)"
    )
    return p.parse_args()


def many(texts):
    """At most MANY different texts: `texts`, then the same with their words rotated by 1, by 2, …"""
    found = {}
    for turn in range(max(len(text.split()) for text in texts)):
        for words in map(str.split, texts):
            found[" ".join(words[turn % len(words) :] + words[: turn % len(words)])] = True
            if len(found) == MANY:
                return list(found)
    return list(found)


def megabytes(count):
    return "not packaged" if count is None else f"{count / 1e6:.0f} MB"


def fasttext_model(texts, scratch):
    """The file of a model that is trained on the verdicts of ours."""
    train = "import fasttext, sys; fasttext.train_supervised(sys.argv[1], thread=1, verbose=0).save_model(sys.argv[2])"
    rows, data, model = scratch / "taught.jsonl", scratch / "taught.txt", scratch / "fasttext.bin"
    write_rows(rows, texts)
    labels = [row["label"] for row in program.rows("batch", rows, "-m", overhead.MODEL, "-q", "--format", "jsonl")]
    data.write_text("".join(f"__label__{label} {text}\n" for label, text in zip(labels, texts)), encoding="utf-8")
    python(1, "-c", train, data, model)
    return model


def has_fasttext():
    """Whether its wheel can be installed here; python-env says why not."""
    return subprocess.run([SCRIPTS / "python-env", "fasttext"], stdout=subprocess.DEVNULL).returncode == 0


def contenders(engines, texts, folder, scratch):
    checkpoint = folder / "checkpoint"
    own = megabytes(installed.bytes_of_wheel())
    cuda = installed.bytes_of_cuda()
    torch = megabytes(installed.bytes_of(["transformers", "torch"])) + (f" + {megabytes(cuda)} CUDA" if cuda else "")
    onnxruntime = megabytes(installed.bytes_of(["onnxruntime", "tokenizers"]))
    ours = "import headlight"
    found = [
        Contender(f"headlight, bundled {overhead.MODEL}", "headlight", ours, [overhead.MODEL], own),
        Contender(f"headlight, {SIZE}", "headlight", ours, [checkpoint], own),
        Contender(
            f"transformers pipeline, {SIZE}", "transformers", "from transformers import pipeline", [checkpoint], torch
        ),
        Contender(
            f"ONNX Runtime and tokenizers, {SIZE}",
            "onnxruntime",
            "import onnxruntime, tokenizers",
            [file_of(folder / "graphs"), checkpoint / "vocab.txt"],
            onnxruntime,
        ),
    ]
    if "fasttext" in engines:
        size, model = megabytes(installed.bytes_of(["fasttext-numpy2-wheel"])), fasttext_model(texts, scratch)
        found.append(Contender("fastText, trained here", "fasttext", "import fasttext", [model], size))
    return found


def measure(found, few, options):
    """Fills the contenders. Returns the seconds of an empty Python process."""
    text, *_ = few.read_text(encoding="utf-8").split("\n")
    empty = []
    for run in range(options.runs + 1):
        print(f"bench: run {run} of {options.runs}", file=sys.stderr)
        bare, _ = python(1, "-c", "print(flush=True)")
        empty += [bare] if run else []
        for each in found:
            imported, _ = python(options.threads, "-c", f"{each.imports}\nprint(flush=True)")
            first, lines = python(options.threads, CLIENT, each.package, options.threads, text, few, *each.model)
            if run:
                each.imported.append(imported - bare)
                each.first.append(first)
                each.answers.append(json.loads(lines[-1]))
    return median(empty)


def report(found):
    rows = [
        [
            each.name,
            each.installed,
            short(1e3 * median(each.imported)),
            short(1e3 * median(each.first)),
            short(median(one["rate"] for one in each.answers)),
            short(median(one["peak"] for one in each.answers)),
        ]
        for each in found
    ]
    if found[-1].package != "fasttext":
        rows.append(["fastText", "no wheel could be installed", "", "", "", ""])
    return table(["", "installed", "import, ms", "first verdict, ms", "texts/s", "peak MiB"], rows, names=1)


def differences(found):
    """How many verdicts of each peer with the same checkpoint differ from headlight's."""
    ours = next(each for each in found if each.name == f"headlight, {SIZE}").answers[-1]["labels"]
    peers = [each for each in found if each.package in ("transformers", "onnxruntime")]
    counts = [sum(one != other for one, other in zip(ours, each.answers[-1]["labels"])) for each in peers]
    return ", ".join(f"{each.name.split(',')[0]} {count}" for each, count in zip(peers, counts))


def run(options):
    program.library()
    folder = make_checkpoint(SIZE)
    make_graphs(folder)
    given = read_texts(options) if options.texts else make_texts(folder / "checkpoint/vocab.txt", MANY)
    texts = list(dict.fromkeys(given))[: options.sentences or SIZES[SIZE].sentences]
    engines = ["pytorch", "onnxruntime", "tokenizers"] + (["fasttext"] if has_fasttext() else [])
    print(heading(machine.describe(engines, program.version()), f"Medians; runs of each: {options.runs}."))
    print(f"\n{len(texts)} texts, {options.threads} threads; {SIZE}: {SIZES[SIZE]}.\n", flush=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        few = scratch / "few.txt"
        write_lines(few, texts)
        several = many(given)
        found = contenders(engines, several, folder, scratch)
        bare = measure(found, few, options)
        print(report(found))
        print(f"\nAn empty Python process takes {short(1e3 * bare)} ms, which the first verdict includes.")
        print(f"Verdicts on {SIZE} that differ from headlight's: {differences(found)}.\n", flush=True)
        rows, is_equal = overhead.measure(several, few, folder / "checkpoint", options, scratch)
    bundled = found[0]
    rows.append(["ms of `import headlight`", short(1e3 * median(bundled.imported)), "≤ 30"])
    rows.append([f"ms to the first verdict of {overhead.MODEL}", short(1e3 * median(bundled.first)), "≤ 60"])
    print(f"{overhead.report(rows)}\n\nLoad at the end: {os.getloadavg()[0]:.1f}.")
    return 0 if is_equal else 1


def main():
    finish(lambda: run(parse()), "bench: ", (OSError,))


if __name__ == "__main__":
    main()
