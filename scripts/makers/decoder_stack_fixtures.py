"""More checkpoints for `make published_fixtures`: encoder-decoder classifiers, and encoders of T5."""

import json

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from makers import small_vocabularies as small
from makers.fixture_table import CLASSIFIER, ONE, THREE, TOKEN_CLASSIFIER, VOCABULARY

T5 = dict(decoder_start_token_id=0, relative_attention_num_buckets=8, relative_attention_max_distance=20)
FAMILIES = {
    "bart": ("Bart", {}),
    "mbart": ("MBart", {}),
    "t5": ("T5", T5),
    "mt5": ("MT5", T5),
    "umt5": ("UMT5", T5),
}
ENTAILMENT = dict(id2label={0: "contradiction", 1: "neutral", 2: "entailment"})
ENTAILMENT["label2id"] = {name: number for number, name in ENTAILMENT["id2label"].items()}
SMALLER = {"spread": 0.2}


def bart(d, heads, f, layers, decoder_layers, positions=40):
    return dict(
        d_model=d,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=f,
        decoder_ffn_dim=f + 1,
        encoder_layers=layers,
        decoder_layers=decoder_layers,
        max_position_embeddings=positions,
    )


def t5(d, heads, e, f, layers, decoder_layers=None):
    return dict(d_model=d, num_heads=heads, d_kv=e, d_ff=f, num_layers=layers, num_decoder_layers=decoder_layers)


# As in fixture_table.
FIXTURES = {
    "bart-entailment": ("bart", CLASSIFIER, {**bart(8, 2, 6, 1, 2), **ENTAILMENT}, {}),
    "bart-scaled-bf16": (
        "bart",
        CLASSIFIER,
        {**bart(6, 3, 7, 2, 1), "scale_embedding": True, "activation_function": "relu", **ONE},
        {"dtype": torch.bfloat16, "edit": {"decoder_start_token_id": 0, "normalize_before": False}},
    ),
    "mbart-three-labels": ("mbart", CLASSIFIER, {**bart(8, 2, 6, 2, 1), "scale_embedding": True, **THREE}, SMALLER),
    "t5-three-labels": ("t5", CLASSIFIER, {**t5(8, 2, 3, 6, 2, 1), **THREE}, SMALLER),
    "t5-gated-f16": (
        "t5",
        CLASSIFIER,
        {**t5(6, 2, 4, 7, 1), "feed_forward_proj": "gated-gelu", "num_labels": 4},
        {"dtype": torch.float16, **SMALLER},
    ),
    "t5-encoder": (
        "t5",
        "EncoderModel",
        {**t5(8, 2, 3, 6, 2), "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128},
        SMALLER,
    ),
    "t5-token-labels": ("t5", TOKEN_CLASSIFIER, {**t5(8, 2, 3, 6, 1), "num_labels": 4}, SMALLER),
    "mt5-multi-label": (
        "mt5",
        CLASSIFIER,
        {**t5(8, 2, 3, 6, 1, 2), "num_labels": 3, "problem_type": "multi_label_classification"},
        SMALLER,
    ),
    "umt5-three-labels": ("umt5", CLASSIFIER, {**t5(8, 2, 3, 6, 2, 2), **THREE}, SMALLER),
}


def unigram(specials, unknown, single, pair, normalizer=None):
    """Texts in pieces, with templates of special tokens around them."""
    pieces = [*((token, 0.0) for token in specials), *small.PIECES.items()]
    pieces += [(word, -20.0) for word in small.filled([], VOCABULARY - len(pieces))]
    ids = {piece: number for number, (piece, _) in enumerate(pieces)}
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=ids[unknown]))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    used = [(token, ids[token]) for token in specials if token in single]
    tokenizer.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=used)
    tokenizer.add_special_tokens(specials)
    return json.loads(tokenizer.to_str())


T5_FILES = {
    "tokenizer.json": unigram(
        ["<pad>", "</s>", "<unk>", "<extra_id_1>", "<extra_id_0>"],
        "<unk>",
        "$A </s>",
        "$A </s> $B </s>",
        normalizers.NFKC(),
    ),
    "tokenizer_config.json": small.AS_GIVEN,
}
TOKENIZERS = {
    "bart-entailment": small.roberta_files(VOCABULARY),
    "mbart-three-labels": {
        "tokenizer.json": unigram(
            ["<s>", "<pad>", "</s>", "<unk>", "en_XX", "de_DE"], "<unk>", "$A </s> en_XX", "$A $B </s> en_XX"
        ),
        "tokenizer_config.json": small.AS_GIVEN,
    },
    "t5-three-labels": T5_FILES,
    "t5-encoder": T5_FILES,
    "umt5-three-labels": T5_FILES,
}


def end_of(config):
    """What ends a text: the end token, and for mBART its language."""
    if config.model_type in ("bart", "mbart"):
        return [2] if config.model_type == "bart" else [2, 4]
    return [1] if config.model_type in FAMILIES else []


def attention_of(out):
    """Of the encoder, then of each layer of the decoder: its own, and that to the encoder."""
    pairs = zip(out.decoder_attentions, out.cross_attentions, strict=True)
    return [*out.encoder_attentions, *(layer for pair in pairs for layer in pair)]


def hidden_of(out):
    """As attention_of(). The reference has those between the two of a layer not, and the last ones after their norm."""
    decoder = [vectors for layer in out.decoder_hidden_states[1:-1] for vectors in (None, layer)]
    return [*out.encoder_hidden_states[:-1], None, *decoder, None, None]
