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
from safetensors.torch import load_file, save_file

from common import reference_models
from common.command_line import finish, output_path
from common.program import ROOT
from makers import decoder_fixtures as decoders
from makers import decoder_stack_fixtures as stacks
from makers import encoder_fixtures as encoders
from makers import fixture_table as table
from makers import small_vocabularies as small
from makers.fixture_table import CLASSIFIER, TOKEN_CLASSIFIER, VOCABULARY

OUTPUT = ROOT / "tests/golden/published"
SEED = 20260
FAMILIES = {**table.FAMILIES, **encoders.FAMILIES, **decoders.FAMILIES, **stacks.FAMILIES}
FIXTURES = {**table.FIXTURES, **encoders.FIXTURES, **decoders.FIXTURES, **stacks.FIXTURES}
TOKENIZERS = {**table.TOKENIZERS, **encoders.TOKENIZERS, **decoders.TOKENIZERS, **stacks.TOKENIZERS}
NUMBERS = {name: number for number, name in enumerate(table.FIXTURES)}
NUMBERS.update({name: encoders.number_of(name) for name in [*encoders.FIXTURES, *decoders.FIXTURES, *stacks.FIXTURES]})

# They classify by the last token that is not the pad.
DECODERS = {"gpt2", "llama", "qwen2", "qwen3", "mistral", "gemma", "gemma3_text", "modernbert-decoder"}


def make_model(family, kind, fields, spread=0.4):
    stem, common = FAMILIES[family]
    config = getattr(transformers, stem + "Config")(vocab_size=VOCABULARY, **{**common, **fields})
    model = getattr(transformers, stem + kind)(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not parameter.requires_grad:
                continue  # a constant
            gain = ("norm" in name.lower() or ".ln_" in name) and name.endswith("weight")
            scale = 1.0 if "embeddings." in name and not gain else spread
            if kind == TOKEN_CLASSIFIER and name == "classifier.weight":
                scale = 2.0  # so that tokens get different labels
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
        if length > 4 and pad is not None:
            ids[2] = ids[5] = pad
        ids += stacks.end_of(config)
        segments = torch.randint(0, max(types, 1), (len(ids),)).tolist()
        yield ids, segments
    if config.model_type in DECODERS and pad is not None:
        for ids in ([7, pad, 8, pad, pad], [pad, pad]):
            yield ids, [0] * len(ids)


def numbers(tensor):
    return [float(f"{value:.7g}") for value in tensor.flatten().tolist()]


def expected_of(model, ids, segments):
    out = reference_models.run(model, ids, segments)
    expected = {"ids": ids, "type_ids": segments}
    if type(model).__name__.endswith((CLASSIFIER, TOKEN_CLASSIFIER)):
        expected["logits"] = numbers(out.logits)
    has_decoder = getattr(out, "decoder_attentions", None) is not None
    attention = stacks.attention_of(out) if has_decoder else out.attentions
    hidden = stacks.hidden_of(out) if has_decoder else out.hidden_states
    expected["attention"] = [numbers(layer) for layer in attention]
    expected["hidden"] = [None if layer is None else numbers(layer) for layer in hidden]
    return expected


def expected_of_texts(name, folder, model):
    """What the reference makes of texts and pairs, with the tokenizer that the folder has."""
    small.write(folder, TOKENIZERS[name])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for given in [*((text,) for text in small.TEXTS), *small.PAIRS]:
        answer = small.answer(tokenizer, *given)
        if answer["ids"]:
            yield {**answer, **expected_of(model, answer["ids"], answer["type_ids"])}


def make_fixture(name, folder):
    family, kind, fields, changes = FIXTURES[name]
    model = make_model(family, kind, fields, **({"spread": changes["spread"]} if "spread" in changes else {}))
    shard = {"max_shard_size": changes["shard"]} if "shard" in changes else {}
    model.to(changes.get("dtype", torch.float32)).save_pretrained(
        folder, save_original_format="classes" not in changes, **shard
    )
    rewrite(folder, changes)
    model, report = type(model).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    if report["missing_keys"]:
        raise SystemExit(f"{name}: the reference would make these up: {report['missing_keys']}")
    model.config.tie_last_hidden_states = False  # the last vectors are those before the last norm
    rows = [json.dumps(expected_of(model.eval(), *text)) for text in texts(model.config)]
    if name in TOKENIZERS:
        rows += [json.dumps(row, ensure_ascii=False) for row in expected_of_texts(name, folder, model.eval())]
    write_expected(folder, rows, SEED, "scripts/make published_fixtures")


def write_expected(folder, rows, seed, command, **packages):
    """expected.json: what made it, and a line of JSON a text."""
    versions = {**packages, "transformers": transformers.__version__, "torch": torch.__version__}
    made = {**versions, "seed": seed, "command": command}
    text = '{"made_with": ' + json.dumps(made) + ',\n"texts": [\n' + ",\n".join(rows) + "\n]}\n"
    (folder / "expected.json").write_text(text)


def main():
    folder = output_path("make published_fixtures", __doc__, OUTPUT)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for name in FIXTURES:
        torch.manual_seed(FIXTURES[name][3].get("seed", SEED + NUMBERS[name]))
        shutil.rmtree(folder / name, ignore_errors=True)
        make_fixture(name, folder / name)
        print(name)


if __name__ == "__main__":
    finish(main)
