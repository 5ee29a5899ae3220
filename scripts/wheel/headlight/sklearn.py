"""A model as an estimator of scikit-learn. It is trained already: fit() only loads it.

from headlight.sklearn import HeadlightClassifier

HeadlightClassifier("sentiment").predict(["a gorgeous film", "a dull one"])
"""

from __future__ import annotations

from headlight._library import ArgumentError
from headlight._model import Model

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
        """Loads the model with the parameters as they are now."""
        options: Any = {"max_tokens": self.max_tokens, "long_texts": self.long_texts}
        self.model_ = Model(self.model, self.threads, self.precision, **options)
        return self

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            self.fit()
        return self.model_

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels [c]."""
        import numpy

        return numpy.array(self._fitted().labels)

    def predict_proba(self, X: Iterable[OneText]) -> NDArray[Any]:
        """The probabilities [n, c]."""
        import numpy

        texts = list(X)
        probabilities = self._fitted().probabilities(texts)
        bad = numpy.isnan(probabilities).any(axis=1)
        if bad.any():
            first = int(bad.argmax())
            raise ArgumentError(f"text {first}: {self._fitted().classify(texts[first]).error}")
        return probabilities

    def predict(self, X: Iterable[OneText]) -> NDArray[Any]:
        """The best label of each text [n]."""
        labels: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels
