"""Compares `evaluate --ablate` and `attention --patch` with hooks in the reference model.

    scripts/check interventions [--layers 4] [--heads 6]

A random BERT classifier is made here. For each text, each head, feed-forward and layer is taken out, and each vector of
another text is put into the run, both by the program and by hooks in PyTorch. One line per intervention: the number of
compared values, and the largest difference. Exit status 1 if one differs by more than 1e-5.
"""

import json
import pathlib
import tempfile

import torch
import transformers

from common import program
from common.command_line import finish, parser

BOUND = 1e-5
WORDS = "the a film is not bad good great terrible portrait of somebody nobody who likes music , . it was".split()
TEXTS = [
    ("the film is not bad .", "a portrait was so terrible ,"),
    ("good", "bad"),
    ("somebody likes a great portrait of music", "nobody likes the terrible film of who"),
]
SEED = 20261


def make_model(folder, layers, heads):
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in vocabulary), encoding="utf-8")
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(SEED)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16 * heads,
        num_attention_heads=heads,
        num_hidden_layers=layers,
        intermediate_size=64 * heads,
        max_position_embeddings=64,
        id2label={0: "no", 1: "yes", 2: "maybe"},
        label2id={"no": 0, "yes": 1, "maybe": 2},
        attn_implementation="eager",
    )
    model = transformers.BertForSequenceClassification(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "LayerNorm" not in name:
                parameter.normal_(0.0, 0.15)
    model.save_pretrained(folder)
    return model


def ids_of(folder, text):
    return torch.tensor([program.document("tokenize", "-m", folder, text, "--format", "json")[0]["ids"]])


def logits_with(model, ids, hook):
    """`hook` gives a module and what replaces its input (before) or its output."""
    module, before, change = hook
    if before:
        handle = module.register_forward_pre_hook(lambda _, inputs: (change(inputs[0]), *inputs[1:]))
    else:
        handle = module.register_forward_hook(lambda _, inputs, output: change(inputs, output))
    try:
        with torch.no_grad():
            return model(input_ids=ids).logits[0]
    finally:
        handle.remove()


def without_head(model, layer, head):
    """The head's columns of what the output projection reads are zero."""
    own = model.bert.encoder.layer[layer].attention
    size = own.self.attention_head_size

    def clear(context):
        context = context.clone()
        context[..., head * size : (head + 1) * size] = 0
        return context

    return own.output.dense, True, clear


def without_feed_forward(model, layer, _):
    return model.bert.encoder.layer[layer].output.dense, False, lambda inputs, output: torch.zeros_like(output)


def without_layer(model, layer, _):
    return model.bert.encoder.layer[layer], False, lambda inputs, output: inputs[0]


def ablation_differences(model, folder, kind, without):
    differences = []
    rows = pathlib.Path(folder) / "row.jsonl"
    for text, other in TEXTS:
        for words in (text, other):
            rows.write_text(json.dumps({"text": words, "label": "yes"}) + "\n", encoding="utf-8")
            ids = ids_of(folder, words)
            with torch.no_grad():
                whole = model(input_ids=ids).logits[0]
            answer = program.document("evaluate", rows, "-m", folder, "--ablate", kind, "--format", "json")
            for part in answer["ablation"]:
                logits = logits_with(model, ids, without(model, part["layer"], part.get("head")))
                losses = [-torch.log_softmax(one, dim=0)[1].item() for one in (whole, logits)]
                differences.append(abs(part["logit_change"] - (logits - whole).abs().mean().item()))
                differences.append(abs(part["log_loss_change"] - (losses[1] - losses[0])))
    return differences


def patched(model, ids, other_states, place):
    """The logits if one token has its vector of the other text before a layer, or after the last."""
    state, token = place

    def replace(hidden):
        hidden = hidden.clone()
        hidden[0, token] = other_states[state][0, token]
        return hidden

    layers = model.bert.encoder.layer
    module = layers[state] if state < len(layers) else model.bert.pooler
    return logits_with(model, ids, (module, True, replace))


def patching_differences(model, folder):
    differences = []
    for text, other in TEXTS:
        answer = program.document("attention", "-m", folder, "--patch", other, text, "--format", "json")
        ids = ids_of(folder, text)
        with torch.no_grad():
            whole = model(input_ids=ids).logits[0]
            states = model(input_ids=ids_of(folder, other), output_hidden_states=True).hidden_states
        for number, changes in enumerate(answer["change"].values()):
            for state, tokens in enumerate(changes):
                for token, change in enumerate(tokens):
                    logits = patched(model, ids, states, (state, token))
                    differences.append(abs(change - (logits - whole)[number].item()))
    return differences


def main():
    options = parser("check interventions", __doc__)
    options.add_argument("--layers", type=int, default=4)
    options.add_argument("--heads", type=int, default=6)
    given = options.parse_args()
    torch.set_num_threads(1)
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = make_model(folder, given.layers, given.heads)
        found = {
            "heads": ablation_differences(model, folder, "heads", without_head),
            "feed-forwards": ablation_differences(model, folder, "feed-forwards", without_feed_forward),
            "layers": ablation_differences(model, folder, "layers", without_layer),
            "patches": patching_differences(model, folder),
        }
    for name, differences in found.items():
        print(f"{name}: {len(differences)} values, largest difference {max(differences):.1e}")
        worst = max(worst, *differences)
    return 0 if worst <= BOUND else 1


if __name__ == "__main__":
    finish(main)
