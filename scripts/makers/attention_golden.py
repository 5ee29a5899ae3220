"""Writes tests/golden/attention.json: statistics, rollout, words and value norms of attention by NumPy.

    scripts/make attention_golden [-o FILE]

Random matrices with their statistics, rollout and words; and small models with random weights, whose attention, value
norms and logits come from a forward pass written here.
"""

import functools
import json

import numpy

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "tests/golden/attention.json"
PIECES = ["[UNK]", "[CLS]", "[SEP]", "good", "##ness", "bad", "film"]
TEXT, IDS, WORDS = "goodness bad film", [1, 3, 4, 5, 6, 2], [[0, 1], [1, 3], [3, 4], [4, 5], [5, 6]]


def softmax(scores):
    scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def statistics(head, special):
    """mean, std, max, entropy, distance, self, previous, next, special"""
    n = len(head)
    places = numpy.arange(n)
    logs = numpy.log(head, out=numpy.zeros_like(head), where=head > 0)
    return [
        head.mean(),
        head.std(),
        head.max(axis=1).mean(),
        -(head * logs).sum(axis=1).mean(),
        (head * abs(places[:, None] - places)).sum(axis=1).mean(),
        numpy.trace(head) / n,
        numpy.trace(head, -1) / n,
        numpy.trace(head, 1) / n,
        head[:, special].sum(axis=1).mean(),
    ]


def rollout(attention, residuals):
    flow = numpy.eye(attention.shape[-1])
    for layer, residual in zip(attention, residuals, strict=True):
        step = layer.mean(axis=0) + residual * numpy.eye(len(flow))
        flow = step / step.sum(axis=1, keepdims=True) @ flow
    return flow


def between_words(matrix, words):
    keys = numpy.stack([matrix[..., begin:end].sum(axis=-1) for begin, end in words], axis=-1)
    return numpy.stack([keys[..., begin:end, :].mean(axis=-2) for begin, end in words], axis=-2)


def measured(name, attention, special, words, residuals):
    attention = attention.astype(numpy.float32)
    wide = attention.astype(float)
    flow = rollout(wide, residuals)
    return {
        "name": name,
        "attention": attention.tolist(),
        "special": special,
        "words": words,
        "residuals": residuals,
        "statistics": [statistics(head, special) for layer in wide for head in layer],
        "rollout": flow.tolist(),
        "pooled": {"cls": flow[0].tolist(), "last": flow[-1].tolist(), "mean": flow.mean(axis=0).tolist()},
        "between_words": between_words(wide, words).tolist(),
        "rollout_between_words": between_words(flow, words).tolist(),
    }


def layer_norm(x, tensors, name, eps=1e-5):
    centred = x - x.mean(axis=1, keepdims=True)
    scaled = centred / numpy.sqrt((centred**2).mean(axis=1, keepdims=True) + eps)
    return scaled * tensors[name + ".weight"] + tensors[name + ".bias"]


