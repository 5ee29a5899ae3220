"""Writes tests/golden/adapters: LoRA adapters of tests/golden/published, and what the reference makes of them.

    scripts/make adapter_fixtures [-o FOLDER]

Each folder is what save_pretrained of the package peft writes, with a path to its base that begins in the folder,
beside expected.json: the logits of merge_and_unload() for ids (float32).
"""

import json
import shutil

import peft
import torch
import transformers

from common import reference_models
from common.command_line import finish, output_path
from common.program import ROOT
from makers.published_fixtures import numbers, write_expected

OUTPUT = ROOT / "tests/golden/adapters"
PUBLISHED = ROOT / "tests/golden/published"
SEED = 20264
# Name: base, labels, fields of LoraConfig.
FIXTURES = {
    "bert-query-value": ("bert-three-labels", 3, {"target_modules": ["query", "value"], "bias": "lora_only"}),
    "bert-encoder-rank-stabilized": (
        "bert-model",
        4,
        {"target_modules": ["query", "key", "dense"], "use_rslora": True},
    ),
    "gpt2-fan-in-fan-out": ("gpt2-three-labels", 3, {"target_modules": ["c_attn"], "fan_in_fan_out": True}),
    "bart-head": (
        "bart-entailment",
        3,
        {"target_modules": ["q_proj", "v_proj"], "modules_to_save": ["classification_head"]},
    ),
}


def base_of(name, labels):
    return transformers.AutoModelForSequenceClassification.from_pretrained(
        PUBLISHED / name, num_labels=labels, dtype=torch.float32
    )


def make_fixture(name, folder):
    base, labels, fields = FIXTURES[name]
    torch.manual_seed(SEED)
    config = peft.LoraConfig(task_type="SEQ_CLS", r=2, lora_alpha=3, **fields)
    model = peft.get_peft_model(base_of(base, labels), config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.copy_(torch.randn(parameter.shape) * 0.5)
    model.save_pretrained(folder)
    (folder / "README.md").unlink()
    merged = peft.PeftModel.from_pretrained(base_of(base, labels), folder).merge_and_unload().eval()
    path = folder / "adapter_config.json"
    saved = json.loads(path.read_text())
    path.write_text(json.dumps({**saved, "base_model_name_or_path": f"../../published/{base}"}, indent=1) + "\n")
    rows = []
    for ids in ([7, 8, 2], [5, 9, 12, 6, 20, 2]):
        logits = reference_models.run(merged, ids, [0] * len(ids)).logits
        rows.append(json.dumps({"ids": ids, "logits": numbers(logits)}))
    write_expected(folder, rows, SEED, "scripts/make adapter_fixtures", peft=peft.__version__)


def main():
    folder = output_path("make adapter_fixtures", __doc__, OUTPUT)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for name in FIXTURES:
        shutil.rmtree(folder / name, ignore_errors=True)
        make_fixture(name, folder / name)
        print(name)


if __name__ == "__main__":
    finish(main)
