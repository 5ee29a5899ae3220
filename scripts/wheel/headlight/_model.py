"""A model, and what it can be asked."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_char
from itertools import repeat

from headlight import _library
from headlight._calls import Handle, made_text, new_engine, run
from headlight._library import OK, ArgumentError, Row, RunOptions, library
from headlight._results import Attention, Encoding, Entity, Explanation, Floats, Prediction, Scored
from headlight._texts import Batch, Column, as_list, batches, c_string, is_list, is_missing, one, refuse_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, Protocol, overload

    from headlight._results import Array

    OneText = str | tuple[str, str]
    LongTexts = Literal["truncate", "error", "window"]
    Method = Literal["occlusion", "shapley", "gradient", "integrated-gradients", "lrp", "exact"]
    Missing = Literal["error", "empty"]
    Heads = Iterable[tuple[int, int]]

    class ArrowStream(Protocol):
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

    class ArrowColumn(Protocol):
        def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

    # A str in it may be missing: None, NaN.
    Texts = Iterable[OneText] | Iterable[Any] | ArrowStream | ArrowColumn


_OPTIONS = ("max_tokens", "long_texts", "plain_text", "heads_off", "among")
_EXPLAIN_OPTIONS = (*_OPTIONS, "method", "seed")
_SHORT_WORK = 1e10  # operations that take a second at most on one slow core
_LEAST_WORK = 1000  # operations that a byte takes of a model without layers
_SHORT_TEXT = 1 << 16  # bytes that tokenize() reads in some milliseconds


class Model:
    """A model in memory. close() it, or use it in a `with` statement, to free it before its last reference goes.

    name_or_path: a bundled model, or a directory or config
    threads: how many a call may use; 0: as many as the process may use
    precision: of the linear layers: "fp32", "bf16" or "int8"

    These options are those of every call that does not say otherwise; None leaves it to the Model, then to the files:

    max_tokens: read at most this many tokens per text; 0: as many as the model takes
    long_texts: "truncate", "error", or "window": average over overlapping windows (classify, logits, embed);
        without it, as the model says
    plain_text: treat special tokens that are typed in a text as text
    heads_off: pairs (layer, head) of the heads whose output is zero
    among: decide between these labels alone, two or more: the softmax is over them (classify, logits, probabilities,
        evaluate). Then they are the labels, in the order of the model

    A text is a str, or a tuple of two for a pair. Where texts are asked for, a tuple alone is a pair only of a model
    that reads pairs; in a list it always is one. Texts may also be a column of numpy, pandas, polars or Arrow; one of
    Arrow is read where it is. A text that is missing there (None, NaN) has a Prediction with an error, and NaN in an
    array; missing="empty" reads it as "". A model is pickled by its name or path and its options.

    >>> import headlight
    >>> model = headlight.Model("sentiment", threads=1)
    >>> model.labels
    ['negative', 'neutral', 'positive']
    >>> model.classify("not bad", among=["negative", "positive"]).probabilities.keys()
    dict_keys(['negative', 'positive'])
    """

    name: str
    labels: list[str]  # [c]: all, or those of `among`; empty without a classification head
    problem_type: str
    heads: list[int]  # in each layer
    embedding_width: int
    max_tokens: int  # of a text; 0: no limit
    reads_pairs: bool  # trained on pairs, or a published classifier that may be
    thresholds: dict[str, float]  # the least probability at which each of several labels is given; else empty
    report: dict[str, Any] | None  # of headlight.fit(), as `headlight fit --format json`; None of another model

    def __init__(
        self,
        name_or_path: str | os.PathLike[str],
        threads: int = 0,
        precision: str = "fp32",
        *,
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
        among: Iterable[str] | None = None,
    ) -> None:
        options = _given(max_tokens=max_tokens, long_texts=long_texts, plain_text=plain_text, heads_off=heads_off)
        options.update(_given(among=among))
        self.report = None
        name = os.fsdecode(name_or_path)
        # A path must be found again from another directory, a name in another installation.
        self.name = os.path.abspath(name) if os.path.exists(name) else name
        self._engine_options = (_whole("threads", threads, 31), precision)
        self._options: dict[str, Any] = dict(options)
        if "heads_off" in options:
            self._options["heads_off"] = list(options["heads_off"])
        if "among" in options:
            self._options["among"] = _several("among", options["among"])
        settings = _run_options(self._options, _OPTIONS)
        self._handle: Handle | None = self._load()
        native, model = library(), self._handle
        self._labels = [native.model_label(model, label).decode() for label in range(native.model_labels(model))]
        self.labels = self._chosen(settings)
        self.problem_type = native.model_problem_type(model).decode()
        self.heads = [native.model_heads(model, layer) for layer in range(native.model_layers(model))]
        self.embedding_width = native.model_embedding_width(model)
        self.max_tokens = native.model_max_tokens(model)
        self.reads_pairs = bool(native.model_reads_pairs(model))
        least = (ctypes.c_float * len(self._labels))()
        self.thresholds = dict(zip(self._labels, least)) if native.model_thresholds(model, least) else {}
        # Without texts, the library only says whether its scores are probabilities.
        self._has_probabilities = native.classify(model, None, 0, None, None, _address(bytearray(4)), None) == OK
        # Two operations a weight. A head has 32 numbers or more in most models; a vector may be cut after the layers.
        width = max([self.embedding_width, *(32 * heads for heads in self.heads)])
        self._work_of_token = max(24 * len(self.heads) * width**2, _LEAST_WORK)
        if "among" in options:
            _library.check(native.classify(model, None, 0, settings, None, None, None))

    def _load(self) -> Handle:
        native = library()
        engine = new_engine(self._engine_options[0], c_string("precision", self._engine_options[1]))
        model = Handle(native.model_free, engine)
        run(
            False,
            native.model_load,
            engine,
            c_string("the name of a model", os.fsencode(self.name)),
            byref(model.pointer),
        )
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
        def classify(  # type: ignore[overload-overlap]
            self,
            texts: OneText,
            *,
            missing: Missing = "error",
            max_tokens: int | None = None,
            long_texts: LongTexts | None = None,
            plain_text: bool | None = None,
            heads_off: Heads | None = None,
            among: Iterable[str] | None = None,
        ) -> Prediction: ...
        @overload
        def classify(
            self,
            texts: Texts,
            *,
            missing: Missing = "error",
            max_tokens: int | None = None,
            long_texts: LongTexts | None = None,
            plain_text: bool | None = None,
            heads_off: Heads | None = None,
            among: Iterable[str] | None = None,
        ) -> list[Prediction]: ...

    def classify(
        self,
        texts: Any,
        *,
        missing: Missing = "error",
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
        among: Iterable[str] | None = None,
    ) -> Any:
        """The Prediction for one text, or a list of them for an iterable or a column of texts.

        A bad or missing text of a list has a Prediction with an error and no label. Raises ArgumentError for options
        that cannot be used, and if the model has no labels for a text; TypeError for what is no text.

        >>> model.classify("not bad at all").label
        'positive'
        >>> [found.label for found in model.classify(["a gorgeous film", "a dull one"])]
        ['positive', 'negative']
        """
        settings = self._given_settings(max_tokens, long_texts, plain_text, heads_off, among)
        if self._is_one(texts):
            return self._predictions(Batch([texts]), settings)[0]
        found: list[Prediction] = []
        for part in batches(texts, missing):
            found += self._predictions(part, settings, missing)
        return found

    def logits(
        self,
        texts: OneText | Texts,
        *,
        missing: Missing = "error",
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
        among: Iterable[str] | None = None,
    ) -> Array:
        """The logits [n, c] of n texts, or [c] of one. NaN for a bad or missing text.

        >>> model.logits(["a gorgeous film", "a dull one"]).shape
        (2, 3)
        """
        settings = self._given_settings(max_tokens, long_texts, plain_text, heads_off, among)
        return self._rows("logits", len(self._chosen(settings)), texts, settings, missing)

    def probabilities(
        self,
        texts: OneText | Texts,
        *,
        missing: Missing = "error",
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
        among: Iterable[str] | None = None,
    ) -> Array:
        """The probabilities [n, c] of n texts, or [c] of one. NaN for a bad or missing text.

        Raises ArgumentError if the model is a regression.

        >>> model.probabilities("a gorgeous film").tolist()[2] > 0.9
        True
        """
        settings = self._given_settings(max_tokens, long_texts, plain_text, heads_off, among)
        return self._rows("probabilities", len(self._chosen(settings)), texts, settings, missing)

    def embed(
        self,
        texts: OneText | Texts,
        *,
        missing: Missing = "error",
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
    ) -> Array:
        """The sentence vectors [n, e] of n texts, or [e] of one. NaN for a bad or missing text.

        >>> model.embed(["a gorgeous film"]).shape
        (1, 384)
        """
        settings = self._given_settings(max_tokens, long_texts, plain_text, heads_off)
        return self._rows("vectors", self.embedding_width, texts, settings, missing)

    def tokenize(
        self,
        text: OneText,
        *,
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
    ) -> Encoding:
        """The tokens of the whole text, uncut. Offsets are in characters. Of the options only plain_text matters.

        >>> model.tokenize("naïve film").offsets
        [(0, 0), (0, 2), (2, 5), (6, 10), (0, 0)]
        """
        batch, encoding = one(text), Handle(library().encoding_free)
        settings = self._given_settings(max_tokens, long_texts, plain_text, heads_off)
        self._compute("tokenize", batch, settings, encoding, batch.size < _SHORT_TEXT)
        return Encoding(*_tokens(encoding, batch))

    def attention(
        self,
        text: OneText,
        *,
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
    ) -> Attention:
        """The attention weights of every head of every layer.

        Raises ArgumentError for a bad text, and for a model without layers.

        >>> model.attention("not bad").weights.shape
        (3, 12, 4, 4)
        """
        native = library()
        if not self.heads:
            raise ArgumentError("the model has no layers, and so no attention; explain() shows what each word does")
        batch, attention = one(text), Handle(native.attention_free)
        given = _given(max_tokens=max_tokens, long_texts=long_texts, plain_text=plain_text, heads_off=heads_off)
        self._compute("attend", batch, self._settings(given), attention, self._is_short(batch))
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
            _copied([logits], (len(self._labels),)) if logits else None,
            (self, text, given),
        )

    def explain(
        self,
        text: OneText,
        *,
        method: Method | None = None,
        seed: int | None = None,
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
    ) -> Explanation:
        """The effect of each word on each logit.

        method: "occlusion", "shapley", "gradient", "integrated-gradients", "lrp", or "exact" of a model without layers;
            without it, as `headlight explain`: exact if the model has n-grams, else occlusion
        seed: of the random orders of "shapley"

        >>> model.explain("not bad at all").words
        ['not', 'bad', 'at', 'all']
        """
        native, c = library(), len(self._labels)
        batch, explanation = one(text), Handle(native.explanation_free)
        given = _given(max_tokens=max_tokens, long_texts=long_texts, plain_text=plain_text, heads_off=heads_off)
        given.update(_given(method=method, seed=seed))
        self._compute("explain", batch, self._settings(given, _EXPLAIN_OPTIONS), explanation, False)
        count = native.explanation_words(explanation)
        offsets, sequence = batch.places(native.explanation_word, explanation, count)
        words = [batch.strings[0][which or 0][begin:end] for which, (begin, end) in zip(sequence, offsets)]
        effects = [native.explanation_effects(explanation, word) for word in range(count)]
        logits = _copied([native.explanation_logits(explanation)], (c,))
        return Explanation(words, offsets, sequence, _copied(effects, (count, c)), logits, (self, text, given))

    def evaluate(
        self,
        texts: Texts,
        labels: Iterable[Any],
        *,
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
        heads_off: Heads | None = None,
        among: Iterable[str] | None = None,
    ) -> dict[str, Any]:
        """The measures of the model on labelled texts: those of `headlight evaluate --format json`.

        labels: of each text a str or a number, or a list of them. Rows without a text or a label are errors there.

        >>> found = model.evaluate(["a gorgeous film", "a dull one"], ["positive", "negative"])
        >>> found["accuracy"]
        1
        """
        import json

        settings = self._given_settings(max_tokens, long_texts, plain_text, heads_off, among)
        rows = labelled(texts, labels)
        made = made_text(library().evaluate, self._ready(), *rows, len(rows[0]), settings)
        return json.loads(made)  # type: ignore[no-any-return]

    def rank(
        self,
        query: str,
        texts: Texts,
        k: int | None = 10,
        *,
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
    ) -> list[tuple[int, float]]:
        """The k texts that answer the query best, best first: (index, score), as `headlight rank` scores them.

        k: None for all. Bad and missing texts are left out.

        >>> encoder = headlight.Model("encoder", threads=1)
        >>> [index for index, _ in encoder.rank("a lost card", ["my card is gone", "the weather"], k=1)]
        [0]
        """
        settings = self._given_settings(max_tokens, long_texts, plain_text, None)
        asked = one(query)
        most = None if k is None else _whole("k", k, 63)
        refuse_one(texts)
        scored: list[tuple[int, float]] = []
        for part in batches(as_list(texts)):
            numbers = bytearray(4 * part.count)
            rows = self._score("rank", part, settings, _address(numbers), before=(asked.native,))
            lost = self._missing(part, rows, settings)
            scores = enumerate(memoryview(numbers).cast("f").tolist())
            scored += [(part.first + i, score) for i, score in scores if rows[i].status == OK and i not in lost]
        scored.sort(key=lambda one: -one[1])
        return scored[:most]

    def entities(
        self, text: str, *, max_tokens: int | None = None, long_texts: LongTexts | None = None
    ) -> list[Entity]:
        """What a model that labels tokens finds in a text, in its order. Raises ArgumentError for another model."""
        native = library()
        batch, found = one(text), Handle(native.entity_list_free)
        settings = self._given_settings(max_tokens, long_texts, None, None)
        self._compute("entities", batch, settings, found, self._is_short(batch))
        count = native.entity_list_size(found)
        places, _ = batch.places(native.entity_list_place, found, count)
        return [
            Entity(
                native.entity_list_label(found, i).decode("utf-8", "replace"),
                text[begin:end],
                begin,
                end,
                native.entity_list_probability(found, i),
            )
            for i, (begin, end) in enumerate(places)
        ]

    def zero_shot(
        self,
        texts: Texts,
        labels: Iterable[str],
        *,
        each_alone: bool = False,
        missing: Missing = "error",
        max_tokens: int | None = None,
        long_texts: LongTexts | None = None,
        plain_text: bool | None = None,
    ) -> list[Prediction]:
        """Predictions with labels that the model was not trained on. It was trained on entailment, or is GLiClass.

        each_alone: a probability for each label by itself
        """
        names = list(labels)
        settings = self._given_settings(max_tokens, long_texts, plain_text, None)
        given = _strings("a label", names)
        found: list[Prediction] = []
        for part in batches([texts] if isinstance(texts, str) else as_list(texts), missing):
            found += _each(self._scored("zero_shot", part, settings, names, (given, len(names), int(each_alone))))
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Copies the model, such as that of headlight.fit() without a path: its folder, or its file if it is one of
        fastText. `path` must not exist.
        """
        from headlight._fit import models
        from headlight._save import copy_model

        source: str | None = self.name
        if not os.path.isabs(self.name):
            source = next((one["path"] for one in models() if one["name"] == self.name), None)
        if source is None:
            raise ArgumentError(
                f"{self.name} is not among headlight.models(), so its files are not known; load it by the path of its"
                " folder to save it"
            )
        copy_model(source, os.fsdecode(path))

    def _settings(self, options: Any, names: tuple[str, ...] = _OPTIONS) -> Any:
        return _run_options({**self._options, **options}, names)

    def _given_settings(
        self, max_tokens: Any, long_texts: Any, plain_text: Any, heads_off: Any, among: Any = None
    ) -> Any:
        given = _given(max_tokens=max_tokens, long_texts=long_texts, plain_text=plain_text, heads_off=heads_off)
        return self._settings({**given, **_given(among=among)})

    def _chosen(self, settings: Any) -> list[str]:
        """The labels of a call, in the order of the model."""
        among = settings and getattr(settings._obj, "labels", None)
        return [label for label in self._labels if label in among] if among else self._labels

    def _is_one(self, texts: Any) -> bool:
        """Whether it is a text or a pair, not an iterable of them."""
        if isinstance(texts, tuple) and not self.reads_pairs:
            raise TypeError("a tuple is a pair of texts, and this model reads single texts; give a list")
        return isinstance(texts, (str, tuple))

    def _is_short(self, part: Batch | Column) -> bool:
        # A text has fewer tokens than bytes, apart from some special ones.
        return self._work_of_token * (part.size + 8 * part.count) < _SHORT_WORK

    def _compute(self, name: str, batch: Batch, settings: Any, result: Handle, is_short: bool) -> None:
        """Calls the function that makes a handle of one text."""
        model, function = self._ready(), getattr(library(), name)
        run(is_short, function, model, batch.native, settings, byref(result.pointer))

    def _score(
        self, name: str, part: Batch | Column, settings: Any, *outputs: Any, before: Any = (), between: Any = ()
    ) -> Any:
        """Calls the function that fills `outputs` [n, …]; returns the rows [n]."""
        model, function, rows = self._ready(), getattr(library(), name + part.suffix), (Row * part.count)()
        run(self._is_short(part), function, model, *before, *part.arguments, *between, settings, *outputs, rows)
        return rows

    def _rows(self, what: str, width: int, texts: Any, settings: Any, missing: str) -> Array:
        """[n, width], or [width] of one text: "logits", "probabilities" or "vectors"."""
        is_one = self._is_one(texts)
        found: list[bytearray] = []
        n = 0
        for part in [Batch([texts])] if is_one else batches(texts, missing):
            numbers = bytearray(4 * part.count * width)
            if what == "vectors":
                rows = self._score("embed", part, settings, _address(numbers))
            elif what == "logits":
                rows = self._score("classify", part, settings, _address(numbers), None)
            else:
                rows = self._score("classify", part, settings, _address(bytearray(len(numbers))), _address(numbers))
            for i in self._missing(part, rows, settings):
                own = _nan(width) if missing == "error" else self._empty(what, width, settings)
                numbers[4 * i * width : 4 * (i + 1) * width] = own
            found.append(numbers)
            n += part.count
        whole = found[0] if len(found) == 1 else bytearray().join(found)
        return Floats(whole, (width,) if is_one else (n, width)).array()

    def _missing(self, part: Batch | Column, rows: Any, settings: Any) -> list[int]:
        if isinstance(part, Batch):
            return part.missing
        model = self._ready()
        statuses = memoryview(rows).cast("B").cast("i")[::3] if part.count else []
        bad = [i for i, status in enumerate(statuses) if status != OK] if any(statuses) else []
        return [i for i in bad if part.is_null(model, i, settings)]

    def _empty(self, what: str, width: int, settings: Any) -> bytes:
        """The numbers of an empty text."""
        numbers: Any = self._rows(what, width, "", settings, "error")
        return bytes(memoryview(numbers).cast("B"))

    def _predictions(self, part: Batch | Column, settings: Any, missing: str = "error") -> list[Prediction]:
        scored = self._scored("classify", part, settings, self._chosen(settings))
        found = _each(scored)
        if missing == "empty" and isinstance(part, Column):
            for i in [i for i, error in scored.errors.items() if error.endswith(" is missing")]:
                found[i] = self._predictions(Batch([""]), settings)[0]
        return found

    def _scored(self, name: str, part: Batch | Column, settings: Any, names: list[str], between: Any = ()) -> Scored:
        """What a call that fills logits and probabilities of these labels [n, c] gives."""
        n, c = part.count, len(names)
        logits, unknown = bytearray(4 * n * c), (ctypes.c_uint32 * n)()
        scores = bytearray(len(logits)) if self._has_probabilities or between else None
        settings = settings or _run_options(None, ())
        settings._obj.unknown = unknown
        outputs = _address(logits), None if scores is None else _address(scores)
        rows = self._score(name, part, settings, *outputs, between=between)
        settings._obj.unknown = None
        counts: Any = memoryview(rows).cast("B").cast("I") if n else ()
        lost = set(part.missing) if isinstance(part, Batch) else set()
        bad = {i for i, status in enumerate(counts[::3].tolist()) if status != OK} if n and any(counts[::3]) else set()
        errors = {i: part.error(self._ready(), i, settings) for i in sorted(lost | bad)}
        for i in lost:
            logits[4 * i * c : 4 * (i + 1) * c] = _nan(c)
        is_regression = self.problem_type == "regression" and not between
        thresholds = {} if between else self.thresholds
        return Scored(names, logits, scores, counts, unknown, errors, thresholds, is_regression)


