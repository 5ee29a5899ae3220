"""The four sizes of BERT that are measured."""

from dataclasses import dataclass

VOCABULARY = 30522
POSITIONS = 512


@dataclass(frozen=True)
class Size:
    layers: int
    hidden: int
    intermediate: int
    heads: int
    sentences: int  # how many are scored where the user does not say

    def __str__(self):
        return f"{self.layers} layers, hidden size {self.hidden}, {self.heads} heads"


SIZES = {
    "tiny": Size(2, 128, 512, 2, 4000),
    "minilm": Size(6, 384, 1536, 12, 872),
    "distilbert": Size(6, 768, 3072, 12, 400),
    "base": Size(12, 768, 3072, 12, 200),
}
