"""Compares vectors of tables without layers with model2vec and sentence-transformers.

    scripts/check folders [--texts N] [FOLDER ...]

Writes folders of model2vec with four kinds of tokenizers, tables of float32, float16, float64 and int8, rows that
tokens share and weights of tokens, with and without normalization and limits; and folders of sentence-transformers
with a StaticEmbedding. Embeds N texts (default: 500) with each. Folders that are named are read as model2vec reads
them. The references add in float64. Prints for each the largest difference, as a part of the largest number. Exit
status 1 if it is above 1e-6.
"""

import itertools
import json
import pathlib
import tempfile

import model2vec
import numpy
from sentence_transformers import SentenceTransformer

from common import program, static_folders
from common.command_line import finish, number, parser

CLOSE = 1e-6
WORDS = ["the", "film", "was", "good", "bad", "not", "and", "plot", "actor", "s", "ing", "un", "é", "word"]
TENSORS = [
    "float32",
    "float16",
    "float64-weights",
    "int8",
    "int8-shared-weights",
    "float32-shared-weights",
    "float32-shared",
]
CONFIGS = [{}, {"normalize": True}, {"max_length": 7, "normalize": True}, {"max_length": None}]


def exact(folder):
    """The reference with a table of float64: its float32 sums of a thousand tokens differ by 1e-5 from exact ones."""
    model = model2vec.StaticModel.from_pretrained(folder)
    model.embedding = model.embedding.astype(numpy.float64)
    return model


class StaticEmbedding:
    """The reference with a table of float64."""

    def __init__(self, folder):
        self.model = SentenceTransformer(str(folder), device="cpu").double()

    def encode(self, texts):
        return self.model.encode(texts, normalize_embeddings=False)


def our_vectors(folder, texts):
    with tempfile.TemporaryDirectory() as place:
        rows = pathlib.Path(place) / "rows.jsonl"
        rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        program.run("embed", rows, "-m", folder, "-o", rows.with_suffix(".npy"))
        return numpy.load(rows.with_suffix(".npy"))


def difference(ours, theirs):
    theirs = theirs.astype(numpy.float64)
    return numpy.abs(ours - theirs).max() / numpy.abs(theirs).max()


def compare(name, folder, reference, texts):
    found = difference(our_vectors(folder, texts), numpy.asarray(reference.encode(texts)))
    print(f"{name:<60} {found:.1e}{'  DIFFERS' if found > CLOSE else ''}", flush=True)
    return found <= CLOSE


def main():
    arguments = parser("check folders", __doc__)
    arguments.add_argument("--texts", type=number(int, 10), default=500, metavar="N")
    arguments.add_argument("folders", nargs="*", type=pathlib.Path)
    options = arguments.parse_args()
    texts = static_folders.made_texts(WORDS, options.texts, 1)
    good = [compare(str(folder), folder, exact(folder), texts) for folder in options.folders]
    if options.folders:
        return 0 if all(good) else 1
    with tempfile.TemporaryDirectory() as place:
        kinds = itertools.product(static_folders.TOKENIZERS.items(), TENSORS, enumerate(CONFIGS))
        for (tokenizer, make), tensors, (index, config) in kinds:
            folder = pathlib.Path(place) / f"{tokenizer}-{tensors}-{index}"
            static_folders.write_model2vec(folder, make(WORDS), tensors, 24, index, **config)
            good.append(compare(folder.name, folder, exact(folder), texts))
        for (tokenizer, make), truncation in itertools.product(static_folders.TOKENIZERS.items(), (None, 5)):
            folder = pathlib.Path(place) / f"embedding-{tokenizer}-{truncation}"
            static_folders.write_static_embedding(folder, make(WORDS), 24, 3, truncation is None, truncation)
            good.append(compare(folder.name, folder, StaticEmbedding(folder), texts))
    return 0 if all(good) else 1


if __name__ == "__main__":
    finish(main)
