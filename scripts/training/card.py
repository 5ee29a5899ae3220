"""A model's card: cards/NAME.md with the figures that were measured put in for $table, $wrong and $stages."""

import os
from pathlib import Path
from string import Template

WRONG = 10


def percent(share):
    return f"{100 * share:.1f} %"


def table(figures, recipe):
    """Name and value of each figure."""
    model = figures.model
    right = round(figures.accuracy * figures.rows)
    low, high = figures.interval
    temperature = model["calibration"]["temperature"]
    yield (
        "encoder",
        f"{model['layers']} layer{'s' if model['layers'] > 1 else ''}, hidden size {model['hidden_size']}, {model['heads']} heads, "
        f"feed-forward {model['intermediate_size']}, {model['pooling']} pooling; {model['vocab_size']:,} WordPiece pieces; "
        f"{model['parameters'] / 1e6:.1f} million parameters",
    )
    yield "size", f"{figures.bytes / 1e6:.1f} MB ({figures.bytes / 2**20:.1f} MiB): weights in F16, vocabulary, config, temperature"
    yield (
        "accuracy",
        f"**{100 * figures.accuracy:.2f} %** ({right:,} of {figures.rows:,}), 95 % sure from {percent(low)} to {percent(high)}, "
        f"on {recipe.measured.name}",
    )
    yield "macro F1", f"{figures.macro_f1:.4f}"
    for name, pair in (("calibration error (ECE)", figures.ece), ("log loss", figures.log_loss)):
        yield name, f"{pair[0]:.4f} as trained, {pair[1]:.4f} with the stored temperature of {temperature:.3f}"
    if figures.outside:
        yield (
            "out of scope",
            f"{percent(figures.outside.recall)} of {recipe.outside.name} fall below a probability of "
            f"{figures.outside.threshold:.3f}, which {percent(figures.outside.kept)} of the in-scope ones reach; "
            f"the threshold keeps 90 % of {recipe.fitted.name}",
        )
    yield "speed", f"{figures.rows_a_second:,.0f} rows a second by `headlight batch`, {os.cpu_count()} cores{busy()}"


def busy():
    """What is to be said of a speed that was measured beside other work."""
    load = os.getloadavg()[0]
    return f"; other work was running (load {load:.0f})" if load > os.cpu_count() + 1 else ""


def cell(text):
    """A text in a cell of a Markdown table, as it is."""
    for character in "\\|*_`<[":
        text = text.replace(character, "\\" + character)
    return text.strip()


def wrong_rows(figures):
    yield "| text | right | said | probability |"
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
