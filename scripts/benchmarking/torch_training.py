"""PyTorch as the peer of `bench training`: BertModel of transformers, trained as `headlight fit --train all` does it.

Reads the settings as JSON from the command line and prints what it measured as JSON. AdamW with decoupled decay of
matrices alone, the gradient clipped to a norm of 1, a rate that rises for 6 % and then falls to 0, no dropout.
"""

import json
import pathlib
import random
import resource
import sys
import time

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import BertConfig, BertModel

WARMUP = 0.06
PARTS = {
    "attention.self.query": "attention.query",
    "attention.self.key": "attention.key",
    "attention.self.value": "attention.value",
    "attention.output.dense": "attention.output",
    "attention.output.LayerNorm": "attention.norm",
    "intermediate.dense": "feed_forward.up",
    "output.dense": "feed_forward.down",
    "output.LayerNorm": "feed_forward.norm",
}


class Classifier(nn.Module):
    """A BERT without token types, mean pooling and a linear layer."""

    def __init__(self, config, start):
        super().__init__()
        self.bert = BertModel(
            BertConfig(
                vocab_size=config["vocab_size"],
                hidden_size=config["hidden_size"],
                num_hidden_layers=config["num_hidden_layers"],
                num_attention_heads=config["num_attention_heads"],
                intermediate_size=config["intermediate_size"],
                max_position_embeddings=config["max_position_embeddings"],
                layer_norm_eps=config["layer_norm_eps"],
                type_vocab_size=1,
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
            ),
            add_pooling_layer=False,
        )
        self.classifier = nn.Linear(config["hidden_size"], len(config["id2label"]))
        self.take(load_file(start))

    def take(self, tensors):
        """The weights of a native model."""
        embeddings = self.bert.embeddings
        copies = [
            (embeddings.word_embeddings.weight, "embeddings.token.weight"),
            (embeddings.position_embeddings.weight, "embeddings.position.weight"),
            (embeddings.LayerNorm.weight, "embeddings.norm.weight"),
            (embeddings.LayerNorm.bias, "embeddings.norm.bias"),
            (self.classifier.weight, "classifier.weight"),
            (self.classifier.bias, "classifier.bias"),
        ]
        for i, layer in enumerate(self.bert.encoder.layer):
            for theirs, ours in PARTS.items():
                module = layer.get_submodule(theirs)
                copies += [(module.weight, f"layers.{i}.{ours}.weight"), (module.bias, f"layers.{i}.{ours}.bias")]
        with torch.no_grad():
            embeddings.token_type_embeddings.weight.zero_()
            for parameter, name in copies:
                parameter.copy_(tensors[name])
        embeddings.token_type_embeddings.weight.requires_grad_(False)

    def forward(self, ids, mask):
        hidden = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        kept = mask[:, :, None].to(hidden.dtype)
        return self.classifier((hidden * kept).sum(1) / kept.sum(1))


def batches_of(rows, order, tokens):
    """Lists of row numbers with at most `tokens` tokens, padding not counted."""
    batches, filled = [[]], 0
    for i in order:
        if batches[-1] and filled + len(rows[i]["ids"]) > tokens:
            batches.append([])
            filled = 0
        batches[-1].append(i)
        filled += len(rows[i]["ids"])
    return batches


def epoch(rows, settings, generator):
    """The batches of an epoch: in file order, or of rows of nearly the same length, shuffled."""
    order = list(range(len(rows)))
    if not settings["sorted"]:
        return batches_of(rows, order, settings["batch_tokens"])
    generator.shuffle(order)
    order.sort(key=lambda i: len(rows[i]["ids"]))
    batches = batches_of(rows, order, settings["batch_tokens"])
    generator.shuffle(batches)
    return batches


def padded(rows, batch):
    longest = max(len(rows[i]["ids"]) for i in batch)
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for at, i in enumerate(batch):
        own = rows[i]["ids"]
        ids[at, : len(own)] = torch.tensor(own)
        mask[at, : len(own)] = 1
    return ids, mask, torch.tensor([rows[i]["target"] for i in batch])


def share_of_rate(done):
    return done / WARMUP if done < WARMUP else max(0.0, (1 - done) / (1 - WARMUP))


def optimizer_of(model, rate):
    weights = [each for each in model.parameters() if each.requires_grad]
    groups = [
        {"params": [each for each in weights if each.dim() > 1], "weight_decay": 0.01},
        {"params": [each for each in weights if each.dim() == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, eps=1e-6)


def train(model, rows, settings):
    """The mean loss of the rows of each step."""
    generator = random.Random(0)
    optimizer = optimizer_of(model, settings["rate"])
    losses = []
    for number in range(settings["epochs"]):
        begin = 0
        for batch in epoch(rows, settings, generator):
            done = (number + (begin + len(batch) / 2) / len(rows)) / settings["epochs"]
            begin += len(batch)
            for group in optimizer.param_groups:
                group["lr"] = settings["rate"] * share_of_rate(done)
            ids, mask, targets = padded(rows, batch)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(ids, mask), targets)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
    return losses


def main():
    settings = json.loads(sys.argv[1])
    torch.set_num_threads(settings["threads"])
    config = json.loads(pathlib.Path(settings["config"]).read_text())
    rows = json.loads(pathlib.Path(settings["rows"]).read_text())
    model = Classifier(config, settings["start"]).train()
    before = resource.getrusage(resource.RUSAGE_SELF)
    begin = time.perf_counter()
    losses = train(model, rows, settings)
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"seconds": seconds, "cpu": cpu, "mib": after.ru_maxrss / 1024, "losses": losses}))


if __name__ == "__main__":
    main()
