"""The command line of scripts/import."""

import argparse
import sys
from pathlib import Path

from common.program import ProgramError
from importing import checkpoint, homemade
from importing.problem import Problem

EXAMPLES = """
what is imported:
  A checkpoint folder whose weights are pickled (pytorch_model.bin, or its index and shards): they are
  written as model.safetensors. Where its tokenizer is a SentencePiece model alone (XLM-RoBERTa,
  CamemBERT, ALBERT), a tokenizer.json is made of it. Both stand beside the config, or in DIR with -o.

  The state dict of a classifier of one's own on torch.nn.TransformerEncoder, with --map: a JSON file
  that says which tensor is what. It becomes a native model directory. See scripts/importing/README.md.

  A pipeline of scikit-learn: see scripts/import pipeline --help. SetFit's folders, and classifiers of
  scikit-learn on an encoder: see scripts/import head --help.

Pickles are read with weights_only: tensors and nothing that runs.

examples:
  scripts/import path/to/checkpoint
  scripts/import classifier.pt --map classifier.json -o build/classifier
  scripts/import classifier.pt --map classifier.json -o build/classifier --check texts.jsonl

Exit status: 0 where all was written, 1 where something could not be imported, 2 for a wrong command line.
"""


def parser():
    p = argparse.ArgumentParser(
        prog="scripts/import",
        description="Makes a model directory that headlight reads of what only Python reads.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("source", metavar="DIR|FILE.pt", type=Path, help="a checkpoint folder, or with --map a state dict")
    p.add_argument("-o", "--output", metavar="DIR", type=Path, help="where to write (default: the folder itself)")
    p.add_argument("--map", metavar="FILE", type=Path, help="which tensor is what, for a classifier of one's own")
    p.add_argument("--check", metavar="TEXTS.jsonl", type=Path, help="compare with these logits of texts; needs --map")
    p.add_argument("-f", "--force", action="store_true", help="replace files that exist")
    return p


def run(options):
    if options.map is None:
        return checkpoint.convert(options.source, options.output or options.source, options.force)
    return homemade.convert(options.source, options.map, options.output, options.force, options.check)


def main():
    p = parser()
    options = p.parse_args()
    if options.map is not None and options.output is None:
        p.error("--map needs -o DIR")
    if options.check is not None and options.map is None:
        p.error("--check needs --map FILE")
    try:
        for line in run(options):
            print(line)
    except (Problem, ProgramError, OSError) as problem:
        print(f"import: {problem}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
