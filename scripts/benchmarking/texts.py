"""The sentences that are scored: a user's own, or words drawn at random with the lengths of SST-2's sentences."""

import json
import random

from training.rows import Columns, read_rows

SEED = 21
SPECIAL_TOKENS = 2
SHORTEST, MEAN, LONGEST = 5, 26, 60  # tokens, special ones included
SHAPE = 4.5  # of the gamma distribution of lengths


def read_texts(options):
    """Sentences of the file that the user named, in its order, each on one line."""
    columns = Columns(options.text, None, options.header, options.format)
    return [" ".join(text.split()) or "." for text in read_rows(options.texts, columns).texts]


def make_texts(vocabulary, count):
    """Sentences of whole words of `vocabulary` (a path), the commoner words more often, no two the same."""
    pieces = vocabulary.read_text(encoding="utf-8").split("\n")
    words = [piece for piece in pieces if piece.isascii() and piece.isalpha() and len(piece) > 1]
    chances = [1 / (rank + 10) for rank in range(len(words))]
    draw = random.Random(SEED)
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
