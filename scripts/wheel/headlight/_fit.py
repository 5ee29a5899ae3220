"""Training, and the list of models."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref

from headlight import _library
from headlight._calls import made_text, new_engine
from headlight._library import ArgumentError, FitOptions, library
from headlight._model import Model, labelled
from headlight._texts import as_list, c_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from headlight._model import Texts


def fit(
    texts: Texts,
    labels: Iterable[Any],
    path: str | os.PathLike[str] | None = None,
    train: str = "auto",
    dev: tuple[Any, Any] | None = None,
    minutes: float = 2,
    seed: int = 0,
    progress: bool | Callable[[float, str], Any] | None = None,
    *,
    start: str | os.PathLike[str] | None = None,
    threads: int = 0,
    weights: Iterable[float] | None = None,
    dev_share: float = 0.1,
    overwrite: bool = False,
) -> Model:
    """Trains a classifier on labelled texts, as `headlight fit` does, and returns its Model, with a `report`.

    texts: an iterable of str or of tuples of two (pairs), or a column of numpy, pandas, polars or Arrow
    labels: of each text a str or a number, or a list of them: with lists, the model gives any number of labels. A row
        without a text or a label is left out
    path: the folder of the model, which must not exist unless overwrite is set; None: a temporary one, which goes with
        the Model: save() keeps it
    train: "auto" tries several ways and keeps the best; or a way of `headlight fit --train`, such as "head" or "static"
    dev: (texts, labels) to choose settings by and to measure; without it, dev_share of the rows are held out
    minutes: "auto" tries what takes at most so many minutes of two threads
    seed: of everything that is drawn at random: the same rows and seed give the same bytes, with any number of threads
    progress: None: a bar in a notebook or terminal; True: always; False: none; or a function of the share of the phase
        that is done and its name, which stops the training if it returns True
    start: the model to start from; None: the bundled encoder
    weights: how often each row counts; rounded to multiples of the smallest
    Raises Error if nothing can be learned from the rows, or the training was stopped; nothing is written then.

    >>> texts = ["good film", "bad film", "a good one", "a bad one", "very good", "very bad"] * 3
    >>> model = headlight.fit(texts, ["up", "down"] * 9, train="static", threads=1)
    >>> model.classify("so good").label
    'up'
    """
    rows = labelled(texts, labels, keeps_lists=True)
    options = _options(train, start, minutes, seed, dev_share, overwrite)
    if dev is not None:
        if not isinstance(dev, (tuple, list)) or len(dev) != 2:
            raise TypeError("dev is (texts, labels)")
        dev_rows = labelled(*dev, keeps_lists=True)
        options.dev_texts, options.dev_labels, options.dev_n = (*dev_rows, len(dev_rows[0]))
    if weights is not None:
        numbers = [float(weight) for weight in as_list(weights)]
        if len(numbers) != len(rows[0]):
            raise ArgumentError(f"there are {len(rows[0])} texts and {len(numbers)} weights")
        options.weights = (ctypes.c_float * len(numbers))(*numbers)
    folder, temporary = _folder(path, overwrite)
    from headlight._progress import Progress

    try:
        with Progress(progress) as shown:
            options.progress = _library.Progress(shown.call)
            engine = new_engine(threads)
            try:
                arguments = *rows, len(rows[0]), byref(options), c_string("path", os.fsencode(folder))
                report = made_text(library().fit, engine, *arguments, stops_itself=True)
            finally:
                shown.raise_failure()
        import json

        model = Model(folder, threads)
        model.report = json.loads(report)
    except BaseException:
        _remove(temporary, os.getpid())
        raise
    if temporary:
        import weakref

        weakref.finalize(model, _remove, temporary, os.getpid())
    return model


def _options(train: str, start: Any, minutes: float, seed: int, dev_share: float, overwrite: bool) -> FitOptions:
    from headlight._model import _whole

    options = FitOptions()
    library().fit_options_defaults(byref(options))
    options.train = c_string("train", train)
    options.start = None if start is None else c_string("start", os.fsencode(start))
    options.minutes, options.dev_share = minutes, dev_share
    options.seed, options.overwrite = _whole("seed", seed, 64), int(overwrite)
    return options


def _folder(path: Any, overwrite: bool) -> tuple[str, str]:
    """The folder of the model, and the temporary one around it."""
    if path is not None:
        folder = os.path.abspath(os.fsdecode(path))
        if os.path.lexists(folder) and not overwrite:
            raise ArgumentError(f"{folder}: exists already; overwrite=True replaces it")
        return folder, ""
    import tempfile

    temporary = tempfile.mkdtemp(prefix="headlight-")
    return os.path.join(temporary, "model"), temporary


def _remove(folder: str, process: int) -> None:
    if folder and process == os.getpid():
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def models() -> list[dict[str, Any]]:
    """The models that Model finds by name: "name", "path" and "labels" of each.

    >>> [one["name"] for one in headlight.models()]
    ['encoder', 'intent', 'language', 'sentiment', 'sentiment-stream']
    """
    import json

    return json.loads(made_text(library().models, new_engine(1)))  # type: ignore[no-any-return]
