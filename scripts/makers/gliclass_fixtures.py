"""Writes tests/golden/gliclass: tiny random GLiClass checkpoints, and what the reference makes of texts and labels.

    scripts/make gliclass_fixtures [-o FOLDER]

Each folder is a checkpoint as `save_pretrained` of the package gliclass writes it, with its tokenizer, beside
expected.json: for each text and list of labels the ids that the reference's pipeline gives the model, and the logits
and scores (float32, one text at a time, so without padding). Weights are random and large, biases and norms too, so
that one in the wrong place shows.
"""

import json
import os
import shutil

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import gliclass
import torch
import transformers
from gliclass.pipeline import UniEncoderZeroShotClassificationPipeline

from common.command_line import finish, output_path
from common.program import ROOT
from makers import small_vocabularies as small
from makers.fixture_table import BOTH, BUCKETS, sizes
from makers.published_fixtures import write_expected

OUTPUT = ROOT / "tests/golden/gliclass"
SEED = 20262
WORDS = 40
DEBERTA_SPECIALS = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
LABELS = [
    ["a"],
    ["a", "b", "ab a"],
    {"a": ["b", "é"], "ab": {"b": ["a", "ab"]}},
    ["b,", " a ", "", "a [MASK]", "<mask>", "A", "e", "[SEP] b"],
]
TEXTS = [*small.TEXTS, "a <<LABEL>> b <<LABEL>>", "ab <<SEP>> a b", "a b ab, " * 30]


def deberta(**fields):
    """As DeBERTa-v3; a distance beyond 12 shares its embedding."""
    v3 = dict(position_biased_input=False, share_att_key=True, norm_rel_ebd="layer_norm")
    return {"model_type": "deberta-v2", **sizes(12, 2, 17, 2), **BOTH, **BUCKETS, **v3, "type_vocab_size": 0, **fields}


def modernbert(**fields):
    tokens = dict(pad_token_id=1, bos_token_id=0, eos_token_id=2, cls_token_id=0, sep_token_id=2)
    return {"model_type": "modernbert", **sizes(16, 2, 11, 4, 512), "local_attention": 8, **tokens, **fields}


# Name: encoder, fields of GLiClass, how the files are written.
FIXTURES = {
    "deberta-text-first": (deberta(), dict(prompt_first=False), {}),
    "deberta-mlp-mean-segments": (
        deberta(),
        dict(
            prompt_first=True,
            scorer_type="mlp",
            pooling_strategy="avg",
            class_token_pooling="average",
            use_segment_embeddings=True,
            problem_type="multi_label_classification",
        ),
        {"dtype": torch.bfloat16},
    ),
    "deberta-wide-projectors-max": (
        deberta(),
        dict(prompt_first=True, hidden_size=20, projector_hidden_act="relu", pooling_strategy="max"),
        {"dtype": torch.float16},
    ),
    "modernbert-labels-first": (modernbert(), dict(prompt_first=True), {}),
    "modernbert-mlp-mean": (
        modernbert(),
        dict(prompt_first=True, scorer_type="mlp", pooling_strategy="avg", layer_wise=True),
        {},
    ),
    "modernbert-last-segments": (
        modernbert(),
        dict(
            prompt_first=False,
            pooling_strategy="last",
            class_token_pooling="average",
            use_segment_embeddings=True,
        ),
        {},
    ),
}


def make_tokenizer(folder, kind):
    """Written as gliclass' train.py makes it: a published tokenizer with three more tokens."""
    if kind == "deberta-v2":
        files = {"tokenizer.json": small.unigram_json(WORDS, DEBERTA_SPECIALS, "[MASK]", segments=True)}
        specials = dict(zip(("pad_token", "cls_token", "sep_token", "unk_token"), DEBERTA_SPECIALS, strict=True))
    else:
        files = {"tokenizer.json": small.roberta_json(False)}
        specials = dict(zip(("cls_token", "pad_token", "sep_token", "unk_token"), small.BYTES, strict=False))
    small.write(folder, {**files, "tokenizer_config.json": {**small.AS_GIVEN, **specials}})
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    shutil.rmtree(folder)
    tokenizer.add_tokens(["<<LABEL>>", "<<SEP>>", "<<EXAMPLE>>"], special_tokens=True)
    return tokenizer


def make_model(tokenizer, encoder, fields):
    words = len(tokenizer)
    config = gliclass.GLiClassModelConfig(
        encoder_config={**encoder, "vocab_size": words - 3},
        encoder_model="none",
        class_token_index=words - 3,
        text_token_index=words - 2,
        example_token_index=words - 1,
        vocab_size=words,
        **fields,
    )
    model = gliclass.GLiClassModel(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            gain = "norm" in name.lower() and name.endswith("weight")
            table = "embeddings" in name and not gain
            scale = 1.0 if table else 0.1 if "scorer" in name else 0.25 if "projector" in name else 0.4
            parameter.copy_(torch.randn(parameter.shape) * scale + (1.0 if gain or "logit_scale" in name else 0.0))
    return model


def numbers(tensor):
    return [float(f"{value:.8g}") for value in tensor.flatten().tolist()]


@torch.no_grad()
def expected_of(pipeline, text, labels):
    flat = pipeline._process_labels(labels)
    inputs = pipeline.prepare_inputs([text], flat, same_labels=True)
    # Where texts come first, the reference takes label tokens in them for the first labels.
    typed = 0 if pipeline.model.config.prompt_first else text.count("<<LABEL>>")
    logits = pipeline.model(**inputs, max_num_classes=typed + len(flat)).logits[0][typed:]
    return {
        "text": text,
        "labels": flat,
        "ids": inputs["input_ids"][0].tolist(),
        "logits": numbers(logits),
        "softmax": numbers(torch.softmax(logits, dim=-1)),
        "sigmoid": numbers(torch.sigmoid(logits)),
    }


def open_pipeline(folder):
    model = gliclass.GLiClassModel.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return UniEncoderZeroShotClassificationPipeline(model, tokenizer, device="cpu", progress_bar=False)


def make_fixture(folder, encoder, fields, how):
    folder.mkdir(parents=True)
    tokenizer = make_tokenizer(folder, encoder["model_type"])
    make_model(tokenizer, encoder, fields).to(how.get("dtype", torch.float32)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    pipeline = open_pipeline(folder)
    rows = [json.dumps(expected_of(pipeline, text, labels), ensure_ascii=False) for labels in LABELS for text in TEXTS]
    write_expected(folder, rows, SEED, "scripts/make gliclass_fixtures", gliclass="0.1.21")


def main():
    folder = output_path("make gliclass_fixtures", __doc__, OUTPUT)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for number, (name, fixture) in enumerate(FIXTURES.items()):
        torch.manual_seed(SEED + number)
        shutil.rmtree(folder / name, ignore_errors=True)
        make_fixture(folder / name, *fixture)
        print(name)


if __name__ == "__main__":
    finish(main)
