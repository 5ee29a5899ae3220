"""Writes tests/golden/activations.json: norms and cosines of vectors as NumPy computes them.

    scripts/make activation_golden [-o FILE]

Random vectors after each layer of several texts; and the two toys with weights written by hand, whose vectors are
computed here from weights and words alone: rows of the embedding, then softmax(x_k x_k^T / sqrt(e)) x_k of each head's
dimensions k.
"""

import json

import numpy

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "tests/golden/activations.json"
TEXT = "I prefer apple over orange because it is less acidic"


def cosines(a, b):
    """Of each row of a with each row of b."""
    norms = numpy.outer(numpy.linalg.norm(a, axis=1), numpy.linalg.norm(b, axis=1))
    return numpy.divide(a @ b.T, norms, out=numpy.zeros_like(norms), where=norms > 0)


def measured(states):
    """States are [n, d], in float64."""
    return {
        "norms": [numpy.linalg.norm(state, axis=1).tolist() for state in states],
        "change": [
            cosines(before, after).diagonal().tolist() if before.shape == after.shape else []
            for before, after in zip(states, states[1:])
        ],
        "similarity": [cosines(state, state).tolist() for state in states],
    }


def random_text(name, states):
    states = [state.astype(numpy.float32) for state in states]
    # The shortest decimals that give the same float32 back.
    shown = [[float(str(value)) for value in state.ravel()] for state in states]
    return {
        "name": name,
        "tokens": len(states[0]),
        "states": shown,
        **measured([state.astype(float) for state in states]),
    }


def toy(name):
    config = json.loads((ROOT / f"configs/{name}.json").read_text(encoding="utf-8"))
    tensors = json.loads((ROOT / f"configs/{name}.weights.json").read_text(encoding="utf-8"))["tensors"]
    tensor = {key: numpy.array(value, dtype=float) for key, value in tensors.items()}
    words = config["tokenizer"]["vocabulary"]
    x = tensor["embeddings.token.weight"][[words.index(word) for word in TEXT.split()]]
    query, key, value = (x @ tensor[f"layers.0.attention.{part}.weight"].T for part in ("query", "key", "value"))
    outputs, begin = [], 0
    for size in config.get("head_sizes", [config["hidden_size"]]):
        head = slice(begin, begin + size)
        scores = query[:, head] @ key[:, head].T / numpy.sqrt(size)
        weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        outputs.append(weights / weights.sum(axis=1, keepdims=True) @ value[:, head])
        begin += size
    return {"model": f"configs/{name}.json", "text": TEXT, **measured([x, numpy.concatenate(outputs, axis=1)])}


def main():
    output = output_path("make activation_golden", __doc__, OUTPUT)
    random = numpy.random.default_rng(11)
    zeros = random.normal(size=(3, 4, 5))
    zeros[1, 2] = 0
    golden = {
        "made": {"numpy": numpy.__version__, "command": "scripts/make activation_golden"},
        "vectors": [
            random_text("five tokens, three layers", random.normal(size=(4, 5, 8))),
            random_text("one token", random.normal(size=(2, 1, 3))),
            random_text("a vector of zeros", zeros),
            random_text("a layer that changes the width", [random.normal(size=(3, 6)), random.normal(size=(3, 4))]),
            random_text("small, large and alike", random.normal(size=(2, 4, 6)) * [[[1e-3]], [[1e4]]] + 1),
        ],
        "models": [toy("one-head"), toy("four-heads")],
    }
    text = json.dumps(golden, separators=(",", ":")).replace('{"name"', '\n{"name"').replace('{"model"', '\n{"model"')
    output.write_text(text + "\n", encoding="utf-8")
    print(f"{output}: {len(text)} bytes")


if __name__ == "__main__":
    finish(main)
