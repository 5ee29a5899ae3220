"""Estimators of scikit-learn: a classifier that trains, and a vectorizer.

>>> from headlight.sklearn import HeadlightClassifier, HeadlightVectorizer
>>> texts = ["good film", "bad film", "a good one", "a bad one", "very good", "very bad"] * 3
>>> classifier = HeadlightClassifier(train="static", threads=1).fit(texts, [1, 0] * 9)
>>> classifier.predict(["so good", "so bad"]).tolist()
[1, 0]
>>> HeadlightClassifier("sentiment").predict(["a gorgeous film"]).tolist()
['positive']
>>> HeadlightVectorizer("encoder").fit_transform(["a gorgeous film"]).shape
(1, 384)
"""

from __future__ import annotations

import os

from headlight._fit import fit
from headlight._library import ArgumentError
from headlight._model import Model
from headlight._texts import as_list, is_list, is_missing, refuse_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from headlight._model import OneText, Texts
try:
    from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
    from sklearn.exceptions import NotFittedError
except ImportError:  # without it, these still train and predict

    class BaseEstimator:  # type: ignore[no-redef]
        pass

    class ClassifierMixin:  # type: ignore[no-redef]
        pass

    class TransformerMixin:  # type: ignore[no-redef]
        pass

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        pass


class _OnTexts(BaseEstimator):
    """What both have: X is a list or a column of texts, not a matrix."""

    _model: Model | None = None
    n_features_in_ = 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def _more_tags(self) -> dict[str, Any]:  # of scikit-learn before 1.6
        return {"X_types": ["string"], "stateless": False}

    def __sklearn_is_fitted__(self) -> bool:
        return self._model is not None

    def _fitted(self) -> Model:
        if self._model is None:
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit() first")
        return self._model

    def __getstate__(self) -> dict[str, Any]:
        """The parameters, and the files of a model that was trained here."""
        state = dict(self.__dict__)
        if state.get("_is_trained"):
            folder = state.pop("_model").name
            state["_files"] = {file: _bytes_of(os.path.join(folder, file)) for file in sorted(os.listdir(folder))}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        files = state.pop("_files", None)
        self.__dict__.update(state)
        if files is None:
            return
        import tempfile
        import weakref

        from headlight._fit import _remove

        temporary = tempfile.mkdtemp(prefix="headlight-")
        weakref.finalize(self, _remove, temporary, os.getpid())
        folder = os.path.join(temporary, "model")
        os.mkdir(folder)
        for file, data in files.items():
            with open(os.path.join(folder, file), "wb") as output:
                output.write(data)
        self._model = Model(folder, _threads(self.threads))


