"""Writes tests/golden/published: tiny random checkpoints of every family, and what the reference makes of them.

    scripts/make published_fixtures [-o FOLDER]

Each folder is a checkpoint as `save_pretrained` writes it, some of them then changed to how older versions or other
tools write it, beside expected.json: for each text its ids and segments, and the results of the reference
(transformers, eager attention, float32, one text at a time) for the folder as it is: logits, every attention matrix,
and the vectors after the embedding and each layer. Weights are random and large, biases and norms too, so that one in
the wrong place shows.
"""

import json
import shutil

import torch
import transformers
from common.command_line import finish, output_path
from common.program import ROOT
from safetensors.torch import load_file, save_file

from makers import small_vocabularies as small

OUTPUT = ROOT / "tests/golden/published"
VOCABULARY = 50
SEED = 20260

FAMILIES = {
    "bert": ("Bert", dict(type_vocab_size=2)),
    "distilbert": ("DistilBert", {}),
    "roberta": ("Roberta", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "xlm-roberta": ("XLMRoberta", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "camembert": ("Camembert", dict(type_vocab_size=1, layer_norm_eps=1e-5)),
    "electra": ("Electra", dict(type_vocab_size=2)),
    "albert": ("Albert", dict(type_vocab_size=2)),
    "mpnet": ("MPNet", {}),
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


CLASSIFIER = "ForSequenceClassification"
THREE = dict(id2label={0: "no", 1: "maybe", 2: "yes"}, label2id={"no": 0, "maybe": 1, "yes": 2})
ONE = dict(num_labels=1)

# Name: family, class, config, and how the files differ from what save_pretrained writes:
# dtype, shard (bytes of one), edit (of the config), rename (of the tensors), extra (tensors).
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
}


ALBERT_SPECIALS = ("[CLS]", "<pad>", "[SEP]", "<unk>")
# The folders that have a tokenizer too, and the files that make it.
TOKENIZERS = {
    "bert-three-labels": small.bert_files(VOCABULARY),
    "distilbert-three-labels": small.bert_files(VOCABULARY),
    "electra-narrow": small.bert_files(VOCABULARY),
    "mpnet-three-labels": small.mpnet_files(VOCABULARY),
    "roberta-three-labels": small.roberta_files(VOCABULARY),
    "xlm-roberta-regression": {
        "tokenizer.json": small.unigram_json(VOCABULARY),
        "tokenizer_config.json": small.AS_GIVEN,
    },
    "camembert-two-labels": {"tokenizer.json": small.unigram_json(VOCABULARY), "tokenizer_config.json": small.AS_GIVEN},
    "albert-one-group": {
        "tokenizer.json": small.unigram_json(VOCABULARY, ALBERT_SPECIALS, "[MASK]", segments=True),
        "tokenizer_config.json": small.AS_GIVEN,
    },
}


def make_model(family, kind, fields):
    stem, common = FAMILIES[family]
    config = getattr(transformers, stem + "Config")(vocab_size=VOCABULARY, **{**common, **fields})
    model = getattr(transformers, stem + kind)(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            gain = "norm" in name.lower() and name.endswith("weight")
            scale = 1.0 if "embeddings." in name and not gain else 0.4
            parameter.copy_(torch.randn(parameter.shape) * scale + (1.0 if gain else 0.0))
    return model


def rewrite(folder, changes):
    """Changes the files to how another tool would have written them."""
    path = folder / "model.safetensors"
    if "rename" in changes or "extra" in changes:
        tensors = load_file(path)
        for old, new in changes.get("rename", {}).items():
            tensors = {name.replace(old, new): tensor for name, tensor in tensors.items()}
        save_file({**tensors, **changes.get("extra", {})}, path, metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    for name in changes.get("drop", []):
        config.pop(name, None)
    for name, value in changes.get("edit", {}).items():
        config[name] = value
    config = {name: value for name, value in config.items() if value is not None or name not in changes.get("edit", {})}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def texts(config):
    """Ids and segments of three texts: one token, a few, many; the pad is typed among the last one's."""
    pad = config.pad_token_id
    types = getattr(config, "type_vocab_size", 0)
    if config.model_type == "mpnet":
        pad = 1  # in its code
    for length in (1, 4, 30 if config.model_type == "mpnet" else 13):
        ids = torch.randint(6, VOCABULARY, (length,)).tolist()
        if length > 4:
            ids[2] = ids[5] = pad
        segments = torch.randint(0, max(types, 1), (length,)).tolist()
        yield ids, segments


def numbers(tensor):
    return [float(f"{value:.7g}") for value in tensor.flatten().tolist()]


@torch.no_grad()
def expected_of(model, ids, segments):
    inputs = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids), dtype=torch.long)}
    if getattr(model.config, "type_vocab_size", 0) > 0:
        inputs["token_type_ids"] = torch.tensor([segments])
    out = model(**inputs, output_attentions=True, output_hidden_states=True)
    expected = {"ids": ids, "type_ids": segments}
    if type(model).__name__.endswith(CLASSIFIER):
        expected["logits"] = numbers(out.logits)
    expected["attention"] = [numbers(layer) for layer in out.attentions]
    expected["hidden"] = [numbers(layer) for layer in out.hidden_states]
    return expected


def expected_of_texts(name, folder, model):
    """What the reference makes of texts and pairs, with the tokenizer that the folder has."""
    small.write(folder, TOKENIZERS[name])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for given in [*((text,) for text in small.TEXTS), *small.PAIRS]:
        answer = small.answer(tokenizer, *given)
        yield {**answer, **expected_of(model, answer["ids"], answer["type_ids"])}


def make_fixture(name, folder):
    family, kind, fields, changes = FIXTURES[name]
    model = make_model(family, kind, fields)
    shard = {"max_shard_size": changes["shard"]} if "shard" in changes else {}
    model.to(changes.get("dtype", torch.float32)).save_pretrained(folder, **shard)
    rewrite(folder, changes)
    model, report = type(model).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    if report["missing_keys"]:
        raise SystemExit(f"{name}: the reference would make these up: {report['missing_keys']}")
    rows = [json.dumps(expected_of(model.eval(), *text)) for text in texts(model.config)]
    if name in TOKENIZERS:
        rows += [json.dumps(row, ensure_ascii=False) for row in expected_of_texts(name, folder, model.eval())]
    made = {
        "transformers": transformers.__version__,
        "torch": torch.__version__,
        "seed": SEED,
        "command": "scripts/make published_fixtures",
    }
    (folder / "expected.json").write_text(
        '{"made_with": ' + json.dumps(made) + ',\n"texts": [\n' + ",\n".join(rows) + "\n]}\n"
    )


def main():
    folder = output_path("make published_fixtures", __doc__, OUTPUT)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for number, name in enumerate(FIXTURES):
        torch.manual_seed(SEED + number)
        shutil.rmtree(folder / name, ignore_errors=True)
        make_fixture(name, folder / name)
        print(name)


if __name__ == "__main__":
    finish(main)
