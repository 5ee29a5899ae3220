"""Writes tests/golden/sentences: tiny random sentence-transformers folders, and the vectors of the reference.

    scripts/make sentence_fixtures [-o FOLDER]

Each folder is written as some release of sentence-transformers writes it: modules.json, an encoder (from
published_fixtures), poolings, and the modules after them. Beside it is expected.json: texts, and for each prompt the
vectors that `SentenceTransformer.encode` gives, float32, one text at a time. Weights are random and large, so that one
in the wrong place shows.
"""

import json
import os
import shutil

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import sentence_transformers
import torch
import transformers
from safetensors.torch import save_file

from common.command_line import finish, output_path
from common.program import ROOT
from makers import small_vocabularies as small
from makers.fixture_table import VOCABULARY, sizes
from makers.published_fixtures import make_model

OUTPUT = ROOT / "tests/golden/sentences"
SEED = 20261
WIDTH = 6
OLD = "sentence_transformers.models."
NEW = "sentence_transformers.sentence_transformer.modules.{0}.{1}"
BASE = "sentence_transformers.base.modules.{0}.{1}"
LONG = "a b ab, " * 12
TEXTS = [*(text for text in small.TEXTS if text), "A B", LONG]
FLAGS = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken")


def flags(*names):
    return {"word_embedding_dimension": WIDTH, **{f"pooling_mode_{flag}": flag in names for flag in FLAGS}}


def linear(size_in, size_out, bias=True):
    tensors = {"linear.weight": torch.randn(size_out, size_in)}
    return {**tensors, "linear.bias": torch.randn(size_out)} if bias else tensors


def dense(size_in, size_out, tensors, **fields):
    return {"in_features": size_in, "out_features": size_out, **fields}, tensors


def mean_normalize():
    """As release 2 wrote it."""
    return {
        "encoder": ("bert", "", small.bert_files(VOCABULARY)),
        "reads": {"max_seq_length": 6, "do_lower_case": False},
        "modules": [
            (OLD + "Pooling", "1_Pooling", flags("mean_tokens"), {}),
            (OLD + "Normalize", "2_Normalize", None, {}),
        ],
    }


def all_flags_in_folders():
    """Every pooling at once, with the encoder in a folder of its own; the order is that of the reference."""
    return {
        "encoder": ("bert", "0_Transformer", small.bert_files(VOCABULARY)),
        "reads": {"max_seq_length": 20, "do_lower_case": False},
        "modules": [(OLD + "Pooling", "1_Pooling", flags(*FLAGS), {})],
    }


def listed_poolings():
    """As release 6 writes it: the poolings in the order of the list, then a dense layer and a norm."""
    config = {
        "embedding_dimension": WIDTH,
        "pooling_mode": ["lasttoken", "cls", "weightedmean"],
        "include_prompt": True,
    }
    gelu = dense(
        3 * WIDTH, 5, linear(3 * WIDTH, 5, False), bias=False, activation_function="torch.nn.modules.activation.GELU"
    )
    norm = {"norm.weight": torch.randn(5) + 1, "norm.bias": torch.randn(5)}
    return {
        "encoder": ("bert", "", small.bert_files(VOCABULARY)),
        "reads": {
            "transformer_task": "feature-extraction",
            "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
            "module_output_name": "token_embeddings",
            "unpad_inputs": None,
        },
        "modules": [
            (NEW.format("pooling", "Pooling"), "1_Pooling", config, {}),
            (BASE.format("dense", "Dense"), "2_Dense", *gelu),
            (NEW.format("dropout", "Dropout"), "3_Dropout", {"dropout": 0.5}, {}),
            (NEW.format("layer_norm", "LayerNorm"), "4_LayerNorm", {"dimension": 5}, norm),
        ],
        "newest": True,
    }


def dense_residuals():
    """Residual layers with and without a projection, and one that says nothing of its activation."""
    projected = dense(
        WIDTH,
        7,
        {**linear(WIDTH, 7), "residual.weight": torch.randn(7, WIDTH)},
        bias=True,
        use_residual=True,
        activation_function="torch.nn.modules.activation.SiLU",
    )
    same = dense(7, 7, linear(7, 7), use_residual=True, activation_function="torch.nn.modules.linear.Identity")
    tanh = dense(7, 4, linear(7, 4), bias=True)
    return {
        "encoder": ("mpnet", "", small.mpnet_files(VOCABULARY)),
        "reads": {"max_seq_length": 16, "do_lower_case": False},
        "modules": [
            (OLD + "Pooling", "1_Pooling", flags("max_tokens"), {}),
            (OLD + "Dense", "2_Dense", *projected),
            (OLD + "Dense", "3_Dense", *same),
            (OLD + "Dense", "4_Dense", *tanh),
            (BASE.format("normalize", "Normalize"), "5_Normalize", {"module_input_name": "sentence_embedding"}, {}),
        ],
    }


