"""What a notebook shows: HTML that loads nothing, for light and dark. Elsewhere the text of repr() is shown."""

from __future__ import annotations

import html

from headlight._calls import made_text
from headlight._library import ArgumentError, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from headlight._results import Explanation, Prediction

_MOST_LABELS = 10


class Page:
    """A page of HTML that is complete and loads nothing."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<a page of {len(self.html)} characters: a notebook shows it, .save(path) writes it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="headlight"'
            ' style="display:block;box-sizing:border-box;width:100%;height:46em;border:1px solid #8886;'
            'border-radius:4px"></iframe>'
        )


def attention_page(source: tuple[Any, ...], view: str, layer: int, head: int, query: int) -> Page:
    model, batch, settings = _reading(source)
    if view == "steps":
        return Page(made_text(library().steps_page, model, batch.native, layer, head, query, settings))
    if view not in ("heads", "lines"):
        raise ArgumentError(f'view is {view!r}, expected "heads", "lines" or "steps"')
    page = made_text(library().attention_page, model, batch.native, 1, settings)
    if view == "lines":  # the open head is the second part of the page
        page = page.replace("<body>", '<body class="head-first">', 1)
    return Page(page)


def explanation_page(source: tuple[Any, ...]) -> Page:
    model, batch, settings = _reading(source)
    return Page(made_text(library().explanation_page, model, batch.native, settings))


def _reading(source: tuple[Any, ...]) -> tuple[Any, ...]:
    """The handle of the model, the text and the options of the call that made a result."""
    from headlight._model import _EXPLAIN_OPTIONS
    from headlight._texts import one

    model, text, options = source
    return model._ready(), one(text), model._settings(options, _EXPLAIN_OPTIONS)


def prediction_html(prediction: Prediction) -> str:
    if prediction.error is not None:
        return f"<p><b>not scored</b>: {html.escape(prediction.error)}</p>"
    if not prediction.probabilities:
        values = ", ".join(f"{value:.4g}" for value in prediction.logits.tolist())
        return f"<p>{html.escape(prediction.label or 'value')}: {values}</p>"
    ranked = sorted(prediction.probabilities.items(), key=lambda item: -item[1])
    rows = "".join(
        f'<tr><td style="text-align:left">{_strong(label, label in prediction.labels)}</td>'
        f'<td style="text-align:left;min-width:12em"><div style="background:#3b7dd8;height:.7em;'
        f'width:{100 * value:.1f}%"></div></td><td>{100 * value:.1f} %</td></tr>'
        for label, value in ranked[:_MOST_LABELS]
    )
    rest = len(ranked) - _MOST_LABELS
    more = f"<p>and {rest} labels more</p>" if rest > 0 else ""
    cut = f"<p>{prediction.truncated} tokens were cut</p>" if prediction.truncated else ""
    return f"<table>{rows}</table>{more}{cut}"


def _strong(label: str, is_given: bool) -> str:
    name = html.escape(label)
    return f"<b>{name}</b>" if is_given else name


def explanation_html(found: Explanation) -> str:
    """The text with its words marked by their effect on the best label: blue supports it, orange opposes it."""
    logits = found.logits.tolist()
    best = logits.index(max(logits))
    effects = [row[best] for row in found.effects.tolist()] if found.words else []
    largest = max([abs(effect) for effect in effects], default=0.0) or 1.0
    words = []
    for word, effect in zip(found.words, effects):
        colour = "59,125,216" if effect > 0 else "217,119,6"
        words.append(
            f'<span title="{effect:+.3f}" style="background:rgba({colour},{0.6 * abs(effect) / largest:.2f});'
            f'border-radius:3px;padding:0 .15em">{html.escape(word)}</span>'
        )
    label = found._source[0]._labels[best]
    if not words:
        return f"<p>The text has no words. The label is <b>{html.escape(label)}</b>.</p>"
    return (
        f'<p style="line-height:1.9">{" ".join(words)}</p><p>Effect of each word on the logit of'
        f" <b>{html.escape(label)}</b>: blue supports it, orange opposes it; the largest is {largest:.2f}.</p>"
    )
