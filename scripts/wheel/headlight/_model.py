"""A model, and what it can be asked."""

from __future__ import annotations

import ctypes
import math
import os
from ctypes import byref, c_char

from headlight import _library
from headlight._calls import Handle, run
from headlight._library import OK, ArgumentError, Row, RunOptions, check, library
from headlight._results import Attention, Encoding, Explanation, Floats, Prediction
from headlight._texts import Batch, batches, encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, TypedDict, overload

    from typing_extensions import Unpack

    from headlight._results import Array

    OneText = str | tuple[str, str]

    class Options(TypedDict, total=False):
        max_tokens: int
        long_texts: Literal["truncate", "error", "window"] | None
        plain_text: bool
        heads_off: Iterable[tuple[int, int]]

    class ExplainOptions(Options, total=False):
        method: Literal["occlusion", "shapley", "gradient", "integrated-gradients", "lrp", "exact"] | None
        seed: int


_OPTIONS = ("max_tokens", "long_texts", "plain_text", "heads_off")
_EXPLAIN_OPTIONS = (*_OPTIONS, "method", "seed")
_SHORT_WORK = 1e10  # operations that take a second at most on one slow core
_SHORT_TEXT = 1 << 16  # bytes that tokenize() reads in some milliseconds


class Model:
    """A model in memory. close() it, or use it in a `with` statement, to free it before its last reference goes.

    name_or_path: a bundled model, or a directory or config
    threads: how many a call may use; 0: as many as the process may use
    precision: of the linear layers: "fp32", "bf16" or "int8"

    These options are those of every call that does not say otherwise:

    max_tokens: read at most this many tokens per text; 0: as many as the model takes
    long_texts: "truncate", "error", or "window": average over overlapping windows (classify, logits, embed);
        without it, as the model says
    plain_text: treat special tokens that are typed in a text as text
    heads_off: pairs (layer, head) of the heads whose output is zero

    A text is a str, or a tuple of two for a pair. Where texts are asked for, a tuple alone is a pair only of a model
    that reads pairs; in a list it always is one. A model is pickled by its name or path and its options.
    """

    name: str
    labels: list[str]  # [c]; empty without a classification head
    problem_type: str
    heads: list[int]  # in each layer
    embedding_width: int
    max_tokens: int  # of a text; 0: no limit
    reads_pairs: bool  # trained on pairs, or a published classifier that may be
    thresholds: dict[str, float]  # the least probability at which each of several labels is given; else empty

    def __init__(
        self,
        name_or_path: str | os.PathLike[str],
        threads: int = 0,
        precision: str = "fp32",
        **options: Unpack[Options],
    ) -> None:
        name = os.fspath(name_or_path)
        # A path must be found again from another directory, a name in another installation.
        self.name = os.path.abspath(name) if os.path.exists(name) else name
        self._engine_options = (_whole("threads", threads, 31), precision)
        self._options: dict[str, Any] = dict(options)
        if "heads_off" in options:
            self._options["heads_off"] = [tuple(head) for head in options["heads_off"]]
        _run_options(self._options, _OPTIONS)
        self._handle: Handle | None = self._load()
        native, model = library(), self._handle
        self.labels = [native.model_label(model, label).decode() for label in range(native.model_labels(model))]
        self.problem_type = native.model_problem_type(model).decode()
        self.heads = [native.model_heads(model, layer) for layer in range(native.model_layers(model))]
        self.embedding_width = native.model_embedding_width(model)
        self.max_tokens = native.model_max_tokens(model)
        self.reads_pairs = bool(native.model_reads_pairs(model))
        least = (ctypes.c_float * len(self.labels))()
        self.thresholds = dict(zip(self.labels, least)) if native.model_thresholds(model, least) else {}
        # Without texts, the library only says whether its scores are probabilities.
        self._has_probabilities = native.classify(model, None, 0, None, None, _address(bytearray(4)), None) == OK
        # Two operations a weight. A head has 32 numbers or more in most models; a vector may be cut after the layers.
        width = max([self.embedding_width, *(32 * heads for heads in self.heads)])
        self._work_of_token = 24 * len(self.heads) * width**2

    def _load(self) -> Handle:
        native = library()
        options = _library.EngineOptions()
        native.engine_options_defaults(byref(options))
        options.threads, options.precision = self._engine_options[0], encoded(self._engine_options[1])
        engine = Handle(native.engine_free)
        check(native.engine_new(byref(options), byref(engine.pointer)))
        model = Handle(native.model_free, engine)
        run(False, native.model_load, engine, os.fsencode(self.name), byref(model.pointer))
        return model

    def _ready(self) -> Handle:
        """The model's handle. In a forked child, the model is loaded again."""
        handle = self._handle
        if handle is not None and handle.process != os.getpid():
            with _library.lock:
                handle = self._handle
                if handle is not None and handle.process != os.getpid():
                    handle = self._handle = self._load()
        if handle is None:
            raise ArgumentError("the model is closed")
        return handle

    def close(self) -> None:
        """Frees the model when the calls that are running have ended. May be called again."""
        self._handle = None

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.name, *self._engine_options, self._options)

    def __repr__(self) -> str:
        threads, precision = self._engine_options
        options = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"headlight.Model({self.name!r}, threads={threads}, precision={precision!r}{options})"

    if TYPE_CHECKING:

        @overload
        def classify(self, texts: OneText, **options: Unpack[Options]) -> Prediction: ...  # type: ignore[overload-overlap]
        @overload
        def classify(self, texts: Iterable[OneText], **options: Unpack[Options]) -> list[Prediction]: ...

    def classify(self, texts: Any, **options: Unpack[Options]) -> Any:
        """The Prediction for one text, or a list of them for an iterable of texts.

        A bad text has a Prediction with an error and no label.
        """
        settings = self._settings(options)
        if self._is_one(texts):
            return self._predictions(Batch([texts]), settings)[0]
        return [prediction for batch in batches(texts) for prediction in self._predictions(batch, settings)]

    def logits(self, texts: OneText | Iterable[OneText], **options: Unpack[Options]) -> Array:
        """The logits [n, c] of n texts, or [c] of one. NaN for a bad text."""
        return self._rows("logits", len(self.labels), texts, options)

    def probabilities(self, texts: OneText | Iterable[OneText], **options: Unpack[Options]) -> Array:
        """The probabilities [n, c] of n texts, or [c] of one. NaN for a bad text."""
        return self._rows("probabilities", len(self.labels), texts, options)

    def embed(self, texts: OneText | Iterable[OneText], **options: Unpack[Options]) -> Array:
        """The sentence vectors [n, e] of n texts, or [e] of one. NaN for a bad text."""
        return self._rows("vectors", self.embedding_width, texts, options)

    def tokenize(self, text: OneText, **options: Unpack[Options]) -> Encoding:
        """The tokens of the whole text, uncut."""
        batch, encoding = Batch([text]), Handle(library().encoding_free)
        self._compute("tokenize", batch, self._settings(options), encoding, batch.size < _SHORT_TEXT)
        return Encoding(*_tokens(encoding, batch))

    def attention(self, text: OneText, **options: Unpack[Options]) -> Attention:
        """The attention weights of every head of every layer."""
        native = library()
        batch, attention = Batch([text]), Handle(native.attention_free)
        self._compute("attend", batch, self._settings(options), attention, self._is_short(batch))
        tokens = _tokens(native.attention_encoding(attention), batch)
        t = len(tokens[0])

        def weights(layers: list[int], *shape: int) -> Floats:
            heads = [(layer, head) for layer in layers for head in range(self.heads[layer])]
            matrices = [native.attention_weights(attention, layer, head) for layer, head in heads]
            return _copied(matrices, (*shape, self.heads[layers[0]], t, t))

        layers = list(range(len(self.heads)))
        alike = len(set(self.heads)) == 1
        logits = native.attention_logits(attention)
        return Attention(
            *tokens,
            weights(layers, len(layers)) if alike else [weights([layer]) for layer in layers],
            _copied([logits], (len(self.labels),)) if logits else None,
        )

    def explain(self, text: OneText, **options: Unpack[ExplainOptions]) -> Explanation:
        """The effect of each word on each logit.

        method: "occlusion", "shapley", "gradient", "integrated-gradients", "lrp", or "exact" of a model without layers;
            without it, as `headlight explain`: exact if the model has n-grams, else occlusion
        seed: of the random orders of "shapley"
        """
        native, c = library(), len(self.labels)
        batch, explanation = Batch([text]), Handle(native.explanation_free)
        self._compute("explain", batch, self._settings(options, _EXPLAIN_OPTIONS), explanation, False)
        count = native.explanation_words(explanation)
        offsets, sequence = batch.places(native.explanation_word, explanation, count)
        words = [batch.strings[0][which or 0][begin:end] for which, (begin, end) in zip(sequence, offsets)]
        effects = [native.explanation_effects(explanation, word) for word in range(count)]
        logits = _copied([native.explanation_logits(explanation)], (c,))
        return Explanation(words, offsets, sequence, _copied(effects, (count, c)), logits)

    def _settings(self, options: Any, names: tuple[str, ...] = _OPTIONS) -> Any:
        return _run_options({**self._options, **options}, names)

    def _is_one(self, texts: Any) -> bool:
        """Whether it is a text or a pair, not an iterable of them."""
        if isinstance(texts, tuple) and not self.reads_pairs:
            raise TypeError("a tuple is a pair of texts, and this model reads single texts; give a list")
        return isinstance(texts, (str, tuple))

    def _is_short(self, batch: Batch) -> bool:
        # A text has fewer tokens than bytes, apart from some special ones.
        return self._work_of_token * (batch.size + 8 * batch.count) < _SHORT_WORK

    def _compute(self, name: str, batch: Batch, settings: Any, result: Handle, is_short: bool) -> None:
        """Calls the function that makes a handle of one text."""
        model, function = self._ready(), getattr(library(), name)
        run(is_short, function, model, batch.native, settings, byref(result.pointer))

    def _score(self, name: str, batch: Batch, settings: Any, *outputs: Any) -> Any:
        """Calls the function that fills `outputs` [n, …]; returns the rows [n]."""
        model, function, rows = self._ready(), getattr(library(), name), (Row * batch.count)()
        run(self._is_short(batch), function, model, batch.native, batch.count, settings, *outputs, rows)
        return rows

    def _rows(self, what: str, width: int, texts: Any, options: Any) -> Array:
        """[n, width], or [width] of one text: "logits", "probabilities" or "vectors"."""
        is_one = self._is_one(texts)
        settings = self._settings(options)
        found, n = bytearray(), 0
        for batch in [Batch([texts])] if is_one else batches(texts):
            numbers = bytearray(4 * batch.count * width)
            if what == "vectors":
                self._score("embed", batch, settings, _address(numbers))
            elif what == "logits":
                self._score("classify", batch, settings, _address(numbers), None)
            else:
                self._score("classify", batch, settings, _address(bytearray(len(numbers))), _address(numbers))
            found += numbers
            n += batch.count
        return Floats(found, (width,) if is_one else (n, width)).array()

    def _predictions(self, batch: Batch, settings: Any) -> list[Prediction]:
        n, c = batch.count, len(self.labels)
        logits, scores = bytearray(4 * n * c), bytearray(4 * n * c)
        address = _address(scores) if self._has_probabilities else None
        predictions = []
        for i, row in enumerate(self._score("classify", batch, settings, _address(logits), address)):
            own = Floats(logits, (c,), i * c)
            label = labels = probability = error = None
            probabilities: dict[str, float] = {}
            if row.status != OK:
                error = self._text_error(batch.native[i], settings)
            elif self.problem_type != "regression" and not math.isnan(own.view()[0]):
                numbers = own.view().tolist()
                label = self.labels[numbers.index(max(numbers))]
                if self._has_probabilities:
                    probabilities = dict(zip(self.labels, Floats(scores, (c,), i * c).view().tolist()))
                    probability = probabilities[label]
                if self.thresholds:
                    ranked = zip(probabilities.values(), numbers, self.labels)
                    best_first = sorted(ranked, key=lambda one: one[:2], reverse=True)
                    labels = [name for score, _, name in best_first if score >= self.thresholds[name]]
            predictions.append(
                Prediction(label, probability, probabilities, own, row.tokens, row.truncated, error, labels)
            )
        return predictions

    def _text_error(self, text: Any, settings: Any) -> str:
        line = ctypes.create_string_buffer(1024)
        library().text_error(self._ready(), byref(text), settings, line, len(line))
        return line.value.decode("utf-8", "replace")


