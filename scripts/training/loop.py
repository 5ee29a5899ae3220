"""The training loop: AdamW, warm-up and linear decay, batches of like length, checkpoints to resume from.

The door is `train`. A run that is stopped and resumed takes the same steps as one that is not.
"""

import os
import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional

from training.model import pad, products_in
from training.rows import DataError

BUCKET = 50  # batches that are sorted by length together


@dataclass
class Plan:
    epochs: int
    batch_size: int
    learning_rate: float
    warmup: float  # share of the steps
    weight_decay: float
    clip: float  # largest norm of the gradient
    seed: int
    checkpoint: Path
    checkpoint_seconds: float
    precision: str  # of the products of matrices: fp32, bf16
    teacher_weight: float  # share of the squared error in the loss, where there is a teacher
    fingerprint: dict  # what has to be the same for a run to be resumed


UNKNOWN = -1  # the class of a row that only the teacher labels


@dataclass
class Examples:
    """What is trained on, row by row."""

    lists: list[list[int]]
    classes: list[int]
    teacher: torch.Tensor | None = None  # logits [rows, c]

    def batch(self, chosen, pad_id):
        """Ids [b, n], mask [b, n], classes [b] and the teacher's logits [b, c] or None."""
        ids, mask = pad([self.lists[i] for i in chosen], pad_id)
        classes = torch.tensor([self.classes[i] for i in chosen])
        return ids, mask, classes, None if self.teacher is None else self.teacher[chosen]


class Stopped(Exception):
    """The run was told to stop; its checkpoint is written."""


class StopSignal:
    """Whether SIGINT or SIGTERM came, so that a run stops between two steps. The second one stops it at once."""

    def __init__(self):
        self.came = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.note)

    def note(self, number, frame):
        self.came = True
        signal.signal(number, signal.SIG_DFL)


def batches_of_epoch(lengths, plan, epoch):
    """Lists of row numbers: every row once, in an order that depends on the seed and the epoch alone."""
    shuffle = random.Random(plan.seed * 1_000_003 + epoch)
    order = list(range(len(lengths)))
    shuffle.shuffle(order)
    span = plan.batch_size * BUCKET
    batches = []
    for at in range(0, len(order), span):
        bucket = sorted(order[at : at + span], key=lambda i: lengths[i])
        batches += [bucket[i : i + plan.batch_size] for i in range(0, len(bucket), plan.batch_size)]
    shuffle.shuffle(batches)
    return batches


def make_optimizer(model, plan):
    """AdamW; biases and norms do not decay."""
    flat = [p for p in model.parameters() if p.ndim < 2]
    full = [p for p in model.parameters() if p.ndim >= 2]
    groups = [{"params": full, "weight_decay": plan.weight_decay}, {"params": flat, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=plan.learning_rate, eps=1e-6, fused=True)


def rate_at(step, steps, plan):
    """Share of the learning rate at `step`, counted from 0: up over the warm-up, then down to 0."""
    warm = max(1, round(steps * plan.warmup))
    return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)


class Progress:
    """One line on stderr every few seconds: where we are, mean loss since the last line, speed, time left."""

    def __init__(self, steps):
        self.steps, self.seconds = steps, 10.0
        self.loss = self.count = self.rows = 0
        self.shown = time.monotonic()
        self.pace = None  # seconds a step, the last lines weighing most: other work on the machine comes and goes

    def add(self, step, loss, rows):
        self.loss += loss
        self.count += 1
        self.rows += rows
        now = time.monotonic()
        if now - self.shown < self.seconds and step + 1 < self.steps:
            return
        done = step + 1
        pace = (now - self.shown) / self.count
        self.pace = pace if self.pace is None else 0.8 * self.pace + 0.2 * pace
        left = self.pace * (self.steps - done)
        speed = self.rows / max(now - self.shown, 1e-9)
        print(
            f"step {done}/{self.steps}  loss {self.loss / self.count:.4f}  {speed:.0f} rows/s"
            f"  {int(left) // 60}:{int(left) % 60:02d} left",
            file=sys.stderr,
            flush=True,
        )
        self.loss = self.count = self.rows = 0
        self.shown = now


def save_checkpoint(model, optimizer, step, plan):
    plan.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    fresh = plan.checkpoint.with_name(plan.checkpoint.name + ".new")
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "random": torch.get_rng_state(),
        "step": step,
        "fingerprint": plan.fingerprint,
    }
    torch.save(state, fresh)
    os.replace(fresh, plan.checkpoint)


def load_checkpoint(model, optimizer, plan):
    """Puts the state of a stopped run back and returns the number of steps it had taken."""
    if not plan.checkpoint.is_file():
        raise DataError(f"--resume: no {plan.checkpoint}")
    state = torch.load(plan.checkpoint, weights_only=True)
    for name, value in plan.fingerprint.items():
        if state["fingerprint"].get(name) != value:
            was = state["fingerprint"].get(name)
            raise DataError(f"--resume: the stopped run had {name} {was!r}, this one has {value!r}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])
    return state["step"]


def loss_of(logits, classes, teacher, plan):
    """Cross-entropy of the rows whose class is known, beside the squared error to the teacher's logits."""
    entropy = functional.cross_entropy(logits, classes, ignore_index=UNKNOWN, reduction="sum") / len(classes)
    if teacher is None:
        return entropy
    return plan.teacher_weight * functional.mse_loss(logits, teacher) + (1 - plan.teacher_weight) * entropy


def train_step(model, optimizer, batch, plan):
    """One step on `batch`, as `Examples.batch` gives it; the loss as a number."""
    ids, mask, classes, teacher = batch
    optimizer.zero_grad(set_to_none=True)
    with products_in(plan.precision):
        logits = model(ids, mask)
    loss = loss_of(logits.float(), classes, teacher, plan)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
    optimizer.step()
    value = loss.item()
    if value != value or value == float("inf"):
        raise DataError("the loss is no longer a number; try a smaller --learning-rate")
    return value


def train(model, examples, pad_id, plan, resume, after_epoch):
    """Trains `model` on the Examples; calls `after_epoch(number)` after each epoch."""
    lengths = [len(ids) for ids in examples.lists]
    optimizer = make_optimizer(model, plan)
    done = load_checkpoint(model, optimizer, plan) if resume else 0
    per_epoch = -(-len(lengths) // plan.batch_size)
    steps = per_epoch * plan.epochs
    progress = Progress(steps)
    saved = time.monotonic()
    stop = StopSignal()
    for epoch in range(done // per_epoch, plan.epochs):
        batches = batches_of_epoch(lengths, plan, epoch)
        for step in range(max(done, epoch * per_epoch), (epoch + 1) * per_epoch):
            chosen = batches[step - epoch * per_epoch]
            for group in optimizer.param_groups:
                group["lr"] = plan.learning_rate * rate_at(step, steps, plan)
            model.train()
            loss = train_step(model, optimizer, examples.batch(chosen, pad_id), plan)
            progress.add(step, loss, len(chosen))
            if stop.came or time.monotonic() - saved > plan.checkpoint_seconds:
                save_checkpoint(model, optimizer, step + 1, plan)
                saved = time.monotonic()
            if stop.came:
                raise Stopped(step + 1)
        after_epoch(epoch + 1)
        save_checkpoint(model, optimizer, (epoch + 1) * per_epoch, plan)
    plan.checkpoint.unlink(missing_ok=True)
