"""A program that uses the module, which mypy checks: python_learning.py."""

from __future__ import annotations

import headlight
import numpy as np
import polars as pl
import pyarrow as pa
from headlight.sklearn import HeadlightClassifier, HeadlightVectorizer


def told(done: float, phase: str) -> bool:
    print(done, phase)
    return done > 2


texts = ["good film", "bad film", "a good one", "a bad one", "very good", "very bad"]
labels = ["up", "down"] * 3
model: headlight.Model = headlight.fit(texts, labels, train="static", progress=told, threads=1)
if model.report is not None:
    print(model.report["train_rows"])
one: headlight.Prediction = model.classify("so good")
many: list[headlight.Prediction] = model.classify(texts)
print(one.label, one.labels, one._asdict(), one == many[0], one[0])
print([found.label for found in model.classify(pa.array(texts))])
print([found.label for found in model.classify(pl.Series(texts), missing="empty")])
print([found.label for found in model.classify(np.array(texts, dtype=object))])
print(model.logits(texts).shape, model.probabilities(texts).dtype, model.embed(texts)[0].sum())
measures = model.evaluate(texts, labels)
print(measures["accuracy"])
with headlight.Model("encoder", threads=1) as encoder:
    ranked: list[tuple[int, float]] = encoder.rank("good", texts, k=2)
    print(ranked)
for entity in headlight.Model("sentiment").entities("a") if len(texts) > 9 else []:
    found: headlight.Entity = entity
    print(found.label, found.start, found.end, found.text, found.probability)
with headlight.Model("sentiment", threads=1, long_texts="window") as sentiment:
    attention = sentiment.attention("not bad", long_texts="truncate")
    print(attention.tokens, attention.show("steps", layer=1, head=2).html[:10])
    explanation = sentiment.explain("not bad", method="shapley", seed=3)
    print(explanation.words, explanation.effects.shape, explanation.show())
    encoding: headlight.Encoding = sentiment.tokenize("not bad")
    print(len(encoding))
    try:
        sentiment.zero_shot(texts, ["a", "b"])
    except headlight.Error as error:
        print(error.status)
for listed in headlight.models():
    print(listed["name"])
classifier = HeadlightClassifier(train="static", threads=1).fit(texts, labels)
print(classifier.predict(texts), classifier.predict_proba(texts))
print(HeadlightClassifier.from_model("sentiment").classes_)
print(HeadlightVectorizer("encoder").fit().transform(texts).shape)
