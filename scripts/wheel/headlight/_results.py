"""What a model answers. Arrays are numpy arrays where numpy is installed, else memoryviews of the same shape."""

from __future__ import annotations

import _collections_abc
import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy
    from numpy.typing import NDArray

    from headlight._pages import Page

    Array = NDArray[numpy.float32]

_numpy: Any = None  # the module, False without it, None before it is needed


def _find_numpy() -> Any:
    global _numpy
    if _numpy is None:
        try:
            import numpy

            _numpy = numpy
        except ImportError:
            _numpy = False
    return _numpy


class Floats:
    """float32 numbers in memory of their own: those of `buffer` from number `start` on, in `shape`."""

    __slots__ = ("buffer", "shape", "start")

    def __init__(self, buffer: bytearray, shape: tuple[int, ...], start: int = 0) -> None:
        self.buffer = buffer
        self.shape = shape
        self.start = start

    def view(self) -> memoryview[float]:
        """The numbers without a shape."""
        size = 1
        for length in self.shape:
            size *= length
        return memoryview(self.buffer).cast("f")[self.start : self.start + size]

    def array(self) -> Array:
        """The numbers, not copied. A memoryview of none has one dimension."""
        view: Any = self.view()
        numpy = _find_numpy()
        if numpy:
            view = numpy.asarray(view).reshape(self.shape)
        elif len(view):
            view = view.cast("B").cast("f", self.shape)
        return view  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Floats):
            return NotImplemented
        return self.shape == other.shape and self.view().cast("B") == other.view().cast("B")

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        # Not the whole buffer, of which this may be a row.
        return Floats, (bytearray(self.view()), self.shape)


class _Result:
    """Named values. They can be pickled and compared. repr() rounds numbers and leaves out None."""

    __slots__: tuple[str, ...] = ()
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "_source"}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def _asdict(self) -> dict[str, Any]:
        """The fields by name."""
        return {name.lstrip("_"): getattr(self, name.lstrip("_")) for name in self._values()}

    def __repr__(self) -> str:
        values = {name.lstrip("_"): value for name, value in self._values().items()}
        fields = ", ".join(f"{name}={_shown(value)}" for name, value in values.items() if value is not None)
        return f"{type(self).__name__}({fields})"


def _shown(value: Any, most: int = 8) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Floats):
        return _shown(value.view().tolist()) if len(value.shape) == 1 else f"<{' x '.join(map(str, value.shape))}>"
    if isinstance(value, dict):
        parts = [f"{key!r}: {_shown(item)}" for key, item in list(value.items())[:most]]
    elif isinstance(value, list):
        parts = [_shown(item) for item in value[:most]]
    else:
        return repr(value)
    text = ", ".join(parts + ["…"] * (len(value) > most))
    return f"{{{text}}}" if isinstance(value, dict) else f"[{text}]"


class _Row(_Result):
    """A sequence of its fields, whose names are _fields, as of a named tuple: pandas makes columns of them."""

    __slots__ = ()
    _fields: tuple[str, ...]

    def __init_subclass__(cls) -> None:
        if "_fields" not in cls.__dict__:
            cls._fields = cls.__slots__

    def __getitem__(self, index: int) -> Any:
        return getattr(self, self._fields[index])

    def __len__(self) -> int:
        return len(self._fields)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._asdict().values())


_collections_abc.Sequence.register(_Row)


class Scored:
    """Numbers of texts that were scored together, of which Predictions are made when they are asked.

    names: [c] the labels
    logits, scores: [n, c]; no scores without probabilities
    rows: [n, 3] status, tokens, truncated
    unknown: [n]
    errors: why a text is bad, by its number
    thresholds: of several labels
    """

    __slots__ = ("errors", "is_regression", "logits", "names", "rows", "scores", "thresholds", "unknown")

    def __init__(
        self,
        names: list[str],
        logits: bytearray,
        scores: bytearray | None,
        rows: Any,
        unknown: Any,
        errors: dict[int, str],
        thresholds: dict[str, float],
        is_regression: bool,
    ) -> None:
        self.names, self.logits, self.scores, self.rows, self.unknown = names, logits, scores, rows, unknown
        self.errors, self.thresholds, self.is_regression = errors, thresholds, is_regression

    def numbers(self, of: bytearray, i: int) -> Floats:
        c = len(self.names)
        return Floats(of, (c,), i * c)

    def best(self, i: int) -> int | None:
        """The number of the label of a text."""
        if self.is_regression or i in self.errors:
            return None
        logits = self.numbers(self.logits, i).view().tolist()
        return None if math.isnan(logits[0]) else logits.index(max(logits))

    def only(self, i: int) -> tuple[Any, ...]:
        """What makes another one, of one text."""
        logits, scores = (
            None if part is None else bytearray(self.numbers(part, i).view()) for part in (self.logits, self.scores)
        )
        errors = {0: self.errors[i]} if i in self.errors else {}
        rows = list(self.rows[3 * i : 3 * i + 3])
        return self.names, logits, scores, rows, [self.unknown[i]], errors, self.thresholds, self.is_regression


def _prediction(*scored: Any) -> Prediction:
    return Prediction(Scored(*scored), 0)


