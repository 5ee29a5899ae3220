"""scripts/train: the run from a file of rows to a model directory."""

import hashlib
import random
import sys

import torch

from training import native, start
from training.loop import Plan, Stopped, train
from training.model import logits_of
from training.options import parse
from training.rows import Classes, Columns, DataError, read_rows
from training.vocabulary import encode, make_tokenizer

# Options that change nothing in the result, so that a resumed run may have others.
FREE = ("data", "header", "format", "text", "label", "dev", "output", "threads")
FREE += ("checkpoint", "checkpoint_seconds", "resume")


def plan_of(options, rows):
    """The loop's plan. The fingerprint is every option that changes the result, and the rows."""
    fingerprint = {name: value for name, value in vars(options).items() if name not in FREE}
    digest = hashlib.sha256(repr((rows.texts, rows.labels)).encode("utf-8", "surrogatepass"))
    fingerprint["rows"] = digest.hexdigest()
    return Plan(
        epochs=options.epochs,
        batch_size=options.batch_size,
        learning_rate=options.learning_rate,
        warmup=options.warmup,
        weight_decay=options.weight_decay,
        clip=options.clip,
        seed=options.seed,
        checkpoint=options.checkpoint,
        checkpoint_seconds=options.checkpoint_seconds,
        fingerprint=fingerprint,
    )


def draw(rows, options):
    """`--limit` rows, drawn at random, in the file's order."""
    if options.limit and options.limit < len(rows.texts):
        chosen = sorted(random.Random(options.seed).sample(range(len(rows.texts)), options.limit))
        rows.texts = [rows.texts[i] for i in chosen]
        rows.labels = [rows.labels[i] for i in chosen]
    return rows


def say(line):
    print(line, file=sys.stderr, flush=True)


def run(options):
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    columns = Columns(options.text, options.label, options.header, options.format)
    rows = draw(read_rows(options.data, columns), options)
    classes = Classes.of(rows.labels, options.labels)
    gold = classes.ids(rows.labels, options.data)
    dev = read_rows(options.dev, columns) if options.dev else None
    dev_gold = classes.ids(dev.labels, options.dev) if dev else None

    begin = start.from_checkpoint if options.start else start.from_scratch
    begun = begin(options, rows.texts, len(classes.names))
    shape = begun.model.shape
    tokenizer = make_tokenizer(begun.pieces, begun.casing, shape.max_position_embeddings)
    trained = native.Native(begun.model, begun.pieces, begun.casing, classes.names, begun.pieces.index("[PAD]"))
    say(
        f"{len(rows.texts)} rows, {len(classes.names)} classes, {shape.vocab_size} pieces, "
        f"{shape.num_hidden_layers} layers of {shape.hidden_size}, {start.count_parameters(begun.model)} parameters"
    )

    def after_epoch(epoch):
        native.write(trained, options.output)
        say(f"epoch {epoch}/{options.epochs}: wrote {options.output}")
        if dev:
            logits = logits_of(native.rounded(trained.model), encode(tokenizer, dev.texts), trained.pad_id)
            right = (logits.argmax(1) == torch.tensor(dev_gold)).sum().item()
            share = 100 * right / len(dev_gold)
            say(f"epoch {epoch}/{options.epochs}: {options.dev}: {right} of {len(dev_gold)} right, {share:.2f} %")

    lists = encode(tokenizer, rows.texts)
    train(trained.model, (lists, gold), trained.pad_id, plan_of(options, rows), options.resume, after_epoch)


def main():
    options = parse()
    try:
        run(options)
    except DataError as error:
        sys.exit(f"train: {error}")
    except Stopped as stopped:
        say(f"train: stopped after step {stopped}; the same command with --resume goes on")
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