def _restored(kind: type[Model], name: str, threads: int, precision: str, options: Any) -> Model:
    return kind(name, threads, precision, **options)


def _whole(name: str, value: Any, bits: int) -> int:
    """A number that fits: ctypes drops the bits that do not."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}")
    if not 0 <= value < 2**bits:
        raise ArgumentError(f"{name} is {value}, expected 0 to {2**bits - 1}")
    return int(value)


def _run_options(given: Any, names: tuple[str, ...]) -> Any:
    """The options of a call, NULL if there are none."""
    if not given:
        return None
    options = RunOptions()
    library().run_options_defaults(byref(options))
    for name, value in given.items():
        if name not in names:
            raise TypeError(f"unknown option {name!r}; known: {', '.join(names)}")
        if value is None:
            continue
        if name in ("max_tokens", "seed"):
            setattr(options, name, _whole(name, value, 64))
        elif name == "plain_text":
            options.plain_text = bool(value)
        elif name == "heads_off":
            heads = [_whole("layer", layer, 16) << 16 | _whole("head", head, 16) for layer, head in value]
            options.heads_off, options.heads_off_count = (ctypes.c_uint32 * len(heads))(*heads), len(heads)
        else:
            setattr(options, name, encoded(value))
    return byref(options)


def _address(numbers: bytearray) -> Any:
    """Where the numbers are. They cannot grow meanwhile."""
    return (c_char * 0).from_buffer(numbers)


def _copied(rows: list[int], shape: tuple[int, ...]) -> Floats:
    """Numbers of the library in `shape`, of which it has each row at an address of its own."""
    size = 4
    for length in shape:
        size *= length
    numbers = bytearray(size)
    if rows:
        step, target = size // len(rows), ctypes.addressof(_address(numbers))
        for i, row in enumerate(rows):
            ctypes.memmove(target + i * step, row, step)
    return Floats(numbers, shape)


def _tokens(encoding: Any, batch: Batch) -> tuple[Any, ...]:
    """ids, tokens, offsets and sequence of the encoding of one text."""
    native = library()
    n = native.encoding_size(encoding)
    ids = native.encoding_ids(encoding)[:n] if n else []
    tokens = [native.encoding_token(encoding, token).decode("utf-8", "replace") for token in range(n)]
    return (ids, tokens, *batch.places(native.encoding_offsets, encoding, n))
