"""The checkpoints that `make published_fixtures` writes."""

import torch

from makers import small_vocabularies as small

VOCABULARY = 50

FAMILIES = {
    "bert": ("Bert", dict(type_vocab_size=2)),
    "distilbert": ("DistilBert", {}),
    "roberta": ("Roberta", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "xlm-roberta": ("XLMRoberta", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "camembert": ("Camembert", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "electra": ("Electra", dict(type_vocab_size=2)),
    "albert": ("Albert", dict(type_vocab_size=2)),
    "mpnet": ("MPNet", {}),
    "deberta": ("Deberta", {}),
    "deberta-v2": ("DebertaV2", {}),
}


def sizes(d, heads, f, layers, positions=24):
    return dict(
        hidden_size=d,
        num_attention_heads=heads,
        intermediate_size=f,
        num_hidden_layers=layers,
        max_position_embeddings=positions,
    )


def distil(d, heads, f, layers, positions=24):
    return dict(dim=d, n_heads=heads, hidden_dim=f, n_layers=layers, max_position_embeddings=positions)


BOTH = dict(relative_attention=True, pos_att_type="p2c|c2p")
BUCKETS = dict(position_buckets=6, max_relative_positions=12)
CLASSIFIER = "ForSequenceClassification"
TOKEN_CLASSIFIER = "ForTokenClassification"
THREE = dict(id2label={0: "no", 1: "maybe", 2: "yes"}, label2id={"no": 0, "maybe": 1, "yes": 2})
ONE = dict(num_labels=1)
NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
FIVE = dict(id2label=dict(enumerate(NAMES)), label2id={name: i for i, name in enumerate(NAMES)})

# Name: family, class, config, and how the files differ from what save_pretrained writes:
# dtype, shard (bytes of one), edit (of the config), rename (of the tensors), extra (tensors), seed (else by its place).
FIXTURES = {
    "bert-three-labels": ("bert", CLASSIFIER, {**sizes(15, 3, 22, 2), **THREE}, {}),
    "bert-multi-label-shards": (
        "bert",
        CLASSIFIER,
        {
            **sizes(10, 1, 9, 2),
            "type_vocab_size": 16,
            "hidden_act": "relu",
            "num_labels": 5,
            "problem_type": "multi_label_classification",
        },
        {"shard": 4000},
    ),
    "bert-regression-f16": (
        "bert",
        CLASSIFIER,
        {**sizes(12, 2, 17, 1), "type_vocab_size": 1, "hidden_act": "gelu_new", "problem_type": "regression", **ONE},
        {"dtype": torch.float16},
    ),
    "bert-reranker-bf16": (
        "bert",
        CLASSIFIER,
        {**sizes(6, 3, 24, 3), **ONE, "sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}},
        {"dtype": torch.bfloat16},
    ),
    "bert-old": (
        "bert",
        CLASSIFIER,
        sizes(14, 7, 20, 2),
        {
            "rename": {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"},
            "edit": {
                "position_embedding_type": "absolute",
                "gradient_checkpointing": False,
                "hidden_act": "gelu_python",
            },
            "extra": {
                "bert.embeddings.position_ids": torch.arange(24).reshape(1, 24),
                "cls.predictions.bias": torch.ones(50),
            },
        },
    ),
    "bert-bare-names": (
        "bert",
        CLASSIFIER,
        {**sizes(9, 3, 12, 2), "layer_norm_eps": 1e-3},
        {"rename": {"bert.": ""}, "edit": {"architectures": None}},
    ),
    "bert-model": ("bert", "Model", sizes(20, 5, 11, 2), {}),
    "bert-masked-lm": ("bert", "ForMaskedLM", sizes(12, 3, 16, 1), {}),
    "distilbert-three-labels": ("distilbert", CLASSIFIER, {**distil(15, 5, 22, 2), **THREE}, {}),
    "distilbert-multi-label-bf16": (
        "distilbert",
        CLASSIFIER,
        {
            **distil(12, 3, 7, 1),
            "activation": "relu",
            "num_labels": 4,
            "sinusoidal_pos_embds": True,
            "problem_type": "multi_label_classification",
        },
        {"dtype": torch.bfloat16},
    ),
    "distilbert-other-names": (
        "distilbert",
        CLASSIFIER,
        {**distil(10, 2, 13, 3), **ONE},
        {
            "drop": ["dim", "n_heads", "n_layers"],
            "edit": {"hidden_size": 10, "num_attention_heads": 2, "num_hidden_layers": 3},
        },
    ),
    "distilbert-model": ("distilbert", "Model", distil(8, 1, 9, 2), {}),
    "roberta-three-labels": ("roberta", CLASSIFIER, {**sizes(15, 3, 22, 2), **THREE}, {}),
    "roberta-pad-3-f16": (
        "roberta",
        CLASSIFIER,
        {**sizes(10, 5, 12, 2), "type_vocab_size": 2, "pad_token_id": 3, "hidden_act": "silu", "num_labels": 4},
        {"dtype": torch.float16},
    ),
    "roberta-model": ("roberta", "Model", sizes(12, 4, 10, 2), {}),
    "xlm-roberta-regression": (
        "xlm-roberta",
        CLASSIFIER,
        {**sizes(9, 3, 14, 2), "problem_type": "regression", **ONE},
        {},
    ),
    "camembert-two-labels": ("camembert", CLASSIFIER, sizes(14, 2, 15, 2), {}),
    "electra-narrow": ("electra", CLASSIFIER, {**sizes(15, 5, 22, 2), "embedding_size": 7, **THREE}, {}),
    "electra-wide-bf16": (
        "electra",
        CLASSIFIER,
        {**sizes(9, 3, 10, 1), "embedding_size": 13, "hidden_act": "relu", **ONE},
        {"dtype": torch.bfloat16},
    ),
    "electra-one-width": (
        "electra",
        CLASSIFIER,
        {**sizes(10, 1, 12, 2), "embedding_size": 10, "problem_type": "multi_label_classification", "num_labels": 3},
        {},
    ),
    "electra-discriminator": ("electra", "ForPreTraining", {**sizes(8, 2, 12, 2), "embedding_size": 6}, {}),
    "albert-one-group": ("albert", CLASSIFIER, {**sizes(15, 3, 22, 3), "embedding_size": 7, **THREE}, {}),
    "albert-groups": (
        "albert",
        CLASSIFIER,
        {
            **sizes(12, 2, 9, 5),
            "embedding_size": 12,
            "num_hidden_groups": 3,
            "inner_group_num": 2,
            "hidden_act": "gelu",
        },
        {"shard": 3000},
    ),
    "albert-masked-lm": ("albert", "ForMaskedLM", {**sizes(10, 5, 14, 2), "embedding_size": 6}, {}),
    "albert-model-f16": (
        "albert",
        "Model",
        {**sizes(8, 1, 12, 2), "embedding_size": 5, "inner_group_num": 2},
        {"dtype": torch.float16},
    ),
    "mpnet-three-labels": ("mpnet", CLASSIFIER, {**sizes(15, 3, 22, 2, 40), **THREE}, {}),
    "mpnet-more-buckets": (
        "mpnet",
        CLASSIFIER,
        {**sizes(10, 2, 12, 1, 40), "relative_attention_num_buckets": 37, "pad_token_id": 5, "num_labels": 4},
        {},
    ),
    "mpnet-model-f16": ("mpnet", "Model", sizes(9, 3, 8, 2, 40), {"dtype": torch.float16}),
    # Relative positions of 7: texts of 13 tokens have distances beyond them.
    "deberta-three-labels": (
        "deberta",
        CLASSIFIER,
        {**sizes(15, 3, 22, 2, 40), **THREE, **BOTH, "max_relative_positions": 7, "type_vocab_size": 2},
        {},
    ),
    "deberta-absolute-f16": (
        "deberta",
        CLASSIFIER,
        {**sizes(10, 2, 12, 1), "pos_att_type": "p2c|c2p", "problem_type": "regression", **ONE},
        {"dtype": torch.float16},
    ),
    "deberta-p2c-model": (
        "deberta",
        "Model",
        {**sizes(10, 2, 12, 2), "relative_attention": True, "pos_att_type": ["p2c"], "layer_norm_eps": 1e-3},
        {},
    ),
    "deberta-v2-three-labels": (
        "deberta-v2",
        CLASSIFIER,
        {
            **sizes(15, 3, 22, 2, 40),
            **THREE,
            **BOTH,
            **BUCKETS,
            "share_att_key": True,
            "norm_rel_ebd": "layer_norm",
            "position_biased_input": False,
        },
        {},
    ),
    "deberta-v2-convolution": (
        "deberta-v2",
        CLASSIFIER,
        {
            **sizes(12, 2, 9, 3),
            **BOTH,
            **BUCKETS,
            "norm_rel_ebd": "layer_norm",
            "conv_kernel_size": 3,
            "conv_groups": 3,
            "conv_act": "gelu",
            "type_vocab_size": 2,
            "embedding_size": 9,
            "pooler_hidden_act": "relu",
            "num_labels": 5,
            "problem_type": "multi_label_classification",
        },
        {"shard": 8000},
    ),
    "deberta-v2-one-layer-bf16": (
        "deberta-v2",
        CLASSIFIER,
        {
            **sizes(8, 4, 10, 1),
            "relative_attention": True,
            "pos_att_type": ["c2p"],
            "max_relative_positions": 4,
            "conv_kernel_size": 5,
            **ONE,
        },
        {"dtype": torch.bfloat16},
    ),
    "deberta-v2-p2c": (
        "deberta-v2",
        CLASSIFIER,
        {
            **sizes(9, 3, 12, 2),
            "relative_attention": True,
            "pos_att_type": ["p2c"],
            "position_buckets": 4,
            "type_vocab_size": 3,
        },
        {"rename": {"deberta.": ""}, "edit": {"architectures": None}},
    ),
    "deberta-v2-absolute": ("deberta-v2", "ForMaskedLM", {**sizes(10, 5, 12, 2), "pos_att_type": "c2p"}, {}),
    "bert-token-labels": ("bert", TOKEN_CLASSIFIER, {**sizes(15, 3, 22, 2), **FIVE}, {"seed": 1}),
    "distilbert-token-labels-bf16": (
        "distilbert",
        TOKEN_CLASSIFIER,
        {**distil(10, 2, 13, 1), "num_labels": 4},
        {"seed": 2, "dtype": torch.bfloat16},
    ),
    "roberta-token-labels": ("roberta", TOKEN_CLASSIFIER, {**sizes(12, 3, 14, 2), **FIVE}, {"seed": 3}),
    "xlm-roberta-token-labels": ("xlm-roberta", TOKEN_CLASSIFIER, {**sizes(10, 2, 12, 1), **FIVE}, {"seed": 4}),
    "camembert-token-labels": ("camembert", TOKEN_CLASSIFIER, {**sizes(9, 3, 11, 1), **ONE}, {"seed": 5}),
    "electra-token-labels": (
        "electra",
        TOKEN_CLASSIFIER,
        {**sizes(12, 3, 14, 1), "embedding_size": 7, "num_labels": 3, "problem_type": "multi_label_classification"},
        {"seed": 6},
    ),
    "albert-token-labels": (
        "albert",
        TOKEN_CLASSIFIER,
        {**sizes(12, 2, 9, 2), "embedding_size": 7, **FIVE},
        {"seed": 7},
    ),
    "mpnet-token-labels": ("mpnet", TOKEN_CLASSIFIER, {**sizes(10, 2, 12, 1, 40), **FIVE}, {"seed": 8}),
}


DEBERTA_SPECIALS = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
ALBERT_SPECIALS = ("[CLS]", "<pad>", "[SEP]", "<unk>")
# The folders that have a tokenizer too, and the files that make it.
TOKENIZERS = {
    "bert-three-labels": small.bert_files(VOCABULARY),
    "distilbert-three-labels": small.bert_files(VOCABULARY),
    "electra-narrow": small.bert_files(VOCABULARY),
    "mpnet-three-labels": small.mpnet_files(VOCABULARY),
    "roberta-three-labels": small.roberta_files(VOCABULARY),
    "bert-token-labels": small.bert_files(VOCABULARY),
    "roberta-token-labels": small.roberta_files(VOCABULARY),
    "xlm-roberta-token-labels": {
        "tokenizer.json": small.unigram_json(VOCABULARY),
        "tokenizer_config.json": small.AS_GIVEN,
    },
    "xlm-roberta-regression": {
        "tokenizer.json": small.unigram_json(VOCABULARY),
        "tokenizer_config.json": small.AS_GIVEN,
    },
    "camembert-two-labels": {"tokenizer.json": small.unigram_json(VOCABULARY), "tokenizer_config.json": small.AS_GIVEN},
    "albert-one-group": {
        "tokenizer.json": small.unigram_json(VOCABULARY, ALBERT_SPECIALS, "[MASK]", segments=True),
        "tokenizer_config.json": small.AS_GIVEN,
    },
    "deberta-three-labels": small.deberta_files(VOCABULARY),
    "deberta-v2-three-labels": {
        "tokenizer.json": small.unigram_json(VOCABULARY, DEBERTA_SPECIALS, "[MASK]", segments=True),
        "tokenizer_config.json": small.AS_GIVEN,
    },
}
