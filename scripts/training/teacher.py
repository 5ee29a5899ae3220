"""What a student learns from besides its labels: a teacher's logits.

The door is `Teacher`. Source: Hinton et al. 2015; squared error on logits, as Ba and
Caruana 2014 have it.
"""

import hashlib

import torch

from training import native
from training.model import logits_of
from training.rows import DataError
from training.vocabulary import encode


class Teacher:
    def __init__(self, folder, labels):
        self.folder = folder
        self.native = native.read(folder)
        if self.native.labels != labels:
            there = ", ".join(self.native.labels[:6])
            raise DataError(f"--teacher: {folder} has the labels {there}; these rows have {', '.join(labels[:6])}")

    def digest(self):
        """What tells it from another teacher."""
        digest = hashlib.sha256()
        for name, tensor in self.native.model.state_dict().items():
            digest.update(name.encode() + tensor.numpy().tobytes())
        return digest.hexdigest()

    def logits(self, texts, precision, say):
        """[len(texts), c], a line of progress every 10,000 texts. They are kept beside the teacher, for a run
        that goes on and for the next student."""
        digest = hashlib.sha256(repr((self.digest(), precision, texts)).encode("utf-8", "surrogatepass"))
        kept = self.folder.with_name(f"{self.folder.name}.logits-{digest.hexdigest()[:16]}.pt")
        if kept.is_file():
            return torch.load(kept, weights_only=True)
        logits = self.compute(texts, precision, say)
        torch.save(logits, kept)
        return logits

    def compute(self, texts, precision, say):
        tokenizer = self.native.tokenizer()
        parts = []
        for at in range(0, len(texts), 10_000):
            lists = encode(tokenizer, texts[at : at + 10_000])
            parts.append(logits_of(self.native.model, lists, self.native.pad_id, precision=precision))
            say(f"teacher: {at + len(lists)} of {len(texts)} texts")
        return torch.cat(parts)