def prompt_not_pooled():
    """A default prompt whose tokens are read but not pooled."""
    modes = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
    return {
        "encoder": ("roberta", "", small.roberta_files(VOCABULARY)),
        "reads": {"max_seq_length": 20},
        "settings": {"prompts": {"query": "b a: ", "passage": "", "document": "ab"}, "default_prompt_name": "query"},
        "modules": [
            (
                NEW.format("pooling", "Pooling"),
                "1_Pooling",
                {"embedding_dimension": WIDTH, "pooling_mode": modes, "include_prompt": False},
                {},
            )
        ],
        "prompts": ["passage", "document"],
    }


def lower_case_cut_vectors():
    """Lower-casing before a cased tokenizer, a prompt that is pooled, and only the first numbers of a vector."""
    cased = {"do_lower_case": False, "model_max_length": 5}
    return {
        "encoder": ("bert", "", {**small.bert_files(VOCABULARY), "tokenizer_config.json": cased}),
        "reads": {"max_seq_length": 12, "do_lower_case": True},
        "settings": {"prompts": {"query": "B, "}, "truncate_dim": 4},
        "modules": [
            (OLD + "Pooling", "1_Pooling", {"word_embedding_dimension": WIDTH, "pooling_mode_lasttoken": True}, {})
        ],
        "prompts": ["query"],
    }


FIXTURES = {
    "mean-normalize": mean_normalize,
    "all-flags-in-folders": all_flags_in_folders,
    "listed-poolings": listed_poolings,
    "dense-residuals": dense_residuals,
    "prompt-not-pooled": prompt_not_pooled,
    "lower-case-cut-vectors": lower_case_cut_vectors,
}


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_folder(folder, fixture):
    family, inside, tokenizer = fixture["encoder"]
    encoder = folder / inside
    make_model(family, "Model", sizes(WIDTH, 2, 8, 2)).save_pretrained(encoder)
    small.write(encoder, tokenizer)
    write_json(encoder / "sentence_bert_config.json", fixture["reads"])
    kind = BASE.format("transformer", "Transformer") if fixture.get("newest") else OLD + "Transformer"
    entries = [{"idx": 0, "name": "0", "path": inside, "type": kind}]
    for number, (kind, path, config, tensors) in enumerate(fixture["modules"], 1):
        entries.append({"idx": number, "name": str(number), "path": path, "type": kind})
        if config is not None:
            write_json(folder / path / "config.json", config)
        if tensors:
            save_file(tensors, folder / path / "model.safetensors", metadata={"format": "pt"})
    write_json(folder / "modules.json", entries)
    write_json(folder / "config_sentence_transformers.json", fixture.get("settings", {}))


def vectors_of(model, prompt):
    return [[float(f"{value:.8g}") for value in model.encode(text, prompt_name=prompt).tolist()] for text in TEXTS]


def make_fixture(folder, fixture):
    write_folder(folder, fixture)
    model = sentence_transformers.SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": "float32"})
    made = {
        "sentence_transformers": sentence_transformers.__version__,
        "transformers": transformers.__version__,
        "torch": torch.__version__,
        "seed": SEED,
        "command": "scripts/make sentence_fixtures",
    }
    prompts = [None, *fixture.get("prompts", [])]
    results = [{"prompt": prompt, "vectors": vectors_of(model, prompt)} for prompt in prompts]
    rows = ",\n".join(json.dumps(result) for result in results)
    texts = json.dumps(TEXTS, ensure_ascii=False)
    (folder / "expected.json").write_text(
        f'{{"made_with": {json.dumps(made)},\n"texts": {texts},\n"results": [\n{rows}\n]}}\n'
    )


def main():
    folder = output_path("make sentence_fixtures", __doc__, OUTPUT)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for number, (name, fixture) in enumerate(FIXTURES.items()):
        torch.manual_seed(SEED + number)
        shutil.rmtree(folder / name, ignore_errors=True)
        make_fixture(folder / name, fixture())
        print(name)


if __name__ == "__main__":
    finish(main)