class HeadlightClassifier(ClassifierMixin, _OnTexts):
    """Trains a classifier of texts or pairs, as headlight.fit() does, and predicts.

    start: the name or path of the model to start from; one that has labels is used as it is where train is None
    train, minutes: as in headlight.fit(); None is "auto" with a start that has no labels
    threads: 0: as many as the process may use, shared among the workers of joblib
    random_state: the seed: an int, None (0), or a numpy RandomState
    max_tokens: read at most this many tokens per text in predict(); 0: as many as the model takes
    long_texts: "truncate", "error" or "window" in predict(); None: as the model says

    fit(X, y): y is [n] of any dtype, or an indicator matrix [n, c] for several labels; classes_ keeps its dtype.
    HeadlightClassifier("sentiment") is that model: fit() only checks that it has the labels of y.
    """

    def __init__(
        self,
        start: str | os.PathLike[str] = "encoder",
        train: str | None = None,
        minutes: float = 2,
        threads: int = 0,
        random_state: Any = 0,
        max_tokens: int = 0,
        long_texts: str | None = None,
    ) -> None:
        self.start = start
        self.train = train
        self.minutes = minutes
        self.threads = threads
        self.random_state = random_state
        self.max_tokens = max_tokens
        self.long_texts = long_texts

    @classmethod
    def from_model(
        cls, model: str | os.PathLike[str] | Model, threads: int = 0, max_tokens: int = 0, long_texts: str | None = None
    ) -> HeadlightClassifier:
        """A classifier that is fitted: by the model of this name or path."""
        name = model.name if isinstance(model, Model) else model
        made = cls(name, threads=threads, max_tokens=max_tokens, long_texts=long_texts)
        made._use(model if isinstance(model, Model) else Model(model, _threads(threads)))
        # One of headlight.fit() may be in a temporary folder.
        made._is_trained = made._fitted().report is not None
        return made

    def _use(self, model: Model) -> None:
        """Predicts with this model."""
        import numpy

        if not model.labels:
            raise ArgumentError(f"{model.name} has no labels; headlight.models() lists those of each model")
        if model.problem_type == "regression":
            raise ArgumentError(f"{model.name} predicts a value, not a label")
        self._model, self._is_trained = model, False
        self._spellings = sorted(model.labels)
        self.classes_ = numpy.array(self._spellings)
        self._several = model.problem_type == "multi_label_classification"

    def _uses_start(self) -> bool:
        """Whether start is used as it is: it has labels, and train does not ask for a training."""
        if self.train is not None or self.start == "encoder":
            return False
        model = Model(self.start, _threads(self.threads))
        if model.labels:
            self._use(model)
        return bool(model.labels)

    def _fitted(self) -> Model:
        if self._model is None:
            self._uses_start()
        return super()._fitted()

    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> HeadlightClassifier:
        """Trains a model of its own. Raises ValueError if y has one class, or not as many rows as X."""
        import numpy

        if self._uses_start():
            if X is not None:
                _texts(X)
            _check_known(y, self._spellings)
            return self
        if y is None:
            raise ArgumentError(
                f"fit() trains, and requires y to be passed, but the target y is None, and {self.start} has no labels"
            )
        texts = _texts(X)
        y = _checked(y)
        if len(y) != len(texts):
            raise ArgumentError(f"X has {len(texts)} texts and y {len(y)} rows")
        several = y.ndim == 2
        classes = numpy.arange(y.shape[1]) if several else _classes(y)
        spellings = [str(one) for one in classes.tolist()]
        if len(set(spellings)) < 2:
            raise ArgumentError(f"y has one class, {spellings[0]!r}; a classifier needs two or more")
        if several:
            labels: list[Any] = [[name for name, on in zip(spellings, row) if on] for row in y.tolist()]
            if all(len(row) == 1 for row in labels):
                labels = [row[0] for row in labels]
        else:
            labels = [str(one) for one in y.tolist()]
        start = None if self.start == "encoder" else self.start
        model = fit(
            texts,
            labels,
            None,
            self.train or "auto",
            None,
            self.minutes,
            _seed(self.random_state),
            False,
            start=start,
            threads=_threads(self.threads),
            weights=None if sample_weight is None else _weights(sample_weight),
        )
        lost = [] if several else [name for name in spellings if name not in model.labels]
        if lost:
            raise ArgumentError(
                f"no text of the label {lost[0]!r} can be used, or it is the spelling of a list of labels"
            )
        # Only now: what fails leaves what was fitted before as it is.
        self._model, self._is_trained, self._several = model, True, several
        self.classes_, self._spellings = classes, spellings
        return self

    def predict_proba(self, X: Texts) -> NDArray[Any]:
        """The probabilities [n, c], in the order of classes_."""
        import numpy

        model, texts = self._fitted(), _texts(X)
        options: dict[str, Any] = {"max_tokens": self.max_tokens or None, "long_texts": self.long_texts}
        probabilities = model.probabilities(texts, **options)
        _refuse_bad(probabilities, texts, lambda text: model.classify([text], **options)[0].error)
        found: NDArray[Any] = numpy.zeros((len(texts), len(self._spellings)), dtype=probabilities.dtype)
        for number, name in enumerate(self._spellings):
            if name in model.labels:  # a column of an indicator matrix may have been empty
                found[:, number] = probabilities[:, model.labels.index(name)]
        return found

    def predict(self, X: Texts) -> NDArray[Any]:
        """The best label of each text [n]; of several labels an indicator matrix [n, c]."""
        import numpy

        probabilities = self.predict_proba(X)
        if self._several:
            thresholds = self._fitted().thresholds
            if not thresholds:  # each row had one label
                given: NDArray[Any] = numpy.eye(len(self._spellings), dtype=int)[probabilities.argmax(axis=1)]
                return given
            least = numpy.array([thresholds.get(name, 2.0) for name in self._spellings])
            return (probabilities >= least.astype(numpy.float32)).astype(int)
        best: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return best


class HeadlightVectorizer(TransformerMixin, _OnTexts):
    """Texts → sentence vectors [n, e] of a model. There is nothing to fit.

    model: a name or path
    threads: 0: as many as the process may use, shared among the workers of joblib
    """

    def __init__(self, model: str = "encoder", threads: int = 0) -> None:
        self.model = model
        self.threads = threads

    def fit(self, X: Any = None, y: Any = None) -> HeadlightVectorizer:
        """Loads the model."""
        self._model = Model(self.model, _threads(self.threads))
        return self

    def transform(self, X: Texts) -> NDArray[Any]:
        model = self._fitted()
        texts = _texts(X)
        vectors: NDArray[Any] = model.embed(texts)
        _refuse_bad(vectors, texts, lambda text: "cannot be read")
        return vectors

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        import numpy

        width = self._fitted().embedding_width
        return numpy.array([f"headlight{i}" for i in range(width)], dtype=object)


def _texts(X: Any) -> list[OneText]:
    """The texts of a list or a column. One of a table is one, too: a matrix of one column, a frame is refused."""
    if isinstance(X, str):
        raise ArgumentError("X is a list of texts, not a str; give [text] for one text")
    refuse_table(X)
    if getattr(X, "ndim", 1) == 2 and X.shape[1] == 1:
        X = X.ravel()
    if getattr(X, "ndim", 1) != 1:
        raise ArgumentError(f"X is a list of texts, not an array of {X.ndim} dimensions; give one column of it")
    texts = as_list(X)
    if not texts:
        raise ArgumentError("X has 0 texts, while a minimum of 1 is required")
    return texts


