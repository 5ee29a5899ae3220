"""Writes tests/golden/optimizer.json: the weights after steps of torch.optim.AdamW on seeded gradients.

    scripts/make optimizer_golden [-o FILE]

The first numbers decay, the others do not, as matrices and biases. Before each step, torch.nn.utils.clip_grad_norm_
limits the gradient; most steps exceed the limit.
"""

import json

import torch

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "tests/golden/optimizer.json"
SEED = 20
DECAYED, OTHERS, STEPS = 11, 6, 12
SETTINGS = {"learning_rate": 0.02, "weight_decay": 0.1, "epsilon": 1e-6, "betas": [0.9, 0.999], "clip": 2.0}


def short(values):
    """The shortest decimals that give the same float32 numbers back."""
    return [float(str(value)) for value in values.detach().numpy()]


def main():
    output = output_path("make optimizer_golden", __doc__, OUTPUT)
    torch.manual_seed(SEED)
    decayed = torch.nn.Parameter(torch.randn(DECAYED))
    others = torch.nn.Parameter(torch.randn(OTHERS))
    begin = short(decayed) + short(others)
    groups = [
        {"params": [decayed], "weight_decay": SETTINGS["weight_decay"]},
        {"params": [others], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(
        groups, lr=SETTINGS["learning_rate"], eps=SETTINGS["epsilon"], betas=SETTINGS["betas"], foreach=False
    )
    steps = []
    for step in range(STEPS):
        decayed.grad = torch.randn(DECAYED) * (step % 4)
        others.grad = torch.randn(OTHERS)
        gradients = short(decayed.grad) + short(others.grad)
        norm = torch.nn.utils.clip_grad_norm_([decayed, others], SETTINGS["clip"])
        optimizer.step()
        steps.append({"gradients": gradients, "norm": norm.item(), "weights": short(decayed) + short(others)})
    golden = {
        "made": {"torch": torch.__version__, "seed": SEED, "command": "scripts/make optimizer_golden"},
        "settings": SETTINGS,
        "decayed": DECAYED,
        "weights": begin,
        "steps": steps,
    }
    output.write_text(json.dumps(golden, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    finish(main)
