"""scripts/train: the run from a file of rows to a model directory."""

import hashlib
import json
import random
import sys
from dataclasses import replace
from pathlib import Path

import torch

from common.phrases import hold_out, recombined
from common.program import ProgramError
from training import native, start
from training.loop import UNKNOWN, Examples, Plan, Stopped, train
from training.model import logits_of
from training.options import parse
from training.rows import Classes, Columns, DataError, Rows, read_rows
from training.teacher import Teacher
from training.vocabulary import encode

# Options that change nothing in the result, so that a resumed run may have others; rows and teacher
# are compared by what is in them.
FREE = ("data", "header", "format", "text", "label", "split", "dev", "dev_split", "more", "teacher", "output")
FREE += ("threads", "checkpoint", "checkpoint_seconds", "resume")


def plan_of(options, names, examples, teacher):
    """The loop's plan. The fingerprint is every option that changes the result, the rows and the teacher."""
    fingerprint = {name: value for name, value in vars(options).items() if name not in FREE}
    content = repr((names, examples.lists, examples.classes))
    fingerprint["rows"] = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    fingerprint["teacher"] = teacher and teacher.digest()
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
        precision=options.precision,
        teacher_weight=options.teacher_weight,
        fingerprint=fingerprint,
    )


def taken(rows, numbers):
    return Rows([rows.texts[i] for i in numbers], [rows.labels[i] for i in numbers])


def draw(rows, options):
    """`--limit` rows, drawn at random, in the file's order."""
    if options.limit and options.limit < len(rows.texts):
        chosen = sorted(random.Random(options.seed).sample(range(len(rows.texts)), options.limit))
        return taken(rows, chosen)
    return rows


def write_held(rows, classes, path):
    """The rows that are held out, with the names of their labels, for headlight evaluate."""
    gold = classes.ids(rows.labels, path)
    lines = ({"text": text, "label": classes.names[i]} for text, i in zip(rows.texts, gold, strict=True))
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def unlabelled(options, rows):
    """Texts that only the teacher labels."""
    texts = []
    if options.more:
        texts += read_rows(options.more, Columns("text", None, format="text")).texts
    if options.recombine:
        texts += recombined(rows.texts, options.recombine, options.seed)
    return [text for text in texts if text.strip()]


def say_right(trained, options, what, rows, gold):
    """How many of `rows` the model as it is stored gets right."""
    lists = encode(trained.tokenizer(), rows.texts)
    logits = logits_of(native.rounded(trained.model, options.bits), lists, trained.pad_id)
    right = (logits.argmax(1) == torch.tensor(gold)).sum().item()
    say(f"{what}: {right} of {len(gold)} right, {100 * right / len(gold):.2f} %")


def say(line):
    print(line, file=sys.stderr, flush=True)


def run(options):
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    columns = Columns(options.text, options.label, options.header, options.format, options.split)
    rows = draw(read_rows(options.data, columns), options)
    classes = Classes.of(rows.labels, options.labels)
    scored = []  # what is reported after each epoch: name, rows, classes
    if options.hold_out:
        held, kept = hold_out(rows.texts, options.hold_out, options.seed)
        held, rows = taken(rows, held), taken(rows, kept)
        scored.append(("held out", held, classes.ids(held.labels, options.data)))
    if options.dev:
        dev = read_rows(options.dev, replace(columns, split=options.dev_split))
        scored.append((options.dev, dev, classes.ids(dev.labels, options.dev)))

    begin = start.from_checkpoint if options.start else start.from_scratch
    begun = begin(options, rows.texts, len(classes.names))
    shape = begun.model.shape
    trained = native.Native(begun.model, begun.pieces, begun.casing, classes.names, begun.pieces.index("[PAD]"))
    say(
        f"{len(rows.texts)} rows, {len(classes.names)} classes, {shape.vocab_size} pieces, "
        f"{shape.num_hidden_layers} layers of {shape.hidden_size}, {start.count_parameters(begun.model)} parameters"
    )

    def after_epoch(epoch):
        native.write(trained, options.output, options.bits)
        say(f"epoch {epoch}/{options.epochs}: wrote {options.output}")
        for what, some, gold in scored:
            say_right(trained, options, f"epoch {epoch}/{options.epochs}: {what}", some, gold)

    teacher = Teacher(options.teacher, classes.names) if options.teacher else None
    examples = examples_of(options, rows, classes, trained, teacher)
    if options.hold_out:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        write_held(held, classes, Path(f"{options.output}.held.jsonl"))
    plan = plan_of(options, classes.names, examples, teacher)
    train(trained.model, examples, trained.pad_id, plan, options.resume, after_epoch)


def examples_of(options, rows, classes, trained, teacher):
    gold = classes.ids(rows.labels, options.data)
    more = unlabelled(options, rows)
    texts = rows.texts + more
    lists = encode(trained.tokenizer(), texts)
    if not all(lists):
        raise DataError(f"{texts[lists.index([])]!r} gives no token, and --causal puts none in")
    logits = teacher.logits(texts, options.precision, say) if teacher else None
    return Examples(lists, gold + [UNKNOWN] * len(more), logits)


def main():
    arguments = sys.argv[1:]
    recipe = "--recipe" in arguments
    try:
        if recipe:
            from training import recipes  # which runs its stages by what is above

            recipes.run(arguments)
        else:
            run(parse(arguments))
    except (DataError, ProgramError) as error:
        sys.exit(f"train: {error}")
    except Stopped as stopped:
        say(f"train: stopped after step {stopped}; the same command{'' if recipe else ' with --resume'} goes on")
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
