"""The vectorizers of scikit-learn as dictionaries of a sparse model: fields of its config, and tensors."""

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils import murmurhash3_32

from importing import patterns
from importing.problem import Problem


def described(step, setting, value):
    return f"{type(step).__name__}({setting}={value!r})"


def refuse(step, setting, why="has no counterpart here"):
    raise Problem(f"{described(step, setting, getattr(step, setting))}: {why}")


class Features:
    """The dictionaries of a pipeline: `fields` and `tensors`, and `order`, the column of each row of the weights."""

    def __init__(self, steps):
        self.tensors = {}
        self.dictionaries = []
        self.order_of = []  # of each dictionary
        self.order = np.zeros(0, dtype=np.int64)
        first, *rest = steps or [None]
        parts = union_parts(first) if type(first) is FeatureUnion else [(first, 1.0)]
        for part, scale in parts:
            self.add(part, scale)
        self.steps = []
        is_union = type(first) is FeatureUnion
        target = self.steps if is_union else self.dictionaries[0]["steps"]
        idf = "idf" if is_union else "dictionaries.0.idf"
        columns = self.order if is_union else self.order_of[0]
        for step in rest:
            self.add_transformer(step, target, idf, columns)

    def add(self, part, scale):
        first, *rest = flat(part)
        name = f"dictionaries.{len(self.dictionaries)}"
        if type(first) not in (CountVectorizer, TfidfVectorizer, HashingVectorizer):
            raise Problem(f"{type(first).__name__}: is not read; {KNOWN}")
        fields = analyzer_fields(first)
        if type(first) is HashingVectorizer:
            fields |= {"buckets": first.n_features, "alternate_sign": first.alternate_sign}
            columns = np.arange(first.n_features)
        else:
            columns = self.add_terms(name, first)
        steps = fields["steps"] = ["binary"] if first.binary else []
        self.order_of.append(columns)
        if type(first) is HashingVectorizer:
            steps += norm_step(first)
        if type(first) is TfidfVectorizer:
            self.add_transformer(first._tfidf, steps, name + ".idf", columns)
        for step in rest:
            self.add_transformer(step, steps, name + ".idf", columns)
        if scale != 1.0:
            fields["scale"] = float(scale)
        self.dictionaries.append(fields)
        self.order = np.concatenate([self.order, columns + len(self.order)])

    def add_terms(self, name, vectorizer):
        """The tensors of a vocabulary in the order of hashes. Gives the column of each term."""
        found = getattr(vectorizer, "vocabulary_", None)
        if not found:
            raise Problem(f"{type(vectorizer).__name__}: is not fitted")
        terms, columns = list(found), np.array([int(i) for i in found.values()])
        if not all(type(term) is str for term in terms):
            raise Problem(f"{type(vectorizer).__name__}.vocabulary_: has a term that is no text")
        if not np.array_equal(np.sort(columns), np.arange(len(columns))):
            raise Problem(
                f"{type(vectorizer).__name__}.vocabulary_: expected each index from 0 to {len(columns) - 1} once"
            )
        try:
            encoded = [term.encode() for term in terms]
        except UnicodeEncodeError as error:
            raise Problem(f"{type(vectorizer).__name__}.vocabulary_: {error}") from None
        hashes = np.array([murmurhash3_32(term, 0, True) for term in encoded], dtype=np.uint32)
        order = np.argsort(hashes, kind="stable")
        sizes = np.array([len(encoded[i]) for i in order], dtype=np.int64)
        if sizes.sum() >= 2**32:
            raise Problem(f"{type(vectorizer).__name__}.vocabulary_: has more than 4 GB of terms")
        self.tensors[name + ".hashes"] = hashes[order]
        self.tensors[name + ".ends"] = np.cumsum(sizes).astype(np.uint32)
        self.tensors[name + ".terms"] = np.frombuffer(b"".join(encoded[i] for i in order), dtype=np.uint8)
        return columns[order]

    def add_transformer(self, step, steps, idf, columns):
        if type(step) is not TfidfTransformer:
            raise Problem(f"{type(step).__name__}: is not read; {KNOWN}")
        if step.sublinear_tf:
            steps.append("sublinear_tf")
        if step.use_idf:
            if idf in self.tensors:
                raise Problem("TfidfTransformer(use_idf=True): has no counterpart a second time")
            if len(step.idf_) != len(columns):
                raise Problem(f"TfidfTransformer.idf_: has {len(step.idf_)} numbers, expected {len(columns)}")
            steps.append("idf")
            self.tensors[idf] = np.asarray(step.idf_, dtype=np.float64)[columns]
        steps += norm_step(step)


KNOWN = (
    "CountVectorizer, TfidfVectorizer, HashingVectorizer, TfidfTransformer and FeatureUnion are, "
    "before a linear classifier"
)


def norm_step(step):
    if step.norm not in (None, "l1", "l2"):
        refuse(step, "norm")
    return [step.norm] if step.norm else []


def flat(step):
    """The steps of a Pipeline in a row."""
    if type(step) is not Pipeline:
        return [step]
    used = [inner for _, inner in step.steps if inner is not None and not isinstance(inner, str)]
    return [each for inner in used for each in flat(inner)]


def union_parts(union):
    weights = union.transformer_weights or {}
    parts = [(part, weights.get(name, 1.0)) for name, part in union.transformer_list]
    for part, _ in parts:
        if isinstance(part, str) and part != "drop":
            raise Problem(f"FeatureUnion: {part!r} has no counterpart here")
    return [(part, weight) for part, weight in parts if not isinstance(part, str)]


def analyzer_fields(step):
    for setting in ("preprocessor", "tokenizer"):
        if getattr(step, setting) is not None:
            refuse(step, setting, "a function of one's own cannot be read")
    if step.input != "content":
        refuse(step, "input")
    if step.analyzer not in ("word", "char", "char_wb"):
        refuse(step, "analyzer", "a function of one's own cannot be read")
    if step.strip_accents not in (None, "ascii", "unicode"):
        refuse(step, "strip_accents", "a function of one's own cannot be read")
    least, most = map(int, step.ngram_range)
    if not 1 <= least <= most:
        refuse(step, "ngram_range", "expected two rising numbers from 1 on")
    fields = {"analyzer": step.analyzer, "ngram_range": [least, most], "lowercase": bool(step.lowercase)}
    if step.strip_accents:
        fields["strip_accents"] = step.strip_accents
    if step.analyzer == "word":
        fields |= patterns.fields(step.token_pattern)
        stop_words = step.get_stop_words()
        if stop_words:
            fields["stop_words"] = sorted(stop_words)
    return fields
