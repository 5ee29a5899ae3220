"""A model card: cards/NAME.md, with the measured figures in place of $table, $wrong and $stages."""

import os
from pathlib import Path
from string import Template

WRONG = 10


def percent(share):
    return f"{100 * share:.1f} %"


def architecture(model):
    layers = "1 layer" if model["layers"] == 1 else f"{model['layers']} layers"
    return (
        f"{layers}, hidden size {model['hidden_size']}, {model['heads']} heads, "
        f"feed-forward {model['intermediate_size']}, "
        f"{model['pooling']} pooling; {model['vocab_size']:,} WordPiece pieces; "
        f"{model['parameters'] / 1e6:.1f} million parameters"
    )


def table(figures, recipe):
    """The name and value of each figure."""
    size = figures.bytes
    right = round(figures.accuracy * figures.rows)
    low, high = figures.interval
    temperature = figures.model.get("calibration", {}).get("temperature")
    yield "encoder", architecture(figures.model)
    yield "size", f"{size / 1e6:.1f} MB ({size / 2**20:.1f} MiB): weights in F16, vocabulary, config, temperature"
    share = f"**{100 * figures.accuracy:.2f} %** ({right:,} of {figures.rows:,})"
    yield "accuracy", f"{share}, 95 % CI {100 * low:.1f}–{percent(high)}, on {recipe.measured.name}"
    yield "macro F1", f"{figures.macro_f1:.4f}"
    for name, (before, after) in (("calibration error (ECE)", figures.ece), ("log loss", figures.log_loss)):
        stored = f", {after:.4f} with the stored temperature of {temperature:.3f}" if temperature else ""
        yield name, f"{before:.4f} as trained{stored}"
    agreement = f"differ from the trainer's by at most {figures.difference:.1e} on the same rows"
    yield "logits", f"{agreement} (`scripts/compare_trainer`)"
    speed = f"{figures.rows_a_second:,.0f} texts per second"
    yield "speed", f"{speed} with `headlight batch` on the same rows, {os.cpu_count()} cores{busy()}"


def busy():
    """A remark if other work was running while the speed was measured, else empty."""
    load = os.getloadavg()[0]
    return f"; other work was running (load {load:.0f})" if load > os.cpu_count() + 1 else ""


def cell(text):
    """A text escaped for a cell of a Markdown table."""
    for character in "\\|*_`<[":
        text = text.replace(character, "\\" + character)
    return text.strip()


def wrong_rows(figures):
    yield "| text | label | prediction | probability |"
    yield "|---|---|---|--:|"
    for row in figures.wrong[:WRONG]:
        yield f"| {cell(row['text'])} | {cell(row['gold'])} | {cell(row['label'])} | {row['probability']:.3f} |"


def text(name, recipe, figures):
    template = Template((Path(__file__).parent / "cards" / f"{name}.md").read_text(encoding="utf-8"))
    rows = [f"| {what} | {value} |" for what, value in table(figures, recipe)]
    stages = [f"scripts/train {line} -o {{work}}/{stage}" for stage, line in recipe.stages.items()]
    return template.substitute(
        table="\n".join(["| | |", "|---|---|", *rows]), wrong="\n".join(wrong_rows(figures)), stages="\n".join(stages)
    )
