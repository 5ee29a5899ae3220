"""The command line of scripts/train: what can be said, what goes together, what follows from it."""

import argparse
from pathlib import Path

EXAMPLES = """
examples:
  From scratch, on a file of two columns with a header, with a vocabulary of its own:

    scripts/train --data reviews.tsv --text sentence --label label --labels negative,positive \\
        --hidden-size 128 --layers 2 --heads 4 --epochs 5 -o build/reviews

  Three layers and 6,000 pieces of the MiniLM encoder, trained further on a CSV without a header
  whose first column is the label; --dev is scored after each epoch and used for nothing else:

    scripts/train --from minilm --keep-layers 0,2,5 --keep-pieces 6000 \\
        --data news.csv --no-header --label 1 --text 3 --dev news-test.csv -o build/news

A run that was stopped goes on where it was with the same command and --resume.
"""

# Options that only a model from scratch has, and what they are where nothing is said.
SCRATCH = {
    "hidden_size": 128,
    "layers": 2,
    "heads": 4,
    "intermediate_size": None,
    "vocab_size": 8000,
    "min_frequency": 2,
}


def number(kind, low, below=float("inf")):
    """A type for argparse: a number from `low` on and less than `below`."""

    def parse(text):
        value = kind(text)
        if not low <= value < below:
            raise argparse.ArgumentTypeError(f"{text} is out of range")
        return value

    parse.__name__ = "number"
    return parse


COUNT = number(int, 1)
SHARE = number(float, 0, below=1)
AMOUNT = number(float, 0)


def names(text):
    return [name.strip() for name in text.split(",")]


def layer_numbers(text):
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 0:
        raise argparse.ArgumentTypeError(f"{text}: layers are counted from 0")
    return numbers


def parse(arguments=None):
    p = argparse.ArgumentParser(
        prog="scripts/train",
        description="Trains a text classifier on labelled rows and writes it as a native headlight model.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rows(p.add_argument_group("rows"))
    add_start(p)
    add_model(p.add_argument_group("the model"))
    add_training(p.add_argument_group("training"))
    return completed(p, p.parse_args(arguments))


def add_rows(group):
    def add(flag, metavar, help, **more):
        group.add_argument(flag, metavar=metavar, help=help, **more)

    add("--data", "FILE", "rows to train on: TSV, CSV or JSONL", required=True)
    add("--text", "COLUMN", "the text's column: a name, or a number from 1", required=True)
    add("--label", "COLUMN", "the label's column, likewise", required=True)
    add("--labels", "NAMES", "names for the label values in order, with commas", type=names)
    add("--dev", "FILE", "rows to report the accuracy on; nothing is trained on or chosen by them")
    group.add_argument(
        "--no-header",
        dest="header",
        action="store_false",
        help="a table's first line is a row; columns are numbers",
    )
    group.add_argument("--format", choices=("tsv", "csv", "jsonl"), help="of the files (default: by their ending)")


def add_start(p):
    group = p.add_argument_group("starting from a checkpoint")

    def add(flag, metavar, type, help, **more):
        group.add_argument(flag, metavar=metavar, type=type, help=help, **more)

    add("--from", "CHECKPOINT", str, "a folder of a BERT checkpoint, or: minilm", dest="start")
    add("--keep-layers", "NUMBERS", layer_numbers, "layers to keep, as in 0,2,5 (default: all)")
    add("--keep-pieces", "N", COUNT, "commonest pieces to keep, and all characters (default: all)")
    group = p.add_argument_group("starting from scratch")
    add("--hidden-size", "N", COUNT, "(default: 128)")
    add("--layers", "N", number(int, 0), "(default: 2)")
    add("--heads", "N", COUNT, "(default: 4)")
    add("--intermediate-size", "N", COUNT, "(default: four times the hidden size)")
    add("--vocab-size", "N", COUNT, "most pieces in the vocabulary (default: 8000)")
    add("--min-frequency", "N", COUNT, "a piece occurs this often at least (default: 2)")
    group.add_argument("--cased", action="store_true", help="keep upper case and accents")


def add_model(group):
    group.add_argument("--pooling", choices=("mean", "cls"), default="mean", help="(default: %(default)s)")
    group.add_argument(
        "--max-positions",
        metavar="N",
        type=number(int, 3),
        default=256,
        help="longest text in tokens; longer ones are cut (default: %(default)s)",
    )
    group.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the model directory; written after each epoch"
    )


def add_training(group):
    def add(flag, metavar, type, help, default=None):
        group.add_argument(flag, metavar=metavar, type=type, help=help, default=default)

    add("--epochs", "N", COUNT, "(default: %(default)s)", 3)
    add("--batch-size", "N", COUNT, "(default: %(default)s)", 32)
    add("--learning-rate", "X", AMOUNT, "at its highest (default: 1e-3 from scratch, 2e-4 from a checkpoint)")
    add("--warmup", "X", SHARE, "share of the steps (default: %(default)s)", 0.06)
    add("--weight-decay", "X", AMOUNT, "(default: %(default)s)", 0.01)
    add("--dropout", "X", SHARE, "(default: %(default)s)", 0.1)
    add("--clip", "X", AMOUNT, "largest norm of the gradient (default: %(default)s)", 1.0)
    add("--seed", "N", number(int, 0), "(default: %(default)s)", 1)
    add("--threads", "N", COUNT, "(default: %(default)s)", 2)
    add("--limit", "N", COUNT, "train on N rows drawn at random")
    add("--checkpoint", "FILE", Path, "the state to resume from (default: DIR.checkpoint.pt); removed at the end")
    add("--checkpoint-seconds", "N", AMOUNT, "how often it is written (default: %(default)s)", 120)
    group.add_argument("--resume", action="store_true", help="go on with the run that was stopped")


def completed(p, options):
    """Says which options do not go together, and fills in what depends on others."""
    for name, default in SCRATCH.items():
        if options.start and getattr(options, name) is not None:
            p.error(f"{flag_of(name)} is for a model from scratch; --from says its own")
        if getattr(options, name) is None:
            setattr(options, name, default)
    if options.start and options.cased:
        p.error("--cased is for a model from scratch; --from says its own")
    for name in ("keep_layers", "keep_pieces"):
        if not options.start and getattr(options, name) is not None:
            p.error(f"{flag_of(name)} needs --from")
    if not options.start and options.hidden_size % options.heads:
        p.error(f"--hidden-size {options.hidden_size} is not a multiple of --heads {options.heads}")
    options.intermediate_size = options.intermediate_size or 4 * options.hidden_size
    if options.learning_rate is None:
        options.learning_rate = 2e-4 if options.start else 1e-3
    options.output = Path(options.output)
    options.checkpoint = options.checkpoint or Path(f"{options.output}.checkpoint.pt")
    return options


def flag_of(name):
    return "--" + name.replace("_", "-")
