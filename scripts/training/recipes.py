"""scripts/train --recipe NAME: makes a model that ships, by stages that are each resumed where they were stopped.

A stage is a command line of scripts/train; the last one's model is given its temperature and its card
and put where -o says. A stage that is done with the same command line is not done again.
"""

import argparse
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from training import card, figures, train
from training.options import parse
from training.rows import Columns, read_rows


@dataclass(frozen=True)
class Split:
    """Rows to measure on: a file under --data-root."""

    name: str  # as a card calls it
    file: str
    text: str = "text"

    def rows(self, root):
        return read_rows(Path(root) / self.file, Columns(self.text, "label"))


@dataclass(frozen=True)
class Recipe:
    stages: dict[str, str]  # name of a stage: its options; {data} and {work} are folders
    measured: Split  # rows that nothing was trained on or chosen by


SENTIMENT = "--data {data}/sst2/train.tsv --text sentence --labels negative,positive --hold-out 400"
SST2_DEV = Split("the SST-2 development split", "sst2/dev.tsv", text="sentence")

RECIPES = {
    "sentiment": Recipe(
        stages={
            "sentiment-teacher": f"{SENTIMENT} --from minilm --keep-pieces 12000"
            " --epochs 3 --batch-size 64 --learning-rate 1e-4 --precision bf16",
            "sentiment": f"{SENTIMENT} --from {{work}}/sentiment-teacher --keep-layers 0,2,5 --keep-pieces 5500"
            " --teacher {work}/sentiment-teacher --recombine 20000 --epochs 5 --batch-size 64"
            " --learning-rate 3e-4 --precision bf16 --bits 5",
        },
        measured=SST2_DEV,
    ),
}


def parser():
    p = argparse.ArgumentParser(
        prog="scripts/train",
        description="Makes the bundled sentiment model: training, temperature, card. The same command goes on after a stop.",
        allow_abbrev=False,
    )
    add = p.add_argument
    add("--recipe", metavar="NAME", choices=RECIPES, required=True, help=", ".join(RECIPES))
    add("--data-root", metavar="DIR", required=True, help="the folder with sst2/")
    add("-o", "--output", metavar="DIR", type=Path, required=True, help="the model directory")
    add("--work", metavar="DIR", type=Path, default=Path("build/training"), help="for stages (default: %(default)s)")
    add("--threads", metavar="N", type=int, default=2, help="(default: %(default)s)")
    return p


def run_stage(name, line, options):
    """Trains a stage unless it was; goes on with a checkpoint where one of it stands."""
    words = [word.format(data=options.data_root, work=options.work) for word in line.split()]
    output = options.work / name
    mark = options.work / f"{name}.done.json"
    if mark.is_file() and json.loads(mark.read_text()) == words:
        train.say(f"{name}: done before")
        return output
    parsed = parse([*words, "-o", str(output), "--threads", str(options.threads)])
    parsed.resume = parsed.checkpoint.is_file()
    train.say(f"{name}: scripts/train {' '.join(words)} -o {output}{' --resume' if parsed.resume else ''}")
    train.run(parsed)
    mark.write_text(json.dumps(words))
    return output


def run(arguments):
    options = parser().parse_args(arguments)
    recipe = RECIPES[options.recipe]
    options.work.mkdir(parents=True, exist_ok=True)
    for name, line in recipe.stages.items():
        model = run_stage(name, line, options)
    figures.fit_temperature(model, held_rows(model))
    options.output.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "model.safetensors", "vocab.txt", "calibration.json"):
        shutil.copyfile(model / name, options.output / name)
    measured = measure(recipe, options.output, options.data_root)
    write_card(options.recipe, options.output, measured)
    train.say(f"wrote {options.output}; accuracy {100 * measured.accuracy:.2f} % on {recipe.measured.name}")


def write_card(name, model, measured):
    (model / "README.md").write_text(card.text(name, RECIPES[name], measured), encoding="utf-8")


def held_rows(model):
    return read_rows(Path(f"{model}.held.jsonl"), Columns("text", "label"))


def measure(recipe, model, root):
    return figures.measure(model, recipe.measured.rows(root))