def _refuse_bad(numbers: Any, texts: list[Any], why: Any) -> None:
    """Raises ValueError if a text has no numbers."""
    import numpy

    bad = numpy.isnan(numbers).any(axis=1)
    if bad.any():
        i = int(bad.argmax())
        error = "" if is_missing(texts[i]) else why(texts[i]) or "the model knows no word of it"
        raise ArgumentError(f"text {i}: {error}" if error else f"text {i} is missing")


def _classes(y: Any) -> Any:
    import numpy

    try:
        return numpy.unique(y)
    except TypeError:
        raise ArgumentError("y has labels of several types, which have no order") from None


def _checked(y: Any) -> Any:
    """y as an array: labels [n], or an indicator matrix [n, c]."""
    import numpy

    if isinstance(y, str):
        raise ArgumentError("y is a list of labels, not a str")
    if hasattr(y, "toarray"):
        y = y.toarray()
    if not hasattr(y, "dtype") and len(getattr(y, "shape", ())) != 2:  # no array, column or table
        y = as_list(y)
        _refuse_missing(y)  # numpy would write "nan" among strings
    try:
        y = numpy.asarray(y)
    except ValueError:  # rows of several lengths
        raise ArgumentError(_NOT_LABELS) from None
    if y.ndim == 2 and y.shape[1] == 1:
        y = y.ravel()
    if y.ndim == 2:
        if not (numpy.isin(y, (0, 1)).all() if y.dtype.kind in "biuf" else all(map(_is_flag, y.ravel().tolist()))):
            raise ArgumentError(_NOT_LABELS)
        return y
    if y.ndim != 1 or any(is_list(label) or isinstance(label, dict) for label in y):
        raise ArgumentError(_NOT_LABELS)
    _refuse_missing(y)
    if y.dtype.kind == "f" and not numpy.isfinite(y).all():
        raise ArgumentError("y contains infinity")
    if y.dtype.kind == "f" and (y != y.round()).any():
        raise ArgumentError("Unknown label type: continuous. HeadlightClassifier learns labels, not numbers")
    return y


_NOT_LABELS = (
    "y is neither a label for each text nor an indicator matrix of 0 and 1; of lists of labels,"
    " MultiLabelBinarizer().fit_transform(y) of scikit-learn makes one"
)


def _is_flag(value: Any) -> bool:
    return not is_missing(value) and value in (0, 1)


def _refuse_missing(labels: Any) -> None:
    """To `headlight fit`, an empty label is a missing one, too."""
    for i, label in enumerate(labels):
        if is_missing(label) or (isinstance(label, str) and not label):
            raise ArgumentError(f"y has no label of text {i} ({str(label) or 'it is empty'}); leave such rows out")


def _weights(sample_weight: Any) -> Any:
    import numpy

    weights = numpy.asarray(sample_weight, dtype=float)
    if weights.ndim != 1:
        raise ArgumentError(f"sample_weight has {weights.ndim} dimensions, expected 1: a weight for each text")
    return weights.tolist()


def _check_known(y: Any, labels: list[str]) -> None:
    """Raises ValueError if y has a label that the model lacks. cross_val_predict() gives their numbers in classes_."""
    import numpy

    if y is None:
        return
    numbers = range(len(labels)) if getattr(y, "dtype", numpy.dtype(str)).kind in "iu" else ()
    y = _checked(y)
    if y.ndim == 2:
        return
    lacking = [one for one in dict.fromkeys(y.tolist()) if one not in labels and one not in numbers]
    if lacking:
        shown = ", ".join(map(repr, lacking[:8]))
        raise ArgumentError(f'y has labels that the model lacks: {shown}; train="auto" would train another model')


def _seed(random_state: Any) -> int:
    if random_state is None:
        return 0
    if hasattr(random_state, "__index__"):
        return int(random_state)
    if not hasattr(random_state, "randint"):
        raise ArgumentError(f"random_state is {random_state!r}, expected an int, None or a numpy RandomState")
    return int(random_state.randint(2**31 - 1))


def _threads(threads: int) -> int:
    """In a worker of joblib, the cores that are left to it: n_jobs times threads is no more than the cores."""
    import multiprocessing
    import threading
    from multiprocessing.dummy import DummyProcess

    if threads > 0:
        return threads
    if multiprocessing.parent_process() is not None:
        limit = os.environ.get("LOKY_MAX_CPU_COUNT") or os.environ.get("OMP_NUM_THREADS")
        if limit and limit.isdigit():
            return max(int(limit), 1)
    # A pool does not say how many workers it has.
    is_of_pool = multiprocessing.current_process().daemon or isinstance(threading.current_thread(), DummyProcess)
    return 1 if is_of_pool else 0


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
