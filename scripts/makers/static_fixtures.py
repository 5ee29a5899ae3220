"""Writes tests/golden/sentences/static-*: small tables of vectors, and the vectors of the reference.

    scripts/make static_fixtures [-o FOLDER]

Folders of model2vec with each kind of tensors, whose vectors are those of `StaticModel.encode`, and of
sentence-transformers with a StaticEmbedding, by what its code does. expected.json is as that of sentence_fixtures.
"""

import json
import shutil

import model2vec
import tokenizers

from common import static_folders as made
from common.command_line import finish, output_path
from common.program import ROOT
from makers import small_vocabularies as small

OUTPUT = ROOT / "tests/golden/sentences"
SEED = 20267
WIDTH = 5
WORDS = ["a", "b", "ab", "é", ",", "mask", "A", "B", "q", "sep"]
TEXTS = [*small.TEXTS, "A B", "zzz zzz", "a b ab, " * 12]
MODEL2VEC = {  # tokenizer, tensors, config
    "static-words": ("words", "float32", {"normalize": True}),
    "static-pieces-cut": ("word-pieces", "float32-weights", {"max_length": 6, "model_type": "model2vec"}),
    "static-shared-int8": ("unigram", "int8-shared-weights", {"normalize": True, "embedding_dtype": "int8"}),
    "static-bytes-int8": ("bytes", "int8", {"max_length": None}),
}


def vectors_of(encode):
    return [[float(f"{value:.8g}") for value in encode(text).tolist()] for text in TEXTS]


def write_expected(folder, versions, encode):
    made_with = {**versions, "seed": SEED, "command": "scripts/make static_fixtures"}
    document = {"made_with": made_with, "texts": TEXTS, "results": [{"prompt": None, "vectors": vectors_of(encode)}]}
    (folder / "expected.json").write_text(json.dumps(document, ensure_ascii=False) + "\n")


def main():
    output = output_path("make static_fixtures", __doc__, OUTPUT)
    for folder in [output / name for name in (*MODEL2VEC, "static-embedding")]:
        shutil.rmtree(folder, ignore_errors=True)
    for name, (tokenizer, kind, config) in MODEL2VEC.items():
        made.write_model2vec(output / name, made.TOKENIZERS[tokenizer](WORDS), kind, WIDTH, SEED, **config)
        model = model2vec.StaticModel.from_pretrained(output / name)
        write_expected(output / name, {"model2vec": model2vec.__version__}, model.encode)
    folder = output / "static-embedding"
    made.write_static_embedding(folder, made.word_pieces(WORDS), WIDTH, SEED)
    write_expected(
        folder, {"tokenizers": tokenizers.__version__}, lambda text: made.static_embedding_vector(folder, text)
    )


if __name__ == "__main__":
    finish(main)
