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

  A smaller model that learns another's logits, on the rows and on texts put together of their parts:

    scripts/train --from minilm --data news.jsonl --hold-out 500 -o build/news-teacher
    scripts/train --from build/news-teacher --keep-layers 0,3 --teacher build/news-teacher \\
        --recombine 20000 --data news.jsonl --hold-out 500 -o build/news

  A model that ships, by all its stages, with its temperature and its card (train --recipe --help):

    scripts/train --recipe sentiment --data-root path/to/data -o data/models/sentiment

A run that was stopped goes on where it was with the same command and --resume; a recipe without.
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
    add_teacher(p.add_argument_group("learning from a teacher"))
    add_model(p.add_argument_group("the model"))
    add_training(p.add_argument_group("training"))
    return completed(p, p.parse_args(arguments))


def add_rows(group):
    def add(flag, metavar, help, **more):
        group.add_argument(flag, metavar=metavar, help=help, **more)

    add("--data", "FILE", "rows to train on: TSV, CSV, JSONL, or JSON of pairs", required=True)
    add("--text", "COLUMN", "the text's column: a name, or a number from 1 (default: %(default)s)", default="text")
    add("--label", "COLUMN", "the label's column, likewise (default: %(default)s)", default="label")
    add("--split", "NAME", "of JSON with pairs of text and label by split: the one of --data")
    add("--dev-split", "NAME", "likewise, of --dev")
    add("--labels", "NAMES", "names for the label values in order, with commas", type=names)
    add("--dev", "FILE", "rows to report the accuracy on; nothing is trained on or chosen by them")
    group.add_argument(
        "--no-header",
        dest="header",
        action="store_false",
        help="a table's first line is a row; columns are numbers",
    )
    formats = ("tsv", "csv", "jsonl", "pairs")
    group.add_argument("--format", choices=formats, help="of the files (default: by their ending)")
    hold = "keep N rows, and the rows that are parts of them, from training; written to DIR.held.jsonl"
    group.add_argument("--hold-out", metavar="N", type=COUNT, help=hold)


def add_teacher(group):
    def add(flag, metavar, type, help, **more):
        group.add_argument(flag, metavar=metavar, type=type, help=help, **more)

    add("--teacher", "DIR", Path, "learn the logits of this native model, which has the same labels")
    share = "of the squared error in the loss; the rest is cross-entropy (default: %(default)s)"
    add("--teacher-weight", "X", number(float, 0, below=1.0001), share, default=0.8)
    add("--more", "FILE", Path, "texts without labels, which the teacher labels: a text a line")
    add("--recombine", "N", COUNT, "N texts more, of the head of one row and the tail of another")


def add_start(p):
    group = p.add_argument_group("starting from a checkpoint")

    def add(flag, metavar, type, help, **more):
        group.add_argument(flag, metavar=metavar, type=type, help=help, **more)

    start = "a folder of a BERT checkpoint or of a native model, or: minilm"
    add("--from", "CHECKPOINT", str, start, dest="start")
    add("--keep-layers", "NUMBERS", layer_numbers, "layers to keep, as in 0,2,5 (default: all)")
    add("--keep-pieces", "N", COUNT, "commonest pieces to keep, and all characters (default: all)")
    group = p.add_argument_group("starting from scratch")
    add("--hidden-size", "N", COUNT, "(default: 128)")
    add("--layers", "N", number(int, 0), "(default: 2)")
    add("--heads", "N", COUNT, "(default: 4)")
    add("--intermediate-size", "N", COUNT, "(default: four times the hidden size)")
    add("--vocab-size", "N", COUNT, "most pieces in the vocabulary (default: 8000)")
    add("--min-frequency", "N", COUNT, "a piece occurs this often at least (default: 2)")
    vectors = "begin with its pieces and the principal components of their vectors; likewise"
    add("--embeddings", "CHECKPOINT", str, vectors)
    group.add_argument("--cased", action="store_true", help="keep upper case and accents")


def add_model(group):
    group.add_argument("--pooling", choices=("mean", "cls", "last"), default="mean", help="(default: %(default)s)")
    causal = "a token sees itself and those before it, and no [CLS] or [SEP] is put in, as stream wants it"
    group.add_argument("--causal", action="store_true", help=causal)
    bits = "significant bits of the weights that are written, 2 to 11; fewer compress better (default: %(default)s)"
    group.add_argument("--bits", metavar="N", type=number(int, 2, below=12), default=11, help=bits)
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
    group.add_argument(
        "--precision",
        choices=("fp32", "bf16"),
        default="fp32",
        help="bf16: matrix products in bfloat16, faster where the processor has them (default: %(default)s)",
    )
    group.add_argument("--resume", action="store_true", help="go on with the run that was stopped")


def completed(p, options):
    """Says which options do not go together, and fills in what depends on others."""
    for name, default in SCRATCH.items():
        if options.start and getattr(options, name) is not None:
            p.error(f"{flag_of(name)} is for a model from scratch; --from says its own")
        if options.embeddings and name in ("vocab_size", "min_frequency") and getattr(options, name) is not None:
            p.error(f"{flag_of(name)} is for new pieces; --embeddings says its own")
        if getattr(options, name) is None:
            setattr(options, name, default)
    if options.embeddings and options.cased:
        p.error("--cased is for new pieces; --embeddings says its own")
    if options.start and (options.cased or options.embeddings):
        p.error("--cased and --embeddings are for a model from scratch; --from says its own")
    if options.keep_layers is not None and not options.start:
        p.error("--keep-layers needs --from")
    if options.keep_pieces is not None and not (options.start or options.embeddings):
        p.error("--keep-pieces needs --from or --embeddings")
    if not options.teacher and (options.more or options.recombine):
        p.error("--more and --recombine need --teacher, which labels their texts")
    if options.pooling == "cls" and options.causal:
        p.error("--causal: the first token, which --pooling cls takes, sees nothing of the text")
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
