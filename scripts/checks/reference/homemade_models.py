"""Random classifiers on torch.nn.TransformerEncoder, as tutorials build them, and their maps for scripts/import."""

import math

import torch
from torch import nn

WORDS = ["[UNK]", *(f"w{i}" for i in range(1, 40))]


class Homemade(nn.Module):
    """What tutorials build, in the kinds of `how`."""

    def __init__(self, how, d=24, heads=3, layers=2, classes=3, length=20):
        super().__init__()
        self.how, self.d, self.length = how, d, length
        self.embedding = nn.Embedding(len(WORDS), d)
        if how.get("positions") == "learned":
            self.position = nn.Embedding(length, d)
        elif how.get("positions") == "parameter":
            self.position = nn.Parameter(torch.randn(1, length, d))
        elif how.get("positions") == "buffer":
            self.register_buffer("pe", sinusoids(length, d).unsqueeze(1))  # [P, 1, d], as PyTorch's tutorial
        if how.get("embedding_norm"):
            self.norm = nn.LayerNorm(d)
        bias = how.get("bias", True)
        layer = nn.TransformerEncoderLayer(
            d,
            heads,
            32,
            activation=how.get("activation", "relu"),
            norm_first=how.get("norm_first", False),
            batch_first=True,
            bias=bias,
        )
        final = nn.LayerNorm(d) if how.get("final_norm") else None
        self.encoder = nn.TransformerEncoder(layer, layers, norm=final, enable_nested_tensor=False)
        if how.get("head_dense"):
            self.dense = nn.Linear(d, d)
        self.fc = nn.Linear(d, classes, bias=bias)
        for parameter in self.parameters():
            nn.init.normal_(parameter, 0.0 if parameter.dim() > 1 else 0.5, 0.3)

    def forward(self, ids):  # [1, n]
        n = ids.shape[1]
        x = self.embedding(ids) * (math.sqrt(self.d) if self.how.get("scale") else 1.0)
        kind = self.how.get("positions")
        if kind == "learned":
            x = x + self.position.weight[:n]
        elif kind == "parameter":
            x = x + self.position[:, :n]
        elif kind == "buffer":
            x = x + self.pe[:n, 0]
        elif kind == "computed":
            x = x + sinusoids(n, self.d)
        if self.how.get("embedding_norm"):
            x = self.norm(x)
        mask = nn.Transformer.generate_square_subsequent_mask(n) if self.how.get("causal") else None
        x = self.encoder(x, mask=mask)[0]
        pooled = {
            "cls": lambda: x[0],
            "last": lambda: x[-1],
            "mean": lambda: x.mean(0),
            "max": lambda: x.max(0).values,
        }[self.how.get("pooling", "mean")]()
        if self.how.get("head_dense"):
            pooled = torch.tanh(self.dense(pooled))
        return self.fc(pooled)


def sinusoids(n, d):
    angles = torch.arange(n).unsqueeze(1) / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], 2).reshape(n, d)


KINDS = {
    "post-norm, no positions": {},
    "pre-norm and final norm": {"norm_first": True, "final_norm": True, "positions": "learned"},
    "pre-norm without final norm": {"norm_first": True, "positions": "buffer", "scale": True},
    "post-norm and final norm": {"final_norm": True, "positions": "parameter", "activation": "gelu"},
    "computed sinusoids, cls": {"positions": "computed", "scale": True, "pooling": "cls"},
    "max, norm of the embedding": {"positions": "learned", "embedding_norm": True, "pooling": "max"},
    "causal, last": {"causal": True, "pooling": "last", "positions": "buffer"},
    "no biases": {"bias": False, "norm_first": True, "final_norm": True},
    "dense before the classifier": {"head_dense": True, "pooling": "cls", "activation": "gelu"},
    "filled to its length": {"pad": True, "positions": "learned"},
    "a checkpoint of a wrapped model": {"prefix": "module.", "key": "model_state_dict"},
    "a compiled model in float64": {"prefix": "_orig_mod.", "key": "state_dict", "double": True},
}


def map_of(how):
    """The map of a Homemade, with what is its default left out."""
    tensors = {"classifier": "fc"}
    places = {"learned": "position.weight", "parameter": "position", "buffer": "pe", "computed": "sinusoidal"}
    if how.get("positions"):
        tensors["positions"] = places[how["positions"]]
    if how.get("embedding_norm"):
        tensors["embedding_norm"] = "norm"
    config = {
        "num_attention_heads": 3,
        "id2label": ["a", "b", "c"],
        "tokenizer": {"type": "whitespace", "unk_token": "[UNK]"},
    }
    if how.get("head_dense"):
        tensors["head_dense"] = "dense"
        config["head_dense_act"] = "tanh"
    config |= {"norm_order": "pre"} if how.get("norm_first") else {}
    config |= {"embedding_scale": "sqrt"} if how.get("scale") else {}
    config |= {"attention_mask": "causal"} if how.get("causal") else {}
    config |= {"pad_to_length": 20} if how.get("pad") else {}
    config |= {to: how[name] for name, to in (("activation", "hidden_act"), ("pooling", "pooling")) if name in how}
    return {"tensors": tensors, "config": config, "words": "words.txt"}


def state_of(model, how):
    model = model.double() if how.get("double") else model
    state = {how.get("prefix", "") + name: tensor for name, tensor in model.state_dict().items()}
    return {"epoch": 3, how["key"]: state} if "key" in how else state