class Prediction(_Row):
    """The verdict on one text, of c labels.

    label: the best label; None if the model is a regression, knows no word of the text, or the text is bad
    probability: of that label; None if there is none
    probabilities: of every label by name; empty if there are none
    logits: [c]; the values of a regression; NaN if the text is bad
    tokens, truncated: how many were read, special ones included, and how many were cut
    error: why the text is bad; None if it is not
    labels: of a model of several labels those that pass its thresholds, best first, maybe none; else the label, if
        there is one
    unknown: how many of the tokens are the model's unknown token

    pandas.DataFrame(predictions) has these fields as columns.
    """

    __slots__ = ("_index", "_scored")
    _fields = ("label", "probability", "probabilities", "logits", "tokens", "truncated", "error", "labels", "unknown")

    def __init__(self, scored: Scored, index: int) -> None:
        self._scored = scored
        self._index = index

    def __reduce__(self) -> tuple[Any, ...]:
        return _prediction, self._scored.only(self._index)

    def _values(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self._fields if name not in ("logits", "labels")}
        shown = {**values, "_logits": self._scored.numbers(self._scored.logits, self._index)}
        shown["_labels"] = self.labels if self._scored.thresholds else None
        return {name: shown[name] for field in self._fields for name in (field, "_" + field) if name in shown}

    @property
    def label(self) -> str | None:
        best = self._scored.best(self._index)
        return None if best is None else self._scored.names[best]

    @property
    def probability(self) -> float | None:
        scored, best = self._scored, self._scored.best(self._index)
        if best is None or scored.scores is None:
            return None
        return scored.numbers(scored.scores, self._index).view()[best]

    @property
    def probabilities(self) -> dict[str, float]:
        scored = self._scored
        if scored.scores is None or scored.best(self._index) is None:
            return {}
        return dict(zip(scored.names, scored.numbers(scored.scores, self._index).view().tolist()))

    @property
    def logits(self) -> Array:
        return self._scored.numbers(self._scored.logits, self._index).array()

    @property
    def tokens(self) -> int:
        return self._count(self._scored.rows, 3 * self._index + 1)

    @property
    def truncated(self) -> int:
        return self._count(self._scored.rows, 3 * self._index + 2)

    @property
    def error(self) -> str | None:
        return self._scored.errors.get(self._index)

    @property
    def labels(self) -> list[str]:
        least, label = self._scored.thresholds, self.label
        if not least or label is None:
            return [] if label is None else [label]
        numbers = self._scored.numbers(self._scored.logits, self._index).view().tolist()
        ranked = zip(self.probabilities.values(), numbers, self._scored.names)
        best_first = sorted(ranked, key=lambda one: one[:2], reverse=True)
        return [name for score, _, name in best_first if score >= least[name]]

    @property
    def unknown(self) -> int:
        return self._count(self._scored.unknown, self._index)

    def _count(self, counts: Any, i: int) -> int:
        return 0 if self._index in self._scored.errors else int(counts[i])

    def _repr_html_(self) -> str:
        from headlight._pages import prediction_html

        return prediction_html(self)


class Entity(_Row):
    """What a model that labels tokens found in a text: text[start:end].

    label: without B- or I-
    probability: the mean over its tokens
    """

    __slots__ = ("label", "text", "start", "end", "probability")
    label: str
    text: str
    start: int
    end: int
    probability: float


class Encoding(_Result):
    """The n tokens of a text or a pair.

    ids, tokens: [n]
    offsets: [n] (begin, end), in characters of the str; (0, 0) of a special token
    sequence: [n] 0: of the text, 1: of the pair, None: a special token
    """

    __slots__ = ("ids", "tokens", "offsets", "sequence")
    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]
    sequence: list[int | None]

    def __len__(self) -> int:
        return len(self.ids)


class Attention(_Result):
    """What each head attends to in the t tokens that the model read.

    ids, tokens, offsets, sequence: [t], as in Encoding
    weights: [layers, heads, t, t], rows are queries and sum to 1; a list of [heads, t, t] where layers differ in heads
    logits: [c]; None if the model has no labels for a text
    """

    __slots__ = ("ids", "tokens", "offsets", "sequence", "_weights", "_logits", "_source")
    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]
    sequence: list[int | None]
    _weights: Floats | list[Floats]
    _logits: Floats | None
    _source: tuple[Any, ...]  # the model, the text and the options of the call

    def show(self, view: str = "heads", layer: int = 0, head: int = 0, query: int = 0) -> Page:
        """The program's own page, which a notebook shows: .html has it, .save(path) writes it.

        view: "heads": all heads, and the heat map of an open one; "lines": the same with its lines first; "steps": how
            one head computes what one token attends to
        layer, head, query: of "steps", from 0
        """
        from headlight._pages import attention_page

        return attention_page(self._source, view, layer, head, query)

    def _repr_html_(self) -> str | None:
        return None if self._source[0]._handle is None else self.show()._repr_html_()  # a closed model computes nothing

    @property
    def weights(self) -> Array | list[Array]:
        if isinstance(self._weights, list):
            return [layer.array() for layer in self._weights]
        return self._weights.array()

    @property
    def logits(self) -> Array | None:
        return None if self._logits is None else self._logits.array()


class Explanation(_Result):
    """The effect of each of the w words of a text or a pair on each of the c logits.

    words: [w]
    offsets: [w] (begin, end), in characters of the str
    sequence: [w] 0: of the text, 1: of the pair
    effects: [w, c]
    logits: [c]
    """

    __slots__ = ("words", "offsets", "sequence", "_effects", "_logits", "_source")
    words: list[str]
    offsets: list[tuple[int, int]]
    sequence: list[int]
    _effects: Floats
    _logits: Floats
    _source: tuple[Any, ...]  # the model, the text and the options of the call

    def show(self) -> Page:
        """The program's own page, which a notebook shows: .html has it, .save(path) writes it."""
        from headlight._pages import explanation_page

        return explanation_page(self._source)

    def _repr_html_(self) -> str:
        from headlight._pages import explanation_html

        return explanation_html(self)

    @property
    def effects(self) -> Array:
        return self._effects.array()

    @property
    def logits(self) -> Array:
        return self._logits.array()
