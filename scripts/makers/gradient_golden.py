"""Writes tests/golden/gradients.json: gradients that the reference computes with our tiny checkpoints.

    scripts/make gradient_golden [-o FILE]

For each folder …three-labels of tests/golden/published, and the longest of its first three texts: the gradient of a sum
of the logits, each times a factor, with respect to the vectors that the first layer reads, and the length of the
gradient of all weights (transformers, eager attention, float32, one thread).
"""

import json

import torch
import transformers

from common import reference_models
from common.command_line import finish, output_path
from common.program import ROOT

FOLDERS = ROOT / "tests/golden/published"
OUTPUT = ROOT / "tests/golden/gradients.json"


def factor_of(number):
    """The factor of a logit."""
    return (3 * number) % 7 - 2.5


def row_of(folder):
    """The gradients of a checkpoint."""
    text = json.loads((folder / "expected.json").read_text())["texts"][2]
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager").eval()
    for module in model.modules():
        if isinstance(module, torch.nn.Embedding):
            module.padding_idx = None  # the pad in a text is a token like others
    inputs = reference_models.inputs_of(model, text["ids"], text["type_ids"])
    out = model(**inputs, output_hidden_states=True)
    embedded = out.hidden_states[0]
    embedded.retain_grad()
    loss = sum(factor_of(i) * logit for i, logit in enumerate(out.logits.flatten()))
    loss.backward()
    squares = sum(float(p.grad.double().square().sum()) for p in model.parameters() if p.grad is not None)
    gradient = [float(f"{value:.7g}") for value in embedded.grad.flatten().tolist()]
    row = {"model": folder.name, "ids": text["ids"], "type_ids": text["type_ids"]}
    return {**row, "loss": float(loss), "length": squares**0.5, "embedded": gradient}


def main():
    path = output_path("make gradient_golden", __doc__, OUTPUT)
    reference_models.start()
    rows = [row_of(folder) for folder in sorted(FOLDERS.glob("*three-labels"))]
    made = {"transformers": transformers.__version__, "torch": torch.__version__}
    made["command"] = "scripts/make gradient_golden"
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text('{"made_with": ' + json.dumps(made) + ',\n"rows": [\n' + lines + "\n]}\n", encoding="utf-8")
    print(len(rows), "checkpoints")


if __name__ == "__main__":
    finish(main)
