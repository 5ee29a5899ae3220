"""More checkpoints for `make published_fixtures`: ModernBERT, and decoders with a classification head."""

import torch

from makers import decoder_vocabularies as vocabularies
from makers.fixture_table import CLASSIFIER, ONE, THREE, TOKEN_CLASSIFIER, sizes

SPECIALS = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
LABELS = dict(cls_token_id=1, sep_token_id=2, local_attention=6)
NO_PAD = dict(pad_token_id=None, bos_token_id=1, eos_token_id=2)

FAMILIES = {
    "modernbert": ("ModernBert", {**SPECIALS, **LABELS}),
    "modernbert-decoder": ("ModernBertDecoder", {**SPECIALS, **LABELS}),
    "gpt2": ("GPT2", NO_PAD),
    "llama": ("Llama", NO_PAD),
    "qwen2": ("Qwen2", {**NO_PAD, "num_key_value_heads": None}),
    "qwen3": ("Qwen3", {**NO_PAD, "num_key_value_heads": None}),
    "gemma3-text": ("Gemma3Text", SPECIALS),
    "mistral": ("Mistral", NO_PAD),
    "gemma": ("Gemma", SPECIALS),
}
HALF = {"dtype": torch.float16}
BRAIN = {"dtype": torch.bfloat16}


def gpt(d, heads, layers, f=None):
    return dict(n_embd=d, n_head=heads, n_layer=layers, n_inner=f, n_positions=24)


def shared(d, heads, f, layers, keys, head_dim=None):
    """Sizes of a decoder whose heads share keys."""
    own = {} if head_dim is None else {"head_dim": head_dim}
    return {**sizes(d, heads, f, layers), "num_key_value_heads": keys, **own}


# The fields of a config on the Hub instead of those that release 5 saves.
HUB_MODERNBERT = {
    "drop": ["layer_types", "rope_parameters", "local_attention"],
    "edit": {
        "global_attn_every_n_layers": 2,
        "local_attention": 7,
        "global_rope_theta": 90.0,
        "local_rope_theta": 5,
        "position_embedding_type": "absolute",
        "reference_compile": True,
    },
}
LLAMA3 = {
    "factor": 4.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 40,
}