class Model:
    """The encoder of the fields that the configs below set."""

    def __init__(self, random, **config):
        self.random = random
        self.tensors = {}
        self.config = {
            "model_type": "headlight",
            "vocab_size": len(PIECES),
            "hidden_size": 6,
            "num_hidden_layers": 2,
            "id2label": ["no", "maybe", "yes"],
            "embedding_layer_norm": False,
            "tokenizer": {"type": "wordpiece", "vocabulary": PIECES},
        } | config

    def tensor(self, name, *shape, around=0.0):
        if name not in self.tensors:
            values = numpy.round(around + self.random.normal(size=shape) * 0.8, 3).astype(numpy.float32)
            self.tensors[name] = values.astype(float)
        return self.tensors[name]

    def linear(self, x, name, out, bias=True):
        y = x @ self.tensor(name + ".weight", out, x.shape[1]).T
        return y + self.tensor(name + ".bias", out) if bias else y

    def norm(self, x, name):
        self.tensor(name + ".weight", x.shape[1], around=1.0)
        self.tensor(name + ".bias", x.shape[1])
        return layer_norm(x, self.tensors, name)

    def heads(self, x, queries, name, sliced, causal):
        """The sublayer's output, each head's matrix, and the norm of what each head hands over of each token."""
        sizes, bias = self.config["head_sizes"], self.config.get("attention_bias", True)
        starts = numpy.cumsum([0] + sizes)

        def project(part, rows):
            if not sliced:
                return self.linear(rows, f"{name}.{part}", starts[-1], bias)
            weight = self.tensor(f"{name}.{part}.weight", starts[-1], sizes[0])
            y = numpy.concatenate([rows[:, a:b] @ weight[a:b].T for a, b in zip(starts, starts[1:])], axis=1)
            return y + self.tensor(f"{name}.{part}.bias", starts[-1]) if bias else y

        q, k, v = project("query", queries), project("key", x), project("value", x)
        projected = self.config.get("attention_output_projection", True)
        output = self.tensor(f"{name}.output.weight", x.shape[1], starts[-1]) if projected else None
        matrices, norms, outs = [], [], []
        for a, b in zip(starts, starts[1:]):
            scores = q[:, a:b] @ k[:, a:b].T / numpy.sqrt(b - a)
            if causal:
                scores = numpy.where(numpy.tril(numpy.ones_like(scores)) > 0, scores, -numpy.inf)
            matrices.append(softmax(scores))
            outs.append(matrices[-1] @ v[:, a:b])
            handed = v[:, a:b] @ output[:, a:b].T if projected else v[:, a:b]
            norms.append(numpy.linalg.norm(handed, axis=1))
        out = numpy.concatenate(outs, axis=1)
        if projected:
            out = out @ output.T
            out = out + self.tensor(f"{name}.output.bias", x.shape[1]) if bias else out
        return out, numpy.array(matrices), numpy.array(norms)

    def positions(self, n, d):
        angles = numpy.arange(n)[:, None] / 10000 ** (2 * (numpy.arange(d) // 2) / d)
        return numpy.where(numpy.arange(d) % 2 == 0, numpy.sin(angles), numpy.cos(angles))

    def sublayer(self, x, name, run):
        order = self.config.get("norm_order", "post")
        y = run(self.norm(x, name) if order == "pre" else x)
        y = x + y if self.config.get("residual", True) else y
        return self.norm(y, name) if order == "post" else y

    def attend(self, name, attention, norms, x):
        """Self-attention, which appends its matrices and its value norms."""
        sliced, causal = self.config.get("head_input") == "slice", self.config.get("attention_mask") == "causal"
        out, matrices, lengths = self.heads(x, x, name, sliced, causal)
        attention.append(matrices)
        norms.append(lengths)
        return out

    def feed_forward(self, name, x):
        hidden = numpy.maximum(self.linear(x, name + ".up", self.config["intermediate_size"]), 0)
        return self.linear(hidden, name + ".down", self.config["hidden_size"])

    def forward(self):
        config, d = self.config, self.config["hidden_size"]
        x = self.tensor("embeddings.token.weight", len(PIECES), d)[IDS]
        if config.get("position_embedding_type", "sinusoidal") == "sinusoidal":
            x = x + self.positions(len(IDS), d)
        attention, norms = [], []
        for i in range(config["num_hidden_layers"]):
            attend = functools.partial(self.attend, f"layers.{i}.attention", attention, norms)
            x = self.sublayer(x, f"layers.{i}.attention.norm", attend)
            if config["intermediate_size"]:
                feed_forward = functools.partial(self.feed_forward, f"layers.{i}.feed_forward")
                x = self.sublayer(x, f"layers.{i}.feed_forward.norm", feed_forward)
        if config.get("norm_order") == "pre":
            x = self.norm(x, "final_norm")
        classes, labels = len(config["id2label"]), None
        if config["pooling"] == "label_attention":
            queries = self.tensor("label_attention.queries", classes, d)
            z, labels, _ = self.heads(x, queries, "label_attention", False, False)
            weight = self.tensor("classifier.weight", classes, d)
            logits = (z * weight).sum(axis=1) + self.tensor("classifier.bias", classes)
        else:
            z = {"mean": x.mean(axis=0), "last": x[-1], "cls": x[0], "max": x.max(axis=0)}[config["pooling"]]
            logits = self.linear(z[None], "classifier", classes)[0]
        return numpy.array(attention), numpy.array(norms), logits, labels

    def golden(self, name):
        attention, norms, logits, labels = self.forward()
        weighted = attention * norms[:, :, None, :]
        flow = rollout(attention, [self.config.get("residual", True)] * len(attention))
        pooled = {"mean": flow.mean(axis=0), "max": flow.mean(axis=0), "last": flow[-1], "cls": flow[0]}
        if labels is not None:
            pooled["label_attention"] = labels.mean(axis=0)[logits.argmax()] @ flow
        tensors = {key: value.round(3).tolist() for key, value in self.tensors.items()}
        found = {
            "name": name,
            "config": self.config,
            "tensors": tensors,
            "text": TEXT,
            "attention": attention,
            "value_norms": norms,
            "norm_attention": weighted,
            "norm_attention_between_words": between_words(weighted, WORDS),
            "logits": logits,
            "pooled": pooled[self.config["pooling"]],
        }
        if labels is not None:
            found["label_attention"] = labels.swapaxes(0, 1)
        return found


def brief(value):
    """Numbers of twelve digits; what a model is as it is."""
    if isinstance(value, numpy.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: value[key] if key in ("tensors", "config") else brief(value[key]) for key in value}
    if isinstance(value, list):
        return [brief(item) for item in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def main():
    output = output_path("make attention_golden", __doc__, OUTPUT)
    random = numpy.random.default_rng(11)
    causal = numpy.tril(random.random((2, 1, 4, 4)))
    golden = {
        "made": {"numpy": numpy.__version__, "command": "scripts/make attention_golden"},
        "measured": [
            measured(
                "three layers of two heads",
                softmax(random.normal(size=(3, 2, 7, 7)) * 2),
                [0, 4, 6],
                [[0, 1], [1, 4], [4, 5], [5, 6], [6, 7]],
                [True, True, True],
            ),
            measured(
                "causal, nothing special, one residual",
                causal / causal.sum(axis=-1, keepdims=True),
                [],
                [[0, 2], [2, 4]],
                [True, False],
            ),
            measured("one token", numpy.ones((2, 3, 1, 1)), [0], [[0, 1]], [True, True]),
        ],
        "models": [
            Model(random, num_attention_heads=3, head_sizes=[1, 3, 2], intermediate_size=5, pooling="cls").golden(
                "heads of three sizes, norms after"
            ),
            Model(
                random,
                num_attention_heads=3,
                head_sizes=[2, 2, 2],
                head_input="slice",
                intermediate_size=4,
                norm_order="pre",
                attention_mask="causal",
                pooling="last",
            ).golden("heads that read slices, causal"),
            Model(
                random,
                num_attention_heads=2,
                head_sizes=[2, 4],
                intermediate_size=0,
                norm_order="none",
                residual=False,
                attention_output_projection=False,
                attention_bias=False,
                position_embedding_type="none",
                pooling="label_attention",
            ).golden("no residual, no output projection, label attention"),
        ],
    }
    text = json.dumps(brief(golden), separators=(",", ":"))
    output.write_text(text.replace('{"name"', '\n{"name"') + "\n", encoding="utf-8")
    print(f"{output}: {len(text)} bytes")


if __name__ == "__main__":
    finish(main)
