"""More checkpoints for `make published_fixtures`: encoders after the first families."""

import zlib

import torch

from makers import small_vocabularies as small
from makers.fixture_table import ALBERT_SPECIALS, CLASSIFIER, ONE, THREE, VOCABULARY, sizes

FAMILIES = {
    "ernie": ("Ernie", dict(type_vocab_size=2)),
    "data2vec-text": ("Data2VecText", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "roberta-prelayernorm": ("RobertaPreLayerNorm", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "xlm-roberta-xl": ("XLMRobertaXL", {}),
    "rembert": ("RemBert", {}),
}

# As in fixture_table. Without norms after each layer, vectors grow and rounding shows: `spread` makes the weights of
# linear layers smaller.
SMALLER = {"spread": 0.2}
FIXTURES = {
    "ernie-three-labels": ("ernie", CLASSIFIER, {**sizes(6, 2, 8, 2), **THREE}, {}),
    "ernie-tasks-bf16": (
        "ernie",
        CLASSIFIER,
        {**sizes(10, 2, 9, 2), "use_task_id": True, "task_type_vocab_size": 4, "hidden_act": "relu", **ONE},
        {"dtype": torch.bfloat16},
    ),
    "ernie-model-shards": (
        "ernie",
        "Model",
        {**sizes(12, 3, 10, 2), "use_task_id": True, "type_vocab_size": 4},
        {"shard": 4000},
    ),
    "data2vec-text-three-labels": ("data2vec-text", CLASSIFIER, {**sizes(6, 2, 8, 2), **THREE}, {}),
    "data2vec-text-pad-3-f16": (
        "data2vec-text",
        CLASSIFIER,
        {**sizes(10, 5, 12, 2), "type_vocab_size": 2, "pad_token_id": 3, "num_labels": 4},
        {"dtype": torch.float16},
    ),
    "data2vec-text-model": ("data2vec-text", "Model", sizes(12, 4, 10, 2), {}),
    "roberta-prelayernorm-three-labels": ("roberta-prelayernorm", CLASSIFIER, {**sizes(6, 2, 8, 2), **THREE}, SMALLER),
    "roberta-prelayernorm-pad-3-bf16": (
        "roberta-prelayernorm",
        CLASSIFIER,
        {**sizes(14, 2, 12, 2), "type_vocab_size": 2, "pad_token_id": 3, "hidden_act": "gelu_new", **ONE},
        {"dtype": torch.bfloat16, **SMALLER},
    ),
    "roberta-prelayernorm-masked-lm": ("roberta-prelayernorm", "ForMaskedLM", sizes(12, 4, 10, 2), SMALLER),
    "xlm-roberta-xl-three-labels": ("xlm-roberta-xl", CLASSIFIER, {**sizes(6, 2, 8, 2), **THREE}, SMALLER),
    "xlm-roberta-xl-model-f16": ("xlm-roberta-xl", "Model", sizes(10, 5, 12, 2), {"dtype": torch.float16, **SMALLER}),
    "rembert-three-labels": ("rembert", CLASSIFIER, {**sizes(6, 2, 8, 2), "input_embedding_size": 4, **THREE}, {}),
    "rembert-one-width-f16": (
        "rembert",
        CLASSIFIER,
        {**sizes(10, 2, 12, 2), "input_embedding_size": 10, "hidden_act": "relu", "num_labels": 4},
        {"dtype": torch.float16},
    ),
    "rembert-model": ("rembert", "Model", {**sizes(8, 2, 12, 1), "input_embedding_size": 11}, {}),
}

UNIGRAM = {"tokenizer.json": small.unigram_json(VOCABULARY), "tokenizer_config.json": small.AS_GIVEN}
TOKENIZERS = {
    "ernie-three-labels": small.bert_files(VOCABULARY),
    "data2vec-text-three-labels": small.roberta_files(VOCABULARY),
    "roberta-prelayernorm-three-labels": small.roberta_files(VOCABULARY),
    "xlm-roberta-xl-three-labels": UNIGRAM,
    "rembert-three-labels": {
        "tokenizer.json": small.unigram_json(VOCABULARY, ALBERT_SPECIALS, "[MASK]", segments=True),
        "tokenizer_config.json": small.AS_GIVEN,
    },
}


def number_of(name):
    """For its seed: a number that does not depend on the place in the table."""
    return zlib.crc32(name.encode()) % 100_000
