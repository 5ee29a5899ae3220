"""The encoder in torch, for those fields of a native config that the trainer makes.

Modules are named so that `state_dict()` has the native tensor names. Letters: b texts of a
batch, n tokens, d hidden size, h heads, e = d / h, f feed-forward, c classes, V vocabulary.
Source: Vaswani et al. 2017, with BERT's embedding norm and learned positions (Devlin et al. 2019).
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional


@dataclass
class Shape:
    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int
    classes: int
    pooling: str = "mean"  # mean, cls, last
    causal: bool = False  # a token attends to itself and those before it
    layer_norm_eps: float = 1e-12
    dropout: float = 0.1  # in training only


class Embeddings(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.token = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.position = nn.Embedding(shape.max_position_embeddings, shape.hidden_size)
        self.norm = nn.LayerNorm(shape.hidden_size, eps=shape.layer_norm_eps)

    def forward(self, ids):  # [b, n] -> [b, n, d]
        positions = self.position.weight[: ids.shape[1]]  # [n, d]
        return self.norm(self.token(ids) + positions)


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        d = shape.hidden_size
        self.heads = shape.num_attention_heads
        self.dropout = shape.dropout
        self.query = nn.Linear(d, d)
        self.key = nn.Linear(d, d)
        self.value = nn.Linear(d, d)
        self.output = nn.Linear(d, d)
        self.norm = nn.LayerNorm(d, eps=shape.layer_norm_eps)

    def forward(self, x, mask):  # x [b, n, d], mask [b, 1, 1 or n, n] -> [b, n, d]
        b, n, d = x.shape
        q, k, v = (self.split(linear(x)) for linear in (self.query, self.key, self.value))  # [b, h, n, e]
        dropout = self.dropout if self.training else 0.0
        z = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)  # [b, h, n, e]
        return self.output(z.transpose(1, 2).reshape(b, n, d))

    def split(self, x):  # [b, n, d] -> [b, h, n, e]
        b, n, d = x.shape
        return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.up = nn.Linear(shape.hidden_size, shape.intermediate_size)
        self.down = nn.Linear(shape.intermediate_size, shape.hidden_size)
        self.norm = nn.LayerNorm(shape.hidden_size, eps=shape.layer_norm_eps)

    def forward(self, x):  # [b, n, d] -> [b, n, d]
        return self.down(functional.gelu(self.up(x)))


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.attention = Attention(shape)
        self.feed_forward = FeedForward(shape)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x, mask):
        x = self.attention.norm(x + self.dropout(self.attention(x, mask)))
        return self.feed_forward.norm(x + self.dropout(self.feed_forward(x)))


class Classifier(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embeddings = Embeddings(shape)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_hidden_layers))
        self.classifier = nn.Linear(shape.hidden_size, shape.classes)
        self.dropout = nn.Dropout(shape.dropout)
        self.apply(_first_weights)

    def forward(self, ids, mask):  # ids [b, n], mask [b, n], true where a token is -> logits [b, c]
        x = self.dropout(self.embeddings(ids))  # [b, n, d]
        seen = mask[:, None, None, :]  # [b, 1, 1, n]
        if self.shape.causal:
            n = ids.shape[1]
            seen = seen & torch.ones(n, n, dtype=torch.bool).tril()  # [b, 1, n, n]
        for layer in self.layers:
            x = layer(x, seen)
        return self.classifier(self.dropout(self.pool(x, mask)))

    def pool(self, x, mask):  # [b, n, d] -> [b, d]
        if self.shape.pooling == "cls":
            return x[:, 0]
        if self.shape.pooling == "last":
            return x[torch.arange(len(x)), mask.sum(1) - 1]
        weight = mask.unsqueeze(-1).to(x.dtype)  # [b, n, 1]
        return (x * weight).sum(1) / weight.sum(1)


FIRST_DEVIATION = 0.02  # of new weights, as BERT's


def _first_weights(module):
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=FIRST_DEVIATION)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def pad(lists, pad_id):
    """Lists of ids as one tensor [b, n] filled on the right, and the mask of what is a token."""
    n = max(len(ids) for ids in lists)
    ids = torch.tensor([ids + [pad_id] * (n - len(ids)) for ids in lists])
    mask = torch.tensor([[True] * len(ids) + [False] * (n - len(ids)) for ids in lists])
    return ids, mask


def products_in(precision):
    """A context in which products of matrices are in that precision, fp32 or bf16; weights stay float."""
    return torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16")


def logits_of(model, lists, pad_id, batch_size=64, precision="fp32"):
    """Logits [len(lists), c], in the order of `lists`; batches are of texts of like length."""
    model.eval()
    order = sorted(range(len(lists)), key=lambda i: len(lists[i]))
    result = torch.empty(len(lists), model.shape.classes)
    with torch.inference_mode(), products_in(precision):
        for at in range(0, len(order), batch_size):
            chosen = order[at : at + batch_size]
            result[chosen] = model(*pad([lists[i] for i in chosen], pad_id)).float()
    return result
