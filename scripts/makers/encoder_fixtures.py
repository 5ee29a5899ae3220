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
    "nomic-bert": ("NomicBert", {}),
    "gte": ("Gte", {}),
    "jina-embeddings-v3": ("JinaEmbeddingsV3", {}),
    "eurobert": ("EuroBert", dict(pad_token_id=1)),
    "roformer": ("RoFormer", {}),
}

# As in fixture_table. Without norms after each layer, vectors grow and rounding shows: `spread` makes the weights of
# linear layers smaller.
SMALLER = {"spread": 0.2}
CLASSES = {"classes": True}  # the names of the reference's classes instead of those on the Hub
LLAMA3 = dict(
    rope_type="llama3",
    rope_theta=100.0,
    factor=4.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_position_embeddings=24,
)
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
    "nomic-bert-three-labels": ("nomic-bert", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, {}),
    "nomic-bert-classes-f16": (
        "nomic-bert",
        CLASSIFIER,
        {
            **sizes(10, 2, 9, 2),
            "head_dim": 6,
            "type_vocab_size": 3,
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-5,
            "rope_parameters": dict(rope_type="linear", factor=2.5, rope_theta=50.0),
            **ONE,
        },
        {"dtype": torch.float16, **CLASSES},
    ),
    "nomic-bert-old-config": (
        "nomic-bert",
        CLASSIFIER,
        {**sizes(12, 3, 10, 1), "type_vocab_size": 1, "num_labels": 4},
        {
            "edit": {
                "activation_function": "swiglu",
                "auto_map": {"AutoModel": "modeling_hf_nomic_bert.NomicBertModel"},
                "causal": False,
                "head_dim": None,
                "layer_norm_epsilon": 1e-12,
                "mlp_fc1_bias": False,
                "n_embd": 12,
                "n_head": 3,
                "n_inner": 10,
                "n_layer": 1,
                "prenorm": False,
                "rope_parameters": None,
                "rotary_emb_base": 1000,
                "rotary_emb_fraction": 1.0,
                "rotary_emb_interleaved": False,
            }
        },
    ),
    "nomic-bert-model-shards": ("nomic-bert", "Model", sizes(12, 2, 8, 2), {"shard": 3000}),
    "nomic-bert-masked-lm-classes": ("nomic-bert", "ForMaskedLM", sizes(8, 1, 6, 1), CLASSES),
    "gte-three-labels": ("gte", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, {}),
    "gte-classes-bf16": (
        "gte",
        CLASSIFIER,
        {**sizes(12, 3, 9, 2), "type_vocab_size": 2, "hidden_act": "silu", **ONE},
        {"dtype": torch.bfloat16, "edit": {"rope_parameters": None, "rope_theta": 300.0}, **CLASSES},
    ),
    "gte-new": (
        "gte",
        CLASSIFIER,
        {**sizes(8, 1, 10, 2), "type_vocab_size": 0, "rope_parameters": LLAMA3, "num_labels": 4},
        {
            "rename": {"gte.": "new."},
            "edit": {"position_embedding_type": "rope", "layer_norm_type": "layer_norm", "pack_qkv": True},
        },
    ),
    "gte-model-f16": ("gte", "Model", sizes(12, 2, 8, 2), {"dtype": torch.float16}),
    "jina-embeddings-v3-three-labels": ("jina-embeddings-v3", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, {}),
    "jina-embeddings-v3-classes-bf16": (
        "jina-embeddings-v3",
        CLASSIFIER,
        {**sizes(12, 3, 9, 2), "type_vocab_size": 2, "hidden_act": "relu", "layer_norm_eps": 1e-3, **ONE},
        {"dtype": torch.bfloat16, **CLASSES},
    ),
    "jina-embeddings-v3-model-shards": ("jina-embeddings-v3", "Model", sizes(12, 2, 8, 2), {"shard": 3000}),
    "eurobert-late": ("eurobert", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, SMALLER),
    "eurobert-mean-bf16": (
        "eurobert",
        CLASSIFIER,
        {
            **sizes(12, 4, 10, 2),
            "num_key_value_heads": 2,
            "head_dim": 4,
            "attention_bias": True,
            "mlp_bias": True,
            "hidden_act": "gelu",
            "classifier_pooling": "mean",
            **ONE,
        },
        {"dtype": torch.bfloat16, **SMALLER},
    ),
    "eurobert-bos-old-config": (
        "eurobert",
        CLASSIFIER,
        {**sizes(12, 3, 8, 2), "num_key_value_heads": 1, "classifier_pooling": "bos", "num_labels": 4},
        {
            "edit": {
                "auto_map": {"AutoModel": "modeling_eurobert.EuroBertModel"},
                "clf_pooling": "bos",
                "rope_parameters": None,
                "rope_scaling": {"type": "linear", "factor": 2.0},
                "rope_theta": 250.0,
            },
            **SMALLER,
        },
    ),
    "eurobert-model": ("eurobert", "Model", sizes(8, 2, 6, 1), SMALLER),
    "roformer-narrow": (
        "roformer",
        CLASSIFIER,
        {**sizes(12, 2, 8, 2), "embedding_size": 5, **THREE},
        {},
    ),
    "roformer-one-width-f16": (
        "roformer",
        CLASSIFIER,
        {**sizes(12, 3, 8, 2), "type_vocab_size": 1, "hidden_act": "relu", **ONE},
        {"dtype": torch.float16},
    ),
    "roformer-model": ("roformer", "Model", sizes(8, 1, 8, 2), {}),
}

UNIGRAM = {"tokenizer.json": small.unigram_json(VOCABULARY), "tokenizer_config.json": small.AS_GIVEN}
TOKENIZERS = {
    "ernie-three-labels": small.bert_files(VOCABULARY),
    "data2vec-text-three-labels": small.roberta_files(VOCABULARY),
    "roberta-prelayernorm-three-labels": small.roberta_files(VOCABULARY),
    "xlm-roberta-xl-three-labels": UNIGRAM,
    "nomic-bert-three-labels": small.bert_files(VOCABULARY),
    "gte-three-labels": UNIGRAM,
    "jina-embeddings-v3-three-labels": UNIGRAM,
    "eurobert-late": UNIGRAM,
    "rembert-three-labels": {
        "tokenizer.json": small.unigram_json(VOCABULARY, ALBERT_SPECIALS, "[MASK]", segments=True),
        "tokenizer_config.json": small.AS_GIVEN,
    },
}


def number_of(name):
    """For its seed: a number that does not depend on the place in the table."""
    return zlib.crc32(name.encode()) % 100_000
