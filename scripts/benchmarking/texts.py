"""The sentences that are scored: a user's own, or words drawn at random with the lengths of SST-2's sentences."""

import csv
import json
import random

from common.program import ProgramError

SEED = 21
CALIBRATION_SEED = 22
SPECIAL_TOKENS = 2
SHORTEST, MEAN, LONGEST = 5, 26, 60  # tokens, special ones included
SHAPE = 4.5  # of the gamma distribution of lengths

FORMATS = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".txt": "text"}


def read_texts(options):
    """Sentences of the file that the user named, in its order, each on one line. Raises ProgramError with the place."""
    return read_column(options.texts, options.text, options)


def read_column(path, name, options):
    kind = options.format or FORMATS.get(path.suffix.lower())
    if kind is None:
        raise ProgramError(f"{path}: unknown ending {path.suffix!r}; say --format {', '.join(FORMATS.values())}")
    texts = []
    with open(path, encoding="utf-8-sig", newline="" if kind == "csv" else "\n") as file:
        try:
            for text in cells(file, kind, name, options.header):
                texts.append(" ".join(text.split()) or ".")
        except (ValueError, LookupError, csv.Error) as error:
            raise ProgramError(f"{path}: row {len(texts) + 1} has no {name!r}: {error}") from None
    return texts


def cells(file, kind, name, header):
    """The cell of that name in each row of an open file."""
    if kind == "text":
        yield from file
    elif kind == "jsonl":
        yield from (str(json.loads(line)[name]) for line in file if line.strip())
    else:
        tab = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
        rows = csv.reader(file, **(tab if kind == "tsv" else {}))
        column = next(rows).index(name) if header else int(name) - 1
        yield from (row[column] for row in rows)


def make_texts(vocabulary, count, seed=SEED):
    """Sentences of whole words of `vocabulary` (a path), the commoner words more often, no two the same."""
    pieces = vocabulary.read_text(encoding="utf-8").split("\n")
    words = [piece for piece in pieces if piece.isascii() and piece.isalpha() and len(piece) > 1]
    chances = [1 / (rank + 10) for rank in range(len(words))]
    draw = random.Random(seed)
    seen = {}
    while len(seen) < count:
        seen[" ".join(draw.choices(words, chances, k=length(draw) - SPECIAL_TOKENS))] = True
    return list(seen)


def length(draw):
    """Tokens of a sentence; those above the longest are drawn again, which lowers the mean by half a token."""
    while True:
        tokens = SHORTEST + round(draw.gammavariate(SHAPE, (MEAN + 0.5 - SHORTEST) / SHAPE))
        if tokens <= LONGEST:
            return tokens


def write_rows(path, texts):
    """The file that `headlight batch` scores."""
    path.write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts)))


def write_lines(path, texts):
    """A file with a text a line."""
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
