"""The command line of scripts/bench."""

import argparse
import pathlib

from benchmarking.sizes import SIZES
from common.command_line import number

ENGINES = ("headlight", "onnxruntime", "openvino", "pytorch")

EXAMPLES = """
what is run
  Checkpoints of BERT with random weights in four sizes (kept in build/bench): tiny (2 layers, hidden size 128), minilm
  (6, 384), distilbert (6, 768), base (12, 768). Every engine computes the same ids, those of `headlight tokenize`, and
  before anything is timed the float32 logits of all must agree to 1e-3.

  Bulk: sentences a second. headlight is one process from start to exit that reads the rows, makes tokens and writes
  verdicts; its rate is also given with the start (a run over one row) taken off. Peers are loaded and warm, get
  batches of ids that are made before the clock starts, and write nothing: they are asked for less.
    as people run it    the order of the file, batches of 32 padded, default threads
    at its best         sorted by length, the batch size and the graph (as exported, or with onnxruntime's own fused
                        operators) that is fastest here; on all cores in one session, or in one process a core
  int8: ONNX Runtime quantizes dynamically. OpenVINO runs a model that NNCF quantized with model_type=TRANSFORMER,
  calibrated on 300 sentences of random words, which are not those that are scored, whatever --texts is. It is kept
  beside the checkpoint. What NNCF leaves in floating point is in the precision that OpenVINO chooses; at its best, in
  float32 if that is faster.
  One text of 16 tokens: headlight is a process that is given a line and asked for a line, peers are warm.
  Start: one sentence from the start of the process to its exit, and how much of it is making the session.

  Each round runs every way once, one after the other, so that a noisy minute hits all alike. Medians are printed; the
  ratios are medians of the ratios within a round. With -o every single number is written.

examples:
  scripts/bench --quick
  scripts/bench --sizes minilm,base --texts sst2/dev.tsv --text sentence --rounds 7 -o build/bench.json
  HEADLIGHT=build/other/bin/headlight scripts/bench --engines headlight,onnxruntime --sizes tiny

`scripts/bench start` times a process from its start to its exit, beside a pipeline of transformers. `scripts/bench
library` compares the Python module with other packages. `scripts/bench precision` measures what int8 and bfloat16 do
to accuracy. `scripts/bench rows` measures reading and writing a million rows.

Exit status: 0, 1 where engines disagree or one fails, 2 for a wrong command line, 130 when interrupted.
Packages of the engines that are asked for are installed in build/python. `taskset -c 0 scripts/bench` measures one
core. All of it takes an hour or more on two cores; --sizes, --engines and --sentences make it shorter. A machine that
does other work gives other ratios, not only lower numbers: engines that wait for all their threads suffer most.
"""


def listed(known):
    """A type for argparse: names of `known` with commas between."""

    def parse(text):
        names = [name.strip() for name in text.split(",")]
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown name {name!r} (known: {', '.join(known)})")
        return [name for name in known if name in names]

    return parse


def add_texts(group):
    group.add_argument(
        "--texts",
        metavar="FILE",
        type=pathlib.Path,
        help="TSV, CSV, JSONL, or a text a line (default: random words with the lengths of SST-2)",
    )
    group.add_argument("--text", metavar="COLUMN", default="text", help="the text's column (default: text)")
    group.add_argument("--no-header", dest="header", action="store_false", help="a table's first line is a row")
    group.add_argument("--format", choices=("tsv", "csv", "jsonl", "text"), help="(default: by the file's ending)")
    counts = ", ".join(f"{name} {size.sentences}" for name, size in SIZES.items())
    group.add_argument("--sentences", metavar="N", type=number(int, 2), help=f"(default: {counts})")


def parse(arguments=None):
    p = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures headlight against ONNX Runtime, OpenVINO and PyTorch.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument(
        "--sizes",
        metavar="NAMES",
        type=listed(SIZES),
        help="of tiny, minilm, distilbert, base (default: all; with --quick the first two)",
    )
    p.add_argument(
        "--engines",
        metavar="NAMES",
        type=listed(ENGINES),
        default=list(ENGINES),
        help=f"of {', '.join(ENGINES)} (default: all)",
    )
    add_texts(p)
    p.add_argument("--rounds", metavar="N", type=number(int, 1), help="(default: 5; with --quick 3)")
    p.add_argument(
        "--quick", action="store_true", help="an eighth of the sentences, fewer batch sizes: a look, no result"
    )
    p.add_argument("-o", "--output", metavar="FILE", type=pathlib.Path, help="write every number as JSON")
    options = p.parse_args(arguments)
    if options.sizes is None:
        options.sizes = list(SIZES)[:2] if options.quick else list(SIZES)
    options.rounds = options.rounds or (3 if options.quick else 5)
    return options