def _each(scored: Scored) -> list[Prediction]:
    import gc

    # None of them is in a cycle, and the collector would look through a million again and again.
    collects = gc.isenabled()
    gc.disable()
    try:
        return list(map(Prediction, repeat(scored), range(len(scored.unknown))))
    finally:
        if collects:
            gc.enable()


def _several(name: str, values: Any) -> list[Any]:
    """A list of values: a str is one of them, not a list of letters."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is a list of str, not {type(values).__name__}")
    return list(values)


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _nan(width: int) -> bytes:
    return b"\0\0\xc0\x7f" * width


def labelled(texts: Any, labels: Any, keeps_lists: bool = False) -> tuple[Any, Any]:
    """Texts and labels as the library reads rows: a text or a label that is missing is NULL.

    keeps_lists: a list of one label stays a list, as `headlight fit` reads it: then it is one of several
    """
    refuse_one(texts)
    refuse_one(labels, "labels")
    all_texts, all_labels = as_list(texts), as_list(labels)
    if len(all_texts) != len(all_labels):
        raise ArgumentError(f"there are {len(all_texts)} texts and {len(all_labels)} labels")
    batch = Batch(all_texts)
    for i in batch.missing:
        batch.native[i].text = None
    given = (ctypes.c_char_p * len(all_labels))(*[_label(label, keeps_lists) for label in all_labels])
    return batch.native, given


def _label(value: Any, keeps_lists: bool) -> bytes | None:
    if not is_list(value):
        return None if is_missing(value) else _name(value)
    names = [_name(one) for one in value if not is_missing(one)]
    if not names and len(value):
        return None
    # An empty label is none, and more than one line is a list.
    return b"\n".join(names if len(names) > 1 or (names and not keeps_lists) else [*names, b"", b""][:2])


def _name(label: Any) -> bytes:
    name = label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
    if "\n" in name:
        raise ArgumentError(f"a label is one line, not {name!r}")
    return c_string("a label", name)


def _strings(what: str, values: list[Any]) -> Any:
    return (ctypes.c_char_p * len(values))(*[c_string(what, value) for value in values])


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
    """The options of a call, NULL if there are none; those of None are the defaults."""
    if given is not None and not given:
        return None
    options = RunOptions()
    library().run_options_defaults(byref(options))
    for name, value in (given or {}).items():
        if name not in names:
            raise TypeError(f"unknown option {name!r}; known: {', '.join(names)}")
        if value is None:
            continue
        if name in ("max_tokens", "seed"):
            setattr(options, name, _whole(name, value, 64))
        elif name == "plain_text":
            options.plain_text = bool(value)
        elif name == "heads_off":
            pairs = list(value)
            if not all(hasattr(pair, "__len__") and len(pair) == 2 for pair in pairs):
                raise TypeError("heads_off is a list of pairs (layer, head)")
            heads = [_whole("layer", layer, 16) << 16 | _whole("head", head, 16) for layer, head in pairs]
            options.heads_off, options.heads_off_count = (ctypes.c_uint32 * len(heads))(*heads), len(heads)
        elif name == "among":
            labels = options.labels = _several(name, value)
            if not labels:
                raise ArgumentError("among takes two or more labels, found 0")
            options.among, options.among_count = _strings("a label", labels), len(labels)
        else:
            setattr(options, name, c_string(name, value))
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