# As in fixture_table.
FIXTURES = {
    "modernbert-three-labels": ("modernbert", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, {}),
    "modernbert-mean-biases-bf16": (
        "modernbert",
        CLASSIFIER,
        {
            **sizes(8, 2, 10, 3),
            **ONE,
            "classifier_pooling": "mean",
            "norm_bias": True,
            "attention_bias": True,
            "mlp_bias": True,
            "classifier_bias": True,
            "classifier_activation": "silu",
            "hidden_activation": "gelu_pytorch_tanh",
            "norm_eps": 1e-2,
            "local_attention": 3,
        },
        BRAIN,
    ),
    "modernbert-hub-names": (
        "modernbert",
        CLASSIFIER,
        {**sizes(8, 1, 6, 3), "num_labels": 4, "problem_type": "multi_label_classification"},
        {**HUB_MODERNBERT, "extra": {"model.layers.0.attn_norm.weight": torch.ones(8)}},
    ),
    "modernbert-layer-types-shards": (
        "modernbert",
        CLASSIFIER,
        {
            **sizes(8, 2, 8, 3),
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 3.0, "rope_theta": 70.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 9.0},
            },
        },
        {"shard": 2000},
    ),
    "modernbert-masked-lm": ("modernbert", "ForMaskedLM", sizes(8, 2, 6, 2), {}),
    "modernbert-model-f16": ("modernbert", "Model", sizes(12, 2, 7, 2), HALF),
    "modernbert-decoder-three-labels": ("modernbert-decoder", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, {}),
    "modernbert-decoder-biases-bf16": (
        "modernbert-decoder",
        CLASSIFIER,
        {
            **sizes(8, 2, 10, 3),
            **ONE,
            "norm_bias": True,
            "attention_bias": True,
            "mlp_bias": True,
            "classifier_bias": True,
            "classifier_activation": "relu",
        },
        BRAIN,
    ),
    "modernbert-decoder-hub-names": (
        "modernbert-decoder",
        CLASSIFIER,
        sizes(8, 2, 6, 3),
        {**HUB_MODERNBERT, "drop": [*HUB_MODERNBERT["drop"], "sliding_window"]},
    ),
    "modernbert-decoder-sliding-window": (
        "modernbert-decoder",
        CLASSIFIER,
        {**sizes(8, 2, 6, 2), "sliding_window": 2},
        {},
    ),
    "gpt2-three-labels": ("gpt2", CLASSIFIER, {**gpt(8, 2, 2), **THREE}, {}),
    "gpt2-scales-f16": (
        "gpt2",
        CLASSIFIER,
        {
            **gpt(10, 2, 3, 7),
            "pad_token_id": 3,
            "num_labels": 4,
            "problem_type": "multi_label_classification",
            "scale_attn_weights": False,
            "scale_attn_by_inverse_layer_idx": True,
            "reorder_and_upcast_attn": True,
            "activation_function": "relu",
            "layer_norm_epsilon": 1e-3,
        },
        HALF,
    ),
    "gpt2-layer-scales-bf16": (
        "gpt2",
        CLASSIFIER,
        {**gpt(8, 2, 3), **ONE, "pad_token_id": 3, "scale_attn_by_inverse_layer_idx": True},
        BRAIN,
    ),
    "gpt2-old-language-model": (
        "gpt2",
        "LMHeadModel",
        gpt(8, 2, 2),
        {
            "rename": {"transformer.": ""},
            "extra": {
                "h.0.attn.bias": torch.ones(1, 1, 24, 24, dtype=torch.bool),
                "h.0.attn.masked_bias": torch.tensor(-1e4),
            },
        },
    ),
    "llama-three-labels": ("llama", CLASSIFIER, {**sizes(8, 2, 6, 2), **THREE}, {}),
    "llama-llama3-biases": (
        "llama",
        CLASSIFIER,
        {
            **shared(12, 4, 10, 2, 2, 6),
            **ONE,
            "pad_token_id": 3,
            "attention_bias": True,
            "mlp_bias": True,
            "hidden_act": "gelu",
            "rms_norm_eps": 1e-2,
            "rope_parameters": {"rope_type": "llama3", "rope_theta": 500.0, **LLAMA3},
        },
        {},
    ),
    "llama-hub-linear-bf16": (
        "llama",
        CLASSIFIER,
        {**shared(8, 4, 10, 2, 1), "pad_token_id": 3},
        {
            **BRAIN,
            "drop": ["rope_parameters", "head_dim"],
            "edit": {"rope_theta": 50.0, "rope_scaling": {"type": "linear", "factor": 2}, "pretraining_tp": 1},
            "extra": {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(1)},
        },
    ),
    "llama-language-model": ("llama", "ForCausalLM", shared(8, 2, 6, 2, 1), {}),
    "qwen2-three-labels": ("qwen2", CLASSIFIER, {**shared(8, 2, 6, 2, 1), **THREE}, {}),
    "qwen2-hub-window-f16": (
        "qwen2",
        CLASSIFIER,
        {
            **shared(8, 2, 6, 3, 1),
            "pad_token_id": 3,
            "use_sliding_window": True,
            "sliding_window": 3,
            "max_window_layers": 1,
        },
        {**HALF, "drop": ["rope_parameters", "layer_types"], "edit": {"rope_theta": 1000.0, "rope_scaling": None}},
    ),
    "qwen3-three-labels": ("qwen3", CLASSIFIER, {**shared(6, 2, 6, 2, 1, 4), **THREE}, {}),
    "qwen3-biases-types-bf16": (
        "qwen3",
        CLASSIFIER,
        {
            **shared(9, 2, 6, 3, 2, 4),
            **ONE,
            "pad_token_id": 3,
            "attention_bias": True,
            "use_sliding_window": True,
            "sliding_window": 4,
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": {"rope_type": "default", "rope_theta": 30.0},
        },
        BRAIN,
    ),
    "modernbert-token-labels": (
        "modernbert",
        TOKEN_CLASSIFIER,
        {**sizes(8, 2, 6, 2), **THREE, "classifier_bias": True},
        {},
    ),
    "gpt2-token-labels": ("gpt2", TOKEN_CLASSIFIER, {**gpt(8, 2, 1), **THREE, "pad_token_id": 3}, {}),
    "llama-token-labels": ("llama", TOKEN_CLASSIFIER, {**shared(8, 2, 6, 1, 1), **THREE, "pad_token_id": 3}, {}),
    "qwen2-token-labels-bf16": ("qwen2", TOKEN_CLASSIFIER, {**shared(8, 2, 6, 1, 1), **THREE}, BRAIN),
    "qwen3-token-labels-without-bias": (
        "qwen3",
        TOKEN_CLASSIFIER,
        {**shared(8, 2, 6, 1, 1, 6), **THREE, "token_classification_bias": False},
        {},
    ),
    "gemma3-text-three-labels": (
        "gemma3-text",
        CLASSIFIER,
        {
            **shared(8, 2, 6, 2, 1, 6),
            **THREE,
            "sliding_window": 4,
            "query_pre_attn_scalar": 20,
            "layer_types": ["sliding_attention", "full_attention"],
        },
        {},
    ),
    "gemma3-text-hub-names-bf16": (
        "gemma3-text",
        CLASSIFIER,
        {**shared(8, 2, 6, 4, 1, 4), "sliding_window": 3, "attn_logit_softcapping": 2.0},
        {
            **BRAIN,
            "drop": ["rope_parameters", "layer_types"],
            "edit": {
                "sliding_window_pattern": 2,
                "rope_theta": 900.0,
                "rope_local_base_freq": 8.0,
                "rope_scaling": {"rope_type": "linear", "factor": 8.0},
            },
        },
    ),
    "gemma3-text-bidirectional": (
        "gemma3-text",
        CLASSIFIER,
        {
            **shared(8, 2, 6, 2, 2, 4),
            **ONE,
            "sliding_window": 4,
            "attention_bias": True,
            "use_bidirectional_attention": True,
            "layer_types": ["sliding_attention", "full_attention"],
        },
        {},
    ),
    "mistral-three-labels": (
        "mistral",
        CLASSIFIER,
        {**shared(8, 2, 6, 2, 1, 6), **THREE, "sliding_window": 4},
        {},
    ),
    "mistral-hub-without-window-bf16": (
        "mistral",
        CLASSIFIER,
        {**shared(8, 4, 6, 2, 2), **ONE, "sliding_window": None, "pad_token_id": 3},
        {**BRAIN, "drop": ["rope_parameters"], "edit": {"rope_theta": 40.0}},
    ),
    "mistral-token-labels": ("mistral", TOKEN_CLASSIFIER, {**shared(8, 2, 6, 1, 1), **THREE, "sliding_window": 3}, {}),
    "gemma-three-labels": ("gemma", CLASSIFIER, {**shared(8, 2, 6, 2, 1, 6), **THREE}, {}),
    "gemma-hub-names-bf16": (
        "gemma",
        CLASSIFIER,
        {**shared(8, 2, 6, 3, 2, 4), **ONE},
        {**BRAIN, "drop": ["rope_parameters"], "edit": {"hidden_act": "gelu", "rope_theta": 60.0}},
    ),
    "gemma-language-model-f16": ("gemma", "ForCausalLM", shared(8, 2, 6, 1, 2, 4), HALF),
    "gemma3-text-model-f16": ("gemma3-text", "Model", {**shared(8, 2, 6, 1, 2, 4), "sliding_window": 4}, HALF),
}

TOKENIZERS = {
    "modernbert-three-labels": vocabularies.modernbert_files(),
    "modernbert-decoder-three-labels": vocabularies.modernbert_files(),
    "gpt2-three-labels": vocabularies.gpt2_files(),
    "llama-three-labels": vocabularies.llama_files(),
    "qwen2-three-labels": vocabularies.qwen_files(),
    "qwen3-three-labels": vocabularies.qwen_files(with_end=True),
    "gemma3-text-three-labels": vocabularies.gemma_files(),
    "mistral-three-labels": vocabularies.llama_files(),
    "gemma-three-labels": vocabularies.gemma_files(),
}
