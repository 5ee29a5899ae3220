"""Runs transformer text classifiers and shows what each head attends to.

    import headlight

    with headlight.Model("sentiment") as model:
        print(model.classify("not bad").label)

Any number of threads may use one model. A model that was made before a fork loads itself again in the child.
`python -m headlight` is the command.
"""

from __future__ import annotations

from headlight._fit import fit, models
from headlight._library import ArgumentError, Error
from headlight._model import Model
from headlight._parquet import batch_parquet
from headlight._results import Attention, Encoding, Entity, Explanation, Prediction

__all__ = [
    "ArgumentError",
    "Attention",
    "Encoding",
    "Entity",
    "Error",
    "Explanation",
    "Model",
    "Prediction",
    "__version__",
    "batch_parquet",
    "fit",
    "models",
]
__version__: str


def __getattr__(name: str) -> str:
    # The library knows its version, and is loaded when it is needed first.
    if name == "__version__":
        from headlight._library import library

        line: bytes = library().version()  # headlight 0.2.0+1a2b3c4d5e6f, commit …
        return line.decode().split()[1].rstrip(",")
    raise AttributeError(f"module 'headlight' has no attribute {name!r}")
