"""A model as an estimator of scikit-learn. It is trained already: fit() loads it, and checks that it has the labels.

from headlight.sklearn import HeadlightClassifier

HeadlightClassifier("sentiment").predict(["a gorgeous film", "a dull one"])
"""

from __future__ import annotations

from headlight._library import ArgumentError
from headlight._model import Model
from headlight._texts import refuse_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

    from headlight._model import OneText
try:
    from sklearn.base import BaseEstimator, ClassifierMixin
except ImportError:  # without it, this still predicts

    class BaseEstimator:  # type: ignore[no-redef]
        pass

    class ClassifierMixin:  # type: ignore[no-redef]
        pass


class HeadlightClassifier(ClassifierMixin, BaseEstimator):
    """Classifies texts or pairs with a model that gives each text one label.

    model, threads, precision: as in headlight.Model
    max_tokens: read at most this many tokens per text; 0: as many as the model takes
    long_texts: "truncate", "error" or "window"; None: as the model says
    """

    _loaded: tuple[Any, ...]  # the parameters of model_

    def __init__(
        self,
        model: str = "sentiment",
        threads: int = 0,
        precision: str = "fp32",
        max_tokens: int = 0,
        long_texts: str | None = None,
    ) -> None:
        self.model = model
        self.threads = threads
        self.precision = precision
        self.max_tokens = max_tokens
        self.long_texts = long_texts

    def fit(self, X: Any = None, y: Any = None) -> HeadlightClassifier:
        """Loads the model. Raises ValueError if y has labels that the model lacks: nothing is learned from X and y."""
        refuse_table(X)
        model = self._ready()
        if y is not None:
            import numpy

            known: set[Any] = set(model.labels)
            if isinstance(y, numpy.ndarray) and y.dtype.kind in "iu":
                known.update(range(len(model.labels)))  # as cross_val_predict() numbers classes_
            lacking = [label for label in dict.fromkeys(numpy.ravel(y).tolist()) if label not in known]
            if lacking:
                raise ArgumentError(
                    f"y has labels that the model lacks: {_listed(lacking)}; fit() does not train, and the model has"
                    f" {_listed(model.labels)}"
                )
        return self

    def _ready(self) -> Model:
        """The model with the parameters as they are now."""
        options: Any = {"max_tokens": self.max_tokens, "long_texts": self.long_texts}
        wanted = (self.model, self.threads, self.precision, options)
        if not hasattr(self, "model_") or self._loaded != wanted:
            self.model_ = Model(self.model, self.threads, self.precision, **options)
            self._loaded = wanted
        return self.model_

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels [c], sorted."""
        import numpy

        return numpy.array(sorted(self._ready().labels))

    def predict_proba(self, X: Iterable[OneText]) -> NDArray[Any]:
        """The probabilities [n, c], in the order of classes_."""
        import numpy

        if isinstance(X, str):
            raise ArgumentError("X is a list of texts, not a str; give [text] for one text")
        refuse_table(X)
        model, texts = self._ready(), list(X)
        probabilities = model.probabilities(texts)
        bad = numpy.isnan(probabilities).any(axis=1)
        if bad.any():
            first = int(bad.argmax())
            raise ArgumentError(f"text {first}: {model.classify([texts[first]])[0].error}")
        # Metrics of scikit-learn take columns in the order of the sorted labels.
        return probabilities.take(sorted(range(len(model.labels)), key=model.labels.__getitem__), axis=1)

    def predict(self, X: Iterable[OneText]) -> NDArray[Any]:
        """The best label of each text [n]."""
        probabilities = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return labels


def _listed(labels: list[Any], most: int = 8) -> str:
    return ", ".join([repr(label) for label in labels[:most]] + ["…"] * (len(labels) > most))
