"""scripts/evaluate_models: the figures of the models that scripts/train makes, on rows they were not trained on."""

import argparse
import sys
from pathlib import Path

from training import card, recipes
from training.rows import DataError

EXAMPLES = """
examples:
  scripts/evaluate_models --data-root path/to/data
  scripts/evaluate_models --data-root path/to/data sentiment --cards
"""


def parser():
    p = argparse.ArgumentParser(
        prog="scripts/evaluate_models",
        description="Measures what scripts/train --recipe makes, with headlight evaluate, on splits it was not trained on.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = p.add_argument
    add("names", metavar="NAME", nargs="*", choices=[*recipes.RECIPES, []], help="(default: all)")
    add("--data-root", metavar="DIR", required=True, help="the folder with sst2/")
    add("--models", metavar="DIR", type=Path, default=Path("data/models"), help="(default: %(default)s)")
    add("--cards", action="store_true", help="also write each model's README.md with them")
    return p


def run(options):
    for name in options.names or recipes.RECIPES:
        recipe = recipes.RECIPES[name]
        figures = recipes.measure(recipe, options.models / name, options.data_root)
        print(name)
        for what, value in card.table(figures, recipe):
            print(f"  {what:24} {value.replace('**', '')}")
        print(f"  {'wrong, the surest first':24} {min(len(figures.wrong), card.WRONG)} of {len(figures.wrong)}:")
        for row in figures.wrong[: card.WRONG]:
            print(f"    {row['gold']}, said {row['label']} {row['probability']:.3f}: {row['text']!r}")
        if options.cards:
            recipes.write_card(name, options.models / name, figures)


def main():
    try:
        run(parser().parse_args())
    except DataError as error:
        print(f"evaluate_models: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
